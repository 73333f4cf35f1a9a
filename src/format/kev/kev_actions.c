/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kev_actions: running threads, processes and threads, and the actions of events.
 *
 * Most events do not name their thread: they belong to the last thread set running on their CPU.
 * COMM events omit the sender for the same reason; the process they name is the receiver.
 */
#include <stdio.h>
#include <string.h>

#include "format/kev/kev_decode.h"

/* ---- event types -------------------------------------------------------------------------- */

struct code_task {
    uint16_t code;
    uint8_t task;
};

#define CODE(class_, event) ((class_) << 10 | (event))

static const struct code_task code_tasks[] = {
    {CODE(KEV_CLASS_CONTROL, 1), KEV_TIME},
    {CODE(KEV_CLASS_CONTROL, 2), KEV_BUFFER},
    {CODE(KEV_CLASS_CONTROL, 4), KEV_BUFFER_END},
    {CODE(KEV_CLASS_CALL, 80), KEV_LOCK_WAIT},
    {CODE(KEV_CLASS_CALL, 81), KEV_LOCK_FREE},
    {CODE(KEV_CLASS_CALL, 80 | KEV_64_BIT), KEV_LOCK_WAIT_64},
    {CODE(KEV_CLASS_CALL, 81 | KEV_64_BIT), KEV_LOCK_FREE_64},
    {CODE(KEV_CLASS_CALL, 1 + KEV_EXIT), KEV_TRACE_EXIT},
    {CODE(KEV_CLASS_CALL, (1 + KEV_EXIT) | KEV_64_BIT), KEV_TRACE_EXIT},
    {CODE(KEV_CLASS_INTERRUPT, 1), KEV_INTERRUPT_ENTER},
    {CODE(KEV_CLASS_INTERRUPT, 2), KEV_INTERRUPT_LEAVE},
    {CODE(KEV_CLASS_INTERRUPT, 5), KEV_INTERRUPT_ENTER},
    {CODE(KEV_CLASS_THREAD, 24), KEV_THREAD_CREATE},
    {CODE(KEV_CLASS_THREAD, 25), KEV_THREAD_DESTROY},
    {CODE(KEV_CLASS_THREAD, 64), KEV_PROCESS_CREATE},
    {CODE(KEV_CLASS_THREAD, 128), KEV_PROCESS_DESTROY},
    {CODE(KEV_CLASS_THREAD, 192), KEV_PROCESS_CREATE},
    {CODE(KEV_CLASS_THREAD, 256), KEV_PROCESS_DESTROY},
    {CODE(KEV_CLASS_THREAD, 320), KEV_THREAD_NAME},
    {CODE(KEV_CLASS_SYSTEM, 2), KEV_OF_THREAD},  /* PATHMGR */
    {CODE(KEV_CLASS_SYSTEM, 5), KEV_OF_THREAD},  /* APS_BNKR */
    {CODE(KEV_CLASS_SYSTEM, 17), KEV_OF_THREAD}, /* PAGEWAIT */
    {CODE(KEV_CLASS_SYSTEM, 18), KEV_OF_THREAD}, /* TIMER */
    {CODE(KEV_CLASS_COMM, 0), KEV_MESSAGE_SEND},
    {CODE(KEV_CLASS_COMM, 1), KEV_MESSAGE_SEND},
    {CODE(KEV_CLASS_COMM, 2), KEV_MESSAGE_RECEIVE},
    {CODE(KEV_CLASS_COMM, 3), KEV_MESSAGE_RECEIVE},
    {CODE(KEV_CLASS_COMM, 4), KEV_PULSE_SEND},
    {CODE(KEV_CLASS_COMM, 5), KEV_PULSE_SEND},
    {CODE(KEV_CLASS_COMM, 6), KEV_PULSE_SEND},
    {CODE(KEV_CLASS_COMM, 7), KEV_PULSE_SEND},
    {CODE(KEV_CLASS_COMM, 8), KEV_PULSE_SEND},
    {CODE(KEV_CLASS_COMM, 10), KEV_MESSAGE_REPLY},
    {CODE(KEV_CLASS_COMM, 11), KEV_MESSAGE_REPLY},
};

