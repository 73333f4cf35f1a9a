/* SPDX-License-Identifier: Apache-2.0 */
/*
 * columns: the columns of the tables of threads, processes, CPUs, pairs, events, jobs, interrupts,
 * blames, inversions, services and of the formats' tools.
 */
#include "table/columns.h"

#include <string.h>

#include "table/builder.h"
#include "table/stat_cells.h"

#define ROW             struct tt_stat_row
#define IN_CLASS(class) n.sums.ticks[TT_CLASS_##class]

/* clang-format off */

/* A time, and a point in time, of jobs; undefined while the distribution is empty. */
#define OF_JOB(key_, heading_, its, member, screen_, doc_, ...) \
    {.key = key_, .heading = heading_, .unit = TT_UNIT_TIME_US, .field = AT(j.member), \
     .basis = AT(its.count), .distribution = TT_TABLE_ALWAYS, .screen = screen_, .doc = doc_, __VA_ARGS__}
#define AT_OF_JOB(key_, heading_, its, member, screen_, doc_, ...) \
    {.key = key_, .heading = heading_, .unit = TT_UNIT_AT, .field = AT(j.member), \
     .basis = AT(its.count), .distribution = TT_TABLE_ALWAYS, .screen = screen_, .doc = doc_, __VA_ARGS__}
#define OF_TOOL(key_, heading_, member, screen_, doc_, ...) \
    {.key = key_, .heading = heading_, .unit = TT_UNIT_COUNT, .field = AT(member), PLAIN, \
     .of_tool = true, .screen = screen_, .doc = doc_, __VA_ARGS__}
#define TEXT_OF_TOOL(key_, heading_, member, screen_, doc_, ...) \
    {.key = key_, .heading = heading_, .unit = TT_UNIT_TEXT, .field = AT(member), PLAIN, \
     .of_tool = true, .screen = screen_, .doc = doc_, __VA_ARGS__}
