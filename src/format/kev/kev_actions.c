/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_actions: running threads, processes and threads, and the actions of events.
 *
 * Most events do not name their thread: they belong to the last thread set running on their CPU.
 * COMM events omit the sender for the same reason; the process they name is the receiver.
 */
#include <string.h>

#include "format/kev/kev_decode.h"
#include "tracetui/object_kind.h"

/* ---- the dump of states ------------------------------------------------------------------- */

static bool begins_dump(const struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot)
{
    if (task == KEV_PROCESS_CREATE) {
        return !cursor->s.begun || kev_slot_word(cursor, slot, 1) == 1;
    }
    return task == KEV_THREAD_CREATE && (!cursor->s.begun || (kev_slot_word(cursor, slot, 0) == 1 &&
                                                              kev_slot_word(cursor, slot, 1) == 1));
}

/* Returns whether a dump can contain the event; updates the announced thread. */
static bool continues_dump(struct kev_state *state, unsigned task, uint32_t class_, uint32_t cpu,
                           uint32_t first, uint32_t second)
{
    switch (task) {
    case KEV_PROCESS_CREATE:
    case KEV_THREAD_NAME:
        return true;
    case KEV_THREAD_CREATE:
        state->dump_pid = first;
        state->dump_tid = second;
        state->listed = 1;
        state->dump_state_due = true;
        return true;
    case KEV_STATE:
        if (state->dump_state_due && first == state->dump_pid && second == state->dump_tid) {
            state->dump_state_due = false;
            return true;
        }
        return cpu != state->dump_cpu;
    case KEV_TRACE_EXIT:
        return false;
    default:
        return class_ == KEV_CLASS_CONTROL || class_ == KEV_CLASS_INTERRUPT ||
               class_ == KEV_CLASS_SYSTEM || cpu != state->dump_cpu;
    }
}

KEV_COLD void kev_track_dump(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot)
{
    struct kev_state *state = &cursor->s;
    uint32_t class_ = kev_class_of(slot->code);
    if (!state->in_dump && begins_dump(cursor, task, slot)) {
        state->in_dump = true;
        state->dumped = 1;
        state->dump_cpu = (uint8_t)slot->cpu;
        state->dump_ring = state->buffer_cpu;
        state->dump_state_due = false;
        state->dump_at_end = state->state_seen >> slot->cpu & 1;
    }
    if (!state->begun && class_ != KEV_CLASS_CONTROL) {
        state->begun = true;
        if (cursor->learn && !state->time_seen && !cursor->d->start.has_time) {
            kev_note(cursor, TT_HEALTH_NO_TIME, slot->pos, 0,
                     "no CONTROL/TIME event: times count from an unknown multiple of 2^32");
        }
    }
    if (kev_in_dump(cursor) &&
        !continues_dump(state, task, class_, slot->cpu, kev_slot_word(cursor, slot, 0),
                        kev_slot_word(cursor, slot, 1))) {
        state->in_dump = false;
    }
}

/* ---- names -------------------------------------------------------------------------------- */

#define NAME_MAX_BYTES 1024u

KEV_COLD void kev_store_name(struct tt_cursor *cursor, uint32_t code, uint64_t pos, uint64_t limit)
{
    uint32_t event = code & KEV_EVENT_MASK;
    bool of_thread = event == 320;
    if (!cursor->learn || kev_class_of(code) != KEV_CLASS_THREAD || (event != 192 && !of_thread)) {
        return;
    }
    uint8_t bytes[8 + NAME_MAX_BYTES];
    struct kev_event whole;
    struct tt_capture *capture = cursor->capture;
    if (!kev_gather(capture, pos, limit, &whole, bytes, sizeof bytes, NULL, 0)) {
        return;
    }
    struct kev_payload p = kev_payload_of(cursor->d, &whole, bytes);
    if (4 * (uint64_t)p.words > sizeof bytes) {
        p.words = sizeof bytes / 4;
    }
    const char *text = (const char *)bytes + 8;
    size_t room = 4 * (size_t)(p.words - 2);
    const char *end = room > 0 ? memchr(text, '\0', room) : text;
    tt_string name = tt_capture_intern(capture, text, end ? (size_t)(end - text) : room);
    uint32_t first = kev_word(&p, 0);
    uint32_t second = kev_word(&p, 1);
    uint64_t when = capture->lanes_by_time ? cursor->s.last_ticks : pos;
    if (of_thread) {
        uint32_t lane = kev_lane_of(cursor, first, second, when);
        if (lane != TT_NO_THREAD) {
            tt_registry_thread_name(capture, lane, name);
        }
    } else {
        uint32_t process = tt_registry_process(capture, second, when);
        if (process != UINT32_MAX) {
            tt_registry_process_name(capture, process, name);
        }
    }
}

