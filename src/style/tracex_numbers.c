/* SPDX-License-Identifier: Apache-2.0 */
/* tracex_numbers: the figures of TraceX's raw trace dump. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "style/tracex.h"

#define WINDOWS_MAX 256u  /* mutexes waited for at the same time */
#define SORTED_MAX  2048u /* event types that are sorted as TraceX sorts them */

/* RESUMEs that look ahead for the thread that runs next; see trx_statistics.c. */
struct preemptions {
    uint64_t current; /* thread; 0: none yet */
    bool pending;
    uint64_t resumes;     /* pending ones */
    uint64_t slices;      /* TIME_SLICEs meanwhile */
    uint64_t idle_slices; /* those of them that do not count without a thread */
    uint64_t last_next;
    bool last_is_resume;
};

struct counting {
    struct tracex *x;
    struct tracex_event previous;
    bool has_previous;
    uint64_t switched;
    struct preemptions p;
    uint64_t nesting;
    uint64_t time_slices; /* TIME_SLICE events */
    bool first_is_slice;
    uint32_t open[WINDOWS_MAX]; /* mutexes with an inversion, as objects in order */
    size_t opened;
    uint64_t started; /* event at which the latest inversion began */
    uint64_t *counts; /* by event id */
    uint16_t *order;  /* the ids in order of their first event */
    uint32_t ids;
    bool failed;
};

static bool is_special(uint64_t context)
{
    return context == TRX_ADDRESS_ISR || context == TRX_ADDRESS_INIT;
}

static bool is_a_thread(uint64_t context)
{
    return context != 0 && !is_special(context);
}

/* ---- the system ---------------------------------------------------------------------------- */

static void count_switch(struct counting *n, const struct tracex_event *e)
{
    if (n->switched == 0 && !is_special(e->context)) {
        n->switched = e->context;
    }
    n->x->switches += n->switched != 0 && !is_special(e->next) && n->switched != e->next;
    if (is_a_thread(e->next)) {
        n->switched = e->next;
    }
}

/* Counts what is pending when the thread that runs next is found. */
static void resolve(struct counting *n, uint64_t found)
{
    struct preemptions *p = &n->p;
    n->x->preemptions += (found != p->current) + p->slices;
    p->current = found;
    p->pending = false;
    p->slices = p->resumes = p->idle_slices = 0;
}

static void count_preemption(struct counting *n, const struct tracex_event *e)
{
    struct preemptions *p = &n->p;
    if (p->pending && is_a_thread(e->next)) {
        resolve(n, e->next);
    }
    p->last_next = e->next;
    p->last_is_resume = e->id == TRX_ID_RESUME;
    if (e->id == TRX_ID_RESUME) {
        p->pending = true;
        p->resumes++;
    } else if (e->id == TRX_ID_TIME_SLICE && p->pending) {
        p->slices++;
        p->idle_slices += e->next == p->current;
    } else if (e->id == TRX_ID_TIME_SLICE) {
        n->x->preemptions += e->next != p->current;
    }
    if (e->id != TRX_ID_RESUME && is_a_thread(e->next)) {
        p->current = e->next;
    }
}

static void end_preemptions(struct counting *n)
{
    struct preemptions *p = &n->p;
    struct tracex *x = n->x;
    uint64_t last = p->last_is_resume ? 0 : p->last_next;
    if (p->pending) {
        uint64_t ahead = p->resumes - p->last_is_resume;
        x->preemptions += p->last_next != p->current ? ahead : 0;
        x->preemptions += p->last_is_resume && p->current != 0;
        x->preemptions += p->slices - p->idle_slices;
    }
    /* TraceX compares with what the walk above has left behind. */
    x->slices = is_a_thread(last) ? n->first_is_slice : last == 0 ? 0 : n->time_slices;
}

static void count_interrupt(struct counting *n, const struct tracex_event *e)
{
    if (e->id == TRX_ID_ISR_ENTER) {
        n->x->interrupts++;
        n->x->nested += n->nesting > 0;
        n->nesting++;
    } else if (e->id == TRX_ID_ISR_EXIT) {
        n->nesting -= n->nesting > 0;
    } else if (e->context != TRX_ADDRESS_ISR) {
        n->nesting = 0;
    } else if (n->nesting == 0) {
        n->x->interrupts++;
    }
}

