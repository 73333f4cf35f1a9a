/* SPDX-License-Identifier: Apache-2.0 */
/*
 * registry: processes and threads. The processes of a pid are linked in order of their beginning; a
 * time (or position) selects one. Lanes are found by (process, tid).
 */
#include "format/capture_tables.h"

#include <stdlib.h>

#include "format/registry_watch.h"
#include "tracetui/merge.h"

/*
 * Maximum number of processes of a pid without an end. Each may still end in another CPU's ring,
 * but more of them would make every search a long walk.
 */
#define REPEATED_MAX 256u

/* A pid of a system: captures of several systems share the tables. */
struct system_pid {
    uint64_t pid;
    uint32_t space;
};

static struct system_pid pid_of(const struct tt_capture *c, uint64_t pid)
{
    return (struct system_pid){pid, c->space};
}

static uint64_t hash_pid(struct system_pid pid)
{
    return tt_hash_of_pair(pid.pid, UINT64_MAX - pid.space);
}

static uint64_t hash_thread(uint32_t process, uint64_t tid)
{
    return tt_hash_of_pair(tid, process);
}

static struct tt_process *process_of(const struct tt_tables *t, uint32_t n)
{
    return tt_column_at(&t->processes, n);
}

/* ---- changes ------------------------------------------------------------------------------ */

void tt_registry_watch(struct tt_capture *c, void (*before)(void *arg), void *arg)
{
    c->tables->before_change = before;
    c->tables->before_change_arg = arg;
}

static void announce_change(const struct tt_tables *t)
{
    if (t->before_change) {
        t->before_change(t->before_change_arg);
    }
}

/* ---- processes and threads ---------------------------------------------------------------- */

/* Returns the first process added for a pid, which links to the others; UINT32_MAX if there is
 * none. */
static uint32_t first_added(const struct tt_tables *t, struct system_pid pid)
{
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&t->process_hash, hash_pid(pid), &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&t->process_hash, &probe)) {
        if (process_of(t, n)->pid == pid.pid && process_of(t, n)->space == pid.space) {
            return n;
        }
    }
    return UINT32_MAX;
}

/* Returns the newest process of the pid that begins at or before `when`, otherwise the oldest. */
static uint32_t newest_begun_by(const struct tt_tables *t, struct system_pid pid, uint64_t when)
{
    uint32_t n = first_added(t, pid);
    if (n == UINT32_MAX) {
        return n;
    }
    struct tt_process *first = process_of(t, n);
    if (process_of(t, first->newest)->first_when <= when) {
        return first->newest;
    }
    /* Look-ups are local: continue from the last one found, in either direction. */
    n = atomic_load_explicit(&first->near, memory_order_relaxed);
    while (process_of(t, n)->first_when > when && process_of(t, n)->older != UINT32_MAX) {
        n = process_of(t, n)->older;
    }
    while (process_of(t, n)->newer != UINT32_MAX &&
           process_of(t, process_of(t, n)->newer)->first_when <= when) {
        n = process_of(t, n)->newer;
    }
    atomic_store_explicit(&first->near, n, memory_order_relaxed);
    return n;
}

/*
 * Returns the process of the pid at `when`. A process whose older neighbour never ended is a
 * repeated record of that neighbour.
 */
static uint32_t process_at_when(const struct tt_tables *t, struct system_pid pid, uint64_t when)
{
    uint32_t n = newest_begun_by(t, pid, when);
    while (n != UINT32_MAX && process_of(t, n)->older != UINT32_MAX &&
           process_of(t, process_of(t, n)->older)->end_when == UINT64_MAX) {
        n = process_of(t, n)->older;
    }
    return n;
}

/* Returns the lane of a value in `lanes`; *process is the process of the key. */
static uint32_t lane_of_value(const struct tt_tables *t, uint32_t number, uint32_t *process)
{
    if (number & TT_MOVE) {
        const struct tt_move *move = tt_column_at(&t->moves, number & ~TT_MOVE);
        *process = move->from;
        return move->thread;
    }
    *process = ((const struct tt_thread *)tt_column_at(&t->threads, number))->process;
    return number;
}

