/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of cells equal the sums over single windows, on samples and real captures. */
#include <criterion/criterion.h>
#include <string.h>
#include <unistd.h>

#include "tracetui/timeline.h"
#include "tracetui/trace.h"
#include "tui/lanes/lanes.h"
#include "tui/model/workspace.h"

#define CELLS 61u

static uint64_t seed;

static uint64_t dice(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below > 0 ? (seed >> 16) % below : 0;
}

/* Ascending edges: even, with random steps, some equal. */
static void make_edges(const struct tt_timelines *t, uint64_t *edges)
{
    uint64_t begin = tt_timelines_begin(t), end = tt_timelines_end(t) + 1;
    uint64_t span = end - begin;
    uint64_t zoom = UINT64_C(1) << dice(20);
    uint64_t step = span / zoom / CELLS;
    edges[0] = begin + dice(span);
    for (uint32_t i = 0; i < CELLS; i++) {
        edges[i + 1] = edges[i] + (zoom & 2 ? step : dice(2 * step + 2));
    }
    if (dice(8) == 0) {
        edges[0] = begin > 1000 ? begin - 1000 : 0;
    }
}

static uint32_t starts_inside(const struct tt_timelines *t, uint32_t thread, uint64_t from,
                              uint64_t to)
{
    struct tt_interval_at at;
    uint32_t count = 0;
    for (bool more = tt_interval_first(t, thread, &at); more; more = tt_interval_next(t, &at)) {
        uint64_t start = tt_interval_get(t, at).start;
        count += start > from && start < to;
    }
    return count;
}

static void check_thread(const struct tt_timelines *t, uint32_t thread)
{
    uint64_t edges[CELLS + 1];
    struct tt_thread_cell cells[CELLS];
    make_edges(t, edges);
    tt_thread_cells(t, thread, edges, CELLS, cells);
    for (uint32_t i = 0; i < CELLS; i++) {
        struct tt_thread_sums sums;
        tt_thread_sum(t, thread, edges[i], edges[i + 1], &sums);
        cr_assert_arr_eq(cells[i].ticks, sums.ticks, sizeof sums.ticks, "thread %u, cell %u",
                         thread, i);
        uint32_t starts = starts_inside(t, thread, edges[i], edges[i + 1]);
        /* The end of a lane is a change but not an interval. */
        cr_assert(cells[i].changes == starts || cells[i].changes == starts + 1,
                  "thread %u, cell %u: %u changes of %u", thread, i, cells[i].changes, starts);
    }
}

static uint32_t most_of(const struct tt_timelines *t, const struct tt_capture *c, uint16_t cpu,
                        uint64_t from, uint64_t to, uint64_t *most)
{
    struct tt_occupation_at at;
    uint32_t best = TT_OCCUPANT_UNKNOWN;
    *most = 0;
    for (uint32_t thread = 0; thread < tt_thread_count(c); thread++) {
        uint64_t ticks = 0;
        bool more = tt_occupation_first(t, cpu, &at);
        for (; more; more = tt_occupation_next(t, &at)) {
            struct tt_occupation o = tt_occupation_get(t, at);
            uint64_t first = o.start > from ? o.start : from, last = o.end < to ? o.end : to;
            bool counts = o.occupant == thread && !o.idle && !tt_thread_at(c, thread)->pseudo;
            ticks += counts && last > first ? last - first : 0;
        }
        if (ticks > *most) {
            *most = ticks;
            best = thread;
        }
    }
    return best;
}

static void check_cpu(const struct tt_timelines *t, const struct tt_capture *c, uint16_t cpu)
{
    uint64_t edges[CELLS + 1];
    struct tt_cpu_cell cells[CELLS];
    make_edges(t, edges);
    tt_cpu_cells(t, cpu, edges, CELLS, cells);
    for (uint32_t i = 0; i < CELLS; i++) {
        struct tt_cpu_sums sums;
        tt_cpu_sum(t, cpu, edges[i], edges[i + 1], &sums);
        cr_assert_eq(cells[i].busy, sums.busy, "CPU %u cell %u", cpu, i);
        cr_assert_eq(cells[i].idle, sums.idle, "CPU %u cell %u", cpu, i);
        cr_assert_eq(cells[i].irq, sums.irq, "CPU %u cell %u", cpu, i);
        cr_assert_eq(cells[i].kernel, sums.kernel, "CPU %u cell %u", cpu, i);
        cr_assert_eq(cells[i].unknown, sums.unknown, "CPU %u cell %u", cpu, i);
        if (cells[i].changes <= TT_CELL_WALK && i % 8 == 0) {
            uint64_t most;
            uint32_t thread = most_of(t, c, cpu, edges[i], edges[i + 1], &most);
            if (cells[i].occupant != thread) { /* two may have been equal */
                uint64_t ticks;
                cr_assert_neq(cells[i].occupant, TT_OCCUPANT_UNKNOWN, "CPU %u cell %u: %u had most",
                              cpu, i, thread);
                tt_cpu_sum(t, cpu, edges[i], edges[i + 1], &sums);
                struct tt_thread_sums mine;
                tt_thread_sum(t, cells[i].occupant, edges[i], edges[i + 1], &mine);
                ticks = mine.ticks[TT_CLASS_RUNNING];
                cr_assert_geq(ticks, most, "CPU %u cell %u", cpu, i);
            }
        }
    }
}

