/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet: statistics of a capture as a table, for output files and for the screen.
 *
 * A column is one row of a constant table (src/analysis/sheet/sheet_columns.c): its key in CSV and JSON,
 * its heading in the text table (NULL: not shown there), its unit, the field of a row that holds
 * its value, and its place in Summary. `stats` and Summary read only that table; docs/metrics.md
 * defines the keys.
 *
 *      sheet    columns    pid   tid   thread   run_ns   ...
 *               rows       | a struct tt_stat_row each, packed: times in ticks
 *               total      | the last line of the table
 *
 * A sheet is computed in steps, so that a screen can show partial results and handle keys:
 *
 *      begin --> step: sums of all rows, most run time first --> step: delays, row by row --> done
 *                step: pairs, or events, counted so far --------------------------------------^
 *
 * A sheet owns its rows and belongs to one thread; the timelines that it reads may still grow.
 */
#ifndef TRACETUI_SHEET_H
#define TRACETUI_SHEET_H

#include "tracetui/format.h"
#include "tracetui/job_stats.h"
#include "tracetui/jobs.h"
#include "tracetui/ready_by.h"
#include "tracetui/stats.h"
#include "tracetui/text.h"
#include "tracetui/tool_rows.h"

/* Row types. X(id, word) */
#define TT_STATS_BY_INFO(X)                                                                        \
    X(TT_STATS_BY_THREAD, "thread")                                                                \
    X(TT_STATS_BY_CPU, "cpu")                                                                      \
    X(TT_STATS_BY_PROCESS, "process")                                                              \
    X(TT_STATS_BY_PAIR, "pair")                                                                    \
    X(TT_STATS_BY_EVENT, "event")                                                                  \
    X(TT_STATS_BY_TOTAL, "total")                                                                  \
    X(TT_STATS_BY_JOB, "job")                                                                      \
    X(TT_STATS_BY_INTERRUPT, "interrupt")                                                          \
    X(TT_STATS_BY_BLAME, "blame")                                                                  \
    X(TT_STATS_BY_INVERSION, "inversion")                                                          \
    X(TT_STATS_BY_SERVICE, "service") /* a thread and an event name */                             \
    X(TT_STATS_BY_PROFILE, "profile") /* this and the next: of the format's tool, tool_rows.h */   \
    X(TT_STATS_BY_STACK, "stack")                                                                  \
    X(TT_STATS_BY_FILEX, "filex")                                                                  \
    X(TT_STATS_BY_NETX, "netx")

/* Tables of the Messages view, see docs/messages.md. X(id, word) */
#define TT_STATS_OF_MESSAGES_INFO(X)                                                               \
    X(TT_STATS_BY_PROCESSES, "message") /* a client process and a server process */                \
    X(TT_STATS_BY_SERVER, "server")                                                                \
    X(TT_STATS_BY_CHANNEL, "channel")                                                              \
    X(TT_STATS_BY_OBJECT, "object")   /* a lock or another object that threads wait for */         \
    X(TT_STATS_BY_MATRIX, "matrix")   /* CPU time of a server process for a client thread */       \
    X(TT_STATS_BY_CLIENT, "client")   /* a client thread */                                        \
    X(TT_STATS_BY_IMPOSED, "imposed") /* CPU time of a thread and of servers for it */             \
    X(TT_STATS_BY_MESSAGE, "single")  /* a message */

enum tt_stats_by {
#define X(id, word) id,
    TT_STATS_BY_INFO(X)
#undef X
        TT_STATS_BY_COUNT, /* of `stats`, without those of messages */
    TT_STATS_BEFORE_MESSAGES = TT_STATS_BY_COUNT - 1,
#define X(id, word) id,
    TT_STATS_OF_MESSAGES_INFO(X)
#undef X
        TT_STATS_BY_ALL
};

/* Returns whether the rows are messages or sums of them. */
static inline bool tt_stats_is_of_messages(int by)
{
    return by > TT_STATS_BEFORE_MESSAGES && by < TT_STATS_BY_ALL;
}

/*
 * CPU time by client of a row of threads or processes, in ticks, as in struct tt_message_stat. Of a
 * process: sums over its threads.
 */
