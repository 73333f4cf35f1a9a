#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures, on captures that the simulator makes in build/bench/, and writes build/bench.json.
# Ratios are taken between two things of one run on one machine; the absolute figures are there
# to see what they are ratios of.  BENCH_EVENTS (4000000) is the size of the large capture.
set -u
cd "$(dirname "$0")/../.." || exit 2
events=${BENCH_EVENTS:-4000000}
variant=build/release
folder=build/bench
mkdir -p "$folder"
export LC_ALL=C.UTF-8

capture=$folder/mixed-$events.kev
if [ ! -s "$capture" ]; then
    echo "making $capture"
    build/ttsim --scenario mixed --events "$events" --format kev -o "$capture.new" &&
        mv "$capture.new" "$capture" || exit 2
fi

# seconds COMMAND...: the best of five runs, output thrown away
seconds() {
    local best= start end took i
    for i in 1 2 3 4 5; do
        start=$(date +%s%N)
        "$@" >/dev/null 2>&1 </dev/null || { echo "bench: failed: $*" >&2; return 1; }
        end=$(date +%s%N)
        took=$((end - start))
        if [ -z "$best" ] || [ "$took" -lt "$best" ]; then best=$took; fi
    done
    awk -v ns="$best" 'BEGIN { printf "%.6f", ns / 1e9 }'
}

field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,}\"]*\).*/\1/p" <<<"$2"; }

index=$("$variant/tests/bench/bench_index" "$capture") || exit 2
count=$(field events "$index")

fxt=$("$variant/tests/bench/bench_fxt" 100 3 "$folder/mixed.fxt") || exit 2

dump=$(seconds build/tracetui dump -o /dev/null "$capture") || exit 2
jsonl=$(seconds build/tracetui dump --format jsonl -o /dev/null "$capture") || exit 2
rendered=$(seconds build/tracetui render events --size 80x24 "$capture") || exit 2
nothing=$(seconds build/tracetui --version) || exit 2

million() { awk -v n="$1" -v s="$2" 'BEGIN { printf "%.2f", n / s / 1e6 }'; }
milliseconds() { awk -v s="$1" 'BEGIN { printf "%.1f", s * 1e3 }'; }

printf '%-44s %12s   %s\n' what value 'at least / aim'
row() { printf '%-44s %12s   %s\n' "$1" "$2" "$3"; }
row "index, of an XXH3 pass over the same bytes" "$(field index_of_xxh3 "$index")" "0.05 / 0.1"
row "index, M records/s" "$(field records_m_s "$index")" ""
row "memory above the mapping, B an event" "$(field bytes_an_event "$index")" "1 / 0.5 (and 12 / 6 an interval)"
row "decode FXT with actions, MB/s a core" "$(field learn_mb_s "$fxt")" ""
row "index FXT, MB/s a core" "$(field index_mb_s "$fxt")" "400 / 1000"
row "dump to text, M lines/s" "$(million "$count" "$dump")" "5 / 10"
row "dump to jsonl, M lines/s" "$(million "$count" "$jsonl")" ""
row "open, ms" "$(milliseconds "$(field open_seconds "$index")")" ""
row "lines of a first screen, ms" "$(milliseconds "$(field first_screen_seconds "$index")")" "50 / 15"
row "render events, the whole file indexed, ms" "$(milliseconds "$rendered")" ""
row "a start of the program alone, ms" "$(milliseconds "$nothing")" ""

# Frames: many threads on many CPUs, FRAME_EVENTS of them (4000000), FRAME_KEYS keys in each view.
crowd=$folder/crowd-${FRAME_EVENTS:-4000000}.kev
if [ ! -s "$crowd" ]; then
    build/ttsim --cpus 64 --processes 100 --threads 1900 --events "${FRAME_EVENTS:-4000000}" \
        -o "$crowd.new" && mv "$crowd.new" "$crowd" || exit 2
fi
frames=$("$variant/tests/bench/bench_frames" "$crowd" "${FRAME_KEYS:-300}" 200x60) || exit 2
sent=$("$variant/tests/bench/bench_frames" --bytes build/tracetui "$crowd") || exit 2
# part OBJECT KEY FIELD: a number of the object that stands under KEY
part() { sed -n "s/.*\"$2\":{\([^}]*\)}.*/\1/p" <<<"$1" | sed -n "s/.*\"$3\":\([0-9.]*\).*/\1/p"; }
numbers=$("$variant/tests/bench/bench_numbers" "$crowd" "${NUMBER_RANGES:-41}") || exit 2
of_bar() { awk -v n="$1" -v bar="$2" 'BEGIN { printf "%.2f", n / bar }'; }
timed() {
    row "$1 of any range, ms: median" "$(part "$numbers" "$2" median_ms)" "$3"
    row "... the slowest" "$(part "$numbers" "$2" max_ms)" ""
}
row "crowd: threads, CPUs" "$(field threads "$numbers"), $(field cpus "$numbers")" ""
row "index with timelines, M events/s" "$(field events_m_s "$numbers")" ""
row "index, B an event" "$(field bytes_an_event "$numbers")" "1 / 0.5"
row "timelines, B an interval" "$(field bytes_an_interval "$numbers")" "12 / 6"
timed "sums of all threads and CPUs" sums "50 / 5"
timed "first pairs" pairs_first "200 / 50"
timed "all pairs" pairs "(progressive)"
timed "first percentiles of all threads" percentiles_first "200 / 50"
timed "all percentiles of all threads" percentiles "(progressive)"
view() { sed -n "s/.*\"$1\":{\(\"frame\".*\)/\1/p" <<<"$frames" | sed 's/}}.*/}}/'; }
for name in events threads cpus summary info; do
    of=$(view $name)
    row "a key in $name, ms: median" "$(part "$of" frame median_ms)" "10 / 1"
    row "... 99 of 100" "$(part "$of" frame p99_ms)" ""
    row "... the slowest" "$(part "$of" frame max_ms)" ""
    row "... the slowest in processor time" "$(part "$of" frame_cpu max_ms)" "10 / 1"
done
for name in events threads cpus summary info; do
    row "bytes at 80x24, $name: a full frame" "$(part "$sent" $name full)" "6656 / 3584"
    row "... one line down" "$(part "$sent" $name down)" "300 / 100"
    row "... idle" "$(part "$sent" $name idle)" "0"
done

bash tests/bench/filter.sh || exit 2
bash tests/bench/live.sh || exit 2

cat >build/bench.json <<JSON
{"events":$count,"index":$index,"fxt":$fxt,"filters":$(cat "$folder/filter.json"),"live":$(cat "$folder/live.json"),"numbers":$numbers,
"frames":$frames,"bytes":$sent,
"dump_text_seconds":$dump,"dump_jsonl_seconds":$jsonl,
"dump_text_m_lines_s":$(million "$count" "$dump"),"dump_jsonl_m_lines_s":$(million "$count" "$jsonl"),
"render_events_seconds":$rendered,"start_seconds":$nothing}
JSON
echo "build/bench.json"
