/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Switches out: a thread left a CPU, and another thread got it. Each counts at the time at which
 * the other thread gets the CPU, in one of three places:
 *
 *      the item of the thread's next run (`out`)    once there is one: the usual case
 *      the CPU's track of occupants                 before: a query finds the next occupant there
 *      the lane's late outs                         if the next run began, on another CPU, before
 *                                                   the other thread got the CPU
 *
 *      CPU 0    | A | kernel ...................... | B     B starts: late out of A
 *      CPU 1    ............ | A | kernel ...... | C        C starts: `out` of A's next run
 */
#include "trace/timeline/timeline.h"

/* ---- building ----------------------------------------------------------------------------- */

struct tt_late_outs *tt_late_outs_add(struct tt_timelines *timelines, struct tt_lane_more *more)
{
    struct tt_late_outs *late = tt_arena_words(&timelines->arena, sizeof *late);
    if (late) {
        tt_track_init(&late->track, TT_OUT_UNKNOWN);
        for (unsigned i = 0; i < TT_OUT_UNKNOWN; i++) {
            late->sums[i] = 0;
        }
        atomic_store_explicit(&more->late_outs, late, memory_order_release);
    }
    return late;
}

bool tt_outs_add_late(struct tt_timelines *timelines, struct tt_lane *lane, uint16_t cpu,
                      uint64_t time, unsigned out)
{
    struct tt_lane_more *more = tt_lane_ensure_more(timelines, lane);
    struct tt_late_outs *late = more ? tt_late_outs_of(more) : NULL;
    if (more && !late) {
        late = tt_late_outs_add(timelines, more);
    }
    if (!late || !tt_track_append(&late->track, &timelines->arena, time, LATE_OUT_OF(out, cpu),
                                  late->sums)) {
        return false;
    }
    late->sums[out - 1]++;
    return true;
}

/* ---- reading ------------------------------------------------------------------------------ */

static const struct tt_lane *switches_out_lane_of(const struct tt_timelines *timelines,
                                                  uint32_t thread)
{
    return thread < tt_column_count(&timelines->lanes) ? tt_column_at(&timelines->lanes, thread)
                                                       : NULL;
}

/* Finds the last item of a CPU for the thread at `start`; returns false if there is none. */
static bool switches_out_find_occupation(const struct tt_timelines *timelines,
                                         const struct tt_track *occupants, uint32_t thread,
                                         uint64_t start, struct tt_track_place *place)
{
    bool there = tt_track_find(occupants, start, place);
    while (there && !tt_timelines_gone(timelines)) {
        struct tt_track_item item = tt_track_item(occupants, *place);
        if (item.time != start) {
            return false;
        }
        if (item.value == thread) {
            return true;
        }
        there = tt_track_previous(occupants, place);
    }
    return false;
}

/*
 * Returns whether another thread got the CPU before `time` and before any unknown stretch, after
 * the thread's last run there, which began at `start`.
 */
static bool another_came(const struct tt_timelines *timelines, uint16_t number, uint32_t thread,
                         uint64_t start, uint64_t time)
{
    struct tt_track_place place;
    if (number >= tt_column_count(&timelines->cpus)) {
        return false;
    }
    const struct tt_cpu_lane *cpu = tt_column_at(&timelines->cpus, number);
    if (!switches_out_find_occupation(timelines, &cpu->occupants, thread, start, &place)) {
        return false;
    }
    while (tt_track_next(&cpu->occupants, &place) && !tt_timelines_gone(timelines)) {
        struct tt_track_item item = tt_track_item(&cpu->occupants, place);
        if (item.value != TT_OCCUPANT_KERNEL || item.time >= time) {
            return item.time < time && item.value != TT_OCCUPANT_UNKNOWN && item.value != thread;
        }
    }
    return false;
}

/*
 * Finds the last run before `time` in a lane whose last item before it is `last`, and the item
 * after the run; returns false if either is missing.
 */
