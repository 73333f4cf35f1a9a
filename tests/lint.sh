#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# clang-tidy (checks: .clang-tidy) and cppcheck over all sources:
# bash tests/lint.sh [FILE ...]     JOBS (2) at once. Missing tools are skipped.
set -u
cd "$(dirname "$0")/.." || exit 2
files=("$@")
[ ${#files[@]} -gt 0 ] || files=(src/*.c src/*/*.c src/*/*/*.c)
flags=(-std=c11 -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 -Iinclude -Isrc '-DTT_VERSION="lint"')
failed=0

if command -v clang-tidy >/dev/null; then
    printf '%s\n' "${files[@]}" |
        xargs -n 8 -P "${JOBS:-2}" sh -c 'clang-tidy --quiet "$@" 2>/dev/null' sh "${flags[@]/#/--extra-arg=}" |
        grep -E '(error|warning): ' | sort -u >build/lint.txt
    cat build/lint.txt
    [ ! -s build/lint.txt ] || failed=1
else
    echo "lint: no clang-tidy here"
fi

# Disabled: ctuuninitvar reports structs that are filled field by field;
# duplicateAssignExpression reports a minimum and a maximum with the same initial value.
if command -v cppcheck >/dev/null; then
    cppcheck -q -j "${JOBS:-2}" --std=c11 --enable=warning,performance,portability --inline-suppr \
        --suppress=missingIncludeSystem --suppress=ctuuninitvar --suppress=duplicateAssignExpression --max-configs=2 --error-exitcode=1 "${flags[@]:1}" \
        "${files[@]}" || failed=1
else
    echo "lint: no cppcheck here"
fi
exit $failed
