/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_ring_scan: begins the plan: order, timer direction, contexts and types of all entries, in one
 * pass over the ring (trx_next_context.c finds the next contexts, piece by piece). The plan of a ring without used
 * entries is valid.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/prefetch.h"
#include "format/trx/trx_internal.h"

#define ENTRIES_MAX (UINT32_C(1) << 31)

void trx_entry_load_other(const struct trx_header *h, const uint8_t *p, struct trx_entry *entry)
{
    uint64_t words[8];
    for (size_t i = 0; i < 8; i++) {
        words[i] = h->wide ? tt_load_u64(p + 8 * i, h->big) : tt_load_u32(p + 4 * i, h->big);
    }
    *entry = (struct trx_entry){
        words[0], words[1], words[2], words[3], {words[4], words[5], words[6], words[7]}};
}

void trx_plan_free(struct trx_plan *plan)
{
    trx_plan_walk_free(plan->walk);
    free(plan->steps);
    memset(plan, 0, sizeof *plan);
}

/* Returns the number of entries before the first unused one and the end of the bytes. */
static uint32_t count_used(const struct trx_decoder *d, uint64_t limit)
{
    const struct trx_header *h = &d->header;
    uint64_t room = limit > h->buffer_offset ? (limit - h->buffer_offset) / h->entry_size : 0;
    uint64_t entries = h->entries < room ? h->entries : room;
    if (entries == 0) {
        return 0;
    }
    const uint8_t *p = d->capture->bytes.data + h->buffer_offset;
    uint32_t used = 0;
    while (used < entries && used < ENTRIES_MAX && trx_load(h, p) != 0) {
        used++;
        p += h->entry_size;
    }
    return used;
}

/* Starts with the oldest entry, as TraceX does, if the header's one is used. */
static void order_entries(struct trx_decoder *d, uint64_t limit)
{
    const struct trx_header *h = &d->header;
    struct trx_plan *plan = &d->plan;
    plan->entries = count_used(d, limit);
    plan->first = h->oldest < plan->entries ? (uint32_t)h->oldest : 0;
    bool cut = limit < h->buffer_offset + (uint64_t)plan->entries * h->entry_size + h->entry_size &&
               plan->entries < h->entries;
    plan->gap = cut && plan->first > 0 ? plan->entries - plan->first : 0;
}

/* Returns the information words of an event that are threads, as bits. */
static unsigned thread_words(uint32_t id)
{
    switch (id) {
    case TRX_ID_RESUME:
    case TRX_ID_SUSPEND:
        return 1u | 8u;
    case TRX_ID_TIME_SLICE:
    case TRX_ID_CREATE:
    case TRX_ID_DELETE:
    case TRX_ID_PRIORITY:
        return 1u;
    case TRX_ID_RELINQUISH:
        return 2u;
    default:
        return 0;
    }
}

static inline uint32_t find_or_add(struct trx_decoder *d, struct trx_context_cache *cache,
                                   uint64_t address)
{
    uint32_t context = trx_context_cached(d, cache, address);
    return context != TRX_NO_CONTEXT ? context : trx_context_add(d, address);
}

static bool add_threads(struct trx_decoder *d, struct trx_context_cache *cache,
                        const struct trx_entry *entry, unsigned words)
{
    for (size_t i = 0; words >> i; i++) {
        if ((words >> i & 1u) && entry->info[i] != 0 &&
            find_or_add(d, cache, entry->info[i]) == TRX_NO_CONTEXT) {
            return false;
        }
    }
    return true;
}

/* Adds the thread that an interrupt's entry names. */
static bool add_interrupted(struct trx_decoder *d, struct trx_context_cache *cache,
                            const struct trx_entry *entry)
{
    return entry->priority == 0 || find_or_add(d, cache, entry->priority) != TRX_NO_CONTEXT;
}

struct learning {
    struct trx_context_cache cache;
    uint64_t increases;
    uint64_t decreases;
    uint64_t last_stamp;
    uint64_t top_stamp;
    uint32_t top_core;
    bool has_internal; /* a RESUME or SUSPEND */
};

