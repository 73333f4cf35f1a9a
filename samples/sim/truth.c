// SPDX-License-Identifier: Apache-2.0
//
// truth: tracks the state of each thread and CPU, and writes every interval, switch, delay, message,
// interrupt and loss when it ends.
//
// Memory is bounded by the threads of live processes: a lane is freed, and its sums are written, when
// its process or the run ends.

#include "truth_lanes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Ends a lane when its process ends. `unseen`: the end was not recorded, or the run is over.
static void end_lane(struct sim_truth *truth, struct lane *lane, uint64_t now, bool unseen)
{
    if (!lane->used)
        return;
    if (lane->message_open)
        truth_write_message(truth, lane, 0, NULL, 0);
    lane->end_unseen = unseen;
    truth_close_interval(truth, lane, now);
    truth_write_life(truth, lane, now);
    truth_sum_lane(truth, lane);
    lane->used = false;
}

// Removes a lane during the run: no CPU may refer to it.
static void drop_lane(struct sim_truth *truth, struct lane *lane, uint64_t now, bool unseen)
{
    end_lane(truth, lane, now, unseen);
    for (uint32_t i = 0; i < truth->config->cpus; i++)
        if (truth->cpu[i].occupant == lane) {
            truth->cpu[i].occupant = NULL;
            truth->cpu[i].state = CPU_UNKNOWN;
        }
}

static void free_dropped(struct sim_truth *truth)
{
    for (struct lane **at = &truth->lanes; *at != NULL;) {
        struct lane *lane = *at;
        if (lane->used) {
            at = &lane->next;
            continue;
        }
        *at = lane->next;
        if (truth->slots[lane->slot] == lane)
            truth->slots[lane->slot] = NULL;
        free(lane);
    }
}

// Lanes ------------------------------------------------------------------------------------------

static bool same_lane(const struct sim_truth *truth, const struct lane *lane,
                      const struct sim_thread *thread)
{
    if (lane == NULL || lane->serial != thread->process->serial)
        return false;
    return truth_sees_lives(truth) ? lane->life.number == thread->life
                                   : lane->qnx_tid == thread->tid;
}

// Begins a life in the lane: its first thread, or another one.
static void begin_life(struct lane *lane, const struct sim_thread *thread, uint64_t now)
{
    lane->life = (struct life){.number = thread->life, .begin = now, .since_before = true};
}

// Handles the reuse of a slot by another thread. The lane of a recorded death continues, dead,
// until its process ends; a thread with a lost end is unknown from then on.
static void leave_slot(struct sim_truth *truth, struct lane *lane, uint64_t now)
{
    truth->slots[lane->slot] = NULL;
    if (lane->state == SIM_DEAD) {
        truth_write_life(truth, lane, now);
        return;
    }
    lane->forgotten = true;
    drop_lane(truth, lane, now, true);
    free_dropped(truth);
}

static struct lane *new_lane(struct sim_truth *truth, uint32_t slot)
{
    struct lane *lane = calloc(1, sizeof *lane);
    if (lane == NULL) {
        truth->json.out->error = ENOMEM;
        truth->spare = (struct lane){0};
        return &truth->spare;
    }
    lane->next = truth->lanes;
    truth->lanes = lane;
    truth->slots[slot] = lane;
    return lane;
}

static struct lane *lane_of(struct sim_truth *truth, const struct sim_thread *thread, uint64_t now)
{
    struct lane *lane = truth->slots[thread->index];
    if (same_lane(truth, lane, thread)) {
        if (lane->life.number != thread->life) {
            truth_write_life(truth, lane, now);
            begin_life(lane, thread, now);
        }
        return lane;
    }
    if (lane != NULL)
        leave_slot(truth, lane, now);
    lane = new_lane(truth, thread->index);
    lane->used = true;
    begin_life(lane, thread, now);
    lane->qnx_tid = thread->tid;
    lane->serial = thread->process->serial;
    truth->last_serial[thread->process->pid] = lane->serial;
    truth_ids(truth, thread, &lane->pid, &lane->tid);
    if (!truth_sees_koids(truth))
        lane->instance = truth->uses[lane->pid];
    lane->idle = thread->idle;
    lane->slot = thread->index;
    lane->state = SIM_UNKNOWN;
    lane->since = now;
    lane->cpu = -1;
    lane->left_at = UINT64_MAX;
    memcpy(lane->name, thread->name, sizeof lane->name);
    return lane;
}

