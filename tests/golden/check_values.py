# SPDX-License-Identifier: Apache-2.0
"""Compares the value of every measure with the command that prints it.

check_values.py TRACETUI CAPTURE: for each number in `stats --format jsonl` of each table, a rule whose
limit is the printed value has to pass, and one whose limit is one unit of the last digit below has to
fail; both have the printed value. Rules about single rows have to agree with `sql`. Prints the number of rules, and each difference.
"""

import json
import os
import subprocess
import sys
import tempfile
from decimal import Decimal

program, capture = sys.argv[1:3]
wanted = os.environ.get("CHECK_ROWS")  # rows of a table; unset: a few
ROWS = int(wanted) if wanted else 4

# The table, its selector in a rule, and the keys of the names.
TABLES = [
    ("thread", "thread", ["thread"]),
    ("cpu", "cpu", ["cpu"]),
    ("process", "process", ["process"]),
    ("job", "job", ["thread"]),
    ("event", "event", ["event"]),
    ("pair", "pair", ["from", "to"]),
    ("blame", "blame", ["thread", "by"]),
    ("inversion", "inversion", ["thread"]),
    ("message", "message", ["client", "server"]),
    ("server", "server", ["server"]),
    ("channel", "channel", ["server", "connection"]),
    ("object", "object", ["object"]),
    ("interrupt", "interrupt", ["vector"]),
    ("client", "client", ["client"]),
    ("matrix", "matrix", ["client", "server"]),
    ("imposed", "imposed", ["thread"]),
    ("total", None, []),
]
IDENTITIES = {"pid", "tid", "cpu", "client_pid", "server_pid", "from_pid", "from_tid", "to_pid", "to_tid",
              "by_pid", "by_tid", "holder_pid", "holder_tid", "vector", "object", "connection", "idle",
              "begin_event", "end_event", "client_tid", "server_tid", "waiter_pid", "waiter_tid",
              "max_holder_pid", "max_holder_tid"}
# A rule is about the worst of several rows: only names that select one row are compared.
JOIN = {"blame": " by ", "pair": " -> ", "message": " -> ", "matrix": " -> ", "channel": " "}


PARTS = {table: ("\0",) for table, _, _ in TABLES}
PARTS["cpu"] = PARTS["total"] = ("busy", "idle", "kernel")
PARTS["thread"] = PARTS["process"] = ("ready", "ipc", "lock", "sleep", "wait", "stopped", "dead")
DISTRIBUTIONS = ("wait_count", "wait_mean", "wait_p", "wait_max")


def run(*words):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    return [json.loads(line, parse_float=Decimal) for line in done.stdout.splitlines()]


def quoted(value):
    if isinstance(value, int):
        return str(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def measure(key):
    """Returns the measure and the unit of a key of stats, or None for a place or an identity."""
    if key in IDENTITIES or "_at_" in key or key.endswith("_at") or key in ("from_ns", "to_ns", "from_ticks", "to_ticks"):
        return None
    for end, unit in (("_ns", "ns"), ("_ticks", "t"), ("_pct", "%"), ("_hz", "/s")):
        if key.endswith(end):
            return (key[: -len(end)] if end in ("_ns", "_ticks") else key), unit
    return key, ""


rules, expected = [], []
for table, selector, names in TABLES:
    if table == "channel" and capture.endswith(".trx"):
        names = ["channel_name"]  # a queue has no server
    rows = run("stats", "--by", table, "--format", "jsonl", capture)
    seen = {}
    for row in rows:
        name = tuple(row.get(key) for key in names)
        seen[name] = seen.get(name, 0) + 1
    taken = 0
    for row in rows:
        name = tuple(row.get(key) for key in names)
        if seen[name] > 1 or None in name or taken >= ROWS:
            continue
        taken += 1
        of = JOIN.get(table, "").join(quoted(part) for part in name)
        for key, value in row.items():
            what = measure(key)
            if what is None or not isinstance(value, (int, Decimal)) or isinstance(value, bool) or value < 0:
                continue
            words = f"{what[0]} of {selector} {of}" if selector else what[0]
            if (table, key) in (("server", "busy_pct"), ("object", "contended_pct")):
                continue  # printed with two decimals; Summary and rules have four
            step = Decimal(1).scaleb(Decimal(value).as_tuple().exponent)
            if isinstance(value, Decimal):  # printed with four decimals, without zeros at the end
                step = Decimal("0.0001") if what[1] == "%" else Decimal("0.001")
            # Time whose state is not in the capture could belong to each part.
            unknown = row.get("unknown_ns") or row.get("unknown_ticks")
            part = unknown and key.startswith(PARTS[table]) and not key.startswith(DISTRIBUTIONS)
            rules.append(f"{words} <= {value}{what[1]}")
            expected.append((value, "undecided" if part else "passed"))
            if value > 0:
                rules.append(f"{words} <= {Decimal(value) - step:f}{what[1]}")
                expected.append((value, "failed"))

# Single rows: the statistics of SQL. The condition is the same in both languages.
SINGLE = {"states": ["dur"], "cpu_time": ["dur"], "irqs": ["dur"], "messages": ["round", "service"],
          "jobs": ["response", "run"], "lock_waits": ["dur"], "slices": ["dur"]}
unit = "ns" if run("info", "--format", "jsonl", capture)[0]["clock_hz"] else "ticks"
for table, columns in SINGLE.items():
    for column in columns:
        for where in ("",) + (("class = 'running'", "class != 'running' and is_open = 0") if table == "states" else ()):
            of = f"{column}_{unit}"
            row = run("sql", f"select count({of}) n, min({of}) low, max({of}) high from {table}"
                      + (f" where {where}" if where else ""), capture, "--format", "jsonl")[0]
            for word, key in (("count", "n"), ("min", "low"), ("max", "high")):
                if row["n"] > 0:
                    limit = f"{row[key]}" + ("" if key == "n" else "ns" if unit == "ns" else "t")
                    condition = " where " + where.replace("'", "") if where else ""
                    rules.append(f"{word} of {column} of {table}{condition} = {limit}")
                    expected.append((row[key], "passed"))

with tempfile.NamedTemporaryFile("w", suffix=".check", encoding="utf-8") as file:
    file.write("\n".join(rules) + "\n")
    file.flush()
    results = run("check", "--format", "jsonl", file.name, capture)
wrong = 0
for rule, (value, verdict), result in zip(rules, expected, results):
    if result["verdict"] != verdict or result["value"] is None or Decimal(result["value"]) != Decimal(value):
        wrong += 1
        if wrong <= 20:
            print(f"{rule}: expected {value} {verdict}, got {result['value']} {result['verdict']}")
print(f"{len(results)} of {len(rules)} rules, {len(set(r.split(' of ')[0].split(' <= ')[0] for r in rules))} measures, {wrong} wrong")
sys.exit(wrong > 0 or len(results) != len(rules))
