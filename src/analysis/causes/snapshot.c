/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/causes/snapshot.h"

#include <stdlib.h>

#include "analysis/causes/answer.h"
#include "analysis/causes/blocked_on.h"
#include "analysis/causes/holder.h"
#include "analysis/causes/ready.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"

#define HOLDERS_MOST  64u  /* threads that had the mutex one after the other */
#define CALL_REACH    512u /* events read backwards to find the call that a thread is in */
#define NO_ROW        UINT32_MAX
#define STATES_A_LINK 16u /* searches of a state that take as long as linking a row */

const char *tt_waits_for_name(unsigned waits_for)
{
    static const char *const names[] = {
#define X(id, name) name,
        TT_WAITS_FOR_INFO(X)
#undef X
    };
    return waits_for < sizeof names / sizeof *names ? names[waits_for] : "unknown";
}

/* ---- what a thread waits for -------------------------------------------------------------- */

/* Finds the last of the consecutive blocked intervals of which `at` is one; the wake ends it. */
static struct tt_interval last_blocked(const struct tt_timelines *timelines,
                                       struct tt_interval_at at)
{
    struct tt_interval last = tt_interval_get(timelines, at);
    while (tt_interval_next(timelines, &at)) {
        struct tt_interval next = tt_interval_get(timelines, at);
        if (!tt_class_is_blocked(next.class_) || next.cut_before) {
            break;
        }
        last = next;
    }
    return last;
}

/*
 * Returns whether a thread may wait at `at` for a lock that it gets later: its state is unknown or
 * that of a wait for this or an unknown lock, or records are lost in it. The wake that ends the wait
 * is not known.
 */
static bool may_wait_for(struct tt_wakes *wakes, uint32_t thread, uint64_t object, uint64_t at)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    struct tt_interval_at place;
    struct tt_blocked_on on;
    uint64_t loss;
    if (!tt_interval_find(timelines, thread, at, &place)) {
        return false;
    }
    struct tt_interval i = tt_interval_get(timelines, place);
    if (!tt_class_is_blocked(i.class_)) {
        return i.class_ == TT_CLASS_UNKNOWN;
    }
    if (i.class_ != TT_CLASS_LOCK) {
        return tt_loss_of(timelines, thread, i.start + 1, i.end, &loss);
    }
    return !tt_blocked_on_find(wakes, &i, &on) || on.object == 0 || on.object == object;
}

/*
 * Finds the holder of a lock at an instant from the thread that unlocked it in the end: if that one
 * waited for the lock too, the thread that unlocked it before, and so on. TT_NO_THREAD if the chain
 * ends at a thread that may still wait for the lock, or records are lost in it.
 */
static uint32_t holder_at(struct tt_wakes *wakes, const struct tt_wake *wake, uint64_t at)
{
    uint32_t holder = wake->waker;
    struct tt_wake before = *wake;
    if (tt_wakes_lost(wakes, at, wake->at)) {
        return TT_NO_THREAD;
    }
    for (unsigned i = 0; i < HOLDERS_MOST; i++) {
        /* Finds the wake that ends a thread's wait at `at`. */
        const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
        struct tt_interval_at place;
        if (!tt_interval_find(timelines, holder, at, &place) ||
            !tt_class_is_blocked(tt_interval_get(timelines, place).class_)) {
            return may_wait_for(wakes, holder, wake->object, at) ? TT_NO_THREAD : holder;
        }
        struct tt_interval last = last_blocked(timelines, place);
        if (last.open) {
            return may_wait_for(wakes, holder, wake->object, at) ? TT_NO_THREAD : holder;
        }
        tt_wake_find(wakes, &last, &before);
        if (before.by == TT_WAKER_UNKNOWN) {
            return may_wait_for(wakes, holder, wake->object, at) ? TT_NO_THREAD : holder;
        }

        if (before.kind != TT_WAKE_UNLOCK || before.object != wake->object ||
            before.by != TT_WAKER_THREAD) {
            return holder;
        }
        holder = before.waker;
    }
    return TT_NO_THREAD;
}

