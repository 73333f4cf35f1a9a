/* SPDX-License-Identifier: Apache-2.0 */
/* events: events in order of time, and their arguments. */
#include <stdlib.h>
#include <string.h>

#include "table/raw/bounds.h"
#include "tracetui/event_line.h"

#define BATCH      512u
#define NAME_BYTES 1024u

struct event_row {
    struct tt_event event;
    uint64_t row, time;
    uint64_t number; /* TT_TABLE_NONE: derived, or a definition */
    uint64_t argument;
    const char *class_name, *name, *kind;
};

struct event_rows {
    bool described;
    struct tt_events *events;
    uint64_t row, end; /* the next row to read, and the end of the range */
    uint64_t first;    /* row of batch[0] */
    uint64_t number;   /* of the current event, if it has one */
    uint32_t count, at;
    bool *named; /* by type: its name is wanted; NULL: all are */
    uint32_t types;
    struct tt_args args; /* of the current event */
    unsigned arg;
    struct tt_event batch[BATCH];
};

static bool begin_events(struct tt_table_run *run)
{
    struct event_rows *event_rows = run->state;
    event_rows->events = run->request.events;
    const struct tt_table_bounds *bounds = &run->bounds;
    uint64_t rows = tt_events_rows(event_rows->events);
    uint64_t from = bounds->from > 0 ? tt_events_row_at_time(event_rows->events, bounds->from) : 0;
    uint64_t end = bounds->last < UINT64_MAX
                       ? tt_events_row_at_time(event_rows->events, bounds->last + 1)
                       : rows;
    event_rows->row = from > bounds->id_from ? from : bounds->id_from;
    event_rows->end = end <= bounds->id_last ? end : bounds->id_last + 1;
    event_rows->number = event_rows->row < event_rows->end
                             ? tt_events_number(event_rows->events, event_rows->row)
                             : 0;
    event_rows->types = bounds->event ? tt_types_count(run->capture) : 0;
    event_rows->named =
        bounds->event ? calloc((size_t)event_rows->types + 1, sizeof *event_rows->named) : NULL;
    for (uint32_t i = 0; event_rows->named && i < event_rows->types; i++) {
        char buffer[4 * NAME_BYTES];
        const char *name = tt_types_at(run->capture, i)->name;
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_text_escaped(&text, name, strlen(name));
        event_rows->named[i] = text.truncated || strcmp(tt_text_cstr(&text), bounds->event) == 0;
    }
    return !bounds->event || event_rows->named;
}

static bool is_numbered(const struct tt_event *event)
{
    return !(event->flags & TT_EVENT_UNNUMBERED);
}

/* Moves to the next event within the bounds. */
static bool raw_events_find_event(const struct tt_table_run *run, struct event_rows *rows)
{
    rows->described = false;
    rows->arg = 0;
    if (rows->count > 0) { /* the current event is done */
        rows->number += is_numbered(&rows->batch[rows->at++]);
    }
    for (;;) {
        for (; rows->at < rows->count; rows->at++) {
            const struct tt_event *event = &rows->batch[rows->at];
            const struct tt_table_bounds *bounds = &run->bounds;
            if ((bounds->type == UINT32_MAX || event->type == bounds->type) &&
                (bounds->cpu == UINT32_MAX || event->cpu == bounds->cpu) &&
                tt_raw_wants_thread(run, event->thread) &&
                (!rows->named || event->type >= rows->types || rows->named[event->type])) {
                return true;
            }

            rows->number += is_numbered(&rows->batch[rows->at]);
        }
        uint64_t left = rows->end > rows->row ? rows->end - rows->row : 0;
        bool reads = left > 0 && !tt_raw_is_stopped(run);
        rows->first = rows->row;
        rows->at = rows->count = 0;
        if (reads) {
            rows->count = tt_events_read(rows->events, rows->row,
                                         left < BATCH ? (uint32_t)left : BATCH, rows->batch);
            tt_events_release_pages(rows->events, rows->batch, rows->count);
            rows->row += rows->count;
        }
        if (rows->count == 0) {
            return false;
        }
    }
}

static void raw_events_set_row(const struct tt_table_run *run, const struct event_rows *rows,
                               struct event_row *row)
{
    const struct tt_event *event = &rows->batch[rows->at];
    const struct tt_event_type *type = tt_types_at(run->capture, event->type);
    row->event = *event;
    row->row = rows->first + rows->at;
    row->time = event->ticks;
    row->number = is_numbered(event) ? rows->number : TT_TABLE_NONE;
    row->argument = rows->arg;
    row->class_name = type->class_name;
    row->name = type->name;
    row->kind = tt_kind_name(event->kind);
}

