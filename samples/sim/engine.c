// SPDX-License-Identifier: Apache-2.0
//
// engine: CPUs, time, interrupts and scheduling. engine.h describes the time of a CPU, sim.h the
// emitted events.

#include "engine.h"

#include <string.h>

// Sources in the queue: three per CPU, then the devices.
enum { STEP, RESCHED, SLICE, PER_CPU };

static uint32_t source_of(const struct sim_cpu *cpu, uint32_t which)
{
    return cpu->number * (uint32_t)PER_CPU + which;
}

uint64_t sim_ticks(const struct sim *sim, uint64_t ns)
{
    uint64_t hz = sim->config.clock_hz;
    uint64_t ticks = ns / 1000000000u * hz + ns % 1000000000u * hz / 1000000000u;
    return ticks == 0 ? 1 : ticks;
}

uint64_t sim_about(struct sim *sim, uint32_t mean)
{
    return 1 + mean / 2 + sim_rng_below(&sim->rng, mean + 1u);
}

// Events -----------------------------------------------------------------------------------------

struct sim_event *sim_begin(struct sim *sim, enum sim_kind kind)
{
    struct sim_event *event = &sim->event;
    bool tie = sim->config.ties && sim->here->stamp < sim->now && sim_rng_below(&sim->rng, 4) == 0;
    if (!tie)
        sim->now += sim_about(sim, sim->cost_event);
    sim->here->stamp = sim->now;
    event->time = sim->now;
    event->cpu = sim->here->number;
    event->kind = (uint8_t)kind;
    event->flags = 0;
    event->code = 0;
    event->context = event->thread = &sim->here->current->pub;
    event->object = 0;
    event->bytes = 0;
    event->wake = (struct sim_wake_cause){0};
    memset(event->value, 0, sizeof event->value);
    event->partner = NULL;
    event->process = NULL;
    event->partner_pid = 0;
    event->text = NULL;
    return event;
}

// Events before tracing starts, of which a run has some ten thousand.
#define WARM_UP_MOST 10000000u

void sim_emit(struct sim *sim)
{
    if (!sim->tracing && ++sim->warm_up > WARM_UP_MOST)
        sim->done = true;
    if (!sim->tracing || sim->done)
        return;
    for (size_t i = 0; i < sim->sink_count; i++)
        if (!sim->sinks[i].event(sim->sinks[i].self, &sim->event))
            sim->done = true;
}

// Lists ------------------------------------------------------------------------------------------

void sim_list_append(struct sim_list *list, struct sim_task *task)
{
    task->on = list;
    task->next = NULL;
    task->previous = list->tail;
    if (list->tail != NULL)
        list->tail->next = task;
    else
        list->head = task;
    list->tail = task;
}

void sim_list_prepend(struct sim_list *list, struct sim_task *task)
{
    task->on = list;
    task->previous = NULL;
    task->next = list->head;
    if (list->head != NULL)
        list->head->previous = task;
    else
        list->tail = task;
    list->head = task;
}

void sim_list_by_priority(struct sim_list *list, struct sim_task *task)
{
    struct sim_task *after = list->tail;
    while (after != NULL && after->pub.priority < task->pub.priority)
        after = after->previous;
    if (after == NULL) {
        sim_list_prepend(list, task);
    } else if (after == list->tail) {
        sim_list_append(list, task);
    } else {
        task->on = list;
        task->previous = after;
        task->next = after->next;
        after->next->previous = task;
        after->next = task;
    }
}

void sim_list_remove(struct sim_task *task)
{
    struct sim_list *list = task->on;
    if (list == NULL)
        return;
    if (task->previous != NULL)
        task->previous->next = task->next;
    else
        list->head = task->next;
    if (task->next != NULL)
        task->next->previous = task->previous;
    else
        list->tail = task->previous;
    task->on = NULL;
}

static void ready_mark(struct sim *sim, unsigned priority)
{
    sim->ready_bits[priority / 64] |= 1ull << (priority % 64);
}

static void ready_put(struct sim *sim, struct sim_task *task, bool first)
{
    struct sim_list *list = &sim->ready[task->pub.priority];
    if (first)
        sim_list_prepend(list, task);
    else
        sim_list_append(list, task);
    ready_mark(sim, task->pub.priority);
}

