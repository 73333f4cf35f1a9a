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
static bool is_of(const struct tt_format *f, unsigned state, const struct tt_format *own)
{
    const struct tt_format *of = f->states[state].format ? f->states[state].format : f;
    return !own || of == own;
}

static void set_state(struct tt_job_ends *ends, unsigned state, bool member)
{
    uint64_t bit = UINT64_C(1) << state % 64, *word = &ends->bits[state / 64];
    *word = member ? *word | bit : *word & ~bit;
}

/* Sets the states of `own` (NULL: of all formats) to those that end a job as the format has it. */
static void set_listed(const struct tt_format *f, const struct tt_format *own,
                       struct tt_job_ends *ends)
{
    for (uint32_t i = 1; i < f->state_count && i < TT_JOB_STATES; i++) {
        if (is_of(f, i, own)) {
            set_state(ends, i, (f->states[i].flags & TT_STATE_ENDS_JOB) != 0);
        }
    }
}

/* Sets or removes the states of `own` (NULL: of all formats) with a name; false if it is none. */
static bool set_named(const struct tt_format *f, const struct tt_format *own, const char *name,
                      size_t length, bool member, struct tt_job_ends *ends)
{
    bool found = false;
    for (uint32_t i = 1; i < f->state_count && i < TT_JOB_STATES; i++) {
        const char *known = f->states[i].name;
        unsigned class_ = f->states[i].class_;
        if (known && strlen(known) == length && strncasecmp(known, name, length) == 0 &&
            class_ != TT_CLASS_RUNNING && class_ != TT_CLASS_READY && is_of(f, i, own)) {
            set_state(ends, i, member);
            found = true;
        }
    }
    return found;
}

static void remove_states(const struct tt_format *f, const struct tt_format *own,
                          struct tt_job_ends *ends)
{
    for (uint32_t i = 1; i < f->state_count && i < TT_JOB_STATES; i++) {
        if (is_of(f, i, own)) {
            set_state(ends, i, false);
        }
    }
}