static void snapshot_set_thread(struct tt_snapshot_row *row, uint32_t thread, bool from_wake)
{
    row->waits_for = TT_WAITS_FOR_THREAD;
    row->by = thread;
    row->from_wake = from_wake;
}

static void set_wake(struct tt_wakes *wakes, struct tt_snapshot_row *row,
                     const struct tt_wake *wake, uint64_t at)
{
    if (wake->by == TT_WAKER_INTERRUPT) {
        row->waits_for = wake->kind == TT_WAKE_TIMER ? TT_WAITS_FOR_TIMER : TT_WAITS_FOR_INTERRUPT;
        row->from_wake = row->class_ != TT_CLASS_SLEEP;
        row->vector = wake->vector;
    } else if (wake->kind == TT_WAKE_UNLOCK) {
        uint32_t holder = holder_at(wakes, wake, at);
        if (holder != TT_NO_THREAD) {
            snapshot_set_thread(row, holder, true);
        }
    } else {
        snapshot_set_thread(row, wake->waker, true);
    }
}

/* Returns the activity of a thread; `wake` is the kind of what ends its wait, UNKNOWN if that is not known. */
static uint8_t doing_of(const struct tt_capture *capture, const struct tt_snapshot_row *row,
                        unsigned wake)
{
    if (tt_thread_at(capture, row->thread)->idle) {
        return TT_DOING_IDLE;
    }
    if (!tt_class_is_blocked(row->class_)) {
        return row->class_ == TT_CLASS_RUNNING ? TT_DOING_RUN
               : row->class_ == TT_CLASS_READY ? TT_DOING_READY
                                               : TT_DOING_WAIT;
    }
    if (tt_wait_is_owed(capture, row->state, wake)) {
        return TT_DOING_BLOCKED;
    }
    return row->class_ == TT_CLASS_IPC || wake == TT_WAKE_MESSAGE ? TT_DOING_IDLE : TT_DOING_WAIT;
}

static void set_blocked(struct tt_wakes *wakes, struct tt_interval_at place,
                        const struct tt_interval *interval, uint64_t at,
                        struct tt_snapshot_row *row)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    struct tt_interval last = last_blocked(timelines, place);
    struct tt_blocked_on on;
    struct tt_wake wake = {.by = TT_WAKER_UNKNOWN};
    uint64_t until;
    bool known = tt_blocked_on_find(wakes, interval, &on) && on.thread != TT_NO_THREAD;
    if (!last.open) {
        tt_wake_find(wakes, &last, &wake);
    }
    row->doing = doing_of(tt_wakes_capture(wakes), row, wake.kind);
    row->waits_for = interval->class_ == TT_CLASS_SLEEP ? TT_WAITS_FOR_TIMER : TT_WAITS_FOR_UNKNOWN;
    bool unlocked = wake.by == TT_WAKER_THREAD && wake.kind == TT_WAKE_UNLOCK;
    if (known && unlocked) {
        uint32_t holder = holder_at(wakes, &wake, at);
        if (holder != TT_NO_THREAD) {
            snapshot_set_thread(row, holder, holder != on.thread);
        }
    } else if (known && interval->class_ != TT_CLASS_SLEEP) {
        uint32_t holder = tt_holder_at(wakes, interval, on.thread, at, &until);
        if (holder != TT_NO_THREAD) {
            snapshot_set_thread(row, holder, false);
        }
    } else if (wake.by != TT_WAKER_UNKNOWN) {
        set_wake(wakes, row, &wake, at);
    } else if (interval->class_ == TT_CLASS_LOCK && last.open) {
        uint32_t holder = tt_holder_at(wakes, interval, TT_NO_THREAD, at, &until);
        if (holder != TT_NO_THREAD) {
            snapshot_set_thread(row, holder, false);
        }
    }
}

