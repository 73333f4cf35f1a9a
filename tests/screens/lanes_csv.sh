# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# `:write FILE.csv` in Threads and CPUs: intervals without gaps, whose sums are those of `stats`. State, waker and
# cause are those of `why --wakes`; the runs of the threads are those of the CPUs.
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
ready, waited = collections.Counter(), collections.Counter()
last, names = {}, {}
threads_of = collections.Counter(row["thread"] for row in jsonl("stats"))
for row in rows:
    length = row["to"] - row["from"]
    sums[row["thread"]] += length if row["state"].lower() == "running" else 0
    ready[row["thread"]] += length if row["state"].lower() == "ready" else 0
    if threads_of[row["thread"]] == 1 and last.setdefault(row["thread"], row) is not row and \
            last[row["thread"]]["to"] != row["from"]:
        print(f"{row['thread']}: a gap before {row['from']}")
    last[row["thread"]] = row
    if (row["cpu"] != "") != (row["state"].lower() == "running"):
        print(f"{row['thread']} {row['state']}: CPU {row['cpu']}")
for row in jsonl("stats"):
    names[row["pid"], row["tid"]] = row["thread"]
    expected[row["thread"]] += value(row, "running")
    waited[row["thread"]] += value(row, "ready")
for thread in expected:
    if abs(expected[thread] - sums[thread]) > 2 and sys.argv[2].endswith((".kev", ".fxt")):
        print(f"{thread}: running {expected[thread]}, in the file {sums[thread]}")
    if abs(waited[thread] - ready[thread]) > 2 and sys.argv[2].endswith((".kev", ".fxt")):
        print(f"{thread}: ready {waited[thread]}, in the file {ready[thread]}")

# The wakes: time, thread, state before, waker, cause.
begin = jsonl("dump", "--to", "#1")[0]
begin = int(begin["ticks"] if begin["ns"] is None else begin["ns"])
told, written = collections.Counter(), collections.Counter()
for wake in jsonl("why", "--wakes"):
    if wake["by"] == "interrupt":
        waker = "interrupt" if wake["vector"] is None else f"interrupt {wake['vector']}"
    else:
        waker = names.get((wake["by_pid"], wake["by_tid"]), "") if wake["by"] == "thread" else ""
    if wake["state"] != "UNKNOWN":  # no interval ends there
        told[value(wake, "at") - begin, wake["thread"], wake["state"], waker, wake["kind"] or "unknown"] += 1
for row in rows:
    if row["cause"] and row["state"] != "UNKNOWN":
        written[row["to"], row["thread"], row["state"], row["waker"], row["cause"]] += 1
for wake in list((told - written) + (written - told))[:3]:
    print(f"a wake: {wake}: {told[wake]}, in the file {written[wake]}")

# A run of a thread is a run of its CPU.
runs = collections.Counter((row["thread"], row["from"], row["to"], row["cpu"])
                           for row in rows if row["state"].lower() == "running" and row["to"] > row["from"])
cpu_rows = table(cpus)
seen = collections.Counter((row["thread"], row["from"], row["to"], row["cpu"]) for row in cpu_rows if row["thread"])
for one in list((runs - seen) + (seen - runs))[:3]:
    print(f"a run: {one}: {runs[one]}, of the CPU {seen[one]}")
wakes = {(row["thread"], row["to"]): (row["waker"], row["cause"]) for row in rows if row["cause"]}
causes = {cause for row in cpu_rows if row["cause"] for cause in [(row["waker"], row["cause"])]}
if not causes <= set(wakes.values()):
    print(f"causes of the CPUs only: {list(causes - set(wakes.values()))[:3]}")

busy, expected = collections.Counter(), collections.Counter()
end = {}
for row in cpu_rows:
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
    [[ $capture != *.log ]] || continue # it has no CPUs
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

# The checks detect a wrong cause and a wrong CPU.
wrong() {
    sed -E "$1" "$WORK/threads.csv" >"$WORK/wrong.csv"
    python3 "$WORK/check.py" "$TRACETUI" "$capture" "$WORK/wrong.csv" "$WORK/cpus.csv" 2>&1 | grep -c "$2"
}
capture=samples/demo.kev
for view in threads cpus; do
    "$TRACETUI" render "$view" "$capture" --no-cache --keys ":write! $WORK/$view.csv<Enter>" >"$WORK/screen"
done
same_text "a wrong cause is seen" 2 "$(wrong '0,/condvar$/s/condvar$/reply/' 'a wake')"
same_text "a wrong waker is seen" 1 "$(($(wrong 's/fusion.1 fuse,condvar$/fusion\/2 publish,condvar/' 'a wake') > 0))"
same_text "a wrong CPU is seen" 2 "$(wrong '0,/RUNNING,([^,]*),([^,]*),0,/s/(RUNNING,[^,]*,[^,]*),0,/\1,3,/' 'a run')"
