/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure: the Measure pane: the numbers of a measurement, its histogram, and the longest intervals.
 *
 *       measure: event = FRAME_BEGIN -> event = FRAME_END
 *           count       min      mean       p50       p95       p99       max
 *              36  17.65 µs  257.1 µs  46.22 µs  1.446 ms  2.146 ms  2.146 ms
 *      ─ histogram ──────────────────────
 *            0 ns ..   100 µs      28 ████████████████████
 *        duration  from              to                thread
 *      ▌ 2.146 ms  0.028 634 722     0.030 780 919     logger/1 writer
 *       duration: Time from the begin to the end.
 *
 * It covers the view below it. For reactions to an interrupt, a table has the parts of the chosen one.
 * `d` shows a plot in place of the histogram.
 */
#include "tui/panes/measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "check/check_write.h"
#include "table/columns.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tui/draw/units.h"
#include "tui/panes/pane.h"

#define COLUMN_WIDTH 10
#define EDGE_WIDTH   8
#define LINE_BYTES   512
#define FIRST_NS     UINT64_C(20000000) /* time for the first frame of a measurement */
#define FIRST_RESULT 256u  /* samples of the first result; then each doubling has one */
#define STEP_WORK    4000u /* cost of a block of events, or of a thread's reactions */
#define ROWS_KEPT    5 /* lines of the list beside a plot, with its headings and its last line */
#define KINDS        (1u << TT_PLOT_HISTOGRAM | 1u << TT_PLOT_TIMES | 1u << TT_PLOT_RATE)

/* ---- the measurement ---------------------------------------------------------------------- */

/* Frees the measurement; the plot stays until the next frame has another. */
static void measure_drop(struct tt_workspace *ws, void *state)
{
    struct tt_measure_pane *pane = state;
    (void)ws;
    for (unsigned i = 0; i < TT_REACTION_PARTS; i++) {
        tt_samples_free(&pane->part_samples[i]);
    }
    tt_samples_free(&pane->whole);
    tt_measure_walk_free(pane->walk);
    tt_measure_walk_free(pane->again);
    tt_rows_free(&pane->rows);
    *pane = (struct tt_measure_pane){
        .version = pane->version + 1, .plot = pane->plot, .plot_lines = pane->plot_lines};
}

static void measure_close(void *state)
{
    struct tt_measure_pane *pane = state;
    measure_drop(NULL, pane);
    tt_rows_free(&pane->rows);
    tt_plot_pane_free(&pane->plot);
}

/* Adds an interval: to the list of the longest, where of equal ones the earlier comes first, and to the
 * samples of reactions; a pairing stores its samples itself. */
static bool add_measured(void *arg, const struct tt_measured *one)
{
    struct tt_measure_pane *pane = arg;
    uint64_t length = one->to - one->from;
    size_t low = 0, high = pane->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool before = pane->longest[middle].to - pane->longest[middle].from >= length;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    if (low < TT_MEASURE_LIST) {
        pane->count += pane->count < TT_MEASURE_LIST;
        memmove(&pane->longest[low + 1], &pane->longest[low],
                (pane->count - 1 - low) * sizeof *one);
        pane->longest[low] = *one;
    }
    bool ok = !pane->walk->has_interrupt || tt_samples_add(&pane->whole, length, one->to);
    for (unsigned i = 0; pane->walk->has_interrupt && i < TT_REACTION_PARTS; i++) {
        if (one->has_handler || i >= TT_REACTION_READY) {
            ok = ok && tt_samples_add(&pane->part_samples[i], one->parts[i], one->to);
        }
    }
    return ok;
}

/* Begins :measure; on an error the previous measurement stays. */
static struct tt_status measure_begin(struct tt_workspace *ws, void *state, const char *text,
                                      const char **result)
{
    struct tt_measure_pane *pane = state;
    struct tt_measure_walk *walk;
    *result = text[0] ? text : NULL;
    if (!text[0]) {
        return pane->title[0]
                   ? tt_ok()
                   : tt_error(TT_ERR_USAGE, "nothing was measured: :measure BEGIN -> END");
    }
    if (!ws->opened.trace || strlen(text) >= TT_MEASURE_TEXT) {
        return tt_error(TT_ERR_USAGE, "the command is too long");
    }
    struct tt_status status = tt_measure_walk_new(ws, text, &walk);
    if (!tt_failed(&status)) {
        measure_drop(ws, pane);
        pane->walk = walk;
        walk->add = add_measured;
        walk->add_arg = pane;
        pane->next_result = FIRST_RESULT;
        snprintf(pane->title, sizeof pane->title, "%s", text);
    }
    return status;
}

