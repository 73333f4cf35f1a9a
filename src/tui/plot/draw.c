/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plot/draw: draws a plot: bars in eighths of a line, layers, or dots in braille; axes and units.
 *
 *      bars     one column of cells per column of time; a bin takes as many as there is room for
 *      layers   the same, stacked; letters where colours do not distinguish them
 *      dots     two columns and four rows of dots per cell; in ASCII . : * # for 1, 2.., 10.., 100..
 *      ! ╌      the deadline: a mark on the axis of the values, and a line where no sample is
 */
#include <string.h>

#include "trace/line_parts.h"
#include "tracetui/time.h"
#include "tui/draw/units.h"
#include "tui/lanes/axis.h"
#include "tui/plot/pane.h"

#define TEXT_BYTES  256
#define LABEL_GAP   2
#define LABEL_APART 14u
#define BRAILLE     0x2800u
#define DASHED      0x254Cu
#define DASHED_UP   0x254Eu

/* ---- values ------------------------------------------------------------------------------- */

/* Appends a decimal without zeros at its end. */
static void plot_draw_put_decimal(struct tt_text *text, uint64_t number, unsigned decimals)
{
    for (; decimals > 0 && number % 10 == 0; decimals--) {
        number /= 10;
    }
    tt_text_decimal(text, number, decimals);
}

/* Appends a time with as many of four digits as it needs: 500 ns, 1.5 us, 20 ms. */
static void plot_draw_put_time(const struct tt_workspace *ws, uint64_t ns, struct tt_text *text)
{
    char buffer[64], shown[64];
    struct tt_text full = tt_text_of(buffer, sizeof buffer);
    struct tt_text out = tt_text_of(shown, sizeof shown);
    tt_units_duration(&full, ns, tt_term_glyph(&ws->term, TT_GLYPH_MICRO));
    const char *all = tt_text_cstr(&full), *unit = strchr(all, ' ');
    size_t digits = unit ? (size_t)(unit - all) : full.used;
    if (memchr(all, '.', digits)) {
        while (digits > 0 && all[digits - 1] == '0') {
            digits--;
        }
        digits -= digits > 0 && all[digits - 1] == '.';
    }
    tt_text_bytes(&out, all, digits);
    tt_text_str(&out, unit ? unit : "");
    tt_text_bytes(text, out.buffer, out.used);
}

void tt_plot_value(const struct tt_plot *plot, const struct tt_workspace *ws, uint64_t value,
                   struct tt_text *text)
{
    enum tt_unit unit = plot->request.column ? plot->request.column->unit : TT_UNIT_COUNT;
    if (tt_plot_has_times(&plot->request) && ws->opened.capture->clock_hz != 0) {
        plot_draw_put_time(ws, value, text);
    } else if (tt_plot_has_times(&plot->request)) {
        tt_units_count(text, value);
    } else if (unit == TT_UNIT_SHARE || unit == TT_UNIT_PART) {
        plot_draw_put_decimal(text, value, 4);
        tt_text_str(text, " %");
    } else if (unit == TT_UNIT_RATE || unit == TT_UNIT_DEPTH) {
        plot_draw_put_decimal(text, value, 3);
    } else {
        tt_units_count(text, value);
    }
}

/* Appends a rate that is in thousandths: "12.5 k/s". */
static void put_rate(const struct tt_workspace *ws, uint64_t rate, struct tt_text *text)
{
    if (rate < 100000) {
        plot_draw_put_decimal(text, rate, 3);
    } else {
        tt_units_count(text, rate / 1000);
    }
    tt_text_str(text, ws->opened.capture->clock_hz ? "/s" : "/tick");
}

/* Appends a share of 10000 * 100: "31.2 %". */
static void plot_draw_put_share(uint64_t share, struct tt_text *text)
{
    plot_draw_put_decimal(text, (share + 500) / 1000, 1);
    tt_text_str(text, " %");
}

static uint64_t share_of(uint64_t part, uint64_t whole)
{
    uint64_t share = 0;
    return whole > 0 && tt_mul_div(part, 1000000, whole, &share) ? share : 0;
}

