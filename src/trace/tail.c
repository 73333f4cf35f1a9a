/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a growing capture in time order, each once. */
#include "tracetui/tail.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "trace/index/watermark.h"
#include "trace/trace_internal.h"

/*
 * A file is reopened in its first megabytes only. Positions of delivered events are stored up to
 * this number; events at later positions count as delivered unless they were held.
 */
#define DELIVERED_MAX (UINT32_C(1) << 20)

/* A multipart event that is not complete. */
struct incomplete {
    struct tt_event event;
    uint64_t since_ms;
};

struct places {
    uint64_t *v;
    uint32_t count;
    uint32_t capacity;
};

struct tt_tail {
    struct tt_trace *trace;
    uint64_t silence_ms;
    uint32_t block; /* block and index within it of the next event */
    uint32_t event;
    struct tt_watermark watermark;
    struct tt_event *decoded; /* room for a block */
    struct tt_event *held;    /* events not yet delivered: [held_from, held_end), by key */
    uint32_t held_from;
    uint32_t held_end;
    uint32_t held_capacity;
    struct incomplete *incomplete; /* in record order */
    uint32_t incomplete_count;
    uint32_t incomplete_capacity;
    struct tt_key last; /* largest key delivered so far */
    bool any_delivered; /* some event was delivered */
    /* For the time after the file is reopened: */
    struct places
        delivered; /* positions of delivered events; the first `delivered_sorted` are sorted */
    uint32_t delivered_sorted;
    uint64_t unlisted;         /* lowest position of a delivered event that is not in `delivered` */
    uint64_t reach;            /* highest position of an event read */
    uint64_t reach_before;     /* `reach` before the last reopening; 0: not reopened */
    struct places held_before; /* positions of the events held then, sorted */
    struct tt_args args;       /* of an event that may be incomplete */
};

/* ---- life --------------------------------------------------------------------------------- */

static void announce_streams(struct tt_tail *t)
{
    const struct tt_capture *c = t->trace->capture;
    t->watermark.announced = c->streams;
}

struct tt_tail *tt_tail_new(struct tt_trace *trace, uint64_t silence_ms)
{
    struct tt_tail *t = calloc(1, sizeof *t);
    if (!t) {
        return NULL;
    }
    t->trace = trace;
    t->silence_ms = silence_ms;
    t->unlisted = UINT64_MAX;
    announce_streams(t);
    t->decoded = malloc(TT_BLOCK_EVENTS * sizeof *t->decoded);
    if (!t->decoded) {
        tt_tail_free(t);
        return NULL;
    }
    return t;
}

void tt_tail_free(struct tt_tail *t)
{
    if (!t) {
        return;
    }
    tt_watermark_free(&t->watermark);
    free(t->decoded);
    free(t->held);
    free(t->incomplete);
    free(t->delivered.v);
    free(t->held_before.v);
    free(t);
}

/* ---- positions of delivered events ----------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool add_place(struct places *places, uint64_t pos)
{
    uint64_t *v = tt_array_grow_32(places->v, places->count, &places->capacity, sizeof *v);
    if (v) {
        places->v = v;
        v[places->count++] = pos;
    }
    return v != NULL;
}

static bool has_place(const struct places *places, uint32_t count, uint64_t pos)
{
    return count > 0 && bsearch(&pos, places->v, count, sizeof pos, compare_places);
}

static bool is_delivered(const struct tt_tail *t, uint64_t pos)
{
    if (pos > t->reach_before) {
        return false;
    }
    return has_place(&t->delivered, t->delivered_sorted, pos) ||
           (pos >= t->unlisted && !has_place(&t->held_before, t->held_before.count, pos));
}

static bool note_delivered(struct tt_tail *t, uint64_t pos)
{
    if (t->delivered.count < DELIVERED_MAX) {
        return add_place(&t->delivered, pos);
    }
    t->unlisted = pos < t->unlisted ? pos : t->unlisted;
    return true;
}

/* ---- input ---------------------------------------------------------------------------------- */

static bool hold(struct tt_tail *t, const struct tt_event *event)
{
    struct tt_event *held = tt_array_grow_32(t->held, t->held_end, &t->held_capacity, sizeof *held);
    if (held) {
        t->held = held;
        held[t->held_end++] = *event;
    }
    return held != NULL;
}

