/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds the lanes from actions, by the rules of docs/metrics.md ("States", "When a run ends").
 *
 * A run ends at the earliest of: the thread's own next state, another thread running on that CPU,
 * the thread's destruction, a loss, the end of the capture. A CPU is in the kernel from the time a
 * thread leaves until the next one runs.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/timeline/timeline.h"
#include "tracetui/merge.h"

#define CPUS_MAX 65536u

struct tt_timelines *tt_timelines_new(struct tt_capture *capture, uint64_t begin)
{
    struct tt_timelines *t = calloc(1, sizeof *t);
    if (!t) {
        return NULL;
    }
    t->capture = capture;
    t->number = 1;
    tt_column_init(&t->lanes, sizeof(struct tt_lane));
    tt_column_init(&t->cpus, sizeof(struct tt_cpu_lane));
    tt_column_init(&t->first_of_process, sizeof(uint32_t));
    tt_slice_lanes_init(&t->slices);
    tt_counter_lanes_init(&t->counters);
    tt_message_lanes_init(&t->messages);
    tt_object_lanes_init(&t->objects);
    atomic_init(&t->begin, begin);
    atomic_init(&t->end, begin);
    atomic_init(&t->provisional, true);
    const struct tt_format *format = capture->format;
    t->running_state = (uint16_t)format->state_count;
    for (uint32_t i = format->state_count; i-- > 0;) {
        uint8_t class_ = format->states[i].class_;
        if (class_ == TT_CLASS_READY) {
            t->ready_state = (uint16_t)i;
        } else if (class_ == TT_CLASS_DEAD) {
            t->dead_state = (uint16_t)i;
        } else if (class_ == TT_CLASS_RUNNING) {
            t->running_state = (uint16_t)i;
        }
        if (i < sizeof t->class_of) {
            t->class_of[i] = class_;
            t->awaits_reply[i] = format->awaits_reply && format->awaits_reply(i);
            t->object_kind[i] = format->object_of_state ? (uint8_t)format->object_of_state(i) : 0;
        }
    }
    return t;
}

void tt_timelines_free(struct tt_timelines *t)
{
    while (t) {
        struct tt_timelines *older = t->older;
        tt_column_free(&t->lanes);
        tt_column_free(&t->cpus);
        tt_column_free(&t->first_of_process);
        tt_timelines_free_tracks(t);
        tt_slice_lanes_free(&t->slices);
        tt_counter_lanes_free(&t->counters);
        tt_message_lanes_free(&t->messages);
        tt_object_lanes_free(&t->objects);
        tt_column_index_free(&t->lane_at);
        tt_column_index_free(&t->thread_at);
        tt_column_index_free(&t->cpu_at);
        free(t->known);
        free(t);
        t = older;
    }
}

/* ---- CPUs --------------------------------------------------------------------------------- */

static uint64_t irq_ticks_at(const struct tt_timelines *t, const struct tt_cpu_lane *cpu,
                             uint64_t time)
{
    if (time < cpu->irq_since) { /* announced after an interrupt */
        return tt_cpu_irq_before(t, cpu, time);
    }
    return cpu->irq_sums[IRQ_TICKS] + (cpu->irq_depth > 0 ? time - cpu->irq_since : 0);
}

/* Faster than tt_occupant_kind: a thread on a CPU has a lane. */
static enum cpu_kind kind_of(const struct tt_timelines *t, uint32_t occupant)
{
    const struct tt_thread *thread_record = tt_column_index_at(&t->thread_at, occupant);
    if (!thread_record) {
        return tt_occupant_kind(t, occupant);
    }
    return thread_record->pseudo ? CPU_KERNEL : thread_record->idle ? CPU_IDLE : CPU_BUSY;
}

static void close_occupation(const struct tt_timelines *t, struct tt_cpu_lane *cpu, uint64_t time)
{
    enum cpu_kind kind = kind_of(t, cpu->occupant);
    uint64_t irq = irq_ticks_at(t, cpu, time);
    cpu->sums[CPU_TICKS + (int)kind] += time - cpu->since;
    cpu->sums[CPU_IRQ + (int)kind] += irq - cpu->irq_at_start;
    cpu->irq_at_start = irq;
    cpu->since = time;
}

