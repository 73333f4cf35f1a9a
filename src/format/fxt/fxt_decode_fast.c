/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_decode_fast: the fast path for the most frequent records: events and new scheduling records
 * in the host's byte order whose threads, names and types are in the cursor's caches. All other
 * records are left to fxt_decode.c; nothing is published before the record has been checked.
 *
 *      header ──kind──> event        thread slot, name slot, category slot ──> lane, event type
 *                       scheduling   two tid slots ──> lanes; name slots of the weights
 *
 *  A slot is found by the reference itself, without a search, and a record is checked by a few sums
 * and differences that have to be 0. Functions that are not inlined (pass_names, pass_odd_args,
 * cached_inline_lane, fast_counters) handle inline texts and what else is rare; they take plain
 * values, so that the state of the loop stays in registers.
 */
#include "base/prefetch.h"
#include "format/fxt/fxt_sched.h"

#if defined(__GNUC__)
#define COLD __attribute__((noinline))
#define HOT  inline __attribute__((always_inline))
#else
#define COLD
#define HOT inline
#endif

/* Data that does not change within a call. */
struct fast {
    struct tt_cursor *cursor;
    const uint8_t *bytes;                      /* position 0 */
    const struct tt_fxt_thread_entry *threads; /* of the current provider */
    uint64_t string_key;                       /* of ref 0 of the current provider, */
    uint32_t string_place;                     /* and its place in the cache */
    uint32_t provider;
    uint32_t cpus;    /* below this they need not be learnt */
    uint64_t low;     /* all times from this on, */
    uint64_t span;    /* up to `low` + `span`, need no check, */
    uint64_t longest; /* nor do events that take at most this */
    bool learning;
    bool wants; /* actions are wanted */
};

/* A record in the host's byte order. */
struct record {
    const uint8_t *bytes;
    uint64_t header;
    uint64_t size; /* in bytes */
};

#define NO_SWITCH UINT64_MAX

/* Where the next event and the next action are written. */
struct out {
    struct tt_event *event;
    struct tt_action *action;
    int64_t room;         /* for as many events, with one action each */
    uint64_t omit;        /* kinds of actions to omit, one bit each */
    uint64_t last_switch; /* ticks of the last scheduling record, or NO_SWITCH */
};

