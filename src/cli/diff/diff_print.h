/* SPDX-License-Identifier: Apache-2.0 */
/* diff_print: prints the changes of a diff as a table, CSV or JSON lines. One thread. */
#ifndef TT_CLI_DIFF_DIFF_PRINT_H
#define TT_CLI_DIFF_DIFF_PRINT_H

#include "cli/options.h"
#include "cli/output.h"
#include "compare/comparison.h"

/* Prints a complete diff; with options->all also the values that did not change. */
struct tt_status tt_comparison_print(const struct tt_comparison *diff,
                                     const struct tt_options *options, const struct tt_table *table,
                                     struct tt_output *out);

#endif