// CPUs -------------------------------------------------------------------------------------------

static void advance(struct cpu_truth *cpu, uint64_t now)
{
    uint64_t ticks = now - cpu->last;
    cpu->last = now;
    if (cpu->depth > 0)
        cpu->irq += ticks;
    else if (cpu->state == CPU_RUNNING && cpu->occupant->idle)
        cpu->idle += ticks;
    else if (cpu->state == CPU_RUNNING)
        cpu->busy += ticks;
    else if (cpu->state == CPU_KERNEL)
        cpu->kernel += ticks;
    else
        cpu->unknown += ticks;
}

// Ends the run of the thread on a CPU.
static void leave_cpu(struct cpu_truth *cpu, struct lane *lane, uint64_t now, enum why why)
{
    if (cpu->state != CPU_RUNNING || cpu->occupant != lane)
        return;
    advance(cpu, now);
    cpu->state = CPU_KERNEL;
    cpu->left = why;
}

static void change_occupant(struct sim_truth *truth, struct cpu_truth *cpu, struct lane *to,
                            uint64_t now, enum why why)
{
    struct lane *from = cpu->occupant;
    uint32_t number = (uint32_t)(cpu - truth->cpu);
    from->out++;
    from->out_why[why]++;
    to->in++;
    cpu->switches++;
    truth->switches++;
    if (truth_is_full(truth))
        truth_write_switch(truth, from, to, number, now, why);
}

static bool initial_runs(const struct sim_truth *truth)
{
    return truth->view != NULL && truth->view->initial_runs && !truth->overwritten;
}

static bool is_at_records(const struct sim_truth *truth)
{
    return truth->view != NULL && truth->view->at_records;
}

// Ends a run in formats that record only the switch.
static void leave_at_switch(struct sim_truth *truth, const struct sim_event *event)
{
    struct cpu_truth *cpu = &truth->cpu[event->cpu];
    bool preempted = (event->flags & SIM_PREEMPT) != 0;
    if (cpu->occupant == NULL && !truth->view->names_outgoing)
        return;
    struct lane *from = lane_of(truth, event->partner, event->time);
    unsigned state = preempted ? SIM_READY : event->partner->state;
    bool unseen = truth->view->states[state].by_call && !from->in_call;
    unsigned to = unseen ? truth->view->other.state : truth_seen_as(truth, state);
    if (state == SIM_WAITPAGE && truth->view->cpu_streams && !from->in_fault)
        to = truth_seen_as(truth, SIM_WAITTHREAD); // its contention began unseen
    if (truth->view->leaves_by_reason && cpu->occupant != from && !cpu->reasoned) {
        to = SIM_UNKNOWN;
        from->begun = true;
    }
    cpu->reasoned = false;
    from->in_fault = false;
    advance(cpu, event->time);
    truth_set_state(truth, from, to, event->time, true);
    from->ready_kind = READY_PREEMPTED;
    from->left_at = truth_is_waiting(to) || to == SIM_STOPPED ? event->time : UINT64_MAX;
    if (from->cpu >= 0 && from->cpu != (int)event->cpu)
        from->migrations++; // after a loss: its migration was not recorded
    from->cpu = event->cpu;
    cpu->occupant = from;
    cpu->state = CPU_KERNEL;
    cpu->left = to == SIM_UNKNOWN ? WHY_UNKNOWN : preempted ? WHY_PREEMPTED : WHY_VOLUNTARY;
}

