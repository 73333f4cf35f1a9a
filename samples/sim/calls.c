// SPDX-License-Identifier: Apache-2.0
//
// calls: kernel calls of the scripts. Each has values at its entry (fill), the work of the kernel
// (body), and values at its exit (leave). script.c uses the table.

#include "engine.h"

#include <string.h>

// Message words of four characters each, and the code of a pulse, which is one byte.
#define TEXT_DATA 0x61746164u
#define TEXT_OK   0x00006b6fu
#define TEXT_READ 0x64616572u
#define BYTES(n)  (UINT32_C(1) << (n))

#define VALUES(event, ...)                                                                         \
    memcpy((event)->value, (uint64_t[]){__VA_ARGS__}, sizeof((uint64_t[]){__VA_ARGS__}))

uint64_t sim_random_ns(struct sim *sim, const struct sim_step *step, uint64_t unit)
{
    uint64_t least = (uint64_t)step->a, most = (uint64_t)step->b;
    uint64_t span = most > least ? most - least : 0;
    return (least + sim_rng_below(&sim->rng, span + 1)) * unit;
}

static uint32_t object(struct sim *sim, const struct sim_task *task, int32_t a, uint32_t own_base,
                       uint32_t any_from)
{
    if (a >= 0)
        return (uint32_t)a;
    if (a == SIM_OWN)
        return own_base + task->own_object;
    return any_from + sim_rng_below(&sim->rng, own_base - any_from);
}

static uint32_t channel_of(struct sim *sim, const struct sim_task *task,
                           const struct sim_step *step)
{
    // Channel 0 is procnto's: it is never picked at random.
    return object(sim, task, step->a, sim->scenario->channel_count, 1);
}

struct sim_mutex *sim_mutex_of(struct sim *sim, const struct sim_task *task, int32_t a)
{
    return &sim->mutexes[object(sim, task, a, sim->scenario->mutex_count, 0)];
}

static struct sim_semaphore *semaphore_of(struct sim *sim, const struct sim_task *task, int32_t a)
{
    return &sim->semaphores[object(sim, task, a, sim->scenario->sem_count, 0)];
}

// Kernel calls: values at the entry (fill), work (body), values at the exit (leave) ---------------

static uint64_t coid_of(uint32_t channel)
{
    return channel == 0 ? 0x40000000u : 2u + channel;
}

static void fill_send(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                      struct sim_event *event)
{
    bool spawn = step->op == SIM_OP_SPAWN;
    task->server_channel = spawn ? 0 : channel_of(sim, task, step);
    task->message_type = spawn ? SIM_SPAWN_TYPE + (uint32_t)step->a : (uint32_t)step->b;
    task->message_length = spawn ? 64 : (uint32_t)step->c;
    event->object = task->server_channel;
    VALUES(event, coid_of(task->server_channel), 1 + task->message_length / 4096, 1,
           task->message_type, task->message_length, TEXT_DATA);
    event->bytes = BYTES(5);
}

static void body_send(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    (void)step;
    sim_message_send(sim, task, task->server_channel);
}

static void leave_send(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                       struct sim_event *event)
{
    (void)sim, (void)step;
    if (task->failed) {
        VALUES(event, 0xffffffff, 3); // ESRCH
        return;
    }
    VALUES(event, 0, task->message_type, task->message_length, TEXT_OK);
    event->bytes = BYTES(3);
}

static void fill_receive(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                         struct sim_event *event)
{
    task->server_channel = channel_of(sim, task, step);
    task->is_server = true;
    event->object = task->server_channel;
    VALUES(event, sim->channels[task->server_channel].chid, 1);
}

static void body_receive(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    (void)step;
    sim_message_receive(sim, task, task->server_channel);
}

static void leave_receive(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                          struct sim_event *event)
{
    (void)step;
    const struct sim_task *client = task->serving;
    const struct sim_channel *channel = &sim->channels[task->server_channel];
    if (client == NULL) {
        VALUES(event, 0, 0, task->pulse.code & 0xff, task->pulse.value, channel->owner->pid, 0,
               channel->chid, 0x40000002, 0, 0, 0, 0, task->pub.priority, 0);
        event->bytes = BYTES(2);
        return;
    }
    uint64_t length = client->message_length;
    VALUES(event, client->rcvid, client->message_type, length, TEXT_DATA, client->pub.process->pid,
           client->pub.tid, channel->chid, client->rcvid & 0xffff, coid_of(task->server_channel),
           length, length, 64, client->pub.priority, 0);
    event->bytes = BYTES(3);
}

