/* SPDX-License-Identifier: Apache-2.0 */
/* lane_marks: draws marks with one search per column that has any. */
#include "tui/lanes/lane_marks.h"

/* ---- user events -------------------------------------------------------------------------- */

#include "tui/draw/event_role.h"

/* Marks replace states if at most one column in SPARSE has a mark. */
#define SPARSE 6u

enum walk_mode { WALK_COUNT, WALK_GLYPH, WALK_OVERLAY };

/* Counts the columns with user events, and draws them depending on `mode`. */
static unsigned user_events_walk(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                                 uint32_t thread, struct tt_area line, enum walk_mode mode)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    uint64_t ticks = ws->nav.viewport.from;
    uint32_t type;
    unsigned columns = (unsigned)view->layout.columns, count = 0;
    while (tt_thread_note(timelines, thread, ticks, ws->nav.viewport.to, &ticks, &type)) {
        unsigned column = tt_viewport_column(&ws->nav.viewport, columns, ticks);
        if (mode == WALK_GLYPH) {
            const unsigned kind = tt_types_at(ws->opened.capture, type)->kind;
            tt_draw_fill(line, (int)column, 0, 1, tt_role_of_kind(kind),
                         tt_term_glyph(&ws->term, TT_GLYPH_USER));
        } else if (mode == WALK_OVERLAY) {
            tt_draw_over(line, (int)column, 0, 1, TT_ROLE_OWN_EVENT);
        }
        count++;
        ticks = tt_lanes_after_column(view, column, ticks);
    }
    return count;
}

/* Returns whether there are few enough marks to replace the states of their columns. */
static bool is_sparse(const struct tt_lanes_view *view, unsigned count)
{
    return count > 0 && count * SPARSE <= (unsigned)view->layout.columns;
}

bool tt_lanes_user_ticks(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                         uint32_t thread)
{
    const struct tt_area nowhere = {0};
    return !ws->nav.lane.sequence &&
           is_sparse(view, user_events_walk(ws, view, thread, nowhere, WALK_COUNT));
}

void tt_lanes_draw_user_events(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                               struct tt_area area, int y, uint32_t thread)
{
    struct tt_area line = tt_area_part(area, view->layout.gutter, y, view->layout.columns, 1);
    if (ws->nav.lane.sequence) {
        return; /* on the sequence axis each event has its own column */
    }
    unsigned count = user_events_walk(ws, view, thread, line, WALK_COUNT);
    if (count > 0) {
        user_events_walk(ws, view, thread, line,
                         is_sparse(view, count) ? WALK_GLYPH : WALK_OVERLAY);
    }
}

/* ---- missed deadlines --------------------------------------------------------------------- */

bool tt_lanes_has_miss(const struct tt_workspace *ws, uint32_t thread)
{
    const struct tt_miss *miss = tt_jobs_miss_of(&ws->jobs, thread, ws->nav.viewport.from);
    return miss && miss->deadline < ws->nav.viewport.to && !ws->nav.lane.sequence;
}

void tt_lanes_draw_misses(const struct tt_workspace *ws, const struct tt_lanes_view *view,
                          struct tt_area area, int y, uint32_t thread)
{
    struct tt_area line = tt_area_part(area, view->layout.gutter, y, view->layout.columns, 1);
    const struct tt_viewport *viewport = &ws->nav.viewport;
    unsigned columns = (unsigned)view->layout.columns;
    const struct tt_miss *miss;
    if (ws->nav.lane.sequence) {
        return; /* on the sequence axis a column is an event */
    }
    for (uint64_t ticks = viewport->from;
         (miss = tt_jobs_miss_of(&ws->jobs, thread, ticks)) != NULL &&
         miss->deadline < viewport->to;) {
        unsigned column = tt_viewport_column(viewport, columns, miss->deadline);
        tt_draw(line, (int)column, 0, 1, TT_ROLE_ERROR, "!");
        if (column + 1 >= columns) {
            return;
        }
        ticks = tt_lanes_after_column(view, column, miss->deadline);
    }
}
