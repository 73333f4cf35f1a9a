# SPDX-License-Identifier: Apache-2.0
"""Writes a small ELF file with symbols.

    elf.py FILE BITS ORDER KIND:NAME:ADDRESS:SIZE...     BITS 32 or 64, ORDER little or big

KIND is function, object, label, weak (a function), or local. One section of code covers the symbols, and one
segment begins at the first address.
"""

import struct
import sys

path, wide, order = sys.argv[1], sys.argv[2] == "64", "<" if sys.argv[3] == "little" else ">"
KINDS = {"function": 0x12, "object": 0x11, "label": 0x10, "weak": 0x22, "local": 0x02}
names, symbols, ends, starts = b"\0", [(0, 0, 0, 0, 0)], [], []
for word in sys.argv[4:]:
    kind, name, address, size = word.split(":")
    address, size = int(address, 0), int(size, 0)
    symbols.append((len(names), address, size, KINDS[kind], 1))
    names += name.encode().decode("unicode_escape").encode("latin-1") + b"\0"
    starts.append(address)
    ends.append(address + max(size, 16))


def pack(form, *values):
    return struct.pack(order + form, *values)


if wide:
    table = b"".join(pack("IBBHQQ", n, i, 0, s, a, z) for n, a, z, i, s in symbols)
    head, entry, segment_size, symbol_size, word = 64, 64, 56, 24, "Q"
else:
    table = b"".join(pack("IIIBBH", n, a, z, i, 0, s) for n, a, z, i, s in symbols)
    head, entry, segment_size, symbol_size, word = 52, 40, 32, 16, "I"
first = min(starts)
at_segment = head
at_names = at_segment + segment_size
at_table = (at_names + len(names) + 7) // 8 * 8
at_sections = at_table + len(table)
data = b"\177ELF" + bytes([2 if wide else 1, 1 if order == "<" else 2, 1]) + bytes(9)
data += pack("HHI" + 3 * word + "I6H", 2, 0, 1, first, at_segment, at_sections, 0, head, segment_size, 1, entry, 4, 0)
size = max(ends) - first
if wide:
    data += pack("II6Q", 1, 5, 0, first, first, size, size, 4096)
else:
    data += pack("8I", 1, 0, first, first, size, size, 5, 4096)
data += names
data += bytes(at_table - len(data)) + table


def section(kind, flags, address, offset, length, link, each):
    return pack("II4" + word + "II2" + word, 0, kind, flags, address, offset, length, link, 0, 8, each)


data += section(0, 0, 0, 0, 0, 0, 0)
data += section(1, 6, first, 0, size, 0, 0)
data += section(2, 0, 0, at_table, len(table), 3, symbol_size)
data += section(3, 0, 0, at_names, len(names), 0, 0)
with open(path, "wb") as file:
    file.write(data)