/* Appends the rule that judges the longest interval: `max time from {A} to {B} <= 1ms`, or of reactions. */
static struct tt_status measure_rule(struct tt_workspace *ws, void *state, struct tt_text *text)
{
    const struct tt_measure_pane *pane = state;
    if (!pane->complete || pane->result.length.count == 0) {
        return tt_error(TT_ERR_USAGE, pane->complete ? "nothing was measured: there is no interval"
                                                     : "the measurement is not complete yet");
    }
    tt_measure_walk_put_rule(pane->walk, text);
    tt_rule_write_time(text, ws->opened.capture, pane->result.length.max);
    return tt_ok();
}

/* Returns the durations of all intervals, in ticks; valid until the next step. */
static const struct tt_samples *samples_of(const struct tt_measure_pane *pane)
{
    return pane->walk->has_interrupt ? &pane->whole : tt_measure_samples(pane->walk->measure);
}

/* Continues until `deadline_ns` (tt_now_ns); returns true when it is complete. */
static bool measure_measure(struct tt_workspace *ws, struct tt_measure_pane *pane,
                            uint64_t deadline_ns)
{
    if (!pane->walk || pane->complete || pane->failed || !ws->index.progress.finished) {
        return true; /* while it is indexed, rows may still move */
    }
    do {
        bool over;
        pane->failed = !tt_measure_walk_step(ws, pane->walk, &over);
        if (over || samples_of(pane)->count >= pane->next_result) {
            /* Computes the numbers and bins of what was added so far. */
            const struct tt_capture *capture = ws->opened.capture;
            const struct tt_samples *samples = samples_of(pane);
            if (pane->walk->has_interrupt) {
                pane->result =
                    (struct tt_measure_result){.length = tt_samples_distribution(&pane->whole)};
                pane->result.min = UINT64_MAX;
                uint64_t length, times;
                for (size_t next = 0; tt_samples_next(&pane->whole, &next, &length, &times);) {
                    pane->result.min = length < pane->result.min ? length : pane->result.min;
                }
                for (unsigned i = 0; i < TT_REACTION_PARTS; i++) {
                    pane->part_results[i] = tt_samples_distribution(&pane->part_samples[i]);
                }
            } else {
                tt_measure_result(pane->walk->measure, &pane->result);
            }
            pane->bins = (struct tt_bins){0};
            if (samples->count > 0) {
                tt_bins_choose(&pane->bins, tt_line_ns(capture, pane->result.min),
                               tt_line_ns(capture, pane->result.length.p50),
                               tt_line_ns(capture, pane->result.length.max));
            }
            tt_bins_add_samples(&pane->bins, capture, samples);
            pane->next_result = 2 * samples->count + FIRST_RESULT;
        }
        pane->complete = over && !pane->failed;
    } while (!pane->complete && !pane->failed && tt_now_ns() < deadline_ns);
    return pane->complete || pane->failed;
}

/* ---- samples of the plot ------------------------------------------------------------------ */

static bool pass_on(void *arg, const struct tt_measured *one)
{
    struct tt_sample_sink *sink = ((struct tt_measure_pane *)arg)->sink;
    sink->thread = one->thread;
    return tt_sample_sink_pass(sink, one->to - one->from, one->to);
}

/* Begins to measure again, for a plot; the `begin` of struct tt_plot_source. */
static bool read_begin(void *arg, struct tt_sample_sink *sink)
{
    struct tt_measure_pane *pane = arg;
    if (!pane->walk) {
        return true;
    }
    tt_measure_walk_free(pane->again);
    pane->again = NULL;
    pane->sink = sink;
    struct tt_status status = tt_measure_walk_new(pane->ws, pane->title, &pane->again);
    if (tt_failed(&status)) {
        return false;
    }
    pane->again->add = pass_on;
    pane->again->add_arg = pane;
    if (pane->again->measure) {
        tt_measure_store_nothing(pane->again->measure);
    }
    return true;
}

