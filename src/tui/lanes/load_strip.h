/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load_strip: computes the load of all CPUs per column, in time slices. For a capture without CPU
 * information, it is the number of events per column relative to the maximum.
 *
 * A strip is computed for a range, a number of columns and an end of the index; if one of them
 * changes, it is computed again. The columns finished so far can be drawn. While a capture grows, a strip
 * that has begun is finished first, and the last complete one is drawn meanwhile. Owns its arrays;
 * one thread.
 */
#ifndef TRACETUI_TUI_LANES_LOAD_STRIP_H
#define TRACETUI_TUI_LANES_LOAD_STRIP_H

#include "tui/lanes/cell.h"

struct tt_load_strip {
    uint64_t *edges;      /* columns + 1 */
    struct tt_load *load; /* columns */
    struct tt_load *last; /* columns of the last complete strip of nearly the same range */
    bool has_last;
    struct tt_cpu_cell *cells;
    unsigned columns, room;
    unsigned done; /* number of finished columns */
    uint32_t cpu;  /* CPUs that are part of the load of the columns after them */
    uint64_t from, to, end;
    uint64_t next_from, next_to, next_end; /* of the strip that was asked for last */
    const struct tt_timelines *t;
    uint32_t number;          /* of the timelines; 0: nothing computed */
    struct tt_events *events; /* events to count; NULL: CPU load */
};

/*
 * Selects range and columns: edge(i) = from + i * (to - from) / columns. With `events`, counts
 * events, O(log n) a column: the load of a column is then its count relative to the maximum.
 * False when out of memory.
 */
bool tt_load_strip_ask(struct tt_load_strip *strip, const struct tt_timelines *timelines,
                       struct tt_events *events, uint64_t from, uint64_t to, unsigned columns);
/* Continues until `deadline` (tt_now_ns); true when complete. */
bool tt_load_strip_work(struct tt_load_strip *strip, uint64_t deadline);
static inline bool tt_load_strip_complete(const struct tt_load_strip *strip)
{
    return strip->done >= strip->columns;
}
/* Returns the loads to draw and sets *count to their number. */
const struct tt_load *tt_load_strip_shown(const struct tt_load_strip *strip, unsigned *count);
void tt_load_strip_free(struct tt_load_strip *strip);

#endif
