/* SPDX-License-Identifier: Apache-2.0 */
#include "sql/sums.h"

#include <string.h>

#include "sql/tables.h"
#include "table/raw/raw_rows.h"
#include "table/registry.h"
#include "tracetui/jobs.h"
#include "tracetui/timeline.h"

_Static_assert(sizeof(struct tt_table_row) >= sizeof(struct tt_message_row) &&
                   sizeof(struct tt_table_row) >= sizeof(struct tt_job_row),
               "raw rows have room");

#define WORK 20000u /* intervals between two looks at the clock */

/* ---- columns ------------------------------------------------------------------------------ */

/* The part of a column of the table that a column of SQL has. */
enum part { PART_VALUE, PART_TICKS, PART_THREAD, PART_PROCESS };

struct place {
    const struct tt_table_column *column;
    enum part part;
};

/* The columns behind those of the table. */
enum last { LAST_FROM, LAST_TO, LAST_CAPTURE, LAST_COUNT };

/* Returns the parts of a column in SQL, and their number. Raw rows have keys as columns of their own. */
static unsigned parts_of(const struct tt_table *table, const struct tt_table_column *column,
                         enum part parts[2])
{
    bool lane = column->unit == TT_UNIT_LANE_NAME && !table->next;
    bool process = column->unit == TT_UNIT_PROCESS_NAME && !table->next;
    bool time = tt_unit_is_time(column->unit);
    parts[0] = PART_VALUE;
    parts[1] = time ? PART_TICKS : lane ? PART_THREAD : PART_PROCESS;
    return column->is_screen || column->is_file ? 0 : time || lane || process ? 2 : 1;
}

/* Sets the places of the columns of a table; returns their number. */
static unsigned places_of(const struct tt_table *table, struct place *places, unsigned room)
{
    unsigned count = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        enum part parts[2];
        unsigned parts_count = parts_of(table, &table->columns[i], parts);
        for (unsigned part = 0; part < parts_count && count < room; part++) {
            places[count++] = (struct place){&table->columns[i], parts[part]};
        }
    }
    return count;
}

/* Returns the kind of SQL of a value. */
static enum sql_kind kind_of(enum tt_unit unit)
{
    switch (unit) {
    case TT_UNIT_TIME_MS:
    case TT_UNIT_TIME_US:
    case TT_UNIT_MEAN_US:
    case TT_UNIT_AT:
        return SQL_NS;
    case TT_UNIT_SHARE:
    case TT_UNIT_PART:
        return SQL_PERCENT;
    case TT_UNIT_RATE:
    case TT_UNIT_DEPTH:
        return SQL_DECIMAL;
    case TT_UNIT_FLAG:
        return SQL_FLAG;
    case TT_UNIT_ID:
    case TT_UNIT_KEY:
        return SQL_KEY;
    case TT_UNIT_TEXT:
    case TT_UNIT_NAME:
    case TT_UNIT_PARTS:
    case TT_UNIT_PROCESS_NAME:
    case TT_UNIT_LANE_NAME:
        return SQL_TEXT;
    default:
        return SQL_NUMBER;
    }
}

static enum sql_bound bound_of(const struct place *place)
{
    static const enum sql_bound bounds[] = {
        [TT_BOUND_NONE] = SQL_UNBOUND,     [TT_BOUND_TIME] = SQL_BY_NS,
        [TT_BOUND_THREAD] = SQL_BY_THREAD, [TT_BOUND_PID] = SQL_BY_PID,
        [TT_BOUND_TID] = SQL_BY_TID,       [TT_BOUND_CPU] = SQL_BY_CPU};
    bool ticks = place->column->bound == TT_BOUND_TIME && place->part == PART_TICKS;
    return ticks ? SQL_BY_TICKS : bounds[place->column->bound];
}

static void set_name(char *name, const char *key, const char *end)
{
    struct tt_text text = tt_text_of(name, SQL_NAME_BYTES);
    tt_text_str(&text, key);
    tt_text_str(&text, end);
    tt_text_cstr(&text);
}

