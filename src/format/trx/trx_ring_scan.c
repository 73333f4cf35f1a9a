/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_ring_scan: begins the plan: the order of the entries, the direction of the timer and the
 * number of cores, which depend on all entries. The first screen waits for this pass, so it reads
 * three words of each entry, in the order of the file, and writes nothing; trx_learn.c reads the rest
 * piece by piece. The plan of a ring without used entries is valid.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"
#include "format/trx/trx_internal.h"

#define REST_LOOKED 4096u /* bytes after the ring */
#define ENTRIES_MAX (UINT32_C(1) << 31)

/* Bytes of steps from which on they are in large pages. */
#define STEPS_LARGE ((size_t)4 << 20)

/* Entries from which on equal stamps are reported. */
#define COARSE_LEAST 32u

#define PAIR_BITS_MIN 6u
#define PAIR_BITS_MAX 18u

void trx_entry_load_other(const struct trx_header *header, const uint8_t *p,
                          struct trx_entry *entry)
{
    uint64_t words[8];
    for (size_t i = 0; i < 8; i++) {
        words[i] = header->wide ? tt_load_u64(p + 8 * i, header->big)
                                : tt_load_u32(p + 4 * i, header->big);
    }
    *entry = (struct trx_entry){
        words[0], words[1], words[2], words[3], {words[4], words[5], words[6], words[7]}};
}

void trx_plan_free(struct trx_plan *plan)
{
    trx_plan_walk_free(plan->walk);
    free(plan->last.of_pair);
    free(plan->segments);
    free(plan->copies);
    if (plan->step_pages > 0) {
        tt_platform_free_large_pages(plan->steps, plan->step_pages);
    } else {
        free(plan->steps);
    }
    memset(plan, 0, sizeof *plan);
}

/* Facts of all entries. */
struct ring_facts {
    uint32_t used; /* entries */
    uint64_t increases;
    uint64_t decreases;
    uint64_t last_stamp;
    uint64_t top_stamp;
    uint32_t top_core;
    uint32_t others;     /* entries of cores other than the first */
    uint64_t event_bits; /* all that event words have */
    bool has_internal;   /* a RESUME or SUSPEND */
};

static inline void add_stamp(struct ring_facts *facts, uint64_t stamp)
{
    uint64_t before = facts->used > 0 ? facts->last_stamp : stamp;
    facts->increases += stamp > before;
    facts->decreases += stamp < before;
    facts->top_stamp = stamp > facts->top_stamp ? stamp : facts->top_stamp;
    facts->last_stamp = stamp;
}

/* Adds `count` entries from `p` on, or up to the first unused one. */
static inline void trx_ring_scan_add_entries(struct trx_decoder *decoder, const uint8_t *p,
                                             uint64_t count, bool narrow, struct ring_facts *result)
{
    const struct trx_header *header = &decoder->header;
    const uint32_t word = narrow ? 4 : header->word, size = narrow ? 32 : header->entry_size;
    const uint64_t mask = header->mask;
    struct ring_facts facts = *result;
    for (uint64_t i = 0; i < count; i++, p += size) {
        uint64_t context = narrow ? tt_load_u32(p, false) : trx_load(header, p);
        uint64_t event = narrow ? tt_load_u32(p + 8, false) : trx_load(header, p + 2 * word);
        uint64_t stamp = narrow ? tt_load_u32(p + 12, false) : trx_load(header, p + 3 * word);
        if (context == 0) {
            break;
        }
        add_stamp(&facts, stamp & mask);

        struct trx_last_entries *last = &decoder->plan.last;
        uint32_t id = trx_id_of(event), core = trx_core_of(event);
        core = core == TRX_NO_CORE ? 0 : core;
        facts.has_internal |= id == TRX_ID_RESUME || id == TRX_ID_SUSPEND;
        facts.top_core = core > facts.top_core ? core : facts.top_core;
        facts.others += core != 0;
        facts.event_bits |= event;
        facts.used++;
        last->of_core[core] = facts.used;
        last->of_pair[trx_pair_place(last->shift, core, context)] = facts.used;
    }
    *result = facts;
}