/* ---- tasks -------------------------------------------------------------------------------- */

static void kev_actions_set_thread(struct tt_event *event, uint32_t lane)
{
    event->thread = lane;
    event->flags &= (uint8_t)~TT_EVENT_INFERRED;
}

static void on_lifetime(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot,
                        struct tt_batch *batch, struct tt_event *event)
{
    const uint32_t pid = kev_slot_word(cursor, slot, 0);
    const uint32_t tid = kev_slot_word(cursor, slot, 1);
    if (task == KEV_THREAD_CREATE && cursor->learn) {
        kev_expect_thread(cursor, pid, tid, slot->when);
    }
    uint32_t lane = kev_lane_of(cursor, pid, tid, slot->when);
    kev_actions_set_thread(event, lane);
    if (task == KEV_THREAD_NAME) {
        return;
    }
    struct tt_action *action = kev_act(batch, task == KEV_THREAD_CREATE ? TT_ACTION_THREAD_CREATE
                                                                        : TT_ACTION_THREAD_DESTROY);
    if (action) {
        action->thread = lane;
        action->cpu = (uint16_t)slot->cpu;
        if (kev_in_dump(cursor)) {
            action->flags = cursor->s.dump_at_end ? TT_ACTION_REPEATED : TT_ACTION_ANNOUNCED;
        } else if (task == KEV_THREAD_CREATE) {
            /* 7.x and 8.0 write it again after a change of the priority. */
            action->flags = TT_ACTION_MAY_EXIST;
            /* The priority in the wide form of an event about a thread: the third word. */
            action->priority =
                slot->chain > 1
                    ? (int16_t)tt_load_u32(slot->bytes + KEV_SLOT + KEV_SLOT_HEAD, cursor->d->big)
                    : (int16_t)TT_NO_PRIORITY;
        }
    }
}

/* Ends the pid's previous process, whose end was lost, when another one begins. */
static void end_missed_process(struct tt_cursor *cursor, uint32_t pid, uint64_t when)
{
    struct tt_capture *capture = cursor->capture;
    uint32_t process = tt_registry_find_process(capture, pid, when);
    if (process == UINT32_MAX || capture->lanes_by_time || kev_in_dump(cursor)) {
        return;
    }
    const struct tt_process *p = tt_process_at(capture, process);
    if (p->end_when == UINT64_MAX && p->first_when < cursor->s.lost_when) {
        tt_registry_process_end(capture, pid,
                                when - 1); /* from `when` on the pid is the new process's */
    }
}

/* Adds the action for an end that is inferred from this beginning. */
static void add_missed_end(struct tt_cursor *cursor, uint32_t process, uint64_t when,
                           struct tt_batch *batch)
{
    const struct tt_capture *capture = cursor->capture;
    uint32_t older = tt_registry_older_process(capture, process);
    if (older == UINT32_MAX || tt_process_at(capture, older)->end_when != when - 1) {
        return;
    }
    struct tt_action *action = kev_act(batch, TT_ACTION_PROCESS_DESTROY);
    if (action) {
        action->value = older;
    }
}

static void on_process_create(struct tt_cursor *cursor, const struct kev_slot *slot,
                              struct tt_batch *batch)
{
    uint32_t pid = kev_slot_word(cursor, slot, 1);
    struct tt_capture *capture = cursor->capture;
    if (cursor->learn) {
        end_missed_process(cursor, pid, slot->when);
    }
    uint32_t process = cursor->learn ? tt_registry_process_begin(capture, pid, slot->when)
                                     : tt_registry_find_process(capture, pid, slot->when);
    kev_forget_pid(cursor, pid);
    if (process != UINT32_MAX && cursor->s.lost_when != 0) {
        add_missed_end(cursor, process, slot->when, batch);
    }
    struct tt_action *action =
        kev_in_dump(cursor) ? NULL : kev_act(batch, TT_ACTION_PROCESS_CREATE);
    if (action) {
        action->value = process;
        action->cpu = (uint16_t)slot->cpu;
    }
}