static void set_ready(struct tt_wakes *wakes, struct tt_interval_at place,
                      const struct tt_interval *interval, uint64_t at, struct tt_snapshot_row *row)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    struct tt_ready_walk walk = {.t = timelines,
                                 .c = tt_wakes_capture(wakes),
                                 .thread = interval->thread,
                                 .cpu = tt_ready_cpu(timelines, place, interval),
                                 .at = at,
                                 .to = at + 1};
    struct tt_ready_piece piece;
    row->cpu = walk.cpu;
    row->waits_for = TT_WAITS_FOR_CPU;
    if (at < UINT64_MAX && tt_ready_next(&walk, &piece)) {
        row->by = piece.by;
    }
}

/* ---- rows --------------------------------------------------------------------------------- */

/* Sets the state of a thread; false if it has none at that time. */
static bool snapshot_set_state(const struct tt_capture *capture,
                               const struct tt_timelines *timelines, uint32_t thread, uint64_t at,
                               struct tt_snapshot_row *row)
{
    struct tt_interval_at place;
    if (!tt_interval_find(timelines, thread, at, &place)) {
        return false;
    }
    struct tt_interval i = tt_interval_get(timelines, place);
    if (i.end <= at && !i.open) {
        return false; /* its process has ended */
    }
    bool cut = tt_interval_next(timelines, &place) && tt_interval_get(timelines, place).cut_before;
    *row = (struct tt_snapshot_row){.since = i.start,
                                    .until = i.end,
                                    .vector = TT_NO_VECTOR,
                                    .thread = thread,
                                    .by = TT_NO_THREAD,
                                    .priority = tt_thread_priority(timelines, thread, at),
                                    .state = i.state,
                                    .cpu = i.cpu,
                                    .class_ = i.class_,
                                    .since_known = !i.since_before,
                                    .until_known = !i.open && !cut};
    row->doing = doing_of(capture, row, TT_WAKE_UNKNOWN);
    return true;
}

/* Links one row. */
static void snapshot_link(struct tt_wakes *wakes, struct tt_snapshot *snapshot,
                          struct tt_snapshot_row *row)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    struct tt_interval_at place;
    if (row->linked) {
        return;
    }
    row->linked = true;
    if (tt_thread_at(tt_wakes_capture(wakes), row->thread)->idle ||
        !tt_interval_find(timelines, row->thread, snapshot->at, &place)) {
        return;
    }
    struct tt_interval i = tt_interval_get(timelines, place);
    if (tt_class_is_blocked(i.class_)) {
        set_blocked(wakes, place, &i, snapshot->at, row);
    } else if (i.class_ == TT_CLASS_READY) {
        set_ready(wakes, place, &i, snapshot->at, row);
    } else {
        /* Sets the server of a thread that waits for an answer, where no record has the wait. */
        const struct tt_capture *capture = tt_wakes_capture(wakes);
        uint64_t at = snapshot->at;
        struct tt_message m;
        if (!tt_waits_for_answer(timelines, capture, &i, &m) || m.end <= at) {
            return;
        }
        row->waits_for = TT_WAITS_FOR_UNKNOWN;
        row->doing = TT_DOING_BLOCKED;
        if (m.server != TT_NO_THREAD) {
            snapshot_set_thread(row, m.server, false);
        }
    }
}

const struct tt_snapshot_row *tt_snapshot_next(const struct tt_snapshot *snapshot,
                                               const struct tt_snapshot_row *row)
{
    uint32_t next = row->by < snapshot->threads ? snapshot->row_of[row->by] : NO_ROW;
    return next != NO_ROW && row->by != row->thread ? &snapshot->rows[next] : NULL;
}

/*
 * Returns whether the wait of a row may be part of a deadlock: its cause is known, and it does not
 * end.
 */
static bool is_stuck(const struct tt_snapshot_row *row)
{
    return row->waits_for == TT_WAITS_FOR_THREAD && !row->from_wake && !row->until_known;
}

