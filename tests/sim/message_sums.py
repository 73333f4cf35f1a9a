# SPDX-License-Identifier: Apache-2.0
"""Identities of messages and of CPU time by client, in the whole of a capture and in random ranges.

    python3 message_sums.py PROGRAM RANGES CAPTURE...

- The parts of a service and of a queue time sum to it, and queue, service and back sum to the round.
- `charged` plus `unserved` of all threads equals their `self`, which equals the busy time of `stats --by cpu`.
- The rows of `--by matrix` for a client sum to its row of `--by imposed`.
- `charged` of a thread is not more than `imposed`, which is not more than `imposed_gross`.
"""
import json, random, subprocess, sys

PARTS = ('run', 'irq', 'ready', 'ipc', 'lock', 'sleep', 'wait', 'other')


def rows_of(program, *arguments):
    text = subprocess.run([program, *arguments, '--no-cache', '--format', 'jsonl'], stdout=subprocess.PIPE, check=True).stdout
    return [json.loads(line) for line in text.splitlines()]


def check_messages(messages, unit):
    for m in messages:
        value = {key: m[key + unit] for key in PARTS + ('queue', 'service', 'back', 'round')}
        if value['run'] is not None and sum(value[key] for key in PARTS) != value['service']:
            yield 'message %s: parts sum to %s, service is %s' % (m['id'], sum(value[key] for key in PARTS), value['service'])
        split = m['queue_busy' + unit], m['queue_sched' + unit]
        if None not in split and sum(split) != value['queue']:
            yield 'message %s: queue is %s + %s, not %s' % (m['id'], *split, value['queue'])
        steps = [value[key] for key in ('queue', 'service', 'back')]
        if None not in steps and value['round'] is not None and sum(steps) != value['round']:
            yield 'message %s: steps sum to %s, round is %s' % (m['id'], sum(steps), value['round'])


def check_times(program, capture, limits, unit):
    by_client = rows_of(program, 'stats', '--by', 'imposed', *limits, capture)
    cpus = rows_of(program, 'stats', '--by', 'cpu', *limits, capture)
    total = {key: sum(row[key + unit] for row in by_client) for key in ('self', 'charged', 'unserved')}
    busy = sum(row['busy' + unit] for row in cpus)
    # Each number is rounded down to a nanosecond.
    slack = 2 * len(by_client) + len(cpus) if unit == '_ns' else 0
    if abs(total['charged'] + total['unserved'] - total['self']) > slack:
        yield '%s: charged %s + unserved %s, self is %s' % (limits, total['charged'], total['unserved'], total['self'])
    if abs(total['self'] - busy) > slack:
        yield '%s: self %s, busy %s' % (limits, total['self'], busy)
    shares = {}
    for row in rows_of(program, 'stats', '--by', 'matrix', *limits, capture):
        sums = shares.setdefault((row['client_pid'], row['client_tid'], row['client']), [0, 0, 0, 0])
        for i, key in enumerate(('imposed', 'imposed_gross', 'charged')):
            sums[i] += row[key + unit]
        sums[3] += 1
    for row in by_client:
        mine = shares.get((row['pid'], row['tid'], row['thread']), [0, 0, 0, 0])
        for i, key in enumerate(('imposed', 'imposed_gross', 'charged')):
            if abs(mine[i] - row[key + unit]) > (mine[3] if unit == '_ns' else 0):
                yield '%s: %s of %s is %s, its servers sum to %s' % (limits, key, row['thread'], row[key + unit], mine[i])
    for row in by_client:
        if not row['charged' + unit] <= row['imposed' + unit] <= row['imposed_gross' + unit]:
            yield '%s: %s' % (limits, row)


def main():
    program, ranges, bad, count = sys.argv[1], int(sys.argv[2]), 0, 0
    random.seed(26)
    for capture in sys.argv[3:]:
        messages = rows_of(program, 'dump', '--messages', capture)
        whole = rows_of(program, 'stats', '--by', 'cpu', capture)
        if not whole:
            continue
        unit = '_ns' if 'busy_ns' in whole[0] else '_ticks'
        problems = list(check_messages(messages, unit)) + list(check_times(program, capture, [], unit))
        for _ in range(ranges):
            first, last = sorted(random.uniform(0, 100) for _ in 'ab')
            limits = ['--from', '%.3f%%' % first, '--to', '%.3f%%' % last]
            problems += check_times(program, capture, limits, unit)
        for problem in problems[:4]:
            print('%s: %s' % (capture, problem))
        bad += bool(problems)
        count += 1
    print('%d captures, %d differ' % (count, bad))
    return 1 if bad or not count else 0


if __name__ == '__main__':
    sys.exit(main())
