/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Building the lanes from actions, by the rules of docs/metrics.md ("States", "When a run ends").
 *
 * A run ends at the earliest of: the thread's own next state, another thread running on that CPU,
 * its destruction, a loss, the end. Between a thread's leaving and the next one's coming a CPU is
 * in the kernel.
 */
#include <stdlib.h>

#include "trace/timeline.h"

#define CPUS_MAX 65536u

struct tt_timelines *tt_timelines_new(struct tt_capture *capture, uint64_t begin)
{
    struct tt_timelines *t = calloc(1, sizeof *t);
    if (!t) {
        return NULL;
    }
    t->capture = capture;
    tt_column_init(&t->lanes, sizeof(struct tt_lane));
    tt_column_init(&t->cpus, sizeof(struct tt_cpu_lane));
    tt_column_init(&t->first_of_process, sizeof(uint32_t));
    tt_slice_lanes_init(&t->slices);
    tt_counter_lanes_init(&t->counters);
    atomic_init(&t->begin, begin);
    atomic_init(&t->end, begin);
    atomic_init(&t->provisional, true);
    const struct tt_format *format = capture->format;
    for (uint32_t i = format->state_count; i-- > 0;) {
        if (format->states[i].class_ == TT_CLASS_READY) {
            t->ready_state = (uint16_t)i;
        } else if (format->states[i].class_ == TT_CLASS_DEAD) {
            t->dead_state = (uint16_t)i;
        }
    }
    return t;
}

void tt_timelines_free(struct tt_timelines *t)
{
    while (t) {
        struct tt_timelines *older = t->older;
        for (uint64_t i = 0; i < tt_column_count(&t->lanes); i++) {
            struct tt_lane *lane = tt_column_at(&t->lanes, i);
            tt_track_free(&lane->states);
            tt_track_free(&lane->priorities);
            tt_track_free(&lane->notes);
        }
        for (uint64_t i = 0; i < tt_column_count(&t->cpus); i++) {
            struct tt_cpu_lane *cpu = tt_column_at(&t->cpus, i);
            tt_track_free(&cpu->occupants);
            tt_track_free(&cpu->irqs);
        }
        tt_column_free(&t->lanes);
        tt_column_free(&t->cpus);
        tt_column_free(&t->first_of_process);
        tt_track_free(&t->losses);
        tt_slice_lanes_free(&t->slices);
        tt_counter_lanes_free(&t->counters);
        free(t->known);
        free(t);
        t = older;
    }
}

/* ---- CPUs --------------------------------------------------------------------------------- */

static uint64_t irq_ticks_at(const struct tt_cpu_lane *cpu, uint64_t time)
{
    return cpu->irq_sums[IRQ_TICKS] + (cpu->irq_depth > 0 ? time - cpu->irq_since : 0);
}

static void close_occupation(const struct tt_timelines *t, struct tt_cpu_lane *cpu, uint64_t time)
{
    enum cpu_kind kind = tt_occupant_kind(t, cpu->occupant);
    uint64_t irq = irq_ticks_at(cpu, time);
    cpu->sums[CPU_TICKS + (int)kind] += time - cpu->since;
    cpu->sums[CPU_IRQ + (int)kind] += irq - cpu->irq_at_start;
    cpu->irq_at_start = irq;
    cpu->since = time;
}

/* The CPU has another occupant from `time` on. */
static bool set_occupant(const struct tt_timelines *t, struct tt_cpu_lane *cpu, uint64_t time,
                         uint32_t occupant)
{
    if (cpu->occupant == occupant) {
        return true;
    }
    close_occupation(t, cpu, time);
    cpu->sums[CPU_LAST] = cpu->last;
    cpu->occupant = occupant;
    if (!tt_track_append(&cpu->occupants, time, occupant, cpu->sums)) {
        return false;
    }
    if (tt_occupant_is_thread(occupant)) {
        cpu->sums[CPU_SWITCHES] += cpu->last != TT_OCCUPANT_UNKNOWN && cpu->last != occupant;
        cpu->last = occupant;
        cpu->last_out = TT_OUT_NONE;
    } else if (occupant == TT_OCCUPANT_UNKNOWN) {
        cpu->last = TT_OCCUPANT_UNKNOWN;
    }
    return true;
}

