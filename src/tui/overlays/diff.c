/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff: the Diff pane: what changed from A to B, the largest change first, as `tracetui diff` prints it.
 *
 *       before.kev -> capture.kev  by thread                           2 of 41 rows changed
 *       thread             value                 A           B    change       p  verdict
 *      ▌sensor/1 sample    run             1.134 %     1.312 %  +15.7 %  0.0005  worse
 *
 * The list has the changes that are not `unchanged`. It covers the view below it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracetui/comparison_text.h"
#include "tui/app/app.h"
#include "tui/input/list_motion.h"

#define LIST          2 /* first line of the list */
#define MEASURE_WIDTH 18
#define VALUE_WIDTH   12
#define CHANGE_WIDTH  9
#define P_WIDTH       6
#define VERDICT_WIDTH 7
#define NAME_LEAST    12
#define NAME_MOST     48
#define LINE_BYTES    4096
#define P_DECIMALS    4

struct pane {
    size_t at, top;
    int list_lines;
    bool of_b;    /* Enter went to A: the next one goes to B */
    bool awaited; /* Enter opened a capture: the place is shown when it is indexed */
    bool to_b;    /* the side of that place */
};

static void *pane_open(void)
{
    return calloc(1, sizeof(struct pane));
}

static void pane_close(void *state)
{
    free(state);
}

/* Returns the change on a line of the list; NULL below it. */
static const struct tt_comparison_change *line_at(const struct tt_workspace *ws, size_t line)
{
    const struct tt_comparing *c = &ws->comparing;
    size_t count = 0, seen = 0;
    const struct tt_comparison_change *changes =
        c->complete ? tt_comparison_changes(c->comparison, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        if (changes[i].verdict != TT_COMPARISON_UNCHANGED && seen++ == line) {
            return &changes[i];
        }
    }
    return NULL;
}

static void pane_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct pane *p = state;
    tt_comparing_work(ws, tt_now_ns()); /* a step, so that small captures need no second frame */
    size_t count = tt_comparing_lines(&ws->comparing);
    p->at = p->at < count ? p->at : count > 0 ? count - 1 : 0;
    p->list_lines = area.height > LIST ? area.height - LIST : 0;
    size_t lines = p->list_lines > 0 ? (size_t)p->list_lines : 1;
    p->top = p->at < p->top ? p->at : p->at >= p->top + lines ? p->at - lines + 1 : p->top;
}

/* ---- drawing ------------------------------------------------------------------------------ */

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Draws the state at the right of the title; returns the column before it. */
static int draw_state(const struct tt_workspace *ws, const struct pane *p, struct tt_area area)
{
    const struct tt_comparing *c = &ws->comparing;
    char buffer[128];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (p->awaited) {
        tt_text_str(&text, "waits for the index");
    } else if (c->complete) {
        struct tt_comparison_summary s = tt_comparison_summarize(c->comparison);
        tt_text_u64(&text, s.changed);
        tt_text_str(&text, " of ");
        tt_text_u64(&text, s.rows);
        tt_text_str(&text, s.rows == 1 ? " row changed" : " rows changed");
    } else if (!tt_failed(&c->status)) {
        tt_text_str(&text, c->comparison ? "comparing " : "waits for the index");
        if (c->comparison) {
            tt_text_u64(&text, tt_comparison_percent(c->comparison));
            tt_text_str(&text, " %");
        }
    }
    int x = area.width - 1 - (int)text.used;
    tt_draw_text(area, x, 0, (int)text.used,
                 c->complete && !p->awaited ? TT_ROLE_TEXT : TT_ROLE_PROGRESS, buffer, text.used);
    return x - 2;
}

/* Appends a side: its file, and its range if both sides are in one file. */
static void put_side(const struct tt_workspace *ws, struct tt_text *text, const char *path,
                     const struct tt_key_range *keys)
{
    const struct tt_comparing *c = &ws->comparing;
    const char *name = file_name(path);
    bool open = strcmp(tt_trace_path(ws->opened.trace), path) == 0;
    if (strcmp(c->path_a, c->path_b) != 0 || !open) {
        tt_text_escaped(text, name, strlen(name));
    } else if (keys->to_ticks == UINT64_MAX) {
        tt_text_str(text, "all");
    } else {
        tt_time_label_moment(ws, text, keys->from_ticks);
        tt_text_str(text, "..");
        tt_time_label_moment(ws, text, keys->to_ticks);
    }
}

