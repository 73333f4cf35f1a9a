/* SPDX-License-Identifier: Apache-2.0 */
/* summary/histogram: computes and draws the histogram pane. */
#include "tui/views/summary/histogram.h"

#include <string.h>

#include "base/clock.h"
#include "tui/draw/units.h"
#include "tui/model/workspace.h"

#define WORK_AT_ONCE 4000u
#define LINES_LEAST  4
#define LINES_MOST   16
#define ROWS_KEPT    4 /* minimum table rows left by the pane */
#define EDGE_WIDTH   7 /* "500 ms" */
#define COUNT_WIDTH  9

void tt_summary_histogram_free(struct tt_summary_histogram *s)
{
    tt_histogram_free(&s->histogram);
}

int tt_summary_histogram_height(const struct tt_summary_histogram *s, int lines)
{
    int height = lines / 2 > LINES_MOST ? LINES_MOST : lines / 2;
    if (height > lines - ROWS_KEPT) {
        height = lines - ROWS_KEPT;
    }
    return s->open && height >= LINES_LEAST ? height : 0;
}

void tt_summary_histogram_ask(struct tt_summary_histogram *s, const struct tt_summary_table *tab)
{
    const struct tt_stat_column *column = tab->columns.v[tab->chosen].stat;
    struct tt_stat_row room;
    const struct tt_stat_row *row = tt_summary_table_row(tab, &room);
    const struct tt_histogram *h = &s->histogram;
    if (!row || !tab->sheet.builder) {
        s->begun = false;
        return;
    }
    bool same = s->begun && h->sheet == &tab->sheet && h->column == column &&
                tt_summary_same_row(&h->row, row) && s->built_at == tab->built_at &&
                s->of_complete == tab->sheet.complete;
    if (!same) {
        s->begun = true;
        s->failed = false;
        s->built_at = tab->built_at;
        s->of_complete = tab->sheet.complete;
        tt_histogram_begin(&s->histogram, &tab->sheet, column, row);
    }
}

bool tt_summary_histogram_work(struct tt_summary_histogram *s, uint64_t budget_ns)
{
    uint64_t until = tt_now_ns() + budget_ns;
    bool done = !s->open || !s->begun || s->failed || s->histogram.complete;
    while (!done && budget_ns > 0) {
        s->failed = !tt_histogram_step(&s->histogram, WORK_AT_ONCE);
        done = s->failed || s->histogram.complete;
        if (tt_now_ns() >= until) {
            break;
        }
    }
    return done;
}

/* ---- drawing ------------------------------------------------------------------------------ */

/* Appends a bin edge: "500 ns", "20 ms"; a plain number if it is not a time. */
static void write_edge(const struct tt_workspace *ws, const struct tt_histogram *h, uint64_t edge,
                       struct tt_text *text)
{
    static const char *const units[] = {"ns", "", "ms", "s"};
    char utf8[4];
    unsigned unit = 0;
    if (h->column->unit == TT_STAT_SHARE) {
        /* The numbers are fixed-point with four decimals. */
        tt_text_u64(text, edge / 10000);
        if (edge > 0 && edge < 10000) {
            tt_text_char(text, '.');
            tt_text_u64_width(text, edge % 10000, 4, '0');
            while (text->buffer[text->used - 1] == '0') {
                text->used--;
            }
        }
        tt_text_str(text, " %");
        return;
    }
    if (!tt_stat_is_time(h->column->unit) || ws->opened.capture->clock_hz == 0) {
        tt_units_count(text, h->column->unit == TT_STAT_RATE ? edge / 1000 : edge);
        return;
    }
    for (; unit < 3 && edge >= 1000; edge /= 1000) {
        unit++;
    }
    tt_text_u64(text, edge);
    tt_text_char(text, ' ');
    if (unit == 1) {
        tt_text_bytes(text, utf8, tt_utf8_encode(tt_term_glyph(&ws->term, TT_GLYPH_MICRO), utf8));
        tt_text_char(text, 's');
    } else {
        tt_text_str(text, units[unit]);
    }
}

