# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# One indexing worker and two readers on Fuchsia traces: tables that grow while they are read.
. tests/lib/case.sh

for how in "--scenario churn" "--scenario mixed --fxt-providers 3 --lose 3" \
    "--scenario chatty --fxt-sched legacy"; do
    name="readers of fxt: $how"
    # shellcheck disable=SC2086
    if ! "$TTSIM" $how --format fxt --seed 3 --events 60000 -o "$WORK/x.fxt"; then
        not_ok "$name" "no capture"
    elif "$BUILD/tests/tsan/readers" "$WORK/x.fxt"; then
        ok "$name"
    else
        not_ok "$name" "exit $?"
    fi
done
