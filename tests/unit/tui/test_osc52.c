/* SPDX-License-Identifier: Apache-2.0 */
/* The clipboard's sequence, plain and through multiplexers. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tui/term/osc52.h"

static void is(enum tt_osc52_way way, const char *text, const char *expected)
{
    size_t length = strlen(text);
    char *out = malloc(TT_CLIPBOARD_BYTES(length));
    size_t written = tt_osc52_write(way, text, length, out);
    cr_assert_eq(written, strlen(expected));
    cr_assert_arr_eq(out, expected, written);
    free(out);
}

Test(tui_clipboard, base64_of_every_length)
{
    is(TT_CLIPBOARD_PLAIN, "", "\033]52;c;\a");
    is(TT_CLIPBOARD_PLAIN, "a", "\033]52;c;YQ==\a");
    is(TT_CLIPBOARD_PLAIN, "ab", "\033]52;c;YWI=\a");
    is(TT_CLIPBOARD_PLAIN, "abc", "\033]52;c;YWJj\a");
    is(TT_CLIPBOARD_PLAIN, "\xff\xfe~", "\033]52;c;//5+\a");
}

Test(tui_clipboard, tmux_gets_every_esc_doubled)
{
    is(TT_CLIPBOARD_TMUX, "ab", "\033]52;c;YWI=\a\033Ptmux;\033\033]52;c;YWI=\a\033\\");
}

Test(tui_clipboard, screen_gets_pieces_of_its_maximum_size)
{
    char text[3000], all[8192], *joined = all;
    memset(text, 'x', sizeof text);
    char *out = malloc(TT_CLIPBOARD_BYTES(sizeof text));
    char *plain = malloc(TT_CLIPBOARD_BYTES(sizeof text));
    size_t length = tt_osc52_write(TT_CLIPBOARD_SCREEN, text, sizeof text, out);
    size_t expected = tt_osc52_write(TT_CLIPBOARD_PLAIN, text, sizeof text, plain);
    cr_assert_leq(length, TT_CLIPBOARD_BYTES(sizeof text));
    cr_assert_arr_eq(out, plain, expected);
    /* The strings that screen extracts form the sequence again. */
    for (size_t at = expected; at < length;) {
        cr_assert(at + 2 <= length && memcmp(out + at, "\033P", 2) == 0, "at %zu", at);
        size_t end = at + 2;
        while (end + 1 < length && memcmp(out + end, "\033\\", 2) != 0) {
            *joined++ = out[end++];
        }
        cr_assert_leq(end - at, 250);
        at = end + 2;
    }
    cr_assert_eq((size_t)(joined - all), expected);
    cr_assert_arr_eq(all, plain, expected);
    free(out);
    free(plain);
}
