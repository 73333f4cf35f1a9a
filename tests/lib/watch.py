#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command and ends what hangs in it:

    watch.py CPU-SECONDS IDLE-SECONDS PERCENT REPORT COMMAND...

A process that uses more than CPU-SECONDS of processor time is ended by the kernel (RLIMIT_CPU; 0: no
limit). If the processes below the command stay the same for IDLE-SECONDS, sleep and use at most PERCENT of
one processor, they are ended, or the command itself if there are none, and a line is added to the file
REPORT. Processes that leave their parent, such as a terminal's server, are below the command too. A process
that waits for a processor or a disk is not idle: neither limit depends on the load of the machine. Only
Linux has the second limit.

The exit status is the command's; 128 + signal if it was ended.
"""
import ctypes
import os
import resource
import signal
import subprocess
import sys
import time

SAMPLE_SECONDS = 0.5
TICKS = os.sysconf("SC_CLK_TCK")


def children(pid):
    """The process's children, of all its threads."""
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as f:
                found += [int(word) for word in f.read().split()]
    except OSError:
        pass
    return found


def descendants(pid):
    found, todo = [], children(pid)
    while todo:
        found.append(todo.pop())
        todo += children(found[-1])
    return found


def activity(pid):
    """(processor time in ticks, with that of ended children; whether a thread runs or would)."""
    ticks, awake = 0, False
    try:
        with open(f"/proc/{pid}/stat") as f:
            fields = f.read().rpartition(")")[2].split()
        ticks = sum(int(field) for field in fields[11:15])
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/stat") as f:
                awake |= f.read().rpartition(")")[2].split()[0] in "RD"
    except OSError:
        awake = True  # it has just ended
    return ticks, awake


class Idle:
    """Counts for how long a set of processes is idle."""

    def __init__(self, seconds, percent):
        self.wanted, self.share = seconds / SAMPLE_SECONDS, percent / 100
        self.reset(None, 0)

    def reset(self, pids, ticks):
        self.pids, self.first_ticks, self.samples, self.awake = pids, ticks, 0, 0

    def is_busy(self, ticks):
        """Whether they use more than the share, or are awake in four times as many samples: a process
        that looks for something every millisecond is awake more often than its processor time shows."""
        spare = self.wanted * self.share
        used = (ticks - self.first_ticks) / TICKS / SAMPLE_SECONDS
        return used > spare or self.awake > 4 * spare

    def sample(self, pids):
        """Returns whether they have been idle for long enough."""
        seen = [activity(pid) for pid in pids]
        ticks = sum(one[0] for one in seen)
        if pids == self.pids:
            self.samples += 1
            self.awake += any(one[1] for one in seen)
        if pids != self.pids or self.is_busy(ticks):
            self.reset(pids, ticks)
        return self.samples >= self.wanted


def end(command, pids, report):
    """Ends the processes below the command, or the command if there are none."""
    names = []
    for pid in [pid for pid in pids if pid != command] or [command]:
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                names.append(f.read().replace(b"\0", b" ").decode(errors="replace").strip()[:100])
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass
    with open(report, "a") as f:
        f.write("; ".join(names) + "\n")


def adopt():
    """Makes this process the parent of those whose parent ends; false where that is not possible."""
    set_child_subreaper = 36
    if not os.path.exists(f"/proc/self/task/{os.getpid()}/children"):
        return False
    return ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0) == 0


def status_of(command):
    """Waits for all processes that have ended; the exit status of the command if it is one of them."""
    status = None
    while True:
        try:
            pid, how = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return status
        if pid == 0:
            return status
        if pid == command:
            code = os.waitstatus_to_exitcode(how)
            status = 128 - code if code < 0 else code


def main():
    cpu, idle_seconds, percent, report = (f(a) for f, a in zip((int, float, float, str), sys.argv[1:]))

    def prepare():
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
        if cpu > 0:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu, resource.getrlimit(resource.RLIMIT_CPU)[1]))

    watches = adopt()
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    # The object is kept: when it is deleted, it takes the status of a command that has already ended.
    started = subprocess.Popen(sys.argv[5:], preexec_fn=prepare, close_fds=False)
    command = started.pid
    idle, before = Idle(idle_seconds, percent), time.monotonic()
    while True:
        signal.sigtimedwait([signal.SIGCHLD], SAMPLE_SECONDS)
        status = status_of(command)
        if status is not None:
            return status
        now = time.monotonic()
        if not watches or now - before < SAMPLE_SECONDS:
            continue
        pids = sorted(descendants(os.getpid()))
        if now - before > 10 * SAMPLE_SECONDS:  # this process itself was not scheduled
            idle.reset(None, 0)
        elif idle.sample(pids):
            end(command, pids, report)
            idle.reset(None, 0)
        before = now


if __name__ == "__main__":
    sys.exit(main())
