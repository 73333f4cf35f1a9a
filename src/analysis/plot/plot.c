/* SPDX-License-Identifier: Apache-2.0 */
/* plot: bins and columns from samples. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plot/plot_internal.h"
#include "tracetui/line_parts.h"
#include "tracetui/time.h"

#define FIRST_KEPT 256u

const char *tt_plot_kind_word(unsigned kind)
{
    static const char *const words[TT_PLOT_KINDS] = {
#define X(id, word) [id] = word,
        TT_PLOT_KIND_INFO(X)
#undef X
    };
    return words[kind];
}

const struct tt_timelines *tt_plot_timelines(const struct tt_plot_request *r)
{
    return r->sheet && r->sheet->state ? tt_trace_timelines(r->sheet->request.trace) : NULL;
}

/* ---- columns ------------------------------------------------------------------------------ */

uint64_t tt_plot_edge(const struct tt_plot *p, unsigned column)
{
    uint64_t part = 0;
    tt_mul_div(p->to - p->from, column, p->request.columns, &part);
    return p->from + part;
}

unsigned tt_plot_column_of(const struct tt_plot *p, uint64_t ticks)
{
    uint64_t column = 0;
    unsigned n = p->request.columns;
    if (ticks <= p->from || p->to <= p->from) {
        return 0;
    }
    tt_mul_div(ticks - p->from, n, p->to - p->from, &column);
    unsigned i = column < n ? (unsigned)column : n - 1;
    while (i + 1 < n && tt_plot_edge(p, i + 1) <= ticks) {
        i++;
    }
    return i;
}

uint64_t tt_plot_rate(const struct tt_plot *p, unsigned column)
{
    uint64_t width = tt_plot_edge(p, column + 1) - tt_plot_edge(p, column);
    uint64_t hz = p->request.capture->clock_hz, per_tick, rate = UINT64_MAX;
    if (width == 0) {
        return 0;
    }
    if (!tt_mul_div(p->columns[column].count, hz > 0 ? hz : 1, width, &per_tick) ||
        !tt_mul_div(p->columns[column].count * 1000, hz > 0 ? hz : 1, width, &rate)) {
        return UINT64_MAX;
    }
    return rate;
}

/* ---- scales ------------------------------------------------------------------------------- */

/* Returns an estimate of the median: the middle of its power of two. */
static uint64_t median_of(const struct tt_plot *p)
{
    uint64_t passed = 0;
    for (unsigned i = 0; i < 64; i++) {
        passed += p->log_counts[i];
        if (passed * 2 >= p->count) {
            uint64_t low = (uint64_t)1 << i;
            return i == 0 ? 0 : low + low / 2;
        }
    }
    return p->max;
}

/* Sets the edges of the rows of dots: from 0, or from near the minimum if that shows more. */
static void choose_edges(struct tt_plot *p, uint64_t min, uint64_t max)
{
    unsigned rows = p->request.rows;
    uint64_t low = min > max / 2 ? p->bins.edge[0] : 0, high = max;
    if (p->logarithmic) {
        low = min > 1 ? min : 1;
    }
    high = high > low ? high : low + (low < UINT64_MAX);
    for (unsigned i = 0; i <= rows; i++) {
        uint64_t part = 0;
        if (p->logarithmic) {
            double edge = (double)low * pow((double)high / (double)low, (double)i / rows);
            p->edges[i] = edge < (double)high ? (uint64_t)edge : high;
        } else {
            tt_mul_div(high - low, i, rows, &part);
            p->edges[i] = low + part;
        }
    }
    p->edges[rows] = high;
}

