/* SPDX-License-Identifier: Apache-2.0 */
/* cells: the values of a row. */
#include <math.h>
#include <string.h>

#include "table/namesakes.h"
#include "tracetui/event_line.h"
#include "tracetui/merge.h"
#include "tracetui/slices.h"
#include "tracetui/table.h"
#include "tracetui/time.h"

#define SHARE_PARTS 1000000u

/* ---- setting values ----------------------------------------------------------------------- */

void tt_table_set_number(struct tt_table_cell *cell, uint64_t number)
{
    cell->kind = TT_CELL_NUMBER;
    cell->number = number;
}

void tt_table_set_text(struct tt_table_cell *cell, const char *text)
{
    cell->kind = TT_CELL_TEXT;
    tt_text_escaped(&cell->text, text, strlen(text));
}

static void table_set_time(const struct tt_table_run *run, struct tt_table_cell *cell,
                           uint64_t ticks)
{
    int64_t ns;
    if (run->capture->clock_hz == 0) {
        tt_table_set_number(cell, ticks);
    } else if (tt_ticks_to_ns(ticks, run->capture->clock_hz, &ns)) {
        tt_table_set_number(cell, (uint64_t)ns);
    }
}

void tt_table_set_part_time(const struct tt_table_run *run, struct tt_table_cell *cell,
                            uint64_t before, uint64_t ticks)
{
    int64_t from, to;
    uint64_t hz = run->capture->clock_hz;
    if (hz == 0) {
        tt_table_set_number(cell, ticks);
    } else if (tt_ticks_to_ns(before, hz, &from) && tt_ticks_to_ns(before + ticks, hz, &to)) {
        tt_table_set_number(cell, (uint64_t)(to - from));
    }
}

/* Sets number * scale / whole with decimal places; nothing if `whole` is 0. */
static void set_ratio(struct tt_table_cell *cell, uint64_t number, uint64_t scale, uint64_t whole,
                      unsigned decimals)
{
    if (tt_mul_div(number, scale, whole, &cell->number)) {
        cell->kind = TT_CELL_DECIMAL;
        cell->decimals = decimals;
    }
}

/* Sets `ticks` in percent of `whole`; nothing if that is 0. */
static void table_set_part(struct tt_table_cell *cell, uint64_t ticks, uint64_t whole)
{
    set_ratio(cell, ticks, SHARE_PARTS, whole, 4);
}

void tt_table_set_process(const struct tt_capture *capture, enum tt_unit unit, uint32_t process,
                          struct tt_table_cell *cell)
{
    if (process >= tt_process_count(capture)) {
        return;
    }
    const struct tt_process *p = tt_process_at(capture, process);
    cell->process = process;
    if (unit == TT_UNIT_PROCESS_PID) {
        tt_table_set_number(cell, p->pid);
        return;
    }
    size_t length;
    tt_process_base_name(capture, p, &length);
    if (p->pid != 0 || length > 0) {
        cell->kind = TT_CELL_TEXT;
        tt_line_process(&cell->text, capture, process);
    }
}

void tt_table_set_lane(const struct tt_capture *capture, enum tt_unit unit, uint32_t lane,
                       struct tt_table_cell *cell)
{
    if (lane < tt_thread_count(capture)) {
        const struct tt_thread *thread = tt_thread_at(capture, lane);
        if (unit == TT_UNIT_LANE_TID) {
            tt_table_set_number(cell, thread->tid);
        } else if (unit == TT_UNIT_LANE_PID) {
            tt_table_set_process(capture, TT_UNIT_PROCESS_PID, thread->process, cell);
        } else {
            cell->kind = TT_CELL_TEXT;
            tt_line_thread(&cell->text, capture, lane);
        }
        cell->thread = lane;
    } else if (unit == TT_UNIT_LANE_NAME && lane == TT_OCCUPANT_IDLE) {
        cell->kind = TT_CELL_TEXT;
        cell->thread = lane;
        tt_text_str(&cell->text, "idle");
    }
}

