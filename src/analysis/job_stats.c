/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/job_stats.h"

bool tt_job_samples_add(struct tt_job_samples *samples, const struct tt_job *job, uint64_t deadline)
{
    uint64_t response = tt_job_response(job);
    samples->misses += deadline > 0 && response > deadline;
    if (!tt_samples_add(&samples->response, response, job->end) ||
        !tt_samples_add(&samples->run, job->run, job->end)) {
        return false;
    }
    if (job->period == TT_JOB_UNKNOWN) {
        return true;
    }
    if (samples->period.count == 0 || job->period < samples->period_min) {
        samples->period_min = job->period;
        samples->period_min_at = job->end;
    }
    return tt_samples_add(&samples->period, job->period, job->end);
}

void tt_job_numbers_settle(struct tt_job_numbers *numbers, const struct tt_job_samples *samples)
{
    numbers->misses = samples->misses;
    numbers->period_min = samples->period_min;
    numbers->jitter = numbers->jitter_at = 0;
    if (numbers->period.count > 0) {
        uint64_t above = numbers->period.max - numbers->period.p50,
                 below = numbers->period.p50 - numbers->period_min;
        numbers->jitter = above >= below ? above : below;
        numbers->jitter_at = above >= below ? numbers->period.max_at : samples->period_min_at;
    }
}

void tt_job_samples_clear(struct tt_job_samples *samples)
{
    tt_samples_clear(&samples->response);
    tt_samples_clear(&samples->run);
    tt_samples_clear(&samples->period);
    samples->misses = samples->period_min = samples->period_min_at = 0;
}

void tt_job_samples_free(struct tt_job_samples *samples)
{
    tt_samples_free(&samples->response);
    tt_samples_free(&samples->run);
    tt_samples_free(&samples->period);
}