static bool read_step(void *arg, uint64_t *work, bool *done)
{
    struct tt_measure_pane *pane = arg;
    *done = !pane->again;
    while (!*done && *work > 0) {
        if (!tt_measure_walk_step(pane->ws, pane->again, done)) {
            return false;
        }
        *work -= *work < STEP_WORK ? *work : STEP_WORK;
    }
    if (*done) {
        tt_measure_walk_free(pane->again);
        pane->again = NULL;
    }
    return true;
}

/* ---- rows --------------------------------------------------------------------------------- */

struct measured_row {
    struct tt_measured one;
    uint64_t length;
};

#define ROW struct measured_row

/* clang-format off */
static const struct tt_table_column columns[] = {
    COLUMN("from", "from", AT, one.from, SCREEN("", "from", 2, 2), "When the interval begins."),
    COLUMN("to", "to", AT, one.to, SCREEN("", "to", 3, 3), "When the interval ends."),
    COLUMN("dur", "duration", TIME_US, length, SCREEN("", "duration", 1, 1), "Time from the begin to the end; the list has the longest."),
    COLUMN("thread", "thread", LANE_NAME, one.thread, SCREEN("", "thread", 0, 5), "Thread of the event at the end."),
    COLUMN("cpu", "CPU", CPU, one.cpu, WIDE(4, "CPU", 4, 4), "CPU of the interrupt.", .is_screen = true),
};
/* clang-format on */

static const struct tt_table table_measured = {
    NAMES("measured", "Measured intervals", "An interval that was measured.", "[thread]"),
    COLUMNS(columns),
    .row_size = sizeof(struct measured_row),
    .is_overall = true,
};

static void measure_make(const struct tt_workspace *ws, const void *state, size_t index,
                         struct tt_table_row *row)
{
    const struct tt_measured *one = &((const struct tt_measure_pane *)state)->longest[index];
    struct measured_row *measured = (void *)row;
    *measured = (struct measured_row){.one = *one, .length = one->to - one->from};
    if (one->thread >= tt_thread_count(ws->opened.capture)) {
        measured->one.thread = TT_NO_THREAD;
    }
}

/* Only reactions have a CPU. */
static bool measure_has(const void *state, const struct tt_table_column *column)
{
    const struct tt_measure_pane *pane = state;
    return column->unit != TT_UNIT_CPU || (pane->walk && pane->walk->has_interrupt);
}

static const struct tt_rows_of rows_of_measured = {
    .table = &table_measured, .make = measure_make, .has = measure_has};

/* Returns the interval with the cursor; NULL: there is none. */
static const struct tt_measured *measured_at(const struct tt_measure_pane *pane)
{
    const size_t at = tt_rows_at(&pane->rows, pane->rows.list.at);
    return at < pane->count ? &pane->longest[at] : NULL;
}

/* ---- layout ------------------------------------------------------------------------------- */

static void measure_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct tt_measure_pane *pane = state;
    const struct tt_progress *progress = &ws->index.progress;
    const uint64_t first = pane->count == 0 ? FIRST_NS : 0;
    pane->laid_out = measure_measure(ws, pane, tt_now_ns() + first);
    pane->parts = 3;
    pane->histogram =
        pane->parts + (pane->walk && pane->walk->has_interrupt ? 1 + TT_REACTION_PARTS : 0);
    const int lines = area.height - pane->histogram;
    pane->plot_lines = tt_plot_pane_height(&pane->plot, lines, ROWS_KEPT);
    /* The plot of the measured times, once all are known. */
    if (pane->plot.open && pane->complete) {
        pane->ws = ws;
        pane->source = (struct tt_plot_source){read_begin, read_step, pane};
        const struct tt_plot_request request = {.subject = TT_PLOT_OF_SOURCE,
                                                .source = &pane->source,
                                                .from = progress->first_ticks,
                                                .to = progress->last_ticks + 1};
        tt_plot_pane_ask(&pane->plot, ws, &request, KINDS, pane->version, area.width,
                         pane->plot_lines);
    } else {
        tt_plot_pane_drop(&pane->plot);
    }
    /* Or the histogram: `each` bins per line, in half of the lines. */
    const int half = lines > 6 ? (lines - 2) / 2 : 0, used = (int)pane->bins.used;
    const int each = half > 0 ? (used + half - 1) / half : 0;
    pane->histogram_lines = each > 0 && !pane->plot.open ? (used + each - 1) / each : 0;
    const int y = pane->histogram + pane->plot_lines +
                  (pane->histogram_lines > 0 ? 1 + pane->histogram_lines : 0);
    tt_rows_layout(ws, &pane->rows, &rows_of_measured, pane->count, pane->version, pane->complete,
                   y, area.height - y);
}

