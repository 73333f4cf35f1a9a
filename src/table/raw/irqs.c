/* SPDX-License-Identifier: Apache-2.0 */
/* irqs: interrupts in order of time. */
#include <stdlib.h>
#include <string.h>

#include "analysis/causes/durations.h"
#include "base/array.h"
#include "table/raw/bounds.h"
#include "tracetui/trace.h"

struct irq {
    uint64_t row, ticks;
    struct tt_event event;
    bool ended;
    bool endless; /* its end is never recorded */
};

/* Interrupts whose end is not reached yet wait in a queue, in order of their begins. */
struct irq_rows {
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
static unsigned raw_irqs_role_of(struct irq_rows *rows, const struct tt_event *event)
{
    struct tt_clue clue = {.role = TT_CLUE_NONE};
    if (event->type >= rows->types) {
        return TT_CLUE_NONE;
    }
    if (rows->roles[event->type] == NOT_READ) {
        tt_events_clue(rows->events, event, false, &clue);
        rows->roles[event->type] = clue.role;
        rows->wanted[event->type] =
            clue.role == TT_CLUE_DELIVER || (TT_EDGES_OF_INTERRUPTS >> event->kind & 1);
    }
    return rows->roles[event->type];
}

/* Adds an interrupt to the queue, in the order of rows. */
static bool add_irq(struct irq_rows *rows, struct irq irq)
{
    if (rows->first == rows->count) {
        rows->first = rows->count = 0;
    }
    struct irq *more = tt_array_grow(rows->queue, rows->count, &rows->capacity, sizeof *more);
    if (!more) {
        rows->no_memory = true;
        return false;
    }
    rows->queue = more;
    size_t at = rows->count++;
    for (; at > rows->first && rows->queue[at - 1].row > irq.row; at--) {
        rows->queue[at] = rows->queue[at - 1];
    }
    rows->queue[at] = irq;
    return true;
}

static bool want_irq(void *arg, const struct tt_event *event, uint64_t row)
{
    struct irq_rows *rows = arg;
    if (row >= rows->begin_end || raw_irqs_role_of(rows, event) != TT_CLUE_IRQ) {
        return false; /* beyond the bounds, or no interrupt but a handler */
    }
    return add_irq(rows, (struct irq){.row = row, .event = *event});
}

static void add_irq_row(void *arg, uint64_t row, uint64_t ticks)
{
    struct irq_rows *rows = arg;
    size_t low = rows->first, high = rows->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows->queue[middle].row < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < rows->count && rows->queue[low].row == row) {
        rows->queue[low].ticks = ticks;
        rows->queue[low].ended = true;
    }
}

static bool begin_irqs(struct tt_table_run *run)
{
    struct irq_rows *rows = run->state;
    rows->events = run->request.events;
    rows->walk = tt_duration_walk_new(run->request.trace);
    rows->types = tt_types_count(run->capture);
    rows->roles = malloc((size_t)rows->types + 1);
    rows->wanted = malloc((size_t)rows->types + 1);
    if (!rows->walk || !rows->roles || !rows->wanted) {
        return false;
    }
    memset(rows->roles, NOT_READ, rows->types);
    memset(rows->wanted, 1, rows->types);
    rows->wanted_types = (struct tt_type_set){rows->wanted, rows->types};
    rows->sink = (struct tt_duration_sink){want_irq, add_irq_row, rows, TT_EDGES_OF_INTERRUPTS};
    tt_duration_walk_types(rows->walk, &rows->wanted_types);
    uint64_t from = run->bounds.from, last = run->bounds.last;
    rows->next = from > 0 ? tt_events_row_at_time(rows->events, from) : 0;
    rows->begin_end = last < UINT64_MAX ? tt_events_row_at_time(rows->events, last + 1)
                                        : tt_events_rows(rows->events);
    return true;
}