/* ---- bars --------------------------------------------------------------------------------- */

/* Returns the eighths of `height` lines that a value takes of a maximum: rounded, at least 1. */
static unsigned plot_eighths(uint64_t value, uint64_t max, int height)
{
    uint64_t levels = (uint64_t)height * 8, twice = 0;
    if (value == 0 || max == 0 || !tt_mul_div(value, levels * 2, max, &twice)) {
        return 0;
    }
    uint64_t eighths = (twice + 1) / 2;
    return (unsigned)(eighths == 0 ? 1 : eighths > levels ? levels : eighths);
}

/* Returns the glyph of a cell with 1 to 8 eighths. */
static uint32_t bar_glyph(const struct tt_workspace *ws, unsigned eighths)
{
    if (!ws->term.grid.ascii) {
        return tt_term_glyph(&ws->term, (enum tt_glyph)(TT_GLYPH_BAR_1 + eighths - 1));
    }
    return eighths >= 6 ? '#' : eighths >= 3 ? ':' : '.';
}

/* Draws a bar of `width` cells from the bottom of the area. */
static void draw_bar(const struct tt_workspace *ws, struct tt_area area, int x, int width,
                     unsigned eighths, unsigned role)
{
    for (int y = area.height - 1; y >= 0 && eighths > 0; y--) {
        unsigned here = eighths < 8 ? eighths : 8;
        tt_draw_fill(area, x, y, width, role, bar_glyph(ws, here));
        eighths -= here;
    }
}

/* ---- axes --------------------------------------------------------------------------------- */

static void draw_label(struct tt_area area, int y, struct tt_text *text)
{
    tt_draw_right(area, 0, y, TT_PLOT_GUTTER - 2, TT_ROLE_COLUMNS, tt_text_cstr(text));
}

/* Draws the vertical axis and the horizontal one below it. */
static void draw_axes(const struct tt_workspace *ws, struct tt_area area, int lines)
{
    uint32_t bar = ws->term.grid.ascii ? '|' : 0x2502;
    uint32_t corner = ws->term.grid.ascii ? '+' : 0x2514;
    for (int y = 0; y < lines; y++) {
        tt_draw_fill(area, TT_PLOT_GUTTER - 1, y, 1, TT_ROLE_LINE, bar);
    }
    tt_draw_fill(area, TT_PLOT_GUTTER - 1, lines, 1, TT_ROLE_LINE, corner);
    tt_draw_fill(area, TT_PLOT_GUTTER, lines, area.width - TT_PLOT_GUTTER, TT_ROLE_LINE,
                 tt_term_glyph(&ws->term, TT_GLYPH_LINE));
}

static void draw_time_axis(const struct tt_plot *plot, const struct tt_workspace *ws,
                           struct tt_area line, struct tt_area labels)
{
    const struct tt_capture *capture = ws->opened.capture;
    struct tt_viewport v = {.from = plot->from, .to = plot->to};
    struct tt_axis axis;
    bool absolute = ws->nav.times == TT_TIMES_TICKS || ws->nav.times == TT_TIMES_ABSOLUTE;
    uint64_t first = capture->origin_ticks != UINT64_MAX ? capture->origin_ticks
                                                         : ws->index.progress.first_ticks;
    uint64_t hz = ws->nav.times == TT_TIMES_TICKS ? 0 : capture->clock_hz;
    tt_axis_make(&axis, &v, (unsigned)line.width, absolute ? 0 : first, hz, LABEL_APART);
    int free_from = 0;
    for (unsigned i = 0; i < axis.count; i++) {
        char buffer[64];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        int column = (int)axis.ticks[i].column;
        tt_draw_fill(line, column, 0, 1, TT_ROLE_AXIS, tt_term_glyph(&ws->term, TT_GLYPH_TICK));
        tt_axis_label(&text, &axis, i, hz ? TT_AXIS_IN_SECONDS : TT_AXIS_IN_TICKS, 0);
        int width = (int)text.used;
        if (column >= free_from && column + width <= labels.width) {
            tt_draw_text(labels, column, 0, width, TT_ROLE_AXIS, buffer, text.used);
            free_from = column + width + LABEL_GAP;
        }
    }
}

