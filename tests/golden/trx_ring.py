# SPDX-License-Identifier: Apache-2.0
"""Writes a small ThreadX ring to standard output: trx_ring.py KIND COUNT

    zero     all stamps are 0
    tick     a timer that counts with the system's tick: ten entries each
    apart    two cores whose timers count down, one 65,536 ticks behind the other; an entry every 500 ticks
    drift    the same, and the second core's timer is slower
    names    events of USBX
    again    on core 0 of two, A suspends itself, is resumed by core 1, and has the next entry of core 0
"""
import struct
import sys

BASE, SIZE, MASK = 0x20000000, 32, 0xffffffff
A, B, C, D = (BASE + 0x1000 + 0x100 * i for i in range(4))
RESUME, SUSPEND, CLASS_REGISTER, CONNECT = 1, 2, 851, 856
kind, count = sys.argv[1], int(sys.argv[2])


def entry(context, core, event, stamp, *info):
    return struct.pack("<8I", context, 0x50005, core << 24 | event, stamp & MASK, *info)


def alternating():
    """Two threads of each core take turns."""
    for i in range(count):
        core, turn = i % 2, i // 2 % 2
        own, other = ((A, B), (C, D))[core] if turn == 0 else ((B, A), (D, C))[core]
        yield own, core, SUSPEND, i * 500, own, 4, 0, other


def entries():
    if kind in ("zero", "tick"):
        for i in range(count):
            own, other = ((A, B), (B, A))[i % 2]
            yield own, 0, SUSPEND, i // 10 if kind == "tick" else 0, own, 4, 0, other
    elif kind in ("apart", "drift"):
        for own, core, event, at, *info in alternating():
            rate = at * 3 // 4 if kind == "drift" and core == 1 else at
            yield own, core, event, 0x90000000 - 65536 * core - rate, *info
    elif kind == "names":
        for i in range(count):
            yield A, 0, (CONNECT, CLASS_REGISTER)[i % 2], i * 10, 1, 2, 3, 4
    else:
        for i in range(count):
            yield A, 0, SUSPEND, 100 * i, A, 5, 0, 0
            yield B, 1, RESUME, 100 * i + 60, A, 5, 0, B


body = b"".join(entry(*e) for e in entries())
start = BASE + 48  # no registry
sys.stdout.buffer.write(struct.pack("<4I2H7I", 0x54585442, MASK, BASE, start, 0, SIZE, start, start, start + len(body),
                                    start, 0xaaaaaaaa, 0xbbbbbbbb, 0xcccccccc))
sys.stdout.buffer.write(body)
