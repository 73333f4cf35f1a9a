/* SPDX-License-Identifier: Apache-2.0 */
/*
 * table: every list of rows in the program is a table: one constant in one file of src/table, with the
 * struct of its rows, its columns, and how its rows are made.
 *
 *      table    columns    pid   tid   thread   run_ns   ...      struct tt_table_column each: constants
 *      run      rows       | a packed row each: times in ticks   struct tt_table_run: one range of a capture
 *               total      | the last line of the table
 *
 * Users describe no column of their own: output, SQL, comparisons, rules and the screen read `columns`, ask
 * for cells (tt_table_cell_of), and find rows and columns by their meaning, never by their keys.
 *
 * A run is computed in steps, so that a screen can show partial results and handle keys:
 *
 *      begin --> step (budget): rows so far --> step ... --> complete --> rows in order, the largest first
 *                   '--> refresh: the rows counted so far, if a step does not list them itself
 *
 * A run owns its rows and belongs to one thread; the timelines that it reads may still grow. Rows are
 * packed (src/table/store.c): a caller unpacks one into a struct tt_table_row, which has room for a
 * row of any table.
 */
#ifndef TRACETUI_TABLE_H
#define TRACETUI_TABLE_H

#include "tracetui/jobs.h"
#include "tracetui/stats.h"
#include "tracetui/text.h"

struct tt_message;
struct tt_snapshot_scene;
struct tt_table;
struct tt_table_cell;
struct tt_table_column;
struct tt_table_run;
struct tt_wakes;

/* ---- columns ------------------------------------------------------------------------------ */

/* Type and meaning of a member of a row. A value of TT_TABLE_NONE is unknown, and so is TT_NO_THREAD. */
enum tt_unit {
    TT_UNIT_COUNT,        /* uint64_t */
    TT_UNIT_HEX,          /* uint64_t: an address or number, in text and CSV as 0x1f */
    TT_UNIT_TIME_MS,      /* uint64_t ticks, shown in milliseconds */
    TT_UNIT_TIME_US,      /* uint64_t ticks, shown in microseconds */
    TT_UNIT_MEAN_US,      /* struct tt_distribution: sum / count, as a time */
    TT_UNIT_AT,           /* uint64_t ticks of the capture's clock */
    TT_UNIT_SHARE,        /* uint64_t ticks, in percent of the window */
    TT_UNIT_RATE,         /* uint64_t count in the window, shown per second */
    TT_UNIT_DEPTH,        /* uint64_t: a number summed over time, as its mean over the window */
    TT_UNIT_NUMBER,       /* int32_t; TT_NO_PRIORITY: none */
    TT_UNIT_TEXT,         /* const char *; NULL or empty: unknown */
    TT_UNIT_CPU,          /* uint16_t */
    TT_UNIT_PROCESS_PID,  /* uint32_t: number of a process, as its pid ... */
    TT_UNIT_PROCESS_NAME, /* ... or its name */
    TT_UNIT_LANE_PID, /* uint32_t: number of a thread or TT_OCCUPANT_*, as the pid of its process ... */
    TT_UNIT_LANE_TID,  /* ... its tid ... */
    TT_UNIT_LANE_NAME, /* ... or its name */
    TT_UNIT_NAME,      /* text by the column's `cell` */
    TT_UNIT_PART,      /* percent of another member, by the column's `cell` */
    TT_UNIT_PARTS,     /* parts of a time, shown as a bar, by the column's `cell` */
    TT_UNIT_FLAG,      /* uint64_t: 1 true, 0 false */
    TT_UNIT_ID,        /* number of a row in the capture; in SQL as a key. No member */
    TT_UNIT_KEY,       /* uint32_t: number of a thread, process, ... as a key of SQL */
    TT_UNIT_EVENT_KEY, /* uint64_t: row of an event, as a key of SQL */
    TT_UNIT_BYTES,     /* uint64_t */
    TT_UNIT_HZ,        /* uint64_t */
    TT_UNIT_REAL,      /* double; NaN: unknown */
};

/* The rows that a comparison of SQL with a column excludes from reading. */
enum tt_table_bound {
    TT_BOUND_NONE,
    TT_BOUND_CAPTURE,
    TT_BOUND_ID,   /* the number of the row, or of its event */
    TT_BOUND_TIME, /* the begin of the row */
    TT_BOUND_THREAD,
    TT_BOUND_PROCESS,
    TT_BOUND_PID,
    TT_BOUND_TID,
    TT_BOUND_CPU,
    TT_BOUND_TYPE,
    TT_BOUND_EVENT, /* name of the event's type */
    TT_BOUND_OBJECT /* number of an object or of a series */
};

