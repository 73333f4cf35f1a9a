/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads: a lane a thread, grouped by process.
 *
 *       thread            pri   % ┼───────────┼───────────┼───────────┼───────────┼────
 *       system                 87 ████████▇▇▇▇████████████▇▇▇▇████████▃▃▃▃████████████▇
 *       ▾ sensor 90123         31
 *           1              10   3 ▒▒██────────▒▒▒▒▒▒▒▒████────────────▒▒██─────────────
 *      ▌    2 isr          45  28 ············██████████······•·······██·········██····
 *       ▸ io-blk 8 (4)          9 ████▒───────────────────────────────────────────████─
 *
 * Only the lanes that can be seen are worked out for a picture, and at once; what needs all
 * threads (the order, the processes' shares) goes on behind it.
 */
#include <stdlib.h>
#include <string.h>

#include "tracetui/line.h"
#include "tui/lanes_counters.h"
#include "tui/lanes_groups.h"
#include "tui/lanes_gutter.h"
#include "tui/lanes_notes.h"
#include "tui/lanes_say.h"
#include "tui/lanes_slices.h"

#define NAME_BYTES 256

union tt_any_cell {
    struct tt_thread_cell thread;
    struct tt_slice_cell slice;
    struct tt_counter_range counter;
};

struct threads_view {
    struct tt_lanes_view lanes;
    struct tt_lane_rows rows;
    struct tt_lane_numbers numbers; /* of the window */
    struct tt_lane_groups groups;   /* lanes of folded processes */
    enum tt_lanes_sort sort;
    bool reverse;
    bool hide_idle;
    bool stale;                  /* the rows are to be made again */
    bool order_asked;            /* and put in order, when the numbers are there */
    bool ordered;                /* they were once, with the whole capture indexed */
    uint32_t threads, processes; /* there were, when the rows were made */
    uint64_t from, to;           /* the window, when they were made */
    unsigned owners;             /* and which lanes the filters left */
    uint32_t top;                /* row of the first line below the pinned ones */
    uint32_t at;                 /* the cursor's row */
    int at_line;                 /* and its line on the screen when drawn last */
    uint64_t slices;             /* and slices and counters */
    uint32_t series;
    union tt_any_cell *cells; /* of a lane, whatever it shows */
    unsigned cell_room;
    uint32_t classes; /* a bit each: to be seen in the picture */
    bool any_many, any_slices, any_notes;
    struct tt_args args;
};

static void *view_open(void)
{
    struct threads_view *v = calloc(1, sizeof *v);
    if (v) {
        v->stale = true;
        v->order_asked = true;
    }
    return v;
}

static void free_all(struct threads_view *v)
{
    tt_lanes_free(&v->lanes);
    tt_lane_rows_free(&v->rows);
    tt_lane_numbers_free(&v->numbers);
    tt_lane_groups_free(&v->groups);
    free(v->cells);
}

static void view_close(void *state)
{
    if (state) {
        free_all(state);
        free(state);
    }
}

/* What was ordered, hidden and reversed stays a wish for the next capture. */
static void view_renew(void *state)
{
    struct threads_view *v = state;
    struct threads_view fresh = {.sort = v->sort,
                                 .reverse = v->reverse,
                                 .hide_idle = v->hide_idle,
                                 .stale = true,
                                 .order_asked = true};
    free_all(v);
    *v = fresh;
}

/* ---- rows --------------------------------------------------------------------------------- */

struct shown {
    const struct tt_app *app;
    const struct threads_view *v;
};

/* Lanes that the filters leave; where idle ones are hidden, those that run or have slices in the
 * window, and the cursor's. */
static bool is_shown(void *arg, uint32_t thread)
{
    const struct shown *s = arg;
    return tt_shown_thread(s->app, thread) &&
           (!s->v->hide_idle || thread == s->app->lane.thread || thread >= s->v->numbers.count ||
            s->v->numbers.threads[thread].ran || tt_lanes_has_slices(s->app, thread));
}

/* Puts the lanes in order as soon as what they are ordered by is known. */
static void put_in_order(struct tt_app *app, struct threads_view *v, const struct tt_timelines *t)
{
    bool needs = tt_lanes_sort_needs_numbers(v->sort);
    bool final = app->progress.finished && !tt_timelines_provisional(t);
    if (v->threads != tt_thread_count(app->opened.capture) && !v->ordered) {
        tt_lane_rows_order(&v->rows, app->opened.capture, TT_LANES_BY_NUMBER, false, NULL);
        v->stale = true;
    }
    if (!v->order_asked || !final || (needs && !tt_lane_numbers_complete(&v->numbers))) {
        return;
    }
    if (!tt_lane_rows_order(&v->rows, app->opened.capture, v->sort, v->reverse, &v->numbers)) {
        tt_app_say(app, TT_ROLE_ERROR, "out of memory");
    }
    v->order_asked = false;
    v->ordered = true;
    v->stale = true;
}

static void make_rows(struct tt_app *app, struct threads_view *v, const struct tt_timelines *t)
{
    uint32_t threads = tt_thread_count(app->opened.capture),
             processes = tt_process_count(app->opened.capture);
    const struct tt_viewport *w = &app->viewport;
    bool moved = (v->hide_idle && (v->from != w->from || v->to != w->to)) ||
                 v->owners != tt_shown_owners_version(app);
    put_in_order(app, v, t);
    if (v->hide_idle && !tt_lane_numbers_complete(&v->numbers)) {
        return; /* who runs is not known yet: the rows stay as they are until it is */
    }
    bool more = v->slices != tt_slices_total(t) || v->series != tt_counter_series(t);
    if (v->stale || moved || more || v->threads != threads || v->processes != processes) {
        struct shown shown = {app, v};
        v->from = w->from;
        v->to = w->to;
        v->owners = tt_shown_owners_version(app);
        v->threads = threads;
        v->processes = processes;
        v->slices = tt_slices_total(t);
        v->series = tt_counter_series(t);
        v->stale = !tt_lane_rows_make(&v->rows, app->opened.capture, t, is_shown, &shown);
    }
}

static void take_row(struct tt_app *app, const struct tt_lane_row *row)
{
    app->lane.thread = row->thread;
    app->lane.process = row->process;
    app->lane.number = row->number;
    app->lane.kind = row->kind;
}

/* Until the person chooses, it is the first thread, whatever the order is. */
static void choose_first(struct tt_app *app, const struct tt_lane_rows *r)
{
    uint32_t row = 0;
    while (row + 1 < r->count && r->rows[row].kind != TT_LANE_THREAD) {
        row++;
    }
    if (row < r->count) {
        take_row(app, &r->rows[row]);
    }
}

/* Finds the cursor's row, and keeps it on its line where the rows around it have changed. */
static void place_cursor(struct tt_app *app, struct threads_view *v)
{
    struct tt_lane_rows *r = &v->rows;
    int height = v->lanes.layout.lanes_height;
    uint32_t pinned = r->pinned < (uint32_t)height / 2 ? r->pinned : (uint32_t)height / 2;
    uint32_t lines = (uint32_t)height - pinned, scrolled = r->count - r->pinned;
    if (!app->lane.chosen) {
        choose_first(app, r);
    }
    const struct tt_lane_row like = {.thread = app->lane.thread,
                                     .process = app->lane.process,
                                     .number = app->lane.number,
                                     .kind = app->lane.kind};
    uint32_t at = tt_lane_rows_find(r, &like);
    if (at == UINT32_MAX) {
        at = v->at < r->count ? v->at : r->count > 0 ? r->count - 1 : 0;
        if (at < r->count && app->lane.thread == TT_NO_THREAD && app->lane.process == UINT32_MAX &&
            !r->flat && at + 1 < r->count) {
            at++; /* the first thread, not its process */
        }
    }
    bool shifted = at != v->at;
    v->at = at;
    if (at < r->count) {
        take_row(app, &r->rows[at]);
    }
    if (at < r->pinned) {
        return;
    }
    uint32_t place = at - r->pinned;
    if (shifted && v->at_line >= (int)pinned && place >= (uint32_t)v->at_line - pinned) {
        bool visible = place >= v->top && place < v->top + lines;
        v->top = visible ? v->top : place - ((uint32_t)v->at_line - pinned);
    }
    v->top = place < v->top ? place : v->top;
    v->top = place >= v->top + lines ? place - lines + 1 : v->top;
    v->top = v->top + lines > scrolled ? (scrolled > lines ? scrolled - lines : 0) : v->top;
}

/* The row on a line of the lanes, or UINT32_MAX. */
static uint32_t row_on_line(const struct threads_view *v, int line)
{
    const struct tt_lane_rows *r = &v->rows;
    int height = v->lanes.layout.lanes_height;
    uint32_t pinned = r->pinned < (uint32_t)height / 2 ? r->pinned : (uint32_t)height / 2;
    uint32_t row =
        (uint32_t)line < pinned ? (uint32_t)line : r->pinned + v->top + ((uint32_t)line - pinned);
    return row < r->count ? row : UINT32_MAX;
}

/* ---- lanes -------------------------------------------------------------------------------- */

static void draw_cell(struct tt_app *app, struct threads_view *v, struct tt_area area, int x, int y,
                      struct tt_lane_cell cell)
{
    tt_lanes_draw_cell(app, area, x, y, cell);
    v->classes |= 1u << cell.class_;
    v->any_many |= cell.many;
}

static void draw_sequence_lane(struct tt_app *app, struct threads_view *v,
                               const struct tt_timelines *t, struct tt_area area, int y,
                               uint32_t thread)
{
    for (uint32_t i = 0; i < v->lanes.event_count; i++) {
        const struct tt_event *event = &v->lanes.events[i];
        struct tt_interval interval;
        if (tt_lane_at(t, thread, event->ticks, &interval)) {
            struct tt_lane_cell cell = {.class_ = interval.class_};
            draw_cell(app, v, area, v->lanes.layout.gutter + (int)i, y, cell);
            if (event->thread == thread) {
                tt_draw_over(area, v->lanes.layout.gutter + (int)i, y, 1, TT_ROLE_OWN_EVENT);
            }
        }
    }
}

static void draw_thread_lane(struct tt_app *app, struct threads_view *v,
                             const struct tt_timelines *t, struct tt_area area, int y,
                             uint32_t thread)
{
    unsigned columns = (unsigned)v->lanes.layout.columns;
    if (app->lane.sequence) {
        draw_sequence_lane(app, v, t, area, y, thread);
        return;
    }
    struct tt_thread_cell *cells = &v->cells->thread;
    tt_thread_cells(t, thread, v->lanes.edges, columns, cells);
    for (unsigned i = 0; i < columns; i++) {
        draw_cell(app, v, area, v->lanes.layout.gutter + (int)i, y, tt_lane_cell_of(&cells[i]));
    }
}

static void draw_folded_lane(struct tt_app *app, struct threads_view *v, struct tt_area area, int y,
                             uint32_t process)
{
    unsigned columns = (unsigned)v->lanes.layout.columns;
    const struct tt_thread_cell *sums = NULL;
    if (!app->lane.sequence) {
        sums = tt_lane_groups_get(&v->groups, process, tt_monotonic_ns() + UINT64_C(1000000));
    }
    for (unsigned i = 0; sums && i < columns; i++) {
        uint64_t length = v->lanes.edges[i + 1] - v->lanes.edges[i];
        draw_cell(app, v, area, v->lanes.layout.gutter + (int)i, y,
                  tt_lane_cell_of_group(&sums[i], length));
    }
}

static void draw_row(struct tt_app *app, struct threads_view *v, const struct tt_timelines *t,
                     struct tt_area area, const struct tt_lanes_gutter *g, int y, uint32_t number)
{
    const struct tt_lane_row *row = &v->rows.rows[number];
    tt_lanes_gutter_row(app, &v->rows, row, area, g, y);
    switch (row->kind) {
    case TT_LANE_PROCESS:
        tt_lanes_gutter_process(app, &v->numbers, area, g, y, row->process);
        if (tt_lane_rows_folded(&v->rows, row->process)) {
            draw_folded_lane(app, v, area, y, row->process);
        }
        break;
    case TT_LANE_SLICES:
        v->any_slices = true;
        tt_lanes_draw_slices(app, &v->lanes, area, y, row, &v->cells->slice);
        break;
    case TT_LANE_COUNTER:
        tt_lanes_gutter_counter(app, t, area, g, y, row->number);
        tt_lanes_draw_counter(app, &v->lanes, area, y, row->number, &v->cells->counter);
        break;
    default:
        tt_lanes_gutter_thread(app, t, area, g, y, row->thread);
        draw_thread_lane(app, v, t, area, y, row->thread);
        v->any_notes |= tt_lanes_draw_notes(app, &v->lanes, area, y, row->thread);
        break;
    }
    if (number == v->at) {
        tt_draw_over(area, 1, y, g->width - 1, TT_ROLE_CURSOR);
        tt_draw_fill(area, 0, y, 1, TT_ROLE_CURSOR_MARK, tt_app_glyph(app, TT_GLYPH_CURSOR));
    }
    tt_lanes_draw_over(app, &v->lanes, area, y);
}

/* ---- legend ------------------------------------------------------------------------------- */

static void draw_legend(struct tt_app *app, struct threads_view *v, struct tt_area area, int y,
                        int width)
{
    static const uint8_t order[] = {TT_CLASS_RUNNING, TT_CLASS_READY,   TT_CLASS_IPC,
                                    TT_CLASS_LOCK,    TT_CLASS_SLEEP,   TT_CLASS_WAIT,
                                    TT_CLASS_STOPPED, TT_CLASS_UNKNOWN, TT_CLASS_DEAD};
    int x = 1;
    if (app->progress.finished && tt_cpu_count(tt_trace_timelines(app->opened.trace)) == 0) {
        tt_draw(area, 1, y, width - 2, TT_ROLE_WARNING,
                "this capture does not say what its threads did");
        return;
    }
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const char *name = tt_class_name(order[i]);
        int needs = 2 + (int)strlen(name);
        if (!(v->classes & 1u << order[i]) || x + needs > width) {
            continue;
        }
        tt_lanes_draw_cell(app, area, x, y, (struct tt_lane_cell){.class_ = order[i]});
        tt_draw(area, x + 2, y, width - x - 2, TT_ROLE_DIM, name);
        x += needs + 1;
    }
    if (v->any_notes && x + 13 <= width) {
        tt_draw_fill(area, x, y, 1, TT_ROLE_EVENT_USER, tt_app_glyph(app, TT_GLYPH_USER));
        tt_draw(area, x + 2, y, width - x - 2, TT_ROLE_DIM, "own event");
        x += 12;
    }
    if (v->any_slices && x + 9 <= width) {
        tt_draw_fill(area, x, y, 1, TT_ROLE_SLICE, tt_app_glyph(app, TT_GLYPH_SLICE));
        tt_draw(area, x + 2, y, width - x - 2, TT_ROLE_DIM, "slice");
        x += 8;
    }
    if (v->any_many && x + 8 <= width) {
        static const struct tt_lane_cell many[] = {
            {TT_CLASS_RUNNING, true, 7}, {TT_CLASS_IPC, true, 3}, {TT_CLASS_SLEEP, true, 1}};
        for (int i = 0; i < 3; i++) {
            tt_lanes_draw_cell(app, area, x + i, y, many[i]);
        }
        tt_draw(area, x + 4, y, width - x - 4, TT_ROLE_DIM,
                app->colored && !app->grid.ascii ? "many: part that ran" : "many");
    }
}

