/* SPDX-License-Identifier: Apache-2.0 */
/*
 * object_stats: one pass over the steps of each object. Waits that have begun are in a heap by their
 * ends, so that begins, releases and ends come in order of time:
 *
 *      steps   | wait A | wait B |         | release H |           | release A |
 *      ends                                            | A |                   | B |
 *      hold             |------ of H: from the first wait ---| of A: up to B's end |
 */
#include "analysis/messages/object_stats.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/bits.h"

#define LOOK_AHEAD 64u /* steps that are searched for the next object_stats_release */

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

static bool object_stats_push(struct tt_object_counting *counting, const struct waiter *waiter)
{
    struct waiter *heap =
        tt_array_grow(counting->heap, counting->count, &counting->capacity, sizeof *heap);
    if (!heap) {
        return false;
    }
    counting->heap = heap;
    size_t at = counting->count++;
    for (; at > 0 && heap[(at - 1) / 2].end > waiter->end; at = (at - 1) / 2) {
        heap[at] = heap[(at - 1) / 2];
    }
    heap[at] = *waiter;
    return true;
}

/* ---- one object ---------------------------------------------------------------------------- */

static bool object_stats_is_in(const struct tt_object_counting *counting, uint64_t time)
{
    return time >= counting->window.from && time < counting->window.to;
}

static bool object_stats_is_wanted(const struct tt_object_counting *counting, uint32_t thread)
{
    return tt_bit_selects(counting->window.threads, counting->window.thread_limit, thread);
}

/* Sums the time with waiters up to `time`: a wait without an end lasts to that of its capture. */
static void sum_until(struct tt_object_counting *counting, uint64_t time)
{
    uint64_t end = tt_timelines_end_of(counting->t, counting->row.object.system),
             limit = end < counting->window.to ? end : counting->window.to;
    uint64_t to = time < limit ? time : limit;
    uint64_t from =
        counting->reached > counting->window.from ? counting->reached : counting->window.from;
    if (to > from && counting->counted > 0) {
        counting->row.contended += to - from;
        counting->row.waiting += (to - from) * counting->counted;
    }
    if (counting->counted > counting->row.waiting_max && time >= counting->window.from &&
        counting->reached < counting->window.to) {
        counting->row.waiting_max = counting->counted;
    }
    counting->reached = time;
}

/* Ends the hold of `holder` at `time`; the next one begins. */
static bool end_hold(struct tt_object_counting *counting, uint64_t time, uint32_t holder)
{
    uint64_t length = time - counting->hold;
    bool longest = counting->holds.count == 0 || length > counting->holds.max;
    bool counts =
        holder != TT_NO_THREAD && object_stats_is_in(counting, time) && counting->counted > 0;
    counting->hold = time;
    counting->releaser = TT_NO_THREAD;
    if (counts && longest) {
        counting->row.longest_holder = holder;
    }
    if (counting->sink) {
        counting->sink->thread = holder;
    }
    return !counts || tt_samples_add(&counting->holds, length, time);
}

static bool begin_wait(struct tt_object_counting *counting, const struct tt_object_step *step)
{
    struct tt_interval wait;
    bool ended;
    if (!tt_object_wait_of(counting->t, step, &wait, &ended)) {
        return true;
    }
    struct waiter waiter = {.end = wait.open ? UINT64_MAX : wait.end,
                            .start = step->time,
                            .thread = step->thread,
                            .is_sample = ended && !wait.since_before,
                            .is_counted = object_stats_is_wanted(counting, step->thread)};
    sum_until(counting, step->time);
    if (counting->count == 0) {
        counting->hold = step->time;
        counting->releaser = TT_NO_THREAD;
    }
    bool counts =
        waiter.is_counted && !wait.since_before && object_stats_is_in(counting, step->time);
    counting->row.waits += counts;
    if (counting->sink && counting->watched == TT_OBJECT_WAITS && counts) {
        counting->sink->thread = step->thread;
        if (!tt_sample_sink_pass(counting->sink, 0, step->time)) {
            return false;
        }
    }
    counting->counted += waiter.is_counted;
    return object_stats_push(counting, &waiter);
}

