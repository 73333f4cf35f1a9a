# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The tests of screens once more, for a program whose clock leaves a frame time for a few steps of its
# work only (tests/faults/slow_clock.c): no picture depends on how fast the machine is.
. tests/lib/case.sh

SLOW=$BUILD/tests/faults/slow_clock
needs "$SLOW/tracetui" "$SLOW/ttsim"

# Not sql, whose screens have the elapsed time by this clock.
for name in anykeys check commands filter jobs lanes_csv looks marks messages plots quick render search static summary \
    views why; do
    # By a pipe, which ends with the process that writes the plan; paths are short, since screens have them.
    TMPDIR=/tmp bash tests/screens/$name.sh "$SLOW" 2>&1 | cat >"$WORK/$name"
    planned=$(sed -n 's/^1\.\.//p' "$WORK/$name")
    passed=$(grep -c '^ok ' "$WORK/$name")
    if [ "${planned:-0}" -gt 0 ] && [ "$passed" -eq "$planned" ]; then
        ok "$name"
    else
        not_ok "$name" "$passed of ${planned:-0}: $(grep -v '^ok ' "$WORK/$name" | head -n 12)"
    fi
done