/* Draws a cell of the deadline's line, unless it shows samples. */
static void draw_behind(struct tt_area area, int x, int y, uint32_t ch)
{
    const struct tt_cell *cell = tt_grid_at(area.grid, area.x + x, area.y + y);
    if (cell->ch == ' ' || cell->ch == 0) {
        tt_draw_fill(area, x, y, 1, TT_ROLE_ERROR, ch);
    }
}

/* ---- histogram ---------------------------------------------------------------------------- */

/* Returns the cells of a bin, and how many bins share them if there is too little room. */
static int bin_width(const struct tt_plot *plot, int room, unsigned *each)
{
    unsigned bins = plot->bins.used > 0 ? plot->bins.used : 1;
    *each = (bins + (unsigned)room - 1) / (unsigned)room;
    return room / (int)((bins + *each - 1) / *each);
}

static uint64_t count_of(const struct tt_plot *plot, unsigned first, unsigned each)
{
    uint64_t count = 0;
    for (unsigned i = first; i < first + each && i < plot->bins.used; i++) {
        count += plot->bins.count[i];
    }
    return count;
}

static void draw_edges(const struct tt_plot *plot, const struct tt_workspace *ws, int width,
                       unsigned each, struct tt_area line, struct tt_area labels)
{
    int free_from = 0;
    for (unsigned i = 0; i <= plot->bins.used; i += each) {
        char buffer[64];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        int x = (int)(i / each) * width;
        tt_plot_value(plot, ws, plot->bins.edge[i], &text);
        int columns = tt_grid_columns(&ws->term.grid, buffer, text.used);
        if (x >= free_from && x + columns <= labels.width) {
            tt_draw_fill(line, x, 0, 1, TT_ROLE_AXIS, tt_term_glyph(&ws->term, TT_GLYPH_TICK));
            tt_draw_text(labels, x, 0, columns, TT_ROLE_AXIS, buffer, text.used);
            free_from = x + columns + LABEL_GAP;
        }
    }
}

/* Draws the deadline where no bar is; the last line of the area is the axis. */
static void draw_limit_of_bins(const struct tt_plot *plot, const struct tt_workspace *ws, int width,
                               unsigned each, struct tt_area field)
{
    uint64_t limit = tt_line_ns(plot->request.capture, plot->limit);
    for (unsigned i = 0; plot->limit > 0 && i < plot->bins.used; i += each) {
        unsigned end = i + each < plot->bins.used ? i + each : plot->bins.used;
        uint64_t low = plot->bins.edge[i], high = plot->bins.edge[end], part = 0;
        if (limit < low || limit >= high) {
            continue;
        }
        tt_mul_div(limit - low, (uint64_t)width, high - low, &part);
        int x = (int)(i / each) * width + (int)part;
        for (int y = 0; y < field.height - 1; y++) {
            draw_behind(field, x, y, ws->term.grid.ascii ? '!' : DASHED_UP);
        }
        tt_draw(field, x, field.height - 1, 1, TT_ROLE_ERROR, "!");
    }
}

static void draw_histogram(const struct tt_plot *plot, const struct tt_workspace *ws,
                           struct tt_area area, int lines)
{
    struct tt_area field =
        tt_area_part(area, TT_PLOT_GUTTER, 0, area.width - TT_PLOT_GUTTER - 1, lines);
    unsigned each;
    int width = bin_width(plot, field.width, &each), gap = width > 2;
    uint64_t most = 0;
    char buffer[TEXT_BYTES];
    for (unsigned i = 0; i < plot->bins.used; i += each) {
        uint64_t count = count_of(plot, i, each);
        most = count > most ? count : most;
    }
    for (unsigned i = 0; i < plot->bins.used; i += each) {
        draw_bar(ws, field, (int)(i / each) * width, width - gap,
                 plot_eighths(count_of(plot, i, each), most, lines), TT_ROLE_LOAD);
    }
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_units_count(&text, most);
    draw_label(area, 0, &text);
    text = tt_text_of(buffer, sizeof buffer);
    tt_text_char(&text, '0');
    draw_label(area, lines - 1, &text);
    draw_edges(plot, ws, width, each, tt_area_part(area, TT_PLOT_GUTTER, lines, field.width, 1),
               tt_area_part(area, TT_PLOT_GUTTER, lines + 1, field.width + 1, 1));
    draw_limit_of_bins(plot, ws, width, each,
                       tt_area_part(area, TT_PLOT_GUTTER, 0, field.width, lines + 1));
}

