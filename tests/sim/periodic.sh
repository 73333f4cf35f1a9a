#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The scenario periodic has jobs with known periods, jitter and response times (docs/simulator.md). The
# numbers of `stats --by job` are these up to the kernel's own time, and each job equals the truth to the
# tick (tests/sim/jobs.py). BTrace does not record that threads sleep, so they have no jobs there.
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip periodic "python3 is not installed"
    exit 0
fi

cat >"$WORK/known.py" <<'PYTHON'
import json, subprocess, sys
program, capture = sys.argv[1:3]
clock = sys.argv[3:]
out = subprocess.run([program, 'stats', '--by', 'job', '--deadline', '/beat/=1ms', *clock, '--format', 'jsonl', capture],
                     capture_output=True, text=True, check=True).stdout
rows = {row['thread'].split()[-1].split('/')[-1]: row for row in map(json.loads, out.splitlines())}
KERNEL = 30000  # ns: dispatch, interrupts and the exit of the timer call
known = {
    'beat': {'period_mean': 10000000, 'period_min': 9000000, 'period_max': 11000000, 'jitter': 1000000,
             'response_p50': 500000, 'response_max': 1500000, 'run_mean': 500000, 'run_max': 500000},
    'control': {'period_mean': 5000000, 'jitter': 0, 'response_mean': 200000, 'response_max': 200000},
    'drum': {'period_mean': 30000000, 'jitter': 0, 'response_mean': 1000000, 'response_max': 1000000},
}
wrong = 0
for name, values in known.items():
    for key, value in values.items():
        got = rows[name][key + '_ns']
        if abs(got - value) > KERNEL:
            wrong += 1
            print('%s: %s is %d, expected %d' % (name, key, got, value))
beat = rows['beat']
if abs(beat['count'] - 3 * beat['misses']) > 2 or beat['count'] < 20:
    wrong += 1
    print('misses: %d of %d' % (beat['misses'], beat['count']))
print('%d jobs of beat, jitter %d ns' % (beat['count'], beat['jitter_ns']))
sys.exit(wrong > 0)
PYTHON

for variant in "--kev-version 7.1 --kev-mode wide" "--kev-version 6.4 --kev-mode fast" \
    "--kev-version 8.0 --kev-mode wide" "--format fxt" "--format trx --cpus 1 --start 1000"; do
    clock=
    case $variant in *trx*) clock="--clock 1000000000" ;; esac
    # shellcheck disable=SC2086 # lists of options
    "$TTSIM" --scenario periodic --seed 3 --seconds 0.4 --clock 1000000000 --truth full -o "$WORK/run" $variant
    # shellcheck disable=SC2086
    run python3 "$WORK/known.py" "$TRACETUI" "$WORK/run" $clock
    [ "$code" -eq 0 ] && ok "known numbers, $variant: $(tail -n 1 "$WORK/out")" ||
        not_ok "known numbers, $variant" "$(head -n 3 "$WORK/out" "$WORK/err" | cut -c1-300)"
    run python3 tests/sim/jobs.py "$TRACETUI" "$WORK/run"
    [ "$code" -eq 0 ] && ok "the truth, $variant: $(tail -n 1 "$WORK/out")" ||
        not_ok "the truth, $variant" "$(head -n 3 "$WORK/out" | cut -c1-300)"
done
