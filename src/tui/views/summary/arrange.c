/* SPDX-License-Identifier: Apache-2.0 */
/* summary/arrange: the steps from the rows of a sheet to those of the table. */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tui/views/summary/table.h"

/* Rows between two checks of the clock. */
#define ROWS_AT_ONCE 64u
/* A small table is arranged at once on any machine, before the clock is read. */
#define ROWS_FEW     512u
#define PIECES_LEAST (5 * ROWS_FEW / ROWS_AT_ONCE)
#define LIST_WORK    32u   /* of a row that the sheet lists, see tt_table_refresh_step */
#define MEASURE_MOST 1000u /* rows measured here; `work` measures the rest */
#define NO_ITEM      UINT32_MAX
#define NAME_BYTES   512

/* ---- items -------------------------------------------------------------------------------- */

/* A sort item; small, as many may have to be sorted within a frame. */
struct tt_summary_item {
    union {
        uint64_t number;
        const char *text; /* points into the names */
    };
    uint32_t row;
    uint16_t length;
    bool idle : 1;
    bool none : 1;
    bool downwards : 1;
    bool is_text : 1;
};

/* Returns whether an item has its place after another: the last row is the first of the heap. */
static bool summary_arrange_comes_after(const void *x, const void *y)
{
    const struct tt_summary_item *left = x, *right = y;
    /* Idle threads, then unknown values come last in either direction. */
    if (left->idle != right->idle || left->none != right->none) {
        return left->idle != right->idle ? left->idle : left->none;
    }
    int order = 0;
    if (left->is_text && right->is_text) {
        size_t length = left->length < right->length ? left->length : right->length;
        order = memcmp(left->text, right->text, length);
        order = order ? order : (left->length > right->length) - (left->length < right->length);
    } else if (!left->is_text && !right->is_text) {
        order = (left->number > right->number) - (left->number < right->number);
    } else {
        order = left->is_text - right->is_text;
    }
    order = left->downwards ? -order : order;
    return order ? order > 0 : left->row > right->row;
}

/* Fills in a row's value in the sorted column; a text is stored in the names, as far as there is room. */
static void fill_item(struct tt_summary_table *tab, uint32_t row,
                      const struct tt_table_row *table_row, struct tt_summary_item *item)
{
    struct tt_summary_arranging *arranging = &tab->arranging;
    const struct tt_table_column *column = tab->columns.v[tab->sorted].stat;
    const size_t left = arranging->names_room - arranging->names_used;
    struct tt_table_cell cell =
        tt_table_cell_of(&tab->sheet, column, table_row, arranging->names + arranging->names_used,
                         left < NAME_BYTES ? left : NAME_BYTES);
    *item = (struct tt_summary_item){.number = cell.number, .row = row};
    item->idle = tt_table_is_idle(tab->table, table_row);
    item->downwards = tab->downwards;
    item->none = cell.kind == TT_CELL_NONE ||
                 (tt_summary_settles_late(column) && !tt_table_is_settled(tab->table, table_row));
    if (cell.kind == TT_CELL_SIGNED) {
        item->number = (uint64_t)cell.signed_number ^ UINT64_C(1) << 63;
    } else if (cell.kind == TT_CELL_TEXT) {
        item->is_text = true;
        item->text = cell.text.buffer;
        item->length = (uint16_t)cell.text.used;
        arranging->names_used += cell.text.used;
    }
}

#define BLAME_SHARE 100u /* of a row of Blame has to be more than idle waits */

static bool summary_arrange_is_shown(const struct tt_summary_table *tab,
                                     const struct tt_table_row *row)
{
    if (tab->hides_idle && tab->table == &tt_table_blame) {
        /* Handlers of interrupts also wait for their interrupt for some ticks when they are ready. */
        const uint64_t total = tt_table_number(tab->table, row, "total");
        return total - tt_table_number(tab->table, row, "idle") > total / BLAME_SHARE;
    }
    return !tab->hides_idle || tab->table != &tt_table_threads ||
           (!tt_table_is_idle(tab->table, row) && tt_table_number(tab->table, row, "run") > 0);
}

