/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print: the lines of any table as text, CSV (RFC 4180) or JSON.
 *
 *      struct tt_print print;
 *      tt_print_begin(&print, &run, TT_PRINT_TEXT);    which columns, once
 *      tt_print_measure(&print, row);                  text only: each row first, and the total, ...
 *      tt_print_settle(&print);                        ... for the units and widths of the columns
 *      tt_print_header(&print, &text);                 text and CSV
 *      tt_print_row(&print, &text, row);               each row, and the total
 *
 * A function appends a line with its newline to the caller's text, which is enlarged and filled again if
 * it was truncated. Unknown values are "-" in text, empty in CSV and null in JSON; 64-bit numbers
 * above 2^53 are strings in JSON. Nothing is allocated. The run outlives the print; any thread.
 */
#ifndef TRACETUI_PRINT_PRINT_H
#define TRACETUI_PRINT_PRINT_H

#include "tracetui/table.h"

#define TT_PRINT_COLUMNS 128u /* of a table, at most */

enum tt_print_form {
    TT_PRINT_TEXT, /* columns with a heading, aligned */
    TT_PRINT_CSV,  /* all columns that the run has, as in JSON */
    TT_PRINT_JSON
};

struct tt_print {
    const struct tt_table_run *run;
    enum tt_print_form form;
    size_t count;
    const struct tt_table_column *columns[TT_PRINT_COLUMNS];
    size_t widths[TT_PRINT_COLUMNS];
    uint64_t max[TT_PRINT_COLUMNS];        /* of durations, in ns */
    unsigned char units[TT_PRINT_COLUMNS]; /* of durations: enum tt_time_unit */
};

void tt_print_begin(struct tt_print *print, const struct tt_table_run *run,
                    enum tt_print_form form);
/* Looks at the values of a row. */
void tt_print_measure(struct tt_print *print, const void *row);
/* Chooses units and widths that suit the rows: "run ms", or "run s" from 10 s on. */
void tt_print_settle(struct tt_print *print);
void tt_print_header(const struct tt_print *print, struct tt_text *text);
/* A line of a table that is upright contains all of its rows: a line of text per column. */
void tt_print_row(const struct tt_print *print, struct tt_text *text, const void *row);
/* Appends the last line of the text table: "total" and the sums; unknown values are blank. */
void tt_print_total(const struct tt_print *print, struct tt_text *text);

/* Append the heading of column `i` with its unit, or its cell: "run ms", "1.250". */
void tt_print_heading(struct tt_text *text, const struct tt_print *print, size_t i);
void tt_print_cell(struct tt_text *text, const struct tt_print *print, size_t i, const void *row);
/* Appends "run_ns=12160300" and `end` for each value that the row has. */
void tt_print_pairs(struct tt_text *text, const struct tt_table_run *run, const void *row,
                    char end);

#endif
