/* SPDX-License-Identifier: Apache-2.0 */
/* sheet_cells: the values of a sheet, and its lines of CSV. */
#include <ctype.h>
#include <string.h>

#include "tracetui/event_line.h"
#include "tracetui/merge.h"
#include "tracetui/objects.h"
#include "tracetui/sheet.h"
#include "tracetui/time.h"

#define SHARE_PARTS 1000000u

/* ---- values ------------------------------------------------------------------------------- */

static void set_number(struct tt_stat_cell *cell, uint64_t number)
{
    cell->kind = TT_CELL_NUMBER;
    cell->number = number;
}

/* Sets a time in nanoseconds, or in ticks without a clock. */
static void set_time(const struct tt_stat_sheet *sheet, struct tt_stat_cell *cell, uint64_t ticks)
{
    int64_t ns;
    if (sheet->capture->clock_hz == 0) {
        set_number(cell, ticks);
    } else if (tt_ticks_to_ns(ticks, sheet->capture->clock_hz, &ns)) {
        set_number(cell, (uint64_t)ns);
    }
}

static void set_share(const struct tt_stat_sheet *sheet, struct tt_stat_cell *cell, uint64_t ticks)
{
    if (tt_mul_div(ticks, SHARE_PARTS, sheet->window, &cell->number)) {
        cell->kind = TT_CELL_DECIMAL;
        cell->decimals = 4;
    }
}

/* Sets a rate in thousandths per second; none without a clock. */
static void set_rate(const struct tt_stat_sheet *sheet, struct tt_stat_cell *cell, uint64_t count)
{
    uint64_t hz = sheet->capture->clock_hz;
    if (hz != 0 && hz <= UINT64_MAX / 1000 &&
        tt_mul_div(count, hz * 1000, sheet->window, &cell->number)) {
        cell->kind = TT_CELL_DECIMAL;
        cell->decimals = 3;
    }
}

static void set_process(const struct tt_capture *c, enum tt_stat_unit unit, uint32_t process,
                        struct tt_stat_cell *cell)
{
    if (process >= tt_process_count(c)) {
        return;
    }
    const struct tt_process *p = tt_process_at(c, process);
    if (unit == TT_STAT_PROCESS_PID) {
        set_number(cell, p->pid);
        return;
    }
    size_t length;
    const char *text = tt_process_base_name(c, p, &length);
    if (length > 0) {
        cell->kind = TT_CELL_TEXT;
        tt_text_escaped(&cell->text, text, length);
    }
}

static void set_lane(const struct tt_capture *c, enum tt_stat_unit unit, uint32_t lane,
                     struct tt_stat_cell *cell)
{
    if (lane < tt_thread_count(c)) {
        const struct tt_thread *thread = tt_thread_at(c, lane);
        if (unit == TT_STAT_LANE_TID) {
            set_number(cell, thread->tid);
        } else if (unit == TT_STAT_LANE_PID) {
            set_process(c, TT_STAT_PROCESS_PID, thread->process, cell);
        } else {
            cell->kind = TT_CELL_TEXT;
            tt_line_thread(&cell->text, c, lane);
        }
    } else if (unit == TT_STAT_LANE_NAME && lane == TT_OCCUPANT_IDLE) {
        cell->kind = TT_CELL_TEXT;
        tt_text_str(&cell->text, "idle");
    }
}

/* Sets the thread that a row is charged to, or the cause if it is no thread. */
static void set_charged(const struct tt_capture *c, const struct tt_stat_row *row,
                        struct tt_stat_cell *cell)
{
    set_lane(c, TT_STAT_LANE_NAME, row->to, cell);
    if (cell->kind == TT_CELL_NONE && row->b.by) {
        cell->kind = TT_CELL_TEXT;
        tt_text_str(&cell->text, row->b.by);
    }
}

/* Sets the name of an object, or its number if it has none. */
static void set_object(const struct tt_capture *c, const struct tt_stat_row *row,
                       struct tt_stat_cell *cell)
{
    const struct tt_object object = {.id = row->number,
                                     .process = row->process,
                                     .kind = (uint8_t)row->post,
                                     .system = (uint8_t)row->o.system};
    size_t length = 0;
    const char *name = tt_object_name(c, &object, &length);
    if (name && length > 0) {
        cell->kind = TT_CELL_TEXT;
        tt_text_escaped(&cell->text, name, length);
    } else if (row->number != TT_NO_OBJECT_ID) {
        cell->kind = TT_CELL_TEXT;
        tt_text_str(&cell->text, "0x");
        tt_text_hex(&cell->text, row->number, 1);
    }
}

/*
 * Sets the name of a client or server process without the UID and generation that Symbian appends:
 * "sensor.exe" of "sensor.exe[100041b2]0001".
 */
