/* SPDX-License-Identifier: Apache-2.0 */
#include "input/unpack.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#define IN_BYTES ((size_t)16 * 1024)

struct tt_unpacker {
    enum tt_compression compression;
    struct tt_intake from;
    uint8_t in[IN_BYTES];
    size_t at; /* index in `in` of the first byte not yet decoded */
    size_t filled;
    uint64_t passed; /* bytes of the input before `in` */
    bool in_ends;    /* the input ends with `in` */
    bool over;       /* nothing more is returned */
    struct tt_damage damage;
    uint64_t begin; /* offset of the current member or frame */
    /* gzip */
    z_stream z;
    gz_header header;
    bool inside;  /* a member has begun and not ended */
    bool any;     /* a member has ended */
    bool zeros;   /* zeros have followed it: no other member may */
    bool is_z_up; /* z needs inflateEnd */
    /* zstd */
    ZSTD_DStream *stream;
    size_t first;         /* hint for the first piece of a frame */
    size_t next;          /* hint for the next piece; 0: at the end of a frame */
    size_t piece;         /* bytes of the present piece that are not decoded yet */
    uint64_t piece_end;   /* offset of its end, */
    uint64_t piece_begin; /* and of its begin */
    bool pending;         /* the decoder may have output without more input */
};

enum tt_compression tt_compression_of(const uint8_t *head, size_t length)
{
    static const uint8_t gzip[] = {0x1f, 0x8b, 0x08};
    static const uint8_t zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    static const uint8_t skippable[] = {0x2a, 0x4d, 0x18}; /* after 0x50 to 0x5f */
    if (length >= sizeof gzip && memcmp(head, gzip, sizeof gzip) == 0) {
        return TT_GZIP;
    }
    if (length >= sizeof zstd && memcmp(head, zstd, sizeof zstd) == 0) {
        return TT_ZSTD;
    }
    if (length >= 1 + sizeof skippable && head[0] >> 4 == 5 &&
        memcmp(head + 1, skippable, sizeof skippable) == 0) {
        return TT_ZSTD;
    }
    return TT_PLAIN;
}

/* ---- input ----------------------------------------------------------------------------------- */

/* Reads more input when all is decoded; sets `in_ends` at the end. */
static struct tt_status fill_input(struct tt_unpacker *unpacker, int stop)
{
    if (unpacker->at < unpacker->filled || unpacker->in_ends) {
        return tt_ok();
    }
    unpacker->passed += unpacker->filled;
    unpacker->at = unpacker->filled = 0;
    struct tt_status status =
        unpacker->from.read(unpacker->from.arg, stop, unpacker->in, IN_BYTES, &unpacker->filled);
    unpacker->in_ends = !tt_failed(&status) && unpacker->filled == 0;
    return status;
}

static uint64_t input_offset(const struct tt_unpacker *unpacker)
{
    return unpacker->passed + unpacker->at;
}

static void end_damaged(struct tt_unpacker *unpacker, uint64_t offset, const char *detail)
{
    unpacker->damage = (struct tt_damage){detail, offset};
    unpacker->over = true;
}

/* ---- gzip ------------------------------------------------------------------------------------ */

#define GZIP_WINDOW (16 + MAX_WBITS) /* with a gzip header and trailer */
#define GZIP_CHECK  4                /* size of each of the two checks at the end of a member */

/* Decodes a part of a member, from its header to its checks; finds damage if it is incomplete. */
static struct tt_status read_member(struct tt_unpacker *unpacker, uint8_t *buffer, size_t size,
                                    size_t *length)
{
    unpacker->z.next_in = unpacker->in + unpacker->at;
    unpacker->z.avail_in = (unsigned)(unpacker->filled - unpacker->at);
    unpacker->z.next_out = buffer;
    unpacker->z.avail_out = (unsigned)size;
    int result = inflate(&unpacker->z, Z_NO_FLUSH);
    unpacker->at = unpacker->filled - unpacker->z.avail_in;
    *length = size - unpacker->z.avail_out;
    if (result == Z_MEM_ERROR) {
        return tt_error_memory();
    }
    if (result == Z_STREAM_END) {
        unpacker->inside = false;
        unpacker->any = true;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
        const char *detail = unpacker->z.msg ? unpacker->z.msg : "no gzip data";
        uint64_t offset = input_offset(unpacker);
        bool sum = strcmp(detail, "incorrect data check") == 0 ||
                   strcmp(detail, "incorrect length check") == 0;
        if (sum) {
            offset -= GZIP_CHECK;
        } else if (unpacker->header.done != 1) {
            offset = unpacker->begin;
        }
        end_damaged(unpacker, offset, detail);
    } else if (result == Z_BUF_ERROR && unpacker->in_ends) {
        end_damaged(unpacker, input_offset(unpacker), "ends inside a gzip member");
    }
    return tt_ok();
}

/* ---- zstd ------------------------------------------------------------------------------------ */

#define ZSTD_BLOCK_HEADER 3 /* bytes (RFC 8878 section 3.1.1.2) */
#define ZSTD_CHECK        4 /* bytes of the checksum at the end of a frame */

