/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan_slices: the tables slices, counters and irqs: records of programs and interrupts over time.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sql/tables.h"
#include "tracetui/counters.h"
#include "tracetui/durations.h"
#include "tracetui/slices.h"

/* ---- slices --------------------------------------------------------------------------------- */

#define SLICE_COLUMNS(X)                                                                           \
    X(SLICE_UTID, "utid", SQL_KEY, SQL_BY_THREAD, "thread: key of `threads`; null: of no thread")  \
    X(SLICE_NS, "ts_ns", SQL_NS, SQL_BY_NS, "begin")                                               \
    X(SLICE_TICKS, "ts_ticks", SQL_TICKS, SQL_BY_TICKS, "begin in ticks")                          \
    X(SLICE_END, "end_ticks", SQL_TICKS, SQL_UNBOUND, "end in ticks")                              \
    X(SLICE_DUR_NS, "dur_ns", SQL_NS, SQL_UNBOUND, "length")                                       \
    X(SLICE_DUR, "dur_ticks", SQL_TICKS, SQL_UNBOUND, "length in ticks")                           \
    X(SLICE_NAME, "name", SQL_TEXT, SQL_UNBOUND, "name")                                           \
    X(SLICE_TYPE, "type_id", SQL_KEY, SQL_UNBOUND, "key of `types`: its class and name")           \
    X(SLICE_DEPTH, "depth", SQL_NUMBER, SQL_UNBOUND, "number of slices around it")                 \
    X(SLICE_ASYNC, "is_async", SQL_FLAG, SQL_UNBOUND, "1: may end on another thread")              \
    X(SLICE_OPEN, "is_open", SQL_FLAG, SQL_UNBOUND, "1: without an end in the capture")            \
    X(SLICE_CUT, "is_cut", SQL_FLAG, SQL_UNBOUND, "1: its end may be lost")                        \
    X(SLICE_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { SLICE_COLUMNS(SQL_COLUMN_ENUM) SLICE_COLUMN_COUNT };
static const struct sql_column slice_columns[] = {SLICE_COLUMNS(SQL_COLUMN_ROW)};

struct slices {
    uint32_t thread, threads; /* `threads`: those of no thread */
    uint32_t row, rows;
    bool begun, more;
    uint64_t row_count;   /* slices of this row */
    uint64_t rows_before; /* slices of the thread in the rows before this one */
    struct tt_slice_at at, next;
    struct tt_slice slice;
};

static bool begin_slices(struct sql_scan *scan)
{
    struct slices *s = scan->state;
    s->threads = tt_thread_count(scan->c->capture);
    s->thread = UINT32_MAX;
    return true;
}

/* Goes to the next row of slices; false after the last one. */
static bool next_slice_row(struct sql_scan *scan, struct slices *s)
{
    const struct tt_timelines *t = scan->c->timelines;
    while (t && sql_check(scan)) {
        if (s->begun && s->row < s->rows) {
            uint32_t thread = s->thread < s->threads ? s->thread : TT_NO_THREAD;
            const struct tt_slice_row *row = tt_slice_row(t, thread, s->row++);
            s->rows_before += s->row_count;
            s->row_count = row ? tt_slice_count(row) : 0;
            s->more = row && tt_slice_first(t, row, scan->bounds.from, UINT64_MAX, &s->next);
            return true;
        }
        if (s->begun && s->thread >= s->threads) {
            return false;
        }
        s->thread = sql_next_thread(scan, s->begun ? s->thread + 1 : 0);
        s->begun = true;
        s->row = 0;
        s->rows_before = s->row_count = 0;
        s->rows = tt_slice_rows(t, s->thread < s->threads ? s->thread : TT_NO_THREAD);
    }
    return false;
}

static bool next_slice(struct sql_scan *scan)
{
    struct slices *s = scan->state;
    for (;;) {
        while (s->more) {
            s->at = s->next;
            s->slice = tt_slice_get(scan->c->timelines, s->at);
            s->more = tt_slice_next(&s->next) && s->slice.start <= scan->bounds.last;
            if (s->slice.start >= scan->bounds.from && s->slice.start <= scan->bounds.last) {
                return true;
            }
        }
        if (!next_slice_row(scan, s)) {
            return false;
        }
    }
}

static uint64_t slice_row(struct sql_scan *scan)
{
    const struct slices *s = scan->state;
    uint32_t lane = s->thread < s->threads ? s->thread : s->threads;
    return sql_rows_before(scan, SQL_LANES_SLICES, lane) + s->rows_before + tt_slice_index(s->at);
}

static void slice_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    const struct slices *s = scan->state;
    const struct tt_slice *slice = &s->slice;
    switch (column) {
    case SLICE_UTID:
        sql_put_key(scan, v, s->thread < s->threads ? s->thread : TT_NO_THREAD);
        break;
    case SLICE_NS:
        sql_put_ns(scan, v, slice->start);
        break;
    case SLICE_TICKS:
        sql_put_u64(v, slice->start);
        break;
    case SLICE_END:
        sql_put_u64(v, slice->end);
        break;
    case SLICE_DUR_NS:
        sql_put_ns(scan, v, slice->end - slice->start);
        break;
    case SLICE_DUR:
        sql_put_u64(v, slice->end - slice->start);
        break;
    case SLICE_NAME:
        sql_put_constant(v, scan->c->types[slice->type].text, scan->c->types[slice->type].length);
        break;
    case SLICE_TYPE:
        sql_put_key(scan, v, slice->type);
        break;
    case SLICE_DEPTH:
        sql_put_u64(v, slice->depth);
        break;
    case SLICE_ASYNC:
        sql_put_u64(v, slice->async);
        break;
    case SLICE_OPEN:
        sql_put_u64(v, slice->open);
        break;
    case SLICE_CUT:
        sql_put_u64(v, slice->cut);
        break;
    default:
        sql_put_capture(scan, v);
    }
}

