#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares each member of a merged capture with its own capture: all rows, their times shifted.

usage: merge_members.py TRACETUI [OPTION...] -- FILE...

Prints a line for each table of a member that differs, with a row as an example, and exits with 1.
What docs/merge.md names is not compared: numbers of events, and what depends on the window.
"""
import collections
import csv
import io
import json
import subprocess
import sys

BY = ("thread process cpu pair event interrupt blame inversion service job message client server channel "
      "imposed matrix object").split()
# Of the window, of all captures, or keys of this output alone.
OF_WINDOW = {"n", "id", "rate_hz", "run_pct", "busy_pct", "total_pct", "contended_pct", "waiting_mean",
             "capture", "offset", "running_any_ns"}
# A CPU and the unknown state of threads go on to the end of the merged capture.
OF_END = {"cpu": {"unknown_ns"}, "thread": {"unknown_ns"}, "process": {"unknown_ns"}}


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: status {done.returncode}: {done.stderr.decode()}")
    return done.stdout.decode()


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def is_time(key):
    return key.endswith("_at_ns") or key in ("ns", "from_ns", "to_ns", "send_ns", "receive_ns", "reply_ns",
                                             "ended_ns", "return_ns", "first_at_ns", "ready_at_ns")


class Member:
    """A capture, and how it is found in a merged one."""

    def __init__(self, tool, options, path, name, extent, cpu):
        self.tool, self.options, self.path, self.name = tool, options, path, name
        first = rows_of(run(tool, "dump", "--format", "csv", *options, path))
        self.shift = extent - int(first[0]["ns"]) if first else 0
        self.first_cpu = cpu

    def own(self, *command):
        return rows_of(run(self.tool, *command, "--format", "csv", *self.options, self.path))

    def shifted(self, row, skip, times):
        """Returns the row as it is in the merged capture: sorted pairs of keys and values."""
        out = []
        for key, value in row.items():
            if key in skip or key in OF_WINDOW or key == "ticks":
                continue
            if value and (is_time(key) or key in times):
                value = str(int(value) + self.shift)
            elif value and key == "cpu":
                value = str(int(value) + self.first_cpu)
            out.append((key, value))
        return tuple(sorted(out))


def plain(row, keys, skip):
    return tuple(sorted((key, value) for key, value in row.items()
                        if key in keys and key not in skip and key not in OF_WINDOW and key != "ticks"))


def compare(what, member, own, merged, skip=frozenset(), times=frozenset()):
    """Returns whether the rows of a member are among those of the merged capture."""
    if not own:
        return True
    keys = set(own[0])
    there = collections.Counter(plain(row, keys, skip) for row in merged)
    wanted = collections.Counter(member.shifted(row, skip, times) for row in own)
    missing = wanted - there
    if not missing:
        return True
    row = dict(next(iter(missing)))
    near = min(there, key=lambda other: sum(row.get(k) != v for k, v in other), default=())
    differs = {k: (row.get(k), v) for k, v in near if row.get(k) != v}
    print(f"{member.name}: {what}: {sum(missing.values())} of {sum(wanted.values())} rows differ, "
          f"as {row}; nearest: {differs}")
    return False


def main():
    at = sys.argv.index("--")
    tool, options, paths = sys.argv[1], sys.argv[2:at], sys.argv[at + 1:]
    merge = ["--merge", *paths, *options]
    for i in range(1, len(paths)):
        merge += ["--offset", f"{i + 1}:0s"]
    info = json.loads(run(tool, "info", "--format", "jsonl", *merge))
    dump = rows_of(run(tool, "dump", "--format", "csv", *merge))
    members, cpu, ok = [], 0, True
    for path, capture in zip(paths, info["captures"]):
        first = next((int(r["ns"]) for r in dump if r["capture"] == capture["name"]), 0)
        members.append(Member(tool, options, path, capture["name"], first, cpu))
        own = json.loads(run(tool, "info", "--format", "jsonl", *options, path))
        cpu += own["cpus"]
    same = len({m.own("stats", "--by", "event")[0]["class"] for m in members}) < len(members)
    for m in members:
        ok &= compare("dump", m, m.own("dump"), [r for r in dump if r["capture"] == m.name])
    tables = [(by, ("stats", "--by", by)) for by in BY]
    tables += [("messages", ("dump", "--messages")), ("jobs", ("dump", "--jobs"))]
    for name, command in tables:
        merged = rows_of(run(tool, *command, "--format", "csv", *merge))
        times = {"ready_ns", "start_ns", "end_ns"} if name == "jobs" else frozenset()
        for m in members:
            if name == "event" and same:
                continue  # events of one class and name are counted together
            own = [r for r in m.own(*command) if r.get("event") != "total" or name != "interrupt"]
            ok &= compare(name, m, own, merged, OF_END.get(name, frozenset()), times)
    sys.exit(0 if ok else 1)


if __name__ == "__main__":
    main()