/*
 * Counts the links of a chain, up to a thread that it has already; marks the rows of a cycle of
 * waits that do not end.
 */
static void snapshot_follow(struct tt_snapshot *snapshot, struct tt_snapshot_row *row)
{
    const struct tt_snapshot_row *at = row;
    bool stuck = is_stuck(row);
    row->depth = 0;
    while ((at = tt_snapshot_next(snapshot, at)) != NULL && row->depth < snapshot->threads) {
        row->depth++;
        if (at == row) {
            row->deadlock = stuck;
            return;
        }
        stuck = stuck && is_stuck(at);
    }
}

/* Limits a chain that runs into a cycle to its different threads. */
static void limit(const struct tt_snapshot *snapshot, struct tt_snapshot_row *row)
{
    /* Two walkers meet in a cycle; the length is that of the path before it and of the cycle. */
    const struct tt_snapshot_row *slow = row, *fast = row;
    do {
        slow = tt_snapshot_next(snapshot, slow);
        fast = tt_snapshot_next(snapshot, fast);
        fast = fast ? tt_snapshot_next(snapshot, fast) : NULL;
        if (!fast) {
            return;
        }
    } while (slow != fast);
    uint32_t length = 0;
    for (slow = row; slow != fast; length++) {
        slow = tt_snapshot_next(snapshot, slow);
        fast = tt_snapshot_next(snapshot, fast);
    }
    do {
        slow = tt_snapshot_next(snapshot, slow);
        length++;
    } while (slow != fast);
    row->depth = length;
}

void tt_snapshot_link_chain(struct tt_wakes *wakes, struct tt_snapshot *snapshot,
                            struct tt_snapshot_row *row)
{
    const struct tt_snapshot_row *at = row;
    for (uint32_t i = 0; at && i <= snapshot->threads; i++) { /* the chain may run into a cycle */
        snapshot_link(wakes, snapshot, &snapshot->rows[at - snapshot->rows]);
        tt_snapshot_state(wakes, snapshot, at->by);
        at = tt_snapshot_next(snapshot, at);
    }
    snapshot_follow(snapshot, row);
    limit(snapshot, row);
}

/* Sort key of a row. */
struct order {
    uint64_t pid, tid;
    uint32_t thread;
};

static int compare_order(const void *x, const void *y)
{
    const struct order *left = x, *right = y;
    if (left->pid != right->pid) {
        return left->pid < right->pid ? -1 : 1;
    }
    if (left->tid != right->tid) {
        return left->tid < right->tid ? -1 : 1;
    }
    return (left->thread > right->thread) - (left->thread < right->thread);
}

/* Computes the order of the threads. */
static bool sort_threads(const struct tt_capture *capture, struct tt_snapshot *snapshot)
{
    struct order *order = malloc(((size_t)snapshot->threads + 1) * sizeof *order);
    if (!order) {
        return false;
    }
    for (uint32_t i = 0; i < snapshot->threads; i++) {
        const struct tt_thread *thread = tt_thread_at(capture, i);
        order[i] = (struct order){tt_process_at(capture, thread->process)->pid, thread->tid, i};
    }
    qsort(order, snapshot->threads, sizeof *order, compare_order);
    for (uint32_t i = 0; i < snapshot->threads; i++) {
        snapshot->order[i] = order[i].thread;
        snapshot->place[order[i].thread] = i;
    }
    free(order);
    return true;
}

