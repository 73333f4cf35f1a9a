/* SPDX-License-Identifier: Apache-2.0 */
/* Events of a growing capture in time order, each once. */
#include "trace/tail.h"

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

static void announce_streams(struct tt_tail *tail)
{
    const struct tt_capture *capture = tail->trace->capture;
    tail->watermark.announced = capture->streams;
}

struct tt_tail *tt_tail_new(struct tt_trace *trace, uint64_t silence_ms)
{
    struct tt_tail *tail = calloc(1, sizeof *tail);
    if (!tail) {
        return NULL;
    }
    tail->trace = trace;
    tail->silence_ms = silence_ms;
    tail->unlisted = UINT64_MAX;
    announce_streams(tail);
    tail->decoded = malloc(TT_BLOCK_EVENTS * sizeof *tail->decoded);
    if (!tail->decoded) {
        tt_tail_free(tail);
        return NULL;
    }
    return tail;
}

void tt_tail_free(struct tt_tail *tail)
{
    if (!tail) {
        return;
    }
    tt_watermark_free(&tail->watermark);
    free(tail->decoded);
    free(tail->held);
    free(tail->incomplete);
    free(tail->delivered.v);
    free(tail->held_before.v);
    free(tail);
}

/* ---- positions of delivered events ----------------------------------------------------------- */

