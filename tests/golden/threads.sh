# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The threads of dump: enough events for several threads, the same lines as with one.
. tests/lib/case.sh

exits "a capture of 60000 events" 0 "$TTSIM" --events 60000 -o "$WORK/large.kev"
exits "dump with its threads" 0 "$TRACETUI" dump "$WORK/large.kev"
cp "$WORK/out" "$WORK/whole"
same_text "all lines" 60000 "$(wc -l <"$WORK/whole")"
# One thread writes parts of this size.
for from in $(seq 0 6000 54000); do
    "$TRACETUI" dump --from "#$from" --to "#$((from + 6000))" "$WORK/large.kev"
done >"$WORK/parts"
same "as one thread makes them" "$WORK/whole" "$WORK/parts"
"$TRACETUI" dump --format jsonl "$WORK/large.kev" 2>"$WORK/err" | head -n 5 >"$WORK/few"
same_text "a closed pipe ends all threads" "0 5" "${PIPESTATUS[0]} $(wc -l <"$WORK/few")"
nothing "and says nothing" "$WORK/err"

# ---- the time in which a process runs
"$TRACETUI" render threads --no-config --no-cache --keys ":write! $WORK/intervals.csv<Enter>" samples/demo.kev >"$WORK/out"
same_text "running_any is the union of the lanes" "8 processes" \
    "$(python3 tests/golden/running_any.py "$TRACETUI" samples/demo.kev "$WORK/intervals.csv")"
