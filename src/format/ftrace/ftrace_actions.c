/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_actions: what events mean for threads and CPUs.
 *
 * Only the events of one instance act, for each meaning (`buffer_of`): another one may have recorded the same
 * switches again. What depends on earlier events, maybe of other CPUs, is found ahead of the cursor (ftrace_walk.c).
 */
#include <string.h>

#include "format/ftrace/ftrace_internal.h"
#include "tracetui/object_kind.h"
#include "tracetui/text.h"

/* Ids of slices: of a kind and a number; those of one thread nest. */
#define SLICE_CALL  UINT64_C(0x100000000)
#define SLICE_WORK  UINT64_C(0x200000000)
#define SLICE_SOFT  UINT64_C(0x300000000)
#define SLICE_GRAPH UINT64_C(0x500000000)

static inline struct tt_action *next_action(struct tt_batch *batch, unsigned kind, uint32_t thread)
{
    const struct tt_event *event = &batch->events[batch->count - 1];
    struct tt_action *action = tt_batch_act(batch, event, kind);
    if (action) {
        action->thread = thread;
        action->cpu = event->cpu;
    }
    return action;
}

uint32_t ftrace_add_lane(struct ftrace *ftrace, int64_t pid, uint16_t cpu, uint64_t pos)
{
    if (pid < 0 || pid >= LINUX_TIDS) {
        tt_health_add(ftrace->capture, TT_HEALTH_UNKNOWN_REFERENCE,
                      ftrace_offset(ftrace->capture, pos), pos, (uint64_t)pid,
                      "pid that cannot be");
        return TT_NO_THREAD;
    }
    uint32_t lane = linux_lane(&ftrace->threads, pid, cpu);
    ftrace->no_memory |= ftrace->threads.no_memory;
    return lane;
}

/* Returns the lane of the pid in a field, and names it by the text in another one. */
static uint32_t lane_in(struct tt_cursor *cursor, const struct ftrace_record *record,
                        struct ftrace_place pid_at, struct ftrace_place comm_at,
                        const struct tt_event *event)
{
    int32_t pid = (int32_t)ftrace_get(record, pid_at);
    uint32_t lane = ftrace_lane(cursor, pid, event->cpu, event->pos);
    if (cursor->learn && comm_at.offset != FTRACE_NONE && comm_at.offset < record->size) {
        linux_thread_name(
            &cursor->d->threads, pid, lane,
            tt_bytes_of(record->data + comm_at.offset, record->size - comm_at.offset));
    }
    return lane;
}

/* ---- switches ----------------------------------------------------------------------------- */

/* Adds the wait for an object that begins with a switch: the switch then finds the thread in its state. */
static void ftrace_actions_add_wait(struct tt_cursor *cursor, uint32_t thread, unsigned state,
                                    const struct ftrace_stream *stream, struct tt_batch *batch)
{
    const struct tt_event *event = &batch->events[batch->count - 1];
    const struct ftrace_note *note = ftrace_note_at(stream, ftrace_place(cursor->d, event->pos));
    if (!note || note->kind == FTRACE_UNBEGUN) {
        return;
    }
    uint32_t owner =
        note->owner ? ftrace_lane(cursor, note->owner, event->cpu, event->pos) : TT_NO_THREAD;
    struct tt_action *action = next_action(batch, TT_ACTION_LOCK_WAIT, thread);
    if (action) {
        action->value = note->object;
        action->other = owner;
        action->state = (uint16_t)note->kind;
    }
    action = next_action(batch, TT_ACTION_STATE, thread);
    if (action) {
        action->state = (uint16_t)state;
    }
}

static void ftrace_actions_add_switch(struct tt_cursor *cursor, const struct ftrace_event *of,
                                      const struct ftrace_record *record,
                                      const struct ftrace_stream *stream, struct tt_batch *batch)
{
    const struct ftrace *ftrace = cursor->d;
    const struct tt_event *event = &batch->events[batch->count - 1];
    uint32_t leaving = lane_in(cursor, record, of->at[0], of->at[5], event);
    uint32_t entering = lane_in(cursor, record, of->at[3], of->at[6], event);
    uint64_t number = cursor->s.switches++;
    unsigned state = number < tt_column_count(&stream->left)
                         ? *(const uint8_t *)tt_column_at(&stream->left, number)
                         : linux_leave_state(&ftrace->leave, ftrace_get(record, of->at[2]));
    if (linux_states[state].object != TT_OBJECT_NONE) {
        ftrace_actions_add_wait(cursor, leaving, state, stream, batch);
    }
    struct tt_action *action = next_action(batch, TT_ACTION_SWITCH, entering);
    if (action) {
        action->other = leaving;
        action->state = (uint16_t)state;
        action->priority = linux_priority((int64_t)ftrace_get(record, of->at[4]));
        action->value = tt_action_left_with(linux_priority((int64_t)ftrace_get(record, of->at[1])));
    }
}

