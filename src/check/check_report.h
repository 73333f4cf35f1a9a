/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check_report: the verdicts of all captures in one format. A report writes a part for each capture
 * between its begin and its end. All text of rules, paths and captures is escaped. One thread.
 */
#ifndef TRACETUI_CHECK_CHECK_REPORT_H
#define TRACETUI_CHECK_CHECK_REPORT_H

#include "base/sink.h"
#include "check/check.h"
#include "tracetui/text.h"

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

/* Replaces the check of a file, which owns it from then on, and counts the verdicts. */
void tt_check_file_replace(struct tt_check_file *file, struct tt_check *check);

struct tt_check_report {
    const struct tt_check_file *files;
    size_t count;
    bool accept;         /* undecided rules pass */
    struct tt_sink sink; /* of whole lines */
    /* Used by the functions below; initially 0. */
    char *line;
    size_t capacity;
    bool no_memory;
};

typedef void tt_check_reporter(struct tt_check_report *report);

tt_check_reporter tt_report_table, tt_report_jsonl, tt_report_tap, tt_report_junit;

/* Frees the buffer of a report; TT_ERR_MEMORY if lines are missing. */
struct tt_status tt_report_end(struct tt_check_report *report);

/* Appends text of a rules file or a path, escaped. */
void tt_report_text(struct tt_text *text, const char *plain);

/*
 * Return an empty line, and write it. tt_report_line_end returns false if the line did not fit into
 * the buffer, which it has enlarged: build the line again.
 */
struct tt_text tt_report_line(struct tt_check_report *report);
bool tt_report_line_end(struct tt_check_report *report, const struct tt_text *text);

/* Writes one line, which `call` appends to a tt_text named `text`. */
#define TT_REPORT_LINE(report, call)                                                               \
    do {                                                                                           \
        struct tt_text text;                                                                       \
        do {                                                                                       \
            text = tt_report_line(report);                                                         \
            call;                                                                                  \
        } while (!tt_report_line_end(report, &text));                                              \
    } while (0)

#endif
