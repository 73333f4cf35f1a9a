/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options_check: whether the options of a command line can be used together. The errors are
 * TT_ERR_USAGE. Any thread.
 */
#ifndef TT_CLI_OPTIONS_CHECK_H
#define TT_CLI_OPTIONS_CHECK_H

#include "cli/options.h"

/* Checks the instants of `at`. */
struct tt_status tt_options_check_whens(const struct tt_options *options);
/* Checks all other combinations; there is at least one file. */
struct tt_status tt_options_check(const struct tt_options *options);

#endif
