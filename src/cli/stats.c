/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/stats.h"

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/event_selection.h"
#include "cli/input.h"
#include "cli/job_rules.h"
#include "cli/live.h"
#include "cli/stats_filter.h"
#include "table/registry.h"
#include "tracetui/timeline.h"

#define SINGLE_MOST 1000u /* messages of --by single */

static struct tt_table_request cli_stats_request_of(const struct tt_options *options,
                                                    const struct tt_input *input,
                                                    const struct tt_event_selection *pick)
{
    struct tt_key_range keys = {.from_ticks = pick->from.ticks,
                                .from_pos = pick->from.pos,
                                .to_ticks = pick->to_end ? UINT64_MAX : pick->to.ticks,
                                .to_pos = pick->to_end ? UINT64_MAX : pick->to.pos};
    /* These formats have all columns. */
    bool all = options->format == TT_OUTPUT_CSV || options->format == TT_OUTPUT_JSONL;
    struct tt_table_request request = {.table = tt_table_at((size_t)options->by),
                                       .trace = input->trace,
                                       .events = input->events,
                                       .threads = pick->threads,
                                       .thread_limit = pick->thread_count,
                                       .without_ready_by = !all,
                                       .in_order = true,
                                       .with_clients = all,
                                       .row_limit = SINGLE_MOST};
    if (request.table != &tt_table_single_messages) {
        request.row_limit = 0;
    }
    if (options->cpus.given) {
        request.window.cpus = options->cpus.bits;
        request.window.cpu_limit = TT_CPU_LIMIT;
    }
    tt_table_request_range(&request, &keys);
    return request;
}

struct tt_status tt_stats_compute(const struct tt_options *options, struct tt_input *input,
                                  tt_stat_use *use, void *arg)
{
    struct tt_event_selection pick;
    struct tt_status status = tt_event_selection_make(options, input, &pick);
    if (tt_failed(&status)) {
        return status;
    }
    struct tt_table_run sheet = {0};
    struct tt_stats_filter filter = {0};
    struct tt_job_rules rules = {0};
    struct tt_table_request request = cli_stats_request_of(options, input, &pick);
    if (request.table == &tt_table_jobs) {
        status = tt_job_rules_make(options, input->capture, &rules);
        request.job_ends = rules.ends;
        request.deadlines = rules.deadlines.ticks;
        request.deadline_limit = rules.deadlines.count;
    }
    if (!tt_failed(&status)) {
        status = tt_stats_filter_apply(&filter, &pick, input, &request);
    }
    if (!tt_failed(&status)) {
        status = tt_table_begin(&sheet, &request);
    }
    if (!tt_failed(&status)) {
        status = tt_table_step(&sheet, UINT64_MAX);
    }
    if (!tt_failed(&status)) {
        status = use(arg, &sheet);
    }
    if (!tt_stats_filter_end(&filter, input) && !tt_failed(&status)) {
        status = tt_error_memory();
    }
    input->shrunk |= sheet.shrunk;
    tt_table_free(&sheet);
    tt_stats_filter_free(&filter);
    tt_job_rules_free(&rules);
    tt_event_selection_free(&pick);
    return status;
}

/* ---- output ------------------------------------------------------------------------------- */

struct print {
    int format;
    struct tt_output *out;
};

enum tt_print_form tt_stats_form(int format)
{
    return format == TT_OUTPUT_JSONL ? TT_PRINT_JSON
           : format == TT_OUTPUT_CSV ? TT_PRINT_CSV
                                     : TT_PRINT_TEXT;
}

static void put_missing(struct tt_text *text, const struct tt_table *table, const char *reason)
{
    tt_text_put(text, "no %s: %s\n", table->name, reason);
}

