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
#include "trace/timeline/lanes_build.h"
#include "trace/timeline/rare.h"
#include "tracetui/merge.h"

struct tt_timelines *tt_timelines_new(struct tt_capture *capture, uint64_t begin)
{
    struct tt_timelines *timelines = calloc(1, sizeof *timelines);
    if (!timelines) {
        return NULL;
    }
    timelines->capture = capture;
    timelines->number = 1;
    tt_column_init(&timelines->lanes, sizeof(struct tt_lane));
    tt_column_init(&timelines->cpus, sizeof(struct tt_cpu_lane));
    tt_column_init(&timelines->first_of_process, sizeof(uint32_t));
    tt_slice_lanes_init(&timelines->slices);
    tt_counter_lanes_init(&timelines->counters);
    tt_object_lanes_init(&timelines->objects);
    atomic_init(&timelines->begin, begin);
    atomic_init(&timelines->end, begin);
    atomic_init(&timelines->provisional, true);
    const struct tt_format *format = capture->format;
    for (uint32_t i = 0; i < format->state_count && i < sizeof timelines->class_of; i++) {
        const struct tt_state_info *state = &format->states[i];
        timelines->class_of[i] = state->class_;
        timelines->awaits_reply[i] = (state->flags & TT_STATE_AWAITS_REPLY) != 0;
        timelines->object_kind[i] = state->object;
    }
    if (!tt_systems_init(timelines) ||
        !tt_message_lanes_init(&timelines->messages, tt_systems_count(timelines))) {
        tt_timelines_free(timelines);
        return NULL;
    }
    tt_lane_rules_init(timelines);
    return timelines;
}

void tt_timelines_free(struct tt_timelines *timelines)
{
    while (timelines) {
        struct tt_timelines *older = timelines->older;
        tt_column_free(&timelines->lanes);
        tt_column_free(&timelines->cpus);
        tt_column_free(&timelines->first_of_process);
        tt_timelines_free_tracks(timelines);
        tt_slice_lanes_free(&timelines->slices);
        tt_counter_lanes_free(&timelines->counters);
        tt_message_lanes_free(&timelines->messages);
        tt_object_lanes_free(&timelines->objects);
        tt_column_index_free(&timelines->lane_at);
        tt_column_index_free(&timelines->thread_at);
        tt_column_index_free(&timelines->cpu_at);
        tt_systems_free(timelines);
        free(timelines->known);
        free(timelines->open_losses);
        free(timelines);
        timelines = older;
    }
}

/* ---- runs --------------------------------------------------------------------------------- */

/* Sets an occupant of the CPU that is no thread, with its kind. */
static bool set_occupant(struct tt_timelines *timelines, struct tt_cpu_lane *cpu, uint64_t time,
                         uint32_t occupant, enum cpu_kind kind)
{
    return cpu->occupant == occupant ||
           tt_cpu_occupy(timelines, cpu, time, occupant, kind, tt_cpu_irq_at(timelines, cpu, time));
}

/*
 * Takes the thread off its CPU; the caller sets the CPU's occupant. `cut_flag` is VALUE_CUT_BEFORE
 * if no event shows when it left, or 0.
 */
static bool stop_running(struct tt_timelines *timelines, struct tt_lane *lane,
                         const struct tt_cpu_lane *cpu, uint64_t time, uint32_t state,
                         uint32_t cut_flag)
{
    return tt_lane_leave(timelines, lane, time, VALUE_OF(state, lane->cpu) | cut_flag,
                         tt_cpu_irq_at(timelines, cpu, time));
}

/*
 * Takes the thread on the CPU off it, as `newcomer` replaces it; its own event may follow. `state`: that
 * of the thread afterwards; `irq`: interrupt ticks of the CPU at `time`.
 */
