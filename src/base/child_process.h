/* SPDX-License-Identifier: Apache-2.0 */
/*
 * child_process: a program with pipes for its standard input, output and error. One thread, except
 * tt_child_signal.
 */
#ifndef TT_BASE_CHILD_PROCESS_H
#define TT_BASE_CHILD_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

#include "tracetui/status.h"

struct tt_child {
    pid_t pid; /* 0: none */
    int in;    /* our ends of the pipes: -1 if closed */
    int out;
    int err;
};

/*
 * Starts `argv`, found by PATH, with the default signal actions and an empty signal mask.
 * `detached`: in a session of its own, so that it cannot use the terminal (a process group of its
 * own where the system cannot create a session).
 */
struct tt_status tt_child_start(struct tt_child *child, char *const argv[], bool detached);

/*
 * Closes the pipes and reaps the process; one that does not end within `grace_ms` gets SIGTERM, then
 * SIGKILL. Returns its exit status, 128 + N for signal N, or -1 if it is unknown.
 */
int tt_child_end(struct tt_child *child, unsigned grace_ms);

#endif
