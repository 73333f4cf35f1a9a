# SPDX-License-Identifier: Apache-2.0
"""Compares `stats --by object` of a ThreadX capture with what follows from TraceX's text of it.

    python3 trx_objects.py PROGRAM CAPTURE TEXT

A wait lasts from INTERNAL SUSPEND of a thread with the state of an object to its INTERNAL RESUME; the object
is the first argument of the thread's last call of that kind. Exit status 1 if anything differs.
"""
import json, re, subprocess, sys

KINDS = {5: 'queue', 6: 'semaphore', 7: 'event flags', 8: 'block pool', 9: 'byte pool', 13: 'mutex'}
CALLS = {'QUEUE SEND': 'queue', 'QUEUE FRONT SEND': 'queue', 'QUEUE RECEIVE': 'queue', 'SEMAPHORE GET': 'semaphore',
         'EVENT FLAG GET': 'event flags', 'BLOCK ALLOCATE': 'block pool', 'BYTE ALLOCATE': 'byte pool', 'MUTEX GET': 'mutex'}
LINE = re.compile(r'^ +\d+ +(\d+) +TX ([A-Z ]+?) +\( *\d+\) +.*?\(([0-9A-F]{8})\).*I1: ([0-9A-F]+) +I2: ([0-9A-F]+)')

requested, waiting, waits = {}, {}, {}
for line in open(sys.argv[3], encoding='latin-1'):
    match = LINE.match(line)
    if not match:
        continue
    time, call, thread = int(match[1]), match[2], int(match[3], 16)
    first, second = int(match[4], 16), int(match[5], 16)
    if call in CALLS:
        requested[thread, CALLS[call]] = first
    elif call == 'INTERNAL SUSPEND' and second in KINDS:
        waiting[first] = time, KINDS[second]
    elif call == 'INTERNAL RESUME' and first in waiting:
        start, kind = waiting.pop(first)
        if (first, kind) in requested:
            waits.setdefault((kind, requested[first, kind]), []).append(time - start)

text = subprocess.run([sys.argv[1], 'stats', '--by', 'object', '--format', 'jsonl', sys.argv[2]],
                      stdout=subprocess.PIPE, check=True).stdout
got = {}
for row in map(json.loads, text.splitlines()):
    if row['wait_count'] and row['object'] is not None:
        got[row['kind'], row['object']] = row['wait_count'], row['wait_sum_ticks'], row['wait_max_ticks']
wanted = {key: (len(list_), sum(list_), max(list_)) for key, list_ in waits.items()}
for key in sorted(set(got) | set(wanted)):
    if got.get(key) != wanted.get(key):
        print('%s: %s, not %s' % (key, got.get(key), wanted.get(key)))
print('%d objects, %d waits' % (len(wanted), sum(len(list_) for list_ in waits.values())))
sys.exit(0 if got == wanted and wanted else 1)
