/* SPDX-License-Identifier: Apache-2.0 */
/* report_tap: verdicts as TAP 13, a test for each rule and capture. */
#include <string.h>

#include "check/check_report.h"

/* Appends a description: # would begin a directive. */
static void report_tap_put_description(struct tt_text *text, const char *plain)
{
    char buffer[4096];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    tt_report_text(&shown, plain);
    for (size_t i = 0; i < shown.used; i++) {
        tt_text_put(text, "%s%c", buffer[i] == '#' ? "\\" : "", buffer[i]);
    }
}

/* Appends a line of the YAML block; a JSON string is valid in YAML. */
static void put_yaml(struct tt_text *text, const char *key, const char *value)
{
    if (value[0]) {
        tt_text_put(text, "  %s: ", key);
        tt_text_json(text, value, strlen(value));
        tt_text_char(text, '\n');
    }
}

static void put_test(struct tt_text *text, const struct tt_check_report *report,
                     const struct tt_check_file *file, const struct tt_check_result *result,
                     size_t number)
{
    bool accepted = result->verdict == TT_VERDICT_UNDECIDED && report->accept;
    tt_text_put(text, "%s%ju - ",
                result->verdict == TT_VERDICT_PASSED || accepted ? "ok " : "not ok ", number);
    if (report->count > 1) {
        report_tap_put_description(text, file->path);
        tt_text_str(text, ": ");
    }
    report_tap_put_description(text, result->rule->name);
    if (accepted) {
        tt_text_str(text, " # SKIP undecided: ");
        report_tap_put_description(text, result->reason);
    }
    tt_text_char(text, '\n');
    if (result->verdict != TT_VERDICT_PASSED) {
        tt_text_str(text, "  ---\n");
        put_yaml(text, "verdict", tt_verdict_word(result->verdict));
        put_yaml(text, "rule", result->rule->text);
        put_yaml(text, "value", result->value_text);
        put_yaml(text, "limit", result->limit_text);
        put_yaml(text, "where", result->where);
        put_yaml(text, "at", result->at_text);
        put_yaml(text, "reason", result->reason);
        tt_text_str(text, result->why_count > 0 ? "  why:\n" : "");
        for (unsigned i = 0; i < result->why_count; i++) {
            tt_text_str(text, "    - ");
            tt_text_json(text, result->why[i], strlen(result->why[i]));
            tt_text_char(text, '\n');
        }
        put_yaml(text, "open", result->command);
        tt_text_str(text, "  ...\n");
    }
}

static void put_plan(struct tt_text *text, size_t count)
{
    tt_text_put(text, "TAP version 13\n1..%ju\n", count);
}

void tt_report_tap(struct tt_check_report *report)
{
    size_t count = 0, number = 0;
    for (size_t i = 0; i < report->count; i++) {
        count += report->files[i].count;
    }
    TT_REPORT_LINE(report, put_plan(&text, count));
    for (size_t i = 0; i < report->count; i++) {
        const struct tt_check_file *file = &report->files[i];
        for (size_t k = 0; k < file->count; k++) {
            number++;
            TT_REPORT_LINE(report, put_test(&text, report, file, &file->results[k], number));
        }
    }
}
