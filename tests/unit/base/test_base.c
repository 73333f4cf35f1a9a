/* SPDX-License-Identifier: Apache-2.0 */
/* Time, 128-bit products, bounded reading, hash tables, columns, arenas, statuses. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/column.h"
#include "base/hash.h"
#include "base/u128.h"
#include "tracetui/bytes.h"
#include "tracetui/status.h"
#include "tracetui/time.h"

Test(time, ticks_of_a_24_mhz_clock_are_exact)
{
    int64_t ns;
    cr_expect(tt_ticks_to_ns(8640000000000u, 24000000, &ns));
    cr_expect_eq(ns, 360000000000000);
    cr_expect(tt_ticks_to_ns(UINT64_MAX, UINT64_MAX, &ns));
    cr_expect_eq(ns, 1000000000);
    cr_expect(!tt_ticks_to_ns(1, 0, &ns));
    cr_expect(!tt_ticks_to_ns(UINT64_MAX, 1, &ns));
    cr_expect(tt_ticks_to_ns(INT64_MAX, TT_NS_PER_S, &ns));
    cr_expect_eq(ns, INT64_MAX);
    cr_expect(!tt_ticks_to_ns((uint64_t)INT64_MAX + 1, TT_NS_PER_S, &ns));
    uint64_t ticks;
    cr_expect(tt_ns_to_ticks(360000000000000, 24000000, &ticks));
    cr_expect_eq(ticks, 8640000000000u);
}

Test(time, the_portable_product_equals_the_compilers)
{
    uint64_t s = 1;
    for (int i = 0; i < 100000; i++) {
        uint64_t v[3];
        for (int k = 0; k < 3; k++) {
            s = s * 6364136223846793005u + 1442695040888963407u;
            v[k] = s >> (s >> 58);
        }
        uint64_t fast = 0, slow = 0;
        bool fits = tt_mul_div(v[0], v[1], v[2], &fast);
        bool slow_fits = tt_u128_div(tt_u128_mul(v[0], v[1]), v[2], &slow);
        cr_assert_eq(fits, slow_fits);
        if (fits) {
            cr_assert_eq(fast, slow);
        }
    }
}

static void check_division(uint64_t value, uint64_t by)
{
    struct tt_divider d = tt_divider_of(by);
    cr_assert_eq(tt_divided(value, d), value / by, "%" PRIu64 " / %" PRIu64, value, by);
}

Test(time, a_factor_divides_exactly)
{
    uint64_t s = 1;
    for (int i = 0; i < 100000; i++) {
        s = s * 6364136223846793005u + 1442695040888963407u;
        uint64_t value = s >> (s >> 58);
        s = s * 6364136223846793005u + 1442695040888963407u;
        uint64_t by = (s >> (s >> 58)) | 1;
        check_division(value, by);
        check_division(value - value % by, by);
        check_division(value - value % by - 1, by);
        check_division(value, UINT64_C(1) << (i % 64));
        check_division(UINT64_MAX, by);
    }
    check_division(UINT64_MAX, 1);
    check_division(UINT64_MAX, UINT64_MAX);
    check_division(UINT64_MAX - 1, UINT64_MAX);
    check_division(0, 1);
}

Test(bytes, a_reader_cannot_leave_its_span_and_its_failure_sticks)
{
    const uint8_t data[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    struct tt_reader r = tt_reader_of(tt_bytes_of(data, sizeof data), false);
    cr_expect_eq(tt_read_u8(&r), 1);
    cr_expect_eq(tt_read_u16(&r), 0x0302);
    cr_expect_eq(tt_read_u32(&r), 0x07060504u);
    cr_expect_eq(tt_read_left(&r), 2);
    cr_expect_eq(tt_read_u32(&r), 0);
    cr_expect(r.failed);
    cr_expect_eq(tt_read_u8(&r), 0);
    cr_expect_eq(tt_read_left(&r), 0);
    r = tt_reader_of(tt_bytes_of(data, sizeof data), true);
    cr_expect_eq(tt_read_u64(&r), 0x0102030405060708u);
    tt_read_seek(&r, 10);
    cr_expect(r.failed);
}

Test(bytes, slices_never_wrap)
{
    const uint8_t data[4] = {0};
    struct tt_bytes b = tt_bytes_of(data, 4);
    cr_expect_eq(tt_bytes_slice(b, UINT64_MAX, UINT64_MAX).size, 0);
    cr_expect_eq(tt_bytes_slice(b, 1, UINT64_MAX).size, 3);
    cr_expect(!tt_bytes_has(b, 4, 1));
    cr_expect(tt_bytes_has(b, 4, 0));
    cr_expect(!tt_bytes_has(b, 2, UINT64_MAX - 1));
}

/* Half of a hash is stored: keys that differ in the other half only are found under either. */
Test(hash, the_caller_compares_keys)
{
    struct tt_hash table = {0};
    struct tt_probe probe;
    cr_expect_eq(sizeof *table.slots, 8, "a million threads have several tables");
    cr_assert(tt_hash_add(&table, UINT64_C(0x100000007), 1));
    cr_assert(tt_hash_add(&table, UINT64_C(0x200000007), 2));
    cr_expect_eq(tt_hash_first(&table, UINT64_C(0x200000007), &probe), 1);
    cr_expect_eq(tt_hash_next(&table, &probe), 2);
    cr_expect_eq(tt_hash_next(&table, &probe), TT_HASH_NONE);
    cr_expect_eq(tt_hash_first(&table, UINT64_C(0x200000047), &probe), TT_HASH_NONE, "its place");
    tt_hash_free(&table);
}

