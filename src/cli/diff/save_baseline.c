/* SPDX-License-Identifier: Apache-2.0 */
/* save_baseline: writes the tables of a capture to a file for later comparisons. */
#include "cli/commands.h"
#include "cli/diff/sides.h"
#include "table/registry.h"
#include "tracetui/jobs.h"

/* The tables that are saved without --by; pairs and causes have many rows. */
static const struct tt_table *const tables[] = {
    &tt_table_threads, &tt_table_processes,  &tt_table_cpus,    &tt_table_event_names,
    &tt_table_jobs,    &tt_table_interrupts, &tt_table_objects, &tt_table_message_pairs,
    &tt_table_servers, &tt_table_total,
};

#define TABLES (sizeof tables / sizeof *tables)

static struct tt_status save_table(const struct tt_baseline_request *request,
                                   struct tt_input *input, struct tt_output *out)
{
    struct tt_baseline *baseline;
    bool complete;
    struct tt_status status = tt_baseline_begin(&baseline, request);
    if (!tt_failed(&status)) {
        status = tt_baseline_step(baseline, UINT64_MAX, &complete);
    }
    if (!tt_failed(&status)) {
        input->shrunk |= baseline->shrunk;
        struct tt_sink sink = tt_output_sink(out);
        tt_baseline_write(baseline, &sink);
    }
    tt_baseline_free(baseline);
    return status;
}

static struct tt_status save_baseline_save(const struct tt_options *options, struct tt_input *input,
                                           struct tt_output *out)
{
    struct tt_baseline_request request = {
        .trace = input->trace, .events = input->events, .block_most = TT_BASELINE_MOST};
    struct tt_status status =
        tt_sides_range(options, input, &options->from, &options->to, &request.keys);
    if (!tt_failed(&status)) {
        status = tt_status_context(
            tt_job_ends_parse(input->capture->format, options->job_ends, &request.job_ends),
            "--job-ends");
    }
    request.block = tt_baseline_window(input->trace, &request.keys) / TT_BASELINE_BLOCKS;
    for (size_t i = 0; i < TABLES && !tt_failed(&status); i++) {
        request.table = tables[i];
        status = save_table(&request, input, out);
    }
    const struct tt_table *table = tt_sides_table(options);
    for (size_t i = 0; i < TABLES && table; i++) {
        table = table == tables[i] ? NULL : table;
    }
    if (!tt_failed(&status) && table) {
        request.table = table;
        status = save_table(&request, input, out);
    }
    return status;
}

enum tt_exit tt_command_save_baseline(const struct tt_options *options)
{
    struct tt_output out;
    struct tt_options own = *options;
    own.output = options->save_baseline;
    struct tt_status status = tt_command_check_output(&own);
    if (!tt_failed(&status)) {
        status = tt_output_open(&out, own.output);
    }
    if (tt_failed(&status)) {
        return tt_exit_of(&status, TT_EXIT_FAILED);
    }
    enum tt_exit result = tt_input_use(options, options->files.v[0], &out, save_baseline_save);
    status = tt_output_close(&out, result != TT_EXIT_FAILED);
    return tt_exit_of(&status, result);
}
