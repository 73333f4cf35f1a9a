# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Symbian BTrace from file to output: small streams, a real log, simulated runs against their truth.
# `info` of the same streams is in tests/cases/info.test, damage in tests/cases/errors.test.
# After an intended change: REMAKE=1 bash tests/golden/btrace.sh build/release; read the difference.
. tests/lib/case.sh

expected=tests/golden/expected
as_committed() {
    [ -z "${REMAKE:-}" ] || cp "$3" "$2"
    same "$@"
}

# ---- small streams ----------------------------------------------------------------------------
# The fuzz target's seeds are streams after one extra byte.
for seed in uniprocessor smp multipart locks drivers damage; do
    stream=$WORK/$seed.btrace
    tail -c +2 tests/fuzz/corpus/fuzz_btrace/$seed >"$stream"
    "$TRACETUI" dump "$stream" >"$WORK/out" 2>"$WORK/err"
    as_committed "$seed: dump" "$expected/btrace_$seed.dump" "$WORK/out"
done

# ---- the real capture ---------------------------------------------------------------------------
sample=../shared/captures/btrace/ulogger.log
if [ -f $sample ]; then
    "$TRACETUI" dump $sample >"$WORK/dump"
    same_text "a line an event" 41045 "$(wc -l <"$WORK/dump")"
    {
        sed -n '1p;17,20p;200p;10000p;30000p' "$WORK/dump"
        tail -n 2 "$WORK/dump"
        cksum <"$WORK/dump"
    } >"$WORK/out"
    as_committed "ulogger.log: dump" "$expected/btrace_ulogger.dump" "$WORK/out"
else
    skip "ulogger.log" "there is no $sample"
fi

# ---- simulated runs against their truth -----------------------------------------------------------
# Run and interrupt times, switches with reasons, migrations and lock waits of every thread; the five
# sums of every CPU.
check() { # check NAME OPTION...
    local name=$1
    shift
    "$TTSIM" --format btrace --events 12000 --truth full -o "$WORK/run" "$@"
    "$TRACETUI" stats --format jsonl "$WORK/run" >"$WORK/threads" 2>"$WORK/err"
    "$TRACETUI" stats --by cpu --format jsonl "$WORK/run" >"$WORK/cpus" 2>>"$WORK/err"
    python3 - "$WORK/run.truth.jsonl" "$WORK/threads" "$WORK/cpus" >"$WORK/out" 2>>"$WORK/err" <<'PY'
import collections, json, sys
truth, threads, cpus = ([json.loads(line) for line in open(f)] for f in sys.argv[1:])
hz = next(t for t in truth if t['t'] == 'run')['clock_hz']
ns = lambda ticks: ticks * 10**9 // hz
told, found = collections.Counter(), collections.Counter()
for t in truth:
    if t['t'] == 'sum_thread':
        name = 'idle' if t['idle'] else t['name'] or 'Main'
        told[name, ns(t['run']), ns(t['irq']), t['in'], t['out'], t['voluntary'], t['preempted'],
             t['migrations'], ns(t['lock'])] += 1
for s in threads:
    name = 'idle' if s['idle'] else s['thread'].split(' ', 1)[-1]
    found[name, int(s['run_ns']), int(s['irq_ns']), s['switches_in'], s['switches_out'],
          s['voluntary'], s['preempted'], s['migrations'], int(s['lock_ns'])] += 1
# A thread with only a name has no line of truth.
extra = [k for k in (found - told) if any(k[1:])]
print('threads:', sorted((told - found))[:3], sorted(extra)[:3])
told = [[ns(t[k]) for k in ('busy', 'idle', 'irq', 'kernel', 'unknown')] + [t['switches']]
        for t in truth if t['t'] == 'sum_cpu']
found = [[int(c[k + '_ns']) for k in ('busy', 'idle', 'irq', 'kernel', 'unknown')] +
         [c['switches']] for c in cpus]
print('CPUs:', 'alike' if told == found else (told, found))
PY
    same_text "truth of $name" "threads: [] [] CPUs: alike" "$(tr '\n' ' ' <"$WORK/out" | sed 's/ $//')$(tail -n 1 "$WORK/err")"
}
if command -v python3 >/dev/null 2>&1; then
    check "4 CPUs" --scenario mixed
    check "one CPU" --scenario mixed --cpus 1 --seed 2
    check "one CPU with 64-bit stamps" --scenario overload --cpus 1 --btrace-stamps 64 --seed 3
    check "a timer that wraps" --scenario chatty --cpus 1 --start 4294900000 --seed 4
    check "threads that come and go" --scenario churn --seed 5
    check "interrupts that nest" --scenario irqstorm --seed 6
    check "locks" --scenario inversion --seed 7
    check "losses" --scenario chatty --lose 6 --seed 8
    check "losses on one CPU" --scenario irqstorm --lose 9 --cpus 1 --seed 9
else
    skip "simulated runs against their truth" "no python3 here"
fi