static inline bool displace(struct tt_timelines *timelines, const struct tt_cpu_lane *cpu,
                            uint16_t number, uint64_t time, uint32_t state, uint32_t newcomer,
                            uint64_t irq)
{
    /* A thread that occupies the CPU is also the last one on it. */
    struct tt_lane *last = tt_column_index_at(&timelines->lane_at, cpu->last);
    if (last && last->running && last->cpu == number && cpu->occupant == cpu->last &&
        !tt_lane_leave(timelines, last, time, VALUE_OF(state, number), irq)) {
        return false;
    }
    return tt_outs_newcomer(timelines, cpu, last, number, time, newcomer);
}

static bool set_irq_depth(struct tt_timelines *timelines, struct tt_cpu_lane *cpu, uint64_t time,
                          uint32_t depth)
{
    cpu->irq_sums[IRQ_TICKS] = tt_cpu_irq_at(timelines, cpu, time);
    cpu->irq_since = time;
    bool ok = tt_track_append(&cpu->irqs, &timelines->arena, time, depth, cpu->irq_sums);
    cpu->irq_sums[IRQ_ENTERS] += depth > cpu->irq_depth;
    cpu->irq_sums[IRQ_NESTED] += depth > cpu->irq_depth && cpu->irq_depth > 0;
    cpu->irq_depth = depth;
    return ok;
}

/* Ends the interrupts of a CPU that sets a thread running: it has left them, and the events of that are missing. */
static bool leave_interrupts(struct tt_timelines *timelines, struct tt_cpu_lane *cpu, uint64_t time)
{
    return set_irq_depth(timelines, cpu, time > cpu->irq_since ? time : cpu->irq_since, 0);
}

/*
 * Starts a run. `started`: TT_ACTION_ANNOUNCED or TT_ACTION_RAN_BEFORE if the thread was running
 * since an unknown time, else 0.
 */
static bool start_running(struct tt_timelines *timelines, struct tt_lane *lane, uint16_t number,
                          uint64_t time, uint32_t state, uint64_t pos, unsigned started)
{
    const uint32_t thread = lane->thread;
    struct tt_cpu_lane *cpu = tt_cpu_lane_of(timelines, number);
    if (!cpu) {
        return number == TT_NO_CPU;
    }
    if (cpu->irq_depth > 0 && !leave_interrupts(timelines, cpu, time)) {
        return false;
    }
    if (lane->running && lane->cpu == number && cpu->occupant == thread) {
        return true;
    }
    /* An announced thread runs from the beginning if nothing else is known of the CPU. */
    time = time > cpu->since ? time : cpu->since;
    uint32_t value = VALUE_OF(state, number) | (started != 0 ? VALUE_SINCE_BEFORE : 0);
    if (lane->running) {
        /*
         * Ends the run of a thread on another CPU, which it got without leaving the first one. The
         * time at which it left is not known.
         */
        struct tt_cpu_lane *other = tt_cpu_lane_of(timelines, lane->cpu);
        tt_timelines_health(timelines, TT_HEALTH_TWO_CPUS, pos, number, "CPU");
        lane->irq += tt_cpu_irq_at(timelines, other, time);
        lane->left_class = TT_CLASS_UNKNOWN;
        if (!set_occupant(timelines, other, time, TT_OCCUPANT_KERNEL, CPU_KERNEL)) {
            return false;
        }

        value |= VALUE_CUT_BEFORE;
    }
    tt_outs_elsewhere(timelines, lane, number);
    uint64_t irq = tt_cpu_irq_at(timelines, cpu, time);
    return displace(timelines, cpu, number, time, timelines->system.ready_state, thread, irq) &&
           tt_lane_enter(timelines, lane, cpu, time, value, irq) &&
           (cpu->occupant == thread ||
            tt_cpu_occupy(timelines, cpu, time, thread, lane->kind, irq));
}

/* Sets a state. `flags`: VALUE_SINCE_BEFORE, VALUE_CUT_BEFORE or 0. */
static bool build_set_state(struct tt_timelines *timelines, struct tt_lane *lane, uint64_t time,
                            uint32_t state, uint32_t flags)
{
    if (lane->running) {
        struct tt_cpu_lane *cpu = tt_cpu_lane_of(timelines, lane->cpu);
        return stop_running(timelines, lane, cpu, time, state, flags) &&
               (cpu->occupant != lane->thread ||
                set_occupant(timelines, cpu, time, TT_OCCUPANT_KERNEL, CPU_KERNEL));
    }
    if (tt_lane_has_begun(lane) && VALUE_STATE(lane->states.value) == state) {
        return true;
    }
    return tt_lane_append(timelines, lane, time, VALUE_OF(state, lane->cpu) | flags);
}