/* ---- dots --------------------------------------------------------------------------------- */

/* Returns the samples in the dots of a cell, and the mask of its braille pattern. */
static uint64_t dots_of(const struct tt_plot *plot, unsigned column, unsigned row, unsigned *mask)
{
    static const uint8_t bits[4][2] = {{0x40, 0x80}, {0x04, 0x20}, {0x02, 0x10}, {0x01, 0x08}};
    uint64_t count = 0;
    *mask = 0;
    for (unsigned y = 0; y < 4; y++) {
        for (unsigned x = 0; x < 2; x++) {
            uint32_t here = plot->dots[(size_t)(row + y) * plot->request.columns + column + x];
            count += here;
            *mask |= here > 0 ? bits[y][x] : 0u;
        }
    }
    return count;
}

/* Draws the deadline across the dots. */
static void draw_limit_of_dots(const struct tt_plot *plot, const struct tt_workspace *ws,
                               struct tt_area area, int lines)
{
    uint64_t limit = tt_line_ns(plot->request.capture, plot->limit);
    if (plot->limit == 0 || limit < plot->edges[0] || limit > plot->edges[plot->request.rows]) {
        return;
    }
    int y = lines - 1 - (int)(tt_plot_row_of(plot, limit) / 4);
    for (int x = TT_PLOT_GUTTER; x < area.width - 1; x++) {
        draw_behind(area, x, y, ws->term.grid.ascii ? '-' : DASHED);
    }
    tt_draw(area, TT_PLOT_GUTTER - 1, y, 1, TT_ROLE_ERROR, "!");
}

static void draw_dots(const struct tt_plot *plot, const struct tt_workspace *ws,
                      struct tt_area area, int lines)
{
    char buffer[TEXT_BYTES];
    unsigned cells = plot->request.columns / 2;
    for (int y = 0; y < lines && (unsigned)lines * 4 <= plot->request.rows; y++) {
        for (unsigned x = 0; x < cells; x++) {
            unsigned mask;
            uint64_t count = dots_of(plot, x * 2, (unsigned)(lines - 1 - y) * 4, &mask);
            uint32_t ch = count >= 100 ? '#' : count >= 10 ? '*' : count >= 2 ? ':' : '.';
            if (count > 0) {
                tt_draw_fill(area, TT_PLOT_GUTTER + (int)x, y, 1, TT_ROLE_COUNTER,
                             ws->term.grid.ascii ? ch : BRAILLE + mask);
            }
        }
    }
    draw_limit_of_dots(plot, ws, area, lines);
    const int at[] = {0, lines / 2, lines - 1};
    const unsigned edge[] = {plot->request.rows, plot->request.rows - (unsigned)(lines / 2) * 4, 0};
    for (unsigned i = 0; i < 3; i++) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        if (i == 1 && lines < 5) {
            continue;
        }
        tt_plot_value(plot, ws, plot->edges[edge[i]], &text);
        draw_label(area, at[i], &text);
    }
}

/* ---- bars over time ----------------------------------------------------------------------- */

/* Returns the height of a column in the unit of the plot: a rate, or a share. */
static uint64_t height_of(const struct tt_plot *plot, unsigned column)
{
    return plot->request.kind == TT_PLOT_RATE ? tt_plot_rate(plot, column)
           : plot->layer_count > 0 ? share_of(plot->ticks[column], plot->capacity[column])
                                   : 0;
}