/* ---- wakes and lives ---------------------------------------------------------------------- */

static void ftrace_actions_add_wake(struct tt_cursor *cursor, const struct ftrace_event *of,
                                    const struct ftrace_record *record, struct tt_batch *batch)
{
    struct ftrace *ftrace = cursor->d;
    const struct tt_event *event = &batch->events[batch->count - 1];
    uint32_t woken = lane_in(cursor, record, of->at[0], of->at[3], event);
    /* The kernel writes both a waking and a wakeup; the first one is at the waker. */
    if (of->meaning == FTRACE_WAKEUP && ftrace_has(ftrace, FTRACE_WAKING)) {
        return;
    }
    uint64_t flags = ftrace_get(record, ftrace->common_flags);
    bool by_thread = (flags & ftrace->interrupts) == 0;
    if (!by_thread && cursor->learn &&
        atomic_load_explicit(&ftrace->interrupt, memory_order_relaxed) == 0) {
        /* A pseudo thread stands for interrupts as the waker. */
        uint32_t lane = tt_registry_thread(ftrace->capture, 0, LINUX_CPUS, 0);
        ftrace->no_memory |= lane == UINT32_MAX;
        if (lane != UINT32_MAX) {
            tt_registry_set_pseudo(ftrace->capture, lane);
            tt_registry_thread_name(ftrace->capture, lane,
                                    tt_capture_intern(ftrace->capture, "interrupt", 9));
            atomic_store_explicit(&ftrace->interrupt, lane + 1, memory_order_release);
        }
    }
    struct tt_action *action = next_action(batch, TT_ACTION_WAKEUP, woken);
    if (action) {
        action->other = by_thread ? event->thread : TT_NO_THREAD;
        action->priority = linux_priority((int64_t)ftrace_get(record, of->at[1]));
    }
}

/* A new thread: of fork, which has no process, and of task_newtask, which comes before it. */
static void ftrace_actions_add_birth(struct tt_cursor *cursor, const struct ftrace_event *of,
                                     const struct ftrace_record *record, struct tt_batch *batch)
{
    const struct tt_event *event = &batch->events[batch->count - 1];
    if (cursor->learn && of->meaning == FTRACE_NEWTASK &&
        (ftrace_get(record, of->at[1]) & LINUX_CLONE_THREAD) != 0 &&
        event->thread != TT_NO_THREAD) {
        struct tt_capture *capture = cursor->d->capture;
        struct linux_task *task =
            linux_task_add(&cursor->d->threads, (int32_t)ftrace_get(record, of->at[0]));
        uint32_t process = tt_thread_at(capture, event->thread)->process;
        if (task) {
            task->process = (uint32_t)tt_process_at(capture, process)->pid;
        }
    }
    uint32_t lane = lane_in(cursor, record, of->at[0], of->at[3], event);
    struct tt_action *action = next_action(batch, TT_ACTION_THREAD_CREATE, lane);
    if (action) {
        action->flags = TT_ACTION_MAY_EXIST;
    }
}

/* ---- interrupts --------------------------------------------------------------------------- */

/*
 * Of softirqs and timers: within an interrupt they are part of it; in a thread, such as ksoftirqd of PREEMPT_RT, they
 * are slices of it, since the thread may be preempted meanwhile.
 */
static bool is_in_interrupt(const struct ftrace *ftrace, const struct ftrace_record *record)
{
    return (ftrace_get(record, ftrace->common_flags) & ftrace->interrupts) != 0;
}

static void ftrace_actions_add_interrupt(const struct ftrace_event *of,
                                         const struct ftrace_record *record, struct tt_batch *batch,
                                         bool enters)
{
    struct tt_action *action = next_action(
        batch, enters ? TT_ACTION_INTERRUPT_ENTER : TT_ACTION_INTERRUPT_LEAVE, TT_NO_THREAD);
    if (action) {
        action->value = ftrace_get(record, of->at[0]);
    }
}

static void ftrace_actions_add_slice(struct tt_batch *batch, bool begins, uint64_t id,
                                     uint32_t type)
{
    const struct tt_event *event = &batch->events[batch->count - 1];
    struct tt_action *action =
        next_action(batch, begins ? TT_ACTION_SLICE_BEGIN : TT_ACTION_SLICE_END, event->thread);
    if (action) {
        action->value = id;
        action->other = type;
        action->state = 0;
    }
}

