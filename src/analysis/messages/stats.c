/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of messages at once, in order. */
#include <stdlib.h>
#include <string.h>

#include "analysis/messages/imposed.h"

int tt_message_stat_compare(const void *a, const void *b)
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
    if (x->server != y->server) {
        return x->server < y->server ? -1 : 1;
    }
    if (x->channel != y->channel) {
        return x->channel < y->channel ? -1 : 1;
    }
    return (x->connection > y->connection) - (x->connection < y->connection);
}

/* Copies the rows in order. */
static bool take_rows(const struct tt_message_counting *k, struct tt_message_stats *stats)
{
    unsigned version;
    size_t count;
    const struct tt_message_stat *rows = tt_message_counting_rows(k, &count, &version);
    stats->rows = malloc((count + 1) * sizeof *rows);
    if (!stats->rows) {
        return false;
    }
    if (count > 0) {
        memcpy(stats->rows, rows, count * sizeof *rows);
        qsort(stats->rows, count, sizeof *rows, tt_message_stat_compare);
    }
    stats->count = stats->capacity = count;
    return true;
}

struct tt_status tt_message_stats_compute(const struct tt_timelines *t, const struct tt_capture *c,
                                          enum tt_messages_by by,
                                          const struct tt_message_window *window,
                                          struct tt_message_stats *stats)
{
    *stats = (struct tt_message_stats){0};
    if (by == TT_MESSAGES_BY_IMPOSED || by == TT_MESSAGES_BY_MATRIX) {
        return tt_imposed_compute(t, c, window, by == TT_MESSAGES_BY_MATRIX, stats)
                   ? tt_ok()
                   : tt_error_memory();
    }
    struct tt_message_counting *k = tt_message_counting_new(c, by, window);
    bool done = false, ok = k != NULL;
    while (ok && !done) {
        uint64_t work = UINT64_MAX;
        ok = tt_message_counting_step(k, t, &work, &done);
    }
    ok = ok && take_rows(k, stats);
    tt_message_counting_free(k);
    return ok ? tt_ok() : tt_error_memory();
}

void tt_message_stats_free(struct tt_message_stats *stats)
{
    free(stats->rows);
    *stats = (struct tt_message_stats){0};
}
