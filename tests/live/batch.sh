# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# dump -f and stats -f, --until and --timeout, and what they say when the file changes.
. tests/lib/case.sh

whole=$WORK/whole.kev
"$TTSIM" -o "$whole" --events 8000 --seed 2 2>/dev/null
"$TRACETUI" dump "$whole" >"$WORK/whole.txt"
half=$(($(wc -c <"$whole") / 2))

# grows FILE: the capture, half of it now and half a little later
grows() {
    head -c "$half" "$whole" >"$1"
    sleep 0.3
    tail -c +$((half + 1)) "$whole" >>"$1"
}

grows "$WORK/grow.kev" &
exits "dump -f stops when its time is over" 0 "$TRACETUI" dump -f --timeout 6s "$WORK/grow.kev"
wait
same "and its lines are those of the finished file" "$WORK/whole.txt" "$WORK/out"

(head -c "$half" "$whole"; sleep 0.3; tail -c +$((half + 1)) "$whole") |
    "$TRACETUI" dump -f - >"$WORK/out" 2>"$WORK/err"
same_text "a pipe ends: exit status" "0 0" "${PIPESTATUS[*]}"
same "a pipe ends: all lines" "$WORK/whole.txt" "$WORK/out"

(head -c $((half + 5)) "$whole") | "$TRACETUI" dump -f - >"$WORK/out" 2>"$WORK/err"
same_text "a pipe closed in mid-record: exit status" 1 "${PIPESTATUS[1]}"
says "and it says so" 'file ends inside a record' "$WORK/err"

last=$(tail -n 1 "$WORK/whole.txt")
(head -c "$half" "$whole"; sleep 0.3; tail -c +$((half + 1)) "$whole"; sleep 5) |
    "$TRACETUI" dump -f --until 'event = THCREATE and tid = 3' --timeout 20s - >"$WORK/out" 2>"$WORK/err"
same_text "--until: the event came" 0 "${PIPESTATUS[1]}"
says "and is the last line" 'THCREATE .*tid=3' <(tail -n 1 "$WORK/out")
if [ "$last" = "$(tail -n 1 "$WORK/out")" ]; then not_ok "nothing behind it" "$last"; else ok "nothing behind it"; fi

exits "--until: it did not come" 3 "$TRACETUI" dump -f --until 'pid = 999999' --timeout 1s "$whole"
exits "--until: there never was a file" 3 "$TRACETUI" dump -f --until 'pid = 1' --timeout 300ms "$WORK/none.kev"
exits "--until without -f" 2 "$TRACETUI" dump --until 'pid = 1' "$whole"
exits "-f with --style" 2 "$TRACETUI" dump -f --style traceprinter "$whole"

(head -c "$half" "$whole"; sleep 1.2; tail -c +$((half + 1)) "$whole") |
    "$TRACETUI" stats -f --interval 0.5 --by cpu --format jsonl - >"$WORK/out" 2>"$WORK/err"
same_text "stats -f ends with the pipe" 0 "${PIPESTATUS[1]}"
cpus=$("$TRACETUI" stats --by cpu --format jsonl "$whole" | wc -l)
"$TRACETUI" stats --by cpu --format jsonl "$whole" >"$WORK/expected"
tail -n "$cpus" "$WORK/out" >"$WORK/final"
same "its last numbers are those of the whole" "$WORK/expected" "$WORK/final"
times=$(($(wc -l <"$WORK/out") / cpus))
if [ "$times" -ge 3 ]; then ok "it printed several times"; else not_ok "it printed several times" "$times"; fi

# ---- change
"$TTSIM" -o "$WORK/other.kev" --events 2000 --seed 9 2>/dev/null
"$TRACETUI" dump "$WORK/other.kev" >"$WORK/other.txt"
(sleep 1; cp "$WORK/other.kev" "$WORK/new"; mv "$WORK/new" "$WORK/a.kev") &
cp "$whole" "$WORK/a.kev"
exits "the file is replaced: dump -f goes on" 0 "$TRACETUI" dump -f --timeout 5s "$WORK/a.kev"
wait
says "it says so" 'replaced by another: reloaded' "$WORK/err"
same "it prints one and then the other" <(cat "$WORK/whole.txt" "$WORK/other.txt") "$WORK/out"

cp "$whole" "$WORK/b.kev"
(sleep 1; cat "$WORK/other.kev" >"$WORK/b.kev") &
exits "written anew with --on-change keep" 0 "$TRACETUI" dump -f --on-change keep --timeout 6s "$WORK/b.kev"
wait
says "it says that it keeps" 'what was had is kept' "$WORK/err"
same "and prints what was had, nothing else" "$WORK/whole.txt" "$WORK/out"
