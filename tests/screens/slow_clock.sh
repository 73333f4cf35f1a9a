# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The tests of screens once more, for a program whose clock leaves a frame time for a few steps of its work
# only, and for one that leaves none (tests/faults/slow_clock.c): no screen depends on how fast the machine is.
. tests/lib/case.sh

SLOW=$BUILD/tests/faults/slow_clock
needs "$SLOW/tracetui" "$SLOW/ttsim"

# again NAME: the test with this name passes with the slow program, too
again() {
    # By a pipe, which ends with the process that writes the plan; paths are short, since screens have them.
    TMPDIR=/tmp bash "tests/screens/$1.sh" "$SLOW" 2>&1 | cat >"$WORK/$1"
    planned=$(sed -n 's/^1\.\.//p' "$WORK/$1")
    passed=$(grep -ac '^ok ' "$WORK/$1")
    if [ "${planned:-0}" -gt 0 ] && [ "$passed" -eq "$planned" ]; then
        ok "$1${SLOW_CLOCK_NS:+, without time}"
    else
        not_ok "$1${SLOW_CLOCK_NS:+, without time}" "$passed of ${planned:-0}: $(grep -av '^ok ' "$WORK/$1" | head -n 12)"
    fi
}

# Not sql, whose screens have the elapsed time by this clock. Those on a terminal: keys at once, and filters.
for name in anykeys check filter jobs lanes_csv messages plots quick render search summary views why; do
    again $name
done
for name in check jobs messages plots render summary views why; do
    SLOW_CLOCK_NS=1000000000 again $name
done
