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

/* Returns entry `index`, if its bytes are before `end`; otherwise NULL. */
static const uint8_t *entry_at(const struct tt_cursor *cursor, uint32_t index, uint64_t end)
{
    const struct trx_decoder *d = cursor->d;
    uint64_t offset = trx_entry_offset(d, index);
    bool is_there = offset <= end && end - offset >= d->header.entry_size;
    return is_there ? cursor->capture->bytes.data + offset : NULL;
}

enum reading { READ, READ_NOTHING, READ_MEMORY };

/* Returns the type of an id, which the learning cursor adds if new; NULL when out of memory. */
static inline const struct trx_type *type_of(const struct tt_cursor *cursor, uint32_t id)
{
    const struct trx_type *type = trx_type_find(cursor->d, id);
    return type || !cursor->learn ? type : trx_type_make(cursor->d, id);
}

/*
 * Decodes the RUNNING after entry index - 1, which begins at `at`. READ_NOTHING: no event of its type was
 * decoded yet.
 */
static enum reading decode_derived(struct tt_cursor *cursor, const uint8_t *at,
                                   struct tt_batch *batch)
{
    const struct trx_decoder *d = cursor->d;
    const struct trx_type *type = type_of(cursor, TRX_ID_RUNNING);
    if (!type) {
        return cursor->learn ? READ_MEMORY : READ_NOTHING;
    }
    const struct trx_step *step = &d->plan.steps[cursor->place.index - 1];
    uint32_t core = trx_core_of(trx_word(&d->header, at, TRX_WORD_EVENT));
    bool late = step->context & TRX_STEP_LATE;
    batch->events[batch->count++] = (struct tt_event){
        .ticks = trx_ticks_add(cursor->place.ticks, late ? TRX_DERIVED_DELAY : 0),
        .pos = trx_cursor_pos(cursor),
        .type = type->number,
        .thread = trx_context_thread(d, step->next),
        .cpu = core < d->plan.cores ? (uint16_t)core : TT_NO_CPU,
        .kind = TT_KIND_SWITCH,
        .flags = TT_EVENT_DERIVED,
    };
    cursor->place.derived = 0;
    return READ;
}

