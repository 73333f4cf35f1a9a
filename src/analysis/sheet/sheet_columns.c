/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sheet_columns: the columns of the sheets; the only table of them, for `stats` and Summary.
 *
 * One row per column. The arguments of a row:
 *
 *      key, heading, unit, field      for `stats`, which prints in the order of the rows
 *      group, head, rank, place       for Summary: see struct tt_stat_screen
 */
#include "tracetui/sheet.h"

#include <string.h>

/* clang-format off */

#define AT(field) offsetof(struct tt_stat_row, field)
#define IN_CLASS(class) n.sums.ticks[TT_CLASS_##class]
#define OFF_SCREEN NULL, NULL, 0, 0

#define COLUMN(key, heading, unit, field, ...) \
    {key, heading, TT_STAT_##unit, AT(field), TT_STAT_ALWAYS, TT_STAT_ALWAYS, false, false, {__VA_ARGS__}}
/* A value of a distribution, undefined while the distribution is empty. */
#define OF(key, heading, unit, distribution, field, ...) \
    {key, heading, TT_STAT_##unit, AT(distribution) + offsetof(struct tt_distribution, field), \
     AT(distribution.count), AT(distribution), false, false, {__VA_ARGS__}}
#define COUNT_OF(key, heading, distribution, ...) \
    {key, heading, TT_STAT_COUNT, AT(distribution.count), TT_STAT_ALWAYS, AT(distribution), false, \
     false, {__VA_ARGS__}}
#define MEAN_OF(key, heading, distribution, ...) \
    {key, heading, TT_STAT_MEAN_US, AT(distribution), AT(distribution.count), AT(distribution), \
     false, false, {__VA_ARGS__}}
/* A time, and a point in time, of jobs; undefined while the distribution is empty. */
#define OF_JOB(key, heading, distribution, field, ...) \
    {key, heading, TT_STAT_TIME_US, AT(j.field), AT(distribution.count), TT_STAT_ALWAYS, false, \
     false, {__VA_ARGS__}}
#define AT_OF_JOB(key, heading, distribution, field, ...) \
    {key, heading, TT_STAT_AT, AT(j.field), AT(distribution.count), TT_STAT_ALWAYS, false, \
     false, {__VA_ARGS__}}
#define OF_TOOL(key, heading, field, ...) \
    {key, heading, TT_STAT_COUNT, AT(field), TT_STAT_ALWAYS, TT_STAT_ALWAYS, true, false, {__VA_ARGS__}}
#define TEXT_OF_TOOL(key, heading, field, ...) \
    {key, heading, TT_STAT_TEXT, AT(field), TT_STAT_ALWAYS, TT_STAT_ALWAYS, true, false, {__VA_ARGS__}}
/* CPU time by client; undefined if it is not computed. */
#define OF_CLIENTS(member) \
    {#member, NULL, TT_STAT_TIME_MS, AT(clients.member), AT(clients.known), TT_STAT_ALWAYS, false, \
     true, {"by client", #member, 0, 0}}
/* A count of struct tt_totals; its key is the member's name. */
#define TOTAL(member, heading) COLUMN(#member, heading, COUNT, totals.member, OFF_SCREEN)

/* The occupant of the CPU during ready time. */
#define READY_BY(key, member, head, rank) \
    COLUMN(key, NULL, TIME_MS, ready_by.member, "ready by", head, rank, 53)

/* The columns that threads and processes share. */
#define RUNNING_COLUMNS \
    COLUMN("run", "run", TIME_MS, run,                         "run", "", 1, 10),                   \
    COLUMN("run_pct", "run %", SHARE, run,                     "run", "%", 3, 11),                  \
    COLUMN("irq", NULL, TIME_MS, n.sums.irq,                   "run", "irq", 32, 12),               \
    COLUMN("switches_in", "runs", COUNT, n.sums.in,            "switches", "runs", 20, 14),         \
    COLUMN("switches_out", NULL, COUNT, out,                   "switches", "out", 21, 15),          \
    COLUMN("voluntary", "vol", COUNT, n.sums.out_voluntary,    "switches", "vol", 7, 16),           \
    COLUMN("preempted", "pre", COUNT, n.sums.out_preempted,    "switches", "pre", 8, 17),           \
    COLUMN("unknown_out", NULL, COUNT, n.sums.out_unknown,     "switches", "unk", 33, 18),          \
    COLUMN("migrations", "mig", COUNT, n.sums.migrations,      "switches", "mig", 9, 19),           \
    COUNT_OF("slices", NULL, n.slice,                          "switches", "slices", 6, 13),        \
    MEAN_OF("slice_mean", NULL, n.slice,                       "slice", "mean", 22, 41),            \
    OF("slice_max", NULL, TIME_US, n.slice, max,               "slice", "max", 17, 42),             \
    OF("slice_max_at", NULL, AT, n.slice, max_at,              "slice", "at", 34, 43),              \
    COLUMN("ready", NULL, TIME_MS, IN_CLASS(READY),            "time", "ready", 24, 45),            \
    READY_BY("ready_higher", higher,                           "higher", 39),                       \
    READY_BY("ready_equal", equal,                             "equal", 47),                        \
    READY_BY("ready_lower", lower,                             "lower", 48),                        \
    READY_BY("ready_occupied", occupied,                       "occupied", 49),                     \
    READY_BY("ready_interrupt", interrupt,                     "interrupt", 60),                    \
    READY_BY("ready_kernel", kernel,                           "kernel", 61),                       \
    READY_BY("ready_idle", idle,                               "idle", 62),                         \
    READY_BY("ready_unknown", unknown,                         "unknown", 63),                      \
    COUNT_OF("delay_count", NULL, n.delay,                     "sch delay", "count", 19, 20),       \
    MEAN_OF("delay_mean", "delay mean", n.delay,               "sch delay", "mean", 14, 21),        \
    OF("delay_p50", NULL, TIME_US, n.delay, p50,               "sch delay", "p50", 12, 22),         \
    OF("delay_p95", NULL, TIME_US, n.delay, p95,               "sch delay", "p95", 4, 23),          \
    OF("delay_p99", "p99", TIME_US, n.delay, p99,              "sch delay", "p99", 13, 24),         \
    OF("delay_max", "max", TIME_US, n.delay, max,              "sch delay", "max", 2, 25),          \
    OF("delay_max_at", "at", AT, n.delay, max_at,              "sch delay", "at", 5, 26),           \
    COUNT_OF("preempted_wait_count", NULL, n.preempted,        "preempted wait", "count", 18, 27),  \
    MEAN_OF("preempted_wait_mean", NULL, n.preempted,          "preempted wait", "mean", 51, 28),   \
    OF("preempted_wait_p50", NULL, TIME_US, n.preempted, p50,  "preempted wait", "p50", 52, 29),    \
    OF("preempted_wait_p95", NULL, TIME_US, n.preempted, p95,  "preempted wait", "p95", 53, 30),    \
    OF("preempted_wait_p99", NULL, TIME_US, n.preempted, p99,  "preempted wait", "p99", 54, 31),    \
    OF("preempted_wait_max", NULL, TIME_US, n.preempted, max,  "preempted wait", "max", 15, 32),    \
    OF("preempted_wait_max_at", NULL, AT, n.preempted, max_at, "preempted wait", "at", 55, 33),     \
    COUNT_OF("wait_count", NULL, n.wait,                       "wait", "count", 31, 34),            \
    MEAN_OF("wait_mean", NULL, n.wait,                         "wait", "mean", 23, 35),             \
    OF("wait_p50", NULL, TIME_US, n.wait, p50,                 "wait", "p50", 56, 36),              \
    OF("wait_p95", NULL, TIME_US, n.wait, p95,                 "wait", "p95", 57, 37),              \
    OF("wait_p99", NULL, TIME_US, n.wait, p99,                 "wait", "p99", 58, 38),              \
    OF("wait_max", "wait max", TIME_US, n.wait, max,           "wait", "max", 16, 39),              \
    OF("wait_max_at", NULL, AT, n.wait, max_at,                "wait", "at", 59, 40),               \
    COLUMN("unknown", NULL, TIME_MS, IN_CLASS(UNKNOWN),        "time", "unknown", 30, 52),          \
    COLUMN("running", NULL, TIME_MS, IN_CLASS(RUNNING),        "time", "running", 40, 44),          \
    COLUMN("ipc", NULL, TIME_MS, IN_CLASS(IPC),                "time", "ipc", 25, 46),              \
    COLUMN("lock", NULL, TIME_MS, IN_CLASS(LOCK),              "time", "lock", 26, 47),             \
    COLUMN("sleep", NULL, TIME_MS, IN_CLASS(SLEEP),            "time", "sleep", 27, 48),            \
    COLUMN("wait", NULL, TIME_MS, IN_CLASS(WAIT),              "time", "wait", 28, 49),             \
    COLUMN("stopped", NULL, TIME_MS, IN_CLASS(STOPPED),        "time", "stopped", 29, 50),          \
    COLUMN("dead", NULL, TIME_MS, IN_CLASS(DEAD),              "time", "dead", 41, 51)

/* The columns of CPU time by client, the last ones of threads and processes. */
#define CLIENT_COLUMNS \
    OF_CLIENTS(self), OF_CLIENTS(imposed), OF_CLIENTS(imposed_gross), OF_CLIENTS(charged)

static const struct tt_stat_column thread_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread,              "", "pid", 35, 2),
    COLUMN("tid", NULL, LANE_TID, thread,              "", "tid", 36, 3),
    COLUMN("process", NULL, PROCESS_NAME, process,     "", "process", 42, 4),
    COLUMN("thread", "thread", LANE_NAME, thread,      "", "thread", 0, 1),
    COLUMN("priority", "pri", NUMBER, priority,        "", "pri", 10, 5),
    COLUMN("priority_min", NULL, NUMBER, priority_min, "pri", "min", 37, 6),
    COLUMN("priority_max", NULL, NUMBER, priority_max, "pri", "max", 38, 7),
    RUNNING_COLUMNS,
    COLUMN("idle", NULL, COUNT, idle,                 "", "idle", 50, 60),
    OF_TOOL("suspensions", NULL, own.suspensions,     "", "suspensions", 43, 61),
    OF_TOOL("resumptions", NULL, own.resumptions,     "", "resumptions", 44, 62),
    OF_TOOL("stack_min", "stack min", own.stack_min,  "stack", "min", 45, 63),
    OF_TOOL("stack_size", "stack size", own.stack_size, "stack", "size", 46, 64),
    CLIENT_COLUMNS,
};

static const struct tt_stat_column process_columns[] = {
    COLUMN("pid", "pid", PROCESS_PID, process,          "", "pid", 10, 2),
    COLUMN("process", "process", PROCESS_NAME, process, "", "process", 0, 1),
    COLUMN("threads", "threads", COUNT, threads,        "", "threads", 11, 3),
    RUNNING_COLUMNS,
    COLUMN("running_any", NULL, TIME_MS, c.busy,        "time", "running any", 35, 44),
    CLIENT_COLUMNS,
};

static const struct tt_stat_column cpu_columns[] = {
    COLUMN("cpu", "CPU", CPU, cpu,                    "", "CPU", 0, 1),
    COLUMN("busy", "busy", TIME_MS, c.busy,           "busy", "", 2, 3),
    COLUMN("idle", "idle", TIME_MS, c.idle,           "time", "idle", 3, 4),
    COLUMN("irq", "irq", TIME_MS, c.irq,              "time", "irq", 6, 5),
    COLUMN("kernel", "kernel", TIME_MS, c.kernel,     "time", "kernel", 7, 6),
    COLUMN("unknown", "unknown", TIME_MS, c.unknown,  "time", "unknown", 8, 7),
    COLUMN("irq_count", "irqs", COUNT, c.interrupts,  "", "irqs", 5, 8),
    COLUMN("switches", "switches", COUNT, c.switches, "", "switches", 4, 9),
    COLUMN("busy_pct", "busy %", SHARE, c.busy,       "busy", "%", 1, 2),
};

static const struct tt_stat_column pair_columns[] = {
    COLUMN("cpu", "CPU", CPU, cpu,           "", "CPU", 3, 3),
    COLUMN("from_pid", NULL, LANE_PID, from, "from", "pid", 4, 5),
    COLUMN("from_tid", NULL, LANE_TID, from, "from", "tid", 5, 6),
    COLUMN("from", "from", LANE_NAME, from,  "", "from", 0, 1),
    COLUMN("to_pid", NULL, LANE_PID, to,     "to", "pid", 6, 7),
    COLUMN("to_tid", NULL, LANE_TID, to,     "to", "tid", 7, 8),
    COLUMN("to", "to", LANE_NAME, to,        "", "to", 1, 2),
    COLUMN("count", "count", COUNT, count,   "", "count", 2, 4),
};

static const struct tt_stat_column event_columns[] = {
    COLUMN("class", "class", TEXT, e.class_name,        "", "class", 3, 2),
    COLUMN("event", "event", TEXT, e.name,              "", "event", 0, 1),
    COLUMN("count", "count", COUNT, e.count,            "", "count", 1, 3),
    COLUMN("rate_hz", "rate", RATE, e.count,            "", "rate", 7, 4),
    MEAN_OF("period_mean", "period mean", e.period,     "period", "mean", 5, 5),
    OF("period_p99", "p99", TIME_US, e.period, p99,     "period", "p99", 11, 6),
    OF("period_max", "max", TIME_US, e.period, max,     "period", "max", 4, 7),
    COUNT_OF("duration_count", "duration count", e.duration, "duration", "count", 10, 8),
    MEAN_OF("duration_mean", "mean", e.duration,        "duration", "mean", 8, 9),
    OF("duration_p50", "p50", TIME_US, e.duration, p50, "duration", "p50", 12, 10),
    OF("duration_p99", "p99", TIME_US, e.duration, p99, "duration", "p99", 9, 11),
    OF("duration_max", "max", TIME_US, e.duration, max, "duration", "max", 2, 12),
    OF("duration_max_at", "at", AT, e.duration, max_at, "duration", "at", 6, 13),
};

static const struct tt_stat_column job_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread,                       "", "pid", 10, 2),
    COLUMN("tid", NULL, LANE_TID, thread,                       "", "tid", 11, 3),
    COLUMN("thread", "thread", LANE_NAME, thread,               "", "thread", 0, 1),
    COUNT_OF("count", "jobs", j.response,                       "", "jobs", 1, 4),
    MEAN_OF("response_mean", NULL, j.response,                  "response", "mean", 6, 5),
    OF("response_p50", NULL, TIME_US, j.response, p50,          "response", "p50", 12, 6),
    OF("response_p99", NULL, TIME_US, j.response, p99,          "response", "p99", 5, 8),
    OF("response_max", "response max", TIME_US, j.response, max,  "response", "max", 2, 9),
    OF("response_max_at", "at", AT, j.response, max_at,         "response", "at", 4, 10),
    OF("run_p99", NULL, TIME_US, j.run, p99,                    "run", "p99", 13, 12),
    OF("run_max", "run max", TIME_US, j.run, max,               "run", "max", 3, 13),
    MEAN_OF("period_mean", NULL, j.period,                      "period", "mean", 8, 15),
    OF_JOB("period_min", NULL, j.period, period_min,            "period", "min", 14, 16),
    OF("period_max", NULL, TIME_US, j.period, max,              "period", "max", 15, 17),
    OF_JOB("jitter", "jitter", j.period, jitter,                "period", "jitter", 7, 18),
    COLUMN("misses", "miss", COUNT, j.misses,                   "", "missed", 9, 20),
    OF("response_p95", NULL, TIME_US, j.response, p95,          "response", "p95", 16, 7),
    MEAN_OF("run_mean", NULL, j.run,                            "run", "mean", 17, 11),
    OF("run_max_at", NULL, AT, j.run, max_at,                   "run", "at", 18, 14),
    AT_OF_JOB("jitter_at", NULL, j.period, jitter_at,           "period", "at", 19, 19),
};

