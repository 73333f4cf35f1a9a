/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads/view: one lane per thread, grouped by process.
 *
 *       thread            pri   % ┼───────────┼───────────┼───────────┼───────────┼────
 *       system                 87 ████████▇▇▇▇████████████▇▇▇▇████████▃▃▃▃████████████▇
 *       ▾ sensor 90123         31
 *           1              10   3 ▒▒██────────▒▒▒▒▒▒▒▒████────────────▒▒██─────────────
 *      ▌    2 isr          45  28 ············██████████······•·······██·········██····
 *       ▸ io-blk 8 (4)          9 ████▒───────────────────────────────────────────████─
 *
 * A frame computes only the visible lanes; what needs all threads (the order, the shares of the
 * processes) is computed in the background.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracetui/event_line.h"
#include "tui/app/view.h"
#include "tui/lanes/own.h"
#include "tui/lanes/pointer.h"
#include "tui/lanes/status.h"
#include "tui/views/threads/view.h"

#define NAME_BYTES 256

static void *threads_view_open(void)
{
    struct tt_threads_view *threads_view = calloc(1, sizeof *threads_view);
    struct tt_args *args = calloc(1, sizeof *args);
    if (!threads_view || !args) {
        free(threads_view);
        free(args);
        return NULL;
    }
    threads_view->args = args;
    threads_view->stale = true;
    threads_view->order_pending = true;
    return threads_view;
}

static void free_all(struct tt_threads_view *view)
{
    tt_lanes_free(&view->lanes);
    tt_lane_rows_free(&view->rows);
    tt_row_stats_free(&view->numbers);
    tt_row_stats_free(&view->order_numbers);
    tt_lane_groups_free(&view->groups);
    tt_lane_cache_free(&view->cache);
    free(view->cells);
}

static void threads_view_close(void *state)
{
    struct tt_threads_view *view = state;
    if (view) {
        free_all(view);
        free(view->args);
        free(view);
    }
}

/* Resets the view for the next capture; keeps the settings for sorting and hiding. */
static void threads_view_renew(void *state)
{
    struct tt_threads_view *view = state;
    struct tt_threads_view fresh = {.args = view->args,
                                    .sort = view->sort,
                                    .reverse = view->reverse,
                                    .hide_idle = view->hide_idle,
                                    .stale = true,
                                    .order_pending = true};
    free_all(view);
    *view = fresh;
}

/* ---- drawing ------------------------------------------------------------------------------- */

static void write_process(const struct tt_workspace *ws, uint32_t process, struct tt_text *text)
{
    uint32_t threads = tt_process_at(ws->opened.capture, process)->threads;
    tt_lanes_process_text(ws, process, true, text);
    tt_text_str(text, ", ");
    tt_text_u64(text, threads);
    tt_text_str(text, threads == 1 ? " thread" : " threads");
}

static void write_under_cursor(const struct tt_workspace *ws, const struct tt_threads_view *view,
                               struct tt_area area)
{
    const struct tt_lane_row *row = view->at < view->rows.count ? &view->rows.rows[view->at] : NULL;
    char name[NAME_BYTES], buffer[NAME_BYTES * 2], more[NAME_BYTES * 2];
    struct tt_text who = tt_text_of(name, sizeof name);
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_text second = tt_text_of(more, sizeof more);
    if (!row) {
        tt_draw(area, 1, view->lanes.layout.status, area.width - 2, TT_ROLE_DIM, "no lane");
        return;
    }
    switch (row->kind) {
    case TT_LANE_THREAD:
        tt_partner_text(ws, &view->partner, row->thread, &text);
        tt_lanes_status_thread(ws, &view->lanes, area, row->thread, &view->states, &text);
        return;
    case TT_LANE_PROCESS:
        write_process(ws, row->process, &who);
        break;
    case TT_LANE_CAPTURE:
        tt_lanes_capture_text(ws, row->number, &who);
        break;
    case TT_LANE_SLICES:
        if (row->thread != TT_NO_THREAD) {
            tt_line_thread(&who, ws->opened.capture, row->thread);
        }
        tt_lanes_status_slice(ws, row, &text, &second);
        break;
    default:
        tt_lanes_series_text(ws, row->number, &who);
        tt_lanes_status_counter(ws, row->number, &text, &second);
        break;
    }
    tt_lanes_status_lines(ws, &view->lanes, area, &who, &text, &second);
}

