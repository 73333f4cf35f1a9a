# SPDX-License-Identifier: Apache-2.0
"""A second implementation of the waits for locks and other objects, from the simulator's truth alone.

    python3 objects.py PROGRAM CAPTURE [TRUTH]

Compares `PROGRAM stats --by object` with the truth, to the tick. The sums of all objects of a process and
kind equal those of the states, whatever objects the capture names. In QNX captures without losses, each mutex and
semaphore has its waits, and each mutex its holds: the times in which a thread had it while others
waited, from the `blocked_on` lines. The clock of the capture must be 1 GHz: a tick is a nanosecond then.
"""
import json, subprocess, sys

KINDS = {'MUTEX': 'mutex', 'CONDVAR': 'condvar', 'SEM': 'semaphore', 'RWLOCK_READ': 'rwlock', 'RWLOCK_WRITE': 'rwlock',
         'BARRIER': 'barrier', 'MQ_SEND': 'queue', 'MQ_RECEIVE': 'queue'}
SHOWN = 12  # differences printed


class Truth:
    def __init__(self, path):
        self.waits, self.holders = [], []
        self.whole, self.of_process, self.mask = True, True, 0xffffffffffffffff
        wakes = {}
        for line in map(json.loads, open(path)):
            kind = line['t']
            if kind == 'run':
                self.whole = 'overwritten' not in line
                self.of_process = line['format'] == 'kev'
                if line.get('kernel', '').startswith('6'):
                    self.mask = 0xffffffff  # addresses are words
            elif kind == 'wake':
                wakes[line['pid'], line['tid'], line['at']] = line
            elif kind == 'interval' and line['state'] in KINDS:
                self.waits.append(line)
            elif kind == 'blocked_on' and line['on'] == 'holder':
                self.holders.append(line)
            elif kind in ('loss', 'lost_end'):
                self.whole = False
        for wait in self.waits:
            wait['wake'] = wakes.get((wait['pid'], wait['tid'], wait['end']), {})


def sums(lengths):
    return len(lengths), sum(lengths), max(lengths, default=0)


def states(truth):
    """Lengths of the waits with both ends, by process and kind."""
    found = {}
    for wait in truth.waits:
        if 'start_unknown' not in wait and 'end_unknown' not in wait:
            pid = wait['pid'] if truth.of_process else 0
            found.setdefault((pid, KINDS[wait['state']]), []).append(wait['end'] - wait['start'])
    return found


def objects(truth):
    """The same by process, kind and address; only a wake for the object shows which one it was."""
    found = {}
    for wait in truth.waits:
        if wait['state'] in ('MUTEX', 'SEM') and 'start_unknown' not in wait and 'end_unknown' not in wait:
            if wait['wake'].get('kind') in ('unlock', 'post'):
                key = wait['pid'], KINDS[wait['state']], wait['wake']['object'] & truth.mask
                found.setdefault(key, []).append(wait['end'] - wait['start'])
    return found


def holds(truth):
    """By process and address of the mutex: (begin, end, holder) while somebody waited."""
    parts, found = {}, {}
    for line in truth.holders:
        key = line['pid'], line['object'] & truth.mask
        parts.setdefault(key, []).append((line['start'], line['end'], (line['by_pid'], line['by_tid']), 'end_unknown' in line))
    for key, list_ in parts.items():
        merged = []
        for start, end, holder, open_ in sorted(list_):
            last = merged[-1] if merged else None
            if last and last[2] == holder and start < last[1]:
                last[1], last[3] = max(last[1], end), last[3] or open_
            else:
                merged.append([start, end, holder, open_])
        found[key] = [hold for hold in merged if not hold[3]]
    return found


def main():
    program, capture = sys.argv[1:3]
    truth = Truth(sys.argv[3] if len(sys.argv) > 3 else capture + '.truth.jsonl')
    text = subprocess.run([program, 'stats', '--by', 'object', '--no-cache', '--format', 'jsonl', capture],
                          stdout=subprocess.PIPE, check=True).stdout
    rows = [json.loads(line) for line in text.splitlines()]
    unit = '_ns' if rows and 'wait_sum_ns' in rows[0] else '_ticks'
    problems, by_state, by_object, wanted = [], {}, {}, states(truth)
    for row in rows:
        key = row['pid'] or 0, row['kind'].replace('fast mutex', 'mutex')  # the kernel has one kind
        count, total, longest = by_state.get(key, (0, 0, 0))
        by_state[key] = (count + row['wait_count'], total + (row['wait_sum' + unit] or 0), max(longest, row['wait_max' + unit] or 0))
        by_object[key + (row['object'],)] = row
    for key in sorted(set(wanted) | {k for k, v in by_state.items() if v[0]}):
        if sums(wanted.get(key, [])) != by_state.get(key, (0, 0, 0)):
            problems.append('%s: %s, not %s' % (key, by_state.get(key), sums(wanted.get(key, []))))
    if truth.whole and truth.of_process:
        for key, lengths in objects(truth).items():
            row = by_object.get(key)
            got = (row['wait_count'], row['wait_sum_ns'], row['wait_max_ns']) if row else None
            if got != sums(lengths):
                problems.append('%s: waits %s, not %s' % (key, got, sums(lengths)))
        for (pid, address), list_ in holds(truth).items():
            row = by_object.get((pid, 'mutex', address))
            lengths = [end - start for start, end, _, _ in list_]
            got = (row['holds'], row['hold_sum_ns'] or 0, row['hold_max_ns'] or 0) if row else sums([])
            if got != sums(lengths):
                problems.append('%s: holds %s, not %s' % ((pid, address), got, sums(lengths)))
            elif lengths and (row['holder_pid'], row['holder_tid']) not in [h[2] for h in list_ if h[1] - h[0] == max(lengths)]:
                problems.append('%s: longest holder %s' % ((pid, address), (row['holder_pid'], row['holder_tid'])))
    for problem in problems[:SHOWN]:
        print(problem)
    print('%d objects, %d waits, %d differ' % (len(rows), sum(r['wait_count'] for r in rows), len(problems)))
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main())
