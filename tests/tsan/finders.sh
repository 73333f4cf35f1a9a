# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Filters that run while the capture is indexed: no race, and at the end the answer of a whole run.
. tests/lib/case.sh

for how in "--kev-version 7.1 --kev-mode wide" "--kev-version 6.4 --kev-buffers ring --lose 9"; do
    name="filters while it is indexed: ${how//--kev-/}"
    # shellcheck disable=SC2086
    if ! "$TTSIM" --scenario churn $how --seed 5 --events "${FINDER_EVENTS:-120000}" -o "$WORK/x.kev"; then
        not_ok "$name" "no capture"
    elif "$BUILD/tests/tsan/finders" "$WORK/x.kev" 'cpu = 1' 'thread ~ ^p' 'state = READY' \
        'n > 1000 and event ~ TH' 'time in 10ms..' 'name=|MSG_' >"$WORK/out" 2>&1; then
        ok "$name"
    else
        not_ok "$name" "exit $?: $(tail -n 3 "$WORK/out")"
    fi
done
