/* SPDX-License-Identifier: Apache-2.0 */
/*
 * summary/columns: how the columns of a sheet of numbers stand on the screen.
 *
 * Headings, groups, order and rank come from the table of all columns
 * (src/analysis/sheet_columns.c); this module chooses units, digits and widths. For all tabs:
 *
 *      |        run |      switches     | sch delay   us |      groups; the unit of times
 *      |thread  ms %| slices  vol  pre  | p50 p95 max at |      heads
 *
 * Times of one group share their unit and its decimals, chosen from the greatest of them. Widths
 * go by the greatest value of all rows, so that scrolling moves no column. One thread.
 */
#ifndef TRACETUI_TUI_VIEWS_SUMMARY_COLUMNS_H
#define TRACETUI_TUI_VIEWS_SUMMARY_COLUMNS_H

#include "tracetui/sheet.h"
#include "tui/draw/grid.h"

#define TT_SUMMARY_COLUMNS 64

struct tt_workspace;

/* What the person wants of a column. */
enum tt_summary_choice { TT_CHOICE_BY_ROOM, TT_CHOICE_SHOWN, TT_CHOICE_HIDDEN };

struct tt_summary_column {
    const struct tt_stat_column *stat;
    uint8_t choice;    /* enum tt_summary_choice */
    uint64_t greatest; /* of its numbers; of names the longest in columns of the screen */
    uint64_t so_far;   /* the same of the rows that are measured anew */
    unsigned unit;     /* of times: enum unit of summary/columns.c */
    int x;             /* in the area, when placed last */
    int width;         /* 0: not shown */
};

/* What the places of the columns depend on; without padding that differs. */
struct tt_summary_inputs {
    int64_t width, sorted, in_ticks, ascii;
    struct {
        uint64_t greatest;
        int64_t width; /* that it needs by itself */
        int64_t unit, shown, by_room;
    } v[TT_SUMMARY_COLUMNS];
};

struct tt_summary_columns {
    struct tt_summary_inputs placed; /* of the last placing */
    struct tt_summary_column v[TT_SUMMARY_COLUMNS];
    unsigned count;
    size_t measured; /* rows, since the first one was measured anew */
    bool fine;       /* there is room for more digits */
    bool in_ticks;   /* no clock, or ticks are wanted */
};

/* The columns of a tab in the order of the screen, nothing chosen yet. */
void tt_summary_columns_open(struct tt_summary_columns *columns, int by);
/* The key's column, or NULL. */
struct tt_summary_column *tt_summary_column_find(struct tt_summary_columns *columns,
                                                 const char *key);

/* From here on other rows are measured: the first one is the next. */
void tt_summary_columns_renew(struct tt_summary_columns *columns, bool other_sheet);
/*
 * Goes on taking greatest values and units from the rows, `rows` of them at most; true: all rows
 * have been measured, and those that come are the first ones again. Until then values only grow.
 */
bool tt_summary_columns_measure(struct tt_summary_columns *columns, const struct tt_workspace *ws,
                                const struct tt_stat_sheet *sheet, size_t rows);
/* Shares out a line; `sorted`: the column whose head has an arrow. */
void tt_summary_columns_place(struct tt_summary_columns *columns, const struct tt_workspace *ws,
                              const struct tt_stat_sheet *sheet, int width, unsigned sorted);

/* Columns of the screen up to the end of the names that a row begins with, where it has some. */
int tt_summary_name_width(const struct tt_summary_columns *columns);

/* The two lines of heads; `chosen` is lit. */
void tt_summary_heads_draw(const struct tt_summary_columns *columns, const struct tt_workspace *ws,
                           struct tt_area area, unsigned chosen, unsigned sorted, bool downwards);
/* A row's values on one line. */
void tt_summary_row_draw(const struct tt_summary_columns *columns, const struct tt_workspace *ws,
                         const struct tt_stat_sheet *sheet, const struct tt_stat_row *row,
                         struct tt_area line);
/* A value with the digits that its column has. */
void tt_summary_value(const struct tt_summary_columns *columns, const struct tt_workspace *ws,
                      const struct tt_stat_sheet *sheet, const struct tt_summary_column *column,
                      const struct tt_stat_row *row, struct tt_text *text);
/* What a column is called where it stands alone: "sch delay max". */
void tt_summary_column_title(const struct tt_summary_column *column, struct tt_text *text);

#endif
