/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/panes/diff_table.h"
#include "tui/draw/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tracetui/comparison_text.h"

#define VALUE_WIDTH  9 /* with a blank */
#define CHANGE_WIDTH 9
#define MARK_WIDTH   3
#define GROUP_WIDTH  (2 * VALUE_WIDTH + CHANGE_WIDTH + MARK_WIDTH)
#define NAME_LEAST   12
#define NAME_MOST    48
#define P_DECIMALS   4

enum tt_role tt_diff_role(enum tt_comparison_verdict verdict)
{
    return verdict == TT_COMPARISON_WORSE     ? TT_ROLE_ERROR
           : verdict == TT_COMPARISON_BETTER  ? TT_ROLE_RUNNING
           : verdict == TT_COMPARISON_CHANGED ? TT_ROLE_WARNING
                                              : TT_ROLE_DIM;
}

/* ---- rows and measures -------------------------------------------------------------------- */

void tt_diff_table_free(struct tt_diff_table *t)
{
    free(t->rows);
    *t = (struct tt_diff_table){0};
}

static bool is_of_row(const struct tt_comparison_change *x, const struct tt_comparison_change *y)
{
    return x->row_a == y->row_a && x->row_b == y->row_b;
}

/* Adds the measures that the changes have and that changed somewhere, or did not. */
static void add_measures(struct tt_diff_table *t, const struct tt_comparison_change *changes,
                         size_t count, bool changed)
{
    const struct tt_baseline *side = tt_comparison_side_a(t->comparison);
    for (uint32_t m = 0; m < side->measure_count; m++) {
        bool has = false, has_change = false;
        for (size_t i = 0; i < count && !has_change; i++) {
            bool is = changes[i].measure == &side->measures[m];
            has |= is && changes[i].row_a && changes[i].row_b;
            has_change = is && tt_comparison_is_change(changes[i].verdict);
        }
        if (has && has_change == changed) {
            t->measures[t->measure_count++] = &side->measures[m];
        }
    }
}

bool tt_diff_table_make(struct tt_diff_table *t, const struct tt_comparing *comparing)
{
    size_t count;
    const struct tt_comparison_change *changes =
        tt_comparison_changes(comparing->comparison, &count);
    if (t->comparison == comparing->comparison && t->version == comparing->version) {
        return true;
    }
    tt_diff_table_free(t);
    t->rows = malloc((count + 1) * sizeof *t->rows);
    if (!t->rows) {
        return false;
    }
    t->comparison = comparing->comparison;
    t->version = comparing->version;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || !is_of_row(&changes[i], &changes[i - 1])) {
            t->rows[t->row_count++] = i;
        }
    }
    add_measures(t, changes, count, true);
    add_measures(t, changes, count, false);
    if (t->measure_count == 0 && count > 0) { /* no row is on both sides */
        t->measures[t->measure_count++] = changes[0].measure;
    }
    return true;
}

void tt_diff_table_layout(struct tt_diff_table *t, int width)
{
    int room = (width - 1 - NAME_LEAST) / GROUP_WIDTH;
    t->shown = room < 1 ? 1 : (unsigned)room;
    t->shown = t->shown < t->measure_count ? t->shown : t->measure_count;
    t->name_width = width - 1 - (int)t->shown * GROUP_WIDTH;
    t->name_width = t->name_width < NAME_LEAST  ? NAME_LEAST
                    : t->name_width > NAME_MOST ? NAME_MOST
                                                : t->name_width;
    t->column = t->column < t->measure_count ? t->column : 0;
    t->first = t->column < t->first               ? t->column
               : t->column >= t->first + t->shown ? t->column - t->shown + 1
                                                  : t->first;
}

/* Returns the first change of a row and their number. */
static const struct tt_comparison_change *row_at(const struct tt_diff_table *t, size_t row,
                                                 size_t *entries)
{
    size_t count;
    const struct tt_comparison_change *changes = tt_comparison_changes(t->comparison, &count);
    if (row >= t->row_count) {
        return NULL;
    }
    *entries = (row + 1 < t->row_count ? t->rows[row + 1] : count) - t->rows[row];
    return &changes[t->rows[row]];
}

