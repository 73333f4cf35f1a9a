/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blame: explains the ready and blocked stretches of all threads, and sums up the pieces.
 *
 *      heap      the next stretch of each thread, the one that ends first on top
 *      entries   one per thread and charge, found by hash; sorted at the end
 *
 * Stretches are explained in the order of their ends: the wakes that end them are then close
 * together, so that most of their events are in the cached blocks.
 */
#include "tracetui/blame.h"
#include "analysis/causes/answer.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/causes/ready.h"
#include "base/array.h"
#include "base/bits.h"
#include "base/hash.h"
#include "base/heap.h"

#define EXPLAIN_WORK 400u /* cost of a piece of an explanation: events are searched and decoded */
#define THREAD_WORK  8u   /* cost of a thread beside its explanations: a search of its lane */
#define ORDER_WORK   8u   /* cost of moving an item in a sort */

/* Time off the CPU of a thread, in the window. */
struct stretch {
    uint64_t from;
    uint64_t to;
    uint32_t thread;
    uint32_t version; /* of the timelines */
};

struct tt_blames {
    struct tt_trace *trace;
    struct tt_blame_request request;
    const struct tt_timelines *timelines; /* those of `wakes` */
    uint32_t version;                     /* counts them */
    struct tt_wakes *wakes;
    uint32_t thread; /* the next one whose first stretch is added to `heap` */
    struct stretch *heap;
    size_t heap_count;
    size_t heap_capacity;
    uint64_t reached; /* end of the last stretch */
    struct tt_blame *entries;
    size_t count;
    size_t capacity;
    struct tt_hash by_charge;
    struct tt_heap_sort sorting;
    struct tt_inversion *inversions;
    size_t inversion_count;
    size_t inversion_capacity;
    struct tt_heap_sort inversion_sorting;
    uint32_t *last_inversion; /* by thread: the number of its last one + 1, or 0 */
    size_t last_count;
    size_t last_capacity;
    struct tt_explanation e;
};

struct tt_blames *tt_blames_new(struct tt_trace *trace, const struct tt_blame_request *request)
{
    struct tt_blames *b = calloc(1, sizeof *b);
    if (b) {
        b->trace = trace;
        b->request = *request;
        b->reached = request->from;
    }
    return b;
}

void tt_blames_free(struct tt_blames *b)
{
    if (b) {
        tt_explanation_free(&b->e);
        tt_wakes_free(b->wakes);
        free(b->heap);
        free(b->entries);
        tt_hash_free(&b->by_charge);
        free(b->inversions);
        free(b->last_inversion);
        free(b);
    }
}

const struct tt_blame *tt_blames_entries(const struct tt_blames *b, size_t *count)
{
    *count = b->count;
    return b->entries;
}

const struct tt_inversion *tt_blames_inversions(const struct tt_blames *b, size_t *count)
{
    *count = b->inversion_count;
    return b->inversions;
}

/* Returns the end of the part of the window that is in the capture. */
static uint64_t end_of(const struct tt_blames *b)
{
    const struct tt_timelines *t = tt_trace_timelines(b->trace);
    return t ? tt_earlier(b->request.to, tt_timelines_end(t)) : b->request.to;
}

unsigned tt_blames_percent(const struct tt_blames *b)
{
    uint64_t from = b->request.from, to = end_of(b);
    uint64_t whole = to > from ? to - from : 0, done = b->reached > from ? b->reached - from : 0;
    return whole > 0 ? (unsigned)((double)tt_earlier(done, whole) * 100.0 / (double)whole) : 100;
}

/* ---- entries ------------------------------------------------------------------------------ */

#define COMPARE(a, b)                                                                              \
    if ((a) != (b)) {                                                                              \
        return (a) < (b) ? -1 : 1;                                                                 \
    }

static int compare_totals(const void *a, const void *b)
{
    const struct tt_blame *x = a, *y = b;
    COMPARE(x->thread, y->thread)
    COMPARE(y->ready + y->blocked, x->ready + x->blocked)
    return tt_charge_compare(&x->charge, &y->charge);
}

/* Orders the heap: the last entry is its first. */
static bool is_later_entry(const void *a, const void *b)
{
    return compare_totals(a, b) > 0;
}

static uint64_t hash_of(uint32_t thread, const struct tt_charge *charge)
{
    uint64_t what = (uint64_t)charge->by << 32 | (uint64_t)charge->cpu << 16 |
                    (uint64_t)charge->cause << 8 | charge->inversion;
    return tt_hash_of_pair(tt_hash_of_pair(what, charge->vector), thread);
}

