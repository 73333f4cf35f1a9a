/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trx_damage: finds the entries of a ring with damaged, inserted or missing bytes.
 *
 *       file   | 5 6 7 .. | damage | 8 | 1 2 | damage | 3 4 |       entries as numbered in time
 *                ^ segment           ^ segment, to 2    ^ segment
 *
 *  The entries after damage may be at any byte, and the ring may end before or after the place that the
 * header has. The rules are in docs/format-trx.md, "Damage".
 */
#include <stdlib.h>
#include <string.h>

#include "format/trx/trx_internal.h"

enum {
    CHAIN = 8,          /* entries that agree after damage */
    LEAST_CHAIN = 2,    /* the same up to the end of the file */
    OFTEN = 3,          /* entries of a thread that is not registered */
    OFTEN_KEPT = 16,    /* such threads that are remembered */
    OFTEN_WORK = 64,    /* times that the ring is looked through for them */
    NEAR_PARTS = 16,    /* of a turn of the timer: longer steps agree with nothing */
    NO_EFFECT = 0xff,   /* twice: the id of an event of the application */
    MOVED_MOST = 16384, /* bytes that the oldest entry may be from where the header has it */
};

/* The search, in the order of the file. */
struct search {
    struct trx_decoder *d;
    const uint8_t *bytes;
    uint64_t end; /* of the bytes */
    struct trx_segment *segments;
    uint32_t count;
    uint32_t capacity;
    uint64_t last;    /* offset of the last entry taken, without those of wrong times; 0: none */
    uint64_t follows; /* offset after the last entry taken */
    /* Contexts that are often in the ring, the newest instead of the oldest, and the entries that may be looked at. */
    uint64_t often[OFTEN_KEPT];
    uint32_t often_count;
    uint64_t work;
    bool single; /* one core: its stamps are of one timer */
    bool damaged;
    bool memory_short;
};

static uint64_t trx_damage_word_at(const struct search *search, uint64_t offset, unsigned word)
{
    return trx_word(&search->d->header, search->bytes + offset, word);
}

static bool has_entry(const struct search *search, uint64_t offset)
{
    return offset <= search->end && search->end - offset >= search->d->header.entry_size;
}

/*
 * Returns whether a context may be a thread that is not registered: the registry is full, and entries at the
 * places of an undamaged ring often have it.
 */
static bool is_often(struct search *search, uint64_t address)
{
    const struct trx_header *header = &search->d->header;
    if (search->d->registry.count < search->d->registry.slots) {
        return false;
    }
    for (uint32_t i = 0; i < OFTEN_KEPT && i < search->often_count; i++) {
        if (search->often[i] == address) {
            return true;
        }
    }
    uint32_t found = 0;
    uint64_t offset = header->buffer_offset;
    for (uint64_t i = 0;
         i < header->entries && has_entry(search, offset) && found < OFTEN && search->work > 0;
         i++) {
        found += trx_damage_word_at(search, offset, TRX_WORD_CONTEXT) == address;
        offset += header->entry_size;
        search->work--;
    }
    if (found == OFTEN) {
        search->often[search->often_count++ % OFTEN_KEPT] = address;
    }
    return found == OFTEN;
}

static bool trx_damage_is_known(const struct search *search, uint64_t context)
{
    return context == TRX_ADDRESS_ISR || context == TRX_ADDRESS_INIT ||
           trx_registry_has_thread(&search->d->registry, context);
}

static bool is_event(uint64_t event)
{
    uint32_t id = trx_id_of(event);
    return trx_core_of(event) != TRX_NO_CORE && (event & 0xff0000) == 0 &&
           (id >= TRX_FIRST_USER_ID || trx_event_find(id) != NULL);
}

/* Returns the ticks from the entry at `before` to that at `after`. */
static uint64_t trx_damage_step(const struct search *search, uint64_t before, uint64_t after)
{
    uint64_t mask = search->d->header.mask;
    return trx_ticks_between(trx_damage_word_at(search, before, TRX_WORD_STAMP) & mask,
                             trx_damage_word_at(search, after, TRX_WORD_STAMP) & mask, mask,
                             search->d->plan.counts_down);
}

