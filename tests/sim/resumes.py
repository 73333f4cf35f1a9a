# SPDX-License-Identifier: Apache-2.0
"""Checks the states of a ThreadX trace against its entries.

resumes.py TRACETUI CAPTURE: a thread that waits or is stopped becomes ready by a RESUME of it at that instant, and does
not run before one; it waits from a SUSPEND of it; and it runs on the core of each of its own entries. Prints a line per
contradiction (at most 8), and on standard error how many changes were checked.
"""
import csv
import io
import subprocess
import sys

program, path = sys.argv[1:3]
WAITS = ("ipc", "lock", "sleep", "wait", "stopped", "condition")
faults = checked = 0


def query(text):
    done = subprocess.run([program, "sql", "--no-cache", "--format", "csv", text, path], capture_output=True, text=True,
                          check=True)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def complain(text):
    global faults
    faults += 1
    if faults <= 8:
        print(text)


calls = {"THREAD_RESUME": set(), "THREAD_SUSPEND": set()}
for row in query("select e.event, e.ts_ticks, number from events e join args a using (event_id) where a.name = 'thread' and "
                 "e.event in ('THREAD_RESUME', 'THREAD_SUSPEND')"):
    calls[row["event"]].add((int(row["number"]), int(row["ts_ticks"])))
runs, last = {}, None
for row in query("select utid, tid, state, class, cpu, ts_ticks, end_ticks, since_before from states order by utid, ts_ticks"):
    tid, begin = int(row["tid"]), int(row["ts_ticks"])
    follows = last and last["utid"] == row["utid"] and last["end_ticks"] == row["ts_ticks"]
    if follows and last["class"] in WAITS and row["class"] in ("ready", "running"):
        checked += 1
        if (tid, begin) not in calls["THREAD_RESUME"]:
            complain(f"{tid:#x} {last['state']} to {row['state']} at {begin} without a RESUME")
    if row["class"] in WAITS and row["since_before"] == "0":
        checked += 1
        if (tid, begin) not in calls["THREAD_SUSPEND"]:
            complain(f"{tid:#x} {row['state']} at {begin} without a SUSPEND")
    if row["class"] == "running":
        runs.setdefault(tid, []).append((begin, int(row["end_ticks"]), row["cpu"]))
    last = row
for row in query("select t.tid, e.cpu, e.ts_ticks, e.event from events e join threads t using (utid) where not e.derived and not t.is_pseudo "
                 "order by t.tid, e.ts_ticks"):
    spans, at = runs.get(int(row["tid"]), []), int(row["ts_ticks"])
    checked += 1
    while spans and spans[0][1] < at:
        spans.pop(0)
    if not any(begin <= at <= end and cpu == row["cpu"] for begin, end, cpu in spans[:3]):
        complain(f"{int(row['tid']):#x} has {row['event']} at {at} on core {row['cpu']} and does not run there")
if faults > 8:
    print(f"... {faults} in all")
print(f"{checked} checked", file=sys.stderr)
