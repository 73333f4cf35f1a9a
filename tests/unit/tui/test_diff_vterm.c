/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The screen differ against libvterm, a terminal that this project did not write: after each frame
 * the terminal shows the frame.
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <vterm.h>

#include "diff_frames.h"

/* The features of libvterm; it has no REP, which is therefore expanded. */
#define VTERM_CAN                                                                                  \
    (TT_DIFF_CAN_UNDO | TT_DIFF_CAN_ERASE | TT_DIFF_CAN_SCROLL | TT_DIFF_CAN_FILL |                \
     TT_DIFF_CAN_SHIFT)

static bool same_color(VTermColor is, int16_t want, bool is_default)
{
    return want == TT_COLOR_DEFAULT ? is_default
                                    : VTERM_COLOR_IS_INDEXED(&is) && is.indexed.idx == want;
}

static void check_cell(VTermScreen *screen, const struct tt_diff *s, int x, int y)
{
    const struct tt_diff_cell *want = &s->wanted[y * WIDTH + x];
    VTermScreenCell is;
    cr_assert(vterm_screen_get_cell(screen, (VTermPos){.row = y, .col = x}, &is));
    if (want->ch == 0) { /* the right half of a wide character */
        cr_assert_eq(is.chars[0], UINT32_MAX, "column %d of row %d", x, y);
        return;
    }
    uint32_t ch = is.chars[0] == 0 ? ' ' : is.chars[0];
    cr_assert_eq(ch, want->ch, "column %d of row %d: %x, not %x", x, y, ch, want->ch);
    cr_assert_eq(is.chars[0] ? is.chars[1] : 0, want->mark, "mark in column %d of row %d", x, y);
    unsigned attrs = want->style.attrs;
    cr_assert(same_color(is.bg, want->style.bg, VTERM_COLOR_IS_DEFAULT_BG(&is.bg)),
              "background in column %d of row %d", x, y);
    cr_assert_eq(is.attrs.reverse != 0, (attrs & TT_ATTR_REVERSE) != 0, "column %d of row %d", x,
                 y);
    cr_assert_eq(is.attrs.underline != 0, (attrs & TT_ATTR_UNDERLINE) != 0, "column %d of row %d",
                 x, y);
    /* The foreground of a blank is not visible. libvterm has no dim attribute. */
    if (ch != ' ') {
        cr_assert(same_color(is.fg, want->style.fg, VTERM_COLOR_IS_DEFAULT_FG(&is.fg)),
                  "foreground in column %d of row %d", x, y);
        cr_assert_eq(is.attrs.bold != 0, (attrs & TT_ATTR_BOLD) != 0, "column %d of row %d", x, y);
        cr_assert_eq(is.attrs.italic != 0, (attrs & TT_ATTR_ITALIC) != 0, "column %d of row %d", x,
                     y);
    }
}

static void check_frame(VTerm *vterm, const struct tt_diff *s)
{
    VTermScreen *screen = vterm_obtain_screen(vterm);
    vterm_screen_flush_damage(screen);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        check_cell(screen, s, i % WIDTH, i / WIDTH);
    }
    VTermPos at;
    vterm_state_get_cursorpos(vterm_obtain_state(vterm), &at);
    cr_assert(at.row == HEIGHT - 1 && at.col == 0);
}

/* Returns the length of the sequence or character at the start of a text. */
static size_t length_of(const char *text, size_t left)
{
    size_t length = 1;
    if (text[0] == '\033' && left > 1 && text[1] == '[') {
        for (length = 2; length < left && (text[length] < '@' || text[length] > '~');) {
            length++;
        }
        return length + 1;
    }
    while (length < left && ((unsigned char)text[length] & 0xc0) == 0x80) {
        length++;
    }
    return length;
}

/* Writes the bytes to the terminal; instead of a REP the character before it, as often. */
static void write_expanded(VTerm *vterm, const char *bytes, size_t size)
{
    static char expanded[1 << 16];
    struct tt_text out = tt_text_of(expanded, sizeof expanded);
    const char *last = NULL; /* the last character */
    size_t last_length = 0, length;
    for (size_t i = 0; i < size; i += length) {
        length = length_of(bytes + i, size - i);
        if (length > 2 && bytes[i] == '\033' && bytes[i + length - 1] == 'b') {
            int count = length == 3 ? 1 : atoi(bytes + i + 2);
            cr_assert_not_null(last, "REP after something else than a character");
            while (count-- > 0) {
                tt_text_bytes(&out, last, last_length);
            }
            last = NULL;
            continue;
        }
        last = (unsigned char)bytes[i] >= ' ' ? bytes + i : NULL;
        last_length = length;
        tt_text_bytes(&out, bytes + i, length);
    }
    cr_assert(!out.truncated);
    vterm_input_write(vterm, expanded, out.used);
}

