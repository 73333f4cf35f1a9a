/* SPDX-License-Identifier: Apache-2.0 */
/* Answers and mouse reports of the terminal. */
#include <criterion/criterion.h>
#include <string.h>

#include "tui/term/reply.h"

/* Reads a sequence after its Esc; it must end at its last character and not before. */
static struct tt_reply read_reply(const char *text)
{
    struct tt_reply_reader reader;
    size_t length = strlen(text);
    cr_assert(tt_reply_begins((unsigned char)text[0], true), "%s", text);
    tt_reply_begin(&reader, (unsigned char)text[0]);
    for (size_t i = 1; i < length; i++) {
        bool ends = tt_reply_add(&reader, (unsigned char)text[i]);
        cr_assert_eq(ends, i + 1 == length, "%s at %zu", text, i);
    }
    return tt_reply_parse(&reader);
}

Test(tui_reply, answers_are_recognized)
{
    cr_assert_eq(read_reply("[0n").kind, TT_REPLY_STATUS);
    cr_assert_eq(read_reply("[3n").kind, TT_REPLY_STATUS);
    cr_assert_eq(read_reply("[?62;22c").kind, TT_REPLY_ATTRIBUTES);
    struct tt_reply mode = read_reply("[?2026;2$y");
    cr_assert_eq(mode.kind, TT_REPLY_MODE);
    cr_assert_eq(mode.mode, 2026);
    cr_assert_eq(mode.state, 2);
    cr_assert_eq(read_reply("[2;30R").kind, TT_REPLY_OTHER,
                 "the cursor's position is not asked for");
}

Test(tui_reply, a_background_has_one_to_four_digits_a_channel)
{
    const char *const same[] = {"]11;rgb:ffff/8080/0000\033\\", "]11;rgb:ff/80/00\007",
                                "]11;rgba:FFFF/8080/0000/ffff\007"};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        struct tt_reply reply = read_reply(same[i]);
        cr_assert_eq(reply.kind, TT_REPLY_BACKGROUND, "%s", same[i]);
        cr_assert_eq(reply.red, 0xffff);
        cr_assert_eq(reply.green, 0x8080);
        cr_assert_eq(reply.blue, 0);
    }
    cr_assert_eq(read_reply("]11;rgb:f/0/8\007").red, 0xffff);
}

Test(tui_reply, a_mouse_report_has_a_button_and_a_place)
{
    struct tt_reply press = read_reply("[<16;10;5M");
    cr_assert_eq(press.kind, TT_REPLY_MOUSE);
    cr_assert_eq(press.button, 16);
    cr_assert_eq(press.x, 9);
    cr_assert_eq(press.y, 4);
    cr_assert_not(press.release);
    cr_assert(read_reply("[<0;1;1m").release);
    struct tt_reply old = read_reply("[M\x61\x2a\x2b");
    cr_assert_eq(old.kind, TT_REPLY_MOUSE);
    cr_assert_eq(old.button, 65);
    cr_assert_eq(old.x, 9);
    cr_assert_eq(old.y, 10);
    cr_assert(read_reply("[M#!!").release);
}

Test(tui_reply, other_sequences_mean_nothing)
{
    const char *const others[] = {"[I",
                                  "[5n",
                                  "[n",
                                  "[00n",
                                  "[R",
                                  "[2R",
                                  "[0;3R",
                                  "[2;3;4R",
                                  "[c",
                                  "[?2026y",
                                  "[?2026;$y",
                                  "[<1;2M",
                                  "[<1;0;1M",
                                  "[<;1;1M",
                                  "[<1;1;1x",
                                  "OP",
                                  "[M !\x1f",
                                  "[1;5A",
                                  "]11;?\007",
                                  "]10;rgb:f/f/f\007",
                                  "]11;rgb:f/f\007",
                                  "]11;rgb:f/f/f;\007",
                                  "]11;rgb:12345/0/0\007",
                                  "]11;rgb:/0/0\007",
                                  "]11;rgb:g/0/0\007"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        cr_assert_eq(read_reply(others[i]).kind, TT_REPLY_OTHER, "%s", others[i]);
    }
    cr_assert_not(tt_reply_begins(']', false));
    cr_assert_not(tt_reply_begins('x', true));
}

Test(tui_reply, a_long_sequence_is_dropped)
{
    struct tt_reply_reader reader;
    tt_reply_begin(&reader, '[');
    for (int i = 0; i < 1000; i++) {
        cr_assert_not(tt_reply_add(&reader, '0'));
    }
    cr_assert(tt_reply_add(&reader, 'n'));
    cr_assert_eq(tt_reply_parse(&reader).kind, TT_REPLY_OTHER);
    tt_reply_begin(&reader, '[');
    cr_assert_eq(tt_reply_parse(&reader).kind, TT_REPLY_OTHER, "nothing");
}
