# SPDX-License-Identifier: Apache-2.0
"""Writes a little-endian .kev of 7.1 with other events of the hypervisor.

guests_broken.py HOW FROM TO. HOW: exits (every fourth GUEST_EXIT, and its CYCLES, is another event), cycles (more than have
passed), absent (GUEST_EXIT without clockcycles_offset), hostile (the largest offset), changes (the last offset differs),
rate (a clock of another rate)
"""
import struct
import sys

how, source, target = sys.argv[1:4]
data = bytearray(open(source, "rb").read())
if how == "rate":
    data = data.replace(b"CYCLES_PER_SEC::1000000000", b"CYCLES_PER_SEC::1000000007")
begin = data.index(b"TRACE_HEADER_END::") + len(b"TRACE_HEADER_END::")
begin += int(data[data.index(b"SYSPAGE_LEN::") + 13:].split(b"T", 1)[0])
EXIT, CYCLES, RAISE, LOWER = 10 << 10 | 1, 10 << 10 | 7, 10 << 10 | 3, 10 << 10 | 4
exits = [at for at in range(begin, len(data) - 15, 16) if struct.unpack_from("<I", data, at)[0] & 0x7fff == EXIT]
cycles = [at for at in range(begin, len(data) - 15, 16) if struct.unpack_from("<I", data, at)[0] & 0x7fff == CYCLES]


def become(at, code, simple):
    header = struct.unpack_from("<I", data, at)[0]
    struct.pack_into("<I", data, at, header & (0x3fffffff if simple else 0xffffffff) & ~0x7fff | code)


assert how == "rate" or len(exits) > 40 and len(exits) == 2 * len(cycles)  # four slots and two
if how == "exits":
    for run in range(0, len(exits) // 4, 4):
        for at in exits[4 * run:4 * run + 4]:
            become(at, RAISE, False)
        for at in cycles[2 * run:2 * run + 2]:
            become(at, LOWER, False)
elif how == "cycles":
    for at in cycles[1::2]:
        struct.pack_into("<Q", data, at + 8, 1 << 63)
elif how == "absent":
    for number, at in enumerate(exits):
        become(at, EXIT if number % 4 == 0 else RAISE, True)
elif how == "hostile":
    for at in exits[1::4]:
        struct.pack_into("<Q", data, at + 8, (1 << 64) - 1)
elif how == "changes":
    struct.pack_into("<Q", data, exits[-3] + 8, 12345)
open(target, "wb").write(data)
