#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A capture of 1 GB that was indexed before: time to reopen it, by the library and on the
# screen of the program. BENCH_REOPEN (28) is its size in millions of events. The size of the index
# caches of smaller captures; ThreadX captures have none: they are memory snapshots.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
make_capture "${BENCH_REOPEN:-28}000000" kev
cache=$PWD/$folder/cache
rm -rf "$cache"
sleep 0.2 # what was written just now is not kept
reopen=$("$variant/tests/bench/bench_reopen" "$capture" "$cache" $((pairs * 4))) || exit 2
kept=$(find "$cache" -name 'index-*' -printf '%s\n')
mkdir "$cache/own" && mv "$cache"/index-* "$cache/own" && mv "$cache/own" "$cache/tracetui"
export XDG_CACHE_HOME=$cache
# Without Summary: printing it waits for percentiles of all intervals, which
# the program on a terminal computes in the background.
for view in events threads cpus info; do
    build/tracetui render info --size 120x40 "$capture" | grep -q 'from the index cache' ||
        { echo "reopen: the index is not taken" >&2; exit 2; }
    seconds=$(seconds build/tracetui render "$view" --size 80x24 "$capture") || exit 2
    views="${views:+$views / }$(milliseconds "$seconds")"
done
rm -rf "$cache" "$capture"
# kept_part FORMAT: size of the index cache in per cent of a capture of BENCH_EVENTS
kept_part() {
    make_capture "${BENCH_EVENTS:-4000000}" "$1"
    sleep 0.2
    XDG_CACHE_HOME=$cache build/tracetui render threads --size 80x24 "$capture" >/dev/null
    find "$cache/tracetui" -name 'index-*' -printf '%s\n' |
        awk -v whole="$(stat -c %s "$capture")" '{ printf "%.1f", 100 * $1 / whole }'
    rm -rf "$cache"
}
of_kev=$(kept_part kev) of_fxt=$(kept_part fxt) of_btrace=$(kept_part btrace)
row "reopening an indexed 1 GB capture: all there, ms" "$(field ready_ms "$reopen")" "50 / 15"
row "... the middle of $((pairs * 4)) rounds, ms" "$(field middle_ready_ms "$reopen")"
row "... processor time of two threads, ms" "$(field processor_ms "$reopen")"
row "... its first screen, ms" "$(field screen_ms "$reopen")"
row "... indexed the first time, ms" "$(field first_ms "$reopen")"
row "... its index cache, MB" "$((kept / 1000000))"
row "index cache, % of a QNX capture" "$of_kev" "25 / 8"
row "index cache, % of an FXT capture" "$of_fxt" "25 / 8"
row "index cache, % of a BTrace capture" "$of_btrace" "25 / 8"
row "reopening 1 GB by a program each: Events / Threads / CPUs / Info, ms" "$views"
printf '{"library":%s,"kept_bytes":%s,"kept_percent":{"kev":%s,"fxt":%s,"btrace":%s},"views_ms":"%s"}\n' "$reopen" "$kept" \
    "$of_kev" "$of_fxt" "$of_btrace" "$views" >"$folder/reopen.json"
