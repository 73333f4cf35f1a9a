/* SPDX-License-Identifier: Apache-2.0 */
/* cpus: the table of CPUs. */
#include "table/sums.h"

struct cpu_row {
    struct tt_subject of;
    struct tt_cpu_sums sums;
};

/* Not in steps: the sums of a CPU cost two searches. */
static enum tt_made step_cpus(struct tt_table_run *run)
{
    const struct tt_window *window = &run->request.window;
    struct cpu_row row, *total = run->total;
    uint32_t count = tt_cpu_count(run->timelines);
    count = count > run->capture->cpu_count ? count : run->capture->cpu_count;
    bool ok = tt_table_reserve(run, count);
    for (uint32_t cpu = 0; ok && cpu < count && cpu < TT_NO_CPU; cpu++) {
        if (tt_window_has_cpu(window, cpu)) {
            tt_table_clear_row(run->table, &row);
            row.of.cpu = (uint16_t)cpu;
            tt_cpu_sum(run->timelines, row.of.cpu, window->from, window->to, &row.sums);
            tt_cpu_sums_add(&total->sums, &row.sums);
            ok = tt_table_add(run, &row);
        }
    }
    run->has_total = run->count > 1;
    return ok ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}

#define ROW struct cpu_row
#define IN

/* clang-format off */
static const struct tt_table_column cpu_columns[] = {
    COLUMN("cpu", "CPU", CPU, of.cpu, SCREEN("", "CPU", 0, 1), "Number of the CPU.", .is_key = true),
    COLUMN("busy", "busy", TIME_MS, sums.busy, SCREEN("busy", "", 2, 3), "Time in which threads ran, without interrupts and the kernel.", .compared = 1, .is_common = true),
    COLUMN("idle", "idle", TIME_MS, sums.idle, SCREEN("time", "idle", 3, 4), "Time without a thread.", .is_good = true),
    COLUMN("irq", "irq", TIME_MS, sums.irq, SCREEN("time", "irq", 6, 5), "Time in interrupts.", .compared = 2, .lost = TT_LOST_RUNNING),
    COLUMN("kernel", "kernel", TIME_MS, sums.kernel, SCREEN("time", "kernel", 7, 6), "Time in the kernel without a thread.", .compared = 3),
    COLUMN("unknown", "unknown", TIME_MS, sums.unknown, SCREEN("time", "unknown", 8, 7), "Time in which the occupant is unknown.", .lost = TT_LOST_UNKNOWN),
    COLUMN("irq_count", "irqs", COUNT, sums.interrupts, SCREEN("", "irqs", 5, 8), "Interrupts that began.", .is_neutral = true, .compared = 5),
    COLUMN("switches", "switches", COUNT, sums.switches, SCREEN("", "switches", 4, 9), "Changes of the thread on the CPU.", .is_neutral = true, .compared = 4, .is_common = true),
    COLUMN("busy_pct", "busy % of range", SHARE, sums.busy, SCREEN("busy", "%", 1, 2), "Time in which threads ran, in percent of the range."),
};
/* clang-format on */

const struct tt_table tt_table_cpus = {
    NAMES("cpu", "CPUs", "A CPU.", "CPU [cpu]"),
    COLUMNS(cpu_columns),
    .of_lane = true,
    OF_ROW(struct cpu_row),
    .cpu_sums = offsetof(struct cpu_row, sums),
    .filter = TT_FILTER_CPUS,
    .order = "cpu",
    .step = step_cpus,
};