static void ready_take(struct sim *sim, struct sim_task *task)
{
    struct sim_list *list = task->on;
    sim_list_remove(task);
    if (list->head == NULL) {
        size_t priority = (size_t)(list - sim->ready);
        sim->ready_bits[priority / 64] &= ~(1ull << (priority % 64));
    }
}

static bool may_run_on(const struct sim_task *task, const struct sim_cpu *cpu)
{
    return task->bound_cpu < 0 || task->bound_cpu == cpu->number;
}

// Returns the ready task of highest priority that may run on this CPU, or NULL.
static struct sim_task *ready_best(struct sim *sim, const struct sim_cpu *cpu)
{
    for (int word = 3; word >= 0; word--) {
        uint64_t bits = sim->ready_bits[word];
        while (bits != 0) {
            int bit = 63 - __builtin_clzll(bits);
            for (struct sim_task *t = sim->ready[word * 64 + bit].head; t != NULL; t = t->next)
                if (may_run_on(t, cpu))
                    return t;
            bits &= ~(1ull << bit);
        }
    }
    return NULL;
}

// A CPU and its queue ----------------------------------------------------------------------------

static void find_cpu(struct sim *sim, struct sim_task *task);

static void freeze(struct sim *sim, struct sim_cpu *cpu)
{
    uint32_t step = source_of(cpu, STEP);
    if (!sim_queue_has(&sim->queue, step))
        return;
    uint64_t due = sim_queue_time(&sim->queue, step);
    uint64_t need = due > sim->now ? due - sim->now : 0;
    if (cpu->depth > 0)
        cpu->frames[cpu->depth - 1].need = need;
    else
        cpu->current->need = need;
    sim_queue_cancel(&sim->queue, step);
}

static void arm_slice(struct sim *sim, struct sim_cpu *cpu)
{
    const struct sim_task *task = cpu->current;
    if (task->pub.idle || task->pub.policy != SIM_RR)
        sim_queue_cancel(&sim->queue, source_of(cpu, SLICE));
    else
        sim_queue_set(&sim->queue, source_of(cpu, SLICE), sim->now + sim->slice);
}

// Puts a task on the CPU. The kernel records the new task first, then the displaced one.
static void switch_to(struct sim *sim, struct sim_cpu *cpu, struct sim_task *to)
{
    struct sim_task *from = cpu->current;
    bool displaced = from->pub.state == SIM_RUNNING;
    if (to->on != NULL)
        ready_take(sim, to);
    struct sim_event *event = sim_begin(sim, SIM_RUN);
    event->thread = &to->pub;
    event->partner = &from->pub;
    event->flags = displaced ? SIM_PREEMPT : 0;
    cpu->current = to;
    to->pub.state = SIM_RUNNING;
    to->pub.cpu = cpu->number;
    sim_emit(sim);
    if (displaced) {
        from->pub.state = SIM_READY;
        event = sim_begin(sim, SIM_STATE);
        event->thread = &from->pub;
        event->code = SIM_READY;
        event->value[0] = SIM_RUNNING;
        sim_emit(sim);
        if (!from->pub.idle) {
            ready_put(sim, from, !sim->slice_over);
            find_cpu(sim, from);
        }
    }
    arm_slice(sim, cpu);
}

static void reschedule(struct sim *sim, struct sim_cpu *cpu)
{
    struct sim_task *current = cpu->current;
    bool running = current->pub.state == SIM_RUNNING;
    cpu->resched = false;
    cpu->kick_priority = 0;
    sim_queue_cancel(&sim->queue, source_of(cpu, RESCHED));
    struct sim_task *best = ready_best(sim, cpu);
    struct sim_task *handoff = cpu->handoff;
    cpu->handoff = NULL;
    bool waits = handoff != NULL && best != NULL && best->pub.priority > handoff->pub.priority;
    if (handoff != NULL && !waits)
        best = handoff;
    if (best == NULL) {
        if (!running)
            switch_to(sim, cpu, cpu->idle);
    } else if (!running || current->pub.idle || best->pub.priority > current->pub.priority ||
               (sim->slice_over && best->pub.priority == current->pub.priority)) {
        switch_to(sim, cpu, best);
    }
    if (waits)
        sim_wake(sim, handoff, SIM_WAKE_NONE, 0);
}