static void run(struct sim_truth *truth, struct lane *lane, const struct sim_event *event)
{
    struct cpu_truth *cpu = &truth->cpu[event->cpu];
    uint64_t now = event->time;
    bool dumped = (event->flags & SIM_DUMP) != 0 && !initial_runs(truth);
    if (truth_sees_switches_only(truth) && !dumped)
        leave_at_switch(truth, event);
    struct lane *from = cpu->occupant;
    if (lane->state == SIM_RUNNING && lane->cpu == event->cpu)
        return;                                    // repeated in a dump at the end
    lane->end_unseen = lane->state == SIM_RUNNING; // the last records of that CPU were lost
    if (lane->end_unseen)
        leave_cpu(&truth->cpu[lane->cpu], lane, now, WHY_UNKNOWN);
    if (!dumped && from != NULL && from != lane) {
        enum why why = cpu->state == CPU_RUNNING ? WHY_PREEMPTED : cpu->left;
        if (cpu->state == CPU_RUNNING) {
            advance(cpu, now);
            truth_set_state(truth, from, SIM_READY, now, true);
            from->ready_kind = READY_PREEMPTED;
        }
        change_occupant(truth, cpu, lane, now, why);
    }
    if (lane->state == SIM_READY && lane->since_known && !dumped) {
        if (lane->ready_kind == READY_WOKEN)
            truth_write_delay(truth, lane, DELAY_SCH, lane->since, now);
        else if (lane->ready_kind == READY_PREEMPTED)
            truth_write_delay(truth, lane, DELAY_PREEMPTED, lane->since, now);
    }
    if (lane->cpu >= 0 && lane->cpu != (int)event->cpu)
        lane->migrations++;
    if (!dumped)
        advance(cpu, now);
    // The first switch of a CPU may name the thread that ran already.
    bool ran_before = dumped || (initial_runs(truth) && !cpu->met);
    uint64_t since = dumped ? truth->first : now;
    truth_set_state(truth, lane, SIM_RUNNING, since, !ran_before);
    lane->end_unseen = false;
    lane->cpu = event->cpu;
    lane->left_at = UINT64_MAX;
    lane->irq_at_since = truth_irq_until(cpu, now);
    cpu->occupant = lane;
    cpu->state = CPU_RUNNING;
    cpu->met = true;
}

// States -----------------------------------------------------------------------------------------

// Formats that record only switches may also record wakeups, but no other states.
static bool is_seen(const struct sim_truth *truth, const struct sim_event *event)
{
    if (!truth_sees_switches_only(truth))
        return true;
    return event->kind == SIM_STATE && event->code == SIM_READY && !truth->view->no_wakes &&
           event->value[0] != SIM_RUNNING && event->value[0] != SIM_READY;
}

static void state(struct sim_truth *truth, struct lane *lane, unsigned to,
                  const struct sim_event *event)
{
    uint64_t now = event->time;
    bool dumped = (event->flags & SIM_DUMP) != 0;
    if (lane->state == to)
        return; // repeated: a displaced thread's READY, or an entry of a dump
    unsigned was = lane->state;
    if (was == SIM_RUNNING && to == SIM_READY && truth_sees_switches_only(truth))
        return; // a wake of a thread whose switch was lost: it runs until one is seen
    bool waited = was == SIM_SEND || was == SIM_REPLY;
    if (lane->message_open && truth->view == NULL && waited &&
        (to == SIM_READY || to == SIM_RUNNING || to == SIM_DEAD))
        truth_write_message(truth, lane, 0, to == SIM_DEAD ? "died" : "left", now);
    if (was == SIM_RUNNING) {
        leave_cpu(&truth->cpu[lane->cpu], lane, now,
                  to == SIM_READY ? WHY_PREEMPTED : WHY_VOLUNTARY);
        lane->left_at = to == SIM_READY ? UINT64_MAX : now;
    }
    if (to == SIM_READY && !dumped) {
        lane->ready_kind = truth_is_waiting(was) ? READY_WOKEN
                           : was == SIM_RUNNING  ? READY_PREEMPTED
                                                 : READY_OTHER;
        if (lane->ready_kind == READY_WOKEN)
            truth_write_wake(truth, event, was);
        if (lane->left_at != UINT64_MAX)
            truth_write_delay(truth, lane, DELAY_WAIT, lane->left_at, now);
        lane->left_at = UINT64_MAX;
    }
    if (dumped && was == SIM_UNKNOWN)
        truth_set_state(truth, lane, to, truth->first, false);
    else
        truth_set_state(truth, lane, to, now, !dumped);
    if (to == SIM_DEAD)
        lane->left_at = UINT64_MAX;
}

