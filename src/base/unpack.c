/* SPDX-License-Identifier: Apache-2.0 */
#include "base/unpack.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#define IN_BYTES  ((size_t)16 * 1024)
#define OUT_BYTES ((size_t)256 * 1024)

/* The compressed input and its output. */
struct job {
    const struct tt_unpack_ends *ends;
    uint8_t *in;
    size_t at; /* index in `in` of the first byte not yet decoded */
    size_t filled;
    uint64_t passed; /* bytes of the input before `in` */
    bool over;       /* the input ends with `in` */
    uint8_t *out;
    struct tt_damage *damage;
};

static struct tt_status begin(struct job *job)
{
    job->in = malloc(IN_BYTES);
    job->out = malloc(OUT_BYTES);
    job->damage->detail = NULL;
    return job->in && job->out ? tt_ok() : tt_error_memory();
}

static void end(struct job *job)
{
    free(job->in);
    free(job->out);
}

/* Reads more input when all is decoded; sets `over` at the end. */
static struct tt_status fill(struct job *job)
{
    if (job->at < job->filled || job->over) {
        return tt_ok();
    }
    job->passed += job->filled;
    job->at = job->filled = 0;
    struct tt_status status = job->ends->get(job->ends->source, job->in, IN_BYTES, &job->filled);
    job->over = !tt_failed(&status) && job->filled == 0;
    return status;
}

static struct tt_status put(const struct job *job, size_t length)
{
    return job->ends->put(job->ends->sink, job->out, length);
}

static uint64_t offset_of(const struct job *job)
{
    return job->passed + job->at;
}

static void damage_at(struct job *job, uint64_t offset, const char *detail)
{
    *job->damage = (struct tt_damage){detail, offset};
}

/* ---- gzip ---------------------------------------------------------------------------------- */

#define GZIP_WINDOW (16 + MAX_WBITS) /* with a gzip header and trailer */
#define GZIP_CHECK  4                /* size of each of the two checks at the end of a member */

static void damaged_member(struct job *job, const z_stream *z, const gz_header *header,
                           uint64_t member)
{
    const char *detail = z->msg ? z->msg : "no gzip data";
    uint64_t offset = offset_of(job);
    bool sum = detail[0] == 'i' && (strcmp(detail, "incorrect data check") == 0 ||
                                    strcmp(detail, "incorrect length check") == 0);
    if (sum) {
        offset -= GZIP_CHECK;
    } else if (header->done != 1) {
        offset = member;
    }
    damage_at(job, offset, detail);
}

/* Decodes one member, from its header to its checks; reports damage if it is incomplete. */
static struct tt_status unpack_member(struct job *job, z_stream *z)
{
    gz_header header = {0};
    uint64_t member = offset_of(job);
    inflateReset(z);
    inflateGetHeader(z, &header);
    for (int result = Z_OK; result != Z_STREAM_END && !job->damage->detail;) {
        struct tt_status status = fill(job);
        if (tt_failed(&status)) {
            return status;
        }
        z->next_in = job->in + job->at;
        z->avail_in = (unsigned)(job->filled - job->at);
        z->next_out = job->out;
        z->avail_out = OUT_BYTES;
        result = inflate(z, Z_NO_FLUSH);
        job->at = job->filled - z->avail_in;
        if (result == Z_MEM_ERROR) {
            return tt_error_memory();
        }
        status = put(job, OUT_BYTES - z->avail_out);
        if (tt_failed(&status)) {
            return status;
        }
        if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR) {
            damaged_member(job, z, &header, member);
        } else if (result == Z_BUF_ERROR && job->over) {
            damage_at(job, offset_of(job), "ends inside a gzip member");
        }
    }
    return tt_ok();
}

/* Skips zero padding at the end of the file; other bytes are damage. */
static struct tt_status pass_zeros(struct job *job)
{
    for (;;) {
        struct tt_status status = fill(job);
        if (tt_failed(&status) || job->over) {
            return status;
        }
        if (job->in[job->at] != 0) {
            damage_at(job, offset_of(job), "not gzip data");
            return status;
        }
        job->at++;
    }
}

