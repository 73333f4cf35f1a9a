# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# measure: random pairs of filters against a brute-force pairing of what dump prints (measure.py;
# MEASURE_PAIRS=200 for the long form), kernel calls against the durations of stats, and reactions to
# interrupts against the simulator's truth. The output is in tests/cases/measure.test.
. tests/lib/case.sh

if ! command -v python3 >/dev/null; then
    skip measure "python3 is not installed"
    exit 0
fi

pairs=${MEASURE_PAIRS:-4}
for sample in demo.kev demo.fxt demo.trx demo.btrace; do
    run python3 tests/golden/measure.py "$TRACETUI" samples/$sample "$pairs" "${MEASURE_SEED:-1}"
    [ "$code" -eq 0 ] && ok "$sample: $(tail -n 1 "$WORK/out")" || not_ok "$sample" "$(head -n 1 "$WORK/out" "$WORK/err" | cut -c1-400)"
done

# ---- kernel calls -------------------------------------------------------------------------------
# A call that is abandoned for another one has no duration, and its begin no partner of the same
# name.
"$TTSIM" --scenario chatty --seed 4 --events 4000 -o "$WORK/calls.kev"
cat >"$WORK/calls.py" <<'PYTHON'
import json, subprocess, sys
program, capture = sys.argv[1:3]

def run(*options):
    return [json.loads(line) for line in subprocess.run([program, *options, '--format', 'jsonl', capture],
                                                        capture_output=True, text=True).stdout.splitlines()]

compared = 0
for row in run('stats', '--by', 'event'):
    if row['class'] != 'KER_CALL' or not row['duration_count']:
        continue
    name = 'event = "%s" and kind = ' % row['event']
    last = run('measure', '--begin', name + 'enter', '--end', name + 'exit', '--same', 'thread')[-1]
    assert last['count'] == row['duration_count'], (row['event'], last)
    for key in ('mean', 'p50', 'p99', 'max'):
        assert last[key + '_ns'] == row['duration_%s_ns' % key], (row, last)
    compared += 1
print('%d calls' % compared)
assert compared > 3
PYTHON
run python3 "$WORK/calls.py" "$TRACETUI" "$WORK/calls.kev"
[ "$code" -eq 0 ] && ok "kernel calls: $(cat "$WORK/out")" || not_ok "kernel calls" "$(tail -n 1 "$WORK/err")"

# ---- reactions ----------------------------------------------------------------------------------
cat >"$WORK/reactions.py" <<'PYTHON'
import json, subprocess, sys
program, capture, trx = sys.argv[1], sys.argv[2], sys.argv[3] == 'trx'
lines = [json.loads(line) for line in open(capture + '.truth.jsonl')]
base = next(l['start'] for l in lines if l['t'] == 'sum_run') if trx else 0
interrupts = [l for l in lines if l['t'] == 'interrupt']
runs = {}
for l in lines:
    if l['t'] == 'interval' and l['class'] == 'running' and 'start_unknown' not in l:
        runs[l['slot'] if trx else (l['pid'], l['tid']), l['start']] = l
ready = {}
for l in lines:
    if l['t'] == 'interval' and l['class'] == 'ready':
        ready[l['slot'] if trx else (l['pid'], l['tid']), l['start']] = l['end']
want = {}
for w in lines:
    if w['t'] != 'wake' or w['by'] != 'interrupt' or 'unseen' in w:
        continue
    thread = w['slot'] if trx else (w['pid'], w['tid'])
    run = ready.get((thread, w['at']))
    entries = [i['start'] for i in interrupts
               if i['cpu'] == w['cpu'] and i['vector'] == w['vector'] and i['start'] <= w['at'] <= i['end']]
    if run is not None and (thread, run) in runs and entries:
        want.setdefault((thread, w['vector']), []).append((max(entries) - base, w['at'] - base, run - base))
checked = 0
for (thread, vector), reactions in sorted(want.items()):
    name = '%d' % (0x20400000 + thread * 0x100) if trx else '%d/%d' % thread
    out = subprocess.run([program, 'measure', '--interrupt', str(vector), '--thread', name, '--format', 'jsonl',
                          *(['--clock', '1000000000'] if trx else []), capture], capture_output=True, text=True)
    got = [json.loads(l) for l in out.stdout.splitlines()]
    assert got or not reactions, (name, vector, out.stderr, reactions[:2])
    for g in got:
        parts = [g[k + '_ns'] or 0 for k in ('entry', 'handler', 'to_ready', 'to_running')]
        assert sum(parts) == g['dur_ns'] == g['to_ns'] - g['from_ns'], g
    have = [(g['from_ns'], g['to_ns'] - g['to_running_ns'], g['to_ns']) for g in got]
    last = max(l['end'] for l in lines if l['t'] == 'sum_run') - base
    assert [h for h in have if h[2] < last] == [r for r in sorted(reactions) if r[2] < last], (name, vector)
    checked += len(have)
print('%d reactions' % checked)
assert checked > 20
PYTHON
for variant in "kev --kev-version 7.1 --kev-mode wide" "kev --kev-version 6.4 --kev-mode fast" "trx --format trx --cpus 1 --start 1000"; do
    read -r kind options <<<"$variant"
    # shellcheck disable=SC2086 # a list of options
    "$TTSIM" --scenario irqstorm --seed 5 --events 3000 --clock 1000000000 --truth full -o "$WORK/run" $options
    run python3 "$WORK/reactions.py" "$TRACETUI" "$WORK/run" "$kind"
    [ "$code" -eq 0 ] && ok "reactions, $variant: $(cat "$WORK/out")" || not_ok "reactions, $variant" "$(tail -n 1 "$WORK/err" | cut -c1-400)"
done
