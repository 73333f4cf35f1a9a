/* SPDX-License-Identifier: Apache-2.0 */
/* load_strip: the load of all CPUs. */
#include "tui/lanes/load_strip.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracetui/trace.h"
#include "tui/model/viewport.h"

#define COLUMNS_AT_ONCE 16u
#define CPUS_AT_ONCE    4u /* between two checks of the clock: 64 cells */

static bool reserve(struct tt_load_strip *s, unsigned columns)
{
    if (columns <= s->room) {
        return true;
    }
    uint64_t *edges = realloc(s->edges, ((size_t)columns + 1) * sizeof *edges);
    if (edges) {
        s->edges = edges;
    }
    struct tt_load *load = realloc(s->load, columns * sizeof *load);
    if (load) {
        s->load = load;
    }
    struct tt_cpu_cell *cells = realloc(s->cells, columns * sizeof *cells);
    if (cells) {
        s->cells = cells;
    }
    if (!edges || !load || !cells) {
        return false;
    }
    s->room = columns;
    return true;
}

bool tt_load_strip_ask(struct tt_load_strip *s, const struct tt_timelines *t,
                       struct tt_events *events, uint64_t from, uint64_t to, unsigned columns)
{
    uint64_t end = tt_timelines_end(t);
    if (s->number == tt_timelines_number(t) && s->events == events && s->from == from &&
        s->to == to && s->end == end && s->columns == columns) {
        return true;
    }
    if (!reserve(s, columns)) {
        s->columns = s->done = 0;
        return false;
    }
    struct tt_viewport v = {.from = from, .to = to};
    for (unsigned i = 0; i <= columns; i++) {
        s->edges[i] = tt_viewport_edge(&v, columns, i);
    }
    memset(s->load, 0, columns * sizeof *s->load);
    s->t = t;
    s->number = tt_timelines_number(t);
    s->events = events;
    s->from = from;
    s->to = to;
    s->end = end;
    s->columns = columns;
    s->done = 0;
    s->cpu = 0;
    return true;
}

static void count_events(struct tt_load_strip *s, unsigned count)
{
    uint64_t row = tt_events_row_at_time(s->events, s->edges[s->done]);
    for (unsigned i = 0; i < count; i++) {
        uint64_t next = tt_events_row_at_time(s->events, s->edges[s->done + 1]);
        s->load[s->done++].busy = next > row ? next - row : 0;
        row = next;
    }
    uint64_t most = 0;
    for (unsigned i = 0; tt_load_strip_complete(s) && i < s->columns; i++) {
        most = s->load[i].busy > most ? s->load[i].busy : most;
    }
    for (unsigned i = 0; i < s->columns; i++) {
        s->load[i].total = most; /* 0, drawn as empty, until the maximum is known */
    }
}

/* Adds the next CPUs to the load of the next `count` columns. */
static void add_cpus(struct tt_load_strip *s, unsigned count)
{
    uint32_t cpus = tt_cpu_count(s->t);
    for (unsigned some = 0; some < CPUS_AT_ONCE && s->cpu < cpus; some++, s->cpu++) {
        tt_cpu_cells(s->t, (uint16_t)s->cpu, s->edges + s->done, count, s->cells);
        for (unsigned i = 0; i < count; i++) {
            const struct tt_cpu_cell *cell = &s->cells[i];
            struct tt_load *load = &s->load[s->done + i];
            load->busy += cell->busy;
            load->unknown += cell->unknown;
            load->total += cell->busy + cell->idle + cell->irq + cell->kernel + cell->unknown;
        }
    }
    if (s->cpu >= cpus) {
        s->cpu = 0;
        s->done += count;
    }
}

bool tt_load_strip_work(struct tt_load_strip *s, uint64_t deadline)
{
    while (s->done < s->columns && tt_now_ns() < deadline) {
        unsigned left = s->columns - s->done;
        unsigned some = left < COLUMNS_AT_ONCE ? left : COLUMNS_AT_ONCE;
        if (s->events) {
            count_events(s, some);
        } else {
            add_cpus(s, some);
        }
    }
    return tt_load_strip_complete(s);
}

struct tt_load tt_load_strip_total(const struct tt_load_strip *s)
{
    struct tt_load total = {0, 0, 0};
    for (unsigned i = 0; i < s->done; i++) {
        total.busy += s->load[i].busy;
        total.unknown += s->load[i].unknown;
        total.total += s->load[i].total;
    }
    return total;
}

void tt_load_strip_free(struct tt_load_strip *s)
{
    free(s->edges);
    free(s->load);
    free(s->cells);
    memset(s, 0, sizeof *s);
}
