/* SPDX-License-Identifier: Apache-2.0 */
/* Packings of sections: numbers of variable length, arrays without their zero bytes. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/varint.h"
#include "trace/cache/zero_pack.h"

static struct tt_reader reader_of(struct tt_bytes bytes)
{
    struct tt_section section = {.bytes = bytes};
    return tt_section_reader(&section);
}

static const uint64_t numbers[] = {0,
                                   1,
                                   0x7f,
                                   0x80,
                                   0x3fff,
                                   0x4000,
                                   UINT32_MAX,
                                   UINT64_C(1) << 62,
                                   INT64_MAX,
                                   UINT64_MAX,
                                   UINT64_C(1) << 63,
                                   UINT64_MAX - 1};
#define NUMBERS (sizeof numbers / sizeof numbers[0])

Test(section_packings, numbers_of_all_lengths_are_read_back)
{
    struct tt_section_writer *w = tt_section_writer_gathering();
    for (size_t i = 0; i < NUMBERS; i++) {
        tt_varint_put(w, numbers[i]);
        tt_varint_put(w, tt_varint_fold(numbers[i]));
    }
    struct tt_bytes packed = tt_section_gathered(w);
    struct tt_reader r = reader_of(packed);
    for (size_t i = 0; i < NUMBERS; i++) {
        cr_assert_eq(tt_varint_read(&r), numbers[i]);
        cr_assert_eq(tt_varint_unfold(tt_varint_read(&r)), numbers[i]);
    }
    cr_assert(!r.failed && r.pos == packed.size);
    tt_varint_read(&r);
    cr_assert(r.failed);
    cr_assert_eq(tt_varint_fold(UINT64_MAX), 1, "-1 is small");
    tt_section_writer_free(w);
}

Test(section_packings, numbers_of_more_than_64_bits_fail)
{
    static const uint8_t large[] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02};
    static const uint8_t endless[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                      0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
    struct tt_reader r = reader_of(tt_bytes_of(large, sizeof large));
    cr_assert(tt_varint_read(&r) == 0 && r.failed);
    r = reader_of(tt_bytes_of(endless, sizeof endless));
    cr_assert(tt_varint_read(&r) == 0 && r.failed);
    r = reader_of(tt_bytes_of(endless, 3));
    cr_assert(tt_varint_read(&r) == 0 && r.failed);
}

/* Returns the packed bytes, owned by *w. */
static struct tt_bytes packed_of(const uint8_t *bytes, size_t size, struct tt_section_writer **w)
{
    *w = tt_section_writer_gathering();
    tt_zero_pack_put(*w, tt_bytes_of(bytes, size));
    cr_assert(!tt_section_failed(*w));
    return tt_section_gathered(*w);
}

static void check_zero_pack(const uint8_t *bytes, size_t size)
{
    struct tt_section_writer *w;
    struct tt_bytes packed = packed_of(bytes, size, &w);
    uint64_t unpacked = UINT64_MAX;
    uint8_t *again = tt_zero_unpack(packed, &unpacked);
    cr_assert(again && unpacked == size && memcmp(again, bytes, size) == 0);
    cr_assert_leq(packed.size, size + size / 8 + 16);
    free(again);
    /* Each prefix is rejected, and so is each longer array. */
    for (uint64_t cut = 0; cut < packed.size; cut++) {
        uint8_t *copy = malloc((size_t)cut + 1);
        memcpy(copy, packed.data, (size_t)cut);
        again = tt_zero_unpack(tt_bytes_of(copy, cut), &unpacked);
        cr_assert(!again, "%zu bytes, cut at %zu", size, (size_t)cut);
        free(copy);
    }
    uint8_t *longer = calloc(1, (size_t)packed.size + 1);
    memcpy(longer, packed.data, (size_t)packed.size);
    cr_assert(!tt_zero_unpack(tt_bytes_of(longer, packed.size + 1), &unpacked));
    free(longer);
    tt_section_writer_free(w);
}

Test(section_packings, arrays_with_and_without_zeros_are_read_back)
{
    uint8_t zeros[35] = {0}, full[35], mixed[35];
    memset(full, 0xff, sizeof full);
    for (size_t i = 0; i < sizeof mixed; i++) {
        mixed[i] = i % 3 == 0 ? (uint8_t)(i + 1) : 0;
    }
    for (size_t size = 0; size <= sizeof mixed; size++) {
        check_zero_pack(zeros, size);
        check_zero_pack(full, size);
        check_zero_pack(mixed, size);
    }
}

Test(section_packings, an_excessive_size_needs_no_memory)
{
    uint8_t packed[16] = {0};
    uint64_t size = UINT64_MAX - 3, unpacked;
    memcpy(packed, &size, sizeof size);
    cr_assert(!tt_zero_unpack(tt_bytes_of(packed, sizeof packed), &unpacked));
    size = 8 * 8 + 1; /* eight masks follow, nine would be needed */
    memcpy(packed, &size, sizeof size);
    cr_assert(!tt_zero_unpack(tt_bytes_of(packed, sizeof packed), &unpacked));
}
