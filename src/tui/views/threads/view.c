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
#include "tui/lanes/pointer.h"
#include "tui/lanes/status.h"
#include "tui/views/threads/view.h"

#define NAME_BYTES 256

static void *view_open(void)
{
    struct tt_threads_view *v = calloc(1, sizeof *v);
    struct tt_args *args = calloc(1, sizeof *args);
    if (!v || !args) {
        free(v);
        free(args);
        return NULL;
    }
    v->args = args;
    v->stale = true;
    v->order_pending = true;
    return v;
}

static void free_all(struct tt_threads_view *v)
{
    tt_lanes_free(&v->lanes);
    tt_lane_rows_free(&v->rows);
    tt_row_stats_free(&v->numbers);
    tt_row_stats_free(&v->order_numbers);
    tt_lane_groups_free(&v->groups);
    tt_lane_cache_free(&v->cache);
    free(v->cells);
}

static void view_close(void *state)
{
    struct tt_threads_view *v = state;
    if (v) {
        free_all(v);
        free(v->args);
        free(v);
    }
}

/* Resets the view for the next capture; keeps the settings for sorting and hiding. */
static void view_renew(void *state)
{
    struct tt_threads_view *v = state;
    struct tt_threads_view fresh = {.args = v->args,
                                    .sort = v->sort,
                                    .reverse = v->reverse,
                                    .hide_idle = v->hide_idle,
                                    .stale = true,
                                    .order_pending = true};
    free_all(v);
    *v = fresh;
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

static void write_under_cursor(const struct tt_workspace *ws, const struct tt_threads_view *v,
                               struct tt_area area)
{
    const struct tt_lane_row *row = v->at < v->rows.count ? &v->rows.rows[v->at] : NULL;
    char name[NAME_BYTES], buffer[NAME_BYTES * 2], more[NAME_BYTES * 2];
    struct tt_text who = tt_text_of(name, sizeof name);
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_text second = tt_text_of(more, sizeof more);
    if (!row) {
        tt_draw(area, 1, v->lanes.layout.status, area.width - 2, TT_ROLE_DIM, "no lane");
        return;
    }
    switch (row->kind) {
    case TT_LANE_THREAD:
        tt_partner_text(ws, &v->partner, row->thread, &text);
        tt_lanes_status_thread(ws, &v->lanes, area, row->thread, &v->states, &text);
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
    tt_lanes_status_lines(ws, &v->lanes, area, &who, &text, &second);
}

static bool prepare(struct tt_workspace *ws, struct tt_threads_view *v,
                    const struct tt_timelines *t)
{
    const struct tt_viewport *w = &ws->nav.viewport;
    unsigned columns = (unsigned)v->lanes.layout.columns;
    if (columns > v->cell_room) {
        union tt_any_cell *cells = realloc(v->cells, columns * sizeof *cells);
        if (!cells) {
            return false;
        }
        v->cells = cells;
        v->cell_room = columns;
    }
    struct tt_lane_cache_key key = {.from = w->from,
                                    .to = w->to,
                                    .end = tt_timelines_end(t),
                                    .rows = ws->index.rows,
                                    .number = tt_timelines_number(t),
                                    .columns = columns};
    if (ws->nav.lane.sequence && v->lanes.event_count > 0) {
        key.events = v->lanes.event_count;
        key.from = v->lanes.events[0].pos;
        key.to = v->lanes.events[key.events - 1].pos;
    }
    v->filled = 0;
    return tt_lane_cache_begin(&v->cache, &key) && tt_threads_ask_numbers(ws, v, t) &&
           tt_lane_groups_begin(&v->groups, t, ws->opened.capture, v->lanes.edges, columns);
}

static void view_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct tt_threads_view *v = state;
    v->gutter = tt_lanes_gutter_of(area.width);
    tt_lanes_place(&v->lanes.layout, area, v->gutter.width);
    if (!tt_lanes_ready(ws, &v->lanes, &v->why)) {
        return;
    }
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    if (!prepare(ws, v, t)) {
        v->why = "out of memory";
        return;
    }
    tt_threads_make_rows(ws, v, t);
    tt_threads_place_cursor(ws, v);
    for (int line = 0; line < v->lanes.layout.lanes_height; line++) {
        v->at_line = tt_threads_row_on_line(v, line) == v->at ? line : v->at_line;
    }
    tt_partner_at_cursor(ws, &v->lanes, &v->partner);
    const struct tt_lane_row *row = v->at < v->rows.count ? &v->rows.rows[v->at] : NULL;
    bool thread = row && row->kind == TT_LANE_THREAD;
    tt_state_list_ask(ws, &v->states, thread ? row->thread : TT_NO_THREAD,
                      thread ? tt_lanes_status_rows(&v->lanes) : 0);
}

static bool view_fill(struct tt_workspace *ws, void *state)
{
    struct tt_threads_view *v = state;
    if (v->why) {
        return false;
    }
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    bool known = tt_row_stats_complete(&v->numbers);
    tt_row_stats_work(&v->numbers, t, tt_term_share(&ws->term, 3));
    tt_row_stats_add_up(&v->numbers, ws->opened.capture);
    if (!known && tt_row_stats_complete(&v->numbers) && (v->order_pending || v->hide_idle)) {
        return true;
    }
    tt_threads_fill_rows(ws, v, t, tt_term_share(&ws->term, 1));
    tt_partner_work(t, &v->partner, tt_term_share(&ws->term, 3));
    tt_state_list_work(ws, &v->states, v->args, tt_term_share(&ws->term, 2));
    tt_lanes_fill_top(ws, &v->lanes);
    return false;
}

static void view_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_threads_view *v = state;
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    const struct tt_lanes_layout *l = &v->lanes.layout;
    if (v->why) {
        tt_draw(area, 1, 1, area.width - 1, TT_ROLE_DIM, v->why);
        return;
    }
    tt_lanes_gutter_heads(area, &v->gutter, l->axis);
    for (int line = 0; line < l->lanes_height; line++) {
        uint32_t row = tt_threads_row_on_line(v, line);
        if (row == UINT32_MAX) {
            break;
        }
        tt_threads_draw_row(ws, v, t, area, l->lanes + line, row);
    }
    tt_lanes_draw_top(ws, &v->lanes, area);
    if (l->legend >= 0) {
        int width = tt_lanes_draw_scale(ws, &v->lanes, area, l->legend);
        tt_threads_draw_legend(ws, v, area, l->legend, width - 1);
    }
    write_under_cursor(ws, v, area);
}