Test(hash, finds_every_added_number)
{
    struct tt_hash table = {0};
    enum { COUNT = 5000 };
    for (uint32_t i = 0; i < COUNT; i++) {
        cr_assert(tt_hash_add(&table, tt_hash_of_pair(i / 2, 0), i));
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        struct tt_probe probe;
        bool found = false;
        for (uint32_t n = tt_hash_first(&table, tt_hash_of_pair(i / 2, 0), &probe);
             n != TT_HASH_NONE; n = tt_hash_next(&table, &probe)) {
            cr_assert_eq(n / 2, i / 2);
            found |= n == i;
        }
        cr_assert(found);
    }
    struct tt_probe probe;
    cr_expect_eq(tt_hash_first(&table, tt_hash_of_pair(COUNT, 0), &probe), TT_HASH_NONE);
    tt_hash_free(&table);
}

Test(column, items_keep_their_place)
{
    struct tt_column column;
    tt_column_init(&column, sizeof(uint32_t));
    uint32_t *first = NULL;
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t *item = tt_column_next(&column);
        cr_assert(item);
        *item = i;
        tt_column_publish(&column);
        if (i == 0) {
            first = item;
        }
    }
    cr_expect_eq(tt_column_count(&column), 100000);
    for (uint32_t i = 0; i < 100000; i++) {
        cr_assert_eq(*(uint32_t *)tt_column_at(&column, i), i);
    }
    cr_expect_eq(tt_column_at(&column, 0), first);
    cr_expect_geq(tt_column_memory(&column), 400000);
    tt_column_free(&column);
}

Test(arena, pieces_do_not_overlap)
{
    struct tt_arena arena = {0};
    char *pieces[300];
    for (int i = 0; i < 300; i++) {
        pieces[i] = tt_arena_alloc(&arena, (size_t)i * 7 + 1);
        cr_assert(pieces[i]);
        memset(pieces[i], i, (size_t)i * 7 + 1);
    }
    for (int i = 0; i < 300; i++) {
        for (int k = 0; k < i * 7 + 1; k++) {
            cr_assert_eq((unsigned char)pieces[i][k], i & 255);
        }
    }
    cr_expect_str_eq(tt_arena_text(&arena, "hello!", 5), "hello");
    cr_expect_null(tt_arena_alloc(&arena, SIZE_MAX));
    tt_arena_free(&arena);
}

Test(status, context_goes_in_front)
{
    struct tt_status s = tt_error_at(TT_ERR_FORMAT, 0x1a40, "no %s", "end");
    s = tt_status_context(s, "header");
    cr_expect_str_eq(s.text, "header: no end");
    cr_expect_eq(s.offset, 0x1a40);
    cr_expect_eq(s.code, TT_ERR_FORMAT);
    s = tt_status_context(tt_ok(), "header");
    cr_expect(!tt_failed(&s));
    cr_expect_str_eq(s.text, "");
}
