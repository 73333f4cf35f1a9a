# SPDX-License-Identifier: Apache-2.0
"""Compares `running_any` of each process with the union of its threads' RUNNING intervals in a table of lanes.

    running_any.py TRACETUI CAPTURE INTERVALS.csv      INTERVALS.csv by `:write` in Threads

Prints the processes that differ, and then how many with several threads were equal.
"""

import collections
import csv
import subprocess
import sys

tracetui, capture, intervals = sys.argv[1:]
runs = collections.defaultdict(list)
with open(intervals, encoding="utf-8") as file:
    for row in csv.DictReader(file):
        if row["state"] == "RUNNING":
            times = [round(float(row[key].replace(" ", "")) * 1e9) for key in ("from_s", "to_s")]
            runs[row["thread"].split("/")[0]].append(times)
equal = 0
table = subprocess.run([tracetui, "stats", "--by", "process", "--format", "csv", capture], capture_output=True,
                       text=True, check=True).stdout
rows = list(csv.DictReader(table.splitlines()))
names = collections.Counter(row["process"] for row in rows)
for row in rows:
    name = row["process"]
    if names[name] > 1 or name == "procnto":  # two processes, and idle threads
        continue
    union = end = 0
    for start, stop in sorted(runs[name]):
        union += max(stop - max(start, end), 0)
        end = max(end, stop)
    if abs(union - int(row["running_any_ns"])) > len(runs[name]):
        print(name, union, row["running_any_ns"])
    elif int(row["threads"]) > 1:
        equal += 1
print(equal, "processes")
