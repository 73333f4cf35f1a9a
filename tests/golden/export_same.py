# SPDX-License-Identifier: Apache-2.0
"""Compares a capture with its exported FXT, both read by tracetui.

    export_same.py TRACETUI CAPTURE EXPORTED RULES [SELECTION...]

RULES is the output of export_rules.py for EXPORTED.

Prints a line per difference that docs/export.md does not list. What it allows:
- Threads have other numbers: rows are compared by process and name.
- Interrupts are durations: run + irq is compared.
- Times are rounded down to nanoseconds: a sum may differ by 1 ns per interval.
- Threads that have no record of their own: interrupt contexts (ThreadX), and idle threads that never ran.
- A wake from an unknown state has no record: a client on BTrace that waits for an answer.
- A thread does not end with its process: it stays dead.
- A run that ends because its thread appears on a second CPU is no slice, but is one in the export.
"""

import collections
import json
import re
import subprocess
import sys

TRACETUI, CAPTURE, EXPORTED, RUNS, *SELECTION = sys.argv[1:]
HEALTH = {}
COUNTS = ("switches_in switches_out voluntary preempted unknown_out migrations slices "
          "delay_count preempted_wait_count").split()


def lines(command, *options):
    done = subprocess.run([TRACETUI, command, "--no-cache", "--format", "jsonl", *options],
                          capture_output=True, text=True, check=False)
    if done.returncode > 1:
        sys.exit(f"{command}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def unit(row, name):
    value = row.get(name + "_ns", row.get(name + "_ticks"))
    return value if value is not None else 0


def name_of(row):
    """Process and thread name, with the tid of a thread without a name; of a process without a name empty."""
    tid = row["tid"]
    process = "" if row["process"] in (None, str(row["pid"])) else row["process"]
    found = re.fullmatch(rf".*/(?:{tid}|0x{tid:x})( (.*))?", row["thread"])
    name = (found[2] or "") if found else row["thread"]
    if not name:
        name = f"thread {tid}" if tid <= 65535 else f"thread 0x{tid:x}"
    return process, name


def numbers(row):
    return tuple(row[key] or 0 for key in COUNTS)


def compare_threads():
    def rows(path, *selection):
        table = collections.defaultdict(list)
        for row in lines("stats", "--by", "thread", path, *selection):
            if not row["idle"] and row["process"] not in ("CPUs", "tracetui"):
                table[name_of(row)].append(row)
        return table

    ours, theirs = rows(CAPTURE, *SELECTION), rows(EXPORTED)
    for name in sorted(set(ours) | set(theirs)):
        a = sorted(ours.get(name, []), key=numbers)
        b = sorted(theirs.get(name, []), key=numbers)
        # Contexts that are no threads have a name and no numbers.
        if not a and all(not any(numbers(row)) and unit(row, "running") == 0 for row in b):
            continue
        if len(a) != len(b):
            print(f"{name}: {len(a)} lanes, exported {len(b)}")
            continue
        for x, y in zip(a, b):
            different = [f"{k} {x[k]} {y[k]}" for k in COUNTS if (x[k] or 0) != (y[k] or 0)
                         and not (k == "slices" and HEALTH.get("two_cpus"))]
            if different:
                print(f"{name}: {', '.join(different)}")
            count = (x["switches_in"] or 0) + (x["switches_out"] or 0) + 2
            for key, parts in SUMS.items():
                total = sum(unit(x, part) for part in parts)
                if abs(total - unit(y, key)) > slack(count):
                    print(f"{name}: {key} {total} {unit(y, key)}")


# The states of FXT, and those of other formats that become one of them.
SUMS = {"running": ["running"], "ready": ["ready"], "wait": ["ipc", "lock", "sleep", "wait"],
        "stopped": ["stopped"]}


EXACT = False


def slack(count):
    return 0 if EXACT else count


def compare_cpus():
    ours = [row for row in lines("stats", "--by", "cpu", CAPTURE, *SELECTION)]
    theirs = [row for row in lines("stats", "--by", "cpu", EXPORTED)]
    if SELECTION:
        return
    if len(ours) != len(theirs):
        print(f"{len(ours)} CPUs, exported {len(theirs)}")
    for x, y in zip(ours, theirs):
        what = f"CPU {x['cpu']}"
        count = x["switches"] + 2
        if x["switches"] != y["switches"]:
            print(f"{what}: switches {x['switches']} {y['switches']}")
        sums = [sum(unit(row, key) for key in "busy idle irq kernel unknown".split()) for row in (x, y)]
        if abs(sums[0] - sums[1]) > slack(5):
            print(f"{what}: {sums[0]} of time, exported {sums[1]}")
        for key in ("busy", "idle", "kernel", "unknown"):
            # Interrupts take time from each of them.
            if not 0 - slack(count) <= unit(y, key) - unit(x, key) <= unit(x, "irq") + slack(count):
                print(f"{what}: {key} {unit(x, key)} {unit(y, key)}")


def compare_wakes():
    """A wake from a wait to ready has a record; its waker is the same thread, or none."""
    def wakes(path, *selection):
        names = {(row["pid"], row["tid"]): name_of(row) for row in lines("stats", "--by", "thread", path)}
        table = collections.Counter()
        for row in lines("why", "--wakes", path, *selection):
            if row["state"] == "UNKNOWN":
                continue
            waker = names.get((row["by_pid"], row["by_tid"])) if row["by"] == "thread" else None
            at = row["at_ns"] if "at_ns" in row else row["at_ticks"]
            table[at, names.get((row["pid"], row["tid"])), waker] += 1
        return table

    ours, theirs = wakes(CAPTURE, *SELECTION), wakes(EXPORTED)
    missing, added = ours - theirs, theirs - ours
    for what, table in (("missing", missing), ("added", added)):
        for (at, thread, waker), count in sorted(table.items(), key=str)[:5]:
            print(f"{what} wake at {at} of {thread} by {waker} ({count} times)")
    return sum(ours.values())


def compare_messages():
    """A received message is a hop from client to server, and one back if it is answered."""
    def threads(path):
        return {(row["pid"], row["tid"]): name_of(row) for row in lines("stats", "--by", "thread", path)}

    def time(row, step):
        return row.get(step + "_ns", row.get(step + "_ticks"))

    def hops(path, *selection):
        names = threads(path)
        table = collections.Counter()
        for row in lines("dump", "--messages", path, *selection):
            ends = [names.get((row[side + "_pid"], row[side + "_tid"])) for side in ("client", "server")]
            times = [time(row, step) for step in ("send", "receive", "reply")]
            if None in ends or times[1] is None:
                continue
            if times[0] is not None:
                table[ends[0], ends[1], times[0], times[1]] += 1
            if row["end"] in ("reply", "error"):
                table[ends[1], ends[0], times[1], times[2]] += 1
        return table

    ours, theirs = hops(CAPTURE, *SELECTION), hops(EXPORTED)
    for what, table in (("missing", ours - theirs), ("added", theirs - ours)):
        for hop, count in sorted(table.items(), key=lambda item: item[0][2])[:5]:
            print(f"{what} message {hop} ({count} times)")


def compare_rows():
    """Each known value of a counter and each slice of a program is exported once."""
    time = "ts_ns" if INFO.get("clock_hz") else "ts_ticks"

    def rows(path, columns, table, condition):
        query = f"select {columns}, count(*) as n from {table} where {condition} group by 1, 2, 3"
        return collections.Counter({tuple(row.values())[:-1]: row["n"]
                                    for row in lines("sql", query, path)})

    queries = [("counters", "@, value, 0", "value is not null")]
    if CAPTURE.endswith(".fxt"):
        queries.append(("slices", "name, @, is_async", "not is_open and not is_cut"))
    for table, columns, condition in queries:
        ours = rows(CAPTURE, columns.replace("@", time), table, condition)
        theirs = rows(EXPORTED, columns.replace("@", "ts_ns"), table, condition)
        added = theirs - ours if table == "counters" else {}
        for what, which in (("missing", ours - theirs), ("added", added)):
            for row, count in sorted(which.items(), key=str)[:5]:
                print(f"{what}: {table} {row} ({count} times, of {sum(which.values())})")


def compare_runs():
    """The sums of Perfetto's sched slices, as export_rules.py replays them."""
    replayed = collections.defaultdict(list)
    with open(RUNS, encoding="utf-8") as file:
        for line in file:
            if line.startswith("run\t"):
                _, process, thread, ns = line.rstrip("\n").split("\t")
                process = process.rsplit("/", 1)[-1]
                replayed["" if process == "-" else process, "" if thread == "-" else thread].append(int(ns))
    for row in lines("stats", "--by", "thread", EXPORTED):
        if row["idle"]:
            continue
        process, name = name_of(row)
        if process in ("CPUs", "tracetui"):
            continue
        found = replayed.get((process, name)) or replayed.get((process, "")) or []
        if not any(abs(unit(row, "running") - ns) <= slack(2) for ns in found):
            print(f"{process} {name}: running {unit(row, 'running')}, replayed {found}")


INFO = lines("info", CAPTURE)[0]
EXACT = (INFO.get("clock_hz") or 1000000000) == 1000000000
HEALTH = INFO["health"]
compare_threads()
compare_cpus()
compare_runs()
compare_wakes()
compare_messages()
if "without SQL" not in subprocess.run([TRACETUI, "--version"], capture_output=True, text=True, check=True).stdout:
    compare_rows()
