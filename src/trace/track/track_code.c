/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/track/track_code.h"

#include <string.h>

#include "base/bits.h"

static uint32_t bits_of(uint64_t number)
{
    return number > 0 ? tt_highest_bit(number) + 1 : 0;
}

/* Widths of fields in bits. */
#define LENGTH_BITS 6u /* length of a number: 0 to 32, or of a sum - 1 */
#define WIDTH_BITS  3u /* bits of the lengths of a list */
#define INDEX_BITS  6u /* distinct values - 1 */

/* ---- streams of bits ------------------------------------------------------------------------ */

struct output {
    uint8_t *at;
    uint64_t held; /* bits not written yet */
    uint32_t filled;
};

/* Writes at most 32 bits. */
static void put(struct output *o, uint64_t number, uint32_t bits)
{
    o->held |= number << o->filled;
    for (o->filled += bits; o->filled >= 8; o->filled -= 8) {
        *o->at++ = (uint8_t)o->held;
        o->held >>= 8;
    }
}

static void put_long(struct output *o, uint64_t number, uint32_t bits)
{
    uint32_t low = bits < 32 ? bits : 32;
    put(o, number & ((UINT64_C(1) << low) - 1), low);
    put(o, number >> low, bits - low);
}

struct input {
    const uint8_t *bytes;
    uint64_t at; /* in bits, as the end */
    uint64_t end;
    bool failed;
};

static struct input input_of(struct tt_bytes codes, uint64_t at)
{
    bool inside = codes.size >= TT_CODE_AFTER && at <= codes.size - TT_CODE_AFTER;
    return (struct input){codes.data, at * 8, inside ? (codes.size - TT_CODE_AFTER) * 8 : 0,
                          !inside};
}

/* Reads at most 32 bits; 0 with `failed` set after the end. */
static inline uint32_t get(struct input *in, uint32_t bits)
{
    if (in->failed || in->end - in->at < bits) {
        in->failed = true;
        return 0;
    }
    uint64_t word = tt_pack_word(in->bytes + in->at / 8) >> in->at % 8;
    in->at += bits;
    return (uint32_t)(word & ((UINT64_C(1) << bits) - 1));
}

/* Reads a field of bits that must not exceed 32. */
static uint32_t get_length(struct input *in)
{
    uint32_t length = get(in, LENGTH_BITS);
    in->failed = in->failed || length > 32;
    return in->failed ? 0 : length;
}

/* ---- numbers of variable length ------------------------------------------------------------- */

/* The range of lengths of a list, whose numbers have the length less `least` before them. */
struct lengths {
    uint32_t least;
    uint32_t most;
    uint32_t width;
};

#define NO_LENGTHS ((struct lengths){32, 0, 0})

static void note(struct lengths *l, uint32_t number)
{
    uint32_t length = bits_of(number);
    l->least = length < l->least ? length : l->least;
    l->most = length > l->most ? length : l->most;
}

static void put_lengths(struct output *o, struct lengths *l)
{
    l->width = l->most > l->least ? bits_of(l->most - l->least) : 0;
    put(o, l->least, LENGTH_BITS);
    put(o, l->width, WIDTH_BITS);
}

static void get_lengths(struct input *in, struct lengths *l)
{
    l->least = get_length(in);
    l->width = get(in, WIDTH_BITS);
}

static void put_number(struct output *o, const struct lengths *l, uint32_t number)
{
    uint32_t length = bits_of(number);
    put(o, length - l->least, l->width);
    if (length > 1) {
        put(o, number & ((UINT64_C(1) << (length - 1)) - 1), length - 1);
    }
}

static inline uint32_t get_number(struct input *in, const struct lengths *l)
{
    uint32_t length = get(in, l->width) + l->least;
    if (length <= 1) {
        return length;
    }
    if (length > 32) {
        in->failed = true;
        return 0;
    }
    return get(in, length - 1) | UINT32_C(1) << (length - 1);
}

static void put_list(struct output *o, const uint32_t *numbers, uint32_t count)
{
    struct lengths l = NO_LENGTHS;
    for (uint32_t i = 0; i < count; i++) {
        note(&l, numbers[i]);
    }
    put_lengths(o, &l);
    for (uint32_t i = 0; i < count; i++) {
        put_number(o, &l, numbers[i]);
    }
}

static void get_list(struct input *in, uint32_t *numbers, uint32_t count)
{
    struct lengths l;
    get_lengths(in, &l);
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = get_number(in, &l);
    }
}

