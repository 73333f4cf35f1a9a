/* SPDX-License-Identifier: Apache-2.0 */
/* trx_learn: adds the contexts that entries occur in or refer to, and begins the steps of the plan. */
#include "base/prefetch.h"
#include "format/trx/trx_internal.h"

/*
 * The effect of an event, in its place in a step, and which of its information words are threads: the
 * subject, and the last one of RESUME and SUSPEND. Of wide words the masks are extended.
 */
struct traits {
    uint32_t effect;
    int32_t subject; /* mask */
    uint32_t word;   /* of the subject */
    int32_t last;    /* mask */
};
#define EFFECT(e)  .effect = (uint32_t)(e) << TRX_STEP_EFFECT
#define LAST       .last = -1
#define SUBJECT(i) .subject = -1, .word = TRX_WORD_INFO + (i)

/* By id. */
static const struct traits traits_of[] = {
    [TRX_ID_RESUME] = {EFFECT(TRX_RESUMES), SUBJECT(0), LAST},
    [TRX_ID_SUSPEND] = {EFFECT(TRX_SUSPENDS), SUBJECT(0), LAST},
    [TRX_ID_ISR_ENTER] = {EFFECT(TRX_ENTERS)},
    [TRX_ID_ISR_EXIT] = {EFFECT(TRX_LEAVES)},
    [TRX_ID_TIME_SLICE] = {EFFECT(TRX_SLICES), SUBJECT(0)},
    [TRX_ID_BLOCK_ALLOCATE] = {EFFECT(TRX_WAITS)},
    [TRX_ID_BYTE_ALLOCATE] = {EFFECT(TRX_WAITS)},
    [TRX_ID_FLAGS_GET] = {EFFECT(TRX_WAITS)},
    [TRX_ID_MUTEX_GET] = {EFFECT(TRX_GETS_MUTEX), SUBJECT(2)},
    [TRX_ID_MUTEX_PUT] = {EFFECT(TRX_PUTS_MUTEX)},
    [TRX_ID_QUEUE_DELETE] = {EFFECT(TRX_CLEARS_QUEUE)},
    [TRX_ID_QUEUE_FLUSH] = {EFFECT(TRX_CLEARS_QUEUE)},
    [TRX_ID_QUEUE_FRONT_SEND] = {EFFECT(TRX_SENDS_FRONT)},
    [TRX_ID_QUEUE_RECEIVE] = {EFFECT(TRX_RECEIVES)},
    [TRX_ID_QUEUE_SEND] = {EFFECT(TRX_SENDS)},
    [TRX_ID_SEMAPHORE_GET] = {EFFECT(TRX_WAITS)},
    [TRX_ID_CREATE] = {EFFECT(TRX_CREATES), SUBJECT(0)},
    [TRX_ID_DELETE] = {EFFECT(TRX_DELETES), SUBJECT(0)},
    [TRX_ID_PRIORITY] = {EFFECT(TRX_SETS_PRIORITY), SUBJECT(0)},
    [TRX_ID_RELINQUISH] = {EFFECT(TRX_RELINQUISHES), SUBJECT(1)},
};
#define IDS (sizeof traits_of / sizeof traits_of[0])

struct learning {
    struct trx_decoder *d;
    struct trx_context_cache *cache;
    struct trx_context *items; /* of the decoder */
    struct trx_links **last;   /* by core, of its last entry */
};

/* Returns whether an address is no thread: it is not in the registry, which has unused slots. */
static bool trx_learn_is_nobody(const struct trx_decoder *decoder, uint64_t address)
{
    const struct trx_registry *registry = &decoder->registry;
    return address != 0 && address != TRX_ADDRESS_ISR && address != TRX_ADDRESS_INIT &&
           registry->count > 0 && registry->count < registry->slots &&
           decoder->header.beginning == 0 && decoder->header.entries >= TRX_DAMAGE_LEAST &&
           !trx_registry_has_thread(registry, address);
}

/* Returns whether no other entry of the core of entry `index` has its context. */
static bool is_once(const struct trx_decoder *decoder, uint32_t index, uint64_t address)
{
    const uint8_t *at = trx_entry_at(decoder, index);
    uint32_t core = trx_core_of(trx_word(&decoder->header, at, TRX_WORD_EVENT));
    const struct trx_last_entries *last = &decoder->plan.last;
    size_t place = trx_pair_place(last->shift, core == TRX_NO_CORE ? 0 : core, address);
    return last->of_pair[place] == index + 1;
}

