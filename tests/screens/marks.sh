# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Marks: set, named, listed, visited, their difference in every view, selected, deleted.
. tests/lib/case.sh
. tests/lib/screen.sh

DEMO=$HERE/samples/demo.kev

screen_open 80x24
screen_start --no-session "$DEMO"
screen_await ' of [0-9,]+ (events|match(es)?) *$'
screen_keys '"'
screen_wait "no marks yet" 'no marks \(press m and a letter\)'
screen_keys q
screen_keys -l ':100'
screen_keys Enter m b
screen_wait "one mark is shown" '^ mark b'
screen_keys -l ':mark z the end'
screen_keys Enter
screen_keys -l ':3000'
screen_keys Enter m a
for view in '1:\[1 Ev\]' '2:\[2 Thr\]' '3:\[3 CPU\]' '4:\[4 Sum\]' '5:\[5 Inf\]' '6:\[6 Msg\]'; do
    screen_keys "${view%%:*}"
    screen_await "${view#*:}"
    screen_wait "the difference of two in view ${view%%:*}: time, events, ticks" \
        '^ z\.\.a [0-9.]+ ms, 2,900 events, [0-9,]+ ticks'
done
screen_keys 1 '"'
screen_wait "the list is in the order of time" '^.a  0\.'
screen_wait "... with what is there" '^.[bz]  0.* #100 '
screen_wait "... and the notes" '#100 .* the end'
screen_keys g n
screen_wait "a note is written at a prompt" '^note:'
screen_keys -l 'where it began'
server resize-window -t 0 -x 50 -y 12
screen_wait "... through a resize" '^note: where it began'
server resize-window -t 0 -x 80 -y 24
screen_keys Enter
screen_wait "... and shown" '^.[bz] .* where it began'
screen_keys G d
poll eval '! screen_has "^.a  0"' && ok "one is deleted" || not_ok "one is deleted" "$(screen_text)"
screen_keys g Enter
screen_wait "Enter goes there and says the note" '[bz]: where it began'
screen_keys "'" z
screen_wait "' goes there too" '101st of'
screen_keys G m c V
screen_wait "V selects from mark to mark" 'selected from mark to mark'
screen_keys 2 z
screen_wait "... which z shows" '\[2 Thr\]'
screen_keys q q
screen_wait "q takes the selection away first, then quits" '^status=0'

# On a time axis a mark has the cursor's time, which the status line shows, not that of the event before it.
cursor_ns() { "$TRACETUI" render threads --size 120x24 --keys "$1" "$DEMO" | sed -n 's/^ \(0\.[0-9 ]*\) s  .*/\1/p' | tr -d ' .'; }
from=$(cursor_ns ':20ms<Enter>llm') to=$(cursor_ns ':20ms<Enter>llmalllllll')
same_text "marks between events keep the cursor's time" "$((10#$to - 10#$from))" \
    "$("$TRACETUI" render threads --size 120x24 --keys ':20ms<Enter>llmalllllllmb' "$DEMO" |
        sed -n 's/^ a\.\.b .* events, \([0-9,]*\) ticks .*/\1/p' | tr -d ,)"
same_text "... and ' returns to it" "$from" "$(cursor_ns ":20ms<Enter>llmalllllll'a")"
