/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats_filter: applies a filter to the numbers (docs/metrics.md, "Some threads, some CPUs, some
 * events").
 *
 *      filter --all rows--> matches --> by event: the rows that match
 *                              \------> else: the threads, or CPUs, of matches in the range
 *
 * Initialize with {0}; owns its members until tt_stats_filter_free. One thread.
 */
#ifndef TT_CLI_STATS_FILTER_H
#define TT_CLI_STATS_FILTER_H

#include "cli/event_selection.h"
#include "cli/input.h"
#include "tracetui/row_owners.h"
#include "tracetui/sheet.h"

struct tt_stats_filter {
    struct tt_filter_result *matches;
    struct tt_row_owners owners; /* the request points to their bits */
};

/* Runs the filter of the selection, if any, and limits the request to its result. */
struct tt_status tt_stats_filter_apply(struct tt_stats_filter *f,
                                       const struct tt_event_selection *pick,
                                       struct tt_input *input, struct tt_stat_request *request);
/*
 * Runs the filter of the selection, if any, and sets the threads of the matches in the range; `threads`
 * has those of --thread, or NULL. The filter owns the new bits.
 */
struct tt_status tt_stats_filter_threads(struct tt_stats_filter *f,
                                         const struct tt_event_selection *pick,
                                         struct tt_input *input, const uint64_t **threads,
                                         uint32_t *thread_limit);
void tt_stats_filter_free(struct tt_stats_filter *f);

#endif
