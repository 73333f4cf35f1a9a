/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/model/jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "tracetui/event_line.h"
#include "tracetui/format.h"
#include "tracetui/merge.h"
#include "tui/input/view_list.h"
#include "tui/model/workspace.h"

#define STEP      20000u              /* intervals between two looks at the clock */
#define REPORT_NS UINT64_C(300000000) /* time to search for misses before a message */

/* ---- settings ----------------------------------------------------------------------------- */

static struct tt_status jobs_set_text(struct tt_job_settings *jobs, char *to, const char *text)
{
    if (strlen(text) >= TT_JOBS_TEXT) {
        return tt_error(TT_ERR_USAGE, "longer than %u bytes", TT_JOBS_TEXT - 1);
    }
    if (strcmp(to, text) != 0) {
        snprintf(to, TT_JOBS_TEXT, "%s", text);
        jobs->version++;
    }
    return tt_ok();
}

struct tt_status tt_jobs_set_deadlines(struct tt_workspace *ws, const char *text, bool strict)
{
    struct tt_deadlines parsed = {0};
    struct tt_status status = tt_ok();
    text = strcmp(text, "none") == 0 ? "" : text;
    if (text[0]) {
        status = tt_deadlines_parse(ws->opened.capture, text, !strict, &parsed);
        tt_deadlines_free(&parsed);
    }
    return tt_failed(&status) ? status : jobs_set_text(&ws->jobs, ws->jobs.deadlines, text);
}

bool tt_jobs_ends_of(const struct tt_job_settings *jobs, const struct tt_format *format,
                     char list[TT_JOBS_TEXT])
{
    size_t name = strlen(format->name);
    for (const char *text = jobs->ends; *text;) {
        size_t length = strcspn(text, " ");
        if (length > name && text[name] == ':' && memcmp(text, format->name, name) == 0) {
            snprintf(list, TT_JOBS_TEXT, "%.*s", (int)(length - name - 1), text + name + 1);
            return true;
        }
        text += length;
        text += strspn(text, " ");
    }
    return false;
}

/* Checks one entry of a list of job-ending states. */
static struct tt_status check_entry(const char *entry, size_t length)
{
    char word[TT_JOBS_TEXT];
    struct tt_job_ends ends;
    snprintf(word, sizeof word, "%.*s", (int)length, entry);
    char *colon = strchr(word, ':');
    if (colon) {
        *colon = '\0';
    }
    for (size_t i = 0; colon && tt_formats[i]; i++) {
        if (strcmp(tt_formats[i]->name, word) == 0) {
            return tt_job_ends_parse(tt_formats[i], colon + 1, &ends);
        }
    }
    return tt_error(TT_ERR_USAGE,
                    "\"%.60s\" is not FORMAT:STATES, as kev:+MUTEX,-SEM; formats: "
                    "kev fxt trx btrace",
                    word);
}

struct tt_status tt_jobs_set_ends(struct tt_workspace *ws, const char *text)
{
    text = strcmp(text, "default") == 0 ? "" : text;
    if (strlen(text) >= TT_JOBS_TEXT) {
        return tt_error(TT_ERR_USAGE, "longer than %u bytes", TT_JOBS_TEXT - 1);
    }
    for (const char *p = text; *p;) {
        size_t length = strcspn(p, " ");
        struct tt_status status = check_entry(p, length);
        if (tt_failed(&status)) {
            return status;
        }
        p += length;
        p += strspn(p, " ");
    }
    return jobs_set_text(&ws->jobs, ws->jobs.ends, text);
}

/* ---- misses ------------------------------------------------------------------------------- */

void tt_jobs_drop(struct tt_job_settings *jobs)
{
    free(jobs->misses);
    tt_deadlines_free(&jobs->limits);
    jobs->misses = NULL;
    jobs->count = jobs->capacity = 0;
    jobs->jobs = jobs->missed = 0;
    jobs->number = jobs->next = 0;
    jobs->walking = jobs->complete = jobs->failed = false;
}

