/* SPDX-License-Identifier: Apache-2.0 */
/*
 * job_rows: the jobs of threads. In order, the lanes are walked side by side, and the job that began first is
 * next: a heap of walks, each with its next job. Else the lanes follow one after the other.
 */
#include <stdlib.h>

#include "base/heap.h"
#include "table/columns.h"
#include "table/raw/raw_rows.h"
#include "trace/line_parts.h"
#include "tracetui/merge.h"

/* A lane and its next job. */
struct job_lane {
    struct tt_job_walk walk;
    struct tt_job job;
};

struct job_rows {
    struct tt_job_ends ends;
    uint32_t thread, threads; /* the next lane; UINT32_MAX: before the first one */
    struct job_lane lane;     /* of the row read last */
    bool walks;               /* the lane is begun */
    struct job_lane *lanes;   /* in order: the lanes */
    struct job_lane **heap;   /* those with jobs left, the next one on top */
    size_t count;
};

static bool job_rows_is_before(const void *x, const void *y)
{
    const struct job_lane *left = *(struct job_lane *const *)x,
                          *right = *(struct job_lane *const *)y;
    return left->job.ready != right->job.ready ? left->job.ready < right->job.ready
                                               : left->job.thread < right->job.thread;
}

/* Returns the next thread that has jobs and is wanted, from `thread` on. */
static uint32_t job_rows_next_lane(const struct tt_table_run *run, uint32_t thread,
                                   uint32_t threads)
{
    const struct tt_table_bounds *bounds = run->request.bounds;
    for (; thread < threads; thread++) {
        thread = bounds ? bounds->next_thread(bounds->arg, thread) : thread;
        if (thread < threads && tt_table_includes(run, thread) &&
            tt_thread_is_counted(tt_thread_at(run->capture, thread))) {
            break;
        }
    }
    return thread < threads ? thread : threads;
}

static void begin_lane(const struct tt_table_run *run, const struct job_rows *rows,
                       struct job_lane *lane, uint32_t thread)
{
    const struct tt_table_bounds *bounds = run->request.bounds;
    tt_job_walk_begin(&lane->walk, run->timelines, run->capture, &rows->ends, thread,
                      bounds ? bounds->from : run->request.window.from,
                      bounds ? UINT64_MAX : run->request.window.to);
    lane->walk.by_class = !run->request.without_ready_by;
}

/* Moves to the lane's next job on a selected CPU that begins within the bounds; false: there is none. */
static bool next_of_lane(const struct tt_table_run *run, struct job_lane *lane)
{
    const struct tt_table_bounds *bounds = run->request.bounds;
    uint64_t work = UINT64_MAX;
    while (tt_job_walk_next(&lane->walk, &work, &lane->job)) {
        if (bounds && lane->job.ready > bounds->last) {
            return false;
        }
        if ((!bounds || lane->job.ready >= bounds->from) &&
            tt_window_has_cpu(&run->request.window, lane->job.cpu)) {
            return true;
        }
    }
    return false;
}

/* Begins; in order, with all lanes. */
static bool begin_jobs(struct tt_table_run *run)
{
    struct job_rows *rows = run->state;
    struct tt_status status = tt_ok();
    size_t lanes = 0;
    uint32_t i = 0;
    rows->threads = tt_thread_count(run->capture);
    rows->ends = run->request.job_ends;
    if (run->request.bounds) {
        status = tt_job_ends_parse(run->capture->format, NULL, &rows->ends);
    }
    if (tt_failed(&status) || !run->request.in_order) {
        return !tt_failed(&status);
    }
    for (; (i = job_rows_next_lane(run, i, rows->threads)) < rows->threads; i++) {
        lanes++;
    }
    rows->lanes = malloc((lanes + 1) * sizeof *rows->lanes);
    rows->heap = malloc((lanes + 1) * sizeof(struct job_lane *));
    if (!rows->lanes || !rows->heap) {
        return false;
    }
    for (i = 0; (i = job_rows_next_lane(run, i, rows->threads)) < rows->threads; i++) {
        struct job_lane *lane = &rows->lanes[rows->count];
        begin_lane(run, rows, lane, i);
        rows->heap[rows->count] = lane;
        rows->count += next_of_lane(run, lane);
    }
    tt_heap_make(rows->heap, rows->count, sizeof *rows->heap, job_rows_is_before);
    return true;
}

