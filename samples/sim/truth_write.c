// SPDX-License-Identifier: Apache-2.0
//
// truth_write: writes the records of the truth and adds up their sums.

#include "truth_lanes.h"

static const char *const class_names[CLASSES] = {"running", "ready",   "ipc",  "lock",   "sleep",
                                                 "wait",    "stopped", "dead", "unknown"};
static const char *const delay_names[DELAYS] = {"sch", "preempted", "wait"};
static const char *const why_names[] = {"unknown", "voluntary", "preempted"};

static uint8_t class_of(unsigned state)
{
    static const uint8_t classes[SIM_STATES] = {
        [SIM_DEAD] = CLASS_DEAD,        [SIM_RUNNING] = CLASS_RUNNING,
        [SIM_READY] = CLASS_READY,      [SIM_STOPPED] = CLASS_STOPPED,
        [SIM_SEND] = CLASS_IPC,         [SIM_RECEIVE] = CLASS_IPC,
        [SIM_REPLY] = CLASS_IPC,        [SIM_WAITTHREAD] = CLASS_WAIT,
        [SIM_WAITPAGE] = CLASS_WAIT,    [SIM_SIGSUSPEND] = CLASS_WAIT,
        [SIM_SIGWAITINFO] = CLASS_WAIT, [SIM_NANOSLEEP] = CLASS_SLEEP,
        [SIM_MUTEX] = CLASS_LOCK,       [SIM_CONDVAR] = CLASS_LOCK,
        [SIM_JOIN] = CLASS_WAIT,        [SIM_INTR] = CLASS_WAIT,
        [SIM_SEM] = CLASS_LOCK,         [SIM_WAITCTX] = CLASS_WAIT,
        [SIM_MQ_SEND] = CLASS_IPC,      [SIM_MQ_RECEIVE] = CLASS_IPC,
        [SIM_RWLOCK_READ] = CLASS_LOCK, [SIM_RWLOCK_WRITE] = CLASS_LOCK,
        [SIM_BARRIER] = CLASS_LOCK};
    return state < SIM_STATES ? classes[state] : CLASS_UNKNOWN;
}

bool truth_is_waiting(unsigned state)
{
    uint8_t class = class_of(state);
    return class >= CLASS_IPC && class <= CLASS_WAIT;
}

bool truth_is_full(const struct sim_truth *truth)
{
    return truth->detail == SIM_TRUTH_FULL;
}

bool truth_sees_koids(const struct sim_truth *truth)
{
    return truth->view != NULL && truth->view->koids;
}

bool truth_sees_lives(const struct sim_truth *truth)
{
    return truth->view != NULL && (truth->view->koids || truth->view->lives);
}

bool truth_sees_switches_only(const struct sim_truth *truth)
{
    return truth->view != NULL && truth->view->leaves_at_switch;
}

void truth_ids(const struct sim_truth *truth, const struct sim_thread *thread, uint64_t *pid,
               uint64_t *tid)
{
    bool is_linux = truth->view != NULL && truth->view->linux_ids;
    if (is_linux) {
        *pid = sim_linux_pid(thread);
        *tid = thread->idle ? thread->cpu : sim_linux_tid(thread);
    } else if (truth_sees_koids(truth)) {
        *pid = thread->idle ? 0 : sim_process_koid(thread->process);
        *tid = sim_thread_koid(thread);
    } else {
        *pid = thread->process->pid;
        *tid = thread->tid;
    }
}

// Returns the visible state.
unsigned truth_seen_as(const struct sim_truth *truth, unsigned state)
{
    if (truth->view == NULL || state >= SIM_STATES)
        return state;
    return truth->view->states[state].name != NULL ? truth->view->states[state].state
                                                   : truth->view->other.state;
}

const char *truth_state_name(const struct sim_truth *truth, unsigned state)
{
    if (truth->view == NULL || state >= SIM_STATES)
        return sim_state_name(state);
    return truth->view->states[state].name != NULL ? truth->view->states[state].name
                                                   : truth->view->other.name;
}

