/* SPDX-License-Identifier: Apache-2.0 */
/*
 * conditions: statistics of named filters: stats --condition NAME=FILTER.
 *
 * A row per condition, or, with -n, per condition and part of the range. docs/metrics.md defines the
 * keys.
 */
#ifndef TRACETUI_CLI_REPORTS_CONDITIONS_H
#define TRACETUI_CLI_REPORTS_CONDITIONS_H

#include "cli/commands.h"

/* Prints the conditions of each file. */
enum tt_exit tt_command_conditions(const struct tt_options *options);

#endif
