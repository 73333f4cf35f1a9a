#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Snapshots at random instants equal the simulator's truth (tests/sim/at.py): states, times, CPUs,
# priorities, and the thread it waits for. AT_SEEDS runs (4) with three scenarios each, at AT_INSTANTS (40)
# instants; the long form is AT_SEEDS=60 AT_INSTANTS=1000.
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip at "python3 is not installed"
    exit 0
fi

variants=(
    "--kev-version 7.1 --kev-mode wide"
    "--kev-version 6.4 --kev-mode fast"
    "--kev-version 8.0 --kev-mode wide"
    "--format fxt"
    "--format trx --cpus 1 --start 1000"
    "--kev-version 7.1 --lose 3 --kev-slots 300"
    "--format btrace --cpus 2"
    "--kev-version 8.0 --kev-mode fast --lose 3 --kev-slots 200"
    "--format fxt --fxt-sched legacy --fxt-providers 2"
    "--kev-version 6.4 --kev-mode wide --endian big"
    "--kev-version 7.1 --kev-buffers ring --kev-ring 2"
    "--format fxt --lose 2"
    "--kev-version 7.1 --kev-mode mixed --ties"
    "--kev-version 8.0 --kev-buffers ring --kev-ring 2"
    "--format trx --cpus 1 --start 1000 --trx-width 64 --trx-counter down"
    "--format btrace --cpus 2 --lose 3"
)
scenarios=(mixed chain chatty irqstorm convoy churn inversion deadlock overload)

check() { # check SEED SCENARIO OPTION...
    local seed=$1 scenario=$2
    shift 2
    "$TTSIM" --seed "$seed" --scenario "$scenario" --events $((1500 + seed * 53 % 1500)) --clock 1000000000 \
        --truth full -o "$WORK/run" "$@"
    if python3 tests/sim/at.py "$TRACETUI" "$WORK/run" "${AT_INSTANTS:-40}" >"$WORK/out" 2>&1; then
        ok "$scenario, seed $seed, $*: $(tail -n 1 "$WORK/out")"
    else
        not_ok "$scenario, seed $seed, $*" "$(tail -n 1 "$WORK/out"), first: $(head -n 1 "$WORK/out" | cut -c1-400)"
    fi
}

# A number of a message is used again, and the records of the CPUs are in separate buffers.
check 9 chatty --kev-version 8.0 --kev-mode wide
# A mutex passes from thread to thread in a wait that does not end in the capture, before the threads of
# the CPUs are known, and around lost records.
AT_INSTANTS=${AT_INSTANTS:-200} check 19 convoy --kev-version 8.0 --kev-mode wide
check 33 convoy --kev-version 7.1 --kev-buffers ring --kev-ring 2
AT_INSTANTS=${AT_INSTANTS:-100} check 51 convoy --kev-version 8.0 --kev-mode fast --lose 3 --kev-slots 200

seeds=${AT_SEEDS:-4}
for ((seed = 1; seed <= seeds; seed++)); do
    # Every variant meets every scenario in the long form.
    for ((i = 0; i < 3; i++)); do
        variant=$((seed + i * 5 - 1))
        scenario=$((seed * 3 + i + seed / 16))
        # shellcheck disable=SC2086
        check "$seed" "${scenarios[scenario % ${#scenarios[@]}]}" ${variants[variant % ${#variants[@]}]}
    done
done
