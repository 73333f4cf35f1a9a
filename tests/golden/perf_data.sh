# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# perf.data with tracepoints: the same events written as trace.dat and as perf.data give the same events, arguments and
# numbers; perf script prints as many. Files that are not read are refused with the reason.
. tests/lib/case.sh

# events FILE: its events, without what differs between files: processes are known in a perf.data alone
events() { "$TRACETUI" dump --format csv "$1" | cut -d, -f2-4,6,8-11 | sort; }
numbers() { "$TRACETUI" stats --by "$1" --format csv "$2" | cut -d, -f"$3" | sort; }

for scenario in mixed chatty irqstorm churn; do
    "$TTSIM" --format ftrace --ftrace-version 6 --scenario $scenario --events 8000 -o "$WORK/run.dat"
    python3 tests/golden/perf_data.py "$WORK/run.dat" "$WORK/run.data" || not_ok "$scenario" "no perf.data"
    events "$WORK/run.dat" >"$WORK/dat"
    events "$WORK/run.data" >"$WORK/data"
    same "$scenario: the same events" "$WORK/dat" "$WORK/data"
    for by in thread cpu event; do
        columns=1-
        [ $by != thread ] || columns=2,5-
        numbers $by "$WORK/run.dat" $columns >"$WORK/dat"
        numbers $by "$WORK/run.data" $columns >"$WORK/data"
        same "$scenario: the same numbers by $by" "$WORK/dat" "$WORK/data"
    done
done
run "$TRACETUI" info "$WORK/run.data"
says "info names the kind" 'Linux capture, perf.data' "$WORK/out"
if ! command -v perf >/dev/null; then
    skip "as perf script reads it" "there is no perf"
else
    perf script -F cpu,time,tid --ns -i "$WORK/run.data" 2>/dev/null | grep -c ':' >"$WORK/theirs"
    "$TRACETUI" dump "$WORK/run.data" | wc -l >"$WORK/ours"
    same "as many events as perf script prints" "$WORK/theirs" "$WORK/ours"
fi

# Compressed records, and a file that was written to a pipe: the same events.
for form in packed pipe; do
    if [ $form = packed ] && ! command -v zstd >/dev/null; then
        skip "perf record -z" "there is no zstd"
        continue
    fi
    python3 tests/golden/perf_data.py "$WORK/run.dat" "$WORK/$form.data" $form
    numbers thread "$WORK/run.data" 1- >"$WORK/data"
    numbers thread "$WORK/$form.data" 1- >"$WORK/dat"
    same "$form: the same numbers" "$WORK/data" "$WORK/dat"
    events "$WORK/run.data" >"$WORK/data"
    events "$WORK/$form.data" >"$WORK/dat"
    same "$form: the same events" "$WORK/data" "$WORK/dat"
done
if command -v zstd >/dev/null; then
    python3 tests/golden/perf_data.py "$WORK/run.dat" "$WORK/damaged.data" damaged
    run "$TRACETUI" info "$WORK/damaged.data"
    same_text "a damaged compressed record: status" 1 "$code"
    says "what is before it is read" '^  events +[1-9]' "$WORK/out"
fi

# Losses: as many as were left out, on the CPU that lost them.
python3 tests/golden/perf_data.py "$WORK/run.dat" "$WORK/lost.data" lose
run "$TRACETUI" info "$WORK/lost.data"
says "losses are said" '^  lost ' "$WORK/out"

# Samples of an event that is no tracepoint are events; the others stay as they are.
python3 tests/golden/perf_data.py "$WORK/run.dat" "$WORK/clock.data" clock
events "$WORK/run.data" >"$WORK/data"
events "$WORK/clock.data" | grep -v cpu-clock >"$WORK/dat"
same "with cpu-clock: the same events of tracepoints" "$WORK/data" "$WORK/dat"
"$TRACETUI" dump --filter 'event = cpu-clock' "$WORK/clock.data" >"$WORK/out"
says "a sample of cpu-clock has address, data and period" ' cpu-clock +ip=0x1111 addr=0xabc0 period=250000$' "$WORK/out"
same_text "there are as many as were written" "$(python3 - "$WORK/clock.data" <<'PYTHON'
import sys
data = open(sys.argv[1], "rb").read()
print(data.count((0x1111).to_bytes(8, "little") + (0x2222).to_bytes(8, "little")))
PYTHON
)" "$(wc -l <"$WORK/out")"

# Cut files: what is there is read.
size=$(wc -c <"$WORK/run.data")
for part in 3 2; do
    head -c $((size * part / 4)) "$WORK/run.data" >"$WORK/cut.data"
    run "$TRACETUI" dump "$WORK/cut.data"
    same_text "cut at $part/4: status" 1 "$code"
done
head -c 60 "$WORK/run.data" >"$WORK/cut.data"
exits "cut in its header: refused" 2 "$TRACETUI" info "$WORK/cut.data"
one_line "... in one line" "$WORK/err"
