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

/* Returns the table for a hash, cleared of pairs of other CPUs. */
static struct tt_hash *pairs_table_of(struct tt_pair_count *count, uint16_t cpu, uint64_t hash)
{
    struct pair_table *table = &count->tables[hash >> (64 - TABLE_BITS)];
    if (table->cpu != cpu) {
        tt_hash_clear(&table->hash);
        table->cpu = cpu;
    }
    return &table->hash;
}

static struct tt_pair *pairs_find_pair(struct tt_pair_count *count, const struct tt_hash *table,
                                       uint64_t hash, const struct tt_pair *wanted)
{
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(table, hash, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(table, &probe)) {
        struct tt_pair *pair = &count->pairs.pairs[n];
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): table entries are in the list */
        if (pair->cpu == wanted->cpu && pair->from == wanted->from && pair->to == wanted->to) {
            return pair;
        }
    }
    return NULL;
}

static struct tt_pair *pairs_add_pair(struct tt_pair_count *count, struct tt_hash *table,
                                      uint64_t hash, const struct tt_pair *pair)
{
    struct tt_pairs *p = &count->pairs;
    struct tt_pair *pairs = tt_array_grow(p->pairs, p->count, &count->capacity, sizeof *pairs);
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

static bool pairs_count_switch(struct tt_pair_count *count, uint16_t cpu, uint32_t from,
                               uint32_t to, uint64_t ticks)
{
    if (count->sink) {
        bool watched =
            count->watched.cpu == cpu && count->watched.from == from && count->watched.to == to;
        count->sink->thread = to;
        return !watched || tt_sample_sink_pass(count->sink, 0, ticks);
    }
    const struct tt_pair one = {.from = from, .to = to, .cpu = cpu, .first_at = ticks};
    uint64_t hash = tt_hash_of_pair(((uint64_t)from << 32) | to, cpu);
    struct tt_hash *table = pairs_table_of(count, cpu, hash);
    struct tt_pair *pair = pairs_find_pair(count, table, hash, &one);
    pair = pair ? pair : pairs_add_pair(count, table, hash, &one);
    if (pair) {
        pair->count++;
    }
    return pair != NULL;
}

static bool pairs_is_thread(uint32_t occupant)
{
    return occupant != TT_OCCUPANT_UNKNOWN && occupant != TT_OCCUPANT_KERNEL;
}

/* Returns the last thread on the CPU before a position, or unknown. */
static uint32_t last_before(const struct tt_timelines *timelines, struct tt_occupation_at at)
{
    while (tt_occupation_previous(timelines, &at)) {
        uint32_t occupant = tt_occupation_get(timelines, at).occupant;
        if (occupant != TT_OCCUPANT_KERNEL) {
            return occupant;
        }
    }
    return TT_OCCUPANT_UNKNOWN;
}

static bool count_cpu(struct tt_pair_count *pair_count, const struct tt_timelines *timelines,
                      uint16_t cpu, uint64_t from, uint64_t to)
{
    struct tt_occupation_at at;
    if (!tt_occupation_find(timelines, cpu, from > 0 ? from - 1 : 0, &at) &&
        !tt_occupation_first(timelines, cpu, &at)) {
        return true;
    }
    struct tt_occupation list[TT_INTERVALS];
    uint32_t last = last_before(timelines, at);
    for (bool more = true; more;) {
        uint32_t count = tt_occupations_read(timelines, &at, list, &more);
        for (uint32_t i = 0; i < count; i++) {
            const struct tt_occupation *occupation = &list[i];
            if (occupation->start >= to) {
                return true;
            }
            if (occupation->start >= from && pairs_is_thread(occupation->occupant) &&
                last != TT_OCCUPANT_UNKNOWN && last != occupation->occupant &&
                !pairs_count_switch(pair_count, cpu, last, occupation->occupant,
                                    occupation->start)) {
                return false;
            }
            if (occupation->occupant != TT_OCCUPANT_KERNEL) {
                last = occupation->occupant;
            }
        }
    }
    return true;
}

int tt_pair_compare(const struct tt_pair *left, const struct tt_pair *right)
{
    if (left->count != right->count) {
        return left->count > right->count ? -1 : 1;
    }
    if (left->cpu != right->cpu) {
        return left->cpu < right->cpu ? -1 : 1;
    }
    if (left->from != right->from) {
        return left->from < right->from ? -1 : 1;
    }
    return (left->to > right->to) - (left->to < right->to);
}

static int pairs_compare(const void *a, const void *b)
{
    return tt_pair_compare(a, b);
}

void tt_pair_count_sort(struct tt_pair_count *count)
{
    if (count->pairs.count > 0) {
        qsort(count->pairs.pairs, count->pairs.count, sizeof *count->pairs.pairs, pairs_compare);
    }
}

/* ---- in steps ----------------------------------------------------------------------------- */

struct tt_pair_count *tt_pair_count_new(const struct tt_timelines *timelines, uint64_t from,
                                        uint64_t to)
{
    struct tt_pair_count *count = calloc(1, sizeof *count);
    if (count) {
        count->t = timelines;
        count->from = count->reached = from;
        count->to = to;
    }
    return count;
}

void tt_pair_count_watch(struct tt_pair_count *count, const struct tt_pair *of,
                         struct tt_sample_sink *sink)
{
    count->watched = *of;
    count->sink = sink;
    count->cpu = of->cpu;
}

void tt_pair_count_set_timelines(struct tt_pair_count *count, const struct tt_timelines *timelines)
{
    count->t = timelines;
}

bool tt_pair_count_shrink(struct tt_pair_count *count, size_t *bytes)
{
    void *pairs = count->pairs.pairs;
    bool more = tt_array_shrink(&pairs, &count->capacity, sizeof *count->pairs.pairs, bytes);
    count->pairs.pairs = pairs;
    count->pairs.count =
        count->pairs.count < count->capacity ? count->pairs.count : count->capacity;
    return more;
}

void tt_pair_count_free(struct tt_pair_count *count)
{
    if (count) {
        for (size_t i = 0; i < sizeof count->tables / sizeof *count->tables; i++) {
            tt_hash_free(&count->tables[i].hash);
        }
        tt_pairs_free(&count->pairs);
        free(count);
    }
}

/* Returns the end of a part of the window with about `*work` occupations on the CPU. */
static uint64_t pairs_part_end(const struct tt_pair_count *pair_count, uint64_t *work)
{
    struct tt_occupation_at at, last;
    if (*work == UINT64_MAX || pair_count->to <= pair_count->reached ||
        (!tt_occupation_find(pair_count->t, pair_count->cpu, pair_count->reached, &at) &&
         !tt_occupation_first(pair_count->t, pair_count->cpu, &at))) {
        return pair_count->to;
    }
    uint64_t count =
        tt_occupation_find(pair_count->t, pair_count->cpu, pair_count->to - 1, &last)
            ? tt_occupation_index(pair_count->t, last) - tt_occupation_index(pair_count->t, at)
            : 0;
    uint64_t steps = *work < count ? *work : count;
    *work -= steps;
    if (*work > 0 || !tt_occupation_skip(pair_count->t, &at, (uint32_t)steps)) {
        return pair_count->to;
    }
    /* Occupations with the same start belong to one part. */
    do {
        uint64_t start = tt_occupation_get(pair_count->t, at).start;
        if (start >= pair_count->to) {
            break;
        }
        if (start > pair_count->reached) {
            return start;
        }
    } while (tt_occupation_next(pair_count->t, &at));
    return pair_count->to;
}

struct tt_status tt_pair_count_step(struct tt_pair_count *count, uint64_t work, bool *done)
{
    *done = false;
    while (count->cpu < tt_cpu_count(count->t) &&
           !(count->sink && count->cpu > count->watched.cpu)) {
        uint64_t end = pairs_part_end(count, &work);
        if (!count_cpu(count, count->t, count->cpu, count->reached, end)) {
            return tt_error_memory();
        }
        count->reached = end;
        if (end >= count->to) {
            count->cpu++;
            count->reached = count->from;
        }
        if (work == 0) {
            return tt_ok();
        }
    }
    *done = true;
    return tt_ok();
}

const struct tt_pair *tt_pair_count_pairs(const struct tt_pair_count *count, size_t *pairs)
{
    *pairs = count->pairs.count;
    return count->pairs.pairs;
}

unsigned tt_pair_count_percent(const struct tt_pair_count *count)
{
    uint32_t cpus = tt_cpu_count(count->t);
    double within = count->to > count->from
                        ? (double)(count->reached - count->from) / (double)(count->to - count->from)
                        : 0;
    return count->cpu < cpus ? (unsigned)((count->cpu + within) * 100.0 / cpus) : 100;
}

struct tt_status tt_pairs_count(const struct tt_timelines *timelines, uint64_t from, uint64_t to,
                                struct tt_pairs *pairs)
{
    struct tt_pair_count *count = tt_pair_count_new(timelines, from, to);
    bool done;
    struct tt_status status =
        count ? tt_pair_count_step(count, UINT64_MAX, &done) : tt_error_memory();
    memset(pairs, 0, sizeof *pairs);
    if (!tt_failed(&status)) {
        tt_pair_count_sort(count);
        *pairs = count->pairs;
        memset(&count->pairs, 0, sizeof count->pairs);
    }
    tt_pair_count_free(count);
    return status;
}

void tt_pairs_free(struct tt_pairs *pairs)
{
    free(pairs->pairs);
    pairs->pairs = NULL;
    pairs->count = 0;
}
