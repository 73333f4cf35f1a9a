/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_actions: running threads, processes and threads, and the actions of events.
 *
 * Most events do not name their thread: they belong to the last thread set running on their CPU.
 * COMM events omit the sender for the same reason; the process they name is the receiver.
 */
#include <string.h>

#include "base/bits.h"
#include "format/kev/kev_decode.h"
#include "tracetui/object_kind.h"

/* ---- lanes -------------------------------------------------------------------------------- */

/*
 * A small cache avoids the registry's hash for the few threads that are active at a time. Entries
 * form pairs, the one used last first.
 */
static struct kev_lane *lane_pair(struct tt_cursor *cursor, uint32_t pid, uint32_t tid)
{
    uint32_t hash = pid * 0x9e3779b1u + tid * 0x85ebca6bu;
    return &cursor->lanes[(hash >> 20) & (KEV_LANE_CACHE - 2)];
}

static bool is_lane(const struct tt_cursor *cursor, const struct kev_lane *entry, uint32_t pid,
                    uint32_t tid)
{
    return entry->pid == pid && entry->tid == tid && entry->generation == cursor->generation;
}

/* Returns the cached entry after moving it to the front of its pair; NULL if there is none. */
static const struct kev_lane *cached_lane(struct tt_cursor *cursor, uint32_t pid, uint32_t tid)
{
    struct kev_lane *pair = lane_pair(cursor, pid, tid);
    if (is_lane(cursor, &pair[0], pid, tid)) {
        return &pair[0];
    }
    if (!is_lane(cursor, &pair[1], pid, tid)) {
        return NULL;
    }
    struct kev_lane found = pair[1];
    pair[1] = pair[0];
    pair[0] = found;
    return &pair[0];
}

static uint32_t cache_lane(struct tt_cursor *cursor, uint32_t pid, uint32_t tid, uint32_t number)
{
    struct kev_lane *pair = lane_pair(cursor, pid, tid);
    struct kev_lane entry = {pid, tid, number, cursor->generation};
    pair[1] = pair[0];
    pair[0] = entry;
    kev_pid_note(cursor, pid, (uint32_t)(pair - cursor->lanes));
    return number;
}

static uint32_t cached_pid(const struct tt_cursor *cursor, uint32_t number)
{
    return number < KEV_RECENT_FIRST ? cursor->lanes[number].pid
           : number < KEV_PROCESS_FIRST
               ? (uint32_t)cursor->recent[number - KEV_RECENT_FIRST].key
               : (uint32_t)cursor->recent_processes[number - KEV_PROCESS_FIRST].key;
}

static void clear_cached(struct tt_cursor *cursor, uint32_t number)
{
    if (number < KEV_RECENT_FIRST) {
        cursor->lanes[number].generation = 0; /* never valid */
    } else if (number < KEV_PROCESS_FIRST) {
        kev_recent_clear(cursor, number - KEV_RECENT_FIRST);
    } else {
        cursor->recent_processes[number - KEV_PROCESS_FIRST].key = 0;
    }
}

/* Removes the pid from a group; returns whether the group has other pids of the same bucket. */
static bool forget_in_group(struct tt_cursor *cursor, uint32_t pid, uint32_t group)
{
    bool others = false;
    for (uint32_t number = group * KEV_GROUP; number < (group + 1) * KEV_GROUP; number++) {
        const uint32_t cached = cached_pid(cursor, number);
        if (cached == pid) {
            clear_cached(cursor, number);
        } else {
            others = others || kev_pid_bucket(cached) == kev_pid_bucket(pid);
        }
    }
    return others;
}

/* Removes the pid from the caches, as it may now be another process; usually it is not there. */
static KEV_COLD void forget_pid(struct tt_cursor *cursor, uint32_t pid)
{
    uint64_t *groups = &cursor->pids[kev_pid_bucket(pid)];
    for (uint64_t left = *groups; left != 0; left &= left - 1) {
        const uint32_t group = tt_lowest_bit(left);
        if (!forget_in_group(cursor, pid, group)) {
            *groups &= ~(UINT64_C(1) << group);
        }
    }
}

