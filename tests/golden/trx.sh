# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ThreadX captures through the program: dump against what TraceX printed of them, the same in other
# containers, info, and what is wrong with damaged ones.
. tests/lib/case.sh

captures=../shared/captures/trx

# number, ticks, id's context and the first 16 characters of the thread, of TraceX's text
tracex_events() {
    awk '/Trace Events/ { inside = 1 }
         inside && /I1:/ { thread = substr($0, 82, 31); sub(/ \(.*/, "", thread); sub(/ +$/, "", thread)
                           print $1, $2 + 0, thread }' "$1"
}

# the same of jsonl
our_events() {
    sed -nE 's/^\{"n":([0-9]+),"ticks":"?([0-9]+)"?,.*"thread":"([^"]{0,16})[^"]*","class".*/\1 \2 \3/p' |
        sed 's/ *$//'
}

hex_dump() { od -An -v -tx1 "$1" | tr -d ' '; }

if [ ! -d "$captures" ]; then
    skip "ThreadX captures" "$captures is not there"
else
    for name in demo_threadx demo_netx_tcp; do
        tracex_events "$captures/$name.dump.txt" >"$WORK/expected"
        exits "$name: dump" 0 "$TRACETUI" dump --format jsonl "$captures/$name.trx"
        our_events <"$WORK/out" >"$WORK/actual"
        same "$name: numbers, times and contexts as TraceX printed them" "$WORK/expected" \
            "$WORK/actual"

        "$TRACETUI" dump "$captures/$name.trx" >"$WORK/plain"
        hex_dump "$captures/$name.trx" >"$WORK/$name.txt"
        exits "$name as a hex dump" 0 "$TRACETUI" dump "$WORK/$name.txt"
        same "$name as a hex dump: the same lines" "$WORK/plain" "$WORK/out"
        "$TRACETUI" dump - <"$WORK/$name.txt" >"$WORK/out"
        same "$name as a hex dump on standard input: the same lines" "$WORK/plain" "$WORK/out"

        head -c 20000 "$captures/$name.trx" >"$WORK/cut.trx"
        exits "$name cut short" 1 "$TRACETUI" dump "$WORK/cut.trx"
    done

    exits "info of a demo" 0 "$TRACETUI" info "$captures/demo_threadx.trx"
    says "info: format" "ThreadX event trace" "$WORK/out"
    says "info: events" "974 in 974 records" "$WORK/out"
    says "info: a thread" 'thread 0x66ec +name="thread 1" stack_start=0x10dc4 stack_size=1020' \
        "$WORK/out"
    says "info: a queue" 'queue 0x6b84 +name="queue 0" queue_bytes=400 message_words=0' "$WORK/out"
    says "info: the timer counts down" "timer counts +down" "$WORK/out"
    says "info: no clock" "none: times are ticks" "$WORK/out"

    exits "info of four cores" 0 "$TRACETUI" info "$captures/gen_smp_le64_4core.trx"
    says "info: four CPUs" "CPUs +4" "$WORK/out"
    says "info: derived events apart" "2,022 in 2,022 records, and [0-9]+ derived" "$WORK/out"

    "$TRACETUI" dump "$captures/demo_threadx.trx" >"$WORK/out"
    says "dump: objects and options by name" \
        'QUEUE_RECEIVE +queue=0x6b84\(queue 0\) destination=0x115a0 wait_option=4294967295\(WAIT_FOREVER\)' \
        "$WORK/out"
    says "dump: states by name" 'THREAD_SUSPEND +thread=0x6794\(thread 2\) new_state=5\(QUEUE_SUSP\)' \
        "$WORK/out"
    says "dump: ticks" '^ +156206 ' "$WORK/out"
    "$TRACETUI" dump --clock 1M "$captures/demo_threadx.trx" >"$WORK/out"
    says "dump --clock: seconds" '^ +0\.156206000 ' "$WORK/out"

    "$TRACETUI" dump --format jsonl "$captures/gen_smp_le64_4core.trx" >"$WORK/out"
    says "jsonl: a derived event has no number" \
        '^\{"n":null,.*"event":"RUNNING",.*"length":0,.*"derived":true\}$' "$WORK/out"
fi

printf '\xef\xbb\xbf<?xml version="1.0" encoding="UTF-8"?>\n<TestRun/>\n' >"$WORK/results.trx"
exits "test results named .trx" 2 "$TRACETUI" dump "$WORK/results.trx"
one_line "test results named .trx: one line" "$WORK/err"
says "test results named .trx: says why" "results\.trx: .*not a capture" "$WORK/err"

printf 'BTXT\377\377\377\377' >"$WORK/short.trx"
exits "half a header" 2 "$TRACETUI" dump "$WORK/short.trx"
says "half a header: says why" "short\.trx: offset 0x8: .*control header" "$WORK/err"
