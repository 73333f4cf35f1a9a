/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/reports/capture_output.h"

#include <unistd.h>

#include "tracetui/filter.h"

static bool is_match(void *arg, uint64_t row)
{
    return tt_filter_result_has(arg, row);
}

struct tt_status tt_capture_output_select(const struct tt_event_selection *pick,
                                          struct tt_input *input, struct tt_filter_result **matches,
                                          struct tt_event_subset *subset)
{
    *subset = (struct tt_event_subset){.threads = pick->threads,
                                       .thread_count = pick->thread_count,
                                       .cpus = pick->cpus->given ? pick->cpus->bits : NULL,
                                       .cpu_count = TT_CPU_LIMIT};
    if (!pick->plan) {
        return tt_ok();
    }
    struct tt_status status = tt_event_selection_find(pick, input, matches);
    subset->wanted = is_match;
    subset->wanted_arg = *matches;
    return status;
}

bool tt_capture_output_write(void *arg, const char *bytes, size_t length)
{
    struct tt_output *out = arg;
    return tt_output_write(out, bytes, length) && tt_output_is_open(out);
}

enum tt_exit tt_capture_output_each(const struct tt_options *options, const char *command,
                                    tt_input_work *write)
{
    if (!options->output && isatty(STDOUT_FILENO)) {
        struct tt_status status =
            tt_error(TT_ERR_USAGE,
                     "%s: the output is not text: give -o FILE, or -o - for the terminal", command);
        tt_message_error(NULL, &status);
        return TT_EXIT_FAILED;
    }
    return tt_command_each_input(options, write);
}