static bool trx_damage_is_near(const struct search *search, uint64_t ticks)
{
    return ticks <= search->d->header.mask / NEAR_PARTS;
}

/* Returns whether entries that agree begin at `offset`. */
static bool is_chain(const struct search *search, uint64_t offset)
{
    const uint32_t size = search->d->header.entry_size;
    for (unsigned i = 0; i < CHAIN; i++, offset += size) {
        if (!has_entry(search, offset)) {
            return i >= LEAST_CHAIN;
        }
        if (!trx_damage_is_known(search, trx_damage_word_at(search, offset, TRX_WORD_CONTEXT)) ||
            !is_event(trx_damage_word_at(search, offset, TRX_WORD_EVENT))) {
            return false;
        }
    }
    return true;
}

/*
 * Returns whether the time of the entry at `offset` is wrong: the one after it is nearer to the one before.
 * Stamps of several cores may be from several timers.
 */
static bool is_wrong_time(const struct search *search, uint64_t offset)
{
    uint64_t next = offset + search->d->header.entry_size;
    if (search->last == 0 || !has_entry(search, next) || !search->single) {
        return false;
    }
    const uint64_t over = trx_damage_step(search, search->last, next),
                   own = trx_damage_step(search, search->last, offset);
    if (!trx_damage_is_near(search, over) || own <= over ||
        !trx_damage_is_known(search, trx_damage_word_at(search, next, TRX_WORD_CONTEXT))) {
        return false;
    }
    const uint64_t later = next + search->d->header.entry_size;
    const bool is_next_wrong = !is_event(trx_damage_word_at(search, next, TRX_WORD_EVENT)) &&
                               has_entry(search, later) &&
                               trx_damage_step(search, search->last, later) >= own &&
                               trx_damage_is_near(search, trx_damage_step(search, offset, later));
    return !is_next_wrong;
}

/* Returns whether an entry is one, whatever its time; among others it may have an impossible core. */
static bool is_good(struct search *search, uint64_t offset)
{
    const uint32_t size = search->d->header.entry_size;
    uint64_t context = trx_damage_word_at(search, offset, TRX_WORD_CONTEXT);
    uint64_t event = trx_damage_word_at(search, offset, TRX_WORD_EVENT);
    bool is_one =
        is_event(event) || (trx_core_of(event) == TRX_NO_CORE && is_chain(search, offset + size));
    return is_one && (trx_damage_is_known(search, context) || is_often(search, context));
}

/* Takes an entry; `is_wrong`: its time is. */
static void keep_entry(struct search *search, uint64_t offset, bool is_wrong)
{
    const uint32_t size = search->d->header.entry_size;
    struct trx_segment *segment = search->count > 0 ? &search->segments[search->count - 1] : NULL;
    const bool goes_on = segment && search->follows == offset;
    search->follows = offset + size;
    if (goes_on && !is_wrong && segment->before == 0) {
        segment->count++;
        search->last = offset;
        return;
    }
    if (search->count == search->capacity) {
        uint32_t capacity = search->capacity * 2 + CHAIN;
        struct trx_segment *more = realloc(search->segments, capacity * sizeof *more);
        search->memory_short |= more == NULL;
        if (!more) {
            return;
        }
        search->segments = more;
        search->capacity = capacity;
    }
    search->segments[search->count] = (struct trx_segment){.offset = offset,
                                                           .count = 1,
                                                           .before = is_wrong ? search->last : 0,
                                                           .lost = segment && !goes_on};
    search->count++;
    search->last = is_wrong ? search->last : offset;
}

/* Returns whether an entry mentions a thread that is none. */
static bool mentions_nobody(struct search *search, uint64_t offset)
{
    uint64_t words[3];
    trx_learn_mentioned(&search->d->header, search->bytes + offset, words);
    for (unsigned i = 0; i < 3; i++) {
        if (words[i] != 0 && !trx_damage_is_known(search, words[i]) &&
            !is_often(search, words[i])) {
            return true;
        }
    }
    return false;
}