/* Returns the change of a measure in a row; NULL: the row is on one side only. */
static const struct tt_comparison_change *find_change(const struct tt_comparison_change *first,
                                                      size_t entries,
                                                      const struct tt_baseline_measure *measure)
{
    for (size_t i = 0; first->row_a && first->row_b && i < entries; i++) {
        if (first[i].measure == measure) {
            return &first[i];
        }
    }
    return NULL;
}

const struct tt_comparison_change *tt_diff_table_at(const struct tt_diff_table *t, size_t row)
{
    size_t entries;
    const struct tt_comparison_change *first = t->comparison ? row_at(t, row, &entries) : NULL;
    const struct tt_comparison_change *change =
        first && t->measure_count > 0 ? find_change(first, entries, t->measures[t->column]) : NULL;
    return change ? change : first;
}

/* ---- drawing ------------------------------------------------------------------------------ */

static int group_x(const struct tt_diff_table *t, unsigned group)
{
    return 1 + t->name_width + (int)group * GROUP_WIDTH;
}

void tt_diff_table_click(struct tt_diff_table *t, int x)
{
    int group = x > t->name_width ? (x - 1 - t->name_width) / GROUP_WIDTH : -1;
    if (group >= 0 && (unsigned)group < t->shown) {
        t->column = t->first + (unsigned)group;
    }
}

void tt_diff_table_draw_heads(const struct tt_workspace *ws, const struct tt_diff_table *t,
                              struct tt_area area, int y)
{
    const struct tt_baseline *side = tt_comparison_side_a(t->comparison);
    tt_draw(area, 1, y + 1, t->name_width, TT_ROLE_COLUMNS, ws->comparing.table->name);
    for (unsigned i = 0; i < t->shown; i++) {
        char buffer[128];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        const struct tt_baseline_measure *measure = t->measures[t->first + i];
        int x = group_x(t, i);
        tt_comparison_put_measure(&text, measure);
        char unit_buffer[16];
        struct tt_text unit = tt_text_of(unit_buffer, sizeof unit_buffer);
        tt_text_str(&unit, tt_comparison_screen_unit(side, measure));
        tt_units_adopt(&unit, tt_term_glyph(&ws->term, TT_GLYPH_MICRO));
        tt_text_bytes(&text, unit_buffer, unit.used);
        bool more = i + 1 == t->shown && t->first + t->shown < t->measure_count;
        bool less = i == 0 && t->first > 0;
        tt_draw_right(area, x, y, GROUP_WIDTH - MARK_WIDTH,
                      t->first + i == t->column ? TT_ROLE_TITLE : TT_ROLE_COLUMNS,
                      tt_text_cstr(&text));
        if (less) {
            tt_draw(area, x + 1, y, 1, TT_ROLE_DIM, "<");
        }
        if (more) {
            tt_draw(area, x + GROUP_WIDTH - MARK_WIDTH + 1, y, 1, TT_ROLE_DIM, ">");
        }
        tt_draw_right(area, x, y + 1, VALUE_WIDTH, TT_ROLE_COLUMNS, "A");
        tt_draw_right(area, x + VALUE_WIDTH, y + 1, VALUE_WIDTH, TT_ROLE_COLUMNS, "B");
        tt_draw_right(area, x + 2 * VALUE_WIDTH, y + 1, CHANGE_WIDTH, TT_ROLE_COLUMNS, "change");
    }
}

/* Returns the value of a measure in a row of a side, or TT_BASELINE_NONE. */
static uint64_t value_in(const struct tt_baseline *side, const struct tt_baseline_row *row,
                         const struct tt_baseline_measure *measure)
{
    for (uint32_t m = 0; row && m < side->measure_count; m++) {
        if (strcmp(side->measures[m].key, measure->key) == 0) {
            return row->values[m];
        }
    }
    return TT_BASELINE_NONE;
}