static HOT uint64_t fxt_fast_load(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static HOT uint64_t fxt_fast_word_at(const uint8_t *bytes, uint32_t index)
{
    return fxt_fast_load(bytes + (uint64_t)index * 8);
}

/* Returns the bytes of a record or an argument. */
static HOT uint64_t fxt_fast_size_of(uint64_t header)
{
    return header >> 1 & 0x7ff8u;
}

static HOT const struct tt_fxt_string_entry *string_slot(const struct fast *fast, uint32_t ref)
{
    return &fast->cursor->strings[(fast->string_place + ref) % TT_FXT_STRING_CACHE];
}

/* Returns 0 if the slot has the string of a ref. */
static HOT uint64_t differs(const struct fast *fast, const struct tt_fxt_string_entry *slot,
                            uint32_t ref)
{
    return slot->key ^ (fast->string_key | ref);
}

/* Looks up a string ref; returns false if it is not cached. */
static HOT bool cached_string(const struct tt_cursor *cursor, uint32_t ref, tt_string *string)
{
    const struct tt_fxt_string_entry *slot =
        &cursor->strings[tt_fxt_string_place(cursor->provider, ref)];
    *string = slot->string;
    return slot->key == tt_fxt_string_key(cursor->provider, ref);
}

static COLD bool cached_inline_lane(const struct tt_cursor *cursor, const uint8_t *bytes,
                                    uint32_t *lane)
{
    uint64_t pid = fxt_fast_word_at(bytes, 2), tid = fxt_fast_word_at(bytes, 3);
    const struct tt_fxt_lane_entry *entry = &cursor->lanes[tt_fxt_lane_place(pid, tid)];
    *lane = entry->lane;
    return entry->tid == tid && entry->pid == pid && entry->lane != TT_NO_THREAD;
}

/* ---- arguments -------------------------------------------------------------------------- */

#define NEVER 0xffff /* more than an argument can have */

/* Bytes of an argument with a registered name, at least; NEVER: pass_odd_args counts them. */
static const uint16_t least_size[16] = {
    [TT_FXT_ARG_NULL] = 8,
    [TT_FXT_ARG_INT32] = 8,
    [TT_FXT_ARG_UINT32] = 8,
    [TT_FXT_ARG_INT64] = 16,
    [TT_FXT_ARG_UINT64] = 16,
    [TT_FXT_ARG_DOUBLE] = 16,
    [TT_FXT_ARG_STRING] = NEVER,
    [TT_FXT_ARG_POINTER] = 16,
    [TT_FXT_ARG_KOID] = 16,
    [TT_FXT_ARG_BOOL] = 8,
    [TT_FXT_ARG_BLOB] = NEVER,
    [11] = NEVER,
    [12] = NEVER,
    [13] = NEVER,
    [14] = NEVER,
    [15] = NEVER,
};

/* Returns whether a ref is not in the cache. */
static bool is_uncached(const struct tt_cursor *cursor, uint32_t ref)
{
    tt_string string;
    return ref != 0 && !tt_fxt_ref_is_inline(ref) && !cached_string(cursor, ref, &string);
}

#define TOO_FAR 0x1000000u /* no offset in a record of this path */

/*
 * Returns the offset after `count` arguments of any type; TOO_FAR if one has a name that is not
 * cached, or does not fit.
 */
static COLD uint32_t pass_odd_args(const struct tt_cursor *cursor, const uint8_t *bytes,
                                   uint32_t size, uint32_t at, uint32_t count)
{
    for (; count > 0; count--) {
        uint64_t header = at < size ? fxt_fast_load(bytes + at) : 0;
        unsigned type = header & 15;
        bool uncached =
            is_uncached(cursor, (uint16_t)(header >> 16)) ||
            (type == TT_FXT_ARG_STRING && is_uncached(cursor, (uint16_t)(header >> 32)));
        if (fxt_fast_size_of(header) / 8 < tt_fxt_arg_min_words(header) ||
            type >= TT_FXT_ARG_TYPES || uncached) {
            return TOO_FAR;
        }
        at += (uint32_t)fxt_fast_size_of(header);
    }
    return at;
}

/*
 * Returns the offset after `count` arguments; more than the size of the record if they are left to
 * fxt_decode.c. A header beyond the record is read as that of the record: the offset shows it.
 */
static HOT uint64_t pass_args(const struct fast *fast, const struct record *record, uint32_t first,
                              uint32_t count)
{
    uint64_t odd = 0, at = first;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t header = fxt_fast_load(record->bytes + (at < record->size ? at : 0));
        uint64_t size = fxt_fast_size_of(header);
        uint32_t ref = (uint16_t)(header >> 16);
        odd |= differs(fast, string_slot(fast, ref), ref) | (size < least_size[header & 15]);
        at += size;
    }
    return odd == 0
               ? at
               : pass_odd_args(fast->cursor, record->bytes, (uint32_t)record->size, first, count);
}

/* ---- events ----------------------------------------------------------------------------- */

#define UNSUPPORTED 254

