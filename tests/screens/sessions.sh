# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sessions on a terminal: the state is restored when the capture is opened again.
. tests/lib/case.sh
. tests/lib/screen.sh

KEEP_SESSIONS=1

DEMO=$HERE/samples/demo.kev
cp "$DEMO" "$WORK/copy.kev"

screen_open 80x24
screen_start "$DEMO"
screen_await ' of [0-9,]+ (events|match(es)?) *$'
screen_keys -l ':1234'
screen_keys Enter
screen_keys -l ':mark a a note to find'
screen_keys Enter
screen_keys -l ':filter class = THREAD'
screen_keys Enter
screen_await ' of [0-9,]+ matches *$'
server resize-window -t 0 -x 100 -y 30
screen_keys -l ':set time ticks'
screen_keys Enter
screen_await '^ *ticks '
server resize-window -t 0 -x 80 -y 24
screen_keys -l ':quit'
screen_keys Enter
screen_await '^status=0'
same_text "one session and one history are kept" "2" "$(find "$WORK/state" -type f | wc -l)"
same_text "nothing else is written" "" "$(find "$WORK/config" -type f ! -path '*/tracetui/config' 2>/dev/null)"
same_text "... and for this person alone" "700" "$(stat -c %a "$WORK/state/tracetui")"

screen_start "$WORK/copy.kev"
screen_wait "the format of times is back, under another name of the file" '^ *ticks '
screen_keys '"'
screen_wait "marks and notes are" 'a note to find'
screen_keys Enter
screen_wait "... and lead there" 'a: a note to find'
screen_keys ':' Up Up Up
screen_wait "and what was typed" '^:(filter|set|mark|quit)'
screen_keys Escape q
screen_await '^status=0'

screen_start --no-session "$DEMO"
screen_wait "--no-session starts without it" '^ time s'
screen_keys j j q
screen_await '^status=0'

# The position is also saved when a signal ends the program.
screen_start "$WORK/copy.kev"
screen_await '^ *ticks '
screen_keys -l ':set time relative'
screen_keys Enter
screen_await '^ time s'
kill -TERM "$(pgrep -P "$(server display-message -p -t 0 '#{pane_pid}')" -x tracetui)"
screen_await '^status=143'
screen_start "$WORK/copy.kev"
screen_wait "TERM keeps it as quitting does" '^ time s'
screen_keys q
screen_await '^status=0'

for file in "$WORK"/state/tracetui/sessions/*; do
    echo broken >"$file"
done
screen_start "$DEMO"
screen_wait "a damaged session is said and left out" 'saved session ignored'
screen_keys q
screen_await '^status=0'

# A lane of the user is part of the session; one that grows with its capture ends as that of the complete capture.
screen_start "$WORK/copy.kev"
screen_keys 2
screen_await '^ thread '
screen_keys -l ':lane prio = value of event = THRUNNING.arg.priority'
screen_keys Enter
screen_await '^ prio '
screen_keys q
screen_await '^status=0'
screen_start "$WORK/copy.kev"
screen_keys 2
screen_wait "a lane is back" '^ prio '
screen_keys -l ':lane prio ='
screen_keys Enter
screen_await '^ thread '
screen_keys q
screen_await '^status=0'

head -c 60000 "$DEMO" >"$WORK/grows.kev"
echo 'prio = value of event = THRUNNING.arg.priority' >"$WORK/lanes"
screen_start --no-session -f --lanes "$WORK/lanes" "$WORK/grows.kev"
screen_keys 2
screen_await '^ prio '
tail -c +60001 "$DEMO" >>"$WORK/grows.kev"
screen_wait "a lane grows with its capture" '^ prio .*█▅█_▅▆█▅███████████▃▆_$'
screen_keys q
screen_await '^status=0'
