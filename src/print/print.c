/* SPDX-License-Identifier: Apache-2.0 */
#include "print/print.h"

#include <string.h>

#include "base/text_columns.h"
#include "base/text_units.h"
#include "print/record/fields.h"
#include "trace/line_parts.h"
#include "tracetui/event_line.h"
#include "tracetui/merge.h"

#define COLUMN_SPACE 2
#define KEY_BYTES    64

/* ---- values ------------------------------------------------------------------------------- */

/* Appends a value as in CSV; unknown: nothing. */
static void print_put_plain(struct tt_text *text, const struct tt_table_column *column,
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
        tt_text_str(text, cell->is_negative ? "-" : "");
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

/* Appends the value of the column `key` to a record. */
static void print_put_field(struct tt_fields *fields, const char *key,
                            const struct tt_table_column *column, const struct tt_table_cell *cell)
{
    switch (cell->kind) {
    case TT_CELL_NONE:
        tt_field_none(fields, key);
        break;
    case TT_CELL_NUMBER:
        if (column->unit == TT_UNIT_FLAG) {
            tt_field_flag(fields, key, cell->number);
        } else if (column->unit == TT_UNIT_HEX && fields->form == TT_FIELDS_CSV) {
            tt_field_key(fields, key);
            print_put_plain(fields->text, column, cell);
        } else {
            tt_field_u64(fields, key, cell->number);
        }
        break;
    case TT_CELL_SIGNED:
        tt_field_i64(fields, key, cell->signed_number);
        break;
    case TT_CELL_DECIMAL:
        if (tt_field_key(fields, key)) {
            print_put_plain(fields->text, column, cell);
        }
        break;
    case TT_CELL_REAL:
        tt_field_real(fields, key, cell->real);
        break;
    case TT_CELL_TEXT:
        tt_field_line(fields, key, cell->text.buffer, cell->text.used);
        break;
    }
}

/* ---- text --------------------------------------------------------------------------------- */

/* Returns whether a column has the unit that its largest value suits. */
static bool is_duration(const struct tt_print *print, const struct tt_table_column *column)
{
    return print->run->capture->clock_hz != 0 && tt_unit_is_time(column->unit) &&
           column->unit != TT_UNIT_AT;
}

void tt_print_heading(struct tt_text *text, const struct tt_print *print, size_t i)
{
    static const char *const units[] = {[TT_TIME_NS] = " ns",
                                        [TT_TIME_US] = TT_MICROSECONDS,
                                        [TT_TIME_MS] = " ms",
                                        [TT_TIME_S] = " s"};
    const struct tt_table_column *column = print->columns[i];
    if (column->heading) {
        tt_text_str(text, column->heading);
    } else {
        tt_text_str(text, column->screen.group);
        tt_text_char(text, ' ');
        tt_text_str(text, column->screen.head);
    }
    if (print->run->capture->clock_hz == 0 || column->names_unit) {
        return;
    }
    tt_text_str(text, is_duration(print, column)     ? units[print->units[i]]
                      : column->unit == TT_UNIT_AT   ? " s"
                      : column->unit == TT_UNIT_RATE ? " /s"
                                                     : "");
}

/* Appends a value; unknown: `unknown`. */
static void print_put_text(struct tt_text *text, const struct tt_print *print, size_t i,
                           const void *row, const char *unknown)
{
    char buffer[TT_TABLE_CELL_BYTES];
    const struct tt_table_run *run = print->run;
    const struct tt_table_column *column = print->columns[i];
    struct tt_table_cell cell = tt_table_cell_of(run, column, row, buffer, sizeof buffer);
    uint64_t ticks;
    if (cell.kind != TT_CELL_TEXT && cell.text.used > 0) {
        tt_text_bytes(text, cell.text.buffer, cell.text.used);
    } else if (cell.kind == TT_CELL_NONE) {
        tt_text_str(text, unknown);
    } else if (tt_table_is_unexplained(run->table, column, row)) {
        tt_text_char(text, '-');
    } else if (column->unit == TT_UNIT_PROCESS_PID) {
        tt_line_id(text, run->capture, cell.process, cell.number);
    } else if (column->unit == TT_UNIT_AT) {
        memcpy(&ticks, (const char *)row + column->field, sizeof ticks);
        tt_line_time(text, run->capture, tt_relative_ticks(run->capture, ticks, run->first_ticks));
    } else if (is_duration(print, column)) {
        tt_text_decimal(text, cell.number / (tt_time_unit_ns(print->units[i]) / 1000), 3);
    } else if (cell.kind == TT_CELL_DECIMAL && !column->is_precise) {
        tt_text_decimal(text, cell.number / 100, cell.decimals - 2);
    } else {
        print_put_plain(text, column, &cell);
    }
}

void tt_print_cell(struct tt_text *text, const struct tt_print *print, size_t i, const void *row)
{
    print_put_text(text, print, i, row, "-");
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
        tt_print_heading(&text, print, i);
    } else if (total && i == 0) {
        tt_text_str(&text, "total");
    } else {
        print_put_text(&text, print, i, row, total ? "" : "-");
        if (tt_unit_is_name(print->columns[i]->unit)) {
            tt_text_shorten(&text, 0, TT_NAME_COLUMNS);
        }
    }
    return text;
}

