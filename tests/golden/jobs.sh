# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Jobs of every sample and of every real capture: response = run + irq + ready_sum + blocked, the parts of
# ready_sum are its whole, jsonl and csv have the same values, lines on a terminal fit 80 columns and have
# complete names elsewhere, and `why` can explain the longest response to the tick.
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip jobs "python3 is not installed"
    exit 0
fi

captures=(samples/*.kev samples/demo.fxt samples/demo.trx samples/demo.btrace)
for file in ../shared/captures/{kev,trx,btrace}/*.{kev,trx,log} ../shared/captures/fxt/*.fxt; do
    [ ! -f "$file" ] || captures+=("$file")
done

cat >"$WORK/check.py" <<'PYTHON'
import csv, json, subprocess, sys
sys.path.insert(0, 'tests/lib')
from on_terminal import lines_on_terminal
program, capture = sys.argv[1:3]

def out(*options):
    return subprocess.run([program, *options, capture], capture_output=True, text=True).stdout

jobs = [json.loads(line) for line in out('dump', '--jobs', '--format', 'jsonl').splitlines()]
unit = '_ns' if not jobs or 'run_ns' in jobs[0] else '_ticks'
rows = list(csv.DictReader(out('dump', '--jobs', '--format', 'csv').splitlines()))
assert len(rows) == len(jobs), 'csv has other jobs'
off = 0
for job, row in zip(jobs, rows):
    get = lambda key: int(job[key + unit])
    # In nanoseconds each value is rounded down by itself.
    slack = 4 if unit == '_ns' else 0
    assert abs(get('response') - get('run') - get('irq') - get('ready_sum') - get('blocked')) <= slack, job
    assert abs(get('ready_sum') - sum(map(get, ('higher', 'equal', 'lower', 'other')))) <= slack, job
    assert get('ready') <= get('start') < get('end') or get('run') + get('irq') == 0, job
    off += get('response') != get('run') + get('irq') + get('ready_sum') + get('blocked')
    for key, value in row.items():
        assert value == {None: '', True: '1', False: '0'}.get(job[key], str(job[key])) or key == 'thread', (key, job)
wide = [line for line in lines_on_terminal([program, 'dump', '--jobs', capture]) if len(line) > 80]
assert not wide, wide[0]
piped = out('dump', '--jobs').splitlines()[1:]
assert len(piped) == len(jobs)
for job, line in zip(jobs, piped):
    assert job['thread'] in line, line
told = [json.loads(line) for line in out('why', '--worst', 'response', '-n', '1', '--format', 'jsonl').splitlines()]
assert bool(told) == bool(jobs)
for line in told:
    assert int(line['dur' + unit]) == max(int(job['response' + unit]) for job in jobs), line
print('%d jobs' % len(jobs))
PYTHON

for file in "${captures[@]}"; do
    run python3 "$WORK/check.py" "$TRACETUI" "$file"
    [ "$code" -eq 0 ] && ok "$file: $(cat "$WORK/out")" || not_ok "$file" "$(tail -n 1 "$WORK/err" | cut -c1-300)"
done
# In ticks of the capture's clock the sums are exact (a clock of 1 GHz: nanoseconds are ticks).
run "$TRACETUI" dump --jobs --format jsonl --clock 1000000000 samples/demo.trx
cp "$WORK/out" "$WORK/jobs"
run python3 -c '
import json, sys
for line in open(sys.argv[1]):
    j = json.loads(line)
    assert j["response_ns"] == j["run_ns"] + j["irq_ns"] + j["ready_sum_ns"] + j["blocked_ns"], j' "$WORK/jobs"
same_text "to the tick" 0 "$code"

# ---- periods that are known by construction (docs/simulator.md) -----------------------------------------
# period CAPTURE THREAD NS: the mean period of its jobs is within a thousandth
period() {
    local mean
    mean=$("$TRACETUI" stats --by job --thread "$2" --format csv "$1" | tail -n 1 | cut -d, -f12)
    if [ "$mean" -gt $(($3 / 1000 * 999)) ] && [ "$mean" -lt $(($3 / 1000 * 1001)) ]; then
        ok "the period of $2: $mean ns"
    else
        not_ok "the period of $2" "$mean ns, expected $3"
    fi
}
"$TTSIM" --scenario deadlock --seed 3 --events 3000 -o "$WORK/metronome.kev"
period "$WORK/metronome.kev" metronome/1 1000000
period samples/demo.kev sensor/1 5000000
