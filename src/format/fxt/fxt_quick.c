/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The short way for the records that captures are full of: events and new scheduling records in
 * this machine's byte order whose threads, names and types the cursor's caches hold, with nothing
 * odd about them. One pass over the words, no view. Whatever is not so is left to the long way, and
 * nothing is written before that is certain.
 */
#include "format/fxt/fxt_sched.h"

/* A record in this machine's byte order. Functions that read on from word `at` return the word
 * behind what they read, or 0: it is not as it should be, or not in the caches. */
struct quick {
    struct tt_cursor *cursor;
    const uint8_t *bytes;
    uint64_t pos;
    uint64_t header;
    uint32_t words;
};

static inline uint64_t word_at(const struct quick *q, uint32_t index)
{
    uint64_t word;
    memcpy(&word, q->bytes + (uint64_t)index * 8, sizeof word);
    return word;
}

/* A string ref in the cache; *string is what it means. */
static inline bool cached_string(const struct tt_cursor *cursor, uint32_t ref, tt_string *string)
{
    const struct tt_fxt_string_entry *entry =
        &cursor->strings[tt_fxt_string_place(cursor->provider, ref)];
    *string = entry->string;
    return entry->key == tt_fxt_string_key(cursor->provider, ref);
}

static inline bool cached_lane(const struct quick *q, uint32_t ref, uint32_t *lane)
{
    const struct tt_cursor *cursor = q->cursor;
    if (ref != 0) {
        *lane = cursor->threads[ref].lane;
        return cursor->threads[ref].provider == cursor->provider;
    }
    if (q->words < 4) {
        return false;
    }
    uint64_t pid = word_at(q, 2), tid = word_at(q, 3);
    const struct tt_fxt_lane_entry *entry = &cursor->lanes[tt_fxt_lane_place(pid, tid)];
    *lane = entry->lane;
    return entry->tid == tid && entry->pid == pid && entry->lane != TT_NO_THREAD;
}

static inline bool cached_tid(const struct tt_cursor *cursor, uint64_t tid, uint32_t *lane)
{
    const struct tt_fxt_lane_entry *entry = &cursor->tids[tt_fxt_lane_place(0, tid)];
    *lane = entry->lane;
    return entry->tid == tid && entry->lane != TT_NO_THREAD;
}

/* Does the argument fit, and is its type known? */
static inline uint32_t pass_arg(const struct quick *q, uint32_t at, uint64_t *header)
{
    if (at >= q->words) {
        return 0;
    }
    *header = word_at(q, at);
    uint32_t words = (uint32_t)tt_fxt_bits(*header, 4, 12);
    bool fits = (words >= tt_fxt_arg_least_words(*header)) & (words <= q->words - at) &
                ((*header & 15) < TT_FXT_ARG_TYPES);
    return fits ? at + words : 0;
}

static inline bool is_cached_or_inline(const struct tt_cursor *cursor, uint32_t ref)
{
    tt_string string;
    return ref == 0 || tt_fxt_ref_is_inline(ref) || cached_string(cursor, ref, &string);
}

static inline uint32_t pass_args(const struct quick *q, uint32_t at, uint32_t count)
{
    const struct tt_cursor *cursor = q->cursor;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t header;
        at = pass_arg(q, at, &header);
        if (at == 0) {
            return 0;
        }
        if (cursor->learning && (!is_cached_or_inline(cursor, (uint16_t)(header >> 16)) ||
                                 ((header & 15) == TT_FXT_ARG_STRING &&
                                  !is_cached_or_inline(cursor, (uint16_t)(header >> 32))))) {
            return 0;
        }
    }
    return at;
}

static inline struct tt_event *add_event(const struct quick *q, uint64_t ticks, uint32_t type,
                                         unsigned kind, struct tt_batch *batch)
{
    struct tt_event *event = &batch->events[batch->count++];
    event->ticks = ticks;
    event->pos = q->pos;
    event->type = type;
    event->length = q->words * 8;
    event->cpu = TT_NO_CPU;
    event->kind = (uint8_t)kind;
    event->flags = 0;
    q->cursor->last_ticks = ticks;
    return event;
}

