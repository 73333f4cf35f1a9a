/* SPDX-License-Identifier: Apache-2.0 */
/* scan_events: the tables events and args. */
#include <string.h>

#include "sql/tables.h"
#include "tracetui/event_line.h"

#define BATCH 512u

/* ---- the walk over rows --------------------------------------------------------------------- */

struct walk {
    struct tt_events *events;
    uint64_t row, end; /* the next row to read, and the end of the range */
    uint64_t first;    /* row of batch[0] */
    uint64_t number;   /* n of the current event, if it has one */
    uint32_t count, at;
    bool described;
    bool resolved;
    struct tt_args args;
    unsigned arg;
    struct tt_event batch[BATCH];
};

static bool begin_walk(struct sql_scan *scan)
{
    struct walk *w = scan->state;
    w->events = sql_events(scan->c);
    if (!w->events) {
        return sql_fail(scan, tt_error_memory());
    }
    const struct sql_bounds *b = &scan->bounds;
    uint64_t rows = tt_events_rows(w->events);
    uint64_t from = b->from > 0 ? tt_events_row_at_time(w->events, b->from) : 0;
    uint64_t end = b->last < UINT64_MAX ? tt_events_row_at_time(w->events, b->last + 1) : rows;
    w->row = from > b->id_from ? from : b->id_from;
    w->end = end <= b->id_last ? end : b->id_last + 1;
    w->number = w->row < w->end ? tt_events_number(w->events, w->row) : 0;
    return true;
}

static bool is_text(const struct sql_label *wanted, const struct sql_label *text)
{
    return wanted->length == text->length && memcmp(wanted->text, text->text, text->length) == 0;
}

static bool is_wanted(const struct sql_scan *scan, const struct tt_event *event)
{
    const struct sql_bounds *b = &scan->bounds;
    return (b->type == UINT32_MAX || event->type == b->type) &&
           (b->cpu == UINT32_MAX || event->cpu == b->cpu) &&
           sql_wants_thread(scan, event->thread) &&
           (!b->event.text || event->type >= scan->c->type_count ||
            is_text(&b->event, &scan->c->types[event->type]));
}

static bool read_batch(struct sql_scan *scan)
{
    struct walk *w = scan->state;
    uint64_t left = w->end > w->row ? w->end - w->row : 0;
    if (left == 0 || !sql_check(scan)) {
        return false;
    }
    w->first = w->row;
    w->at = 0;
    w->count = tt_events_read(w->events, w->row, left < BATCH ? (uint32_t)left : BATCH, w->batch);
    tt_events_release_pages(w->events, w->batch, w->count);
    w->row += w->count;
    return w->count > 0;
}

/* Moves to the next event within the bounds. */
static bool next_event(struct sql_scan *scan)
{
    struct walk *w = scan->state;
    w->described = false;
    w->arg = 0;
    if (w->count > 0) { /* the current event is done */
        w->number += !(w->batch[w->at].flags & TT_EVENT_UNNUMBERED);
        w->at++;
    }
    for (;;) {
        for (; w->at < w->count; w->at++) {
            if (is_wanted(scan, &w->batch[w->at])) {
                return true;
            }
            w->number += !(w->batch[w->at].flags & TT_EVENT_UNNUMBERED);
        }
        if (!read_batch(scan)) {
            w->count = 0;
            return false;
        }
    }
}

static uint64_t event_row(struct sql_scan *scan)
{
    const struct walk *w = scan->state;
    return w->first + w->at;
}

/* Decodes the arguments of the current event. */
static const struct tt_args *describe(struct walk *w)
{
    if (!w->described) {
        w->described = true;
        if (!tt_events_describe(w->events, &w->batch[w->at], &w->args)) {
            tt_args_clear(&w->args);
        }
    }
    return &w->args;
}

/* ---- events --------------------------------------------------------------------------------- */