static void draw_title(const struct tt_workspace *ws, const struct pane *p, struct tt_area area)
{
    const struct tt_comparing *c = &ws->comparing;
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    int end = draw_state(ws, p, area);
    tt_text_str(&text, "A: ");
    put_side(ws, &text, c->path_a, &c->keys_a);
    tt_text_str(&text, "  B: ");
    put_side(ws, &text, c->path_b, &c->keys_b);
    tt_draw_text(area, 1, 0, end > 1 ? end - 1 : 0, TT_ROLE_TITLE, buffer, text.used);
}

/* The columns: the name takes what the others leave. */
struct columns {
    int name_width, measure, a, b, change, p, verdict;
};

static struct columns columns_of(struct tt_area area)
{
    struct columns c;
    int others = MEASURE_WIDTH + 2 * VALUE_WIDTH + CHANGE_WIDTH + VERDICT_WIDTH + 6 + 1;
    bool wide = area.width - others - P_WIDTH - 2 >= NAME_MOST / 2;
    c.name_width = area.width - 1 - others - (wide ? P_WIDTH + 2 : 0);
    c.name_width = c.name_width > NAME_MOST    ? NAME_MOST
                   : c.name_width < NAME_LEAST ? NAME_LEAST
                                               : c.name_width;
    c.measure = 1 + c.name_width + 1;
    c.a = c.measure + MEASURE_WIDTH + 1;
    c.b = c.a + VALUE_WIDTH + 1;
    c.change = c.b + VALUE_WIDTH + 1;
    c.p = wide ? c.change + CHANGE_WIDTH + 2 : 0;
    c.verdict = (wide ? c.p + P_WIDTH : c.change + CHANGE_WIDTH) + 2;
    return c;
}

static void draw_heads(const struct tt_workspace *ws, struct tt_area area, const struct columns *c)
{
    tt_draw(area, 1, 1, c->name_width, TT_ROLE_COLUMNS, tt_stats_word((int)ws->comparing.by));
    tt_draw(area, c->measure, 1, MEASURE_WIDTH, TT_ROLE_COLUMNS, "value");
    tt_draw_right(area, c->a, 1, VALUE_WIDTH, TT_ROLE_COLUMNS, "A");
    tt_draw_right(area, c->b, 1, VALUE_WIDTH, TT_ROLE_COLUMNS, "B");
    tt_draw_right(area, c->change, 1, CHANGE_WIDTH, TT_ROLE_COLUMNS, "change");
    if (c->p > 0) {
        tt_draw_right(area, c->p, 1, P_WIDTH, TT_ROLE_COLUMNS, "p");
    }
    tt_draw(area, c->verdict, 1, VERDICT_WIDTH, TT_ROLE_COLUMNS, "verdict");
}

static enum tt_role role_of(enum tt_comparison_verdict verdict)
{
    return verdict == TT_COMPARISON_WORSE     ? TT_ROLE_ERROR
           : verdict == TT_COMPARISON_BETTER  ? TT_ROLE_RUNNING
           : verdict == TT_COMPARISON_CHANGED ? TT_ROLE_WARNING
                                              : TT_ROLE_DIM;
}

static void draw_change(const struct tt_workspace *ws, struct tt_area area, int y,
                        const struct columns *c, const struct tt_comparison_change *change)
{
    const struct tt_baseline *side = tt_comparison_side_a(ws->comparing.comparison);
    const char *name = tt_comparison_name(change);
    char buffer[128];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_draw(area, 1, y, c->name_width, TT_ROLE_THREAD, name);
    tt_comparison_put_measure(&text, change->measure);
    tt_draw_text(area, c->measure, y, MEASURE_WIDTH, TT_ROLE_TEXT, buffer, text.used);
    text = tt_text_of(buffer, sizeof buffer);
    tt_comparison_put_value(&text, side, change->measure, change->a);
    tt_draw_right(area, c->a, y, VALUE_WIDTH, TT_ROLE_TEXT, tt_text_cstr(&text));
    text = tt_text_of(buffer, sizeof buffer);
    tt_comparison_put_value(&text, side, change->measure, change->b);
    tt_draw_right(area, c->b, y, VALUE_WIDTH, TT_ROLE_TEXT, tt_text_cstr(&text));
    text = tt_text_of(buffer, sizeof buffer);
    tt_comparison_put_change(&text, change);
    tt_draw_right(area, c->change, y, CHANGE_WIDTH, role_of(change->verdict), tt_text_cstr(&text));
    if (c->p > 0 && tt_comparison_is_change(change->verdict)) {
        text = tt_text_of(buffer, sizeof buffer);
        tt_comparison_put_fraction(&text, change->p, P_DECIMALS);
        tt_draw_right(area, c->p, y, P_WIDTH, TT_ROLE_TEXT, tt_text_cstr(&text));
    }
    tt_draw(area, c->verdict, y, VERDICT_WIDTH, role_of(change->verdict),
            tt_comparison_verdict_word(change->verdict));
}

