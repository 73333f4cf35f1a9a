/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of variable length. */
#include <criterion/criterion.h>

#include "base/section_file.h"
#include "base/varint.h"

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
