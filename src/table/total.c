/* SPDX-License-Identifier: Apache-2.0 */
/* total: the table of the whole range, one row: sums of all CPUs and over all threads that count. */
#include <stdlib.h>

#include "table/sums.h"

#define SUM_WORK 100u /* cost of sums and a search, in intervals */

struct total_row {
    struct tt_subject of;
    uint64_t window, events, processes, threads, cpus;
    struct tt_cpu_sums busy;
    struct tt_totals totals;
    struct tt_thread_sums sums;
    struct tt_distribution delay, preempted; /* without percentiles */
};

/* The threads are added one after the other, in parts of the window. */
struct total {
    struct total_row row;
    uint32_t thread, threads; /* excludes threads that are added later */
    bool opened;              /* the thread's sums are added, and its delays before `reached` */
    uint64_t reached;
    struct tt_delays scratch;
    bool *seen; /* by process, whether a thread of it is counted; NULL: not begun */
    uint32_t processes;
    struct tt_totals by_tool; /* of the format's tool, if the run has_tool */
    struct tt_thread_totals *own;
};

/* Returns whether the totals are those of the format's tool. */
static bool has_tool_totals(const struct tt_table_run *run)
{
    return run->has_tool && !run->request.window.cpus;
}

/* Begins with the values that are not sums over threads. */
static enum tt_made begin_total(struct tt_table_run *run, struct total *total)
{
    const struct tt_table_request *request = &run->request;
    struct total_row *row = &total->row;
    uint32_t cpus = tt_cpu_count(run->timelines);
    tt_table_clear_row(run->table, row);
    cpus = cpus > run->capture->cpu_count ? cpus : run->capture->cpu_count;
    for (uint32_t cpu = 0; cpu < cpus && cpu < TT_NO_CPU; cpu++) {
        if (tt_window_has_cpu(&request->window, cpu)) {
            struct tt_cpu_sums sums;
            tt_cpu_sum(run->timelines, (uint16_t)cpu, request->window.from, request->window.to,
                       &sums);
            tt_cpu_sums_add(&row->busy, &sums);
            row->cpus++;
        }
    }
    tt_totals_of_cpus(run->timelines, &request->window, &row->totals);
    row->window = run->window;
    row->events = request->threads || request->window.cpus
                      ? TT_TABLE_NONE /* `--by event` counts them */
                  : request->end_row > request->first_row
                      ? tt_events_number(request->events, request->end_row) -
                            tt_events_number(request->events, request->first_row)
                      : 0;
    total->threads = tt_thread_count(run->capture);
    total->processes = tt_process_count(run->capture);
    total->seen = calloc((size_t)total->processes + 1, sizeof *total->seen);
    if (total->seen && run->capture->format->tool.totals) {
        total->own = calloc((size_t)total->threads + 1, sizeof *total->own);
        run->has_tool = total->own && tt_events_totals(request->events, &request->keys,
                                                       &total->by_tool, total->own);
    }
    return total->seen && (total->own || !run->capture->format->tool.totals) ? TT_MADE_ALL
                                                                             : TT_MADE_NO_MEMORY;
}

static void add_samples(struct tt_distribution *total, const struct tt_samples *samples)
{
    const struct tt_distribution its = {.count = samples->count,
                                        .sum = samples->sum,
                                        .max = samples->max,
                                        .max_at = samples->max_at};
    tt_distribution_add(total, &its);
}

/* Adds a thread: its sums first, then its delays and suspensions in parts of the window. */
static enum tt_made total_add_thread(struct tt_table_run *run, struct total *total)
{
    const struct tt_window *window = &run->request.window;
    struct total_row *row = &total->row;
    if (!total->opened) {
        uint32_t process = tt_thread_at(run->capture, total->thread)->process;
        struct tt_thread_sums sums;
        tt_thread_sum_in(run->timelines, total->thread, window, &sums);
        tt_thread_sums_add(&row->sums, &sums);
        row->threads++;
        if (process < total->processes && !total->seen[process]) {
            total->seen[process] = true;
            row->processes++;
        }
        total->reached = window->from;
        total->opened = true;
    }
    while (total->reached < window->to) {
        struct tt_window part = *window;
        part.from = total->reached;
        if (!tt_delays_gather_part(&total->scratch, run->timelines, total->thread, window,
                                   &total->reached, &run->work)) {
            return TT_MADE_NO_MEMORY;
        }
        add_samples(&row->delay, &total->scratch.delay);
        add_samples(&row->preempted, &total->scratch.preempted);
        tt_delays_clear(&total->scratch);
        if (!has_tool_totals(run)) {
            uint64_t suspensions, resumptions;
            part.to = total->reached;
            tt_thread_suspensions(run->timelines, total->thread, &part, &suspensions, &resumptions);
            row->totals.suspensions += suspensions;
            row->totals.resumptions += resumptions;
        }
        if (!tt_table_spend(run, SUM_WORK)) {
            return TT_MADE_PART;
        }
    }
    total->opened = false;
    return TT_MADE_ALL;
}

/* Completes the totals, by the rules of the format's tool if it has any and they apply to the selection. */
static void set_totals(const struct tt_table_run *run, struct total *total)
{
    struct tt_totals *totals = &total->row.totals;
    if (has_tool_totals(run) && !run->request.threads) {
        *totals = total->by_tool;
        return;
    }
    totals->preemptions = total->row.sums.out_preempted;
    if (run->request.threads) { /* switches to the selected threads */
        totals->context_switches = total->row.sums.in;
        totals->interrupts = totals->nested_interrupts = TT_NO_TOTAL;
    }
    for (uint32_t thread = 0; has_tool_totals(run) && thread < total->threads; thread++) {
        if (tt_table_includes(run, thread)) {
            totals->suspensions += total->own[thread].suspensions;
            totals->resumptions += total->own[thread].resumptions;
        }
    }
}

