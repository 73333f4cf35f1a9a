# SPDX-License-Identifier: Apache-2.0
"""Reads an exported FXT file by the rules of Perfetto's importer.

    export_rules.py EXPORTED

Shares no code with tracetui. Prints a line per record that the importer would drop, cut or misread, and
then "run PROCESS THREAD NANOSECONDS" per thread: the sum of its sched slices, an open one up to the end.
"""

import collections
import struct
import sys

IDLE = -2**31
LIMIT = 2**32

with open(sys.argv[1], "rb") as file:
    DATA = file.read()
problems = 0


def problem(text, at):
    global problems
    problems += 1
    if problems <= 20:
        print(f"offset {at}: {text}")


def words_of(at, count):
    return struct.unpack_from(f"<{count}Q", DATA, at)


def bits(word, low, width):
    return word >> low & ((1 << width) - 1)


class Reader:
    """The words of a record after its header."""

    def __init__(self, at, size):
        self.at, self.words, self.next = at, words_of(at, size), 1

    def word(self):
        self.next += 1
        if self.next > len(self.words):
            problem("the record is too short", self.at)
            return 0
        return self.words[self.next - 1]

    def stream(self, length):
        start = self.at + 8 * self.next
        self.next += (length + 7) // 8
        if self.next > len(self.words):
            problem("a text runs over the record", self.at)
        return DATA[start:start + length]

    def text(self, ref):
        if ref == 0:
            return ""
        if ref & 0x8000:
            raw = self.stream(ref & 0x7fff)
        elif ref in strings:
            return strings[ref]
        else:
            problem(f"string {ref} is not registered", self.at)
            return ""
        return decoded(raw, self.at)

    def args(self, count):
        values = {}
        for _ in range(count):
            start = self.next
            header = self.word()
            kind, size, name = bits(header, 0, 4), bits(header, 4, 12), self.text(bits(header, 16, 16))
            if kind > 9 or size == 0 or start + size > len(self.words):
                problem("an argument of a wrong type or size", self.at)
                return values
            high = bits(header, 32, 32)
            if kind == 1:
                value = high - LIMIT if high >= LIMIT // 2 else high
            elif kind in (0, 2, 9):
                value = high
            elif kind == 6:
                value = self.text(bits(header, 32, 16))
            else:
                value = self.word()
            if self.next != start + size:
                problem("an argument whose size is wrong", self.at)
            values[name] = (kind, value)
        return values


def decoded(raw, at):
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        problem("a text is not UTF-8", at)
        return ""


strings, threads = {}, {}
objects = {}  # koid: (type, name, process)
used_koids = set()
events, sched = [], []  # (time, order, ...), as the importer sorts them


def koid(value, at):
    if not 0 < value < LIMIT:
        problem(f"koid {value}", at)
    used_koids.add(value)
    return value


def put_string(r, header):
    index, length = bits(header, 16, 15), bits(header, 32, 15)
    if index == 0:
        problem("string 0", r.at)
    strings[index] = decoded(r.stream(length), r.at)


def put_thread(r, header):
    index = bits(header, 16, 8)
    if index == 0:
        problem("thread 0", r.at)
    threads[index] = koid(r.word(), r.at), koid(r.word(), r.at)


def put_object(r, header):
    kind, own = bits(header, 16, 8), koid(r.word(), r.at)
    name = r.text(bits(header, 24, 16))
    args = r.args(bits(header, 40, 4))
    if own in objects:
        problem(f"koid {own} is used twice", r.at)
    if kind == 2 and args.get("process", (0, 0))[0] != 8:
        problem("a thread without its process", r.at)
    objects[own] = kind, name, args.get("process", (8, 0))[1]


def put_event(r, header):
    kind, ref, time = bits(header, 16, 4), bits(header, 24, 8), r.word()
    if ref == 0:
        thread = koid(r.word(), r.at), koid(r.word(), r.at)
    elif ref in threads:
        thread = threads[ref]
    else:
        problem(f"thread {ref} is not registered", r.at)
        thread = 0, 0
    category, name = r.text(bits(header, 32, 16)), r.text(bits(header, 48, 16))
    args = r.args(bits(header, 20, 4))
    tail = r.word() if kind in (1, 4, 5, 6, 7, 8, 9, 10) else None
    if kind > 10:
        problem(f"event type {kind}", r.at)
    if kind == 1 and not all(1 <= k <= 5 for k, _ in args.values()):
        problem("a counter that is no number", r.at)
    events.append((time, len(events), r.at, kind, thread, category, name, tail))