static enum tt_made raw_events_next_event(struct tt_table_run *run, void *row)
{
    struct event_rows *rows = run->state;
    if (!raw_events_find_event(run, rows)) {
        return TT_MADE_ALL;
    }
    raw_events_set_row(run, rows, row);
    return TT_MADE_PART;
}

static uint64_t event_number(const struct tt_table_run *run)
{
    const struct event_rows *rows = run->state;
    return rows->first + rows->at;
}

static void end_events(struct tt_table_run *run)
{
    struct event_rows *rows = run->state;
    free(rows->named);
}

/* Decodes the arguments of the current event. */
static const struct tt_args *raw_events_describe(struct event_rows *rows)
{
    if (!rows->described) {
        rows->described = true;
        if (!tt_events_describe(rows->events, &rows->batch[rows->at], &rows->args)) {
            tt_args_clear(&rows->args);
        }
    }
    return &rows->args;
}

/* Sets the arguments, also where there are none. */
static TT_CELL_FUNCTION(event_args)
{
    (void)row;
    (void)column;
    tt_line_args(&cell->text, raw_events_describe(run->state));
    cell->kind = TT_CELL_TEXT;
}

static TT_CELL_FUNCTION(event_offset)
{
    const struct event_row *event_row = row;
    (void)column;
    tt_table_set_number(cell, tt_capture_offset(run->capture, event_row->event.pos));
}

static TT_CELL_FUNCTION(event_length)
{
    (void)run;
    (void)column;
    tt_table_set_number(cell, ((const struct event_row *)row)->event.length);
}

static TT_CELL_FUNCTION(event_inferred)
{
    const struct event_row *event_row = row;
    (void)run;
    (void)column;
    tt_table_set_number(cell, (event_row->event.flags & TT_EVENT_INFERRED) != 0);
}

static TT_CELL_FUNCTION(event_derived)
{
    const struct event_row *event_row = row;
    (void)run;
    (void)column;
    tt_table_set_number(cell, (event_row->event.flags & TT_EVENT_DERIVED) != 0);
}

#define ROW struct event_row

/* clang-format off */
static const struct tt_table_column event_columns[] = {
    RAW("event_id", EVENT_KEY, row, "Key; the events of a capture in order of time.", .bound = TT_BOUND_ID),
    RAW("n", COUNT, number, "Number as in `dump`; null: derived, a definition.", .is_identity = true),
    RAW("ts", AT, time, "Time on the capture's clock.", .bound = TT_BOUND_TIME),
    RAW("cpu", CPU, event.cpu, "CPU; null: not recorded.", .bound = TT_BOUND_CPU),
    RAW("utid", KEY, event.thread, "Thread: key of `threads`; null: none.", .bound = TT_BOUND_THREAD),
    RAW("pid", LANE_PID, event.thread, "Number of its process.", .bound = TT_BOUND_PID),
    RAW("tid", LANE_TID, event.thread, "Its number in the process.", .bound = TT_BOUND_TID),
    RAW("thread", LANE_NAME, event.thread, "Its name as in `dump`."),
    RAW("type_id", KEY, event.type, "Key of `types`.", .bound = TT_BOUND_TYPE),
    RAW("class", TEXT, class_name, "Class of the event: `KER_CALL`.", .is_lasting = true),
    RAW("event", TEXT, name, "Its name: `MSG_SENDV`.", .bound = TT_BOUND_EVENT, .is_lasting = true),
    RAW("kind", TEXT, kind, "Its kind in all formats: `enter`, `state`.", .is_lasting = true),
    RAW_MADE("args", NAME, event_args, "Its arguments as in `dump`."),
    RAW_MADE("offset", BYTES, event_offset, "Place of its first record in the file."),
    RAW_MADE("length", BYTES, event_length, "Length of that record."),
    RAW_MADE("inferred", FLAG, event_inferred, "1: the thread is the one that ran there."),
    RAW_MADE("derived", FLAG, event_derived, "1: by a rule of the format, not recorded."),
};
/* clang-format on */

