#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A capture followed while it is written: the lag of reading at LIVE_RATES (200 50) MB/s in
# memory, and the delay of a burst on the screen at 20 MB per minute and 50 MB/s. LIVE_SECONDS (3) of
# each; the long form is LIVE_SECONDS=10. Prints rows, writes build/bench/live.json.
set -u
cd "$(dirname "$0")/../.." || exit 2
seconds=${LIVE_SECONDS:-3}
bench=build/release/tests/bench/bench_live
folder=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
mkdir -p build/bench

# capture BYTES: creates a capture of about BYTES bytes
capture() {
    build/ttsim -o "$folder/all.kev" --events $(($1 / 36 + 1000)) --seed 1 2>/dev/null
    head -c $(($1 - $1 % 4096 + 65536)) "$folder/all.kev" >"$folder/capture.kev"
    rm "$folder/all.kev"
}

rows=
# measure MODE MB/S BYTES
measure() {
    local row
    capture "$3"
    row=$("$bench" "$1" "$folder/capture.kev" "$folder/growing.kev" "$2" build/tracetui) || exit 2
    echo "following, $1, $2 MB/s: $row"
    rows=$rows${rows:+,}{\"mode\":\"$1\",\"result\":$row}
}

for rate in ${LIVE_RATES:-200 50}; do
    measure throughput "$rate" $((rate * seconds * 1000000))
done
measure screen 0.333 $((333000 * 2 * seconds))
measure screen 50 $((50000000 * seconds))
echo "[$rows]" >build/bench/live.json
