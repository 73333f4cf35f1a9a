/* SPDX-License-Identifier: Apache-2.0 */
/*
 * container_oracle: checks and unpacks a gzip or zstd file in memory without the program's decoder:
 * a gzip header is parsed here (RFC 1952) and its body inflated raw; zstd frames are decoded in one
 * call each. Accepts exactly what `gzip -t` and `zstd -t` accept.
 */
#ifndef TRACETUI_TESTS_CONTAINER_ORACLE_H
#define TRACETUI_TESTS_CONTAINER_ORACLE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

struct oracle {
    uint8_t *out;
    size_t capacity;
    size_t whole; /* bytes of the valid members or frames, up to the first invalid one */
    bool sound;
    bool full; /* `capacity` is too small: no result */
};

static inline uint32_t oracle_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Returns the bytes of a gzip header; 0 if it is invalid. */
static inline size_t oracle_gzip_header(const uint8_t *in, size_t size)
{
    if (size < 10 || in[0] != 0x1f || in[1] != 0x8b || in[2] != 8 || (in[3] & 0xe0) != 0) {
        return 0;
    }
    size_t at = 10;
    if (in[3] & 4) {
        if (size - at < 2) {
            return 0;
        }
        size_t extra = (size_t)in[at] | (size_t)in[at + 1] << 8;
        if (extra > size - at - 2) {
            return 0;
        }
        at += 2 + extra;
    }
    for (unsigned flag = 8; flag <= 16; flag *= 2) {
        if (in[3] & flag) {
            const uint8_t *zero = memchr(in + at, 0, size - at);
            if (!zero) {
                return 0;
            }
            at = (size_t)(zero - in) + 1;
        }
    }
    if (in[3] & 2) {
        if (size - at < 2 ||
            (crc32(0, in, (unsigned)at) & 0xffff) != (in[at] | (unsigned)in[at + 1] << 8)) {
            return 0;
        }
        at += 2;
    }
    return at;
}

/* Returns the bytes of a whole gzip member and inflates it to out + whole; 0 if it is invalid. */
static inline size_t oracle_member(struct oracle *o, const uint8_t *in, size_t size, size_t *length)
{
    size_t head = oracle_gzip_header(in, size);
    z_stream z = {0};
    if (head == 0 || inflateInit2(&z, -MAX_WBITS) != Z_OK) {
        return 0;
    }
    z.next_in = (uint8_t *)(uintptr_t)(in + head);
    z.avail_in = (unsigned)(size - head);
    z.next_out = o->out + o->whole;
    z.avail_out = (unsigned)(o->capacity - o->whole);
    int result = inflate(&z, Z_FINISH);
    *length = z.total_out;
    o->full = result != Z_STREAM_END && result != Z_DATA_ERROR && z.avail_out == 0;
    size_t end = head + z.total_in;
    inflateEnd(&z);
    if (result != Z_STREAM_END || size - end < 8 ||
        oracle_u32(in + end) != crc32(0, o->out + o->whole, (unsigned)*length) ||
        oracle_u32(in + end + 4) != (uint32_t)*length) {
        return 0;
    }
    return end + 8;
}

static inline void oracle_gzip(struct oracle *o, const uint8_t *in, size_t size)
{
    bool first = true;
    o->whole = 0;
    o->full = false;
    for (o->sound = true; size > 0 && o->sound; first = false) {
        size_t length = 0, used = 0;
        if (!first && in[0] == 0) {
            while (used < size && in[used] == 0) {
                used++;
            }
            o->sound = used == size;
            return;
        }
        used = oracle_member(o, in, size, &length);
        o->sound = used > 0;
        if (o->sound) {
            o->whole += length;
            in += used;
            size -= used;
        }
    }
}

#define ORACLE_STEP 16u /* of output: small, as larger steps let the decoder skip checks */

static inline void oracle_zstd(struct oracle *o, const uint8_t *in, size_t size)
{
    ZSTD_DStream *stream = ZSTD_createDStream();
    ZSTD_inBuffer input = {in, size, 0};
    size_t used = 0, left = 0;
    o->whole = 0;
    o->full = stream == NULL;
    while (!o->full && !ZSTD_isError(left) && (left > 0 || input.pos < size)) {
        size_t before = used, at = input.pos;
        ZSTD_outBuffer out = {o->out + used, ORACLE_STEP, 0};
        if (o->capacity - used < ORACLE_STEP) {
            o->full = true;
            break;
        }
        left = ZSTD_decompressStream(stream, &out, &input);
        used += out.pos;
        if (left == 0) {
            o->whole = used;
        } else if (used == before && input.pos == at && at == size) {
            break;
        }
    }
    o->sound = left == 0;
    ZSTD_freeDStream(stream);
}

#endif
