/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter: which events a person wants to see, said in one line: parse, plan, run.
 *
 *      text --parse--> filter --plan--> plan ---worker, worker, ...---> result
 *                      knows no         against one trace: terms        a bit a row, counts,
 *                      capture          decided by value                rank and select
 *
 * The language (for people: docs/filter.md). A line that is made of terms (`field op value`),
 * regexes between slashes, and, or, not and parentheses is structured; any other line is one PCRE2
 * regex on the line of text that tt_line_event gives. Letters count as lower and upper case alike
 * unless a regex has an upper-case one.
 *
 * Cost. Terms on threads, processes, types, CPUs and kinds are decided once for each value when
 * the plan is made: an event then costs a load and a bit. States and priorities cost a step along
 * the thread's timeline. Regexes on the line cost rendering it, and a match that is bounded: a
 * pattern that runs into the bound on a line is *undecided* there, which is counted, and is never
 * taken for "no match".
 *
 * Who owns what: the caller owns what *_new, _parse and _start give and frees it; a plan borrows
 * filter and trace, a worker borrows plan and reader, a run borrows the plan. Threads: a filter
 * never changes; a plan only in tt_filter_plan_extend, with no worker at work; each worker belongs
 * to one thread.
 */
#ifndef TRACETUI_FILTER_H
#define TRACETUI_FILTER_H

#include <stddef.h>

#include "tracetui/row_set.h"
#include "tracetui/timeline.h"
#include "tracetui/trace.h"

#define TT_FILTER_BYTES_MAX 8192 /* of a filter's text */

/* ---- parse -------------------------------------------------------------------------------- */

struct tt_filter;

/* What is wrong and where: `column` counts characters from 1; 0: nowhere in particular. */
struct tt_filter_error {
    uint32_t column;
    struct tt_status status; /* its text begins with "column N: " where there is one */
};

/* False: *error says why (TT_ERR_USAGE or TT_ERR_MEMORY), and there is nothing to free. */
bool tt_filter_parse(const char *text, struct tt_filter **filter, struct tt_filter_error *error);
void tt_filter_free(struct tt_filter *filter);

/* Is the whole line one regex? */
bool tt_filter_is_plain(const struct tt_filter *filter);
/* Bytes [start, end) of a line. */
struct tt_filter_spot {
    size_t start;
    size_t end;
};
/*
 * Where a filter that is nothing but one regex on the line matches such a line: up to `most` spots,
 * from left to right, none of them empty. 0 if it is another sort of filter, or does not match.
 */
unsigned tt_filter_spots(const struct tt_filter *filter, const char *line, size_t length,
                         struct tt_filter_spot *spots, unsigned most);
/*
 * Why a line that begins like a term was taken for a regex, with the column where it stopped being
 * structured; an empty text (tt_ok) where there is no doubt.
 */
struct tt_filter_error tt_filter_doubt(const struct tt_filter *filter);

/* The fields by number, NULL behind the last one: for help and completion. */
struct tt_filter_field {
    const char *name;
    const char *operators; /* as a person reads them: "= != < <= > >= in" */
    const char *help;
};
const struct tt_filter_field *tt_filter_field_at(unsigned index);

/* ---- plan --------------------------------------------------------------------------------- */

struct tt_filter_plan;

/*
 * Decides against a trace what can be decided without looking at events, on the tables as they
 * stand; `events` is used for the time of the call. What is learnt later is decided when it is met.
 * False: *error says why: a state that the format does not have, seconds without a clock.
 */
bool tt_filter_plan_new(const struct tt_filter *filter, struct tt_trace *trace,
                        struct tt_events *events, struct tt_filter_plan **plan,
                        struct tt_filter_error *error);
void tt_filter_plan_free(struct tt_filter_plan *plan);

/*
 * Decides anew for tables that have grown, for names and times that have changed. With no worker
 * at work. *changed: events that were tested before may be told otherwise now. False when out of
 * memory; the plan is then as it was or further.
 */
bool tt_filter_plan_extend(struct tt_filter_plan *plan, struct tt_events *events, bool *changed);

/* The rows outside of which nothing matches: [*first, *end). */
void tt_filter_plan_rows(const struct tt_filter_plan *plan, struct tt_events *events,
                         uint64_t *first, uint64_t *end);

/* ---- one thread's work ---------------------------------------------------------------------- */

