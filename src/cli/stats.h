/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats: a sheet of numbers of one capture, and printing it.
 *
 * A column is one line of a const table: its key in CSV and JSON, its heading in the table for
 * people (NULL: not shown there), what its value is, and where in a row it stands. The three
 * printed forms go by that table and by nothing else; docs/metrics.md defines the keys.
 *
 *      sheet    columns    pid   tid   thread   run_ns   ...
 *               rows       | a struct tt_stat_row each: times in ticks
 *               total      | the last line of the table
 *
 * The rows belong to the sheet until tt_stat_sheet_free. One thread.
 */
#ifndef TT_CLI_STATS_H
#define TT_CLI_STATS_H

#include "cli/options.h"
#include "cli/output.h"
#include "cli/pick.h"
#include "tracetui/stats.h"

/* A value that the capture does not tell: null in JSON, empty in CSV, - in the table. */
#define TT_STAT_NONE UINT64_MAX

struct tt_stat_row {
    uint32_t thread; /* or TT_NO_THREAD */
    uint32_t process;
    uint32_t from; /* of a pair: lanes or TT_OCCUPANT_* */
    uint32_t to;
    uint16_t cpu;
    bool is_total;
    uint64_t idle; /* 1: an idle thread */
    int32_t priority;
    int32_t priority_min;
    int32_t priority_max;
    uint64_t threads;
    uint64_t run;
    uint64_t out;
    uint64_t count;
    uint64_t window;
    uint64_t events;
    uint64_t processes;
    uint64_t cpus;
    struct tt_numbers n;
    struct tt_cpu_sums c;
    struct tt_totals totals;
    struct tt_thread_totals own; /* TT_NO_TOTAL: the format tells nothing of it */
    struct tt_event_numbers e;
};

enum tt_stat_unit {
    TT_STAT_COUNT,   /* uint64_t */
    TT_STAT_TIME_MS, /* uint64_t ticks, shown in milliseconds */
    TT_STAT_TIME_US, /* uint64_t ticks, shown in microseconds */
    TT_STAT_MEAN_US, /* struct tt_distribution: sum / count, as a time */
    TT_STAT_AT,      /* uint64_t ticks of the capture's clock */
    TT_STAT_SHARE,   /* uint64_t ticks, in percent of the window */
    TT_STAT_RATE,    /* uint64_t, how many in the window: a second */
    TT_STAT_NUMBER,  /* int32_t, TT_NO_PRIORITY: none */
    TT_STAT_TEXT,    /* const char * */
    TT_STAT_CPU,     /* uint16_t */
    TT_STAT_PROCESS_PID,
    TT_STAT_PROCESS_NAME, /* uint32_t: number of a process */
    TT_STAT_LANE_PID,
    TT_STAT_LANE_TID,
    TT_STAT_LANE_NAME, /* uint32_t: a thread or TT_OCCUPANT_* */
};

#define TT_STAT_ALWAYS SIZE_MAX

struct tt_stat_column {
    const char *key;     /* of times without the unit behind it (_ns, _ticks) */
    const char *heading; /* or NULL */
    enum tt_stat_unit unit;
    size_t field; /* in struct tt_stat_row */
    size_t basis; /* a uint64_t there without which the value means nothing; TT_STAT_ALWAYS */
    bool of_tool; /* only where the format's own tool has such numbers */
};

struct tt_stat_sheet {
    const struct tt_capture *capture;
    const struct tt_stat_column *columns;
    size_t column_count;
    struct tt_stat_row *rows;
    size_t count;
    struct tt_stat_row total;
    bool has_total;
    uint64_t window; /* its ticks inside the capture */
    bool has_tool;   /* the format's own tool has numbers, and they are in the rows */
    bool upright;    /* the table has a line a column */
    uint64_t first_ticks;
};

/* The columns of an enum tt_stats_by. */
const struct tt_stat_column *tt_stat_columns(int by, size_t *count);

/* Makes the rows. On failure there is nothing to free. */
struct tt_status tt_stat_sheet_make(const struct tt_options *options, struct tt_input *input,
                                    const struct tt_pick *pick, struct tt_stat_sheet *sheet);
void tt_stat_sheet_free(struct tt_stat_sheet *sheet);

/* Prints it as an enum tt_output_format; TT_OUTPUT_TEXT is the table. */
struct tt_status tt_stat_sheet_print(const struct tt_stat_sheet *sheet, int format,
                                     struct tt_output *out);

#endif