/* ---- sums ----------------------------------------------------------------------------------- */

static void put_sums(struct output *o, const struct tt_pack_items *items, const uint64_t *previous)
{
    for (uint32_t i = 0; i < items->sum_count; i++) {
        uint64_t more = items->sums[i] - previous[i];
        uint64_t folded = more << 1 ^ (more >> 63 ? UINT64_MAX : 0);
        uint32_t length = bits_of(folded);
        put(o, length > 0, 1);
        if (length > 0) {
            put(o, length - 1, LENGTH_BITS);
            put_long(o, folded & ~(UINT64_C(1) << (length - 1)), length - 1);
        }
    }
}

static void add_sums(struct input *in, uint32_t sum_count, uint64_t *sums)
{
    for (uint32_t i = 0; i < sum_count; i++) {
        if (get(in, 1)) {
            uint32_t left = get(in, LENGTH_BITS), low = left < 32 ? left : 32;
            uint64_t folded = get(in, low);
            folded |= (uint64_t)get(in, left - low) << low | UINT64_C(1) << left;
            sums[i] += folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0);
        }
    }
}

bool tt_code_add_sums(struct tt_bytes codes, uint64_t at, uint32_t sum_count, uint64_t *sums)
{
    struct input in = input_of(codes, at);
    add_sums(&in, sum_count, sums);
    return !in.failed;
}

/* ---- values --------------------------------------------------------------------------------- */

struct distinct {
    uint32_t values[TT_TRACK_CHUNK];
    uint32_t number[TT_TRACK_CHUNK]; /* of each item */
    uint32_t count;
};

#define HASH_BITS 7u

static void find_distinct(const struct tt_pack_items *items, struct distinct *d)
{
    uint8_t table[1u << HASH_BITS] = {0}; /* number + 1; 0: free */
    d->count = 0;
    for (uint32_t i = 0; i < items->count; i++) {
        uint32_t at = items->value[i] * UINT32_C(2654435761) >> (32 - HASH_BITS);
        while (table[at] != 0 && d->values[table[at] - 1] != items->value[i]) {
            at = (at + 1) % (1u << HASH_BITS);
        }
        if (table[at] == 0) {
            d->values[d->count++] = items->value[i];
            table[at] = (uint8_t)d->count;
        }
        d->number[i] = table[at] - 1u;
    }
}

/* Writes the width of the numbers, and them. */
static void put_equal(struct output *o, const uint32_t *numbers, uint32_t count)
{
    uint32_t all = 0;
    for (uint32_t i = 0; i < count; i++) {
        all |= numbers[i];
    }
    put(o, bits_of(all), LENGTH_BITS);
    for (uint32_t i = 0; i < count; i++) {
        put(o, numbers[i], bits_of(all));
    }
}

static void get_equal(struct input *in, uint32_t *numbers, uint32_t count)
{
    uint32_t bits = get_length(in);
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = get(in, bits);
    }
}

/* Numbers such as "no CPU" are small as negative ones. */
static uint32_t fold(uint32_t value)
{
    return value << 1 ^ (value >> 31 ? UINT32_MAX : 0);
}

static uint32_t unfold(uint32_t value)
{
    return value >> 1 ^ (value & 1 ? UINT32_MAX : 0);
}

static void put_values(struct output *o, const struct tt_pack_items *items)
{
    struct distinct d;
    uint32_t all = 0, folded = 0;
    find_distinct(items, &d);
    for (uint32_t i = 0; i < d.count; i++) {
        all |= d.values[i];
        folded |= fold(d.values[i]);
    }
    bool folds = bits_of(folded) < bits_of(all);
    for (uint32_t i = 0; i < d.count; i++) {
        d.values[i] = folds ? fold(d.values[i]) : d.values[i];
    }
    put(o, folds, 1);
    put(o, d.count - 1, INDEX_BITS);
    put_equal(o, d.values, d.count);
    for (uint32_t i = 0; i < items->count; i++) {
        put(o, d.number[i], bits_of(d.count - 1));
    }
}

static void get_values(struct input *in, struct tt_pack_items *items)
{
    uint32_t values[TT_TRACK_CHUNK];
    bool folds = get(in, 1) != 0;
    uint32_t count = get(in, INDEX_BITS) + 1, bits = bits_of(count - 1);
    get_equal(in, values, count);
    for (uint32_t i = 0; folds && i < count; i++) {
        values[i] = unfold(values[i]);
    }
    for (uint32_t i = 0; i < items->count; i++) {
        uint32_t number = get(in, bits);
        in->failed = in->failed || number >= count;
        items->value[i] = in->failed ? 0 : values[number];
    }
}

