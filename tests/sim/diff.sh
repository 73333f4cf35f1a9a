# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# diff: equal runs do not differ; a thread with 20 % more work is found, and so is one that it
# delays (diff.py). DIFF_COUNT=200 is the long form of docs/diff.md.
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip "diff" "python3 is not installed"
    exit 0
fi

count=${DIFF_COUNT:-2}
for mode in equal load delay; do
    run python3 tests/sim/diff.py "$TRACETUI" "$TTSIM" "$WORK" "$mode" "$count"
    [ "$code" -eq 0 ] && ok "$mode: $(tail -n 1 "$WORK/out")" ||
        not_ok "$mode" "$(tail -n 5 "$WORK/out" "$WORK/err" | cut -c1-400)"
done

# One run in two formats, and ranges of different length: no row has changed.
"$TTSIM" --seed 7 --seconds 0.5 -o "$WORK/run.kev"
"$TTSIM" --seed 7 --seconds 0.5 --format fxt -o "$WORK/run.fxt"
"$TTSIM" --seed 8 --seconds 1.5 -o "$WORK/long.kev"
for table in thread process cpu total; do
    run "$TRACETUI" diff --by $table "$WORK/run.kev" "$WORK/run.fxt"
    says "two formats, by $table" '^0 of .* rows? changed.*; formats differ' "$WORK/out"
    run "$TRACETUI" diff --by $table "$WORK/run.kev" "$WORK/long.kev"
    says "ranges of different length, by $table" '^0 of .* rows? changed' "$WORK/out"
done

# A baseline can replace its capture.
"$TRACETUI" stats --save-baseline "$WORK/run.baseline" "$WORK/run.kev"
"$TTSIM" --seed 9 --seconds 0.5 --thread-load sensor/sample=130 -o "$WORK/more.kev"
run "$TRACETUI" diff --format csv "$WORK/run.kev" "$WORK/more.kev"
cp "$WORK/out" "$WORK/capture"
run "$TRACETUI" diff --format csv "$WORK/run.baseline" "$WORK/more.kev"
same "a baseline as A" "$WORK/capture" "$WORK/out"
exits "a condition that holds" 3 "$TRACETUI" diff "$WORK/run.baseline" "$WORK/more.kev" \
    --fail-if 'run of thread ~ /^sensor/ worse by 10%'
says "its worst row" '^tracetui: run of thread .*: sensor/1 sample: .* -> ' "$WORK/err"
exits "one that does not hold" 0 "$TRACETUI" diff "$WORK/run.baseline" "$WORK/more.kev" \
    --fail-if 'run of thread fusion worse by 10%'
exits "a value that is not printed" 0 "$TRACETUI" diff "$WORK/run.kev" "$WORK/more.kev" \
    --fail-if 'delay max of thread sensor/1 worse by 400%'
exits "no row" 2 "$TRACETUI" diff "$WORK/run.kev" "$WORK/more.kev" --fail-if 'run of thread nothing worse'
exits "a row of one side" 4 "$TRACETUI" diff "$WORK/run.kev" samples/fast1.kev --fail-if 'run of process lending worse'
exits "a value that the baseline does not have" 2 "$TRACETUI" diff "$WORK/run.baseline" "$WORK/more.kev" \
    --fail-if 'delay max of thread sensor/1 worse'
exits "a baseline alone" 2 "$TRACETUI" diff "$WORK/run.baseline"
exits "a range of a baseline" 2 "$TRACETUI" diff --from-a 1ms "$WORK/run.baseline" "$WORK/more.kev"
exits "options of stats" 2 "$TRACETUI" stats --save-baseline "$WORK/x" --cpu 0 "$WORK/run.kev"
exits "over the capture" 2 "$TRACETUI" stats --save-baseline "$WORK/run.kev" "$WORK/run.kev"
exits "two captures" 2 "$TRACETUI" stats --save-baseline "$WORK/x" "$WORK/run.kev" "$WORK/run.fxt"
