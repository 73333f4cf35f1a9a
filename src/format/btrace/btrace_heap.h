/* SPDX-License-Identifier: Apache-2.0 */
/*
 * btrace_ledger: how much memory each heap and each chunk holds, by keeping account of every
 * allocation. EHeapFree gives an address only, so the sizes have to be remembered; the account is
 * right for a reader that has seen the stream from its start without a gap, and for nobody else:
 *
 *      add pos 0 .. pos n      the account stands at n
 *      then pos n              goes on
 *      then any other pos      the account is void until the stream is read from its start again
 *
 * Owned by one cursor. Its memory is in proportion to what was allocated and not freed.
 */
#ifndef TRACETUI_FORMAT_BTRACE_BTRACE_HEAP_H
#define TRACETUI_FORMAT_BTRACE_BTRACE_HEAP_H

#include <stdbool.h>
#include <stdint.h>

struct btrace_map; /* 64-bit key to 64-bit number */

struct btrace_ledger {
    struct btrace_map *blocks; /* (heap, address) -> size, and of which heap there */
    struct btrace_map *heaps;  /* heap -> bytes */
    struct btrace_map *births; /* heap -> how many-th that was created, if it was */
    struct btrace_map *chunks; /* chunk -> bytes */
    int64_t all_chunks;        /* bytes */
    uint32_t created;          /* heaps */
    uint64_t pos;              /* where the account stands; UINT64_MAX: it is void */
};

/* An empty account at the stream's start. */
void btrace_ledger_init(struct btrace_ledger *ledger);
void btrace_ledger_free(struct btrace_ledger *ledger);

/* Each gives the new sum of the heap or chunk; false when out of memory. */
bool btrace_ledger_heap_create(struct btrace_ledger *ledger, uint32_t heap);
bool btrace_ledger_alloc(struct btrace_ledger *ledger, uint32_t heap, uint32_t address,
                         uint32_t size, int64_t *sum);
bool btrace_ledger_release(struct btrace_ledger *ledger, uint32_t heap, uint32_t address,
                           int64_t *sum);
bool btrace_ledger_chunk(struct btrace_ledger *ledger, uint32_t chunk, int64_t change,
                         int64_t *sum);
bool btrace_ledger_chunk_gone(struct btrace_ledger *ledger, uint32_t chunk);

struct tt_section_writer;
struct tt_reader;
/* Puts the account into the section at hand of a kept file (base/section_file.h), and takes it out again
 * into an empty one. False when it makes no sense, or out of memory. */
void btrace_ledger_keep(const struct btrace_ledger *ledger, struct tt_section_writer *w);
bool btrace_ledger_restore(struct btrace_ledger *ledger, struct tt_reader *r);

#endif
