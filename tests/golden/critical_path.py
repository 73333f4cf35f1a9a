# SPDX-License-Identifier: Apache-2.0
"""Compares explanations with critical paths, instant by instant.

    python3 critical_path.py PROGRAM CAPTURE PATHS

PATHS is a table with a row a piece: interval, root_pid, root_tid, interval_start, interval_end, and the
piece's ts, dur, pid, tid; times in ns of the capture's clock. Prints a line for each interval; exit
status 1 if a thread differs or a part of the path is missing.
"""
import collections
import csv
import json
import subprocess
import sys


def lines(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode > 1:
        sys.exit(result.stderr)
    return result.stdout.splitlines()


def owner(pieces, at):
    return next((thread for start, end, thread in pieces if start <= at < end), None)


def main():
    program, capture, paths = sys.argv[1:4]
    origin = json.loads(lines(program, 'dump', '--to', '#1', '--format', 'jsonl', capture)[0])['ns']
    intervals = collections.OrderedDict()
    with open(paths, encoding='utf-8') as table:
        for row in csv.DictReader(table, delimiter='\t'):
            key = (row['interval'], row['root_pid'] + '/' + row['root_tid'],
                   int(row['interval_start']), int(row['interval_end']))
            start = int(row['ts'])
            piece = (start, start + int(row['dur']), (int(row['pid']), int(row['tid'])))
            intervals.setdefault(key, []).append(piece)
    wrong = 0
    for (name, thread, start, end), theirs in intervals.items():
        explained = json.loads(lines(program, 'why', '--thread', thread, '--from', '%dns' % (start - origin),
                                     '--to', '%dns' % (end - origin), '--format', 'jsonl', capture)[0])
        ours = [(p['from_ns'], p['to_ns'], (p['pid'], p['tid'])) for p in explained['pieces']]
        cuts = sorted({t for p in ours + theirs for t in p[:2] if start <= t <= end})
        differs = [at for at in cuts if start <= at < end and owner(ours, at) != owner(theirs, at)]
        whole = cuts[:1] == [start] and cuts[-1:] == [end]
        wrong += bool(differs) or not whole
        print('%s, %d pieces: %s' % (name, len(ours), 'differs at %s' % differs[:4] if differs else 'the same threads'))
    return 1 if wrong else 0


sys.exit(main())
