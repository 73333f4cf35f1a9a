/* SPDX-License-Identifier: Apache-2.0 */
/* diff_frames: random frames for the tests of the screen differ. */
#ifndef TRACETUI_TESTS_DIFF_FRAMES_H
#define TRACETUI_TESTS_DIFF_FRAMES_H

#include <string.h>

#include "tui/term/diff.h"

#define WIDTH  40
#define HEIGHT 12

static uint64_t seed = 1;

static int dice(int below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)(seed >> 33) % below;
}

static struct tt_cell_style some_look(void)
{
    static const struct tt_cell_style styles[] = {
        {TT_COLOR_DEFAULT, TT_COLOR_DEFAULT, 0},
        {TT_COLOR_DEFAULT, TT_COLOR_DEFAULT, TT_ATTR_BOLD},
        {TT_COLOR_DEFAULT, TT_COLOR_DEFAULT, TT_ATTR_DIM},
        {TT_COLOR_DEFAULT, TT_COLOR_DEFAULT, TT_ATTR_REVERSE},
        {2, TT_COLOR_DEFAULT, TT_ATTR_BOLD | TT_ATTR_DIM},
        {2, TT_COLOR_DEFAULT, 0},
        {12, TT_COLOR_DEFAULT, TT_ATTR_BOLD},
        {12, TT_COLOR_DEFAULT, 0},
        {200, 17, TT_ATTR_ITALIC},
        {TT_COLOR_DEFAULT, 255, 0},
        {TT_COLOR_DEFAULT, 9, TT_ATTR_UNDERLINE},
    };
    return styles[dice((int)(sizeof styles / sizeof *styles))];
}

static void some_cells(struct tt_diff *s, int x, int y, int count)
{
    static const uint32_t characters[] = {' ', ' ', 'a', 'b', 0x2500, 0x2581, 0xb7, 0x65e5, 'x'};
    struct tt_cell_style style = some_look();
    uint32_t ch = ' ';
    int same = 0;
    for (int i = x; i < x + count && i < WIDTH; i++) {
        if (same-- == 0) {
            same = dice(4) ? 0 : dice(20);
            ch = characters[dice(9)];
            style = dice(3) ? style : some_look();
        }
        bool wide = ch == 0x65e5 && i + 1 < WIDTH;
        uint32_t here = ch == 0x65e5 && !wide ? ' ' : ch;
        uint32_t mark = here > ' ' && dice(20) == 0 ? 0x301 : 0;
        tt_diff_put(s, i, y, (struct tt_diff_cell){here, mark, style});
        if (wide) {
            tt_diff_put(s, ++i, y, (struct tt_diff_cell){0, 0, style});
        }
    }
}

/* Removes halves of wide characters. */
static void remove_halves(struct tt_diff *s)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        struct tt_diff_cell *c = &s->wanted[i];
        bool last = i % WIDTH == WIDTH - 1;
        if ((c->ch == 0x65e5 && (last || c[1].ch != 0)) ||
            (c->ch == 0 && (i % WIDTH == 0 || c[-1].ch != 0x65e5))) {
            tt_diff_put(s, i % WIDTH, i / WIDTH, (struct tt_diff_cell){' ', 0, c->style});
        }
        if (c->ch == 0) {
            c->style = c[-1].style;
        }
    }
}

static void change_frame(struct tt_diff *s)
{
    size_t row = WIDTH * sizeof *s->wanted;
    int lines = 1 + dice(3), at = dice(HEIGHT - lines), rest = HEIGHT - at - lines;
    switch (dice(8)) {
    case 0:
        for (int y = 0; y < HEIGHT; y++) {
            some_cells(s, 0, y, WIDTH);
        }
        break;
    case 1:
        memmove(s->wanted + at * WIDTH, s->wanted + (at + lines) * WIDTH, (size_t)rest * row);
        break;
    case 2:
        memmove(s->wanted + (at + lines) * WIDTH, s->wanted + at * WIDTH, (size_t)rest * row);
        some_cells(s, 0, at, WIDTH);
        break;
    case 3:
        for (int x = dice(WIDTH); x < WIDTH; x++) {
            tt_diff_put(s, x, at, (struct tt_diff_cell){' ', 0, some_look()});
        }
        break;
    default:
        for (int i = dice(6); i >= 0; i--) {
            some_cells(s, dice(WIDTH), dice(HEIGHT), 1 + dice(12));
        }
    }
    remove_halves(s);
}

#endif