/* CPU time by client; undefined if it is not computed. */
#define OF_CLIENTS(member, doc_) \
    {.key = #member, .unit = TT_UNIT_TIME_MS, .field = AT(clients.member), \
     .basis = AT(clients.known), .distribution = TT_TABLE_ALWAYS, .of_clients = true, \
     .screen = {"by client", #member, 0, 0}, .doc = doc_}
/* A count of struct tt_totals; its key is the member's name. */
#define TOTAL(member_, heading_, ...) \
    COLUMN(#member_, heading_, COUNT, totals.member_, OFF_SCREEN, __VA_ARGS__)

/* The occupant of the CPU during ready time. */
#define READY_BY(key, member, head, rank, doc) \
    COLUMN(key, NULL, TIME_MS, ready_by.member, SCREEN("ready by", head, rank, 53), doc)

/* The columns that threads and processes share. */
#define RUNNING_COLUMNS(slice_compared) \
    COLUMN("run", "run", TIME_MS, run, SCREEN("run", "", 1, 10), "CPU time without interrupts.", .compared = 1, .is_common = true), \
    COLUMN("run_pct", "run %", SHARE, run, SCREEN("run", "%", 3, 11), "CPU time without interrupts, in percent of the range."), \
    COLUMN("irq", NULL, TIME_MS, n.sums.irq, SCREEN("run", "irq", 32, 12), "Time of interrupts while it was on a CPU."), \
    COLUMN("switches_in", "runs", COUNT, n.sums.in, SCREEN("switches", "runs", 20, 14), "How often it got a CPU.", .is_neutral = true, .compared = 8, .is_common = true), \
    COLUMN("switches_out", NULL, COUNT, out, SCREEN("switches", "out", 21, 15), "How often it left a CPU."), \
    COLUMN("voluntary", "vol", COUNT, n.sums.out_voluntary, SCREEN("switches", "vol", 7, 16), "How often it left a CPU to wait.", .of_reason = true), \
    COLUMN("preempted", "pre", COUNT, n.sums.out_preempted, SCREEN("switches", "pre", 8, 17), "How often it left a CPU although it could run longer.", .of_reason = true, .compared = 9), \
    COLUMN("unknown_out", NULL, COUNT, n.sums.out_unknown, SCREEN("switches", "unk", 33, 18), "How often it left a CPU for an unknown reason."), \
    COLUMN("migrations", "mig", COUNT, n.sums.migrations, SCREEN("switches", "mig", 9, 19), "How often it got another CPU than the one before.", .compared = 10, .is_common = true), \
    COUNT_OF("slices", NULL, n.slice, SCREEN("switches", "slices", 6, 13), "Runs that end in the range."), \
    MEAN_OF("slice_mean", NULL, n.slice, SCREEN("slice", "mean", 22, 41), "Length of a run without interrupts, the mean.", .is_neutral = true, .compared = slice_compared, .is_common = true), \
    OF("slice_max", NULL, TIME_US, n.slice, max, SCREEN("slice", "max", 17, 42), "Length of a run without interrupts, the longest."), \
    OF("slice_max_at", NULL, AT, n.slice, max_at, SCREEN("slice", "at", 34, 43), "When the longest run ended."), \
    COLUMN("ready", NULL, TIME_MS, IN_CLASS(READY), SCREEN("time", "ready", 24, 45), "Time in which it could run and had no CPU.", .compared = 2, .is_common = true), \
    READY_BY("ready_higher", higher, "higher", 39, "Part of its ready time in which a thread of higher priority had the CPU."), \
    READY_BY("ready_equal", equal, "equal", 47, "Part of its ready time in which a thread of equal priority had the CPU."), \
    READY_BY("ready_lower", lower, "lower", 48, "Part of its ready time in which a thread of lower priority had the CPU."), \
    READY_BY("ready_occupied", occupied, "occupied", 49, "Part of its ready time in which a thread of unknown priority had the CPU."), \
    READY_BY("ready_interrupt", interrupt, "interrupt", 60, "Part of its ready time in which interrupts had the CPU."), \
    READY_BY("ready_kernel", kernel, "kernel", 61, "Part of its ready time in which the kernel had the CPU."), \
    READY_BY("ready_idle", idle, "idle", 62, "Part of its ready time in which the CPU was idle."), \
    READY_BY("ready_unknown", unknown, "unknown", 63, "Part of its ready time in which the occupant of the CPU is unknown."), \
    COUNT_OF("delay_count", NULL, n.delay, SCREEN("sch delay", "count", 19, 20), "Waits from ready to running that end in the range."), \
    MEAN_OF("delay_mean", "delay mean", n.delay, SCREEN("sch delay", "mean", 14, 21), "Time from ready to running, the mean."), \
    OF("delay_p50", NULL, TIME_US, n.delay, p50, SCREEN("sch delay", "p50", 12, 22), "Time from ready to running, the median.", .compared = 4, .is_common = true), \
    OF("delay_p95", NULL, TIME_US, n.delay, p95, SCREEN("sch delay", "p95", 4, 23), "Time from ready to running that 95 % do not exceed."), \
    OF("delay_p99", "p99", TIME_US, n.delay, p99, SCREEN("sch delay", "p99", 13, 24), "Time from ready to running that 99 % do not exceed.", .compared = 5, .is_common = true), \
    OF("delay_max", "max", TIME_US, n.delay, max, SCREEN("sch delay", "max", 2, 25), "Time from ready to running, the longest."), \
    OF("delay_max_at", "at", AT, n.delay, max_at, SCREEN("sch delay", "at", 5, 26), "When the longest wait from ready to running ended."), \
    COUNT_OF("preempted_wait_count", NULL, n.preempted, SCREEN("preempted wait", "count", 18, 27), "Waits from a preemption to running that end in the range."), \
    MEAN_OF("preempted_wait_mean", NULL, n.preempted, SCREEN("preempted wait", "mean", 51, 28), "Time from a preemption to running again, the mean."), \
    OF("preempted_wait_p50", NULL, TIME_US, n.preempted, p50, SCREEN("preempted wait", "p50", 52, 29), "Time from a preemption to running again, the median."), \
    OF("preempted_wait_p95", NULL, TIME_US, n.preempted, p95, SCREEN("preempted wait", "p95", 53, 30), "Time from a preemption to running again that 95 % do not exceed."), \
    OF("preempted_wait_p99", NULL, TIME_US, n.preempted, p99, SCREEN("preempted wait", "p99", 54, 31), "Time from a preemption to running again that 99 % do not exceed.", .compared = 6), \
    OF("preempted_wait_max", NULL, TIME_US, n.preempted, max, SCREEN("preempted wait", "max", 15, 32), "Time from a preemption to running again, the longest."), \
    OF("preempted_wait_max_at", NULL, AT, n.preempted, max_at, SCREEN("preempted wait", "at", 55, 33), "When the longest wait after a preemption ended."), \
    COUNT_OF("wait_count", NULL, n.wait, SCREEN("wait", "count", 31, 34), "Waits from leaving the CPU to ready that end in the range."), \
    MEAN_OF("wait_mean", NULL, n.wait, SCREEN("wait", "mean", 23, 35), "Time from leaving the CPU to ready, the mean."), \
    OF("wait_p50", NULL, TIME_US, n.wait, p50, SCREEN("wait", "p50", 56, 36), "Time from leaving the CPU to ready, the median."), \
    OF("wait_p95", NULL, TIME_US, n.wait, p95, SCREEN("wait", "p95", 57, 37), "Time from leaving the CPU to ready that 95 % do not exceed."), \
    OF("wait_p99", NULL, TIME_US, n.wait, p99, SCREEN("wait", "p99", 58, 38), "Time from leaving the CPU to ready that 99 % do not exceed."), \
    OF("wait_max", "wait max", TIME_US, n.wait, max, SCREEN("wait", "max", 16, 39), "Time from leaving the CPU to ready, the longest."), \
    OF("wait_max_at", NULL, AT, n.wait, max_at, SCREEN("wait", "at", 59, 40), "When the longest wait ended."), \
    COLUMN("unknown", NULL, TIME_MS, IN_CLASS(UNKNOWN), SCREEN("time", "unknown", 30, 52), "Time in unknown states."), \
    COLUMN("running", NULL, TIME_MS, IN_CLASS(RUNNING), SCREEN("time", "running", 40, 44), "Time on a CPU with interrupts."), \
    COLUMN("ipc", NULL, TIME_MS, IN_CLASS(IPC), SCREEN("time", "ipc", 25, 46), "Time in which it waited for messages."), \
    COLUMN("lock", NULL, TIME_MS, IN_CLASS(LOCK), SCREEN("time", "lock", 26, 47), "Time in which it waited for locks.", .compared = 3), \
    COLUMN("sleep", NULL, TIME_MS, IN_CLASS(SLEEP), SCREEN("time", "sleep", 27, 48), "Time in which it slept."), \
    COLUMN("wait", NULL, TIME_MS, IN_CLASS(WAIT), SCREEN("time", "wait", 28, 49), "Time in which it waited for something else."), \
    COLUMN("stopped", NULL, TIME_MS, IN_CLASS(STOPPED), SCREEN("time", "stopped", 29, 50), "Time in which it was stopped."), \
    COLUMN("dead", NULL, TIME_MS, IN_CLASS(DEAD), SCREEN("time", "dead", 41, 51), "Time after its end.")

/* The columns of CPU time by client, the last ones of threads and processes. */
#define CLIENT_COLUMNS \
    OF_CLIENTS(self, "CPU time of its own."), OF_CLIENTS(imposed, "CPU time of servers while they serve it, directly or through others."), OF_CLIENTS(imposed_gross, "CPU time of servers while they serve it, with interrupts."), OF_CLIENTS(charged, "CPU time of servers, each instant given to one client only.")

static const struct tt_table_column thread_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread, SCREEN("", "pid", 35, 2), "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, thread, SCREEN("", "tid", 36, 3), "Number of the thread in its process."),
    COLUMN("process", NULL, PROCESS_NAME, process, SCREEN("", "process", 42, 4), "Name of the process, or its number without one."),
    COLUMN("thread", "thread", LANE_NAME, thread, SCREEN("", "thread", 0, 1), "Process, number and name of the thread.", .is_key = true),
    COLUMN("priority", "pri", NUMBER, priority, SCREEN("", "pri", 10, 5), "Last known priority.", .is_level = true),
    COLUMN("priority_min", NULL, NUMBER, priority_min, SCREEN("pri", "min", 37, 6), "Lowest priority in the range."),
    COLUMN("priority_max", NULL, NUMBER, priority_max, SCREEN("pri", "max", 38, 7), "Highest priority in the range."),
    RUNNING_COLUMNS(7),
    COLUMN("idle", NULL, COUNT, idle, SCREEN("", "idle", 50, 60), "1: an idle thread, in no total.", .is_identity = true, .is_good = true),
    OF_TOOL("suspensions", NULL, own.suspensions, SCREEN("", "suspensions", 43, 61), "How often it was suspended, as the format's tool counts."),
    OF_TOOL("resumptions", NULL, own.resumptions, SCREEN("", "resumptions", 44, 62), "How often it was resumed, as the format's tool counts."),
    OF_TOOL("stack_min", "stack min", own.stack_min, SCREEN("stack", "min", 45, 63), "Least free bytes of its stack.", .is_level = true, .is_good = true),
    OF_TOOL("stack_size", "stack size", own.stack_size, SCREEN("stack", "size", 46, 64), "Bytes of its stack.", .is_level = true),
    CLIENT_COLUMNS,
};

static const struct tt_table_column process_columns[] = {
    COLUMN("pid", "pid", PROCESS_PID, process, SCREEN("", "pid", 10, 2), "Number of the process in the traced system."),
    COLUMN("process", "process", PROCESS_NAME, process, SCREEN("", "process", 0, 1), "Name of the process, or its number without one.", .is_key = true),
    COLUMN("threads", "threads", COUNT, threads, SCREEN("", "threads", 11, 3), "Number of threads.", .is_level = true),
    RUNNING_COLUMNS(0),
    COLUMN("running_any", NULL, TIME_MS, c.busy, SCREEN("time", "running any", 35, 44), "Time in which at least one of its threads was on a CPU."),
    CLIENT_COLUMNS,
};

static const struct tt_table_column cpu_columns[] = {
    COLUMN("cpu", "CPU", CPU, cpu, SCREEN("", "CPU", 0, 1), "Number of the CPU.", .is_key = true),
    COLUMN("busy", "busy", TIME_MS, c.busy, SCREEN("busy", "", 2, 3), "Time in which threads ran, without interrupts and the kernel.", .compared = 1, .is_common = true),
    COLUMN("idle", "idle", TIME_MS, c.idle, SCREEN("time", "idle", 3, 4), "Time without a thread.", .is_good = true),
    COLUMN("irq", "irq", TIME_MS, c.irq, SCREEN("time", "irq", 6, 5), "Time in interrupts.", .compared = 2),
    COLUMN("kernel", "kernel", TIME_MS, c.kernel, SCREEN("time", "kernel", 7, 6), "Time in the kernel without a thread.", .compared = 3),
    COLUMN("unknown", "unknown", TIME_MS, c.unknown, SCREEN("time", "unknown", 8, 7), "Time in which the occupant is unknown."),
    COLUMN("irq_count", "irqs", COUNT, c.interrupts, SCREEN("", "irqs", 5, 8), "Interrupts that began.", .is_neutral = true, .compared = 5),
    COLUMN("switches", "switches", COUNT, c.switches, SCREEN("", "switches", 4, 9), "Changes of the thread on the CPU.", .is_neutral = true, .compared = 4, .is_common = true),
    COLUMN("busy_pct", "busy %", SHARE, c.busy, SCREEN("busy", "%", 1, 2), "Time in which threads ran, in percent of the range."),
};

static const struct tt_table_column pair_columns[] = {
    COLUMN("cpu", "CPU", CPU, cpu, SCREEN("", "CPU", 3, 3), "Number of the CPU."),
    COLUMN("from_pid", NULL, LANE_PID, from, SCREEN("from", "pid", 4, 5), "Process of the thread that had the CPU."),
    COLUMN("from_tid", NULL, LANE_TID, from, SCREEN("from", "tid", 5, 6), "Number of the thread that had the CPU."),
    COLUMN("from", "from", LANE_NAME, from, SCREEN("", "from", 0, 1), "Thread that had the CPU.", .is_key = true),
    COLUMN("to_pid", NULL, LANE_PID, to, SCREEN("to", "pid", 6, 7), "Process of the thread that got the CPU."),
    COLUMN("to_tid", NULL, LANE_TID, to, SCREEN("to", "tid", 7, 8), "Number of the thread that got the CPU."),
    COLUMN("to", "to", LANE_NAME, to, SCREEN("", "to", 1, 2), "Thread that got the CPU.", .is_key = true),
    COLUMN("count", "count", COUNT, count, SCREEN("", "count", 2, 4), "Switches from the one to the other.", .is_neutral = true, .compared = 1, .is_common = true),
};

static const struct tt_table_column event_columns[] = {
    COLUMN("class", "class", TEXT, e.class_name, SCREEN("", "class", 3, 2), "Class of the event.", .is_key = true),
    COLUMN("event", "event", TEXT, e.name, SCREEN("", "event", 0, 1), "Name of the event.", .is_key = true),
    COLUMN("count", "count", COUNT, e.count, SCREEN("", "count", 1, 3), "Number of the events.", .is_neutral = true, .compared = 1),
    COLUMN("rate_hz", "rate", RATE, e.count, SCREEN("", "rate", 7, 4), "Number of them per second."),
    MEAN_OF("period_mean", "period mean", e.period, SCREEN("period", "mean", 5, 5), "Time from one to the next, the mean."),
    OF("period_p99", "p99", TIME_US, e.period, p99, SCREEN("period", "p99", 11, 6), "Time from one to the next that 99 % do not exceed."),
    OF("period_max", "max", TIME_US, e.period, max, SCREEN("period", "max", 4, 7), "Time from one to the next, the longest."),
    COUNT_OF("duration_count", "duration count", e.duration, SCREEN("duration", "count", 10, 8), "Number of those with a known begin and end."),
    MEAN_OF("duration_mean", "mean", e.duration, SCREEN("duration", "mean", 8, 9), "Length, the mean."),
    OF("duration_p50", "p50", TIME_US, e.duration, p50, SCREEN("duration", "p50", 12, 10), "Length, the median.", .compared = 2),
    OF("duration_p99", "p99", TIME_US, e.duration, p99, SCREEN("duration", "p99", 9, 11), "Length that 99 % do not exceed.", .compared = 3),
    OF("duration_max", "max", TIME_US, e.duration, max, SCREEN("duration", "max", 2, 12), "Length, the longest."),
    OF("duration_max_at", "at", AT, e.duration, max_at, SCREEN("duration", "at", 6, 13), "When the longest one ended."),
};

static const struct tt_table_column job_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread, SCREEN("", "pid", 10, 2), "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, thread, SCREEN("", "tid", 11, 3), "Number of the thread in its process."),
    COLUMN("thread", "thread", LANE_NAME, thread, SCREEN("", "thread", 0, 1), "Process, number and name of the thread.", .is_key = true),
    COUNT_OF("count", "jobs", j.response, SCREEN("", "jobs", 1, 4), "Jobs that end in the range.", .is_neutral = true, .compared = 1),
    MEAN_OF("response_mean", NULL, j.response, SCREEN("response", "mean", 6, 5), "Time from ready to the end of a job, the mean."),
    OF("response_p50", NULL, TIME_US, j.response, p50, SCREEN("response", "p50", 12, 6), "Time from ready to the end of a job, the median.", .compared = 2),
    OF("response_p99", NULL, TIME_US, j.response, p99, SCREEN("response", "p99", 5, 8), "Time from ready to the end of a job that 99 % do not exceed.", .compared = 3),
    OF("response_max", "response max", TIME_US, j.response, max, SCREEN("response", "max", 2, 9), "Time from ready to the end of a job, the longest."),
    OF("response_max_at", "at", AT, j.response, max_at, SCREEN("response", "at", 4, 10), "When the job with the longest response ended."),
    OF("run_p99", NULL, TIME_US, j.run, p99, SCREEN("run", "p99", 13, 12), "CPU time of a job that 99 % do not exceed.", .compared = 5),
    OF("run_max", "run max", TIME_US, j.run, max, SCREEN("run", "max", 3, 13), "CPU time of a job, the longest."),
    MEAN_OF("period_mean", NULL, j.period, SCREEN("period", "mean", 8, 15), "Time from one to the next, the mean.", .is_neutral = true, .compared = 6),
    OF_JOB("period_min", NULL, j.period, period_min, SCREEN("period", "min", 14, 16), "Time from one to the next, the shortest."),
    OF("period_max", NULL, TIME_US, j.period, max, SCREEN("period", "max", 15, 17), "Time from one to the next, the longest."),
    OF_JOB("jitter", "jitter", j.period, jitter, SCREEN("period", "jitter", 7, 18), "Largest difference of two successive periods."),
    COLUMN("misses", "miss", COUNT, j.misses, SCREEN("", "missed", 9, 20), "Jobs that ended after their deadline."),
    OF("response_p95", NULL, TIME_US, j.response, p95, SCREEN("response", "p95", 16, 7), "Time from ready to the end of a job that 95 % do not exceed."),
    MEAN_OF("run_mean", NULL, j.run, SCREEN("run", "mean", 17, 11), "CPU time of a job, the mean.", .compared = 4),
    OF("run_max_at", NULL, AT, j.run, max_at, SCREEN("run", "at", 18, 14), "When the job with the most CPU time ended."),
    AT_OF_JOB("jitter_at", NULL, j.period, jitter_at, SCREEN("period", "at", 19, 19), "When the job after that difference ended."),
};

static const struct tt_table_column interrupt_columns[] = {
    COLUMN("event", "event", TEXT, e.name, SCREEN("", "event", 10, 1), "Name of its event.", .is_key = true),
    COLUMN("vector", "vector", COUNT, number, SCREEN("", "vector", 0, 2), "Number of the interrupt.", .is_key = true, .is_identity = true),
    COLUMN("count", "count", COUNT, e.count, SCREEN("", "count", 1, 3), "Interrupts that began.", .is_neutral = true, .compared = 1),
    COLUMN("rate_hz", "rate", RATE, e.count, SCREEN("", "rate", 4, 4), "Number of them per second."),
    COUNT_OF("duration_count", NULL, e.duration, SCREEN("duration", "count", 15, 5), "Number of those with a known begin and end."),
    MEAN_OF("duration_mean", "duration mean", e.duration, SCREEN("duration", "mean", 5, 6), "Length, the mean."),
    OF("duration_p50", NULL, TIME_US, e.duration, p50, SCREEN("duration", "p50", 16, 7), "Length, the median.", .compared = 2),
    OF("duration_p99", "p99", TIME_US, e.duration, p99, SCREEN("duration", "p99", 6, 8), "Length that 99 % do not exceed.", .compared = 3),
    OF("duration_max", "max", TIME_US, e.duration, max, SCREEN("duration", "max", 2, 9), "Length, the longest."),
    OF("duration_max_at", "at", AT, e.duration, max_at, SCREEN("duration", "at", 7, 10), "When the longest one ended."),
    COUNT_OF("handler_count", NULL, i.handler, SCREEN("handler", "count", 17, 11), "Handlers with a known begin and end."),
    MEAN_OF("handler_mean", NULL, i.handler, SCREEN("handler", "mean", 11, 12), "Length of a handler, the mean."),
    OF("handler_p99", NULL, TIME_US, i.handler, p99, SCREEN("handler", "p99", 18, 13), "Length of a handler that 99 % do not exceed."),
    OF("handler_max", "handler max", TIME_US, i.handler, max, SCREEN("handler", "max", 8, 14), "Length of a handler, the longest."),
    OF("handler_max_at", NULL, AT, i.handler, max_at, SCREEN("handler", "at", 19, 15), "When the longest handler ended."),
    MEAN_OF("period_mean", "period mean", e.period, SCREEN("period", "mean", 9, 16), "Time from one to the next, the mean."),
    OF("period_p99", NULL, TIME_US, e.period, p99, SCREEN("period", "p99", 20, 17), "Time from one to the next that 99 % do not exceed."),
    OF("period_max", NULL, TIME_US, e.period, max, SCREEN("period", "max", 14, 18), "Time from one to the next, the longest."),
    OF("period_max_at", NULL, AT, e.period, max_at, SCREEN("period", "at", 21, 19), "When the longest period ended."),
    COLUMN("nested", "nested", COUNT, i.nested, SCREEN("", "nested", 12, 20), "How often it interrupted another interrupt."),
    COLUMN("depth", NULL, COUNT, i.depth, SCREEN("", "depth", 22, 21), "Most interrupts that were open at once.", .is_level = true),
    COLUMN("wakes", "wakes", COUNT, i.wakes, SCREEN("", "wakes", 3, 22), "Threads that it made ready, each time counted."),
    COLUMN("threads", NULL, COUNT, i.threads, SCREEN("", "threads", 23, 23), "Different threads that it made ready.", .is_level = true),
    COLUMN("woken", "woken", TEXT, i.woken, SCREEN("", "woken threads", 13, 24), "Threads that it made ready most often."),
};

static const struct tt_table_column blame_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread, SCREEN("", "pid", 6, 2), "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, thread, SCREEN("", "tid", 7, 3), "Number of the thread in its process."),
    COLUMN("thread", "thread", LANE_NAME, thread, SCREEN("", "thread", 0, 1), "Thread that waited.", .is_key = true),
    COLUMN("by_pid", NULL, LANE_PID, to, SCREEN("by", "pid", 8, 5), "Process of the thread that it is charged to."),
    COLUMN("by_tid", NULL, LANE_TID, to, SCREEN("by", "tid", 9, 6), "Number of the thread that it is charged to."),
    MADE("by", "by", NAME, tt_stat_charged, SCREEN("", "by", 1, 4), "Thread that it is charged to, or another cause.", .is_key = true),
    COLUMN("cause", "cause", TEXT, b.cause, SCREEN("", "cause", 2, 7), "Why: the kind of wait.", .is_key = true),
    COLUMN("cpu", NULL, CPU, cpu, SCREEN("interrupt", "CPU", 10, 8), "CPU of the interrupt that is the cause."),
    COLUMN("vector", "vec", COUNT, b.vector, SCREEN("interrupt", "vector", 11, 9), "Number of the interrupt that is the cause.", .is_identity = true),
    COLUMN("ready", "ready", TIME_MS, b.ready, SCREEN("time", "ready", 4, 10), "Part of the time in which the thread was ready.", .compared = 2),
    COLUMN("blocked", "blocked", TIME_MS, b.blocked, SCREEN("time", "blocked", 5, 11), "Part of the time in which the thread waited.", .compared = 3),
    COLUMN("total", NULL, TIME_MS, b.total, SCREEN("time", "total", 12, 12), "Sum of both.", .compared = 1),
    COLUMN("total_pct", "%", SHARE, b.total, SCREEN("time", "%", 3, 13), "Sum of both, in percent of the range."),
};

