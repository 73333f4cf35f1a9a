#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SQL: 1,000 rows of a range of each table with times, and a sum over all intervals beside the same loop in C.
# BENCH_SQL=100000000 is the capture of docs/performance.md.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
file=$folder/sql.kev
[ -s "$file" ] ||
    "$variant/ttsim" --scenario mixed --seed 1 --events "${BENCH_SQL:-4000000}" -o "$file" || exit 2
result=$("$variant/tests/bench/bench_sql" "$file") || exit 2
value() { tr ' ' '\n' <<<"$result" | sed -n "s/^$1=//p"; }
row "SQL: 1,000 events of a range, ms of the processor" "$(value range_ms)" "20 / 5"
for table in states cpu_time switches messages jobs wakes irqs lock_waits lock_releases; do
    row "... $(value ${table}_rows) rows of $table" "$(value ${table}_ms)" "20 / 5"
done
row "sum by state, ns per interval" "$(awk -v s="$(value sum_ms)" -v n="$(value intervals)" 'BEGIN { printf "%.0f", s * 1e6 / n }')" \
    "$(awk -v c="$(value c_ms)" -v q="$(value sqlite_ms)" -v n="$(value intervals)" 'BEGIN { printf "%.0f", (2 * c + q) * 1e6 / n }') (twice that of C and SQLite's own)"
tr ' ' '\n' <<<"$result" | awk -F= '{ printf "%s\"%s\":%s", (NR > 1 ? "," : "{"), $1, $2 } END { print "}" }' >"$folder/sql.json"
