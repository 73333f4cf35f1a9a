/* SPDX-License-Identifier: Apache-2.0 */
/*
 * viewport: the part of the capture that the views by time show, and where the cursor stands in it.
 * It knows nothing of screens but how many columns there are, and nothing of lanes.
 *
 *      capture  begin                                             end + 1
 *               |------------[------|------]----------------------|
 *                            from   at     to                       [from, to), from <= at < to
 *
 * Column i of n holds [edge(i), edge(i + 1)), edge(i) = from + floor(i * (to - from) / n), so every
 * column has at least one tick and their parts make up the window, exactly.
 *
 * Times are ticks of the capture. A window is at least one tick a column wide, also where the
 * capture is not, and otherwise lies inside the capture's bounds. Bounds may grow. Plain data.
 */
#ifndef TRACETUI_TUI_MODEL_VIEWPORT_H
#define TRACETUI_TUI_MODEL_VIEWPORT_H

#include <stdbool.h>
#include <stdint.h>

/* [begin, end): all of the capture; end is its last tick + 1. */
struct tt_bounds {
    uint64_t begin;
    uint64_t end;
};

struct tt_viewport {
    uint64_t from;
    uint64_t to;
    uint64_t at;  /* the cursor */
    bool all;     /* all of the capture, also when it grows */
    bool chosen;  /* the cursor was put somewhere; until then it is where the capture begins */
    bool spans;   /* there is a selection: from `anchor` to `other` */
    bool growing; /* and it follows the cursor */
    uint64_t anchor;
    uint64_t other;
};

/* Fits the window to the bounds and to at least one tick a column. Call before using it. */
void tt_viewport_fit(struct tt_viewport *w, struct tt_bounds bounds, unsigned columns);

/* Where column `column` begins; `columns` itself is the end. */
uint64_t tt_viewport_edge(const struct tt_viewport *w, unsigned columns, unsigned column);
/* The column that holds `ticks`; the first or the last one for what is outside. */
unsigned tt_viewport_column(const struct tt_viewport *w, unsigned columns, uint64_t ticks);

/* ---- moving; each leaves the window fitted ------------------------------------------------ */

/* All of it. */
void tt_viewport_all(struct tt_viewport *w, struct tt_bounds bounds, unsigned columns);
/* Half as wide (in) or twice, the cursor's column staying where it is if the bounds let it. */
void tt_viewport_zoom(struct tt_viewport *w, struct tt_bounds bounds, unsigned columns, bool in);
/* Exactly [from, to), if that is wide enough and inside. */
void tt_viewport_show(struct tt_viewport *w, struct tt_bounds bounds, unsigned columns,
                      uint64_t from, uint64_t to);
/* To the right by so many columns, negative: to the left; the cursor keeps its column. */
void tt_viewport_pan(struct tt_viewport *w, struct tt_bounds bounds, unsigned columns, int by);
/* The cursor by columns; at the side the window goes along. */
void tt_viewport_step(struct tt_viewport *w, struct tt_bounds bounds, unsigned columns, int by);
/* The cursor to a time; the window goes there, with the cursor in its middle, if it is outside. */
void tt_viewport_go(struct tt_viewport *w, struct tt_bounds bounds, unsigned columns, uint64_t at);

/* ---- selection ---------------------------------------------------------------------------- */

/* Begins at the cursor; ends there; is taken away. In turn. */
void tt_viewport_select(struct tt_viewport *w);
/* [*from, *to): the selection, both its ends included; false if there is none. */
bool tt_viewport_selection(const struct tt_viewport *w, uint64_t *from, uint64_t *to);

#endif
