/* SPDX-License-Identifier: Apache-2.0 */
#include "tracetui/print.h"

#include <string.h>

#include "base/text_columns.h"
#include "tracetui/event_line.h"
#include "tracetui/json.h"
#include "tracetui/line_parts.h"

#define COLUMN_SPACE 2

/* ---- values ------------------------------------------------------------------------------- */

/* Appends a value as in CSV; unknown: nothing. */
static void put_plain(struct tt_text *text, const struct tt_table_column *column,
                      const struct tt_table_cell *cell)
{
    switch (cell->kind) {
    case TT_CELL_NONE:
        break;
    case TT_CELL_NUMBER:
        if (column->unit == TT_UNIT_HEX) {
            tt_text_str(text, "0x");
            tt_text_hex(text, cell->number, 0);
        } else {
            tt_text_u64(text, cell->number);
        }
        break;
    case TT_CELL_SIGNED:
        tt_text_i64(text, cell->signed_number);
        break;
    case TT_CELL_DECIMAL:
        tt_text_decimal(text, cell->number, cell->decimals);
        break;
    case TT_CELL_REAL:
        tt_text_double(text, cell->real);
        break;
    case TT_CELL_TEXT:
        tt_text_bytes(text, cell->text.buffer, cell->text.used);
        break;
    }
}

static void put_csv(struct tt_text *text, const struct tt_table_column *column,
                    const struct tt_table_cell *cell)
{
    size_t start = text->used;
    put_plain(text, column, cell);
    if (cell->kind == TT_CELL_TEXT) {
        tt_csv_text_from(text, start);
    }
}

static void put_json(struct tt_text *text, const struct tt_table_column *column,
                     const struct tt_table_cell *cell)
{
    switch (cell->kind) {
    case TT_CELL_NONE:
        tt_text_str(text, "null");
        break;
    case TT_CELL_NUMBER:
        if (column->unit == TT_UNIT_FLAG) {
            tt_text_str(text, cell->number ? "true" : "false");
            break;
        }
        tt_json_u64(text, cell->number);
        break;
    case TT_CELL_SIGNED:
        tt_json_i64(text, cell->signed_number);
        break;
    case TT_CELL_DECIMAL:
    case TT_CELL_REAL:
        put_plain(text, column, cell);
        break;
    case TT_CELL_TEXT:
        tt_text_json(text, cell->text.buffer, cell->text.used);
        break;
    }
}

/* ---- text --------------------------------------------------------------------------------- */

void tt_print_heading(struct tt_text *text, const struct tt_table_run *run,
                      const struct tt_table_column *column)
{
    static const char *const units[] = {
        [TT_UNIT_TIME_MS] = " ms", [TT_UNIT_TIME_US] = " us", [TT_UNIT_MEAN_US] = " us",
        [TT_UNIT_AT] = " s",       [TT_UNIT_RATE] = " /s",    [TT_UNIT_REAL] = NULL};
    if (column->heading) {
        tt_text_str(text, column->heading);
    } else {
        tt_text_str(text, column->screen.group);
        tt_text_char(text, ' ');
        tt_text_str(text, column->screen.head);
    }
    bool has_unit = run->capture->clock_hz != 0 && !column->names_unit && units[column->unit];
    tt_text_str(text, has_unit ? units[column->unit] : "");
}

/* Appends a value; unknown: `unknown`. */
static void put_text(struct tt_text *text, const struct tt_table_run *run,
                     const struct tt_table_column *column, const void *row, const char *unknown)
{
    char buffer[TT_TABLE_CELL_BYTES];
    struct tt_table_cell cell = tt_table_cell_of(run, column, row, buffer, sizeof buffer);
    bool clock = run->capture->clock_hz != 0;
    uint64_t ticks;
    if (cell.kind == TT_CELL_NONE) {
        tt_text_str(text, unknown);
    } else if (tt_table_is_unexplained(run->table, column, row)) {
        tt_text_char(text, '-');
    } else if (column->unit == TT_UNIT_PROCESS_PID) {
        tt_line_id(text, run->capture, cell.process, cell.number);
    } else if (column->unit == TT_UNIT_AT) {
        memcpy(&ticks, (const char *)row + column->field, sizeof ticks);
        tt_line_time(text, run->capture, tt_relative_ticks(run->capture, ticks, run->first_ticks));
    } else if (tt_unit_is_time(column->unit)) {
        bool in_ms = clock && column->unit == TT_UNIT_TIME_MS;
        tt_text_decimal(text, in_ms ? cell.number / 1000 : cell.number, clock ? 3 : 0);
    } else if (cell.kind == TT_CELL_DECIMAL && !column->is_precise) {
        tt_text_decimal(text, cell.number / 100, cell.decimals - 2);
    } else {
        put_plain(text, column, &cell);
    }
}

void tt_print_cell(struct tt_text *text, const struct tt_table_run *run,
                   const struct tt_table_column *column, const void *row)
{
    put_text(text, run, column, row, "-");
}

static void put_padded(struct tt_text *text, const struct tt_text *cell, size_t width, bool left)
{
    size_t own = tt_text_columns(cell->buffer, cell->used);
    size_t pad = own < width ? width - own : 0;
    tt_text_fill(text, ' ', left ? 0 : pad);
    tt_text_bytes(text, cell->buffer, cell->used);
    tt_text_fill(text, ' ', left ? pad : 0);
}