/* ---- events ------------------------------------------------------------------------------- */

#define NO_ACTION 255
#define LONG_WAY  254

/* The action of an event record by its type, if its value is the word behind the arguments. */
static const uint8_t event_actions[16] = {
    [0] = NO_ACTION,           [1] = TT_ACTION_COUNTER,   [2] = TT_ACTION_SLICE_BEGIN,
    [3] = TT_ACTION_SLICE_END, [4] = TT_ACTION_SLICE,     [5] = TT_ACTION_ASYNC_BEGIN,
    [6] = NO_ACTION,           [7] = TT_ACTION_ASYNC_END, [8] = TT_ACTION_FLOW_BEGIN,
    [9] = TT_ACTION_FLOW_STEP, [10] = TT_ACTION_FLOW_END, [11] = LONG_WAY,
    [12] = LONG_WAY,           [13] = LONG_WAY,           [14] = LONG_WAY,
    [15] = LONG_WAY,
};

/* The word behind the arguments, 0 if there is none; the record must end with it. Records with and
 * without one take turns: no branch asks. */
static inline bool pass_tail(const struct quick *q, uint32_t at, unsigned op, uint64_t *tail)
{
    uint32_t left = q->words - at;
    bool has = (op == TT_FXT_OP_WORD) | ((op == TT_FXT_OP_OPTIONAL) & (left > 0));
    *tail = word_at(q, q->words - 1) & -(uint64_t)has;
    return left == has;
}

/* The string of a category or name, in line or in the cache. */
static inline uint32_t pass_text(const struct quick *q, uint32_t at, uint32_t ref,
                                 tt_string *string)
{
    if (!tt_fxt_ref_is_inline(ref)) {
        return cached_string(q->cursor, ref, string) ? at : 0;
    }
    uint32_t length = tt_fxt_ref_length(ref), words = tt_fxt_stream_words(length);
    if (words > q->words - at) {
        return 0;
    }
    const char *text = (const char *)q->bytes + (uint64_t)at * 8;
    *string = tt_fxt_inline_text(q->cursor, text, length);
    return q->cursor->no_memory ? 0 : at + words;
}

static inline uint32_t pass_type(const struct quick *q, uint32_t at, uint32_t *type)
{
    const struct tt_cursor *cursor = q->cursor;
    tt_string category, name;
    at = pass_text(q, at, (uint16_t)(q->header >> 32), &category);
    at = at ? pass_text(q, at, (uint16_t)(q->header >> 48), &name) : 0;
    if (at == 0) {
        return 0;
    }
    const struct tt_fxt_type_entry *entry = &cursor->types[tt_fxt_type_place(category, name)];
    *type = entry->type;
    return entry->category == category && entry->name == name && entry->type != UINT32_MAX ? at : 0;
}

/* The value of a number as the bits of a double; false where it is none. */
static inline bool number_at(const struct quick *q, uint32_t at, uint64_t header, uint64_t *bits)
{
    double value;
    switch (header & 15) {
    case TT_FXT_ARG_INT32:
        value = (double)(int32_t)(header >> 32);
        break;
    case TT_FXT_ARG_UINT32:
        value = (double)(uint32_t)(header >> 32);
        break;
    case TT_FXT_ARG_INT64:
        value = (double)(int64_t)word_at(q, at + 1);
        break;
    case TT_FXT_ARG_UINT64:
        value = (double)word_at(q, at + 1);
        break;
    case TT_FXT_ARG_DOUBLE:
        *bits = word_at(q, at + 1);
        return true;
    default:
        return false;
    }
    memcpy(bits, &value, sizeof value);
    return true;
}

/*
 * The actions of a counter whose arguments, from word `at` on, are known to fit. False, and none of
 * them counts, where something is not in the caches.
 */
