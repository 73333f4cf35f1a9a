/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet: the numbers of a capture as a table, for printing and for the screen alike.
 *
 * A column is one line of a const table: its key in CSV and JSON, its heading in the table for
 * people (NULL: not shown there), what its value is, and where in a row it stands. Whoever shows
 * a sheet goes by that table and by nothing else; docs/metrics.md defines the keys.
 *
 *      sheet    columns    pid   tid   thread   run_ns   ...
 *               rows       | a struct tt_stat_row each, packed: times in ticks
 *               total      | the last line of the table
 *
 * A sheet is made in steps, so that a screen may show what there is and take keys in between:
 *
 *      begin --> step: sums of all rows, most run time first --> step: delays, row by row --> done
 *                step: pairs, or events, counted so far --------------------------------------^
 *
 * A sheet owns its rows and belongs to one thread; the timelines that it reads may still grow.
 */
#ifndef TRACETUI_SHEET_H
#define TRACETUI_SHEET_H

#include "tracetui/format.h"
#include "tracetui/stats.h"
#include "tracetui/text.h"

/* What a row is of. X(id, word) */
#define TT_STATS_BY_INFO(X)                                                                        \
    X(TT_STATS_BY_THREAD, "thread")                                                                \
    X(TT_STATS_BY_CPU, "cpu")                                                                      \
    X(TT_STATS_BY_PROCESS, "process")                                                              \
    X(TT_STATS_BY_PAIR, "pair")                                                                    \
    X(TT_STATS_BY_EVENT, "event")                                                                  \
    X(TT_STATS_BY_TOTAL, "total")

enum tt_stats_by {
#define X(id, word) id,
    TT_STATS_BY_INFO(X)
#undef X
        TT_STATS_BY_COUNT
};

/* A value that the capture does not tell: null in JSON, empty in CSV, - in the table. */
#define TT_STAT_NONE UINT64_MAX

struct tt_stat_row {
    uint32_t thread; /* or TT_NO_THREAD */
    uint32_t process;
    uint32_t from; /* of a pair: lanes or TT_OCCUPANT_* */
    uint32_t to;
    uint16_t cpu;
    bool is_total;
    bool settled;  /* its distributions are known; before that only its sums are */
    uint64_t idle; /* 1: an idle thread */
    int32_t priority;
    int32_t priority_min;
    int32_t priority_max;
    uint64_t threads;
    uint64_t run;
    uint64_t out;
    uint64_t count;
    uint64_t first_at; /* of a pair: when it was counted first */
    uint64_t window;
    uint64_t events;
    uint64_t processes;
    uint64_t cpus;
    struct tt_numbers n;
    struct tt_cpu_sums c;
    struct tt_totals totals;
    struct tt_thread_totals own; /* TT_NO_TOTAL: the format tells nothing of it */
    struct tt_event_numbers e;
    size_t event; /* of the row of an event: its index in the numbers by event */
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
    size_t distribution; /* the struct tt_distribution there that it is of; TT_STAT_ALWAYS: none */
    bool of_tool;        /* only where the format's own tool has such numbers */
};

struct tt_stat_making;

struct tt_stat_sheet {
    const struct tt_capture *capture;
    const struct tt_stat_column *columns;
    size_t column_count;
    const uint8_t **rows; /* packed: see tt_stat_row_at; NULL: none yet */
    size_t count;
    struct tt_stat_row total;
    bool has_total;
    bool complete;
    uint64_t window; /* its ticks inside the capture */
    bool has_tool;   /* the format's own tool has numbers, and they are in the rows */
    bool upright;    /* the table has a line a column */
    bool shrunk;     /* bytes of events were gone when they were asked for */
    size_t left_out; /* rows beyond the wish's row_limit */
    uint64_t first_ticks;
    struct tt_stat_making *making; /* how far it is */
};

/* What a sheet is asked for. The trace, its reader and the bits outlive the sheet. */
struct tt_stat_wish {
    enum tt_stats_by by;
    struct tt_trace *trace;
    struct tt_events *events;
    struct tt_window window;
    struct tt_key_range
        keys;           /* the same range as keys of events; to_ticks UINT64_MAX: to the end */
    uint64_t first_row; /* and as rows [first_row, end_row) */
    uint64_t end_row;
    const uint64_t *threads; /* a bit a thread; NULL: all, and events of no thread */
    uint32_t thread_limit;
    /* Of events: which of them count, by row; NULL: all. */
    bool (*wanted)(const void *arg, uint64_t row);
    const void *wanted_arg;
    size_t row_limit; /* of pairs: only so many, the most frequent ones; 0: all */
};

/* The wish for all of the range [keys.from, keys.to) with its window and its rows. */
void tt_stat_wish_range(struct tt_stat_wish *wish, const struct tt_key_range *keys);

/* The columns of an enum tt_stats_by. */
const struct tt_stat_column *tt_stat_columns(int by, size_t *count);

