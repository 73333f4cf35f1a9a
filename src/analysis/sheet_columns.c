/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of the sheets, in the order in which they are printed. */
#include "tracetui/sheet.h"

#define AT(field) offsetof(struct tt_stat_row, field)

#define COLUMN(key, heading, unit, field)                                                          \
    {                                                                                              \
        key, heading, TT_STAT_##unit, AT(field), TT_STAT_ALWAYS, TT_STAT_ALWAYS, false             \
    }
/* A value of a distribution, which means nothing when that is empty. */
#define OF(distribution, key, heading, unit, field)                                                \
    {                                                                                              \
        key, heading, TT_STAT_##unit, AT(distribution) + offsetof(struct tt_distribution, field),  \
            AT(distribution.count), AT(distribution), false                                        \
    }
#define COUNT_OF(distribution, key, heading)                                                       \
    {                                                                                              \
        key, heading, TT_STAT_COUNT, AT(distribution.count), TT_STAT_ALWAYS, AT(distribution),     \
            false                                                                                  \
    }
#define MEAN_OF(distribution, key, heading)                                                        \
    {                                                                                              \
        key, heading, TT_STAT_MEAN_US, AT(distribution), AT(distribution.count), AT(distribution), \
            false                                                                                  \
    }
#define OF_TOOL(key, heading, field)                                                               \
    {                                                                                              \
        key, heading, TT_STAT_COUNT, AT(field), TT_STAT_ALWAYS, TT_STAT_ALWAYS, true               \
    }

/* What threads and processes have in common. */
#define RUNNING_COLUMNS                                                                            \
    COLUMN("run", "run", TIME_MS, run), COLUMN("run_pct", "run%", SHARE, run),                     \
        COLUMN("irq", NULL, TIME_MS, n.sums.irq), COLUMN("switches_in", "in", COUNT, n.sums.in),   \
        COLUMN("switches_out", NULL, COUNT, out),                                                  \
        COLUMN("voluntary", "vol", COUNT, n.sums.out_voluntary),                                   \
        COLUMN("preempted", "pre", COUNT, n.sums.out_preempted),                                   \
        COLUMN("unknown_out", NULL, COUNT, n.sums.out_unknown),                                    \
        COLUMN("migrations", "migr", COUNT, n.sums.migrations), COUNT_OF(n.slice, "slices", NULL), \
        MEAN_OF(n.slice, "slice_mean", NULL), OF(n.slice, "slice_max", NULL, TIME_US, max),        \
        OF(n.slice, "slice_max_at", NULL, AT, max_at),                                             \
        COLUMN("ready", NULL, TIME_MS, n.sums.ticks[TT_CLASS_READY]),                              \
        COUNT_OF(n.delay, "delay_count", NULL), MEAN_OF(n.delay, "delay_mean", "delay mean"),      \
        OF(n.delay, "delay_p50", NULL, TIME_US, p50),                                              \
        OF(n.delay, "delay_p95", NULL, TIME_US, p95),                                              \
        OF(n.delay, "delay_p99", "p99", TIME_US, p99),                                             \
        OF(n.delay, "delay_max", "max", TIME_US, max),                                             \
        OF(n.delay, "delay_max_at", "at", AT, max_at),                                             \
        COUNT_OF(n.preempted, "preempted_wait_count", NULL),                                       \
        MEAN_OF(n.preempted, "preempted_wait_mean", NULL),                                         \
        OF(n.preempted, "preempted_wait_p50", NULL, TIME_US, p50),                                 \
        OF(n.preempted, "preempted_wait_p95", NULL, TIME_US, p95),                                 \
        OF(n.preempted, "preempted_wait_p99", NULL, TIME_US, p99),                                 \
        OF(n.preempted, "preempted_wait_max", NULL, TIME_US, max),                                 \
        OF(n.preempted, "preempted_wait_max_at", NULL, AT, max_at),                                \
        COUNT_OF(n.wait, "wait_count", NULL), MEAN_OF(n.wait, "wait_mean", NULL),                  \
        OF(n.wait, "wait_p50", NULL, TIME_US, p50), OF(n.wait, "wait_p95", NULL, TIME_US, p95),    \
        OF(n.wait, "wait_p99", NULL, TIME_US, p99),                                                \
        OF(n.wait, "wait_max", "wait max", TIME_US, max),                                          \
        OF(n.wait, "wait_max_at", NULL, AT, max_at),                                               \
        COLUMN("unknown", NULL, TIME_MS, n.sums.ticks[TT_CLASS_UNKNOWN]),                          \
        COLUMN("running", NULL, TIME_MS, n.sums.ticks[TT_CLASS_RUNNING]),                          \
        COLUMN("ipc", NULL, TIME_MS, n.sums.ticks[TT_CLASS_IPC]),                                  \
        COLUMN("lock", NULL, TIME_MS, n.sums.ticks[TT_CLASS_LOCK]),                                \
        COLUMN("sleep", NULL, TIME_MS, n.sums.ticks[TT_CLASS_SLEEP]),                              \
        COLUMN("wait", NULL, TIME_MS, n.sums.ticks[TT_CLASS_WAIT]),                                \
        COLUMN("stopped", NULL, TIME_MS, n.sums.ticks[TT_CLASS_STOPPED]),                          \
        COLUMN("dead", NULL, TIME_MS, n.sums.ticks[TT_CLASS_DEAD])

