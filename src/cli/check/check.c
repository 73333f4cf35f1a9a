/* SPDX-License-Identifier: Apache-2.0 */
/* check: reads the rules, judges the captures, prints the report. */
#include <stdlib.h>
#include <string.h>

#include "cli/check/ask.h"
#include "cli/check/explain.h"
#include "cli/check/judge_files.h"
#include "cli/check/report_github.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "edit/line_reader.h"

static struct tt_status read_rules(const struct tt_options *options, struct tt_rules *rules)
{
    struct tt_status status = tt_ok();
    for (int i = 0; i < options->variables.count && !tt_failed(&status); i++) {
        status = tt_status_context(tt_rules_set(rules, options->variables.v[i]), "--set");
    }
    for (int i = 0; i < options->rules_files.count && !tt_failed(&status); i++) {
        status = tt_rules_read_file(rules, options->rules_files.v[i]);
    }
    for (int i = 0; i < options->rules.count && !tt_failed(&status); i++) {
        status = tt_rules_read_text(rules, "--rule", options->rules.v[i]);
    }
    return status;
}

/* Prints the errors of the rules; returns whether there are rules and no errors. */
static bool rules_are_usable(const struct tt_options *options, const struct tt_rules *rules,
                             const struct tt_status *status)
{
    struct tt_status error;
    for (size_t i = 0; i < tt_rules_error_count(rules); i++) {
        struct tt_rules_error wrong = tt_rules_error_at(rules, i);
        error = tt_error(TT_ERR_USAGE, "%s", wrong.text);
        tt_message_error(wrong.place, &error);
    }
    if (tt_failed(status)) {
        tt_message_error(NULL, status);
    } else if (tt_rules_count(rules) == 0 && tt_rules_error_count(rules) == 0 &&
               !options->explain) {
        error = tt_error(TT_ERR_USAGE, "check: there is no rule");
        tt_message_error(NULL, &error);
        return false;
    }
    return !tt_failed(status) && tt_rules_error_count(rules) == 0;
}

static enum tt_exit exit_of(const struct tt_options *options, const struct tt_check_file *file)
{
    if (tt_failed(&file->status)) {
        tt_message_error(file->path, &file->status);
        return TT_EXIT_FAILED;
    }
    if (tt_failed(&file->damage)) {
        tt_message_error(file->path, &file->damage);
    }
    bool undecided = file->undecided > 0 && options->undecided == 0;
    return options->explain           ? TT_EXIT_GOOD
           : file->failed > 0         ? TT_EXIT_NOT_MET
           : undecided                ? TT_EXIT_UNDECIDED
           : tt_failed(&file->damage) ? TT_EXIT_DAMAGED
                                      : TT_EXIT_GOOD;
}

/* Reports the names in filters that are probably misspelled. */
static void print_warnings(const struct tt_check_file *file)
{
    for (size_t i = 0; i < file->count; i++) {
        char place[2048];
        struct tt_text text = tt_text_of(place, sizeof place);
        const struct tt_check_result *result = &file->results[i];
        if (result->warning[0]) {
            struct tt_status warning =
                tt_error(TT_ERR_USAGE, "%.200s: warning: %s", file->path, result->warning);
            tt_text_put(&text, "%s:%u:%u", result->rule->file, result->rule->line,
                        result->warning_column);
            tt_message_error(tt_text_cstr(&text), &warning);
        }
    }
}

static void print_report(const struct tt_options *options, const struct tt_rules *rules,
                         struct tt_check_report *report)
{
    if (options->explain) {
        tt_check_print_rules(rules, report);
        return;
    }
    switch (options->format) {
    case TT_OUTPUT_JSONL:
        tt_report_jsonl(report);
        break;
    case TT_OUTPUT_TAP:
        tt_report_tap(report);
        break;
    case TT_OUTPUT_JUNIT:
        tt_report_junit(report);
        break;
    default:
        tt_report_table(report);
    }
}

/* Prints the annotations to standard output, also if the report is in a file. */
static struct tt_status print_annotations(const struct tt_options *options,
                                          struct tt_check_report *report)
{
    struct tt_output out;
    if (!options->github) {
        return tt_ok();
    }
    struct tt_status status = tt_output_open(&out, NULL);
    if (!tt_failed(&status)) {
        report->sink = tt_output_sink(&out);
        tt_report_github(report);
        status = tt_report_end(report);
    }
    return tt_output_finish(&out, status, true);
}

