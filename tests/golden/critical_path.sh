# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Explanations of waits against the critical paths that Perfetto's trace processor computes for the same
# captures: at every instant of the wait, the thread is the same.
. tests/lib/case.sh

CAPTURES=../shared/captures/fxt/critical_path
for path in "$CAPTURES"/*.path.tsv; do
    name=$(basename "$path" .path.tsv)
    if [ ! -f "$path" ]; then
        skip "critical paths" "no captures here"
        break
    fi
    run python3 tests/golden/critical_path.py "$TRACETUI" "$CAPTURES/$name.fxt" "$path"
    if [ "$code" -eq 0 ] && [ -s "$WORK/out" ]; then
        while read -r line; do ok "$name: $line"; done <"$WORK/out"
    else
        not_ok "$name: the same threads as Perfetto's" "$(cat "$WORK/out" "$WORK/err")"
    fi
done