static inline bool set_priority(struct tt_timelines *timelines, struct tt_lane *lane, uint64_t time,
                                int16_t priority)
{
    if (priority == lane->priority || priority == TT_NO_PRIORITY) {
        return true;
    }
    struct tt_lane_more *more = tt_lane_ensure_more(timelines, lane);
    lane->priority = priority;
    return more &&
           tt_track_append(&more->priorities, &timelines->arena, time, (uint16_t)priority, NULL);
}

/* ---- actions ------------------------------------------------------------------------------ */

/* Sets a state from `time` on. `was_running` as `started` of start_running, `flags` as of set_state. */
static inline bool change_state(struct tt_timelines *timelines, struct tt_lane *lane,
                                const struct tt_action *action, uint64_t time, unsigned was_running,
                                uint32_t flags)
{
    if (!set_priority(timelines, lane, time, action->priority)) {
        return false;
    }
    return tt_state_class(timelines, action->state) == TT_CLASS_RUNNING
               ? start_running(timelines, lane, action->cpu, time, action->state, action->pos,
                               was_running)
               : build_set_state(timelines, lane, time, action->state, flags);
}

/* Sets a state that the thread may already have had. `started`: enum tt_action_flag of its creation. */
static bool build_find_state(struct tt_timelines *timelines, struct tt_lane *lane,
                             const struct tt_action *action, unsigned started)
{
    /* A state announced when tracing begins is valid from the beginning. */
    bool begun = tt_lane_has_begun(lane);
    bool announced = (started & TT_ACTION_ANNOUNCED) != 0;
    bool was_in_it = announced || ((action->flags & TT_ACTION_RAN_BEFORE) != 0 && !begun);
    bool since_begin = announced && !begun;
    uint64_t time =
        since_begin ? tt_systems_begin(timelines, timelines->system.number) : action->ticks;
    unsigned was_running = (started & TT_ACTION_ANNOUNCED) | (action->flags & TT_ACTION_RAN_BEFORE);
    return change_state(timelines, lane, action, time, was_running,
                        was_in_it ? VALUE_SINCE_BEFORE : 0);
}

static bool on_state(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_lane *lane = tt_lane_of(timelines, action->thread);
    if (!lane || ((lane->in_message || timelines->messages.posted != 0) &&
                  !tt_messages_state(timelines, lane, action))) {
        return !lane;
    }
    if (timelines->objects.shared.object != TT_NO_OBJECT &&
        !tt_objects_confirm(timelines, lane, action)) {
        return false;
    }
    uint8_t started = lane->created;
    lane->created = 0;
    if (started & TT_ACTION_REPEATED) {
        return true;
    }
    if (timelines->object_kind[VALUE_STATE(lane->states.value)] != TT_OBJECT_NONE) {
        tt_objects_left(timelines, lane, action);
    }
    return started == 0 && (action->flags & TT_ACTION_RAN_BEFORE) == 0
               ? change_state(timelines, lane, action, action->ticks, 0, 0)
               : build_find_state(timelines, lane, action, started);
}

/*
 * Handles the thread that leaves the CPU. If nothing was known of it, the record only shows that it ran
 * until now: that is a run of duration 0 with an unknown start, so that the switch out counts but
 * the run does not. The next thread runs at once, without kernel time between them.
 */
static bool leave_cpu(struct tt_timelines *timelines, const struct tt_action *action,
                      const struct tt_cpu_lane *cpu, struct tt_lane *leaving, bool is_followed)
{
    if (!leaving->running && cpu->occupant == TT_OCCUPANT_UNKNOWN &&
        !start_running(timelines, leaving, action->cpu, action->ticks,
                       timelines->system.running_state, action->pos, TT_ACTION_RAN_BEFORE)) {
        return false;
    }
    return leaving->running && leaving->cpu == action->cpu && is_followed
               ? stop_running(timelines, leaving, cpu, action->ticks, action->state, 0)
               : build_set_state(timelines, leaving, action->ticks, action->state, 0);
}

