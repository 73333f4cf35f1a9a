/* SPDX-License-Identifier: Apache-2.0 */
/* A sheet as a table for people, as CSV, or as lines of JSON. */
#include <stdlib.h>
#include <string.h>

#include "cli/stats.h"
#include "cli/writers.h"
#include "tracetui/line.h"
#include "tracetui/time.h"

#define CELL_BYTES   16384 /* the longest name, every byte of it escaped */
#define SHARE_PARTS  1000000u
#define COLUMN_SPACE 2

enum cell_kind { CELL_NONE, CELL_NUMBER, CELL_SIGNED, CELL_DECIMAL, CELL_TEXT };

/* One value, ready to be written. */
struct cell {
    enum cell_kind kind;
    uint64_t number;
    int64_t signed_number;
    unsigned decimals; /* of CELL_DECIMAL: digits of `number` behind the point */
    struct tt_text text;
};

static bool is_time(enum tt_stat_unit unit)
{
    return unit == TT_STAT_TIME_MS || unit == TT_STAT_TIME_US || unit == TT_STAT_MEAN_US ||
           unit == TT_STAT_AT;
}

static bool is_name(enum tt_stat_unit unit)
{
    return unit == TT_STAT_PROCESS_NAME || unit == TT_STAT_LANE_NAME || unit == TT_STAT_TEXT;
}

/* ---- values ------------------------------------------------------------------------------- */

static void set_number(struct cell *cell, uint64_t number)
{
    cell->kind = CELL_NUMBER;
    cell->number = number;
}

/* A time in nanoseconds, or in ticks without a clock. */
static void set_time(const struct tt_stat_sheet *sheet, struct cell *cell, uint64_t ticks)
{
    int64_t ns;
    if (sheet->capture->clock_hz == 0) {
        set_number(cell, ticks);
    } else if (tt_ticks_to_ns(ticks, sheet->capture->clock_hz, &ns)) {
        set_number(cell, (uint64_t)ns);
    }
}

static void set_share(const struct tt_stat_sheet *sheet, struct cell *cell, uint64_t ticks)
{
    if (tt_mul_div(ticks, SHARE_PARTS, sheet->window, &cell->number)) {
        cell->kind = CELL_DECIMAL;
        cell->decimals = 4;
    }
}

/* Thousandths a second; a capture without a clock has no seconds. */
static void set_rate(const struct tt_stat_sheet *sheet, struct cell *cell, uint64_t count)
{
    uint64_t hz = sheet->capture->clock_hz;
    if (hz != 0 && hz <= UINT64_MAX / 1000 &&
        tt_mul_div(count, hz * 1000, sheet->window, &cell->number)) {
        cell->kind = CELL_DECIMAL;
        cell->decimals = 3;
    }
}

static void set_process(const struct tt_capture *c, enum tt_stat_unit unit, uint32_t process,
                        struct cell *cell)
{
    if (process >= tt_process_count(c)) {
        return;
    }
    const struct tt_process *p = tt_process_at(c, process);
    if (unit == TT_STAT_PROCESS_PID) {
        set_number(cell, p->pid);
        return;
    }
    tt_string name = atomic_load_explicit(&p->name, memory_order_acquire);
    size_t length;
    const char *text = tt_capture_text(c, name, &length);
    if (name != 0) {
        cell->kind = CELL_TEXT;
        tt_text_escaped(&cell->text, text, length);
    }
}

static void set_lane(const struct tt_capture *c, enum tt_stat_unit unit, uint32_t lane,
                     struct cell *cell)
{
    if (lane < tt_thread_count(c)) {
        const struct tt_thread *thread = tt_thread_at(c, lane);
        if (unit == TT_STAT_LANE_TID) {
            set_number(cell, thread->tid);
        } else if (unit == TT_STAT_LANE_PID) {
            set_process(c, TT_STAT_PROCESS_PID, thread->process, cell);
        } else {
            cell->kind = CELL_TEXT;
            tt_line_thread(&cell->text, c, lane);
        }
    } else if (unit == TT_STAT_LANE_NAME && lane == TT_OCCUPANT_IDLE) {
        cell->kind = CELL_TEXT;
        tt_text_str(&cell->text, "idle");
    }
}