/* Widens a column so that the cell of a row fits; NULL: the heading. */
static void print_widen(struct tt_print *print, size_t i, const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    struct tt_text cell = line_cell(print, i, row, buffer);
    size_t width = tt_text_columns(cell.buffer, cell.used);
    print->widths[i] = width > print->widths[i] ? width : print->widths[i];
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

static bool is_same_group(const struct tt_table_column *left, const struct tt_table_column *right)
{
    return left->screen.group && right->screen.group && left->screen.group[0] != '\0' &&
           strcmp(left->screen.group, right->screen.group) == 0;
}

/* Gives the durations of a group the unit that suits the largest one. */
static void choose_units(struct tt_print *print)
{
    for (size_t i = 0; i < print->count; i++) {
        const struct tt_table_column *column = print->columns[i];
        uint64_t max = print->max[i];
        for (size_t j = 0; j < print->count; j++) {
            bool is_related =
                is_duration(print, print->columns[j]) && is_same_group(column, print->columns[j]);
            max = is_related && print->max[j] > max ? print->max[j] : max;
        }
        print->units[i] = (unsigned char)tt_time_unit_of(max, column->unit == TT_UNIT_TIME_MS);
    }
}

/* Sets the name of the capture that a row is of. */
static void print_put_capture(const struct tt_table_run *run, const struct tt_table_column *column,
                              const void *row, struct tt_table_cell *cell)
{
    (void)column;
    const int member = row == run->total ? -1 : tt_table_member(run, row);
    if (member >= 0) {
        tt_table_set_text(cell, run->capture->merge->members[member].capture->label);
    }
}

/* The first column of tables of sums of a merged capture. */
static const struct tt_table_column capture_column = {
    .key = "capture",
    .heading = "capture",
    .unit = TT_UNIT_NAME,
    .distribution = TT_TABLE_ALWAYS,
    .basis = TT_TABLE_ALWAYS,
    .doc = "Name of the capture.",
    .cell = print_put_capture,
};

void tt_print_begin(struct tt_print *print, const struct tt_table_run *run, enum tt_print_form form)
{
    *print = (struct tt_print){.run = run, .form = form};
    if (!run->table->next && !run->table->is_overall && tt_merge_headings(run->capture) > 0) {
        print->columns[print->count++] = &capture_column;
    }
    for (size_t i = 0; i < run->column_count && print->count < TT_PRINT_COLUMNS; i++) {
        const struct tt_table_column *column = &run->columns[i];
        if (tt_table_prints(run, column) &&
            (form == TT_PRINT_TEXT ? column->heading != NULL : !column->is_text)) {
            print->columns[print->count++] = column;
        }
    }
}

void tt_print_measure(struct tt_print *print, const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES];
    for (size_t i = 0; i < print->count; i++) {
        if (is_duration(print, print->columns[i])) {
            struct tt_table_cell cell =
                tt_table_cell_of(print->run, print->columns[i], row, buffer, sizeof buffer);
            bool is_largest = cell.kind != TT_CELL_NONE && cell.number > print->max[i];
            print->max[i] = is_largest ? cell.number : print->max[i];
        } else {
            print_widen(print, i, row);
        }
    }
}

void tt_print_settle(struct tt_print *print)
{
    if (print->form != TT_PRINT_TEXT) {
        return;
    }
    choose_units(print);
    for (size_t i = 0; i < print->count; i++) {
        print_widen(print, i, NULL);
        if (is_duration(print, print->columns[i])) {
            char buffer[32];
            struct tt_text widest = tt_text_of(buffer, sizeof buffer);
            tt_text_decimal(&widest, print->max[i] / (tt_time_unit_ns(print->units[i]) / 1000), 3);
            print->widths[i] = widest.used > print->widths[i] ? widest.used : print->widths[i];
        }
    }
}

/* Appends the cells of a row, or the header: `row` NULL. */
static void print_put_record(const struct tt_print *print, struct tt_text *text, const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES], key[KEY_BYTES];
    struct tt_fields fields = tt_fields_begin(text, !row ? TT_FIELDS_HEADER
                                                    : print->form == TT_PRINT_JSON ? TT_FIELDS_JSON
                                                                                   : TT_FIELDS_CSV);
    for (size_t i = 0; i < print->count; i++) {
        const struct tt_table_column *column = print->columns[i];
        struct tt_text name = tt_text_of(key, sizeof key);
        struct tt_table_cell cell = {.kind = TT_CELL_NONE};
        if (fields.form != TT_FIELDS_CSV) {
            tt_table_key(&name, print->run, column);
        }
        if (row) {
            cell = tt_table_cell_of(print->run, column, row, buffer, sizeof buffer);
        }
        print_put_field(&fields, tt_text_cstr(&name), column, &cell);
    }
    tt_fields_end(&fields);
}

void tt_print_header(const struct tt_print *print, struct tt_text *text)
{
    if (print->form == TT_PRINT_TEXT) {
        text_line(print, text, NULL);
    } else {
        print_put_record(print, text, NULL);
    }
}

void tt_print_row(const struct tt_print *print, struct tt_text *text, const void *row)
{
    if (print->form != TT_PRINT_TEXT) {
        print_put_record(print, text, row);
    } else if (print->run->table->is_upright) {
        upright_lines(print, text, row);
    } else {
        text_line(print, text, row);
    }
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
            print_put_plain(text, column, &cell);
            tt_text_char(text, end);
        }
    }
}
