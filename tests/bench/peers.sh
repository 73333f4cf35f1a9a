#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares with other tools in alternation: lines per second that they print, and the ratio of
# `dump` to that. rg and lnav read our text; the others read captures of their own format with the same
# number of events (BENCH_PEER_EVENTS, 1000000), which are made here:
#
#   babeltrace2   context switches in the Common Trace Format, written by peer_ctf
#   perf          context switches of `perf bench sched pipe`, recorded by perf
#   uftrace       calls of peer_calls, recorded by uftrace
#   trace-cmd     context switches of the same, recorded by trace-cmd, if the kernel permits it
#
# BENCH_CTF, BENCH_PERF_DATA, BENCH_UFTRACE and BENCH_TRACE_DAT name other captures to be read. A
# tool that is not installed or cannot record here is reported and left out. Lines of different tools have
# different contents; the ratio compares throughput only.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
events=${BENCH_PEER_EVENTS:-1000000}
make_capture "$events" kev
ours=$capture
work=$(mktemp -d "$folder/peers.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
text=$work/text
build/tracetui dump -o "$text" "$ours" || exit 2
lines=$(wc -l <"$text")
json='{'

# say NAME WHAT WORD: reports a missing figure and the reason
say() {
    row "$1: $2" "$3"
    json="$json\"$1\":\"$3\","
}

# beside NAME WHAT LINES COMMAND...: prints the tool's lines per second, and the ratio of dump to it
beside() {
    local name=$1 what=$2 count=$3 i of
    shift 3
    of=$(for ((i = 0; i < pairs; i++)); do
        theirs=$(once "$@") && mine=$(once build/tracetui dump -o /dev/null "$ours") || exit 1
        awk -v t="$theirs" -v m="$mine" -v n="$count" -v l="$lines" \
            'BEGIN { printf "%.4f %.4f\n", n / t / 1e6, (l / m) / (n / t) }'
    done) || { say "$name" "$what" failed; return; }
    local theirs times
    theirs=$(cut -d' ' -f1 <<<"$of" | median)
    times=$(cut -d' ' -f2 <<<"$of" | median)
    row "$name: $what, M lines/s" "$theirs" "of $count lines; dump has $times times as many"
    json="$json\"$name\":{\"lines\":$count,\"m_lines_s\":$theirs,\"dump_times\":$times},"
}

# reads TOOL WHAT CAPTURE RECORD COMMAND...: RECORD creates CAPTURE if it was not given
reads() {
    local tool=$1 what=$2 peer=$3 record=$4
    shift 4
    if ! command -v "$tool" >/dev/null 2>&1; then
        say "$tool" "$what" absent
    elif { [ -n "$record" ] && ! $record >/dev/null 2>&1 </dev/null; } || [ ! -e "$peer" ]; then
        say "$tool" "$what" "no capture"
    else
        beside "$tool" "$what" "$("$@" 2>/dev/null </dev/null | wc -l)" "$@"
    fi
}

# Each switches there and back once.
switching() { "$@" perf bench -f simple sched pipe -l $((events / 2)); }

record_ctf() { mkdir "$work/ctf" && "$variant/tests/bench/peer_ctf" "$events" "$work/ctf"; }
record_perf() { switching perf record -q -e context-switches -c 1 -o "$work/perf.data" --; }
record_dat() { switching trace-cmd record -q -e sched:sched_switch -o "$work/trace.dat"; }
record_calls() {
    "${CC:-cc}" -pg -O1 -o "$work/calls" tests/bench/peer_calls.c &&
        uftrace record --no-pager -d "$work/calls.d" "$work/calls" "$events"
}

if command -v rg >/dev/null 2>&1; then
    beside rg "counts a regex in our text" "$lines" rg -cP 'REC_MESSAGE.*pid' "$text"
else
    say rg "counts a regex in our text" absent
fi
if command -v lnav >/dev/null 2>&1; then
    beside lnav "filters our text" "$lines" lnav -n -c ':filter-in REC_MESSAGE' "$text"
else
    say lnav "filters our text" absent
fi
# record VARIABLE HOW: prints how a capture is recorded; nothing if the variable names one
record() { [ -n "${!1:-}" ] || echo "$2"; }
made=${BENCH_CTF:-$work/ctf}
reads babeltrace2 "prints switches" "$made" "$(record BENCH_CTF record_ctf)" babeltrace2 "$made"
made=${BENCH_PERF_DATA:-$work/perf.data}
reads perf "prints switches" "$made" "$(record BENCH_PERF_DATA record_perf)" perf script -i "$made"
made=${BENCH_UFTRACE:-$work/calls.d}
reads uftrace "replays calls" "$made" "$(record BENCH_UFTRACE record_calls)" \
    uftrace replay --no-pager -d "$made"
made=${BENCH_TRACE_DAT:-$work/trace.dat}
reads trace-cmd "prints switches" "$made" "$(record BENCH_TRACE_DAT record_dat)" \
    trace-cmd report -i "$made"
printf '%s}\n' "${json%,}" >"$folder/peers.json"
