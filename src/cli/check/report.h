/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report: the verdicts of all captures in one format. Each format is a table of functions, one file
 * each; a report writes a part for each capture between its begin and its end. One thread.
 */
#ifndef TT_CLI_CHECK_REPORT_H
#define TT_CLI_CHECK_REPORT_H

#include "cli/message.h"
#include "cli/output.h"
#include "tracetui/check.h"

/* A capture and its verdicts. */
struct tt_check_file {
    const char *path;
    struct tt_status status; /* failed: there are no verdicts */
    struct tt_status damage; /* of the capture */
    bool ticks;              /* the capture has no clock */
    uint64_t hz;
    struct tt_check *check;
    const struct tt_check_result *results;
    size_t count;
    size_t passed, failed, undecided;
};

struct tt_check_report {
    const struct tt_check_file *files;
    size_t count;
    bool accept; /* undecided rules pass */
    struct tt_output *out;
};

typedef void tt_check_reporter(const struct tt_check_report *report);

tt_check_reporter tt_report_table, tt_report_jsonl, tt_report_tap, tt_report_junit,
    tt_report_github;

/* Appends text of a rules file or a path, escaped. */
void tt_report_text(struct tt_text *text, const char *plain);

#endif
