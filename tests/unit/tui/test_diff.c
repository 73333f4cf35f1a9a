/* SPDX-License-Identifier: Apache-2.0 */
/* diff: a terminal that receives the output shows the requested frame, and the output is short. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diff_frames.h"

#define CANS 64

/* ---- a terminal --------------------------------------------------------------------------- */

struct terminal {
    struct tt_diff_cell cells[HEIGHT][WIDTH];
    struct tt_cell_style current;
    int x, y, top, bottom;
    bool waits; /* at the end of a row */
    bool onlcr; /* its line discipline adds a carriage return to a line feed */
    unsigned can;
    struct tt_diff_cell last;
};

static const struct tt_cell_style plain = {TT_COLOR_DEFAULT, TT_COLOR_DEFAULT, 0};

static bool same_style(struct tt_cell_style a, struct tt_cell_style b)
{
    return a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs;
}

static struct tt_diff_cell erased(const struct terminal *t)
{
    struct tt_diff_cell cell = {' ', 0, plain};
    cell.style.bg = t->can & TT_DIFF_CAN_FILL ? t->current.bg : TT_COLOR_DEFAULT;
    return cell;
}

static void terminal_reset(struct terminal *t, unsigned can)
{
    memset(t, 0, sizeof *t);
    t->can = can;
    t->current = plain;
    t->bottom = HEIGHT - 1;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        t->cells[i / WIDTH][i % WIDTH] = erased(t);
    }
}

/* Overwriting half of a wide character leaves a blank. */
static void split_wide(struct terminal *t, int x)
{
    struct tt_diff_cell *row = t->cells[t->y];
    if (row[x].ch == 0 && x > 0) {
        row[x - 1].ch = ' ';
    }
    if (x + 1 < WIDTH && row[x + 1].ch == 0) {
        row[x + 1].ch = ' ';
    }
}

static void terminal_put(struct terminal *t, uint32_t ch)
{
    bool wide = ch >= 0x3000 && ch < 0xa000;
    if (ch >= 0x300 && ch < 0x370) {
        int x = t->waits ? t->x : t->x - 1;
        cr_assert_geq(x, 0);
        t->cells[t->y][x - (t->cells[t->y][x].ch == 0)].mark = ch;
        return;
    }
    cr_assert(!t->waits, "written beyond the end of a row");
    cr_assert_lt(t->x + wide, WIDTH);
    split_wide(t, t->x);
    t->cells[t->y][t->x] = t->last = (struct tt_diff_cell){ch, 0, t->current};
    if (wide) {
        t->x++;
        split_wide(t, t->x);
        t->cells[t->y][t->x] = (struct tt_diff_cell){0, 0, t->current};
    }
    t->waits = t->x == WIDTH - 1;
    t->x += !t->waits;
}

static void move_lines(struct terminal *t, bool up)
{
    cr_assert(t->can & TT_DIFF_CAN_SCROLL);
    size_t rows = (size_t)(t->bottom - t->top) * sizeof t->cells[0];
    memmove(t->cells[up ? t->top : t->top + 1], t->cells[up ? t->top + 1 : t->top], rows);
    for (int x = 0; x < WIDTH; x++) {
        t->cells[up ? t->bottom : t->top][x] = erased(t);
    }
}

static void terminal_look(struct terminal *t, const int *codes, int count)
{
    static const uint8_t attrs[] = {
        0, TT_ATTR_BOLD, TT_ATTR_DIM, TT_ATTR_ITALIC, TT_ATTR_UNDERLINE, 0, 0, TT_ATTR_REVERSE};
    for (int i = 0; i < count; i++) {
        int code = codes[i];
        cr_assert(code < 22 || code > 49 || code == 38 || code == 48 || (code > 29 && code < 38) ||
                      (code > 39 && code < 48) || t->can & TT_DIFF_CAN_UNDO,
                  "SGR %d", code);
        if (code == 0) {
            t->current = plain;
        } else if (code < 8) {
            t->current.attrs |= attrs[code];
        } else if (code == 22) {
            t->current.attrs &= (uint8_t) ~(TT_ATTR_BOLD | TT_ATTR_DIM);
        } else if (code < 28) {
            t->current.attrs &= (uint8_t)~attrs[code - 20];
        } else if (code == 38 || code == 48) {
            cr_assert(i + 2 < count && codes[i + 1] == 5);
            *(code == 38 ? &t->current.fg : &t->current.bg) = (int16_t)codes[i + 2];
            i += 2;
        } else if (code == 39 || code == 49) {
            *(code == 39 ? &t->current.fg : &t->current.bg) = TT_COLOR_DEFAULT;
        } else {
            int color = code % 10 + (code >= 90 ? 8 : 0);
            *(code < 40 || (code >= 90 && code < 100) ? &t->current.fg : &t->current.bg) =
                (int16_t)color;
        }
    }
}

