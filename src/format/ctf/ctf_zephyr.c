/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_zephyr: what the events of Zephyr mean, by their names; their numbers differ between releases.
 *
 *      semaphore_take_enter   semaphore_take_blocking   thread_sched_pend A   switched_out A   switched_in B
 *      | call: semaphore      | reason: semaphore       |                     | A: semaphore   | B runs
 *
 * A thread leaves its CPU in the state of the last reason since it was switched in. Without one it is still ready,
 * if the release records reasons for all waits; releases 2.6 to 3.x do not (ZEPHYR_OFF: not traced).
 *
 * A thread is the address of its control block, which may be reused: then it is the same lane, as in ThreadX.
 *
 * The CPU is that of the packet, or the field core_id, or the only one. A capture of several CPUs without both (`blind`)
 * has threads named "idle 01" and so on: a thread runs from its switched_in to its switched_out, on the first of
 * that many CPUs that is free. Which CPU of the target that was is not known.
 */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "format/ctf/ctf_internal.h"
#include "tracetui/object_kind.h"

#define CPUS      4u                  /* whose state is kept, of one stream */
#define SCANNED   (UINT64_C(4) << 20) /* bytes that are searched for names of idle threads */
#define DEAD      15u                 /* a reason; the others are states after CTF_ZEPHYR_FIRST */
#define LANES     (UINT32_C(1) << 19) /* that the state of a CPU can have */
#define OLD_SLEEP 39u                 /* start_call of Zephyr 2.5 */

#define REASON(state) ((unsigned)(state)-CTF_ZEPHYR_FIRST)

enum zephyr_meaning {
    MEANS_NOTHING,
    MEANS_OUT,
    MEANS_IN,
    MEANS_READY,
    MEANS_PEND,
    MEANS_SUSPEND,
    MEANS_ABORT,
    MEANS_CREATE,
    MEANS_NAME,
    MEANS_PRIORITY,
    MEANS_ISR_ENTER,
    MEANS_ISR_EXIT,
    MEANS_IDLE,
    MEANS_EXPIRY,
    MEANS_BLOCKING, /* event->number: the reason */
    MEANS_SLEEP,
    MEANS_CALL,    /* begins; event->number: the state in which it would wait */
    MEANS_RELEASE, /* begins; event->number: the state of threads that it wakes */
    MEANS_END,     /* of a call */
    MEANS_RELEASE_END,
    MEANS_OLD_CALL,
};

/* Places of events. */
enum { AT_THREAD, AT_NAME, AT_OBJECT, AT_PRIORITY, AT_CORE };

static const struct {
    const char *name;
    uint8_t meaning;
    uint8_t kind;
} exact[] = {
    {"thread_switched_out", MEANS_OUT, TT_KIND_STATE},
    {"thread_switched_in", MEANS_IN, TT_KIND_SWITCH},
    {"thread_ready", MEANS_READY, TT_KIND_WAKEUP},
    {"thread_sched_ready", MEANS_READY, TT_KIND_WAKEUP},
    {"thread_wakeup", MEANS_READY, TT_KIND_WAKEUP},
    {"thread_sched_wakeup", MEANS_READY, TT_KIND_WAKEUP},
    {"thread_resume", MEANS_READY, TT_KIND_WAKEUP},
    {"thread_sched_resume", MEANS_READY, TT_KIND_WAKEUP},
    {"thread_pending", MEANS_PEND, TT_KIND_STATE},
    {"thread_sched_pend", MEANS_PEND, TT_KIND_STATE},
    {"thread_suspend", MEANS_SUSPEND, TT_KIND_STATE},
    {"thread_sched_suspend", MEANS_SUSPEND, TT_KIND_STATE},
    {"thread_abort", MEANS_ABORT, TT_KIND_LIFETIME},
    {"thread_sched_abort", MEANS_ABORT, TT_KIND_LIFETIME},
    {"thread_create", MEANS_CREATE, TT_KIND_LIFETIME},
    {"thread_name_set", MEANS_NAME, TT_KIND_LIFETIME},
    {"thread_info", MEANS_NAME, TT_KIND_LIFETIME},
    {"user_mode_enter", MEANS_NAME, TT_KIND_EVENT},
    {"thread_priority_set", MEANS_PRIORITY, TT_KIND_STATE},
    {"thread_sched_priority_set", MEANS_PRIORITY, TT_KIND_STATE},
    {"isr_enter", MEANS_ISR_ENTER, TT_KIND_INTERRUPT_ENTER},
    {"isr_exit", MEANS_ISR_EXIT, TT_KIND_INTERRUPT_EXIT},
    {"isr_exit_to_scheduler", MEANS_ISR_EXIT, TT_KIND_INTERRUPT_EXIT},
    {"idle", MEANS_IDLE, TT_KIND_EVENT},
    {"timer_expiry_enter", MEANS_EXPIRY, TT_KIND_EVENT},
    {"timer_expiry_exit", MEANS_EXPIRY, TT_KIND_EVENT},
    {"thread_busy_wait_enter", MEANS_NOTHING, TT_KIND_ENTER},
    {"thread_busy_wait_exit", MEANS_NOTHING, TT_KIND_EXIT},
    {"named_event", MEANS_NOTHING, TT_KIND_USER},
    {"start_call", MEANS_OLD_CALL, TT_KIND_ENTER},
    {"end_call", MEANS_END, TT_KIND_EXIT},
};

