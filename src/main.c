/* SPDX-License-Identifier: Apache-2.0 */
/* main: reads the command line and runs its command. */
#define _XOPEN_SOURCE 700 /* SIGXFSZ */
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/platform.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/live.h"
#include "cli/merge/merged.h"
#include "cli/progress/arrival_line.h"
#include "cli/report/report.h"
#include "cli/reports/why.h"
#include "lane/lane.h"
#include "sql/lane_queries.h"
#include "sql/sql.h"
#include "tui/pictures.h"
#include "tui/tui.h"

/* ---- pictures of a report ------------------------------------------------------------------ */

static struct tt_status open_pictures(struct tt_trace *trace, void **pictures)
{
    struct tt_tui_pictures *made = NULL;
    struct tt_status status = tt_tui_pictures_open(trace, &made);
    *pictures = made;
    return status;
}

static struct tt_status draw_picture(void *pictures, const struct tt_why_item *item,
                                     struct tt_sink *sink)
{
    struct tt_tui_interval interval = {item->thread, item->from, item->to, item->what};
    return tt_tui_pictures_draw(pictures, &interval, sink);
}

static void write_rules(const void *pictures, bool light, struct tt_sink *sink)
{
    tt_tui_pictures_rules(pictures, light, sink);
}

static void close_pictures(void *pictures)
{
    tt_tui_pictures_close(pictures);
}

static const struct tt_report_painter painter = {open_pictures, draw_picture, write_rules,
                                                 close_pictures};

static enum tt_exit write_report(const struct tt_options *options)
{
    struct tt_options report = *options;
    report.painter = &painter;
    return tt_command_report(&report);
}

/* ---- the report from within the screen ----------------------------------------------------- */

struct screen_report {
    struct tt_options options;
    struct tt_input input;
    struct tt_report_page *report;
    char *deadlines, *job_ends; /* the settings when it began, or NULL */
};

static void free_screen_report(struct screen_report *of)
{
    tt_events_free(of->input.events);
    free(of->deadlines);
    free(of->job_ends);
    free(of);
}

static struct tt_status
begin_screen_report(const void *arg, const struct tt_tui_report_request *request, void **made)
{
    const struct tt_options *options = arg;
    struct screen_report *of = calloc(1, sizeof *of);
    if (!of) {
        return tt_error_memory();
    }
    of->options = *options;
    of->options.command = TT_COMMAND_REPORT;
    of->options.painter = &painter;
    of->options.from = request->from;
    of->options.to = request->to;
    of->options.deadlines = of->deadlines = request->deadlines ? strdup(request->deadlines) : NULL;
    of->options.job_ends = of->job_ends = request->job_ends ? strdup(request->job_ends) : NULL;
    of->input = (struct tt_input){.path = request->path,
                                  .trace = request->trace,
                                  .capture = tt_trace_capture(request->trace),
                                  .progress = tt_trace_progress(request->trace),
                                  .events = tt_events_new(request->trace)};
    struct tt_status status = of->input.events
                                  ? tt_report_page_begin(&of->options, &of->input, &of->report)
                                  : tt_error_memory();
    if (tt_failed(&status)) {
        free_screen_report(of);
        return status;
    }
    *made = of;
    return status;
}

static bool step_screen_report(void *report, unsigned *percent)
{
    struct screen_report *of = report;
    const bool more = tt_report_page_step(of->report);
    *percent = tt_report_page_percent(of->report);
    return more;
}

static struct tt_status end_screen_report(void *report, struct tt_sink *sink)
{
    struct screen_report *of = report;
    struct tt_output page;
    struct tt_status status = tt_output_open_memory(&page, SIZE_MAX);
    struct tt_status ended = tt_report_page_end(of->report, sink ? &page : NULL);
    status = tt_failed(&ended) ? ended : status;
    if (sink && !tt_failed(&status)) {
        tt_sink_put(sink, page.buffer, page.used);
    }
    ended = tt_output_close(&page, false);
    free_screen_report(of);
    return tt_failed(&status) ? status : ended;
}

/* ---- the screen ---------------------------------------------------------------------------- */

static struct tt_tui_options screen_options(const struct tt_options *options)
{
    struct tt_tui_options o = {
        .paths = options->files.v,
        .path_count = (size_t)options->files.count,
        .trace = tt_input_options(options),
        .keys = options->keys,
        .view = options->view,
        .theme = options->theme,
        .zone = options->zone,
        .filter = options->filter,
        .from = options->from,
        .to = options->to,
        .ascii = options->ascii,
        .no_mouse = options->no_mouse,
        .config = options->config,
        .own_config = !options->no_config,
        .script = options->script,
        .session = !options->no_session,
    };
    static const enum tt_tui_color colors[] = {[TT_COLOR_AUTO] = TT_TUI_COLOR_AUTO,
                                               [TT_COLOR_ALWAYS] = TT_TUI_COLOR_ALWAYS,
                                               [TT_COLOR_NEVER] = TT_TUI_COLOR_NEVER,
                                               [TT_COLOR_16] = TT_TUI_COLOR_ALWAYS,
                                               [TT_COLOR_256] = TT_TUI_COLOR_ALWAYS};
    o.most_colors = options->color == TT_COLOR_16 ? 16 : 256;
    o.color = colors[options->color];
    o.picture = options->format == TT_OUTPUT_SVG    ? TT_PICTURE_SVG
                : options->format == TT_OUTPUT_HTML ? TT_PICTURE_HTML
                                                    : TT_PICTURE_NONE;
    if ((o.picture != TT_PICTURE_NONE || options->format == TT_OUTPUT_ANSI) &&
        options->color == TT_COLOR_AUTO) {
        o.color = TT_TUI_COLOR_ALWAYS;
    }
    return o;
}

