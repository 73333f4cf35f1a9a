# SPDX-License-Identifier: Apache-2.0
"""Compares a capture that lost records with the complete capture of the same run.

known.py TRACETUI WHOLE LOSSY: all that the lossy capture has as known is true in the complete one: each state of a
thread within one such state, on the same CPU; each occupant of a CPU; runs of known duration, waits for locks and
messages with the same begin and end; switches and wakes at the same instant; delays and waits. Prints a line per
contradiction (at most 8), and on standard error how much was compared.
"""
import csv
import io
import subprocess
import sys

program, whole_path, lossy_path = sys.argv[1:4]
faults = 0
compared = {}


def query(path, text):
    done = subprocess.run([program, "sql", "--no-cache", "--format", "csv", text, path], capture_output=True, text=True,
                          check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.strip())
    return [{key: int(value) if value.lstrip("-").isdigit() else value or None for key, value in row.items()}
            for row in csv.DictReader(io.StringIO(done.stdout))]


def complain(text):
    global faults
    faults += 1
    if faults <= 8:
        print(text)


def covers(spans, begin, end):
    """Whether one of the spans, which are in time order, contains the given one."""
    low, high = 0, len(spans)
    while low < high:
        middle = (low + high) // 2
        if spans[middle][1] < end:
            low = middle + 1
        else:
            high = middle
    return any(a <= begin and end <= b for a, b in spans[low:low + 2])


def joined(rows, key):
    """The spans of rows by key; those that follow each other without a gap are one."""
    table = {}
    for row in rows:
        spans = table.setdefault(key(row), [])
        if spans and spans[-1][1] == row["ts_ticks"]:
            spans[-1] = (spans[-1][0], row["end_ticks"])
        else:
            spans.append((row["ts_ticks"], row["end_ticks"]))
    return table


def compare_spans(what, text, key):
    true, seen = joined(query(whole_path, text), key), query(lossy_path, text)
    compared[what] = len(seen)
    for row in seen:
        if not covers(true.get(key(row), []), row["ts_ticks"], row["end_ticks"]):
            complain(f"{what} {key(row)} {row['ts_ticks']}..{row['end_ticks']}")


def compare_rows(what, text):
    true = {str(row) for row in query(whole_path, text)}
    seen = [row for row in query(lossy_path, text) if max(row[key] or 0 for key in row if key.endswith("ticks")) < end]
    compared[what] = len(seen)
    for row in seen:
        if str(row) not in true:
            complain(f"{what} {row}")


# Nothing in a capture shows that the last buffers of a CPU are lost.
last = "select cpu, max(ts_ticks) last from events where class <> 'CONTROL' and cpu is not null group by cpu"
ends = {row["cpu"]: row["last"] for row in query(lossy_path, last)}
lost_ends = [ends.get(row["cpu"], 0) for row in query(whole_path, last) if row["last"] != ends.get(row["cpu"])]
end = min(lost_ends + [max(ends.values())])
order = f"and ts_ticks < {end} order by utid, ts_ticks"
state = "select pid, tid, state, cpu, ts_ticks, min(end_ticks, %d) end_ticks from states where class <> 'unknown' "
compare_spans("state", state % end + "and class <> 'running' " + order, lambda row: (row["pid"], row["tid"], row["state"]))
compare_spans("run", state % end + "and class = 'running' " + order, lambda row: (row["pid"], row["tid"], row["cpu"]))
compare_spans("occupant", "select c.cpu, occupant, pid, tid, c.ts_ticks, min(c.end_ticks, %d) end_ticks from cpu_time c "
              "left join threads t using (utid) where occupant <> 'unknown' and c.ts_ticks < %d order by c.cpu, c.ts_ticks"
              % (end, end), lambda row: (row["cpu"], row["occupant"], row["pid"], row["tid"]))
names = "f.pid fp, f.tid ft, t.pid tp, t.tid tt"
compare_rows("switch", f"select ts_ticks, cpu, {names} from switches left join threads f on f.utid = from_utid left "
             "join threads t on t.utid = to_utid")
compare_rows("wake", "select ts_ticks, pid, tid, w.state, blocked_ticks blocked from wakes w join threads using (utid) where "
             "w.state is not null and blocked_ticks is not null")
compare_rows("waker", f"select ts_ticks, w.kind, w.vector, {names} from wakes w left join threads f on f.utid = "
             "waker_utid join threads t on t.utid = w.utid where w.by <> 'unknown' and w.kind is not null")
compare_rows("round", f"select send_ticks, receive_ticks, end_ticks, return_ticks, end, {names} from messages m join threads f on "
             "f.utid = client_utid join threads t on t.utid = server_utid where end in ('reply', 'error') and send_ticks "
             "is not null and receive_ticks is not null and kind = 'message' and return_ticks is not null")
compare_rows("lock wait", "select ts_ticks, end_ticks, w.state, pid, tid from lock_waits w join threads using (utid) where "
             "dur_ticks is not null and not since_before")
compare_rows("job", "select ts_ticks, start_ticks, end_ticks, end_state, run_ticks run, ready_ticks ready, blocked_ticks blocked, pid, tid from jobs")
print(", ".join(f"{count} {what}s" for what, count in compared.items()), file=sys.stderr)
if faults > 8:
    print(f"... {faults} in all")
