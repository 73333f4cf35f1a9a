/* SPDX-License-Identifier: Apache-2.0 */
/*
 * snapshot/view: what every thread was doing at the cursor's time, and what it waited for.
 *
 *       ▁▁▂▃▅▇▆▃▂▁▁▁▂▃▃▂▁▁▁▁▂▅█▇▅▂▁▁[▂▃]▂▁▁▁▁▂▃▅▆▃▂▁▁▁   overview, axis
 *       2 run, 1 ready, 1 blocked, 19 wait, 6 idle, CPU 0 2 idle  at 0.027 400 000 s
 *       deadlock: bank/1 debit MUTEX > bank/2 credit MUTEX > bank/1 debit
 *         pid thread           pri state     since     until CPU waits for
 *      ▌ 4103 fusion/1 fuse     20 MUTEX  -495.6 µs +1.177 ms  1 logger/1 > netmgr/2
 *      ─────────────────────────────────────────────────────────────────
 *       fusion/1 fuse MUTEX  waits for logger/1 writer > netmgr/2 worker
 *
 * The keys that move the cursor in Threads move it here; the table follows.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "print/print.h"
#include "table/raw/raw_rows.h"
#include "table/registry.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tui/app/view.h"
#include "tui/lanes/follow_cause.h"
#include "tui/views/snapshot/view.h"

#define AXIS_FROM      16 /* minimum height for overview and axis */
#define STATUS_FROM    10
#define STATUS_LINES   3
#define DEADLOCKS_MOST 3
#define GUTTER         9
#define ROW_BYTES      8192

/* The reason for no rows before the first layout, which a terminal that is too small never has. */
#define NOT_LAID_OUT "not laid out yet"

static void *snapshot_view_open(void)
{
    struct tt_snapshot_view *snapshot_view = calloc(1, sizeof *snapshot_view);
    if (snapshot_view) {
        snapshot_view->why = NOT_LAID_OUT;
        snapshot_view->sort = TT_SNAPSHOT_STATE;
    }
    return snapshot_view;
}

static void snapshot_view_renew(void *state)
{
    struct tt_snapshot_view *view = state;
    enum tt_snapshot_column sort = view->sort;
    bool reverse = view->reverse, all = view->all;
    tt_lanes_free(&view->lanes);
    tt_snapshot_free(&view->snapshot);
    free(view->lines);
    free(view->runs.ticks);
    free(view->runs.known);
    *view = (struct tt_snapshot_view){
        .sort = sort, .reverse = reverse, .all = all, .why = NOT_LAID_OUT};
}

static void snapshot_view_close(void *state)
{
    if (state) {
        snapshot_view_renew(state);
        free(state);
    }
}

/* ---- layout ------------------------------------------------------------------------------- */

/* Divides the lines; those of the deadlocks are known after the snapshot. */
static void snapshot_view_divide(struct tt_snapshot_view *view, struct tt_area area)
{
    struct tt_lanes_layout *layout = &view->lanes.layout;
    bool axis = area.height >= AXIS_FROM;
    bool status = area.height >= STATUS_FROM;
    int y = axis ? 3 : 0;
    *layout = (struct tt_lanes_layout){.overview = axis ? 0 : -1,
                                       .labels = axis ? 1 : -1,
                                       .axis = axis ? 2 : -1,
                                       .load = -1,
                                       .legend = -1,
                                       .status = area.height,
                                       .width = area.width,
                                       .gutter = GUTTER};
    layout->columns = area.width - layout->gutter > 1 ? area.width - layout->gutter : 1;
    view->title = y++;
    view->deadlocks = y;
    view->deadlock_lines =
        view->deadlock_count < DEADLOCKS_MOST ? (int)view->deadlock_count : DEADLOCKS_MOST;
    view->heads = y + view->deadlock_lines;
    view->status = status ? area.height - STATUS_LINES : -1;
    view->list.y = view->heads + 1;
    view->list.lines = (status ? view->status : area.height) - view->list.y;
    view->list.lines = view->list.lines > 0 ? view->list.lines : 0;
}