/* ---- values of units ---------------------------------------------------------------------- */

static uint64_t u64_at(const void *row, size_t offset)
{
    uint64_t value;
    memcpy(&value, (const char *)row + offset, sizeof value);
    return value;
}

static uint32_t u32_at(const void *row, size_t offset)
{
    uint32_t value;
    memcpy(&value, (const char *)row + offset, sizeof value);
    return value;
}

/* Sets the value of a member; it stays unknown if the member is TT_TABLE_NONE or its like. */
static void table_cells_set_value(const struct tt_table_run *run,
                                  const struct tt_table_column *column, const void *row,
                                  struct tt_table_cell *cell)
{
    const struct tt_capture *capture = run->capture;
    const char *text;
    uint16_t cpu;
    switch (column->unit) {
    case TT_UNIT_COUNT:
    case TT_UNIT_HEX:
    case TT_UNIT_FLAG:
    case TT_UNIT_EVENT_KEY:
    case TT_UNIT_BYTES:
    case TT_UNIT_HZ:
        tt_table_set_number(cell, u64_at(row, column->field));
        break;
    case TT_UNIT_ID:
        tt_table_set_number(cell, run->table->number(run));
        break;
    case TT_UNIT_KEY:
        if (u32_at(row, column->field) != UINT32_MAX) {
            tt_table_set_number(cell, u32_at(row, column->field));
        }
        break;
    case TT_UNIT_TIME_MS:
    case TT_UNIT_TIME_US:
    case TT_UNIT_AT:
        table_set_time(run, cell, u64_at(row, column->field));
        break;
    case TT_UNIT_MEAN_US:
        /*
         * Rounding down twice equals rounding down once: floor(floor(a / b) / c) = floor(a / bc).
         */
        table_set_time(run, cell,
                       u64_at(row, column->field + offsetof(struct tt_distribution, sum)));
        cell->number /= u64_at(row, column->field + offsetof(struct tt_distribution, count));
        break;
    case TT_UNIT_SHARE:
        table_set_part(cell, u64_at(row, column->field), run->window);
        break;
    case TT_UNIT_RATE:
        if (capture->clock_hz != 0 && capture->clock_hz <= UINT64_MAX / 1000) {
            set_ratio(cell, u64_at(row, column->field), capture->clock_hz * 1000, run->window, 3);
        }
        break;
    case TT_UNIT_DEPTH:
        set_ratio(cell, u64_at(row, column->field), 1000, run->window, 3);
        break;
    case TT_UNIT_TEXT:
        memcpy(&text, (const char *)row + column->field, sizeof text);
        if (text && text[0]) {
            tt_table_set_text(cell, text);
        }
        break;
    case TT_UNIT_NUMBER:
        cell->signed_number = (int32_t)u32_at(row, column->field);
        cell->kind = cell->signed_number == TT_NO_PRIORITY ? TT_CELL_NONE : TT_CELL_SIGNED;
        break;
    case TT_UNIT_CPU:
        memcpy(&cpu, (const char *)row + column->field, sizeof cpu);
        if (cpu != TT_NO_CPU) {
            tt_table_set_number(cell, cpu);
        }
        break;
    case TT_UNIT_PROCESS_PID:
    case TT_UNIT_PROCESS_NAME:
        tt_table_set_process(capture, column->unit, u32_at(row, column->field), cell);
        break;
    case TT_UNIT_LANE_PID:
    case TT_UNIT_LANE_TID:
    case TT_UNIT_LANE_NAME:
        tt_table_set_lane(capture, column->unit, u32_at(row, column->field), cell);
        break;
    case TT_UNIT_REAL:
        memcpy(&cell->real, (const char *)row + column->field, sizeof cell->real);
        cell->kind = isnan(cell->real) ? TT_CELL_NONE : TT_CELL_REAL;
        break;
    case TT_UNIT_PART:
        table_set_part(cell, u64_at(row, column->field), u64_at(row, column->basis));
        break;
    case TT_UNIT_NAME:
    case TT_UNIT_PARTS:
        break; /* by the column's own function */
    }
}

