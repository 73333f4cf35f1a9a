/* SPDX-License-Identifier: Apache-2.0 */
/* interrupts: the table of interrupts by number. */
#include <stdlib.h>
#include <string.h>

#include "analysis/interrupts.h"
#include "table/sums.h"

struct interrupt_row {
    struct tt_subject of; /* name of the event, number and system */
    uint64_t settled;
    uint64_t index; /* in the statistics */
    uint64_t count;
    struct tt_distribution period, duration, handler;
    uint64_t nested, depth, wakes, threads;
    const char *woken;
};

struct interrupts {
    struct tt_interrupt_stats *stats;
    bool listed; /* rows keep their positions */
    size_t row;  /* whose distributions are computed: `numbers`, if `opened` */
    bool opened;
    struct interrupt_row open;
    struct tt_interrupt_numbers numbers;
};

static void set_numbers(struct interrupt_row *row, const struct tt_interrupt_numbers *numbers)
{
    row->of.name = numbers->key.event;
    row->of.number = numbers->key.vector;
    row->of.system = (uint16_t)numbers->key.system;
    row->count = numbers->count;
    row->period = numbers->period;
    row->duration = numbers->duration;
    row->handler = numbers->handler;
    row->nested = numbers->nested;
    row->depth = numbers->depth;
    row->wakes = numbers->wakes;
    row->threads = numbers->threads;
    row->woken = numbers->woken;
}

static bool make_interrupt(const struct tt_table_run *run, size_t index, void *room)
{
    struct interrupt_row *row = room;
    const struct interrupts *interrupts = run->state;
    struct tt_interrupt_numbers numbers = tt_interrupt_stats_counted(interrupts->stats, index);
    set_numbers(row, &numbers);
    row->index = index;
    return true;
}

static bool list_interrupts(struct tt_table_run *run, struct tt_interrupt_stats *stats)
{
    size_t count = tt_interrupt_stats_count(stats), used = 0;
    struct tt_listed *items = malloc((count + 1) * sizeof *items);
    if (!items || !tt_interrupt_stats_name(stats)) {
        free(items);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct tt_interrupt_numbers n = tt_interrupt_stats_counted(stats, i);
        if (n.count > 0 || n.duration.count > 0 || n.woken[0]) {
            items[used++] = (struct tt_listed){0, n.count, n.key.event, n.key.vector, i};
        }
    }
    return tt_table_list_frequent(run, items, used, make_interrupt);
}

static enum tt_made refresh_interrupts(struct tt_table_run *run)
{
    struct interrupts *interrupts = run->state;
    bool ok = !interrupts->stats || interrupts->listed || list_interrupts(run, interrupts->stats);
    return ok ? TT_MADE_ALL : TT_MADE_NO_MEMORY;
}

/* Computes the percentiles of the rows one after the other. */
static enum tt_made settle_interrupts(struct tt_table_run *run, struct interrupts *interrupts)
{
    for (; interrupts->row < run->count; interrupts->row++, interrupts->opened = false) {
        if (!interrupts->opened) {
            tt_table_row_at(run, interrupts->row, &interrupts->open);
            interrupts->numbers =
                tt_interrupt_stats_counted(interrupts->stats, interrupts->open.index);
            interrupts->opened = true;
        }
        if (run->work == 0 || !tt_interrupt_stats_at_step(interrupts->stats, interrupts->open.index,
                                                          &run->work, &interrupts->numbers)) {
            return TT_MADE_PART;
        }
        set_numbers(&interrupts->open, &interrupts->numbers);
        interrupts->open.settled = 1;
        struct interrupt_row *total = run->total; /* without percentiles and periods */
        total->of.name = total->woken = "";
        total->of.number = total->threads = TT_TABLE_NONE;
        total->count += interrupts->open.count;
        total->nested += interrupts->open.nested;
        bool known = total->wakes != TT_TABLE_NONE && interrupts->open.wakes != TT_TABLE_NONE;
        total->wakes = known ? total->wakes + interrupts->open.wakes : TT_TABLE_NONE;
        total->depth =
            interrupts->open.depth > total->depth ? interrupts->open.depth : total->depth;
        tt_distribution_add(&total->duration, &interrupts->open.duration);
        tt_distribution_add(&total->handler, &interrupts->open.handler);
        if (!tt_table_put(run, interrupts->row, &interrupts->open)) {
            return TT_MADE_NO_MEMORY;
        }
    }
    run->has_total = run->count > 1;
    return TT_MADE_ALL;
}

static enum tt_made step_interrupts(struct tt_table_run *run)
{
    struct interrupts *interrupts = run->state;
    if (interrupts->listed) {
        return settle_interrupts(run, interrupts);
    }
    if (!interrupts->stats) {
        struct tt_event_window window = tt_table_event_window(&run->request);
        interrupts->stats = tt_interrupt_stats_new(run->request.trace, &window);
    }
    bool done = false;
    struct tt_status status =
        interrupts->stats
            ? tt_interrupt_stats_step(interrupts->stats, run->request.events, run->work, &done)
            : tt_error_memory();
    if (tt_failed(&status)) {
        return TT_MADE_NO_MEMORY;
    }
    if (!done) {
        return TT_MADE_PART;
    }
    run->shrunk |= tt_interrupt_stats_truncated(interrupts->stats);
    interrupts->listed = list_interrupts(run, interrupts->stats);
    return interrupts->listed ? settle_interrupts(run, interrupts) : TT_MADE_NO_MEMORY;
}

