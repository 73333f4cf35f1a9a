/* SPDX-License-Identifier: Apache-2.0 */
/* blame: explains the ready and blocked intervals of thread after thread, and sums up the pieces. */
#include "tracetui/blame.h"

#include <stdlib.h>

#include "analysis/causes/ready.h"
#include "base/array.h"
#include "base/heap.h"

#define EXPLAIN_WORK 16u   /* cost of an explanation beside its pieces */
#define THREAD_WORK  4u    /* cost of a thread beside its explanations */
#define ORDER_WORK   8u    /* cost of moving an inversion in the sort */
#define MERGE_FIRST  1024u /* entries of a thread at which equal ones are merged first */

struct tt_blames {
    struct tt_trace *trace;
    struct tt_blame_request request;
    const struct tt_timelines *timelines; /* those of `wakes` */
    struct tt_wakes *wakes;
    uint32_t thread;  /* current one; those before it are done */
    uint64_t reached; /* end of the part of the window that is done */
    size_t done;      /* entries of the threads that are done */
    size_t merge_at;  /* number of entries at the next merge */
    struct tt_blame *entries;
    size_t count;
    size_t capacity;
    struct tt_inversion *inversions;
    size_t inversion_count;
    size_t inversion_capacity;
    size_t heaped;  /* inversions in the heap that sorts them, then all of them */
    size_t ordered; /* inversions at the end of the array that have their place */
    struct tt_explanation e;
};

struct tt_blames *tt_blames_new(struct tt_trace *trace, const struct tt_blame_request *request)
{
    struct tt_blames *b = calloc(1, sizeof *b);
    if (b) {
        b->trace = trace;
        b->request = *request;
        b->reached = request->from;
        b->merge_at = MERGE_FIRST;
    }
    return b;
}

void tt_blames_free(struct tt_blames *b)
{
    if (b) {
        tt_explanation_free(&b->e);
        tt_wakes_free(b->wakes);
        free(b->entries);
        free(b->inversions);
        free(b);
    }
}

const struct tt_blame *tt_blames_entries(const struct tt_blames *b, size_t *count)
{
    *count = b->done;
    return b->entries;
}

const struct tt_inversion *tt_blames_inversions(const struct tt_blames *b, size_t *count)
{
    *count = b->inversion_count;
    return b->inversions;
}

unsigned tt_blames_percent(const struct tt_blames *b)
{
    uint32_t count = tt_thread_count(tt_trace_capture(b->trace));
    return count > 0 ? (unsigned)((uint64_t)b->thread * 100 / count) : 100;
}

/* ---- entries ------------------------------------------------------------------------------ */

#define COMPARE(a, b)                                                                              \
    if ((a) != (b)) {                                                                              \
        return (a) < (b) ? -1 : 1;                                                                 \
    }

static int compare_charges(const void *a, const void *b)
{
    const struct tt_blame *x = a, *y = b;
    return tt_charge_compare(&x->charge, &y->charge);
}

static int compare_totals(const void *a, const void *b)
{
    const struct tt_blame *x = a, *y = b;
    COMPARE(y->ready + y->blocked, x->ready + x->blocked)
    return compare_charges(a, b);
}

/* Merges the equal entries of the current thread. */
static void merge(struct tt_blames *b)
{
    struct tt_blame *own = b->entries + b->done;
    size_t count = b->count - b->done, used = 0;
    if (count == 0) {
        return;
    }
    qsort(own, count, sizeof *own, compare_charges);
    for (size_t i = 1; i < count; i++) {
        if (compare_charges(&own[used], &own[i]) == 0) {
            own[used].ready += own[i].ready;
            own[used].blocked += own[i].blocked;
        } else {
            own[++used] = own[i];
        }
    }
    b->count = b->done + used + 1;
    b->merge_at = b->count + (used < MERGE_FIRST ? MERGE_FIRST : used);
}