/* Returns whether no thread has been on the CPU so far. */
static bool is_first_of(const struct tt_cpu_lane *cpu)
{
    struct tt_track_place place;
    return tt_track_tail_place(&cpu->occupants, &place) && place.chunk == 0 && place.slot == 0;
}

/* Does what on_switch does, without what such a switch does not need. */
static bool switch_usually(struct tt_timelines *timelines, const struct tt_action *action,
                           struct tt_cpu_lane *cpu, struct tt_lane *leaving,
                           struct tt_lane *entering)
{
    const uint64_t time = action->ticks, irq = tt_cpu_irq_at(timelines, cpu, time);
    if (leaving) {
        if (!tt_lane_leave(timelines, leaving, time, VALUE_OF(action->state, action->cpu), irq)) {
            return false;
        }
        leaving->out = tt_out_of_class(leaving->left_class) & 3u;
    }
    if (!entering) {
        return tt_cpu_occupy(timelines, cpu, time, TT_OCCUPANT_IDLE, CPU_IDLE, irq);
    }
    tt_outs_elsewhere(timelines, entering, action->cpu);
    return set_priority(timelines, entering, time, action->priority) &&
           tt_lane_enter(timelines, entering, cpu, time,
                         VALUE_OF(timelines->system.running_state, action->cpu), irq) &&
           tt_cpu_occupy(timelines, cpu, time, action->thread, entering->kind, irq);
}

static bool on_call(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_lane *lane = tt_lane_of(timelines, action->thread);
    if (lane) {
        lane->call_state = (uint8_t)action->state;
    }
    return true;
}

static bool on_switch(struct tt_timelines *timelines, const struct tt_action *action);

/* Handles a switch whose thread leaves in the state of its call; a wait for an object begins with the state. */
static TT_RARE bool switch_in_call(struct tt_timelines *timelines, const struct tt_action *action,
                                   uint16_t state)
{
    struct tt_action next = *action;
    next.state = state;
    next.flags &= (uint8_t)~TT_ACTION_BY_CALL;
    if (timelines->object_kind[state] != TT_OBJECT_NONE) {
        struct tt_action wait = next;
        wait.kind = TT_ACTION_STATE;
        wait.thread = action->other;
        wait.priority = TT_NO_PRIORITY;
        if (!on_state(timelines, &wait)) {
            return false;
        }
    }
    return on_switch(timelines, &next);
}

static bool on_switch(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_cpu_lane *cpu = tt_cpu_lane_of(timelines, action->cpu);
    bool goes_idle = action->thread == TT_NO_THREAD;
    struct tt_lane *leaving =
        action->other == TT_NO_THREAD ? NULL : tt_lane_of(timelines, action->other);
    if (leaving &&
        !set_priority(timelines, leaving, action->ticks, tt_action_left_priority(action->value))) {
        return false;
    }
    if (!cpu) {
        return true;
    }
    if ((action->flags & TT_ACTION_BY_CALL) && leaving && leaving->call_state != 0) {
        return switch_in_call(timelines, action, leaving->call_state);
    }
    if (cpu->irq_depth > 0 && !leave_interrupts(timelines, cpu, action->ticks)) {
        return false;
    }
    struct tt_lane *entering = goes_idle ? NULL : tt_lane_of(timelines, action->thread);

    /*
     * Decides whether a switch agrees with what is known: the thread that leaves (NULL: idle) has
     * the CPU, and the one that comes (NULL: idle) has none.
     */
    uint32_t occupant = leaving ? action->other : TT_OCCUPANT_IDLE;
    if (cpu->occupant == occupant && cpu->last == occupant && cpu->last_out == TT_OUT_NONE &&
        action->ticks >= cpu->since &&
        (!leaving || (leaving->running && leaving->cpu == action->cpu)) &&
        (entering ? !entering->running : action->thread == TT_NO_THREAD && leaving)) {
        return switch_usually(timelines, action, cpu, leaving, entering);
    }

    if (leaving && !leave_cpu(timelines, action, cpu, leaving,
                              goes_idle || (entering && entering != leaving))) {
        return false;
    }
    if (goes_idle) {
        return displace(timelines, cpu, action->cpu, action->ticks, action->state, TT_OCCUPANT_IDLE,
                        tt_cpu_irq_at(timelines, cpu, action->ticks)) &&
               set_occupant(timelines, cpu, action->ticks, TT_OCCUPANT_IDLE, CPU_IDLE);
    }
    unsigned ran_before = action->flags & TT_ACTION_RAN_BEFORE;
    unsigned was_running = ran_before && is_first_of(cpu) ? ran_before : 0;
    return !entering || (set_priority(timelines, entering, action->ticks, action->priority) &&
                         start_running(timelines, entering, action->cpu, action->ticks,
                                       timelines->system.running_state, action->pos, was_running));
}