/* How a value would change if the records of its row that are lost were there. */
enum tt_lost {
    TT_LOST_MORE,    /* it may be larger; a time by all of the row's unknown time */
    TT_LOST_RUNNING, /* the same; a state that is unknown without a loss is none on a CPU */
    TT_LOST_LESS,    /* it may be smaller */
    TT_LOST_EITHER,
    TT_LOST_NOT,
    TT_LOST_UNKNOWN /* it is the row's unknown time */
};

/*
 * The distributions of rows, by the names of their members: of threads and processes, of jobs, events and
 * interrupts, messages, objects (with `wait`), and migrations. X(name)
 */
#define TT_SAMPLES_INFO(X)                                                                         \
    X(delay)                                                                                       \
    X(preempted)                                                                                   \
    X(wait)                                                                                        \
    X(slice)                                                                                       \
    X(response)                                                                                    \
    X(run)                                                                                         \
    X(period)                                                                                      \
    X(duration)                                                                                    \
    X(handler)                                                                                     \
    X(round)                                                                                       \
    X(queue)                                                                                       \
    X(service)                                                                                     \
    X(back)                                                                                        \
    X(hold)                                                                                        \
    X(away)

enum tt_samples_of {
    TT_SAMPLES_NONE,
#define X(name) TT_SAMPLES_##name,
    TT_SAMPLES_INFO(X)
#undef X
};

#define TT_TABLE_NONE   UINT64_MAX /* a value that the capture does not contain */
#define TT_TABLE_ALWAYS SIZE_MAX

/* Where the screen shows a column. */
struct tt_table_screen {
    const char *group; /* heading over adjacent columns of one group; "": none */
    const char *head;  /* short heading; "": the unit itself */
    uint16_t rank;     /* order in which columns get room, 0 first; unique in a table, below 64 */
    uint16_t place;    /* from left to right, equal ones in the order of the table; 0: not shown */
    uint16_t width;    /* of a list in a pane; 0: that of the unit */
};

struct tt_table_column {
    const char
        *key; /* in CSV, JSON, SQL and rules; without the unit suffix of times (_ns, _ticks) */
    const char *heading; /* NULL: not in the text table */
    enum tt_unit unit;
    size_t field;        /* offset in the row */
    size_t basis;        /* offset of a uint64_t that must not be 0 for the value to be valid;
                            or TT_TABLE_ALWAYS */
    size_t distribution; /* offset of the struct tt_distribution it comes from; TT_TABLE_ALWAYS:
                            none */
    enum tt_samples_of samples; /* which distribution it comes from or follows from */
    bool is_late;    /* known in settled rows only, and not if the request has without_ready_by */
    bool of_tool;    /* only if the format's own tool has such numbers */
    bool of_clients; /* only if the request has with_clients */
    bool of_guests;  /* only if threads host guests */
    bool of_reason;  /* counts by why a thread left its CPU, which a format may not record */
    struct tt_table_screen screen;
    const char *doc; /* one sentence for users: "Time from ready to running, the longest." */
    /* Sets the value instead of the unit; NULL: the unit does. An untouched cell is unknown. */
    void (*cell)(const struct tt_table_run *run, const struct tt_table_column *column,
                 const void *row, struct tt_table_cell *cell);
    enum tt_lost lost; /* apart from means, percentiles and parts, which may change either way */
    uint8_t compared;  /* position among the values that a comparison lists; 0: none of them */
    bool is_neutral;   /* more of it is neither worse nor better ... */
    bool is_good;      /* ... or it is better; else it is worse */
    bool is_key;       /* part of what tells a row from the others */
    bool is_common;    /* every format records it, so that captures of two formats compare */
    bool is_level;     /* a count that does not grow with the window */
    bool is_sum;       /* a time in microseconds that grows with the window */
    bool is_identity;  /* a number that measures nothing */
    bool of_threads;   /* only if the format has no processes */
    bool is_screen;    /* only on the screen: in files other columns say the same */
    bool is_text;      /* only in the text table and on the screen, for the same reason */
    bool names_unit;   /* the heading says the unit, which is not appended */
    bool is_precise;   /* the text table shows all decimal places */
    /* Of raw rows, see tt_table.next. */
    const char *sql; /* its name in SQL without the unit; NULL: the key */
    enum tt_table_bound bound;
    bool is_lasting; /* its text lives as long as the capture */
    bool is_ticks;   /* a time that SQL has in ticks only */
    bool is_sql;     /* only in SQL ... */
    bool is_file;    /* ... or only in files */
    bool is_costly;  /* known after tt_table_complete */
};

