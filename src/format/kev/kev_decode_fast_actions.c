/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_decode_fast_actions: decodes with actions, learning or not; used for indexing. As in
 * kev_decode_fast.c a stretch of slots is walked twice, but here all slots of an event must be
 * present and adjacent, since no event may stay open:
 *
 *      slots   | S | CB| CC| CE| S | CB| CE| CB|      the last event continues after the stretch:
 *      begins  | 0 | 1 |   |   | 4 | 5 |   | 7 |      it is the first one of the next stretch
 *
 * Each event writes an action of the shape that its task has, which is kept if its kind is wanted.
 * Messages, requests and releases of objects, and times are decoded aside. Rare cases go to
 * kev_decode_event(), as in kev_decode_fast.c; here also creations and ends, health notes, and
 * events with slots that are not adjacent.
 */
#include "format/kev/kev_decode_fast.h"

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

/* Makes the cursor's shapes those for batches with these unwanted kinds. */
static void make_shapes(struct tt_cursor *cursor, uint64_t unwanted)
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

/* ---- where events begin ------------------------------------------------------------------- */

#define LIST_STEP  32u /* slots; KEV_STRETCH is a multiple */
#define SAME_EVENT (UINT64_C(0xffffffff) << 32 | KEV_SAME_EVENT)
#define CONTINUES  (UINT64_C(1) << 31)

/* Lists slots that begin an event. */
struct listing {
    uint64_t before; /* header and, in the upper half, stamp of the slot before */
    uint64_t parts;  /* SAME_EVENT: differences of slots that continue an event from those before */
    uint64_t
        structure;    /* CONTINUES: a slot continues no event, or one has a beginning but no end */
    uint16_t *begins; /* the next one */
};

/*
 * A slot continues the event of the one before if exactly one of that one's structure bits is set: it
 * is a beginning or a middle.
 */
static KEV_HOT void list_slot(struct listing *l, const uint8_t *slot, uint32_t index, bool big)
{
    const uint64_t head = kev_head_at(slot, big), differs = head ^ l->before;
    const int64_t continues = (int64_t)(head << 32) >> 63; /* -1, or 0 */
    l->parts |= differs & (uint64_t)continues;
    l->structure |= differs ^ l->before << 1;
    *l->begins = (uint16_t)index;
    l->begins += continues + 1;
    l->before = head;
}

static KEV_HOT bool is_adjacent(const struct listing *l)
{
    return ((l->parts & SAME_EVENT) | (l->structure & CONTINUES)) == 0;
}

/* Lists a whole number of steps, up to slots that are not adjacent. Returns the number of slots. */
static KEV_HOT uint32_t list_steps(struct listing *listing, const uint8_t *bytes, uint32_t slots,
                                   bool big)
{
    uint32_t i = 0;
    while (slots - i >= LIST_STEP) {
        struct listing l = *listing;
        const uint8_t *slot = bytes + (size_t)i * KEV_SLOT;
        for (uint32_t k = 0; k < LIST_STEP; k += 4, slot += 4 * (size_t)KEV_SLOT) {
            list_slot(&l, slot, i + k, big);
            list_slot(&l, slot + KEV_SLOT, i + k + 1, big);
            list_slot(&l, slot + 2 * (size_t)KEV_SLOT, i + k + 2, big);
            list_slot(&l, slot + 3 * (size_t)KEV_SLOT, i + k + 3, big);
        }
        if (!is_adjacent(&l)) {
            break;
        }
        *listing = l;
        i += LIST_STEP;
    }
    return i;
}

/* Lists the events that are complete in `slots` slots, then the slot after the last one. */
static KEV_HOT uint32_t list(const uint8_t *bytes, uint32_t slots, bool big, uint16_t *begins)
{
    struct listing l = {.begins = begins};
    uint32_t i = list_steps(&l, bytes, slots, big);
    for (; i < slots; i++) {
        struct listing next = l;
        list_slot(&next, bytes + (size_t)i * KEV_SLOT, i, big);
        if (!is_adjacent(&next)) {
            break;
        }
        l = next;
    }
    const bool open = (l.before ^ l.before << 1) & CONTINUES;
    uint32_t count = (uint32_t)(l.begins - begins) - open;
    begins[count] = open ? begins[count] : (uint16_t)i;
    return count;
}

/* Not inlined, so that the loop has its registers. */
static KEV_APART uint32_t list_little(const uint8_t *bytes, uint32_t slots, uint16_t *begins)
{
    return list(bytes, slots, false, begins);
}
static KEV_APART uint32_t list_big(const uint8_t *bytes, uint32_t slots, uint16_t *begins)
{
    return list(bytes, slots, true, begins);
}

/* ---- one event ---------------------------------------------------------------------------- */

/* State that changes with each event; not in the batch, so that it stays in registers. */
struct walk {
    struct kev_fast_state state;
    struct tt_event *event;
    struct tt_action *action; /* next free one */
};