static bool is_virtual_thread(const struct kev_decoder *d, uint32_t event)
{
    return d->release != KEV_8 && event >= 26 && event < 52;
}

/* Returns the layout of the call that an INT_CALL event interrupts, or NULL. */
static const struct kev_layout *call_of(const struct kev_decoder *d, uint32_t code)
{
    uint32_t number = code & KEV_EVENT_MASK & ~KEV_64_BIT;
    if (kev_class_of(code) != KEV_CLASS_CALL || number < KEV_BROKEN_OFF ||
        number >= KEV_BROKEN_OFF + KEV_EXIT) {
        return NULL;
    }
    return d->layouts[CODE(KEV_CLASS_CALL, number - KEV_BROKEN_OFF)];
}

static bool code_is_known(const struct kev_decoder *d, uint32_t code)
{
    uint32_t class_ = kev_class_of(code);
    return d->layouts[code] || call_of(d, code) || class_ == KEV_CLASS_USER ||
           class_ == KEV_CLASS_QUIP;
}

static unsigned task_of(const struct kev_decoder *d, uint32_t code)
{
    uint32_t event = code & KEV_EVENT_MASK;
    for (size_t i = 0; i < sizeof code_tasks / sizeof code_tasks[0]; i++) {
        if (code_tasks[i].code == code) {
            return code_tasks[i].task;
        }
    }
    if (kev_class_of(code) == KEV_CLASS_THREAD && event < KEV_STATE_EVENTS &&
        !is_virtual_thread(d, event)) {
        return KEV_STATE; /* also unnamed ones: they are states too */
    }
    if (!code_is_known(d, code)) {
        return KEV_UNKNOWN;
    }
    return kev_class_of(code) == KEV_CLASS_CONTROL ? KEV_CONTROL : KEV_PLAIN;
}

static const char *intern_number(struct tt_capture *c, const char *prefix, uint32_t number)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%s_%u", prefix, number);
    return tt_capture_text(c, tt_capture_intern(c, text, (size_t)length), NULL);
}

static const char *event_name(struct tt_cursor *cursor, uint32_t code)
{
    const struct kev_decoder *d = cursor->d;
    uint32_t event = code & KEV_EVENT_MASK;
    const struct kev_layout *layout = d->layouts[code] ? d->layouts[code] : call_of(d, code);
    if (layout) {
        return layout->name;
    }
    const char *given =
        kev_class_of(code) == KEV_CLASS_USER ? kev_names_user(d->names, event) : NULL;
    if (given) {
        return given;
    }
    if (kev_class_of(code) == KEV_CLASS_CALL) {
        return intern_number(cursor->capture, "CALL", event & ~KEV_64_BIT & (KEV_EXIT - 1));
    }
    bool is_state = kev_class_of(code) == KEV_CLASS_THREAD && event < KEV_STATE_EVENTS;
    return intern_number(cursor->capture, is_state ? "STATE" : "EVENT", event);
}

static uint32_t type_of_code(const struct tt_capture *c, uint32_t code)
{
    uint32_t count = tt_types_count(c);
    for (uint32_t i = 0; i < count; i++) {
        if (tt_types_at(c, i)->code == code) {
            return i;
        }
    }
    return UINT32_MAX;
}

/* Returns the bits for kev_decode_fast.c, which ignores tasks that only make actions or notes. */
static uint32_t fast_bits(unsigned task, uint32_t code)
{
    switch (task) {
    case KEV_CONTROL:
    case KEV_TIME:
    case KEV_BUFFER:
    case KEV_BUFFER_END:
    case KEV_THREAD_CREATE:
    case KEV_THREAD_DESTROY:
    case KEV_THREAD_NAME:
    case KEV_PROCESS_CREATE:
        return 0;
    case KEV_OF_THREAD:
        return KEV_INFO_QUICK | KEV_INFO_NAMES;
    case KEV_STATE:
        return KEV_INFO_QUICK | KEV_INFO_NAMES |
               ((code & KEV_EVENT_MASK) == 1 ? KEV_INFO_RUNS : 0u);
    default:
        return code != 0 ? KEV_INFO_QUICK : 0; /* it may be an empty slot */
    }
}