static void add_soft(struct tt_cursor *cursor, const struct ftrace_event *of,
                     const struct ftrace_record *record, struct tt_batch *batch, bool enters)
{
    struct tt_event *event = &batch->events[batch->count - 1];
    bool timer = of->meaning == FTRACE_TIMER_ENTRY || of->meaning == FTRACE_TIMER_EXIT;
    if (is_in_interrupt(cursor->d, record)) {
        if (!timer || !cursor->d->timers_nest) {
            ftrace_actions_add_interrupt(of, record, batch, enters);
        }
        return;
    }
    event->kind = enters ? TT_KIND_BEGIN : TT_KIND_END;
    ftrace_actions_add_slice(batch, enters, SLICE_SOFT | (of->meaning & 0xfe), event->type);
}

/* ---- calls -------------------------------------------------------------------------------- */

/* Returns the type that names slices: of a system call, or of other events. */
static uint32_t ftrace_call_type(struct tt_cursor *cursor, uint32_t call)
{
    struct ftrace *ftrace = cursor->d;
    uint32_t place = call < LINUX_CALLS ? call : LINUX_CALLS;
    uint32_t type = atomic_load_explicit(&ftrace->call_types[place], memory_order_acquire);
    if (type == 0 && cursor->learn) {
        type =
            tt_types_add(ftrace->capture, "syscall", linux_call_name(place), call, TT_KIND_EVENT) +
            1;
        atomic_store_explicit(&ftrace->call_types[place], type, memory_order_release);
    }
    return type - 1;
}

struct ftrace_place ftrace_argument(const struct ftrace *ftrace, const struct ftrace_event *of)
{
    struct ftrace_place place = of->at[1]; /* args of sys_enter */
    if (of->meaning == FTRACE_CALL_ENTER) {
        place = of->at[2];
    }
    place.size = ftrace->kernel_long;
    return place;
}

unsigned ftrace_call_of(const struct ftrace *ftrace, const struct ftrace_event *of,
                        const struct ftrace_record *record)
{
    uint64_t number = ftrace_get(record, of->at[0]);
    return of->meaning != FTRACE_SYS_ENTER && of->meaning != FTRACE_SYS_EXIT ? of->call
           : number < LINUX_CALL_NUMBERS                                     ? ftrace->calls[number]
                                                                             : LINUX_NO_CALL;
}

static void ftrace_actions_add_call(struct tt_cursor *cursor, const struct ftrace_event *of,
                                    const struct ftrace_record *record,
                                    const struct ftrace_stream *stream, struct tt_batch *batch,
                                    bool enters)
{
    struct ftrace *ftrace = cursor->d;
    bool raw = of->meaning == FTRACE_SYS_ENTER || of->meaning == FTRACE_SYS_EXIT;
    unsigned call = ftrace_call_of(ftrace, of, record);
    if (!raw && ftrace_has(ftrace, FTRACE_SYS_ENTER)) {
        return; /* the raw events have all calls */
    }
    const struct tt_event *event = &batch->events[batch->count - 1];
    const struct ftrace_note *note =
        enters ? NULL : ftrace_note_at(stream, ftrace_place(ftrace, event->pos));
    if (note && note->kind == FTRACE_UNBEGUN) {
        return;
    }
    if (enters && linux_call_state(call) == LINUX_FUTEX) {
        /* Adds the release of a futex, by FUTEX_WAKE or FUTEX_UNLOCK_PI. */
        struct ftrace_place address = ftrace_argument(cursor->d, of), op = address;
        op.offset = (uint16_t)(op.offset + op.size);
        uint64_t command = ftrace_get(record, op) & 0x7f;
        struct tt_action *action =
            command == 1 || command == 7
                ? next_action(batch, TT_ACTION_LOCK_FREE, batch->events[batch->count - 1].thread)
                : NULL;
        if (action) {
            action->value = ftrace_get(record, address);
            action->state = TT_OBJECT_MUTEX;
        }
    }
    bool none = (int64_t)ftrace_get(record, of->at[0]) < 0; /* the end of rt_sigreturn */
    if (!none && linux_call_returns(call)) {
        ftrace_actions_add_slice(batch, enters,
                                 SLICE_CALL | (ftrace_get(record, of->at[0]) & UINT32_MAX),
                                 ftrace_call_type(cursor, call));
    }
}

static uint32_t function_type(struct tt_cursor *cursor, const struct ftrace_event *of,
                              const struct ftrace_record *record, const struct tt_event *event)
{
    return ftrace_function_type(cursor, ftrace_get(record, of->at[1]), event->type);
}

/* ---- every event -------------------------------------------------------------------------- */