/* Sets the occupant of the CPU from `time` on. */
static bool set_occupant(struct tt_timelines *t, struct tt_cpu_lane *cpu, uint64_t time,
                         uint32_t occupant)
{
    if (cpu->occupant == occupant) {
        return true;
    }
    close_occupation(t, cpu, time);
    cpu->sums[CPU_LAST] = cpu->last;
    cpu->occupant = occupant;
    if (!tt_track_append(&cpu->occupants, &t->arena, time, occupant, cpu->sums)) {
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

static bool add_cpu(struct tt_timelines *t)
{
    struct tt_cpu_lane *cpu = tt_column_next(&t->cpus);
    if (!cpu) {
        return false;
    }
    tt_track_init(&cpu->occupants, CPU_SUMS);
    tt_track_init(&cpu->irqs, IRQ_SUMS);
    cpu->since = atomic_load_explicit(&t->begin, memory_order_relaxed);
    cpu->occupant = cpu->last = TT_OCCUPANT_UNKNOWN;
    if (!tt_track_append(&cpu->occupants, &t->arena, cpu->since, TT_OCCUPANT_UNKNOWN, cpu->sums) ||
        !tt_column_index_add(&t->cpu_at, cpu, sizeof *cpu)) {
        return false;
    }
    tt_column_publish(&t->cpus);
    return true;
}

static struct tt_cpu_lane *make_cpus(struct tt_timelines *t, uint32_t number)
{
    if (number >= CPUS_MAX || number == TT_NO_CPU) {
        return NULL;
    }
    while (t->cpu_at.count <= number) {
        if (!add_cpu(t)) {
            t->no_memory = true;
            return NULL;
        }
    }
    return tt_column_index_at(&t->cpu_at, number);
}

/* Returns the CPU's lane, created if needed; NULL for no CPU, or when out of memory. */
static inline struct tt_cpu_lane *cpu_lane(struct tt_timelines *t, uint32_t number)
{
    struct tt_cpu_lane *cpu = tt_column_index_at(&t->cpu_at, number);
    return cpu ? cpu : make_cpus(t, number);
}

/* ---- threads ------------------------------------------------------------------------------ */

/* Links a new lane to the others of its process. */
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

struct tt_lane *tt_lane_next(struct tt_timelines *t)
{
    uint32_t thread = t->lane_at.count;
    struct tt_lane *lane = tt_column_next(&t->lanes);
    const struct tt_thread *thread_record = tt_thread_at(t->capture, thread);
    if (!lane || !link_lane(t, lane, thread) ||
        !tt_column_index_add(&t->thread_at, thread_record, sizeof *thread_record) ||
        !tt_column_index_add(&t->lane_at, lane, sizeof *lane)) {
        return NULL;
    }
    tt_track_init(&lane->states, LANE_SUMS);
    lane->thread = thread;
    lane->cpu = TT_NO_CPU;
    lane->priority = TT_NO_PRIORITY;
    tt_column_publish(&t->lanes);
    return lane;
}

static struct tt_lane *make_lanes(struct tt_timelines *t, uint32_t thread)
{
    if (thread >= tt_thread_count(t->capture)) {
        return NULL;
    }
    while (t->lane_at.count <= thread) {
        if (!tt_lane_next(t)) {
            t->no_memory = true;
            return NULL;
        }
    }
    return tt_column_index_at(&t->lane_at, thread);
}

/* Returns the thread's lane, created if needed; NULL for no thread, or when out of memory. */
static inline struct tt_lane *thread_lane(struct tt_timelines *t, uint32_t thread)
{
    struct tt_lane *lane = tt_column_index_at(&t->lane_at, thread);
    return lane ? lane : make_lanes(t, thread);
}

struct tt_lane_more *tt_lane_add_more(struct tt_timelines *t, struct tt_lane *lane)
{
    struct tt_lane_more *more = tt_arena_words(&t->arena, sizeof *more);
    if (more) {
        tt_track_init(&more->priorities, 0);
        atomic_init(&more->late_outs, NULL);
        memset(more->sums, 0, sizeof more->sums);
        atomic_store_explicit(&lane->more, more, memory_order_release);
    }
    return more;
}

struct tt_track *tt_lane_add_notes(struct tt_timelines *t, struct tt_lane *lane)
{
    struct tt_track *notes = tt_arena_words(&t->arena, sizeof *notes);
    if (notes) {
        tt_track_init(notes, 0);
        atomic_store_explicit(&lane->notes, notes, memory_order_release);
    }
    return notes;
}

struct tt_lane_more *tt_lane_ensure_more(struct tt_timelines *t, struct tt_lane *lane)
{
    struct tt_lane_more *more = tt_lane_more(lane);
    if (!more) {
        more = tt_lane_add_more(t, lane);
        if (more) {
            tt_lane_sums(t, lane, more->sums);
        }
    }
    return more;
}

static void close_interval(struct tt_timelines *t, const struct tt_lane *lane, uint64_t time,
                           uint64_t *sums)
{
    uint32_t state = VALUE_STATE(lane->states.value);
    if (state != VALUE_ENDED) {
        sums[LANE_CLASS + (int)tt_state_class(t, state)] +=
            time - tt_track_last_time(&lane->states);
    }
    if (lane->running) {
        const struct tt_cpu_lane *cpu = cpu_lane(t, lane->cpu);
        if (cpu) {
            sums[LANE_IRQ] += irq_ticks_at(t, cpu, time) - lane->irq_at_start;
        }
    }
}

/* Adds a lane to `known`, for the next loss. */
static bool add_known(struct tt_timelines *t, struct tt_lane *lane)
{
    uint32_t *known = tt_array_grow(t->known, t->known_count, &t->known_capacity, sizeof *known);
    if (!known) {
        return false;
    }
    t->known = known;
    t->known[t->known_count++] = lane->thread;
    lane->known = true;
    return true;
}

/* Sets the state of the lane from `time` on. */
static bool begin_interval(struct tt_timelines *t, struct tt_lane *lane, uint64_t time,
                           uint32_t value)
{
    bool begins_chunk = tt_track_needs_sums(&lane->states, time);
    struct tt_lane_more *more = tt_lane_more(lane);
    if (tt_lane_has_begun(lane)) {
        if (begins_chunk && !more && !(more = tt_lane_ensure_more(t, lane))) {
            return false;
        }
        if (more) {
            close_interval(t, lane, time, more->sums);
        }
    }
    static const uint64_t zero_sums[LANE_SUMS]; /* before the first chunk */
    if (begins_chunk &&
        !tt_track_begin_chunk(&lane->states, &t->arena, time, more ? more->sums : zero_sums)) {
        return false;
    }
    if (!lane->known && VALUE_STATE(value) != 0 && !add_known(t, lane)) {
        return false;
    }
    tt_track_put(&lane->states, time, value, false, 0);
    unsigned object = t->object_kind[VALUE_STATE(value)];
    return object == TT_OBJECT_NONE || tt_objects_wait(t, lane->thread, time, object);
}

/*
 * Takes the thread off its CPU; the caller sets the CPU's occupant. `cut_flag` is VALUE_CUT_BEFORE
 * if no event shows when it left, or 0.
 */
static bool stop_running(struct tt_timelines *t, struct tt_lane *lane, uint64_t time,
                         uint32_t state, uint32_t cut_flag)
{
    bool ok = begin_interval(t, lane, time, VALUE_OF(state, lane->cpu) | cut_flag);
    lane->running = false;
    lane->left_class = (uint8_t)tt_state_class(t, state);
    return ok;
}

/* Counts the start of a run after its item was written. */
static void count_run(const struct tt_lane *lane, uint32_t value)
{
    struct tt_lane_more *more = tt_lane_more(lane);
    if (more) {
        more->sums[LANE_RUNS] += (value & VALUE_SINCE_BEFORE) == 0;
        more->sums[LANE_IN] += (value & VALUE_SWITCHED_IN) != 0;
        more->sums[LANE_MIGRATIONS] += (value & VALUE_MIGRATED) != 0;
        tt_lane_count_out(more->sums, VALUE_OUT(value));
    }
}

/* Makes the thread on `cpu` ready, as another replaces it; its own event may follow. */
static bool displace(struct tt_timelines *t, const struct tt_cpu_lane *cpu, uint16_t number,
                     uint64_t time, uint32_t state)
{
    if (!tt_occupant_is_thread(cpu->occupant) || cpu->occupant == TT_OCCUPANT_IDLE) {
        return true;
    }
    struct tt_lane *lane = thread_lane(t, cpu->occupant);
    if (lane && lane->running && lane->cpu == number) {
        return stop_running(t, lane, time, state, 0);
    }
    return true;
}

/*
 * Starts a run. `started`: TT_ACTION_ANNOUNCED or TT_ACTION_RAN_BEFORE if the thread was running
 * since an unknown time, else 0.
 */
static bool start_running(struct tt_timelines *t, struct tt_lane *lane, uint16_t number,
                          uint64_t time, uint32_t state, uint64_t pos, unsigned started)
{
    const uint32_t thread = lane->thread;
    struct tt_cpu_lane *cpu = cpu_lane(t, number);
    if (!cpu) {
        return number == TT_NO_CPU;
    }
    if (lane->running && lane->cpu == number && cpu->occupant == thread) {
        return true;
    }
    /* An announced thread runs from the beginning if nothing else is known of the CPU. */
    time = time > cpu->since ? time : cpu->since;
    uint32_t value = VALUE_OF(state, number) | (started != 0 ? VALUE_SINCE_BEFORE : 0);
    if (lane->running) {
        struct tt_cpu_lane *other = cpu_lane(t, lane->cpu);
        tt_timelines_health(t, TT_HEALTH_TWO_CPUS, pos, number, "CPU");
        if (!set_occupant(t, other, time, TT_OCCUPANT_KERNEL)) {
            return false;
        }
        lane->left_class = TT_CLASS_UNKNOWN;
        value |= VALUE_CUT_BEFORE;
    }
    tt_outs_elsewhere(t, lane, number);
    if (!displace(t, cpu, number, time, t->ready_state) ||
        !tt_outs_newcomer(t, cpu, number, time, thread)) {
        return false;
    }
    bool was_running = lane->cpu != TT_NO_CPU;
    value |= (uint32_t)lane->out << 8;
    value |= was_running && lane->cpu != number ? VALUE_MIGRATED : 0;
    value |= cpu->last != TT_OCCUPANT_UNKNOWN && cpu->last != thread ? VALUE_SWITCHED_IN : 0;
    lane->out = TT_OUT_NONE;
    bool ok = begin_interval(t, lane, time, value) && set_occupant(t, cpu, time, thread);
    count_run(lane, value);
    if (lane->cpu == TT_NO_CPU) {
        lane->idle = tt_thread_at(t->capture, thread)->idle;
    }
    lane->running = true;
    lane->cpu = number;
    lane->irq_at_start = irq_ticks_at(t, cpu, time);
    return ok;
}

/* Sets a state. `flags`: VALUE_SINCE_BEFORE, VALUE_CUT_BEFORE or 0. */
static bool set_state(struct tt_timelines *t, struct tt_lane *lane, uint64_t time, uint32_t state,
                      uint32_t flags)
{
    if (lane->running) {
        struct tt_cpu_lane *cpu = cpu_lane(t, lane->cpu);
        return stop_running(t, lane, time, state, flags) &&
               (!cpu || cpu->occupant != lane->thread ||
                set_occupant(t, cpu, time, TT_OCCUPANT_KERNEL));
    }
    if (tt_lane_has_begun(lane) && VALUE_STATE(lane->states.value) == state) {
        return true;
    }
    return begin_interval(t, lane, time, VALUE_OF(state, lane->cpu) | flags);
}

static inline bool set_priority(struct tt_timelines *t, struct tt_lane *lane, uint64_t time,
                                int16_t priority)
{
    if (priority == lane->priority || priority == TT_NO_PRIORITY) {
        return true;
    }
    struct tt_lane_more *more = tt_lane_ensure_more(t, lane);
    lane->priority = priority;
    return more && tt_track_append(&more->priorities, &t->arena, time, (uint16_t)priority, NULL);
}

/* ---- actions ------------------------------------------------------------------------------ */

static bool on_state(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_lane *lane = thread_lane(t, a->thread);
    if (!lane ||
        ((lane->in_message || t->messages.posted != 0) && !tt_messages_state(t, lane, a))) {
        return !lane;
    }
    if (t->objects.shared.object != TT_NO_OBJECT && !tt_objects_confirm(t, lane, a)) {
        return false;
    }
    uint8_t started = lane->created;
    lane->created = 0;
    if (started & TT_ACTION_RETOLD) {
        return true;
    }
    if (t->object_kind[VALUE_STATE(lane->states.value)] != TT_OBJECT_NONE) {
        tt_objects_left(t, lane, a);
    }
    /* A state announced when tracing begins is valid from the beginning. */
    bool begun = tt_lane_has_begun(lane);
    bool runs = tt_state_class(t, a->state) == TT_CLASS_RUNNING;
    bool announced = (started & TT_ACTION_ANNOUNCED) != 0;
    bool was_in_it = announced || ((a->flags & TT_ACTION_RAN_BEFORE) != 0 && !begun);
    bool since_begin = announced && !begun;
    uint64_t time = since_begin ? atomic_load_explicit(&t->begin, memory_order_relaxed) : a->ticks;
    if (!set_priority(t, lane, time, a->priority)) {
        return false;
    }
    if (runs) {
        unsigned was_running = (started & TT_ACTION_ANNOUNCED) | (a->flags & TT_ACTION_RAN_BEFORE);
        return start_running(t, lane, a->cpu, time, a->state, a->pos, was_running);
    }
    return set_state(t, lane, time, a->state, was_in_it ? VALUE_SINCE_BEFORE : 0);
}

/*
 * Handles the thread that leaves the CPU. If nothing was known of it, the record only shows that it ran
 * until now: that is a run of duration 0 with an unknown start, so that the switch out counts but
 * the run does not. The next thread runs at once, without kernel time between them.
 */
static bool leave_cpu(struct tt_timelines *t, const struct tt_action *a,
                      const struct tt_cpu_lane *cpu, struct tt_lane *leaving, bool is_followed)
{
    if (!leaving->running && cpu->occupant == TT_OCCUPANT_UNKNOWN &&
        !start_running(t, leaving, a->cpu, a->ticks, t->running_state, a->pos,
                       TT_ACTION_RAN_BEFORE)) {
        return false;
    }
    return leaving->running && leaving->cpu == a->cpu && is_followed
               ? stop_running(t, leaving, a->ticks, a->state, 0)
               : set_state(t, leaving, a->ticks, a->state, 0);
}

/* Returns whether no thread has been on the CPU so far. */
static bool is_first_of(const struct tt_cpu_lane *cpu)
{
    struct tt_track_place place;
    return tt_track_tail_place(&cpu->occupants, &place) && place.chunk == 0 && place.slot == 0;
}

static bool on_switch(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_cpu_lane *cpu = cpu_lane(t, a->cpu);
    bool goes_idle = a->thread == TT_NO_THREAD;
    struct tt_lane *leaving = a->other == TT_NO_THREAD ? NULL : thread_lane(t, a->other);
    if (leaving && !set_priority(t, leaving, a->ticks, tt_action_left_priority(a->value))) {
        return false;
    }
    if (!cpu) {
        return true;
    }
    struct tt_lane *entering = goes_idle ? NULL : thread_lane(t, a->thread);
    if (leaving && !leave_cpu(t, a, cpu, leaving, goes_idle || (entering && entering != leaving))) {
        return false;
    }
    if (goes_idle) {
        return displace(t, cpu, a->cpu, a->ticks, a->state) &&
               tt_outs_newcomer(t, cpu, a->cpu, a->ticks, TT_OCCUPANT_IDLE) &&
               set_occupant(t, cpu, a->ticks, TT_OCCUPANT_IDLE);
    }
    unsigned was_running = is_first_of(cpu) ? a->flags & TT_ACTION_RAN_BEFORE : 0;
    return !entering ||
           (set_priority(t, entering, a->ticks, a->priority) &&
            start_running(t, entering, a->cpu, a->ticks, t->running_state, a->pos, was_running));
}

static bool on_wakeup(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_lane *lane = thread_lane(t, a->thread);
    if (!lane || lane->running) {
        return true;
    }
    return set_priority(t, lane, a->ticks, a->priority) &&
           set_state(t, lane, a->ticks, t->ready_state, 0);
}

static bool set_irq_depth(struct tt_timelines *t, struct tt_cpu_lane *cpu, uint64_t time,
                          uint32_t depth)
{
    cpu->irq_sums[IRQ_TICKS] = irq_ticks_at(t, cpu, time);
    cpu->irq_since = time;
    bool ok = tt_track_append(&cpu->irqs, &t->arena, time, depth, cpu->irq_sums);
    cpu->irq_sums[IRQ_ENTERS] += depth > cpu->irq_depth;
    cpu->irq_sums[IRQ_NESTED] += depth > cpu->irq_depth && cpu->irq_depth > 0;
    cpu->irq_depth = depth;
    return ok;
}

static bool on_interrupt_enter(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_cpu_lane *cpu = cpu_lane(t, a->cpu);
    return !cpu || set_irq_depth(t, cpu, a->ticks, cpu->irq_depth + 1);
}

static bool on_interrupt_leave(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_cpu_lane *cpu = cpu_lane(t, a->cpu);
    return !cpu || cpu->irq_depth == 0 || set_irq_depth(t, cpu, a->ticks, cpu->irq_depth - 1);
}

static bool on_thread_create(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_lane *lane = thread_lane(t, a->thread);
    if (!lane) {
        return true;
    }
    lane->created = a->flags;
    /*
     * A thread that still had a state ended without an event; the state of the new one is unknown.
     */
    return a->flags != 0 || set_state(t, lane, a->ticks, 0, VALUE_CUT_BEFORE);
}

static bool on_thread_destroy(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_lane *lane = thread_lane(t, a->thread);
    return !lane || ((!lane->in_message || tt_messages_leave(t, lane, a->ticks, TT_MESSAGE_DIED)) &&
                     set_state(t, lane, a->ticks, t->dead_state, 0));
}

/* Ends the lanes of a process with it. */
static bool end_lane(struct tt_timelines *t, struct tt_lane *lane, uint64_t time)
{
    if (lane->in_message && !tt_messages_leave(t, lane, time, TT_MESSAGE_DIED)) {
        return false;
    }
    if (!tt_lane_has_begun(lane) || VALUE_STATE(lane->states.value) == VALUE_ENDED) {
        return true;
    }
    if (lane->running && !set_state(t, lane, time, t->dead_state, 0)) {
        return false;
    }
    return begin_interval(t, lane, time, VALUE_OF(VALUE_ENDED, lane->cpu));
}

/* For threads that turned out to belong to another process. */
static bool end_moved_lanes(struct tt_timelines *t, const struct tt_action *a)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < tt_column_count(&t->lanes); i++) {
        if (tt_thread_at(t->capture, i)->process == a->value) {
            ok = end_lane(t, tt_column_at(&t->lanes, i), a->ticks);
        }
    }
    return ok;
}

