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

static struct system_pid registry_pid_of(const struct tt_capture *capture, uint64_t pid)
{
    return (struct system_pid){pid, capture->space};
}

static uint64_t hash_pid(struct system_pid pid)
{
    return tt_hash_of_pair(pid.pid, UINT64_MAX - pid.space);
}

static uint64_t hash_thread(uint32_t process, uint64_t tid)
{
    return tt_hash_of_pair(tid, process);
}

static struct tt_process *registry_process_of(const struct tt_tables *tables, uint32_t n)
{
    return tt_column_at(&tables->processes, n);
}

/* ---- changes ------------------------------------------------------------------------------ */

void tt_registry_watch(struct tt_capture *capture, void (*before)(void *arg), void *arg)
{
    capture->tables->before_change = before;
    capture->tables->before_change_arg = arg;
}

static void announce_change(const struct tt_tables *tables)
{
    if (tables->before_change) {
        tables->before_change(tables->before_change_arg);
    }
}

/* ---- processes and threads ---------------------------------------------------------------- */

/* Returns the first process added for a pid, which links to the others; UINT32_MAX if there is
 * none. */
static uint32_t first_added(const struct tt_tables *tables, struct system_pid pid)
{
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&tables->process_hash, hash_pid(pid), &probe);
         n != TT_HASH_NONE; n = tt_hash_next(&tables->process_hash, &probe)) {
        if (registry_process_of(tables, n)->pid == pid.pid &&
            registry_process_of(tables, n)->space == pid.space) {
            return n;
        }
    }
    return UINT32_MAX;
}

/* Returns the newest process of the pid that begins at or before `when`, otherwise the oldest. */
static uint32_t newest_begun_by(const struct tt_tables *tables, struct system_pid pid,
                                uint64_t when)
{
    uint32_t n = first_added(tables, pid);
    if (n == UINT32_MAX) {
        return n;
    }
    struct tt_process *first = registry_process_of(tables, n);
    if (registry_process_of(tables, first->newest)->first_when <= when) {
        return first->newest;
    }
    /* Look-ups are local: continue from the last one found, in either direction. */
    n = atomic_load_explicit(&first->near, memory_order_relaxed);
    while (registry_process_of(tables, n)->first_when > when &&
           registry_process_of(tables, n)->older != UINT32_MAX) {
        n = registry_process_of(tables, n)->older;
    }
    while (registry_process_of(tables, n)->newer != UINT32_MAX &&
           registry_process_of(tables, registry_process_of(tables, n)->newer)->first_when <= when) {
        n = registry_process_of(tables, n)->newer;
    }
    atomic_store_explicit(&first->near, n, memory_order_relaxed);
    return n;
}

/*
 * Returns the process of the pid at `when`. A process whose older neighbour never ended is a
 * repeated record of that neighbour.
 */
static uint32_t process_at_when(const struct tt_tables *tables, struct system_pid pid,
                                uint64_t when)
{
    uint32_t n = newest_begun_by(tables, pid, when);
    while (n != UINT32_MAX && registry_process_of(tables, n)->older != UINT32_MAX &&
           registry_process_of(tables, registry_process_of(tables, n)->older)->end_when ==
               UINT64_MAX) {
        n = registry_process_of(tables, n)->older;
    }
    return n;
}

/* Returns the lane of a value in `lanes`; *process is the process of the key. */
static uint32_t lane_of_value(const struct tt_tables *tables, uint32_t number, uint32_t *process)
{
    if (number & TT_MOVE) {
        const struct tt_move *move = tt_column_at(&tables->moves, number & ~TT_MOVE);
        *process = move->from;
        return move->thread;
    }
    *process = ((const struct tt_thread *)tt_column_at(&tables->threads, number))->process;
    return number;
}

static uint64_t hash_of_lane(const void *owner, uint32_t number)
{
    const struct tt_tables *tables = owner;
    uint32_t process;
    const struct tt_thread *thread =
        tt_column_at(&tables->threads, lane_of_value(tables, number, &process));
    return hash_thread(process, thread->tid);
}