static bool table_cells_is_known(const struct tt_table_column *column, const void *row)
{
    if (column->basis != TT_TABLE_ALWAYS && u64_at(row, column->basis) == 0) {
        return false;
    }
    bool wide = column->unit == TT_UNIT_COUNT || column->unit == TT_UNIT_HEX ||
                column->unit == TT_UNIT_AT || column->unit == TT_UNIT_TIME_MS ||
                column->unit == TT_UNIT_TIME_US || column->unit == TT_UNIT_FLAG ||
                column->unit == TT_UNIT_EVENT_KEY || column->unit == TT_UNIT_HZ;
    return !wide || u64_at(row, column->field) != TT_TABLE_NONE;
}

uint64_t tt_table_ticks_of(const struct tt_table_run *run, const struct tt_table_column *column,
                           const void *row)
{
    (void)run;
    if (!table_cells_is_known(column, row)) {
        return TT_TABLE_NONE;
    }
    if (column->unit != TT_UNIT_MEAN_US) {
        return u64_at(row, column->field);
    }
    return u64_at(row, column->field + offsetof(struct tt_distribution, sum)) /
           u64_at(row, column->field + offsetof(struct tt_distribution, count));
}

struct tt_table_cell tt_table_cell_of(const struct tt_table_run *run,
                                      const struct tt_table_column *column, const void *row,
                                      char *buffer, size_t size)
{
    struct tt_table_cell cell = {.kind = TT_CELL_NONE,
                                 .thread = TT_NO_THREAD,
                                 .process = TT_NO_THREAD,
                                 .text = tt_text_of(buffer, size)};
    if (column->cell) {
        column->cell(run, column, row, &cell);
    } else if (table_cells_is_known(column, row)) {
        table_cells_set_value(run, column, row, &cell);
    }
    if (run->request.short_names && cell.kind == TT_CELL_TEXT) {
        tt_namesakes_tell_apart(run, &cell);
    }
    return cell;
}

bool tt_table_is_unexplained(const struct tt_table *table, const struct tt_table_column *column,
                             const void *row)
{
    if (!column->of_reason) {
        return false;
    }
    const struct tt_thread_sums *sums = (const void *)((const char *)row + table->sums);
    return sums->out_voluntary == 0 && sums->out_preempted == 0 && sums->out_unknown > 0;
}

/* ---- columns and names of rows ------------------------------------------------------------- */

bool tt_table_has(const struct tt_table_run *run, const struct tt_table_column *column)
{
    return (!column->of_tool || run->has_tool) && (!column->of_clients || run->has_clients) &&
           (!column->of_guests || (run->timelines && tt_guests_any(run->timelines))) &&
           (!column->of_threads || tt_merge_any_lacks_processes(run->capture));
}

bool tt_table_prints(const struct tt_table_run *run, const struct tt_table_column *column)
{
    return tt_table_has(run, column) && !column->is_screen && !column->is_sql;
}

void tt_table_key(struct tt_text *text, const struct tt_table_run *run,
                  const struct tt_table_column *column)
{
    tt_text_str(text, column->key);
    if (tt_unit_is_time(column->unit)) {
        tt_text_str(text, run->capture->clock_hz ? "_ns" : "_ticks");
    }
}

bool tt_column_is_measure(const struct tt_table_column *column)
{
    static const bool has_amounts[] = {
        [TT_UNIT_COUNT] = true,   [TT_UNIT_TIME_MS] = true, [TT_UNIT_TIME_US] = true,
        [TT_UNIT_MEAN_US] = true, [TT_UNIT_SHARE] = true,   [TT_UNIT_RATE] = true,
        [TT_UNIT_DEPTH] = true,   [TT_UNIT_NUMBER] = true,  [TT_UNIT_PART] = true,
        [TT_UNIT_PARTS] = false,  [TT_UNIT_FLAG] = false,   [TT_UNIT_ID] = false,
        [TT_UNIT_KEY] = false,    [TT_UNIT_REAL] = false};
    return has_amounts[column->unit] && !column->is_identity;
}

