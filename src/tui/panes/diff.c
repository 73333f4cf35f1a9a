/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff: the Diff pane: what changed from A to B, the largest change first: a table, or the list of `tracetui diff`.
 *
 *       A: before.kev  B: capture.kev                                  2 of 41 rows changed
 *                           run/s     mean slice
 *       thread              A       B    change
 *      ▌sensor/1 sample   1.13    1.31  +15.7 % !!
 *
 * In the table each row has the values of several measures on both sides, and their changes. Values with
 * a significant change in some row come first, then the others, each in the order of `stats`. The list has
 * a line per change that is not `unchanged`. It covers the view below it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "compare/changes.h"
#include "compare/comparison_text.h"
#include "table/registry.h"
#include "tui/draw/units.h"
#include "tui/panes/diff_compare.h"
#include "tui/panes/pane.h"

#define LIST         2 /* first line of the list */
#define TABLE        3 /* first line of the table */
#define CHANGE       5 /* place of the first column in the colour of the verdict */
#define CHANGE_WIDTH 9
#define NAME_LEAST   12
#define NAME_MOST    48
#define P_DECIMALS   4
/* In the table. */
#define SHORT_WIDTH 9 /* of a value, with a blank */
#define MARK_WIDTH  3
#define GROUP_WIDTH (2 * SHORT_WIDTH + CHANGE_WIDTH + MARK_WIDTH)

/* The rows and values of the table, of a comparison that is complete. */
struct table {
    const struct tt_comparison *comparison; /* that the arrays are of; NULL: none */
    unsigned version;                       /* see tt_comparing */
    size_t *rows;                           /* first change of each row */
    size_t row_count;
    size_t *changed; /* the changes in the list: all but those that are unchanged */
    size_t changed_count;
    const struct tt_baseline_measure *measures[TT_BASELINE_MEASURES]; /* of A, as they are shown */
    unsigned measure_count;
    unsigned column, first; /* the selected measure, and the first one shown */
    unsigned shown;         /* number of measures that fit */
    int name_width;
};

struct diff_pane {
    struct tt_rows rows;           /* of the list; its cursor is that of the table, too */
    struct tt_comparing comparing; /* ws->comparing, once there was one */
    struct table table;
    bool as_list;
    bool no_memory;
    bool laid_out; /* with all changes */
    bool of_b;     /* Enter went to A: the next one goes to B */
    bool awaited;  /* Enter opened a capture: the place is shown when it is indexed */
    bool to_b;     /* the side of that place */
};

static void diff_close(void *state)
{
    struct diff_pane *pane = state;
    free(pane->table.rows);
    free(pane->table.changed);
    tt_rows_free(&pane->rows);
    tt_compare_free(&pane->comparing);
}

/* Frees a comparison that is not complete: it needs the open capture. */
static void diff_drop(struct tt_workspace *ws, void *state)
{
    struct diff_pane *pane = state;
    (void)ws;
    if (!pane->comparing.complete) {
        tt_compare_free(&pane->comparing);
    }
}

/* Forgets the cursor on the comparison so far; the table is freed when the next one is made. */
static void start_again(struct diff_pane *pane)
{
    pane->rows.list = (struct tt_list){0};
    pane->table.column = pane->table.first = 0;
    pane->of_b = pane->awaited = pane->to_b = false;
}

static struct tt_status diff_begin(struct tt_workspace *ws, void *state, const char *text,
                                   const char **result)
{
    struct diff_pane *pane = state;
    const unsigned version = pane->comparing.version;
    struct tt_status status = tt_compare_begin(ws, &pane->comparing, text, result);
    ws->comparing = &pane->comparing;
    if (version != pane->comparing.version) {
        start_again(pane);
    }
    return status;
}

/* ---- rows and measures -------------------------------------------------------------------- */

/* Adds the measures that the changes have and that changed somewhere, or did not. */
static void add_measures(struct table *table, const struct tt_comparison_change *changes,
                         size_t count, bool changed)
{
    const struct tt_baseline *side = tt_comparison_side_a(table->comparison);
    for (uint32_t m = 0; m < side->measure_count; m++) {
        bool has = false, has_change = false;
        for (size_t i = 0; i < count && !has_change; i++) {
            bool is = changes[i].measure == &side->measures[m];
            has |= is && changes[i].row_a && changes[i].row_b;
            has_change = is && tt_comparison_is_change(changes[i].verdict);
        }
        if (has && has_change == changed) {
            table->measures[table->measure_count++] = &side->measures[m];
        }
    }
}

