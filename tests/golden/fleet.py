# SPDX-License-Identifier: Apache-2.0
"""The fleet of samples/fleet: answers to its questions from `stats`, one capture after the other, and in SQLite.

    fleet.py by_file FOLDER PROGRAM       the answers, computed from the tables of each capture
    fleet.py sqlite FOLDER QUESTIONS      the answers of plain SQLite over the rows of all captures
    fleet.py of_server FILE               the answers of ClickHouse in its format JSONCompact
    fleet.py same QUESTIONS A B           a line of TAP for each question: both files have the same answer
    fleet.py schema FOLDER SCHEMA         the columns of the schema that are no keys of the rows
    fleet.py ports                        two free ports on loopback

An answer is a line: the rows of a question, as a JSON list of lists.
"""
import collections
import csv
import io
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
from multiprocessing.pool import ThreadPool

TABLES = ("labels", "totals", "threads", "cpus", "events", "jobs", "messages", "checks")
SENSOR = "sensor/1 sample"


def questions(path):
    """The title and the statement of each question."""
    text = open(path).read()
    parts = re.split(r"^-- (\d+\. .*)$", text, flags=re.M)[1:]
    return [(parts[i], parts[i + 1].strip().rstrip(";")) for i in range(0, len(parts), 2)]


def rows_of(folder, table):
    with open(os.path.join(folder, table + ".jsonl")) as lines:
        return [json.loads(line) for line in lines]


# ---- from `stats`, file by file ------------------------------------------------------------------


def number(text):
    return None if text == "" else float(text) if "." in text else int(text)


class Capture:
    """The tables of one capture, each from a run of the program of its own."""

    def __init__(self, program, folder, label):
        self.path, self.build, self.board = label["capture"], label["build"], label["board"]

        def table(*options):
            out = subprocess.run([program, "stats", "--no-cache", "--format", "csv", *options, self.path], cwd=folder,
                                 check=True, stdout=subprocess.PIPE).stdout.decode()
            return list(csv.DictReader(io.StringIO(out)))

        self.threads = table("--by", "thread")
        self.cpus = table("--by", "cpu")
        self.events = table("--by", "event")
        self.messages = table("--by", "message")
        self.jobs = table("--by", "job", "--deadline", "sensor/1=1ms")
        self.total = table("--by", "total")[0]
        info = subprocess.run([program, "info", "--no-cache", "--format", "jsonl", self.path], cwd=folder, check=True,
                              stdout=subprocess.PIPE).stdout
        self.lost = json.loads(info)["health"].get("lost", 0)
        self.sensor = next(r for r in self.threads if r["thread"] == SENSOR)
        self.job = next(r for r in self.jobs if r["thread"] == SENSOR)