static bool add_incomplete(struct tt_tail *t, const struct tt_event *event, uint64_t now)
{
    struct incomplete *incomplete = tt_array_grow_32(t->incomplete, t->incomplete_count,
                                                     &t->incomplete_capacity, sizeof *incomplete);
    if (incomplete) {
        t->incomplete = incomplete;
        incomplete[t->incomplete_count++] = (struct incomplete){*event, now};
    }
    return incomplete != NULL;
}

static bool take_event(struct tt_tail *t, const struct tt_event *event, uint64_t now)
{
    const struct tt_capture *c = t->trace->capture;
    uint32_t stream = tt_capture_stream(c, event);
    if (!tt_watermark_advance(&t->watermark, stream, event->ticks, now)) {
        return false;
    }
    if (is_delivered(t, event->pos)) {
        return true;
    }
    t->reach = event->pos > t->reach ? event->pos : t->reach;
    if ((event->flags & TT_EVENT_MULTIPART) && !add_incomplete(t, event, now)) {
        return false;
    }
    return hold(t, event);
}

/* Reads the events of block t->block from t->event on; returns false when out of memory. */
static bool take_block(struct tt_tail *t, struct tt_cursor *cursor, uint32_t listed, uint64_t sum,
                       uint64_t now)
{
    tt_index_decode_tape(&t->trace->index, cursor, t->block, listed, sum, t->decoded);
    while (t->event < listed) {
        if (!take_event(t, &t->decoded[t->event], now)) {
            return false;
        }
        t->event++;
    }
    return true;
}

/* Finds the next block with new events and their number; returns false if there is none. */
static bool find_block(struct tt_tail *t, uint32_t *listed, uint64_t *sum)
{
    struct tt_index *index = &t->trace->index;
    bool found = false;
    pthread_mutex_lock(&index->lock);
    uint64_t blocks = tt_column_count(&index->blocks);
    while (!found && t->block < blocks) {
        const struct tt_block *block = tt_column_at(&index->blocks, t->block);
        *listed = block->listed;
        *sum = block->sum;
        found = t->event < *listed;
        if (!found && t->block + UINT64_C(1) == blocks) {
            break; /* it may grow */
        }
        if (!found) {
            t->block++;
            t->event = 0;
        }
    }
    pthread_mutex_unlock(&index->lock);
    return found;
}

/* Merges the held events from `from` on into the sorted ones. */
static void sort_held(struct tt_tail *t, uint32_t from)
{
    if (from == t->held_end) {
        return;
    }
    const struct tt_event *smallest = &t->held[from];
    for (uint32_t i = from + 1; i < t->held_end; i++) {
        smallest = tt_event_compare(&t->held[i], smallest) < 0 ? &t->held[i] : smallest;
    }
    uint32_t low = t->held_from, high = from;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (tt_event_compare(&t->held[middle], smallest) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    tt_events_sort(t->held + low, t->held_end - low);
}

bool tt_tail_update(struct tt_tail *t, bool *more)
{
    uint64_t now = tt_now_ms(), sum = 0;
    uint32_t listed = 0, had = t->held_end - t->held_from;
    bool ok = true;
    if (t->held_from > 0) {
        memmove(t->held, t->held + t->held_from, had * sizeof *t->held);
        t->held_from = 0;
        t->held_end = had;
    }
    /* At least one block is read, so that the events for which others are held back do arrive. */
    *more = find_block(t, &listed, &sum);
    if (!*more) {
        return true;
    }
    const struct tt_format *format = t->trace->capture->format;
    struct tt_cursor *cursor = format->cursor_new(t->trace->capture, false);
    ok = cursor != NULL;
    while (ok && *more) {
        ok = take_block(t, cursor, listed, sum, now);
        *more = find_block(t, &listed, &sum);
        if (t->held_end >= TT_TAIL_LIMIT && t->held_end - had >= TT_TAIL_LIMIT / 4) {
            break;
        }
    }
    tt_cursor_free(format, cursor);
    sort_held(t, had);
    return ok;
}

/* ---- output --------------------------------------------------------------------------------- */

struct complete_job {
    const struct tt_capture *capture;
    const struct tt_event *event;
    uint64_t limit;
    struct tt_args *args;
    bool whole;
};

static void check_complete(void *arg)
{
    struct complete_job *job = arg;
    tt_args_clear(job->args);
    bool described =
        job->capture->format->describe(job->capture, job->event, job->limit, job->args);
    job->whole = !described || !job->args->is_partial;
}

/* Returns whether all parts of an event are present, or its bytes are gone. */
static bool is_whole(struct tt_tail *t, const struct tt_event *event)
{
    struct tt_index *index = &t->trace->index;
    struct complete_job job = {t->trace->capture, event,
                               atomic_load_explicit(&index->limit, memory_order_acquire), &t->args,
                               false};
    return !tt_sigbus_guard(check_complete, &job) || job.whole;
}

/* Drops the incomplete events that are complete or too old; returns the first key that remains. */
static struct tt_key first_incomplete(struct tt_tail *t, uint64_t now)
{
    struct tt_key first = {UINT64_MAX, UINT64_MAX};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->incomplete_count; i++) {
        struct incomplete p = t->incomplete[i];
        struct tt_key key = {p.event.ticks, p.event.pos};
        if (now - p.since_ms >= t->silence_ms || is_whole(t, &p.event)) {
            continue;
        }
        t->incomplete[kept++] = p;
        first = tt_key_before(key, first) ? key : first;
    }
    t->incomplete_count = kept;
    return first;
}

