/* SPDX-License-Identifier: Apache-2.0 */
/*
 * arena: memory given out in small pieces and freed all at once. Pieces never move. One thread
 * allocates; what it handed out may be read by others once it was published by other means.
 */
#ifndef TT_BASE_ARENA_H
#define TT_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct tt_arena_chunk;

struct tt_arena {
    struct tt_arena_chunk *chunks;
    uint64_t memory; /* bytes taken from the system */
};

/* `size` bytes aligned for any object, not cleared; NULL when out of memory. */
void *tt_arena_alloc(struct tt_arena *arena, size_t size);
/* A NUL-terminated copy. */
char *tt_arena_text(struct tt_arena *arena, const char *bytes, size_t length);
void tt_arena_free(struct tt_arena *arena);

#endif
