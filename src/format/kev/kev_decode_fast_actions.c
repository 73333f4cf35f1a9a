/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_decode_fast_actions: decodes with actions, learning or not; used for indexing. As in
 * kev_decode_fast.c a stretch of slots is walked twice, but here all slots of an event must be
 * present and adjacent, since no event may stay open:
 *
 *      slots   | S | CB| CC| CE| S | CB| CE| CB|      the last event continues after the stretch:
 *      begins  | 0 | 1 |   |   | 4 | 5 |   | 7 |      it is the first one of the next stretch
 *
 * Each event writes an action, which is kept if its kind is wanted. Rare cases go to
 * kev_decode_event(), as in kev_decode_fast.c; here also requests and releases of objects,
 * creations and ends, health notes, and events with slots that are not adjacent.
 */
#include "format/kev/kev_decode_fast.h"

/* By task, of those with KEV_INFO_FAST_ACTIONS. */
static const uint8_t kinds[32] = {
    [KEV_PLAIN] = TT_ACTION_NONE,
    [KEV_STATE] = TT_ACTION_STATE,
    [KEV_INTERRUPT_ENTER] = TT_ACTION_INTERRUPT_ENTER,
    [KEV_INTERRUPT_LEAVE] = TT_ACTION_INTERRUPT_LEAVE,
    [KEV_MESSAGE_RECEIVE] = TT_ACTION_MESSAGE_RECEIVE,
    [KEV_PULSE_RECEIVE] = TT_ACTION_TAKE,
    [KEV_RECEIVE_CALL] = TT_ACTION_CHANNEL,
    [KEV_ERROR_CALL] = TT_ACTION_ERROR_CODE,
    [KEV_MESSAGE_SEND] = TT_ACTION_NONE, /* see write_message */
    [KEV_PULSE_SEND] = TT_ACTION_NONE,
    [KEV_KERNEL_PULSE_SEND] = TT_ACTION_NONE,
    [KEV_MESSAGE_REPLY] = TT_ACTION_NONE,
    [KEV_MESSAGE_ERROR] = TT_ACTION_NONE,
    [KEV_OF_THREAD] = TT_ACTION_NONE,
    [KEV_TRACE_EXIT] = TT_ACTION_NONE,
};

/* Kinds of actions of the running thread, with the first two words as `value` and `other`. */
#define WORD_KINDS                                                                                 \
    (UINT64_C(1) << TT_ACTION_MESSAGE_RECEIVE | UINT64_C(1) << TT_ACTION_TAKE |                    \
     UINT64_C(1) << TT_ACTION_CHANNEL | UINT64_C(1) << TT_ACTION_ERROR_CODE)

/* Kinds of actions that refer to a process or thread that must be looked up, and their tasks. */
#define LOOKUP_KINDS                                                                               \
    (UINT64_C(1) << TT_ACTION_MESSAGE_SEND | UINT64_C(1) << TT_ACTION_MESSAGE_REPLY |              \
     UINT64_C(1) << TT_ACTION_POST)
#define LOOKUP_TASKS                                                                               \
    (UINT32_C(1) << KEV_MESSAGE_SEND | UINT32_C(1) << KEV_PULSE_SEND |                             \
     UINT32_C(1) << KEV_KERNEL_PULSE_SEND | UINT32_C(1) << KEV_MESSAGE_REPLY |                     \
     UINT32_C(1) << KEV_MESSAGE_ERROR)

/* By task, of LOOKUP_TASKS. */
static const uint8_t message_kinds[32] = {
    [KEV_MESSAGE_SEND] = TT_ACTION_MESSAGE_SEND,   [KEV_PULSE_SEND] = TT_ACTION_POST,
    [KEV_KERNEL_PULSE_SEND] = TT_ACTION_POST,      [KEV_MESSAGE_REPLY] = TT_ACTION_MESSAGE_REPLY,
    [KEV_MESSAGE_ERROR] = TT_ACTION_MESSAGE_REPLY,
};

/* Lists the events that are complete in `slots` slots, then the slot after the last one. */
static KEV_HOT uint32_t list_complete(const uint8_t *bytes, uint32_t slots, bool big,
                                      uint16_t *begins)
{
    uint32_t count = 0, before = 0, stamp_before = 0, open = 0, i = 0;
    for (; i < slots; i++) {
        const uint8_t *slot = bytes + (size_t)i * KEV_SLOT;
        tt_prefetch(slot + TT_AHEAD_BYTES);
        const uint32_t header = tt_load_u32(slot, big), stamp = tt_load_u32(slot + 4, big);
        const uint32_t goes_on = header >> 31;
        const uint32_t differs = ((header ^ before) & KEV_SAME_EVENT) | (stamp ^ stamp_before);
        if (KEV_RARELY((open ^ goes_on) | (differs & (0u - goes_on)))) {
            break;
        }
        begins[count] = (uint16_t)i;
        count += goes_on ^ 1;
        open = ((header >> 30) + 1) >> 1 & 1; /* a beginning or a middle */
        before = header;
        stamp_before = stamp;
    }
    count -= open;
    begins[count] = open ? begins[count] : (uint16_t)i;
    return count;
}

