/* SPDX-License-Identifier: Apache-2.0 */
/* Creation of lanes, and the sums of their chunks. */
#include "trace/timeline/lanes_build.h"

#include <string.h>

#include "base/array.h"
#include "tracetui/merge.h"

#define CPUS_MAX 65536u

/* ---- CPUs ---------------------------------------------------------------------------------- */

static bool lanes_build_add_cpu(struct tt_timelines *timelines)
{
    struct tt_cpu_lane *cpu = tt_column_next(&timelines->cpus);
    if (!cpu) {
        return false;
    }
    tt_track_init(&cpu->occupants, CPU_SUMS);
    tt_track_init(&cpu->irqs, IRQ_SUMS);
    cpu->since = tt_systems_begin(
        timelines, tt_merge_of_cpu(timelines->capture, (uint16_t)timelines->cpu_at.count));
    cpu->occupant = cpu->last = TT_OCCUPANT_UNKNOWN;
    cpu->kind = CPU_UNKNOWN;
    if (!tt_track_append(&cpu->occupants, &timelines->arena, cpu->since, TT_OCCUPANT_UNKNOWN,
                         cpu->sums) ||
        !tt_column_index_add(&timelines->cpu_at, cpu, sizeof *cpu)) {
        return false;
    }
    tt_column_publish(&timelines->cpus);
    return true;
}

struct tt_cpu_lane *tt_cpu_lanes_make(struct tt_timelines *timelines, uint32_t number)
{
    if (number >= CPUS_MAX || number == TT_NO_CPU) {
        return NULL;
    }
    while (timelines->cpu_at.count <= number) {
        if (!lanes_build_add_cpu(timelines)) {
            timelines->no_memory = true;
            return NULL;
        }
    }
    return tt_column_index_at(&timelines->cpu_at, number);
}

/* ---- threads ------------------------------------------------------------------------------- */

/* Links a new lane to the others of its process. */
static bool link_lane(struct tt_timelines *timelines, struct tt_lane *lane, uint32_t thread)
{
    uint32_t process = tt_thread_at(timelines->capture, thread)->process;
    while (tt_column_count(&timelines->first_of_process) <= process) {
        if (!tt_column_next(&timelines->first_of_process)) {
            return false;
        }
        tt_column_publish(&timelines->first_of_process);
    }
    uint32_t *first = tt_column_at(&timelines->first_of_process, process);
    lane->next_of_process = *first - 1; /* 0 becomes TT_NO_THREAD */
    *first = thread + 1;
    return true;
}

/* Makes the lane of the next thread, with nothing in it. NULL when out of memory. */
static struct tt_lane *lanes_build_next_lane(struct tt_timelines *timelines)
{
    uint32_t thread = timelines->lane_at.count;
    struct tt_lane *lane = tt_column_next(&timelines->lanes);
    const struct tt_thread *thread_record = tt_thread_at(timelines->capture, thread);
    if (!lane || !link_lane(timelines, lane, thread) ||
        !tt_column_index_add(&timelines->thread_at, thread_record, sizeof *thread_record) ||
        !tt_column_index_add(&timelines->lane_at, lane, sizeof *lane)) {
        return NULL;
    }
    tt_track_init(&lane->states, LANE_SUMS);
    lane->thread = thread;
    lane->cpu = TT_NO_CPU;
    lane->priority = TT_NO_PRIORITY;
    tt_column_publish(&timelines->lanes);
    return lane;
}

struct tt_lane *tt_lanes_make(struct tt_timelines *timelines, uint32_t thread)
{
    if (thread >= tt_thread_count(timelines->capture)) {
        return NULL;
    }
    while (timelines->lane_at.count <= thread) {
        if (!lanes_build_next_lane(timelines)) {
            timelines->no_memory = true;
            return NULL;
        }
    }
    return tt_column_index_at(&timelines->lane_at, thread);
}

struct tt_lane_more *tt_lane_add_more(struct tt_timelines *timelines, struct tt_lane *lane)
{
    struct tt_lane_more *more = tt_arena_words(&timelines->arena, sizeof *more);
    if (more) {
        tt_track_init(&more->priorities, 0);
        atomic_init(&more->late_outs, NULL);
        atomic_store_explicit(&lane->more, more, memory_order_release);
    }
    return more;
}

struct tt_lane_more *tt_lane_ensure_more(struct tt_timelines *timelines, struct tt_lane *lane)
{
    struct tt_lane_more *more = tt_lane_more(lane);
    return more ? more : tt_lane_add_more(timelines, lane);
}

struct tt_track *tt_lane_add_notes(struct tt_timelines *timelines, struct tt_lane *lane)
{
    struct tt_track *notes = tt_arena_words(&timelines->arena, sizeof *notes);
    if (notes) {
        tt_track_init(notes, 0);
        atomic_store_explicit(&lane->notes, notes, memory_order_release);
    }
    return notes;
}

