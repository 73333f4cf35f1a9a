/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/model/visible_rows.h"

uint64_t tt_visible_count(const struct tt_workspace *ws)
{
    return tt_filter_stack_all_shown(&ws->filters.stack)
               ? ws->index.rows
               : tt_row_set_count(ws->filters.stack.shown);
}

uint64_t tt_visible_rank(const struct tt_workspace *ws, uint64_t row)
{
    return tt_filter_stack_all_shown(&ws->filters.stack)
               ? row
               : tt_row_set_rank(ws->filters.stack.shown, row);
}

uint64_t tt_visible_row(const struct tt_workspace *ws, uint64_t rank)
{
    if (tt_filter_stack_all_shown(&ws->filters.stack)) {
        return rank < ws->index.rows ? rank : UINT64_MAX;
    }
    return tt_row_set_select(ws->filters.stack.shown, rank);
}

bool tt_visible_has(const struct tt_workspace *ws, uint64_t row)
{
    return tt_filter_stack_all_shown(&ws->filters.stack)
               ? row < ws->index.rows
               : tt_row_set_has(ws->filters.stack.shown, row);
}

static uint64_t visible_rows_distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/* Returns the nearest row of the list, or UINT64_MAX if it is not known. */
static uint64_t nearest(const struct tt_workspace *ws, uint64_t row)
{
    const struct tt_row_set *set = ws->filters.stack.shown;
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
    return visible_rows_distance(row, last) < visible_rows_distance(row, next) ? last : next;
}

void tt_visible_place_cursor(struct tt_workspace *ws)
{
    const struct tt_find *find = &ws->filters.find;
    if (tt_filter_stack_all_shown(&ws->filters.stack) || !ws->nav.cursor.valid) {
        return;
    }
    uint64_t row = ws->nav.cursor.row;
    if (find->prompt == TT_FIND_PROMPT_FILTER && find->anchor.valid) {
        row = tt_events_row_at_key(ws->opened.events, find->anchor.event.ticks,
                                   find->anchor.event.pos);
    } else if (tt_visible_has(ws, row)) {
        return;
    }
    row = tt_visible_has(ws, row) ? row : nearest(ws, row);
    if (row != UINT64_MAX && row != ws->nav.cursor.row) {
        bool moved = ws->nav.cursor_moved;
        tt_nav_go_row(ws, row);
        ws->nav.cursor_moved = moved;
    }
}
