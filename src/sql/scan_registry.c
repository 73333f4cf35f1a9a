/* SPDX-License-Identifier: Apache-2.0 */
/* scan_registry: the tables of a capture's contents: captures, facts, health, processes, threads, types. */
#include <string.h>

#include "sql/tables.h"
#include "tracetui/timeline.h"

/* A scan over numbers. */
struct numbers {
    uint64_t next, end, at;
};

static void begin_numbers(struct sql_scan *scan, uint64_t count)
{
    struct numbers *s = scan->state;
    const struct sql_bounds *b = &scan->bounds;
    s->next = b->id_from;
    s->end = count <= b->id_last ? count : b->id_last + 1;
}

static bool next_number(struct sql_scan *scan)
{
    struct numbers *s = scan->state;
    s->at = s->next;
    return s->next++ < s->end;
}

static uint64_t number_row(struct sql_scan *scan)
{
    const struct numbers *s = scan->state;
    return s->at;
}

static uint32_t number_of(const struct sql_scan *scan)
{
    const struct numbers *s = scan->state;
    return (uint32_t)s->at;
}

static void write_escaped(struct tt_text *text, const void *arg)
{
    tt_text_escaped(text, arg, strlen(arg));
}

/* Sets a text of the capture; NULL: null. */
static void put_text(struct sql_scan *scan, struct sql_value *v, const char *text)
{
    if (text) {
        sql_put_written(scan, v, write_escaped, text);
    }
}

/* Sets a name; null if there is none. */
static void put_string(struct sql_scan *scan, struct sql_value *v, tt_string string)
{
    size_t length;
    if (string != 0) {
        put_text(scan, v, tt_capture_text(scan->c->capture, string, &length));
    }
}

/* ---- captures ------------------------------------------------------------------------------- */

