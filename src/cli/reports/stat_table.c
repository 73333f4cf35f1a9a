/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/reports/stat_table.h"

#include <string.h>

#include "cli/options.h"
#include "tracetui/event_line.h"
#include "tracetui/json.h"
#include "tracetui/line_parts.h"
#include "tracetui/sheet.h"
#include "tracetui/stats.h"
#include "tracetui/time.h"

#define CELL_BYTES   1024u
#define COLUMNS_MOST 64u

/* ---- cells -------------------------------------------------------------------------------- */

enum form { FORM_TABLE, FORM_CSV, FORM_JSON };

static bool is_time(enum tt_report_unit unit)
{
    return unit == UNIT_TIME || unit == UNIT_MEAN || unit == UNIT_AT;
}

static bool is_text(enum tt_report_unit unit)
{
    return unit == UNIT_PROCESS || unit == UNIT_THREAD || unit == UNIT_TEXT;
}

static uint64_t u64_at(const void *row, size_t field)
{
    uint64_t value;
    memcpy(&value, (const char *)row + field, sizeof value);
    return value;
}

static uint32_t u32_at(const void *row, size_t field)
{
    uint32_t value;
    memcpy(&value, (const char *)row + field, sizeof value);
    return value;
}

/* Returns the number of a cell; false: the capture does not have it. */
static bool number_of(const struct tt_report *r, const struct tt_report_column *column,
                      const void *row, uint64_t *number)
{
    const struct tt_capture *c = r->capture;
    uint32_t at = u32_at(row, column->field);
    struct tt_distribution distribution;
    switch (column->unit) {
    case UNIT_PID:
        *number = at < tt_process_count(c) ? tt_process_at(c, at)->pid : 0;
        return at < tt_process_count(c);
    case UNIT_PID_OF:
        *number = 0;
        if (at >= tt_thread_count(c) || tt_thread_at(c, at)->process >= tt_process_count(c)) {
            return false;
        }
        *number = tt_process_at(c, tt_thread_at(c, at)->process)->pid;
        return true;
    case UNIT_TID:
        *number = at < tt_thread_count(c) ? tt_thread_at(c, at)->tid : 0;
        return at < tt_thread_count(c);
    case UNIT_MEAN:
        memcpy(&distribution, (const char *)row + column->field, sizeof distribution);
        *number = tt_line_ns(c, distribution.sum) / (distribution.count ? distribution.count : 1);
        return distribution.count > 0;
    case UNIT_TIME:
    case UNIT_AT:
        *number = tt_line_ns(c, u64_at(row, column->field));
        return column->basis == SIZE_MAX || u64_at(row, column->basis) > 0;
    case UNIT_RATE: /* thousandths */
        *number = 0;
        return c->clock_hz > 0 && r->window > 0 &&
               tt_mul_div(u64_at(row, column->field) * 1000, c->clock_hz, r->window, number);
    case UNIT_SHARE: /* millionths */
        *number = 0;
        return r->window > 0 && tt_mul_div(u64_at(row, column->field), 1000000, r->window, number);
    case UNIT_DEPTH: /* thousandths */
        *number = 0;
        return r->window > 0 && tt_mul_div(u64_at(row, column->field), 1000, r->window, number);
    default:
        *number = u64_at(row, column->field);
        return *number != UINT64_MAX;
    }
}

/* Appends a name, escaped; "-" and false: unknown. */
static bool put_name(struct tt_text *text, const struct tt_report *r,
                     const struct tt_report_column *column, const void *row)
{
    const struct tt_capture *c = r->capture;
    uint32_t at = column->unit != UNIT_TEXT ? u32_at(row, column->field) : 0;
    size_t length = 0;
    if (column->unit == UNIT_TEXT) {
        return r->text(text, r, column, row);
    }
    if (column->unit == UNIT_THREAD) {
        tt_line_thread(text, c, at);
        return at < tt_thread_count(c);
    }
    if (at >= tt_process_count(c)) {
        tt_text_char(text, '-');
        return false;
    }
    const char *name = tt_process_base_name(c, tt_process_at(c, at), &length);
    if (length > 0) {
        tt_text_escaped(text, name, length);
    } else {
        tt_text_u64(text, tt_process_at(c, at)->pid);
    }
    return true;
}