static uint64_t hash_of_lane(const void *owner, uint32_t number)
{
    const struct tt_tables *t = owner;
    uint32_t process;
    const struct tt_thread *thread = tt_column_at(&t->threads, lane_of_value(t, number, &process));
    return hash_thread(process, thread->tid);
}

static uint32_t find_thread(const struct tt_tables *t, uint32_t process, uint64_t tid)
{
    struct tt_hash_set_probe probe;
    for (uint32_t n = tt_numbers_first(&t->lanes, hash_thread(process, tid), &probe);
         n != TT_NUMBERS_NONE; n = tt_numbers_next(&t->lanes, &probe)) {
        uint32_t of, lane = lane_of_value(t, n, &of);
        const struct tt_thread *thread = tt_column_at(&t->threads, lane);
        if (thread->tid == tid && of == process) {
            return lane;
        }
    }
    return UINT32_MAX;
}

/* Links process `n` after `older` (UINT32_MAX: it is the pid's first). Requires the lock. */
static bool link_process(struct tt_tables *t, uint32_t n, uint32_t older)
{
    struct tt_process *process = process_of(t, n);
    struct system_pid pid = {process->pid, process->space};
    process->older = older;
    process->newer = UINT32_MAX;
    if (older == UINT32_MAX) {
        process->newest = n;
        process->near = n;
        return tt_hash_add(&t->process_hash, hash_pid(pid), n);
    }
    struct tt_process *before = process_of(t, older);
    process->newer = before->newer;
    before->newer = n;
    if (process->newer == UINT32_MAX) {
        process_of(t, first_added(t, pid))->newest = n;
    } else {
        process_of(t, process->newer)->older = n;
    }
    before->shares_pid = true;
    process->shares_pid = true;
    return true;
}

static uint32_t add_process(struct tt_tables *t, struct system_pid pid, uint64_t first,
                            uint64_t end, uint32_t older)
{
    uint64_t count = tt_column_count(&t->processes);
    struct tt_process *process = count < UINT32_MAX ? tt_column_next(&t->processes) : NULL;
    if (!tt_tables_saved(t, process != NULL)) {
        return UINT32_MAX;
    }
    process->pid = pid.pid;
    process->space = (uint8_t)pid.space; /* below TT_MERGE_MOST */
    process->first_when = first;
    process->end_when = end;
    pthread_mutex_lock(&t->lock);
    bool linked = link_process(t, (uint32_t)count, older);
    if (linked) {
        tt_column_publish(&t->processes);
    }
    pthread_mutex_unlock(&t->lock);
    return tt_tables_saved(t, linked) ? (uint32_t)count : UINT32_MAX;
}

static uint32_t process_or_add(struct tt_tables *t, struct system_pid pid, uint64_t when)
{
    uint32_t n = process_at_when(t, pid, when);
    return n != UINT32_MAX ? n : add_process(t, pid, when, UINT64_MAX, UINT32_MAX);
}

uint32_t tt_registry_process(struct tt_capture *c, uint64_t pid, uint64_t when)
{
    return process_or_add(c->tables, pid_of(c, pid), when);
}

/* Lets the process after `n` begin at `when`, if only its end is known so far. */
static uint32_t adopt_newer(struct tt_tables *t, uint32_t n, uint64_t when)
{
    uint32_t newer = process_of(t, n)->newer;
    if (newer == UINT32_MAX || !process_of(t, newer)->begin_unknown) {
        return UINT32_MAX;
    }
    struct tt_process *process = process_of(t, newer);
    process->begin_unknown = false;
    process->first_when = when;
    return newer;
}