/* By event type, like tt_fxt_event_layouts. */
static const struct event_rule {
    uint8_t action; /* enum tt_action_kind; its value is the word after the arguments */
    uint8_t kind;
    uint8_t least;     /* bytes after the arguments */
    uint8_t more;      /* bytes that may follow these */
    int16_t has_value; /* 0 or -1; of 16 bits, so that a rule has 8 bytes */
    int16_t is_slice;  /* 0 or -1: the value is a time */
} event_rules[16] = {
    [0] = {TT_ACTION_NOTE, TT_KIND_INSTANT, 0, 8, 0, 0},
    [1] = {TT_ACTION_COUNTER, TT_KIND_COUNTER, 8, 0, -1, 0},
    [2] = {TT_ACTION_SLICE_BEGIN, TT_KIND_BEGIN, 0, 0, -1, 0},
    [3] = {TT_ACTION_SLICE_END, TT_KIND_END, 0, 0, -1, 0},
    [4] = {TT_ACTION_SLICE, TT_KIND_COMPLETE, 8, 0, -1, -1},
    [5] = {TT_ACTION_ASYNC_BEGIN, TT_KIND_ASYNC_BEGIN, 8, 0, -1, 0},
    [6] = {TT_ACTION_NONE, TT_KIND_ASYNC_INSTANT, 8, 0, -1, 0},
    [7] = {TT_ACTION_ASYNC_END, TT_KIND_ASYNC_END, 8, 0, -1, 0},
    [8] = {TT_ACTION_FLOW_BEGIN, TT_KIND_FLOW_BEGIN, 8, 0, -1, 0},
    [9] = {TT_ACTION_FLOW_STEP, TT_KIND_FLOW_STEP, 8, 0, -1, 0},
    [10] = {TT_ACTION_FLOW_END, TT_KIND_FLOW_END, 8, 0, -1, 0},
    [11] = {.action = UNSUPPORTED},
    [12] = {.action = UNSUPPORTED},
    [13] = {.action = UNSUPPORTED},
    [14] = {.action = UNSUPPORTED},
    [15] = {.action = UNSUPPORTED},
};

/* Resolves the string of a category or name, inline or cached; returns the offset after it, or 0. */
static uint32_t pass_text(struct tt_cursor *cursor, const uint8_t *bytes, uint32_t size,
                          uint32_t at, uint32_t ref, tt_string *string)
{
    if (!tt_fxt_ref_is_inline(ref)) {
        return cached_string(cursor, ref, string) ? at : 0;
    }
    uint32_t length = tt_fxt_ref_length(ref);
    if (at > size || length > size - at) {
        return 0;
    }
    *string = tt_fxt_inline_text(cursor, (const char *)bytes + at, length);
    return cursor->no_memory ? 0 : at + tt_fxt_stream_words(length) * 8;
}

/* Looks up the type by its category and name, refs or inline; returns the offset after them, or 0. */
static COLD uint32_t pass_names(struct tt_cursor *cursor, const uint8_t *bytes, uint32_t size,
                                uint32_t at, uint32_t refs, uint32_t *type)
{
    tt_string category, name;
    uint32_t name_ref = refs >> 16;
    at = pass_text(cursor, bytes, size, at, (uint16_t)refs, &category);
    at = at ? pass_text(cursor, bytes, size, at, name_ref, &name) : 0;
    if (at == 0) {
        return 0;
    }
    const struct tt_fxt_type_entry *entry = &cursor->types[tt_fxt_type_place(category, name)];
    *type = entry->type;
    if (entry->category != category || entry->name != name || entry->type == UINT32_MAX) {
        return 0;
    }
    if (!tt_fxt_ref_is_inline(name_ref)) {
        struct tt_fxt_string_entry *slot =
            &cursor->strings[tt_fxt_string_place(cursor->provider, name_ref)];
        slot->category = category;
        slot->type = entry->type;
    }
    return at;
}

/* Finds the type of an event and returns the offset after its names, or 0. */
static HOT uint32_t pass_type(const struct fast *fast, const struct record *record, uint32_t at,
                              uint32_t *type)
{
    uint32_t category_ref = (uint16_t)(record->header >> 32),
             name_ref = (uint32_t)(record->header >> 48);
    const struct tt_fxt_string_entry *category = string_slot(fast, category_ref);
    const struct tt_fxt_string_entry *name = string_slot(fast, name_ref);
    *type = name->type;
    uint64_t unknown = differs(fast, category, category_ref) | differs(fast, name, name_ref) |
                       (name->category ^ category->string);
    return unknown == 0 ? at
                        : pass_names(fast->cursor, record->bytes, (uint32_t)record->size, at,
                                     (uint32_t)(record->header >> 32), type);
}

/* Reads a number, from its header or the word after it, as the bits of a double. Returns false for
 * other types. */
