/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of texts: wide and combining characters, invalid bytes; lines are cut to their columns. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/text_columns.h"
#include "trace/line_parts.h"

static size_t columns(const char *text)
{
    return tt_text_columns(text, strlen(text));
}

Test(text_columns, of_characters)
{
    cr_assert_eq(columns(""), 0);
    cr_assert_eq(columns("abc"), 3);
    cr_assert_eq(columns("gr\xc3\xb6\xc3\x9f"
                         "e"),
                 5);
    cr_assert_eq(columns("\xe7\x95\x8c"), 2);     /* U+754C */
    cr_assert_eq(columns("\xed\x95\x9c!"), 3);    /* U+D55C */
    cr_assert_eq(columns("\xef\xbc\xa1"), 2);     /* U+FF21, full width */
    cr_assert_eq(columns("\xf0\x9f\x9a\x97"), 2); /* U+1F697 */
    cr_assert_eq(columns("e\xcc\x81"), 1);        /* combining acute */
    cr_assert_eq(columns("\xff\xfe"), 2);         /* no UTF-8 */
}

Test(text_columns, what_fits)
{
    cr_assert_eq(tt_text_fitting("abc", 3, 2), 2);
    cr_assert_eq(tt_text_fitting("a\xe7\x95\x8c", 4, 2), 1, "half a character does not fit");
    cr_assert_eq(tt_text_fitting("a\xe7\x95\x8c", 4, 3), 4);
    cr_assert_eq(tt_text_fitting("e\xcc\x81x", 4, 1), 3, "a combining character stays");
}

Test(text_columns, a_line_of_wide_characters_is_cut_to_its_columns)
{
    char buffer[200];
    for (size_t width = 2; width < 24; width++) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);
        for (unsigned i = 0; i < 10; i++) {
            tt_text_str(&text, "\xe7\x95\x8c");
        }
        tt_line_cut(&text, 0, width);
        cr_assert_leq(tt_text_columns(text.buffer, text.used), width);
        cr_assert(width >= 20 || memcmp(text.buffer + text.used - 2, "..", 2) == 0);
    }
}
