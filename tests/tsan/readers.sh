# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# One indexing worker and two readers, on every kind of capture; also while it arrives.
. tests/lib/case.sh

# reads NAME CAPTURE
reads() {
    if "$BUILD/tests/tsan/readers" "$2"; then
        ok "$1"
    else
        not_ok "$1" "exit $?"
    fi
}

for how in "--kev-version 7.1 --kev-mode wide" "--kev-version 8.0 --kev-mode fast" \
    "--kev-version 6.4 --kev-buffers ring --lose 9" "--format trx" "--format btrace --cpus 2"; do
    # shellcheck disable=SC2086
    "$TTSIM" --scenario churn $how --seed 3 --events 60000 -o "$WORK/x"
    reads "readers: ${how//--kev-/}" "$WORK/x"
    rm -f "$WORK/x"
done

for how in "--kev-version 7.1 --kev-mode wide" "--format fxt --fxt-providers 3" "--format btrace --cpus 2"; do
    name="readers while it arrives: ${how//--kev-/}"
    rm -f "$WORK/pipe"
    mkfifo "$WORK/pipe"
    # shellcheck disable=SC2086
    "$TTSIM" --scenario churn $how --seed 3 --events 200000 -o "$WORK/x"
    gzip -1c "$WORK/x" >"$WORK/x.gz"
    reads "$name: compressed" "$WORK/x.gz"
    dd if="$WORK/x" of="$WORK/pipe" bs=4099 status=none &
    reads "$name: a pipe" "$WORK/pipe"
    wait
done
