// SPDX-License-Identifier: Apache-2.0
//
// write_linux: writes a run as a Linux capture: trace.dat of trace-cmd, or an LTTng kernel trace.
//
// Mapping: a switch is sched_switch with the state of the outgoing thread, and sched_migrate_task
// before it where the thread ran elsewhere. A wake is sched_waking, then sched_wakeup at the same
// instant. Kernel calls are system calls: locks, semaphores and condition variables are futexes,
// messages sockets. The tick is the local timer's interrupt, in which timers expire; a device is
// irq_handler_entry to irq_handler_exit, and a softirq after it where its number is even. A page
// fault is a contended read of the address space. User events are marks and counters of programs in
// trace_marker. A thread of QNX's is a Linux thread; the first one of a process is created by fork,
// the others by clone. What has no event on Linux is left out: pulses, mappings.

#include "linux_recorder.h"

#include <stdlib.h>
#include <string.h>

enum { FLAG_IRQS_OFF = 0x01, FLAG_RESCHEDULE = 0x04, FLAG_HARDIRQ = 0x08, FLAG_SOFTIRQ = 0x10 };
enum { DEPTH = 8, TIMER_VECTOR = 236, COMM = 16, COMMANDS = 128 };
enum { FUTEX_WAIT = 128, FUTEX_WAKE = 129, FUTEX_LOCK_PI = 134, FUTEX_UNLOCK_PI = 135 };
enum { CLONE_THREAD = 0x3d0f00, CLONE_FORK = 0x1200011 };
enum { READ_CONTENTION = 2, PRIORITY_IDLE = 120 };

struct linux_task {
    uint32_t tid;
    char comm[COMM];
    int32_t cpu; // it ran there last; -1: not seen yet
    bool in_call;
    uint64_t fault; // the lock that it waits for; 0: none
};

struct linux_cpu {
    uint32_t depth;
    struct {
        uint32_t vector;
        bool in_softirq, is_lost; // is_lost: its begin is not in the file
    } frames[DEPTH];
    uint64_t timer; // that expires; 0: none
    bool is_lost;   // the records of the current event
};

struct linux_run {
    struct linux_recorder *file;
    struct sim_counts counts;
    struct linux_task *tasks; // by thread slot
    uint32_t task_count;
    struct linux_cpu cpu[SIM_CPU_MAX];
};

// Threads ----------------------------------------------------------------------------------------

static void set_comm(struct linux_task *task, const char *name)
{
    memset(task->comm, 0, sizeof task->comm);
    for (size_t i = 0; i + 1 < sizeof task->comm && name[i] != '\0'; i++)
        task->comm[i] = name[i];
}

static struct linux_task *task_of(struct linux_run *run, const struct sim_thread *thread)
{
    struct linux_task *task = &run->tasks[thread->index];
    uint32_t tid = (uint32_t)sim_linux_tid(thread);
    if (task->tid == tid && task->comm[0] != '\0')
        return task;
    *task = (struct linux_task){.tid = tid, .cpu = -1};
    set_comm(task, thread->name[0] != '\0' ? thread->name : thread->process->name);
    if (thread->idle) {
        set_comm(task, "swapper/");
        if (thread->cpu >= 10)
            task->comm[8] = (char)('0' + thread->cpu / 10);
        task->comm[strlen(task->comm)] = (char)('0' + thread->cpu % 10);
    }
    return task;
}

// Linux's priorities: 0 is the most urgent, real-time threads have up to 98, normal ones 120.
static uint64_t linux_priority(uint32_t priority)
{
    if (priority == 0)
        return PRIORITY_IDLE;
    if (priority < 10)
        return 130 - priority;
    return priority < 99 ? 99 - priority : 0;
}

static uint8_t flags_of(const struct linux_run *run, const struct sim_event *event)
{
    const struct linux_cpu *cpu = &run->cpu[event->cpu];
    if (cpu->depth == 0)
        return 0;
    return cpu->frames[cpu->depth - 1].in_softirq ? FLAG_SOFTIRQ : FLAG_HARDIRQ | FLAG_IRQS_OFF;
}