struct tt_stat_clients {
    uint64_t known; /* 1: computed; the capture has messages */
    uint64_t self;
    uint64_t imposed;
    uint64_t imposed_gross;
    uint64_t charged;
    uint64_t unserved; /* only of TT_STATS_BY_IMPOSED, as is `total` */
    uint64_t total;
};

/* Returns whether only the tools of some formats have the table. */
static inline bool tt_stats_is_of_tool(int by)
{
    return by == TT_STATS_BY_PROFILE || by == TT_STATS_BY_STACK || by == TT_STATS_BY_FILEX ||
           by == TT_STATS_BY_NETX;
}

/* A value that the capture does not contain: null in JSON, empty in CSV, - in the table. */
#define TT_STAT_NONE UINT64_MAX

/* Values of the rows of blame and inversions. */
struct tt_stat_blame {
    const char *by; /* what is charged in a row without a thread `to` */
    const char *cause;
    uint64_t vector; /* of an interrupt; of inversions: the object */
    uint64_t ready;
    uint64_t blocked;
    uint64_t total;
    uint64_t from;
    uint64_t to;
    uint64_t begin; /* inversions by the format's tool: rows of the events at `from` and `to` */
    uint64_t end;
};

/* Values of the rows of messages. */
struct tt_stat_messages {
    const char *kind;  /* "post" or "": a message; of a single message, its end */
    const char *error; /* name of the most frequent error, or "" */
    uint64_t error_number;
    uint64_t queue_busy; /* parts of the queue times in `queue`, where they are known */
    uint64_t queue_sched;
    uint64_t errors;
    uint64_t system; /* of a merged capture, in which they were sent */
    struct tt_distribution round;
    struct tt_distribution queue;
    struct tt_distribution service;
    struct tt_distribution back;
    uint64_t class_ticks[TT_CLASS_COUNT]; /* parts of the service, as in struct tt_message_stat */
    uint64_t irq;
    uint64_t known;
    uint64_t busy;
    uint64_t waiting;
    uint64_t waiting_max;
    uint64_t serving_max;
    /* Of pairs of processes, see tt_stat_request.with_clients. */
    uint64_t has_cpu; /* 1: these are computed */
    uint64_t imposed;
    uint64_t imposed_gross;
    uint64_t charged;
};

/* Values of the rows of objects. */
struct tt_stat_objects {
    uint64_t waits;
    struct tt_distribution wait;
    struct tt_distribution hold;
    uint64_t contended;
    uint64_t waiting;
    uint64_t waiting_max;
    uint32_t waiter;      /* thread of the longest wait, or TT_NO_THREAD; so are the others */
    uint32_t wait_holder; /* released it last in that wait */
    uint32_t holder;      /* of the longest hold */
    uint32_t system;      /* of the object */
};

/* Values of the rows of interrupts; the others are in `e` and `number`. */
struct tt_stat_interrupts {
    struct tt_distribution handler;
    uint64_t nested;
    uint64_t depth;
    uint64_t wakes;
    uint64_t threads;
    const char *woken;
    unsigned system; /* in which they happen */
};

/* Values of the rows of tables of the format's tool. */
struct tt_stat_tool {
    const char *kind;
    const char *name;
    uint64_t v[TT_TOOL_VALUES];
};

