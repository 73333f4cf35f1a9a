# SPDX-License-Identifier: Apache-2.0
"""perf_data.py TRACE.DAT PERF.DATA [lose|packed|damaged|pipe|clock]: writes the events of a trace.dat (version 6, little-endian, 64 bits, without
compression) as perf record would: a sample each with the same bytes, the same descriptions of events, names of threads.
With `lose`, a tenth of the samples of CPU 0 are replaced by a record of their loss. With `packed`, all but the names of threads is
in compressed records, whose frame of zstd is divided anywhere, as perf record -z; `damaged`: so is that, and a byte in the middle
is wrong. With `clock` each tenth sample is followed by one of cpu-clock, which has an address, a counter and a call chain.
With `pipe` the attributes and descriptions are records, as perf record -o -.

From tools/perf/Documentation/perf.data-file-format.txt and include/uapi/linux/perf_event.h of Linux alone."""

import struct
import subprocess
import sys

SAMPLE_TYPE = 0x1 | 0x2 | 0x4 | 0x80 | 0x100 | 0x400 | 0x10000  # ip tid time cpu period raw identifier
CLOCK_TYPE = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x20 | 0x80 | 0x100 | 0x10000  # ip tid time addr read callchain cpu period identifier


def read_dat(data):
    """The bytes of the descriptions, and for each CPU the events (time, bytes) in order."""
    at = data.index(b'\0', 10) + 1 + 2 + 4

    def text():
        nonlocal at
        end = data.index(b'\0', at)
        at, start = end + 1, at
        return data[start:end]

    def number(form):
        nonlocal at
        value, = struct.unpack_from(form, data, at)
        at += struct.calcsize(form)
        return value

    def skip(form):
        nonlocal at
        size = number(form)
        at += size
    for _ in range(2):
        text()
        skip('<Q')
    for _ in range(number('<I')):
        skip('<Q')
    for _ in range(number('<I')):
        text()
        for _ in range(number('<I')):
            skip('<Q')
    skip('<I')
    skip('<I')
    begin = at
    skip('<Q')
    commands, descriptions = data[begin + 8:at], data[:at]
    cpus = number('<I')
    assert data[at:at + 7] == b'options'
    at += 10
    while (identifier := number('<H')) != 0:
        skip('<I')
    assert data[at:at + 9] == b'flyrecord', identifier
    at += 10
    return descriptions, commands, [list(events_of(data, *struct.unpack_from('<QQ', data, at + 16 * cpu))) for cpu in range(cpus)]


def events_of(data, offset, size):
    for page in range(offset, offset + size, 4096):
        time, commit = struct.unpack_from('<QQ', data, page)
        at, end = page + 16, page + 16 + (commit & 0x7ffffff)
        while at < end:
            word, = struct.unpack_from('<I', data, at)
            kind, delta = word & 31, word >> 5
            at += 4
            if kind in (30, 31):
                high, = struct.unpack_from('<I', data, at)
                time = (time if kind == 30 else 0) + (high << 27) + delta
                at += 4
                continue
            time += delta
            length = 4 * kind
            if kind == 0:
                length = struct.unpack_from('<I', data, at)[0] - 4
                at += 4
            yield time, data[at:at + length]
            at += length


def record(kind, body):
    body += b'\0' * (-len(body) % 8)
    return struct.pack('<IHH', kind, 0, 8 + len(body)) + body


def sample(cpu, time, raw):
    tid, = struct.unpack_from('<i', raw, 4)
    raw += b'\0' * (-(len(raw) + 4) % 8)
    return record(9, struct.pack('<QQIIQIIQI', 77 + cpu, 0xffffffff81000000, tid, tid, time, cpu, 0, 1, len(raw)) + raw)


def clock(cpu, time, tid):
    chain = (0xfffffffffffffe00, 0x1111, 0x2222)
    return record(9, struct.pack('<QQIIQQIIQ', 277 + cpu, 0x1111, tid, tid, time, 0xabc0, cpu, 0, 250000) +
                  struct.pack('<QQQ', 5, 7, 277 + cpu) + struct.pack(f'<Q{len(chain)}Q', len(chain), *chain))


def trailer(cpu, time, tid=0):
    return struct.pack('<IIQIIQ', tid, tid, time, cpu, 0, 77 + cpu)