static bool on_process_destroy(struct tt_timelines *t, const struct tt_action *a)
{
    if (tt_registry_any_moved(t->capture)) {
        return end_moved_lanes(t, a);
    }
    if (a->value >= tt_column_count(&t->first_of_process)) {
        return true;
    }
    const uint32_t *first = tt_column_at(&t->first_of_process, a->value);
    bool ok = true;
    for (uint32_t thread = *first - 1; ok && thread != TT_NO_THREAD;) {
        struct tt_lane *lane = tt_column_at(&t->lanes, thread);
        ok = end_lane(t, lane, a->ticks);
        thread = lane->next_of_process;
    }
    return ok;
}

static bool on_priority(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_lane *lane = thread_lane(t, a->thread);
    return !lane || set_priority(t, lane, a->ticks, a->priority);
}

/* Returns whether a loss is of another system than a thread's, or a CPU's, of a merged capture. */
static bool is_of_other_system(const struct tt_action *lost, unsigned system)
{
    return lost->other != TT_NO_THREAD && lost->other != system;
}

/* Returns whether a loss affects a lane: CPUs of its stream, and all threads not on other CPUs. */
static bool loses_state(const struct tt_timelines *t, const struct tt_lane *lane,
                        const struct tt_action *lost)
{
    bool on_other_cpu = lane->running && lost->cpu != TT_NO_CPU && lane->cpu != lost->cpu;
    return tt_lane_has_begun(lane) && !on_other_cpu &&
           !is_of_other_system(lost, tt_merge_of_thread(t->capture, lane->thread)) &&
           VALUE_STATE(lane->states.value) != VALUE_ENDED;
}

