/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jobs: the table of the jobs of threads. The run times come first: they determine the order of the rows.
 * Then the lanes are walked one after the other.
 */
#include <stdlib.h>

#include "analysis/job_stats.h"
#include "table/sums.h"

#define SUM_WORK 100u /* cost of sums and a search, in intervals */

struct job_row {
    struct tt_subject of;
    uint64_t settled;
    uint64_t ran; /* CPU time of the thread */
    struct tt_job_numbers j;
};

struct jobs {
    uint32_t thread, threads; /* excludes threads that are added later */
    bool listed;              /* all rows exist, in order */
    struct tt_run_order order;
    size_t row; /* whose jobs are gathered: `open`, if `opened` */
    bool opened;
    struct job_row open;
    struct tt_job_walk walk;
    struct tt_job_samples samples;
    unsigned settling; /* current one of its distributions */
    struct tt_selection selection;
};

/* Adds a row for each thread, the most run time first. */
static enum tt_made list_threads(struct tt_table_run *run, struct jobs *jobs)
{
    const struct tt_window *window = &run->request.window;
    if (!run->rows) {
        jobs->threads = tt_thread_count(run->capture);
        if (!tt_table_reserve(run, jobs->threads)) {
            return TT_MADE_NO_MEMORY;
        }
    }
    while (jobs->thread < jobs->threads) {
        if (tt_table_counts(run, jobs->thread)) {
            struct tt_thread_sums sums;
            struct job_row row;
            tt_table_clear_row(run->table, &row);
            row.of.thread = jobs->thread;
            row.of.process = tt_thread_at(run->capture, jobs->thread)->process;
            tt_thread_sum_prefetch(run->timelines, jobs->thread + TT_SUMS_AHEAD, window->from,
                                   window->to);
            tt_thread_sum_in(run->timelines, jobs->thread, window, &sums);
            row.ran = sums.ticks[TT_CLASS_RUNNING] - sums.irq;
            if (!tt_table_add(run, &row)) {
                return TT_MADE_NO_MEMORY;
            }
        }
        jobs->thread++;
        if (!tt_table_spend(run, SUM_WORK)) {
            return TT_MADE_PART;
        }
    }
    enum tt_made made = tt_run_order_step(&jobs->order, run, offsetof(struct job_row, ran));
    run->has_total = jobs->listed = made == TT_MADE_ALL;
    return made == TT_MADE_ALL && run->work == 0 ? TT_MADE_PART : made;
}

/* Computes the distributions of the open row; returns false if the work is used up first. */
static bool settle_jobs(struct tt_table_run *run, struct jobs *jobs)
{
    struct tt_job_numbers *numbers = &jobs->open.j, *total = &((struct job_row *)run->total)->j;
    struct tt_samples *const samples[] = {&jobs->samples.response, &jobs->samples.run,
                                          &jobs->samples.period};
    struct tt_distribution *const its[] = {&numbers->response, &numbers->run, &numbers->period};
    for (; jobs->settling < sizeof samples / sizeof *samples; jobs->settling++) {
        if (!tt_samples_distribution_step(samples[jobs->settling], &jobs->selection, &run->work,
                                          its[jobs->settling])) {
            return false;
        }
    }
    jobs->settling = 0;
    jobs->open.settled = 1;
    tt_job_numbers_settle(numbers, &jobs->samples);
    tt_distribution_add(&total->response, &numbers->response);
    tt_distribution_add(&total->run, &numbers->run);
    total->misses += numbers->misses;
    tt_job_samples_clear(&jobs->samples);
    return true;
}

static enum tt_made step_jobs(struct tt_table_run *run)
{
    struct jobs *jobs = run->state;
    const struct tt_window *window = &run->request.window;
    enum tt_made made = jobs->listed ? TT_MADE_ALL : list_threads(run, jobs);
    for (; made == TT_MADE_ALL && jobs->row < run->count; jobs->row++) {
        if (!jobs->opened) {
            tt_table_row_at(run, jobs->row, &jobs->open);
            tt_job_walk_begin(&jobs->walk, run->timelines, run->capture, &run->request.job_ends,
                              jobs->open.of.thread, window->from, window->to);
            jobs->opened = true;
        }
        tt_job_walk_set_timelines(&jobs->walk, run->timelines);
        struct tt_job job;
        uint64_t deadline = tt_table_deadline(&run->request, jobs->open.of.thread);
        while (tt_job_walk_next(&jobs->walk, &run->work, &job)) {
            if (tt_window_has_cpu(window, job.cpu) &&
                !tt_job_samples_add(&jobs->samples, &job, deadline)) {
                return TT_MADE_NO_MEMORY;
            }
        }
        if (!tt_job_walk_ended(&jobs->walk) || run->work == 0 || !settle_jobs(run, jobs)) {
            return TT_MADE_PART;
        }
        if (!tt_table_put(run, jobs->row, &jobs->open)) {
            return TT_MADE_NO_MEMORY;
        }
        jobs->opened = false;
    }
    return made;
}