/* The state in which calls wait, by the begin of their names; the first that fits. */
static const struct {
    const char *begin;
    uint16_t state;
} waits[] = {
    {"semaphore", ZEPHYR_SEMAPHORE}, {"mutex", ZEPHYR_MUTEX},      {"condvar", ZEPHYR_CONDVAR},
    {"event", ZEPHYR_EVENT},         {"msgq", ZEPHYR_QUEUE},       {"mbox", ZEPHYR_QUEUE},
    {"pipe", ZEPHYR_QUEUE},          {"queue", ZEPHYR_QUEUE},      {"fifo", ZEPHYR_QUEUE},
    {"lifo", ZEPHYR_QUEUE},          {"stack", ZEPHYR_QUEUE},      {"mem_slab", ZEPHYR_MEMORY},
    {"heap", ZEPHYR_MEMORY},         {"thread_join", ZEPHYR_JOIN},
};

/* Calls that wake a thread that waits for the object; parts of their names. */
static const char *const releases[] = {
    "semaphore_give", "semaphore_reset", "mutex_unlock",  "condvar_signal", "condvar_broadcast",
    "event_post",     "event_set",       "msgq_put",      "msgq_get",       "msgq_purge",
    "mbox_put",       "mbox_get",        "pipe_put",      "pipe_get",       "pipe_write",
    "pipe_read",      "queue_append",    "queue_prepend", "queue_insert",   "fifo_put",
    "lifo_put",       "stack_push",      "mem_slab_free", "heap_free",
};

static const char *const sleeps[] = {"k_sleep_", "thread_sleep_", "thread_msleep_",
                                     "thread_usleep_"};

/* Facts of a trace that are known before its events are read. */
struct zephyr {
    bool has_reasons; /* all waits have one */
    uint8_t blind;    /* CPUs that events do not name; 0: they do, or there is one */
};

static bool begins_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), most = strlen(end);
    return length >= most && strcmp(text + length - most, end) == 0;
}

/* ---- events of a trace ---------------------------------------------------------------------- */