#define EVENT_COLUMNS(X)                                                                           \
    X(EVENT_ID, "event_id", SQL_KEY, SQL_BY_ID, "key; the events of a capture in order of time")   \
    X(EVENT_N, "n", SQL_NUMBER, SQL_UNBOUND, "number as in `dump`; null: derived, a definition")   \
    X(EVENT_NS, "ts_ns", SQL_NS, SQL_BY_NS, "time on the capture's clock")                         \
    X(EVENT_TICKS, "ts_ticks", SQL_TICKS, SQL_BY_TICKS, "the same time in ticks")                  \
    X(EVENT_CPU, "cpu", SQL_NUMBER, SQL_BY_CPU, "CPU; null: not recorded")                         \
    X(EVENT_UTID, "utid", SQL_KEY, SQL_BY_THREAD, "thread: key of `threads`; null: none")          \
    X(EVENT_PID, "pid", SQL_NUMBER, SQL_BY_PID, "its process's number")                            \
    X(EVENT_TID, "tid", SQL_NUMBER, SQL_BY_TID, "its number in the process")                       \
    X(EVENT_THREAD, "thread", SQL_TEXT, SQL_UNBOUND, "its name as in `dump`")                      \
    X(EVENT_TYPE, "type_id", SQL_KEY, SQL_BY_TYPE, "key of `types`")                               \
    X(EVENT_CLASS, "class", SQL_TEXT, SQL_UNBOUND, "class of the event: `KER_CALL`")               \
    X(EVENT_EVENT, "event", SQL_TEXT, SQL_BY_EVENT, "its name: `MSG_SENDV`")                       \
    X(EVENT_KIND, "kind", SQL_TEXT, SQL_UNBOUND, "what it is in all formats: `enter`, `state`")    \
    X(EVENT_ARGS, "args", SQL_TEXT, SQL_UNBOUND, "its arguments as in `dump`")                     \
    X(EVENT_OFFSET, "offset", SQL_BYTES, SQL_UNBOUND, "place of its first record in the file")     \
    X(EVENT_LENGTH, "length", SQL_BYTES, SQL_UNBOUND, "length of that record")                     \
    X(EVENT_INFERRED, "inferred", SQL_FLAG, SQL_UNBOUND,                                           \
      "1: the thread is the one that ran there")                                                   \
    X(EVENT_DERIVED, "derived", SQL_FLAG, SQL_UNBOUND, "1: by a rule of the format, not recorded") \
    X(EVENT_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { EVENT_COLUMNS(SQL_COLUMN_ENUM) EVENT_COLUMN_COUNT };
static const struct sql_column event_columns[] = {EVENT_COLUMNS(SQL_COLUMN_ROW)};

static void write_args(struct tt_text *text, const void *arg)
{
    tt_line_args(text, arg);
}

static void put_class(struct sql_scan *scan, struct sql_value *v, const struct tt_event *event);

static void event_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    struct walk *w = scan->state;
    const struct tt_event *event = &w->batch[w->at];
    switch (column) {
    case EVENT_ID:
        sql_put_u64(v, sql_key(scan->c, event_row(scan)));
        break;
    case EVENT_N:
        if (!(event->flags & TT_EVENT_UNNUMBERED)) {
            sql_put_u64(v, w->number);
        }
        break;
    case EVENT_NS:
        sql_put_ns(scan, v, event->ticks);
        break;
    case EVENT_TICKS:
        sql_put_u64(v, event->ticks);
        break;
    case EVENT_CPU:
        sql_put_cpu(v, event->cpu);
        break;
    case EVENT_UTID:
        sql_put_key(scan, v, event->thread);
        break;
    case EVENT_PID:
        sql_put_pid(scan, v, event->thread);
        break;
    case EVENT_TID:
        sql_put_tid(scan, v, event->thread);
        break;
    case EVENT_THREAD:
        sql_put_thread_name(scan, v, event->thread);
        break;
    case EVENT_TYPE:
        sql_put_key(scan, v, event->type);
        break;
    case EVENT_CLASS:
        put_class(scan, v, event);
        break;
    case EVENT_EVENT:
        sql_put_constant(v, scan->c->types[event->type].text, scan->c->types[event->type].length);
        break;
    case EVENT_KIND:
        sql_put_cstr(v, tt_kind_name(event->kind));
        break;
    case EVENT_ARGS:
        sql_put_written(scan, v, write_args, describe(w));
        break;
    case EVENT_OFFSET:
        sql_put_u64(v, tt_capture_offset(scan->c->capture, event->pos));
        break;
    case EVENT_LENGTH:
        sql_put_u64(v, event->length);
        break;
    case EVENT_INFERRED:
        sql_put_u64(v, (event->flags & TT_EVENT_INFERRED) != 0);
        break;
    case EVENT_DERIVED:
        sql_put_u64(v, (event->flags & TT_EVENT_DERIVED) != 0);
        break;
    default:
        sql_put_capture(scan, v);
    }
}

static void write_escaped(struct tt_text *text, const void *arg)
{
    tt_text_escaped(text, arg, strlen(arg));
}

static void put_class(struct sql_scan *scan, struct sql_value *v, const struct tt_event *event)
{
    const char *name = tt_types_at(scan->c->capture, event->type)->class_name;
    sql_put_written(scan, v, write_escaped, name);
}

const struct sql_table sql_table_events = {
    .name = "events",
    .group = "Events",
    .doc = "Events in order of time.",
    .columns = event_columns,
    .column_count = EVENT_COLUMN_COUNT,
    .state_size = sizeof(struct walk),
    .size = SQL_EVENTS,
    .in_time_order = true,
    .has_rows_by_id = true,
    .begin = begin_walk,
    .next = next_event,
    .row = event_row,
    .value = event_value,
};

/* ---- arguments ------------------------------------------------------------------------------ */