static void on_process_destroy(struct tt_cursor *cursor, const struct kev_slot *slot,
                               struct tt_batch *batch)
{
    uint32_t pid = kev_slot_word(cursor, slot, 1);
    if (cursor->learn) {
        kev_begin_missed_process(cursor, pid, slot->when);
    }
    struct tt_action *action = kev_act(batch, TT_ACTION_PROCESS_DESTROY);
    if (action) {
        action->value = kev_process_of(cursor, pid, slot->when);
        action->cpu = (uint16_t)slot->cpu;
    }
    if (cursor->learn) {
        tt_registry_process_end(cursor->capture, pid, slot->when);
    }
}

/* Returns the address in word `word` (32 bits) or `2 * word` (64 bits) of a call; 0: not recorded. */
static uint64_t address_at(const struct tt_cursor *cursor, const struct kev_slot *slot, bool is_64,
                           uint32_t word)
{
    bool in_next = is_64 && word > 0;
    const uint8_t *bytes = slot->bytes + KEV_SLOT_HEAD + (in_next ? KEV_SLOT : 0);
    if (in_next && slot->chain < 2) {
        return 0;
    }
    return is_64 ? tt_load_u64(bytes, cursor->d->big) : kev_slot_word(cursor, slot, word);
}

/*
 * Returns the owner in a SYNC_MUTEX_LOCK: the last word of sync_p, count, owner; without the count in
 * fast mode, where 64-bit calls have the address only. TT_NO_THREAD: not recorded, or not adjacent.
 */
static uint32_t kev_actions_owner_at(const struct tt_cursor *cursor, const struct kev_slot *slot,
                                     bool is_64)
{
    const uint32_t next = KEV_SLOT / sizeof(uint32_t);
    if (slot->chain >= 2) {
        return kev_owner_of_action(kev_slot_word(cursor, slot, next + is_64));
    }
    return is_64 || kev_structure(slot->header) != KEV_SIMPLE
               ? TT_NO_THREAD
               : kev_owner_of_action(kev_slot_word(cursor, slot, 1));
}

static struct tt_action *kev_actions_add_lock(const struct kev_slot *slot, struct tt_batch *batch,
                                              const struct tt_event *event,
                                              enum tt_action_kind kind, enum tt_object_kind object,
                                              uint64_t address)
{
    struct tt_action *action = kev_act(batch, kind);
    if (action) {
        action->value = address;
        action->thread = event->thread;
        action->cpu = (uint16_t)slot->cpu;
        action->state = (uint16_t)object;
    }
    return action;
}

enum { MUTEX_LOCK = 80, MUTEX_UNLOCK, CONDVAR_WAIT, SEM_WAIT = 85 };

bool kev_has_two_objects(uint32_t code)
{
    return (code & KEV_EVENT_MASK & ~KEV_64_BIT) == CONDVAR_WAIT;
}

/* Handles a call that waits for an object or releases one. */
static void on_lock(struct tt_cursor *cursor, const struct kev_slot *slot, struct tt_batch *batch,
                    const struct tt_event *event)
{
    const uint32_t call = slot->code & KEV_EVENT_MASK & ~KEV_64_BIT;
    const bool is_64 = (slot->code & KEV_64_BIT) != 0;
    const uint64_t first = address_at(cursor, slot, is_64, 0);
    switch (call) {
    case MUTEX_LOCK: {
        struct tt_action *action =
            kev_actions_add_lock(slot, batch, event, TT_ACTION_LOCK_WAIT, TT_OBJECT_MUTEX, first);
        if (action) {
            action->other = kev_actions_owner_at(cursor, slot, is_64);
        }
        break;
    }
    case MUTEX_UNLOCK:
        kev_actions_add_lock(slot, batch, event, TT_ACTION_LOCK_FREE, TT_OBJECT_MUTEX, first);
        break;
    case SEM_WAIT:
        kev_actions_add_lock(slot, batch, event, TT_ACTION_LOCK_WAIT, TT_OBJECT_SEMAPHORE, first);
        break;
    case CONDVAR_WAIT: {
        uint64_t mutex = address_at(cursor, slot, is_64, 1);
        kev_actions_add_lock(slot, batch, event, TT_ACTION_LOCK_WAIT, TT_OBJECT_CONDVAR, first);
        if (mutex != 0) { /* it releases the mutex, and locks it again when it is signalled */
            kev_actions_add_lock(slot, batch, event, TT_ACTION_LOCK_FREE, TT_OBJECT_MUTEX, mutex);
            kev_actions_add_lock(slot, batch, event, TT_ACTION_LOCK_WAIT, TT_OBJECT_MUTEX, mutex);
        }
        break;
    }
    default:
        break;
    }
}

