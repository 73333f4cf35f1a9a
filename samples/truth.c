// SPDX-License-Identifier: Apache-2.0
//
// The truth: keeps, for each thread and each CPU, what it does and since when, and tells every
// interval, switch, delay, message, interrupt and loss as it ends.
//
// Memory is bounded: one lane a thread slot, one record a CPU. A lane's sums are written when its
// process ends, or at the end of the run.

#include "truth.h"

#include "json.h"

#include <stdlib.h>
#include <string.h>

enum { CLASS_RUNNING, CLASS_READY, CLASS_IPC, CLASS_LOCK, CLASS_SLEEP, CLASS_WAIT, CLASS_STOPPED };
enum { CLASS_DEAD = CLASS_STOPPED + 1, CLASS_UNKNOWN, CLASSES };
enum ready_kind { READY_OTHER, READY_WOKEN, READY_PREEMPTED };
enum delay_kind { DELAY_SCH, DELAY_PREEMPTED, DELAY_WAIT, DELAYS };
enum why { WHY_UNKNOWN, WHY_VOLUNTARY, WHY_PREEMPTED };

static const char *const class_names[CLASSES] = {"running", "ready",   "ipc",  "lock",   "sleep",
                                                 "wait",    "stopped", "dead", "unknown"};
static const char *const delay_names[DELAYS] = {"sch", "preempted", "wait"};
static const char *const why_names[] = {"unknown", "voluntary", "preempted"};

struct delay_sum {
    uint64_t count, ticks, max;
};

struct lane {
    bool used;
    uint32_t pid, tid, serial;
    uint32_t instance; // how many processes of this pid the capture has seen end before
    char name[SIM_NAME_MAX];
    uint8_t idle;
    uint8_t state;    // enum sim_state, or SIM_UNKNOWN
    bool since_known; // false: the state was there before the capture, or after a loss
    uint64_t since;
    uint64_t irq_at_since; // of its CPU, while running
    int cpu;               // runs there, or ran there last; -1: never seen running
    enum ready_kind ready_kind;
    uint64_t left_at; // when it left its CPU to wait, UINT64_MAX: not known
    uint64_t class_ticks[CLASSES];
    uint64_t irq_ticks; // within running
    uint64_t in, out, out_why[3], migrations;
    struct delay_sum delay[DELAYS];
    uint64_t sent_at, received_at; // the message it has under way
    uint64_t message;              // its id
    bool message_open;
    uint32_t server_pid, server_tid;
};

enum cpu_state { CPU_UNKNOWN, CPU_KERNEL, CPU_RUNNING };

struct cpu_truth {
    enum cpu_state state;
    struct lane *occupant; // who runs, or ran last; NULL: not known
    enum why left;         // why the occupant left, while in the kernel
    uint64_t last;         // time up to which the sums are
    uint64_t busy, idle, irq, kernel, unknown, switches;
    uint32_t depth;
    struct {
        uint32_t vector;
        uint64_t since;
    } frames[8];
};

struct sim_truth {
    const struct sim_config *config;
    enum sim_truth_detail detail;
    struct json json;
    struct lane *lanes;
    uint32_t lane_count;
    struct cpu_truth cpu[SIM_CPU_MAX];
    uint64_t first, last; // times of the first and the last event that the file has
    uint64_t stream_last[SIM_CPU_MAX];
    uint64_t lost[SIM_CPU_MAX]; // events lost since the last that was kept, by stream
    uint64_t events, by_kind[SIM_KINDS];
    uint64_t lost_total, losses, messages, pulses, interrupts, nested, switches, intervals;
    bool started;
    uint32_t uses[SIM_PID_MAX]; // processes of each pid that ended
};

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

static bool is_waiting(unsigned state)
{
    uint8_t class = class_of(state);
    return class >= CLASS_IPC && class <= CLASS_WAIT;
}

