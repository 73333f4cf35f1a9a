/* SPDX-License-Identifier: Apache-2.0 */
#include "sql/tables.h"

#include <string.h>

#include "sql/functions.h"
#include "sql/sql.h"
#include "table/registry.h"
#include "tracetui/jobs.h"
#include "tracetui/time.h"
#include "tracetui/timeline.h"

#define WORK 20000u /* intervals between two looks at the clock */

/* ---- tables ------------------------------------------------------------------------------- */

static const struct sql_table tables[] = {
#define RAW(of) .table = &tt_table_##of##_rows
    {RAW(capture), "captures", "Captures", SQL_FEW},
    {RAW(fact), "facts", "Captures", SQL_FEW},
    {RAW(health), "health", "Captures", SQL_THREADS},
    {RAW(process), "processes", "Threads and processes", SQL_THREADS, .has_rows_by_id = true},
    {RAW(thread), "threads", "Threads and processes", SQL_THREADS, .by_thread = true},
    {RAW(type), "types", "Events", SQL_THREADS, .has_rows_by_id = true},
    {RAW(event), "events", "Events", SQL_EVENTS, .in_time_order = true, .has_rows_by_id = true},
    {RAW(argument), "args", "Events", SQL_EVENTS, .in_time_order = true, .has_rows_by_id = true},
    {RAW(state), "states", "Scheduling", SQL_MANY, .by_thread = true},
    {RAW(occupation), "cpu_time", "Scheduling", SQL_MANY},
    {RAW(switch), "switches", "Scheduling", SQL_MANY},
    {RAW(wake), "wakes", "Scheduling", SQL_SEARCHED, .by_thread = true},
    {RAW(message), "messages", "IPC and locks", SQL_MANY, .in_time_order = true},
    {RAW(object), "objects", "IPC and locks", SQL_THREADS, .has_rows_by_id = true},
    {RAW(wait), "lock_waits", "IPC and locks", SQL_MANY},
    {RAW(release), "lock_releases", "IPC and locks", SQL_MANY},
    {RAW(job), "jobs", "Jobs", SQL_MANY, .by_thread = true},
    {RAW(slice), "slices", "Slices, counters and interrupts", SQL_MANY, .by_thread = true},
    {RAW(counter), "counters", "Slices, counters and interrupts", SQL_MANY},
    {RAW(irq), "irqs", "Slices, counters and interrupts", SQL_EVENTS, .in_time_order = true},
    {RAW(lane), "lanes", "Lanes of your own", SQL_EVENTS},
#undef RAW
#define X(of, word) {&tt_table_##of, "stats_" word, "Sums", SQL_SUMS, false, false, false},
    TT_TABLE_LIST(X)
#undef X
};

const struct sql_table *sql_table_at(unsigned index)
{
    return index < sizeof tables / sizeof *tables ? &tables[index] : NULL;
}

/* ---- columns ------------------------------------------------------------------------------ */

/* The part of a column of the table that a column of SQL has. */
enum part { PART_VALUE, PART_TICKS, PART_THREAD, PART_PROCESS };

struct place {
    const struct tt_table_column *column;
    enum part part;
    bool is_time, is_key;
    size_t bytes;    /* of a member that is a plain number, read without a cell; 0: it is none */
    bool is_lasting; /* a member that is a text which lives as long as the capture */
};

/* A lasting text that needs no escape, which most texts of a query are; others are cells. */
struct plain_text {
    const char *text;
    size_t length;
};

#define PLAIN_TEXTS 32u

/* The columns behind those of the table. */
enum last { LAST_FROM, LAST_TO, LAST_CAPTURE, LAST_COUNT };

/* Returns the kind of SQL of a value. */
static enum sql_kind sql_tables_kind_of(enum tt_unit unit)
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
    case TT_UNIT_REAL:
        return SQL_DECIMAL;
    case TT_UNIT_FLAG:
        return SQL_FLAG;
    case TT_UNIT_ID:
    case TT_UNIT_KEY:
    case TT_UNIT_EVENT_KEY:
        return SQL_KEY;
    case TT_UNIT_BYTES:
        return SQL_BYTES;
    case TT_UNIT_HZ:
        return SQL_HZ;
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