static void set_margins(struct terminal *t, const int *numbers, int count)
{
    cr_assert(t->can & TT_DIFF_CAN_SCROLL);
    t->top = count > 1 ? numbers[0] - 1 : 0;
    t->bottom = count > 1 ? numbers[1] - 1 : HEIGHT - 1;
    cr_assert(t->top >= 0 && t->top <= t->bottom && t->bottom < HEIGHT);
    t->x = t->y = 0;
}

static void terminal_control(struct terminal *t, char final, const int *numbers, int count)
{
    int n = count > 0 && numbers[0] > 0 ? numbers[0] : 1;
    t->waits &= final == 'm';
    switch (final) {
    case 'm':
        terminal_look(t, numbers, count);
        break;
    case 'H':
        t->y = n - 1;
        t->x = count > 1 ? numbers[1] - 1 : 0;
        break;
    case 'G':
        t->x = n - 1;
        break;
    case 'C':
        t->x += n;
        break;
    case 'K':
    case 'X':
        cr_assert(final == 'K' || t->can & TT_DIFF_CAN_ERASE);
        for (int x = t->x; x < WIDTH && (final == 'K' || x < t->x + n); x++) {
            split_wide(t, x);
            t->cells[t->y][x] = erased(t);
        }
        break;
    case 'b':
        cr_assert(t->can & TT_DIFF_CAN_REPEAT);
        cr_assert_lt(t->last.ch, 0x80, "repeated what many terminals cannot");
        for (int i = 0; i < n; i++) {
            terminal_put(t, t->last.ch);
        }
        break;
    case 'S':
    case 'T':
        cr_assert(t->can & TT_DIFF_CAN_SHIFT);
        for (int i = 0; i < n; i++) {
            move_lines(t, final == 'S');
        }
        break;
    case 'r':
        set_margins(t, numbers, count);
        break;
    default:
        cr_assert_fail("a sequence that ends in %c", final);
    }
    cr_assert(t->x >= 0 && t->x < WIDTH && t->y >= 0 && t->y < HEIGHT);
}

static void line_feed(struct terminal *t)
{
    if (t->y == t->bottom) {
        move_lines(t, true);
    } else {
        t->y++;
    }
    t->x = t->onlcr ? 0 : t->x;
    t->waits = false;
}

static void reverse_line_feed(struct terminal *t)
{
    cr_assert(t->can & TT_DIFF_CAN_SCROLL);
    if (t->y == t->top) {
        move_lines(t, false);
    } else {
        t->y--;
    }
    t->waits = false;
}

static void terminal_take(struct terminal *t, const char *bytes, size_t length)
{
    while (length > 0) {
        uint32_t ch;
        size_t used = tt_utf8_decode(bytes, length, &ch);
        cr_assert_gt(used, 0);
        if (ch == '\r') {
            t->x = 0;
            t->waits = false;
        } else if (ch == '\n') {
            line_feed(t);
        } else if (ch == '\033' && bytes[1] == 'M') {
            reverse_line_feed(t);
            used = 2;
        } else if (ch == '\033') {
            int numbers[16] = {0}, count = 0;
            cr_assert_eq(bytes[1], '[');
            for (used = 2; bytes[used] == ';' || (bytes[used] >= '0' && bytes[used] <= '9');
                 used++) {
                count += (bytes[used] == ';') + (count == 0); /* an omitted parameter is 0 */
                cr_assert_leq(count, 16);
                if (bytes[used] != ';') {
                    numbers[count - 1] = numbers[count - 1] * 10 + bytes[used] - '0';
                }
            }
            bool reset = bytes[used] == 'm' && count == 0;
            terminal_control(t, bytes[used++], numbers, reset ? 1 : count);
        } else {
            cr_assert_geq(ch, 32);
            terminal_put(t, ch);
        }
        bytes += used;
        length -= used;
    }
}

