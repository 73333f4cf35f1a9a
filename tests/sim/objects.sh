#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `stats --by object` equals a second implementation (tests/sim/objects.py) that has the simulator's truth
# alone. OBJECT_SEEDS runs (1) of each scenario with locks, the variants of the formats in turn; the
# long form is OBJECT_SEEDS=40.
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip objects "python3 is not installed"
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
    "--format btrace"
    "--kev-version 8.0 --kev-buffers ring --kev-ring 2"
)
scenarios=(mixed chain convoy inversion deadlock irqstorm mixed convoy inversion mixed)

check() { # check SEED SCENARIO OPTION...
    local seed=$1 scenario=$2
    shift 2
    "$TTSIM" --seed "$seed" --scenario "$scenario" --events $((1500 + seed * 53 % 1500)) --clock 1000000000 \
        --truth full -o "$WORK/run" "$@"
    if python3 tests/sim/objects.py "$TRACETUI" "$WORK/run" >"$WORK/out" 2>&1; then
        ok "$scenario, seed $seed, $*: $(tail -n 1 "$WORK/out")"
    else
        not_ok "$scenario, seed $seed, $*" "$(tail -n 1 "$WORK/out"), first: $(head -n 1 "$WORK/out" | cut -c1-400)"
    fi
}

seeds=${OBJECT_SEEDS:-1}
for ((seed = 1; seed <= seeds; seed++)); do
    for ((i = 0; i < ${#variants[@]}; i++)); do
        # shellcheck disable=SC2086
        check "$seed" "${scenarios[(i + seed * 3) % ${#scenarios[@]}]}" ${variants[i]}
    done
done