/* Makes lanes unknown from the last event before the loss until their next event. */
static bool on_lost(struct tt_timelines *t, const struct tt_action *a)
{
    uint16_t number = a->cpu;
    uint64_t from = tt_lost_since(a);
    uint32_t first = number == TT_NO_CPU ? 0 : number;
    uint32_t end = number == TT_NO_CPU ? (uint32_t)tt_column_count(&t->cpus) : number + 1u;
    bool ok = number == TT_NO_CPU || cpu_lane(t, number) != NULL;
    if (a->state == 0) { /* else the end of a member of a merged capture, where nothing was lost */
        ok = ok && tt_track_append(&t->losses, &t->arena, a->ticks, number, NULL);
        tt_objects_lost(t);
        ok = ok && tt_messages_lost(t, a);
    }
    for (uint32_t i = first; ok && i < end; i++) {
        struct tt_cpu_lane *cpu = tt_column_at(&t->cpus, i);
        ok = is_of_other_system(a, tt_merge_of_cpu(t->capture, (uint16_t)i)) ||
             set_occupant(t, cpu, from > cpu->since ? from : cpu->since, TT_OCCUPANT_UNKNOWN);
    }
    size_t remaining = 0;
    for (size_t i = 0; i < t->known_count; i++) {
        struct tt_lane *lane = tt_column_at(&t->lanes, t->known[i]);
        if (loses_state(t, lane, a)) {
            uint64_t since = tt_track_last_time(&lane->states);
            since = from > since ? from : since;
            ok = ok && set_state(t, lane, since, 0, VALUE_CUT_BEFORE);
            lane->known = false;
        } else if (VALUE_STATE(lane->states.value) == VALUE_ENDED) {
            lane->known = false;
        } else {
            t->known[remaining++] = t->known[i];
        }
    }
    t->known_count = remaining;
    for (uint32_t i = first; ok && i < end; i++) {
        struct tt_cpu_lane *cpu = tt_column_at(&t->cpus, i);
        if (cpu->irq_depth > 0 &&
            !is_of_other_system(a, tt_merge_of_cpu(t->capture, (uint16_t)i))) {
            ok = set_irq_depth(t, cpu, from > cpu->irq_since ? from : cpu->irq_since, 0);
        }
    }
    return ok;
}

