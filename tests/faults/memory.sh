# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Indexing within a memory limit: 16 MB and 17 % of the capture, by `ulimit -d`. It covers heap, stacks
# (8 MB of addresses each) and tables, not the mapped capture, whose pages the system can reclaim.
# MEMORY_EVENTS (2000000; make bench: 32 million,
# 1.16 GB).
. tests/lib/case.sh

# The memory of a sanitizer would count as well.
program=build/release/tracetui
needs_release
if [ "$(uname -s)" != Linux ]; then
    skip "memory: index within a limit" "ulimit -d includes other memory here"
    exit 0
fi
capture=$WORK/mixed.kev
build/ttsim --scenario mixed --events "${MEMORY_EVENTS:-2000000}" --format kev -o "$capture" || exit 2
limit=$((16384 + $(wc -c <"$capture") / 1024 * 17 / 100))

# index NAME KB STATUS: indexes with a limit of KB; the output is complete or empty
index() {
    local name=$1 kb=$2 status=$3
    (ulimit -d "$kb" && exec "$program" info --no-cache "$capture") >"$WORK/$status.out" 2>"$WORK/err"
    code=$?
    if [ "$code" -ne "$status" ]; then
        not_ok "$name" "exit status $code with $kb KB, expected $status: $(head -c 300 "$WORK/err")"
    else
        ok "$name"
    fi
}

index "memory: 16 MB and 17 % of the capture are enough" "$limit" 0
"$program" info --no-cache "$capture" >"$WORK/free.out"
same "... and the output is that without a limit" "$WORK/free.out" "$WORK/0.out"
index "memory: half of that is reported as too little" $((limit / 2)) 2
[ -s "$WORK/2.out" ] && not_ok "... and prints nothing" "$(head -n 1 "$WORK/2.out")" ||
    ok "... and prints nothing"
