/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/model/visible_lanes.h"

#include <string.h>

#include "base/clock.h"
#include "tui/model/workspace.h"

#define BUDGET_NS   UINT64_C(3000000)
#define ROWS_A_STEP 8192u /* between two checks of the clock */

void tt_visible_lanes_drop(struct tt_workspace *ws)
{
    struct tt_visible_lanes *lanes = &ws->filters.lanes;
    unsigned version = lanes->version + 1;
    tt_events_free(lanes->events);
    tt_row_owners_free(&lanes->answer);
    tt_row_owners_free(&lanes->next);
    *lanes = (struct tt_visible_lanes){.version = version};
}

/* Scans a step; true when all rows known to be shown have been scanned. */
static bool visible_lanes_step(struct tt_workspace *ws, struct tt_row_owners *owners)
{
    uint64_t until = tt_now_ns() + BUDGET_NS;
    bool all;
    do {
        all = tt_row_owners_step(owners, ws->filters.lanes.events, ws->filters.stack.shown, 0,
                                 UINT64_MAX, ROWS_A_STEP);
    } while (!all && tt_now_ns() < until);
    return all;
}

/* Drops the answer, since nothing is filtered out; true if there was one. */
static bool visible_lanes_drop(struct tt_visible_lanes *lanes)
{
    bool had = lanes->valid;
    tt_row_owners_free(&lanes->answer);
    tt_row_owners_free(&lanes->next);
    lanes->valid = lanes->computing = false;
    lanes->version += had;
    return had;
}

static bool visible_lanes_compute(struct tt_workspace *ws, struct tt_visible_lanes *lanes,
                                  bool *changed)
{
    const struct tt_filter_stack *stack = &ws->filters.stack;
    if (!lanes->computing || lanes->next_version != stack->shown_version) {
        tt_row_owners_free(&lanes->next);
        lanes->computing = true;
        lanes->next_version = stack->shown_version;
    }
    if (!visible_lanes_step(ws, &lanes->next)) {
        return true;
    }
    if (!tt_row_set_whole(stack->shown) && tt_filter_stack_busy(stack)) {
        return false; /* the filter run notifies when it finds more */
    }
    tt_row_owners_free(&lanes->answer);
    lanes->answer = lanes->next;
    lanes->answer_version = lanes->next_version;
    lanes->next = (struct tt_row_owners){0};
    lanes->valid = true;
    lanes->computing = false;
    lanes->version++;
    *changed = true;
    return false;
}

/* Continues with the same filters on new rows of the capture. */
static bool visible_lanes_extend(struct tt_workspace *ws, struct tt_visible_lanes *lanes,
                                 bool *changed)
{
    uint32_t before = tt_row_owners_threads(&lanes->answer);
    bool all = visible_lanes_step(ws, &lanes->answer);
    if (tt_row_owners_threads(&lanes->answer) != before) {
        lanes->version++;
        *changed = true;
    }
    return !all;
}

bool tt_visible_lanes_update(struct tt_workspace *ws, bool *changed)
{
    struct tt_visible_lanes *lanes = &ws->filters.lanes;
    if (!ws->filters.stack.shown) {
        *changed |= visible_lanes_drop(lanes);
        return false;
    }
    if (!lanes->events) {
        lanes->events = tt_events_new(ws->opened.trace);
    }
    if (!lanes->events) {
        return false;
    }
    return lanes->valid && lanes->answer_version == ws->filters.stack.shown_version
               ? visible_lanes_extend(ws, lanes, changed)
               : visible_lanes_compute(ws, lanes, changed);
}

static bool visible_lanes_is_known(const struct tt_filters *filters)
{
    return filters->lanes.valid && !filters->lanes.answer.failed && !filters->stack.peek;
}

bool tt_visible_thread(const struct tt_filters *filters, uint32_t thread)
{
    return !visible_lanes_is_known(filters) || tt_row_owners_thread(&filters->lanes.answer, thread);
}

bool tt_visible_cpu(const struct tt_filters *filters, uint32_t cpu)
{
    return !visible_lanes_is_known(filters) || tt_row_owners_cpu(&filters->lanes.answer, cpu);
}

bool tt_visible_thread_peeked(const struct tt_filters *filters, uint32_t thread)
{
    return filters->stack.peek && filters->lanes.valid && !filters->lanes.answer.failed &&
           !tt_row_owners_thread(&filters->lanes.answer, thread);
}

unsigned tt_visible_lanes_version(const struct tt_filters *filters)
{
    return filters->lanes.version * 2u + filters->stack.peek;
}

void tt_visible_lanes_text(const struct tt_workspace *ws, struct tt_text *text)
{
    if (visible_lanes_is_known(&ws->filters)) {
        tt_text_put(text, "%'u of %'u threads", tt_row_owners_threads(&ws->filters.lanes.answer),
                    tt_thread_count(ws->opened.capture));
    }
}
