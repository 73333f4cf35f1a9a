#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# 200 rules, 50 of them with filters of their own, beside one table of `stats`: without an index cache,
# when both read the whole capture, and with one.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
file=$folder/check.kev
[ -s "$file" ] ||
    "$variant/ttsim" --scenario mixed --seed 1 --events "${BENCH_CHECK:-2000000}" -o "$file" || exit 2
awk 'BEGIN {
    split("sensor/1 sensor/2 fusion/1 logger/1 netmgr/2 io-blk/2", thread)
    split("p50 p95 p99 max mean", part)
    split("THREADY THRUNNING MSG_SENDV MSG_REPLYV MSG_RECEIVEV INT_ENTR INT_EXIT THREPLY THRECEIVE", event)
    for (i = 0; i < 150; i++) print "delay " part[i % 5 + 1] " of thread " thread[i % 6 + 1] " < " i + 1 "ms"
    for (i = 0; i < 50; i++)
        print "count of {event = " event[i % 9 + 1] " and thread = " thread[int(i / 9) + 1] "} >= 0"
}' >"$folder/rules.check"
cache=$PWD/$folder/check-cache
rm -rf "$cache"
# cpu_ms COMMAND...: milliseconds of the processor, the smallest of three runs
cpu_ms() {
    local run
    for run in 1 2 3; do
        { TIMEFORMAT='%U %S'; time "$variant/tracetui" "$@" "$file" >/dev/null; } 2>&1
    done | awk '{ ms = ($1 + $2) * 1000; if (NR == 1 || ms < least) least = ms } END { print least }'
}
# compare WORDS: a row, and $stats and $check
compare() {
    stats=$(cpu_ms stats --by thread)
    check=$(cpu_ms check "$folder/rules.check")
    row "$1" "$(awk -v a="$check" -v b="$stats" 'BEGIN { printf "%.2f", a / b }')" "at most 2"
}
compare "200 rules, in the time of stats"
printf '{"stats_ms": %s, "check_ms": %s' "$stats" "$check" >"$folder/check.json"
export XDG_CACHE_HOME=$cache
"$variant/tracetui" stats --by thread "$file" >/dev/null
compare "... with an index cache"
printf ', "cached_stats_ms": %s, "cached_check_ms": %s}\n' "$stats" "$check" >>"$folder/check.json"
rm -rf "$cache"
