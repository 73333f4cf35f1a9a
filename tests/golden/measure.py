# SPDX-License-Identifier: Apache-2.0
"""Pairs events by brute force, from `dump --format jsonl`, and compares with `measure`.

    python3 measure.py PROGRAM CAPTURE PAIRS SEED
"""
import json, os, random, subprocess, sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'lib'))
from on_terminal import lines_on_terminal

program, capture, pairs, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]


def run(*options):
    result = subprocess.run([program, *options, capture], capture_output=True, text=True)
    assert result.returncode == 0, (options, result.stderr)
    return result.stdout.splitlines()


events = [json.loads(line) for line in run('dump', '--format', 'jsonl')]
with_n = [e for e in events if e['n'] is not None]
unit = 'ticks' if events[0]['ns'] is None else 'ns'


def quoted(text):
    return '"%s"' % text.replace('\\', '\\\\').replace('"', '\\"')


def term(chance, event):
    """A filter that at least this event matches, and a function that tests events in the same way."""
    kind = chance.randrange(6)
    if kind == 0 and event['cpu'] is not None:
        return 'cpu = %d' % event['cpu'], lambda e: e['cpu'] == event['cpu']
    if kind == 1 and event['pid'] is not None:
        return 'pid = %d' % event['pid'], lambda e: e['pid'] == event['pid']
    if kind == 2:
        return 'kind = %s' % event['kind'], lambda e: e['kind'] == event['kind']
    if kind == 3:
        return 'class = %s' % quoted(event['class']), lambda e: e['class'].lower() == event['class'].lower()
    return 'event = %s' % quoted(event['event']), lambda e: e['event'].lower() == event['event'].lower()


def expression(chance):
    event = chance.choice(with_n)
    text, test = term(chance, event)
    for _ in range(chance.choice((0, 0, 1))):
        other, test2 = term(chance, event)
        text, test = '%s and %s' % (text, other), lambda e, a=test, b=test2: a(e) and b(e)
    return text, test


def number(value):
    """An integer whatever its notation, else the value itself."""
    try:
        return int(value, 0) if isinstance(value, str) else value
    except ValueError:
        return value


def process(event):
    """The process: a pid that is used again is another one, and its name shows that (process/tid name)."""
    if event['pid'] is None:
        return None
    name, _, thread = event['thread'].rpartition('/')
    return event['pid'], name if thread.split(' ')[0] == str(event['tid']) else ''


def joins(chance):
    names = sorted({name for e in with_n for name in e['args'] if '~' not in name and '.' not in name})
    what = chance.choice(['any', 'thread', 'cpu', 'process'] + ['arg'] * 2 * bool(names))
    if what == 'any':
        return [], lambda e: ()
    if what == 'arg':
        name = chance.choice(names)
        return ['--same', 'arg:' + name], lambda e: None if e['args'].get(name) is None else number(e['args'][name])
    keys = {'thread': lambda e: e['pid'] is not None and (e['pid'], e['tid'], e['thread']) or None,
            'cpu': lambda e: e['cpu'], 'process': process}
    return ['--same', what], keys[what]


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
