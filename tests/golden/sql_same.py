# SPDX-License-Identifier: Apache-2.0
"""Tables of SQL against the other commands, and queries against plain SQLite.

    python3 sql_same.py sums PROGRAM CAPTURE       counts and sums equal those of info, stats and dump
    python3 sql_same.py plain PROGRAM CAPTURE DATABASE DOCUMENT
        each query of the document has the same rows in plain SQLite on a copy of the tables; prints the number
        of queries that could be compared (functions of tracetui do not exist there)

Differences go to standard error.
"""
import json, re, sqlite3, subprocess, sys


def out(*arguments):
    done = subprocess.run([program, *arguments, '--no-cache'], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode > 1:  # 1: the capture is damaged
        sys.exit(f'{arguments}: {done.stderr.decode()}')
    return done.stdout.decode()


def query(text):
    return [list(json.loads(line).values()) for line in out('sql', text, capture, '--format', 'jsonl').splitlines()]


def rows(*arguments):
    return [json.loads(line) for line in out(*arguments, capture, '--format', 'jsonl').splitlines()]


def same(name, expected, found):
    if expected != found:
        print(f'{capture}: {name}: expected {expected}, found {found}', file=sys.stderr)


def sums():
    clock = query('select clock_hz is not null from captures')[0][0]
    unit = '_ns' if clock else '_ticks'
    convert = 'to_ns' if clock else ''
    info = json.loads(out('info', capture, '--format', 'jsonl').splitlines()[0])
    known = query('select events, derived from captures')[0]
    same('events', info.get('events', known[0]), known[0])
    same('rows', known[0], query('select count(n) from events')[0][0])
    same('types', known[0] + known[1], query('select sum(events) from types')[0][0])
    counts = {
        'switches': sum(row['count'] for row in rows('stats', '--by', 'pair')),
        'irqs': sum(row['count'] for row in rows('stats', '--by', 'interrupt')),
        'jobs': len(rows('dump', '--jobs')),
        'messages': len(rows('dump', '--messages')),
        'lock_waits where not since_before': sum(row['waits'] for row in rows('stats', '--by', 'object')),
    }
    for table, count in counts.items():
        same(table, count, query(f'select count(*) from {table}')[0][0])
    classes = ['ready', 'running', 'ipc', 'sleep', 'wait', 'stopped', 'unknown']
    expected = sorted(([row['pid'], row['tid'], *(row[c + unit] for c in classes)]
                      for row in rows('stats', '--by', 'thread')), key=str)
    columns = ', '.join(f"{convert}(sum(iif(class = '{c}', dur_ticks, 0)))" for c in classes)
    found = sorted(query(f'select pid, tid, {columns} from states join threads using (utid, pid, tid) '
                         'where not is_pseudo group by utid'), key=str)
    same('times of threads by class', [row for row in expected if any(row[2:])], [row for row in found if any(row[2:])])
    for table, name, command in (('jobs', 'response', ('dump', '--jobs')), ('messages', 'round', ('dump', '--messages'))):
        lengths = sorted(row[name + unit] for row in rows(*command) if row[name + unit] is not None)
        same(f'{table}: {name}', lengths,
             [int(row[0]) for row in query(f'select {name}{unit} from {table} where {name}{unit} is not null order by 1')])


def alike(a, b):
    if a is None or b is None or isinstance(a, str) or isinstance(b, str):
        return a == b
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def plain(database, document):
    plain_tables = sqlite3.connect(database)
    compared = 0
    for text in re.findall(r'```sql\n(.*?);\n```', open(document).read(), re.S):
        found = query(text)
        try:
            expected = [list(row) for row in plain_tables.execute(text)]
        except sqlite3.OperationalError as error:
            if 'no such function' not in str(error):
                raise
            continue
        compared += 1
        if len(expected) != len(found) or not all(
                len(x) == len(y) and all(map(alike, x, y)) for x, y in zip(expected, found)):
            print(f'{text}: expected {expected}, found {found}', file=sys.stderr)
    print(compared)


what, program, capture, *rest = sys.argv[1:]
sums() if what == 'sums' else plain(*rest)
