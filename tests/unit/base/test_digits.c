/* SPDX-License-Identifier: Apache-2.0 */
/* Whole numbers in text. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/digits.h"

Test(base_digits, a_whole_text_is_a_number_or_none)
{
    static const struct {
        const char *text;
        bool is;
        uint64_t value;
    } texts[] = {
        {"0", true, 0},
        {"12", true, 12},
        {"010", true, 10},
        {"0x4f", true, 0x4f},
        {"0XFFFFFFFFFFFFFFFF", true, UINT64_MAX},
        {"18446744073709551615", true, UINT64_MAX},
        {"18446744073709551616", false, 0},
        {"0x10000000000000000", false, 0},
        {"", false, 0},
        {"0x", false, 0},
        {"4f", false, 0},
        {"-1", false, 0},
        {" 1", false, 0},
        {"1 ", false, 0},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        uint64_t value;
        bool is = tt_digits_parse(texts[i].text, strlen(texts[i].text), &value);
        cr_expect_eq(is, texts[i].is, "%s", texts[i].text);
        cr_expect(!is || value == texts[i].value, "%s", texts[i].text);
    }
}

Test(base_digits, a_number_ends_where_its_digits_end)
{
    const char *text = "12ms";
    uint64_t value;
    cr_expect(tt_digits_pass(&text, &value));
    cr_expect_eq(value, 12);
    cr_expect_str_eq(text, "ms");
    cr_expect_not(tt_digits_pass(&text, &value), "no digits");
    cr_expect_str_eq(text, "ms");
    cr_expect_eq(tt_digits_read("fffg", 3, 16, &value), 3);
    cr_expect_eq(value, 0xfff);
    cr_expect_eq(tt_digits_read("18446744073709551616", 20, 10, &value), 0, "too large");
}
