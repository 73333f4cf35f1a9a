# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Captures damaged at random are read as the intact ones but for the damaged records (damaged.py): 15 seeds for each
# format and for one and three places; with WHOLE=1 a thousand, from DAMAGE_SEED (1) on.
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip damaged "python3 is not installed"
    exit 0
fi
first=${DAMAGE_SEED:-1}
count=15
[ -z "${WHOLE:-}" ] || count=1000

# A capture, places, and how many of a thousand may differ; tests/faults/damaged.txt has them and their reasons. The duration
# or a run time may differ in five of a thousand.
TIMES=5
TEXT=$WORK/demo.txt # of traceprinter
"$TRACETUI" dump --style traceprinter samples/demo.kev >"$TEXT"
while read -r capture places most; do
    case $capture in '#'*) continue ;; TEXT) capture=$TEXT ;; esac
    run python3 tests/faults/damaged.py "$TRACETUI" "$capture" "$first" "$count" "$places"
    read -r differ times < <(sed -nE '$s/^([0-9]+) of [0-9]+ differ, ([0-9]+) in .*/\1 \2/p' "$WORK/out")
    if [ -n "$times" ] && [ "$differ" -le $((most * count / 1000 + 1)) ] &&
        [ "$times" -le $((TIMES * count / 1000 + (count < 1000))) ]; then
        ok "$capture, damaged at $places: $(tail -n 1 "$WORK/out")"
    else
        not_ok "$capture, damaged at $places" "$(cat "$WORK/out" "$WORK/err")"
    fi
    [ "$first" -eq 1 ] || continue
    sed -nE "s|^.* seed ([0-9]+) .*|${capture#"$WORK/"} $places \\1|p" "$WORK/out" >"$WORK/differ"
    grep -oE '^[^# ]+ [0-9]+ [0-9]+' tests/faults/damaged.txt >"$WORK/known"
    same_text "$capture, damaged at $places: only what damaged.txt lists" '' \
        "$(grep -vxFf "$WORK/known" "$WORK/differ")"
done <<'ROWS'
samples/demo.kev 1 5
samples/demo.kev 3 5
TEXT 1 24
samples/demo.trx 1 3
samples/demo.trx 3 3
samples/demo.fxt 1 5
samples/demo.fxt 3 22
samples/demo.btrace 1 5
samples/demo.btrace 3 10
samples/demo.dat 1 90
ROWS
