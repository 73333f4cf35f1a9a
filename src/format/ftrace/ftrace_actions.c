/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_actions: what events mean for threads and CPUs.
 *
 * Only the events of one instance act, for each meaning (`buffer_of`): another one may have recorded the same
 * switches again. What a decision depends on earlier events for, the learning cursor stores: the state in which a
 * switch leaves its thread (`left`, a byte per switch), and the object that the thread waits for (`waits`).
 */
#include <string.h>

#include "format/ftrace/ftrace_internal.h"
#include "tracetui/object_kind.h"

/* Ids of slices: of a kind and a number; those of one thread nest. */
#define SLICE_CALL UINT64_C(0x100000000)
#define SLICE_WORK UINT64_C(0x200000000)
#define SLICE_SOFT UINT64_C(0x300000000)

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

/* Returns the lane of the pid in a field, and names it by the text in another one. */
static uint32_t lane_in(struct tt_cursor *cursor, const struct ftrace_record *record,
                        struct ftrace_place pid_at, struct ftrace_place comm_at,
                        const struct tt_event *event)
{
    int32_t pid = (int32_t)ftrace_get(record, pid_at);
    uint32_t lane = ftrace_lane(cursor, pid, event->cpu, event->pos);
    if (cursor->learn && comm_at.offset != FTRACE_NONE && comm_at.offset < record->size) {
        ftrace_name(cursor, pid, lane, record->data + comm_at.offset,
                    record->size - comm_at.offset);
    }
    return lane;
}

/* ---- switches ----------------------------------------------------------------------------- */

/* Returns the state in which a switch leaves a thread: what it waits for, as far as earlier events show it. */
static unsigned left_state(const struct ftrace *d, const struct ftrace_task *task,
                           uint64_t prev_state)
{
    unsigned state = linux_leave_state(&d->leave, prev_state);
    if (!task || (state != LINUX_SLEEPING && state != LINUX_BLOCKED)) {
        return state;
    }
    if (task->contended) {
        return LINUX_LOCK;
    }
    unsigned refined = task->call ? linux_call_state(task->call - 1u) : 0;
    return refined != 0 && state == LINUX_SLEEPING ? refined : state;
}

static void learn_left(struct tt_cursor *cursor, const struct tt_event *event, int64_t pid,
                       uint64_t prev_state)
{
    struct ftrace *d = cursor->d;
    const struct ftrace_task *task = ftrace_task_of(d, pid);
    unsigned state = left_state(d, task, prev_state);
    uint8_t *left = tt_column_next(&d->left);
    if (!left) {
        d->no_memory = true;
        return;
    }
    *left = (uint8_t)state;
    tt_column_publish(&d->left);
    if (task && task->object != 0 && linux_object_of_state(state) != TT_OBJECT_NONE) {
        struct ftrace_wait *wait = tt_column_next(&d->waits);
        if (!wait) {
            d->no_memory = true;
            return;
        }
        uint32_t owner = task->owner ? ftrace_known_lane(d, task->owner, 0) : TT_NO_THREAD;
        *wait = (struct ftrace_wait){event->pos, task->object, owner, task->object_kind};
        tt_column_publish(&d->waits);
    }
}

