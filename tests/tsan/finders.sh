# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Filters that run while the capture is indexed: no race, and at the end the answer of a whole run.
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
for how in "--kev-version 7.1 --kev-mode wide" "--kev-version 6.4 --kev-buffers ring --lose 9"; do
    name="filters while it is indexed: ${how//--kev-/}"
    # shellcheck disable=SC2086
    if ! "$1/ttsim" --scenario churn $how --seed 5 --events "${FINDER_EVENTS:-120000}" -o "$dir/x.kev"; then
        echo "not ok $name: no capture"
    elif "$1/tests/tsan/finders" "$dir/x.kev" 'cpu = 1' 'thread ~ ^p' 'state = READY' \
        'n > 1000 and event ~ TH' 'time in 10ms..' 'name=|MSG_' >"$dir/out" 2>&1; then
        echo "ok $name"
    else
        echo "not ok $name: exit $?: $(tail -n 3 "$dir/out")"
    fi
done
