/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/views/summary/columns.h"

#include <string.h>

#include "base/text_units.h"
#include "table/namesakes.h"
#include "tracetui/event_line.h"
#include "tui/draw/thread_label.h"
#include "tui/draw/units.h"
#include "tui/lanes/counters.h"
#include "tui/model/workspace.h"
#include "tui/views/summary/foot.h"
#include "tui/views/summary/table.h"

#define VALUE_BYTES   512
#define NAME_LEAST    9
#define NAME_FIRST    14 /* width of a name when the main columns are placed */
#define NAME_SECOND   24 /* and when the other columns are */
#define NAME_MOST     40
#define FINE_FROM     110 /* minimum screen width for more digits */
#define LONG_COUNT    9999999u
#define SPARE_RANK    15
#define MEASURED_RANK 4
#define FINE_TIMES    6 /* decimals of a point in time in seconds */
#define COARSE_TIMES  4
#define BAR_WIDTH     10 /* of the parts of a service */
#define REAL_WIDTH    8

#define UNIT_TICKS (TT_TIME_S + 1) /* beside enum tt_time_unit */

void tt_summary_columns_open(struct tt_summary_columns *columns, const struct tt_table *table)
{
    memset(columns, 0, sizeof *columns);
    for (size_t i = 0; i < table->column_count && columns->count < TT_SUMMARY_COLUMNS; i++) {
        const struct tt_table_column *stat = &table->columns[i];
        unsigned at = columns->count;
        if (stat->screen.place == 0) {
            continue;
        }
        for (; at > 0 && columns->v[at - 1].stat->screen.place > stat->screen.place; at--) {
            columns->v[at] = columns->v[at - 1];
        }
        columns->v[at] = (struct tt_summary_column){.stat = stat};
        columns->count++;
    }
}

struct tt_summary_column *tt_summary_column_find(struct tt_summary_columns *columns,
                                                 const char *key)
{
    for (unsigned i = 0; i < columns->count; i++) {
        if (strcmp(columns->v[i].stat->key, key) == 0) {
            return &columns->v[i];
        }
    }
    return NULL;
}

static bool same_group(const struct tt_summary_column *left, const struct tt_summary_column *right)
{
    return left->stat->screen.group[0] != '\0' &&
           strcmp(left->stat->screen.group, right->stat->screen.group) == 0;
}

static bool summary_columns_is_length(const struct tt_summary_column *column)
{
    return tt_unit_is_time(column->stat->unit) && column->stat->unit != TT_UNIT_AT;
}

void tt_summary_column_title(const struct tt_summary_column *column, struct tt_text *text)
{
    tt_text_str(text, column->stat->screen.group);
    if (column->stat->screen.group[0] != '\0' && column->stat->screen.head[0] != '\0') {
        tt_text_char(text, ' ');
    }
    tt_text_str(text, column->stat->screen.head);
}

/* ---- measuring ---------------------------------------------------------------------------- */

void tt_summary_columns_renew(struct tt_summary_columns *columns, bool other_sheet)
{
    columns->measured = 0;
    for (unsigned i = 0; i < columns->count; i++) {
        columns->v[i].pass_max = 0;
        columns->v[i].pass_known = false;
        columns->v[i].max = other_sheet ? 0 : columns->v[i].max;
        columns->v[i].empty &= !other_sheet;
    }
}

static void measure_row(struct tt_summary_columns *columns, const struct tt_workspace *ws,
                        const struct tt_table_run *sheet, const struct tt_table_row *row)
{
    char buffer[VALUE_BYTES];
    for (unsigned i = 0; i < columns->count; i++) {
        struct tt_summary_column *column = &columns->v[i];
        const bool is_there = !tt_table_is_unexplained(sheet->table, column->stat, row);
        struct tt_table_cell cell =
            tt_table_cell_of(sheet, column->stat, row, buffer, sizeof buffer);
        const int64_t number = cell.signed_number;
        const uint64_t value =
            cell.kind == TT_CELL_TEXT
                ? (uint64_t)tt_grid_columns(&ws->term.grid, cell.text.buffer, cell.text.used)
            : cell.kind != TT_CELL_SIGNED ? cell.number
            : number < 0                  ? 0 - (uint64_t)number * 10
                                          : (uint64_t)number;
        column->pass_max = value > column->pass_max ? value : column->pass_max;
        column->pass_known |= cell.kind != TT_CELL_NONE && is_there;
    }
}

