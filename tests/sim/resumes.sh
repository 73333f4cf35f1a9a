#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Each change of a ThreadX thread's state has its entry, on one core and on several (tests/sim/resumes.py).
# RESUMES_SEEDS=N: N seeds (2) of each.
. tests/lib/case.sh

seeds=${RESUMES_SEEDS:-2}
for ((seed = 1; seed <= seeds; seed++)); do
    while read -r options; do
        # shellcheck disable=SC2086 # options are words
        "$TTSIM" --format trx --seed "$seed" --events 2500 $options -o "$WORK/run.trx"
        same_text "seed $seed, $options" "" "$(python3 tests/sim/resumes.py "$TRACETUI" "$WORK/run.trx" 2>"$WORK/err")"
        [[ $(cat "$WORK/err") = [1-9]*" checked" ]] || not_ok "it checks" "$(cat "$WORK/err")"
    done <<'RUNS'
--scenario mixed --cpus 1
--scenario mixed --cpus 4
--scenario chatty --cpus 3 --trx-width 64
--scenario overload --cpus 2
--scenario queues --cpus 2 --trx-queues
--scenario irqstorm --cpus 4 --trx-ring 800
RUNS
done