static void settle(struct sim *sim, struct sim_cpu *cpu)
{
    if (cpu->depth == 0 && (cpu->resched || cpu->current->pub.state != SIM_RUNNING))
        reschedule(sim, cpu);
    sim->slice_over = false;
    uint32_t step = source_of(cpu, STEP);
    if (cpu->depth > 0)
        sim_queue_set(&sim->queue, step, sim->now + cpu->frames[cpu->depth - 1].need);
    else if (!cpu->current->pub.idle)
        sim_queue_set(&sim->queue, step, sim->now + cpu->current->need);
    else
        sim_queue_cancel(&sim->queue, step);
}

// Selection of threads ---------------------------------------------------------------------------

// Returns the priority that a task must exceed to run on this CPU.
static int priority_on(const struct sim_cpu *cpu)
{
    int running = -1;
    if (cpu->current->pub.state == SIM_RUNNING && !cpu->current->pub.idle)
        running = cpu->current->pub.priority;
    return cpu->kick_priority > running ? cpu->kick_priority : running;
}

static void kick(struct sim *sim, struct sim_cpu *cpu, uint8_t priority)
{
    cpu->kick_priority = priority;
    if (cpu == sim->here)
        cpu->resched = true;
    else if (!sim_queue_has(&sim->queue, source_of(cpu, RESCHED)))
        sim_queue_set(&sim->queue, source_of(cpu, RESCHED),
                      sim->now + sim_about(sim, sim->cost_ipi));
}

// Finds the CPU where a ready task preempts: its last CPU if possible, else the CPU of lowest
// priority.
static void find_cpu(struct sim *sim, struct sim_task *task)
{
    struct sim_cpu *least = &sim->cpu[task->pub.cpu];
    if (!may_run_on(task, least))
        least = &sim->cpu[task->bound_cpu];
    if (task->bound_cpu < 0 && priority_on(least) >= 0)
        for (uint32_t i = 0; i < sim->config.cpus; i++)
            if (priority_on(&sim->cpu[i]) < priority_on(least))
                least = &sim->cpu[i];
    if (task->pub.priority > priority_on(least))
        kick(sim, least, task->pub.priority);
}

// Causes of waits --------------------------------------------------------------------------------

// Emits the cause of a task's wait, for the truth only: it is no event of the trace and takes no
// time.
static void emit_waits_for(struct sim *sim, const struct sim_task *task)
{
    struct sim_event *event = &sim->event;
    memset(event, 0, sizeof *event);
    event->time = sim->now;
    event->cpu = sim->here->number;
    event->kind = SIM_WAITS_FOR;
    event->code = task->waits_for.kind;
    event->context = &sim->here->current->pub;
    event->thread = &task->pub;
    event->partner = task->waits_for.thread != NULL ? &task->waits_for.thread->pub : NULL;
    event->process = task->waits_for.process;
    event->value[0] = task->waits_for.object;
    sim_emit(sim);
}

void sim_emit_taken(struct sim *sim, const struct sim_task *task, const struct sim_mqueue *queue,
                    const struct sim_entry *entry, uint64_t received)
{
    struct sim_event *event = &sim->event;
    memset(event, 0, sizeof *event);
    event->time = sim->now;
    event->cpu = sim->here->number;
    event->kind = SIM_ENTRY_TAKEN;
    event->context = &sim->here->current->pub;
    event->thread = &task->pub;
    event->partner = entry->sender;
    event->value[0] = queue->address;
    event->value[1] = entry->sent;
    event->value[2] = received;
    sim_emit(sim);
}

void sim_wait_for(struct sim *sim, struct sim_task *task, enum sim_wait_kind kind,
                  const struct sim_task *thread, const struct sim_process *process, uint64_t object)
{
    if (kind == SIM_WAIT_NONE && task->waits_for.kind == SIM_WAIT_NONE)
        return;
    task->waits_for.kind = (uint8_t)kind;
    task->waits_for.thread = thread;
    task->waits_for.process = process;
    task->waits_for.object = object;
    emit_waits_for(sim, task);
}

void sim_emit_waits(struct sim *sim)
{
    for (uint32_t i = 0; i < sim->task_count; i++)
        if (sim->tasks[i].pub.alive && sim->tasks[i].waits_for.kind != SIM_WAIT_NONE)
            emit_waits_for(sim, &sim->tasks[i]);
}

static const struct sim_device *interrupt_of(const struct sim *sim, const struct sim_cpu *cpu)
{
    if (cpu->depth > 0)
        return &sim->scenario->devices[cpu->frames[cpu->depth - 1].device];
    return cpu->delivering;
}

