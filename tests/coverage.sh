#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Which lines of src/ the tests reach: runs unit and golden tests on build/cov, then prints a line
# a file and the sum. `make coverage` builds that variant first.
set -u
cd "$(dirname "$0")/.." || exit 2
if [ ! -x build/cov/unit-tests ]; then
    echo "coverage: build/cov is not built: make coverage" >&2
    exit 2
fi

find build/cov -name '*.gcda' -delete
BUILD_DIR=build/cov bash tests/run.sh unit golden
tested=$?

find build/cov/src -name '*.gcda' -print0 |
    xargs -0 -r -n 1 sh -c 'gcov -n -o "$(dirname "$1")" "$1" 2>/dev/null' sh |
    awk -v top="$PWD/" '
        /^File / { file = $0; sub(/^File ./, "", file); sub(/.$/, "", file); sub(top, "", file) }
        /^Lines executed:/ && file ~ /^src\/.*\.c$/ {
            split($0, part, /[:% ]+/)
            lines = part[5]; percent = part[3]
            printf "%6.1f %% of %5d  %s\n", percent, lines, file | "sort -k 5"
            all += lines; hit += lines * percent / 100; file = ""
        }
        END { close("sort -k 5")
            if (all) printf "%6.1f %% of %5d  all of src\n", 100 * hit / all, all }'
exit $tested
