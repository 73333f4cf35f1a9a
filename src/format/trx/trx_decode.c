/* SPDX-License-Identifier: Apache-2.0 */
/* trx_decode: walks the ring: one event per entry, and the derived RUNNING events of the plan. */
#include "format/trx/trx_decode.h"

#include "base/prefetch.h"

#include <stdlib.h>
#include <string.h>

void trx_cursor_forget(struct tt_cursor *cursor)
{
    for (size_t i = 0; i < TRX_CORES; i++) {
        cursor->cores[i] = (struct trx_occupant){TRX_NO_CONTEXT, 0, 0, 0};
    }
}

static void trx_decode_start(struct tt_cursor *cursor)
{
    memset(&cursor->place, 0, sizeof cursor->place);
    trx_cursor_forget(cursor);
}

struct tt_cursor *trx_cursor_new(struct tt_capture *capture, bool learn)
{
    struct tt_cursor *cursor = calloc(1, sizeof *cursor);
    if (cursor) {
        cursor->d = capture->decoder;
        cursor->capture = capture;
        cursor->learn = learn;
        trx_decode_start(cursor);
    }
    return cursor;
}

void trx_cursor_free(struct tt_cursor *cursor)
{
    free(cursor);
}

static bool is_ordered(const struct trx_decoder *decoder)
{
    return atomic_load_explicit(&decoder->ordered, memory_order_acquire);
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
    trx_decode_start(cursor);
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
static const uint8_t *trx_decode_entry_at(const struct tt_cursor *cursor, uint32_t index,
                                          uint64_t end)
{
    const struct trx_decoder *decoder = cursor->d;
    uint64_t offset = trx_entry_offset(decoder, index);
    bool is_there = offset <= end && end - offset >= decoder->header.entry_size;
    return is_there ? trx_entry_at(decoder, index) : NULL;
}

enum reading { READ, READ_NOTHING, READ_MEMORY };

/* Returns the code of an id that the table of codes does not have; 0: not seen, or out of memory. */
static TRX_RARE uint64_t code_of_other(const struct tt_cursor *cursor, uint32_t id)
{
    const struct trx_type *type = trx_type_find(cursor->d, id);
    return trx_code_of(type || !cursor->learn ? type : trx_type_make(cursor->d, id));
}

/* Returns the code of an id, whose type the learning cursor adds if new; 0 as above. */
static inline uint64_t code_of(const struct tt_cursor *cursor, uint32_t id)
{
    uint64_t code =
        id < TRX_CODES ? atomic_load_explicit(&cursor->d->codes[id], memory_order_acquire) : 0;
    return TRX_RARELY(code == 0) ? code_of_other(cursor, id) : code;
}

/* Fills in the RUNNING after entry `index`, which occurred on `core`, or TRX_NO_CORE, at `ticks`. */
static TRX_HOT void set_running(const struct trx_decoder *decoder, uint64_t code, uint32_t index,
                                uint32_t core, uint64_t ticks, struct tt_event *event)
{
    const struct trx_step *step = &decoder->plan.steps[index];
    event->ticks = trx_ticks_add(ticks, step->context & TRX_STEP_LATE ? TRX_DERIVED_DELAY : 0);
    event->pos = (uint64_t)index * decoder->header.entry_size + 1;
    event->type = (uint32_t)code - 1;
    event->thread = decoder->contexts.items[step->next].thread;
    event->length = 0;
    event->cpu = core < decoder->plan.cores ? (uint16_t)core : TT_NO_CPU;
    event->kind = TT_KIND_SWITCH;
    event->flags = TT_EVENT_DERIVED;
}

/* Returns the reading without a code. */
static enum reading no_code(const struct tt_cursor *cursor)
{
    return cursor->learn ? READ_MEMORY : READ_NOTHING;
}

/*
 * Decodes the RUNNING after entry index - 1, which begins at `at`. READ_NOTHING: no event of its type was
 * decoded yet.
 */
static enum reading decode_derived(struct tt_cursor *cursor, const uint8_t *at,
                                   struct tt_batch *batch)
{
    const struct trx_decoder *decoder = cursor->d;
    const uint64_t code = code_of(cursor, TRX_ID_RUNNING);
    if (code == 0) {
        return no_code(cursor);
    }
    set_running(decoder, code, cursor->place.index - 1,
                trx_core_of(trx_word(&decoder->header, at, TRX_WORD_EVENT)), cursor->place.ticks,
                &batch->events[batch->count++]);
    cursor->place.derived = 0;
    return READ;
}

/* Reports an event that is malformed or that no product has. */
static TRX_RARE void report_event(const struct tt_cursor *cursor, uint32_t index, uint64_t word,
                                  const struct tt_event *event)
{
    struct tt_capture *capture = cursor->capture;
    uint64_t offset = trx_entry_offset(cursor->d, index);
    if (event->flags & TT_EVENT_MALFORMED) {
        tt_health_add(capture, TT_HEALTH_MALFORMED, offset, event->pos, word,
                      "event word with a core above 31");
    } else {
        tt_health_add(capture, TT_HEALTH_UNKNOWN_EVENT, offset, event->pos, trx_id_of(word),
                      "event id that no product has");
    }
}

static inline bool trx_decode_has_room(const struct tt_batch *batch)
{
    return batch->count < batch->capacity &&
           (!batch->actions ||
            batch->action_capacity - batch->action_count >= TT_ACTIONS_PER_EVENT);
}

/*
 * A run of entries that follow each other in the file. Members of the cursor and of the batch that change with
 * each entry are here until the run ends.
 */
struct run {
    struct trx_time time; /* of the last entry */
    const uint8_t *at;    /* the current entry */
    uint32_t index;       /* its index */
    uint32_t end;
    bool derived; /* the RUNNING after the last entry is missing */
    struct tt_event *event;
    uint64_t budget_end;
};

/* Decodes the current entry, with this code and event word. */
static TRX_HOT void decode_entry(struct tt_cursor *cursor, const struct run *run, bool usual,
                                 struct trx_scene *scene, uint64_t code, uint64_t word)
{
    const struct trx_decoder *decoder = cursor->d;
    const struct trx_step step = decoder->plan.steps[run->index];
    const uint32_t core = trx_core_of(word),
                   size = usual ? TRX_USUAL_ENTRY : decoder->header.entry_size;
    const bool is_core = core < decoder->plan.cores;
    struct tt_event *event = run->event;
    event->ticks = run->time.ticks;
    event->pos = (uint64_t)run->index * size;
    event->type = (uint32_t)code - 1;
    event->thread = scene->items[step.context & TRX_STEP_CONTEXT].thread;
    event->length = size;
    event->cpu = is_core ? (uint16_t)core : TT_NO_CPU;
    event->kind = (uint8_t)(code >> TRX_CODE_KIND);
    event->flags = is_core ? 0 : TT_EVENT_MALFORMED;
    if (TRX_RARELY(!is_core || (code & TRX_CODE_UNKNOWN)) && cursor->learn) {
        report_event(cursor, run->index, word, event);
    }
    scene->event = event;
    if (!TRX_RARELY(!is_core)) {
        scene->index = run->index;
        scene->at = run->at;
        scene->core = core;
        trx_act(scene, step, &cursor->cores[core]);
    }
    if (TRX_RARELY(TT_NOTE_KINDS >> event->kind & 1)) {
        trx_note(scene);
    }
}

/*
 * Returns the entry up to which entries follow each other in the file from the current one, at `at`, and
 * are before `end`, and in the budget.
 */
static uint32_t end_of_entries(const struct tt_cursor *cursor, const uint8_t *at, uint64_t end,
                               uint32_t ready, uint64_t budget_end)
{
    const struct trx_plan *plan = &cursor->d->plan;
    const uint32_t index = cursor->place.index, wrap = plan->entries - plan->first;
    const uint32_t size = cursor->d->header.entry_size;
    uint64_t offset = (uint64_t)(at - cursor->capture->bytes.data);
    uint64_t there = (end - offset) / size, within = (budget_end - 1) / size + 1;
    uint32_t stop = index < wrap && wrap < ready ? wrap : ready;
    if (TRX_RARELY(plan->segment_count > 0)) {
        uint32_t last = trx_damage_end(plan, index);
        stop = last < ready ? last : ready;
    }
    stop = stop - index > there ? index + (uint32_t)there : stop;
    return within < stop ? (uint32_t)within : stop;
}

/* Decodes entries up to the run's end, and the RUNNING after each, until the batch is full. */
static TRX_HOT enum reading decode_entries(struct tt_cursor *cursor, struct run *run,
                                           struct trx_scene *scene, const struct tt_batch *batch,
                                           bool usual)
{
    const struct trx_header *header = scene->header;
    const struct trx_step *steps = cursor->d->plan.steps;
    const struct tt_event *events_end = batch->events + batch->capacity;
    const uint32_t actions_end = tt_action_out_limit(batch);
    while (run->index < run->end && run->event < events_end && scene->out.count < actions_end) {
        const uint64_t word = trx_word_if(usual, header, run->at, TRX_WORD_EVENT);
        uint64_t code = code_of(cursor, trx_id_of(word));
        if (TRX_RARELY(code == 0)) {
            return no_code(cursor);
        }
        tt_prefetch(run->at + TT_AHEAD_BYTES);
        trx_time_step(&run->time, usual, word, trx_word_if(usual, header, run->at, TRX_WORD_STAMP));
        decode_entry(cursor, run, usual, scene, code, word);
        run->event++;
        if (steps[run->index].context & TRX_STEP_DERIVED) {
            run->derived = true;
            if (run->event >= events_end || scene->out.count >= actions_end ||
                (uint64_t)run->index * header->entry_size + 1 >= run->budget_end) {
                run->index++;
                break;
            }
            code = code_of(cursor, TRX_ID_RUNNING);
            if (TRX_RARELY(code == 0)) {
                run->index++;
                return no_code(cursor);
            }
            set_running(cursor->d, code, run->index, trx_core_of(word), run->time.ticks,
                        run->event++);
            run->derived = false;
        }
        run->index++;
        run->at += usual ? TRX_USUAL_ENTRY : header->entry_size;
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
    const struct trx_decoder *decoder = cursor->d;
    const uint32_t gap = decoder->plan.gap, index = cursor->place.index;
    const uint8_t *at = trx_decode_entry_at(cursor, index, end);
    if (!at) {
        return READ_NOTHING;
    }
    struct tt_action spare;
    struct trx_scene s = {
        .cursor = cursor,
        .header = &decoder->header,
        .items = decoder->contexts.items,
        .out = tt_action_out_begin(batch, &spare),
        .gap = gap != 0 ? gap : UINT32_MAX,
        .before = cursor->place.ticks,
        .rare = gap >= decoder->plan.beginning && gap != 0 ? gap + 1 : decoder->plan.beginning};
    if (TRX_RARELY(decoder->plan.segment_count > 0)) {
        s.rare = trx_damage_before(&decoder->plan, index) ? index + 1 : s.rare;
        s.gap = trx_damage_before(&decoder->plan, index) ? index : UINT32_MAX;
    }
    struct run run = {.time = trx_time_begin(decoder, index > 0 ? cursor->place.stamp
                                                                : trx_stamp_at(decoder, at)),
                      .at = at,
                      .index = index,
                      .end = end_of_entries(cursor, at, end, ready, budget_end),
                      .event = batch->events + batch->count,
                      .budget_end = budget_end};
    run.time.ticks = cursor->place.ticks;
    enum reading read = trx_is_usual(s.header) ? decode_entries(cursor, &run, &s, batch, true)
                                               : decode_entries(cursor, &run, &s, batch, false);
    tt_action_out_end(&s.out, batch);
    cursor->place = (struct trx_place){run.time.ticks, run.time.stamp, run.index, run.derived};
    batch->count = (uint32_t)(run.event - batch->events);
    batch->records += run.index - index;
    return read;
}

/*
 * Decodes the current entry, whose time is wrong: it has that of the entry before, and changes nothing. READ_NOTHING as
 * above.
 */
static TRX_RARE enum reading decode_wrong_time(struct tt_cursor *cursor, uint64_t end,
                                               struct tt_batch *batch)
{
    const struct trx_decoder *decoder = cursor->d;
    const uint32_t index = cursor->place.index;
    if (!trx_decode_entry_at(cursor, index, end)) {
        return READ_NOTHING;
    }
    const uint8_t *at = cursor->capture->bytes.data + trx_entry_offset(decoder, index);
    const uint64_t word = trx_word(&decoder->header, at, TRX_WORD_EVENT);
    const uint64_t code = code_of(cursor, trx_id_of(word));
    if (code == 0) {
        return no_code(cursor);
    }
    const uint32_t core = trx_core_of(word);
    struct tt_event *event = &batch->events[batch->count++];
    *event = (struct tt_event){
        .ticks = cursor->place.ticks,
        .pos = (uint64_t)index * decoder->header.entry_size,
        .type = (uint32_t)code - 1,
        .thread =
            decoder->contexts.items[decoder->plan.steps[index].context & TRX_STEP_CONTEXT].thread,
        .length = decoder->header.entry_size,
        .cpu = core < decoder->plan.cores ? (uint16_t)core : TT_NO_CPU,
        .kind = (uint8_t)(code >> TRX_CODE_KIND),
        .flags = TT_EVENT_BAD_TIME,
    };
    if ((code & TRX_CODE_UNKNOWN) && cursor->learn) {
        report_event(cursor, index, word, event);
    }
    cursor->place.index++;
    batch->records++;
    return READ;
}

enum tt_decode_result trx_decode(struct tt_cursor *cursor, uint64_t limit, bool final,
                                 struct tt_batch *batch)
{
    struct trx_decoder *decoder = cursor->d;
    if (!is_ordered(decoder)) {
        enum trx_plan_result made =
            cursor->learn ? trx_plan_make(decoder, limit, final) : TRX_PLAN_NOT_YET;
        if (made != TRX_PLAN_READY) {
            return made == TRX_PLAN_MEMORY ? TT_DECODE_MEMORY : TT_DECODE_END;
        }
    }

    /* Position at which a batch ends that begins at the cursor. */
    uint64_t from = trx_cursor_pos(cursor), budget = batch->byte_budget;
    const uint64_t budget_end =
        budget == 0 || budget > UINT64_MAX - from ? UINT64_MAX : from + budget;

    uint32_t ready = atomic_load_explicit(&decoder->ready, memory_order_acquire);
    const uint64_t end = decoder->image ? cursor->capture->bytes.size : limit;
    while (cursor->place.derived || cursor->place.index < decoder->plan.entries) {
        if (!cursor->place.derived && cursor->place.index >= ready) {
            if (!cursor->learn) {
                return TT_DECODE_END;
            }
            if (!trx_plan_extend(decoder)) {
                return TT_DECODE_MEMORY;
            }
            ready = atomic_load_explicit(&decoder->ready, memory_order_relaxed);
        }
        if (trx_cursor_pos(cursor) >= budget_end || !trx_decode_has_room(batch)) {
            return TT_DECODE_MORE;
        }
        enum reading read;
        if (cursor->place.derived) {
            const uint8_t *at = trx_decode_entry_at(cursor, cursor->place.index - 1, end);
            read = at ? decode_derived(cursor, at, batch) : READ_NOTHING;
        } else if (TRX_RARELY(trx_damage_time(&decoder->plan, cursor->place.index))) {
            read = decode_wrong_time(cursor, end, batch);
        } else {
            read = decode_ready(cursor, ready, end, budget_end, batch);
        }
        if (read != READ) {
            return read == READ_MEMORY ? TT_DECODE_MEMORY : TT_DECODE_END;
        }
    }
    return TT_DECODE_END;
}