static enum tt_exit screen_verdict(const struct tt_tui_result *result)
{
    if (tt_failed(&result->status)) {
        tt_message_error(result->path, &result->status);
        return TT_EXIT_FAILED;
    }
    return tt_failed(&result->damage) ? TT_EXIT_DAMAGED : TT_EXIT_GOOD;
}

static enum tt_exit open_screen(const struct tt_options *options)
{
    const struct tt_tui_reporter reporter = {options, begin_screen_report, step_screen_report,
                                             end_screen_report};
    struct tt_tui_options o = screen_options(options);
    o.reporter = &reporter;
    if (options->follow) {
        struct tt_status status = tt_live_wait_for_file(options->files.v[0], options);
        if (tt_failed(&status)) {
            tt_message_error(options->files.v[0], &status);
            return TT_EXIT_FAILED;
        }
    }
    struct tt_tui_result result = tt_tui_run(&o);
    if (result.signal) {
        tt_tui_die(result.signal);
    }
    return screen_verdict(&result);
}

static enum tt_exit render_screen(const struct tt_options *options, const char *path,
                                  struct tt_output *out)
{
    const struct tt_tui_reporter reporter = {options, begin_screen_report, step_screen_report,
                                             end_screen_report};
    struct tt_tui_options o = screen_options(options);
    o.reporter = &reporter;
    o.paths = &path;
    o.path_count = 1;
    /* Output must not depend on the user's configuration. */
    o.own_config = false;
    o.session = false;
    int columns = options->size.columns ? options->size.columns : 80;
    int rows = options->size.rows ? options->size.rows : 24;
    struct tt_sink sink = tt_output_sink(out);
    struct tt_tui_result result = tt_tui_render(&o, columns, rows, &sink);
    if (tt_failed(&result.damage) && !tt_failed(&result.status)) {
        tt_message_error(path, &result.damage);
    }
    return screen_verdict(&result);
}

/* ---- commands ------------------------------------------------------------------------------- */

/* Prints events; in colours if they go to a terminal, or on request. */
static enum tt_exit dump_events(const struct tt_options *options)
{
    struct tt_tui_options screen = screen_options(options);
    struct tt_options dump = *options;
    struct tt_line_colors colors;
    bool use;
    if (options->output && options->color == TT_COLOR_AUTO) {
        screen.color = TT_TUI_COLOR_NEVER;
    }
    struct tt_status status = tt_tui_line_colors(&screen, &colors, &use);
    if (tt_failed(&status)) {
        tt_message_error(NULL, &status);
        return TT_EXIT_FAILED;
    }
    dump.colors = use ? &colors : NULL;
    return tt_command_dump(&dump);
}

static enum tt_exit dump_config(void)
{
    char buffer[32768];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_tui_dump_config(&text);
    return tt_command_print(&text);
}

static enum tt_exit query_in_sql(const struct tt_options *options)
{
    struct tt_options query = *options;
    struct tt_sql_definition *definitions = NULL;
    struct tt_status status = tt_ok();
    if (!options->no_config) {
        status =
            tt_tui_definitions(options->config, "sql", &definitions, &query.sql_definition_count);
    }
    if (tt_failed(&status)) {
        tt_message_error(NULL, &status);
        return TT_EXIT_FAILED;
    }
    query.sql_definitions = definitions;
    enum tt_exit result = tt_command_sql(&query);
    free(definitions);
    return result;
}