/* Chooses the usual units of the columns (us or ms), unless they do not suit the values of a group. */
static void choose_units(struct tt_summary_columns *columns, bool clock)
{
    for (unsigned i = 0; i < columns->count; i++) {
        struct tt_summary_column *column = &columns->v[i];
        uint64_t max = column->max;
        for (unsigned j = 0; j < columns->count && summary_columns_is_length(column); j++) {
            const struct tt_summary_column *other = &columns->v[j];
            if (summary_columns_is_length(other) && same_group(column, other) && other->max > max) {
                max = other->max;
            }
        }
        if (!clock) {
            column->unit = UNIT_TICKS;
        } else {
            column->unit = tt_time_unit_of(max, column->stat->unit == TT_UNIT_TIME_MS);
        }
    }
}

bool tt_summary_columns_measure(struct tt_summary_columns *columns, const struct tt_workspace *ws,
                                const struct tt_table_run *sheet, size_t rows)
{
    size_t first = columns->measured < sheet->count ? columns->measured : sheet->count;
    size_t end = rows < sheet->count - first ? first + rows : sheet->count;
    bool all = end == sheet->count;
    for (size_t i = first; i < end; i++) {
        struct tt_table_row row;
        tt_table_row_at(sheet, i, &row);
        measure_row(columns, ws, sheet, &row);
    }
    for (unsigned i = 0; i < columns->count; i++) {
        struct tt_summary_column *column = &columns->v[i];
        column->max = all || column->pass_max > column->max ? column->pass_max : column->max;
        column->empty = all ? sheet->complete && sheet->count > 0 && !column->pass_known
                            : column->empty && !column->pass_known;
    }
    columns->measured = end;
    if (all) {
        tt_summary_columns_renew(columns, false);
    }
    choose_units(columns, sheet->capture->clock_hz != 0);
    return all;
}

/* ---- values ------------------------------------------------------------------------------- */

static void write_scaled(struct tt_text *text, uint64_t value, uint64_t unit, unsigned decimals)
{
    uint64_t parts = 1;
    unsigned digits = 0;
    for (; digits < decimals && parts < unit; digits++) {
        parts *= 10;
    }
    tt_text_u64(text, value / unit);
    if (digits > 0) {
        tt_text_char(text, '.');
        tt_text_u64_width(text, value % unit / (unit / parts), digits, '0');
    }
}

/* Appends a point in time, in seconds from the start of the capture or in ticks. */
static void write_moment(const struct tt_summary_columns *columns, const struct tt_workspace *ws,
                         struct tt_text *text, uint64_t ticks)
{
    if (columns->in_ticks && ws->opened.capture->clock_hz) {
        tt_text_u64(text, ticks);
    } else {
        tt_summary_moment(ws, ticks, columns->more_digits ? FINE_TIMES : COARSE_TIMES, text);
    }
}

static void write_number(const struct tt_summary_columns *columns,
                         const struct tt_summary_column *column, const struct tt_table_cell *cell,
                         struct tt_text *text)
{
    if (summary_columns_is_length(column)) {
        const uint64_t unit = column->unit == UNIT_TICKS ? 1 : tt_time_unit_ns(column->unit);
        const bool coarse = column->unit == TT_TIME_US || column->max >= 1000 * unit;
        write_scaled(text, cell->number, unit, columns->more_digits ? 3 : coarse ? 1 : 2);
    } else if (cell->kind == TT_CELL_DECIMAL) {
        uint64_t unit = cell->decimals == 4 ? 10000 : 1000;
        write_scaled(text, cell->number, unit, columns->more_digits ? 2 : 1);
    } else if (cell->kind == TT_CELL_REAL) {
        tt_lanes_counter_text(cell->real, text);
    } else if (cell->kind == TT_CELL_SIGNED) {
        tt_text_i64(text, cell->signed_number);
    } else if (column->stat->unit == TT_UNIT_COUNT && cell->number > LONG_COUNT) {
        tt_units_count(text, cell->number);
    } else {
        tt_text_u64(text, cell->number);
    }
}

