/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff: the Diff pane: what changed from A to B, the largest change first: as a table of rows and values
 * (diff_table.h), or as the list that `tracetui diff` prints.
 *
 *       A: before.kev  B: capture.kev                                  2 of 41 rows changed
 *       thread             value                 A           B    change       p  verdict
 *      ▌sensor/1 sample    run             1.134 %     1.312 %  +15.7 %  0.0005  worse
 *
 * The list has the changes that are not `unchanged`. It covers the view below it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "table/registry.h"
#include "tracetui/comparison_text.h"
#include "tui/app/view.h"
#include "tui/draw/units.h"
#include "tui/list/list.h"
#include "tui/panes/diff_table.h"

#define LIST          2 /* first line of the list */
#define TABLE         3 /* first line of the table */
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
    struct tt_diff_table table;
    bool as_list;
    bool no_memory;
    struct tt_list list;
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
    struct pane *p = state;
    if (p) {
        tt_diff_table_free(&p->table);
        free(p);
    }
}

static bool has_table(const struct tt_workspace *ws, const struct pane *p)
{
    return ws->comparing.complete && p->table.comparison == ws->comparing.comparison &&
           p->table.version == ws->comparing.version;
}

/* Returns the change on a line of the list or the table; NULL below it. */
static const struct tt_comparison_change *line_at(const struct tt_workspace *ws,
                                                  const struct pane *p, size_t line)
{
    const struct tt_comparing *c = &ws->comparing;
    size_t count = 0, seen = 0;
    if (!p->as_list) {
        return has_table(ws, p) ? tt_diff_table_at(&p->table, line) : NULL;
    }
    const struct tt_comparison_change *changes =
        c->complete ? tt_comparison_changes(c->comparison, &count) : NULL;
    for (size_t i = 0; i < count; i++) {
        if (changes[i].verdict != TT_COMPARISON_UNCHANGED && seen++ == line) {
            return &changes[i];
        }
    }
    return NULL;
}

static size_t count_lines(const struct tt_workspace *ws, const struct pane *p)
{
    return p->as_list         ? tt_comparing_lines(&ws->comparing)
           : has_table(ws, p) ? p->table.row_count
                              : 0;
}

static void pane_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct pane *p = state;
    int others = p->as_list ? LIST : TABLE + 1;
    tt_comparing_work(ws, tt_now_ns()); /* a step, so that small captures need no second frame */
    if (ws->comparing.complete) {
        const unsigned column = p->table.column, first = p->table.first;
        p->no_memory = !tt_diff_table_make(&p->table, &ws->comparing);
        p->table.column = p->list.returns ? column : p->table.column; /* the one of the place */
        p->table.first = p->list.returns ? first : p->table.first;
        tt_diff_table_layout(&p->table, area.width);
    }
    tt_list_layout(&p->list, count_lines(ws, p), p->as_list ? LIST : TABLE, area.height - others);
}

/* ---- drawing ------------------------------------------------------------------------------ */

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void put_result(struct tt_text *text, const struct tt_comparison_summary *s)
{
    if (s->identical) {
        tt_text_str(text, "A and B are equal");
        return;
    }
    tt_text_u64(text, s->changed);
    tt_text_str(text, " of ");
    tt_text_u64(text, s->rows);
    tt_text_str(text, s->rows == 1 ? " row changed" : " rows changed");
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
        put_result(&text, &s);
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
    tt_draw(area, 1, 1, c->name_width, TT_ROLE_COLUMNS, ws->comparing.table->name);
    tt_draw(area, c->measure, 1, MEASURE_WIDTH, TT_ROLE_COLUMNS, "value");
    tt_draw_right(area, c->a, 1, VALUE_WIDTH, TT_ROLE_COLUMNS, "A");
    tt_draw_right(area, c->b, 1, VALUE_WIDTH, TT_ROLE_COLUMNS, "B");
    tt_draw_right(area, c->change, 1, CHANGE_WIDTH, TT_ROLE_COLUMNS, "change");
    if (c->p > 0) {
        tt_draw_right(area, c->p, 1, P_WIDTH, TT_ROLE_COLUMNS, "p");
    }
    tt_draw(area, c->verdict, 1, VERDICT_WIDTH, TT_ROLE_COLUMNS, "verdict");
}