static void snapshot_view_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct tt_snapshot_view *view = state;
    snapshot_view_divide(view, area);
    if (!tt_lanes_ready(ws, &view->lanes, &view->why)) {
        return;
    }
    if (tt_thread_count(ws->opened.capture) == 0) {
        view->why = "this capture has no threads";
        return;
    }
    uint32_t before = view->deadlock_count;
    bool ok = tt_snapshot_view_refresh(ws, view);
    if (ok && view->deadlock_count != before) {
        snapshot_view_divide(view, area);
        ok = tt_snapshot_view_refresh(ws, view);
    }
    view->why = ok ? NULL : "out of memory";
    tt_snapshot_columns_place(ws, view, area.width);
}

static bool snapshot_view_fill(struct tt_workspace *ws, void *state)
{
    struct tt_snapshot_view *view = state;
    if (view->why) {
        return false;
    }
    tt_snapshot_view_fill(view, tt_term_share(&ws->term, 1));
    if (view->lanes.layout.overview >= 0) {
        tt_lanes_fill_top(ws, &view->lanes);
    }
    return false;
}

static bool snapshot_view_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    struct tt_snapshot_view *view = state;
    uint64_t deadline = tt_now_ns() + budget_ns;
    return view->why || view->number == 0 ||
           (tt_snapshot_view_fill(view, deadline) && tt_snapshot_view_work(ws, view, deadline) &&
            (view->lanes.layout.overview < 0 || tt_lanes_work(&view->lanes, deadline)));
}

static bool snapshot_view_settled(const struct tt_workspace *ws, const void *state)
{
    const struct tt_snapshot_view *view = state;
    (void)ws;
    return view->why || view->arranged;
}

static struct tt_list *snapshot_view_list(void *state)
{
    return &((struct tt_snapshot_view *)state)->list;
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Sorts by the next column on the screen by which rows are sorted, or in the opposite direction. */
static void change_order(struct tt_workspace *ws, struct tt_snapshot_view *view, bool reverse)
{
    unsigned column = view->sort;
    do {
        column = reverse ? view->sort : (column + 1) % TT_SNAPSHOT_COLUMNS;
    } while (column != view->sort && (view->places[column].width == 0 ||
                                      column == TT_SNAPSHOT_THREAD || column == TT_SNAPSHOT_DEPTH));
    view->sort = (enum tt_snapshot_column)column;
    view->reverse = reverse && !view->reverse;
    view->stale = true;
    tt_message_set(&ws->message, TT_ROLE_STATUS, "threads by %s%s",
                   tt_snapshot_columns[view->sort].name, view->reverse ? ", reversed" : "");
}

static bool snapshot_view_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct tt_snapshot_view *view = state;
    const struct tt_snapshot_row *row = tt_snapshot_view_row(view);
    const uint32_t thread = row ? row->thread : TT_NO_THREAD;
    switch (action) {
    case TT_DO_STATE_PREVIOUS:
    case TT_DO_STATE_NEXT:
        tt_lanes_go_state(ws, &view->lanes, thread, action == TT_DO_STATE_NEXT);
        return true;
    case TT_DO_THREAD_NEXT:
    case TT_DO_THREAD_PREVIOUS:
        if (row) {
            tt_nav_search_value(ws, TT_EVENT_SCAN_THREAD, thread, action == TT_DO_THREAD_NEXT);
        }
        return true;
    case TT_DO_WHY:
    case TT_DO_CAUSE_BLOCKER:
    case TT_DO_CAUSE_WAKER:
    case TT_DO_ONLY_THREAD:
    case TT_DO_WITHOUT_EVENT:
    case TT_DO_ONLY_MESSAGE:
        tt_lanes_act_cause(ws, thread, ws->nav.viewport.at, action);
        return true;
    case TT_DO_SORT:
    case TT_DO_REVERSE:
        change_order(ws, view, action == TT_DO_REVERSE);
        return true;
    case TT_DO_SNAPSHOT_IDLE:
        view->all = !view->all;
        view->stale = true;
        tt_message_set(&ws->message, TT_ROLE_STATUS, "idle threads of CPUs, and ended ones: %s",
                       view->all ? "shown" : "hidden");
        return true;
    case TT_DO_GO:
        ws->trail.left = row != NULL;
        if (row) {
            tt_snapshot_view_moved(ws, view);
            tt_nav_show(&ws->nav, TT_VIEW_THREADS);
        }
        return true;
    default:
        return tt_lanes_act(ws, &view->lanes, action);
    }
}

