/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Feeds actions to the timelines in groups that do not depend on each other:
 *
 *      actions    | switch | note | begin | counter | wakeup | note | end | ...
 *      notes             note                                   note
 *      slices                    begin                                 end
 *      counters                          counter
 *      others     switch                             wakeup
 *
 * Each group keeps its order. Within a group most branches are predictable, which they are not if
 * any kind may follow any other, and the memory of later actions can be prefetched.
 *
 * Problems that the slices find are reported between the others' problems, in the order of their
 * actions.
 */
#include "base/array.h"
#include "trace/timeline/lanes_build.h"

/* Actions that are divided at once. */
#define PIECE 512u
/* Actions whose kinds decide whether a piece is divided; fewer are not. */
#define SAMPLES 16u
/* Number of these that must not be in the group of the others. */
#define SAMPLES_LEAST 2u

enum group { OTHERS, NOTES, SLICES, COUNTERS, IN_ORDER, GROUPS };

/* By kind. IN_ORDER: affects several groups. */
static const uint8_t group_of[UINT8_MAX + 1] = {
    [TT_ACTION_NOTE] = NOTES,         [TT_ACTION_SLICE_BEGIN] = SLICES,
    [TT_ACTION_SLICE_END] = SLICES,   [TT_ACTION_SLICE] = SLICES,
    [TT_ACTION_ASYNC_BEGIN] = SLICES, [TT_ACTION_ASYNC_END] = SLICES,
    [TT_ACTION_COUNTER] = COUNTERS,   [TT_ACTION_LOST_SLICES] = IN_ORDER,
};

struct groups {
    uint32_t count[GROUPS];
    uint16_t list[GROUPS][PIECE];
};

/* Returns whether dividing a piece saves more than it takes, by a sample of its actions. */
static bool is_mixed(const struct tt_action *actions, size_t count)
{
    unsigned apart = 0;
    for (unsigned i = 0; count >= SAMPLES && i < SAMPLES; i++) {
        apart += group_of[actions[i * count / SAMPLES].kind] != OTHERS;
    }
    return apart >= SAMPLES_LEAST;
}

/* ---- notes -------------------------------------------------------------------------------- */

static inline bool feed_groups_add_note(struct tt_timelines *timelines,
                                        const struct tt_action *action)
{
    struct tt_lane *lane = tt_lane_of(timelines, action->thread);
    struct tt_track *notes = lane ? tt_lane_notes(lane) : NULL;
    if (lane && !notes) {
        notes = tt_lane_add_notes(timelines, lane);
    }
    return !lane ||
           (notes && tt_track_append(notes, &timelines->arena, action->ticks, action->other, NULL));
}

bool tt_notes_handle(struct tt_timelines *timelines, const struct tt_action *action)
{
    return feed_groups_add_note(timelines, action);
}

#define AHEAD 8u /* actions whose lanes are prefetched */

static bool feed_notes(struct tt_timelines *timelines, const struct tt_action *actions,
                       const uint16_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t upcoming = list[i + AHEAD < count ? i + AHEAD : i];
        tt_column_index_prefetch(&timelines->lane_at, actions[upcoming].thread);
        if (!feed_groups_add_note(timelines, &actions[list[i]])) {
            return false;
        }
    }
    return !timelines->no_memory;
}

/* ---- problems ----------------------------------------------------------------------------- */

bool tt_slices_hold_problem(struct tt_slice_lanes *slices, const struct tt_action *action,
                            enum tt_health_kind kind, uint64_t value, const char *detail)
{
    struct tt_slice_problem *problems = tt_array_grow(slices->problems, slices->problem_count,
                                                      &slices->problem_capacity, sizeof *problems);
    if (!problems) {
        return false;
    }
    slices->problems = problems;
    problems[slices->problem_count++] = (struct tt_slice_problem){action, value, detail, kind};
    return true;
}

/* Handles the other actions, and reports the problems of the slices in their places. */
static bool feed_others(struct tt_timelines *timelines, const struct tt_action *actions,
                        const uint16_t *list, uint32_t count)
{
    struct tt_slice_lanes *slices = &timelines->slices;
    uint32_t done = 0;
    for (size_t i = 0; i < slices->problem_count; i++) {
        const struct tt_slice_problem *problem = &slices->problems[i];
        uint32_t end = done;
        while (end < count && &actions[list[end]] < problem->action) {
            end++;
        }
        if (!tt_timelines_handle_some(timelines, actions, list + done, end - done)) {
            return false;
        }
        tt_timelines_health(timelines, problem->kind, problem->action->pos, problem->value,
                            problem->detail);
        done = end;
    }
    slices->problem_count = 0;
    return tt_timelines_handle_some(timelines, actions, list + done, count - done);
}

/* ---- feeding ------------------------------------------------------------------------------ */

static bool feed_piece(struct tt_timelines *timelines, const struct tt_action *actions,
                       size_t count)
{
    struct groups g;

    for (unsigned i = 0; i < GROUPS; i++) {
        g.count[i] = 0;
    }
    for (size_t i = 0; i < count; i++) {
        unsigned group = group_of[actions[i].kind];
        g.list[group][g.count[group]++] = (uint16_t)i;
    }

    if (g.count[IN_ORDER] > 0) {
        return tt_timelines_handle(timelines, actions, count);
    }
    timelines->slices.holds = true;
    bool ok = feed_notes(timelines, actions, g.list[NOTES], g.count[NOTES]) &&
              tt_slices_feed(timelines, actions, g.list[SLICES], g.count[SLICES]) &&
              tt_counters_feed(timelines, actions, g.list[COUNTERS], g.count[COUNTERS]);
    timelines->slices.holds = false;
    return ok && feed_others(timelines, actions, g.list[OTHERS], g.count[OTHERS]);
}

bool tt_timelines_feed(struct tt_timelines *timelines, const struct tt_action *actions,
                       size_t count)
{
    if (count == 0) {
        return true;
    }
    /* Set first, so that no reader sees an item after the end. */
    tt_timelines_reach(timelines, actions[count - 1].ticks);
    if (timelines->open_loss_count > 0) {
        return tt_timelines_feed_in_loss(timelines, actions, count);
    }
    for (size_t at = 0; at < count; at += PIECE) {
        size_t some = count - at < PIECE ? count - at : PIECE;
        bool ok = is_mixed(actions + at, some) ? feed_piece(timelines, actions + at, some)
                                               : tt_timelines_handle(timelines, actions + at, some);
        if (!ok) {
            return false;
        }
    }
    return true;
}
