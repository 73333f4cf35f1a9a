/* SPDX-License-Identifier: Apache-2.0 */
/* scan_jobs: the tables jobs and wakes. */
#include "sql/tables.h"
#include "tracetui/jobs.h"
#include "tracetui/messages.h"
#include "tracetui/wakes.h"

/* ---- jobs ----------------------------------------------------------------------------------- */

#define JOB_COLUMNS(X)                                                                             \
    X(JOB_UTID, "utid", SQL_KEY, SQL_BY_THREAD, "thread: key of `threads`")                        \
    X(JOB_NS, "ts_ns", SQL_NS, SQL_BY_NS, "the thread becomes ready")                              \
    X(JOB_TICKS, "ts_ticks", SQL_TICKS, SQL_BY_TICKS, "the same time in ticks")                    \
    X(JOB_START_NS, "start_ns", SQL_NS, SQL_UNBOUND, "it runs first")                              \
    X(JOB_START, "start_ticks", SQL_TICKS, SQL_UNBOUND, "the same time in ticks")                  \
    X(JOB_END_NS, "end_ns", SQL_NS, SQL_UNBOUND, "it enters the state that ends the job")          \
    X(JOB_END, "end_ticks", SQL_TICKS, SQL_UNBOUND, "the same time in ticks")                      \
    X(JOB_STATE, "end_state", SQL_TEXT, SQL_UNBOUND, "that state")                                 \
    X(JOB_CPU, "cpu", SQL_NUMBER, SQL_BY_CPU, "CPU of its last run")                               \
    X(JOB_RESPONSE_NS, "response_ns", SQL_NS, SQL_UNBOUND, "ready to end")                         \
    X(JOB_RESPONSE, "response_ticks", SQL_TICKS, SQL_UNBOUND,                                      \
      "the same in ticks: run + irq + "                                                            \
      "ready + blocked, exactly")                                                                  \
    X(JOB_STARTUP_NS, "startup_ns", SQL_NS, SQL_UNBOUND, "ready to the first run")                 \
    X(JOB_STARTUP, "startup_ticks", SQL_TICKS, SQL_UNBOUND, "the same in ticks")                   \
    X(JOB_RUN_NS, "run_ns", SQL_NS, SQL_UNBOUND, "on a CPU, without interrupts")                   \
    X(JOB_RUN, "run_ticks", SQL_TICKS, SQL_UNBOUND, "the same in ticks")                           \
    X(JOB_IRQ_NS, "irq_ns", SQL_NS, SQL_UNBOUND, "interrupts during its runs")                     \
    X(JOB_IRQ, "irq_ticks", SQL_TICKS, SQL_UNBOUND, "the same in ticks")                           \
    X(JOB_READY_NS, "ready_ns", SQL_NS, SQL_UNBOUND, "ready: startup and preemptions")             \
    X(JOB_READY, "ready_ticks", SQL_TICKS, SQL_UNBOUND, "the same in ticks")                       \
    X(JOB_BLOCKED_NS, "blocked_ns", SQL_NS, SQL_UNBOUND, "waits that do not end the job")          \
    X(JOB_BLOCKED, "blocked_ticks", SQL_TICKS, SQL_UNBOUND, "the same in ticks")                   \
    X(JOB_FRAGMENTS, "fragments", SQL_NUMBER, SQL_UNBOUND, "number of runs")                       \
    X(JOB_SEPARATION, "separation_ticks", SQL_TICKS, SQL_UNBOUND, "last end to this start")        \
    X(JOB_PERIOD_NS, "period_ns", SQL_NS, SQL_UNBOUND, "last start to this start, or null")        \
    X(JOB_PERIOD, "period_ticks", SQL_TICKS, SQL_UNBOUND, "the same in ticks")                     \
    X(JOB_PID, "pid", SQL_NUMBER, SQL_BY_PID, "number of the thread's process")                    \
    X(JOB_TID, "tid", SQL_NUMBER, SQL_BY_TID, "number of the thread in it")                        \
    X(JOB_THREAD, "thread", SQL_TEXT, SQL_UNBOUND, "name of the thread")                           \
    X(JOB_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { JOB_COLUMNS(SQL_COLUMN_ENUM) JOB_COLUMN_COUNT };
static const struct sql_column job_columns[] = {JOB_COLUMNS(SQL_COLUMN_ROW)};

struct jobs {
    struct tt_job_walk walk;
    struct tt_job job;
    struct tt_job_ends ends;
    uint32_t thread, threads;
    bool walks;
};

static bool begin_jobs(struct sql_scan *scan)
{
    struct jobs *s = scan->state;
    s->threads = scan->c->timelines ? tt_thread_count(scan->c->capture) : 0;
    s->thread = UINT32_MAX;
    struct tt_status status = tt_job_ends_parse(scan->c->capture->format, NULL, &s->ends);
    return !tt_failed(&status) || sql_fail(scan, status);
}

/* Returns the next thread that is counted and within the bounds. */
static uint32_t next_counted(const struct sql_scan *scan, uint32_t thread, uint32_t threads)
{
    do {
        thread = sql_next_thread(scan, thread + 1);
    } while (thread < threads && !tt_thread_is_counted(tt_thread_at(scan->c->capture, thread)));
    return thread;
}

static bool next_job(struct sql_scan *scan)
{
    struct jobs *s = scan->state;
    uint64_t work = UINT64_MAX;
    for (;;) {
        while (s->walks && tt_job_walk_next(&s->walk, &work, &s->job)) {
            if (s->job.ready > scan->bounds.last) {
                break;
            }
            if (s->job.ready >= scan->bounds.from) {
                return true;
            }
        }
        s->walks = false;
        if (s->thread == s->threads || !sql_check(scan)) {
            return false;
        }
        s->thread = next_counted(scan, s->thread, s->threads);
        if (s->thread >= s->threads) {
            s->thread = s->threads;
            return false;
        }
        tt_job_walk_begin(&s->walk, scan->c->timelines, scan->c->capture, &s->ends, s->thread,
                          scan->bounds.from, UINT64_MAX);
        s->walks = true;
    }
}

/* The number of the interval after the job. */
static uint64_t job_row(struct sql_scan *scan)
{
    const struct jobs *s = scan->state;
    return sql_rows_before(scan, SQL_LANES_THREADS, s->thread) +
           tt_interval_index(scan->c->timelines, s->walk.at);
}

/* The times of a job: a column in ns, that in ticks, and its value. */
static uint64_t job_time(const struct tt_job *job, unsigned column)
{
    switch (column) {
    case JOB_NS:
    case JOB_TICKS:
        return job->ready;
    case JOB_START_NS:
    case JOB_START:
        return job->start;
    case JOB_END_NS:
    case JOB_END:
        return job->end;
    case JOB_RESPONSE_NS:
    case JOB_RESPONSE:
        return tt_job_response(job);
    case JOB_STARTUP_NS:
    case JOB_STARTUP:
        return tt_job_startup(job);
    case JOB_RUN_NS:
    case JOB_RUN:
        return job->run;
    case JOB_IRQ_NS:
    case JOB_IRQ:
        return job->irq;
    case JOB_READY_NS:
    case JOB_READY:
        return job->ready_sum;
    case JOB_BLOCKED_NS:
    case JOB_BLOCKED:
        return job->blocked;
    case JOB_SEPARATION:
        return job->separation;
    default:
        return job->period;
    }
}

/* Returns the parts of the response before one of them, in a fixed order. */
static uint64_t job_before(const struct tt_job *job, unsigned column)
{
    return column == JOB_RUN_NS       ? job->ready_sum
           : column == JOB_IRQ_NS     ? job->ready_sum + job->run
           : column == JOB_BLOCKED_NS ? job->ready_sum + job->run + job->irq
                                      : 0;
}

static void job_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    const struct jobs *s = scan->state;
    const struct tt_job *job = &s->job;
    uint64_t ticks;
    switch (column) {
    case JOB_UTID:
        sql_put_key(scan, v, job->thread);
        break;
    case JOB_STATE:
        sql_put_state(scan, v, job->state);
        break;
    case JOB_CPU:
        sql_put_cpu(v, job->cpu);
        break;
    case JOB_FRAGMENTS:
        sql_put_u64(v, job->fragments);
        break;
    case JOB_PID:
        sql_put_pid(scan, v, job->thread);
        break;
    case JOB_TID:
        sql_put_tid(scan, v, job->thread);
        break;
    case JOB_THREAD:
        sql_put_thread_name(scan, v, job->thread);
        break;
    case JOB_CAPTURE:
        sql_put_capture(scan, v);
        break;
    default:
        ticks = job_time(job, column);
        if (ticks != TT_JOB_UNKNOWN && job_columns[column].kind == SQL_NS) {
            sql_put_part_ns(scan, v, job_before(job, column), ticks);
        } else if (ticks != TT_JOB_UNKNOWN) {
            sql_put_u64(v, ticks);
        }
    }
}

