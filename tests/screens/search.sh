# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Searching: incremental, in both directions, past the end, in displayed events, in the lanes.
. tests/lib/case.sh
. tests/lib/screen.sh

DEMO=samples/demo.kev
export LC_ALL=C.UTF-8

# The matches in the order that n goes through them are the lines of dump.
count=$("$TRACETUI" dump --filter REC_MESSAGE $DEMO | wc -l)
"$TRACETUI" dump --filter REC_MESSAGE $DEMO | awk '{print $1}' >"$WORK/want"
keys='/REC_MESSAGE<Enter>'
: >"$WORK/got"
for i in 1 2 3 4 5 6; do
    run "$TRACETUI" render events --size 200x12 --keys "$keys" $DEMO
    grep '^▌' "$WORK/out" | sed 's/^▌\([0-9. ]*\)  .*/\1/; s/ //g' | cut -c 1-11 >>"$WORK/got"
    if grep -q "$i[a-z][a-z] of $count matches" "$WORK/out"; then
        ok "match $i"
    else
        not_ok "match $i" "$(tail -n 2 "$WORK/out" | head -n 1)"
    fi
    keys+=n
done
head -n 6 "$WORK/want" | cut -c 1-11 >"$WORK/first"
same "n goes through the lines of dump" "$WORK/first" "$WORK/got"

run "$TRACETUI" render events --size 80x12 --keys '/REC_MESSAGE<Enter>N' $DEMO
if grep -q "search wrapped to the last match" "$WORK/out"; then
    ok "N before the first goes round"
else
    not_ok "N before the first goes round" "$(cat "$WORK/out")"
fi
run "$TRACETUI" render events --size 80x12 --keys 'fcpu = 3<Enter>/REC_MESSAGE<Enter>' $DEMO
among=$("$TRACETUI" dump --filter 'cpu = 3 and /REC_MESSAGE/' $DEMO | wc -l)
if grep -q "1st of $among" "$WORK/out"; then
    ok "a search finds displayed events only"
else
    not_ok "a search finds displayed events only" "$(cat "$WORK/out")"
fi

# The filters stay in the status line next to its other texts.
run "$TRACETUI" render events --size 80x12 --keys 'fthread ~ ^io-<Enter>/MESS<Enter>' $DEMO
says "a search leaves the filter on the status line" '^ thread ~ \^io-  /MESS  1st of' "$WORK/out"
run "$TRACETUI" render events --size 80x12 --keys 'fthread ~ ^io-<Enter>majjmb' $DEMO
says "... and so do marks" '^ thread ~ \^io-  a\.\.b ' "$WORK/out"
run "$TRACETUI" render events --size 80x12 --keys 'fthread ~ ^io-<Enter>:set time never<Enter>' $DEMO
says "... and so does a message, which begins on the line before" '^ thread ~ \^io-  .*time.*' "$WORK/out"
run "$TRACETUI" render events --size 80x12 --keys 'fthread ~ ^io-|and|a|much|longer|one|than|half|of|the|whole|line<Enter>/MESS<Enter>' $DEMO
says "a long filter leaves room for the search" '^ thread ~ \^io-.*…  /MESS  1st of' "$WORK/out"

screen_open 80x24 "XDG_STATE_HOME=$WORK"
screen_start $DEMO
screen_await ' of [0-9,]+ (events|match(es)?) *$'
screen_keys /
screen_keys -l 'REC_MES'
screen_wait "the cursor jumps while it is typed" '^▌.*REC_MESSAGE'
screen_keys Escape
screen_wait "Escape returns" '^▌0.000 000 000'
screen_keys /
screen_keys -l 'event = REC_MESSAGE'
server resize-window -x 100 -y 20
screen_keys Enter
screen_wait "terms, resized on the way" "1st of $count"
screen_keys 2 n n
screen_wait "n in the lanes" "3rd of $count|/event = REC"
screen_keys 1
screen_wait "and back in Events" "3rd of $count"
screen_keys /
screen_keys -l 'nosuchthing'
screen_keys Enter
screen_wait "no match is said" 'no match'
screen_keys q
screen_keys q
screen_wait "it ends well" '^status=0'

# The help searches as well, and begins with the view that it was opened in.
run "$TRACETUI" render threads --size 80x24 --keys '?' $DEMO
says "help begins with the view" '^ Threads$' "$WORK/out"
says "... its legend" '█ runs +▒ ready' "$WORK/out"
run "$TRACETUI" render threads --size 80x200 --keys '?' $DEMO
line=$(grep -n 'In other views' "$WORK/out" | cut -d: -f1)
same_text "... and only keys that work there come before the others" "1 0" \
    "$(head -n "$line" "$WORK/out" | grep -c 'fold a process') $(head -n "$line" "$WORK/out" | grep -c 'histogram')"
run "$TRACETUI" render threads --size 80x24 --keys '?/HISTOG<Enter>' $DEMO
same_text "help finds a text" 1 "$(sed -n 2p "$WORK/out" | grep -c 'plot of the number: histogram')"
run "$TRACETUI" render summary --size 120x40 --keys '?' $DEMO
says "... in columns where there is room" 'one line down +.*one page up|one line down .*half a page' "$WORK/out"
run "$TRACETUI" render summary --size 80x24 --keys 'lll?' $DEMO
says "the help of a table begins with the selected column" 'switches vol: How often it left a CPU to wait\.' <(sed -n 3p "$WORK/out")