static void count_time(struct counting *n, const struct tracex_event *e)
{
    if (!n->has_previous) {
        return;
    }
    struct tracex *x = n->x;
    uint64_t ticks = e->ticks - n->previous.ticks, next = n->previous.next;
    uint32_t object = is_a_thread(next) ? trx_tracex_object(x, next) : TRX_TRACEX_NONE;
    x->interrupt_ticks += next == TRX_ADDRESS_ISR ? ticks : 0;
    x->idle_ticks += next == 0 ? ticks : 0;
    if (object != TRX_TRACEX_NONE) {
        x->objects[object].ticks += ticks;
    }
}

static void count_id(struct counting *n, const struct tracex_event *e)
{
    if (e->id != TRX_ID_RUNNING) {
        if (n->counts[e->id]++ == 0) {
            n->order[n->ids++] = (uint16_t)e->id;
        }
    }
}

/* ---- threads ------------------------------------------------------------------------------- */

/* Returns the word in which TraceX looks for the stack pointer; 4: none. */
static unsigned stack_word(uint32_t id)
{
    static const uint8_t words[130] = {
        [1] = 3,   [2] = 3,   [3] = 1,   [4] = 1,   [12] = 2,  [16] = 3,  [17] = 4,  [21] = 4,
        [22] = 2,  [26] = 3,  [30] = 2,  [31] = 2,  [40] = 2,  [50] = 3,  [51] = 2,  [56] = 3,
        [57] = 4,  [61] = 2,  [62] = 2,  [67] = 3,  [81] = 3,  [82] = 2,  [83] = 4,  [87] = 3,
        [88] = 4,  [100] = 3, [101] = 2, [102] = 3, [109] = 1, [111] = 3, [112] = 3, [114] = 3,
        [115] = 3, [117] = 3, [120] = 2, [125] = 2, [127] = 2,
    };
    return id < sizeof words && words[id] > 0 ? words[id] - 1u : 4;
}

static void count_stack(struct tracex_object *o, const struct tracex_event *e)
{
    unsigned word = stack_word(e->id);
    if (word == 4) {
        return;
    }
    uint64_t start = o->object ? o->object->parameters[0] : 0, pointer = e->info[word];
    uint64_t left = pointer < start ? 0 : pointer - start;
    if (pointer < start || left < o->stack_min) {
        o->stack_min = left;
        o->stack_event = e->number;
    }
}

static void widen(uint64_t *low, uint64_t *high, uint64_t value)
{
    bool first = *low == TRX_TRACEX_NONE;
    *low = first || value > *low ? value : *low;
    *high = first || value < *high ? value : *high;
}

static void count_thread(struct counting *n, const struct tracex_event *e)
{
    if (e->object == TRX_TRACEX_NONE) {
        return;
    }
    struct tracex_object *o = &n->x->objects[e->object];
    o->events++;
    if (!o->is_thread) {
        return;
    }
    bool known =
        !e->inserted || o->priority != TRX_TRACEX_NONE || o->first_priority != TRX_TRACEX_NONE;
    if (known) {
        widen(&o->low, &o->high, e->priority);
    }
    /* TraceX takes the first threshold after an event without one, and all of inserted events. */
    if (e->inserted && e->has_threshold) {
        widen(&o->inserted_low, &o->inserted_high, e->threshold);
    } else if (!e->inserted && !e->has_threshold) {
        o->threshold_low = TRX_TRACEX_NONE;
    } else if (!e->inserted && o->threshold_low == TRX_TRACEX_NONE) {
        o->threshold_low = o->threshold_high = e->threshold;
    }
    for (uint32_t i = e->object;;) {
        count_stack(&n->x->objects[i], e);
        i = n->x->objects[i].twin;
        if (i == 0) {
            break;
        }
    }
}

/* ---- priority inversions ------------------------------------------------------------------- */

/* TraceX takes the first object for an address that has none. */
static struct tracex_object *object_or_first(struct tracex *x, uint64_t address)
{
    uint32_t object = trx_tracex_object(x, address);
    return object < x->object_count ? &x->objects[object] : &x->objects[0];
}

