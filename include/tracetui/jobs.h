/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jobs: the activations of a thread, folded from the intervals of its lane.
 *
 * A job begins when the thread becomes ready, or runs, after a job-ending state, and ends when it
 * enters one. The states that end jobs are marked by the format (TT_STATE_ENDS_JOB); the user may
 * replace the list. docs/jobs.md has the rules; the definition is Tracealyzer's actor instance.
 *
 *      RECEIVE ...| ready | RUNNING | ready | RUNNING | MUTEX | ready | RUNNING | RECEIVE ...
 *      ends jobs  ^ready  ^start                                               ^end
 *                 |startup|   run   |  ready by class |blocked|       |   run   |
 *
 * response = end - ready = run + irq + ready_sum + blocked, exactly. A job that is cut by an edge
 * of the capture or by a loss is not returned. Nothing is stored in the index: a walk costs one
 * step per interval, and per run a binary search for its interrupts.
 *
 * All times are ticks. The structs are plain data without pointers to memory of their own; each
 * belongs to one thread. The timelines that they read may grow.
 */
#ifndef TRACETUI_JOBS_H
#define TRACETUI_JOBS_H

#include "tracetui/timeline.h"

#define TT_JOB_UNKNOWN UINT64_MAX /* a time that the capture does not contain */

/* The occupants of the CPU while the thread of a job was ready. */
enum tt_job_ready {
    TT_JOB_READY_HIGHER, /* a more urgent thread */
    TT_JOB_READY_EQUAL,  /* an equally urgent one */
    TT_JOB_READY_LOWER,  /* a less urgent one */
    TT_JOB_READY_OTHER,  /* an interrupt, the kernel, nothing, or not recorded */
    TT_JOB_READY_COUNT
};

struct tt_job {
    uint32_t thread;
    uint16_t state;      /* the job-ending state that follows */
    uint16_t cpu;        /* of its last run */
    uint64_t ready;      /* when the thread became ready; `start` if it ran directly */
    uint64_t start;      /* when it ran first */
    uint64_t end;        /* when it entered the state */
    uint64_t run;        /* on a CPU, without interrupts */
    uint64_t irq;        /* interrupts during its runs */
    uint64_t ready_sum;  /* ready: startup and preemptions */
    uint64_t blocked;    /* waiting or stopped, in states that do not end jobs */
    uint64_t fragments;  /* number of runs, at least 1 */
    uint64_t separation; /* from the end of the previous job to `start`, or TT_JOB_UNKNOWN */
    uint64_t period;     /* from the start of the previous job to `start`, or TT_JOB_UNKNOWN */
    uint64_t ready_by[TT_JOB_READY_COUNT]; /* sums to ready_sum; zeros if not wanted */
};

static inline uint64_t tt_job_response(const struct tt_job *job)
{
    return job->end - job->ready;
}

static inline uint64_t tt_job_startup(const struct tt_job *job)
{
    return job->start - job->ready;
}

/* ---- job-ending states -------------------------------------------------------------------- */

/* A set of states of a capture, one bit per number. */
#define TT_JOB_STATES 256u

struct tt_job_ends {
    uint64_t bits[TT_JOB_STATES / 64];
};

static inline bool tt_job_ends_has(const struct tt_job_ends *ends, unsigned state)
{
    return state < TT_JOB_STATES && (ends->bits[state / 64] >> state % 64 & 1) != 0;
}

/*
 * Reads a list of state names, separated by commas or blanks, in any case: "RECEIVE,SEM" replaces
 * the format's own list; if each name has a sign, "+MUTEX -SEM", the list is changed. NULL: the
 * format's own. TT_ERR_USAGE if a name is not a state of the format; the message has the name. Of a merged
 * capture, a name is that of the states of all formats, and each format has its own list.
 */
struct tt_status tt_job_ends_parse(const struct tt_format *format, const char *text,
                                   struct tt_job_ends *ends);
/* Changes the states of one format, `own`, in a set of the states of `format`; `text` as above. */
struct tt_status tt_job_ends_change(const struct tt_format *format, const struct tt_format *own,
                                    const char *text, struct tt_job_ends *ends);

/* ---- a walk along one lane ---------------------------------------------------------------- */

struct tt_job_walk {
    const struct tt_timelines *t;
    const struct tt_capture *c;
    struct tt_job_ends ends; /* job-ending states */
    uint64_t from;           /* jobs that end in [from, to) */
    uint64_t to;
    bool by_class;  /* compute ready_by */
    uint8_t phase;  /* internal from here on */
    bool has_ready; /* `waiting` is to be added to the job */
    bool more;
    struct tt_interval_at at;
    struct tt_interval waiting; /* the current ready interval */
    uint64_t resume;            /* intervals that start before it are done */
    uint64_t last_end;          /* of the previous job */
    uint64_t last_start;        /* of the previous job */
    struct tt_job job;          /* the current job */
};

/*
 * Begins a walk over the jobs of a thread that end in [from, to). Searches backwards for the end of
 * the job that contains `from`.
 */
void tt_job_walk_begin(struct tt_job_walk *walk, const struct tt_timelines *timelines,
                       const struct tt_capture *capture, const struct tt_job_ends *ends,
                       uint32_t thread, uint64_t from, uint64_t to);
/* Continues with newer timelines of the same trace. */
void tt_job_walk_set_timelines(struct tt_job_walk *walk, const struct tt_timelines *timelines);
/*
 * Returns the next job, in order of time; false at the end, or when *work intervals are used up,
 * which are subtracted from *work. tt_job_walk_ended distinguishes the two.
 */
bool tt_job_walk_next(struct tt_job_walk *walk, uint64_t *work, struct tt_job *job);
static inline bool tt_job_walk_ended(const struct tt_job_walk *walk)
{
    return !walk->more;
}

#endif
