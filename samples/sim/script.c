// SPDX-License-Identifier: Apache-2.0
//
// script: interpreter of the scenarios' thread scripts. sim_act is one action of one thread. A kernel
// call takes three: the entry event, the work of the kernel (which may block the caller), and the
// exit event when the caller runs again.

#include "engine.h"

#include <string.h>

#define VALUES(event, ...)                                                                         \
    memcpy((event)->value, (uint64_t[]){__VA_ARGS__}, sizeof((uint64_t[]){__VA_ARGS__}))

static void finish(struct sim *sim, struct sim_task *task, uint32_t mean)
{
    if (++task->pc >= task->steps)
        task->pc = 0;
    task->phase = 0;
    task->need = sim_about(sim, mean);
}

static void skip(struct sim_task *task, int32_t steps)
{
    int32_t pc = task->pc + steps;
    while (pc < 0)
        pc += task->steps;
    task->pc = (uint16_t)(pc % task->steps);
}

static void call_step(struct sim *sim, struct sim_task *task, const struct sim_step *step,
                      const struct sim_call_rule *rule)
{
    if (task->phase == 1) {
        task->phase = 2;
        task->need = sim_about(sim, sim->cost_call);
        if (rule->body != NULL)
            rule->body(sim, task, step);
        return;
    }
    if (task->phase == 2 && step->op == SIM_OP_RECEIVE)
        sim_message_received(sim, task, task->server_channel);
    struct sim_event *event = sim_begin(sim, task->phase == 0 ? SIM_CALL : SIM_CALL_EXIT);
    event->code = rule->call - 1u;
    if (task->phase == 0) {
        rule->fill(sim, task, step, event);
        task->phase = 1;
        task->need = sim_about(sim, sim->cost_call);
    } else {
        if (rule->leave != NULL)
            rule->leave(sim, task, step, event);
        else
            VALUES(event, 0, 0, 0, 0);
        finish(sim, task, sim->cost_user);
    }
    bool begins = task->phase == 1;
    if (begins)
        task->called = event->time;
    sim_emit(sim);
    // ThreadX changes a queue and records the call while interrupts are disabled.
    bool at_once = step->op == SIM_OP_QUEUE_SEND || step->op == SIM_OP_QUEUE_RECEIVE;
    if (begins && at_once && sim->config.has_queues) {
        task->phase = 2;
        rule->body(sim, task, step);
    }
}

// Uncontended mutexes are locked without the kernel ------------------------------------------------

static bool userland_mutex(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    struct sim_mutex *mutex = sim_mutex_of(sim, task, step->a);
    bool lock = step->op == SIM_OP_LOCK;
    if (lock ? mutex->owner != NULL : mutex->waiters.head != NULL)
        return false;
    struct sim_event *event = sim_begin(sim, SIM_CALL);
    event->code = lock ? SIM_C_MUTEX_LOCK : SIM_C_MUTEX_UNLOCK;
    event->flags = SIM_USERLAND;
    sim_fill_mutex(sim, task, step, event);
    if (lock)
        sim_mutex_try(task, mutex);
    sim_emit(sim);
    if (!lock)
        sim_mutex_unlock(sim, task, mutex);
    finish(sim, task, sim->cost_user / 4);
    return true;
}

// Steps that are no kernel calls -----------------------------------------------------------------

static void format_text(struct sim *sim, const char *format, uint32_t count)
{
    size_t used = 0;
    for (const char *c = format; *c != '\0' && used < sizeof sim->text - 12; c++) {
        if (c[0] != '%' || c[1] != 'u') {
            sim->text[used++] = *c;
            continue;
        }
        char digits[12];
        size_t n = 0;
        do {
            digits[n++] = (char)('0' + count % 10);
            count /= 10;
        } while (count > 0);
        while (n > 0)
            sim->text[used++] = digits[--n];
        c++;
    }
    sim->text[used] = '\0';
}

