/* SPDX-License-Identifier: Apache-2.0 */
/* save: writes a part of a capture in its own format. */
#include "cli/commands.h"
#include "cli/event_selection.h"
#include "cli/input.h"
#include "cli/reports/capture_output.h"
#include "tracetui/excerpt.h"
#include "tracetui/filter.h"

/* The range is that of --from and --to; the filter does not narrow it. */
static struct tt_excerpt_request request_of(const struct tt_event_selection *pick,
                                            struct tt_input *input, struct tt_output *out)
{
    struct tt_events *events = input->events;
    uint64_t rows = tt_events_rows(events);
    return (struct tt_excerpt_request){
        .trace = input->trace,
        .first_row = tt_events_row_at_key(events, pick->from.ticks, pick->from.pos),
        .end_row = pick->to_end ? rows : tt_events_row_at_key(events, pick->to.ticks, pick->to.pos),
        .write = tt_capture_output_write,
        .write_arg = out};
}

static struct tt_status save_input(const struct tt_options *options, struct tt_input *input,
                                   struct tt_output *out)
{
    struct tt_event_selection pick;
    struct tt_filter_result *matches = NULL;
    struct tt_excerpt_counts counts;
    struct tt_status status = tt_event_selection_make(options, input, &pick);
    if (tt_failed(&status)) {
        return status;
    }
    struct tt_excerpt_request request = request_of(&pick, input, out);
    status = tt_capture_output_select(&pick, input, &matches, &request.subset);
    if (!tt_failed(&status)) {
        status = tt_excerpt_write(&request, &counts);
        input->shrunk |= counts.shrunk;
    }
    tt_filter_result_free(matches);
    tt_event_selection_free(&pick);
    return status;
}

enum tt_exit tt_command_save(const struct tt_options *options)
{
    return tt_capture_output_each(options, "save", save_input);
}
