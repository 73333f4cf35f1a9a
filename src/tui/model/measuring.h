/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measuring: the measurement of the Measure pane: pairs of events, or the reactions of threads to an
 * interrupt, as `tracetui measure` (docs/jobs.md). It is computed in steps, and the results so far
 * are shown. One thread.
 */
#ifndef TRACETUI_TUI_MODEL_MEASURING_H
#define TRACETUI_TUI_MODEL_MEASURING_H

#include "tracetui/measure.h"
#include "tracetui/reactions.h"
#include "tracetui/text.h"

#define TT_MEASURING_TEXT 512u
#define TT_MEASURING_LIST 500u /* longest intervals that are listed */

struct tt_workspace;
struct tt_measuring_run;

/* A pair, or a reaction. */
struct tt_measured {
    uint64_t from;
    uint64_t to;
    uint64_t to_row; /* pairs: row of the event at `to` */
    uint32_t thread; /* of the end, or TT_NO_THREAD */
    uint16_t cpu;    /* reactions: of the interrupt */
    bool has_handler;
    uint64_t parts[TT_REACTION_PARTS];
};

struct tt_measuring {
    char title[TT_MEASURING_TEXT]; /* the command's argument; "": nothing was measured */
    bool reactions;
    bool complete;
    bool failed;      /* out of memory */
    bool truncated;   /* bytes of some events were gone */
    unsigned percent; /* progress */
    unsigned version; /* changes with each measurement */
    struct tt_measure_result result;
    struct tt_distribution parts[TT_REACTION_PARTS];
    struct tt_bins bins;                        /* in nanoseconds, or ticks without a clock */
    struct tt_measured list[TT_MEASURING_LIST]; /* longest first */
    size_t count;
    struct tt_measuring_run *run; /* the computation; NULL: it is over */
};

/*
 * Begins a measurement: "BEGIN -> END [--same WHAT] [--pair WHICH]", the same with --begin and --end, or
 * "--interrupt VECTOR --thread THREAD". On error the previous one stays.
 */
struct tt_status tt_measuring_begin(struct tt_workspace *ws, const char *text);
/* Continues until `deadline_ns` (tt_now_ns); returns true when it is complete. */
bool tt_measuring_work(struct tt_workspace *ws, uint64_t deadline_ns);
/* Returns the durations of all intervals, in ticks; valid until the next step. */
const struct tt_samples *tt_measuring_samples(const struct tt_measuring *m);
/*
 * Appends the rule that judges the longest interval: `max time from {A} to {B} <= 1ms`, or of reactions.
 * TT_ERR_USAGE: there is none.
 */
struct tt_status tt_measuring_rule(const struct tt_workspace *ws, struct tt_text *text);
/*
 * The samples of a plot (struct tt_plot_source), whose argument is the workspace: they are measured
 * again and not stored. A new measurement has other samples.
 */
bool tt_measuring_read_begin(void *arg, struct tt_sample_sink *sink);
bool tt_measuring_read_step(void *arg, uint64_t *work, bool *done);
/* Frees the results; call it before the capture is closed. */
void tt_measuring_drop(struct tt_measuring *m);

#endif
