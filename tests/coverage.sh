#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prints the line coverage of the library: bash tests/coverage.sh      (`make coverage` builds first)
#
# Runs tests on build/cov, then gcov. Prints a line per file, a table per directory, and the files below 90 %.
# Exit status 1 if a directory of the library (src/base, format, trace, filter, analysis) is below 90 % of
# its lines, or if a test failed.
#
# Tests that try many inputs for long and reach no additional line are skipped; `make test` runs them.
# A file that never ran counts with all its lines. Captures beside the checkout are not used: the numbers
# depend on the checkout alone.
set -u
cd "$(dirname "$0")/.." || exit 2
LC_ALL=C.UTF-8
TZ=UTC
export LC_ALL TZ

ROOMS='base format trace filter analysis'
LEAST=90 # percent
# A small file may have a few unreachable lines.
SLACK_LINES=4
# Each takes 2 to 60 seconds: for inputs that differ by a byte or a number, for commands that the unit tests
# run as well, or mostly in rooms that are not counted.
LONG='samples/*|lanes_agree/*|slices/many|tui_prompts/*|screen_resize/*|hostile_options/*|fxt_damage/mutations|index/many_random_shapes'
LONG_FILES='tests/cache/checked.sh
tests/cache/grown.sh
tests/cache/grown_same.sh
tests/cache/same.sh
tests/golden/cases.sh
tests/golden/check.sh
tests/golden/export.sh
tests/golden/files.sh
tests/golden/filter.sh
tests/golden/fleet.sh
tests/golden/processors.sh
tests/golden/report.sh
tests/golden/save.sh'

if [ ! -x build/cov/unit-tests ]; then
    echo "coverage: build/cov is not built: make coverage" >&2
    exit 2
fi
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/said"

# ---- run ------------------------------------------------------------------------------------------

# The tests run in a directory of links to the checkout, without captures beside it.
mkdir "$work/checkout"
for entry in "$PWD"/*; do ln -s "$entry" "$work/checkout/"; done

# part FILE: runs a shell test; stores its failures
part() {
    local said
    said=$work/said/$(echo "$1" | tr / _)
    (cd "$work/checkout" && timeout 1000 bash "$1" build/cov) </dev/null >"$said.all" 2>&1 || echo "$1: exit status $?" >"$said"
    grep -a '^not ok' "$said.all" | sed "s|^|$1: |" >>"$said"
}
# unit_part LETTERS: runs the unit tests that begin with one of them; the longest parts, which start first
unit_part() {
    (cd "$work/checkout" &&
        timeout 1000 build/cov/unit-tests --jobs 1 --filter "!([!$1]*|$LONG)" --tap="$work/tap.$1") \
        </dev/null >/dev/null 2>&1 || echo "unit tests $1: exit status $?" >"$work/said/unit.$1"
    grep -a '^not ok' "$work/tap.$1" >>"$work/said/unit.$1"
}
export -f part unit_part
export work LONG

find build/cov -name '*.gcda' -delete
echo "== tests"
# tests/live mostly waits, so it runs in parallel with the others.
for file in tests/live/same.sh; do part "$file" & done
{
    printf 'unit_part %s\n' s-z i-r a-h
    find tests/faults/walk.sh tests/cache/*.sh tests/golden/*.sh | grep -v -x -F "$LONG_FILES" |
        sed 's/^/part /'
} | xargs -P 2 -I '{}' bash -c '{}'
wait
failures=$(find "$work/said" -type f ! -name '*.all' -exec cat {} +)

# ---- count ----------------------------------------------------------------------------------------

# One line per file: directory, file, lines, lines reached. From the compiler's notes, which include
# files that no test entered.
for room in $ROOMS; do
    find "build/cov/src/$room" -name '*.gcno'
done | while read -r notes; do
    source=${notes#build/cov/}
    [ ! -e "${source%.gcno}.c" ] || echo "$notes" # a file that has been moved leaves its notes
done | xargs gcov -n -r -s "$PWD" 2>"$work/gcov.err" | awk -v rooms="$ROOMS" '
    BEGIN { split(rooms, list, " "); for (i in list) known[list[i]] = 1 }
    /^File / { file = substr($0, 7, length($0) - 7) }
    /^Lines executed:/ {
        split($0, part, /[:% ]+/)
        split(file, folder, "/")
        if (folder[1] == "src" && folder[2] in known)
            print folder[2], file, part[5], int(part[3] * part[5] / 100 + 0.5)
        file = ""
    }' | sort -k 2,2 >"$work/counted"
if [ ! -s "$work/counted" ]; then
    echo "coverage: gcov counted nothing" >&2
    head -n 5 "$work/gcov.err" >&2
    exit 2
fi

awk -v rooms="$ROOMS" '
    { lines[$1] += $3; hit[$1] += $4; files[$1]++ }
    END {
        count = split(rooms, list, " ")
        for (i = 1; i <= count; i++) {
            r = list[i]
            printf "%6.1f %% of %5d  src/%s, %d files\n", 100 * hit[r] / lines[r], lines[r], r, files[r]
        }
    }' "$work/counted" >"$work/rooms"

# ---- judge ----------------------------------------------------------------------------------------

awk '{ printf "%6.1f %% of %4d  %s\n", 100 * $4 / $3, $3, $2 }' "$work/counted"
cat "$work/rooms"

awk -v least="$LEAST" -v slack="$SLACK_LINES" '
    $4 < $3 * least / 100 && $3 - $4 > slack {
        printf "%s: %.1f %% of its lines, at least %d %%\n", $2, 100 * $4 / $3, least
    }' "$work/counted" >"$work/below"
awk -v least="$LEAST" '
    { lines[$1] += $3; hit[$1] += $4 }
    END {
        for (r in lines)
            if (hit[r] < lines[r] * least / 100)
                printf "src/%s: %.1f %% of its lines, at least %d %%\n", r, 100 * hit[r] / lines[r], least
    }' "$work/counted" >"$work/low"

sed 's/^/below: /' "$work/below"
if [ -n "$failures" ] || [ -s "$work/low" ]; then
    [ -z "$failures" ] || printf '%s\n' "$failures"
    cat "$work/low"
    echo "coverage: failed"
    exit 1
fi
echo "coverage: no room below $LEAST %"
