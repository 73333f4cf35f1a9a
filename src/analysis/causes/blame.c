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
#include "analysis/causes/blame.h"
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
    struct tt_blames *blames = calloc(1, sizeof *blames);
    if (blames) {
        blames->trace = trace;
        blames->request = *request;
        blames->reached = request->from;
    }
    return blames;
}

void tt_blames_free(struct tt_blames *blames)
{
    if (blames) {
        tt_explanation_free(&blames->e);
        tt_wakes_free(blames->wakes);
        free(blames->heap);
        free(blames->entries);
        tt_hash_free(&blames->by_charge);
        free(blames->inversions);
        free(blames->last_inversion);
        free(blames);
    }
}

const struct tt_blame *tt_blames_entries(const struct tt_blames *blames, size_t *count)
{
    *count = blames->count;
    return blames->entries;
}

const struct tt_inversion *tt_blames_inversions(const struct tt_blames *blames, size_t *count)
{
    *count = blames->inversion_count;
    return blames->inversions;
}

/* Returns the end of the part of the window that is in the capture. */
static uint64_t blame_end_of(const struct tt_blames *blames)
{
    const struct tt_timelines *timelines = tt_trace_timelines(blames->trace);
    return timelines ? tt_earlier(blames->request.to, tt_timelines_end(timelines))
                     : blames->request.to;
}

unsigned tt_blames_percent(const struct tt_blames *blames)
{
    uint64_t from = blames->request.from, to = blame_end_of(blames);
    uint64_t whole = to > from ? to - from : 0,
             done = blames->reached > from ? blames->reached - from : 0;
    return whole > 0 ? (unsigned)((double)tt_earlier(done, whole) * 100.0 / (double)whole) : 100;
}

/* ---- entries ------------------------------------------------------------------------------ */

#define COMPARE(a, b)                                                                              \
    if ((a) != (b)) {                                                                              \
        return (a) < (b) ? -1 : 1;                                                                 \
    }

static int compare_totals(const void *a, const void *b)
{
    const struct tt_blame *left = a, *right = b;
    COMPARE(left->thread, right->thread)
    COMPARE(right->ready + right->blocked, left->ready + left->blocked)
    return tt_charge_compare(&left->charge, &right->charge);
}

/* Orders the heap: the last entry is its first. */
static bool is_later_entry(const void *a, const void *b)
{
    return compare_totals(a, b) > 0;
}

/* Returns the entry of a thread and a charge, added if it is new; NULL if out of memory. */
static struct tt_blame *blame_entry_of(struct tt_blames *blames, uint32_t thread,
                                       const struct tt_charge *charge)
{
    uint64_t what = (uint64_t)charge->by << 32 | (uint64_t)charge->cpu << 16 |
                    (uint64_t)charge->cause << 8 | charge->inversion;
    uint64_t hash = tt_hash_of_pair(tt_hash_of_pair(what, charge->vector), thread);

    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&blames->by_charge, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&blames->by_charge, &probe)) {
        struct tt_blame *entry = &blames->entries[n];
        if (entry->thread == thread && tt_charge_compare(&entry->charge, charge) == 0) {
            return entry;
        }
    }
    struct tt_blame *room =
        tt_array_grow(blames->entries, blames->count, &blames->capacity, sizeof *blames->entries);
    if (!room) {
        return NULL;
    }
    blames->entries = room;
    if (blames->count >= TT_HASH_NONE ||
        !tt_hash_add(&blames->by_charge, hash, (uint32_t)blames->count)) {
        return NULL;
    }
    blames->entries[blames->count] = (struct tt_blame){.charge = *charge, .thread = thread};
    return &blames->entries[blames->count++];
}