static bool on_wakeup(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_lane *lane = tt_lane_of(timelines, action->thread);
    if (!lane || lane->running) {
        return true;
    }
    /* A thread that was preempted on its way to sleep is woken: it stays ready. */
    bool is_ready = tt_lane_has_begun(lane) &&
                    tt_state_class(timelines, VALUE_STATE(lane->states.value)) == TT_CLASS_READY;
    return set_priority(timelines, lane, action->ticks, action->priority) &&
           (is_ready ||
            build_set_state(timelines, lane, action->ticks, timelines->system.ready_state, 0));
}

static bool on_interrupt_enter(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_cpu_lane *cpu = tt_cpu_lane_of(timelines, action->cpu);
    return !cpu || set_irq_depth(timelines, cpu, action->ticks, cpu->irq_depth + 1);
}

static bool on_interrupt_leave(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_cpu_lane *cpu = tt_cpu_lane_of(timelines, action->cpu);
    return !cpu || cpu->irq_depth == 0 ||
           set_irq_depth(timelines, cpu, action->ticks, cpu->irq_depth - 1);
}

static bool is_alive(const struct tt_timelines *timelines, const struct tt_lane *lane)
{
    const uint32_t state = VALUE_STATE(lane->states.value);
    return tt_lane_has_begun(lane) && state != VALUE_ENDED &&
           tt_state_class(timelines, state) != TT_CLASS_DEAD &&
           tt_state_class(timelines, state) != TT_CLASS_UNKNOWN;
}

static bool on_thread_create(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_lane *lane = tt_lane_of(timelines, action->thread);
    if (!lane) {
        return true;
    }
    if ((action->flags & TT_ACTION_MAY_EXIST) && is_alive(timelines, lane)) {
        return set_priority(timelines, lane, action->ticks, action->priority);
    }
    lane->created = action->flags & (uint8_t)~TT_ACTION_MAY_EXIST;
    /*
     * A thread that still had a state ended without an event; the state of the new one is unknown.
     */
    return lane->created != 0 ||
           build_set_state(timelines, lane, action->ticks, 0, VALUE_CUT_BEFORE);
}

static bool on_thread_destroy(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_lane *lane = tt_lane_of(timelines, action->thread);
    return !lane ||
           ((!lane->in_message ||
             tt_messages_leave(timelines, lane, action->ticks, TT_MESSAGE_DIED)) &&
            build_set_state(timelines, lane, action->ticks, timelines->system.dead_state, 0));
}

/* Ends the lanes of a process with it. */
static bool end_lane(struct tt_timelines *timelines, struct tt_lane *lane, uint64_t time)
{
    if (lane->in_message && !tt_messages_leave(timelines, lane, time, TT_MESSAGE_DIED)) {
        return false;
    }
    if (!tt_lane_has_begun(lane) || VALUE_STATE(lane->states.value) == VALUE_ENDED) {
        return true;
    }
    if (lane->running && !build_set_state(timelines, lane, time, timelines->system.dead_state, 0)) {
        return false;
    }
    return tt_lane_append(timelines, lane, time, VALUE_OF(VALUE_ENDED, lane->cpu));
}

