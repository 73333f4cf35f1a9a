/* SPDX-License-Identifier: Apache-2.0 */
/* plot_csv: the numbers of a plot as CSV. */
#include <string.h>

#include "tracetui/event_line.h"
#include "tracetui/fields.h"
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

static void put_range(struct tt_fields *fields, const struct tt_plot *p, unsigned column)
{
    const struct tt_capture *c = p->request.capture;
    bool has_values = fields->form != TT_FIELDS_HEADER;
    tt_field_time(fields, c, "from", has_values ? tt_plot_edge(p, column) : 0);
    tt_field_time(fields, c, "to", has_values ? tt_plot_edge(p, column + 1) : 0);
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

/* Appends bin `line`; its edges are nanoseconds, or values of a column. */
static void put_bin(struct tt_fields *fields, const struct tt_plot *p, size_t line)
{
    bool is_time = p->request.kind == TT_PLOT_HISTOGRAM || tt_unit_is_time(p->request.column->unit);
    bool clock = p->request.capture->clock_hz != 0;
    tt_field_u64(fields, !is_time ? "from" : clock ? "from_ns" : "from_ticks", p->bins.edge[line]);
    tt_field_u64(fields, !is_time ? "to" : clock ? "to_ns" : "to_ticks", p->bins.edge[line + 1]);
    tt_field_u64(fields, "count", p->bins.count[line]);
}

static void put_layer(struct tt_fields *fields, const struct tt_plot *p, unsigned column,
                      unsigned layer)
{
    uint64_t ticks = 0, share = 0;
    put_range(fields, p, column);
    size_t start = tt_field_open_text(fields, "layer");
    if (fields->form != TT_FIELDS_HEADER) {
        ticks = p->ticks[(size_t)layer * p->request.columns + column];
        tt_plot_layer_name(fields->text, p, layer);
        if (p->capacity[column] > 0) {
            tt_mul_div(ticks, 100 * 10000, p->capacity[column], &share);
        }
    }
    tt_field_close_text(fields, start);
    tt_field_time(fields, p->request.capture, "cpu", ticks);
    tt_field_decimal(fields, "share_pct", share, 4);
}

static void put_column(struct tt_fields *fields, const struct tt_plot *p, unsigned line)
{
    const struct tt_capture *c = p->request.capture;
    const struct tt_plot_column none = {.count = 0};
    bool has_values = fields->form != TT_FIELDS_HEADER, clock = c->clock_hz != 0;
    const struct tt_plot_column *column = has_values ? &p->columns[line] : &none;
    bool any = column->count > 0;
    put_range(fields, p, line);
    tt_field_u64(fields, "count", column->count);
    if (p->request.kind == TT_PLOT_TIMES) {
        tt_field_number(fields, clock ? "min_ns" : "min_ticks", any, column->min);
        tt_field_number(fields, clock ? "max_ns" : "max_ticks", any, column->max);
        tt_field_time(fields, c, "max_at", any ? column->longest.end : UINT64_MAX);
    } else {
        tt_field_decimal(fields, clock ? "rate_hz" : "rate_per_tick",
                         has_values ? tt_plot_rate(p, line) : 0, 3);
    }
}

static void put_line(struct tt_text *text, enum tt_fields_form form, const struct tt_plot *p,
                     size_t line)
{
    struct tt_fields fields = tt_fields_begin(text, form);
    if (has_bins(p)) {
        put_bin(&fields, p, line);
    } else if (has_layers(p)) {
        unsigned layers = p->layer_count > 0 ? p->layer_count : 1;
        put_layer(&fields, p, (unsigned)line / layers, (unsigned)line % layers);
    } else {
        put_column(&fields, p, (unsigned)line);
    }
    tt_fields_end(&fields);
}

void tt_plot_csv_header(struct tt_text *text, const struct tt_plot *p)
{
    put_line(text, TT_FIELDS_HEADER, p, 0);
}

bool tt_plot_csv_line(struct tt_text *text, const struct tt_plot *p, size_t line)
{
    size_t lines = has_bins(p)     ? p->count > 0 ? p->bins.used : 0
                   : has_layers(p) ? (size_t)p->layer_count * p->request.columns
                                   : p->request.columns;
    if (line < lines) {
        put_line(text, TT_FIELDS_CSV, p, line);
    }
    return line < lines;
}