void tt_jobs_refresh(struct tt_workspace *ws)
{
    struct tt_job_settings *jobs = &ws->jobs;
    const struct tt_timelines *timelines =
        ws->opened.trace ? tt_trace_timelines(ws->opened.trace) : NULL;
    struct tt_capture *capture = ws->opened.capture;
    if (!timelines ||
        (jobs->number == tt_timelines_number(timelines) && jobs->of_version == jobs->version &&
         (jobs->rows == ws->index.rows || !ws->index.progress.finished) &&
         jobs->of_threads == tt_thread_count(capture))) {
        return;
    }
    tt_jobs_drop(jobs);
    jobs->number = tt_timelines_number(timelines);
    jobs->of_version = jobs->version;
    jobs->of_threads = tt_thread_count(capture);
    jobs->rows = ws->index.rows;

    /* Reads the entries of the capture's format, or of all formats where it has their states. */
    const struct tt_format *only =
        capture->merge ? capture->merge->members[0].capture->format : capture->format;
    bool several = capture->format->state_count > 1 && capture->format->states[1].format != NULL;
    char list[TT_JOBS_TEXT];
    struct tt_status status = tt_job_ends_parse(capture->format, NULL, &jobs->job_ends);
    for (size_t i = 0; tt_formats[i] && !tt_failed(&status); i++) {
        const struct tt_format *format = tt_formats[i];
        if ((several || format == only) && tt_jobs_ends_of(jobs, format, list)) {
            status =
                tt_job_ends_change(capture->format, several ? format : NULL, list, &jobs->job_ends);
        }
    }

    if (!tt_failed(&status) && jobs->deadlines[0]) {
        status = tt_deadlines_parse(capture, jobs->deadlines, true, &jobs->limits);
    }
    jobs->failed = tt_failed(&status) && status.code == TT_ERR_MEMORY;
    if (tt_failed(&status)) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "deadline: %.160s", status.text);
    }
}

static bool add_job(struct tt_job_settings *jobs, const struct tt_job *job)
{
    uint64_t limit = tt_deadline_of(&jobs->limits, job->thread);
    jobs->jobs++;
    if (tt_job_response(job) <= limit) {
        return true;
    }
    if (jobs->missed++ >= TT_MISSES_MOST) {
        return true;
    }
    struct tt_miss *misses =
        tt_array_grow(jobs->misses, jobs->count, &jobs->capacity, sizeof *misses);
    if (!misses) {
        return false;
    }
    jobs->misses = misses;
    misses[jobs->count++] = (struct tt_miss){job->ready, job->ready + limit, job->end, job->thread};
    return true;
}

/* Walks the jobs of the next thread with a deadline; returns false if the work is used up first. */
static bool walk_thread(struct tt_workspace *ws, uint64_t *work)
{
    struct tt_job_settings *jobs = &ws->jobs;
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    struct tt_job job;
    if (!jobs->walking) {
        tt_job_walk_begin(&jobs->walk, timelines, ws->opened.capture, &jobs->job_ends, jobs->next,
                          tt_timelines_begin(timelines), tt_timelines_limit(timelines));
        jobs->walking = true;
    }
    tt_job_walk_set_timelines(&jobs->walk, timelines);
    while (tt_job_walk_next(&jobs->walk, work, &job)) {
        if (!add_job(jobs, &job)) {
            jobs->failed = true;
            return true;
        }
    }
    if (!tt_job_walk_ended(&jobs->walk)) {
        return false;
    }
    jobs->walking = false;
    return true;
}

bool tt_jobs_work(struct tt_workspace *ws, uint64_t deadline_ns)
{
    struct tt_job_settings *jobs = &ws->jobs;
    if (!jobs->deadlines[0] || !ws->opened.trace) {
        return true;
    }
    tt_jobs_refresh(ws);
    while (!jobs->complete && !jobs->failed && jobs->number != 0) {
        uint64_t work = STEP;
        if (jobs->next >= jobs->limits.count) {
            jobs->complete = true;
        } else if (jobs->limits.ticks[jobs->next] == 0 || walk_thread(ws, &work)) {
            jobs->next++;
        } else if (tt_now_ns() >= deadline_ns) {
            return false;
        }
    }
    return true;
}

/* ---- searching ---------------------------------------------------------------------------- */

const struct tt_miss *tt_jobs_miss_of(const struct tt_job_settings *jobs, uint32_t thread,
                                      uint64_t ticks)
{
    size_t low = 0, high = jobs->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct tt_miss *miss = &jobs->misses[middle];
        bool before = miss->thread != thread ? miss->thread < thread : miss->deadline < ticks;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low < jobs->count && jobs->misses[low].thread == thread ? &jobs->misses[low] : NULL;
}

