# SPDX-License-Identifier: Apache-2.0
"""A second implementation of run queues and imbalance, from the simulator's truth alone.

    python3 queues.py PROGRAM CAPTURE [TRUTH]

Compares `PROGRAM stats --by queue` with the truth, to the tick: between two changes of any state, CPU or interrupt
all is constant, so each queue is counted anew there. The clock of the capture must be 1 GHz.
"""
import json, subprocess, sys


class Truth:
    def __init__(self, path):
        self.lanes, self.idle, self.irqs = {}, set(), {}
        for line in map(json.loads, open(path)):
            kind = line['t']
            lane = tuple(line.get(key, 0) for key in ('pid', 'tid', 'instance', 'life'))
            if kind == 'interval':
                self.lanes.setdefault(lane, []).append(line)
            elif kind == 'sum_thread' and line['idle']:
                self.idle.add(lane)
            elif kind == 'interrupt' and line['depth'] == 0:
                self.irqs.setdefault(line['cpu'], []).append((line['start'], line['end']))
            elif kind == 'sum_run':
                self.start, self.end = line['start'], line['end']
            elif kind == 'sum_cpu':
                self.cpus = line['cpu'] + 1


def pieces(truth):
    """Yields (begin, end, ready by queue, idle CPUs): a ready thread is the set of CPUs on which it runs."""
    edges = []
    for lane, intervals in truth.lanes.items():
        allowed = frozenset(line['cpu'] for line in intervals if line['class'] == 'running')
        last = None
        for line in sorted(intervals, key=lambda line: line['start']):
            begin, end = max(line['start'], truth.start), min(line['end'], truth.end + 1)
            if line['class'] == 'running':
                last = line['cpu']
                if lane in truth.idle:
                    edges += [(begin, 'idle', last, 1), (end, 'idle', last, -1)]
            elif line['class'] == 'ready' and begin < end and lane not in truth.idle:
                edges += [(begin, 'ready', (last, allowed), 1), (end, 'ready', (last, allowed), -1)]
    for cpu, interrupts in truth.irqs.items():
        for begin, end in interrupts:
            edges += [(begin, 'irq', cpu, 1), (end, 'irq', cpu, -1)]
    counts = {'idle': {}, 'irq': {}, 'ready': {}}
    edges.sort(key=lambda edge: edge[0])
    for i, (time, kind, what, change) in enumerate(edges):
        counts[kind][what] = counts[kind].get(what, 0) + change
        after = edges[i + 1][0] if i + 1 < len(edges) else truth.end + 1
        if after > time:
            idle = {cpu for cpu, count in counts['idle'].items() if count > 0 and counts['irq'].get(cpu, 0) == 0}
            yield time, after, {what: count for what, count in counts['ready'].items() if count > 0}, idle


def expected(truth):
    sums = {}
    for begin, end, ready, idle in pieces(truth):
        now = {queue: [0, False] for queue in ['all', *sums]}
        for (cpu, allowed), count in ready.items():
            queue = 'no CPU yet' if cpu is None else f'CPU {cpu}'
            lost = any(other != cpu and other in idle for other in allowed)
            for name in (queue, 'all'):
                state = now.setdefault(name, [0, False])
                state[0] += count
                state[1] |= lost
        for name, (count, lost) in now.items():
            sum_ = sums.setdefault(name, {'ready': 0, 'waiting': 0, 'max': 0, 'at': None, 'imbalance': 0, 'longest': 0, 'since': None})
            sum_['ready'] += count * (end - begin)
            sum_['waiting'] += (end - begin) * (count > 0)
            if count > sum_['max']:
                sum_['max'], sum_['at'] = count, begin
            sum_['since'] = None if not lost else begin if sum_['since'] is None else sum_['since']
            if lost:
                sum_['imbalance'] += end - begin
                sum_['longest'] = max(sum_['longest'], end - sum_['since'])
    return sums


def main():
    program, capture = sys.argv[1:3]
    truth = Truth(sys.argv[3] if len(sys.argv) > 3 else capture + '.truth.jsonl')
    output = subprocess.run([program, 'stats', '--by', 'queue', '--format', 'jsonl', capture], capture_output=True, text=True)
    found = {row['queue']: row for row in map(json.loads, output.stdout.splitlines())}
    wanted, bad = expected(truth), 0
    keys = {'ready_sum_ns': 'ready', 'waiting_ns': 'waiting', 'ready_max': 'max', 'imbalance_ns': 'imbalance', 'imbalance_max_ns': 'longest'}
    for name in sorted(set(found) | set(wanted)):
        none = dict.fromkeys(keys.values(), 0)
        for key, of in keys.items():
            has, wants = found.get(name, {}).get(key) or 0, wanted.get(name, none)[of]
            if has != wants:
                bad += 1
                print(f'{capture}: {name} {key} {has}, expected {wants}')
    if not found or 'all' not in wanted:
        bad += 1
        print(f'{capture}: no rows')
    print(f'# {len(found)} queues, {wanted.get("all")}')
    sys.exit(bad > 0)


main()