/* Reads on until the first interrupt of the queue has ended; false if out of memory. */
static bool read_irqs(const struct tt_table_run *run, struct irq_rows *irq_rows)
{
    while (!irq_rows->over &&
           (irq_rows->first == irq_rows->count || !(irq_rows->queue[irq_rows->first].ended ||
                                                    irq_rows->queue[irq_rows->first].endless))) {
        struct tt_status status = tt_ok();
        if (tt_raw_is_stopped(run)) {
            irq_rows->over = true;
            irq_rows->first = irq_rows->count;
            break;
        }
        uint32_t read = tt_duration_walk_step(irq_rows->walk, irq_rows->events, irq_rows->next,
                                              UINT64_MAX, &irq_rows->sink, &status);
        if (tt_failed(&status) || irq_rows->no_memory) {
            return false;
        }
        /* Those without an end (INT_DELIVER). */
        uint32_t count;
        const uint64_t *rows;
        const struct tt_event *events = tt_duration_walk_events(irq_rows->walk, &rows, &count);
        for (uint32_t i = 0; i < count && rows[i] < irq_rows->begin_end; i++) {
            if (raw_irqs_role_of(irq_rows, &events[i]) == TT_CLUE_DELIVER &&
                !add_irq(irq_rows,
                         (struct irq){.row = rows[i], .event = events[i], .endless = true})) {
                return false;
            }
        }
        irq_rows->next += read;
        irq_rows->over = read == 0 || (irq_rows->next >= irq_rows->begin_end &&
                                       irq_rows->first == irq_rows->count);
    }
    return true;
}

struct irq_row {
    struct tt_event event;
    uint64_t row, time;
    uint64_t length; /* TT_TABLE_NONE: no end */
    const char *name;
};

static enum tt_made next_irq(struct tt_table_run *run, void *room)
{
    struct irq_rows *rows = run->state;
    const struct irq *irq;
    do {
        rows->first += rows->unended; /* the row that was read last */
        rows->unended = 0;
        if (!read_irqs(run, rows)) {
            return TT_MADE_NO_MEMORY;
        }
        if (rows->first == rows->count) {
            return TT_MADE_ALL;
        }
        rows->unended = 1;
        irq = &rows->queue[rows->first];
    } while (run->bounds.cpu != UINT32_MAX && irq->event.cpu != run->bounds.cpu);
    *(struct irq_row *)room =
        (struct irq_row){.event = irq->event,
                         .row = irq->row,
                         .time = irq->event.ticks,
                         .length = irq->ended ? irq->ticks : TT_TABLE_NONE,
                         .name = tt_types_at(run->capture, irq->event.type)->name};
    return TT_MADE_PART;
}

static uint64_t irq_number(const struct tt_table_run *run)
{
    const struct irq_rows *rows = run->state;
    return rows->queue[rows->first].row;
}

static void end_irqs(struct tt_table_run *run)
{
    struct irq_rows *rows = run->state;
    tt_duration_walk_free(rows->walk);
    free(rows->queue);
    free(rows->roles);
    free(rows->wanted);
}

static TT_CELL_FUNCTION(vector)
{
    const struct irq_rows *rows = run->state;
    struct tt_clue clue = {.role = TT_CLUE_NONE};
    (void)column;
    tt_events_clue(rows->events, &((const struct irq_row *)row)->event, true, &clue);
    if (clue.role == TT_CLUE_IRQ || clue.role == TT_CLUE_DELIVER) {
        tt_table_set_number(cell, clue.value);
    }
}

#define ROW struct irq_row

/* clang-format off */
static const struct tt_table_column columns[] = {
    RAW("event_id", EVENT_KEY, row, "Event with which it begins: key of `events`."),
    RAW("ts", AT, time, "When it began.", .bound = TT_BOUND_TIME),
    RAW("dur", TIME_US, length, "Time from its begin to its end, with nested ones; null: no end."),
    RAW("cpu", CPU, event.cpu, "CPU.", .bound = TT_BOUND_CPU),
    RAW_MADE("vector", COUNT, vector, "Number of the interrupt, or null.", .is_identity = true),
    RAW("event", TEXT, name, "Name of the event: `INT_ENTR`.", .is_lasting = true),
    RAW("utid", KEY, event.thread, "Thread that it interrupts, where known."),
};
/* clang-format on */

const struct tt_table tt_table_irq_rows = {
    NAMES("irqs", "Interrupts", "Interrupts in order of time.", "interrupt [vector]"),
    COLUMNS(columns),
    .reads_events = true,
    .begin = begin_irqs,
    .next = next_irq,
    .number = irq_number,
    .end = end_irqs,
    OF_RAW_ROWS(struct irq_row, struct irq_rows),
};