static const struct tt_table_column inversion_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread, SCREEN("", "pid", 6, 2), "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, thread, SCREEN("", "tid", 7, 3), "Number of the thread in its process."),
    COLUMN("thread", "thread", LANE_NAME, thread, SCREEN("", "thread", 0, 1), "Thread of higher priority that waited."),
    COLUMN("holder_pid", NULL, LANE_PID, from, SCREEN("holder", "pid", 8, 5), "Process of the holder."),
    COLUMN("holder_tid", NULL, LANE_TID, from, SCREEN("holder", "tid", 9, 6), "Number of the holder."),
    COLUMN("holder", "holder", LANE_NAME, from, SCREEN("", "holder", 2, 4), "Thread that held it."),
    COLUMN("by_pid", NULL, LANE_PID, to, SCREEN("by", "pid", 10, 8), "Process of the thread that it is charged to."),
    COLUMN("by_tid", NULL, LANE_TID, to, SCREEN("by", "tid", 11, 9), "Number of the thread that it is charged to."),
    MADE("by", "by", NAME, tt_stat_charged, SCREEN("", "by", 1, 7), "Thread that ran instead of the holder."),
    COLUMN("object", NULL, COUNT, b.vector, SCREEN("", "object", 12, 10), "Address or number of the mutex.", .is_identity = true),
    COLUMN("from", "from", AT, b.from, SCREEN("", "from", 4, 11), "When it began."),
    COLUMN("to", NULL, AT, b.to, SCREEN("", "to", 5, 12), "When it ended."),
    COLUMN("dur", "time", TIME_US, b.total, SCREEN("", "time", 3, 13), "How long it lasted."),
    TEXT_OF_TOOL("kind", "kind", b.cause, SCREEN("", "kind", 13, 14), "Kind of the inversion, as the format's tool names it."),
    OF_TOOL("begin_event", NULL, b.begin, SCREEN("event", "begin", 14, 15), "Event at which it began.", .is_identity = true),
    OF_TOOL("end_event", NULL, b.end, SCREEN("event", "end", 15, 16), "Event at which it ended.", .is_identity = true),
};

