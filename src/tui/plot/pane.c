/* SPDX-License-Identifier: Apache-2.0 */
/* plot/pane: asks for a plot, continues it, and handles its keys. */
#include "tui/plot/pane.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"

#define WORK_AT_ONCE 4000u
#define LINES_LEAST  (TT_PLOT_FRAME + 2)
#define LINES_USUAL  18

void tt_plot_pane_drop(struct tt_plot_pane *pane)
{
    tt_plot_free(pane->plot);
    pane->plot = NULL;
    pane->failed = false;
    memset(&pane->asked, 0, sizeof pane->asked);
}

const char *const tt_plot_about[] = {
    "The plot of the selected number: its samples as a histogram or over time, how many per "
    "second, or "
    "the load. Another column or row changes the plot.",
    NULL,
};

void tt_plot_pane_free(struct tt_plot_pane *pane)
{
    tt_plot_pane_drop(pane);
}

int tt_plot_pane_height(const struct tt_plot_pane *pane, int lines, int kept)
{
    int height = lines * 5 / 8;
    height = height > LINES_USUAL && height > lines / 2 ? LINES_USUAL : height;
    height = height < lines / 2 ? lines / 2 : height;
    if (pane->large || height > lines - kept) {
        height = lines - kept;
    }
    return pane->open && height >= LINES_LEAST ? height : 0;
}

/* ---- asking ------------------------------------------------------------------------------- */

static enum tt_plot_kind plot_pane_kind_of(const struct tt_plot_pane *pane, unsigned kinds)
{
    unsigned kind = pane->kind;
    if (pane->has_kind && kinds >> kind & 1u) {
        return pane->kind;
    }
    for (kind = 0; kind + 1 < TT_PLOT_KINDS && !(kinds >> kind & 1u);) {
        kind++;
    }
    return (enum tt_plot_kind)kind;
}

static bool same_request(const struct tt_plot_request *left, const struct tt_plot_request *right)
{
    return left->kind == right->kind && left->subject == right->subject &&
           left->sheet == right->sheet && left->column == right->column &&
           left->source == right->source && left->list == right->list &&
           left->list_count == right->list_count && left->from == right->from &&
           left->to == right->to && left->by_process == right->by_process &&
           left->scale == right->scale && left->columns == right->columns &&
           left->rows == right->rows;
}

void tt_plot_pane_ask(struct tt_plot_pane *pane, const struct tt_workspace *ws,
                      const struct tt_plot_request *request, unsigned kinds, uint64_t version,
                      int width, int height)
{
    struct tt_plot_request wanted = *request;
    int lines = height - TT_PLOT_FRAME;
    wanted.capture = ws->opened.capture;
    wanted.kind = plot_pane_kind_of(pane, kinds);
    wanted.scale = pane->scale;

    /* The columns of a plot: two per cell for dots. */
    enum tt_plot_kind kind = wanted.kind;
    int cells = width - TT_PLOT_GUTTER - 1;
    cells = cells > 1 ? cells : 1;
    wanted.columns = (unsigned)cells * (kind == TT_PLOT_TIMES ? 2 : 1);

    wanted.rows = (unsigned)(lines > 1 ? lines : 1) * 4;
    pane->kinds = kinds;
    pane->width = width;
    pane->height = height;
    if ((pane->plot || pane->failed) && pane->version == version &&
        same_request(&wanted, &pane->asked)) {
        return;
    }
    tt_plot_pane_drop(pane);
    pane->asked = wanted;
    pane->version = version;
    pane->plot = tt_plot_new(&wanted);
    pane->failed = !pane->plot;
}

bool tt_plot_pane_work(struct tt_plot_pane *pane, uint64_t budget_ns)
{
    uint64_t until = tt_now_ns() + budget_ns;
    bool done = !pane->open || !pane->plot || pane->plot->complete || pane->plot->failed;
    while (!done && budget_ns > 0) {
        done = tt_plot_step(pane->plot, WORK_AT_ONCE);
        if (tt_now_ns() >= until) {
            break;
        }
    }
    if (pane->open && pane->plot && !pane->plot->complete) {
        tt_plot_refresh(pane->plot);
    }
    return done;
}

/* ---- keys --------------------------------------------------------------------------------- */

static bool has_times(const struct tt_plot_pane *pane)
{
    return pane->plot && pane->plot->to > pane->plot->from &&
           pane->plot->request.kind != TT_PLOT_HISTOGRAM &&
           pane->plot->request.kind != TT_PLOT_ROWS;
}