/* Sends rows [0, rows) of the next frame, and the rest if `whole`. */
static void send_frame(VTerm *vterm, struct tt_diff *s, int rows)
{
    tt_diff_scroll(s);
    for (int y = 0; y < rows; y++) {
        tt_diff_row(s, y);
    }
    tt_diff_rest(s, 0, HEIGHT - 1);
    cr_assert(!s->out.truncated);
    write_expanded(vterm, s->out.buffer, s->out.used);
    s->out.used = 0;
}

/* Changes a few rows to lanes: narrow characters, the styles of which alternate. */
static void change_lanes(struct tt_diff *s)
{
    static const uint32_t characters[] = {0x2593, 0x2593, 0x2593, 0x2022, 0x2581, 'i', ' '};
    for (int rows = 1 + dice(3); rows > 0; rows--) {
        int y = dice(HEIGHT), colors = 1 + dice(20), first = dice(WIDTH);
        for (int x = dice(4) ? first : 0; x < WIDTH; x++) {
            struct tt_cell_style style = {(int16_t)dice(colors), TT_COLOR_DEFAULT, 0};
            style.bg = dice(8) ? TT_COLOR_DEFAULT : 3;
            style.attrs = dice(8) ? 0 : TT_ATTR_REVERSE;
            if (dice(8)) {
                tt_diff_put(s, x, y, (struct tt_diff_cell){characters[dice(7)], 0, style});
            }
        }
    }
}

/* Returns an empty terminal in UTF-8. */
static VTerm *open_vterm(void)
{
    VTerm *vterm = vterm_new(HEIGHT, WIDTH);
    cr_assert_not_null(vterm);
    vterm_set_utf8(vterm, 1);
    vterm_screen_reset(vterm_obtain_screen(vterm), 1);
    return vterm;
}

static void frames_are_shown(unsigned can, bool interrupted)
{
    VTerm *vterm = open_vterm();
    struct tt_diff s = {.can = can};
    cr_assert(tt_diff_resize(&s, WIDTH, HEIGHT));
    for (int i = 0; i < 500; i++) {
        change_frame(&s);
        if (interrupted) {
            send_frame(vterm, &s, dice(HEIGHT));
            change_frame(&s);
        }
        send_frame(vterm, &s, HEIGHT);
        check_frame(vterm, &s);
    }
    tt_diff_free(&s);
    vterm_free(vterm);
}

Test(diff_vterm, the_terminal_shows_every_frame)
{
    for (unsigned can = 0; can < 64; can++) {
        if ((can & ~(unsigned)VTERM_CAN) == 0 && can & TT_DIFF_CAN_FILL) {
            frames_are_shown(can, false);
        }
    }
}

Test(diff_vterm, an_interrupted_frame_is_continued)
{
    frames_are_shown(VTERM_CAN, true);
}

static void lanes_are_shown(unsigned can)
{
    VTerm *vterm = open_vterm();
    struct tt_diff s = {.can = can};
    cr_assert(tt_diff_resize(&s, WIDTH, HEIGHT));
    for (int i = 0; i < 1000; i++) {
        change_lanes(&s);
        send_frame(vterm, &s, HEIGHT);
        check_frame(vterm, &s);
    }
    tt_diff_free(&s);
    vterm_free(vterm);
}

Test(diff_vterm, lanes_of_many_styles_are_shown)
{
    const unsigned all = VTERM_CAN | TT_DIFF_CAN_REPEAT | TT_DIFF_CAN_REPEAT_ALL;
    lanes_are_shown(VTERM_CAN);
    lanes_are_shown(all);
    lanes_are_shown(all | TT_DIFF_CAN_NARROW);
}

Test(diff_vterm, repeated_characters_are_shown)
{
    const unsigned all = VTERM_CAN | TT_DIFF_CAN_REPEAT;
    frames_are_shown(all, false);
    frames_are_shown(all | TT_DIFF_CAN_NARROW, false);
    frames_are_shown(all | TT_DIFF_CAN_REPEAT_ALL, false);
    frames_are_shown(all | TT_DIFF_CAN_REPEAT_ALL | TT_DIFF_CAN_NARROW, true);
    frames_are_shown(TT_DIFF_CAN_REPEAT | TT_DIFF_CAN_REPEAT_ALL | TT_DIFF_CAN_FILL, false);
}