static uint32_t registry_find_thread(const struct tt_tables *tables, uint32_t process, uint64_t tid)
{
    struct tt_hash_set_probe probe;
    for (uint32_t n = tt_numbers_first(&tables->lanes, hash_thread(process, tid), &probe);
         n != TT_NUMBERS_NONE; n = tt_numbers_next(&tables->lanes, &probe)) {
        uint32_t of, lane = lane_of_value(tables, n, &of);
        const struct tt_thread *thread = tt_column_at(&tables->threads, lane);
        if (thread->tid == tid && of == process) {
            return lane;
        }
    }
    return UINT32_MAX;
}

/* Links process `n` after `older` (UINT32_MAX: it is the pid's first). Requires the lock. */
static bool link_process(struct tt_tables *tables, uint32_t n, uint32_t older)
{
    struct tt_process *process = registry_process_of(tables, n);
    struct system_pid pid = {process->pid, process->space};
    process->older = older;
    process->newer = UINT32_MAX;
    if (older == UINT32_MAX) {
        process->newest = n;
        process->near = n;
        return tt_hash_add(&tables->process_hash, hash_pid(pid), n);
    }
    struct tt_process *before = registry_process_of(tables, older);
    process->newer = before->newer;
    before->newer = n;
    if (process->newer == UINT32_MAX) {
        registry_process_of(tables, first_added(tables, pid))->newest = n;
    } else {
        registry_process_of(tables, process->newer)->older = n;
    }
    before->shares_pid = true;
    process->shares_pid = true;
    return true;
}

static uint32_t add_process(struct tt_tables *tables, struct system_pid pid, uint64_t first,
                            uint64_t end, uint32_t older)
{
    uint64_t count = tt_column_count(&tables->processes);
    struct tt_process *process = count < UINT32_MAX ? tt_column_next(&tables->processes) : NULL;
    if (!tt_tables_saved(tables, process != NULL)) {
        return UINT32_MAX;
    }
    process->pid = pid.pid;
    process->space = (uint8_t)pid.space; /* below TT_MERGE_MOST */
    process->first_when = first;
    process->end_when = end;
    pthread_mutex_lock(&tables->lock);
    bool linked = link_process(tables, (uint32_t)count, older);
    if (linked) {
        tt_column_publish(&tables->processes);
    }
    pthread_mutex_unlock(&tables->lock);
    return tt_tables_saved(tables, linked) ? (uint32_t)count : UINT32_MAX;
}

static uint32_t process_or_add(struct tt_tables *tables, struct system_pid pid, uint64_t when)
{
    uint32_t n = process_at_when(tables, pid, when);
    return n != UINT32_MAX ? n : add_process(tables, pid, when, UINT64_MAX, UINT32_MAX);
}

uint32_t tt_registry_process(struct tt_capture *capture, uint64_t pid, uint64_t when)
{
    return process_or_add(capture->tables, registry_pid_of(capture, pid), when);
}

/* Lets the process after `n` begin at `when`, if only its end is known so far. */
static uint32_t adopt_newer(struct tt_tables *tables, uint32_t n, uint64_t when)
{
    uint32_t newer = registry_process_of(tables, n)->newer;
    if (newer == UINT32_MAX || !registry_process_of(tables, newer)->begin_unknown) {
        return UINT32_MAX;
    }
    struct tt_process *process = registry_process_of(tables, newer);
    process->begin_unknown = false;
    process->first_when = when;
    return newer;
}

uint32_t tt_registry_process_begin(struct tt_capture *capture, uint64_t number, uint64_t when)
{
    struct tt_tables *tables = capture->tables;
    struct system_pid pid = registry_pid_of(capture, number);
    uint32_t n = newest_begun_by(tables, pid, when);
    if (n == UINT32_MAX) {
        return add_process(tables, pid, when, UINT64_MAX, UINT32_MAX);
    }
    struct tt_process *process = registry_process_of(tables, n);
    uint64_t end = process->end_when;
    if (end < when) {
        uint32_t newer = adopt_newer(tables, n, when);
        return newer != UINT32_MAX ? newer : add_process(tables, pid, when, UINT64_MAX, n);
    }
    if (process->begin_unknown) {
        process->begin_unknown = false;
        process->first_when = when;
        return n;
    }
    uint32_t *repeated_begins =
        &registry_process_of(tables, first_added(tables, pid))->repeated_begins;
    if (!capture->lanes_by_time || when <= process->first_when ||
        *repeated_begins >= REPEATED_MAX) {
        return n;
    }
    /* A repeated record, or the end is still to come: a known end belongs to the later process. */
    uint32_t added = add_process(tables, pid, when, end, n);
    if (added != UINT32_MAX) {
        process->end_when = UINT64_MAX;
        ++*repeated_begins;
    }
    return added;
}

