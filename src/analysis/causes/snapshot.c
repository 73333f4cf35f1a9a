/* SPDX-License-Identifier: Apache-2.0 */
#include "tracetui/snapshot.h"

#include <stdlib.h>

#include "analysis/causes/answer.h"
#include "analysis/causes/blocked_on.h"
#include "analysis/causes/holder.h"
#include "analysis/causes/ready.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tracetui/line_parts.h"

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
static struct tt_interval last_blocked(const struct tt_timelines *t, struct tt_interval_at at)
{
    struct tt_interval last = tt_interval_get(t, at);
    while (tt_interval_next(t, &at)) {
        struct tt_interval next = tt_interval_get(t, at);
        if (!tt_class_is_blocked(next.class_) || next.cut_before) {
            break;
        }
        last = next;
    }
    return last;
}

/* Finds the wake that ends a thread's wait at `at`; false if none does. */
static bool find_wake(struct tt_wakes *w, uint32_t thread, uint64_t at, struct tt_wake *wake)
{
    const struct tt_timelines *t = tt_wakes_timelines(w);
    struct tt_interval_at place;
    if (!tt_interval_find(t, thread, at, &place) ||
        !tt_class_is_blocked(tt_interval_get(t, place).class_)) {
        return false;
    }
    struct tt_interval last = last_blocked(t, place);
    if (last.open) {
        return false;
    }
    tt_wake_find(w, &last, wake);
    return wake->by != TT_WAKER_UNKNOWN;
}

/*
 * Returns whether a thread may wait at `at` for a lock that it gets later: its state is unknown or
 * that of a wait for this or an unknown lock, or records are lost in it. The wake that ends the wait
 * is not known.
 */
static bool may_wait_for(struct tt_wakes *w, uint32_t thread, uint64_t object, uint64_t at)
{
    const struct tt_timelines *t = tt_wakes_timelines(w);
    struct tt_interval_at place;
    struct tt_blocked_on on;
    uint64_t loss;
    if (!tt_interval_find(t, thread, at, &place)) {
        return false;
    }
    struct tt_interval i = tt_interval_get(t, place);
    if (!tt_class_is_blocked(i.class_)) {
        return i.class_ == TT_CLASS_UNKNOWN;
    }
    if (i.class_ != TT_CLASS_LOCK) {
        return tt_loss_of(t, thread, i.start + 1, i.end, &loss);
    }
    return !tt_blocked_on_find(w, &i, &on) || on.object == 0 || on.object == object;
}

/*
 * Finds the holder of a lock at an instant from the thread that unlocked it in the end: if that one
 * waited for the lock too, the thread that unlocked it before, and so on. TT_NO_THREAD if the chain
 * ends at a thread that may still wait for the lock, or records are lost in it.
 */
static uint32_t holder_at(struct tt_wakes *w, const struct tt_wake *wake, uint64_t at)
{
    uint32_t holder = wake->waker;
    struct tt_wake before = *wake;
    if (tt_wakes_lost(w, at, wake->at)) {
        return TT_NO_THREAD;
    }
    for (unsigned i = 0; i < HOLDERS_MOST; i++) {
        if (!find_wake(w, holder, at, &before)) {
            return may_wait_for(w, holder, wake->object, at) ? TT_NO_THREAD : holder;
        }
        if (before.kind != TT_WAKE_UNLOCK || before.object != wake->object ||
            before.by != TT_WAKER_THREAD) {
            return holder;
        }
        holder = before.waker;
    }
    return TT_NO_THREAD;
}

static void set_thread(struct tt_snapshot_row *row, uint32_t thread, bool from_wake)
{
    row->waits_for = TT_WAITS_FOR_THREAD;
    row->by = thread;
    row->from_wake = from_wake;
}

