# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Screens printed without a terminal: sizes, character sets, keys.
. tests/lib/case.sh
. tests/lib/rendered.sh

DEMO=samples/demo.kev

PLACE=':50%<Enter>'
rendered "events at 80x24" events-80x24.txt events $DEMO
rendered "events with the pane, 80x24" detail-80x24.txt events --keys "$PLACE<Enter><Tab>" $DEMO
rendered "events with the pane, 120x40" detail-120x40.txt events --size 120x40 --keys "$PLACE<Enter><Tab>" $DEMO
rendered "events with the pane, 200x60" detail-200x60.txt events --size 200x60 --keys "$PLACE<Enter>" $DEMO
rendered "events with the pane, 40x10" detail-40x10.txt events --size 40x10 --keys "$PLACE<Enter>" $DEMO
rendered "events at 60x15" events-60x15.txt events --size 60x15 --keys "$PLACE" $DEMO
rendered "info at 80x24" info-80x24.txt info $DEMO
rendered "info, health and counts" info-120x40.txt info --size 120x40 --keys 'G' $DEMO
rendered "counts by name" info-by-name.txt info --keys 'o}}}}}' $DEMO
rendered "help" help-80x24.txt events --keys '?' $DEMO
rendered "the list of columns" columns-80x24.txt events --keys 'cjj<Space>' $DEMO
rendered "a prompt with an error" prompt-80x24.txt events --keys ':12x' $DEMO
rendered "two marks" marks-80x24.txt events --keys 'jmajjjmbg' $DEMO
rendered "ASCII by option" ascii-80x24.txt events --ascii --keys "$PLACE<Enter><Tab>" $DEMO
rendered "absolute times" absolute-80x24.txt events --keys 't' $DEMO
rendered "times since the event before" delta-80x24.txt events --keys 'tt' $DEMO
rendered "ticks" ticks-80x24.txt events --keys 'ttt' $DEMO

LC_ALL=C run "$TRACETUI" render events --keys "$PLACE<Enter><Tab>" $DEMO
same "a locale without UTF-8 gets ASCII" $EXPECTED/ascii-80x24.txt "$WORK/out"

# Each size: that many lines, none wider.
for size in 40x10 80x24 120x40 200x60 1x1 300x100; do
    run "$TRACETUI" render events --size $size --keys "$PLACE<Enter>" $DEMO
    widest=$(wc -L <"$WORK/out")
    lines=$(wc -l <"$WORK/out")
    if [ "$lines" -eq "${size#*x}" ] && [ "$widest" -le "${size%x*}" ]; then
        ok "$size is kept"
    else
        not_ok "$size is kept" "$lines lines, the widest has $widest columns"
    fi
done

run "$TRACETUI" render events --size 39x24 $DEMO
says "a small terminal is reported" 'too small' "$WORK/out"
exits "a view that there is none" 2 "$TRACETUI" render nonsense $DEMO
one_line "... is one line" "$WORK/err"

# ---- keys ------------------------------------------------------------------------------------

# at NAME EXPECTED KEYS: after these keys the cursor's event has this number
at() {
    run "$TRACETUI" render events --keys "$3" $DEMO
    local number
    number=$(sed -n 's/.*event \([0-9,]*\) of .*/\1/p' "$WORK/out" | tr -d ,)
    same_text "$1" "$2" "$number"
}

at "down and up" 2 'jjj<Down>k<Up>'
at "a page down is all lines but one" 19 '<PgDn>'
at "a page down and up" 0 '<PgDn><PgUp>'
at "half a page" 20 '<C-d><C-d>'
at "end and home" 0 'G<Home>'
at "the end" 3399 '<End>'
at "the end stays the end" 3399 'Gjjj<PgDn>'
at "to an event" 1234 ':1234<Enter>'
at "to an event with its sign" 1234 ':#1234<Enter>'
at "beyond the last event" 3399 ':99999<Enter>'
at "to 0 %" 0 'G:0%<Enter>'
at "to 100 %" 3399 ':100%<Enter>'
at "a prompt that is left does nothing" 0 ':77<Esc>'
at "history" 77 ':77<Enter>g:<Up><Enter>'
at "a bad place does nothing" 5 ':5<Enter>:nonsense 7<Enter>'
at "an action by its name" 3399 ':move.last<Enter>'
at "a mark and back" 9 ":9<Enter>maG'a"
at "back to where one was" 9 ":9<Enter>:2000<Enter>''"
at "no such mark" 9 ":9<Enter>'z"
at "q closes the pane, then quits" 0 '<Enter>qq'
at "Tab and back" 0 '<Tab><Tab>'

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
at "next event of this thread" "$thread" ':1000<Enter>J'
at "next event of this CPU" "$cpu" ':1000<Enter>L'
at "next event of this type" "$type" ':1000<Enter>}'
at "previous event of this thread" 1000 ":$thread<Enter>K"
at "previous event of this CPU" 1000 ":$cpu<Enter>H"
at "previous event of this type" 1000 ":$type<Enter>{"

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