#define CAPTURE_COLUMNS(X)                                                                         \
    X(CAPTURE_NAME, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture, as in all tables")  \
    X(CAPTURE_NUMBER, "number", SQL_NUMBER, SQL_UNBOUND, "its number, from 0")                     \
    X(CAPTURE_PATH, "path", SQL_TEXT, SQL_UNBOUND, "path of the file")                             \
    X(CAPTURE_FORMAT, "format", SQL_TEXT, SQL_UNBOUND, "`kev`, `fxt`, `trx` or `btrace`")          \
    X(CAPTURE_VERSION, "version", SQL_TEXT, SQL_UNBOUND, "version of the format or system")        \
    X(CAPTURE_CLOCK, "clock_hz", SQL_HZ, SQL_UNBOUND, "ticks per second; null: no clock")          \
    X(CAPTURE_SIZE, "bytes", SQL_BYTES, SQL_UNBOUND, "size of the file, unpacked")                 \
    X(CAPTURE_BEGIN_NS, "begin_ns", SQL_NS, SQL_UNBOUND, "time of the first event")                \
    X(CAPTURE_BEGIN, "begin_ticks", SQL_TICKS, SQL_UNBOUND, "the same time in ticks")              \
    X(CAPTURE_END_NS, "end_ns", SQL_NS, SQL_UNBOUND, "time of the last event")                     \
    X(CAPTURE_END, "end_ticks", SQL_TICKS, SQL_UNBOUND, "the same time in ticks")                  \
    X(CAPTURE_WALL, "wall_clock_s", SQL_NUMBER, SQL_UNBOUND, "UTC in seconds at tick 0, or null")  \
    X(CAPTURE_EVENTS, "events", SQL_NUMBER, SQL_UNBOUND, "number of events, as in `info`")         \
    X(CAPTURE_DERIVED, "derived", SQL_NUMBER, SQL_UNBOUND, "number of derived events")             \
    X(CAPTURE_RECORDS, "records", SQL_NUMBER, SQL_UNBOUND, "number of records (slots)")            \
    X(CAPTURE_CPUS, "cpus", SQL_NUMBER, SQL_UNBOUND, "number of CPUs")                             \
    X(CAPTURE_THREADS, "threads", SQL_NUMBER, SQL_UNBOUND, "threads, as in `info`: not idle ones") \
    X(CAPTURE_IDLE, "idle_threads", SQL_NUMBER, SQL_UNBOUND, "idle threads")                       \
    X(CAPTURE_PROCESSES, "processes", SQL_NUMBER, SQL_UNBOUND, "processes of these threads")       \
    X(CAPTURE_DAMAGED, "damaged", SQL_FLAG, SQL_UNBOUND, "1: bytes of the file are malformed")

enum { CAPTURE_COLUMNS(SQL_COLUMN_ENUM) CAPTURE_COLUMN_COUNT };
static const struct sql_column capture_columns[] = {CAPTURE_COLUMNS(SQL_COLUMN_ROW)};

struct capture_row {
    struct numbers numbers;
    struct tt_progress progress;
    struct tt_registry_totals totals;
};

static bool begin_captures(struct sql_scan *scan)
{
    struct capture_row *row = scan->state;
    begin_numbers(scan, 1);
    row->progress = tt_trace_progress(scan->c->trace);
    return tt_registry_totals(scan->c->capture, &row->totals) || sql_fail(scan, tt_error_memory());
}

static void put_time(struct sql_scan *scan, struct sql_value *v, uint64_t ticks, bool ns)
{
    const struct capture_row *row = scan->state;
    if (row->progress.events + row->progress.derived == 0) {
        return;
    }
    if (ns) {
        sql_put_ns(scan, v, ticks);
    } else {
        sql_put_u64(v, ticks);
    }
}

static void capture_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    const struct capture_row *row = scan->state;
    const struct tt_capture *c = scan->c->capture;
    switch (column) {
    case CAPTURE_NUMBER:
        sql_put_u64(v, scan->c->number);
        break;
    case CAPTURE_PATH:
        put_text(scan, v, tt_trace_path(scan->c->trace));
        break;
    case CAPTURE_FORMAT:
        sql_put_cstr(v, c->format->name);
        break;
    case CAPTURE_VERSION:
        put_text(scan, v, c->version[0] ? c->version : NULL);
        break;
    case CAPTURE_CLOCK:
        if (c->clock_hz != 0) {
            sql_put_u64(v, c->clock_hz);
        }
        break;
    case CAPTURE_SIZE:
        sql_put_u64(v, row->progress.bytes_total);
        break;
    case CAPTURE_BEGIN_NS:
    case CAPTURE_BEGIN:
        put_time(scan, v, row->progress.first_ticks, column == CAPTURE_BEGIN_NS);
        break;
    case CAPTURE_END_NS:
    case CAPTURE_END:
        put_time(scan, v, row->progress.last_ticks, column == CAPTURE_END_NS);
        break;
    case CAPTURE_WALL:
        if (c->has_wall_clock) {
            sql_put_i64(v, c->wall_clock);
        }
        break;
    case CAPTURE_EVENTS:
        sql_put_u64(v, row->progress.events);
        break;
    case CAPTURE_DERIVED:
        sql_put_u64(v, row->progress.derived);
        break;
    case CAPTURE_RECORDS:
        sql_put_u64(v, row->progress.records);
        break;
    case CAPTURE_CPUS:
        sql_put_u64(v, c->cpu_count);
        break;
    case CAPTURE_THREADS:
        sql_put_u64(v, row->totals.threads);
        break;
    case CAPTURE_IDLE:
        sql_put_u64(v, row->totals.idle);
        break;
    case CAPTURE_PROCESSES:
        sql_put_u64(v, row->totals.processes);
        break;
    case CAPTURE_DAMAGED:
        sql_put_u64(v, tt_health_damaged(c));
        break;
    default:
        sql_put_capture(scan, v);
    }
}

const struct sql_table sql_table_captures = {
    .name = "captures",
    .group = "Captures",
    .doc = "One row per file.",
    .columns = capture_columns,
    .column_count = CAPTURE_COLUMN_COUNT,
    .state_size = sizeof(struct capture_row),
    .size = SQL_FEW,
    .begin = begin_captures,
    .next = next_number,
    .row = number_row,
    .value = capture_value,
};

/* ---- facts ---------------------------------------------------------------------------------- */

