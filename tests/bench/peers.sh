#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Beside other tools, pair by pair: their time for what they do with a capture, and `dump` of as
# many events as they print lines. rg and lnav read our text. babeltrace2, trace-cmd, uftrace and
# perf read captures of their own, which only they can record: BENCH_CTF, BENCH_TRACE_DAT,
# BENCH_UFTRACE (folders or files) and BENCH_PERF_DATA name one. A tool that is not installed, or
# has no capture, is said and left out.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
make_capture "${BENCH_EVENTS:-4000000}" kev
ours=$capture
text=$folder/peers.txt
build/tracetui dump -o "$text" "$ours" || exit 2
trap 'rm -f "$text"' EXIT
lines=$(wc -l <"$text")
json='{'

# beside NAME WHAT LINES COMMAND...: lines a second of theirs, and times that ours has of it
beside() {
    local name=$1 what=$2 count=$3 i of
    shift 3
    of=$(for ((i = 0; i < pairs; i++)); do
        theirs=$(once "$@") && mine=$(once build/tracetui dump -o /dev/null "$ours") || exit 1
        awk -v t="$theirs" -v m="$mine" -v n="$count" -v l="$lines" \
            'BEGIN { printf "%.4f %.4f\n", n / t / 1e6, (l / m) / (n / t) }'
    done) || { row "$name: $what" failed; return; }
    row "$name: $what, M lines/s" "$(cut -d' ' -f1 <<<"$of" | median)"
    row "... dump is so many times faster" "$(cut -d' ' -f2 <<<"$of" | median)"
    json="$json\"$name\":{\"m_lines_s\":$(cut -d' ' -f1 <<<"$of" | median),\"dump_times\":$(cut -d' ' -f2 <<<"$of" | median)},"
}

# own TOOL VARIABLE WHAT COMMAND...: a tool with a capture of its own
own() {
    local tool=$1 variable=$2 what=$3
    shift 3
    if ! command -v "$tool" >/dev/null 2>&1; then
        row "$tool" absent
    elif [ -z "${!variable:-}" ]; then
        row "$tool" "no capture" "$variable names one"
    else
        beside "$tool" "$what" "$("$@" 2>/dev/null | wc -l)" "$@"
    fi
}

if command -v rg >/dev/null 2>&1; then
    beside rg "counts a regex in our text" "$lines" rg -cP 'REC_MESSAGE.*pid' "$text"
else
    row rg absent
fi
if command -v lnav >/dev/null 2>&1; then
    beside lnav "filters our text" "$lines" lnav -n -c ':filter-in REC_MESSAGE' "$text"
else
    row lnav absent
fi
own babeltrace2 BENCH_CTF "prints a CTF capture" babeltrace2 "${BENCH_CTF:-}"
own trace-cmd BENCH_TRACE_DAT "reports" trace-cmd report -i "${BENCH_TRACE_DAT:-}"
own uftrace BENCH_UFTRACE "replays" uftrace replay --no-pager -d "${BENCH_UFTRACE:-}"
own perf BENCH_PERF_DATA "prints a capture" perf script -i "${BENCH_PERF_DATA:-}"
printf '%s}\n' "${json%,}" >"$folder/peers.json"