static bool object_stats_release(struct tt_object_counting *counting,
                                 const struct tt_object_step *step)
{
    bool ok = true;
    if (counting->count == 0) {
        return true;
    }
    if (counting->releaser != TT_NO_THREAD) { /* another thread acquired it before a waiter did */
        sum_until(counting, counting->release);
        ok = end_hold(counting, counting->release, counting->releaser);
    }
    counting->release = step->time;
    counting->releaser = step->thread;
    return ok;
}

/*
 * Returns whether the next thread that releases the object is `thread`, which must then have
 * acquired it.
 */
static bool releases_next(const struct tt_object_counting *counting, uint32_t thread)
{
    struct tt_object_reader reader = counting->reader;
    struct tt_object_step step = counting->next;
    bool more = counting->has_next;
    for (unsigned i = 0; more && i < LOOK_AHEAD; i++) {
        if (step.is_release) {
            return step.thread == thread;
        }
        more = tt_object_read(&reader, &step);
    }
    return false;
}

/* Ends the hold that the end of a wait shows; a waiter that gave up ends none. */
static bool hand_over(struct tt_object_counting *counting, const struct waiter *waiter)
{
    uint32_t holder = counting->releaser;
    if (holder == TT_NO_THREAD &&
        !(counting->count > 0 && releases_next(counting, waiter->thread))) {
        return true;
    }
    return end_hold(counting, waiter->end, holder);
}

static bool end_wait(struct tt_object_counting *counting)
{
    struct waiter waiter = counting->heap[0], last = counting->heap[--counting->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < counting->count; at = child) {
        child += child + 1 < counting->count &&
                 counting->heap[child + 1].end < counting->heap[child].end;
        if (counting->heap[child].end >= last.end) {
            break;
        }
        counting->heap[at] = counting->heap[child];
    }
    counting->heap[at] = last;

    uint32_t holder = counting->releaser;
    uint64_t length = waiter.end - waiter.start;
    sum_until(counting, waiter.end);
    if (waiter.end == UINT64_MAX) {
        return true;
    }
    bool held = tt_object_kind_is_held(counting->row.object.kind);
    bool ok = !held || hand_over(counting, &waiter);
    counting->counted -= waiter.is_counted;
    if (!waiter.is_counted || !waiter.is_sample || !object_stats_is_in(counting, waiter.end)) {
        return ok;
    }
    if (counting->waits.count == 0 || length > counting->waits.max) {
        counting->row.longest_waiter = waiter.thread;
        counting->row.max_holder = held ? holder : TT_NO_THREAD;
    }
    if (counting->sink) {
        counting->sink->thread = waiter.thread;
    }
    return ok && tt_samples_add(&counting->waits, length, waiter.end);
}

/* Handles the next begin, release or end; false when the object is done. */
static bool object_stats_pass(struct tt_object_counting *counting, bool *ok)
{
    bool ends = counting->count > 0 && counting->heap[0].end < UINT64_MAX;
    bool steps = counting->has_next && counting->next.time < counting->window.to;
    /* At one time: a release, the ends that it leads to, then begins. */
    bool step_first =
        steps && (!ends || counting->next.time < counting->heap[0].end ||
                  (counting->next.time == counting->heap[0].end && counting->next.is_release));
    if (step_first) {
        struct tt_object_step step = counting->next;
        *ok = step.is_release ? object_stats_release(counting, &step) : begin_wait(counting, &step);
        counting->has_next = tt_object_read(&counting->reader, &counting->next);
        return true;
    }
    if (!ends || counting->heap[0].end >= counting->window.to) {
        return false;
    }
    *ok = end_wait(counting);
    return true;
}

static bool end_object(struct tt_object_counting *counting)
{
    struct tt_object_stats *stats = &counting->stats;
    sum_until(counting, counting->window.to);
    counting->count = 0;
    counting->begun = false;
    counting->object++;
    bool empty =
        counting->row.waits == 0 && counting->row.contended == 0 && counting->waits.count == 0;
    if (!empty) {
        struct tt_object_stat *rows =
            tt_array_grow(stats->rows, stats->count, &stats->capacity, sizeof *rows);
        if (!rows) {
            return false;
        }
        stats->rows = rows;
        counting->row.wait = tt_samples_distribution(&counting->waits);
        counting->row.hold = tt_samples_distribution(&counting->holds);
        rows[stats->count++] = counting->row;
    }
    tt_samples_clear(&counting->waits);
    tt_samples_clear(&counting->holds);
    return true;
}

