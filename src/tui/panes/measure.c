/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure: the Measure pane: the numbers of a measurement, its histogram, and the longest intervals.
 *
 *       measure: event = FRAME_BEGIN -> event = FRAME_END
 *           count       min      mean       p50       p95       p99       max
 *              36  17.65 µs  257.1 µs  46.22 µs  1.446 ms  2.146 ms  2.146 ms
 *      ─ histogram ──────────────────────
 *            0 ns ..   100 µs      28 ████████████████████
 *      ─ longest ────────────────────────
 *      ▌ 2.146 ms  0.028 634 722 .. 0.030 780 919  logger/1 writer
 *
 * It covers the view below it. For reactions to an interrupt, a table has the parts of the chosen one.
 * `d` shows a plot in place of the histogram.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tracetui/event_line.h"
#include "tracetui/line_parts.h"
#include "tracetui/table.h"
#include "tui/app/view.h"
#include "tui/draw/units.h"
#include "tui/panes/interval_list.h"
#include "tui/plot/pane.h"

#define COLUMN_WIDTH 10
#define EDGE_WIDTH   8
#define LINE_BYTES   512
#define FIRST_NS     UINT64_C(20000000) /* time for the first frame of a measurement */
#define ROWS_KEPT    4                  /* lines of the list beside a plot, with its title */
#define KINDS        (1u << TT_PLOT_HISTOGRAM | 1u << TT_PLOT_TIMES | 1u << TT_PLOT_RATE)

struct pane {
    int parts, histogram, histogram_lines; /* lines */
    struct tt_list list;
    struct tt_plot_pane plot; /* in place of the histogram */
    int plot_lines;
    struct tt_plot_source source;
    unsigned version; /* measurement that the list is of */
};

static void *pane_open(void)
{
    return calloc(1, sizeof(struct pane));
}

static void pane_close(void *state)
{
    struct pane *p = state;
    if (p) {
        tt_plot_pane_free(&p->plot);
        free(p);
    }
}

/* ---- layout ------------------------------------------------------------------------------- */

/* Asks for the plot of the measured times, once all are known. */
static void ask_plot(struct tt_workspace *ws, struct pane *p, int width)
{
    const struct tt_measuring *m = &ws->measuring;
    const struct tt_progress *progress = &ws->index.progress;
    if (!p->plot.open || !m->run || !m->complete) {
        tt_plot_pane_drop(&p->plot);
        return;
    }
    p->source = (struct tt_plot_source){tt_measuring_read_begin, tt_measuring_read_step, ws};
    const struct tt_plot_request request = {.subject = TT_PLOT_OF_SOURCE,
                                            .source = &p->source,
                                            .from = progress->first_ticks,
                                            .to = progress->last_ticks + 1};
    tt_plot_pane_ask(&p->plot, ws, &request, KINDS, m->version, width, p->plot_lines);
}

/* Places the histogram, or the plot; returns the line of the list's title. */
static int place_spread(struct tt_workspace *ws, struct pane *p, struct tt_area area)
{
    const struct tt_measuring *m = &ws->measuring;
    int lines = area.height - p->histogram, left = lines - 2;
    int half = left > 4 ? left / 2 : 0;
    int used = (int)m->bins.used, each = half > 0 ? (used + half - 1) / half : 0;
    p->plot_lines = tt_plot_pane_height(&p->plot, lines, ROWS_KEPT);
    ask_plot(ws, p, area.width);
    p->histogram_lines =
        each > 0 && !p->plot.open ? (used + each - 1) / each : 0; /* `each` bins per line */
    return p->histogram + p->plot_lines + (p->histogram_lines > 0 ? 1 + p->histogram_lines : 0);
}

static void pane_layout(struct tt_workspace *ws, void *state, struct tt_area area)
{
    struct pane *p = state;
    const struct tt_measuring *m = &ws->measuring;
    if (p->version != m->version) {
        p->version = m->version;
        p->list = (struct tt_list){0};
    }
    if (m->run && !m->complete && m->count == 0) {
        tt_measuring_work(ws, tt_now_ns() + FIRST_NS);
    }
    p->parts = 3;
    p->histogram = p->parts + (m->reactions ? 1 + TT_REACTION_PARTS : 0);
    const int y = place_spread(ws, p, area) + 1;
    tt_list_layout(&p->list, m->count, y, area.height - y);
}

