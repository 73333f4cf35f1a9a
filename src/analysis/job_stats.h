/* SPDX-License-Identifier: Apache-2.0 */
/*
 * job_stats: distributions over the jobs of a thread: response, run time, period, jitter, deadlines.
 * docs/jobs.md defines them. Times are ticks. The caller frees the samples. One thread.
 */
#ifndef TRACETUI_ANALYSIS_JOB_STATS_H
#define TRACETUI_ANALYSIS_JOB_STATS_H

#include "tracetui/jobs.h"
#include "tracetui/stats.h"

/* Samples of the jobs of one thread. Starts as {0}. */
struct tt_job_samples {
    struct tt_samples response;
    struct tt_samples run;
    struct tt_samples period;
    uint64_t period_min;
    uint64_t period_min_at; /* end of that job */
    uint64_t misses;        /* responses longer than the deadline */
};

struct tt_job_numbers {
    struct tt_distribution response;
    struct tt_distribution run;
    struct tt_distribution period;
    uint64_t period_min;
    uint64_t jitter;    /* largest distance of a period from their median; */
    uint64_t jitter_at; /* end of the job with that period */
    uint64_t misses;
};

/* Adds a job; `deadline` 0: none. Returns false if out of memory. */
bool tt_job_samples_add(struct tt_job_samples *samples, const struct tt_job *job,
                        uint64_t deadline);
/*
 * Sets `jitter` and what else follows from the distribution of the periods, which must be complete.
 */
void tt_job_numbers_settle(struct tt_job_numbers *numbers, const struct tt_job_samples *samples);
void tt_job_samples_clear(struct tt_job_samples *samples);
void tt_job_samples_free(struct tt_job_samples *samples);

#endif
