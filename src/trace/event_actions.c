/* SPDX-License-Identifier: Apache-2.0 */
/* Actions of single events, which are decoded again on access. */
#include <stdlib.h>

#include "trace/trace_internal.h"

struct actions_job {
    const struct tt_format *format;
    struct tt_cursor *cursor;
    struct tt_batch batch;
    uint64_t limit;
};

static void actions_decode_guarded(void *arg)
{
    struct actions_job *job = arg;
    job->format->decode(job->cursor, job->limit, true, &job->batch);
}

/* Returns the block that contains tape position `pos`. Blocks must exist. */
static const struct tt_block *actions_block_at(const struct tt_index *index, uint64_t blocks,
                                               uint64_t pos)
{
    uint64_t low = 0, high = blocks;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        const struct tt_block *block = tt_column_at(&index->blocks, middle);
        if (block->pos <= pos) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return tt_column_at(&index->blocks, low);
}

/* The actions of the requested events, and the place of the event of each in the request. */
struct picked {
    const struct tt_event *events;
    uint32_t event_count;
    bool *visited; /* per event: its block has been decoded */
    struct tt_action *actions;
    uint32_t *places;
    uint32_t count, max;
    uint64_t kinds; /* that are wanted, one bit each */
};

/* Returns the place of the event of an action; `event_count` if it was not requested. */
static uint32_t actions_place_of(const struct picked *picked, const struct tt_action *action)
{
    uint32_t e = 0;
    while (e < picked->event_count &&
           (action->pos != picked->events[e].pos || action->ticks != picked->events[e].ticks)) {
        e++;
    }
    return e;
}

/* Copies the actions of the requested events of a block, and marks these events. */
static void pick_of_block(struct actions_job *job, const struct tt_index *index, uint64_t blocks,
                          const struct tt_block *block, const struct tt_capture *capture,
                          struct picked *picked)
{
    struct tt_batch *batch = &job->batch;
    uint32_t seen = 0;
    job->format->cursor_load(job->cursor, block->blob, block->blob_size);
    /* The indexing thread decodes fewer kinds of actions, so its block may exceed one batch. */
    do {
        batch->count = batch->action_count = 0;
        if (!tt_sigbus_guard(actions_decode_guarded, job)) {
            break;
        }

        for (uint32_t i = 0; i < batch->action_count && picked->count < picked->max; i++) {
            bool wanted = picked->kinds >> batch->actions[i].kind & 1;
            uint32_t place =
                wanted ? actions_place_of(picked, &batch->actions[i]) : picked->event_count;
            if (place == picked->event_count) {
                continue;
            }
            picked->actions[picked->count] = batch->actions[i];
            if (capture->lanes_by_time) {
                /*
             * Sets the final threads of actions, for formats that resolve them only at the end of
             * the capture.
             */
                struct tt_action *action = &picked->actions[picked->count];
                bool of_threads = action->kind == TT_ACTION_WAKEUP ||
                                  action->kind == TT_ACTION_SWITCH ||
                                  action->kind == TT_ACTION_MESSAGE_REPLY;
                action->thread = tt_registry_settle(capture, action->thread, action->ticks);
                if (of_threads) {
                    action->other = tt_registry_settle(capture, action->other, action->ticks);
                }
            }
            picked->places[picked->count++] = place;
        }

        seen += batch->count;
    } while (batch->count > 0 && seen < block->count && picked->count < picked->max);
    for (uint32_t e = 0; e < picked->event_count; e++) {
        picked->visited[e] |= actions_block_at(index, blocks, picked->events[e].pos) == block;
    }
}

static bool job_open(struct actions_job *job, const struct tt_trace *trace, uint64_t kinds)
{
    struct tt_batch *batch = &job->batch;
    job->format = trace->capture->format;
    job->limit = atomic_load_explicit(&trace->index.limit, memory_order_acquire);
    job->cursor = job->format->cursor_new(trace->capture, false);
    *batch = (struct tt_batch){.capacity = TT_BLOCK_EVENTS,
                               .action_capacity = TT_BLOCK_ACTIONS,
                               .byte_budget = TT_BLOCK_BYTES,
                               .unwanted = ~kinds | UINT64_C(1) << TT_ACTION_NOTE};
    batch->events = malloc(TT_BLOCK_EVENTS * sizeof *batch->events);
    batch->actions = malloc(TT_BLOCK_ACTIONS * sizeof *batch->actions);
    return job->cursor && batch->events && batch->actions;
}

uint32_t tt_trace_actions(struct tt_trace *trace, const struct tt_event *events,
                          uint32_t event_count, struct tt_action *actions, uint32_t max)
{
    return tt_trace_actions_of(trace, UINT64_MAX, events, event_count, actions, max);
}

uint32_t tt_trace_actions_of(struct tt_trace *trace, uint64_t kinds, const struct tt_event *events,
                             uint32_t event_count, struct tt_action *actions, uint32_t max)
{
    const struct tt_index *index = &trace->index;
    uint64_t blocks = tt_column_count(&index->blocks);
    if (blocks == 0 || event_count == 0 || max == 0) {
        return 0;
    }
    struct actions_job job = {0};
    struct picked p = {.events = events, .event_count = event_count, .max = max, .kinds = kinds};
    p.visited = calloc(event_count, sizeof *p.visited);
    p.actions = malloc(max * sizeof *p.actions);
    p.places = malloc(max * sizeof *p.places);
    uint32_t *next = calloc((size_t)event_count + 1, sizeof *next);
    if (job_open(&job, trace, kinds) && p.visited && p.actions && p.places && next) {
        for (uint32_t e = 0; e < event_count && p.count < max; e++) {
            if (!p.visited[e]) {
                const struct tt_block *block = actions_block_at(index, blocks, events[e].pos);
                pick_of_block(&job, index, blocks, block, trace->capture, &p);
            }
        }

        /*
         * Copies the actions into `actions` in the order of their events; those of one event keep
         * theirs.
         */
        for (uint32_t i = 0; i < p.count; i++) {
            next[p.places[i] + 1]++;
        }
        for (uint32_t e = 0; e < p.event_count; e++) {
            next[e + 1] += next[e];
        }
        for (uint32_t i = 0; i < p.count; i++) {
            actions[next[p.places[i]]++] = p.actions[i];
        }
    }

    tt_cursor_free(job.format, job.cursor);
    free(job.batch.events);
    free(job.batch.actions);

    free(p.visited);
    free(p.actions);
    free(p.places);
    free(next);
    return p.count;
}
