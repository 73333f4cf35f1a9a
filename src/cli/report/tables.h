/* SPDX-License-Identifier: Apache-2.0 */
/* tables: the tables of a report: the first rows of `stats`, a section per table. One thread. */
#ifndef TT_CLI_REPORT_TABLES_H
#define TT_CLI_REPORT_TABLES_H

#include "cli/input.h"
#include "cli/report/page.h"

/* Adds a section for each table that has rows. */
struct tt_status tt_report_add_tables(struct tt_page *page, const struct tt_options *options,
                                      struct tt_input *input);

#endif