static void set_wake(struct tt_wakes *w, struct tt_snapshot_row *row, const struct tt_wake *wake,
                     uint64_t at)
{
    if (wake->by == TT_WAKER_INTERRUPT) {
        row->waits_for = wake->kind == TT_WAKE_TIMER ? TT_WAITS_FOR_TIMER : TT_WAITS_FOR_INTERRUPT;
        row->from_wake = row->class_ != TT_CLASS_SLEEP;
        row->vector = wake->vector;
    } else if (wake->kind == TT_WAKE_UNLOCK) {
        uint32_t holder = holder_at(w, wake, at);
        if (holder != TT_NO_THREAD) {
            set_thread(row, holder, true);
        }
    } else {
        set_thread(row, wake->waker, true);
    }
}

/* Returns the activity of a thread; `wake` is the kind of what ends its wait, UNKNOWN if that is not known. */
static uint8_t doing_of(const struct tt_capture *c, const struct tt_snapshot_row *row,
                        unsigned wake)
{
    if (tt_thread_at(c, row->thread)->idle) {
        return TT_DOING_IDLE;
    }
    if (!tt_class_is_blocked(row->class_)) {
        return row->class_ == TT_CLASS_RUNNING ? TT_DOING_RUN
               : row->class_ == TT_CLASS_READY ? TT_DOING_READY
                                               : TT_DOING_WAIT;
    }
    if (tt_wait_is_owed(c, row->state, wake)) {
        return TT_DOING_BLOCKED;
    }
    return row->class_ == TT_CLASS_IPC || wake == TT_WAKE_MESSAGE ? TT_DOING_IDLE : TT_DOING_WAIT;
}

static void set_blocked(struct tt_wakes *w, struct tt_interval_at place,
                        const struct tt_interval *i, uint64_t at, struct tt_snapshot_row *row)
{
    const struct tt_timelines *t = tt_wakes_timelines(w);
    struct tt_interval last = last_blocked(t, place);
    struct tt_blocked_on on;
    struct tt_wake wake = {.by = TT_WAKER_UNKNOWN};
    uint64_t until;
    bool known = tt_blocked_on_find(w, i, &on) && on.thread != TT_NO_THREAD;
    if (!last.open) {
        tt_wake_find(w, &last, &wake);
    }
    row->doing = doing_of(tt_wakes_capture(w), row, wake.kind);
    row->waits_for = i->class_ == TT_CLASS_SLEEP ? TT_WAITS_FOR_TIMER : TT_WAITS_FOR_UNKNOWN;
    bool unlocked = wake.by == TT_WAKER_THREAD && wake.kind == TT_WAKE_UNLOCK;
    if (known && unlocked) {
        uint32_t holder = holder_at(w, &wake, at);
        if (holder != TT_NO_THREAD) {
            set_thread(row, holder, holder != on.thread);
        }
    } else if (known && i->class_ != TT_CLASS_SLEEP) {
        uint32_t holder = tt_holder_at(w, i, on.thread, at, &until);
        if (holder != TT_NO_THREAD) {
            set_thread(row, holder, false);
        }
    } else if (wake.by != TT_WAKER_UNKNOWN) {
        set_wake(w, row, &wake, at);
    } else if (i->class_ == TT_CLASS_LOCK && last.open) {
        uint32_t holder = tt_holder_at(w, i, TT_NO_THREAD, at, &until);
        if (holder != TT_NO_THREAD) {
            set_thread(row, holder, false);
        }
    }
}

/* Sets the server of a thread that waits for an answer, where no record has the wait. */
static void set_answer(const struct tt_timelines *t, const struct tt_capture *c,
                       const struct tt_interval *i, uint64_t at, struct tt_snapshot_row *row)
{
    struct tt_message m;
    if (!tt_waits_for_answer(t, c, i, &m) || m.end <= at) {
        return;
    }
    row->waits_for = TT_WAITS_FOR_UNKNOWN;
    row->doing = TT_DOING_BLOCKED;
    if (m.server != TT_NO_THREAD) {
        set_thread(row, m.server, false);
    }
}