static void put_number(struct tt_text *text, const struct tt_report *r,
                       const struct tt_report_column *column, const void *row, enum form form)
{
    uint64_t number;
    if (!number_of(r, column, row, &number)) {
        tt_text_str(text, form == FORM_JSON ? "null" : form == FORM_TABLE ? "-" : "");
    } else if (column->unit == UNIT_SHARE) {
        tt_stat_decimal(text, form == FORM_TABLE ? number / 100 : number,
                        form == FORM_TABLE ? 2 : 4);
    } else if (column->unit == UNIT_DEPTH || column->unit == UNIT_RATE) {
        tt_stat_decimal(text, number, 3);
    } else if (form == FORM_TABLE && column->unit == UNIT_AT) {
        tt_line_time(text, r->capture,
                     tt_relative_ticks(r->capture, u64_at(row, column->field), r->first_ticks));
    } else if (form == FORM_TABLE && is_time(column->unit)) {
        tt_stat_decimal(text, number, r->capture->clock_hz ? 3 : 0); /* microseconds */
    } else if (form != FORM_JSON && column->unit == UNIT_HEX) {
        tt_text_str(text, "0x");
        tt_text_hex(text, number, 0);
    } else if (form == FORM_JSON) {
        tt_json_u64(text, number);
    } else {
        tt_text_u64(text, number);
    }
}

static void put_key(struct tt_text *text, const struct tt_report *r,
                    const struct tt_report_column *column)
{
    tt_text_str(text, column->key);
    if (is_time(column->unit)) {
        tt_text_str(text, r->capture->clock_hz ? "_ns" : "_ticks");
    }
}

/* Appends a cell; `row` NULL: its heading or key. */
static void put_cell(struct tt_text *text, const struct tt_report *r,
                     const struct tt_report_column *column, const void *row, enum form form)
{
    size_t start = text->used;
    if (!row && form == FORM_TABLE) {
        tt_text_str(text, column->heading);
        tt_text_str(text, is_time(column->unit) && column->unit != UNIT_AT && r->capture->clock_hz
                              ? " us"
                              : "");
    } else if (!row) {
        put_key(text, r, column);
    } else if (!is_text(column->unit)) {
        put_number(text, r, column, row, form);
    } else {
        bool known = put_name(text, r, column, row);
        if (form == FORM_CSV && known) {
            tt_csv_text_from(text, start);
        } else if (form == FORM_CSV) {
            text->used = start;
        }
    }
}

/* ---- lines -------------------------------------------------------------------------------- */

static bool is_shown(const struct tt_report *r, const struct tt_report_column *column,
                     enum form form)
{
    return (column->by & r->by) != 0 && (form != FORM_TABLE || column->heading);
}

static size_t width_of(const char *bytes, size_t length)
{
    size_t width = 0;
    for (size_t i = 0; i < length; i++) {
        width += ((unsigned char)bytes[i] & 0xc0) != 0x80;
    }
    return width;
}

static void json_line(struct tt_text *text, const struct tt_report *r, const void *row)
{
    bool first = true;
    char buffer[CELL_BYTES];
    for (size_t i = 0; i < r->column_count; i++) {
        if (!is_shown(r, &r->columns[i], FORM_JSON)) {
            continue;
        }
        struct tt_text cell = tt_text_of(buffer, sizeof buffer);
        tt_text_str(text, first ? "{\"" : ",\"");
        put_key(text, r, &r->columns[i]);
        tt_text_str(text, "\":");
        if (!is_text(r->columns[i].unit)) {
            put_cell(&cell, r, &r->columns[i], row, FORM_JSON);
            tt_text_bytes(text, cell.buffer, cell.used);
        } else if (put_name(&cell, r, &r->columns[i], row)) {
            tt_text_json(text, cell.buffer, cell.used);
        } else {
            tt_text_str(text, "null");
        }
        first = false;
    }
    tt_text_str(text, "}\n");
}

