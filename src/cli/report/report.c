/* SPDX-License-Identifier: Apache-2.0 */
/* report: the sections of the page, in their order. */
#include "cli/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "cli/info.h"
#include "cli/report/delays.h"
#include "cli/report/findings.h"
#include "cli/report/page.h"
#include "cli/report/tables.h"

#define TEXT_MOST (4u << 20) /* bytes of a text before it is cut for the page */

/* One run of the command. */
struct tt_report_page {
    struct tt_page page;
    const struct tt_options *options;
    struct tt_input *input;
    void *pictures; /* NULL: none */
    unsigned next;  /* section */
    struct tt_status status;
};

/* ---- what the capture is -------------------------------------------------------------------- */

/* Adds parts of `info`. */
static struct tt_status report_add_info(struct tt_report_page *report, unsigned parts)
{
    struct tt_options info = *report->options;
    struct tt_output text;
    info.command = TT_COMMAND_INFO_;
    info.format = TT_OUTPUT_TEXT;
    struct tt_status status = tt_output_open_memory(&text, TEXT_MOST);
    if (!tt_failed(&status)) {
        status = tt_info_print(&info, report->input, parts, &text);
    }
    if (!tt_failed(&status) && text.used > 0) {
        const char *bytes = text.buffer;
        size_t blank = *bytes == '\n';
        bool all = tt_page_lines(&report->page, bytes + blank, text.used - blank);
        tt_page_command(&report->page, all ? "from " : "the first lines of ", "info", "");
    }
    struct tt_status memory = tt_output_close(&text, false);
    return tt_failed(&status) ? status : memory;
}

/* ---- the page ------------------------------------------------------------------------------- */

static struct tt_status write_page(struct tt_report_page *report, struct tt_output *out)
{
    char title[256];
    struct tt_text text = tt_text_of(title, sizeof title);
    struct tt_output rules[2];
    struct tt_status status = tt_page_status(&report->page);
    for (unsigned i = 0; i < 2; i++) {
        struct tt_status opened = tt_output_open_memory(&rules[i], TEXT_MOST);
        status = tt_failed(&status) ? status : opened;
        if (!tt_failed(&status) && report->pictures) {
            struct tt_sink sink = tt_output_sink(&rules[i]);
            report->options->painter->rules(report->pictures, i == 0, &sink);
        }
    }
    if (!tt_failed(&status)) {
        const char *path = report->input->path, *slash = strrchr(path, '/');
        if (report->options->title) {
            tt_text_str(&text, report->options->title);
        } else {
            tt_text_put(&text, "Report on %s",
                        strcmp(path, "-") == 0 ? "standard input"
                        : slash                ? slash + 1
                                               : path);
        }
        tt_page_write(&report->page, tt_text_cstr(&text), &rules[0], &rules[1], out);
    }
    for (unsigned i = 0; i < 2; i++) {
        tt_output_close(&rules[i], false);
    }
    return status;
}

/* The sections around those of the tables, in their order. */
enum { FINDINGS, CAPTURE, HEALTH, TABLES };
enum { DELAYS, RESPONSES, EVENTS, AFTER_TABLES };

bool tt_report_page_step(struct tt_report_page *report)
{
    const unsigned tables = tt_report_tables(), number = report->next++;
    struct tt_page *page = &report->page;
    const struct tt_options *options = report->options;
    if (number == FINDINGS) {
        report->status = tt_report_add_findings(page, options, report->input);
    } else if (number == CAPTURE) {
        tt_page_section(page, "capture", "Capture");
        report->status = report_add_info(report, TT_INFO_HEAD | TT_INFO_FACTS);
    } else if (number == HEALTH) {
        tt_page_section(page, "health", "Health");
        report->status = report_add_info(report, TT_INFO_HEALTH | TT_INFO_MISSING);
    } else if (number < TABLES + tables) {
        report->status = tt_report_add_table(page, options, report->input, number - TABLES);
    } else if (number == TABLES + tables + DELAYS ||
               (number == TABLES + tables + RESPONSES && options->deadlines)) {
        const bool delays = number == TABLES + tables + DELAYS;
        report->status = tt_report_add_worst(page, options, report->input,
                                             delays ? TT_LATE_DELAY : TT_LATE_RESPONSE,
                                             options->painter, report->pictures);
    } else if (number == TABLES + tables + EVENTS) {
        tt_page_section(page, "events", "Events");
        report->status = report_add_info(report, TT_INFO_COUNTS);
    }
    return !tt_failed(&report->status) && report->next < TABLES + tables + AFTER_TABLES;
}

unsigned tt_report_page_percent(const struct tt_report_page *report)
{
    return report->next * 100 / (TABLES + tt_report_tables() + AFTER_TABLES);
}

struct tt_status tt_report_page_begin(const struct tt_options *options, struct tt_input *input,
                                      struct tt_report_page **made)
{
    struct tt_report_page *report = calloc(1, sizeof *report);
    if (!report) {
        return tt_error_memory();
    }
    report->options = options;
    report->input = input;
    struct tt_status status = tt_page_open(&report->page, options, input->path);
    if (tt_failed(&status)) {
        free(report);
        return status;
    }
    if (options->painter) {
        status = options->painter->open(input->trace, &report->pictures);
    }
    if (tt_failed(&status)) {
        tt_report_page_end(report, NULL);
        return status;
    }
    *made = report;
    return status;
}

struct tt_status tt_report_page_end(struct tt_report_page *report, struct tt_output *out)
{
    struct tt_status status = report->status;
    tt_page_end(&report->page);
    if (!tt_failed(&status) && out) {
        status = write_page(report, out);
    }
    if (report->pictures) {
        report->options->painter->close(report->pictures);
    }
    tt_page_close(&report->page);
    free(report);
    return status;
}

static struct tt_status report_input(const struct tt_options *options, struct tt_input *input,
                                     struct tt_output *out)
{
    struct tt_report_page *report = NULL;
    struct tt_status status = tt_report_page_begin(options, input, &report);
    if (tt_failed(&status)) {
        return status;
    }
    while (tt_report_page_step(report)) {
    }
    return tt_report_page_end(report, out);
}

enum tt_exit tt_command_report(const struct tt_options *options)
{
    return tt_command_each_input(options, report_input);
}
