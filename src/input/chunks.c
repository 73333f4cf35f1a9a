/* SPDX-License-Identifier: Apache-2.0 */
#include "input/chunks.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

struct chunk {
    struct tt_bytes packed;
    uint64_t end; /* position after its last unpacked byte */
};

struct tt_chunks {
    enum tt_chunk_code code;
    struct chunk *list;
    size_t count;
    size_t capacity;
    uint32_t largest; /* unpacked bytes of the largest one */
};

/* An unpacked chunk. */
struct kept {
    size_t number; /* SIZE_MAX: none */
    uint8_t *bytes;
    size_t size;
    const char *damage;
    uint64_t used; /* time of the last use, in calls */
};

struct tt_chunk_reader {
    const struct tt_chunks *chunks;
    struct kept kept[TT_CHUNKS_KEPT];
    uint64_t calls;
    z_stream z;
    bool is_z_up;
    ZSTD_DCtx *zstd;
};

/* ---- the table ------------------------------------------------------------------------------- */

struct tt_chunks *tt_chunks_new(enum tt_chunk_code code)
{
    struct tt_chunks *chunks = calloc(1, sizeof *chunks);
    if (chunks) {
        chunks->code = code;
    }
    return chunks;
}

void tt_chunks_free(struct tt_chunks *chunks)
{
    if (chunks) {
        free(chunks->list);
        free(chunks);
    }
}

bool tt_chunks_add(struct tt_chunks *chunks, struct tt_bytes packed, uint32_t size)
{
    const uint64_t begin = tt_chunks_size(chunks);
    if (size == 0 || size > TT_CHUNK_MOST || begin > UINT64_MAX - size) {
        return false;
    }
    if (chunks->count == chunks->capacity) {
        size_t capacity = chunks->capacity > 0 ? 2 * chunks->capacity : 64;
        struct chunk *larger = capacity > SIZE_MAX / sizeof *larger
                                   ? NULL
                                   : realloc(chunks->list, capacity * sizeof *larger);
        if (!larger) {
            return false;
        }
        chunks->list = larger;
        chunks->capacity = capacity;
    }
    chunks->list[chunks->count++] = (struct chunk){packed, begin + size};
    chunks->largest = size > chunks->largest ? size : chunks->largest;
    return true;
}

uint64_t tt_chunks_size(const struct tt_chunks *chunks)
{
    return chunks->count > 0 ? chunks->list[chunks->count - 1].end : 0;
}

/* Returns the number of the chunk with the byte `pos`, which is below the size of all. */
static size_t chunk_of(const struct tt_chunks *chunks, uint64_t pos)
{
    size_t low = 0, high = chunks->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (chunks->list[middle].end <= pos) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* ---- readers --------------------------------------------------------------------------------- */

struct tt_chunk_reader *tt_chunk_reader_new(const struct tt_chunks *chunks)
{
    struct tt_chunk_reader *reader = calloc(1, sizeof *reader);
    bool made = reader != NULL;
    if (!made) {
        return NULL;
    }
    reader->chunks = chunks;
    for (size_t i = 0; i < TT_CHUNKS_KEPT; i++) {
        reader->kept[i].number = SIZE_MAX;
    }
    if (chunks->code == TT_CHUNK_ZLIB) {
        made = reader->is_z_up = inflateInit(&reader->z) == Z_OK;
    } else if (chunks->code == TT_CHUNK_ZSTD) {
        reader->zstd = ZSTD_createDCtx();
        made = reader->zstd != NULL;
    }
    if (!made) {
        tt_chunk_reader_free(reader);
        reader = NULL;
    }
    return reader;
}

void tt_chunk_reader_free(struct tt_chunk_reader *reader)
{
    if (reader) {
        for (size_t i = 0; i < TT_CHUNKS_KEPT; i++) {
            free(reader->kept[i].bytes);
        }
        if (reader->is_z_up) {
            inflateEnd(&reader->z);
        }
        ZSTD_freeDCtx(reader->zstd);
        free(reader);
    }
}

/* Unpacks `size` bytes of a chunk; sets the number of those that are sound, and the damage. */
static void unpack_chunk(struct tt_chunk_reader *reader, struct tt_bytes packed, size_t size,
                         struct kept *kept)
{
    size_t got = 0;
    const char *damage = NULL;
    if (reader->chunks->code == TT_CHUNK_ZLIB) {
        z_stream *z = &reader->z;
        inflateReset(z);
        z->next_in = (Bytef *)(uintptr_t)packed.data;
        z->avail_in = (uInt)(packed.size < UINT32_MAX ? packed.size : UINT32_MAX);
        z->next_out = kept->bytes;
        z->avail_out = (uInt)size;
        int result = inflate(z, Z_FINISH);
        got = size - z->avail_out;
        damage = result == Z_STREAM_END ? NULL : z->msg ? z->msg : "is cut";
    } else if (reader->chunks->code == TT_CHUNK_ZSTD) {
        got = ZSTD_decompressDCtx(reader->zstd, kept->bytes, size, packed.data, packed.size);
        if (ZSTD_isError(got)) {
            damage = ZSTD_getErrorName(got);
            got = 0;
        }
    } else {
        got = packed.size < size ? (size_t)packed.size : size;
        memcpy(kept->bytes, packed.data, got);
    }
    kept->damage = damage ? damage : got < size ? "is shorter than it should be" : NULL;
    kept->size = got;
}

/* Returns the chunk, unpacked, in the place of the one that has not been used for longest; NULL: no memory. */
static struct kept *keep_chunk(struct tt_chunk_reader *reader, size_t number, size_t size)
{
    struct kept *kept = &reader->kept[0];
    for (size_t i = 0; i < TT_CHUNKS_KEPT; i++) {
        if (reader->kept[i].number == number) {
            return &reader->kept[i];
        }
        kept = reader->kept[i].used < kept->used ? &reader->kept[i] : kept;
    }
    /* While it is written, a fault in the mapping may end the call. */
    kept->number = SIZE_MAX;
    if (!kept->bytes) {
        kept->bytes = malloc(reader->chunks->largest);
    }
    if (!kept->bytes) {
        return NULL;
    }
    unpack_chunk(reader, reader->chunks->list[number].packed, size, kept);
    kept->number = number;
    return kept;
}

struct tt_bytes tt_chunk_read(struct tt_chunk_reader *reader, uint64_t pos, const char **damage)
{
    const struct tt_chunks *chunks = reader->chunks;
    *damage = NULL;
    if (pos >= tt_chunks_size(chunks)) {
        return tt_bytes_of(NULL, 0);
    }
    const size_t number = chunk_of(chunks, pos);
    const uint64_t begin = number > 0 ? chunks->list[number - 1].end : 0;
    struct kept *kept = keep_chunk(reader, number, (size_t)(chunks->list[number].end - begin));
    if (!kept) {
        *damage = "out of memory";
        return tt_bytes_of(NULL, 0);
    }
    kept->used = ++reader->calls;
    *damage = kept->damage;
    const size_t skipped = (size_t)(pos - begin);
    return skipped < kept->size ? tt_bytes_of(kept->bytes + skipped, kept->size - skipped)
                                : tt_bytes_of(NULL, 0);
}
