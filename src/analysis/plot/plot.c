/* SPDX-License-Identifier: Apache-2.0 */
/* plot: bins and columns from samples. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plot/plot_internal.h"
#include "trace/line_parts.h"
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

const struct tt_timelines *tt_plot_timelines(const struct tt_plot_request *request)
{
    return request->sheet && request->sheet->state
               ? tt_trace_timelines(request->sheet->request.trace)
               : NULL;
}

/* ---- columns ------------------------------------------------------------------------------ */

uint64_t tt_plot_edge(const struct tt_plot *plot, unsigned column)
{
    uint64_t part = 0;
    tt_mul_div(plot->to - plot->from, column, plot->request.columns, &part);
    return plot->from + part;
}

unsigned tt_plot_column_of(const struct tt_plot *plot, uint64_t ticks)
{
    uint64_t column = 0;
    unsigned n = plot->request.columns;
    if (ticks <= plot->from || plot->to <= plot->from) {
        return 0;
    }
    tt_mul_div(ticks - plot->from, n, plot->to - plot->from, &column);
    unsigned i = column < n ? (unsigned)column : n - 1;
    while (i + 1 < n && tt_plot_edge(plot, i + 1) <= ticks) {
        i++;
    }
    return i;
}

uint64_t tt_plot_rate(const struct tt_plot *plot, unsigned column)
{
    uint64_t width = tt_plot_edge(plot, column + 1) - tt_plot_edge(plot, column);
    uint64_t hz = plot->request.capture->clock_hz, per_tick, rate = UINT64_MAX;
    if (width == 0) {
        return 0;
    }
    if (!tt_mul_div(plot->columns[column].count, hz > 0 ? hz : 1, width, &per_tick) ||
        !tt_mul_div(plot->columns[column].count * 1000, hz > 0 ? hz : 1, width, &rate)) {
        return UINT64_MAX;
    }
    return rate;
}

/* ---- scales ------------------------------------------------------------------------------- */

/* Returns an estimate of the median: the middle of its power of two. */
static uint64_t median_of(const struct tt_plot *plot)
{
    uint64_t passed = 0;
    for (unsigned i = 0; i < 64; i++) {
        passed += plot->log_counts[i];
        if (passed * 2 >= plot->count) {
            uint64_t low = (uint64_t)1 << i;
            return i == 0 ? 0 : low + low / 2;
        }
    }
    return plot->max;
}