static inline bool tt_unit_is_time(enum tt_unit unit)
{
    return unit == TT_UNIT_TIME_MS || unit == TT_UNIT_TIME_US || unit == TT_UNIT_MEAN_US ||
           unit == TT_UNIT_AT;
}

static inline bool tt_unit_is_name(enum tt_unit unit)
{
    return unit == TT_UNIT_PROCESS_NAME || unit == TT_UNIT_LANE_NAME || unit == TT_UNIT_TEXT ||
           unit == TT_UNIT_NAME;
}

/* Returns whether cells of this unit may have a text. */
static inline bool tt_unit_has_text(enum tt_unit unit)
{
    return tt_unit_is_name(unit) || unit == TT_UNIT_PARTS;
}

/* Returns whether a column is a number that measures something, so that it has more and less of it. */
bool tt_column_is_measure(const struct tt_table_column *column);
/* Returns 1 if more of it is worse, -1 if less is worse, else 0. */
static inline int tt_column_worse(const struct tt_table_column *column)
{
    return column->is_good ? -1 : !column->is_neutral;
}

/* ---- tables ------------------------------------------------------------------------------- */

enum tt_made { TT_MADE_PART, TT_MADE_ALL, TT_MADE_NO_MEMORY };

/* The rows of a table that a filter of events limits (docs/metrics.md, "Some threads, some CPUs, some events"). */
enum tt_table_filter {
    TT_FILTER_THREADS,  /* to the threads of the events that match */
    TT_FILTER_CPUS,     /* to their CPUs */
    TT_FILTER_EVENTS,   /* to these events */
    TT_FILTER_MESSAGES, /* to messages of which an event matches */
};

/*
 * The subject of a row of a table of sums; the row begins with it. Two rows of a table with equal subjects are the
 * same row of two runs.
 */
struct tt_subject {
    uint32_t thread;  /* or TT_NO_THREAD, as all of these; of messages the client */
    uint32_t process; /* of messages that of the server */
    uint32_t from,
        to; /* of pairs the threads or TT_OCCUPANT_*; of inversions `from` is the holder; `to`: the
                          thread that is charged, of messages the receiver */
    uint32_t peer; /* process of the client */
    uint16_t cpu;
    uint16_t system;   /* of a merged capture */
    uint64_t number;   /* of the connection, object, interrupt or event; TT_TABLE_NONE: unknown */
    uint64_t channel;  /* the same */
    uint64_t at;       /* begin of a single message or inversion */
    const char *name;  /* of an event, instance or cause; or NULL */
    uint32_t class_id; /* of events */
    uint32_t kind;     /* of an object; of messages 1: the sender does not wait */
};

/*
 * Returns the number of the capture that a row of a table of sums is of; -1: of several, or the run's capture is not
 * merged from different systems.
 */
int tt_table_member(const struct tt_table_run *run, const void *row);
bool tt_subject_is(const struct tt_subject *left, const struct tt_subject *right);

/* Room for a row of any table. Its values are read with tt_table_cell_of and the functions below. */
struct tt_table_row {
    struct tt_subject of; /* in rows of tables of sums */
    uint64_t values[120];
};

/* A place in time that a value of a row comes from. */
struct tt_table_place {
    uint64_t at;      /* ticks; of an interval its end */
    uint64_t length;  /* ticks; 0: an instant */
    uint32_t thread;  /* whose interval it is; TT_NO_THREAD: the row's */
    uint32_t other;   /* that had what it waited for; or TT_NO_THREAD */
    const char *what; /* "jitter"; NULL: the column's group */
};

