// SPDX-License-Identifier: Apache-2.0
//
// kernel: objects of the simulated kernel (mutexes, semaphores, condition variables, barriers,
// queues, messages, pulses), creation and destruction of threads and processes. Every change is
// emitted through the engine, in the order in which a QNX kernel records it.

#include "engine.h"

#include <string.h>

// Priorities -------------------------------------------------------------------------------------

static void recompute_priority(struct sim *sim, struct sim_task *task)
{
    uint8_t priority = task->served_priority ? task->served_priority : task->base_priority;
    for (uint32_t i = 0; i < task->owned_count; i++) {
        const struct sim_mutex *mutex = task->owned[i];
        if (mutex->inherits && mutex->waiters.head != NULL &&
            mutex->waiters.head->pub.priority > priority)
            priority = mutex->waiters.head->pub.priority;
    }
    sim_set_priority(sim, task, priority);
}

// Raises the owner of an inheriting mutex to the priority of its waiter, along the chain of owners.
static void lend_priority(struct sim *sim, const struct sim_mutex *mutex, uint8_t priority)
{
    for (int hops = 0; hops < 8 && mutex != NULL && mutex->inherits; hops++) {
        struct sim_task *owner = mutex->owner;
        if (owner == NULL || owner->pub.priority >= priority)
            return;
        sim_set_priority(sim, owner, priority);
        mutex = owner->blocked_on;
    }
}

// Mutexes ----------------------------------------------------------------------------------------

static void own(struct sim_task *task, struct sim_mutex *mutex)
{
    mutex->owner = task;
    if (task->owned_count < SIM_OWNED)
        task->owned[task->owned_count++] = mutex;
}

static void disown(struct sim_task *task, struct sim_mutex *mutex)
{
    mutex->owner = NULL;
    for (uint8_t i = 0; i < task->owned_count; i++)
        if (task->owned[i] == mutex)
            task->owned[i--] = task->owned[--task->owned_count];
}

bool sim_mutex_try(struct sim_task *task, struct sim_mutex *mutex)
{
    if (mutex->owner != NULL)
        return false;
    own(task, mutex);
    return true;
}

void sim_mutex_lock(struct sim *sim, struct sim_task *task, struct sim_mutex *mutex)
{
    if (sim_mutex_try(task, mutex))
        return;
    task->blocked_on = mutex;
    lend_priority(sim, mutex, task->pub.priority);
    sim_block(sim, task, SIM_MUTEX, mutex->address);
    sim_wait_for(sim, task, SIM_WAIT_HOLDER, mutex->owner, NULL, mutex->address);
    sim_list_by_priority(&mutex->waiters, task);
}

void sim_mutex_unlock(struct sim *sim, struct sim_task *task, struct sim_mutex *mutex)
{
    struct sim_task *next = mutex->waiters.head;
    disown(task, mutex);
    if (next != NULL) {
        sim_list_remove(next);
        next->blocked_on = NULL;
        own(next, mutex);
        sim_wake(sim, next, SIM_WAKE_UNLOCK, mutex->address);
        for (struct sim_task *rest = mutex->waiters.head; rest != NULL; rest = rest->next)
            sim_wait_for(sim, rest, SIM_WAIT_HOLDER, next, NULL, mutex->address);
    }
    recompute_priority(sim, task);
}

// Condition variables, semaphores, barriers, queues ----------------------------------------------

void sim_condition_wait(struct sim *sim, struct sim_task *task, struct sim_condition *condition,
                        struct sim_mutex *mutex)
{
    task->cond_mutex = mutex;
    sim_mutex_unlock(sim, task, mutex);
    sim_block(sim, task, SIM_CONDVAR, condition->address);
    sim_list_by_priority(&condition->waiters, task);
}

void sim_condition_signal(struct sim *sim, struct sim_condition *condition, bool all)
{
    do {
        struct sim_task *task = condition->waiters.head;
        if (task == NULL)
            return;
        sim_list_remove(task);
        if (sim_mutex_try(task, task->cond_mutex))
            sim_wake(sim, task, SIM_WAKE_CONDVAR, condition->address);
        else
            sim_mutex_lock(sim, task, task->cond_mutex);
    } while (all);
}