/* ---- one event ---------------------------------------------------------------------------- */

/* State that changes with each event; not in the batch, so that it stays in registers. */
struct walk {
    struct kev_fast_state state;
    const uint8_t *states; /* struct kev_decoder */
    uint64_t wanted;       /* kinds of actions */
    uint32_t lookups;      /* LOOKUP_TASKS, or 0 if no action of theirs is wanted */
    uint64_t state_seen;   /* as in struct kev_state: bits since the walk began */
    struct tt_event *event;
    struct tt_action *action; /* next free one */
};

/* Writes the action of the event, if it has one. */
static KEV_HOT void write_action(struct walk *w, const uint8_t *slot, bool wide, uint32_t info,
                                 bool big)
{
    const struct tt_event *event = w->event;
    const uint32_t code = kev_code(tt_load_u32(slot, big));
    const uint8_t kind = kinds[kev_info_task(info)];
    const bool is_state = kind == TT_ACTION_STATE;
    const bool is_receive = WORD_KINDS >> kind & 1;
    const uint32_t of_state = 0u - (uint32_t)is_state, of_receive = 0u - (uint32_t)is_receive;
    /* The wide form of a state has the priority in the next slot. */
    const uint8_t *words = slot + KEV_SLOT_HEAD;
    const uint32_t third = tt_load_u32(words + (size_t)wide * KEV_SLOT, big);
    const uint32_t first = tt_load_u32(words, big), second = tt_load_u32(words + 4, big);
    const bool failed = is_receive & ((first & second) == UINT32_MAX);
    struct tt_action *action = w->action;
    w->action += (w->wanted >> kind & 1) & !failed;
    action->ticks = event->ticks;
    action->pos = event->pos;
    action->value = first & ~of_state; /* of an interrupt or of WORD_KINDS */
    action->thread = event->thread | ~(of_state | of_receive); /* TT_NO_THREAD */
    action->other = second | ~of_receive;
    action->cpu = event->cpu;
    action->priority = (int16_t)kev_select(is_state & wide, third, (uint16_t)TT_NO_PRIORITY);
    action->state = (uint16_t)(w->states[code & (KEV_STATE_EVENTS - 1)] & of_state);
    action->kind = kind;
    action->flags = 0;
    w->state_seen |= (uint64_t)is_state << event->cpu;
}

#define REPLY_TASKS (UINT32_C(1) << KEV_MESSAGE_REPLY | UINT32_C(1) << KEV_MESSAGE_ERROR)

/* Sets the members that depend on the task, and notes the thread or process for the next time. */
static KEV_COLD void look_up(struct tt_cursor *cursor, uint32_t task, const uint32_t words[2],
                             const struct tt_event *event, struct kev_recent *recent, uint64_t key,
                             struct tt_action *action)
{
    const uint64_t when = cursor->capture->lanes_by_time ? event->ticks : event->pos;
    const uint32_t pid = (uint32_t)key, tid = (uint32_t)(key >> 32);
    const bool is_reply = REPLY_TASKS >> task & 1;
    kev_set_message(cursor, task, words, when, event->thread, action);
    if (is_reply ? (int32_t)pid > 0 && (int32_t)tid > 0 : pid != 0 && pid != UINT32_MAX) {
        *recent = (struct kev_recent){key, action->other};
        kev_pid_note(cursor, pid,
                     is_reply ? KEV_RECENT_FIRST + (uint32_t)(recent - cursor->recent)
                              : KEV_PROCESS_FIRST + (uint32_t)(recent - cursor->recent_processes));
    }
}

/* Writes the action of a message that is sent or answered. */
static KEV_HOT void write_message(struct walk *w, const uint8_t *slot, uint32_t info, bool big)
{
    struct tt_cursor *cursor = w->state.cursor;
    const struct tt_event *event = w->event;
    const uint8_t *bytes = slot + KEV_SLOT_HEAD;
    const uint32_t words[2] = {tt_load_u32(bytes, big), tt_load_u32(bytes + 4, big)};
    const uint32_t task = kev_info_task(info);
    /* No branch on the task: sends and replies alternate. */
    const uint32_t is_reply = REPLY_TASKS >> task & 1, of_kernel = task == KEV_KERNEL_PULSE_SEND;
    const uint32_t tid = words[0] | (is_reply - 1); /* or KEV_WHOLE_PROCESS */
    const uint64_t key = words[1] | (uint64_t)tid << 32;
    struct kev_recent *recents[2] = {kev_recent_process_at(cursor, words[1]),
                                     kev_recent_at(cursor, key)};
    struct kev_recent *recent = recents[is_reply];
    struct tt_action *action = w->action;
    action->ticks = event->ticks;
    action->pos = event->pos;
    action->value = words[0] & (is_reply - 1);
    action->thread = event->thread | (0u - of_kernel); /* TT_NO_THREAD */
    action->other = recent->lane;
    action->cpu = event->cpu;
    action->priority = TT_NO_PRIORITY;
    action->state = 0;
    action->kind = message_kinds[task];
    action->flags = (uint8_t)((0u - (uint32_t)(task == KEV_MESSAGE_ERROR)) & TT_ACTION_FAILED);
    if (KEV_RARELY(recent->key != key)) {
        look_up(cursor, task, words, event, recent, key, action);
    }
    w->action += w->wanted >> action->kind & 1;
}

