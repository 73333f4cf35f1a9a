/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of CPUs and events. */
#include <stdlib.h>
#include <string.h>

#include "analysis/sheet_making.h"

/* ---- CPUs --------------------------------------------------------------------------------- */

static void add_cpu(struct tt_cpu_sums *total, const struct tt_cpu_sums *c)
{
    total->busy += c->busy;
    total->idle += c->idle;
    total->irq += c->irq;
    total->kernel += c->kernel;
    total->unknown += c->unknown;
    total->interrupts += c->interrupts;
    total->switches += c->switches;
}

enum tt_made tt_make_cpus(struct tt_stat_making *m)
{
    uint32_t count = tt_cpu_count(m->t);
    count = count > m->capture->cpu_count ? count : m->capture->cpu_count;
    if (!tt_making_reserve(m, count)) {
        return TT_MADE_NO_MEMORY;
    }
    for (uint32_t cpu = 0; cpu < count && cpu < TT_NO_CPU; cpu++) {
        if (!tt_window_has_cpu(&m->wish.window, cpu)) {
            continue;
        }
        struct tt_stat_row *row = tt_making_add(m);
        row->cpu = (uint16_t)cpu;
        row->settled = true;
        tt_cpu_sum(m->t, row->cpu, m->wish.window.from, m->wish.window.to, &row->c);
        add_cpu(&m->sheet->total.c, &row->c);
    }
    m->sheet->has_total = m->sheet->count > 1;
    return TT_MADE_ALL;
}

/* ---- events ------------------------------------------------------------------------------- */

static int by_class_and_count(const void *x, const void *y)
{
    const struct tt_event_numbers *a = &((const struct tt_stat_row *)x)->e;
    const struct tt_event_numbers *b = &((const struct tt_stat_row *)y)->e;
    if (a->class_id != b->class_id) {
        return a->class_id < b->class_id ? -1 : 1;
    }
    if (a->count != b->count) {
        return a->count > b->count ? -1 : 1;
    }
    return strcmp(a->name, b->name);
}

bool tt_list_events(struct tt_stat_making *m)
{
    size_t count = tt_event_stats_count(m->events);
    if (!tt_making_reserve(m, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        struct tt_event_numbers numbers = tt_event_stats_counted(m->events, i);
        if (numbers.count > 0 || numbers.duration.count > 0) {
            struct tt_stat_row *row = tt_making_add(m);
            row->e = numbers;
            row->event = i;
        }
    }
    qsort(m->sheet->rows, m->sheet->count, sizeof *m->sheet->rows, by_class_and_count);
    return true;
}

/* The percentiles of the rows, one after the other. */
static enum tt_made settle_events(struct tt_stat_making *m)
{
    for (; m->row < m->sheet->count; m->row++) {
        struct tt_stat_row *row = &m->sheet->rows[m->row];
        if (m->work == 0 || !tt_event_stats_at_step(m->events, row->event, &m->work, &row->e)) {
            return TT_MADE_PART;
        }
        row->settled = true;
    }
    return TT_MADE_ALL;
}

static struct tt_event_stats *new_events(const struct tt_stat_making *m)
{
    const struct tt_stat_wish *wish = &m->wish;
    struct tt_event_window window = {.first_row = wish->first_row,
                                     .end_row = wish->end_row,
                                     .from = wish->window.from,
                                     .to = wish->keys.to_ticks,
                                     .threads = wish->threads,
                                     .thread_limit = wish->thread_limit,
                                     .cpus = wish->window.cpus,
                                     .cpu_limit = wish->window.cpu_limit,
                                     .wanted = wish->wanted,
                                     .wanted_arg = wish->wanted_arg};
    return tt_event_stats_new(wish->trace, &window);
}

enum tt_made tt_make_events(struct tt_stat_making *m)
{
    if (m->summed) {
        return settle_events(m);
    }
    if (!m->events) {
        m->events = new_events(m);
    }
    bool done = false;
    struct tt_status status = m->events
                                  ? tt_event_stats_step(m->events, m->wish.events, m->work, &done)
                                  : tt_error_memory();
    if (tt_failed(&status)) {
        return TT_MADE_NO_MEMORY;
    }
    if (!done) {
        return TT_MADE_PART;
    }
    m->sheet->shrunk |= tt_event_stats_shrunk(m->events);
    if (!tt_list_events(m)) {
        return TT_MADE_NO_MEMORY;
    }
    m->summed = true; /* from here on the rows keep their places */
    return settle_events(m);
}