static struct sim_wake_cause cause_of(const struct sim *sim, enum sim_wake_kind kind,
                                      uint64_t object)
{
    struct sim_wake_cause cause = {.kind = (uint8_t)kind, .object = object};
    const struct sim_device *device = interrupt_of(sim, sim->here);
    if (device != NULL) {
        cause.interrupt = true;
        cause.vector = device->vector;
        if (kind != SIM_WAKE_TIMER)
            cause.kind = SIM_WAKE_INTERRUPT;
    }
    return cause;
}

void sim_wake(struct sim *sim, struct sim_task *task, enum sim_wake_kind kind, uint64_t object)
{
    sim_list_remove(task);
    sim_queue_cancel(&sim->timers, task->pub.index);
    struct sim_event *event = sim_begin(sim, SIM_STATE);
    event->thread = &task->pub;
    event->code = SIM_READY;
    event->value[0] = task->pub.state;
    event->wake = cause_of(sim, kind, object);
    task->woken = event->time;
    task->pub.state = SIM_READY;
    sim_emit(sim);
    sim_wait_for(sim, task, SIM_WAIT_NONE, NULL, NULL, 0);
    ready_put(sim, task, false);
    find_cpu(sim, task);
}

void sim_block(struct sim *sim, struct sim_task *task, enum sim_state state, uint64_t object)
{
    bool qnx80 = sim->config.model == SIM_QNX80;
    bool of_queue = state == SIM_MQ_SEND || state == SIM_MQ_RECEIVE;
    if (state > SIM_WAITCTX && !qnx80 && !(of_queue && sim->config.has_queues))
        state = SIM_CONDVAR; // older kernels implement such objects by condition variables
    else if (state == SIM_WAITTHREAD && qnx80)
        state = SIM_WAITCTX;
    struct sim_event *event = sim_begin(sim, SIM_STATE);
    task->pub.state = (uint8_t)state;
    event->thread = &task->pub;
    event->code = state;
    event->value[0] = object;
    sim_emit(sim);
}

void sim_set_priority(struct sim *sim, struct sim_task *task, uint8_t priority)
{
    uint8_t old = task->pub.priority;
    if (old == priority)
        return;
    struct sim_event *event = sim_begin(sim, SIM_PRIORITY);
    event->thread = &task->pub;
    event->value[0] = priority;
    event->value[1] = old;
    bool ready = task->pub.state == SIM_READY && task->on != NULL;
    if (ready)
        ready_take(sim, task);
    task->pub.priority = priority;
    sim_emit(sim);
    if (ready) {
        ready_put(sim, task, false);
        if (priority > old)
            find_cpu(sim, task);
    } else if (task->on != NULL) {
        struct sim_list *list = task->on;
        sim_list_remove(task);
        sim_list_by_priority(list, task);
    } else if (task->pub.state == SIM_RUNNING && priority < old) {
        struct sim_cpu *cpu = &sim->cpu[task->pub.cpu];
        const struct sim_task *best = ready_best(sim, cpu);
        if (best != NULL && best->pub.priority > priority)
            kick(sim, cpu, best->pub.priority);
    }
}

void sim_yield(struct sim *sim)
{
    sim->slice_over = true;
    sim->here->resched = true;
}

// Interrupts -------------------------------------------------------------------------------------

static uint64_t interrupted_ip(struct sim *sim)
{
    uint64_t base = sim->here->current->pub.idle ? 0xf0080000u : 0x08050000u;
    return base + (sim_rng_next(&sim->rng) & 0xfffcu);
}

static void expire_timers(struct sim *sim)
{
    while (sim_queue_first(&sim->timers) <= sim->now) {
        struct sim_task *task = &sim->tasks[sim_queue_take(&sim->timers).source];
        struct sim_event *event = sim_begin(sim, SIM_SYS_TIMER);
        event->thread = &task->pub;
        event->value[0] = UINT64_MAX;
        event->value[1] = 0;
        sim_emit(sim);
        if (task->pub.state == SIM_SEND || task->pub.state == SIM_REPLY)
            sim_message_timeout(sim, task);
        else
            sim_wake(sim, task, SIM_WAKE_TIMER, 0);
    }
}

