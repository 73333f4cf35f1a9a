# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Keys, commands and sizes of the terminal at random while a capture arrives through a pipe, and after it has
# arrived: the program ends by :quit, and no sanitizer reports anything. ANYKEYS_SEEDS (1) sequences per
# capture; the same in every run, though not at the same moments.
. tests/lib/case.sh
. tests/lib/screen.sh

KEYS=(j k h l g G J K H L '{' '}' '[' ']' '(' ')' '<' '>' + - '=' . ',' t c o O s r R w W F e i z v p P u U d D
    b B C T S M n N y m a x '$' '^' / "'" '#' % '@' '!' 1 2 3 4 5 6 7 '?' : Down Up Left Right PPage NPage
    Home End Enter Enter Tab BTab Space BSpace Escape Escape Escape C-d C-u C-l C-n C-p C-w C-k C-o C-o C-t C-g C-r)
COMMANDS=('goto 50%' 'goto #1234' 'filter class = COMM' 'filter' 'search class = CONTROL' 'mark a note' 'zoom in'
    'zoom all' 'from 10%' 'to 60%' 'columns -delta' 'set glyphs ascii' 'set glyphs utf8' 'set time ticks' 'theme mono'
    'theme dark' 'deadline /./=50us' 'measure class = A -> class = B' 'diff thread 0%..10%' 'align 50%'
    'sql select * from events limit 5000' 'sql select cpu, count(*) from states group by cpu' 'stats server'
    'stats job' 'stats blame' 'plot load' 'check add' 'write! out.txt' 'write! out.csv' 'write! out.svg'
    'export! out.fxt' 'save! out.kev' 'view.snapshot' 'view.info' 'history' 'results')
SIZES=('80 24' '120 40' '200 50' '60 15' '30 8')

# press COUNT: keys, some at once, and now and then a command or a size
press() {
    local i keys width height
    for ((i = 0; i < $1; i++)); do
        case $((RANDOM % 20)) in
        0 | 1 | 2 | 3)
            screen_keys Escape Escape :
            screen_keys -l "${COMMANDS[RANDOM % ${#COMMANDS[@]}]}"
            screen_keys Enter
            ;;
        4)
            read -r width height <<<"${SIZES[RANDOM % ${#SIZES[@]}]}"
            server resize-window -t 0 -x "$width" -y "$height"
            ;;
        *)
            keys=("${KEYS[RANDOM % ${#KEYS[@]}]}" "${KEYS[RANDOM % ${#KEYS[@]}]}")
            screen_keys "${keys[@]}"
            ;;
        esac
    done
}

# arrives CAPTURE PIPE: 70,000 bytes at once, the others slowly, until its reader ends
arrives() {
    head -c 70000 "$1" && tail -c +70001 "$1" | while head -c 20000 | grep -a ''; do sleep 0.1; done
}

"$TTSIM" --seed 3 --events 20000 -o "$WORK/kev"
"$TTSIM" --format fxt --scenario chatty --seed 3 --events 20000 -o "$WORK/fxt"
"$TTSIM" --format btrace --cpus 2 --seed 3 --events 20000 -o "$WORK/btrace"
"$TTSIM" --format trx --seed 3 --events 8000 -o "$WORK/trx"
mkdir "$WORK/out"
sequence=0
for ((seed = 1; seed <= ${ANYKEYS_SEEDS:-1}; seed++)); do
    for kind in kev fxt btrace trx; do
        RANDOM=$((++sequence))
        screen_open 80x24
        mkfifo "$WORK/$seed.$kind"
        arrives "$WORK/$kind" >"$WORK/$seed.$kind" 2>/dev/null &
        # The program writes files where it is started. No shell reads the keys after its end.
        screen_keys -l "cd $WORK/out; clear; $HERE/$TRACETUI --no-config $WORK/$seed.$kind; code=\$?; stty -echo; clear; echo status=\$code; exec sleep 1000"
        screen_keys Enter
        screen_await '[0-9] Ev|Ctrl-C cancels'
        press 200
        server resize-window -t 0 -x 80 -y 24
        # Completion and the history also have :quit.
        if screen_has '^status=' && ! screen_has '^status=[01]$'; then
            not_ok "$kind, keys $seed" "it ended: $(screen_text | grep '^status=')"
        else
            screen_keys Escape Escape Escape Escape :
            screen_keys -l 'quit!'
            screen_keys Enter
            screen_wait "$kind, keys $seed: it ends" '^status=[01]$'
        fi
        wait
    done
done