void sim_semaphore_wait(struct sim *sim, struct sim_task *task, struct sim_semaphore *semaphore)
{
    if (semaphore->count > 0) {
        semaphore->count--;
        return;
    }
    sim_block(sim, task, SIM_SEM, semaphore->address);
    sim_list_by_priority(&semaphore->waiters, task);
}

void sim_semaphore_post(struct sim *sim, struct sim_semaphore *semaphore)
{
    if (semaphore->waiters.head != NULL)
        sim_wake(sim, semaphore->waiters.head, SIM_WAKE_POST, semaphore->address);
    else if (semaphore->count < 1000)
        semaphore->count++;
}

// Older kernels implement such objects by condition variables.
static enum sim_wake_kind built_of(const struct sim *sim, enum sim_wake_kind kind)
{
    bool own = sim->config.model == SIM_QNX80 || (kind == SIM_WAKE_QUEUE && sim->config.has_queues);
    return own ? kind : SIM_WAKE_CONDVAR;
}

void sim_barrier_wait(struct sim *sim, struct sim_task *task, struct sim_barrier *barrier,
                      uint32_t size)
{
    if (++barrier->arrived < size) {
        sim_block(sim, task, SIM_BARRIER, barrier->address);
        sim_list_append(&barrier->waiters, task);
        return;
    }
    barrier->arrived = 0;
    while (barrier->waiters.head != NULL)
        sim_wake(sim, barrier->waiters.head, built_of(sim, SIM_WAKE_BARRIER), barrier->address);
}

static void put_entry(struct sim_mqueue *queue, const struct sim_task *sender)
{
    uint32_t at = (queue->first + queue->count++) % SIM_QUEUE_ROOM;
    queue->entries[at] = (struct sim_entry){&sender->pub, sender->called};
}

void sim_queue_send(struct sim *sim, struct sim_task *task, struct sim_mqueue *queue)
{
    struct sim_task *receiver = queue->receivers.head;
    if (receiver != NULL) {
        struct sim_entry entry = {&task->pub, task->called};
        sim_wake(sim, receiver, built_of(sim, SIM_WAKE_QUEUE), queue->address);
        sim_emit_taken(sim, receiver, queue, &entry, receiver->woken);
    } else if (queue->count < SIM_QUEUE_ROOM) {
        put_entry(queue, task);
    } else {
        sim_block(sim, task, SIM_MQ_SEND, queue->address);
        sim_list_append(&queue->senders, task);
    }
}

void sim_queue_receive(struct sim *sim, struct sim_task *task, struct sim_mqueue *queue)
{
    struct sim_task *sender = queue->senders.head;
    if (queue->count == 0) {
        sim_block(sim, task, SIM_MQ_RECEIVE, queue->address);
        sim_list_by_priority(&queue->receivers, task);
        return;
    }
    struct sim_entry entry = queue->entries[queue->first];
    queue->first = (queue->first + 1) % SIM_QUEUE_ROOM;
    queue->count--;
    sim_emit_taken(sim, task, queue, &entry, task->called);
    if (sender != NULL) {
        put_entry(queue, sender);
        sim_wake(sim, sender, built_of(sim, SIM_WAKE_QUEUE), queue->address);
    }
}

void sim_timer_set(struct sim *sim, struct sim_task *task, uint64_t ticks)
{
    sim_queue_set(&sim->timers, task->pub.index, sim->now + ticks);
}

// Messages and pulses ----------------------------------------------------------------------------

static void serve(struct sim *sim, struct sim_task *server, struct sim_task *client)
{
    server->serving = client;
    server->got_pulse = false;
    server->served_priority = client->pub.priority;
    recompute_priority(sim, server);
}

static void serve_pulse(struct sim *sim, struct sim_task *server, struct sim_pulse pulse)
{
    server->serving = NULL;
    server->got_pulse = true;
    server->pulse = pulse;
    server->served_priority = 0;
    recompute_priority(sim, server);
}

static struct sim_event *begin_comm(struct sim *sim, enum sim_comm kind, uint64_t id, uint32_t chid)
{
    struct sim_event *event = sim_begin(sim, SIM_COMM);
    event->code = kind;
    event->value[0] = id;
    event->value[1] = 0;
    event->value[2] = chid;
    event->value[3] = 0;
    return event;
}

