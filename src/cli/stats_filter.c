/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/stats_filter.h"

#include <string.h>

static bool message_matches(void *filter, const struct tt_message *message)
{
    return tt_message_filter_test(filter, message);
}

static bool row_matches(const void *result, uint64_t row)
{
    return tt_filter_result_has(result, row);
}

/* Clears the bits that are not in `wanted`; NULL: keeps all. */
static void keep_wanted(uint64_t *bits, uint32_t limit, const uint64_t *wanted,
                        uint32_t wanted_limit)
{
    for (uint32_t word = 0; wanted && word < limit / 64; word++) {
        bits[word] &= word < (wanted_limit + 63) / 64 ? wanted[word] : 0;
    }
}

struct tt_status tt_stats_filter_apply(struct tt_stats_filter *stats_filter,
                                       const struct tt_event_selection *pick,
                                       struct tt_input *input, struct tt_table_request *request)
{
    if (!pick->plan) {
        return tt_ok();
    }
    enum tt_table_filter filter = request->table->filter;
    if (filter == TT_FILTER_MESSAGES) {
        request->wanted_message = message_matches;
        request->wanted_message_arg = &stats_filter->messages;
        return tt_message_filter_begin(&stats_filter->messages, pick, input) ? tt_ok()
                                                                             : tt_error_memory();
    }
    struct tt_status status = tt_event_selection_find(pick, input, &stats_filter->matches);
    if (tt_failed(&status)) {
        return status;
    }
    if (filter == TT_FILTER_EVENTS) {
        request->wanted = row_matches;
        request->wanted_arg = stats_filter->matches;
        return tt_ok();
    }
    struct tt_row_owners *owners = &stats_filter->owners;
    tt_row_owners_step(owners, input->events, tt_filter_result_set(stats_filter->matches),
                       request->first_row, request->end_row, UINT64_MAX);
    if (owners->failed) {
        return tt_error_memory();
    }
    if (filter == TT_FILTER_CPUS) {
        keep_wanted(owners->cpus, owners->cpu_limit, request->window.cpus,
                    request->window.cpu_limit);
        request->window.cpus = owners->cpus;
        request->window.cpu_limit = owners->cpu_limit;
    } else {
        keep_wanted(owners->threads, owners->thread_limit, request->threads, request->thread_limit);
        request->threads = owners->threads;
        request->thread_limit = owners->thread_limit;
    }
    return tt_ok();
}

bool tt_stats_filter_end(struct tt_stats_filter *filter, struct tt_input *input)
{
    return tt_message_filter_end(&filter->messages, input);
}

void tt_stats_filter_free(struct tt_stats_filter *filter)
{
    if (filter->matches) {
        tt_filter_result_free(filter->matches);
    }
    tt_row_owners_free(&filter->owners);
    memset(filter, 0, sizeof *filter);
}
