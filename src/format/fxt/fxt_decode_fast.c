/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_decode_fast: the fast path for the most frequent records: events and new scheduling records
 * in the host's byte order whose threads, names and types are in the cursor's caches. It reads the
 * words once and builds no view. All other records are left to fxt_decode.c; nothing is written
 * before the record has been checked.
 */
#include "base/prefetch.h"
#include "format/fxt/fxt_sched.h"

/* A record in the host's byte order. The pass_ functions take a word index and return the index
 * after what they have read, or 0 if it does not fit or is not in the caches. */
struct fast {
    struct tt_cursor *cursor;
    const uint8_t *bytes;
    uint64_t pos;
    uint64_t header;
    uint64_t string_key; /* of ref 0 of the current provider, and its place in the cache */
    uint32_t string_place;
    uint32_t words;
    bool lost; /* the capture has losses; fxt_decode.c checks where */
};

static inline uint64_t word_at(const struct fast *q, uint32_t index)
{
    uint64_t word;
    memcpy(&word, q->bytes + (uint64_t)index * 8, sizeof word);
    return word;
}

/* Looks up a string ref in the cache. */
static inline bool cached_string(const struct fast *q, uint32_t ref, tt_string *string)
{
    const struct tt_fxt_string_entry *entry =
        &q->cursor->strings[(q->string_place + ref) % TT_FXT_STRING_CACHE];
    *string = entry->string;
    return entry->key == (q->string_key | ref);
}

static bool cached_inline_lane(const struct fast *q, uint32_t *lane)
{
    if (q->words < 4) {
        return false;
    }
    uint64_t pid = word_at(q, 2), tid = word_at(q, 3);
    const struct tt_fxt_lane_entry *entry = &q->cursor->lanes[tt_fxt_lane_place(pid, tid)];
    *lane = entry->lane;
    return entry->tid == tid && entry->pid == pid && entry->lane != TT_NO_THREAD;
}

static inline bool cached_lane(const struct fast *q, uint32_t ref, uint32_t *lane)
{
    const struct tt_cursor *cursor = q->cursor;
    if (ref == 0) {
        return cached_inline_lane(q, lane);
    }
    const struct tt_fxt_thread_entry *entry =
        &cursor->threads[tt_fxt_thread_place(cursor->provider, ref)];
    *lane = entry->lane;
    return entry->provider == cursor->provider;
}

static inline bool cached_tid(const struct tt_cursor *cursor, uint64_t tid, uint32_t *lane)
{
    const struct tt_fxt_lane_entry *entry = &cursor->tids[tt_fxt_lane_place(0, tid)];
    *lane = entry->lane;
    return (entry->tid == tid) & (entry->lane != TT_NO_THREAD);
}

/* ---- arguments -------------------------------------------------------------------------- */

/* Returns whether a ref is not in the cache. */
static inline bool is_uncached(const struct fast *q, uint32_t ref)
{
    tt_string string;
    return ref != 0 && !tt_fxt_ref_is_inline(ref) && !cached_string(q, ref, &string);
}

static inline uint64_t shape_key(const struct fast *q, uint64_t header)
{
    return q->string_key | (uint32_t)header;
}

static inline struct tt_fxt_shape_entry *shape_place(const struct fast *q, uint64_t header)
{
    uint32_t place = (uint32_t)(header >> 16) + (uint32_t)header * 16 + q->string_place;
    return &q->cursor->shapes[place % TT_FXT_SHAPE_CACHE];
}

static inline bool is_shape(const struct fast *q, const struct tt_fxt_shape_entry *shape,
                            uint64_t header)
{
    return (shape->key == shape_key(q, header)) & (shape->age == q->cursor->age);
}

#define ROLE_UNKNOWN 255u

/* Checks an argument whose shape is not cached, and caches the shape. Returns false if the argument
 * does not fit or has references to learn. */
