/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of messages by pair, server, client and channel. */
#include <stdlib.h>
#include <string.h>

#include "analysis/messages/imposed.h"
#include "base/array.h"
#include "base/hash.h"

/* Samples of a row while they are gathered. */
struct gathered {
    struct tt_samples queue, service, round;
};

/* A message begins or ends to wait, or to be served. */
struct change {
    uint64_t time;
    uint32_t row;
    int8_t waiting;
    int8_t serving;
    uint16_t zero;
};

struct work {
    const struct tt_timelines *t;
    const struct tt_capture *capture;
    const struct tt_message_window *window;
    struct tt_message_stats *stats;
    enum tt_messages_by by;
    struct tt_hash rows;
    struct gathered *gathered;
    size_t gathered_capacity;
    struct change *changes;
    size_t change_count;
    size_t change_capacity;
};

/* ---- rows --------------------------------------------------------------------------------- */

static struct tt_message_stat key_of(const struct work *w, const struct tt_message *m)
{
    struct tt_message_stat key = {.client_process = TT_NO_THREAD,
                                  .client = TT_NO_THREAD,
                                  .process = TT_NO_THREAD,
                                  .connection = TT_NO_CONNECTION,
                                  .post = m->async};
    if (w->by == TT_MESSAGES_BY_CLIENT) {
        key.client = m->client;
    }
    if (w->by == TT_MESSAGES_BY_PAIR || w->by == TT_MESSAGES_BY_CLIENT) {
        key.client_process =
            m->client != TT_NO_THREAD ? tt_thread_at(w->capture, m->client)->process : TT_NO_THREAD;
    }
    if (w->by != TT_MESSAGES_BY_CLIENT) {
        key.process = m->process;
    }
    if (w->by == TT_MESSAGES_BY_CHANNEL) {
        key.connection = m->connection;
    }
    return key;
}

static bool same_key(const struct tt_message_stat *a, const struct tt_message_stat *b)
{
    return a->client_process == b->client_process && a->client == b->client &&
           a->process == b->process && a->connection == b->connection && a->post == b->post;
}

/* Returns the number of the message's row, created if needed; UINT32_MAX: out of memory. */
static uint32_t row_of(struct work *w, const struct tt_message *m)
{
    struct tt_message_stats *stats = w->stats;
    struct tt_message_stat key = key_of(w, m);
    uint64_t hash = tt_hash_of_pair((uint64_t)key.client_process << 32 | key.client,
                                    ((uint64_t)key.process << 32 | key.post) ^ key.connection << 1);
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&w->rows, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&w->rows, &probe)) {
        if (same_key(&stats->rows[n], &key)) {
            return n;
        }
    }
    struct tt_message_stat *rows =
        tt_array_grow(stats->rows, stats->count, &stats->capacity, sizeof *rows);
    if (!rows) {
        return UINT32_MAX;
    }
    stats->rows = rows;
    struct gathered *gathered =
        tt_array_grow(w->gathered, stats->count, &w->gathered_capacity, sizeof *gathered);
    if (!gathered || !tt_hash_add(&w->rows, hash, (uint32_t)stats->count)) {
        w->gathered = gathered ? gathered : w->gathered;
        return UINT32_MAX;
    }
    w->gathered = gathered;
    rows[stats->count] = key;
    gathered[stats->count] = (struct gathered){{0}, {0}, {0}};
    return (uint32_t)stats->count++;
}

/* ---- servers ------------------------------------------------------------------------------ */

static bool add_change(struct work *w, uint64_t time, uint32_t row, int waiting, int serving)
{
    const struct tt_message_window *window = w->window;
    struct change *changes =
        tt_array_grow(w->changes, w->change_count, &w->change_capacity, sizeof *changes);
    if (!changes) {
        return false;
    }
    time = time < window->from ? window->from : time > window->to ? window->to : time;
    w->changes = changes;
    changes[w->change_count++] = (struct change){time, row, (int8_t)waiting, (int8_t)serving, 0};
    return true;
}

/* Adds when the message waits to be received and when it is served, as far as it is known. */
static bool add_changes(struct work *w, const struct tt_message *m, uint32_t row)
{
    uint64_t over = m->how == TT_MESSAGE_OPEN ? w->window->to : m->last;
    uint64_t received = m->receive != TT_NO_TIME ? m->receive : over;
    bool ok = true;
    if (m->send != TT_NO_TIME) {
        ok = add_change(w, m->send, row, 1, 0) && add_change(w, received, row, -1, 0);
    }
    if (ok && m->receive != TT_NO_TIME && !m->async) {
        ok = add_change(w, m->receive, row, 0, 1) && add_change(w, over, row, 0, -1);
    }
    return ok;
}

/* By row, then by time, what ends first. */
static int by_row(const void *a, const void *b)
{
    const struct change *x = a, *y = b;
    if (x->row != y->row) {
        return x->row < y->row ? -1 : 1;
    }
    if (x->time != y->time) {
        return x->time < y->time ? -1 : 1;
    }
    return (x->waiting + x->serving) - (y->waiting + y->serving);
}

