/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ftrace_unpack: compressed sections of version 7. A section of metadata is one block; the pages of a CPU are
 * chunks of ten pages, each compressed alone:
 *
 *      u32 number of chunks | u32 packed size | u32 size | data | u32 packed size | u32 size | data ...
 *
 * The pages of all CPUs are unpacked into a temporary file, which is mapped. A chunk that cannot be unpacked is
 * a hole of zeros there, so that the pages after it keep their places.
 */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/array.h"
#include "format/ftrace/ftrace_internal.h"

#define SECTION_MAX (UINT64_C(256) << 20) /* of metadata; kallsyms of large kernels have 20 MB */
#define CHUNK_MAX   (UINT32_C(64) << 20)

bool ftrace_unpack(const struct ftrace *ftrace, struct tt_bytes from, uint8_t *to, size_t size)
{
    if (ftrace->packer == 'z') {
        size_t length = ZSTD_decompress(to, size, from.data, (size_t)from.size);
        return !ZSTD_isError(length) && length == size;
    }
    uLongf length = (uLongf)size;
    return ftrace->packer == 'g' && from.size <= UINT32_MAX &&
           uncompress(to, &length, from.data, (uLong)from.size) == Z_OK && length == size;
}

bool ftrace_section(struct ftrace *ftrace, uint64_t offset, uint64_t size, bool packed,
                    struct tt_bytes *content)
{
    struct tt_capture *capture = ftrace->capture;
    struct tt_reader r = tt_reader_of(capture->bytes, ftrace->big);
    tt_read_seek(&r, offset);
    if (!packed) {
        *content = tt_bytes_slice(capture->bytes, offset, size);
        if (content->size < size) {
            tt_health_add(capture, TT_HEALTH_TRUNCATED, capture->bytes.size, 0,
                          size - content->size, "bytes of a section that are after the end");
        }
        return content->size > 0;
    }
    uint32_t packed_size = tt_read_u32(&r), whole = tt_read_u32(&r);
    const uint8_t *from = tt_read_span(&r, packed_size);
    /* A smaller size is that of lies, and costs no memory. */
    bool good = from && whole <= SECTION_MAX;
    uint8_t *to = good ? tt_arena_bytes(&ftrace->arena, whole ? whole : 1) : NULL;
    if (good && !to) {
        ftrace->no_memory = true;
        return false;
    }
    if (!good || !ftrace_unpack(ftrace, tt_bytes_of(from, packed_size), to, whole)) {
        tt_health_add(capture, from ? TT_HEALTH_CONTAINER : TT_HEALTH_TRUNCATED, offset, 0,
                      packed_size, "bytes of a section that cannot be unpacked");
        return false;
    }
    *content = tt_bytes_of(to, whole);
    return true;
}

/* ---- pages -------------------------------------------------------------------------------- */

struct unpacking {
    struct ftrace *d;
    uint8_t *room; /* of a chunk */
    size_t capacity;
};

/* Appends a chunk to the spool. */
static struct tt_status ftrace_unpack_add_chunk(struct unpacking *unpacking, uint64_t offset,
                                                struct tt_bytes from, uint32_t size)
{
    struct ftrace *ftrace = unpacking->d;
    struct ftrace_chunk *chunks =
        tt_array_grow(ftrace->chunks, ftrace->chunk_count, &ftrace->chunk_capacity, sizeof *chunks);
    uint8_t *room =
        chunks ? tt_array_reserve(unpacking->room, size, &unpacking->capacity, 1) : NULL;
    ftrace->chunks = chunks ? chunks : ftrace->chunks;
    if (!room) {
        return tt_error_memory();
    }
    unpacking->room = room;
    chunks[ftrace->chunk_count++] = (struct ftrace_chunk){ftrace->spooled_size, offset};
    if (!ftrace_unpack(ftrace, from, room, size)) {
        memset(room, 0, size);
        tt_health_add(ftrace->capture, TT_HEALTH_CONTAINER, offset, 0, size,
                      "bytes of pages that cannot be unpacked");
    }
    ftrace->spooled_size += size;
    return tt_map_append(ftrace->spool, room, size);
}

/* Unpacks the pages of a CPU. The size in the table may be less than that of its chunks: it is not used. */
static struct tt_status add_stream(struct unpacking *unpacking, struct ftrace_stream *stream)
{
    struct ftrace *ftrace = unpacking->d;
    struct tt_reader r = tt_reader_of(ftrace->capture->bytes, ftrace->big);
    tt_read_seek(&r, stream->offset);
    uint32_t count = tt_read_u32(&r);
    uint64_t begin = ftrace->spooled_size;
    struct tt_status status = tt_ok();
    for (uint32_t i = 0; !tt_failed(&status) && i < count; i++) {
        uint64_t offset = r.pos;
        uint32_t packed = tt_read_u32(&r), size = tt_read_u32(&r);
        const uint8_t *from = tt_read_span(&r, packed);
        if (!from || size > CHUNK_MAX || size == 0) {
            tt_health_add(ftrace->capture, from ? TT_HEALTH_CONTAINER : TT_HEALTH_TRUNCATED, offset,
                          0, count - i, "chunks of pages that cannot be read");
            break;
        }
        status = ftrace_unpack_add_chunk(unpacking, offset, tt_bytes_of(from, packed), size);
    }
    stream->offset = begin;
    stream->size = ftrace->spooled_size - begin;
    return status;
}

struct tt_status ftrace_unpack_pages(struct ftrace *ftrace)
{
    struct unpacking u = {.d = ftrace};
    struct tt_status status = tt_ok();
    for (size_t i = 0; !tt_failed(&status) && i < ftrace->stream_count; i++) {
        if (!ftrace->streams[i].packed) {
            continue;
        }
        if (!ftrace->spool) {
            status = tt_map_of_own(0, &ftrace->spool);
        }
        if (!tt_failed(&status)) {
            status = add_stream(&u, &ftrace->streams[i]);
        }
    }
    free(u.room);
    return tt_failed(&status) ? status : ftrace_spool_map(ftrace);
}

struct tt_status ftrace_spool_map(struct ftrace *ftrace)
{
    bool grown;
    struct tt_status status = ftrace->spool ? tt_map_grow(ftrace->spool, &grown) : tt_ok();
    ftrace->spooled = ftrace->spooled_size > 0 ? tt_map_bytes(ftrace->spool).data : NULL;
    return status;
}

void ftrace_spool_close(struct ftrace *ftrace)
{
    tt_map_close(ftrace->spool);
    free(ftrace->chunks);
}
