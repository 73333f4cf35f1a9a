/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks: the bytes at any position, in any order, of each code; damaged and short ones. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "input/chunks.h"

#define CHUNKS 9u
#define SIZE   40960u /* of the unpacked bytes of a chunk; the last one is shorter */
#define LAST   1000u

static uint8_t plain[CHUNKS * SIZE];
static uint8_t packed[CHUNKS][2 * SIZE];

/* Packs the bytes, and returns the table of the chunks. */
static struct tt_chunks *make(enum tt_chunk_code code)
{
    struct tt_chunks *chunks = tt_chunks_new(code);
    cr_assert_not_null(chunks);
    for (size_t i = 0; i < sizeof plain; i++) {
        plain[i] = (uint8_t)(i % 251 + (i * i >> 11));
    }
    for (unsigned i = 0; i < CHUNKS; i++) {
        uint32_t size = i + 1 < CHUNKS ? SIZE : LAST;
        size_t length = size;
        if (code == TT_CHUNK_ZLIB) {
            uLongf room = sizeof packed[i];
            cr_assert_eq(compress(packed[i], &room, plain + i * SIZE, size), Z_OK);
            length = room;
        } else if (code == TT_CHUNK_ZSTD) {
            length = ZSTD_compress(packed[i], sizeof packed[i], plain + i * SIZE, size, 1);
            cr_assert(!ZSTD_isError(length));
        } else {
            memcpy(packed[i], plain + i * SIZE, size);
        }
        cr_assert(tt_chunks_add(chunks, tt_bytes_of(packed[i], length), size));
    }
    cr_expect_eq(tt_chunks_size(chunks), (CHUNKS - 1) * SIZE + LAST);
    return chunks;
}

Test(chunks, any_position_in_any_order)
{
    static const enum tt_chunk_code codes[] = {TT_CHUNK_PLAIN, TT_CHUNK_ZLIB, TT_CHUNK_ZSTD};
    for (size_t c = 0; c < 3; c++) {
        struct tt_chunks *chunks = make(codes[c]);
        struct tt_chunk_reader *reader = tt_chunk_reader_new(chunks);
        const uint64_t all = tt_chunks_size(chunks);
        const char *damage;
        cr_assert_not_null(reader);
        for (uint64_t i = 0; i < 1000; i++) {
            const uint64_t pos = i * 104729 % all;
            const struct tt_bytes bytes = tt_chunk_read(reader, pos, &damage);
            const uint64_t end = (pos / SIZE + 1) * SIZE;
            cr_assert(damage == NULL && bytes.size == (end < all ? end : all) - pos);
            cr_assert_eq(memcmp(bytes.data, plain + pos, bytes.size), 0, "%d", (int)pos);
        }
        cr_expect_eq(tt_chunk_read(reader, all, &damage).size, 0);
        cr_expect_eq(tt_chunk_read(reader, UINT64_MAX, &damage).size, 0);
        tt_chunk_reader_free(reader);
        tt_chunks_free(chunks);
    }
}

/* The bytes of a chunk stay while three others are read. */
Test(chunks, the_latest_ones_are_kept)
{
    struct tt_chunks *chunks = make(TT_CHUNK_ZSTD);
    struct tt_chunk_reader *reader = tt_chunk_reader_new(chunks);
    const char *damage;
    const struct tt_bytes first = tt_chunk_read(reader, 0, &damage);
    for (unsigned i = 1; i < TT_CHUNKS_KEPT; i++) {
        tt_chunk_read(reader, i * SIZE, &damage);
        cr_expect_eq(memcmp(first.data, plain, SIZE), 0);
    }
    memset(packed[0], 0, 10); /* it is not unpacked again */
    cr_expect_eq(tt_chunk_read(reader, 5, &damage).data, first.data + 5);
    cr_expect_null(damage);
    tt_chunk_reader_free(reader);
    tt_chunks_free(chunks);
}

/* A damaged chunk has no more bytes than are sound; its neighbours are read. */
Test(chunks, damage_is_that_of_one_chunk)
{
    static const enum tt_chunk_code codes[] = {TT_CHUNK_ZLIB, TT_CHUNK_ZSTD};
    for (size_t c = 0; c < 2; c++) {
        struct tt_chunks *chunks = make(codes[c]);
        struct tt_chunk_reader *reader = tt_chunk_reader_new(chunks);
        const char *damage;
        memset(packed[1] + 4, 0xff, 100); /* of zstd also the header of the frame */
        cr_expect_lt(tt_chunk_read(reader, SIZE, &damage).size, SIZE);
        cr_expect_not_null(damage);
        cr_expect_eq(tt_chunk_read(reader, 2 * SIZE - 1, &damage).size, 0);
        cr_expect_not_null(damage);
        cr_expect_eq(tt_chunk_read(reader, 2 * SIZE, &damage).size, SIZE);
        cr_expect_null(damage);
        tt_chunk_reader_free(reader);
        tt_chunks_free(chunks);
    }
}

Test(chunks, sizes_that_are_wrong)
{
    struct tt_chunks *chunks = tt_chunks_new(TT_CHUNK_PLAIN);
    const char *damage;
    cr_expect_not(tt_chunks_add(chunks, tt_bytes_of(packed[0], 10), 0));
    cr_expect_not(tt_chunks_add(chunks, tt_bytes_of(packed[0], 10), TT_CHUNK_MOST + 1));
    cr_expect_eq(tt_chunks_size(chunks), 0);
    cr_assert(tt_chunks_add(chunks, tt_bytes_of(packed[0], 10), 20));
    struct tt_chunk_reader *reader = tt_chunk_reader_new(chunks);
    cr_expect_eq(tt_chunk_read(reader, 0, &damage).size, 10);
    cr_expect_str_eq(damage, "is shorter than it should be");
    tt_chunk_reader_free(reader);
    tt_chunks_free(chunks);
}
