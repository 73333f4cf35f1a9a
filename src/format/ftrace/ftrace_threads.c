/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_threads: threads by pid, and their names.
 *
 * Events have the pid of a thread and no process. A thread is in the process of its creator if task_newtask has
 * CLONE_THREAD, and otherwise in one of its own. Pid 0 is the idle thread of each CPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/ftrace/ftrace_internal.h"

struct ftrace_task *ftrace_task_of(const struct ftrace *ftrace, int64_t pid)
{
    if (pid <= 0 || pid >= FTRACE_PIDS) {
        return NULL;
    }
    struct ftrace_tasks *tasks =
        atomic_load_explicit(&ftrace->tasks[pid / FTRACE_PID_GROUP], memory_order_acquire);
    return tasks ? &tasks->group[pid % FTRACE_PID_GROUP] : NULL;
}

struct ftrace_task *ftrace_task_add(struct ftrace *ftrace, int64_t pid)
{
    struct ftrace_task *task = ftrace_task_of(ftrace, pid);
    if (task || pid <= 0 || pid >= FTRACE_PIDS) {
        return task;
    }
    struct ftrace_tasks *tasks = calloc(1, sizeof *tasks);
    if (!tasks) {
        ftrace->no_memory = true;
        return NULL;
    }
    atomic_store_explicit(&ftrace->tasks[pid / FTRACE_PID_GROUP], tasks, memory_order_release);
    return &tasks->group[pid % FTRACE_PID_GROUP];
}

void ftrace_tasks_free(struct ftrace *ftrace)
{
    for (unsigned i = 0; i < FTRACE_PIDS / FTRACE_PID_GROUP; i++) {
        free(atomic_load_explicit(&ftrace->tasks[i], memory_order_relaxed));
    }
}

uint32_t ftrace_known_lane(const struct ftrace *ftrace, int64_t pid, uint16_t cpu)
{
    if (pid == 0) {
        return cpu < FTRACE_CPUS
                   ? atomic_load_explicit(&ftrace->idle[cpu], memory_order_acquire) - 1
                   : TT_NO_THREAD;
    }
    const struct ftrace_task *task = ftrace_task_of(ftrace, pid);
    return task ? atomic_load_explicit(&task->lane, memory_order_acquire) - 1 : TT_NO_THREAD;
}

static void ftrace_threads_set_name(struct ftrace *ftrace, int64_t pid, uint32_t lane,
                                    const struct ftrace_task *task)
{
    struct tt_capture *capture = ftrace->capture;
    const char *end = memchr(task->comm, 0, sizeof task->comm);
    size_t length = end ? (size_t)(end - task->comm) : sizeof task->comm;
    tt_string name = tt_capture_intern(capture, task->comm, length);
    tt_registry_thread_name(capture, lane, name);
    if (task->process == 0 || task->process == pid) {
        tt_registry_process_name(capture, tt_thread_at(capture, lane)->process, name);
    }
}

static uint32_t ftrace_threads_add_idle(struct ftrace *ftrace, uint16_t cpu)
{
    struct tt_capture *capture = ftrace->capture;
    char name[24];
    uint32_t lane = tt_registry_thread(capture, 0, cpu, 0);
    if (lane == UINT32_MAX) {
        ftrace->no_memory = true;
        return TT_NO_THREAD;
    }
    int length = snprintf(name, sizeof name, "swapper/%u", cpu);
    tt_registry_thread_name(capture, lane, tt_capture_intern(capture, name, (size_t)length));
    tt_registry_process_name(capture, tt_thread_at(capture, lane)->process,
                             tt_capture_intern(capture, "idle", 4));
    tt_registry_set_idle(capture, lane, true);
    atomic_store_explicit(&ftrace->idle[cpu], lane + 1, memory_order_release);
    return lane;
}

static uint32_t ftrace_threads_add_lane(struct ftrace *ftrace, int64_t pid, uint16_t cpu,
                                        uint64_t pos)
{
    if (pid == 0 && cpu < FTRACE_CPUS) {
        return ftrace_threads_add_idle(ftrace, cpu);
    }
    struct ftrace_task *task = ftrace_task_add(ftrace, pid);
    if (!task) {
        tt_health_add(ftrace->capture, TT_HEALTH_UNKNOWN_REFERENCE,
                      ftrace_offset(ftrace->capture, pos), pos, (uint64_t)pid,
                      "pid that cannot be");
        return TT_NO_THREAD;
    }
    uint64_t process = task->process ? task->process : (uint64_t)pid;
    uint32_t lane = tt_registry_thread(ftrace->capture, process, (uint64_t)pid, 0);
    if (lane == UINT32_MAX) {
        ftrace->no_memory = true;
        return TT_NO_THREAD;
    }
    if (task->comm[0]) {
        ftrace_threads_set_name(ftrace, pid, lane, task);
    }
    atomic_store_explicit(&task->lane, lane + 1, memory_order_release);
    return lane;
}

uint32_t ftrace_lane(struct tt_cursor *cursor, int64_t pid, uint16_t cpu, uint64_t pos)
{
    uint32_t lane = ftrace_known_lane(cursor->d, pid, cpu);
    return lane == TT_NO_THREAD && cursor->learn ? ftrace_threads_add_lane(cursor->d, pid, cpu, pos)
                                                 : lane;
}

void ftrace_name(struct tt_cursor *cursor, int64_t pid, uint32_t lane, const uint8_t *comm,
                 uint32_t size)
{
    struct ftrace_task *task = ftrace_task_of(cursor->d, pid);
    char name[sizeof task->comm] = {0};
    if (!task || lane == TT_NO_THREAD || size == 0) {
        return;
    }
    size = size < sizeof name ? size : (uint32_t)sizeof name;
    const uint8_t *end = memchr(comm, 0, size);
    memcpy(name, comm, end ? (size_t)(end - comm) : size);
    if (memcmp(name, task->comm, sizeof name) != 0 && name[0]) {
        memcpy(task->comm, name, sizeof name);
        ftrace_threads_set_name(cursor->d, pid, lane, task);
    }
}
