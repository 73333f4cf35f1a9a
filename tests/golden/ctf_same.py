# SPDX-License-Identifier: Apache-2.0
"""ctf_same.py TRACETUI CAPTURE [TWIN]: compares what tracetui makes of a CTF capture with `babeltrace2`, which reads
CAPTURE, or TWIN, a capture with the same streams whose metadata babeltrace2 can read. Events, times, names and fields;
the scheduling of kernel traces by a second implementation (ftrace_report.py). Prints a line for each comparison that
holds; exit status 1 if one does not."""

import json
import re
import subprocess
import sys
from collections import Counter, defaultdict

import ctf_babeltrace as babeltrace
import ftrace_report as report

MOST_FIELDS = 64  # of an event, in the outputs of tracetui
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
    done = subprocess.run([TRACETUI, *arguments, CAPTURE], stdout=subprocess.PIPE, check=False)
    rows = [json.loads(line) for line in done.stdout.decode('utf-8', 'replace').splitlines()]
    for row in rows:
        for key in ('ns', 'start', 'end'):
            if isinstance(row.get(key), str):
                row[key] = int(row[key])
    return rows


# Events --------------------------------------------------------------------------------------------------------------

def short(name):
    return name.rsplit(':', 1)[-1] if ':' in name else name


def since(times):
    """Times from the earliest on: what the capture counts from is not the epoch."""
    first = min((t for t in times if t is not None), default=0)
    return [0 if t is None else t - first for t in times]


def in_order(pairs, cpu_of):
    by_cpu = defaultdict(list)
    for time, event in pairs:
        by_cpu[cpu_of(event)].append(time)
    return by_cpu


def same_events(theirs, ours):
    cpus = any(event.cpu is not None for event in theirs)
    their_times = since([event.time for event in theirs])
    our_times = since([row['ns'] for row in ours])
    if IMPLICIT_CLOCK:  # babeltrace2 counts every step back as a wrap: the order of the file remains
        their_times, our_times = [0] * len(theirs), [0] * len(ours)
    expected = Counter(zip(their_times, (e.cpu if cpus else None for e in theirs), (short(e.name) for e in theirs)))
    found = Counter(zip(our_times, (r['cpu'] if cpus else None for r in ours), (r['event'] for r in ours)))
    differences = [f'{key} is missing' for key in (expected - found).elements()]
    differences += [f'{key} is too many' for key in (found - expected).elements()]
    their_order = in_order(zip(their_times, theirs), lambda e: e.cpu if cpus else None)
    our_order = in_order(zip(our_times, ours), lambda r: r['cpu'] if cpus else None)
    differences += [f'CPU {cpu}: another order of times' for cpu, times in their_order.items() if our_order[cpu] != times]
    judge('events, with time, CPU and name', differences, len(theirs))


def same_value(expected, got):
    if isinstance(expected, babeltrace.Enumeration):
        labels = ' '.join(expected.labels)
        return got == expected.number or str(got) == str(expected.number) or str(got) == labels or \
            any(label in str(got) for label in expected.labels)
    if isinstance(expected, float):
        try:
            return abs(float(got) - expected) <= 1e-5 * abs(expected)
        except (TypeError, ValueError):
            return False
    if isinstance(expected, int) and not isinstance(got, bool):
        try:
            number = got if isinstance(got, int) else int(str(got), 0)
        except ValueError:
            number = int(match[1], 0) if (match := re.match(r'.*\((-?\w+)\)$', str(got))) else None
        return number is not None and (number - expected) % (1 << 64) == 0
    return str(got) == str(expected)


def is_length(name, fields):
    """Whether a field is the length of the sequence after it, which outputs leave out."""
    match = re.fullmatch(r'(.*?)_(\w+)_length', name)
    return match and any(f == match[1] + match[2] or f.startswith(match[1] + match[2] + '[') for f in fields)


def ours_may_be_empty(rows, time, event, cpus):
    """The fields that are empty texts in a row with which the event may be matched."""
    found = rows[0 if IMPLICIT_CLOCK else time, event.cpu if cpus else None, short(event.name)]
    return {name for row in found for name, value in row['args'].items() if value == ''}


def correct_texts(event, empty, texts):
    """babeltrace2 2.0 prints an earlier text of a field in place of an empty one."""
    for name, value in event.fields.items():
        if isinstance(value, str) and value:
            earlier = texts.setdefault((event.name, name), set())
            if name in empty and value in earlier:
                event.fields[name] = ''
            earlier.add(value)


