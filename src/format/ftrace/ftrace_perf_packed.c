/* SPDX-License-Identifier: Apache-2.0 */
/* ftrace_perf_packed: the sequence of records of a perf.data file, and those that are compressed (perf record -z). */
#include <zstd.h>

#include "base/array.h"
#include "format/ftrace/ftrace_perf.h"

uint64_t ftrace_perf_next(const struct perf *perf, uint64_t at, uint32_t *type, uint32_t *size)
{
    const struct ftrace *ftrace = perf->d;
    struct tt_reader r = tt_reader_of(perf->in, ftrace->big);
    if (at + 8 > perf->data_end) {
        return 0;
    }
    tt_read_seek(&r, at);
    *type = tt_read_u32(&r);
    tt_read_u16(&r);
    *size = tt_read_u16(&r);
    uint64_t extra = *type == RECORD_AUXTRACE  ? tt_read_u64(&r)
                     : *type == RECORD_TRACING ? tt_read_u32(&r)
                                               : 0; /* bytes after it */
    if (r.failed || *size < 8 || *size > perf->data_end - at ||
        extra > perf->data_end - at - *size) {
        return 0;
    }
    return at + *size + extra;
}

bool ftrace_perf_is_packed(uint32_t type)
{
    return type == RECORD_COMPRESSED || type == RECORD_COMPRESSED_2;
}

/* Appends what a compressed record adds to the stream of all of them. Returns false if it is damaged. */
static bool unpack_record(struct perf *perf, ZSTD_DStream *stream, struct tt_bytes packed,
                          struct tt_status *status)
{
    uint8_t room[16384];
    ZSTD_inBuffer in = {packed.data, (size_t)packed.size, 0};
    ZSTD_outBuffer out = {room, sizeof room, sizeof room};
    while (!tt_failed(status) && (in.pos < in.size || out.pos == sizeof room)) {
        out.pos = 0;
        if (ZSTD_isError(ZSTD_decompressStream(stream, &out, &in))) {
            return false;
        }
        *status = tt_map_append(perf->unpacked, room, out.pos);
    }
    return true;
}

struct tt_status ftrace_perf_unpack(struct perf *perf)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    struct tt_status status = stream ? tt_map_of_own(0, &perf->unpacked) : tt_error_memory();
    uint32_t type, size;
    uint64_t plain = perf->data, next;
    bool grown;
    for (uint64_t at = perf->data; !tt_failed(&status); at = next) {
        next = ftrace_perf_next(perf, at, &type, &size);
        if (next != 0 && !ftrace_perf_is_packed(type)) {
            continue;
        }
        const uint64_t end = next != 0 ? at : perf->data_end;
        status = tt_map_append(perf->unpacked, perf->in.data + plain, (size_t)(end - plain));
        struct ftrace_chunk *packed =
            tt_array_grow(perf->packed, perf->packed_count, &perf->packed_capacity, sizeof *packed);
        perf->packed = packed ? packed : perf->packed;
        if (next == 0 || !packed || tt_failed(&status)) {
            status = packed ? status : tt_error_memory();
            break;
        }
        plain = next;
        packed[perf->packed_count++] = (struct ftrace_chunk){tt_map_file_size(perf->unpacked), at};
        struct tt_reader r =
            tt_reader_of(tt_bytes_slice(perf->in, at + 8, size - 8u), perf->d->big);
        uint64_t length = type == RECORD_COMPRESSED_2 ? tt_read_u64(&r) : r.bytes.size;
        if (!unpack_record(perf, stream, tt_bytes_slice(r.bytes, r.pos, length), &status)) {
            tt_health_add(perf->d->capture, TT_HEALTH_CONTAINER, at, 0, perf->data_end - at,
                          "bytes from a compressed record that is damaged");
            break;
        }
    }
    ZSTD_freeDStream(stream);
    status = tt_failed(&status) ? status : tt_map_grow(perf->unpacked, &grown);
    if (!tt_failed(&status)) {
        perf->in = tt_map_bytes(perf->unpacked);
        perf->data = 0;
        perf->data_end = perf->in.size;
    }
    return status;
}
