# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Bytes sent to the terminal: few for a line, none while idle. Output never blocks the keyboard.
. tests/lib/case.sh
. tests/lib/screen.sh

DEMO=$HERE/samples/demo.kev

# at_most NAME LIMIT BYTES
at_most() {
    if [ "$3" -le "$2" ]; then ok "$1 ($3 bytes)"; else not_ok "$1" "$3 bytes, at most $2"; fi
}

# ---- bytes of a key -------------------------------------------------------------------------------

# Without the program's event loop, so that a slow machine sends no more frames than a fast one.
# First a terminal that answers no query. Each bound is what curses sends, and about 5 % more.
coproc KEYS { TERM=tmux-256color "$BUILD/tests/screens/bytes_of_keys" --mute "$DEMO" 2>"$WORK/keys.err"; }

# bytes_of KEYS: prints the bytes of the frame after the last key
bytes_of() {
    local bytes
    echo "$1" >&"${KEYS[1]}"
    read -r -u "${KEYS[0]}" bytes || bytes=none
    [ "$bytes" -ge 0 ] 2>/dev/null || not_ok "the bytes of $1" "$(cat "$WORK/keys.err")"
    echo "$bytes"
}
times() { printf "%.0s$2" $(seq "$1"); }

at_most "a full frame" 2630 "$(bytes_of '<C-l>')"
bytes_of ':1000<Enter>' >/dev/null
at_most "the cursor one line down" 220 "$(bytes_of j)"
# The last line of the list, and one more.
bytes_of "<PgDn>$(times 21 j)" >/dev/null
at_most "one line scrolled" 235 "$(bytes_of j)"
at_most "one line scrolled back up" 250 "$(bytes_of "$(times 21 k)")"
at_most "a page" 3584 "$(bytes_of '<PgDn>')"
at_most "the pane opened" 3584 "$(bytes_of '<Enter>')"
at_most "a line with the pane open" 440 "$(bytes_of j)"
at_most "nothing for a key that means nothing" 75 "$(bytes_of B)"

# The other views: a line down, and one more than there is room for.
bytes_of '<Esc>20j' >/dev/null
at_most "Threads: a lane down" 195 "$(bytes_of j)"
# A lane that scrolls in costs its cells and its status line.
at_most "Threads: one lane scrolled, with all that is in it" 430 "$(bytes_of "G$(times 21 k)")"
bytes_of 3 >/dev/null
at_most "CPUs: a CPU down, with its table" 560 "$(bytes_of j)"
bytes_of 4j >/dev/null
at_most "Summary: a row down" 140 "$(bytes_of j)"
bytes_of 5j >/dev/null
at_most "Info: a line down" 180 "$(bytes_of j)"
for view in 2 3 4 5; do
    at_most "a full frame of view $view" 4870 "$(bytes_of "$view<C-l>")"
done
exec {KEYS[1]}>&-
wait "$KEYS_PID"
same_text "... and all of them were answered" 0 $?

# xterm, which answers.
coproc KEYS { TERM=xterm-256color "$BUILD/tests/screens/bytes_of_keys" "$DEMO" 2>"$WORK/keys.err"; }
bytes_of '2<C-l>20j' >/dev/null
at_most "Threads: a lane down, xterm" 150 "$(bytes_of j)"
at_most "Threads: one lane scrolled, xterm" 330 "$(bytes_of "G$(times 21 k)")"
bytes_of 3 >/dev/null
at_most "CPUs: a CPU down, xterm" 480 "$(bytes_of j)"
at_most "Threads: a full frame, xterm" 4190 "$(bytes_of '2<C-l>')"
at_most "CPUs: a full frame, xterm" 5070 "$(bytes_of '3<C-l>')"
exec {KEYS[1]}>&-
wait "$KEYS_PID"
same_text "... and all of them were answered" 0 $?

# On a known background columns of many states have a shade, too.
coproc KEYS { TERM=tmux-256color "$BUILD/tests/screens/bytes_of_keys" --mute "$DEMO" 2>"$WORK/keys.err"; }
bytes_of ':set background dark<Enter>' >/dev/null
bytes_of '2<C-l>20j' >/dev/null
at_most "Threads: one lane scrolled, with shades" 690 "$(bytes_of "G$(times 21 k)")"
at_most "Threads: a full frame, with shades" 6050 "$(bytes_of '2<C-l>')"
exec {KEYS[1]}>&-
wait "$KEYS_PID"
same_text "... and all of them were answered" 0 $?

# ---- the program ----------------------------------------------------------------------------------

screen_open 80x24
screen_record "$WORK/sent"
sent() { wc -c <"$WORK/sent"; }
screen_start "$DEMO"
screen_await '1st of 3,400 events'
pid=$(pgrep -P "$(server display-message -p -t 0 '#{pane_pid}')" -x tracetui)
ticks() { awk '{ print $14 + $15 }' "/proc/$pid/stat" 2>/dev/null || echo 0; }

# idles: two seconds without a byte or work; $spent has the CPU time
# The end of a frame may still arrive on a slow machine: there are 20 attempts.
idles() {
    local try bytes worked
    for ((try = 0; try < 20; try++)); do
        bytes=$(sent) worked=$(ticks)
        sleep 2
        bytes=$(($(sent) - bytes)) worked=$(($(ticks) - worked))
        spent="$bytes bytes, $worked ticks"
        [ "$bytes" -ne 0 ] || [ "$worked" -ne 0 ] || return 0
    done
    return 1
}
idle_is_silent() { if idles; then ok "$1"; else not_ok "$1" "$spent in 2 s"; fi; }

idle_is_silent "an idle screen sends nothing, and takes no processor time"
before=$(sent)
screen_keys j
screen_await '2nd of 3,400'
idle_is_silent "... nor behind a key"
at_most "the cursor one line down, by the program" 300 $(($(sent) - before))
screen_keys 2 3 4
screen_await '\[4 Sum\]'
idle_is_silent "... nor behind numbers"
screen_keys q q
screen_await '^status=0'