static void set_value(const struct tt_stat_sheet *sheet, enum tt_stat_unit unit, const void *field,
                      struct cell *cell)
{
    const struct tt_distribution *d = field;
    switch (unit) {
    case TT_STAT_COUNT:
        set_number(cell, *(const uint64_t *)field);
        break;
    case TT_STAT_TIME_MS:
    case TT_STAT_TIME_US:
    case TT_STAT_AT:
        set_time(sheet, cell, *(const uint64_t *)field);
        break;
    case TT_STAT_MEAN_US:
        /* Twice rounded down is once rounded down: floor(floor(a / b) / c) = floor(a / bc). */
        set_time(sheet, cell, d->sum);
        cell->number /= d->count;
        break;
    case TT_STAT_SHARE:
        set_share(sheet, cell, *(const uint64_t *)field);
        break;
    case TT_STAT_RATE:
        set_rate(sheet, cell, *(const uint64_t *)field);
        break;
    case TT_STAT_TEXT:
        cell->kind = CELL_TEXT;
        tt_text_escaped(&cell->text, *(const char *const *)field,
                        strlen(*(const char *const *)field));
        break;
    case TT_STAT_NUMBER:
        cell->signed_number = *(const int32_t *)field;
        cell->kind = cell->signed_number == TT_NO_PRIORITY ? CELL_NONE : CELL_SIGNED;
        break;
    case TT_STAT_CPU:
        if (*(const uint16_t *)field != TT_NO_CPU) {
            set_number(cell, *(const uint16_t *)field);
        }
        break;
    case TT_STAT_PROCESS_PID:
    case TT_STAT_PROCESS_NAME:
        set_process(sheet->capture, unit, *(const uint32_t *)field, cell);
        break;
    case TT_STAT_LANE_PID:
    case TT_STAT_LANE_TID:
    case TT_STAT_LANE_NAME:
        set_lane(sheet->capture, unit, *(const uint32_t *)field, cell);
        break;
    }
}

static bool is_printed(const struct tt_stat_sheet *sheet, const struct tt_stat_column *column)
{
    return !column->of_tool || sheet->has_tool;
}

static bool is_in_table(const struct tt_stat_sheet *sheet, const struct tt_stat_column *column)
{
    return column->heading && is_printed(sheet, column);
}

static bool is_known(const struct tt_stat_column *column, const struct tt_stat_row *row)
{
    const char *base = (const char *)row;
    if (column->basis != TT_STAT_ALWAYS && *(const uint64_t *)(base + column->basis) == 0) {
        return false;
    }
    bool wide = column->unit == TT_STAT_COUNT || column->unit == TT_STAT_AT ||
                column->unit == TT_STAT_TIME_MS || column->unit == TT_STAT_TIME_US;
    return !wide || *(const uint64_t *)(base + column->field) != TT_STAT_NONE;
}

/* `buffer`: room of CELL_BYTES for a text. */
static struct cell cell_of(const struct tt_stat_sheet *sheet, const struct tt_stat_column *column,
                           const struct tt_stat_row *row, char *buffer)
{
    struct cell cell = {.kind = CELL_NONE, .text = tt_text_of(buffer, CELL_BYTES)};
    if (is_known(column, row)) {
        set_value(sheet, column->unit, (const char *)row + column->field, &cell);
    }
    return cell;
}

static void write_decimal(struct tt_text *text, uint64_t number, unsigned decimals)
{
    uint64_t parts = 1;
    for (unsigned i = 0; i < decimals; i++) {
        parts *= 10;
    }
    tt_text_u64(text, number / parts);
    if (decimals > 0) {
        tt_text_char(text, '.');
        tt_text_u64_width(text, number % parts, decimals, '0');
    }
}

static void write_key(struct tt_text *text, const struct tt_stat_sheet *sheet,
                      const struct tt_stat_column *column)
{
    tt_text_str(text, column->key);
    if (is_time(column->unit)) {
        tt_text_str(text, sheet->capture->clock_hz ? "_ns" : "_ticks");
    }
}