/* Allocates the rows, unless they are from a previous call for the same threads. */
static bool snapshot_reserve(const struct tt_capture *capture, struct tt_snapshot *snapshot)
{
    uint32_t threads = tt_thread_count(capture);
    if (snapshot->order && snapshot->threads == threads) {
        return true;
    }
    tt_snapshot_free(snapshot);
    snapshot->threads = threads;
    snapshot->rows = malloc(((size_t)threads + 1) * sizeof *snapshot->rows);
    snapshot->row_of = malloc(((size_t)threads + 1) * sizeof *snapshot->row_of);
    snapshot->order = malloc(((size_t)threads + 1) * sizeof *snapshot->order);
    snapshot->place = malloc(((size_t)threads + 1) * sizeof *snapshot->place);
    snapshot->known = malloc(((size_t)threads + 1) * sizeof *snapshot->known);
    if (!snapshot->rows || !snapshot->row_of || !snapshot->order || !snapshot->place ||
        !snapshot->known || !sort_threads(capture, snapshot)) {
        tt_snapshot_free(snapshot);
        return false;
    }
    return true;
}

bool tt_snapshot_begin(struct tt_wakes *wakes, uint64_t at, struct tt_snapshot *snapshot)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    if (!snapshot_reserve(tt_wakes_capture(wakes), snapshot)) {
        return false;
    }
    snapshot->at = at;
    snapshot->count = snapshot->reached = snapshot->searched = 0;
    for (uint32_t i = 0; i < snapshot->threads; i++) {
        snapshot->row_of[i] = NO_ROW;
        snapshot->rows[i].thread = snapshot->order[i];
        snapshot->known[i] = false;
    }
    snapshot->listed = snapshot->complete =
        at < tt_timelines_begin(timelines) || at > tt_timelines_end(timelines);
    return true;
}

/* Searches the state of the thread at a place of the order. */
static void search_place(struct tt_wakes *wakes, struct tt_snapshot *snapshot, uint32_t place)
{
    uint32_t thread = snapshot->order[place];
    const struct tt_capture *capture = tt_wakes_capture(wakes);
    if (!snapshot->known[place] && !tt_thread_at(capture, thread)->pseudo &&
        snapshot_set_state(capture, tt_wakes_timelines(wakes), thread, snapshot->at,
                           &snapshot->rows[place])) {
        snapshot->row_of[thread] = place;
    }
    snapshot->known[place] = true;
}

struct tt_snapshot_row *tt_snapshot_state(struct tt_wakes *wakes, struct tt_snapshot *snapshot,
                                          uint32_t thread)
{
    if (thread >= snapshot->threads) {
        return NULL;
    }
    if (!snapshot->listed) {
        search_place(wakes, snapshot, snapshot->place[thread]);
    }
    return snapshot->row_of[thread] != NO_ROW ? &snapshot->rows[snapshot->row_of[thread]] : NULL;
}

bool tt_snapshot_step(struct tt_wakes *wakes, struct tt_snapshot *snapshot, uint32_t rows)
{
    uint64_t states = (uint64_t)rows * STATES_A_LINK;
    for (; !snapshot->listed && snapshot->searched < snapshot->threads && states > 0;
         snapshot->searched++, states--) {
        search_place(wakes, snapshot, snapshot->searched);
    }
    if (!snapshot->listed) {
        if (snapshot->searched < snapshot->threads) {
            return false;
        }

        /* Removes the threads without a state from the rows. */
        for (uint32_t i = 0; i < snapshot->threads; i++) {
            uint32_t *row = &snapshot->row_of[snapshot->order[i]];
            if (*row != NO_ROW) {
                *row = snapshot->count;
                snapshot->rows[snapshot->count++] = snapshot->rows[i];
            }
        }
        snapshot->listed = true;
        snapshot->complete = snapshot->count == 0;
    }
    uint32_t end =
        rows < snapshot->count - snapshot->reached ? snapshot->reached + rows : snapshot->count;
    while (snapshot->reached < end) {
        snapshot_link(wakes, snapshot, &snapshot->rows[snapshot->reached++]);
    }
    if (snapshot->reached == snapshot->count && !snapshot->complete) {
        for (uint32_t i = 0; i < snapshot->count; i++) {
            snapshot_follow(snapshot, &snapshot->rows[i]);
            limit(snapshot, &snapshot->rows[i]);
        }
        snapshot->complete = true;
    }
    return snapshot->complete;
}