static bool has_event(const struct ctf_trace *trace, const char *name)
{
    for (const struct ctf_stream_class *of = trace->streams; of; of = of->next) {
        for (const struct ctf_event *event = of->events; event; event = event->next) {
            if (strcmp(event->name, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

static bool ctf_zephyr_is_of(const struct ctf_trace *trace)
{
    return has_event(trace, "thread_switched_in") && has_event(trace, "thread_switched_out") &&
           has_event(trace, "isr_enter");
}

static bool ctf_zephyr_prepare(struct ctf_trace *trace)
{
    struct ctf *ctf = trace->decoder;
    struct zephyr *zephyr = ctf_new(ctf, sizeof *zephyr);
    if (!zephyr) {
        return false;
    }
    static const char *const newer[] = {"thread_sched_ready", "k_sleep_enter", "thread_sleep_enter",
                                        "start_call"};
    for (unsigned i = 0; i < sizeof newer / sizeof newer[0]; i++) {
        zephyr->has_reasons |= has_event(trace, newer[i]);
    }
    bool has_cpu = false;
    for (const struct ctf_stream_class *of = trace->streams; of; of = of->next) {
        has_cpu |= of->classes[CTF_PACKET_CONTEXT] &&
                   ctf_member(of->classes[CTF_PACKET_CONTEXT], "cpu_id") != NULL;
        for (const struct ctf_event *event = of->events; event; event = event->next) {
            has_cpu |= event->payload && ctf_member(event->payload, "core_id") != NULL;
        }
    }
    const struct tt_map *files = ctf->capture->files;
    const unsigned file_count = files ? tt_map_file_count(files) : 1;
    unsigned idle = 1;
    for (unsigned i = 0; i < file_count && !has_cpu; i++) {
        /* The number of CPUs by the names of idle threads in a file, if it is more than `count`. */
        struct tt_bytes bytes = files ? tt_map_file(files, i).bytes : ctf->capture->bytes;
        unsigned count = idle;
        uint64_t size = bytes.size < SCANNED ? bytes.size : SCANNED;
        for (uint64_t at = 0; at + 8 <= size; at++) {
            const uint8_t *found = memchr(bytes.data + at, 'i', (size_t)(size - 7 - at));
            if (!found) {
                break;
            }
            at = (uint64_t)(found - bytes.data);
            unsigned number = (unsigned)(found[6] - '0');
            if (memcmp(found, "idle 0", 6) == 0 && number < CPUS && found[7] == 0 &&
                number >= count) {
                count = number + 1;
            }
        }
        idle = count;
    }
    zephyr->blind = idle > 1 ? (uint8_t)idle : 0;
    ctf->own[trace->number] = zephyr;
    return true;
}

static unsigned wait_of(const char *name)
{
    for (unsigned i = 0; i < sizeof waits / sizeof waits[0]; i++) {
        if (begins_with(name, waits[i].begin)) {
            return REASON(waits[i].state);
        }
    }
    return REASON(ZEPHYR_PENDING);
}

static bool is_one_of(const char *name, const char *const *begins, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (begins_with(name, begins[i])) {
            return true;
        }
    }
    return false;
}

static void ctf_zephyr_mean(struct ctf_trace *trace, struct ctf_event *event)
{
    static const char *const objects[] = {"id", "event_id", "mbox_id", "thread_id"};
    ctf_names_of(trace, event, '_');
    event->meaning = MEANS_NOTHING;
    bool known = false;
    for (unsigned i = 0; i < sizeof exact / sizeof exact[0]; i++) {
        if (strcmp(event->name, exact[i].name) == 0) {
            event->meaning = exact[i].meaning;
            event->kind = exact[i].kind;
            known = true;
        }
    }
    if (!known) {
        /* Sets the meaning of a call's event by its name. */
        const char *name = event->name;
        bool old = strcmp(name, "semaphore_take") == 0 || strcmp(name, "mutex_lock") == 0 ||
                   strcmp(name, "semaphore_give") == 0 || strcmp(name, "mutex_unlock") == 0;
        bool exits = ends_with(name, "_exit"), enters = old || ends_with(name, "_enter");
        bool release = is_one_of(name, releases, sizeof releases / sizeof releases[0]);
        event->number = wait_of(name);
        if (ends_with(name, "_blocking")) {
            event->meaning = MEANS_BLOCKING;
            event->kind = TT_KIND_STATE;
        } else if (is_one_of(name, sleeps, sizeof sleeps / sizeof sleeps[0])) {
            event->meaning = exits ? MEANS_END : MEANS_SLEEP;
            event->kind = exits ? TT_KIND_EXIT : TT_KIND_ENTER;
            event->number = REASON(ZEPHYR_SLEEP);
        } else if (exits) {
            event->meaning = release ? MEANS_RELEASE_END : MEANS_END;
            event->kind = TT_KIND_EXIT;
        } else if (enters) {
            event->meaning = release ? MEANS_RELEASE : MEANS_CALL;
            event->kind = TT_KIND_ENTER;
        }
    }
    if (begins_with(event->name, "k_sleep")) {
        event->class_name = "thread";
    }
    event->at[AT_THREAD] = ctf_place_of(event, "thread_id");
    event->at[AT_NAME] = ctf_place_of(event, "name");
    event->at[AT_PRIORITY] = ctf_place_of(event, "prio");
    event->at[AT_CORE] = ctf_place_of(event, "core_id");
    for (unsigned i = 0; i < 4 && !event->at[AT_OBJECT].type; i++) {
        event->at[AT_OBJECT] = ctf_place_of(event, objects[i]);
    }
}

/* ---- threads -------------------------------------------------------------------------------- */

static bool is_idle_name(struct tt_bytes name)
{
    return name.size >= 4 && memcmp(name.data, "idle", 4) == 0 &&
           (name.size == 4 || (name.size == 7 && name.data[4] == ' '));
}

/* Sets the name of a thread, unless it has it since its last event. Those without one are "unknown" to Zephyr. */
static void learn_name(struct tt_cursor *cursor, struct ctf_known_lane *known, struct tt_bytes name)
{
    struct tt_capture *capture = cursor->d->capture;
    const bool none = name.size == 0 || (name.size == 7 && memcmp(name.data, "unknown", 7) == 0);
    if (none ||
        (name.size == known->name_length && memcmp(name.data, known->name, name.size) == 0)) {
        return;
    }
    const uint32_t lane = known->lane - 1;
    tt_string text = tt_capture_intern(capture, (const char *)name.data, name.size);
    if (text != tt_thread_at(capture, lane)->name) {
        tt_registry_thread_name(capture, lane, text);
        tt_registry_set_idle(capture, lane, is_idle_name(name));
    }
    known->name_length = name.size <= sizeof known->name ? (uint32_t)name.size : 0;
    memcpy(known->name, name.data, known->name_length);
}

/* Finds the lane of a thread's address, which a learning cursor adds; its `lane` is 0 if there is none. */
static struct ctf_known_lane *find_lane(struct tt_cursor *cursor, uint64_t address)
{
    struct tt_capture *capture = cursor->d->capture;
    struct ctf_known_lane *known =
        &cursor->lanes[(address ^ address >> 6 ^ address >> 12) % CTF_KNOWN_LANES];
    if (known->lane != 0 && known->address == address) {
        return known;
    }
    *known = (struct ctf_known_lane){.address = address};
    uint32_t lane = cursor->learn ? tt_registry_known_thread(capture, 0, address, 0)
                                  : tt_registry_find_thread(capture, 0, address, 0);
    if (lane == UINT32_MAX && cursor->learn) {
        lane = tt_registry_thread(capture, 0, address, 0);
        cursor->d->no_memory |= lane == UINT32_MAX;
        if (lane != UINT32_MAX) {
            tt_registry_process_name(capture, tt_thread_at(capture, lane)->process,
                                     tt_capture_intern(capture, "zephyr", 6));
        }
    }
    known->lane = lane + 1;
    return known;
}

/* Returns the lane of an event's thread, and learns its name; TT_NO_THREAD if there is none. */
static uint32_t ctf_zephyr_lane_of(struct tt_cursor *cursor, const struct ctf_record *record)
{
    const struct ctf_event *of = record->of;
    if (!of->at[AT_THREAD].type) {
        return TT_NO_THREAD;
    }
    struct ctf_known_lane *known = find_lane(cursor, ctf_number(record, &of->at[AT_THREAD]));
    if (cursor->learn && known->lane != 0 && of->at[AT_NAME].type) {
        learn_name(cursor, known, ctf_string(record, &of->at[AT_NAME]));
    }
    return known->lane - 1;
}

/* ---- actions -------------------------------------------------------------------------------- */

/* An event and what its meaning changes. */
struct scene {
    struct tt_cursor *cursor;
    const struct ctf_record *record;
    const struct zephyr *zephyr;
    struct tt_event *event;
    struct tt_batch *batch;
    struct ctf_zephyr_cpu *cpu; /* NULL: not known, or not kept */
    uint16_t number;            /* of the CPU in actions */
};

static struct tt_action *ctf_zephyr_add(const struct scene *scene, unsigned kind, uint32_t thread)
{
    struct tt_action *action = ctf_act(scene->batch, scene->event, kind, thread);
    if (action) {
        action->cpu = scene->number;
    }
    return action;
}

static void ctf_zephyr_add_state(const struct scene *scene, uint32_t thread, unsigned state,
                                 unsigned flags)
{
    struct tt_action *action = ctf_zephyr_add(scene, TT_ACTION_STATE, thread);
    if (action) {
        action->state = (uint16_t)state;
        action->flags = (uint8_t)flags;
    }
}

static uint32_t running(const struct ctf_zephyr_cpu *cpu)
{
    return cpu ? (uint32_t)cpu->lane - 1 : TT_NO_THREAD;
}

/* Returns whether a thread runs on the CPU, as far as is known. */
static bool may_run(const struct ctf_zephyr_cpu *cpu, uint32_t lane)
{
    return cpu && (cpu->lane == 0 || running(cpu) == lane);
}

/* Adds the wait for the object of the CPU's call, or its release. */
static void add_object(const struct scene *scene, unsigned kind, unsigned reason, uint32_t object)
{
    unsigned state = CTF_ZEPHYR_FIRST + reason;
    unsigned of_kind = scene->cursor->d->capture->format->states[state].object;
    struct tt_action *action =
        of_kind != TT_OBJECT_NONE ? ctf_zephyr_add(scene, kind, running(scene->cpu)) : NULL;
    if (action) {
        action->value = object;
        action->other = TT_NO_THREAD;
        action->state = (uint16_t)of_kind;
    }
}

/*
 * Returns the state in which a thread leaves its CPU. Where its switched_in was not seen, a reason may not have been seen
 * either.
 */
static unsigned leaving_state(const struct scene *scene, uint32_t lane)
{
    unsigned reason = scene->cpu->reason;
    bool is_whole = scene->zephyr->has_reasons && running(scene->cpu) == lane;
    return reason == DEAD ? LINUX_DEAD
           : reason != 0  ? CTF_ZEPHYR_FIRST + reason
           : is_whole     ? LINUX_READY
                          : ZEPHYR_OFF;
}

static void act_out(const struct scene *scene, uint32_t lane)
{
    if (running(scene->cpu) != lane) {
        ctf_zephyr_add_state(scene, lane, LINUX_RUNNING, TT_ACTION_RAN_BEFORE);
        scene->cpu->reason = scene->cpu->lane != 0 ? 0 : scene->cpu->reason;
    }
    ctf_zephyr_add_state(scene, lane, leaving_state(scene, lane), 0);
    scene->cpu->lane = 0;
    scene->cpu->call = scene->cpu->reason = 0;
    scene->cpu->object = lane + 1; /* until a thread is switched in */
}

/*
 * Some threads leave without a switched_out, such as the one that sends the trace. An idle thread runs if no thread is
 * ready: the one that left without a reason is not.
 */
static void act_in(const struct scene *scene, uint32_t lane)
{
    bool is_between = scene->cpu->call == 0 && scene->cpu->reason == 0; /* two switches */
    /* By its own name: what is learned of a thread may be newer than the event. */
    const bool is_idle = is_idle_name(ctf_string(scene->record, &scene->record->of->at[AT_NAME]));
    uint32_t before = running(scene->cpu),
             left = is_between ? scene->cpu->object - 1 : TT_NO_THREAD;
    if (before != TT_NO_THREAD && before != lane) {
        ctf_zephyr_add_state(
            scene, before, scene->cpu->reason != 0 ? leaving_state(scene, before) : ZEPHYR_OFF, 0);
    } else if (before == TT_NO_THREAD && left != TT_NO_THREAD && left != lane &&
               !scene->zephyr->has_reasons && scene->zephyr->blind == 0 && is_idle) {
        ctf_zephyr_add_state(scene, left, ZEPHYR_PENDING, 0);
    }
    ctf_zephyr_add_state(scene, lane, LINUX_RUNNING, 0);
    scene->cpu->lane = lane + 1 < LANES ? (lane + 1) & (LANES - 1) : 0;
    scene->cpu->idle = is_idle;
    scene->cpu->call = scene->cpu->reason = 0;
    scene->cpu->object = 0;
}

static void act_ready(const struct scene *scene, uint32_t lane)
{
    if (running(scene->cpu) == lane) {
        scene->cpu->reason = 0;
        return;
    }
    struct tt_action *action = ctf_zephyr_add(scene, TT_ACTION_WAKEUP, lane);
    if (action) {
        action->other = scene->cpu && scene->cpu->depth == 0 ? running(scene->cpu) : TT_NO_THREAD;
    }
}

/* The thread that runs continues until it is switched out; another one is in its state at once. */
static void act_pend(const struct scene *scene, uint32_t lane)
{
    struct ctf_zephyr_cpu *cpu = scene->cpu;
    if (!may_run(cpu, lane)) {
        ctf_zephyr_add_state(scene, lane, ZEPHYR_PENDING, 0);
    } else if (cpu->reason == 0 && cpu->call != 0) {
        cpu->reason = cpu->call;
        add_object(scene, TT_ACTION_LOCK_WAIT, cpu->call, cpu->object);
    } else if (cpu->reason == 0) {
        cpu->reason = REASON(ZEPHYR_PENDING);
    }
}

static void act_end(const struct scene *scene, uint32_t lane, unsigned reason, unsigned state)
{
    if (!may_run(scene->cpu, lane)) {
        ctf_zephyr_add_state(scene, lane, state, 0);
    } else if (scene->cpu->reason != REASON(ZEPHYR_SLEEP)) { /* a sleep suspends the thread */
        scene->cpu->reason = reason & 15u;
    }
}

/* Events of the thread that runs: its calls. */
static void act_call(const struct scene *scene)
{
    const struct ctf_event *of = scene->record->of;
    struct ctf_zephyr_cpu *cpu = scene->cpu;
    if (!cpu || cpu->depth != 0) {
        return;
    }
    uint32_t object = (uint32_t)ctf_number(scene->record, &of->at[AT_OBJECT]);
    switch ((enum zephyr_meaning)of->meaning) {
    case MEANS_BLOCKING:
        cpu->reason = of->number & 15u;
        cpu->object = object;
        add_object(scene, TT_ACTION_LOCK_WAIT, of->number, object);
        break;
    case MEANS_SLEEP:
        cpu->reason = of->number & 15u;
        break;
    case MEANS_CALL:
    case MEANS_RELEASE:
        cpu->call = of->number & 15u;
        cpu->object = object;
        if (of->meaning == MEANS_RELEASE) {
            add_object(scene, TT_ACTION_LOCK_FREE, of->number, object);
        }
        break;
    case MEANS_OLD_CALL:
        cpu->reason = object == OLD_SLEEP ? REASON(ZEPHYR_SLEEP) : 0;
        break;
    default:
        cpu->call = cpu->reason = 0;
        cpu->object = 0;
        break;
    }
}

static void act_thread(struct scene *scene, uint32_t lane)
{
    switch ((enum zephyr_meaning)scene->record->of->meaning) {
    case MEANS_OUT:
        act_out(scene, lane);
        break;
    case MEANS_IN:
        act_in(scene, lane);
        break;
    case MEANS_READY:
        act_ready(scene, lane);
        break;
    case MEANS_PEND:
        act_pend(scene, lane);
        break;
    case MEANS_SUSPEND:
        act_end(scene, lane, REASON(ZEPHYR_SUSPENDED), ZEPHYR_SUSPENDED);
        break;
    case MEANS_ABORT:
        act_end(scene, lane, DEAD, LINUX_DEAD);
        break;
    case MEANS_CREATE:
        ctf_zephyr_add(scene, TT_ACTION_THREAD_CREATE, lane);
        break;
    case MEANS_PRIORITY: {
        struct tt_action *action = ctf_zephyr_add(scene, TT_ACTION_PRIORITY, lane);
        if (action) {
            action->priority =
                (int16_t)ctf_number(scene->record, &scene->record->of->at[AT_PRIORITY]);
        }
        break;
    }
    default:
        break;
    }
}

/* Selects the CPU of an event. */
static void set_cpu(struct scene *scene)
{
    const struct ctf_event *of = scene->record->of;
    struct ctf_zephyr_cpu *cpus = scene->cursor->s.state.zephyr;
    unsigned place = 0;
    if (of->at[AT_CORE].type) {
        uint64_t core = ctf_number(scene->record, &of->at[AT_CORE]);
        scene->event->cpu = core < LINUX_CPUS ? (uint16_t)core : TT_NO_CPU;
        place = core < CPUS ? (unsigned)core : CPUS;
    } else if (scene->event->cpu == TT_NO_CPU && scene->zephyr->blind == 0) {
        scene->event->cpu = 0;
    }
    scene->number = scene->event->cpu;
    scene->cpu = scene->zephyr->blind == 0 && place < CPUS ? &cpus[place] : NULL;
}

static void ctf_zephyr_act(struct tt_cursor *cursor, const struct ctf_record *record,
                           struct tt_event *event, struct tt_batch *batch)
{
    struct scene s = {.cursor = cursor,
                      .record = record,
                      .zephyr = cursor->d->own[record->stream->trace->number],
                      .event = event,
                      .batch = batch};
    const unsigned meaning = record->of->meaning;
    set_cpu(&s);
    uint32_t lane = ctf_zephyr_lane_of(cursor, record);
    bool switches = meaning == MEANS_OUT || meaning == MEANS_IN;
    if (lane != TT_NO_THREAD && s.zephyr->blind != 0 &&
        (switches || meaning == MEANS_PEND || meaning == MEANS_SUSPEND || meaning == MEANS_ABORT)) {
        /*
         * Selects the CPU on which a thread runs, or the first free one, of a capture that does not
         * name it.
         */
        struct ctf_zephyr_cpu *cpus = s.cursor->s.state.zephyr;
        struct ctf_zephyr_cpu *found = NULL;
        for (unsigned i = 0; i < s.zephyr->blind && !found; i++) {
            found = running(&cpus[i]) == lane ? &cpus[i] : NULL;
        }
        for (unsigned i = 0; i < s.zephyr->blind && !found; i++) {
            found = cpus[i].lane == 0 ? &cpus[i] : NULL;
        }
        for (unsigned i = 0; i < s.zephyr->blind && !found; i++) {
            found = cpus[i].idle ? &cpus[i] : NULL;
        }
        s.cpu = found ? found : cpus;
        s.number = (uint16_t)(s.cpu - cpus);
    }
    event->thread = switches ? lane : running(s.cpu);
    event->flags |= switches || event->thread == TT_NO_THREAD ? 0 : TT_EVENT_INFERRED;
    if (meaning == MEANS_ISR_ENTER || meaning == MEANS_ISR_EXIT) {
        bool enters = meaning == MEANS_ISR_ENTER;
        if (!s.cpu || (enters ? s.cpu->depth == 15 : s.cpu->depth == 0)) {
            return;
        }
        s.cpu->depth = (s.cpu->depth + (enters ? 1u : 15u)) & 15u;
        ctf_zephyr_add(&s, enters ? TT_ACTION_INTERRUPT_ENTER : TT_ACTION_INTERRUPT_LEAVE,
                       TT_NO_THREAD);
    } else if (meaning == MEANS_IDLE) {
        if (cursor->learn && event->thread != TT_NO_THREAD) {
            tt_registry_set_idle(cursor->d->capture, event->thread, true);
        }
    } else if (meaning >= MEANS_BLOCKING) {
        act_call(&s);
    } else if (lane != TT_NO_THREAD && (s.cpu || !switches)) {
        act_thread(&s, lane);
    }
}

/* ---- edges, clues, labels --------------------------------------------------------------------- */

/* The events of a call have the same name up to its last part. */
static uint64_t stem_of(const struct ctf_event *of)
{
    const char *last = strrchr(of->name, '_');
    return tt_hash_of(of->name, last ? (size_t)(last - of->name) : strlen(of->name));
}

static uint32_t ctf_zephyr_edges(const struct ctf_record *record, const struct tt_event *event,
                                 struct tt_edge *edge)
{
    bool on_cpu = event->kind == TT_KIND_INTERRUPT_ENTER || event->kind == TT_KIND_INTERRUPT_EXIT;
    bool call = event->kind == TT_KIND_ENTER || event->kind == TT_KIND_EXIT;
    if (!on_cpu && (!call || event->thread == TT_NO_THREAD)) {
        return 0;
    }
    edge->key = on_cpu ? tt_hash_of_pair(event->cpu, 1)
                       : tt_hash_of_pair(event->thread, stem_of(record->of));
    edge->side = event->kind == TT_KIND_INTERRUPT_ENTER || event->kind == TT_KIND_ENTER
                     ? TT_EDGE_BEGIN
                     : TT_EDGE_END;
    edge->thread = on_cpu ? TT_NO_THREAD : event->thread;
    edge->cpu = on_cpu ? event->cpu : TT_NO_CPU;
    edge->alone = call;
    return 1;
}

static void clue_of_thread(const struct ctf_record *record, struct tt_clue *clue, unsigned role)
{
    const struct ctf_event *of = record->of;
    clue->role = (uint8_t)role;
    clue->thread =
        tt_registry_find_thread(record->d->capture, 0, ctf_number(record, &of->at[AT_THREAD]), 0);
}

static void ctf_zephyr_clue(const struct ctf_record *record, const struct tt_event *event,
                            struct tt_clue *clue)
{
    const struct ctf_event *of = record->of;
    const struct zephyr *zephyr = record->d->own[record->stream->trace->number];
    (void)event;
    switch ((enum zephyr_meaning)of->meaning) {
    case MEANS_IN:
        clue_of_thread(record, clue, zephyr->has_reasons ? TT_CLUE_RUNS : TT_CLUE_SWITCH);
        break;
    case MEANS_READY:
        clue_of_thread(record, clue, TT_CLUE_READY);
        break;
    case MEANS_ABORT:
        clue->role = TT_CLUE_CALL;
        clue->kind = TT_WAKE_EXIT;
        clue->value = ctf_number(record, &of->at[AT_THREAD]);
        break;
    case MEANS_RELEASE:
        clue->role = TT_CLUE_CALL;
        clue->kind = record->d->capture->format->states[CTF_ZEPHYR_FIRST + of->number].wake;
        clue->value = ctf_number(record, &of->at[AT_OBJECT]);
        break;
    case MEANS_RELEASE_END:
        clue->role = TT_CLUE_CALL_END;
        break;
    case MEANS_ISR_ENTER:
        clue->role = TT_CLUE_IRQ;
        break;
    case MEANS_ISR_EXIT:
        clue->role = TT_CLUE_IRQ_END;
        break;
    case MEANS_EXPIRY:
        clue->role = TT_CLUE_HANDLER;
        clue->kind = TT_WAKE_TIMER;
        break;
    default:
        break;
    }
}

const struct ctf_tracer ctf_zephyr = {.name = "Zephyr",
                                      .is_of = ctf_zephyr_is_of,
                                      .prepare = ctf_zephyr_prepare,
                                      .mean = ctf_zephyr_mean,
                                      .act = ctf_zephyr_act,
                                      .edges = ctf_zephyr_edges,
                                      .clue = ctf_zephyr_clue};
