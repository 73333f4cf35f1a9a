/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure: the measurement of the Measure pane: pairs of events, or the reactions of threads to an
 * interrupt, as `tracetui measure` (docs/jobs.md). It is computed in steps, and the results so far
 * are shown. One thread.
 */
#ifndef TRACETUI_TUI_PANES_MEASURE_H
#define TRACETUI_TUI_PANES_MEASURE_H

#include "tui/list/rows.h"
#include "tui/panes/measure_walk.h"
#include "tui/plot/pane.h"

#define TT_MEASURE_LIST 500u /* longest intervals that are listed */

struct tt_measure_pane {
    struct tt_rows rows;
    int parts, histogram, histogram_lines; /* lines of the screen */
    struct tt_plot_pane plot;              /* in place of the histogram */
    int plot_lines;
    struct tt_plot_source source;
    struct tt_workspace *ws; /* of the source */
    /* The measurement. */
    char title[TT_MEASURE_TEXT];  /* the command's argument; "": nothing was measured */
    struct tt_measure_walk *walk; /* NULL: nothing was measured in this capture */
    bool complete;
    bool laid_out;                                            /* with all intervals */
    bool failed;                                              /* out of memory */
    unsigned version;                                         /* changes with each measurement */
    size_t next_result;                                       /* number of samples */
    struct tt_samples whole, part_samples[TT_REACTION_PARTS]; /* of reactions */
    struct tt_measure_result result;
    struct tt_distribution part_results[TT_REACTION_PARTS];
    struct tt_bins bins;                         /* in nanoseconds, or ticks without a clock */
    struct tt_measured longest[TT_MEASURE_LIST]; /* longest first */
    size_t count;
    /* The samples of the plot, which are read again and not stored. */
    struct tt_measure_walk *again;
    struct tt_sample_sink *sink;
};

#endif
