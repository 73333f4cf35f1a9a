/* SPDX-License-Identifier: Apache-2.0 */
/* trx_decode: walks the ring: one event per entry, and the derived RUNNING events of the plan. */
#include "format/trx/trx_decode.h"

#include "base/prefetch.h"

#include <stdlib.h>
#include <string.h>

static void start(struct tt_cursor *cursor)
{
    memset(&cursor->place, 0, sizeof cursor->place);
    for (size_t i = 0; i < TRX_CORES; i++) {
        cursor->cores[i] = (struct trx_occupant){TRX_NO_CONTEXT, 0, 0, 0};
    }
}

struct tt_cursor *trx_cursor_new(struct tt_capture *c, bool learn)
{
    struct tt_cursor *cursor = calloc(1, sizeof *cursor);
    if (cursor) {
        cursor->d = c->decoder;
        cursor->capture = c;
        cursor->learn = learn;
        start(cursor);
    }
    return cursor;
}

void trx_cursor_free(struct tt_cursor *cursor)
{
    free(cursor);
}

static bool is_ordered(const struct trx_decoder *d)
{
    return atomic_load_explicit(&d->ordered, memory_order_acquire);
}

/* Before the ring scan nothing has been read: all occupants are equal and are not saved. */
static size_t saved_cores(const struct tt_cursor *cursor)
{
    return is_ordered(cursor->d) && cursor->place.index > 0 ? cursor->d->plan.cores : 0;
}

size_t trx_cursor_save(const struct tt_cursor *cursor, void *blob, size_t capacity)
{
    size_t cores = saved_cores(cursor) * sizeof cursor->cores[0];
    size_t size = sizeof cursor->place + cores;
    if (size <= capacity) {
        memcpy(blob, &cursor->place, sizeof cursor->place);
        memcpy((uint8_t *)blob + sizeof cursor->place, cursor->cores, cores);
    }
    return size;
}

void trx_cursor_load(struct tt_cursor *cursor, const void *blob, size_t size)
{
    start(cursor);
    if (size < sizeof cursor->place || size > sizeof cursor->place + sizeof cursor->cores) {
        return;
    }
    memcpy(&cursor->place, blob, sizeof cursor->place);
    memcpy(cursor->cores, (const uint8_t *)blob + sizeof cursor->place,
           size - sizeof cursor->place);
}

uint64_t trx_cursor_pos(const struct tt_cursor *cursor)
{
    uint64_t pos = (uint64_t)cursor->place.index * cursor->d->header.entry_size;
    return cursor->place.derived ? pos - cursor->d->header.entry_size + 1 : pos;
}

/* Loads entry `index`, if its bytes are before `end`. */
static inline bool load_entry(const struct tt_cursor *cursor, uint32_t index, uint64_t end,
                              struct trx_entry *entry)
{
    const struct trx_decoder *d = cursor->d;
    uint64_t offset = trx_entry_offset(d, index);
    if (offset > end || end - offset < d->header.entry_size) {
        return false;
    }
    tt_prefetch(cursor->capture->bytes.data + offset + TT_AHEAD_BYTES);
    trx_entry_load(&d->header, cursor->capture->bytes.data + offset, entry);
    return true;
}

enum reading { READ, READ_NOTHING, READ_MEMORY };

/* Returns the type of an id, which the learning cursor adds if new; NULL when out of memory. */
static inline const struct trx_type *type_of(const struct tt_cursor *cursor, uint32_t id)
{
    const struct trx_type *type = trx_type_find(cursor->d, id);
    return type || !cursor->learn ? type : trx_type_make(cursor->d, id);
}

/* Decodes the RUNNING after entry index - 1. READ_NOTHING: its bytes are gone. */
static enum reading decode_derived(struct tt_cursor *cursor, uint64_t end, struct tt_batch *batch)
{
    const struct trx_decoder *d = cursor->d;
    struct trx_entry entry;
    if (!load_entry(cursor, cursor->place.index - 1, end, &entry)) {
        return READ_NOTHING;
    }
    const struct trx_type *type = type_of(cursor, TRX_ID_RUNNING);
    if (!type) {
        return cursor->learn ? READ_MEMORY : READ_NOTHING;
    }
    const struct trx_step *step = &d->plan.steps[cursor->place.index - 1];
    uint32_t core = trx_core_of(entry.event);
    bool late = step->context & TRX_STEP_LATE;
    struct tt_event *event = &batch->events[batch->count++];
    memset(event, 0, sizeof *event);
    event->ticks = trx_ticks_add(cursor->place.ticks, late ? TRX_DERIVED_DELAY : 0);
    event->pos = trx_cursor_pos(cursor);
    event->type = type->number;
    event->thread = trx_context_thread(d, step->next);
    event->cpu = core < d->plan.cores ? (uint16_t)core : TT_NO_CPU;
    event->kind = TT_KIND_SWITCH;
    event->flags = TT_EVENT_DERIVED;
    cursor->place.derived = 0;
    return READ;
}

