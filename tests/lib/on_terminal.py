# SPDX-License-Identifier: Apache-2.0
"""Runs commands whose output is a terminal."""
import os
import pty
import subprocess


def lines_on_terminal(command):
    """Returns the lines that a command prints to a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        printed = b''
        try:
            while part := os.read(ours, 65536):
                printed += part
        except OSError:  # the process has closed it
            pass
        process.wait()
    os.close(ours)
    return printed.decode(errors='replace').splitlines()