// Messages, interrupts, losses -------------------------------------------------------------------

static void begin_message(struct lane *client, const struct sim_event *event, uint64_t sent_at)
{
    client->message_open = true;
    client->message = event->value[0];
    client->sent_at = sent_at;
    client->received_at = 0;
    client->client_unseen = client->server_unseen = false;
    client->chid = event->value[2];
    client->error = 0;
    client->server_pid = 0;
    client->server_tid = 0;
}

static void comm(struct sim_truth *truth, const struct sim_event *event)
{
    const struct cpu_truth *cpu = &truth->cpu[event->cpu];
    if (event->code == SIM_COMM_SMSG) {
        struct lane *client = lane_of(truth, event->thread, event->time);
        if (client->message_open) // its end was lost, and that loss is not known yet
            truth_write_message(truth, client, 0, "lost", event->time);
        begin_message(client, event, event->time);
        client->client_unseen = cpu->occupant == NULL;
        client->server_pid = truth_sees_koids(truth) ? 0 : event->partner_pid;
    } else if (event->partner != NULL &&
               (event->code == SIM_COMM_RMSG || event->code == SIM_COMM_REPLY ||
                event->code == SIM_COMM_ERROR)) {
        struct lane *client = lane_of(truth, event->partner, event->time);
        const struct lane *server = lane_of(truth, event->thread, event->time);
        if (!client->message_open) // sent before the capture, or lost
            begin_message(client, event, 0);
        if (event->code != SIM_COMM_RMSG) {
            client->server_pid = client->server_pid != 0 ? client->server_pid : server->pid;
            client->server_unseen |= cpu->occupant == NULL;
            bool failed = event->code == SIM_COMM_ERROR;
            client->error = event->value[1];
            truth_write_message(truth, client, event->time, failed ? "error" : NULL, event->time);
            return;
        }
        client->received_at = event->time;
        client->server_unseen = cpu->occupant == NULL;
        client->server_pid = server->pid;
        client->server_tid = server->tid;
    } else if (event->code == SIM_COMM_RPULSE) {
        truth_pulse_received(truth, event, cpu->occupant == NULL);
    } else if (event->code == SIM_COMM_SPULSE || event->code == SIM_COMM_SPULSE_EXE ||
               event->code == SIM_COMM_SPULSE_UN) {
        truth->pulses++;
        truth_pulse_sent(truth, event, cpu->occupant == NULL);
    }
}

static void interrupt_enter(struct sim_truth *truth, const struct sim_event *event)
{
    struct cpu_truth *cpu = &truth->cpu[event->cpu];
    advance(cpu, event->time);
    truth->interrupts++;
    truth->nested += cpu->depth > 0;
    cpu->frames[cpu->depth].vector = event->code;
    cpu->frames[cpu->depth].since = event->time;
    cpu->depth++;
}

static void interrupt_exit(struct sim_truth *truth, const struct sim_event *event)
{
    struct cpu_truth *cpu = &truth->cpu[event->cpu];
    if (cpu->depth == 0)
        return; // entered before the capture
    advance(cpu, event->time);
    cpu->depth--;
    if (truth_is_full(truth))
        truth_write_interrupt(truth, event->cpu, event->time, false);
}

static uint32_t stream_of(const struct sim_truth *truth, uint32_t cpu)
{
    return truth->cpu_streams ? cpu : 0;
}

