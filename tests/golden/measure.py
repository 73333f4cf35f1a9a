# SPDX-License-Identifier: Apache-2.0
"""Pairs events by brute force, from `dump --format jsonl`, and compares with `measure`.

    python3 measure.py PROGRAM CAPTURE PAIRS SEED
"""
import json, os, random, subprocess, sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'lib'))
import joined_events
from on_terminal import lines_on_terminal

program, capture, pairs, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]


def run(*options):
    result = subprocess.run([program, *options, capture], capture_output=True, text=True)
    assert result.returncode == 0, (options, result.stderr)
    return result.stdout.splitlines()


events = [json.loads(line) for line in run('dump', '--format', 'jsonl')]
expression, joins = joined_events.of(events)
unit = 'ticks' if events[0]['ns'] is None else 'ns'


def measured(begin, end, key, first):
    waiting, found, unpaired_end, unpaired_begin = {}, [], 0, 0
    for e in events:
        begins, ends = begin(e), end(e)
        if not begins and not ends:
            continue
        k = key(e)
        if k is None:
            unpaired_begin += begins
            unpaired_end += ends
            continue
        open_ = waiting.setdefault(k, [])
        if ends and open_:
            found.append((open_.pop(0 if first else -1), int(e[unit]), int(e['ticks'])))
        else:
            unpaired_end += ends
        if begins:
            open_.append((int(e[unit]), int(e['ticks'])))
    return found, unpaired_begin + sum(map(len, waiting.values())), unpaired_end


wrong = 0
for i in range(pairs):
    chance = random.Random('%s %d' % (seed, i))
    (begin_text, begin), (end_text, end) = expression(chance), expression(chance)
    if chance.randrange(8) == 0:
        end_text, end = begin_text, begin
    same, key = joins(chance)
    first = chance.randrange(2)
    command = ['measure', '--begin', begin_text, '--end', end_text, *same, '--pair', 'first' if first else 'last']
    lines = [json.loads(line) for line in run(*command, '--format', 'jsonl')]
    found, unpaired_begin, unpaired_end = measured(begin, end, key, first)
    last, got = lines[-1], lines[:-1]
    want = [{'from_' + unit: a[0], 'to_' + unit: b} for a, b, _ in found]
    got_ends = [{k: int(v) for k, v in line.items() if not k.startswith('dur')} for line in got]
    ticks = sorted(t - a[1] for a, _, t in found)
    ok = want == got_ends and last['count'] == len(found)
    ok = ok and (last['unpaired_begin'], last['unpaired_end']) == (unpaired_begin, unpaired_end)
    lengths = sorted(int(line['dur_' + unit]) for line in got)
    for p in (50, 95, 99):
        ok = ok and last['p%d_%s' % (p, unit)] == (lengths[-(-len(lengths) * p // 100) - 1] if lengths else None)
    ok = ok and last['max_' + unit] == (lengths[-1] if lengths else None)
    if unit == 'ticks':
        ok = ok and lengths == ticks
    csv = run(*command, '--format', 'csv')[1:]
    ok = ok and csv == ['%d,%d,%d' % tuple(int(v) for v in line.values()) for line in got]
    wide = [line for line in lines_on_terminal([program, *command, capture]) if len(line) > 80]
    if not ok or wide:
        wrong += 1
        print('%s: expected %d pairs, %d, %d; got %s %s' % (command, len(found), unpaired_begin, unpaired_end, last, wide[:1]))
print('%d pairs of filters, %d differ' % (pairs, wrong))
sys.exit(wrong > 0)