// Records ----------------------------------------------------------------------------------------

// Writes the number of the life where pid, tid and instance do not identify the lane.
static void name_lane(const struct sim_truth *truth, struct json *json, const struct lane *lane)
{
    json_number(json, "pid", lane->pid);
    json_number(json, "tid", lane->tid);
    if (lane->instance != 0)
        json_number(json, "instance", lane->instance);
    if (truth->view != NULL && truth->view->lives)
        json_number(json, "life", lane->life.number);
}

// Ends the line.
static void place_lane(struct json *json, const struct lane *lane)
{
    json_number(json, "slot", lane->slot);
    json_end(json);
}

static void add_length(struct delay_sum *sum, uint64_t ticks)
{
    sum->count++;
    sum->ticks += ticks;
    if (ticks > sum->max)
        sum->max = ticks;
}

void truth_write_delay(struct sim_truth *truth, struct lane *lane, enum delay_kind kind,
                       uint64_t from, uint64_t to)
{
    add_length(&lane->delay[kind], to - from);
    if (!truth_is_full(truth))
        return;
    struct json *json = &truth->json;
    json_begin(json, "delay");
    json_text(json, "kind", delay_names[kind]);
    name_lane(truth, json, lane);
    json_number(json, "start", from);
    json_number(json, "end", to);
    place_lane(json, lane);
}

void truth_write_life(struct sim_truth *truth, struct lane *lane, uint64_t now)
{
    struct life *life = &lane->life;
    if (life->written)
        return;
    life->written = true;
    truth->lives++;
    if (!truth_is_full(truth))
        return;
    struct json *json = &truth->json;
    json_begin(json, "life");
    json_number(json, "pid", lane->pid);
    json_number(json, "tid", lane->tid);
    if (lane->instance != 0)
        json_number(json, "instance", lane->instance);
    json_number(json, "life", life->number);
    json_number(json, "begin", life->begin);
    json_number(json, "end", life->ended ? life->end : now);
    if (life->since_before)
        json_number(json, "begin_unknown", 1);
    if (!life->ended)
        json_number(json, "end_unknown", 1);
    place_lane(json, lane);
}

uint64_t truth_irq_until(const struct cpu_truth *cpu, uint64_t now)
{
    return cpu->irq + (cpu->depth > 0 ? now - cpu->last : 0);
}

// Ends the lane's current interval.
void truth_close_interval(struct sim_truth *truth, struct lane *lane, uint64_t now)
{
    uint8_t class = class_of(lane->state);
    if (now < lane->since)
        now = lane->since; // after the last event that the file can represent
    if (lane->begun)
        lane->class_ticks[class] += now - lane->since;
    uint64_t irq = 0;
    if (lane->state == SIM_RUNNING) {
        irq = truth_irq_until(&truth->cpu[lane->cpu], now) - lane->irq_at_since;
        lane->irq_ticks += irq;
        if (lane->since_known && !lane->end_unseen)
            add_length(&lane->slice, now - lane->since - irq);
    }
    if (lane->state == SIM_UNKNOWN)
        return;
    truth->intervals++;
    if (!truth_is_full(truth))
        return;
    struct json *json = &truth->json;
    json_begin(json, "interval");
    name_lane(truth, json, lane);
    json_text(json, "state", truth_state_name(truth, lane->state));
    json_text(json, "class", class_names[class]);
    json_number(json, "start", lane->since);
    json_number(json, "end", now);
    if (lane->state == SIM_RUNNING) {
        json_number(json, "cpu", (uint64_t)lane->cpu);
        json_number(json, "irq", irq);
    }
    if (!lane->since_known)
        json_number(json, "start_unknown", 1);
    if (lane->end_unseen)
        json_number(json, "end_unknown", 1);
    place_lane(json, lane);
}