// Makes the threads unknown that a loss affects: all except those that run on a CPU of another stream.
static void forget_threads(struct sim_truth *truth, uint32_t stream, uint64_t from)
{
    bool one_stream = !truth->cpu_streams;
    for (struct lane *lane = truth->lanes; lane != NULL; lane = lane->next) {
        bool elsewhere = lane->state == SIM_RUNNING && !one_stream && lane->cpu != (int)stream;
        if (!lane->used || elsewhere)
            continue;
        truth_cut_state(truth, lane, SIM_UNKNOWN, lane->since > from ? lane->since : from);
        lane->in_call = lane->in_fault = false;
        lane->left_at = UINT64_MAX;
    }
}

// Makes everything unknown, from `from` on, that lost events of a stream could have changed.
static void forget(struct sim_truth *truth, uint32_t stream, uint64_t from)
{
    bool one_stream = !truth->cpu_streams;
    truth_pulses_end(truth, from);
    for (struct lane *lane = truth->lanes; lane != NULL; lane = lane->next)
        if (lane->used && lane->message_open)
            truth_write_message(truth, lane, 0, "lost", from);
    forget_threads(truth, stream, from);
    for (uint32_t i = 0; i < truth->config->cpus; i++) {
        struct cpu_truth *cpu = &truth->cpu[i];
        if (!one_stream && i != stream)
            continue;
        if (cpu->last < from)
            advance(cpu, from);
        cpu->state = CPU_UNKNOWN;
        cpu->occupant = NULL;
        cpu->depth = 0;
        cpu->delivered = cpu->reasoned = false;
    }
}

// Handles the first event after a loss.
static void end_loss(struct sim_truth *truth, uint32_t stream, uint64_t now)
{
    uint64_t from = truth->stream_last[stream];
    truth_write_loss(truth, stream, from, now);
    truth->lost[stream] = 0;
    truth->in_loss[stream] = false;
    forget(truth, stream, from);
}

// Begins the losses of single CPUs before an event of any CPU.
static void begin_losses(struct sim_truth *truth, uint64_t now)
{
    const struct sim_losses *losses = truth->known_losses;
    for (; truth->loss_at < losses->count && losses->list[truth->loss_at].from < now;
         truth->loss_at++) {
        const struct sim_loss *loss = &losses->list[truth->loss_at];
        truth->in_loss[loss->cpu] = true;
        forget(truth, loss->cpu, loss->from);
    }
}

// During the loss of a CPU a state is known only at the instant of an event: the next may be lost.
static void forget_again(struct sim_truth *truth, uint64_t now)
{
    for (uint32_t i = 0; truth->known_losses->count > 0 && i < truth->config->cpus; i++)
        if (truth->in_loss[i])
            forget_threads(truth, i, now);
}

// The stream of events ---------------------------------------------------------------------------

// Ends the process of `pid` with this serial, as far as the capture shows.
static void bury(struct sim_truth *truth, uint32_t pid, uint32_t serial, uint64_t now)
{
    for (struct lane *lane = truth->lanes; lane != NULL; lane = lane->next)
        if (lane->serial == serial)
            drop_lane(truth, lane, now, false);
    free_dropped(truth);
    truth->uses[pid]++;
    truth->last_serial[pid] = 0;
}

// Ends an earlier process of this pid whose end was lost.
static void process_created(struct sim_truth *truth, const struct sim_event *event)
{
    uint32_t pid = event->process->pid, before = truth->last_serial[pid];
    if ((event->flags & SIM_DUMP) != 0 || truth->view != NULL)
        return;
    if (before != 0 && before != event->process->serial)
        bury(truth, pid, before, event->time);
    truth->last_serial[pid] = event->process->serial;
}

static void thread_created(struct sim_truth *truth, const struct sim_event *event)
{
    struct lane *lane = lane_of(truth, event->thread, event->time);
    if ((event->flags & SIM_DUMP) == 0)
        lane->life.since_before = false;
    if (!truth_sees_koids(truth)) // objects have no time
        lane->begun = true;
    if ((event->flags & SIM_DUMP) == 0 && lane->state != SIM_UNKNOWN && !truth_sees_koids(truth))
        truth_cut_state(truth, lane, SIM_UNKNOWN, event->time);
    if (is_at_records(truth) || (truth->view != NULL && truth->view->created_ready)) {
        truth_set_state(truth, lane, SIM_READY, event->time, true);
        lane->ready_kind = READY_OTHER;
        truth_priority_seen(truth, lane, event->thread, event->time);
    }
}

