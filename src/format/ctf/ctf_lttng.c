/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ctf_lttng: meaning of events of the Linux kernel, as lttng-modules and perf's converter record them. Events are known by
 * name; the fields that actions need are found once. LTTng has the thread of an event only in contexts: otherwise it is the
 * one that runs on the CPU, which the state of the stream has from the last switch.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "format/ctf/ctf_internal.h"
#include "tracetui/object_kind.h"

/* A begin and its end are neighbours, the begin even. */
enum meaning {
    PLAIN,
    SWITCH,
    IRQ_ENTRY,
    IRQ_EXIT,
    SOFTIRQ_ENTRY,
    SOFTIRQ_EXIT,
    VECTOR_ENTRY,
    VECTOR_EXIT,
    TIMER_ENTRY,
    TIMER_EXIT,
    CALL_ENTRY,
    CALL_EXIT,
    WAKING,
    WAKEUP,
    WAKEUP_NEW,
    MIGRATE,
    FORK,
    EXEC,
    EXIT,
    SETPRIO,
    DUMP,
};

#define SLICE_CALL UINT64_C(0x100000000)
#define SLICE_SOFT UINT64_C(0x300000000)

/* Names of events without the system that perf puts before them; fields with their names of LTTng and of perf. */
/* clang-format off */
static const struct {
    const char *name;
    uint8_t meaning;
    uint8_t kind;
    const char *fields[CTF_PLACES];
} meanings[] = {
    {"sched_switch", SWITCH, TT_KIND_SWITCH, {"prev_tid|prev_pid", "prev_prio", "prev_state", "next_tid|next_pid", "next_prio", "prev_comm", "next_comm"}},
    {"sched_waking", WAKING, TT_KIND_WAKEUP, {"tid|pid", "prio", "target_cpu", "comm"}},
    {"sched_wakeup", WAKEUP, TT_KIND_WAKEUP, {"tid|pid", "prio", "target_cpu", "comm"}},
    {"sched_wakeup_new", WAKEUP_NEW, TT_KIND_WAKEUP, {"tid|pid", "prio", "target_cpu", "comm"}},
    {"sched_migrate_task", MIGRATE, TT_KIND_EVENT, {"tid|pid", "prio", "dest_cpu", "comm"}},
    {"sched_process_fork", FORK, TT_KIND_LIFETIME, {"child_tid|child_pid", "child_pid", NULL, "child_comm"}},
    {"sched_process_exec", EXEC, TT_KIND_LIFETIME, {"tid|pid"}},
    {"sched_process_exit", EXIT, TT_KIND_LIFETIME, {"tid|pid", "prio", NULL, "comm"}},
    {"sched_pi_setprio", SETPRIO, TT_KIND_EVENT, {"tid|pid", "newprio", NULL, "comm"}},
    {"irq_handler_entry", IRQ_ENTRY, TT_KIND_INTERRUPT_ENTER, {"irq"}},
    {"irq_handler_exit", IRQ_EXIT, TT_KIND_INTERRUPT_EXIT, {"irq"}},
    {"irq_softirq_entry", SOFTIRQ_ENTRY, TT_KIND_INTERRUPT_ENTER, {"vec"}},
    {"irq_softirq_exit", SOFTIRQ_EXIT, TT_KIND_INTERRUPT_EXIT, {"vec"}},
    {"softirq_entry", SOFTIRQ_ENTRY, TT_KIND_INTERRUPT_ENTER, {"vec"}},
    {"softirq_exit", SOFTIRQ_EXIT, TT_KIND_INTERRUPT_EXIT, {"vec"}},
    {"timer_hrtimer_expire_entry", TIMER_ENTRY, TT_KIND_INTERRUPT_ENTER, {"hrtimer"}},
    {"timer_hrtimer_expire_exit", TIMER_EXIT, TT_KIND_INTERRUPT_EXIT, {"hrtimer"}},
    {"hrtimer_expire_entry", TIMER_ENTRY, TT_KIND_INTERRUPT_ENTER, {"hrtimer"}},
    {"hrtimer_expire_exit", TIMER_EXIT, TT_KIND_INTERRUPT_EXIT, {"hrtimer"}},
    {"exit_syscall", CALL_EXIT, TT_KIND_EXIT, {"ret"}},
    {"lttng_statedump_process_state", DUMP, TT_KIND_LIFETIME, {"tid", "pid", NULL, "name"}},
    {"lttng_logger", PLAIN, TT_KIND_USER, {NULL}},
};
/* clang-format on */

