/* SPDX-License-Identifier: Apache-2.0 */
/* stats_print: prints a sheet as a table, CSV or JSON lines. */
#include <stdlib.h>
#include <string.h>

#include "base/text_columns.h"
#include "cli/stats.h"
#include "cli/writers.h"
#include "tracetui/event_line.h"

#define COLUMN_SPACE 2

/* `buffer`: TT_STAT_CELL_BYTES bytes for a text. */
static struct tt_stat_cell cell_of(const struct tt_stat_sheet *sheet,
                                   const struct tt_stat_column *column,
                                   const struct tt_stat_row *row, char *buffer)
{
    return tt_stat_cell_of(sheet, column, row, buffer, TT_STAT_CELL_BYTES);
}

static bool is_in_table(const struct tt_stat_sheet *sheet, const struct tt_stat_column *column)
{
    return column->heading && tt_stat_is_printed(sheet, column);
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void json_row(struct tt_text *text, const struct tt_stat_sheet *sheet,
                     const struct tt_stat_row *row)
{
    char buffer[TT_STAT_CELL_BYTES];
    tt_text_char(text, '{');
    for (size_t i = 0; i < sheet->column_count; i++) {
        if (!tt_stat_is_printed(sheet, &sheet->columns[i])) {
            continue;
        }
        struct tt_stat_cell cell = cell_of(sheet, &sheet->columns[i], row, buffer);
        tt_text_str(text, i > 0 ? ",\"" : "\"");
        tt_stat_key(text, sheet, &sheet->columns[i]);
        tt_text_str(text, "\":");
        switch (cell.kind) {
        case TT_CELL_NONE:
            tt_text_str(text, "null");
            break;
        case TT_CELL_NUMBER:
            tt_json_u64(text, cell.number);
            break;
        case TT_CELL_SIGNED:
            tt_json_i64(text, cell.signed_number);
            break;
        case TT_CELL_DECIMAL:
            tt_stat_decimal(text, cell.number, cell.decimals);
            break;
        case TT_CELL_TEXT:
            tt_text_json(text, cell.text.buffer, cell.text.used);
            break;
        }
    }
    tt_text_str(text, "}\n");
}

/* ---- the table ---------------------------------------------------------------------------- */

static const char *unit_shown(const struct tt_stat_sheet *sheet, enum tt_stat_unit unit)
{
    if (sheet->capture->clock_hz == 0) {
        return "";
    }
    switch (unit) {
    case TT_STAT_TIME_MS:
        return " ms";
    case TT_STAT_TIME_US:
    case TT_STAT_MEAN_US:
        return " us";
    case TT_STAT_AT:
        return " s";
    case TT_STAT_RATE:
        return " /s";
    default:
        return "";
    }
}

static void table_time(struct tt_text *text, const struct tt_stat_sheet *sheet,
                       enum tt_stat_unit unit, const struct tt_stat_cell *cell)
{
    bool clock = sheet->capture->clock_hz != 0;
    bool in_ms = unit == TT_STAT_TIME_MS;
    tt_stat_decimal(text, clock && in_ms ? cell->number / 1000 : cell->number, clock ? 3 : 0);
}

void tt_stat_put_unit(struct tt_text *text, const struct tt_stat_sheet *sheet,
                      const struct tt_stat_column *column)
{
    tt_text_str(text, unit_shown(sheet, column->unit));
}

void tt_stat_put_cell(struct tt_text *text, const struct tt_stat_sheet *sheet,
                      const struct tt_stat_column *column, const struct tt_stat_row *row)
{
    char buffer[TT_STAT_CELL_BYTES];
    struct tt_stat_cell cell = cell_of(sheet, column, row, buffer);
    if (cell.kind == TT_CELL_NONE) {
        tt_text_str(text, row->is_total ? "" : "-");
    } else if (tt_stat_is_unknown(column, row)) {
        tt_text_char(text, '-');
    } else if (column->unit == TT_STAT_AT) {
        uint64_t ticks = *(const uint64_t *)((const char *)row + column->field);
        tt_line_time(text, sheet->capture,
                     tt_relative_ticks(sheet->capture, ticks, sheet->first_ticks));
    } else if (tt_stat_is_time(column->unit)) {
        table_time(text, sheet, column->unit, &cell);
    } else if (cell.kind == TT_CELL_DECIMAL) {
        tt_stat_decimal(text, cell.number / 100, cell.decimals - 2);
    } else if (cell.kind == TT_CELL_SIGNED) {
        tt_text_i64(text, cell.signed_number);
    } else if (column->unit == TT_STAT_PROCESS_PID) {
        tt_line_id(text, sheet->capture, *(const uint32_t *)((const char *)row + column->field),
                   cell.number);
    } else if (cell.kind == TT_CELL_NUMBER) {
        tt_text_u64(text, cell.number);
    } else {
        tt_text_bytes(text, cell.text.buffer, cell.text.used);
    }
}

static void table_padded(struct tt_text *text, const char *bytes, size_t length, size_t width,
                         bool left)
{
    size_t own = tt_text_columns(bytes, length);
    size_t pad = own < width ? width - own : 0;
    tt_text_fill(text, ' ', left ? 0 : pad);
    tt_text_bytes(text, bytes, length);
    tt_text_fill(text, ' ', left ? pad : 0);
}

/* `row` NULL: the headings. */
static struct tt_text render_cell(const struct tt_stat_sheet *sheet,
                                  const struct tt_stat_column *column,
                                  const struct tt_stat_row *row, bool first, char *buffer)
{
    struct tt_text text = tt_text_of(buffer, TT_STAT_CELL_BYTES);
    if (!row) {
        tt_text_str(&text, column->heading);
        tt_stat_put_unit(&text, sheet, column);
    } else if (row->is_total && first) {
        tt_text_str(&text, "total");
    } else {
        tt_stat_put_cell(&text, sheet, column, row);
        if (tt_stat_is_name(column->unit)) {
            tt_text_shorten(&text, 0, TT_NAME_COLUMNS);
        }
    }
    return text;
}

static void table_row(struct tt_text *text, const struct tt_stat_sheet *sheet, const size_t *widths,
                      const struct tt_stat_row *row)
{
    char buffer[TT_STAT_CELL_BYTES];
    size_t start = text->used;
    bool first = true;
    for (size_t i = 0; i < sheet->column_count; i++) {
        const struct tt_stat_column *column = &sheet->columns[i];
        if (!is_in_table(sheet, column)) {
            continue;
        }
        struct tt_text cell = render_cell(sheet, column, row, first, buffer);
        tt_text_fill(text, ' ', first ? 0 : COLUMN_SPACE);
        table_padded(text, cell.buffer, cell.used, widths[i], tt_stat_is_name(column->unit));
        first = false;
    }
    while (text->used > start && text->buffer[text->used - 1] == ' ') {
        text->used--;
    }
    tt_text_char(text, '\n');
}

static void widen(const struct tt_stat_sheet *sheet, size_t *widths, const struct tt_stat_row *row)
{
    char buffer[TT_STAT_CELL_BYTES];
    bool first = true;
    for (size_t i = 0; i < sheet->column_count; i++) {
        if (!is_in_table(sheet, &sheet->columns[i])) {
            continue;
        }
        struct tt_text cell = render_cell(sheet, &sheet->columns[i], row, first, buffer);
        size_t width = tt_text_columns(cell.buffer, cell.used);
        widths[i] = width > widths[i] ? width : widths[i];
        first = false;
    }
}

/* Prints the total, one line per column. */
static void table_upright(struct tt_text *text, const struct tt_stat_sheet *sheet)
{
    char buffer[TT_STAT_CELL_BYTES];
    size_t widths[2] = {0, 0};
    struct tt_stat_row only;
    tt_stat_row_at(sheet, 0, &only);
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < sheet->column_count; i++) {
            const struct tt_stat_column *column = &sheet->columns[i];
            for (size_t part = 0; part < 2; part++) {
                const struct tt_stat_row *row = part == 0 ? NULL : &only;
                struct tt_text cell = render_cell(sheet, column, row, false, buffer);
                size_t width = tt_text_columns(cell.buffer, cell.used);
                if (pass == 0) {
                    widths[part] = width > widths[part] ? width : widths[part];
                } else {
                    table_padded(text, cell.buffer, cell.used, widths[part], part == 0);
                    tt_text_str(text, part == 0 ? "  " : "\n");
                }
            }
        }
    }
}

