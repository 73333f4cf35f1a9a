/* SPDX-License-Identifier: Apache-2.0 */
/* sheet_counts: rows of CPUs and of events. */
#include <stdlib.h>
#include <string.h>

#include "analysis/event_preview.h"
#include "table/builder.h"

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

enum tt_made tt_make_cpus(struct tt_stat_builder *m)
{
    uint32_t count = tt_cpu_count(m->t);
    count = count > m->capture->cpu_count ? count : m->capture->cpu_count;
    if (!tt_table_reserve(m->sheet, count)) {
        return TT_MADE_NO_MEMORY;
    }
    for (uint32_t cpu = 0; cpu < count && cpu < TT_NO_CPU; cpu++) {
        if (!tt_window_has_cpu(&m->request.window, cpu)) {
            continue;
        }
        struct tt_stat_row row;
        tt_stat_row_clear(&row);
        row.cpu = (uint16_t)cpu;
        row.settled = true;
        tt_cpu_sum(m->t, row.cpu, m->request.window.from, m->request.window.to, &row.c);
        add_cpu(&tt_stat_builder_total(m)->c, &row.c);
        if (!tt_table_add(m->sheet, &row)) {
            return TT_MADE_NO_MEMORY;
        }
    }
    m->sheet->has_total = m->sheet->count > 1;
    return TT_MADE_ALL;
}

/* ---- events ------------------------------------------------------------------------------- */

/* Sort key of a row. */
struct listed {
    const char *name;
    uint64_t count;
    size_t event;
    uint32_t class_id;
};

static int compare_listed(const void *x, const void *y)
{
    const struct listed *a = x, *b = y;
    if (a->class_id != b->class_id) {
        return a->class_id < b->class_id ? -1 : 1;
    }
    if (a->count != b->count) {
        return a->count > b->count ? -1 : 1;
    }
    return strcmp(a->name, b->name);
}

/* Copies field by field, because padding must not become part of the row. */
static void set_numbers(struct tt_stat_row *row, const struct tt_event_numbers *e)
{
    row->e.class_name = e->class_name;
    row->e.name = e->name;
    row->e.class_id = e->class_id;
    row->e.count = e->count;
    row->e.period = e->period;
    row->e.duration = e->duration;
}

/* Lists the rows of a walk over events. */
static bool list_events(struct tt_stat_builder *m, struct tt_event_stats *events)
{
    size_t count = tt_event_stats_count(events), used = 0;
    struct listed *listed = malloc((count + 1) * sizeof *listed);
    bool ok = listed && tt_table_reserve(m->sheet, count);
    for (size_t i = 0; ok && i < count; i++) {
        struct tt_event_numbers n = tt_event_stats_counted(events, i);
        if (n.count > 0 || n.duration.count > 0) {
            listed[used++] = (struct listed){n.name, n.count, i, n.class_id};
        }
    }
    if (ok && used > 0) {
        qsort(listed, used, sizeof *listed, compare_listed);
    }
    for (size_t i = 0; ok && i < used; i++) {
        struct tt_stat_row row;
        struct tt_event_numbers numbers = tt_event_stats_counted(events, listed[i].event);
        tt_stat_row_clear(&row);
        set_numbers(&row, &numbers);
        row.event = listed[i].event;
        ok = tt_table_add(m->sheet, &row);
    }
    free(listed);
    return ok;
}

bool tt_list_events(struct tt_stat_builder *m)
{
    m->previews = true;
    return list_events(m, m->preview ? m->preview : m->events);
}

/* Computes the percentiles of the rows one after the other. */
static enum tt_made settle_events(struct tt_stat_builder *m)
{
    for (; m->row < m->sheet->count; m->row++, m->opened = false) {
        if (!m->opened) {
            tt_table_row_at(m->sheet, m->row, &m->open);
            m->open_events = m->open.e;
            m->opened = true;
        }
        if (m->work == 0 ||
            !tt_event_stats_at_step(m->events, m->open.event, &m->work, &m->open_events)) {
            return TT_MADE_PART;
        }
        set_numbers(&m->open, &m->open_events);
        m->open.settled = true;
        if (!tt_table_put(m->sheet, m->row, &m->open)) {
            return TT_MADE_NO_MEMORY;
        }
    }
    return TT_MADE_ALL;
}

struct tt_event_window tt_stat_builder_window(const struct tt_stat_builder *m)
{
    const struct tt_table_request *request = &m->request;
    return (struct tt_event_window){.first_row = request->first_row,
                                    .end_row = request->end_row,
                                    .from = request->window.from,
                                    .to = request->keys.to_ticks,
                                    .threads = request->threads,
                                    .thread_limit = request->thread_limit,
                                    .cpus = request->window.cpus,
                                    .cpu_limit = request->window.cpu_limit,
                                    .wanted = request->wanted,
                                    .wanted_arg = request->wanted_arg};
}

/* Continues the walk of an earlier sheet, or begins one; NULL if out of memory. */
static struct tt_event_stats *begin_walk(struct tt_stat_builder *m)
{
    struct tt_event_window window = tt_stat_builder_window(m);
    struct tt_event_stats **earlier = m->request.walk;
    if (earlier && *earlier && tt_event_stats_continue(*earlier, &window)) {
        struct tt_event_stats *walk = *earlier;
        *earlier = NULL;
        return walk;
    }
    struct tt_event_stats *walk = tt_event_stats_new(m->request.trace, &window);
    if (walk && earlier) {
        tt_event_stats_keep_ends(walk);
    }
    return walk;
}

/*
 * Counts the events of the window with half of the work while the walk is before it, which takes
 * seconds in a large capture. Only for sheets whose rows are listed before they are complete.
 */
static struct tt_status step_preview(struct tt_stat_builder *m)
{
    bool before = m->events && tt_event_stats_row(m->events) < m->request.first_row;
    if (!m->previews || m->previewed || (!m->preview && !before)) {
        return tt_ok();
    }
    if (!m->preview) {
        struct tt_event_window window = tt_stat_builder_window(m);
        m->preview = tt_event_stats_new(m->request.trace, &window);
        if (!m->preview) {
            return tt_error_memory();
        }
        tt_event_stats_preview(m->preview);
    }
    m->work -= m->work / 2; /* leaves at least 1, so that the walk makes progress */
    return tt_event_stats_step(m->preview, m->request.events, m->work, &m->previewed);
}

enum tt_made tt_make_events(struct tt_stat_builder *m)
{
    if (m->summed) {
        return settle_events(m);
    }
    if (!m->events) {
        m->events = begin_walk(m);
    }
    struct tt_status preview = step_preview(m);
    if (tt_failed(&preview)) {
        return TT_MADE_NO_MEMORY;
    }
    bool done = false;
    struct tt_status status =
        m->events ? tt_event_stats_step(m->events, m->request.events, m->work, &done)
                  : tt_error_memory();
    if (tt_failed(&status)) {
        return TT_MADE_NO_MEMORY;
    }
    if (!done) {
        return TT_MADE_PART;
    }
    m->sheet->shrunk |= tt_event_stats_truncated(m->events);
    if (!list_events(m, m->events)) {
        return TT_MADE_NO_MEMORY;
    }
    m->summed = true; /* from here on rows keep their positions */
    return settle_events(m);
}
