// SPDX-License-Identifier: Apache-2.0
//
// world: creates and frees the objects of a run from its scenario and configuration. Has the names of
// states and services.

#include "engine.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *class;
} states[SIM_STATES] = {
    [SIM_DEAD] = {"DEAD", "dead"},
    [SIM_RUNNING] = {"RUNNING", "running"},
    [SIM_READY] = {"READY", "ready"},
    [SIM_STOPPED] = {"STOPPED", "stopped"},
    [SIM_SEND] = {"SEND", "ipc"},
    [SIM_RECEIVE] = {"RECEIVE", "ipc"},
    [SIM_REPLY] = {"REPLY", "ipc"},
    [SIM_WAITTHREAD] = {"WAITTHREAD", "wait"},
    [SIM_WAITPAGE] = {"WAITPAGE", "wait"},
    [SIM_SIGSUSPEND] = {"SIGSUSPEND", "wait"},
    [SIM_SIGWAITINFO] = {"SIGWAITINFO", "wait"},
    [SIM_NANOSLEEP] = {"NANOSLEEP", "sleep"},
    [SIM_MUTEX] = {"MUTEX", "lock"},
    [SIM_CONDVAR] = {"CONDVAR", "lock"},
    [SIM_JOIN] = {"JOIN", "wait"},
    [SIM_INTR] = {"INTR", "wait"},
    [SIM_SEM] = {"SEM", "lock"},
    [SIM_WAITCTX] = {"WAITCTX", "wait"},
    [SIM_MQ_SEND] = {"MQ_SEND", "ipc"},
    [SIM_MQ_RECEIVE] = {"MQ_RECEIVE", "ipc"},
    [SIM_RWLOCK_READ] = {"RWLOCK_READ", "lock"},
    [SIM_RWLOCK_WRITE] = {"RWLOCK_WRITE", "lock"},
    [SIM_BARRIER] = {"BARRIER", "lock"},
};

const char *sim_state_name(unsigned state)
{
    return state < SIM_STATES ? states[state].name : "UNKNOWN";
}

const char *sim_state_class(unsigned state)
{
    return state < SIM_STATES ? states[state].class : "unknown";
}

const char *sim_call_name(unsigned call)
{
    static const char *const names[SIM_CALLS] = {
        [SIM_C_TRACE_EVENT] = "TRACE_EVENT",
        [SIM_C_MSG_SENDV] = "MSG_SENDV",
        [SIM_C_MSG_RECEIVEV] = "MSG_RECEIVEV",
        [SIM_C_MSG_REPLYV] = "MSG_REPLYV",
        [SIM_C_MSG_ERROR] = "MSG_ERROR",
        [SIM_C_MSG_READV] = "MSG_READV",
        [SIM_C_MSG_SEND_PULSE] = "MSG_SEND_PULSE",
        [SIM_C_SIGNAL_KILL] = "SIGNAL_KILL",
        [SIM_C_SIGNAL_WAITINFO] = "SIGNAL_WAITINFO",
        [SIM_C_CONNECT_ATTACH] = "CONNECT_ATTACH",
        [SIM_C_THREAD_CREATE] = "THREAD_CREATE",
        [SIM_C_THREAD_DESTROY] = "THREAD_DESTROY",
        [SIM_C_THREAD_SLAY] = "THREAD_DESTROY",
        [SIM_C_THREAD_JOIN] = "THREAD_JOIN",
        [SIM_C_INTERRUPT_WAIT] = "INTERRUPT_WAIT",
        [SIM_C_TIMER_TIMEOUT] = "TIMER_TIMEOUT",
        [SIM_C_MUTEX_LOCK] = "SYNC_MUTEX_LOCK",
        [SIM_C_MUTEX_UNLOCK] = "SYNC_MUTEX_UNLOCK",
        [SIM_C_CONDVAR_WAIT] = "SYNC_CONDVAR_WAIT",
        [SIM_C_BARRIER_WAIT] = "SYNC_BARRIER_WAIT",
        [SIM_C_CONDVAR_SIGNAL] = "SYNC_CONDVAR_SIGNAL",
        [SIM_C_SEM_POST] = "SYNC_SEM_POST",
        [SIM_C_SEM_WAIT] = "SYNC_SEM_WAIT",
        [SIM_C_SCHED_SET] = "SCHED_SET",
        [SIM_C_SCHED_YIELD] = "SCHED_YIELD",
        [SIM_C_CLOCK_TIME] = "CLOCK_TIME",
        [SIM_C_QUEUE_SEND] = "QUEUE_SEND",
        [SIM_C_QUEUE_RECEIVE] = "QUEUE_RECEIVE",
    };
    return call < SIM_CALLS ? names[call] : "UNKNOWN";
}

