/* SPDX-License-Identifier: Apache-2.0 */
/*
 * open_spans: spans that have begun and not ended, by key; the latest of a key is found first.
 *
 *      buckets   | . | o | . | o |        by hash of the key
 *                      |       |
 *                     key     key - key     the latest span of each key
 *                              |
 *                             span          older ones, in both directions
 *
 * Memory is proportional to the maximum number of open spans. One thread.
 */
#ifndef TRACETUI_TRACE_TIMELINE_OPEN_SPANS_H
#define TRACETUI_TRACE_TIMELINE_OPEN_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tt_open_edge {
    uint64_t key;
    uint64_t ticks; /* begin time */
    uint32_t what;  /* owner's data */
    uint32_t older; /* next older span of the key, or UINT32_MAX */
    uint32_t newer; /* next newer one, or UINT32_MAX */
    /* Of the latest span of a key, for all of them. */
    uint32_t next;   /* latest span of the next key in the bucket, or UINT32_MAX */
    uint32_t oldest; /* oldest span of the key */
    uint32_t count;  /* spans of the key */
};

struct tt_open_spans {
    struct tt_open_edge *nodes;
    uint32_t *buckets;
    uint32_t used;     /* nodes used so far, free ones included */
    uint32_t capacity; /* of nodes and of buckets: a power of two */
    uint32_t free;     /* the first free node, or UINT32_MAX */
    uint32_t live;     /* spans */
};

#define TT_NO_SPAN UINT32_MAX

/* For the functions below: returns the link to the latest span of a key; some span is open. */
static inline uint32_t *tt_open_spans_link(const struct tt_open_spans *open, uint64_t key)
{
    uint32_t *link = &open->buckets[(uint32_t)key & (open->capacity - 1)];
    while (*link != TT_NO_SPAN && open->nodes[*link].key != key) {
        link = &open->nodes[*link].next;
    }
    return link;
}

static inline const struct tt_open_edge *tt_open_spans_at(const struct tt_open_spans *open,
                                                          uint32_t n)
{
    return n != TT_NO_SPAN ? &open->nodes[n] : NULL;
}

/* Adds a span. Returns false when out of memory. */
bool tt_open_spans_push(struct tt_open_spans *open, uint64_t key, uint64_t ticks, uint32_t what);
/* Removes the latest span of `key` and sets *edge to it; returns false if there is none. */
bool tt_open_spans_pop(struct tt_open_spans *open, uint64_t key, struct tt_open_edge *edge);

/* Returns the latest span of `key`, valid until the next change; NULL if there is none. O(1). */
static inline const struct tt_open_edge *tt_open_spans_find(const struct tt_open_spans *open,
                                                            uint64_t key)
{
    return open->live > 0 ? tt_open_spans_at(open, *tt_open_spans_link(open, key)) : NULL;
}

/* Returns the oldest span of the key whose latest one is `latest`, or NULL for NULL. O(1). */
static inline const struct tt_open_edge *tt_open_spans_oldest_of(const struct tt_open_spans *open,
                                                                 const struct tt_open_edge *latest)
{
    return latest ? &open->nodes[latest->oldest] : NULL;
}

/* Returns the oldest span of `key`, as tt_open_spans_find does the latest. */
static inline const struct tt_open_edge *tt_open_spans_oldest(const struct tt_open_spans *open,
                                                              uint64_t key)
{
    return tt_open_spans_oldest_of(open, tt_open_spans_find(open, key));
}

/* Return the next older and the next newer span of the same key; NULL if there is none. */
static inline const struct tt_open_edge *tt_open_spans_older(const struct tt_open_spans *open,
                                                             const struct tt_open_edge *span)
{
    return tt_open_spans_at(open, span->older);
}

static inline const struct tt_open_edge *tt_open_spans_newer(const struct tt_open_spans *open,
                                                             const struct tt_open_edge *span)
{
    return tt_open_spans_at(open, span->newer);
}

/* Returns the number of spans of `key`. O(1). */
static inline uint32_t tt_open_spans_count(const struct tt_open_spans *open, uint64_t key)
{
    const struct tt_open_edge *latest = tt_open_spans_find(open, key);
    return latest ? latest->count : 0;
}

/*
 * Removes the oldest span of `key` with this `what`, if there is one. O(1) for the oldest of the key,
 * which is the first message of a queue; otherwise a walk over its spans.
 */
void tt_open_spans_remove(struct tt_open_spans *open, uint64_t key, uint32_t what);
void tt_open_spans_free(struct tt_open_spans *open);

#endif