/*
 * Begins a new process for a pid that occurs after a loss although its process ended before: the
 * new one began in the lost records.
 */
static void begin_missed_process(struct tt_cursor *cursor, uint32_t pid, uint64_t when)
{
    struct tt_capture *c = cursor->capture;
    uint64_t lost = cursor->s.lost_when;
    uint32_t process =
        lost == 0 || c->lanes_by_time ? UINT32_MAX : tt_registry_find_process(c, pid, when);
    if (process != UINT32_MAX && tt_process_at(c, process)->end_when < lost) {
        tt_registry_process_begin(c, pid, when);
    }
}

/*
 * If file order is not time order, a later process with the same pid may have been added without the
 * lane: older processes are searched as well.
 */
uint32_t kev_known_lane(const struct tt_capture *c, uint32_t pid, uint32_t tid, uint64_t when)
{
    uint32_t lane = tt_registry_find_thread(c, pid, tid, when);
    uint32_t process = lane == UINT32_MAX && c->lanes_by_time
                           ? tt_registry_find_process(c, pid, when)
                           : UINT32_MAX;
    while (lane == UINT32_MAX && process != UINT32_MAX) {
        lane = tt_registry_find_thread(c, pid, tid, tt_process_at(c, process)->first_when);
        process = tt_registry_older_process(c, process);
    }
    return lane;
}

/*
 * Returns whether a process is neither in the dump nor created after it, with no records lost. Without a dump threads
 * appear when they are first named; buffers of 8.0 are not in order of time.
 */
static bool is_unexpected(const struct tt_cursor *cursor, uint32_t pid, uint64_t when)
{
    const struct tt_capture *c = cursor->capture;
    return cursor->s.dumped && cursor->s.lost_when == 0 && !c->lanes_by_time &&
           tt_registry_find_process(c, pid, when) == UINT32_MAX;
}

/* Returns whether numbers are 0 or larger than those of any thread. */
static bool is_impossible(uint32_t pid, uint32_t tid)
{
    return pid - 1 >= INT32_MAX || tid - 1 >= KEV_TIDS;
}

/* Returns whether an event names a thread that cannot exist, or one of an unexpected process that is not named again. */
static bool is_garbage(const struct tt_cursor *cursor, uint32_t pid, uint32_t tid, uint64_t when)
{
    return is_impossible(pid, tid) ||
           (is_unexpected(cursor, pid, when) && kev_naming_of(cursor, pid, when) == KEV_NAMED_ONCE);
}

/* Returns whether a growing file has too few slots to decide that. */
static bool is_undecided(const struct tt_cursor *cursor, uint32_t pid, uint32_t tid, uint64_t pos)
{
    return cursor->learn && !cursor->final && !is_impossible(pid, tid) &&
           is_unexpected(cursor, pid, pos) && kev_naming_of(cursor, pid, pos) == KEV_NAMED_PERHAPS;
}

/* The tasks whose first two words are pid and tid, and which do not create the process. */
#define NAMING_TASKS                                                                               \
    (UINT32_C(1) << KEV_STATE | UINT32_C(1) << KEV_THREAD_CREATE |                                 \
     UINT32_C(1) << KEV_THREAD_DESTROY | UINT32_C(1) << KEV_THREAD_NAME |                          \
     UINT32_C(1) << KEV_OF_THREAD)

KEV_COLD bool kev_lacks_names(struct tt_cursor *cursor, const struct kev_slot *slot)
{
    if (kev_structure(slot->header) >= KEV_MIDDLE) {
        return false; /* not an event: its code may occur nowhere else */
    }
    uint32_t info = atomic_load_explicit(&cursor->d->codes[slot->code], memory_order_acquire);
    info = info != 0 ? info : kev_code_info(cursor, slot->code);
    return (NAMING_TASKS >> kev_info_task(info) & 1) != 0 &&
           is_undecided(cursor, kev_slot_word(cursor, slot, 0), kev_slot_word(cursor, slot, 1),
                        slot->pos);
}