static struct tt_cpu_lane *add_cpu(struct tt_timelines *t)
{
    struct tt_cpu_lane *cpu = tt_column_next(&t->cpus);
    if (!cpu) {
        return NULL;
    }
    tt_track_init(&cpu->occupants, CPU_SUMS);
    tt_track_init(&cpu->irqs, IRQ_SUMS);
    cpu->since = atomic_load_explicit(&t->begin, memory_order_relaxed);
    cpu->occupant = cpu->last = TT_OCCUPANT_UNKNOWN;
    if (!tt_track_append(&cpu->occupants, cpu->since, TT_OCCUPANT_UNKNOWN, cpu->sums)) {
        tt_track_free(&cpu->occupants);
        return NULL;
    }
    tt_column_publish(&t->cpus);
    return cpu;
}

/* The CPU's lane, made if it is new; NULL for none, or when out of memory. */
static struct tt_cpu_lane *cpu_lane(struct tt_timelines *t, uint32_t number)
{
    if (number >= CPUS_MAX || number == TT_NO_CPU) {
        return NULL;
    }
    while (tt_column_count(&t->cpus) <= number) {
        if (!add_cpu(t)) {
            t->no_memory = true;
            return NULL;
        }
    }
    return tt_column_at(&t->cpus, number);
}

/* ---- threads ------------------------------------------------------------------------------ */

/* Hangs a new lane to the others of its process. */
static bool link_lane(struct tt_timelines *t, struct tt_lane *lane, uint32_t thread)
{
    uint32_t process = tt_thread_at(t->capture, thread)->process;
    while (tt_column_count(&t->first_of_process) <= process) {
        if (!tt_column_next(&t->first_of_process)) {
            return false;
        }
        tt_column_publish(&t->first_of_process);
    }
    uint32_t *first = tt_column_at(&t->first_of_process, process);
    lane->next_of_process = *first - 1; /* 0 becomes TT_NO_THREAD */
    *first = thread + 1;
    return true;
}

static struct tt_lane *add_lane(struct tt_timelines *t)
{
    uint32_t thread = (uint32_t)tt_column_count(&t->lanes);
    struct tt_lane *lane = tt_column_next(&t->lanes);
    if (!lane || !link_lane(t, lane, thread)) {
        return NULL;
    }
    tt_track_init(&lane->states, LANE_SUMS);
    tt_track_init(&lane->priorities, 0);
    tt_track_init(&lane->notes, 0);
    lane->thread = thread;
    lane->cpu = TT_NO_CPU;
    tt_column_publish(&t->lanes);
    return lane;
}

static struct tt_lane *thread_lane(struct tt_timelines *t, uint32_t thread)
{
    uint64_t count = tt_column_count(&t->lanes);
    if (thread < count) {
        return tt_column_at(&t->lanes, thread);
    }
    if (thread >= tt_thread_count(t->capture)) {
        return NULL;
    }
    struct tt_lane *lane = NULL;
    for (; count <= thread; count++) {
        lane = add_lane(t);
        if (!lane) {
            t->no_memory = true;
            return NULL;
        }
    }
    return lane;
}

static void close_interval(struct tt_timelines *t, struct tt_lane *lane, uint64_t time)
{
    if (VALUE_STATE(lane->value) != VALUE_ENDED) {
        enum tt_class class_ = tt_state_class(t, VALUE_STATE(lane->value));
        lane->sums[LANE_CLASS + (int)class_] += time - lane->since;
    }
    if (lane->running) {
        const struct tt_cpu_lane *cpu = cpu_lane(t, lane->cpu);
        if (cpu) {
            lane->sums[LANE_IRQ] += irq_ticks_at(cpu, time) - lane->irq_at_start;
        }
    }
    lane->since = time;
}