def put_scheduling(r, header):
    kind, cpu, state = bits(header, 60, 4), bits(header, 20, 16), bits(header, 36, 4)
    time = r.word()
    if cpu >= 4096:
        problem(f"CPU {cpu} ends the importer", r.at)
    if kind == 1:
        outgoing, incoming = r.word(), r.word()
        args = r.args(bits(header, 16, 4))
        for name in ("incoming_weight", "outgoing_weight"):
            if args.get(name, (1, 0))[0] != 1:
                problem(f"{name} is no int32", r.at)
        idle = [args.get(name, (1, 0))[1] == IDLE for name in ("outgoing_weight", "incoming_weight")]
        for value, is_idle in zip((outgoing, incoming), idle):
            if value != 0 or not is_idle:
                koid(value, r.at)
        sched.append((time, len(sched), r.at, cpu, state, None if idle[0] else outgoing,
                      None if idle[1] else incoming, None))
    elif kind == 2:
        woken = koid(r.word(), r.at)
        args = r.args(bits(header, 16, 4))
        if args.get("weight", (1, 0))[0] != 1 or args.get("waker", (8, 1))[0] != 8:
            problem("an argument of a wakeup has a wrong type", r.at)
        if args.get("weight", (1, 0))[1] != IDLE:
            sched.append((time, len(sched), r.at, cpu, None, None, woken, args.get("waker")))
    else:
        problem(f"scheduling record {kind}", r.at)
    if r.next != len(r.words):
        problem("words after the arguments", r.at)


def read_file():
    handlers = {2: put_string, 3: put_thread, 4: put_event, 7: put_object, 8: put_scheduling}
    if words_of(0, 1)[0] != 0x0016547846040010:
        problem("no magic number", 0)
    at, providers, last = 8, 0, 0
    while at < len(DATA):
        header = words_of(at, 1)[0]
        kind, size = bits(header, 0, 4), bits(header, 4, 12)
        if size == 0 or at + 8 * size > len(DATA):
            problem("a record of size 0, or one that runs over the end", at)
            return
        if kind == 0:
            providers += bits(header, 16, 4) == 1
        elif kind == 1:
            if words_of(at, 2)[1] != 10**9:
                problem("a clock of another rate than 1 GHz", at)
        elif kind in handlers:
            handlers[kind](Reader(at, size), header)
            if kind in (4, 8):
                time = words_of(at, 2)[1]
                if time >= 2**63 or time < last:
                    problem("time goes back", at)
                last = time
        else:
            problem(f"record type {kind}", at)
        at += 8 * size
    if providers != 1:
        problem(f"{providers} providers", 0)
    for value in used_koids - objects.keys():
        problem(f"koid {value} has no kernel object", 0)


def replay_sched():
    """Replays the importer's sched table; returns the run time by koid."""
    runs, on_cpu, since = collections.Counter(), {}, {}
    end = 0
    for time, _, at, cpu, state, outgoing, incoming, waker in sorted(sched):
        end = time
        if state is None:
            if incoming in on_cpu:
                problem(f"a wakeup of {incoming}, which runs", at)
            if waker and objects.get(waker[1], (0,))[0] != 2:
                problem(f"the waker {waker[1]} is no thread", at)
            continue
        if outgoing is not None and outgoing in on_cpu:
            if on_cpu.pop(outgoing) != cpu:
                problem(f"{outgoing} leaves a CPU on which it does not run", at)
            runs[outgoing] += time - since.pop(outgoing)
        if incoming is not None:
            if incoming in on_cpu:
                problem(f"{incoming} runs on two CPUs", at)
            if cpu in on_cpu.values():
                problem(f"two threads run on CPU {cpu}", at)
            on_cpu[incoming], since[incoming] = cpu, time
    end = max([end] + [event[0] for event in events])
    for thread, time in since.items():
        runs[thread] += end - time
    return runs


def replay_events():
    depth, flows = collections.Counter(), collections.Counter()
    for _, _, at, kind, thread, category, _, tail in sorted(events, key=lambda event: event[:2]):
        if kind == 2:
            depth[thread] += 1
        elif kind == 3:
            depth[thread] -= 1
            if depth[thread] < 0 and "--fxt" not in sys.argv:
                problem("an end without a begin", at)
        elif kind in (8, 9, 10) and category == "message":
            if depth[thread] <= 0:
                problem("a flow outside of a duration", at)
            if (kind == 8) == (flows[tail] > 0):
                problem(f"flow {tail} begins twice, or goes on without a begin", at)
            flows[tail] = kind != 10


read_file()
totals = replay_sched()
replay_events()
for key, (object_kind, thread_name, owner) in sorted(objects.items()):
    if object_kind == 2:
        print("run", objects.get(owner, (0, ""))[1] or "-", thread_name or "-", totals[key], sep="\t")
