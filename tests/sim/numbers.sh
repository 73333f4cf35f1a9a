#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# stats equals the truth to the tick, per thread and per CPU, in every format that records it. The clock is 1 GHz, so that a tick is a nanosecond.
. tests/lib/case.sh

fields_of_truth="running irq ready ipc lock sleep wait stopped in out voluntary preempted out_unknown
    migrations slice_count slice_max sch_count sch_max preempted_count preempted_max wait_count wait_max"
fields_of_stats="running_ns irq_ns ready_ns ipc_ns lock_ns sleep_ns wait_ns stopped_ns switches_in
    switches_out voluntary preempted unknown_out migrations slices slice_max_ns delay_count delay_max_ns
    preempted_wait_count preempted_wait_max_ns wait_count wait_max_ns"
cpu_of_truth="busy idle irq kernel unknown switches"
cpu_of_stats="busy_ns idle_ns irq_ns kernel_ns unknown_ns switches"

# pick "KEYS" NAMES: from flat JSON lines, prints these keys as NAME=VALUE, sorted; 0 if missing
pick() {
    awk -v keys="$1" -v names="$2" '
        BEGIN { n = split(keys, key, " "); split(names, name, " ") }
        {
            text = " "
            for (i = 1; i <= n; i++) {
                value = 0
                if (match($0, "\"" key[i] "\":[^,}]*")) {
                    value = substr($0, RSTART, RLENGTH)
                    sub(/.*:/, "", value)
                    gsub(/"/, "", value)
                    if (value == "null") value = 0
                }
                text = text name[i] "=" value " "
            }
            # Threads that are named but never scheduled are lanes in the one and missing from the
            # other.
            if (text !~ / in=0 out=0 / || text !~ / running=0 /) print text
        }' | sort
}

# alike NAME: $WORK/truth and $WORK/stats are the same, and not empty
alike() {
    if [ -s "$WORK/truth" ]; then
        same "$1" "$WORK/truth" "$WORK/stats"
    else
        not_ok "$1" "there is no truth"
    fi
}

compare() { # compare OPTION...
    rm -rf "$WORK/run"
    "$TTSIM" --events 20000 --clock 1000000000 --truth sums -o "$WORK/run" "$@"
    "$TRACETUI" stats --by thread --format jsonl "$WORK/run" |
        pick "$ids $fields_of_stats" "$ids $fields_of_truth" >"$WORK/stats"
    grep '"t":"sum_thread"' "$WORK/run.truth.jsonl" |
        pick "$ids $fields_of_truth" "$ids $fields_of_truth" >"$WORK/truth"
    alike "threads: $*"
    "$TRACETUI" stats --by cpu --format jsonl "$WORK/run" |
        pick "cpu $cpu_of_stats" "cpu $cpu_of_truth" >"$WORK/stats"
    grep '"t":"sum_cpu"' "$WORK/run.truth.jsonl" |
        pick "cpu $cpu_of_truth" "cpu $cpu_of_truth" >"$WORK/truth"
    alike "CPUs: $*"
}

ids="pid tid"
for scenario in mixed inversion chatty irqstorm overload churn; do
    for version in 6.4 7.1 8.0; do
        compare --scenario $scenario --kev-version $version --kev-mode mixed --seed 4
    done
done
compare --scenario mixed --processes 6 --threads 50 --cpus 7
compare --kev-buffers ring --kev-ring 8
compare --ties --scenario chatty --kev-version 6.4
compare --interlace 2 --ties --scenario mixed
for scenario in mixed chatty churn; do
    compare --format fxt --scenario $scenario
    compare --format fxt --scenario $scenario --fxt-sched legacy --fxt-providers 3
done
# BTrace identifies threads by address, which the truth does not have: rows are compared without
# ids.
ids=
for scenario in mixed chatty irqstorm churn; do
    compare --format btrace --scenario $scenario
    compare --format btrace --scenario $scenario --cpus 1 --btrace-stamps 64
done
# A Linux thread is known by its number; the process of one that began before the capture is not.
ids=tid
for scenario in mixed inversion chatty irqstorm overload churn; do
    compare --format ftrace --scenario $scenario
    compare --format ftrace --scenario $scenario --ftrace-kernel 4.14 --ftrace-version 6 --endian big --seed 4
done
compare --format ftrace --scenario mixed --ftrace-kernel 6.1 --ftrace-compress zstd --ftrace-long 32 --cpus 7 --processes 6 --threads 50
compare --format ftrace --scenario chatty --ftrace-kernel 3.10 --ftrace-page 1024 --cpus 1
compare --format lttng --scenario mixed
for scenario in inversion chatty irqstorm overload churn; do
    compare --format lttng --scenario $scenario --ftrace-kernel 4.14 --endian big --seed 4
done
compare --format lttng --scenario overload --lttng-ctf 2 --ftrace-long 32 --cpus 3
# Those of Zephyr go by address, which several threads have one after the other where threads are created.
ids=
for scenario in inversion chatty irqstorm overload; do
    compare --format zephyr --scenario $scenario
    compare --format zephyr --scenario $scenario --zephyr-release 4.3 --cpus 1 --seed 4
done
compare --format zephyr --zephyr-release smp --scenario chatty --cpus 3
compare --format zephyr --zephyr-release link --scenario chatty
compare --format zephyr --zephyr-release ram --scenario overload --cpus 1

# With lost records: the same times are unknown in both. (If the end of a process is lost, two
# processes with one pid cannot be distinguished: no such runs here.)
for scenario in chatty irqstorm overload; do
    ids="pid tid"
    compare --lose 4 --kev-slots 300 --scenario $scenario --kev-version 6.4
    compare --lose 4 --kev-slots 300 --scenario $scenario --kev-version 7.1
    compare --lose 4 --kev-slots 300 --scenario $scenario --kev-version 8.0 --cpus 3
    compare --lose 5 --kev-slots 200 --scenario $scenario --kev-version 8.0 --cpus 2 --seed 3 --kev-dropped
    ids=
    compare --lose 4 --format btrace --scenario $scenario
    ids=tid
    compare --lose 4 --format ftrace --scenario $scenario --cpus 1
    compare --lose 4 --format ftrace --scenario $scenario --cpus 3 --ftrace-compress zstd
    compare --lose 4 --format lttng --scenario $scenario
    [ $scenario != chatty ] || continue
    ids=
    compare --lose 4 --format zephyr --scenario $scenario
done