static const struct tt_stat_column interrupt_columns[] = {
    COLUMN("event", "event", TEXT, e.name,              "", "event", 10, 1),
    COLUMN("vector", "vector", COUNT, number,           "", "vector", 0, 2),
    COLUMN("count", "count", COUNT, e.count,            "", "count", 1, 3),
    COLUMN("rate_hz", "rate", RATE, e.count,            "", "rate", 4, 4),
    COUNT_OF("duration_count", NULL, e.duration,        "duration", "count", 15, 5),
    MEAN_OF("duration_mean", "duration mean", e.duration, "duration", "mean", 5, 6),
    OF("duration_p50", NULL, TIME_US, e.duration, p50,  "duration", "p50", 16, 7),
    OF("duration_p99", "p99", TIME_US, e.duration, p99, "duration", "p99", 6, 8),
    OF("duration_max", "max", TIME_US, e.duration, max, "duration", "max", 2, 9),
    OF("duration_max_at", "at", AT, e.duration, max_at, "duration", "at", 7, 10),
    COUNT_OF("handler_count", NULL, i.handler,          "handler", "count", 17, 11),
    MEAN_OF("handler_mean", NULL, i.handler,            "handler", "mean", 11, 12),
    OF("handler_p99", NULL, TIME_US, i.handler, p99,    "handler", "p99", 18, 13),
    OF("handler_max", "handler max", TIME_US, i.handler, max, "handler", "max", 8, 14),
    OF("handler_max_at", NULL, AT, i.handler, max_at,   "handler", "at", 19, 15),
    MEAN_OF("period_mean", "period mean", e.period,     "period", "mean", 9, 16),
    OF("period_p99", NULL, TIME_US, e.period, p99,      "period", "p99", 20, 17),
    OF("period_max", NULL, TIME_US, e.period, max,      "period", "max", 14, 18),
    OF("period_max_at", NULL, AT, e.period, max_at,     "period", "at", 21, 19),
    COLUMN("nested", "nested", COUNT, i.nested,         "", "nested", 12, 20),
    COLUMN("depth", NULL, COUNT, i.depth,               "", "depth", 22, 21),
    COLUMN("wakes", "wakes", COUNT, i.wakes,            "", "wakes", 3, 22),
    COLUMN("threads", NULL, COUNT, i.threads,           "", "threads", 23, 23),
    COLUMN("woken", "woken", TEXT, i.woken,             "", "woken threads", 13, 24),
};

