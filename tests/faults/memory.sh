# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Indexing within a limit of memory: 16 MB and 17 % of the capture, by `ulimit -d`. That is what the
# program keeps of its own: heap, stacks (8 MB of addresses each), tables; not the mapped capture,
# whose pages the system takes back when it likes. MEMORY_EVENTS (2000000; make bench: 32 million,
# 1.16 GB).
. tests/lib/case.sh

# A sanitizer's own memory would count too.
program=build/release/tracetui
if [ ! -x "$program" ] || [ ! -x build/ttsim ]; then
    skip "memory: index within a limit" "there is no release build"
    exit 0
fi
if [ "$(uname -s)" != Linux ]; then
    skip "memory: index within a limit" "ulimit -d counts other things here"
    exit 0
fi
capture=$WORK/mixed.kev
build/ttsim --scenario mixed --events "${MEMORY_EVENTS:-2000000}" --format kev -o "$capture" || exit 2
limit=$((16384 + $(wc -c <"$capture") / 1024 * 17 / 100))

# index NAME KB STATUS: indexes with so many KB, and what it prints is whole or nothing
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
same "... and what it says is what it says without a limit" "$WORK/free.out" "$WORK/0.out"
index "memory: with half of that it says that it has not enough" $((limit / 2)) 2
[ -s "$WORK/2.out" ] && not_ok "... and prints nothing" "$(head -n 1 "$WORK/2.out")" ||
    ok "... and prints nothing"
