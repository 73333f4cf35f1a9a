# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# One indexing worker and two readers, on every kind of capture.
. tests/lib/case.sh

for how in "--kev-version 7.1 --kev-mode wide" "--kev-version 8.0 --kev-mode fast" \
    "--kev-version 6.4 --kev-buffers ring --lose 9" "--format trx" "--format btrace --cpus 2"; do
    name="readers: ${how//--kev-/}"
    # shellcheck disable=SC2086
    if ! "$TTSIM" --scenario churn $how --seed 3 --events 60000 -o "$WORK/x"; then
        not_ok "$name" "no capture"
    elif "$BUILD/tests/tsan/readers" "$WORK/x"; then
        ok "$name"
    else
        not_ok "$name" "exit $?"
    fi
done
