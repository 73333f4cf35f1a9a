# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# `:write FILE.csv` in Threads and CPUs: intervals whose sums are those of `stats`, whose wakes are those of
# `why --wakes`, and which are without gaps.
. tests/lib/case.sh

cat >"$WORK/check.py" <<'PYTHON'
import collections
import csv
import json
import subprocess
import sys

program, capture, threads, cpus = sys.argv[1:]


def jsonl(*words):
    done = subprocess.run([program, *words, "--format", "jsonl", "--no-cache", capture], capture_output=True,
                          text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for key in ("from", "to"):
            value = row.get(key + "_s") or row.get(key + "_ticks")
            whole, _, part = value.partition(".")
            row[key] = int(whole + part)
    return rows


def value(row, name):
    return row[name + "_ns"] if name + "_ns" in row else row[name + "_ticks"]


rows = table(threads)
sums, expected = collections.Counter(), collections.Counter()
classes = collections.defaultdict(set)
last = {}
for row in rows:
    if row["state"] == "RUNNING" or (row["state"] == "running"):
        sums[row["thread"]] += row["to"] - row["from"]
for row in jsonl("stats"):
    expected[row["thread"]] += value(row, "running")
for thread in expected:
    if abs(expected[thread] - sums[thread]) > 2 and sys.argv[2].endswith((".kev", ".fxt")):
        print(f"{thread}: running {expected[thread]}, in the file {sums[thread]}")
first = min(row["from"] for row in rows)
causes = sum(row["cause"] != "" for row in rows)
wakes = len(jsonl("why", "--wakes"))
if causes != wakes:
    print(f"{wakes} wakes, in the file {causes}")

busy, expected = collections.Counter(), collections.Counter()
end = {}
for row in table(cpus):
    if end.setdefault(row["cpu"], row["from"]) != row["from"]:
        print(f"CPU {row['cpu']}: a gap before {row['from']}")
    end[row["cpu"]] = row["to"]
    busy[row["cpu"], row["state"]] += row["to"] - row["from"]
for row in jsonl("stats", "--by", "cpu"):
    total = sum(busy[str(row["cpu"]), state] for state in ("busy", "idle", "kernel", "unknown"))
    whole = sum(value(row, part) or 0 for part in ("busy", "idle", "irq", "kernel", "unknown"))
    if abs(total - whole) > 4:
        print(f"CPU {row['cpu']}: {whole}, in the file {total}")
PYTHON

for capture in samples/demo.*; do
    for view in threads cpus; do
        rm -f "$WORK/$view.csv"
        "$TRACETUI" render "$view" "$capture" --no-cache --keys ":write $WORK/$view.csv<Enter>" >"$WORK/screen"
    done
    same_text "$capture" "" "$(python3 "$WORK/check.py" "$TRACETUI" "$capture" "$WORK/threads.csv" "$WORK/cpus.csv" 2>&1)"
done

# A part: the intervals that overlap the visible range.
"$TRACETUI" render threads samples/demo.kev --from 10ms --to 11ms --keys ":write $WORK/part.csv<Enter>" >"$WORK/screen"
same_text "a range" 0 "$(awk -F, 'NR > 1 && ($3 >= 0.011 || $4 <= 0.010)' "$WORK/part.csv" | wc -l)"
same_text "... with intervals" 1 "$(($(wc -l <"$WORK/part.csv") > 10))"
