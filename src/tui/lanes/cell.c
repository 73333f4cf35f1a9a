/* SPDX-License-Identifier: Apache-2.0 */
/* cell: selects the class that a cell shows. */
#include "tui/lanes/cell.h"

#include "tracetui/merge.h"

static const uint8_t preference[TT_CLASS_COUNT] = {
    TT_CLASS_RUNNING, TT_CLASS_READY, TT_CLASS_LOCK,    TT_CLASS_IPC,  TT_CLASS_CONDITION,
    TT_CLASS_SLEEP,   TT_CLASS_WAIT,  TT_CLASS_STOPPED, TT_CLASS_DEAD, TT_CLASS_UNKNOWN,
};

static uint8_t max_of(const struct tt_thread_cell *sums)
{
    uint8_t class_ = TT_LANE_NOTHING;
    uint64_t most = 0;
    for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
        uint64_t ticks = sums->ticks[preference[i]];
        if (ticks > most) {
            most = ticks;
            class_ = preference[i];
        }
    }
    return class_;
}

static uint8_t eighths(uint64_t part, uint64_t whole)
{
    struct tt_load load = {part < whole ? part : whole, 0, whole};
    return (uint8_t)tt_load_eighths(&load);
}

/* Returns what holds the thread up for more than an eighth of `whole`: the longer one of ready and a lock. */
static uint8_t held_by(const struct tt_thread_cell *sums, uint64_t whole)
{
    const uint64_t ready = sums->ticks[TT_CLASS_READY], lock = sums->ticks[TT_CLASS_LOCK];
    const uint64_t most = ready >= lock ? ready : lock;
    return most <= whole / 8 ? 0 : ready >= lock ? TT_CLASS_READY : TT_CLASS_LOCK;
}

struct tt_lane_cell tt_lane_cell_of(const struct tt_thread_cell *sums)
{
    uint64_t whole = 0;
    for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
        whole += sums->ticks[i];
    }
    struct tt_lane_cell cell = {max_of(sums), sums->changes > 1,
                                eighths(sums->ticks[TT_CLASS_RUNNING], whole),
                                held_by(sums, whole)};
    return cell;
}

uint8_t tt_lane_class_of(const struct tt_timelines *timelines, const struct tt_capture *capture,
                         const struct tt_interval *interval)
{
    uint64_t lost;
    const bool off =
        interval->class_ == TT_CLASS_UNKNOWN &&
        tt_format_has(tt_merge_format_of(capture, interval->thread), TT_FORMAT_UNKNOWN_IS_OFF) &&
        !tt_loss_of(timelines, interval->thread, interval->start, interval->end, &lost);
    return off ? TT_LANE_OFF : interval->class_;
}

void tt_lane_cells_of(struct tt_lane_cell *cells, const struct tt_timelines *timelines,
                      const struct tt_capture *capture, uint32_t thread, const uint64_t *edges,
                      unsigned columns, struct tt_thread_cell *sums)
{
    tt_thread_cells(timelines, thread, edges, columns, sums);
    const uint64_t end = tt_timelines_end(timelines);
    for (unsigned i = 0; i < columns; i++) {
        struct tt_interval interval;
        cells[i] = tt_lane_cell_of(&sums[i]);
        if (cells[i].class_ == TT_CLASS_UNKNOWN &&
            tt_lane_at(timelines, thread, edges[i + 1] <= end ? edges[i + 1] - 1 : end,
                       &interval)) {
            interval.class_ = TT_CLASS_UNKNOWN; /* the longest one of the cell, wherever in it */
            cells[i].class_ = tt_lane_class_of(timelines, capture, &interval);
        }
    }
}

struct tt_lane_cell tt_lane_cell_of_group(const struct tt_thread_cell *sums, uint64_t length)
{
    struct tt_lane_cell cell = {max_of(sums), sums->changes > 1,
                                eighths(sums->ticks[TT_CLASS_RUNNING], length),
                                held_by(sums, length)};
    uint64_t running = sums->ticks[TT_CLASS_RUNNING], ready = sums->ticks[TT_CLASS_READY];
    uint64_t half = length - length / 2;
    if (running >= half && running > 0) {
        cell.class_ = TT_CLASS_RUNNING;
    } else if (running + ready >= half && ready > 0) {
        cell.class_ = TT_CLASS_READY;
    }
    return cell;
}

void tt_lane_sums_add(struct tt_thread_cell *sums, const struct tt_thread_cell *more)
{
    for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
        sums->ticks[i] += more->ticks[i];
    }
    sums->changes += more->changes < UINT32_MAX - sums->changes ? more->changes : 0;
}

struct tt_cpu_lane_cell tt_cpu_lane_cell_of(const struct tt_cpu_cell *sums)
{
    const uint64_t ticks[TT_CPU_CELL_COUNT] = {
        [TT_CPU_CELL_BUSY] = sums->busy,       [TT_CPU_CELL_IDLE] = sums->idle,
        [TT_CPU_CELL_KERNEL] = sums->kernel,   [TT_CPU_CELL_IRQ] = sums->irq,
        [TT_CPU_CELL_UNKNOWN] = sums->unknown,
    };
    struct tt_cpu_lane_cell cell = {TT_CPU_CELL_NOTHING, sums->changes > 1, sums->irq > 0,
                                    sums->occupant};
    uint64_t most = 0;
    for (unsigned is = 0; is < TT_CPU_CELL_COUNT; is++) {
        if (ticks[is] > most) {
            most = ticks[is];
            cell.kind = (uint8_t)is;
        }
    }
    return cell;
}

bool tt_lane_at(const struct tt_timelines *timelines, uint32_t thread, uint64_t ticks,
                struct tt_interval *interval)
{
    struct tt_interval_at at;
    if (!tt_interval_find(timelines, thread, ticks, &at)) {
        return false;
    }
    *interval = tt_interval_get(timelines, at);
    return ticks <= tt_timelines_end(timelines);
}

unsigned tt_load_eighths(const struct tt_load *load)
{
    if (load->total == 0) {
        return 0;
    }
    if (load->unknown > load->total / 2) {
        return TT_LOAD_UNKNOWN;
    }
    /* double: 8 times the sum over many CPUs may overflow 64 bits. */
    double eighths = (double)load->busy * 8.0 / (double)load->total;
    unsigned whole = (unsigned)eighths;
    whole += (double)whole < eighths;
    return whole > 8 ? 8 : whole;
}

unsigned tt_percent(uint64_t part, uint64_t whole)
{
    return whole > 0 ? (unsigned)((double)part * 100.0 / (double)whole + 0.5) : 0;
}