/* ---- steps -------------------------------------------------------------------------------- */

static void free_items(struct tt_summary_arranging *arranging)
{
    free(arranging->items);
    free(arranging->names);
    arranging->items = NULL;
    arranging->names = NULL;
}

void tt_summary_arrange_free(struct tt_summary_table *tab)
{
    free_items(&tab->arranging);
    tab->arranging = (struct tt_summary_arranging){0};
}

void tt_summary_arrange_begin(struct tt_summary_table *tab, bool refresh, bool final)
{
    const struct tt_summary_arranging was = tab->arranging;
    const bool measures = !refresh && was.stage == TT_ARRANGE_MEASURE;
    tt_summary_arrange_free(tab);
    tab->arranging = (struct tt_summary_arranging){
        .stage = refresh || was.stage == TT_ARRANGE_REFRESH ? TT_ARRANGE_REFRESH
                 : measures                                 ? TT_ARRANGE_MEASURE
                                                            : TT_ARRANGE_READ,
        .next = measures ? was.next : 0,
        .final = final,
        .spent = was.stage == TT_ARRANGE_NOTHING ? 0 : was.spent};
}

static void refresh_some(struct tt_summary_table *tab)
{
    bool done = false;
    struct tt_status status = tt_table_refresh_step(&tab->sheet, ROWS_AT_ONCE * LIST_WORK, &done);
    tab->arranging.failed |= tt_failed(&status);
    if (done) {
        tab->arranging.stage = TT_ARRANGE_MEASURE;
        tab->arranging.next = 0;
    }
}

static void measure_some(struct tt_summary_table *tab, const struct tt_workspace *ws)
{
    struct tt_summary_arranging *arranging = &tab->arranging;
    bool all = tt_summary_columns_measure(&tab->columns, ws, &tab->sheet, ROWS_AT_ONCE);
    arranging->next += ROWS_AT_ONCE;
    if (all || arranging->next >= MEASURE_MOST) {
        tab->unmeasured = !all && arranging->final;
        arranging->stage = TT_ARRANGE_READ;
        arranging->next = 0;
    }
}

/* Returns the packed row of the cursor; NULL: there is none, or the cursor stays at an end. */
static const uint8_t *cursor_of(const struct tt_summary_table *tab)
{
    return tab->list.at < tab->count && tab->list.end == 0 ? tab->rows[tab->list.at] : NULL;
}

static void read_some(struct tt_summary_table *tab)
{
    struct tt_summary_arranging *arranging = &tab->arranging;
    const size_t rows = tab->sheet.count;
    if (!arranging->items) { /* large memory has no cost before it is used */
        const bool names = tt_unit_has_text(tab->columns.v[tab->sorted].stat->unit);
        arranging->items = malloc((rows + 1) * sizeof *arranging->items);
        arranging->names_room = (names ? rows + 1 : 1) * NAME_BYTES;
        arranging->names = malloc(arranging->names_room);
        arranging->cursor = cursor_of(tab);
        arranging->found = NO_ITEM;
        arranging->failed = !arranging->items || !arranging->names;
    }
    if (arranging->failed) {
        return;
    }
    size_t end = arranging->next + ROWS_AT_ONCE < rows ? arranging->next + ROWS_AT_ONCE : rows;
    for (; arranging->next < end; arranging->next++) {
        struct tt_table_row row;
        tt_table_row_at(&tab->sheet, arranging->next, &row);
        if (!summary_arrange_is_shown(tab, &row)) {
            continue;
        }
        if (arranging->found == NO_ITEM && tab->list.end == 0 &&
            tt_subject_is(&row.of, &tab->row)) {
            arranging->found = (uint32_t)arranging->next;
        }
        fill_item(tab, (uint32_t)arranging->next, &row, &arranging->items[arranging->count++]);
    }
    arranging->stage = arranging->next == rows ? TT_ARRANGE_SORT : TT_ARRANGE_READ;
}