/* ---- references ----------------------------------------------------------------------------- */

#define REF_CPUS 8u    /* of a chunk */
#define REF_MOST 4096u /* largest step: a reader walks through it by chunks */

static uint32_t cpu_of(uint32_t value)
{
    return value >> 16;
}

/* The occupants of a CPU, while a chunk is coded. */
struct searched {
    const struct tt_track *track;
    uint32_t cpu;
    uint64_t index; /* of the last reference */
    struct tt_track_page page;
};

struct search {
    const struct tt_code_refs *refs;
    uint64_t base;
    uint32_t count;
    struct searched cpus[REF_CPUS];
};

/* Moves the page to the last item at or before `time`; returns false if there is none. */
static bool seek(struct searched *s, uint64_t time, uint32_t *slot)
{
    struct tt_track_page *page = &s->page;
    if (page->count == 0 || time < page->base || (page->has_next && page->next <= time)) {
        struct tt_track_place place;
        if (!tt_track_find(s->track, time, &place)) {
            return false;
        }
        tt_track_load(s->track, place.chunk, TT_TRACK_CHUNK, page);
    }
    uint32_t low = 0;
    for (uint32_t left = page->count; left > 1; left -= left / 2) {
        uint32_t middle = low + left / 2;
        low = page->delta[middle] <= time - page->base ? middle : low;
    }
    *slot = low;
    return true;
}

/* Returns the search of a CPU, from the base of the chunk on; NULL: none, or too many CPUs. */
static struct searched *search_of(struct search *search, uint32_t cpu)
{
    for (uint32_t i = 0; i < search->count; i++) {
        if (search->cpus[i].cpu == cpu) {
            return &search->cpus[i];
        }
    }
    if (cpu >= search->refs->count || search->count == REF_CPUS ||
        tt_track_is_empty(search->refs->occupants[cpu])) {
        return NULL;
    }
    struct searched *s = &search->cpus[search->count++];
    uint32_t slot;
    s->track = search->refs->occupants[cpu];
    s->cpu = cpu;
    s->page.count = 0;
    s->index = seek(s, search->base, &slot) ? s->page.first + slot : 0;
    return s;
}

/* Returns whether the CPU has an occupant that begins at `time`; sets *step, and moves there. */
static bool refer(struct search *search, uint32_t cpu, uint64_t time, uint32_t *step)
{
    struct searched *s = search_of(search, cpu);
    uint32_t slot;
    if (!s || !seek(s, time, &slot) || tt_page_time(&s->page, slot) != time) {
        return false;
    }
    uint64_t index = s->page.first + slot;
    if (index < s->index || index - s->index > REF_MOST) {
        return false;
    }
    *step = (uint32_t)(index - s->index);
    s->index = index;
    return true;
}

/* Where the last reference to each CPU of a chunk is, while it is read. */
struct positions {
    const struct tt_code_refs *refs;
    uint64_t base;
    uint32_t count;
    uint32_t cpus[REF_CPUS];
    struct tt_track_place places[REF_CPUS];
};

/* Returns the position in a CPU; NULL if the CPU has none, or there are too many CPUs. */
static struct tt_track_place *position(struct positions *p, uint32_t cpu)
{
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->cpus[i] == cpu) {
            return &p->places[i];
        }
    }
    if (cpu >= p->refs->count || p->count == REF_CPUS) {
        return NULL;
    }
    struct tt_track_place *place = &p->places[p->count];
    const struct tt_track *track = p->refs->occupants[cpu];
    if (!tt_track_find(track, p->base, place) && !tt_track_first(track, place)) {
        return NULL;
    }
    p->cpus[p->count++] = cpu;
    return place;
}

static bool follow(struct positions *p, uint32_t cpu, uint32_t step, uint64_t *time)
{
    struct tt_track_place *place = position(p, cpu);
    if (!place || step > REF_MOST || !tt_track_skip(p->refs->occupants[cpu], place, step)) {
        return false;
    }
    *time = tt_track_item(p->refs->occupants[cpu], *place).time;
    return true;
}

/* ---- times ---------------------------------------------------------------------------------- */

enum how { GAP, OWN_CPU, LAST_CPU }; /* the CPU of the item's value, or of the value before */