static size_t draw(struct tt_diff *s, struct terminal *t)
{
    tt_diff_scroll(s);
    for (int y = 0; y < HEIGHT; y++) {
        tt_diff_row(s, y);
    }
    tt_diff_rest(s, 0, HEIGHT - 1);
    size_t bytes = s->out.used;
    cr_assert(!s->out.truncated);
    terminal_take(t, s->out.buffer, bytes);
    s->out.used = 0;
    return bytes;
}

static void check_shown(const struct tt_diff *s, const struct terminal *t)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const struct tt_diff_cell *want = &s->wanted[i], *is = &t->cells[i / WIDTH][i % WIDTH];
        bool unseen =
            want->ch == ' ' && !(want->style.attrs & (TT_ATTR_REVERSE | TT_ATTR_UNDERLINE));
        bool alike = unseen ? want->style.bg == is->style.bg &&
                                  !(is->style.attrs & (TT_ATTR_REVERSE | TT_ATTR_UNDERLINE))
                            : same_style(want->style, is->style);
        cr_assert(want->ch == is->ch && want->mark == is->mark && alike,
                  "column %d of row %d: %x %x", i % WIDTH, i / WIDTH, want->ch, is->ch);
    }
    cr_assert(same_style(t->current, plain));
    cr_assert(t->x == 0 && t->y == HEIGHT - 1 && !t->waits);
    cr_assert(t->top == 0 && t->bottom == HEIGHT - 1);
}

static struct tt_diff diff_of(unsigned can, struct terminal *t)
{
    struct tt_diff s = {.can = can};
    cr_assert(tt_diff_resize(&s, WIDTH, HEIGHT));
    terminal_reset(t, can);
    return s;
}

Test(tui_diff, the_terminal_shows_the_frame_with_any_capabilities)
{
    static struct terminal t;
    for (unsigned can = 0; can < CANS; can++) {
        struct tt_diff s = diff_of(can, &t);
        for (int i = 0; i < 300; i++) {
            t.onlcr = i % 2 && !(can & TT_DIFF_CAN_SCROLL);
            change_frame(&s);
            draw(&s, &t);
            check_shown(&s, &t);
        }
        tt_diff_free(&s);
    }
}

/* A frame is abandoned when keys arrive; the next one continues from there. */
Test(tui_diff, an_abandoned_frame_is_continued)
{
    static struct terminal t;
    struct tt_diff s = diff_of(CANS - 1, &t);
    for (int i = 0; i < 500; i++) {
        change_frame(&s);
        tt_diff_scroll(&s);
        for (int y = 0, rows = dice(HEIGHT); y < rows; y++) {
            tt_diff_row(&s, y);
        }
        tt_diff_rest(&s, 3, 3);
        terminal_take(&t, s.out.buffer, s.out.used);
        s.out.used = 0;
        change_frame(&s);
        draw(&s, &t);
        check_shown(&s, &t);
    }
    tt_diff_free(&s);
}

/* ---- short output --------------------------------------------------------------------------  */

static void put_text(struct tt_diff *s, int x, int y, struct tt_cell_style style, const char *text)
{
    for (; *text; text++) {
        tt_diff_put(s, x++, y, (struct tt_diff_cell){(uint8_t)*text, 0, style});
    }
}

static void put_line(struct tt_diff *s, int y, int number)
{
    char text[64];
    snprintf(text, sizeof text, "%5d line of %-26d", number * 7919, number * 104729);
    text[WIDTH] = '\0';
    put_text(s, 0, y, plain, text);
}

static const char *sent(struct tt_diff *s, struct terminal *t)
{
    static char text[1024];
    tt_diff_scroll(s);
    for (int y = 0; y < HEIGHT; y++) {
        tt_diff_row(s, y);
    }
    snprintf(text, sizeof text, "%.*s", (int)s->out.used, s->out.buffer);
    draw(s, t);
    check_shown(s, t);
    return text;
}

Test(tui_diff, an_unchanged_frame_sends_nothing)
{
    static struct terminal t;
    struct tt_diff s = diff_of(CANS - 1, &t);
    put_line(&s, 3, 1);
    cr_assert_gt(draw(&s, &t), 10);
    cr_assert_eq(draw(&s, &t), 0);
    tt_diff_free(&s);
}

