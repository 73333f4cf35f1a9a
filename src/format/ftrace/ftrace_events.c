/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_events: the events that mean something for threads and CPUs, by name (include/trace/events of Linux).
 * The fields that actions need are found once, by name; events of another shape lack places and act less.
 */
#include <string.h>

#include "format/ftrace/ftrace_internal.h"

/* clang-format off */
static const struct {
    const char *system, *name;
    uint8_t meaning, kind;
    const char *fields[FTRACE_PLACES]; /* by their number in `at` */
} meanings[] = {
    {"sched", "sched_switch", FTRACE_SWITCH, TT_KIND_SWITCH, {"prev_pid", "prev_prio", "prev_state", "next_pid", "next_prio", "prev_comm", "next_comm"}},
    {"sched", "sched_waking", FTRACE_WAKING, TT_KIND_WAKEUP, {"pid", "prio", "target_cpu", "comm"}},
    {"sched", "sched_wakeup", FTRACE_WAKEUP, TT_KIND_WAKEUP, {"pid", "prio", "target_cpu", "comm"}},
    {"sched", "sched_wakeup_new", FTRACE_WAKEUP_NEW, TT_KIND_WAKEUP, {"pid", "prio", "target_cpu", "comm"}},
    {"sched", "sched_migrate_task", FTRACE_MIGRATE, TT_KIND_EVENT, {"pid", "prio", "dest_cpu", "comm"}},
    {"sched", "sched_process_fork", FTRACE_FORK, TT_KIND_LIFETIME, {"child_pid", "parent_pid", NULL, "child_comm"}},
    {"sched", "sched_process_exec", FTRACE_EXEC, TT_KIND_LIFETIME, {"pid", "old_pid"}},
    {"sched", "sched_process_exit", FTRACE_EXIT, TT_KIND_LIFETIME, {"pid", "prio", NULL, "comm"}},
    {"sched", "sched_pi_setprio", FTRACE_SETPRIO, TT_KIND_EVENT, {"pid", "newprio", "oldprio", "comm"}},
    {"task", "task_newtask", FTRACE_NEWTASK, TT_KIND_LIFETIME, {"pid", "clone_flags", NULL, "comm"}},
    {"task", "task_rename", FTRACE_RENAME, TT_KIND_LIFETIME, {"pid", NULL, NULL, "newcomm"}},
    {"irq", "irq_handler_entry", FTRACE_IRQ_ENTRY, TT_KIND_INTERRUPT_ENTER, {"irq"}},
    {"irq", "irq_handler_exit", FTRACE_IRQ_EXIT, TT_KIND_INTERRUPT_EXIT, {"irq"}},
    {"irq", "softirq_entry", FTRACE_SOFTIRQ_ENTRY, TT_KIND_INTERRUPT_ENTER, {"vec"}},
    {"irq", "softirq_exit", FTRACE_SOFTIRQ_EXIT, TT_KIND_INTERRUPT_EXIT, {"vec"}},
    {"ipi", "ipi_entry", FTRACE_VECTOR_ENTRY, TT_KIND_INTERRUPT_ENTER, {NULL}},
    {"ipi", "ipi_exit", FTRACE_VECTOR_EXIT, TT_KIND_INTERRUPT_EXIT, {NULL}},
    {"timer", "hrtimer_expire_entry", FTRACE_TIMER_ENTRY, TT_KIND_INTERRUPT_ENTER, {"hrtimer", "function"}},
    {"timer", "hrtimer_expire_exit", FTRACE_TIMER_EXIT, TT_KIND_INTERRUPT_EXIT, {"hrtimer"}},
    {"timer", "timer_expire_entry", FTRACE_TIMER_ENTRY, TT_KIND_INTERRUPT_ENTER, {"timer", "function"}},
    {"timer", "timer_expire_exit", FTRACE_TIMER_EXIT, TT_KIND_INTERRUPT_EXIT, {"timer"}},
    {"raw_syscalls", "sys_enter", FTRACE_SYS_ENTER, TT_KIND_ENTER, {"id", "args"}},
    {"raw_syscalls", "sys_exit", FTRACE_SYS_EXIT, TT_KIND_EXIT, {"id", "ret"}},
    {"lock", "contention_begin", FTRACE_CONTENTION_BEGIN, TT_KIND_EVENT, {"lock_addr", "flags"}},
    {"lock", "contention_end", FTRACE_CONTENTION_END, TT_KIND_EVENT, {"lock_addr", "ret"}},
    {"workqueue", "workqueue_execute_start", FTRACE_WORK_START, TT_KIND_BEGIN, {"work", "function"}},
    {"workqueue", "workqueue_execute_end", FTRACE_WORK_END, TT_KIND_END, {"work", "function"}},
    {"power", "cpu_frequency", FTRACE_FREQUENCY, TT_KIND_COUNTER, {"state", "cpu_id"}},
    {"ftrace", "print", FTRACE_PRINT, TT_KIND_USER, {"ip", NULL, NULL, "buf"}},
    {"ftrace", "bprint", FTRACE_BPRINT, TT_KIND_LOG, {"ip", "fmt", NULL, "buf"}},
    {"ftrace", "bputs", FTRACE_PLAIN, TT_KIND_LOG, {NULL}},
    {"ftrace", "function", FTRACE_FUNCTION, TT_KIND_EVENT, {"ip", "parent_ip"}},
    {"ftrace", "funcgraph_entry", FTRACE_GRAPH_ENTRY, TT_KIND_BEGIN, {"depth", "func"}},
    {"ftrace", "funcgraph_exit", FTRACE_GRAPH_EXIT, TT_KIND_END, {"depth", "func"}},
};
/* clang-format on */

