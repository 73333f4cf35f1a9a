/* SPDX-License-Identifier: Apache-2.0 */
/* report_github: an annotation for each rule that did not pass, as GitHub Actions reads it. */
#include <string.h>

#include "cli/check/report_github.h"

/* Appends text with the escapes of workflow commands; those of properties also for : and , */
static void put_escaped(struct tt_text *text, const char *plain, bool property)
{
    char buffer[8192];
    struct tt_text shown = tt_text_of(buffer, sizeof buffer);
    tt_report_text(&shown, plain);
    for (size_t i = 0; i < shown.used; i++) {
        const char *escape = buffer[i] == '%'               ? "%25"
                             : property && buffer[i] == ':' ? "%3A"
                             : property && buffer[i] == ',' ? "%2C"
                                                            : NULL;
        if (escape) {
            tt_text_str(text, escape);
        } else {
            tt_text_char(text, buffer[i]);
        }
    }
}

static void put_annotation(struct tt_text *text, const struct tt_check_file *file,
                           const struct tt_check_result *result)
{
    bool failed = result->verdict == TT_VERDICT_FAILED;
    tt_text_str(text, failed ? "::error " : "::warning ");
    if (result->rule->file[0] != '-') {
        tt_text_str(text, "file=");
        put_escaped(text, result->rule->file, true);
        tt_text_put(text, ",line=%u,", result->rule->line);
    }
    tt_text_str(text, "title=");
    put_escaped(text, result->rule->name, true);
    tt_text_str(text, "::");
    put_escaped(text, file->path, false);
    tt_text_str(text, failed ? ": failed: " : ": undecided: ");
    put_escaped(text, result->value_text, false);
    tt_text_str(text, ", limit ");
    put_escaped(text, result->limit_text, false);
    tt_text_str(text, result->where[0] ? ", " : "");
    put_escaped(text, result->where, false);
    tt_text_str(text, result->at_text[0] ? ", at " : "");
    put_escaped(text, result->at_text, false);
    tt_text_str(text, result->reason[0] ? ": " : "");
    put_escaped(text, result->reason, false);
    for (unsigned i = 0; i < result->why_count; i++) {
        tt_text_str(text, "%0A");
        put_escaped(text, result->why[i], false);
    }
    tt_text_char(text, '\n');
}

void tt_report_github(struct tt_check_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        for (size_t k = 0; k < report->files[i].count; k++) {
            const struct tt_check_result *result = &report->files[i].results[k];
            if (result->verdict == TT_VERDICT_FAILED ||
                (result->verdict == TT_VERDICT_UNDECIDED && !report->accept)) {
                TT_REPORT_LINE(report, put_annotation(&text, &report->files[i], result));
            }
        }
    }
}
