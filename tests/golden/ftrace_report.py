# SPDX-License-Identifier: Apache-2.0
"""The events of a trace.dat as `trace-cmd report` prints them, and what follows from them by the rules of Linux'
tools: a second implementation, which shares nothing with the decoder.

Raw fields (-R) give the values, -t the nanoseconds. Nothing here reads the file itself."""

import re
import subprocess
from collections import defaultdict

LINE = re.compile(r'^(.*)-(\d+) +\[(\d+)\] +(\d+)\.(\d{9}): ([^:]+): *(.*)$')
LOST = re.compile(r'^ *CPU:(\d+) \[(?:(\d+) )?EVENTS DROPPED\]')
INSTANCE = re.compile(r'^ *([\w.-]+): +')
INSTANCE_NAME = re.compile(r'"(.*)" \[name\]')


class Event:
    __slots__ = ('time', 'cpu', 'tid', 'comm', 'name', 'text', 'instance', 'fields')

    def __init__(self, time, cpu, tid, comm, name, text, instance):
        self.time, self.cpu, self.tid, self.comm = time, cpu, tid, comm
        self.name, self.text, self.instance = name, text, instance
        self.fields = None

    def __getitem__(self, key):
        return self.fields[key]


def trace_cmd(*arguments):
    for _ in range(5):  # 3.1.6 reads past the end of the clock's name (valgrind), and sometimes ends for it
        done = subprocess.run(['trace-cmd', *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        if done.returncode == 0 and done.stdout:
            break
    return done.stdout.decode('utf-8', 'replace')


def formats_of(path):
    """The names of the fields of each event, in order, without the common ones."""
    formats, name = {}, None
    for line in (trace_cmd('dump', '--events', '--ftrace-events', '-i', path)).splitlines():
        if line.startswith('name: '):
            name = line[6:].strip()
            formats.setdefault(name, [])
        elif '\tfield:' in line and name is not None:
            field = line.split(';')[0].split()[-1].split('[')[0]
            if not field.startswith('common_') and field not in formats[name]:
                formats[name].append(field)
    return formats


def read(path, raw=True):
    """The events in the order of the report, and the losses as (index of the next event, CPU, number or None)."""
    options = trace_cmd('dump', '--options', '-i', path)
    instances, formats = [name for name in INSTANCE_NAME.findall(options) if name], formats_of(path)
    patterns = {}
    events, losses = [], []
    for line in trace_cmd('report', '-R' if raw else '-N', '-t', '-i', path).splitlines():
        instance = ''
        lost = LOST.match(line)
        if lost:
            losses.append((len(events), int(lost[1]), int(lost[2]) if lost[2] else None))
            continue
        named = INSTANCE.match(line)
        if named and named[1] in instances:
            instance, line = named[1], line[named.end():]
        match = LINE.match(line)
        if not match:
            if events and raw:  # a text with several lines
                events[-1].text += '\n' + line
            continue
        comm, tid, cpu, seconds, rest, name, text = match.groups()
        events.append(Event(int(seconds) * 10**9 + int(rest), int(cpu), int(tid), comm.strip(), name, text, instance))
    for event in events if raw else []:
        if event.name not in patterns:
            names = formats.get(event.name, [])
            patterns[event.name] = re.compile('^ *' + ' '.join(re.escape(n) + '=(.*?)' for n in names) + '$', re.S)
        found = patterns[event.name].match(event.text)
        event.fields = dict(zip(formats.get(event.name, []), found.groups())) if found else None
    return events, losses


def number(text):
    """A number of a raw field: decimal, or hexadecimal with its prefix."""
    try:
        return int(text, 16) if text.lower().startswith('0x') else int(text)
    except ValueError:
        return None


# prev_state ----------------------------------------------------------------------------------------------------------

class Kernel:
    """How prev_state of a file is read, by the print format of its sched_switch: the bit that says preempted, and the
    values of stopped threads. 4.14 has the letter I and the mark 0x1000, and stores an index."""

    def __init__(self, path):
        self.mark, self.stopped = 0x100, (4, 8)
        for line in trace_cmd('dump', '--events', '-i', path).splitlines():
            mask = re.search(r'REC->prev_state & ([0-9a-fx|<()+ 1-]*) \? "\+"', line)
            if line.startswith('print fmt: "prev_comm=') and mask:
                self.mark = eval(mask[1], {'__builtins__': {}})
                if self.mark == 0x1000 and '"I"' in line:
                    self.stopped = (3, 4)

    def is_ready(self, state):
        return state == 0 or state & self.mark != 0


# Scheduling ----------------------------------------------------------------------------------------------------------

def scheduling(events):
    """Those of the first instance that has switches, in order."""
    for instance in dict.fromkeys(e.instance for e in events if e.name == 'sched_switch'):
        return [e for e in events if e.instance == instance]
    return []


class Thread:
    def __init__(self):
        self.state, self.since, self.cpu = None, None, None
        self.running = self.switches_in = self.switches_out = self.voluntary = self.preempted = 0
        self.migrations = 0
        self.delays, self.waits_preempted = [], []
        self.ready_kind = None
        self.ready = []  # (begin, end), ended by a run


def threads(events, kernel, last):
    """The state of each thread from switches and wakes, until `last`; idle threads are left out."""
    table = defaultdict(Thread)
    wakes = {'sched_waking', 'sched_wakeup', 'sched_wakeup_new'}
    seen = set()
    for event in events:
        if event.cpu not in seen:  # the first event of a CPU shows which thread runs there
            seen.add(event.cpu)
            if event.name != 'sched_switch' and event.tid != 0:
                thread = table[event.tid]
                thread.state, thread.since, thread.cpu = 'running', event.time, event.cpu
        if event.name in wakes:
            thread = table[int(event['pid'])]
            if thread.state in (None, 'blocked', 'stopped'):
                thread.ready_kind = 'woken' if thread.state == 'blocked' else 'other'
                thread.state, thread.since = 'ready', event.time
        if event.name != 'sched_switch':
            continue
        before, after, state = int(event['prev_pid']), int(event['next_pid']), number(event['prev_state'])
        ready = kernel.is_ready(state)
        if before != 0:
            thread = table[before]
            if thread.state == 'running' and thread.cpu == event.cpu:
                thread.running += event.time - thread.since
            if thread.cpu not in (None, event.cpu):
                thread.migrations += 1
            thread.cpu = event.cpu
            thread.switches_out += before != after
            thread.preempted += bool(ready)
            thread.voluntary += not ready
            thread.state = 'ready' if ready else 'stopped' if state in kernel.stopped else 'blocked'
            thread.since = event.time
            thread.ready_kind = 'preempted'
        if after != 0:
            thread = table[after]
            if thread.state == 'ready':
                length = event.time - thread.since
                thread.ready.append((thread.since, event.time))
                if thread.ready_kind == 'woken':
                    thread.delays.append(length)
                elif thread.ready_kind == 'preempted':
                    thread.waits_preempted.append(length)
            if thread.cpu not in (None, event.cpu):
                thread.migrations += 1
            thread.switches_in += 1
            thread.state, thread.since, thread.cpu = 'running', event.time, event.cpu
    for thread in table.values():
        if thread.state == 'running':
            thread.running += last - thread.since
    return table


def latency(events, kernel):
    """What `perf sched latency` counts for each thread: (times of waiting for a CPU, their sum, the longest). An atom
    begins when a thread leaves its CPU; it waits from then on if it was runnable, else from its first wake. Those of a
    thread that was stopped are left out."""
    atoms, sums = {}, defaultdict(lambda: [0, 0, 0])
    for event in events:
        if event.name in ('sched_waking', 'sched_wakeup', 'sched_wakeup_new'):
            atom = atoms.get(int(event['pid']))
            if atom is not None and atom[0] == 'sleeping':
                atoms[int(event['pid'])] = ('waits', event.time, *atom[2:])
        elif event.name == 'sched_switch':
            before, after, state = int(event['prev_pid']), int(event['next_pid']), number(event['prev_state'])
            atoms[before] = ('waits' if kernel.is_ready(state) else 'sleeping', event.time)
            if state in kernel.stopped:
                atoms[before] = ('sleeping', event.time, 'stopped')
            atom = atoms.get(after)
            if atom is not None and atom[0] == 'waits' and len(atom) == 2:
                total = sums[after]
                total[0] += 1
                total[1] += event.time - atom[1]
                total[2] = max(total[2], event.time - atom[1])
            atoms[after] = ('runs', event.time)
    sums.pop(0, None)
    return sums


def kernelshark(events, kernel):
    """The boxes of KernelShark's scheduling plugin in the plot of a thread: from its wake, or from the switch that
    preempts it, to the switch that runs it. Keyed by thread: (kind, begin, end)."""
    boxes, open_box = defaultdict(list), {}
    for event in events:
        if event.name in ('sched_waking', 'sched_wakeup', 'sched_wakeup_new'):
            tid = int(event['pid'])
            if tid not in open_box:
                open_box[tid] = ('wakeup', event.time)
        elif event.name == 'sched_switch':
            before, after, state = int(event['prev_pid']), int(event['next_pid']), number(event['prev_state'])
            if after in open_box:
                kind, begin = open_box.pop(after)
                boxes[after].append((kind, begin, event.time))
            open_box.pop(before, None)
            if kernel.is_ready(state):
                open_box[before] = ('preempted', event.time)
    boxes.pop(0, None)
    return boxes


def futex_waits(events, kernel):
    """Waits of a thread in a futex call while another one holds it: the thread leaves its CPU inside of LOCK_PI, and is
    woken by the holder. (thread, holder, address, begin, end)"""
    calls, waits, found = {}, {}, []
    for event in events:
        if event.name == 'sys_enter_futex' and number(event['op']) & 0x7f in (6, 13):
            calls[event.tid] = number(event['uaddr'])
        elif event.name == 'sys_exit_futex':
            calls.pop(event.tid, None)
        elif event.name == 'sched_switch':
            tid, state = int(event['prev_pid']), number(event['prev_state'])
            if tid in calls and not kernel.is_ready(state):
                waits[tid] = event.time
        elif event.name == 'sched_waking' and int(event['pid']) in waits:
            tid = int(event['pid'])
            found.append((tid, event.tid, calls[tid], waits.pop(tid), event.time))
    return found
