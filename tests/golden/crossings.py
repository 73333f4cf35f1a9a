# SPDX-License-Identifier: Apache-2.0
"""Prints how many QNX messages are sent on one CPU and received on another one, and how many are undecided.

    crossings.py TRACETUI CAPTURE

The CPUs are those of the COMM events at the times of the send and of the receive, not those of the lanes.
"""

import csv
import json
import subprocess
import sys

tracetui, capture = sys.argv[1:]


def output(*words):
    return subprocess.run([tracetui, "dump", "--no-cache", *words, capture], capture_output=True, text=True,
                          check=True).stdout


events = [json.loads(line) for line in output("--format", "jsonl", "--filter", "class = COMM").splitlines()]
cpus = {(e["ns"], e["event"][:3]): e["cpu"] for e in events}
count = unknown = 0
for m in csv.DictReader(output("--messages", "--format", "csv").splitlines()):
    if m["send_ns"] and m["receive_ns"]:
        send = [cpus.get((int(m["send_ns"]), k)) for k in ("SND", "MSG")]
        receive = [cpus.get((int(m["receive_ns"]), k)) for k in ("REC",)]
        s = next((c for c in send if c is not None), None)
        r = next((c for c in receive if c is not None), None)
        if s is None or r is None:
            unknown += 1
        else:
            count += s != r
print(count, unknown)