struct tt_stat_row {
    uint32_t thread;  /* thread number or TT_NO_THREAD; of a message the client */
    uint32_t process; /* of a message that of the server */
    uint32_t from;    /* pairs: thread numbers or TT_OCCUPANT_*; inversions: the holder */
    uint32_t to;      /* of blame and inversions: the thread that a row is charged to; of a message
                      the receiver */
    uint32_t peer;    /* client process of messages */
    uint16_t cpu;
    bool is_total;
    bool settled;  /* the distributions are computed; before that only the sums are */
    uint64_t idle; /* 1: idle thread */
    int32_t priority;
    int32_t priority_min;
    int32_t priority_max;
    uint64_t threads;
    uint64_t run;
    uint64_t out;
    uint64_t count;
    uint64_t first_at; /* pairs only: time of the first switch */
    uint64_t window;
    uint64_t events;
    uint64_t processes;
    uint64_t cpus;
    uint64_t post;    /* 1: messages whose sender does not wait; of an object its kind */
    uint64_t number;  /* of the connection, object or interrupt; TT_STAT_NONE: unknown */
    uint64_t channel; /* of messages; TT_STAT_NONE: unknown */
    uint64_t begin;   /* of a single message: its first known step */
    uint64_t length;  /* from there to its last one */
    union {
        struct {
            struct tt_numbers n;
            struct tt_ready_by ready_by; /* settled rows only */
            struct tt_stat_clients clients;
        };
        struct tt_stat_messages m; /* of tables of messages */
        struct tt_stat_objects o;  /* of the table of objects */
        struct tt_stat_interrupts i;
        struct tt_stat_tool tool;
    };
    struct tt_cpu_sums c;
    struct tt_totals totals;
    struct tt_thread_totals own; /* TT_NO_TOTAL: not provided by the format */
    struct tt_stat_blame b;
    struct tt_event_numbers e;
    struct tt_job_numbers j;
    size_t event; /* of events, interrupts and messages: index in the statistics */
};

enum tt_stat_unit {
    TT_STAT_COUNT,   /* uint64_t */
    TT_STAT_TIME_MS, /* uint64_t ticks, shown in milliseconds */
    TT_STAT_TIME_US, /* uint64_t ticks, shown in microseconds */
    TT_STAT_MEAN_US, /* struct tt_distribution: sum / count, as a time */
    TT_STAT_AT,      /* uint64_t ticks of the capture's clock */
    TT_STAT_SHARE,   /* uint64_t ticks, in percent of the window */
    TT_STAT_RATE,    /* uint64_t count in the window, shown per second */
    TT_STAT_NUMBER,  /* int32_t; TT_NO_PRIORITY: none */
    TT_STAT_TEXT,    /* const char * */
    TT_STAT_CPU,     /* uint16_t */
    TT_STAT_PROCESS_PID,
    TT_STAT_PROCESS_NAME, /* uint32_t: process number */
    TT_STAT_LANE_PID,
    TT_STAT_LANE_TID,
    TT_STAT_LANE_NAME, /* uint32_t: thread number or TT_OCCUPANT_* */
    TT_STAT_CHARGED,   /* uint32_t: thread number; without one: the row's b.by */
    TT_STAT_RECEIVER,  /* uint32_t: thread number; without one: the row's process */
    TT_STAT_SENDER,    /* uint32_t: thread number; without one: the row's peer */
    TT_STAT_QUEUE,     /* uint64_t: the row's channel: name of a queue, number, or #CONNECTION */
    TT_STAT_OBJECT,    /* uint64_t: number of the row's object: its name, or the number */
    TT_STAT_KIND,      /* uint64_t: enum tt_object_kind */
    TT_STAT_DEPTH,     /* uint64_t: a number summed over time, as its mean over the window */
    TT_STAT_PART,      /* uint64_t ticks, in percent of the row's m.known */
    TT_STAT_PARTS,     /* struct tt_stat_messages: the parts of the service, shown as a bar */
};

#define TT_STAT_ALWAYS SIZE_MAX

/* Where Summary shows a column. */
struct tt_stat_screen {
    const char *group; /* heading over adjacent columns of one group; "": none */
    const char *head;  /* short heading; "": the unit itself */
    uint16_t rank;     /* order in which columns get room, 0 first; unique in a table, below 64 */
    uint16_t place;    /* from left to right, equal ones in the order of the table; 0: not shown */
};

struct tt_stat_column {
    const char *key;     /* without the unit suffix of times (_ns, _ticks) */
    const char *heading; /* NULL: not in the text table */
    enum tt_stat_unit unit;
    size_t field;        /* offset in struct tt_stat_row */
    size_t basis;        /* offset of a uint64_t that must not be 0 for the value to be valid;
                            or TT_STAT_ALWAYS */
    size_t distribution; /* offset of the struct tt_distribution it comes from; TT_STAT_ALWAYS:
                            none */
    bool of_tool;        /* only if the format's own tool has such numbers */
    bool of_clients;     /* only if the request has with_clients */
    struct tt_stat_screen screen;
};

struct tt_stat_builder;

