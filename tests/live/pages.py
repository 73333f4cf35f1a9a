# SPDX-License-Identifier: Apache-2.0
"""Divides a trace.dat of version 6 into what trace-cmd has while it records, and makes pages grow.

    pages.py divide FILE FOLDER    writes FOLDER/part.dat (all before the events), FOLDER/trace.dat.cpu0 ..., and
                                   FOLDER/tracing, the directory of the kernel that part.dat was made of
    pages.py grow FROM TO SEED     appends the files trace.dat.cpuN of FROM to those of TO, in pieces of random sizes
"""
import os
import random
import struct
import sys


class Reader:
    def __init__(self, data, at):
        self.data, self.at = data, at

    def number(self, form):
        value, = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize(form)
        return value

    def text(self):
        end = self.data.index(b"\0", self.at)
        text, self.at = self.data[self.at:end].decode(), end + 1
        return text

    def block(self, form="Q"):
        size = self.number(form)
        self.at += size
        return self.data[self.at - size:self.at]


def save(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def divide(path, folder):
    data = open(path, "rb").read()
    reader = Reader(data, 12 + 1 + 1 + 4)
    tracing = os.path.join(folder, "tracing")
    for _ in range(2):
        name = reader.text()
        save(f"{tracing}/events/{name}", reader.block())

    def formats(system):
        for _ in range(reader.number("I")):
            text = reader.block()
            name = text.split(b"\n")[0].split(b": ")[1].decode()
            save(f"{tracing}/events/{system}/{name}/format", text)

    formats("ftrace")
    for _ in range(reader.number("I")):
        formats(reader.text())
    reader.block("I")  # kallsyms
    save(f"{tracing}/printk_formats", reader.block("I"))
    save(f"{tracing}/saved_cmdlines", reader.block())
    cpus = reader.number("I")
    save(f"{tracing}/trace_clock", b"local global counter uptime perf [mono]\n")
    begin = data.index(b"flyrecord\0", reader.at)
    save(f"{folder}/part.dat", data[:begin])
    for cpu in range(cpus):
        offset, size = struct.unpack_from("<QQ", data, begin + 10 + 16 * cpu)
        save(f"{folder}/trace.dat.cpu{cpu}", data[offset:offset + size])


def grow(source, target, seed):
    chance = random.Random(seed)
    names = sorted(name for name in os.listdir(source) if ".cpu" in name)
    rest = {name: open(os.path.join(source, name), "rb").read() for name in names}
    while rest:
        name = chance.choice(sorted(rest))
        size = chance.choice((1, 100, 4096, 5000, 40960))
        with open(os.path.join(target, name), "ab") as file:
            file.write(rest[name][:size])
        rest[name] = rest[name][size:]
        if not rest[name]:
            del rest[name]


if sys.argv[1] == "divide":
    divide(*sys.argv[2:])
else:
    grow(sys.argv[2], sys.argv[3], int(sys.argv[4]))