/* Returns whether the plot is that of the measurement, or none is shown. */
static bool measure_is_asked(const struct tt_measure_pane *pane)
{
    return !pane->plot.open || pane->plot_lines == 0 || !pane->complete ||
           ((pane->plot.plot || pane->plot.failed) && pane->plot.version == pane->version);
}

/* Without a budget: whether all is known. A plot that is not asked for needs no work before a frame. */
static bool measure_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    struct tt_measure_pane *pane = state;
    uint64_t until = tt_now_ns() + budget_ns;
    if (!measure_measure(ws, pane, until)) {
        return false;
    }
    uint64_t now = tt_now_ns();
    return tt_plot_pane_work(&pane->plot, now < until ? until - now : 0) &&
           (budget_ns > 0 || (pane->laid_out && measure_is_asked(pane)));
}

static bool measure_settled(const struct tt_workspace *ws, const void *state)
{
    const struct tt_measure_pane *pane = state;
    const struct tt_plot *plot = pane->plot.open ? pane->plot.plot : NULL;
    (void)ws;
    return (!pane->walk || pane->complete || pane->failed) && measure_is_asked(pane) &&
           (!plot || plot->complete || plot->failed);
}

/* ---- drawing ------------------------------------------------------------------------------ */

static void draw_duration(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                          uint64_t ticks)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (ticks != UINT64_MAX) {
        tt_line_duration_with(&text, ws->opened.capture, ticks, tt_pane_micro(ws));
    } else {
        tt_text_char(&text, '-');
    }
    tt_draw_right(area, x, y, COLUMN_WIDTH, TT_ROLE_DELTA, tt_text_cstr(&text));
}

static void draw_count(struct tt_area area, int x, int y, uint64_t count)
{
    tt_draw_put_right(area, x, y, COLUMN_WIDTH, TT_ROLE_TEXT, "%'ju", count);
}

static void draw_numbers(const struct tt_workspace *ws, const struct tt_measure_pane *pane,
                         struct tt_area area)
{
    static const char *const heads[] = {"count", "min", "mean", "p50", "p95", "p99", "max"};
    const struct tt_distribution *distribution = &pane->result.length;
    bool any = distribution->count > 0;
    const uint64_t values[] = {0,
                               any ? pane->result.min : UINT64_MAX,
                               any ? distribution->sum / distribution->count : UINT64_MAX,
                               distribution->p50,
                               distribution->p95,
                               distribution->p99,
                               distribution->max};
    for (int i = 0; i < 7; i++) {
        int x = i * (COLUMN_WIDTH + 1);
        tt_draw_right(area, x, 1, COLUMN_WIDTH, TT_ROLE_COLUMNS, heads[i]);
        if (i == 0) {
            draw_count(area, x, 2, distribution->count);
        } else {
            draw_duration(ws, area, x, 2, any ? values[i] : UINT64_MAX);
        }
    }
    if (pane->walk && pane->walk->has_interrupt) {
        return;
    }
    static const char *const others[] = {"no end", "no begin", "lossy"};
    const uint64_t counts[] = {pane->result.unpaired_begin, pane->result.unpaired_end,
                               pane->result.lossy};
    for (int i = 0; i < 3; i++) {
        int x = (7 + i) * (COLUMN_WIDTH + 1);
        if (x + COLUMN_WIDTH < area.width) {
            tt_draw_right(area, x, 1, COLUMN_WIDTH, TT_ROLE_COLUMNS, others[i]);
            draw_count(area, x, 2, counts[i]);
        }
    }
}

