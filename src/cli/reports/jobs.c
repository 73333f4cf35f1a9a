/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jobs: dump --jobs. The lanes are walked side by side, and the job that began first is printed
 * next: a heap of walks, each with its next job.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/heap.h"
#include "cli/commands.h"
#include "cli/event_selection.h"
#include "cli/input.h"
#include "cli/job_rules.h"
#include "tracetui/event_line.h"
#include "tracetui/json.h"
#include "tracetui/line_parts.h"

#define WIDTH      80u
#define TIME_WIDTH 12u
#define NAME_WIDTH 16u
#define SUM_WIDTH  9u

/* A lane and its next job. */
struct lane {
    struct tt_job_walk walk;
    struct tt_job job;
};

struct job_list {
    const struct tt_options *options;
    const struct tt_capture *capture;
    struct tt_output *out;
    struct tt_event_selection pick;
    struct tt_job_rules rules;
    uint64_t first_ticks;
    size_t name_width, width; /* columns of text: on a terminal lines are cut */
    struct lane *lanes;
    struct lane **heap; /* the lanes with jobs left, the next one to print on top */
    size_t count;
};

/* ---- lines -------------------------------------------------------------------------------- */

static uint64_t deadline_of(const struct job_list *l, uint32_t thread)
{
    return tt_deadline_of(&l->rules.deadlines, thread);
}

static bool is_missed(const struct job_list *l, const struct tt_job *job)
{
    uint64_t deadline = deadline_of(l, job->thread);
    return deadline > 0 && tt_job_response(job) > deadline;
}

static void put_time(struct tt_text *text, const struct job_list *l, uint64_t ticks)
{
    char buffer[48];
    struct tt_text time = tt_text_of(buffer, sizeof buffer);
    tt_line_time(&time, l->capture, tt_relative_ticks(l->capture, ticks, l->first_ticks));
    tt_text_fill(text, ' ', time.used < TIME_WIDTH ? TIME_WIDTH - time.used : 0);
    tt_text_bytes(text, time.buffer, time.used);
}

static void put_heading(struct tt_text *text, size_t name_width)
{
    tt_text_str(text, "    ready at  ");
    tt_line_column(text, "thread", 6, name_width);
    tt_text_str(text, " response  startup      run    ready  blocked run\n");
}

/* Writes a line, on a terminal of at most 80 columns; a missed deadline is marked by a leading !. */
static void put_job(struct tt_text *text, const struct job_list *l, const struct tt_job *job)
{
    const uint64_t times[] = {tt_job_response(job), tt_job_startup(job), job->run, job->ready_sum,
                              job->blocked};
    size_t start = text->used;
    put_time(text, l, job->ready);
    tt_text_str(text, is_missed(l, job) ? " !" : "  ");
    tt_line_thread_in(text, l->capture, job->thread, l->name_width);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        tt_line_duration_in(text, l->capture, times[i], SUM_WIDTH);
    }
    tt_line_number(text, job->fragments, 4);
    tt_line_finish(text, start, l->width);
}

/* The members of a job in csv and jsonl. X(key, ticks, parts of the same sum before it) */
#define READY_BY(class_) job->ready_by[TT_JOB_READY_##class_]
#define JOB_TIMES(X)                                                                               \
    X("ready", job->ready, 0)                                                                      \
    X("start", job->start, 0)                                                                      \
    X("end", job->end, 0)                                                                          \
    X("response", tt_job_response(job), 0)                                                         \
    X("startup", tt_job_startup(job), 0)                                                           \
    X("run", job->run, job->ready_sum)                                                             \
    X("irq", job->irq, job->ready_sum + job->run)                                                  \
    X("ready_sum", job->ready_sum, 0)                                                              \
    X("blocked", job->blocked, job->ready_sum + job->run + job->irq)
#define JOB_MORE_TIMES(X)                                                                          \
    X("separation", job->separation, 0)                                                            \
    X("period", job->period, 0)                                                                    \
    X("higher", READY_BY(HIGHER), 0)                                                               \
    X("equal", READY_BY(EQUAL), READY_BY(HIGHER))                                                  \
    X("lower", READY_BY(LOWER), READY_BY(HIGHER) + READY_BY(EQUAL))                                \
    X("other", READY_BY(OTHER), READY_BY(HIGHER) + READY_BY(EQUAL) + READY_BY(LOWER))