static HOT bool fxt_fast_number_at(const uint8_t *arg, uint64_t *bits)
{
    uint64_t header = fxt_fast_load(arg);
    unsigned type = header & 15;
    bool wide = type >= TT_FXT_ARG_INT64 && type <= TT_FXT_ARG_DOUBLE;
    uint64_t value = wide                       ? fxt_fast_load(arg + 8)
                     : type == TT_FXT_ARG_INT32 ? (uint64_t)(int64_t)(int32_t)(header >> 32)
                                                : header >> 32;
    return tt_fxt_number_bits(type, value, bits);
}

/* Fills in an action of `event`. */
static HOT void put_action(struct tt_action *action, unsigned kind, const struct tt_event *event,
                           uint32_t other, uint64_t value)
{
    action->ticks = event->ticks;
    action->pos = event->pos;
    action->value = value;
    action->thread = event->thread;
    action->other = other;
    action->cpu = event->cpu;
    action->priority = TT_NO_PRIORITY;
    action->state = 0;
    action->kind = (uint8_t)kind;
    action->flags = 0;
}

/*
 * Writes the actions of a counter, whose arguments from offset `at` on have been checked. Returns
 * their number, or UINT32_MAX if a name or series is not cached.
 */
static uint32_t fast_counters(const struct tt_cursor *cursor, const uint8_t *bytes, uint32_t at,
                              const struct tt_event *event, uint64_t id, struct tt_action *action)
{
    uint32_t process = UINT32_MAX, written = 0;
    if (event->thread != TT_NO_THREAD) {
        process = tt_thread_at(cursor->fxt->capture, event->thread)->process;
    }
    uint32_t args = (uint32_t)tt_fxt_bits(fxt_fast_load(bytes), 20, 4);
    for (uint32_t left = args; left > 0; left--) {
        uint64_t header = fxt_fast_load(bytes + at), bits;
        uint32_t ref = (uint16_t)(header >> 16);
        tt_string name;
        if (tt_fxt_ref_is_inline(ref) || !cached_string(cursor, ref, &name)) {
            return UINT32_MAX;
        }
        if (fxt_fast_number_at(bytes + at, &bits) &&
            !tt_fxt_is_key(cursor, name, header & 15, bits, id, args)) {
            const struct tt_fxt_series_entry *entry =
                tt_fxt_cached_series(cursor, event->type, name, id, process);
            if (!tt_fxt_is_series(entry, event->type, name, id, process)) {
                return UINT32_MAX;
            }
            put_action(&action[written], TT_ACTION_COUNTER, event, entry->series, bits);
            action[written++].state = (uint16_t)cursor->provider;
        }
        at += (uint32_t)fxt_fast_size_of(header);
    }
    return written;
}

/* Fills in an event. */
static HOT void fxt_fast_put_event(const struct fast *fast, struct tt_event *event,
                                   const struct record *record, uint64_t ticks, uint32_t type,
                                   unsigned kind, uint32_t lane, uint16_t cpu)
{
    event->ticks = ticks;
    event->pos = (uint64_t)(record->bytes - fast->bytes);
    event->type = type;
    event->thread = lane;
    event->length = (uint32_t)record->size;
    event->cpu = cpu;
    event->kind = (uint8_t)kind;
    event->flags = 0;
}

/* Counts the event and `written` actions as done. */
static HOT bool fxt_fast_finish(struct out *out, unsigned kind, uint32_t written)
{
    bool omitted = out->omit >> kind & 1;
    out->action += omitted ? 0 : written;
    out->event++;
    out->room--;
    return true;
}

