/* SPDX-License-Identifier: Apache-2.0 */
/* merged: --merge, which makes one capture of all files of the command line. One thread. */
#ifndef TT_CLI_MERGE_MERGED_H
#define TT_CLI_MERGE_MERGED_H

#include "cli/message.h"
#include "cli/options.h"

struct tt_merged {
    struct tt_merge_plan *plan;
    char *title; /* "a.kev + b.fxt" */
};

/*
 * With --merge, makes the plan, and leaves one file in `options`: the names of the captures. Reports an
 * error and returns false, with nothing to free. Without --merge does nothing.
 */
bool tt_merged_prepare(struct tt_options *options, struct tt_merged *merged);
/* Frees the plan; `options` may not be used any more. */
void tt_merged_free(struct tt_merged *merged);

#endif
