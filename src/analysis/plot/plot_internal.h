/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plot_internal: the sources of a plot. A feed passes samples to a sink in steps and can be begun
 * again; a load computes layers. Both belong to the plot's thread.
 */
#ifndef TRACETUI_ANALYSIS_PLOT_PLOT_INTERNAL_H
#define TRACETUI_ANALYSIS_PLOT_PLOT_INTERNAL_H

#include "analysis/plot/plot.h"

/* Samples of the requested cell or list. NULL if out of memory. */
struct tt_plot_feed *tt_plot_feed_new(const struct tt_plot_request *request);
/* Begins at the first sample; `sink` outlives the feed. Returns false if out of memory. */
bool tt_plot_feed_begin(struct tt_plot_feed *feed, struct tt_sample_sink *sink);
/* Passes samples on until *work is used up; *done at the end. Returns false if out of memory. */
bool tt_plot_feed_step(struct tt_plot_feed *feed, uint64_t *work, bool *done);
/* Returns the deadline of the samples in ticks; 0: none. */
uint64_t tt_plot_feed_limit(const struct tt_plot_feed *feed);
void tt_plot_feed_free(struct tt_plot_feed *feed);

/* Layers, and counts from sums: CLASS, LOAD, and RATE where timelines have the number. */
struct tt_plot_load *tt_plot_load_new(struct tt_plot *plot);
bool tt_plot_load_step(struct tt_plot *plot, uint64_t *work, bool *done);
void tt_plot_load_free(struct tt_plot_load *load);
/* Returns whether the samples are migrations, or messages between two CPUs. */
static inline bool tt_plot_of_crossings(const struct tt_plot_request *request)
{
    return request->subject == TT_PLOT_OF_MIGRATIONS || request->subject == TT_PLOT_OF_CROSSINGS;
}
/* Returns whether the request is computed by a load. */
bool tt_plot_is_load(const struct tt_plot_request *request);

/* Returns the number of threads that may be members of the request's row, and whether thread `index` is one. */
uint32_t tt_plot_members(const struct tt_plot_request *request);
bool tt_plot_member(const struct tt_plot_request *request, uint32_t index, uint32_t *thread);

/* Returns the timelines that the request reads, or NULL. */
const struct tt_timelines *tt_plot_timelines(const struct tt_plot_request *request);

#endif
