#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `stats --by mode` equals a second implementation (tests/sim/modes.py) of system and user time, from the runs and
# interrupts of the simulator's truth. MODE_SEEDS runs (1) of each variant without losses; the long form is
# MODE_SEEDS=40.
. tests/lib/case.sh
SCRIPT=tests/sim/modes.py
. tests/lib/truth.sh

variants=("${kev_variants[@]:0:3}" "${kev_variants[5]}" "${kev_variants[7]}")
scenarios=(mixed chatty overload convoy irqstorm)

seeds=${MODE_SEEDS:-1}
for ((seed = 1; seed <= seeds; seed++)); do
    for ((i = 0; i < ${#variants[@]}; i++)); do
        # shellcheck disable=SC2086
        check "$seed" "${scenarios[(i + seed * 3) % ${#scenarios[@]}]}" ${variants[i]}
    done
done
