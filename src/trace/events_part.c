/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readers of the events of one system of a merged capture, which have rows of their own: a search for a
 * cause reads as many events as in the capture alone.
 */
#include <stdlib.h>

#include "trace/events.h"
#include "tracetui/merge.h"

/* Arranges the blocks of the reader's system. The caller holds the lock. Returns false if out of memory. */
static bool arrange_part(struct part_order *own, const struct tt_index *index, unsigned system)
{
    const struct tt_runs *all = &index->order;
    uint64_t changes = own->runs.changes + 1;
    bool ok = true;
    tt_runs_free(&own->runs);
    own->runs = (struct tt_runs){.changes = changes};
    for (size_t i = 0; ok && i < all->run_count; i++) {
        for (size_t k = 0; ok && k < all->runs[i].count; k++) {
            const struct tt_block_range *range = &all->runs[i].ranges[k];
            const struct tt_block *block = tt_column_at(&index->blocks, range->block);
            ok = tt_merge_at(index->capture->merge, block->pos) != system ||
                 tt_runs_put(&own->runs, range);
        }
    }
    own->changes = all->changes;
    own->rows = all->rows;
    return ok;
}

void tt_events_refresh(const struct tt_events *events)
{
    const struct tt_index *index = &events->trace->index;
    struct part_order *own = events->own;
    if (own && (own->changes != index->order.changes || own->rows != index->order.rows) &&
        !arrange_part(own, index, events->system)) {
        tt_runs_free(&own->runs); /* it has no rows now */
        own->runs = (struct tt_runs){.changes = own->runs.changes + 1};
    }
}

static struct tt_events *new_part(struct tt_events *events, unsigned system)
{
    struct tt_events *part = tt_events_new(events->trace);
    struct part_order *own = calloc(1, sizeof *own);
    if (!part || !own) {
        tt_events_free(part);
        free(own);
        return NULL;
    }
    own->rows = UINT64_MAX;
    part->system = system;
    part->own = own;
    if (events->held_sets > 1) {
        tt_events_keep_many(part);
    }
    return part;
}

struct tt_events *tt_events_of_system(struct tt_events *events, unsigned system)
{
    struct tt_index *index = &events->trace->index;
    unsigned count = events->own ? 0 : tt_merge_headings(events->trace->capture);
    if (system >= count) {
        return events;
    }
    pthread_mutex_lock(&index->lock);
    bool chaotic = index->sorted || index->order.chaotic;
    pthread_mutex_unlock(&index->lock);
    if (!events->parts && !chaotic) {
        events->parts = calloc(count, sizeof(struct tt_events *));
        events->part_count = events->parts ? count : 0;
    }
    if (!events->parts || chaotic) {
        return events;
    }
    if (!events->parts[system]) {
        events->parts[system] = new_part(events, system);
    }
    return events->parts[system] ? events->parts[system] : events;
}