static void next_kind(struct tt_plot_pane *pane)
{
    unsigned kind = pane->asked.kind;
    do {
        kind = (kind + 1) % TT_PLOT_KINDS;
    } while (!(pane->kinds >> kind & 1u) && kind != pane->asked.kind);
    pane->kind = (enum tt_plot_kind)kind;
    pane->has_kind = true;
}

/* Sets the cursor of the lanes. */
static void set_cursor(struct tt_plot_pane *pane, struct tt_workspace *ws, uint64_t ticks)
{
    unsigned columns = ws->term.body.width > 1 ? (unsigned)ws->term.body.width : 1;
    tt_viewport_go(&ws->nav.viewport, tt_nav_bounds(ws), columns, ticks);
    ws->nav.viewport.chosen = true;
    pane->follows = true;
}

/* Moves the cursor to the next column that has something. */
static void step_cursor(struct tt_plot_pane *pane, struct tt_workspace *ws, int by)
{
    const struct tt_plot *plot = pane->plot;
    int columns = (int)plot->request.columns;
    int each = plot->request.kind == TT_PLOT_TIMES ? 2 : 1;
    uint64_t at = ws->nav.viewport.at;
    int column = at < plot->from ? -1 : at >= plot->to ? columns : (int)tt_plot_column_of(plot, at);
    column = column < 0 ? -1 : column / each * each;
    bool sparse = plot->request.kind == TT_PLOT_TIMES || plot->request.kind == TT_PLOT_RATE;
    for (int i = column + (by > 0 && column >= 0 ? each
                           : by > 0              ? 1
                                                 : -1);
         i >= 0 && i < columns; i += by) {
        const struct tt_plot_column *plot_column = &plot->columns[i];
        if (!sparse || plot_column->count > 0) {
            bool has_sample = plot->request.kind == TT_PLOT_TIMES;
            set_cursor(pane, ws,
                       has_sample ? plot_column->longest.end : tt_plot_edge(plot, (unsigned)i));
            return;
        }
    }
}

bool tt_plot_pane_click(struct tt_plot_pane *pane, struct tt_workspace *ws, int x)
{
    int each = pane->plot && pane->plot->request.kind == TT_PLOT_TIMES ? 2 : 1;
    int column = (x - TT_PLOT_GUTTER) * each;
    if (!has_times(pane) || column < 0 || column >= (int)pane->plot->request.columns) {
        return false;
    }
    set_cursor(pane, ws, tt_plot_edge(pane->plot, (unsigned)column));
    return true;
}

bool tt_plot_pane_act(struct tt_plot_pane *pane, struct tt_workspace *ws, enum tt_do action)
{
    if (!pane->open) {
        return false;
    }
    switch (action) {
    case TT_DO_PLOT_KIND:
        next_kind(pane);
        return true;
    case TT_DO_PLOT_SCALE:
        pane->scale = pane->plot && pane->plot->logarithmic ? TT_PLOT_LINEAR : TT_PLOT_LOGARITHMIC;
        return true;
    case TT_DO_PLOT_LARGE:
        pane->large = !pane->large;
        return true;
    case TT_DO_PLOT_LEFT:
    case TT_DO_PLOT_RIGHT:
        if (has_times(pane)) {
            step_cursor(pane, ws, action == TT_DO_PLOT_RIGHT ? 1 : -1);
        }
        return true;
    default:
        return false;
    }
}

/* Returns the longest sample of the two columns of dots at the cursor, or NULL. */
static const struct tt_plot_sample *sample_at(const struct tt_plot *plot, uint64_t ticks)
{
    unsigned at = tt_plot_column_of(plot, ticks) / 2 * 2;
    const struct tt_plot_column *best = NULL;
    for (unsigned i = at; i < at + 2 && i < plot->request.columns; i++) {
        const struct tt_plot_column *column = &plot->columns[i];
        best = column->count > 0 && (!best || column->max > best->max) ? column : best;
    }
    return best ? &best->longest : NULL;
}

