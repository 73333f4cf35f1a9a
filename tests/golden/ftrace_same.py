# SPDX-License-Identifier: Apache-2.0
"""ftrace_same.py TRACETUI FILE: compares what tracetui makes of a trace.dat with `trace-cmd report` and with the rules
of `perf sched latency` and KernelShark (ftrace_report.py). Prints a line for each comparison that holds; exit status 1
after the first difference of each that does not."""

import json
import subprocess
import sys
from collections import Counter, defaultdict

import ftrace_report as report

failed = False


def judge(name, differences, count):
    global failed
    if differences:
        failed = True
        print(f'{name}: {len(differences)} differences, the first: {differences[0]}', file=sys.stderr)
    else:
        print(f'{name} ({count})')


def tracetui(*arguments):
    """Rows of JSON; numbers above 2^53 are strings in it."""
    done = subprocess.run([TRACETUI, *arguments, FILE], stdout=subprocess.PIPE, check=False)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    for row in rows:
        for key in ('ns', 'start', 'end'):
            if isinstance(row.get(key), str):
                row[key] = int(row[key])
    return rows


# Events --------------------------------------------------------------------------------------------------------------

def same_events(expected, got):
    """Of each CPU: the same times, threads and names. Instances are buffers of their own, and trace-cmd orders equal
    times of one CPU by instance: those are compared as sets."""
    def key(time, tid, name):
        return (time, tid, name)
    by_cpu = defaultdict(lambda: ([], []))
    for event in expected:
        by_cpu[event.cpu][0].append(key(event.time, event.tid, event.name))
    for row in got:
        tid = row['tid'] if row['pid'] != 0 else 0  # idle threads have the number of their CPU
        by_cpu[row['cpu']][1].append(key(row['ns'], tid, row['event']))
    differences = []
    for cpu, (theirs, ours) in sorted(by_cpu.items()):
        for extra in (Counter(theirs) - Counter(ours)).elements():
            differences.append(f'CPU {cpu}: {extra} is missing')
        for extra in (Counter(ours) - Counter(theirs)).elements():
            differences.append(f'CPU {cpu}: {extra} is too many')
        if [k[0] for k in ours] != [k[0] for k in theirs]:
            differences.append(f'CPU {cpu}: another order of times')
    judge('events, with time, CPU, thread and name', differences, len(expected))


def plain(value):
    return value.rstrip('\n').strip() if isinstance(value, str) else value


