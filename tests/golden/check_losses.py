# SPDX-License-Identifier: Apache-2.0
"""Compares verdicts on captures that lost records with those on the complete captures.

check_losses.py TRACETUI TTSIM SEED...: each capture is simulated twice, with and without losses. Exactly the
rules are undecided that the losses could change:
  - a verdict that is decided on the lossy capture is that of the complete one, for limits around the values
    of both: between two values that differ, the rule is undecided;
  - in the window before the first loss, value and verdict of every rule are those of the complete capture;
  - a value that lost records can only increase, over its limit, is a failure (releases that lose the records
    of all CPUs at once).
Prints the numbers of rules and of decided ones, and each contradiction.
"""

import json
import os
import subprocess
import sys
import tempfile

program, simulator, *seeds = sys.argv[1:]
folder = tempfile.mkdtemp(prefix="check-losses")
MEASURES = ["delay max", "delay p99", "run", "ready", "ipc", "wait max", "voluntary", "delay count", "migrations",
            "slice max"]
EVENTS = ["count of {event = THREADY} <= %d", "count of {event = THRUNNING} >= %d",
          "never {event = THDESTROY and n > %d}",
          "every {event = THREADY} is followed by {event = THRUNNING} same thread within %dns",
          "no {event = THDEAD} between {event = THREADY and n > %d} and {event = THRUNNING} same thread",
          "max time from {event = INT_ENTR} to {event = INT_EXIT} same cpu <= %dns",
          "count time from {event = INT_ENTR} to {event = INT_EXIT} same cpu >= %d",
          "{event = THREADY} then {event = THRUNNING} same thread within %dns"]


def lines(*words):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def judge(rules, capture):
    path = os.path.join(folder, "rules.check")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(rules) + "\n")
    return lines("check", "--no-cache", "--format", "jsonl", path, capture)


def length(capture):
    facts = lines("info", "--format", "jsonl", capture)[0]
    return (facts["last_ticks"] - facts["first_ticks"]) * 1000000000 // facts["clock_hz"]


def simulate(name, seed, *options):
    path = os.path.join(folder, name)
    subprocess.run([simulator, "--seed", seed, "--events", "3000", *options, "-o", path], check=True,
                   capture_output=True)
    return path


def complain(text):
    global wrong
    wrong += 1
    if wrong <= 10:
        print(text)


def events_of(capture):
    """Returns the times and names of the events of each CPU, in ns from the first event."""
    cpus = {}
    dump = subprocess.run([program, "dump", "--no-cache", "--format", "jsonl", capture], capture_output=True, text=True,
                          check=False).stdout.splitlines()
    first = json.loads(dump[0])["ns"]
    for line in dump:
        event = json.loads(line)
        if event["class"] != "CONTROL":  # marks of buffers
            cpus.setdefault(event["cpu"], []).append((event["ns"] - first, event["event"]))
    return cpus


def last_before_loss(whole, lossy):
    """Returns the time up to which no CPU has lost events: the last event before the first lost one, of any CPU; without
    losses the end."""
    complete, rest = events_of(whole), events_of(lossy)
    ends = []
    for cpu, events in complete.items():
        pairs = list(zip(events, rest.get(cpu, [])))
        differ = [i for i, (a, b) in enumerate(pairs) if a != b]
        if differ or cpu not in rest:
            ends.append(events[differ[0] - 1][0] if differ and differ[0] > 0 else 0)
    return min(ends, default=length(whole)) - 2000  # at most a tick less than that time in ticks


def before_loss(seed, rules, whole, lossy):
    """Compares all rules in the window before the first lost event; returns their number."""
    window = f" within ..{last_before_loss(whole, lossy)}ns"
    rules = [r + window for r in rules]
    for rule, truth, seen in zip(rules, judge(rules, whole), judge(rules, lossy)):
        if (seen["verdict"], seen["value"]) != (truth["verdict"], truth["value"]):
            complain(f"seed {seed}: {rule}: {seen['verdict']} ({seen['value']}), complete: "
                     f"{truth['verdict']} ({truth['value']})")
    return len(rules)


GROWING = ("delay max", "run of", "ready of", "ipc of", "wait max", "voluntary", "delay count", "migrations", "slice max",
           "busy of", "idle of", "irq_count", "switches")


def must_fail(rule, result):
    """Whether a value is over its limit that the lost records can only increase."""
    return rule.startswith(GROWING) and " <= " in rule and result["value"] is not None and (
        result["value"] > result["limit"])


decided = wrong = total = open_ = early = sure = lost = 0
for seed in seeds:
    options = ["--scenario", "mixed", "--cpus", "2", "--kev-slots", "300"] + (["--kev-version", "8.0"] if int(seed) % 2 else [])
    whole = simulate("whole.kev", seed, *options)
    lossy = simulate("lossy.kev", seed, *options, "--lose", "5")
    lost += events_of(whole) != events_of(lossy)
    # The lossy capture is longer: both have the same number of recorded events.
    window = f" within ..{min(length(whole), length(lossy)) * 9 // 10}ns"
    names = [row["thread"] for row in lines("stats", "--format", "jsonl", whole) if not row["idle"]][:6]
    probes = [f'{measure} of thread "{name}" <= 1{unit}' for name in names for measure in MEASURES
              for unit in ["" if measure in ("voluntary", "delay count", "migrations") else "ns"]]
    probes += [f"{measure} of cpu {cpu} <= 1{unit}" for cpu in (0, 1)
               for measure, unit in (("busy", "ns"), ("idle", "ns"), ("irq_count", ""), ("switches", ""))]
    rules = []
    values = {}
    for capture in (whole, lossy):
        for rule, result in zip(probes, judge([p + window for p in probes], capture)):
            values.setdefault(rule, set()).add(result["value"] or 0)
    for probe in probes:
        for value in values[probe]:
            for limit in (value // 2, value - 1, value, value + 1, value * 2, value * 8):
                if limit >= 0:
                    rules.append(probe.replace("<= 1", f"<= {limit}"))
                    rules.append(probe.replace("<= 1", f"> {limit}"))
    rules += [rule % limit for rule in EVENTS for limit in (1, 10, 100, 1000, 10000, 1000000, 100000000)]
    for rule, truth, seen in zip(rules, judge([r + window for r in rules], whole),
                                 judge([r + window for r in rules], lossy)):
        total += 1
        if int(seed) % 2 == 0 and must_fail(rule, seen):
            sure += 1
            if seen["verdict"] != "failed":
                complain(f"seed {seed}: {rule}: {seen['verdict']} ({seen['value']}), can only be more")
        if seen["verdict"] == "undecided":
            open_ += 1
            continue
        decided += 1
        if seen["verdict"] != truth["verdict"] and truth["verdict"] != "undecided":
            complain(f"seed {seed}: {rule}: {seen['verdict']} ({seen['value']}), complete: "
                     f"{truth['verdict']} ({truth['value']})")
    early += before_loss(seed, rules, whole, lossy)
subprocess.run(["rm", "-r", folder], check=True)
print(f"{total} rules, {decided} decided, {open_} undecided, {early} before a loss, {sure} failed for sure, "
      f"{wrong} contradict")
sys.exit(wrong > 0 or decided == 0 or (lost > 0 and open_ == 0) or early == 0 or (sure == 0 and any(int(s) % 2 == 0 for s in seeds)))
