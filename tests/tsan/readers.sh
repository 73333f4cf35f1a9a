# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# One indexing worker and two readers, on every shape of capture.
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
for how in "--kev-version 7.1 --kev-mode wide" "--kev-version 8.0 --kev-mode fast" \
    "--kev-version 6.4 --kev-buffers ring --lose 9" "--format trx" "--format btrace --cpus 2"; do
    name="readers: ${how//--kev-/}"
    # shellcheck disable=SC2086
    if ! "$1/ttsim" --scenario churn $how --seed 3 --events 60000 -o "$dir/x"; then
        echo "not ok $name: no capture"
    elif "$1/tests/tsan/readers" "$dir/x"; then
        echo "ok $name"
    else
        echo "not ok $name: exit $?"
    fi
done
