/* SPDX-License-Identifier: Apache-2.0 */
/*
 * linux_threads: threads of Linux by tid, their processes and names, for captures whose events have a tid and no process. The
 * process of a thread is what was known of it before its lane is added; otherwise it is in one of its own. Tid 0 is the idle
 * thread of each CPU.
 *
 * The owner of a decoder embeds it, zeroed but for `capture`. The learning cursor's thread adds; any thread finds lanes.
 */
#ifndef TRACETUI_FORMAT_LINUX_LINUX_THREADS_H
#define TRACETUI_FORMAT_LINUX_LINUX_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tracetui/capture.h"

#define LINUX_TASK_GROUP 4096u
#define LINUX_TIDS       4194304 /* PID_MAX_LIMIT of 64-bit kernels */
#define LINUX_CPUS       8192u   /* larger numbers of CPUs are damage */

/* The facts about a thread that the learning cursor has found. */
struct linux_task {
    _Atomic uint32_t lane; /* + 1; 0: no thread has the tid */
    uint32_t process;      /* pid of its process; 0: not known */
    char comm[16];
};

struct linux_tasks {
    struct linux_task group[LINUX_TASK_GROUP];
};

struct linux_threads {
    struct tt_capture *capture;
    _Atomic uint32_t idle[LINUX_CPUS]; /* lanes + 1 */
    _Atomic(struct linux_tasks *) tasks[LINUX_TIDS / LINUX_TASK_GROUP];
    bool no_memory;
};

/* Returns what is known of a tid; NULL if no thread has it. */
struct linux_task *linux_task_of(const struct linux_threads *threads, int64_t tid);
/* Adds it; NULL if out of memory, or if there is no such tid. */
struct linux_task *linux_task_add(struct linux_threads *threads, int64_t tid);
/* Returns the lane of a tid on a CPU; TT_NO_THREAD if there is none. Any thread. */
uint32_t linux_known_lane(const struct linux_threads *threads, int64_t tid, uint16_t cpu);
/* Does the same and adds it. */
uint32_t linux_lane(struct linux_threads *threads, int64_t tid, uint16_t cpu);
/* Sets the name of a thread to the characters of `comm` up to a NUL. */
void linux_thread_name(struct linux_threads *threads, int64_t tid, uint32_t lane,
                       struct tt_bytes comm);
/* Finds the lanes again that the capture's tables have. Returns false if out of memory. */
bool linux_threads_restore(struct linux_threads *threads);
void linux_threads_free(struct linux_threads *threads);

#endif