/* Makes the rows of a comparison that is complete; false if out of memory. */
static bool make_table(struct table *table, const struct tt_comparing *comparing)
{
    size_t count;
    const struct tt_comparison_change *changes =
        tt_comparison_changes(comparing->comparison, &count);
    if (table->comparison == comparing->comparison && table->version == comparing->version) {
        return true;
    }
    free(table->rows);
    free(table->changed);
    *table = (struct table){.rows = malloc((count + 1) * sizeof *table->rows),
                            .changed = malloc((count + 1) * sizeof *table->changed)};
    if (!table->rows || !table->changed) {
        return false;
    }
    table->comparison = comparing->comparison;
    table->version = comparing->version;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || changes[i].row_a != changes[i - 1].row_a ||
            changes[i].row_b != changes[i - 1].row_b) {
            table->rows[table->row_count++] = i;
        }
        if (changes[i].verdict != TT_COMPARISON_UNCHANGED) {
            table->changed[table->changed_count++] = i;
        }
    }
    add_measures(table, changes, count, true);
    add_measures(table, changes, count, false);
    if (table->measure_count == 0 && count > 0) { /* no row is on both sides */
        table->measures[table->measure_count++] = changes[0].measure;
    }
    return true;
}

/* Returns the first change of a row and their number. */
static const struct tt_comparison_change *diff_row_at(const struct table *table, size_t row,
                                                      size_t *entries)
{
    size_t count;
    const struct tt_comparison_change *changes = tt_comparison_changes(table->comparison, &count);
    if (row >= table->row_count) {
        return NULL;
    }
    *entries = (row + 1 < table->row_count ? table->rows[row + 1] : count) - table->rows[row];
    return &changes[table->rows[row]];
}

/* Returns the change of a measure in a row; NULL: the row is on one side only. */
static const struct tt_comparison_change *
diff_find_change(const struct tt_comparison_change *first, size_t entries,
                 const struct tt_baseline_measure *measure)
{
    for (size_t i = 0; first->row_a && first->row_b && i < entries; i++) {
        if (first[i].measure == measure) {
            return &first[i];
        }
    }
    return NULL;
}

/* Returns the change of the selected measure in a row, or of the row if it has none; NULL below it. */
static const struct tt_comparison_change *cell_at(const struct table *table, size_t row)
{
    size_t entries;
    const struct tt_comparison_change *first =
        table->comparison ? diff_row_at(table, row, &entries) : NULL;
    const struct tt_comparison_change *change =
        first && table->measure_count > 0
            ? diff_find_change(first, entries, table->measures[table->column])
            : NULL;
    return change ? change : first;
}

/* ---- lines -------------------------------------------------------------------------------- */

static bool has_table(const struct tt_workspace *ws, const struct diff_pane *pane)
{
    return ws->comparing->complete && pane->table.comparison == ws->comparing->comparison &&
           pane->table.version == ws->comparing->version;
}

/* Returns the change on a line of the list or the table; NULL below it. */
static const struct tt_comparison_change *line_at(const struct tt_workspace *ws,
                                                  const struct diff_pane *pane, size_t line)
{
    size_t count;
    if (!has_table(ws, pane)) {
        return NULL;
    }
    if (!pane->as_list) {
        return cell_at(&pane->table, line);
    }
    const size_t at = tt_rows_at(&pane->rows, line);
    return at < pane->table.changed_count
               ? &tt_comparison_changes(ws->comparing->comparison, &count)[pane->table.changed[at]]
               : NULL;
}

static void diff_make(const struct tt_workspace *ws, const void *state, size_t index,
                      struct tt_table_row *row)
{
    const struct diff_pane *pane = state;
    const struct tt_comparison *comparison = ws->comparing->comparison;
    size_t count;
    *(struct tt_change_row *)(void *)row = (struct tt_change_row){
        .change = &tt_comparison_changes(comparison, &count)[pane->table.changed[index]],
        .side = tt_comparison_side_a(comparison),
        .table = ws->comparing->table};
}

