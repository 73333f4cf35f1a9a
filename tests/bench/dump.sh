#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lines per second of dump, on two CPUs, and events per second of export, including the index; to /dev/null, so that no
# disk is measured.
set -u
cd "$(dirname "$0")/../.." || exit 2
. tests/bench/lib.sh
make_capture "${BENCH_EVENTS:-4000000}" kev
dump=(build/tracetui dump)
two=
if taskset -c 0,1 true 2>/dev/null; then
    dump=(taskset -c 0,1 "${dump[@]}")
    two=" on two CPUs"
fi
declare -A bars=([text]="8 / 10" [csv]="6 / 10" [jsonl]="6 / 10")
read -r count bytes < <(build/tracetui dump "$capture" | wc -lc)
{
    printf '{"events":%s,"bytes_of_text":%s' "$count" "$bytes"
    for format in text csv jsonl; do
        took=$(seconds "${dump[@]}" --format "$format" -o /dev/null "$capture") || exit 2
        used=$({ TIMEFORMAT='%U %S'; time "${dump[@]}" --format "$format" -o /dev/null \
            "$capture" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }')
        row "dump to $format$two, M lines/s" "$(million "$count" "$took")" "${bars[$format]}" >&3
        row "... a second of processor time" "$(million "$count" "$used")" >&3
        printf ',"%s_seconds":%s,"%s_m_lines_s":%s,"%s_cpu_seconds":%s' $format "$took" $format \
            "$(million "$count" "$took")" $format "$used"
    done
    make_capture "$((${BENCH_EVENTS:-4000000} / 4))" ftrace
    dat_lines=$(build/tracetui dump "$capture" | wc -l)
    took=$(seconds "${dump[@]}" -o /dev/null "$capture") || exit 2
    row "dump trace.dat$two, M lines/s" "$(million "$dat_lines" "$took")" "5 / 10" >&3
    printf ',"dat_m_lines_s":%s' "$(million "$dat_lines" "$took")"
    if command -v trace-cmd >/dev/null; then
        theirs=$(once trace-cmd report -N -t -i "$capture") || exit 2
        times=$(awk -v t="$theirs" -v o="$took" 'BEGIN { printf "%.1f", t / o }')
        row "... of those of trace-cmd report" "$times" "at least 20" >&3
        printf ',"trace_cmd_times":%s' "$times"
    fi
    for format in lttng zephyr; do
        make_capture "$((${BENCH_EVENTS:-4000000} / 4))" "$format"
        ctf_lines=$(build/tracetui dump "$capture" | wc -l)
        took=$(seconds "${dump[@]}" -o /dev/null "$capture") || exit 2
        row "dump CTF of $format$two, M lines/s" "$(million "$ctf_lines" "$took")" "5 / 10" >&3
        printf ',"%s_m_lines_s":%s' $format "$(million "$ctf_lines" "$took")"
        if command -v babeltrace2 >/dev/null; then
            theirs=$(once babeltrace2 "$capture") || exit 2
            times=$(awk -v t="$theirs" -v o="$took" 'BEGIN { printf "%.1f", t / o }')
            row "... of those of babeltrace2" "$times" "at least 25" >&3
            printf ',"%s_babeltrace2_times":%s' $format "$times"
        fi
    done
    make_capture "${BENCH_EVENTS:-4000000}" kev
    took=$(seconds build/tracetui export -o /dev/null "$capture") || exit 2
    row "export to fxt, M events/s" "$(million "$count" "$took")" "2 / 4" >&3
    printf ',"export_seconds":%s,"export_m_events_s":%s' "$took" "$(million "$count" "$took")"
    printf '}\n'
} 3>&1 >"$folder/dump.json"
