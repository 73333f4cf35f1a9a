/* SPDX-License-Identifier: Apache-2.0 */
/* kev_write: the shapes of actions by task, and the action of a slot that is decoded alone. */
#include "format/kev/kev_write.h"

/* ---- shapes of actions -------------------------------------------------------------------- */

#define NO_ACTION                                                                                  \
    {                                                                                              \
        0, UINT32_MAX, UINT32_MAX, 0, TT_ACTION_NONE, 0                                            \
    }
/* On the CPU, with the first word. */
#define OF_CPU(kind)                                                                               \
    {                                                                                              \
        UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, (kind), sizeof(struct tt_action)                    \
    }
/* Of the running thread, with the first two words. */
#define OF_WORDS(kind)                                                                             \
    {                                                                                              \
        UINT32_MAX, 0, 0, 0, (kind), sizeof(struct tt_action)                                      \
    }

/* By task, of those with KEV_INFO_FAST_ACTIONS. */
static const struct kev_shape all_shapes[32] = {
    [KEV_PLAIN] = NO_ACTION,
    [KEV_STATE] = {0, UINT32_MAX, 0, UINT16_MAX, TT_ACTION_STATE, sizeof(struct tt_action)},
    [KEV_INTERRUPT_ENTER] = OF_CPU(TT_ACTION_INTERRUPT_ENTER),
    [KEV_INTERRUPT_LEAVE] = OF_CPU(TT_ACTION_INTERRUPT_LEAVE),
    [KEV_MESSAGE_RECEIVE] = OF_WORDS(TT_ACTION_MESSAGE_RECEIVE),
    [KEV_PULSE_RECEIVE] = OF_WORDS(TT_ACTION_TAKE),
    [KEV_RECEIVE_CALL] = OF_WORDS(TT_ACTION_CHANNEL),
    [KEV_ERROR_CALL] = OF_WORDS(TT_ACTION_ERROR_CODE),
    [KEV_OF_THREAD] = NO_ACTION,
    [KEV_TRACE_EXIT] = NO_ACTION,
};

void kev_shapes_set(struct tt_cursor *cursor, uint64_t unwanted)
{
    if (cursor->shaped && cursor->shaped_unwanted == unwanted) {
        return;
    }
    for (uint32_t task = 0; task < sizeof all_shapes / sizeof all_shapes[0]; task++) {
        cursor->shapes[task] = all_shapes[task];
        if (unwanted >> all_shapes[task].kind & 1) {
            cursor->shapes[task].size = 0;
        }
    }
    cursor->shaped = true;
    cursor->shaped_unwanted = unwanted;
}

void kev_add_action(struct tt_cursor *cursor, uint32_t task, const struct kev_slot *slot,
                    const struct tt_event *event, struct tt_batch *batch)
{
    const bool big = cursor->d->big;
    uint8_t bytes[2 * KEV_SLOT] = {0}; /* the next slot may not be adjacent, or not exist */
    memcpy(bytes, slot->bytes, slot->chain > 1 ? sizeof bytes : KEV_SLOT);
    struct tt_event copy = *event;
    struct kev_writer w = kev_writer_begin(cursor, batch);
    const bool failed = kev_key_at(bytes, big) == UINT64_MAX;
    if (!batch->actions || batch->action_count >= batch->action_capacity ||
        (failed && (KEV_RECEIVE_TASKS >> task & 1))) {
        return;
    }
    kev_shapes_set(cursor, batch->unwanted);
    w.event = &copy;
    if (KEV_LOOKUP_TASKS >> task & 1) {
        kev_write_message(&w, bytes, task, big);
    } else {
        kev_write_action(&w, bytes, task, slot->chain > 1, big);
    }
    batch->action_count = (uint32_t)(w.action - batch->actions);
}