static bool check_arg(const struct fast *q, uint64_t header)
{
    struct tt_cursor *cursor = q->cursor;
    uint32_t type = header & 15, words = (uint32_t)tt_fxt_bits(header, 4, 12);
    uint32_t ref = (uint16_t)(header >> 16);
    bool uncached = is_uncached(q, ref) ||
                    (type == TT_FXT_ARG_STRING && is_uncached(q, (uint16_t)(header >> 32)));
    if (words < tt_fxt_arg_min_words(header) || type >= TT_FXT_ARG_TYPES ||
        (uncached && cursor->learning)) {
        return false;
    }
    tt_string name;
    if (!uncached && type != TT_FXT_ARG_STRING && type != TT_FXT_ARG_BLOB) {
        bool named = !tt_fxt_ref_is_inline(ref) && cached_string(q, ref, &name);
        unsigned role = named ? tt_fxt_weight_of(&cursor->fxt->words, name) : ROLE_UNKNOWN;
        *shape_place(q, header) =
            (struct tt_fxt_shape_entry){shape_key(q, header), cursor->age, (uint8_t)role};
    }
    return true;
}

/* Skips an argument; *role is its meaning in a scheduling record, if its shape is cached. */
static inline uint32_t pass_arg(const struct fast *q, uint32_t at, uint64_t *header, unsigned *role)
{
    if (at >= q->words) {
        return 0;
    }
    *header = word_at(q, at);
    const struct tt_fxt_shape_entry *shape = shape_place(q, *header);
    if (!is_shape(q, shape, *header) && !check_arg(q, *header)) {
        return 0;
    }
    *role = is_shape(q, shape, *header) ? shape->role : ROLE_UNKNOWN;
    at += (uint32_t)tt_fxt_bits(*header, 4, 12);
    return at <= q->words ? at : 0;
}

/* Skips `count` arguments. A learning cursor checks their references. */
static inline uint32_t pass_args(const struct fast *q, uint32_t at, uint32_t count)
{
    for (; count > 0 && at > 0; count--) {
        uint64_t header;
        unsigned role;
        at = pass_arg(q, at, &header, &role);
    }
    return at;
}

/* Appends an event; the caller sets its thread and CPU. */
static inline struct tt_event *add_event(const struct fast *q, uint64_t ticks, uint32_t type,
                                         unsigned kind, struct tt_batch *batch)
{
    struct tt_event *event = &batch->events[batch->count++];
    event->ticks = ticks;
    event->pos = q->pos;
    event->type = type;
    event->length = q->words * 8;
    event->kind = (uint8_t)kind;
    event->flags = 0;
    q->cursor->last_ticks = ticks;
    return event;
}

/* ---- events ----------------------------------------------------------------------------- */

#define UNSUPPORTED 254

/* By event type, like tt_fxt_event_layouts. */
static const struct event_rule {
    uint8_t action; /* enum tt_action_kind; its value is the word after the arguments */
    uint8_t kind;
    uint8_t min; /* words after the arguments */
    uint8_t most;
} event_rules[16] = {
    [0] = {TT_ACTION_NOTE, TT_KIND_INSTANT, 0, 1},
    [1] = {TT_ACTION_COUNTER, TT_KIND_COUNTER, 1, 1},
    [2] = {TT_ACTION_SLICE_BEGIN, TT_KIND_BEGIN, 0, 0},
    [3] = {TT_ACTION_SLICE_END, TT_KIND_END, 0, 0},
    [4] = {TT_ACTION_SLICE, TT_KIND_COMPLETE, 1, 1},
    [5] = {TT_ACTION_ASYNC_BEGIN, TT_KIND_ASYNC_BEGIN, 1, 1},
    [6] = {TT_ACTION_NONE, TT_KIND_ASYNC_INSTANT, 1, 1},
    [7] = {TT_ACTION_ASYNC_END, TT_KIND_ASYNC_END, 1, 1},
    [8] = {TT_ACTION_FLOW_BEGIN, TT_KIND_FLOW_BEGIN, 1, 1},
    [9] = {TT_ACTION_FLOW_STEP, TT_KIND_FLOW_STEP, 1, 1},
    [10] = {TT_ACTION_FLOW_END, TT_KIND_FLOW_END, 1, 1},
    [11] = {.action = UNSUPPORTED},
    [12] = {.action = UNSUPPORTED},
    [13] = {.action = UNSUPPORTED},
    [14] = {.action = UNSUPPORTED},
    [15] = {.action = UNSUPPORTED},
};