/* ---- the picture -------------------------------------------------------------------------- */

static void say_process(struct tt_app *app, uint32_t process, struct tt_text *text)
{
    uint32_t threads = tt_process_at(app->opened.capture, process)->threads;
    tt_lanes_process_text(app, process, true, text);
    tt_text_str(text, ", ");
    tt_text_u64(text, threads);
    tt_text_str(text, threads == 1 ? " thread" : " threads");
}

static void say_under_cursor(struct tt_app *app, struct threads_view *v, struct tt_area area)
{
    const struct tt_lane_row *row = v->at < v->rows.count ? &v->rows.rows[v->at] : NULL;
    char name[NAME_BYTES], buffer[NAME_BYTES * 2], more[NAME_BYTES * 2];
    struct tt_text who = tt_text_of(name, sizeof name);
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_text second = tt_text_of(more, sizeof more);
    if (!row) {
        tt_draw(area, 1, v->lanes.layout.say, area.width - 2, TT_ROLE_DIM, "no lane");
        return;
    }
    switch (row->kind) {
    case TT_LANE_THREAD:
        tt_lanes_say_thread(app, &v->lanes, area, row->thread, &v->args);
        return;
    case TT_LANE_PROCESS:
        say_process(app, row->process, &who);
        break;
    case TT_LANE_SLICES:
        if (row->thread != TT_NO_THREAD) {
            tt_line_thread(&who, app->opened.capture, row->thread);
        }
        tt_lanes_say_slice(app, row, &text, &second);
        break;
    default:
        tt_lanes_series_text(app, row->number, &who);
        tt_lanes_say_counter(app, row->number, &text, &second);
        break;
    }
    tt_lanes_say_lines(app, &v->lanes, area, &who, &text, &second);
}