/* Records that an event occurred in `context`. */
static bool note_context(struct trx_decoder *d, uint32_t context, uint32_t index)
{
    static const uint8_t threads[] = {TRX_OBJECT_THREAD, TRX_OBJECT_NONE};
    struct trx_context *item = &d->contexts.items[context];
    if (item->seen) {
        return true;
    }
    item->seen = true;
    if (!trx_is_thread(context)) {
        return trx_context_make_lane(d, context);
    }
    if (context == TRX_CROWD) {
        tt_health_add(d->capture, TT_HEALTH_UNKNOWN_REFERENCE, trx_entry_offset(d, index),
                      (uint64_t)index * d->header.entry_size, TRX_CONTEXTS_MAX,
                      "more threads than the limit: the others have no name");
    } else if (!trx_registry_find(&d->registry, item->address, threads)) {
        tt_health_add(d->capture, TT_HEALTH_UNKNOWN_REFERENCE, trx_entry_offset(d, index),
                      (uint64_t)index * d->header.entry_size, item->address,
                      "thread that is not in the object registry");
    }
    return true;
}

/* Returns TRX_STEP_PRIORITY if a thread's priority differs from that at its last entry. */
static uint32_t note_priority(struct trx_decoder *d, uint32_t context, uint64_t word)
{
    struct trx_context *item = &d->contexts.items[context];
    uint16_t priority = trx_priority_of(word);
    if (!trx_is_thread(context) || item->priority == priority) {
        return 0;
    }
    item->priority = priority;
    return TRX_STEP_PRIORITY;
}

static inline void learn_stamp(struct learning *learning, uint32_t index, uint64_t stamp)
{
    learning->increases += index > 0 && stamp > learning->last_stamp;
    learning->decreases += index > 0 && stamp < learning->last_stamp;
    learning->last_stamp = stamp;
    learning->top_stamp = stamp > learning->top_stamp ? stamp : learning->top_stamp;
}

/* Learns from entry `index`, whose bytes begin at `at`. */
static inline bool learn_entry(struct trx_decoder *d, struct learning *learning, uint32_t index,
                               const uint8_t *at)
{
    struct trx_entry entry;
    trx_entry_load(&d->header, at, &entry);
    uint32_t id = trx_id_of(entry.event), core = trx_core_of(entry.event);
    uint32_t context = find_or_add(d, &learning->cache, entry.context);
    const struct trx_type *type = trx_type_add(d, id);
    unsigned words = thread_words(id);
    if (context == TRX_NO_CONTEXT || !type || !note_context(d, context, index) ||
        (words != 0 && !add_threads(d, &learning->cache, &entry, words)) ||
        (context == TRX_ISR && !add_interrupted(d, &learning->cache, &entry))) {
        return false;
    }
    uint32_t number = core == TRX_NO_CORE ? 0 : core;
    struct trx_step *step = &d->plan.steps[index];
    step->context = context | number << TRX_STEP_CORE | note_priority(d, context, entry.priority);
    step->type = type->number;
    learning->top_core = number > learning->top_core ? number : learning->top_core;
    learning->has_internal |= id == TRX_ID_RESUME || id == TRX_ID_SUSPEND;
    learn_stamp(learning, index, entry.stamp & d->header.mask);
    return true;
}

/* Returns the ticks between all neighbours, counting up or down, without those that would overflow. */
static uint64_t span_of(const struct trx_decoder *d, bool counts_down)
{
    struct trx_walk walk = trx_walk_begin(d);
    struct trx_entry before, entry;
    uint64_t span = 0, mask = d->header.mask;
    for (uint32_t i = 0; i < d->plan.entries; i++, trx_walk_next(&walk)) {
        trx_entry_load(&d->header, walk.at, &entry);
        uint64_t ticks =
            i > 0 ? trx_ticks_between(before.stamp & mask, entry.stamp & mask, mask, counts_down)
                  : 0;
        span += span + ticks < ticks ? 0 : ticks;
        before = entry;
    }
    return span;
}

/*
 * Decides the direction of the timer, which is not recorded: the more frequent one between
 * neighbours, as in TraceX. In a tie (two or three events) the one with the shorter capture.
 */