bool tt_table_is_idle(const struct tt_table *table, const void *row)
{
    return table->idle != 0 && u64_at(row, table->idle) == 1;
}

bool tt_table_is_settled(const struct tt_table *table, const void *row)
{
    return table->settled == 0 || *((const char *)row + table->settled) != 0;
}

/* Returns the column in the brackets at `at`, and the end of the brackets in *end. */
static const struct tt_table_column *bracket_column(const struct tt_table *table, const char *at,
                                                    const char **end, bool *optional)
{
    char key[32];
    size_t length = strcspn(at + 1, "?]");
    struct tt_text text = tt_text_of(key, sizeof key);
    tt_text_bytes(&text, at + 1, length);
    *optional = at[1 + length] == '?';
    *end = strchr(at, ']') + 1;
    return tt_table_column_of(table, tt_text_cstr(&text));
}

const struct tt_table_column *tt_table_name_column(const struct tt_table *table, unsigned index)
{
    const char *at = table->row_name;
    bool optional;
    while ((at = strchr(at, '[')) != NULL) {
        const struct tt_table_column *column = bracket_column(table, at, &at, &optional);
        if (!optional && index-- == 0) {
            return column;
        }
    }
    return NULL;
}

void tt_table_put_cell(struct tt_text *text, const struct tt_table_cell *cell)
{
    if (cell->kind == TT_CELL_TEXT && cell->text.used > 0) {
        tt_text_bytes(text, cell->text.buffer, cell->text.used);
    } else if (cell->kind == TT_CELL_NUMBER) {
        tt_text_u64(text, cell->number);
    } else {
        tt_text_char(text, '-');
    }
}

/* Appends the text of a pattern like that of the table's row_name. */
static void put_pattern(struct tt_text *text, const struct tt_table_run *run, const char *at,
                        const void *row)
{
    char buffer[TT_TABLE_CELL_BYTES], last[256] = "";
    size_t first = text->used;
    while (*at) {
        size_t begin = text->used; /* of this part */
        bool optional, keeps = true;
        for (; *at && *at != '|';) {
            if (*at != '[') {
                if (*at != ' ' || text->used > first) {
                    tt_text_char(text, *at);
                }
                at++;
                continue;
            }
            const struct tt_table_column *column = bracket_column(run->table, at, &at, &optional);
            struct tt_table_cell cell = tt_table_cell_of(run, column, row, buffer, sizeof buffer);
            size_t start = text->used;
            tt_table_put_cell(text, &cell);
            char own[256];
            struct tt_text copy = tt_text_of(own, sizeof own);
            tt_text_bytes(&copy, text->buffer + start, text->used - start);
            const bool again = strcmp(tt_text_cstr(&copy), last) == 0;
            keeps = keeps && !(optional && (cell.kind == TT_CELL_NONE || again ||
                                            (cell.kind == TT_CELL_TEXT && cell.text.used == 0)));
            memcpy(last, own, sizeof last);
        }
        text->used = keeps ? text->used : begin;
        at += *at == '|';
    }
}

void tt_table_row_name(struct tt_text *text, const struct tt_table_run *run, const void *row)
{
    put_pattern(text, run, run->table->row_name, row);
}

void tt_table_row_title(struct tt_text *text, const struct tt_table_run *run, const void *row)
{
    const struct tt_table *table = run->table;
    put_pattern(text, run, table->row_title ? table->row_title : table->row_name, row);
}

/* ---- values by meaning -------------------------------------------------------------------- */

