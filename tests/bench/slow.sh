#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A capture followed on a terminal at the end of a slow line: 10 KB/s behind a buffer of 64 KB. Bytes per
# second without keys, and the time from a key to its answer at the end of the line, on a terminal that
# answers status reports and on a silent one. Prints rows, writes build/bench/slow.json.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
mkdir -p build/bench
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
build/ttsim -o "$work/whole.kev" --events 800000 --seed 1 2>/dev/null

json=
for terminal in answers silent large; do
    size=80x24 kind=$terminal
    [ $terminal != large ] || size=200x60 kind=answers
    result=$(build/release/tests/bench/bench_slow "$work/whole.kev" "$work/growing.kev" build/tracetui $kind $size) ||
        exit 2
    row "line of 10 KB/s, $size, terminal $kind: bytes/s" "$(field bytes_per_s "$result")" "at most 4096"
    if [ $kind = answers ]; then
        row "... a key, ms: the slowest" "$(field key_max_ms "$result")" "at most 300"
    else
        row "... a key, ms: the slowest" "$(field key_max_ms "$result")"
    fi
    json=$json${json:+,}\"$terminal\":$result
done
echo "{$json}" >build/bench/slow.json