// Begins a record in the context of the thread that runs on the CPU.
static void begin(struct linux_run *run, enum ftrace_event kind, const struct sim_event *event)
{
    linux_begin(run->file, kind, event, (uint32_t)sim_linux_tid(event->context),
                flags_of(run, event));
}

static void put_thread(struct linux_run *run, const struct sim_thread *thread)
{
    const struct linux_task *task = task_of(run, thread);
    linux_string(run->file, task->comm);
    linux_number(run->file, task->tid);
    linux_number(run->file, linux_priority(thread->priority));
}

// Scheduling -------------------------------------------------------------------------------------

static uint64_t leaving_state(const struct linux_run *run, const struct sim_event *event)
{
    const struct ftrace_kernel *kernel = run->file->kernel;
    const struct sim_thread *out = event->partner;
    // Threads that are displaced on their way back to user space do not have the mark.
    if (event->flags & SIM_PREEMPT)
        return out->idle || event->time % 4 == 0 ? 0 : kernel->preempted;
    switch (out->state) {
    case SIM_DEAD:
        return out->number == 1 ? kernel->zombie : kernel->dead;
    case SIM_STOPPED:
        return kernel->stopped;
    case SIM_WAITPAGE:
    case SIM_WAITTHREAD:
    case SIM_WAITCTX:
        return kernel->uninterruptible;
    default:
        return kernel->sleeping;
    }
}

static void put_idle(struct linux_run *run, const struct sim_event *event, uint32_t state)
{
    begin(run, FTRACE_CPU_IDLE, event);
    linux_number(run->file, state);
    linux_number(run->file, event->cpu);
    linux_end(run->file);
}

static void put_contention(struct linux_run *run, const struct sim_event *event,
                           const struct sim_thread *thread, bool begins)
{
    struct linux_task *task = task_of(run, thread);
    linux_begin(run->file, begins ? FTRACE_CONTENTION_BEGIN : FTRACE_CONTENTION_END, event,
                task->tid, 0);
    linux_number(run->file, task->fault);
    linux_number(run->file, begins ? READ_CONTENTION : 0);
    linux_end(run->file);
}

static enum sim_written put_switch(struct linux_run *run, const struct sim_event *event)
{
    struct linux_recorder *file = run->file;
    struct linux_task *to = task_of(run, event->thread);
    if (event->flags & SIM_DUMP)
        return SIM_WRITTEN_NONE;
    if (event->partner->idle)
        put_idle(run, event, UINT32_MAX);
    if (to->cpu >= 0 && to->cpu != event->cpu) {
        begin(run, FTRACE_MIGRATE, event);
        put_thread(run, event->thread);
        linux_number(file, (uint64_t)to->cpu);
        linux_number(file, event->cpu);
        linux_end(file);
    }
    linux_begin(file, FTRACE_SWITCH, event, task_of(run, event->partner)->tid,
                FLAG_IRQS_OFF | FLAG_RESCHEDULE);
    put_thread(run, event->partner);
    linux_number(file, leaving_state(run, event));
    put_thread(run, event->thread);
    linux_end(file);
    to->cpu = event->cpu;
    if (to->fault != 0) {
        put_contention(run, event, event->thread, false);
        to->fault = 0;
    }
    if (event->thread->idle) {
        struct sim_event idle = *event;
        idle.context = event->thread;
        put_idle(run, &idle, 1);
    }
    return SIM_WRITTEN;
}

static void put_wakeup(struct linux_run *run, enum ftrace_event kind, const struct sim_event *event)
{
    begin(run, kind, event);
    put_thread(run, event->thread);
    linux_number(run->file, event->thread->cpu);
    linux_end(run->file);
}