/* Moves to the next job of a lane, or to the first one of a later lane. */
static bool next_by_lane(struct tt_table_run *run, struct job_rows *rows)
{
    const struct tt_table_bounds *bounds = run->request.bounds;
    while (!rows->walks || !next_of_lane(run, &rows->lane)) {
        rows->walks = false;
        if (bounds && bounds->stopped(bounds->arg)) {
            return false;
        }
        rows->thread = job_rows_next_lane(run, rows->thread, rows->threads);
        if (rows->thread >= rows->threads) {
            return false;
        }
        begin_lane(run, rows, &rows->lane, rows->thread++);
        rows->walks = true;
    }
    return true;
}

static enum tt_made next_job(struct tt_table_run *run, void *room)
{
    struct job_rows *rows = run->state;
    struct tt_job_row *row = room;
    const struct tt_table_request *request = &run->request;
    if (request->in_order ? rows->count == 0 : !next_by_lane(run, rows)) {
        return TT_MADE_ALL;
    }
    if (request->in_order) {
        rows->lane = *rows->heap[0];
        if (!next_of_lane(run, rows->heap[0])) {
            rows->heap[0] = rows->heap[--rows->count];
        }
        tt_heap_down(rows->heap, rows->count, sizeof *rows->heap, 0, job_rows_is_before);
    }
    const struct tt_job *job = &rows->lane.job;
    uint64_t deadline = tt_table_deadline(request, job->thread);
    row->job = *job;
    row->response = tt_job_response(job);
    row->startup = tt_job_startup(job);
    row->missed = deadline > 0 ? row->response > deadline : TT_TABLE_NONE;
    return TT_MADE_PART;
}

/* The thread, and the interval after the job; for rows that are read by lane. */
static int job_member(const struct tt_table_run *run, const void *row)
{
    return (int)tt_merge_of_thread(run->capture, ((const struct tt_job_row *)row)->job.thread);
}

static uint64_t job_number(const struct tt_table_run *run)
{
    const struct job_rows *rows = run->state;
    return (uint64_t)rows->lane.job.thread << 32 |
           (uint32_t)tt_interval_index(run->timelines, rows->lane.walk.at);
}

static void end_jobs(struct tt_table_run *run)
{
    struct job_rows *rows = run->state;
    free(rows->heap);
    free(rows->lanes);
}

/* ---- columns ------------------------------------------------------------------------------ */

#define ROW struct tt_job_row

/* The parts of a response, and of ready time, in the order in which they sum to it. */
static TT_CELL_FUNCTION(job_part)
{
    static const size_t parts[][4] = {
        {AT(job.ready_sum), AT(job.run), AT(job.irq), AT(job.blocked)},
        {AT(job.ready_by[TT_JOB_READY_HIGHER]), AT(job.ready_by[TT_JOB_READY_EQUAL]),
         AT(job.ready_by[TT_JOB_READY_LOWER]), AT(job.ready_by[TT_JOB_READY_OTHER])}};
    for (unsigned whole = 0; whole < 2; whole++) {
        uint64_t before = 0;
        for (unsigned i = 0; i < 4; i++) {
            const uint64_t *ticks = (const void *)((const char *)row + parts[whole][i]);
            if (parts[whole][i] == column->field) {
                tt_table_set_part_time(run, cell, before, *ticks);
            }
            before += *ticks;
        }
    }
}

static TT_CELL_FUNCTION(job_state)
{
    (void)column;
    tt_table_set_text(cell,
                      tt_line_state(run->capture, ((const struct tt_job_row *)row)->job.state));
}

