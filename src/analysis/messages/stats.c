/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics of messages at once, in order. */
#include <stdlib.h>
#include <string.h>

#include "analysis/messages/imposed.h"

/* Compares two rows: <0 if `a` comes first. A total order: the most time first. */
static int message_stat_compare(const void *a, const void *b)
{
    const struct tt_message_stat *left = a, *right = b;
    if (left->post != right->post) {
        return left->post - right->post;
    }
    if (left->round.sum != right->round.sum) {
        return left->round.sum > right->round.sum ? -1 : 1;
    }
    if (left->count != right->count) {
        return left->count > right->count ? -1 : 1;
    }
    uint64_t p = (uint64_t)left->process << 32 | left->client_process;
    uint64_t q = (uint64_t)right->process << 32 | right->client_process;
    if (p != q) {
        return p < q ? -1 : 1;
    }
    if (left->client != right->client) {
        return left->client < right->client ? -1 : 1;
    }
    if (left->server != right->server) {
        return left->server < right->server ? -1 : 1;
    }
    if (left->channel != right->channel) {
        return left->channel < right->channel ? -1 : 1;
    }
    return (left->connection > right->connection) - (left->connection < right->connection);
}

/* Copies the rows in order. */
static bool messages_stats_copy_rows(const struct tt_message_counting *counting,
                                     struct tt_message_stats *stats)
{
    unsigned version;
    size_t count;
    const struct tt_message_stat *rows = tt_message_counting_rows(counting, &count, &version);
    stats->rows = malloc((count + 1) * sizeof *rows);
    if (!stats->rows) {
        return false;
    }
    if (count > 0) {
        memcpy(stats->rows, rows, count * sizeof *rows);
        qsort(stats->rows, count, sizeof *rows, message_stat_compare);
    }
    stats->count = stats->capacity = count;
    return true;
}

struct tt_status tt_message_stats_compute(const struct tt_timelines *timelines,
                                          const struct tt_capture *capture, enum tt_messages_by by,
                                          const struct tt_message_window *window,
                                          struct tt_message_stats *stats)
{
    *stats = (struct tt_message_stats){0};
    if (by == TT_MESSAGES_BY_IMPOSED || by == TT_MESSAGES_BY_MATRIX) {
        return tt_imposed_compute(timelines, capture, window, by == TT_MESSAGES_BY_MATRIX, stats)
                   ? tt_ok()
                   : tt_error_memory();
    }
    struct tt_message_counting *counting = tt_message_counting_new(capture, by, window);
    bool done = false, ok = counting != NULL;
    while (ok && !done) {
        uint64_t work = UINT64_MAX;
        ok = tt_message_counting_step(counting, timelines, &work, &done);
    }
    ok = ok && messages_stats_copy_rows(counting, stats);
    tt_message_counting_free(counting);
    return ok ? tt_ok() : tt_error_memory();
}

void tt_message_stats_free(struct tt_message_stats *stats)
{
    free(stats->rows);
    *stats = (struct tt_message_stats){0};
}
