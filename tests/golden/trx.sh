# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# ThreadX captures: dump compared with TraceX's text, and in other containers. `info` and single lines are
# in tests/cases/, errors in tests/cases/errors.test.
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

        if command -v python3 >/dev/null; then
            exits "$name: waits for objects as in TraceX's text" 0 python3 tests/golden/trx_objects.py \
                "$TRACETUI" "$captures/$name.trx" "$captures/$name.dump.txt"
        else
            skip "$name: waits for objects" "python3 is not installed"
        fi

        head -c 20000 "$captures/$name.trx" >"$WORK/cut.trx"
        exits "$name cut short" 1 "$TRACETUI" dump "$WORK/cut.trx"
    done
fi
