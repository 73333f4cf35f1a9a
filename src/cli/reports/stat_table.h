/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stat_table: prints rows of numbers as a table, CSV or JSON, by a table of columns.
 *
 * A column is a member of the row, its key and its unit. Times are printed in ns, in the table in us; without
 * a clock in ticks.
 */
#ifndef TRACETUI_CLI_REPORTS_STAT_TABLE_H
#define TRACETUI_CLI_REPORTS_STAT_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/output.h"
#include "tracetui/capture.h"

/* The type and the meaning of a member. */
enum tt_report_unit {
    UNIT_NUMBER, /* uint64_t; UINT64_MAX: unknown */
    UNIT_HEX,    /* the same, hexadecimal in the table and CSV */
    UNIT_TIME,   /* uint64_t ticks */
    UNIT_MEAN,   /* struct tt_distribution */
    UNIT_AT,     /* uint64_t ticks of the capture's clock */
    UNIT_RATE,   /* uint64_t in the window, per second */
    UNIT_SHARE,  /* uint64_t ticks, in percent of the window: 2 digits in the table, else 4 */
    UNIT_DEPTH,  /* uint64_t: sum over time, as a mean */
    UNIT_PID,    /* uint32_t: process */
    UNIT_PROCESS,
    UNIT_PID_OF, /* uint32_t: thread */
    UNIT_TID,
    UNIT_THREAD,
    UNIT_TEXT, /* the text that `text` of the report appends */
};

struct tt_report_column {
    const char *key;     /* without the unit of times */
    const char *heading; /* NULL: not in the table */
    enum tt_report_unit unit;
    size_t field; /* offset in the row */
    size_t basis; /* offset of a count that must not be 0; SIZE_MAX: none */
    unsigned by;  /* row types that have it */
};

/* The rows to print. */
struct tt_report {
    const struct tt_capture *capture;
    const struct tt_report_column *columns;
    size_t column_count;
    const void *rows;
    size_t row_size;
    size_t row_count;
    unsigned by;          /* 1 << row type */
    uint64_t window;      /* ticks */
    uint64_t first_ticks; /* of the capture */
    /* Appends a TEXT cell, escaped; "-" and false: unknown. NULL: there are none. */
    bool (*text)(struct tt_text *text, const struct tt_report *r,
                 const struct tt_report_column *column, const void *row);
};

typedef struct tt_status tt_report_use(void *arg, const struct tt_report *r);

/* Returns whether the table has a column. */
bool tt_report_has(const struct tt_report *r, const struct tt_report_column *column);
/* Returns whether the cells of a column are texts instead of numbers. */
bool tt_report_is_text(const struct tt_report_column *column);
/* Appends a cell of the table, escaped; `row` UINT64_MAX: the heading of the column. */
void tt_report_put_cell(struct tt_text *text, const struct tt_report *r,
                        const struct tt_report_column *column, uint64_t row);

/* Prints the rows in a format (enum tt_output_format). */
void tt_report_print(const struct tt_report *r, int format, struct tt_output *out);

/* The same as a tt_report_use; `arg` is a struct tt_report_print. */
struct tt_report_print {
    int format;
    struct tt_output *out;
};
struct tt_status tt_report_print_to(void *arg, const struct tt_report *r);

#endif