/* clang-format off */
#define STEP(key_, member, doc_, ...) COLUMN(key_, NULL, AT, member, OFF_SCREEN, doc_, __VA_ARGS__)
#define TIME(key_, member, doc_, ...) COLUMN(key_, NULL, TIME_US, member, OFF_SCREEN, doc_, __VA_ARGS__)

static const struct tt_table_column columns[] = {
    COLUMN("utid", NULL, KEY, job.thread, OFF_SCREEN, "Thread: key of `threads`.", .is_sql = true, .bound = TT_BOUND_THREAD),
    COLUMN("pid", NULL, LANE_PID, job.thread, OFF_SCREEN, "Number of the thread's process.", .bound = TT_BOUND_PID),
    COLUMN("tid", NULL, LANE_TID, job.thread, OFF_SCREEN, "Number of the thread in it.", .bound = TT_BOUND_TID),
    COLUMN("thread", NULL, LANE_NAME, job.thread, OFF_SCREEN, "Process, number and name of the thread."),
    STEP("ready", job.ready, "When the thread became ready.", .sql = "ts", .bound = TT_BOUND_TIME),
    STEP("start", job.start, "When it ran first."),
    STEP("end", job.end, "When it entered the state that ends the job."),
    COLUMN("cpu", NULL, CPU, job.cpu, OFF_SCREEN, "CPU of its last run.", .is_sql = true, .bound = TT_BOUND_CPU),
    TIME("response", response, "Time from ready to the end: run + irq + ready + blocked, exactly."),
    TIME("startup", startup, "Time from ready to the first run."),
    TIME("run", job.run, "Time on a CPU, without interrupts.", .cell = job_part),
    TIME("irq", job.irq, "Time of interrupts during its runs.", .cell = job_part),
    TIME("ready_sum", job.ready_sum, "Time ready: startup and preemptions.", .cell = job_part, .sql = "ready"),
    TIME("blocked", job.blocked, "Time of waits that do not end the job.", .cell = job_part),
    COLUMN("fragments", NULL, COUNT, job.fragments, OFF_SCREEN, "Number of runs."),
    COLUMN("deadline_missed", NULL, FLAG, missed, OFF_SCREEN, "Whether the response is longer than the thread's deadline.", .is_file = true),
    TIME("separation", job.separation, "Time from the end of the job before to this start."),
    TIME("period", job.period, "Time from the start of the job before to this start."),
    TIME("higher", job.ready_by[TT_JOB_READY_HIGHER], "Part of the time ready in which a more urgent thread had the CPU.", .cell = job_part, .is_file = true),
    TIME("equal", job.ready_by[TT_JOB_READY_EQUAL], "Part of the time ready in which an equally urgent thread had the CPU.", .cell = job_part, .is_file = true),
    TIME("lower", job.ready_by[TT_JOB_READY_LOWER], "Part of the time ready in which a less urgent thread had the CPU.", .cell = job_part, .is_file = true),
    TIME("other", job.ready_by[TT_JOB_READY_OTHER], "Part of the time ready in which no thread had the CPU, or an unknown one.", .cell = job_part, .is_file = true),
    MADE("state", NULL, NAME, job_state, OFF_SCREEN, "The state that ends the job.", .sql = "end_state"),
};
/* clang-format on */

const struct tt_table tt_table_job_rows = {
    NAMES("jobs", "Jobs",
          "Jobs (activations) of threads, thread by thread in order of time, as `dump --jobs` "
          "lists them ([jobs](jobs.md)). Jobs that the capture's edges or a loss cut have no row.",
          "[thread]"),
    COLUMNS(columns),
    .row_size = sizeof(struct tt_job_row),
    .state_size = sizeof(struct job_rows),
    .filter = TT_FILTER_THREADS,
    .begin = begin_jobs,
    .next = next_job,
    .number = job_number,
    .member = job_member,
    .end = end_jobs,
};