static struct tt_status unpack_members(struct job *job, z_stream *z)
{
    for (bool first = true;; first = false) {
        struct tt_status status = fill(job);
        if (tt_failed(&status) || job->over) {
            return status;
        }
        if (!first && job->in[job->at] == 0) {
            return pass_zeros(job);
        }
        status = unpack_member(job, z);
        if (tt_failed(&status) || job->damage->detail) {
            return status;
        }
    }
}

struct tt_status tt_unpack_gzip(const struct tt_unpack_ends *ends, struct tt_damage *damage)
{
    struct job job = {.ends = ends, .damage = damage};
    z_stream z = {0};
    struct tt_status status = begin(&job);
    if (!tt_failed(&status)) {
        status =
            inflateInit2(&z, GZIP_WINDOW) == Z_OK ? unpack_members(&job, &z) : tt_error_memory();
        inflateEnd(&z);
    }
    end(&job);
    return status;
}

/* ---- zstd ---------------------------------------------------------------------------------- */

#define ZSTD_BLOCK_HEADER 3 /* bytes (RFC 8878 section 3.1.1.2) */

#define ZSTD_CHECK 4 /* bytes of the checksum at the end of a frame */

/* Reports the damage for an error in the next `length` bytes of `in`. */
static void damaged_frame(struct job *job, ZSTD_ErrorCode code, uint64_t frame, size_t length)
{
    if (code == ZSTD_error_prefix_unknown) {
        damage_at(job, frame, "not zstd data");
    } else if (code == ZSTD_error_checksum_wrong) {
        damage_at(job, offset_of(job) + length - ZSTD_CHECK, "incorrect checksum");
    } else {
        damage_at(job, offset_of(job), ZSTD_getErrorString(code));
    }
}

/*
 * Decodes `length` bytes of `in` and writes the output. *next is the hint for the next piece, 0 at
 * the end of a frame.
 */
static struct tt_status unpack_piece(struct job *job, ZSTD_DStream *stream, size_t length,
                                     uint64_t frame, size_t *next)
{
    ZSTD_inBuffer in = {job->in + job->at, length, 0};
    ZSTD_outBuffer out;
    do {
        out = (ZSTD_outBuffer){job->out, OUT_BYTES, 0};
        *next = ZSTD_decompressStream(stream, &out, &in);
        if (ZSTD_isError(*next)) {
            ZSTD_ErrorCode code = ZSTD_getErrorCode(*next);
            if (code == ZSTD_error_memory_allocation) {
                return tt_error_memory();
            }
            damaged_frame(job, code, frame, length);
            return tt_ok();
        }
        struct tt_status status = put(job, out.pos);
        if (tt_failed(&status)) {
            return status;
        }
    } while (*next != 0 && (in.pos < in.size || out.pos == out.size));
    job->at += in.pos;
    return tt_ok();
}

/*
 * Returns the size of the next piece. The decoder requests a block together with the header of the
 * next one and outputs nothing if that header is damaged, so they are passed one after the other.
 */
static size_t piece_of(const struct job *job, size_t next)
{
    size_t want = next > ZSTD_BLOCK_HEADER ? next - ZSTD_BLOCK_HEADER : next;
    size_t left = job->filled - job->at;
    return want > 0 && want < left ? want : left;
}

static struct tt_status unpack_frames(struct job *job, ZSTD_DStream *stream)
{
    size_t first = ZSTD_initDStream(stream), next = 0;
    uint64_t frame = 0;
    while (!job->damage->detail) {
        struct tt_status status = fill(job);
        if (tt_failed(&status)) {
            return status;
        }
        if (job->over) {
            if (next != 0) {
                damage_at(job, offset_of(job), "ends inside a zstd frame");
            }
            break;
        }
        if (next == 0) {
            frame = offset_of(job);
            next = first;
        }
        status = unpack_piece(job, stream, piece_of(job, next), frame, &next);
        if (tt_failed(&status)) {
            return status;
        }
    }
    return tt_ok();
}

struct tt_status tt_unpack_zstd(const struct tt_unpack_ends *ends, struct tt_damage *damage)
{
    struct job job = {.ends = ends, .damage = damage};
    struct tt_status status = begin(&job);
    if (!tt_failed(&status)) {
        ZSTD_DStream *stream = ZSTD_createDStream();
        status = stream ? unpack_frames(&job, stream) : tt_error_memory();
        ZSTD_freeDStream(stream);
    }
    end(&job);
    return status;
}