static HOT bool fast_event(const struct fast *fast, const struct record *record, struct out *out)
{
    uint64_t header = record->header;
    uint32_t ref = (uint8_t)(header >> 24), at = 16, type;
    const struct event_rule *rule = &event_rules[header >> 16 & 15];
    uint32_t lane = fast->threads[ref].lane;
    if ((rule->action == UNSUPPORTED) | (record->size < 16)) {
        return false;
    }
    if ((ref == 0) | (fast->threads[ref].provider != fast->provider)) {
        if (ref != 0 || record->size < 32 ||
            !cached_inline_lane(fast->cursor, record->bytes, &lane)) {
            return false;
        }
        at = 32;
    }
    uint32_t args_at = pass_type(fast, record, at, &type);
    if (args_at == 0) {
        return false;
    }
    /* Which records have a word after the arguments is unpredictable. */
    uint64_t left =
        record->size - pass_args(fast, record, args_at, (uint32_t)tt_fxt_bits(header, 20, 4));
    uint64_t ticks = fxt_fast_load(record->bytes + 8);
    uint64_t tail = fxt_fast_load(record->bytes + record->size - 8) & -(uint64_t)(left / 8 & 1);
    uint64_t slice = (uint64_t)rule->is_slice;
    uint64_t latest = ticks ^ ((ticks ^ tail) & slice);
    if ((left - rule->least > rule->more) | (ticks - fast->low > fast->span) |
        (latest - ticks > fast->longest)) {
        return false;
    }
    fxt_fast_put_event(fast, out->event, record, ticks, type, rule->kind, lane, TT_NO_CPU);
    if ((rule->action == TT_ACTION_COUNTER) & fast->wants) {
        /* Counts a counter, which may have more actions than the one that `room` provides for. */
        uint32_t written =
            fast_counters(fast->cursor, record->bytes, args_at, out->event, tail, out->action);
        if (written == UINT32_MAX) {
            return false;
        }
        out->room -= written;
        return fxt_fast_finish(out, TT_ACTION_COUNTER, written);
    }
    /* Always written, but valid only where the event has an action. A note has no value. */
    uint64_t has_value = (uint64_t)rule->has_value;
    put_action(out->action, rule->action, out->event, type, (tail - (ticks & slice)) & has_value);
    out->action->state = (uint16_t)(fast->provider & has_value);
    return fxt_fast_finish(out, rule->action, 1);
}

/* ---- scheduling ------------------------------------------------------------------------- */

/* Type and size of an argument, the low 16 bits of its header. */
#define WEIGHT (TT_FXT_ARG_INT32 | 1u << 4)
#define WAKER  (TT_FXT_ARG_KOID | 2u << 4)

/* Type, size, number of arguments and subtype of a record, and the same of frequent records. */
#define SHAPE_BITS (UINT64_C(0xffff) | UINT64_C(15) << 16 | UINT64_C(15) << 60)
#define SHAPE(subtype, words, args)                                                                \
    (TT_FXT_SCHEDULING | (words) << 4 | (args) << 16 | UINT64_C(subtype) << 60)
#define SWITCH          SHAPE(1, 6, 2) /* ticks, outgoing, incoming, weight, weight */
#define WAKEUP          SHAPE(2, 4, 1) /* ticks, woken, weight */
#define WAKEUP_BY_WAKER SHAPE(2, 6, 2) /* ticks, woken, weight, waker (2 words) */

/* Returns the name of an argument, and in *odd a number other than 0 if it is not cached, or if the
 * argument's type and size are not as `shape`. */
static HOT const struct tt_fxt_string_entry *arg_name(const struct fast *fast, uint64_t arg,
                                                      uint32_t shape, uint64_t *odd)
{
    uint32_t ref = (uint16_t)(arg >> 16);
    const struct tt_fxt_string_entry *name = string_slot(fast, ref);
    *odd |= differs(fast, name, ref) | ((uint16_t)arg ^ shape);
    return name;
}

/* Returns whether a weight is in the range of those of deadline threads; not so in most captures. */
static HOT bool may_have_deadline(int32_t weight)
{
    return (uint32_t)weight - (uint32_t)TT_FXT_DEADLINE_FIRST <=
           (uint32_t)(TT_FXT_DEADLINE_LAST - TT_FXT_DEADLINE_FIRST);
}

/* Converts a weight to a priority, as tt_fxt_store_weight: that of an idle thread is none. */
static HOT int16_t fxt_fast_priority_of(int32_t weight)
{
    if (may_have_deadline(weight)) {
        return tt_fxt_priority_of(weight);
    }
    int32_t low = weight < INT16_MIN + 1 ? INT16_MIN + 1 : weight;
    int32_t priority = low > TT_FXT_FAIR_MOST ? TT_FXT_FAIR_MOST : low;
    return (int16_t)(priority - (weight == INT32_MIN));
}

