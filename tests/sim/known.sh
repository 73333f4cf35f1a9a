#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A state that is known in a capture with lost buffers is that of the complete capture of the same run
# (tests/sim/known.py). KNOWN_SEEDS=N: N seeds (1) of each release and scenario.
. tests/lib/case.sh

seeds=${KNOWN_SEEDS:-1}
scenarios=(mixed chatty churn overload answers)
# Of a thousand events and more each.
seconds=(0.06 0.006 0.06 0.3 0.06)
for ((seed = 1; seed <= seeds; seed++)); do
    for version in 6.4 7.1 8.0; do
        for ((i = 0; i < ${#scenarios[@]}; i++)); do
            # The releases that lose the records of all CPUs at once have no such states: a scenario suffices.
            [ $version = 8.0 ] || [ $((seed % ${#scenarios[@]})) = $i ] || continue
            options="--scenario ${scenarios[i]} --kev-version $version --cpus $((2 + (seed + i) % 3)) --kev-slots $((150 + 50 * i))"
            # Half of the overruns of 8.0 have no gap in the numbers of buffers.
            dropped=
            [ $(((seed + i) % 2)) = 0 ] || dropped=--kev-dropped
            # shellcheck disable=SC2086 # options are words
            "$TTSIM" --seed "$seed" --seconds "${seconds[i]}" $options -o "$WORK/whole.kev" &&
                "$TTSIM" --seed "$seed" --seconds "${seconds[i]}" $options --lose $((4 + i)) $dropped -o "$WORK/lossy.kev"
            same_text "seed $seed, $options" "" \
                "$(python3 tests/sim/known.py "$TRACETUI" "$WORK/whole.kev" "$WORK/lossy.kev" 2>"$WORK/err")"
            [[ $(cat "$WORK/err") = *"states"* ]] || not_ok "it compares" "$(cat "$WORK/err")"
        done
    done
done
