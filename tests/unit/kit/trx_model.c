/* SPDX-License-Identifier: Apache-2.0 */
#include "trx_model.h"

#include <string.h>

enum {
    RESUME = 1,
    SUSPEND = 2,
    ISR_ENTER = 3,
    ISR_EXIT = 4,
    TIME_SLICE = 5,
    RUNNING = 6,
    MUTEX_GET = 52,
    MUTEX_PUT = 57,
    RELINQUISH = 109
};

#define PRIORITY_CHANGE 14u /* the state of a SUSPEND that leaves the thread ready */

/* The events of one core, in time order. */
struct ring {
    const struct model *whole; /* of all cores; NULL: there is only one */
    struct model_event *at[MODEL_MAX];
    uint32_t count;
};

/* Input of the statistics: the ring's events and the RUNNING events between them. */
struct seen {
    uint64_t context;
    uint64_t next;
    const struct model_event *event; /* NULL: a derived RUNNING */
};

struct seen_list {
    struct seen at[2 * MODEL_MAX];
    uint32_t count;
};

static bool in_thread(uint64_t context)
{
    return context != MODEL_ISR && context != MODEL_INIT;
}

static bool is_thread(uint64_t context)
{
    return in_thread(context) && context != 0;
}

/* ---- times ------------------------------------------------------------------------------ */

static void set_times(struct model *m)
{
    uint32_t up = 0, down = 0;
    for (uint32_t i = 1; i < m->count; i++) {
        uint64_t before = m->events[i - 1].stamp & m->mask, stamp = m->events[i].stamp & m->mask;
        up += stamp > before;
        down += stamp < before;
    }
    m->has_direction = up != down;
    for (uint32_t i = 0; i < m->count; i++) {
        if (i == 0) {
            m->events[i].time = 0;
            continue;
        }
        uint64_t before = m->events[i - 1].stamp & m->mask, stamp = m->events[i].stamp & m->mask;
        uint64_t step = up > down ? stamp - before : before - stamp;
        m->events[i].time = m->events[i - 1].time + (step & m->mask);
    }
}

/* ---- waits ------------------------------------------------------------------------------ */

/*
 * Returns whether a thread waits after event `when` of a core, from what is known after event `known`:
 * it was suspended and has not run since, and was not resumed by then. One core alone has no such rule.
 */
static bool waits(const struct ring *r, uint64_t thread, const struct model_event *when,
                  const struct model_event *known)
{
    if (!r->whole || !is_thread(thread)) {
        return false;
    }
    const struct model_event *first = r->whole->events, *ready = first;
    for (const struct model_event *e = first; e <= known; e++) {
        bool shows = e->context == thread;
        bool moves = in_thread(e->info[0]) && e->info[0] == thread;
        if (shows && !ready) {
            ready = e;
        }
        if (moves && e->id == SUSPEND && e->info[1] != PRIORITY_CHANGE) {
            ready = NULL;
        } else if (moves && e->id == RESUME && !ready) {
            ready = e;
        }
    }
    return !ready || ready > when;
}

/* ---- next contexts ---------------------------------------------------------------------- */

/* Returns the first event from `from` on in the context of a thread, or the ring's count. */
static uint32_t first_in_thread(const struct ring *r, uint32_t from)
{
    while (from < r->count && !in_thread(r->at[from]->context)) {
        from++;
    }
    return from;
}

static uint64_t next_of_resume(const struct ring *r, uint32_t i)
{
    const struct model_event *e = r->at[i];
    if (e->info[3] != 0) {
        return e->info[3];
    }
    uint32_t later = first_in_thread(r, i + 1);
    return later < r->count && r->at[later]->context == e->info[0] ? e->info[0] : e->context;
}

static uint64_t next_of_suspend(const struct ring *r, uint32_t i)
{
    const struct model_event *e = r->at[i];
    bool goes_on =
        e->context == e->info[0] && i + 1 < r->count && r->at[i + 1]->context == e->info[0];
    if (waits(r, e->context, e, e)) {
        return e->info[3] == e->context ? 0 : e->info[3];
    }
    return goes_on ? e->context : e->info[3];
}

static uint64_t next_of_relinquish(const struct ring *r, uint32_t i)
{
    const struct model_event *e = r->at[i];
    if (e->info[1] != 0) {
        return e->info[1];
    }
    uint32_t later = first_in_thread(r, i + 1);
    if (later == r->count || r->at[later]->context == e->context) {
        return e->context;
    }
    for (uint32_t k = i + 1; k < later; k++) {
        bool moves = r->at[k]->id == RESUME || r->at[k]->id == SUSPEND;
        if (moves && r->at[k]->info[0] == r->at[later]->context) {
            return e->context;
        }
    }
    return r->at[later]->context;
}

