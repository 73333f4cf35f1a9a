# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The terminal is restored however the program ends; the sequences that it receives.
. tests/lib/case.sh
. tests/lib/screen.sh

DEMO=$HERE/samples/demo.kev
FIRST='1st of 3,400 events'

# After changes of the size the screen is that of a script of `render`.
cat >"$WORK/script" <<END
:size 120x40
:picture $WORK/large
:restart
<F12>:50%<Enter><Enter><Tab>
:picture $WORK/detail
:size 120x40
:picture $WORK/resized
:size 40x10
:picture $WORK/small
END
"$TRACETUI" render events --script "$WORK/script" samples/demo.kev >"$WORK/out"

# The terminal state that the program restores: modes, screen, cursor.
modes() { server display-message -p -t 0 '#{alternate_on} #{cursor_flag} #{mouse_any_flag} #{keypad_cursor_flag}'; }
modes_are() { [ "$(modes)" = "$1" ]; }

# shell_stty FILE: the shell's own answer to `stty -a`
asked=0
shell_stty() {
    asked=$((asked + 1))
    screen_keys -l "clear; stty -a >$1; echo written $asked"
    screen_keys Enter
    screen_await "^written $asked\$"
}

pid_of_program() { pgrep -P "$(server display-message -p -t 0 '#{pane_pid}')" -x tracetui; }
program_runs() { [ -n "$(pid_of_program)" ]; }

# back_to_normal NAME STATUS: the shell has the terminal again and nothing is left of the program
back_to_normal() {
    screen_await "^status=$2\$"
    if poll modes_are "0 1 0 0"; then
        ok "$1: main screen, cursor, mouse"
    else
        not_ok "$1: main screen, cursor, mouse" "modes $(modes)"
    fi
    if screen_has 'demo\.kev  QNX'; then
        not_ok "$1: nothing is left on the screen" "$(screen_text | head -n 3)"
    else
        ok "$1: nothing is left on the screen"
    fi
    shell_stty "$WORK/stty.after"
    same "$1: stty" "$WORK/stty.before" "$WORK/stty.after"
}

screen_open 80x24
shell_stty "$WORK/stty.before"

screen_start "$DEMO"
screen_wait "the first screen" "$FIRST"
poll modes_are "1 0 1 1" && ok "it has the alternate screen" || not_ok "it has the alternate screen" "$(modes)"
screen_keys q
back_to_normal quit 0

screen_start "$DEMO"
screen_await "$FIRST"
screen_keys C-c
back_to_normal "^C" 0

# In the middle of a prompt, where the cursor is shown.
screen_start "$DEMO"
screen_await "$FIRST"
screen_keys -l ':12'
screen_await '^:12'
kill -TERM "$(pid_of_program)"
back_to_normal "TERM at a prompt" 143

for signal in TERM:143 HUP:129 INT:130 QUIT:131 SEGV:139 BUS:135 ABRT:134 FPE:136 ILL:132; do
    screen_start "$DEMO"
    screen_await "$FIRST"
    kill -"${signal%:*}" "$(pid_of_program)"
    back_to_normal "${signal%:*}" "${signal#*:}"
done

# ---- stopped and continued ---------------------------------------------------------------------

screen_start "$DEMO"
screen_await "$FIRST"
screen_keys j j
screen_await '3rd of'
screen_text >"$WORK/before"
screen_keys C-z
screen_wait "^Z gives the shell back" "^$PROMPT|Stopped"
poll modes_are "0 1 0 0" && ok "... and the terminal" || not_ok "... and the terminal" "$(modes)"
shell_stty "$WORK/stty.after"
same "... and its modes" "$WORK/stty.before" "$WORK/stty.after"
screen_keys -l 'fg >/dev/null; echo status=$?'
screen_keys Enter
screen_wait "fg continues" '3rd of'
screen_text >"$WORK/after"
same "... with the screen as it was" "$WORK/before" "$WORK/after"
screen_keys j
screen_wait "... and reads keys" '4th of'
kill -TSTP "$(pid_of_program)"
screen_await "^$PROMPT|Stopped"
screen_keys -l 'fg >/dev/null; echo status=$?'
screen_keys Enter
screen_wait "TSTP from outside is the same" '4th of'
kill -STOP "$(pid_of_program)"
screen_await 'Stopped'
screen_keys -l 'fg >/dev/null; echo status=$?'
screen_keys Enter
screen_wait "STOP cannot be caught, but CONT redraws the screen" '4th of'
poll modes_are "1 0 1 1" && ok "... on the alternate screen" || not_ok "... on the alternate screen" "$(modes)"
screen_keys q
back_to_normal "quit after all that" 0