/* The first event of a CPU, or after a loss, shows which thread runs there. */
static void add_first(struct tt_cursor *cursor, const struct ftrace_event *of,
                      struct tt_batch *batch)
{
    const struct tt_event *event = &batch->events[batch->count - 1];
    uint64_t since = ftrace_lost_since(cursor->d, cursor->s.page);
    if (since != 0) {
        struct tt_action *action = next_action(batch, TT_ACTION_LOST, TT_NO_THREAD);
        if (action) {
            action->value = since;
        }
        action = next_action(batch, TT_ACTION_LOST_SLICES, TT_NO_THREAD);
        if (action) {
            action->value = since;
            action->cpu = TT_NO_CPU;
        }
    }
    if (event->thread != TT_NO_THREAD && (!of || of->meaning != FTRACE_SWITCH)) {
        struct tt_action *action = next_action(batch, TT_ACTION_STATE, event->thread);
        if (action) {
            action->state = LINUX_RUNNING;
            action->flags = TT_ACTION_RAN_BEFORE;
        }
    }
}

void ftrace_act(struct tt_cursor *cursor, const struct ftrace_event *of,
                const struct ftrace_record *record, const struct ftrace_stream *stream,
                struct tt_batch *batch)
{
    const struct ftrace *ftrace = cursor->d;
    struct tt_event *event = &batch->events[batch->count - 1];
    if (cursor->s.first) {
        cursor->s.first = 0;
        if (ftrace->buffer_count == 1 || ftrace->buffer_of[FTRACE_SWITCH] == stream->buffer) {
            add_first(cursor, of, batch);
        }
    }
    if (of && cursor->learn && !ftrace_has(ftrace, of->meaning)) {
        atomic_store_explicit(&cursor->d->buffer_of[of->meaning], stream->buffer,
                              memory_order_relaxed);
    }
    if (!of || of->meaning == FTRACE_PLAIN || !ftrace_acts(ftrace, of, stream)) {
        tt_batch_note(batch, event);
        return;
    }
    const bool enters = (of->meaning & 1) == 0; /* of those that have an exit */
    char name[40];
    struct tt_text text = tt_text_of(name, sizeof name);
    struct tt_action *action;
    switch ((enum ftrace_meaning)of->meaning) {
    case FTRACE_SWITCH:
        ftrace_actions_add_switch(cursor, of, record, stream, batch);
        break;
    case FTRACE_WAKING:
    case FTRACE_WAKEUP:
    case FTRACE_WAKEUP_NEW:
        ftrace_actions_add_wake(cursor, of, record, batch);
        break;
    case FTRACE_FORK:
    case FTRACE_NEWTASK:
        ftrace_actions_add_birth(cursor, of, record, batch);
        break;
    case FTRACE_RENAME:
    case FTRACE_MIGRATE:
    case FTRACE_EXIT:
        lane_in(cursor, record, of->at[0], of->at[3], event);
        break;
    case FTRACE_SETPRIO:
        action = next_action(batch, TT_ACTION_PRIORITY,
                             lane_in(cursor, record, of->at[0], of->at[3], event));
        if (action) {
            action->priority = linux_priority((int64_t)ftrace_get(record, of->at[1]));
        }
        break;
    case FTRACE_IRQ_ENTRY:
    case FTRACE_IRQ_EXIT:
    case FTRACE_VECTOR_ENTRY:
    case FTRACE_VECTOR_EXIT:
        ftrace_actions_add_interrupt(of, record, batch, enters);
        break;
    case FTRACE_SOFTIRQ_ENTRY:
    case FTRACE_SOFTIRQ_EXIT:
    case FTRACE_TIMER_ENTRY:
    case FTRACE_TIMER_EXIT:
        add_soft(cursor, of, record, batch, enters);
        break;
    case FTRACE_SYS_ENTER:
    case FTRACE_SYS_EXIT:
    case FTRACE_CALL_ENTER:
    case FTRACE_CALL_EXIT:
        ftrace_actions_add_call(cursor, of, record, stream, batch, enters);
        break;
    case FTRACE_WORK_START:
    case FTRACE_WORK_END:
        ftrace_actions_add_slice(batch, enters, SLICE_WORK,
                                 enters ? function_type(cursor, of, record, event) : event->type);
        break;
    case FTRACE_GRAPH_ENTRY:
        ftrace_actions_add_slice(batch, true, SLICE_GRAPH,
                                 function_type(cursor, of, record, event));
        break;
    case FTRACE_GRAPH_EXIT:
        ftrace_actions_add_slice(batch, false, SLICE_GRAPH, event->type);
        break;
    case FTRACE_FREQUENCY:
        tt_text_str(&text, "cpu_frequency:CPU ");
        tt_text_u64(&text, ftrace_get(record, of->at[1]));
        ftrace_add_counter(cursor, batch, name, text.used, (double)ftrace_get(record, of->at[0]));
        break;
    case FTRACE_PRINT:
        ftrace_add_marker(cursor, of, record, batch);
        break;
    default:
        break;
    }
    tt_batch_note(batch, event);
}
