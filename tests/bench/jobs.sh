#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Jobs, interrupts and measurements of a whole capture: first rows, all rows, memory beside the index.
# BENCH_JOBS=100000000 is the capture of docs/performance.md.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
file=$folder/jobs.kev
[ -s "$file" ] ||
    "$variant/ttsim" --scenario mixed --seed 1 --events "${BENCH_JOBS:-4000000}" -o "$file" || exit 2
jobs=$("$variant/tests/bench/bench_jobs" "$file") || exit 2
for table in jobs interrupts measure; do
    row "$table: first rows, ms" "$(part "$jobs" $table first_ms)" "200"
    row "... all rows, ms of the processor" "$(part "$jobs" $table cpu_ms)" "(progressive)"
    row "... memory, of the index" "$(part "$jobs" $table memory_of_index)" "0.1"
done
printf '%s\n' "$jobs" >"$folder/jobs.json"