/* Reads the word after the arguments (0 if there is none) and checks that the record ends there.
 * Branch-free: records with and without the word alternate unpredictably. */
static inline bool pass_tail(const struct fast *q, uint32_t at, struct event_rule rule,
                             uint64_t *tail)
{
    uint32_t left = q->words - at;
    *tail = word_at(q, q->words - 1) & -(uint64_t)left;
    return (left <= rule.most) & (left >= rule.min);
}

/* Resolves the string of a category or name, inline or cached. */
static inline uint32_t pass_text(const struct fast *q, uint32_t at, uint32_t ref, tt_string *string)
{
    if (!tt_fxt_ref_is_inline(ref)) {
        return cached_string(q, ref, string) ? at : 0;
    }
    uint32_t length = tt_fxt_ref_length(ref), words = tt_fxt_stream_words(length);
    if (words > q->words - at) {
        return 0;
    }
    const char *text = (const char *)q->bytes + (uint64_t)at * 8;
    *string = tt_fxt_inline_text(q->cursor, text, length);
    return q->cursor->no_memory ? 0 : at + words;
}

/* Consecutive refs have consecutive places. */
static inline uint32_t type_place(const struct fast *q, uint32_t refs)
{
    return ((refs >> 16) + (refs & 0xffff) * 67u + q->string_place) % TT_FXT_NAMED_CACHE;
}

/* Looks up the type by its category and name, refs or inline. */
static uint32_t pass_names(const struct fast *q, uint32_t at, uint32_t *type)
{
    struct tt_cursor *cursor = q->cursor;
    tt_string category, name;
    uint32_t from = at, refs = (uint32_t)(q->header >> 32);
    at = pass_text(q, at, (uint16_t)refs, &category);
    at = at ? pass_text(q, at, refs >> 16, &name) : 0;
    if (at == 0) {
        return 0;
    }
    const struct tt_fxt_type_entry *entry = &cursor->types[tt_fxt_type_place(category, name)];
    *type = entry->type;
    if (entry->category != category || entry->name != name || entry->type == UINT32_MAX) {
        return 0;
    }
    if (at == from) {
        cursor->named[type_place(q, refs)] =
            (struct tt_fxt_named_entry){q->string_key | refs, cursor->age, entry->type};
    }
    return at;
}

static inline uint32_t pass_type(const struct fast *q, uint32_t at, uint32_t *type)
{
    uint32_t refs = (uint32_t)(q->header >> 32);
    const struct tt_fxt_named_entry *entry = &q->cursor->named[type_place(q, refs)];
    *type = entry->type;
    bool known = (entry->key == (q->string_key | refs)) & (entry->age == q->cursor->age);
    return known ? at : pass_names(q, at, type);
}

/* Reads a number, from its header or the word after it, as the bits of a double. Returns false for
 * other types. */
static inline bool number_at(const struct fast *q, uint32_t at, uint64_t header, uint64_t *bits)
{
    unsigned type = header & 15;
    bool wide = type >= TT_FXT_ARG_INT64 && type <= TT_FXT_ARG_DOUBLE;
    uint64_t value = wide                       ? word_at(q, at + 1)
                     : type == TT_FXT_ARG_INT32 ? (uint64_t)(int64_t)(int32_t)(header >> 32)
                                                : header >> 32;
    return tt_fxt_number_bits(type, value, bits);
}

/*
 * Adds the actions of a counter, whose arguments from word `at` on have been checked. Adds none and
 * returns false if a name or series is not cached.
 */