static bool full(const struct sim_truth *truth)
{
    return truth->detail == SIM_TRUTH_FULL;
}

// Records ----------------------------------------------------------------------------------------

static void name_lane(struct json *json, const struct lane *lane)
{
    json_number(json, "pid", lane->pid);
    json_number(json, "tid", lane->tid);
    if (lane->instance != 0)
        json_number(json, "instance", lane->instance);
}

static void tell_delay(struct sim_truth *truth, struct lane *lane, enum delay_kind kind,
                       uint64_t from, uint64_t to)
{
    struct delay_sum *sum = &lane->delay[kind];
    uint64_t ticks = to - from;
    sum->count++;
    sum->ticks += ticks;
    if (ticks > sum->max)
        sum->max = ticks;
    if (!full(truth))
        return;
    struct json *json = &truth->json;
    json_begin(json, "delay");
    json_text(json, "kind", delay_names[kind]);
    name_lane(json, lane);
    json_number(json, "start", from);
    json_number(json, "end", to);
    json_end(json);
}

static uint64_t irq_until(const struct cpu_truth *cpu, uint64_t now)
{
    return cpu->irq + (cpu->depth > 0 ? now - cpu->last : 0);
}

// Ends the lane's present interval.
static void close_interval(struct sim_truth *truth, struct lane *lane, uint64_t now)
{
    uint8_t class = class_of(lane->state);
    if (now < lane->since)
        now = lane->since; // after the last event that the file could say
    lane->class_ticks[class] += now - lane->since;
    uint64_t irq = 0;
    if (lane->state == SIM_RUNNING) {
        irq = irq_until(&truth->cpu[lane->cpu], now) - lane->irq_at_since;
        lane->irq_ticks += irq;
    }
    if (lane->state == SIM_UNKNOWN)
        return;
    truth->intervals++;
    if (!full(truth))
        return;
    struct json *json = &truth->json;
    json_begin(json, "interval");
    name_lane(json, lane);
    json_text(json, "state", sim_state_name(lane->state));
    json_text(json, "class", class_names[class]);
    json_number(json, "start", lane->since);
    json_number(json, "end", now);
    if (lane->state == SIM_RUNNING) {
        json_number(json, "cpu", (uint64_t)lane->cpu);
        json_number(json, "irq", irq);
    }
    if (!lane->since_known)
        json_number(json, "start_unknown", 1);
    json_end(json);
}

static void set_state(struct sim_truth *truth, struct lane *lane, unsigned state, uint64_t now,
                      bool known)
{
    close_interval(truth, lane, now);
    lane->state = (uint8_t)state;
    lane->since = now;
    lane->since_known = known;
}

static void sum_lane(struct sim_truth *truth, const struct lane *lane)
{
    struct json *json = &truth->json;
    json_begin(json, "sum_thread");
    name_lane(json, lane);
    json_text(json, "name", lane->name);
    json_number(json, "idle", lane->idle);
    json_number(json, "run", lane->class_ticks[CLASS_RUNNING] - lane->irq_ticks);
    json_number(json, "irq", lane->irq_ticks);
    for (int i = 0; i < CLASSES; i++)
        json_number(json, class_names[i], lane->class_ticks[i]);
    json_number(json, "in", lane->in);
    json_number(json, "out", lane->out);
    for (int i = 0; i < 3; i++)
        json_number(json, i == WHY_UNKNOWN ? "out_unknown" : why_names[i], lane->out_why[i]);
    json_number(json, "migrations", lane->migrations);
    static const char *const names[DELAYS][3] = {
        {"sch_count", "sch_ticks", "sch_max"},
        {"preempted_count", "preempted_ticks", "preempted_max"},
        {"wait_count", "wait_ticks", "wait_max"}};
    for (int i = 0; i < DELAYS; i++) {
        json_number(json, names[i][0], lane->delay[i].count);
        json_number(json, names[i][1], lane->delay[i].ticks);
        json_number(json, names[i][2], lane->delay[i].max);
    }
    json_end(json);
}