/* Beginnings of names, and what follows them. */
static const struct {
    const char *begin;
    uint8_t meaning;
    uint8_t kind;
} calls[] = {
    {"syscall_entry_", CALL_ENTRY, TT_KIND_ENTER},
    {"syscall_exit_", CALL_EXIT, TT_KIND_EXIT},
    {"compat_syscall_entry_", CALL_ENTRY, TT_KIND_ENTER},
    {"compat_syscall_exit_", CALL_EXIT, TT_KIND_EXIT},
    {"sys_enter_", CALL_ENTRY, TT_KIND_ENTER},
    {"sys_exit_", CALL_EXIT, TT_KIND_EXIT},
    {"sys_", CALL_ENTRY, TT_KIND_ENTER},
    {"compat_sys_", CALL_ENTRY, TT_KIND_ENTER},
};

/* ---- events by name ------------------------------------------------------------------------- */

/* Returns the place of a field that has one of several names: "tid|pid". */
static struct ctf_place place_of_any(const struct ctf_event *event, const char *names)
{
    struct ctf_place place = {.type = NULL};
    char name[48];
    while (names && *names && !place.type) {
        size_t length = strcspn(names, "|");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        place = ctf_place_in(event->payload, CTF_PAYLOAD, name);
        names += length + (names[length] == '|');
    }
    return place;
}

static bool ctf_lttng_mean_call(struct ctf_event *event, const char *name)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        size_t length = strlen(calls[i].begin);
        if (strncmp(name, calls[i].begin, length) == 0) {
            event->meaning = calls[i].meaning;
            event->kind = calls[i].kind;
            event->number = linux_call_of_name(name + length);
            event->at[0] = place_of_any(event, "uaddr");
            event->at[1] = place_of_any(event, "op");
            event->at[2] = place_of_any(event, "ret");
            return true;
        }
    }
    return false;
}

/* x86_irq_vectors_local_timer_entry, irq_vectors:local_timer_exit */
static bool mean_vector(struct ctf_event *event, const char *name)
{
    bool is_vector = strncmp(event->name, "x86_irq_vectors_", 16) == 0 ||
                     strncmp(event->name, "irq_vectors:", 12) == 0;
    const char *end = strrchr(name, '_');
    if (!is_vector || !end || (strcmp(end, "_entry") != 0 && strcmp(end, "_exit") != 0)) {
        return false;
    }
    event->meaning = end[2] == 'n' ? VECTOR_ENTRY : VECTOR_EXIT;
    event->kind = end[2] == 'n' ? TT_KIND_INTERRUPT_ENTER : TT_KIND_INTERRUPT_EXIT;
    event->number = strstr(name, "local_timer") != NULL;
    event->at[0] = place_of_any(event, "vector");
    return true;
}

static void kernel_mean(struct ctf_trace *trace, struct ctf_event *event)
{
    struct ctf *ctf = trace->decoder;
    const char *colon = strrchr(event->name, ':');
    const char *name = colon ? colon + 1 : event->name;
    ctf_names_of(trace, event, '_');
    event->number = LINUX_NO_CALL;
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        if (strcmp(name, meanings[i].name) == 0) {
            event->meaning = meanings[i].meaning;
            event->kind = meanings[i].kind;
            event->has_letters = meanings[i].meaning == SWITCH;
            for (unsigned k = 0; k < CTF_PLACES; k++) {
                event->at[k] = place_of_any(event, meanings[i].fields[k]);
            }
        }
    }
    if (!event->meaning && event->kind == TT_KIND_EVENT && !mean_vector(event, name)) {
        ctf_lttng_mean_call(event, name);
    }
    if (event->meaning >= CALL_ENTRY && event->meaning <= CALL_EXIT) {
        event->class_name = "syscall";
    }
    event->at[7] = place_of_any(event, "perf_cpu");
    atomic_fetch_or(&ctf->has, UINT64_C(1) << event->meaning);
}