bool tt_plot_pane_go(struct tt_plot_pane *pane, struct tt_workspace *ws)
{
    uint64_t at = ws->nav.viewport.at;
    if (!pane->open || !has_times(pane) || !pane->follows || at < pane->plot->from ||
        at >= pane->plot->to) {
        return false;
    }
    if (pane->plot->request.kind != TT_PLOT_TIMES) {
        ws->trail.left = true;
        tt_nav_show(&ws->nav, TT_VIEW_THREADS);
        return true;
    }
    const struct tt_plot_sample *sample = sample_at(pane->plot, at);
    if (sample) {
        char buffer[128];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_time_label_duration(ws, &text, sample->length);
        if (sample->thread < tt_thread_count(ws->opened.capture)) {
            tt_text_str(&text, " of ");
            tt_line_thread(&text, ws->opened.capture, sample->thread);
            tt_nav_show(&ws->nav, TT_VIEW_THREADS);
            tt_nav_go_thread(ws, sample->thread, sample->end);
            ws->nav.viewport.spans = sample->length > 0 && sample->length <= sample->end;
            ws->nav.viewport.growing = false;
            ws->nav.viewport.anchor =
                sample->end - (sample->length <= sample->end ? sample->length : 0);
            ws->nav.viewport.other = sample->end;
        } else {
            tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
            tt_nav_jump(ws, sample->end, 0);
        }
        tt_text_str(&text, " ends here");
        tt_message_set(&ws->message, TT_ROLE_STATUS, "%s", tt_text_cstr(&text));
    }
    return sample != NULL;
}

/* ---- drawing and writing ------------------------------------------------------------------ */

void tt_plot_pane_draw(const struct tt_plot_pane *pane, const struct tt_workspace *ws,
                       const char *title, struct tt_area area)
{
    static const char *const words[TT_PLOT_KINDS] = {
        [TT_PLOT_HISTOGRAM] = "histogram", [TT_PLOT_TIMES] = "over time",
        [TT_PLOT_RATE] = "per second",     [TT_PLOT_LOAD] = "CPU load",
        [TT_PLOT_CLASS] = "share of time", [TT_PLOT_ROWS] = "values of all rows"};
    char buffer[512];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    const struct tt_plot *plot = pane->plot;
    bool has_clock = ws->opened.capture->clock_hz != 0;
    if (area.height < LINES_LEAST) {
        return;
    }
    tt_draw_fill(area, 0, 0, area.width, TT_ROLE_LINE, tt_term_glyph(&ws->term, TT_GLYPH_LINE));
    tt_text_put(&text, " %s%s", title, title[0] ? ": " : "");
    enum tt_plot_kind kind = plot ? pane->asked.kind : pane->kind;
    tt_text_str(&text, kind == TT_PLOT_RATE && !has_clock ? "per tick" : words[kind]);
    if (plot && plot->logarithmic && plot->count > 0 && pane->asked.kind != TT_PLOT_RATE) {
        tt_text_str(&text, ", log scale");
    }
    if (plot && plot->limit > 0) {
        tt_text_str(&text, "; ! deadline ");
        tt_plot_value(plot, ws, tt_line_ns(ws->opened.capture, plot->limit), &text);
        tt_text_put(&text, ": %'ju late", plot->over);
    }
    tt_text_str(&text, pane->failed || (plot && plot->failed) ? " (out of memory) "
                       : !plot || plot->complete              ? " "
                       : plot->rough                          ? ", so far "
                                                              : ", counting ");
    tt_draw_text(area, 2, 0, area.width - 3, TT_ROLE_TITLE, buffer, text.used);
    if (plot) {
        tt_plot_draw(plot, ws, pane->follows,
                     tt_area_part(area, 0, 1, area.width, area.height - 1));
    }
}

struct tt_status tt_plot_pane_write(const struct tt_plot_pane *pane, FILE *file,
                                    struct tt_text *what)
{
    const struct tt_plot *plot = pane->plot;
    size_t lines = 0;
    if (!plot || !plot->complete) {
        return tt_error(TT_ERR_USAGE, "not written: the plot is not complete");
    }
    char *buffer = malloc(TT_PLOT_LINE);
    if (!buffer) {
        return tt_error_memory();
    }
    struct tt_text text = tt_text_of(buffer, TT_PLOT_LINE);
    tt_plot_csv_header(&text, plot);
    do {
        fwrite(buffer, 1, text.used, file);
        text = tt_text_of(buffer, TT_PLOT_LINE);
    } while (tt_plot_csv_line(&text, plot, lines++));
    free(buffer);
    tt_text_put(what, "%'ju lines of the plot", lines - 1);
    return ferror(file) ? tt_error_errno(errno, "write") : tt_ok();
}