/* For threads that turned out to belong to another process. */
static bool end_moved_lanes(struct tt_timelines *timelines, const struct tt_action *action)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < tt_column_count(&timelines->lanes); i++) {
        if (tt_thread_at(timelines->capture, i)->process == action->value) {
            ok = end_lane(timelines, tt_column_at(&timelines->lanes, i), action->ticks);
        }
    }
    return ok;
}

static bool on_process_destroy(struct tt_timelines *timelines, const struct tt_action *action)
{
    if (tt_registry_any_moved(timelines->capture)) {
        return end_moved_lanes(timelines, action);
    }
    if (action->value >= tt_column_count(&timelines->first_of_process)) {
        return true;
    }
    const uint32_t *first = tt_column_at(&timelines->first_of_process, action->value);
    bool ok = true;
    for (uint32_t thread = *first - 1; ok && thread != TT_NO_THREAD;) {
        struct tt_lane *lane = tt_column_at(&timelines->lanes, thread);
        ok = end_lane(timelines, lane, action->ticks);
        thread = lane->next_of_process;
    }
    return ok;
}

static bool on_priority(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_lane *lane = tt_lane_of(timelines, action->thread);
    return !lane || set_priority(timelines, lane, action->ticks, action->priority);
}

/* Returns whether a loss is of another system than a thread's, or a CPU's, of a merged capture. */
static bool is_of_other_system(const struct tt_action *action, unsigned system)
{
    return action->other != TT_NO_THREAD && action->other != system;
}

/* Returns whether a loss affects a lane: CPUs of its stream, and all threads not on other CPUs. */
static bool loses_state(const struct tt_timelines *timelines, const struct tt_lane *lane,
                        const struct tt_action *lost)
{
    bool on_other_cpu = lane->running && lost->cpu != TT_NO_CPU && lane->cpu != lost->cpu;
    return tt_lane_has_begun(lane) && !on_other_cpu &&
           !is_of_other_system(lost, tt_merge_of_thread(timelines->capture, lane->thread)) &&
           VALUE_STATE(lane->states.value) != VALUE_ENDED;
}

/* Makes the threads unknown that a loss affects, from `from` or from their last event, if that is later. */
static bool lose_threads(struct tt_timelines *timelines, const struct tt_action *lost,
                         uint64_t from)
{
    bool ok = true;
    size_t remaining = 0;
    for (size_t i = 0; i < timelines->known_count; i++) {
        struct tt_lane *lane = tt_column_at(&timelines->lanes, timelines->known[i]);
        if (loses_state(timelines, lane, lost)) {
            uint64_t since = tt_track_last_time(&lane->states);
            since = from > since ? from : since;
            ok = ok && build_set_state(timelines, lane, since, 0, VALUE_CUT_BEFORE);
            lane->known = false;
            lane->call_state = 0;
        } else if (VALUE_STATE(lane->states.value) == VALUE_ENDED) {
            lane->known = false;
        } else {
            timelines->known[remaining++] = timelines->known[i];
        }
    }
    timelines->known_count = remaining;
    return ok;
}

/* Ends the lanes of a member of a merged capture with it; their last interval is open, as in the capture alone. */
static bool end_threads(struct tt_timelines *timelines, const struct tt_action *end)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < tt_column_count(&timelines->lanes); i++) {
        struct tt_lane *lane = tt_column_at(&timelines->lanes, i);
        ok = !loses_state(timelines, lane, end) ||
             build_set_state(timelines, lane, end->ticks, VALUE_ENDED, VALUE_CUT_BEFORE);
    }
    return ok;
}