#define FACT_COLUMNS(X)                                                                            \
    X(FACT_SECTION, "section", SQL_TEXT, SQL_UNBOUND, "`header`, `clock`, `recording`, ...")       \
    X(FACT_KEY, "key", SQL_TEXT, SQL_UNBOUND, "name of the fact, as in `info`")                    \
    X(FACT_VALUE, "value", SQL_TEXT, SQL_UNBOUND, "its text")                                      \
    X(FACT_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { FACT_COLUMNS(SQL_COLUMN_ENUM) FACT_COLUMN_COUNT };
static const struct sql_column fact_columns[] = {FACT_COLUMNS(SQL_COLUMN_ROW)};

static bool begin_facts(struct sql_scan *scan)
{
    begin_numbers(scan, tt_facts_count(scan->c->capture));
    return true;
}

static void fact_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    const struct tt_fact *fact = tt_facts_at(scan->c->capture, number_of(scan));
    switch (column) {
    case FACT_SECTION:
        put_text(scan, v, fact->section);
        break;
    case FACT_KEY:
        put_text(scan, v, fact->key);
        break;
    case FACT_VALUE:
        put_text(scan, v, fact->value);
        break;
    default:
        sql_put_capture(scan, v);
    }
}

const struct sql_table sql_table_facts = {
    .name = "facts",
    .group = "Captures",
    .doc = "What the header of a capture contains, as in `info`.",
    .columns = fact_columns,
    .column_count = FACT_COLUMN_COUNT,
    .state_size = sizeof(struct numbers),
    .size = SQL_FEW,
    .begin = begin_facts,
    .next = next_number,
    .row = number_row,
    .value = fact_value,
};

/* ---- health --------------------------------------------------------------------------------- */

#define HEALTH_COLUMNS(X)                                                                          \
    X(HEALTH_KIND, "kind", SQL_TEXT, SQL_UNBOUND, "kind of problem, as in `info`: `lost`")         \
    X(HEALTH_TEXT, "text", SQL_TEXT, SQL_UNBOUND, "the same in words")                             \
    X(HEALTH_DETAIL, "detail", SQL_TEXT, SQL_UNBOUND, "what `value` is, or null")                  \
    X(HEALTH_VALUE, "value", SQL_NUMBER, SQL_UNBOUND, "a number, see `detail`")                    \
    X(HEALTH_OFFSET, "offset", SQL_BYTES, SQL_UNBOUND, "place in the file")                        \
    X(HEALTH_DAMAGE, "is_damage", SQL_FLAG, SQL_UNBOUND, "1: the bytes are malformed")             \
    X(HEALTH_TOTAL, "kind_count", SQL_NUMBER, SQL_UNBOUND,                                         \
      "number of problems of this kind; "                                                          \
      "4,096 of all kinds have a row")                                                             \
    X(HEALTH_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { HEALTH_COLUMNS(SQL_COLUMN_ENUM) HEALTH_COLUMN_COUNT };
static const struct sql_column health_columns[] = {HEALTH_COLUMNS(SQL_COLUMN_ROW)};

static bool begin_health(struct sql_scan *scan)
{
    begin_numbers(scan, tt_health_kept(scan->c->capture));
    return true;
}

static void health_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    struct tt_health_record record = tt_health_at(scan->c->capture, number_of(scan));
    switch (column) {
    case HEALTH_KIND:
        sql_put_cstr(v, tt_health_key(record.kind));
        break;
    case HEALTH_TEXT:
        sql_put_cstr(v, tt_health_text(record.kind));
        break;
    case HEALTH_DETAIL:
        sql_put_cstr(v, record.detail);
        break;
    case HEALTH_VALUE:
        sql_put_u64(v, record.value);
        break;
    case HEALTH_OFFSET:
        sql_put_u64(v, record.offset);
        break;
    case HEALTH_DAMAGE:
        sql_put_u64(v, tt_health_is_damage(record.kind));
        break;
    case HEALTH_TOTAL:
        sql_put_u64(v, tt_health_count(scan->c->capture, record.kind));
        break;
    default:
        sql_put_capture(scan, v);
    }
}

const struct sql_table sql_table_health = {
    .name = "health",
    .group = "Captures",
    .doc = "Problems found in a capture, in order of discovery.",
    .columns = health_columns,
    .column_count = HEALTH_COLUMN_COUNT,
    .state_size = sizeof(struct numbers),
    .size = SQL_THREADS,
    .begin = begin_health,
    .next = next_number,
    .row = number_row,
    .value = health_value,
};

/* ---- processes ------------------------------------------------------------------------------ */