def records_of(commands, cpus, form):
    out = []
    for line in commands.split(b'\n'):
        if b' ' in line.rstrip(b'\0'):
            tid, name = line.split(b' ', 1)
            name = name[:15] + b'\0'
            out.append(record(3, struct.pack('<II', int(tid), int(tid)) + name + b'\0' * (-len(name) % 8) + trailer(0, 0, int(tid))))
    # A buffer of each CPU after the other, as perf empties them.
    for start in range(0, max(map(len, cpus)), 100):
        for cpu, events in enumerate(cpus):
            part = events[start:start + 100]
            if form == 'lose' and cpu == 0 and start // 100 % 10 == 5:
                out.append(record(2, struct.pack('<QQ', 77, len(part)) + trailer(0, part[-1][0])) if part else b'')
                continue
            for i, (time, raw) in enumerate(part):
                out.append(sample(cpu, time, raw))
                if form == 'clock' and i % 10 == 0:
                    out.append(clock(cpu, time, struct.unpack_from('<i', raw, 4)[0]))
        out.append(record(68, b''))
    return b''.join(out)


def packed_of(records, damage):
    """The same records with all from the first sample on in compressed ones, of 1,001 bytes each."""
    at = 0
    while struct.unpack_from('<I', records, at)[0] != 9:
        at += struct.unpack_from('<H', records, at + 6)[0]
    frame = bytearray(subprocess.run(['zstd', '-c'], input=records[at:], stdout=subprocess.PIPE, check=True).stdout)
    if damage:
        frame[len(frame) // 2] ^= 0xff
    out = records[:at]
    for i in range(0, len(frame), 1001):
        part = bytes(frame[i:i + 1001])
        if i // 1001 % 2:  # the newer form, with the size of its data
            out += record(83, struct.pack('<Q', len(part)) + part)
        else:
            out += struct.pack('<IHH', 81, 0, 8 + len(part)) + part
    return out


def pipe_of(attr, ids, descriptions, records):
    tracing = descriptions[:10] + b'0.6\0' + descriptions[12:]
    tracing += b'\0' * (-len(tracing) % 8)
    texts = [(4, b'6.1.0-rt\0'), (6, b'x86_64\0')]
    return (b'PERFILE2' + struct.pack('<Q', 16) + record(64, attr + ids) +
            b''.join(record(80, struct.pack('<QI', feature, len(text)) + text) for feature, text in texts) +
            struct.pack('<IHHI', 66, 0, 12, len(tracing)) + tracing + records)


def main():
    with open(sys.argv[1], 'rb') as file:
        descriptions, commands, cpus = read_dat(file.read())
    form = sys.argv[3] if len(sys.argv) > 3 else ''
    records = records_of(commands, cpus, form)
    if form in ('packed', 'damaged'):
        records = packed_of(records, form == 'damaged')
    attr = struct.pack('<IIQQQQQ', 2, 128, 319, 1, SAMPLE_TYPE, 4, 1 << 18).ljust(128, b'\0')
    ids = struct.pack(f'<{len(cpus)}Q', *(77 + cpu for cpu in range(len(cpus))))
    if form == 'pipe':
        with open(sys.argv[2], 'wb') as file:
            file.write(pipe_of(attr, ids, descriptions, records))
        return
    attrs = [(attr, ids)]
    if form == 'clock':
        attrs.append((struct.pack('<IIQQQQQ', 1, 128, 0, 1, CLOCK_TYPE, 1 | 4, 1 << 18).ljust(128, b'\0'),
                      struct.pack(f'<{len(cpus)}Q', *(277 + cpu for cpu in range(len(cpus))))))
    at_attr = 104 + len(attrs) * len(ids)
    at_data = at_attr + len(attrs) * (len(attr) + 16)
    release, arch = b'6.1.0-rt\0', b'x86_64\0'
    tracing = descriptions[:10] + b'0.6\0' + descriptions[12:]
    sections = [tracing] + [struct.pack('<I', len(t)) + t for t in (release, arch)]
    names = struct.pack('<II', len(attrs), len(attr))
    for (one, own), name in zip(attrs, (b'sched:all\0', b'cpu-clock\0')):
        names += one + struct.pack('<II', len(cpus), len(name)) + name + own
    features = 1 << 1 | 1 << 4 | 1 << 6
    if form == 'clock':
        sections.append(names)
        features |= 1 << 12
    at = at_data + len(records) + 16 * len(sections)
    table, content = b'', b''
    for section in sections:
        table += struct.pack('<QQ', at + len(content), len(section))
        content += section
    header = b'PERFILE2' + struct.pack('<12Q', 104, 144, at_attr, 144 * len(attrs), at_data, len(records), 0, 0, features, 0, 0, 0)
    with open(sys.argv[2], 'wb') as file:
        file.write(header + b''.join(own for _, own in attrs))
        for i, (one, own) in enumerate(attrs):
            file.write(one + struct.pack('<QQ', 104 + i * len(own), len(own)))
        file.write(records + table + content)


main()