/* Writes the action of the event, if it has one. */
static KEV_HOT void write_action(struct walk *w, const uint8_t *slot, uint32_t info, bool big)
{
    struct tt_cursor *cursor = w->state.cursor;
    const struct tt_event *event = w->event;
    const struct kev_shape *shape = &cursor->shapes[kev_info_task(info)];
    const uint32_t header = tt_load_u32(slot, big);
    const uint8_t *words = slot + KEV_SLOT_HEAD;
    const uint32_t first = tt_load_u32(words, big), second = tt_load_u32(words + 4, big);
    /* The wide form of a state has the priority in the next slot. */
    const uint32_t third = tt_load_u32(words + (header >> 26 & KEV_SLOT), big);
    const uint32_t wide = kev_mask_of(header, 30) & shape->state;
    struct tt_action *action = w->action;
    w->action = (struct tt_action *)((char *)action + shape->size);
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

/*
 * Decodes the event that begins at the slot; returns false if another function must decode it. A
 * receive that failed has no action.
 */
static KEV_HOT bool decode_event(struct walk *w, const uint8_t *slot, uint64_t pos, bool states_due,
                                 bool big)
{
    uint32_t info;
    if (KEV_RARELY(tt_load_u64(slot + KEV_SLOT_HEAD, big) == UINT64_MAX) ||
        !kev_fast_event(&w->state, slot, pos, big, KEV_INFO_FAST_ACTIONS, true, w->event, &info)) {
        return false;
    }
    write_action(w, slot, info, big);
    if (KEV_RARELY(states_due)) {
        w->state.cursor->s.state_seen |= (uint64_t)(kev_info_task(info) == KEV_STATE)
                                         << w->event->cpu;
    }
    w->event++;
    return true;
}

/* ---- messages ----------------------------------------------------------------------------- */

#define LOOKUP_KINDS                                                                               \
    (UINT64_C(1) << TT_ACTION_MESSAGE_SEND | UINT64_C(1) << TT_ACTION_MESSAGE_REPLY |              \
     UINT64_C(1) << TT_ACTION_POST)

/* Tasks with actions that refer to a process or thread that must be looked up. */
#define LOOKUP_TASKS                                                                               \
    (UINT32_C(1) << KEV_MESSAGE_SEND | UINT32_C(1) << KEV_PULSE_SEND |                             \
     UINT32_C(1) << KEV_KERNEL_PULSE_SEND | UINT32_C(1) << KEV_MESSAGE_REPLY |                     \
     UINT32_C(1) << KEV_MESSAGE_ERROR)
#define REPLY_TASKS (UINT32_C(1) << KEV_MESSAGE_REPLY | UINT32_C(1) << KEV_MESSAGE_ERROR)

/* By task, of LOOKUP_TASKS. */
static const uint8_t message_kinds[32] = {
    [KEV_MESSAGE_SEND] = TT_ACTION_MESSAGE_SEND,   [KEV_PULSE_SEND] = TT_ACTION_POST,
    [KEV_KERNEL_PULSE_SEND] = TT_ACTION_POST,      [KEV_MESSAGE_REPLY] = TT_ACTION_MESSAGE_REPLY,
    [KEV_MESSAGE_ERROR] = TT_ACTION_MESSAGE_REPLY,
};

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
static KEV_HOT void write_message(struct walk *w, const uint8_t *slot, uint32_t task,
                                  uint64_t unwanted, bool big)
{
    struct tt_cursor *cursor = w->state.cursor;
    const struct tt_event *event = w->event;
    const uint8_t *bytes = slot + KEV_SLOT_HEAD;
    const uint32_t words[2] = {tt_load_u32(bytes, big), tt_load_u32(bytes + 4, big)};
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
    w->action += (unwanted >> action->kind & 1) ^ 1;
}

/* ---- events that are decoded aside -------------------------------------------------------- */

/* Adds the action of a call that waits for an object or releases one. Returns the next free one. */
static KEV_COLD struct tt_action *add_lock(struct tt_cursor *cursor, uint32_t task,
                                           const uint8_t *bytes, struct tt_batch *batch,
                                           struct tt_event *event, struct tt_action *action)
{
    const uint32_t header = tt_load_u32(bytes, cursor->d->big);
    const struct kev_slot slot = {.bytes = bytes,
                                  .header = header,
                                  .code = kev_code(header),
                                  .cpu = kev_cpu(header),
                                  .chain = kev_structure(header) == KEV_BEGIN ? 2 : 1};
    batch->count = (uint32_t)(event - batch->events);
    batch->action_count = (uint32_t)(action - batch->actions);
    kev_do_task(cursor, task, &slot, batch, event);
    return batch->actions + batch->action_count;
}

/*
 * Decodes the time of a CPU. `before`: the time of the event before. Returns false if
 * kev_decode_event() must decode it: the CPU has no slot yet, its time goes back or far on, or CPUs have their
 * own rings.
 */
static KEV_COLD bool take_time(struct tt_cursor *cursor, const uint8_t *bytes, uint64_t pos,
                               uint64_t before, struct tt_event *event)
{
    const bool big = cursor->d->big;
    const uint32_t header = tt_load_u32(bytes, big), stamp = tt_load_u32(bytes + 4, big);
    const uint32_t number = kev_cpu(header);
    const uint8_t *words = bytes + KEV_SLOT_HEAD;
    const uint64_t time =
        kev_time_of_event(stamp, tt_load_u32(words, big), tt_load_u32(words + 4, big));
    struct kev_slot slot = {.bytes = bytes, .stamp = stamp};
    if (cursor->d->release == KEV_8 || cursor->cpu[number].ticks > time ||
        time - cursor->cpu[number].ticks > KEV_NEAR) {
        return false;
    }
    const uint32_t info =
        atomic_load_explicit(&cursor->d->codes[kev_code(header)], memory_order_acquire);
    kev_on_time(cursor, &slot);
    kev_set_ticks(cursor, number, slot.ticks);
    cursor->before_buffer = before;
    *event =
        (struct tt_event){.ticks = slot.ticks,
                          .pos = pos,
                          .type = kev_info_type(info),
                          .thread = TT_NO_THREAD,
                          .length = KEV_SLOT,
                          .cpu = (uint16_t)number,
                          .kind = kev_info_kind(info),
                          .flags = kev_structure(header) == KEV_BEGIN ? TT_EVENT_MULTIPART : 0};
    return true;
}

static KEV_HOT uint64_t time_before(const struct walk *w, const struct tt_batch *batch)
{
    return w->event > batch->events ? w->event[-1].ticks : w->state.cursor->s.last_ticks;
}

/* Decodes an event that decode_event() does not; returns false if kev_decode_event() must do it. */
static KEV_HOT bool decode_other(struct walk *w, const uint8_t *slot, uint64_t pos, bool big,
                                 struct tt_batch *batch)
{
    const uint32_t code = kev_code(tt_load_u32(slot, big));
    uint32_t info = atomic_load_explicit(&w->state.codes[code], memory_order_acquire);
    const uint32_t task = kev_info_task(info);
    if (task == KEV_TIME) {
        if (!take_time(w->state.cursor, slot, pos, time_before(w, batch), w->event)) {
            return false;
        }
        w->event++;
        return true;
    }
    const bool is_message = LOOKUP_TASKS >> task & 1;
    const bool is_lock =
        task == KEV_LOCK_FREE || (task == KEV_LOCK_WAIT && !kev_has_two_objects(code));
    if (!(is_message | is_lock) ||
        !kev_fast_event(&w->state, slot, pos, big, 0, true, w->event, &info)) {
        return false;
    }
    if (is_lock) {
        w->action = add_lock(w->state.cursor, task, slot, batch, w->event, w->action);
    } else if (~batch->unwanted & LOOKUP_KINDS) {
        write_message(w, slot, task, batch->unwanted, big);
    }
    w->event++;
    return true;
}

/* ---- many --------------------------------------------------------------------------------- */

static KEV_HOT struct walk begin_walk(struct tt_cursor *cursor, struct tt_batch *batch)
{
    struct walk w = {.state = kev_fast_state_of(cursor),
                     .event = batch->events + batch->count,
                     .action = batch->actions + batch->action_count};
    return w;
}

static KEV_HOT void commit(struct walk *w, uint64_t pos, struct tt_batch *batch)
{
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

/* Returns whether some CPU has had no state outside a dump. */
static KEV_HOT bool states_due(const struct tt_cursor *cursor)
{
    return (cursor->s.active & ~cursor->s.state_seen) != 0;
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
    uint32_t count = big ? list_big(bytes, slots, begins) : list_little(bytes, slots, begins);
    count = count < room ? count : room;
    if (count == 0) {
        return kev_decode_event(cursor, span, batch);
    }
    bool due = states_due(cursor);
    struct walk w = begin_walk(cursor, batch);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t at = (uint64_t)begins[i] * KEV_SLOT;
        tt_prefetch(bytes + at + (uint64_t)KEV_STRETCH * KEV_SLOT);
        if (decode_event(&w, bytes + at, pos + at, due, big) ||
            decode_other(&w, bytes + at, pos + at, big, batch)) {
            continue;
        }
        commit(&w, pos + at, batch);
        enum tt_decode_result result = kev_decode_event(cursor, span, batch);
        if (result != TT_DECODE_MORE || cursor->s.in_dump ||
            cursor->s.pos != pos + (uint64_t)begins[i + 1] * KEV_SLOT) {
            return result;
        }
        uint32_t left = free_events(batch);
        count = count - i - 1 < left ? count : i + 1 + left;
        due = states_due(cursor);
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
        bool fast = slots > 0 && !cursor->s.in_dump && cursor->s.begun &&
                    cursor->s.late_count == 0 && !cursor->s.damaged;
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
    make_shapes(cursor, batch->unwanted);
    return cursor->d->big ? decode(cursor, span, true, batch) : decode(cursor, span, false, batch);
}