/* Makes lanes unknown from the last event before the loss. */
static bool lose_lanes(struct tt_timelines *timelines, const struct tt_action *action)
{
    uint16_t number = action->cpu;
    uint64_t from = tt_lost_since(action);
    bool ok = number == TT_NO_CPU || tt_cpu_lane_of(timelines, number) != NULL;
    uint32_t first = number == TT_NO_CPU ? 0 : number;
    uint32_t end = number == TT_NO_CPU ? (uint32_t)tt_column_count(&timelines->cpus) : number + 1u;
    for (uint32_t i = first; ok && i < end; i++) {
        struct tt_cpu_lane *cpu = tt_column_at(&timelines->cpus, i);
        ok = is_of_other_system(action, tt_merge_of_cpu(timelines->capture, (uint16_t)i)) ||
             set_occupant(timelines, cpu, from > cpu->since ? from : cpu->since,
                          TT_OCCUPANT_UNKNOWN, CPU_UNKNOWN);
    }
    ok = ok && (action->state == 0 ? lose_threads(timelines, action, from)
                                   : end_threads(timelines, action));
    for (uint32_t i = first; ok && i < end; i++) {
        struct tt_cpu_lane *cpu = tt_column_at(&timelines->cpus, i);
        if (cpu->irq_depth > 0 &&
            !is_of_other_system(action, tt_merge_of_cpu(timelines->capture, (uint16_t)i))) {
            ok = set_irq_depth(timelines, cpu, from > cpu->irq_since ? from : cpu->irq_since, 0);
        }
    }
    return ok;
}

static void end_open_loss(struct tt_timelines *timelines, const struct tt_action *lost)
{
    for (size_t i = 0; i < timelines->open_loss_count; i++) {
        if (timelines->open_losses[i].pos == lost->pos) {
            timelines->open_losses[i] = timelines->open_losses[--timelines->open_loss_count];
            return;
        }
    }
}

/* Handles the end of a loss: lanes are unknown from the last event before it until their next event. */
static bool on_lost(struct tt_timelines *timelines, const struct tt_action *action)
{
    bool ok = true;
    end_open_loss(timelines, action);
    if (action->state != 0) { /* the end of a member of a merged capture, where nothing was lost */
        tt_systems_end(timelines, action->other, action->ticks);
    } else {
        ok = tt_track_append(&timelines->losses, &timelines->arena, action->ticks,
                             LOSS_OF(action->cpu, timelines->system.number), NULL);
        tt_objects_lost(timelines);
        ok = ok && tt_messages_lost(timelines, action);
    }
    return ok && lose_lanes(timelines, action);
}

bool tt_timelines_begin_loss(struct tt_timelines *timelines, const struct tt_action *lost)
{
    struct tt_action *losses = tt_array_grow(timelines->open_losses, timelines->open_loss_count,
                                             &timelines->open_loss_capacity, sizeof *losses);
    if (!losses) {
        return false;
    }
    timelines->open_losses = losses;
    losses[timelines->open_loss_count++] = *lost;
    struct tt_action begin = *lost;
    begin.ticks = lost->value;
    if (timelines->systems) {
        tt_systems_select(timelines, lost->pos);
    }
    tt_objects_lost(timelines);
    return tt_messages_lost(timelines, &begin) && lose_lanes(timelines, &begin);
}

static bool on_lost_slices(struct tt_timelines *timelines, const struct tt_action *action)
{
    bool messages = !(action->flags & TT_ACTION_WITH_LOST) && timelines->messages.listed_count > 0;
    return tt_slices_lost(timelines, action) && tt_counters_lost(timelines, action) &&
           (!messages || tt_messages_lost(timelines, action));
}

typedef bool (*handler)(struct tt_timelines *, const struct tt_action *);

static const handler handlers[UINT8_MAX + 1] = {
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
    [TT_ACTION_TAKE] = tt_messages_handle,
    [TT_ACTION_CHANNEL] = tt_messages_channel,
    [TT_ACTION_ERROR_CODE] = tt_messages_error_code,
    [TT_ACTION_FLOW_BEGIN] = tt_messages_flow_begin,
    [TT_ACTION_FLOW_STEP] = tt_messages_flow_step,
    [TT_ACTION_FLOW_END] = tt_messages_flow_end,
    [TT_ACTION_LOCK_WAIT] = tt_objects_request,
    [TT_ACTION_LOCK_FREE] = tt_objects_release,
    [TT_ACTION_CALL] = on_call,
    [TT_ACTION_SLICE_BEGIN] = tt_slices_begin,
    [TT_ACTION_SLICE_END] = tt_slices_end,
    [TT_ACTION_SLICE] = tt_slices_whole,
    [TT_ACTION_ASYNC_BEGIN] = tt_slices_async_begin,
    [TT_ACTION_ASYNC_END] = tt_slices_async_end,
    [TT_ACTION_COUNTER] = tt_counters_handle,
    [TT_ACTION_LOST_SLICES] = on_lost_slices,
    [TT_ACTION_LOST] = on_lost,
    [TT_ACTION_NOTE] = tt_notes_handle,
};