static uint64_t pulse_scoid(uint32_t channel)
{
    return channel == 0 ? 0x40000002u : 0x40000002u + 4u * channel;
}

// The client's tid, counted from 0, above the number of its process's connection to the channel.
static uint32_t rcvid_of(const struct sim *sim, const struct sim_task *client, uint32_t channel)
{
    uint32_t connection = client->pub.process->serial * sim->channel_count + channel + 1;
    return (client->pub.tid - 1) << 16 | (connection & 0xffffu);
}

void sim_message_send(struct sim *sim, struct sim_task *client, uint32_t number)
{
    struct sim_channel *channel = &sim->channels[number];
    client->server_channel = number;
    client->failed = channel->owner == NULL;
    if (client->failed)
        return;
    client->rcvid = rcvid_of(sim, client, number);
    client->received = false;
    struct sim_event *event = begin_comm(sim, SIM_COMM_SMSG, client->rcvid, channel->chid);
    event->partner_pid = channel->owner->pid;
    sim_emit(sim);
    struct sim_task *server = channel->receivers.head;
    if (client->timeout != 0)
        sim_timer_set(sim, client, client->timeout);
    client->timeout = 0;
    if (server == NULL) {
        sim_block(sim, client, SIM_SEND, number);
        sim_wait_for(sim, client, SIM_WAIT_RECEIVE, NULL, channel->owner, client->rcvid);
        sim_list_by_priority(&channel->senders, client);
        return;
    }
    sim_list_remove(server);
    sim_block(sim, client, SIM_REPLY, number);
    sim_wait_for(sim, client, SIM_WAIT_SERVER, server, NULL, client->rcvid);
    serve(sim, server, client);
    sim_wake(sim, server, SIM_WAKE_MESSAGE, client->rcvid);
}

void sim_message_receive(struct sim *sim, struct sim_task *server, uint32_t number)
{
    struct sim_channel *channel = &sim->channels[number];
    if (channel->pulse_count > 0) {
        serve_pulse(sim, server, channel->pulses[channel->pulse_first]);
        channel->pulse_first = (channel->pulse_first + 1) % SIM_PULSES;
        channel->pulse_count--;
    } else if (channel->senders.head != NULL) {
        struct sim_task *client = channel->senders.head;
        sim_list_remove(client);
        sim_block(sim, client, SIM_REPLY, number);
        sim_wait_for(sim, client, SIM_WAIT_SERVER, server, NULL, client->rcvid);
        serve(sim, server, client);
    } else {
        server->serving = NULL;
        sim_block(sim, server, SIM_RECEIVE, number);
        sim_list_append(&channel->receivers, server);
    }
}

void sim_message_received(struct sim *sim, struct sim_task *server, uint32_t number)
{
    struct sim_task *client = server->serving;
    struct sim_event *event = begin_comm(sim, client != NULL ? SIM_COMM_RMSG : SIM_COMM_RPULSE,
                                         client != NULL ? client->rcvid : pulse_scoid(number),
                                         sim->channels[number].chid);
    if (client != NULL)
        client->received = true;
    else
        event->value[3] = server->pulse.serial;
    event->partner = client != NULL ? &client->pub : NULL;
    event->partner_pid = server->pub.process->pid;
    sim_emit(sim);
}

static void answer(struct sim *sim, struct sim_task *server, enum sim_comm how,
                   enum sim_wake_kind kind, uint32_t error)
{
    struct sim_task *client = server->serving;
    if (client == NULL)
        return; // it has stopped waiting
    server->serving = NULL;
    struct sim_event *event =
        begin_comm(sim, how, client->rcvid, sim->channels[client->server_channel].chid);
    event->value[1] = error;
    event->partner = &client->pub;
    event->partner_pid = client->pub.process->pid;
    sim_emit(sim);
    sim_wake(sim, client, kind, client->rcvid);
}

void sim_message_reply(struct sim *sim, struct sim_task *server)
{
    answer(sim, server, SIM_COMM_REPLY, SIM_WAKE_REPLY, 0);
}

void sim_message_error(struct sim *sim, struct sim_task *server, uint32_t error)
{
    answer(sim, server, SIM_COMM_ERROR, SIM_WAKE_ERROR, error);
}

