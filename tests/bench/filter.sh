#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Filters compared with rg, in one run on one capture of BENCH_FILTER_EVENTS (10000000): the library on
# an indexed capture; `dump --filter | wc -l` including the index; `dump | rg -cP`; and `rg -cP` on
# dumped text. Each filter has a pattern that finds the same lines, and the counts
# are compared. Prints rows, writes build/bench/filter.json. Best of two.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
events=${BENCH_FILTER_EVENTS:-10000000}
if ! command -v rg >/dev/null 2>&1; then
    echo "filters beside rg: no rg here"
    echo '[]' >"$folder/filter.json"
    exit 0
fi

make_capture "$events" kev
text=$folder/mixed-$events.txt
build/tracetui dump -o "$text" "$capture" || exit 2
trap 'rm -f "$text"' EXIT

# best COMMAND...: seconds of the faster of two runs; its output is left in $folder/count
best() {
    local least= start took i
    for i in 1 2; do
        start=$(date +%s%N)
        "$@" >"$folder/count" </dev/null || return 1
        took=$(($(date +%s%N) - start))
        if [ -z "$least" ] || [ "$took" -lt "$least" ]; then least=$took; fi
    done
    awk -v ns="$least" 'BEGIN { printf "%.6f", ns / 1e9 }'
}
dump_rg() { build/tracetui dump "$capture" | rg -cP -e "$1"; }
dump_filter() { build/tracetui dump --filter "$1" "$capture" | wc -l; }
rate() { awk -v n="$events" -v s="$1" 'BEGIN { printf "%.1f", n / s / 1e6 }'; }
times() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.1f", a / b }'; }

printf '%-34s %8s %8s %8s %8s   %s\n' "filter, M events/s" run "dump -F" "dump|rg" "rg text" "run : dump|rg"
separator=
{
    printf '['
    while IFS=$'\t' read -r kind filter pattern; do
        run=$("$variant/tests/bench/bench_filter" 3 "$capture" "$filter") || exit 2
        whole=$(best dump_filter "$filter") || exit 2
        piped=$(best dump_rg "$pattern") || exit 2
        alone=$(best rg -cP -e "$pattern" "$text") || exit 2
        found=$(cat "$folder/count")
        if [ "$found" != "$(field matches "$run")" ]; then
            echo "bench: $filter finds $(field matches "$run"), rg finds $found" >&2
            exit 1
        fi
        seconds=$(field seconds "$run")
        printf '%s{"kind":"%s","run":%s,"dump_filter_seconds":%s,"dump_rg_seconds":%s,"rg_text_seconds":%s}' \
            "$separator" "$kind" "$run" "$whole" "$piped" "$alone"
        separator=,
        printf '%-34s %8s %8s %8s %8s   %s (%s)\n' "$filter" "$(rate "$seconds")" "$(rate "$whole")" \
            "$(rate "$piped")" "$(rate "$alone")" "$(times "$piped" "$seconds")" \
            "$([ "$kind" = terms ] && echo "at least 5, and 50 M events/s" || echo "at least 1")" >&3
        if [ "$kind" = terms ]; then
            judge "filter $filter, M events/s" "$(rate "$seconds")" "50 / 200"
            judge "filter $filter, times dump|rg" "$(times "$piped" "$seconds")" "at least 5"
        else
            judge "filter $filter, times dump|rg" "$(times "$piped" "$seconds")" "at least 1"
        fi
    done <<'FILTERS'
terms	thread ~ /^io-/	^.{19}[ ~]io-
terms	event = REC_MESSAGE	 COMM +REC_MESSAGE 
terms	cpu = 0	^.{15}  0 
terms	state = READY and event = THREADY	 THREAD +THREADY 
terms	thread ~ /^io-/ and cpu = 0	^.{15}  0 [ ~]io-
regex	/REC_MESSAGE/	REC_MESSAGE
regex	/timeout_flags=0x0*1000 /	timeout_flags=0x0*1000 
regex	/\bpid=4100 tid=[12]\b/	\bpid=4100 tid=[12]\b
FILTERS
    printf ']\n'
} 3>&1 >"$folder/filter.json"