void tt_timelines_health(struct tt_timelines *timelines, enum tt_health_kind kind, uint64_t pos,
                         uint64_t value, const char *detail)
{
    struct tt_health_record record = {.offset = tt_capture_offset(timelines->capture, pos),
                                      .pos = pos,
                                      .value = value,
                                      .detail = detail,
                                      .kind = (uint8_t)kind};
    if (timelines->quiet) {
        return;
    }
    if (timelines->held) {
        timelines->no_memory |= !tt_deferred_health_add(timelines->held, &record);
    } else {
        tt_health_add(timelines->capture, kind, record.offset, pos, value, detail);
    }
}

uint64_t tt_timelines_kinds(void)
{
    uint64_t kinds = 0;
    for (unsigned kind = 0; kind < TT_ACTION_NONE; kind++) {
        kinds |= (uint64_t)(handlers[kind] != NULL) << kind;
    }
    return kinds;
}

/* Distance in actions at which lanes are prefetched: about the latency of memory. */
#define AHEAD 6u

/* Returns false when out of memory, or with `no_memory` set. */
static inline bool build_handle(struct tt_timelines *timelines, const struct tt_action *action)
{
    if (timelines->systems) {
        tt_systems_select(timelines, action->pos);
    }
    return !handlers[action->kind] || handlers[action->kind](timelines, action);
}

/* To the handlers, a lane that could not be created looks like an action without a thread. */
bool tt_timelines_handle(struct tt_timelines *timelines, const struct tt_action *actions,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct tt_action *upcoming = &actions[i + AHEAD < count ? i + AHEAD : i];
        tt_column_index_prefetch(&timelines->lane_at, upcoming->thread);
        if (!build_handle(timelines, &actions[i])) {
            return false;
        }
    }
    return !timelines->no_memory;
}

/*
 * A state that an action sets in a loss is known at that instant alone: the thread's next event may be
 * lost.
 */
bool tt_timelines_feed_in_loss(struct tt_timelines *timelines, const struct tt_action *actions,
                               size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!build_handle(timelines, &actions[i])) {
            return false;
        }
        for (size_t k = 0; k < timelines->open_loss_count; k++) {
            if (!lose_threads(timelines, &timelines->open_losses[k], actions[i].ticks)) {
                return false;
            }
        }
    }
    return !timelines->no_memory;
}

bool tt_timelines_handle_some(struct tt_timelines *timelines, const struct tt_action *actions,
                              const uint16_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t upcoming = list[i + AHEAD < count ? i + AHEAD : i];
        tt_column_index_prefetch(&timelines->lane_at, actions[upcoming].thread);
        if (!build_handle(timelines, &actions[list[i]])) {
            return false;
        }
    }
    return !timelines->no_memory;
}

void tt_timelines_reach(struct tt_timelines *timelines, uint64_t ticks)
{
    if (ticks > atomic_load_explicit(&timelines->end, memory_order_relaxed)) {
        atomic_store_explicit(&timelines->end, ticks, memory_order_release);
    }
}

bool tt_timelines_idle_changed(const struct tt_timelines *timelines)
{
    for (uint32_t i = 0; i < tt_column_count(&timelines->lanes); i++) {
        const struct tt_lane *lane = tt_column_at(&timelines->lanes, i);
        if (lane->cpu != TT_NO_CPU && lane->idle != tt_thread_at(timelines->capture, i)->idle) {
            return true;
        }
    }
    return false;
}
