# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# One indexing worker and two readers on Fuchsia traces: tables that grow while they are read.
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT
for how in "--scenario churn" "--scenario mixed --fxt-providers 3 --lose 3" \
    "--scenario chatty --fxt-sched legacy"; do
    name="readers of fxt: $how"
    # shellcheck disable=SC2086
    if ! "$1/ttsim" $how --format fxt --seed 3 --events 60000 -o "$dir/x.fxt"; then
        echo "not ok $name: no capture"
    elif "$1/tests/tsan/readers" "$dir/x.fxt"; then
        echo "ok $name"
    else
        echo "not ok $name: exit $?"
    fi
done
