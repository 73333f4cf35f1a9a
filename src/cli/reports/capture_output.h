/* SPDX-License-Identifier: Apache-2.0 */
/*
 * capture_output: the output of the commands that write a capture, which is not text. One thread.
 */
#ifndef TRACETUI_CLI_REPORTS_CAPTURE_OUTPUT_H
#define TRACETUI_CLI_REPORTS_CAPTURE_OUTPUT_H

#include "cli/commands.h"
#include "cli/event_selection.h"
#include "tracetui/event_subset.h"

/*
 * Sets *subset to the events that the command line selects, without the range. The caller frees
 * *matches, also after an error, if it was NULL before.
 */
struct tt_status tt_capture_output_select(const struct tt_event_selection *pick,
                                          struct tt_input *input, struct tt_filter_result **matches,
                                          struct tt_event_subset *subset);
/* Writes to `arg`, a struct tt_output; false if it failed or was closed. */
bool tt_capture_output_write(void *arg, const char *bytes, size_t length);

/*
 * Writes each FILE, unless the output would go to a terminal without -o; `command` is for the
 * message.
 */
enum tt_exit tt_capture_output_each(const struct tt_options *options, const char *command,
                                    tt_input_work *write);

#endif
