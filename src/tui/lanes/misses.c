/* SPDX-License-Identifier: Apache-2.0 */
/* misses: draws missed deadlines with one search per column that has any. */
#include "tui/lanes/misses.h"

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