/* Notes a lane whose state is known, for the next loss. */
static bool list_known(struct tt_timelines *t, struct tt_lane *lane)
{
    if (t->known_count == t->known_capacity) {
        size_t capacity = t->known_capacity ? t->known_capacity * 2 : 64;
        uint32_t *known = realloc(t->known, capacity * sizeof *known);
        if (!known) {
            return false;
        }
        t->known = known;
        t->known_capacity = capacity;
    }
    t->known[t->known_count++] = lane->thread;
    lane->known = true;
    return true;
}

/* The lane is in another state from `time` on. */
static bool begin_interval(struct tt_timelines *t, struct tt_lane *lane, uint64_t time,
                           uint32_t value)
{
    if (lane->begun) {
        close_interval(t, lane, time);
    }
    value |= (uint32_t)lane->late_out << 13;
    lane->begun = true;
    lane->since = time;
    lane->value = value;
    if (!lane->known && VALUE_STATE(value) != 0 && !list_known(t, lane)) {
        return false;
    }
    bool ok = tt_track_append(&lane->states, time, value, lane->sums);
    tt_lane_count_out(lane->sums, lane->late_out);
    lane->late_out = TT_OUT_NONE;
    return ok;
}

/* The thread is no longer on its CPU; the CPU's occupant is the caller's business. */
static bool stop_running(struct tt_timelines *t, struct tt_lane *lane, uint64_t time,
                         uint32_t state)
{
    bool ok = begin_interval(t, lane, time, VALUE_OF(state, lane->cpu));
    lane->running = false;
    lane->left_class = (uint8_t)tt_state_class(t, state);
    return ok;
}

/* How a thread that went to `class_` left its CPU. */
static uint8_t out_of_class(uint8_t class_)
{
    return class_ == TT_CLASS_READY     ? TT_OUT_PREEMPTED
           : class_ == TT_CLASS_UNKNOWN ? TT_OUT_UNKNOWN
                                        : TT_OUT_VOLUNTARY;
}

/* Another thread comes to the CPU: now it is certain that the one before it was switched out. */
static void note_out(struct tt_timelines *t, const struct tt_cpu_lane *cpu, uint16_t number,
                     uint32_t newcomer)
{
    if (cpu->last == newcomer || !tt_occupant_is_thread(cpu->last) ||
        cpu->last == TT_OCCUPANT_IDLE) {
        return;
    }
    struct tt_lane *left = thread_lane(t, cpu->last);
    if (left && cpu->last_out != TT_OUT_NONE) {
        left->late_out = cpu->last_out;
    } else if (left && !left->running && left->cpu == number) {
        left->out = out_of_class(left->left_class);
    }
}

/*
 * The thread comes to another CPU before anybody came to the one it left. When somebody does, it
 * was switched out there; after a loss nobody knows.
 */
static void note_elsewhere(struct tt_timelines *t, const struct tt_lane *lane, uint16_t number)
{
    struct tt_cpu_lane *left =
        lane->cpu != TT_NO_CPU && lane->cpu != number ? cpu_lane(t, lane->cpu) : NULL;
    if (left && left->last == lane->thread) {
        left->last_out = out_of_class(lane->left_class);
    }
}

/* What a run counts at its very beginning, after its item was written. */
static void count_run(struct tt_lane *lane, uint32_t value)
{
    lane->sums[LANE_RUNS]++;
    lane->sums[LANE_IN] += (value & VALUE_SWITCHED_IN) != 0;
    lane->sums[LANE_MIGRATIONS] += (value & VALUE_MIGRATED) != 0;
    tt_lane_count_out(lane->sums, VALUE_OUT(value));
}

/* The thread that was on `cpu` gives way to another: it is ready, though nothing says so yet. */
static bool displace(struct tt_timelines *t, const struct tt_cpu_lane *cpu, uint16_t number,
                     uint64_t time, uint32_t state)
{
    if (!tt_occupant_is_thread(cpu->occupant) || cpu->occupant == TT_OCCUPANT_IDLE) {
        return true;
    }
    struct tt_lane *lane = thread_lane(t, cpu->occupant);
    if (lane && lane->running && lane->cpu == number) {
        return stop_running(t, lane, time, state);
    }
    return true;
}

