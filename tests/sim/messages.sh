#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `dump --messages` equals a second implementation (tests/sim/messages.py) that has the simulator's truth
# alone: every message, to the tick. MESSAGE_SEEDS runs (3) of each scenario, the variants of the format
# in turn; the long form is MESSAGE_SEEDS=60.
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip messages "python3 is not installed"
    exit 0
fi

variants=(
    "--kev-version 7.1 --kev-mode wide"
    "--kev-version 6.4 --kev-mode fast"
    "--kev-version 8.0 --kev-mode wide"
    "--kev-version 7.1 --lose 3 --kev-slots 300"
    "--kev-version 8.0 --kev-mode fast --lose 3 --kev-slots 200"
    "--kev-version 6.4 --kev-mode wide --endian big"
    "--kev-version 7.1 --kev-buffers ring --kev-ring 2"
    "--kev-version 7.1 --kev-mode mixed --ties --interlace 5"
    "--kev-version 8.0 --kev-buffers ring --kev-ring 2"
)
scenarios=(mixed chain chatty churn deadlock answers timeouts crash)

queues=("" "--trx-width 64" "--cpus 1" "--trx-ring 800")

check() { # check SEED SCENARIO OPTION...
    local seed=$1 scenario=$2
    shift 2
    "$TTSIM" --seed "$seed" --scenario "$scenario" --events $((1200 + seed * 53 % 1500)) --clock 1000000000 \
        --truth full -o "$WORK/run" "$@"
    if python3 tests/sim/messages.py "$TRACETUI" "$WORK/run" >"$WORK/out" 2>&1; then
        ok "$scenario, seed $seed, $*: $(tail -n 1 "$WORK/out")"
    else
        not_ok "$scenario, seed $seed, $*" "$(tail -n 1 "$WORK/out"), first: $(head -n 1 "$WORK/out" | cut -c1-400)"
    fi
}

seeds=${MESSAGE_SEEDS:-3}
for ((seed = 1; seed <= seeds; seed++)); do
    btrace=(timeouts answers chain mixed)
    check "$seed" "${btrace[seed % 4]}" --format btrace
    check "$seed" "${btrace[seed % 4]}" --format fxt
    # shellcheck disable=SC2086
    check "$seed" queues --format trx --trx-queues ${queues[seed % 4]}
done
for ((seed = 1; seed <= seeds; seed++)); do
    for ((i = 0; i < ${#scenarios[@]}; i++)); do
        # Every variant meets every scenario in the long form.
        # shellcheck disable=SC2086
        check "$seed" "${scenarios[i]}" ${variants[(seed * 6 + i + seed / 9) % ${#variants[@]}]}
    done
done
# A message to a server that began in a loss, with the pid of one that ended before.
check 1 crash --events 4000 --kev-version 7.1 --lose 3 --kev-slots 300
