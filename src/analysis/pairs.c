/* SPDX-License-Identifier: Apache-2.0 */
/* Who followed whom on each CPU. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "tracetui/stats.h"

struct counting {
    struct tt_pairs *pairs;
    size_t capacity;
    struct tt_hash table;
};

static uint64_t hash_pair(uint16_t cpu, uint32_t from, uint32_t to)
{
    return tt_hash_of_pair(((uint64_t)from << 32) | to, cpu);
}

static struct tt_pair *find_pair(struct counting *c, uint16_t cpu, uint32_t from, uint32_t to)
{
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&c->table, hash_pair(cpu, from, to), &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&c->table, &probe)) {
        struct tt_pair *pair = &c->pairs->pairs[n];
        if (pair->cpu == cpu && pair->from == from && pair->to == to) {
            return pair;
        }
    }
    return NULL;
}

static struct tt_pair *add_pair(struct counting *c, uint16_t cpu, uint32_t from, uint32_t to)
{
    struct tt_pairs *p = c->pairs;
    if (p->count == c->capacity) {
        size_t capacity = c->capacity ? c->capacity * 2 : 64;
        struct tt_pair *pairs = realloc(p->pairs, capacity * sizeof *pairs);
        if (!pairs) {
            return NULL;
        }
        p->pairs = pairs;
        c->capacity = capacity;
    }
    if (!tt_hash_add(&c->table, hash_pair(cpu, from, to), (uint32_t)p->count)) {
        return NULL;
    }
    struct tt_pair *pair = &p->pairs[p->count++];
    *pair = (struct tt_pair){from, to, 0, cpu};
    return pair;
}

static bool count_switch(struct counting *c, uint16_t cpu, uint32_t from, uint32_t to)
{
    struct tt_pair *pair = find_pair(c, cpu, from, to);
    if (!pair) {
        pair = add_pair(c, cpu, from, to);
    }
    if (pair) {
        pair->count++;
    }
    return pair != NULL;
}

static bool is_thread(uint32_t occupant)
{
    return occupant != TT_OCCUPANT_UNKNOWN && occupant != TT_OCCUPANT_KERNEL;
}

/* The last thread on the CPU before the place, or unknown. */
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

static bool count_cpu(struct counting *c, const struct tt_timelines *t, uint16_t cpu, uint64_t from,
                      uint64_t to)
{
    struct tt_occupation_at at;
    if (!tt_occupation_find(t, cpu, from > 0 ? from - 1 : 0, &at) &&
        !tt_occupation_first(t, cpu, &at)) {
        return true;
    }
    uint32_t last = last_before(t, at);
    do {
        struct tt_occupation o = tt_occupation_get(t, at);
        if (o.start >= to) {
            break;
        }
        if (o.start >= from && is_thread(o.occupant) && last != TT_OCCUPANT_UNKNOWN &&
            last != o.occupant && !count_switch(c, cpu, last, o.occupant)) {
            return false;
        }
        if (o.occupant != TT_OCCUPANT_KERNEL) {
            last = o.occupant;
        }
    } while (tt_occupation_next(t, &at));
    return true;
}

static int compare(const void *x, const void *y)
{
    const struct tt_pair *a = x, *b = y;
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

struct tt_status tt_pairs_count(const struct tt_timelines *t, uint64_t from, uint64_t to,
                                struct tt_pairs *pairs)
{
    struct counting c = {.pairs = pairs};
    bool ok = true;
    memset(pairs, 0, sizeof *pairs);
    for (uint32_t cpu = 0; ok && cpu < tt_cpu_count(t); cpu++) {
        ok = count_cpu(&c, t, (uint16_t)cpu, from, to);
    }
    tt_hash_free(&c.table);
    if (!ok) {
        tt_pairs_free(pairs);
        return tt_error_memory();
    }
    if (pairs->count > 0) {
        qsort(pairs->pairs, pairs->count, sizeof *pairs->pairs, compare);
    }
    return tt_ok();
}

void tt_pairs_free(struct tt_pairs *pairs)
{
    free(pairs->pairs);
    pairs->pairs = NULL;
    pairs->count = 0;
}