static uint64_t next_in_thread(const struct ring *r, uint32_t i)
{
    switch (r->at[i]->id) {
    case RESUME:
        return next_of_resume(r, i);
    case SUSPEND:
        return next_of_suspend(r, i);
    case RELINQUISH:
        return next_of_relinquish(r, i);
    default:
        return i + 1 < r->count && in_thread(r->at[i + 1]->context) &&
                       !waits(r, r->at[i + 1]->context, r->at[i], r->at[i])
                   ? r->at[i + 1]->context
                   : r->at[i]->context;
    }
}

/* Returns the thread on the core after the interrupt of event `i`. */
static uint64_t current_after(const struct ring *r, uint32_t i, uint64_t current)
{
    const struct model_event *e = r->at[i];
    if (e->id == SUSPEND) {
        return e->info[3];
    }
    if (e->id == TIME_SLICE) {
        return e->info[0];
    }
    if (e->id != RESUME) {
        return current;
    }
    if (e->info[3] != 0 || r->whole) {
        return e->info[3];
    }
    for (uint32_t k = first_in_thread(r, i + 1); k < r->count; k = first_in_thread(r, k + 1)) {
        if (r->at[k]->context == current) {
            return current;
        }
        if (r->at[k]->context == e->info[0]) {
            return e->info[0];
        }
    }
    return current;
}

static void set_next(struct ring *r)
{
    uint64_t current = 0;
    uint32_t nest = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        struct model_event *e = r->at[i];
        if (in_thread(e->context)) {
            nest = 0;
            e->next = current = next_in_thread(r, i);
            continue;
        }
        if (e->context == MODEL_ISR && e->priority != 0 && i > 1 &&
            r->at[i - 1]->context != MODEL_ISR) {
            current = e->priority;
            if (!waits(r, current, r->at[i - 1], e)) {
                r->at[i - 1]->next = current;
            }
        }
        current = current_after(r, i, current);
        nest += e->id == ISR_ENTER;
        nest -= e->id == ISR_EXIT && nest > 0;
        const struct model_event *then = i + 1 < r->count ? r->at[i + 1] : NULL;
        uint64_t rest = waits(r, current, e, e) ? 0 : current;
        if (nest > 0) {
            e->next = e->context;
        } else if (!then) {
            e->next = rest;
        } else {
            bool again = then->context == MODEL_ISR && then->id != RESUME;
            e->next = !again ? then->context : then->priority != 0 ? then->priority : current;
            e->next = waits(r, e->next, e, e) ? rest : e->next;
        }
    }
}

static void set_running(struct ring *r)
{
    for (uint32_t i = 0; i + 1 < r->count; i++) {
        struct model_event *e = r->at[i];
        const struct model_event *then = r->at[i + 1];
        e->running = e->context != e->next && e->next != then->context;
        e->rested = e->time + (then->time - e->time > 12 ? 12 : 0);
    }
}

static void see(const struct ring *r, struct seen_list *list)
{
    list->count = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct model_event *e = r->at[i];
        list->at[list->count++] = (struct seen){e->context, e->next, e};
        if (e->running) {
            list->at[list->count++] = (struct seen){e->next, e->next, NULL};
        }
    }
}

/* ---- statistics ------------------------------------------------------------------------- */

static uint32_t id_of(const struct seen *s)
{
    return s->event ? s->event->id : RUNNING;
}

static void count_switches(struct model *m, const struct seen_list *list)
{
    uint64_t current = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct seen *s = &list->at[i];
        if (current == 0 && in_thread(s->context)) {
            current = s->context;
        }
        if (current != 0 && in_thread(s->next) && s->next != current) {
            m->totals.context_switches++;
            m->idle_switches += !s->event;
            current = s->next != 0 ? s->next : current;
        }
    }
}

/* Returns the first thread on the core after an event later than `i`; 0: none. */
static uint64_t found_after(const struct seen_list *list, uint32_t i)
{
    for (uint32_t k = i + 1; k < list->count; k++) {
        if (is_thread(list->at[k].next)) {
            return list->at[k].next;
        }
    }
    return 0;
}

static void count_preemptions(struct model *m, const struct seen_list *list)
{
    uint64_t current = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct seen *s = &list->at[i];
        uint64_t found = id_of(s) == RESUME ? found_after(list, i) : 0;
        m->totals.preemptions += id_of(s) == RESUME && (found == 0 || found != current);
        m->totals.preemptions += id_of(s) == TIME_SLICE && s->next != current;
        if (found != 0) {
            current = found;
        } else if (is_thread(s->next)) {
            current = s->next;
        }
    }
}

static void count_time_slices(struct model *m, const struct seen_list *list)
{
    uint64_t last = UINT64_MAX;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct seen *s = &list->at[i];
        if (id_of(s) == TIME_SLICE) {
            uint64_t interrupted = s->event->priority != 0 ? s->event->priority : last;
            m->totals.time_slices += s->event->info[0] != interrupted;
        }
        last = is_thread(s->next) ? s->next : last;
    }
}