/* ---- the end ------------------------------------------------------------------------------ */

/* Returns the new place of the cursor's row; the old one if there is no such row. */
static size_t place_of_cursor(const struct tt_summary_table *tab)
{
    const struct tt_summary_arranging *arranging = &tab->arranging;
    const uint8_t *cursor = cursor_of(tab);
    bool same = cursor == arranging->cursor;
    if (tab->list.end != 0) {
        return tab->list.at;
    }
    for (uint32_t i = 0; same && arranging->found != NO_ITEM && i < arranging->count; i++) {
        if (arranging->items[i].row == arranging->found) {
            return i;
        }
    }
    for (int packed = 1; !same && packed >= 0; packed--) {
        for (uint32_t i = 0; i < arranging->count; i++) {
            const uint8_t *at = tab->sheet.rows[arranging->items[i].row];
            struct tt_table_row row;
            if (!packed) {
                tt_table_unpack(tab->sheet.table, at, &row);
            }
            if (packed ? at == cursor : tt_subject_is(&row.of, &tab->row)) {
                return i;
            }
        }
    }
    return tab->list.at;
}

/* Gives the table its rows; the sheet keeps them while they are shown. */
static void adopt(struct tt_summary_table *tab)
{
    struct tt_summary_arranging *arranging = &tab->arranging;
    size_t at = place_of_cursor(tab);
    if (tab->room < arranging->count || !tab->rows) {
        const uint8_t **list = realloc(tab->rows, ((size_t)arranging->count + 1) * sizeof *list);
        if (!list) {
            arranging->failed = true;
            tab->count = 0;
            return;
        }
        tab->rows = list;
        tab->room = arranging->count;
    }
    for (uint32_t i = 0; i < arranging->count; i++) {
        tab->rows[i] = tab->sheet.rows[arranging->items[i].row];
    }
    tab->count = arranging->count;
    tab->list.at = at;
    tt_table_hold(&tab->sheet);
    arranging->stage = TT_ARRANGE_NOTHING;
}

bool tt_summary_arrange_step(struct tt_summary_table *tab, const struct tt_workspace *ws,
                             uint64_t until)
{
    struct tt_summary_arranging *arranging = &tab->arranging;
    arranging->failed |=
        arranging->stage != TT_ARRANGE_NOTHING && !tab->sheet.store; /* no memory to begin a run */
    for (unsigned pieces = 1; arranging->stage != TT_ARRANGE_NOTHING && !arranging->failed;
         pieces++) {
        /* Pieces that are done before the clock is read; a refresh has not counted its rows yet. */
        unsigned least = tab->sheet.count > ROWS_FEW              ? 1
                         : arranging->stage == TT_ARRANGE_REFRESH ? ROWS_FEW / ROWS_AT_ONCE
                                                                  : PIECES_LEAST;
        switch (arranging->stage) {
        case TT_ARRANGE_REFRESH:
            refresh_some(tab);
            break;
        case TT_ARRANGE_MEASURE:
            measure_some(tab, ws);
            break;
        case TT_ARRANGE_READ:
            read_some(tab);
            break;
        default:
            if (tt_heap_sort_step(arranging->items, arranging->count, sizeof *arranging->items,
                                  &arranging->sort, ROWS_AT_ONCE, summary_arrange_comes_after)) {
                adopt(tab);
            }
            break;
        }
        if (pieces >= least && tt_now_ns() >= until) {
            break;
        }
    }
    bool done = arranging->stage == TT_ARRANGE_NOTHING || arranging->failed;
    if (done) {
        tab->failed |= arranging->failed;
        arranging->stage = TT_ARRANGE_NOTHING;
        free_items(arranging);
    }
    return done;
}