static uint32_t count_before(const struct tt_tail *t, struct tt_key end)
{
    uint32_t low = t->held_from, high = t->held_end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        struct tt_key key = {t->held[middle].ticks, t->held[middle].pos};
        if (tt_key_before(key, end)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - t->held_from;
}

size_t tt_tail_ready(struct tt_tail *t, bool all, const struct tt_event **events, size_t *late)
{
    uint64_t now = tt_now_ms(), next;
    uint64_t final = tt_watermark_final(&t->watermark, now, t->silence_ms, &next);
    struct tt_key end = {final, final == UINT64_MAX ? UINT64_MAX : 0};
    *late = t->any_delivered ? count_before(t, t->last) : 0;
    *events = t->held ? t->held + t->held_from : NULL;
    if (all) {
        return t->held_end - t->held_from;
    }
    if (t->any_delivered && tt_key_before(end, t->last)) {
        end = t->last;
    }
    struct tt_key waits = first_incomplete(t, now);
    end = tt_key_before(waits, end) ? waits : end;
    size_t ready = count_before(t, end);
    *late = *late < ready ? *late : ready;
    return ready;
}

bool tt_tail_next(struct tt_tail *t, size_t count)
{
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        const struct tt_event *event = &t->held[t->held_from++];
        struct tt_key key = {event->ticks, event->pos};
        if (!t->any_delivered || tt_key_before(t->last, key)) {
            t->last = key;
        }
        t->any_delivered = true;
        ok = note_delivered(t, event->pos) && ok;
    }
    return ok;
}

size_t tt_tail_held(const struct tt_tail *t)
{
    return t->held_end - t->held_from;
}

/* ---- the same file, reopened ---------------------------------------------------------------- */

bool tt_tail_restart(struct tt_tail *t, struct tt_trace *trace)
{
    t->held_before.count = 0;
    for (uint32_t i = t->held_from; i < t->held_end; i++) {
        if (!add_place(&t->held_before, t->held[i].pos)) {
            return false;
        }
    }
    t->trace = trace;
    if (t->held_before.count > 0) {
        qsort(t->held_before.v, t->held_before.count, sizeof *t->held_before.v, compare_places);
    }
    if (t->delivered.count > 0) {
        qsort(t->delivered.v, t->delivered.count, sizeof *t->delivered.v, compare_places);
    }
    t->delivered_sorted = t->delivered.count;
    t->reach_before = t->reach > t->reach_before ? t->reach : t->reach_before;
    t->block = t->event = 0;
    t->held_from = t->held_end = 0;
    t->incomplete_count = 0;
    tt_watermark_free(&t->watermark);
    announce_streams(t);
    return true;
}