static bool add_entry(struct tt_blames *b, const struct tt_piece *piece, bool ready)
{
    if (b->count >= b->merge_at) {
        merge(b);
    }
    struct tt_blame *room = tt_array_grow(b->entries, b->count, &b->capacity, sizeof *b->entries);
    if (!room) {
        return false;
    }
    uint64_t ticks = piece->to - piece->from;
    b->entries = room;
    b->entries[b->count++] = (struct tt_blame){.charge = tt_charge_of(piece),
                                               .ready = ready ? ticks : 0,
                                               .blocked = ready ? 0 : ticks,
                                               .thread = b->thread};
    return true;
}

/* ---- inversions --------------------------------------------------------------------------- */

/* Returns the object of the wait that piece `index` explains. */
static uint64_t object_of(const struct tt_explanation *e, size_t index)
{
    unsigned depth = e->pieces[index].depth;
    while (index-- > 0) {
        const struct tt_piece *piece = &e->pieces[index];
        if ((piece->flags & TT_PIECE_WAIT) && piece->depth + 1u == depth) {
            return piece->object;
        }
    }
    return 0;
}

static bool add_inversion(struct tt_blames *b, size_t index)
{
    const struct tt_piece *piece = &b->e.pieces[index];
    if (b->inversion_count > 0) {
        struct tt_inversion *last = &b->inversions[b->inversion_count - 1];
        if (last->to == piece->from && last->thread == b->thread && last->holder == piece->thread &&
            last->by == piece->by) {
            last->to = piece->to;
            return true;
        }
    }
    struct tt_inversion *room = tt_array_grow(b->inversions, b->inversion_count,
                                              &b->inversion_capacity, sizeof *b->inversions);
    if (!room) {
        return false;
    }
    b->inversions = room;
    b->inversions[b->inversion_count++] = (struct tt_inversion){
        piece->from, piece->to, object_of(&b->e, index), b->thread, piece->thread, piece->by};
    return true;
}

static int compare_inversions(const void *a, const void *b)
{
    const struct tt_inversion *x = a, *y = b;
    COMPARE(y->to - y->from, x->to - x->from)
    COMPARE(x->from, y->from)
    COMPARE(x->thread, y->thread)
    COMPARE(x->holder, y->holder)
    COMPARE(x->by, y->by)
    COMPARE(x->object, y->object)
    return 0;
}

/* Orders the heap: the last inversion is its first. */
static bool is_later(const void *a, const void *b)
{
    return compare_inversions(a, b) > 0;
}

static void spend(uint64_t *work, uint64_t cost)
{
    *work -= cost < *work ? cost : *work;
}

/* Sorts the inversions in steps: each is added to a heap, which is then emptied from its end. */
static bool order_inversions(struct tt_blames *b, uint64_t *work)
{
    struct tt_inversion *list = b->inversions;
    while (b->ordered < b->inversion_count) {
        if (b->heaped < b->inversion_count) {
            tt_heap_up(list, sizeof *list, b->heaped++, is_later);
        } else {
            size_t end = b->heaped - ++b->ordered;
            tt_heap_swap(&list[0], &list[end], sizeof *list);
            tt_heap_down(list, end, sizeof *list, 0, is_later);
        }
        spend(work, ORDER_WORK);
        if (*work == 0) {
            break;
        }
    }
    return b->ordered == b->inversion_count;
}

/* ---- one thread --------------------------------------------------------------------------- */

static bool is_off_cpu(const struct tt_interval *i)
{
    return i->class_ == TT_CLASS_READY || tt_class_is_blocked(i->class_);
}

