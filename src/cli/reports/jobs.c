/* SPDX-License-Identifier: Apache-2.0 */
/* jobs: dump --jobs. */
#include "base/bits.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/reports/raw_rows.h"
#include "trace/line_parts.h"

#define WIDTH      80u
#define TIME_WIDTH 12u
#define NAME_WIDTH 16u
#define SUM_WIDTH  9u

/* Columns of text: on a terminal lines are cut. */
struct columns {
    size_t name, line;
};

static struct columns jobs_columns_of(const struct tt_options *options,
                                      const struct tt_capture *capture,
                                      const struct tt_event_selection *pick)
{
    struct columns columns = {NAME_WIDTH, WIDTH};
    if (tt_command_is_on_terminal(options)) {
        return columns;
    }
    columns.line = SIZE_MAX;
    for (uint32_t i = 0; i < tt_thread_count(capture); i++) {
        const struct tt_thread *thread = tt_thread_at(capture, i);
        if (!thread->idle && !thread->pseudo && (!pick->threads || tt_bit_at(pick->threads, i))) {
            size_t name = tt_line_thread_columns(capture, i);
            columns.name = name > columns.name ? name : columns.name;
        }
    }
    return columns;
}

/* Writes a line; a missed deadline is marked by a leading !. */
static void put_job(struct tt_text *text, const struct tt_table_run *run, const void *room,
                    const void *arg)
{
    const struct columns *columns = arg;
    const struct tt_job_row *row = room;
    const struct tt_job *job = &row->job;
    const uint64_t times[] = {row->response, row->startup, job->run, job->ready_sum, job->blocked};
    size_t start = text->used;

    uint64_t ticks = job->ready;
    char buffer[48];
    struct tt_text time = tt_text_of(buffer, sizeof buffer);
    tt_line_time(&time, run->capture, tt_relative_ticks(run->capture, ticks, run->first_ticks));
    tt_text_fill(text, ' ', time.used < TIME_WIDTH ? TIME_WIDTH - time.used : 0);
    tt_text_bytes(text, time.buffer, time.used);

    tt_text_str(text, row->missed == 1 ? " !" : "  ");
    tt_line_thread_in(text, run->capture, job->thread, columns->name);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        tt_line_duration_in(text, run->capture, times[i], SUM_WIDTH);
    }
    tt_line_number(text, job->fragments, 4);
    tt_line_finish(text, start, columns->line);
}

static struct tt_status list_jobs(const struct tt_options *options, struct tt_input *input,
                                  struct tt_output *out)
{
    struct tt_event_selection pick;
    struct tt_job_rules rules;
    struct tt_status status = tt_event_selection_make(options, input, &pick);
    if (tt_failed(&status)) {
        return status;
    }
    status = tt_job_rules_make(options, input->capture, &rules);
    if (!tt_failed(&status)) {
        struct tt_table_request request = tt_raw_request(&tt_table_job_rows, options, input, &pick);
        request.job_ends = rules.ends;
        request.deadlines = rules.deadlines.ticks;
        request.deadline_limit = rules.deadlines.count;
        const struct columns columns = jobs_columns_of(options, input->capture, &pick);
        if (options->format == TT_OUTPUT_TEXT) {
            TT_PRINT_LINE(out, {
                tt_raw_put_capture(&text, input->capture, -1);
                tt_text_str(&text, "    ready at  ");
                tt_line_column(&text, "thread", 6, columns.name);
                tt_text_str(&text, " response  startup      run    ready  blocked run\n");
            });
        }
        status = tt_raw_print(&request, options->format, out, put_job, &columns);
        tt_job_rules_free(&rules);
    }
    tt_event_selection_free(&pick);
    return status;
}

enum tt_exit tt_command_jobs(const struct tt_options *options)
{
    return tt_command_each_input(options, list_jobs);
}
