# SPDX-License-Identifier: Apache-2.0
"""Types rules at the prompt of `check --explain` on a terminal.

check_ask.py TRACETUI: each step types keys and reads until the expected text has come; the answer may take
as long as it needs. Prints the step that fails.
"""

import os
import pty
import sys

STEPS = [
    # keys, what the terminal then shows
    ("", "rule> "),
    ("del\t", "delay "),
    ("p9\t\t", "p95  p99"),
    ("9 o\tthr\tsens\t1", "rule> delay p99 of thread sensor/1"),
    (" < 1ms\r", "samples/demo.kev: 1 value: 1.524 µs, sensor/1 sample"),
    ("never {event = MSG_SEN\t\t", "MSG_SENDV"),
    ("\x15\x0b", "rule> \x1b[K"),
    ("dely max of thread sensor/1 < 1ms\r", "      ^ no measure 'dely' of thread; did you mean 'delay'?"),
    ("\x1b[A\x01\x06\x06\x06a\r", "  column delay_max of stats --by thread"),
    ("lost = 1\x7f0\x1b[D\x1b[D\x1b[C\x1b[H\x1b[F\x02\x1b[3~0\r", "  health of info: lost"),
    ("never {event = THREDY} x y\x17\x17\r", "the capture has no event 'THREDY'; did you mean 'THREADY'?"),
    ("{state = NONE} then {cpu = 0} within 1s\r", "no state 'NONE'"),
    ("\x1b[A\x1b[A\x1b[B\x1b[B\x1b[99zset\t", "rule> set "),
    ("\x03", "\n"),
]
program = sys.argv[1]
child, terminal = pty.fork()
if child == 0:
    os.execv(program, [program, "check", "--explain", "samples/demo.kev"])
seen = b""
for keys, expected in STEPS:
    os.write(terminal, keys.encode())
    while expected.encode() not in seen:
        try:
            more = os.read(terminal, 4096)
        except OSError:
            more = b""
        if not more:
            print(f"{keys!r}: expected {expected!r}, got {seen[-400:]!r}")
            sys.exit(1)
        seen += more
    seen = b""
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
print(f"{len(STEPS)} steps, exit status {code}")
sys.exit(code)