/* Returns the entry of a koid; *odd is not 0 if it is not cached. */
static HOT struct tt_fxt_tid_entry *tid_slot(const struct fast *fast, uint64_t tid, uint64_t *odd)
{
    struct tt_fxt_tid_entry *entry = &fast->cursor->tids[tt_fxt_tid_place(tid)];
    *odd |= entry->tid ^ tid;
    return entry;
}

/* Returns whether the capture has an idle thread already. */
static COLD bool is_known_idle(const struct tt_cursor *cursor, struct tt_fxt_tid_entry *entry)
{
    entry->known = tt_thread_at(cursor->fxt->capture, entry->lane)->idle;
    return entry->known;
}

/* Returns whether a thread's weight is that of an idle thread and its entry has it as another. */
static HOT unsigned is_new_idle(const struct tt_fxt_tid_entry *entry, int32_t weight)
{
    return (weight == INT32_MIN) & (entry->known != 1);
}

/* Returns whether a thread has a weight with a deadline that is not stored yet. */
static HOT unsigned is_new_deadline(const struct tt_fxt_tid_entry *entry, int32_t weight)
{
    return may_have_deadline(weight) & (entry->known != (uint32_t)weight);
}

static HOT void put_sched(const struct fast *fast, const struct record *record, unsigned subtype,
                          uint32_t lane, struct out *out)
{
    const struct tt_fxt_layout *layout = &tt_fxt_sched_layouts[subtype];
    uint64_t ticks = fxt_fast_load(record->bytes + 8);
    uint16_t cpu = (uint16_t)(record->header >> 20);
    fxt_fast_put_event(fast, out->event, record, ticks, fast->cursor->layout_types[layout->number],
                       layout->kind, lane, cpu);
    out->last_switch = ticks;
}

/* Returns whether a scheduling record's CPU, time and type need fxt_decode.c. */
static HOT bool is_odd_sched(const struct fast *fast, const struct record *record, unsigned subtype)
{
    uint32_t type = fast->cursor->layout_types[tt_fxt_sched_layouts[subtype].number];
    return ((uint16_t)(record->header >> 20) >= fast->cpus) | (type == UINT32_MAX) |
           (fxt_fast_load(record->bytes + 8) - fast->low > fast->span);
}

/* Branch-free: wakeups with and without a waker alternate unpredictably. */
static HOT bool fast_wakeup(const struct fast *fast, const struct record *record, struct out *out)
{
    uint32_t has_waker = record->size / 8 == 6;
    uint64_t odd = 0, weight = fxt_fast_word_at(record->bytes, 3),
             last = fxt_fast_word_at(record->bytes, 3 + has_waker);
    const struct tt_fxt_string_entry *name = arg_name(fast, weight, WEIGHT, &odd);
    const struct tt_fxt_string_entry *last_name =
        arg_name(fast, last, WEIGHT + (WAKER - WEIGHT) * has_waker, &odd);
    struct tt_fxt_tid_entry *woken = tid_slot(fast, fxt_fast_word_at(record->bytes, 2), &odd);
    struct tt_fxt_tid_entry *waker =
        tid_slot(fast, fxt_fast_word_at(record->bytes, 2 + 3 * has_waker), &odd);
    odd |= name->role ^ TT_FXT_WEIGHT_INCOMING;
    odd |= last_name->role ^
           (TT_FXT_WEIGHT_INCOMING + (TT_FXT_WEIGHT_WAKER - TT_FXT_WEIGHT_INCOMING) * has_waker);
    if ((odd != 0) | is_odd_sched(fast, record, 2)) {
        return false;
    }
    if ((is_new_idle(woken, (int32_t)(weight >> 32)) & fast->learning) &&
        !is_known_idle(fast->cursor, woken)) {
        return false;
    }
    if (is_new_deadline(woken, (int32_t)(weight >> 32)) & fast->learning) {
        return false;
    }
    put_sched(fast, record, 2, woken->lane, out);
    put_action(out->action, TT_ACTION_WAKEUP, out->event, waker->lane | (has_waker - 1), 0);
    out->action->priority = fxt_fast_priority_of((int32_t)(weight >> 32));
    out->action->state = TT_FXT_STATE_READY;
    return fxt_fast_finish(out, TT_ACTION_WAKEUP, 1);
}