static bool start_running(struct tt_timelines *t, uint32_t thread, uint16_t number, uint64_t time,
                          uint32_t state, uint64_t pos, bool announced)
{
    struct tt_lane *lane = thread_lane(t, thread);
    struct tt_cpu_lane *cpu = cpu_lane(t, number);
    if (!lane || !cpu) {
        return number == TT_NO_CPU || thread == TT_NO_THREAD;
    }
    if (lane->running && lane->cpu == number && cpu->occupant == thread) {
        return true;
    }
    if (lane->running) {
        struct tt_cpu_lane *other = cpu_lane(t, lane->cpu);
        tt_timelines_health(t, TT_HEALTH_TWO_CPUS, pos, number, "CPU");
        if (!set_occupant(t, other, time, TT_OCCUPANT_KERNEL)) {
            return false;
        }
        lane->left_class = TT_CLASS_UNKNOWN;
    }
    note_elsewhere(t, lane, number);
    if (!displace(t, cpu, number, time, t->ready_state)) {
        return false;
    }
    uint32_t value = VALUE_OF(state, number);
    if (!announced) {
        bool ran = lane->cpu != TT_NO_CPU;
        value |= (uint32_t)lane->out << 8;
        value |= ran && lane->cpu != number ? VALUE_MIGRATED : 0;
        value |= cpu->last != TT_OCCUPANT_UNKNOWN && cpu->last != thread ? VALUE_SWITCHED_IN : 0;
    } else {
        value |= lane->begun ? 0 : VALUE_SINCE_BEFORE;
    }
    lane->out = TT_OUT_NONE;
    note_out(t, cpu, number, thread);
    bool ok = begin_interval(t, lane, time, value) && set_occupant(t, cpu, time, thread);
    if (!announced) {
        count_run(lane, value);
    }
    if (lane->cpu == TT_NO_CPU) {
        lane->idle = tt_thread_at(t->capture, thread)->idle;
    }
    lane->running = true;
    lane->cpu = number;
    lane->irq_at_start = irq_ticks_at(cpu, time);
    return ok;
}

static bool set_state(struct tt_timelines *t, uint32_t thread, uint64_t time, uint32_t state,
                      bool announced)
{
    struct tt_lane *lane = thread_lane(t, thread);
    if (!lane) {
        return thread == TT_NO_THREAD;
    }
    if (lane->running) {
        struct tt_cpu_lane *cpu = cpu_lane(t, lane->cpu);
        return stop_running(t, lane, time, state) &&
               (!cpu || cpu->occupant != thread || set_occupant(t, cpu, time, TT_OCCUPANT_KERNEL));
    }
    if (lane->begun && VALUE_STATE(lane->value) == state) {
        return true;
    }
    uint32_t value = VALUE_OF(state, lane->cpu);
    if (announced && !lane->begun) {
        value |= VALUE_SINCE_BEFORE;
    }
    return begin_interval(t, lane, time, value);
}

static bool set_priority(struct tt_timelines *t, uint32_t thread, uint64_t time, int16_t priority)
{
    struct tt_lane *lane = priority == TT_NO_PRIORITY ? NULL : thread_lane(t, thread);
    if (!lane) {
        return true;
    }
    const struct tt_track_tail *last = &lane->priorities.tail;
    if (last->chunk && last->value == (uint16_t)priority) {
        return true;
    }
    return tt_track_append(&lane->priorities, time, (uint16_t)priority, NULL);
}

/* ---- actions ------------------------------------------------------------------------------ */

static bool on_state(struct tt_timelines *t, const struct tt_timed_action *e)
{
    const struct tt_action *a = &e->action;
    struct tt_lane *lane = thread_lane(t, a->thread);
    if (!lane) {
        return true;
    }
    uint8_t told = lane->told;
    lane->told = 0;
    if (told & TT_ACTION_RETOLD) {
        return true;
    }
    /* What is announced when tracing begins holds from the beginning. */
    bool announced = (told & TT_ACTION_ANNOUNCED) != 0;
    bool from_begin = announced && !lane->begun;
    uint64_t time = from_begin ? atomic_load_explicit(&t->begin, memory_order_relaxed) : e->ticks;
    if (!set_priority(t, a->thread, time, a->priority)) {
        return false;
    }
    if (tt_state_class(t, a->state) == TT_CLASS_RUNNING) {
        return start_running(t, a->thread, a->cpu, time, a->state, e->pos, announced);
    }
    return set_state(t, a->thread, time, a->state, announced);
}