static void fill_reply(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                       struct sim_event *event)
{
    (void)sim, (void)step;
    VALUES(event, task->serving->rcvid, 1, 0, task->serving->message_type, 0, TEXT_OK);
    event->bytes = BYTES(5);
}

static void body_reply(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    (void)step;
    sim_message_reply(sim, task);
}

static void fill_error(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                       struct sim_event *event)
{
    (void)sim;
    VALUES(event, task->serving->rcvid, (uint32_t)step->a);
}

static void body_error(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    sim_message_error(sim, task, (uint32_t)step->a);
}

static void fill_read(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                      struct sim_event *event)
{
    (void)sim, (void)step;
    VALUES(event, task->serving != NULL ? task->serving->rcvid : 0, 0x08064000, 1, 16);
}

static void leave_read(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                       struct sim_event *event)
{
    (void)sim, (void)task;
    VALUES(event, (uint64_t)step->a, TEXT_READ, 0, 0);
    event->bytes = BYTES(1);
}

static void fill_pulse(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                       struct sim_event *event)
{
    task->server_channel = channel_of(sim, task, step);
    event->object = task->server_channel;
    VALUES(event, coid_of(task->server_channel), task->pub.priority, (uint64_t)step->b,
           task->count);
}

static void body_pulse(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    sim_pulse_send(sim, task->server_channel, (uint32_t)step->b, task->count, SIM_COMM_SPULSE);
}

static uint64_t owner_word(const struct sim_mutex *mutex)
{
    return mutex->owner == NULL ? 0
                                : ((mutex->owner->pub.process->pid & 0xfff) << 16 |
                                   mutex->owner->pub.tid | (mutex->waiters.head ? 0x80000000u : 0));
}

void sim_fill_mutex(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                    struct sim_event *event)
{
    const struct sim_mutex *mutex = sim_mutex_of(sim, task, step->a);
    VALUES(event, mutex->address, 1, owner_word(mutex), mutex->inherits);
    event->partner = mutex->owner != NULL ? &mutex->owner->pub : NULL;
}

static void body_lock(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    sim_mutex_lock(sim, task, sim_mutex_of(sim, task, step->a));
}

static void body_unlock(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    sim_mutex_unlock(sim, task, sim_mutex_of(sim, task, step->a));
}

static void fill_condition(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                           struct sim_event *event)
{
    const struct sim_condition *condition = &sim->conditions[step->a];
    if (step->op == SIM_OP_COND_SIGNAL) {
        VALUES(event, condition->address, (uint64_t)step->b, 0, 0);
        return;
    }
    const struct sim_mutex *mutex = sim_mutex_of(sim, task, step->b);
    VALUES(event, condition->address, mutex->address, 0, 0, 1, owner_word(mutex));
}

// The caller has the mutex again.
static void leave_cond_wait(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                            struct sim_event *event)
{
    VALUES(event, 0, sim_mutex_of(sim, task, step->b)->address);
}

static void body_cond_wait(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    sim_condition_wait(sim, task, &sim->conditions[step->a], sim_mutex_of(sim, task, step->b));
}

static void body_cond_signal(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    (void)task;
    sim_condition_signal(sim, &sim->conditions[step->a], step->b != 0);
}

static void fill_semaphore(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                           struct sim_event *event)
{
    const struct sim_semaphore *semaphore = semaphore_of(sim, task, step->a);
    uint64_t count = (uint64_t)semaphore->count;
    if (step->op == SIM_OP_SEM_WAIT)
        VALUES(event, semaphore->address, 0, count, 0xffffffff);
    else
        VALUES(event, semaphore->address, count, 0xffffffff, 0);
}

static void body_sem_wait(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    sim_semaphore_wait(sim, task, semaphore_of(sim, task, step->a));
}

static void body_sem_post(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    sim_semaphore_post(sim, semaphore_of(sim, task, step->a));
}

