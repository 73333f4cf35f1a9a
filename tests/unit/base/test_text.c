/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracetui/text.h"

static char buffer[512];

static struct tt_text fresh(void)
{
    return tt_text_of(buffer, sizeof buffer);
}

#define CHECK(expect, call)                                                                        \
    do {                                                                                           \
        struct tt_text t = fresh();                                                                \
        call;                                                                                      \
        cr_expect_str_eq(tt_text_cstr(&t), expect);                                                \
        cr_expect(!t.truncated);                                                                   \
    } while (0)

Test(text, reserved_characters_of_markup_become_references)
{
    CHECK("&amp;", cr_expect(tt_text_reference(&t, '&')));
    CHECK("&lt;", cr_expect(tt_text_reference(&t, '<')));
    CHECK("&gt;", cr_expect(tt_text_reference(&t, '>')));
    CHECK("&quot;", cr_expect(tt_text_reference(&t, '"')));
    CHECK("&#39;", cr_expect(tt_text_reference(&t, '\'')));
    CHECK("", cr_expect_not(tt_text_reference(&t, 'a')));
    CHECK("", cr_expect_not(tt_text_reference(&t, 0x126))); /* '&' in its low byte */
}

Test(text, numbers_equal_printf)
{
    CHECK("0", tt_text_u64(&t, 0));
    CHECK("18446744073709551615", tt_text_u64(&t, UINT64_MAX));
    CHECK("-9223372036854775808", tt_text_i64(&t, INT64_MIN));
    CHECK("9223372036854775807", tt_text_i64(&t, INT64_MAX));
    CHECK("0042", tt_text_u64_width(&t, 42, 4, '0'));
    CHECK("  42", tt_text_u64_width(&t, 42, 4, ' '));
    CHECK("12345", tt_text_u64_width(&t, 12345, 4, ' '));
    CHECK("0", tt_text_hex(&t, 0, 0));
    CHECK("00000000", tt_text_hex(&t, 0, 8));
    CHECK("ffffffffffffffff", tt_text_hex(&t, UINT64_MAX, 1));
    CHECK("4f", tt_text_hex(&t, 0x4f, 1));
    CHECK("3,104,221", tt_text_grouped(&t, 3104221));
    CHECK("999", tt_text_grouped(&t, 999));
    CHECK("1,000", tt_text_grouped(&t, 1000));
}

Test(text, values_by_a_format)
{
    CHECK("3 of 4", tt_text_put(&t, "%u of %zu", 3, (size_t)4));
    CHECK("18446744073709551615 %", tt_text_put(&t, "%ju %%", UINT64_MAX));
    CHECK("3,104,221 rows", tt_text_put(&t, "%'ju%s", (uint64_t)3104221, " rows"));
    CHECK("-7 -9223372036854775808", tt_text_put(&t, "%d %jd", -7, INT64_MIN));
    CHECK("07:005 0x1f", tt_text_put(&t, "%02d:%03u 0x%x", 7, 5u, 31u));
    CHECK("|ab   |   ab|", tt_text_put(&t, "|%-5s|%5s|", "ab", "ab"));
    CHECK("| \xc2\xb5s|", tt_text_put(&t, "|%*s|", 3, "\xc2\xb5s")); /* a width is of columns */
    CHECK("abc", tt_text_put(&t, "%.*s%c", 2, "abx", 'c'));
    CHECK("a name wider than its column",
          tt_text_put(&t, "a %2s wider than its %2s", "name", "column"));
}

Test(text, values_by_a_format_drive_no_terminal)
{
    CHECK("a\\e[2Jb \\\\n", tt_text_put(&t, "a%s %s", "\033[2Jb", "\\\\n"));
    char name[400];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    struct tt_text t = fresh();
    tt_text_put(&t, "%1s|", name); /* also if it is longer than the width */
    cr_expect_eq(t.used, sizeof name);
}

Test(text, doubles_read_back)
{
    const double values[] = {0, 1, -1.5, 0.1, 1e300, DBL_MIN, DBL_MAX, 1.0 / 3, 123456789.125};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct tt_text t = fresh();
        tt_text_double(&t, values[i]);
        cr_expect_eq(strtod(tt_text_cstr(&t), NULL), values[i]);
    }
    CHECK("nan", tt_text_double(&t, NAN));
    CHECK("-inf", tt_text_double(&t, -INFINITY));
    CHECK("0.1", tt_text_double(&t, 0.1));
}

Test(text, padding_goes_to_a_column)
{
    CHECK("ab   c", tt_text_str(&t, "ab"); tt_text_pad_to(&t, 0, 5, 1); tt_text_char(&t, 'c'));
    CHECK("abcdef c", tt_text_str(&t, "abcdef"); tt_text_pad_to(&t, 0, 5, 1);
          tt_text_char(&t, 'c'));
}

