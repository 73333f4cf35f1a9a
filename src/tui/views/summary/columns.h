/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary/columns: lays out and draws the columns of a statistics sheet.
 *
 * Headings, groups, order and rank come from the table of all columns
 * (src/table); this module chooses units, digits and widths for every tab:
 *
 *      |        run |      switches     | sch delay   us |      groups; the unit of times
 *      |thread  ms %| slices  vol  pre  | p50 p95 max at |      heads
 *
 * Times of one group share their unit and its decimals, chosen by their maximum. Widths depend on
 * the maximum of all rows, so that scrolling does not move columns. One thread.
 */
#ifndef TRACETUI_TUI_VIEWS_SUMMARY_COLUMNS_H
#define TRACETUI_TUI_VIEWS_SUMMARY_COLUMNS_H

#include "tracetui/table.h"
#include "tui/draw/grid.h"

#define TT_SUMMARY_COLUMNS 72

struct tt_workspace;
struct tt_summary_table;

/* The user's choice for a column. */
enum tt_summary_choice { TT_CHOICE_AUTO, TT_CHOICE_SHOWN, TT_CHOICE_HIDDEN };

struct tt_summary_column {
    const struct tt_table_column *stat;
    uint8_t choice;    /* enum tt_summary_choice */
    uint64_t max;      /* maximum value; for names, the longest one's screen width */
    uint64_t pass_max; /* maximum of the rows in the current measuring pass */
    bool pass_known;   /* one of these rows has a value */
    bool empty;        /* no row has a value; the column is shown only if the user chose it */
    unsigned unit;     /* unit of times: enum unit in summary/columns.c */
    int x;             /* position in the area as of the last layout */
    int width;         /* 0: not shown */
};

/* Returns whether a column is known only in settled rows: distributions, and causes of ready time. */
static inline bool tt_summary_settles_late(const struct tt_table_column *column)
{
    return column->distribution != TT_TABLE_ALWAYS || column->is_late;
}

/* The inputs of the layout, compared with memcmp: it has no indeterminate padding. */
struct tt_summary_inputs {
    int64_t width, sorted, in_ticks, ascii, reveal, reveals_last;
    struct {
        uint64_t max;
        int64_t width; /* minimum width of the column on its own */
        int64_t unit, shown, automatic;
    } v[TT_SUMMARY_COLUMNS];
};

struct tt_summary_columns {
    struct tt_summary_inputs placed; /* inputs of the last layout */
    struct tt_summary_column v[TT_SUMMARY_COLUMNS];
    unsigned count;
    unsigned reveal;   /* a column to scroll to; 0: the most important columns are shown */
    bool reveals_last; /* it is the last column shown, else the first one after the names */
    size_t measured;   /* rows measured in the current pass */
    bool more_digits;  /* there is room for more digits */
    bool in_ticks;     /* no clock, or the user chose ticks */
};

/* Sets up a tab's columns in screen order, with no choices made. */
void tt_summary_columns_open(struct tt_summary_columns *columns, const struct tt_table *table);
/* Returns the column with that key, or NULL. */
struct tt_summary_column *tt_summary_column_find(struct tt_summary_columns *columns,
                                                 const char *key);

/* Restarts measuring at the first row, because the rows have changed. */
void tt_summary_columns_renew(struct tt_summary_columns *columns, bool other_sheet);
/*
 * Measures up to `rows` further rows: updates maximum values and units. True: all rows have been
 * measured and the next call starts a new pass. Until then maximum values only grow.
 */
bool tt_summary_columns_measure(struct tt_summary_columns *columns, const struct tt_workspace *ws,
                                const struct tt_table_run *sheet, size_t rows);
/* Lays out the columns of a tab in a line. */
void tt_summary_columns_place(struct tt_summary_table *tab, const struct tt_workspace *ws,
                              int width);

/* Returns whether a column that the user chose, or that is shown without a choice, has no room. */
bool tt_summary_column_lacks_room(const struct tt_table_run *run,
                                  const struct tt_summary_column *column);
/* Returns whether scrolling reaches a column: it is printed, and the user has not hidden it. */
bool tt_summary_column_scrolls(const struct tt_table_run *run,
                               const struct tt_summary_column *column);

/* Draws the two lines of headings; the chosen one is highlighted. */
void tt_summary_heads_draw(const struct tt_summary_table *tab, const struct tt_workspace *ws,
                           struct tt_area area);
/* Draws a row's values on one line. */
void tt_summary_row_draw(const struct tt_summary_table *tab, const struct tt_workspace *ws,
                         const struct tt_table_row *row, struct tt_area line);
/* Appends the titles of the shown columns and the row's values below them, separated by tabs. */
void tt_summary_columns_copy(const struct tt_summary_table *tab, const struct tt_workspace *ws,
                             const struct tt_table_row *row, struct tt_text *text);
/* Appends a column's full title: "sch delay max". */
void tt_summary_column_title(const struct tt_summary_column *column, struct tt_text *text);

#endif
