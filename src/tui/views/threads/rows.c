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
static bool is_shown(void *arg, uint32_t thread)
{
    const struct shown *s = arg;
    return tt_visible_thread(&s->ws->filters, thread) &&
           (!s->v->hide_idle || thread == s->ws->nav.lane.thread || thread >= s->v->numbers.count ||
            s->v->numbers.threads[thread].ran || tt_lanes_has_slices(s->ws, thread));
}

/* Returns a row describing the cursor's lane; it may not be among the rows. */
static struct tt_lane_row cursor_row(const struct tt_workspace *ws)
{
    return (struct tt_lane_row){.thread = ws->nav.lane.thread,
                                .process = ws->nav.lane.process,
                                .number = ws->nav.lane.number,
                                .kind = ws->nav.lane.kind};
}

/* Lanes are sorted by the window shown at the request, even if its numbers complete later. */
static void place_order(const struct tt_workspace *ws, struct tt_threads_view *v)
{
    const struct tt_viewport *w = &ws->nav.viewport;
    if (!v->order_set) {
        v->order_set = true;
        v->order_all = w->all;
        v->order_from = w->from;
        v->order_to = w->to;
    } else if (v->order_all && !ws->index.following.live.follows) {
        struct tt_bounds bounds = tt_nav_bounds(ws);
        v->order_from = w->all ? w->from : bounds.begin;
        v->order_to = w->all ? w->to : bounds.end;
    }
    v->order_other_window = v->order_from != w->from || v->order_to != w->to;
}

bool tt_threads_ask_numbers(struct tt_workspace *ws, struct tt_threads_view *v,
                            const struct tt_timelines *t)
{
    const struct tt_viewport *w = &ws->nav.viewport;
    uint32_t threads = tt_thread_count(ws->opened.capture);
    bool orders = v->order_pending && tt_lanes_sort_needs_numbers(v->sort);
    bool delays = orders && v->sort == TT_LANES_BY_DELAY;
    v->order_other_window = false;
    if (orders) {
        place_order(ws, v);
    }
    bool here = delays && !v->order_other_window;
    return tt_row_stats_ask(&v->numbers, t, w->from, w->to, threads, here) &&
           (!v->order_other_window ||
            tt_row_stats_ask(&v->order_numbers, t, v->order_from, v->order_to, threads, delays));
}

/* Sorts the lanes as soon as the numbers to sort by are complete. */
static void put_in_order(struct tt_workspace *ws, struct tt_threads_view *v,
                         const struct tt_timelines *t)
{
    const struct tt_live *live = &ws->index.following.live;
    bool needs = tt_lanes_sort_needs_numbers(v->sort);
    /* Until the user has chosen a lane, the order is renewed each time the capture has doubled. */
    const uint64_t begin = tt_timelines_begin(t);
    v->order_pending |= live->follows && v->ordered && !ws->nav.lane.chosen &&
                        (tt_timelines_end(t) - begin) / 2 > v->ordered_end - begin;
    bool final = (live->follows && live->caught_up) ||
                 (ws->index.progress.finished && !tt_timelines_provisional(t));
    if (v->threads != tt_thread_count(ws->opened.capture) && !v->ordered) {
        tt_lane_rows_order(&v->rows, ws->opened.capture, TT_LANES_BY_NUMBER, false, NULL);
        v->stale = true;
    }
    const struct tt_row_stats *numbers = v->order_other_window ? &v->order_numbers : &v->numbers;
    if (!v->order_pending || !final || (needs && !tt_row_stats_complete(numbers))) {
        return;
    }
    if (!tt_lane_rows_order(&v->rows, ws->opened.capture, v->sort, v->reverse, numbers)) {
        tt_message_set(&ws->message, TT_ROLE_ERROR, "out of memory");
    }
    tt_row_stats_free(&v->order_numbers);
    v->order_pending = v->order_set = v->order_other_window = false;
    v->ordered = true;
    v->ordered_end = tt_timelines_end(t);
    v->stale = true;
}

void tt_threads_make_rows(struct tt_workspace *ws, struct tt_threads_view *v,
                          const struct tt_timelines *t)
{
    uint32_t threads = tt_thread_count(ws->opened.capture),
             processes = tt_process_count(ws->opened.capture);
    const struct tt_viewport *w = &ws->nav.viewport;
    bool by_window = v->hide_idle || tt_slices_total(t) > 0;
    bool moved = (by_window && (v->from != w->from || v->to != w->to)) ||
                 v->owners != tt_visible_lanes_version(&ws->filters);
    const struct tt_lane_pair *pair = tt_nav_pair(&ws->nav);
    v->stale |= tt_lane_rows_set_pair(&v->rows, pair != NULL, pair ? pair->threads[0] : 0,
                                      pair ? pair->threads[1] : 0);
    put_in_order(ws, v, t);
    if (v->hide_idle && !tt_row_stats_complete(&v->numbers)) {
        return; /* run times are not complete: keep the rows until they are */
    }
    bool more = v->slices != tt_slices_total(t) || v->series != tt_counter_series(t);
    if (v->stale || moved || more || v->threads != threads || v->processes != processes) {
        struct shown shown = {ws, v};
        const struct tt_lane_window window = {w->from, w->to, cursor_row(ws)};
        v->from = w->from;
        v->to = w->to;
        v->owners = tt_visible_lanes_version(&ws->filters);
        v->threads = threads;
        v->processes = processes;
        v->slices = tt_slices_total(t);
        v->series = tt_counter_series(t);
        v->stale = !tt_lane_rows_make(&v->rows, ws->opened.capture, t, &window, is_shown, &shown);
    }
}