/* Draws a value with its unit as on the rest of the screen. */
static void draw_value(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                       const struct tt_comparison_change *change, uint64_t value)
{
    char buffer[128];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const struct tt_baseline *side = tt_comparison_side_a(ws->comparing.comparison);
    tt_comparison_put_value(&text, side, change->measure, value);
    tt_units_adopt(&text, tt_term_glyph(&ws->term, TT_GLYPH_MICRO));
    tt_draw_right(area, x, y, VALUE_WIDTH, TT_ROLE_TEXT, tt_text_cstr(&text));
}

static void draw_change(const struct tt_workspace *ws, struct tt_area area, int y,
                        const struct columns *c, const struct tt_comparison_change *change)
{
    const char *name = tt_comparison_name(change);
    char buffer[128];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_draw(area, 1, y, c->name_width, TT_ROLE_THREAD, name);
    tt_comparison_put_measure(&text, change->measure);
    tt_draw_text(area, c->measure, y, MEASURE_WIDTH, TT_ROLE_TEXT, buffer, text.used);
    draw_value(ws, area, c->a, y, change, change->a);
    draw_value(ws, area, c->b, y, change, change->b);
    text = tt_text_of(buffer, sizeof buffer);
    tt_comparison_put_change(&text, change);
    tt_draw_right(area, c->change, y, CHANGE_WIDTH, tt_diff_role(change->verdict),
                  tt_text_cstr(&text));
    if (c->p > 0 && tt_comparison_is_change(change->verdict)) {
        text = tt_text_of(buffer, sizeof buffer);
        tt_comparison_put_fraction(&text, change->p, P_DECIMALS);
        tt_draw_right(area, c->p, y, P_WIDTH, TT_ROLE_TEXT, tt_text_cstr(&text));
    }
    tt_draw(area, c->verdict, y, VERDICT_WIDTH, tt_diff_role(change->verdict),
            tt_comparison_verdict_word(change->verdict));
}

static void draw_list(const struct tt_workspace *ws, const struct pane *p, struct tt_area area)
{
    struct columns c = columns_of(area);
    draw_heads(ws, area, &c);
    for (int i = 0; tt_list_row(&p->list, i) < p->list.count; i++) {
        const struct tt_comparison_change *change = line_at(ws, p, tt_list_row(&p->list, i));
        if (change) {
            draw_change(ws, area, LIST + i, &c, change);
        }
    }
}

static void draw_table(const struct tt_workspace *ws, const struct pane *p, struct tt_area area)
{
    tt_diff_table_draw_heads(ws, &p->table, area, 1);
    for (int i = 0; tt_list_row(&p->list, i) < p->table.row_count; i++) {
        size_t row = tt_list_row(&p->list, i);
        tt_diff_table_draw_row(&p->table, area, TABLE + i, row, row == p->list.at);
    }
    tt_diff_table_draw_value(&p->table, area, TABLE + p->list.lines, p->list.at);
}

static void draw_cursor(const struct tt_workspace *ws, const struct pane *p, struct tt_area area)
{
    tt_list_draw_cursor(
        &p->list, &ws->term,
        tt_area_part(area, 0, 0, p->as_list ? area.width : p->table.name_width + 1, area.height));
}

