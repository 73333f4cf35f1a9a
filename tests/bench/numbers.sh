#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Memory and query latency of timelines, on a capture of many threads and CPUs.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
make_crowd "${BENCH_CROWD:-4000000}"
numbers=$("$variant/tests/bench/bench_numbers" "$crowd" "${NUMBER_RANGES:-41}") || exit 2
timed() {
    row "$1 of any range, ms: median" "$(part "$numbers" "$2" median_ms)" "$3"
    row "... the slowest" "$(part "$numbers" "$2" max_ms)"
}
row "crowd: threads, CPUs" "$(field threads "$numbers"), $(field cpus "$numbers")"
row "index with timelines, M events/s" "$(field events_m_s "$numbers")"
row "index, B an event" "$(field bytes_an_event "$numbers")" "1 / 0.5"
row "timelines, B an interval" "$(field bytes_an_interval "$numbers")" "12 / 6"
timed "sums of all threads and CPUs" sums "50 / 5"
timed "first pairs" pairs_first "200 / 50"
timed "all pairs" pairs "(progressive)"
timed "first percentiles and causes of ready time" percentiles_first "200 / 50"
timed "all percentiles and causes of ready time" percentiles "(progressive)"
timed "the 5 longest delays of the capture, explained (processor time)" worst_delays "1000 / 100"
row "stats --by blame of 1 % of the capture, s" \
    "$(once build/tracetui stats --by blame --format csv --from 50% --to 51% "$crowd")"
for sheet in pairs percentiles event_names; do
    timed "slowest step of ${sheet//_/ } (processor time)" "${sheet}_step" "10 / 1"
    timed "slowest piece of ${sheet//_/ } freed" "${sheet}_freeing" "10 / 1"
done
printf '%s\n' "$numbers" >"$folder/numbers.json"
