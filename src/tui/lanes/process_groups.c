/* SPDX-License-Identifier: Apache-2.0 */
/* process_groups: sums the cells of the threads of a process. */
#include "tui/lanes/process_groups.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

static void forget(struct tt_lane_groups *g)
{
    for (unsigned i = 0; i < g->count; i++) {
        free(g->groups[i].sums);
    }
    g->count = 0;
}

bool tt_lane_groups_begin(struct tt_lane_groups *g, const struct tt_timelines *t,
                          const struct tt_capture *c, const uint64_t *edges, unsigned columns)
{
    uint64_t from = edges[0], to = edges[columns], end = tt_timelines_end(t);
    bool same = g->number == tt_timelines_number(t) && g->from == from && g->to == to &&
                g->end == end && g->columns == columns;
    g->frame++;
    g->edges = edges;
    if (same) {
        return true;
    }
    forget(g);
    g->t = t;
    g->number = tt_timelines_number(t);
    g->c = c;
    g->from = from;
    g->to = to;
    g->end = end;
    g->columns = columns;
    if (columns > g->room) {
        struct tt_thread_cell *scratch = realloc(g->scratch, columns * sizeof *scratch);
        if (!scratch) {
            return false;
        }
        g->scratch = scratch;
        g->room = columns;
    }
    return true;
}

static struct tt_lane_group *find_group(struct tt_lane_groups *g, uint32_t process)
{
    for (unsigned i = 0; i < g->count; i++) {
        if (g->groups[i].process == process) {
            return &g->groups[i];
        }
    }
    if (g->count == TT_LANE_GROUPS) {
        /* No longer visible: the next frame computes what it needs. */
        forget(g);
    }
    struct tt_lane_group *group = &g->groups[g->count];
    group->sums = calloc(g->columns, sizeof *group->sums);
    group->process = process;
    group->next = 0;
    g->count += group->sums != NULL;
    return group->sums ? group : NULL;
}

static bool add_threads(struct tt_lane_groups *g, struct tt_lane_group *group, uint64_t deadline)
{
    uint32_t threads = tt_thread_count(g->c);
    for (; group->next < threads; group->next++) {
        if (tt_thread_at(g->c, group->next)->process != group->process) {
            continue;
        }
        if (tt_now_ns() >= deadline) {
            return false;
        }
        tt_thread_cells(g->t, group->next, g->edges, g->columns, g->scratch);
        for (unsigned i = 0; i < g->columns; i++) {
            tt_lane_sums_add(&group->sums[i], &g->scratch[i]);
        }
    }
    return true;
}

const struct tt_thread_cell *tt_lane_groups_get(struct tt_lane_groups *g, uint32_t process,
                                                uint64_t deadline)
{
    struct tt_lane_group *group = g->room >= g->columns ? find_group(g, process) : NULL;
    if (!group) {
        return NULL;
    }
    group->frame = g->frame;
    return add_threads(g, group, deadline) ? group->sums : NULL;
}

const struct tt_thread_cell *tt_lane_groups_peek(const struct tt_lane_groups *g, uint32_t process)
{
    for (unsigned i = 0; i < g->count; i++) {
        if (g->groups[i].process == process && g->groups[i].next >= tt_thread_count(g->c)) {
            return g->groups[i].sums;
        }
    }
    return NULL;
}

bool tt_lane_groups_work(struct tt_lane_groups *g, uint64_t deadline)
{
    for (unsigned i = 0; i < g->count; i++) {
        if (g->groups[i].frame == g->frame && !add_threads(g, &g->groups[i], deadline)) {
            return false;
        }
    }
    return true;
}

void tt_lane_groups_free(struct tt_lane_groups *g)
{
    forget(g);
    free(g->scratch);
    memset(g, 0, sizeof *g);
}