/* ---- records ---------------------------------------------------------------------------- */

/* Handles a record; returns false if fxt_decode.c has to. */
static HOT bool fast_record(const struct fast *fast, const struct record *record, struct out *out)
{
    if ((record->header & 15) == TT_FXT_EVENT) {
        return fast_event(fast, record, out);
    }
    uint64_t shape = record->header & SHAPE_BITS;
    if (shape == SWITCH) {
        uint64_t odd = 0, first = fxt_fast_word_at(record->bytes, 4),
                 second = fxt_fast_word_at(record->bytes, 5);
        const struct tt_fxt_string_entry *first_name = arg_name(fast, first, WEIGHT, &odd);
        const struct tt_fxt_string_entry *second_name = arg_name(fast, second, WEIGHT, &odd);
        struct tt_fxt_tid_entry *outgoing =
            tid_slot(fast, fxt_fast_word_at(record->bytes, 2), &odd);
        struct tt_fxt_tid_entry *incoming =
            tid_slot(fast, fxt_fast_word_at(record->bytes, 3), &odd);
        odd |= (first_name->role ^ second_name->role) ^
               (TT_FXT_WEIGHT_OUTGOING ^ TT_FXT_WEIGHT_INCOMING);
        if ((odd != 0) | is_odd_sched(fast, record, 1)) {
            return false;
        }
        uint64_t swap = (first ^ second) & -(uint64_t)(first_name->role == TT_FXT_WEIGHT_INCOMING);
        int32_t weight_out = (int32_t)((first ^ swap) >> 32);
        int32_t weight_in = (int32_t)((second ^ swap) >> 32);
        if (((is_new_idle(outgoing, weight_out) | is_new_idle(incoming, weight_in)) &
             fast->learning) &&
            !((weight_out != INT32_MIN || is_known_idle(fast->cursor, outgoing)) &&
              (weight_in != INT32_MIN || is_known_idle(fast->cursor, incoming)))) {
            return false;
        }
        if ((is_new_deadline(outgoing, weight_out) | is_new_deadline(incoming, weight_in)) &
            fast->learning) {
            return false;
        }
        put_sched(fast, record, 1, incoming->lane, out);
        put_action(out->action, TT_ACTION_SWITCH, out->event, outgoing->lane,
                   tt_action_left_with(fxt_fast_priority_of(weight_out)));
        out->action->priority = fxt_fast_priority_of(weight_in);
        out->action->state = tt_fxt_outgoing_states[record->header >> 36 & 15];
        return fxt_fast_finish(out, TT_ACTION_SWITCH, 1);
    }
    return ((shape == WAKEUP) | (shape == WAKEUP_BY_WAKER)) && fast_wakeup(fast, record, out);
}

/* Returns whether a scheduling record with this header is one of them. */
static bool is_fast_sched(uint64_t header)
{
    uint64_t shape = header & SHAPE_BITS;
    return shape == SWITCH || shape == WAKEUP || shape == WAKEUP_BY_WAKER;
}

/* Handles records from the cursor's position on as long as it can; returns the position after them.
 */
static uint64_t fast_records(const struct fast *fast, uint64_t limit, uint64_t end,
                             struct tt_batch *batch)
{
    struct tt_action dropped;

    /* Where events and actions go, and for how many there is room. */
    struct out out = {.event = &batch->events[batch->count],
                      .action = &dropped,
                      .room = (int64_t)batch->capacity - batch->count,
                      .omit = UINT64_MAX,
                      .last_switch = NO_SWITCH};
    if (batch->actions) {
        int64_t actions =
            (int64_t)batch->action_capacity - TT_ACTIONS_PER_EVENT - batch->action_count + 1;
        out.action = &batch->actions[batch->action_count];
        out.room = actions < out.room ? actions : out.room;
        out.omit = batch->unwanted | UINT64_C(1) << TT_ACTION_NONE;
    }

