/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads/rows: builds and sorts the rows of the Threads view and places the cursor in them.
 */
#include "tui/views/threads/view.h"

struct shown {
    const struct tt_workspace *ws;
    const struct tt_threads_view *v;
};

/*
 * Returns whether a lane passes the filters and, if idle lanes are hidden, whether it runs or has
 * slices in the window or is the cursor's.
 */
static bool threads_rows_is_shown(void *arg, uint32_t thread)
{
    const struct shown *shown = arg;
    return tt_visible_thread(&shown->ws->filters, thread) &&
           (!shown->v->hide_idle || thread == shown->ws->nav.lane.thread ||
            thread >= shown->v->numbers.count || shown->v->numbers.threads[thread].ran ||
            tt_lanes_has_slices(shown->ws, thread));
}

/* Returns a row describing the cursor's lane; it may not be among the rows. */
static struct tt_lane_row cursor_row(const struct tt_workspace *ws)
{
    return (struct tt_lane_row){.thread = ws->nav.lane.thread,
                                .process = ws->nav.lane.process,
                                .number = ws->nav.lane.number,
                                .kind = ws->nav.lane.kind};
}

bool tt_threads_ask_numbers(struct tt_workspace *ws, struct tt_threads_view *view,
                            const struct tt_timelines *timelines)
{
    const struct tt_viewport *viewport = &ws->nav.viewport;
    uint32_t threads = tt_thread_count(ws->opened.capture);
    bool orders = view->order_pending && tt_lanes_sort_needs_numbers(view->sort);
    bool delays = orders && view->sort == TT_LANES_BY_DELAY;
    view->order_other_window = false;
    if (orders) {
        /*
         * Lanes are sorted by the window shown at the request, even if its numbers complete later.
         */

        if (!view->order_set) {
            view->order_set = true;
            view->order_all = viewport->all;
            view->order_from = viewport->from;
            view->order_to = viewport->to;
        } else if (view->order_all && !ws->index.following.live.follows) {
            struct tt_bounds bounds = tt_nav_bounds(ws);
            view->order_from = viewport->all ? viewport->from : bounds.begin;
            view->order_to = viewport->all ? viewport->to : bounds.end;
        }
        view->order_other_window =
            view->order_from != viewport->from || view->order_to != viewport->to;
    }
    bool here = delays && !view->order_other_window;
    return tt_row_stats_ask(&view->numbers, timelines, viewport->from, viewport->to, threads,
                            here) &&
           (!view->order_other_window ||
            tt_row_stats_ask(&view->order_numbers, timelines, view->order_from, view->order_to,
                             threads, delays));
}

/* Sorts the lanes as soon as the numbers to sort by are complete. */
static void put_in_order(struct tt_workspace *ws, struct tt_threads_view *view,
                         const struct tt_timelines *timelines)
{
    const struct tt_live *live = &ws->index.following.live;
    bool needs = tt_lanes_sort_needs_numbers(view->sort);
    /* Until the user has chosen a lane, the order is renewed each time the capture has doubled. */
    const uint64_t begin = tt_timelines_begin(timelines);
    view->order_pending |= live->follows && view->ordered && !ws->nav.lane.chosen &&
                           (tt_timelines_end(timelines) - begin) / 2 > view->ordered_end - begin;
    bool final = (live->follows && live->caught_up) ||
                 (ws->index.progress.finished && !tt_timelines_provisional(timelines));
    if (view->threads != tt_thread_count(ws->opened.capture) && !view->ordered) {
        tt_lane_rows_order(&view->rows, ws->opened.capture, TT_LANES_BY_NUMBER, false, NULL);
        view->stale = true;
    }
    const struct tt_row_stats *numbers =
        view->order_other_window ? &view->order_numbers : &view->numbers;
    if (!view->order_pending || !final || (needs && !tt_row_stats_complete(numbers))) {
        return;
    }
    if (!tt_lane_rows_order(&view->rows, ws->opened.capture, view->sort, view->reverse, numbers)) {
        tt_message_set(&ws->message, TT_ROLE_ERROR, "out of memory");
    }
    tt_row_stats_free(&view->order_numbers);
    view->order_pending = view->order_set = view->order_other_window = false;
    view->ordered = true;
    view->ordered_end = tt_timelines_end(timelines);
    view->stale = true;
}

void tt_threads_make_rows(struct tt_workspace *ws, struct tt_threads_view *view,
                          const struct tt_timelines *timelines)
{
    uint32_t threads = tt_thread_count(ws->opened.capture),
             processes = tt_process_count(ws->opened.capture);
    const struct tt_viewport *viewport = &ws->nav.viewport;
    bool by_window = view->hide_idle || tt_slices_total(timelines) > 0;
    bool moved = (by_window && (view->from != viewport->from || view->to != viewport->to)) ||
                 view->owners != tt_visible_lanes_version(&ws->filters);
    const struct tt_lane_pair *pair = tt_nav_pair(&ws->nav);
    view->stale |= tt_lane_rows_set_pair(&view->rows, pair != NULL, pair ? pair->threads[0] : 0,
                                         pair ? pair->threads[1] : 0);
    put_in_order(ws, view, timelines);
    if (view->hide_idle && !tt_row_stats_complete(&view->numbers)) {
        return; /* run times are not complete: keep the rows until they are */
    }
    bool more =
        view->slices != tt_slices_total(timelines) || view->series != tt_counter_series(timelines);
    if (view->stale || moved || more || view->threads != threads || view->processes != processes) {
        struct shown shown = {ws, view};
        const struct tt_lane_window window = {viewport->from, viewport->to, cursor_row(ws)};
        view->from = viewport->from;
        view->to = viewport->to;
        view->owners = tt_visible_lanes_version(&ws->filters);
        view->threads = threads;
        view->processes = processes;
        view->slices = tt_slices_total(timelines);
        view->series = tt_counter_series(timelines);
        view->stale = !tt_lane_rows_make(&view->rows, ws->opened.capture, timelines, &window,
                                         threads_rows_is_shown, &shown);
    }
}