static bool prepare(struct tt_app *app, struct threads_view *v, const struct tt_timelines *t)
{
    const struct tt_viewport *w = &app->viewport;
    unsigned columns = (unsigned)v->lanes.layout.columns;
    uint32_t threads = tt_thread_count(app->opened.capture);
    bool delays = v->order_asked && v->sort == TT_LANES_BY_DELAY;
    if (columns > v->cell_room) {
        union tt_any_cell *cells = realloc(v->cells, columns * sizeof *cells);
        if (!cells) {
            return false;
        }
        v->cells = cells;
        v->cell_room = columns;
    }
    return tt_lane_numbers_ask(&v->numbers, t, w->from, w->to, threads, delays) &&
           tt_lane_groups_begin(&v->groups, t, app->opened.capture, v->lanes.edges, columns);
}

static void view_draw(struct tt_app *app, void *state, struct tt_area area)
{
    struct threads_view *v = state;
    struct tt_lanes_gutter g = tt_lanes_gutter_of(area.width);
    const char *why;
    tt_lanes_place(&v->lanes.layout, area, g.width);
    if (!tt_lanes_ready(app, &v->lanes, &why)) {
        tt_draw(area, 1, 1, area.width - 1, TT_ROLE_DIM, why);
        return;
    }
    const struct tt_timelines *t = tt_trace_timelines(app->opened.trace);
    if (!prepare(app, v, t)) {
        tt_draw(area, 1, 1, area.width - 1, TT_ROLE_ERROR, "out of memory");
        return;
    }
    tt_lane_numbers_work(&v->numbers, t, tt_monotonic_ns() + UINT64_C(1000000));
    make_rows(app, v, t);
    place_cursor(app, v);
    v->classes = 0;
    v->any_many = v->any_slices = v->any_notes = false;
    tt_lanes_gutter_heads(area, &g, v->lanes.layout.axis);
    tt_lanes_draw_top(app, &v->lanes, area);
    for (int line = 0; line < v->lanes.layout.lanes_height; line++) {
        uint32_t row = row_on_line(v, line);
        if (row == UINT32_MAX) {
            break;
        }
        v->at_line = row == v->at ? line : v->at_line;
        draw_row(app, v, t, area, &g, v->lanes.layout.lanes + line, row);
    }
    if (v->lanes.layout.legend >= 0) {
        int width = tt_lanes_draw_scale(app, &v->lanes, area, v->lanes.layout.legend);
        draw_legend(app, v, area, v->lanes.layout.legend, width - 1);
    }
    say_under_cursor(app, v, area);
}

