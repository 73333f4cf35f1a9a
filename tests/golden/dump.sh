# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# dump and info of the samples in every format; ranges, threads, CPUs.
# After an intended change: REMAKE=1 bash tests/golden/dump.sh build/release; read the difference.
. tests/lib/case.sh

expected=tests/golden/expected
as_committed() {
    [ -z "${REMAKE:-}" ] || cp "$3" "$2"
    same "$@"
}
capture=samples/demo.kev
needs $capture
whole=$WORK/whole
"$TRACETUI" dump $capture >"$whole"

# ---- the committed texts ------------------------------------------------------------------------
# The beginning and the end of each, and a checksum of all.
digest() {
    head -n 40 "$1"
    echo ...
    tail -n 10 "$1"
    printf 'lines %s, cksum %s\n' "$(wc -l <"$1")" "$(cksum <"$1" | tr ' ' '-')"
}
for sample in samples/*.kev; do
    name=$(basename "$sample")
    for form in text csv jsonl; do
        run "$TRACETUI" dump --format $form "$sample"
        digest "$WORK/out" >"$WORK/digest"
        as_committed "$name as $form" "$expected/$name.dump.$form" "$WORK/digest"
    done
    run "$TRACETUI" dump --style traceprinter "$sample"
    digest "$WORK/out" >"$WORK/digest"
    as_committed "$name as traceprinter prints it" "$expected/$name.traceprinter" "$WORK/digest"
    for form in text jsonl; do
        run "$TRACETUI" info --format $form "$sample"
        as_committed "$name info as $form" "$expected/$name.info.$form" "$WORK/out"
    done
done

run "$TRACETUI" dump --style tracex samples/demo.trx
digest "$WORK/out" >"$WORK/digest"
as_committed "demo.trx as TraceX's raw trace dump" "$expected/demo.trx.tracex" "$WORK/digest"

# ---- every event once -----------------------------------------------------------------------------
number_of() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p"; }
"$TRACETUI" info --format jsonl $capture >"$WORK/info"
events=$(number_of events <"$WORK/info")
derived=$(number_of derived <"$WORK/info")
same_text "as many lines as info counts" $((events + derived)) "$(wc -l <"$whole")"
"$TRACETUI" dump --format jsonl $capture >"$WORK/jsonl"
same_text "as many objects" $((events + derived)) "$(wc -l <"$WORK/jsonl")"
same_text "as many lines of CSV and a header" $((events + derived + 1)) \
    "$("$TRACETUI" dump --format csv $capture | wc -l)"
if command -v python3 >/dev/null 2>&1; then
    python3 - "$WORK/jsonl" "$WORK/info" >"$WORK/out" 2>"$WORK/err" <<'PY'
import json, sys
keys = 'n ticks ns cpu pid tid thread class event kind args offset length inferred derived'.split()
n, last = 0, (0, 0)
classes = {}
for line in open(sys.argv[1], encoding='utf-8'):
    o = json.loads(line)
    assert list(o) == keys, list(o)
    assert o['derived'] == (o['n'] is None), line
    if not o['derived']:
        assert o['n'] == n, (o['n'], n)
        n += 1
    key = (int(o['ticks']), int(o['offset']))
    assert key[0] >= last[0], line
    last = key
    classes[o['class']] = classes.get(o['class'], 0) + 1
info = json.load(open(sys.argv[2], encoding='utf-8'))
assert list(info) == ('format version clock_hz cpus events records derived first_ticks last_ticks '
                      'threads idle_threads processes classes health missing '
                      'deadlocks').split(), list(info)
assert info['events'] == n
assert info['classes'] == classes, (info['classes'], classes)
assert int(info['last_ticks']) == last[0]
print('good')
PY
    same_text "jsonl is JSON, in order, and adds up" "good" "$(cat "$WORK/out")$(tail -n 1 "$WORK/err")"
    "$TRACETUI" dump --format csv $capture >"$WORK/csv"
    python3 - "$WORK/csv" "$WORK/jsonl" >"$WORK/out" 2>"$WORK/err" <<'PY'
import csv, json, sys
rows = csv.DictReader(open(sys.argv[1], encoding='utf-8', newline=''))
for line, row in zip(open(sys.argv[2], encoding='utf-8'), rows, strict=True):
    o = json.loads(line)
    for key in o:
        if key in ('args', 'inferred', 'derived'):
            continue
        assert row[key] == ('' if o[key] is None else str(o[key])), (key, row[key], o[key])
    assert row['inferred'] == str(int(o['inferred']))
print('good')
PY
    same_text "CSV is valid and equals jsonl" "good" "$(cat "$WORK/out")$(tail -n 1 "$WORK/err")"
else
    skip "CSV is valid and equals jsonl" "no python3 here"
fi

# ---- ranges -----------------------------------------------------------------------------------------
part() { "$TRACETUI" dump "$@" $capture >"$WORK/part" 2>"$WORK/err"; }
part --from '#10' --to '#25'
grep -n '"n":\(10\|25\),' "$WORK/jsonl" | cut -d: -f1 >"$WORK/rows"
from=$(sed -n 1p "$WORK/rows")
to=$(sed -n 2p "$WORK/rows")
same "from an event to an event" <(sed -n "${from},$((to - 1))p" "$whole") "$WORK/part"
part --from 0% --to 100%
same "0% to 100% is all" "$whole" "$WORK/part"
part --from 50%
second=$(wc -l <"$WORK/part")
part --to 50%
first=$(wc -l <"$WORK/part")
same_text "two halves are the whole" "$(wc -l <"$whole")" $((first + second))
"$TRACETUI" dump --to 1ms $capture >"$WORK/early"
"$TRACETUI" dump --from 1ms $capture >"$WORK/late"
same "before and from a time are the whole" "$whole" <(cat "$WORK/early" "$WORK/late")
late=$(awk '$1 >= 0.001' "$whole" | head -n 1)
same_text "the first one at or after 1 ms" "$late" "$(head -n 1 "$WORK/late")"
part --from -5s --to 99999s
same "further than both ends is all" "$whole" "$WORK/part"

# ---- CPUs and threads ---------------------------------------------------------------------------------
part --cpu 0
same "CPU 0" <(awk '$2 == 0' "$whole") "$WORK/part"
part --cpu 0-1023
same "all CPUs" <(awk '$2 != "-"' "$whole") "$WORK/part"
thread=$(grep -m1 '"pid":[0-9]' "$WORK/jsonl" | sed 's/.*"pid":\([0-9]*\),"tid":\([0-9]*\).*/\1\/\2/')
count=$(grep -c "\"pid\":${thread%/*},\"tid\":${thread#*/}," "$WORK/jsonl")
part --thread "$thread"
same_text "a thread by its numbers" "$count" "$(wc -l <"$WORK/part")"
process=${thread%/*}
count=$(grep -c "\"pid\":$process," "$WORK/jsonl")
part --thread "$process"
same_text "a process by its number" "$count" "$(wc -l <"$WORK/part")"
shown=$(grep -m1 '"thread":"[^"\\]* [^"\\]*"' "$WORK/jsonl" | sed 's/.*"thread":"\([^"]*\)".*/\1/')
if [ -n "$shown" ]; then
    count=$(grep -cF "\"thread\":\"$shown\"" "$WORK/jsonl")
    part --thread "$shown"
    same_text "a thread as it is shown" "$count" "$(wc -l <"$WORK/part")"
fi
