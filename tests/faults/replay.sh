# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# All seeds of the fuzz targets, and all inputs that once broke them.
. tests/lib/case.sh

for source in tests/fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    folders=()
    for folder in "tests/fuzz/corpus/$name" "tests/fuzz/found/$name"; do
        [ ! -d "$folder" ] || folders+=("$folder")
    done
    [ "$name" != fuzz_theme ] || folders+=(themes)
    if ! run "$BUILD/tests/fuzz/replay" "$name" "${folders[@]}" || [ "$code" -ne 0 ]; then
        not_ok "$name" "exit status $code: $(tail -n 1 "$WORK/err")"
    elif [ "$(cat "$WORK/out")" -lt 1 ]; then
        not_ok "$name" "no inputs"
    else
        ok "$name"
    fi
done
