/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processes and threads. A pid leads to its newest process; older ones that had the pid hang
 * behind it, so that a position in the file decides which one is meant. A lane is found under
 * (process, tid).
 */
#include "format/tables.h"

static uint64_t hash_pid(uint64_t pid)
{
    return tt_hash_of_pair(pid, UINT64_MAX);
}

static uint64_t hash_thread(uint32_t process, uint64_t tid)
{
    return tt_hash_of_pair(tid, process);
}

/* The newest process with this pid, or UINT32_MAX. Writer, or reader under the lock. */
static uint32_t newest_process(const struct tt_tables *t, uint64_t pid)
{
    uint32_t newest = UINT32_MAX;
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&t->process_hash, hash_pid(pid), &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&t->process_hash, &probe)) {
        const struct tt_process *process = tt_column_at(&t->processes, n);
        if (process->pid == pid && (newest == UINT32_MAX || n > newest)) {
            newest = n;
        }
    }
    return newest;
}

static uint32_t process_at_pos(const struct tt_tables *t, uint64_t pid, uint64_t pos)
{
    uint32_t n = newest_process(t, pid);
    while (n != UINT32_MAX) {
        const struct tt_process *process = tt_column_at(&t->processes, n);
        /* What comes before the first one known still means the first one. */
        if (process->first_pos <= pos || process->older == UINT32_MAX) {
            return n;
        }
        n = process->older;
    }
    return UINT32_MAX;
}

static uint32_t find_thread(const struct tt_tables *t, uint32_t process, uint64_t tid)
{
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&t->thread_hash, hash_thread(process, tid), &probe);
         n != TT_HASH_NONE; n = tt_hash_next(&t->thread_hash, &probe)) {
        const struct tt_thread *thread = tt_column_at(&t->threads, n);
        if (thread->tid == tid) {
            return n;
        }
    }
    return UINT32_MAX;
}

static uint32_t add_process(struct tt_tables *t, uint64_t pid, uint64_t pos, uint32_t older)
{
    uint64_t count = tt_column_count(&t->processes);
    struct tt_process *process = count < UINT32_MAX ? tt_column_next(&t->processes) : NULL;
    if (!process) {
        return UINT32_MAX;
    }
    process->pid = pid;
    process->first_pos = pos;
    process->older = older;
    pthread_mutex_lock(&t->lock);
    bool added = tt_hash_add(&t->process_hash, hash_pid(pid), (uint32_t)count);
    if (added) {
        tt_column_publish(&t->processes);
    }
    pthread_mutex_unlock(&t->lock);
    return added ? (uint32_t)count : UINT32_MAX;
}

uint32_t tt_registry_process(struct tt_capture *c, uint64_t pid, uint64_t pos)
{
    uint32_t n = newest_process(c->tables, pid);
    return n != UINT32_MAX ? n : add_process(c->tables, pid, pos, UINT32_MAX);
}

uint32_t tt_registry_process_begin(struct tt_capture *c, uint64_t pid, uint64_t pos)
{
    uint32_t n = newest_process(c->tables, pid);
    if (n == UINT32_MAX) {
        return add_process(c->tables, pid, pos, UINT32_MAX);
    }
    const struct tt_process *process = tt_column_at(&c->tables->processes, n);
    return process->ended ? add_process(c->tables, pid, pos, n) : n;
}

void tt_registry_process_end(struct tt_capture *c, uint64_t pid)
{
    uint32_t n = newest_process(c->tables, pid);
    if (n != UINT32_MAX) {
        struct tt_process *process = tt_column_at(&c->tables->processes, n);
        process->ended = true;
    }
}

void tt_registry_process_name(struct tt_capture *c, uint32_t process, tt_string name)
{
    if (process < tt_process_count(c)) {
        struct tt_process *p = tt_column_at(&c->tables->processes, process);
        p->name = name;
    }
}