static bool view_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    struct tt_threads_view *v = state;
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    uint64_t deadline = tt_now_ns() + budget_ns;
    return !t || v->lanes.layout.columns == 0 ||
           (tt_threads_fill_rows(ws, v, t, deadline) && tt_partner_work(t, &v->partner, deadline) &&
            tt_state_list_work(ws, &v->states, v->args, deadline) &&
            tt_lanes_work(&v->lanes, deadline) && tt_lane_groups_work(&v->groups, deadline) &&
            tt_row_stats_work(&v->numbers, t, deadline) &&
            (!v->order_other_window || tt_row_stats_work(&v->order_numbers, t, deadline)));
}

static bool view_settled(const struct tt_workspace *ws, const void *state)
{
    return tt_threads_settled(ws, state);
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool view_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    return tt_threads_act(ws, state, action);
}

static bool view_dismiss(struct tt_workspace *ws, void *state)
{
    (void)state;
    return tt_lanes_clear_selection(&ws->nav);
}

static void view_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct tt_threads_view *v = state;
    const struct tt_lanes_layout *l = &v->lanes.layout;
    if (y >= l->lanes && y < l->lanes + l->lanes_height) {
        uint32_t row = tt_threads_row_on_line(v, y - l->lanes);
        if (row != UINT32_MAX) {
            tt_threads_go_row(ws, v, row);
        }
    }
    tt_lanes_press(ws, &v->lanes, x, y);
}

static void view_drag(struct tt_workspace *ws, void *state, const struct tt_drag *drag)
{
    struct tt_threads_view *v = state;
    tt_lanes_drag(ws, &v->lanes, drag);
}

static void view_zoom(struct tt_workspace *ws, void *state, int x, bool in)
{
    struct tt_threads_view *v = state;
    tt_lanes_zoom_at(ws, &v->lanes, x, in);
}

static void view_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    const struct tt_timelines *t = tt_trace_timelines(ws->opened.trace);
    struct tt_interval interval;
    (void)state;
    (void)all;
    if (!t || ws->nav.lane.thread == TT_NO_THREAD ||
        !tt_lane_at(t, ws->nav.lane.thread, ws->nav.viewport.at, &interval)) {
        return;
    }
    tt_lanes_status_time(ws, text);
    tt_text_str(text, "  ");
    tt_line_thread(text, ws->opened.capture, ws->nav.lane.thread);
    tt_text_str(text, "  ");
    tt_lanes_status_interval(ws, &interval, ws->nav.viewport.at, text);
}