static enum tt_role diff_role_of(enum tt_comparison_verdict verdict)
{
    return verdict == TT_COMPARISON_WORSE     ? TT_ROLE_ERROR
           : verdict == TT_COMPARISON_BETTER  ? TT_ROLE_RUNNING
           : verdict == TT_COMPARISON_CHANGED ? TT_ROLE_WARNING
                                              : TT_ROLE_DIM;
}

static enum tt_role diff_role(const struct tt_table_column *column, const struct tt_table_row *row)
{
    const struct tt_change_row *of = (const void *)row;
    return column->is_key                   ? TT_ROLE_THREAD
           : column->screen.place >= CHANGE ? diff_role_of(of->change->verdict)
                                            : TT_ROLE_TEXT;
}

static bool diff_is_list(const void *state)
{
    return ((const struct diff_pane *)state)->as_list;
}

static const struct tt_rows_of rows_of_changes = {
    .table = &tt_table_changes, .make = diff_make, .role = diff_role, .shown = diff_is_list};

static void diff_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct diff_pane *pane = state;
    /* A step, so that small captures need no second frame. */
    pane->laid_out = tt_compare_work(ws, &pane->comparing, tt_now_ns());
    if (ws->comparing->complete) {
        const unsigned column = pane->table.column, first = pane->table.first;
        pane->no_memory = !make_table(&pane->table, ws->comparing);
        pane->table.column =
            pane->rows.list.returns ? column : pane->table.column; /* the one of the place */
        pane->table.first = pane->rows.list.returns ? first : pane->table.first;

        /* Divides the width, and scrolls to the selected measure. */
        struct table *table = &pane->table;
        int width = area.width;
        int room = (width - 1 - NAME_LEAST) / GROUP_WIDTH;
        table->shown = room < 1 ? 1 : (unsigned)room;
        table->shown = table->shown < table->measure_count ? table->shown : table->measure_count;
        const int rest = width - 1 - (int)table->shown * GROUP_WIDTH;
        table->name_width = rest < NAME_LEAST ? NAME_LEAST : rest > NAME_MOST ? NAME_MOST : rest;
        table->column = table->column < table->measure_count ? table->column : 0;
        table->first = table->column < table->first ? table->column
                       : table->column >= table->first + table->shown
                           ? table->column - table->shown + 1
                           : table->first;
    }
    const bool has = has_table(ws, pane);
    if (pane->as_list) {
        tt_rows_layout(ws, &pane->rows, &rows_of_changes, has ? pane->table.changed_count : 0,
                       ws->comparing->version, true, LIST - 1, area.height - LIST + 1);
    } else {
        tt_list_layout(&pane->rows.list, has ? pane->table.row_count : 0, TABLE,
                       area.height - TABLE - 1);
    }
}

/* ---- drawing ------------------------------------------------------------------------------ */

/* Appends a side: its file, and its range if both sides are in one file. */
static void diff_put_side(const struct tt_workspace *ws, struct tt_text *text, const char *path,
                          const struct tt_key_range *keys)
{
    const struct tt_comparing *comparing = ws->comparing;
    const char *name = tt_pane_file_name(path);
    bool open = strcmp(tt_trace_path(ws->opened.trace), path) == 0;
    if (strcmp(comparing->path_a, comparing->path_b) != 0 || !open) {
        tt_text_escaped(text, name, strlen(name));
    } else if (keys->to_ticks == UINT64_MAX) {
        tt_text_str(text, "all");
    } else {
        tt_text_put(text, "%s..%s", tt_words_moment(ws, keys->from_ticks).s,
                    tt_words_moment(ws, keys->to_ticks).s);
    }
}

static int group_x(const struct table *table, unsigned group)
{
    return 1 + table->name_width + (int)group * GROUP_WIDTH;
}

