/* SPDX-License-Identifier: Apache-2.0 */
/* process_groups: sums the cells of the threads of a process. */
#include "tui/lanes/process_groups.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

static void process_groups_forget(struct tt_lane_groups *groups)
{
    for (unsigned i = 0; i < groups->count; i++) {
        free(groups->groups[i].sums);
    }
    groups->count = 0;
}

bool tt_lane_groups_begin(struct tt_lane_groups *groups, const struct tt_timelines *timelines,
                          const struct tt_capture *capture, const uint64_t *edges, unsigned columns)
{
    uint64_t from = edges[0], to = edges[columns], end = tt_timelines_end(timelines);
    bool same = groups->number == tt_timelines_number(timelines) && groups->from == from &&
                groups->to == to && groups->end == end && groups->columns == columns;
    groups->frame++;
    groups->edges = edges;
    if (same) {
        return true;
    }
    process_groups_forget(groups);
    groups->t = timelines;
    groups->number = tt_timelines_number(timelines);
    groups->c = capture;
    groups->from = from;
    groups->to = to;
    groups->end = end;
    groups->columns = columns;
    if (columns > groups->room) {
        struct tt_thread_cell *scratch = realloc(groups->scratch, columns * sizeof *scratch);
        if (!scratch) {
            return false;
        }
        groups->scratch = scratch;
        groups->room = columns;
    }
    return true;
}

static struct tt_lane_group *find_group(struct tt_lane_groups *groups, uint32_t process)
{
    for (unsigned i = 0; i < groups->count; i++) {
        if (groups->groups[i].process == process) {
            return &groups->groups[i];
        }
    }
    if (groups->count == TT_LANE_GROUPS) {
        /* No longer visible: the next frame computes what it needs. */
        process_groups_forget(groups);
    }
    struct tt_lane_group *group = &groups->groups[groups->count];
    group->sums = calloc(groups->columns, sizeof *group->sums);
    group->process = process;
    group->next = 0;
    groups->count += group->sums != NULL;
    return group->sums ? group : NULL;
}

static bool add_threads(struct tt_lane_groups *groups, struct tt_lane_group *group,
                        uint64_t deadline)
{
    uint32_t threads = tt_thread_count(groups->c);
    for (; group->next < threads; group->next++) {
        if (tt_thread_at(groups->c, group->next)->process != group->process) {
            continue;
        }
        if (tt_now_ns() >= deadline) {
            return false;
        }
        tt_thread_cells(groups->t, group->next, groups->edges, groups->columns, groups->scratch);
        for (unsigned i = 0; i < groups->columns; i++) {
            tt_lane_sums_add(&group->sums[i], &groups->scratch[i]);
        }
    }
    return true;
}

const struct tt_thread_cell *tt_lane_groups_get(struct tt_lane_groups *groups, uint32_t process,
                                                uint64_t deadline)
{
    struct tt_lane_group *group =
        groups->room >= groups->columns ? find_group(groups, process) : NULL;
    if (!group) {
        return NULL;
    }
    group->frame = groups->frame;
    return add_threads(groups, group, deadline) ? group->sums : NULL;
}

const struct tt_thread_cell *tt_lane_groups_peek(const struct tt_lane_groups *groups,
                                                 uint32_t process)
{
    for (unsigned i = 0; i < groups->count; i++) {
        if (groups->groups[i].process == process &&
            groups->groups[i].next >= tt_thread_count(groups->c)) {
            return groups->groups[i].sums;
        }
    }
    return NULL;
}

bool tt_lane_groups_work(struct tt_lane_groups *groups, uint64_t deadline)
{
    for (unsigned i = 0; i < groups->count; i++) {
        if (groups->groups[i].frame == groups->frame &&
            !add_threads(groups, &groups->groups[i], deadline)) {
            return false;
        }
    }
    return true;
}

void tt_lane_groups_free(struct tt_lane_groups *groups)
{
    process_groups_forget(groups);
    free(groups->scratch);
    memset(groups, 0, sizeof *groups);
}