/* Appends a value with the digits of its column. */
static void write_value(const struct tt_summary_table *tab, const struct tt_workspace *ws,
                        const struct tt_summary_column *column, const struct tt_table_row *row,
                        struct tt_text *text)
{
    const struct tt_summary_columns *columns = &tab->columns;
    const struct tt_table_run *sheet = &tab->sheet;
    char buffer[VALUE_BYTES];
    if (tt_summary_settles_late(column->stat) && !tt_table_is_settled(sheet->table, row)) {
        tt_text_str(text, "..."); /* not known yet */
        return;
    }
    struct tt_table_cell cell = tt_table_cell_of(sheet, column->stat, row, buffer, sizeof buffer);
    if (cell.kind == TT_CELL_NONE || tt_table_is_unexplained(sheet->table, column->stat, row)) {
        tt_text_char(text, '-');
    } else if (cell.kind == TT_CELL_TEXT) {
        tt_text_bytes(text, cell.text.buffer, cell.text.used);
    } else if (column->stat->unit == TT_UNIT_AT) {
        write_moment(columns, ws, text,
                     *(const uint64_t *)((const char *)row + column->stat->field));
    } else {
        write_number(columns, column, &cell, text);
    }
}

/* ---- heads -------------------------------------------------------------------------------- */

static void write_unit(const struct tt_workspace *ws, unsigned unit, struct tt_text *text)
{
    static const char *const names[] = {"ns", "s", "ms", "s", "ticks"};
    char utf8[4];
    if (unit == TT_TIME_US) {
        tt_text_bytes(text, utf8, tt_utf8_encode(tt_term_glyph(&ws->term, TT_GLYPH_MICRO), utf8));
    }
    tt_text_str(text, names[unit]);
}

static void write_head(const struct tt_summary_columns *columns, const struct tt_workspace *ws,
                       const struct tt_summary_column *column, struct tt_text *text)
{
    if (column->stat->screen.head[0] == '\0') {
        write_unit(ws, column->unit, text);
        return;
    }
    tt_text_str(text, column->stat->screen.head);
    if (column->stat->unit == TT_UNIT_AT) {
        bool ticks = columns->in_ticks || !ws->opened.capture->clock_hz;
        tt_text_str(text, ticks ? " ticks" : " s");
    } else if (column->stat->unit == TT_UNIT_RATE) {
        tt_text_str(text, " /s");
    }
}

/* Adjacent columns with one name. */
struct group {
    unsigned last;
    int first; /* the first one that is shown; -1: none is */
    int span;  /* columns of the screen from `first` on */
    char name[64], unit[16];
    struct tt_text name_text, unit_text; /* no unit if a heading is the unit */
    int unit_width;                      /* with a blank before it */
    int length;                          /* the last column of a length that is shown, or -1 */
};

static void summary_columns_group_of(const struct tt_summary_columns *columns,
                                     const struct tt_workspace *ws, unsigned first,
                                     struct group *group)
{
    const struct tt_summary_column *length = NULL;
    bool needs_unit = true;
    group->first = group->length = -1;
    group->span = group->unit_width = 0;
    group->name_text = tt_text_of(group->name, sizeof group->name);
    group->unit_text = tt_text_of(group->unit, sizeof group->unit);
    unsigned i = first;
    for (; i == first || (i < columns->count && same_group(&columns->v[first], &columns->v[i]));
         i++) {
        const struct tt_summary_column *column = &columns->v[i];
        if (column->width > 0) {
            group->first = group->first < 0 ? (int)i : group->first;
            group->span += column->width + (group->span > 0);
            needs_unit = needs_unit && column->stat->screen.head[0] != '\0';
            if (summary_columns_is_length(column)) {
                length = column;
                group->length = (int)i;
            }
        }
    }
    group->last = i - 1;
    tt_text_str(&group->name_text, columns->v[first].stat->screen.group);
    if (needs_unit && length) {
        write_unit(ws, length->unit, &group->unit_text);
        group->unit_width = 1 + tt_grid_columns(&ws->term.grid, group->unit, group->unit_text.used);
    }
}