static void draw_table_heads(const struct tt_workspace *ws, const struct table *table,
                             struct tt_area area, int y)
{
    const struct tt_baseline *side = tt_comparison_side_a(table->comparison);
    tt_draw(area, 1, y + 1, table->name_width, TT_ROLE_COLUMNS, ws->comparing->table->name);
    for (unsigned i = 0; i < table->shown; i++) {
        char buffer[128];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        const struct tt_baseline_measure *measure = table->measures[table->first + i];
        int x = group_x(table, i);
        tt_comparison_put_measure(&text, measure);
        char unit_buffer[16];
        struct tt_text unit = tt_text_of(unit_buffer, sizeof unit_buffer);
        tt_text_str(&unit, tt_comparison_screen_unit(side, measure));
        tt_units_adopt(&unit, tt_term_glyph(&ws->term, TT_GLYPH_MICRO));
        tt_text_bytes(&text, unit_buffer, unit.used);
        bool more = i + 1 == table->shown && table->first + table->shown < table->measure_count;
        bool less = i == 0 && table->first > 0;
        tt_draw_right(area, x, y, GROUP_WIDTH - MARK_WIDTH,
                      table->first + i == table->column ? TT_ROLE_TITLE : TT_ROLE_COLUMNS,
                      tt_text_cstr(&text));
        if (less) {
            tt_draw(area, x + 1, y, 1, TT_ROLE_DIM, "<");
        }
        if (more) {
            tt_draw(area, x + GROUP_WIDTH - MARK_WIDTH + 1, y, 1, TT_ROLE_DIM, ">");
        }
        tt_draw_right(area, x, y + 1, SHORT_WIDTH, TT_ROLE_COLUMNS, "A");
        tt_draw_right(area, x + SHORT_WIDTH, y + 1, SHORT_WIDTH, TT_ROLE_COLUMNS, "B");
        tt_draw_right(area, x + 2 * SHORT_WIDTH, y + 1, CHANGE_WIDTH, TT_ROLE_COLUMNS, "change");
    }
}

/* Returns the value of a measure in a row of a side, or TT_BASELINE_NONE. */
static uint64_t value_in(const struct tt_baseline *baseline, const struct tt_baseline_row *row,
                         const struct tt_baseline_measure *measure)
{
    for (uint32_t m = 0; row && m < baseline->measure_count; m++) {
        if (strcmp(baseline->measures[m].key, measure->key) == 0) {
            return row->values[m];
        }
    }
    return TT_BASELINE_NONE;
}

static void draw_number(const struct tt_baseline *baseline, struct tt_area area, int x, int y,
                        const struct tt_baseline_measure *measure, uint64_t value)
{
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_comparison_put_short(&text, baseline, measure, value, SHORT_WIDTH - 1);
    tt_draw_right(area, x, y, SHORT_WIDTH, value == TT_BASELINE_NONE ? TT_ROLE_DIM : TT_ROLE_TEXT,
                  tt_text_cstr(&text));
}

/* Draws the change, "=" for one that is too small to be listed, and the mark of a significant one. */
static void draw_short_change(struct tt_area area, int x, int y,
                              const struct tt_comparison_change *change)
{
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    bool changed = tt_comparison_is_change(change->verdict);
    if (!changed && fabs(change->change) < TT_COMPARISON_MIN_CHANGE) {
        tt_text_char(&text, '=');
    } else {
        tt_comparison_put_change(&text, change);
    }
    tt_draw_right(area, x, y, CHANGE_WIDTH, diff_role_of(change->verdict), tt_text_cstr(&text));
    if (changed) {
        tt_draw(area, x + CHANGE_WIDTH + 1, y, 2, diff_role_of(change->verdict),
                change->verdict == TT_COMPARISON_WORSE ? "!!" : "!");
    }
}

static void draw_table_row(const struct table *table, struct tt_area area, int y, size_t row,
                           bool selected)
{
    size_t entries;
    const struct tt_comparison_change *first = diff_row_at(table, row, &entries);
    const struct tt_baseline *baseline = tt_comparison_side_a(table->comparison);
    const struct tt_baseline *b = tt_comparison_side_b(table->comparison);
    tt_draw(area, 1, y, table->name_width, TT_ROLE_THREAD, tt_comparison_name(first));
    for (unsigned i = 0; i < table->shown; i++) {
        const struct tt_baseline_measure *measure = table->measures[table->first + i];
        const struct tt_comparison_change *change = diff_find_change(first, entries, measure);
        int x = group_x(table, i);
        draw_number(baseline, area, x, y, measure, value_in(baseline, first->row_a, measure));
        draw_number(b, area, x + SHORT_WIDTH, y, measure, value_in(b, first->row_b, measure));
        if (change) {
            draw_short_change(area, x + 2 * SHORT_WIDTH, y, change);
        } else {
            tt_draw_right(area, x + 2 * SHORT_WIDTH, y, CHANGE_WIDTH, TT_ROLE_DIM,
                          tt_comparison_verdict_word(first->verdict));
        }
        if (selected && table->first + i == table->column) {
            tt_draw_over(area, x + 1, y, GROUP_WIDTH - MARK_WIDTH - 1, TT_ROLE_FIELD);
        }
    }
}

