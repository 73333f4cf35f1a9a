/* SPDX-License-Identifier: Apache-2.0 */
/*
 * viewport: the time window shown by the time-based views, and the position of the cursor in it.
 * It depends on the number of screen columns only, not on lanes.
 *
 *      capture  begin                                             end + 1
 *               |------------[------|------]----------------------|
 *                            from   at     to                       [from, to), from <= at < to
 *
 * Column i of n covers [edge(i), edge(i + 1)), edge(i) = from + floor(i * (to - from) / n), so each
 * column covers at least one tick and the columns partition the window exactly.
 *
 * Times are ticks of the capture. A window has at least one tick per column, even if the capture
 * has fewer, and otherwise lies inside the capture's bounds. Bounds may grow. Plain data.
 */
#ifndef TRACETUI_TUI_MODEL_VIEWPORT_H
#define TRACETUI_TUI_MODEL_VIEWPORT_H

#include <stdbool.h>
#include <stdint.h>

/* [begin, end): the whole capture; end is its last tick + 1. */
struct tt_bounds {
    uint64_t begin;
    uint64_t end;
};

struct tt_viewport {
    uint64_t from;
    uint64_t to;
    uint64_t at;  /* the cursor */
    bool all;     /* shows the whole capture, also when it grows */
    bool chosen;  /* the cursor was placed; until then it is at the start of the capture */
    bool spans;   /* there is a selection from `anchor` to `other` */
    bool growing; /* the selection follows the cursor */
    uint64_t anchor;
    uint64_t other;
};

/* Fits the window to the bounds and to at least one tick per column. Call it before use. */
void tt_viewport_fit(struct tt_viewport *viewport, struct tt_bounds bounds, unsigned columns);

/* Returns the start of column `column`; for `columns`, the end of the window. */
uint64_t tt_viewport_edge(const struct tt_viewport *viewport, unsigned columns, unsigned column);
/* Returns the column that contains `ticks`; the first or the last one for times outside. */
unsigned tt_viewport_column(const struct tt_viewport *viewport, unsigned columns, uint64_t ticks);

/* ---- moving; each leaves the window fitted ------------------------------------------------ */

/* Shows the whole capture. */
void tt_viewport_all(struct tt_viewport *viewport, struct tt_bounds bounds, unsigned columns);
/* Halves (in) or doubles the width; the cursor keeps its column if the bounds allow. */
void tt_viewport_zoom(struct tt_viewport *viewport, struct tt_bounds bounds, unsigned columns,
                      bool in);
/* Shows exactly [from, to) if that is wide enough and inside the bounds. */
void tt_viewport_show(struct tt_viewport *viewport, struct tt_bounds bounds, unsigned columns,
                      uint64_t from, uint64_t to);
/* Pans right by `by` columns, negative: left; the cursor keeps its column. */
void tt_viewport_pan(struct tt_viewport *viewport, struct tt_bounds bounds, unsigned columns,
                     int by);
/* Moves the cursor by columns; pans the window at its edges. */
void tt_viewport_step(struct tt_viewport *viewport, struct tt_bounds bounds, unsigned columns,
                      int by);
/* Moves the cursor to a time; centres the window on it if it is outside. */
void tt_viewport_go(struct tt_viewport *viewport, struct tt_bounds bounds, unsigned columns,
                    uint64_t at);

/* ---- selection ---------------------------------------------------------------------------- */

/* Begins a selection at the cursor, or ends the one that grows; an empty one is dropped. */
void tt_viewport_select(struct tt_viewport *viewport);
/* Returns the selection as [*from, *to); false if there is none, or an empty one. */
bool tt_viewport_selection(const struct tt_viewport *viewport, uint64_t *from, uint64_t *to);

#endif
