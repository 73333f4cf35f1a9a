/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lanes_build (internal): lanes of threads and CPUs for their builder: creation, look-up and new items.
 *
 * A context switch adds three items: the end of a run, the begin of another, and the CPU's occupant.
 * These functions are inline, since they run for every switch; lanes_build.c has the rare cases.
 *
 * The sums of a thread's lane are not updated with each item: when a chunk is full, they follow from
 * those at its begin and its items. Only the interrupt ticks of its runs cannot be found in the items:
 *
 *      irq of a lane      | run | waits | run |         sums of the runs so far, a run being the
 *                        -in   +out    -in   +out       difference of two sums of its CPU
 *
 * The indexing or publishing thread only.
 */
#ifndef TRACETUI_TRACE_TIMELINE_LANES_BUILD_H
#define TRACETUI_TRACE_TIMELINE_LANES_BUILD_H

#include "trace/timeline/timeline.h"

/* ---- look-up ------------------------------------------------------------------------------- */

/*
 * Create the lanes up to a number. Return NULL for a number without a lane, or when out of memory, with
 * `no_memory` set.
 */
struct tt_cpu_lane *tt_cpu_lanes_make(struct tt_timelines *timelines, uint32_t number);
struct tt_lane *tt_lanes_make(struct tt_timelines *timelines, uint32_t thread);

/* Returns the CPU's lane, created if needed; NULL for no CPU, or when out of memory. */
static inline struct tt_cpu_lane *tt_cpu_lane_of(struct tt_timelines *timelines, uint32_t number)
{
    struct tt_cpu_lane *cpu = tt_column_index_at(&timelines->cpu_at, number);
    return cpu ? cpu : tt_cpu_lanes_make(timelines, number);
}

/* Returns the thread's lane, created if needed; NULL for no thread, or when out of memory. */
static inline struct tt_lane *tt_lane_of(struct tt_timelines *timelines, uint32_t thread)
{
    struct tt_lane *lane = tt_column_index_at(&timelines->lane_at, thread);
    return lane ? lane : tt_lanes_make(timelines, thread);
}

/* ---- CPUs ---------------------------------------------------------------------------------- */

/* Returns the interrupt ticks of a CPU before `time`. */
static inline uint64_t tt_cpu_irq_at(const struct tt_timelines *timelines,
                                     const struct tt_cpu_lane *cpu, uint64_t time)
{
    if (time < cpu->irq_since) { /* announced after an interrupt */
        return tt_cpu_irq_before(timelines, cpu, time);
    }
    return cpu->irq_sums[IRQ_TICKS] + (cpu->irq_depth > 0 ? time - cpu->irq_since : 0);
}

/*
 * Begins an occupation. `kind`: enum cpu_kind of the occupant; `irq`: interrupt ticks of the CPU at
 * `time`. Returns false when out of memory.
 */
static inline bool tt_cpu_occupy(struct tt_timelines *timelines, struct tt_cpu_lane *cpu,
                                 uint64_t time, uint32_t occupant, unsigned kind, uint64_t irq)
{
    cpu->sums[CPU_TICKS + cpu->kind] += time - cpu->since;
    cpu->sums[CPU_IRQ + cpu->kind] += irq - cpu->irq_at_start;
    cpu->sums[CPU_LAST] = cpu->last;
    cpu->irq_at_start = irq;
    cpu->since = time;
    cpu->occupant = occupant;
    cpu->kind = (uint8_t)kind;
    if (!tt_track_append(&cpu->occupants, &timelines->arena, time, occupant, cpu->sums)) {
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

/* ---- threads ------------------------------------------------------------------------------- */

/* Fills the tables of struct tt_timelines that follow from `class_of`. */
void tt_lane_rules_init(struct tt_timelines *timelines);
/* Begins a chunk of states at `time`, with its sums. Returns false when out of memory. O(items). */
bool tt_lane_begin_chunk(struct tt_timelines *timelines, struct tt_lane *lane, uint64_t time);
/* Adds a lane to `known`, for the next loss. Returns false when out of memory. */
bool tt_lane_add_known(struct tt_timelines *timelines, struct tt_lane *lane);

/* Sets the kind of occupant that a thread is, when it first runs. */
void tt_lane_note_kind(const struct tt_timelines *timelines, struct tt_lane *lane);

/* Adds a state from `time` on. Returns false when out of memory. */
static inline bool tt_lane_append(struct tt_timelines *timelines, struct tt_lane *lane,
                                  uint64_t time, uint32_t value)
{
    if (!lane->known && VALUE_STATE(value) != 0 && !tt_lane_add_known(timelines, lane)) {
        return false;
    }
    if (!tt_track_try_put(&lane->states, time, value, false, 0)) {
        if (!tt_lane_begin_chunk(timelines, lane, time)) {
            return false;
        }
        tt_track_put(&lane->states, time, value, false, 0);
    }
    unsigned object = timelines->object_kind[VALUE_STATE(value)];
    return object == TT_OBJECT_NONE || tt_objects_wait(timelines, lane->thread, time, object);
}

/*
 * Ends the run of a lane by `value`, its next state. `irq`: interrupt ticks of its CPU at `time`. The
 * caller sets the CPU's occupant.
 */
static inline bool tt_lane_leave(struct tt_timelines *timelines, struct tt_lane *lane,
                                 uint64_t time, uint32_t value, uint64_t irq)
{
    lane->irq += irq;
    lane->running = false;
    lane->left_class = timelines->class_of[VALUE_STATE(value)];
    return tt_lane_append(timelines, lane, time, value);
}

/*
 * Begins a run on a CPU. `value`: the state with the flags that the caller found; `irq` as above. The
 * caller sets the CPU's occupant afterwards.
 */
static inline bool tt_lane_enter(struct tt_timelines *timelines, struct tt_lane *lane,
                                 const struct tt_cpu_lane *cpu, uint64_t time, uint32_t value,
                                 uint64_t irq)
{
    uint16_t number = VALUE_CPU(value);
    bool ran_before = lane->cpu != TT_NO_CPU;
    if (!ran_before) {
        tt_lane_note_kind(timelines, lane);
    }
    value |= (uint32_t)lane->out << VALUE_OUT_SHIFT;
    value |= ran_before && lane->cpu != number ? VALUE_MIGRATED : 0;
    value |= cpu->last != TT_OCCUPANT_UNKNOWN && cpu->last != lane->thread ? VALUE_SWITCHED_IN : 0;
    lane->out = TT_OUT_NONE;
    lane->running = true;
    lane->cpu = number;
    bool good = tt_lane_append(timelines, lane, time, value);
    lane->irq -= irq; /* after the append, which may store the sums of the runs before */
    return good;
}

#endif
