#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `stats --by object` equals a second implementation (tests/sim/objects.py) that has the simulator's truth
# alone. OBJECT_SEEDS runs (1) of each scenario with locks, the variants of the formats in turn; the
# long form is OBJECT_SEEDS=40.
. tests/lib/case.sh
SCRIPT=tests/sim/objects.py
. tests/lib/truth.sh

variants=("${kev_variants[@]:0:8}" "--format btrace" "${kev_variants[8]}")
scenarios=(mixed chain convoy inversion deadlock irqstorm mixed convoy inversion mixed)

seeds=${OBJECT_SEEDS:-1}
for ((seed = 1; seed <= seeds; seed++)); do
    for ((i = 0; i < ${#variants[@]}; i++)); do
        # shellcheck disable=SC2086
        check "$seed" "${scenarios[(i + seed * 3) % ${#scenarios[@]}]}" ${variants[i]}
    done
done
