/* SPDX-License-Identifier: Apache-2.0 */
/*
 * lane: lanes that users define. A definition is one line of text:
 *
 *      NAME = BEGIN -> END [--same KEY] [--pair last|first]    an interval from each begin to its end
 *      NAME = states: FILTER => WORD, FILTER => WORD, ...      a state from each match to the next one
 *      NAME = value of FILTER.arg.ARGUMENT                     a value from each event to the next one
 *      NAME = sql: SELECT                                      the rows of a query, with time and duration
 *
 * BEGIN, END and FILTER are filters (filter.h). Intervals pair as in `measure` (analysis/measure.h). KEY is
 * any, thread, cpu, process or arg:NAME: each value of it has intervals, states or values of its own. The
 * word - ends a state without another one. `--color ROLE, ROLE` gives the colours of a lane, or of its
 * states, by the names of a theme. docs/lanes.md has the language.
 *
 *      text --parse--> definition --add--> lanes: the set of now --walk over a trace--> rows
 *
 * A definition and a set are constant once made. Lanes own all sets and definitions that they ever had, until they are
 * freed; one thread adds and removes, any thread reads the set of now. The lanes outlive the traces
 * whose options name them. A walk belongs to one thread.
 */
#ifndef TRACETUI_LANE_LANE_H
#define TRACETUI_LANE_LANE_H

#include "analysis/measure_request.h"
#include "tracetui/filter.h"
#include "tracetui/text.h"

/* ---- definitions -------------------------------------------------------------------------- */

enum tt_lane_kind { TT_LANE_INTERVALS, TT_LANE_STATES, TT_LANE_VALUES, TT_LANE_QUERY };

#define TT_LANE_PARTS      32u /* states of a lane, at most */
#define TT_LANE_NAME_BYTES 64u
#define TT_LANE_NO_STATE   UINT32_MAX
#define TT_LANE_OPEN       UINT64_MAX /* the end of a row that has none in the capture */

/* A filter of a definition: of intervals begin and end, of states one for each, of values one. */
struct tt_lane_part {
    const char *text;
    struct tt_filter *filter;
    const char *word; /* of a state; NULL: it ends the one before */
};

struct tt_lane_definition {
    char name[TT_LANE_NAME_BYTES];
    char *text; /* what follows the name and =, as written */
    enum tt_lane_kind kind;
    struct tt_measure_request pairing;
    struct tt_lane_part parts[TT_LANE_PARTS];
    unsigned part_count;
    const char *arg;   /* of values: the name of the argument */
    const char *query; /* of queries */
    const char *roles[TT_LANE_PARTS];
    unsigned role_count;
    bool is_of_session; /* defined on the screen, and saved with its state */
    char *words;        /* memory of the texts above */
};

/*
 * Parses a definition, with its name if `name` is NULL. Errors: TT_ERR_USAGE with the place and what was
 * expected, TT_ERR_MEMORY; nothing is left to free then. The caller frees *definition, or adds it.
 */
struct tt_status tt_lane_parse(const char *name, const char *text,
                               struct tt_lane_definition **definition);
void tt_lane_definition_free(struct tt_lane_definition *definition);

/* ---- sets --------------------------------------------------------------------------------- */

struct tt_lane_set {
    const struct tt_lane_definition *const *v;
    uint32_t count;
};

/* A row of a query; texts are valid until the next one, and may be NULL. */
struct tt_lane_query_row {
    uint64_t begin;
    uint64_t end; /* TT_LANE_OPEN: unknown */
    double value; /* NaN: none */
    const char *state, *key;
};

/* How queries run, which the library below SQL does not know. */
struct tt_lane_queries {
    /* Returns the state of a query, NULL and *status if it is not valid. */
    void *(*begin)(struct tt_trace *trace, const char *query, struct tt_status *status);
    /* Reads the next row; false at the end, or after an error. */
    bool (*next)(void *query, struct tt_lane_query_row *row, struct tt_status *status);
    void (*end)(void *query);
};

struct tt_lane_list;

/* `queries` NULL: lanes of queries have no rows. NULL if out of memory. */
struct tt_lane_list *tt_lane_list_new(const struct tt_lane_queries *queries);
/* Frees the lanes and all their sets; NULL is allowed. */
void tt_lane_list_free(struct tt_lane_list *lanes);
/* Adds a definition, which the lanes own then, in place of one with its name. TT_ERR_MEMORY: it is freed. */
struct tt_status tt_lane_list_add(struct tt_lane_list *lanes,
                                  struct tt_lane_definition *definition);