// The expiry of a timer ends after the wake that it makes.
static void end_timer(struct linux_run *run, const struct sim_event *event)
{
    struct linux_cpu *cpu = &run->cpu[event->cpu];
    if (cpu->timer == 0)
        return;
    begin(run, FTRACE_HRTIMER_EXIT, event);
    linux_number(run->file, cpu->timer);
    linux_end(run->file);
    cpu->timer = 0;
}

static enum sim_written put_state(struct linux_run *run, const struct sim_event *event)
{
    bool wake = event->code == SIM_READY && event->value[0] != SIM_RUNNING &&
                event->value[0] != SIM_READY && (event->flags & SIM_DUMP) == 0;
    if (!wake)
        return SIM_WRITTEN_NONE;
    put_wakeup(run, FTRACE_WAKING, event);
    put_wakeup(run, FTRACE_WAKEUP, event);
    end_timer(run, event);
    return SIM_WRITTEN;
}

static enum sim_written put_priority(struct linux_run *run, const struct sim_event *event)
{
    const struct linux_task *task = task_of(run, event->thread);
    begin(run, FTRACE_PI_SETPRIO, event);
    linux_string(run->file, task->comm);
    linux_number(run->file, task->tid);
    linux_number(run->file, linux_priority((uint32_t)event->value[1]));
    linux_number(run->file, linux_priority((uint32_t)event->value[0]));
    linux_end(run->file);
    return SIM_WRITTEN;
}

// Creation and end -------------------------------------------------------------------------------

static enum sim_written put_existing(struct linux_run *run, const struct sim_event *event)
{
    if (run->file->form->existing == NULL || event->thread->idle)
        return SIM_WRITTEN_NONE;
    run->file->form->existing(run->file, event, task_of(run, event->thread)->comm);
    return SIM_WRITTEN;
}

// The child has the name of its creator until it is renamed.
static enum sim_written put_fork(struct linux_run *run, const struct sim_event *event)
{
    struct linux_recorder *file = run->file;
    struct linux_task *parent = task_of(run, event->context);
    run->tasks[event->thread->index].comm[0] = '\0';
    struct linux_task *child = task_of(run, event->thread);
    if (event->flags & SIM_DUMP)
        return put_existing(run, event);
    memcpy(child->comm, parent->comm, sizeof child->comm);
    begin(run, FTRACE_NEWTASK, event);
    linux_number(file, child->tid);
    linux_string(file, child->comm);
    linux_number(file, event->thread->number == 1 ? CLONE_FORK : CLONE_THREAD);
    linux_number(file, 0);
    linux_end(file);
    begin(run, FTRACE_FORK, event);
    linux_string(file, parent->comm);
    linux_number(file, parent->tid);
    linux_string(file, child->comm);
    linux_number(file, child->tid);
    linux_end(file);
    put_wakeup(run, FTRACE_WAKEUP_NEW, event);
    return SIM_WRITTEN;
}

static enum sim_written put_rename(struct linux_run *run, const struct sim_event *event)
{
    struct linux_task *task = task_of(run, event->thread);
    struct linux_recorder *file = run->file;
    char before[COMM];
    if (event->flags & SIM_DUMP)
        return SIM_WRITTEN_NONE;
    memcpy(before, task->comm, sizeof before);
    set_comm(task, event->text);
    begin(run, FTRACE_RENAME, event);
    linux_number(file, task->tid);
    linux_string(file, before);
    linux_string(file, task->comm);
    linux_number(file, 0);
    linux_end(file);
    return SIM_WRITTEN;
}

static enum sim_written put_exit(struct linux_run *run, const struct sim_event *event)
{
    if (event->thread != event->context)
        return SIM_WRITTEN_NONE; // ended by another one, without running: Linux has no such end
    begin(run, FTRACE_EXIT, event);
    put_thread(run, event->thread);
    linux_end(run->file);
    return SIM_WRITTEN;
}

// System calls -----------------------------------------------------------------------------------

