/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report: one HTML page about a capture, for readers without the program.
 *
 *      capture --> info, stats, why, with the options of the report --> sections of a page
 *      worst delays --> painter --> pictures of lanes
 *
 * Every figure is computed and formatted by the command that prints it; this module only chooses
 * the rows. The painter draws with the code of the screen, on which the commands do not depend: the
 * caller supplies it. One thread.
 */
#ifndef TT_CLI_REPORT_REPORT_H
#define TT_CLI_REPORT_REPORT_H

#include "base/sink.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "tracetui/trace.h"

struct tt_why_item;

/* Draws the lanes around intervals as images of a page. */
struct tt_report_painter {
    /* Opens the pictures of a trace, which is indexed and outlives them. */
    struct tt_status (*open)(struct tt_trace *trace, void **pictures);
    struct tt_status (*draw)(void *pictures, const struct tt_why_item *item, struct tt_sink *sink);
    /* Writes the style sheet of all images drawn so far. */
    void (*rules)(const void *pictures, bool light, struct tt_sink *sink);
    void (*close)(void *pictures);
};

/* Writes the report of the file; options->painter NULL: without pictures. */
enum tt_exit tt_command_report(const struct tt_options *options);

/*
 * The same in steps, of a capture that is open. The options, with their texts, and the input outlive
 * the report; tt_report_page_end frees it, and writes the page to `out` unless that is NULL.
 */
struct tt_report_page;
struct tt_status tt_report_page_begin(const struct tt_options *options, struct tt_input *input,
                                      struct tt_report_page **made);
/* Adds the next section; returns false after the last one, or a failure. */
bool tt_report_page_step(struct tt_report_page *report);
/* Returns the part of the sections that are added. */
unsigned tt_report_page_percent(const struct tt_report_page *report);
struct tt_status tt_report_page_end(struct tt_report_page *report, struct tt_output *out);

#endif
