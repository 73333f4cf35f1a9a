/* SPDX-License-Identifier: Apache-2.0 */
/*
 * job_rules: --job-ends and --deadline, resolved for a capture. One thread.
 */
#ifndef TT_CLI_JOB_RULES_H
#define TT_CLI_JOB_RULES_H

#include "cli/options.h"
#include "filter/deadlines.h"
#include "tracetui/capture.h"
#include "tracetui/jobs.h"

struct tt_job_rules {
    struct tt_job_ends ends;       /* job-ending states, see tt_job_ends_parse */
    struct tt_deadlines deadlines; /* without any: no --deadline */
};

/*
 * Reads both options. On success the caller frees them with tt_job_rules_free; on failure nothing
 * needs to be freed.
 */
struct tt_status tt_job_rules_make(const struct tt_options *options,
                                   const struct tt_capture *capture, struct tt_job_rules *rules);
void tt_job_rules_free(struct tt_job_rules *rules);

#endif
