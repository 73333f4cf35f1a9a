/* SPDX-License-Identifier: Apache-2.0 */
/* info: the parts of the text that `info` prints. One thread. */
#ifndef TT_CLI_INFO_H
#define TT_CLI_INFO_H

#include "cli/input.h"

/* Bits; the parts are printed in this order. */
enum tt_info_part {
    TT_INFO_HEAD = 1,     /* format, number of events, time, clock, CPUs, threads */
    TT_INFO_FACTS = 2,    /* of the header */
    TT_INFO_COUNTS = 4,   /* classes and events */
    TT_INFO_HEALTH = 8,   /* deadlocks, damage, losses */
    TT_INFO_MISSING = 16, /* what was not recorded */
    TT_INFO_ALL = 31
};

/* Prints parts of the text for the options, or in JSON all of it. */
struct tt_status tt_info_print(const struct tt_options *options, struct tt_input *input,
                               unsigned parts, struct tt_output *out);

#endif