static void set_ready(struct tt_wakes *w, struct tt_interval_at place, const struct tt_interval *i,
                      uint64_t at, struct tt_snapshot_row *row)
{
    const struct tt_timelines *t = tt_wakes_timelines(w);
    struct tt_ready_walk walk = {.t = t,
                                 .c = tt_wakes_capture(w),
                                 .thread = i->thread,
                                 .cpu = tt_ready_cpu(t, place, i),
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
static bool set_state(const struct tt_capture *c, const struct tt_timelines *t, uint32_t thread,
                      uint64_t at, struct tt_snapshot_row *row)
{
    struct tt_interval_at place;
    if (!tt_interval_find(t, thread, at, &place)) {
        return false;
    }
    struct tt_interval i = tt_interval_get(t, place);
    if (i.end <= at && !i.open) {
        return false; /* its process has ended */
    }
    bool cut = tt_interval_next(t, &place) && tt_interval_get(t, place).cut_before;
    *row = (struct tt_snapshot_row){.since = i.start,
                                    .until = i.end,
                                    .vector = TT_NO_VECTOR,
                                    .thread = thread,
                                    .by = TT_NO_THREAD,
                                    .priority = tt_thread_priority(t, thread, at),
                                    .state = i.state,
                                    .cpu = i.cpu,
                                    .class_ = i.class_,
                                    .since_known = !i.since_before,
                                    .until_known = !i.open && !cut};
    row->doing = doing_of(c, row, TT_WAKE_UNKNOWN);
    return true;
}

void tt_snapshot_link(struct tt_wakes *w, struct tt_snapshot *s, struct tt_snapshot_row *row)
{
    const struct tt_timelines *t = tt_wakes_timelines(w);
    struct tt_interval_at place;
    if (row->linked) {
        return;
    }
    row->linked = true;
    if (tt_thread_at(tt_wakes_capture(w), row->thread)->idle ||
        !tt_interval_find(t, row->thread, s->at, &place)) {
        return;
    }
    struct tt_interval i = tt_interval_get(t, place);
    if (tt_class_is_blocked(i.class_)) {
        set_blocked(w, place, &i, s->at, row);
    } else if (i.class_ == TT_CLASS_READY) {
        set_ready(w, place, &i, s->at, row);
    } else {
        set_answer(t, tt_wakes_capture(w), &i, s->at, row);
    }
}

const struct tt_snapshot_row *tt_snapshot_next(const struct tt_snapshot *s,
                                               const struct tt_snapshot_row *row)
{
    uint32_t next = row->by < s->threads ? s->row_of[row->by] : NO_ROW;
    return next != NO_ROW && row->by != row->thread ? &s->rows[next] : NULL;
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
static void follow(struct tt_snapshot *s, struct tt_snapshot_row *row)
{
    const struct tt_snapshot_row *at = row;
    bool stuck = is_stuck(row);
    row->depth = 0;
    while ((at = tt_snapshot_next(s, at)) != NULL && row->depth < s->threads) {
        row->depth++;
        if (at == row) {
            row->deadlock = stuck;
            return;
        }
        stuck = stuck && is_stuck(at);
    }
}

/* Limits a chain that runs into a cycle to its different threads. */
static void limit(const struct tt_snapshot *s, struct tt_snapshot_row *row)
{
    /* Two walkers meet in a cycle; the length is that of the path before it and of the cycle. */
    const struct tt_snapshot_row *slow = row, *fast = row;
    do {
        slow = tt_snapshot_next(s, slow);
        fast = tt_snapshot_next(s, fast);
        fast = fast ? tt_snapshot_next(s, fast) : NULL;
        if (!fast) {
            return;
        }
    } while (slow != fast);
    uint32_t length = 0;
    for (slow = row; slow != fast; length++) {
        slow = tt_snapshot_next(s, slow);
        fast = tt_snapshot_next(s, fast);
    }
    do {
        slow = tt_snapshot_next(s, slow);
        length++;
    } while (slow != fast);
    row->depth = length;
}

void tt_snapshot_link_chain(struct tt_wakes *w, struct tt_snapshot *s, struct tt_snapshot_row *row)
{
    const struct tt_snapshot_row *at = row;
    for (uint32_t i = 0; at && i <= s->threads; i++) { /* the chain may run into a cycle */
        tt_snapshot_link(w, s, &s->rows[at - s->rows]);
        tt_snapshot_state(w, s, at->by);
        at = tt_snapshot_next(s, at);
    }
    follow(s, row);
    limit(s, row);
}

/* Sort key of a row. */
struct order {
    uint64_t pid, tid;
    uint32_t thread;
};

static int compare_order(const void *x, const void *y)
{
    const struct order *a = x, *b = y;
    if (a->pid != b->pid) {
        return a->pid < b->pid ? -1 : 1;
    }
    if (a->tid != b->tid) {
        return a->tid < b->tid ? -1 : 1;
    }
    return (a->thread > b->thread) - (a->thread < b->thread);
}

/* Computes the order of the threads. */
static bool sort_threads(const struct tt_capture *c, struct tt_snapshot *s)
{
    struct order *order = malloc(((size_t)s->threads + 1) * sizeof *order);
    if (!order) {
        return false;
    }
    for (uint32_t i = 0; i < s->threads; i++) {
        const struct tt_thread *thread = tt_thread_at(c, i);
        order[i] = (struct order){tt_process_at(c, thread->process)->pid, thread->tid, i};
    }
    qsort(order, s->threads, sizeof *order, compare_order);
    for (uint32_t i = 0; i < s->threads; i++) {
        s->order[i] = order[i].thread;
        s->place[order[i].thread] = i;
    }
    free(order);
    return true;
}

/* Allocates the rows, unless they are from a previous call for the same threads. */
static bool reserve(const struct tt_capture *c, struct tt_snapshot *s)
{
    uint32_t threads = tt_thread_count(c);
    if (s->order && s->threads == threads) {
        return true;
    }
    tt_snapshot_free(s);
    s->threads = threads;
    s->rows = malloc(((size_t)threads + 1) * sizeof *s->rows);
    s->row_of = malloc(((size_t)threads + 1) * sizeof *s->row_of);
    s->order = malloc(((size_t)threads + 1) * sizeof *s->order);
    s->place = malloc(((size_t)threads + 1) * sizeof *s->place);
    s->known = malloc(((size_t)threads + 1) * sizeof *s->known);
    if (!s->rows || !s->row_of || !s->order || !s->place || !s->known || !sort_threads(c, s)) {
        tt_snapshot_free(s);
        return false;
    }
    return true;
}

bool tt_snapshot_begin(struct tt_wakes *w, uint64_t at, struct tt_snapshot *s)
{
    const struct tt_timelines *t = tt_wakes_timelines(w);
    if (!reserve(tt_wakes_capture(w), s)) {
        return false;
    }
    s->at = at;
    s->count = s->reached = s->searched = 0;
    for (uint32_t i = 0; i < s->threads; i++) {
        s->row_of[i] = NO_ROW;
        s->rows[i].thread = s->order[i];
        s->known[i] = false;
    }
    s->listed = s->complete = at < tt_timelines_begin(t) || at > tt_timelines_end(t);
    return true;
}

/* Searches the state of the thread at a place of the order. */
static void search_place(struct tt_wakes *w, struct tt_snapshot *s, uint32_t place)
{
    uint32_t thread = s->order[place];
    const struct tt_capture *c = tt_wakes_capture(w);
    if (!s->known[place] && !tt_thread_at(c, thread)->pseudo &&
        set_state(c, tt_wakes_timelines(w), thread, s->at, &s->rows[place])) {
        s->row_of[thread] = place;
    }
    s->known[place] = true;
}

struct tt_snapshot_row *tt_snapshot_state(struct tt_wakes *w, struct tt_snapshot *s,
                                          uint32_t thread)
{
    if (thread >= s->threads) {
        return NULL;
    }
    if (!s->listed) {
        search_place(w, s, s->place[thread]);
    }
    return s->row_of[thread] != NO_ROW ? &s->rows[s->row_of[thread]] : NULL;
}

/* Removes the threads without a state from the rows. */
static void list_rows(struct tt_snapshot *s)
{
    for (uint32_t i = 0; i < s->threads; i++) {
        uint32_t *row = &s->row_of[s->order[i]];
        if (*row != NO_ROW) {
            *row = s->count;
            s->rows[s->count++] = s->rows[i];
        }
    }
    s->listed = true;
    s->complete = s->count == 0;
}

bool tt_snapshot_step(struct tt_wakes *w, struct tt_snapshot *s, uint32_t rows)
{
    uint64_t states = (uint64_t)rows * STATES_A_LINK;
    for (; !s->listed && s->searched < s->threads && states > 0; s->searched++, states--) {
        search_place(w, s, s->searched);
    }
    if (!s->listed) {
        if (s->searched < s->threads) {
            return false;
        }
        list_rows(s);
    }
    uint32_t end = rows < s->count - s->reached ? s->reached + rows : s->count;
    while (s->reached < end) {
        tt_snapshot_link(w, s, &s->rows[s->reached++]);
    }
    if (s->reached == s->count && !s->complete) {
        for (uint32_t i = 0; i < s->count; i++) {
            follow(s, &s->rows[i]);
            limit(s, &s->rows[i]);
        }
        s->complete = true;
    }
    return s->complete;
}

bool tt_snapshot_make(struct tt_wakes *w, uint64_t at, struct tt_snapshot *s)
{
    return tt_snapshot_begin(w, at, s) && tt_snapshot_step(w, s, UINT32_MAX);
}

void tt_snapshot_free(struct tt_snapshot *s)
{
    free(s->rows);
    free(s->row_of);
    free(s->order);
    free(s->place);
    free(s->known);
    *s = (struct tt_snapshot){0};
}

/* ---- deadlocks ---------------------------------------------------------------------------- */

bool tt_snapshot_begins_deadlock(const struct tt_snapshot *s, const struct tt_snapshot_row *row)
{
    const struct tt_snapshot_row *other = row;
    if (!row->deadlock) {
        return false;
    }
    do {
        other = tt_snapshot_next(s, other);
    } while (other > row);
    return other == row;
}

void tt_snapshot_put_cycle(struct tt_text *text, const struct tt_capture *c,
                           const struct tt_snapshot *s, const struct tt_snapshot_row *first)
{
    const struct tt_snapshot_row *row = first;
    do {
        tt_line_thread(text, c, row->thread);
        tt_text_char(text, ' ');
        tt_text_str(text, tt_line_state(c, row->state));
        tt_text_str(text, " > ");
        row = tt_snapshot_next(s, row);
    } while (row && row != first);
    tt_line_thread(text, c, first->thread);
}

/* ---- CPUs --------------------------------------------------------------------------------- */

/* Finds the kernel call that a thread is in: its last call that has not ended. */
static bool find_call(struct tt_wakes *w, uint32_t thread, uint64_t at, uint32_t *type)
{
    tt_wakes_search_in(w, thread);
    struct tt_events *events = tt_wakes_events(w);
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

bool tt_snapshot_cpu(struct tt_wakes *w, uint64_t at, uint16_t cpu, struct tt_snapshot_cpu *r)
{
    const struct tt_timelines *t = tt_wakes_timelines(w);
    struct tt_occupation_at place;
    if (at < tt_timelines_begin(t) || at > tt_timelines_end(t) ||
        !tt_occupation_find(t, cpu, at, &place)) {
        return false;
    }
    struct tt_occupation o = tt_occupation_get(t, place);
    *r = (struct tt_snapshot_cpu){.occupant = o.occupant,
                                  .since = o.start,
                                  .interrupts = tt_cpu_irq_depth(t, cpu, at),
                                  .vector = TT_NO_VECTOR};
    if (r->interrupts > 0) {
        r->vector = tt_wakes_interrupt_at(w, cpu, at);
    }
    if (o.occupant < tt_thread_count(tt_wakes_capture(w)) && !o.idle) {
        r->has_call = find_call(w, o.occupant, at, &r->call);
    }
    return true;
}