static void json_missed(struct tt_text *text, const struct job_list *l, const struct tt_job *job)
{
    tt_json_key(text, "deadline_missed");
    tt_text_str(text, deadline_of(l, job->thread) == 0 ? "null"
                      : is_missed(l, job)              ? "true"
                                                       : "false");
}

static void json_job(struct tt_text *text, const struct job_list *l, const struct tt_job *job)
{
    const struct tt_capture *c = l->capture;
    tt_text_char(text, '{');
    tt_json_lane(text, c, job->thread, "pid", "tid", "thread");
#define X(key, value, before) tt_json_part(text, c, key, before, value);
    JOB_TIMES(X)
    tt_json_number(text, "fragments", true, job->fragments);
    json_missed(text, l, job);
    JOB_MORE_TIMES(X)
#undef X
    tt_json_text(text, "state", tt_line_state(c, job->state));
    tt_text_str(text, "}\n");
}

static void csv_heading(struct tt_text *text, const struct tt_capture *c)
{
    const char *unit = c->clock_hz ? "_ns" : "_ticks";
    tt_text_str(text, "pid,tid,thread");
#define X(key, value, before)                                                                      \
    tt_text_str(text, "," key);                                                                    \
    tt_text_str(text, unit);
    JOB_TIMES(X)
    tt_text_str(text, ",fragments,deadline_missed");
    JOB_MORE_TIMES(X)
#undef X
    tt_text_str(text, ",state\n");
}

static void csv_time(struct tt_text *text, const struct tt_capture *c, uint64_t ticks,
                     uint64_t before)
{
    tt_text_char(text, ',');
    if (ticks != TT_JOB_UNKNOWN) {
        tt_text_u64(text, tt_line_part_ns(c, before, ticks));
    }
}

static void csv_job(struct tt_text *text, const struct job_list *l, const struct tt_job *job)
{
    const struct tt_capture *c = l->capture;
    const struct tt_thread *thread = tt_thread_at(c, job->thread);
    tt_text_u64(text, tt_process_at(c, thread->process)->pid);
    tt_text_char(text, ',');
    tt_text_u64(text, thread->tid);
    tt_text_char(text, ',');
    size_t start = text->used;
    tt_line_thread(text, c, job->thread);
    tt_csv_text_from(text, start);
#define X(key, value, before) csv_time(text, c, value, before);
    JOB_TIMES(X)
    tt_text_char(text, ',');
    tt_text_u64(text, job->fragments);
    tt_text_char(text, ',');
    tt_text_str(text, deadline_of(l, job->thread) == 0 ? "" : is_missed(l, job) ? "1" : "0");
    JOB_MORE_TIMES(X)
#undef X
    tt_text_char(text, ',');
    tt_text_str(text, tt_line_state(c, job->state));
    tt_text_char(text, '\n');
}

static void print_job(const struct job_list *l, const struct tt_job *job)
{
    switch (l->options->format) {
    case TT_OUTPUT_JSONL:
        TT_PRINT_LINE(l->out, json_job(&text, l, job));
        break;
    case TT_OUTPUT_CSV:
        TT_PRINT_LINE(l->out, csv_job(&text, l, job));
        break;
    default:
        TT_PRINT_LINE(l->out, put_job(&text, l, job));
    }
}

static void print_heading(const struct job_list *l)
{
    if (l->options->format == TT_OUTPUT_CSV && !l->out->begun) {
        TT_PRINT_LINE(l->out, csv_heading(&text, l->capture));
    } else if (l->options->format == TT_OUTPUT_TEXT) {
        TT_PRINT_LINE(l->out, put_heading(&text, l->name_width));
    }
}

/* ---- the heap ----------------------------------------------------------------------------- */

