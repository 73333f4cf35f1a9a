# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Each key of `render` acts on the final result of the one before, however fast the machine is: the screens
# are the same where a frame has time for all of its work, for a few steps and for none
# (tests/faults/slow_clock.c).
. tests/lib/case.sh

DEMO=samples/demo.kev
SLOW=$BUILD/tests/faults/slow_clock/tracetui
needs "$SLOW"

# The place of the cursor, of the window or of a row, or a part of the frame, once depended on the speed here: VIEW KEYS
known=(
    'events <F12>:28.7ms<Enter>/logger\/1.*THREPLY<Enter>b'
    'events /THMUTEX<Enter>nb<Enter>'
    'threads <F12>:columns time event<Enter>6/THREPLY<Enter>bo'
    'summary jjllb'
    'messages jjbjj'
    'snapshot <F12>:1234<Enter>6K<Enter>lF<PgDn>'
    'summary jjjjj<Enter>'
    'threads <F12>:measure kind = enter -> kind = exit --same thread<Enter>G:measure event = THREPLY -> event = THRUNNING<Enter>'
)
# Others at random, the same in every run.
COMMANDS=(':26.9ms<Enter>' ':50%<Enter>' '/THREPLY<Enter>' '/REC_MESSAGE<Enter>n' 'fcpu = 1<Enter>' 'fthread ~ ^io-<Enter>'
    ':measure --interrupt 35 --thread sensor/2<Enter>' ':check tests/screens/demo.check<Enter>' ':stats job<Enter>'
    ':deadline sensor/1=150us,/^fusion/=200us<Enter>' ':deadline<Enter>' ':diff 0s..20ms<Enter>' ':align<Enter>'
    ':plot delay_max of logger/1<Enter>' ':plot load<Enter>' ':stats inversion<Enter>' ':stats single<Enter>'
    ':zoom 26ms..29ms<Enter>' ':10ms<Enter>ma:30ms<Enter>mb' ':measure kind = enter -> kind = exit --same thread<Enter>')
KEYS=(j k G g J K b b U B n N '<Enter>' '<Enter>' '<Esc>' o x d p s D r + - v '>' '<lt>' '.' ']' '[' 2 3 4 6 7 '<PgDn>' '<Tab>' l h)
VIEWS=(events threads cpus summary messages snapshot info)
RANDOM=46
for ((i = 0; i < 24; i++)); do
    keys=
    for ((part = RANDOM % 3 + 1; part > 0; part--)); do
        keys+=${COMMANDS[RANDOM % ${#COMMANDS[@]}]}
        for ((j = RANDOM % 5; j > 0; j--)); do keys+=${KEYS[RANDOM % ${#KEYS[@]}]}; done
    done
    known+=("${VIEWS[RANDOM % ${#VIEWS[@]}]} <F12>$keys")
done

# play PROGRAM DIRECTORY: draws all of them, each from the start
play() {
    mkdir "$WORK/$2"
    for ((i = 0; i < ${#known[@]}; i++)); do
        printf ':view.%s\n%s\n:picture %s\n:restart\n' "${known[i]%% *}" "${known[i]#* }" "$WORK/$2/$i"
    done >"$WORK/script"
    run "$1" render events --script "$WORK/script" $DEMO
    same_text "$2: all are drawn" "0 ${#known[@]} $(head -n 1 "$WORK/err")" "$code $(find "$WORK/$2" -type f | wc -l) "
}
play "$TRACETUI" "all of a frame's work"
play "$SLOW" "a few steps"
SLOW_CLOCK_NS=1000000000 play "$SLOW" "none of it"
for time in "a few steps" "none of it"; do
    for ((i = 0; i < ${#known[@]}; i++)); do
        same "$time: ${known[i]}" "$WORK/all of a frame's work/$i" "$WORK/$time/$i"
    done
done
