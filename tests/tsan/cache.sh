#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Readers while an index is kept, and while it is taken from where it was kept.
. tests/lib/case.sh
. tests/lib/cache.sh

for format in kev fxt; do
    large_capture "$format" "$WORK/a.$format"
    for state in kept restored; do
        same_text "$format: $state, with readers" "$state 0" \
            "$("$BUILD/tests/tsan/readers" "$WORK/a.$format" "$CACHE" 2>"$WORK/err") $?"
        [ ! -s "$WORK/err" ] || sed 's/^/    /' "$WORK/err"
    done
done