static const struct tt_table_column service_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread, SCREEN("", "pid", 6, 2), "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, thread, SCREEN("", "tid", 7, 3), "Number of the thread in its process."),
    COLUMN("thread", "thread", LANE_NAME, thread, SCREEN("", "thread", 1, 1), "Process, number and name of the thread.", .is_key = true),
    COLUMN("class", "class", TEXT, e.class_name, SCREEN("", "class", 5, 5), "Class of the event.", .is_key = true),
    COLUMN("event", "event", TEXT, e.name, SCREEN("", "event", 0, 4), "Name of the event.", .is_key = true),
    COLUMN("count", "count", COUNT, count, SCREEN("", "count", 2, 6), "Number of the events."),
    COLUMN("rate_hz", "rate", RATE, count, SCREEN("", "rate", 3, 7), "Number of them per second."),
    COLUMN("first_at", NULL, AT, first_at, SCREEN("", "first", 4, 8), "When the first of them was."),
};

static const struct tt_table_column profile_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread, SCREEN("", "pid", 6, 2), "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, thread, SCREEN("", "tid", 7, 3), "Number of the thread in its process."),
    COLUMN("context", "context", LANE_NAME, thread, SCREEN("", "context", 0, 1), "Thread, interrupt or other context that had the CPU.", .is_key = true),
    COLUMN("events", "events", COUNT, tool.v[1], SCREEN("", "events", 3, 4), "Number of events."),
    COLUMN("time", "time", TIME_MS, tool.v[0], SCREEN("time", "", 1, 5), "Time in which it had the CPU."),
    COLUMN("time_pct", "time %", SHARE, tool.v[0], SCREEN("time", "%", 2, 6), "Time in which it had the CPU, in percent of the range."),
};

