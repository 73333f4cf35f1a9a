/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats_filter: applies a filter to the numbers (docs/metrics.md, "Some threads, some CPUs, some
 * events").
 *
 *      filter --all rows--> matches --> TT_FILTER_EVENTS: the rows that match
 *         |                    \------> else: the threads, or CPUs, of matches in the range
 *         \------------------> TT_FILTER_MESSAGES: tests the events of each message
 *
 * Initialize with {0}; owns its members until tt_stats_filter_free. One thread.
 */
#ifndef TT_CLI_STATS_FILTER_H
#define TT_CLI_STATS_FILTER_H

#include "cli/event_selection.h"
#include "cli/input.h"
#include "cli/message_filter.h"
#include "filter/row_owners.h"
#include "tracetui/table.h"

struct tt_stats_filter {
    struct tt_filter_result *matches;
    struct tt_row_owners owners; /* the request points to their bits */
    struct tt_message_filter messages;
};

/* Runs the filter of the selection, if any, and limits the request to its result. */
struct tt_status tt_stats_filter_apply(struct tt_stats_filter *filter,
                                       const struct tt_event_selection *pick,
                                       struct tt_input *input, struct tt_table_request *request);
/* Adds what the filter of messages could not decide to the input; false if it ran out of memory. */
bool tt_stats_filter_end(struct tt_stats_filter *filter, struct tt_input *input);
void tt_stats_filter_free(struct tt_stats_filter *filter);

#endif
