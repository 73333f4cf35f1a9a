/* SPDX-License-Identifier: Apache-2.0 */
/*
 * diff: updates the terminal from the shown frame to the next one with few bytes.
 *
 *      shown   | thread   pri   %  █──█     the frame on the terminal
 *      wanted  | thread   pri   3  █──█     the next frame
 *      out     ESC [ 2 7 C 3                the bytes that turn one into the other
 *
 * For terminals that implement ECMA-48 without padding; screen.c decides which do. This module does
 * no I/O: the caller writes `out` to the terminal and empties it, at the latest when it holds
 * TT_DIFF_FULL bytes. `shown` already includes the effect of the bytes in `out`.
 *
 * Each row is drawn from the left. Between two changed cells the cursor is moved or the unchanged
 * cells are rewritten, whichever is shorter; styles are sent as the difference from the previous
 * cell's style. Where styles alternate, a row may be drawn in several passes if that is shorter.
 * Rows that the terminal already shows at another position are scrolled into place.
 *
 * One thread. A tt_diff owns its cells and `out`.
 */
#ifndef TRACETUI_TUI_TERM_DIFF_H
#define TRACETUI_TUI_TERM_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/text.h"
#include "tui/draw/grid.h"
#include "tui/draw/theme.h"

#define TT_DIFF_FULL    512
#define TT_DIFF_CLASSES 18 /* classes of cells: unchanged, sixteen styles, all other styles */

/* Terminal capabilities beyond cursor positioning, clearing to the end of a line, and SGR. */
enum tt_diff_can {
    TT_DIFF_CAN_UNDO = 1,        /* resets attributes and colours one by one (SGR 22 to 49) */
    TT_DIFF_CAN_ERASE = 2,       /* erases cells from the cursor on (ECH) */
    TT_DIFF_CAN_REPEAT = 4,      /* repeats the last character (REP) */
    TT_DIFF_CAN_SCROLL = 8,      /* scrolls lines within margins (DECSTBM, IND, RI) */
    TT_DIFF_CAN_FILL = 16,       /* erased cells get the current background (BCE) */
    TT_DIFF_CAN_SHIFT = 32,      /* scrolls by N lines within margins (SU, SD) */
    TT_DIFF_CAN_REPEAT_ALL = 64, /* REP also repeats characters other than ASCII */
    TT_DIFF_CAN_NARROW = 128     /* lines, blocks and dots are one column wide */
};

struct tt_diff_cell {
    uint32_t ch;   /* code point; 0: the right half of a wide character */
    uint32_t mark; /* combining mark, or 0 */
    struct tt_cell_style style;
};

struct tt_diff_gain;

struct tt_diff {
    struct tt_diff_cell *shown;
    struct tt_diff_cell *wanted;
    uint64_t *hashes;                /* row hashes of `shown` and `wanted` */
    struct tt_diff_gain *gains;      /* per row: bytes saved by scrolling */
    uint8_t *classes;                /* class of each cell of the current row */
    uint8_t passes[TT_DIFF_CLASSES]; /* pass that draws each class */
    uint8_t pass;                    /* current pass */
    int plan_budget; /* remaining cells to examine in search of a shorter drawing order */
    int width, height;
    unsigned can;                 /* enum tt_diff_can */
    int colors;                   /* number of colours; 0: monochrome */
    uint8_t attrs;                /* supported attributes */
    uint8_t attrs_color;          /* attributes supported together with colour */
    int x, y;                     /* cursor; x -1: unknown column, y -1: unknown position */
    bool x_known;                 /* x is reliable: only characters of certain width precede it */
    struct tt_cell_style current; /* current style on the terminal */
    struct tt_text out;
    char *bytes; /* buffer of `out` */
};

/* Sets the size and assumes a blank terminal. False if out of memory: nothing can be drawn. */
bool tt_diff_resize(struct tt_diff *diff, int width, int height);
void tt_diff_free(struct tt_diff *diff);
/* Records that the terminal was cleared by other means, in the style {default, default, 0}. */
void tt_diff_cleared(struct tt_diff *diff);
/*
 * Resets the terminal's style and margins, and forgets the cursor's position. Some terminals keep the
 * margins of the former size, and would scroll where the cursor moves down.
 */
void tt_diff_reset(struct tt_diff *diff);
/* Resets, and forgets what the terminal shows: the next frame draws all cells, without clearing. */
void tt_diff_forget(struct tt_diff *diff);

/* Sets one cell of the next frame, or all cells from a grid. */
void tt_diff_put(struct tt_diff *diff, int x, int y, struct tt_diff_cell cell);
void tt_diff_target(struct tt_diff *diff, const struct tt_grid *grid, const struct tt_theme *theme);

/* Draws the next frame, called in this order: scrolls, each row, the final cursor position. */
void tt_diff_scroll(struct tt_diff *diff);
void tt_diff_row(struct tt_diff *diff, int y);
void tt_diff_rest(struct tt_diff *diff, int x, int y);

#endif
