/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter: a one-line language that selects events: parse, plan, run.
 *
 *      text --parse--> filter --plan--> plan ---worker, worker, ...---> result
 *                      independent      for one trace: terms            one bit per row, counts,
 *                      of a capture     decided by value                rank and select
 *
 * docs/filter.md describes the language. A line of terms (`field op value`), regexes between
 * slashes, and, or, not and parentheses is structured; any other line is one PCRE2 regex on the
 * line of text that tt_line_event writes. Matching ignores case unless a regex contains an
 * upper-case letter.
 *
 * Cost. Terms on threads, processes, types, CPUs and kinds are decided once per value when the plan
 * is made; an event then costs a load and a bit test. States and priorities cost a step along the
 * thread's timeline. Regexes on the line cost rendering the line and a bounded match: a line on
 * which the pattern exceeds the bound is *undecided*, which is counted and never treated as "no
 * match".
 *
 * Ownership: the caller owns and frees the results of *_new, _parse and _start; a plan borrows
 * filter and trace, a worker borrows plan and reader, a run borrows the plan. Threads: a filter is
 * immutable; a plan changes only in tt_filter_plan_extend, while no worker runs; each worker
 * belongs to one thread.
 */
#ifndef TRACETUI_FILTER_H
#define TRACETUI_FILTER_H

#include <stddef.h>

#include "tracetui/row_set.h"
#include "tracetui/timeline.h"
#include "tracetui/trace.h"

#define TT_FILTER_BYTES_MAX 8192 /* maximum size of a filter's text */

/* ---- parse -------------------------------------------------------------------------------- */

struct tt_filter;

/* A parse error and its position: `column` counts characters from 1; 0: no position. */
struct tt_filter_error {
    uint32_t column;
    struct tt_status status; /* the text begins with "column N: " if there is a position */
};

/*
 * Parses `text`. Returns false with *error (TT_ERR_USAGE or TT_ERR_MEMORY) and nothing to free; on
 * success the caller frees *filter with tt_filter_free.
 */
bool tt_filter_parse(const char *text, struct tt_filter **filter, struct tt_filter_error *error);
void tt_filter_free(struct tt_filter *filter);

/* Returns whether the whole line is one regex. */
bool tt_filter_is_plain(const struct tt_filter *filter);
/* A byte range [start, end) of a line. */
struct tt_filter_spot {
    size_t start;
    size_t end;
};
/*
 * Finds the matches of a filter that consists of a single regex on the line: up to `most` spots,
 * left to right, none empty. Returns 0 for any other filter, or if nothing matches.
 */
unsigned tt_filter_spots(const struct tt_filter *filter, const char *line, size_t length,
                         struct tt_filter_spot *spots, unsigned most);
/* Returns the description of a field by index, NULL after the last one; for help and completion. */
struct tt_filter_field {
    const char *name;
    const char *operators; /* for the user: "= != < <= > >= in" */
    const char *help;
};
const struct tt_filter_field *tt_filter_field_at(unsigned index);

/* ---- plan --------------------------------------------------------------------------------- */

struct tt_filter_plan;

/*
 * Decides the terms that depend only on the trace's current tables; entries that are added later
 * are decided when they first occur. `events` is used during the call only. Returns false with
 * *error: a state that the format does not have, seconds without a clock, or out of memory.
 */
bool tt_filter_plan_new(const struct tt_filter *filter, struct tt_trace *trace,
                        struct tt_events *events, struct tt_filter_plan **plan,
                        struct tt_filter_error *error);
void tt_filter_plan_free(struct tt_filter_plan *plan);

/*
 * Decides the terms again for tables that have grown and for names and times that have changed. No
 * worker may run. *changed: rows that were tested before may have another result now. Returns false
 * if out of memory; the plan remains usable.
 */
bool tt_filter_plan_extend(struct tt_filter_plan *plan, struct tt_events *events, bool *changed);

/* Computes the range of rows [*first, *end) outside of which nothing matches. */
void tt_filter_plan_rows(const struct tt_filter_plan *plan, struct tt_events *events,
                         uint64_t *first, uint64_t *end);

/* ---- worker ------------------------------------------------------------------------------- */

/* Rows tested per call, and the words of their bits. */
#define TT_FILTER_BLOCK 1024u
#define TT_FILTER_WORDS (TT_FILTER_BLOCK / 64)

