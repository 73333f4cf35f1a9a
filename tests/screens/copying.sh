# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# A line of progress while a pipe or a compressed file is copied, before the first screen.
. tests/lib/case.sh
. tests/lib/screen.sh
demo=samples/demo.kev

# hold NAME FILE: writes a part of the file to the pipe NAME, and the rest when NAME.go exists; $holder writes
hold() {
    mkfifo "$1"
    { head -c 100000 "$2" && poll test -e "$1.go" && tail -c +100001 "$2"; } >"$1" &
    holder=$!
}

screen_open 80x24
hold "$WORK/slow.kev" "$demo"
screen_start --no-config --no-session "$WORK/slow.kev"
screen_wait "a pipe that waits" '^slow\.kev: 0\.1 MB, [0-9.]+ MB/s \(Ctrl-C cancels\)'
: >"$WORK/slow.kev.go"
screen_wait "then the capture" 'event 0 of 3,400 +indexed 100 %'
screen_keys q
screen_wait "the end" "$PROMPT"
screen_text >"$WORK/after"
grep -F 'Ctrl-C' "$WORK/after" >"$WORK/left"
nothing "the line was erased" "$WORK/left"

hold "$WORK/held.kev" "$demo"
screen_start --no-config --no-session "$WORK/held.kev"
screen_wait "another pipe" '^held\.kev: 0\.1 MB'
screen_keys C-c
screen_wait "Ctrl-C cancels" '^status=130'
kill "$holder"