struct tt_table {
    const char *name;  /* of --by, of rules, of SQL: "server" */
    const char *title; /* "Servers" */
    const char *doc;   /* one sentence: what a row is */
    /*
     * The name of a row: texts, and keys of columns in brackets. A part between bars is left out if a
     * column with `?` is unknown or equals the one before: "[client] -> [server]| ([kind?])".
     */
    const char *row_name;
    const char *row_title; /* the same for the screen, with more words; NULL: row_name */
    const struct tt_table_column *columns;
    size_t column_count;
    size_t row_size;   /* of its struct, a multiple of 8 */
    size_t state_size; /* of what a run needs while it counts; zero at first */
    size_t
        settled; /* offset of a uint64_t: 1 if the row's distributions are computed; 0: always are */
    size_t idle; /* offset of a uint64_t: 1 in rows of idle threads; 0: there are none */
    /*
     * Offsets of the row's struct tt_thread_sums, which the number of switches away follows, of its struct tt_cpu_sums,
     * and of its ticks by class of states; 0: it has none.
     */
    size_t sums, cpu_sums, classes;
    const char
        *longest[2]; /* keys of columns whose maximum is the row's: the first one that it has */
    enum tt_table_filter filter;
    bool of_lane;    /* a row depends on the records of its thread, process or CPU alone */
    bool is_shared;  /* rows divide a time: each value may change either way if records are lost */
    bool is_overall; /* a row sums up all captures of a merged one */
    bool is_upright; /* one row, printed as a line per column */
    /*
     * Raw rows: these are read one after the other and not kept, in place of `step` and what follows it.
     * Sets the next row and returns PART; ALL: there is none. `begin` precedes the first call, with run->bounds set;
     * false: out of memory.
     */
    bool (*begin)(struct tt_table_run *run);
    enum tt_made (*next)(struct tt_table_run *run, void *row);
    /* Returns the number of the row read last, the same in each run over the capture. */
    uint64_t (*number)(const struct tt_table_run *run);
    /* Returns the number of the member of a merged capture that a row is of; NULL: rows do not have one. */
    int (*member)(const struct tt_table_run *run, const void *row);
    bool reads_events;    /* with the request's reader */
    bool needs_no_events; /* it has rows of captures without events, too */
    void (*complete)(const struct tt_table_run *run, void *row); /* sets costly members; or NULL */
    const char *order; /* key of the column that the screen sorts by at first, the most first */
    bool of_messages;  /* of the Messages view: of messages, and of what servers do for clients */
    /* Returns why a capture cannot have rows, as the end of "no NAME: ..."; NULL: it can. */
    const char *(*missing)(const struct tt_capture *capture);
    void (*clear)(void *row); /* sets the values of an empty row; NULL: all are 0 */
    /*
     * Uses up run->work: counts, and replaces the run's rows (tt_table_reserve, tt_table_add) when
     * there are newer ones; when it returns ALL, they are final, and in order or to be compared.
     */
    enum tt_made (*step)(struct tt_table_run *run);
    /* Compares two rows: <0 if `a` comes first. A total order; NULL: `step` makes them in order. */
    int (*compare)(const void *a, const void *b);
    enum tt_made (*refresh)(
        struct tt_table_run *run); /* lists the rows so far; NULL: `step` does */
    unsigned (*percent)(const struct tt_table_run *run);
    bool (*shrink)(struct tt_table_run *run, size_t *bytes); /* frees a part; NULL: `end` is fast */
    void (*end)(struct tt_table_run *run);                   /* frees what the state owns */
    /* Finds where a value is in time; NULL, or false: where the column's distribution has its maximum. */
    bool (*place)(const struct tt_table_run *run, const struct tt_table_column *column,
                  const void *row, struct tt_table_place *place);
};

/* Returns all tables, one after the other; NULL at the end. */
const struct tt_table *tt_table_at(size_t index);
/* Returns the table of a name, or NULL; *nearest, if not NULL, is then the nearest name or NULL. */
const struct tt_table *tt_table_find(const char *name, const char **nearest);
/* Returns the column of a key without its unit, or NULL. */
const struct tt_table_column *tt_table_column_of(const struct tt_table *table, const char *key);
/*
 * Returns the heading on screen of the column with that key: its own, or that of its group if its
 * own is the unit; "" if there is none.
 */
const char *tt_table_head(const struct tt_table *table, const char *key);

/* The tables of raw rows: the rows of SQL and `dump`, in the order of docs/sql.md; NULL at the end. */
const struct tt_table *tt_table_raw_at(size_t index);

/* All tables: those of tt_table_at, then those of raw rows; NULL at the end. */
const struct tt_table *tt_table_any_at(size_t index);

/* ---- runs --------------------------------------------------------------------------------- */