const struct sql_table sql_table_slices = {
    .name = "slices",
    .group = "Slices, counters and interrupts",
    .doc = "Durations that programs record, thread by thread.",
    .columns = slice_columns,
    .column_count = SLICE_COLUMN_COUNT,
    .state_size = sizeof(struct slices),
    .size = SQL_MANY,
    .by_thread = true,
    .begin = begin_slices,
    .next = next_slice,
    .row = slice_row,
    .value = slice_value,
};

/* ---- counters ------------------------------------------------------------------------------- */

#define COUNTER_COLUMNS(X)                                                                         \
    X(COUNTER_SERIES, "series_id", SQL_KEY, SQL_BY_OBJECT, "key of the series")                    \
    X(COUNTER_NAME, "name", SQL_TEXT, SQL_UNBOUND, "its name: counter, argument, id")              \
    X(COUNTER_UPID, "upid", SQL_KEY, SQL_UNBOUND, "process that counts: key of `processes`")       \
    X(COUNTER_NS, "ts_ns", SQL_NS, SQL_BY_NS, "from this time on the value holds")                 \
    X(COUNTER_TICKS, "ts_ticks", SQL_TICKS, SQL_BY_TICKS, "the same time in ticks")                \
    X(COUNTER_END, "end_ticks", SQL_TICKS, SQL_UNBOUND, "until then")                              \
    X(COUNTER_VALUE, "value", SQL_DECIMAL, SQL_UNBOUND, "value; null: unknown")                    \
    X(COUNTER_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { COUNTER_COLUMNS(SQL_COLUMN_ENUM) COUNTER_COLUMN_COUNT };
static const struct sql_column counter_columns[] = {COUNTER_COLUMNS(SQL_COLUMN_ROW)};

struct counters {
    uint32_t series, next, end;
    bool more;
    struct tt_counter_at at, following;
    struct tt_counter_value value;
};

static bool begin_counters(struct sql_scan *scan)
{
    struct counters *s = scan->state;
    uint32_t wanted = scan->bounds.object;
    s->end = scan->c->timelines ? tt_counter_series(scan->c->timelines) : 0;
    if (wanted != UINT32_MAX) {
        s->next = wanted;
        s->end = wanted < s->end ? wanted + 1 : 0;
    }
    return true;
}

static bool next_counter(struct sql_scan *scan)
{
    struct counters *s = scan->state;
    const struct tt_timelines *t = scan->c->timelines;
    for (;;) {
        while (s->more) {
            s->at = s->following;
            s->value = tt_counter_get(t, s->at);
            s->more = tt_counter_next(t, &s->following) && s->value.start <= scan->bounds.last;
            if (s->value.start >= scan->bounds.from && s->value.start <= scan->bounds.last) {
                return true;
            }
        }
        if (s->next >= s->end || !sql_check(scan)) {
            return false;
        }
        s->series = s->next++;
        uint64_t from = scan->bounds.from; /* several values may begin there */
        s->more = (from > 0 && tt_counter_find(t, s->series, from - 1, &s->following)) ||
                  tt_counter_first(t, s->series, &s->following);
    }
}

static uint64_t counter_row(struct sql_scan *scan)
{
    const struct counters *s = scan->state;
    return sql_rows_before(scan, SQL_LANES_SERIES, s->series) +
           tt_counter_index(scan->c->timelines, s->at);
}

static void write_text(struct tt_text *text, const void *arg)
{
    tt_text_escaped(text, arg, strlen(arg));
}

static void counter_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    const struct counters *s = scan->state;
    const struct tt_series *series = tt_series_at(scan->c->capture, s->series);
    size_t length;
    switch (column) {
    case COUNTER_SERIES:
        sql_put_key(scan, v, s->series);
        break;
    case COUNTER_NAME:
        sql_put_written(scan, v, write_text,
                        tt_capture_text(scan->c->capture, series->name, &length));
        break;
    case COUNTER_UPID:
        sql_put_key(scan, v, series->process);
        break;
    case COUNTER_NS:
        sql_put_ns(scan, v, s->value.start);
        break;
    case COUNTER_TICKS:
        sql_put_u64(v, s->value.start);
        break;
    case COUNTER_END:
        sql_put_u64(v, s->value.end);
        break;
    case COUNTER_VALUE:
        if (s->value.known) {
            sql_put_real(v, s->value.value);
        }
        break;
    default:
        sql_put_capture(scan, v);
    }
}