const char *sim_wake_name(unsigned kind)
{
    static const char *const names[SIM_WAKE_KINDS] = {
        [SIM_WAKE_NONE] = "none",       [SIM_WAKE_MESSAGE] = "message",
        [SIM_WAKE_REPLY] = "reply",     [SIM_WAKE_PULSE] = "pulse",
        [SIM_WAKE_SIGNAL] = "signal",   [SIM_WAKE_UNLOCK] = "unlock",
        [SIM_WAKE_CONDVAR] = "condvar", [SIM_WAKE_POST] = "post",
        [SIM_WAKE_BARRIER] = "barrier", [SIM_WAKE_QUEUE] = "queue",
        [SIM_WAKE_CREATE] = "create",   [SIM_WAKE_EXIT] = "exit",
        [SIM_WAKE_TIMER] = "timer",     [SIM_WAKE_INTERRUPT] = "interrupt",
        [SIM_WAKE_ERROR] = "error"};
    return kind < SIM_WAKE_KINDS ? names[kind] : "unknown";
}

const char *sim_wait_name(unsigned kind)
{
    static const char *const names[SIM_WAIT_KINDS] = {
        [SIM_WAIT_NONE] = "none",       [SIM_WAIT_HOLDER] = "holder", [SIM_WAIT_SERVER] = "server",
        [SIM_WAIT_RECEIVE] = "receive", [SIM_WAIT_JOIN] = "join",     [SIM_WAIT_CREATE] = "create"};
    return kind < SIM_WAIT_KINDS ? names[kind] : "unknown";
}

// Population -------------------------------------------------------------------------------------

static uint32_t count_threads(const struct sim_process_template *process)
{
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof process->threads / sizeof process->threads[0]; i++)
        if (process->threads[i].script != NULL)
            count += process->threads[i].copies;
    return count;
}

static uint32_t count_processes(const struct sim_scenario *scenario)
{
    uint32_t count = 0;
    while (scenario->processes[count].name != NULL)
        count++;
    return count;
}

static void add_threads(struct sim *sim, struct sim_process *process,
                        const struct sim_process_template *from)
{
    for (size_t i = 0; i < sizeof from->threads / sizeof from->threads[0]; i++) {
        if (from->threads[i].script == NULL)
            continue;
        for (uint32_t copy = 0; copy < from->threads[i].copies; copy++)
            sim_task_new(sim, process, &from->threads[i],
                         from->threads[i].copies > 1 ? copy + 1 : 0);
    }
}

static void add_idle(struct sim *sim, struct sim_process *procnto)
{
    for (uint32_t i = 0; i < sim->config.cpus; i++) {
        const struct sim_thread_template idle = {"idle", NULL, 0, 0, SIM_FIFO, (int8_t)i, 1};
        struct sim_task *task = sim_task_new(sim, procnto, &idle, 0);
        task->pub.idle = 1;
        task->pub.cpu = (uint16_t)i;
        task->pub.state = SIM_RUNNING;
        sim->cpu[i].number = (uint16_t)i;
        sim->cpu[i].idle = task;
        sim->cpu[i].current = task;
    }
}