/* ---- the trace ------------------------------------------------------------------------------ */

static bool kernel_is_of(const struct ctf_trace *trace)
{
    return strcmp(ctf_env_text(trace, "domain"), "kernel") == 0;
}

static bool perf_is_of(const struct ctf_trace *trace)
{
    return strcmp(ctf_env_text(trace, "tracer_name"), "perf") == 0;
}

/* Sets what the bits of prev_state mean: modules before 2.11 record the state of the task also after 4.13. */
static void set_letters(struct ctf *ctf, const struct ctf_trace *trace)
{
    const char *release = ctf_env_text(trace, "kernel_release");
    const struct ctf_entry *minor = ctf_env(trace, "tracer_minor");
    ctf->no_load =
        linux_leave_of_kernel(&ctf->leave, release[0] ? release : ctf_env_text(trace, "release"),
                              minor && !minor->text && minor->number < 11);
}

static bool kernel_prepare(struct ctf_trace *trace)
{
    struct ctf *ctf = trace->decoder;
    if (ctf->leave.mark == 0) {
        set_letters(ctf, trace);
    }
    ctf->births[0] = linux_call_of_name("clone");
    ctf->births[1] = linux_call_of_name("clone3");
    ctf->births[2] = linux_call_of_name("fork");
    ctf->births[3] = linux_call_of_name("vfork");
    ctf->is_rt |= strstr(ctf_env_text(trace, "kernel_release"), "-rt") != NULL ||
                  strstr(ctf_env_text(trace, "kernel_version"), "PREEMPT_RT") != NULL;
    for (struct ctf_stream_class *of = trace->streams; of; of = of->next) {
        const struct ctf_class *context = of->classes[CTF_COMMON_CONTEXT];
        of->tid = ctf_place_in(context, CTF_COMMON_CONTEXT, "tid");
        of->pid = ctf_place_in(context, CTF_COMMON_CONTEXT, "pid");
    }
    return true;
}

/* Notes the process of a thread that the dump of the begin lists. */
static void kernel_survey(struct ctf *ctf, const struct ctf_record *record)
{
    const struct ctf_event *of = record->of;
    if (of->meaning == DUMP) {
        struct linux_task *task =
            linux_task_add(&ctf->threads, (int32_t)ctf_number(record, &of->at[0]));
        struct tt_bytes name = ctf_string(record, &of->at[3]);
        if (task) {
            task->process = (uint32_t)ctf_number(record, &of->at[1]);
            memcpy(task->comm, name.data,
                   name.size < sizeof task->comm ? name.size : sizeof task->comm - 1);
        }
    }
}

/* Returns whether the capture has events of a meaning. */
static bool has(const struct ctf *ctf, unsigned meaning)
{
    return (atomic_load_explicit(&ctf->has, memory_order_relaxed) >> meaning & 1) != 0;
}

/* ---- actions -------------------------------------------------------------------------------- */

static int16_t ctf_lttng_priority_of(const struct ctf_record *record, const struct ctf_place *place)
{
    /* LTTng subtracts 100 from the kernel's priorities. */
    int64_t prio = (int32_t)ctf_number(record, place);
    return place->type
               ? linux_priority(prio + (record->stream->trace->tracer == &ctf_kernel ? 100 : 0))
               : (int16_t)TT_NO_PRIORITY;
}