static bool is_before(const void *x, const void *y)
{
    const struct lane *a = *(struct lane *const *)x, *b = *(struct lane *const *)y;
    return a->job.ready != b->job.ready ? a->job.ready < b->job.ready
                                        : a->job.thread < b->job.thread;
}

/* Advances a lane to its next job on a selected CPU. */
static bool advance(const struct job_list *l, struct lane *lane)
{
    const struct tt_cpu_set *cpus = &l->options->cpus;
    uint64_t work = UINT64_MAX;
    while (tt_job_walk_next(&lane->walk, &work, &lane->job)) {
        unsigned cpu = lane->job.cpu;
        if (tt_event_selection_has_cpu(cpus, cpu)) {
            return true;
        }
    }
    return false;
}

static bool is_picked(const struct job_list *l, uint32_t thread)
{
    const struct tt_thread *t = tt_thread_at(l->capture, thread);
    const uint64_t *threads = l->pick.threads;
    return !t->idle && !t->pseudo && (!threads || tt_bit_at(threads, thread));
}

/* Widens the column of names for a thread with jobs, unless lines are cut. */
static void fit_name(struct job_list *l, uint32_t thread)
{
    size_t columns = l->width > WIDTH ? tt_line_thread_columns(l->capture, thread) : 0;
    l->name_width = columns > l->name_width ? columns : l->name_width;
}

static struct tt_status open_lanes(struct job_list *l, const struct tt_timelines *t)
{
    uint32_t threads = tt_thread_count(l->capture);
    uint64_t from = l->pick.from.ticks;
    uint64_t to = l->pick.to_end ? tt_timelines_limit(t) : l->pick.to.ticks;
    size_t lanes = 0;
    for (uint32_t i = 0; i < threads; i++) {
        lanes += is_picked(l, i);
    }
    l->lanes = malloc((lanes + 1) * sizeof *l->lanes);
    l->heap = malloc((lanes + 1) * sizeof(struct lane *));
    if (!l->lanes || !l->heap) {
        return tt_error_memory();
    }
    for (uint32_t i = 0; i < threads; i++) {
        struct lane *lane = &l->lanes[l->count];
        if (is_picked(l, i)) {
            tt_job_walk_begin(&lane->walk, t, l->capture, &l->rules.ends, i, from, to);
            lane->walk.by_class = l->options->format != TT_OUTPUT_TEXT;
            l->heap[l->count] = lane;
            if (advance(l, lane)) {
                l->count++;
                fit_name(l, i);
            }
        }
    }
    tt_heap_make(l->heap, l->count, sizeof *l->heap, is_before);
    return tt_ok();
}

static void print_jobs(struct job_list *l)
{
    while (l->count > 0 && tt_output_is_open(l->out)) {
        print_job(l, &l->heap[0]->job);
        if (!advance(l, l->heap[0])) {
            l->heap[0] = l->heap[--l->count];
        }
        tt_heap_down(l->heap, l->count, sizeof *l->heap, 0, is_before);
    }
}

static struct tt_status list_jobs(const struct tt_options *options, struct tt_input *input,
                                  struct tt_output *out)
{
    struct job_list l = {.options = options,
                         .capture = input->capture,
                         .out = out,
                         .name_width = NAME_WIDTH,
                         .width = tt_command_is_on_terminal(options) ? WIDTH : SIZE_MAX,
                         .first_ticks = input->progress.first_ticks};
    const struct tt_timelines *t = tt_trace_timelines(input->trace);
    struct tt_status status = tt_event_selection_make(options, input, &l.pick);
    if (tt_failed(&status)) {
        return status;
    }
    status = tt_job_rules_make(options, input->capture, &l.rules);
    if (!tt_failed(&status) && t) {
        status = open_lanes(&l, t);
    }
    if (!tt_failed(&status)) {
        print_heading(&l);
        print_jobs(&l);
    }
    free(l.heap);
    free(l.lanes);
    tt_job_rules_free(&l.rules);
    tt_event_selection_free(&l.pick);
    return status;
}

enum tt_exit tt_command_jobs(const struct tt_options *options)
{
    return tt_command_each_input(options, list_jobs);
}