/* Returns whether the plot is that of the measurement, or none is shown. */
static bool is_asked(const struct tt_workspace *ws, const struct pane *p)
{
    return !p->plot.open || p->plot_lines == 0 || !ws->measuring.complete ||
           ((p->plot.plot || p->plot.failed) && p->plot.version == ws->measuring.version);
}

/* Without a budget: whether all is known. A plot that is not asked for needs no work before a frame. */
static bool pane_work(struct tt_workspace *ws, void *state, uint64_t budget_ns)
{
    struct pane *p = state;
    uint64_t until = tt_now_ns() + budget_ns;
    if (!tt_measuring_work(ws, until)) {
        return false;
    }
    uint64_t now = tt_now_ns();
    return tt_plot_pane_work(&p->plot, now < until ? until - now : 0) &&
           (budget_ns > 0 || is_asked(ws, p));
}

static bool pane_settled(const struct tt_workspace *ws, const void *state)
{
    const struct tt_measuring *m = &ws->measuring;
    const struct pane *p = state;
    const struct tt_plot *plot = p->plot.open ? p->plot.plot : NULL;
    return (!m->run || m->complete || m->failed) && is_asked(ws, p) &&
           (!plot || plot->complete || plot->failed);
}

/* ---- drawing ------------------------------------------------------------------------------ */

static const char *micro_of(const struct tt_workspace *ws)
{
    return ws->term.grid.ascii ? " us" : " µs";
}

static void draw_title(const struct tt_workspace *ws, struct tt_area area)
{
    const struct tt_measuring *m = &ws->measuring;
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    bool counts = m->run && !m->failed && !m->complete;
    tt_text_str(&text, m->failed                                ? "out of memory"
                       : counts && !ws->index.progress.finished ? "waits for the index"
                       : counts                                 ? "counting "
                       : m->run                                 ? ""
                                                                : "nothing was measured");
    if (counts && ws->index.progress.finished) {
        tt_text_u64(&text, m->percent);
        tt_text_str(&text, " %");
    }
    int width = (int)text.used;
    tt_draw_text(area, area.width - width - 1, 0, width,
                 m->failed ? TT_ROLE_ERROR : TT_ROLE_PROGRESS, buffer, text.used);
    text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, "measure: ");
    tt_text_escaped(&text, m->title, strlen(m->title));
    tt_draw_text(area, 1, 0, area.width - width - 3, TT_ROLE_TITLE, buffer, text.used);
}

static void draw_duration(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                          uint64_t ticks)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    if (ticks != UINT64_MAX) {
        tt_line_duration_with(&text, ws->opened.capture, ticks, micro_of(ws));
    } else {
        tt_text_char(&text, '-');
    }
    tt_draw_right(area, x, y, COLUMN_WIDTH, TT_ROLE_DELTA, tt_text_cstr(&text));
}

static void draw_count(struct tt_area area, int x, int y, uint64_t count)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_grouped(&text, count);
    tt_draw_right(area, x, y, COLUMN_WIDTH, TT_ROLE_TEXT, tt_text_cstr(&text));
}

static void draw_numbers(const struct tt_workspace *ws, struct tt_area area)
{
    static const char *const heads[] = {"count", "min", "mean", "p50", "p95", "p99", "max"};
    const struct tt_measuring *m = &ws->measuring;
    const struct tt_distribution *d = &m->result.length;
    bool any = d->count > 0;
    const uint64_t values[] = {0,
                               any ? m->result.min : UINT64_MAX,
                               any ? d->sum / d->count : UINT64_MAX,
                               d->p50,
                               d->p95,
                               d->p99,
                               d->max};
    for (int i = 0; i < 7; i++) {
        int x = i * (COLUMN_WIDTH + 1);
        tt_draw_right(area, x, 1, COLUMN_WIDTH, TT_ROLE_COLUMNS, heads[i]);
        if (i == 0) {
            draw_count(area, x, 2, d->count);
        } else {
            draw_duration(ws, area, x, 2, any ? values[i] : UINT64_MAX);
        }
    }
    if (m->reactions) {
        return;
    }
    static const char *const others[] = {"no end", "no begin", "lossy"};
    const uint64_t counts[] = {m->result.unpaired_begin, m->result.unpaired_end, m->result.lossy};
    for (int i = 0; i < 3; i++) {
        int x = (7 + i) * (COLUMN_WIDTH + 1);
        if (x + COLUMN_WIDTH < area.width) {
            tt_draw_right(area, x, 1, COLUMN_WIDTH, TT_ROLE_COLUMNS, others[i]);
            draw_count(area, x, 2, counts[i]);
        }
    }
}