static bool fast_counters(const struct fast *q, uint32_t at, const struct tt_event *event,
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
        bool known = !tt_fxt_ref_is_inline(ref) && cached_string(q, ref, &name);
        if (known && number_at(q, at, header, &bits)) {
            const struct tt_fxt_series_entry *entry =
                tt_fxt_cached_series(cursor, event->type, name, id, process);
            known = tt_fxt_is_series(entry, event->type, name, id, process);
            struct tt_action *action = tt_fxt_event_action(cursor, batch, TT_ACTION_COUNTER, event);
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

static bool fast_event(const struct fast *q, struct tt_batch *batch)
{
    struct tt_cursor *cursor = q->cursor;
    uint64_t header = q->header, tail;
    uint32_t thread = (uint8_t)(header >> 24), type, lane;
    struct event_rule rule = event_rules[header >> 16 & 15];
    bool slice = rule.action == TT_ACTION_SLICE, wants = batch->actions != NULL;
    if (rule.action == UNSUPPORTED || q->words < 2 || (q->lost & wants) ||
        !cached_lane(q, thread, &lane)) {
        return false;
    }
    uint64_t ticks = word_at(q, 1);
    uint32_t args_at = pass_type(q, thread != 0 ? 2 : 4, &type);
    uint32_t at = args_at ? pass_args(q, args_at, (uint32_t)tt_fxt_bits(header, 20, 4)) : 0;
    if (at == 0 || !pass_tail(q, at, rule, &tail)) {
        return false;
    }
    uint64_t latest = ticks ^ ((ticks ^ tail) & -(uint64_t)slice);
    if ((ticks > latest) | (latest > cursor->max_ticks)) {
        return false;
    }
    uint64_t last_ticks = cursor->last_ticks;
    struct tt_event *event = add_event(q, ticks, type, rule.kind, batch);
    event->thread = lane;
    event->cpu = TT_NO_CPU;
    if (rule.action == TT_ACTION_COUNTER && wants) {
        if (!fast_counters(q, args_at, event, tail, batch)) {
            batch->count--;
            cursor->last_ticks = last_ticks;
            return false;
        }
    } else if (wants) {
        /* Always written, but valid only where the event has an action: which have one is
         * unpredictable. */
        uint64_t has_value = -(uint64_t)(rule.action != TT_ACTION_NOTE); /* a note has no value */
        struct tt_action *action = tt_fxt_event_action(cursor, batch, rule.action, event);
        action->value = (tail - (ticks & -(uint64_t)slice)) & has_value;
        action->state &= (uint16_t)has_value;
    }
    return true;
}

/* ---- scheduling ------------------------------------------------------------------------- */

/* Reads weights and the waker; the waker's lane becomes the outgoing one. */
static inline uint32_t pass_weights(const struct fast *q, uint32_t at, uint32_t count,
                                    struct tt_fxt_sched *sched)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t value_at = at + 1;
        uint64_t header;
        unsigned role;
        at = pass_arg(q, at, &header, &role);
        if (at == 0 || role == ROLE_UNKNOWN) {
            return 0;
        }
        if ((header & 15) == TT_FXT_ARG_INT32) {
            tt_fxt_take_weight(role, (int32_t)(header >> 32), sched);
        } else if ((header & 15) != TT_FXT_ARG_KOID || role != TT_FXT_WEIGHT_WAKER ||
                   !cached_tid(q->cursor, word_at(q, value_at), &sched->outgoing)) {
            return 0;
        }
    }
    return at;
}

/* Returns whether the record has something to learn, which fxt_decode.c does. */
static inline bool must_learn(const struct tt_cursor *cursor, uint32_t cpu,
                              const struct tt_fxt_sched *sched)
{
    const struct tt_capture *c = cursor->fxt->capture;
    return cursor->learning && (cpu >= c->cpu_count ||
                                (sched->outgoing_idle && !tt_thread_at(c, sched->outgoing)->idle) ||
                                (sched->incoming_idle && !tt_thread_at(c, sched->incoming)->idle));
}