/* Reports an event that is malformed or that no product has. */
static TRX_RARE void report_event(const struct tt_cursor *cursor, uint64_t word,
                                  const struct tt_event *event)
{
    struct tt_capture *c = cursor->capture;
    uint64_t offset = trx_entry_offset(cursor->d, cursor->place.index);
    if (event->flags & TT_EVENT_MALFORMED) {
        tt_health_add(c, TT_HEALTH_MALFORMED, offset, event->pos, word,
                      "event word with a core above 31");
    } else {
        tt_health_add(c, TT_HEALTH_UNKNOWN_EVENT, offset, event->pos, trx_id_of(word),
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

static inline bool has_room(const struct tt_batch *batch)
{
    return batch->count < batch->capacity &&
           (!batch->actions ||
            batch->action_capacity - batch->action_count >= TT_ACTIONS_PER_EVENT);
}

/* Position at which a batch ends that begins at the cursor. */
static uint64_t end_of_budget(const struct tt_cursor *cursor, const struct tt_batch *batch)
{
    uint64_t from = trx_cursor_pos(cursor), budget = batch->byte_budget;
    return budget == 0 || budget > UINT64_MAX - from ? UINT64_MAX : from + budget;
}

/* Decodes the current entry, which begins at s->at, as `event`. */
static TRX_HOT enum reading decode_entry(struct tt_cursor *cursor, struct trx_scene *s, bool usual,
                                         uint64_t pos, struct tt_event *event)
{
    const struct trx_decoder *d = cursor->d;
    const struct trx_step *step = &d->plan.steps[cursor->place.index];
    const uint64_t word = trx_word_if(usual, s->header, s->at, TRX_WORD_EVENT);
    const uint32_t core = trx_core_of(word), context = step->context & TRX_STEP_CONTEXT;
    const bool is_core = core < d->plan.cores;
    const struct trx_type *type = type_of(cursor, trx_id_of(word));
    if (TRX_RARELY(!type)) {
        return cursor->learn ? READ_MEMORY : READ_NOTHING;
    }
    step_time(d, &cursor->place, trx_word_if(usual, s->header, s->at, TRX_WORD_STAMP));
    event->ticks = cursor->place.ticks;
    event->pos = pos;
    event->type = type->number;
    event->thread = d->contexts.items[context].thread;
    event->length = d->header.entry_size;
    event->cpu = is_core ? (uint16_t)core : TT_NO_CPU;
    event->kind = type->kind;
    event->flags = is_core ? 0 : TT_EVENT_MALFORMED;
    if (TRX_RARELY(cursor->learn && (!is_core || type->unknown))) {
        report_event(cursor, word, event);
    }
    if (is_core) {
        s->step = step;
        s->event = event;
        s->occupant = &cursor->cores[core];
        s->context = context;
        s->core = core;
        s->id = trx_id_of(word);
        trx_act(s, (enum trx_effect)type->effect);
    }
    tt_batch_note(s->batch, event);
    cursor->place.index++;
    cursor->place.derived = (step->context & TRX_STEP_DERIVED) != 0;
    return READ;
}

/*
 * Returns the entry up to which entries follow each other in the file from the current one, at `at`, and
 * are before `end`.
 */
static uint32_t end_of_entries(const struct tt_cursor *cursor, const uint8_t *at, uint64_t end,
                               uint32_t ready)
{
    const struct trx_plan *plan = &cursor->d->plan;
    const uint32_t index = cursor->place.index, wrap = plan->entries - plan->first;
    uint64_t offset = (uint64_t)(at - cursor->capture->bytes.data);
    uint64_t there = (end - offset) / cursor->d->header.entry_size;
    uint32_t stop = index < wrap && wrap < ready ? wrap : ready;
    return stop - index > there ? index + (uint32_t)there : stop;
}

/* Decodes entries up to `stop`, and the RUNNING after each, until the batch is full. */
static TRX_HOT enum reading decode_entries(struct tt_cursor *cursor, struct trx_scene *s,
                                           bool usual, uint32_t stop, uint64_t budget_end)
{
    struct tt_batch *batch = s->batch;
    const uint32_t size = s->header->entry_size;
    uint64_t pos = (uint64_t)cursor->place.index * size;
    while (cursor->place.index < stop && has_room(batch) && pos < budget_end) {
        tt_prefetch(s->at + TT_AHEAD_BYTES);
        enum reading read = decode_entry(cursor, s, usual, pos, &batch->events[batch->count]);
        if (read != READ) {
            return read;
        }
        batch->count++;
        batch->records++;
        if (cursor->place.derived) {
            if (!has_room(batch) || pos + 1 >= budget_end) {
                break;
            }
            read = decode_derived(cursor, s->at, batch);
            if (read != READ) {
                return read;
            }
        }
        s->at += size;
        pos += size;
    }
    return READ;
}

/*
 * Decodes entries with complete steps, which are `ready`, until the batch is full or the ring wraps.
 * READ_NOTHING: the bytes of the current entry are not before `end`.
 */
static enum reading decode_ready(struct tt_cursor *cursor, uint32_t ready, uint64_t end,
                                 uint64_t budget_end, struct tt_batch *batch)
{
    struct trx_scene s = {.cursor = cursor, .header = &cursor->d->header, .batch = batch};
    s.at = entry_at(cursor, cursor->place.index, end);
    if (!s.at) {
        return READ_NOTHING;
    }
    uint32_t stop = end_of_entries(cursor, s.at, end, ready);
    return trx_is_usual(s.header) ? decode_entries(cursor, &s, true, stop, budget_end)
                                  : decode_entries(cursor, &s, false, stop, budget_end);
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
    const uint64_t budget_end = end_of_budget(cursor, batch);
    uint32_t ready = atomic_load_explicit(&d->ready, memory_order_acquire);
    const uint64_t end = d->image ? cursor->capture->bytes.size : limit;
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
        if (trx_cursor_pos(cursor) >= budget_end || !has_room(batch)) {
            return TT_DECODE_MORE;
        }
        enum reading read;
        if (cursor->place.derived) {
            const uint8_t *at = entry_at(cursor, cursor->place.index - 1, end);
            read = at ? decode_derived(cursor, at, batch) : READ_NOTHING;
        } else {
            read = decode_ready(cursor, ready, end, budget_end, batch);
        }
        if (read != READ) {
            return read == READ_MEMORY ? TT_DECODE_MEMORY : TT_DECODE_END;
        }
    }
    return TT_DECODE_END;
}