static unsigned percent_of_jobs(const struct tt_table_run *run)
{
    const struct jobs *jobs = run->state;
    return jobs->listed ? tt_table_percent_of(jobs->row, run->count) : 0;
}

static void end_jobs(struct tt_table_run *run)
{
    struct jobs *jobs = run->state;
    tt_job_samples_free(&jobs->samples);
    free(jobs->order.keys);
}

#define ROW struct job_row
#define IN  j.

/* The largest difference of periods has a place of its own. */
static bool place_of_jitter(const struct tt_table_run *run, const struct tt_table_column *column,
                            const void *row, struct tt_table_place *place)
{
    const struct job_row *job = row;
    (void)run;
    place->at = job->j.jitter_at;
    place->length = job->j.jitter;
    place->what = "jitter";
    return (column->field == AT(j.jitter) || column->field == AT(j.jitter_at)) && job->settled &&
           job->j.period.count > 0;
}

/* clang-format off */
static const struct tt_table_column job_columns[] = {
    COLUMN("pid", NULL, LANE_PID, of.thread, SCREEN("", "pid", 10, 2), "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, of.thread, SCREEN("", "tid", 11, 3), "Number of the thread in its process."),
    COLUMN("thread", "thread", LANE_NAME, of.thread, SCREEN("", "thread", 0, 1), "Process, number and name of the thread.", .is_key = true),
    COUNT_OF("count", "jobs", response, SCREEN("", "jobs", 1, 4), "Jobs that end in the range.", .is_neutral = true, .compared = 1),
    MEAN_OF("response_mean", NULL, response, SCREEN("response", "mean", 6, 5), "Time from ready to the end of a job, the mean."),
    OF("response_p50", NULL, TIME_US, response, p50, SCREEN("response", "p50", 12, 6), "Time from ready to the end of a job, the median.", .compared = 2),
    OF("response_p99", NULL, TIME_US, response, p99, SCREEN("response", "p99", 5, 8), "Time from ready to the end of a job that 99 % do not exceed.", .compared = 3),
    OF("response_max", "response max", TIME_US, response, max, SCREEN("response", "max", 2, 9), "Time from ready to the end of a job, the longest."),
    OF("response_max_at", "at", AT, response, max_at, SCREEN("response", "at", 4, 10), "When the job with the longest response ended."),
    OF("run_p99", NULL, TIME_US, run, p99, SCREEN("run", "p99", 13, 12), "CPU time of a job that 99 % do not exceed.", .compared = 5),
    OF("run_max", "run max", TIME_US, run, max, SCREEN("run", "max", 3, 13), "CPU time of a job, the longest."),
    MEAN_OF("period_mean", NULL, period, SCREEN("period", "mean", 8, 15), "Time from one to the next, the mean.", .is_neutral = true, .compared = 6),
    BESIDE("period_min", NULL, TIME_US, period, j.period_min, SCREEN("period", "min", 14, 16), "Time from one to the next, the shortest.", .lost = TT_LOST_LESS),
    OF("period_max", NULL, TIME_US, period, max, SCREEN("period", "max", 15, 17), "Time from one to the next, the longest."),
    BESIDE("jitter", "jitter", TIME_US, period, j.jitter, SCREEN("period", "jitter", 7, 18), "Largest difference of two successive periods.", .lost = TT_LOST_EITHER),
    COLUMN("misses", "miss", COUNT, j.misses, SCREEN("", "missed", 9, 20), "Jobs that ended after their deadline."),
    OF("response_p95", NULL, TIME_US, response, p95, SCREEN("response", "p95", 16, 7), "Time from ready to the end of a job that 95 % do not exceed."),
    MEAN_OF("run_mean", NULL, run, SCREEN("run", "mean", 17, 11), "CPU time of a job, the mean.", .compared = 4),
    OF("run_max_at", NULL, AT, run, max_at, SCREEN("run", "at", 18, 14), "When the job with the most CPU time ended."),
    BESIDE("jitter_at", NULL, AT, period, j.jitter_at, SCREEN("period", "at", 19, 19), "When the job after that difference ended."),
};
/* clang-format on */

const struct tt_table tt_table_jobs = {
    NAMES("job", "Jobs", "The jobs of a thread.", "[thread]"),
    COLUMNS(job_columns),
    .of_lane = true,
    OF_ROW(struct job_row),
    .state_size = sizeof(struct jobs),
    .settled = offsetof(struct job_row, settled),
    .longest = {"response_max"},
    .filter = TT_FILTER_THREADS,
    .order = "response_max",
    .step = step_jobs,
    .percent = percent_of_jobs,
    .end = end_jobs,
    .place = place_of_jitter,
};
