# SPDX-License-Identifier: Apache-2.0
"""Damages a capture at random and compares what is read with the intact one.

    damaged.py TRACETUI CAPTURE FIRST-SEED COUNT [PLACES]

A damage overwrites, inserts or deletes 1 to 4,096 bytes at PLACES (1) places. Prints a line for each seed after
which something other than the damaged records is read otherwise, and at last "N of COUNT differ, M in the duration or a run
time". What must hold:

  duration    within 1 % of that of the intact capture; shorter where its first or last events are damaged
  threads     none that the intact capture does not have; the process of one may be unknown
  run times   of each thread within the time from the last record before the damage to the thread's next state after
              the 64th record behind it: until then nothing tells its state
  events      outside of the damage, and of 64 records after it, are those of the intact capture

Records of FXT and BTrace name what later ones refer to: an event or a thread may also be that of the intact capture
without the damaged records; an event that is another one there, because a damaged record names it, has its time.
"""
import bisect
import collections
import csv
import functools
import json
import os
import random
import subprocess
import sys
import tempfile

TRACETUI, CAPTURE = sys.argv[1:3]
FIRST, COUNT = int(sys.argv[3]), int(sys.argv[4])
PLACES = int(sys.argv[5]) if len(sys.argv) > 5 else 1
AFTER = 64  # records after a damage that may be lost with it


