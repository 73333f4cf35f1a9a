# SPDX-License-Identifier: Apache-2.0
"""zephyr_states.py TRACETUI CAPTURE: compares the runs and states of threads with the rules of Zephyr's own viewer, computed
from the events that `babeltrace2` prints: a thread runs from its switched_in to the next switch of its CPU; it then is in the
state of the last hint since it was switched in, and ready without one. Here a thread that pends leaves at its switch
out, and releases that do not record all waits have no ready state without a reason: these two differences are known.
Prints a line for each comparison that holds; exit status 1 if one does not."""

import json
import subprocess
import sys
from collections import defaultdict

import ctf_babeltrace as babeltrace

READY = {'thread_sched_ready', 'thread_ready', 'thread_wakeup', 'thread_sched_wakeup', 'thread_resume', 'thread_sched_resume'}
SLEEPS = {'k_sleep_enter', 'thread_sleep_enter', 'thread_msleep_enter', 'thread_usleep_enter'}
PEND = {'thread_sched_pend', 'thread_pending'}
SUSPEND = {'thread_suspend', 'thread_sched_suspend'}
ABORT = {'thread_abort', 'thread_sched_abort'}
CLASSES = {'ipc': 'blocked', 'lock': 'blocked', 'condition': 'blocked', 'wait': 'blocked', 'sleep': 'sleep', 'ready': 'ready',
           'stopped': 'suspended', 'dead': 'dead'}


def cpu_of(event):
    return event.cpu if event.cpu is not None else event.fields.get('core_id', 0)


def viewer(events):
    """(runs, states): (thread, begin, end) of each run that has a switched_in, and (thread, begin, state) of each state that
    begins with a switch out after it, or with the wake of a thread that waits."""
    running, begin, hint, waits = {}, {}, {}, {}
    runs, states = [], []
    old_sleep = False
    for event in events:
        cpu, thread, name, time = cpu_of(event), event.fields.get('thread_id'), event.name, event.time
        current = running.get(cpu)
        if name == 'thread_switched_in':
            if current is not None:
                runs.append((current, begin[cpu], time))
            running[cpu], begin[cpu] = thread, time
            hint.pop(thread, None)
            waits.pop(thread, None)
        elif name == 'thread_switched_out':
            if current is not None:
                runs.append((current, begin[cpu], time))
                if current == thread:
                    state = hint.pop(thread, 'ready')
                    states.append((thread, time, state))
                    waits[thread] = state
            running[cpu] = None
        elif name in SLEEPS or (name == 'start_call' and event.fields['id'].number == 39):
            hint[current], old_sleep = 'sleep', name == 'start_call'
        elif name.endswith('_blocking'):
            hint[current] = 'blocked'
        elif name in PEND and thread == current:
            hint[thread] = 'blocked'
        elif name in SUSPEND and thread == current:
            if not (old_sleep and hint.get(thread) == 'sleep'):
                hint[thread] = 'suspended'
        elif name in ABORT:
            hint[thread] = 'dead'
        elif name in READY:
            if waits.get(thread, 'ready') not in ('ready', 'dead'):
                states.append((thread, time, 'ready'))
                waits[thread] = 'ready'
            if thread == current:
                hint.pop(thread, None)
    return runs, states


def judge(name, differences, count):
    if differences:
        print(f'{name}: {len(differences)} differences, the first: {differences[0]}', file=sys.stderr)
    else:
        print(f'{name} ({count})')
    return bool(differences)


TRACETUI, CAPTURE = sys.argv[1:3]
theirs, _ = babeltrace.read(CAPTURE)
done = subprocess.run([TRACETUI, 'sql', '--format', 'jsonl', 'select tid, class, ts_ns as start, end_ns as end from states', CAPTURE],
                      stdout=subprocess.PIPE, check=False)
rows = [json.loads(line) for line in done.stdout.splitlines()]
first = subprocess.run([TRACETUI, 'sql', '--format', 'jsonl', 'select min(ts_ns) as ns from events', CAPTURE], stdout=subprocess.PIPE, check=False)
shift = theirs[0].time - int(json.loads(first.stdout.splitlines()[0])['ns'])
names = {event.name for event in theirs}
has_reasons = bool(names & (SLEEPS | {'start_call', 'thread_sched_ready'}))
runs, states = viewer(theirs)
ours = {(row['tid'], int(row['start']) + shift, int(row['end']) + shift) for row in rows if row['class'] == 'running'}
failed = judge('runs of threads', [run for run in runs if run[1] < run[2] and run not in ours], len(runs))
begun = defaultdict(set)
for row in rows:
    begun[row['tid'], int(row['start']) + shift].add(CLASSES.get(row['class'], row['class']))
last = max(event.time for event in theirs)
differences = [(thread, time, state, sorted(begun[thread, time])) for thread, time, state in states
               if time < last and state not in begun[thread, time] and (state != 'ready' or has_reasons)]
# A state of no duration does not exist: the next one begins at the same time.
moments = defaultdict(list)
for thread, time, state in states:
    moments[thread, time].append(state)
for run in runs:
    moments[run[0], run[1]].append('running')
differences = [d for d in differences if moments[d[0], d[1]][-1] == d[2]]
failed |= judge('states of threads that leave their CPU, or wake', differences, len(states))
sys.exit(failed)