static bool view_work(struct tt_app *app, void *state, uint64_t budget_ns)
{
    struct threads_view *v = state;
    const struct tt_timelines *t = tt_trace_timelines(app->opened.trace);
    uint64_t deadline = tt_monotonic_ns() + budget_ns;
    return !t || v->lanes.layout.columns == 0 ||
           (tt_lanes_work(&v->lanes, deadline) && tt_lane_groups_work(&v->groups, deadline) &&
            tt_lane_numbers_work(&v->numbers, t, deadline));
}

/* ---- keys --------------------------------------------------------------------------------- */

static void go_row(struct tt_app *app, struct threads_view *v, int64_t row)
{
    int64_t last = (int64_t)v->rows.count - 1;
    row = row > last ? last : row;
    row = row < 0 ? 0 : row;
    if (row < (int64_t)v->rows.count) {
        take_row(app, &v->rows.rows[row]);
        app->lane.chosen = true;
    }
}

static bool act_on_rows(struct tt_app *app, struct threads_view *v, enum tt_do action)
{
    int64_t page = v->lanes.layout.lanes_height > 1 ? v->lanes.layout.lanes_height - 1 : 1;
    int64_t at = v->at;
    switch (action) {
    case TT_DO_DOWN:
        go_row(app, v, at + 1);
        return true;
    case TT_DO_UP:
        go_row(app, v, at - 1);
        return true;
    case TT_DO_PAGE_DOWN:
        go_row(app, v, at + page);
        return true;
    case TT_DO_PAGE_UP:
        go_row(app, v, at - page);
        return true;
    case TT_DO_HALF_DOWN:
        go_row(app, v, at + page / 2);
        return true;
    case TT_DO_HALF_UP:
        go_row(app, v, at - page / 2);
        return true;
    case TT_DO_FIRST:
        go_row(app, v, 0);
        return true;
    case TT_DO_LAST:
        go_row(app, v, INT64_MAX / 2);
        return true;
    default:
        return false;
    }
}