static void fill_barrier(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                         struct sim_event *event)
{
    (void)task;
    VALUES(event, sim->barriers[step->a].address, sim->barriers[step->a].address + 16, 0, 0, 1, 0);
}

static void body_barrier(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    sim_barrier_wait(sim, task, &sim->barriers[step->a], (uint32_t)step->b);
}

static void fill_queue(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                       struct sim_event *event)
{
    (void)task;
    VALUES(event, sim->queues[step->a].address, sim->queues[step->a].count);
}

static void body_queue_send(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    sim_queue_send(sim, task, &sim->queues[step->a]);
}

static void body_queue_receive(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    sim_queue_receive(sim, task, &sim->queues[step->a]);
}

static void fill_sleep(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                       struct sim_event *event)
{
    uint64_t ns = sim_random_ns(sim, step, 1000);
    task->wait = sim_ticks(sim, ns);
    if (step->op == SIM_OP_PERIOD) {
        task->wait = task->period > sim->now ? task->period - sim->now : 1;
        ns = task->wait * 1000000000u / sim->config.clock_hz;
    }
    VALUES(event, 2, 0x1000, ns / 1000000000u, ns % 1000000000u);
}

static void body_sleep(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    (void)step;
    sim_block(sim, task, SIM_NANOSLEEP, 0);
    sim_timer_set(sim, task, task->wait);
}

static void body_timeout(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    (void)sim;
    task->timeout = task->wait;
    task->pulses = step->c != 0;
}

static void fill_intr(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                      struct sim_event *event)
{
    (void)sim, (void)task;
    event->object = (uint32_t)step->a;
    VALUES(event, 0, 0, 0);
}

static void body_intr(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    struct sim_interrupt_object *interrupt = &sim->interrupts[step->a];
    if (interrupt->pending) {
        interrupt->pending = false;
        return;
    }
    interrupt->waiter = task;
    sim_block(sim, task, SIM_INTR, (uint64_t)step->a);
}

static void body_sigwait(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    sim->signal_targets[step->a] = task;
    sim_block(sim, task, SIM_SIGWAITINFO, 0);
}

static void fill_sigwait(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                         struct sim_event *event)
{
    (void)sim, (void)task, (void)step;
    VALUES(event, 0x00010000, 0);
}

static void leave_sigwait(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                          struct sim_event *event)
{
    (void)sim, (void)task, (void)step;
    VALUES(event, 17, 0);
}

static void fill_kill(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                      struct sim_event *event)
{
    (void)task;
    const struct sim_task *target = sim->signal_targets[step->a];
    VALUES(event, 0, target != NULL ? target->pub.process->pid : 1,
           target != NULL ? target->pub.tid : 0, (uint64_t)step->b, 0, 0);
}

static void body_kill(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    (void)task;
    struct sim_task *target = sim->signal_targets[step->a];
    if (target == NULL)
        return;
    sim->signal_targets[step->a] = NULL;
    struct sim_event *event = sim_begin(sim, SIM_COMM);
    event->code = SIM_COMM_SIGNAL;
    event->partner = &target->pub;
    VALUES(event, (uint64_t)step->b, 0);
    sim_emit(sim);
    sim_wake(sim, target, SIM_WAKE_SIGNAL, (uint64_t)step->b);
}

static void fill_clock(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                       struct sim_event *event)
{
    (void)sim, (void)task, (void)step;
    VALUES(event, 0, 0, 0);
}

static void leave_clock(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                        struct sim_event *event)
{
    (void)task, (void)step;
    uint64_t hz = sim->config.clock_hz;
    VALUES(event, 0, sim->now / hz, sim->now % hz * 1000000000u / hz);
}

static void fill_connect(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                         struct sim_event *event)
{
    task->server_channel = channel_of(sim, task, step);
    const struct sim_channel *channel = &sim->channels[task->server_channel];
    VALUES(event, 0, channel->owner->pid, channel->chid, 0x40000000, 0);
}

static void leave_connect(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                          struct sim_event *event)
{
    (void)sim, (void)step;
    VALUES(event, coid_of(task->server_channel), 0);
}