static void thread_destroyed(struct sim_truth *truth, const struct sim_event *event)
{
    struct lane *lane = lane_of(truth, event->thread, event->time);
    lane->life.ended = true;
    lane->life.end = event->time;
    if (lane->message_open && !truth_sees_koids(truth))
        truth_write_message(truth, lane, 0, "died", event->time);
    if (is_seen(truth, event))
        state(truth, lane, SIM_DEAD, event);
}

// A switch of .fxt has the priorities of both threads.
static void switch_threads(struct sim_truth *truth, const struct sim_event *event)
{
    struct lane *lane = lane_of(truth, event->thread, event->time);
    run(truth, lane, event);
    if (is_at_records(truth))
        return;
    truth_priority_seen(truth, lane, event->thread, event->time);
    if (truth_sees_koids(truth) && event->partner != NULL)
        truth_priority_seen(truth, lane_of(truth, event->partner, event->time), event->partner,
                            event->time);
}

static void thread_runs(struct sim_truth *truth, const struct sim_event *event,
                        enum sim_written written)
{
    struct sim_event seen = *event;
    if (is_at_records(truth) && written == SIM_WRITTEN_NONE) {
        struct sim_event *postponed = &truth->postponed[event->cpu];
        const struct sim_thread *from = postponed->partner;
        bool again = postponed->thread != NULL;
        *postponed = *event;
        postponed->time = truth->stream_last[stream_of(truth, event->cpu)];
        if (again)
            postponed->partner = from;
        return;
    }
    truth->postponed[event->cpu].thread = NULL;
    if (is_at_records(truth) && written == SIM_WRITTEN_EARLIER)
        seen.time = truth->stream_last[stream_of(truth, event->cpu)];
    switch_threads(truth, &seen);
    if (is_at_records(truth) && written == SIM_WRITTEN && !event->context->idle)
        truth_priority_seen(truth, lane_of(truth, event->context, event->time), event->context,
                            event->time);
}

// A record has the running or the interrupted thread: a switch that no record had was right after the
// record before this one. A record of a thread has its priority.
static void see_running(struct sim_truth *truth, const struct sim_event *event)
{
    struct sim_event *postponed = &truth->postponed[event->cpu];
    struct cpu_truth *cpu = &truth->cpu[event->cpu];
    bool interrupt = event->kind == SIM_IRQ_ENTER || event->kind == SIM_TIME_SLICE;
    if (cpu->depth > 0)
        return;
    if (postponed->thread != NULL && postponed->thread != event->context) {
        postponed->thread = NULL; // that thread ran and left without a record
    } else if (postponed->thread != NULL) {
        switch_threads(truth, postponed);
        postponed->thread = NULL;
    }
    struct lane *lane = lane_of(truth, event->context, event->time);
    if (cpu->occupant == NULL && cpu->state == CPU_UNKNOWN) {
        truth_set_state(truth, lane, SIM_RUNNING, event->time, false);
        lane->cpu = event->cpu;
        lane->irq_at_since = truth_irq_until(cpu, event->time);
        cpu->occupant = lane;
        cpu->state = CPU_RUNNING;
        cpu->met = true;
    }
    if (interrupt || event->context->idle)
        return;
    truth_priority_seen(truth, lane, event->context, event->time);
    if (event->kind == SIM_CALL && event->code == SIM_C_SCHED_SET) {
        struct sim_thread changed = *event->thread;
        changed.priority = (uint8_t)event->value[3];
        truth_priority_seen(truth, lane, &changed, event->time);
    }
}