#define PROCESS_COLUMNS(X)                                                                         \
    X(PROCESS_UPID, "upid", SQL_KEY, SQL_BY_ID, "key: a reused pid is another process")            \
    X(PROCESS_PID, "pid", SQL_NUMBER, SQL_UNBOUND, "its number in the traced system")              \
    X(PROCESS_NAME, "process", SQL_TEXT, SQL_UNBOUND,                                              \
      "last part of its name; without one its pid")                                                \
    X(PROCESS_PATH, "path", SQL_TEXT, SQL_UNBOUND, "its name as recorded, or null")                \
    X(PROCESS_THREADS, "threads", SQL_NUMBER, SQL_UNBOUND, "number of its threads")                \
    X(PROCESS_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { PROCESS_COLUMNS(SQL_COLUMN_ENUM) PROCESS_COLUMN_COUNT };
static const struct sql_column process_columns[] = {PROCESS_COLUMNS(SQL_COLUMN_ROW)};

static bool begin_processes(struct sql_scan *scan)
{
    begin_numbers(scan, tt_process_count(scan->c->capture));
    return true;
}

static void process_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    uint32_t number = number_of(scan);
    const struct tt_process *process = tt_process_at(scan->c->capture, number);
    switch (column) {
    case PROCESS_UPID:
        sql_put_key(scan, v, number);
        break;
    case PROCESS_PID:
        sql_put_u64(v, process->pid);
        break;
    case PROCESS_NAME:
        sql_put_process_name(scan, v, number);
        break;
    case PROCESS_PATH:
        put_string(scan, v, process->name);
        break;
    case PROCESS_THREADS:
        sql_put_u64(v, process->threads);
        break;
    default:
        sql_put_capture(scan, v);
    }
}

const struct sql_table sql_table_processes = {
    .name = "processes",
    .group = "Threads and processes",
    .doc = "All processes.",
    .columns = process_columns,
    .column_count = PROCESS_COLUMN_COUNT,
    .state_size = sizeof(struct numbers),
    .size = SQL_THREADS,
    .has_rows_by_id = true,
    .begin = begin_processes,
    .next = next_number,
    .row = number_row,
    .value = process_value,
};

/* ---- threads -------------------------------------------------------------------------------- */

#define THREAD_COLUMNS(X)                                                                          \
    X(THREAD_UTID, "utid", SQL_KEY, SQL_BY_THREAD, "key: tids repeat among processes")             \
    X(THREAD_UPID, "upid", SQL_KEY, SQL_BY_PROCESS, "process: key of `processes`")                 \
    X(THREAD_PID, "pid", SQL_NUMBER, SQL_BY_PID, "number of its process")                          \
    X(THREAD_TID, "tid", SQL_NUMBER, SQL_BY_TID, "its number in the process")                      \
    X(THREAD_THREAD, "thread", SQL_TEXT, SQL_UNBOUND, "process, tid and name: `io-blk/3 worker`")  \
    X(THREAD_NAME, "name", SQL_TEXT, SQL_UNBOUND, "its own name, or null")                         \
    X(THREAD_PROCESS, "process", SQL_TEXT, SQL_UNBOUND, "name of its process")                     \
    X(THREAD_IDLE, "is_idle", SQL_FLAG, SQL_UNBOUND, "1: an idle thread, in no total")             \
    X(THREAD_PSEUDO, "is_pseudo", SQL_FLAG, SQL_UNBOUND, "1: a context that is not a thread")      \
    X(THREAD_BEGIN_NS, "begin_ns", SQL_NS, SQL_UNBOUND, "begin of its first state, or null")       \
    X(THREAD_BEGIN, "begin_ticks", SQL_TICKS, SQL_UNBOUND, "the same time in ticks")               \
    X(THREAD_STATES, "states", SQL_NUMBER, SQL_UNBOUND, "number of its rows in `states`")          \
    X(THREAD_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { THREAD_COLUMNS(SQL_COLUMN_ENUM) THREAD_COLUMN_COUNT };
static const struct sql_column thread_columns[] = {THREAD_COLUMNS(SQL_COLUMN_ROW)};

static bool begin_threads(struct sql_scan *scan)
{
    begin_numbers(scan, tt_thread_count(scan->c->capture));
    return true;
}

static bool next_thread(struct sql_scan *scan)
{
    struct numbers *s = scan->state;
    s->at = sql_next_thread(scan, (uint32_t)s->next);
    s->next = s->at + 1;
    return s->at < s->end;
}

static void put_begin(struct sql_scan *scan, struct sql_value *v, bool ns)
{
    const struct tt_timelines *t = scan->c->timelines;
    struct tt_interval_at at;
    if (!t || !tt_interval_first(t, number_of(scan), &at)) {
        return;
    }
    uint64_t ticks = tt_interval_get(t, at).start;
    if (ns) {
        sql_put_ns(scan, v, ticks);
    } else {
        sql_put_u64(v, ticks);
    }
}

static void thread_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    uint32_t number = number_of(scan);
    const struct tt_thread *thread = tt_thread_at(scan->c->capture, number);
    switch (column) {
    case THREAD_UTID:
        sql_put_key(scan, v, number);
        break;
    case THREAD_UPID:
        sql_put_key(scan, v, thread->process);
        break;
    case THREAD_PID:
        sql_put_pid(scan, v, number);
        break;
    case THREAD_TID:
        sql_put_u64(v, thread->tid);
        break;
    case THREAD_THREAD:
        sql_put_thread_name(scan, v, number);
        break;
    case THREAD_NAME:
        put_string(scan, v, thread->name);
        break;
    case THREAD_PROCESS:
        sql_put_process_name(scan, v, thread->process);
        break;
    case THREAD_IDLE:
        sql_put_u64(v, thread->idle);
        break;
    case THREAD_PSEUDO:
        sql_put_u64(v, thread->pseudo);
        break;
    case THREAD_BEGIN_NS:
    case THREAD_BEGIN:
        put_begin(scan, v, column == THREAD_BEGIN_NS);
        break;
    case THREAD_STATES:
        sql_put_u64(v, scan->c->timelines ? tt_interval_count(scan->c->timelines, number) : 0);
        break;
    default:
        sql_put_capture(scan, v);
    }
}

