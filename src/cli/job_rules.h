/* SPDX-License-Identifier: Apache-2.0 */
/*
 * job_rules: --job-ends and --deadline, resolved for a capture. One thread.
 */
#ifndef TT_CLI_JOB_RULES_H
#define TT_CLI_JOB_RULES_H

#include "cli/options.h"
#include "tracetui/capture.h"
#include "tracetui/jobs.h"

struct tt_job_rules {
    uint64_t ends;       /* job-ending states, see tt_job_ends_parse */
    uint64_t *deadlines; /* ticks by thread, 0: none; NULL: no --deadline */
    uint32_t count;      /* number of deadlines */
};

/* Reads both options. On failure nothing needs to be freed; else tt_job_rules_free. */
struct tt_status tt_job_rules_make(const struct tt_options *options, const struct tt_capture *c,
                                   struct tt_job_rules *rules);
void tt_job_rules_free(struct tt_job_rules *rules);

#endif
