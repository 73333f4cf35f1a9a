#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# `stats --by interrupt` has the numbers of the simulator's truth (tests/sim/interrupts.py): counts, times
# between, durations, nesting, and the threads that each interrupt woke. INTERRUPTS_SEEDS runs (1) of each
# variant.
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip interrupts "python3 is not installed"
    exit 0
fi

for ((seed = 1; seed <= ${INTERRUPTS_SEEDS:-1}; seed++)); do
    for variant in "kev mixed --kev-version 7.1 --kev-mode wide" \
        "kev irqstorm --kev-version 6.4 --kev-mode fast" \
        "kev irqstorm --kev-version 7.1 --kev-mode mixed --endian big" \
        "kev8 mixed --kev-version 8.0 --kev-mode wide" \
        "trx irqstorm --format trx --cpus 1 --start 1000" \
        "btrace irqstorm --format btrace --cpus 2"; do
        read -r kind scenario options <<<"$variant"
        # shellcheck disable=SC2086 # a list of options
        "$TTSIM" --scenario "$scenario" --seed "$seed" --events 3000 --clock 1000000000 --truth full -o "$WORK/run" $options
        run python3 tests/sim/interrupts.py "$TRACETUI" "$WORK/run" "$kind"
        [ "$code" -eq 0 ] && ok "$variant, seed $seed: $(tail -n 1 "$WORK/out")" ||
            not_ok "$variant, seed $seed" "$(head -n 3 "$WORK/out" "$WORK/err" | cut -c1-400)"
    done
done