/* Unpacks the row of an index below the sheet's count. O(numbers of a row) */
void tt_stat_row_at(const struct tt_stat_sheet *sheet, size_t index, struct tt_stat_row *row);
/* Makes it a row of nothing. */
void tt_stat_row_clear(struct tt_stat_row *row);

/* Begins a sheet; free it, also after a failure. */
struct tt_status tt_stat_sheet_begin(struct tt_stat_sheet *sheet, const struct tt_stat_wish *wish);
/*
 * Goes on for about `work` intervals or events, UINT64_MAX: to the end, which sets `complete`. An
 * interval or an event is worth some tens of nanoseconds.
 */
struct tt_status tt_stat_sheet_step(struct tt_stat_sheet *sheet, uint64_t work);
/* Brings rows of pairs and events up to what is counted so far; others always are. O(rows). */
struct tt_status tt_stat_sheet_refresh(struct tt_stat_sheet *sheet);
/* How far it is. */
unsigned tt_stat_sheet_percent(const struct tt_stat_sheet *sheet);
/* Gives back at most so much of a sheet that is only to be freed; true: there is more of it. */
bool tt_stat_sheet_shrink(struct tt_stat_sheet *sheet, size_t bytes);
void tt_stat_sheet_free(struct tt_stat_sheet *sheet);

/* ---- histograms --------------------------------------------------------------------------- */

/* Bin i holds lengths from tt_histogram_edge(i) up to the next edge: 0, 1, 2, 5, 10, 20, 50 ... */
#define TT_HISTOGRAM_BINS 60

/*
 * How lengths are spread, in nanoseconds (ticks without a clock): those of a row's distribution, or
 * the values that the rows of a sheet have in a column. Plain data but for the scratch.
 */
struct tt_histogram {
    uint64_t bins[TT_HISTOGRAM_BINS];
    uint64_t count;
    bool complete;
    /* How far it is. */
    const struct tt_stat_sheet *sheet; /* outlives it */
    const struct tt_stat_column *column;
    struct tt_stat_row row;
    uint32_t member;
    uint64_t reached;
    size_t passed; /* lengths of an event, or rows */
    struct tt_delays scratch;
};

uint64_t tt_histogram_edge(unsigned bin);
/* Of `row`, if the column is of a distribution; else of all rows. O(1) */
void tt_histogram_begin(struct tt_histogram *h, const struct tt_stat_sheet *sheet,
                        const struct tt_stat_column *column, const struct tt_stat_row *row);
/*
 * Goes on for about `work` intervals, lengths or rows. The sheet has been left alone since the
 * beginning: a step of it moves what is counted here. False: no memory.
 */
bool tt_histogram_step(struct tt_histogram *h, uint64_t work);
void tt_histogram_free(struct tt_histogram *h);

/* ---- values ------------------------------------------------------------------------------- */

enum tt_stat_cell_kind {
    TT_CELL_NONE,
    TT_CELL_NUMBER,
    TT_CELL_SIGNED,
    TT_CELL_DECIMAL,
    TT_CELL_TEXT
};

/* One value, ready to be written: a time in nanoseconds, or in ticks without a clock. */
struct tt_stat_cell {
    enum tt_stat_cell_kind kind;
    uint64_t number;
    int64_t signed_number;
    unsigned decimals;   /* of TT_CELL_DECIMAL: digits of `number` behind the point */
    struct tt_text text; /* escaped */
};

#define TT_STAT_CELL_BYTES 16384 /* the longest name, every byte of it escaped */

static inline bool tt_stat_is_time(enum tt_stat_unit unit)
{
    return unit == TT_STAT_TIME_MS || unit == TT_STAT_TIME_US || unit == TT_STAT_MEAN_US ||
           unit == TT_STAT_AT;
}

static inline bool tt_stat_is_name(enum tt_stat_unit unit)
{
    return unit == TT_STAT_PROCESS_NAME || unit == TT_STAT_LANE_NAME || unit == TT_STAT_TEXT;
}

/* Is the column one of this sheet? */
static inline bool tt_stat_is_printed(const struct tt_stat_sheet *sheet,
                                      const struct tt_stat_column *column)
{
    return !column->of_tool || sheet->has_tool;
}

/* `buffer`: room of `size` bytes for a text. */
struct tt_stat_cell tt_stat_cell_of(const struct tt_stat_sheet *sheet,
                                    const struct tt_stat_column *column,
                                    const struct tt_stat_row *row, char *buffer, size_t size);
/* A number with so many digits behind the point. */
void tt_stat_decimal(struct tt_text *text, uint64_t number, unsigned decimals);
/* The key with its unit: run_ns. */
void tt_stat_key(struct tt_text *text, const struct tt_stat_sheet *sheet,
                 const struct tt_stat_column *column);

/* Lines of CSV (RFC 4180), newline-ended: the keys, and a row. */
void tt_stat_csv_header(struct tt_text *text, const struct tt_stat_sheet *sheet);
void tt_stat_csv_row(struct tt_text *text, const struct tt_stat_sheet *sheet,
                     const struct tt_stat_row *row);

#endif
