/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_run: runs one filter on a capture in the background. The plan is made at once; worker
 * threads run it, it continues when the index has grown, and it is discarded without waiting.
 *
 *      text --> filter, plan --> run --> matching rows --> more rows published: the run continues
 *                                                      --> the plan's facts changed: a second run
 *                                                          starts and replaces this one when whole
 *
 * Only the UI thread calls these functions; only the run itself has threads of its own. Discarded
 * runs go to a bin, which is emptied from time to time.
 */
#ifndef TRACETUI_TUI_FILTER_FILTER_RUN_H
#define TRACETUI_TUI_FILTER_FILTER_RUN_H

#include "tracetui/filter.h"

/* The capture that runs search, and the position of the cursor. */
struct tt_filter_target {
    struct tt_trace *trace;
    struct tt_events *events;  /* the UI thread's reader */
    void (*notify)(void *arg); /* wakes the UI thread; NULL: runs are synchronous */
    uint64_t row;              /* rows near it are tested first */
    bool finished;             /* the index is complete */
};

struct tt_filter_run;

/* Starts a run. False: *error describes why the text is invalid, in itself or for this capture. */
bool tt_filter_run_new(const char *text, const struct tt_filter_target *in,
                       struct tt_filter_run **run, struct tt_filter_error *error);

/* Continues with rows published since. True: call again soon. */
bool tt_filter_run_update(struct tt_filter_run *run, const struct tt_filter_target *in);
/* Pauses the run; tt_filter_run_resume lets it continue. */
void tt_filter_run_stop(struct tt_filter_run *run);
void tt_filter_run_resume(struct tt_filter_run *run);
/* Waits for the run to end. */
void tt_filter_run_wait(struct tt_filter_run *run);

const struct tt_filter *tt_filter_run_filter(const struct tt_filter_run *run);
/* Returns the rows found so far; valid until the next update, which may replace the set. */
const struct tt_row_set *tt_filter_run_rows(const struct tt_filter_run *run);
/* Returns a number that changes whenever results for rows already tested change or are dropped. */
unsigned tt_filter_run_version(const struct tt_filter_run *run);
bool tt_filter_run_busy(const struct tt_filter_run *run);
bool tt_filter_run_stopped(const struct tt_filter_run *run);
uint64_t tt_filter_run_undecided(const struct tt_filter_run *run);
/* Returns whether to show the results: complete, `enough` rows found, or a delay has passed. */
bool tt_filter_run_ready(const struct tt_filter_run *run, uint64_t enough);

/*
 * Combines sources (row_set.h) into *set in steps. When `sum` differs from *last_sum, it creates
 * the set again, starting at `row`. True when nothing is left to combine for now.
 */
bool tt_filter_run_combine(struct tt_row_set **set, uint64_t *last_sum, uint64_t sum,
                           const struct tt_row_source *sources, unsigned count, uint64_t row);

/* ---- the bin ------------------------------------------------------------------------------ */

struct tt_filter_run_bin {
    struct tt_filter_run *first;
};

/* Cancels a run and frees it later. Accepts NULL. */
void tt_filter_run_discard(struct tt_filter_run_bin *bin, struct tt_filter_run *run);
/* Frees the runs that have ended; true when the bin is empty. */
bool tt_filter_run_bin_empty(struct tt_filter_run_bin *bin);
/* Waits for all runs and frees them; call it before the capture is closed. */
void tt_filter_run_bin_free(struct tt_filter_run_bin *bin);

#endif