Test(text, nothing_is_written_beyond_the_buffer)
{
    char small[8];
    memset(small, 'x', sizeof small);
    struct tt_text t = tt_text_of(small, 4);
    tt_text_str(&t, "abcdefgh");
    tt_text_u64(&t, 12345);
    tt_text_fill(&t, ' ', 100);
    tt_text_escaped(&t, "\x1b[2J", 4);
    tt_text_json(&t, "\"", 1);
    cr_expect(t.truncated);
    cr_expect_eq(t.used, 4);
    cr_expect_str_eq(tt_text_cstr(&t), "abc");
    cr_expect_eq(memcmp(small + 4, "xxxx", 4), 0);
}

Test(text, an_empty_buffer_is_an_empty_string)
{
    struct tt_text t = tt_text_of(NULL, 0);
    tt_text_str(&t, "a");
    tt_text_fill(&t, 'a', 3);
    cr_expect_str_eq(tt_text_cstr(&t), "");
}

struct escape_case {
    const char *bytes;
    size_t length;
    const char *escaped;
    const char *json;
};

Test(text, escaping)
{
    static const struct escape_case cases[] = {
        {"plain text", 10, "plain text", "\"plain text\""},
        {"a\nb\tc\r", 6, "a\\nb\\tc\\r", "\"a\\nb\\tc\\u000d\""},
        {"\x1b[2J", 4, "\\e[2J", "\"\\u001b[2J\""},
        {"\0", 1, "\\0", "\"\\u0000\""},
        {"\x7f", 1, "\\x7f", "\"\\u007f\""},
        {"back\\slash \"q\"", 14, "back\\\\slash \"q\"", "\"back\\\\slash \\\"q\\\"\""},
        {"gr\xc3\xbc\xc3\x9f", 6, "gr\xc3\xbc\xc3\x9f", "\"gr\xc3\xbc\xc3\x9f\""},
        /* C1 control in UTF-8, right-to-left override, line separator, BOM, tag */
        {"\xc2\x9b", 2, "\\xc2\\x9b", "\"\\u009b\""},
        {"\xe2\x80\xae", 3, "\\xe2\\x80\\xae", "\"\\u202e\""},
        {"\xe2\x80\xa8", 3, "\\xe2\\x80\\xa8", "\"\\u2028\""},
        {"\xef\xbb\xbf", 3, "\\xef\\xbb\\xbf", "\"\\ufeff\""},
        {"\xf3\xa0\x81\x81", 4, "\\xf3\\xa0\\x81\\x81", "\"\\udb40\\udc41\""},
        /* invalid: lone continuation, overlong, surrogate, truncated, too large */
        {"\x9b", 1, "\\x9b", "\"\xef\xbf\xbd\""},
        {"\xc0\xaf", 2, "\\xc0\\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xed\xa0\x80", 3, "\\xed\\xa0\\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xe2\x82", 2, "\\xe2\\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80",
         "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""},
        {"\xf0\x9f\x98\x80", 4, "\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(cases[i].escaped, tt_text_escaped(&t, cases[i].bytes, cases[i].length));
        CHECK(cases[i].json, tt_text_json(&t, cases[i].bytes, cases[i].length));
    }
}

Test(text, no_byte_sequence_drives_a_terminal)
{
    uint32_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        char in[12];
        for (size_t i = 0; i < sizeof in; i++) {
            seed = seed * 1664525u + 1013904223u;
            in[i] = (char)(seed >> 24);
        }
        struct tt_text t = fresh();
        tt_text_escaped(&t, in, sizeof in);
        for (size_t i = 0; i < t.used;) {
            uint32_t c = 0;
            unsigned n = tt_utf8_decode(t.buffer + i, t.used - i, &c);
            cr_assert_gt(n, 0);
            cr_assert(c >= 0x20 && c != 0x7f && !(c >= 0x80 && c < 0xa0));
            i += n;
        }
    }
}

Test(text, printable_keeps_backslashes_and_is_stable)
{
    static const char in[] = "a\\b \x1b[31m \xc2\x9b \xe2\x80\xae \xff \xc3\xa9";
    static const char expected[] = "a\\b \\e[31m \\xc2\\x9b \\xe2\\x80\\xae \\xff \xc3\xa9";
    char once[128], twice[128];
    struct tt_text t = tt_text_of(once, sizeof once);
    tt_text_printable(&t, in, sizeof in - 1);
    cr_expect_str_eq(tt_text_cstr(&t), expected);
    struct tt_text u = tt_text_of(twice, sizeof twice);
    tt_text_printable(&u, once, t.used);
    cr_expect_str_eq(tt_text_cstr(&u), expected);
}
