# SPDX-License-Identifier: Apache-2.0
"""Random ranges of the tables of `stats` against each other.

    python3 ranges_random.py PROGRAM SEED COUNT CAPTURE

- A range that ends after the capture has the numbers of one that ends with it.
- A range outside the capture has no time and no count.
- Times of a range are the sums of those of its two parts; no time of a row that is one at a time exceeds the range.
- No share exceeds 100 %.

Differences go to standard error, the number of compared values to standard output.
"""
import collections, json, random, subprocess, sys

# By table: keys that identify a row; times that add up, of which those in ONE_AT_A_TIME are at most the range.
TABLES = {
    'object': (('pid', 'kind', 'object', 'name'), ('contended',)),
    'server': (('server_pid', 'server_tid', 'kind'), ('busy',)),
    'imposed': (('pid', 'tid'), ('self', 'imposed', 'imposed_gross', 'charged', 'unserved')),
    'matrix': (('client_pid', 'client_tid', 'server_pid'), ('imposed', 'imposed_gross', 'charged')),
    'thread': (('pid', 'tid'), ('run', 'irq', 'running', 'ready', 'ipc', 'lock', 'sleep', 'wait', 'stopped')),
    'process': (('pid',), ('run', 'irq')),
    'cpu': (('cpu',), ('busy', 'idle', 'irq', 'kernel', 'unknown')),
    'client': (('client_pid', 'client_tid', 'kind'), ()),
    'channel': (('server_pid', 'channel', 'connection', 'kind'), ()),
    'message': (('client_pid', 'client_tid', 'server_pid', 'server_tid', 'kind'), ()),
    'interrupt': (('vector', 'event', 'cpu'), ()),
    'job': (('pid', 'tid'), ()),
}
ONE_AT_A_TIME = ('contended', 'busy', 'self', 'run', 'idle', 'kernel', 'unknown', 'ready', 'ipc', 'lock', 'sleep', 'wait')


def run(command, *options):
    done = subprocess.run([program, command, '--no-cache', '--format', 'jsonl', *options, capture], capture_output=True, check=False)
    if done.returncode > 1:
        sys.exit(f'{command} {options}: {done.stderr.decode()}')
    return [json.loads(line) for line in done.stdout.decode().splitlines()]


def rows(by, *options):
    table = collections.defaultdict(list)
    for row in run('stats', '--by', by, *options):
        if not row.get('idle'):
            table[tuple(row.get(key) for key in TABLES[by][0])].append(row)
    return table


def time(row, key):
    return row.get(key + '_ns', row.get(key + '_ticks')) or 0


def differs(what, *values):
    print(f'seed {seed}: {capture}: {what}:', *values, file=sys.stderr)


def compare_beyond(by, rng):
    """Ranges that end after the capture, or begin there."""
    begin = rng.randrange(length)
    expected = run('stats', '--by', by, '--from', f'{begin}t')
    for beyond in (length + 1, length + rng.randrange(1, 10 * length), 10**18):
        found = run('stats', '--by', by, '--from', f'{begin}t', '--to', f'{beyond}t')
        if found != expected:
            pairs = [(a, b) for a, b in zip(expected, found) if a != b]
            differs(f'--by {by} --from {begin}t --to {beyond}t', *(pairs[0] if pairs else (len(expected), len(found))))
    after = length + rng.randrange(2, 10 * length)
    for row in run('stats', '--by', by, '--from', f'{after}t', '--to', f'{after + rng.randrange(1, length)}t'):
        some = {key: value for key, value in row.items() if value and isinstance(value, (int, float)) and
                (key.endswith(('_pct', '_count', '_hz')) or key.removesuffix('_ns').removesuffix('_ticks') in TABLES[by][1])}
        if some:
            differs(f'--by {by} --from {after}t', some)
    return len(expected)


def compare_parts(by, rng):
    """A range and its two parts."""
    first, middle, last = sorted(rng.randrange(length + length // 4) for _ in range(3))
    edges = ((first, last), (first, middle), (middle, last))
    whole, left, right = (rows(by, '--from', f'{a}t', '--to', f'{b}t') for a, b in edges)
    inside = max(0, min(last, length) - first)
    limit = inside if not clock else inside * 10**9 // clock + 1
    for key, found in whole.items():
        for name in TABLES[by][1]:
            total = sum(time(row, name) for row in found)
            parts = sum(time(row, name) for part in (left, right) for row in part.get(key, []))
            if abs(total - parts) > 2 * len(found) * (clock not in (0, 10**9)):
                differs(f'--by {by} {name} of {key} in {first}t, {middle}t, {last}t', total, parts)
            if len(found) == 1 and name in ONE_AT_A_TIME and by != 'process' and total > limit:
                differs(f'--by {by} {name} of {key} in {first}t, {last}t', total, limit)
        for row in found:
            shares = {name: row[name] for name in ('contended_pct', 'busy_pct', 'run_pct') if (row.get(name) or 0) > 100}
            if shares and by != 'process':
                differs(f'--by {by} of {key} in {first}t, {last}t', shares)
    return len(whole) * max(1, len(TABLES[by][1]))


program, seed, count, capture = sys.argv[1:]
info = run('info')[0]
clock = info.get('clock_hz') or 0
length = int(info['last_ticks']) - int(info['first_ticks'])
generator = random.Random(int(seed))
compared = 0
for table in list(TABLES) * int(count):
    compared += compare_beyond(table, generator) + compare_parts(table, generator)
print(compared)
