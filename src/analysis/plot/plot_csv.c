/* SPDX-License-Identifier: Apache-2.0 */
/* plot_csv: the numbers of a plot as CSV. */
#include <string.h>

#include "analysis/plot/plot.h"
#include "print/record/fields.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tracetui/time.h"

static bool has_bins(const struct tt_plot *plot)
{
    return plot->request.kind == TT_PLOT_HISTOGRAM || plot->request.kind == TT_PLOT_ROWS;
}

static bool has_layers(const struct tt_plot *plot)
{
    return plot->request.kind == TT_PLOT_LOAD || plot->request.kind == TT_PLOT_CLASS;
}

static void plot_csv_put_range(struct tt_fields *fields, const struct tt_plot *plot,
                               unsigned column)
{
    const struct tt_capture *capture = plot->request.capture;
    bool has_values = fields->form != TT_FIELDS_HEADER;
    tt_field_time(fields, capture, "from", has_values ? tt_plot_edge(plot, column) : 0);
    tt_field_time(fields, capture, "to", has_values ? tt_plot_edge(plot, column + 1) : 0);
}

void tt_plot_layer_name(struct tt_text *text, const struct tt_plot *plot, unsigned layer)
{
    static const char *const words[] = {"", "others", "interrupts", "kernel"};
    const struct tt_plot_layer *plot_layer = &plot->layers[layer];
    const struct tt_capture *capture = plot->request.capture;
    if (plot_layer->kind != TT_LAYER_ROW) {
        tt_text_str(text, words[plot_layer->kind]);
    } else if (plot->request.by_process && plot_layer->number < tt_process_count(capture)) {
        size_t length;
        const char *name =
            tt_process_base_name(capture, tt_process_at(capture, plot_layer->number), &length);
        tt_text_escaped(text, name, length);
    } else if (!plot->request.by_process && plot_layer->number < tt_thread_count(capture)) {
        tt_line_thread(text, capture, plot_layer->number);
    }
}

static void put_column(struct tt_fields *fields, const struct tt_plot *plot, unsigned line)
{
    const struct tt_capture *capture = plot->request.capture;
    const struct tt_plot_column none = {.count = 0};
    bool has_values = fields->form != TT_FIELDS_HEADER, clock = capture->clock_hz != 0;
    const struct tt_plot_column *column = has_values ? &plot->columns[line] : &none;
    bool any = column->count > 0;
    plot_csv_put_range(fields, plot, line);
    tt_field_u64(fields, "count", column->count);
    if (plot->request.kind == TT_PLOT_TIMES) {
        tt_field_number(fields, clock ? "min_ns" : "min_ticks", any, column->min);
        tt_field_number(fields, clock ? "max_ns" : "max_ticks", any, column->max);
        tt_field_time(fields, capture, "max_at", any ? column->longest.end : UINT64_MAX);
    } else {
        tt_field_decimal(fields, clock ? "rate_hz" : "rate_per_tick",
                         has_values ? tt_plot_rate(plot, line) : 0, 3);
    }
}

static void plot_csv_put_line(struct tt_text *text, enum tt_fields_form form,
                              const struct tt_plot *plot, size_t line)
{
    struct tt_fields fields = tt_fields_begin(text, form);
    if (has_bins(plot)) {
        /* Appends bin `line`; its edges are nanoseconds, or values of a column. */
        bool is_time = tt_plot_has_times(&plot->request);
        bool clock = plot->request.capture->clock_hz != 0;
        tt_field_u64(&fields,
                     !is_time ? "from"
                     : clock  ? "from_ns"
                              : "from_ticks",
                     plot->bins.edge[line]);
        tt_field_u64(&fields,
                     !is_time ? "to"
                     : clock  ? "to_ns"
                              : "to_ticks",
                     plot->bins.edge[line + 1]);
        tt_field_u64(&fields, "count", plot->bins.count[line]);
    } else if (has_layers(plot)) {
        unsigned layers = plot->layer_count > 0 ? plot->layer_count : 1;

        unsigned column = (unsigned)line / layers;
        unsigned layer = (unsigned)line % layers;
        uint64_t ticks = 0, share = 0;
        plot_csv_put_range(&fields, plot, column);
        size_t start = tt_field_open_text(&fields, "layer");
        if (fields.form != TT_FIELDS_HEADER) {
            ticks = plot->ticks[(size_t)layer * plot->request.columns + column];
            tt_plot_layer_name(fields.text, plot, layer);
            if (plot->capacity[column] > 0) {
                tt_mul_div(ticks, 100 * 10000, plot->capacity[column], &share);
            }
        }
        tt_field_close_text(&fields, start);
        tt_field_time(&fields, plot->request.capture, "cpu", ticks);
        tt_field_decimal(&fields, "share_pct", share, 4);
    } else {
        put_column(&fields, plot, (unsigned)line);
    }
    tt_fields_end(&fields);
}

void tt_plot_csv_header(struct tt_text *text, const struct tt_plot *plot)
{
    plot_csv_put_line(text, TT_FIELDS_HEADER, plot, 0);
}

bool tt_plot_csv_line(struct tt_text *text, const struct tt_plot *plot, size_t line)
{
    size_t lines = has_bins(plot)     ? plot->count > 0 ? plot->bins.used : 0
                   : has_layers(plot) ? (size_t)plot->layer_count * plot->request.columns
                                      : plot->request.columns;
    if (line < lines) {
        plot_csv_put_line(text, TT_FIELDS_CSV, plot, line);
    }
    return line < lines;
}
