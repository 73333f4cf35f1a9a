/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/check/ask.h"

#include <string.h>
#include <unistd.h>

#include "check/check_complete.h"
#include "cli/check/explain.h"
#include "cli/check/judge_files.h"
#include "cli/message.h"
#include "edit/line_reader.h"

static void ask_offer(void *arg, const char *word)
{
    tt_line_words_add(arg, word);
}

static void ask_complete(void *arg, const char *line, size_t caret, struct tt_line_words *words)
{
    struct tt_rule_completion completion = {.capture = arg, .offer = ask_offer, .arg = words};
    tt_rule_complete(&completion, line, caret);
    words->from = completion.from;
}

static bool ask_write_lines(void *arg, const char *bytes, size_t length)
{
    (void)arg;
    while (length > 0) {
        ssize_t written = write(STDOUT_FILENO, bytes, length);
        if (written <= 0) {
            return false;
        }
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

/* Explains the rules of a line. */
static struct tt_status ask_explain(const struct tt_options *options, const struct tt_input *input,
                                    const char *path, const struct tt_rules *rules)
{
    struct tt_check_file file = {.path = path, .status = tt_ok(), .damage = tt_ok()};
    struct tt_check_report report = {
        .files = &file, .count = 1, .sink = {.write = ask_write_lines}};
    struct tt_check *check = NULL;
    struct tt_status status = tt_ok();
    if (input) {
        status = tt_check_input(options, rules, input->trace, path, false, &check);
    }
    if (check) {
        tt_check_file_replace(&file, check);
    }
    if (!tt_failed(&status)) {
        tt_check_print_rules(rules, &report);
        status = tt_report_end(&report);
    }
    tt_check_free(check);
    return status;
}

static struct tt_status ask_answer(const struct tt_options *options, const struct tt_input *input,
                                   const char *path, const struct tt_line_reader *reader)
{
    struct tt_rules *rules;
    struct tt_status status = tt_rules_new(&rules);
    for (int i = 0; i < options->variables.count && !tt_failed(&status); i++) {
        status = tt_rules_set(rules, options->variables.v[i]);
    }
    if (!tt_failed(&status)) {
        status = tt_rules_read_text(rules, "rule", reader->line);
    }
    if (!tt_failed(&status) && tt_rules_error_count(rules) > 0) {
        /*
         * Prints a ^ below the column of the first error, shifted by `prompt` columns, and the
         * message.
         */
        size_t prompt = strlen(reader->prompt);
        char buffer[2048];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        struct tt_rules_error error = tt_rules_error_at(rules, 0);
        const char *colon = strrchr(error.place, ':');
        size_t column = 0;
        for (const char *digit = colon ? colon + 1 : ""; *digit; digit++) {
            column = column * 10 + (size_t)(*digit - '0');
        }
        tt_text_fill(&text, ' ', prompt + (column > 0 ? column - 1 : 0));
        tt_text_str(&text, "^ ");
        tt_report_text(&text, error.text);
        tt_text_char(&text, '\n');
        ask_write_lines(NULL, text.buffer, text.used);
    } else if (!tt_failed(&status) && tt_rules_count(rules) > 0) {
        status = ask_explain(options, input, path, rules);
        if (tt_failed(&status) && status.code != TT_ERR_MEMORY) {
            tt_message_error(path, &status); /* the rule names something that the format lacks */
            status = tt_ok();
        }
    }
    tt_rules_free(rules);
    return status;
}

struct tt_status tt_check_ask(const struct tt_options *options, const struct tt_input *input,
                              const char *path)
{
    static const char help[] = "Rules of docs/check.md, one per line. Tab completes, ^D ends.\n";
    struct tt_line_reader reader = {.in = STDIN_FILENO,
                                    .out = STDOUT_FILENO,
                                    .prompt = "rule> ",
                                    .complete = ask_complete,
                                    .arg = input ? input->capture : NULL};
    struct tt_status status = tt_ok();
    ask_write_lines(NULL, help, sizeof help - 1);
    while (!tt_failed(&status) && tt_line_reader_read(&reader)) {
        status = ask_answer(options, input, path, &reader);
    }
    tt_line_reader_free(&reader);
    return status;
}