const struct sql_table sql_table_counters = {
    .name = "counters",
    .group = "Slices, counters and interrupts",
    .doc = "Values of counters, series by series.",
    .columns = counter_columns,
    .column_count = COUNTER_COLUMN_COUNT,
    .state_size = sizeof(struct counters),
    .size = SQL_MANY,
    .begin = begin_counters,
    .next = next_counter,
    .row = counter_row,
    .value = counter_value,
};

/* ---- interrupts ----------------------------------------------------------------------------- */

#define IRQ_COLUMNS(X)                                                                             \
    X(IRQ_EVENT, "event_id", SQL_KEY, SQL_UNBOUND, "event with which it begins: key of `events`")  \
    X(IRQ_NS, "ts_ns", SQL_NS, SQL_BY_NS, "begin")                                                 \
    X(IRQ_TICKS, "ts_ticks", SQL_TICKS, SQL_BY_TICKS, "begin in ticks")                            \
    X(IRQ_DUR_NS, "dur_ns", SQL_NS, SQL_UNBOUND, "length, with nested ones; null: no end")         \
    X(IRQ_DUR, "dur_ticks", SQL_TICKS, SQL_UNBOUND, "the same in ticks")                           \
    X(IRQ_CPU, "cpu", SQL_NUMBER, SQL_BY_CPU, "CPU")                                               \
    X(IRQ_VECTOR, "vector", SQL_NUMBER, SQL_UNBOUND, "number of the interrupt, or null")           \
    X(IRQ_NAME, "event", SQL_TEXT, SQL_UNBOUND, "name of the event: `INT_ENTR`")                   \
    X(IRQ_UTID, "utid", SQL_KEY, SQL_UNBOUND, "thread that it interrupts, where known")            \
    X(IRQ_CAPTURE, "capture", SQL_TEXT, SQL_BY_CAPTURE, "name of the capture")

enum { IRQ_COLUMNS(SQL_COLUMN_ENUM) IRQ_COLUMN_COUNT };
static const struct sql_column irq_columns[] = {IRQ_COLUMNS(SQL_COLUMN_ROW)};