// Removes a client from the threads that serve it and from the deferred ones of its channel.
static void abandon(struct sim *sim, const struct sim_task *client)
{
    struct sim_channel *channel = &sim->channels[client->server_channel];
    for (uint32_t i = 0; i < sim->task_count; i++)
        if (sim->tasks[i].serving == client)
            sim->tasks[i].serving = NULL;
    for (uint32_t i = channel->deferred_count; i-- > 0;)
        if (channel->deferred[i] == client)
            channel->deferred[i] = channel->deferred[--channel->deferred_count];
}

void sim_message_timeout(struct sim *sim, struct sim_task *client)
{
    bool served = client->pub.state == SIM_REPLY;
    if (served && !client->received) { // its server does not run yet
        sim_timer_set(sim, client, sim->tick);
        return;
    }
    if (served && client->pulses) {
        sim_pulse_send(sim, client->server_channel, 0xe0, client->rcvid, SIM_COMM_SPULSE_UN);
        return;
    }
    if (served)
        abandon(sim, client);
    sim_wake(sim, client, SIM_WAKE_TIMER, 0);
}

void sim_message_slay(struct sim *sim, struct sim_task *client)
{
    if (client->pub.state != SIM_SEND && (client->pub.state != SIM_REPLY || !client->received))
        return;
    if (client->pub.state == SIM_REPLY)
        abandon(sim, client);
    sim_list_remove(client);
    sim_queue_cancel(&sim->timers, client->pub.index);
    sim_wait_for(sim, client, SIM_WAIT_NONE, NULL, NULL, 0);
    sim_task_exit(sim, client);
}

void sim_server_crash(struct sim *sim, struct sim_task *server, uint32_t number)
{
    struct sim_channel *channel = &sim->channels[number];
    channel->owner = NULL;
    channel->pulse_count = 0;
    for (uint32_t i = 0; i < sim->task_count; i++) {
        struct sim_task *client = &sim->tasks[i];
        bool waits = client->pub.state == SIM_SEND || client->pub.state == SIM_REPLY;
        if (!client->pub.alive || !waits || client->server_channel != number)
            continue;
        abandon(sim, client);
        sim_list_remove(client);
        sim_queue_cancel(&sim->timers, client->pub.index);
        client->failed = true;
        sim_wake(sim, client, SIM_WAKE_ERROR, client->rcvid);
    }
    sim_task_exit(sim, server);
}

void sim_pulse_send(struct sim *sim, uint32_t number, uint32_t code, uint32_t value,
                    enum sim_comm kind)
{
    struct sim_channel *channel = &sim->channels[number];
    struct sim_pulse pulse = {code, value, ++sim->pulses};
    struct sim_event *event = begin_comm(sim, kind, pulse_scoid(number), channel->chid);
    event->value[3] = pulse.serial;
    event->partner_pid = channel->owner->pid;
    sim_emit(sim);
    struct sim_task *server = channel->receivers.head;
    if (server != NULL) {
        sim_list_remove(server);
        serve_pulse(sim, server, pulse);
        sim_wake(sim, server, SIM_WAKE_PULSE, pulse_scoid(number));
    } else if (channel->pulse_count < SIM_PULSES) {
        uint32_t at = (channel->pulse_first + channel->pulse_count++) % SIM_PULSES;
        channel->pulses[at] = pulse;
    }
}

// Creation and destruction -----------------------------------------------------------------------

static void copy_name(char *to, const char *name, uint32_t copy)
{
    size_t length = strlen(name);
    if (length > SIM_NAME_MAX - 12)
        length = SIM_NAME_MAX - 12;
    memcpy(to, name, length);
    if (copy > 0) {
        char digits[12];
        size_t n = 0;
        for (uint32_t left = copy; left > 0; left /= 10)
            digits[n++] = (char)('0' + left % 10);
        while (n > 0)
            to[length++] = digits[--n];
    }
    to[length] = '\0';
}