static void check_capture(const char *path)
{
    struct tt_trace *trace;
    struct tt_trace_options options;
    memset(&options, 0, sizeof options);
    struct tt_status status = tt_trace_open(path, &options, &trace);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert_eq(status.code, TT_OK, "%s: %s", path, status.text);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    const struct tt_capture *c = tt_trace_capture(trace);
    cr_assert_not_null(t, "%s", path);
    for (int round = 0; round < 12; round++) {
        for (uint32_t thread = 0; thread < tt_thread_count(c); thread++) {
            check_thread(t, thread);
        }
        for (uint32_t cpu = 0; cpu <= tt_cpu_count(t); cpu++) {
            check_cpu(t, c, (uint16_t)cpu);
        }
    }
    tt_trace_close(trace);
}

static void check_if_there(const char *path)
{
    if (access(path, R_OK) != 0) {
        cr_skip_test("%s is not there", path);
    }
    check_capture(path);
}

/* The cases of a process share the state of the random numbers. */
static void begin_seed(void)
{
    seed = 20;
}

TestSuite(lanes_cells, .init = begin_seed);

Test(lanes_cells, demo)
{
    check_capture("samples/demo.kev");
}

Test(lanes_cells, fast)
{
    check_capture("samples/fast1.kev");
}

Test(lanes_cells, wide)
{
    check_capture("samples/wide4.kev");
}

Test(lanes_cells, threadx_four_cores)
{
    check_if_there("../shared/captures/trx/gen_smp_le64_4core.trx");
}

Test(lanes_cells, threadx)
{
    check_if_there("../shared/captures/trx/demo_threadx.trx");
}

Test(lanes_cells, fuchsia)
{
    check_if_there("../shared/captures/fxt/sched_new.fxt");
}

Test(lanes_cells, nothing_there)
{
    struct tt_thread_cell cells[2];
    struct tt_trace *trace;
    struct tt_trace_options options;
    uint64_t edges[3] = {0, 1, UINT64_MAX};
    memset(&options, 0, sizeof options);
    struct tt_status status = tt_trace_open("samples/fast1.kev", &options, &trace);
    cr_assert_eq(status.code, TT_OK, "%s", status.text);
    status = tt_trace_index(trace);
    cr_assert_eq(status.code, TT_OK);
    tt_thread_cells(tt_trace_timelines(trace), 100000, edges, 2, cells);
    for (unsigned class_ = 0; class_ < TT_CLASS_COUNT; class_++) {
        cr_assert_eq(cells[0].ticks[class_] + cells[1].ticks[class_], 0);
    }
    tt_trace_close(trace);
}

/* ---- drawing ------------------------------------------------------------------------------- */

static struct tt_cell drawn(struct tt_lane_cell cell)
{
    static struct tt_workspace ws;
    if (ws.term.grid.width == 0) {
        struct tt_status status = tt_term_theme(&ws.term, "dark");
        cr_assert(!tt_failed(&status) && tt_grid_resize(&ws.term.grid, 4, 1));
        ws.term.colored = true;
    }
    tt_grid_clear(&ws.term.grid);
    tt_lanes_draw_cell(&ws, tt_grid_area(&ws.term.grid), 1, 0, cell);
    return *tt_grid_at(&ws.term.grid, 1, 0);
}

Test(lanes_cells, the_running_part_of_a_mixed_cell_has_the_running_colour)
{
    for (unsigned class_ = TT_CLASS_RUNNING; class_ < TT_CLASS_COUNT; class_++) {
        struct tt_cell cell = drawn((struct tt_lane_cell){(uint8_t)class_, true, 3, 0});
        cr_assert_eq(cell.role, TT_ROLE_RUNNING, "class %u", class_);
        cr_assert_eq(cell.over,
                     class_ == TT_CLASS_READY       ? TT_ROLE_READY_BEHIND
                     : class_ == TT_CLASS_LOCK      ? TT_ROLE_LOCK_BEHIND
                     : class_ == TT_CLASS_IPC       ? TT_ROLE_IPC_BEHIND
                     : class_ == TT_CLASS_CONDITION ? TT_ROLE_CONDITION_BEHIND
                     : class_ == TT_CLASS_SLEEP     ? TT_ROLE_SLEEP_BEHIND
                     : class_ == TT_CLASS_WAIT      ? TT_ROLE_WAIT_BEHIND
                                                    : 0,
                     "class %u", class_);
    }
    cr_assert_eq(drawn((struct tt_lane_cell){TT_CLASS_READY, true, 0, 0}).role, TT_ROLE_READY);
    cr_assert_eq(drawn((struct tt_lane_cell){TT_CLASS_IPC, true, 1, 0}).role, TT_ROLE_IPC);
    cr_assert_eq(drawn((struct tt_lane_cell){TT_CLASS_READY, false, 0, 0}).role, TT_ROLE_READY);
}

Test(lanes_cells, what_holds_a_thread_up_for_long_never_vanishes)
{
    struct tt_thread_cell sums = {.changes = 9};
    sums.ticks[TT_CLASS_SLEEP] = 800;
    sums.ticks[TT_CLASS_READY] = 125;
    sums.ticks[TT_CLASS_RUNNING] = 75;
    cr_expect_eq(tt_lane_cell_of(&sums).held, 0, "up to an eighth it may");
    sums.ticks[TT_CLASS_READY] = 130;
    const struct tt_lane_cell cell = tt_lane_cell_of(&sums);
    cr_expect_eq(cell.held, TT_CLASS_READY);
    cr_expect_eq(cell.class_, TT_CLASS_SLEEP);
    cr_expect_eq(drawn(cell).role, TT_ROLE_READY);
    cr_expect_eq(drawn(cell).over, TT_ROLE_READY_BEHIND);
    sums.ticks[TT_CLASS_LOCK] = 200;
    cr_expect_eq(tt_lane_cell_of(&sums).held, TT_CLASS_LOCK, "the longer one");
    sums.ticks[TT_CLASS_RUNNING] = 2000;
    cr_expect_eq(drawn(tt_lane_cell_of(&sums)).role, TT_ROLE_RUNNING);
}