const struct sql_table sql_table_threads = {
    .name = "threads",
    .group = "Threads and processes",
    .doc = "All threads, idle ones too.",
    .columns = thread_columns,
    .column_count = THREAD_COLUMN_COUNT,
    .state_size = sizeof(struct numbers),
    .size = SQL_THREADS,
    .by_thread = true,
    .begin = begin_threads,
    .next = next_thread,
    .row = number_row,
    .value = thread_value,
};

/* ---- types ---------------------------------------------------------------------------------- */

#define TYPE_COLUMNS(X)                                                                            \
    X(TYPE_ID, "type_id", SQL_KEY, SQL_BY_ID, "key")                                               \
    X(TYPE_CLASS, "class", SQL_TEXT, SQL_UNBOUND, "class: `KER_CALL`")                             \
    X(TYPE_EVENT, "event", SQL_TEXT, SQL_UNBOUND, "name: `MSG_SENDV`")                             \
    X(TYPE_KIND, "kind", SQL_TEXT, SQL_UNBOUND, "what most of its events are in all formats")      \
    X(TYPE_CODE, "code", SQL_NUMBER, SQL_UNBOUND, "the format's own number")                       \
    X(TYPE_EVENTS, "events", SQL_NUMBER, SQL_UNBOUND, "number of its events")                      \
    X(TYPE_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { TYPE_COLUMNS(SQL_COLUMN_ENUM) TYPE_COLUMN_COUNT };
static const struct sql_column type_columns[] = {TYPE_COLUMNS(SQL_COLUMN_ROW)};

static bool begin_types(struct sql_scan *scan)
{
    begin_numbers(scan, scan->c->type_count);
    return true;
}

static void type_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    uint32_t number = number_of(scan);
    const struct tt_event_type *type = tt_types_at(scan->c->capture, number);
    switch (column) {
    case TYPE_ID:
        sql_put_key(scan, v, number);
        break;
    case TYPE_CLASS:
        put_text(scan, v, type->class_name);
        break;
    case TYPE_EVENT:
        sql_put_constant(v, scan->c->types[number].text, scan->c->types[number].length);
        break;
    case TYPE_KIND:
        sql_put_cstr(v, tt_kind_name(type->kind));
        break;
    case TYPE_CODE:
        sql_put_u64(v, type->code);
        break;
    case TYPE_EVENTS:
        sql_put_u64(v, tt_trace_type_events(scan->c->trace, number));
        break;
    default:
        sql_put_capture(scan, v);
    }
}

const struct sql_table sql_table_types = {
    .name = "types",
    .group = "Events",
    .doc = "Types of events.",
    .columns = type_columns,
    .column_count = TYPE_COLUMN_COUNT,
    .state_size = sizeof(struct numbers),
    .size = SQL_THREADS,
    .has_rows_by_id = true,
    .begin = begin_types,
    .next = next_number,
    .row = number_row,
    .value = type_value,
};