static bool threads_view_prepare(struct tt_workspace *ws, struct tt_threads_view *view,
                                 const struct tt_timelines *timelines)
{
    const struct tt_viewport *viewport = &ws->nav.viewport;
    unsigned columns = (unsigned)view->lanes.layout.columns;
    if (columns > view->cell_room) {
        union tt_any_cell *cells = realloc(view->cells, columns * sizeof *cells);
        if (!cells) {
            return false;
        }
        view->cells = cells;
        view->cell_room = columns;
    }
    struct tt_lane_cache_key key = {.from = viewport->from,
                                    .to = viewport->to,
                                    .end = tt_timelines_end(timelines),
                                    .rows = ws->index.rows,
                                    .number = tt_timelines_number(timelines),
                                    .columns = columns};
    if (ws->nav.lane.sequence && view->lanes.event_count > 0) {
        key.events = view->lanes.event_count;
        key.from = view->lanes.events[0].pos;
        key.to = view->lanes.events[key.events - 1].pos;
    }
    view->filled = 0;
    return tt_lane_cache_begin(&view->cache, &key) && tt_threads_ask_numbers(ws, view, timelines) &&
           tt_lane_groups_begin(&view->groups, timelines, ws->opened.capture, view->lanes.edges,
                                columns);
}

static void threads_view_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct tt_threads_view *view = state;
    view->gutter = tt_lanes_gutter_of(area.width);
    tt_lanes_place(&view->lanes.layout, area, view->gutter.width);
    tt_lanes_place_own(ws, &view->lanes.layout);
    if (!tt_lanes_ready(ws, &view->lanes, &view->why)) {
        return;
    }
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    if (!threads_view_prepare(ws, view, timelines)) {
        view->why = "out of memory";
        return;
    }
    tt_threads_make_rows(ws, view, timelines);
    tt_threads_place_cursor(ws, view);
    for (int line = 0; line < view->lanes.layout.lanes_height; line++) {
        view->at_line = tt_threads_row_on_line(view, line) == view->at ? line : view->at_line;
    }
    tt_partner_at_cursor(ws, &view->lanes, &view->partner);
    const struct tt_lane_row *row = view->at < view->rows.count ? &view->rows.rows[view->at] : NULL;
    bool thread = row && row->kind == TT_LANE_THREAD;
    tt_state_list_ask(ws, &view->states, thread ? row->thread : TT_NO_THREAD,
                      thread ? tt_lanes_status_rows(&view->lanes) : 0);
}

static bool threads_view_fill(struct tt_workspace *ws, void *state)
{
    struct tt_threads_view *view = state;
    if (view->why) {
        return false;
    }
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    bool known = tt_row_stats_complete(&view->numbers);
    tt_row_stats_work(&view->numbers, timelines, tt_term_share(&ws->term, 3));
    tt_row_stats_add_up(&view->numbers, ws->opened.capture);
    if (!known && tt_row_stats_complete(&view->numbers) &&
        (view->order_pending || view->hide_idle)) {
        return true;
    }
    tt_threads_fill_rows(ws, view, timelines, tt_term_share(&ws->term, 1));
    tt_partner_work(timelines, &view->partner, tt_term_share(&ws->term, 3));
    tt_state_list_work(ws, &view->states, view->args, tt_term_share(&ws->term, 2));
    tt_lanes_fill_top(ws, &view->lanes);
    return false;
}

static void threads_view_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_threads_view *view = state;
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    const struct tt_lanes_layout *layout = &view->lanes.layout;
    if (view->why) {
        tt_draw(area, 1, 1, area.width - 1, TT_ROLE_DIM, view->why);
        return;
    }
    tt_lanes_gutter_heads(area, &view->gutter, layout->axis);
    for (int line = 0; line < layout->lanes_height; line++) {
        uint32_t row = tt_threads_row_on_line(view, line);
        if (row == UINT32_MAX) {
            break;
        }
        tt_threads_draw_row(ws, view, timelines, area, layout->lanes + line, row);
    }
    tt_lanes_draw_top(ws, &view->lanes, area);
    tt_lanes_draw_own(ws, &view->lanes, area);
    if (layout->legend >= 0) {
        tt_threads_draw_legend(ws, view, area, layout->legend);
    }
    write_under_cursor(ws, view, area);
}

