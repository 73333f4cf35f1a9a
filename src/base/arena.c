/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/platform.h"

#define CHUNK_LEAST ((size_t)16 * 1024)
#define CHUNK_MOST  ((size_t)256 * 1024)
/* Arenas of this size have chunks of a large page each: at most half of them is unused, and 2 MB. */
#define LARGE_FROM TT_LARGE_PAGE

struct tt_arena_chunk {
    struct tt_arena_chunk *older;
    size_t used;
    size_t capacity;
    bool large; /* a large page, the end of which may have been trimmed */
    alignas(max_align_t) unsigned char data[];
};

/* A chunk of this size is a large page. */
static struct tt_arena_chunk *new_chunk(size_t size)
{
    return size == TT_LARGE_PAGE ? tt_platform_large_pages(1) : malloc(size);
}

static struct tt_arena_chunk *arena_add_chunk(struct tt_arena *arena, size_t min)
{
    /* The bytes that a new chunk has for pieces. */
    uint64_t quarter = tt_arena_memory(arena) / 4;
    size_t usual = tt_arena_memory(arena) >= LARGE_FROM
                       ? TT_LARGE_PAGE - sizeof(struct tt_arena_chunk)
                   : quarter > CHUNK_MOST  ? CHUNK_MOST
                   : quarter > CHUNK_LEAST ? (size_t)quarter
                                           : CHUNK_LEAST;

    size_t capacity = min > usual ? min : usual;
    struct tt_arena_chunk *chunk = new_chunk(sizeof *chunk + capacity);
    if (!chunk) {
        return NULL;
    }
    chunk->used = 0;
    chunk->capacity = capacity;
    chunk->large = sizeof *chunk + capacity == TT_LARGE_PAGE;
    /* A chunk for a single large item is full: allocation continues in the newest chunk. */
    struct tt_arena_chunk *newest = arena->chunks;
    bool full = newest && min > usual;
    chunk->older = full ? newest->older : newest;
    *(full ? &newest->older : &arena->chunks) = chunk;
    atomic_fetch_add_explicit(&arena->memory, sizeof *chunk + capacity, memory_order_relaxed);
    return chunk;
}

static void *alloc(struct tt_arena *arena, size_t size, size_t align)
{
    if (size > SIZE_MAX / 2) {
        return NULL;
    }
    struct tt_arena_chunk *chunk = arena->chunks;
    size_t at = chunk ? (chunk->used + align - 1) / align * align : 0;
    if (!chunk || at > chunk->capacity || chunk->capacity - at < size) {
        chunk = arena_add_chunk(arena, size);
        if (!chunk) {
            return NULL;
        }
        at = 0;
    }
    chunk->used = at + size;
    return chunk->data + at;
}

void *tt_arena_alloc(struct tt_arena *arena, size_t size)
{
    return alloc(arena, size, alignof(max_align_t));
}

void *tt_arena_words(struct tt_arena *arena, size_t size)
{
    return alloc(arena, size, alignof(uint64_t));
}

void *tt_arena_bytes(struct tt_arena *arena, size_t size)
{
    return alloc(arena, size, 1);
}

uint64_t tt_arena_memory(const struct tt_arena *arena)
{
    return atomic_load_explicit(&arena->memory, memory_order_relaxed);
}

char *tt_arena_text(struct tt_arena *arena, const char *bytes, size_t length)
{
    char *copy = tt_arena_bytes(arena, length + 1);
    if (copy) {
        if (length > 0) {
            memcpy(copy, bytes, length);
        }
        copy[length] = '\0';
    }
    return copy;
}

void tt_arena_trim(struct tt_arena *arena)
{
    struct tt_arena_chunk *chunk = arena->chunks;
    if (chunk && chunk->large) {
        size_t had = sizeof *chunk + chunk->capacity;
        size_t has = tt_platform_trim_large_page(chunk, sizeof *chunk + chunk->used);
        if (has < had) {
            chunk->capacity = has - sizeof *chunk;
            atomic_fetch_sub_explicit(&arena->memory, had - has, memory_order_relaxed);
        }
    }
}

void tt_arena_free(struct tt_arena *arena)
{
    while (arena->chunks) {
        struct tt_arena_chunk *older = arena->chunks->older;

        struct tt_arena_chunk *chunk = arena->chunks;
        if (chunk->large) {
            tt_platform_free_large_pages(chunk, 1);
        } else {
            free(chunk);
        }

        arena->chunks = older;
    }
    atomic_store_explicit(&arena->memory, 0, memory_order_relaxed);
}