static enum ftrace_call call_of(uint32_t code)
{
    static const uint8_t calls[SIM_CALLS] = {[SIM_C_TRACE_EVENT] = FTRACE_CALL_WRITE,
                                             [SIM_C_MSG_SENDV] = FTRACE_CALL_SENDTO,
                                             [SIM_C_MSG_RECEIVEV] = FTRACE_CALL_RECVFROM,
                                             [SIM_C_MSG_REPLYV] = FTRACE_CALL_SENDTO,
                                             [SIM_C_MSG_ERROR] = FTRACE_CALL_SENDTO,
                                             [SIM_C_MSG_READV] = FTRACE_CALL_READV,
                                             [SIM_C_MSG_SEND_PULSE] = FTRACE_CALL_WRITE,
                                             [SIM_C_SIGNAL_KILL] = FTRACE_CALL_KILL,
                                             [SIM_C_SIGNAL_WAITINFO] = FTRACE_CALL_SIGWAIT,
                                             [SIM_C_CONNECT_ATTACH] = FTRACE_CALL_CONNECT,
                                             [SIM_C_THREAD_CREATE] = FTRACE_CALL_CLONE,
                                             [SIM_C_THREAD_DESTROY] = FTRACE_CALL_EXIT,
                                             [SIM_C_THREAD_SLAY] = FTRACE_CALL_KILL,
                                             [SIM_C_THREAD_JOIN] = FTRACE_CALL_FUTEX,
                                             [SIM_C_INTERRUPT_WAIT] = FTRACE_CALL_READ,
                                             [SIM_C_TIMER_TIMEOUT] = FTRACE_CALL_NANOSLEEP,
                                             [SIM_C_MUTEX_LOCK] = FTRACE_CALL_FUTEX,
                                             [SIM_C_MUTEX_UNLOCK] = FTRACE_CALL_FUTEX,
                                             [SIM_C_BARRIER_WAIT] = FTRACE_CALL_FUTEX,
                                             [SIM_C_CONDVAR_WAIT] = FTRACE_CALL_FUTEX,
                                             [SIM_C_CONDVAR_SIGNAL] = FTRACE_CALL_FUTEX,
                                             [SIM_C_SEM_POST] = FTRACE_CALL_FUTEX,
                                             [SIM_C_SEM_WAIT] = FTRACE_CALL_FUTEX,
                                             [SIM_C_SCHED_SET] = FTRACE_CALL_SETSCHEDULER,
                                             [SIM_C_SCHED_YIELD] = FTRACE_CALL_YIELD,
                                             [SIM_C_CLOCK_TIME] = FTRACE_CALL_GETTIME,
                                             [SIM_C_QUEUE_SEND] = FTRACE_CALL_FUTEX,
                                             [SIM_C_QUEUE_RECEIVE] = FTRACE_CALL_FUTEX};
    return (enum ftrace_call)calls[code];
}

static uint64_t futex_operation(const struct sim_event *event)
{
    bool inherits = event->value[3] != 0;
    switch (event->code) {
    case SIM_C_MUTEX_LOCK:
        return inherits ? FUTEX_LOCK_PI : FUTEX_WAIT;
    case SIM_C_MUTEX_UNLOCK:
        return inherits ? FUTEX_UNLOCK_PI : FUTEX_WAKE;
    case SIM_C_SEM_POST:
    case SIM_C_CONDVAR_SIGNAL:
        return FUTEX_WAKE;
    default:
        return FUTEX_WAIT;
    }
}

static void fill_arguments(uint64_t *arguments, const struct sim_event *event)
{
    enum ftrace_call call = call_of(event->code);
    for (int i = 0; i < 6; i++)
        arguments[i] = event->value[i];
    if (call == FTRACE_CALL_FUTEX) {
        if (event->code == SIM_C_THREAD_JOIN)
            arguments[0] = 0x7f0000001000 + 0x100 * event->value[0];
        arguments[1] = futex_operation(event);
        arguments[2] = arguments[3] = 0;
    }
}