/* Returns the number of an address, which is added, with its lane, if new; TRX_NO_CONTEXT when out of memory. */
static uint32_t find_or_add(const struct learning *learning, uint64_t address)
{
    const size_t place = trx_context_place(address);
    const uint32_t recent = learning->cache->numbers[place];
    if (learning->d->contexts.items[recent].address == address) {
        return recent;
    }
    uint32_t context = trx_context_add(learning->d, address);
    bool has_lane = context == TRX_ISR || context == TRX_INIT;
    if (context == TRX_NO_CONTEXT || (has_lane && !trx_context_make_lane(learning->d, context))) {
        return TRX_NO_CONTEXT;
    }
    if (place != 0) {
        learning->cache->numbers[place] = context;
    }
    return context;
}

/* Does the same for an address that an entry mentions; TRX_IDLE if it is no thread. */
static uint32_t find_mentioned(const struct learning *learning, uint64_t address)
{
    bool known = trx_context_find_known(learning->d, address) != TRX_NO_CONTEXT;
    return !known && trx_learn_is_nobody(learning->d, address) ? TRX_IDLE
                                                               : find_or_add(learning, address);
}

/* Records that an event occurred in `context` for the first time. */
static void note_context(struct trx_decoder *decoder, uint32_t context, uint32_t index)
{
    static const uint8_t threads[] = {TRX_OBJECT_THREAD, TRX_OBJECT_NONE};
    struct trx_context *item = &decoder->contexts.items[context];
    uint64_t offset = trx_entry_offset(decoder, index),
             pos = (uint64_t)index * decoder->header.entry_size;
    if (context == TRX_CROWD && trx_context_count(decoder) < TRX_CONTEXTS_MAX) {
        tt_health_add(decoder->capture, TT_HEALTH_UNKNOWN_REFERENCE, offset, pos, 0,
                      "context that is no thread: the object registry has unused slots");
    } else if (context == TRX_CROWD) {
        tt_health_add(decoder->capture, TT_HEALTH_UNKNOWN_REFERENCE, offset, pos, TRX_CONTEXTS_MAX,
                      "more threads than the limit: the others have no name");
    } else if (trx_is_thread(context) &&
               !trx_registry_find(&decoder->registry, item->address, threads)) {
        tt_health_add(decoder->capture, TT_HEALTH_UNKNOWN_REFERENCE, offset, pos, item->address,
                      "thread that is not in the object registry");
    }
}

/* The addresses of an entry that are, or may be, contexts; 0: none. */
struct addresses {
    uint64_t own;
    uint64_t subject;
    uint64_t last;
    uint64_t interrupted;
};

/* Their contexts. */
struct numbers {
    uint32_t own;
    uint32_t subject;
    uint32_t last;
    uint32_t interrupted;
};

/* Finds the contexts of entry `index` and learns what is new. Returns false when out of memory. */
static TRX_RARE bool learn_new(const struct learning *learning, uint32_t index,
                               const struct addresses *addresses, struct numbers *numbers)
{
    struct trx_decoder *decoder = learning->d;
    numbers->own = trx_context_find_known(decoder, addresses->own) == TRX_NO_CONTEXT &&
                           trx_learn_is_nobody(decoder, addresses->own) &&
                           is_once(decoder, index, addresses->own)
                       ? TRX_CROWD
                       : find_or_add(learning, addresses->own);
    if (numbers->own == TRX_NO_CONTEXT) {
        return false;
    }
    if (decoder->contexts.items[numbers->own].priority == TRX_NO_PRIORITY) {
        note_context(decoder, numbers->own, index);
    }
    numbers->subject = find_mentioned(learning, addresses->subject);
    numbers->last = numbers->subject == TRX_NO_CONTEXT ? TRX_NO_CONTEXT
                                                       : find_mentioned(learning, addresses->last);
    numbers->interrupted = numbers->last == TRX_NO_CONTEXT
                               ? TRX_NO_CONTEXT
                               : find_mentioned(learning, addresses->interrupted);
    return numbers->interrupted != TRX_NO_CONTEXT;
}

/*
 * Learns from entry `index`, whose bytes begin at `at`. Nearly all contexts are in the cache. Which words
 * are threads can not be predicted, so all are looked up without a branch; address 0 is always there.
 */
