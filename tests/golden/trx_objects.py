# SPDX-License-Identifier: Apache-2.0
"""Compares `stats --by object` and `dump --messages` of a ThreadX capture with TraceX's text of it.

    python3 trx_objects.py PROGRAM CAPTURE TEXT

A wait lasts from INTERNAL SUSPEND of a thread with the state of an object to its INTERNAL RESUME; the object
is the first argument of the thread's last call of that kind. The k-th send to a queue is the k-th message that is
received from it: by QUEUE RECEIVE, or, from an empty queue, as the send resumes the receiver. Exit status 1 if anything differs.
"""
import json, re, subprocess, sys

KINDS = {5: 'queue', 6: 'semaphore', 7: 'event flags', 8: 'block pool', 9: 'byte pool', 13: 'mutex'}
CALLS = {'QUEUE SEND': 'queue', 'QUEUE FRONT SEND': 'queue', 'QUEUE RECEIVE': 'queue', 'SEMAPHORE GET': 'semaphore',
         'EVENT FLAG GET': 'event flags', 'BLOCK ALLOCATE': 'block pool', 'BYTE ALLOCATE': 'byte pool', 'MUTEX GET': 'mutex'}
LINE = re.compile(r'^ +\d+ +(\d+) +TX ([A-Z ]+?) +\( *\d+\) +.*?\(([0-9A-F]{8})\).*I1: ([0-9A-F]+) +I2: ([0-9A-F]+) +I3: [0-9A-F]+ +I4: ([0-9A-F]+)')

requested, waiting, waits = {}, {}, {}
queues, pairs, sent = {}, [], None  # by queue: times of sends, None where the send is not in the capture
for line in open(sys.argv[3], encoding='latin-1'):
    match = LINE.match(line)
    if not match:
        continue
    time, call, thread = int(match[1]), match[2], int(match[3], 16)
    first, second = int(match[4], 16), int(match[5], 16)
    if call.startswith('QUEUE '):
        queue = queues.setdefault(first, [None] * int(match[6], 16))
        if call == 'QUEUE SEND':
            queue.append(time)
            sent = first
        elif call == 'QUEUE RECEIVE' and queue:
            pairs.append((queue.pop(0), time))
    elif call == 'INTERNAL RESUME' and sent and second == 5:
        pairs.append((queues[sent].pop(0), time))
    if not call.startswith('INTERNAL') and call != 'QUEUE SEND':
        sent = None
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
text = subprocess.run([sys.argv[1], 'dump', '--messages', '--format', 'jsonl', sys.argv[2]],
                      stdout=subprocess.PIPE, check=True).stdout
messages = [json.loads(line) for line in text.splitlines()]
taken = sorted((m['send_ticks'], m['receive_ticks']) for m in messages if m['end'] == 'taken')
pairs = sorted(pair for pair in pairs if pair[0] is not None)
for pair in sorted(set(pairs) ^ set(taken))[:12]:
    print('message %s: only %s' % (pair, 'here' if pair in taken else 'in the text'))
print('%d objects, %d waits, %d messages' % (len(wanted), sum(len(list_) for list_ in waits.values()), len(pairs)))
sys.exit(0 if got == wanted and wanted and pairs == taken else 1)
