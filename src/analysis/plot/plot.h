/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plot: the numbers of a plot, without a drawing: samples to bins and columns, CPU time to layers.
 *
 *      cell of a sheet, a list, a source    --> samples --> range --> bins        HISTOGRAM
 *                                                             |-----> columns     TIMES, RATE
 *      timelines ---------------------------> CPU time -------------> layers      LOAD, CLASS
 *
 * A plot is computed in steps. It stores the first TT_PLOT_KEPT samples; if there are more, it reads
 * them twice: for their range, then for the bins and columns. Until then it shows the stored ones.
 * A column keeps its longest sample, so that no maximum is lost.
 *
 * Times are ticks of the capture; values (bins, edges, min, max) are nanoseconds, ticks without a
 * clock, or the unit of the column for ROWS and values of lanes. Column i of n covers [edge(i), edge(i + 1)), edge(i) =
 * from + floor(i * (to - from) / n). A sample is at its end. The plot owns its memory: O(columns *
 * rows), the stored samples, and for LOAD of one CPU 8 bytes per thread. One thread; the timelines
 * may grow, and a plot begins again when they are rebuilt.
 */
#ifndef TRACETUI_ANALYSIS_PLOT_PLOT_H
#define TRACETUI_ANALYSIS_PLOT_PLOT_H

#include "analysis/measure.h"
#include "tracetui/table.h"

/* X(id, word) */
#define TT_PLOT_KIND_INFO(X)                                                                       \
    X(TT_PLOT_HISTOGRAM, "histogram") /* of the samples */                                         \
    X(TT_PLOT_TIMES, "times")         /* a dot per sample: value over time */                      \
    X(TT_PLOT_RATE, "rate")           /* number per second over time */                            \
    X(TT_PLOT_LOAD, "load")           /* CPU time by thread or process over time, stacked */       \
    X(TT_PLOT_CLASS, "share")         /* share of the row's time in a state, over time */          \
    X(TT_PLOT_ROWS, "rows")           /* histogram of the column's values in all rows */

enum tt_plot_kind {
#define X(id, word) id,
    TT_PLOT_KIND_INFO(X)
#undef X
        TT_PLOT_KINDS
};

/* Returns the word of a kind: "histogram". */
const char *tt_plot_kind_word(unsigned kind);

/* The data of a plot. */
enum tt_plot_subject {
    TT_PLOT_OF_CELL,       /* row and column of the sheet */
    TT_PLOT_OF_LIST,       /* the samples of a list */
    TT_PLOT_OF_SOURCE,     /* samples that the caller passes on */
    TT_PLOT_OF_EVENTS,     /* all events: RATE */
    TT_PLOT_OF_SWITCHES,   /* the switches of all CPUs: RATE */
    TT_PLOT_OF_MIGRATIONS, /* the migrations of all threads: RATE */
    TT_PLOT_OF_CROSSINGS,  /* the messages between two CPUs: RATE */
    TT_PLOT_OF_CPUS,       /* all CPUs: LOAD */
};

enum tt_plot_scale { TT_PLOT_AUTO, TT_PLOT_LINEAR, TT_PLOT_LOGARITHMIC };

struct tt_plot_sample {
    uint64_t length;
    uint64_t end;
    uint32_t thread; /* or TT_NO_THREAD */
};

/* Passes samples on, from the first one each time it is begun. Both return false if out of memory. */
struct tt_plot_source {
    bool (*begin)(void *arg, struct tt_sample_sink *sink); /* `sink` outlives the reading */
    /*
     * Continues for about *work samples, which are subtracted from *work; *done: there are no more.
     */
    bool (*step)(void *arg, uint64_t *work, bool *done);
    void *arg;
};

struct tt_plot_request {
    enum tt_plot_kind kind;
    enum tt_plot_subject subject;
    /* The sheet outlives the plot; NULL with a list. Not stepped while the plot is computed. */
    const struct tt_table_run *sheet;
    const struct tt_table_column *column;
    struct tt_table_row row;
    /* With a list: the samples in any order, which outlive the plot, and their range. */
    const struct tt_plot_sample *list;
    size_t list_count;
    const struct tt_plot_source *source; /* outlives the plot; with its range */
    const struct tt_capture *capture;
    uint64_t from;
    uint64_t to;
    bool by_process;          /* layers of LOAD are processes */
    enum tt_plot_scale scale; /* of the values */
    unsigned columns;         /* of time, 1 to TT_PLOT_COLUMNS */
    unsigned rows;            /* of the dots of TIMES, 1 to TT_PLOT_ROWS_MOST */
};

