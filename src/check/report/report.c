/* SPDX-License-Identifier: Apache-2.0 */
/* report: the lines of a report, and the verdicts of a file. */
#include "check/check_report.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_CAPACITY 4096u

void tt_check_file_replace(struct tt_check_file *file, struct tt_check *check)
{
    tt_check_free(file->check);
    file->check = check;
    file->passed = file->failed = file->undecided = 0;
    file->results = tt_check_results(check, &file->count);
    for (size_t i = 0; i < file->count; i++) {
        file->passed += file->results[i].verdict == TT_VERDICT_PASSED;
        file->failed += file->results[i].verdict == TT_VERDICT_FAILED;
        file->undecided += file->results[i].verdict == TT_VERDICT_UNDECIDED;
    }
}

void tt_report_text(struct tt_text *text, const char *plain)
{
    tt_text_printable(text, plain, strlen(plain));
}

/* Enlarges the buffer; false: out of memory. */
static bool report_grow(struct tt_check_report *report)
{
    size_t capacity = report->capacity > 0 ? report->capacity * 2 : FIRST_CAPACITY;
    char *room = capacity > report->capacity ? realloc(report->line, capacity) : NULL;
    report->no_memory |= !room;
    if (room) {
        report->line = room;
        report->capacity = capacity;
    }
    return room != NULL;
}

struct tt_text tt_report_line(struct tt_check_report *report)
{
    if (report->capacity == 0) {
        report_grow(report);
    }
    return tt_text_of(report->line, report->capacity);
}

bool tt_report_line_end(struct tt_check_report *report, const struct tt_text *text)
{
    if (!report->no_memory && text->truncated) {
        return !report_grow(report);
    }
    if (!report->no_memory) {
        tt_sink_put(&report->sink, text->buffer, text->used);
    }
    return true;
}

struct tt_status tt_report_end(struct tt_check_report *report)
{
    free(report->line);
    report->line = NULL;
    report->capacity = 0;
    return report->no_memory ? tt_error_memory() : tt_ok();
}