// The first record of a CPU, or after a loss, has the thread that runs there.
static void see_first(struct sim_truth *truth, const struct sim_event *event)
{
    struct cpu_truth *cpu = &truth->cpu[event->cpu];
    if (cpu->occupant != NULL || cpu->state != CPU_UNKNOWN)
        return;
    struct lane *lane = lane_of(truth, event->context, event->time);
    advance(cpu, event->time);
    lane->end_unseen = lane->state == SIM_RUNNING; // on another CPU: its end there was lost
    if (lane->end_unseen)
        leave_cpu(&truth->cpu[lane->cpu], lane, event->time, WHY_UNKNOWN);
    truth_set_state(truth, lane, SIM_RUNNING, event->time, false);
    lane->end_unseen = false;
    if (lane->cpu >= 0 && lane->cpu != (int)event->cpu)
        lane->migrations++;
    lane->cpu = event->cpu;
    lane->irq_at_since = truth_irq_until(cpu, event->time);
    cpu->occupant = lane;
    cpu->state = CPU_RUNNING;
    cpu->met = true;
}

static void thread_state(struct sim_truth *truth, const struct sim_event *event,
                         enum sim_written written)
{
    bool has_reason = truth->view != NULL && truth->view->leaves_by_reason &&
                      written == SIM_WRITTEN && event->thread == event->context;
    if (has_reason)
        truth->cpu[event->cpu].reasoned = true;
    if (!is_seen(truth, event))
        return;
    struct lane *lane = lane_of(truth, event->thread, event->time);
    state(truth, lane, event->code, event);
    if (!is_at_records(truth))
        truth_priority_seen(truth, lane, event->thread, event->time);
}

static void kernel_call(struct sim_truth *truth, const struct sim_event *event,
                        enum sim_written written)
{
    if (truth->view == NULL || !truth->view->cpu_streams || truth->view->leaves_by_reason)
        return;
    struct lane *lane = lane_of(truth, event->thread, event->time);
    bool seen = written == SIM_WRITTEN;
    if (event->kind == SIM_SYS_PAGEWAIT)
        lane->in_fault = seen;
    else
        lane->in_call = event->kind == SIM_CALL && seen;
}

static void heard(struct sim_truth *truth, const struct sim_event *event, enum sim_written written)
{
    bool dumped = (event->flags & SIM_DUMP) != 0;
    bool named_only = dumped && (truth->config->dump_at_end || truth->view != NULL) &&
                      !(initial_runs(truth) && event->kind == SIM_RUN);
    bool irq = event->kind == SIM_IRQ_ENTER || event->kind == SIM_IRQ_EXIT;
    bool unseen =
        written == SIM_WRITTEN_NONE || (truth->view != NULL && truth->view->no_interrupts);
    if (named_only || (irq && unseen))
        return; // dumps at the end and interrupts that are not recorded change nothing
    switch (event->kind) {
    case SIM_THREAD_CREATE:
        thread_created(truth, event);
        break;
    case SIM_THREAD_DESTROY:
        thread_destroyed(truth, event);
        break;
    case SIM_RUN:
        thread_runs(truth, event, written);
        break;
    case SIM_STATE:
        thread_state(truth, event, written);
        break;
    case SIM_PRIORITY:
        truth_priority(truth, event);
        break;
    case SIM_PROC_CREATE:
        process_created(truth, event);
        break;
    case SIM_PROC_DESTROY:
        if (truth->view == NULL || !truth->view->linux_ids) // a dead thread remains
            bury(truth, event->process->pid, event->process->serial, event->time);
        break;
    case SIM_COMM:
        comm(truth, event);
        break;
    case SIM_IRQ_ENTER:
        interrupt_enter(truth, event);
        break;
    case SIM_IRQ_EXIT:
        interrupt_exit(truth, event);
        break;
    case SIM_SYS_PAGEWAIT:
    case SIM_CALL:
    case SIM_CALL_EXIT:
        kernel_call(truth, event, written);
        break;
    case SIM_IRQ_DELIVER:
        truth->interrupts++;
        truth->cpu[event->cpu].delivered = true;
        break;
    default:
        break;
    }
}

