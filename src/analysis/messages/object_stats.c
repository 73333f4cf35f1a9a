/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object_stats: one pass over the steps of each object. Waits that have begun are in a heap by their
 * ends, so that begins, releases and ends come in order of time:
 *
 *      steps   | wait A | wait B |         | release H |           | release A |
 *      ends                                            | A |                   | B |
 *      hold             |------ of H: from the first wait ---| of A: up to B's end |
 */
#include "tracetui/object_stats.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/bits.h"

#define LOOK_AHEAD 64u /* steps that are searched for the next release */

/* A wait that has not ended. */
struct waiter {
    uint64_t end;
    uint64_t start;
    uint32_t thread;
    bool is_sample;  /* begin and end are in the capture */
    bool is_counted; /* its thread is one of the window's */
};

struct tt_object_counting {
    const struct tt_timelines *t;
    struct tt_object_window window;
    struct tt_object_stats stats;
    uint32_t object;             /* the current one */
    struct tt_sample_sink *sink; /* NULL: nothing is watched */
    enum tt_object_sample watched;
    uint32_t end; /* of the objects if one is watched */
    bool begun;   /* `reader` and the members below are those of `object` */
    struct tt_object_reader reader;
    struct tt_object_step next;
    bool has_next;
    struct tt_object_stat row;
    struct tt_samples waits;
    struct tt_samples holds;
    struct waiter *heap; /* the earliest end first */
    size_t count;
    size_t capacity;
    uint64_t counted;  /* waiters in the heap that are counted */
    uint64_t reached;  /* time up to which `contended` and `waiting` are summed */
    uint64_t hold;     /* begin of the hold, if there are waiters */
    uint64_t release;  /* time of the release since then; */
    uint32_t releaser; /* its thread, or TT_NO_THREAD */
};

/* ---- the heap ------------------------------------------------------------------------------ */

static bool push(struct tt_object_counting *k, const struct waiter *waiter)
{
    struct waiter *heap = tt_array_grow(k->heap, k->count, &k->capacity, sizeof *heap);
    if (!heap) {
        return false;
    }
    k->heap = heap;
    size_t at = k->count++;
    for (; at > 0 && heap[(at - 1) / 2].end > waiter->end; at = (at - 1) / 2) {
        heap[at] = heap[(at - 1) / 2];
    }
    heap[at] = *waiter;
    return true;
}

static struct waiter pop(struct tt_object_counting *k)
{
    struct waiter first = k->heap[0], last = k->heap[--k->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < k->count; at = child) {
        child += child + 1 < k->count && k->heap[child + 1].end < k->heap[child].end;
        if (k->heap[child].end >= last.end) {
            break;
        }
        k->heap[at] = k->heap[child];
    }
    k->heap[at] = last;
    return first;
}

/* ---- one object ---------------------------------------------------------------------------- */

static bool is_in(const struct tt_object_counting *k, uint64_t time)
{
    return time >= k->window.from && time < k->window.to;
}

static bool is_wanted(const struct tt_object_counting *k, uint32_t thread)
{
    return tt_bit_selects(k->window.threads, k->window.thread_limit, thread);
}

/* Sums the time with waiters up to `time`: a wait without an end lasts to that of its capture. */
static void sum_until(struct tt_object_counting *k, uint64_t time)
{
    uint64_t end = tt_timelines_end_of(k->t, k->row.object.system),
             limit = end < k->window.to ? end : k->window.to;
    uint64_t to = time < limit ? time : limit;
    uint64_t from = k->reached > k->window.from ? k->reached : k->window.from;
    if (to > from && k->counted > 0) {
        k->row.contended += to - from;
        k->row.waiting += (to - from) * k->counted;
    }
    if (k->counted > k->row.waiting_max && time >= k->window.from && k->reached < k->window.to) {
        k->row.waiting_max = k->counted;
    }
    k->reached = time;
}

/* Ends the hold of `holder` at `time`; the next one begins. */
static bool end_hold(struct tt_object_counting *k, uint64_t time, uint32_t holder)
{
    uint64_t length = time - k->hold;
    bool longest = k->holds.count == 0 || length > k->holds.max;
    bool counts = holder != TT_NO_THREAD && is_in(k, time) && k->counted > 0;
    k->hold = time;
    k->releaser = TT_NO_THREAD;
    if (counts && longest) {
        k->row.longest_holder = holder;
    }
    if (k->sink) {
        k->sink->thread = holder;
    }
    return !counts || tt_samples_add(&k->holds, length, time);
}