static void sort_lanes(struct tt_app *app, struct threads_view *v, enum tt_do action)
{
    if (action == TT_DO_LANES_SORT) {
        v->sort = (v->sort + 1) % TT_LANES_SORT_COUNT;
    } else {
        v->reverse = !v->reverse;
    }
    v->order_asked = true;
    tt_app_say(app, TT_ROLE_STATUS, "lanes by %s%s%s", tt_lanes_sort_name(v->sort),
               tt_lanes_sort_needs_numbers(v->sort) ? " in what is shown now" : "",
               v->reverse ? ", the other way round" : "");
}

static void fold(struct tt_app *app, struct threads_view *v, enum tt_do action)
{
    struct tt_lane_rows *r = &v->rows;
    uint32_t process = app->lane.process, thread = app->lane.thread;
    if (action == TT_DO_FOLD && thread != TT_NO_THREAD &&
        tt_slice_rows(tt_trace_timelines(app->opened.trace), thread) > 0) {
        tt_lane_rows_fold_slices(r, thread, !tt_lane_rows_slices_folded(r, thread));
        app->lane.kind = TT_LANE_THREAD;
        v->stale = true;
        return;
    }
    if (r->flat || process == UINT32_MAX) {
        tt_app_say(app, TT_ROLE_WARNING, "there are no processes to fold");
        return;
    }
    bool folded = tt_lane_rows_folded(r, process);
    if (action == TT_DO_FOLD_ALL) {
        for (uint32_t i = 0; i < tt_process_count(app->opened.capture); i++) {
            tt_lane_rows_fold(r, i, !folded);
        }
    } else {
        tt_lane_rows_fold(r, process, !folded);
    }
    if (!folded && !tt_lane_rows_is_pinned(r, app->lane.thread)) {
        app->lane.thread = TT_NO_THREAD;
        app->lane.kind = TT_LANE_PROCESS;
        app->lane.chosen = true;
    }
    v->stale = true;
}

