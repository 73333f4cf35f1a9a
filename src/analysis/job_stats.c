/* SPDX-License-Identifier: Apache-2.0 */
#include "tracetui/job_stats.h"

bool tt_job_samples_add(struct tt_job_samples *s, const struct tt_job *job, uint64_t deadline)
{
    uint64_t response = tt_job_response(job);
    s->misses += deadline > 0 && response > deadline;
    if (!tt_samples_add(&s->response, response, job->end) ||
        !tt_samples_add(&s->run, job->run, job->end)) {
        return false;
    }
    if (job->period == TT_JOB_UNKNOWN) {
        return true;
    }
    if (s->period.count == 0 || job->period < s->period_min) {
        s->period_min = job->period;
        s->period_min_at = job->end;
    }
    return tt_samples_add(&s->period, job->period, job->end);
}

void tt_job_numbers_settle(struct tt_job_numbers *n, const struct tt_job_samples *s)
{
    n->misses = s->misses;
    n->period_min = s->period_min;
    n->jitter = n->jitter_at = 0;
    if (n->period.count > 0) {
        uint64_t above = n->period.max - n->period.p50, below = n->period.p50 - n->period_min;
        n->jitter = above >= below ? above : below;
        n->jitter_at = above >= below ? n->period.max_at : s->period_min_at;
    }
}

void tt_job_samples_clear(struct tt_job_samples *s)
{
    tt_samples_clear(&s->response);
    tt_samples_clear(&s->run);
    tt_samples_clear(&s->period);
    s->misses = s->period_min = s->period_min_at = 0;
}

void tt_job_samples_free(struct tt_job_samples *s)
{
    tt_samples_free(&s->response);
    tt_samples_free(&s->run);
    tt_samples_free(&s->period);
}
