# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The command prompt on a terminal: every command at 80x24, completion, errors, history, a resize while
# typing, and pastes.
. tests/lib/case.sh
. tests/lib/screen.sh

DEMO=$HERE/samples/demo.kev

screen_open 80x24
screen_start --no-session "$DEMO $HERE/samples/demo.fxt"
screen_await ' of [0-9,]+ (events|match(es)?) *$'

# command NAME LINE PATTERN: types the line and waits for the pattern
command() {
    screen_keys ':'
    screen_await '^:'
    screen_keys -l "$2"
    screen_keys Enter
    screen_wait "$1" "$3"
}

screen_keys ':'
screen_wait "an empty line lists what can be typed" '1234 an event .* a command: Tab'
screen_keys Tab
screen_wait "Tab lists the commands" '^ goto PLACE +go to an event'
screen_wait "... with how many there are" '^── [0-9]+ ─'
screen_keys -l th
screen_wait "... and follows what is typed" '^ theme NAME '
server resize-window -t 0 -x 60 -y 12
screen_wait "the list stays open after a resize" '^ theme NAME +change col'
server resize-window -t 0 -x 40 -y 10
screen_wait "... to the smallest" '^:th'
server resize-window -t 0 -x 80 -y 24
screen_keys -l em
screen_keys Tab
screen_wait "a command shows its argument" 'theme NAME: change colours'
screen_keys Tab Tab
screen_wait "themes are listed" '^ (colour-blind|dark) +built in'
screen_keys Escape Escape

screen_keys ':'
screen_keys -l 'goto 50x'
screen_wait "a mistake is pointed at below its place" '^      \^ '
screen_keys C-u
screen_keys -l nonsense
screen_wait "... and so is a command that is none" '^ \^ unknown command; Tab lists commands'
screen_keys Enter
screen_wait "... which does nothing" 'no command "nonsense"'

command "goto" 'goto 1234' '1,235th of'
command "a place alone" '50%' '1,610th of'
command "mark" 'mark a first of all' '^a'
command "note" 'note b what' 'mark b is not set'
command "zoom" 'zoom 1ms..2ms' '\[2 Thr\]'
command "from" 'from 500us' '\[2 Thr\]'
command "to" 'to 9ms' '\[2 Thr\]'
command "stats" 'stats cpu' '\[4 Sum\]'
command "view.events, an action" 'view.events' '\[1 Ev\]'
command "columns" 'columns time event' 'time s +event *$'
command "columns, one more" 'columns +cpu' 'time s +C event *$'
command "set" 'set time ticks' 'ticks +C event *$'
command "set, asked" 'set time' 'time is ticks; values: relative'
command "set, wrong" 'set time never' 'one of: relative absolute'
command "theme" 'theme mono' 'ticks +C event *$'
command "theme, wrong" 'theme nothing' 'no theme "nothing"'
command "write" "write $WORK/out.txt" '3400 events written'
same_text "... all the lines" 3400 "$(wc -l <"$WORK/out.txt")"
"$TRACETUI" dump "$DEMO" >"$WORK/dump"
same "... as dump prints them" "$WORK/dump" "$WORK/out.txt"
command "write, again" "write $WORK/out.txt" 'file exists; write! overwrites it'
command "write!" "write! $WORK/out.txt" '3400 events written'
command "write to -" 'write -' 'standard output is the screen'
command "filter" 'filter class = THREAD' 'of 1,579 matches *$'
command "write, filtered" "write $WORK/some.csv" 'events written'
"$TRACETUI" dump --format csv --filter 'class = THREAD' "$DEMO" >"$WORK/some.dump"
same_text "... as many as dump has" "$(wc -l <"$WORK/some.dump")" "$(wc -l <"$WORK/some.csv")"
command "view.threads" view.threads '\[2 Thr\]'
command "lanes as CSV" "write $WORK/intervals.csv" 'intervals written to '
command "view.info" view.info '\[5 In'
command "a frame is not CSV" "write $WORK/lanes.csv" '^ .*not written: Info is not a table; FILE.txt'
if [ -e "$WORK/lanes.csv" ]; then not_ok "... and none is written" "it is there"; else ok "... and none is written"; fi
screen_wait "... and the end of the message is on the second line" 'frame$'
command "messages" messages '^.*messages, the latest first'
screen_wait "... are kept as a whole" 'not written: Info is not a table; FILE.txt gets the frame$'
screen_wait "... one after another" '^ file exists; write! overwrites it: '
screen_keys q
command "a frame as text" "write $WORK/lanes.txt" '^ .*the screen written to '
command "view.events, again" view.events '\[1 Ev\]'
command "files" files '\[demo.kev\]  demo.fxt'
command "next" next '^ demo.fxt'
command "prev" prev '^ demo.kev'
command "open" "open $HERE/samples/demo.trx" '^ demo.trx'
command "open, of no use" "open $HERE/README.md" 'README.md: '
screen_keys ':' Up
screen_wait "Up brings the line before" '^:open .*README.md'
screen_keys C-u
screen_keys -l stats
screen_keys C-r
screen_wait "^R the one with what is typed in it" '^:stats cpu'
screen_keys Escape

# ---- pastes -------------------------------------------------------------------------------------

printf 'q\nq\n1' | server load-buffer -
server paste-buffer -p -t 0
screen_wait "pasted text is no keys" 'no prompt is open'
screen_keys ':'
screen_await '^:'
server paste-buffer -p -t 0
screen_wait "at a prompt it is one line" '^:q q 1'
screen_keys C-u
head -c 10240 /dev/zero | tr '\0' '(' | server load-buffer -
server paste-buffer -p -t 0
screen_wait "10 kB of it are cut, and that is said" 'pasted characters ignored'
screen_keys Enter
screen_wait "... and what is left of it is answered when it is entered" " '\\(\\(\\("
command "quit" quit '^status=0'
