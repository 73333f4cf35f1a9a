/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_heap: the memory allocated from each heap and committed to each chunk. EHeapFree has an
 * address only, so all sizes are stored; the account is valid only for a cursor that has read the
 * stream from its start without a gap:
 *
 *       add pos 0 .. pos n      the account is at n
 *       then pos n              continues
 *       then any other pos      the account is void until the stream is read from its start again
 *
 *  Owned by one cursor. Its memory is proportional to the blocks not freed.
 */
#ifndef TRACETUI_FORMAT_BTRACE_BTRACE_HEAP_H
#define TRACETUI_FORMAT_BTRACE_BTRACE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct btrace_map; /* 64-bit key to 64-bit number */

struct btrace_ledger {
    struct btrace_map *blocks; /* (heap, address) -> size and birth of the heap */
    struct btrace_map *heaps;  /* heap -> bytes */
    struct btrace_map *births; /* heap -> serial number of its creation, if seen */
    struct btrace_map *chunks; /* chunk -> bytes */
    int64_t all_chunks;        /* bytes */
    uint32_t created;          /* heaps created */
    uint64_t pos;              /* position of the account; UINT64_MAX: void */
};

/* Makes an empty account at the stream's start. */
void btrace_ledger_init(struct btrace_ledger *ledger);
void btrace_ledger_free(struct btrace_ledger *ledger);

/* Each records a change; *sum is the new sum of the heap or chunk. False when out of memory. */
bool btrace_ledger_heap_create(struct btrace_ledger *ledger, uint32_t heap);
bool btrace_ledger_alloc(struct btrace_ledger *ledger, uint32_t heap, uint32_t address,
                         uint32_t size, int64_t *sum);
bool btrace_ledger_release(struct btrace_ledger *ledger, uint32_t heap, uint32_t address,
                           int64_t *sum);
bool btrace_ledger_chunk(struct btrace_ledger *ledger, uint32_t chunk, int64_t change,
                         int64_t *sum);
bool btrace_ledger_chunk_gone(struct btrace_ledger *ledger, uint32_t chunk);

#endif
