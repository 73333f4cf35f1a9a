/* SPDX-License-Identifier: Apache-2.0 */
/* Durations have four digits and the unit that suits them; columns one unit for all. */
#include <criterion/criterion.h>

#include "base/text_units.h"

Test(text_units, durations_have_four_digits)
{
    static const struct {
        uint64_t ns;
        const char *shown;
    } cases[] = {
        {0, "0 ns"},
        {999, "999 ns"},
        {1000, "1.000 µs"},
        {21456, "21.45 µs"},
        {999999, "999.9 µs"},
        {1950938, "1.950 ms"},
        {UINT64_C(61339725000), "61.33 s"},
        {UINT64_C(86400000000000), "86400 s"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buffer[40];
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        tt_text_duration(&text, cases[i].ns, TT_MICROSECONDS);
        cr_expect_str_eq(tt_text_cstr(&text), cases[i].shown);
    }
}

Test(text_units, a_column_has_the_unit_of_its_largest_value)
{
    const uint64_t ms = 1000000, s = 1000 * ms;
    cr_expect_eq(tt_time_unit_of(0, true), TT_TIME_MS);
    cr_expect_eq(tt_time_unit_of(ms - 1, true), TT_TIME_US);
    cr_expect_eq(tt_time_unit_of(10 * s - 1, true), TT_TIME_MS);
    cr_expect_eq(tt_time_unit_of(10 * s, true), TT_TIME_S);
    cr_expect_eq(tt_time_unit_of(0, false), TT_TIME_US);
    cr_expect_eq(tt_time_unit_of(100 * ms - 1, false), TT_TIME_US);
    cr_expect_eq(tt_time_unit_of(100 * ms, false), TT_TIME_MS);
    cr_expect_eq(tt_time_unit_of(10 * s, false), TT_TIME_S);
}

Test(text_units, ascii_from_a_place_on)
{
    char buffer[80];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, "1 µs, 2 µs, µs 3 µ");
    tt_text_ascii_units(&text, 2);
    cr_expect_str_eq(tt_text_cstr(&text), "1 µs, 2 us, us 3 µ");
}
