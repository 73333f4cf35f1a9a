/* SPDX-License-Identifier: Apache-2.0 */
/*
 * open_edges: what has begun and not yet ended, by key; the last begun under a key is found first.
 *
 *      buckets   | . | o | . | o |        by key
 *                      |       |
 *                     node    node - node  the later one first
 *
 * Memory is that of the most that were open at once. One thread.
 */
#ifndef TRACETUI_TRACE_TIMELINE_OPEN_SPANS_H
#define TRACETUI_TRACE_TIMELINE_OPEN_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tt_open_edge {
    uint64_t key;
    uint64_t ticks; /* when it began */
    uint32_t what;  /* the owner's */
    uint32_t next;
};

struct tt_open_spans {
    struct tt_open_edge *nodes;
    uint32_t *buckets;
    uint32_t used;     /* nodes that were ever used */
    uint32_t capacity; /* of nodes and of buckets: a power of two */
    uint32_t free;     /* the first free node, or UINT32_MAX */
};

/* False when out of memory. */
bool tt_open_spans_push(struct tt_open_spans *open, uint64_t key, uint64_t ticks, uint32_t what);
/* Takes the last one of `key` away; false if there is none. */
bool tt_open_spans_pop(struct tt_open_spans *open, uint64_t key, struct tt_open_edge *edge);
void tt_open_spans_free(struct tt_open_spans *open);

#endif