static void deliver(struct sim *sim, const struct sim_device *device)
{
    if (device == sim->scenario->devices)
        expire_timers(sim);
    if (device->intr >= 0) {
        struct sim_interrupt_object *object = &sim->interrupts[device->intr];
        struct sim_task *waiter = object->waiter;
        object->waiter = NULL;
        object->pending = waiter == NULL;
        if (waiter != NULL)
            sim_wake(sim, waiter, SIM_WAKE_INTERRUPT, device->vector);
    }
    if (device->pulse_chan >= 0)
        sim_pulse_send(sim, (uint32_t)device->pulse_chan, device->vector, device->level,
                       SIM_COMM_SPULSE_EXE);
}

static void handler_event(struct sim *sim, const struct sim_device *device, bool enter)
{
    struct sim_event *event = sim_begin(sim, enter ? SIM_HANDLER_ENTER : SIM_HANDLER_EXIT);
    event->code = device->vector;
    event->process = &sim->processes[device->owner];
    if (enter) {
        event->value[0] = 0x080b7000u + device->vector * 0x40u;
        event->value[1] = device->owner == 0 ? 0 : 0x0812a000u + device->vector * 0x20u;
    } else if (device->intr >= 0) {
        event->value[0] = 6; // SIGEV_INTR
        event->value[1] = device->vector;
        event->object = (uint32_t)device->intr;
    }
    sim_emit(sim);
}

// Executes the next action of the innermost interrupt: its handlers one after the other, then the
// exit.
static void interrupt_step(struct sim *sim, struct sim_cpu *cpu)
{
    struct sim_frame *frame = &cpu->frames[cpu->depth - 1];
    const struct sim_device *device = &sim->scenario->devices[frame->device];
    if (frame->phase < 2 * device->handlers) {
        bool enter = frame->phase % 2 == 0;
        handler_event(sim, device, enter);
        if (!enter && frame->phase + 1 == 2 * device->handlers)
            deliver(sim, device);
        frame->phase++;
        frame->need = sim_about(sim, enter ? 2 * sim->cost_irq : sim->cost_irq / 2);
        return;
    }
    struct sim_event *event = sim_begin(sim, SIM_IRQ_EXIT);
    event->code = device->vector;
    event->value[0] = cpu->current->phase != 0;
    event->value[2] = device->fast;
    cpu->depth--;
    sim_emit(sim);
}

static void plan_device(struct sim *sim, uint32_t n)
{
    const struct sim_device *device = &sim->scenario->devices[n];
    uint64_t wait = 1;
    if (n == 0) {
        // The tick is exact: a late service does not delay the next one.
        sim->tick_due += sim->tick;
        if (sim->tick_due > sim->now)
            wait = sim->tick_due - sim->now;
    } else {
        uint64_t mean = sim_ticks(sim, device->mean_us * 1000ull);
        if (sim->config.rate != 0)
            mean = sim->config.clock_hz * (sim->device_count - 1) / sim->config.rate;
        // Uneven: mostly short, sometimes long; the mean is `mean`.
        wait = 1 + mean / 8 + mean * sim_rng_below(&sim->rng, 1024) / 1024;
        if (sim_rng_below(&sim->rng, 8) == 0)
            wait += 3 * mean;
    }
    sim_queue_set(&sim->queue, sim->config.cpus * PER_CPU + n, sim->now + wait);
}

static void interrupt(struct sim *sim, uint32_t n)
{
    const struct sim_device *device = &sim->scenario->devices[n];
    uint32_t number = device->cpu >= 0 ? (uint32_t)device->cpu % sim->config.cpus
                                       : sim_rng_below(&sim->rng, sim->config.cpus);
    struct sim_cpu *cpu = &sim->cpu[number];
    const struct sim_device *inner =
        cpu->depth == 0 ? NULL : &sim->scenario->devices[cpu->frames[cpu->depth - 1].device];
    if (inner != NULL && (inner->level >= device->level || cpu->depth == SIM_FRAMES)) {
        // Masked: pending until the current one is done.
        sim_queue_set(&sim->queue, sim->config.cpus * PER_CPU + n,
                      sim->now + sim_about(sim, 4 * sim->cost_irq));
        return;
    }
    sim->here = cpu;
    freeze(sim, cpu);
    if (sim->config.model == SIM_QNX80) {
        if (n > 0 || sim_queue_first(&sim->timers) <= sim->now) {
            struct sim_event *event = sim_begin(sim, SIM_IRQ_DELIVER);
            event->code = device->vector;
            sim_emit(sim);
            cpu->delivering = device;
            deliver(sim, device);
            cpu->delivering = NULL;
        }
    } else {
        struct sim_event *event = sim_begin(sim, SIM_IRQ_ENTER);
        event->code = device->vector;
        event->value[0] = interrupted_ip(sim);
        event->value[1] = cpu->depth;
        event->value[2] = device->fast;
        sim_emit(sim);
        cpu->frames[cpu->depth++] =
            (struct sim_frame){(uint16_t)n, 0, sim_about(sim, sim->cost_irq)};
    }
    settle(sim, cpu);
    plan_device(sim, n);
}

