/* SPDX-License-Identifier: Apache-2.0 */
/* findings: the first section of the report, what is unusual in the capture. One thread. */
#ifndef TT_CLI_REPORT_FINDINGS_H
#define TT_CLI_REPORT_FINDINGS_H

#include "cli/input.h"
#include "cli/report/page.h"

/* Adds a line per finding: health, missed deadlines, inversions, the worst delay, message and response. */
struct tt_status tt_report_add_findings(struct tt_page *page, const struct tt_options *options,
                                        struct tt_input *input);

#endif