static const struct tt_stat_column blame_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread,         "", "pid", 6, 2),
    COLUMN("tid", NULL, LANE_TID, thread,         "", "tid", 7, 3),
    COLUMN("thread", "thread", LANE_NAME, thread, "", "thread", 0, 1),
    COLUMN("by_pid", NULL, LANE_PID, to,          "by", "pid", 8, 5),
    COLUMN("by_tid", NULL, LANE_TID, to,          "by", "tid", 9, 6),
    COLUMN("by", "by", CHARGED, to,               "", "by", 1, 4),
    COLUMN("cause", "cause", TEXT, b.cause,       "", "cause", 2, 7),
    COLUMN("cpu", NULL, CPU, cpu,                 "interrupt", "CPU", 10, 8),
    COLUMN("vector", "vec", COUNT, b.vector,      "interrupt", "vector", 11, 9),
    COLUMN("ready", "ready", TIME_MS, b.ready,       "time", "ready", 4, 10),
    COLUMN("blocked", "blocked", TIME_MS, b.blocked, "time", "blocked", 5, 11),
    COLUMN("total", NULL, TIME_MS, b.total,          "time", "total", 12, 12),
    COLUMN("total_pct", "%", SHARE, b.total,         "time", "%", 3, 13),
};

static const struct tt_stat_column inversion_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread,         "", "pid", 6, 2),
    COLUMN("tid", NULL, LANE_TID, thread,         "", "tid", 7, 3),
    COLUMN("thread", "thread", LANE_NAME, thread, "", "thread", 0, 1),
    COLUMN("holder_pid", NULL, LANE_PID, from,    "holder", "pid", 8, 5),
    COLUMN("holder_tid", NULL, LANE_TID, from,    "holder", "tid", 9, 6),
    COLUMN("holder", "holder", LANE_NAME, from,   "", "holder", 2, 4),
    COLUMN("by_pid", NULL, LANE_PID, to,          "by", "pid", 10, 8),
    COLUMN("by_tid", NULL, LANE_TID, to,          "by", "tid", 11, 9),
    COLUMN("by", "by", CHARGED, to,               "", "by", 1, 7),
    COLUMN("object", NULL, COUNT, b.vector,       "", "object", 12, 10),
    COLUMN("from", "from", AT, b.from,            "", "from", 4, 11),
    COLUMN("to", NULL, AT, b.to,                  "", "to", 5, 12),
    COLUMN("dur", "time", TIME_US, b.total,       "", "time", 3, 13),
    TEXT_OF_TOOL("kind", "kind", b.cause,         "", "kind", 13, 14),
    OF_TOOL("begin_event", NULL, b.begin,         "event", "begin", 14, 15),
    OF_TOOL("end_event", NULL, b.end,             "event", "end", 15, 16),
};