#define TT_PLOT_COLUMNS   2048u
#define TT_PLOT_ROWS_MOST 1024u
#define TT_PLOT_KEPT      65536u

struct tt_plot_column {
    uint64_t count;
    uint64_t min; /* value; count > 0 */
    uint64_t max; /* value */
    struct tt_plot_sample longest;
};

/* Layers of LOAD from the bottom: the row's own, the busiest ones, the others, interrupts, kernel. */
#define TT_PLOT_NAMED  7u
#define TT_PLOT_LAYERS (TT_PLOT_NAMED + 3u)

enum tt_plot_layer_kind {
    TT_LAYER_ROW, /* a thread or process; of CLASS the row */
    TT_LAYER_OTHERS,
    TT_LAYER_IRQ,
    TT_LAYER_KERNEL
};

struct tt_plot_layer {
    enum tt_plot_layer_kind kind;
    uint32_t number; /* of the thread or process */
    uint64_t total;  /* ticks in all columns */
};

struct tt_plot_feed;
struct tt_plot_load;

struct tt_plot {
    struct tt_plot_request request;
    uint64_t from; /* of the columns, inside the capture; from < to, or there are no columns */
    uint64_t to;
    bool complete;
    bool failed; /* out of memory */
    bool rough;  /* bins and columns have only the stored samples */
    /* Samples. */
    uint64_t count;
    uint64_t sum;
    uint64_t min;
    uint64_t max;
    uint64_t limit; /* the row's deadline in ticks, of responses; 0: none */
    uint64_t over;  /* samples that are longer */
    struct tt_plot_sample longest;
    bool logarithmic;
    struct tt_bins bins;
    uint64_t *edges;                /* rows + 1 values: edges of the rows of dots, ascending */
    struct tt_plot_column *columns; /* request.columns */
    uint32_t *dots;                 /* rows * columns, lowest row first: number of samples */
    /* Layers. */
    struct tt_plot_layer layers[TT_PLOT_LAYERS];
    unsigned layer_count;
    uint64_t *ticks;    /* layer_count * columns */
    uint64_t *capacity; /* columns: ticks of all CPUs or of the row that the column has */
    /* Computation. */
    struct tt_plot_sample *kept;
    size_t kept_count;
    size_t shown; /* of kept_count */
    uint64_t log_counts[64];
    bool ranged; /* the range is known */
    bool fed;    /* the second reading has begun */
    uint64_t reread;
    uint32_t number; /* generation of the timelines */
    struct tt_plot_feed *feed;
    struct tt_plot_load *load;
};

/* Returns the kinds of plots of a column, one bit each; the lowest is the usual one. */
unsigned tt_plot_kinds(const struct tt_table *table, const struct tt_table_column *column);

/* Returns whether values are times. */
bool tt_plot_has_times(const struct tt_plot_request *request);

/* Returns NULL if out of memory. */
struct tt_plot *tt_plot_new(const struct tt_plot_request *request);
/* Continues for about `work` intervals or samples; returns whether it is complete or has failed. */
bool tt_plot_step(struct tt_plot *plot, uint64_t work);
/* Sets bins and columns to the samples so far, if they are not complete. O(stored samples). */
void tt_plot_refresh(struct tt_plot *plot);
void tt_plot_free(struct tt_plot *plot);

/* Returns the start of column `column`, or the end of the last one. */
uint64_t tt_plot_edge(const struct tt_plot *plot, unsigned column);
/* Returns the column that contains a time in [from, to). */
unsigned tt_plot_column_of(const struct tt_plot *plot, uint64_t ticks);
/* Returns the row of dots of a value between the edges. */
unsigned tt_plot_row_of(const struct tt_plot *plot, uint64_t value);
/* Returns the number in a column per 1000 seconds, per 1000 ticks without a clock; saturates. */
uint64_t tt_plot_rate(const struct tt_plot *plot, unsigned column);

/* Appends the name of a layer: "sensor/1 sample", "others". */
void tt_plot_layer_name(struct tt_text *text, const struct tt_plot *plot, unsigned layer);
/* Appends the numbers as CSV with a header: a line per bin, column, or column and layer. */
void tt_plot_csv_header(struct tt_text *text, const struct tt_plot *plot);
/* Appends line `line`; false if there is none. A line has at most TT_PLOT_LINE bytes. */
#define TT_PLOT_LINE 8192u
bool tt_plot_csv_line(struct tt_text *text, const struct tt_plot *plot, size_t line);

#endif
