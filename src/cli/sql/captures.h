/* SPDX-License-Identifier: Apache-2.0 */
/* captures: the captures of a session, opened and indexed several at a time. */
#ifndef TT_CLI_SQL_CAPTURES_H
#define TT_CLI_SQL_CAPTURES_H

#include "cli/input.h"

struct tt_sql_captures {
    struct tt_input *inputs; /* without readers of events */
    struct tt_status *opened;
    size_t count;
};

/*
 * Opens all FILEs and reports those that are unusable; *result is the worst exit status. Returns false if
 * none is usable, or out of memory.
 */
bool tt_sql_captures_open(struct tt_sql_captures *captures, const struct tt_options *options,
                          enum tt_exit *result);
void tt_sql_captures_close(struct tt_sql_captures *captures);

#endif
