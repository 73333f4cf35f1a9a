# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Many, few and no colours, ASCII; limited and unknown terminals.
. tests/lib/case.sh
. tests/lib/screen.sh

DEMO=$HERE/samples/demo.kev
FIRST='1st of 3,400 events'

# With attributes: -e keeps them, -N keeps blanks at the end of lines.
colored_text() { server capture-pane -p -e -N -t 0; }
colors() { colored_text | grep -cE $'\033\\[([0-9]*;)*(3|4|9|10)[0-7]m'; }
attributes() { colored_text | grep -cE $'\033\\[([0-9]*;)*[127](;|m)'; }

# The terminal shows the same as `render` prints.
cat >"$WORK/script" <<END
:picture $WORK/start
:size 120x40
:picture $WORK/large
:restart
:set glyphs ascii
:picture $WORK/ascii
:restart
<F12>:50%<Enter><Enter><Tab>
:picture $WORK/detail
END
"$TRACETUI" render events --script "$WORK/script" samples/demo.kev >"$WORK/out"

screen_open 80x24
screen_start "$DEMO"
screen_await "$FIRST"
screen_same "UTF-8 at 80x24" "$WORK/start"
if [ "$(colors)" -gt 10 ]; then ok "colours by default"; else not_ok "colours by default" "$(colors) lines"; fi
if colored_text | grep -qE $'\033\\[([0-9]*;)*4[0-7]m'; then
    not_ok "the terminal's own background" "a background was set"
else
    ok "the terminal's own background"
fi
colored_text | perl tests/lib/blanks.pl | sed '1d;$d' | sed '$d' >"$WORK/colored"
[ -z "${UPDATE_SCREENS:-}" ] || cp "$WORK/colored" tests/screens/expected/events-in-colour-on-a-terminal.ansi
same "UTF-8 in colour" tests/screens/expected/events-in-colour-on-a-terminal.ansi "$WORK/colored"
screen_keys q
screen_await '^status=0'

screen_start --color never "$DEMO"
screen_await "$FIRST"
same_text "--color never" 0 "$(colors)"
screen_keys q
screen_await '^status=0'

screen_open 80x24 NO_COLOR=1
screen_start "$DEMO"
screen_await "$FIRST"
same_text "NO_COLOR" 0 "$(colors)"
if [ "$(attributes)" -gt 1 ]; then ok "... keeps attributes"; else not_ok "... keeps attributes" "$(attributes)"; fi
screen_same "... and everything else" "$WORK/start"
screen_keys q
screen_await '^status=0'
screen_start --color always "$DEMO"
screen_await "$FIRST"
if [ "$(colors)" -gt 10 ]; then ok "--color always wins over NO_COLOR"; else not_ok "--color always wins over NO_COLOR" "$(colors)"; fi
screen_keys q
screen_await '^status=0'

screen_open 80x24 LC_ALL=C
screen_start "$DEMO"
screen_await "$FIRST"
screen_same "a locale without UTF-8" "$WORK/ascii"
if colored_text | LC_ALL=C grep -q '[^ -~]' && colored_text | sed $'s/\033\\[[0-9;]*m//g' | LC_ALL=C grep -q '[^ -~]'; then
    not_ok "... has ASCII alone" "something else was drawn"
else
    ok "... has ASCII alone"
fi
screen_keys q
screen_await '^status=0'

screen_open 80x24
screen_start dump --from "'#100'" --to "'#101'" "$DEMO"
screen_await '^status=0'
same_text "dump has colours on a terminal" 1 "$(colors)"
screen_start dump --from "'#100'" --to "'#101'" "$DEMO" '|' cat
screen_await '^status=0'
same_text "... and none in a pipe" 0 "$(colors)"
screen_start dump --from "'#100'" --to "'#101'" "$DEMO" --format csv
screen_await '^status=0'
same_text "... and none as CSV" 0 "$(colors)"
screen_open 80x24 NO_COLOR=1
screen_start dump --from "'#100'" --to "'#101'" "$DEMO"
screen_await '^status=0'
same_text "... and none with NO_COLOR" 0 "$(colors)"
screen_open 80x24 TERM=vt100
screen_start dump --from "'#100'" --to "'#101'" "$DEMO"
screen_await '^status=0'
same_text "... and none where the terminal has none" 0 "$(($(colors) + $(attributes)))"

screen_open 120x40
screen_start "$DEMO"
screen_await "$FIRST"
screen_same "120x40" "$WORK/large"
screen_keys 5
screen_await '\[5 Info\]'
screen_keys q
screen_await '^status=0'

screen_open 80x24
screen_start --theme mono "$DEMO"
screen_await "$FIRST"
same_text "the mono theme" 0 "$(colors)"
screen_keys q
screen_await '^status=0'
echo 'time = 196 nothing' >"$WORK/bad.theme"
screen_start --theme "$WORK/bad.theme" "$DEMO"
screen_wait "a theme with an error is refused with its place" 'bad\.theme:1:12'
screen_wait "... by status 2" '^status=2'

# ---- mouse, and sequences that are no keys ------------------------------------------------------