    const struct tt_event *first = out.event;
    if (fast->cursor->pos >= end) { /* also a damaged position */
        return fast->cursor->pos;
    }
    const uint8_t *first_after = fast->bytes + end, *bytes_end = fast->bytes + limit;
    struct record r = {.bytes = fast->bytes + fast->cursor->pos};
    while (r.bytes < first_after && out.room > 0) {
        tt_prefetch(r.bytes + TT_AHEAD_BYTES);
        r.header = fxt_fast_load(r.bytes);
        r.size = fxt_fast_size_of(r.header);
        if (r.size > (uint64_t)(bytes_end - r.bytes) || !fast_record(fast, &r, &out)) {
            break;
        }
        r.bytes += r.size;
    }
    if (out.event > first) {
        fast->cursor->last_ticks = out.event[-1].ticks;
        if (fast->learning) {
            fast->cursor->fxt->pace.last = out.event[-1].ticks;
        }
        batch->count += (uint32_t)(out.event - first);
        batch->records += (uint64_t)(out.event - first);
    }
    if (fast->wants) {
        batch->action_count = (uint32_t)(out.action - batch->actions);
    }
    if (fast->learning && out.last_switch != NO_SWITCH) {
        fast->cursor->stream->last_switch = out.last_switch;
    }
    return (uint64_t)(r.bytes - fast->bytes);
}

/* Returns whether fxt_decode.c has to decode from the cursor on; else moves *end to where it may have to. */
static bool is_marked(const struct tt_cursor *cursor, uint64_t *end)
{
    const struct tt_fxt *fxt = cursor->fxt;
    if (!atomic_load_explicit(&fxt->any_lost, memory_order_relaxed)) {
        return false;
    }
    if (cursor->learning) {
        return cursor->stream->lost || cursor->stream->events_lost;
    }
    uint64_t chunk = cursor->pos >> TT_FXT_CHUNK_BITS, unused;
    uint64_t chunk_end = (chunk + 1) << TT_FXT_CHUNK_BITS;
    *end = *end < chunk_end ? *end : chunk_end;
    return tt_fxt_table_get(&fxt->jumps, chunk, 1, 0, &unused);
}

void tt_fxt_decode_fast(struct tt_cursor *cursor, uint64_t limit, uint64_t end,
                        struct tt_batch *batch)
{
    const struct tt_fxt *fxt = cursor->fxt;

    /*
     * Decides whether the fast path may have something to do at the cursor: definitions are not for
     * it.
     */
    if (limit < 8 || cursor->pos > limit - 8) {
        return;
    }
    uint64_t header = fxt_fast_load(cursor->fxt->capture->bytes.data + cursor->pos);
    if (!((header & 15) == TT_FXT_EVENT || is_fast_sched(header))) {
        return;
    }

    uint32_t provider = cursor->provider, cpus = fxt->capture->cpu_count;
    struct fast q = {.cursor = cursor,
                     .bytes = fxt->capture->bytes.data,
                     .threads = &cursor->threads[tt_fxt_thread_place(provider, 0)],
                     .string_key = tt_fxt_string_key(provider, 0),
                     .string_place = tt_fxt_string_place(provider, 0),
                     .provider = provider,
                     .cpus = cursor->learning && cpus < TT_FXT_CPUS ? cpus : TT_FXT_CPUS,
                     .low = 0,
                     .span = cursor->max_ticks,
                     .longest = cursor->max_ticks,
                     .learning = cursor->learning,
                     .wants = batch->actions != NULL};
    if (cursor->rate != cursor->clock || cursor->learn != cursor->learning ||
        is_marked(cursor, &end)) {
        return;
    }
    if (cursor->learning) {
        q.low = fxt->pace.fast_low;
        q.span = fxt->pace.fast_span;
        q.longest = fxt->longest;
    }
    /* A record has to begin below both. */
    end = end < limit - 7 ? end : limit - 7;
    tt_fxt_move_to(cursor, fast_records(&q, limit, end, batch));
}