static KEV_COLD uint32_t find_lane(struct tt_cursor *cursor, uint32_t pid, uint32_t tid,
                                   uint64_t when)
{
    struct tt_capture *c = cursor->capture;
    if (!cursor->learn) {
        return kev_known_lane(c, pid, tid, when);
    }
    if (is_garbage(cursor, pid, tid, when)) {
        return TT_NO_THREAD;
    }
    begin_missed_process(cursor, pid, when);
    uint32_t lane = tt_registry_thread(c, pid, tid, when);
    if (lane == UINT32_MAX) {
        cursor->out_of_memory = true;
        return TT_NO_THREAD;
    }
    if (pid == 1 && tid >= 1 && tid <= c->cpu_count) {
        tt_registry_set_idle(c, lane, true); /* one per CPU */
    }
    return lane;
}

uint32_t kev_lane_of(struct tt_cursor *cursor, uint32_t pid, uint32_t tid, uint64_t when)
{
    if (tid == KEV_WHOLE_PROCESS) {
        return find_lane(cursor, pid, tid, when); /* no thread has this number */
    }
    const struct kev_lane *cached = cached_lane(cursor, pid, tid);
    return cached ? cached->lane : cache_lane(cursor, pid, tid, find_lane(cursor, pid, tid, when));
}

KEV_COLD struct kev_named kev_find_named(struct tt_cursor *cursor, uint64_t key, uint32_t info,
                                         uint64_t pos, uint64_t ticks)
{
    const uint32_t pid = (uint32_t)key, tid = (uint32_t)(key >> 32);
    const bool is_thread = (int32_t)pid > 0 && (int32_t)tid > 0;
    if (!is_thread && kev_info_task(info) == KEV_OF_THREAD) {
        return (struct kev_named){TT_NO_THREAD, 0};
    }
    if (KEV_RARELY(!cursor->final) && is_undecided(cursor, pid, tid, pos)) {
        return (struct kev_named){KEV_UNDECIDED, 0};
    }
    uint32_t lane = kev_lane_of(cursor, pid, tid, cursor->capture->lanes_by_time ? ticks : pos);
    if (is_thread) {
        struct kev_recent *recent = kev_recent_at(cursor, key);
        *recent = (struct kev_recent){key, lane};
        kev_pid_note(cursor, pid, KEV_RECENT_FIRST + (uint32_t)(recent - cursor->recent));
    }
    return (struct kev_named){lane, UINT32_MAX};
}

/* Returns the process index; TT_NO_THREAD: unknown, or through the network manager. */
uint32_t kev_process_of(struct tt_cursor *cursor, uint32_t pid, uint64_t when)
{
    if (pid == 0 || pid == UINT32_MAX) {
        return TT_NO_THREAD;
    }
    const struct kev_lane *cached = cached_lane(cursor, pid, KEV_WHOLE_PROCESS);
    if (cached) {
        return cached->lane;
    }
    if (cursor->learn) {
        begin_missed_process(cursor, pid, when);
    }
    uint32_t process = cursor->learn ? tt_registry_process(cursor->capture, pid, when)
                                     : tt_registry_find_process(cursor->capture, pid, when);
    return cache_lane(cursor, pid, KEV_WHOLE_PROCESS, process);
}

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
static bool continues_dump(struct kev_state *s, unsigned task, uint32_t class_, uint32_t cpu,
                           uint32_t first, uint32_t second)
{
    switch (task) {
    case KEV_PROCESS_CREATE:
    case KEV_THREAD_NAME:
        return true;
    case KEV_THREAD_CREATE:
        s->dump_pid = first;
        s->dump_tid = second;
        s->dump_state_due = true;
        return true;
    case KEV_STATE:
        if (s->dump_state_due && first == s->dump_pid && second == s->dump_tid) {
            s->dump_state_due = false;
            return true;
        }
        return cpu != s->dump_cpu;
    case KEV_TRACE_EXIT:
        return false;
    default:
        return class_ == KEV_CLASS_CONTROL || class_ == KEV_CLASS_INTERRUPT ||
               class_ == KEV_CLASS_SYSTEM || cpu != s->dump_cpu;
    }
}

