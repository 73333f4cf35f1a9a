/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jobs: folds the intervals of a lane into jobs.
 *
 *      phase    unknown --job-ending state--> between --ready or running--> job --job-ending--+
 *                  ^                             ^                           |                |
 *                  +----- loss, death, gap ------+---------------------------+ <--------------+
 */
#include "tracetui/jobs.h"

#include <string.h>
#include <strings.h>

#include "analysis/causes/ready.h"
#include "tracetui/format.h"

enum phase {
    PHASE_UNKNOWN, /* no job-ending state since the capture's begin, a loss or the thread's death */
    PHASE_BETWEEN, /* after a job-ending state */
    PHASE_JOB,
};

/* ---- job-ending states -------------------------------------------------------------------- */

static bool is_separator(char c)
{
    return c == ' ' || c == ',' || c == '\t';
}

/* Returns whether a state is one of `own` (NULL: of all formats). */
static bool jobs_is_of(const struct tt_format *format, unsigned state, const struct tt_format *own)
{
    const struct tt_format *of =
        format->states[state].format ? format->states[state].format : format;
    return !own || of == own;
}

static void jobs_set_state(struct tt_job_ends *ends, unsigned state, bool member)
{
    uint64_t bit = UINT64_C(1) << state % 64, *word = &ends->bits[state / 64];
    *word = member ? *word | bit : *word & ~bit;
}

/* Sets or removes the states of `own` (NULL: of all formats) with a name; false if it is none. */
static bool set_named(const struct tt_format *format, const struct tt_format *own, const char *name,
                      size_t length, bool member, struct tt_job_ends *ends)
{
    bool found = false;
    for (uint32_t i = 1; i < format->state_count && i < TT_JOB_STATES; i++) {
        const char *known = format->states[i].name;
        unsigned class_ = format->states[i].class_;
        if (known && strlen(known) == length && strncasecmp(known, name, length) == 0 &&
            class_ != TT_CLASS_RUNNING && class_ != TT_CLASS_READY && jobs_is_of(format, i, own)) {
            jobs_set_state(ends, i, member);
            found = true;
        }
    }
    return found;
}

struct tt_status tt_job_ends_change(const struct tt_format *format, const struct tt_format *own,
                                    const char *text, struct tt_job_ends *ends)
{
    bool any_plain = false, any_signed = false;

    /*
     * Sets the states of `own` (NULL: of all formats) to those that end a job as the format has it.
     */
    for (uint32_t i = 1; i < format->state_count && i < TT_JOB_STATES; i++) {
        if (jobs_is_of(format, i, own)) {
            jobs_set_state(ends, i, (format->states[i].flags & TT_STATE_ENDS_JOB) != 0);
        }
    }

    for (const char *p = text ? text : ""; *p;) {
        if (is_separator(*p)) {
            p++;
            continue;
        }
        bool sign = *p == '+' || *p == '-', remove = *p == '-';
        const char *name = p += sign;
        while (*p && !is_separator(*p)) {
            p++;
        }
        if (!sign && !any_plain) {
            for (uint32_t i = 1; i < format->state_count && i < TT_JOB_STATES; i++) {
                if (jobs_is_of(format, i, own)) {
                    jobs_set_state(ends, i, false);
                }
            }
        }
        any_signed |= sign;
        any_plain |= !sign;
        if (any_plain && any_signed) {
            return tt_error(TT_ERR_USAGE, "all states have a sign (+ or -), or none");
        }
        if (!set_named(format, own, name, (size_t)(p - name), !remove, ends)) {
            return tt_error(TT_ERR_USAGE, "'%.*s' is no state of a %s in which a job can end",
                            p - name < 40 ? (int)(p - name) : 40, name,
                            (own ? own : format)->title);
        }
    }
    return tt_ok();
}

struct tt_status tt_job_ends_parse(const struct tt_format *format, const char *text,
                                   struct tt_job_ends *ends)
{
    memset(ends, 0, sizeof *ends);
    return tt_job_ends_change(format, NULL, text, ends);
}

/* ---- the fold ----------------------------------------------------------------------------- */

static bool ends_job(const struct tt_job_walk *walk, const struct tt_interval *interval)
{
    return tt_job_ends_has(&walk->ends, interval->state);
}

/*
 * Adds the time in a ready interval by the occupant of the CPU; `run`: the run that follows, or
 * NULL.
 */
static void charge_ready(struct tt_job_walk *walk, const struct tt_interval *run)
{
    const struct tt_interval *interval = &walk->waiting;
    struct tt_ready_walk ready = {.t = walk->t,
                                  .c = walk->c,
                                  .thread = interval->thread,
                                  .cpu = run ? run->cpu : interval->cpu,
                                  .at = interval->start,
                                  .to = interval->end};
    struct tt_ready_piece piece;
    while (tt_ready_next(&ready, &piece)) {
        enum tt_job_ready by = piece.cause == TT_CAUSE_HIGHER  ? TT_JOB_READY_HIGHER
                               : piece.cause == TT_CAUSE_EQUAL ? TT_JOB_READY_EQUAL
                               : piece.cause == TT_CAUSE_LOWER ? TT_JOB_READY_LOWER
                                                               : TT_JOB_READY_OTHER;
        walk->job.ready_by[by] += piece.to - piece.from;
    }
}

