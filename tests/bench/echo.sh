#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures the echo of a key while filters are typed, on BENCH_FILTER_EVENTS (10000000), and of the same
# keys in a prompt without background work: the difference is caused by the filters, the rest by the machine.
# Prints rows, writes build/bench/echo.json.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
make_capture "${BENCH_FILTER_EVENTS:-10000000}" kev
row "load while keys are echoed" "$(load)"
echo=$("$variant/tests/bench/bench_echo" build/tracetui "$capture" 'thread ~ ^io-' 'REC_MESSAGE|SND' \
    'pid=4100 tid=[12]' 'state = READY and dur > 50us' '(a+)+$') || exit 2
row "echo of a key in a filter, ms: median" "$(part "$echo" filter median_ms)" "at most 16"
row "... 99 of 100" "$(part "$echo" filter p99_ms)" "at most 16"
row "... the slowest" "$(part "$echo" filter max_ms)" "at most 16"
row "echo of a key in a command, ms: median" "$(part "$echo" command median_ms)"
row "... 99 of 100" "$(part "$echo" command p99_ms)"
row "... the slowest" "$(part "$echo" command max_ms)"
printf '%s\n' "$echo" >"$folder/echo.json"