static const struct tt_stat_column thread_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread),
    COLUMN("tid", NULL, LANE_TID, thread),
    COLUMN("process", NULL, PROCESS_NAME, process),
    COLUMN("thread", "thread", LANE_NAME, thread),
    COLUMN("priority", "prio", NUMBER, priority),
    COLUMN("priority_min", NULL, NUMBER, priority_min),
    COLUMN("priority_max", NULL, NUMBER, priority_max),
    RUNNING_COLUMNS,
    COLUMN("idle", NULL, COUNT, idle),
    OF_TOOL("suspensions", NULL, own.suspensions),
    OF_TOOL("resumptions", NULL, own.resumptions),
    OF_TOOL("stack_min", "stack free", own.stack_min),
    OF_TOOL("stack_size", "stack", own.stack_size),
};

static const struct tt_stat_column process_columns[] = {
    COLUMN("pid", "pid", PROCESS_PID, process),
    COLUMN("process", "process", PROCESS_NAME, process),
    COLUMN("threads", "threads", COUNT, threads),
    RUNNING_COLUMNS,
};

static const struct tt_stat_column cpu_columns[] = {
    COLUMN("cpu", "cpu", CPU, cpu),
    COLUMN("busy", "busy", TIME_MS, c.busy),
    COLUMN("idle", "idle", TIME_MS, c.idle),
    COLUMN("irq", "irq", TIME_MS, c.irq),
    COLUMN("kernel", "kernel", TIME_MS, c.kernel),
    COLUMN("unknown", "unknown", TIME_MS, c.unknown),
    COLUMN("irq_count", "irqs", COUNT, c.interrupts),
    COLUMN("switches", "switches", COUNT, c.switches),
    COLUMN("busy_pct", "busy%", SHARE, c.busy),
};

static const struct tt_stat_column pair_columns[] = {
    COLUMN("cpu", "cpu", CPU, cpu),           COLUMN("from_pid", NULL, LANE_PID, from),
    COLUMN("from_tid", NULL, LANE_TID, from), COLUMN("from", "from", LANE_NAME, from),
    COLUMN("to_pid", NULL, LANE_PID, to),     COLUMN("to_tid", NULL, LANE_TID, to),
    COLUMN("to", "to", LANE_NAME, to),        COLUMN("count", "count", COUNT, count),
};

static const struct tt_stat_column event_columns[] = {
    COLUMN("class", "class", TEXT, e.class_name),
    COLUMN("event", "event", TEXT, e.name),
    COLUMN("count", "count", COUNT, e.count),
    COLUMN("rate_hz", "per second", RATE, e.count),
    MEAN_OF(e.period, "period_mean", "period mean"),
    OF(e.period, "period_p99", "p99", TIME_US, p99),
    OF(e.period, "period_max", "max", TIME_US, max),
    COUNT_OF(e.duration, "duration_count", "durations"),
    MEAN_OF(e.duration, "duration_mean", "mean"),
    OF(e.duration, "duration_p50", "p50", TIME_US, p50),
    OF(e.duration, "duration_p99", "p99", TIME_US, p99),
    OF(e.duration, "duration_max", "max", TIME_US, max),
    OF(e.duration, "duration_max_at", "at", AT, max_at),
};

static const struct tt_stat_column total_columns[] = {
    COLUMN("window", "window", TIME_MS, window),
    COLUMN("events", "events", COUNT, events),
    COLUMN("processes", "processes", COUNT, processes),
    COLUMN("threads", "threads", COUNT, threads),
    COLUMN("cpus", "CPUs", COUNT, cpus),
    COLUMN("busy", "busy", TIME_MS, c.busy),
    COLUMN("idle", "idle", TIME_MS, c.idle),
    COLUMN("irq", "irq", TIME_MS, c.irq),
    COLUMN("kernel", "kernel", TIME_MS, c.kernel),
    COLUMN("unknown", "unknown", TIME_MS, c.unknown),
    COLUMN("context_switches", "context switches", COUNT, totals.context_switches),
    COLUMN("preemptions", "preemptions", COUNT, totals.preemptions),
    COLUMN("time_slices", "time slices", COUNT, totals.time_slices),
    COLUMN("suspensions", "suspensions", COUNT, totals.suspensions),
    COLUMN("resumptions", "resumptions", COUNT, totals.resumptions),
    COLUMN("interrupts", "interrupts", COUNT, totals.interrupts),
    COLUMN("nested_interrupts", "nested interrupts", COUNT, totals.nested_interrupts),
    COLUMN("inversions_deterministic", "inversions, deterministic", COUNT,
           totals.inversions_deterministic),
    COLUMN("inversions_nondeterministic", "inversions, non-deterministic", COUNT,
           totals.inversions_nondeterministic),
    COLUMN("migrations", "migrations", COUNT, n.sums.migrations),
    COUNT_OF(n.delay, "delay_count", "sch delays"),
    MEAN_OF(n.delay, "delay_mean", "sch delay, mean"),
    OF(n.delay, "delay_max", "sch delay, max", TIME_US, max),
    OF(n.delay, "delay_max_at", "at", AT, max_at),
    COUNT_OF(n.preempted, "preempted_wait_count", "preempted waits"),
    OF(n.preempted, "preempted_wait_max", "preempted wait, max", TIME_US, max),
};

#define TABLE(name)                                                                                \
    {                                                                                              \
        name##_columns, sizeof name##_columns / sizeof *name##_columns                             \
    }

const struct tt_stat_column *tt_stat_columns(int by, size_t *count)
{
    static const struct {
        const struct tt_stat_column *columns;
        size_t count;
    } tables[TT_STATS_BY_COUNT] = {
        [TT_STATS_BY_THREAD] = TABLE(thread),   [TT_STATS_BY_CPU] = TABLE(cpu),
        [TT_STATS_BY_PROCESS] = TABLE(process), [TT_STATS_BY_PAIR] = TABLE(pair),
        [TT_STATS_BY_EVENT] = TABLE(event),     [TT_STATS_BY_TOTAL] = TABLE(total),
    };
    *count = tables[by].count;
    return tables[by].columns;
}