static bool threads_view_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    struct tt_threads_view *view = state;
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    uint64_t deadline = tt_now_ns() + budget_ns;
    return !timelines || view->lanes.layout.columns == 0 ||
           (tt_threads_fill_rows(ws, view, timelines, deadline) &&
            tt_partner_work(timelines, &view->partner, deadline) &&
            tt_state_list_work(ws, &view->states, view->args, deadline) &&
            tt_lanes_work(&view->lanes, deadline) && tt_lane_groups_work(&view->groups, deadline) &&
            tt_row_stats_work(&view->numbers, timelines, deadline) &&
            (!view->order_other_window ||
             tt_row_stats_work(&view->order_numbers, timelines, deadline)));
}

static bool threads_view_settled(const struct tt_workspace *ws, const void *state)
{
    return tt_threads_settled(ws, state);
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool threads_view_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    return tt_threads_act(ws, state, action);
}

static bool threads_view_dismiss(struct tt_workspace *ws, void *state)
{
    (void)state;
    return tt_lanes_clear_selection(&ws->nav);
}

static void threads_view_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct tt_threads_view *view = state;
    const struct tt_lanes_layout *layout = &view->lanes.layout;
    if (y >= layout->lanes && y < layout->lanes + layout->lanes_height) {
        uint32_t row = tt_threads_row_on_line(view, y - layout->lanes);
        if (row != UINT32_MAX) {
            tt_threads_go_row(ws, view, row);
        }
    }
    tt_lanes_press(ws, &view->lanes, x, y);
}

static void view_drag(struct tt_workspace *ws, void *state, const struct tt_drag *drag)
{
    struct tt_threads_view *view = state;
    tt_lanes_drag(ws, &view->lanes, drag);
}

static void view_zoom(struct tt_workspace *ws, void *state, int x, bool in)
{
    struct tt_threads_view *view = state;
    tt_lanes_zoom_at(ws, &view->lanes, x, in);
}

static void threads_view_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_interval interval;
    (void)state;
    (void)all;
    if (!timelines || ws->nav.lane.thread == TT_NO_THREAD ||
        !tt_lane_at(timelines, ws->nav.lane.thread, ws->nav.viewport.at, &interval)) {
        return;
    }
    tt_lanes_status_time(ws, text);
    tt_text_str(text, "  ");
    tt_line_thread(text, ws->opened.capture, ws->nav.lane.thread);
    tt_text_str(text, "  ");
    tt_lanes_status_interval(ws, &interval, ws->nav.viewport.at, text);
}

static const enum tt_do offers[] = {
    TT_DO_HELP,        TT_DO_ASK,     TT_DO_ZOOM_IN,        TT_DO_ZOOM_OUT,   TT_DO_LANE_LEFT,
    TT_DO_LANE_RIGHT,  TT_DO_WHY,     TT_DO_STATE_PREVIOUS, TT_DO_STATE_NEXT, TT_DO_SWITCH_PREVIOUS,
    TT_DO_SWITCH_NEXT, TT_DO_GO,      TT_DO_SORT,           TT_DO_FOLD,       TT_DO_HIDE_IDLE,
    TT_DO_PIN,         TT_DO_SELECT,  TT_DO_AXIS,           TT_DO_ZOOM_ALL,   TT_DO_MARK,
    TT_DO_QUIT,        TT_DO_NOTHING,
};

/* ---- sessions ----------------------------------------------------------------------------- */

static void remember_row(struct tt_text *text, const char *word, uint64_t number, uint64_t id)
{
    tt_text_str(text, word);
    tt_text_char(text, ' ');
    tt_text_u64(text, number);
    tt_text_char(text, ' ');
    tt_text_u64(text, id);
    tt_text_char(text, '\n');
}

/* Table indices are stable for the same bytes; the stored ids detect a different capture. */
static void threads_view_remember(const struct tt_workspace *ws, const void *state,
                                  struct tt_text *text)
{
    const struct tt_threads_view *view = state;
    const struct tt_capture *capture = ws->opened.capture;
    remember_row(text, "lanes", view->sort * 2u + view->reverse, view->hide_idle);
    for (uint32_t i = 0; i < tt_process_count(capture); i++) {
        if (tt_lane_rows_folded(&view->rows, i)) {
            remember_row(text, "fold", i, tt_process_at(capture, i)->pid);
        }
    }
    for (uint32_t i = 0; i < tt_thread_count(capture); i++) {
        if (tt_lane_rows_is_pinned(&view->rows, i)) {
            remember_row(text, "pin", i, tt_thread_at(capture, i)->tid);
        }
        if (tt_lane_rows_slices_folded(&view->rows, i)) {
            remember_row(text, "unslice", i, tt_thread_at(capture, i)->tid);
        }
    }
}

