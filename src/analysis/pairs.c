/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pairs: counts which thread followed which on each CPU. CPUs are walked one after the other, so
 * that the hash tables hold the pairs of one CPU only: thousands instead of millions. The many
 * small tables grow and are cleared one by one, so that no step waits for a large one.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "tracetui/stats.h"

#define TABLE_BITS 6

/* Pairs of a CPU whose hashes share their top bits. */
struct pair_table {
    struct tt_hash hash;
    uint16_t cpu;
};

struct tt_pair_count {
    struct tt_pairs pairs;
    size_t capacity;
    struct pair_table tables[1u << TABLE_BITS];
    const struct tt_timelines *t;
    uint64_t from, to;
    uint16_t cpu;     /* current CPU */
    uint64_t reached; /* end of the part walked so far, in ticks: positions may change between
                         steps */
    struct tt_pair watched;
    struct tt_sample_sink *sink; /* NULL: nothing is watched */
};

static uint64_t hash_pair(uint16_t cpu, uint32_t from, uint32_t to)
{
    return tt_hash_of_pair(((uint64_t)from << 32) | to, cpu);
}

/* Returns the table for a hash, cleared of pairs of other CPUs. */
static struct tt_hash *table_of(struct tt_pair_count *c, uint16_t cpu, uint64_t hash)
{
    struct pair_table *table = &c->tables[hash >> (64 - TABLE_BITS)];
    if (table->cpu != cpu) {
        tt_hash_clear(&table->hash);
        table->cpu = cpu;
    }
    return &table->hash;
}

static struct tt_pair *find_pair(struct tt_pair_count *c, const struct tt_hash *table,
                                 uint64_t hash, const struct tt_pair *wanted)
{
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(table, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(table, &probe)) {
        struct tt_pair *pair = &c->pairs.pairs[n];
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): table entries are in the list */
        if (pair->cpu == wanted->cpu && pair->from == wanted->from && pair->to == wanted->to) {
            return pair;
        }
    }
    return NULL;
}

static struct tt_pair *add_pair(struct tt_pair_count *c, struct tt_hash *table, uint64_t hash,
                                const struct tt_pair *pair)
{
    struct tt_pairs *p = &c->pairs;
    struct tt_pair *pairs = tt_array_grow(p->pairs, p->count, &c->capacity, sizeof *pairs);
    if (!pairs) {
        return NULL;
    }
    p->pairs = pairs;
    if (!tt_hash_add(table, hash, (uint32_t)p->count)) {
        return NULL;
    }
    pairs[p->count] = *pair;
    return &pairs[p->count++];
}

static bool count_switch(struct tt_pair_count *c, uint16_t cpu, uint32_t from, uint32_t to,
                         uint64_t ticks)
{
    if (c->sink) {
        bool watched = c->watched.cpu == cpu && c->watched.from == from && c->watched.to == to;
        c->sink->thread = to;
        return !watched || tt_sample_sink_take(c->sink, 0, ticks);
    }
    const struct tt_pair one = {.from = from, .to = to, .cpu = cpu, .first_at = ticks};
    uint64_t hash = hash_pair(cpu, from, to);
    struct tt_hash *table = table_of(c, cpu, hash);
    struct tt_pair *pair = find_pair(c, table, hash, &one);
    pair = pair ? pair : add_pair(c, table, hash, &one);
    if (pair) {
        pair->count++;
    }
    return pair != NULL;
}

static bool is_thread(uint32_t occupant)
{
    return occupant != TT_OCCUPANT_UNKNOWN && occupant != TT_OCCUPANT_KERNEL;
}

/* Returns the last thread on the CPU before a position, or unknown. */
static uint32_t last_before(const struct tt_timelines *t, struct tt_occupation_at at)
{
    while (tt_occupation_previous(t, &at)) {
        uint32_t occupant = tt_occupation_get(t, at).occupant;
        if (occupant != TT_OCCUPANT_KERNEL) {
            return occupant;
        }
    }
    return TT_OCCUPANT_UNKNOWN;
}

static bool count_cpu(struct tt_pair_count *c, const struct tt_timelines *t, uint16_t cpu,
                      uint64_t from, uint64_t to)
{
    struct tt_occupation_at at;
    if (!tt_occupation_find(t, cpu, from > 0 ? from - 1 : 0, &at) &&
        !tt_occupation_first(t, cpu, &at)) {
        return true;
    }
    struct tt_occupation list[TT_INTERVALS];
    uint32_t last = last_before(t, at);
    for (bool more = true; more;) {
        uint32_t count = tt_occupations_read(t, &at, list, &more);
        for (uint32_t i = 0; i < count; i++) {
            const struct tt_occupation *o = &list[i];
            if (o->start >= to) {
                return true;
            }
            if (o->start >= from && is_thread(o->occupant) && last != TT_OCCUPANT_UNKNOWN &&
                last != o->occupant && !count_switch(c, cpu, last, o->occupant, o->start)) {
                return false;
            }
            if (o->occupant != TT_OCCUPANT_KERNEL) {
                last = o->occupant;
            }
        }
    }
    return true;
}

