/* SPDX-License-Identifier: Apache-2.0 */
/* report: the sections of the page, in their order. */
#include "cli/report/report.h"

#include <string.h>

#include "cli/info.h"
#include "cli/report/delays.h"
#include "cli/report/findings.h"
#include "cli/report/page.h"
#include "cli/report/tables.h"

#define TEXT_MOST (4u << 20) /* bytes of a text before it is cut for the page */

/* One run of the command. */
struct report {
    struct tt_page page;
    const struct tt_options *options;
    struct tt_input *input;
    void *pictures; /* NULL: none */
};

/* ---- what the capture is -------------------------------------------------------------------- */

/* Adds parts of `info`. */
static struct tt_status report_add_info(struct report *report, unsigned parts)
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

static struct tt_status write_page(struct report *report, struct tt_output *out)
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

static struct tt_status add_sections(struct report *report)
{
    const struct tt_report_painter *painter = report->options->painter;
    struct tt_status status = tt_report_add_findings(&report->page, report->options, report->input);
    if (!tt_failed(&status)) {
        tt_page_section(&report->page, "capture", "Capture");
        status = report_add_info(report, TT_INFO_HEAD | TT_INFO_FACTS);
    }
    if (!tt_failed(&status)) {
        tt_page_section(&report->page, "health", "Health");
        status = report_add_info(report, TT_INFO_HEALTH | TT_INFO_MISSING);
    }
    if (!tt_failed(&status)) {
        status = tt_report_add_tables(&report->page, report->options, report->input);
    }
    if (!tt_failed(&status)) {
        status = tt_report_add_worst(&report->page, report->options, report->input, TT_LATE_DELAY,
                                     painter, report->pictures);
    }
    if (!tt_failed(&status) && report->options->deadlines) {
        status = tt_report_add_worst(&report->page, report->options, report->input,
                                     TT_LATE_RESPONSE, painter, report->pictures);
    }
    if (!tt_failed(&status)) {
        tt_page_section(&report->page, "events", "Events");
        status = report_add_info(report, TT_INFO_COUNTS);
    }
    tt_page_end(&report->page);
    return status;
}

static struct tt_status report_input(const struct tt_options *options, struct tt_input *input,
                                     struct tt_output *out)
{
    struct report r = {.options = options, .input = input};
    struct tt_status status = tt_page_open(&r.page, options, input->path);
    if (tt_failed(&status)) {
        return status;
    }
    if (options->painter) {
        status = options->painter->open(input->trace, &r.pictures);
    }
    if (!tt_failed(&status)) {
        status = add_sections(&r);
    }
    if (!tt_failed(&status)) {
        status = write_page(&r, out);
    }
    if (r.pictures) {
        options->painter->close(r.pictures);
    }
    tt_page_close(&r.page);
    return status;
}

enum tt_exit tt_command_report(const struct tt_options *options)
{
    return tt_command_each_input(options, report_input);
}