static bool quick_counters(const struct quick *q, uint32_t at, const struct tt_event *event,
                           uint64_t id, struct tt_batch *batch)
{
    const struct tt_cursor *cursor = q->cursor;
    uint32_t had = batch->action_count, process = UINT32_MAX;
    if (event->thread != TT_NO_THREAD) {
        process = tt_thread_at(cursor->fxt->capture, event->thread)->process;
    }
    for (uint32_t left = (uint32_t)tt_fxt_bits(q->header, 20, 4); left > 0; left--) {
        uint64_t header = word_at(q, at), bits;
        uint32_t ref = (uint16_t)(header >> 16);
        tt_string name;
        bool known = !tt_fxt_ref_is_inline(ref) && cached_string(cursor, ref, &name);
        if (known && number_at(q, at, header, &bits)) {
            const struct tt_fxt_series_entry *entry =
                &cursor->series[tt_fxt_series_place(event->type, name, id, process)];
            known = tt_fxt_is_series(entry, event->type, name, id, process);
            struct tt_action *action = tt_fxt_told(cursor, batch, TT_ACTION_COUNTER, event->thread);
            action->other = entry->series;
            action->value = bits;
        }
        if (!known) {
            batch->action_count = had;
            return false;
        }
        at += (uint32_t)tt_fxt_bits(header, 4, 12);
    }
    return true;
}

static bool quick_event(const struct quick *q, struct tt_batch *batch)
{
    struct tt_cursor *cursor = q->cursor;
    uint64_t header = q->header, tail;
    uint32_t event_type = header >> 16 & 15, thread = (uint8_t)(header >> 24);
    const struct tt_fxt_layout *layout = &tt_fxt_event_layouts[event_type];
    unsigned kind = event_actions[event_type];
    uint32_t type, lane;
    if (kind == LONG_WAY || q->words < 2 || !cached_lane(q, thread, &lane) ||
        (batch->actions && atomic_load_explicit(&cursor->fxt->any_lost, memory_order_relaxed))) {
        return false;
    }
    uint64_t ticks = word_at(q, 1);
    uint32_t args_at = pass_type(q, thread != 0 ? 2 : 4, &type);
    if (ticks > cursor->greatest || args_at == 0) {
        return false;
    }
    bool slice = kind == TT_ACTION_SLICE;
    uint32_t at = pass_args(q, args_at, (uint32_t)tt_fxt_bits(header, 20, 4));
    if (at == 0 || !pass_tail(q, at, layout->tail, &tail) ||
        (slice & ((tail < ticks) | (tail > cursor->greatest)))) {
        return false;
    }
    uint64_t last_ticks = cursor->last_ticks;
    struct tt_event *event = add_event(q, ticks, type, layout->kind, batch);
    event->thread = lane;
    if (kind == TT_ACTION_COUNTER && batch->actions) {
        if (!quick_counters(q, args_at, event, tail, batch)) {
            batch->count--;
            cursor->last_ticks = last_ticks;
            return false;
        }
    } else if (batch->actions) {
        /* Made of every event, and kept where it has one: which have cannot be foreseen. */
        struct tt_action *action = tt_fxt_told(cursor, batch, kind, lane);
        action->value = tail - (ticks & -(uint64_t)slice);
        batch->action_count -= kind == NO_ACTION;
    }
    return true;
}

/* ---- scheduling --------------------------------------------------------------------------- */

/* Reads weights and the waker, whose lane becomes the outgoing one. */
static inline uint32_t pass_weights(const struct quick *q, uint32_t at, uint32_t count,
                                    struct tt_fxt_sched *sched)
{
    const struct tt_fxt_words *words = &q->cursor->fxt->words;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value_at = at + 1;
        uint64_t header;
        tt_string name;
        at = pass_arg(q, at, &header);
        if (at == 0 || !cached_string(q->cursor, (uint16_t)(header >> 16), &name)) {
            return 0;
        }
        if ((header & 15) == TT_FXT_ARG_INT32) {
            tt_fxt_take_weight(words, name, (int32_t)(header >> 32), sched);
        } else if ((header & 15) != TT_FXT_ARG_KOID || name != words->waker ||
                   !cached_tid(q->cursor, word_at(q, value_at), &sched->outgoing)) {
            return 0;
        }
    }
    return at;
}