static const struct tt_table_column stack_columns[] = {
    COLUMN("pid", NULL, LANE_PID, thread, SCREEN("", "pid", 8, 2), "Number of the process in the traced system."),
    COLUMN("tid", NULL, LANE_TID, thread, SCREEN("", "tid", 9, 3), "Number of the thread in its process."),
    COLUMN("thread", "thread", LANE_NAME, thread, SCREEN("", "thread", 0, 1), "Process, number and name of the thread.", .is_key = true),
    COLUMN("size", "size", COUNT, own.stack_size, SCREEN("stack", "size", 1, 4), "Bytes of the stack."),
    COLUMN("used", "used", COUNT, tool.v[0], SCREEN("stack", "used", 3, 5), "Most bytes of the stack in use."),
    COLUMN("used_pct", "used %", COUNT, tool.v[1], SCREEN("stack", "%", 2, 6), "Most bytes of the stack in use, in percent."),
    COLUMN("min", "free", COUNT, own.stack_min, SCREEN("stack", "free", 4, 7), "Least free bytes of the stack."),
    COLUMN("min_event", "event", COUNT, tool.v[2], SCREEN("minimum", "event", 5, 8), "Event with the least free bytes.", .is_identity = true),
    COLUMN("min_at", "at", AT, own.stack_ticks, SCREEN("minimum", "at", 6, 9), "When the fewest bytes were free."),
};