static void take_row(struct tt_workspace *ws, const struct tt_lane_row *row)
{
    ws->nav.lane.thread = row->thread;
    ws->nav.lane.process = row->process;
    ws->nav.lane.number = row->number;
    ws->nav.lane.kind = row->kind;
}

/* Until the user selects a row, the cursor is on the first thread in any order. */
static void choose_first(struct tt_workspace *ws, const struct tt_lane_rows *r)
{
    uint32_t row = 0;
    while (row + 1 < r->count && r->rows[row].kind != TT_LANE_THREAD) {
        row++;
    }
    if (row < r->count) {
        take_row(ws, &r->rows[row]);
    }
}

bool tt_threads_settled(const struct tt_workspace *ws, const struct tt_threads_view *v)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    bool orders =
        v->order_pending && ws->index.progress.finished && t && !tt_timelines_provisional(t);
    bool hides = v->hide_idle && !tt_row_stats_complete(&v->numbers);
    return v->lanes.layout.columns == 0 || !(orders || hides || v->stale);
}

/* Keeps the cursor on the first or last row while the rows may still change. */
static void keep_end(struct tt_workspace *ws, struct tt_threads_view *v)
{
    const struct tt_lane_rows *r = &v->rows;
    if (v->end == 0 || r->count == 0) {
        return;
    }
    uint32_t at = v->end > 0 ? r->count - 1 : 0;
    const struct tt_lane_row *was = &v->end_row;
    bool left = was->thread != ws->nav.lane.thread || was->process != ws->nav.lane.process ||
                was->number != ws->nav.lane.number || was->kind != ws->nav.lane.kind;
    if (!left) {
        take_row(ws, &r->rows[at]);
        v->end_row = r->rows[at];
    }
    if (left || (ws->index.progress.finished && tt_threads_settled(ws, v) && tt_find_settled(ws))) {
        v->end = 0;
    }
}

/* Finds the cursor's row and keeps it on its line if the rows around it have changed. */
void tt_threads_place_cursor(struct tt_workspace *ws, struct tt_threads_view *v)
{
    struct tt_lane_rows *r = &v->rows;
    int height = v->lanes.layout.lanes_height;
    uint32_t pinned = r->pinned < (uint32_t)height / 2 ? r->pinned : (uint32_t)height / 2;
    uint32_t lines = (uint32_t)height - pinned, scrolled = r->count - r->pinned;
    if (!ws->nav.lane.chosen) {
        choose_first(ws, r);
    }
    keep_end(ws, v);
    const struct tt_lane_row like = cursor_row(ws);
    uint32_t at = tt_lane_rows_find(r, &like);
    if (at == UINT32_MAX) {
        at = v->at < r->count ? v->at : r->count > 0 ? r->count - 1 : 0;
        if (at < r->count && ws->nav.lane.thread == TT_NO_THREAD &&
            ws->nav.lane.process == UINT32_MAX && !r->flat && at + 1 < r->count) {
            at++; /* the first thread, not its process */
        }
    }
    bool shifted = at != v->at;
    v->at = at;
    if (at < r->count) {
        take_row(ws, &r->rows[at]);
    }
    if (at < r->pinned) {
        return;
    }
    uint32_t place = at - r->pinned;
    if (!v->placed) {
        /* Not scrolled by the user yet: start at the top, so that the position does not depend on
         * how much of the capture was indexed in the first frame. */
        v->top = 0;
        v->placed = v->ordered;
    } else if (shifted && v->at_line >= (int)pinned && place >= (uint32_t)v->at_line - pinned) {
        bool visible = place >= v->top && place < v->top + lines;
        v->top = visible ? v->top : place - ((uint32_t)v->at_line - pinned);
    }
    v->top = place < v->top ? place : v->top;
    v->top = place >= v->top + lines ? place - lines + 1 : v->top;
    v->top = v->top + lines > scrolled ? (scrolled > lines ? scrolled - lines : 0) : v->top;
}

/* Returns the row on a line of the lanes, or UINT32_MAX. */
uint32_t tt_threads_row_on_line(const struct tt_threads_view *v, int line)
{
    const struct tt_lane_rows *r = &v->rows;
    int height = v->lanes.layout.lanes_height;
    uint32_t pinned = r->pinned < (uint32_t)height / 2 ? r->pinned : (uint32_t)height / 2;
    uint32_t row =
        (uint32_t)line < pinned ? (uint32_t)line : r->pinned + v->top + ((uint32_t)line - pinned);
    return row < r->count ? row : UINT32_MAX;
}

void tt_threads_go_row(struct tt_workspace *ws, struct tt_threads_view *v, int64_t row)
{
    int64_t last = (int64_t)v->rows.count - 1;
    row = row > last ? last : row;
    row = row < 0 ? 0 : row;
    v->end = 0;
    v->placed = true;
    if (row < (int64_t)v->rows.count) {
        take_row(ws, &v->rows.rows[row]);
        ws->nav.lane.chosen = true;
    }
}

void tt_threads_go_end(struct tt_workspace *ws, struct tt_threads_view *v, bool last)
{
    tt_threads_go_row(ws, v, last ? INT64_MAX : 0);
    v->end = last ? 1 : -1;
    v->end_row = cursor_row(ws);
}