static const struct tt_stat_column service_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread,         "", "pid", 6, 2),
    COLUMN("tid", NULL, LANE_TID, thread,         "", "tid", 7, 3),
    COLUMN("thread", "thread", LANE_NAME, thread, "", "thread", 1, 1),
    COLUMN("class", "class", TEXT, e.class_name,  "", "class", 5, 5),
    COLUMN("event", "event", TEXT, e.name,        "", "event", 0, 4),
    COLUMN("count", "count", COUNT, count,        "", "count", 2, 6),
    COLUMN("rate_hz", "rate", RATE, count,        "", "rate", 3, 7),
    COLUMN("first_at", NULL, AT, first_at,        "", "first", 4, 8),
};

static const struct tt_stat_column profile_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread,           "", "pid", 6, 2),
    COLUMN("tid", NULL, LANE_TID, thread,           "", "tid", 7, 3),
    COLUMN("context", "context", LANE_NAME, thread, "", "context", 0, 1),
    COLUMN("events", "events", COUNT, tool.v[1],    "", "events", 3, 4),
    COLUMN("time", "time", TIME_MS, tool.v[0],      "time", "", 1, 5),
    COLUMN("time_pct", "time %", SHARE, tool.v[0],  "time", "%", 2, 6),
};

static const struct tt_stat_column stack_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread,             "", "pid", 8, 2),
    COLUMN("tid", NULL, LANE_TID, thread,             "", "tid", 9, 3),
    COLUMN("thread", "thread", LANE_NAME, thread,     "", "thread", 0, 1),
    COLUMN("size", "size", COUNT, own.stack_size,     "stack", "size", 1, 4),
    COLUMN("used", "used", COUNT, tool.v[0],          "stack", "used", 3, 5),
    COLUMN("used_pct", "used %", COUNT, tool.v[1],    "stack", "%", 2, 6),
    COLUMN("min", "free", COUNT, own.stack_min,       "stack", "free", 4, 7),
    COLUMN("min_event", "event", COUNT, tool.v[2],    "minimum", "event", 5, 8),
    COLUMN("min_at", "at", AT, own.stack_ticks,       "minimum", "at", 6, 9),
};

