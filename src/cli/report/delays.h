/* SPDX-License-Identifier: Apache-2.0 */
/* delays: the worst delays of a report, with their explanations and lanes. One thread. */
#ifndef TT_CLI_REPORT_DELAYS_H
#define TT_CLI_REPORT_DELAYS_H

#include "cli/input.h"
#include "cli/report/page.h"
#include "cli/report/report.h"

/* Adds a section with the worst intervals of a kind (enum tt_late), and their pictures. */
struct tt_status tt_report_add_worst(struct tt_page *page, const struct tt_options *options,
                                     struct tt_input *input, int kind,
                                     const struct tt_report_painter *painter, void *pictures);

#endif