# Buttons as tmux-256color has them: ESC [ M button column row, each plus 32.
screen_start "$DEMO"
screen_await "$FIRST"
screen_keys -l $'\033[M\x61\x2a\x2a'
screen_wait "the wheel moves the cursor" '4th of'
screen_keys -l $'\033[M\x20\x2a\x2c'
screen_keys -l $'\033[M\x23\x2a\x2c'
screen_wait "a click puts it on a line" '10th of'
screen_keys -l $'\033[M\x20\x61\x21'
screen_keys -l $'\033[M\x23\x61\x21'
screen_wait "a click on a tab shows that view" '\[5 Inf\]'
screen_keys 1
screen_await '\[1 Ev\]'
screen_keys -l $'\033[<65;10;5M'
screen_wait "the wheel in decimal numbers" '13th of'
screen_keys -l $'\033[5I\033[99;5u\033[<35;10;5M'
screen_keys j
screen_wait "a sequence that no key has does nothing" '14th of'
screen_keys -l $'\033[<0;10;10M\033[<0;10;10m\033[<0;10;10M\033[<0;10;10m'
screen_wait "a double click opens the fields" '^ fields|offset'
screen_keys Escape
mouse_is() { [ "$(server display-message -p -t 0 '#{mouse_any_flag}#{mouse_button_flag}#{mouse_sgr_flag}')" = "$1" ]; }
mouse_wait() { if poll mouse_is "$2"; then ok "$1"; else not_ok "$1" "not $2"; fi; }
mouse_wait "drags are reported, in decimal numbers" 111
screen_keys C-z
screen_await 'Stopped'
mouse_wait "... not while stopped" 000
screen_keys fg Enter
screen_await '[0-9]+(st|nd|rd|th) of 3,400'
mouse_wait "... again after it" 111
screen_keys 2
screen_await '\[2 Thr\]'
screen_keys -l $'\033[<0;40;8M\033[<32;50;8M\033[<0;50;8m'
screen_wait "a drag selects a range" 'selected '
screen_keys q q # the first clears the selection
screen_keys -l 'echo status=$?'
screen_keys Enter
screen_await '^status=0'
screen_start "$DEMO"
screen_await "$FIRST"
screen_keys M
screen_wait "M turns the mouse off" 'mouse off'
same_text "... in the terminal" 0 "$(server display-message -p -t 0 '#{mouse_any_flag}')"
screen_keys q
screen_await '^status=0'

# ---- the terminal's background ------------------------------------------------------------------

# line_background N: the backgrounds of line N
line_backgrounds() { colored_text | sed -n "$1p" | grep -oE '48;5;[0-9]+' | sort -u | xargs; }
cursor_is() { [ "$(line_backgrounds 3)" = "$1" ]; }
cursor_wait() { if poll cursor_is "$2"; then ok "$1"; else not_ok "$1" "got $(line_backgrounds 3)"; fi; }
for background in '#fdf6e3 48;5;253' '#1e1e2e 48;5;237'; do
    screen_open 80x24
    server set -g window-style "bg=${background% *}"
    screen_start "$DEMO"
    screen_await "$FIRST"
    cursor_wait "the cursor's line on ${background% *}, as the terminal reports it" "${background#* }"
    screen_keys q
    screen_await '^status=0'
done
screen_open 80x24
screen_record "$WORK/asked"
screen_start "$DEMO"
screen_await "$FIRST"
cursor_wait "no background while the terminal has not answered" ""
if grep -q $'\033\]11;?' "$WORK/asked"; then ok "the terminal was asked"; else not_ok "the terminal was asked" "no OSC 11"; fi
screen_keys -l $'\033]11;rgb:ffff/ffff/ffff\033\\'
cursor_wait "a late answer is used" "48;5;254"
screen_keys -l $'\033]11;rgb:0000/0000/0000\007\033]11;junk\007j'
screen_await '2nd of'
screen_keys k
cursor_wait "... and no key" "48;5;234"
screen_keys ':set background light' Enter
cursor_wait "the setting wins" "48;5;254"
screen_keys q
screen_await '^status=0'
for term in vt100 screen; do
    screen_open 80x24 TERM=$term
    : >"$WORK/asked"
    screen_record "$WORK/asked"
    screen_start "$DEMO"
    screen_await "$FIRST"
    cursor_wait "TERM=$term has no greys" ""
    case $term$(grep -c $'\033\]11;?' "$WORK/asked") in
    vt1000 | screen1) ok "TERM=$term is asked only if it ignores what it does not know" ;;
    *) not_ok "TERM=$term is asked only if it ignores what it does not know" "$(grep -c $'\033\]11;?' "$WORK/asked")" ;;
    esac
    screen_keys q
    screen_await '^status=0'
done

# ---- terminals ----------------------------------------------------------------------------------

for term in vt100 xterm linux screen xterm-256color; do
    screen_open 80x24 TERM=$term
    screen_start --keys "':50%<Enter><Enter><Tab>'" "$DEMO"
    screen_await '1,610th of'
    screen_same "TERM=$term" "$WORK/detail"
    screen_keys q q
    screen_await '^status=0'
done

screen_open 80x24
for term in no-such-terminal dumb ''; do
    screen_keys -l "clear; TERM=$term $HERE/$TRACETUI $DEMO; echo \"'$term' status=\$?\""
    screen_keys Enter
    screen_wait "TERM='$term' is refused" "^'$term' status=2"
    screen_wait "... saying what to set" '^tracetui: TERM'
done

# ---- text with terminal sequences -----------------------------------------------------------------

hostile=../shared/captures/fxt/nonutf8.fxt
if [ -f $hostile ]; then
    screen_start "$HERE/$hostile"
    screen_wait "bytes that are no text are escaped" 'bind\\xff…/t\\xff n\\xfe'
    screen_keys q
    screen_await '^status='
else
    skip "bytes that are no text are escaped" "$hostile is not there"
fi
cp samples/demo.kev "$WORK/$(printf 'a\033]0;x\007b').kev"
screen_start "$WORK/a*.kev"
screen_wait "a name of a file is escaped" '^ a\\e\]0;x\\x07b\.kev'
screen_keys q
screen_await '^status=0'