/* Is there something to learn that the long way has to do? */
static inline bool must_learn(const struct tt_cursor *cursor, uint32_t cpu,
                              const struct tt_fxt_sched *sched)
{
    const struct tt_capture *c = cursor->fxt->capture;
    return cursor->learning && (cpu >= c->cpu_count ||
                                (sched->outgoing_idle && !tt_thread_at(c, sched->outgoing)->idle) ||
                                (sched->incoming_idle && !tt_thread_at(c, sched->incoming)->idle));
}

static bool quick_sched(const struct quick *q, struct tt_batch *batch)
{
    struct tt_cursor *cursor = q->cursor;
    uint64_t header = q->header;
    uint32_t subtype = (uint32_t)(header >> 60);
    bool two = subtype == 1;
    if ((subtype != 1 && subtype != 2) || q->words < (two ? 4u : 3u)) {
        return false;
    }
    const struct tt_fxt_layout *layout = &tt_fxt_sched_layouts[subtype];
    uint32_t type = cursor->layout_types[layout->number];
    uint32_t cpu = (uint16_t)tt_fxt_bits(header, 20, 16);
    struct tt_fxt_sched sched = TT_FXT_NO_SCHED;
    if (type == UINT32_MAX || cpu >= TT_FXT_CPUS ||
        atomic_load_explicit(&cursor->fxt->any_lost, memory_order_relaxed) ||
        !cached_tid(cursor, word_at(q, two ? 3 : 2), &sched.incoming) ||
        (two && !cached_tid(cursor, word_at(q, 2), &sched.outgoing))) {
        return false;
    }
    uint64_t ticks = word_at(q, 1);
    uint32_t at = two ? 4 : 3, args = (uint32_t)tt_fxt_bits(header, 16, 4);
    bool weights = cursor->learning || batch->actions;
    at = weights ? pass_weights(q, at, args, &sched) : pass_args(q, at, args);
    if (at != q->words || ticks > cursor->greatest || must_learn(cursor, cpu, &sched)) {
        return false;
    }
    struct tt_event *event = add_event(q, ticks, type, layout->kind, batch);
    event->thread = sched.incoming;
    event->cpu = (uint16_t)cpu;
    if (cursor->learning) {
        cursor->stream->last_switch = ticks;
    }
    if (two) {
        tt_fxt_add_switch(&sched, event->cpu, (unsigned)tt_fxt_bits(header, 36, 4), batch);
    } else {
        tt_fxt_add_wakeup(&sched, event->cpu, batch);
    }
    return true;
}

/* By record type; functions of their own, which each have the processor's registers to themselves.
 */
static bool (*const readers[16])(const struct quick *, struct tt_batch *) = {
    [TT_FXT_EVENT] = quick_event,
    [TT_FXT_SCHEDULING] = quick_sched,
};

void tt_fxt_quick(struct tt_cursor *cursor, uint64_t limit, uint64_t end, struct tt_batch *batch)
{
    const uint8_t *bytes = cursor->fxt->capture->bytes.data;
    struct quick q = {.cursor = cursor, .pos = cursor->pos};
    if (cursor->rate != cursor->clock || cursor->learn != cursor->learning) {
        return;
    }
    while (q.pos < end && q.pos < limit && limit - q.pos >= 8 && tt_fxt_has_room(batch)) {
        q.bytes = bytes + q.pos;
        q.header = word_at(&q, 0);
        q.words = (uint32_t)tt_fxt_bits(q.header, 4, 12);
        if (q.words > (limit - q.pos) / 8 || !readers[q.header & 15] ||
            !readers[q.header & 15](&q, batch)) {
            break;
        }
        q.pos += (uint64_t)q.words * 8;
        batch->records++;
    }
    tt_fxt_move_to(cursor, q.pos);
}