/* Handles a switch or a wakeup. The last of its one or two thread words is the incoming or woken
 * thread. */
static bool fast_sched(const struct fast *q, struct tt_batch *batch)
{
    struct tt_cursor *cursor = q->cursor;
    uint64_t header = q->header;
    uint32_t subtype = (uint32_t)(header >> 60), args_at = 3 + (subtype == 1);
    bool two = subtype == 1;
    uint32_t cpu = (uint16_t)tt_fxt_bits(header, 20, 16);
    if ((subtype - 1 > 1) | (q->words < args_at) | (cpu >= TT_FXT_CPUS) | q->lost) {
        return false;
    }
    const struct tt_fxt_layout *layout = &tt_fxt_sched_layouts[subtype];
    uint32_t type = cursor->layout_types[layout->number];
    uint64_t ticks = word_at(q, 1);
    struct tt_fxt_sched sched = TT_FXT_NO_SCHED;
    uint32_t first, last;
    /* A wakeup has one thread word, which both look-ups read. */
    bool has_first = cached_tid(cursor, word_at(q, 2), &first);
    bool has_last = cached_tid(cursor, word_at(q, args_at - 1), &last);
    bool has_koids = word_at(q, 2) != 0 && word_at(q, args_at - 1) != 0; /* 0: no thread */
    if (type == UINT32_MAX || ticks > cursor->max_ticks || !(has_first & has_last & has_koids)) {
        return false;
    }
    sched.incoming = last;
    sched.outgoing = first | ((uint32_t)two - 1); /* TT_NO_THREAD for a wakeup */
    uint32_t args = (uint32_t)tt_fxt_bits(header, 16, 4);
    bool weights = cursor->learning || batch->actions;
    uint32_t at = weights ? pass_weights(q, args_at, args, &sched) : pass_args(q, args_at, args);
    if (at != q->words || must_learn(cursor, cpu, &sched)) {
        return false;
    }
    struct tt_event *event = add_event(q, ticks, type, layout->kind, batch);
    event->thread = sched.incoming;
    event->cpu = (uint16_t)cpu;
    if (cursor->learning) {
        cursor->stream->last_switch = ticks;
    }
    tt_fxt_add_sched(&sched, two, event->cpu, (unsigned)tt_fxt_bits(header, 36, 4), batch);
    return true;
}

/* Separate functions use fewer registers each. */
static inline bool fast_record(const struct fast *q, struct tt_batch *batch)
{
    switch (q->header & 15) {
    case TT_FXT_EVENT:
        return fast_event(q, batch);
    case TT_FXT_SCHEDULING:
        return fast_sched(q, batch);
    default:
        return false;
    }
}

void tt_fxt_decode_fast(struct tt_cursor *cursor, uint64_t limit, uint64_t end,
                        struct tt_batch *batch)
{
    const uint8_t *bytes = cursor->fxt->capture->bytes.data;
    struct fast q = {.cursor = cursor,
                     .pos = cursor->pos,
                     .string_key = tt_fxt_string_key(cursor->provider, 0),
                     .string_place = tt_fxt_string_place(cursor->provider, 0),
                     .lost = atomic_load_explicit(&cursor->fxt->any_lost, memory_order_relaxed)};
    if (cursor->rate != cursor->clock || cursor->learn != cursor->learning || limit < 8) {
        return;
    }
    /* A record has to begin below both. */
    end = end < limit - 7 ? end : limit - 7;
    while (q.pos < end && tt_fxt_has_room(batch)) {
        q.bytes = bytes + q.pos;
        tt_prefetch(q.bytes + TT_AHEAD_BYTES);
        q.header = word_at(&q, 0);
        q.words = (uint32_t)tt_fxt_bits(q.header, 4, 12);
        if (q.words > (limit - q.pos) / 8 || !fast_record(&q, batch)) {
            break;
        }
        q.pos += (uint64_t)q.words * 8;
        batch->records++;
    }
    tt_fxt_move_to(cursor, q.pos);
}