Test(tui_diff, scrolling_sends_only_the_new_line)
{
    static struct terminal t;
    struct tt_diff s = diff_of(TT_DIFF_CAN_SCROLL, &t);
    for (int by = -1; by <= 1; by += 2) {
        for (int y = 0; y < HEIGHT; y++) {
            put_line(&s, y, 100 + y);
        }
        draw(&s, &t);
        for (int y = 2; y < HEIGHT - 1; y++) {
            put_line(&s, y, 100 + y + by);
        }
        cr_assert_leq(draw(&s, &t), WIDTH + 40);
        check_shown(&s, &t);
    }
    tt_diff_free(&s);
}

Test(tui_diff, the_cursor_moves_the_shortest_way)
{
    static struct terminal t;
    struct tt_diff s = diff_of(TT_DIFF_CAN_UNDO, &t);
    put_text(&s, 0, 0, plain, "abcdefghijklmnop");
    draw(&s, &t);
    put_text(&s, 0, 0, plain, "Abcd");
    put_text(&s, 3, 0, plain, "D");
    put_text(&s, 12, 0, plain, "M");
    put_text(&s, 2, 2, plain, "x");
    cr_assert_str_eq(sent(&s, &t), "\033[HAbcD\033[8CM\r\n\n  x");
    tt_diff_free(&s);
}

/* The width of non-ASCII characters depends on the terminal: columns after them are absolute. */
Test(tui_diff, columns_after_non_ascii_characters_are_absolute)
{
    static struct terminal t;
    struct tt_diff s = diff_of(TT_DIFF_CAN_UNDO, &t);
    tt_diff_put(&s, 0, 0, (struct tt_diff_cell){0x2500, 0, plain});
    put_text(&s, 20, 0, plain, "a");
    put_text(&s, 30, 0, plain, "b");
    cr_assert_str_eq(sent(&s, &t), "\033[H\u2500\033[21Ga\033[9Cb");
    tt_diff_free(&s);
}

Test(tui_diff, styles_are_sent_as_differences)
{
    static struct terminal t;
    const struct tt_cell_style bold = {TT_COLOR_DEFAULT, TT_COLOR_DEFAULT, TT_ATTR_BOLD};
    const struct tt_cell_style green = {2, TT_COLOR_DEFAULT, TT_ATTR_BOLD}, light = {12, 254, 0};
    struct tt_diff s = diff_of(TT_DIFF_CAN_UNDO, &t);
    put_text(&s, 0, 0, bold, "a");
    put_text(&s, 1, 0, green, "b");
    put_text(&s, 2, 0, bold, "c  ");
    put_text(&s, 5, 0, light, "d");
    cr_assert_str_eq(sent(&s, &t), "\033[H\033[1ma\033[32mb\033[39mc  \033[;94;48;5;254md");
    tt_diff_free(&s);
    s = diff_of(0, &t);
    put_text(&s, 0, 0, green, "b");
    put_text(&s, 1, 0, bold, "c");
    put_text(&s, 2, 0, plain, "d");
    cr_assert_str_eq(sent(&s, &t), "\033[H\033[1;32mb\033[;1mc\033[md");
    tt_diff_free(&s);
}

/* Bold does not change blocks in a bright colour; with other colours bold may mean bright. */
Test(tui_diff, invisible_changes_are_not_sent)
{
    static struct terminal t;
    const struct tt_cell_style bright = {12, TT_COLOR_DEFAULT, 0}, bold = {12, TT_COLOR_DEFAULT, 1};
    const struct tt_cell_style blue = {4, TT_COLOR_DEFAULT, TT_ATTR_BOLD};
    struct tt_diff s = diff_of(CANS - 1, &t);
    cr_assert_eq(bold.attrs, TT_ATTR_BOLD);
    tt_diff_put(&s, 0, 0, (struct tt_diff_cell){0x2581, 0, bright});
    tt_diff_put(&s, 1, 0, (struct tt_diff_cell){0x2588, 0, bold});
    tt_diff_put(&s, 2, 0, (struct tt_diff_cell){'a', 0, bold});
    tt_diff_put(&s, 3, 0, (struct tt_diff_cell){0x2581, 0, blue});
    tt_diff_put(&s, 9, 0, (struct tt_diff_cell){' ', 0, blue});
    cr_assert_str_eq(sent(&s, &t), "\033[H\033[94m▁█\033[1ma\033[34m▁");
    tt_diff_free(&s);
}

