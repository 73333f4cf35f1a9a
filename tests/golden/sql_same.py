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
    if clock:
        parts = {'jobs': ('response', 'run', 'irq', 'ready', 'blocked'), 'messages': ('round', 'queue', 'service', 'back')}
        for table, (whole, *names) in parts.items():
            same(f'{table}: parts of {whole}', 0, query(
                f'select count(*) from {table} where {whole}_ns <> {" + ".join(name + "_ns" for name in names)}')[0][0])
        for command, whole, names in (('--jobs', 'response', ('run', 'irq', 'ready_sum', 'blocked')),
                                      ('--jobs', 'ready_sum', ('higher', 'equal', 'lower', 'other')),
                                      ('--messages', 'round', ('queue', 'service', 'back')),
                                      ('--messages', 'queue', ('queue_busy', 'queue_sched')),
                                      ('--messages', 'service', ('run', 'irq', 'ready', 'ipc', 'lock', 'sleep', 'wait', 'other'))):
            wrong = [row for row in rows('dump', command) if None not in [row[name + '_ns'] for name in (whole, *names)] and
                     row[whole + '_ns'] != sum(row[name + '_ns'] for name in names)]
            same(f'{command}: parts of {whole}', [], wrong[:1])
    same('unknown receivers', 0, query('select count(*) from messages where server_utid is null and (server_upid = 0 or '
                                       "server = '0') and (select format from captures) = 'trx'")[0][0])
    ends_and_wakes(clock, unit)


def ends_and_wakes(clock, unit):
    """Ends of states are known where `at` has them; wakes are those of `why`."""
    for percent in range(5, 100, 15):
        lanes = [row for row in rows('at', f'{percent}%') if 'until' + unit in row]
        at = lanes[0]['at' + unit] if lanes else 0
        expected = sorted([row['pid'], row['tid'], row['until' + unit] is None] for row in lanes)
        found = sorted([row[0], row[1], bool(row[2])] for row in query(
            f'select pid, tid, is_open from states s where ts{unit} <= {at} and not exists (select 1 from states n '
            f'where n.utid = s.utid and n.ts{unit} <= {at} and n.rowid > s.rowid)') if [row[0], row[1]] in [e[:2] for e in expected])
        same(f'open states at {percent}%', expected, found)
    wakes = sorted([row['at' + unit], row['pid'], row['tid'], row['by'], row['kind'] or '']
                   for row in rows('why', '--wakes'))
    same('wakes', wakes, sorted(query(f"select w.ts{unit}, pid, tid, by, ifnull(kind, '') from wakes w join threads using (utid)")))


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
