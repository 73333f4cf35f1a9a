/* SPDX-License-Identifier: Apache-2.0 */
/* viewport: zooms and pans without overflow for times near 2^64. */
#include "tui/model/viewport.h"

#include "tracetui/time.h"

/* Returns floor(value * mul / div), which fits: mul <= div, or the product is small. */
static uint64_t part(uint64_t value, uint64_t mul, uint64_t div)
{
    uint64_t result = 0;
    return tt_mul_div(value, mul, div, &result) ? result : UINT64_MAX;
}

static uint64_t viewport_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

static uint64_t before_end(struct tt_bounds bounds, uint64_t ticks)
{
    return ticks < bounds.end ? ticks : less(bounds.end, 1);
}

static unsigned at_least_one(unsigned columns)
{
    return columns > 0 ? columns : 1;
}

/* Places the window of width `span` at `from`, or as close to it as the bounds allow. */
static void viewport_place(struct tt_viewport *viewport, struct tt_bounds bounds, unsigned columns,
                           uint64_t from, uint64_t span)
{
    uint64_t whole = bounds.end - bounds.begin;
    span = span < columns ? columns : span;
    if (span >= whole) {
        from = bounds.begin;
        span = whole < columns ? columns : whole;
    } else if (from < bounds.begin) {
        from = bounds.begin;
    } else if (from > bounds.end - span) {
        from = bounds.end - span;
    }
    if (from > UINT64_MAX - span) {
        from = UINT64_MAX - span;
    }
    viewport->from = from;
    viewport->to = from + span;
    viewport->all = viewport->from == bounds.begin && viewport->to >= bounds.end;
}

void tt_viewport_fit(struct tt_viewport *viewport, struct tt_bounds bounds, unsigned columns)
{
    columns = at_least_one(columns);
    if (viewport->all || viewport->to <= viewport->from) {
        viewport_place(viewport, bounds, columns, bounds.begin, bounds.end - bounds.begin);
    } else {
        bool all = viewport->all;
        viewport_place(viewport, bounds, columns, viewport->from, viewport->to - viewport->from);
        viewport->all = all;
    }
    if (!viewport->chosen) {
        viewport->at = viewport->from;
    }
    if (viewport->at < viewport->from) {
        viewport->at = viewport->from;
    } else if (viewport->at >= viewport->to) {
        viewport->at = viewport->to - 1;
    }
    if (viewport->growing) {
        viewport->other = viewport->at;
    }
}

uint64_t tt_viewport_edge(const struct tt_viewport *viewport, unsigned columns, unsigned column)
{
    columns = at_least_one(columns);
    return column >= columns
               ? viewport->to
               : viewport->from + part(viewport->to - viewport->from, column, columns);
}

unsigned tt_viewport_column(const struct tt_viewport *viewport, unsigned columns, uint64_t ticks)
{
    columns = at_least_one(columns);
    if (ticks < viewport->from) {
        return 0;
    }
    if (ticks >= viewport->to) {
        return columns - 1;
    }
    /* Edges are rounded down, so the column may be the next one, never a previous one. */
    unsigned column =
        (unsigned)part(ticks - viewport->from, columns, viewport->to - viewport->from);
    while (column + 1 < columns && tt_viewport_edge(viewport, columns, column + 1) <= ticks) {
        column++;
    }
    return column;
}

void tt_viewport_all(struct tt_viewport *viewport, struct tt_bounds bounds, unsigned columns)
{
    viewport->all = true;
    tt_viewport_fit(viewport, bounds, columns);
}

void tt_viewport_zoom(struct tt_viewport *viewport, struct tt_bounds bounds, unsigned columns,
                      bool in)
{
    columns = at_least_one(columns);
    tt_viewport_fit(viewport, bounds, columns);
    uint64_t span = viewport->to - viewport->from;
    unsigned column = tt_viewport_column(viewport, columns, viewport->at);
    uint64_t inside = viewport->at - tt_viewport_edge(viewport, columns, column);
    if (in) {
        span = span / 2;
    } else {
        span = span > UINT64_MAX / 2 ? UINT64_MAX : span * 2;
    }
    /* Equal column widths keep the contents of the cells while panning. */
    span = span < columns ? columns : span - span % columns;
    uint64_t width = span / columns;
    uint64_t lead = viewport_add(column * width, inside < width ? inside : width - 1);
    viewport_place(viewport, bounds, columns, less(viewport->at, lead), span);
    tt_viewport_fit(viewport, bounds, columns);
}