static void pin(struct tt_app *app, struct threads_view *v)
{
    uint32_t thread = app->lane.thread;
    if (thread == TT_NO_THREAD) {
        tt_app_say(app, TT_ROLE_WARNING, "a thread can be pinned, not a process");
        return;
    }
    tt_lane_rows_pin(&v->rows, thread, !tt_lane_rows_is_pinned(&v->rows, thread));
    v->stale = true;
}

/* To where a slice begins or ends, or a counter changes. */
static void go_edge(struct tt_app *app, struct threads_view *v, const struct tt_timelines *t,
                    bool forward)
{
    const struct tt_lane_row row = {
        .thread = app->lane.thread, .number = app->lane.number, .kind = app->lane.kind};
    uint64_t to, now = app->viewport.at;
    bool is = row.kind == TT_LANE_SLICES ? tt_lanes_slice_edge(t, &row, now, forward, &to)
                                         : tt_lanes_counter_edge(t, row.number, now, forward, &to);
    if (is) {
        tt_lanes_go(app, &v->lanes, to);
    } else {
        tt_app_say(app, TT_ROLE_WARNING, "nothing %s in this row", forward ? "later" : "earlier");
    }
}

/* To the next change on the lane, or to the beginning of what is under the cursor. */
static void go_state(struct tt_app *app, struct threads_view *v, bool forward)
{
    const struct tt_timelines *t = tt_trace_timelines(app->opened.trace);
    struct tt_interval_at at;
    uint64_t now = app->viewport.at;
    if (t && app->lane.kind >= TT_LANE_SLICES) {
        go_edge(app, v, t, forward);
        return;
    }
    if (!t || app->lane.thread == TT_NO_THREAD) {
        tt_app_say(app, TT_ROLE_WARNING, "choose a thread: a process has no state");
        return;
    }
    bool is = tt_interval_find(t, app->lane.thread, now, &at);
    bool there = is || (forward && tt_interval_first(t, app->lane.thread, &at));
    while (there) {
        uint64_t start = tt_interval_get(t, at).start;
        if (forward ? start > now : start < now) {
            tt_lanes_go(app, &v->lanes, start);
            return;
        }
        there = forward ? tt_interval_next(t, &at) : tt_interval_previous(t, &at);
    }
    tt_app_say(app, TT_ROLE_WARNING, "no %s state of this thread", forward ? "later" : "earlier");
}

