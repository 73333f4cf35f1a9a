# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Indexing while a pipe or the decompression delivers the bytes, under ThreadSanitizer: no race, and the
# output of the complete file.
. tests/lib/case.sh

for how in "--kev-version 7.1 --kev-mode wide" "--kev-version 8.0 --cpus 4" "--format fxt --fxt-providers 4" \
    "--format btrace --cpus 2"; do
    name="arriving: ${how//--kev-/}"
    # shellcheck disable=SC2086
    "$TTSIM" --scenario churn $how --seed 3 --events 150000 -o "$WORK/x" 2>/dev/null || not_ok "$name" "no capture"
    gzip -1c "$WORK/x" >"$WORK/x.gz"
    "$TRACETUI" stats --format csv - <"$WORK/x" >"$WORK/whole" 2>"$WORK/err"
    dd if="$WORK/x" bs=4099 status=none | "$TRACETUI" stats --format csv - >"$WORK/piped" 2>>"$WORK/err"
    same "$name: a pipe" "$WORK/whole" "$WORK/piped"
    "$TRACETUI" stats --format csv - <"$WORK/x.gz" >"$WORK/piped" 2>>"$WORK/err"
    same "$name: compressed" "$WORK/whole" "$WORK/piped"
    same_text "$name: no race" "" "$(head -c 300 "$WORK/err")"
done
