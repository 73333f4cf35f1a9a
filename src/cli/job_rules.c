/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/job_rules.h"

struct tt_status tt_job_rules_make(const struct tt_options *options,
                                   const struct tt_capture *capture, struct tt_job_rules *rules)
{
    *rules = (struct tt_job_rules){0};
    struct tt_status status = tt_job_ends_parse(capture->format, options->job_ends, &rules->ends);
    if (tt_failed(&status)) {
        return tt_status_context(status, "--job-ends");
    }
    if (options->deadlines) {
        status = tt_deadlines_parse(capture, options->deadlines, false, &rules->deadlines);
    }
    return tt_failed(&status) ? tt_status_context(status, "--deadline") : tt_ok();
}

void tt_job_rules_free(struct tt_job_rules *rules)
{
    tt_deadlines_free(&rules->deadlines);
}