/* ---- CSV ---------------------------------------------------------------------------------- */

static void csv_header(struct tt_text *text, const struct tt_stat_sheet *sheet)
{
    for (size_t i = 0; i < sheet->column_count; i++) {
        if (is_printed(sheet, &sheet->columns[i])) {
            tt_text_str(text, i > 0 ? "," : "");
            write_key(text, sheet, &sheet->columns[i]);
        }
    }
    tt_text_char(text, '\n');
}

static void csv_row(struct tt_text *text, const struct tt_stat_sheet *sheet,
                    const struct tt_stat_row *row)
{
    char buffer[CELL_BYTES];
    for (size_t i = 0; i < sheet->column_count; i++) {
        if (!is_printed(sheet, &sheet->columns[i])) {
            continue;
        }
        struct cell cell = cell_of(sheet, &sheet->columns[i], row, buffer);
        tt_text_str(text, i > 0 ? "," : "");
        size_t start = text->used;
        switch (cell.kind) {
        case CELL_NONE:
            break;
        case CELL_NUMBER:
            tt_text_u64(text, cell.number);
            break;
        case CELL_SIGNED:
            tt_text_i64(text, cell.signed_number);
            break;
        case CELL_DECIMAL:
            write_decimal(text, cell.number, cell.decimals);
            break;
        case CELL_TEXT:
            tt_text_bytes(text, cell.text.buffer, cell.text.used);
            tt_csv_quote_from(text, start);
            break;
        }
    }
    tt_text_char(text, '\n');
}

/* ---- JSON --------------------------------------------------------------------------------- */