/* Draws the selected value in words. */
static void draw_cell_in_words(const struct table *table, struct tt_area area, int y, size_t row)
{
    char buffer[512];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const struct tt_baseline *side = tt_comparison_side_a(table->comparison);
    const struct tt_comparison_change *change = cell_at(table, row);
    if (!change) {
        return;
    }
    tt_text_put(&text, "%s: ", tt_comparison_name(change));
    tt_comparison_put_measure(&text, change->measure);
    tt_text_char(&text, ' ');
    tt_comparison_put_value(&text, side, change->measure, change->a);
    tt_text_str(&text, " -> ");
    tt_comparison_put_value(&text, side, change->measure, change->b);
    tt_text_put(&text, ", %s", tt_comparison_verdict_word(change->verdict));
    if (change->row_a && change->row_b) {
        tt_text_str(&text, ", p ");
        tt_comparison_put_fraction(&text, change->p, P_DECIMALS);
    }
    tt_draw_text(area, 1, y, area.width - 2, diff_role_of(change->verdict), buffer, text.used);
}

static void diff_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct diff_pane *pane = state;
    const struct tt_comparing *comparing = ws->comparing;
    char left[TT_PANE_LINE], right[128];
    struct tt_text title = tt_text_of(left, sizeof left), text = tt_text_of(right, sizeof right);
    if (pane->awaited ||
        (!comparing->complete && !tt_failed(&comparing->status) && !comparing->comparison)) {
        tt_text_str(&text, "waits for the index");
    } else if (comparing->complete) {
        struct tt_comparison_summary s = tt_comparison_summarize(comparing->comparison);
        tt_text_str(&text, s.identical ? "A and B are equal" : "");
        if (!s.identical) {
            tt_text_put(&text, "%ju of %ju%s", s.changed, s.rows,
                        s.rows == 1 ? " row changed" : " rows changed");
        }
    } else if (comparing->comparison) {
        tt_text_put(&text, "comparing %u %%", tt_comparison_percent(comparing->comparison));
    }
    tt_text_str(&title, "A: ");
    diff_put_side(ws, &title, comparing->path_a, &comparing->keys_a);
    tt_text_str(&title, "  B: ");
    diff_put_side(ws, &title, comparing->path_b, &comparing->keys_b);
    tt_pane_title(area, &title, &text,
                  comparing->complete && !pane->awaited ? TT_ROLE_TEXT : TT_ROLE_PROGRESS);
    if (tt_failed(&comparing->status) || pane->no_memory) {
        tt_draw(area, 1, LIST, area.width - 2, TT_ROLE_ERROR,
                pane->no_memory ? "out of memory" : comparing->status.text);
        return;
    }
    if (pane->as_list) {
        tt_rows_draw(ws, &pane->rows, &rows_of_changes, area);
    } else if (has_table(ws, pane)) {
        draw_table_heads(ws, &pane->table, area, 1);
        for (int i = 0; tt_list_row(&pane->rows.list, i) < pane->table.row_count; i++) {
            size_t row = tt_list_row(&pane->rows.list, i);
            draw_table_row(&pane->table, area, TABLE + i, row, row == pane->rows.list.at);
        }
        draw_cell_in_words(&pane->table, area, TABLE + pane->rows.list.lines, pane->rows.list.at);
        tt_list_draw_cursor(&pane->rows.list, &ws->term,
                            tt_area_part(area, 0, 0, pane->table.name_width + 1, area.height));
    }
    if (comparing->complete && !line_at(ws, pane, 0)) {
        bool same = tt_comparison_summarize(comparing->comparison).identical;
        tt_draw(area, 1, pane->as_list ? LIST : TABLE, area.width - 2, TT_ROLE_TEXT,
                same ? "A and B are equal" : "no row changed by more than it varies");
    }
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Returns the begin of the block with the largest value of a measure, or TT_BASELINE_NONE. */
static uint64_t largest_block(const struct tt_baseline *baseline, const struct tt_baseline_row *row,
                              uint32_t measure)
{
    const uint64_t *blocks =
        row->blocks ? row->blocks + (size_t)measure * baseline->block_count : NULL;
    uint32_t largest = 0;
    for (uint32_t i = 1; blocks && i < baseline->block_count; i++) {
        bool more = blocks[i] != TT_BASELINE_NONE &&
                    (blocks[largest] == TT_BASELINE_NONE || blocks[i] > blocks[largest]);
        largest = more ? i : largest;
    }
    return blocks ? tt_baseline_block_begin(baseline, largest) : TT_BASELINE_NONE;
}