static void set_partner(const struct tt_capture *c, uint32_t process, struct tt_stat_cell *cell)
{
    enum { DIGITS = 8 };
    set_process(c, TT_STAT_PROCESS_NAME, process, cell);
    const char *name = cell->text.buffer;
    for (size_t i = 1; i + DIGITS + 1 < cell->text.used; i++) {
        size_t digits = 0;
        while (name[i] == '[' && digits < DIGITS && isxdigit((unsigned char)name[i + 1 + digits])) {
            digits++;
        }
        if (digits == DIGITS && name[i + 1 + DIGITS] == ']') {
            cell->text.used = i;
        }
    }
}

/* Sets the thread that received a message, or its process if the thread is unknown. */
static void set_receiver(const struct tt_capture *c, const struct tt_stat_row *row,
                         struct tt_stat_cell *cell)
{
    set_lane(c, TT_STAT_LANE_NAME, row->to, cell);
    if (cell->kind == TT_CELL_NONE) {
        set_partner(c, row->process, cell);
    }
}

/* Sets the thread that sent messages, or the client process if the rows are those of processes. */
static void set_sender(const struct tt_capture *c, const struct tt_stat_row *row,
                       struct tt_stat_cell *cell)
{
    set_lane(c, TT_STAT_LANE_NAME, row->thread, cell);
    if (cell->kind == TT_CELL_NONE) {
        set_partner(c, row->peer, cell);
    }
}

/* Sets the name of a queue, the number of a channel, or #CONNECTION if nothing else is known. */
static void set_queue(const struct tt_capture *c, const struct tt_stat_row *row,
                      struct tt_stat_cell *cell)
{
    const struct tt_object queue = {.id = row->number,
                                    .process = TT_NO_THREAD,
                                    .kind = TT_OBJECT_QUEUE,
                                    .system = (uint8_t)tt_merge_of_process(c, row->process)};
    size_t length = 0;
    const char *name = tt_object_name(c, &queue, &length);
    if (name && length > 0) {
        cell->kind = TT_CELL_TEXT;
        tt_text_escaped(&cell->text, name, length);
    } else if (row->channel != TT_STAT_NONE) {
        cell->kind = TT_CELL_TEXT;
        tt_text_u64(&cell->text, row->channel);
    } else if (row->number != TT_STAT_NONE) {
        cell->kind = TT_CELL_TEXT;
        tt_text_char(&cell->text, '#');
        tt_text_u64(&cell->text, row->number);
    }
}

/* Sets a mean over the window, in thousandths. */
static void set_depth(const struct tt_stat_sheet *sheet, struct tt_stat_cell *cell, uint64_t sum)
{
    if (tt_mul_div(sum, 1000, sheet->window, &cell->number)) {
        cell->kind = TT_CELL_DECIMAL;
        cell->decimals = 3;
    }
}

static void set_part(const struct tt_stat_row *row, struct tt_stat_cell *cell, uint64_t ticks)
{
    if (tt_mul_div(ticks, SHARE_PARTS, row->m.known, &cell->number)) {
        cell->kind = TT_CELL_DECIMAL;
        cell->decimals = 4;
    }
}

/* Sets the parts of the service in percent: "run 31 lock 64 irq 5". */
static void set_parts(const struct tt_stat_row *row, struct tt_stat_cell *cell)
{
    uint64_t percent;
    for (unsigned i = 0; i <= TT_CLASS_COUNT; i++) {
        uint64_t ticks = i < TT_CLASS_COUNT ? row->m.class_ticks[i] : row->m.irq;
        if (ticks > 0 && tt_mul_div(ticks, 100, row->m.known, &percent)) {
            tt_text_str(&cell->text, cell->kind == TT_CELL_TEXT ? " " : "");
            tt_text_str(&cell->text, i < TT_CLASS_COUNT ? tt_class_name((uint8_t)i) : "interrupts");
            tt_text_char(&cell->text, ' ');
            tt_text_u64(&cell->text, percent);
            cell->kind = TT_CELL_TEXT;
        }
    }
}

static void set_value(const struct tt_stat_sheet *sheet, enum tt_stat_unit unit, const void *field,
                      struct tt_stat_cell *cell)
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
        /*
         * Rounding down twice equals rounding down once: floor(floor(a / b) / c) = floor(a / bc).
         */
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
        cell->kind = TT_CELL_TEXT;
        tt_text_escaped(&cell->text, *(const char *const *)field,
                        strlen(*(const char *const *)field));
        break;
    case TT_STAT_NUMBER:
        cell->signed_number = *(const int32_t *)field;
        cell->kind = cell->signed_number == TT_NO_PRIORITY ? TT_CELL_NONE : TT_CELL_SIGNED;
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
    case TT_STAT_DEPTH:
        set_depth(sheet, cell, *(const uint64_t *)field);
        break;
    case TT_STAT_KIND:
        cell->kind = TT_CELL_TEXT;
        tt_text_str(&cell->text, tt_object_kind_name((unsigned)*(const uint64_t *)field));
        break;
    case TT_STAT_CHARGED:
    case TT_STAT_RECEIVER:
    case TT_STAT_SENDER:
    case TT_STAT_QUEUE:
    case TT_STAT_OBJECT:
    case TT_STAT_PART:
    case TT_STAT_PARTS:
        break; /* by tt_stat_cell_of: their value depends on the row */
    }
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