/* Returns the lane of the tid in a field, and names it by the text in another one. */
static uint32_t lane_in(struct tt_cursor *cursor, const struct ctf_record *record,
                        const struct ctf_place *tid_at, const struct ctf_place *comm_at,
                        uint16_t cpu)
{
    int64_t tid = (int32_t)ctf_number(record, tid_at);
    uint32_t lane = tid_at->type ? ctf_lane(cursor, tid, cpu) : TT_NO_THREAD;
    if (cursor->learn && comm_at->type && lane != TT_NO_THREAD) {
        ctf_name(cursor, tid, lane, ctf_string(record, comm_at));
    }
    return lane;
}

/* Adds the call in which a thread is from now on: the state in which it would wait (0: none), and the futex. */
static void ctf_lttng_set_call(struct tt_batch *batch, const struct tt_event *event,
                               uint32_t thread, unsigned state, uint64_t futex)
{
    struct tt_action *action = ctf_act(batch, event, TT_ACTION_CALL, thread);
    if (action) {
        action->state = (uint16_t)state;
    }
    action = futex != 0 ? ctf_act(batch, event, TT_ACTION_LOCK_WAIT, thread) : NULL;
    if (action) {
        action->value = futex;
        action->state = TT_OBJECT_MUTEX;
    }
}

/* Adds a switch. A thread that sleeps does so in its call, which may have begun on another CPU: the timelines know it. */
static void ctf_lttng_add_switch(struct tt_cursor *cursor, const struct ctf_record *record,
                                 const struct tt_event *event, struct tt_batch *batch)
{
    const struct ctf_event *of = record->of;
    const struct ctf *ctf = cursor->d;
    const uint32_t leaving = lane_in(cursor, record, &of->at[0], &of->at[5], event->cpu);
    const uint32_t entering = lane_in(cursor, record, &of->at[3], &of->at[6], event->cpu);
    const uint64_t prev_state = ctf_number(record, &of->at[2]);
    const unsigned state = linux_leave_state(&ctf->leave, prev_state);
    union ctf_state *s = &cursor->s.state;
    if (s->lttng.lane == 0 && s->lttng.call != 0) {
        ctf_lttng_set_call(batch, event, leaving, s->lttng.call, s->lttng.futex);
    }
    struct tt_action *action = ctf_act(batch, event, TT_ACTION_SWITCH, entering);
    if (action) {
        action->other = leaving;
        action->state =
            state == LINUX_BLOCKED && (prev_state & ctf->no_load) ? LINUX_IDLE : (uint16_t)state;
        action->flags = state == LINUX_SLEEPING ? TT_ACTION_BY_CALL : 0;
        action->priority = ctf_lttng_priority_of(record, &of->at[4]);
        action->value = tt_action_left_with(ctf_lttng_priority_of(record, &of->at[1]));
    }
    s->lttng.lane = entering + 1;
    s->lttng.call = 0;
    s->lttng.futex = 0;
}

static void ctf_lttng_add_wake(struct tt_cursor *cursor, const struct ctf_record *record,
                               const struct tt_event *event, struct tt_batch *batch)
{
    const struct ctf_event *of = record->of;
    uint32_t woken = lane_in(cursor, record, &of->at[0], &of->at[3], event->cpu);
    /*
     * The kernel records both a waking, at the waker, and a wakeup, maybe on another CPU. The first makes the thread ready,
     * unless it still ran; then the second does.
     */
    const bool confirms = of->meaning == WAKEUP && has(cursor->d, WAKING);
    struct tt_action *action = ctf_act(batch, event, TT_ACTION_WAKEUP, woken);
    if (action) {
        action->other =
            cursor->s.state.lttng.depth == 0 && !confirms ? event->thread : TT_NO_THREAD;
        action->priority = ctf_lttng_priority_of(record, &of->at[1]);
    }
}