/* Limits of raw rows that a query sets; rows beyond them may be read, too. UINT32_MAX: all. */
struct tt_table_bounds {
    uint64_t from, last;       /* ticks in which rows begin, inclusive */
    uint64_t id_from, id_last; /* their numbers, inclusive */
    uint32_t cpu;
    uint32_t type;
    uint32_t object;   /* or series */
    const char *event; /* escaped name of the type of events; NULL: all */
    /* Returns the first thread from `thread` on whose rows are wanted; the number of threads: none. */
    uint32_t (*next_thread)(void *arg, uint32_t thread);
    bool (*wants_thread)(void *arg, uint32_t thread); /* also TT_NO_THREAD */
    bool (*stopped)(void *arg);                       /* returns whether to end early */
    void *arg;
};

/* Parameters of a run. The trace, its reader and the bit arrays outlive the run. */
struct tt_table_request {
    const struct tt_table *table;
    struct tt_trace *trace;
    struct tt_events *events;
    struct tt_window window;
    struct tt_key_range keys; /* the same range as event keys; to_ticks UINT64_MAX: to the end */
    uint64_t first_row;       /* the same range as rows [first_row, end_row) */
    uint64_t end_row;
    const uint64_t *threads; /* one bit per thread; NULL: all, and events without a thread */
    uint32_t thread_limit;
    /* TT_FILTER_EVENTS only: selects events by row; NULL: all. */
    bool (*wanted)(const void *arg, uint64_t row);
    const void *wanted_arg;
    /* TT_FILTER_MESSAGES only: selects messages; NULL: all. */
    bool (*wanted_message)(void *arg, const struct tt_message *message);
    void *wanted_message_arg;
    /*
     * Events only: NULL, or the walk of an earlier run, which a run of a later range continues
     * and leaves here when it is freed. The caller frees the last one; initially *walk is NULL.
     */
    struct tt_event_stats **walk;
    struct tt_job_ends job_ends; /* jobs only: job-ending states, see tt_job_ends_parse */
    const uint64_t *deadlines;   /* jobs only: ticks by thread, 0: none; NULL: none at all */
    uint32_t deadline_limit;     /* number of deadlines */
    size_t row_limit;            /* of pairs and single messages: maximum number of rows, most
                                  frequent or longest first; 0: all pairs */
    bool without_queries;        /* of lanes: those of queries have no rows */
    bool short_names;      /* on a screen: processes with one name carry their number, others of
                                  messages are without what Symbian appends */
    bool without_ready_by; /* the causes of ready time are not needed, and stay 0 */
    bool in_order;         /* complete rows are in the order of the table, which a screen with an
                                  order of its own does not need */
    const struct tt_table_bounds *bounds; /* of raw rows; NULL: the range and the threads above */
    struct tt_wakes *wakes;               /* of wakes: that runs share; NULL: the run has its own */
    const struct tt_snapshot_scene *scene; /* of a snapshot */
    const char *capture_name;              /* of captures */
    uint32_t capture_number;
    bool with_clients; /* computes CPU time by client: of threads and processes before the
                                  rows; of pairs of client and server process after the rest */
};

/* Sets the range [keys.from, keys.to), its window and its rows for all threads and CPUs. */
void tt_table_request_range(struct tt_table_request *request, const struct tt_key_range *keys);
/* Returns the range and the filters of a request for a walk over events. */
struct tt_event_window tt_table_event_window(const struct tt_table_request *request);
/* Returns the deadline of the jobs of a thread in ticks; 0: none. */
uint64_t tt_table_deadline(const struct tt_table_request *request, uint32_t thread);

struct tt_table_store;

struct tt_table_run {
    const struct tt_table *table;
    struct tt_table_request request;
    const struct tt_capture *capture;
    const struct tt_timelines
        *timelines; /* of the current step; those of an earlier one may be freed */
    const struct tt_table_column *columns; /* those of the table */
    size_t column_count;
    const uint8_t **rows; /* packed: see tt_table_row_at; NULL: none yet */
    size_t count;
    void *total; /* a row: the last line of the table */
    bool has_total;
    bool complete;
    bool begun;                    /* raw rows are read, within ... */
    struct tt_table_bounds bounds; /* ... those of the query, or the range of the request */
    uint64_t window;               /* ticks of the window inside the capture */
    bool has_tool;    /* the format's own tool has numbers, and the rows contain them */
    bool has_clients; /* the request has with_clients */
    bool shrunk;      /* bytes of some events were gone */
    size_t left_out;  /* number of rows beyond row_limit */
    uint64_t first_ticks;
    uint64_t *namesakes; /* a bit per process whose name is that of another one; NULL: none */
    uint32_t namesake_limit;
    uint64_t work; /* that is left of this step */
    struct tt_table_store *store;
    void *state; /* table->state_size bytes */
};