bool sql_sum_column(const struct sql_table *table, unsigned index, struct sql_column *column,
                    char *name)
{
    static const char *const ends[] = {
        [PART_TICKS] = "_ticks", [PART_THREAD] = "_utid", [PART_PROCESS] = "_upid"};
    static const struct sql_column last[LAST_COUNT] = {
        [LAST_FROM] = {"range_from_ticks", SQL_TICKS, SQL_BY_FROM, "argument: begin of the range"},
        [LAST_TO] = {"range_to_ticks", SQL_TICKS, SQL_BY_TO, "argument: end of the range"},
        [LAST_CAPTURE] = {"capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture"}};
    struct place places[SQL_SUM_COLUMNS];
    unsigned count = places_of(table->table, places, SQL_SUM_COLUMNS);
    if (index >= count) {
        unsigned after = index - count + (table->table->next ? LAST_CAPTURE : LAST_FROM);
        bool is = after < LAST_COUNT;
        if (is) {
            *column = last[after];
            set_name(name, column->name, "");
            column->name = name;
        }
        return is;
    }
    const struct place *place = &places[index];
    bool time = tt_unit_is_time(place->column->unit);
    set_name(name, place->column->sql ? place->column->sql : place->column->key,
             place->part != PART_VALUE ? ends[place->part]
             : time                    ? "_ns"
                                       : "");
    *column = (struct sql_column){name,
                                  place->part == PART_VALUE   ? kind_of(place->column->unit)
                                  : place->part == PART_TICKS ? SQL_TICKS
                                                              : SQL_KEY,
                                  bound_of(place), place->column->doc};
    return true;
}

/* ---- rows --------------------------------------------------------------------------------- */

struct sums {
    struct tt_table_run run;
    struct tt_table_row row;
    size_t next;
    bool begun;
    struct tt_key_range keys;
    struct tt_table_bounds bounds; /* of raw rows */
    bool is_complete;              /* the costly members of the row are set */
    unsigned place_count;
    struct place places[SQL_SUM_COLUMNS];
};

static bool begin_sums(struct sql_scan *scan)
{
    struct sums *s = scan->state;
    struct tt_table_request request = {
        .table = scan->table->table,
        .trace = scan->c->trace,
        .events = sql_events(scan->c),
        .row_limit = scan->table->table->by == TT_STATS_BY_MESSAGE ? SQL_SINGLE_MOST : 0,
        .in_order = true,
        .with_clients = true};
    struct tt_status status = tt_job_ends_parse(scan->c->capture->format, NULL, &request.job_ends);
    s->keys = (struct tt_key_range){.from_ticks = scan->bounds.sums_from,
                                    .to_ticks = scan->bounds.sums_to};
    s->place_count = places_of(scan->table->table, s->places, SQL_SUM_COLUMNS);
    if (!request.events || tt_failed(&status)) {
        return sql_fail(scan, request.events ? status : tt_error_memory());
    }
    tt_table_request_range(&request, &s->keys);
    status = tt_table_begin(&s->run, &request);
    s->begun = true;
    while (!tt_failed(&status) && !s->run.complete && sql_check(scan)) {
        status = tt_table_step(&s->run, WORK);
    }
    return tt_failed(&status) ? sql_fail(scan, status) : s->run.complete;
}

static bool next_sum(struct sql_scan *scan)
{
    struct sums *s = scan->state;
    if (!s->begun || !s->run.complete || s->next >= s->run.count) {
        return false;
    }
    tt_table_row_at(&s->run, s->next++, &s->row);
    return true;
}

static uint64_t sum_row(struct sql_scan *scan)
{
    const struct sums *s = scan->state;
    return s->next - 1;
}

/* ---- raw rows ----------------------------------------------------------------------------- */

static uint32_t next_thread(void *scan, uint32_t thread)
{
    return sql_next_thread(scan, thread);
}

static bool is_stopped(void *scan)
{
    return !sql_check(scan);
}

static bool begin_raw(struct sql_scan *scan)
{
    struct sums *s = scan->state;
    s->bounds = (struct tt_table_bounds){scan->bounds.from, scan->bounds.last, next_thread,
                                         is_stopped, scan};
    struct tt_table_request request = {.table = scan->table->table,
                                       .trace = scan->c->trace,
                                       .keys.to_ticks = UINT64_MAX,
                                       .window.to = UINT64_MAX,
                                       .bounds = &s->bounds,
                                       .without_ready_by = true};
    s->place_count = places_of(scan->table->table, s->places, SQL_SUM_COLUMNS);
    struct tt_status status = tt_table_begin(&s->run, &request);
    s->begun = true;
    return !tt_failed(&status) || sql_fail(scan, status);
}