static bool last_run(const struct tt_timelines *timelines, const struct tt_lane *lane,
                     struct tt_track_place last, struct tt_track_item *run,
                     struct tt_track_item *left)
{
    bool followed = false;
    *run = tt_track_item(&lane->states, last);
    while (tt_state_class(timelines, VALUE_STATE(run->value)) != TT_CLASS_RUNNING) {
        *left = *run;
        followed = true;
        if (tt_timelines_gone(timelines) || !tt_track_previous(&lane->states, &last)) {
            return false;
        }
        *run = tt_track_item(&lane->states, last);
    }
    return followed;
}

static enum tt_out pending_out(const struct tt_timelines *timelines, uint32_t thread,
                               const struct tt_lane *lane, struct tt_track_place last,
                               uint64_t time, uint16_t *cpu)
{
    struct tt_track_item run, left;
    if (!last_run(timelines, lane, last, &run, &left)) {
        return TT_OUT_NONE;
    }
    *cpu = VALUE_CPU(run.value);
    return another_came(timelines, *cpu, thread, run.time, time)
               ? (enum tt_out)tt_out_of_class(tt_state_class(timelines, VALUE_STATE(left.value)))
               : TT_OUT_NONE;
}

enum tt_out tt_thread_pending_out(const struct tt_timelines *timelines, uint32_t thread,
                                  uint64_t time, uint16_t *cpu)
{
    const struct tt_lane *lane = switches_out_lane_of(timelines, thread);
    struct tt_track_place last;
    return lane && time > 0 && tt_track_find(&lane->states, time - 1, &last)
               ? pending_out(timelines, thread, lane, last, time, cpu)
               : TT_OUT_NONE;
}

static const struct tt_track *late_track(const struct tt_lane *lane)
{
    const struct tt_lane_more *more = lane ? tt_lane_more(lane) : NULL;
    const struct tt_late_outs *late = more ? tt_late_outs_of(more) : NULL;
    return late ? &late->track : NULL;
}

void tt_outs_before(const struct tt_timelines *timelines, uint32_t thread,
                    const struct tt_lane *lane, struct tt_track_place last, uint64_t time,
                    uint64_t *sums)
{
    uint16_t cpu;
    const struct tt_track *late = late_track(lane);
    tt_lane_count_out(sums, pending_out(timelines, thread, lane, last, time, &cpu));
    if (late) {
        struct tt_track_place found;
        struct tt_track_page page;
        uint64_t before[TT_OUT_UNKNOWN];
        if (time == 0 || !tt_track_find(late, time - 1, &found)) {
            return;
        }
        tt_track_sums(late, found, before);
        sums[LANE_VOLUNTARY] += before[TT_OUT_VOLUNTARY - 1];
        sums[LANE_PREEMPTED] += before[TT_OUT_PREEMPTED - 1];
        sums[LANE_UNKNOWN_OUT] += before[TT_OUT_UNKNOWN - 1];
        tt_track_load(late, found.chunk, found.slot + 1, &page);
        for (uint32_t i = 0; i <= found.slot; i++) {
            tt_lane_count_out(sums, LATE_OUT(page.value[i]));
        }
    }
}

static bool late_out_at(const struct tt_track *track, struct tt_track_place place,
                        struct tt_late_out *out)
{
    struct tt_track_item item = tt_track_item(track, place);
    *out = (struct tt_late_out){.ticks = item.time,
                                .cpu = LATE_OUT_CPU(item.value),
                                .out = (uint8_t)LATE_OUT(item.value),
                                .chunk = place.chunk,
                                .slot = place.slot};
    return true;
}

bool tt_late_out_find(const struct tt_timelines *timelines, uint32_t thread, uint64_t ticks,
                      struct tt_late_out *out)
{
    const struct tt_track *late = late_track(switches_out_lane_of(timelines, thread));
    struct tt_track_place place;
    if (!late) {
        return false;
    }
    bool there = ticks > 0 && tt_track_find(late, ticks - 1, &place) ? tt_track_next(late, &place)
                                                                     : tt_track_first(late, &place);
    return there && late_out_at(late, place, out);
}

bool tt_late_out_next(const struct tt_timelines *timelines, uint32_t thread,
                      struct tt_late_out *out)
{
    const struct tt_track *late = late_track(switches_out_lane_of(timelines, thread));
    struct tt_track_place place = {out->chunk, out->slot};
    return late && tt_track_next(late, &place) && late_out_at(late, place, out);
}
