/* SPDX-License-Identifier: Apache-2.0 */
/*
 * child_pool: runs tasks in child processes, several at a time, and passes on their output and messages
 * in the order of the tasks.
 *
 *      task 0   child --output, messages--> passed on at once
 *      task 1   child --output, messages--> held until task 0 has ended
 *      task 2   child --output, messages--> held until task 1 has ended
 *      task 3   not started yet
 *
 * A process per task instead of a thread: a task that crashes or runs out of memory loses its own output
 * only, tasks do not compete for one address space, and a command writes to standard output and standard
 * error as it does alone. The held bytes are limited (TT_CHILD_HELD_MOST); beyond it a child waits
 * in write() for its turn.
 *
 * Children end with this process: on Linux by SIGTERM, elsewhere at their next write.
 */
#ifndef TT_CLI_FILES_CHILD_POOL_H
#define TT_CLI_FILES_CHILD_POOL_H

#include <stdbool.h>
#include <stddef.h>

#define TT_CHILD_HELD_MOST  ((size_t)64 * 1024 * 1024)
#define TT_CHILD_WIDTH_MOST 256u

struct tt_child_pool {
    size_t count;   /* tasks */
    unsigned width; /* children at a time, 1 to TT_CHILD_WIDTH_MOST */
    size_t held;    /* limit of held bytes; 0: TT_CHILD_HELD_MOST */
    void *arg;      /* of the functions below */
    /* Runs a task in a child; returns the child's exit status. Output goes to the descriptors 1 and 2. */
    int (*run)(void *arg, size_t task);
    /* Receives output of the current task; false: no more output is needed, all children are ended. */
    bool (*output)(void *arg, size_t task, const char *bytes, size_t length);
    /* Receives bytes that the current task has written to standard error. */
    void (*message)(void *arg, size_t task, const char *bytes, size_t length);
    /* The task is complete: `status` as of waitpid(), or `error` (errno): the child was not started. */
    void (*ended)(void *arg, size_t task, int status, int error);
};

/*
 * Runs all tasks and waits for the children. Returns 0, or an errno value if out of memory. No other thread
 * may be running.
 */
int tt_child_pool_run(const struct tt_child_pool *pool);

#endif