KEV_COLD void kev_track_dump(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot)
{
    struct kev_state *s = &cursor->s;
    uint32_t class_ = kev_class_of(slot->code);
    if (!s->in_dump && begins_dump(cursor, task, slot)) {
        s->in_dump = true;
        s->dumped = 1;
        s->dump_cpu = (uint8_t)slot->cpu;
        s->dump_ring = s->buffer_cpu;
        s->dump_state_due = false;
        s->dump_at_end = s->state_seen >> slot->cpu & 1;
    }
    if (!s->begun && class_ != KEV_CLASS_CONTROL) {
        s->begun = true;
        if (cursor->learn && !s->time_seen && !cursor->d->start.has_time) {
            kev_note(cursor, TT_HEALTH_NO_TIME, slot->pos, 0,
                     "no CONTROL/TIME event: times count from an unknown multiple of 2^32");
        }
    }
    if (kev_in_dump(cursor) &&
        !continues_dump(s, task, class_, slot->cpu, kev_slot_word(cursor, slot, 0),
                        kev_slot_word(cursor, slot, 1))) {
        s->in_dump = false;
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
    struct tt_capture *c = cursor->capture;
    if (!kev_gather(c, pos, limit, &whole, bytes, sizeof bytes, NULL, 0)) {
        return;
    }
    struct kev_payload p = kev_payload_of(cursor->d, &whole, bytes);
    if (4 * (uint64_t)p.words > sizeof bytes) {
        p.words = sizeof bytes / 4;
    }
    const char *text = (const char *)bytes + 8;
    size_t room = 4 * (size_t)(p.words - 2);
    const char *end = room > 0 ? memchr(text, '\0', room) : text;
    tt_string name = tt_capture_intern(c, text, end ? (size_t)(end - text) : room);
    uint32_t first = kev_word(&p, 0);
    uint32_t second = kev_word(&p, 1);
    uint64_t when = c->lanes_by_time ? cursor->s.last_ticks : pos;
    if (of_thread) {
        uint32_t lane = kev_lane_of(cursor, first, second, when);
        if (lane != TT_NO_THREAD) {
            tt_registry_thread_name(c, lane, name);
        }
    } else {
        uint32_t process = tt_registry_process(c, second, when);
        if (process != UINT32_MAX) {
            tt_registry_process_name(c, process, name);
        }
    }
}

/* ---- tasks -------------------------------------------------------------------------------- */

static void set_thread(struct tt_event *event, uint32_t lane)
{
    event->thread = lane;
    event->flags &= (uint8_t)~TT_EVENT_INFERRED;
}

/* Returns the priority in the wide form of an event about a thread: the third word. */
static int16_t priority_at(const struct tt_cursor *cursor, const struct kev_slot *slot)
{
    return slot->chain > 1
               ? (int16_t)tt_load_u32(slot->bytes + KEV_SLOT + KEV_SLOT_HEAD, cursor->d->big)
               : (int16_t)TT_NO_PRIORITY;
}

static void on_lifetime(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot,
                        struct tt_batch *batch, struct tt_event *event)
{
    const uint32_t pid = kev_slot_word(cursor, slot, 0);
    if (task == KEV_THREAD_CREATE && cursor->learn && pid <= INT32_MAX) {
        tt_registry_process(cursor->capture, pid, slot->when); /* its first event */
    }
    uint32_t lane = kev_lane_of(cursor, pid, kev_slot_word(cursor, slot, 1), slot->when);
    set_thread(event, lane);
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
            action->priority = priority_at(cursor, slot);
        }
    }
}