/* Returns whether the time alone of an entry is wrong, which follows another one. */
static bool is_only_time_wrong(struct search *search, uint64_t offset)
{
    return offset == search->follows &&
           is_event(trx_damage_word_at(search, offset, TRX_WORD_EVENT)) &&
           !mentions_nobody(search, offset);
}

/*
 * Returns whether the last entry's time contradicts those before it and after the damage, at `next`. Where these are the
 * ring's end and begin, it is near neither.
 */
static bool is_last_wrong(const struct search *search, uint64_t next)
{
    const uint64_t before = search->last - search->d->header.entry_size;
    if (!search->single || !has_entry(search, next)) {
        return false;
    }
    const uint64_t over = trx_damage_step(search, before, next),
                   own = trx_damage_step(search, before, search->last);
    return trx_damage_is_near(search, over)
               ? own > over
               : !trx_damage_is_near(search, own) &&
                     !trx_damage_is_near(search, trx_damage_step(search, search->last, next));
}

/*
 * Takes back the last entry if damage up to `next` begins inside of it. Returns its offset; UINT64_MAX: it
 * does not.
 */
static uint64_t untake(struct search *search, uint64_t next)
{
    const uint32_t size = search->d->header.entry_size;
    struct trx_segment *segment = search->count > 0 ? &search->segments[search->count - 1] : NULL;
    if (!segment || segment->count < 2 ||
        !(mentions_nobody(search, search->last) || is_last_wrong(search, next))) {
        return UINT64_MAX;
    }
    uint64_t offset = search->last;
    segment->count--;
    search->last -= size;
    search->follows = offset;
    return offset;
}

/* Returns whether the ring ends at `offset`, with an entry that was never used. */
static bool is_unused(const struct search *search, uint64_t offset)
{
    const uint32_t size = search->d->header.entry_size;
    for (unsigned i = 0; i < CHAIN && has_entry(search, offset); i++, offset += size) {
        if (trx_damage_word_at(search, offset, TRX_WORD_CONTEXT) != 0) {
            return false;
        }
    }
    return true;
}

static uint64_t recover(const struct search *search, uint64_t offset)
{
    while (has_entry(search, offset) && !is_chain(search, offset)) {
        offset++;
    }
    return has_entry(search, offset) ? offset : search->end;
}

/* Finds the entries in the order of the file. */
static void trx_damage_search(struct search *search)
{
    const struct trx_header *header = &search->d->header;
    const uint32_t size = header->entry_size;
    uint64_t offset = header->buffer_offset, taken = 0;
    while (taken < header->entries && has_entry(search, offset) && !is_unused(search, offset) &&
           !search->memory_short) {
        const bool is_one = is_good(search, offset),
                   is_wrong = is_one && is_wrong_time(search, offset);
        if (is_one && (!is_wrong || is_only_time_wrong(search, offset))) {
            keep_entry(search, offset, is_wrong);
            search->damaged |= is_wrong;
            offset += size;
            taken++;
            continue;
        }
        uint64_t next =
            is_chain(search, offset + size) ? offset + size : recover(search, offset + 1);
        uint64_t before = untake(search, next);
        search->damaged = true;
        taken -= before != UINT64_MAX;

        uint64_t from = before != UINT64_MAX ? before : offset;
        tt_health_add(search->d->capture, TT_HEALTH_DAMAGED, from, 0, next - from,
                      "bytes that are no entries");

        offset = next;
    }
}

/*
 * Returns the offset of the oldest entry: the one with the longest step before it, near the place that the
 * header has; 0: the first one.
 */
