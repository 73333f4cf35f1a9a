/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jobs: the deadlines and the job-ending states that the user set, and the jobs of the open capture
 * that missed their deadline:
 *
 *      |ready                 |deadline
 *      |<---- response ------------------->|end        late from the deadline to the end
 *
 * The misses are searched once per capture and setting, in steps, after indexing. One thread.
 */
#ifndef TRACETUI_TUI_MODEL_JOBS_H
#define TRACETUI_TUI_MODEL_JOBS_H

#include "filter/deadlines.h"
#include "tracetui/jobs.h"
#include "tracetui/trace.h"

#define TT_JOBS_TEXT   256u
#define TT_MISSES_MOST 200000u /* later ones are counted only */

struct tt_workspace;

struct tt_miss {
    uint64_t ready;
    uint64_t deadline; /* when the response was too long */
    uint64_t end;
    uint32_t thread;
};

struct tt_job_settings {
    char deadlines[TT_JOBS_TEXT]; /* as --deadline takes them; "": none */
    char ends[TT_JOBS_TEXT];      /* "kev:+MUTEX trx:SLEEP"; "": those of the formats */
    unsigned version;             /* changes with both */
    /* Of the open capture. */
    unsigned of_version;
    uint32_t of_threads; /* number of threads */
    uint32_t number;     /* of the timelines; 0: nothing is computed */
    uint64_t rows;
    struct tt_job_ends job_ends;
    struct tt_deadlines limits;
    struct tt_job_walk walk;
    bool walking;
    bool complete;
    bool failed;            /* out of memory */
    uint32_t next;          /* next thread to walk */
    uint64_t jobs;          /* of threads with a deadline */
    uint64_t missed;        /* of these */
    struct tt_miss *misses; /* by thread, then by time; at most TT_MISSES_MOST */
    size_t count;
    size_t capacity;
};

/*
 * Set the texts; on error they stay. "none" sets no deadlines, "default" the formats' own states.
 * Names without a thread are an error if `strict`.
 */
struct tt_status tt_jobs_set_deadlines(struct tt_workspace *ws, const char *text, bool strict);
struct tt_status tt_jobs_set_ends(struct tt_workspace *ws, const char *text);

/* Copies the states that end a job of the format, as --job-ends takes them; false if there are none of its own. */
bool tt_jobs_ends_of(const struct tt_job_settings *jobs, const struct tt_format *format,
                     char list[TT_JOBS_TEXT]);

/* Resolves the settings for the open capture, if it has changed; call it before they are read. */
void tt_jobs_refresh(struct tt_workspace *ws);
/* Continues the search for misses until `deadline_ns` (tt_now_ns); true when it is complete. */
bool tt_jobs_work(struct tt_workspace *ws, uint64_t deadline_ns);
/* Frees the results; call it before the capture is closed. */
void tt_jobs_drop(struct tt_job_settings *jobs);

/* Returns the first miss of a thread whose deadline is at or after `ticks`; NULL if there is none. */
const struct tt_miss *tt_jobs_miss_of(const struct tt_job_settings *jobs, uint32_t thread,
                                      uint64_t ticks);
/*
 * Goes to the next or previous miss from the cursor on, in Threads, with the response as selection;
 * after the last one the first. Sets a message.
 */
void tt_jobs_go_miss(struct tt_workspace *ws, bool forward);
/* Shows an interval of a thread in Threads: selected, with the cursor at `at`. */
void tt_jobs_show_interval(struct tt_workspace *ws, uint32_t thread, uint64_t from, uint64_t to,
                           uint64_t at);
/* Goes to a miss in the same way. */
void tt_jobs_show_miss(struct tt_workspace *ws, const struct tt_miss *miss);
/* Appends "3 of 16 jobs missed the deadline", with "so far" until the search is complete. */
void tt_jobs_write_counts(const struct tt_workspace *ws, struct tt_text *text);
/* Sets a message with the number of misses. */
void tt_jobs_report(struct tt_workspace *ws);

#endif