const struct sql_table sql_table_jobs = {
    .name = "jobs",
    .group = "Jobs",
    .doc = "Jobs (activations) of threads, thread by thread in order of time, as `dump --jobs` "
           "lists them ([jobs](jobs.md)). Jobs that the capture's edges or a loss cut have no row.",
    .columns = job_columns,
    .column_count = JOB_COLUMN_COUNT,
    .state_size = sizeof(struct jobs),
    .size = SQL_MANY,
    .by_thread = true,
    .begin = begin_jobs,
    .next = next_job,
    .row = job_row,
    .value = job_value,
};

/* ---- wakes ---------------------------------------------------------------------------------- */

#define WAKE_COLUMNS(X)                                                                            \
    X(WAKE_UTID, "utid", SQL_KEY, SQL_BY_THREAD, "thread that is made ready: key of `threads`")    \
    X(WAKE_NS, "ts_ns", SQL_NS, SQL_BY_NS, "time")                                                 \
    X(WAKE_TICKS, "ts_ticks", SQL_TICKS, SQL_BY_TICKS, "the same time in ticks")                   \
    X(WAKE_BY, "by", SQL_TEXT, SQL_UNBOUND, "`thread`, `interrupt` or `unknown`")                  \
    X(WAKE_WAKER, "waker_utid", SQL_KEY, SQL_UNBOUND, "waker: key of `threads`, or null")          \
    X(WAKE_KIND, "kind", SQL_TEXT, SQL_UNBOUND, "how: `reply`, `unlock`, `timer`, ...; or null")   \
    X(WAKE_VECTOR, "vector", SQL_NUMBER, SQL_UNBOUND, "number of the interrupt, or null")          \
    X(WAKE_OBJECT, "object", SQL_NUMBER, SQL_UNBOUND, "address or connection of the call")         \
    X(WAKE_CPU, "cpu", SQL_NUMBER, SQL_UNBOUND, "CPU on which it is recorded, or null")            \
    X(WAKE_STATE, "state", SQL_TEXT, SQL_UNBOUND, "state that it ends")                            \
    X(WAKE_BLOCKED_NS, "blocked_ns", SQL_NS, SQL_UNBOUND, "from the begin of that state")          \
    X(WAKE_BLOCKED, "blocked_ticks", SQL_TICKS, SQL_UNBOUND, "the same in ticks")                  \
    X(WAKE_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { WAKE_COLUMNS(SQL_COLUMN_ENUM) WAKE_COLUMN_COUNT };
static const struct sql_column wake_columns[] = {WAKE_COLUMNS(SQL_COLUMN_ROW)};

struct wakes {
    uint32_t thread, threads;
    bool more;
    struct tt_interval_at at;
    struct tt_interval blocked;
    uint64_t at_ticks; /* of the wake */
    struct tt_wakes *wakes;
    struct tt_wake wake;
    bool found;
};

static bool begin_wakes(struct sql_scan *scan)
{
    struct wakes *s = scan->state;
    s->threads = scan->c->timelines ? tt_thread_count(scan->c->capture) : 0;
    s->thread = UINT32_MAX;
    s->wakes = s->threads > 0 ? sql_wakes(scan->c) : NULL;
    return s->threads == 0 || s->wakes || sql_fail(scan, tt_error_memory());
}

/* Returns the time of the wake: the end of the interval or, if it was a wait for it, the answer's. */
static uint64_t wake_time(const struct sql_scan *scan, const struct tt_interval *i)
{
    struct tt_message m;
    bool waits = tt_waits_for_answer(scan->c->timelines, scan->c->capture, i, &m);
    return waits && m.end != TT_NO_TIME ? m.end : i->end;
}

/* Returns whether the interval ends in a wake within the bounds; `next`: position of the one after it. */
static bool ends_in_wake(struct sql_scan *scan, const struct tt_interval *i,
                         struct tt_interval_at next)
{
    struct wakes *s = scan->state;
    unsigned class_ = i->open ? TT_CLASS_UNKNOWN : tt_interval_get(scan->c->timelines, next).class_;
    if ((class_ != TT_CLASS_READY && class_ != TT_CLASS_RUNNING) || i->end < scan->bounds.from ||
        !tt_ends_in_wake(scan->c->timelines, scan->c->capture, i)) {
        return false;
    }
    s->at_ticks = wake_time(scan, i);
    return s->at_ticks >= scan->bounds.from && s->at_ticks <= scan->bounds.last;
}

static bool next_wake(struct sql_scan *scan)
{
    struct wakes *s = scan->state;
    const struct tt_timelines *t = scan->c->timelines;
    for (;;) {
        while (s->more) {
            s->blocked = tt_interval_get(t, s->at);
            bool has_next = tt_interval_next(t, &s->at);
            s->more = has_next && s->blocked.start <= scan->bounds.last;
            if (has_next && ends_in_wake(scan, &s->blocked, s->at)) {
                s->found = false;
                return true;
            }
        }
        if (s->thread == s->threads || !sql_check(scan)) {
            return false;
        }
        s->thread = next_counted(scan, s->thread, s->threads);
        if (s->thread >= s->threads) {
            s->thread = s->threads;
            return false;
        }
        uint64_t from = scan->bounds.from > 0 ? scan->bounds.from - 1 : 0;
        s->more =
            tt_interval_find(t, s->thread, from, &s->at) || tt_interval_first(t, s->thread, &s->at);
    }
}

/* The number of the interval that begins with the wake, which exists. */
static uint64_t wake_row(struct sql_scan *scan)
{
    const struct wakes *s = scan->state;
    return sql_rows_before(scan, SQL_LANES_THREADS, s->thread) +
           tt_interval_index(scan->c->timelines, s->at);
}

static const struct tt_wake *wake_of(struct wakes *s)
{
    if (!s->found) {
        tt_wake_find(s->wakes, &s->blocked, &s->wake);
        s->found = true;
    }
    return &s->wake;
}

static void put_found(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    static const char *const words[] = {[TT_WAKER_UNKNOWN] = "unknown",
                                        [TT_WAKER_THREAD] = "thread",
                                        [TT_WAKER_INTERRUPT] = "interrupt"};
    const struct tt_wake *wake = wake_of(scan->state);
    switch (column) {
    case WAKE_BY:
        sql_put_cstr(v, words[wake->by]);
        break;
    case WAKE_WAKER:
        sql_put_key(scan, v, wake->waker);
        break;
    case WAKE_KIND:
        sql_put_cstr(v, wake->kind == TT_WAKE_UNKNOWN ? NULL : tt_wake_kind_name(wake->kind));
        break;
    case WAKE_VECTOR:
        if (wake->vector != TT_NO_VECTOR) {
            sql_put_u64(v, wake->vector);
        }
        break;
    case WAKE_OBJECT:
        if (wake->object != 0) {
            sql_put_u64(v, wake->object);
        }
        break;
    default:
        sql_put_cpu(v, wake->cpu);
    }
}

static void wake_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    const struct wakes *s = scan->state;
    const struct tt_interval *blocked = &s->blocked;
    switch (column) {
    case WAKE_UTID:
        sql_put_key(scan, v, blocked->thread);
        break;
    case WAKE_NS:
        sql_put_ns(scan, v, s->at_ticks);
        break;
    case WAKE_TICKS:
        sql_put_u64(v, s->at_ticks);
        break;
    case WAKE_STATE:
        sql_put_state(scan, v, blocked->state);
        break;
    case WAKE_BLOCKED_NS:
        sql_put_ns(scan, v, s->at_ticks - blocked->start);
        break;
    case WAKE_BLOCKED:
        sql_put_u64(v, s->at_ticks - blocked->start);
        break;
    case WAKE_CAPTURE:
        sql_put_capture(scan, v);
        break;
    default:
        put_found(scan, column, v);
    }
}

const struct sql_table sql_table_wakes = {
    .name = "wakes",
    .group = "Scheduling",
    .doc =
        "Wakes: instants at which a thread that was blocked becomes ready or runs, and what woke "
        "it ([causes](causes.md)), thread by thread. The waker of each row is searched when a "
        "column with it is read.",
    .columns = wake_columns,
    .column_count = WAKE_COLUMN_COUNT,
    .state_size = sizeof(struct wakes),
    .size = SQL_SEARCHED,
    .by_thread = true,
    .begin = begin_wakes,
    .next = next_wake,
    .row = wake_row,
    .value = wake_value,
};
