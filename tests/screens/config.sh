# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The configuration: the user's file, another, none; errors; output of --dump-config; scripts.
. tests/lib/case.sh
. tests/lib/screen.sh

DEMO=$HERE/samples/demo.kev
OWN=$WORK/config/tracetui
mkdir -p "$OWN/themes"

# ---- without a terminal --------------------------------------------------------------------------

exits "--dump-config" 0 "$TRACETUI" --dump-config
cp "$WORK/out" "$WORK/dumped"
grep -v '^#' "$WORK/dumped" | grep -q '^move.down = j <Down>' && ok "... has keys" || not_ok "... has keys" ""
sed -n '/^```ini$/,/^```$/p' docs/config.md | sed '1d;$d' >"$WORK/documented"
same "... and is what docs/config.md shows" "$WORK/documented" "$WORK/dumped"
run "$TRACETUI" render events samples/demo.kev
cp "$WORK/out" "$WORK/plain"
exits "what is dumped is a configuration" 0 "$TRACETUI" render events --config "$WORK/dumped" samples/demo.kev
same "... that changes nothing" "$WORK/plain" "$WORK/out"
printf '[settings]\ntime = ticks\n' >"$OWN/config"
run "$TRACETUI" render events samples/demo.kev
same "render takes no file unless it is named" "$WORK/plain" "$WORK/out"
run "$TRACETUI" render events --config "$OWN/config" samples/demo.kev
says "... and then it does" '^ *ticks ' "$WORK/out"
printf '[settings]\ntime = never\n' >"$WORK/bad"
exits "a bad file that was named" 2 "$TRACETUI" render events --config "$WORK/bad" samples/demo.kev
says "... is reported with its line and the expected values" 'bad:2: time: "never" is not one of: relative' "$WORK/err"
one_line "... in one line" "$WORK/err"
exits "a file that is not there" 2 "$TRACETUI" render events --config "$WORK/nowhere" samples/demo.kev

printf '# two lines\n:goto 100\nj\n:mark a\n' >"$WORK/script"
exits "a script" 0 "$TRACETUI" render events --script "$WORK/script" --keys j samples/demo.kev
says "... is played before the keys" '103rd of' "$WORK/out"
printf 'j\n<Nope>\n' >"$WORK/script"
exits "a script with a mistake" 2 "$TRACETUI" render events --script "$WORK/script" samples/demo.kev
says "... tells its line" 'script:2: expected :COMMAND' "$WORK/err"

# ---- on a terminal -------------------------------------------------------------------------------

cat >"$OWN/config" <<'END'
[settings]
view = events
time = ticks
columns = time event
[keys]
move.down = e <Down>
quit = Q
END
screen_open 80x24
screen_start --no-session "$DEMO"
screen_wait "one's own file holds" '^ *ticks +event *$'
screen_keys e e j
screen_wait "a key does what the file says, and not what it did" '3rd of'
screen_keys '?'
screen_wait "the help shows the keys there are" '^ +e Down +one line down'
server resize-window -t 0 -x 100 -y 30
screen_wait "... after a resize too" '^ +e Down +one line down'
server resize-window -t 0 -x 80 -y 24
screen_keys Q Q
screen_wait "quit has another key" '^status=0'

screen_start --no-session --no-config "$DEMO"
screen_await ' of [0-9,]+ (events|match(es)?) *$'
screen_keys 1
screen_wait "--no-config" '^ time s'
screen_keys q
screen_await '^status=0'

printf '[keys]\nfly = x\nhelp = h\n' >"$OWN/config"
screen_start --no-session "$DEMO"
screen_wait "a mistake is said and the program starts" 'config:2: "fly" is not an action'
screen_keys h
screen_wait "... with what is good" 'Moving'
screen_keys q q
screen_await '^status=0'

printf 'name = own\ntitle = red default\nglyph.cursor = "@" "@"\n' >"$OWN/themes/own.theme"
printf '[settings]\nview = events\n' >"$OWN/config"
screen_start --no-session "$DEMO"
screen_await ' of [0-9,]+ (events|match(es)?) *$'
screen_keys -l ':theme ow'
screen_keys Tab Enter
screen_wait "one's own theme, by completion, at once" '^@0\.000'
printf 'name = own\ntitle = reddish default\n' >"$OWN/themes/own.theme"
screen_keys -l ':theme own'
screen_keys Enter
screen_wait "a mistake in it has file, line and column" 'own.theme:2:9: not a colour'
screen_wait "... and the theme before stays" '^@0\.000'
screen_keys q
screen_await '^status=0'
