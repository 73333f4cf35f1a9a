#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares each member of merged captures with its own capture: all rows of all tables, their times shifted.

usage: merge_members.py TRACETUI [--clock HZ] FILE,FILE[,FILE...]...

Each argument is a merge. Prints a line for each table of a member that differs, with a row as an example, and
exits with 1. Numbers that docs/merge.md names are not compared.
"""
import collections
import csv
import io
import json
import subprocess
import sys

TABLES = {by: ("stats", "--by", by) for by in (
    "thread process cpu pair event interrupt blame inversion service job message client server channel imposed "
    "matrix object").split()}
TABLES.update({"events": ("dump",), "messages": ("dump", "--messages"), "jobs": ("dump", "--jobs")})
# Of the window, of all captures, or keys of this output alone.
OF_WINDOW = {"n", "id", "rate_hz", "run_pct", "busy_pct", "total_pct", "contended_pct", "imposed_pct",
             "charged_pct", "waiting_mean", "capture", "offset", "running_any_ns", "ticks"}
# As the tool of a format counts it: of a single capture only.
OF_TOOL = {"suspensions", "resumptions", "stack_min", "stack_size", "kind", "begin_event", "end_event"}
SKIPPED = {
    "cpu": {"unknown_ns"},  # a CPU is unknown after the end of its capture
    "thread": OF_TOOL,
    "inversion": OF_TOOL,
}
TIMES = {"jobs": {"ready_ns", "start_ns", "end_ns"}}


def is_time(key):
    return key.endswith("_at_ns") or key in ("ns", "from_ns", "to_ns", "send_ns", "receive_ns", "reply_ns",
                                             "ended_ns", "return_ns")


class Tool:
    """Runs commands on one capture or several."""

    def __init__(self, path, clock):
        self.path, self.clock = path, ["--clock", clock] if clock else []

    def run(self, command, arguments):
        line = [self.path, *command, *self.clock, *arguments]
        done = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"{' '.join(line)}: status {done.returncode}: {done.stderr.decode()}")
        return done.stdout.decode()

    def table(self, name, arguments):
        rows = list(csv.DictReader(io.StringIO(self.run((*TABLES[name], "--format", "csv"), arguments))))
        if name == "interrupt":  # the total is that of all captures
            rows = [row for row in rows if row["event"] != "total"]
        if name == "inversion":  # those that TraceX counts
            rows = [row for row in rows if row.get("kind", "chain") == "chain"]
        return rows

    def info(self, arguments):
        return json.loads(self.run(("info", "--format", "jsonl"), arguments))


class Capture:
    """A capture alone: its tables are read once."""

    def __init__(self, tool, path):
        self.tool, self.path, self.tables = tool, path, {}
        self.info = tool.info([path])

    def table(self, name):
        if name not in self.tables:
            self.tables[name] = self.tool.table(name, [self.path])
        return self.tables[name]


def row_of(table, row, keys, shift, first_cpu):
    """Returns the row as it is in the merged capture: sorted pairs of keys and values."""
    skipped = SKIPPED.get(table, set()) | OF_WINDOW
    out = []
    for key in keys:
        value = row[key]
        if key in skipped:
            continue
        if value and (is_time(key) or key in TIMES.get(table, ())):
            value = str(int(value) + shift)
        elif value and key == "cpu":
            value = str(int(value) + first_cpu)
        out.append((key, value))
    return tuple(sorted(out))


def compare(table, name, own, merged, shift, first_cpu):
    """Returns whether the rows of a member are among those of the merged capture."""
    if not own:
        return True
    keys = own[0].keys() & (merged[0].keys() if merged else own[0].keys())
    there = collections.Counter(row_of(table, row, keys, 0, 0) for row in merged)
    wanted = collections.Counter(row_of(table, row, keys, shift, first_cpu) for row in own)
    missing = wanted - there
    lost = own[0].keys() - keys - OF_TOOL
    if not missing and not lost:
        return True
    row = dict(next(iter(missing), ()))
    near = min(there, key=lambda other: sum(row.get(k) != v for k, v in other), default=())
    differs = {k: (row.get(k), v) for k, v in near if row.get(k) != v}
    print(f"{name}: {table}: {sum(missing.values())} of {sum(wanted.values())} rows differ, as {row}; "
          f"nearest: {differs}; without the keys {sorted(lost)}")
    return False


def events_of(rows, name):
    return [row for row in rows if row["capture"] == name]


def of_threads(table, rows):
    """Returns the rows that captures of one format do not share: events of one class and name are counted together."""
    return [row for row in rows if table != "service" or row["tid"]]


def check(tool, captures):
    arguments = ["--merge", *(c.path for c in captures)]
    for i in range(1, len(captures)):
        arguments += ["--offset", f"{i + 1}:{i}ms"]
    names = [c["name"] for c in tool.info(arguments)["captures"]]
    same = len({c.info["format"] for c in captures}) < len(captures)
    events = tool.table("events", arguments)
    ok = True
    for table in TABLES:
        if table == "event" and same:
            continue  # events of one class and name are counted together
        merged = events if table == "events" else tool.table(table, arguments)
        first_cpu = 0
        for capture, name in zip(captures, names):
            mine, own = events_of(events, name), capture.table("events")
            shift = int(mine[0]["ns"]) - int(own[0]["ns"]) if own and mine else 0
            rows = mine if table == "events" else merged
            mine = of_threads(table, capture.table(table)) if same else capture.table(table)
            ok &= compare(table, f"{','.join(names)}: {name}", mine, rows, shift, first_cpu)
            first_cpu += capture.info["cpus"]
    return ok


def main():
    arguments, clock = sys.argv[2:], None
    if arguments[0] == "--clock":
        clock, arguments = arguments[1], arguments[2:]
    tool, captures, ok = Tool(sys.argv[1], clock), {}, True
    for merge in arguments:
        paths = merge.split(",")
        for path in paths:
            captures[path] = captures.get(path) or Capture(tool, path)
        ok &= check(tool, [captures[path] for path in paths])
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