#define MEANINGS (sizeof meanings / sizeof meanings[0])

static void set_places(struct ftrace_event *event, const char *const fields[FTRACE_PLACES])
{
    for (unsigned i = 0; i < FTRACE_PLACES; i++) {
        event->at[i] = fields[i] ? ftrace_place_of(event, fields[i])
                                 : (struct ftrace_place){FTRACE_NONE, 0, false};
    }
}

/* Handlers of local interrupts of x86: local_timer_entry, reschedule_exit, ... */
static bool mean_vector(struct ftrace_event *event)
{
    static const char *const fields[FTRACE_PLACES] = {"vector"};
    const char *end = strrchr(event->name, '_');
    bool entry = end && strcmp(end, "_entry") == 0;
    if (strcmp(event->system, "irq_vectors") != 0 ||
        (!entry && (!end || strcmp(end, "_exit") != 0))) {
        return false;
    }
    event->meaning = entry ? FTRACE_VECTOR_ENTRY : FTRACE_VECTOR_EXIT;
    event->kind = entry ? TT_KIND_INTERRUPT_ENTER : TT_KIND_INTERRUPT_EXIT;
    event->is_clock = strcmp(event->name, "local_timer_entry") == 0;
    set_places(event, fields);
    return true;
}

/* syscalls:sys_enter_NAME and sys_exit_NAME. */
static bool ftrace_events_mean_call(struct ftrace *ftrace, struct ftrace_event *event)
{
    static const char *const fields[FTRACE_PLACES] = {"__syscall_nr", "ret"};
    bool enter = strncmp(event->name, "sys_enter_", 10) == 0;
    if (strcmp(event->system, "syscalls") != 0 ||
        (!enter && strncmp(event->name, "sys_exit_", 9) != 0)) {
        return false;
    }
    event->meaning = enter ? FTRACE_CALL_ENTER : FTRACE_CALL_EXIT;
    event->kind = enter ? TT_KIND_ENTER : TT_KIND_EXIT;
    event->call = linux_call_of_name(event->name + (enter ? 10 : 9));
    set_places(event, fields);
    ftrace->has_waits = true;
    event->at[2] = ftrace_place_of(event, "uaddr");
    if (event->at[0].offset == FTRACE_NONE) {
        event->at[0] = ftrace_place_of(event, "nr"); /* before 4.17 */
    }
    return true;
}

/* The letters of prev_state, from the labels of its print format. */
static void read_letters(struct ftrace *ftrace, const struct ftrace_event *event)
{
    const struct ftrace_field *state = ftrace_field_of(event, "prev_state");
    for (unsigned i = 0; state && i < state->label_count; i++) {
        linux_leave_add(&ftrace->leave, state->labels[i].value, state->labels[i].text[0]);
    }
    linux_leave_finish(&ftrace->leave, ftrace->mark);
}

void ftrace_mean(struct ftrace *ftrace, struct ftrace_event *event)
{
    event->kind = TT_KIND_EVENT;
    event->call = LINUX_NO_CALL;
    if (mean_vector(event) || ftrace_events_mean_call(ftrace, event)) {
        return;
    }
    for (size_t i = 0; i < MEANINGS; i++) {
        if (strcmp(event->name, meanings[i].name) == 0 &&
            strcmp(event->system, meanings[i].system) == 0) {
            event->meaning = meanings[i].meaning;
            event->kind = meanings[i].kind;
            ftrace->has_waits |= event->meaning == FTRACE_SYS_ENTER ||
                                 event->meaning == FTRACE_SYS_EXIT ||
                                 event->meaning == FTRACE_CONTENTION_BEGIN;
            set_places(event, meanings[i].fields);
            if (event->meaning == FTRACE_SWITCH) {
                read_letters(ftrace, event);
            }
            return;
        }
    }
}
