# SPDX-License-Identifier: Apache-2.0
"""Cancels a transfer on a terminal: by Esc, by Ctrl-C and by a signal.

remote_cancel.py TRACETUI FILE: writes a remote shell to FILE that answers and then sends nothing more. The
program has to end, the terminal has to be as before, and the remote shell has to end. Prints what is wrong.
"""

import os
import pty
import signal
import sys
import termios
import time

program, shell = sys.argv[1:]
with open(shell, "w") as out:
    out.write(f"#!/bin/sh\necho $$ >'{shell}.pid'\necho tracetui-remote-1 plain 1 5000000\n")
    out.write("head -c 1000000 /dev/zero\nexec sleep 1000\n")
os.chmod(shell, 0o755)

CASES = [
    # name, keys or signal, exit status
    ("Esc", b"\x1b", 2),
    ("other keys, then Esc", b"abc\x1b[A\x1b", 2),
    ("Ctrl-C", b"\x03", -signal.SIGINT),
    ("SIGTERM", signal.SIGTERM, -signal.SIGTERM),
]


def gone(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


for name, keys, expected in CASES:
    child, terminal = pty.fork()
    if child == 0:
        os.execv(program, [program, "stats", "--remote-shell", shell, "far:/x"])
    before = termios.tcgetattr(terminal)
    seen = b""
    while b"(Esc cancels)" not in seen:
        seen += os.read(terminal, 4096)
    if b"far: 1.0 MB of 5.0 MB" not in seen:
        print(f"{name}: progress: {seen!r}")
    if isinstance(keys, bytes):
        os.write(terminal, keys)
    else:
        os.kill(child, keys)
    try:
        while more := os.read(terminal, 4096):
            seen += more
            if b"cancelled" in seen or not isinstance(keys, bytes):
                break
    except OSError:
        pass
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code != expected:
        print(f"{name}: exit status {code}, expected {expected}: {seen[-200:]!r}")
    try:
        if termios.tcgetattr(terminal)[3] != before[3]:
            print(f"{name}: the terminal is not as before")
    except termios.error:
        pass
    os.close(terminal)
    with open(shell + ".pid") as file:
        pid = int(file.read())
    end = time.monotonic() + 60
    while not gone(pid):
        if time.monotonic() > end:
            print(f"{name}: the remote shell still runs")
            os.kill(pid, signal.SIGKILL)
            break
        time.sleep(0.02)
