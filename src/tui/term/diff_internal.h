/* SPDX-License-Identifier: Apache-2.0 */
/* diff_internal: declarations shared by the diff*.c files only. */
#ifndef TRACETUI_TUI_TERM_DIFF_INTERNAL_H
#define TRACETUI_TUI_TERM_DIFF_INTERNAL_H

#include "tui/term/diff.h"

#define TT_DIFF_NEVER 10000 /* bytes: a cost above any real one */

/* Bytes saved by scrolling a row into place, and by finding its place blank. */
struct tt_diff_gain {
    int moved, blank;
};

static inline bool tt_cell_style_equal(struct tt_cell_style a, struct tt_cell_style b)
{
    return a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs;
}

static inline struct tt_cell_style tt_cell_style_plain(void)
{
    return (struct tt_cell_style){TT_COLOR_DEFAULT, TT_COLOR_DEFAULT, 0};
}

/* Returns whether the attributes are visible on a blank cell. */
static inline bool tt_cell_style_shows_on_blanks(struct tt_cell_style style)
{
    return style.attrs & (TT_ATTR_REVERSE | TT_ATTR_UNDERLINE);
}

static inline bool tt_diff_cell_equal(const struct tt_diff_cell *left,
                                      const struct tt_diff_cell *right)
{
    return left->ch == right->ch && left->mark == right->mark &&
           tt_cell_style_equal(left->style, right->style);
}

/* Returns whether the cell shows nothing but its background. */
static inline bool tt_diff_cell_blank(const struct tt_diff_cell *cell)
{
    return cell->ch == ' ' && cell->mark == 0 && !tt_cell_style_shows_on_blanks(cell->style);
}

static inline struct tt_diff_cell *tt_diff_at(struct tt_diff_cell *cells,
                                              const struct tt_diff *diff, int x, int y)
{
    return &cells[(size_t)y * (size_t)diff->width + (size_t)x];
}

/* Returns the UTF-8 length of a character. */
static inline int tt_diff_bytes_of(uint32_t ch)
{
    return ch < 0x80 ? 1 : ch < 0x800 ? 2 : ch < 0x10000 ? 3 : 4;
}

/* Returns whether the terminal surely moves the cursor by one column for this cell. */
static inline bool tt_diff_narrow(const struct tt_diff *diff, const struct tt_diff_cell *cell)
{
    uint32_t ch = cell->ch;
    bool drawing = (ch >= 0x2500 && ch <= 0x259f) || ch == 0xb7 || ch == 0x2022;
    return cell->mark == 0 && (ch < 0x80 || (drawing && diff->can & TT_DIFF_CAN_NARROW));
}

/*
 * Returns whether the terminal repeats this character. ASCII by default: some terminals that call
 * themselves xterm repeat nothing else.
 */
static inline bool tt_diff_repeats(const struct tt_diff *diff, const struct tt_diff_cell *cell)
{
    return cell->ch != 0 && cell->mark == 0 &&
           diff->can & (cell->ch < 0x80 ? TT_DIFF_CAN_REPEAT : TT_DIFF_CAN_REPEAT_ALL);
}

/* Blanks `count` cells. */
void tt_diff_blank(struct tt_diff_cell *cells, size_t count);

/* Switches the terminal to a style. */
void tt_diff_use_style(struct tt_diff *diff, struct tt_cell_style style);
/* Returns whether the current style draws this cell correctly. */
bool tt_diff_style_matches(const struct tt_diff *diff, const struct tt_diff_cell *cell);

/* Appends a control sequence with a parameter; 1 is the default and omitted. */
void tt_diff_control(struct tt_diff *diff, int number, char final);
int tt_diff_control_bytes(int number);
/* Moves the cursor the shortest way, or by absolute position regardless of where it is. */
void tt_diff_go(struct tt_diff *diff, int x, int y);
void tt_diff_go_straight(struct tt_diff *diff, int x, int y);

#endif
