/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Damaged compressed files: every bit of small containers flipped, every truncation, bytes after
 * the end, and large ones at many positions. A decoder that holds the whole file in memory
 * (container_oracle.h) decides what is sound.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alone.h"
#include "container_oracle.h"
#include "input/spool.h"

#define CAPACITY (1u << 20)

static uint8_t expected[CAPACITY], got[CAPACITY], content[CAPACITY];

static struct tt_status read_file(void *arg, int stop, uint8_t *buffer, size_t size, size_t *length)
{
    return tt_read_fd(*(int *)arg, stop, buffer, size, length);
}

/* Unpacks the bytes and returns their number, or -1 if there are none because of damage. */
static ssize_t spool(const uint8_t *bytes, size_t size, enum tt_compression compression,
                     struct tt_damage *damage)
{
    static FILE *file;
    file = file ? file : tmpfile();
    cr_assert_not_null(file);
    int fd = fileno(file);
    cr_assert_eq(ftruncate(fd, 0), 0);
    cr_assert_eq(pwrite(fd, bytes, size, 0), (ssize_t)size);
    cr_assert_eq(lseek(fd, 0, SEEK_SET), 0);
    const struct tt_intake from = {&fd, read_file};
    struct tt_unpacker *unpacker;
    struct tt_status status = tt_unpacker_new(compression, &from, &unpacker);
    size_t used = 0;
    for (size_t length = 1; length > 0 && !tt_failed(&status); used += length) {
        size_t step = used % 3 ? 7000 : 131072; /* the caller's buffers vary */
        step = step < sizeof got - used ? step : sizeof got - used;
        status = tt_unpacker_read(unpacker, -1, got + used, step, &length);
    }
    cr_assert(!tt_failed(&status), "%s", status.text);
    *damage = tt_unpacker_damage(unpacker);
    tt_unpacker_free(unpacker);
    return damage->detail && used == 0 ? -1 : (ssize_t)used;
}

static void check(const uint8_t *bytes, size_t size, enum tt_compression compression,
                  const char *what, size_t where)
{
    struct oracle oracle = {.out = expected, .capacity = sizeof expected};
    struct tt_damage damage;
    if (compression == TT_GZIP) {
        oracle_gzip(&oracle, bytes, size);
    } else {
        oracle_zstd(&oracle, bytes, size);
    }
    ssize_t length = spool(bytes, size, compression, &damage);
    cr_assert(!oracle.full);
    cr_assert_eq(damage.detail == NULL, oracle.sound, "%s %zu: %s", what, where,
                 damage.detail ? damage.detail : "not noticed");
    cr_assert_leq(damage.offset, size, "%s %zu", what, where);
    if (oracle.sound) {
        cr_assert_eq(length, (ssize_t)oracle.whole, "%s %zu", what, where);
    }
    cr_assert_geq(length < 0 ? 0 : length, (ssize_t)oracle.whole, "%s %zu", what, where);
    cr_assert_eq(memcmp(got, expected, oracle.whole), 0, "%s %zu", what, where);
}

/* ---- containers --------------------------------------------------------------------------- */

struct container {
    uint8_t bytes[CAPACITY];
    size_t size;
};

/* Fills a buffer with content that repeats, but not exactly. */
static void fill(uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bytes[i] = (uint8_t)(i % 61 + (i * i >> 11));
    }
}

static void add_gzip(struct container *c, size_t length, bool named)
{
    gz_header header = {.name = (Bytef *)(uintptr_t) "demo.kev", .hcrc = 1, .os = 3};
    fill(content, length);
    z_stream z = {.next_in = content,
                  .avail_in = (unsigned)length,
                  .next_out = c->bytes + c->size,
                  .avail_out = (unsigned)(CAPACITY - c->size)};
    cr_assert_eq(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    if (named) {
        deflateSetHeader(&z, &header);
    }
    cr_assert_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    c->size += z.total_out;
    deflateEnd(&z);
}

static void add_zstd(struct container *c, size_t length, bool checksum)
{
    fill(content, length);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checksum);
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, checksum);
    size_t size = ZSTD_compress2(context, c->bytes + c->size, CAPACITY - c->size, content, length);
    cr_assert(!ZSTD_isError(size));
    ZSTD_freeCCtx(context);
    c->size += size;
}

static void add_bytes(struct container *c, const void *bytes, size_t size)
{
    memcpy(c->bytes + c->size, bytes, size);
    c->size += size;
}

static const uint8_t skippable[] = {0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'x', 'y', 'z'};

/* Flips every bit, truncates everywhere, and appends a byte of each value; every `step`-th only. */
static void damage_all(struct container *c, enum tt_compression compression, size_t step)
{
    check(c->bytes, c->size, compression, "whole", 0);
    for (size_t i = 0; i < c->size; i += step) {
        for (unsigned bit = 0; bit < 8; bit++) {
            c->bytes[i] ^= (uint8_t)(1u << bit);
            check(c->bytes, c->size, compression, "bit of byte", i);
            c->bytes[i] ^= (uint8_t)(1u << bit);
        }
        check(c->bytes, i, compression, "cut at", i);
    }
    for (unsigned value = 0; value < 256; value++) {
        c->bytes[c->size] = (uint8_t)value;
        check(c->bytes, c->size + 1, compression, "byte after the end", value);
    }
}

static struct container c;

