/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats_filter: what a filter leaves of the numbers (docs/metrics.md, "Some threads, some CPUs,
 * some events").
 *
 *      filter --all rows--> matches --> by event: the rows that match
 *                              \------> else: the threads, or CPUs, of matches in the range
 *
 * Begins as {0}; owns what is here until tt_stats_filter_free. One thread.
 */
#ifndef TT_CLI_STATS_FILTER_H
#define TT_CLI_STATS_FILTER_H

#include "cli/event_selection.h"
#include "cli/input.h"
#include "tracetui/row_owners.h"
#include "tracetui/sheet.h"

struct tt_stats_filter {
    struct tt_filter_result *matches;
    struct tt_row_owners owners; /* the request borrows their bits */
};

/* Runs the pick's filter, if it has one, and puts what it leaves into the request. */
struct tt_status tt_stats_filter_apply(struct tt_stats_filter *f,
                                       const struct tt_event_selection *pick,
                                       struct tt_input *input, struct tt_stat_request *request);
void tt_stats_filter_free(struct tt_stats_filter *f);

#endif