static void ctf_lttng_add_birth(struct tt_cursor *cursor, const struct ctf_record *record,
                                const struct tt_event *event, struct tt_batch *batch)
{
    const struct ctf_event *of = record->of;
    if (cursor->learn && record->stream->trace->tracer == &ctf_kernel) {
        struct linux_task *task =
            linux_task_add(&cursor->d->threads, (int32_t)ctf_number(record, &of->at[0]));
        if (task) {
            task->process = (uint32_t)ctf_number(record, &of->at[1]);
        }
    }
    uint32_t lane = lane_in(cursor, record, &of->at[0], &of->at[3], event->cpu);
    struct tt_action *action = ctf_act(batch, event, TT_ACTION_THREAD_CREATE, lane);
    if (action) {
        action->flags = TT_ACTION_MAY_EXIST;
    }
}

static void ctf_lttng_add_slice(struct tt_batch *batch, const struct tt_event *event, bool begins,
                                uint64_t id, uint32_t type)
{
    struct tt_action *action =
        ctf_act(batch, event, begins ? TT_ACTION_SLICE_BEGIN : TT_ACTION_SLICE_END, event->thread);
    if (action) {
        action->value = id;
        action->other = type;
        action->state = 0;
    }
}

/*
 * Adds the begin or the end of an interrupt, a softirq or a timer. On PREEMPT_RT softirqs run in threads, of which they are
 * slices. Timers within recorded interrupts are part of them.
 */
static void ctf_lttng_add_interrupt(struct tt_cursor *cursor, const struct ctf_record *record,
                                    struct tt_event *event, struct tt_batch *batch, bool enters)
{
    const struct ctf_event *of = record->of;
    struct ctf *ctf = cursor->d;
    bool is_soft = of->meaning == SOFTIRQ_ENTRY || of->meaning == SOFTIRQ_EXIT;
    bool is_timer = of->meaning == TIMER_ENTRY || of->meaning == TIMER_EXIT;
    uint16_t *depth = &cursor->s.state.lttng.depth;
    if ((is_soft && ctf->is_rt) || (is_timer && *depth > 0 && has(ctf, VECTOR_ENTRY))) {
        event->kind = enters ? TT_KIND_BEGIN : TT_KIND_END;
        if (is_soft && event->thread != TT_NO_THREAD) {
            ctf_lttng_add_slice(batch, event, enters, SLICE_SOFT, event->type);
        }
        return;
    }
    *depth = (uint16_t)(enters ? *depth + 1 : *depth > 0 ? *depth - 1 : 0);
    struct tt_action *action = ctf_act(
        batch, event, enters ? TT_ACTION_INTERRUPT_ENTER : TT_ACTION_INTERRUPT_LEAVE, TT_NO_THREAD);
    if (action) {
        action->value = ctf_number(record, &of->at[0]);
    }
}

/* Returns the type that names the slices of a call. */
static uint32_t call_type(struct tt_cursor *cursor, uint32_t call)
{
    struct ctf *ctf = cursor->d;
    uint32_t place = call < LINUX_CALLS ? call : LINUX_CALLS;
    uint32_t type = atomic_load_explicit(&ctf->call_types[place], memory_order_acquire);
    if (type == 0 && cursor->learn) {
        type =
            tt_types_add(ctf->capture, "syscall", linux_call_name(place), call, TT_KIND_EVENT) + 1;
        atomic_store_explicit(&ctf->call_types[place], type, memory_order_release);
    }
    return type - 1;
}