static bool decide_direction(const struct trx_decoder *d, const struct learning *learning)
{
    if (learning->increases != learning->decreases) {
        return learning->decreases > learning->increases;
    }
    return span_of(d, true) < span_of(d, false);
}

static bool learn_entries(struct trx_decoder *d)
{
    struct learning learning;
    memset(&learning, 0, sizeof learning);
    struct trx_walk walk = trx_walk_begin(d);
    for (uint32_t i = 0; i < d->plan.entries; i++, trx_walk_next(&walk)) {
        tt_prefetch(walk.at + TT_AHEAD_BYTES);
        if (!learn_entry(d, &learning, i, walk.at)) {
            return false;
        }
    }
    d->plan.cores = learning.top_core + 1;
    d->plan.has_internal = learning.has_internal;
    d->plan.counts_down = decide_direction(d, &learning);
    bool steps_back = !d->plan.counts_down && learning.decreases > 0;
    if (d->header.mask == UINT32_MAX && steps_back && learning.top_stamp < 1000000000u) {
        tt_health_add(d->capture, TT_HEALTH_TIME_RANGE, d->header.buffer_offset, 0,
                      learning.decreases,
                      "steps back of a counter that stays below 10^9: it may wrap there (tv_nsec) "
                      "and not at the timer mask");
    }
    return true;
}

static bool add_number(struct tt_capture *c, const char *section, const char *key, uint64_t value)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%" PRIu64, value);
    return tt_facts_add(c, section, key, text, (size_t)length);
}

/* Adds the facts that follow from the entries. */
static bool add_facts(const struct trx_decoder *d)
{
    struct tt_capture *c = d->capture;
    const char *direction = d->plan.counts_down ? "down" : "up";
    return add_number(c, "recording", "entries used", d->plan.entries) &&
           add_number(c, "recording", "entries in the ring", d->header.entries) &&
           add_number(c, "recording", "oldest entry", d->plan.first) &&
           add_number(c, "recording", "cores", d->plan.cores) &&
           tt_facts_add(c, "clock", "timer counts", direction, strlen(direction));
}

/* Reports problems of the whole ring to health. */
static void report(const struct trx_decoder *d, uint64_t limit)
{
    const struct trx_header *h = &d->header;
    struct tt_capture *c = d->capture;
    uint64_t end = h->buffer_offset + (uint64_t)d->plan.entries * h->entry_size;
    uint64_t pos = (uint64_t)d->plan.entries * h->entry_size;
    if (d->plan.entries == h->entries) {
        return;
    }
    if (end + h->entry_size > limit) {
        tt_health_add(c, TT_HEALTH_TRUNCATED, limit, pos, h->entries - d->plan.entries,
                      "entries of the ring that the file does not have");
    } else if (h->oldest != d->plan.entries && h->oldest != UINT64_MAX) {
        tt_health_add(c, TT_HEALTH_COUNT_MISMATCH, end, pos, h->oldest,
                      "an unused entry that is not where the header has the next one; entries "
                      "after it are not read");
    }
}

enum trx_plan_result trx_plan_make(struct trx_decoder *d, uint64_t limit, bool final)
{
    const struct trx_header *h = &d->header;
    if (d->image) {
        limit = d->capture->bytes.size;
    } else if (!final && (h->buffer_offset > limit ||
                          (limit - h->buffer_offset) / h->entry_size < h->entries)) {
        return TRX_PLAN_NOT_YET;
    }
    uint32_t piece = d->plan.piece;
    trx_plan_free(&d->plan);
    d->plan.piece = piece;
    d->plan.running_type = UINT32_MAX;
    order_entries(d, limit);
    d->plan.steps = calloc(d->plan.entries ? d->plan.entries : 1, sizeof *d->plan.steps);
    if (!d->plan.steps || trx_context_add(d, 0) == TRX_NO_CONTEXT || !learn_entries(d) ||
        !add_facts(d)) {
        return TRX_PLAN_MEMORY;
    }
    report(d, limit);
    d->capture->cpu_count = d->plan.cores;
    atomic_store_explicit(&d->planned, d->plan.entries == 0, memory_order_release);
    atomic_store_explicit(&d->ordered, true, memory_order_release);
    return TRX_PLAN_READY;
}
