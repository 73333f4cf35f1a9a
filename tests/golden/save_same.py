# SPDX-License-Identifier: Apache-2.0
#
# Saves parts of a capture and compares each with the capture:
#     save_same.py TRACETUI CAPTURE WORK CUTS SEED [SELECTION...]
# CUTS random ranges, made with SEED; a SELECTION such as "--cpu 1" is applied to all of them. Prints a
# line per difference. Compared in the range: the events of `dump`, the sums of `stats`, each state of a thread with
# its begin and end, so that each delay, wait and run of the part is one of the range, and the bytes of a second
# save. Differences that docs/save.md lists are left out.
import csv
import io
import json
import random
import subprocess
import sys

TRACETUI, CAPTURE, WORK = sys.argv[1:4]
CUTS, SEED = int(sys.argv[4]), int(sys.argv[5])
SELECTION = sys.argv[6:]

# Counted from the beginning of the file.
PLACES = {"n", "offset", "ns", "length"}
# Times of threads and CPUs, which do not depend on what was before the range.
SUMS = {
    "thread": ["run", "irq", "ready", "ipc", "lock", "sleep", "wait", "stopped", "in", "out", "voluntary",
               "preempted"],
    "cpu": ["busy", "idle", "irq", "kernel", "unknown", "switches", "interrupts"],
}


