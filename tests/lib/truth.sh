# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# For tests that compare the program with the simulator's truth by a script in Python. Source it after
# tests/lib/case.sh, with SCRIPT=tests/sim/NAME.py; without Python the whole test is skipped.
#
#     variants, scenarios       options of all formats, and scenarios that all of them can record
#     check SEED SCENARIO OPTION...
#                               simulates a run in $WORK/run and compares it: the script gets the program, the
#                               run and $ARGUMENTS, and its last line is the summary, or the first the failure
#     check_seeds COUNT         three scenarios for each seed; 16 seeds have all variants, 9 times as many
#                               all variants of all scenarios
#
# EVENTS is the minimum number of events of a run.
: "${SCRIPT:?}" "${EVENTS:=1500}"

if ! command -v python3 >/dev/null; then
    skip "$SCRIPT" "python3 is not installed"
    exit 0
fi

# shellcheck disable=SC2034 # used by tests
kev_variants=(
    "--kev-version 7.1 --kev-mode wide"
    "--kev-version 6.4 --kev-mode fast"
    "--kev-version 8.0 --kev-mode wide"
    "--kev-version 7.1 --lose 3 --kev-slots 300"
    "--kev-version 8.0 --kev-mode fast --lose 3 --kev-slots 200"
    "--kev-version 6.4 --kev-mode wide --endian big"
    "--kev-version 7.1 --kev-buffers ring --kev-ring 2"
    "--kev-version 7.1 --kev-mode mixed --ties --interlace 5"
    "--kev-version 8.0 --kev-buffers ring --kev-ring 2"
)
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

check() {
    local seed=$1 scenario=$2
    shift 2
    "$TTSIM" --seed "$seed" --scenario "$scenario" --events $((EVENTS + seed * 53 % 1500)) --clock 1000000000 \
        --truth full -o "$WORK/run" "$@"
    # shellcheck disable=SC2086 # a list
    if python3 "$SCRIPT" "$TRACETUI" "$WORK/run" ${ARGUMENTS:-} >"$WORK/out" 2>&1; then
        ok "$scenario, seed $seed, $*: $(tail -n 1 "$WORK/out")"
    else
        not_ok "$scenario, seed $seed, $*" "$(tail -n 1 "$WORK/out"), first: $(head -n 1 "$WORK/out" | cut -c1-400)"
    fi
}

check_seeds() {
    local seed i variant scenario
    for ((seed = 1; seed <= $1; seed++)); do
        for ((i = 0; i < 3; i++)); do
            variant=$((seed + i * 5 - 1))
            scenario=$((seed * 3 + i + seed / 16))
            # shellcheck disable=SC2086
            check "$seed" "${scenarios[scenario % ${#scenarios[@]}]}" ${variants[variant % ${#variants[@]}]}
        done
    done
}