bool tt_stat_is_unknown(const struct tt_stat_column *column, const struct tt_stat_row *row)
{
    bool of_reason = strcmp(column->key, "voluntary") == 0 || strcmp(column->key, "preempted") == 0;
    return of_reason && row->n.sums.out_voluntary == 0 && row->n.sums.out_preempted == 0 &&
           row->n.sums.out_unknown > 0;
}

struct tt_stat_cell tt_stat_cell_of(const struct tt_stat_sheet *sheet,
                                    const struct tt_stat_column *column,
                                    const struct tt_stat_row *row, char *buffer, size_t size)
{
    struct tt_stat_cell cell = {.kind = TT_CELL_NONE, .text = tt_text_of(buffer, size)};
    if (column->unit == TT_STAT_CHARGED) {
        set_charged(sheet->capture, row, &cell);
    } else if (column->unit == TT_STAT_RECEIVER) {
        set_receiver(sheet->capture, row, &cell);
    } else if (column->unit == TT_STAT_SENDER) {
        set_sender(sheet->capture, row, &cell);
    } else if (column->unit == TT_STAT_QUEUE) {
        set_queue(sheet->capture, row, &cell);
    } else if (column->unit == TT_STAT_OBJECT) {
        set_object(sheet->capture, row, &cell);
    } else if (column->unit == TT_STAT_PART) {
        set_part(row, &cell, *(const uint64_t *)((const char *)row + column->field));
    } else if (column->unit == TT_STAT_PARTS) {
        set_parts(row, &cell);
    } else if (is_known(column, row)) {
        set_value(sheet, column->unit, (const char *)row + column->field, &cell);
    }
    return cell;
}

void tt_stat_decimal(struct tt_text *text, uint64_t number, unsigned decimals)
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

void tt_stat_key(struct tt_text *text, const struct tt_stat_sheet *sheet,
                 const struct tt_stat_column *column)
{
    tt_text_str(text, column->key);
    if (tt_stat_is_time(column->unit)) {
        tt_text_str(text, sheet->capture->clock_hz ? "_ns" : "_ticks");
    }
}

/* ---- CSV ---------------------------------------------------------------------------------- */

void tt_stat_csv_header(struct tt_text *text, const struct tt_stat_sheet *sheet)
{
    for (size_t i = 0; i < sheet->column_count; i++) {
        if (tt_stat_is_printed(sheet, &sheet->columns[i])) {
            tt_text_str(text, i > 0 ? "," : "");
            tt_stat_key(text, sheet, &sheet->columns[i]);
        }
    }
    tt_text_char(text, '\n');
}

static void put_cell(struct tt_text *text, const struct tt_stat_cell *cell)
{
    switch (cell->kind) {
    case TT_CELL_NONE:
        break;
    case TT_CELL_NUMBER:
        tt_text_u64(text, cell->number);
        break;
    case TT_CELL_SIGNED:
        tt_text_i64(text, cell->signed_number);
        break;
    case TT_CELL_DECIMAL:
        tt_stat_decimal(text, cell->number, cell->decimals);
        break;
    case TT_CELL_TEXT:
        tt_text_bytes(text, cell->text.buffer, cell->text.used);
        break;
    }
}

void tt_stat_csv_row(struct tt_text *text, const struct tt_stat_sheet *sheet,
                     const struct tt_stat_row *row)
{
    char buffer[TT_STAT_CELL_BYTES];
    for (size_t i = 0; i < sheet->column_count; i++) {
        if (!tt_stat_is_printed(sheet, &sheet->columns[i])) {
            continue;
        }
        struct tt_stat_cell cell =
            tt_stat_cell_of(sheet, &sheet->columns[i], row, buffer, sizeof buffer);
        tt_text_str(text, i > 0 ? "," : "");
        size_t start = text->used;
        put_cell(text, &cell);
        if (cell.kind == TT_CELL_TEXT) {
            tt_csv_text_from(text, start);
        }
    }
    tt_text_char(text, '\n');
}

void tt_stat_pairs(struct tt_text *text, const struct tt_stat_sheet *sheet,
                   const struct tt_stat_row *row)
{
    char buffer[TT_STAT_CELL_BYTES];
    for (size_t i = 0; i < sheet->column_count; i++) {
        const struct tt_stat_column *column = &sheet->columns[i];
        struct tt_stat_cell cell = tt_stat_cell_of(sheet, column, row, buffer, sizeof buffer);
        if (cell.kind == TT_CELL_NONE || !tt_stat_is_printed(sheet, column)) {
            continue;
        }
        tt_stat_key(text, sheet, column);
        tt_text_char(text, '=');
        put_cell(text, &cell);
        tt_text_char(text, '\n');
    }
}