/*
 * Returns the time of a change on a side: its largest sample, for a sum the block with the largest value,
 * else where the range or the view is.
 */
static uint64_t diff_place_of(const struct tt_workspace *ws,
                              const struct tt_comparison_change *change, bool of_b)
{
    const struct tt_comparing *comparing = ws->comparing;
    const struct tt_baseline *side = of_b ? tt_comparison_side_b(comparing->comparison)
                                          : tt_comparison_side_a(comparing->comparison);
    const struct tt_baseline_row *row = of_b ? change->row_b : change->row_a;
    uint64_t from = of_b ? comparing->keys_b.from_ticks : comparing->keys_a.from_ticks,
             at = TT_BASELINE_NONE;
    for (uint32_t m = 0; row->places && m < side->measure_count; m++) {
        if (strcmp(side->measures[m].key, change->measure->key) == 0) {
            at = row->places[m];
            at = at != TT_BASELINE_NONE ? at : largest_block(side, row, m);
        }
    }
    return at != TT_BASELINE_NONE ? at : from > 0 ? from : ws->nav.viewport.at;
}

/* Goes to the place of a change on a side, the capture of which is open and indexed. */
static void diff_go(struct tt_workspace *ws, struct diff_pane *pane,
                    const struct tt_comparison_change *change)
{
    const struct tt_baseline_row *row = pane->to_b ? change->row_b : change->row_a;
    uint64_t at = diff_place_of(ws, change, pane->to_b);
    pane->awaited = false;
    pane->of_b = !pane->to_b;
    if (ws->comparing->table == &tt_table_cpus) {
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
                   tt_comparison_name(change), pane->to_b ? "B" : "A",
                   change->row_a && change->row_b ? ", Enter goes to the other side" : "");
}

/* Opens the capture of the next side that has the row, A first, and goes to the place in it. */
static void diff_open_side(struct tt_workspace *ws, struct diff_pane *pane,
                           const struct tt_comparison_change *change)
{
    const struct tt_comparing *comparing = ws->comparing;
    bool in_a = change->row_a && !tt_baseline_is_file(comparing->path_a);
    pane->to_b = change->row_b && (pane->of_b || !in_a);
    if (!pane->to_b && !in_a) {
        tt_message_set(&ws->message, TT_ROLE_WARNING,
                       "A is a baseline, which has no places; the row is not in B");
        return;
    }
    if (!ws->host.show_file(ws->host.app, pane->to_b ? comparing->path_b : comparing->path_a)) {
        return;
    }
    pane->awaited = true;
    ws->nav.overlay = TT_OVERLAY_DIFF; /* the session of the capture has its own view */
    if (ws->index.progress.finished) {
        diff_go(ws, pane, change);
    }
}

/* Also goes to the awaited place; false then, because another view must be drawn. */
static bool diff_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    struct diff_pane *pane = state;
    const struct tt_comparison_change *change =
        pane->awaited ? line_at(ws, pane, pane->rows.list.at) : NULL;
    if (change && ws->index.progress.finished) {
        diff_go(ws, pane, change);
        return false;
    }
    return tt_compare_work(ws, &pane->comparing, tt_now_ns() + budget_ns) &&
           (budget_ns > 0 || pane->laid_out);
}

