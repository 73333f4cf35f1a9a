/* SPDX-License-Identifier: Apache-2.0 */
/* tables: the tables of a report: the first rows of `stats`, a section per table. One thread. */
#ifndef TT_CLI_REPORT_TABLES_H
#define TT_CLI_REPORT_TABLES_H

#include "cli/input.h"
#include "cli/report/page.h"

/* Returns how many tables a report has. */
unsigned tt_report_tables(void);
/* Adds a section with the table of this number, if it has rows. */
struct tt_status tt_report_add_table(struct tt_page *page, const struct tt_options *options,
                                     struct tt_input *input, unsigned number);

#endif