struct tt_stat_sheet {
    const struct tt_capture *capture;
    const struct tt_stat_column *columns;
    size_t column_count;
    const uint8_t **rows; /* packed: see tt_stat_row_at; NULL: none yet */
    size_t count;
    struct tt_stat_row total;
    bool has_total;
    bool complete;
    uint64_t window;  /* ticks of the window inside the capture */
    bool has_tool;    /* the format's own tool has numbers, and the rows contain them */
    bool has_clients; /* the request has with_clients */
    bool upright;     /* the table is transposed: one line per column */
    bool shrunk;      /* bytes of some events were gone */
    size_t left_out;  /* number of rows beyond row_limit */
    uint64_t first_ticks;
    struct tt_stat_builder *builder; /* state of the computation */
};

/* Parameters of a sheet. The trace, its reader and the bit arrays outlive the sheet. */
struct tt_stat_request {
    enum tt_stats_by by;
    struct tt_trace *trace;
    struct tt_events *events;
    struct tt_window window;
    struct tt_key_range keys; /* the same range as event keys; to_ticks UINT64_MAX: to the end */
    uint64_t first_row;       /* the same range as rows [first_row, end_row) */
    uint64_t end_row;
    const uint64_t *threads; /* one bit per thread; NULL: all, and events without a thread */
    uint32_t thread_limit;
    /* Events only: selects events by row; NULL: all. */
    bool (*wanted)(const void *arg, uint64_t row);
    const void *wanted_arg;
    /*
     * Events only: NULL, or the walk of an earlier sheet, which a sheet of a later range continues
     * and leaves here when it is freed. The caller frees the last one; initially *walk is NULL.
     */
    struct tt_event_stats **walk;
    struct tt_job_ends job_ends; /* jobs only: job-ending states, see tt_job_ends_parse */
    const uint64_t *deadlines;   /* jobs only: ticks by thread, 0: none; NULL: none at all */
    uint32_t deadline_limit;     /* number of deadlines */
    size_t row_limit;            /* of pairs and single messages: maximum number of rows, most
                                  frequent or longest first; 0: all pairs */
    bool without_ready_by;       /* the causes of ready time are not needed, and stay 0 */
    bool with_clients;           /* computes CPU time by client: of threads and processes before the
                                  rows; of pairs of client and server process after the rest */
};

/* Returns the word of an enum tt_stats_by: "thread". */
const char *tt_stats_word(int by);
/* Sets the range [keys.from, keys.to), its window and its rows for all threads and CPUs. */
void tt_stat_request_range(struct tt_stat_request *request, const struct tt_key_range *keys);

/* Returns the columns for an enum tt_stats_by and their number. */
const struct tt_stat_column *tt_stat_columns(int by, size_t *count);
/*
 * Returns the heading on screen of the column with that key: its own, or that of its group if its
 * own is the unit; "" if there is none.
 */
const char *tt_stat_head(int by, const char *key);

/* Unpacks a row; `index` is below the sheet's count. O(numbers of a row). */
void tt_stat_row_at(const struct tt_stat_sheet *sheet, size_t index, struct tt_stat_row *row);
void tt_stat_row_unpack(const uint8_t *packed, struct tt_stat_row *row);
/* Sets all values of a row to none. */
void tt_stat_row_clear(struct tt_stat_row *row);

/*
 * Begins a sheet. The caller frees it with tt_stat_sheet_free, also after an error. TT_ERR_MEMORY.
 */
struct tt_status tt_stat_sheet_begin(struct tt_stat_sheet *sheet,
                                     const struct tt_stat_request *request);
/*
 * Continues for about `work` intervals or events of some tens of nanoseconds each; UINT64_MAX: to
 * the end. Sets `complete` at the end.
 */
struct tt_status tt_stat_sheet_step(struct tt_stat_sheet *sheet, uint64_t work);
/*
 * Updates the rows of pairs, events, services and blames to the current counts; other rows are always
 * current. O(rows).
 */
struct tt_status tt_stat_sheet_refresh(struct tt_stat_sheet *sheet);
/*
 * Does the same in parts of about `work`, as in tt_stat_sheet_step; sets *done when the rows are
 * current. Until then the sheet has its earlier rows. A step of the sheet in between ends the
 * refresh.
 */