struct tt_status tt_job_ends_change(const struct tt_format *format, const struct tt_format *own,
                                    const char *text, struct tt_job_ends *ends)
{
    bool any_plain = false, any_signed = false;
    set_listed(format, own, ends);
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
            remove_states(format, own, ends);
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

static bool ends_job(const struct tt_job_walk *w, const struct tt_interval *i)
{
    return tt_job_ends_has(&w->ends, i->state);
}

/*
 * Adds the time in a ready interval by the occupant of the CPU; `run`: the run that follows, or
 * NULL.
 */
static void charge_ready(struct tt_job_walk *w, const struct tt_interval *run)
{
    const struct tt_interval *i = &w->waiting;
    struct tt_ready_walk ready = {.t = w->t,
                                  .c = w->c,
                                  .thread = i->thread,
                                  .cpu = run ? run->cpu : i->cpu,
                                  .at = i->start,
                                  .to = i->end};
    struct tt_ready_piece piece;
    while (tt_ready_next(&ready, &piece)) {
        enum tt_job_ready by = piece.cause == TT_CAUSE_HIGHER  ? TT_JOB_READY_HIGHER
                               : piece.cause == TT_CAUSE_EQUAL ? TT_JOB_READY_EQUAL
                               : piece.cause == TT_CAUSE_LOWER ? TT_JOB_READY_LOWER
                                                               : TT_JOB_READY_OTHER;
        w->job.ready_by[by] += piece.to - piece.from;
    }
}

static void begin_job(struct tt_job_walk *w, const struct tt_interval *i)
{
    w->phase = PHASE_JOB;
    w->job = (struct tt_job){.thread = i->thread,
                             .cpu = TT_NO_CPU,
                             .ready = i->start,
                             .start = TT_JOB_UNKNOWN,
                             .separation = TT_JOB_UNKNOWN,
                             .period = TT_JOB_UNKNOWN};
}

static void add_run(struct tt_job_walk *w, const struct tt_interval *i)
{
    struct tt_job *job = &w->job;
    uint64_t irq = tt_cpu_irq(w->t, i->cpu, i->start, i->end);
    job->irq += irq;
    job->run += i->end - i->start - irq;
    job->fragments++;
    job->cpu = i->cpu;
    if (job->start == TT_JOB_UNKNOWN) {
        job->start = i->start;
        job->separation = w->last_end != TT_JOB_UNKNOWN ? job->start - w->last_end : TT_JOB_UNKNOWN;
        job->period = w->last_start != TT_JOB_UNKNOWN ? job->start - w->last_start : TT_JOB_UNKNOWN;
    }
}

static void forget(struct tt_job_walk *w)
{
    w->phase = PHASE_UNKNOWN;
    w->last_end = w->last_start = TT_JOB_UNKNOWN;
}

/* Handles a job-ending state; returns whether it ends a job. */
static bool end_job(struct tt_job_walk *w, const struct tt_interval *i, bool known)
{
    bool is_job = known && w->phase == PHASE_JOB && w->job.start != TT_JOB_UNKNOWN;
    if (is_job) {
        w->job.end = i->start;
        w->job.state = i->state;
        w->last_end = i->start;
        w->last_start = w->job.start;
    } else if (!known || w->phase == PHASE_UNKNOWN) {
        w->last_start = TT_JOB_UNKNOWN;
        w->last_end = known ? i->start : TT_JOB_UNKNOWN;
    }
    w->phase = PHASE_BETWEEN;
    return is_job;
}

/* Handles an interval; returns whether w->job ended where it starts. */
static bool pass(struct tt_job_walk *w, const struct tt_interval *i)
{
    bool known = !i->since_before && !i->cut_before;
    if (w->has_ready && w->by_class && w->phase == PHASE_JOB) {
        charge_ready(w, i->class_ == TT_CLASS_RUNNING ? i : NULL);
    }
    w->has_ready = false;
    if (ends_job(w, i)) {
        return end_job(w, i, known);
    }
    if (i->class_ == TT_CLASS_UNKNOWN || i->class_ == TT_CLASS_DEAD || !known) {
        forget(w);
        return false;
    }
    bool active = i->class_ == TT_CLASS_READY || i->class_ == TT_CLASS_RUNNING;
    if (w->phase == PHASE_BETWEEN && active) {
        begin_job(w, i);
    }
    if (w->phase == PHASE_JOB && i->class_ == TT_CLASS_RUNNING) {
        add_run(w, i);
    } else if (w->phase == PHASE_JOB && i->class_ == TT_CLASS_READY) {
        w->job.ready_sum += i->end - i->start;
        w->waiting = *i;
        w->has_ready = true;
    } else if (w->phase == PHASE_JOB) {
        w->job.blocked += i->end - i->start;
    }
    return false;
}

/* ---- the walk ----------------------------------------------------------------------------- */

/*
 * Moves back over the job that contains `from` and the one before it, whose start and end the next
 * jobs refer to.
 */
static void step_back(const struct tt_job_walk *w, struct tt_interval_at *at)
{
    struct tt_interval_at before = *at;
    bool ran = false;
    for (unsigned jobs = 0; jobs < 2 && tt_interval_previous(w->t, &before);) {
        *at = before;
        struct tt_interval i = tt_interval_get(w->t, before);
        if (i.class_ == TT_CLASS_UNKNOWN) {
            return;
        }
        if (i.class_ == TT_CLASS_RUNNING) {
            ran = true;
        } else if (ends_job(w, &i)) {
            jobs += ran;
            ran = false;
        }
    }
}

void tt_job_walk_begin(struct tt_job_walk *w, const struct tt_timelines *t,
                       const struct tt_capture *c, const struct tt_job_ends *ends, uint32_t thread,
                       uint64_t from, uint64_t to)
{
    *w = (struct tt_job_walk){.t = t, .c = c, .ends = *ends, .from = from, .to = to};
    forget(w);
    w->more = tt_interval_find(t, thread, from, &w->at) || tt_interval_first(t, thread, &w->at);
    if (w->more) {
        step_back(w, &w->at);
        w->resume = tt_interval_get(t, w->at).start;
    }
    w->job.thread = thread;
}

void tt_job_walk_set_timelines(struct tt_job_walk *w, const struct tt_timelines *t)
{
    if (w->t != t && w->more) {
        w->t = t;
        w->more = tt_interval_find(t, w->job.thread, w->resume, &w->at) ||
                  tt_interval_first(t, w->job.thread, &w->at);
    }
}

bool tt_job_walk_next(struct tt_job_walk *w, uint64_t *work, struct tt_job *job)
{
    while (w->more && *work > 0) {
        struct tt_interval i = tt_interval_get(w->t, w->at);
        if (i.start >= w->to) {
            w->more = false;
            break;
        }
        bool ended = pass(w, &i);
        --*work;
        w->more = tt_interval_next(w->t, &w->at);
        w->resume = i.end;
        if (ended && i.start >= w->from) {
            *job = w->job;
            return true;
        }
    }
    return false;
}