static void draw_columns(const struct tt_plot *plot, const struct tt_workspace *ws,
                         struct tt_area area, int lines)
{
    struct tt_area field =
        tt_area_part(area, TT_PLOT_GUTTER, 0, area.width - TT_PLOT_GUTTER - 1, lines);
    char buffer[TEXT_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    uint64_t most = 0;
    for (unsigned i = 0; i < plot->request.columns; i++) {
        most = height_of(plot, i) > most ? height_of(plot, i) : most;
    }
    for (unsigned i = 0; i < plot->request.columns; i++) {
        draw_bar(ws, field, (int)i, 1, plot_eighths(height_of(plot, i), most, lines), TT_ROLE_LOAD);
    }
    if (plot->request.kind == TT_PLOT_RATE) {
        put_rate(ws, most, &text);
    } else {
        plot_draw_put_share(most, &text);
    }
    draw_label(area, 0, &text);
    text = tt_text_of(buffer, sizeof buffer);
    tt_text_char(&text, '0');
    draw_label(area, lines - 1, &text);
}

/* ---- layers ------------------------------------------------------------------------------- */

static unsigned layer_role(const struct tt_plot *plot, unsigned layer)
{
    static const uint8_t kinds[] = {
        [TT_LAYER_OTHERS] = TT_ROLE_DIM,
        [TT_LAYER_IRQ] = TT_ROLE_CPU_IRQ,
        [TT_LAYER_KERNEL] = TT_ROLE_CPU_KERNEL,
    };
    enum tt_plot_layer_kind kind = plot->layers[layer].kind;
    return kind == TT_LAYER_ROW ? TT_ROLE_CPU_1 + layer % 8 : kinds[kind];
}

static uint32_t layer_letter(const struct tt_plot *plot, unsigned layer)
{
    static const char kinds[] = {
        [TT_LAYER_OTHERS] = 'o', [TT_LAYER_IRQ] = 'i', [TT_LAYER_KERNEL] = 'k'};
    enum tt_plot_layer_kind kind = plot->layers[layer].kind;
    return kind == TT_LAYER_ROW ? 'a' + layer : (uint32_t)kinds[kind];
}

static bool uses_letters(const struct tt_workspace *ws)
{
    return ws->term.grid.ascii || !ws->term.colored;
}

/*
 * Draws a column of layers. A cell shows the layer that has most of its eighths; the uppermost cell
 * is as high as the sum.
 */
static void draw_stack(const struct tt_plot *plot, const struct tt_workspace *ws,
                       struct tt_area field, unsigned column)
{
    unsigned top[TT_PLOT_LAYERS];
    uint64_t sum = 0, capacity = plot->capacity[column];
    for (unsigned i = 0; i < plot->layer_count; i++) {
        sum += plot->ticks[(size_t)i * plot->request.columns + column];
        top[i] = plot_eighths(sum, capacity, field.height);
    }
    unsigned all = plot->layer_count > 0 ? top[plot->layer_count - 1] : 0;
    for (int y = field.height - 1; y >= 0; y--) {
        unsigned low = (unsigned)(field.height - 1 - y) * 8, best = 0, most = 0;
        for (unsigned i = 0, from = 0; i < plot->layer_count; from = top[i++]) {
            unsigned a = from > low ? from : low, b = top[i] < low + 8 ? top[i] : low + 8;
            if (b > a && b - a > most) {
                most = b - a;
                best = i;
            }
        }
        if (most == 0) {
            return;
        }
        unsigned filled = all - low < 8 ? all - low : 8;
        uint32_t ch = !uses_letters(ws)         ? bar_glyph(ws, filled)
                      : filled >= 4 || low == 0 ? layer_letter(plot, best)
                                                : (uint32_t)' ';
        tt_draw_fill(field, (int)column, y, 1, layer_role(plot, best), ch);
    }
}

static void draw_layers(const struct tt_plot *plot, const struct tt_workspace *ws,
                        struct tt_area area, int lines)
{
    struct tt_area field =
        tt_area_part(area, TT_PLOT_GUTTER, 0, area.width - TT_PLOT_GUTTER - 1, lines);
    char buffer[TEXT_BYTES];
    for (unsigned i = 0; i < plot->request.columns; i++) {
        draw_stack(plot, ws, field, i);
    }
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, "100 %");
    draw_label(area, 0, &text);
    text = tt_text_of(buffer, sizeof buffer);
    tt_text_char(&text, '0');
    draw_label(area, lines - 1, &text);
}

