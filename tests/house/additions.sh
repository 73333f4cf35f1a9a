# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# docs/architecture.md and docs/first-day.md: the files and functions that they name exist, and the recipes for a new
# format, event, number, table, column, view, pane, theme, kind of rule and setting work: WHOLE=1 builds them in a copy
# of the tree.
. tests/lib/case.sh
PAGE=docs/first-day.md

# ---- the files of the page
sed -n '/^## Files by subject/,$p' docs/architecture.md | grep -E '^\| .*`' >"$WORK/rows"
rows=$(wc -l <"$WORK/rows")
same_text "the table of places has 10 to 15 rows" 1 "$((rows >= 10 && rows <= 15))"
wrong=$(while IFS='|' read -r _ what files word _; do
    word=$(sed -E 's/^ *`(.*)` *$/\1/' <<<"$word")
    for file in $(grep -oE '`[^`]+`' <<<"$files" | tr -d '`'); do
        grep -qF -- "$word" "$file" 2>/dev/null || echo "$what: no '$word' in $file;"
    done
done <"$WORK/rows")
same_text "everything is where the table says" "" "$wrong"
# Every source that the page names exists.
missing=$(grep -ohE '`(src|include|tests|docs|themes|samples)/[A-Za-z0-9_./-]+`' "$PAGE" docs/architecture.md | tr -d '`' | grep -v NAME | sort -u |
    while read -r path; do
        [ -e "$path" ] || compgen -G "$path*" >/dev/null || echo "$path"
    done)
same_text "every file that the pages name is there" "" "$missing"
same_text "docs/architecture.md has at most 350 lines" 1 "$(($(wc -l <docs/architecture.md) <= 350))"
# The functions to stop at are where the page says.
elsewhere=$(grep -E '^\| `tt_' "$PAGE" | tr -d '`| ' | sed -E 's/^(tt_[a-z_]*)(src[^ ]*\.c).*/\1 \2/' |
    while read -r function file; do grep -qE "^[a-z].*[ *]$function\(" "$file" || echo "$function is not in $file"; done)
same_text "five functions to stop at" 5 "$(grep -cE '^\| `tt_' "$PAGE")"
same_text "... are where the page says" "" "$elsewhere"

# ---- the fifth format, as it is built with the tests
EXAMPLE=$BUILD/tests/example/tracetui
needs "$EXAMPLE"
u16() { printf '%b' "$(printf '\\x%02x\\x%02x' $(($1 & 255)) $(($1 >> 8 & 255)))"; }
u32() { u16 $(($1 & 65535)); u16 $(($1 >> 16)); }
u64() { u32 "$1"; u32 0; }
record() { u64 "$1"; u16 $(($2 | $3 << 8)); u16 "$4"; u32 "$5"; } # ticks code cpu thread value
{
    printf 'PULSE 1\n'
    u64 1000000
    u64 1
    record 1000 0 0 1 0
    record 1500 3 0 1 42
    record 2000 1 0 1 7
    record 2000 0 0 2 0
    record 2600 2 0 1 0
    record 3000 1 0 2 9
    record 3000 0 0 1 0
    record 3500 4 1 3 72
} >"$WORK/beat.pulse"
exits "a fifth format: dump" 0 "$EXAMPLE" dump "$WORK/beat.pulse"
says "a fifth format: its events" '0\.000500000 +0 +1/1 +USER +MARK +value=42' "$WORK/out"
exits "a fifth format: stats" 0 "$EXAMPLE" stats --format csv "$WORK/beat.pulse"
run "$EXAMPLE" stats --format jsonl "$WORK/beat.pulse"
says "a fifth format: run time" '"thread":"1/1".*"run_ns":1500000' "$WORK/out"
says "a fifth format: sch delay" '"thread":"1/1".*"delay_max_ns":400000' "$WORK/out"
exits "a fifth format: info" 0 "$EXAMPLE" info "$WORK/beat.pulse"
says "a fifth format: health" 'unknown_event +1 ' "$WORK/out"
exits "a fifth format: filter" 0 "$EXAMPLE" dump --filter 'arg.value > 40 and state = RUNNING' "$WORK/beat.pulse"
one_line "a fifth format: one event passes" "$WORK/out"
exits "a fifth format: lanes" 0 "$EXAMPLE" render threads --ascii --size 60x10 "$WORK/beat.pulse"
says "a fifth format: a lane, with a tick for what the program marked" '1 +60 #+[*]#+w+=+#+' "$WORK/out"
head -c 100 "$WORK/beat.pulse" >"$WORK/cut.pulse"
exits "a fifth format: cut short is damage" 1 "$EXAMPLE" info "$WORK/cut.pulse"
# Two CPUs, each a stream, and event types whose names are in the file; large enough for an index cache.
python3 - "$WORK/two.pulse" <<'PYTHON'
import struct, sys
def record(ticks, code, cpu, thread, value):
    return struct.pack("<QBBHI", ticks, code, cpu, thread, value)