static int compare_places(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool tail_add_place(struct places *places, uint64_t pos)
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

static bool is_delivered(const struct tt_tail *tail, uint64_t pos)
{
    if (pos > tail->reach_before) {
        return false;
    }
    return has_place(&tail->delivered, tail->delivered_sorted, pos) ||
           (pos >= tail->unlisted && !has_place(&tail->held_before, tail->held_before.count, pos));
}

static bool note_delivered(struct tt_tail *tail, uint64_t pos)
{
    if (tail->delivered.count < DELIVERED_MAX) {
        return tail_add_place(&tail->delivered, pos);
    }
    tail->unlisted = pos < tail->unlisted ? pos : tail->unlisted;
    return true;
}

static bool add_incomplete(struct tt_tail *tail, const struct tt_event *event, uint64_t now)
{
    struct incomplete *incomplete = tt_array_grow_32(
        tail->incomplete, tail->incomplete_count, &tail->incomplete_capacity, sizeof *incomplete);
    if (incomplete) {
        tail->incomplete = incomplete;
        incomplete[tail->incomplete_count++] = (struct incomplete){*event, now};
    }
    return incomplete != NULL;
}

static bool tail_read_event(struct tt_tail *tail, const struct tt_event *event, uint64_t now)
{
    const struct tt_capture *capture = tail->trace->capture;
    uint32_t stream = tt_capture_stream(capture, event);
    if (!tt_watermark_advance(&tail->watermark, stream, event->ticks, now)) {
        return false;
    }
    if (is_delivered(tail, event->pos)) {
        return true;
    }
    tail->reach = event->pos > tail->reach ? event->pos : tail->reach;
    if ((event->flags & TT_EVENT_MULTIPART) && !add_incomplete(tail, event, now)) {
        return false;
    }

    /*
     * ---- input ----------------------------------------------------------------------------------
     */
    struct tt_event *held =
        tt_array_grow_32(tail->held, tail->held_end, &tail->held_capacity, sizeof *held);
    if (held) {
        tail->held = held;
        held[tail->held_end++] = *event;
    }
    return held != NULL;
}

/* Reads the events of block tail->block from tail->event on; returns false when out of memory. */
static bool read_block(struct tt_tail *tail, struct tt_cursor *cursor, uint32_t listed,
                       uint64_t sum, uint64_t now)
{
    tt_index_decode_tape(&tail->trace->index, cursor, tail->block, listed, sum, tail->decoded);
    while (tail->event < listed) {
        if (!tail_read_event(tail, &tail->decoded[tail->event], now)) {
            return false;
        }
        tail->event++;
    }
    return true;
}

/* Finds the next block with new events and their number; returns false if there is none. */
static bool tail_find_block(struct tt_tail *tail, uint32_t *listed, uint64_t *sum)
{
    struct tt_index *index = &tail->trace->index;
    bool found = false;
    pthread_mutex_lock(&index->lock);
    uint64_t blocks = tt_column_count(&index->blocks);
    while (!found && tail->block < blocks) {
        const struct tt_block *block = tt_column_at(&index->blocks, tail->block);
        *listed = block->listed;
        *sum = block->sum;
        found = tail->event < *listed;
        if (!found && tail->block + UINT64_C(1) == blocks) {
            break; /* it may grow */
        }
        if (!found) {
            tail->block++;
            tail->event = 0;
        }
    }
    pthread_mutex_unlock(&index->lock);
    return found;
}

bool tt_tail_update(struct tt_tail *tail, bool *more)
{
    uint64_t now = tt_now_ms(), sum = 0;
    uint32_t listed = 0, had = tail->held_end - tail->held_from;
    bool ok = true;
    if (tail->held_from > 0) {
        memmove(tail->held, tail->held + tail->held_from, had * sizeof *tail->held);
        tail->held_from = 0;
        tail->held_end = had;
    }
    /* At least one block is read, so that the events for which others are held back do arrive. */
    *more = tail_find_block(tail, &listed, &sum);
    if (!*more) {
        return true;
    }
    const struct tt_format *format = tail->trace->capture->format;
    struct tt_cursor *cursor = format->cursor_new(tail->trace->capture, false);
    ok = cursor != NULL;
    while (ok && *more) {
        ok = read_block(tail, cursor, listed, sum, now);
        *more = tail_find_block(tail, &listed, &sum);
        if (tail->held_end >= TT_TAIL_LIMIT && tail->held_end - had >= TT_TAIL_LIMIT / 4) {
            break;
        }
    }
    tt_cursor_free(format, cursor);

    /* Merges the held events from `had` on into the sorted ones. */
    if (had != tail->held_end) {
        const struct tt_event *smallest = &tail->held[had];
        for (uint32_t i = had + 1; i < tail->held_end; i++) {
            smallest = tt_event_compare(&tail->held[i], smallest) < 0 ? &tail->held[i] : smallest;
        }
        uint32_t low = tail->held_from, high = had;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (tt_event_compare(&tail->held[middle], smallest) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        tt_events_sort(tail->held + low, tail->held_end - low);
    }

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
static bool is_whole(struct tt_tail *tail, const struct tt_event *event)
{
    struct tt_index *index = &tail->trace->index;
    struct complete_job job = {tail->trace->capture, event,
                               atomic_load_explicit(&index->limit, memory_order_acquire),
                               &tail->args, false};
    return !tt_sigbus_guard(check_complete, &job) || job.whole;
}

static uint32_t tail_count_before(const struct tt_tail *tail, struct tt_key end)
{
    uint32_t low = tail->held_from, high = tail->held_end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        struct tt_key key = {tail->held[middle].ticks, tail->held[middle].pos};
        if (tt_key_before(key, end)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - tail->held_from;
}

size_t tt_tail_ready(struct tt_tail *tail, bool all, const struct tt_event **events, size_t *late)
{
    uint64_t now = tt_now_ms(), next;
    uint64_t final = tt_watermark_final(&tail->watermark, now, tail->silence_ms, &next);
    struct tt_key end = {final, final == UINT64_MAX ? UINT64_MAX : 0};
    *late = tail->any_delivered ? tail_count_before(tail, tail->last) : 0;
    *events = tail->held ? tail->held + tail->held_from : NULL;
    if (all) {
        return tail->held_end - tail->held_from;
    }
    if (tail->any_delivered && tt_key_before(end, tail->last)) {
        end = tail->last;
    }

    /* Drops the incomplete events that are complete or too old. */
    struct tt_key waits = {UINT64_MAX, UINT64_MAX};
    uint32_t kept = 0;
    for (uint32_t i = 0; i < tail->incomplete_count; i++) {
        struct incomplete p = tail->incomplete[i];
        struct tt_key key = {p.event.ticks, p.event.pos};
        if (now - p.since_ms >= tail->silence_ms || is_whole(tail, &p.event)) {
            continue;
        }
        tail->incomplete[kept++] = p;
        waits = tt_key_before(key, waits) ? key : waits;
    }
    tail->incomplete_count = kept;

    end = tt_key_before(waits, end) ? waits : end;
    size_t ready = tail_count_before(tail, end);
    *late = *late < ready ? *late : ready;
    return ready;
}

bool tt_tail_next(struct tt_tail *tail, size_t count)
{
    bool ok = true;
    for (size_t i = 0; i < count; i++) {
        const struct tt_event *event = &tail->held[tail->held_from++];
        struct tt_key key = {event->ticks, event->pos};
        if (!tail->any_delivered || tt_key_before(tail->last, key)) {
            tail->last = key;
        }
        tail->any_delivered = true;
        ok = note_delivered(tail, event->pos) && ok;
    }
    return ok;
}

size_t tt_tail_held(const struct tt_tail *tail)
{
    return tail->held_end - tail->held_from;
}

/* ---- the same file, reopened ---------------------------------------------------------------- */

bool tt_tail_restart(struct tt_tail *tail, struct tt_trace *trace)
{
    tail->held_before.count = 0;
    for (uint32_t i = tail->held_from; i < tail->held_end; i++) {
        if (!tail_add_place(&tail->held_before, tail->held[i].pos)) {
            return false;
        }
    }
    tail->trace = trace;
    if (tail->held_before.count > 0) {
        qsort(tail->held_before.v, tail->held_before.count, sizeof *tail->held_before.v,
              compare_places);
    }
    if (tail->delivered.count > 0) {
        qsort(tail->delivered.v, tail->delivered.count, sizeof *tail->delivered.v, compare_places);
    }
    tail->delivered_sorted = tail->delivered.count;
    tail->reach_before = tail->reach > tail->reach_before ? tail->reach : tail->reach_before;
    tail->block = tail->event = 0;
    tail->held_from = tail->held_end = 0;
    tail->incomplete_count = 0;
    tt_watermark_free(&tail->watermark);
    announce_streams(tail);
    return true;
}
