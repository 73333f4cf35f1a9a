/* SPDX-License-Identifier: Apache-2.0 */
/* Messages in time order, and their parts. */
#include "tracetui/message_walk.h"

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

static bool is_before(const void *x, const void *y)
{
    const struct tt_message_head *a = x, *b = y;
    return a->begin != b->begin ? a->begin < b->begin : a->message.row < b->message.row;
}

/* Reads the message at the place of a head. */
static bool load(struct tt_message_walk *w, uint32_t row, struct tt_message_head *head)
{
    struct tt_message_reader *reader = &w->readers[row & w->reader_mask];
    if (reader->t != w->t || reader->row != row) {
        reader->t = w->t;
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
static uint64_t last_run_end(const struct tt_timelines *t, uint32_t thread, uint64_t from)
{
    struct tt_interval_at at;
    bool there = thread != TT_NO_THREAD && from > 0 && tt_interval_find(t, thread, from - 1, &at);
    uint64_t start = from;
    for (; there; there = tt_interval_previous(t, &at)) {
        struct tt_interval interval = tt_interval_get(t, at);
        if (interval.class_ == TT_CLASS_RUNNING) {
            return interval.end < from ? interval.end : from;
        }
        start = interval.start;
    }
    return start;
}

bool tt_message_walk_start(struct tt_message_walk *w, const struct tt_timelines *t, uint64_t from,
                           bool returns)
{
    uint32_t rows = tt_message_rows(t), readers = 1;
    while (readers < rows && readers < READERS) {
        readers *= 2;
    }
    *w = (struct tt_message_walk){
        .t = t, .from = from, .returns = returns, .rows = rows, .reader_mask = readers - 1};
    w->heads = calloc(rows ? rows : 1, sizeof *w->heads);
    w->readers = calloc(readers, sizeof *w->readers);
    return w->heads && w->readers;
}

bool tt_message_walk_prepare(struct tt_message_walk *w, uint64_t *work)
{
    for (; w->row<w->rows && * work> 0; w->row++) {
        struct tt_message_head *head = &w->heads[w->count];
        struct tt_message_reader *reader = &w->readers[w->row & w->reader_mask];
        uint32_t client = tt_message_row_client(w->t, w->row);
        uint64_t begin = w->returns ? last_run_end(w->t, client, w->from) : w->from;
        *work -= *work < WORK_A_ROW ? *work : WORK_A_ROW;
        tt_message_read_from(reader, w->t, w->row, begin);
        if (load(w, w->row, head)) {
            tt_heap_up(w->heads, sizeof *w->heads, w->count++, is_before);
        }
    }
    return w->row == w->rows;
}

bool tt_message_walk_begin(struct tt_message_walk *w, const struct tt_timelines *t, uint64_t from)
{
    uint64_t work = UINT64_MAX;
    return tt_message_walk_start(w, t, from, false) && tt_message_walk_prepare(w, &work);
}

bool tt_message_walk_next(struct tt_message_walk *w, struct tt_message *message)
{
    if (w->count == 0) {
        return false;
    }
    *message = w->heads[0].message;
    if (!load(w, message->row, &w->heads[0]) && --w->count > 0) {
        w->heads[0] = w->heads[w->count];
    }
    tt_heap_down(w->heads, w->count, sizeof *w->heads, 0, is_before);
    return true;
}

void tt_message_walk_free(struct tt_message_walk *w)
{
    free(w->heads);
    free(w->readers);
    *w = (struct tt_message_walk){0};
}

/* Counts the messages of a row that begin before `from`. */
static uint64_t count_before(const struct tt_track *steps, uint64_t from)
{
    uint64_t count = 0;
    struct tt_track_page page;
    struct tt_track_place place = {0, 0};
    for (; tt_track_has(steps, place); place.chunk++) {
        tt_track_load(steps, place.chunk, TT_TRACK_CHUNK, &page);
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

uint64_t tt_message_number_at(const struct tt_timelines *t, uint64_t from)
{
    uint64_t number = 0;
    for (uint32_t row = 0; row < tt_message_rows(t); row++) {
        const struct tt_message_row *r = tt_column_at(&t->messages.rows, row);
        number += count_before(&r->steps, from);
    }
    return number;
}

/* ---- parts -------------------------------------------------------------------------------- */

static uint64_t between(uint64_t from, uint64_t to)
{
    return from != TT_NO_TIME && to != TT_NO_TIME && from <= to ? to - from : TT_NO_TIME;
}

/* Returns whether threads in the state of an interval wait for messages. */
static bool is_receiving(const struct tt_timelines *t, const struct tt_interval *i)
{
    return i->class_ == TT_CLASS_IPC && i->state < sizeof t->awaits_reply &&
           !t->awaits_reply[i->state];
}

/*
 * Divides the queue time at the last interval before the receive in which the receiving thread was
 * neither running nor ready: if it waited for messages, the message woke it.
 */
static void divide_queue(const struct tt_timelines *t, const struct tt_message *m,
                         struct tt_message_parts *parts)
{
    struct tt_interval_at at;
    parts->queue_busy = parts->queue_sched = TT_NO_TIME;
    /* Just before the receive: a loss may begin at it. */
    if (parts->queue == TT_NO_TIME || m->server == TT_NO_THREAD ||
        !tt_interval_find(t, m->server, m->receive - (parts->queue > 0), &at)) {
        return;
    }
    struct tt_interval i = tt_interval_get(t, at);
    bool more = true;
    while (more && i.start > m->send &&
           (i.class_ == TT_CLASS_RUNNING || i.class_ == TT_CLASS_READY)) {
        more = tt_interval_previous(t, &at);
        i = more ? tt_interval_get(t, at) : i;
    }
    if (!more || i.class_ == TT_CLASS_UNKNOWN) {
        return;
    }
    uint64_t waits = i.start > m->send ? i.start : m->send;
    parts->queue_busy = is_receiving(t, &i) ? waits - m->send : parts->queue;
    parts->queue_sched = parts->queue - parts->queue_busy;
}

void tt_message_parts_of(const struct tt_timelines *t, const struct tt_message *m,
                         struct tt_message_parts *parts)
{
    bool answered = m->how == TT_MESSAGE_REPLIED || m->how == TT_MESSAGE_ERROR;
    memset(parts, 0, sizeof *parts);
    parts->run = tt_message_return(t, m);
    parts->queue = between(m->send, m->receive);
    divide_queue(t, m, parts);
    parts->service = answered ? between(m->receive, m->end) : TT_NO_TIME;
    parts->back = answered ? between(m->end, parts->run) : TT_NO_TIME;
    parts->round = between(m->send, parts->run);
    if (parts->service != TT_NO_TIME && m->server != TT_NO_THREAD) {
        struct tt_thread_sums sums;
        tt_thread_sum_in(t, m->server, &(struct tt_window){m->receive, m->end, NULL, 0}, &sums);
        memcpy(parts->class_ticks, sums.ticks, sizeof parts->class_ticks);
        parts->class_ticks[TT_CLASS_RUNNING] -= sums.irq;
        parts->irq = sums.irq;
        parts->has_classes = true;
    }
}
