#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Indexing on one CPU, compared with an XXH3 pass over the same bytes; the first screen.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
make_capture "${BENCH_EVENTS:-4000000}" kev
one=""
if command -v taskset >/dev/null 2>&1 && taskset -c 0 true 2>/dev/null; then
    one="taskset -c 0"
fi
# shellcheck disable=SC2086
index=$($one "$variant/tests/bench/bench_index" "$capture" "$pairs") || exit 2
# shellcheck disable=SC2086
fxt=$($one "$variant/tests/bench/bench_fxt" 100 7 "$folder/mixed.fxt") || exit 2
# index_of FORMAT PART: indexes one PART-th of the events
index_of() {
    make_capture "$((${BENCH_EVENTS:-4000000} / $2))" "$1"
    # shellcheck disable=SC2086
    $one "$variant/tests/bench/bench_index" "$capture" "$pairs"
}
rendered=$(seconds build/tracetui render events --size 80x24 "$capture") || exit 2
nothing=$(seconds build/tracetui --version) || exit 2
btrace=$(index_of btrace 4) || exit 2
trx=$(index_of trx 4) || exit 2
ftrace=$(index_of ftrace 4) || exit 2
# A CTF capture is a directory.
make_capture "$((${BENCH_EVENTS:-4000000} / 4))" lttng
# shellcheck disable=SC2086
lttng=$($one "$variant/tests/bench/bench_index" --only "$capture" "$pairs") || exit 2
lttng=$(cat "$capture"/* | wc -c | awk -v s="$lttng" '{ printf "%.0f", $1 / s / 1e6 }')
row "index QNX, one core, of an XXH3 pass" "$(field index_of_xxh3 "$index")" "0.15 / 0.25"
row "index QNX, one core, M slots/s" "$(field records_m_s "$index")" "about 60"
row "decode FXT with actions, one core, MB/s" "$(field learn_mb_s "$fxt")"
row "index FXT, one core, MB/s" "$(field index_mb_s "$fxt")" "700 / 1000"
row "index BTrace, one core, MB/s" "$(field index_mb_s "$btrace")" "450 / 800"
row "index ThreadX, one core, MB/s" "$(field index_mb_s "$trx")" "450 / 800"
row "index trace.dat, one core, MB/s" "$(field index_mb_s "$ftrace")" "400 / 800"
row "... M events/s" "$(field records_m_s "$ftrace")"
row "index LTTng, one core, MB/s" "$lttng" "300 / 600"
row "blocks and counts, B an event" "$(field bytes_an_event "$index")" "1 / 0.5"
row "open, ms" "$(milliseconds "$(field open_seconds "$index")")"
row "lines of a first screen, ms" "$(milliseconds "$(field first_screen_seconds "$index")")" "50 / 15"
row "... of a ThreadX ring of 32 MB" "$(milliseconds "$(field first_screen_seconds "$trx")")" "15 / 5"
row "... in processor time" "$(milliseconds "$(field first_rows_seconds "$trx")")"
row "render events, the whole file indexed, ms" "$(milliseconds "$rendered")"
row "a start of the program alone, ms" "$(milliseconds "$nothing")"
printf '{"kev":%s,"fxt":%s,"btrace":%s,"trx":%s,"ftrace":%s,"lttng_mb_s":%s,"render_events_seconds":%s,"start_seconds":%s}\n' \
    "$index" "$fxt" "$btrace" "$trx" "$ftrace" "$lttng" "$rendered" "$nothing" >"$folder/index.json"
