# SPDX-License-Identifier: Apache-2.0
"""Compares live verdicts with those on the finished file.

check_live.py TRACETUI TTSIM SEED...: each capture is written into a pipe in random pieces, which
`check -f` judges; the verdicts have to be those on the file. Then a pipe that stays open: --fail-fast
and --until end the check by themselves, and SIGTERM ends it with a report.
"""

import array
import fcntl
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import termios
import time

program, simulator, *seeds = sys.argv[1:]
RULES = """delay max of thread * < 100us
run of process * < 10ms
busy of cpu * < 60%
count of {event = THREADY} < 300
every {event = THREADY} is followed by {event = THRUNNING} same thread within 1ms
max time from {event = INT_ENTR} to {event = THRUNNING} < 1ms
never {event = THDESTROY}
response p99 of job * < 5ms
count of message * -> * < 50
lost = 0
"""
folder = tempfile.TemporaryDirectory(prefix="check-live")
rules = os.path.join(folder.name, "rules.check")
capture = os.path.join(folder.name, "capture.kev")
with open(rules, "w", encoding="utf-8") as text:
    text.write(RULES)


def verdicts(output):
    found = [json.loads(line) for line in output.splitlines()]
    for result in found:
        del result["capture"], result["command"]
    return found


def follow(*options):
    return subprocess.Popen([program, "check", "-f", "--format", "jsonl", *options, "-"], stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


failures = 0
for seed in seeds:
    subprocess.run([simulator, "--scenario", "mixed", "--seed", seed, "--events", "2000", "-o", capture], check=True,
                   capture_output=True)
    with open(capture, "rb") as file:
        data = file.read()
    done = subprocess.run([program, "check", "--format", "jsonl", rules, capture], capture_output=True, check=False)
    child = follow(rules)
    pieces = random.Random(int(seed))
    at = 0
    while at < len(data):
        size = pieces.randrange(1, 20000)
        child.stdin.write(data[at : at + size])
        child.stdin.flush()
        at += size
    output = child.communicate()[0]
    if child.returncode != done.returncode or verdicts(output) != verdicts(done.stdout):
        failures += 1
        print(f"seed {seed}: live and finished differ: {child.returncode}, {done.returncode}")

# The pipe stays open.
for options, expected in ((["--fail-fast", "--rule", "never {event = THREADY}"], 3),
                          (["--until", "event = THREADY", "--rule", "lost = 0"], 0)):
    child = follow(*options)
    child.stdin.write(data)
    child.stdin.flush()
    code = child.wait()
    if code != expected:
        failures += 1
        print(f"{options}: exit status {code}, expected {expected}")
    child.communicate()
child = follow("--rule", "never {event = NO_SUCH_EVENT}")
child.stdin.write(data)
child.stdin.flush()
# The handler is installed before the pipe is read: wait until the pipe is empty.
left = array.array("i", [1])
while left[0] > 0:
    fcntl.ioctl(child.stdin, termios.FIONREAD, left)
child.send_signal(signal.SIGTERM)
output = child.stdout.read()
if child.wait() != 0 or len(verdicts(output)) != 1:
    failures += 1
    print(f"SIGTERM: exit status {child.returncode}, {output[:200]}")


def opened(child, path):
    """Waits until the child has mapped a file, before which it installs its handlers; false: not shown by the system."""
    maps = f"/proc/{child.pid}/maps"
    while child.poll() is None and os.path.exists(maps):
        with open(maps, encoding="utf-8", errors="replace") as lines:
            if any(path in line for line in lines):
                return True
        time.sleep(0.01)
    return False


# A file that grows: half of it is there when the check begins, the rest follows in pieces. It ends with the last
# event, after a time, or by a signal, and reports the verdicts on all that was written by then.
total = len(subprocess.run([program, "dump", capture], capture_output=True, check=False).stdout.splitlines())
done = subprocess.run([program, "check", "--format", "jsonl", rules, capture], capture_output=True, check=False)
growing = os.path.join(folder.name, "growing.kev")
for how in ("until", "timeout", signal.SIGINT, signal.SIGTERM):
    half = len(data) // 2 if how == "until" else len(data)
    with open(growing, "wb") as file:
        file.write(data[:half])
    options = {"until": ["--until", f"n >= {total - 1}"], "timeout": ["--timeout", "200ms"]}.get(how, [])
    child = subprocess.Popen([program, "check", "-f", "--no-cache", "--format", "jsonl", *options, rules, growing],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    with open(growing, "ab") as file:
        for at in range(half, len(data), 5003):
            file.write(data[at : at + 5003])
            file.flush()
    if not isinstance(how, str):
        if not opened(child, growing):
            child.kill()
            continue
        child.send_signal(how)
    output = child.communicate()[0]
    if child.returncode != done.returncode or verdicts(output) != verdicts(done.stdout):
        failures += 1
        print(f"growing file, {how}: {child.returncode}, expected {done.returncode}; {output[:300]}")

# --fail-fast ends at the first failure that cannot be undone, although the file stays open.
child = subprocess.Popen([program, "check", "-f", "--no-cache", "--format", "jsonl", "--fail-fast", "--rule",
                          "count of {event = THREADY} <= 3", growing], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
output = child.communicate()[0]
if child.returncode != 3 or verdicts(output)[0]["verdict"] != "failed":
    failures += 1
    print(f"growing file, --fail-fast: {child.returncode}; {output[:300]}")
# --until without its event: the verdicts are of an incomplete capture.
child = subprocess.Popen([program, "check", "-f", "--no-cache", "--format", "jsonl", "--until", "event = NO_SUCH_EVENT",
                          "--timeout", "200ms", "--rule", "lost = 0", growing], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL)
output = child.communicate()[0]
if child.returncode != 4 or len(verdicts(output)) != 1:
    failures += 1
    print(f"growing file, --until without its event: {child.returncode}; {output[:300]}")
print(f"{len(seeds)} seeds, {failures} differ")
sys.exit(failures > 0)
