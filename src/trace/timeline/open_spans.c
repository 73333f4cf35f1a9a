/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/timeline/open_spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define NONE        TT_NO_SPAN
#define FIRST_NODES 256u
#define MOST_NODES  (UINT32_C(1) << 31)

static uint32_t open_spans_bucket_of(const struct tt_open_spans *open, uint64_t key)
{
    return (uint32_t)key & (open->capacity - 1);
}

/* Distributes the keys of the old buckets to the new ones, chain by chain. */
static bool deal(struct tt_open_spans *open, const uint32_t *old, uint32_t old_capacity)
{
    uint32_t *last = malloc(open->capacity * sizeof *last);
    if (!last) {
        return false;
    }
    for (uint32_t i = 0; i < old_capacity; i++) {
        for (uint32_t n = old[i], next; n != NONE; n = next) {
            next = open->nodes[n].next;

            /* Appends the key of node `n` to its bucket. */
            uint32_t bucket = open_spans_bucket_of(open, open->nodes[n].key);
            if (open->buckets[bucket] == NONE) {
                open->buckets[bucket] = n;
            } else {
                open->nodes[last[bucket]].next = n;
            }
            open->nodes[n].next = NONE;
            last[bucket] = n;
        }
    }
    free(last);
    return true;
}

static bool open_spans_grow(struct tt_open_spans *open)
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

/* Takes a free node; NONE when out of memory. */
static uint32_t allocate_node(struct tt_open_spans *open)
{
    if (open->capacity > 0 && open->free != NONE) {
        uint32_t n = open->free;
        open->free = open->nodes[n].next;
        return n;
    }
    return open->used < open->capacity || open_spans_grow(open) ? open->used++ : NONE;
}

bool tt_open_spans_push(struct tt_open_spans *open, uint64_t key, uint64_t ticks, uint32_t what)
{
    uint32_t n = allocate_node(open);
    if (n == NONE) {
        return false;
    }
    open->live++;
    uint32_t *link = tt_open_spans_link(open, key), latest = *link;
    struct tt_open_edge *node = &open->nodes[n];
    node->key = key;
    node->ticks = ticks;
    node->what = what;
    node->newer = NONE;
    if (latest == NONE) {
        uint32_t *bucket = &open->buckets[open_spans_bucket_of(open, key)];
        node->next = *bucket;
        node->older = NONE;
        node->oldest = n;
        node->count = 1;
        *bucket = n;
        return true;
    }
    struct tt_open_edge *before = &open->nodes[latest];
    node->next = before->next;
    node->older = latest;
    node->oldest = before->oldest;
    node->count = before->count + 1;
    before->newer = n;
    *link = n;
    return true;
}

/* Removes the latest span of a key; *link refers to it. */
static void remove_latest(struct tt_open_spans *open, uint32_t *link)
{
    const struct tt_open_edge *latest = &open->nodes[*link];
    if (latest->older == NONE) {
        *link = latest->next;
        return;
    }
    struct tt_open_edge *older = &open->nodes[latest->older];
    older->next = latest->next;
    older->newer = NONE;
    older->oldest = latest->oldest;
    older->count = latest->count - 1;
    *link = latest->older;
}

static void remove_node(struct tt_open_spans *open, uint32_t *link, uint32_t n)
{
    if (n == *link) {
        remove_latest(open, link);
    } else {
        /* Removes another span of a key than the latest one; *link refers to the latest one. */
        struct tt_open_edge *latest = &open->nodes[*link];
        const struct tt_open_edge *node = &open->nodes[n];
        open->nodes[node->newer].older = node->older;
        if (node->older != NONE) {
            open->nodes[node->older].newer = node->newer;
        } else {
            latest->oldest = node->newer;
        }
        latest->count--;
    }
    open->nodes[n].next = open->free;
    open->free = n;
    open->live--;
}

bool tt_open_spans_pop(struct tt_open_spans *open, uint64_t key, struct tt_open_edge *edge)
{
    uint32_t *link = open->live > 0 ? tt_open_spans_link(open, key) : NULL;
    if (!link || *link == NONE) {
        return false;
    }
    *edge = open->nodes[*link];
    remove_node(open, link, *link);
    return true;
}

void tt_open_spans_remove(struct tt_open_spans *open, uint64_t key, uint32_t what)
{
    uint32_t *link = open->live > 0 ? tt_open_spans_link(open, key) : NULL;
    if (!link || *link == NONE) {
        return;
    }
    uint32_t n = open->nodes[*link].oldest;
    while (n != NONE && open->nodes[n].what != what) {
        n = open->nodes[n].newer;
    }
    if (n != NONE) {
        remove_node(open, link, n);
    }
}

void tt_open_spans_free(struct tt_open_spans *open)
{
    free(open->nodes);
    free(open->buckets);
    memset(open, 0, sizeof *open);
}