static bool on_lost_slices(struct tt_timelines *t, const struct tt_action *a)
{
    return tt_slices_lost(t, a) && tt_counters_lost(t, a) &&
           (t->messages.listed_count == 0 || tt_messages_lost(t, a));
}

static bool on_note(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_lane *lane = thread_lane(t, a->thread);
    struct tt_track *notes = lane ? tt_lane_notes(lane) : NULL;
    if (lane && !notes) {
        notes = tt_lane_add_notes(t, lane);
    }
    return !lane || (notes && tt_track_append(notes, &t->arena, a->ticks, a->other, NULL));
}

typedef bool (*handler)(struct tt_timelines *, const struct tt_action *);

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
    [TT_ACTION_MESSAGE_SEND] = tt_messages_send,
    [TT_ACTION_MESSAGE_RECEIVE] = tt_messages_receive,
    [TT_ACTION_MESSAGE_REPLY] = tt_messages_reply,
    [TT_ACTION_POST] = tt_messages_post,
    [TT_ACTION_TAKE] = tt_messages_take,
    [TT_ACTION_CHANNEL] = tt_messages_channel,
    [TT_ACTION_ERROR_CODE] = tt_messages_error_code,
    [TT_ACTION_FLOW_BEGIN] = tt_messages_flow_begin,
    [TT_ACTION_FLOW_STEP] = tt_messages_flow_step,
    [TT_ACTION_FLOW_END] = tt_messages_flow_end,
    [TT_ACTION_LOCK_WAIT] = tt_objects_request,
    [TT_ACTION_LOCK_FREE] = tt_objects_release,
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
        t->no_memory |= !tt_deferred_health_add(t->held, &record);
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

/* Distance in actions at which lanes are prefetched: about the latency of memory. */
#define AHEAD 6u

bool tt_timelines_feed(struct tt_timelines *t, const struct tt_action *actions, size_t count)
{
    if (count == 0) {
        return true;
    }
    /* Set first, so that no reader sees an item after the end. */
    tt_timelines_reach(t, actions[count - 1].ticks);
    for (size_t i = 0; i < count; i++) {
        const struct tt_action *upcoming = &actions[i + AHEAD < count ? i + AHEAD : i];
        tt_column_index_prefetch(&t->lane_at, upcoming->thread);
        uint8_t kind = actions[i].kind;
        bool ok = kind >= sizeof handlers / sizeof *handlers || !handlers[kind] ||
                  handlers[kind](t, &actions[i]);
        /*
         * To the handlers, a lane that could not be created looks like an action without a thread.
         */
        if (!ok || t->no_memory) {
            return false;
        }
    }
    return true;
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
