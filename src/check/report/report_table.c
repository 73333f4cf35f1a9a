/* SPDX-License-Identifier: Apache-2.0 */
/* report_table: verdicts as a table, with the reason below each failure. */
#include <string.h>

#include "base/text_columns.h"
#include "check/check_report.h"
#include "trace/line_parts.h"

#define NAME_WIDTH  40u
#define VALUE_WIDTH 14u

static void put_right(struct tt_text *text, const char *value, size_t width)
{
    size_t columns = tt_text_columns(value, strlen(value));
    tt_text_fill(text, ' ', columns < width ? width - columns : 0);
    tt_text_str(text, value);
}

/* Appends a row: verdict, name, value, limit, where and when. */
static void report_table_put_row(struct tt_text *text, const struct tt_check_result *result)
{
    static const char *const words[] = {[TT_VERDICT_PASSED] = "  passed    ",
                                        [TT_VERDICT_UNDECIDED] = "  UNDECIDED ",
                                        [TT_VERDICT_FAILED] = "  FAILED    "};
    size_t start;
    tt_text_str(text, words[result->verdict]);
    start = text->used;
    tt_report_text(text, result->rule->name);
    size_t columns = tt_text_columns(text->buffer + start, text->used - start);
    tt_text_fill(text, ' ', columns < NAME_WIDTH ? NAME_WIDTH - columns : 1);
    put_right(text, result->value_text, VALUE_WIDTH);
    tt_text_put(text, "  %s", result->limit_text);
    if (result->where[0]) {
        tt_text_put(text, "  %s", result->where);
    }
    if (result->verdict != TT_VERDICT_PASSED && result->at_text[0]) {
        tt_text_put(text, "  at %s", result->at_text);
    }
    tt_text_char(text, '\n');
}

static void put_indented(struct tt_text *text, const char *line)
{
    tt_text_put(text, "      %s\n", line);
}

static void put_details(struct tt_text *text, const struct tt_check_result *result)
{
    if (result->rule->name != result->rule->text) {
        tt_text_str(text, "      ");
        tt_report_text(text, result->rule->text);
        tt_text_char(text, '\n');
    }
    if (result->reason[0]) {
        put_indented(text, result->reason);
    }
    for (unsigned i = 0; i < result->why_count; i++) {
        put_indented(text, result->why[i]);
    }
    if (result->command[0]) {
        put_indented(text, result->command);
    }
}

static void report_table_put_summary(struct tt_text *text, const struct tt_check_file *file)
{
    tt_report_text(text, file->path);
    tt_text_put(text, ": %ju%s%ju passed, %ju failed, %ju undecided\n", file->count,
                file->count == 1 ? " rule: " : " rules: ", file->passed, file->failed,
                file->undecided);
}

void tt_report_table(struct tt_check_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct tt_check_file *file = &report->files[i];
        if (!file->check) {
            continue;
        }
        TT_REPORT_LINE(report, report_table_put_summary(&text, file));
        for (size_t k = 0; k < file->count; k++) {
            const struct tt_check_result *result = &file->results[k];
            TT_REPORT_LINE(report, report_table_put_row(&text, result));
            if (result->verdict != TT_VERDICT_PASSED) {
                TT_REPORT_LINE(report, put_details(&text, result));
            }
        }
    }
}