uint32_t tt_registry_process_begin(struct tt_capture *c, uint64_t number, uint64_t when)
{
    struct tt_tables *t = c->tables;
    struct system_pid pid = pid_of(c, number);
    uint32_t n = newest_begun_by(t, pid, when);
    if (n == UINT32_MAX) {
        return add_process(t, pid, when, UINT64_MAX, UINT32_MAX);
    }
    struct tt_process *process = process_of(t, n);
    uint64_t end = process->end_when;
    if (end < when) {
        uint32_t newer = adopt_newer(t, n, when);
        return newer != UINT32_MAX ? newer : add_process(t, pid, when, UINT64_MAX, n);
    }
    if (process->begin_unknown) {
        process->begin_unknown = false;
        process->first_when = when;
        return n;
    }
    uint32_t *repeated_begins = &process_of(t, first_added(t, pid))->repeated_begins;
    if (!c->lanes_by_time || when <= process->first_when || *repeated_begins >= REPEATED_MAX) {
        return n;
    }
    /* A repeated record, or the end is still to come: a known end belongs to the later process. */
    uint32_t added = add_process(t, pid, when, end, n);
    if (added != UINT32_MAX) {
        process->end_when = UINT64_MAX;
        ++*repeated_begins;
    }
    return added;
}

void tt_registry_process_end(struct tt_capture *c, uint64_t number, uint64_t when)
{
    struct tt_tables *t = c->tables;
    struct system_pid pid = pid_of(c, number);
    uint32_t n = newest_begun_by(t, pid, when);
    if (n == UINT32_MAX) {
        return;
    }
    struct tt_process *process = process_of(t, n);
    uint64_t known = process->end_when;
    if (known == UINT64_MAX || !c->lanes_by_time) {
        uint32_t *repeated_begins = &process_of(t, first_added(t, pid))->repeated_begins;
        *repeated_begins -= known == UINT64_MAX && *repeated_begins > 0;
        process->end_when = when;
        return;
    }
    if (known == when) {
        return;
    }
    /* Two ends: another process began between them, of which nothing else is known yet. */
    uint64_t first = known < when ? known : when, second = known < when ? when : known;
    uint32_t added = add_process(t, pid, first + 1, second, n);
    if (added != UINT32_MAX) {
        process->end_when = first;
        process_of(t, added)->begin_unknown = true;
    }
}

void tt_registry_process_name(struct tt_capture *c, uint32_t process, tt_string name)
{
    if (process < tt_process_count(c)) {
        struct tt_process *p = tt_column_at(&c->tables->processes, process);
        p->name = name;
    }
}

static bool add_thread(struct tt_tables *t, uint32_t thread, uint64_t hash)
{
    pthread_mutex_lock(&t->lock);
    bool added = tt_numbers_reserve(&t->lanes, hash_of_lane, t);
    if (added) {
        tt_numbers_put(&t->lanes, hash, thread);
        tt_column_publish(&t->threads);
    }
    pthread_mutex_unlock(&t->lock);
    return tt_tables_saved(t, added);
}

static uint32_t thread_of_process(struct tt_tables *t, uint32_t process, uint64_t tid)
{
    uint32_t n = find_thread(t, process, tid);
    if (n != UINT32_MAX) {
        return n;
    }
    uint64_t count = tt_column_count(&t->threads);
    struct tt_thread *thread = count < TT_MOVE ? tt_column_next(&t->threads) : NULL;
    if (!tt_tables_saved(t, thread != NULL)) {
        return UINT32_MAX;
    }
    struct tt_process *owner = tt_column_at(&t->processes, process);
    thread->tid = tid;
    thread->process = process;
    thread->index = owner->threads;
    if (!add_thread(t, (uint32_t)count, hash_thread(process, tid))) {
        return UINT32_MAX;
    }
    owner->threads++;
    return (uint32_t)count;
}

uint32_t tt_registry_thread(struct tt_capture *c, uint64_t pid, uint64_t tid, uint64_t when)
{
    uint32_t process = tt_registry_process(c, pid, when);
    return process == UINT32_MAX ? UINT32_MAX : thread_of_process(c->tables, process, tid);
}