/* Returns the size of a member that is a plain number, unknown if it is the largest one; 0: it is none. */
static size_t number_bytes(const struct tt_table_column *column)
{
    bool plain = !column->cell && column->basis == TT_TABLE_ALWAYS;
    switch (column->unit) {
    case TT_UNIT_KEY:
        return plain ? sizeof(uint32_t) : 0;
    case TT_UNIT_COUNT:
    case TT_UNIT_FLAG:
    case TT_UNIT_EVENT_KEY:
    case TT_UNIT_AT:
    case TT_UNIT_TIME_MS:
    case TT_UNIT_TIME_US:
        return plain ? sizeof(uint64_t) : 0;
    default:
        return 0;
    }
}

/* Sets the places of the columns of a table; returns their number. */
static unsigned places_of(const struct tt_table *table, struct place places[SQL_SUM_COLUMNS])
{
    unsigned count = 0;
    for (size_t i = 0; i < table->column_count; i++) {
        enum part parts[2];

        /*
         * The parts of a column in SQL, and their number. Raw rows have keys as columns of their
         * own.
         */
        const struct tt_table_column *column = &table->columns[i];
        bool lane = column->unit == TT_UNIT_LANE_NAME && !table->next;
        bool process = column->unit == TT_UNIT_PROCESS_NAME && !table->next;
        bool time = tt_unit_is_time(column->unit);
        parts[0] = column->is_ticks ? PART_TICKS : PART_VALUE;
        parts[1] = time ? PART_TICKS : lane ? PART_THREAD : PART_PROCESS;
        unsigned parts_count = column->is_screen || column->is_file             ? 0
                               : (time && !column->is_ticks) || lane || process ? 2
                                                                                : 1;

        for (unsigned part = 0; part < parts_count && count < SQL_SUM_COLUMNS; part++) {
            enum tt_unit unit = table->columns[i].unit;
            places[count++] = (struct place){&table->columns[i],
                                             parts[part],
                                             tt_unit_is_time(unit),
                                             sql_tables_kind_of(unit) == SQL_KEY,
                                             number_bytes(&table->columns[i]),
                                             table->columns[i].is_lasting && unit == TT_UNIT_TEXT};
        }
    }
    return count;
}

/* Returns which column is `after` those of the table. One with the capture's name is among those itself. */
static enum last sql_tables_last_of(const struct tt_table *table, unsigned after)
{
    bool has_capture = table->columns[0].bound == TT_BOUND_CAPTURE;
    unsigned last = after + (table->next ? LAST_CAPTURE : LAST_FROM) + has_capture;
    return last < LAST_COUNT ? (enum last)last : LAST_COUNT;
}

bool sql_column_at(const struct sql_table *table, unsigned index, struct sql_column *column,
                   char *name)
{
    static const char *const ends[] = {
        [PART_TICKS] = "_ticks", [PART_THREAD] = "_utid", [PART_PROCESS] = "_upid"};
    static const struct sql_column last[LAST_COUNT] = {
        [LAST_FROM] = {"range_from_ticks", SQL_TICKS, SQL_BY_FROM, "argument: begin of the range"},
        [LAST_TO] = {"range_to_ticks", SQL_TICKS, SQL_BY_TO, "argument: end of the range"},
        [LAST_CAPTURE] = {"capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture"}};
    struct place places[SQL_SUM_COLUMNS];
    unsigned count = places_of(table->table, places);
    if (index >= count) {
        enum last after = sql_tables_last_of(table->table, index - count);
        if (after < LAST_COUNT) {
            *column = last[after];
        }
        return after < LAST_COUNT;
    }
    const struct place *place = &places[index];
    const struct tt_table_column *of = place->column;
    struct tt_text text = tt_text_of(name, SQL_NAME_BYTES);
    tt_text_put(&text, "%s%s", of->sql ? of->sql : of->key,
                place->part != PART_VALUE   ? ends[place->part]
                : tt_unit_is_time(of->unit) ? "_ns"
                                            : "");
    tt_text_cstr(&text);
    bool is_ns = of->bound == TT_BOUND_TIME && place->part != PART_TICKS;
    enum sql_kind kind = place->part == PART_VALUE   ? sql_tables_kind_of(of->unit)
                         : place->part == PART_TICKS ? SQL_TICKS
                                                     : SQL_KEY;
    *column =
        (struct sql_column){name, kind, is_ns ? SQL_BY_NS : (enum sql_bound)of->bound, of->doc};
    return true;
}

