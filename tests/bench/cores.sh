#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One CPU and two in alternation: the speedup by the second one, while it is idle and while another
# program uses it.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
if ! command -v taskset >/dev/null 2>&1 || ! taskset -c 0,1 true 2>/dev/null; then
    echo "two cores beside one: no taskset, or no second processor"
    echo null >"$folder/cores.json"
    exit 0
fi
events=${BENCH_EVENTS:-4000000}
results=
busy=

stop_busy() {
    [ -z "$busy" ] || kill "$busy" 2>/dev/null
    [ -z "$busy" ] || wait "$busy" 2>/dev/null
    busy=
}
trap stop_busy EXIT
# Keeps CPU 1 busy until stop_busy, at most ten minutes.
start_busy() {
    taskset -c 1 timeout 600 awk 'BEGIN { for (;;) { n++ } }' &
    busy=$!
}

index_on() { taskset -c "$1" "$variant/tests/bench/bench_index" "$2" 1; } # CPUS FILE
index_seconds() { field elapsed_seconds "$(index_on "$1" "$2")"; }
dump_seconds() { once taskset -c "$1" build/tracetui dump -o /dev/null "$2"; }
many_seconds() { once taskset -c "$1" build/tracetui stats --format csv -o /dev/null "$folder"/many?.kev; }

gain() { # FUNCTION FILE: the median of one core's time to two cores'
    local i
    for ((i = 0; i < pairs; i++)); do
        ratio "$("$1" 0 "$2")" "$("$1" 0,1 "$2")"
        echo
    done | median
}

# Prints the speedup of two programs at once, each on its own CPU, over one after the other. The
# CPUs of a virtual machine may share one core of the host, or its caches with other guests.
both_gain() { # FILE
    local i one first second
    for ((i = 0; i < pairs; i++)); do
        one=$(index_seconds 0 "$1")
        index_on 1 "$1" >"$folder/second" &
        first=$(index_seconds 0 "$1")
        wait "$!"
        second=$(field elapsed_seconds "$(cat "$folder/second")")
        awk -v one="$one" -v a="$first" -v b="$second" \
            'BEGIN { printf "%.3f\n", 2 * one / (a > b ? a : b) }'
    done | median
    rm -f "$folder/second"
}

add_result() { results+=${results:+,}\"$1\":$2; } # KEY VALUE

# Processor time does not depend on other programs as much as elapsed time does: by the longest
# stage, a machine with two idle CPUs would have this speedup.
stages() { # NAME FILE
    local i one two
    for ((i = 0; i < pairs; i++)); do
        one=$(field index_seconds "$(index_on 0 "$2")")
        two=$(taskset -c 0,1 "$variant/tests/bench/bench_index" --two "$2")
        echo "$one $(field cpu_seconds "$two") $(field path_seconds "$two")"
    done >"$folder/stages"
    one=$(cut -d' ' -f1 "$folder/stages" | median)
    row "... processor time: one core, ms" "$(milliseconds "$one")"
    row "... two cores, ms" "$(milliseconds "$(cut -d' ' -f2 "$folder/stages" | median)")"
    two=$(cut -d' ' -f3 "$folder/stages" | median)
    row "... longest stage, ms" "$(milliseconds "$two")"
    row "... one core to the longest stage, times" "$(ratio "$one" "$two")"
    add_result "$1_path" "$(ratio "$one" "$two")"
    rm -f "$folder/stages"
}

make_capture "$events" kev
times=$(both_gain "$capture")
row "two programs at once, each on a core, times" "$times"
add_result machine "$times"
while read -r name format part; do
    make_capture "$((events / part))" "$format"
    times=$(gain index_seconds "$capture")
    row "two cores against one: index $name, times" "$times" "1.6 / 1.9"
    add_result "index_$format" "$times"
    stages "index_$format" "$capture"
    start_busy
    times=$(gain index_seconds "$capture")
    stop_busy
    row "... while another program uses CPU 1" "$times" "at least 1.0"
    add_result "index_${format}_busy" "$times"
done <<'FORMATS'
QNX kev 1
FXT fxt 2
BTrace btrace 2
ThreadX trx 4
FORMATS

make_capture "$events" kev
# Eight captures in one command: each is read in a process of its own.
for ((i = 1; i <= 8; i++)); do
    [ -s "$folder/many$i.kev" ] ||
        "$variant/ttsim" --seed "$i" --events "$((events / 10))" -o "$folder/many$i.kev" || exit 2
done
times=$(gain dump_seconds "$capture")
row "two cores against one: dump, the index included" "$times" "1.6 / 1.9"
add_result dump "$times"
times=$(gain many_seconds "")
row "two cores against one: stats of eight captures" "$times" "1.6 / 1.9"
add_result many "$times"
echo "{$results}" >"$folder/cores.json"