static void pane_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct pane *p = state;
    const struct tt_comparing *comparing = &ws->comparing;
    struct columns c = columns_of(area);
    draw_title(ws, p, area);
    if (tt_failed(&comparing->status)) {
        tt_draw(area, 1, LIST, area.width - 2, TT_ROLE_ERROR, comparing->status.text);
        return;
    }
    draw_heads(ws, area, &c);
    for (int i = 0; i < p->list_lines; i++) {
        size_t line = p->top + (size_t)i;
        const struct tt_comparison_change *change = line_at(ws, line);
        if (!change) {
            break;
        }
        draw_change(ws, area, LIST + i, &c, change);
        if (line == p->at) {
            tt_draw_over(area, 1, LIST + i, area.width - 1, TT_ROLE_CURSOR);
            tt_draw_fill(area, 0, LIST + i, 1, TT_ROLE_CURSOR_MARK,
                         tt_term_glyph(&ws->term, TT_GLYPH_CURSOR));
        }
    }
    if (comparing->complete && !line_at(ws, 0)) {
        bool same = tt_comparison_summarize(comparing->comparison).identical;
        tt_draw(area, 1, LIST, area.width - 2, TT_ROLE_TEXT,
                same ? "A and B are equal" : "no row changed by more than it varies");
    }
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Returns the time of a change on a side: its largest sample, else where the range or the view is. */
static uint64_t place_of(const struct tt_workspace *ws, const struct tt_comparison_change *change,
                         bool of_b)
{
    const struct tt_comparing *c = &ws->comparing;
    const struct tt_baseline *side =
        of_b ? tt_comparison_side_b(c->comparison) : tt_comparison_side_a(c->comparison);
    const struct tt_baseline_row *row = of_b ? change->row_b : change->row_a;
    uint64_t from = of_b ? c->keys_b.from_ticks : c->keys_a.from_ticks, at = TT_BASELINE_NONE;
    for (uint32_t m = 0; row->places && m < side->measure_count; m++) {
        at = strcmp(side->measures[m].key, change->measure->key) == 0 ? row->places[m] : at;
    }
    return at != TT_BASELINE_NONE ? at : from > 0 ? from : ws->nav.viewport.at;
}

/* Goes to the place of a change on a side, the capture of which is open and indexed. */
static void go(struct tt_workspace *ws, struct pane *p, const struct tt_comparison_change *change)
{
    const struct tt_baseline_row *row = p->to_b ? change->row_b : change->row_a;
    uint64_t at = place_of(ws, change, p->to_b);
    p->awaited = false;
    p->of_b = !p->to_b;
    if (ws->comparing.by == TT_STATS_BY_CPU) {
        tt_nav_show(&ws->nav, TT_VIEW_CPUS);
        tt_nav_go_thread(ws, TT_NO_THREAD, at);
        ws->nav.lane.cpu = (uint16_t)strtoul(row->first, NULL, 10);
    } else if (row->thread < tt_thread_count(ws->opened.capture)) {
        tt_nav_show(&ws->nav, TT_VIEW_THREADS);
        tt_nav_go_thread(ws, row->thread, at);
    } else {
        tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
        tt_nav_jump(ws, at, 0);
    }
    tt_message_set(&ws->message, TT_ROLE_STATUS, "%.120s in %s; :diff returns%s",
                   tt_comparison_name(change), p->to_b ? "B" : "A",
                   change->row_a && change->row_b ? ", Enter goes to the other side" : "");
}

/* Opens the capture of the next side that has the row, A first, and goes to the place in it. */
static void open_side(struct tt_app *app, struct pane *p, const struct tt_comparison_change *change)
{
    const struct tt_comparing *c = &app->ws.comparing;
    bool in_a = change->row_a && !tt_baseline_is_file(c->path_a);
    p->to_b = change->row_b && (p->of_b || !in_a);
    if (!p->to_b && !in_a) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING,
                       "A is a baseline, which has no places; the row is not in B");
        return;
    }
    if (!tt_app_show_file(app, p->to_b ? c->path_b : c->path_a)) {
        return;
    }
    p->awaited = true;
    app->ws.nav.overlay = TT_OVERLAY_DIFF; /* the session of the capture has its own view */
    if (app->ws.index.progress.finished) {
        go(&app->ws, p, change);
    }
}