/* ---- rows --------------------------------------------------------------------------------- */

struct rows {
    struct tt_table_run run;
    struct tt_table_row row;
    bool begun;
    bool is_complete; /* the costly members of the row are set */
    size_t next;      /* of sums */
    struct tt_key_range keys;
    struct tt_table_bounds bounds; /* of raw rows */
    unsigned place_count;
    struct place places[SQL_SUM_COLUMNS];
    struct plain_text plain[PLAIN_TEXTS]; /* by address */
};

size_t sql_scan_bytes(void)
{
    return sizeof(struct rows);
}

static uint32_t next_thread(void *scan, uint32_t thread)
{
    return sql_next_thread(scan, thread);
}

static bool wants_thread(void *scan, uint32_t thread)
{
    return sql_wants_thread(scan, thread);
}

static bool sql_tables_is_stopped(void *scan)
{
    return !sql_check(scan);
}

/* Sets the request of raw rows; false if out of memory. */
static bool request_raw(struct sql_scan *scan, struct rows *rows, struct tt_table_request *request)
{
    const struct sql_bounds *bounds = &scan->bounds;
    bool searches = scan->table->size == SQL_SEARCHED && scan->c->timelines;
    rows->bounds = (struct tt_table_bounds){.from = bounds->from,
                                            .last = bounds->last,
                                            .id_from = bounds->id_from,
                                            .id_last = bounds->id_last,
                                            .cpu = bounds->cpu,
                                            .type = bounds->type,
                                            .object = bounds->object,
                                            .event = bounds->event,
                                            .next_thread = next_thread,
                                            .wants_thread = wants_thread,
                                            .stopped = sql_tables_is_stopped,
                                            .arg = scan};
    request->events = request->table->reads_events ? sql_events(scan->c) : NULL;
    request->keys.to_ticks = request->window.to = UINT64_MAX;
    request->bounds = &rows->bounds;
    request->without_ready_by = true;
    request->wakes = searches ? sql_wakes(scan->c) : NULL;
    request->capture_name = scan->c->name;
    request->capture_number = scan->c->number;
    return (request->events || !request->table->reads_events) && (request->wakes || !searches);
}

void sql_scan_begin(struct sql_scan *scan)
{
    struct rows *rows = scan->state;
    const struct tt_table *table = scan->table->table;
    struct tt_table_request request = {
        .table = table, .trace = scan->c->trace, .without_queries = scan->c->without_queries};
    struct tt_status status = tt_job_ends_parse(scan->c->capture->format, NULL, &request.job_ends);
    bool ok = true;
    if (table->next) {
        ok = request_raw(scan, rows, &request);
    } else {
        ok = (request.events = sql_events(scan->c)) != NULL;
        request.row_limit = table == &tt_table_single_messages ? SQL_SINGLE_MOST : 0;
        request.in_order = request.with_clients = true;
        rows->keys = (struct tt_key_range){.from_ticks = scan->bounds.sums_from,
                                           .to_ticks = scan->bounds.sums_to};
        if (ok) {
            tt_table_request_range(&request, &rows->keys);
        }
    }
    rows->place_count = places_of(table, rows->places);
    if (!tt_failed(&status)) {
        status = ok ? tt_table_begin(&rows->run, &request) : tt_error_memory();
        rows->begun = ok;
    }
    while (!tt_failed(&status) && !table->next && !rows->run.complete && sql_check(scan)) {
        status = tt_table_step(&rows->run, WORK);
    }
    if (tt_failed(&status)) {
        sql_fail(scan, status);
    }
}

