/* SPDX-License-Identifier: Apache-2.0 */
/* linux_threads: threads of Linux by tid, in groups of tids. */
#include "format/linux/linux_threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct linux_task *linux_task_of(const struct linux_threads *threads, int64_t tid)
{
    if (tid <= 0 || tid >= LINUX_TIDS) {
        return NULL;
    }
    struct linux_tasks *tasks =
        atomic_load_explicit(&threads->tasks[tid / LINUX_TASK_GROUP], memory_order_acquire);
    return tasks ? &tasks->group[tid % LINUX_TASK_GROUP] : NULL;
}

struct linux_task *linux_task_add(struct linux_threads *threads, int64_t tid)
{
    struct linux_task *task = linux_task_of(threads, tid);
    if (task || tid <= 0 || tid >= LINUX_TIDS) {
        return task;
    }
    struct linux_tasks *tasks = calloc(1, sizeof *tasks);
    if (!tasks) {
        threads->no_memory = true;
        return NULL;
    }
    atomic_store_explicit(&threads->tasks[tid / LINUX_TASK_GROUP], tasks, memory_order_release);
    return &tasks->group[tid % LINUX_TASK_GROUP];
}

void linux_threads_free(struct linux_threads *threads)
{
    for (unsigned i = 0; i < LINUX_TIDS / LINUX_TASK_GROUP; i++) {
        free(atomic_load_explicit(&threads->tasks[i], memory_order_relaxed));
    }
}

uint32_t linux_known_lane(const struct linux_threads *threads, int64_t tid, uint16_t cpu)
{
    if (tid == 0) {
        return cpu < LINUX_CPUS
                   ? atomic_load_explicit(&threads->idle[cpu], memory_order_acquire) - 1
                   : TT_NO_THREAD;
    }
    const struct linux_task *task = linux_task_of(threads, tid);
    return task ? atomic_load_explicit(&task->lane, memory_order_acquire) - 1 : TT_NO_THREAD;
}

static void set_task_name(struct linux_threads *threads, int64_t tid, uint32_t lane,
                          const struct linux_task *task)
{
    struct tt_capture *capture = threads->capture;
    const char *end = memchr(task->comm, 0, sizeof task->comm);
    size_t length = end ? (size_t)(end - task->comm) : sizeof task->comm;
    tt_string name = tt_capture_intern(capture, task->comm, length);
    tt_registry_thread_name(capture, lane, name);
    if (task->process == 0 || task->process == tid) {
        tt_registry_process_name(capture, tt_thread_at(capture, lane)->process, name);
    }
}

static uint32_t linux_threads_add_lane(struct linux_threads *threads, int64_t tid, uint16_t cpu)
{
    struct tt_capture *capture = threads->capture;
    const bool is_idle = tid == 0 && cpu < LINUX_CPUS;
    struct linux_task *task = is_idle ? NULL : linux_task_add(threads, tid);
    if (!is_idle && !task) {
        tt_health_count_more(capture, TT_HEALTH_UNKNOWN_REFERENCE, 1);
        return TT_NO_THREAD;
    }
    uint64_t number = is_idle ? cpu : (uint64_t)tid;
    uint64_t process = is_idle ? 0 : task->process ? task->process : number;
    uint32_t lane = tt_registry_thread(capture, process, number, 0);
    if (lane == UINT32_MAX) {
        threads->no_memory = true;
        return TT_NO_THREAD;
    }
    if (is_idle) {
        char name[24];
        int length = snprintf(name, sizeof name, "swapper/%u", cpu);
        tt_registry_thread_name(capture, lane, tt_capture_intern(capture, name, (size_t)length));
        tt_registry_process_name(capture, tt_thread_at(capture, lane)->process,
                                 tt_capture_intern(capture, "idle", 4));
        tt_registry_set_idle(capture, lane, true);
    } else if (task->comm[0]) {
        set_task_name(threads, tid, lane, task);
    }
    atomic_store_explicit(is_idle ? &threads->idle[cpu] : &task->lane, lane + 1,
                          memory_order_release);
    return lane;
}

uint32_t linux_lane(struct linux_threads *threads, int64_t tid, uint16_t cpu)
{
    uint32_t lane = linux_known_lane(threads, tid, cpu);
    return lane == TT_NO_THREAD ? linux_threads_add_lane(threads, tid, cpu) : lane;
}

void linux_thread_name(struct linux_threads *threads, int64_t tid, uint32_t lane,
                       struct tt_bytes comm)
{
    struct linux_task *task = linux_task_of(threads, tid);
    char name[sizeof task->comm] = {0};
    if (!task || lane == TT_NO_THREAD || comm.size == 0 ||
        (comm.size >= sizeof name && memcmp(comm.data, task->comm, sizeof name) == 0)) {
        return;
    }
    memcpy(name, comm.data,
           strnlen((const char *)comm.data, comm.size < sizeof name ? comm.size : sizeof name));
    if (memcmp(name, task->comm, sizeof name) != 0 && name[0]) {
        memcpy(task->comm, name, sizeof name);
        set_task_name(threads, tid, lane, task);
    }
}

bool linux_threads_restore(struct linux_threads *threads)
{
    const struct tt_capture *capture = threads->capture;
    for (uint32_t i = 0; i < tt_thread_count(capture); i++) {
        const struct tt_thread *thread = tt_thread_at(capture, i);
        if (thread->idle && thread->tid < LINUX_CPUS &&
            tt_process_at(capture, thread->process)->pid == 0) {
            atomic_store_explicit(&threads->idle[thread->tid], i + 1, memory_order_release);
        } else if (tt_process_at(capture, thread->process)->pid != 0 && thread->tid < LINUX_TIDS) {
            struct linux_task *task = linux_task_add(threads, (int64_t)thread->tid);
            if (task) {
                atomic_store_explicit(&task->lane, i + 1, memory_order_release);
            }
        }
    }
    return !threads->no_memory;
}