static void draw_number(const struct tt_baseline *side, struct tt_area area, int x, int y,
                        const struct tt_baseline_measure *measure, uint64_t value)
{
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_comparison_put_short(&text, side, measure, value, VALUE_WIDTH - 1);
    tt_draw_right(area, x, y, VALUE_WIDTH, value == TT_BASELINE_NONE ? TT_ROLE_DIM : TT_ROLE_TEXT,
                  tt_text_cstr(&text));
}

/* Draws the change, "=" for one that is too small to be listed, and the mark of a significant one. */
static void draw_change(struct tt_area area, int x, int y, const struct tt_comparison_change *c)
{
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    bool changed = tt_comparison_is_change(c->verdict);
    if (!changed && fabs(c->change) < TT_COMPARISON_MIN_CHANGE) {
        tt_text_char(&text, '=');
    } else {
        tt_comparison_put_change(&text, c);
    }
    tt_draw_right(area, x, y, CHANGE_WIDTH, tt_diff_role(c->verdict), tt_text_cstr(&text));
    if (changed) {
        tt_draw(area, x + CHANGE_WIDTH + 1, y, 2, tt_diff_role(c->verdict),
                c->verdict == TT_COMPARISON_WORSE ? "!!" : "!");
    }
}

void tt_diff_table_draw_row(const struct tt_diff_table *t, struct tt_area area, int y, size_t row,
                            bool selected)
{
    size_t entries;
    const struct tt_comparison_change *first = row_at(t, row, &entries);
    const struct tt_baseline *a = tt_comparison_side_a(t->comparison);
    const struct tt_baseline *b = tt_comparison_side_b(t->comparison);
    tt_draw(area, 1, y, t->name_width, TT_ROLE_THREAD, tt_comparison_name(first));
    for (unsigned i = 0; i < t->shown; i++) {
        const struct tt_baseline_measure *measure = t->measures[t->first + i];
        const struct tt_comparison_change *change = find_change(first, entries, measure);
        int x = group_x(t, i);
        draw_number(a, area, x, y, measure, value_in(a, first->row_a, measure));
        draw_number(b, area, x + VALUE_WIDTH, y, measure, value_in(b, first->row_b, measure));
        if (change) {
            draw_change(area, x + 2 * VALUE_WIDTH, y, change);
        } else {
            tt_draw_right(area, x + 2 * VALUE_WIDTH, y, CHANGE_WIDTH, TT_ROLE_DIM,
                          tt_comparison_verdict_word(first->verdict));
        }
        if (selected && t->first + i == t->column) {
            tt_draw_over(area, x + 1, y, GROUP_WIDTH - MARK_WIDTH - 1, TT_ROLE_FIELD);
        }
    }
}

void tt_diff_table_draw_value(const struct tt_diff_table *t, struct tt_area area, int y, size_t row)
{
    char buffer[512];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const struct tt_baseline *side = tt_comparison_side_a(t->comparison);
    const struct tt_comparison_change *c = tt_diff_table_at(t, row);
    if (!c) {
        return;
    }
    tt_text_str(&text, tt_comparison_name(c));
    tt_text_str(&text, ": ");
    tt_comparison_put_measure(&text, c->measure);
    tt_text_char(&text, ' ');
    tt_comparison_put_value(&text, side, c->measure, c->a);
    tt_text_str(&text, " -> ");
    tt_comparison_put_value(&text, side, c->measure, c->b);
    tt_text_str(&text, ", ");
    tt_text_str(&text, tt_comparison_verdict_word(c->verdict));
    if (c->row_a && c->row_b) {
        tt_text_str(&text, ", p ");
        tt_comparison_put_fraction(&text, c->p, P_DECIMALS);
    }
    tt_draw_text(area, 1, y, area.width - 2, tt_diff_role(c->verdict), buffer, text.used);
}