static TRX_HOT bool learn_entry(const struct learning *learning, bool usual, uint32_t index,
                                const uint8_t *at, struct trx_step *step, struct trx_links *links)
{
    const struct trx_header *header = &learning->d->header;
    struct trx_context *items = learning->items;
    const uint32_t *numbers = learning->cache->numbers;
    const uint64_t event = trx_word_if(usual, header, at, TRX_WORD_EVENT);
    const uint64_t own = trx_word_if(usual, header, at, TRX_WORD_CONTEXT);
    const uint64_t priority = trx_word_if(usual, header, at, TRX_WORD_PRIORITY);
    const uint32_t id = trx_id_of(event);
    const struct traits *traits = &traits_of[id < IDS ? id : 0];
    const uint64_t subject =
        trx_word_if(usual, header, at, traits->word) & (uint64_t)(int64_t)traits->subject;
    const uint64_t last =
        trx_word_if(usual, header, at, TRX_WORD_INFO + 3) & (uint64_t)(int64_t)traits->last;
    const uint64_t interrupted = own == TRX_ADDRESS_ISR ? priority : 0;
    struct numbers n = {
        .own = numbers[trx_context_place(own)],
        .subject = numbers[trx_context_place(subject)],
        .last = numbers[trx_context_place(last)],
        .interrupted = numbers[trx_context_place(interrupted)],
    };
    const uint64_t other = (items[n.own].address ^ own) | (items[n.subject].address ^ subject) |
                           (items[n.last].address ^ last) |
                           (items[n.interrupted].address ^ interrupted);
    const uint16_t level = trx_priority_of(priority), before = items[n.own].priority;
    if (TRX_RARELY(other != 0 || before == TRX_NO_PRIORITY)) {
        struct addresses a = {own, subject, last, interrupted};
        struct numbers found;
        if (!learn_new(learning, index, &a, &found)) {
            return false;
        }
        n = found;
    }
    const uint32_t core = event >> 24 < TRX_CORES ? (uint32_t)event & ~UINT32_C(0xffffff) : 0;
    uint32_t word = n.own | traits->effect | core;
    if (items[n.own].priority != level) {
        items[n.own].priority = level;
        word |= trx_is_thread(n.own) ? TRX_STEP_PRIORITY : 0;
    }
    step->context = word;
    step->next = (uint16_t)n.last;
    step->subject = (uint16_t)n.subject;
    *links = (struct trx_links){.following = TRX_NO_ENTRY, .interrupted = n.interrupted};
    learning->last[trx_step_core(core)]->following = index;
    learning->last[trx_step_core(core)] = links;
    return true;
}

static TRX_HOT bool learn_entries(const struct learning *learning, bool usual, uint32_t from,
                                  uint32_t to, struct trx_links *links)
{
    struct trx_walk walk = trx_walk_begin(learning->d, from);
    struct trx_step *steps = learning->d->plan.steps;
    for (uint32_t i = from; i < to; i++, links++, trx_walk_next(&walk)) {
        tt_prefetch(walk.at + TT_AHEAD_BYTES);
        if (!learn_entry(learning, usual, i, walk.at, &steps[i], links)) {
            return false;
        }
    }
    return true;
}

bool trx_learn(struct trx_decoder *decoder, struct trx_context_cache *cache, uint32_t from,
               uint32_t to, struct trx_links *links, struct trx_links *last[TRX_CORES])
{
    const struct learning l = {decoder, cache, decoder->contexts.items, last};
    return trx_is_usual(&decoder->header) ? learn_entries(&l, true, from, to, links)
                                          : learn_entries(&l, false, from, to, links);
}

void trx_learn_mentioned(const struct trx_header *header, const uint8_t *at, uint64_t words[3])
{
    const uint32_t id = trx_id_of(trx_word(header, at, TRX_WORD_EVENT));
    const struct traits *traits = &traits_of[id < IDS ? id : 0];
    words[0] = traits->subject ? trx_word(header, at, traits->word) : 0;
    words[1] = traits->last ? trx_word(header, at, TRX_WORD_INFO + 3) : 0;
    words[2] = trx_word(header, at, TRX_WORD_CONTEXT) == TRX_ADDRESS_ISR
                   ? trx_word(header, at, TRX_WORD_PRIORITY)
                   : 0;
}