// The run ----------------------------------------------------------------------------------------

static void slice_end(struct sim *sim, struct sim_cpu *cpu)
{
    const struct sim_task *current = cpu->current;
    const struct sim_task *best = ready_best(sim, cpu);
    bool due = current->pub.state == SIM_RUNNING && current->pub.policy == SIM_RR && best != NULL &&
               best->pub.priority >= current->pub.priority;
    if (!due || cpu->depth > 0) {
        sim_queue_set(&sim->queue, source_of(cpu, SLICE),
                      sim->now + (due ? sim_about(sim, 8 * sim->cost_irq) : sim->slice));
        return;
    }
    sim_begin(sim, SIM_TIME_SLICE);
    sim_emit(sim);
    sim_yield(sim);
}

static void cpu_turn(struct sim *sim, struct sim_cpu *cpu, uint32_t which)
{
    sim->here = cpu;
    freeze(sim, cpu);
    if (which == SLICE)
        slice_end(sim, cpu);
    else if (which == RESCHED)
        cpu->resched = true;
    else if (cpu->depth > 0)
        interrupt_step(sim, cpu);
    else
        sim_act(sim, cpu->current);
    settle(sim, cpu);
}

bool sim_run(struct sim *sim, struct sim_sink *sinks, size_t sink_count)
{
    sim->sinks = sinks;
    sim->sink_count = sink_count;
    uint32_t devices = sim->config.cpus * PER_CPU;
    for (uint32_t i = 0; i < sim->device_count; i++)
        plan_device(sim, i);
    for (uint32_t i = 0; i < sim->config.cpus; i++) {
        sim->here = &sim->cpu[i];
        sim->here->resched = true;
        settle(sim, sim->here);
    }
    while (!sim->done) {
        struct sim_appointment next = sim_queue_take(&sim->queue);
        if (next.time > sim->now)
            sim->now = next.time;
        if (sim->end != 0 && sim->tracing && sim->now >= sim->end)
            break;
        if (next.source < devices)
            cpu_turn(sim, &sim->cpu[next.source / PER_CPU], next.source % PER_CPU);
        else
            interrupt(sim, next.source - devices);
    }
    if (!sim->tracing && sim->warm_up > WARM_UP_MOST)
        return false;
    if (sim->config.dump_at_end) {
        sim->done = false;
        sim->here = &sim->cpu[0];
        sim_dump(sim);
    }
    return true;
}

// Existing objects -------------------------------------------------------------------------------

static void dump_thread(struct sim *sim, const struct sim_task *task)
{
    struct sim_event *event = sim_begin(sim, SIM_THREAD_CREATE);
    event->thread = &task->pub;
    event->flags = SIM_DUMP;
    sim_emit(sim);
    bool running = task->pub.state == SIM_RUNNING;
    event = sim_begin(sim, running ? SIM_RUN : SIM_STATE);
    event->thread = &task->pub;
    event->flags = SIM_DUMP;
    event->code = task->pub.state;
    event->value[0] = 0;
    if (running)
        event->cpu = task->pub.cpu;
    sim_emit(sim);
    if (task->pub.name[0] != '\0') {
        event = sim_begin(sim, SIM_THREAD_NAME);
        event->thread = &task->pub;
        event->flags = SIM_DUMP;
        event->text = task->pub.name;
        sim_emit(sim);
    }
}

void sim_dump(struct sim *sim)
{
    for (uint32_t p = 0; p < sim->process_count; p++) {
        const struct sim_process *process = &sim->processes[p];
        if (!process->alive)
            continue;
        struct sim_event *event = sim_begin(sim, SIM_PROC_CREATE);
        event->process = process;
        event->flags = SIM_DUMP;
        event->text = process->name;
        sim_emit(sim);
        for (uint32_t t = 0; t < sim->task_count; t++)
            if (sim->tasks[t].pub.alive && sim->tasks[t].pub.process == process)
                dump_thread(sim, &sim->tasks[t]);
    }
}