static uint32_t running_state(const struct tt_timelines *t)
{
    uint32_t running = 0;
    while (running < t->capture->format->state_count &&
           tt_state_class(t, running) != TT_CLASS_RUNNING) {
        running++;
    }
    return running;
}

/*
 * A CPU of which nothing was known: the record says who was there until now, since when it does
 * not. That is a run without length, so that leaving it counts.
 */
static bool meet_outgoing(struct tt_timelines *t, const struct tt_timed_action *e,
                          const struct tt_cpu_lane *cpu)
{
    const struct tt_action *a = &e->action;
    const struct tt_lane *lane = thread_lane(t, a->other);
    if (!lane || lane->running || cpu->occupant != TT_OCCUPANT_UNKNOWN) {
        return true;
    }
    return start_running(t, a->other, a->cpu, e->ticks, running_state(t), e->pos, false);
}

static bool on_switch(struct tt_timelines *t, const struct tt_timed_action *e)
{
    const struct tt_action *a = &e->action;
    struct tt_cpu_lane *cpu = cpu_lane(t, a->cpu);
    if (!cpu) {
        return true;
    }
    if (!meet_outgoing(t, e, cpu) ||
        (a->other != TT_NO_THREAD && !set_state(t, a->other, e->ticks, a->state, false))) {
        return false;
    }
    if (a->thread == TT_NO_THREAD) {
        bool ok = displace(t, cpu, a->cpu, e->ticks, a->state);
        note_out(t, cpu, a->cpu, TT_OCCUPANT_IDLE);
        return ok && set_occupant(t, cpu, e->ticks, TT_OCCUPANT_IDLE);
    }
    return set_priority(t, a->thread, e->ticks, a->priority) &&
           start_running(t, a->thread, a->cpu, e->ticks, running_state(t), e->pos, false);
}

static bool on_wakeup(struct tt_timelines *t, const struct tt_timed_action *e)
{
    const struct tt_action *a = &e->action;
    const struct tt_lane *lane = thread_lane(t, a->thread);
    if (!lane || lane->running) {
        return true;
    }
    return set_priority(t, a->thread, e->ticks, a->priority) &&
           set_state(t, a->thread, e->ticks, t->ready_state, false);
}

static bool set_irq_depth(struct tt_cpu_lane *cpu, uint64_t time, uint32_t depth)
{
    cpu->irq_sums[IRQ_TICKS] = irq_ticks_at(cpu, time);
    cpu->irq_since = time;
    bool ok = tt_track_append(&cpu->irqs, time, depth, cpu->irq_sums);
    cpu->irq_sums[IRQ_ENTERS] += depth > cpu->irq_depth;
    cpu->irq_sums[IRQ_NESTED] += depth > cpu->irq_depth && cpu->irq_depth > 0;
    cpu->irq_depth = depth;
    return ok;
}

static bool on_interrupt_enter(struct tt_timelines *t, const struct tt_timed_action *e)
{
    const struct tt_action *a = &e->action;
    struct tt_cpu_lane *cpu = cpu_lane(t, a->cpu);
    return !cpu || set_irq_depth(cpu, e->ticks, cpu->irq_depth + 1);
}

static bool on_interrupt_leave(struct tt_timelines *t, const struct tt_timed_action *e)
{
    const struct tt_action *a = &e->action;
    struct tt_cpu_lane *cpu = cpu_lane(t, a->cpu);
    return !cpu || cpu->irq_depth == 0 || set_irq_depth(cpu, e->ticks, cpu->irq_depth - 1);
}