int tt_pair_compare(const struct tt_pair *a, const struct tt_pair *b)
{
    if (a->count != b->count) {
        return a->count > b->count ? -1 : 1;
    }
    if (a->cpu != b->cpu) {
        return a->cpu < b->cpu ? -1 : 1;
    }
    if (a->from != b->from) {
        return a->from < b->from ? -1 : 1;
    }
    return (a->to > b->to) - (a->to < b->to);
}

static int compare(const void *a, const void *b)
{
    return tt_pair_compare(a, b);
}

void tt_pair_count_sort(struct tt_pair_count *c)
{
    if (c->pairs.count > 0) {
        qsort(c->pairs.pairs, c->pairs.count, sizeof *c->pairs.pairs, compare);
    }
}

/* ---- in steps ----------------------------------------------------------------------------- */

struct tt_pair_count *tt_pair_count_new(const struct tt_timelines *t, uint64_t from, uint64_t to)
{
    struct tt_pair_count *c = calloc(1, sizeof *c);
    if (c) {
        c->t = t;
        c->from = c->reached = from;
        c->to = to;
    }
    return c;
}

void tt_pair_count_watch(struct tt_pair_count *c, const struct tt_pair *of,
                         struct tt_sample_sink *sink)
{
    c->watched = *of;
    c->sink = sink;
    c->cpu = of->cpu;
}

void tt_pair_count_set_timelines(struct tt_pair_count *c, const struct tt_timelines *t)
{
    c->t = t;
}

bool tt_pair_count_shrink(struct tt_pair_count *c, size_t *bytes)
{
    void *pairs = c->pairs.pairs;
    bool more = tt_array_shrink(&pairs, &c->capacity, sizeof *c->pairs.pairs, bytes);
    c->pairs.pairs = pairs;
    c->pairs.count = c->pairs.count < c->capacity ? c->pairs.count : c->capacity;
    return more;
}

void tt_pair_count_free(struct tt_pair_count *c)
{
    if (c) {
        for (size_t i = 0; i < sizeof c->tables / sizeof *c->tables; i++) {
            tt_hash_free(&c->tables[i].hash);
        }
        tt_pairs_free(&c->pairs);
        free(c);
    }
}

/* Returns the end of a part of the window with about `*work` occupations on the CPU. */
static uint64_t part_end(const struct tt_pair_count *c, uint64_t *work)
{
    struct tt_occupation_at at, last;
    if (*work == UINT64_MAX || c->to <= c->reached ||
        (!tt_occupation_find(c->t, c->cpu, c->reached, &at) &&
         !tt_occupation_first(c->t, c->cpu, &at))) {
        return c->to;
    }
    uint64_t count = tt_occupation_find(c->t, c->cpu, c->to - 1, &last)
                         ? tt_occupation_index(c->t, last) - tt_occupation_index(c->t, at)
                         : 0;
    uint64_t steps = *work < count ? *work : count;
    *work -= steps;
    if (*work > 0 || !tt_occupation_skip(c->t, &at, (uint32_t)steps)) {
        return c->to;
    }
    /* Occupations with the same start belong to one part. */
    do {
        uint64_t start = tt_occupation_get(c->t, at).start;
        if (start >= c->to) {
            break;
        }
        if (start > c->reached) {
            return start;
        }
    } while (tt_occupation_next(c->t, &at));
    return c->to;
}

struct tt_status tt_pair_count_step(struct tt_pair_count *c, uint64_t work, bool *done)
{
    *done = false;
    while (c->cpu < tt_cpu_count(c->t) && !(c->sink && c->cpu > c->watched.cpu)) {
        uint64_t end = part_end(c, &work);
        if (!count_cpu(c, c->t, c->cpu, c->reached, end)) {
            return tt_error_memory();
        }
        c->reached = end;
        if (end >= c->to) {
            c->cpu++;
            c->reached = c->from;
        }
        if (work == 0) {
            return tt_ok();
        }
    }
    *done = true;
    return tt_ok();
}

const struct tt_pair *tt_pair_count_pairs(const struct tt_pair_count *c, size_t *pairs)
{
    *pairs = c->pairs.count;
    return c->pairs.pairs;
}

unsigned tt_pair_count_percent(const struct tt_pair_count *c)
{
    uint32_t cpus = tt_cpu_count(c->t);
    double within =
        c->to > c->from ? (double)(c->reached - c->from) / (double)(c->to - c->from) : 0;
    return c->cpu < cpus ? (unsigned)((c->cpu + within) * 100.0 / cpus) : 100;
}

struct tt_status tt_pairs_count(const struct tt_timelines *t, uint64_t from, uint64_t to,
                                struct tt_pairs *pairs)
{
    struct tt_pair_count *c = tt_pair_count_new(t, from, to);
    bool done;
    struct tt_status status = c ? tt_pair_count_step(c, UINT64_MAX, &done) : tt_error_memory();
    memset(pairs, 0, sizeof *pairs);
    if (!tt_failed(&status)) {
        tt_pair_count_sort(c);
        *pairs = c->pairs;
        memset(&c->pairs, 0, sizeof c->pairs);
    }
    tt_pair_count_free(c);
    return status;
}

void tt_pairs_free(struct tt_pairs *pairs)
{
    free(pairs->pairs);
    pairs->pairs = NULL;
    pairs->count = 0;
}