static bool add_thread_key(struct tt_tables *t, uint32_t process, uint64_t tid, uint32_t thread,
                           bool publish)
{
    pthread_mutex_lock(&t->lock);
    bool added = tt_hash_add(&t->thread_hash, hash_thread(process, tid), thread);
    if (added && publish) {
        tt_column_publish(&t->threads);
    }
    pthread_mutex_unlock(&t->lock);
    return added;
}

uint32_t tt_registry_thread(struct tt_capture *c, uint64_t pid, uint64_t tid, uint64_t pos)
{
    struct tt_tables *t = c->tables;
    uint32_t process = tt_registry_process(c, pid, pos);
    if (process == UINT32_MAX) {
        return UINT32_MAX;
    }
    uint32_t n = find_thread(t, process, tid);
    if (n != UINT32_MAX) {
        return n;
    }
    uint64_t count = tt_column_count(&t->threads);
    struct tt_thread *thread = count < UINT32_MAX ? tt_column_next(&t->threads) : NULL;
    if (!thread) {
        return UINT32_MAX;
    }
    struct tt_process *owner = tt_column_at(&t->processes, process);
    thread->tid = tid;
    thread->process = process;
    thread->index = owner->threads;
    if (!add_thread_key(t, process, tid, (uint32_t)count, true)) {
        return UINT32_MAX;
    }
    owner->threads++;
    return (uint32_t)count;
}

bool tt_registry_thread_move(struct tt_capture *c, uint32_t thread, uint32_t process)
{
    struct tt_tables *t = c->tables;
    if (thread >= tt_thread_count(c) || process >= tt_process_count(c)) {
        return true;
    }
    struct tt_thread *moved = tt_column_at(&t->threads, thread);
    if (moved->process == process) {
        return true;
    }
    if (!add_thread_key(t, process, moved->tid, thread, false)) {
        return false;
    }
    struct tt_process *from = tt_column_at(&t->processes, moved->process);
    struct tt_process *to = tt_column_at(&t->processes, process);
    from->threads--;
    to->threads++;
    moved->process = process;
    return true;
}

void tt_registry_thread_name(struct tt_capture *c, uint32_t thread, tt_string name)
{
    if (thread < tt_thread_count(c)) {
        struct tt_thread *entry = tt_column_at(&c->tables->threads, thread);
        entry->name = name;
    }
}

void tt_registry_thread_idle(struct tt_capture *c, uint32_t thread, bool idle)
{
    if (thread < tt_thread_count(c)) {
        struct tt_thread *entry = tt_column_at(&c->tables->threads, thread);
        entry->idle = idle;
    }
}

void tt_registry_thread_pseudo(struct tt_capture *c, uint32_t thread)
{
    if (thread < tt_thread_count(c)) {
        struct tt_thread *entry = tt_column_at(&c->tables->threads, thread);
        entry->pseudo = true;
    }
}

uint32_t tt_registry_find_process(const struct tt_capture *c, uint64_t pid, uint64_t pos)
{
    pthread_mutex_lock(&c->tables->lock);
    uint32_t n = process_at_pos(c->tables, pid, pos);
    pthread_mutex_unlock(&c->tables->lock);
    return n;
}

uint32_t tt_registry_find_thread(const struct tt_capture *c, uint64_t pid, uint64_t tid,
                                 uint64_t pos)
{
    uint32_t n = UINT32_MAX;
    pthread_mutex_lock(&c->tables->lock);
    uint32_t process = process_at_pos(c->tables, pid, pos);
    if (process != UINT32_MAX) {
        n = find_thread(c->tables, process, tid);
    }
    pthread_mutex_unlock(&c->tables->lock);
    return n;
}

uint32_t tt_process_count(const struct tt_capture *c)
{
    return (uint32_t)tt_column_count(&c->tables->processes);
}

const struct tt_process *tt_process_at(const struct tt_capture *c, uint32_t process)
{
    return tt_column_at(&c->tables->processes, process);
}

uint32_t tt_thread_count(const struct tt_capture *c)
{
    return (uint32_t)tt_column_count(&c->tables->threads);
}

const struct tt_thread *tt_thread_at(const struct tt_capture *c, uint32_t thread)
{
    return tt_column_at(&c->tables->threads, thread);
}