static unsigned percent_of_interrupts(const struct tt_table_run *run)
{
    const struct interrupts *interrupts = run->state;
    return interrupts->stats ? tt_interrupt_stats_percent(interrupts->stats) : 0;
}

static bool shrink_interrupts(struct tt_table_run *run, size_t *bytes)
{
    const struct interrupts *interrupts = run->state;
    return interrupts->stats && tt_interrupt_stats_shrink(interrupts->stats, bytes);
}

static void end_interrupts(struct tt_table_run *run)
{
    tt_interrupt_stats_free(((struct interrupts *)run->state)->stats);
}

#define ROW struct interrupt_row
#define IN

/* clang-format off */
static const struct tt_table_column interrupt_columns[] = {
    COLUMN("event", "event", TEXT, of.name, SCREEN("", "event", 10, 1), "Name of its event.", .is_key = true),
    COLUMN("vector", "vector", COUNT, of.number, SCREEN("", "vector", 0, 2), "Number of the interrupt.", .is_key = true, .is_identity = true),
    COLUMN("count", "count", COUNT, count, SCREEN("", "count", 1, 3), "Interrupts that began.", .is_neutral = true, .compared = 1),
    COLUMN("rate_hz", "rate", RATE, count, SCREEN("", "rate", 4, 4), "Number of them per second."),
    COUNT_OF("duration_count", NULL, duration, SCREEN("duration", "count", 15, 5), "Number of those with a known begin and end."),
    MEAN_OF("duration_mean", "duration mean", duration, SCREEN("duration", "mean", 5, 6), "Length, the mean."),
    OF("duration_p50", NULL, TIME_US, duration, p50, SCREEN("duration", "p50", 16, 7), "Length, the median.", .compared = 2),
    OF("duration_p99", "p99", TIME_US, duration, p99, SCREEN("duration", "p99", 6, 8), "Length that 99 % do not exceed.", .compared = 3),
    OF("duration_max", "max", TIME_US, duration, max, SCREEN("duration", "max", 2, 9), "Length, the longest."),
    OF("duration_max_at", "at", AT, duration, max_at, SCREEN("duration", "at", 7, 10), "When the longest one ended."),
    COUNT_OF("handler_count", NULL, handler, SCREEN("handler", "count", 17, 11), "Handlers with a known begin and end."),
    MEAN_OF("handler_mean", NULL, handler, SCREEN("handler", "mean", 11, 12), "Length of a handler, the mean."),
    OF("handler_p99", NULL, TIME_US, handler, p99, SCREEN("handler", "p99", 18, 13), "Length of a handler that 99 % do not exceed."),
    OF("handler_max", "handler max", TIME_US, handler, max, SCREEN("handler", "max", 8, 14), "Length of a handler, the longest."),
    OF("handler_max_at", NULL, AT, handler, max_at, SCREEN("handler", "at", 19, 15), "When the longest handler ended."),
    MEAN_OF("period_mean", "period mean", period, SCREEN("period", "mean", 9, 16), "Time from one to the next, the mean."),
    OF("period_p99", NULL, TIME_US, period, p99, SCREEN("period", "p99", 20, 17), "Time from one to the next that 99 % do not exceed."),
    OF("period_max", NULL, TIME_US, period, max, SCREEN("period", "max", 14, 18), "Time from one to the next, the longest.", .lost = TT_LOST_EITHER),
    OF("period_max_at", NULL, AT, period, max_at, SCREEN("period", "at", 21, 19), "When the longest period ended."),
    COLUMN("nested", "nested", COUNT, nested, SCREEN("", "nested", 12, 20), "How often it interrupted another interrupt."),
    COLUMN("depth", NULL, COUNT, depth, SCREEN("", "depth", 22, 21), "Most interrupts that were open at once.", .is_level = true),
    COLUMN("wakes", "wakes", COUNT, wakes, SCREEN("", "wakes", 3, 22), "Threads that it made ready, each time counted."),
    COLUMN("threads", NULL, COUNT, threads, SCREEN("", "threads", 23, 23), "Different threads that it made ready.", .is_level = true),
    COLUMN("woken", "woken", TEXT, woken, SCREEN("", "woken threads", 13, 24), "Threads that it made ready most often."),
};
/* clang-format on */

const struct tt_table tt_table_interrupts = {
    NAMES("interrupt", "Interrupts", "An interrupt.", "interrupt [vector]"),
    .row_title = "[event]| [vector?]",
    COLUMNS(interrupt_columns),
    OF_ROW(struct interrupt_row),
    .state_size = sizeof(struct interrupts),
    .settled = offsetof(struct interrupt_row, settled),
    .longest = {"duration_max", "period_max"},
    .filter = TT_FILTER_EVENTS,
    .order = "duration_max",
    .step = step_interrupts,
    .refresh = refresh_interrupts,
    .percent = percent_of_interrupts,
    .shrink = shrink_interrupts,
    .end = end_interrupts,
};
