/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE ((size_t)16 * 1024)

struct tt_arena_chunk {
    struct tt_arena_chunk *older;
    size_t used;
    size_t capacity;
    alignas(max_align_t) unsigned char data[];
};

static struct tt_arena_chunk *add_chunk(struct tt_arena *arena, size_t least)
{
    size_t capacity = least > CHUNK_SIZE ? least : CHUNK_SIZE;
    struct tt_arena_chunk *chunk = malloc(sizeof *chunk + capacity);
    if (!chunk) {
        return NULL;
    }
    chunk->older = arena->chunks;
    chunk->used = 0;
    chunk->capacity = capacity;
    arena->chunks = chunk;
    arena->memory += sizeof *chunk + capacity;
    return chunk;
}

void *tt_arena_alloc(struct tt_arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size > SIZE_MAX / 2) {
        return NULL;
    }
    size = (size + align - 1) / align * align;
    struct tt_arena_chunk *chunk = arena->chunks;
    if (!chunk || chunk->capacity - chunk->used < size) {
        chunk = add_chunk(arena, size);
        if (!chunk) {
            return NULL;
        }
    }
    void *piece = chunk->data + chunk->used;
    chunk->used += size;
    return piece;
}

char *tt_arena_text(struct tt_arena *arena, const char *bytes, size_t length)
{
    char *copy = tt_arena_alloc(arena, length + 1);
    if (copy) {
        if (length > 0) {
            memcpy(copy, bytes, length);
        }
        copy[length] = '\0';
    }
    return copy;
}

void tt_arena_free(struct tt_arena *arena)
{
    while (arena->chunks) {
        struct tt_arena_chunk *older = arena->chunks->older;
        free(arena->chunks);
        arena->chunks = older;
    }
    arena->memory = 0;
}
