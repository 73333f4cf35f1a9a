# SPDX-License-Identifier: Apache-2.0
"""Compares a merged host and guest with the simulator's truth of both (ttsim --guest).

guests.py TRACETUI HOST GUEST: the runs of the guest, the place of the guest's events on the host's time line, the
time that the host has stolen from each thread of the guest, and the explanation of the run that lost most, to the
tick. The clocks have 1 GHz, so that a tick is a nanosecond. Prints a line per contradiction, and on standard error how
much was compared.
"""
import json
import subprocess
import sys

program, host, guest = sys.argv[1:4]
both = ["--merge", host, guest]
# A trace.dat with the cycle counter's times does not tell their rate.
clock = ["--clock", "1000000000"] if guest.endswith(".dat") else []


def rows(command, *words):
    done = subprocess.run([program, command, "--no-cache", "--format", "jsonl", *clock, *words], capture_output=True, text=True,
                          check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.strip())
    return [json.loads(line) for line in done.stdout.splitlines()]


def same(what, expected, found):
    if expected != found:
        print(f"{what}: expected {expected}, found {found}")


truth = [json.loads(line) for line in open(guest + ".truth.jsonl", encoding="utf-8")]
about = next(row for row in truth if row["t"] == "guest")
runs = [(row["from"], row["to"]) for row in truth if row["t"] == "run"]
away = [(row["from"], row["to"]) for row in truth if row["t"] == "away"]
back = int(about["back"])
host_name, guest_name = host.split("/")[-1], guest.split("/")[-1]

# The runs of the guest.
stats = rows("stats", *both)
vcpu = [row for row in stats if row["capture"] == host_name and (row["pid"], row["tid"]) == (about["pid"], about["tid"])]
same("time of the guest", [sum(b - a for a, b in runs)], [row["guest_ns"] for row in vcpu])
same("guest time of other threads", 0, sum(row["guest_ns"] for row in stats) - vcpu[0]["guest_ns"])
slices = rows("sql", "select ts_ticks, dur_ticks from slices order by ts_ticks", host)
same("runs", [b - a for a, b in runs], [row["dur_ticks"] for row in slices])

# The place of the guest's events.
places = {}
for name, path in ((host_name, host), (guest_name, guest)):
    alone = [int(row["ticks"]) for row in rows("dump", path)]
    merged = [int(row["ticks"]) for row in rows("dump", *both) if row["capture"] == name]
    places[name] = {b - a for a, b in zip(alone, merged)}
    same(f"events of {name}", len(alone), len(merged))
same("distance of the guest", back, int(places[guest_name].pop()) - int(places[host_name].pop()))
same("other distances", [set(), set()], list(places.values()))



# The stolen time.
def stolen(begin, end):
    return sum(max(0, min(end, b) - max(begin, a)) for a, b in away)


expected, worst = {}, (0, ((0, 0), 0, 0))
running = rows("sql", "select s.pid, s.tid, s.ts_ticks, s.end_ticks from states s join threads using (utid) "
               "where class = 'running' and is_idle = 0", guest)
for row in running:
    key = row["pid"], row["tid"]
    lost = stolen(row["ts_ticks"] + back, row["end_ticks"] + back)
    expected[key] = expected.get(key, 0) + lost
    worst = max(worst, (lost, (key, row["ts_ticks"] + back, row["end_ticks"] + back)))
found = {(row["pid"], row["tid"]): row["steal_ns"] for row in stats if row["capture"] == guest_name and row["steal_ns"]}
same("stolen time", {key: value for key, value in expected.items() if value > 0}, found)

# Why: the run that lost most.
start = min(int(row["ticks"]) for row in rows("dump", *both))
lost, ((pid, tid), begin, end) = worst
why = rows("why", *both, "--thread", f"{pid}/{tid}", "--at", f"{begin + 1 - start}t")
pieces = [piece for row in why for piece in row["pieces"] if piece["depth"] == 0]
wrong = [piece for piece in pieces if piece["cause"] in ("work", "steal") and
         stolen(piece["from_ns"], piece["to_ns"]) != (piece["cause"] == "steal") * (piece["to_ns"] - piece["from_ns"])]
same("why", [], wrong)
same("why has stolen time", True, any(piece["cause"] == "steal" for piece in pieces))
print(f"{len(runs)} runs, {len(away)} times away, {len(found)} threads, {lost} ns, {len(pieces)} pieces", file=sys.stderr)