/* Lists an inversion that ends with the next event of the thread, from the current one on. */
static void list_inversion(struct counting *n, const struct tracex_event *e, uint64_t thread,
                           bool bad)
{
    struct tracex *x = n->x;
    struct tracex_inversion *room =
        tt_array_grow(x->inversions, x->listed, &x->list_capacity, sizeof *room);
    if (!room) {
        n->failed = true;
        return;
    }
    x->inversions = room;
    struct tracex_inversion *i = &room[x->listed];
    *i = (struct tracex_inversion){
        .begin = n->started, .end = e->number, .sequence = (uint32_t)x->listed++, .bad = bad};
    uint32_t object = e->context == thread ? TRX_TRACEX_NONE : trx_tracex_object(x, thread);
    if (object != TRX_TRACEX_NONE) {
        i->following = x->objects[object].waiting;
        x->objects[object].waiting = (uint32_t)x->listed;
    }
}

static void end_waiting(struct counting *n, const struct tracex_event *e)
{
    struct tracex *x = n->x;
    if (e->object == TRX_TRACEX_NONE) {
        return;
    }
    uint32_t next = x->objects[e->object].waiting;
    x->objects[e->object].waiting = 0;
    while (next > 0) {
        x->inversions[next - 1].end = e->number;
        next = x->inversions[next - 1].following;
    }
}

static void remove_open(struct counting *n, size_t place)
{
    n->x->objects[n->open[place]].blocked = 0;
    memmove(&n->open[place], &n->open[place + 1], (--n->opened - place) * sizeof *n->open);
}

static bool open_window(struct counting *n, const struct tracex_event *e,
                        struct tracex_object *mutex)
{
    struct tracex *x = n->x;
    if (e->id != TRX_ID_MUTEX_GET || e->info[2] == 0 || e->info[2] == e->context) {
        return false;
    }
    const struct tracex_object *owner = object_or_first(x, e->info[2]);
    if (owner->owner_priority == TRX_TRACEX_NONE || e->priority >= owner->owner_priority ||
        mutex->blocked != 0 || n->opened == WINDOWS_MAX) {
        return false;
    }
    x->inversion_count++;
    mutex->blocked = e->context;
    mutex->blocked_priority = e->priority;
    mutex->owner = e->info[2];
    n->started = e->number;
    uint32_t object = (uint32_t)(mutex - x->objects);
    size_t place = n->opened++;
    while (place > 0 && n->open[place - 1] > object) {
        n->open[place] = n->open[place - 1];
        place--;
    }
    n->open[place] = object;
    return true;
}

static void count_inversions(struct counting *n, const struct tracex_event *e)
{
    struct tracex *x = n->x;
    if (e->context >= TRX_ADDRESS_INIT && e->context <= TRX_ADDRESS_ISR) {
        return;
    }
    object_or_first(x, e->context)->owner_priority = e->priority;
    struct tracex_object *mutex = object_or_first(x, e->info[0]);
    if (open_window(n, e, mutex)) {
        return;
    }
    if (e->id == TRX_ID_MUTEX_PUT && mutex->blocked != 0 && e->info[2] == 1) {
        list_inversion(n, e, mutex->blocked, false);
        for (size_t i = 0; i < n->opened; i++) {
            if (&x->objects[n->open[i]] == mutex) {
                remove_open(n, i);
                break;
            }
        }
        return;
    }
    for (size_t i = 0; i < n->opened;) {
        const struct tracex_object *o = &x->objects[n->open[i]];
        if (e->context != o->owner && e->priority > o->blocked_priority) {
            x->bad_count++;
            list_inversion(n, e, o->blocked, true);
            remove_open(n, i);
        } else {
            i++;
        }
    }
}

static int compare_inversions(const void *x, const void *y)
{
    const struct tracex_inversion *a = x, *b = y;
    if (a->begin != b->begin) {
        return a->begin < b->begin ? -1 : 1;
    }
    return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

/* ---- popular services ---------------------------------------------------------------------- */

static int compare_popular(const void *x, const void *y)
{
    const struct tracex_popular *a = x, *b = y;
    return a->count > b->count ? -1 : a->count < b->count ? 1 : a->id < b->id ? -1 : a->id > b->id;
}

/* Sorts by count as TraceX does, which determines the order of equal counts. */
static void sort_popular(struct tracex_popular *list, size_t count)
{
    if (count > SORTED_MAX) {
        qsort(list, count, sizeof *list, compare_popular);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            if (list[i].count < list[j].count) {
                struct tracex_popular other = list[i];
                list[i] = list[j];
                list[j] = other;
            }
        }
    }
}