static uint64_t find_oldest(const struct search *search)
{
    const struct trx_header *header = &search->d->header;
    const uint32_t size = header->entry_size;
    if (header->oldest == 0 || header->oldest >= header->entries) {
        return 0;
    }
    uint64_t there = header->buffer_offset + header->oldest * size, before = 0, oldest = 0,
             follows = 0;
    uint64_t longest = header->mask / 2;
    for (uint32_t i = 0; i < search->count; i++) {
        uint64_t offset = search->segments[i].offset;
        for (uint32_t n = search->segments[i].before != 0; n < search->segments[i].count;
             n++, offset += size) {
            bool near = offset < there + MOVED_MOST && there < offset + MOVED_MOST;
            if (before != 0 && near && trx_damage_step(search, before, offset) > longest) {
                longest = trx_damage_step(search, before, offset);
                oldest = offset;
            }
            follows = follows == 0 && offset >= there ? offset : follows;
            before = offset;
        }
    }
    return oldest != 0 ? oldest : follows;
}

/* Orders the segments by time: from the one that begins with the entry at `oldest`, which is split off. */
static void rotate(struct search *search, uint64_t oldest)
{
    const uint32_t size = search->d->header.entry_size;
    uint32_t at = 0;
    while (at < search->count &&
           search->segments[at].offset + (uint64_t)search->segments[at].count * size <= oldest) {
        at++;
    }
    struct trx_segment *made = calloc(search->count + 1, sizeof *made);
    search->memory_short |= made == NULL;
    if (!made || at == search->count) {
        free(made);
        return;
    }
    struct trx_segment *whole = &search->segments[at];
    uint32_t before = (uint32_t)((oldest - whole->offset) / size), count = 0;
    made[count++] = (struct trx_segment){.offset = oldest, .count = whole->count - before};
    for (uint32_t i = at + 1; i < search->count; i++) {
        made[count++] = search->segments[i];
    }
    for (uint32_t i = 0; i < at; i++) {
        made[count++] = search->segments[i];
    }
    if (before > 0) {
        made[count] = *whole;
        made[count].lost = at > 0 && whole->lost;
        made[count++].count = before;
    }
    free(search->segments);
    search->segments = made;
    search->count = count;
}

/*
 * Copies the entries whose times are wrong, with the time of the entry before, and with an event that does nothing
 * instead of theirs; reports them.
 */
static void copy_wrong(struct search *search)
{
    const struct trx_header *header = &search->d->header;
    const uint32_t size = header->entry_size, word = header->word;
    struct trx_segment *const end = search->segments + search->count;
    uint32_t count = 0;
    for (const struct trx_segment *segment = search->segments; segment < end; segment++) {
        count += segment->before != 0;
    }
    uint8_t *copy = calloc((size_t)count + 1, size);
    search->d->plan.copies = copy;
    search->memory_short |= copy == NULL;
    count = 0;
    for (struct trx_segment *segment = search->segments; copy && segment < end; segment++) {
        if (segment->before == 0) {
            continue;
        }
        memcpy(copy, search->bytes + segment->offset, size);
        memcpy(copy + (size_t)TRX_WORD_STAMP * word,
               search->bytes + segment->before + (size_t)TRX_WORD_STAMP * word, word);
        memset(copy + (size_t)TRX_WORD_EVENT * word + (header->big ? word - 2 : 0), NO_EFFECT, 2);
        segment->copy = count++;
        copy += size;
        tt_health_add(search->d->capture, TT_HEALTH_BAD_TIME, segment->offset,
                      (uint64_t)segment->first * size,
                      trx_damage_word_at(search, segment->offset, TRX_WORD_STAMP), "time stamp");
    }
}

