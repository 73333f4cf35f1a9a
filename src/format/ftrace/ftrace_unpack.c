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

bool ftrace_unpack(const struct ftrace *d, struct tt_bytes from, uint8_t *to, size_t size)
{
    if (d->packer == 'z') {
        size_t length = ZSTD_decompress(to, size, from.data, (size_t)from.size);
        return !ZSTD_isError(length) && length == size;
    }
    uLongf length = (uLongf)size;
    return d->packer == 'g' && from.size <= UINT32_MAX &&
           uncompress(to, &length, from.data, (uLong)from.size) == Z_OK && length == size;
}

bool ftrace_section(struct ftrace *d, uint64_t offset, uint64_t size, bool packed,
                    struct tt_bytes *content)
{
    struct tt_capture *c = d->capture;
    struct tt_reader r = tt_reader_of(c->bytes, d->big);
    tt_read_seek(&r, offset);
    if (!packed) {
        *content = tt_bytes_slice(c->bytes, offset, size);
        if (content->size < size) {
            tt_health_add(c, TT_HEALTH_TRUNCATED, c->bytes.size, 0, size - content->size,
                          "bytes of a section that are after the end");
        }
        return content->size > 0;
    }
    uint32_t packed_size = tt_read_u32(&r), whole = tt_read_u32(&r);
    const uint8_t *from = tt_read_span(&r, packed_size);
    /* A smaller size is that of lies, and costs no memory. */
    bool good = from && whole <= SECTION_MAX;
    uint8_t *to = good ? tt_arena_bytes(&d->arena, whole ? whole : 1) : NULL;
    if (good && !to) {
        d->no_memory = true;
        return false;
    }
    if (!good || !ftrace_unpack(d, tt_bytes_of(from, packed_size), to, whole)) {
        tt_health_add(c, from ? TT_HEALTH_CONTAINER : TT_HEALTH_TRUNCATED, offset, 0, packed_size,
                      "bytes of a section that cannot be unpacked");
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
static struct tt_status add_chunk(struct unpacking *u, uint64_t offset, struct tt_bytes from,
                                  uint32_t size)
{
    struct ftrace *d = u->d;
    struct ftrace_chunk *chunks =
        tt_array_grow(d->chunks, d->chunk_count, &d->chunk_capacity, sizeof *chunks);
    uint8_t *room = chunks ? tt_array_reserve(u->room, size, &u->capacity, 1) : NULL;
    d->chunks = chunks ? chunks : d->chunks;
    if (!room) {
        return tt_error_memory();
    }
    u->room = room;
    chunks[d->chunk_count++] = (struct ftrace_chunk){d->spooled_size, offset};
    if (!ftrace_unpack(d, from, room, size)) {
        memset(room, 0, size);
        tt_health_add(d->capture, TT_HEALTH_CONTAINER, offset, 0, size,
                      "bytes of pages that cannot be unpacked");
    }
    d->spooled_size += size;
    return tt_map_append(d->spool, room, size);
}

/* Unpacks the pages of a CPU. The size in the table may be less than that of its chunks: it is not used. */
static struct tt_status add_stream(struct unpacking *u, struct ftrace_stream *stream)
{
    struct ftrace *d = u->d;
    struct tt_reader r = tt_reader_of(d->capture->bytes, d->big);
    tt_read_seek(&r, stream->offset);
    uint32_t count = tt_read_u32(&r);
    uint64_t begin = d->spooled_size;
    struct tt_status status = tt_ok();
    for (uint32_t i = 0; !tt_failed(&status) && i < count; i++) {
        uint64_t offset = r.pos;
        uint32_t packed = tt_read_u32(&r), size = tt_read_u32(&r);
        const uint8_t *from = tt_read_span(&r, packed);
        if (!from || size > CHUNK_MAX || size == 0) {
            tt_health_add(d->capture, from ? TT_HEALTH_CONTAINER : TT_HEALTH_TRUNCATED, offset, 0,
                          count - i, "chunks of pages that cannot be read");
            break;
        }
        status = add_chunk(u, offset, tt_bytes_of(from, packed), size);
    }
    stream->offset = begin;
    stream->size = d->spooled_size - begin;
    return status;
}

struct tt_status ftrace_unpack_pages(struct ftrace *d)
{
    struct unpacking u = {.d = d};
    struct tt_status status = tt_ok();
    for (size_t i = 0; !tt_failed(&status) && i < d->stream_count; i++) {
        if (!d->streams[i].packed) {
            continue;
        }
        if (!d->spool) {
            status = tt_map_of_own(0, &d->spool);
        }
        if (!tt_failed(&status)) {
            status = add_stream(&u, &d->streams[i]);
        }
    }
    free(u.room);
    return tt_failed(&status) ? status : ftrace_spool_map(d);
}

struct tt_status ftrace_spool_map(struct ftrace *d)
{
    bool grown;
    struct tt_status status = d->spool ? tt_map_grow(d->spool, &grown) : tt_ok();
    d->spooled = d->spooled_size > 0 ? tt_map_bytes(d->spool).data : NULL;
    return status;
}

void ftrace_spool_close(struct ftrace *d)
{
    tt_map_close(d->spool);
    free(d->chunks);
}
