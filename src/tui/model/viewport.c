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

static uint64_t add(uint64_t a, uint64_t b)
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
static void place(struct tt_viewport *w, struct tt_bounds bounds, unsigned columns, uint64_t from,
                  uint64_t span)
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
    w->from = from;
    w->to = from + span;
    w->all = w->from == bounds.begin && w->to >= bounds.end;
}

void tt_viewport_fit(struct tt_viewport *w, struct tt_bounds bounds, unsigned columns)
{
    columns = at_least_one(columns);
    if (w->all || w->to <= w->from) {
        place(w, bounds, columns, bounds.begin, bounds.end - bounds.begin);
    } else {
        bool all = w->all;
        place(w, bounds, columns, w->from, w->to - w->from);
        w->all = all;
    }
    if (!w->chosen) {
        w->at = w->from;
    }
    if (w->at < w->from) {
        w->at = w->from;
    } else if (w->at >= w->to) {
        w->at = w->to - 1;
    }
    if (w->growing) {
        w->other = w->at;
    }
}

uint64_t tt_viewport_edge(const struct tt_viewport *w, unsigned columns, unsigned column)
{
    columns = at_least_one(columns);
    return column >= columns ? w->to : w->from + part(w->to - w->from, column, columns);
}

unsigned tt_viewport_column(const struct tt_viewport *w, unsigned columns, uint64_t ticks)
{
    columns = at_least_one(columns);
    if (ticks < w->from) {
        return 0;
    }
    if (ticks >= w->to) {
        return columns - 1;
    }
    /* Edges are rounded down, so the column may be the next one, never a previous one. */
    unsigned column = (unsigned)part(ticks - w->from, columns, w->to - w->from);
    while (column + 1 < columns && tt_viewport_edge(w, columns, column + 1) <= ticks) {
        column++;
    }
    return column;
}

void tt_viewport_all(struct tt_viewport *w, struct tt_bounds bounds, unsigned columns)
{
    w->all = true;
    tt_viewport_fit(w, bounds, columns);
}

void tt_viewport_zoom(struct tt_viewport *w, struct tt_bounds bounds, unsigned columns, bool in)
{
    columns = at_least_one(columns);
    tt_viewport_fit(w, bounds, columns);
    uint64_t span = w->to - w->from;
    unsigned column = tt_viewport_column(w, columns, w->at);
    uint64_t inside = w->at - tt_viewport_edge(w, columns, column);
    if (in) {
        span = span / 2;
    } else {
        span = span > UINT64_MAX / 2 ? UINT64_MAX : span * 2;
    }
    /* Equal column widths keep the contents of the cells while panning. */
    span = span < columns ? columns : span - span % columns;
    uint64_t width = span / columns;
    uint64_t lead = add(column * width, inside < width ? inside : width - 1);
    place(w, bounds, columns, less(w->at, lead), span);
    tt_viewport_fit(w, bounds, columns);
}

void tt_viewport_show(struct tt_viewport *w, struct tt_bounds bounds, unsigned columns,
                      uint64_t from, uint64_t to)
{
    place(w, bounds, at_least_one(columns), from, to > from ? to - from : 0);
    tt_viewport_fit(w, bounds, columns);
}

/* Returns the ticks of `count` columns, at least one per column. */
static uint64_t ticks_of(const struct tt_viewport *w, unsigned columns, unsigned count)
{
    uint64_t span = w->to - w->from;
    uint64_t ticks = count <= columns ? part(span, count, columns) : span;
    return ticks < count ? count : ticks;
}

void tt_viewport_pan(struct tt_viewport *w, struct tt_bounds bounds, unsigned columns, int by)
{
    columns = at_least_one(columns);
    tt_viewport_fit(w, bounds, columns);
    uint64_t span = w->to - w->from, before = w->from;
    uint64_t ticks = ticks_of(w, columns, by < 0 ? 0u - (unsigned)by : (unsigned)by);
    place(w, bounds, columns, by < 0 ? less(w->from, ticks) : add(w->from, ticks), span);
    /* The cursor keeps its column; if the window cannot move further, the cursor moves. */
    uint64_t moved = by < 0 ? before - w->from : w->from - before;
    uint64_t target = moved > 0 ? moved : ticks;
    w->chosen = true;
    w->at = before_end(bounds, by < 0 ? less(w->at, target) : add(w->at, target));
    tt_viewport_fit(w, bounds, columns);
}

void tt_viewport_step(struct tt_viewport *w, struct tt_bounds bounds, unsigned columns, int by)
{
    columns = at_least_one(columns);
    tt_viewport_fit(w, bounds, columns);
    int64_t column = (int64_t)tt_viewport_column(w, columns, w->at) + by;
    w->chosen = true;
    if (column < 0) {
        if (w->from > bounds.begin) {
            tt_viewport_pan(w, bounds, columns, (int)column);
        }
        column = 0;
    } else if (column >= (int64_t)columns) {
        if (w->to < bounds.end) {
            tt_viewport_pan(w, bounds, columns, (int)(column - (int64_t)columns + 1));
        }
        column = (int64_t)columns - 1;
    }
    w->at = before_end(bounds, tt_viewport_edge(w, columns, (unsigned)column));
    tt_viewport_fit(w, bounds, columns);
}

void tt_viewport_go(struct tt_viewport *w, struct tt_bounds bounds, unsigned columns, uint64_t at)
{
    columns = at_least_one(columns);
    tt_viewport_fit(w, bounds, columns);
    at = at < bounds.begin ? bounds.begin : at;
    at = bounds.end > 0 ? before_end(bounds, at) : at;
    w->chosen = true;
    w->at = at;
    if (at < w->from || at >= w->to) {
        uint64_t span = w->to - w->from;
        place(w, bounds, columns, less(at, span / 2), span);
    }
    tt_viewport_fit(w, bounds, columns);
}

/* ---- selection ---------------------------------------------------------------------------- */

void tt_viewport_select(struct tt_viewport *w)
{
    if (w->spans && w->growing) {
        w->growing = false;
        w->other = w->at;
        w->spans = w->other != w->anchor;
    } else {
        w->spans = w->growing = true;
        w->anchor = w->other = w->at;
    }
}

bool tt_viewport_selection(const struct tt_viewport *w, uint64_t *from, uint64_t *to)
{
    uint64_t other = w->growing ? w->at : w->other;
    *from = w->anchor < other ? w->anchor : other;
    *to = w->anchor < other ? other : w->anchor;
    return w->spans && *from < *to;
}
