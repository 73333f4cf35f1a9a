/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>

#include "format/record_set.h"

Test(record_set, records_come_in_the_order_of_the_file)
{
    static const uint64_t added[] = {116, 100, 100 + UINT64_C(16) * 200000, 132, 116};
    static const uint64_t expected[] = {100, 116, 132, 100 + UINT64_C(16) * 200000};
    struct tt_record_set set;
    tt_record_set_make(&set, 100, 16);
    for (size_t i = 0; i < sizeof added / sizeof added[0]; i++) {
        cr_assert(tt_record_set_add(&set, added[i]));
    }
    cr_expect_eq(set.count, 4);
    uint64_t at = 0;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++, at++) {
        cr_assert(tt_record_set_next(&set, &at));
        cr_expect_eq(at, expected[i]);
    }
    cr_expect_not(tt_record_set_next(&set, &at));
    tt_record_set_free(&set);
}

Test(record_set, offsets_between_units_are_no_records)
{
    struct tt_record_set set;
    uint64_t at = 0;
    tt_record_set_make(&set, 100, 16);
    cr_expect(tt_record_set_add(&set, 99));
    cr_expect(tt_record_set_add(&set, 101));
    cr_expect_not(tt_record_set_next(&set, &at));
    cr_expect(tt_record_set_add(&set, 116));
    cr_expect(tt_record_set_has(&set, 116));
    cr_expect_not(tt_record_set_has(&set, 100));
    cr_expect_not(tt_record_set_has(&set, 117));
    cr_expect_not(tt_record_set_has(&set, 100 + UINT64_C(16) * 100000));
    tt_record_set_free(&set);
    cr_expect_eq(set.count, 0);
}