/* The columns of an instance, and its values. */
#define INSTANCE_COLUMNS \
    COLUMN("kind", "kind", TEXT, tool.kind,    "", "kind", 1, 2), \
    COLUMN("name", "name", TEXT, tool.name,    "", "name", 0, 1), \
    COLUMN("address", NULL, COUNT, number,     "", "address", 2, 3)
#define FILEX_VALUE(key, heading, group, head, rank) \
    COLUMN(#key, heading, COUNT, tool.v[TT_FILEX_##key], group, head, rank, 4),
#define NETX_VALUE(key, heading, group, head, rank) \
    COLUMN(#key, heading, COUNT, tool.v[TT_NETX_##key], group, head, rank, 4),

static const struct tt_stat_column filex_columns[] = {INSTANCE_COLUMNS, TT_FILEX_VALUES(FILEX_VALUE)};
static const struct tt_stat_column netx_columns[] = {INSTANCE_COLUMNS, TT_NETX_VALUES(NETX_VALUE)};

static const struct tt_stat_column total_columns[] = {
    COLUMN("window", "window", TIME_MS, window, OFF_SCREEN),
    COLUMN("events", "events", COUNT, events, OFF_SCREEN),
    COLUMN("processes", "processes", COUNT, processes, OFF_SCREEN),
    COLUMN("threads", "threads", COUNT, threads, OFF_SCREEN),
    COLUMN("cpus", "CPUs", COUNT, cpus, OFF_SCREEN),
    COLUMN("busy", "busy", TIME_MS, c.busy, OFF_SCREEN),
    COLUMN("idle", "idle", TIME_MS, c.idle, OFF_SCREEN),
    COLUMN("irq", "irq", TIME_MS, c.irq, OFF_SCREEN),
    COLUMN("kernel", "kernel", TIME_MS, c.kernel, OFF_SCREEN),
    COLUMN("unknown", "unknown", TIME_MS, c.unknown, OFF_SCREEN),
    TOTAL(context_switches, "context switches"),
    TOTAL(preemptions, "preemptions"),
    TOTAL(time_slices, "time slices"),
    TOTAL(suspensions, "suspensions"),
    TOTAL(resumptions, "resumptions"),
    TOTAL(interrupts, "interrupts"),
    TOTAL(nested_interrupts, "nested interrupts"),
    TOTAL(inversions_deterministic, "inversions, deterministic"),
    TOTAL(inversions_nondeterministic, "inversions, non-deterministic"),
    COLUMN("migrations", "migrations", COUNT, n.sums.migrations, OFF_SCREEN),
    COUNT_OF("delay_count", "sch delays", n.delay, OFF_SCREEN),
    MEAN_OF("delay_mean", "sch delay, mean", n.delay, OFF_SCREEN),
    OF("delay_max", "sch delay, max", TIME_US, n.delay, max, OFF_SCREEN),
    OF("delay_max_at", "at", AT, n.delay, max_at, OFF_SCREEN),
    COUNT_OF("preempted_wait_count", "preempted waits", n.preempted, OFF_SCREEN),
    OF("preempted_wait_max", "preempted wait, max", TIME_US, n.preempted, max, OFF_SCREEN),
};

/* ---- messages ----------------------------------------------------------------------------- */

#define PART_OF_SERVICE(key, head, member, place) \
    COLUMN(key, NULL, PART, m.member, "service", head, 40 + (place) - 30, place)

/* CPU time of the server process for the clients; undefined if it is not computed. */
#define OF_SERVER(key, field, ...) \
    {key, NULL, TT_STAT_TIME_MS, AT(field), AT(m.has_cpu), TT_STAT_ALWAYS, false, true, {__VA_ARGS__}}

/* The columns that sums of messages share; ranks of the main ones differ. */
#define MESSAGE_COLUMNS \
    COLUMN("kind", "kind", TEXT, m.kind,                "", "kind", 9, 4),                         \
    COLUMN("count", "count", COUNT, count,              "", "count", 2, 5),                         \
    COLUMN("rate_hz", "rate", RATE, count,              "", "rate", 13, 6),                         \
    MEAN_OF("round_mean", NULL, m.round,                "round", "mean", 5, 10),                    \
    OF("round_p50", NULL, TIME_US, m.round, p50,        "round", "p50", 12, 11),                    \
    OF("round_p99", NULL, TIME_US, m.round, p99,        "round", "p99", 4, 12),                     \
    OF("round_max", NULL, TIME_US, m.round, max,        "round", "max", 3, 13),                     \
    OF("round_max_at", NULL, AT, m.round, max_at,       "round", "at", 10, 14),                      \
    MEAN_OF("queue_mean", NULL, m.queue,                "queue", "mean", 17, 15),                   \
    OF("queue_p50", NULL, TIME_US, m.queue, p50,        "queue", "p50", 21, 16),                    \
    OF("queue_p99", NULL, TIME_US, m.queue, p99,        "queue", "p99", 7, 17),                     \
    OF("queue_max", NULL, TIME_US, m.queue, max,        "queue", "max", 18, 18),                    \
    OF("queue_max_at", NULL, AT, m.queue, max_at,       "queue", "at", 22, 19),                     \
    COLUMN("queue_busy", NULL, TIME_MS, m.queue_busy,   "queue", "busy", 55, 20),                     \
    COLUMN("queue_sched", NULL, TIME_MS, m.queue_sched, "queue", "sched", 56, 20),                   \
    MEAN_OF("service_mean", NULL, m.service,            "service", "mean", 16, 20),                 \
    OF("service_p50", NULL, TIME_US, m.service, p50,    "service", "p50", 23, 21),                  \
    OF("service_p99", NULL, TIME_US, m.service, p99,    "service", "p99", 6, 22),                   \
    OF("service_max", NULL, TIME_US, m.service, max,    "service", "max", 19, 23),                  \
    OF("service_max_at", NULL, AT, m.service, max_at,   "service", "at", 24, 24),                   \
    MEAN_OF("return_mean", NULL, m.back,                "return", "mean", 25, 25),                  \
    OF("return_p50", NULL, TIME_US, m.back, p50,        "return", "p50", 26, 26),                   \
    OF("return_p99", NULL, TIME_US, m.back, p99,        "return", "p99", 14, 27),                   \
    OF("return_max", NULL, TIME_US, m.back, max,        "return", "max", 20, 28),                   \
    OF("return_max_at", NULL, AT, m.back, max_at,       "return", "at", 27, 29),                    \
    COLUMN("service_parts", NULL, PARTS, m,             "", "service", 8, 30),                      \
    PART_COLUMNS,                                                                                   \
    COLUMN("errors", "errors", COUNT, m.errors,         "", "errors", 11, 42),                      \
    COLUMN("errno", NULL, COUNT, m.error_number,        "", "errno", 54, 43),                        \
    COLUMN("error", NULL, TEXT, m.error,                "", "error", 11, 44)

#define PART_COLUMNS \
    PART_OF_SERVICE("run_pct", "run %", class_ticks[TT_CLASS_RUNNING], 31),                         \
    PART_OF_SERVICE("irq_pct", "irq %", irq, 32),                                                   \
    PART_OF_SERVICE("ready_pct", "ready %", class_ticks[TT_CLASS_READY], 33),                       \
    PART_OF_SERVICE("ipc_pct", "ipc %", class_ticks[TT_CLASS_IPC], 34),                             \
    PART_OF_SERVICE("lock_pct", "lock %", class_ticks[TT_CLASS_LOCK], 35),                          \
    PART_OF_SERVICE("condition_pct", "cond %", class_ticks[TT_CLASS_CONDITION], 36),                \
    PART_OF_SERVICE("sleep_pct", "sleep %", class_ticks[TT_CLASS_SLEEP], 37),                       \
    PART_OF_SERVICE("wait_pct", "wait %", class_ticks[TT_CLASS_WAIT], 38)

static const struct tt_stat_column processes_columns[] = {
    COLUMN("client_pid", NULL, PROCESS_PID, peer,      "client", "pid", 50, 7),
    COLUMN("client", "client", SENDER, thread,         "", "client", 0, 1),
    COLUMN("server_pid", NULL, PROCESS_PID, process,   "server", "pid", 51, 8),
    COLUMN("server", "server", RECEIVER, to,           "", "server", 1, 2),
    MESSAGE_COLUMNS,
    OF_SERVER("imposed", m.imposed, "", "imposed", 59, 45),
    OF_SERVER("imposed_gross", m.imposed_gross, "", "gross", 60, 46),
    OF_SERVER("charged", m.charged, "", "charged", 61, 47),
};

static const struct tt_stat_column client_columns[] = {
    COLUMN("client_pid", NULL, LANE_PID, thread,       "", "pid", 50, 2),
    COLUMN("client_tid", NULL, LANE_TID, thread,       "", "tid", 51, 3),
    COLUMN("client", "client", LANE_NAME, thread,      "", "client", 0, 1),
    MESSAGE_COLUMNS,
};

static const struct tt_stat_column server_columns[] = {
    COLUMN("server_pid", NULL, PROCESS_PID, process,   "", "pid", 50, 2),
    COLUMN("server", "server", RECEIVER, to,           "", "server", 0, 1),
    COLUMN("busy", NULL, TIME_MS, m.busy,              "busy", "", 52, 7),
    COLUMN("busy_pct", "busy %", SHARE, m.busy,        "busy", "%", 1, 8),
    COLUMN("waiting_mean", NULL, DEPTH, m.waiting,     "waiting", "mean", 15, 9),
    COLUMN("waiting_max", NULL, COUNT, m.waiting_max,  "waiting", "max", 28, 9),
    COLUMN("serving_max", NULL, COUNT, m.serving_max,  "", "serving", 29, 9),
    MESSAGE_COLUMNS,
};

static const struct tt_stat_column channel_columns[] = {
    COLUMN("server_pid", NULL, PROCESS_PID, process,   "", "pid", 50, 2),
    COLUMN("server", "server", RECEIVER, to,           "", "server", 0, 1),
    COLUMN("channel_name", NULL, QUEUE, channel,       "", "channel", 1, 3),
    COLUMN("channel", NULL, COUNT, channel,            "", "chid", 58, 4),
    COLUMN("connection", NULL, COUNT, number,          "", "connection", 57, 4),
    MESSAGE_COLUMNS,
};

static const struct tt_stat_column object_columns[] = {
    COLUMN("pid", NULL, PROCESS_PID, process,           "", "pid", 30, 4),
    COLUMN("process", "process", PROCESS_NAME, process, "", "process", 2, 3),
    COLUMN("kind", "kind", KIND, post,                  "", "kind", 1, 2),
    COLUMN("object", "object", OBJECT, number,          "", "object", 0, 1),
    COLUMN("waits", "waits", COUNT, o.waits,            "", "waits", 3, 5),
    COUNT_OF("wait_count", NULL, o.wait,                OFF_SCREEN),
    COLUMN("wait_sum", NULL, TIME_US, o.wait.sum,       "wait", "sum", 14, 6),
    MEAN_OF("wait_mean", NULL, o.wait,                  "wait", "mean", 6, 7),
    OF("wait_p50", NULL, TIME_US, o.wait, p50,          "wait", "p50", 13, 8),
    OF("wait_p99", NULL, TIME_US, o.wait, p99,          "wait", "p99", 5, 9),
    OF("wait_max", NULL, TIME_US, o.wait, max,          "wait", "max", 4, 10),
    OF("wait_max_at", NULL, AT, o.wait, max_at,         "wait", "at", 10, 11),
    COLUMN("waiter", NULL, LANE_NAME, o.waiter,         "", "waiter", 11, 12),
    COLUMN("max_holder", NULL, LANE_NAME, o.wait_holder, "", "held by", 9, 13),
    COUNT_OF("holds", NULL, o.hold,                     "hold", "count", 17, 14),
    OF("hold_sum", NULL, TIME_US, o.hold, sum,          OFF_SCREEN),
    MEAN_OF("hold_mean", NULL, o.hold,                  "hold", "mean", 16, 15),
    OF("hold_max", NULL, TIME_US, o.hold, max,          "hold", "max", 8, 16),
    OF("hold_max_at", NULL, AT, o.hold, max_at,         "hold", "at", 18, 17),
    COLUMN("holder", NULL, LANE_NAME, o.holder,         "hold", "by", 19, 18),
    COLUMN("contended", NULL, TIME_MS, o.contended,     "contended", "", 31, 19),
    COLUMN("contended_pct", NULL, SHARE, o.contended,   "contended", "%", 7, 20),
    COLUMN("waiting_mean", NULL, DEPTH, o.waiting,      "waiting", "mean", 20, 21),
    COLUMN("waiting_max", NULL, COUNT, o.waiting_max,   "waiting", "max", 12, 22),
};

static const struct tt_stat_column message_columns[] = {
    COLUMN("client_pid", NULL, LANE_PID, thread,       "client", "pid", 20, 3),
    COLUMN("client_tid", NULL, LANE_TID, thread,       "client", "tid", 21, 4),
    COLUMN("client", "client", LANE_NAME, thread,      "", "client", 0, 1),
    COLUMN("server_pid", NULL, PROCESS_PID, process,   "server", "pid", 22, 5),
    COLUMN("server_tid", NULL, LANE_TID, to,           "server", "tid", 23, 6),
    COLUMN("server", "server", RECEIVER, to,           "", "server", 1, 2),
    COLUMN("channel_name", NULL, QUEUE, channel,       "", "channel", 25, 7),
    COLUMN("channel", NULL, COUNT, channel,            "", "chid", 58, 7),
    COLUMN("connection", NULL, COUNT, number,          "", "connection", 24, 7),
    COLUMN("send", NULL, AT, begin,                    "", "at", 4, 8),
    OF("round", NULL, TIME_US, m.round, max,           "time", "round", 2, 10),
    OF("queue", NULL, TIME_US, m.queue, max,           "time", "queue", 5, 11),
    COLUMN("queue_busy", NULL, TIME_US, m.queue_busy,  "time", "busy", 27, 11),
    COLUMN("queue_sched", NULL, TIME_US, m.queue_sched, "time", "sched", 28, 11),
    OF("service", NULL, TIME_US, m.service, max,       "time", "service", 3, 12),
    OF("return", NULL, TIME_US, m.back, max,           "time", "return", 6, 13),
    COLUMN("service_parts", NULL, PARTS, m,            "", "parts", 7, 30),
    PART_COLUMNS,
    COLUMN("end", NULL, TEXT, m.kind,                  "", "end", 8, 42),
    COLUMN("errno", NULL, COUNT, m.error_number,       "", "errno", 26, 43),
    COLUMN("error", NULL, TEXT, m.error,               "", "error", 9, 44),
};

static const struct tt_stat_column matrix_columns[] = {
    COLUMN("client_pid", NULL, LANE_PID, thread,       "client", "pid", 20, 3),
    COLUMN("client_tid", NULL, LANE_TID, thread,       "client", "tid", 21, 4),
    COLUMN("client", "client", LANE_NAME, thread,      "", "client", 0, 1),
    COLUMN("server_pid", NULL, PROCESS_PID, process,   "server", "pid", 22, 5),
    COLUMN("server", "server", PROCESS_NAME, process,  "", "server", 1, 2),
    COLUMN("imposed", NULL, TIME_MS, clients.imposed,  "imposed", "", 2, 6),
    COLUMN("imposed_pct", NULL, SHARE, clients.imposed, "imposed", "%", 4, 7),
    COLUMN("imposed_gross", NULL, TIME_MS, clients.imposed_gross, "", "gross", 6, 8),
    COLUMN("charged", NULL, TIME_MS, clients.charged,  "charged", "", 3, 9),
    COLUMN("charged_pct", NULL, SHARE, clients.charged, "charged", "%", 5, 10),
    COLUMN("client_self", NULL, TIME_MS, clients.self, "self", "", 7, 11),
};

static const struct tt_stat_column imposed_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread, OFF_SCREEN),
    COLUMN("tid", NULL, LANE_TID, thread, OFF_SCREEN),
    COLUMN("thread", "thread", LANE_NAME, thread, OFF_SCREEN),
    COLUMN("self", NULL, TIME_MS, clients.self, OFF_SCREEN),
    COLUMN("imposed", NULL, TIME_MS, clients.imposed, OFF_SCREEN),
    COLUMN("imposed_gross", NULL, TIME_MS, clients.imposed_gross, OFF_SCREEN),
    COLUMN("charged", NULL, TIME_MS, clients.charged, OFF_SCREEN),
    COLUMN("unserved", NULL, TIME_MS, clients.unserved, OFF_SCREEN),
    COLUMN("total", NULL, TIME_MS, clients.total, OFF_SCREEN),
};

