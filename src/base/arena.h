/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena: allocates small pieces of memory that are freed together. Pieces never move. One thread
 * allocates; other threads may read a piece once it has been published by other means. Any thread
 * may call tt_arena_memory.
 *
 *      | 16 KB | 16 KB | 32 KB | ... | 256 KB | ... | 2 MB | 2 MB |
 *
 * Chunk sizes grow with the arena: a small arena wastes little, and a large one has few chunks, each
 * a large page of the system, so that there are few page faults.
 */
#ifndef TT_BASE_ARENA_H
#define TT_BASE_ARENA_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct tt_arena_chunk;

struct tt_arena {
    struct tt_arena_chunk *chunks;
    _Atomic uint64_t memory; /* bytes allocated from the system */
};

/* Returns `size` uninitialized bytes aligned for any object; NULL if out of memory. */
void *tt_arena_alloc(struct tt_arena *arena, size_t size);
/* Returns bytes aligned for uint64_t. */
void *tt_arena_words(struct tt_arena *arena, size_t size);
/* Returns unaligned bytes. */
void *tt_arena_bytes(struct tt_arena *arena, size_t size);
/* Returns a NUL-terminated copy; NULL if out of memory. */
char *tt_arena_text(struct tt_arena *arena, const char *bytes, size_t length);
/*
 * Returns the unused end of the newest large page to the system, when hardly anything more will be
 * allocated. A later piece may need a new chunk.
 */
void tt_arena_trim(struct tt_arena *arena);
uint64_t tt_arena_memory(const struct tt_arena *arena);
void tt_arena_free(struct tt_arena *arena);

#endif