def same_fields(theirs, ours):
    """Matched by time, CPU, name and order."""
    cpus = any(event.cpu is not None for event in theirs)
    rows = defaultdict(list)
    for time, row in zip(since([r['ns'] for r in ours]), ours):
        rows[0 if IMPLICIT_CLOCK else time, row['cpu'] if cpus else None, row['event']].append(row)
    differences, count, texts = [], 0, {}
    for time, event in zip(since([e.time for e in theirs]), theirs):
        correct_texts(event, ours_may_be_empty(rows, time, event, cpus), texts)
        found = rows[0 if IMPLICIT_CLOCK else time, event.cpu if cpus else None, short(event.name)]
        if not found:
            continue
        at = next((i for i, row in enumerate(found) if difference(event, row['args'])[0] is None), 0)
        wrong, checked = difference(event, found.pop(at)['args'])
        if wrong:
            differences.append(f'{event.name} at {time}: {wrong}')
        count += checked
    judge('fields', differences, count)


def difference(event, args):
    """(what differs or None, number of fields)"""
    count = 0
    for place, (name, expected) in enumerate(event.fields.items()):
        if is_length(name, event.fields):
            continue
        if name not in args:
            if place >= MOST_FIELDS:
                continue
            return f'no {name} in {args}', count
        if not same_value(expected, args[name]):
            return f'{name} = {expected!r}, got {args[name]!r}', count
        count += 1
    return None, count


# Scheduling of a Linux kernel ----------------------------------------------------------------------------------------

class Kernel:
    """The mark of a preempted thread in prev_state, by the kernel's release, and the values of stopped threads."""

    def __init__(self, release):
        version = tuple(int(n) for n in re.findall(r'\d+', release)[:2])
        self.mark = 512 if version < (3, 9) else 1024 if version < (4, 2) else 2048 if version < (4, 8) else \
            4096 if version < (4, 16) else 0x100
        self.stopped = (4, 8)

    def is_ready(self, state):
        return state == 0 or state & self.mark != 0


def renamed(events):
    """Scheduling events with the names of their fields in the kernel."""
    names = {'prev_tid': 'prev_pid', 'next_tid': 'next_pid', 'tid': 'pid'}
    kept = []
    for event in events:
        if event.name in ('sched_switch', 'sched_waking', 'sched_wakeup', 'sched_wakeup_new'):
            kept.append(babeltrace.Event(event.time, event.cpu, event.name, {
                names.get(key, key): str(value) if key == 'prev_state' else value for key, value in event.fields.items()}))
    return kept


NUMBERS = {'running_ns': lambda t: t.running, 'switches_in': lambda t: t.switches_in,
           'voluntary': lambda t: t.voluntary, 'preempted': lambda t: t.preempted,
           'delay_count': lambda t: len(t.delays), 'delay_max_ns': lambda t: max(t.delays, default=None),
           'preempted_wait_count': lambda t: len(t.waits_preempted),
           'preempted_wait_max_ns': lambda t: max(t.waits_preempted, default=None)}


def same_numbers(events, last, release):
    threads = report.threads(renamed(events), Kernel(release), last)
    rows = {row['tid']: row for row in tracetui('stats', '--by', 'thread', '--format', 'jsonl') if not row.get('idle')
            and not row['thread'].startswith('swapper/')}
    differences, count = [], 0
    for tid, thread in sorted(threads.items()):
        if tid == 0 or thread.cpu is None:  # idle threads; threads that only wake
            continue
        row = rows.get(tid)
        if row is None:
            differences.append(f'thread {tid} is missing')
            continue
        for key, of in NUMBERS.items():
            if row[key] != of(thread):
                differences.append(f'thread {tid}: {key} {row[key]}, expected {of(thread)}')
            count += 1
    judge('run times, switches and delays of threads', differences, count)


def release_of(path):
    """The kernel's release, from the metadata in whatever form; '' if it is no kernel trace."""
    with open(f'{path}/metadata', 'rb') as file:
        found = re.search(rb'kernel_release"?\s*[=:]\s*"([\d.]+)', file.read())
    return found[1].decode() if found else ''


TRACETUI, CAPTURE = sys.argv[1:3]
TWIN = sys.argv[3] if len(sys.argv) > 3 else CAPTURE
IMPLICIT_CLOCK = CAPTURE.endswith('philosophers-smp')
raw, messages = babeltrace.read(TWIN)
dump = [row for row in tracetui('dump', '--format', 'jsonl') if not row['derived']]
same_events(raw, dump)
same_fields(raw, dump)
if any(event.name == 'sched_switch' for event in raw) and 'discarded' not in messages and release_of(TWIN):
    same_numbers(raw, max(event.time for event in raw), release_of(TWIN))
sys.exit(failed)
