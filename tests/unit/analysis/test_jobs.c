/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Jobs of the samples: a window has the jobs of the whole capture that end in it, a walk in steps has
 * those of one call, and the lists of job-ending states.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/causes/wakes.h"
#include "analysis/job_stats.h"
#include "tracetui/format.h"
#include "tracetui/trace.h"

enum { JOBS_MOST = 4096 };

static struct tt_trace *open_sample(const char *path)
{
    struct tt_trace_options options = {0};
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(path, &options, &trace);
    cr_assert(!tt_failed(&status), "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status));
    return trace;
}

static struct tt_job_ends job_ends; /* states that end jobs */

static size_t list_jobs(struct tt_trace *trace, uint32_t thread, uint64_t from, uint64_t to,
                        uint64_t step, struct tt_job *jobs)
{
    const struct tt_timelines *t = tt_trace_timelines(trace);
    struct tt_capture *c = tt_trace_capture(trace);
    struct tt_job_walk walk;
    uint64_t work = step;
    size_t count = 0;
    tt_job_walk_begin(&walk, t, c, &job_ends, thread, from, to);
    walk.by_class = true;
    do {
        work = step;
        tt_job_walk_set_timelines(&walk, t);
        while (tt_job_walk_next(&walk, &work, &jobs[count])) {
            count++;
            cr_assert_lt(count, JOBS_MOST);
        }
    } while (!tt_job_walk_ended(&walk));
    return count;
}

static bool same_job(const struct tt_job *a, const struct tt_job *b)
{
    return a->thread == b->thread && a->state == b->state && a->cpu == b->cpu &&
           a->ready == b->ready && a->start == b->start && a->end == b->end && a->run == b->run &&
           a->irq == b->irq && a->ready_sum == b->ready_sum && a->blocked == b->blocked &&
           a->fragments == b->fragments && a->separation == b->separation &&
           a->period == b->period && memcmp(a->ready_by, b->ready_by, sizeof a->ready_by) == 0;
}

static void check_lane(struct tt_trace *trace, uint32_t thread)
{
    static struct tt_job all[JOBS_MOST], some[JOBS_MOST];
    size_t count = list_jobs(trace, thread, 0, UINT64_MAX, UINT64_MAX, all);
    cr_assert_eq(list_jobs(trace, thread, 0, UINT64_MAX, 1, some), count);
    for (size_t i = 0; i < count; i++) {
        const struct tt_job *j = &all[i];
        cr_assert(same_job(j, &some[i]), "in steps: job %zu of thread %u", i, thread);
        cr_assert_eq(tt_job_response(j), j->run + j->irq + j->ready_sum + j->blocked);
        cr_assert_eq(j->ready_sum,
                     j->ready_by[0] + j->ready_by[1] + j->ready_by[2] + j->ready_by[3]);
    }
    for (size_t i = 0; i < count; i++) {
        size_t found = list_jobs(trace, thread, all[i].end, all[i].end + 1, UINT64_MAX, some);
        cr_assert_eq(found, 1);
        cr_assert(same_job(&all[i], some), "alone: job %zu of thread %u", i, thread);
    }
    for (size_t first = 0; first < count; first += count / 5 + 1) {
        for (size_t last = first; last < count; last += count / 3 + 1) {
            uint64_t from = all[first].end, to = all[last].end + 1;
            cr_assert_eq(list_jobs(trace, thread, from, to, UINT64_MAX, some), last - first + 1);
            for (size_t i = first; i <= last; i++) {
                cr_assert(same_job(&all[i], &some[i - first]), "job %zu of %zu..%zu, thread %u", i,
                          first, last, thread);
            }
        }
    }
}

static void check_capture(const char *path)
{
    struct tt_trace *trace = open_sample(path);
    const struct tt_capture *c = tt_trace_capture(trace);
    struct tt_status status = tt_job_ends_parse(c->format, NULL, &job_ends);
    cr_assert(!tt_failed(&status));
    /* With all states of waiting, a state that ends jobs follows another one without a run. */
    for (unsigned every = 0; every < 2; every++) {
        for (uint32_t i = 0; i < tt_thread_count(c); i++) {
            check_lane(trace, i);
        }
        for (unsigned state = 0; state < c->format->state_count; state++) {
            bool blocked = tt_class_is_blocked(c->format->states[state].class_);
            job_ends.bits[state / 64] |= (uint64_t)blocked << state % 64;
        }
    }
    tt_trace_close(trace);
}

Test(jobs, of_a_window_and_in_steps)
{
    check_capture("samples/demo.kev");
    check_capture("samples/demo.fxt");
    check_capture("samples/demo.trx");
    check_capture("samples/demo.btrace");
}

Test(jobs, of_no_thread)
{
    struct tt_trace *trace = open_sample("samples/demo.kev");
    struct tt_job job;
    cr_assert_eq(list_jobs(trace, tt_thread_count(tt_trace_capture(trace)), 0, UINT64_MAX, 1, &job),
                 0);
    tt_trace_close(trace);
}

/* Returns the set of a list; QNX has less than 64 states. */
static uint64_t parse_list(const struct tt_format *format, const char *text)
{
    struct tt_job_ends ends;
    struct tt_status status = tt_job_ends_parse(format, text, &ends);
    cr_assert(!tt_failed(&status));
    return ends.bits[0];
}

Test(jobs, state_lists)
{
    struct tt_trace *trace = open_sample("samples/demo.kev");
    const struct tt_format *format = tt_trace_capture(trace)->format;
    struct tt_job_ends set;
    uint64_t own = parse_list(format, NULL), receive = parse_list(format, "RECEIVE");
    uint64_t sem = parse_list(format, "sem"), more = parse_list(format, "+MUTEX");
    cr_assert(receive && !(receive & (receive - 1)));
    cr_assert_neq(sem, receive);
    cr_assert_eq(parse_list(format, " RECEIVE, SEM "), receive | sem);
    cr_assert_eq(parse_list(format, "-RECEIVE,-SEM"), own & ~(receive | sem));
    cr_assert_eq(more & own, own);
    cr_assert_neq(more, own);
    const char *const bad[] = {"NONE",         "READY",        "RUNNING", "unknown",
                               "RECEIVE,+SEM", "+SEM,RECEIVE", "+",       "RECEIVES"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct tt_status status = tt_job_ends_parse(format, bad[i], &set);
        cr_assert_eq(status.code, TT_ERR_USAGE, "%s", bad[i]);
    }
    tt_trace_close(trace);
}

Test(jobs, jitter_is_the_largest_distance_from_the_median)
{
    struct tt_job_samples s = {0};
    struct tt_job_numbers n = {0};
    const uint64_t periods[] = {TT_JOB_UNKNOWN, 100, 103, 90, 104, 101};
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
        struct tt_job job = {
            .ready = 1000 * i, .end = 1000 * i + 10 + i, .run = i, .period = periods[i]};
        cr_assert(tt_job_samples_add(&s, &job, 12));
    }
    n.response = tt_samples_distribution(&s.response);
    n.run = tt_samples_distribution(&s.run);
    n.period = tt_samples_distribution(&s.period);
    tt_job_numbers_settle(&n, &s);
    cr_assert_eq(n.misses, 3);
    cr_assert_eq(n.period.p50, 101);
    cr_assert_eq(n.period_min, 90);
    cr_assert_eq(n.jitter, 11);
    cr_assert_eq(n.jitter_at, 3013);
    tt_job_samples_clear(&s);
    cr_assert_eq(s.misses, 0);
    tt_job_samples_free(&s);
}