/* ---- all ----------------------------------------------------------------------------------- */

struct tt_object_counting *tt_object_counting_new(const struct tt_timelines *timelines,
                                                  const struct tt_object_window *window)
{
    struct tt_object_counting *counting = calloc(1, sizeof *counting);
    if (counting) {
        counting->t = timelines;
        counting->window = *window;
    }
    return counting;
}

void tt_object_counting_watch(struct tt_object_counting *counting, uint32_t object,
                              enum tt_object_sample what, struct tt_sample_sink *sink)
{
    static const struct tt_sample_sink drop = {.take = NULL};
    counting->object = object;
    counting->end = object + 1;
    counting->sink = sink;
    counting->watched = what;
    counting->waits.sink = what == TT_OBJECT_WAIT ? sink : &drop;
    counting->holds.sink = what == TT_OBJECT_HOLD ? sink : &drop;
}

void tt_object_counting_free(struct tt_object_counting *counting)
{
    if (counting) {
        tt_samples_free(&counting->waits);
        tt_samples_free(&counting->holds);
        tt_object_stats_free(&counting->stats);
        free(counting->heap);
        free(counting);
    }
}

struct tt_status tt_object_counting_step(struct tt_object_counting *counting, uint64_t work,
                                         bool *done)
{
    uint32_t objects = counting->sink ? counting->end : tt_object_count(counting->t);
    bool ok = true;
    while (ok && counting->object < objects && work > 0) {
        if (!counting->begun) {
            counting->row =
                (struct tt_object_stat){.object = tt_object_at(counting->t, counting->object),
                                        .number = counting->object,
                                        .longest_waiter = TT_NO_THREAD,
                                        .max_holder = TT_NO_THREAD,
                                        .longest_holder = TT_NO_THREAD};
            /* From the beginning: a wait may end in the window long after it has begun. */
            tt_object_read_from(&counting->reader, counting->t, counting->object, 0);
            counting->has_next = tt_object_read(&counting->reader, &counting->next);
            counting->counted = counting->reached = 0;
            counting->releaser = TT_NO_THREAD;
            counting->begun = true;
        }
        while (ok && work > 0 && object_stats_pass(counting, &ok)) {
            work--;
        }
        if (ok && work > 0) {
            ok = end_object(counting);
            work--;
        }
    }
    *done = counting->object >= objects;
    return ok ? tt_ok() : tt_error_memory();
}

const struct tt_object_stats *tt_object_counting_stats(const struct tt_object_counting *counting)
{
    return &counting->stats;
}

unsigned tt_object_counting_percent(const struct tt_object_counting *counting)
{
    uint32_t objects = tt_object_count(counting->t);
    return objects > 0 ? (unsigned)((uint64_t)counting->object * 100 / objects) : 100;
}

int tt_object_stat_compare(const struct tt_object_stat *left, const struct tt_object_stat *right)
{
    if (left->wait.sum != right->wait.sum) {
        return left->wait.sum > right->wait.sum ? -1 : 1;
    }
    if (left->waits != right->waits) {
        return left->waits > right->waits ? -1 : 1;
    }
    return (left->number > right->number) - (left->number < right->number);
}

static int object_stats_compare(const void *a, const void *b)
{
    return tt_object_stat_compare(a, b);
}

struct tt_status tt_object_stats_compute(const struct tt_timelines *timelines,
                                         const struct tt_object_window *window,
                                         struct tt_object_stats *stats)
{
    struct tt_object_counting *counting = tt_object_counting_new(timelines, window);
    bool done = false;
    *stats = (struct tt_object_stats){0};
    struct tt_status status = counting ? tt_ok() : tt_error_memory();
    while (!tt_failed(&status) && !done) {
        status = tt_object_counting_step(counting, UINT64_MAX, &done);
    }
    if (!tt_failed(&status)) {
        *stats = counting->stats;
        counting->stats = (struct tt_object_stats){0};
        if (stats->count > 1) {
            qsort(stats->rows, stats->count, sizeof *stats->rows, object_stats_compare);
        }
    }
    tt_object_counting_free(counting);
    return status;
}

void tt_object_stats_free(struct tt_object_stats *stats)
{
    free(stats->rows);
    *stats = (struct tt_object_stats){0};
}