static void count_changes(struct work *w)
{
    int64_t waiting = 0, serving = 0;
    if (w->change_count > 1) {
        qsort(w->changes, w->change_count, sizeof *w->changes, by_row);
    }
    for (size_t i = 0; i < w->change_count; i++) {
        const struct change *change = &w->changes[i];
        struct tt_message_stat *row = &w->stats->rows[change->row];
        if (i == 0 || w->changes[i - 1].row != change->row) {
            waiting = serving = 0;
        } else {
            uint64_t ticks = change->time - w->changes[i - 1].time;
            row->busy += serving > 0 ? ticks : 0;
            row->waiting += waiting > 0 ? ticks * (uint64_t)waiting : 0;
        }
        waiting += change->waiting;
        serving += change->serving;
        if (waiting > 0 && (uint64_t)waiting > row->waiting_max) {
            row->waiting_max = (uint64_t)waiting;
        }
        if (serving > 0 && (uint64_t)serving > row->serving_max) {
            row->serving_max = (uint64_t)serving;
        }
    }
}

/* ---- messages ----------------------------------------------------------------------------- */

static bool is_in(const struct tt_message_window *window, uint64_t time)
{
    return time != TT_NO_TIME && time >= window->from && time < window->to;
}

static bool add_sample(const struct tt_message_window *window, struct tt_samples *samples,
                       uint64_t length, uint64_t end)
{
    return length == TT_NO_TIME || !is_in(window, end) || tt_samples_add(samples, length, end);
}

static bool count_message(struct work *w, const struct tt_message *m)
{
    const struct tt_message_window *window = w->window;
    struct tt_message_parts parts;
    tt_message_parts_of(w->t, m, &parts);
    bool any = is_in(window, m->send) || is_in(window, m->receive) || is_in(window, m->end) ||
               is_in(window, parts.run);
    bool spans = w->by == TT_MESSAGES_BY_SERVER && tt_message_begin(m) < window->to &&
                 (m->how == TT_MESSAGE_OPEN || m->last >= window->from);
    if (!any && !spans) {
        return true;
    }
    uint32_t row = row_of(w, m);
    if (row == UINT32_MAX) {
        return false;
    }
    struct tt_message_stat *stat = &w->stats->rows[row];
    struct gathered *g = &w->gathered[row];
    stat->count += is_in(window, m->send);
    stat->errors += m->how == TT_MESSAGE_ERROR && is_in(window, m->end);
    return add_sample(window, &g->queue, parts.queue, m->receive) &&
           add_sample(window, &g->service, parts.service, m->end) &&
           add_sample(window, &g->round, parts.round, parts.run) &&
           (w->by != TT_MESSAGES_BY_SERVER || add_changes(w, m, row));
}

static bool is_picked(const struct tt_message_window *window, uint32_t thread)
{
    return thread < window->thread_limit && (window->threads[thread / 64] >> (thread % 64) & 1u);
}

static bool count_all(struct work *w)
{
    const struct tt_message_window *window = w->window;
    struct tt_message_walk walk;
    struct tt_message m;
    /* From the beginning: a client may run again in the window long after its answer. */
    bool ok = tt_message_walk_begin(&walk, w->t, 0);
    while (ok && tt_message_walk_next(&walk, &m) && tt_message_begin(&m) < window->to) {
        bool picked =
            !window->threads || is_picked(window, m.client) || is_picked(window, m.server);
        ok = !picked || count_message(w, &m);
    }
    tt_message_walk_free(&walk);
    return ok;
}

/* ---- the result --------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    const struct tt_message_stat *x = a, *y = b;
    if (x->post != y->post) {
        return x->post - y->post;
    }
    if (x->round.sum != y->round.sum) {
        return x->round.sum > y->round.sum ? -1 : 1;
    }
    if (x->count != y->count) {
        return x->count > y->count ? -1 : 1;
    }
    uint64_t p = (uint64_t)x->process << 32 | x->client_process;
    uint64_t q = (uint64_t)y->process << 32 | y->client_process;
    if (p != q) {
        return p < q ? -1 : 1;
    }
    if (x->client != y->client) {
        return x->client < y->client ? -1 : 1;
    }
    return (x->connection > y->connection) - (x->connection < y->connection);
}

static void finish(struct work *w)
{
    struct tt_message_stats *stats = w->stats;
    for (size_t i = 0; i < stats->count; i++) {
        struct gathered *g = &w->gathered[i];
        stats->rows[i].queue = tt_samples_distribution(&g->queue);
        stats->rows[i].service = tt_samples_distribution(&g->service);
        stats->rows[i].round = tt_samples_distribution(&g->round);
    }
    count_changes(w);
    if (stats->count > 1) {
        qsort(stats->rows, stats->count, sizeof *stats->rows, by_time);
    }
}

struct tt_status tt_message_stats_compute(const struct tt_timelines *t, const struct tt_capture *c,
                                          enum tt_messages_by by,
                                          const struct tt_message_window *window,
                                          struct tt_message_stats *stats)
{
    struct work w = {.t = t, .capture = c, .window = window, .stats = stats, .by = by};
    *stats = (struct tt_message_stats){0};
    if (by == TT_MESSAGES_BY_IMPOSED || by == TT_MESSAGES_BY_MATRIX) {
        return tt_imposed_compute(t, c, window, by == TT_MESSAGES_BY_MATRIX, stats)
                   ? tt_ok()
                   : tt_error_memory();
    }
    bool ok = count_all(&w);
    if (ok) {
        finish(&w);
    }
    for (size_t i = 0; i < stats->count; i++) {
        tt_samples_free(&w.gathered[i].queue);
        tt_samples_free(&w.gathered[i].service);
        tt_samples_free(&w.gathered[i].round);
    }
    free(w.gathered);
    free(w.changes);
    tt_hash_free(&w.rows);
    return ok ? tt_ok() : tt_error_memory();
}

void tt_message_stats_free(struct tt_message_stats *stats)
{
    free(stats->rows);
    *stats = (struct tt_message_stats){0};
}