struct tt_filter_worker;

/* Returns a worker that reads through `events`; NULL if out of memory. */
struct tt_filter_worker *tt_filter_worker_new(const struct tt_filter_plan *plan,
                                              struct tt_events *events);
void tt_filter_worker_free(struct tt_filter_worker *worker);

/*
 * Tests `count` (at most TT_FILTER_BLOCK) consecutive events, the first of them in row `row`: bit i
 * % 64 of bits[i / 64] is set if event i matches. Fills complete words.
 */
void tt_filter_test(struct tt_filter_worker *worker, const struct tt_event *events, uint64_t row,
                    uint32_t count, uint64_t *bits);

/* Returns the number of undecided events so far: the regex exceeded its bounds. */
uint64_t tt_filter_worker_undecided(const struct tt_filter_worker *worker);
/* Returns whether bytes of the file were gone. */
bool tt_filter_worker_truncated(const struct tt_filter_worker *worker);
/* Returns whether an allocation failed; results since then are invalid. */
bool tt_filter_worker_failed(const struct tt_filter_worker *worker);

/* ---- a whole trace ------------------------------------------------------------------------ */

/*
 * The result of a filter is a set of rows (row_set.h), computed by several threads from one row
 * outwards. Any thread may read the known part while it is computed.
 */
struct tt_filter_result;

/*
 * Starts `threads` threads (0: one per processor) that test all rows published so far, and returns
 * at once. `notify(arg)` is called from them now and then and once at the end; it must not block
 * and may only wake its owner; NULL: no notification. With `notify` the threads run at low priority
 * where the system supports it. TT_ERR_MEMORY; on success the caller owns *result.
 */
struct tt_status tt_filter_start(const struct tt_filter_plan *plan, unsigned threads,
                                 void (*notify)(void *arg), void *arg,
                                 struct tt_filter_result **result);
/* Does the same from row `row` outwards. */
struct tt_status tt_filter_start_at(const struct tt_filter_plan *plan, unsigned threads,
                                    uint64_t row, void (*notify)(void *arg), void *arg,
                                    struct tt_filter_result **result);
/*
 * After a run has ended, tests the rows that were published since or not tested before. Keeps the
 * results of tested rows if `keep` is set and no rows have shifted, as *kept reports; else tests
 * all rows again from row `row`. No thread may read the result during the call. After an error the
 * result can only be freed.
 */
struct tt_status tt_filter_resume(struct tt_filter_result *result, bool keep, uint64_t row,
                                  bool *kept);
/* Requests the end of the run without waiting; each thread finishes its current block. */
void tt_filter_cancel(struct tt_filter_result *result);
/*
 * Waits for the end of the run: TT_OK, TT_ERR_CANCELLED or TT_ERR_MEMORY. Call once, from one
 * thread.
 */
struct tt_status tt_filter_wait(struct tt_filter_result *result);
/* Cancels, waits, and frees. */
void tt_filter_result_free(struct tt_filter_result *result);

/* Returns whether all threads have ended, so that waiting and freeing do not block. */
bool tt_filter_result_ended(const struct tt_filter_result *result);

/* Returns the set of known matching rows. */
const struct tt_row_set *tt_filter_result_set(const struct tt_filter_result *result);
/* Return the number of rows tested so far, and of all rows. */
uint64_t tt_filter_result_rows(const struct tt_filter_result *result);
uint64_t tt_filter_result_total(const struct tt_filter_result *result);
/* Return the number of tested rows that match, and that are undecided. */
uint64_t tt_filter_result_count(const struct tt_filter_result *result);
uint64_t tt_filter_result_undecided(const struct tt_filter_result *result);
/* Returns whether bytes of the file were gone. */
bool tt_filter_result_truncated(const struct tt_filter_result *result);

/* Returns whether row `row` matches; false for rows that are not tested yet. O(1). */
bool tt_filter_result_has(const struct tt_filter_result *result, uint64_t row);
/* Returns the number of matches before row `row`. O(words of a block). */
uint64_t tt_filter_result_rank(const struct tt_filter_result *result, uint64_t row);
/* Returns the row of match `k`, counted from 0; UINT64_MAX if there are fewer. O(log blocks). */
uint64_t tt_filter_result_select(const struct tt_filter_result *result, uint64_t k);

#endif
