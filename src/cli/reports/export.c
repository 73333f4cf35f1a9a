/* SPDX-License-Identifier: Apache-2.0 */
/* export: writes a capture in another format. */
#include "tracetui/chrome_json.h"

#include "cli/commands.h"
#include "cli/event_selection.h"
#include "cli/input.h"
#include "cli/reports/capture_output.h"
#include "tracetui/filter.h"
#include "tracetui/timeline.h"

static struct tt_export_request request_of(const struct tt_event_selection *pick,
                                           struct tt_input *input, struct tt_output *out)
{
    return (struct tt_export_request){.trace = input->trace,
                                      .first_row = pick->first_row,
                                      .end_row = pick->end_row,
                                      .from = pick->from.ticks,
                                      .to = pick->to_end ? UINT64_MAX : pick->to.ticks,
                                      .write = tt_capture_output_write,
                                      .write_arg = out};
}

static struct tt_status export_input(const struct tt_options *options, struct tt_input *input,
                                     struct tt_output *out)
{
    struct tt_event_selection pick;
    struct tt_filter_result *matches = NULL;
    struct tt_export_counts counts;
    struct tt_status status = tt_event_selection_make(options, input, &pick);
    if (tt_failed(&status)) {
        return status;
    }
    struct tt_export_request request = request_of(&pick, input, out);
    status = tt_capture_output_select(&pick, input, &matches, &request.subset);
    if (!tt_failed(&status)) {
        status = options->format == TT_OUTPUT_CHROME_JSON ? tt_export_chrome_json(&request, &counts)
                                                          : tt_export_fxt(&request, &counts);
        input->shrunk |= counts.shrunk;
    }
    tt_filter_result_free(matches);
    tt_event_selection_free(&pick);
    return status;
}

enum tt_exit tt_command_export(const struct tt_options *options)
{
    if (options->format == TT_OUTPUT_CHROME_JSON) {
        return tt_command_each_input(options, export_input); /* text, also for a terminal */
    }
    return tt_capture_output_each(options, "export", export_input);
}