static void change_table(struct tt_workspace *ws, struct pane *p, int step)
{
    struct tt_status status = tt_comparing_table(ws, tt_comparing_next(ws->comparing.by, step));
    if (tt_failed(&status)) {
        tt_message_set(&ws->message, TT_ROLE_ERROR, "%s", status.text);
    } else {
        *p = (struct pane){.list_lines = p->list_lines};
    }
}

/* Also goes to the awaited place; false then, because another view must be drawn. */
static bool pane_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    struct pane *p = state;
    const struct tt_comparison_change *change = p->awaited ? line_at(ws, p->at) : NULL;
    if (change && ws->index.progress.finished) {
        go(ws, p, change);
        return false;
    }
    return tt_comparing_work(ws, tt_now_ns() + budget_ns);
}

static bool pane_settled(const struct tt_workspace *ws, const void *state)
{
    const struct tt_comparing *c = &ws->comparing;
    (void)state;
    return !c->path_a[0] || c->complete || tt_failed(&c->status);
}

static bool pane_act(struct tt_app *app, void *state, enum tt_do action)
{
    struct tt_workspace *ws = &app->ws;
    struct pane *p = state;
    struct tt_move move = tt_list_motion_of(action, p->list_lines);
    const struct tt_comparison_change *change = line_at(ws, p->at);
    int64_t count = (int64_t)tt_comparing_lines(&ws->comparing);
    if (move.kind != TT_MOVE_NONE) {
        int64_t to =
            move.kind == TT_MOVE_END ? (move.by > 0 ? count - 1 : 0) : (int64_t)p->at + move.by;
        to = to < count ? to : count - 1;
        p->at = to > 0 ? (size_t)to : 0;
        p->of_b = p->awaited = false;
        return true;
    }
    if (action == TT_DO_DIFF_GO) {
        if (change && ws->opened.trace) {
            open_side(app, p, change);
        }
        return true;
    }
    if (action == TT_DO_TABLE_NEXT || action == TT_DO_TABLE_PREVIOUS) {
        change_table(ws, p, action == TT_DO_TABLE_NEXT ? 1 : -1);
        return true;
    }
    return false;
}

static void pane_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct pane *p = state;
    (void)x;
    if (y >= LIST && y < LIST + p->list_lines && line_at(ws, p->top + (size_t)(y - LIST))) {
        p->at = p->top + (size_t)(y - LIST);
    }
}

static void pane_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    const struct pane *p = state;
    const struct tt_comparison_change *change = line_at(ws, p->at);
    (void)all;
    if (change) {
        const struct tt_baseline *side = tt_comparison_side_a(ws->comparing.comparison);
        tt_text_str(text, tt_comparison_name(change));
        tt_text_str(text, "  ");
        tt_comparison_put_measure(text, change->measure);
        tt_text_str(text, "  ");
        tt_comparison_put_value(text, side, change->measure, change->a);
        tt_text_str(text, "  ");
        tt_comparison_put_value(text, side, change->measure, change->b);
        tt_text_str(text, "  ");
        tt_comparison_put_change(text, change);
    }
}

static bool pane_dismiss(struct tt_workspace *ws, void *state)
{
    ((struct pane *)state)->awaited = false;
    ws->nav.overlay = TT_OVERLAY_NONE;
    return true;
}

static void pane_renew(void *state)
{
    *(struct pane *)state = (struct pane){0};
}

static const enum tt_do offers[] = {
    TT_DO_DIFF_GO, TT_DO_TABLE_NEXT, TT_DO_COPY, TT_DO_HELP, TT_DO_CANCEL, TT_DO_NOTHING,
};

static const char *const about[] = {
    "What changed from A to B by more than it varies within each; `tracetui diff` prints the same.",
    "p: the probability of such a difference in any row without a change. See docs/diff.md.",
    NULL,
};

const struct tt_view tt_overlay_diff = {
    .about = about,
    .open = pane_open,
    .close = pane_close,
    .layout = pane_layout,
    .draw = pane_draw,
    .act = pane_act,
    .click = pane_click,
    .copy = pane_copy,
    .dismiss = pane_dismiss,
    .renew = pane_renew,
    .work = pane_work,
    .settled = pane_settled,
    .footer = offers,
    .covers = true,
};