/* Draws the parts of the chosen reaction and of all. */
static void draw_parts(const struct tt_workspace *ws, const struct tt_measure_pane *pane,
                       struct tt_area area)
{
    static const char *const names[] = {
#define X(id, key, text) text,
        TT_REACTION_INFO(X)
#undef X
    };
    static const char *const heads[] = {"this one", "%", "mean", "p99", "max"};
    const struct tt_measured *one = measured_at(pane);
    for (int i = 0; i < 5; i++) {
        tt_draw_right(area, 18 + i * (COLUMN_WIDTH + 1), pane->parts, COLUMN_WIDTH, TT_ROLE_COLUMNS,
                      heads[i]);
    }
    for (int i = 0; i < TT_REACTION_PARTS; i++) {
        int y = pane->parts + 1 + i, x = 18;
        bool known = one && (one->has_handler || i >= TT_REACTION_READY);
        const struct tt_distribution *distribution = &pane->part_results[i];
        tt_draw(area, 1, y, 17, TT_ROLE_TEXT, names[i]);
        draw_duration(ws, area, x, y, known ? one->parts[i] : UINT64_MAX);
        if (known && one->to > one->from) {
            char buffer[32];
            struct tt_text text = tt_text_of(buffer, sizeof buffer);
            double tenths = (double)one->parts[i] * 1000.0 / (double)(one->to - one->from);
            tt_text_decimal(&text, (uint64_t)tenths, 1);
            tt_text_str(&text, " %");
            tt_draw_right(area, x + COLUMN_WIDTH + 1, y, COLUMN_WIDTH, TT_ROLE_TEXT,
                          tt_text_cstr(&text));
        }
        draw_duration(ws, area, x + 2 * (COLUMN_WIDTH + 1), y,
                      distribution->count > 0 ? distribution->sum / distribution->count
                                              : UINT64_MAX);
        draw_duration(ws, area, x + 3 * (COLUMN_WIDTH + 1), y,
                      distribution->count > 0 ? distribution->p99 : UINT64_MAX);
        draw_duration(ws, area, x + 4 * (COLUMN_WIDTH + 1), y,
                      distribution->count > 0 ? distribution->max : UINT64_MAX);
    }
}

/* Appends a bin edge in nanoseconds, or ticks without a clock: 1.5 ms. */
static void draw_edge(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                      uint64_t edge)
{
    const char *const units[] = {" ns", tt_pane_micro(ws), " ms", " s"};
    bool clock = ws->opened.capture->clock_hz != 0;
    char buffer[48];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    unsigned unit = 0;
    uint64_t scale = 1;
    while (clock && unit < 3 && edge / scale >= 1000) {
        scale *= 1000;
        unit++;
    }
    tt_text_u64(&text, edge / scale);
    uint64_t tenths = edge % scale * 10 / scale;
    if (tenths > 0) {
        tt_text_put(&text, ".%ju", tenths);
    }
    tt_text_str(&text, clock ? units[unit] : "");
    tt_draw_right(area, x, y, EDGE_WIDTH, TT_ROLE_TEXT, tt_text_cstr(&text));
}

