# SPDX-License-Identifier: Apache-2.0
"""Compares a JSON trace with the FXT records of the same export, field by field.

    chrome_json.py TRACE.json EXPORTED.fxt

Shares no code with tracetui. Prints a line per difference; nothing if each record has its object, in the
same order, with the same fields.
"""

import itertools
import json
import math
import struct
import sys

PHASES = dict(enumerate("i C B E X b n e s t f".split()))
IDLE = -2**31


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        print("a key is there twice:", keys)
    return dict(pairs)


with open(sys.argv[1], "rb") as file:
    DOCUMENT = json.loads(file.read().decode("utf-8"), object_pairs_hook=unique, parse_float=str)
with open(sys.argv[2], "rb") as file:
    DATA = file.read()


def bits(word, low, width):
    return word >> low & ((1 << width) - 1)


def exact(number):
    """A number as JSON has it: its digits as text if a double cannot hold it."""
    return number if -2**53 <= number <= 2**53 else str(number)


def micro(nanoseconds):
    return f"{nanoseconds // 1000}.{nanoseconds % 1000:03}"


class Record:
    def __init__(self, at, size):
        self.words = struct.unpack_from(f"<{size}Q", DATA, at)
        self.at, self.next = at, 1

    def word(self):
        self.next += 1
        return self.words[self.next - 1]

    def text(self, ref):
        if not ref & 0x8000:
            return strings.get(ref, "")
        length, start = ref & 0x7fff, self.at + 8 * self.next
        self.next += (length + 7) // 8
        return DATA[start:start + length].decode("utf-8")

    def args(self, count):
        found, raw = {}, {}
        for _ in range(count):
            header = self.word()
            kind, high, name = bits(header, 0, 4), bits(header, 32, 32), self.text(bits(header, 16, 16))
            if kind == 0:
                value = None
            elif kind == 1:
                value = high - 2**32 if high >= 2**31 else high
            elif kind == 2:
                value = high
            elif kind == 3:
                value = exact(struct.unpack("<q", struct.pack("<Q", self.word()))[0])
            elif kind == 4:
                value = exact(self.word())
            elif kind == 5:
                value = struct.unpack("<d", struct.pack("<Q", self.word()))[0]
            elif kind == 6:
                value = self.text(bits(header, 32, 16))
            elif kind == 7:
                value = f"0x{self.word():x}"
            elif kind == 8:
                raw[name] = self.word()
                value = f"#{raw[name]}"
            else:
                value = bool(high)
            raw.setdefault(name, value)
            again = sum(1 for known in found if known == name or known.rsplit("~", 1)[0] == name)
            found[f"{name}~{again + 1}" if again else name] = value
        return found, raw


strings, threads, processes = {0: ""}, {}, {}
events, system = [], []
at = 0
while at < len(DATA):
    header = struct.unpack_from("<Q", DATA, at)[0]
    r = Record(at, bits(header, 4, 12))
    kind = bits(header, 0, 4)
    if kind == 2:
        start, length = at + 8, bits(header, 32, 15)
        strings[bits(header, 16, 15)] = DATA[start:start + length].decode("utf-8")
    elif kind == 3:
        threads[bits(header, 16, 8)] = r.word(), r.word()
    elif kind == 7:
        koid, is_thread, name = r.word(), bits(header, 16, 8) == 2, r.text(bits(header, 24, 16))
        if is_thread:
            pid = r.args(bits(header, 40, 4))[1]["process"]
            processes[koid] = pid
            events.append({"ph": "M", "name": "thread_name", "pid": pid, "tid": koid, "args": {"name": name}})
            system.append({"ph": "t", "pid": pid, "tid": koid, "name": name})
        else:
            events.append({"ph": "M", "name": "process_name", "pid": koid, "args": {"name": name}})
            system.append({"ph": "p", "pid": koid, "name": name})
    elif kind == 4:
        what, ref, time = bits(header, 16, 4), bits(header, 24, 8), r.word()
        pid, tid = (r.word(), r.word()) if ref == 0 else threads[ref]
        event = {"cat": r.text(bits(header, 32, 16)), "name": r.text(bits(header, 48, 16)), "ts": micro(time),
                 "pid": pid, "tid": tid, "ph": PHASES[what]}
        args = r.args(bits(header, 20, 4))[0]
        if args:
            event["args"] = args
        if what == 0:
            event["s"] = "t"
        elif what == 4:
            event["dur"] = micro(r.word() - time)
        elif what in (1, 5, 6, 7, 8, 9, 10):
            number = r.word()
            if what != 1 or number:
                event["id"] = f"0x{number:x}"
        if what == 10:
            event["bp"] = "e"
        events.append(event)
    elif kind == 8:
        time, first = r.word(), r.word()
        event = {"ts": micro(time), "cpu": bits(header, 20, 16)}
        if bits(header, 60, 4) == 2:
            args, raw = r.args(bits(header, 16, 4))
            event.update(ph="w", pid=processes.get(first, 0), tid=first, prio=raw["weight"], args=args)
        else:
            second = r.word()
            raw = r.args(bits(header, 16, 4))[1]
            event.update(ph="k")
            event["out"] = {"pid": processes.get(first, 0), "tid": first, "state": bits(header, 36, 4),
                            "prio": raw["outgoing_weight"]}
            event["in"] = {"pid": processes.get(second, 0), "tid": second, "prio": raw["incoming_weight"]}
        system.append(event)
    at += 8 * bits(header, 4, 12)


def same(expected, actual):
    if isinstance(expected, dict) and isinstance(actual, dict):
        return expected.keys() == actual.keys() and all(same(expected[k], actual[k]) for k in expected)
    if isinstance(expected, float):
        if not math.isfinite(expected):
            return str(expected) == str(actual)
        return float(actual) == expected
    return type(expected) is type(actual) and expected == actual


if DOCUMENT.get("displayTimeUnit") != "ns" or DOCUMENT["systemTraceEvents"].get("type") != "fuchsia":
    print("the document has another head")
for name, expected, actual in (("traceEvents", events, DOCUMENT["traceEvents"]),
                               ("systemTraceEvents", system, DOCUMENT["systemTraceEvents"]["events"])):
    for number, (want, got) in enumerate(itertools.zip_longest(expected, actual)):
        if want is None or got is None or not same(want, got):
            print(f"{name} {number}: expected {want}, is {got}")