/* Returns the entry of a thread and a charge, added if it is new; NULL if out of memory. */
static struct tt_blame *entry_of(struct tt_blames *b, uint32_t thread,
                                 const struct tt_charge *charge)
{
    uint64_t hash = hash_of(thread, charge);
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&b->by_charge, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&b->by_charge, &probe)) {
        struct tt_blame *entry = &b->entries[n];
        if (entry->thread == thread && tt_charge_compare(&entry->charge, charge) == 0) {
            return entry;
        }
    }
    struct tt_blame *room = tt_array_grow(b->entries, b->count, &b->capacity, sizeof *b->entries);
    if (!room) {
        return NULL;
    }
    b->entries = room;
    if (b->count >= TT_HASH_NONE || !tt_hash_add(&b->by_charge, hash, (uint32_t)b->count)) {
        return NULL;
    }
    b->entries[b->count] = (struct tt_blame){.charge = *charge, .thread = thread};
    return &b->entries[b->count++];
}

static bool add_entry(struct tt_blames *b, const struct tt_capture *c, uint32_t thread,
                      const struct tt_piece *piece, bool ready)
{
    const bool idle = piece->depth == 0 && !ready && piece->by == TT_NO_THREAD &&
                      !tt_wait_is_owed(c, piece->state, TT_WAKE_UNKNOWN);
    struct tt_charge charge = tt_charge_of(piece);
    struct tt_blame *entry = entry_of(b, thread, &charge);
    uint64_t ticks = piece->to - piece->from;
    if (entry) {
        entry->ready += ready ? ticks : 0;
        entry->blocked += ready ? 0 : ticks;
        entry->idle += idle ? ticks : 0;
    }
    return entry != NULL;
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

/* Returns where the number of the last inversion of a thread is; NULL if out of memory. */
static uint32_t *last_of(struct tt_blames *b, uint32_t thread)
{
    if (thread >= b->last_count) {
        uint32_t *room = tt_array_reserve(b->last_inversion, (size_t)thread + 1, &b->last_capacity,
                                          sizeof *room);
        if (!room) {
            return NULL;
        }
        memset(room + b->last_count, 0, (b->last_capacity - b->last_count) * sizeof *room);
        b->last_inversion = room;
        b->last_count = b->last_capacity;
    }
    return &b->last_inversion[thread];
}

static bool add_inversion(struct tt_blames *b, uint32_t thread, size_t index)
{
    const struct tt_piece *piece = &b->e.pieces[index];
    uint32_t *number = last_of(b, thread);
    struct tt_inversion *last = number && *number > 0 ? &b->inversions[*number - 1] : NULL;
    if (last && last->to == piece->from && last->holder == piece->thread && last->by == piece->by) {
        last->to = piece->to;
        return true;
    }
    struct tt_inversion *room = tt_array_grow(b->inversions, b->inversion_count,
                                              &b->inversion_capacity, sizeof *b->inversions);
    if (!room || !number || b->inversion_count >= UINT32_MAX) {
        b->inversions = room ? room : b->inversions;
        return false;
    }
    b->inversions = room;
    b->inversions[b->inversion_count++] = (struct tt_inversion){
        piece->from, piece->to, object_of(&b->e, index), thread, piece->thread, piece->by};
    *number = (uint32_t)b->inversion_count;
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
static bool is_later_inversion(const void *a, const void *b)
{
    return compare_inversions(a, b) > 0;
}

static void spend(uint64_t *work, uint64_t cost)
{
    *work -= cost < *work ? cost : *work;
}

/* Sorts items in steps; returns whether they are sorted. */
static inline bool sort_step(struct tt_heap_sort *s, void *items, size_t count, size_t size,
                             tt_heap_before *is_later, uint64_t *work)
{
    uint64_t before = s->added + s->placed;
    bool sorted =
        tt_heap_sort_step(items, count, size, s, (size_t)(*work / ORDER_WORK) + 1, is_later);
    spend(work, (s->added + s->placed - before) * ORDER_WORK);
    return sorted;
}

/* ---- stretches ---------------------------------------------------------------------------- */

static bool is_off_cpu(const struct tt_interval *i)
{
    return i->class_ == TT_CLASS_READY || tt_class_is_blocked(i->class_);
}

/* Sums up an explanation of ready and blocked time. */
static bool take(struct tt_blames *b, const struct tt_capture *c, uint32_t thread)
{
    for (size_t i = 0; i < b->e.count; i++) {
        const struct tt_piece *piece = &b->e.pieces[i];
        bool ready =
            piece->depth == 0 && tt_format_state(c->format, piece->state)->class_ == TT_CLASS_READY;
        if (piece->flags & TT_PIECE_WAIT) {
            continue;
        }
        if (!add_entry(b, c, thread, piece, ready) ||
            ((piece->flags & TT_PIECE_INVERSION) && !add_inversion(b, thread, i))) {
            return false;
        }
    }
    return true;
}

/* Orders the heap: the stretch that ends first is its first. */
static bool ends_before(const void *a, const void *b)
{
    const struct stretch *x = a, *y = b;
    return x->to != y->to ? x->to < y->to : x->thread < y->thread;
}

/* Finds the first stretch of s->thread from `reached` on; false if there is none in the window. */
static bool find_stretch(const struct tt_blames *b, uint64_t reached, struct stretch *s,
                         uint64_t *work)
{
    const struct tt_timelines *t = b->timelines;
    struct tt_interval_at at;
    struct tt_interval i;
    bool more = reached < b->request.to && (tt_interval_find(t, s->thread, reached, &at) ||
                                            tt_interval_first(t, s->thread, &at));
    for (; more; more = tt_interval_next(t, &at)) {
        i = tt_interval_get(t, at);
        *work -= *work > 0;
        if (i.start >= b->request.to || (is_off_cpu(&i) && i.end > reached)) {
            break;
        }
    }
    if (!more || i.start >= b->request.to) {
        return false;
    }
    s->from = i.start > reached ? i.start : reached;
    do {
        s->to = i.end;
        more = tt_interval_next(t, &at);
        i = more ? tt_interval_get(t, at) : i;
        *work -= *work > 0;
    } while (more && is_off_cpu(&i) && s->to < b->request.to);
    s->to = tt_earlier(s->to, b->request.to);
    s->version = b->version;
    return true;
}

static bool is_wanted(const struct tt_blames *b, const struct tt_capture *c, uint32_t number)
{
    const struct tt_thread *thread = tt_thread_at(c, number);
    const struct tt_blame_request *r = &b->request;
    return !thread->idle && !thread->pseudo && tt_bit_selects(r->threads, r->thread_limit, number);
}

/* Adds the first stretch of the next thread to the heap; returns false if out of memory. */
static bool add_thread(struct tt_blames *b, const struct tt_capture *c, uint64_t *work)
{
    struct stretch s = {.thread = b->thread++};
    spend(work, THREAD_WORK);
    if (!is_wanted(b, c, s.thread) || !find_stretch(b, b->request.from, &s, work)) {
        return true;
    }
    struct stretch *heap = tt_array_grow(b->heap, b->heap_count, &b->heap_capacity, sizeof *heap);
    if (!heap) {
        return false;
    }
    b->heap = heap;
    heap[b->heap_count] = s;
    tt_heap_up(heap, sizeof *heap, b->heap_count++, ends_before);
    return true;
}

/* Replaces the first stretch of the heap by the next one of its thread, from `reached` on. */
static void replace_first(struct tt_blames *b, uint64_t reached, uint64_t *work)
{
    if (!find_stretch(b, reached, &b->heap[0], work)) {
        b->heap[0] = b->heap[--b->heap_count];
    }
    tt_heap_down(b->heap, b->heap_count, sizeof *b->heap, 0, ends_before);
}

/* Explains the first stretch of the heap; returns false if out of memory. */
static bool explain_first(struct tt_blames *b, const struct tt_capture *c, uint64_t *work)
{
    const struct stretch s = b->heap[0];
    if (s.version != b->version) { /* the timelines have been replaced */
        replace_first(b, s.from, work);
        return true;
    }
    struct tt_explain_request request = {s.thread, s.from, s.to, 0, 0};
    if (!tt_explain(b->wakes, &request, &b->e) || !take(b, c, s.thread)) {
        return false;
    }
    spend(work, EXPLAIN_WORK * (b->e.count + 1));
    b->reached = s.to;
    replace_first(b, s.to, work);
    return true;
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
    b->version++;
    if (b->wakes) {
        tt_wakes_keep_many(b->wakes);
    }
    return b->wakes != NULL;
}

bool tt_blames_step(struct tt_blames *b, uint64_t *work, bool *done)
{
    const struct tt_capture *c = tt_trace_capture(b->trace);
    if (!load_timelines(b)) {
        return false;
    }
    bool sorts = b->sorting.added > 0 || b->inversion_sorting.added > 0;
    while (b->wakes && !sorts && (b->thread < tt_thread_count(c) || b->heap_count > 0)) {
        bool ok =
            b->thread < tt_thread_count(c) ? add_thread(b, c, work) : explain_first(b, c, work);
        if (!ok) {
            return false;
        }
        if (*work == 0) { /* even a step without work makes progress */
            return true;
        }
    }
    *done =
        sort_step(&b->sorting, b->entries, b->count, sizeof *b->entries, is_later_entry, work) &&
        sort_step(&b->inversion_sorting, b->inversions, b->inversion_count, sizeof *b->inversions,
                  is_later_inversion, work);
    return true;
}