/* Draws the bins; if there are more than lines, a line has several. */
static void draw_histogram(const struct tt_workspace *ws, const struct tt_measure_pane *pane,
                           struct tt_area area)
{
    const struct tt_bins *bins = &pane->bins;
    unsigned lines = (unsigned)pane->histogram_lines;
    unsigned each = lines > 0 ? (bins->used + lines - 1) / lines : 0;
    uint64_t most = 0;
    if (lines == 0) {
        return;
    }
    tt_pane_rule(ws, area, pane->histogram,
                 bins->logarithmic ? " histogram, logarithmic " : " histogram ");
    for (unsigned pass = 0; pass < 2; pass++) {
        int y = pane->histogram + 1;
        for (unsigned bin = 0; bin < bins->used; bin += each, y++) {
            unsigned end = bin + each < bins->used ? bin + each : bins->used;
            uint64_t count = 0;
            for (unsigned i = bin; i < end; i++) {
                count += bins->count[i];
            }
            most = count > most ? count : most;
            if (pass == 0) {
                continue;
            }
            draw_edge(ws, area, 1, y, bins->edge[bin]);
            tt_draw(area, EDGE_WIDTH + 2, y, 2, TT_ROLE_DIM, "..");
            draw_edge(ws, area, EDGE_WIDTH + 5, y, bins->edge[end]);
            draw_count(area, 2 * EDGE_WIDTH + 5, y, count);
            int x = 2 * EDGE_WIDTH + 5 + COLUMN_WIDTH + 2, room = area.width - x - 1;
            int width = room > 0 ? (int)((double)count * room / (double)most + 0.5) : 0;
            width = width == 0 && count > 0 && room > 0 ? 1 : width;
            tt_draw_fill(area, x, y, width, TT_ROLE_LOAD,
                         tt_term_glyph(&ws->term, TT_GLYPH_RUNNING));
        }
    }
}

static void measure_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct tt_measure_pane *pane = state;
    char left[LINE_BYTES * 4], right[64];
    struct tt_text title = tt_text_of(left, sizeof left), text = tt_text_of(right, sizeof right);
    bool counts = pane->walk && !pane->failed && !pane->complete;
    tt_text_str(&text, pane->failed                             ? "out of memory"
                       : counts && !ws->index.progress.finished ? "waits for the index"
                       : counts                                 ? "counting "
                       : pane->walk                             ? ""
                                                                : "nothing was measured");
    if (counts && ws->index.progress.finished) {
        tt_text_put(&text, "%u %%", pane->walk->percent);
    }
    tt_text_str(&title, "measure: ");
    tt_text_escaped(&title, pane->title, strlen(pane->title));
    if (pane->complete && pane->result.length.count > pane->count) {
        tt_text_put(&text, "listed: the longest %'zu", pane->count);
    }
    tt_pane_title(area, &title, &text, pane->failed ? TT_ROLE_ERROR : TT_ROLE_PROGRESS);
    draw_numbers(ws, pane, area);
    if (pane->walk && pane->walk->has_interrupt) {
        draw_parts(ws, pane, area);
    }
    draw_histogram(ws, pane, area);
    if (pane->plot_lines > 0) {
        tt_plot_pane_draw(&pane->plot, ws, "",
                          tt_area_part(area, 0, pane->histogram, area.width, pane->plot_lines));
    }
    tt_rows_draw(ws, &pane->rows, &rows_of_measured, area);
    if (pane->count == 0 && pane->complete) {
        tt_draw(area, 1, pane->rows.list.y, area.width - 2, TT_ROLE_DIM,
                pane->walk->has_interrupt
                    ? "the interrupt did not wake the thread"
                    : "no pairs: press : and the up arrow to edit the command");
    }
}

/* ---- writing ------------------------------------------------------------------------------ */

static struct tt_status measure_write(struct tt_workspace *ws, void *state, FILE *file,
                                      const char *path, struct tt_text *what)
{
    const struct tt_measure_pane *pane = state;
    return pane->plot_lines > 0
               ? tt_plot_pane_write(&pane->plot, file, what)
               : tt_rows_write(ws, &pane->rows, &rows_of_measured, file, path, what);
}

static void name_file(const void *state, struct tt_text *text)
{
    tt_text_str(text, ((const struct tt_measure_pane *)state)->plot_lines > 0 ? "plot.csv"
                                                                              : "measure.csv");
}

/* ---- keys --------------------------------------------------------------------------------- */

/* Enter goes to the line, not to the plot's cursor. */
static void measure_moved(struct tt_workspace *ws, void *state)
{
    (void)ws;
    ((struct tt_measure_pane *)state)->plot.follows = false;
}