def run(*words):
    done = subprocess.run([TRACETUI, words[0], "--no-cache", *words[1:]], capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(" ".join(words) + ": " + done.stderr.decode(errors="replace").strip())
    return done.stdout.decode(errors="replace")


def rows(*words):
    return [json.loads(line) for line in run(*words, "--format", "jsonl").splitlines()]


def same_tid(tid):
    """The address of a BTrace thread: the high half counts its uses, some of which are before the range."""
    return tid & 0xffffffff if tid is not None and CAPTURE.endswith((".btrace", ".log")) else tid


def origin_of(events):
    return int(events[0]["ticks"]) if events else 0


def shown(event, begin):
    """What of an event must be the same; its time counts from `begin`."""
    kept = {key: value for key, value in event.items() if key not in PLACES}
    kept["ticks"] = int(event["ticks"]) - begin
    if event["event"] == "BUFFER" and event["class"] == "CONTROL":
        kept["args"] = {"sequence": event["args"]["sequence"]}
    kept["tid"] = same_tid(event["tid"])
    if event["thread"]:
        place = event["thread"].split(" ")[0] # its name may be recorded after the range
        kept["thread"] = place.rpartition("/")[0] if CAPTURE.endswith((".btrace", ".log")) else place
    return kept


def differences(what, ours, theirs):
    for i, (a, b) in enumerate(zip(ours, theirs)):
        if a != b:
            keys = [key for key in a if a[key] != b.get(key)]
            yield f"{what} {i}: {[(key, a[key], b.get(key)) for key in keys][:4]} {a.get('event', '')}"
            return
    if len(ours) != len(theirs):
        more = ours if len(ours) > len(theirs) else theirs
        yield f"{what}: {len(ours)} and {len(theirs)}: {more[min(len(ours), len(theirs))]}"


def is_added(event):
    """Returns whether save adds such an event inside the range."""
    return event["event"] == "BUFFER_END"


def sums(path, by, first, length, columns):
    window = ["--from", f"{first}t", "--to", f"{first + length}t"]
    table = {}
    for row in rows("stats", path, "--by", by, *window):
        name = (row.get("pid"), same_tid(row.get("tid")), row.get("cpu") if by == "cpu" else None)
        values = {key: row[key] for key in row if any(key == c or key in (c + "_ns", c + "_ticks") for c in columns)}
        # A CPU without events in the range is not in the part, nor a thread that ended before it and is followed
        # on its CPU by the next one inside.
        times = [value for key, value in values.items() if key not in ("voluntary", "preempted", "unknown_ns", "unknown_ticks")]
        if any(times) or sum(values.get(key, 0) for key in ("voluntary", "preempted")) > 1:
            table.setdefault(str(name), []).append(values)
    return {name: sorted(lines, key=str) for name, lines in table.items()}


def states(path, begin, end):
    """The states of threads that overlap the time from `begin` to `end`, which are counted from the first event."""
    text = ("select pid, tid, state, cpu, ts_ticks - begin_ticks low, s.end_ticks - begin_ticks high, since_before, "
            "switched_in from states s, captures where class not in ('unknown', 'dead')")
    table = {}
    for row in csv.DictReader(io.StringIO(run("sql", "--format", "csv", text, path))):
        low, high = int(row["low"]) - begin, int(row["high"]) - begin
        if high > 0 and low < end:
            key = (row["pid"], same_tid(int(row["tid"])), row["state"], row["cpu"] if row["state"] == "RUNNING" else None)
            table.setdefault(key, []).append((low, high, row["since_before"], row["switched_in"]))
    return table


def state_differences(ours, theirs, end):
    """A state of the range is one of the part; one that began before the range has no known begin there."""
    for key in sorted(set(ours) | set(theirs), key=str):
        inside = [{row for row in table.get(key, []) if row[0] >= 0 and row[1] < end} for table in (ours, theirs)]
        for row in sorted(inside[0] ^ inside[1])[:1]:
            yield f"state {key} {row[0]}..{row[1]} is only in the {'capture' if row in inside[0] else 'part'}"
        for low, high, since_before, _ in theirs.get(key, []):
            if low < 0 and since_before == "0" and (high < end and CAPTURE.endswith((".trx", ".kev"))):
                yield f"state {key} ..{high} has a begin in the part"


def end_of_states(events, low, high):
    """Which thread of ThreadX runs depends on the next entry of a thread on the same core."""
    if not CAPTURE.endswith(".trx"):
        return int(events[high]["ticks"])
    last = {}
    for event in events[low:high]:
        last.setdefault(event["cpu"], -1)
        if event["thread"] and event["thread"] not in ("Interrupt", "Initialize"):
            last[event["cpu"]] = int(event["ticks"])
    return min(last.values(), default=-1)


def check(events, low, high):
    origin = origin_of(events)
    first, end = int(events[low]["ticks"]), int(events[high]["ticks"])
    if first >= end or first == origin:
        return
    window = ["--from", f"{first - origin}t", "--to", f"{end - origin}t"]
    name = " ".join([CAPTURE, *window, *SELECTION])
    out, again = f"{WORK}/saved", f"{WORK}/again"
    run("save", CAPTURE, "-o", out, *window, *SELECTION)
    start = origin_of(rows("dump", out))
    # Clocks of 32 bits start again: the excerpt begins with the last event before the range.
    before = max(int(e["ticks"]) for e in events if int(e["ticks"]) < first)
    ahead = first - start if CAPTURE.endswith((".kev", ".fxt")) else first - before
    inside = ["--from", f"{ahead}t", "--to", f"{ahead + end - first}t"]
    ours = [shown(e, first) for e in rows("dump", CAPTURE, *window, *SELECTION) if not is_added(e)]
    theirs = [shown(e, start + ahead) for e in rows("dump", out, *inside, *SELECTION) if not is_added(e)]
    if CAPTURE.endswith(".trx"): # which thread runs next may depend on entries after the range
        ours, theirs = ([e for e in of if not e["derived"]] for of in (ours, theirs))
    found = list(differences("event", ours, theirs))
    length = max([0] + [e["ticks"] for e in ours]) # the excerpt ends there
    many = CAPTURE.endswith(".trx") and any(e["cpu"] != 0 for e in events)
    for by, columns in SUMS.items() if length > 0 and not many else ():
        a = sums(CAPTURE, by, first - origin, length, columns)
        b = sums(out, by, ahead, length, columns)
        for key in sorted(set(a) | set(b)):
            if a.get(key) != b.get(key):
                found.append(f"stats --by {by}, {key}: {a.get(key)} and {b.get(key)}")
                break
    length = min(length, end_of_states(events, low, high) - first)
    if length > 0:
        found += list(state_differences(states(CAPTURE, first - origin, length), states(out, ahead, length), length))
    run("save", out, "-o", again, *inside, *SELECTION)
    with open(out, "rb") as one, open(again, "rb") as two:
        if one.read() != two.read():
            found.append("a second save differs")
    for line in found:
        print(f"{name}: {line}")


def main():
    events = rows("dump", CAPTURE)
    events = [e for e in events if not e.get("derived")]
    chance = random.Random(SEED)
    count = len(events)
    for _ in range(CUTS if count > 2 and int(events[-1]["ticks"]) < 1 << 63 else 0):
        low, high = sorted(chance.sample(range(count), 2))
        check(events, low, high)


main()
