/* SPDX-License-Identifier: Apache-2.0 */
/* export: writes a capture in another format, or a part of it in its own. */
#include <unistd.h>

#include "base/bits.h"
#include "cli/commands.h"
#include "cli/event_selection.h"
#include "cli/input.h"
#include "excerpt/excerpt.h"
#include "export/chrome_json.h"
#include "export/folded.h"
#include "trace/event_subset.h"
#include "tracetui/filter.h"
#include "tracetui/timeline.h"

static bool is_match(void *arg, uint64_t row)
{
    return tt_filter_result_has(arg, row);
}

/* The range of `save` is that of --from and --to; the filter does not narrow it. */
static struct tt_status write_excerpt(const struct tt_event_selection *pick, struct tt_input *input,
                                      const struct tt_event_subset *subset, struct tt_output *out)
{
    struct tt_events *events = input->events;
    uint64_t rows = tt_events_rows(events);
    struct tt_excerpt_counts counts;
    const struct tt_excerpt_request request = {
        .trace = input->trace,
        .first_row = tt_events_row_at_key(events, pick->from.ticks, pick->from.pos),
        .end_row = pick->to_end ? rows : tt_events_row_at_key(events, pick->to.ticks, pick->to.pos),
        .subset = *subset,
        .sink = tt_output_sink(out)};
    struct tt_status status = tt_excerpt_write(&request, &counts);
    input->shrunk |= counts.shrunk;
    return status;
}

/* Writes the calls of the selected threads in the range. */
static struct tt_status write_folded(const struct tt_event_selection *pick, struct tt_input *input,
                                     struct tt_output *out)
{
    const struct tt_timelines *timelines = tt_trace_timelines(input->trace);
    const uint64_t to = pick->to_end ? tt_timelines_limit(timelines) : pick->to.ticks;
    struct tt_sink sink = tt_output_sink(out);
    struct tt_calls calls;
    enum tt_calls_walked walked = TT_CALLS_ALL;
    tt_calls_begin(&calls, input->capture, pick->from.ticks, to);
    for (uint32_t thread = 0; thread < tt_thread_count(input->capture) && walked == TT_CALLS_ALL;
         thread++) {
        uint64_t work = UINT64_MAX;
        walked = tt_bit_selects(pick->threads, pick->thread_count, thread)
                     ? tt_calls_add(&calls, timelines, thread, &work)
                     : TT_CALLS_ALL;
    }
    bool ok = walked == TT_CALLS_ALL && tt_calls_sort(&calls);
    if (ok) {
        tt_export_folded(input->trace, &calls, false, &sink);
    }
    tt_calls_free(&calls);
    return ok ? tt_ok() : tt_error_memory();
}

/* Writes the events that the command line selects. */
static struct tt_status export_input(const struct tt_options *options, struct tt_input *input,
                                     struct tt_output *out)
{
    struct tt_event_selection pick;
    struct tt_filter_result *matches = NULL;
    struct tt_status status = tt_event_selection_make(options, input, &pick);
    if (tt_failed(&status)) {
        return status;
    }
    struct tt_event_subset subset = {.threads = pick.threads,
                                     .thread_count = pick.thread_count,
                                     .cpus = pick.cpus->given ? pick.cpus->bits : NULL,
                                     .cpu_count = TT_CPU_LIMIT};
    if (pick.plan) {
        status = tt_event_selection_find(&pick, input, &matches);
        subset.wanted = is_match;
        subset.wanted_arg = matches;
    }
    if (!tt_failed(&status) && options->command == TT_COMMAND_SAVE) {
        status = write_excerpt(&pick, input, &subset, out);
    } else if (!tt_failed(&status) && options->format == TT_OUTPUT_FOLDED) {
        status = write_folded(&pick, input, out);
    } else if (!tt_failed(&status)) {
        struct tt_export_counts counts;
        const struct tt_export_request request = {.trace = input->trace,
                                                  .first_row = pick.first_row,
                                                  .end_row = pick.end_row,
                                                  .from = pick.from.ticks,
                                                  .to = pick.to_end ? UINT64_MAX : pick.to.ticks,
                                                  .subset = subset,
                                                  .sink = tt_output_sink(out)};
        status = options->format == TT_OUTPUT_CHROME_JSON ? tt_export_chrome_json(&request, &counts)
                                                          : tt_export_fxt(&request, &counts);
        input->shrunk |= counts.shrunk;
    }
    tt_filter_result_free(matches);
    tt_event_selection_free(&pick);
    return status;
}

/* Writes each FILE, unless what is not text would go to a terminal without -o. */
static enum tt_exit export_each(const struct tt_options *options, const char *command)
{
    if (options->format != TT_OUTPUT_CHROME_JSON && options->format != TT_OUTPUT_FOLDED &&
        !options->output && isatty(STDOUT_FILENO)) {
        struct tt_status status =
            tt_error(TT_ERR_USAGE,
                     "%s: the output is not text: give -o FILE, or -o - for the terminal", command);
        return tt_exit_of(&status, TT_EXIT_FAILED);
    }
    return tt_command_each_input(options, export_input);
}

enum tt_exit tt_command_export(const struct tt_options *options)
{
    return export_each(options, "export");
}

enum tt_exit tt_command_save(const struct tt_options *options)
{
    return export_each(options, "save");
}
