# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Fuchsia traces from file to output: small files, definitions, gzip, simulated runs against their truth.
# Captures with Perfetto's answers are in tests/cases/info.test, damage in tests/cases/errors.test.
# After an intended change: REMAKE=1 bash tests/golden/fxt.sh build/release; read the difference.
. tests/lib/case.sh

expected=tests/golden/expected
as_committed() {
    [ -z "${REMAKE:-}" ] || cp "$3" "$2"
    same "$@"
}

# ---- small files ------------------------------------------------------------------------------
# The fuzz target's seeds are records after one extra byte, without a magic number.
magic_le='\0020\0000\0004FxT\0026\0000'
magic_be='\0000\0026TxF\0004\0000\0020'
for seed in tables events args sched others busy damage; do
    for order in le be; do
        file=$WORK/${seed}_$order.fxt
        magic=$magic_le
        [ $order = le ] || magic=$magic_be
        printf '%b' "$magic" >"$file"
        tail -c +2 "tests/fuzz/corpus/fuzz_fxt/${seed}_$order" >>"$file"
        "$TRACETUI" dump --definitions "$file" >"$WORK/${seed}_$order.dump" 2>"$WORK/err"
    done
    as_committed "$seed: dump" "$expected/fxt_$seed.dump" "$WORK/${seed}_le.dump"
    same "$seed: both byte orders say the same" "$WORK/${seed}_le.dump" "$WORK/${seed}_be.dump"
done
same_text "definitions are no events" \
    "$("$TRACETUI" dump --definitions "$WORK/busy_le.fxt" | grep -vc ' definition ')" \
    "$("$TRACETUI" dump "$WORK/busy_le.fxt" | wc -l)"
"$TRACETUI" dump --definitions --format jsonl "$WORK/busy_le.fxt" >"$WORK/out"
same_text "definitions have no number" \
    "$(grep -c '"kind":"definition"' "$WORK/out")" "$(grep -c '"n":null' "$WORK/out")"
same_text "events have all numbers" \
    "$("$TRACETUI" dump --format jsonl "$WORK/busy_le.fxt" | sed 's/,.*//')" \
    "$(grep -v '"n":null' "$WORK/out" | sed 's/,.*//')"

# ---- gzip and standard input ------------------------------------------------------------------
"$TRACETUI" dump "$WORK/busy_le.fxt" >"$WORK/plain"
gzip -c "$WORK/busy_le.fxt" >"$WORK/busy.fxt.gz"
"$TRACETUI" dump "$WORK/busy.fxt.gz" >"$WORK/out"
same "gzip around it" "$WORK/plain" "$WORK/out"
"$TRACETUI" dump - <"$WORK/busy_le.fxt" >"$WORK/out"
same "from standard input" "$WORK/plain" "$WORK/out"
cat "$WORK/busy_le.fxt" "$WORK/busy_le.fxt" >"$WORK/twice.fxt"
same_text "two traces put end to end" "$(($(wc -l <"$WORK/plain") * 2))" \
    "$("$TRACETUI" dump "$WORK/twice.fxt" | wc -l)"

# ---- simulated runs against their truth ---------------------------------------------------------
# Run times, switches with reasons, migrations, delays of every thread; switches of every CPU.
check() { # check NAME OPTION...
    local name=$1
    shift
    "$TTSIM" --format fxt --events 12000 --truth full -o "$WORK/run" "$@"
    "$TRACETUI" stats --format jsonl "$WORK/run" >"$WORK/threads" 2>"$WORK/err"
    "$TRACETUI" stats --by cpu --format jsonl "$WORK/run" >"$WORK/cpus" 2>>"$WORK/err"
    python3 - "$WORK/run.truth.jsonl" "$WORK/threads" "$WORK/cpus" >"$WORK/out" 2>>"$WORK/err" <<'PY'
import collections, json, sys
truth, threads, cpus = ([json.loads(line) for line in open(f)] for f in sys.argv[1:])
told, found = collections.Counter(), collections.Counter()
for t in truth:
    if t['t'] == 'sum_thread':
        told[t['pid'], t['tid'], t['run'], t['ready'], t['wait'], t['stopped'], t['in'], t['out'],
             t['voluntary'], t['preempted'], t['migrations'], t['sch_count'], t['wait_count']] += 1
for s in threads:
    found[s['pid'], s['tid'], int(s['run_ns']), int(s['ready_ns']), int(s['wait_ns']),
          int(s['stopped_ns']), s['switches_in'], s['switches_out'], s['voluntary'],
          s['preempted'], s['migrations'], s['delay_count'], s['wait_count']] += 1
# Threads that represent CPUs, and those with only a name, have no line of truth.
extra = [k for k in (found - told) if any(k[2:])]
print('threads:', sorted(told - found)[:3], sorted(extra)[:3])
told = [[t[k] for k in ('busy', 'idle', 'irq', 'kernel', 'switches')]
        for t in truth if t['t'] == 'sum_cpu']
found = [[int(c[k + '_ns']) for k in ('busy', 'idle', 'irq', 'kernel')] + [c['switches']]
         for c in cpus]
print('CPUs:', 'alike' if told == found else (told, found))
PY
    same_text "truth of $name" "threads: [] [] CPUs: alike" "$(tr '\n' ' ' <"$WORK/out" | sed 's/ $//')$(tail -n 1 "$WORK/err")"
}
for scenario in mixed inversion chatty irqstorm overload churn; do
    check $scenario --scenario $scenario
done
check "several providers with clocks of their own" --scenario mixed --fxt-providers 3
check "the older scheduling records" --scenario chatty --fxt-sched legacy
