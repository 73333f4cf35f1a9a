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

/* Adds the threads that an entry's information words refer to. */
static bool add_threads(const struct learning *l, const uint8_t *entry, unsigned words)
{
    for (unsigned i = 0; words >> i; i++) {
        uint64_t address = words >> i & 1u ? trx_word(&l->d->header, entry, TRX_WORD_INFO + i) : 0;
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

/* Sets the priority of a context; returns TRX_STEP_PRIORITY if a thread's has changed. */
static inline uint32_t note_priority(struct trx_context *item, uint32_t context, uint64_t word)
{
    uint16_t priority = trx_priority_of(word), before = item->priority;
    item->priority = priority;
    return (trx_is_thread(context) & (priority != before)) != 0 ? TRX_STEP_PRIORITY : 0;
}

/* Learns what the cache does not have of entry `index`, whose bytes begin at `at`. */
static bool learn_new(const struct learning *l, uint32_t index, const uint8_t *at)
{
    struct trx_decoder *d = l->d;
    const struct trx_header *h = &d->header;
    uint64_t priority = trx_word(h, at, TRX_WORD_PRIORITY);
    uint32_t id = trx_id_of(trx_word(h, at, TRX_WORD_EVENT));
    uint32_t context = find_or_add(l, trx_word(h, at, TRX_WORD_CONTEXT));
    if (context == TRX_NO_CONTEXT) {
        return false;
    }
    if (!d->contexts.items[context].seen) {
        note_context(d, context, index);
    }
    unsigned words = id < sizeof thread_words ? thread_words[id] : 0;
    if (words != 0 && !add_threads(l, at, words)) {
        return false;
    }
    return context != TRX_ISR || priority == 0 || find_or_add(l, priority) != TRX_NO_CONTEXT;
}

/* Returns whether the cache has the context of an address; it always has that of address 0. */
static TRX_HOT bool is_recent(const struct learning *l, uint64_t address)
{
    return l->cache->places[trx_context_place(address)].address == address;
}

/*
 * Learns from entry `index`, whose bytes begin at `at`. Nearly all contexts are in the cache. Which words
 * are threads can not be predicted, so those of the most frequent events are looked up without a branch.
 */
static TRX_HOT bool learn_entry(const struct learning *l, bool usual, uint32_t index,
                                const uint8_t *at, struct trx_step *step)
{
    enum { OFTEN = 1u | 8u }; /* information words 0 and 3 */
    const struct trx_header *h = &l->d->header;
    struct trx_context *items = l->d->contexts.items;
    uint64_t event = trx_word_if(usual, h, at, TRX_WORD_EVENT);
    uint64_t address = trx_word_if(usual, h, at, TRX_WORD_CONTEXT);
    uint64_t priority = trx_word_if(usual, h, at, TRX_WORD_PRIORITY);
    uint32_t id = trx_id_of(event);
    unsigned words = thread_words[id < sizeof thread_words ? id : 0];
    uint64_t first = trx_word_if(usual, h, at, TRX_WORD_INFO) & -(uint64_t)(words & 1u);
    uint64_t last = trx_word_if(usual, h, at, TRX_WORD_INFO + 3) & -(uint64_t)(words >> 3 & 1u);
    uint64_t interrupted = address == TRX_ADDRESS_ISR ? priority : 0;
    const struct trx_context_place *place = &l->cache->places[trx_context_place(address)];
    uint32_t context = (uint32_t)place->context;
    if (TRX_RARELY(place->address != address || !is_recent(l, first) || !is_recent(l, last) ||
                   !is_recent(l, interrupted) || (words & ~(unsigned)OFTEN) != 0 ||
                   !items[context].seen)) {
        if (!learn_new(l, index, at)) {
            return false;
        }
        context = find_or_add(l, address);
    }
    uint32_t core = event >> 24 < TRX_CORES ? (uint32_t)event & ~TRX_STEP_CONTEXT : 0;
    step->context = context | core | note_priority(&items[context], context, priority);
    return true;
}

static TRX_HOT bool learn_entries(const struct learning *l, bool usual, uint32_t from, uint32_t to)
{
    struct trx_walk walk = trx_walk_begin(l->d, from);
    struct trx_step *steps = l->d->plan.steps;
    for (uint32_t i = from; i < to; i++, trx_walk_next(&walk)) {
        tt_prefetch(walk.at + TT_AHEAD_BYTES);
        if (!learn_entry(l, usual, i, walk.at, &steps[i])) {
            return false;
        }
    }
    return true;
}

bool trx_learn(struct trx_decoder *d, struct trx_context_cache *cache, uint32_t from, uint32_t to)
{
    struct learning l = {d, cache};
    return trx_is_usual(&d->header) ? learn_entries(&l, true, from, to)
                                    : learn_entries(&l, false, from, to);
}