/* Moves a thread: its old key leads to a move, its new key to the lane. Requires the lock. */
static bool move_thread(struct tt_tables *t, uint32_t thread, uint32_t process)
{
    struct tt_thread *moved = tt_column_at(&t->threads, thread);
    uint64_t number = tt_column_count(&t->moves);
    struct tt_move *move = number < TT_MOVE - 1 ? tt_column_next(&t->moves) : NULL;
    if (!move || !tt_numbers_reserve(&t->lanes, hash_of_lane, t)) {
        return false;
    }
    *move = (struct tt_move){thread, moved->process};
    tt_column_publish(&t->moves);
    tt_numbers_replace(&t->lanes, hash_thread(move->from, moved->tid), thread,
                       TT_MOVE | (uint32_t)number);
    moved->process = process;
    tt_numbers_put(&t->lanes, hash_thread(process, moved->tid), thread);
    return true;
}

bool tt_registry_thread_move(struct tt_capture *c, uint32_t thread, uint32_t process)
{
    struct tt_tables *t = c->tables;
    if (thread >= tt_thread_count(c) || process >= tt_process_count(c)) {
        return true;
    }
    const struct tt_thread *moved = tt_column_at(&t->threads, thread);
    uint32_t left = moved->process;
    if (left == process) {
        return true;
    }
    announce_change(t);
    pthread_mutex_lock(&t->lock);
    bool done = move_thread(t, thread, process);
    pthread_mutex_unlock(&t->lock);
    if (!tt_tables_saved(t, done)) {
        return false;
    }
    struct tt_process *from = tt_column_at(&t->processes, left);
    struct tt_process *to = tt_column_at(&t->processes, process);
    from->threads--;
    to->threads++;
    return true;
}

bool tt_registry_any_moved(const struct tt_capture *c)
{
    return tt_column_count(&c->tables->moves) > 0;
}

static bool index_lane(struct tt_tables *t, uint32_t number)
{
    uint32_t process, lane = lane_of_value(t, number, &process);
    uint64_t tid = ((const struct tt_thread *)tt_column_at(&t->threads, lane))->tid;
    if (find_thread(t, process, tid) != UINT32_MAX ||
        !tt_numbers_reserve(&t->lanes, hash_of_lane, t)) {
        return false;
    }
    tt_numbers_put(&t->lanes, hash_thread(process, tid), number);
    return true;
}

bool tt_tables_find_lanes(struct tt_tables *t)
{
    uint64_t threads = tt_column_count(&t->threads), moves = tt_column_count(&t->moves);
    bool good = threads < TT_MOVE && moves < TT_MOVE - 1;
    tt_numbers_free(&t->lanes);
    for (uint64_t i = 0; good && i < threads; i++) {
        good = index_lane(t, (uint32_t)i);
    }
    for (uint64_t i = 0; good && i < moves; i++) {
        good = index_lane(t, TT_MOVE | (uint32_t)i);
    }
    return good;
}

void tt_registry_thread_name(struct tt_capture *c, uint32_t thread, tt_string name)
{
    if (thread < tt_thread_count(c)) {
        struct tt_thread *entry = tt_column_at(&c->tables->threads, thread);
        entry->name = name;
    }
}

void tt_registry_set_idle(struct tt_capture *c, uint32_t thread, bool idle)
{
    if (thread < tt_thread_count(c)) {
        struct tt_thread *entry = tt_column_at(&c->tables->threads, thread);
        if (entry->idle != idle) {
            announce_change(c->tables);
        }
        entry->idle = idle;
    }
}

bool tt_registry_totals(const struct tt_capture *c, struct tt_registry_totals *totals)
{
    uint32_t processes = tt_process_count(c), threads = tt_thread_count(c);
    uint8_t *seen = calloc((size_t)processes + 1, sizeof *seen);
    *totals = (struct tt_registry_totals){.processes = seen ? 0 : processes};
    for (uint32_t i = 0; i < threads; i++) {
        const struct tt_thread *thread = tt_thread_at(c, i);
        totals->idle += thread->idle;
        totals->threads += tt_thread_is_counted(thread);
        uint32_t process = thread->process;
        if (seen && tt_thread_is_counted(thread) && process < processes) {
            totals->processes += !seen[process];
            seen[process] = 1;
        }
    }
    free(seen);
    return seen != NULL;
}