void tt_registry_process_end(struct tt_capture *capture, uint64_t number, uint64_t when)
{
    struct tt_tables *tables = capture->tables;
    struct system_pid pid = registry_pid_of(capture, number);
    uint32_t n = newest_begun_by(tables, pid, when);
    if (n == UINT32_MAX) {
        return;
    }
    struct tt_process *process = registry_process_of(tables, n);
    uint64_t known = process->end_when;
    if (known == UINT64_MAX || !capture->lanes_by_time) {
        uint32_t *repeated_begins =
            &registry_process_of(tables, first_added(tables, pid))->repeated_begins;
        *repeated_begins -= known == UINT64_MAX && *repeated_begins > 0;
        process->end_when = when;
        return;
    }
    if (known == when) {
        return;
    }
    /* Two ends: another process began between them, of which nothing else is known yet. */
    uint64_t first = known < when ? known : when, second = known < when ? when : known;
    uint32_t added = add_process(tables, pid, first + 1, second, n);
    if (added != UINT32_MAX) {
        process->end_when = first;
        registry_process_of(tables, added)->begin_unknown = true;
    }
}

void tt_registry_process_name(struct tt_capture *capture, uint32_t process, tt_string name)
{
    if (process < tt_process_count(capture)) {
        struct tt_process *p = tt_column_at(&capture->tables->processes, process);
        p->name = name;
    }
}

static bool registry_add_thread(struct tt_tables *tables, uint32_t thread, uint64_t hash)
{
    pthread_mutex_lock(&tables->lock);
    bool added = tt_numbers_reserve(&tables->lanes, hash_of_lane, tables);
    if (added) {
        tt_numbers_put(&tables->lanes, hash, thread);
        tt_column_publish(&tables->threads);
    }
    pthread_mutex_unlock(&tables->lock);
    return tt_tables_saved(tables, added);
}

static uint32_t thread_of_process(struct tt_tables *tables, uint32_t process, uint64_t tid)
{
    uint32_t n = registry_find_thread(tables, process, tid);
    if (n != UINT32_MAX) {
        return n;
    }
    uint64_t count = tt_column_count(&tables->threads);
    struct tt_thread *thread = count < TT_MOVE ? tt_column_next(&tables->threads) : NULL;
    if (!tt_tables_saved(tables, thread != NULL)) {
        return UINT32_MAX;
    }
    struct tt_process *owner = tt_column_at(&tables->processes, process);
    thread->tid = tid;
    thread->process = process;
    thread->index = owner->threads;
    if (!registry_add_thread(tables, (uint32_t)count, hash_thread(process, tid))) {
        return UINT32_MAX;
    }
    owner->threads++;
    return (uint32_t)count;
}

uint32_t tt_registry_thread(struct tt_capture *capture, uint64_t pid, uint64_t tid, uint64_t when)
{
    uint32_t process = tt_registry_process(capture, pid, when);
    return process == UINT32_MAX ? UINT32_MAX : thread_of_process(capture->tables, process, tid);
}