/* ---- printing ----------------------------------------------------------------------------- */

static void print_row(const struct tt_stat_sheet *sheet, int format, const size_t *widths,
                      const struct tt_stat_row *row, struct tt_output *out)
{
    struct tt_text text;
    bool table = format != TT_OUTPUT_JSONL && format != TT_OUTPUT_CSV;
    do {
        text = tt_output_begin(out);
        if (format == TT_OUTPUT_JSONL) {
            json_row(&text, sheet, row);
        } else if (table && sheet->upright) {
            table_upright(&text, sheet);
        } else if (format != TT_OUTPUT_CSV) {
            table_row(&text, sheet, widths, row);
        } else if (row) {
            tt_stat_csv_row(&text, sheet, row);
        } else {
            tt_stat_csv_header(&text, sheet);
        }
    } while (!tt_output_end(out, &text));
}

struct tt_status tt_stat_sheet_print(const struct tt_stat_sheet *sheet, int format,
                                     struct tt_output *out)
{
    bool table = format == TT_OUTPUT_TEXT || format == TT_OUTPUT_TABLE;
    struct tt_stat_row row;
    size_t *widths = calloc(sheet->column_count, sizeof *widths);
    if (!widths) {
        return tt_error_memory();
    }
    if (table) {
        widen(sheet, widths, NULL);
        for (size_t i = 0; i < sheet->count; i++) {
            tt_stat_row_at(sheet, i, &row);
            widen(sheet, widths, &row);
        }
        if (sheet->has_total) {
            widen(sheet, widths, &sheet->total);
        }
        if (out->begun) {
            tt_output_write(out, "\n", 1);
        }
    }
    if (format == TT_OUTPUT_CSV || (table && !sheet->upright)) {
        print_row(sheet, format, widths, NULL, out);
    }
    for (size_t i = 0; i < sheet->count && tt_output_is_open(out); i++) {
        tt_stat_row_at(sheet, i, &row);
        print_row(sheet, format, widths, &row, out);
    }
    if (table && sheet->has_total) {
        print_row(sheet, format, widths, &sheet->total, out);
    }
    free(widths);
    return tt_ok();
}
