#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/filter/cases.txt: what each filter has to match, told by an oracle of its own.

    python3 tests/filter/make_cases.py build/tracetui >tests/filter/cases.txt

A case is a capture, a filter, and a Python expression over the objects of `dump --format jsonl` and
their line of text, which knows nothing of the filter language. Errors stand as they have
to read.
"""
import json
import re
import subprocess
import sys

TRACETUI = sys.argv[1]

def captured(path):
    lines = subprocess.run([TRACETUI, 'dump', path], capture_output=True, check=True).stdout
    rows = subprocess.run([TRACETUI, 'dump', '--format', 'jsonl', path], capture_output=True,
                          check=True).stdout
    lines = lines.decode().split('\n')[:-1]
    rows = [json.loads(row) for row in rows.decode().split('\n')[:-1]]
    assert len(lines) == len(rows)
    for row, line in zip(rows, lines):
        row['line'] = line
        row['shown'] = line.split()[0]
    add_states(rows)
    return rows


def states_of(rows):
    """What each QNX thread does over time, from its events alone: lists of [ticks, state].

    A thread that is displaced by another one is ready from then on. What is announced before the
    first kernel call held since before the capture.
    """
    lanes, on_cpu, announcing = {}, {}, True

    def enter(lane, ticks, state):
        spans = lanes.setdefault(lane, [])
        if spans and spans[-1][1] == 'announced':
            spans[-1][1] = state
        elif not spans or spans[-1][1] != state:
            spans.append([ticks, state])

    for o in rows:
        name, lane, ticks = o['event'], (o['pid'], o['tid']), int(o['ticks'])
        announcing = announcing and not o['class'].startswith('KER_')
        if name == 'PROCDESTROY':  # a lane ends with its process
            for ended in [known for known in lanes if known[0] == o['args']['pid']]:
                enter(ended, ticks, None)
        if o['class'] != 'THREAD':
            continue
        if name == 'THCREATE':
            enter(lane, -1 if announcing else ticks, 'announced' if announcing else None)
            continue
        state = {'THREADY': 'READY', 'THDESTROY': 'DEAD'}.get(name, name[2:])
        before = on_cpu.get(o['cpu'])
        for cpu in [cpu for cpu, running in on_cpu.items() if running == lane]:
            del on_cpu[cpu]
        if state == 'RUNNING':
            if before not in (None, lane):
                enter(before, ticks, 'READY')
            on_cpu[o['cpu']] = lane
        enter(lane, ticks, state)
    return lanes


def add_states(rows):
    lanes, end = states_of(rows), int(rows[-1]['ticks'])
    for o in rows:
        o['state'] = o['dur'] = None
        spans = lanes.get((o['pid'], o['tid']), [])
        ticks = int(o['ticks'])
        held = [i for i, (start, _) in enumerate(spans) if start <= ticks]
        if held:
            start, o['state'] = spans[held[-1]]
            until = spans[held[-1] + 1][0] if held[-1] + 1 < len(spans) else end
            if start == ticks and o['kind'] in ('state', 'switch', 'wakeup', 'lifetime'):
                o['dur'] = until - start


def fnv(rows):
    value = 0xcbf29ce484222325
    for row in rows:
        for byte in str(row).encode() + b' ':
            value = ((value ^ byte) * 0x100000001b3) % 2**64
    return value


def ranges(rows):
    parts = []
    for row in rows:
        if parts and parts[-1][1] == row - 1:
            parts[-1][1] = row
        else:
            parts.append([row, row])
    return ' '.join(f'{a}' if a == b else f'{a}-{b}' for a, b in parts), len(parts)


def told(rows):
    text, count = ranges(rows)
    if not rows:
        return 'none'
    return f'rows {text}' if count <= 12 else f'{len(rows)} rows, sum {fnv(rows):016x}'


CAPTURES = {}


def rows_of(capture, expression):
    if capture not in CAPTURES:
        CAPTURES[capture] = captured(capture)
    code = compile(expression, expression, 'eval')
    found = []
    for number, o in enumerate(CAPTURES[capture]):
        thread = o['thread'] or ''
        space = thread.find(' ')
        place = thread if space < 0 else thread[:space]
        names = {
            'o': o, 'line': o['line'], 'n': o['n'], 'cpu': o['cpu'], 'pid': o['pid'],
            'tid': o['tid'], 'thread': o['thread'], 'cls': o['class'], 'event': o['event'],
            'kind': o['kind'], 'args': o['args'], 'ticks': int(o['ticks']), 're': re,
            'offset': int(o['offset']), 'inferred': o['inferred'], 'derived': o['derived'],
            'shown': float(o['shown']), 'place': place if o['thread'] else None,
            'process': place.split('/')[0] if o['thread'] else None,
            'name': thread[space + 1:] if space >= 0 else None, 'number': number,
            'state': o['state'], 'dur': o['dur'],
            'last': float(CAPTURES[capture][-1]['shown']),
            'a': lambda key: o['args'].get(key),
            'rx': lambda pattern, flags=0: re.search(pattern, o['line'], flags) is not None,
        }
        if eval(code, names):  # pylint: disable=eval-used
            found.append(number)
    return found


def main():
    from cases_source import CASES  # pylint: disable=import-outside-toplevel
    print('# SPDX-License-Identifier: Apache-2.0')
    print('# Made by tests/filter/make_cases.py from cases_source.py; capture, filter, what it matches')
    print('# (rows from 0; a sum is FNV-1a over the rows in decimal, a blank behind each).')
    for capture, text, expected in CASES:
        if not expected.startswith('error '):
            expected = told(rows_of(capture, expected))
        print(f'{capture}\t{text}\t{expected}')


if __name__ == '__main__':
    main()
