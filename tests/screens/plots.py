# SPDX-License-Identifier: Apache-2.0
"""Draws a plot from CSV and compares it with the screen, cell by cell.

plots.py dots|bars SCREEN CSV LINES VALUES: SCREEN has the plot as `render` prints it; VALUES is the CSV
of single samples (end, length) for dots, or "" if the CSV of the plot has all that is drawn.
"""
import csv
import sys

GUTTER = 11


def plot_lines(screen, lines):
    rows = open(screen, encoding='utf-8').read().split('\n')
    axis = max(i for i, row in enumerate(rows) if len(row) > GUTTER and row[GUTTER - 1] in '└+')
    return [row[GUTTER:] for row in rows[axis - lines:axis]]


def eighths(value, most, height):
    if value == 0:
        return 0
    return max(1, min(height * 8, (2 * height * 8 * value // most + 1) // 2))


def bars(values, height, width):
    most = max(values)
    text = []
    for y in range(height):
        low = (height - 1 - y) * 8
        row = ''
        for value in values:
            level = eighths(value, most, height) - low
            row += ' ' if level <= 0 else ' ▁▂▃▄▅▆▇█'[min(level, 8)] * 1
        text.append(row)
    return text


def histogram(counts, height, room):
    width = room // len(counts)
    gap = 1 if width > 2 else 0
    narrow = bars(counts, height, 1)
    return [''.join(c * (width - gap) + ' ' * gap for c in row) for row in narrow]


def main():
    kind, screen, table, lines, room = sys.argv[1:6]
    lines, room = int(lines), int(room)
    shown = plot_lines(screen, lines)
    rows = list(csv.DictReader(open(table, encoding='utf-8')))
    if kind == 'rate':
        widths = [int(r['to_ns']) - int(r['from_ns']) for r in rows]
        values = [round(float(r['rate_hz']) * 1000) for r in rows]
        assert len(rows) == room, (len(rows), room)
        assert min(widths) > 0
        expected = bars(values, lines, 1)
    elif kind == 'histogram':
        expected = histogram([int(r['count']) for r in rows], lines, room)
    else:
        samples = [(int(r['end']), int(r['length'])) for r in csv.DictReader(open(sys.argv[6]))]
        edges = [int(r['from_ns']) for r in rows] + [int(rows[-1]['to_ns'])]
        low, high = int(sys.argv[7]), max(v for _, v in samples)
        bits = [[0] * room for _ in range(lines)]
        for end, value in samples:
            column = max(i for i in range(len(rows)) if edges[i] <= end)
            row = max(i for i in range(lines * 4) if low + (high - low) * i // (lines * 4) <= value)
            mask = [[0x40, 0x80], [0x04, 0x20], [0x02, 0x10], [0x01, 0x08]][row % 4][column % 2]
            bits[lines - 1 - row // 4][column // 2] |= mask
        expected = [''.join(chr(0x2800 + b) if b else ' ' for b in row) for row in bits]
    for y, (a, b) in enumerate(zip(shown, expected)):
        if a.rstrip() != b.rstrip():
            print('line %d: shown    %s' % (y, a.rstrip()))
            print('line %d: expected %s' % (y, b.rstrip()))


main()