/* Draws the layers' names and shares, of the cursor's column or of all. */
static void draw_legend(const struct tt_plot *plot, const struct tt_workspace *ws, bool cursor,
                        struct tt_area line)
{
    unsigned at = tt_plot_column_of(plot, ws->nav.viewport.at);
    uint64_t capacity = 0;
    int x = 1;
    for (unsigned i = 0; i < plot->request.columns; i++) {
        capacity += !cursor || i == at ? plot->capacity[i] : 0;
    }
    for (unsigned i = 0; i < plot->layer_count; i++) {
        char buffer[TEXT_BYTES];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        uint64_t ticks =
            cursor ? plot->ticks[(size_t)i * plot->request.columns + at] : plot->layers[i].total;
        bool own = plot->layers[i].kind == TT_LAYER_ROW && i == 0;
        if (ticks == 0 && !own) {
            continue;
        }
        tt_plot_layer_name(&text, plot, i);
        tt_text_char(&text, ' ');
        plot_draw_put_share(share_of(ticks, capacity), &text);
        int width = 2 + tt_grid_columns(&ws->term.grid, buffer, text.used);
        if (x + width > line.width) {
            break;
        }
        tt_draw_fill(line, x, 0, 1, layer_role(plot, i),
                     uses_letters(ws) ? layer_letter(plot, i) : bar_glyph(ws, 8));
        tt_draw_text(line, x + 2, 0, width, TT_ROLE_STATUS, buffer, text.used);
        x += width + 2;
    }
}

/* ---- values at the cursor ----------------------------------------------------------------- */

static void put_whole(const struct tt_plot *plot, const struct tt_workspace *ws,
                      struct tt_text *text)
{
    tt_text_put(text, "%'ju%s", plot->count,
                plot->request.kind == TT_PLOT_ROWS ? " values" : " samples");
    if (plot->count == 0) {
        return;
    }
    const struct {
        const char *name;
        uint64_t value;
    } values[] = {
        {": min ", plot->min}, {"  mean ", plot->sum / plot->count}, {"  max ", plot->max}};
    for (unsigned i = 0; i < 3; i++) {
        tt_text_str(text, values[i].name);
        tt_plot_value(plot, ws, values[i].value, text);
    }
    if (plot->request.kind != TT_PLOT_ROWS) {
        tt_text_put(text, " at %s", tt_words_moment(ws, plot->longest.end).s);
    }
}

/* Appends the values at the cursor, or of the whole plot. */
static void plot_readout(const struct tt_plot *plot, const struct tt_workspace *ws, bool cursor,
                         struct tt_text *text)
{
    unsigned column = tt_plot_column_of(plot, ws->nav.viewport.at);
    bool rate = plot->request.kind == TT_PLOT_RATE;
    if (!cursor && !rate && plot->request.kind != TT_PLOT_CLASS) {
        put_whole(plot, ws, text);
        return;
    }
    if (!cursor) {
        uint64_t count = 0;
        for (unsigned i = 0; i < plot->request.columns; i++) {
            count += plot->columns[i].count;
        }
        if (rate) {
            tt_text_put(text, "%'ju in all; ", count);
        }
        tt_text_put(text, "%s per column",
                    tt_words_duration(ws, tt_plot_edge(plot, 1) - plot->from).s);
        return;
    }
    tt_text_put(text, "%s: ", tt_words_moment(ws, tt_plot_edge(plot, column)).s);
    if (plot->request.kind == TT_PLOT_TIMES) {
        uint64_t count = 0, max = 0, end = 0;
        for (unsigned i = column / 2 * 2; i < column / 2 * 2 + 2 && i < plot->request.columns;
             i++) {
            const struct tt_plot_column *plot_column = &plot->columns[i];
            if (plot_column->count > 0 && (count == 0 || plot_column->max > max)) {
                max = plot_column->max;
                end = plot_column->longest.end;
            }
            count += plot_column->count;
        }
        tt_text_put(text, "%'ju%s", count, count == 1 ? " sample" : " samples");
        if (count > 0) {
            tt_text_str(text, ", longest ");
            tt_plot_value(plot, ws, max, text);
            tt_text_put(text, " at %s", tt_words_moment(ws, end).s);
        }
    } else if (rate) {
        tt_text_put(text, "%'ju, ", plot->columns[column].count);
        put_rate(ws, tt_plot_rate(plot, column), text);
    } else {
        plot_draw_put_share(height_of(plot, column), text);
    }
}