/* Renders cell `i` of a line; `row` NULL: a heading. The first cell of the total is its name. */
static struct tt_text line_cell(const struct tt_print *print, size_t i, const void *row,
                                char *buffer)
{
    struct tt_text text = tt_text_of(buffer, TT_TABLE_CELL_BYTES);
    bool total = row && row == print->run->total;
    if (!row) {
        tt_print_heading(&text, print->run, print->columns[i]);
    } else if (total && i == 0) {
        tt_text_str(&text, "total");
    } else {
        put_text(&text, print->run, print->columns[i], row, total ? "" : "-");
        if (tt_unit_is_name(print->columns[i]->unit)) {
            tt_text_shorten(&text, 0, TT_NAME_COLUMNS);
        }
    }
    return text;
}

static void text_line(const struct tt_print *print, struct tt_text *text, const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    size_t start = text->used;
    for (size_t i = 0; i < print->count; i++) {
        struct tt_text cell = line_cell(print, i, row, buffer);
        tt_text_fill(text, ' ', i == 0 ? 0 : COLUMN_SPACE);
        put_padded(text, &cell, print->widths[i], tt_unit_is_name(print->columns[i]->unit));
    }
    while (text->used > start && text->buffer[text->used - 1] == ' ') {
        text->used--;
    }
    tt_text_char(text, '\n');
}

/* Appends a line per column: its heading and its value. */
static void upright_lines(const struct tt_print *print, struct tt_text *text, const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    size_t widths[2] = {0, 0};
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < print->count; i++) {
            for (size_t part = 0; part < 2; part++) {
                struct tt_text cell = line_cell(print, i, part == 0 ? NULL : row, buffer);
                size_t width = tt_text_columns(cell.buffer, cell.used);
                if (pass == 0) {
                    widths[part] = width > widths[part] ? width : widths[part];
                } else {
                    put_padded(text, &cell, widths[part], part == 0);
                    tt_text_str(text, part == 0 ? "  " : "\n");
                }
            }
        }
    }
}

/* ---- lines -------------------------------------------------------------------------------- */

void tt_print_begin(struct tt_print *print, const struct tt_table_run *run, enum tt_print_form form)
{
    *print = (struct tt_print){.run = run, .form = form};
    for (size_t i = 0; i < run->column_count && print->count < TT_PRINT_COLUMNS; i++) {
        const struct tt_table_column *column = &run->columns[i];
        if (tt_table_prints(run, column) && (form != TT_PRINT_TEXT || column->heading)) {
            print->columns[print->count++] = column;
        }
    }
    if (form == TT_PRINT_TEXT) {
        tt_print_widen(print, NULL);
    }
}

void tt_print_widen(struct tt_print *print, const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    for (size_t i = 0; i < print->count; i++) {
        struct tt_text cell = line_cell(print, i, row, buffer);
        size_t width = tt_text_columns(cell.buffer, cell.used);
        print->widths[i] = width > print->widths[i] ? width : print->widths[i];
    }
}

void tt_print_header(const struct tt_print *print, struct tt_text *text)
{
    if (print->form == TT_PRINT_TEXT) {
        text_line(print, text, NULL);
        return;
    }
    for (size_t i = 0; i < print->count; i++) {
        tt_text_str(text, i > 0 ? "," : "");
        tt_table_key(text, print->run, print->columns[i]);
    }
    tt_text_char(text, '\n');
}

void tt_print_row(const struct tt_print *print, struct tt_text *text, const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    bool json = print->form == TT_PRINT_JSON;
    if (print->form == TT_PRINT_TEXT) {
        if (print->run->table->is_upright) {
            upright_lines(print, text, row);
        } else {
            text_line(print, text, row);
        }
        return;
    }
    for (size_t i = 0; i < print->count; i++) {
        const struct tt_table_column *column = print->columns[i];
        struct tt_table_cell cell =
            tt_table_cell_of(print->run, column, row, buffer, sizeof buffer);
        if (json) {
            tt_text_str(text, i > 0 ? ",\"" : "{\"");
            tt_table_key(text, print->run, column);
            tt_text_str(text, "\":");
            put_json(text, column, &cell);
        } else {
            tt_text_str(text, i > 0 ? "," : "");
            put_csv(text, column, &cell);
        }
    }
    tt_text_str(text, json ? "}\n" : "\n");
}

void tt_print_total(const struct tt_print *print, struct tt_text *text)
{
    text_line(print, text, print->run->total);
}

void tt_print_pairs(struct tt_text *text, const struct tt_table_run *run, const void *row, char end)
{
    char buffer[TT_TABLE_CELL_BYTES];
    for (size_t i = 0; i < run->column_count; i++) {
        const struct tt_table_column *column = &run->columns[i];
        struct tt_table_cell cell = tt_table_cell_of(run, column, row, buffer, sizeof buffer);
        if (cell.kind != TT_CELL_NONE && tt_table_prints(run, column)) {
            tt_table_key(text, run, column);
            tt_text_char(text, '=');
            put_plain(text, column, &cell);
            tt_text_char(text, end);
        }
    }
}