static void draw_bin(const struct tt_workspace *ws, const struct tt_histogram *h,
                     struct tt_area line, unsigned first, unsigned end, uint64_t limit)
{
    char buffer[64];
    uint64_t count = 0;
    for (unsigned bin = first; bin < end; bin++) {
        count += h->bins[bin];
    }
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    write_edge(ws, h, tt_histogram_edge(first), &text);
    tt_draw_right(line, 1, 0, EDGE_WIDTH, TT_ROLE_TEXT, tt_text_cstr(&text));
    tt_draw(line, EDGE_WIDTH + 2, 0, 2, TT_ROLE_DIM, "..");
    text = tt_text_of(buffer, sizeof buffer);
    write_edge(ws, h, tt_histogram_edge(end), &text);
    tt_draw_right(line, EDGE_WIDTH + 5, 0, EDGE_WIDTH, TT_ROLE_TEXT, tt_text_cstr(&text));
    text = tt_text_of(buffer, sizeof buffer);
    tt_text_grouped(&text, count);
    int x = 2 * EDGE_WIDTH + 6;
    tt_draw_right(line, x, 0, COUNT_WIDTH, TT_ROLE_TEXT, tt_text_cstr(&text));
    x += COUNT_WIDTH + 2;
    int room = line.width - x - 1;
    int width = room > 0 && limit > 0 ? (int)((double)count * room / (double)limit + 0.5) : 0;
    width = width == 0 && count > 0 && room > 0 ? 1 : width; /* a single one stays visible */
    tt_draw_fill(line, x, 0, width, TT_ROLE_LOAD, tt_term_glyph(&ws->term, TT_GLYPH_RUNNING));
}

static void draw_title(const struct tt_summary_histogram *s, const struct tt_workspace *ws,
                       const struct tt_summary_table *tab, struct tt_area line)
{
    const struct tt_histogram *h = &s->histogram;
    const struct tt_summary_column *column = &tab->columns.v[tab->chosen];
    char buffer[512];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_draw_fill(line, 0, 0, line.width, TT_ROLE_LINE, tt_term_glyph(&ws->term, TT_GLYPH_LINE));
    tt_text_char(&text, ' ');
    bool of_row = column->stat->distribution != TT_STAT_ALWAYS;
    if (of_row) {
        const struct tt_stat_screen *screen = &column->stat->screen;
        tt_text_str(&text, screen->group[0] ? screen->group : screen->head);
        tt_text_str(&text, " of ");
        tt_summary_row_name(tab, &h->row, &text);
        tt_text_str(&text, ", ");
    } else {
        tt_summary_column_title(column, &text);
        tt_text_str(&text, " of all rows, ");
    }
    tt_text_grouped(&text, h->count);
    tt_text_str(&text, of_row ? " samples" : " values");
    tt_text_str(&text, s->failed ? " (out of memory) " : h->complete ? " " : " so far ");
    tt_draw_text(line, 2, 0, line.width - 3, TT_ROLE_TITLE, buffer, text.used);
}

void tt_summary_histogram_draw(const struct tt_summary_histogram *s, const struct tt_workspace *ws,
                               const struct tt_summary_table *tab, struct tt_area area)
{
    const struct tt_histogram *h = &s->histogram;
    if (!s->begun || area.height < 2) {
        return;
    }
    draw_title(s, ws, tab, tt_area_part(area, 0, 0, area.width, 1));
    unsigned first = 0, end = TT_HISTOGRAM_BINS - 1;
    while (first < end && h->bins[first] == 0) {
        first++;
    }
    while (end > first && h->bins[end - 1] == 0) {
        end--;
    }
    if (h->count == 0 || tt_stat_is_name(h->column->unit)) {
        tt_draw(area, 2, 1, area.width - 3, TT_ROLE_DIM,
                h->complete ? "no samples" : "collecting samples");
        return;
    }
    /* If there are more bins than lines, a line holds several bins. */
    unsigned lines = (unsigned)area.height - 1;
    unsigned each = (end - first + lines - 1) / lines;
    uint64_t limit = 0;
    for (unsigned bin = first; bin < end; bin += each) {
        uint64_t count = 0;
        for (unsigned i = bin; i < bin + each && i < end; i++) {
            count += h->bins[i];
        }
        limit = count > limit ? count : limit;
    }
    int y = 1;
    for (unsigned bin = first; bin < end; bin += each, y++) {
        unsigned last = bin + each < end ? bin + each : end;
        draw_bin(ws, h, tt_area_part(area, 0, y, area.width, 1), bin, last, limit);
    }
}