/* Returns the first miss with a deadline after `ticks`, or the last one before it; NULL if there is none. */
static const struct tt_miss *miss_beside(const struct tt_job_settings *jobs, uint64_t ticks,
                                         bool after)
{
    const struct tt_miss *best = NULL;
    for (size_t i = 0; i < jobs->count; i++) {
        const struct tt_miss *miss = &jobs->misses[i];
        bool is_beside = after ? miss->deadline > ticks : miss->deadline < ticks;
        bool is_nearer =
            !best || (after ? miss->deadline < best->deadline : miss->deadline > best->deadline);
        best = is_beside && is_nearer ? miss : best;
    }
    return best;
}

/* ---- going -------------------------------------------------------------------------------- */

void tt_jobs_write_counts(const struct tt_workspace *ws, struct tt_text *text)
{
    const struct tt_job_settings *jobs = &ws->jobs;
    tt_text_put(text, "%'ju of %'ju%s missed the deadline%s", jobs->missed, jobs->jobs,
                jobs->jobs == 1 ? " job" : " jobs", jobs->complete ? "" : ", so far");
}

void tt_jobs_report(struct tt_workspace *ws)
{
    char buffer[128];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (!ws->jobs.deadlines[0]) {
        tt_message_set(&ws->message, TT_ROLE_STATUS, "no deadlines");
        return;
    }
    tt_jobs_work(ws, tt_term_report(&ws->term, REPORT_NS));
    tt_jobs_write_counts(ws, &text);
    tt_message_set(&ws->message, TT_ROLE_STATUS, "%s%s", tt_text_cstr(&text),
                   ws->jobs.missed > 0 ? "; D goes to the next" : "");
}

void tt_jobs_show_interval(struct tt_workspace *ws, uint32_t thread, uint64_t from, uint64_t to,
                           uint64_t at)
{
    struct tt_viewport *viewport = &ws->nav.viewport;
    uint64_t length = to - from, margin = length / 4 + 1;
    tt_nav_leave(ws);
    tt_nav_show(&ws->nav, TT_VIEW_THREADS);
    ws->nav.lane.sequence = false;
    tt_nav_show_range(ws, from > margin ? from - margin : 0,
                      to < UINT64_MAX - margin ? to + margin : to);
    tt_viewport_go(viewport, tt_nav_bounds(ws), 1, at);
    ws->nav.lane.thread = thread;
    ws->nav.lane.process = tt_thread_at(ws->opened.capture, thread)->process;
    ws->nav.lane.kind = 0; /* TT_LANE_THREAD */
    ws->nav.lane.chosen = ws->nav.lane.taken = true;
    ws->nav.lane.ticks = ws->nav.cursor.event.ticks;
    ws->nav.lane.pos = ws->nav.cursor.event.pos;
    viewport->spans = true;
    viewport->growing = false;
    viewport->anchor = from;
    viewport->other = to;
}

void tt_jobs_show_miss(struct tt_workspace *ws, const struct tt_miss *miss)
{
    char buffer[256];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_line_thread(&text, ws->opened.capture, miss->thread);
    tt_text_put(&text, ": response %s, late by %s; %'ju%s",
                tt_words_duration(ws, miss->end - miss->ready).s,
                tt_words_duration(ws, miss->end - miss->deadline).s, ws->jobs.missed,
                ws->jobs.missed == 1 ? " miss" : " misses");
    tt_jobs_show_interval(ws, miss->thread, miss->ready, miss->end, miss->deadline);
    tt_message_set(&ws->message, TT_ROLE_STATUS, "%s", tt_text_cstr(&text));
}

void tt_jobs_go_miss(struct tt_workspace *ws, bool forward)
{
    const struct tt_job_settings *jobs = &ws->jobs;
    if (!jobs->deadlines[0]) {
        tt_message_set(&ws->message, TT_ROLE_WARNING,
                       "no deadlines: set them with :deadline THREAD=TIME");
        return;
    }
    tt_jobs_work(ws, tt_term_report(&ws->term, REPORT_NS));
    if (jobs->count == 0) {
        tt_jobs_report(ws);
        return;
    }
    bool by_time = tt_view_names(ws->nav.view)->by_time;
    uint64_t at = by_time ? ws->nav.viewport.at : ws->nav.cursor.event.ticks;
    const struct tt_miss *miss = miss_beside(jobs, at, forward);
    miss = miss ? miss : miss_beside(jobs, forward ? 0 : UINT64_MAX, forward);
    if (miss) {
        tt_jobs_show_miss(ws, miss);
    }
}
