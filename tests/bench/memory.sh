#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Peak memory while a capture of a gigabyte is indexed: BENCH_MEMORY million events (32) of the mixed
# scenario. Private memory within the limit of tests/faults/memory.sh, and resident memory.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
millions=${BENCH_MEMORY:-32}
make_capture "${millions}000000" kev
peak=$("$variant/tests/bench/bench_index" --peak "$capture") || exit 2
size=$(($(wc -c <"$capture") / 1000000))
within=$(MEMORY_EVENTS="${millions}000000" bash tests/faults/memory.sh "$variant" | head -n 1)
row "most memory while indexing $size MB, MB" "$(field peak_mb "$peak")" "at most 256"
row "... of its own" "${within%% *}" "16 MB + 17 % of the capture"
judge "memory of its own is within its limit (1: yes)" "$([[ $within == ok* ]] && echo 1 || echo 0)" \
    "at least 1"
printf '{"megabytes":%s,"peak_mb":%s,"within_limit":%s}\n' "$size" "$(field peak_mb "$peak")" \
    "$([[ $within == ok* ]] && echo true || echo false)" >"$folder/memory.json"
[ "$millions" -le 16 ] || rm -f "$capture"
