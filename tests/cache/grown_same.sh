#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every command and view of a grown capture prints the same with an index that was resumed
# (tests/cache/grown.sh) as with an index of the whole capture.
. tests/lib/case.sh
. tests/lib/cache.sh

capture=$WORK/capture
before_each() { rm -rf "$CACHE" && mkdir -p "$CACHE" && cp -r "$WORK/before/." "$CACHE/"; }

for format in kev fxt btrace; do
    large_capture $format "$WORK/file"
    rm -rf "$CACHE" "$WORK/before"
    head -c 8700021 "$WORK/file" >"$capture"
    settle
    "$TRACETUI" info "$capture" >/dev/null 2>&1
    mkdir "$WORK/before" && cp -r "$CACHE/." "$WORK/before/"
    tail -c +8700022 "$WORK/file" >>"$capture"
    settle
    PROGRAM=build/release/tracetui everything "$capture" --no-cache >"$WORK/expected" 2>&1
    everything "$capture" >"$WORK/now" 2>&1
    same "$format: a resumed index gives the same output" "$WORK/expected" "$WORK/now"
done
