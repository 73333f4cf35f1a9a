# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Screens printed without a terminal: sizes, character sets, keys.
. tests/lib/case.sh
. tests/lib/rendered.sh

DEMO=samples/demo.kev

PLACE=':50%<Enter>'
run "$TRACETUI" render events --ascii --keys "$PLACE<Enter><Tab>" $DEMO
mv "$WORK/out" "$WORK/ascii"
LC_ALL=C run "$TRACETUI" render events --keys "$PLACE<Enter><Tab>" $DEMO
same "a locale without UTF-8 gets ASCII" "$WORK/ascii" "$WORK/out"
for size in 40x10 80x24 120x40 200x60 1x1 300x100; do sized "Events" $size events kev "$PLACE<Enter>"; done

run "$TRACETUI" render events --size 39x24 $DEMO
says "a small terminal is reported" 'too small' "$WORK/out"
exits "a view that there is none" 2 "$TRACETUI" render nonsense $DEMO
one_line "... is one line" "$WORK/err"

# ---- keys ------------------------------------------------------------------------------------

# to NAME EXPECTED KEYS: after these keys the cursor's event has this number
to() { at "$1" 80x24 events kev "$3" " $(ordinal $(($2 + 1))) of "; }
ordinal() {
    local end=th
    case $1 in
    *1[123]) ;;
    *1) end=st ;;
    *2) end=nd ;;
    *3) end=rd ;;
    esac
    echo "$(grouped "$1")$end"
}
grouped() { sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta' <<<"$1"; }

to "down and up" 2 'jjj<Down>k<Up>'
to "a page down is all lines but one" 20 '<PgDn>'
to "a page down and up" 0 '<PgDn><PgUp>'
to "half a page" 20 '<C-d><C-d>'
to "end and home" 0 'G<Home>'
to "the end" 3399 '<End>'
to "the end stays the end" 3399 'Gjjj<PgDn>'
to "to an event" 1234 ':1234<Enter>'
to "to an event with its sign" 1234 ':#1234<Enter>'
to "beyond the last event" 3399 ':99999<Enter>'
to "to 0 %" 0 'G:0%<Enter>'
to "to 100 %" 3399 ':100%<Enter>'
to "a prompt that is left does nothing" 0 ':77<Esc>'
to "history" 77 ':77<Enter>g:<Up><Enter>'
to "a bad place does nothing" 5 ':5<Enter>:nonsense 7<Enter>'
to "an action by its name" 3399 ':move.last<Enter>'
to "a mark and back" 9 ":9<Enter>maG'a"
to "back to where one was" 9 ":9<Enter>:2000<Enter>''"
to "no such mark" 9 ":9<Enter>'z"
to "Tab and back" 0 '<Tab><Tab>'

# The next and previous event of this thread, CPU and type are those of the printed list.
exits "the list to compare with" 0 "$TRACETUI" dump --format csv $DEMO
cp "$WORK/out" "$WORK/list.csv"
column() { head -n 1 "$WORK/list.csv" | tr , '\n' | grep -nx "$1" | cut -d: -f1; }
# next_like COLUMNS FROM: prints the number of the first event after FROM with equal values in these columns
next_like() {
    awk -F, -v columns="$1" -v from="$2" 'BEGIN { n = split(columns, c, " ") }
        NR == from + 2 { for (i = 1; i <= n; i++) want[i] = $c[i]; next }
        NR > from + 2 { like = 1; for (i = 1; i <= n; i++) if ($c[i] != want[i]) like = 0
            if (like) { print NR - 2; exit } }' "$WORK/list.csv"
}
thread=$(next_like "$(column pid) $(column tid)" 1000)
cpu=$(next_like "$(column cpu)" 1000)
type=$(next_like "$(column class) $(column event)" 1000)
to "next event of this thread" "$thread" ':1000<Enter>J'
to "next event of this CPU" "$cpu" ':1000<Enter>L'
to "next event of this type" "$type" ':1000<Enter>}'
to "previous event of this thread" 1000 ":$thread<Enter>K"
to "previous event of this CPU" 1000 ":$cpu<Enter>H"
to "previous event of this type" 1000 ":$type<Enter>{"
screens_draw
run "$TRACETUI" render events --keys '<Enter>qq' $DEMO
says "q closes the pane, then quits" ' 1st of ' "$WORK/out"

# A loss is shown at its place, and Info leads there.
needs "$TTSIM"
"$TTSIM" -o "$WORK/lost.kev" --events 20000 --lose 5
run "$TRACETUI" render info --keys 'G{kkkk<Enter>j' "$WORK/lost.kev"
says "a loss in Info leads to Events" '\[1 Ev\]' "$WORK/out"
says "... to its place" '^!.* BUFFER ' "$WORK/out"
says "... and on the status line" 'health [0-9]+' "$WORK/out"

# A count leads to the next event of its type.
run "$TRACETUI" render info --keys 'G{{jj<Enter>' $DEMO
says "a count leads to Events" '\[1 Ev\]' "$WORK/out"