def same_value(raw, value):
    """A raw field of trace-cmd, and a value of JSON. Numbers that trace-cmd prints in hexadecimal without a prefix, and
    addresses that it prints as symbols."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, str) and not isinstance(raw, str):
        return False
    number = report.number(raw)
    ours = value if isinstance(value, int) else report.number(str(value))
    raw = '0' if raw == '(nil)' else raw
    if ours is not None:
        bits = 1 << 64
        for theirs in (number, hexadecimal(raw)):
            if theirs is not None and (theirs - ours) % bits in (0, 1 << 32, bits - (1 << 32)):
                return True
    return plain(str(value)) == plain(raw)


def hexadecimal(raw):
    try:
        return int(raw, 16)
    except ValueError:
        return None


SYMBOLS = {'function', 'ip', 'parent_ip', 'call_site', 'work', 'caller', 'func'}


def same_fields(expected, got):
    """The raw fields of each event, matched within a CPU by time, name and order."""
    rows = defaultdict(list)
    for row in got:
        rows[row['cpu'], row['ns'], row['event']].append(row)
    differences, count = [], 0
    for event in expected:
        found = rows[event.cpu, event.time, event.name]
        if not found or event.fields is None:
            continue
        args = found.pop(0)['args']
        for name, raw in event.fields.items():
            if raw.startswith('ARRAY[') or name in SYMBOLS and report.number(raw) is None:
                continue
            if name not in args:
                differences.append(f'{event.name} at {event.time}: no {name} in {args}')
            elif not same_value(raw, args[name]):
                differences.append(f'{event.name} at {event.time}: {name}={raw}, got {args[name]!r}')
            count += 1
    judge('raw fields', differences, count)


# Numbers of threads --------------------------------------------------------------------------------------------------

NUMBERS = {'running_ns': lambda t: t.running, 'switches_in': lambda t: t.switches_in,
           'voluntary': lambda t: t.voluntary, 'preempted': lambda t: t.preempted,
           'migrations': lambda t: t.migrations,
           'delay_count': lambda t: len(t.delays), 'delay_max_ns': lambda t: max(t.delays, default=None),
           'delay_mean_ns': lambda t: sum(t.delays) // len(t.delays) if t.delays else None,
           'preempted_wait_count': lambda t: len(t.waits_preempted),
           'preempted_wait_max_ns': lambda t: max(t.waits_preempted, default=None)}


def same_numbers(threads, rows):
    differences, count = [], 0
    for tid, thread in sorted(threads.items()):
        if tid == 0:
            continue
        row = rows.get(tid)
        if row is None:
            differences.append(f'thread {tid} is missing')
            continue
        for key, of in NUMBERS.items():
            expected = of(thread)
            if row[key] != expected:
                differences.append(f'thread {tid}: {key} {row[key]}, expected {expected}')
            count += 1
    judge('run times, switches and delays of threads', differences, count)


def same_latency(sums, rows):
    differences = []
    for tid, (count, total, longest) in sorted(sums.items()):
        row = rows.get(tid)
        if row is None:
            differences.append(f'thread {tid} is missing')
            continue
        ours = row['delay_count'] + row['preempted_wait_count']
        most = max(row['delay_max_ns'] or 0, row['preempted_wait_max_ns'] or 0)
        mean = (row['delay_mean_ns'] or 0) * row['delay_count'] + \
            (row['preempted_wait_mean_ns'] or 0) * row['preempted_wait_count']
        if (ours, most) != (count, longest) or not 0 <= total - mean <= count:
            differences.append(f'thread {tid}: {ours} delays of at most {most}, sum {mean}; expected {count}, {longest}, {total}')
    judge('perf sched latency: number, sum and maximum of delays', differences, len(sums))


def same_boxes(boxes, states):
    ours = defaultdict(list)
    for row in states:
        ours[row['tid']].append((row['start'], row['end']))
    differences = []
    for tid, list_ in sorted(boxes.items()):
        expected = [(begin, end) for _, begin, end in list_]
        got = sorted(set(ours[tid]) & set(expected))
        for box in expected:
            if box not in got:
                near = [s for s in ours[tid] if s[1] == box[1] or s[0] == box[0]]
                differences.append(f'thread {tid}: {box} is no ready state; near: {near[:2]}')
    judge("KernelShark's boxes are ready states", differences, sum(map(len, boxes.values())))


def same_waits(waits, states):
    differences = []
    for tid, holder, address, begin, end in waits:
        found = [s for s in states if s['tid'] == tid and (s['start'], s['end']) == (begin, end)]
        if not found or found[0]['class'] != 'lock':
            differences.append(f'thread {tid}: {begin} to {end} for {address:#x}, held by {holder}: got {found}')
    judge('waits for futexes that are held', differences, len(waits))


TRACETUI, FILE = sys.argv[1:3]
raw, losses = report.read(FILE)
dump = tracetui('dump', '--format', 'jsonl')
dump = [row for row in dump if not row['derived']]
same_events(raw, dump)
same_fields(raw, dump)
inside = [lost for lost in losses if any(event.cpu == lost[1] for event in raw[:lost[0]])]
scheduling = report.scheduling(raw)
if scheduling and not inside:
    kernel = report.Kernel(FILE)
    rows = {row['tid']: row for row in tracetui('stats', '--by', 'thread', '--format', 'jsonl') if row['pid'] != 0}
    states = tracetui('sql', '--format', 'jsonl', 'select tid, state, class, ts_ns as start, end_ns as end from states')
    same_numbers(report.threads(scheduling, kernel, max(event.time for event in raw)), rows)
    same_latency(report.latency(scheduling, kernel), rows)
    same_boxes(report.kernelshark(scheduling, kernel), [s for s in states if s['class'] == 'ready'])
    waits = report.futex_waits(scheduling, kernel)
    if waits:
        same_waits(waits, states)
sys.exit(failed)
