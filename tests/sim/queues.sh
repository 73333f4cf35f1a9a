#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `stats --by queue` equals a second implementation (tests/sim/queues.py) that has the simulator's truth alone.
# QUEUE_SEEDS runs (1) of each variant of QNX captures, the scenarios in turn; the long form is QUEUE_SEEDS=40.
. tests/lib/case.sh
SCRIPT=tests/sim/queues.py
. tests/lib/truth.sh

variants=("${kev_variants[@]}")
scenarios=(mixed chatty overload convoy inversion irqstorm)

seeds=${QUEUE_SEEDS:-1}
for ((seed = 1; seed <= seeds; seed++)); do
    for ((i = 0; i < ${#variants[@]}; i++)); do
        # shellcheck disable=SC2086
        check "$seed" "${scenarios[(i + seed * 3) % ${#scenarios[@]}]}" ${variants[i]}
    done
done