static void copy_number(char *to, uint32_t n)
{
    memcpy(to, "work", 4);
    char digits[12];
    size_t length = 4, count = 0;
    do {
        digits[count++] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    while (count > 0)
        to[length++] = digits[--count];
    to[length] = '\0';
}

static void add_background(struct sim *sim)
{
    uint32_t processes = sim->config.processes;
    for (uint32_t p = 0; p < processes; p++) {
        char name[SIM_NAME_MAX];
        copy_number(name, p + 1);
        struct sim_process *process = sim_process_new(sim, name, 1, p % 3 == 2);
        uint32_t threads = sim->config.threads / processes + (p < sim->config.threads % processes);
        sim->channels[sim->scenario->channel_count + p].owner = process;
        for (uint32_t t = 0; t < threads; t++) {
            struct sim_task *task = sim_task_new(sim, process, sim_background_thread(t), t + 1);
            task->own_object = p;
        }
    }
}

static void populate(struct sim *sim)
{
    const struct sim_scenario *scenario = sim->scenario;
    for (uint32_t p = 0; scenario->processes[p].name != NULL; p++) {
        struct sim_process *process = sim_process_new(sim, scenario->processes[p].name,
                                                      p == 0 ? 0 : 1, scenario->processes[p].is32);
        if (p == 0)
            add_idle(sim, process);
        add_threads(sim, process, &scenario->processes[p]);
    }
    for (uint32_t c = 0; c < scenario->channel_count; c++)
        sim->channels[c].owner = &sim->processes[scenario->channels[c]];
    if (sim->config.processes > 0)
        add_background(sim);
    // All tasks start ready.
    for (uint32_t i = 0; i < sim->task_count; i++)
        if (!sim->tasks[i].pub.idle) {
            struct sim_task *task = &sim->tasks[i];
            struct sim_list *list = &sim->ready[task->pub.priority];
            task->pub.cpu =
                (uint16_t)(task->bound_cpu >= 0 ? (uint32_t)task->bound_cpu : i % sim->config.cpus);
            sim_list_append(list, task);
            sim->ready_bits[task->pub.priority / 64] |= 1ull << (task->pub.priority % 64);
        }
}

// Objects ----------------------------------------------------------------------------------------

static void *zeros(size_t count, size_t size)
{
    return calloc(count == 0 ? 1 : count, size);
}

static bool allocate(struct sim *sim)
{
    const struct sim_scenario *scenario = sim->scenario;
    const struct sim_config *config = &sim->config;
    uint32_t processes = count_processes(scenario) + config->processes;
    uint32_t threads = config->cpus + config->threads;
    for (uint32_t p = 0; scenario->processes[p].name != NULL; p++)
        threads += count_threads(&scenario->processes[p]);
    sim->process_max = processes + SIM_DYNAMIC_PROCESSES;
    sim->task_max = threads + SIM_DYNAMIC_THREADS;
    sim->channel_count = scenario->channel_count + config->processes;
    sim->mutex_count = scenario->mutex_count + config->processes;
    sim->sem_count = scenario->sem_count + config->processes;
    sim->tasks = zeros(sim->task_max, sizeof *sim->tasks);
    sim->processes = zeros(sim->process_max, sizeof *sim->processes);
    sim->next_tid = zeros(sim->process_max, sizeof *sim->next_tid);
    sim->live_threads = zeros(sim->process_max, sizeof *sim->live_threads);
    sim->generation = zeros(sim->process_max, sizeof *sim->generation);
    sim->channels = zeros(sim->channel_count, sizeof *sim->channels);
    sim->mutexes = zeros(sim->mutex_count, sizeof *sim->mutexes);
    sim->semaphores = zeros(sim->sem_count, sizeof *sim->semaphores);
    sim->conditions = zeros(scenario->cond_count, sizeof *sim->conditions);
    sim->barriers = zeros(scenario->barrier_count, sizeof *sim->barriers);
    sim->queues = zeros(scenario->queue_count, sizeof *sim->queues);
    sim->interrupts = zeros(scenario->intr_count, sizeof *sim->interrupts);
    sim->signal_targets = zeros(scenario->signal_count, sizeof *sim->signal_targets);
    while (scenario->devices[sim->device_count].mean_us != 0)
        sim->device_count++;
    return sim->tasks && sim->processes && sim->next_tid && sim->live_threads && sim->generation &&
           sim->channels && sim->mutexes && sim->semaphores && sim->conditions && sim->barriers &&
           sim->queues && sim->interrupts && sim->signal_targets &&
           sim_queue_open(&sim->queue, config->cpus * 3 + sim->device_count) &&
           sim_queue_open(&sim->timers, sim->task_max);
}

// Returns the address of an object; its low half alone is unique as well, for 32-bit programs.
static void give_addresses(struct sim *sim)
{
    const struct sim_scenario *scenario = sim->scenario;
    uint64_t base = 0x1008060000u;
    for (uint32_t i = 0; i < sim->channel_count; i++) {
        sim->channels[i].chid = 1 + (i > 0);
        for (uint32_t j = 1; j < i && i < scenario->channel_count; j++)
            sim->channels[i].chid += scenario->channels[j] == scenario->channels[i];
    }
    for (uint32_t i = 0; i < sim->mutex_count; i++) {
        sim->mutexes[i].address = base + 0x20ull * i;
        sim->mutexes[i].inherits = i >= scenario->mutex_count || scenario->mutexes[i] != 0;
    }
    for (uint32_t i = 0; i < sim->sem_count; i++)
        sim->semaphores[i].address = base + 0x100000 + 0x20ull * i;
    for (uint32_t i = 0; i < scenario->cond_count; i++)
        sim->conditions[i].address = base + 0x200000 + 0x20ull * i;
    for (uint32_t i = 0; i < scenario->barrier_count; i++)
        sim->barriers[i].address = base + 0x300000 + 0x40ull * i;
    for (uint32_t i = 0; i < scenario->queue_count; i++)
        sim->queues[i].address = base + 0x400000 + 0x40ull * i;
}

static void set_costs(struct sim *sim)
{
    sim->tick = sim_ticks(sim, 1000000);
    sim->slice = 4 * sim->tick;
    sim->cost_event = (uint32_t)sim_ticks(sim, 180);
    sim->cost_call = (uint32_t)sim_ticks(sim, 500);
    sim->cost_user = (uint32_t)sim_ticks(sim, 1500);
    sim->cost_ipi = (uint32_t)sim_ticks(sim, 900);
    sim->cost_irq = (uint32_t)sim_ticks(sim, 700);
}

// Returns whether a process of the list has the thread whose run times are scaled.
static bool has_loaded(const struct sim_process_template *processes, const char *loaded)
{
    for (; processes != NULL && processes->name != NULL; processes++)
        for (size_t i = 0; i < sizeof processes->threads / sizeof *processes->threads; i++)
            if (processes->threads[i].name != NULL &&
                sim_is_loaded(loaded, processes->name, processes->threads[i].name))
                return true;
    return false;
}

static bool knows_loaded(const struct sim *sim)
{
    const char *loaded = sim->config.loaded;
    for (uint32_t i = 0; i < sim->task_count; i++)
        if (sim_is_loaded(loaded, sim->tasks[i].pub.process->name, sim->tasks[i].pub.name))
            return true;
    return loaded[0] == '\0' || has_loaded(sim->scenario->processes, loaded) ||
           has_loaded(sim->scenario->extra, loaded);
}

struct sim *sim_open(const struct sim_config *config, const char **why)
{
    const struct sim_scenario *scenario = sim_scenario_find(config->scenario);
    struct sim *sim = NULL;
    *why = "no such scenario";
    if (scenario == NULL)
        return NULL;
    *why = "out of memory";
    sim = calloc(1, sizeof *sim);
    if (sim == NULL)
        return NULL;
    sim->config = *config;
    sim->scenario = scenario;
    if (sim->config.cpus == 0)
        sim->config.cpus = scenario->default_cpus;
    if (!allocate(sim)) {
        sim_close(sim);
        return NULL;
    }
    sim_rng_seed(&sim->rng, config->seed);
    sim->now = sim->tick_due = config->start_ticks;
    give_addresses(sim);
    set_costs(sim);
    populate(sim);
    if (!knows_loaded(sim)) {
        *why = "--thread-load: no such thread; PROCESS/THREAD are names, as sensor/sample";
        sim_close(sim);
        return NULL;
    }
    return sim;
}

void sim_actual(const struct sim *sim, struct sim_config *config)
{
    *config = sim->config;
}

uint32_t sim_thread_slots(const struct sim *sim)
{
    return sim->task_max;
}

void sim_close(struct sim *sim)
{
    sim_queue_close(&sim->queue);
    sim_queue_close(&sim->timers);
    void *parts[] = {sim->tasks,         sim->processes, sim->next_tid, sim->live_threads,
                     sim->generation,    sim->channels,  sim->mutexes,  sim->semaphores,
                     sim->conditions,    sim->barriers,  sim->queues,   sim->interrupts,
                     sim->signal_targets};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        free(parts[i]);
    free(sim);
}