bool trx_damage_find(struct trx_decoder *decoder, uint64_t limit)
{
    struct search s = {.d = decoder, .bytes = decoder->capture->bytes.data, .end = limit};
    s.work = OFTEN_WORK * decoder->header.entries;

    /* Decides whether nearly all entries at the places of an undamaged ring are of core 0. */
    const struct trx_header *header = &s.d->header;
    uint64_t offset = header->buffer_offset;
    uint32_t good = 0, others = 0;
    for (uint64_t i = 0; i < header->entries && has_entry(&s, offset); i++) {
        uint64_t event = trx_damage_word_at(&s, offset, TRX_WORD_EVENT);
        bool is_entry = is_event(event) &&
                        trx_damage_is_known(&s, trx_damage_word_at(&s, offset, TRX_WORD_CONTEXT));
        good += is_entry;
        others += is_entry && trx_core_of(event) != 0;
        offset += header->entry_size;
    }
    s.single = others <= good / TRX_OTHER_CORES;

    trx_damage_search(&s);
    uint64_t oldest = find_oldest(&s);
    uint64_t there =
        decoder->header.buffer_offset + decoder->header.oldest * decoder->header.entry_size;
    bool moved = s.single && oldest != 0 && oldest != there;
    if (!(s.damaged || moved) || s.count == 0) {
        free(s.segments);
        return !s.memory_short;
    }
    if (moved && !s.damaged) {
        tt_health_add(
            decoder->capture, TT_HEALTH_COUNT_MISMATCH, oldest, 0, decoder->header.oldest,
            "the oldest entry is not where the header has it: bytes before it are missing");
    }
    if (oldest != 0 && !s.memory_short) {
        rotate(&s, oldest);
    }

    /* Numbers the entries. */
    uint32_t first = 0;
    for (uint32_t i = 0; i < s.count; i++) {
        s.segments[i].first = first;
        first += s.segments[i].count;
    }
    s.d->plan.segments = s.segments;
    s.d->plan.segment_count = s.count;
    s.d->plan.entries = first;

    copy_wrong(&s);
    return !s.memory_short;
}

/* Returns the segment of an entry. */
static const struct trx_segment *segment_of(const struct trx_plan *plan, uint64_t index)
{
    uint32_t low = 0, high = plan->segment_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        *(plan->segments[middle].first <= index ? &low : &high) = middle;
    }
    return &plan->segments[low];
}

uint64_t trx_damage_offset(const struct trx_decoder *decoder, uint64_t index)
{
    const struct trx_segment *segment = segment_of(&decoder->plan, index);
    return segment->offset + (index - segment->first) * decoder->header.entry_size;
}

/* Returns the bytes of a segment. */
static const uint8_t *trx_damage_bytes_of(const struct trx_decoder *decoder,
                                          const struct trx_segment *segment)
{
    return segment->before != 0
               ? decoder->plan.copies + (size_t)segment->copy * decoder->header.entry_size
               : decoder->capture->bytes.data + segment->offset;
}

const uint8_t *trx_damage_entry(const struct trx_decoder *decoder, uint64_t index)
{
    const struct trx_segment *segment = segment_of(&decoder->plan, index);
    return trx_damage_bytes_of(decoder, segment) +
           (index - segment->first) * decoder->header.entry_size;
}

uint32_t trx_damage_end(const struct trx_plan *plan, uint32_t index)
{
    const struct trx_segment *segment = segment_of(plan, index);
    return segment->first + segment->count;
}

bool trx_damage_before(const struct trx_plan *plan, uint32_t index)
{
    const struct trx_segment *segment = segment_of(plan, index);
    return segment->first == index && segment->lost;
}

bool trx_damage_time(const struct trx_plan *plan, uint32_t index)
{
    return plan->segment_count > 0 && segment_of(plan, index)->before != 0;
}

void trx_damage_walk(struct trx_walk *walk)
{
    const struct trx_segment *segment = walk->segment + 1;
    if (segment < walk->segments_end) {
        walk->segment = segment;
        walk->at = trx_damage_bytes_of(walk->d, segment);
        walk->end = walk->at + (size_t)segment->count * walk->size;
    }
}

struct trx_walk trx_damage_walk_begin(const struct trx_decoder *decoder, uint32_t index)
{
    const struct trx_plan *plan = &decoder->plan;
    const struct trx_segment *segment = segment_of(plan, index);
    const uint8_t *begin = trx_damage_bytes_of(decoder, segment);
    const uint32_t size = decoder->header.entry_size;
    return (struct trx_walk){.at = begin + (size_t)(index - segment->first) * size,
                             .begin = begin,
                             .end = begin + (size_t)segment->count * size,
                             .size = size,
                             .d = decoder,
                             .segment = segment,
                             .segments_end = plan->segments + plan->segment_count};
}
