#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Growth of cost with the number of events: BENCH_GROWTH is a list of millions ("1 4 16 100");
# captures that do not fit on the disk are skipped (36 MB per million). Captures of
# more than 16 million are indexed once and removed afterwards.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
separator=
{
    printf '['
    for millions in ${BENCH_GROWTH:-1 4 16 100}; do
        if ! has_room "$millions"; then
            row "$millions M events" "no room" >&3
            continue
        fi
        rounds=3
        [ "$millions" -le 16 ] || rounds=1
        make_capture "${millions}000000" kev
        of=$("$variant/tests/bench/bench_index" "$capture" $rounds) || exit 2
        peak=$("$variant/tests/bench/bench_index" --peak "$capture") || exit 2
        row "$millions M events, $(($(wc -c <"$capture") / 1000000)) MB: index, s" \
            "$(field elapsed_seconds "$of")" >&3
        row "... M slots/s" "$(field records_m_s "$of")" >&3
        row "... first screen, ms" "$(milliseconds "$(field first_screen_seconds "$of")")" \
            "50 / 15" >&3
        row "... most memory while indexing, MB" "$(field peak_mb "$peak")" >&3
        printf '%s{"millions":%s,"index":%s,"peak":%s}' "$separator" "$millions" "$of" "$peak"
        separator=,
        [ "$millions" -le 16 ] || rm -f "$capture"
    done
    printf ']\n'
} 3>&1 >"$folder/growth.json"
