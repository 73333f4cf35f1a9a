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

static void decode_guarded(void *arg)
{
    struct actions_job *job = arg;
    job->format->decode(job->cursor, job->limit, true, &job->batch);
}

/* Returns the block that contains tape position `pos`. Blocks must exist. */
static const struct tt_block *block_at(const struct tt_index *index, uint64_t blocks, uint64_t pos)
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

/* Assigns the threads, where they are resolved only after all is read. */
static void settle(const struct tt_capture *c, struct tt_action *action)
{
    bool of_threads = action->kind == TT_ACTION_WAKEUP || action->kind == TT_ACTION_SWITCH ||
                      action->kind == TT_ACTION_MESSAGE_REPLY;
    action->thread = tt_registry_settle(c, action->thread, action->ticks);
    if (of_threads) {
        action->other = tt_registry_settle(c, action->other, action->ticks);
    }
}

static uint32_t pick(const struct tt_capture *c, const struct tt_batch *batch,
                     const struct tt_event *events, uint32_t event_count, struct tt_action *actions,
                     uint32_t max)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < batch->action_count && count < max; i++) {
        const struct tt_action *action = &batch->actions[i];
        for (uint32_t e = 0; e < event_count && count < max; e++) {
            if (action->pos == events[e].pos && action->ticks == events[e].ticks) {
                actions[count] = *action;
                if (c->lanes_by_time) {
                    settle(c, &actions[count]);
                }
                count++;
            }
        }
    }
    return count;
}

/* Copies the actions of the requested events of a block. */
static uint32_t pick_of_block(struct actions_job *job, const struct tt_block *block,
                              const struct tt_capture *c, const struct tt_event *events,
                              uint32_t event_count, struct tt_action *actions, uint32_t max)
{
    struct tt_batch *batch = &job->batch;
    uint32_t picked = 0, seen = 0;
    job->format->cursor_load(job->cursor, block->blob, block->blob_size);
    /* The indexing thread decodes fewer kinds of actions, so its block may exceed one batch. */
    do {
        batch->count = batch->action_count = 0;
        if (!tt_sigbus_guard(decode_guarded, job)) {
            break;
        }
        picked += pick(c, batch, events, event_count, actions + picked, max - picked);
        seen += batch->count;
    } while (batch->count > 0 && seen < block->count && picked < max);
    return picked;
}

uint32_t tt_trace_actions(struct tt_trace *trace, const struct tt_event *events,
                          uint32_t event_count, struct tt_action *actions, uint32_t max)
{
    const struct tt_index *index = &trace->index;
    uint64_t blocks = tt_column_count(&index->blocks);
    struct actions_job job = {.format = trace->capture->format};
    struct tt_batch *batch = &job.batch;
    uint32_t count = 0;
    if (blocks == 0 || event_count == 0) {
        return 0;
    }
    job.limit = atomic_load_explicit(&index->limit, memory_order_acquire);
    job.cursor = job.format->cursor_new(trace->capture, false);
    *batch = (struct tt_batch){.capacity = TT_BLOCK_EVENTS,
                               .action_capacity = TT_BLOCK_ACTIONS,
                               .byte_budget = TT_BLOCK_BYTES,
                               .unwanted = UINT64_C(1) << TT_ACTION_NOTE};
    batch->events = malloc(TT_BLOCK_EVENTS * sizeof *batch->events);
    batch->actions = malloc(TT_BLOCK_ACTIONS * sizeof *batch->actions);
    bool ready = job.cursor && batch->events && batch->actions;
    const struct tt_block *done = NULL;
    for (uint32_t e = 0; ready && e < event_count && count < max; e++) {
        const struct tt_block *block = block_at(index, blocks, events[e].pos);
        if (block == done) {
            continue; /* neighbours are usually in one block */
        }
        done = block;
        count += pick_of_block(&job, block, trace->capture, events, event_count, actions + count,
                               max - count);
    }
    if (job.cursor) {
        job.format->cursor_free(job.cursor);
    }
    free(batch->events);
    free(batch->actions);
    return count;
}
