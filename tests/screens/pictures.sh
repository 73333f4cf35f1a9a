# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Pictures: `render --format svg` and `html` have the cells and the colours of the screen, for every view and
# every pane, and `:write FILE.svg` and `:picture FILE.html` write the same.
. tests/lib/case.sh

# NAME|VIEW|KEYS of every view and pane; the kinds of plots and the tables are screens of their own.
screens='events|events|
fields|events|20j<Enter><Tab>
columns|events|c
marks|events|ma10jmb"
filters|events|:filter cpu = 0<Enter>e
notices|events|:say hello<Enter>!
help|events|?
threads|threads|
selection|threads|vlllll
why|threads|jjb
misses|threads|:deadline sensor/1=150us<Enter>:deadline<Enter>j
measure|threads|:measure event = MSG_SENDV and kind = enter -> event = MSG_SENDV and kind = exit --same thread<Enter>
check|threads|:check samples/checks/qnx.check<Enter>
diff|threads|:diff samples/wide4.kev<Enter>
align|threads|:diff samples/wide4.kev<Enter>:align THRUNNING<Enter>
sql|events|:sql select the_title_has_no_time<Enter>
history|threads|:goto 10ms<Enter>:goto 20ms<Enter>:history<Enter>
calls|threads|:calls<Enter>
results|threads|:measure event = THRUNNING -> event = THREADY --same thread<Enter><Esc>:results<Enter>
cpus|cpus|
summary|summary|
processes|summary|:stats process<Enter>
jobs|summary|:stats jobs<Enter>
histogram|summary|:plot delay_max of logger/1<Enter>
times|summary|:plot times response_max of sensor/1<Enter>z
load|summary|:plot load process<Enter>
info|info|
messages|messages|
client|messages|:stats matrix<Enter>
single|messages|:stats single<Enter>
snapshot|snapshot|'

# pictures SIZE THEME: draws all screens as ANSI, SVG and HTML, compares them
pictures() {
    local size=$1 theme=$2 name view keys kind file background=dark
    [ "$theme" != light ] || background=light
    : >"$WORK/list"
    echo ":size $size" >"$WORK/script"
    while IFS='|' read -r name view keys; do
        file=$WORK/$name-$size-$theme
        printf ':size %s\n:view.%s\n<F12>%s\n' "$size" "$view" "$keys" >>"$WORK/script"
        for kind in ansi svg html; do echo ":picture $file.$kind" >>"$WORK/script"; done
        echo ':restart' >>"$WORK/script"
        printf '%s %s %s\n' $background "$file.ansi" "$file.svg" $background "$file.ansi" "$file.html" >>"$WORK/list"
    done <<<"$screens"
    exits "$size, $theme: a script draws them" 0 "$TRACETUI" render events --script "$WORK/script" --theme "$theme" \
        --color always --no-cache samples/demo.kev
    python3 tests/screens/picture_cells.py <"$WORK/list" >"$WORK/found" 2>&1
    same_text "pictures of $(wc -l <<<"$screens") screens at $size, $theme" "" "$(grep -v ': [1-9][0-9]* cells in [1-9]' "$WORK/found")"
    same_text "... all of them" "$(wc -l <"$WORK/list")" "$(wc -l <"$WORK/found")"
}

pictures 80x24 default
pictures 120x40 light

# The screens differ: the keys above lead to a view or a pane.
same_text "each screen is another one" "" "$(md5sum "$WORK"/*-80x24-default.ansi | sort | uniq -w 32 -D)"
# The list has all views and panes of the program.
panes=$(sed -n 's/^    X([A-Z]*, \([a-z]*\), TT_DO_.*/\1/p; s/^    X([A-Z]*, \([a-z]*\), "[1-9]".*/\1/p' src/tui/input/view_list.h)
same_text "views and panes are found" 1 "$(($(wc -l <<<"$panes") >= 16))"
same_text "views and panes without a picture" "" "$(comm -23 <(sort <<<"$panes") <(cut -d '|' -f 1 <<<"$screens" | sort))"

"$TRACETUI" render threads samples/demo.fxt --format ansi --theme light >"$WORK/light"
"$TRACETUI" render threads samples/demo.fxt --format ansi --color always --theme light >"$WORK/same"
same "--format ansi is --color always" "$WORK/light" "$WORK/same"
"$TRACETUI" render threads samples/demo.fxt --format text >"$WORK/text"
"$TRACETUI" render threads samples/demo.fxt >"$WORK/plain"
same "--format text is the default" "$WORK/plain" "$WORK/text"

# ---- :write, :picture
for command in 'write svg' 'picture html'; do
    kind=${command#* }
    "$TRACETUI" render threads samples/demo.kev --no-cache --size 90x20 --format "$kind" >"$WORK/expected.$kind"
    "$TRACETUI" render threads samples/demo.kev --no-cache --size 90x20 --format "$kind" \
        --keys ":${command% *} $WORK/written.$kind<Enter>" >/dev/null
    same ":${command% *} FILE.$kind" "$WORK/expected.$kind" "$WORK/written.$kind"
done
# A pane writes the whole screen with it.
"$TRACETUI" render threads samples/demo.kev --no-cache --format ansi --keys "jjbw<C-u>write $WORK/why.svg<Enter>" >/dev/null
echo "dark $WORK/why-80x24-default.ansi $WORK/why.svg" >"$WORK/list"
same_text ":write FILE.svg with a pane" 1 "$(python3 tests/screens/picture_cells.py <"$WORK/list" | grep -c ' cells in ')"

# The comparison sees another character, another colour, and markup that is not well-formed.
good=$WORK/threads-80x24-default
differs() {
    echo "dark $good.ansi $2" >"$WORK/list"
    same_text "$1 is seen" 1 "$(python3 tests/screens/picture_cells.py <"$WORK/list" | grep -c 'DIFFERENT .*'"$3")"
}
sed 's/demo/dmeo/' "$good.svg" >"$WORK/bad.svg"
differs "another character" "$WORK/bad.svg" 'on the screen'
awk '/<text.*fill=/ && !done { sub(/fill="#......"/, "fill=\"#123456\""); done = 1 } 1' "$good.svg" >"$WORK/bad.svg"
differs "another colour" "$WORK/bad.svg" 123456
sed 's/<span style="color:#....../<span style="color:#123456/' "$good.html" >"$WORK/bad.html"
differs "another colour of a page" "$WORK/bad.html" 123456
sed 's/demo/<demo/' "$good.svg" >"$WORK/bad.svg"
differs "a wrong tag" "$WORK/bad.svg" 'not well-formed'
sed 's@</pre>@@' "$good.html" >"$WORK/bad.html"
differs "a missing tag" "$WORK/bad.html" 'closes nothing'