static bool snapshot_view_dismiss(struct tt_workspace *ws, void *state)
{
    (void)state;
    return tt_lanes_clear_selection(&ws->nav);
}

static void snapshot_view_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct tt_snapshot_view *view = state;
    const struct tt_lanes_layout *layout = &view->lanes.layout;
    if (y == view->heads) {
        for (unsigned i = 0; i < TT_SNAPSHOT_COLUMNS; i++) {
            const struct tt_snapshot_place *place = &view->places[i];
            if (x >= place->x && x < place->x + place->width) {
                view->reverse = view->sort == i && !view->reverse;
                view->sort = (enum tt_snapshot_column)i;
                view->stale = true;
            }
        }
    } else if (layout->axis >= 0 && y <= layout->axis) {
        tt_lanes_click(ws, &view->lanes, x - layout->gutter);
    }
}

/* ---- copying, writing --------------------------------------------------------------------- */

/* Begins a run over the rows of the snapshot. */
static struct tt_status snapshot_view_begin_rows(const struct tt_workspace *ws,
                                                 struct tt_snapshot_view *view,
                                                 struct tt_table_run *run)
{
    const struct tt_table_request request = {
        .table = &tt_table_snapshot_rows, .trace = ws->opened.trace, .scene = &view->scene};
    return tt_table_begin(run, &request);
}

/* Appends the line of the thread, or, with `all`, every value. */
static void snapshot_view_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    struct tt_snapshot_view *view = state;
    const struct tt_snapshot_row *row = tt_snapshot_view_row(view);
    if (!row) {
        return;
    }
    if (all) {
        struct tt_table_run run;
        struct tt_table_row cells;
        struct tt_status status = snapshot_view_begin_rows(ws, view, &run);
        if (!tt_failed(&status)) {
            tt_snapshot_row_make(&run, row, &cells);
            tt_print_pairs(text, &run, &cells, ' ');
            text->used--;
        }
        tt_table_free(&run);
        return;
    }
    tt_line_thread(text, ws->opened.capture, row->thread);
    tt_text_put(text, " %s > ", tt_line_state(ws->opened.capture, row->state));
    if (!tt_snapshot_put_wait(text, &view->scene, row)) {
        text->used -= 3;
    }
}

