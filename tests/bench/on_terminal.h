/* SPDX-License-Identifier: Apache-2.0 */
/*
 * on_terminal: runs a program on a pseudo terminal, for the benches that measure bytes and keys.
 * Callers pass --no-config and --no-session, so that the user's files do not change the figures.
 *
 * Include it after the definition of _XOPEN_SOURCE 700.
 */
#ifndef TT_BENCH_ON_TERMINAL_H
#define TT_BENCH_ON_TERMINAL_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <termios.h>
#include <unistd.h>

/*
 * Runs argv[0] on a new terminal. Returns the master's descriptor, which the caller closes, or -1;
 * *pid is that of the program.
 */
static inline int run_on_terminal(unsigned short columns, unsigned short rows, char *const *argv,
                                  pid_t *pid)
{
    const struct winsize size = {.ws_row = rows, .ws_col = columns};
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        return -1;
    }
    char name[128];
    snprintf(name, sizeof name, "%s", ptsname(master));
    *pid = fork();
    if (*pid == 0) {
        setsid();
        int slave = open(name, O_RDWR);
        ioctl(slave, TIOCSCTTY, 0);
        ioctl(slave, TIOCSWINSZ, &size);
        dup2(slave, 0);
        dup2(slave, 1);
        dup2(slave, 2);
        close(master);
        setenv("TERM", "xterm-256color", 1);
        execv(argv[0], argv);
        _exit(127);
    }
    return master;
}

/* Answers the status reports (ESC [ 5 n) among the program's bytes. */
static inline void answer_terminal(int master, const char *bytes, ssize_t length)
{
    for (ssize_t i = 0; i + 4 <= length; i++) {
        if (memcmp(bytes + i, "\033[5n", 4) == 0 && write(master, "\033[0n", 4) != 4) {
            return;
        }
    }
}

#endif