/* Adds the begin or the end of a call: the state in which the thread would wait, a futex, and the slice. */
static void ctf_lttng_add_call(struct tt_cursor *cursor, const struct ctf_record *record,
                               const struct tt_event *event, struct tt_batch *batch, bool enters)
{
    const struct ctf_event *of = record->of;
    const uint32_t call = of->number;
    const unsigned state = enters && call < LINUX_CALLS ? linux_call_state(call) : 0;
    uint64_t futex = state == LINUX_FUTEX ? ctf_number(record, &of->at[0]) : 0;
    const uint64_t command = futex != 0 ? ctf_number(record, &of->at[1]) & 0x7f : 0;
    if (command == 1 || command == 7) { /* FUTEX_WAKE, FUTEX_UNLOCK_PI */
        struct tt_action *action = ctf_act(batch, event, TT_ACTION_LOCK_FREE, event->thread);
        if (action) {
            action->value = futex;
            action->state = TT_OBJECT_MUTEX;
        }
        futex = 0;
    }
    if (event->thread != TT_NO_THREAD) {
        ctf_lttng_set_call(batch, event, event->thread, state, futex);
    } else {
        cursor->s.state.lttng.call = (uint16_t)state;
        cursor->s.state.lttng.futex = futex;
    }
    bool is_child = false; /* the child of a fork has not entered the call that it leaves */
    for (unsigned i = 0; i < sizeof cursor->d->births / sizeof cursor->d->births[0]; i++) {
        is_child |= !enters && call == cursor->d->births[i] && ctf_number(record, &of->at[2]) == 0;
    }
    if (event->thread != TT_NO_THREAD && linux_call_returns(call) && !is_child) {
        ctf_lttng_add_slice(batch, event, enters, SLICE_CALL, call_type(cursor, call));
    }
}

/* Sets the thread of an event: of its context, of perf's field, or the one that runs. */
static void ctf_lttng_set_thread(struct tt_cursor *cursor, const struct ctf_record *record,
                                 struct tt_event *event)
{
    const struct ctf_stream_class *in = record->stream->of;
    if (in->tid.type) {
        int64_t tid = (int32_t)ctf_number(record, &in->tid);
        if (cursor->learn && in->pid.type &&
            linux_known_lane(&cursor->d->threads, tid, event->cpu) == TT_NO_THREAD) {
            struct linux_task *task = linux_task_add(&cursor->d->threads, tid);
            if (task) {
                task->process = (uint32_t)ctf_number(record, &in->pid);
            }
        }
        event->thread = ctf_lane(cursor, tid, event->cpu);
        return;
    }
    if (record->of->meaning == SWITCH) { /* its own field has the thread */
        event->thread = lane_in(cursor, record, &record->of->at[0], &record->of->at[5], event->cpu);
        return;
    }
    event->thread = cursor->s.state.lttng.lane - 1;
    event->flags = event->thread != TT_NO_THREAD ? TT_EVENT_INFERRED : 0;
}

static void kernel_act(struct tt_cursor *cursor, const struct ctf_record *record,
                       struct tt_event *event, struct tt_batch *batch)
{
    const struct ctf_event *of = record->of;
    const bool enters = of->meaning % 2 == 0; /* of those that have an exit */
    ctf_lttng_set_thread(cursor, record, event);
    switch ((enum meaning)of->meaning) {
    case SWITCH:
        ctf_lttng_add_switch(cursor, record, event, batch);
        break;
    case WAKING:
    case WAKEUP:
    case WAKEUP_NEW:
        ctf_lttng_add_wake(cursor, record, event, batch);
        break;
    case FORK:
        ctf_lttng_add_birth(cursor, record, event, batch);
        break;
    case MIGRATE:
    case EXIT:
    case DUMP:
        lane_in(cursor, record, &of->at[0], &of->at[3], event->cpu);
        break;
    case SETPRIO: {
        uint32_t lane = lane_in(cursor, record, &of->at[0], &of->at[3], event->cpu);
        struct tt_action *action = ctf_act(batch, event, TT_ACTION_PRIORITY, lane);
        if (action) {
            action->priority = ctf_lttng_priority_of(record, &of->at[1]);
        }
        break;
    }
    case IRQ_ENTRY:
    case IRQ_EXIT:
    case SOFTIRQ_ENTRY:
    case SOFTIRQ_EXIT:
    case VECTOR_ENTRY:
    case VECTOR_EXIT:
    case TIMER_ENTRY:
    case TIMER_EXIT:
        ctf_lttng_add_interrupt(cursor, record, event, batch, enters);
        break;
    case CALL_ENTRY:
    case CALL_EXIT:
        ctf_lttng_add_call(cursor, record, event, batch, enters);
        break;
    default:
        break;
    }
}