/* Parses and adds a definition with its name; the errors of both. */
struct tt_status tt_lane_list_define(struct tt_lane_list *lanes, const char *text);
/*
 * Adds the definitions of a file: one a line; # begins a comment line, and the next line belongs to one that ends in \. The message of an error begins with the line. TT_ERR_IO, TT_ERR_USAGE, TT_ERR_MEMORY.
 */
struct tt_status tt_lane_list_read(struct tt_lane_list *lanes, const char *path);
/* Removes the lane of a name; returns whether there was one. TT_ERR_MEMORY is as if there was none. */
bool tt_lane_list_remove(struct tt_lane_list *lanes, const char *name);
/* Returns the set of now, valid until the lanes are freed; an empty one if `lanes` is NULL. */
const struct tt_lane_set *tt_lane_list_now(const struct tt_lane_list *lanes);
const struct tt_lane_queries *tt_lane_list_queries(const struct tt_lane_list *lanes);
/* Returns the number of the lane of a name; UINT32_MAX: there is none. */
uint32_t tt_lane_set_find(const struct tt_lane_set *set, const char *name);

/* ---- walks -------------------------------------------------------------------------------- */

/* A row of a lane. Times are ticks. */
struct tt_lane_span {
    uint32_t lane;   /* number in the set of the walk */
    uint32_t key;    /* see tt_lane_put_key */
    uint32_t state;  /* see tt_lane_state; or TT_LANE_NO_STATE */
    uint32_t thread; /* of the event that begins it, of an interval that ends it; or TT_NO_THREAD */
    uint64_t begin;
    uint64_t end;
    uint64_t row;  /* of the event that begins it; of a query the number of its row */
    double value;  /* NaN: none */
    bool is_lossy; /* records are lost in it */
};

/* Receives a row; false: out of memory. */
typedef bool tt_lane_add(void *arg, const struct tt_lane_span *row);

struct tt_lane_walk_request {
    struct tt_trace *trace;
    struct tt_events *events;
    uint32_t only;      /* number of a lane; UINT32_MAX: all */
    uint64_t first_row; /* rows that begin in [first_row, end_row) of the events, ... */
    uint64_t end_row;   /* ... UINT64_MAX: to the end */
    uint64_t from, to;  /* the same range in ticks, for the rows of queries */
    bool without_queries;
};

struct tt_lane_walk;

/*
 * Begins a walk over the lanes that the trace's options name, as they are now. A lane that the capture cannot have, as one
 * with a state that its format lacks, has no rows; tt_lane_walk_error returns why. NULL if out of memory.
 */
struct tt_lane_walk *tt_lane_walk_new(const struct tt_lane_walk_request *request);
void tt_lane_walk_free(struct tt_lane_walk *walk);
/* Returns why some lane has no rows, the first one; TT_OK: all have. */
struct tt_status tt_lane_walk_error(const struct tt_lane_walk *walk);
const struct tt_lane_set *tt_lane_walk_set(const struct tt_lane_walk *walk);

/*
 * Continues with at most 1,024 events before row `rows`, and passes the rows that end there to `add`; returns the number of
 * events, 0: none is left, until `rows` is larger. *ok is false if out of memory.
 */
uint32_t tt_lane_walk_step(struct tt_lane_walk *walk, uint64_t rows, tt_lane_add *add, void *arg,
                           bool *ok);
/* Passes the rows that have begun, without an end so far. Returns false if out of memory. */
bool tt_lane_walk_open(struct tt_lane_walk *walk, tt_lane_add *add, void *arg);
/* Returns the row of the next event; whether events are missing that the index has. */
uint64_t tt_lane_walk_row(const struct tt_lane_walk *walk);
bool tt_lane_walk_is_cut(const struct tt_lane_walk *walk);

/* Appends the key of a row: a thread, process, CPU or value, escaped; nothing if the lane has none. */
void tt_lane_put_key(struct tt_text *text, const struct tt_lane_walk *walk,
                     const struct tt_lane_span *row);
/* Returns the state of a row, not escaped, valid as long as the walk; NULL: none. */
const char *tt_lane_state(const struct tt_lane_walk *walk, const struct tt_lane_span *row);

#endif