static enum tt_exit main_run(const struct tt_options *options)
{
    if (options->help) {
        return tt_command_help(options);
    }
    if (options->version) {
        return tt_command_version(tt_tui_library());
    }
    if (options->dump_config) {
        return dump_config();
    }
    switch (options->command) {
    case TT_COMMAND_INFO_:
        return tt_command_info(options);
    case TT_COMMAND_STATS:
        return options->save_baseline          ? tt_command_save_baseline(options)
               : options->conditions.count > 0 ? tt_command_conditions(options)
                                               : tt_command_stats(options);
    case TT_COMMAND_WHY:
        return tt_command_why(options);
    case TT_COMMAND_AT:
        return tt_command_snapshot(options);
    case TT_COMMAND_MEASURE:
        return tt_command_measure(options);
    case TT_COMMAND_LANES:
        return tt_command_lanes(options);
    case TT_COMMAND_DIFF:
        return tt_command_diff(options);
    case TT_COMMAND_SQL:
        return query_in_sql(options);
    case TT_COMMAND_CHECK:
        return tt_command_check(options);
    case TT_COMMAND_SAVE:
        return tt_command_save(options);
    case TT_COMMAND_EXPORT:
        return tt_command_export(options);
    case TT_COMMAND_REPORT:
        return write_report(options);
    case TT_COMMAND_RENDER:
        return tt_command_each(options, render_screen);
    case TT_COMMAND_OPEN:
        /* Without a terminal, opening a file prints it. */
        return isatty(STDOUT_FILENO) ? open_screen(options) : dump_events(options);
    default:
        return options->blobs      ? tt_command_blobs(options)
               : options->jobs     ? tt_command_jobs(options)
               : options->messages ? tt_command_messages(options)
                                   : dump_events(options);
    }
}

/* Sets the program that reads HOST:PATH: of the command line, or of the configuration. */
static struct tt_status find_remote_shell(struct tt_options *options, char *shell)
{
    bool any = false;
    for (int i = 0; i < options->files.count; i++) {
        any = any || tt_remote_is(options->files.v[i]);
    }
    if (!any || options->remote_shell || options->no_config) {
        return tt_ok();
    }
    struct tt_status status = tt_tui_remote_shell(options->config, shell, TT_REMOTE_SHELL_BYTES);
    options->remote_shell = shell[0] ? shell : NULL;
    return status;
}

/* Reads the forms of logs in the configuration; render does not depend on that of the user. */
static struct tt_status read_log_forms(struct tt_options *options, struct tt_sql_definition **texts)
{
    size_t count = 0;
    const bool is_read = options->logs.count > 0 && !options->no_config &&
                         (options->config || options->command != TT_COMMAND_RENDER);
    *texts = NULL;
    struct tt_status status =
        is_read ? tt_tui_definitions(options->config, "logs", texts, &count) : tt_ok();
    struct tt_log_form *forms = count > 0 ? calloc(count, sizeof *forms) : NULL;
    for (size_t i = 0; forms && i < count; i++) {
        forms[i] = (struct tt_log_form){(*texts)[i].name, (*texts)[i].text};
    }
    options->log_forms = forms;
    options->log_form_count = forms ? count : 0;
    return tt_failed(&status) || forms || count == 0 ? status : tt_error_memory();
}

/* Makes the lanes of the command line, to which the interactive program adds its own. */
static struct tt_status read_lanes(struct tt_options *options)
{
    options->lanes = tt_lane_list_new(&tt_sql_lane_queries);
    struct tt_status status = options->lanes ? tt_ok() : tt_error_memory();
    for (int i = 0; i < options->lane_files.count && !tt_failed(&status); i++) {
        status = tt_lane_list_read(options->lanes, options->lane_files.v[i]);
    }
    for (int i = 0; i < options->lane_definitions.count && !tt_failed(&status); i++) {
        status = tt_status_context(
            tt_lane_list_define(options->lanes, options->lane_definitions.v[i]), "--lane");
    }
    return status;
}

int main(int argc, char **argv)
{
    /* LC_CTYPE only: other categories would change the decimal point. */
    setlocale(LC_CTYPE, "");
    /* A closed pipe and a file-size limit are reported by write(). */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    tt_atomic_catch_signals();
    if (!tt_platform_fill_descriptors()) {
        return TT_EXIT_FAILED;
    }
    tt_platform_separate_large_allocations();

    struct tt_options options;
    struct tt_status status = tt_options_parse(argc, argv, &options);
    if (tt_failed(&status)) {
        tt_message_error(NULL, &status);
        return TT_EXIT_FAILED;
    }
    struct tt_arrival_line line;
    char shell[TT_REMOTE_SHELL_BYTES];
    struct tt_sql_definition *texts = NULL;
    status = find_remote_shell(&options, shell);
    status = tt_failed(&status) ? status : read_log_forms(&options, &texts);
    status = tt_failed(&status) ? status : read_lanes(&options);
    if (tt_failed(&status)) {
        tt_message_error(NULL, &status);
        tt_lane_list_free(options.lanes);
        tt_options_free(&options);
        return TT_EXIT_FAILED;
    }
    tt_arrival_line_init(&line, options.remote_shell);
    line.shows_local = (options.command == TT_COMMAND_OPEN && isatty(STDOUT_FILENO)) ||
                       options.command == TT_COMMAND_RENDER;
    options.watch = &line.watch;
    options.remote = &line.remote;
    struct tt_merged merged;
    enum tt_exit result = TT_EXIT_FAILED;
    bool runs = !options.help && !options.version && !options.dump_config;
    options.merge = options.merge && runs;
    if (tt_merged_prepare(&options, &merged)) {
        result = main_run(&options);
        tt_merged_free(&merged);
    }
    free((void *)(uintptr_t)options.log_forms);
    free(texts);
    tt_lane_list_free(options.lanes);
    tt_options_free(&options);
    return result;
}