static void threads_view_recall(struct tt_workspace *ws, void *state, const char *word,
                                uint64_t number, uint64_t id)
{
    struct tt_threads_view *view = state;
    const struct tt_capture *capture = ws->opened.capture;
    if (strcmp(word, "fold") == 0 && number < tt_process_count(capture) &&
        tt_process_at(capture, (uint32_t)number)->pid == id) {
        tt_lane_rows_fold(&view->rows, (uint32_t)number, true);
        view->stale = true;
    } else if (strcmp(word, "pin") == 0 && number < tt_thread_count(capture) &&
               tt_thread_at(capture, (uint32_t)number)->tid == id) {
        tt_lane_rows_pin(&view->rows, (uint32_t)number, true);
        view->stale = true;
    } else if (strcmp(word, "unslice") == 0 && number < tt_thread_count(capture) &&
               tt_thread_at(capture, (uint32_t)number)->tid == id) {
        tt_lane_rows_fold_slices(&view->rows, (uint32_t)number, true);
        view->stale = true;
    } else if (strcmp(word, "lanes") == 0 && number < TT_LANES_SORT_COUNT * 2u) {
        view->sort = (enum tt_lanes_sort)(number / 2);
        view->reverse = number % 2 != 0;
        view->hide_idle = id != 0;
        view->order_pending = true;
        view->order_set = false;
        view->stale = true;
    }
}

/* ---- places of the history ------------------------------------------------------------------ */

static void threads_view_leave(const struct tt_workspace *ws, const void *state,
                               struct tt_spot *spot)
{
    const struct tt_threads_view *view = state;
    (void)ws;
    spot->numbers[0] = view->top;
    spot->numbers[1] = view->at;
    spot->numbers[2] = (uint64_t)(view->at_line > 0 ? view->at_line : 0);
    spot->numbers[3] = view->sort * 2u + view->reverse;
    spot->numbers[4] = view->hide_idle;
    spot->numbers[5] = view->placed;
    spot->numbers[6] = view->order_all;
    spot->numbers[7] = view->order_from;
    spot->numbers[8] = view->order_to;
}

static void threads_view_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    struct tt_threads_view *view = state;
    const uint64_t order = spot->numbers[3], *numbers = spot->numbers;
    (void)ws;
    view->top = (uint32_t)numbers[0];
    view->at = (uint32_t)numbers[1];
    view->at_line = numbers[2] < INT16_MAX ? (int)numbers[2] : 0;
    view->placed = numbers[5] != 0;
    view->end = 0;
    view->stale |= view->hide_idle != (numbers[4] != 0);
    view->hide_idle = numbers[4] != 0;
    if (order < TT_LANES_SORT_COUNT * 2u && order != view->sort * 2u + view->reverse) {
        view->sort = (enum tt_lanes_sort)(order / 2);
        view->reverse = order % 2 != 0;
        view->order_pending = view->order_set = true;
        view->order_all = numbers[6] != 0;
        view->order_from = numbers[7];
        view->order_to = numbers[8];
    }
}

static const char *const about[] = {
    "One lane per thread over time. On top: load, visible range in [ ].",
    TT_LANE_LEGEND,
    "pri: the priority at the cursor; %: run time in the visible range. . , states.",
    NULL,
};

static const struct tt_verb verbs[] = {
    {TT_DO_GO, "event", "show the event under the cursor in Events"},
    {TT_DO_SORT, "sort", "sort by run, switches, delay, name or number (visible range)"},
    {TT_DO_NOTHING, NULL, NULL},
};

const struct tt_view tt_view_threads = {
    .about = about,
    .open = threads_view_open,
    .close = threads_view_close,
    .layout = threads_view_layout,
    .fill = threads_view_fill,
    .draw = threads_view_draw,
    .act = threads_view_act,
    .click = threads_view_click,
    .drag = view_drag,
    .zoom = view_zoom,
    .copy = threads_view_copy,
    .dismiss = threads_view_dismiss,
    .footer = offers,
    .verbs = verbs,
    .renew = threads_view_renew,
    .remember = threads_view_remember,
    .recall = threads_view_recall,
    .leave = threads_view_leave,
    .resume = threads_view_resume,
    .work = threads_view_work,
    .settled = threads_view_settled,
};
