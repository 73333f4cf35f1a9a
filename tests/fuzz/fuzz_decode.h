/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_decode: conditions that every decoder must meet for any bytes. One thread. */
#ifndef TT_TESTS_FUZZ_DECODE_H
#define TT_TESTS_FUZZ_DECODE_H

#include "fuzz.h"
#include "tracetui/format.h"

#define FUZZ_BATCH   16u /* events at once: small, so that blocks end everywhere */
#define FUZZ_ACTIONS (FUZZ_BATCH + TT_ACTIONS_PER_EVENT)

static inline bool fuzz_has_event(const struct tt_batch *batch, const struct tt_action *action)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        if (batch->events[i].ticks == action->ticks && batch->events[i].pos == action->pos) {
            return true;
        }
    }
    return false;
}

/*
 * Checks that a batch does not exceed its capacity and that its actions refer to existing objects.
 */
static inline void fuzz_check_batch(const struct tt_capture *c, const struct tt_format *format,
                                    const struct tt_batch *batch)
{
    require(batch->count <= batch->capacity);
    require(batch->action_count <= batch->action_capacity);
    for (uint32_t i = 0; i < batch->action_count; i++) {
        const struct tt_action *action = &batch->actions[i];
        require(fuzz_has_event(batch, action));
        require(action->thread == TT_NO_THREAD || action->thread < tt_thread_count(c));
        /* Of others it is the kind of an object, a number of messages or a stream. */
        require(action->kind > TT_ACTION_SWITCH || action->state < format->state_count);
        require(action->kind != TT_ACTION_COUNTER || action->other < tt_series_count(c));
    }
}

/* Decodes at most `capacity` events, up to FUZZ_BATCH; *count: their number. */
static inline enum tt_decode_result fuzz_decode(struct tt_capture *c, struct tt_cursor *cursor,
                                                uint64_t limit, bool final, uint32_t capacity,
                                                struct tt_event *events, uint32_t *count)
{
    static struct tt_action actions[FUZZ_ACTIONS];
    struct tt_batch batch = {.events = events,
                             .capacity = capacity,
                             .actions = actions,
                             .action_capacity = FUZZ_ACTIONS};
    enum tt_decode_result result = c->format->decode(cursor, limit, final, &batch);
    fuzz_check_batch(c, c->format, &batch);
    *count = batch.count;
    return result;
}

/* Checks that all parts of its line exist. */
static inline void fuzz_check_event(const struct tt_capture *c, const struct tt_event *event)
{
    require(event->type < tt_types_count(c));
    require(event->thread == TT_NO_THREAD || event->thread < tt_thread_count(c));
}

#endif
