/* SPDX-License-Identifier: Apache-2.0 */
/* plot_csv: the numbers of a plot as CSV. */
#include <string.h>

#include "tracetui/event_line.h"
#include "tracetui/line_parts.h"
#include "tracetui/plot.h"
#include "tracetui/time.h"

static bool has_bins(const struct tt_plot *p)
{
    return p->request.kind == TT_PLOT_HISTOGRAM || p->request.kind == TT_PLOT_ROWS;
}

static bool has_layers(const struct tt_plot *p)
{
    return p->request.kind == TT_PLOT_LOAD || p->request.kind == TT_PLOT_CLASS;
}

void tt_plot_csv_header(struct tt_text *text, const struct tt_plot *p)
{
    bool clock = p->request.capture->clock_hz != 0;
    const char *unit = clock ? "_ns" : "_ticks";
    if (has_bins(p)) {
        bool is_time =
            p->request.kind == TT_PLOT_HISTOGRAM || tt_unit_is_time(p->request.column->unit);
        tt_text_str(text, "from");
        tt_text_str(text, is_time ? unit : "");
        tt_text_str(text, ",to");
        tt_text_str(text, is_time ? unit : "");
        tt_text_str(text, ",count\n");
        return;
    }
    tt_text_str(text, "from");
    tt_text_str(text, unit);
    tt_text_str(text, ",to");
    tt_text_str(text, unit);
    if (has_layers(p)) {
        tt_text_str(text, ",layer,cpu");
        tt_text_str(text, unit);
        tt_text_str(text, ",share_pct\n");
        return;
    }
    tt_text_str(text, ",count");
    if (p->request.kind == TT_PLOT_TIMES) {
        for (unsigned i = 0; i < 3; i++) {
            static const char *const names[] = {",min", ",max", ",max_at"};
            tt_text_str(text, names[i]);
            tt_text_str(text, unit);
        }
        tt_text_char(text, '\n');
        return;
    }
    tt_text_str(text, clock ? ",rate_hz\n" : ",rate_per_tick\n");
}

static void put_range(struct tt_text *text, const struct tt_plot *p, unsigned column)
{
    const struct tt_capture *c = p->request.capture;
    tt_text_u64(text, tt_line_ns(c, tt_plot_edge(p, column)));
    tt_text_char(text, ',');
    tt_text_u64(text, tt_line_ns(c, tt_plot_edge(p, column + 1)));
    tt_text_char(text, ',');
}

void tt_plot_layer_name(struct tt_text *text, const struct tt_plot *p, unsigned layer)
{
    static const char *const words[] = {"", "others", "interrupts", "kernel"};
    const struct tt_plot_layer *l = &p->layers[layer];
    const struct tt_capture *c = p->request.capture;
    if (l->kind != TT_LAYER_ROW) {
        tt_text_str(text, words[l->kind]);
    } else if (p->request.by_process && l->number < tt_process_count(c)) {
        size_t length;
        const char *name = tt_process_base_name(c, tt_process_at(c, l->number), &length);
        tt_text_escaped(text, name, length);
    } else if (!p->request.by_process && l->number < tt_thread_count(c)) {
        tt_line_thread(text, c, l->number);
    }
}

static bool bin_line(struct tt_text *text, const struct tt_plot *p, size_t line)
{
    if (line >= p->bins.used || p->count == 0) {
        return false;
    }
    tt_text_u64(text, p->bins.edge[line]);
    tt_text_char(text, ',');
    tt_text_u64(text, p->bins.edge[line + 1]);
    tt_text_char(text, ',');
    tt_text_u64(text, p->bins.count[line]);
    tt_text_char(text, '\n');
    return true;
}

static bool layer_line(struct tt_text *text, const struct tt_plot *p, size_t line)
{
    unsigned columns = p->request.columns;
    if (p->layer_count == 0 || line >= (size_t)p->layer_count * columns) {
        return false;
    }
    unsigned column = (unsigned)(line / p->layer_count), layer = (unsigned)(line % p->layer_count);
    uint64_t ticks = p->ticks[(size_t)layer * columns + column], share = 0;
    put_range(text, p, column);
    size_t start = text->used;
    tt_plot_layer_name(text, p, layer);
    tt_csv_text_from(text, start);
    tt_text_char(text, ',');
    tt_text_u64(text, tt_line_ns(p->request.capture, ticks));
    tt_text_char(text, ',');
    if (p->capacity[column] > 0) {
        tt_mul_div(ticks, 100 * 10000, p->capacity[column], &share);
    }
    tt_text_decimal(text, share, 4);
    tt_text_char(text, '\n');
    return true;
}

static bool column_line(struct tt_text *text, const struct tt_plot *p, size_t line)
{
    const struct tt_capture *c = p->request.capture;
    if (line >= p->request.columns) {
        return false;
    }
    const struct tt_plot_column *column = &p->columns[line];
    put_range(text, p, (unsigned)line);
    tt_text_u64(text, column->count);
    tt_text_char(text, ',');
    if (p->request.kind != TT_PLOT_TIMES) {
        tt_text_decimal(text, tt_plot_rate(p, (unsigned)line), 3);
    } else if (column->count > 0) {
        tt_text_u64(text, column->min);
        tt_text_char(text, ',');
        tt_text_u64(text, column->max);
        tt_text_char(text, ',');
        tt_text_u64(text, tt_line_ns(c, column->longest.end));
    } else {
        tt_text_str(text, ",,");
    }
    tt_text_char(text, '\n');
    return true;
}

bool tt_plot_csv_line(struct tt_text *text, const struct tt_plot *p, size_t line)
{
    return has_bins(p)     ? bin_line(text, p, line)
           : has_layers(p) ? layer_line(text, p, line)
                           : column_line(text, p, line);
}
