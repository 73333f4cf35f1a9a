# SPDX-License-Identifier: Apache-2.0
"""Measures `tracetui diff` on runs of the simulator.

    python3 tests/sim/diff.py TRACETUI TTSIM DIRECTORY equal|load|delay COUNT

equal  pairs of seeds of one scenario: nothing changed. The share of rows called changed, over all pairs
       and tables, is at most alpha, and so is, up to chance, the share of tables with such a row.
load   one thread with 20 % more to do, which delays no other thread: that thread is called changed, and
       in at least 95 of 100 seeds no other.
delay  the same for a thread that delays another one: both are called changed, and no other.
"""
import json
import math
import os
import subprocess
import sys

ALPHA = 0.01
TABLES = ['thread', 'process', 'cpu', 'message', 'event', 'job', 'pair', 'object', 'interrupt', 'total']
program, simulator, directory, mode, count = *sys.argv[1:5], int(sys.argv[5])


def simulate(name, *options):
    path = os.path.join(directory, name + '.kev')
    subprocess.run([simulator, '-o', path, *options], check=True)
    return path


def diff(a, b, *options):
    """Returns the lines of a comparison."""
    out = subprocess.run([program, 'diff', '--no-cache', '--format', 'jsonl', *options, a, b],
                         capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in out.splitlines()]


def changed(lines):
    return {line['key'] for line in lines if line['verdict'] in ('worse', 'better', 'changed')}


def most_by_chance(tries, share):
    """The smallest number that chance exceeds in less than 1 of 1000 cases."""
    tail, k, term = 1.0, 0, (1 - share) ** tries
    while tail - term > 0.001:
        tail -= term
        term *= (tries - k) / (k + 1) * share / (1 - share)
        k += 1
    return k


def equal():
    rows = called = tables = false = 0
    lists = {}
    for seed in range(1, count + 1):
        run = ['--scenario', 'mixed', '--seconds', '0.5']
        a = simulate('a', *run, '--seed', str(2 * seed))
        b = simulate('b', *run, '--seed', str(2 * seed + 1))
        for table in TABLES:
            lines = diff(a, b, '--by', table, '--all')
            keys = {line['key'] for line in lines if line['verdict'] not in ('new', 'gone')}
            found = changed(lines)
            rows += len(keys)
            called += len(found)
            tables += 1
            false += bool(found)
            for key in found:
                lists.setdefault((table, key), []).append(seed)
    for (table, key), seeds in sorted(lists.items()):
        print('# %s %s: pairs %s' % (table, key, seeds))
    share = called / rows
    print('%d pairs: %d of %d rows called changed (%.4f), in %d of %d tables' % (count, called, rows, share, false, tables))
    return share <= ALPHA and false <= most_by_chance(tables, ALPHA)


def scaled(scenario, seconds, thread, delayed):
    """One thread has 20 % more to do in B; the other seed of B has no influence."""
    wanted = {thread, *delayed}
    missed = wrong = 0
    for seed in range(1, count + 1):
        run = ['--scenario', scenario, '--seconds', seconds]
        a = simulate('a', *run, '--seed', str(2 * seed))
        b = simulate('b', *run, '--seed', str(2 * seed + 1), '--thread-load', thread + '=120')
        # sensor/1 sample -> sensor/sample
        found = {key.split('/')[0] + '/' + key.split(' ')[-1] for key in changed(diff(a, b))}
        missed += not wanted <= found
        wrong += not found <= wanted
        if found != wanted:
            print('# seed %d: %s' % (seed, sorted(found)))
    print('%d seeds: %s missed in %d, others called changed in %d' % (count, ' and '.join(sorted(wanted)), missed, wrong))
    return missed == 0 and wrong <= most_by_chance(count, 0.01) and wrong <= max(0.05 * count, 1)


print_ok = {'equal': equal,
            'load': lambda: scaled('mixed', '1', 'sensor/sample', []),
            'delay': lambda: scaled('periodic', '2', 'rt/drum', ['rt/beat'])}[mode]()
sys.exit(not print_ok)