unsigned tt_plot_row_of(const struct tt_plot *p, uint64_t value)
{
    unsigned low = 0, high = p->request.rows;
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (p->edges[middle] <= value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Chooses the scale of the values; a deadline near them is within it. */
static void choose_scale(struct tt_plot *p)
{
    enum tt_plot_scale scale = p->request.scale;
    uint64_t limit = tt_line_ns(p->request.capture, p->limit), min = p->min, max = p->max;
    if (limit > max && limit / 2 <= max) {
        max = limit;
    } else if (p->limit > 0 && limit < min && limit >= min / 2) {
        min = limit;
    }
    p->logarithmic = scale == TT_PLOT_LOGARITHMIC ||
                     (scale == TT_PLOT_AUTO && tt_bins_are_skewed(median_of(p), p->max));
    tt_bins_choose_scale(&p->bins, min, max, p->logarithmic);
    choose_edges(p, min, max);
}

/* ---- samples ------------------------------------------------------------------------------ */

static uint64_t value_of(const struct tt_plot *p, uint64_t length)
{
    return p->request.kind == TT_PLOT_ROWS ? length : tt_line_ns(p->request.capture, length);
}

static unsigned log_of(uint64_t value)
{
    unsigned i = 0;
    for (; value > 1; value >>= 1) {
        i++;
    }
    return i;
}

/* Counts a sample in its bin, column and row of dots. */
static void place(struct tt_plot *p, const struct tt_plot_sample *s)
{
    uint64_t value = value_of(p, s->length);
    bool timed = p->request.kind == TT_PLOT_TIMES || p->request.kind == TT_PLOT_RATE;
    tt_bins_add(&p->bins, value, 1);
    if (!timed || s->end < p->from || s->end >= p->to) {
        return;
    }
    unsigned at = tt_plot_column_of(p, s->end);
    struct tt_plot_column *c = &p->columns[at];
    if (c->count == 0 || value > c->max) {
        c->max = value;
        c->longest = *s;
    }
    c->min = c->count == 0 || value < c->min ? value : c->min;
    c->count++;
    if (p->dots) {
        p->dots[(size_t)tt_plot_row_of(p, value) * p->request.columns + at]++;
    }
}

static void clear(struct tt_plot *p)
{
    size_t columns = p->request.columns;
    memset(p->columns, 0, columns * sizeof *p->columns);
    memset(p->bins.count, 0, sizeof p->bins.count);
    if (p->dots) {
        memset(p->dots, 0, columns * p->request.rows * sizeof *p->dots);
    }
}

static void add_to_range(struct tt_plot *p, const struct tt_plot_sample *s)
{
    uint64_t value = value_of(p, s->length);
    if (p->count == 0 || value > p->max) {
        p->max = value;
        p->longest = *s;
    }
    p->min = p->count == 0 || value < p->min ? value : p->min;
    p->sum = p->sum > UINT64_MAX - value ? UINT64_MAX : p->sum + value;
    p->log_counts[log_of(value)]++;
    p->over += p->limit > 0 && s->length > p->limit;
    p->count++;
}

static bool keep(struct tt_plot *p, const struct tt_plot_sample *s)
{
    if (p->kept_count >= TT_PLOT_KEPT) {
        return true;
    }
    if ((p->kept_count & (p->kept_count - 1)) == 0 &&
        (p->kept_count == 0 || p->kept_count >= FIRST_KEPT)) {
        size_t room = p->kept_count < FIRST_KEPT ? FIRST_KEPT : p->kept_count * 2;
        struct tt_plot_sample *kept = realloc(p->kept, room * sizeof *kept);
        if (!kept) {
            return false;
        }
        p->kept = kept;
    }
    p->kept[p->kept_count++] = *s;
    return true;
}

/* Handles a sample of the feed: first for the range, then for the bins. */
static bool take(void *arg, uint64_t length, uint64_t end, uint32_t thread)
{
    struct tt_plot *p = arg;
    const struct tt_plot_sample s = {length, end, thread};
    if (!p->ranged) {
        add_to_range(p, &s);
        return keep(p, &s);
    }
    uint64_t value = value_of(p, length);
    if (value >= p->min && value <= p->max) {
        place(p, &s);
        p->reread++;
    }
    return true;
}

void tt_plot_refresh(struct tt_plot *p)
{
    if (p->load || p->ranged || p->shown == p->kept_count) {
        return;
    }
    choose_scale(p);
    clear(p);
    for (size_t i = 0; i < p->kept_count; i++) {
        place(p, &p->kept[i]);
    }
    p->shown = p->kept_count;
    p->rough = true;
}

/* ---- life cycle --------------------------------------------------------------------------- */

struct owned {
    struct tt_plot plot;
    struct tt_sample_sink sink;
};

static bool begin(struct tt_plot *p)
{
    const struct tt_timelines *t = tt_plot_timelines(&p->request);
    p->number = t ? tt_timelines_number(t) : 0;
    p->count = p->sum = p->min = p->max = p->over = p->reread = 0;
    p->kept_count = p->shown = 0;
    p->ranged = p->fed = p->complete = p->rough = false;
    memset(p->log_counts, 0, sizeof p->log_counts);
    clear(p);
    if (tt_plot_is_load(&p->request)) {
        tt_plot_load_free(p->load);
        p->load = tt_plot_load_new(p);
        return p->load != NULL;
    }
    return tt_plot_feed_begin(p->feed, &((struct owned *)p)->sink);
}

/* Sets the range of time: that of the request inside the capture. */
static void clip(struct tt_plot *p)
{
    const struct tt_timelines *t = tt_plot_timelines(&p->request);
    p->from = p->request.from;
    p->to = p->request.to;
    if (t) {
        p->from = p->from > tt_timelines_begin(t) ? p->from : tt_timelines_begin(t);
        p->to = p->to < tt_timelines_limit(t) ? p->to : tt_timelines_limit(t);
    }
    p->to = p->to > p->from ? p->to : p->from;
}

struct tt_plot *tt_plot_new(const struct tt_plot_request *request)
{
    struct owned *owned = calloc(1, sizeof *owned);
    struct tt_plot *p = owned ? &owned->plot : NULL;
    if (!p) {
        return NULL;
    }
    p->request = *request;
    struct tt_plot_request *r = &p->request;
    if (r->sheet && r->sheet->state) {
        r->capture = r->sheet->capture;
        r->from = r->sheet->request.window.from;
        r->to = r->sheet->request.window.to;
    }
    r->columns = r->columns == 0 ? 1 : r->columns < TT_PLOT_COLUMNS ? r->columns : TT_PLOT_COLUMNS;
    r->rows = r->rows == 0 ? 1 : r->rows < TT_PLOT_ROWS_MOST ? r->rows : TT_PLOT_ROWS_MOST;
    clip(p);
    owned->sink = (struct tt_sample_sink){take, p, TT_NO_THREAD};
    p->columns = calloc(r->columns, sizeof *p->columns);
    p->edges = calloc((size_t)r->rows + 1, sizeof *p->edges);
    bool has_dots = r->kind == TT_PLOT_TIMES;
    p->dots = has_dots ? calloc((size_t)r->columns * r->rows, sizeof *p->dots) : NULL;
    p->feed = tt_plot_is_load(r) ? NULL : tt_plot_feed_new(r);
    p->limit = p->feed ? tt_plot_feed_limit(p->feed) : 0;
    if (!p->columns || !p->edges || (has_dots && !p->dots) || (!tt_plot_is_load(r) && !p->feed) ||
        !begin(p)) {
        tt_plot_free(p);
        return NULL;
    }
    return p;
}

void tt_plot_free(struct tt_plot *p)
{
    if (p) {
        tt_plot_feed_free(p->feed);
        tt_plot_load_free(p->load);
        free(p->columns);
        free(p->edges);
        free(p->dots);
        free(p->kept);
        free(p->ticks);
        free(p->capacity);
        free((struct owned *)p);
    }
}

/* Ends the first reading: the stored samples are all of them, or a second one begins. */
static bool end_range(struct tt_plot *p)
{
    p->ranged = true;
    choose_scale(p);
    clear(p);
    p->rough = false;
    if (p->count == p->kept_count) {
        for (size_t i = 0; i < p->kept_count; i++) {
            place(p, &p->kept[i]);
        }
        p->complete = true;
        return true;
    }
    p->fed = true;
    return tt_plot_feed_begin(p->feed, &((struct owned *)p)->sink);
}

static bool step_samples(struct tt_plot *p, uint64_t work)
{
    bool done = false;
    while (work > 0 && !p->complete) {
        uint64_t before = work;
        if (!tt_plot_feed_step(p->feed, &work, &done)) {
            return false;
        }
        if (done && p->ranged) {
            p->complete = true;
        } else if (done && !end_range(p)) {
            return false;
        }
        if (!done && work == before) {
            return true;
        }
    }
    return true;
}

bool tt_plot_step(struct tt_plot *p, uint64_t work)
{
    const struct tt_timelines *t = tt_plot_timelines(&p->request);
    if (p->complete || p->failed) {
        return true;
    }
    if (t && tt_timelines_number(t) != p->number) {
        p->failed = !begin(p);
    }
    if (!p->failed && p->load) {
        p->failed = !tt_plot_load_step(p, &work, &p->complete);
    } else if (!p->failed) {
        p->failed = !step_samples(p, work);
    }
    return p->complete || p->failed;
}
