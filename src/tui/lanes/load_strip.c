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

static bool load_strip_reserve(struct tt_load_strip *strip, unsigned columns)
{
    if (columns <= strip->room) {
        return true;
    }
    uint64_t *edges = realloc(strip->edges, ((size_t)columns + 1) * sizeof *edges);
    if (edges) {
        strip->edges = edges;
    }
    struct tt_load *load = realloc(strip->load, columns * sizeof *load);
    if (load) {
        strip->load = load;
    }
    struct tt_load *last = realloc(strip->last, columns * sizeof *last);
    if (last) {
        strip->last = last;
    }
    struct tt_cpu_cell *cells = realloc(strip->cells, columns * sizeof *cells);
    if (cells) {
        strip->cells = cells;
    }
    if (!edges || !load || !last || !cells) {
        return false;
    }
    strip->room = columns;
    return true;
}

/* Begins the strip that was asked for last. */
static void load_strip_begin(struct tt_load_strip *strip)
{
    struct tt_viewport v = {.from = strip->next_from, .to = strip->next_to};
    if (strip->has_last) {
        memcpy(strip->last, strip->load, strip->columns * sizeof *strip->last);
    }
    for (unsigned i = 0; i <= strip->columns; i++) {
        strip->edges[i] = tt_viewport_edge(&v, strip->columns, i);
    }
    memset(strip->load, 0, strip->columns * sizeof *strip->load);
    strip->from = v.from;
    strip->to = v.to;
    strip->end = strip->next_end;
    strip->done = 0;
    strip->cpu = 0;
}

/* Returns whether the capture has grown and the range is nearly the one of the strip. */
static bool is_grown(const struct tt_load_strip *strip, uint64_t from, uint64_t to)
{
    const uint64_t near = (strip->to - strip->from) / NEAR;
    const uint64_t left = from > strip->from ? from - strip->from : strip->from - from;
    return tt_timelines_end(strip->t) > strip->end && left <= near && to >= strip->to &&
           to - strip->to <= near;
}

bool tt_load_strip_ask(struct tt_load_strip *strip, const struct tt_timelines *timelines,
                       struct tt_events *events, uint64_t from, uint64_t to, unsigned columns)
{
    const bool like = strip->number == tt_timelines_number(timelines) && strip->events == events &&
                      strip->columns == columns;
    if (like && strip->from == from && strip->to == to &&
        strip->end == tt_timelines_end(timelines)) {
        return true;
    }
    const bool grown = like && is_grown(strip, from, to);
    strip->next_from = from;
    strip->next_to = to;
    strip->next_end = tt_timelines_end(timelines);
    if (grown && !tt_load_strip_complete(strip)) {
        return true;
    }
    if (!load_strip_reserve(strip, columns)) {
        strip->columns = strip->done = 0;
        strip->from = strip->next_from;
        strip->to = strip->next_to;
        strip->end = strip->next_end;
        return false;
    }
    strip->has_last = grown;
    strip->t = timelines;
    strip->number = tt_timelines_number(timelines);
    strip->events = events;
    strip->columns = columns;
    load_strip_begin(strip);
    return true;
}

/* Adds the next CPUs to the load of the next `count` columns. */
static void add_cpus(struct tt_load_strip *strip, unsigned count)
{
    uint32_t cpus = tt_cpu_count(strip->t);
    for (unsigned some = 0; some < CPUS_AT_ONCE && strip->cpu < cpus; some++, strip->cpu++) {
        tt_cpu_cells(strip->t, (uint16_t)strip->cpu, strip->edges + strip->done, count,
                     strip->cells);
        for (unsigned i = 0; i < count; i++) {
            const struct tt_cpu_cell *cell = &strip->cells[i];
            struct tt_load *load = &strip->load[strip->done + i];
            load->busy += cell->busy;
            load->unknown += cell->unknown;
            load->total += cell->busy + cell->idle + cell->irq + cell->kernel + cell->unknown;
        }
    }
    if (strip->cpu >= cpus) {
        strip->cpu = 0;
        strip->done += count;
    }
}

bool tt_load_strip_work(struct tt_load_strip *strip, uint64_t deadline)
{
    const bool behind = strip->next_from != strip->from || strip->next_to != strip->to ||
                        strip->next_end != strip->end;
    if (tt_load_strip_complete(strip) && behind && strip->columns > 0 && tt_now_ns() < deadline) {
        strip->has_last = true;
        load_strip_begin(strip);
    }
    while (strip->done < strip->columns && tt_now_ns() < deadline) {
        unsigned left = strip->columns - strip->done;
        unsigned some = left < COLUMNS_AT_ONCE ? left : COLUMNS_AT_ONCE;
        if (strip->events) {
            uint64_t row = tt_events_row_at_time(strip->events, strip->edges[strip->done]);
            for (unsigned i = 0; i < some; i++) {
                uint64_t next = tt_events_row_at_time(strip->events, strip->edges[strip->done + 1]);
                strip->load[strip->done++].busy = next > row ? next - row : 0;
                row = next;
            }
            uint64_t most = 0;
            for (unsigned i = 0; tt_load_strip_complete(strip) && i < strip->columns; i++) {
                most = strip->load[i].busy > most ? strip->load[i].busy : most;
            }
            for (unsigned i = 0; i < strip->columns; i++) {
                strip->load[i].total = most; /* 0, drawn as empty, until the maximum is known */
            }
        } else {
            add_cpus(strip, some);
        }
    }
    return tt_load_strip_complete(strip) && strip->next_end == strip->end &&
           strip->next_to == strip->to;
}

const struct tt_load *tt_load_strip_shown(const struct tt_load_strip *strip, unsigned *count)
{
    const bool last = strip->has_last && !tt_load_strip_complete(strip);
    *count = last ? strip->columns : strip->done;
    return last ? strip->last : strip->load;
}

void tt_load_strip_free(struct tt_load_strip *strip)
{
    free(strip->edges);
    free(strip->load);
    free(strip->last);
    free(strip->cells);
    memset(strip, 0, sizeof *strip);
}