#define ARG_COLUMNS(X)                                                                             \
    X(ARG_EVENT, "event_id", SQL_KEY, SQL_BY_ID, "event: key of `events`")                         \
    X(ARG_INDEX, "position", SQL_NUMBER, SQL_UNBOUND, "position among the arguments, from 0")      \
    X(ARG_NAME, "name", SQL_TEXT, SQL_UNBOUND, "name of the argument")                             \
    X(ARG_NUMBER, "number", SQL_NUMBER, SQL_UNBOUND, "value of a number or address, else null")    \
    X(ARG_REAL, "real", SQL_DECIMAL, SQL_UNBOUND, "value of any number, else null")                \
    X(ARG_TEXT, "value", SQL_TEXT, SQL_UNBOUND, "value as in `dump`")                              \
    X(ARG_NS, "ts_ns", SQL_NS, SQL_BY_NS, "time of the event")                                     \
    X(ARG_TICKS, "ts_ticks", SQL_TICKS, SQL_BY_TICKS, "the same time in ticks")                    \
    X(ARG_TYPE, "type_id", SQL_KEY, SQL_BY_TYPE, "type of the event: key of `types`")              \
    X(ARG_EVENT_NAME, "event", SQL_TEXT, SQL_BY_EVENT, "name of the event")                        \
    X(ARG_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { ARG_COLUMNS(SQL_COLUMN_ENUM) ARG_COLUMN_COUNT };
static const struct sql_column arg_columns[] = {ARG_COLUMNS(SQL_COLUMN_ROW)};

/* Moves to the next visible argument. */
static bool next_arg(struct sql_scan *scan)
{
    struct walk *w = scan->state;
    bool more = w->count > 0;
    w->arg += more && w->described;
    for (;;) {
        if (more) {
            const struct tt_args *args = describe(w);
            while (w->arg < args->count && args->v[w->arg].hidden) {
                w->arg++;
            }
            if (w->arg < args->count) {
                return true;
            }
        }
        more = next_event(scan);
        if (!more) {
            return false;
        }
    }
}

static uint64_t arg_row(struct sql_scan *scan)
{
    const struct walk *w = scan->state;
    return event_row(scan) * TT_ARGS_MAX + w->arg;
}

static void write_value(struct tt_text *text, const void *arg)
{
    tt_line_value(text, arg);
}

static void write_name(struct tt_text *text, const void *arg)
{
    const struct tt_arg *value = arg;
    tt_text_escaped(text, value->name.data, value->name.length);
}

static void put_number(struct sql_value *v, const struct tt_arg *arg, bool real)
{
    switch ((enum tt_arg_type)arg->type) {
    case TT_ARG_I64:
        sql_put_i64(v, arg->value.i);
        break;
    case TT_ARG_U64:
    case TT_ARG_HEX:
    case TT_ARG_POINTER:
    case TT_ARG_KOID:
    case TT_ARG_BOOL:
        sql_put_u64(v, arg->value.u);
        break;
    case TT_ARG_DOUBLE:
        if (real) {
            sql_put_real(v, arg->value.d);
        }
        break;
    default:
        break;
    }
    if (real && v->type == SQL_VALUE_I64) {
        sql_put_real(v, (double)arg->value.i);
    } else if (real && v->type == SQL_VALUE_U64) {
        sql_put_real(v, (double)v->number);
    }
}

static void arg_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    struct walk *w = scan->state;
    const struct tt_arg *arg = &w->args.v[w->arg];
    switch (column) {
    case ARG_EVENT:
        event_value(scan, EVENT_ID, v);
        break;
    case ARG_INDEX:
        sql_put_u64(v, w->arg);
        break;
    case ARG_NAME:
        sql_put_written(scan, v, write_name, arg);
        break;
    case ARG_NUMBER:
    case ARG_REAL:
        put_number(v, arg, column == ARG_REAL);
        break;
    case ARG_TEXT:
        sql_put_written(scan, v, write_value, arg);
        break;
    case ARG_NS:
        event_value(scan, EVENT_NS, v);
        break;
    case ARG_TICKS:
        event_value(scan, EVENT_TICKS, v);
        break;
    case ARG_TYPE:
        event_value(scan, EVENT_TYPE, v);
        break;
    case ARG_EVENT_NAME:
        event_value(scan, EVENT_EVENT, v);
        break;
    default:
        sql_put_capture(scan, v);
    }
}

const struct sql_table sql_table_args = {
    .name = "args",
    .group = "Events",
    .doc = "Arguments of events. Read with a condition on `event_id`, `event` or the time: without "
           "one, all events are decoded.",
    .columns = arg_columns,
    .column_count = ARG_COLUMN_COUNT,
    .state_size = sizeof(struct walk),
    .size = SQL_EVENTS,
    .in_time_order = true,
    .has_rows_by_id = true,
    .begin = begin_walk,
    .next = next_arg,
    .row = arg_row,
    .value = arg_value,
};