struct irq {
    uint64_t row, ticks;
    struct tt_event event;
    bool ended;
    bool endless; /* its end is never recorded */
};

/* Interrupts whose end is not reached yet wait in a queue, in order of their begins. */
struct irqs {
    struct tt_events *events;
    struct tt_duration_walk *walk;
    struct tt_duration_sink sink;
    uint64_t next, begin_end; /* rows: the next to read; begins are before the second one */
    struct irq *queue;
    size_t first, count, capacity;
    uint64_t unended; /* of the queue, from `first` on */
    bool over, no_memory;
    uint8_t *roles; /* enum tt_clue_role by type; NOT_READ */
    uint32_t types;
    uint8_t *wanted; /* by type: not 0 if its events have to be read */
    struct tt_type_set wanted_types;
};

#define NOT_READ UINT8_MAX

/* Returns the role of an event, which is that of its type. */
static unsigned role_of(struct irqs *s, const struct tt_event *event)
{
    struct tt_clue clue = {.role = TT_CLUE_NONE};
    if (event->type >= s->types) {
        return TT_CLUE_NONE;
    }
    if (s->roles[event->type] == NOT_READ) {
        tt_events_clue(s->events, event, false, &clue);
        s->roles[event->type] = clue.role;
        s->wanted[event->type] =
            clue.role == TT_CLUE_DELIVER || (TT_EDGES_OF_INTERRUPTS >> event->kind & 1);
    }
    return s->roles[event->type];
}

/* Adds an interrupt to the queue, in the order of rows. */
static bool add_irq(struct irqs *s, struct irq irq)
{
    if (s->first == s->count) {
        s->first = s->count = 0;
    }
    struct irq *more = tt_array_grow(s->queue, s->count, &s->capacity, sizeof *more);
    if (!more) {
        s->no_memory = true;
        return false;
    }
    s->queue = more;
    size_t at = s->count++;
    for (; at > s->first && s->queue[at - 1].row > irq.row; at--) {
        s->queue[at] = s->queue[at - 1];
    }
    s->queue[at] = irq;
    return true;
}

static bool want_irq(void *arg, const struct tt_event *event, uint64_t row)
{
    struct irqs *s = arg;
    if (row >= s->begin_end || role_of(s, event) != TT_CLUE_IRQ) {
        return false; /* beyond the bounds, or no interrupt but a handler */
    }
    return add_irq(s, (struct irq){.row = row, .event = *event});
}

/* Adds the interrupts without an end (INT_DELIVER) among the events of a step. */
static bool add_delivered(struct irqs *s)
{
    uint32_t count;
    const uint64_t *rows;
    const struct tt_event *events = tt_duration_walk_events(s->walk, &rows, &count);
    bool ok = true;
    for (uint32_t i = 0; i < count && ok && rows[i] < s->begin_end; i++) {
        if (role_of(s, &events[i]) == TT_CLUE_DELIVER) {
            ok = add_irq(s, (struct irq){.row = rows[i], .event = events[i], .endless = true});
        }
    }
    return ok;
}

static void take_irq(void *arg, uint64_t row, uint64_t ticks)
{
    struct irqs *s = arg;
    size_t low = s->first, high = s->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->queue[middle].row < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < s->count && s->queue[low].row == row) {
        s->queue[low].ticks = ticks;
        s->queue[low].ended = true;
    }
}

static bool begin_irqs(struct sql_scan *scan)
{
    struct irqs *s = scan->state;
    const struct sql_bounds *b = &scan->bounds;
    s->events = sql_events(scan->c);
    s->walk = tt_duration_walk_new(scan->c->trace);
    s->types = tt_types_count(scan->c->capture);
    s->roles = malloc((size_t)s->types + 1);
    s->wanted = malloc((size_t)s->types + 1);
    if (!s->events || !s->walk || !s->roles || !s->wanted) {
        return sql_fail(scan, tt_error_memory());
    }
    memset(s->roles, NOT_READ, s->types);
    memset(s->wanted, 1, s->types);
    s->wanted_types = (struct tt_type_set){s->wanted, s->types};
    s->sink = (struct tt_duration_sink){want_irq, take_irq, s, TT_EDGES_OF_INTERRUPTS};
    tt_duration_walk_types(s->walk, &s->wanted_types);
    s->next = b->from > 0 ? tt_events_row_at_time(s->events, b->from) : 0;
    s->begin_end = b->last < UINT64_MAX ? tt_events_row_at_time(s->events, b->last + 1)
                                        : tt_events_rows(s->events);
    return true;
}

