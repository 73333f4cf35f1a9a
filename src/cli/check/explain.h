/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain: prints the selections of rules in a capture, and the words for writing rules. One
 * thread.
 */
#ifndef TT_CLI_CHECK_EXPLAIN_H
#define TT_CLI_CHECK_EXPLAIN_H

#include "check/check_report.h"
#include "cli/output.h"

/* Prints, for each rule, its measure, its selector, and what it selects in each capture. */
void tt_check_print_rules(const struct tt_rules *rules, struct tt_check_report *report);
/* Prints the measures of each selector, and the names in a capture (NULL: none). */
void tt_check_print_words(const struct tt_capture *capture, struct tt_output *out);

#endif