static enum sim_written put_call(struct linux_run *run, const struct sim_event *event)
{
    struct linux_recorder *file = run->file;
    struct linux_task *task = task_of(run, event->thread);
    bool enters = event->kind == SIM_CALL;
    uint64_t arguments[6];
    if (event->flags & SIM_USERLAND || (!enters && !task->in_call))
        return SIM_WRITTEN_NONE; // not in the kernel, or begun before the trace
    task->in_call = enters && event->code != SIM_C_THREAD_DESTROY;
    begin(run, enters ? FTRACE_SYS_ENTER : FTRACE_SYS_EXIT, event);
    linux_number(file, file->machine->calls[call_of(event->code)]);
    fill_arguments(arguments, event);
    if (enters)
        linux_numbers(file, arguments);
    else
        linux_number(file, 0);
    linux_end(file);
    return SIM_WRITTEN;
}

// Interrupts -------------------------------------------------------------------------------------

// Vector 0 is the tick.
static void put_irq(struct linux_run *run, const struct sim_event *event, uint32_t vector,
                    bool enters)
{
    struct linux_recorder *file = run->file;
    if (vector == 0) {
        begin(run, enters ? FTRACE_LOCAL_TIMER_ENTRY : FTRACE_LOCAL_TIMER_EXIT, event);
        linux_number(file, TIMER_VECTOR);
    } else if (enters) {
        char name[] = "simdev-000";
        for (uint32_t left = vector, at = sizeof name - 2; at > 6 && left > 0; left /= 10)
            name[at--] = (char)('0' + left % 10);
        begin(run, FTRACE_IRQ_ENTRY, event);
        linux_number(file, vector);
        linux_string(file, name);
    } else {
        begin(run, FTRACE_IRQ_EXIT, event);
        linux_number(file, vector);
        linux_number(file, 1);
    }
    linux_end(file);
}

static void put_softirq(struct linux_run *run, const struct sim_event *event,
                        enum ftrace_event kind)
{
    begin(run, kind, event);
    linux_number(run->file, 3); // NET_RX
    linux_end(run->file);
}

static enum sim_written put_interrupt(struct linux_run *run, const struct sim_event *event)
{
    struct linux_cpu *cpu = &run->cpu[event->cpu];
    bool enters = event->kind == SIM_IRQ_ENTER;
    if (enters ? cpu->depth == DEPTH : cpu->depth == 0)
        return SIM_WRITTEN_NONE;
    if (enters) {
        cpu->frames[cpu->depth].vector = event->code;
        cpu->frames[cpu->depth].is_lost = cpu->is_lost;
        cpu->frames[cpu->depth++].in_softirq = false;
        put_irq(run, event, event->code, true);
        return SIM_WRITTEN;
    }
    end_timer(run, event);
    if (cpu->frames[cpu->depth - 1].in_softirq)
        put_softirq(run, event, FTRACE_SOFTIRQ_EXIT);
    else
        put_irq(run, event, event->code, false);
    cpu->depth--;
    return SIM_WRITTEN;
}

// The handler of a device of even number leaves the rest to a softirq, without a gap between them. With
// PREEMPT_RT that would be a thread's: there it only raises it.
static enum sim_written put_handler_end(struct linux_run *run, const struct sim_event *event)
{
    struct linux_cpu *cpu = &run->cpu[event->cpu];
    if (cpu->depth == 0 || event->code == 0 || event->code % 2 != 0 ||
        cpu->frames[cpu->depth - 1].in_softirq || cpu->frames[cpu->depth - 1].is_lost)
        return SIM_WRITTEN_NONE;
    put_softirq(run, event, FTRACE_SOFTIRQ_RAISE);
    if (run->file->kernel->is_rt)
        return SIM_WRITTEN;
    put_irq(run, event, event->code, false);
    cpu->frames[cpu->depth - 1].in_softirq = true;
    put_softirq(run, event, FTRACE_SOFTIRQ_ENTRY);
    return SIM_WRITTEN;
}