static bool measure_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct tt_measure_pane *pane = state;
    const struct tt_measured *one = measured_at(pane);
    if (tt_plot_pane_act(&pane->plot, ws, action)) {
        return true;
    }
    switch (action) {
    case TT_DO_PLOT:
        pane->plot.open = !pane->plot.open;
        pane->plot.follows = false;
        return true;
    case TT_DO_GO:
        if (tt_plot_pane_go(&pane->plot, ws)) {
            ws->nav.overlay = TT_OVERLAY_NONE;
        } else if (one) {
            tt_pane_go(ws, one->thread, one->from, one->to, one->to);
            tt_message_set(&ws->message, TT_ROLE_STATUS,
                           "selected: the measured interval; :measure returns");
        }
        return true;
    case TT_DO_WHY:
        if (one) {
            tt_pane_explain(ws, one->thread, one->from, one->to, "range");
        }
        return true;
    default:
        return false;
    }
}

static void measure_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct tt_measure_pane *pane = state;
    if (y >= pane->histogram && y < pane->histogram + pane->plot_lines) {
        tt_plot_pane_click(&pane->plot, ws, x);
    }
}

/* Closes the plot, or else the pane. */
static bool measure_dismiss(struct tt_workspace *ws, void *state)
{
    struct tt_measure_pane *pane = state;
    if (pane->plot.open) {
        pane->plot.open = false;
        return true;
    }
    return tt_pane_dismiss(ws, state);
}

/* ---- places of the history ------------------------------------------------------------------ */

static const struct tt_member saved[] = {
    TT_MEMBER(struct tt_measure_pane, plot.open),
    TT_MEMBER(struct tt_measure_pane, rows.chosen),
    TT_MEMBER(struct tt_measure_pane, rows.sorted),
    TT_MEMBER(struct tt_measure_pane, rows.upwards),
    {0, 0},
};

static const enum tt_do offers[] = {
    TT_DO_GO,   TT_DO_WHY,  TT_DO_PLOT,   TT_DO_COLUMN_RIGHT, TT_DO_WRITE,
    TT_DO_COPY, TT_DO_HELP, TT_DO_CANCEL, TT_DO_NOTHING,
};

static const enum tt_do plot_offers[] = {
    TT_DO_PLOT_KIND, TT_DO_PLOT_SCALE, TT_DO_PLOT_LEFT, TT_DO_PLOT_RIGHT,
    TT_DO_GO,        TT_DO_PLOT_LARGE, TT_DO_WHY,       TT_DO_WRITE,
    TT_DO_HELP,      TT_DO_CANCEL,     TT_DO_NOTHING,
};

static const struct tt_view_pane plot_pane = {TT_IN_PLOT, plot_offers, tt_plot_about};

static const struct tt_view_pane *const panes[] = {&plot_pane, NULL};

static const struct tt_view_pane *measure_pane(const void *state)
{
    return ((const struct tt_measure_pane *)state)->plot.open ? &plot_pane : NULL;
}

static const char *const about[] = {
    "The time from the events of one filter to those of another, or the reactions of a thread to "
    "an "
    "interrupt; `tracetui measure` prints the same numbers. :measure opens it again.",
    "d plots the times: their distribution, a dot each over time, and how many per second.",
    NULL,
};

static const struct tt_verb verbs[] = {
    {TT_DO_GO, "go", "to this interval, in the lanes; :measure returns"},
    {TT_DO_WHY, "why", "explain what the thread did in this interval"},
    {TT_DO_WRITE, "csv", "write the listed intervals to a file"},
    {TT_DO_NOTHING, NULL, NULL},
};

const struct tt_view tt_overlay_measure = {
    .about = about,
    .footer = offers,
    .verbs = verbs,
    .covers = true,
    .panes = panes,
    .pane = measure_pane,
    .state_size = sizeof(struct tt_measure_pane),
    .close = measure_close,
    .begin = measure_begin,
    .drop = measure_drop,
    .list = tt_pane_list,
    .moved = measure_moved,
    .layout = measure_layout,
    .work = measure_work,
    .settled = measure_settled,
    .draw = measure_draw,
    .act = measure_act,
    .click = measure_click,
    .dismiss = measure_dismiss,
    .rows = &rows_of_measured,
    .name_file = name_file,
    .write = measure_write,
    .rule = measure_rule,
    .saved = saved,
};