/*
 * Decodes the event that begins at the slot and has several if `wide`; returns false if
 * kev_decode_event() must decode it.
 */
static KEV_HOT bool decode_event(struct walk *w, const uint8_t *slot, bool wide, uint64_t pos,
                                 bool big)
{
    uint32_t info;
    if (!kev_fast_event(&w->state, slot, pos, big, KEV_INFO_FAST_ACTIONS, true, w->event, &info)) {
        return false;
    }
    if (w->lookups >> kev_info_task(info) & 1) {
        write_message(w, slot, info, big);
    } else {
        write_action(w, slot, wide, info, big);
    }
    w->event++;
    return true;
}

/* ---- many --------------------------------------------------------------------------------- */

static KEV_HOT struct walk begin_walk(struct tt_cursor *cursor, struct tt_batch *batch)
{
    struct walk w = {.state = kev_fast_state_of(cursor),
                     .states = cursor->d->state_numbers,
                     .wanted = ~(batch->unwanted | UINT64_C(1) << TT_ACTION_NONE),
                     .lookups = ~batch->unwanted & LOOKUP_KINDS ? LOOKUP_TASKS : 0,
                     .event = batch->events + batch->count,
                     .action = batch->actions + batch->action_count};
    return w;
}

static KEV_HOT void commit(struct walk *w, uint64_t pos, struct tt_batch *batch)
{
    w->state.cursor->s.state_seen |= w->state_seen;
    batch->action_count = (uint32_t)(w->action - batch->actions);
    kev_commit(w->state.cursor, pos, batch, w->event);
}

/* Returns how many events fit: each needs room for one action. */
static KEV_HOT uint32_t free_events(const struct tt_batch *batch)
{
    uint32_t events = batch->capacity - batch->count;
    uint32_t actions = batch->action_capacity - batch->action_count;
    actions = actions < TT_ACTIONS_PER_EVENT ? 0 : actions - TT_ACTIONS_PER_EVENT + 1;
    return events < actions ? events : actions;
}

/* Decodes the events that are complete in `slots` slots and fit the batch. */
static KEV_HOT enum tt_decode_result decode_stretch(struct tt_cursor *cursor, uint32_t slots,
                                                    bool big, const struct kev_span *span,
                                                    struct tt_batch *batch)
{
    uint16_t begins[KEV_STRETCH + 1];
    const uint64_t pos = cursor->s.pos;
    const uint8_t *bytes = cursor->capture->bytes.data + pos;
    const uint32_t room = free_events(batch);
    uint32_t count = list_complete(bytes, slots, big, begins);
    count = count < room ? count : room;
    if (count == 0) {
        return kev_decode_event(cursor, span, batch);
    }
    struct walk w = begin_walk(cursor, batch);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t at = (uint64_t)begins[i] * KEV_SLOT;
        const uint64_t next = (uint64_t)begins[i + 1] * KEV_SLOT;
        if (decode_event(&w, bytes + at, next - at > KEV_SLOT, pos + at, big)) {
            continue;
        }
        commit(&w, pos + at, batch);
        enum tt_decode_result result = kev_decode_event(cursor, span, batch);
        if (result != TT_DECODE_MORE || cursor->s.in_dump || cursor->s.pos != pos + next) {
            return result;
        }
        uint32_t left = free_events(batch);
        count = count - i - 1 < left ? count : i + 1 + left;
        w = begin_walk(cursor, batch);
    }
    commit(&w, pos + (uint64_t)begins[count] * KEV_SLOT, batch);
    return TT_DECODE_MORE;
}

static KEV_HOT enum tt_decode_result decode(struct tt_cursor *cursor, const struct kev_span *span,
                                            bool big, struct tt_batch *batch)
{
    enum tt_decode_result result = TT_DECODE_MORE;
    while (free_events(batch) > 0 && cursor->s.pos < span->stop && result == TT_DECODE_MORE) {
        uint32_t slots = kev_stretch_slots(cursor->s.pos, span, batch->capacity - batch->count);
        bool fast = slots > 0 && !cursor->s.in_dump && cursor->s.begun && cursor->s.late_count == 0;
        result = fast ? decode_stretch(cursor, slots, big, span, batch)
                      : kev_decode_event(cursor, span, batch);
        if (KEV_RARELY(cursor->out_of_memory)) {
            return TT_DECODE_MEMORY;
        }
    }
    return result;
}

bool kev_fast_actions_suffice(const struct tt_batch *batch)
{
    return batch->actions != NULL;
}

enum tt_decode_result kev_decode_fast_actions(struct tt_cursor *cursor, const struct kev_span *span,
                                              struct tt_batch *batch)
{
    return cursor->d->big ? decode(cursor, span, true, batch) : decode(cursor, span, false, batch);
}