static bool next_raw(struct sql_scan *scan)
{
    struct sums *s = scan->state;
    struct tt_status status = tt_ok();
    s->is_complete = false;
    bool more = tt_table_next(&s->run, &s->row, &status);
    return tt_failed(&status) ? sql_fail(scan, status) : more;
}

static uint64_t raw_row(struct sql_scan *scan)
{
    const struct sums *s = scan->state;
    return s->run.table->number(&s->run);
}

/* ---- values ------------------------------------------------------------------------------- */

static void put_cell(struct sql_scan *scan, const struct place *place, struct sql_value *v)
{
    struct sums *s = scan->state;
    char buffer[TT_TABLE_CELL_BYTES];
    struct tt_table_cell cell =
        tt_table_cell_of(&s->run, place->column, &s->row, buffer, sizeof buffer);
    double power = 1;
    if (place->part == PART_THREAD) {
        sql_put_key(scan, v, cell.thread < TT_OCCUPANT_IDLE ? cell.thread : UINT32_MAX);
        return;
    }
    if (place->part == PART_PROCESS) {
        sql_put_key(scan, v, cell.process);
        return;
    }
    switch (cell.kind) {
    case TT_CELL_NONE:
        break;
    case TT_CELL_NUMBER:
        sql_put_u64(v, kind_of(place->column->unit) == SQL_KEY ? sql_key(scan->c, cell.number)
                                                               : cell.number);
        break;
    case TT_CELL_SIGNED:
        sql_put_i64(v, cell.signed_number);
        break;
    case TT_CELL_DECIMAL:
        for (unsigned i = 0; i < cell.decimals; i++) {
            power *= 10;
        }
        sql_put_real(v, (double)cell.number / power);
        break;
    case TT_CELL_TEXT:
        sql_put_text(scan, v, cell.text.buffer, cell.text.used);
        break;
    }
}

static void sum_value(struct sql_scan *scan, unsigned index, struct sql_value *v)
{
    struct sums *s = scan->state;
    if (index < s->place_count) {
        const struct place *place = &s->places[index];
        bool time = tt_unit_is_time(place->column->unit);
        if (place->column->is_costly && !s->is_complete) {
            tt_table_complete(&s->run, &s->row);
            s->is_complete = true;
        }
        if (place->part == PART_TICKS) {
            uint64_t ticks = tt_table_ticks_of(&s->run, place->column, &s->row);
            if (ticks != TT_TABLE_NONE) {
                sql_put_u64(v, ticks);
            }
        } else if (!time || scan->c->capture->clock_hz != 0) {
            put_cell(scan, place, v);
        }
    } else if (s->run.table->next) {
        sql_put_capture(scan, v);
    } else if (index == s->place_count + LAST_FROM) {
        sql_put_u64(v, s->keys.from_ticks);
    } else if (index == s->place_count + LAST_TO) {
        if (s->keys.to_ticks != UINT64_MAX) {
            sql_put_u64(v, s->keys.to_ticks);
        }
    } else {
        sql_put_capture(scan, v);
    }
}

static void end_sums(struct sql_scan *scan)
{
    struct sums *s = scan->state;
    if (s->begun) {
        tt_table_free(&s->run);
    }
}

const struct sql_table sql_sum_tables[] = {
#define X(constant, word)                                                                          \
    {.name = "stats_" word,                                                                        \
     .group = "Sums",                                                                              \
     .table = &tt_table_##constant,                                                                \
     .state_size = sizeof(struct sums),                                                            \
     .size = SQL_SUMS,                                                                             \
     .begin = begin_sums,                                                                          \
     .next = next_sum,                                                                             \
     .row = sum_row,                                                                               \
     .value = sum_value,                                                                           \
     .end = end_sums},
    TT_TABLE_LIST(X)
#undef X
};

#define OF_RAW_ROWS(of)                                                                            \
    .table = &tt_table_##of, .state_size = sizeof(struct sums), .begin = begin_raw,                \
    .next = next_raw, .row = raw_row, .value = sum_value, .end = end_sums

const struct sql_table sql_table_messages = {.name = "messages",
                                             .group = "IPC and locks",
                                             .size = SQL_MANY,
                                             .in_time_order = true,
                                             OF_RAW_ROWS(message_rows)};

const struct sql_table sql_table_jobs = {
    .name = "jobs", .group = "Jobs", .size = SQL_MANY, .by_thread = true, OF_RAW_ROWS(job_rows)};

const unsigned sql_sum_table_count = sizeof sql_sum_tables / sizeof *sql_sum_tables;