bool tt_lane_add_known(struct tt_timelines *timelines, struct tt_lane *lane)
{
    uint32_t *known = tt_array_grow(timelines->known, timelines->known_count,
                                    &timelines->known_capacity, sizeof *known);
    if (!known) {
        return false;
    }
    timelines->known = known;
    timelines->known[timelines->known_count++] = lane->thread;
    lane->known = true;
    return true;
}

void tt_lane_note_kind(const struct tt_timelines *timelines, struct tt_lane *lane)
{
    lane->idle = tt_thread_at(timelines->capture, lane->thread)->idle;
    lane->kind = tt_occupant_kind(timelines, lane->thread) & 3u;
}

/* ---- sums of states ------------------------------------------------------------------------ */

/*
 * The counts of a chunk's runs in one word, a byte each: a chunk has at most 64 items.
 *
 *      | - 8 | - 8 | runs 8 | migrations 8 | unknown 8 | preempted 8 | voluntary 8 | in 8 |
 */
static const struct {
    uint8_t sum; /* enum lane_sum */
    uint8_t shift;
} counts[] = {
    {LANE_IN, 0},           {LANE_VOLUNTARY, 8},   {LANE_PREEMPTED, 16},
    {LANE_UNKNOWN_OUT, 24}, {LANE_MIGRATIONS, 32}, {LANE_RUNS, 40},
};

_Static_assert(TT_OUT_VOLUNTARY == 1 && TT_OUT_PREEMPTED == 2 && TT_OUT_UNKNOWN == 3,
               "a switch out of kind n is counted in byte n");

void tt_lane_rules_init(struct tt_timelines *timelines)
{
    for (uint32_t flags = 0; flags < VALUE_FLAGS; flags++) {
        /* A run that begins with these flags counts a switch in, one out, a migration, itself. */
        uint32_t value = flags << VALUE_OUT_SHIFT;
        unsigned out = VALUE_OUT(value);
        timelines->run_counts[flags] = (uint64_t)((value & VALUE_SWITCHED_IN) != 0) |
                                       (uint64_t)(out != 0) << 8 * out |
                                       (uint64_t)((value & VALUE_MIGRATED) != 0) << 32 |
                                       (uint64_t)((value & VALUE_SINCE_BEFORE) == 0) << 40;
    }
    for (uint32_t state = 0; state < sizeof timelines->sum_of_state; state++) {
        timelines->sum_of_state[state] = (uint8_t)(LANE_CLASS + timelines->class_of[state]);
    }
    timelines->sum_of_state[VALUE_ENDED] = LANE_SUMS; /* not counted */
}

/*
 * Adds an item of `ticks` to the sums; returns what it counts. Without a branch: the order of the states
 * of a lane is random.
 */
static inline uint64_t lanes_build_add_item(const struct tt_timelines *timelines, uint32_t value,
                                            uint64_t ticks, uint64_t *sums)
{
    uint32_t sum = timelines->sum_of_state[VALUE_STATE(value)];
    uint64_t is_run = sum == LANE_CLASS + TT_CLASS_RUNNING;
    sums[sum] += ticks;
    return timelines->run_counts[value >> VALUE_OUT_SHIFT & (VALUE_FLAGS - 1)] & (0 - is_run);
}

/*
 * Adds the tail's items, the last of which ends at `time`, to the sums at its begin. `sums` has a place
 * more, for what is not counted.
 */
static void add_tail(const struct tt_timelines *timelines, const struct tt_track_tail *tail,
                     uint64_t time, uint64_t *sums)
{
    uint64_t runs = 0, start = 0;
    if (tail->count == 0) {
        return;
    }
    const uint32_t last = tail->count - 1;
    for (uint32_t i = 0; i < last; i++) {
        uint64_t end = tt_track_tail_delta(tail, i + 1);
        runs += lanes_build_add_item(timelines, tt_track_tail_value(tail, i), end - start, sums);
        start = end;
    }
    runs += lanes_build_add_item(timelines, tt_track_tail_value(tail, last),
                                 time - tail->base - start, sums);
    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        sums[counts[i].sum] += runs >> counts[i].shift & 0xff;
    }
}

bool tt_lane_begin_chunk(struct tt_timelines *timelines, struct tt_lane *lane, uint64_t time)
{
    uint64_t sums[LANE_SUMS + 1];
    struct tt_track_tail tail = tt_track_tail(&lane->states);
    tt_track_tail_sums(&tail, LANE_SUMS, sums);
    add_tail(timelines, &tail, time, sums);
    sums[LANE_IRQ] = lane->irq;
    return tt_track_begin_chunk(&lane->states, &timelines->arena, time, sums);
}