/* Moves a thread: its old key leads to a move, its new key to the lane. Requires the lock. */
static bool move_thread(struct tt_tables *tables, uint32_t thread, uint32_t process)
{
    struct tt_thread *moved = tt_column_at(&tables->threads, thread);
    uint64_t number = tt_column_count(&tables->moves);
    struct tt_move *move = number < TT_MOVE - 1 ? tt_column_next(&tables->moves) : NULL;
    if (!move || !tt_numbers_reserve(&tables->lanes, hash_of_lane, tables)) {
        return false;
    }
    *move = (struct tt_move){thread, moved->process};
    tt_column_publish(&tables->moves);
    tt_numbers_replace(&tables->lanes, hash_thread(move->from, moved->tid), thread,
                       TT_MOVE | (uint32_t)number);
    moved->process = process;
    tt_numbers_put(&tables->lanes, hash_thread(process, moved->tid), thread);
    return true;
}

bool tt_registry_thread_move(struct tt_capture *capture, uint32_t thread, uint32_t process)
{
    struct tt_tables *tables = capture->tables;
    if (thread >= tt_thread_count(capture) || process >= tt_process_count(capture)) {
        return true;
    }
    const struct tt_thread *moved = tt_column_at(&tables->threads, thread);
    uint32_t left = moved->process;
    if (left == process) {
        return true;
    }
    announce_change(tables);
    pthread_mutex_lock(&tables->lock);
    bool done = move_thread(tables, thread, process);
    pthread_mutex_unlock(&tables->lock);
    if (!tt_tables_saved(tables, done)) {
        return false;
    }
    struct tt_process *from = tt_column_at(&tables->processes, left);
    struct tt_process *to = tt_column_at(&tables->processes, process);
    from->threads--;
    to->threads++;
    return true;
}

bool tt_registry_any_moved(const struct tt_capture *capture)
{
    return tt_column_count(&capture->tables->moves) > 0;
}

static bool index_lane(struct tt_tables *tables, uint32_t number)
{
    uint32_t process, lane = lane_of_value(tables, number, &process);
    uint64_t tid = ((const struct tt_thread *)tt_column_at(&tables->threads, lane))->tid;
    if (registry_find_thread(tables, process, tid) != UINT32_MAX ||
        !tt_numbers_reserve(&tables->lanes, hash_of_lane, tables)) {
        return false;
    }
    tt_numbers_put(&tables->lanes, hash_thread(process, tid), number);
    return true;
}

bool tt_tables_find_lanes(struct tt_tables *tables)
{
    uint64_t threads = tt_column_count(&tables->threads), moves = tt_column_count(&tables->moves);
    bool good = threads < TT_MOVE && moves < TT_MOVE - 1;
    tt_numbers_free(&tables->lanes);
    for (uint64_t i = 0; good && i < threads; i++) {
        good = index_lane(tables, (uint32_t)i);
    }
    for (uint64_t i = 0; good && i < moves; i++) {
        good = index_lane(tables, TT_MOVE | (uint32_t)i);
    }
    return good;
}

void tt_registry_thread_name(struct tt_capture *capture, uint32_t thread, tt_string name)
{
    if (thread < tt_thread_count(capture)) {
        struct tt_thread *entry = tt_column_at(&capture->tables->threads, thread);
        entry->name = name;
    }
}

void tt_registry_set_idle(struct tt_capture *capture, uint32_t thread, bool idle)
{
    if (thread < tt_thread_count(capture)) {
        struct tt_thread *entry = tt_column_at(&capture->tables->threads, thread);
        if (entry->idle != idle) {
            announce_change(capture->tables);
        }
        entry->idle = idle;
    }
}