static struct tt_status print(const struct tt_options *options, const struct tt_rules *rules,
                              struct tt_check_report *report, bool keep)
{
    struct tt_output out;
    struct tt_status status = tt_command_open_output(options, &out);
    if (!tt_failed(&status)) {
        report->sink = tt_output_sink(&out);
        print_report(options, rules, report);
        status = tt_report_end(report);
    }
    status = tt_output_finish(&out, status, keep);
    return tt_failed(&status) ? status : print_annotations(options, report);
}

static enum tt_exit report_until(const struct tt_options *options)
{
    struct tt_status status =
        tt_error(TT_ERR_USAGE, "--until: no event matches: the verdicts are of "
                               "an incomplete capture");
    tt_message_error(options->files.v[0], &status);
    return TT_EXIT_UNDECIDED;
}

static enum tt_exit judge_all(const struct tt_options *options, const struct tt_rules *rules)
{
    size_t count = (size_t)options->files.count;
    struct tt_check_file *files = calloc(count, sizeof *files);
    struct tt_check_report report = {
        .files = files, .count = count, .accept = options->undecided != 0};
    struct tt_status status = files ? tt_ok() : tt_error_memory();
    enum tt_exit result = TT_EXIT_GOOD;
    bool met = true;
    for (size_t i = 0; files && i < count; i++) {
        files[i].path = options->files.v[i];
        files[i].status = files[i].damage = tt_ok();
    }
    if (files && options->follow) {
        tt_check_follow(options, rules, &files[0], &met);
    } else if (files) {
        tt_check_judge_files(options, rules, files, count);
    }
    for (size_t i = 0; files && i < count; i++) {
        result = tt_exit_worse(result, exit_of(options, &files[i]));
        print_warnings(&files[i]);
    }
    if (files && options->until && !met) {
        result = tt_exit_worse(result, report_until(options));
    }
    if (files) {
        status = print(options, rules, &report, result != TT_EXIT_FAILED);
    }
    for (size_t i = 0; files && i < count; i++) {
        tt_check_free(files[i].check);
    }
    free(files);
    return tt_exit_of(&status, result);
}

/* Prints the words for rules, with the names of the first capture; on a terminal, asks for rules. */
static enum tt_exit print_words(const struct tt_options *options)
{
    struct tt_output out = {0};
    bool asks =
        tt_line_reader_is_possible() && (!options->output || tt_command_is_stdout(options->output));
    struct tt_input input = {0};
    struct tt_status status = tt_ok();
    if (options->files.count > 0) {
        status = tt_input_open(options->files.v[0], options, &input);
        if (tt_failed(&status)) {
            tt_message_error(options->files.v[0], &status);
            return TT_EXIT_FAILED;
        }
    }
    if (asks) {
        status = tt_check_ask(options, input.trace ? &input : NULL,
                              options->files.count > 0 ? options->files.v[0] : "");
    } else {
        status = tt_command_open_output(options, &out);
        if (!tt_failed(&status)) {
            tt_check_print_words(input.capture, &out);
        }
        status = tt_output_close(&out, true);
    }
    if (input.trace) {
        tt_input_close(&input);
    }
    return tt_exit_of(&status, TT_EXIT_GOOD);
}

enum tt_exit tt_command_check(const struct tt_options *options)
{
    struct tt_rules *rules;
    struct tt_status status = tt_command_check_output(options);
    if (tt_failed(&status)) {
        tt_message_error(options->output, &status);
        return TT_EXIT_FAILED;
    }
    status = tt_rules_new(&rules);
    if (!tt_failed(&status)) {
        status = read_rules(options, rules);
    }
    enum tt_exit result = TT_EXIT_FAILED;
    if (!rules) {
        tt_exit_of(&status, result);
    } else if (rules_are_usable(options, rules, &status)) {
        result = tt_rules_count(rules) == 0 ? print_words(options) : judge_all(options, rules);
    }
    tt_rules_free(rules);
    return result;
}