/* Returns the bit for kev_decode_fast_actions.c. */
static uint32_t action_bits(unsigned task, unsigned kind, uint32_t code)
{
    switch (task) {
    case KEV_PLAIN:
    case KEV_STATE:
    case KEV_INTERRUPT_ENTER:
    case KEV_INTERRUPT_LEAVE:
    case KEV_MESSAGE_RECEIVE:
    case KEV_LOCK_WAIT:
    case KEV_LOCK_FREE:
    case KEV_LOCK_WAIT_64:
    case KEV_LOCK_FREE_64:
    case KEV_OF_THREAD:
    case KEV_TRACE_EXIT:
        return code != 0 && !(TT_NOTE_KINDS >> kind & 1) ? KEV_INFO_ACTS : 0;
    default:
        return 0;
    }
}

KEV_COLD uint32_t kev_learn_code(struct tt_cursor *cursor, uint32_t code)
{
    struct kev_decoder *d = cursor->d;
    struct tt_capture *c = cursor->capture;
    unsigned kind = kev_kind_of(code);
    uint32_t type = type_of_code(c, code);
    if (type == UINT32_MAX && cursor->learn) {
        const char *class_name = kev_class_name(d->release, code);
        if (!class_name) {
            class_name = intern_number(c, "CLASS", kev_class_of(code));
        }
        type = tt_types_add(c, class_name, event_name(cursor, code), code, kind);
        cursor->out_of_memory = cursor->out_of_memory || type == UINT32_MAX;
    }
    unsigned task = task_of(d, code);
    uint32_t info =
        kev_info(task, kind, type) | fast_bits(task, code) | action_bits(task, kind, code);
    if (type != UINT32_MAX) {
        atomic_store_explicit(&d->codes[code], info, memory_order_release);
    }
    return info;
}

/* ---- lanes -------------------------------------------------------------------------------- */

#define WHOLE_PROCESS UINT32_MAX /* instead of a tid: the entry is a process index */

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
    kev_pid_note(cursor, pid);
    return number;
}

/* Removes the pid from the caches, as it may now be another process; usually it is not there. */
static KEV_COLD void forget_pid(struct tt_cursor *cursor, uint32_t pid)
{
    if (!(cursor->pids[kev_pid_bit(pid) / 64] >> kev_pid_bit(pid) % 64 & 1)) {
        return;
    }
    memset(cursor->pids, 0, sizeof cursor->pids);
    for (uint32_t i = 0; i < KEV_LANE_CACHE; i++) {
        if (cursor->lanes[i].pid == pid) {
            cursor->lanes[i].generation = 0; /* never valid */
        } else if (cursor->lanes[i].generation == cursor->generation) {
            kev_pid_note(cursor, cursor->lanes[i].pid);
        }
    }
    for (uint32_t i = 0; i < sizeof cursor->met / sizeof cursor->met[0]; i++) {
        if ((uint32_t)cursor->met[i].key == pid) {
            kev_met_clear(cursor, i);
        } else {
            kev_pid_note(cursor, (uint32_t)cursor->met[i].key);
        }
    }
}

/*
 * Begins a new process for a pid that occurs after a loss although its process ended before: the
 * new one began in the lost records.
 */
static void begin_unseen(struct tt_cursor *cursor, uint32_t pid, uint64_t when)
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
 * Finds the lane that the learning cursor added. If file order is not time order, a later process
 * with the same pid may have been added without the lane: older processes are searched as well.
 */
static uint32_t find_learnt_lane(const struct tt_capture *c, uint32_t pid, uint32_t tid,
                                 uint64_t when)
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