static void scan_from(struct trx_decoder *decoder, const uint8_t *at, uint64_t count,
                      struct ring_facts *facts)
{
    if (decoder->header.wide || decoder->header.big) {
        trx_ring_scan_add_entries(decoder, at, count, false, facts);
    } else {
        trx_ring_scan_add_entries(decoder, at, count, true, facts);
    }
}

/* Adds the entries of the ring from `place` up to `end`. */
static void scan_entries(struct trx_decoder *decoder, uint64_t place, uint64_t end,
                         struct ring_facts *facts)
{
    if (place >= end) {
        return; /* the offset of the buffer may be any number */
    }
    const uint64_t offset = decoder->header.buffer_offset + place * decoder->header.entry_size;
    scan_from(decoder, decoder->capture->bytes.data + offset, end - place, facts);
}

static void clear_last(struct trx_last_entries *last)
{
    memset(last->of_core, 0, sizeof last->of_core);
    memset(last->of_pair, 0, ((size_t)1 << (64 - last->shift)) * sizeof *last->of_pair);
}

/*
 * Passes over the used entries of the ring in the order of time. Starts with the oldest entry, as
 * TraceX does, if it and all before it in the ring are used. Returns false when out of memory.
 */
static bool scan_ring(struct trx_decoder *decoder, uint64_t limit, struct ring_facts *facts)
{
    const struct trx_header *header = &decoder->header;
    struct trx_plan *plan = &decoder->plan;
    uint64_t room =
        limit > header->buffer_offset ? (limit - header->buffer_offset) / header->entry_size : 0;
    uint64_t end = header->entries < room ? header->entries : room;
    end = end < ENTRIES_MAX ? end : ENTRIES_MAX;

    /*
     * Allocates the table of last entries: with few of equal hash, for a usual number of threads.
     */
    struct trx_last_entries *last = &plan->last;
    unsigned bits = PAIR_BITS_MIN;
    while (bits < PAIR_BITS_MAX && UINT64_C(1) << bits < end) {
        bits++;
    }
    last->shift = 64 - bits;
    last->of_pair = calloc((size_t)1 << bits, sizeof *last->of_pair);
    if (!last->of_pair) {
        return false;
    }

    uint64_t oldest = header->oldest < end ? header->oldest : 0;
    scan_entries(decoder, oldest, end, facts);
    uint32_t after_oldest = facts->used;
    if (after_oldest > 0) {
        scan_entries(decoder, 0, oldest, facts);
    }
    if (facts->used - after_oldest < oldest) {
        *facts = (struct ring_facts){0};
        clear_last(&plan->last);
        scan_entries(decoder, 0, oldest, facts);
        oldest = 0;
    }
    plan->entries = facts->used;
    plan->first = (uint32_t)oldest;
    bool cut = limit < header->buffer_offset + (uint64_t)plan->entries * header->entry_size +
                           header->entry_size &&
               plan->entries < header->entries;
    plan->gap = cut && plan->first > 0 ? plan->entries - plan->first : 0;
    return true;
}