/* Returns what the thread of a switch waits for; NULL if that is not known. */
static const struct ftrace_wait *wait_at(const struct ftrace *d, uint64_t pos)
{
    uint64_t low = 0, high = tt_column_count(&d->waits);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        const struct ftrace_wait *wait = tt_column_at(&d->waits, middle);
        if (wait->pos == pos) {
            return wait;
        }
        if (wait->pos < pos) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

/* Adds the wait for an object that begins with a switch: the switch then finds the thread in its state. */
static void add_wait(struct tt_cursor *cursor, uint32_t thread, unsigned state,
                     struct tt_batch *batch)
{
    const struct tt_event *event = &batch->events[batch->count - 1];
    const struct ftrace_wait *wait = wait_at(cursor->d, event->pos);
    struct tt_action *action = wait ? next_action(batch, TT_ACTION_LOCK_WAIT, thread) : NULL;
    if (!action) {
        return;
    }
    action->value = wait->object;
    action->other = wait->owner;
    action->state = (uint16_t)wait->kind;
    action = next_action(batch, TT_ACTION_STATE, thread);
    if (action) {
        action->state = (uint16_t)state;
    }
}

static void add_switch(struct tt_cursor *cursor, const struct ftrace_event *of,
                       const struct ftrace_record *record, struct tt_batch *batch)
{
    struct ftrace *d = cursor->d;
    const struct tt_event *event = &batch->events[batch->count - 1];
    int32_t pid = (int32_t)ftrace_get(record, of->at[0]);
    uint32_t leaving = lane_in(cursor, record, of->at[0], of->at[5], event);
    uint32_t entering = lane_in(cursor, record, of->at[3], of->at[6], event);
    uint64_t number = cursor->s.switches++;
    if (cursor->learn) {
        learn_left(cursor, event, pid, ftrace_get(record, of->at[2]));
    }
    if (!batch->actions || number >= tt_column_count(&d->left)) {
        return;
    }
    unsigned state = *(const uint8_t *)tt_column_at(&d->left, number);
    if (linux_object_of_state(state) != TT_OBJECT_NONE) {
        add_wait(cursor, leaving, state, batch);
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

static void add_wake(struct tt_cursor *cursor, const struct ftrace_event *of,
                     const struct ftrace_record *record, struct tt_batch *batch)
{
    struct ftrace *d = cursor->d;
    const struct tt_event *event = &batch->events[batch->count - 1];
    uint32_t woken = lane_in(cursor, record, of->at[0], of->at[3], event);
    /* The kernel writes both a waking and a wakeup; the first one is at the waker. */
    if (of->meaning == FTRACE_WAKEUP && d->buffer_of[FTRACE_WAKING] != FTRACE_NONE) {
        return;
    }
    uint64_t flags = ftrace_get(record, d->common_flags);
    bool by_thread = (flags & (LINUX_IN_INTERRUPT | LINUX_IN_SOFTIRQ | LINUX_IN_NMI)) == 0;
    struct tt_action *action = next_action(batch, TT_ACTION_WAKEUP, woken);
    if (action) {
        action->other = by_thread ? event->thread : TT_NO_THREAD;
        action->priority = linux_priority((int64_t)ftrace_get(record, of->at[1]));
    }
}

/* A new thread: of fork, which has no process, and of task_newtask, which comes before it. */
static void add_birth(struct tt_cursor *cursor, const struct ftrace_event *of,
                      const struct ftrace_record *record, struct tt_batch *batch)
{
    const struct tt_event *event = &batch->events[batch->count - 1];
    if (cursor->learn && of->meaning == FTRACE_NEWTASK &&
        (ftrace_get(record, of->at[1]) & LINUX_CLONE_THREAD) != 0 &&
        event->thread != TT_NO_THREAD) {
        struct tt_capture *c = cursor->d->capture;
        struct ftrace_task *task =
            ftrace_task_add(cursor->d, (int32_t)ftrace_get(record, of->at[0]));
        uint32_t process = tt_thread_at(c, event->thread)->process;
        if (task) {
            task->process = (uint32_t)tt_process_at(c, process)->pid;
        }
    }
    uint32_t lane = lane_in(cursor, record, of->at[0], of->at[3], event);
    struct tt_action *action = next_action(batch, TT_ACTION_THREAD_CREATE, lane);
    if (action) {
        action->flags = TT_ACTION_MAY_EXIST;
    }
}

static void add_priority(struct tt_cursor *cursor, const struct ftrace_event *of,
                         const struct ftrace_record *record, struct tt_batch *batch)
{
    struct ftrace *d = cursor->d;
    const struct tt_event *event = &batch->events[batch->count - 1];
    uint32_t lane = lane_in(cursor, record, of->at[0], of->at[3], event);
    int64_t after = (int64_t)ftrace_get(record, of->at[1]);
    int64_t before = (int64_t)ftrace_get(record, of->at[2]);
    struct tt_action *action = next_action(batch, TT_ACTION_PRIORITY, lane);
    if (action) {
        action->priority = linux_priority(after);
    }
    /* A thread that raises another one before it sleeps waits for what that one holds. */
    struct ftrace_task *waiter = ftrace_task_of(d, (int32_t)ftrace_get(record, d->common_pid));
    int32_t owner = (int32_t)ftrace_get(record, of->at[0]);
    if (cursor->learn && waiter && after < before && waiter->object != 0 && owner > 0) {
        waiter->owner = (uint32_t)owner;
    }
}

/* ---- interrupts --------------------------------------------------------------------------- */

/*
 * Of softirqs and timers: within an interrupt they are part of it; in a thread, such as ksoftirqd of PREEMPT_RT, they
 * are slices of it, since the thread may be preempted meanwhile.
 */
static bool is_in_interrupt(const struct ftrace *d, const struct ftrace_record *record)
{
    return (ftrace_get(record, d->common_flags) &
            (LINUX_IN_INTERRUPT | LINUX_IN_SOFTIRQ | LINUX_IN_NMI)) != 0;
}

static void add_interrupt(const struct ftrace_event *of, const struct ftrace_record *record,
                          struct tt_batch *batch, bool enters)
{
    struct tt_action *action = next_action(
        batch, enters ? TT_ACTION_INTERRUPT_ENTER : TT_ACTION_INTERRUPT_LEAVE, TT_NO_THREAD);
    if (action) {
        action->value = ftrace_get(record, of->at[0]);
    }
}

static void add_slice(struct tt_batch *batch, bool begins, uint64_t id, uint32_t type)
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
    if (is_in_interrupt(cursor->d, record)) {
        add_interrupt(of, record, batch, enters);
        return;
    }
    event->kind = enters ? TT_KIND_BEGIN : TT_KIND_END;
    add_slice(batch, enters, SLICE_SOFT | (of->meaning & 0xfe), event->type);
}

/* ---- calls -------------------------------------------------------------------------------- */

uint32_t ftrace_call_type(struct tt_cursor *cursor, uint32_t call)
{
    struct ftrace *d = cursor->d;
    uint32_t place = call < LINUX_CALLS ? call : LINUX_CALLS;
    uint32_t type = atomic_load_explicit(&d->call_types[place], memory_order_acquire);
    if (type == 0 && cursor->learn) {
        type = tt_types_add(d->capture, "syscall", linux_call_name(place), call, TT_KIND_EVENT) + 1;
        atomic_store_explicit(&d->call_types[place], type, memory_order_release);
    }
    return type - 1;
}

/* Returns whether a call never returns: exit, exit_group, rt_sigreturn. */
static bool has_no_exit(const char *name)
{
    return strcmp(name, "exit") == 0 || strcmp(name, "exit_group") == 0 ||
           strcmp(name, "rt_sigreturn") == 0 || strcmp(name, "sigreturn") == 0;
}

static bool is_call(unsigned call, const char *name)
{
    return call < LINUX_CALLS && strcmp(linux_call_name(call), name) == 0;
}

static void learn_call(struct tt_cursor *cursor, const struct ftrace_event *of,
                       const struct ftrace_record *record, unsigned call, bool enters)
{
    struct ftrace *d = cursor->d;
    struct ftrace_task *task = ftrace_task_of(d, (int32_t)ftrace_get(record, d->common_pid));
    if (!task) {
        return;
    }
    task->call = enters ? (uint16_t)(call + 1) : 0;
    if (!task->contended) {
        task->object = 0;
        task->owner = 0;
    }
    struct ftrace_place argument = of->at[1]; /* args[0] of sys_enter: uaddr of futex */
    if (of->meaning == FTRACE_CALL_ENTER) {
        argument = ftrace_place_of(of, "uaddr");
    } else {
        argument.size = d->kernel_long;
    }
    if (enters && (is_call(call, "futex") || is_call(call, "futex_time64"))) {
        task->object = ftrace_get(record, argument);
        task->object_kind = TT_OBJECT_MUTEX;
    }
}

static void add_call(struct tt_cursor *cursor, const struct ftrace_event *of,
                     const struct ftrace_record *record, struct tt_batch *batch, bool enters)
{
    struct ftrace *d = cursor->d;
    bool raw = of->meaning == FTRACE_SYS_ENTER || of->meaning == FTRACE_SYS_EXIT;
    uint64_t number = ftrace_get(record, of->at[0]);
    unsigned call = !raw                          ? of->call
                    : number < LINUX_CALL_NUMBERS ? d->calls[number]
                                                  : LINUX_NO_CALL;
    if (!raw && d->buffer_of[FTRACE_SYS_ENTER] != FTRACE_NONE) {
        return; /* the raw events have all calls */
    }
    if (cursor->learn) {
        learn_call(cursor, of, record, call, enters);
    }
    if (call >= LINUX_CALLS || !has_no_exit(linux_call_name(call))) {
        add_slice(batch, enters, SLICE_CALL | (number & UINT32_MAX),
                  ftrace_call_type(cursor, call));
    }
}

static void learn_contention(struct tt_cursor *cursor, const struct ftrace_event *of,
                             const struct ftrace_record *record)
{
    const struct ftrace *d = cursor->d;
    struct ftrace_task *task = ftrace_task_of(d, (int32_t)ftrace_get(record, d->common_pid));
    if (task && of->meaning == FTRACE_CONTENTION_BEGIN) {
        task->contended = true;
        task->object = ftrace_get(record, of->at[0]);
        task->object_kind = (uint8_t)linux_lock_kind(ftrace_get(record, of->at[1]));
        task->owner = 0;
    } else if (task) {
        task->contended = false;
        task->object = 0;
    }
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
    const struct ftrace *d = cursor->d;
    struct tt_event *event = &batch->events[batch->count - 1];
    if (cursor->s.first) {
        cursor->s.first = 0;
        if (d->buffer_of[FTRACE_SWITCH] == stream->buffer) {
            add_first(cursor, of, batch);
        }
    }
    if (!of || of->meaning == FTRACE_PLAIN ||
        (d->buffer_of[of->meaning] != stream->buffer && d->buffer_count > 1)) {
        tt_batch_note(batch, event);
        return;
    }
    switch ((enum ftrace_meaning)of->meaning) {
    case FTRACE_SWITCH:
        add_switch(cursor, of, record, batch);
        break;
    case FTRACE_WAKING:
    case FTRACE_WAKEUP:
    case FTRACE_WAKEUP_NEW:
        add_wake(cursor, of, record, batch);
        break;
    case FTRACE_FORK:
    case FTRACE_NEWTASK:
        add_birth(cursor, of, record, batch);
        break;
    case FTRACE_RENAME:
    case FTRACE_MIGRATE:
    case FTRACE_EXIT:
        lane_in(cursor, record, of->at[0], of->at[3], event);
        break;
    case FTRACE_SETPRIO:
        add_priority(cursor, of, record, batch);
        break;
    case FTRACE_IRQ_ENTRY:
    case FTRACE_VECTOR_ENTRY:
        add_interrupt(of, record, batch, true);
        break;
    case FTRACE_IRQ_EXIT:
    case FTRACE_VECTOR_EXIT:
        add_interrupt(of, record, batch, false);
        break;
    case FTRACE_SOFTIRQ_ENTRY:
    case FTRACE_TIMER_ENTRY:
        add_soft(cursor, of, record, batch, true);
        break;
    case FTRACE_SOFTIRQ_EXIT:
    case FTRACE_TIMER_EXIT:
        add_soft(cursor, of, record, batch, false);
        break;
    case FTRACE_SYS_ENTER:
    case FTRACE_CALL_ENTER:
        add_call(cursor, of, record, batch, true);
        break;
    case FTRACE_SYS_EXIT:
    case FTRACE_CALL_EXIT:
        add_call(cursor, of, record, batch, false);
        break;
    case FTRACE_CONTENTION_BEGIN:
    case FTRACE_CONTENTION_END:
        if (cursor->learn) {
            learn_contention(cursor, of, record);
        }
        break;
    case FTRACE_WORK_START:
    case FTRACE_WORK_END:
        add_slice(batch, of->meaning == FTRACE_WORK_START, SLICE_WORK, event->type);
        break;
    default:
        break;
    }
    tt_batch_note(batch, event);
}