static void csv_line(struct tt_text *text, const struct tt_report *r, const void *row)
{
    bool first = true;
    for (size_t i = 0; i < r->column_count; i++) {
        if (is_shown(r, &r->columns[i], FORM_CSV)) {
            tt_text_str(text, first ? "" : ",");
            put_cell(text, r, &r->columns[i], row, FORM_CSV);
            first = false;
        }
    }
    tt_text_char(text, '\n');
}

static void table_line(struct tt_text *text, const struct tt_report *r, const size_t *widths,
                       const void *row)
{
    char buffer[CELL_BYTES];
    size_t start = text->used;
    bool first = true;
    for (size_t i = 0; i < r->column_count; i++) {
        if (!is_shown(r, &r->columns[i], FORM_TABLE)) {
            continue;
        }
        struct tt_text cell = tt_text_of(buffer, sizeof buffer);
        put_cell(&cell, r, &r->columns[i], row, FORM_TABLE);
        size_t own = width_of(cell.buffer, cell.used);
        size_t pad = own < widths[i] ? widths[i] - own : 0;
        bool left = is_text(r->columns[i].unit);
        tt_text_str(text, first ? "" : "  ");
        tt_text_fill(text, ' ', left ? 0 : pad);
        tt_text_bytes(text, cell.buffer, cell.used);
        tt_text_fill(text, ' ', left ? pad : 0);
        first = false;
    }
    while (text->used > start && text->buffer[text->used - 1] == ' ') {
        text->used--;
    }
    tt_text_char(text, '\n');
}

static void widen(const struct tt_report *r, size_t *widths, const void *row)
{
    char buffer[CELL_BYTES];
    for (size_t i = 0; i < r->column_count; i++) {
        if (is_shown(r, &r->columns[i], FORM_TABLE)) {
            struct tt_text cell = tt_text_of(buffer, sizeof buffer);
            put_cell(&cell, r, &r->columns[i], row, FORM_TABLE);
            size_t width = width_of(cell.buffer, cell.used);
            widths[i] = width > widths[i] ? width : widths[i];
        }
    }
}

static void print_line(const struct tt_report *r, const size_t *widths, const void *row,
                       enum form form, struct tt_output *out)
{
    struct tt_text text;
    do {
        text = tt_output_begin(out);
        if (form == FORM_JSON) {
            json_line(&text, r, row);
        } else if (form == FORM_CSV) {
            csv_line(&text, r, row);
        } else {
            table_line(&text, r, widths, row);
        }
    } while (!tt_output_end(out, &text));
}

static const void *row_at(const struct tt_report *r, size_t row)
{
    return (const char *)r->rows + row * r->row_size;
}

bool tt_report_has(const struct tt_report *r, const struct tt_report_column *column)
{
    return is_shown(r, column, FORM_TABLE);
}

bool tt_report_is_text(const struct tt_report_column *column)
{
    return is_text(column->unit);
}

void tt_report_put_cell(struct tt_text *text, const struct tt_report *r,
                        const struct tt_report_column *column, uint64_t row)
{
    put_cell(text, r, column, row < r->row_count ? row_at(r, (size_t)row) : NULL, FORM_TABLE);
}

void tt_report_print(const struct tt_report *r, int format, struct tt_output *out)
{
    enum form form = format == TT_OUTPUT_JSONL ? FORM_JSON
                     : format == TT_OUTPUT_CSV ? FORM_CSV
                                               : FORM_TABLE;
    size_t widths[COLUMNS_MOST] = {0};
    if (form == FORM_TABLE) {
        widen(r, widths, NULL);
        for (size_t i = 0; i < r->row_count; i++) {
            widen(r, widths, row_at(r, i));
        }
    }
    if (form != FORM_JSON) {
        print_line(r, widths, NULL, form, out);
    }
    for (size_t i = 0; i < r->row_count && tt_output_is_open(out); i++) {
        print_line(r, widths, row_at(r, i), form, out);
    }
}

struct tt_status tt_report_print_to(void *arg, const struct tt_report *r)
{
    const struct tt_report_print *print = arg;
    tt_report_print(r, print->format, print->out);
    return tt_ok();
}
