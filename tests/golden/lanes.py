# SPDX-License-Identifier: Apache-2.0
"""Runs state machines, intervals and values over what `dump --format jsonl` prints, and compares with `lanes`.

    python3 lanes.py PROGRAM CAPTURE LANES SEED
"""
import json, os, random, subprocess, sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), '..', 'lib'))
import joined_events

program, capture, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]


def run(*options):
    result = subprocess.run([program, *options, capture], capture_output=True, text=True)
    assert result.returncode == 0, (options, result.stderr)
    return result.stdout.splitlines()


events = [json.loads(line) for line in run('dump', '--format', 'jsonl')]
expression, joins = joined_events.of(events)
unit = 'ticks' if events[0]['ns'] is None else 'ns'


def rows_of(kind, tests, key, first, argument):
    """Rows [begin, end, state, value] with the number of the event that begins them."""
    rows, waiting = [], {}
    for number, e in enumerate(events):
        matched = [i for i, test in enumerate(tests) if test(e)]
        k = key(e) if matched else None
        if k is None:
            continue
        open_ = waiting.setdefault(k, [])
        if kind == 'intervals':
            if 1 in matched and open_:
                rows.append(open_.pop(0 if first else -1) + [e[unit]])
            if 0 in matched:
                open_.append([number, e[unit], None, None])
            continue
        state = matched[0] if kind == 'states' else None
        value = e['args'].get(argument)
        if kind == 'values' and (not isinstance(value, (int, float)) or isinstance(value, bool)):
            continue
        rows += [open_.pop() + [e[unit]]] if open_ else []
        if state != len(tests) - 1 or kind == 'values':
            open_.append([number, e[unit], state, value if kind == 'values' else None])
    rows += [row + [None] for open_ in waiting.values() for row in open_]
    return sorted(rows)


def definition(chance):
    """A definition of a lane, and its rows."""
    kind = chance.choice(['states', 'states', 'intervals', 'values'])
    options, key = joins(chance)
    first = kind == 'intervals' and chance.randrange(2)
    texts = [expression(chance) for _ in range(chance.randrange(2, 6) if kind == 'states' else 2)]
    argument = None
    if kind == 'states':
        words = ['s%d' % i for i in range(len(texts) - 1)] + ['-']
        text = 'states: ' + ', '.join('%s => %s' % (t[0], w) for t, w in zip(texts, words))
    elif kind == 'intervals':
        text = '%s -> %s%s' % (texts[0][0], texts[1][0], ' --pair first' * first)
    else:
        names = sorted({n for e in events if texts[0][1](e) for n in e['args'] if '~' not in n and '.' not in n})
        argument = chance.choice(names or ['none'])
        text = 'value of %s.arg.%s' % (texts[0][0], argument)
        texts = texts[:1]
    return ' '.join(['x =', text, *options]), rows_of(kind, [t[1] for t in texts], key, first, argument), kind


def comparable(rows):
    return sorted((r[1], -1 if r[4] is None else r[4], -1 if r[2] is None else r[2],
                   None if r[3] is None else float(r[3])) for r in rows)


wrong = total = 0
for i in range(count):
    chance = random.Random('%s %d' % (seed, i))
    text, rows, kind = definition(chance)
    total += len(rows)
    low, high = sorted(chance.sample([e for e in events if e['n'] is not None], 2), key=lambda e: e['n'])
    for range_ in [], ['--from', '#%d' % low['n'], '--to', '#%d' % high['n']]:
        lines = [json.loads(line) for line in run('lanes', '--lane', text, *range_, '--format', 'jsonl')]
        got = [[0, line['ts_' + unit], line['state'] and int(line['state'][1:]), line['value'], line['end_' + unit]]
               for line in lines]
        wanted = [r for r in rows if not range_ or events.index(low) <= r[0] < events.index(high)]
        if comparable(got) != comparable(wanted):
            wrong += 1
            print('%r %s: expected %d rows, got %d: %s; %s' % (
                text, range_, len(wanted), len(got),
                [r for r in comparable(wanted) if r not in comparable(got)][:3],
                [r for r in comparable(got) if r not in comparable(wanted)][:3]))
        sums = [json.loads(line) for line in run('stats', '--by', 'lane', '--lane', text, *range_, '--format', 'jsonl')]
        ended = [line['dur_' + unit] for line in lines if line['end_' + unit] is not None]
        values = sorted(line['value'] for line in lines if line['value'] is not None)
        ok = sum(s['count'] for s in sums) == len(lines) and sum(s['open'] for s in sums) == len(lines) - len(ended)
        ok = ok and max([s['duration_max_' + unit] or 0 for s in sums], default=0) == max(ended, default=0)
        ok = ok and max([s['value_max'] for s in sums if s['value_max'] is not None], default=0) == (values or [0])[-1]
        if len(sums) == 1 and values:
            ok = ok and sums[0]['value_p95'] == values[-(-len(values) * 95 // 100) - 1]
        if not ok:
            wrong += 1
            print('%r %s: sums %s of %d rows' % (text, range_, sums[:2], len(lines)))
print('%d lanes with %d rows, %d differ' % (count, total, wrong))
sys.exit(wrong > 0)