static KEV_COLD uint32_t find_lane(struct tt_cursor *cursor, uint32_t pid, uint32_t tid,
                                   uint64_t when)
{
    struct tt_capture *c = cursor->capture;
    if (!cursor->learn) {
        return find_learnt_lane(c, pid, tid, when);
    }
    begin_unseen(cursor, pid, when);
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
    if (tid == WHOLE_PROCESS) {
        return find_lane(cursor, pid, tid, when); /* no thread has this number */
    }
    const struct kev_lane *cached = cached_lane(cursor, pid, tid);
    return cached ? cached->lane : cache_lane(cursor, pid, tid, find_lane(cursor, pid, tid, when));
}

/* Returns the process index; TT_NO_THREAD: unknown, or through the network manager. */
static uint32_t process_of(struct tt_cursor *cursor, uint32_t pid, uint64_t when)
{
    if (pid == 0 || pid == UINT32_MAX) {
        return TT_NO_THREAD;
    }
    const struct kev_lane *cached = cached_lane(cursor, pid, WHOLE_PROCESS);
    if (cached) {
        return cached->lane;
    }
    uint32_t process = cursor->learn ? tt_registry_process(cursor->capture, pid, when)
                                     : tt_registry_find_process(cursor->capture, pid, when);
    return cache_lane(cursor, pid, WHOLE_PROCESS, process);
}