static void emit_only(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    static const uint8_t kinds[SIM_OP_LAST] = {
        [SIM_OP_USER] = SIM_USER,        [SIM_OP_USER_TEXT] = SIM_USER_TEXT,
        [SIM_OP_LOG] = SIM_SYS_SLOG,     [SIM_OP_PATH] = SIM_SYS_PATH,
        [SIM_OP_MMAP] = SIM_SYS_MMAP,    [SIM_OP_MUNMAP] = SIM_SYS_MUNMAP,
        [SIM_OP_PAGE] = SIM_SYS_PAGEWAIT};
    if (step->text != NULL)
        format_text(sim, step->text, task->count);
    struct sim_event *event = sim_begin(sim, kinds[step->op]);
    event->process = task->pub.process;
    event->code = (uint32_t)step->a;
    event->text = step->text != NULL ? sim->text : NULL;
    if (step->op == SIM_OP_USER)
        VALUES(event, task->count, (uint64_t)step->b);
    else if (step->op == SIM_OP_LOG)
        VALUES(event, 0x27100);
    else if (step->op == SIM_OP_PAGE)
        VALUES(event, 0x08051a2c, 0x10042000 + 0x1000ull * (task->count % 64), 1, 2,
               0x1000ull * (task->count % 64));
    else
        VALUES(event, 0x2030400000 + task->pub.tid * 0x10000ull, (uint64_t)step->a, 0x2, 0x1, 3,
               0x1000);
    sim_emit(sim);
}

// Begins a wait that ends at a time of the script.
static void timed_wait(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    if (task->phase == 1) {
        finish(sim, task, sim->cost_user);
        return;
    }
    task->phase = 1;
    task->need = sim_about(sim, sim->cost_user);
    uint64_t ns = sim_random_ns(sim, step, 1000);
    if (step->op == SIM_OP_PAGE)
        emit_only(sim, task, step);
    sim_block(sim, task,
              step->op == SIM_OP_PAGE   ? SIM_WAITPAGE
              : step->op == SIM_OP_STOP ? SIM_STOPPED
                                        : SIM_SIGSUSPEND,
              0);
    sim_timer_set(sim, task, sim_ticks(sim, ns));
}

// Assigns the channels of its predecessor to a new process.
static void adopt_channels(struct sim *sim, struct sim_process *process, const char *name)
{
    const struct sim_scenario *scenario = sim->scenario;
    for (uint32_t i = 0; i < scenario->channel_count; i++)
        if (sim->channels[i].owner == NULL &&
            strcmp(scenario->processes[scenario->channels[i]].name, name) == 0)
            sim->channels[i].owner = process;
}

static void serve_process(struct sim *sim, struct sim_task *task)
{
    task->new_process = NULL;
    if (task->got_pulse) {
        if (task->pulse.value < sim->process_count && task->pulse.value > 0)
            sim_process_bury(sim, &sim->processes[task->pulse.value]);
    } else if (task->serving->message_type >= SIM_SPAWN_TYPE) {
        task->new_template = task->serving->message_type - SIM_SPAWN_TYPE;
        const struct sim_process_template *from = &sim->scenario->extra[task->new_template];
        task->new_process =
            sim_process_new(sim, from->name, task->serving->pub.process->pid, from->is32);
    }
    if (task->new_process != NULL) {
        adopt_channels(sim, task->new_process, task->new_process->name);
        struct sim_event *event = sim_begin(sim, SIM_PROC_CREATE);
        event->process = task->new_process;
        event->text = task->new_process->name;
        sim_emit(sim);
    } else {
        skip(task, 1);
    }
    finish(sim, task, sim->cost_user);
}

static void start_trace(struct sim *sim, struct sim_task *task)
{
    sim->tracing = true;
    sim_emit_waits(sim);
    if (!sim->config.dump_at_end)
        sim_dump(sim);
    struct sim_event *event = sim_begin(sim, SIM_CALL_EXIT);
    event->code = SIM_C_TRACE_EVENT;
    VALUES(event, 0, 0);
    sim_emit(sim);
    if (sim->config.end_ticks != 0)
        sim->end = sim->now + sim->config.end_ticks;
    finish(sim, task, sim->cost_user);
}

// Periods count from the start of the run, so that threads stay in phase.
static bool period_is_over(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    uint64_t length = sim_ticks(sim, (uint64_t)step->a * 1000);
    uint64_t base = sim->config.start_ticks + (uint64_t)step->b * sim->tick / 1000;
    uint64_t since = sim->now > base ? sim->now - base : 0;
    uint64_t present = base + since / length * length;
    if (task->period == 0 || task->period == present) {
        task->period = present + length;
        return false;
    }
    bool late = task->period < present; // a whole period was missed: continue at once
    task->period = late ? present : present + length;
    return late;
}