static bool on_thread_create(struct tt_timelines *t, const struct tt_timed_action *e)
{
    const struct tt_action *a = &e->action;
    struct tt_lane *lane = thread_lane(t, a->thread);
    if (!lane) {
        return true;
    }
    lane->told = a->flags;
    /* One that still had a state died unseen: nothing is known of the new one yet. */
    return a->flags != 0 || set_state(t, a->thread, e->ticks, 0, false);
}

static bool on_thread_destroy(struct tt_timelines *t, const struct tt_timed_action *e)
{
    return set_state(t, e->action.thread, e->ticks, t->dead_state, false);
}

/* With its process a lane ends. */
static bool end_lane(struct tt_timelines *t, uint32_t thread, uint64_t time)
{
    struct tt_lane *lane = thread_lane(t, thread);
    if (!lane || !lane->begun || VALUE_STATE(lane->value) == VALUE_ENDED) {
        return true;
    }
    if (lane->running && !set_state(t, thread, time, t->dead_state, false)) {
        return false;
    }
    return begin_interval(t, lane, time, VALUE_OF(VALUE_ENDED, lane->cpu));
}

/* Where threads turned out to belong to another process than the one they were met in. */
static bool end_moved_lanes(struct tt_timelines *t, const struct tt_timed_action *e)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < tt_column_count(&t->lanes); i++) {
        if (tt_thread_at(t->capture, i)->process == e->action.value) {
            ok = end_lane(t, i, e->ticks);
        }
    }
    return ok;
}

static bool on_process_destroy(struct tt_timelines *t, const struct tt_timed_action *e)
{
    if (tt_registry_any_moved(t->capture)) {
        return end_moved_lanes(t, e);
    }
    if (e->action.value >= tt_column_count(&t->first_of_process)) {
        return true;
    }
    const uint32_t *first = tt_column_at(&t->first_of_process, e->action.value);
    bool ok = true;
    for (uint32_t thread = *first - 1; ok && thread != TT_NO_THREAD;) {
        const struct tt_lane *lane = tt_column_at(&t->lanes, thread);
        ok = end_lane(t, thread, e->ticks);
        thread = lane->next_of_process;
    }
    return ok;
}

static bool on_priority(struct tt_timelines *t, const struct tt_timed_action *e)
{
    const struct tt_action *a = &e->action;
    return set_priority(t, a->thread, e->ticks, a->priority);
}

/* What a loss touches: the CPUs of its stream, and every thread but those on other CPUs. */
static bool is_touched(const struct tt_lane *lane, uint16_t cpu)
{
    bool elsewhere = lane->running && cpu != TT_NO_CPU && lane->cpu != cpu;
    return lane->begun && !elsewhere && VALUE_STATE(lane->value) != VALUE_ENDED;
}

/* Nothing is known from the last event before the loss on, until each is heard of again. */
static bool on_lost(struct tt_timelines *t, const struct tt_timed_action *e)
{
    uint16_t number = e->action.cpu;
    uint64_t from = tt_lost_since(e);
    uint32_t first = number == TT_NO_CPU ? 0 : number;
    uint32_t end = number == TT_NO_CPU ? (uint32_t)tt_column_count(&t->cpus) : number + 1u;
    bool ok = tt_track_append(&t->losses, e->ticks, number, NULL);
    ok = ok && (number == TT_NO_CPU || cpu_lane(t, number) != NULL);
    for (uint32_t i = first; ok && i < end; i++) {
        struct tt_cpu_lane *cpu = tt_column_at(&t->cpus, i);
        ok = set_occupant(t, cpu, from > cpu->since ? from : cpu->since, TT_OCCUPANT_UNKNOWN);
    }
    size_t kept = 0;
    for (size_t i = 0; i < t->known_count; i++) {
        struct tt_lane *lane = tt_column_at(&t->lanes, t->known[i]);
        if (is_touched(lane, number)) {
            uint64_t since = from > lane->since ? from : lane->since;
            ok = ok && set_state(t, lane->thread, since, 0, false);
            lane->known = false;
        } else if (VALUE_STATE(lane->value) == VALUE_ENDED) {
            lane->known = false;
        } else {
            t->known[kept++] = t->known[i];
        }
    }
    t->known_count = kept;
    for (uint32_t i = first; ok && i < end; i++) {
        struct tt_cpu_lane *cpu = tt_column_at(&t->cpus, i);
        if (cpu->irq_depth > 0) {
            ok = set_irq_depth(cpu, from > cpu->irq_since ? from : cpu->irq_since, 0);
        }
    }
    return ok;
}