/* Bytes for a terminal with all capabilities except some. */
static size_t bytes_of_lane(unsigned can, const char *styles)
{
    static struct terminal t;
    static const struct tt_cell_style green = {2, TT_COLOR_DEFAULT, 0},
                                      yellow = {3, TT_COLOR_DEFAULT, 0},
                                      red = {1, TT_COLOR_DEFAULT, 0};
    struct tt_diff s = diff_of(can, &t);
    for (int x = 0; styles[x]; x++) {
        struct tt_cell_style style = styles[x] == 'g' ? green : styles[x] == 'y' ? yellow : red;
        tt_diff_put(&s, x, 1, (struct tt_diff_cell){0x2581, 0, style});
    }
    size_t bytes = draw(&s, &t);
    check_shown(&s, &t);
    tt_diff_free(&s);
    return bytes;
}

/* A pass per style is shorter than changing the style each time; its cells are blank meanwhile. */
Test(tui_diff, alternating_styles_are_drawn_in_passes)
{
    static struct terminal t;
    const struct tt_cell_style green = {2, TT_COLOR_DEFAULT, 0}, red = {1, TT_COLOR_DEFAULT, 0};
    struct tt_diff s = diff_of(TT_DIFF_CAN_UNDO, &t);
    for (int x = 0; x < 9; x++) {
        tt_diff_put(&s, x, 0, (struct tt_diff_cell){'a', 0, x % 2 ? red : green});
    }
    cr_assert_str_eq(sent(&s, &t), "\033[H\033[32ma a a a a\ra\033[31ma\033[Ca\033[Ca\033[Ca");
    tt_diff_free(&s);
    size_t plain_bytes = bytes_of_lane(CANS - 1, "gggggggggggggggggggggggggggggg");
    size_t changes = bytes_of_lane(CANS - 1, "gygygygygygygygygyggrggyggygyg") - plain_bytes;
    cr_assert_lt(changes, 25 * 5 * 3 / 4, "%zu bytes for 25 changes of the pen", changes);
}

/* A later pass may draw the end of the row, and blanks may be drawn in any style. */
Test(tui_diff, every_order_of_styles_gives_the_same_frame)
{
    char styles[WIDTH + 1];
    for (int i = 0; i < 3000; i++) {
        int length = dice(WIDTH + 1);
        for (int x = 0; x < length; x++) {
            styles[x] = "gyr"[dice(3)];
        }
        styles[length] = '\0';
        bytes_of_lane((unsigned)dice(CANS), styles);
    }
}

/* Of similar lines, those are scrolled that become correct by scrolling. */
Test(tui_diff, similar_lines_scroll_with_their_neighbours)
{
    static struct terminal t;
    const struct tt_cell_style bold = {TT_COLOR_DEFAULT, TT_COLOR_DEFAULT, TT_ATTR_BOLD};
    struct tt_diff s = diff_of(CANS - 1, &t);
    for (int y = 0; y < HEIGHT; y++) {
        put_line(&s, y, 1);
        put_line(&s, y, y < 4 ? 100 + y : 1);
        put_text(&s, 0, y, plain, y % 2 ? "b" : "a");
    }
    put_text(&s, 6, HEIGHT - 1, bold, "line");
    draw(&s, &t);
    for (int y = 0; y < HEIGHT - 1; y++) {
        memcpy(s.wanted + y * WIDTH, s.shown + (y + 1) * WIDTH, WIDTH * sizeof *s.wanted);
    }
    put_text(&s, 6, HEIGHT - 2, plain, "line");
    put_line(&s, HEIGHT - 1, 77);
    cr_assert_leq(draw(&s, &t), 18 + 10 + WIDTH + 8);
    check_shown(&s, &t);
    tt_diff_free(&s);
}

Test(tui_diff, without_memory_nothing_is_drawn)
{
    struct tt_diff s = {.can = 0};
    cr_assert(tt_diff_resize(&s, 0, 0));
    tt_diff_scroll(&s);
    tt_diff_rest(&s, 0, 0);
    cr_assert_eq(s.out.used, 0);
    tt_diff_free(&s);
    tt_diff_free(&s);
}
