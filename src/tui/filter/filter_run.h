/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_run: one filter held against a capture behind the person's back: planned at once, run by
 * other threads, gone on with when the index has grown, and put away without waiting.
 *
 *      text --> filter, plan --> a run --> rows found --> more rows published: it goes on
 *                                                    --> what was told has changed: it is told anew
 *                                                        beside, and replaces this one when whole
 *
 * A finding belongs to the thread of the screen, which alone calls these functions; only the run
 * has threads of its own. What is put away ends in the bin, which is emptied now and then.
 */
#ifndef TRACETUI_TUI_FILTER_FILTER_RUN_H
#define TRACETUI_TUI_FILTER_FILTER_RUN_H

#include "tracetui/filter.h"

/* The capture that findings are about, and where the person is. */
struct tt_searched {
    struct tt_trace *trace;
    struct tt_events *events;  /* the screen's reader */
    void (*notify)(void *arg); /* wakes the screen; NULL: every run is waited for */
    uint64_t row;              /* the rows around it come first */
    bool finished;             /* no more rows will come */
};

struct tt_filter_run;

/* False: *error says what is wrong with the text, or with it for this capture. */
bool tt_filter_run_new(const char *text, const struct tt_searched *in,
                       struct tt_filter_run **finding, struct tt_filter_error *error);

/* Goes on with what has been published since. True when it should be asked again soon. */
bool tt_filter_run_update(struct tt_filter_run *finding, const struct tt_searched *in);
/* Stops it where it is; tt_filter_run_resume lets it go on. */
void tt_filter_run_stop(struct tt_filter_run *finding);
void tt_filter_run_resume(struct tt_filter_run *finding);
/* Waits for its run. */
void tt_filter_run_wait(struct tt_filter_run *finding);

const struct tt_filter *tt_filter_run_filter(const struct tt_filter_run *finding);
/* The rows found so far; the set itself is another one after an update. */
const struct tt_row_set *tt_filter_run_rows(const struct tt_filter_run *finding);
/* Changes whenever rows that were known are known otherwise, or no longer. */
unsigned tt_filter_run_version(const struct tt_filter_run *finding);
bool tt_filter_run_busy(const struct tt_filter_run *finding);
bool tt_filter_run_stopped(const struct tt_filter_run *finding);
uint64_t tt_filter_run_undecided(const struct tt_filter_run *finding);
/* Worth showing: all known, or `enough` found, or it has been long. */
bool tt_filter_run_ready(const struct tt_filter_run *finding, uint64_t enough);

/*
 * Goes on combining sources (row_set.h) into *set, which it makes anew, from `row` on, when `sum`
 * is not that of the last time. True when there is nothing left to combine now.
 */
bool tt_found_combine(struct tt_row_set **set, uint64_t *last_sum, uint64_t sum,
                      const struct tt_row_source *sources, unsigned count, uint64_t row);

/* ---- the bin ------------------------------------------------------------------------------ */

struct tt_filter_run_bin {
    struct tt_filter_run *first;
};

/* Asks it to end; it is freed later. NULL is nothing. */
void tt_filter_run_discard(struct tt_filter_run_bin *bin, struct tt_filter_run *finding);
/* Frees what has ended; true when it is empty. */
bool tt_filter_run_bin_empty(struct tt_filter_run_bin *bin);
/* Waits for all and frees them: before the capture is closed. */
void tt_filter_run_bin_free(struct tt_filter_run_bin *bin);

#endif