static void jobs_add_run(struct tt_job_walk *walk, const struct tt_interval *interval)
{
    struct tt_job *job = &walk->job;
    uint64_t irq = tt_cpu_irq(walk->t, interval->cpu, interval->start, interval->end);
    job->irq += irq;
    job->run += interval->end - interval->start - irq;
    job->fragments++;
    job->cpu = interval->cpu;
    if (job->start == TT_JOB_UNKNOWN) {
        job->start = interval->start;
        job->separation =
            walk->last_end != TT_JOB_UNKNOWN ? job->start - walk->last_end : TT_JOB_UNKNOWN;
        job->period =
            walk->last_start != TT_JOB_UNKNOWN ? job->start - walk->last_start : TT_JOB_UNKNOWN;
    }
}

static void jobs_forget(struct tt_job_walk *walk)
{
    walk->phase = PHASE_UNKNOWN;
    walk->last_end = walk->last_start = TT_JOB_UNKNOWN;
}

/* Handles an interval; returns whether walk->job ended where it starts. */
static bool jobs_pass(struct tt_job_walk *walk, const struct tt_interval *interval)
{
    bool known = !interval->since_before && !interval->cut_before;
    if (walk->has_ready && walk->by_class && walk->phase == PHASE_JOB) {
        charge_ready(walk, interval->class_ == TT_CLASS_RUNNING ? interval : NULL);
    }
    walk->has_ready = false;
    if (ends_job(walk, interval)) {
        /* Handles a job-ending state. */
        bool is_job = known && walk->phase == PHASE_JOB && walk->job.start != TT_JOB_UNKNOWN;
        if (is_job) {
            walk->job.end = interval->start;
            walk->job.state = interval->state;
            walk->last_end = interval->start;
            walk->last_start = walk->job.start;
        } else if (!known || walk->phase == PHASE_UNKNOWN) {
            walk->last_start = TT_JOB_UNKNOWN;
            walk->last_end = known ? interval->start : TT_JOB_UNKNOWN;
        }
        walk->phase = PHASE_BETWEEN;
        return is_job;
    }
    if (interval->class_ == TT_CLASS_UNKNOWN || interval->class_ == TT_CLASS_DEAD || !known) {
        jobs_forget(walk);
        return false;
    }
    bool active = interval->class_ == TT_CLASS_READY || interval->class_ == TT_CLASS_RUNNING;
    if (walk->phase == PHASE_BETWEEN && active) {
        walk->phase = PHASE_JOB;
        walk->job = (struct tt_job){.thread = interval->thread,
                                    .cpu = TT_NO_CPU,
                                    .ready = interval->start,
                                    .start = TT_JOB_UNKNOWN,
                                    .separation = TT_JOB_UNKNOWN,
                                    .period = TT_JOB_UNKNOWN};
    }
    if (walk->phase == PHASE_JOB && interval->class_ == TT_CLASS_RUNNING) {
        jobs_add_run(walk, interval);
    } else if (walk->phase == PHASE_JOB && interval->class_ == TT_CLASS_READY) {
        walk->job.ready_sum += interval->end - interval->start;
        walk->waiting = *interval;
        walk->has_ready = true;
    } else if (walk->phase == PHASE_JOB) {
        walk->job.blocked += interval->end - interval->start;
    }
    return false;
}

/* ---- the walk ----------------------------------------------------------------------------- */

/*
 * Moves back over the job that contains `from` and the one before it, whose start and end the next
 * jobs refer to.
 */
static void jobs_step_back(const struct tt_job_walk *walk, struct tt_interval_at *at)
{
    struct tt_interval_at before = *at;
    bool ran = false;
    for (unsigned jobs = 0; jobs < 2 && tt_interval_previous(walk->t, &before);) {
        *at = before;
        struct tt_interval i = tt_interval_get(walk->t, before);
        if (i.class_ == TT_CLASS_UNKNOWN) {
            return;
        }
        if (i.class_ == TT_CLASS_RUNNING) {
            ran = true;
        } else if (ends_job(walk, &i)) {
            jobs += ran;
            ran = false;
        }
    }
}

void tt_job_walk_begin(struct tt_job_walk *walk, const struct tt_timelines *timelines,
                       const struct tt_capture *capture, const struct tt_job_ends *ends,
                       uint32_t thread, uint64_t from, uint64_t to)
{
    *walk =
        (struct tt_job_walk){.t = timelines, .c = capture, .ends = *ends, .from = from, .to = to};
    jobs_forget(walk);
    walk->more = tt_interval_find(timelines, thread, from, &walk->at) ||
                 tt_interval_first(timelines, thread, &walk->at);
    if (walk->more) {
        jobs_step_back(walk, &walk->at);
        walk->resume = tt_interval_get(timelines, walk->at).start;
    }
    walk->job.thread = thread;
}

void tt_job_walk_set_timelines(struct tt_job_walk *walk, const struct tt_timelines *timelines)
{
    if (walk->t != timelines && walk->more) {
        walk->t = timelines;
        walk->more = tt_interval_find(timelines, walk->job.thread, walk->resume, &walk->at) ||
                     tt_interval_first(timelines, walk->job.thread, &walk->at);
    }
}

bool tt_job_walk_next(struct tt_job_walk *walk, uint64_t *work, struct tt_job *job)
{
    while (walk->more && *work > 0) {
        struct tt_interval i = tt_interval_get(walk->t, walk->at);
        if (i.start >= walk->to) {
            walk->more = false;
            break;
        }
        bool ended = jobs_pass(walk, &i);
        --*work;
        walk->more = tt_interval_next(walk->t, &walk->at);
        walk->resume = i.end;
        if (ended && i.start >= walk->from) {
            *job = walk->job;
            return true;
        }
    }
    return false;
}