// Executes a step that takes no time. Returns false if the step takes time.
static bool instant_step(struct sim *sim, struct sim_task *task, const struct sim_step *step)
{
    switch (step->op) {
    case SIM_OP_SKIP_PULSE:
        skip(task, task->got_pulse ? 1 + step->a : 1);
        return true;
    case SIM_OP_COUNT:
        task->count++;
        skip(task, 1);
        return true;
    case SIM_OP_REPEAT:
        if (++task->repeats < step->a) {
            skip(task, -step->b);
        } else {
            task->repeats = 0;
            skip(task, 1);
        }
        return true;
    case SIM_OP_CHANCE:
        skip(task, (int32_t)sim_rng_below(&sim->rng, 100) < step->a ? 1 : 1 + step->b);
        return true;
    case SIM_OP_DEFER: {
        struct sim_channel *channel = &sim->channels[step->a];
        if (task->serving != NULL && channel->deferred_count < SIM_DEFERRED) {
            channel->deferred[channel->deferred_count++] = task->serving;
            task->serving = NULL;
        }
        skip(task, 1);
        return true;
    }
    case SIM_OP_REPLY_LATE: {
        struct sim_channel *channel = &sim->channels[step->a];
        if (task->phase != 0)
            return false;
        if (channel->deferred_count > 0) {
            task->serving = channel->deferred[--channel->deferred_count];
            return false;
        }
        skip(task, 1);
        return true;
    }
    case SIM_OP_ERROR:
    case SIM_OP_REPLY:
        if (task->serving != NULL || task->phase != 0)
            return false;
        skip(task, 1);
        return true;
    case SIM_OP_ALIVE:
        skip(task, sim->channels[step->a].owner != NULL ? 1 + step->b : 1);
        return true;
    case SIM_OP_PERIOD:
        if (task->phase != 0 || !period_is_over(sim, task, step))
            return false;
        skip(task, 1);
        return true;
    default:
        return false;
    }
}

bool sim_is_loaded(const char *loaded, const char *process, const char *thread)
{
    const char *slash = strrchr(process, '/');
    process = slash != NULL ? slash + 1 : process;
    size_t length = strlen(process);
    return strncmp(loaded, process, length) == 0 && loaded[length] == '/' &&
           strcmp(loaded + length + 1, thread) == 0;
}

// Returns the load of a thread in 1/10,000 of the scenario's run times.
static uint64_t load_of(const struct sim *sim, const struct sim_task *task)
{
    const struct sim_config *config = &sim->config;
    bool is = config->loaded[0] != '\0' &&
              sim_is_loaded(config->loaded, task->pub.process->name, task->pub.name);
    return (uint64_t)config->load * (is ? config->loaded_pct : 100);
}

void sim_act(struct sim *sim, struct sim_task *task)
{
    if (task->creator != NULL) {
        struct sim_task *creator = task->creator;
        task->creator = NULL;
        task->need = sim_about(sim, sim->cost_user);
        sim_wake(sim, creator, SIM_WAKE_CREATE, task->pub.tid);
        return;
    }
    const struct sim_step *step = &task->script[task->pc];
    while (instant_step(sim, task, step))
        step = &task->script[task->pc];
    const struct sim_call_rule *rule = &sim_call_rules[step->op];
    switch (step->op) {
    case SIM_OP_RUN:
        finish(sim, task, 1);
        task->need = sim_ticks(sim, sim_random_ns(sim, step, 1) * load_of(sim, task) / 10000);
        return;
    case SIM_OP_PAGE:
    case SIM_OP_STOP:
    case SIM_OP_SUSPEND:
        timed_wait(sim, task, step);
        return;
    case SIM_OP_SERVE_PROC:
        serve_process(sim, task);
        return;
    case SIM_OP_TRACE:
        start_trace(sim, task);
        return;
    case SIM_OP_LOCK:
    case SIM_OP_UNLOCK:
        if (task->phase == 0 && userland_mutex(sim, task, step))
            return;
        call_step(sim, task, step, rule);
        return;
    default:
        if (rule->call != 0) {
            call_step(sim, task, step, rule);
        } else {
            emit_only(sim, task, step);
            finish(sim, task, sim->cost_user);
        }
    }
}