def by_file(folder, program):
    labels = rows_of(folder, "labels")
    with ThreadPool(2) as pool:
        captures = pool.map(lambda label: Capture(program, folder, label), labels)
    builds = collections.defaultdict(list)
    boards = collections.defaultdict(list)
    for c in captures:
        builds[c.build].append(c)
        boards[c.board].append(c)

    def p99(captures_of_build):
        return [number(c.sensor["delay_p99_ns"]) for c in captures_of_build]

    yield sorted(([b, sum(p99(cs)) / len(cs), max(p99(cs))] for b, cs in builds.items()), key=lambda r: -r[1])
    yield sorted(([c.path, number(c.sensor["delay_max_ns"]), number(c.sensor["delay_max_at_ns"])] for c in captures),
                 key=lambda r: (-r[1], r[0]))[:5]
    more = collections.Counter()
    for build, sign in (("2.3", 1), ("2.2", -1)):
        for c in builds[build]:
            for r in c.threads:
                if r["idle"] == "0":
                    more[r["thread"]] += sign * number(r["run_ns"])
    yield sorted(([t, ns] for t, ns in more.items()), key=lambda r: (-r[1], r[0]))[:3]
    parts = ("busy_ns", "idle_ns", "irq_ns", "kernel_ns", "unknown_ns")
    yield [[b, 100 * sum(number(r["busy_ns"]) for c in builds[b] for r in c.cpus) /
            sum(number(r[p]) for c in builds[b] for r in c.cpus for p in parts)] for b in sorted(builds)]
    failed = collections.Counter()
    for c in captures:
        failed[c.build, "complete"] += c.lost > 0
        failed[c.build, "sensor starts in time"] += c.lost == 0 and number(c.sensor["delay_max_ns"]) >= 100000
        failed[c.build, "sensor responds in time"] += c.lost == 0 and number(c.job["response_max_ns"]) >= 2000000
    yield [[b, name, count] for (b, name), count in sorted(failed.items()) if count > 0]
    yield [[c.path, c.lost] for c in sorted(captures, key=lambda c: c.path) if c.lost > 0]
    servers = collections.defaultdict(lambda: [0, 0])
    for c in captures:
        for r in c.messages:
            if r["kind"] == "message":
                servers[r["server"]][0] += number(r["count"])
                servers[r["server"]][1] = max(servers[r["server"]][1], number(r["round_max_ns"]) or 0)
    yield sorted(([s, *v] for s, v in servers.items()), key=lambda r: (-r[2], r[0]))[:3]
    yield [[b, sum(number(c.job["count"]) for c in boards[b]), sum(number(c.job["misses"]) for c in boards[b]),
            max(number(c.job["response_max_ns"]) for c in boards[b])] for b in sorted(boards)]
    yield [[b] + [1e9 * sum(number(c.total[k]) for c in builds[b]) / sum(number(c.total["window_ns"]) for c in builds[b])
                  for k in ("interrupts", "context_switches")] for b in sorted(builds)]
    events = collections.defaultdict(lambda: [0, 0])
    for c in captures:
        for r in c.events:
            events[r["class"], r["event"]][0] += 1
            events[r["class"], r["event"]][1] += number(r["count"])
    yield sorted(([*e, *v] for e, v in events.items() if v[0] < 50), key=lambda r: (r[2], r[0], r[1]))


# ---- from engines --------------------------------------------------------------------------------


def in_sqlite(folder, path):
    database = sqlite3.connect(":memory:")
    for table in TABLES:
        rows = rows_of(folder, table)
        columns = [k for k, v in rows[0].items() if not isinstance(v, (list, dict))]
        database.execute("CREATE TABLE %s (%s)" % (table, ", ".join('"%s"' % c for c in columns)))
        database.executemany("INSERT INTO %s VALUES (%s)" % (table, ", ".join("?" * len(columns))),
                             ([r[c] for c in columns] for r in rows))
    for _, statement in questions(path):
        yield [list(row) for row in database.execute(statement)]


def plain(value):
    """A number that the server has put in quotes."""
    return int(value) if isinstance(value, str) and re.fullmatch(r"-?\d+", value) else value


def of_server(path):
    """The rows in a file of JSON documents, one per question."""
    text, decoder, at = open(path).read(), json.JSONDecoder(), 0
    while at < len(text.rstrip()):
        document, at = decoder.raw_decode(text, at)
        at += len(text) - at - len(text[at:].lstrip())
        yield [[plain(value) for value in row] for row in document["data"]]


def alike(a, b):
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= 1e-9 * max(abs(a), abs(b))
    return a == b


def same(path, one, other):
    for (title, _), a, b in zip(questions(path), open(one), open(other)):
        good = alike(json.loads(a), json.loads(b)) and json.loads(a)
        print("%s - %s" % ("ok" if good else "not ok", title))
        if not good:
            print("    %s    %s" % (a[:1000], b[:1000]), end="")


def schema(folder, path):
    for name, body in re.findall(r"CREATE TABLE (\w+)\n\((.*?)\n\)", open(path).read(), flags=re.S):
        keys = set(rows_of(folder, name)[0])
        for column in re.findall(r"^ +(\w+) ", body, flags=re.M):
            if column not in keys:
                print(name + "." + column)


def ports():
    sockets = [socket.socket() for _ in range(2)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    print(*(s.getsockname()[1] for s in sockets))


def main():
    what, *arguments = sys.argv[1:]
    made = {"by_file": by_file, "sqlite": in_sqlite, "of_server": of_server, "same": same, "schema": schema, "ports": ports}
    for answer in made[what](*arguments) or ():
        print(json.dumps(answer))


main()
