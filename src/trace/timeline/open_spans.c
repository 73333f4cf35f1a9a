/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/timeline/open_spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define NONE        UINT32_MAX
#define FIRST_NODES 256u
#define MOST_NODES  (UINT32_C(1) << 31)

static uint32_t bucket_of(const struct tt_open_spans *open, uint64_t key)
{
    return (uint32_t)key & (open->capacity - 1);
}

/* Appends node `n` to its bucket, so that older nodes stay after newer ones. */
static void link_last(struct tt_open_spans *open, uint32_t *last, uint32_t n)
{
    uint32_t bucket = bucket_of(open, open->nodes[n].key);
    if (open->buckets[bucket] == NONE) {
        open->buckets[bucket] = n;
    } else {
        open->nodes[last[bucket]].next = n;
    }
    open->nodes[n].next = NONE;
    last[bucket] = n;
}

/* Distributes the nodes of the old buckets to the new ones, chain by chain. */
static bool deal(struct tt_open_spans *open, const uint32_t *old, uint32_t old_capacity)
{
    uint32_t *last = malloc(open->capacity * sizeof *last);
    if (!last) {
        return false;
    }
    for (uint32_t i = 0; i < old_capacity; i++) {
        for (uint32_t n = old[i], next; n != NONE; n = next) {
            next = open->nodes[n].next;
            link_last(open, last, n);
        }
    }
    free(last);
    return true;
}

static bool grow(struct tt_open_spans *open)
{
    size_t room = open->capacity, min = room ? room + 1 : FIRST_NODES;
    struct tt_open_edge *nodes =
        tt_array_reserve_to(open->nodes, min, &room, sizeof *nodes, MOST_NODES);
    if (!nodes) {
        return false;
    }
    open->nodes = nodes;
    uint32_t capacity = (uint32_t)room;
    uint32_t *buckets = malloc(capacity * sizeof *buckets);
    if (!buckets) {
        return false;
    }
    memset(buckets, 0xff, capacity * sizeof *buckets);
    uint32_t *old = open->buckets;
    uint32_t old_capacity = open->capacity;
    open->buckets = buckets;
    open->capacity = capacity;
    if (!deal(open, old, old_capacity)) {
        open->buckets = old;
        open->capacity = old_capacity;
        free(buckets);
        return false;
    }
    free(old);
    if (old_capacity == 0) {
        open->free = NONE;
    }
    return true;
}

bool tt_open_spans_push(struct tt_open_spans *open, uint64_t key, uint64_t ticks, uint32_t what)
{
    uint32_t n;
    if (open->capacity > 0 && open->free != NONE) {
        n = open->free;
        open->free = open->nodes[n].next;
    } else {
        if (open->used == open->capacity && !grow(open)) {
            return false;
        }
        n = open->used++;
    }
    uint32_t bucket = bucket_of(open, key);
    open->nodes[n] = (struct tt_open_edge){key, ticks, what, open->buckets[bucket]};
    open->buckets[bucket] = n;
    return true;
}

/* Unlinks the node that *link refers to. */
static void unlink_node(struct tt_open_spans *open, uint32_t *link)
{
    uint32_t n = *link;
    *link = open->nodes[n].next;
    open->nodes[n].next = open->free;
    open->free = n;
}

bool tt_open_spans_pop(struct tt_open_spans *open, uint64_t key, struct tt_open_edge *edge)
{
    if (open->capacity == 0) {
        return false;
    }
    for (uint32_t *link = &open->buckets[bucket_of(open, key)]; *link != NONE;
         link = &open->nodes[*link].next) {
        if (open->nodes[*link].key == key) {
            *edge = open->nodes[*link];
            unlink_node(open, link);
            return true;
        }
    }
    return false;
}

void tt_open_spans_remove(struct tt_open_spans *open, uint64_t key, uint32_t what)
{
    if (open->capacity == 0) {
        return;
    }
    for (uint32_t *link = &open->buckets[bucket_of(open, key)]; *link != NONE;
         link = &open->nodes[*link].next) {
        const struct tt_open_edge *node = &open->nodes[*link];
        if (node->key == key && node->what == what) {
            unlink_node(open, link);
            return;
        }
    }
}

/* Returns the latest span of `key`, or the oldest one. */
static const struct tt_open_edge *find(const struct tt_open_spans *open, uint64_t key, bool oldest)
{
    const struct tt_open_edge *found = NULL;
    uint32_t n = open->capacity > 0 ? open->buckets[bucket_of(open, key)] : NONE;
    for (; n != NONE && (!found || oldest); n = open->nodes[n].next) {
        found = open->nodes[n].key == key ? &open->nodes[n] : found;
    }
    return found;
}

const struct tt_open_edge *tt_open_spans_find(const struct tt_open_spans *open, uint64_t key)
{
    return find(open, key, false);
}

const struct tt_open_edge *tt_open_spans_oldest(const struct tt_open_spans *open, uint64_t key)
{
    return find(open, key, true);
}

const struct tt_open_edge *tt_open_spans_older(const struct tt_open_spans *open, uint64_t key,
                                               const struct tt_open_edge *span)
{
    uint32_t n = span                 ? span->next
                 : open->capacity > 0 ? open->buckets[bucket_of(open, key)]
                                      : NONE;
    while (n != NONE && open->nodes[n].key != key) {
        n = open->nodes[n].next;
    }
    return n != NONE ? &open->nodes[n] : NULL;
}

uint32_t tt_open_spans_count(const struct tt_open_spans *open, uint64_t key)
{
    uint32_t count = 0;
    uint32_t n = open->capacity > 0 ? open->buckets[bucket_of(open, key)] : NONE;
    for (; n != NONE; n = open->nodes[n].next) {
        count += open->nodes[n].key == key;
    }
    return count;
}

void tt_open_spans_free(struct tt_open_spans *open)
{
    free(open->nodes);
    free(open->buckets);
    memset(open, 0, sizeof *open);
}