static bool list_popular(struct counting *n)
{
    struct tracex *x = n->x;
    x->popular = calloc((size_t)n->ids + 1, sizeof *x->popular);
    if (!x->popular) {
        return false;
    }
    for (uint32_t i = 0; i < n->ids; i++) {
        x->popular[i] = (struct tracex_popular){n->order[i], n->counts[n->order[i]]};
    }
    x->popular_count = n->ids;
    sort_popular(x->popular, x->popular_count);
    return true;
}

/* ---- the walks ----------------------------------------------------------------------------- */

static void count_event(struct counting *n, const struct tracex_event *e)
{
    struct tracex *x = n->x;
    x->events++;
    x->ticks = e->ticks;
    x->suspensions += e->id == TRX_ID_SUSPEND;
    x->resumptions += e->id == TRX_ID_RESUME;
    n->time_slices += e->id == TRX_ID_TIME_SLICE;
    n->first_is_slice |= e->number == 0 && e->id == TRX_ID_TIME_SLICE;
    count_switch(n, e);
    count_preemption(n, e);
    count_interrupt(n, e);
    count_time(n, e);
    count_id(n, e);
    count_thread(n, e);
    end_waiting(n, e);
    if (x->object_count > 0) {
        count_inversions(n, e);
    }
    n->previous = *e;
    n->has_previous = true;
}

/* Sets the first priority of each thread, which the rule of inversions takes as the owner's. */
static void find_owner_priorities(struct tracex *x)
{
    struct tracex_walk w;
    struct tracex_event e;
    trx_tracex_walk_begin(x, &w);
    while (x->object_count > 0 && trx_tracex_walk_next(&w, &e)) {
        if (e.context >= TRX_ADDRESS_INIT && e.context <= TRX_ADDRESS_ISR) {
            continue;
        }
        struct tracex_object *o = object_or_first(x, e.context);
        if (o->owner_priority == TRX_TRACEX_NONE) {
            o->owner_priority = e.priority;
        }
    }
}

static void add_inserted_thresholds(struct tracex *x)
{
    for (uint32_t i = 0; i < x->object_count; i++) {
        struct tracex_object *o = &x->objects[i];
        if (o->inserted_low != TRX_TRACEX_NONE) {
            widen(&o->threshold_low, &o->threshold_high, o->inserted_low);
            widen(&o->threshold_low, &o->threshold_high, o->inserted_high);
        }
    }
}

static bool count_all(struct counting *n)
{
    struct tracex_walk w;
    struct tracex_event e;
    find_owner_priorities(n->x);
    trx_tracex_walk_begin(n->x, &w);
    while (!n->failed && trx_tracex_walk_next(&w, &e)) {
        count_event(n, &e);
    }
    end_preemptions(n);
    add_inserted_thresholds(n->x);
    if (n->x->listed > 0) {
        qsort(n->x->inversions, n->x->listed, sizeof *n->x->inversions, compare_inversions);
    }
    return !n->failed && list_popular(n);
}

/* Adds a row of a table to its sums. */
static bool add_values(void *arg, const struct tt_tool_row *row)
{
    uint64_t *sums = arg;
    for (size_t i = 0; i < TT_TOOL_VALUES; i++) {
        sums[i] += row->values[i];
    }
    return true;
}

bool trx_tracex_count(struct tracex *x, const struct tt_capture *c)
{
    struct counting n = {.x = x};
    struct tt_tool_query query = {.table = TT_TOOL_FILEX, .range = {0, 0, UINT64_MAX, UINT64_MAX}};
    n.counts = calloc(65536, sizeof *n.counts);
    n.order = calloc(65536, sizeof *n.order);
    bool ok = n.counts && n.order && count_all(&n) &&
              trx_tool_rows(c, &query, x->limit, add_values, x->filex);
    query.table = TT_TOOL_NETX;
    ok = ok && trx_tool_rows(c, &query, x->limit, add_values, x->netx);
    free(n.counts);
    free(n.order);
    return ok;
}