static void json_row(struct tt_text *text, const struct tt_stat_sheet *sheet,
                     const struct tt_stat_row *row)
{
    char buffer[CELL_BYTES];
    tt_text_char(text, '{');
    for (size_t i = 0; i < sheet->column_count; i++) {
        if (!is_printed(sheet, &sheet->columns[i])) {
            continue;
        }
        struct cell cell = cell_of(sheet, &sheet->columns[i], row, buffer);
        tt_text_str(text, i > 0 ? ",\"" : "\"");
        write_key(text, sheet, &sheet->columns[i]);
        tt_text_str(text, "\":");
        switch (cell.kind) {
        case CELL_NONE:
            tt_text_str(text, "null");
            break;
        case CELL_NUMBER:
            tt_json_u64(text, cell.number);
            break;
        case CELL_SIGNED:
            tt_json_i64(text, cell.signed_number);
            break;
        case CELL_DECIMAL:
            write_decimal(text, cell.number, cell.decimals);
            break;
        case CELL_TEXT:
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
    default:
        return "";
    }
}

static void table_time(struct tt_text *text, const struct tt_stat_sheet *sheet,
                       enum tt_stat_unit unit, const struct cell *cell)
{
    bool clock = sheet->capture->clock_hz != 0;
    bool in_ms = unit == TT_STAT_TIME_MS;
    write_decimal(text, clock && in_ms ? cell->number / 1000 : cell->number, clock ? 3 : 0);
}

static void table_cell(struct tt_text *text, const struct tt_stat_sheet *sheet,
                       const struct tt_stat_column *column, const struct tt_stat_row *row)
{
    char buffer[CELL_BYTES];
    struct cell cell = cell_of(sheet, column, row, buffer);
    if (cell.kind == CELL_NONE) {
        tt_text_str(text, row->is_total ? "" : "-");
    } else if (column->unit == TT_STAT_AT) {
        uint64_t ticks = *(const uint64_t *)((const char *)row + column->field);
        tt_line_time(text, sheet->capture,
                     tt_relative_ticks(sheet->capture, ticks, sheet->first_ticks));
    } else if (is_time(column->unit)) {
        table_time(text, sheet, column->unit, &cell);
    } else if (cell.kind == CELL_DECIMAL) {
        write_decimal(text, cell.number / 100, cell.decimals - 2);
    } else if (cell.kind == CELL_SIGNED) {
        tt_text_i64(text, cell.signed_number);
    } else if (cell.kind == CELL_NUMBER) {
        tt_text_u64(text, cell.number);
    } else {
        tt_text_bytes(text, cell.text.buffer, cell.text.used);
    }
}

/* Columns on a terminal, near enough for names: one a code point. */
static size_t width_of(const char *bytes, size_t length)
{
    size_t width = 0;
    for (size_t i = 0; i < length; i++) {
        width += ((unsigned char)bytes[i] & 0xc0) != 0x80;
    }
    return width;
}

static void table_padded(struct tt_text *text, const char *bytes, size_t length, size_t width,
                         bool left)
{
    size_t own = width_of(bytes, length);
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
    struct tt_text text = tt_text_of(buffer, CELL_BYTES);
    if (!row) {
        tt_text_str(&text, column->heading);
        tt_text_str(&text, unit_shown(sheet, column->unit));
    } else if (row->is_total && first) {
        tt_text_str(&text, "total");
    } else {
        table_cell(&text, sheet, column, row);
    }
    return text;
}

static void table_row(struct tt_text *text, const struct tt_stat_sheet *sheet, const size_t *widths,
                      const struct tt_stat_row *row)
{
    char buffer[CELL_BYTES];
    size_t start = text->used;
    bool first = true;
    for (size_t i = 0; i < sheet->column_count; i++) {
        const struct tt_stat_column *column = &sheet->columns[i];
        if (!is_in_table(sheet, column)) {
            continue;
        }
        struct tt_text cell = render_cell(sheet, column, row, first, buffer);
        tt_text_fill(text, ' ', first ? 0 : COLUMN_SPACE);
        table_padded(text, cell.buffer, cell.used, widths[i], is_name(column->unit));
        first = false;
    }
    while (text->used > start && text->buffer[text->used - 1] == ' ') {
        text->used--;
    }
    tt_text_char(text, '\n');
}

static void widen(const struct tt_stat_sheet *sheet, size_t *widths, const struct tt_stat_row *row)
{
    char buffer[CELL_BYTES];
    bool first = true;
    for (size_t i = 0; i < sheet->column_count; i++) {
        if (!is_in_table(sheet, &sheet->columns[i])) {
            continue;
        }
        struct tt_text cell = render_cell(sheet, &sheet->columns[i], row, first, buffer);
        size_t width = width_of(cell.buffer, cell.used);
        widths[i] = width > widths[i] ? width : widths[i];
        first = false;
    }
}

/* A line a column: what the total has. */
static void table_upright(struct tt_text *text, const struct tt_stat_sheet *sheet)
{
    char buffer[CELL_BYTES];
    size_t widths[2] = {0, 0};
    for (unsigned pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < sheet->column_count; i++) {
            const struct tt_stat_column *column = &sheet->columns[i];
            for (size_t part = 0; part < 2; part++) {
                const struct tt_stat_row *row = part == 0 ? NULL : &sheet->rows[0];
                struct tt_text cell = render_cell(sheet, column, row, false, buffer);
                size_t width = width_of(cell.buffer, cell.used);
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
            csv_row(&text, sheet, row);
        } else {
            csv_header(&text, sheet);
        }
    } while (!tt_output_end(out, &text));
}

struct tt_status tt_stat_sheet_print(const struct tt_stat_sheet *sheet, int format,
                                     struct tt_output *out)
{
    bool table = format == TT_OUTPUT_TEXT || format == TT_OUTPUT_TABLE;
    size_t *widths = calloc(sheet->column_count, sizeof *widths);
    if (!widths) {
        return tt_error_memory();
    }
    if (table) {
        widen(sheet, widths, NULL);
        for (size_t i = 0; i < sheet->count; i++) {
            widen(sheet, widths, &sheet->rows[i]);
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
    for (size_t i = 0; i < sheet->count && tt_output_wanted(out); i++) {
        print_row(sheet, format, widths, &sheet->rows[i], out);
    }
    if (table && sheet->has_total) {
        print_row(sheet, format, widths, &sheet->total, out);
    }
    free(widths);
    return tt_ok();
}
