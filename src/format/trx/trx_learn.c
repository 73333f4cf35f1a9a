/* SPDX-License-Identifier: Apache-2.0 */
/* trx_learn: adds the contexts that entries occur in or refer to, and begins the steps of the plan. */
#include "base/prefetch.h"
#include "format/trx/trx_internal.h"

/* The information words of an event that are threads, as bits, by id. */
static const uint8_t thread_words[] = {
    [TRX_ID_RESUME] = 1u | 8u, [TRX_ID_SUSPEND] = 1u | 8u, [TRX_ID_TIME_SLICE] = 1u,
    [TRX_ID_MUTEX_GET] = 4u,   [TRX_ID_CREATE] = 1u,       [TRX_ID_DELETE] = 1u,
    [TRX_ID_PRIORITY] = 1u,    [TRX_ID_RELINQUISH] = 2u,
};

struct learning {
    struct trx_decoder *d;
    struct trx_context_cache *cache;
};

/* Adds a context, with its lane. */
static uint32_t add_context(const struct learning *l, uint64_t address)
{
    uint32_t context = trx_context_add(l->d, address);
    bool has_lane = context == TRX_ISR || context == TRX_INIT;
    if (context == TRX_NO_CONTEXT || (has_lane && !trx_context_make_lane(l->d, context))) {
        return TRX_NO_CONTEXT;
    }
    trx_context_keep(l->cache, address, context);
    return context;
}

static inline uint32_t find_or_add(const struct learning *l, uint64_t address)
{
    uint32_t context = trx_context_recent(l->cache, address);
    return context != TRX_NO_CONTEXT ? context : add_context(l, address);
}

static inline uint64_t word_at(const struct trx_header *h, const uint8_t *entry, size_t word)
{
    return trx_load(h, entry + word * h->word);
}

/* Adds the threads that an entry's information words refer to. */
static bool add_threads(const struct learning *l, const uint8_t *entry, unsigned words)
{
    for (size_t i = 0; words >> i; i++) {
        uint64_t address = words >> i & 1u ? word_at(&l->d->header, entry, 4 + i) : 0;
        if (address != 0 && find_or_add(l, address) == TRX_NO_CONTEXT) {
            return false;
        }
    }
    return true;
}

/* Records that an event occurred in `context` for the first time. */
static void note_context(struct trx_decoder *d, uint32_t context, uint32_t index)
{
    static const uint8_t threads[] = {TRX_OBJECT_THREAD, TRX_OBJECT_NONE};
    struct trx_context *item = &d->contexts.items[context];
    uint64_t offset = trx_entry_offset(d, index), pos = (uint64_t)index * d->header.entry_size;
    item->seen = true;
    if (context == TRX_CROWD) {
        tt_health_add(d->capture, TT_HEALTH_UNKNOWN_REFERENCE, offset, pos, TRX_CONTEXTS_MAX,
                      "more threads than the limit: the others have no name");
    } else if (trx_is_thread(context) && !trx_registry_find(&d->registry, item->address, threads)) {
        tt_health_add(d->capture, TT_HEALTH_UNKNOWN_REFERENCE, offset, pos, item->address,
                      "thread that is not in the object registry");
    }
}

/* Returns TRX_STEP_PRIORITY if a thread's priority differs from that at its last entry. */
static inline uint32_t note_priority(struct trx_context *item, uint64_t word)
{
    uint16_t priority = trx_priority_of(word);
    if (item->priority == priority) {
        return 0;
    }
    item->priority = priority;
    return TRX_STEP_PRIORITY;
}

/* Learns from entry `index`, whose bytes begin at `at`. */
static inline bool learn_entry(const struct learning *l, uint32_t index, const uint8_t *at)
{
    struct trx_decoder *d = l->d;
    const struct trx_header *h = &d->header;
    uint64_t event = word_at(h, at, 2), priority = word_at(h, at, 1);
    uint32_t context = find_or_add(l, word_at(h, at, 0));
    if (context == TRX_NO_CONTEXT) {
        return false;
    }
    struct trx_context *item = &d->contexts.items[context];
    if (!item->seen) {
        note_context(d, context, index);
    }
    uint32_t id = trx_id_of(event), core = trx_core_of(event), flags = 0;
    unsigned words = id < sizeof thread_words ? thread_words[id] : 0;
    if (words != 0 && !add_threads(l, at, words)) {
        return false;
    }
    if (trx_is_thread(context)) {
        flags = note_priority(item, priority);
    } else if (context == TRX_ISR && priority != 0 && find_or_add(l, priority) == TRX_NO_CONTEXT) {
        return false;
    }
    uint32_t number = core == TRX_NO_CORE ? 0 : core;
    d->plan.steps[index].context = context | number << TRX_STEP_CORE | flags;
    return true;
}

bool trx_learn(struct trx_decoder *d, struct trx_context_cache *cache, uint32_t from, uint32_t to)
{
    struct learning l = {d, cache};
    const uint8_t *bytes = d->capture->bytes.data;
    for (uint32_t i = from; i < to; i++) {
        const uint8_t *at = bytes + trx_entry_offset(d, i);
        tt_prefetch(at + TT_AHEAD_BYTES);
        if (!learn_entry(&l, i, at)) {
            return false;
        }
    }
    return true;
}