/* Adds a piece of time in which the thread was ready, or blocked in a wait that some thread may owe it an end to. */
static bool add_entry(struct tt_blames *blames, uint32_t thread, const struct tt_piece *piece,
                      bool ready, bool owed)
{
    const bool idle = !ready && !owed && piece->by == TT_NO_THREAD;
    struct tt_charge charge = tt_charge_of(piece);
    struct tt_blame *entry = blame_entry_of(blames, thread, &charge);
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
static uint64_t blame_object_of(const struct tt_explanation *explanation, size_t index)
{
    unsigned depth = explanation->pieces[index].depth;
    while (index-- > 0) {
        const struct tt_piece *piece = &explanation->pieces[index];
        if ((piece->flags & TT_PIECE_WAIT) && piece->depth + 1u == depth) {
            return piece->object;
        }
    }
    return 0;
}

/* Returns where the number of the last inversion of a thread is; NULL if out of memory. */
static uint32_t *blame_last_of(struct tt_blames *blames, uint32_t thread)
{
    if (thread >= blames->last_count) {
        uint32_t *room = tt_array_reserve(blames->last_inversion, (size_t)thread + 1,
                                          &blames->last_capacity, sizeof *room);
        if (!room) {
            return NULL;
        }
        memset(room + blames->last_count, 0,
               (blames->last_capacity - blames->last_count) * sizeof *room);
        blames->last_inversion = room;
        blames->last_count = blames->last_capacity;
    }
    return &blames->last_inversion[thread];
}

static bool add_inversion(struct tt_blames *blames, uint32_t thread, size_t index)
{
    const struct tt_piece *piece = &blames->e.pieces[index];
    uint32_t *number = blame_last_of(blames, thread);
    struct tt_inversion *last = number && *number > 0 ? &blames->inversions[*number - 1] : NULL;
    if (last && last->to == piece->from && last->holder == piece->thread && last->by == piece->by) {
        last->to = piece->to;
        return true;
    }
    struct tt_inversion *room =
        tt_array_grow(blames->inversions, blames->inversion_count, &blames->inversion_capacity,
                      sizeof *blames->inversions);
    if (!room || !number || blames->inversion_count >= UINT32_MAX) {
        blames->inversions = room ? room : blames->inversions;
        return false;
    }
    blames->inversions = room;
    blames->inversions[blames->inversion_count++] =
        (struct tt_inversion){piece->from, piece->to,     blame_object_of(&blames->e, index),
                              thread,      piece->thread, piece->by};
    *number = (uint32_t)blames->inversion_count;
    return true;
}

static int compare_inversions(const void *a, const void *b)
{
    const struct tt_inversion *left = a, *right = b;
    COMPARE(right->to - right->from, left->to - left->from)
    COMPARE(left->from, right->from)
    COMPARE(left->thread, right->thread)
    COMPARE(left->holder, right->holder)
    COMPARE(left->by, right->by)
    COMPARE(left->object, right->object)
    return 0;
}

/* Orders the heap: the last inversion is its first. */
static bool is_later_inversion(const void *a, const void *b)
{
    return compare_inversions(a, b) > 0;
}

static void blame_spend(uint64_t *work, uint64_t cost)
{
    *work -= cost < *work ? cost : *work;
}

/* Sorts items in steps; returns whether they are sorted. */
static inline bool sort_step(struct tt_heap_sort *sort, void *items, size_t count, size_t size,
                             tt_heap_before *is_later, uint64_t *work)
{
    uint64_t before = sort->added + sort->placed;
    bool sorted =
        tt_heap_sort_step(items, count, size, sort, (size_t)(*work / ORDER_WORK) + 1, is_later);
    blame_spend(work, (sort->added + sort->placed - before) * ORDER_WORK);
    return sorted;
}

/* ---- stretches ---------------------------------------------------------------------------- */

static bool is_off_cpu(const struct tt_interval *interval)
{
    return interval->class_ == TT_CLASS_READY || tt_class_is_blocked(interval->class_);
}

/* Sums up an explanation of ready and blocked time. */
static bool add_explained(struct tt_blames *blames, const struct tt_capture *capture,
                          uint32_t thread)
{
    bool owed = false; /* the wait of the thread itself, which the pieces after it explain */
    for (size_t i = 0; i < blames->e.count; i++) {
        const struct tt_piece *piece = &blames->e.pieces[i];
        bool ready = piece->depth == 0 &&
                     tt_format_state(capture->format, piece->state)->class_ == TT_CLASS_READY;
        owed = piece->depth == 0 ? tt_wait_is_owed(capture, piece->state, piece->kind) : owed;
        if (piece->flags & TT_PIECE_WAIT) {
            continue;
        }
        if (!add_entry(blames, thread, piece, ready, owed) ||
            ((piece->flags & TT_PIECE_INVERSION) && !add_inversion(blames, thread, i))) {
            return false;
        }
    }
    return true;
}

/* Orders the heap: the stretch that ends first is its first. */
static bool ends_before(const void *a, const void *b)
{
    const struct stretch *left = a, *right = b;
    return left->to != right->to ? left->to < right->to : left->thread < right->thread;
}

/* Finds the first stretch of stretch->thread from `reached` on; false if there is none in the window. */
static bool blame_find_stretch(const struct tt_blames *blames, uint64_t reached,
                               struct stretch *stretch, uint64_t *work)
{
    const struct tt_timelines *timelines = blames->timelines;
    struct tt_interval_at at;
    struct tt_interval i;
    bool more = reached < blames->request.to &&
                (tt_interval_find(timelines, stretch->thread, reached, &at) ||
                 tt_interval_first(timelines, stretch->thread, &at));
    for (; more; more = tt_interval_next(timelines, &at)) {
        i = tt_interval_get(timelines, at);
        *work -= *work > 0;
        if (i.start >= blames->request.to || (is_off_cpu(&i) && i.end > reached)) {
            break;
        }
    }
    if (!more || i.start >= blames->request.to) {
        return false;
    }
    stretch->from = i.start > reached ? i.start : reached;
    do {
        stretch->to = i.end;
        more = tt_interval_next(timelines, &at);
        i = more ? tt_interval_get(timelines, at) : i;
        *work -= *work > 0;
    } while (more && is_off_cpu(&i) && stretch->to < blames->request.to);
    stretch->to = tt_earlier(stretch->to, blames->request.to);
    stretch->version = blames->version;
    return true;
}

static bool blame_is_wanted(const struct tt_blames *blames, const struct tt_capture *capture,
                            uint32_t number)
{
    const struct tt_thread *thread = tt_thread_at(capture, number);
    const struct tt_blame_request *request = &blames->request;
    return !thread->idle && !thread->pseudo &&
           tt_bit_selects(request->threads, request->thread_limit, number);
}

/* Adds the first stretch of the next thread to the heap; returns false if out of memory. */
static bool blame_add_thread(struct tt_blames *blames, const struct tt_capture *capture,
                             uint64_t *work)
{
    struct stretch s = {.thread = blames->thread++};
    blame_spend(work, THREAD_WORK);
    if (!blame_is_wanted(blames, capture, s.thread) ||
        !blame_find_stretch(blames, blames->request.from, &s, work)) {
        return true;
    }
    struct stretch *heap =
        tt_array_grow(blames->heap, blames->heap_count, &blames->heap_capacity, sizeof *heap);
    if (!heap) {
        return false;
    }
    blames->heap = heap;
    heap[blames->heap_count] = s;
    tt_heap_up(heap, sizeof *heap, blames->heap_count++, ends_before);
    return true;
}

/* Replaces the first stretch of the heap by the next one of its thread, from `reached` on. */
static void replace_first(struct tt_blames *blames, uint64_t reached, uint64_t *work)
{
    if (!blame_find_stretch(blames, reached, &blames->heap[0], work)) {
        blames->heap[0] = blames->heap[--blames->heap_count];
    }
    tt_heap_down(blames->heap, blames->heap_count, sizeof *blames->heap, 0, ends_before);
}

/* Explains the first stretch of the heap; returns false if out of memory. */
static bool explain_first(struct tt_blames *blames, const struct tt_capture *capture,
                          uint64_t *work)
{
    const struct stretch s = blames->heap[0];
    if (s.version != blames->version) { /* the timelines have been replaced */
        replace_first(blames, s.from, work);
        return true;
    }
    struct tt_explain_request request = {s.thread, s.from, s.to, 0, 0};
    if (!tt_explain(blames->wakes, &request, &blames->e) ||
        !add_explained(blames, capture, s.thread)) {
        return false;
    }
    blame_spend(work, EXPLAIN_WORK * (blames->e.count + 1));
    blames->reached = s.to;
    replace_first(blames, s.to, work);
    return true;
}

/* Uses the current timelines, which may have been replaced. Returns false if out of memory. */
static bool load_timelines(struct tt_blames *blames)
{
    const struct tt_timelines *now = tt_trace_timelines(blames->trace);
    if (!now || (blames->wakes && now == blames->timelines)) {
        return true;
    }
    tt_wakes_free(blames->wakes);
    blames->wakes = tt_wakes_new(blames->trace);
    blames->timelines = blames->wakes ? tt_wakes_timelines(blames->wakes) : NULL;
    blames->version++;
    if (blames->wakes) {
        tt_wakes_keep_many(blames->wakes);
    }
    return blames->wakes != NULL;
}

bool tt_blames_step(struct tt_blames *blames, uint64_t *work, bool *done)
{
    const struct tt_capture *capture = tt_trace_capture(blames->trace);
    if (!load_timelines(blames)) {
        return false;
    }
    bool sorts = blames->sorting.added > 0 || blames->inversion_sorting.added > 0;
    while (blames->wakes && !sorts &&
           (blames->thread < tt_thread_count(capture) || blames->heap_count > 0)) {
        bool ok = blames->thread < tt_thread_count(capture)
                      ? blame_add_thread(blames, capture, work)
                      : explain_first(blames, capture, work);
        if (!ok) {
            return false;
        }
        if (*work == 0) { /* even a step without work makes progress */
            return true;
        }
    }
    *done = sort_step(&blames->sorting, blames->entries, blames->count, sizeof *blames->entries,
                      is_later_entry, work) &&
            sort_step(&blames->inversion_sorting, blames->inversions, blames->inversion_count,
                      sizeof *blames->inversions, is_later_inversion, work);
    return true;
}
