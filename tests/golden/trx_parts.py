#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a ThreadX capture of one buffer as a system writes it that fills smaller buffers in turn.

usage: trx_parts.py CAPTURE DIRECTORY PARTS
Writes part0.trx, part1.trx, ... (whole buffers, at two addresses in turn), cat.trx (one after the other), append.trx (the
entries of the later ones without header and registry), padded.trx (zeros between buffers) and other.trx (the first part,
then a buffer of a system without a common object).
"""
import struct
import sys


def main():
    data = open(sys.argv[1], "rb").read()
    directory, parts = sys.argv[2], int(sys.argv[3])
    base, registry, _, registry_end, start, end, oldest = struct.unpack_from("<IIIIIII", data, 8)
    first, size = start - base, 32
    count = (end - start) // size
    entries = [data[first + i * size:first + (i + 1) * size] for i in range(count)]
    begin = (oldest - start) // size
    entries = [entry for entry in entries[begin:] + entries[:begin] if entry[:4] != b"\0\0\0\0"]
    each = -(-len(entries) // parts)
    written = []
    for number in range(parts):
        mine = entries[number * each:(number + 1) * each]
        turn = number % len(mine)  # where the ring is in memory: the oldest entry is anywhere
        ring = mine[len(mine) - turn:] + mine[:len(mine) - turn]
        shift = 0x100000 * (number % 2)
        head = bytearray(data[:first])
        struct.pack_into("<II", head, 8, base + shift, registry + shift)
        struct.pack_into("<IIII", head, 20, registry_end + shift, start + shift, start + shift + size * len(mine),
                         start + shift + size * turn)
        written.append((bytes(head), ring, mine))
    name = directory + "/"
    for number, (head, ring, _) in enumerate(written):
        open(f"{name}part{number}.trx", "wb").write(head + b"".join(ring))
    open(name + "cat.trx", "wb").write(b"".join(head + b"".join(ring) for head, ring, _ in written))
    open(name + "padded.trx", "wb").write(b"".join(head + b"".join(ring) + bytes(4096) for head, ring, _ in written))
    head, ring, _ = written[0]
    open(name + "append.trx", "wb").write(head + b"".join(ring) + b"".join(e for _, _, mine in written[1:] for e in mine))
    # The second buffer begins with the last entries of the first.
    again = written[0][2][-3:] + written[1][2]
    head = bytearray(written[1][0])
    struct.pack_into("<I", head, 28, struct.unpack_from("<I", head, 24)[0] + size * len(again))
    struct.pack_into("<I", head, 32, struct.unpack_from("<I", head, 24)[0])
    open(name + "again.trx", "wb").write(written[0][0] + b"".join(written[0][1]) + bytes(head) + b"".join(again))
    open(name + "twice.trx", "wb").write(written[0][0] + b"".join(written[0][1]) + written[1][0] + b"".join(written[1][1]))
    stranger = bytearray(written[1][0])
    for at in range(48, first):
        stranger[at] ^= 0x5a
    open(name + "other.trx", "wb").write(written[0][0] + b"".join(written[0][1]) + bytes(stranger) + b"".join(written[1][1]))


main()