struct tt_status tt_stat_sheet_refresh_step(struct tt_stat_sheet *sheet, uint64_t work, bool *done);
/*
 * Keeps the packed rows that the sheet has now, and frees those kept by the previous call: `rows[i]` stays
 * valid while the sheet gets other rows, until the next call or tt_stat_sheet_free.
 */
void tt_stat_sheet_hold(struct tt_stat_sheet *sheet);
/* Returns the progress in percent. */
unsigned tt_stat_sheet_percent(const struct tt_stat_sheet *sheet);
/*
 * Frees at most `bytes` of a sheet that is no longer used; returns true if there is more to free.
 */
bool tt_stat_sheet_shrink(struct tt_stat_sheet *sheet, size_t bytes);
void tt_stat_sheet_free(struct tt_stat_sheet *sheet);

/* ---- values ------------------------------------------------------------------------------- */

enum tt_stat_cell_kind {
    TT_CELL_NONE,
    TT_CELL_NUMBER,
    TT_CELL_SIGNED,
    TT_CELL_DECIMAL,
    TT_CELL_TEXT
};

/* A value ready for output: times are in nanoseconds, or ticks without a clock. */
struct tt_stat_cell {
    enum tt_stat_cell_kind kind;
    uint64_t number;
    int64_t signed_number;
    unsigned decimals;   /* TT_CELL_DECIMAL only: number of decimal places in `number` */
    struct tt_text text; /* escaped */
};

#define TT_STAT_CELL_BYTES 16384 /* the longest name with every byte escaped */

static inline bool tt_stat_is_time(enum tt_stat_unit unit)
{
    return unit == TT_STAT_TIME_MS || unit == TT_STAT_TIME_US || unit == TT_STAT_MEAN_US ||
           unit == TT_STAT_AT;
}

static inline bool tt_stat_is_name(enum tt_stat_unit unit)
{
    return unit == TT_STAT_PROCESS_NAME || unit == TT_STAT_LANE_NAME || unit == TT_STAT_TEXT ||
           unit == TT_STAT_CHARGED || unit == TT_STAT_RECEIVER || unit == TT_STAT_SENDER ||
           unit == TT_STAT_QUEUE || unit == TT_STAT_OBJECT || unit == TT_STAT_KIND;
}

/* Returns whether cells of this unit may have a text. */
static inline bool tt_stat_has_text(enum tt_stat_unit unit)
{
    return tt_stat_is_name(unit) || unit == TT_STAT_PARTS;
}

/* Returns whether the sheet has the column. */
static inline bool tt_stat_is_printed(const struct tt_stat_sheet *sheet,
                                      const struct tt_stat_column *column)
{
    return (!column->of_tool || sheet->has_tool) && (!column->of_clients || sheet->has_clients);
}

/*
 * Returns the value of a column in a row. `buffer` of `size` bytes (TT_STAT_CELL_BYTES is enough)
 * holds the text of the result; names are escaped.
 */
struct tt_stat_cell tt_stat_cell_of(const struct tt_stat_sheet *sheet,
                                    const struct tt_stat_column *column,
                                    const struct tt_stat_row *row, char *buffer, size_t size);
/*
 * Returns whether a count of a row is 0 because no record shows why its threads left their CPUs: a
 * table for reading has no number there.
 */
bool tt_stat_is_unknown(const struct tt_stat_column *column, const struct tt_stat_row *row);
/* Appends a number with `decimals` decimal places. */
void tt_stat_decimal(struct tt_text *text, uint64_t number, unsigned decimals);
/* Appends the key with its unit: run_ns. */
void tt_stat_key(struct tt_text *text, const struct tt_stat_sheet *sheet,
                 const struct tt_stat_column *column);

/* Append a line of CSV (RFC 4180) with a newline: the keys, or a row. */
void tt_stat_csv_header(struct tt_text *text, const struct tt_stat_sheet *sheet);
void tt_stat_csv_row(struct tt_text *text, const struct tt_stat_sheet *sheet,
                     const struct tt_stat_row *row);
/* Appends a line "run_ns=12160300" for each value that the row has. */
void tt_stat_pairs(struct tt_text *text, const struct tt_stat_sheet *sheet,
                   const struct tt_stat_row *row);

#endif