void kev_forget_running(struct tt_cursor *cursor, uint32_t cpu)
{
    for (uint32_t i = 0; i < KEV_CPUS; i++) {
        if (cpu >= KEV_CPUS || cpu == i) {
            cursor->cpu[i].running = TT_NO_THREAD;
        }
    }
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

KEV_COLD void kev_watch_dump(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot)
{
    struct kev_state *s = &cursor->s;
    uint32_t class_ = kev_class_of(slot->code);
    if (!s->in_dump && begins_dump(cursor, task, slot)) {
        s->in_dump = true;
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

KEV_COLD void kev_learn_name(struct tt_cursor *cursor, uint32_t code, uint64_t pos, uint64_t limit)
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

static void belongs_to(struct tt_event *event, uint32_t lane)
{
    event->thread = lane;
    event->flags &= (uint8_t)~TT_EVENT_INFERRED;
}

static void on_lifetime(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot,
                        struct tt_batch *batch, struct tt_event *event)
{
    uint32_t lane = kev_lane_of(cursor, kev_slot_word(cursor, slot, 0),
                                kev_slot_word(cursor, slot, 1), slot->when);
    belongs_to(event, lane);
    if (task == KEV_THREAD_NAME) {
        return;
    }
    struct tt_action *action = kev_act(batch, task == KEV_THREAD_CREATE ? TT_ACTION_THREAD_CREATE
                                                                        : TT_ACTION_THREAD_DESTROY);
    if (action) {
        action->thread = lane;
        action->cpu = (uint16_t)slot->cpu;
        if (kev_in_dump(cursor)) {
            action->flags = cursor->s.dump_at_end ? TT_ACTION_RETOLD : TT_ACTION_ANNOUNCED;
        }
    }
}

/* Ends the pid's previous process, whose end was lost, when another one begins. */
static void end_unseen(struct tt_cursor *cursor, uint32_t pid, uint64_t when)
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
static void add_unseen_end(struct tt_cursor *cursor, uint32_t process, uint64_t when,
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
        end_unseen(cursor, pid, slot->when);
    }
    uint32_t process = cursor->learn ? tt_registry_process_begin(c, pid, slot->when)
                                     : tt_registry_find_process(c, pid, slot->when);
    forget_pid(cursor, pid);
    if (process != UINT32_MAX && cursor->s.lost_when != 0) {
        add_unseen_end(cursor, process, slot->when, batch);
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
        begin_unseen(cursor, pid, slot->when);
    }
    struct tt_action *action = kev_act(batch, TT_ACTION_PROCESS_DESTROY);
    if (action) {
        action->value = process_of(cursor, pid, slot->when);
        action->cpu = (uint16_t)slot->cpu;
    }
    if (cursor->learn) {
        tt_registry_process_end(cursor->capture, pid, slot->when);
    }
}

static void on_message(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot,
                       struct tt_batch *batch, const struct tt_event *event)
{
    static const uint8_t kinds[] = {[KEV_MESSAGE_SEND] = TT_ACTION_MESSAGE_SEND,
                                    [KEV_PULSE_SEND] = TT_ACTION_MESSAGE_SEND,
                                    [KEV_MESSAGE_RECEIVE] = TT_ACTION_MESSAGE_RECEIVE,
                                    [KEV_MESSAGE_REPLY] = TT_ACTION_MESSAGE_REPLY};
    uint32_t first = kev_slot_word(cursor, slot, 0);
    uint32_t second = kev_slot_word(cursor, slot, 1);
    bool failed = first == UINT32_MAX && second == UINT32_MAX; /* of a receive */
    struct tt_action *action = failed ? NULL : kev_act(batch, (enum tt_action_kind)kinds[task]);
    if (!action) {
        return;
    }
    action->cpu = (uint16_t)slot->cpu;
    action->thread = task == KEV_PULSE_SEND ? TT_NO_THREAD : event->thread;
    if (task == KEV_MESSAGE_REPLY) {
        action->other = kev_lane_of(cursor, second, first, slot->when);
    } else {
        action->value = first;
        action->other =
            task == KEV_MESSAGE_RECEIVE ? TT_NO_THREAD : process_of(cursor, second, slot->when);
    }
}

static void on_lock(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot,
                    struct tt_batch *batch, const struct tt_event *event)
{
    bool wait = task == KEV_LOCK_WAIT || task == KEV_LOCK_WAIT_64;
    bool is_64 = task == KEV_LOCK_WAIT_64 || task == KEV_LOCK_FREE_64;
    struct tt_action *action = kev_act(batch, wait ? TT_ACTION_LOCK_WAIT : TT_ACTION_LOCK_FREE);
    if (action) {
        action->value = is_64 ? tt_load_u64(slot->bytes + KEV_SLOT_HEAD, cursor->d->big)
                              : kev_slot_word(cursor, slot, 0);
        action->thread = event->thread;
        action->cpu = (uint16_t)slot->cpu;
    }
}

static void on_interrupt(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot,
                         struct tt_batch *batch)
{
    struct tt_action *action = kev_act(
        batch, task == KEV_INTERRUPT_ENTER ? TT_ACTION_INTERRUPT_ENTER : TT_ACTION_INTERRUPT_LEAVE);
    if (action) {
        action->value = kev_slot_word(cursor, slot, 0);
        action->cpu = (uint16_t)slot->cpu;
    }
}

static void on_named_thread(struct tt_cursor *cursor, const struct kev_slot *slot,
                            struct tt_event *event)
{
    uint32_t pid = kev_slot_word(cursor, slot, 0);
    uint32_t tid = kev_slot_word(cursor, slot, 1);
    if ((int32_t)pid > 0 && (int32_t)tid > 0) {
        belongs_to(event, kev_lane_of(cursor, pid, tid, slot->when));
    }
}

static void on_control(struct tt_cursor *cursor, unsigned task, const struct kev_slot *slot,
                       struct tt_batch *batch, struct tt_event *event)
{
    belongs_to(event, TT_NO_THREAD);
    if (task == KEV_BUFFER) {
        kev_on_buffer(cursor, slot, batch);
    } else if (task == KEV_BUFFER_END) {
        kev_on_buffer_end(cursor, slot);
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
        on_interrupt(cursor, task, slot, batch);
        break;
    case KEV_MESSAGE_SEND:
    case KEV_PULSE_SEND:
    case KEV_MESSAGE_RECEIVE:
    case KEV_MESSAGE_REPLY:
        on_message(cursor, task, slot, batch, event);
        break;
    case KEV_LOCK_WAIT:
    case KEV_LOCK_FREE:
    case KEV_LOCK_WAIT_64:
    case KEV_LOCK_FREE_64:
        on_lock(cursor, task, slot, batch, event);
        break;
    case KEV_OF_THREAD:
        on_named_thread(cursor, slot, event);
        break;
    default:
        break;
    }
}