/* perf has the CPU and the thread in fields of each event. */
static void perf_act(struct tt_cursor *cursor, const struct ctf_record *record,
                     struct tt_event *event, struct tt_batch *batch)
{
    if (record->of->at[7].type) {
        uint64_t cpu = ctf_number(record, &record->of->at[7]);
        event->cpu = cpu < LINUX_CPUS ? (uint16_t)cpu : TT_NO_CPU;
        if (cursor->learn && cpu < LINUX_CPUS && cpu >= cursor->d->capture->cpu_count) {
            atomic_store_explicit(&cursor->d->capture->cpu_count, (uint32_t)cpu + 1,
                                  memory_order_relaxed);
        }
    }
    kernel_act(cursor, record, event, batch);
}

static bool perf_prepare(struct ctf_trace *trace)
{
    struct ctf *ctf = trace->decoder;
    if (ctf->leave.mark == 0) {
        set_letters(ctf, trace);
    }
    return true;
}

/* ---- edges, clues, labels ------------------------------------------------------------------- */

static uint32_t kernel_edges(const struct ctf_record *record, const struct tt_event *event,
                             struct tt_edge *edges)
{
    const unsigned meaning = record->of->meaning;
    if (meaning < IRQ_ENTRY || meaning > CALL_EXIT) {
        return 0;
    }
    bool on_cpu = event->kind == TT_KIND_INTERRUPT_ENTER || event->kind == TT_KIND_INTERRUPT_EXIT;
    uint64_t place = on_cpu ? event->cpu : event->thread;
    edges->key = tt_hash_of_pair((uint64_t)(meaning & ~1u) << 40 | place, 0);
    edges->side = meaning & 1 ? TT_EDGE_END : TT_EDGE_BEGIN;
    edges->thread = on_cpu ? TT_NO_THREAD : event->thread;
    edges->cpu = on_cpu ? event->cpu : TT_NO_CPU;
    edges->alone = meaning == CALL_ENTRY || meaning == CALL_EXIT;
    return on_cpu || event->thread != TT_NO_THREAD;
}

/* Returns the kind of the wakes of a call, by the state that it would sleep in. */
static unsigned ctf_lttng_wake_of_call(uint32_t call)
{
    unsigned state = call < LINUX_CALLS ? linux_call_state(call) : 0;
    return state == LINUX_FUTEX     ? TT_WAKE_UNLOCK
           : state == LINUX_MESSAGE ? TT_WAKE_MESSAGE
                                    : TT_WAKE_UNKNOWN;
}