static bool view_act(struct tt_app *app, void *state, enum tt_do action)
{
    struct threads_view *v = state;
    if (tt_lanes_act(app, &v->lanes, action) || act_on_rows(app, v, action)) {
        return true;
    }
    switch (action) {
    case TT_DO_STATE_PREVIOUS:
    case TT_DO_STATE_NEXT:
        go_state(app, v, action == TT_DO_STATE_NEXT);
        return true;
    case TT_DO_THREAD_NEXT:
    case TT_DO_THREAD_PREVIOUS:
        if (app->lane.thread != TT_NO_THREAD) {
            tt_app_search_value(app, TT_SEARCH_THREAD, app->lane.thread,
                                action == TT_DO_THREAD_NEXT);
        }
        return true;
    case TT_DO_LANE_EVENT:
        tt_lanes_show_event(app, app->lane.thread, TT_NO_CPU);
        return true;
    case TT_DO_FOLD:
    case TT_DO_FOLD_ALL:
        fold(app, v, action);
        return true;
    case TT_DO_PIN:
        pin(app, v);
        return true;
    case TT_DO_HIDE_IDLE:
        v->hide_idle = !v->hide_idle;
        v->stale = true;
        tt_app_say(app, TT_ROLE_STATUS, "lanes that do not run in what is shown: %s",
                   v->hide_idle ? "hidden" : "shown");
        return true;
    case TT_DO_LANES_SORT:
    case TT_DO_LANES_REVERSE:
        sort_lanes(app, v, action);
        return true;
    default:
        return false;
    }
}

static bool view_shut(struct tt_app *app, void *state)
{
    (void)state;
    return tt_lanes_shut(app);
}

static void view_click(struct tt_app *app, void *state, int x, int y)
{
    struct threads_view *v = state;
    const struct tt_lanes_layout *l = &v->lanes.layout;
    if (y >= l->lanes && y < l->lanes + l->lanes_height) {
        uint32_t row = row_on_line(v, y - l->lanes);
        if (row != UINT32_MAX) {
            go_row(app, v, row);
        }
    }
    tt_lanes_click(app, &v->lanes, x - l->gutter);
}