/* clang-format on */

#define TABLE(name)                                                                                \
    {                                                                                              \
        name##_columns, sizeof name##_columns / sizeof *name##_columns                             \
    }

const struct tt_stat_column *tt_stat_columns(int by, size_t *count)
{
    static const struct {
        const struct tt_stat_column *columns;
        size_t count;
    } tables[TT_STATS_BY_ALL] = {
        [TT_STATS_BY_THREAD] = TABLE(thread),   [TT_STATS_BY_CPU] = TABLE(cpu),
        [TT_STATS_BY_PROCESS] = TABLE(process), [TT_STATS_BY_PAIR] = TABLE(pair),
        [TT_STATS_BY_EVENT] = TABLE(event),     [TT_STATS_BY_TOTAL] = TABLE(total),
        [TT_STATS_BY_JOB] = TABLE(job),         [TT_STATS_BY_INTERRUPT] = TABLE(interrupt),
        [TT_STATS_BY_BLAME] = TABLE(blame),     [TT_STATS_BY_INVERSION] = TABLE(inversion),
        [TT_STATS_BY_SERVICE] = TABLE(service), [TT_STATS_BY_PROFILE] = TABLE(profile),
        [TT_STATS_BY_STACK] = TABLE(stack),     [TT_STATS_BY_FILEX] = TABLE(filex),
        [TT_STATS_BY_NETX] = TABLE(netx),       [TT_STATS_BY_PROCESSES] = TABLE(processes),
        [TT_STATS_BY_SERVER] = TABLE(server),   [TT_STATS_BY_CHANNEL] = TABLE(channel),
        [TT_STATS_BY_OBJECT] = TABLE(object),   [TT_STATS_BY_MATRIX] = TABLE(matrix),
        [TT_STATS_BY_CLIENT] = TABLE(client),   [TT_STATS_BY_IMPOSED] = TABLE(imposed),
        [TT_STATS_BY_MESSAGE] = TABLE(message),
    };
    *count = tables[by].count;
    return tables[by].columns;
}

const char *tt_stats_word(int by)
{
    static const char *const words[TT_STATS_BY_ALL] = {
#define X(id, word) [id] = word,
        TT_STATS_BY_INFO(X) TT_STATS_OF_MESSAGES_INFO(X)
#undef X
    };
    return words[by];
}

const char *tt_stat_head(int by, const char *key)
{
    size_t count;
    const struct tt_stat_column *columns = tt_stat_columns(by, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(columns[i].key, key) == 0 && columns[i].screen.head) {
            const struct tt_stat_screen *screen = &columns[i].screen;
            return screen->head[0] ? screen->head : screen->group;
        }
    }
    return "";
}
