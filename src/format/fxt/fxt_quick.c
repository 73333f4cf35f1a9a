/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The short way for the records that captures are full of: events and new scheduling records in
 * this machine's byte order whose threads, names and types the cursor's caches hold, with nothing
 * odd about them. One pass over the words, no view. Whatever is not so is left to the long way, and
 * nothing is written before that is certain.
 */
#include "format/fxt/fxt_sched.h"

/* A record in this machine's byte order, and how far it was read. */
struct quick {
    struct tt_cursor *cursor;
    const uint8_t *bytes;
    uint64_t pos;
    uint32_t words;
    uint32_t at;
};

static inline uint64_t word_at(const struct quick *q, uint32_t index)
{
    uint64_t word;
    memcpy(&word, q->bytes + (uint64_t)index * 8, sizeof word);
    return word;
}

/* A string ref that is empty or in the cache; *string is what it means. */
static inline bool cached_string(const struct tt_cursor *cursor, uint32_t ref, tt_string *string)
{
    const struct tt_fxt_string_entry *entry =
        &cursor->strings[tt_fxt_string_place(cursor->provider, ref)];
    *string = ref == 0 ? 0 : entry->string;
    return ref == 0 || (entry->ref == ref && entry->provider == cursor->provider);
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

/* Does the argument at the place fit, and is its type known? Moves behind it. */
static inline bool pass_arg(struct quick *q, uint64_t *header)
{
    if (q->at >= q->words) {
        return false;
    }
    *header = word_at(q, q->at);
    uint32_t words = (uint32_t)tt_fxt_bits(*header, 4, 12);
    if (words < tt_fxt_arg_least_words(*header) || words > q->words - q->at ||
        (*header & 15) >= TT_FXT_ARG_TYPES) {
        return false;
    }
    q->at += words;
    return true;
}

static inline bool is_cached_or_inline(const struct tt_cursor *cursor, uint32_t ref)
{
    tt_string string;
    return tt_fxt_ref_is_inline(ref) || cached_string(cursor, ref, &string);
}

static inline bool pass_args(struct quick *q, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint64_t header;
        if (!pass_arg(q, &header)) {
            return false;
        }
        if (q->cursor->learning && (!is_cached_or_inline(q->cursor, (uint16_t)(header >> 16)) ||
                                    ((header & 15) == TT_FXT_ARG_STRING &&
                                     !is_cached_or_inline(q->cursor, (uint16_t)(header >> 32))))) {
            return false;
        }
    }
    return true;
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
    [0] = NO_ACTION,
    [1] = LONG_WAY,
    [2] = TT_ACTION_SLICE_BEGIN,
    [3] = TT_ACTION_SLICE_END,
    [4] = TT_ACTION_SLICE,
    [5] = TT_ACTION_ASYNC_BEGIN,
    [6] = NO_ACTION,
    [7] = TT_ACTION_ASYNC_END,
    [8] = TT_ACTION_FLOW_BEGIN,
    [9] = TT_ACTION_FLOW_STEP,
    [10] = TT_ACTION_FLOW_END,
    [11] = LONG_WAY,
    [12] = LONG_WAY,
    [13] = LONG_WAY,
    [14] = LONG_WAY,
    [15] = LONG_WAY,
};

/* The word behind the arguments; the record must end with it. */
static inline bool pass_tail(struct quick *q, unsigned op, uint64_t *tail)
{
    *tail = 0;
    if (op == TT_FXT_OP_WORD || (op == TT_FXT_OP_OPTIONAL && q->at < q->words)) {
        if (q->at >= q->words) {
            return false;
        }
        *tail = word_at(q, q->at++);
    }
    return q->at == q->words;
}

/* The string of a category or name, in line or in the cache. */
static inline bool pass_text(struct quick *q, uint32_t ref, tt_string *string)
{
    if (!tt_fxt_ref_is_inline(ref)) {
        return cached_string(q->cursor, ref, string);
    }
    uint32_t length = tt_fxt_ref_length(ref), words = tt_fxt_stream_words(length);
    if (words > q->words - q->at) {
        return false;
    }
    const char *text = (const char *)q->bytes + (uint64_t)q->at * 8;
    *string = tt_fxt_inline_text(q->cursor, text, length);
    q->at += words;
    return !q->cursor->no_memory;
}

static inline bool pass_type(struct quick *q, uint64_t header, uint32_t *type)
{
    const struct tt_cursor *cursor = q->cursor;
    tt_string category, name;
    if (!pass_text(q, (uint16_t)(header >> 32), &category) ||
        !pass_text(q, (uint16_t)(header >> 48), &name)) {
        return false;
    }
    const struct tt_fxt_type_entry *entry = &cursor->types[tt_fxt_type_place(category, name)];
    *type = entry->type;
    return entry->category == category && entry->name == name && entry->type != UINT32_MAX;
}

