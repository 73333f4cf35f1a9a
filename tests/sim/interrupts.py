# SPDX-License-Identifier: Apache-2.0
"""Compares `stats --by interrupt` with the simulator's truth.

    python3 interrupts.py PROGRAM CAPTURE KIND

KIND: kev, kev8 (no exits), trx or btrace. The clock must be 1 GHz: a tick is a nanosecond then.
"""
import json, subprocess, sys

program, capture, kind = sys.argv[1:4]
lines = [json.loads(line) for line in open(capture + '.truth.jsonl')]
interrupts = sorted((l for l in lines if l['t'] == 'interrupt'), key=lambda l: l['start'])


def run(*options):
    clock = ['--clock', '1000000000'] if kind == 'trx' else []
    out = subprocess.run([program, 'stats', *options, *clock, '--format', 'jsonl', capture], capture_output=True,
                         text=True, check=True)
    return [json.loads(line) for line in out.stdout.splitlines()]


def nearest(values, percent):
    return sorted(values)[-(-len(values) * percent // 100) - 1]


rows = {(row['event'], row['vector']): row for row in run('--by', 'interrupt')}
wrong = []


def same(what, got, want):
    if got != want:
        wrong.append('%s: %s, expected %s' % (what, got, want))


if kind != 'kev8':
    same('sum of the counts', sum(r['count'] for r in rows.values()), sum(r['irq_count'] for r in run('--by', 'cpu')))
event = {'kev': 'INT_ENTR', 'kev8': 'INT_DELIVER', 'trx': 'ISR_ENTER', 'btrace': 'EIrqStart'}[kind]
by_vector, wakes = {}, {}
for i in interrupts:
    by_vector.setdefault(i['vector'], []).append(i)
for w in lines:
    if w['t'] == 'wake' and w['by'] == 'interrupt' and 'unseen' not in w:
        threads = wakes.setdefault(w['vector'], {})
        thread = w.get('slot') if kind == 'trx' else (w['pid'], w['tid'])
        threads[thread] = threads.get(thread, 0) + 1
if kind == 'kev8':
    # The truth has no interrupts of a kernel that records deliveries alone, but their wakes.
    of_events = {r['event']: r for r in run('--by', 'event')}['INT_DELIVER']
    same('sum of the counts', sum(r['count'] for r in rows.values()), of_events['count'])
    for vector in {v for _, v in rows} | set(wakes):
        row = rows.get((event, vector), {'wakes': 0, 'threads': 0})
        same('wakes by %d' % vector, row['wakes'], sum(wakes.get(vector, {}).values()))
        same('threads woken by %d' % vector, row['threads'], len(wakes.get(vector, {})))
    interrupts, rows = [None] * of_events['count'], {}
if kind == 'btrace':
    # A FIQ has no vector; an interrupt that queued a DFC ends where the IDFC begins.
    starts = sum(r['count'] for (e, _), r in rows.items() if e != 'EIDFCStart')
    same('IRQs and FIQs', starts, len(interrupts))
    assert all(r['wakes'] is None for r in rows.values())
    by_vector = {v: i for v, i in by_vector.items() if (event, v) in rows}
for vector, list_ in by_vector.items():
    row = rows.pop((event, vector), None)
    if row is None:
        wrong.append('no row of interrupt %d' % vector)
        continue
    starts = [i['start'] for i in list_]
    periods = [b - a for a, b in zip(starts, starts[1:])]
    same('count of %d' % vector, row['count'], len(list_))
    if periods:
        same('period of %d' % vector, (row['period_mean_ns'], row['period_p99_ns'], row['period_max_ns']),
             (sum(periods) // len(periods), nearest(periods, 99), max(periods)))
    if kind == 'btrace':
        continue
    same('wakes by %d' % vector, row['wakes'], sum(wakes.get(vector, {}).values()))
    same('threads woken by %d' % vector, row['threads'], len(wakes.get(vector, {})))
    counts = [int(name.rsplit(' ', 1)[1]) for name in (row['woken'] or '').split(', ') if name and name != '...']
    same('list of %d' % vector, counts, sorted(wakes.get(vector, {}).values(), reverse=True)[:16])
    same('nested %d' % vector, row['nested'], sum(i['depth'] > 0 for i in list_))
    same('depth of %d' % vector, row['depth'], 1 + max(i['depth'] for i in list_))
    whole = [i for i in list_ if 'cut' not in i]
    lengths = [i['end'] - i['start'] for i in whole]
    same('durations of %d' % vector, row['duration_count'], len(lengths))
    if lengths:
        same('duration of %d' % vector,
             [row['duration_%s_ns' % k] for k in ('mean', 'p50', 'p99', 'max')],
             [sum(lengths) // len(lengths), nearest(lengths, 50), nearest(lengths, 99), max(lengths)])
        longest = [i['end'] for i in whole if i['end'] - i['start'] == max(lengths)]
        base = next(l['start'] for l in lines if l['t'] == 'sum_run') if kind == 'trx' else 0
        if row['duration_max_at_ns'] + base not in longest:
            wrong.append('longest of %d ends at %s, expected %s' % (vector, row['duration_max_at_ns'], longest))
if kind == 'kev':
    of_events = {r['event']: r for r in run('--by', 'event')}.get('INT_HANDLER_ENTR')
    if of_events:
        every = run('--by', 'interrupt')
        same('handlers', sum(r['handler_count'] for r in every), of_events['duration_count'])
        same('longest handler', max(r['handler_max_ns'] or 0 for r in every), of_events['duration_max_ns'])
if kind not in ('btrace',) and rows:
    wrong.append('rows that are not in the truth: %s' % list(rows))
for text in wrong[:8]:
    print(text)
print('%d interrupts of %d numbers; %d differ' % (len(interrupts), len(by_vector), len(wrong)))
assert len(interrupts) > 50
sys.exit(1 if wrong else 0)
