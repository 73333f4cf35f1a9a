/* SPDX-License-Identifier: Apache-2.0 */
/* Times at both ends of the 64-bit range, with an origin at either end. */
#include <criterion/criterion.h>

#include "tracetui/event_line.h"

static void expect_time(uint64_t hz, uint64_t origin, uint64_t ticks, const char *expected)
{
    struct tt_capture *c;
    char buffer[64];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    struct tt_status status = tt_capture_new(tt_bytes_of(NULL, 0), &c);
    cr_assert(!tt_failed(&status));
    c->clock_hz = hz;
    tt_line_time(&text, c, tt_relative_ticks(c, ticks, origin));
    cr_expect_str_eq(tt_text_cstr(&text), expected);
    tt_capture_free(c);
}

Test(event_line_time, covers_the_64_bit_range)
{
    expect_time(0, 0, UINT64_MAX, "18446744073709551615");
    expect_time(0, UINT64_MAX, 0, "-18446744073709551615");
    expect_time(1000000000, 0, UINT64_MAX, "18446744073.709551615");
    expect_time(1000000000, UINT64_MAX, 0, "-18446744073.709551615");
    expect_time(1, 0, UINT64_MAX, "18446744073709551615.000000000");
    expect_time(UINT64_MAX, 0, UINT64_MAX, "1.000000000");
    expect_time(24000000, 100, 99, "-0.000000041");
    expect_time(24000000, 100, 100, "0.000000000");
    expect_time(UINT64_MAX, 1, 0, "0.000000000");
}