struct sim_process *sim_process_new(struct sim *sim, const char *name, uint32_t parent_pid,
                                    bool is32)
{
    uint32_t slot = 0;
    while (slot < sim->process_count && sim->processes[slot].alive)
        slot++;
    if (slot == sim->process_max)
        return NULL;
    if (slot == sim->process_count)
        sim->process_count++;
    struct sim_process *process = &sim->processes[slot];
    uint32_t generation = sim->generation[slot]++;
    process->index = slot;
    process->pid = slot == 0 ? 1 : 4096u * (1 + generation % SIM_PID_ROUND) + slot + 2;
    process->parent_pid = parent_pid;
    process->serial = sim->serial++;
    process->is64 = sim->config.model == SIM_QNX80 || (sim->config.model == SIM_QNX71 && !is32);
    process->threads_made = 0;
    process->alive = true;
    copy_name(process->name, name, 0);
    sim->next_tid[slot] = 0;
    sim->live_threads[slot] = 0;
    return process;
}

// A thread that has ended stays on its CPU until the next one runs.
static bool is_on_cpu(const struct sim *sim, const struct sim_task *task)
{
    for (uint32_t i = 0; i < sim->config.cpus; i++)
        if (sim->cpu[i].current == task)
            return true;
    return false;
}

// Prefers a dead thread of the same process, whose tid is reused, then any free slot.
static struct sim_task *free_task(struct sim *sim, const struct sim_process *process)
{
    struct sim_task *unused = NULL;
    uint32_t first = sim->task_max - SIM_DYNAMIC_THREADS;
    for (uint32_t i = sim->tracing ? first : sim->task_count; i < sim->task_max; i++) {
        struct sim_task *task = &sim->tasks[i];
        if (!task->pub.alive && task->pub.process == process && !is_on_cpu(sim, task))
            return task;
        if (unused == NULL && task->pub.process == NULL)
            unused = task;
    }
    return unused;
}

struct sim_task *sim_task_new(struct sim *sim, struct sim_process *process,
                              const struct sim_thread_template *from, uint32_t copy)
{
    struct sim_task *task = free_task(sim, process);
    if (task == NULL)
        return NULL;
    uint32_t index = (uint32_t)(task - sim->tasks);
    uint32_t tid = task->pub.process == process ? task->pub.tid : ++sim->next_tid[process->index];
    memset(task, 0, sizeof *task);
    if (index >= sim->task_count)
        sim->task_count = index + 1;
    task->pub.index = index;
    task->pub.tid = tid;
    task->pub.life = sim->lives++;
    task->pub.number = ++process->threads_made;
    if (task->pub.number == 1)
        process->first_life = task->pub.life;
    task->pub.process = process;
    task->pub.state = SIM_READY;
    task->pub.priority = task->base_priority = from->priority;
    task->pub.policy = from->policy;
    task->pub.alive = true;
    copy_name(task->pub.name, from->name, copy);
    task->bound_cpu = -1;
    if (from->cpu >= 0)
        task->bound_cpu = (int16_t)((uint32_t)from->cpu % sim->config.cpus);
    task->script = from->script;
    task->steps = from->steps;
    task->need = sim_about(sim, sim->cost_user);
    sim->live_threads[process->index]++;
    return task;
}

void sim_task_exit(struct sim *sim, struct sim_task *task)
{
    uint32_t slot = task->pub.process->index;
    if (--sim->live_threads[slot] == 0)
        sim_pulse_send(sim, 0, 0, slot, SIM_COMM_SPULSE_EXE);
    struct sim_event *event = sim_begin(sim, SIM_THREAD_DESTROY);
    event->thread = &task->pub;
    sim_emit(sim);
    sim_block(sim, task, SIM_DEAD, 0);
    task->pub.alive = false;
    if (task->joiner != NULL)
        sim_wake(sim, task->joiner, SIM_WAKE_EXIT, task->pub.tid);
    if (task->parent != NULL)
        task->parent->child = NULL;
    if (task->child != NULL)
        task->child->parent = NULL;
}

void sim_process_bury(struct sim *sim, struct sim_process *process)
{
    struct sim_event *event = sim_begin(sim, SIM_PROC_DESTROY);
    event->process = process;
    sim_emit(sim);
    process->alive = false;
    for (uint32_t i = 0; i < sim->task_max; i++)
        if (sim->tasks[i].pub.process == process)
            sim->tasks[i].pub.process = NULL;
}