/* Rows tested at once, and the words of bits they take. */
#define TT_FILTER_BLOCK 1024u
#define TT_FILTER_WORDS (TT_FILTER_BLOCK / 64)

struct tt_filter_worker;

/* A worker that reads through `events`. NULL when out of memory. */
struct tt_filter_worker *tt_filter_worker_new(const struct tt_filter_plan *plan,
                                              struct tt_events *events);
void tt_filter_worker_free(struct tt_filter_worker *worker);

/*
 * Tests `count` (at most TT_FILTER_BLOCK) events that follow each other from row `row` on: bit
 * i % 64 of bits[i / 64] is set where event i matches. Fills all words that hold one of them.
 */
void tt_filter_test(struct tt_filter_worker *worker, const struct tt_event *events, uint64_t row,
                    uint32_t count, uint64_t *bits);

/* Events so far that stay undecided: the regex ran into its bounds. */
uint64_t tt_filter_worker_undecided(const struct tt_filter_worker *worker);
/* Bytes were gone when they were asked for. */
bool tt_filter_worker_shrunk(const struct tt_filter_worker *worker);
/* Memory ran out; what was tested since is not to be trusted. */
bool tt_filter_worker_failed(const struct tt_filter_worker *worker);

/* ---- a whole trace ----------------------------------------------------------------------------
 */

/*
 * A result is a set of rows (row_set.h), made by several threads from one row on to both sides.
 * While it is being made, what is known of it may be read by any thread.
 */
struct tt_filter_result;

/*
 * Starts testing all rows published so far with `threads` threads (0: one a processor) and returns
 * at once. `notify(arg)` is called from them, now and then and once at the end; it must only wake
 * its owner; NULL: nobody. A run that notifies goes on behind a person's back: its threads give way
 * to others, where the system lets one thread do so.
 */
struct tt_status tt_filter_start(const struct tt_filter_plan *plan, unsigned threads,
                                 void (*notify)(void *arg), void *arg,
                                 struct tt_filter_result **result);
/* The same from row `row` on, the rows around it first. */
struct tt_status tt_filter_start_at(const struct tt_filter_plan *plan, unsigned threads,
                                    uint64_t row, void (*notify)(void *arg), void *arg,
                                    struct tt_filter_result **result);
/*
 * Tests what was published since, or was not tested before, once the run has ended. What was told
 * of rows stays if `keep` allows it and no rows have shifted, which *kept says; else all are tested
 * again, from row `row` on. Nobody may read the result meanwhile. On an error it can only be freed.
 */
struct tt_status tt_filter_go_on(struct tt_filter_result *result, bool keep, uint64_t row,
                                 bool *kept);
/* Asks for an end: at most a block a thread is still tested. Does not wait. */
void tt_filter_cancel(struct tt_filter_result *result);
/* Waits for the end. TT_ERR_CANCELLED, TT_ERR_MEMORY, or good. Once, by one thread. */
struct tt_status tt_filter_wait(struct tt_filter_result *result);
/* Cancels, waits, and frees. */
void tt_filter_result_free(struct tt_filter_result *result);

/* Have all its threads ended, so that to wait for it or to free it costs no time? */
bool tt_filter_result_ended(const struct tt_filter_result *result);

/* The rows that match, as far as they are known. */
const struct tt_row_set *tt_filter_result_set(const struct tt_filter_result *result);
/* Rows tested so far, and rows in all. */
uint64_t tt_filter_result_rows(const struct tt_filter_result *result);
uint64_t tt_filter_result_total(const struct tt_filter_result *result);
/* Of the rows tested so far: how many match, how many are undecided. */
uint64_t tt_filter_result_count(const struct tt_filter_result *result);
uint64_t tt_filter_result_undecided(const struct tt_filter_result *result);
bool tt_filter_result_shrunk(const struct tt_filter_result *result);

/* Does row `row` match? False for rows not tested yet. O(1). */
bool tt_filter_result_has(const struct tt_filter_result *result, uint64_t row);
/* Matches before row `row`. O(words of a block). */
uint64_t tt_filter_result_rank(const struct tt_filter_result *result, uint64_t row);
/* The row of match number `k` (from 0); UINT64_MAX if there are not so many. O(log blocks). */
uint64_t tt_filter_result_select(const struct tt_filter_result *result, uint64_t k);

#endif