static void kernel_clue(const struct ctf_record *record, const struct tt_event *event,
                        struct tt_clue *clue)
{
    const struct ctf_event *of = record->of;
    const struct ctf *ctf = record->d;
    bool on_cpu = event->kind == TT_KIND_INTERRUPT_ENTER || event->kind == TT_KIND_INTERRUPT_EXIT;
    switch ((enum meaning)of->meaning) {
    case SWITCH:
        clue->role = has(ctf, WAKING) || has(ctf, WAKEUP) ? TT_CLUE_RUNS : TT_CLUE_SWITCH;
        clue->thread =
            linux_known_lane(&ctf->threads, (int32_t)ctf_number(record, &of->at[3]), event->cpu);
        break;
    case WAKING:
    case WAKEUP:
    case WAKEUP_NEW:
        if (of->meaning == WAKEUP && has(ctf, WAKING)) {
            break; /* the second event of a wake */
        }
        clue->role = of->meaning == WAKEUP_NEW ? TT_CLUE_WOKEN : TT_CLUE_READY;
        clue->thread =
            linux_known_lane(&ctf->threads, (int32_t)ctf_number(record, &of->at[0]), event->cpu);
        clue->other = of->meaning == WAKEUP_NEW ? event->thread : TT_NO_THREAD;
        clue->kind = of->meaning == WAKEUP_NEW ? TT_WAKE_CREATE : TT_WAKE_UNKNOWN;
        break;
    case IRQ_ENTRY:
    case SOFTIRQ_ENTRY:
    case VECTOR_ENTRY:
        clue->role = on_cpu ? TT_CLUE_IRQ : TT_CLUE_NONE;
        clue->value = ctf_number(record, &of->at[0]);
        clue->kind =
            of->meaning == VECTOR_ENTRY && of->number == 1 ? TT_WAKE_TIMER : TT_WAKE_UNKNOWN;
        break;
    case TIMER_ENTRY:
        clue->role = on_cpu ? TT_CLUE_IRQ : TT_CLUE_HANDLER;
        clue->value = UINT64_MAX;
        clue->kind = TT_WAKE_TIMER;
        break;
    case IRQ_EXIT:
    case SOFTIRQ_EXIT:
    case VECTOR_EXIT:
    case TIMER_EXIT:
        clue->role = on_cpu                      ? TT_CLUE_IRQ_END
                     : of->meaning == TIMER_EXIT ? TT_CLUE_HANDLER
                                                 : TT_CLUE_NONE;
        break;
    case CALL_ENTRY:
        clue->role = TT_CLUE_CALL;
        clue->kind = (uint8_t)ctf_lttng_wake_of_call(of->number);
        clue->value = clue->kind == TT_WAKE_UNLOCK ? ctf_number(record, &of->at[0]) : 0;
        break;
    case CALL_EXIT:
        clue->role = TT_CLUE_CALL_END;
        break;
    default:
        break;
    }
}

/* Labels prev_state with its letters, as the kernel prints them: S, R+. */
/* ---- tracers -------------------------------------------------------------------------------- */

/* clang-format off */
static const char *const recording_by_lttng[TT_MISSING_COUNT] = {
    [TT_MISSING_SCHEDULING] = "lttng enable-event -k 'sched_*' ...",
    [TT_MISSING_WAKEUPS] = "lttng enable-event -k sched_waking,sched_wakeup_new ...",
    [TT_MISSING_INTERRUPTS] = "lttng enable-event -k 'irq_*','x86_irq_vectors_*','timer_hrtimer_expire_*' ...",
    [TT_MISSING_CALLS] = "lttng enable-event -k --syscall --all ...",
    [TT_MISSING_NAMES] = "lttng enable-event -k 'lttng_statedump_*','sched_*' ...",
    [TT_MISSING_RECORDS] = "lttng enable-channel -k --subbuf-size=4M --num-subbuf=8 ...",
};
static const char *const recording_by_perf[TT_MISSING_COUNT] = {
    [TT_MISSING_SCHEDULING] = "perf record -a -e 'sched:*' ...",
    [TT_MISSING_WAKEUPS] = "perf record -a -e 'sched:*' ...",
    [TT_MISSING_INTERRUPTS] = "perf record -a -e 'irq:*' -e 'irq_vectors:*' -e 'timer:hrtimer_expire*' ...",
    [TT_MISSING_CALLS] = "perf record -a -e 'syscalls:*' ...",
    [TT_MISSING_RECORDS] = "perf record -a -m 16M ..., or fewer events",
};
/* clang-format on */

const struct ctf_tracer ctf_kernel = {
    .name = "the Linux kernel, by LTTng",
    .is_of = kernel_is_of,
    .prepare = kernel_prepare,
    .mean = kernel_mean,
    .survey = kernel_survey,
    .act = kernel_act,
    .edges = kernel_edges,
    .clue = kernel_clue,
    .recording = recording_by_lttng,
};

const struct ctf_tracer ctf_perf = {
    .name = "the Linux kernel, by perf",
    .is_of = perf_is_of,
    .prepare = perf_prepare,
    .mean = kernel_mean,
    .act = perf_act,
    .edges = kernel_edges,
    .clue = kernel_clue,
    .recording = recording_by_perf,
};