def definition(code, text):
    return record(0, 255, 0, len(text), code) + text.encode().ljust((len(text) + 15) // 16 * 16, b"\0")
with open(sys.argv[1], "wb") as out:
    out.write(b"PULSE 1\n" + struct.pack("<QII", 1000000, 2, 0) + definition(9, "SENSOR TILT degrees"))
    for block in range(300):
        if block == 150:
            out.write(definition(10, "SENSOR WIND knots"))
        for cpu in range(2):  # CPU 1 is written after the events of CPU 0 at the same times
            for i in range(1000):
                ticks = 1 + block * 2000 + 2 * i + cpu
                out.write(record(ticks, 10 if block >= 150 and cpu else 9, cpu, 1 + cpu, block))
PYTHON
sleep 0.2 # a file that has just been written is not cached
two() { XDG_CACHE_HOME=$WORK/cache "$EXAMPLE" "$@"; }
two dump "$WORK/two.pulse" >"$WORK/first"
same_text "a fifth format: two streams are in order of time" "600000 1" \
    "$(awk '{ bad += $1 < last; last = $1 } END { print NR, bad == 0 }' "$WORK/first")"
same_text "a fifth format: arguments named in the file" "degrees=149 degrees=149 degrees=150 knots=150" \
    "$(sed -n '299999,300002p' "$WORK/first" | awk '{ print $NF }' | xargs)"
two info "$WORK/two.pulse" >"$WORK/info" # dump of a whole capture writes no index cache
same_text "a fifth format: its index is cached" 1 \
    "$(two render info --size 120x50 "$WORK/two.pulse" | grep -c ', from the index cache')"
two dump "$WORK/two.pulse" >"$WORK/again"
same "a fifth format: ... and gives the same events" "$WORK/first" "$WORK/again"
two dump --follow --timeout 1s "$WORK/two.pulse" >"$WORK/followed"
same "a fifth format: followed" "$WORK/first" "$WORK/followed"
two dump --merge "$WORK/two.pulse" "$WORK/beat.pulse" >"$WORK/merged"
same_text "a fifth format: merged with another capture" "600008 1" \
    "$(awk 'END { print NR }' "$WORK/merged") $(grep -c 'MARK .* value=42$' "$WORK/merged")"
exits "a fifth format: a filter on an argument named in the file" 0 \
    "$EXAMPLE" dump --filter 'arg.knots = 299 and cpu = 1' "$WORK/two.pulse"
same_text "... finds its events" 1000 "$(wc -l <"$WORK/out")"
same_text "the program itself does not know it" 2 "$("$TRACETUI" info "$WORK/beat.pulse" >/dev/null 2>&1; echo $?)"

# ---- the recipes of the page
tree=$WORK/tree
mkdir -p "$tree/build" "$tree/tests"
cp -a Makefile src include themes samples docs "$tree/"
cp -a tests/example "$tree/tests/"
# Uses the objects of the release build: only changed files are compiled.
built=build/release
[ -f "$built/libtracetui.a" ] || built=$BUILD
variant=$(basename "$built")
fast=
[ "$variant" != release ] || fast=FLAGS=-O0

# A line with + goes below the first line that begins like the one before it; +++ is a new file.
awk '/^```diff$/ { on = 1; next } /^```$/ { on = 0 } on' "$PAGE" | awk -v tree="$tree" '
    function finish(   i, n, line, anchor) {
        if (file == "") return
        for (i = 1; i <= edits; i++) used[i] = 0
        while ((getline line < (tree "/" file)) > 0) {
            out = out line "\n"
            for (i = 1; i <= edits; i++)
                if (!used[i] && index(line, below[i]) == 1) { out = out added[i]; used[i] = 1; break }
        }
        close(tree "/" file)
        for (i = 1; i <= edits; i++)
            if (!used[i]) print "no line of " file " begins with: " below[i]
        printf "%s", out > (tree "/" file)
        close(tree "/" file)
        file = ""; out = ""; edits = 0
        delete below; delete added
    }
    /^\+\+\+ / { finish(); fresh = $2; printf "" > (tree "/" fresh); next }
    /^--- / { finish(); if (fresh != "") close(tree "/" fresh); fresh = ""; file = $2; next }
    /^\+/ { if (fresh != "") print substr($0, 2) > (tree "/" fresh); else added[edits] = added[edits] substr($0, 2) "\n"; next }
    { edits++; below[edits] = substr($0, 2) }
    END { finish() }' >"$WORK/unfit"
nothing "each addition finds its place" "$WORK/unfit"
# A view is one file and one line.
places=$(awk '/^### / { on = $0 ~ /a view$/ } on && /^\+\+\+ / { new++; edits = 0; next } on && /^--- / { edited++; edits = 1; next }
    on && edits && /^\+/ { lines++ } END { print new + 0, edited + 0, lines + 0 }' "$PAGE")
same_text "a view is one new file and one line of another" "1 1 1" "$places"
# The format of the page is the directory in tests/example.
cp -a tests/example/pulse "$tree/src/format/pulse"
cp "$tree/tests/example/pulse/pulse.c" "$tree/src/format/pulse/pulse.c"
[ -n "${WHOLE:-}" ] || exit 0
cp -a "$built" "$tree/build/$variant"
run env -u MAKEFLAGS -u MAKELEVEL make -s -C "$tree" --no-print-directory -j2 VARIANT="$variant" ${fast:+"$fast"} "build/$variant/tracetui"
same_text "all additions build: $(head -n 3 "$WORK/err")" "0" "$code"
nothing "... without a warning" "$WORK/err"
NEW=$tree/build/$variant/tracetui
run "$NEW" dump "$WORK/beat.pulse"
says "the new event has its name and argument" '1/3 +USER +BEAT +rate=72' "$WORK/out"
run "$NEW" stats --format csv samples/demo.kev
says "the new number is a column" '(^|,)ready_pct,' "$WORK/out"
run "$NEW" stats samples/demo.kev
says "... with its heading" ' ready% ' "$WORK/out"
run "$NEW" render summary --size 400x12 samples/demo.kev
says "... and a column of Summary" ' ready% ' "$WORK/out"
run "$NEW" render events --size 100x10 samples/demo.kev
says "the new column is shown" 'kind +event' "$WORK/out"
says "... with what it says" ' (enter|exit|state|control|lifetime) ' "$WORK/out"
run "$NEW" render hello samples/demo.kev
says "the new view is drawn" '[0-9]+ threads say hello' "$WORK/out"
run "$NEW" render events --keys 9 samples/demo.kev
says "... and has its key" '[0-9]+ threads say hello' "$WORK/out"
run "$NEW" render events --theme paper samples/demo.kev
says "the new theme draws its glyph" '^>' "$WORK/out"
run "$NEW" stats --by rest samples/demo.kev
says "the new table has its rows" '^ *0 +[0-9.]+' "$WORK/out"
run "$NEW" sql --format csv 'select count(*) from stats_rest' samples/demo.kev
says "... in SQL" '^[1-9]' "$WORK/out"
run "$NEW" render events --keys '<F9>' samples/demo.kev
says "the new pane is shown by its key" 'good morning' "$WORK/out"
printf 'some {event = THRUNNING}\n' >"$WORK/some.check"
run "$NEW" check "$WORK/some.check" samples/demo.kev
same_text "a rule of the new kind passes" 0 "$code"
printf 'some {event = GONE}\n' >"$WORK/some.check"
run "$NEW" check "$WORK/some.check" "$WORK/beat.pulse"
same_text "... and fails where there is no such event" 3 "$code"
run "$NEW" render events --keys ':set quiet on<Enter>:set<Space>quiet<Enter>' samples/demo.kev
says "the new setting can be set" 'quiet' "$WORK/out"