static const enum tt_do offers[] = {
    TT_DO_HELP,
    TT_DO_ASK,
    TT_DO_ZOOM_IN,
    TT_DO_ZOOM_OUT,
    TT_DO_LANE_LEFT,
    TT_DO_LANE_RIGHT,
    TT_DO_STATE_PREVIOUS,
    TT_DO_STATE_NEXT,
    TT_DO_SWITCH_PREVIOUS,
    TT_DO_SWITCH_NEXT,
    TT_DO_WHY,
    TT_DO_GO,
    TT_DO_SORT,
    TT_DO_FOLD,
    TT_DO_HIDE_IDLE,
    TT_DO_PIN,
    TT_DO_SELECT,
    TT_DO_AXIS,
    TT_DO_ZOOM_ALL,
    TT_DO_MARK,
    TT_DO_QUIT,
    TT_DO_NOTHING,
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
static void view_remember(const struct tt_workspace *ws, const void *state, struct tt_text *text)
{
    const struct tt_threads_view *v = state;
    const struct tt_capture *c = ws->opened.capture;
    remember_row(text, "lanes", v->sort * 2u + v->reverse, v->hide_idle);
    for (uint32_t i = 0; i < tt_process_count(c); i++) {
        if (tt_lane_rows_folded(&v->rows, i)) {
            remember_row(text, "fold", i, tt_process_at(c, i)->pid);
        }
    }
    for (uint32_t i = 0; i < tt_thread_count(c); i++) {
        if (tt_lane_rows_is_pinned(&v->rows, i)) {
            remember_row(text, "pin", i, tt_thread_at(c, i)->tid);
        }
        if (tt_lane_rows_slices_folded(&v->rows, i)) {
            remember_row(text, "unslice", i, tt_thread_at(c, i)->tid);
        }
    }
}

static void view_recall(struct tt_workspace *ws, void *state, const char *word, uint64_t number,
                        uint64_t id)
{
    struct tt_threads_view *v = state;
    const struct tt_capture *c = ws->opened.capture;
    if (strcmp(word, "fold") == 0 && number < tt_process_count(c) &&
        tt_process_at(c, (uint32_t)number)->pid == id) {
        tt_lane_rows_fold(&v->rows, (uint32_t)number, true);
        v->stale = true;
    } else if (strcmp(word, "pin") == 0 && number < tt_thread_count(c) &&
               tt_thread_at(c, (uint32_t)number)->tid == id) {
        tt_lane_rows_pin(&v->rows, (uint32_t)number, true);
        v->stale = true;
    } else if (strcmp(word, "unslice") == 0 && number < tt_thread_count(c) &&
               tt_thread_at(c, (uint32_t)number)->tid == id) {
        tt_lane_rows_fold_slices(&v->rows, (uint32_t)number, true);
        v->stale = true;
    } else if (strcmp(word, "lanes") == 0 && number < TT_LANES_SORT_COUNT * 2u) {
        v->sort = (enum tt_lanes_sort)(number / 2);
        v->reverse = number % 2 != 0;
        v->hide_idle = id != 0;
        v->order_pending = true;
        v->order_set = false;
        v->stale = true;
    }
}

/* ---- places of the history ------------------------------------------------------------------ */

static void view_leave(const struct tt_workspace *ws, const void *state, struct tt_spot *spot)
{
    const struct tt_threads_view *v = state;
    (void)ws;
    spot->numbers[0] = v->top;
    spot->numbers[1] = v->at;
    spot->numbers[2] = (uint64_t)(v->at_line > 0 ? v->at_line : 0);
    spot->numbers[3] = v->sort * 2u + v->reverse;
    spot->numbers[4] = v->hide_idle;
    spot->numbers[5] = v->placed;
    spot->numbers[6] = v->order_all;
    spot->numbers[7] = v->order_from;
    spot->numbers[8] = v->order_to;
}

static void view_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    struct tt_threads_view *v = state;
    const uint64_t order = spot->numbers[3], *numbers = spot->numbers;
    (void)ws;
    v->top = (uint32_t)numbers[0];
    v->at = (uint32_t)numbers[1];
    v->at_line = numbers[2] < INT16_MAX ? (int)numbers[2] : 0;
    v->placed = numbers[5] != 0;
    v->end = 0;
    v->stale |= v->hide_idle != (numbers[4] != 0);
    v->hide_idle = numbers[4] != 0;
    if (order < TT_LANES_SORT_COUNT * 2u && order != v->sort * 2u + v->reverse) {
        v->sort = (enum tt_lanes_sort)(order / 2);
        v->reverse = order % 2 != 0;
        v->order_pending = v->order_set = true;
        v->order_all = numbers[6] != 0;
        v->order_from = numbers[7];
        v->order_to = numbers[8];
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
    .open = view_open,
    .close = view_close,
    .layout = view_layout,
    .fill = view_fill,
    .draw = view_draw,
    .act = view_act,
    .click = view_click,
    .drag = view_drag,
    .zoom = view_zoom,
    .copy = view_copy,
    .dismiss = view_dismiss,
    .footer = offers,
    .verbs = verbs,
    .renew = view_renew,
    .remember = view_remember,
    .recall = view_recall,
    .leave = view_leave,
    .resume = view_resume,
    .work = view_work,
    .settled = view_settled,
};