static void on_named_thread(struct tt_cursor *cursor, const struct kev_slot *slot,
                            struct tt_event *event)
{
    uint32_t pid = kev_slot_word(cursor, slot, 0);
    uint32_t tid = kev_slot_word(cursor, slot, 1);
    if ((int32_t)pid > 0 && (int32_t)tid > 0) {
        kev_actions_set_thread(event, kev_lane_of(cursor, pid, tid, slot->when));
    }
}

static void on_control(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot,
                       struct tt_batch *batch, struct tt_event *event)
{
    kev_actions_set_thread(event, TT_NO_THREAD);
    if (task == KEV_BUFFER) {
        kev_on_buffer(cursor, slot, batch);
    } else if (task == KEV_BUFFER_END) {
        kev_on_buffer_end(cursor, slot);
    } else if (task == KEV_DROPPED) {
        kev_on_dropped(cursor, slot, batch);
    }
}

/*
 * A guest runs from GUEST_ENTER on for the cycles between `at_entry` and `at_exit` of CYCLES, which comes before
 * GUEST_EXIT; without CYCLES until GUEST_EXIT. Both counts may be those of the guest's clock: only their difference is used.
 */
static void on_guest(const struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot,
                     struct tt_batch *batch, const struct tt_event *event)
{
    uint8_t bytes[2 * sizeof(uint64_t)]; /* at_entry, at_exit */
    struct kev_event whole;
    if (event->thread == TT_NO_THREAD ||
        (task == KEV_GUEST_CYCLES && (!kev_gather(cursor->capture, slot->pos, cursor->limit, &whole,
                                                  bytes, sizeof bytes, NULL, 0) ||
                                      whole.words < sizeof bytes / 4))) {
        return;
    }
    struct tt_action *action =
        kev_act(batch, task == KEV_GUEST_ENTER ? TT_ACTION_SLICE_BEGIN : TT_ACTION_SLICE_END);
    if (action) {
        action->thread = event->thread;
        action->cpu = (uint16_t)slot->cpu;
        action->other = task == KEV_GUEST_ENTER ? event->type : TT_NO_THREAD;
        action->state = kev_guest_stream(cursor, slot->cpu);
        action->flags = TT_ACTION_ALONE;
    }
    if (action && task == KEV_GUEST_CYCLES) {
        const bool big = kev_payload_big(cursor->d);
        action->value = tt_load_u64(bytes + 8, big) - tt_load_u64(bytes, big);
        action->flags |= TT_ACTION_LENGTH;
    }
}

void kev_do_task(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot,
                 struct tt_batch *batch, struct tt_event *event)
{
    switch (task) {
    case KEV_UNKNOWN:
        kev_note(cursor, TT_HEALTH_UNKNOWN_EVENT, slot->pos, slot->code, "class * 1024 + event");
        break;
    case KEV_CONTROL:
    case KEV_TIME:
    case KEV_BUFFER:
    case KEV_BUFFER_END:
    case KEV_DROPPED:
        on_control(cursor, task, slot, batch, event);
        break;
    case KEV_THREAD_CREATE:
    case KEV_THREAD_DESTROY:
    case KEV_THREAD_NAME:
        on_lifetime(cursor, task, slot, batch, event);
        break;
    case KEV_PROCESS_CREATE:
        on_process_create(cursor, slot, batch);
        break;
    case KEV_PROCESS_DESTROY:
        on_process_destroy(cursor, slot, batch);
        break;
    case KEV_INTERRUPT_ENTER:
    case KEV_INTERRUPT_LEAVE:
    case KEV_MESSAGE_SEND:
    case KEV_PULSE_SEND:
    case KEV_KERNEL_PULSE_SEND:
    case KEV_MESSAGE_RECEIVE:
    case KEV_PULSE_RECEIVE:
    case KEV_MESSAGE_REPLY:
    case KEV_MESSAGE_ERROR:
    case KEV_RECEIVE_CALL:
    case KEV_ERROR_CALL:
        kev_add_action(cursor, task, slot, event, batch);
        break;
    case KEV_LOCK_WAIT:
    case KEV_LOCK_FREE:
        on_lock(cursor, slot, batch, event);
        break;
    case KEV_OF_THREAD:
        on_named_thread(cursor, slot, event);
        break;
    case KEV_GUEST_ENTER:
    case KEV_GUEST_CYCLES:
    case KEV_GUEST_EXIT:
        on_guest(cursor, task, slot, batch, event);
        break;
    default:
        break;
    }
}