/* Writes the threads in the order of the screen as CSV, like `at --format csv`. */
static struct tt_status view_write(struct tt_workspace *ws, void *state, FILE *file,
                                   const char *path, struct tt_text *what)
{
    struct tt_snapshot_view *view = state;
    char buffer[ROW_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    (void)path;
    if (view->why) {
        return tt_error(TT_ERR_USAGE, "not written: %s", view->why);
    }
    tt_snapshot_view_work(ws, view, UINT64_MAX);
    if (!tt_snapshot_view_refresh(ws, view)) {
        return tt_error_memory();
    }
    struct tt_table_run run;
    struct tt_print print;
    struct tt_table_row row;
    struct tt_status status = snapshot_view_begin_rows(ws, view, &run);
    tt_print_begin(&print, &run, TT_PRINT_CSV);
    tt_print_header(&print, &text);
    fwrite(buffer, 1, text.used, file);
    for (uint32_t i = 0; i < view->count && !tt_failed(&status); i++) {
        text = tt_text_of(buffer, sizeof buffer);
        tt_snapshot_row_make(&run, &view->snapshot.rows[view->lines[i]], &row);
        tt_print_row(&print, &text, &row);
        fwrite(buffer, 1, text.used, file);
    }
    tt_table_free(&run);
    tt_text_put(what, "%u rows", view->count);
    return ferror(file) ? tt_error_errno(errno, "write") : status;
}

/* ---- sessions ----------------------------------------------------------------------------- */

static void snapshot_view_remember(const struct tt_workspace *ws, const void *state,
                                   struct tt_text *text)
{
    const struct tt_snapshot_view *view = state;
    (void)ws;
    tt_text_put(text, "instant %u %d\n", view->sort, view->reverse);
}

static void snapshot_view_recall(struct tt_workspace *ws, void *state, const char *word, uint64_t a,
                                 uint64_t b)
{
    struct tt_snapshot_view *view = state;
    (void)ws;
    if (strcmp(word, "instant") == 0 && a < TT_SNAPSHOT_COLUMNS) {
        view->sort = (enum tt_snapshot_column)a;
        view->reverse = b != 0;
        view->stale = true;
    }
}

/* ---- places of the history ------------------------------------------------------------------ */

static void snapshot_view_leave(const struct tt_workspace *ws, const void *state,
                                struct tt_spot *spot)
{
    const struct tt_snapshot_view *view = state;
    (void)ws;
    spot->numbers[0] = view->sort;
    spot->numbers[1] = view->reverse;
    spot->numbers[2] = view->all;
    spot->numbers[3] = view->list.at;
    spot->numbers[4] = view->list.top;
}

static void snapshot_view_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    struct tt_snapshot_view *view = state;
    snapshot_view_recall(ws, view, "instant", spot->numbers[0], spot->numbers[1]);
    view->all = spot->numbers[2] != 0;
    view->list.at = (size_t)spot->numbers[3];
    view->list.top = (size_t)spot->numbers[4];
}

static const enum tt_do offers[] = {
    TT_DO_HELP,  TT_DO_ASK,      TT_DO_LANE_RIGHT, TT_DO_STATE_NEXT,  TT_DO_GO,
    TT_DO_WHY,   TT_DO_ZOOM_OUT, TT_DO_SORT,       TT_DO_THREAD_NEXT, TT_DO_FILTER,
    TT_DO_WRITE, TT_DO_GOTO,     TT_DO_VIEW_NEXT,  TT_DO_QUIT,        TT_DO_NOTHING,
};

static const char *const about[] = {
    "The state of every thread at the cursor; the keys of Threads move the cursor.",
    "since, until: distance to the beginning and end of the state, ? if not recorded.",
    "waits for: the chain of waits. After next: what ends the wait later; idle: no message to "
    "handle.",
    "On a CPU first, then ready, blocked by a lock or an answer, other waits, idle.",
    "o sorts, i shows idle threads of CPUs, Enter goes to the lane, w writes CSV.",
    NULL,
};

static const struct tt_verb verbs[] = {
    {TT_DO_GO, "lane", "to the lane of this thread"},
    {TT_DO_SORT, "sort", "sort the threads by the next column"},
    {TT_DO_NOTHING, NULL, NULL},
};

const struct tt_view tt_view_snapshot = {
    .about = about,
    .open = snapshot_view_open,
    .close = snapshot_view_close,
    .renew = snapshot_view_renew,
    .layout = snapshot_view_layout,
    .fill = snapshot_view_fill,
    .draw = tt_snapshot_draw,
    .act = snapshot_view_act,
    .click = snapshot_view_click,
    .list = snapshot_view_list,
    .moved = tt_snapshot_view_moved,
    .copy = snapshot_view_copy,
    .dismiss = snapshot_view_dismiss,
    .footer = offers,
    .verbs = verbs,
    .work = snapshot_view_work,
    .settled = snapshot_view_settled,
    .write = view_write,
    .remember = snapshot_view_remember,
    .recall = snapshot_view_recall,
    .leave = snapshot_view_leave,
    .resume = snapshot_view_resume,
};
