# SPDX-License-Identifier: Apache-2.0
"""A second implementation of system and user time, from the simulator's truth and the kernel entries of the capture.

    python3 modes.py PROGRAM CAPTURE [TRUTH]

Compares `PROGRAM stats --by mode` with it, to the tick. The runs and interrupts are those of the truth; entries and
exits are the events that `dump` prints. The capture has no losses, and its clock is 1 GHz.
"""
import json, subprocess, sys


def overlap(parts, begin, end):
    return sum(max(0, min(end, to) - max(begin, start)) for start, to in parts)


def main():
    program, capture = sys.argv[1:3]
    truth = sys.argv[3] if len(sys.argv) > 3 else capture + '.truth.jsonl'
    runs, irqs, lanes, idle, end = {}, {}, {}, set(), 0
    for line in map(json.loads, open(truth)):
        lane = line.get('pid'), line.get('tid')
        if line['t'] == 'interval' and line['class'] == 'running':
            runs.setdefault(lane, []).append((line['start'], line['end'], line['cpu']))
        elif line['t'] == 'interrupt' and line['depth'] == 0:
            irqs.setdefault(line['cpu'], []).append((line['start'], line['end']))
        elif line['t'] == 'sum_thread':
            lanes[lane] = lanes.get(lane, 0) + 1
            if line['idle']:
                idle.add(lane)
        elif line['t'] == 'sum_run':
            begin, end = line['start'], line['end'] + 1

    def ran(lane, start, to):
        time = 0
        for first, last, cpu in runs.get(lane, []):
            first, last = max(first, start), min(last, to)
            if first < last:
                time += last - first - overlap(irqs.get(cpu, []), first, last)
        return time

    edges = {}
    dump = subprocess.run([program, 'dump', '--format', 'jsonl', capture], capture_output=True, text=True)
    for event in map(json.loads, dump.stdout.splitlines()):
        if event.get('kind') in ('enter', 'exit', 'interrupted') and event.get('tid') is not None:
            edges.setdefault((event['pid'], event['tid']), []).append((event['ticks'], event['kind'] == 'enter'))
    output = subprocess.run([program, 'stats', '--by', 'mode', '--format', 'jsonl', capture], capture_output=True, text=True)
    rows = {(row['pid'], row['tid']): row for row in map(json.loads, output.stdout.splitlines())}
    bad = compared = 0
    for lane, count in lanes.items():
        if lane in idle or count > 1:
            continue
        own, sums, last = edges.get(lane, []), {'user': 0, 'system': 0}, (begin, None)
        for at, enters in own + ([(end, not own[-1][1])] if own else []):
            if last[1] is None or last[1] != enters:
                sums['user' if enters else 'system'] += ran(lane, last[0], at)
            last = at, enters
        run = ran(lane, begin, end)
        if lane not in rows and run == 0 and not own:
            continue
        row = rows.get(lane, {})
        compared += 1
        wanted = {'run_ns': run, 'user_ns': sums['user'], 'system_ns': sums['system'],
                  'unknown_ns': run - sums['user'] - sums['system'], 'calls': sum(enters for _, enters in own)}
        for key, value in wanted.items():
            if row.get(key) != value:
                bad += 1
                print(f'{capture}: {lane} {key} {row.get(key)}, expected {value}')
    print(f'# {compared} threads, {sum(map(len, edges.values()))} entries and exits')
    sys.exit(bad > 0 or compared < 3)


main()