struct times {
    uint8_t how[TT_TRACK_CHUNK];
    uint32_t number[TT_TRACK_CHUNK];
    uint32_t refs;
};

static void find_times(const struct tt_pack_items *items, const struct tt_code_refs *refs,
                       struct times *t)
{
    struct search p;
    p.refs = refs;
    p.base = items->base;
    p.count = 0;
    t->refs = 0;
    for (uint32_t i = 1; i < items->count; i++) {
        uint64_t time = items->base + items->delta[i];
        uint32_t own = cpu_of(items->value[i]), last = cpu_of(items->value[i - 1]);
        t->how[i] = GAP;
        if (refs && refer(&p, own, time, &t->number[i])) {
            t->how[i] = OWN_CPU;
        } else if (refs && own != last && refer(&p, last, time, &t->number[i])) {
            t->how[i] = LAST_CPU;
        } else {
            t->number[i] = items->delta[i] - items->delta[i - 1];
        }
        t->refs += t->how[i] != GAP;
    }
}

static void put_times(struct output *o, const struct tt_pack_items *items,
                      const struct tt_code_refs *refs)
{
    struct times t;
    struct lengths gaps = NO_LENGTHS, steps = NO_LENGTHS;
    find_times(items, refs, &t);
    for (uint32_t i = 1; i < items->count; i++) {
        note(t.how[i] == GAP ? &gaps : &steps, t.number[i]);
    }
    put(o, t.refs > 0, 1);
    put_lengths(o, &gaps);
    if (t.refs > 0) {
        put_lengths(o, &steps);
    }
    for (uint32_t i = 1; i < items->count; i++) {
        if (t.refs > 0) {
            put(o, t.how[i] != GAP, 1);
        }
        if (t.how[i] != GAP && cpu_of(items->value[i]) != cpu_of(items->value[i - 1])) {
            put(o, t.how[i] == LAST_CPU, 1);
        }
        put_number(o, t.how[i] == GAP ? &gaps : &steps, t.number[i]);
    }
}

/* Reads a reference; returns the ticks after the base. */
static uint32_t get_reference(struct input *in, const struct lengths *steps, struct positions *p,
                              const struct tt_pack_items *items, uint32_t i)
{
    uint32_t own = cpu_of(items->value[i]), last = cpu_of(items->value[i - 1]);
    uint32_t cpu = own != last && get(in, 1) ? last : own;
    uint64_t time = 0;
    if (!follow(p, cpu, get_number(in, steps), &time) || time < items->base + items->delta[i - 1] ||
        time - items->base > UINT32_MAX) {
        in->failed = true;
        return 0;
    }
    return (uint32_t)(time - items->base);
}

static void get_times(struct input *in, const struct tt_code_refs *refs,
                      struct tt_pack_items *items)
{
    struct positions p = {.refs = refs, .base = items->base};
    struct lengths gaps, steps = NO_LENGTHS;
    bool refers = get(in, 1) != 0;
    get_lengths(in, &gaps);
    if (refers) {
        get_lengths(in, &steps);
        in->failed = in->failed || !refs;
    }
    items->delta[0] = 0;
    for (uint32_t i = 1; i < items->count && !in->failed; i++) {
        if (refers && get(in, 1)) {
            items->delta[i] = get_reference(in, &steps, &p, items, i);
        } else {
            items->delta[i] = items->delta[i - 1] + get_number(in, &gaps);
            in->failed = in->failed || items->delta[i] < items->delta[i - 1];
        }
    }
}

/* ---- chunks --------------------------------------------------------------------------------- */

size_t tt_code_put(const struct tt_pack_items *items, const uint64_t *previous,
                   const struct tt_code_refs *refs, uint8_t bytes[TT_CODE_MOST])
{
    struct output o = {.at = bytes};
    put_sums(&o, items, previous);
    put_values(&o, items);
    put_times(&o, items, refs);
    if (items->wide) {
        put_list(&o, items->more, items->count);
    }
    put(&o, 0, (8 - o.filled) % 8);
    return (size_t)(o.at - bytes);
}

bool tt_code_get(struct tt_bytes codes, uint64_t at, const struct tt_code_refs *refs,
                 struct tt_pack_items *items)
{
    struct input in = input_of(codes, at);
    add_sums(&in, items->sum_count, items->sums);
    get_values(&in, items);
    get_times(&in, refs, items);
    if (items->wide) {
        get_list(&in, items->more, items->count);
    }
    return !in.failed;
}
