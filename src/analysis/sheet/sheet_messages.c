/* SPDX-License-Identifier: Apache-2.0 */
/* sheet_messages: rows of messages: sums by pair of processes, server or channel, and the longest. */
#include <string.h>

#include "analysis/sheet/sheet_internal.h"

/* The distributions of a row, and where the statistics have them. */
static const struct {
    size_t row;
    size_t stat;
} distributions[] = {
    {offsetof(struct tt_stat_row, m.round), offsetof(struct tt_message_stat, round)},
    {offsetof(struct tt_stat_row, m.queue), offsetof(struct tt_message_stat, queue)},
    {offsetof(struct tt_stat_row, m.service), offsetof(struct tt_message_stat, service)},
    {offsetof(struct tt_stat_row, m.back), offsetof(struct tt_message_stat, back)},
};

#define DISTRIBUTIONS (sizeof distributions / sizeof *distributions)

/* Sets the error of a row; UINT64_MAX: none. */
static void set_error(const struct tt_stat_builder *m, struct tt_stat_row *row, uint64_t error)
{
    const char *name =
        error < UINT32_MAX ? tt_message_error_name(m->capture, (uint32_t)error) : NULL;
    row->m.error = name ? name : "";
    row->m.error_number = error;
}

/* ---- sums --------------------------------------------------------------------------------- */

static bool add_sum(struct tt_stat_builder *m, const struct tt_message_stat *stat, size_t index)
{
    struct tt_stat_row row;
    tt_stat_row_clear(&row);
    row.peer = stat->client_process;
    row.process = stat->process;
    row.number = stat->connection == TT_NO_CONNECTION ? TT_STAT_NONE : stat->connection;
    row.post = stat->post;
    row.count = stat->count;
    row.event = index;
    row.m.kind = stat->post ? "post" : "";
    row.m.errors = stat->errors;
    row.channel = stat->channel;
    row.thread = m->capture->format->no_processes ? stat->client : TT_NO_THREAD;
    row.to = stat->server;
    set_error(m, &row, stat->error);
    for (size_t i = 0; i < DISTRIBUTIONS; i++) {
        memcpy((char *)&row + distributions[i].row, (const char *)stat + distributions[i].stat,
               sizeof(struct tt_distribution));
    }
    memcpy(row.m.class_ticks, stat->class_ticks, sizeof row.m.class_ticks);
    row.m.irq = stat->irq;
    row.m.queue_busy = stat->queue_busy;
    row.m.queue_sched = stat->queue_sched;
    row.m.known = stat->known;
    row.m.busy = stat->busy;
    row.m.waiting = stat->waiting;
    row.m.waiting_max = stat->waiting_max;
    row.m.serving_max = stat->serving_max;
    row.settled = true;
    return tt_stat_builder_add(m, &row);
}

/* Lists the sums if there are newer ones. */
static bool list_sums(struct tt_stat_builder *m)
{
    size_t count;
    unsigned version;
    const struct tt_message_stat *rows = tt_message_counting_rows(m->messages, &count, &version);
    if (version == m->listed) {
        return true;
    }
    m->listed = version;
    bool ok = tt_stat_builder_reserve(m, count);
    for (size_t i = 0; ok && i < count; i++) {
        ok = add_sum(m, &rows[i], i);
    }
    return ok;
}

static enum tt_made make_sums(struct tt_stat_builder *m, const struct tt_message_window *window)
{
    static const uint8_t by[TT_STATS_BY_ALL] = {
        [TT_STATS_BY_PROCESSES] = TT_MESSAGES_BY_PAIR,
        [TT_STATS_BY_SERVER] = TT_MESSAGES_BY_SERVER,
        [TT_STATS_BY_CHANNEL] = TT_MESSAGES_BY_CHANNEL,
    };
    bool done = false;
    if (!m->messages) {
        m->messages = tt_message_counting_new(m->capture, by[m->request.by], window);
    }
    if (!m->messages || !tt_message_counting_step(m->messages, m->t, &m->work, &done) ||
        !list_sums(m)) {
        return TT_MADE_NO_MEMORY;
    }
    return done ? TT_MADE_ALL : TT_MADE_PART;
}

/* ---- single messages ---------------------------------------------------------------------- */

/* Sets a duration as a distribution of one sample, or of none if it is unknown. */
static void set_length(struct tt_distribution *d, uint64_t length, uint64_t end)
{
    if (length != TT_NO_TIME) {
        *d = (struct tt_distribution){1, length, length, length, length, length, end};
    }
}

static bool add_single(struct tt_stat_builder *m, const struct tt_listed_message *item)
{
    const struct tt_message *message = &item->message;
    const struct tt_message_parts *parts = &item->parts;
    struct tt_stat_row row;
    tt_stat_row_clear(&row);
    row.thread = message->client;
    row.to = message->server;
    row.process = message->process;
    row.number = message->connection == TT_NO_CONNECTION ? TT_STAT_NONE : message->connection;
    row.post = message->async;
    row.count = 1;
    row.length = item->length;
    row.m.kind = tt_message_end_name(message->how);
    row.channel = message->channel != TT_NO_CHANNEL ? message->channel : TT_STAT_NONE;
    set_error(m, &row, message->error != 0 ? message->error : UINT64_MAX);
    row.begin = tt_message_begin(message);
    set_length(&row.m.round, parts->round, parts->run);
    set_length(&row.m.queue, parts->queue, message->receive);
    set_length(&row.m.service, parts->service, message->end);
    set_length(&row.m.back, parts->back, parts->run);
    row.m.queue_busy = parts->queue_busy;
    row.m.queue_sched = parts->queue_sched;
    if (parts->has_classes) {
        memcpy(row.m.class_ticks, parts->class_ticks, sizeof row.m.class_ticks);
        row.m.irq = parts->irq;
        row.m.known = parts->service;
    }
    row.settled = true;
    return tt_stat_builder_add(m, &row);
}

/* Lists the longest messages if there are newer ones. */
static bool list_singles(struct tt_stat_builder *m)
{
    size_t count;
    uint64_t all;
    unsigned version;
    const struct tt_listed_message *items = tt_message_list_items(m->list, &count, &all, &version);
    if (version == m->listed) {
        return true;
    }
    m->listed = version;
    m->sheet->left_out = (size_t)(all - count);
    bool ok = tt_stat_builder_reserve(m, count);
    for (size_t i = 0; ok && i < count; i++) {
        ok = add_single(m, &items[i]);
    }
    return ok;
}

static enum tt_made make_singles(struct tt_stat_builder *m, const struct tt_message_window *window)
{
    bool done = false;
    if (!m->list) {
        m->list = tt_message_list_new(window, m->request.row_limit);
    }
    if (!m->list || !tt_message_list_step(m->list, m->t, &m->work, &done) || !list_singles(m)) {
        return TT_MADE_NO_MEMORY;
    }
    return done ? TT_MADE_ALL : TT_MADE_PART;
}

enum tt_made tt_make_messages(struct tt_stat_builder *m)
{
    const struct tt_message_window window = {.from = m->request.window.from,
                                             .to = m->request.window.to,
                                             .threads = m->request.threads,
                                             .thread_limit = m->request.thread_limit};
    return m->request.by == TT_STATS_BY_MESSAGE ? make_singles(m, &window) : make_sums(m, &window);
}