void tt_viewport_show(struct tt_viewport *viewport, struct tt_bounds bounds, unsigned columns,
                      uint64_t from, uint64_t to)
{
    viewport_place(viewport, bounds, at_least_one(columns), from, to > from ? to - from : 0);
    tt_viewport_fit(viewport, bounds, columns);
}

/* Returns the ticks of `count` columns, at least one per column. */
static uint64_t viewport_ticks_of(const struct tt_viewport *viewport, unsigned columns,
                                  unsigned count)
{
    uint64_t span = viewport->to - viewport->from;
    uint64_t ticks = count <= columns ? part(span, count, columns) : span;
    return ticks < count ? count : ticks;
}

void tt_viewport_pan(struct tt_viewport *viewport, struct tt_bounds bounds, unsigned columns,
                     int by)
{
    columns = at_least_one(columns);
    tt_viewport_fit(viewport, bounds, columns);
    uint64_t span = viewport->to - viewport->from, before = viewport->from;
    uint64_t ticks =
        viewport_ticks_of(viewport, columns, by < 0 ? 0u - (unsigned)by : (unsigned)by);
    viewport_place(viewport, bounds, columns,
                   by < 0 ? less(viewport->from, ticks) : viewport_add(viewport->from, ticks),
                   span);
    /* The cursor keeps its column; if the window cannot move further, the cursor moves. */
    uint64_t moved = by < 0 ? before - viewport->from : viewport->from - before;
    uint64_t target = moved > 0 ? moved : ticks;
    viewport->chosen = true;
    viewport->at = before_end(bounds, by < 0 ? less(viewport->at, target)
                                             : viewport_add(viewport->at, target));
    tt_viewport_fit(viewport, bounds, columns);
}

void tt_viewport_step(struct tt_viewport *viewport, struct tt_bounds bounds, unsigned columns,
                      int by)
{
    columns = at_least_one(columns);
    tt_viewport_fit(viewport, bounds, columns);
    int64_t column = (int64_t)tt_viewport_column(viewport, columns, viewport->at) + by;
    viewport->chosen = true;
    if (column < 0) {
        if (viewport->from > bounds.begin) {
            tt_viewport_pan(viewport, bounds, columns, (int)column);
        }
        column = 0;
    } else if (column >= (int64_t)columns) {
        if (viewport->to < bounds.end) {
            tt_viewport_pan(viewport, bounds, columns, (int)(column - (int64_t)columns + 1));
        }
        column = (int64_t)columns - 1;
    }
    viewport->at = before_end(bounds, tt_viewport_edge(viewport, columns, (unsigned)column));
    tt_viewport_fit(viewport, bounds, columns);
}

void tt_viewport_go(struct tt_viewport *viewport, struct tt_bounds bounds, unsigned columns,
                    uint64_t at)
{
    columns = at_least_one(columns);
    tt_viewport_fit(viewport, bounds, columns);
    at = at < bounds.begin ? bounds.begin : at;
    at = bounds.end > 0 ? before_end(bounds, at) : at;
    viewport->chosen = true;
    viewport->at = at;
    if (at < viewport->from || at >= viewport->to) {
        uint64_t span = viewport->to - viewport->from;
        viewport_place(viewport, bounds, columns, less(at, span / 2), span);
    }
    tt_viewport_fit(viewport, bounds, columns);
}

/* ---- selection ---------------------------------------------------------------------------- */

void tt_viewport_select(struct tt_viewport *viewport)
{
    if (viewport->spans && viewport->growing) {
        viewport->growing = false;
        viewport->other = viewport->at;
        viewport->spans = viewport->other != viewport->anchor;
    } else {
        viewport->spans = viewport->growing = true;
        viewport->anchor = viewport->other = viewport->at;
    }
}

bool tt_viewport_selection(const struct tt_viewport *viewport, uint64_t *from, uint64_t *to)
{
    uint64_t other = viewport->growing ? viewport->at : viewport->other;
    *from = viewport->anchor < other ? viewport->anchor : other;
    *to = viewport->anchor < other ? other : viewport->anchor;
    return viewport->spans && *from < *to;
}