bool tt_registry_totals(const struct tt_capture *capture, struct tt_registry_totals *totals)
{
    uint32_t processes = tt_process_count(capture), threads = tt_thread_count(capture);
    uint8_t *seen = calloc((size_t)processes + 1, sizeof *seen);
    *totals = (struct tt_registry_totals){.processes = seen ? 0 : processes};
    for (uint32_t i = 0; i < threads; i++) {
        const struct tt_thread *thread = tt_thread_at(capture, i);
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

void tt_registry_set_pseudo(struct tt_capture *capture, uint32_t thread)
{
    if (thread < tt_thread_count(capture)) {
        struct tt_thread *entry = tt_column_at(&capture->tables->threads, thread);
        entry->pseudo = true;
    }
}

uint32_t tt_registry_find_process(const struct tt_capture *capture, uint64_t pid, uint64_t when)
{
    pthread_mutex_lock(&capture->tables->lock);
    uint32_t n = process_at_when(capture->tables, registry_pid_of(capture, pid), when);
    pthread_mutex_unlock(&capture->tables->lock);
    return n;
}

uint32_t tt_registry_older_process(const struct tt_capture *capture, uint32_t process)
{
    if (process >= tt_process_count(capture)) {
        return UINT32_MAX;
    }
    pthread_mutex_lock(&capture->tables->lock);
    uint32_t older = registry_process_of(capture->tables, process)->older;
    pthread_mutex_unlock(&capture->tables->lock);
    return older;
}

static uint32_t known_thread(const struct tt_tables *tables, struct system_pid pid, uint64_t tid,
                             uint64_t when)
{
    uint32_t process = process_at_when(tables, pid, when);
    return process == UINT32_MAX ? UINT32_MAX : registry_find_thread(tables, process, tid);
}

uint32_t tt_registry_known_thread(const struct tt_capture *capture, uint64_t pid, uint64_t tid,
                                  uint64_t when)
{
    return known_thread(capture->tables, registry_pid_of(capture, pid), tid, when);
}

uint32_t tt_registry_find_thread(const struct tt_capture *capture, uint64_t pid, uint64_t tid,
                                 uint64_t when)
{
    pthread_mutex_lock(&capture->tables->lock);
    uint32_t n = tt_registry_known_thread(capture, pid, tid, when);
    pthread_mutex_unlock(&capture->tables->lock);
    return n;
}

/*
 * Returns the thread if its pid was used more than once; otherwise NULL. Of a merged capture, NULL too
 * if the processes of the thread's system are not found by time, and *when becomes a time of its clock.
 */
static const struct tt_thread *ambiguous(const struct tt_capture *capture, uint32_t thread,
                                         struct system_pid *pid, uint64_t *when)
{
    if (thread >= tt_thread_count(capture)) {
        return NULL;
    }
    const struct tt_thread *t = tt_column_at(&capture->tables->threads, thread);
    const struct tt_process *process = tt_column_at(&capture->tables->processes, t->process);
    if (!process->shares_pid) {
        return NULL;
    }
    *pid = (struct system_pid){process->pid, process->space};
    if (capture->merge) {
        const struct tt_merge_member *member = &capture->merge->members[process->space];
        *when = tt_clock_map_back(&member->clock, *when);
        return member->capture->lanes_by_time ? t : NULL;
    }
    return t;
}

uint32_t tt_registry_settle(const struct tt_capture *capture, uint32_t thread, uint64_t when)
{
    struct system_pid pid;
    const struct tt_thread *t = ambiguous(capture, thread, &pid, &when);
    if (!t) {
        return thread;
    }
    pthread_mutex_lock(&capture->tables->lock);
    uint32_t n = known_thread(capture->tables, pid, t->tid, when);
    pthread_mutex_unlock(&capture->tables->lock);
    return n != UINT32_MAX ? n : thread;
}

uint32_t tt_registry_settle_or_add(struct tt_capture *capture, uint32_t thread, uint64_t when)
{
    struct system_pid pid;
    const struct tt_thread *t = ambiguous(capture, thread, &pid, &when);
    if (!t) {
        return thread;
    }
    uint32_t process = process_or_add(capture->tables, pid, when);
    uint32_t n =
        process == UINT32_MAX ? process : thread_of_process(capture->tables, process, t->tid);
    return n != UINT32_MAX ? n : thread;
}

uint32_t tt_process_count(const struct tt_capture *capture)
{
    return (uint32_t)tt_column_count(&capture->tables->processes);
}

const struct tt_process *tt_process_at(const struct tt_capture *capture, uint32_t process)
{
    return tt_column_at(&capture->tables->processes, process);
}

uint32_t tt_thread_count(const struct tt_capture *capture)
{
    return (uint32_t)tt_column_count(&capture->tables->threads);
}

const struct tt_thread *tt_thread_at(const struct tt_capture *capture, uint32_t thread)
{
    return tt_column_at(&capture->tables->threads, thread);
}