static bool begin_wait(struct tt_object_counting *k, const struct tt_object_step *step)
{
    struct tt_interval wait;
    bool ended;
    if (!tt_object_wait_of(k->t, step, &wait, &ended)) {
        return true;
    }
    struct waiter waiter = {.end = wait.open ? UINT64_MAX : wait.end,
                            .start = step->time,
                            .thread = step->thread,
                            .is_sample = ended && !wait.since_before,
                            .is_counted = is_wanted(k, step->thread)};
    sum_until(k, step->time);
    if (k->count == 0) {
        k->hold = step->time;
        k->releaser = TT_NO_THREAD;
    }
    bool counts = waiter.is_counted && !wait.since_before && is_in(k, step->time);
    k->row.waits += counts;
    if (k->sink && k->watched == TT_OBJECT_WAITS && counts) {
        k->sink->thread = step->thread;
        if (!tt_sample_sink_take(k->sink, 0, step->time)) {
            return false;
        }
    }
    k->counted += waiter.is_counted;
    return push(k, &waiter);
}

static bool release(struct tt_object_counting *k, const struct tt_object_step *step)
{
    bool ok = true;
    if (k->count == 0) {
        return true;
    }
    if (k->releaser != TT_NO_THREAD) { /* another thread acquired it before a waiter did */
        sum_until(k, k->release);
        ok = end_hold(k, k->release, k->releaser);
    }
    k->release = step->time;
    k->releaser = step->thread;
    return ok;
}

/*
 * Returns whether the next thread that releases the object is `thread`, which must then have
 * acquired it.
 */
static bool releases_next(const struct tt_object_counting *k, uint32_t thread)
{
    struct tt_object_reader reader = k->reader;
    struct tt_object_step step = k->next;
    bool more = k->has_next;
    for (unsigned i = 0; more && i < LOOK_AHEAD; i++) {
        if (step.is_release) {
            return step.thread == thread;
        }
        more = tt_object_read(&reader, &step);
    }
    return false;
}

/* Ends the hold that the end of a wait shows; a waiter that gave up ends none. */
static bool hand_over(struct tt_object_counting *k, const struct waiter *waiter)
{
    uint32_t holder = k->releaser;
    if (holder == TT_NO_THREAD && !(k->count > 0 && releases_next(k, waiter->thread))) {
        return true;
    }
    return end_hold(k, waiter->end, holder);
}

static bool end_wait(struct tt_object_counting *k)
{
    struct waiter waiter = pop(k);
    uint32_t holder = k->releaser;
    uint64_t length = waiter.end - waiter.start;
    sum_until(k, waiter.end);
    if (waiter.end == UINT64_MAX) {
        return true;
    }
    bool held = tt_object_kind_is_held(k->row.object.kind);
    bool ok = !held || hand_over(k, &waiter);
    k->counted -= waiter.is_counted;
    if (!waiter.is_counted || !waiter.is_sample || !is_in(k, waiter.end)) {
        return ok;
    }
    if (k->waits.count == 0 || length > k->waits.max) {
        k->row.longest_waiter = waiter.thread;
        k->row.max_holder = held ? holder : TT_NO_THREAD;
    }
    if (k->sink) {
        k->sink->thread = waiter.thread;
    }
    return ok && tt_samples_add(&k->waits, length, waiter.end);
}

static void begin_object(struct tt_object_counting *k)
{
    k->row = (struct tt_object_stat){.object = tt_object_at(k->t, k->object),
                                     .number = k->object,
                                     .longest_waiter = TT_NO_THREAD,
                                     .max_holder = TT_NO_THREAD,
                                     .longest_holder = TT_NO_THREAD};
    /* From the beginning: a wait may end in the window long after it has begun. */
    tt_object_read_from(&k->reader, k->t, k->object, 0);
    k->has_next = tt_object_read(&k->reader, &k->next);
    k->counted = k->reached = 0;
    k->releaser = TT_NO_THREAD;
    k->begun = true;
}

/* Handles the next begin, release or end; false when the object is done. */
static bool pass(struct tt_object_counting *k, bool *ok)
{
    bool ends = k->count > 0 && k->heap[0].end < UINT64_MAX;
    bool steps = k->has_next && k->next.time < k->window.to;
    /* At one time: a release, the ends that it leads to, then begins. */
    bool step_first = steps && (!ends || k->next.time < k->heap[0].end ||
                                (k->next.time == k->heap[0].end && k->next.is_release));
    if (step_first) {
        struct tt_object_step step = k->next;
        *ok = step.is_release ? release(k, &step) : begin_wait(k, &step);
        k->has_next = tt_object_read(&k->reader, &k->next);
        return true;
    }
    if (!ends || k->heap[0].end >= k->window.to) {
        return false;
    }
    *ok = end_wait(k);
    return true;
}