/*
 * Begins the next piece. The decoder requests a block together with the header of the next one and outputs
 * nothing if that header is damaged, so they are passed one after the other.
 */
static void begin_piece(struct tt_unpacker *unpacker)
{
    if (unpacker->next == 0) {
        unpacker->begin = input_offset(unpacker);
        unpacker->next = unpacker->first;
    }
    size_t want =
        unpacker->next > ZSTD_BLOCK_HEADER ? unpacker->next - ZSTD_BLOCK_HEADER : unpacker->next;
    size_t left = unpacker->filled - unpacker->at;
    unpacker->piece = want > 0 && want < left ? want : left;
    unpacker->piece_begin = input_offset(unpacker);
    unpacker->piece_end = unpacker->piece_begin + unpacker->piece;
}

/* Decodes a part of a frame. */
static struct tt_status read_frame(struct tt_unpacker *unpacker, uint8_t *buffer, size_t size,
                                   size_t *length)
{
    if (unpacker->piece == 0 && !unpacker->pending) {
        if (unpacker->in_ends) {
            unpacker->over = true;
            if (unpacker->next != 0) {
                end_damaged(unpacker, input_offset(unpacker), "ends inside a zstd frame");
            }
            return tt_ok();
        }
        begin_piece(unpacker);
    }
    ZSTD_inBuffer in = {unpacker->in + unpacker->at, unpacker->piece, 0};
    ZSTD_outBuffer out = {buffer, size, 0};
    size_t next = ZSTD_decompressStream(unpacker->stream, &out, &in);
    if (ZSTD_isError(next)) {
        ZSTD_ErrorCode code = ZSTD_getErrorCode(next);
        if (code == ZSTD_error_memory_allocation) {
            return tt_error_memory();
        }

        /* Ends with the damage of the present piece. */
        if (code == ZSTD_error_prefix_unknown) {
            end_damaged(unpacker, unpacker->begin, "not zstd data");
        } else if (code == ZSTD_error_checksum_wrong) {
            end_damaged(unpacker, unpacker->piece_end - ZSTD_CHECK, "incorrect checksum");
        } else {
            end_damaged(unpacker, unpacker->piece_begin, ZSTD_getErrorString(code));
        }

        return tt_ok();
    }
    unpacker->next = next;
    unpacker->at += in.pos;
    unpacker->piece = next == 0 ? 0 : unpacker->piece - in.pos;
    unpacker->pending = next != 0 && out.pos == size;
    *length = out.pos;
    return tt_ok();
}

/* ---- all ------------------------------------------------------------------------------------- */

struct tt_status tt_unpacker_new(enum tt_compression compression, const struct tt_intake *from,
                                 struct tt_unpacker **result)
{
    struct tt_unpacker *unpacker = calloc(1, sizeof *unpacker);
    bool made = unpacker != NULL;
    if (made) {
        unpacker->compression = compression;
        unpacker->from = *from;
    }
    if (made && compression == TT_GZIP) {
        made = unpacker->is_z_up = inflateInit2(&unpacker->z, GZIP_WINDOW) == Z_OK;
    } else if (made && compression == TT_ZSTD) {
        unpacker->stream = ZSTD_createDStream();
        made = unpacker->stream != NULL;
        unpacker->first = made ? ZSTD_initDStream(unpacker->stream) : 0;
    }
    if (!made) {
        tt_unpacker_free(unpacker);
        return tt_error_memory();
    }
    *result = unpacker;
    return tt_ok();
}

void tt_unpacker_free(struct tt_unpacker *unpacker)
{
    if (unpacker) {
        if (unpacker->is_z_up) {
            inflateEnd(&unpacker->z);
        }
        ZSTD_freeDStream(unpacker->stream);
        free(unpacker);
    }
}

struct tt_status tt_unpacker_read(void *unpacker, int stop, uint8_t *buffer, size_t size,
                                  size_t *length)
{
    struct tt_unpacker *u = unpacker;
    struct tt_status status = tt_ok();
    *length = 0;
    if (u->compression == TT_PLAIN) {
        return u->from.read(u->from.arg, stop, buffer, size, length);
    }
    while (*length == 0 && !u->over && !tt_failed(&status)) {
        if (u->piece == 0 && !u->pending) {
            status = fill_input(u, stop);
        }
        if (tt_failed(&status)) {
            break;
        }
        if (u->compression == TT_ZSTD) {
            status = read_frame(u, buffer, size, length);
        } else if (u->inside) {
            status = read_member(u, buffer, size, length);
        } else {
            /* Begins the next member; at the end of the file, also after zeros, there is none. */
            if (u->in_ends) {
                u->over = true;
            } else if (u->any && u->in[u->at] == 0) {
                u->at++;
                u->zeros = true;
            } else if (u->zeros) {
                end_damaged(u, input_offset(u), "not gzip data");
            } else {
                u->begin = input_offset(u);
                u->header = (gz_header){0};
                inflateReset(&u->z);
                inflateGetHeader(&u->z, &u->header);
                u->inside = true;
            }
        }
    }
    return status;
}

struct tt_damage tt_unpacker_damage(const struct tt_unpacker *unpacker)
{
    return unpacker->damage;
}
