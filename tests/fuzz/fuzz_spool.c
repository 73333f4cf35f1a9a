/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a compressed file: the output stays within its limit; without output there is an
 * error message; damage is found at the same place as by a decoder that has the whole file in
 * memory, after the same bytes. An input that begins with 2 to 5 is content: it is repeated up to
 * 400 KB, packed into several members or frames, and then damaged as its next bytes define, so that
 * large containers are tested too.
 */
#include <sys/mman.h>
#include <sys/stat.h>

#include "../unit/kit/container_oracle.h"
#include "fuzz.h"
#include "input/spool.h"

#define LIMIT (1u << 20)

static void agree(const uint8_t *data, size_t size, enum tt_compression compression, int out,
                  size_t length, const struct tt_damage *damage)
{
    static uint8_t room[LIMIT + 1];
    struct oracle oracle = {.out = room, .capacity = sizeof room};
    if (compression == TT_GZIP) {
        oracle_gzip(&oracle, data, size);
    } else {
        oracle_zstd(&oracle, data, size);
    }
    if (oracle.full) {
        return;
    }
    require(oracle.sound == (damage->detail == NULL));
    require(damage->offset <= size);
    require(oracle.sound ? length == oracle.whole : length >= oracle.whole);
    if (length > 0) {
        const uint8_t *bytes = mmap(NULL, length, PROT_READ, MAP_SHARED, out, 0);
        require(bytes != MAP_FAILED && memcmp(bytes, room, oracle.whole) == 0);
        munmap((void *)(uintptr_t)bytes, length);
    }
}

static void unpack(int fd, const uint8_t *data, enum tt_compression compression, size_t size)
{
    const struct tt_source source = tt_source_of_fd(dup(fd), false);
    const struct tt_spool_enough all = {.bytes = UINT64_MAX};
    struct tt_spool *spool = NULL;
    require(lseek(fd, 0, SEEK_SET) == 0);
    struct tt_status status = tt_spool_start(&source, LIMIT, &spool);
    require(!tt_failed(&status));
    tt_spool_wait(spool, &all, UINT64_MAX, NULL, NULL);
    const struct tt_arrival arrival = tt_spool_arrival(spool);
    const struct tt_damage damage = {arrival.damage, arrival.damage_at};
    const int out = tt_spool_fd(spool);
    status = arrival.status;
    require(arrival.over);
    if (tt_failed(&status)) {
        require(status.text[0] != '\0');
        if (compression != TT_PLAIN && damage.detail) {
            agree(data, size, compression, -1, 0, &damage);
        }
        tt_spool_release(spool);
        return;
    }
    struct stat info;
    require(fstat(out, &info) == 0 && info.st_size <= (off_t)LIMIT);
    require(compression != TT_PLAIN || (info.st_size == (off_t)size && !damage.detail));
    if (compression != TT_PLAIN) {
        agree(data, size, compression, out, (size_t)info.st_size, &damage);
    }
    tt_spool_release(spool);
}

static void try(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = fuzz_file(data, size, path);
    unpack(fd, data, tt_compression_of(data, size), size);
    close(fd);
}

/* Packs `length` bytes; returns the number of bytes written to `out`. */
static size_t pack(bool zstd, const uint8_t *bytes, size_t length, uint8_t *out, size_t capacity)
{
    if (zstd) {
        ZSTD_CCtx *context = ZSTD_createCCtx();
        require(context != NULL);
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, length % 2 ? 1 : 0);
        size_t size = ZSTD_compress2(context, out, capacity, bytes, length);
        require(!ZSTD_isError(size));
        ZSTD_freeCCtx(context);
        return size;
    }
    z_stream z = {.next_in = (uint8_t *)(uintptr_t)bytes,
                  .avail_in = (unsigned)length,
                  .next_out = out,
                  .avail_out = (unsigned)capacity};
    require(deflateInit2(&z, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    require(deflate(&z, Z_FINISH) == Z_STREAM_END);
    size_t size = z.total_out;
    deflateEnd(&z);
    return size;
}

#define LARGE 400000u

/* data: kind, where (2 bytes), change, count of members, content */
static void try_large(const uint8_t *data, size_t size)
{
    static uint8_t plain[LARGE], packed[LARGE * 2];
    size_t used = 0, members = data[4] % 4 + 1u;
    for (size_t i = 0; i < sizeof plain; i++) { /* repeated with small differences */
        plain[i] = (uint8_t)(data[5 + i % (size - 5)] + (i * i >> 12));
    }
    for (size_t i = 0; i < members; i++) {
        used += pack(data[0] & 1, plain, sizeof plain / members - i, packed + used,
                     sizeof packed - used);
    }
    size_t where = (size_t)((data[1] | (unsigned)data[2] << 8) / 65536.0 * (double)used);
    if (data[0] < 4) {
        packed[where] ^= data[3];
    } else {
        used = where;
    }
    try(packed, used);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t magic[2][4] = {{0x1f, 0x8b, 8, 0}, {0x28, 0xb5, 0x2f, 0xfd}};
    if (size > 5 && data[0] >= 2 && data[0] < 6) {
        try_large(data, size);
        return 0;
    }
    uint8_t *copy = fuzz_copy(data, size, 0);
    if (size >= 5 && copy[0] < 2) { /* begin it like a compressed file */
        memcpy(copy, magic[copy[0]], copy[0] ? 4 : 3);
    }
    try(copy, size);
    free(copy);
    return 0;
}