static void fill_priority(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                          struct sim_event *event)
{
    (void)sim;
    uint64_t low = step->a > 4 ? (uint64_t)step->a - 4 : 1;
    uint64_t sporadic[] = {low, 3, 0, 40000000, 0, 5000000};
    VALUES(event, task->pub.process->pid, task->pub.tid, task->pub.policy, (uint64_t)step->a);
    memcpy(event->value + 10, sporadic, sizeof sporadic);
}

static void body_priority(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    task->base_priority = (uint8_t)step->a;
    sim_set_priority(sim, task, (uint8_t)step->a);
}

static void fill_nothing(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                         struct sim_event *event)
{
    (void)sim, (void)task, (void)step;
    VALUES(event, 0, 0);
}

static void body_yield(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    (void)task, (void)step;
    sim_yield(sim);
}

static const struct sim_thread_template *
new_template(const struct sim *sim, const struct sim_task *task, const struct sim_step *step)
{
    uint32_t n = step->op == SIM_OP_THREAD ? (uint32_t)step->a : task->new_template;
    return &sim->scenario->extra[n].threads[0];
}

static void fill_thread(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                        struct sim_event *event)
{
    const struct sim_thread_template *from = new_template(sim, task, step);
    const struct sim_process *process =
        step->op == SIM_OP_THREAD ? task->pub.process : task->new_process;
    VALUES(event, process->pid, 0x08049f20u + 0x40u * from->priority, 0x080650c0, 0, 0x20000,
           from->priority, from->policy);
}

// The new thread runs at once in place of its creator; the creator waits for that.
static void body_thread(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    bool own = step->op == SIM_OP_THREAD;
    struct sim_process *process = own ? task->pub.process : task->new_process;
    struct sim_task *child = sim_task_new(sim, process, new_template(sim, task, step), 0);
    if (child == NULL)
        return;
    if (own) {
        if (task->child != NULL)
            task->child->parent = NULL;
        task->child = child;
        child->parent = task;
    }
    child->creator = task;
    child->pub.cpu = sim->here->number;
    struct sim_event *event = sim_begin(sim, SIM_THREAD_CREATE);
    event->thread = &child->pub;
    sim_emit(sim);
    event = sim_begin(sim, SIM_THREAD_NAME);
    event->thread = &child->pub;
    event->text = child->pub.name;
    sim_emit(sim);
    sim_block(sim, task, SIM_WAITTHREAD, 0);
    sim_wait_for(sim, task, SIM_WAIT_CREATE, child, NULL, child->pub.tid);
    sim->here->handoff = child;
}

static void leave_thread(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                         struct sim_event *event)
{
    (void)sim, (void)step;
    VALUES(event, task->child != NULL ? task->child->pub.tid : 1, 0);
}

static void fill_join(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                      struct sim_event *event)
{
    (void)sim, (void)step;
    VALUES(event, task->child != NULL ? task->child->pub.tid : 1, 0);
}

static void body_join(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    (void)step;
    if (task->child == NULL)
        return;
    task->child->joiner = task;
    sim_block(sim, task, SIM_JOIN, 0);
    sim_wait_for(sim, task, SIM_WAIT_JOIN, task->child, NULL, task->child->pub.tid);
}

static void fill_slay(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                      struct sim_event *event)
{
    (void)sim, (void)step;
    VALUES(event, task->child != NULL ? task->child->pub.tid : 1, 0xffffffff, 0);
}

static void body_slay(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    (void)step;
    if (task->child != NULL)
        sim_message_slay(sim, task->child);
}

static void fill_exit(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                      struct sim_event *event)
{
    (void)sim, (void)task, (void)step;
    VALUES(event, 0xffffffff, 0xffffffff, 0);
}

static void body_exit(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    (void)step;
    sim_task_exit(sim, task);
}

static void body_crash(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    sim_server_crash(sim, task, (uint32_t)step->a);
}

