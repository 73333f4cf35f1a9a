/* SPDX-License-Identifier: Apache-2.0 */
/* Messages in time order, and their parts. */
#include "analysis/messages/message_walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "trace/timeline/timeline.h"
#include "tracetui/stats.h"

#define READERS    1024u /* rows whose steps are cached, at most; a power of two */
#define WORK_A_ROW 20u   /* intervals that cost as much as a row */

/* The next message of a row, and the place of the step after it. */
struct tt_message_head {
    uint64_t begin;
    struct tt_message message;
    uint32_t chunk, slot;
};

/* ---- the merge ---------------------------------------------------------------------------- */

static bool walk_is_before(const void *x, const void *y)
{
    const struct tt_message_head *left = x, *right = y;
    return left->begin != right->begin ? left->begin < right->begin
                                       : left->message.row < right->message.row;
}

/* Reads the message at the place of a head. */
static bool walk_load(struct tt_message_walk *walk, uint32_t row, struct tt_message_head *head)
{
    struct tt_message_reader *reader = &walk->readers[row & walk->reader_mask];
    if (reader->t != walk->t || reader->row != row) {
        reader->t = walk->t;
        reader->row = row;
        reader->chunk = head->chunk;
        reader->slot = head->slot;
        reader->more = true;
        reader->loaded = UINT32_MAX;
        reader->count = 0;
    }
    bool more = tt_message_read(reader, &head->message);
    head->begin = more ? tt_message_begin(&head->message) : 0;
    head->chunk = reader->chunk;
    head->slot = reader->slot;
    return more;
}

/* Returns the end of a thread's last run that began before `from`, or `from` if it is later. */
static uint64_t last_run_end(const struct tt_timelines *timelines, uint32_t thread, uint64_t from)
{
    struct tt_interval_at at;
    bool there =
        thread != TT_NO_THREAD && from > 0 && tt_interval_find(timelines, thread, from - 1, &at);
    uint64_t start = from;
    for (; there; there = tt_interval_previous(timelines, &at)) {
        struct tt_interval interval = tt_interval_get(timelines, at);
        if (interval.class_ == TT_CLASS_RUNNING) {
            return interval.end < from ? interval.end : from;
        }
        start = interval.start;
    }
    return start;
}

bool tt_message_walk_start(struct tt_message_walk *walk, const struct tt_timelines *timelines,
                           uint64_t from, bool returns)
{
    uint32_t rows = tt_message_rows(timelines), readers = 1;
    while (readers < rows && readers < READERS) {
        readers *= 2;
    }
    *walk = (struct tt_message_walk){
        .t = timelines, .from = from, .returns = returns, .rows = rows, .reader_mask = readers - 1};
    walk->heads = calloc(rows ? rows : 1, sizeof *walk->heads);
    walk->readers = calloc(readers, sizeof *walk->readers);
    return walk->heads && walk->readers;
}

bool tt_message_walk_prepare(struct tt_message_walk *walk, uint64_t *work)
{
    for (; *work > 0 && walk->row < walk->rows; walk->row++) {
        struct tt_message_head *head = &walk->heads[walk->count];
        struct tt_message_reader *reader = &walk->readers[walk->row & walk->reader_mask];
        uint32_t client = tt_message_row_client(walk->t, walk->row);
        uint64_t begin = walk->returns ? last_run_end(walk->t, client, walk->from) : walk->from;
        *work -= *work < WORK_A_ROW ? *work : WORK_A_ROW;
        tt_message_read_from(reader, walk->t, walk->row, begin);
        if (walk_load(walk, walk->row, head)) {
            tt_heap_up(walk->heads, sizeof *walk->heads, walk->count++, walk_is_before);
        }
    }
    return walk->row == walk->rows;
}

bool tt_message_walk_begin(struct tt_message_walk *walk, const struct tt_timelines *timelines,
                           uint64_t from)
{
    uint64_t work = UINT64_MAX;
    return tt_message_walk_start(walk, timelines, from, false) &&
           tt_message_walk_prepare(walk, &work);
}

bool tt_message_walk_next(struct tt_message_walk *walk, struct tt_message *message)
{
    if (walk->count == 0) {
        return false;
    }
    *message = walk->heads[0].message;
    if (!walk_load(walk, message->row, &walk->heads[0]) && --walk->count > 0) {
        walk->heads[0] = walk->heads[walk->count];
    }
    tt_heap_down(walk->heads, walk->count, sizeof *walk->heads, 0, walk_is_before);
    return true;
}

