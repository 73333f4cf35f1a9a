# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What goes over the line: little for a line, nothing for waiting. And the keyboard is never blocked.
. tests/lib/case.sh
. tests/lib/screen.sh

DEMO=$HERE/samples/demo.kev

# Bytes that the program has sent to the terminal since it was recorded.
sent() { wc -c <"$WORK/sent"; }
settle() { screen_settle "$WORK/sent" 12; }

# at_most NAME LIMIT BYTES
at_most() {
    if [ "$3" -le "$2" ]; then ok "$1 ($3 bytes)"; else not_ok "$1" "$3 bytes, at most $2"; fi
}

# bytes_of KEY...: what the answer to these keys takes
bytes_of() {
    local before
    before=$(sent)
    screen_keys "$@"
    settle
    echo $(($(sent) - before))
}

screen_open 80x24
screen_record "$WORK/sent"
screen_start "$DEMO"
screen_await 'event 0 of 3,400  indexed 100 %'
settle
before=$(sent)
# Two seconds of an idle screen: time is what is measured here.
sleep 2
same_text "an idle screen sends nothing" 0 $(($(sent) - before))
at_most "a full frame" 6656 "$(bytes_of C-l)"
bytes_of -l ':1000' >/dev/null
bytes_of Enter >/dev/null
at_most "the cursor one line down" 300 "$(bytes_of j)"
# The last line of the list, and one more.
bytes_of PageDown >/dev/null
screen_keys -N 20 j
settle
at_most "one line scrolled" 300 "$(bytes_of j)"
at_most "one line scrolled back up" 300 "$({ screen_keys -N 19 k; settle; bytes_of k; })"
at_most "a page" 6656 "$(bytes_of PageDown)"
at_most "the pane opened" 6656 "$(bytes_of Enter)"
at_most "a line with the pane open" 1200 "$(bytes_of j)"
at_most "nothing for a key that means nothing" 60 "$(bytes_of B)"

# The other views: a line down, and one more than there is room for.
bytes_of Escape 2 0 >/dev/null
bytes_of j >/dev/null
at_most "Threads: a lane down" 300 "$(bytes_of j)"
bytes_of G >/dev/null
# A lane that comes into sight brings as much as goes on in it, and what is said of it.
at_most "Threads: one lane scrolled, with all that is in it" 480 "$({ screen_keys -N 20 k; settle; bytes_of k; })"
bytes_of 3 >/dev/null
at_most "CPUs: a CPU down, with its table" 480 "$(bytes_of j)"
bytes_of 4 j >/dev/null
at_most "Summary: a row down" 200 "$(bytes_of j)"
bytes_of 5 j >/dev/null
at_most "Info: a line down" 300 "$(bytes_of j)"
for view in 2 3 4 5; do
    at_most "a full frame of view $view" 6656 "$(bytes_of $view C-l)"
done

pid=$(pgrep -P "$(server display-message -p -t 0 '#{pane_pid}')" -x tracetui)
ticks() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; }
if [ -r "/proc/$pid/stat" ]; then
    settle
    before=$(ticks)
    sleep 1
    same_text "an idle screen takes no processor time" 0 $(($(ticks) - before))
else
    skip "an idle screen takes no processor time" "no /proc"
fi
screen_keys q q
screen_await '^status=0'
