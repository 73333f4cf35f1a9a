/* SPDX-License-Identifier: Apache-2.0 */
/*
 * counter_reader: the values of counters that are sums, which only a cursor from the tape's start can
 * compute. Values that are decoded before their event is asked for are kept in the order of the tape:
 *
 *      tape    | decoded ................... |             reached
 *      values    (asked for)  v   v  v   v
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "trace/trace_internal.h"

struct tt_counter_reader {
    const struct tt_format *format;
    struct tt_cursor *cursor;
    struct tt_batch batch;
    uint64_t limit;
    uint64_t reached; /* position of the last decoded event; */
    bool begun;       /* there is one */
    bool over;
    struct tt_action *values;
    size_t count;
    size_t capacity;
};

struct tt_counter_reader *tt_counter_reader_new(struct tt_trace *trace)
{
    struct tt_counter_reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        return NULL;
    }
    reader->format = trace->capture->format;
    if (!tt_format_has(reader->format, TT_FORMAT_SUMS)) {
        reader->over = true;
        return reader;
    }
    reader->limit = atomic_load_explicit(&trace->index.limit, memory_order_acquire);
    reader->cursor = reader->format->cursor_new(trace->capture, false);
    reader->batch = (struct tt_batch){.capacity = TT_BLOCK_EVENTS,
                                      .action_capacity = TT_BLOCK_ACTIONS,
                                      .byte_budget = TT_BLOCK_BYTES,
                                      .unwanted = ~(UINT64_C(1) << TT_ACTION_COUNTER)};
    reader->batch.events = malloc(TT_BLOCK_EVENTS * sizeof *reader->batch.events);
    reader->batch.actions = malloc(TT_BLOCK_ACTIONS * sizeof *reader->batch.actions);
    if (!reader->cursor || !reader->batch.events || !reader->batch.actions) {
        tt_counter_reader_free(reader);
        return NULL;
    }
    return reader;
}

void tt_counter_reader_free(struct tt_counter_reader *reader)
{
    if (reader) {
        tt_cursor_free(reader->format, reader->cursor);
        free(reader->batch.events);
        free(reader->batch.actions);
        free(reader->values);
        free(reader);
    }
}

static void counter_reader_decode_guarded(void *arg)
{
    struct tt_counter_reader *reader = arg;
    reader->format->decode(reader->cursor, reader->limit, true, &reader->batch);
}

/* Decodes the next events; false if out of memory. */
static bool decode_more(struct tt_counter_reader *reader, uint64_t ticks)
{
    struct tt_batch *batch = &reader->batch;
    batch->count = batch->action_count = 0;
    reader->over = !tt_sigbus_guard(counter_reader_decode_guarded, reader) || batch->count == 0;
    if (reader->over) {
        return true;
    }
    reader->reached = batch->events[batch->count - 1].pos;
    reader->begun = true;

    /* Removes the values of events before `ticks`, which are not asked for again. */
    size_t kept = 0;
    for (size_t i = 0; i < reader->count; i++) {
        if (reader->values[i].ticks >= ticks) {
            reader->values[kept++] = reader->values[i];
        }
    }
    reader->count = kept;

    for (uint32_t i = 0; i < batch->action_count; i++) {
        if (batch->actions[i].kind != TT_ACTION_COUNTER || batch->actions[i].ticks < ticks) {
            continue;
        }
        struct tt_action *more =
            tt_array_grow(reader->values, reader->count, &reader->capacity, sizeof *more);
        if (!more) {
            return false;
        }
        reader->values = more;
        reader->values[reader->count++] = batch->actions[i];
    }
    return true;
}

bool tt_counter_reader_read(struct tt_counter_reader *reader, const struct tt_event *event,
                            const struct tt_action **values, uint32_t *count)
{
    *count = 0;
    while (!reader->over && (!reader->begun || reader->reached < event->pos)) {
        if (!decode_more(reader, event->ticks)) {
            return false;
        }
    }
    size_t low = 0, high = reader->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (reader->values[middle].pos < event->pos) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *values = low < reader->count ? reader->values + low : NULL;
    while (low + *count < reader->count && reader->values[low + *count].pos == event->pos) {
        ++*count;
    }
    return true;
}
