#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The output is the same without a cache, while the index cache is written, and with an index restored
# from it.
. tests/lib/case.sh
. tests/lib/cache.sh

for format in kev fxt btrace ftrace; do
    capture=$WORK/capture.$format
    large_capture "$format" "$capture"
    PROGRAM=build/release/tracetui everything "$capture" --no-cache >"$WORK/without" 2>&1
    same_text "$format: nothing is kept without a cache" 0 "$(kept_count)"
    "$TRACETUI" info "$capture" >/dev/null
    same_text "$format: the index is kept" 1 "$(kept_count)"
    kept=$(kept_files)
    before=$(stat -c %i "$kept")
    everything "$capture" >"$WORK/with" 2>&1
    same "$format: the same comes of what was kept" "$WORK/without" "$WORK/with"
    same_text "$format: and it was not made again" "$kept $before" "$(kept_files) $(stat -c %i "$kept")"
    has "$format: Info has its source" ', from the index cache' \
        "$("$TRACETUI" render info --size 120x50 "$capture")"
    rm -rf "$CACHE" "$capture"
done