static void tell_message(struct sim_truth *truth, struct lane *client, uint64_t replied)
{
    client->message_open = false;
    truth->messages++;
    if (!full(truth))
        return;
    struct json *json = &truth->json;
    json_begin(json, "message");
    json_number(json, "id", client->message);
    name_lane(json, client);
    json_number(json, "server_pid", client->server_pid);
    json_number(json, "server_tid", client->server_tid);
    json_number(json, "sent", client->sent_at);
    if (client->received_at != 0)
        json_number(json, "received", client->received_at);
    if (replied != 0)
        json_number(json, "replied", replied);
    json_end(json);
}

// Ends a lane: its process is gone, or the run is over.
static void end_lane(struct sim_truth *truth, struct lane *lane, uint64_t now)
{
    if (!lane->used)
        return;
    if (lane->message_open)
        tell_message(truth, lane, 0);
    close_interval(truth, lane, now);
    sum_lane(truth, lane);
    lane->used = false;
}

// A lane goes away while the run goes on: no CPU may still name it.
static void drop_lane(struct sim_truth *truth, struct lane *lane, uint64_t now)
{
    end_lane(truth, lane, now);
    for (uint32_t i = 0; i < truth->config->cpus; i++)
        if (truth->cpu[i].occupant == lane) {
            truth->cpu[i].occupant = NULL;
            truth->cpu[i].state = CPU_UNKNOWN;
        }
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

// The thread that runs on a CPU stops running there.
static void leave_cpu(struct cpu_truth *cpu, struct lane *lane, uint64_t now, enum why why)
{
    if (cpu->state != CPU_RUNNING || cpu->occupant != lane)
        return;
    advance(cpu, now);
    cpu->state = CPU_KERNEL;
    cpu->left = why;
}

static void tell_switch(struct sim_truth *truth, struct cpu_truth *cpu, struct lane *to,
                        uint64_t now, enum why why)
{
    struct lane *from = cpu->occupant;
    uint64_t number = (uint64_t)(cpu - truth->cpu);
    from->out++;
    from->out_why[why]++;
    to->in++;
    cpu->switches++;
    truth->switches++;
    if (!full(truth))
        return;
    struct json *json = &truth->json;
    json_begin(json, "switch");
    json_number(json, "at", now);
    json_number(json, "cpu", number);
    json_number(json, "from_pid", from->pid);
    json_number(json, "from_tid", from->tid);
    json_number(json, "to_pid", to->pid);
    json_number(json, "to_tid", to->tid);
    json_text(json, "why", why_names[why]);
    json_number(json, "migration", to->cpu >= 0 && to->cpu != (int)number);
    json_end(json);
}

static void run(struct sim_truth *truth, struct lane *lane, const struct sim_event *event)
{
    struct cpu_truth *cpu = &truth->cpu[event->cpu];
    struct lane *from = cpu->occupant;
    uint64_t now = event->time;
    bool dumped = (event->flags & SIM_DUMP) != 0;
    if (lane->state == SIM_RUNNING && lane->cpu == event->cpu)
        return; // told again in a dump at the end
    if (!dumped && from != NULL && from != lane) {
        enum why why = cpu->state == CPU_RUNNING ? WHY_PREEMPTED : cpu->left;
        if (cpu->state == CPU_RUNNING) {
            advance(cpu, now);
            set_state(truth, from, SIM_READY, now, true);
            from->ready_kind = READY_PREEMPTED;
        }
        tell_switch(truth, cpu, lane, now, why);
    }
    if (lane->state == SIM_READY && lane->since_known && !dumped) {
        if (lane->ready_kind == READY_WOKEN)
            tell_delay(truth, lane, DELAY_SCH, lane->since, now);
        else if (lane->ready_kind == READY_PREEMPTED)
            tell_delay(truth, lane, DELAY_PREEMPTED, lane->since, now);
    }
    if (lane->cpu >= 0 && lane->cpu != (int)event->cpu)
        lane->migrations++;
    if (!dumped)
        advance(cpu, now);
    uint64_t since = dumped ? truth->first : now;
    set_state(truth, lane, SIM_RUNNING, since, !dumped);
    lane->cpu = event->cpu;
    lane->left_at = UINT64_MAX;
    lane->irq_at_since = irq_until(cpu, now);
    cpu->occupant = lane;
    cpu->state = CPU_RUNNING;
}

// States -----------------------------------------------------------------------------------------

static void state(struct sim_truth *truth, struct lane *lane, unsigned to, uint64_t now,
                  bool dumped)
{
    if (lane->state == to)
        return; // confirmed: a displaced thread's READY, or told again in a dump
    unsigned was = lane->state;
    if (was == SIM_RUNNING) {
        leave_cpu(&truth->cpu[lane->cpu], lane, now,
                  to == SIM_READY ? WHY_PREEMPTED : WHY_VOLUNTARY);
        lane->left_at = to == SIM_READY ? UINT64_MAX : now;
    }
    if (to == SIM_READY && !dumped) {
        lane->ready_kind = is_waiting(was)      ? READY_WOKEN
                           : was == SIM_RUNNING ? READY_PREEMPTED
                                                : READY_OTHER;
        if (lane->left_at != UINT64_MAX)
            tell_delay(truth, lane, DELAY_WAIT, lane->left_at, now);
        lane->left_at = UINT64_MAX;
    }
    if (dumped && was == SIM_UNKNOWN)
        set_state(truth, lane, to, truth->first, false);
    else
        set_state(truth, lane, to, now, !dumped);
    if (to == SIM_DEAD)
        lane->left_at = UINT64_MAX;
}

// Lanes ------------------------------------------------------------------------------------------

static bool same_lane(const struct lane *lane, const struct sim_thread *thread)
{
    return lane->used && lane->tid == thread->tid && lane->pid == thread->process->pid &&
           lane->serial == thread->process->serial;
}

static struct lane *lane_of(struct sim_truth *truth, const struct sim_thread *thread, uint64_t now)
{
    struct lane *lane = &truth->lanes[thread->index];
    if (same_lane(lane, thread))
        return lane;
    drop_lane(truth, lane, now);
    memset(lane, 0, sizeof *lane);
    lane->used = true;
    lane->pid = thread->process->pid;
    lane->tid = thread->tid;
    lane->serial = thread->process->serial;
    lane->instance = truth->uses[lane->pid];
    lane->idle = thread->idle;
    lane->state = SIM_UNKNOWN;
    lane->since = now;
    lane->cpu = -1;
    lane->left_at = UINT64_MAX;
    memcpy(lane->name, thread->name, sizeof lane->name);
    return lane;
}

// Messages, interrupts, losses -------------------------------------------------------------------

static void comm(struct sim_truth *truth, const struct sim_event *event)
{
    if (event->code == SIM_COMM_SMSG) {
        struct lane *client = lane_of(truth, event->thread, event->time);
        client->message_open = true;
        client->message = event->value[0];
        client->sent_at = event->time;
        client->received_at = 0;
        client->server_pid = event->partner_pid;
        client->server_tid = 0;
    } else if (event->code == SIM_COMM_RMSG || event->code == SIM_COMM_REPLY) {
        struct lane *client = lane_of(truth, event->partner, event->time);
        if (!client->message_open)
            return; // sent before the capture
        if (event->code == SIM_COMM_REPLY) {
            tell_message(truth, client, event->time);
            return;
        }
        client->received_at = event->time;
        client->server_tid = event->thread->tid;
    } else if (event->code == SIM_COMM_SPULSE || event->code == SIM_COMM_SPULSE_EXE) {
        truth->pulses++;
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

static void tell_interrupt(struct sim_truth *truth, struct cpu_truth *cpu, uint64_t end, bool cut)
{
    struct json *json = &truth->json;
    json_begin(json, "interrupt");
    json_number(json, "cpu", (uint64_t)(cpu - truth->cpu));
    json_number(json, "vector", cpu->frames[cpu->depth].vector);
    json_number(json, "start", cpu->frames[cpu->depth].since);
    json_number(json, "end", end);
    json_number(json, "depth", cpu->depth);
    if (cut)
        json_number(json, "cut", 1);
    json_end(json);
}

static void interrupt_exit(struct sim_truth *truth, const struct sim_event *event)
{
    struct cpu_truth *cpu = &truth->cpu[event->cpu];
    if (cpu->depth == 0)
        return; // entered before the capture
    advance(cpu, event->time);
    cpu->depth--;
    if (full(truth))
        tell_interrupt(truth, cpu, event->time, false);
}

static uint32_t stream_of(const struct sim_truth *truth, uint32_t cpu)
{
    return truth->config->model == SIM_QNX80 ? cpu : 0;
}

// What was lost in a stream makes unknown all that its events could have changed: its CPUs, and
// every thread except those that are known to run on a CPU of another stream.
static void tell_loss(struct sim_truth *truth, uint32_t stream, uint64_t now)
{
    uint64_t from = truth->stream_last[stream];
    struct json *json = &truth->json;
    truth->losses++;
    json_begin(json, "loss");
    json_number(json, "stream", stream);
    json_number(json, "start", from);
    json_number(json, "end", now);
    json_number(json, "events", truth->lost[stream]);
    json_end(json);
    truth->lost[stream] = 0;
    bool one_stream = truth->config->model != SIM_QNX80;
    for (uint32_t i = 0; i < truth->lane_count; i++) {
        struct lane *lane = &truth->lanes[i];
        bool elsewhere = lane->state == SIM_RUNNING && !one_stream && lane->cpu != (int)stream;
        if (!lane->used || elsewhere)
            continue;
        set_state(truth, lane, SIM_UNKNOWN, lane->since > from ? lane->since : from, false);
        lane->left_at = UINT64_MAX;
        lane->message_open = false;
    }
    for (uint32_t i = 0; i < truth->config->cpus; i++) {
        struct cpu_truth *cpu = &truth->cpu[i];
        if (!one_stream && i != stream)
            continue;
        if (cpu->last < from)
            advance(cpu, from);
        cpu->state = CPU_UNKNOWN;
        cpu->occupant = NULL;
        cpu->depth = 0;
    }
}

// The stream of events ---------------------------------------------------------------------------

static void bury(struct sim_truth *truth, const struct sim_event *event)
{
    for (uint32_t i = 0; i < truth->lane_count; i++) {
        struct lane *lane = &truth->lanes[i];
        if (lane->used && lane->pid == event->process->pid &&
            lane->serial == event->process->serial)
            drop_lane(truth, lane, event->time);
    }
    truth->uses[event->process->pid]++;
}

static void thread_created(struct sim_truth *truth, const struct sim_event *event)
{
    struct lane *lane = lane_of(truth, event->thread, event->time);
    if ((event->flags & SIM_DUMP) == 0 && lane->state != SIM_UNKNOWN)
        set_state(truth, lane, SIM_UNKNOWN, event->time, true);
}

static void heard(struct sim_truth *truth, const struct sim_event *event, enum sim_written written)
{
    bool dumped = (event->flags & SIM_DUMP) != 0;
    bool named_only = dumped && truth->config->dump_at_end;
    bool irq = event->kind == SIM_IRQ_ENTER || event->kind == SIM_IRQ_EXIT;
    if (named_only || (irq && written == SIM_WRITTEN_NONE))
        return; // a dump at the end changes nothing; nobody can tell interrupts not shown
    switch (event->kind) {
    case SIM_THREAD_CREATE:
        thread_created(truth, event);
        break;
    case SIM_THREAD_DESTROY:
        state(truth, lane_of(truth, event->thread, event->time), SIM_DEAD, event->time, false);
        break;
    case SIM_RUN:
        run(truth, lane_of(truth, event->thread, event->time), event);
        break;
    case SIM_STATE:
        state(truth, lane_of(truth, event->thread, event->time), event->code, event->time, dumped);
        break;
    case SIM_PROC_DESTROY:
        bury(truth, event);
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
    case SIM_IRQ_DELIVER:
        truth->interrupts++;
        break;
    default:
        break;
    }
}

void sim_truth_event(struct sim_truth *truth, const struct sim_event *event,
                     enum sim_written written)
{
    uint32_t stream = stream_of(truth, event->cpu);
    if (written == SIM_WRITTEN_LOST) {
        truth->lost[stream]++;
        truth->lost_total++;
        return;
    }
    if (!truth->started) {
        truth->started = true;
        truth->first = event->time;
        for (uint32_t i = 0; i < SIM_CPU_MAX; i++)
            truth->cpu[i].last = truth->stream_last[i] = event->time;
    }
    if (written == SIM_WRITTEN_NONE && truth->lost[stream] != 0)
        return; // nothing has been heard again yet
    if (truth->lost[stream] != 0)
        tell_loss(truth, stream, event->time);
    if (written == SIM_WRITTEN)
        truth->last = truth->stream_last[stream] = event->time;
    truth->events++;
    truth->by_kind[event->kind]++;
    heard(truth, event, written);
}

static void sum_cpu(struct sim_truth *truth, uint32_t number)
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

static void sum_run(struct sim_truth *truth, const struct sim_counts *counts)
{
    struct json *json = &truth->json;
    json_begin(json, "sum_run");
    json_number(json, "start", truth->first);
    json_number(json, "end", truth->last);
    json_number(json, "switches", truth->switches);
    json_number(json, "intervals", truth->intervals);
    json_number(json, "messages", truth->messages);
    json_number(json, "pulses", truth->pulses);
    json_number(json, "interrupts", truth->interrupts);
    json_number(json, "nested", truth->nested);
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

void sim_truth_close(struct sim_truth *truth, const struct sim_counts *counts)
{
    // Lanes and CPUs end together: before a CPU's clock moves, running lanes need its interrupts.
    for (uint32_t i = 0; i < truth->lane_count; i++)
        end_lane(truth, &truth->lanes[i], truth->last);
    for (uint32_t i = 0; i < truth->config->cpus; i++) {
        struct cpu_truth *cpu = &truth->cpu[i];
        if (cpu->last < truth->last)
            advance(cpu, truth->last);
        while (cpu->depth > 0) {
            cpu->depth--;
            if (full(truth))
                tell_interrupt(truth, cpu, truth->last, true);
        }
        sum_cpu(truth, i);
    }
    sum_run(truth, counts);
    free(truth->lanes);
    free(truth);
}

struct sim_truth *sim_truth_open(const struct sim_config *config, const char *format,
                                 enum sim_truth_detail detail, struct sim_out *out,
                                 uint32_t threads)
{
    struct sim_truth *truth = calloc(1, sizeof *truth);
    if (truth == NULL)
        return NULL;
    truth->lanes = calloc(threads, sizeof *truth->lanes);
    if (truth->lanes == NULL) {
        free(truth);
        return NULL;
    }
    truth->lane_count = threads;
    truth->config = config;
    truth->detail = detail;
    truth->json.out = out;
    struct json *json = &truth->json;
    json_begin(json, "run");
    json_text(json, "format", format);
    json_text(json, "scenario", config->scenario);
    json_number(json, "seed", config->seed);
    json_number(json, "clock_hz", config->clock_hz);
    json_number(json, "cpus", config->cpus);
    json_end(json);
    return truth;
}
