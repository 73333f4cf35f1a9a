# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# One indexing worker and two readers, on every kind of capture; also while it arrives.
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

for how in "--kev-version 7.1 --kev-mode wide" "--format fxt --fxt-providers 3" "--format btrace --cpus 2"; do
    name="readers while it arrives: ${how//--kev-/}"
    # shellcheck disable=SC2086
    "$TTSIM" --scenario churn $how --seed 3 --events 200000 -o "$WORK/x" && gzip -1c "$WORK/x" >"$WORK/x.gz"
    if ! "$BUILD/tests/tsan/readers" "$WORK/x.gz"; then
        not_ok "$name: compressed" "exit $?"
    else
        ok "$name: compressed"
    fi
    rm -f "$WORK/pipe"
    mkfifo "$WORK/pipe"
    dd if="$WORK/x" of="$WORK/pipe" bs=4099 status=none &
    if ! "$BUILD/tests/tsan/readers" "$WORK/pipe"; then
        not_ok "$name: a pipe" "exit $?"
    else
        ok "$name: a pipe"
    fi
    wait
done