/* The columns of an instance, and its values. */
#define INSTANCE_COLUMNS \
    COLUMN("kind", "kind", TEXT, tool.kind, SCREEN("", "kind", 1, 2), "Kind of the instance.", .is_key = true), \
    COLUMN("name", "name", TEXT, tool.name, SCREEN("", "name", 0, 1), "Name of the instance.", .is_key = true), \
    COLUMN("address", NULL, COUNT, number, SCREEN("", "address", 2, 3), "Address on the target.", .is_key = true, .is_identity = true)
#define FILEX_VALUE(key, heading, group, head, rank, doc) \
    COLUMN(#key, heading, COUNT, tool.v[TT_FILEX_##key], SCREEN(group, head, rank, 4), doc),
#define NETX_VALUE(key, heading, group, head, rank, doc) \
    COLUMN(#key, heading, COUNT, tool.v[TT_NETX_##key], SCREEN(group, head, rank, 4), doc),

static const struct tt_table_column filex_columns[] = {INSTANCE_COLUMNS, TT_FILEX_VALUES(FILEX_VALUE)};
static const struct tt_table_column netx_columns[] = {INSTANCE_COLUMNS, TT_NETX_VALUES(NETX_VALUE)};

static const struct tt_table_column total_columns[] = {
    COLUMN("window", "window", TIME_MS, window, OFF_SCREEN, "Length of the range."),
    COLUMN("events", "events", COUNT, events, OFF_SCREEN, "Number of events.", .is_neutral = true, .compared = 4),
    COLUMN("processes", "processes", COUNT, processes, OFF_SCREEN, "Number of processes.", .is_level = true),
    COLUMN("threads", "threads", COUNT, threads, OFF_SCREEN, "Number of threads.", .is_level = true),
    COLUMN("cpus", "CPUs", COUNT, cpus, OFF_SCREEN, "Number of CPUs.", .is_level = true),
    COLUMN("busy", "busy", TIME_MS, c.busy, OFF_SCREEN, "Time of all CPUs in which threads ran.", .compared = 1, .is_common = true),
    COLUMN("idle", "idle", TIME_MS, c.idle, OFF_SCREEN, "Time of all CPUs without a thread.", .is_good = true),
    COLUMN("irq", "irq", TIME_MS, c.irq, OFF_SCREEN, "Time of all CPUs in interrupts.", .compared = 2),
    COLUMN("kernel", "kernel", TIME_MS, c.kernel, OFF_SCREEN, "Time of all CPUs in the kernel without a thread.", .compared = 3),
    COLUMN("unknown", "unknown", TIME_MS, c.unknown, OFF_SCREEN, "Time of all CPUs in which the occupant is unknown."),
    TOTAL(context_switches, "context switches", "Switches from one thread to another.", .is_neutral = true, .compared = 5, .is_common = true),
    TOTAL(preemptions, "preemptions", "Switches away from a thread that could run longer.", .compared = 6),
    TOTAL(time_slices, "time slices", "Ends of time slices."),
    TOTAL(suspensions, "suspensions", "How often it was suspended, as the format's tool counts."),
    TOTAL(resumptions, "resumptions", "How often it was resumed, as the format's tool counts."),
    TOTAL(interrupts, "interrupts", "Number of interrupts.", .is_neutral = true, .compared = 7),
    TOTAL(nested_interrupts, "nested interrupts", "Interrupts of other interrupts."),
    TOTAL(inversions_deterministic, "inversions, deterministic", "Priority inversions by the holder of a mutex."),
    TOTAL(inversions_nondeterministic, "inversions, non-deterministic", "Priority inversions by other threads."),
    COLUMN("migrations", "migrations", COUNT, n.sums.migrations, OFF_SCREEN, "Switches of threads to another CPU.", .compared = 8, .is_common = true),
    COUNT_OF("delay_count", "sch delays", n.delay, OFF_SCREEN, "Waits of all threads from ready to running."),
    MEAN_OF("delay_mean", "sch delay, mean", n.delay, OFF_SCREEN, "Time from ready to running, the mean.", .compared = 9, .is_common = true),
    OF("delay_max", "sch delay, max", TIME_US, n.delay, max, OFF_SCREEN, "Time from ready to running, the longest."),
    OF("delay_max_at", "at", AT, n.delay, max_at, OFF_SCREEN, "When the longest wait from ready to running ended."),
    COUNT_OF("preempted_wait_count", "preempted waits", n.preempted, OFF_SCREEN, "Waits from a preemption to running that end in the range."),
    OF("preempted_wait_max", "preempted wait, max", TIME_US, n.preempted, max, OFF_SCREEN, "Time from a preemption to running again, the longest."),
};

/* clang-format on */

/* ---- tables ------------------------------------------------------------------------------- */

const struct tt_table tt_table_threads = {
    .name = "thread",
    .title = "Threads",
    .doc = "A thread.",
    .row_name = "[thread]",
    COLUMNS(thread_columns),
    .order = "run",
    .idle = offsetof(struct tt_stat_row, idle),
    .filter = TT_FILTER_THREADS,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_cpus = {
    .name = "cpu",
    .title = "CPUs",
    .doc = "A CPU.",
    .row_name = "CPU [cpu]",
    COLUMNS(cpu_columns),
    .order = "cpu",
    .filter = TT_FILTER_CPUS,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_processes = {
    .name = "process",
    .title = "Processes",
    .doc = "A process.",
    .row_name = "[process]",
    .row_title = "[process]| [pid?]",
    COLUMNS(process_columns),
    .order = "run",
    .filter = TT_FILTER_THREADS,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_pairs = {
    .name = "pair",
    .title = "Switches",
    .doc = "Two threads of which one got the CPU of the other.",
    .row_name = "[from] -> [to]",
    .row_title = "[from], then [to] on CPU [cpu]",
    COLUMNS(pair_columns),
    .order = "count",
    .filter = TT_FILTER_THREADS,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_event_names = {
    .name = "event",
    .title = "Events",
    .doc = "The events of a name.",
    .row_name = "[event]| ([class?])",
    .row_title = "[event]",
    COLUMNS(event_columns),
    .order = "count",
    .filter = TT_FILTER_EVENTS,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_total = {
    .name = "total",
    .title = "Total",
    .doc = "The whole range.",
    .row_name = "total",
    COLUMNS(total_columns),
    .is_upright = true,
    .filter = TT_FILTER_THREADS,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_jobs = {
    .name = "job",
    .title = "Jobs",
    .doc = "The jobs of a thread.",
    .row_name = "[thread]",
    COLUMNS(job_columns),
    .order = "response_max",
    .filter = TT_FILTER_THREADS,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_interrupts = {
    .name = "interrupt",
    .title = "Interrupts",
    .doc = "An interrupt.",
    .row_name = "interrupt [vector]",
    .row_title = "[event]| [vector?]",
    COLUMNS(interrupt_columns),
    .order = "duration_max",
    .filter = TT_FILTER_EVENTS,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_blame = {
    .name = "blame",
    .title = "Blame",
    .doc = "A thread that waited, and what it waited for.",
    .row_name = "[thread] by [by]| ([cause?])",
    .row_title = "[thread], [cause]| [by?]",
    COLUMNS(blame_columns),
    .order = "total_pct",
    .filter = TT_FILTER_THREADS,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_inversions = {
    .name = "inversion",
    .title = "Priority inversions",
    .doc = "A priority inversion.",
    .row_name = "[thread] by [by]",
    .row_title = "[thread]: [by] had the CPU of [holder]",
    COLUMNS(inversion_columns),
    .order = "dur",
    .filter = TT_FILTER_THREADS,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_services = {
    .name = "service",
    .title = "Services",
    .doc = "The events of a thread and a name.",
    .row_name = "[thread] [event]",
    .row_title = "[event] of [thread]",
    COLUMNS(service_columns),
    .order = "count",
    .filter = TT_FILTER_EVENTS,
    OF_STAT_ROWS,
};

/* The tables of the format's own tool. */
static const char *missing_tool(const struct tt_capture *capture)
{
    return capture->format->tool_rows ? NULL : "only ThreadX captures have this table";
}

const struct tt_table tt_table_profile = {
    .name = "profile",
    .title = "Profile",
    .doc = "A context that had the CPU.",
    .row_name = "[context]",
    COLUMNS(profile_columns),
    .order = "time",
    .filter = TT_FILTER_THREADS,
    .missing = missing_tool,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_stacks = {
    .name = "stack",
    .title = "Stacks",
    .doc = "The stack of a thread.",
    .row_name = "[thread]",
    COLUMNS(stack_columns),
    .order = "used_pct",
    .filter = TT_FILTER_THREADS,
    .missing = missing_tool,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_filex = {
    .name = "filex",
    .title = "FileX",
    .doc = "A medium or file of FileX.",
    .row_name = "[name]",
    .row_title = "[kind] [name]",
    COLUMNS(filex_columns),
    .order = "operations",
    .filter = TT_FILTER_THREADS,
    .missing = missing_tool,
    OF_STAT_ROWS,
};

const struct tt_table tt_table_netx = {
    .name = "netx",
    .title = "NetX",
    .doc = "An instance of NetX.",
    .row_name = "[name]",
    .row_title = "[kind] [name]",
    COLUMNS(netx_columns),
    .order = "operations",
    .filter = TT_FILTER_THREADS,
    .missing = missing_tool,
    OF_STAT_ROWS,
};
