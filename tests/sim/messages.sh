#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `dump --messages` equals a second implementation (tests/sim/messages.py) that has the simulator's truth
# alone: every message, to the tick. MESSAGE_SEEDS runs (3) of each scenario, the variants of the format
# in turn; the long form is MESSAGE_SEEDS=60.
. tests/lib/case.sh
SCRIPT=tests/sim/messages.py
EVENTS=1200
. tests/lib/truth.sh

scenarios=(mixed chain chatty churn deadlock answers timeouts crash)
queues=("" "--trx-width 64" "--cpus 1" "--trx-ring 800")

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
        # The long form combines every variant with every scenario.
        # shellcheck disable=SC2086
        check "$seed" "${scenarios[i]}" ${kev_variants[(seed * 6 + i + seed / 9) % ${#kev_variants[@]}]}
    done
done
# A message to a server that began in a loss, with the pid of one that ended before.
check 1 crash --events 4000 --kev-version 7.1 --lose 3 --kev-slots 300