static void pane_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct pane *p = state;
    const struct tt_comparing *comparing = &ws->comparing;
    draw_title(ws, p, area);
    if (tt_failed(&comparing->status) || p->no_memory) {
        tt_draw(area, 1, LIST, area.width - 2, TT_ROLE_ERROR,
                p->no_memory ? "out of memory" : comparing->status.text);
        return;
    }
    if (p->as_list) {
        draw_list(ws, p, area);
    } else if (has_table(ws, p)) {
        draw_table(ws, p, area);
    }
    draw_cursor(ws, p, area);
    if (comparing->complete && !line_at(ws, p, 0)) {
        bool same = tt_comparison_summarize(comparing->comparison).identical;
        tt_draw(area, 1, p->as_list ? LIST : TABLE, area.width - 2, TT_ROLE_TEXT,
                same ? "A and B are equal" : "no row changed by more than it varies");
    }
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Returns the begin of the block with the largest value of a measure, or TT_BASELINE_NONE. */
static uint64_t largest_block(const struct tt_baseline *side, const struct tt_baseline_row *row,
                              uint32_t measure)
{
    const uint64_t *blocks = row->blocks ? row->blocks + (size_t)measure * side->block_count : NULL;
    uint32_t largest = 0;
    for (uint32_t i = 1; blocks && i < side->block_count; i++) {
        bool more = blocks[i] != TT_BASELINE_NONE &&
                    (blocks[largest] == TT_BASELINE_NONE || blocks[i] > blocks[largest]);
        largest = more ? i : largest;
    }
    return blocks ? tt_baseline_block_begin(side, largest) : TT_BASELINE_NONE;
}

/*
 * Returns the time of a change on a side: its largest sample, for a sum the block with the largest value,
 * else where the range or the view is.
 */
