#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A capture followed while it is written: the lag of reading at LIVE_RATES (200 50) MB/s in memory,
# the delay of a burst on the screen at 20 MB per minute and 50 MB/s, and the bytes per second that
# the program sends to a fast terminal of 80x24 in LIVE_VIEWS (1 2 3 4 5). Each takes LIVE_SECONDS
# (3), the last one two or four times as long; a long run uses LIVE_SECONDS=10. Prints rows, writes
# build/bench/live.json.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
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
# sent RATE SECONDS: the most bytes and the fewest frames per second of all views
sent() {
    local view result bytes=0 frames=1000
    capture "$(awk -v rate="$1" -v s="$2" 'BEGIN { printf "%d", rate * (s + 1.5) * 1e6 }')"
    for view in ${LIVE_VIEWS:-1 2 3 4 5}; do
        result=$("$bench" bytes "$folder/capture.kev" "$folder/growing.kev" "$1" build/tracetui "$view") || exit 2
        rows=$rows,{\"mode\":\"bytes\",\"view\":$view,\"result\":$result}
        bytes=$(printf '%s\n' "$bytes" "$(field bytes_per_s "$result")" | sort -g | tail -n 1)
        frames=$(printf '%s\n' "$frames" "$(field frames_per_s "$result")" | sort -g | head -n 1)
    done
    row "growing by $1 MB/s, 80x24, all views: bytes/s, maximum" "$bytes" "8000 / 4000"
    row "... frames/s, minimum" "$frames"
}
sent 0.333 $((4 * seconds)) # frames of 3 KB: few in a short time
sent 50 $((2 * seconds))
echo "[$rows]" >build/bench/live.json