void sim_truth_event(struct sim_truth *truth, const struct sim_event *event,
                     enum sim_written written)
{
    uint32_t stream = stream_of(truth, event->cpu);
    if (event->kind == SIM_WAITS_FOR) {
        truth_wait(truth, event);
        return;
    }
    if (event->kind == SIM_ENTRY_TAKEN) {
        truth_entry_taken(truth, event);
        return;
    }
    if (written == SIM_WRITTEN_LOST) {
        truth->lost[stream]++;
        truth->lost_total++;
        return;
    }
    // With a view, the capture begins with the first event in the file.
    if (!truth->started && (truth->view == NULL || written == SIM_WRITTEN)) {
        truth->started = true;
        truth->first = event->time;
        for (uint32_t i = 0; i < SIM_CPU_MAX; i++)
            truth->cpu[i].last = truth->stream_last[i] = event->time;
    }
    begin_losses(truth, event->time);
    if (written == SIM_WRITTEN_NONE && truth->lost[stream] != 0)
        return; // no event was recorded after the loss yet
    if (truth->lost[stream] != 0)
        end_loss(truth, stream, event->time);
    if (written == SIM_WRITTEN)
        truth->last = truth->stream_last[stream] = event->time;
    if (is_at_records(truth) && written == SIM_WRITTEN && event->kind != SIM_RUN)
        see_running(truth, event);
    if (truth->view != NULL && truth->view->names_running && written == SIM_WRITTEN &&
        event->kind != SIM_RUN)
        see_first(truth, event);
    truth->events++;
    truth->by_kind[event->kind]++;
    heard(truth, event, written);
    forget_again(truth, event->time);
}

void sim_truth_close(struct sim_truth *truth, const struct sim_counts *counts)
{
    if (counts->last > truth->last)
        truth->last = counts->last;
    // Lanes and CPUs end together: running lanes need the interrupts of a CPU before its clock advances.
    for (struct lane *lane = truth->lanes; lane != NULL; lane = lane->next)
        end_lane(truth, lane, truth->last, true);
    truth_pulses_end(truth, 0);
    for (uint32_t i = 0; i < truth->config->cpus; i++) {
        struct cpu_truth *cpu = &truth->cpu[i];
        if (cpu->last < truth->last)
            advance(cpu, truth->last);
        while (cpu->depth > 0) {
            cpu->depth--;
            if (truth_is_full(truth))
                truth_write_interrupt(truth, i, truth->last, true);
        }
        truth_sum_cpu(truth, i);
    }
    truth_close_waits(truth);
    for (uint32_t i = 0; i < SIM_CPU_MAX; i++)
        if (truth->lost[i] != 0 && truth_is_full(truth))
            truth_write_lost_end(truth, i);
    truth_sum_run(truth, counts);
    free_dropped(truth);
    free(truth->slots);
    free(truth->waits);
    free(truth->open_pulses);
    free(truth);
}

struct sim_truth *sim_truth_open(const struct sim_write_config *config,
                                 const struct sim_writer *writer, enum sim_truth_detail detail,
                                 const struct sim_losses *losses, struct sim_out *out,
                                 uint32_t threads)
{
    struct sim_truth *truth = calloc(1, sizeof *truth);
    if (truth == NULL)
        return NULL;
    truth->slots = calloc(threads, sizeof(struct lane *));
    truth->waits = calloc(threads, sizeof *truth->waits);
    truth->slot_count = threads;
    if (truth->slots == NULL || truth->waits == NULL) {
        free(truth->slots);
        free(truth->waits);
        free(truth);
        return NULL;
    }
    truth->config = config->run;
    truth->detail = detail;
    truth->known_losses = losses;
    truth->overwritten = config->overwritten;
    truth->view = writer->view != NULL ? writer->view(config) : NULL;
    truth->cpu_streams =
        truth->view != NULL ? truth->view->cpu_streams : config->run->model == SIM_QNX80;
    truth->sees_priorities = writer == &sim_writer_fxt || writer == &sim_writer_trx ||
                             (writer == &sim_writer_kev && config->kev_mode != SIM_KEV_FAST);
    truth->json.out = out;
    truth_write_start(truth, writer->name);
    return truth;
}
