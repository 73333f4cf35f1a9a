# SPDX-License-Identifier: Apache-2.0
"""The tables of stats and the figures of TraceX's raw trace dump of the same capture.

usage: trx_tables.py TRACETUI CAPTURE DUMP
Prints each difference; exit status 1 if there is one.
"""
import csv
import re
import subprocess
import sys

tracetui, capture, dump = sys.argv[1:]
lines = open(dump, encoding="latin-1").read().replace("\r", "").split("\n")
differences = []


def section(title):
    """Returns the lines of a section of the dump, without empty ones."""
    start = next(i for i, line in enumerate(lines) if re.match(r"\*+ " + title + r" \*+$", line)) + 1
    end = next(i for i in range(start, len(lines)) if lines[i].startswith("****"))
    return [line for line in lines[start:end] if line.strip()]


def table(by):
    command = [tracetui, "stats", "--by", by, "--format", "csv", capture]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return list(csv.DictReader(text.splitlines()))


def same(what, theirs, ours):
    if theirs != ours:
        differences.append(f"{what}: TraceX {theirs}, stats {ours}")


# Total Ticks, Percentage, Name
names = {"Idle System": "idle"}
theirs = [(names.get(m[2], m[2]), int(m[1]))
          for m in (re.match(r" (\d{20}) +\S+  (.*)$", line) for line in section("Thread Execution")) if m]
ours = {row["context"]: int(row["time_ticks"]) for row in table("profile")}
for name, ticks in theirs:
    same(f"time of {name}", ticks, ours.get(name, 0))

# Stack Size, Minimum, Event ID, Name
ours = {row["thread"]: (row["size"], row["min"] or "---", row["min_event"] or "---") for row in table("stack")}
rows = [line.split(None, 3) for line in section("Thread Stack Usage")[1:]]
for size, least, event, name in rows:
    same(f"stack of {name}", (size, least, event), ours.get(name))

# Service ID, Count
theirs = sorted(int(re.search(r"\( *\d+\) +(\d+)", line)[1]) for line in section("Popular Services")[1:])
counts = {}
for row in table("service"):
    key = row["class"], row["event"]
    counts[key] = counts.get(key, 0) + int(row["count"])
same("counts of services", theirs, sorted(counts.values()))

# The total of a table is the figure of the system.
GROUPS = {"Media": "media", "Directory": "directory", "File": "file", "Logical Sector": "sector",
          "ARP": "arp", "Packet Pool": "", "Ping": "ping", "IP": "ip", "TCP": "tcp", "UDP": "udp"}
KEYS = {("Directory", "Cache Misses"): "directory_misses", ("File", "Bytes Read"): "bytes_read",
        ("File", "Bytes Written"): "bytes_written", ("Logical Sector", "Cache Misses"): "sector_misses",
        ("Packet Pool", "Empty Allocation Requests"): "empty_allocations",
        ("Ping", "Pings Sent"): "pings_sent", ("Ping", "Ping Responses"): "ping_responses"}
for by, title in (("filex", "FileX Performance Statistics"), ("netx", "NetX Performance Statistics")):
    rows = table(by)
    group = ""
    for line in section(title):
        heading = re.match(r"(.*) Statistics:$", line)
        if heading:
            group = heading[1]
            continue
        label, value = re.match(r" *([^:]*): +(\d+)$", line).groups()
        words = label.replace("Total ", "").lower().replace(" ", "_")
        key = KEYS.get((group, label)) or "_".join(filter(None, (GROUPS[group], words)))
        same(f"{group} {label}", int(value), sum(int(row[key]) for row in rows))

print("\n".join(differences), end="\n" if differences else "")
sys.exit(1 if differences else 0)
