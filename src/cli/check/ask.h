/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ask: `check --explain` on a terminal: a prompt for rules with Tab completion; each rule is explained as
 * `check --explain --rule` does. One thread.
 */
#ifndef TT_CLI_CHECK_ASK_H
#define TT_CLI_CHECK_ASK_H

#include "check/check_report.h"
#include "cli/input.h"

/* Explains rules until the input ends. `input`: a capture, or NULL; `path`: its name. */
struct tt_status tt_check_ask(const struct tt_options *options, const struct tt_input *input,
                              const char *path);

#endif