/* Ends the pid's previous process, whose end was lost, when another one begins. */
static void end_missed_process(struct tt_cursor *cursor, uint32_t pid, uint64_t when)
{
    struct tt_capture *c = cursor->capture;
    uint32_t process = tt_registry_find_process(c, pid, when);
    if (process == UINT32_MAX || c->lanes_by_time || kev_in_dump(cursor)) {
        return;
    }
    const struct tt_process *p = tt_process_at(c, process);
    if (p->end_when == UINT64_MAX && p->first_when < cursor->s.lost_when) {
        tt_registry_process_end(c, pid, when - 1); /* from `when` on the pid is the new process's */
    }
}

/* Adds the action for an end that is inferred from this beginning. */
static void add_missed_end(struct tt_cursor *cursor, uint32_t process, uint64_t when,
                           struct tt_batch *batch)
{
    const struct tt_capture *c = cursor->capture;
    uint32_t older = tt_registry_older_process(c, process);
    if (older == UINT32_MAX || tt_process_at(c, older)->end_when != when - 1) {
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
    struct tt_capture *c = cursor->capture;
    if (cursor->learn) {
        end_missed_process(cursor, pid, slot->when);
    }
    uint32_t process = cursor->learn ? tt_registry_process_begin(c, pid, slot->when)
                                     : tt_registry_find_process(c, pid, slot->when);
    forget_pid(cursor, pid);
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
        begin_missed_process(cursor, pid, slot->when);
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
static uint32_t owner_at(const struct tt_cursor *cursor, const struct kev_slot *slot, bool is_64)
{
    const uint32_t next = KEV_SLOT / sizeof(uint32_t);
    if (slot->chain >= 2) {
        return kev_owner_of_action(kev_slot_word(cursor, slot, next + is_64));
    }
    return is_64 || kev_structure(slot->header) != KEV_SIMPLE
               ? TT_NO_THREAD
               : kev_owner_of_action(kev_slot_word(cursor, slot, 1));
}

static struct tt_action *add_lock(const struct kev_slot *slot, struct tt_batch *batch,
                                  const struct tt_event *event, enum tt_action_kind kind,
                                  enum tt_object_kind object, uint64_t address)
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
            add_lock(slot, batch, event, TT_ACTION_LOCK_WAIT, TT_OBJECT_MUTEX, first);
        if (action) {
            action->other = owner_at(cursor, slot, is_64);
        }
        break;
    }
    case MUTEX_UNLOCK:
        add_lock(slot, batch, event, TT_ACTION_LOCK_FREE, TT_OBJECT_MUTEX, first);
        break;
    case SEM_WAIT:
        add_lock(slot, batch, event, TT_ACTION_LOCK_WAIT, TT_OBJECT_SEMAPHORE, first);
        break;
    case CONDVAR_WAIT: {
        uint64_t mutex = address_at(cursor, slot, is_64, 1);
        add_lock(slot, batch, event, TT_ACTION_LOCK_WAIT, TT_OBJECT_CONDVAR, first);
        if (mutex != 0) { /* it releases the mutex, and locks it again when it is signalled */
            add_lock(slot, batch, event, TT_ACTION_LOCK_FREE, TT_OBJECT_MUTEX, mutex);
            add_lock(slot, batch, event, TT_ACTION_LOCK_WAIT, TT_OBJECT_MUTEX, mutex);
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
        set_thread(event, kev_lane_of(cursor, pid, tid, slot->when));
    }
}

static void on_control(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot,
                       struct tt_batch *batch, struct tt_event *event)
{
    set_thread(event, TT_NO_THREAD);
    if (task == KEV_BUFFER) {
        kev_on_buffer(cursor, slot, batch);
    } else if (task == KEV_BUFFER_END) {
        kev_on_buffer_end(cursor, slot);
    } else if (task == KEV_DROPPED) {
        kev_on_dropped(cursor, slot, batch);
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
    default:
        break;
    }
}
