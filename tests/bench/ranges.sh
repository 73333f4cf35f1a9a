#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# First rows of the tables of ranges at the begin, in the middle and at the end of a capture.
# BENCH_RANGES=100000000 is the capture of docs/performance.md.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
make_crowd "${BENCH_RANGES:-4000000}"
result=$("$variant/tests/bench/bench_ranges" "$crowd" 4 job interrupt blame inversion thread pair event \
    service message client object matrix imposed single) || exit 2
while read -r table _ slowest step _; do
    row "$table: first rows of any range, ms" "$slowest" "200 / 50"
    row "... its slowest step, ms" "$step"
done <<<"$result"
printf '%s\n' "$result" | awk '{ printf "%s{\"table\":\"%s\",\"median_ms\":%s,\"max_ms\":%s,\"step_ms\":%s}",
    (NR > 1 ? "," : "["), $1, $2, $3, $4 } END { print "]" }' >"$folder/ranges.json"