static enum sim_written put_timer(struct linux_run *run, const struct sim_event *event)
{
    struct linux_recorder *file = run->file;
    struct linux_cpu *cpu = &run->cpu[event->cpu];
    if (cpu->depth == 0 || cpu->frames[cpu->depth - 1].is_lost)
        return SIM_WRITTEN_NONE; // the interrupt began unseen
    end_timer(run, event);
    bool is64 = file->machine->is64;
    cpu->timer = (is64 ? 0xffff888000000000 : 0xc1000000) + 0x80u * event->thread->index;
    begin(run, FTRACE_HRTIMER_ENTRY, event);
    linux_number(file, cpu->timer);
    linux_number(file, event->time);
    linux_number(file, (is64 ? 0xffffffff81000000 : 0x81000000) + 0x2000);
    linux_end(file);
    return SIM_WRITTEN;
}

// Marks, the rest --------------------------------------------------------------------------------

static void put_mark(struct linux_run *run, const struct sim_event *event, const char *text)
{
    begin(run, FTRACE_PRINT, event);
    linux_number(run->file, (run->file->machine->is64 ? 0xffffffff81000000 : 0x81000000) + 0x5000);
    linux_string(run->file, text);
    linux_end(run->file);
}

// A counter in the form of Android's atrace.
static enum sim_written put_counter(struct linux_run *run, const struct sim_event *event)
{
    struct ftrace_text text = {0};
    ftrace_text_print(&text, "C|%llu|progress-%u|%llu\n",
                      (unsigned long long)sim_linux_pid(event->context), event->code,
                      (unsigned long long)event->value[0]);
    ftrace_text_add(&text, "", 1);
    put_mark(run, event, text.bytes != NULL ? text.bytes : "");
    ftrace_text_free(&text);
    return SIM_WRITTEN;
}

static enum sim_written put_text(struct linux_run *run, const struct sim_event *event)
{
    struct ftrace_text text = {0};
    ftrace_text_print(&text, "%u: %s\n", event->code, event->text);
    ftrace_text_add(&text, "", 1);
    put_mark(run, event, text.bytes != NULL ? text.bytes : "");
    ftrace_text_free(&text);
    return SIM_WRITTEN;
}

static enum sim_written put_line(struct linux_run *run, const struct sim_event *event,
                                 enum ftrace_event kind)
{
    begin(run, kind, event);
    linux_string(run->file, event->text);
    if (kind == FTRACE_OPEN) {
        linux_number(run->file, 0x8000);
        linux_number(run->file, 0);
    }
    linux_end(run->file);
    return SIM_WRITTEN;
}

static enum sim_written put_fault(struct linux_run *run, const struct sim_event *event)
{
    struct linux_recorder *file = run->file;
    struct linux_task *task = task_of(run, event->thread);
    begin(run, FTRACE_PAGE_FAULT, event);
    linux_number(file, event->value[1]);
    linux_number(file, event->value[0]);
    linux_number(file, 4);
    linux_end(file);
    task->fault = (file->machine->is64 ? 0xffff888100000000 : 0xc2000000) +
                  0x400u * (event->thread->process->index + 1);
    put_contention(run, event, event->thread, true);
    return SIM_WRITTEN;
}

static enum sim_written put_signal(struct linux_run *run, const struct sim_event *event)
{
    if (event->code != SIM_COMM_SIGNAL)
        return SIM_WRITTEN_NONE;
    const struct linux_task *task = task_of(run, event->partner);
    begin(run, FTRACE_SIGNAL, event);
    linux_number(run->file, event->value[0]);
    linux_number(run->file, 0);
    linux_number(run->file, 0);
    linux_string(run->file, task->comm);
    linux_number(run->file, task->tid);
    linux_end(run->file);
    return SIM_WRITTEN;
}