void truth_set_state(struct sim_truth *truth, struct lane *lane, unsigned state, uint64_t now,
                     bool known)
{
    if (!lane->begun && state == SIM_UNKNOWN)
        return;
    truth_close_interval(truth, lane, now);
    lane->begun = true;
    lane->state = (uint8_t)state;
    lane->since = now;
    lane->since_known = known;
}

void truth_cut_state(struct sim_truth *truth, struct lane *lane, unsigned state, uint64_t now)
{
    lane->end_unseen = true;
    truth_set_state(truth, lane, state, now, false);
    lane->end_unseen = false;
}

void truth_sum_lane(struct sim_truth *truth, const struct lane *lane)
{
    struct json *json = &truth->json;
    json_begin(json, "sum_thread");
    name_lane(truth, json, lane);
    json_text(json, "name", lane->name);
    json_number(json, "idle", lane->idle);
    if (lane->forgotten)
        json_number(json, "forgotten", 1);
    json_number(json, "run", lane->class_ticks[CLASS_RUNNING] - lane->irq_ticks);
    json_number(json, "irq", lane->irq_ticks);
    for (int i = 0; i < CLASSES; i++)
        json_number(json, class_names[i], lane->class_ticks[i]);
    json_number(json, "in", lane->in);
    json_number(json, "out", lane->out);
    for (int i = 0; i < 3; i++)
        json_number(json, i == WHY_UNKNOWN ? "out_unknown" : why_names[i], lane->out_why[i]);
    json_number(json, "migrations", lane->migrations);
    json_number(json, "slice_count", lane->slice.count);
    json_number(json, "slice_ticks", lane->slice.ticks);
    json_number(json, "slice_max", lane->slice.max);
    static const char *const names[DELAYS][3] = {
        {"sch_count", "sch_ticks", "sch_max"},
        {"preempted_count", "preempted_ticks", "preempted_max"},
        {"wait_count", "wait_ticks", "wait_max"}};
    for (int i = 0; i < DELAYS; i++) {
        json_number(json, names[i][0], lane->delay[i].count);
        json_number(json, names[i][1], lane->delay[i].ticks);
        json_number(json, names[i][2], lane->delay[i].max);
    }
    place_lane(json, lane);
}

void truth_write_message(struct sim_truth *truth, struct lane *client, uint64_t replied,
                         const char *why, uint64_t at)
{
    client->message_open = false;
    truth->messages++;
    if (!truth_is_full(truth))
        return;
    struct json *json = &truth->json;
    json_begin(json, "message");
    json_number(json, "id", client->message);
    name_lane(truth, json, client);
    json_number(json, "server_pid", client->server_pid);
    json_number(json, "server_tid", client->server_tid);
    if (client->sent_at != 0)
        json_number(json, "sent", client->sent_at);
    if (client->received_at != 0)
        json_number(json, "received", client->received_at);
    if (client->chid != 0)
        json_number(json, "chid", client->chid);
    if (client->client_unseen)
        json_number(json, "client_unseen", 1);
    if (client->server_unseen)
        json_number(json, "server_unseen", 1);
    if (replied != 0)
        json_number(json, "replied", replied);
    if (why != NULL)
        json_number(json, why, at);
    if (client->error != 0)
        json_number(json, "errno", client->error);
    json_end(json);
}

void truth_sum_cpu(struct sim_truth *truth, uint32_t number)
{
    struct cpu_truth *cpu = &truth->cpu[number];
    struct json *json = &truth->json;
    json_begin(json, "sum_cpu");
    json_number(json, "cpu", number);
    json_number(json, "busy", cpu->busy);
    json_number(json, "idle", cpu->idle);
    json_number(json, "irq", cpu->irq);
    json_number(json, "kernel", cpu->kernel);
    json_number(json, "unknown", cpu->unknown);
    json_number(json, "switches", cpu->switches);
    json_end(json);
}

