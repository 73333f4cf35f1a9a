/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena: memory given out in small pieces and freed all at once. Pieces never move. One thread
 * allocates; what it handed out may be read by others once it was published by other means. How
 * much there is, any thread may ask.
 *
 *      | 16 KB | 16 KB | 32 KB | 64 KB | ... | 256 KB | 256 KB |
 *
 * What is taken from the system grows with what there is already: a small arena wastes little, and
 * a large one consists of few pieces.
 */
#ifndef TT_BASE_ARENA_H
#define TT_BASE_ARENA_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct tt_arena_chunk;

struct tt_arena {
    struct tt_arena_chunk *chunks;
    _Atomic uint64_t memory; /* bytes taken from the system */
};

/* `size` bytes aligned for any object, not cleared; NULL when out of memory. */
void *tt_arena_alloc(struct tt_arena *arena, size_t size);
/* The same aligned for numbers of 64 bits. */
void *tt_arena_words(struct tt_arena *arena, size_t size);
/* The same for bytes. */
void *tt_arena_bytes(struct tt_arena *arena, size_t size);
/* A NUL-terminated copy. */
char *tt_arena_text(struct tt_arena *arena, const char *bytes, size_t length);
uint64_t tt_arena_memory(const struct tt_arena *arena);
void tt_arena_free(struct tt_arena *arena);

#endif