static enum sim_written put_slice(struct linux_run *run, const struct sim_event *event)
{
    const struct linux_task *task = task_of(run, event->thread);
    begin(run, FTRACE_STAT_RUNTIME, event);
    linux_string(run->file, task->comm);
    linux_number(run->file, task->tid);
    linux_number(run->file, 4000000);
    linux_number(run->file, event->time / 2);
    linux_end(run->file);
    return SIM_WRITTEN;
}

static enum sim_written dispatch(struct linux_run *run, const struct sim_event *event)
{
    switch (event->kind) {
    case SIM_RUN:
        return put_switch(run, event);
    case SIM_STATE:
        return put_state(run, event);
    case SIM_PRIORITY:
        return put_priority(run, event);
    case SIM_THREAD_CREATE:
        return put_fork(run, event);
    case SIM_THREAD_NAME:
        return put_rename(run, event);
    case SIM_THREAD_DESTROY:
        return put_exit(run, event);
    case SIM_CALL:
    case SIM_CALL_EXIT:
        return put_call(run, event);
    case SIM_COMM:
        return put_signal(run, event);
    case SIM_IRQ_ENTER:
    case SIM_IRQ_EXIT:
        return put_interrupt(run, event);
    case SIM_HANDLER_EXIT:
        return put_handler_end(run, event);
    case SIM_SYS_TIMER:
        return put_timer(run, event);
    case SIM_USER:
        return put_counter(run, event);
    case SIM_USER_TEXT:
        return put_text(run, event);
    case SIM_SYS_SLOG:
        return put_line(run, event, FTRACE_CONSOLE);
    case SIM_SYS_PATH:
        return put_line(run, event, FTRACE_OPEN);
    case SIM_SYS_PAGEWAIT:
        return put_fault(run, event);
    case SIM_TIME_SLICE:
        return put_slice(run, event);
    default:
        return SIM_WRITTEN_NONE;
    }
}

static enum sim_written linux_event(void *self, const struct sim_event *event)
{
    struct linux_run *run = self;
    bool is_lost = run->file->form->room(run->file, event->cpu);
    run->cpu[event->cpu].is_lost = is_lost;
    run->file->is_dropped = false;
    enum sim_written written = dispatch(run, event);
    if (run->file->is_dropped)
        return SIM_WRITTEN_NONE;
    return written == SIM_WRITTEN && is_lost ? SIM_WRITTEN_LOST : written;
}

// The capture ------------------------------------------------------------------------------------

static void linux_free(struct linux_run *run)
{
    if (run->file != NULL)
        run->file->form->close(run->file);
    free(run->tasks);
    free(run);
}

static struct linux_run *linux_open(const struct sim_write_config *config, const char **why)
{
    struct linux_run *run = calloc(1, sizeof *run);
    *why = "out of memory";
    if (run == NULL)
        return NULL;
    run->task_count = config->thread_slots;
    run->tasks = calloc(config->thread_slots, sizeof *run->tasks);
    if (run->tasks == NULL) {
        linux_free(run);
        return NULL;
    }
    return run;
}

static void *ftrace_open(const struct sim_write_config *config, struct sim_out *out,
                         const char **why)
{
    struct linux_run *run = linux_open(config, why);
    if (run != NULL)
        run->file = ftrace_recorder_open(config, out, &run->counts, why);
    if (run != NULL && run->file == NULL) {
        linux_free(run);
        return NULL;
    }
    return run;
}

static void *lttng_open(const struct sim_write_config *config, struct sim_out *out,
                        const char **why)
{
    struct linux_run *run = linux_open(config, why);
    if (run != NULL)
        run->file = lttng_recorder_open(config, out, &run->counts, why);
    if (run != NULL && run->file == NULL) {
        linux_free(run);
        return NULL;
    }
    return run;
}