void truth_sum_run(struct sim_truth *truth, const struct sim_counts *counts)
{
    struct json *json = &truth->json;
    json_begin(json, "sum_run");
    json_number(json, "start", truth->first);
    json_number(json, "end", truth->last);
    json_number(json, "switches", truth->switches);
    json_number(json, "intervals", truth->intervals);
    json_number(json, "lives", truth->lives);
    json_number(json, "messages", truth->messages);
    json_number(json, "pulses", truth->pulses);
    json_number(json, "interrupts", truth->interrupts);
    json_number(json, "nested", truth->nested);
    json_number(json, "wakes", truth->wakes);
    json_number(json, "user_events", truth->by_kind[SIM_USER] + truth->by_kind[SIM_USER_TEXT]);
    json_number(json, "losses", truth->losses);
    json_number(json, "lost", truth->lost_total);
    json_number(json, "heard", truth->events);
    json_end(json);
    json_begin(json, "file");
    json_number(json, "events", counts->events);
    json_number(json, "records", counts->records);
    json_number(json, "lost", counts->lost);
    json_number(json, "lost_buffers", counts->lost_buffers);
    for (uint64_t i = 0; i < sizeof counts->classes / sizeof counts->classes[0]; i++)
        if (counts->classes[i] != 0)
            json_indexed(json, "class", i, counts->classes[i]);
    for (int i = 0; i < 8 && counts->named[i].name != NULL; i++)
        json_number(json, counts->named[i].name, counts->named[i].count);
    json_end(json);
}

void truth_write_switch(struct sim_truth *truth, const struct lane *from, const struct lane *to,
                        uint32_t cpu, uint64_t now, enum why why)
{
    struct json *json = &truth->json;
    json_begin(json, "switch");
    json_number(json, "at", now);
    json_number(json, "cpu", cpu);
    json_number(json, "from_pid", from->pid);
    json_number(json, "from_tid", from->tid);
    json_number(json, "to_pid", to->pid);
    json_number(json, "to_tid", to->tid);
    json_text(json, "why", why_names[why]);
    json_number(json, "migration", to->cpu >= 0 && to->cpu != (int)cpu);
    json_end(json);
}

void truth_write_interrupt(struct sim_truth *truth, uint32_t number, uint64_t end, bool cut)
{
    const struct cpu_truth *cpu = &truth->cpu[number];
    struct json *json = &truth->json;
    json_begin(json, "interrupt");
    json_number(json, "cpu", number);
    json_number(json, "vector", cpu->frames[cpu->depth].vector);
    json_number(json, "start", cpu->frames[cpu->depth].since);
    json_number(json, "end", end);
    json_number(json, "depth", cpu->depth);
    if (cut)
        json_number(json, "cut", 1);
    json_end(json);
}

void truth_write_loss(struct sim_truth *truth, uint32_t stream, uint64_t from, uint64_t to)
{
    struct json *json = &truth->json;
    truth->losses++;
    json_begin(json, "loss");
    json_number(json, "stream", stream);
    json_number(json, "start", from);
    json_number(json, "end", to);
    json_number(json, "events", truth->lost[stream]);
    json_end(json);
}

void truth_write_lost_end(struct sim_truth *truth, uint32_t stream)
{
    struct json *json = &truth->json;
    json_begin(json, "lost_end");
    json_number(json, "stream", stream);
    json_number(json, "start", truth->stream_last[stream]);
    json_number(json, "events", truth->lost[stream]);
    json_end(json);
}

void truth_write_start(struct sim_truth *truth, const char *format)
{
    const struct sim_config *config = truth->config;
    struct json *json = &truth->json;
    json_begin(json, "run");
    json_text(json, "format", format);
    json_text(json, "scenario", config->scenario);
    json_number(json, "seed", config->seed);
    if (truth->view == NULL) {
        static const char *const kernels[] = {"6.4", "7.1", "8.0"};
        json_text(json, "kernel", kernels[config->model]);
    }
    json_number(json, "clock_hz", config->clock_hz);
    json_number(json, "cpus", config->cpus);
    if (truth->overwritten)
        json_number(json, "overwritten", 1);
    json_end(json);
}
