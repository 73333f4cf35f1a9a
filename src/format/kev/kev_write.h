/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_write: writes the actions of events that have a shape, or are messages, from their slots. Used
 * event by event in stretches of slots, and for rare slots. Ownership and threads as in kev_decode.h.
 */
#ifndef TRACETUI_FORMAT_KEV_KEV_WRITE_H
#define TRACETUI_FORMAT_KEV_KEV_WRITE_H

#include "format/kev/kev_decode.h"

/* Makes the cursor's shapes those for batches with these unwanted kinds. */
void kev_shapes_set(struct tt_cursor *cursor, uint64_t unwanted);

/* State that changes with each event; not in the batch, so that it stays in registers. */
struct kev_writer {
    struct tt_cursor *cursor;
    const _Atomic uint32_t *codes;
    bool acts; /* the batch has actions */
    uint64_t unwanted;
    struct tt_event *event;
    struct tt_action *action; /* next free one */
};

static KEV_HOT struct kev_writer kev_writer_begin(struct tt_cursor *cursor, struct tt_batch *batch)
{
    if (KEV_RARELY(cursor->recent_generation != cursor->generation)) {
        for (uint32_t i = 0; i < sizeof cursor->recent / sizeof cursor->recent[0]; i++) {
            kev_recent_clear(cursor, i);
        }
        memset(cursor->recent_processes, 0, sizeof cursor->recent_processes);
        cursor->recent_generation = cursor->generation;
    }
    struct kev_writer w = {.cursor = cursor,
                           .codes = cursor->d->codes,
                           .acts = batch->actions != NULL,
                           .unwanted = batch->unwanted,
                           .event = batch->events + batch->count,
                           .action = batch->actions ? batch->actions + batch->action_count : NULL};
    return w;
}

static KEV_HOT uint64_t kev_key_at(const uint8_t *slot, bool big)
{
    const uint8_t *words = slot + KEV_SLOT_HEAD;
    return big ? tt_load_u32(words, true) | (uint64_t)tt_load_u32(words + 4, true) << 32
               : tt_load_u64(words, false);
}

/* Returns all bits if the bit with this number is set, else 0. */
static KEV_HOT uint32_t kev_mask_of(uint32_t word, unsigned bit)
{
    return (uint32_t)((int32_t)(word << (31 - bit)) >> 31);
}

/* Writes the action of the event, if it has one. */
static KEV_HOT void kev_write_action(struct kev_writer *writer, const uint8_t *slot, uint32_t task,
                                     bool is_wide, bool big)
{
    struct tt_cursor *cursor = writer->cursor;
    const struct tt_event *event = writer->event;
    const struct kev_shape *shape = &cursor->shapes[task];
    const uint32_t header = tt_load_u32(slot, big);
    const uint8_t *words = slot + KEV_SLOT_HEAD;
    const uint32_t first = tt_load_u32(words, big), second = tt_load_u32(words + 4, big);
    /* The wide form of a state has the priority in the next slot. */
    const uint32_t third = tt_load_u32(words + KEV_SLOT * (uint32_t)is_wide, big);
    const uint32_t wide = (0u - (uint32_t)is_wide) & shape->state;
    struct tt_action *action = writer->action;
    writer->action = (struct tt_action *)((char *)action + shape->size);
    action->ticks = event->ticks;
    action->pos = event->pos;
    action->value = first & shape->value;
    action->thread = event->thread | shape->no_thread;
    action->other = second | shape->no_other;
    action->cpu = event->cpu;
    action->priority =
        (int16_t)(((third ^ (uint16_t)TT_NO_PRIORITY) & wide) ^ (uint16_t)TT_NO_PRIORITY);
    action->state = cursor->d->state_numbers[header & (KEV_STATE_EVENTS - 1)] & shape->state;
    action->kind = shape->kind;
    action->flags = 0;
}

/* ---- messages ----------------------------------------------------------------------------- */

#define KEV_LOOKUP_KINDS                                                                           \
    (UINT64_C(1) << TT_ACTION_MESSAGE_SEND | UINT64_C(1) << TT_ACTION_MESSAGE_REPLY |              \
     UINT64_C(1) << TT_ACTION_POST)

/* Tasks with actions that refer to a process or thread that must be looked up. */
#define KEV_LOOKUP_TASKS                                                                           \
    (UINT32_C(1) << KEV_MESSAGE_SEND | UINT32_C(1) << KEV_PULSE_SEND |                             \
     UINT32_C(1) << KEV_KERNEL_PULSE_SEND | UINT32_C(1) << KEV_MESSAGE_REPLY |                     \
     UINT32_C(1) << KEV_MESSAGE_ERROR)
#define KEV_RECEIVE_TASKS (UINT32_C(1) << KEV_MESSAGE_RECEIVE | UINT32_C(1) << KEV_PULSE_RECEIVE)
#define KEV_REPLY_TASKS   (UINT32_C(1) << KEV_MESSAGE_REPLY | UINT32_C(1) << KEV_MESSAGE_ERROR)

/* By task, of KEV_LOOKUP_TASKS. */
static const uint8_t kev_message_kinds[32] = {
    [KEV_MESSAGE_SEND] = TT_ACTION_MESSAGE_SEND,   [KEV_PULSE_SEND] = TT_ACTION_POST,
    [KEV_KERNEL_PULSE_SEND] = TT_ACTION_POST,      [KEV_MESSAGE_REPLY] = TT_ACTION_MESSAGE_REPLY,
    [KEV_MESSAGE_ERROR] = TT_ACTION_MESSAGE_REPLY,
};

/* Writes the action of a message that is sent or answered. */
static KEV_HOT void kev_write_message(struct kev_writer *writer, const uint8_t *slot, uint32_t task,
                                      bool big)
{
    struct tt_cursor *cursor = writer->cursor;
    const struct tt_event *event = writer->event;
    const uint8_t *bytes = slot + KEV_SLOT_HEAD;
    const uint32_t words[2] = {tt_load_u32(bytes, big), tt_load_u32(bytes + 4, big)};
    /* No branch on the task: sends and replies alternate. */
    const uint32_t is_reply = KEV_REPLY_TASKS >> task & 1,
                   of_kernel = task == KEV_KERNEL_PULSE_SEND;
    const uint32_t tid = words[0] | (is_reply - 1); /* or KEV_WHOLE_PROCESS */
    const uint64_t key = words[1] | (uint64_t)tid << 32;
    struct kev_recent *recents[2] = {kev_recent_process_at(cursor, words[1]),
                                     kev_recent_at(cursor, key)};
    struct kev_recent *recent = recents[is_reply];
    struct tt_action *action = writer->action;
    action->ticks = event->ticks;
    action->pos = event->pos;
    action->value = words[0] & (is_reply - 1);
    action->thread = event->thread | (0u - of_kernel); /* TT_NO_THREAD */
    action->other = recent->lane;
    action->cpu = event->cpu;
    action->priority = TT_NO_PRIORITY;
    action->state = 0;
    action->kind = kev_message_kinds[task];
    action->flags = (uint8_t)((0u - (uint32_t)(task == KEV_MESSAGE_ERROR)) & TT_ACTION_FAILED);
    if (KEV_RARELY(recent->key != key)) {
        kev_look_up(cursor, is_reply, event, recent, key, action);
    }
    writer->action += (writer->unwanted >> action->kind & 1) ^ 1;
}

#endif