bool sql_scan_next(struct sql_scan *scan)
{
    struct rows *rows = scan->state;
    rows->is_complete = false;
    if (rows->run.table->next) {
        return tt_table_next(&rows->run, &rows->row, &scan->status);
    }
    if (!rows->run.complete || rows->next >= rows->run.count) {
        return false;
    }
    tt_table_row_at(&rows->run, rows->next++, &rows->row);
    return true;
}

uint64_t sql_scan_row(const struct sql_scan *scan)
{
    const struct rows *rows = scan->state;
    return rows->run.table->next ? rows->run.table->number(&rows->run) : rows->next - 1;
}

void sql_scan_end(struct sql_scan *scan)
{
    struct rows *rows = scan->state;
    if (rows->begun) {
        tt_table_free(&rows->run);
    }
}

/* ---- values ------------------------------------------------------------------------------- */

/* Returns the place of a lasting text of the current row. */
static struct plain_text *plain_of(struct rows *rows, const struct tt_table_column *column,
                                   const char **text)
{
    memcpy(text, (const char *)&rows->row + column->field, sizeof *text);
    return &rows->plain[((uintptr_t)*text ^ (uintptr_t)*text >> 5) % PLAIN_TEXTS];
}

/* Sets the text of a cell; one that lives as long as the capture, and was not escaped, is not copied. */
static void sql_tables_put_text(struct rows *rows, const struct place *place,
                                const struct tt_text *text, struct sql_value *value)
{
    const char *lasting;
    value->type = SQL_VALUE_SCRATCH;
    value->text = text->buffer;
    value->length = text->used;
    if (place->is_lasting) {
        struct plain_text *plain = plain_of(rows, place->column, &lasting);
        if (strlen(lasting) == text->used) {
            *plain = (struct plain_text){lasting, text->used};
            sql_put_constant(value, lasting, text->used);
        }
    }
}

static void sql_tables_put_cell(struct sql_scan *scan, const struct place *place,
                                struct sql_value *value)
{
    struct rows *rows = scan->state;
    struct sql_session *session = scan->session;
    double power = 1;
    struct tt_table_cell cell = tt_table_cell_of(&rows->run, place->column, &rows->row,
                                                 session->scratch, session->capacity);
    while (cell.text.truncated && sql_enlarge_scratch(scan)) {
        cell = tt_table_cell_of(&rows->run, place->column, &rows->row, session->scratch,
                                session->capacity);
    }
    if (place->part == PART_THREAD || place->part == PART_PROCESS) {
        uint32_t number = place->part == PART_THREAD ? cell.thread : cell.process;
        if (number < TT_OCCUPANT_IDLE) {
            sql_put_u64(value, sql_key(scan->c, number));
        }
        return;
    }
    switch (cell.kind) {
    case TT_CELL_NONE:
        break;
    case TT_CELL_NUMBER:
        sql_put_u64(value, place->is_key ? sql_key(scan->c, cell.number) : cell.number);
        break;
    case TT_CELL_SIGNED:
        sql_put_i64(value, cell.signed_number);
        break;
    case TT_CELL_DECIMAL:
        for (; cell.decimals > 0; cell.decimals--) {
            power *= 10;
        }
        sql_put_real(value, (double)cell.number / power);
        break;
    case TT_CELL_REAL:
        sql_put_real(value, cell.real);
        break;
    case TT_CELL_TEXT:
        sql_tables_put_text(rows, place, &cell.text, value);
        break;
    }
}