/* They keep a temporary file. */
TestSuite(unpack, ALONE);

Test(unpack, every_flip_and_cut_of_gzip_is_noticed)
{
    add_gzip(&c, 300, true);
    add_gzip(&c, 0, false);
    add_gzip(&c, 100, false);
    damage_all(&c, TT_GZIP, 1);
}

Test(unpack, every_flip_and_cut_of_zstd_is_noticed)
{
    add_zstd(&c, 300, true);
    add_bytes(&c, skippable, sizeof skippable);
    add_zstd(&c, 100, true);
    add_zstd(&c, 50, false);
    damage_all(&c, TT_ZSTD, 1);
}

Test(unpack, large_gzip_members)
{
    add_gzip(&c, 200000, true);
    add_gzip(&c, 90000, false);
    damage_all(&c, TT_GZIP, c.size / 64);
}

Test(unpack, large_zstd_frames)
{
    add_zstd(&c, 300000, true);
    add_zstd(&c, 200000, false);
    add_zstd(&c, 150000, true);
    damage_all(&c, TT_ZSTD, c.size / 64);
}

Test(unpack, only_zeros_may_follow_gzip_members)
{
    static const uint8_t zeros[512], one[] = {1};
    add_gzip(&c, 300, false);
    add_bytes(&c, zeros, sizeof zeros);
    check(c.bytes, c.size, TT_GZIP, "zeros", 0);
    add_bytes(&c, one, sizeof one);
    check(c.bytes, c.size, TT_GZIP, "zeros and a byte", 0);
}

/* Everything decoded before a damage is kept: the blocks of 128 KB before the damaged one. */
Test(unpack, blocks_before_a_damage_are_kept)
{
    struct tt_damage damage;
    static uint8_t noise[600000];
    uint32_t seed = 1;
    for (size_t i = 0; i < sizeof noise; i++) {
        seed = seed * 1664525 + 1013904223;
        noise[i] = (uint8_t)(seed >> 24);
    }
    c.size = ZSTD_compress(c.bytes, sizeof c.bytes, noise, sizeof noise, 1);
    cr_assert(!ZSTD_isError(c.size));
    size_t header =
        c.bytes[4] & 0x20 ? 9 : 10; /* a content size of 4 bytes, with or without a window */
    cr_assert_eq(c.bytes[4] >> 6, 2);
    for (unsigned block = 0; block < 3; block++) { /* RFC 8878 section 3.1.1.2 */
        uint32_t head = oracle_u32(c.bytes + header) & 0xffffff;
        header += 3 + (head >> 3);
    }
    c.bytes[header] |= 6; /* the reserved block type */
    ssize_t length = spool(c.bytes, c.size, TT_ZSTD, &damage);
    cr_assert_not_null(damage.detail);
    cr_expect_eq(length, 3 * 131072, "%zd", length);
    cr_expect_eq(damage.offset, header, "%llu, not %zu", (unsigned long long)damage.offset, header);
    cr_expect_eq(memcmp(got, noise, (size_t)length), 0);
}

Test(unpack, the_offset_is_that_of_the_damage)
{
    struct tt_damage damage;
    add_gzip(&c, 300, false);
    size_t member = c.size;
    c.bytes[c.size - 8] ^= 1;
    spool(c.bytes, c.size, TT_GZIP, &damage);
    cr_expect_str_eq(damage.detail, "incorrect data check");
    cr_expect_eq(damage.offset, c.size - 8);
    c.bytes[c.size - 8] ^= 1;
    c.bytes[c.size - 4] ^= 1;
    spool(c.bytes, c.size, TT_GZIP, &damage);
    cr_expect_str_eq(damage.detail, "incorrect length check");
    cr_expect_eq(damage.offset, c.size - 4);
    c.bytes[c.size - 4] ^= 1;
    add_bytes(&c, "garbage", 7);
    spool(c.bytes, c.size, TT_GZIP, &damage);
    cr_expect_str_eq(damage.detail, "incorrect header check");
    cr_expect_eq(damage.offset, member);
    spool(c.bytes, member - 20, TT_GZIP, &damage);
    cr_expect_str_eq(damage.detail, "ends inside a gzip member");
    cr_expect_eq(damage.offset, member - 20);
    c.size = 0;
    add_zstd(&c, 300, true);
    size_t frame = c.size;
    c.bytes[c.size - 1] ^= 1;
    spool(c.bytes, c.size, TT_ZSTD, &damage);
    cr_expect_str_eq(damage.detail, "incorrect checksum");
    cr_expect_eq(damage.offset, c.size - 4, "%llu of %zu", (unsigned long long)damage.offset,
                 c.size);
    c.bytes[c.size - 1] ^= 1;
    add_bytes(&c, "garbage", 7);
    spool(c.bytes, c.size, TT_ZSTD, &damage);
    cr_expect_str_eq(damage.detail, "not zstd data");
    cr_expect_eq(damage.offset, frame);
}

Test(unpack, a_file_that_begins_with_a_skippable_frame_is_zstd)
{
    cr_expect_eq(tt_compression_of(skippable, 4), TT_ZSTD);
    cr_expect_eq(tt_compression_of(skippable, 3), TT_PLAIN);
    cr_expect_eq(tt_compression_of((const uint8_t *)"\x60\x2a\x4d\x18", 4), TT_PLAIN);
}