/* ---- all ---------------------------------------------------------------------------------- */

static bool plot_draw_is_empty(const struct tt_plot *plot)
{
    bool layers = plot->request.kind == TT_PLOT_LOAD || plot->request.kind == TT_PLOT_CLASS;
    return layers ? plot->layer_count == 0 || plot->to <= plot->from
                  : plot->request.kind != TT_PLOT_RATE && plot->count == 0;
}

static void draw_cursor(const struct tt_plot *plot, const struct tt_workspace *ws,
                        struct tt_area area, int lines)
{
    uint64_t at = ws->nav.viewport.at;
    int each = plot->request.kind == TT_PLOT_TIMES ? 2 : 1;
    if (at < plot->from || at >= plot->to) {
        return;
    }
    int x = TT_PLOT_GUTTER + (int)tt_plot_column_of(plot, at) / each;
    for (int y = 0; y < lines; y++) {
        tt_draw_over(area, x, y, 1, TT_ROLE_LANE_CURSOR);
    }
    tt_draw_fill(area, x, lines, 1, TT_ROLE_CURSOR_MARK, tt_term_glyph(&ws->term, TT_GLYPH_HERE));
}

void tt_plot_draw(const struct tt_plot *plot, const struct tt_workspace *ws, bool cursor,
                  struct tt_area area)
{
    char buffer[TEXT_BYTES * 2];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    int lines = area.height - TT_PLOT_FRAME + 1;
    enum tt_plot_kind kind = plot->request.kind;
    bool timed = kind != TT_PLOT_HISTOGRAM && kind != TT_PLOT_ROWS;
    if (lines < 1 || area.width < TT_PLOT_GUTTER + 4) {
        return;
    }
    if (plot_draw_is_empty(plot)) {
        tt_draw(area, 2, 0, area.width - 3, TT_ROLE_DIM,
                plot->complete ? "no samples in this range" : "collecting samples");
        return;
    }
    draw_axes(ws, area, lines);
    if (kind == TT_PLOT_TIMES) {
        draw_dots(plot, ws, area, lines);
    } else if (kind == TT_PLOT_LOAD) {
        draw_layers(plot, ws, area, lines);
    } else if (timed) {
        draw_columns(plot, ws, area, lines);
    } else {
        draw_histogram(plot, ws, area, lines);
    }
    cursor = cursor && timed && ws->nav.viewport.at >= plot->from && ws->nav.viewport.at < plot->to;
    if (timed) {
        int width = area.width - TT_PLOT_GUTTER - 1;
        draw_time_axis(plot, ws, tt_area_part(area, TT_PLOT_GUTTER, lines, width, 1),
                       tt_area_part(area, TT_PLOT_GUTTER, lines + 1, width + 1, 1));
        tt_draw_right(area, 0, lines + 1, TT_PLOT_GUTTER - 2, TT_ROLE_COLUMNS,
                      ws->opened.capture->clock_hz && ws->nav.times != TT_TIMES_TICKS ? "s"
                                                                                      : "ticks");
    }
    if (cursor) {
        draw_cursor(plot, ws, area, lines);
    }
    struct tt_area line = tt_area_part(area, 0, lines + 2, area.width, 1);
    if (kind == TT_PLOT_LOAD) {
        draw_legend(plot, ws, cursor, line);
        return;
    }
    plot_readout(plot, ws, cursor, &text);
    tt_draw_text(line, 1, 0, line.width - 1, TT_ROLE_STATUS, buffer, text.used);
}