static void count_interrupts(struct model *m, const struct seen_list *list)
{
    uint32_t open = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct seen *s = &list->at[i];
        if (!s->event) {
            continue; /* TraceX counts a RUNNING of an interrupt, which only damage produces */
        }
        if (s->context != MODEL_ISR) {
            open = 0;
            continue;
        }
        m->totals.interrupts +=
            s->event->id == ISR_ENTER || (open == 0 && s->event->id != ISR_EXIT);
        m->totals.nested_interrupts += s->event->id == ISR_ENTER && open > 0;
        if (s->event->id == ISR_ENTER) {
            open++;
        } else if (s->event->id == ISR_EXIT && open > 0) {
            open--;
        }
    }
}

/* Returns the priority of the thread at its last event before `i`; UINT64_MAX: none. */
static uint64_t priority_before(const struct model *m, uint32_t i, uint64_t thread)
{
    while (i-- > 0) {
        if (m->events[i].context == thread) {
            return m->events[i].priority & 0x3ff;
        }
    }
    return UINT64_MAX;
}

/* Returns the event that ends the inversion begun by event `i`. */
static uint32_t end_of_inversion(const struct model *m, uint32_t i, bool *disturbed)
{
    const struct model_event *begin = &m->events[i];
    *disturbed = false;
    for (uint32_t k = i + 1; k < m->count; k++) {
        const struct model_event *e = &m->events[k];
        if (is_thread(e->context) && e->context != begin->info[2] &&
            (e->priority & 0x3ff) > (begin->priority & 0x3ff)) {
            *disturbed = true;
            return k;
        }
        if (e->id == MUTEX_PUT && e->info[0] == begin->info[0] && e->info[2] == 1) {
            return k;
        }
    }
    return m->count;
}

static bool begins_inversion(const struct model *m, uint32_t i)
{
    const struct model_event *e = &m->events[i];
    if (e->id != MUTEX_GET || !is_thread(e->context) || !is_thread(e->info[2]) ||
        e->info[2] == e->context) {
        return false;
    }
    uint64_t owner = priority_before(m, i, e->info[2]);
    return owner != UINT64_MAX && owner > (e->priority & 0x3ff);
}

static void count_inversions(struct model *m)
{
    uint32_t until[MODEL_MAX] = {0}; /* by the event that begins it: the end of the inversion */
    for (uint32_t i = 0; i < m->count; i++) {
        bool open = false, disturbed;
        for (uint32_t k = 0; k < i; k++) {
            open = open || (until[k] > i && m->events[k].info[0] == m->events[i].info[0]);
        }
        if (open || !begins_inversion(m, i)) {
            continue;
        }
        until[i] = end_of_inversion(m, i, &disturbed);
        m->totals.inversions_deterministic++;
        m->totals.inversions_nondeterministic += disturbed;
    }
}

/* ---- whole model ------------------------------------------------------------------------ */

static void run_core(struct model *m, uint32_t core)
{
    struct ring ring = {.count = 0};
    for (uint32_t i = 0; i < m->count; i++) {
        ring.whole = m->events[i].core > 0 ? m : ring.whole;
    }
    struct seen_list list;
    for (uint32_t i = 0; i < m->count; i++) {
        if (m->events[i].core == core) {
            ring.at[ring.count++] = &m->events[i];
        }
    }
    set_next(&ring);
    set_running(&ring);
    see(&ring, &list);
    count_switches(m, &list);
    count_preemptions(m, &list);
    count_time_slices(m, &list);
    count_interrupts(m, &list);
}

void model_run(struct model *m)
{
    memset(&m->totals, 0, sizeof m->totals);
    m->idle_switches = 0;
    set_times(m);
    for (uint32_t core = 0; core < 32; core++) {
        run_core(m, core);
    }
    count_inversions(m);
    for (uint32_t i = 0; i < m->count; i++) {
        m->totals.suspensions += m->events[i].id == SUSPEND;
        m->totals.resumptions += m->events[i].id == RESUME;
    }
}

uint64_t model_stack_min(const struct model *m, uint64_t address, uint64_t stack_start)
{
    /* By information word: events with the stack pointer in it. */
    static const uint8_t ids[4][16] = {
        {3, 4, 109},
        {12, 22, 30, 31, 40, 51, 61, 62, 82, 101, 120, 125, 127},
        {1, 2, 16, 26, 50, 56, 67, 81, 87, 111, 112, 114, 115},
        {17, 21, 57, 83, 88},
    };
    uint64_t min = UINT64_MAX;
    for (uint32_t i = 0; i < m->count; i++) {
        const struct model_event *e = &m->events[i];
        for (unsigned word = 0; word < 4 && e->context == address; word++) {
            if (e->id < 256 && memchr(ids[word], (int)e->id, 16) && e->id != 0) {
                uint64_t free = e->info[word] < stack_start ? 0 : e->info[word] - stack_start;
                min = free < min ? free : min;
            }
        }
    }
    return min;
}