/* Sets a member that is a plain number: most of the values of a query are. */
static void sql_tables_put_number(const struct sql_scan *scan, const struct place *place,
                                  struct sql_value *value)
{
    const struct rows *rows = scan->state;
    const char *member = (const char *)&rows->row + place->column->field;
    uint64_t number = 0;
    uint32_t key;
    int64_t ns;
    if (place->bytes == sizeof key) {
        memcpy(&key, member, sizeof key);
        number = key != UINT32_MAX ? key : TT_TABLE_NONE;
    } else {
        memcpy(&number, member, sizeof number);
    }
    if (number == TT_TABLE_NONE) {
        return;
    }
    if (!place->is_time || place->part == PART_TICKS) {
        sql_put_u64(value, place->is_key ? sql_key(scan->c, number) : number);
    } else if (tt_ticks_to_ns(number, scan->c->capture->clock_hz, &ns)) {
        sql_put_i64(value, ns);
    }
}

void sql_scan_value(struct sql_scan *scan, unsigned index, struct sql_value *value)
{
    struct rows *rows = scan->state;
    if (index >= rows->place_count) {
        enum last last = sql_tables_last_of(rows->run.table, index - rows->place_count);
        if (last == LAST_CAPTURE) {
            sql_put_constant(value, scan->c->name, scan->c->name_length);
        } else if (last == LAST_FROM || rows->keys.to_ticks != UINT64_MAX) {
            sql_put_u64(value, last == LAST_FROM ? rows->keys.from_ticks : rows->keys.to_ticks);
        }
        return;
    }
    const struct place *place = &rows->places[index];
    if (place->column->is_costly && !rows->is_complete) {
        tt_table_complete(&rows->run, &rows->row);
        rows->is_complete = true;
    }
    if (place->is_lasting) {
        const char *text;
        const struct plain_text *plain = plain_of(rows, place->column, &text);
        if (text && plain->text == text) {
            sql_put_constant(value, text, plain->length);
            return;
        }
    }
    if (place->bytes > 0) {
        sql_tables_put_number(scan, place, value);
    } else if (place->part == PART_TICKS) {
        uint64_t ticks = tt_table_ticks_of(&rows->run, place->column, &rows->row);
        if (ticks != TT_TABLE_NONE) {
            sql_put_u64(value, ticks);
        }
    } else if (!place->is_time || scan->c->capture->clock_hz != 0) {
        sql_tables_put_cell(scan, place, value);
    }
}

/* ---- the document ------------------------------------------------------------------------- */

static const struct {
    const char *type, *unit;
} kinds[] = {
#define X(id, type, unit) {type, unit},
    SQL_KIND_INFO(X)
#undef X
};

bool tt_sql_table_at(unsigned index, struct tt_sql_table_info *info)
{
    const struct sql_table *table = sql_table_at(index);
    struct sql_column column;
    char name[SQL_NAME_BYTES];
    if (!table) {
        return false;
    }
    *info = (struct tt_sql_table_info){table->name, table->table->doc, table->group, 0,
                                       !table->table->next};
    for (unsigned i = 0; sql_column_at(table, i, &column, name); i++) {
        info->columns += column.bound != SQL_BY_FROM && column.bound != SQL_BY_TO;
    }
    return true;
}

bool tt_sql_column_at(unsigned table, unsigned column, struct tt_sql_column_info *info)
{
    const struct sql_table *of = sql_table_at(table);
    struct sql_column c;
    char name[SQL_NAME_BYTES];
    if (!of || !sql_column_at(of, column, &c, name)) {
        return false;
    }
    *info = (struct tt_sql_column_info){.type = kinds[c.kind].type,
                                        .unit = kinds[c.kind].unit,
                                        .doc = c.doc,
                                        .is_bound = c.bound != SQL_UNBOUND};
    struct tt_text text = tt_text_of(info->name, sizeof info->name);
    tt_text_str(&text, c.name);
    tt_text_cstr(&text);
    return true;
}

bool tt_sql_function_at(unsigned index, struct tt_sql_function_info *info)
{
    static const struct tt_sql_function_info functions[] = {
#define X(name, least, most, call, doc) {call, doc},
        SQL_FUNCTION_INFO(X) SQL_AGGREGATE_INFO(X)
#undef X
    };
    bool is = index < sizeof functions / sizeof *functions;
    if (is) {
        *info = functions[index];
    }
    return is;
}