/* Prints the rows of a run in an enum tt_output_format; TT_OUTPUT_TEXT is the table. */
static struct tt_status stats_print(const struct tt_table_run *run, int format,
                                    struct tt_output *out)
{
    enum tt_print_form form = tt_stats_form(format);
    bool has_total = form == TT_PRINT_TEXT && run->has_total;
    const char *missing = run->table->missing ? run->table->missing(run->capture) : NULL;
    struct tt_print print;
    struct tt_table_row row;
    tt_print_begin(&print, run, form);
    for (size_t i = 0; form == TT_PRINT_TEXT && i < run->count; i++) {
        tt_table_row_at(run, i, &row);
        tt_print_measure(&print, &row);
    }
    if (has_total) {
        tt_print_measure(&print, run->total);
    }
    tt_print_settle(&print);
    if (form == TT_PRINT_TEXT && out->begun) {
        tt_output_write(out, "\n", 1);
    }
    if (form == TT_PRINT_TEXT && missing) {
        TT_PRINT_LINE(out, put_missing(&text, run->table, missing));
        return tt_ok();
    }
    if (form == TT_PRINT_CSV || (form == TT_PRINT_TEXT && !run->table->is_upright)) {
        TT_PRINT_LINE(out, tt_print_header(&print, &text));
    }
    for (size_t i = 0; i < run->count && tt_output_is_open(out); i++) {
        tt_table_row_at(run, i, &row);
        TT_PRINT_LINE(out, tt_print_row(&print, &text, &row));
    }
    if (has_total) {
        TT_PRINT_LINE(out, tt_print_total(&print, &text));
    }
    return tt_ok();
}

static struct tt_status print_run(void *arg, const struct tt_table_run *run)
{
    const struct print *print = arg;
    return stats_print(run, print->format, print->out);
}

static struct tt_status stats_input(const struct tt_options *options, struct tt_input *input,
                                    struct tt_output *out)
{
    struct print print = {options->format, out};
    return tt_stats_compute(options, input, print_run, &print);
}

#define INTERVAL_MS 1000

/* Computes the numbers so far; a selected thread may not exist yet. */
static struct tt_status print_again(const struct tt_options *options, struct tt_live_input *input,
                                    struct tt_output *out)
{
    char line[80];
    struct tt_text text = tt_text_of(line, sizeof line);
    if (options->format == TT_OUTPUT_TEXT || options->format == TT_OUTPUT_TABLE) {
        tt_text_put(&text,
                    out->begun ? "\n%ju events, %ju a second\n" : "%ju events, %ju a second\n",
                    input->input.progress.events, input->live.events_per_s);
        tt_output_write(out, text.buffer, text.used);
    }
    struct tt_status status = stats_input(options, &input->input, out);
    tt_trace_free_old_timelines(input->input.trace, tt_trace_timelines(input->input.trace));
    tt_output_flush(out);
    if (status.code == TT_ERR_USAGE && options->threads.count > 0 && !input->over) {
        return tt_ok();
    }
    return status;
}

/* Runs stats -f: prints after each interval and at the end. */
static enum tt_exit stats_follow(const struct tt_options *options, const char *path,
                                 struct tt_output *out)
{
    struct tt_live_input l;
    struct tt_status status = tt_live_open(path, options, &l);
    if (tt_failed(&status)) {
        tt_message_error(path, &status);
        return TT_EXIT_FAILED;
    }
    uint64_t interval = options->interval_ms ? options->interval_ms : INTERVAL_MS;
    uint64_t next = tt_now_ms() + interval;
    while (!tt_failed(&status) && !l.over && !l.timed_out && tt_output_is_open(out)) {
        uint64_t now = tt_now_ms();
        tt_live_wait(&l, now < next ? next - now : 0);
        bool last = l.over || l.timed_out;
        if (last || tt_now_ms() >= next) {
            next = tt_now_ms() + interval;
            status = print_again(options, &l, out);
        }
    }
    enum tt_exit result = tt_input_verdict(&l.input, &status);
    tt_live_close(&l);
    return result;
}

static enum tt_exit stats_file(const struct tt_options *options, const char *path,
                               struct tt_output *out)
{
    return options->follow ? stats_follow(options, path, out)
                           : tt_input_use(options, path, out, stats_input);
}

enum tt_exit tt_command_stats(const struct tt_options *options)
{
    return tt_command_each(options, stats_file);
}
