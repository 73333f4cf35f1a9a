/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load_strip: how busy all CPUs together were, column by column, worked out in slices of time.
 * Where a capture tells of no CPU it is how many events each column has, against the most.
 *
 * A strip is for a range, a number of columns and an end of what is indexed; for another it begins
 * anew. What is worked out so far can be drawn. Owns its arrays; one thread.
 */
#ifndef TRACETUI_TUI_LANES_LOAD_STRIP_H
#define TRACETUI_TUI_LANES_LOAD_STRIP_H

#include "tui/lanes/cell.h"

struct tt_load_strip {
    uint64_t *edges;      /* columns + 1, the caller's */
    struct tt_load *load; /* columns */
    struct tt_cpu_cell *cells;
    unsigned columns, room;
    unsigned done; /* columns below this one */
    uint64_t from, to, end;
    const struct tt_timelines *t;
    uint32_t number;          /* of the timelines; 0: nothing is known */
    struct tt_events *events; /* are counted, unless NULL */
};

/*
 * edge(i) = from + i * (to - from) / columns. With `events` it is them that are counted, O(log n) a
 * column: the load of a column is its count of the greatest one then. False when out of memory.
 */
bool tt_load_strip_ask(struct tt_load_strip *s, const struct tt_timelines *t,
                       struct tt_events *events, uint64_t from, uint64_t to, unsigned columns);
/* Goes on until `deadline` (tt_now_ns); true when all is known. */
bool tt_load_strip_work(struct tt_load_strip *s, uint64_t deadline);
static inline bool tt_load_strip_complete(const struct tt_load_strip *s)
{
    return s->done >= s->columns;
}
/* The sum of all columns. */
struct tt_load tt_load_strip_total(const struct tt_load_strip *s);
void tt_load_strip_free(struct tt_load_strip *s);

#endif
