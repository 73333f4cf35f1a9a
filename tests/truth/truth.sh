# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Every interval and every number of the library equals the simulator's truth, to the tick: QNX
# captures of all versions, modes and buffers, in all scenarios; captures of the other formats with
# threads that begin and end. Each thread is in the lane that the rule of its format defines
# (docs/metrics.md). TRUTH_SEEDS=N: more seeds.
. tests/lib/case.sh

check=$BUILD/tests/truth/check_truth
number=0
for scenario in mixed inversion chatty irqstorm overload churn; do
    for version in 6.4 7.1 8.0; do
        for ((seed = 1; seed <= ${TRUTH_SEEDS:-1}; seed++)); do
            modes=(fast wide mixed)
            mode=${modes[number++ % 3]}
            name="$scenario $version $mode, seed $seed"
            "$TTSIM" --scenario $scenario --kev-version $version --kev-mode "$mode" --seed "$seed" \
                --events 15000 -o "$WORK/x.kev" --truth full || not_ok "$name" "no capture"
            if "$check" "$WORK/x.kev" "$WORK/x.kev.truth.jsonl" >"$WORK/out" 2>&1; then
                ok "$name"
            else
                not_ok "$name" "$(head -n 1 "$WORK/out" | cut -c1-200)"
            fi
        done
    done
done

# check_run NAME OPTION...: a capture made with these options
check_run() {
    local name=$1
    shift
    rm -rf "$WORK/x.kev"
    "$TTSIM" "$@" -o "$WORK/x.kev" --truth full || not_ok "$name" "no capture"
    if "$check" "$WORK/x.kev" "$WORK/x.kev.truth.jsonl" "${TRUTH_WINDOWS:-5}" >"$WORK/out" 2>&1; then
        ok "$name"
    else
        not_ok "$name" "$(tail -n 1 "$WORK/out"), first: $(head -n 1 "$WORK/out" | cut -c1-200)"
    fi
}

# Rings and losses. Normally one mode a case; TRUTH_MATRIX=1: all of them and TRUTH_SEEDS seeds.
# 8.0 has a ring per CPU: processes that begin and end in a lost buffer are distinguished only as far as
# the other rings have them. Churn with losses is therefore left out, and so are captures whose list of
# threads at the end begins in a lost buffer (docs/metrics.md, "Losses").
for scenario in mixed inversion churn; do
    for version in 6.4 7.1 8.0; do
        for buffers in linear ring; do
            for lose in 0 12; do
                [ "$scenario $version" = "churn 8.0" ] && [ "$buffers $lose" != "linear 0" ] && continue
                [ "$buffers $lose" = "linear 0" ] && [ -z "${TRUTH_MATRIX:-}" ] && continue
                modes=(fast wide mixed)
                [ -n "${TRUTH_MATRIX:-}" ] || modes=("${modes[number++ % 3]}")
                for mode in "${modes[@]}"; do
                    for ((seed = 1; seed <= ${TRUTH_SEEDS:-1}; seed++)); do
                        losing=()
                        [ $lose = 0 ] || losing=(--lose $lose)
                        check_run "$scenario $version $mode $buffers, one of $lose lost, seed $seed" \
                            --scenario $scenario --kev-version $version --kev-mode "$mode" \
                            --kev-buffers $buffers "${losing[@]}" --seed "$seed" --events 30000
                    done
                done
            done
        done
    done
done

# ThreadX: the contents of its entries, in order. Several CPUs are left out: a thread that another
# CPU displaces has no entry of its own, so that a reader sees it run until the next one.
for scenario in mixed inversion chatty irqstorm overload chain convoy deadlock; do
    check_run "trx, $scenario" --format trx --cpus 1 --scenario $scenario --events 20000
done
# The entries left in a ring are counted; its switches begin with a thread that the truth of a ring
# lacks.
for scenario in mixed inversion chatty irqstorm churn; do
    check_run "trx ring, $scenario" --format trx --cpus 1 --scenario $scenario --events 20000 --trx-ring 5000
done

# A BTrace ring that was overwritten: it lacks the names, and the first switch of a CPU is a switch.
for cpus in 1 4; do
    for scenario in mixed chatty irqstorm; do
        check_run "btrace ring, $scenario, $cpus CPUs" --format btrace --btrace-ring 60 --scenario $scenario \
            --cpus $cpus --events 20000
    done
done

# Linux: versions, byte orders, words, kernels and pages.
for scenario in mixed inversion chatty irqstorm overload churn chain convoy answers queues; do
    forms=("--ftrace-version 6" "--ftrace-compress zstd" "--endian big --ftrace-kernel 6.1" "--ftrace-long 32 --ftrace-kernel 4.14"
        "--ftrace-kernel 3.10 --ftrace-page 16384")
    read -ra options_ <<<"${forms[number++ % 5]}"
    check_run "ftrace ${options_[*]}, $scenario" --format ftrace "${options_[@]}" --scenario $scenario --events 20000
done

# LTTng: forms, headers and packets, and every scenario.
for options in "--scenario mixed" "--scenario inversion --lttng-header large" "--scenario overload --endian big --ftrace-kernel 4.14" \
    "--scenario chain --ftrace-long 32" "--scenario convoy --lttng-ctf 2" "--scenario overload --lose 4" "--scenario chatty" \
    "--scenario irqstorm" "--scenario churn" "--scenario churn --lttng-contexts" "--scenario answers --endian big" \
    "--scenario queues --lttng-header large" "--scenario chatty --lose 4" "--scenario irqstorm --lose 4"; do
    read -ra options_ <<<"$options"
    check_run "lttng, $options" --format lttng "${options_[@]}" --events 20000
done

# Zephyr: releases, and every scenario.
for scenario in mixed inversion chatty irqstorm overload churn chain convoy answers queues; do
    check_run "zephyr, $scenario" --format zephyr --scenario $scenario --events 20000
done
for options in "--zephyr-release 4.3 --cpus 1" "--zephyr-release 4.4 --cpus 1 --scenario churn" "--zephyr-release smp --cpus 3" \
    "--zephyr-release link" "--lose 4 --scenario irqstorm" "--lose 4 --scenario overload" "--lose 4 --scenario chatty --seed 2"; do
    read -ra options_ <<<"$options"
    check_run "zephyr, $options" --format zephyr "${options_[@]}" --events 20000
done

# A reused id: another lane in BTrace (an address) and FXT (a koid is never reused), the same in QNX
# (a tid, above) and ThreadX (a control block).
for options in "--format btrace" "--format btrace --cpus 1" "--format fxt" "--format fxt --fxt-sched legacy" \
    "--format trx --cpus 1" "--format ftrace"; do
    for ((seed = 1; seed <= ${TRUTH_SEEDS:-1}; seed++)); do
        read -ra options_ <<<"$options"
        check_run "churn, $options, seed $seed" "${options_[@]}" --scenario churn --seed "$seed" --events 20000
    done
done
