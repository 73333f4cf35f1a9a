/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_threads: threads of Linux by tid, and their names. The process of a thread is what the state dump, a fork or a context
 * says before the thread's first event; otherwise the thread is in a process of its own. Tid 0 is the idle thread of
 * each CPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/ctf/ctf_internal.h"

struct ctf_task *ctf_task_of(const struct ctf *d, int64_t tid)
{
    if (tid <= 0 || tid >= CTF_TIDS) {
        return NULL;
    }
    struct ctf_tasks *tasks =
        atomic_load_explicit(&d->tasks[tid / CTF_TASK_GROUP], memory_order_acquire);
    return tasks ? &tasks->group[tid % CTF_TASK_GROUP] : NULL;
}

struct ctf_task *ctf_task_add(struct ctf *d, int64_t tid)
{
    struct ctf_task *task = ctf_task_of(d, tid);
    if (task || tid <= 0 || tid >= CTF_TIDS) {
        return task;
    }
    struct ctf_tasks *tasks = calloc(1, sizeof *tasks);
    if (!tasks) {
        d->no_memory = true;
        return NULL;
    }
    atomic_store_explicit(&d->tasks[tid / CTF_TASK_GROUP], tasks, memory_order_release);
    return &tasks->group[tid % CTF_TASK_GROUP];
}

void ctf_tasks_free(struct ctf *d)
{
    for (unsigned i = 0; i < CTF_TIDS / CTF_TASK_GROUP; i++) {
        free(atomic_load_explicit(&d->tasks[i], memory_order_relaxed));
    }
}

uint32_t ctf_known_lane(const struct ctf *d, int64_t tid, uint16_t cpu)
{
    if (tid == 0) {
        return cpu < CTF_CPUS ? atomic_load_explicit(&d->idle[cpu], memory_order_acquire) - 1
                              : TT_NO_THREAD;
    }
    const struct ctf_task *task = ctf_task_of(d, tid);
    return task ? atomic_load_explicit(&task->lane, memory_order_acquire) - 1 : TT_NO_THREAD;
}

static void set_task_name(struct ctf *d, int64_t tid, uint32_t lane, const struct ctf_task *task)
{
    struct tt_capture *c = d->capture;
    const char *end = memchr(task->comm, 0, sizeof task->comm);
    size_t length = end ? (size_t)(end - task->comm) : sizeof task->comm;
    tt_string name = tt_capture_intern(c, task->comm, length);
    tt_registry_thread_name(c, lane, name);
    if (task->process == 0 || task->process == tid) {
        tt_registry_process_name(c, tt_thread_at(c, lane)->process, name);
    }
}

static uint32_t add_idle(struct ctf *d, uint16_t cpu)
{
    struct tt_capture *c = d->capture;
    char name[24];
    uint32_t lane = tt_registry_thread(c, 0, cpu, 0);
    if (lane == UINT32_MAX) {
        d->no_memory = true;
        return TT_NO_THREAD;
    }
    int length = snprintf(name, sizeof name, "swapper/%u", cpu);
    tt_registry_thread_name(c, lane, tt_capture_intern(c, name, (size_t)length));
    tt_registry_process_name(c, tt_thread_at(c, lane)->process, tt_capture_intern(c, "idle", 4));
    tt_registry_set_idle(c, lane, true);
    atomic_store_explicit(&d->idle[cpu], lane + 1, memory_order_release);
    return lane;
}

static uint32_t add_lane(struct ctf *d, int64_t tid, uint16_t cpu)
{
    if (tid == 0 && cpu < CTF_CPUS) {
        return add_idle(d, cpu);
    }
    struct ctf_task *task = ctf_task_add(d, tid);
    if (!task) {
        tt_health_count_more(d->capture, TT_HEALTH_UNKNOWN_REFERENCE, 1);
        return TT_NO_THREAD;
    }
    uint64_t process = task->process ? task->process : (uint64_t)tid;
    uint32_t lane = tt_registry_thread(d->capture, process, (uint64_t)tid, 0);
    if (lane == UINT32_MAX) {
        d->no_memory = true;
        return TT_NO_THREAD;
    }
    if (task->comm[0]) {
        set_task_name(d, tid, lane, task);
    }
    atomic_store_explicit(&task->lane, lane + 1, memory_order_release);
    return lane;
}

uint32_t ctf_lane(struct tt_cursor *cursor, int64_t tid, uint16_t cpu)
{
    uint32_t lane = ctf_known_lane(cursor->d, tid, cpu);
    return lane == TT_NO_THREAD && cursor->learn ? add_lane(cursor->d, tid, cpu) : lane;
}

void ctf_name(struct tt_cursor *cursor, int64_t tid, uint32_t lane, struct tt_bytes comm)
{
    struct ctf_task *task = ctf_task_of(cursor->d, tid);
    char name[sizeof task->comm] = {0};
    if (!cursor->learn || !task || lane == TT_NO_THREAD || comm.size == 0) {
        return;
    }
    memcpy(name, comm.data, comm.size < sizeof name ? comm.size : sizeof name);
    if (memcmp(name, task->comm, sizeof name) != 0 && name[0]) {
        memcpy(task->comm, name, sizeof name);
        set_task_name(cursor->d, tid, lane, task);
    }
}