/* Begins a run. The caller frees it with tt_table_free, also after an error. TT_ERR_MEMORY. */
struct tt_status tt_table_begin(struct tt_table_run *run, const struct tt_table_request *request);
/*
 * Continues for about `work` intervals or events of some tens of nanoseconds each; UINT64_MAX: to
 * the end. Sets `complete` at the end.
 */
struct tt_status tt_table_step(struct tt_table_run *run, uint64_t work);
/*
 * Reads the next raw row into `row`, of the table's row_size; false after the last one, or if *status is an
 * error. tt_table_complete sets its costly members.
 */
bool tt_table_next(struct tt_table_run *run, void *row, struct tt_status *status);
void tt_table_complete(const struct tt_table_run *run, void *row);
/*
 * Updates the rows of tables with `refresh` to the current counts; other rows are always current.
 * O(rows).
 */
struct tt_status tt_table_refresh(struct tt_table_run *run);
/*
 * Does the same in parts of about `work`, as in tt_table_step; sets *done when the rows are
 * current. Until then the run has its earlier rows. A step of the run in between ends the
 * refresh.
 */
struct tt_status tt_table_refresh_step(struct tt_table_run *run, uint64_t work, bool *done);
/*
 * Keeps the packed rows that the run has now, and frees those kept by the previous call: `rows[i]` stays
 * valid while the run gets other rows, until the next call or tt_table_free.
 */
void tt_table_hold(struct tt_table_run *run);
/* Returns the progress in percent. */
unsigned tt_table_percent(const struct tt_table_run *run);
/* Frees at most `bytes` of a run that is no longer used; returns true if there is more to free. */
bool tt_table_shrink(struct tt_table_run *run, size_t bytes);
void tt_table_free(struct tt_table_run *run);

/* Unpacks a row; `index` is below the run's count; `row` has room for one. O(numbers of a row). */
void tt_table_row_at(const struct tt_table_run *run, size_t index, void *row);
void tt_table_unpack(const struct tt_table *table, const uint8_t *packed, void *row);
/* Sets a row to an empty one. */
void tt_table_clear_row(const struct tt_table *table, void *row);
/* Returns whether the distributions of a row are computed. */
bool tt_table_is_settled(const struct tt_table *table, const void *row);
/* Returns whether a row is that of an idle thread, which no sum of threads contains. */
bool tt_table_is_idle(const struct tt_table *table, const void *row);
/* Appends the name of a row: "sensor/2 isr", "CPU 0", "a -> b". */
void tt_table_row_name(struct tt_text *text, const struct tt_table_run *run, const void *row);
void tt_table_row_title(struct tt_text *text, const struct tt_table_run *run, const void *row);
/*
 * Returns the column that the name of a row contains as its first, second, ... one; NULL: it has fewer. Those
 * with `?` do not count.
 */
const struct tt_table_column *tt_table_name_column(const struct tt_table *table, unsigned index);
/* Returns the number or ticks in a member of a row; TT_TABLE_NONE: unknown, or no such column. */
uint64_t tt_table_number(const struct tt_table *table, const void *row, const char *key);
/* Returns a distribution of a row; NULL: it has none, none yet, or no sample. */
const struct tt_distribution *tt_table_distribution(const struct tt_table *table, const void *row,
                                                    enum tt_samples_of samples);
/* Returns the ticks of a row by class of states; NULL: the table has none. */
const uint64_t *tt_table_classes(const struct tt_table *table, const void *row);
/*
 * Returns the column whose maximum a row has: a column of a distribution or with a place of its own itself, else
 * the first of table->longest that the row has; NULL: none.
 */
const struct tt_table_column *tt_table_longest(const struct tt_table_run *run,
                                               const struct tt_table_column *column,
                                               const void *row);
/* Finds where a value of a row is in time; false: nowhere. */
bool tt_table_place_of(const struct tt_table_run *run, const struct tt_table_column *column,
                       const void *row, struct tt_table_place *place);