/* Reports an event that is malformed or that no product has. */
static void report_event(const struct tt_cursor *cursor, const struct trx_entry *entry,
                         const struct tt_event *event)
{
    struct tt_capture *c = cursor->capture;
    uint64_t offset = trx_entry_offset(cursor->d, cursor->place.index);
    if (event->flags & TT_EVENT_MALFORMED) {
        tt_health_add(c, TT_HEALTH_MALFORMED, offset, event->pos, entry->event,
                      "event word with a core above 31");
    } else {
        tt_health_add(c, TT_HEALTH_UNKNOWN_EVENT, offset, event->pos, trx_id_of(entry->event),
                      "event id that no product has");
    }
}

/* Steps the time to the entry with this stamp. */
static inline void step_time(const struct trx_decoder *d, struct trx_place *place, uint64_t stamp)
{
    stamp &= d->header.mask;
    if (place->index > 0) {
        uint64_t ticks =
            trx_ticks_between(place->stamp, stamp, d->header.mask, d->plan.counts_down);
        place->ticks = trx_ticks_add(place->ticks, ticks);
    }
    place->stamp = stamp;
}

static inline enum reading decode_entry(struct tt_cursor *cursor, uint64_t end,
                                        struct tt_batch *batch)
{
    const struct trx_decoder *d = cursor->d;
    struct trx_place *place = &cursor->place;
    struct trx_entry entry;
    if (!load_entry(cursor, place->index, end, &entry)) {
        return READ_NOTHING;
    }
    const struct trx_type *type = type_of(cursor, trx_id_of(entry.event));
    if (!type) {
        return cursor->learn ? READ_MEMORY : READ_NOTHING;
    }
    const struct trx_step *step = &d->plan.steps[place->index];
    step_time(d, place, entry.stamp);
    uint32_t context = step->context & TRX_STEP_CONTEXT;
    uint32_t core = trx_core_of(entry.event);
    bool is_core = core < d->plan.cores;
    struct tt_event *event = &batch->events[batch->count];
    *event = (struct tt_event){
        .ticks = place->ticks,
        .pos = (uint64_t)place->index * d->header.entry_size,
        .type = type->number,
        .thread = trx_context_thread(d, context),
        .length = d->header.entry_size,
        .cpu = is_core ? (uint16_t)core : TT_NO_CPU,
        .kind = type->kind,
        .flags = is_core ? 0 : TT_EVENT_MALFORMED,
    };
    if (cursor->learn && (!is_core || type->unknown)) {
        report_event(cursor, &entry, event);
    }
    if (is_core) {
        struct trx_moment moment = {&entry, step, context, core};
        trx_act(cursor, &moment, batch);
    }
    tt_batch_note(batch, event);
    batch->count++;
    batch->records++;
    place->index++;
    place->derived = (step->context & TRX_STEP_DERIVED) != 0;
    return READ;
}

static bool has_room(const struct tt_batch *batch)
{
    return batch->count < batch->capacity &&
           (!batch->actions ||
            batch->action_capacity - batch->action_count >= TT_ACTIONS_PER_EVENT);
}

enum tt_decode_result trx_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                 struct tt_batch *batch)
{
    struct trx_decoder *d = cursor->d;
    if (!is_ordered(d)) {
        enum trx_plan_result made =
            cursor->learn ? trx_plan_make(d, limit, final) : TRX_PLAN_NOT_YET;
        if (made != TRX_PLAN_READY) {
            return made == TRX_PLAN_MEMORY ? TT_DECODE_MEMORY : TT_DECODE_END;
        }
    }
    uint64_t from = trx_cursor_pos(cursor);
    uint64_t end = d->image ? cursor->capture->bytes.size : limit;
    uint32_t ready = atomic_load_explicit(&d->ready, memory_order_acquire);
    while (cursor->place.derived || cursor->place.index < d->plan.entries) {
        if (!cursor->place.derived && cursor->place.index >= ready) {
            if (!cursor->learn) {
                return TT_DECODE_END;
            }
            if (!trx_plan_extend(d)) {
                return TT_DECODE_MEMORY;
            }
            ready = atomic_load_explicit(&d->ready, memory_order_relaxed);
        }
        bool spent = batch->byte_budget != 0 && trx_cursor_pos(cursor) - from >= batch->byte_budget;
        if (spent || !has_room(batch)) {
            return TT_DECODE_MORE;
        }
        enum reading read = cursor->place.derived ? decode_derived(cursor, end, batch)
                                                  : decode_entry(cursor, end, batch);
        if (read != READ) {
            return read == READ_MEMORY ? TT_DECODE_MEMORY : TT_DECODE_END;
        }
    }
    return TT_DECODE_END;
}
