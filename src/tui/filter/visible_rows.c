/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/filter/visible_rows.h"

uint64_t tt_visible_count(const struct tt_app *app)
{
    return tt_filter_stack_all_shown(&app->filters) ? app->rows
                                                    : tt_row_set_count(app->filters.shown);
}

uint64_t tt_visible_rank(const struct tt_app *app, uint64_t row)
{
    return tt_filter_stack_all_shown(&app->filters) ? row
                                                    : tt_row_set_rank(app->filters.shown, row);
}

uint64_t tt_visible_row(const struct tt_app *app, uint64_t rank)
{
    if (tt_filter_stack_all_shown(&app->filters)) {
        return rank < app->rows ? rank : UINT64_MAX;
    }
    return tt_row_set_select(app->filters.shown, rank);
}

bool tt_visible_has(const struct tt_app *app, uint64_t row)
{
    return tt_filter_stack_all_shown(&app->filters) ? row < app->rows
                                                    : tt_row_set_has(app->filters.shown, row);
}

uint64_t tt_app_visible_rows(const struct tt_app *app)
{
    return tt_visible_count(app);
}

uint64_t tt_app_visible_row(const struct tt_app *app, uint64_t k)
{
    return tt_visible_row(app, k);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* The nearest row of the list, or UINT64_MAX if it is not known which. */
static uint64_t nearest(const struct tt_app *app, uint64_t row)
{
    const struct tt_row_set *set = app->filters.shown;
    uint64_t from, to, rank = tt_row_set_rank(set, row);
    tt_row_set_known(set, &from, &to);
    if (row < from || row >= to) {
        return tt_row_set_whole(set) && tt_row_set_count(set) > 0
                   ? tt_row_set_select(set, tt_row_set_count(set) - 1)
                   : UINT64_MAX;
    }
    uint64_t next = tt_row_set_select(set, rank);
    uint64_t last = rank > 0 ? tt_row_set_select(set, rank - 1) : UINT64_MAX;
    if (next == UINT64_MAX || last == UINT64_MAX) {
        return next != UINT64_MAX ? next : last;
    }
    return distance(row, last) < distance(row, next) ? last : next;
}

void tt_visible_place_cursor(struct tt_app *app)
{
    const struct tt_find *find = &app->find;
    if (tt_filter_stack_all_shown(&app->filters) || !app->cursor.valid) {
        return;
    }
    uint64_t row = app->cursor.row;
    if (find->asking == TT_ASK_FILTER && find->anchor.valid) {
        row = tt_events_row_at_key(app->opened.events, find->anchor.event.ticks,
                                   find->anchor.event.pos);
    } else if (tt_visible_has(app, row)) {
        return;
    }
    row = tt_visible_has(app, row) ? row : nearest(app, row);
    if (row != UINT64_MAX && row != app->cursor.row) {
        bool moved = app->cursor_moved;
        tt_app_go_row(app, row);
        app->cursor_moved = moved;
    }
}