unsigned tt_plot_row_of(const struct tt_plot *plot, uint64_t value)
{
    unsigned low = 0, high = plot->request.rows;
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (plot->edges[middle] <= value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Chooses the scale of the values; a deadline near them is within it. */
static void choose_scale(struct tt_plot *plot)
{
    enum tt_plot_scale scale = plot->request.scale;
    uint64_t limit = tt_line_ns(plot->request.capture, plot->limit), min = plot->min,
             max = plot->max;
    if (limit > max && limit / 2 <= max) {
        max = limit;
    } else if (plot->limit > 0 && limit < min && limit >= min / 2) {
        min = limit;
    }
    plot->logarithmic = scale == TT_PLOT_LOGARITHMIC ||
                        (scale == TT_PLOT_AUTO && tt_bins_are_skewed(median_of(plot), plot->max));
    tt_bins_choose_scale(&plot->bins, min, max, plot->logarithmic);

    /* Sets the edges of the rows of dots: from 0, or from near the minimum if that shows more. */
    unsigned rows = plot->request.rows;
    uint64_t low = min > max / 2 ? plot->bins.edge[0] : 0, high = max;
    if (plot->logarithmic) {
        low = min > 1 ? min : 1;
    }
    high = high > low ? high : low + (low < UINT64_MAX);
    for (unsigned i = 0; i <= rows; i++) {
        uint64_t part = 0;
        if (plot->logarithmic) {
            double edge = (double)low * pow((double)high / (double)low, (double)i / rows);
            plot->edges[i] = edge < (double)high ? (uint64_t)edge : high;
        } else {
            tt_mul_div(high - low, i, rows, &part);
            plot->edges[i] = low + part;
        }
    }
    plot->edges[rows] = high;
}

/* ---- samples ------------------------------------------------------------------------------ */

bool tt_plot_has_times(const struct tt_plot_request *request)
{
    return request->kind == TT_PLOT_ROWS
               ? tt_unit_is_time(request->column->unit)
               : !request->column || request->column->unit != TT_UNIT_REAL;
}

static uint64_t plot_plot_value_of(const struct tt_plot *plot, uint64_t length)
{
    const struct tt_plot_request *request = &plot->request;
    return request->kind == TT_PLOT_ROWS || !tt_plot_has_times(request)
               ? length
               : tt_line_ns(request->capture, length);
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
static void plot_plot_place(struct tt_plot *plot, const struct tt_plot_sample *sample)
{
    uint64_t value = plot_plot_value_of(plot, sample->length);
    bool timed = plot->request.kind == TT_PLOT_TIMES || plot->request.kind == TT_PLOT_RATE;
    tt_bins_add(&plot->bins, value, 1);
    if (!timed || sample->end < plot->from || sample->end >= plot->to) {
        return;
    }
    unsigned at = tt_plot_column_of(plot, sample->end);
    struct tt_plot_column *column = &plot->columns[at];
    if (column->count == 0 || value > column->max) {
        column->max = value;
        column->longest = *sample;
    }
    column->min = column->count == 0 || value < column->min ? value : column->min;
    column->count++;
    if (plot->dots) {
        plot->dots[(size_t)tt_plot_row_of(plot, value) * plot->request.columns + at]++;
    }
}

static void clear(struct tt_plot *plot)
{
    size_t columns = plot->request.columns;
    memset(plot->columns, 0, columns * sizeof *plot->columns);
    memset(plot->bins.count, 0, sizeof plot->bins.count);
    if (plot->dots) {
        memset(plot->dots, 0, columns * plot->request.rows * sizeof *plot->dots);
    }
}

static void add_to_range(struct tt_plot *plot, const struct tt_plot_sample *sample)
{
    uint64_t value = plot_plot_value_of(plot, sample->length);
    if (plot->count == 0 || value > plot->max) {
        plot->max = value;
        plot->longest = *sample;
    }
    plot->min = plot->count == 0 || value < plot->min ? value : plot->min;
    plot->sum = plot->sum > UINT64_MAX - value ? UINT64_MAX : plot->sum + value;
    plot->log_counts[log_of(value)]++;
    plot->over += plot->limit > 0 && sample->length > plot->limit;
    plot->count++;
}

/* Handles a sample of the feed: first for the range, then for the bins. */
static bool plot_add_sample(void *arg, uint64_t length, uint64_t end, uint32_t thread)
{
    struct tt_plot *plot = arg;
    const struct tt_plot_sample s = {length, end, thread};
    if (!plot->ranged) {
        add_to_range(plot, &s);

        if (plot->kept_count >= TT_PLOT_KEPT) {
            return true;
        }
        if ((plot->kept_count & (plot->kept_count - 1)) == 0 &&
            (plot->kept_count == 0 || plot->kept_count >= FIRST_KEPT)) {
            size_t room = plot->kept_count < FIRST_KEPT ? FIRST_KEPT : plot->kept_count * 2;
            struct tt_plot_sample *kept = realloc(plot->kept, room * sizeof *kept);
            if (!kept) {
                return false;
            }
            plot->kept = kept;
        }
        plot->kept[plot->kept_count++] = s;
        return true;
    }
    uint64_t value = plot_plot_value_of(plot, length);
    if (value >= plot->min && value <= plot->max) {
        plot_plot_place(plot, &s);
        plot->reread++;
    }
    return true;
}

void tt_plot_refresh(struct tt_plot *plot)
{
    if (plot->load || plot->ranged || plot->shown == plot->kept_count) {
        return;
    }
    choose_scale(plot);
    clear(plot);
    for (size_t i = 0; i < plot->kept_count; i++) {
        plot_plot_place(plot, &plot->kept[i]);
    }
    plot->shown = plot->kept_count;
    plot->rough = true;
}

/* ---- life cycle --------------------------------------------------------------------------- */

struct owned {
    struct tt_plot plot;
    struct tt_sample_sink sink;
};

static bool plot_plot_begin(struct tt_plot *plot)
{
    const struct tt_timelines *timelines = tt_plot_timelines(&plot->request);
    plot->number = timelines ? tt_timelines_number(timelines) : 0;
    plot->count = plot->sum = plot->min = plot->max = plot->over = plot->reread = 0;
    plot->kept_count = plot->shown = 0;
    plot->ranged = plot->fed = plot->complete = plot->rough = false;
    memset(plot->log_counts, 0, sizeof plot->log_counts);
    clear(plot);
    if (tt_plot_is_load(&plot->request)) {
        tt_plot_load_free(plot->load);
        plot->load = tt_plot_load_new(plot);
        return plot->load != NULL;
    }
    return tt_plot_feed_begin(plot->feed, &((struct owned *)plot)->sink);
}

struct tt_plot *tt_plot_new(const struct tt_plot_request *request)
{
    struct owned *owned = calloc(1, sizeof *owned);
    struct tt_plot *plot = owned ? &owned->plot : NULL;
    if (!plot) {
        return NULL;
    }
    plot->request = *request;
    struct tt_plot_request *plot_request = &plot->request;
    if (plot_request->sheet && plot_request->sheet->state) {
        plot_request->capture = plot_request->sheet->capture;
        plot_request->from = plot_request->sheet->request.window.from;
        plot_request->to = plot_request->sheet->request.window.to;
    }
    plot_request->columns = plot_request->columns == 0                ? 1
                            : plot_request->columns < TT_PLOT_COLUMNS ? plot_request->columns
                                                                      : TT_PLOT_COLUMNS;
    plot_request->rows = plot_request->rows == 0                  ? 1
                         : plot_request->rows < TT_PLOT_ROWS_MOST ? plot_request->rows
                                                                  : TT_PLOT_ROWS_MOST;

    /* Sets the range of time: that of the request inside the capture. */
    const struct tt_timelines *timelines = tt_plot_timelines(&plot->request);
    plot->from = plot->request.from;
    plot->to = plot->request.to;
    if (timelines) {
        plot->from =
            plot->from > tt_timelines_begin(timelines) ? plot->from : tt_timelines_begin(timelines);
        plot->to =
            plot->to < tt_timelines_limit(timelines) ? plot->to : tt_timelines_limit(timelines);
    }
    plot->to = plot->to > plot->from ? plot->to : plot->from;

    owned->sink = (struct tt_sample_sink){plot_add_sample, plot, TT_NO_THREAD};
    plot->columns = calloc(plot_request->columns, sizeof *plot->columns);
    plot->edges = calloc((size_t)plot_request->rows + 1, sizeof *plot->edges);
    bool has_dots = plot_request->kind == TT_PLOT_TIMES;
    plot->dots =
        has_dots ? calloc((size_t)plot_request->columns * plot_request->rows, sizeof *plot->dots)
                 : NULL;
    plot->feed = tt_plot_is_load(plot_request) ? NULL : tt_plot_feed_new(plot_request);
    plot->limit = plot->feed ? tt_plot_feed_limit(plot->feed) : 0;
    if (!plot->columns || !plot->edges || (has_dots && !plot->dots) ||
        (!tt_plot_is_load(plot_request) && !plot->feed) || !plot_plot_begin(plot)) {
        tt_plot_free(plot);
        return NULL;
    }
    return plot;
}

void tt_plot_free(struct tt_plot *plot)
{
    if (plot) {
        tt_plot_feed_free(plot->feed);
        tt_plot_load_free(plot->load);
        free(plot->columns);
        free(plot->edges);
        free(plot->dots);
        free(plot->kept);
        free(plot->ticks);
        free(plot->capacity);
        free((struct owned *)plot);
    }
}

/* Ends the first reading: the stored samples are all of them, or a second one begins. */
static bool end_range(struct tt_plot *plot)
{
    plot->ranged = true;
    choose_scale(plot);
    clear(plot);
    plot->rough = false;
    if (plot->count == plot->kept_count) {
        for (size_t i = 0; i < plot->kept_count; i++) {
            plot_plot_place(plot, &plot->kept[i]);
        }
        plot->complete = true;
        return true;
    }
    plot->fed = true;
    return tt_plot_feed_begin(plot->feed, &((struct owned *)plot)->sink);
}

static bool step_samples(struct tt_plot *plot, uint64_t work)
{
    bool done = false;
    while (work > 0 && !plot->complete) {
        uint64_t before = work;
        if (!tt_plot_feed_step(plot->feed, &work, &done)) {
            return false;
        }
        if (done && plot->ranged) {
            plot->complete = true;
        } else if (done && !end_range(plot)) {
            return false;
        }
        if (!done && work == before) {
            return true;
        }
    }
    return true;
}

bool tt_plot_step(struct tt_plot *plot, uint64_t work)
{
    const struct tt_timelines *timelines = tt_plot_timelines(&plot->request);
    if (plot->complete || plot->failed) {
        return true;
    }
    if (timelines && tt_timelines_number(timelines) != plot->number) {
        plot->failed = !plot_plot_begin(plot);
    }
    if (!plot->failed && plot->load) {
        plot->failed = !tt_plot_load_step(plot, &work, &plot->complete);
    } else if (!plot->failed) {
        plot->failed = !step_samples(plot, work);
    }
    return plot->complete || plot->failed;
}