// call + 1; 0 is "not a kernel call".
const struct sim_call_rule sim_call_rules[SIM_OP_LAST] = {
    [SIM_OP_SLEEP] = {1 + SIM_C_TIMER_TIMEOUT, fill_sleep, body_sleep, NULL},
    [SIM_OP_PERIOD] = {1 + SIM_C_TIMER_TIMEOUT, fill_sleep, body_sleep, NULL},
    [SIM_OP_TIMEOUT] = {1 + SIM_C_TIMER_TIMEOUT, fill_sleep, body_timeout, NULL},
    [SIM_OP_SEND] = {1 + SIM_C_MSG_SENDV, fill_send, body_send, leave_send},
    [SIM_OP_SPAWN] = {1 + SIM_C_MSG_SENDV, fill_send, body_send, leave_send},
    [SIM_OP_RECEIVE] = {1 + SIM_C_MSG_RECEIVEV, fill_receive, body_receive, leave_receive},
    [SIM_OP_READ] = {1 + SIM_C_MSG_READV, fill_read, NULL, leave_read},
    [SIM_OP_REPLY] = {1 + SIM_C_MSG_REPLYV, fill_reply, body_reply, NULL},
    [SIM_OP_REPLY_LATE] = {1 + SIM_C_MSG_REPLYV, fill_reply, body_reply, NULL},
    [SIM_OP_ERROR] = {1 + SIM_C_MSG_ERROR, fill_error, body_error, NULL},
    [SIM_OP_PULSE] = {1 + SIM_C_MSG_SEND_PULSE, fill_pulse, body_pulse, NULL},
    [SIM_OP_LOCK] = {1 + SIM_C_MUTEX_LOCK, sim_fill_mutex, body_lock, NULL},
    [SIM_OP_UNLOCK] = {1 + SIM_C_MUTEX_UNLOCK, sim_fill_mutex, body_unlock, NULL},
    [SIM_OP_SEM_WAIT] = {1 + SIM_C_SEM_WAIT, fill_semaphore, body_sem_wait, NULL},
    [SIM_OP_SEM_POST] = {1 + SIM_C_SEM_POST, fill_semaphore, body_sem_post, NULL},
    [SIM_OP_COND_WAIT] = {1 + SIM_C_CONDVAR_WAIT, fill_condition, body_cond_wait, leave_cond_wait},
    [SIM_OP_COND_SIGNAL] = {1 + SIM_C_CONDVAR_SIGNAL, fill_condition, body_cond_signal, NULL},
    [SIM_OP_BARRIER] = {1 + SIM_C_BARRIER_WAIT, fill_barrier, body_barrier, NULL},
    [SIM_OP_QUEUE_SEND] = {1 + SIM_C_QUEUE_SEND, fill_queue, body_queue_send, NULL},
    [SIM_OP_QUEUE_RECEIVE] = {1 + SIM_C_QUEUE_RECEIVE, fill_queue, body_queue_receive, NULL},
    [SIM_OP_INTR] = {1 + SIM_C_INTERRUPT_WAIT, fill_intr, body_intr, NULL},
    [SIM_OP_SIGWAIT] = {1 + SIM_C_SIGNAL_WAITINFO, fill_sigwait, body_sigwait, leave_sigwait},
    [SIM_OP_KILL] = {1 + SIM_C_SIGNAL_KILL, fill_kill, body_kill, NULL},
    [SIM_OP_CLOCK] = {1 + SIM_C_CLOCK_TIME, fill_clock, NULL, leave_clock},
    [SIM_OP_CONNECT] = {1 + SIM_C_CONNECT_ATTACH, fill_connect, NULL, leave_connect},
    [SIM_OP_PRIORITY] = {1 + SIM_C_SCHED_SET, fill_priority, body_priority, NULL},
    [SIM_OP_YIELD] = {1 + SIM_C_SCHED_YIELD, fill_nothing, body_yield, NULL},
    [SIM_OP_THREAD] = {1 + SIM_C_THREAD_CREATE, fill_thread, body_thread, leave_thread},
    [SIM_OP_THREAD_IN] = {1 + SIM_C_THREAD_CREATE, fill_thread, body_thread, leave_thread},
    [SIM_OP_JOIN] = {1 + SIM_C_THREAD_JOIN, fill_join, body_join, NULL},
    [SIM_OP_SLAY] = {1 + SIM_C_THREAD_SLAY, fill_slay, body_slay, NULL},
    [SIM_OP_EXIT] = {1 + SIM_C_THREAD_DESTROY, fill_exit, body_exit, NULL},
    [SIM_OP_CRASH] = {1 + SIM_C_THREAD_DESTROY, fill_exit, body_crash, NULL},
};