def run(path, *words):
    done = subprocess.run([TRACETUI, words[0], "--no-cache", *words[1:], path], capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(" ".join(words) + ": " + done.stderr.decode(errors="replace").strip())
    return done.stdout.decode(errors="replace")


def events_of(path):
    """Rows of dump with their time, place and what else must be the same."""
    rows = list(csv.reader(run(path, "dump", "--format", "csv").splitlines()))
    if not rows:
        return []
    column = {name: i for i, name in enumerate(rows[0])}
    rows = [row for row in rows[1:] if row[column["derived"]] == "0"]
    begin = begin_of(path, int(rows[0][column["offset"]])) if rows else 0
    return [(begin + int(row[column["ticks"]]), int(row[column["offset"]]),
             (begin + int(row[column["ticks"]]), *(row[column[name]] for name in ("cpu", "class", "event", "args"))))
            for row in rows]


def begin_of(path, at):
    """The stamp of the first event if times count from it, as those of a ring do; 0 otherwise."""
    if not path.endswith(".trx"):
        return 0
    with open(path, "rb") as file:
        file.seek(at + 12)
        return int.from_bytes(file.read(4), "little")


@functools.cache
def clock_of_capture():
    return json.loads(run(CAPTURE, "info", "--format", "jsonl").splitlines()[0])["clock_hz"]


def threads_of(path):
    rows = [json.loads(line) for line in run(path, "stats", "--format", "jsonl").splitlines()]
    unit = "run_ns" if rows and "run_ns" in rows[0] else "run_ticks"
    # In ticks, as the times of events and states. No damage reaches the records that tell the clock.
    ticks = clock_of_capture() / 1e9 if unit == "run_ns" else 1
    return {(row["pid"], row["tid"]): round(int(row[unit] or 0) * ticks) for row in rows}


def states_of(path):
    """The ends of the states of each thread, in order."""
    rows = csv.reader(run(path, "sql", "select t.pid, t.tid, end_ticks from states join threads t using (utid) "
                          "order by end_ticks", "--format", "csv").splitlines()[1:])
    ends = collections.defaultdict(list)
    for pid, tid, end in rows:
        ends[int(pid), int(tid)].append(int(end))
    return ends


def size_of_fxt(data, at):
    header = int.from_bytes(data[at:at + 8], "little")
    return 8 * (header >> 4 & (0xffffffff if header & 15 == 15 else 0xfff))


def size_of_btrace(data, at):
    return data[at] + 3 & ~3


SIZES = {".fxt": size_of_fxt, ".btrace": size_of_btrace}


def end_of_kev(data, at):
    """Where an event ends: its last slot may be behind those of others."""
    header, stamp = (int.from_bytes(data[at + i:at + i + 4], "little") for i in (0, 4))
    for slot in range(at + 16, at + 1024, 16) if header >> 30 == 1 else ():
        other = int.from_bytes(data[slot:slot + 4], "little")
        if (header ^ other) & 0x3f007fff == 0 and int.from_bytes(data[slot + 4:slot + 8], "little") == stamp:
            if other >> 30 == 3:
                return slot + 16
    return at + 16


def without(data, ranges):
    """The intact bytes without the records that are damaged, and where the rest was: pairs of offsets."""
    size_of = SIZES.get(os.path.splitext(CAPTURE)[1])
    kept, places, at = [], [], 0
    while size_of and at < len(data):
        end = at + size_of(data, at)
        if not any(at < max(stop, first + 1) and end > first and (stop > first or at < first)
                   for first, stop, *_ in ranges):
            places.append((sum(map(len, kept)), at))
            kept.append(data[at:end])
        at = end
    return b"".join(kept), dict(places)


def damaged(data, chance, low):
    """The damaged bytes, and the ranges of the intact ones that are gone or next to what was inserted."""
    ranges, places = [], sorted(chance.randrange(low, len(data) * 7 // 8) for _ in range(PLACES))
    most = len(data)
    for at in reversed(places):
        size = int(2 ** chance.uniform(0, 12))
        kind = chance.choice(("overwrite", "insert", "delete"))
        size = size if kind == "insert" else min(size, most - at)
        junk = chance.randbytes(size) if kind != "delete" else b""
        end = at if kind == "insert" else at + size
        data = data[:at] + junk + data[end:]
        ranges.append((at, end, kind, size))
        most = at
    return data, ranges[::-1]


def differences(path, ranges, intact, threads, states, rest):
    """What is read otherwise than it must be; `rest`: returns events and threads of the capture without the damage."""
    found = events_of(path)
    if not found:
        yield "no events"
        return
    begin, end = intact[0][0], max(event[0] for event in intact)
    by_place = sorted(intact, key=lambda event: event[1])
    lost, stretches = set(), []
    for at, stop, _, _ in ranges:
        after = 0
        times = []
        for i, event in enumerate(by_place):
            following = by_place[i + 1][1] if i + 1 < len(by_place) else event[1] + 1
            if max(following, event[3]) <= at:
                times = [event[0]]
            elif event[1] < stop or after < AFTER:
                lost.add(i)
                times.append(event[0])
                after += event[1] >= stop
        stretches.append((min(times), max(times)) if times else (0, 0))
    kept = [event[0] for i, event in enumerate(by_place) if i not in lost]
    least, span, now = max(kept) - min(kept), end - begin, found[-1][0] - found[0][0]
    if not least - span / 100 <= now <= span + span / 100:
        yield f"duration {now} instead of {span}"
    there = collections.Counter(event[2] for event in found)
    missing = collections.Counter(event[2] for i, event in enumerate(by_place) if i not in lost) - there
    extra = collections.Counter(event[2] for event in found) - collections.Counter(event[2] for event in intact)
    spare = extra.copy()
    for event in by_place if +missing else ():
        other = rest()[0].get(event[1])
        if missing[event[2]] <= 0 or not other:
            continue
        named = other if there[other] > 0 else None
        if not named and other != event[2]:
            named = next((one for one in spare if one[0] == event[0] and spare[one] > 0), None)
        if named:
            missing[event[2]] -= 1
            there[named] -= 1
            spare[named] -= 1
    missing = +missing
    if missing:
        yield f"{sum(missing.values())} events missing, {next(iter(missing))}"
    most = sum(size // 16 + AFTER for *_, size in ranges)
    if sum((+spare).values()) > most:
        yield f"{sum((+spare).values())} events that are not in the intact capture"
    got = threads_of(path)
    added = set(got) - set(threads)
    added -= rest()[1] if added else set()
    added -= {(0, tid) for _, tid in threads}  # what names their process is damaged
    if added:
        yield f"{len(added)} threads added: {sorted(added, key=str)[:3]}"
    for key, ran in threads.items():
        allowed = 2
        for low, high in stretches:
            ends = states.get(key, [])
            after = bisect.bisect_left(ends, high)
            allowed += (ends[after] if after < len(ends) else end) - low
        if key in got and abs(got[key] - ran) > allowed:
            yield f"run time of {key}: {got[key]} instead of {ran}, {allowed} in the damage"


def rest_of(path, data, ranges):
    """The events of the capture without the damaged records, by their place in the intact one, and its threads."""
    kept, places = without(data, ranges)
    if not kept:
        return {}, set()
    with open(path, "wb") as file:
        file.write(kept)
    return {places[event[1]]: event[2] for event in events_of(path)}, set(threads_of(path))


def main():
    with open(CAPTURE, "rb") as file:
        data = file.read()
    intact, threads, states = events_of(CAPTURE), threads_of(CAPTURE), states_of(CAPTURE)
    end_of = end_of_kev if CAPTURE.endswith(".kev") else lambda _, at: at
    intact = [(*event, end_of(data, event[1])) for event in intact]
    low = sorted(event[1] for event in intact)[len(intact) // 8]
    wrong, times = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, os.path.basename(CAPTURE))
        for seed in range(FIRST, FIRST + COUNT):
            changed, ranges = damaged(data, random.Random(seed), low)
            with open(path, "wb") as file:
                file.write(changed)
            rest = functools.cache(functools.partial(rest_of, os.path.join(folder, "rest"), data, ranges))
            what = list(differences(path, ranges, intact, threads, states, rest))
            wrong += bool(what)
            times += any(line.startswith(("duration", "run time", "no events")) for line in what)
            if what:
                print(f"{CAPTURE} seed {seed} {ranges}: " + "; ".join(what))
            if what and os.environ.get("KEEP"):
                with open(os.path.join(os.environ["KEEP"], f"{seed}-{os.path.basename(CAPTURE)}"), "wb") as file:
                    file.write(changed)
    print(f"{wrong} of {COUNT} differ, {times} in the duration or a run time")


main()