/* Returns the ticks between all neighbours, counting up or down, without those that would overflow. */
static uint64_t span_of(const struct trx_decoder *decoder, bool counts_down)
{
    struct trx_walk walk = trx_walk_begin(decoder, 0);
    struct trx_entry before, entry;
    uint64_t span = 0, mask = decoder->header.mask;
    for (uint32_t i = 0; i < decoder->plan.entries; i++, trx_walk_next(&walk)) {
        trx_entry_load(&decoder->header, walk.at, &entry);
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
static bool decide_direction(const struct trx_decoder *decoder, const struct ring_facts *facts)
{
    if (facts->increases != facts->decreases) {
        return facts->decreases > facts->increases;
    }
    return span_of(decoder, true) < span_of(decoder, false);
}

/* Reports stamps that show no time: all equal, or most of them. */
static void report_coarse(const struct trx_decoder *decoder, const struct ring_facts *facts)
{
    uint64_t steps = facts->increases + facts->decreases;
    uint32_t neighbours = facts->used - (facts->used > 0) - decoder->plan.beginning;
    if (facts->used < COARSE_LEAST + decoder->plan.beginning || decoder->header.mask == 0 ||
        steps * 2 >= neighbours) {
        return;
    }
    tt_health_add(decoder->capture, TT_HEALTH_COARSE_TIME, decoder->header.buffer_offset, 0,
                  neighbours - steps,
                  steps == 0 ? "events: the timer does not count, so that no time is known"
                             : "events: the timer counts too slowly, as the system's tick does");
    tt_health_count_more(decoder->capture, TT_HEALTH_COARSE_TIME, neighbours - steps - 1);
}

static void trx_ring_scan_decide(struct trx_decoder *decoder, const struct ring_facts *facts)
{
    decoder->plan.cores = facts->top_core + 1;
    const struct trx_header *header = &decoder->header;
    decoder->plan.beginning =
        header->beginning < decoder->plan.entries ? header->beginning : decoder->plan.entries;
    decoder->plan.has_internal = header->saved ? header->saved_internal : facts->has_internal;
    decoder->plan.counts_down =
        header->saved ? header->saved_down : decide_direction(decoder, facts);
    report_coarse(decoder, facts);
    trx_timers_align(decoder);
    if (decoder->plan.apart) {
        return;
    }
    bool steps_back = !decoder->plan.counts_down && facts->decreases > 0;
    if (decoder->header.mask == UINT32_MAX && steps_back && facts->top_stamp < 1000000000u) {
        tt_health_add(decoder->capture, TT_HEALTH_TIME_RANGE, decoder->header.buffer_offset, 0,
                      facts->decreases,
                      "steps back of a counter that stays below 10^9: it may wrap there (tv_nsec) "
                      "and not at the timer mask");
    }
}

static bool trx_ring_scan_add_number(struct tt_capture *capture, const char *section,
                                     const char *key, uint64_t value)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%" PRIu64, value);
    return tt_facts_add(capture, section, key, text, (size_t)length);
}

/* Adds the facts that follow from the entries. */
static bool trx_ring_scan_add_facts(const struct trx_decoder *decoder)
{
    struct tt_capture *capture = decoder->capture;
    const char *direction = decoder->plan.counts_down ? "down" : "up";
    const char *apart = "one per core, aligned by the order of the entries";
    return trx_ring_scan_add_number(capture, "recording", "entries used", decoder->plan.entries) &&
           trx_ring_scan_add_number(capture, "recording", "entries in the ring",
                                    decoder->header.entries) &&
           trx_ring_scan_add_number(capture, "recording", "oldest entry", decoder->plan.first) &&
           trx_ring_scan_add_number(capture, "recording", "cores", decoder->plan.cores) &&
           tt_facts_add(capture, "clock", "timer counts", direction, strlen(direction)) &&
           (!decoder->plan.apart || tt_facts_add(capture, "clock", "timers", apart, strlen(apart)));
}

/* Reports problems of the whole ring to health. */
static void trx_ring_scan_report(const struct trx_decoder *decoder, uint64_t limit)
{
    const struct trx_header *header = &decoder->header;
    struct tt_capture *capture = decoder->capture;
    uint64_t end = header->buffer_offset + (uint64_t)decoder->plan.entries * header->entry_size;
    uint64_t pos = (uint64_t)decoder->plan.entries * header->entry_size;
    if (decoder->plan.segment_count > 0) {
        return; /* what is missing is in the report of the damage */
    }
    if (decoder->plan.entries == header->entries) {
        /*
         * Reports bytes after the ring, unless the first of them are zeros, with which a file is
         * padded.
         */
        struct tt_bytes rest =
            tt_bytes_slice(decoder->capture->bytes, end, limit > end ? limit - end : 0);
        uint64_t looked = rest.size < REST_LOOKED ? rest.size : REST_LOOKED, i = 0;
        while (i < looked && rest.data[i] == 0) {
            i++;
        }
        if (i < looked) {
            tt_health_add(decoder->capture, TT_HEALTH_NOT_READ, end, 0, rest.size,
                          "bytes after the buffer; --find lists other buffers in them");
        }
    } else if (end + header->entry_size > limit) {
        tt_health_add(capture, TT_HEALTH_TRUNCATED, limit, pos,
                      header->entries - decoder->plan.entries,
                      "entries of the ring that the file does not have");
    } else if (header->oldest != decoder->plan.entries && header->oldest != UINT64_MAX) {
        tt_health_add(capture, TT_HEALTH_COUNT_MISMATCH, end, pos, header->oldest,
                      "an unused entry that is not where the header has the next one; entries "
                      "after it are not read");
    }
}

/* Allocates the steps; those of a large ring in large pages, which have few page faults. */
static bool make_steps(struct trx_plan *plan)
{
    size_t size = (size_t)plan->entries * sizeof *plan->steps;
    size_t pages = size < STEPS_LARGE ? 0 : (size + TT_LARGE_PAGE - 1) / TT_LARGE_PAGE;
    plan->steps = pages > 0 ? tt_platform_large_pages(pages) : malloc(size + 1);
    plan->step_pages = plan->steps ? pages : 0;
    return plan->steps != NULL;
}

/* Scans the ring again if it is damaged. Returns false when out of memory. */
static bool scan_damaged(struct trx_decoder *decoder, uint64_t limit, struct ring_facts *facts)
{
    struct trx_plan *plan = &decoder->plan;

    /*
     * Decides whether a ring may be damaged: some events have impossible bits, it ends too early,
     * or time goes back other than at the ring's end, on a single core: those of several read the
     * timer at once. The objects of the registry must be known.
     */
    const uint64_t possible = UINT64_C(0x1f00ffff);
    const struct trx_header *header = &decoder->header;
    uint64_t fewer = facts->increases < facts->decreases ? facts->increases : facts->decreases;
    bool ends = decoder->plan.entries < header->entries && header->oldest != decoder->plan.entries;
    const bool one_core = facts->others <= facts->used / TRX_OTHER_CORES;
    if (!(decoder->registry.count > 0 && header->beginning == 0 &&
          header->entries >= TRX_DAMAGE_LEAST &&
          ((facts->event_bits & ~possible) != 0 || ends ||
           (header->mask >= UINT32_MAX && fewer > 0 && one_core)))) {
        return true;
    }

    plan->counts_down = facts->decreases > facts->increases;
    if (!trx_damage_find(decoder, limit)) {
        return false;
    }
    if (plan->segment_count == 0) {
        return true;
    }
    plan->gap = 0;
    *facts = (struct ring_facts){0};
    clear_last(&plan->last);
    for (uint32_t i = 0; i < plan->segment_count; i++) {
        const struct trx_segment *segment = &plan->segments[i];
        scan_from(decoder, trx_entry_at(decoder, segment->first), segment->count, facts);
    }
    return true;
}

enum trx_plan_result trx_plan_make(struct trx_decoder *decoder, uint64_t limit, bool final)
{
    const struct trx_header *header = &decoder->header;
    if (decoder->image) {
        limit = decoder->capture->bytes.size;
    } else if (!final && (header->buffer_offset > limit ||
                          (limit - header->buffer_offset) / header->entry_size < header->entries)) {
        return TRX_PLAN_NOT_YET;
    }
    uint32_t piece = decoder->plan.piece;
    trx_plan_free(&decoder->plan);
    decoder->plan.piece = piece;
    struct ring_facts facts = {0};
    if (!scan_ring(decoder, limit, &facts) || !scan_damaged(decoder, limit, &facts)) {
        return TRX_PLAN_MEMORY;
    }
    trx_ring_scan_decide(decoder, &facts);
    if (!make_steps(&decoder->plan) || !trx_ring_scan_add_facts(decoder)) {
        return TRX_PLAN_MEMORY;
    }
    trx_ring_scan_report(decoder, limit);
    decoder->capture->cpu_count = decoder->plan.cores;
    atomic_store_explicit(&decoder->planned, decoder->plan.entries == 0, memory_order_release);
    atomic_store_explicit(&decoder->ordered, true, memory_order_release);
    return TRX_PLAN_READY;
}
