# SPDX-License-Identifier: Apache-2.0
"""CPU time by client as columns of `stats --by thread` and `--by process`.

    python3 clients.py PROGRAM CAPTURE [OPTION...]

- A row of a thread has the values of its row in `stats --by imposed`, zeros if it has none there.
- A row of a process has the sums of its threads, each rounded down to a nanosecond.
- The rows of a thread in `stats --by matrix` add up to its `imposed` and `charged`, but for nanoseconds cut off.
- Rows of idle threads, and all rows of a capture without messages, have null.

Prints the number of threads with a value in `imposed`; differences go to standard error.
"""
import json, subprocess, sys

KEYS = ('self', 'imposed', 'imposed_gross', 'charged')


def rows_of(*arguments):
    text = subprocess.run([program, *arguments, '--no-cache', '--format', 'jsonl', *options, capture],
                          stdout=subprocess.PIPE, check=True).stdout
    return [json.loads(line) for line in text.splitlines()]


def values_of(row):
    return [row[key + unit] for key in KEYS]


program, capture, *options = sys.argv[1:]
threads = rows_of('stats', '--by', 'thread')
unit = '_ns' if 'self_ns' in threads[0] else '_ticks'
messages = subprocess.run([program, 'dump', '--messages', '--no-cache', capture], stdout=subprocess.PIPE, check=True).stdout
differences = 0


def lists_by(keys, rows):
    """The values of the rows by their keys; pids and names may occur twice."""
    lists = {}
    for row in rows:
        lists.setdefault(tuple(row[key] for key in keys), []).append(values_of(row))
    return lists


def check(name, holds, got, want):
    global differences
    if not holds:
        differences += 1
        print('%s: %s, expected %s' % (name, got, want), file=sys.stderr)


ids = 'pid', 'tid', 'thread'
listed = [row for row in threads if not row['idle']]
by_client = lists_by(ids, rows_of('stats', '--by', 'imposed'))
served = {}
for row in rows_of('stats', '--by', 'matrix'):
    served.setdefault(tuple(row['client_' + key] for key in ids[:2]) + (row['client'],), []).append(row)
check('clients of --by matrix', set(served) <= set(by_client), set(served), set(by_client))
for name, lists in by_client.items():
    for i, key in ((1, 'imposed'), (3, 'charged')):
        cells = served.get(name, [])
        rest = sum(values[i] for values in lists) - sum(cell[key + unit] for cell in cells)
        check('%s of %s in the matrix' % (key, name), 0 <= rest <= len(cells), rest, 0)
for name, got in lists_by(ids, listed).items():
    want = by_client.pop(name, [])
    want = want + [[0] * 4] * (len(got) - len(want)) if messages else [[None] * 4] * len(got)
    check(name, sorted(got) == sorted(want) if messages else got == want, got, want)
check('rows of --by imposed without a thread', not messages or not by_client, by_client, {})
for row in threads:
    check(row['thread'], not row['idle'] or values_of(row) == [None] * 4, values_of(row), None)

parts = lists_by(('pid', 'process'), listed)
for name, got in lists_by(('pid', 'process'), rows_of('stats', '--by', 'process')).items():
    want = parts[name]
    if messages:
        slack = len(want) if unit == '_ns' else 0
        pairs = [(sum(g), sum(w)) for g, w in zip(zip(*got), zip(*want))]
        check(name, all(w <= g <= w + slack for g, w in pairs), got, want)
    else:
        check(name, all(row == [None] * 4 for row in got), got, want)
print(sum(1 for row in threads if row['imposed' + unit]))
sys.exit(differences > 0)