bool tt_snapshot_make(struct tt_wakes *wakes, uint64_t at, struct tt_snapshot *snapshot)
{
    return tt_snapshot_begin(wakes, at, snapshot) && tt_snapshot_step(wakes, snapshot, UINT32_MAX);
}

void tt_snapshot_free(struct tt_snapshot *snapshot)
{
    free(snapshot->rows);
    free(snapshot->row_of);
    free(snapshot->order);
    free(snapshot->place);
    free(snapshot->known);
    *snapshot = (struct tt_snapshot){0};
}

/* ---- deadlocks ---------------------------------------------------------------------------- */

bool tt_snapshot_begins_deadlock(const struct tt_snapshot *snapshot,
                                 const struct tt_snapshot_row *row)
{
    const struct tt_snapshot_row *other = row;
    if (!row->deadlock) {
        return false;
    }
    do {
        other = tt_snapshot_next(snapshot, other);
    } while (other > row);
    return other == row;
}

void tt_snapshot_put_cycle(struct tt_text *text, const struct tt_capture *capture,
                           const struct tt_snapshot *snapshot, const struct tt_snapshot_row *first)
{
    const struct tt_snapshot_row *row = first;
    do {
        tt_line_thread(text, capture, row->thread);
        tt_text_char(text, ' ');
        tt_text_str(text, tt_line_state(capture, row->state));
        tt_text_str(text, " > ");
        row = tt_snapshot_next(snapshot, row);
    } while (row && row != first);
    tt_line_thread(text, capture, first->thread);
}

/* ---- CPUs --------------------------------------------------------------------------------- */

/* Finds the kernel call that a thread is in: its last call that has not ended. */
static bool snapshot_find_call(struct tt_wakes *wakes, uint32_t thread, uint64_t at, uint32_t *type)
{
    tt_wakes_search_in(wakes, thread);
    struct tt_events *events = tt_wakes_events(wakes);
    struct tt_event list[64];
    uint64_t row = at < UINT64_MAX ? tt_events_row_at_time(events, at + 1) : tt_events_rows(events);
    for (uint32_t passed = 0; passed < CALL_REACH && row > 0;) {
        uint32_t ask = row < 64 ? (uint32_t)row : 64;
        uint32_t count = tt_events_read(events, row - ask, ask, list);
        for (uint32_t i = count; i-- > 0;) {
            struct tt_clue clue;
            if (list[i].thread != thread) {
                continue;
            }
            tt_events_clue(events, &list[i], false, &clue);
            if (list[i].kind == TT_KIND_ENTER || clue.role == TT_CLUE_CALL_END) {
                *type = list[i].type;
                return list[i].kind == TT_KIND_ENTER;
            }
        }
        passed += ask;
        row -= ask;
        if (count == 0) {
            return false;
        }
    }
    return false;
}

bool tt_snapshot_cpu(struct tt_wakes *wakes, uint64_t at, uint16_t cpu,
                     struct tt_snapshot_cpu *snapshot_cpu)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    struct tt_occupation_at place;
    if (at < tt_timelines_begin(timelines) || at > tt_timelines_end(timelines) ||
        !tt_occupation_find(timelines, cpu, at, &place)) {
        return false;
    }
    struct tt_occupation o = tt_occupation_get(timelines, place);
    *snapshot_cpu = (struct tt_snapshot_cpu){.occupant = o.occupant,
                                             .since = o.start,
                                             .interrupts = tt_cpu_irq_depth(timelines, cpu, at),
                                             .vector = TT_NO_VECTOR};
    if (snapshot_cpu->interrupts > 0) {
        snapshot_cpu->vector = tt_wakes_interrupt_at(wakes, cpu, at);
    }
    if (o.occupant < tt_thread_count(tt_wakes_capture(wakes)) && !o.idle) {
        snapshot_cpu->has_call = snapshot_find_call(wakes, o.occupant, at, &snapshot_cpu->call);
    }
    return true;
}
