/* SPDX-License-Identifier: Apache-2.0 */
/*
 * events_find: the events of some types. The decoder searches whole blocks for them; blocks that it
 * cannot search are read.
 */
#include "trace/events.h"

/* Rows of one search, so that its caller can stop it. */
#define FIND_ROWS 65536u

struct search_job {
    struct tt_events *e;
    struct tt_block_search search;
    bool done;
};

static void search_guarded(void *arg)
{
    struct search_job *job = arg;
    const struct tt_index *index = &job->e->trace->index;
    uint64_t limit = atomic_load_explicit(&index->limit, memory_order_acquire);
    job->done = index->capture->format->tape.find_types(job->e->cursor, limit, &job->search);
}

/*
 * Searches the block that begins with `row`. Returns false if it has to be read, else sets *after to
 * the row after it.
 */
static bool search_block(struct tt_events *events, uint64_t row, const struct tt_type_set *types,
                         struct tt_event *out, uint64_t *rows, uint32_t *count, uint64_t *after)
{
    const struct tt_capture *capture = events->trace->capture;
    struct tt_block_range range;
    if (!capture->format->tape.find_types || capture->lanes_by_time ||
        !tt_events_block_of_row(events, row, &range) || range.rows_before != row ||
        range.sum != 0) {
        return false;
    }
    const struct tt_block *block = tt_column_at(&events->trace->index.blocks, range.block);
    struct search_job job = {.e = events,
                             .search = {.types = *types,
                                        .blob = block->blob,
                                        .blob_size = block->blob_size,
                                        .events = range.rows,
                                        .first_ticks = range.first.ticks,
                                        .last_ticks = range.last.ticks,
                                        .found = out,
                                        .rows = rows,
                                        .capacity = TT_FIND_EVENTS}};
    if (!tt_sigbus_guard(search_guarded, &job) || !job.done) {
        return false;
    }
    for (uint32_t i = 0; i < job.search.count; i++) {
        rows[i] += row;
    }
    *count = job.search.count;
    *after = row + range.rows;
    return true;
}

/* Returns the row after the block of a row, if the next block could be searched, or UINT64_MAX. */
static uint64_t end_of_block(const struct tt_events *events, uint64_t row)
{
    struct tt_block_range range;
    bool known = events->trace->capture->format->tape.find_types &&
                 tt_events_block_of_row(events, row, &range);
    return known ? range.rows_before + range.rows : UINT64_MAX;
}

/* Removes the events from row `end` on. */
static uint32_t events_find_count_before(const uint64_t *rows, uint32_t count, uint64_t end)
{
    while (count > 0 && rows[count - 1] >= end) {
        count--;
    }
    return count;
}

uint32_t tt_events_find_types(struct tt_events *events, uint64_t row, uint64_t end,
                              const struct tt_type_set *types, uint32_t max, struct tt_event *out,
                              uint64_t *rows, uint64_t *next)
{
    uint32_t found = 0, more;
    uint64_t at = row, after, most = end > row ? end - row : 0;
    uint64_t stop = row + (most < FIND_ROWS ? most : FIND_ROWS);
    while (at < stop && max - found >= TT_FIND_EVENTS &&
           search_block(events, at, types, out + found, rows + found, &more, &after)) {
        found += events_find_count_before(rows + found, more, end);
        at = after < end ? after : end;
    }
    if (at == row && most > 0) {
        uint64_t left = end_of_block(events, row) - row;
        most = most < left ? most : left;
        found = tt_events_read(events, row, most < max ? (uint32_t)most : max, out);
        for (uint32_t i = 0; i < found; i++) {
            rows[i] = row + i;
        }
        at = row + found;
    }
    *next = at;
    return found;
}