static enum tt_made step_total(struct tt_table_run *run)
{
    struct total *total = run->state;
    enum tt_made made = total->seen ? TT_MADE_ALL : begin_total(run, total);
    while (made == TT_MADE_ALL && total->thread < total->threads) {
        made = tt_table_counts(run, total->thread) ? total_add_thread(run, total) : TT_MADE_ALL;
        total->thread += made == TT_MADE_ALL;
        if (made == TT_MADE_ALL && !tt_table_spend(run, 1) && total->thread < total->threads) {
            return TT_MADE_PART;
        }
    }
    if (made != TT_MADE_ALL) {
        return made;
    }
    set_totals(run, total);
    return tt_table_reserve(run, 1) && tt_table_add(run, &total->row) ? TT_MADE_ALL
                                                                      : TT_MADE_NO_MEMORY;
}

static unsigned percent_of_total(const struct tt_table_run *run)
{
    const struct total *total = run->state;
    return total->seen ? tt_table_percent_of(total->thread, total->threads) : 0;
}

static void end_total(struct tt_table_run *run)
{
    struct total *total = run->state;
    tt_delays_free(&total->scratch);
    free(total->seen);
    free(total->own);
}

#define ROW struct total_row
#define IN

/* clang-format off */
/* A count of struct tt_totals; its key is the member's name. */
#define TOTAL(member_, heading_, ...) \
    COLUMN(#member_, heading_, COUNT, totals.member_, OFF_SCREEN, __VA_ARGS__)

static const struct tt_table_column total_columns[] = {
    COLUMN("window", "window", TIME_MS, window, OFF_SCREEN, "Length of the range.", .lost = TT_LOST_NOT),
    COLUMN("events", "events", COUNT, events, OFF_SCREEN, "Number of events.", .is_neutral = true, .compared = 4),
    COLUMN("processes", "processes", COUNT, processes, OFF_SCREEN, "Number of processes.", .is_level = true),
    COLUMN("threads", "threads", COUNT, threads, OFF_SCREEN, "Number of threads.", .is_level = true),
    COLUMN("cpus", "CPUs", COUNT, cpus, OFF_SCREEN, "Number of CPUs.", .is_level = true),
    COLUMN("busy", "busy", TIME_MS, busy.busy, OFF_SCREEN, "Time of all CPUs in which threads ran.", .compared = 1, .is_common = true),
    COLUMN("idle", "idle", TIME_MS, busy.idle, OFF_SCREEN, "Time of all CPUs without a thread.", .is_good = true),
    COLUMN("irq", "irq", TIME_MS, busy.irq, OFF_SCREEN, "Time of all CPUs in interrupts.", .compared = 2, .lost = TT_LOST_RUNNING),
    COLUMN("kernel", "kernel", TIME_MS, busy.kernel, OFF_SCREEN, "Time of all CPUs in the kernel without a thread.", .compared = 3),
    COLUMN("unknown", "unknown", TIME_MS, busy.unknown, OFF_SCREEN, "Time of all CPUs in which the occupant is unknown.", .lost = TT_LOST_UNKNOWN),
    TOTAL(context_switches, "context switches", "Switches from one thread to another.", .is_neutral = true, .compared = 5, .is_common = true),
    TOTAL(preemptions, "preemptions", "Switches away from a thread that could run longer.", .compared = 6),
    TOTAL(time_slices, "time slices", "Ends of time slices."),
    TOTAL(suspensions, "suspensions", "How often it was suspended, as the format's tool counts."),
    TOTAL(resumptions, "resumptions", "How often it was resumed, as the format's tool counts."),
    TOTAL(interrupts, "interrupts", "Number of interrupts.", .is_neutral = true, .compared = 7),
    TOTAL(nested_interrupts, "nested interrupts", "Interrupts of other interrupts."),
    TOTAL(inversions_deterministic, "inversions, deterministic", "Priority inversions by the holder of a mutex."),
    TOTAL(inversions_nondeterministic, "inversions, non-deterministic", "Priority inversions by other threads."),
    COLUMN("migrations", "migrations", COUNT, sums.migrations, OFF_SCREEN, "Switches of threads to another CPU.", .compared = 8, .is_common = true),
    COUNT_OF("delay_count", "sch delays", delay, OFF_SCREEN, "Waits of all threads from ready to running."),
    MEAN_OF("delay_mean", "sch delay, mean", delay, OFF_SCREEN, "Time from ready to running, the mean.", .compared = 9, .is_common = true),
    OF("delay_max", "sch delay, max", TIME_US, delay, max, OFF_SCREEN, "Time from ready to running, the longest."),
    OF("delay_max_at", "at", AT, delay, max_at, OFF_SCREEN, "When the longest wait from ready to running ended."),
    COUNT_OF("preempted_wait_count", "preempted waits", preempted, OFF_SCREEN, "Waits from a preemption to running that end in the range."),
    OF("preempted_wait_max", "preempted wait, max", TIME_US, preempted, max, OFF_SCREEN, "Time from a preemption to running again, the longest."),
};
/* clang-format on */

const struct tt_table tt_table_total = {
    NAMES("total", "Total", "The whole range.", "total"),
    COLUMNS(total_columns),
    OF_ROW(struct total_row),
    .state_size = sizeof(struct total),
    .is_overall = true,
    .is_upright = true,
    .filter = TT_FILTER_THREADS,
    .step = step_total,
    .percent = percent_of_total,
    .end = end_total,
};