const struct tt_table tt_table_event_rows = {
    NAMES("events", "Events", "Events in order of time.", "[event]"),
    COLUMNS(event_columns),
    .reads_events = true,
    .begin = begin_events,
    .next = raw_events_next_event,
    .number = event_number,
    .end = end_events,
    OF_RAW_ROWS(struct event_row, struct event_rows),
};

/* ---- arguments ---------------------------------------------------------------------------- */

/* Moves to the next visible argument. */
static enum tt_made next_argument(struct tt_table_run *run, void *row)
{
    struct event_rows *rows = run->state;
    bool more = rows->count > 0;
    rows->arg += more && rows->described;
    do {
        const struct tt_args *args = more ? raw_events_describe(rows) : NULL;
        while (args && rows->arg < args->count && args->v[rows->arg].hidden) {
            rows->arg++;
        }
        if (args && rows->arg < args->count) {
            raw_events_set_row(run, rows, row);
            return TT_MADE_PART;
        }
        more = raw_events_find_event(run, rows);
    } while (more);
    return TT_MADE_ALL;
}

static uint64_t argument_number(const struct tt_table_run *run)
{
    const struct event_rows *rows = run->state;
    return event_number(run) * TT_ARGS_MAX + rows->arg;
}

static const struct tt_arg *argument_of(const struct tt_table_run *run)
{
    const struct event_rows *rows = run->state;
    return &rows->args.v[rows->arg];
}

static TT_CELL_FUNCTION(argument_name)
{
    const struct tt_arg *arg = argument_of(run);
    (void)row;
    (void)column;
    tt_text_escaped(&cell->text, arg->name.data, arg->name.length);
    cell->kind = TT_CELL_TEXT;
}

static TT_CELL_FUNCTION(argument_integer)
{
    const struct tt_arg *arg = argument_of(run);
    (void)row;
    (void)column;
    switch ((enum tt_arg_type)arg->type) {
    case TT_ARG_I64:
        cell->kind = TT_CELL_SIGNED;
        cell->signed_number = arg->value.i;
        break;
    case TT_ARG_U64:
    case TT_ARG_HEX:
    case TT_ARG_POINTER:
    case TT_ARG_KOID:
    case TT_ARG_BOOL:
        tt_table_set_number(cell, arg->value.u);
        break;
    default:
        break;
    }
}

static TT_CELL_FUNCTION(argument_real)
{
    const struct tt_arg *arg = argument_of(run);
    argument_integer(run, column, row, cell);
    if (cell->kind != TT_CELL_NONE || arg->type == TT_ARG_DOUBLE) {
        cell->real = cell->kind == TT_CELL_SIGNED   ? (double)cell->signed_number
                     : cell->kind == TT_CELL_NUMBER ? (double)cell->number
                                                    : arg->value.d;
        cell->kind = TT_CELL_REAL;
    }
}

static TT_CELL_FUNCTION(argument_text)
{
    (void)row;
    (void)column;
    tt_line_value(&cell->text, argument_of(run));
    cell->kind = TT_CELL_TEXT;
}

/* clang-format off */
static const struct tt_table_column argument_columns[] = {
    RAW("event_id", EVENT_KEY, row, "Event: key of `events`.", .bound = TT_BOUND_ID),
    RAW("position", COUNT, argument, "Position among the arguments, from 0.", .is_identity = true),
    RAW_MADE("name", NAME, argument_name, "Name of the argument."),
    RAW_MADE("number", COUNT, argument_integer, "Value of a number or address, else null.", .is_identity = true),
    RAW_MADE("real", REAL, argument_real, "Value of any number, else null."),
    RAW_MADE("value", NAME, argument_text, "Value as in `dump`."),
    RAW("ts", AT, time, "Time of the event.", .bound = TT_BOUND_TIME),
    RAW("type_id", KEY, event.type, "Type of the event: key of `types`.", .bound = TT_BOUND_TYPE),
    RAW("event", TEXT, name, "Name of the event.", .bound = TT_BOUND_EVENT, .is_lasting = true),
};
/* clang-format on */

const struct tt_table tt_table_argument_rows = {
    NAMES("args", "Arguments",
          "Arguments of events. Read with a condition on `event_id`, `event` or the time: without "
          "one, all events are decoded.",
          "[name]"),
    COLUMNS(argument_columns),
    .reads_events = true,
    .begin = begin_events,
    .next = next_argument,
    .number = argument_number,
    .end = end_events,
    OF_RAW_ROWS(struct event_row, struct event_rows),
};