static bool quick_event(struct quick *q, uint64_t header, struct tt_batch *batch)
{
    const struct tt_cursor *cursor = q->cursor;
    uint32_t event_type = header >> 16 & 15, thread = (uint8_t)(header >> 24);
    const struct tt_fxt_layout *layout = &tt_fxt_event_layouts[event_type];
    unsigned kind = event_actions[event_type];
    uint32_t type, lane;
    uint64_t tail;
    if (kind == LONG_WAY || q->words < 2 || !cached_lane(q, thread, &lane) ||
        (batch->actions && atomic_load_explicit(&cursor->fxt->any_lost, memory_order_relaxed))) {
        return false;
    }
    uint64_t ticks = word_at(q, 1);
    q->at = thread != 0 ? 2 : 4;
    if (ticks > cursor->greatest || !pass_type(q, header, &type) ||
        !pass_args(q, (uint32_t)tt_fxt_bits(header, 20, 4)) || !pass_tail(q, layout->tail, &tail)) {
        return false;
    }
    if (kind == TT_ACTION_SLICE) {
        if (tail < ticks || tail > cursor->greatest) {
            return false;
        }
        tail -= ticks;
    }
    add_event(q, ticks, type, layout->kind, batch)->thread = lane;
    if (kind != NO_ACTION) {
        struct tt_action *action = tt_fxt_told(cursor, batch, kind, lane);
        if (action) {
            action->value = tail;
        }
    }
    return true;
}

/* ---- scheduling --------------------------------------------------------------------------- */

/* Reads weights and the waker, whose lane becomes the outgoing one. */
static inline bool pass_weights(struct quick *q, uint32_t count, struct tt_fxt_sched *sched)
{
    const struct tt_fxt_words *words = &q->cursor->fxt->words;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = q->at;
        uint64_t header;
        tt_string name;
        if (!pass_arg(q, &header) || !cached_string(q->cursor, (uint16_t)(header >> 16), &name)) {
            return false;
        }
        if ((header & 15) == TT_FXT_ARG_INT32) {
            tt_fxt_take_weight(words, name, (int32_t)(header >> 32), sched);
        } else if ((header & 15) != TT_FXT_ARG_KOID || name != words->waker ||
                   !cached_tid(q->cursor, word_at(q, at + 1), &sched->outgoing)) {
            return false;
        }
    }
    return true;
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

static bool quick_sched(struct quick *q, bool two, uint64_t header, struct tt_batch *batch)
{
    struct tt_cursor *cursor = q->cursor;
    const struct tt_fxt_layout *layout = &tt_fxt_sched_layouts[two ? 1 : 2];
    uint32_t type = cursor->layout_types[layout->number];
    uint32_t cpu = (uint16_t)tt_fxt_bits(header, 20, 16);
    struct tt_fxt_sched sched = TT_FXT_NO_SCHED;
    if (q->words < (two ? 4u : 3u) || type == UINT32_MAX || cpu >= TT_FXT_CPUS ||
        atomic_load_explicit(&cursor->fxt->any_lost, memory_order_relaxed) ||
        !cached_tid(cursor, word_at(q, two ? 3 : 2), &sched.incoming) ||
        (two && !cached_tid(cursor, word_at(q, 2), &sched.outgoing))) {
        return false;
    }
    uint64_t ticks = word_at(q, 1);
    q->at = two ? 4 : 3;
    uint32_t args = (uint32_t)tt_fxt_bits(header, 16, 4);
    bool weights = cursor->learning || batch->actions;
    if (ticks > cursor->greatest ||
        !(weights ? pass_weights(q, args, &sched) : pass_args(q, args)) || q->at != q->words ||
        must_learn(cursor, cpu, &sched)) {
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

static inline bool quick_record(struct quick *q, uint64_t header, struct tt_batch *batch)
{
    if ((header & 15) == TT_FXT_EVENT) {
        return quick_event(q, header, batch);
    }
    uint64_t subtype = header >> 60;
    return (header & 15) == TT_FXT_SCHEDULING && (subtype == 1 || subtype == 2) &&
           quick_sched(q, subtype == 1, header, batch);
}

void tt_fxt_quick(struct tt_cursor *cursor, uint64_t limit, uint64_t end, struct tt_batch *batch)
{
    const uint8_t *bytes = cursor->fxt->capture->bytes.data;
    struct quick q = {.cursor = cursor, .pos = cursor->pos};
    if (cursor->rate != cursor->clock || cursor->learn != cursor->learning) {
        return;
    }
    while (q.pos < end && limit - q.pos >= 8 && tt_fxt_has_room(batch)) {
        q.bytes = bytes + q.pos;
        uint64_t header = word_at(&q, 0);
        q.words = (uint32_t)tt_fxt_bits(header, 4, 12);
        if (q.words > (limit - q.pos) / 8 || !quick_record(&q, header, batch)) {
            break;
        }
        q.pos += (uint64_t)q.words * 8;
        batch->records++;
    }
    tt_fxt_move_to(cursor, q.pos);
}