/* Draws the parts of the chosen reaction and of all. */
static void draw_parts(const struct tt_workspace *ws, const struct pane *p, struct tt_area area)
{
    static const char *const names[] = {
#define X(id, key, text) text,
        TT_REACTION_INFO(X)
#undef X
    };
    static const char *const heads[] = {"this one", "%", "mean", "p99", "max"};
    const struct tt_measuring *m = &ws->measuring;
    const struct tt_measured *one = p->list.at < m->count ? &m->list[p->list.at] : NULL;
    for (int i = 0; i < 5; i++) {
        tt_draw_right(area, 18 + i * (COLUMN_WIDTH + 1), p->parts, COLUMN_WIDTH, TT_ROLE_COLUMNS,
                      heads[i]);
    }
    for (int i = 0; i < TT_REACTION_PARTS; i++) {
        int y = p->parts + 1 + i, x = 18;
        bool known = one && (one->has_handler || i >= TT_REACTION_READY);
        const struct tt_distribution *d = &m->parts[i];
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
                      d->count > 0 ? d->sum / d->count : UINT64_MAX);
        draw_duration(ws, area, x + 3 * (COLUMN_WIDTH + 1), y, d->count > 0 ? d->p99 : UINT64_MAX);
        draw_duration(ws, area, x + 4 * (COLUMN_WIDTH + 1), y, d->count > 0 ? d->max : UINT64_MAX);
    }
}

/* Appends a bin edge in nanoseconds, or ticks without a clock: 1.5 ms. */
static void draw_edge(const struct tt_workspace *ws, struct tt_area area, int x, int y,
                      uint64_t edge)
{
    const char *const units[] = {" ns", micro_of(ws), " ms", " s"};
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
        tt_text_char(&text, '.');
        tt_text_u64(&text, tenths);
    }
    tt_text_str(&text, clock ? units[unit] : "");
    tt_draw_right(area, x, y, EDGE_WIDTH, TT_ROLE_TEXT, tt_text_cstr(&text));
}

/* Draws the bins; if there are more than lines, a line has several. */
static void draw_histogram(const struct tt_workspace *ws, const struct pane *p, struct tt_area area)
{
    const struct tt_bins *b = &ws->measuring.bins;
    unsigned lines = (unsigned)p->histogram_lines;
    unsigned each = lines > 0 ? (b->used + lines - 1) / lines : 0;
    uint64_t most = 0;
    if (lines == 0) {
        return;
    }
    tt_interval_list_rule(ws, area, p->histogram,
                          b->logarithmic ? " histogram, logarithmic " : " histogram ");
    for (unsigned pass = 0; pass < 2; pass++) {
        int y = p->histogram + 1;
        for (unsigned bin = 0; bin < b->used; bin += each, y++) {
            unsigned end = bin + each < b->used ? bin + each : b->used;
            uint64_t count = 0;
            for (unsigned i = bin; i < end; i++) {
                count += b->count[i];
            }
            most = count > most ? count : most;
            if (pass == 0) {
                continue;
            }
            draw_edge(ws, area, 1, y, b->edge[bin]);
            tt_draw(area, EDGE_WIDTH + 2, y, 2, TT_ROLE_DIM, "..");
            draw_edge(ws, area, EDGE_WIDTH + 5, y, b->edge[end]);
            draw_count(area, 2 * EDGE_WIDTH + 5, y, count);
            int x = 2 * EDGE_WIDTH + 5 + COLUMN_WIDTH + 2, room = area.width - x - 1;
            int width = room > 0 ? (int)((double)count * room / (double)most + 0.5) : 0;
            width = width == 0 && count > 0 && room > 0 ? 1 : width;
            tt_draw_fill(area, x, y, width, TT_ROLE_LOAD,
                         tt_term_glyph(&ws->term, TT_GLYPH_RUNNING));
        }
    }
}

static void write_line(const struct tt_workspace *ws, const void *arg, size_t index,
                       struct tt_text *text)
{
    const struct tt_measured *one = &((const struct tt_measuring *)arg)->list[index];
    tt_interval_duration(ws, text, one->to - one->from, COLUMN_WIDTH);
    tt_text_str(text, "  ");
    tt_time_label_moment(ws, text, one->from);
    tt_text_str(text, " .. ");
    tt_time_label_moment(ws, text, one->to);
    tt_text_str(text, "  ");
    if (one->thread < tt_thread_count(ws->opened.capture)) {
        tt_line_thread(text, ws->opened.capture, one->thread);
    }
    if (one->cpu != TT_NO_CPU) {
        tt_text_str(text, "  CPU ");
        tt_text_u64(text, one->cpu);
    }
}

