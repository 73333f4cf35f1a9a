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

# ---- as utracedecoder prints ----------------------------------------------------------------------
# Its own output of these streams is the same but for a newline and bytes above 0x7e, which it does not escape.
stamp=1000

# trace CATEGORY SUB DATA: a record at the next time, of thread 0x1000; the data in hexadecimal
trace() {
    local data=$3 size=$((12 + ${#3} / 2)) hex
    stamp=$((stamp + 10))
    hex=$(printf '%02x0a%02x%02x%02x%02x000000100000%s' $size "$1" "$2" $((stamp % 256)) $((stamp / 256)) "$data")
    while [ $((${#hex} % 8)) -ne 0 ]; do hex+=cc; done
    # shellcheck disable=SC2059 # the bytes are the format
    printf "$(sed 's/../\\x&/g' <<<"$hex")"
}

words=11223344556677889900112233445566778899aabbccddeeff00112233445566778899aabbccddee6e616d65
{
    for sub in 0 1 2 3 4 5 6 7 8; do
        for category in 3 6 8 9 13; do trace $category $sub $words; done
    done
    trace 13 5 00100000ffffffff
    trace 0 0 03000000746578740974610a62
    trace 15 0 010000000200000001000000
    trace 15 1 010000000200000001000000
    trace 4 6 01000000
    for sub in 0 1 2 3 4 5 6 7 8; do
        for category in 192 194 195 196; do
            trace $category $sub 0400000061626320800000001020304000000000
        done
    done
    trace 194 8 6300000061626320
    trace 194 6 0400000061626320
    trace 194 6 0400000061626320000000000000
} >"$WORK/all.btrace"
"$TRACETUI" dump --style btrace "$WORK/all.btrace" >"$WORK/out"
as_committed "dump --style btrace" "$expected/btrace_style.text" "$WORK/out"
tail -c +2 tests/fuzz/corpus/fuzz_btrace/multipart >"$WORK/multipart.btrace"
"$TRACETUI" dump --style btrace "$WORK/multipart.btrace" >"$WORK/out" 2>"$WORK/err"
as_committed "dump --style btrace of traces in several records" "$expected/btrace_style_parts.text" "$WORK/out"
"$TRACETUI" dump --style btrace --filter 'event = EThreadName' samples/demo.btrace | cut -d, -f2,3 | sort | uniq -c >"$WORK/out"
printf '%7d %s\n' 33 3,4 1 'Primary Filter,Sub Category' >"$WORK/expected"
same "dump --style btrace with a filter" "$WORK/expected" "$WORK/out"

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
    # The checksum is that of utracedecoder's output, with the bytes above 0x7e of seven lines escaped.
    same_text "ulogger.log as utracedecoder prints it" "1899394370 2990370" \
        "$("$TRACETUI" dump --style btrace $sample | cksum)"
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