static void linux_flush(void *self)
{
    struct linux_run *run = self;
    if (run->file->form->flush != NULL)
        run->file->form->flush(run->file);
}

static void linux_close(void *self, struct sim_counts *counts)
{
    struct linux_run *run = self;
    struct ftrace_text commands = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->task_count && count < COMMANDS; i++)
        if (run->tasks[i].tid != 0) {
            ftrace_text_print(&commands, "%u %s\n", run->tasks[i].tid, run->tasks[i].comm);
            count++;
        }
    run->file->form->finish(run->file, &commands);
    *counts = run->counts;
    ftrace_text_free(&commands);
    linux_free(run);
}

static const struct sim_counts *linux_counts(const void *self)
{
    return &((const struct linux_run *)self)->counts;
}

// An interruptible wait is known from its system call; one within a contention is one for a lock.
#define STATES(fault, fault_name)                                                                  \
    .states = {[SIM_DEAD] = {SIM_DEAD, "dead", false},                                             \
               [SIM_RUNNING] = {SIM_RUNNING, "running", false},                                    \
               [SIM_READY] = {SIM_READY, "ready", false},                                          \
               [SIM_STOPPED] = {SIM_STOPPED, "stopped", false},                                    \
               [SIM_SEND] = {SIM_REPLY, "message", true},                                          \
               [SIM_RECEIVE] = {SIM_REPLY, "message", true},                                       \
               [SIM_REPLY] = {SIM_REPLY, "message", true},                                         \
               [SIM_NANOSLEEP] = {SIM_NANOSLEEP, "nanosleep", true},                               \
               [SIM_MUTEX] = {SIM_MUTEX, "futex", true},                                           \
               [SIM_CONDVAR] = {SIM_MUTEX, "futex", true},                                         \
               [SIM_SEM] = {SIM_MUTEX, "futex", true},                                             \
               [SIM_BARRIER] = {SIM_MUTEX, "futex", true},                                         \
               [SIM_JOIN] = {SIM_MUTEX, "futex", true},                                            \
               [SIM_INTR] = {SIM_INTR, "read", true},                                              \
               [SIM_SIGWAITINFO] = {SIM_SIGWAITINFO, "signal", true},                              \
               [SIM_WAITPAGE] = {fault, fault_name, false},                                        \
               [SIM_RWLOCK_READ] = {SIM_RWLOCK_READ, "lock", false},                               \
               [SIM_WAITTHREAD] = {SIM_WAITTHREAD, "blocked", false},                              \
               [SIM_WAITCTX] = {SIM_WAITTHREAD, "blocked", false}},                                \
    .other = {SIM_SIGSUSPEND, "sleeping", false}

static const struct sim_view *ftrace_view(const struct sim_write_config *config)
{
    static const struct sim_view view = {.koids = true,
                                         .linux_ids = true,
                                         .leaves_at_switch = true,
                                         .names_outgoing = true,
                                         .created_ready = true,
                                         .cpu_streams = true,
                                         .names_running = true,
                                         STATES(SIM_RWLOCK_READ, "lock")};
    (void)config;
    return &view;
}

// LTTng records no contentions, and its records do not name the thread that runs.
static const struct sim_view *lttng_view(const struct sim_write_config *config)
{
    static const struct sim_view view = {.koids = true,
                                         .linux_ids = true,
                                         .leaves_at_switch = true,
                                         .names_outgoing = true,
                                         .created_ready = true,
                                         .cpu_streams = true,
                                         STATES(SIM_WAITTHREAD, "blocked")};
    (void)config;
    return &view;
}

const struct sim_writer sim_writer_ftrace = {"ftrace",    false,        NULL,
                                             ftrace_open, linux_event,  linux_flush,
                                             linux_close, linux_counts, ftrace_view};

const struct sim_writer sim_writer_lttng = {"lttng",     false,        "metadata",
                                            lttng_open,  linux_event,  linux_flush,
                                            linux_close, linux_counts, lttng_view};