static bool diff_settled(const struct tt_workspace *ws, const void *state)
{
    const struct tt_comparing *comparing = ws->comparing;
    (void)state;
    return !comparing->path_a[0] || comparing->complete || tt_failed(&comparing->status);
}

/* Enter begins with A on another row. */
static void diff_moved(struct tt_workspace *ws, void *state)
{
    struct diff_pane *pane = state;
    (void)ws;
    pane->of_b = pane->awaited = false;
}

static bool diff_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct diff_pane *pane = state;
    const struct tt_comparison_change *change = line_at(ws, pane, pane->rows.list.at);
    if (action == TT_DO_GO) {
        if (change && ws->opened.trace) {
            diff_open_side(ws, pane, change);
        }
        return true;
    }
    if (action == TT_DO_DIFF_LIST) {
        pane->as_list = !pane->as_list;
        pane->rows.list = (struct tt_list){0};
        return true;
    }
    if (pane->as_list && tt_rows_act(&pane->rows, &rows_of_changes, action)) {
        return true;
    }
    if (action == TT_DO_COLUMN_LEFT || action == TT_DO_COLUMN_RIGHT) {
        unsigned last = pane->table.measure_count > 0 ? pane->table.measure_count - 1 : 0;
        pane->table.column += action == TT_DO_COLUMN_RIGHT ? pane->table.column < last
                                                           : 0u - (pane->table.column > 0);
        pane->of_b = pane->awaited = false;
        return true;
    }
    if (action == TT_DO_TABLE_NEXT || action == TT_DO_TABLE_PREVIOUS) {
        struct tt_status status =
            tt_compare_table(ws, &pane->comparing, action == TT_DO_TABLE_NEXT ? 1 : -1);
        if (tt_failed(&status)) {
            tt_message_set(&ws->message, TT_ROLE_ERROR, "%s", status.text);
        } else {
            start_again(pane);
        }
        return true;
    }
    return false;
}

static void diff_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct diff_pane *pane = state;
    (void)y;
    if (!pane->as_list && has_table(ws, pane)) {
        int group =
            x > pane->table.name_width ? (x - 1 - pane->table.name_width) / GROUP_WIDTH : -1;
        if (group >= 0 && (unsigned)group < pane->table.shown) {
            pane->table.column = pane->table.first + (unsigned)group;
        }
    }
}

/* Writes the changes, as `tracetui diff` does; those of the list in its order. */
static struct tt_status diff_write(struct tt_workspace *ws, void *state, FILE *file,
                                   const char *path, struct tt_text *what)
{
    struct diff_pane own = *(const struct diff_pane *)state;
    if (!own.as_list) {
        own.rows =
            (struct tt_rows){.list = {.count = has_table(ws, &own) ? own.table.changed_count : 0}};
    }
    return tt_rows_write(ws, &own.rows, &rows_of_changes, file, path, what);
}

static bool diff_dismiss(struct tt_workspace *ws, void *state)
{
    ((struct diff_pane *)state)->awaited = false;
    ws->nav.overlay = TT_OVERLAY_NONE;
    return true;
}

/* ---- places of the history ------------------------------------------------------------------ */

static const struct tt_member saved[] = {
    TT_MEMBER(struct diff_pane, as_list),
    TT_MEMBER(struct diff_pane, rows.chosen),
    TT_MEMBER(struct diff_pane, rows.sorted),
    TT_MEMBER(struct diff_pane, rows.upwards),
    TT_MEMBER(struct diff_pane, table.column),
    TT_MEMBER(struct diff_pane, table.first),
    {0, 0},
};

static void diff_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    (void)ws;
    (void)spot;
    ((struct diff_pane *)state)->awaited = false;
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
    .footer = offers,
    .verbs = verbs,
    .covers = true,
    .state_size = sizeof(struct diff_pane),
    .close = diff_close,
    .begin = diff_begin,
    .drop = diff_drop,
    .list = tt_pane_list,
    .moved = diff_moved,
    .layout = diff_layout,
    .work = diff_work,
    .settled = diff_settled,
    .draw = diff_draw,
    .act = diff_act,
    .click = diff_click,
    .dismiss = diff_dismiss,
    .rows = &rows_of_changes,
    .file = "diff.csv",
    .write = diff_write,
    .saved = saved,
    .resume = diff_resume,
};
