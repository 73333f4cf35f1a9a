# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Every interval and every number of the library equals what the simulator says really happened, to
# the tick: QNX captures of all versions, modes and buffers, in all scenarios. TRUTH_SEEDS=N: more.
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
for version in 6.4 7.1; do
    "$TTSIM" --scenario mixed --kev-version $version --kev-buffers ring --events 30000 \
        -o "$WORK/x.kev" --truth full
    if "$check" "$WORK/x.kev" "$WORK/x.kev.truth.jsonl" >"$WORK/out" 2>&1; then
        ok "ring $version"
    else
        not_ok "ring $version" "$(head -n 1 "$WORK/out" | cut -c1-200)"
    fi
done
