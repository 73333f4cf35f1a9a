/* SPDX-License-Identifier: Apache-2.0 */
/* sheet_interrupts: rows of interrupts, by number. */
#include <stdlib.h>
#include <string.h>

#include "table/builder.h"

/* Sort key of a row: the name of its event, then the most frequent first. */
struct listed {
    const char *name;
    uint64_t count;
    uint64_t vector;
    size_t index;
};

static int compare_listed(const void *x, const void *y)
{
    const struct listed *a = x, *b = y;
    int by_name = strcmp(a->name, b->name);
    if (a->count != b->count) {
        return a->count > b->count ? -1 : 1;
    }
    return by_name != 0             ? by_name
           : a->vector != b->vector ? (a->vector < b->vector ? -1 : 1)
                                    : (a->index > b->index) - (a->index < b->index);
}

static void set_numbers(struct tt_stat_row *row, const struct tt_interrupt_numbers *n)
{
    row->e.class_name = "";
    row->e.name = n->key.event;
    row->e.count = n->count;
    row->e.period = n->period;
    row->e.duration = n->duration;
    row->number = n->key.vector;
    row->i.handler = n->handler;
    row->i.nested = n->nested;
    row->i.depth = n->depth;
    row->i.wakes = n->wakes;
    row->i.threads = n->threads;
    row->i.woken = n->woken;
    row->i.system = n->key.system;
}

/* Adds a row to the total, which has no percentiles and no periods. */
static void add_distribution(struct tt_distribution *to, const struct tt_distribution *from)
{
    if (from->count > 0 && (to->count == 0 || from->max > to->max)) {
        to->max = from->max;
        to->max_at = from->max_at;
    }
    to->count += from->count;
    to->sum += from->sum;
    to->p50 = to->p95 = to->p99 = TT_TABLE_NONE;
}

static void add_to_total(struct tt_stat_row *total, const struct tt_stat_row *row)
{
    total->e.name = total->i.woken = "";
    total->number = total->i.threads = TT_TABLE_NONE;
    total->e.count += row->e.count;
    total->i.nested += row->i.nested;
    bool known = total->i.wakes != TT_TABLE_NONE && row->i.wakes != TT_TABLE_NONE;
    total->i.wakes = known ? total->i.wakes + row->i.wakes : TT_TABLE_NONE;
    total->i.depth = row->i.depth > total->i.depth ? row->i.depth : total->i.depth;
    add_distribution(&total->e.duration, &row->e.duration);
    add_distribution(&total->i.handler, &row->i.handler);
}

bool tt_list_interrupts(struct tt_stat_builder *m)
{
    size_t count = tt_interrupt_stats_count(m->interrupts), used = 0;
    struct listed *listed = malloc((count + 1) * sizeof *listed);
    bool ok = listed && tt_table_reserve(m->sheet, count) && tt_interrupt_stats_name(m->interrupts);
    for (size_t i = 0; ok && i < count; i++) {
        struct tt_interrupt_numbers n = tt_interrupt_stats_counted(m->interrupts, i);
        if (n.count > 0 || n.duration.count > 0 || n.woken[0]) {
            listed[used++] = (struct listed){n.key.event, n.count, n.key.vector, i};
        }
    }
    if (ok && used > 0) {
        qsort(listed, used, sizeof *listed, compare_listed);
    }
    for (size_t i = 0; ok && i < used; i++) {
        struct tt_stat_row row;
        struct tt_interrupt_numbers n = tt_interrupt_stats_counted(m->interrupts, listed[i].index);
        tt_stat_row_clear(&row);
        set_numbers(&row, &n);
        row.event = listed[i].index;
        ok = tt_table_add(m->sheet, &row);
    }
    free(listed);
    return ok;
}

/* Computes the percentiles of the rows one after the other. */
static enum tt_made settle_interrupts(struct tt_stat_builder *m)
{
    for (; m->row < m->sheet->count; m->row++, m->opened = false) {
        if (!m->opened) {
            tt_table_row_at(m->sheet, m->row, &m->open);
            m->open_interrupt = tt_interrupt_stats_counted(m->interrupts, m->open.event);
            m->opened = true;
        }
        if (m->work == 0 || !tt_interrupt_stats_at_step(m->interrupts, m->open.event, &m->work,
                                                        &m->open_interrupt)) {
            return TT_MADE_PART;
        }
        set_numbers(&m->open, &m->open_interrupt);
        m->open.settled = true;
        add_to_total(tt_stat_builder_total(m), &m->open);
        if (!tt_table_put(m->sheet, m->row, &m->open)) {
            return TT_MADE_NO_MEMORY;
        }
    }
    m->sheet->has_total = m->sheet->count > 1;
    return TT_MADE_ALL;
}

enum tt_made tt_make_interrupts(struct tt_stat_builder *m)
{
    if (m->summed) {
        return settle_interrupts(m);
    }
    if (!m->interrupts) {
        struct tt_event_window window = tt_stat_builder_window(m);
        m->interrupts = tt_interrupt_stats_new(m->request.trace, &window);
    }
    bool done = false;
    struct tt_status status =
        m->interrupts ? tt_interrupt_stats_step(m->interrupts, m->request.events, m->work, &done)
                      : tt_error_memory();
    if (tt_failed(&status)) {
        return TT_MADE_NO_MEMORY;
    }
    if (!done) {
        return TT_MADE_PART;
    }
    m->sheet->shrunk |= tt_interrupt_stats_truncated(m->interrupts);
    if (!tt_list_interrupts(m)) {
        return TT_MADE_NO_MEMORY;
    }
    m->summed = true; /* from here on rows keep their positions */
    return settle_interrupts(m);
}