/* Sums up an explanation of ready and blocked time. */
static bool take(struct tt_blames *b, const struct tt_capture *c)
{
    for (size_t i = 0; i < b->e.count; i++) {
        const struct tt_piece *piece = &b->e.pieces[i];
        bool ready = piece->depth == 0 && piece->state < c->format->state_count &&
                     c->format->states[piece->state].class_ == TT_CLASS_READY;
        if (piece->flags & TT_PIECE_WAIT) {
            continue;
        }
        if (!add_entry(b, piece, ready) ||
            ((piece->flags & TT_PIECE_INVERSION) && !add_inversion(b, i))) {
            return false;
        }
    }
    return true;
}

/* Finds the next stretch off the CPU from b->reached on; false if there is none in the window. */
static bool next_stretch(const struct tt_blames *b, uint64_t *from, uint64_t *to, uint64_t *work)
{
    const struct tt_timelines *t = b->timelines;
    struct tt_interval_at at;
    struct tt_interval i;
    bool more = b->reached < b->request.to && (tt_interval_find(t, b->thread, b->reached, &at) ||
                                               tt_interval_first(t, b->thread, &at));
    for (; more; more = tt_interval_next(t, &at)) {
        i = tt_interval_get(t, at);
        *work -= *work > 0;
        if (i.start >= b->request.to || (is_off_cpu(&i) && i.end > b->reached)) {
            break;
        }
    }
    if (!more || i.start >= b->request.to) {
        return false;
    }
    *from = i.start > b->reached ? i.start : b->reached;
    do {
        *to = i.end;
        more = tt_interval_next(t, &at);
        i = more ? tt_interval_get(t, at) : i;
        *work -= *work > 0;
    } while (more && is_off_cpu(&i) && *to < b->request.to);
    *to = tt_earlier(*to, b->request.to);
    return true;
}

/* Ends the current thread. */
static void next_thread(struct tt_blames *b)
{
    merge(b);
    if (b->count > b->done + 1) {
        qsort(b->entries + b->done, b->count - b->done, sizeof *b->entries, compare_totals);
    }
    b->done = b->count;
    b->merge_at = b->count + MERGE_FIRST;
    b->reached = b->request.from;
    b->thread++;
}

static bool is_wanted(const struct tt_blames *b, const struct tt_capture *c)
{
    const struct tt_thread *thread = tt_thread_at(c, b->thread);
    const struct tt_blame_request *r = &b->request;
    return !thread->idle && !thread->pseudo &&
           (!r->threads ||
            (b->thread < r->thread_limit && (r->threads[b->thread / 64] >> (b->thread % 64) & 1u)));
}

/* Uses the current timelines, which may have been replaced. Returns false if out of memory. */
static bool load_timelines(struct tt_blames *b)
{
    const struct tt_timelines *now = tt_trace_timelines(b->trace);
    if (!now || (b->wakes && now == b->timelines)) {
        return true;
    }
    tt_wakes_free(b->wakes);
    b->wakes = tt_wakes_new(b->trace);
    b->timelines = b->wakes ? tt_wakes_timelines(b->wakes) : NULL;
    if (b->wakes) {
        tt_wakes_keep_many(b->wakes);
    }
    return b->wakes != NULL;
}

bool tt_blames_step(struct tt_blames *b, uint64_t *work, bool *done)
{
    const struct tt_capture *c = tt_trace_capture(b->trace);
    uint64_t from, to;
    if (!load_timelines(b)) {
        return false;
    }
    while (b->wakes && b->heaped == 0 && b->thread < tt_thread_count(c)) {
        if (!is_wanted(b, c) || !next_stretch(b, &from, &to, work)) {
            next_thread(b);
            spend(work, THREAD_WORK);
            if (*work == 0) {
                return true;
            }
            continue;
        }
        struct tt_explain_request request = {b->thread, from, to, 0, 0};
        if (!tt_explain(b->wakes, &request, &b->e) || !take(b, c)) {
            return false;
        }
        spend(work, EXPLAIN_WORK * (b->e.count + 1));
        b->reached = to;
        if (*work == 0) { /* even a step without work gets on */
            return true;
        }
    }
    *done = order_inversions(b, work);
    return true;
}