# The size changes while the program is stopped: fg and ^L read the new size.
screen_start "$DEMO"
screen_await "$FIRST"
screen_keys C-z
screen_await "^$PROMPT|Stopped"
server resize-window -t 0 -x 120 -y 40
screen_keys -l 'fg >/dev/null; echo status=$?'
screen_keys Enter
screen_await '\[1 Events\]'
screen_same "fg in a terminal of another size" "$WORK/large"
server resize-window -t 0 -x 80 -y 24
screen_await '\[1 Ev\]'
screen_keys q
screen_await '^status=0'

# ---- other programs in the same pipeline ----------------------------------------------------------

# A program before the pipe, as pv, restores the modes that it found at its start: before it closes the
# pipe, or after. Keys then act at once, are not shown as typed, and the shell gets its own modes.
restored() { [ -e "$WORK/restored" ]; }
for when in 'sleep 1; stty $found' 'exec >&-; sleep 1; stty $found'; do
    rm -f "$WORK/restored"
    screen_keys -l "clear; found=\$(stty -g); { cat $DEMO; $when; : >$WORK/restored; } </dev/tty | $HERE/$TRACETUI --no-session -f -; echo status=\$?"
    screen_keys Enter
    screen_await 'the pipe ended'
    poll restored
    screen_keys 2
    screen_wait "$when: a key acts without Enter" '\[2 Thr\]'
    screen_keys C-c
    back_to_normal "... and quit" 0
done

# ---- other sizes --------------------------------------------------------------------------------

screen_start --keys "':50%<Enter><Enter><Tab>'" "$DEMO"
screen_await '1,610th of'
screen_same "the pane at 80x24" "$WORK/detail"
server resize-window -t 0 -x 120 -y 40
screen_await '\[1 Events\]'
screen_same "resized to 120x40" "$WORK/resized"
server resize-window -t 0 -x 40 -y 10
screen_await '^.0\.025 691 376 3 .dev'
screen_same "resized to 40x10, as small as it goes" "$WORK/small"
server resize-window -t 0 -x 30 -y 5
screen_wait "a small terminal is reported" 'too small'
server resize-window -t 0 -x 80 -y 24
screen_await '\[1 Ev\]'
screen_same "back at 80x24, as before" "$WORK/detail"
screen_keys ':'
screen_keys 5 0
server resize-window -t 0 -x 100 -y 30
screen_wait "a prompt stays open" '^:50'
screen_keys % Enter
screen_wait "... and still works" '1,610th of'
server resize-window -t 0 -x 80 -y 24
screen_keys q q
screen_await '^status=0'

# As when a window's edge is dragged: sizes change faster than frames are drawn, and the last size
# may be the first one. tmux delivers them late and not all: the frame is redrawn without a key.
screen_start "$DEMO"
screen_await "$FIRST"
screen_keys -l ':50%'
screen_keys Enter ':'
screen_keys -l '12'
screen_await '^:12 *$'
screen_still "$WORK/before"
for width in 79 60 41 40 20 3 33 90 130 110 47 80; do
    server resize-window -t 0 -x $width -y $((width / 4 + 1)) \; resize-window -t 0 -x $((width + 9)) -y 30
done
server resize-window -t 0 -x 80 -y 24
if poll screen_is "$WORK/before"; then
    ok "after many changes of size, frame and prompt are unchanged"
else
    not_ok "after many changes of size, frame and prompt are unchanged" "$(screen_text | diff "$WORK/before" - | head -n 8)"
fi
# One of the sizes may be too low for the line of the cursor.
server resize-window -t 0 -x 60 -y 11
screen_await '^ demo.kev  4 CPU'
server resize-window -t 0 -x 80 -y 24
if poll screen_is "$WORK/before"; then
    ok "... and so does a low terminal"
else
    not_ok "... and so does a low terminal" "$(screen_text | diff "$WORK/before" - | head -n 8)"
fi
screen_keys 3 4 Enter
screen_wait "... which still works" '1,235th of'
screen_keys q
screen_await '^status=0'

# ---- the clipboard ------------------------------------------------------------------------------

server set -s set-clipboard on
copied_is() { [ "$(server show-buffer 2>/dev/null)" = "$1" ]; }
for way in TMUX= TMUX=here; do
    server delete-buffer 2>/dev/null
    screen_keys -l "clear; $way $HERE/$TRACETUI --no-session --keys ':100<Enter>' $DEMO; echo status=\$?"
    screen_keys Enter
    screen_await '101st of'
    screen_keys y
    screen_await 'line copied'
    line=$("$TRACETUI" dump --format text samples/demo.kev 2>/dev/null | sed -n 101p)
    if poll copied_is "$line"; then
        ok "$way: the line is on the clipboard"
    else
        not_ok "$way: the line is on the clipboard" "'$(server show-buffer)', not '$line'"
    fi
    if screen_has 'tmux;|52;c'; then
        not_ok "$way: nothing of it is seen" "$(screen_text | grep -E 'tmux;|52;c')"
    else
        ok "$way: nothing of it is seen"
    fi
    screen_keys q
    screen_await '^status=0'
done
