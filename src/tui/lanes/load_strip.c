/* SPDX-License-Identifier: Apache-2.0 */
/* load_strip: the load of all CPUs. */
#include "tui/lanes/load_strip.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracetui/trace.h"
#include "tui/model/viewport.h"

#define COLUMNS_AT_ONCE 16u
#define NEAR            4u /* part of a range by which a growing one may differ from the last one */
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
    struct tt_load *last = realloc(s->last, columns * sizeof *last);
    if (last) {
        s->last = last;
    }
    struct tt_cpu_cell *cells = realloc(s->cells, columns * sizeof *cells);
    if (cells) {
        s->cells = cells;
    }
    if (!edges || !load || !last || !cells) {
        return false;
    }
    s->room = columns;
    return true;
}

/* Begins the strip that was asked for last. */
static void begin(struct tt_load_strip *s)
{
    struct tt_viewport v = {.from = s->next_from, .to = s->next_to};
    if (s->has_last) {
        memcpy(s->last, s->load, s->columns * sizeof *s->last);
    }
    for (unsigned i = 0; i <= s->columns; i++) {
        s->edges[i] = tt_viewport_edge(&v, s->columns, i);
    }
    memset(s->load, 0, s->columns * sizeof *s->load);
    s->from = v.from;
    s->to = v.to;
    s->end = s->next_end;
    s->done = 0;
    s->cpu = 0;
}

/* Returns whether the capture has grown and the range is nearly the one of the strip. */
static bool is_grown(const struct tt_load_strip *s, uint64_t from, uint64_t to)
{
    const uint64_t near = (s->to - s->from) / NEAR;
    const uint64_t left = from > s->from ? from - s->from : s->from - from;
    return tt_timelines_end(s->t) > s->end && left <= near && to >= s->to && to - s->to <= near;
}

bool tt_load_strip_ask(struct tt_load_strip *s, const struct tt_timelines *t,
                       struct tt_events *events, uint64_t from, uint64_t to, unsigned columns)
{
    const bool like =
        s->number == tt_timelines_number(t) && s->events == events && s->columns == columns;
    if (like && s->from == from && s->to == to && s->end == tt_timelines_end(t)) {
        return true;
    }
    const bool grown = like && is_grown(s, from, to);
    s->next_from = from;
    s->next_to = to;
    s->next_end = tt_timelines_end(t);
    if (grown && !tt_load_strip_complete(s)) {
        return true;
    }
    if (!reserve(s, columns)) {
        s->columns = s->done = 0;
        s->from = s->next_from;
        s->to = s->next_to;
        s->end = s->next_end;
        return false;
    }
    s->has_last = grown;
    s->t = t;
    s->number = tt_timelines_number(t);
    s->events = events;
    s->columns = columns;
    begin(s);
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
    const bool behind = s->next_from != s->from || s->next_to != s->to || s->next_end != s->end;
    if (tt_load_strip_complete(s) && behind && s->columns > 0 && tt_now_ns() < deadline) {
        s->has_last = true;
        begin(s);
    }
    while (s->done < s->columns && tt_now_ns() < deadline) {
        unsigned left = s->columns - s->done;
        unsigned some = left < COLUMNS_AT_ONCE ? left : COLUMNS_AT_ONCE;
        if (s->events) {
            count_events(s, some);
        } else {
            add_cpus(s, some);
        }
    }
    return tt_load_strip_complete(s) && s->next_end == s->end && s->next_to == s->to;
}

const struct tt_load *tt_load_strip_shown(const struct tt_load_strip *s, unsigned *count)
{
    const bool last = s->has_last && !tt_load_strip_complete(s);
    *count = last ? s->columns : s->done;
    return last ? s->last : s->load;
}

void tt_load_strip_free(struct tt_load_strip *s)
{
    free(s->edges);
    free(s->load);
    free(s->last);
    free(s->cells);
    memset(s, 0, sizeof *s);
}