int tt_table_member(const struct tt_table_run *run, const void *row)
{
    const struct tt_capture *capture = run->capture;
    const struct tt_subject *of = row;
    if (run->table->is_overall || tt_merge_headings(capture) == 0) {
        return -1;
    }
    if (run->table->next) {
        return run->table->member ? run->table->member(run, row) : -1;
    }
    const uint32_t threads[] = {of->thread, of->from, of->to};
    const uint32_t processes[] = {of->process, of->peer};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        if (threads[i] < tt_thread_count(capture)) {
            return (int)tt_merge_of_thread(capture, threads[i]);
        }
    }
    for (size_t i = 0; i < sizeof processes / sizeof *processes; i++) {
        if (processes[i] < tt_process_count(capture)) {
            return (int)tt_merge_of_process(capture, processes[i]);
        }
    }
    return (int)(of->cpu != TT_NO_CPU ? tt_merge_of_cpu(capture, of->cpu) : of->system);
}

bool tt_subject_is(const struct tt_subject *left, const struct tt_subject *right)
{
    bool same_name = left->name == right->name ||
                     (left->name && right->name && strcmp(left->name, right->name) == 0);
    return same_name && left->thread == right->thread && left->process == right->process &&
           left->from == right->from && left->to == right->to && left->peer == right->peer &&
           left->cpu == right->cpu && left->kind == right->kind && left->number == right->number &&
           left->channel == right->channel && left->at == right->at &&
           left->class_id == right->class_id && left->system == right->system;
}

uint64_t tt_table_number(const struct tt_table *table, const void *row, const char *key)
{
    const struct tt_table_column *column = tt_table_column_of(table, key);
    return column && table_cells_is_known(column, row) ? u64_at(row, column->field) : TT_TABLE_NONE;
}

const struct tt_distribution *tt_table_distribution(const struct tt_table *table, const void *row,
                                                    enum tt_samples_of samples)
{
    for (size_t i = 0; i < table->column_count && tt_table_is_settled(table, row); i++) {
        const struct tt_table_column *column = &table->columns[i];
        if (column->samples == samples && column->distribution != TT_TABLE_ALWAYS) {
            const void *its = (const char *)row + column->distribution;
            return ((const struct tt_distribution *)its)->count > 0 ? its : NULL;
        }
    }
    return NULL;
}

const uint64_t *tt_table_classes(const struct tt_table *table, const void *row)
{
    return table->classes ? (const void *)((const char *)row + table->classes) : NULL;
}

/* ---- places ------------------------------------------------------------------------------- */

const struct tt_table_column *tt_table_longest(const struct tt_table_run *run,
                                               const struct tt_table_column *column,
                                               const void *row)
{
    struct tt_table_place place;
    if (column->distribution != TT_TABLE_ALWAYS || tt_table_place_of(run, column, row, &place)) {
        return column;
    }
    for (unsigned i = 0; i < 2 && run->table->longest[i]; i++) {
        const struct tt_table_column *other =
            tt_table_column_of(run->table, run->table->longest[i]);
        if (tt_table_place_of(run, other, row, &place)) {
            return other;
        }
    }
    return NULL;
}

bool tt_table_place_of(const struct tt_table_run *run, const struct tt_table_column *column,
                       const void *row, struct tt_table_place *place)
{
    *place = (struct tt_table_place){.thread = TT_NO_THREAD, .other = TT_NO_THREAD};
    if (run->table->place && run->table->place(run, column, row, place)) {
        return true;
    }
    *place = (struct tt_table_place){.thread = TT_NO_THREAD, .other = TT_NO_THREAD};
    if (column->distribution == TT_TABLE_ALWAYS || !tt_table_is_settled(run->table, row) ||
        u64_at(row, column->distribution + offsetof(struct tt_distribution, count)) == 0) {
        return false;
    }
    place->at = u64_at(row, column->distribution + offsetof(struct tt_distribution, max_at));
    place->length = u64_at(row, column->distribution + offsetof(struct tt_distribution, max));
    return true;
}