static void draw_list(const struct tt_workspace *ws, const struct pane *p, struct tt_area area)
{
    const struct tt_measuring *m = &ws->measuring;
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, " longest ");
    if (m->result.length.count > m->count && m->count == TT_MEASURING_LIST) {
        tt_text_grouped(&text, m->count);
        tt_text_char(&text, ' ');
    }
    tt_interval_list_rule(ws, area, p->list.y - 1, tt_text_cstr(&text));
    if (m->count == 0) {
        tt_draw(area, 1, p->list.y, area.width - 2, TT_ROLE_DIM,
                !m->complete   ? ""
                : m->reactions ? "the interrupt did not wake the thread"
                               : "no pairs: press : and the up arrow to edit the command");
    }
    tt_interval_list_draw(ws, &p->list, area, write_line, m);
}

static void pane_draw(const struct tt_workspace *ws, const void *state, struct tt_area area)
{
    const struct pane *p = state;
    draw_title(ws, area);
    draw_numbers(ws, area);
    if (ws->measuring.reactions) {
        draw_parts(ws, p, area);
    }
    draw_histogram(ws, p, area);
    if (p->plot_lines > 0) {
        tt_plot_pane_draw(&p->plot, ws, "",
                          tt_area_part(area, 0, p->histogram, area.width, p->plot_lines));
    }
    draw_list(ws, p, area);
}

/* ---- writing ------------------------------------------------------------------------------ */

