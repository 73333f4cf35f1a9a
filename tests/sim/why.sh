#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `why` equals a second implementation (tests/sim/why.py) that has the simulator's truth alone: every
# wake, and the pieces of every delay, preempted wait and wait. WHY_SEEDS runs (12) with three scenarios
# each; the long form is WHY_SEEDS=200.
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip why "python3 is not installed"
    exit 0
fi

variants=(
    "--kev-version 7.1 --kev-mode wide"
    "--kev-version 6.4 --kev-mode fast"
    "--kev-version 8.0 --kev-mode wide"
    "--format fxt"
    "--format trx --cpus 1 --start 1000"
    "--kev-version 7.1 --lose 3 --kev-slots 300"
    "--format btrace --cpus 2"
    "--kev-version 8.0 --kev-mode fast --lose 3 --kev-slots 200"
    "--format fxt --fxt-sched legacy --fxt-providers 2"
    "--kev-version 6.4 --kev-mode wide --endian big"
    "--kev-version 7.1 --kev-buffers ring --kev-ring 2"
    "--format fxt --lose 2"
    "--kev-version 7.1 --kev-mode mixed --ties"
    "--kev-version 8.0 --kev-buffers ring --kev-ring 2"
    "--format trx --cpus 1 --start 1000 --trx-width 64 --trx-counter down"
    "--format btrace --cpus 2 --lose 3"
)
scenarios=(mixed chain chatty irqstorm convoy churn inversion deadlock overload)

check() { # check SEED SCENARIO OPTION...
    local seed=$1 scenario=$2
    shift 2
    "$TTSIM" --seed "$seed" --scenario "$scenario" --events $((1200 + seed * 53 % 1500)) --clock 1000000000 \
        --truth full -o "$WORK/run" "$@"
    if python3 tests/sim/why.py "$TRACETUI" "$WORK/run" >"$WORK/out" 2>&1; then
        ok "$scenario, seed $seed, $*: $(tail -n 1 "$WORK/out")"
    else
        not_ok "$scenario, seed $seed, $*" "$(tail -n 1 "$WORK/out"), first: $(head -n 1 "$WORK/out" | cut -c1-400)"
    fi
}

seeds=${WHY_SEEDS:-12}
for ((seed = 1; seed <= seeds; seed++)); do
    # Every variant meets every scenario in the long form.
    for ((i = 0; i < 3; i++)); do
        variant=$((seed + i * 5 - 1))
        scenario=$((seed * 3 + i + seed / 16))
        # shellcheck disable=SC2086
        check "$seed" "${scenarios[scenario % ${#scenarios[@]}]}" ${variants[variant % ${#variants[@]}]}
    done
done

# An interrupt is open when the capture begins: who woke a thread in it is not known.
check 168 irqstorm --kev-version 6.4 --kev-mode fast
check 189 irqstorm --kev-version 6.4 --kev-mode wide --endian big
