/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet_jobs: rows of the jobs of threads. The sums come first, as for threads: they determine the
 * order of the rows. Then the lanes are walked one after the other.
 */
#include "table/builder.h"

uint64_t tt_stat_deadline_of(const struct tt_stat_builder *m, uint32_t thread)
{
    const struct tt_table_request *request = &m->request;
    return thread < request->deadline_limit && request->deadlines ? request->deadlines[thread] : 0;
}

/* Adds the row to the total, which has no percentiles and no periods. */
static void add_to_total(struct tt_stat_builder *m, const struct tt_job_numbers *j)
{
    struct tt_job_numbers *total = &tt_stat_builder_total(m)->j;
    const struct tt_distribution *from[] = {&j->response, &j->run};
    struct tt_distribution *to[] = {&total->response, &total->run};
    for (unsigned i = 0; i < 2; i++) {
        if (from[i]->count > 0 && (to[i]->count == 0 || from[i]->max > to[i]->max)) {
            to[i]->max = from[i]->max;
            to[i]->max_at = from[i]->max_at;
        }
        to[i]->count += from[i]->count;
        to[i]->sum += from[i]->sum;
        to[i]->p50 = to[i]->p95 = to[i]->p99 = TT_TABLE_NONE;
    }
    total->misses += j->misses;
}

/* Gathers the jobs of the open row. Returns PART if the work is used up first. */
static enum tt_made gather_jobs(struct tt_stat_builder *m)
{
    struct tt_job job;
    uint64_t deadline = tt_stat_deadline_of(m, m->open.thread);
    while (tt_job_walk_next(&m->jobs, &m->work, &job)) {
        if (tt_window_has_cpu(&m->request.window, job.cpu) &&
            !tt_job_samples_add(&m->job_samples, &job, deadline)) {
            return TT_MADE_NO_MEMORY;
        }
    }
    return tt_job_walk_ended(&m->jobs) ? TT_MADE_ALL : TT_MADE_PART;
}

/* Computes the distributions of the open row; returns false if the work is used up first. */
static bool settle_jobs(struct tt_stat_builder *m)
{
    struct tt_samples *const samples[] = {&m->job_samples.response, &m->job_samples.run,
                                          &m->job_samples.period};
    struct tt_distribution *const distributions[] = {&m->open.j.response, &m->open.j.run,
                                                     &m->open.j.period};
    for (; m->settling < sizeof samples / sizeof *samples; m->settling++) {
        if (!tt_samples_distribution_step(samples[m->settling], &m->selection, &m->work,
                                          distributions[m->settling])) {
            return false;
        }
    }
    m->settling = 0;
    m->open.settled = true;
    tt_job_numbers_settle(&m->open.j, &m->job_samples);
    add_to_total(m, &m->open.j);
    tt_job_samples_clear(&m->job_samples);
    return true;
}

static void open_row(struct tt_stat_builder *m)
{
    const struct tt_window *window = &m->request.window;
    tt_table_row_at(m->sheet, m->row, &m->open);
    tt_job_walk_begin(&m->jobs, m->t, m->capture, &m->request.job_ends, m->open.thread,
                      window->from, window->to);
    m->opened = true;
}

enum tt_made tt_make_jobs(struct tt_stat_builder *m)
{
    enum tt_made made = tt_sum_threads(m, false);
    if (made != TT_MADE_ALL) {
        return made;
    }
    for (; m->row < m->sheet->count; m->row++) {
        if (!m->opened) {
            open_row(m);
        }
        tt_job_walk_set_timelines(&m->jobs, m->t);
        made = gather_jobs(m);
        if (made != TT_MADE_ALL) {
            return made;
        }
        if (m->work == 0 || !settle_jobs(m)) {
            return TT_MADE_PART;
        }
        if (!tt_table_put(m->sheet, m->row, &m->open)) {
            return TT_MADE_NO_MEMORY;
        }
        m->opened = false;
    }
    return TT_MADE_ALL;
}