/* For tables, in `step` and `refresh`. */
/* Replaces the rows by room for `count` rows. These return false if out of memory. */
bool tt_table_reserve(struct tt_table_run *run, size_t count);
bool tt_table_add(struct tt_table_run *run, const void *row);
/* Replaces a row. */
bool tt_table_put(struct tt_table_run *run, size_t index, const void *row);
/*
 * List rows again in steps, while the run keeps those that it has: reserve room for `count` new rows,
 * add each of them, and replace the old rows by them. The first two return false if out of memory.
 */
bool tt_table_reserve_new(struct tt_table_run *run, size_t count);
bool tt_table_add_new(struct tt_table_run *run, const void *row);
void tt_table_use_new(struct tt_table_run *run);
void tt_table_free_new(struct tt_table_run *run);
/* Subtracts from the work that is left; returns false if none is left. */
bool tt_table_spend(struct tt_table_run *run, uint64_t work);
/* Returns whether the request selects a thread. */
bool tt_table_includes(const struct tt_table_run *run, uint32_t thread);

/* ---- cells -------------------------------------------------------------------------------- */

enum tt_table_cell_kind {
    TT_CELL_NONE, /* unknown: null in JSON and SQL, empty in CSV, - in text */
    TT_CELL_NUMBER,
    TT_CELL_SIGNED,
    TT_CELL_DECIMAL,
    TT_CELL_REAL,
    TT_CELL_TEXT
};

/* A value ready for output: times are in nanoseconds, or ticks without a clock. */
struct tt_table_cell {
    enum tt_table_cell_kind kind;
    uint64_t number;
    int64_t signed_number;
    double real;
    unsigned decimals;   /* TT_CELL_DECIMAL only: number of decimal places in `number`, ... */
    bool is_negative;    /* ... which has a minus */
    uint32_t thread;     /* that a name or number is of; TT_NO_THREAD: of none */
    uint32_t process;    /* the same of a process */
    struct tt_text text; /* escaped; of a number: how it is read, with its unit, if not empty */
};

#define TT_TABLE_CELL_BYTES 16384 /* the longest name with every byte escaped */

/* Return whether the run has values of the column, and whether files have it, too. */
bool tt_table_has(const struct tt_table_run *run, const struct tt_table_column *column);
bool tt_table_prints(const struct tt_table_run *run, const struct tt_table_column *column);
/*
 * Returns the value of a column in a row. `buffer` of `size` bytes (TT_TABLE_CELL_BYTES is enough)
 * holds the text of the result; names are escaped.
 */
struct tt_table_cell tt_table_cell_of(const struct tt_table_run *run,
                                      const struct tt_table_column *column, const void *row,
                                      char *buffer, size_t size);
/* Appends a name or number as a part of a row's name; "-": unknown, or a value of another kind. */
void tt_table_put_cell(struct tt_text *text, const struct tt_table_cell *cell);
/*
 * Returns whether a count of a row is 0 because no record shows why its threads left their CPUs: a
 * table for reading has no number there.
 */
bool tt_table_is_unexplained(const struct tt_table *table, const struct tt_table_column *column,
                             const void *row);
/* Returns the ticks of a column that is a time; TT_TABLE_NONE: unknown. */
uint64_t tt_table_ticks_of(const struct tt_table_run *run, const struct tt_table_column *column,
                           const void *row);
/* Appends the key with its unit: run_ns. */
void tt_table_key(struct tt_text *text, const struct tt_table_run *run,
                  const struct tt_table_column *column);

/* For the `cell` functions of columns. */
/* Set a number, a time in ticks, or a text. */
void tt_table_set_number(struct tt_table_cell *cell, uint64_t number);
/* Sets a part of a duration, `before` ticks after its begin: the parts sum to it (tt_line_part_ns). */
void tt_table_set_part_time(const struct tt_table_run *run, struct tt_table_cell *cell,
                            uint64_t before, uint64_t ticks);
void tt_table_set_text(struct tt_table_cell *cell, const char *text);
/* Set the value of a thread or TT_OCCUPANT_*, or of a process; nothing if there is none. */
void tt_table_set_lane(const struct tt_capture *capture, enum tt_unit unit, uint32_t lane,
                       struct tt_table_cell *cell);
void tt_table_set_process(const struct tt_capture *capture, enum tt_unit unit, uint32_t process,
                          struct tt_table_cell *cell);

#endif