void tt_registry_set_pseudo(struct tt_capture *c, uint32_t thread)
{
    if (thread < tt_thread_count(c)) {
        struct tt_thread *entry = tt_column_at(&c->tables->threads, thread);
        entry->pseudo = true;
    }
}

uint32_t tt_registry_find_process(const struct tt_capture *c, uint64_t pid, uint64_t when)
{
    pthread_mutex_lock(&c->tables->lock);
    uint32_t n = process_at_when(c->tables, pid_of(c, pid), when);
    pthread_mutex_unlock(&c->tables->lock);
    return n;
}

uint32_t tt_registry_older_process(const struct tt_capture *c, uint32_t process)
{
    if (process >= tt_process_count(c)) {
        return UINT32_MAX;
    }
    pthread_mutex_lock(&c->tables->lock);
    uint32_t older = process_of(c->tables, process)->older;
    pthread_mutex_unlock(&c->tables->lock);
    return older;
}

static uint32_t known_thread(const struct tt_tables *t, struct system_pid pid, uint64_t tid,
                             uint64_t when)
{
    uint32_t process = process_at_when(t, pid, when);
    return process == UINT32_MAX ? UINT32_MAX : find_thread(t, process, tid);
}

uint32_t tt_registry_known_thread(const struct tt_capture *c, uint64_t pid, uint64_t tid,
                                  uint64_t when)
{
    return known_thread(c->tables, pid_of(c, pid), tid, when);
}

uint32_t tt_registry_find_thread(const struct tt_capture *c, uint64_t pid, uint64_t tid,
                                 uint64_t when)
{
    pthread_mutex_lock(&c->tables->lock);
    uint32_t n = tt_registry_known_thread(c, pid, tid, when);
    pthread_mutex_unlock(&c->tables->lock);
    return n;
}

/*
 * Returns the thread if its pid was used more than once; otherwise NULL. Of a merged capture, NULL too
 * if the processes of the thread's system are not found by time, and *when becomes a time of its clock.
 */
static const struct tt_thread *ambiguous(const struct tt_capture *c, uint32_t thread,
                                         struct system_pid *pid, uint64_t *when)
{
    if (thread >= tt_thread_count(c)) {
        return NULL;
    }
    const struct tt_thread *t = tt_column_at(&c->tables->threads, thread);
    const struct tt_process *p = tt_column_at(&c->tables->processes, t->process);
    if (!p->shares_pid) {
        return NULL;
    }
    *pid = (struct system_pid){p->pid, p->space};
    if (c->merge) {
        const struct tt_merge_member *member = &c->merge->members[p->space];
        *when = tt_clock_map_back(&member->clock, *when);
        return member->capture->lanes_by_time ? t : NULL;
    }
    return t;
}

uint32_t tt_registry_settle(const struct tt_capture *c, uint32_t thread, uint64_t when)
{
    struct system_pid pid;
    const struct tt_thread *t = ambiguous(c, thread, &pid, &when);
    if (!t) {
        return thread;
    }
    pthread_mutex_lock(&c->tables->lock);
    uint32_t n = known_thread(c->tables, pid, t->tid, when);
    pthread_mutex_unlock(&c->tables->lock);
    return n != UINT32_MAX ? n : thread;
}

uint32_t tt_registry_settle_or_add(struct tt_capture *c, uint32_t thread, uint64_t when)
{
    struct system_pid pid;
    const struct tt_thread *t = ambiguous(c, thread, &pid, &when);
    if (!t) {
        return thread;
    }
    uint32_t process = process_or_add(c->tables, pid, when);
    uint32_t n = process == UINT32_MAX ? process : thread_of_process(c->tables, process, t->tid);
    return n != UINT32_MAX ? n : thread;
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