static void view_copy(struct tt_app *app, void *state, struct tt_text *text)
{
    const struct tt_timelines *t = tt_trace_timelines(app->opened.trace);
    struct tt_interval interval;
    (void)state;
    if (!t || app->lane.thread == TT_NO_THREAD ||
        !tt_lane_at(t, app->lane.thread, app->viewport.at, &interval)) {
        return;
    }
    tt_lanes_say_time(app, text);
    tt_text_str(text, "  ");
    tt_line_thread(text, app->opened.capture, app->lane.thread);
    tt_text_str(text, "  ");
    tt_lanes_say_interval(app, &interval, app->viewport.at, text);
}

static void view_contexts(const struct tt_app *app, const void *state, unsigned out[4])
{
    (void)app;
    (void)state;
    out[0] = TT_IN_THREADS;
    out[1] = TT_IN_VIEWS;
    out[2] = 0;
}

static const enum tt_do *view_footer(const void *state)
{
    static const enum tt_do footer[] = {
        TT_DO_HELP,        TT_DO_ZOOM_IN,
        TT_DO_ZOOM_OUT,    TT_DO_LANE_LEFT,
        TT_DO_LANE_RIGHT,  TT_DO_STATE_PREVIOUS,
        TT_DO_STATE_NEXT,  TT_DO_SWITCH_PREVIOUS,
        TT_DO_SWITCH_NEXT, TT_DO_LANE_EVENT,
        TT_DO_LANES_SORT,  TT_DO_FOLD,
        TT_DO_HIDE_IDLE,   TT_DO_PIN,
        TT_DO_SELECT,      TT_DO_AXIS,
        TT_DO_ZOOM_ALL,    TT_DO_MARK,
        TT_DO_QUIT,        TT_DO_NOTHING,
    };
    (void)state;
    return footer;
}

/* ---- sessions ----------------------------------------------------------------------------- */

/* Numbers of the capture's tables are the same for the same bytes; ids tell whether they are. */
static void view_remember(const struct tt_app *app, const void *state, struct tt_text *text)
{
    const struct threads_view *v = state;
    const struct tt_capture *c = app->opened.capture;
    for (uint32_t i = 0; i < tt_process_count(c); i++) {
        if (tt_lane_rows_folded(&v->rows, i)) {
            tt_text_str(text, "fold ");
            tt_text_u64(text, i);
            tt_text_char(text, ' ');
            tt_text_u64(text, tt_process_at(c, i)->pid);
            tt_text_char(text, '\n');
        }
    }
    for (uint32_t i = 0; i < tt_thread_count(c); i++) {
        if (tt_lane_rows_is_pinned(&v->rows, i)) {
            tt_text_str(text, "pin ");
            tt_text_u64(text, i);
            tt_text_char(text, ' ');
            tt_text_u64(text, tt_thread_at(c, i)->tid);
            tt_text_char(text, '\n');
        }
    }
}

static void view_recall(struct tt_app *app, void *state, const char *word, uint64_t number,
                        uint64_t id)
{
    struct threads_view *v = state;
    const struct tt_capture *c = app->opened.capture;
    if (strcmp(word, "fold") == 0 && number < tt_process_count(c) &&
        tt_process_at(c, (uint32_t)number)->pid == id) {
        tt_lane_rows_fold(&v->rows, (uint32_t)number, true);
        v->stale = true;
    } else if (strcmp(word, "pin") == 0 && number < tt_thread_count(c) &&
               tt_thread_at(c, (uint32_t)number)->tid == id) {
        tt_lane_rows_pin(&v->rows, (uint32_t)number, true);
        v->stale = true;
    }
}

const struct tt_view tt_view_threads = {
    .name = "threads",
    .title = "Threads",
    .tab = "Thr",
    .digit = '2',
    .open = view_open,
    .close = view_close,
    .draw = view_draw,
    .act = view_act,
    .click = view_click,
    .copy = view_copy,
    .shut = view_shut,
    .contexts = view_contexts,
    .footer = view_footer,
    .renew = view_renew,
    .remember = view_remember,
    .recall = view_recall,
    .work = view_work,
    .by_time = true,
};
