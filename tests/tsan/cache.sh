#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Readers while the index cache is written, and while the index is restored from it.
. tests/lib/case.sh
. tests/lib/cache.sh

for format in kev fxt; do
    large_capture "$format" "$WORK/a.$format"
    for state in saved restored; do
        same_text "$format: $state, with readers" "$state 0" \
            "$("$BUILD/tests/tsan/readers" "$WORK/a.$format" "$CACHE" 2>"$WORK/err") $?"
        [ ! -s "$WORK/err" ] || sed 's/^/    /' "$WORK/err"
    done
done