void tt_message_walk_free(struct tt_message_walk *walk)
{
    free(walk->heads);
    free(walk->readers);
    *walk = (struct tt_message_walk){0};
}

/* Counts the messages of a row that begin before `from`. */
static uint64_t walk_count_before(const struct tt_track *track, uint64_t from)
{
    uint64_t count = 0;
    struct tt_track_page page;
    struct tt_track_place place = {0, 0};
    for (; tt_track_has(track, place); place.chunk++) {
        tt_track_load(track, place.chunk, TT_TRACK_CHUNK, &page);
        for (uint32_t i = 0; i < page.count; i++) {
            unsigned kind = STEP_KIND(page.value[i]);
            if (tt_page_time(&page, i) >= from) {
                return count;
            }
            count += kind == STEP_SENT || kind == STEP_UNSENT;
        }
    }
    return count;
}

uint64_t tt_message_number_at(const struct tt_timelines *timelines, uint64_t from)
{
    uint64_t number = 0;
    for (uint32_t row = 0; row < tt_message_rows(timelines); row++) {
        const struct tt_message_row *message_row = tt_column_at(&timelines->messages.rows, row);
        number += walk_count_before(&message_row->steps, from);
    }
    return number;
}

/* ---- parts -------------------------------------------------------------------------------- */

static uint64_t between(uint64_t from, uint64_t to)
{
    return from != TT_NO_TIME && to != TT_NO_TIME && from <= to ? to - from : TT_NO_TIME;
}

/* Returns whether threads in the state of an interval wait for messages. */
static bool walk_is_receiving(const struct tt_timelines *timelines,
                              const struct tt_interval *interval)
{
    return interval->class_ == TT_CLASS_IPC && interval->state < sizeof timelines->awaits_reply &&
           !timelines->awaits_reply[interval->state];
}

/*
 * Divides the queue time at the last interval before the receive in which the receiving thread was
 * neither running nor ready: if it waited for messages, the message woke it.
 */
static void divide_queue(const struct tt_timelines *timelines, const struct tt_message *message,
                         struct tt_message_parts *parts)
{
    struct tt_interval_at at;
    parts->queue_busy = parts->queue_sched = TT_NO_TIME;
    /* Just before the receive: a loss may begin at it. */
    if (parts->queue == TT_NO_TIME || message->server == TT_NO_THREAD ||
        !tt_interval_find(timelines, message->server, message->receive - (parts->queue > 0), &at)) {
        return;
    }
    struct tt_interval i = tt_interval_get(timelines, at);
    bool more = true;
    while (more && i.start > message->send &&
           (i.class_ == TT_CLASS_RUNNING || i.class_ == TT_CLASS_READY)) {
        more = tt_interval_previous(timelines, &at);
        i = more ? tt_interval_get(timelines, at) : i;
    }
    if (!more || i.class_ == TT_CLASS_UNKNOWN) {
        return;
    }
    uint64_t waits = i.start > message->send ? i.start : message->send;
    parts->queue_busy = walk_is_receiving(timelines, &i) ? waits - message->send : parts->queue;
    parts->queue_sched = parts->queue - parts->queue_busy;
}

void tt_message_parts_of(const struct tt_timelines *timelines, const struct tt_message *message,
                         struct tt_message_parts *parts)
{
    bool answered = message->how == TT_MESSAGE_REPLIED || message->how == TT_MESSAGE_ERROR;
    memset(parts, 0, sizeof *parts);
    parts->run = tt_message_return(timelines, message);
    parts->queue = between(message->send, message->receive);
    divide_queue(timelines, message, parts);
    parts->service = answered ? between(message->receive, message->end) : TT_NO_TIME;
    parts->back = answered ? between(message->end, parts->run) : TT_NO_TIME;
    parts->round = between(message->send, parts->run);
    if (parts->service != TT_NO_TIME && message->server != TT_NO_THREAD) {
        struct tt_thread_sums sums;
        tt_thread_sum_in(timelines, message->server,
                         &(struct tt_window){message->receive, message->end, NULL, 0}, &sums);
        memcpy(parts->class_ticks, sums.ticks, sizeof parts->class_ticks);
        parts->class_ticks[TT_CLASS_RUNNING] -= sums.irq;
        parts->irq = sums.irq;
        parts->has_classes = true;
    }
}