static bool on_lost_slices(struct tt_timelines *t, const struct tt_timed_action *e)
{
    return tt_slices_lost(t, e) && tt_counters_lost(t, e);
}

static bool on_note(struct tt_timelines *t, const struct tt_timed_action *e)
{
    struct tt_lane *lane = thread_lane(t, e->action.thread);
    return !lane || tt_track_append(&lane->notes, e->ticks, e->action.other, NULL);
}

typedef bool (*handler)(struct tt_timelines *, const struct tt_timed_action *);

static const handler handlers[] = {
    [TT_ACTION_STATE] = on_state,
    [TT_ACTION_SWITCH] = on_switch,
    [TT_ACTION_WAKEUP] = on_wakeup,
    [TT_ACTION_INTERRUPT_ENTER] = on_interrupt_enter,
    [TT_ACTION_INTERRUPT_LEAVE] = on_interrupt_leave,
    [TT_ACTION_THREAD_CREATE] = on_thread_create,
    [TT_ACTION_THREAD_DESTROY] = on_thread_destroy,
    [TT_ACTION_PROCESS_DESTROY] = on_process_destroy,
    [TT_ACTION_PRIORITY] = on_priority,
    [TT_ACTION_SLICE_BEGIN] = tt_slices_begin,
    [TT_ACTION_SLICE_END] = tt_slices_end,
    [TT_ACTION_SLICE] = tt_slices_whole,
    [TT_ACTION_ASYNC_BEGIN] = tt_slices_async_begin,
    [TT_ACTION_ASYNC_END] = tt_slices_async_end,
    [TT_ACTION_COUNTER] = tt_counters_take,
    [TT_ACTION_LOST_SLICES] = on_lost_slices,
    [TT_ACTION_LOST] = on_lost,
    [TT_ACTION_NOTE] = on_note,
};

void tt_timelines_health(struct tt_timelines *t, enum tt_health_kind kind, uint64_t pos,
                         uint64_t value, const char *detail)
{
    struct tt_health_record record = {tt_capture_offset(t->capture, pos), pos, value, detail,
                                      (uint8_t)kind};
    if (t->quiet) {
        return;
    }
    if (t->held) {
        t->no_memory |= !tt_held_health_add(t->held, &record);
    } else {
        tt_health_add(t->capture, kind, record.offset, pos, value, detail);
    }
}

uint64_t tt_timelines_kinds(void)
{
    uint64_t kinds = 0;
    for (unsigned kind = 0; kind < sizeof handlers / sizeof *handlers; kind++) {
        kinds |= (uint64_t)(handlers[kind] != NULL) << kind;
    }
    return kinds;
}

bool tt_timelines_feed(struct tt_timelines *t, const struct tt_timed_action *timed)
{
    uint8_t kind = timed->action.kind;
    tt_timelines_reach(t, timed->ticks);
    if (kind >= sizeof handlers / sizeof *handlers || !handlers[kind]) {
        return true;
    }
    /* A lane that could not be made looks to the handlers like none that was named. */
    return handlers[kind](t, timed) && !t->no_memory;
}

void tt_timelines_reach(struct tt_timelines *t, uint64_t ticks)
{
    if (ticks > atomic_load_explicit(&t->end, memory_order_relaxed)) {
        atomic_store_explicit(&t->end, ticks, memory_order_release);
    }
}

bool tt_timelines_idle_changed(const struct tt_timelines *t)
{
    for (uint32_t i = 0; i < tt_column_count(&t->lanes); i++) {
        const struct tt_lane *lane = tt_column_at(&t->lanes, i);
        if (lane->cpu != TT_NO_CPU && lane->idle != tt_thread_at(t->capture, i)->idle) {
            return true;
        }
    }
    return false;
}