static struct tt_status pane_write(struct tt_workspace *ws, void *state, FILE *file,
                                   const char *path, struct tt_text *what)
{
    const struct tt_measuring *m = &ws->measuring;
    const struct tt_capture *c = ws->opened.capture;
    const char *unit = c->clock_hz ? "ns" : "ticks";
    const struct pane *p = state;
    (void)path;
    if (p->plot_lines > 0) {
        return tt_plot_pane_write(&p->plot, file, what);
    }
    bool ok = fprintf(file, "from_%s,to_%s,dur_%s,thread\n", unit, unit, unit) > 0;
    for (size_t i = 0; i < m->count && ok; i++) {
        const struct tt_measured *one = &m->list[i];
        char buffer[LINE_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_text_u64(&text, tt_line_ns(c, one->from));
        tt_text_char(&text, ',');
        tt_text_u64(&text, tt_line_ns(c, one->to));
        tt_text_char(&text, ',');
        tt_text_u64(&text, tt_line_ns(c, one->to - one->from));
        tt_text_char(&text, ',');
        size_t start = text.used;
        if (one->thread < tt_thread_count(c)) {
            tt_line_thread(&text, c, one->thread);
        }
        tt_csv_text_from(&text, start);
        tt_text_char(&text, '\n');
        ok = fwrite(buffer, 1, text.used, file) == text.used;
    }
    tt_text_grouped(what, m->count);
    tt_text_str(what, m->count == 1 ? " row" : " rows");
    return ok ? tt_ok() : tt_error_errno(errno, "write");
}

static void name_file(const void *state, struct tt_text *text)
{
    tt_text_str(text, ((const struct pane *)state)->plot_lines > 0 ? "plot.csv" : "measure.csv");
}

static void pane_copy(struct tt_workspace *ws, void *state, bool all, struct tt_text *text)
{
    const struct pane *p = state;
    (void)all;
    if (p->list.at < ws->measuring.count) {
        write_line(ws, &ws->measuring, p->list.at, text);
    }
}

/* ---- keys --------------------------------------------------------------------------------- */

static void go(struct tt_workspace *ws, const struct tt_measured *one)
{
    ws->nav.overlay = TT_OVERLAY_NONE;
    if (one->thread < tt_thread_count(ws->opened.capture) && one->to > one->from) {
        tt_jobs_show_interval(ws, one->thread, one->from, one->to, one->from);
    } else {
        tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
        tt_nav_jump(ws, one->to, 0);
    }
    tt_message_set(&ws->message, TT_ROLE_STATUS,
                   "selected: the measured interval; :measure returns");
}

static struct tt_list *pane_list(void *state)
{
    return &((struct pane *)state)->list;
}

/* Enter goes to the line, not to the plot's cursor. */
static void pane_moved(struct tt_workspace *ws, void *state)
{
    (void)ws;
    ((struct pane *)state)->plot.follows = false;
}

static bool pane_act(struct tt_workspace *ws, void *state, enum tt_do action)
{
    struct pane *p = state;
    const struct tt_measuring *m = &ws->measuring;
    const struct tt_measured *one = p->list.at < m->count ? &m->list[p->list.at] : NULL;
    if (tt_plot_pane_act(&p->plot, ws, action)) {
        return true;
    }
    switch (action) {
    case TT_DO_PLOT:
        p->plot.open = !p->plot.open;
        p->plot.follows = false;
        return true;
    case TT_DO_GO:
    case TT_DO_WHY:
        if (action == TT_DO_GO && tt_plot_pane_go(&p->plot, ws)) {
            ws->nav.overlay = TT_OVERLAY_NONE;
        } else if (one && action == TT_DO_GO) {
            go(ws, one);
        } else if (one) {
            tt_interval_explain(ws, one->thread, one->from, one->to);
        }
        return true;
    default:
        return false;
    }
}

static void pane_click(struct tt_workspace *ws, void *state, int x, int y)
{
    struct pane *p = state;
    bool in_plot = y >= p->histogram && y < p->histogram + p->plot_lines;
    if (in_plot) {
        tt_plot_pane_click(&p->plot, ws, x);
    }
}

/* Closes the plot, or else the pane. */
static bool pane_dismiss(struct tt_workspace *ws, void *state)
{
    struct pane *p = state;
    if (p->plot.open) {
        p->plot.open = false;
        return true;
    }
    return tt_interval_dismiss(ws, state);
}

static void pane_renew(void *state)
{
    struct pane *p = state;
    tt_plot_pane_free(&p->plot);
    *p = (struct pane){0};
}

static struct tt_status pane_rule(struct tt_workspace *ws, void *state, struct tt_text *text)
{
    (void)state;
    return tt_measuring_rule(ws, text);
}

/* ---- places of the history ------------------------------------------------------------------ */

static void pane_leave(const struct tt_workspace *ws, const void *state, struct tt_spot *spot)
{
    const struct pane *p = state;
    (void)ws;
    spot->numbers[0] = p->list.at;
    spot->numbers[1] = p->list.top;
    spot->numbers[2] = p->plot.open;
}

static void pane_resume(struct tt_workspace *ws, void *state, const struct tt_spot *spot)
{
    struct pane *p = state;
    tt_list_return(&p->list, spot->numbers[0], spot->numbers[1]);
    p->plot.open = spot->numbers[2] != 0;
    p->version = ws->measuring.version;
}

static const enum tt_do offers[] = {
    TT_DO_GO,   TT_DO_WHY,  TT_DO_PLOT,   TT_DO_WRITE,
    TT_DO_COPY, TT_DO_HELP, TT_DO_CANCEL, TT_DO_NOTHING,
};

static const enum tt_do plot_offers[] = {
    TT_DO_PLOT_KIND, TT_DO_PLOT_SCALE, TT_DO_PLOT_LEFT, TT_DO_PLOT_RIGHT,
    TT_DO_GO,        TT_DO_PLOT_LARGE, TT_DO_WHY,       TT_DO_WRITE,
    TT_DO_HELP,      TT_DO_CANCEL,     TT_DO_NOTHING,
};

static const struct tt_view_pane plot_pane = {TT_IN_PLOT, plot_offers, tt_plot_about};

static const struct tt_view_pane *const panes[] = {&plot_pane, NULL};

static const struct tt_view_pane *pane_pane(const void *state)
{
    return ((const struct pane *)state)->plot.open ? &plot_pane : NULL;
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
    .open = pane_open,
    .close = pane_close,
    .leave = pane_leave,
    .resume = pane_resume,
    .layout = pane_layout,
    .draw = pane_draw,
    .list = pane_list,
    .moved = pane_moved,
    .act = pane_act,
    .click = pane_click,
    .copy = pane_copy,
    .dismiss = pane_dismiss,
    .panes = panes,
    .pane = pane_pane,
    .renew = pane_renew,
    .work = pane_work,
    .settled = pane_settled,
    .write = pane_write,
    .rule = pane_rule,
    .footer = offers,
    .verbs = verbs,
    .name_file = name_file,
    .covers = true,
};