static bool end_object(struct tt_object_counting *k)
{
    struct tt_object_stats *stats = &k->stats;
    sum_until(k, k->window.to);
    k->count = 0;
    k->begun = false;
    k->object++;
    bool empty = k->row.waits == 0 && k->row.contended == 0 && k->waits.count == 0;
    if (!empty) {
        struct tt_object_stat *rows =
            tt_array_grow(stats->rows, stats->count, &stats->capacity, sizeof *rows);
        if (!rows) {
            return false;
        }
        stats->rows = rows;
        k->row.wait = tt_samples_distribution(&k->waits);
        k->row.hold = tt_samples_distribution(&k->holds);
        rows[stats->count++] = k->row;
    }
    tt_samples_clear(&k->waits);
    tt_samples_clear(&k->holds);
    return true;
}

/* ---- all ----------------------------------------------------------------------------------- */

struct tt_object_counting *tt_object_counting_new(const struct tt_timelines *t,
                                                  const struct tt_object_window *window)
{
    struct tt_object_counting *k = calloc(1, sizeof *k);
    if (k) {
        k->t = t;
        k->window = *window;
    }
    return k;
}

void tt_object_counting_watch(struct tt_object_counting *k, uint32_t object,
                              enum tt_object_sample what, struct tt_sample_sink *sink)
{
    static const struct tt_sample_sink drop = {.take = NULL};
    k->object = object;
    k->end = object + 1;
    k->sink = sink;
    k->watched = what;
    k->waits.sink = what == TT_OBJECT_WAIT ? sink : &drop;
    k->holds.sink = what == TT_OBJECT_HOLD ? sink : &drop;
}

void tt_object_counting_free(struct tt_object_counting *k)
{
    if (k) {
        tt_samples_free(&k->waits);
        tt_samples_free(&k->holds);
        tt_object_stats_free(&k->stats);
        free(k->heap);
        free(k);
    }
}

struct tt_status tt_object_counting_step(struct tt_object_counting *k, uint64_t work, bool *done)
{
    uint32_t objects = k->sink ? k->end : tt_object_count(k->t);
    bool ok = true;
    while (ok && k->object < objects && work > 0) {
        if (!k->begun) {
            begin_object(k);
        }
        while (ok && work > 0 && pass(k, &ok)) {
            work--;
        }
        if (ok && work > 0) {
            ok = end_object(k);
            work--;
        }
    }
    *done = k->object >= objects;
    return ok ? tt_ok() : tt_error_memory();
}

const struct tt_object_stats *tt_object_counting_stats(const struct tt_object_counting *k)
{
    return &k->stats;
}

unsigned tt_object_counting_percent(const struct tt_object_counting *k)
{
    uint32_t objects = tt_object_count(k->t);
    return objects > 0 ? (unsigned)((uint64_t)k->object * 100 / objects) : 100;
}

int tt_object_stat_compare(const struct tt_object_stat *a, const struct tt_object_stat *b)
{
    if (a->wait.sum != b->wait.sum) {
        return a->wait.sum > b->wait.sum ? -1 : 1;
    }
    if (a->waits != b->waits) {
        return a->waits > b->waits ? -1 : 1;
    }
    return (a->number > b->number) - (a->number < b->number);
}

static int compare(const void *a, const void *b)
{
    return tt_object_stat_compare(a, b);
}

struct tt_status tt_object_stats_compute(const struct tt_timelines *t,
                                         const struct tt_object_window *window,
                                         struct tt_object_stats *stats)
{
    struct tt_object_counting *k = tt_object_counting_new(t, window);
    bool done = false;
    *stats = (struct tt_object_stats){0};
    struct tt_status status = k ? tt_ok() : tt_error_memory();
    while (!tt_failed(&status) && !done) {
        status = tt_object_counting_step(k, UINT64_MAX, &done);
    }
    if (!tt_failed(&status)) {
        *stats = k->stats;
        k->stats = (struct tt_object_stats){0};
        if (stats->count > 1) {
            qsort(stats->rows, stats->count, sizeof *stats->rows, compare);
        }
    }
    tt_object_counting_free(k);
    return status;
}

void tt_object_stats_free(struct tt_object_stats *stats)
{
    free(stats->rows);
    *stats = (struct tt_object_stats){0};
}