static uint64_t place_of(const struct tt_workspace *ws, const struct tt_comparison_change *change,
                         bool of_b)
{
    const struct tt_comparing *c = &ws->comparing;
    const struct tt_baseline *side =
        of_b ? tt_comparison_side_b(c->comparison) : tt_comparison_side_a(c->comparison);
    const struct tt_baseline_row *row = of_b ? change->row_b : change->row_a;
    uint64_t from = of_b ? c->keys_b.from_ticks : c->keys_a.from_ticks, at = TT_BASELINE_NONE;
    for (uint32_t m = 0; row->places && m < side->measure_count; m++) {
        if (strcmp(side->measures[m].key, change->measure->key) == 0) {
            at = row->places[m];
            at = at != TT_BASELINE_NONE ? at : largest_block(side, row, m);
        }
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
    if (ws->comparing.table == &tt_table_cpus) {
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
static void open_side(struct tt_workspace *ws, struct pane *p,
                      const struct tt_comparison_change *change)
{
    const struct tt_comparing *c = &ws->comparing;
    bool in_a = change->row_a && !tt_baseline_is_file(c->path_a);
    p->to_b = change->row_b && (p->of_b || !in_a);
    if (!p->to_b && !in_a) {
        tt_message_set(&ws->message, TT_ROLE_WARNING,
                       "A is a baseline, which has no places; the row is not in B");
        return;
    }
    if (!ws->host.show_file(ws->host.app, p->to_b ? c->path_b : c->path_a)) {
        return;
    }
    p->awaited = true;
    ws->nav.overlay = TT_OVERLAY_DIFF; /* the session of the capture has its own view */
    if (ws->index.progress.finished) {
        go(ws, p, change);
    }
}

/* Drops what belongs to the comparison so far; the table is freed when the next one is made. */
static void start_again(struct pane *p)
{
    p->list = (struct tt_list){0};
    p->table.column = p->table.first = 0;
    p->of_b = p->awaited = p->to_b = false;
}

static void change_table(struct tt_workspace *ws, struct pane *p, int step)
{
    struct tt_status status = tt_comparing_table(ws, tt_comparing_next(ws->comparing.table, step));
    if (tt_failed(&status)) {
        tt_message_set(&ws->message, TT_ROLE_ERROR, "%s", status.text);
    } else {
        start_again(p);
    }
}

/* Also goes to the awaited place; false then, because another view must be drawn. */
static bool pane_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    struct pane *p = state;
    const struct tt_comparison_change *change = p->awaited ? line_at(ws, p, p->list.at) : NULL;
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

static void step_column(struct pane *p, bool right)
{
    unsigned last = p->table.measure_count > 0 ? p->table.measure_count - 1 : 0;
    p->table.column += right ? p->table.column < last : 0u - (p->table.column > 0);
    p->of_b = p->awaited = false;
}

static struct tt_list *pane_list(void *state)
{
    return &((struct pane *)state)->list;
}

/* Enter begins with A on another row. */
static void pane_moved(struct tt_workspace *ws, void *state)
{
    struct pane *p = state;
    (void)ws;
    p->of_b = p->awaited = false;
}

static bool pane_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct pane *p = state;
    const struct tt_comparison_change *change = line_at(ws, p, p->list.at);
    if (action == TT_DO_GO) {
        if (change && ws->opened.trace) {
            open_side(ws, p, change);
        }
        return true;
    }
    if (action == TT_DO_DIFF_LIST) {
        p->as_list = !p->as_list;
        p->list = (struct tt_list){0};
        return true;
    }
    if (action == TT_DO_COLUMN_LEFT || action == TT_DO_COLUMN_RIGHT) {
        step_column(p, action == TT_DO_COLUMN_RIGHT);
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
    (void)y;
    if (!p->as_list && has_table(ws, p)) {
        tt_diff_table_click(&p->table, x);
    }
}

static void pane_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    const struct pane *p = state;
    const struct tt_comparison_change *change = line_at(ws, p, p->list.at);
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
    start_again(state);
}

/* ---- places of the history ------------------------------------------------------------------ */

static void pane_leave(const struct tt_workspace *ws, const void *state, struct tt_spot *spot)
{
    const struct pane *p = state;
    (void)ws;
    spot->numbers[0] = p->list.at;
    spot->numbers[1] = p->list.top;
    spot->numbers[2] = p->as_list;
    spot->numbers[3] = p->table.column;
    spot->numbers[4] = p->table.first;
}

static void pane_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    struct pane *p = state;
    (void)ws;
    tt_list_return(&p->list, spot->numbers[0], spot->numbers[1]);
    p->as_list = spot->numbers[2] != 0;
    p->table.column = (unsigned)spot->numbers[3];
    p->table.first = (unsigned)spot->numbers[4];
    p->awaited = false;
}

static const enum tt_do offers[] = {
    TT_DO_GO,   TT_DO_TABLE_NEXT, TT_DO_COLUMN_RIGHT, TT_DO_DIFF_LIST,
    TT_DO_COPY, TT_DO_HELP,       TT_DO_CANCEL,       TT_DO_NOTHING,
};

static const char *const about[] = {
    "A, B and the change of each value. !! worse, ! changed or better: by more than it varies "
    "within A "
    "and B; = less than 5 %. `tracetui diff` prints the same, as the list (o) does. :align: lanes "
    "of both.",
    "p: the probability of such a difference in any row without a change. See docs/diff.md.",
    NULL,
};

static const struct tt_verb verbs[] = {
    {TT_DO_GO, "go", "to this row in A, then in B; opens the file; :diff returns"},
    {TT_DO_NOTHING, NULL, NULL},
};

const struct tt_view tt_overlay_diff = {
    .about = about,
    .open = pane_open,
    .close = pane_close,
    .leave = pane_leave,
    .resume = pane_resume,
    .layout = pane_layout,
    .draw = pane_draw,
    .list = pane_list,
    .moved = pane_moved,
    .act = pane_act,
    .click = pane_click,
    .copy = pane_copy,
    .dismiss = pane_dismiss,
    .renew = pane_renew,
    .work = pane_work,
    .settled = pane_settled,
    .footer = offers,
    .verbs = verbs,
    .covers = true,
};