static bool is_settled(const struct irq *irq)
{
    return irq->ended || irq->endless;
}

/* Reads on until the first interrupt of the queue has ended; false after an error. */
static bool read_irqs(struct sql_scan *scan)
{
    struct irqs *s = scan->state;
    while (!s->over && (s->first == s->count || !is_settled(&s->queue[s->first]))) {
        struct tt_status status = tt_ok();
        if (!sql_check(scan)) {
            return false;
        }
        uint32_t read =
            tt_duration_walk_step(s->walk, s->events, s->next, UINT64_MAX, &s->sink, &status);
        if (tt_failed(&status) || s->no_memory || !add_delivered(s)) {
            return sql_fail(scan, tt_error_memory());
        }
        s->next += read;
        s->over = read == 0 || (s->next >= s->begin_end && s->first == s->count);
    }
    return true;
}

static bool next_irq(struct sql_scan *scan)
{
    struct irqs *s = scan->state;
    s->first += s->unended; /* the row that was read last */
    do {
        s->unended = 0;
        if (!read_irqs(scan) || s->first == s->count) {
            return false;
        }
        s->unended = 1;
        if (scan->bounds.cpu == UINT32_MAX || s->queue[s->first].event.cpu == scan->bounds.cpu) {
            return true;
        }
        s->first++;
    } while (true);
}

static uint64_t irq_row(struct sql_scan *scan)
{
    const struct irqs *s = scan->state;
    return s->queue[s->first].row;
}

static void end_irqs(struct sql_scan *scan)
{
    struct irqs *s = scan->state;
    tt_duration_walk_free(s->walk);
    free(s->queue);
    free(s->roles);
    free(s->wanted);
}

static void irq_value(struct sql_scan *scan, unsigned column, struct sql_value *v)
{
    struct irqs *s = scan->state;
    const struct irq *irq = &s->queue[s->first];
    struct tt_clue clue = {.role = TT_CLUE_NONE};
    switch (column) {
    case IRQ_EVENT:
        sql_put_u64(v, sql_key(scan->c, irq->row));
        break;
    case IRQ_NS:
        sql_put_ns(scan, v, irq->event.ticks);
        break;
    case IRQ_TICKS:
        sql_put_u64(v, irq->event.ticks);
        break;
    case IRQ_DUR_NS:
        if (irq->ended) {
            sql_put_ns(scan, v, irq->ticks);
        }
        break;
    case IRQ_DUR:
        if (irq->ended) {
            sql_put_u64(v, irq->ticks);
        }
        break;
    case IRQ_CPU:
        sql_put_cpu(v, irq->event.cpu);
        break;
    case IRQ_VECTOR:
        tt_events_clue(s->events, &irq->event, true, &clue);
        if (clue.role == TT_CLUE_IRQ || clue.role == TT_CLUE_DELIVER) {
            sql_put_u64(v, clue.value);
        }
        break;
    case IRQ_NAME:
        sql_put_constant(v, scan->c->types[irq->event.type].text,
                         scan->c->types[irq->event.type].length);
        break;
    case IRQ_UTID:
        sql_put_key(scan, v, irq->event.thread);
        break;
    default:
        sql_put_capture(scan, v);
    }
}

const struct sql_table sql_table_irqs = {
    .name = "irqs",
    .group = "Slices, counters and interrupts",
    .doc = "Interrupts in order of time.",
    .columns = irq_columns,
    .column_count = IRQ_COLUMN_COUNT,
    .state_size = sizeof(struct irqs),
    .size = SQL_EVENTS,
    .in_time_order = true,
    .begin = begin_irqs,
    .next = next_irq,
    .row = irq_row,
    .value = irq_value,
    .end = end_irqs,
};