/* ---- placing ------------------------------------------------------------------------------ */

/* Returns the width required by a column's maximum value and its heading. */
static int own_width(const struct tt_summary_table *tab, const struct tt_workspace *ws,
                     const struct tt_summary_column *column)
{
    const struct tt_summary_columns *columns = &tab->columns;
    const bool sorted = column == &columns->v[tab->sorted];
    char buffer[VALUE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    write_head(columns, ws, column, &text);
    int head = tt_grid_columns(&ws->term.grid, buffer, text.used) + sorted;
    int value;
    text = tt_text_of(buffer, sizeof buffer);
    if (tt_unit_is_name(column->stat->unit)) {
        value = column->max > NAME_MOST ? NAME_MOST : (int)column->max;
    } else if (column->stat->unit == TT_UNIT_REAL) {
        value = REAL_WIDTH;
    } else if (column->stat->unit == TT_UNIT_PARTS) {
        value = column->max > 0 ? BAR_WIDTH : 0;
    } else if (column->stat->unit == TT_UNIT_AT) {
        write_moment(columns, ws, &text, ws->index.progress.last_ticks);
        value = (int)text.used;
    } else {
        struct tt_table_cell cell = {.kind = TT_CELL_NUMBER, .number = column->max};
        bool share = column->stat->unit == TT_UNIT_SHARE || column->stat->unit == TT_UNIT_PART;
        if (share || column->stat->unit == TT_UNIT_RATE || column->stat->unit == TT_UNIT_DEPTH) {
            cell.kind = TT_CELL_DECIMAL;
            cell.decimals = share ? 4 : 3;
        }
        write_number(columns, column, &cell, &text);
        value = (int)text.used;
    }
    bool waits = tt_summary_settles_late(column->stat) && !tab->sheet.complete;
    value = waits && value < 3 ? 3 : value; /* ... */
    return head > value ? head : value;
}

/* A layout in progress. */
struct placement {
    struct tt_summary_columns *columns;
    const struct tt_workspace *ws;
    const struct tt_table_run *sheet;
    int width;
    int widths[TT_SUMMARY_COLUMNS]; /* required width of each column */
    bool in[TT_SUMMARY_COLUMNS];
};

/* Sets the widths of the selected columns, the first one of a group as wide as its name needs; returns their sum. */
static int lay_out(struct placement *placement)
{
    int total = 0;
    struct group group;
    for (unsigned i = 0; i < placement->columns->count; i++) {
        placement->columns->v[i].width = placement->in[i] ? placement->widths[i] : 0;
    }
    for (unsigned first = 0; first < placement->columns->count; first = group.last + 1) {
        summary_columns_group_of(placement->columns, placement->ws, first, &group);
        int needed = group.unit_width +
                     tt_grid_columns(&placement->ws->term.grid, group.name, group.name_text.used);
        if (group.first >= 0 && needed > group.span) {
            placement->columns->v[group.first].width += needed - group.span;
            group.span = needed;
        }
        total += group.span > 0 ? group.span + 1 : 0;
    }
    return total;
}

/* Adds a column; returns false if it does not fit. */
static bool add_column(struct placement *placement, unsigned i)
{
    placement->in[i] = true;
    placement->in[i] = lay_out(placement) <= placement->width;
    return placement->in[i];
}

/*
 * Returns whether to show a column. Unless the user chose it, a column of zeros is omitted if it is
 * not a main column, or if nothing was measured, as in a capture without wakeups.
 */
static bool summary_columns_is_wanted(const struct tt_table_run *run,
                                      const struct tt_summary_column *column,
                                      enum tt_summary_choice choice)
{
    bool measures = column->stat->distribution != TT_TABLE_ALWAYS && run->complete;
    bool main_name = tt_unit_is_name(column->stat->unit) && column->stat->screen.rank <= 1;
    unsigned spare = measures                              ? MEASURED_RANK
                     : tt_unit_is_name(column->stat->unit) ? 0
                                                           : SPARE_RANK;
    bool is_empty =
        !main_name && (column->empty || (column->stat->screen.rank >= spare && column->max == 0));
    return tt_table_has(run, column->stat) && column->choice == choice &&
           (choice == TT_CHOICE_SHOWN || !is_empty);
}

/* Selects as many columns as fit, by rank, of the ranks below `end`. */
static void add_by_rank(struct placement *placement, enum tt_summary_choice choice, unsigned end)
{
    for (unsigned rank = 0; rank < end; rank++) {
        for (unsigned i = 0; i < placement->columns->count; i++) {
            const struct tt_summary_column *column = &placement->columns->v[i];
            if (column->stat->screen.rank == rank && !placement->in[i] &&
                summary_columns_is_wanted(placement->sheet, column, choice)) {
                add_column(placement, i);
            }
        }
    }
}

bool tt_summary_column_lacks_room(const struct tt_table_run *run,
                                  const struct tt_summary_column *column)
{
    return column->width == 0 && (summary_columns_is_wanted(run, column, TT_CHOICE_SHOWN) ||
                                  (column->stat->screen.rank < SPARE_RANK &&
                                   summary_columns_is_wanted(run, column, TT_CHOICE_AUTO)));
}

bool tt_summary_column_scrolls(const struct tt_table_run *run,
                               const struct tt_summary_column *column)
{
    return tt_table_has(run, column->stat) && column->choice != TT_CHOICE_HIDDEN;
}

/* Selects adjacent columns, in screen order, up to or from the revealed one; names stay. */
static void scroll_columns(struct placement *placement)
{
    const unsigned at = placement->columns->reveal, count = placement->columns->count;
    bool reaches[TT_SUMMARY_COLUMNS], fits = true;
    for (unsigned i = 0; i < count; i++) {
        const struct tt_summary_column *column = &placement->columns->v[i];
        reaches[i] = tt_summary_column_scrolls(placement->sheet, column);
        placement->in[i] =
            tt_unit_is_name(column->stat->unit) && column->stat->screen.rank <= 1 && reaches[i];
    }
    if (!placement->in[at] && reaches[at]) {
        add_column(placement, at);
    }
    for (unsigned i = at; fits && placement->columns->reveals_last && i > 1; i--) {
        fits = placement->in[i - 1] || !reaches[i - 1] || add_column(placement, i - 1);
    }
    for (unsigned i = at + 1; fits && i < count; i++) {
        fits = placement->in[i] || !reaches[i] || add_column(placement, i);
    }
}

/* Gives the remaining width to names, up to a maximum. */
static void grow_names(struct placement *placement, int limit)
{
    for (unsigned i = 0; i < placement->columns->count; i++) {
        struct tt_summary_column *column = &placement->columns->v[i];
        int full = column->max > (uint64_t)limit ? limit : (int)column->max;
        int left = placement->width - lay_out(placement);
        if (placement->in[i] && tt_unit_is_name(column->stat->unit) &&
            full > placement->widths[i] && left > 0) {
            placement->widths[i] +=
                full - placement->widths[i] < left ? full - placement->widths[i] : left;
        }
    }
    lay_out(placement);
}

/* Returns whether the inputs of the layout are those of the last one, and keeps them. */
static bool is_placed(const struct placement *placement, unsigned sorted)
{
    struct tt_summary_columns *columns = placement->columns;
    struct tt_summary_inputs in;
    memset(&in, 0, sizeof in);
    in.width = placement->width;
    in.sorted = sorted;
    in.in_ticks = columns->in_ticks;
    in.ascii = placement->ws->term.grid.ascii;
    in.reveal = columns->reveal;
    in.reveals_last = columns->reveals_last;
    for (unsigned i = 0; i < columns->count; i++) {
        const struct tt_summary_column *column = &columns->v[i];
        in.v[i].max = tt_unit_is_name(column->stat->unit) ? column->max : 0;
        in.v[i].width = placement->widths[i];
        in.v[i].unit = column->unit;
        in.v[i].shown = summary_columns_is_wanted(placement->sheet, column, TT_CHOICE_SHOWN);
        in.v[i].automatic = summary_columns_is_wanted(placement->sheet, column, TT_CHOICE_AUTO);
    }
    const bool same = memcmp(&in, &columns->placed, sizeof in) == 0;
    columns->placed = in;
    return same;
}

void tt_summary_columns_place(struct tt_summary_table *tab, const struct tt_workspace *ws,
                              int width)
{
    struct tt_summary_columns *columns = &tab->columns;
    struct placement p = {.columns = columns, .ws = ws, .sheet = &tab->sheet, .width = width};
    columns->more_digits = width >= FINE_FROM;
    columns->in_ticks = ws->nav.times == TT_TIMES_TICKS;
    int name = width / 5;
    name = name < NAME_LEAST ? NAME_LEAST : name > NAME_FIRST ? NAME_FIRST : name;
    for (unsigned i = 0; i < columns->count; i++) {
        const struct tt_summary_column *column = &columns->v[i];
        p.widths[i] = own_width(tab, ws, column);
        if (tt_unit_is_name(column->stat->unit) && p.widths[i] > name) {
            p.widths[i] = name;
        }
    }
    if (is_placed(&p, tab->sorted)) {
        return;
    }
    if (columns->reveal > 0) {
        scroll_columns(&p);
        grow_names(&p, NAME_SECOND);
    } else {
        add_by_rank(&p, TT_CHOICE_SHOWN, TT_SUMMARY_COLUMNS);
        add_by_rank(&p, TT_CHOICE_AUTO, SPARE_RANK);
        grow_names(&p, NAME_SECOND);
        add_by_rank(&p, TT_CHOICE_AUTO, TT_SUMMARY_COLUMNS);
        grow_names(&p, NAME_MOST);
    }
    int x = 1; /* a blank or the cursor's mark precedes each column */
    for (unsigned i = 0; i < columns->count; i++) {
        columns->v[i].x = x;
        x += columns->v[i].width > 0 ? columns->v[i].width + 1 : 0;
    }
}

/* ---- drawing ------------------------------------------------------------------------------ */

void tt_summary_heads_draw(const struct tt_summary_table *tab, const struct tt_workspace *ws,
                           struct tt_area area)
{
    const struct tt_summary_columns *columns = &tab->columns;
    struct group group;
    for (unsigned first = 0; first < columns->count; first = group.last + 1) {
        summary_columns_group_of(columns, ws, first, &group);
        if (group.length >= 0 && group.name_text.used == 0 && group.unit_width > 0) {
            const struct tt_summary_column *column = &columns->v[group.length];
            tt_draw_right(area, column->x, 0, column->width, TT_ROLE_COLUMNS,
                          tt_text_cstr(&group.unit_text));
        } else if (group.first >= 0 && group.name_text.used > 0) {
            const int from = columns->v[group.first].x, room = group.span - group.unit_width;
            /* Without a unit, the name is aligned to the right. */
            const int left = group.unit_width > 0 ? 0 : room - (int)group.name_text.used;
            tt_draw_text(area, from + left, 0, room - left, TT_ROLE_COLUMNS, group.name,
                         group.name_text.used);
            /* Beside the name: above the last column it would be that of `at s`. */
            const int used = (int)group.name_text.used < room ? (int)group.name_text.used : room;
            tt_draw_text(area, from + used + 1, 0, group.unit_width - 1, TT_ROLE_COLUMNS,
                         group.unit, group.unit_text.used);
        }
    }
    for (unsigned i = 0; i < columns->count; i++) {
        const struct tt_summary_column *column = &columns->v[i];
        if (column->width == 0) {
            continue;
        }
        char buffer[64];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        const bool left =
            tt_unit_is_name(column->stat->unit) || column->stat->unit == TT_UNIT_PARTS;
        const struct tt_list_head head = {.x = column->x,
                                          .width = column->width,
                                          .right = !left,
                                          .sorted = i == tab->sorted,
                                          .down = tab->downwards,
                                          .chosen = i == tab->chosen};
        write_head(columns, ws, column, &text);
        tt_list_draw_head(&ws->term, tt_area_part(area, 0, 1, area.width, 1), &head,
                          tt_text_cstr(&text));
    }
}

void tt_summary_row_draw(const struct tt_summary_table *tab, const struct tt_workspace *ws,
                         const struct tt_table_row *row, struct tt_area line)
{
    const struct tt_table_run *sheet = &tab->sheet;
    const bool idle = tt_table_is_idle(sheet->table, row);
    const bool settled = tt_table_is_settled(sheet->table, row);
    bool has_pid = false; /* a column beside the name */
    for (unsigned i = 0; i < tab->columns.count; i++) {
        const struct tt_summary_column *column = &tab->columns.v[i];
        has_pid |= column->width > 0 && strcmp(column->stat->key, "pid") == 0;
    }
    for (unsigned i = 0; i < tab->columns.count; i++) {
        const struct tt_summary_column *column = &tab->columns.v[i];
        const bool is_name = tt_unit_is_name(column->stat->unit);
        char buffer[VALUE_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        if (column->width > 0 && column->stat->unit == TT_UNIT_PARTS) {
            tt_service_draw_bar(ws, sheet->table, row,
                                tt_area_part(line, column->x, 0, column->width, 1));
        } else if (column->width > 0) {
            const unsigned role = idle      ? TT_ROLE_DIM
                                  : is_name ? TT_ROLE_THREAD
                                  : tt_summary_settles_late(column->stat) && !settled
                                      ? TT_ROLE_PROGRESS
                                      : TT_ROLE_TEXT;
            /* The thread that the column names, or TT_NO_THREAD or TT_OCCUPANT_*. */
            const uint32_t lane =
                is_name ? tt_table_cell_of(sheet, column->stat, row, buffer, sizeof buffer).thread
                        : TT_NO_THREAD;
            write_value(tab, ws, column, row, &text);
            if (lane < tt_thread_count(sheet->capture) &&
                tt_grid_columns(line.grid, text.buffer, text.used) > column->width) {
                char number[32];
                struct tt_text own = tt_text_of(number, sizeof number);
                if (!has_pid && !tt_line_is_own_process(sheet->capture, lane)) {
                    tt_namesakes_put_number(sheet, tt_thread_at(sheet->capture, lane)->process,
                                            &own);
                }
                text.used = 0;
                tt_thread_label(line.grid, sheet->capture, lane, column->width - (int)own.used,
                                &text);
                tt_text_bytes(&text, number, own.used);
            }
            if (is_name) {
                tt_draw_text(line, column->x, 0, column->width, role, text.buffer, text.used);
            } else {
                tt_draw_right(line, column->x, 0, column->width, role, tt_text_cstr(&text));
            }
        }
    }
}

void tt_summary_columns_copy(const struct tt_summary_table *tab, const struct tt_workspace *ws,
                             const struct tt_table_row *row, struct tt_text *text)
{
    for (int line = 0; line < 2; line++) {
        bool first = true;
        for (unsigned i = 0; i < tab->columns.count; i++) {
            const struct tt_summary_column *column = &tab->columns.v[i];
            if (column->width == 0) {
                continue;
            }
            tt_text_str(text, first ? "" : "\t");
            first = false;
            if (line > 0) {
                write_value(tab, ws, column, row, text);
                continue;
            }
            tt_summary_column_title(column, text);
            if (summary_columns_is_length(column)) {
                tt_text_str(
                    text, column->stat->screen.group[0] || column->stat->screen.head[0] ? " " : "");
                write_unit(ws, column->unit, text);
            }
        }
        tt_text_char(text, '\n');
    }
}
