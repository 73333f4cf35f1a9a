#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One CPU and two in alternation: the speedup by the second one.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
if ! command -v taskset >/dev/null 2>&1 || ! taskset -c 0,1 true 2>/dev/null; then
    echo "two cores beside one: no taskset, or no second processor"
    echo null >"$folder/cores.json"
    exit 0
fi
events=${BENCH_EVENTS:-4000000}
make_capture "$events" kev
kev=$capture
make_capture "$((events / 2))" fxt
fxt=$capture

index_seconds() { # CPUS FILE
    field index_seconds "$(taskset -c "$1" "$variant/tests/bench/bench_index" "$2" 1)"
}
dump_seconds() { once taskset -c "$1" build/tracetui dump -o /dev/null "$2"; }

gain() { # FUNCTION FILE: the median of one core's time to two cores'
    local i
    for ((i = 0; i < pairs; i++)); do
        ratio "$("$1" 0 "$2")" "$("$1" 0,1 "$2")"
        echo
    done | median
}
of_kev=$(gain index_seconds "$kev")
of_fxt=$(gain index_seconds "$fxt")
of_dump=$(gain dump_seconds "$kev")
row "two cores against one: index QNX, times" "$of_kev" "1.6 / 1.9"
row "... index FXT" "$of_fxt" "1.6 / 1.9"
row "... dump, the index included" "$of_dump" "1.6 / 1.9"
printf '{"index_kev":%s,"index_fxt":%s,"dump":%s}\n' "$of_kev" "$of_fxt" "$of_dump" \
    >"$folder/cores.json"