static void threads_rows_set_row(struct tt_workspace *ws, const struct tt_lane_row *row)
{
    ws->nav.lane.thread = row->thread;
    ws->nav.lane.process = row->process;
    ws->nav.lane.number = row->number;
    ws->nav.lane.kind = row->kind;
}

bool tt_threads_settled(const struct tt_workspace *ws, const struct tt_threads_view *view)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    bool orders = view->order_pending && ws->index.progress.finished && timelines &&
                  !tt_timelines_provisional(timelines);
    bool hides = view->hide_idle && !tt_row_stats_complete(&view->numbers);
    return view->lanes.layout.columns == 0 || !(orders || hides || view->stale);
}

/* Keeps the cursor on the first or last row while the rows may still change. */
static void threads_rows_keep_end(struct tt_workspace *ws, struct tt_threads_view *view)
{
    const struct tt_lane_rows *rows = &view->rows;
    if (view->end == 0 || rows->count == 0) {
        return;
    }
    uint32_t at = view->end > 0 ? rows->count - 1 : 0;
    const struct tt_lane_row *was = &view->end_row;
    bool left = was->thread != ws->nav.lane.thread || was->process != ws->nav.lane.process ||
                was->number != ws->nav.lane.number || was->kind != ws->nav.lane.kind;
    if (!left) {
        threads_rows_set_row(ws, &rows->rows[at]);
        view->end_row = rows->rows[at];
    }
    if (left ||
        (ws->index.progress.finished && tt_threads_settled(ws, view) && tt_find_settled(ws))) {
        view->end = 0;
    }
}

/* Finds the cursor's row and keeps it on its line if the rows around it have changed. */
void tt_threads_place_cursor(struct tt_workspace *ws, struct tt_threads_view *view)
{
    struct tt_lane_rows *rows = &view->rows;
    int height = view->lanes.layout.lanes_height;
    uint32_t pinned = rows->pinned < (uint32_t)height / 2 ? rows->pinned : (uint32_t)height / 2;
    uint32_t lines = (uint32_t)height - pinned, scrolled = rows->count - rows->pinned;
    if (!ws->nav.lane.chosen) {
        /* Until the user selects a row, the cursor is on the first thread in any order. */
        uint32_t row = 0;
        while (row + 1 < rows->count && rows->rows[row].kind != TT_LANE_THREAD) {
            row++;
        }
        if (row < rows->count) {
            threads_rows_set_row(ws, &rows->rows[row]);
        }
    }
    threads_rows_keep_end(ws, view);
    const struct tt_lane_row like = cursor_row(ws);
    uint32_t at = tt_lane_rows_find(rows, &like);
    if (at == UINT32_MAX) {
        at = view->at < rows->count ? view->at : rows->count > 0 ? rows->count - 1 : 0;
        if (at < rows->count && ws->nav.lane.thread == TT_NO_THREAD &&
            ws->nav.lane.process == UINT32_MAX && !rows->flat && at + 1 < rows->count) {
            at++; /* the first thread, not its process */
        }
    }
    bool shifted = at != view->at;
    view->at = at;
    if (at < rows->count) {
        threads_rows_set_row(ws, &rows->rows[at]);
    }
    if (at < rows->pinned) {
        return;
    }
    uint32_t place = at - rows->pinned;
    if (!view->placed) {
        /* Not scrolled by the user yet: start at the top, so that the position does not depend on
         * how much of the capture was indexed in the first frame. */
        view->top = 0;
        view->placed = view->ordered;
    } else if (shifted && view->at_line >= (int)pinned &&
               place >= (uint32_t)view->at_line - pinned) {
        bool visible = place >= view->top && place < view->top + lines;
        view->top = visible ? view->top : place - ((uint32_t)view->at_line - pinned);
    }
    view->top = place < view->top ? place : view->top;
    view->top = place >= view->top + lines ? place - lines + 1 : view->top;
    view->top =
        view->top + lines > scrolled ? (scrolled > lines ? scrolled - lines : 0) : view->top;
}

/* Returns the row on a line of the lanes, or UINT32_MAX. */
uint32_t tt_threads_row_on_line(const struct tt_threads_view *view, int line)
{
    const struct tt_lane_rows *rows = &view->rows;
    int height = view->lanes.layout.lanes_height;
    uint32_t pinned = rows->pinned < (uint32_t)height / 2 ? rows->pinned : (uint32_t)height / 2;
    uint32_t row = (uint32_t)line < pinned ? (uint32_t)line
                                           : rows->pinned + view->top + ((uint32_t)line - pinned);
    return row < rows->count ? row : UINT32_MAX;
}

void tt_threads_go_row(struct tt_workspace *ws, struct tt_threads_view *view, int64_t row)
{
    int64_t last = (int64_t)view->rows.count - 1;
    row = row > last ? last : row;
    row = row < 0 ? 0 : row;
    view->end = 0;
    view->placed = true;
    if (row < (int64_t)view->rows.count) {
        threads_rows_set_row(ws, &view->rows.rows[row]);
        ws->nav.lane.chosen = true;
    }
}

void tt_threads_go_end(struct tt_workspace *ws, struct tt_threads_view *view, bool last)
{
    tt_threads_go_row(ws, view, last ? INT64_MAX : 0);
    view->end = last ? 1 : -1;
    view->end_row = cursor_row(ws);
}
