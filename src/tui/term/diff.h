/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strokes: from the picture that a terminal shows to the next one in few bytes.
 *
 *      shown   | thread   pri   %  █──█     what the terminal has
 *      wanted  | thread   pri   3  █──█     what it is to have
 *      out     ESC [ 2 7 C 3                the strokes between the two
 *
 * For terminals that take ECMA-48 as it stands, without padding; screen.c knows which do. Here no
 * terminal is touched: whoever owns the strokes writes `out` to it and empties it, at the latest
 * when it holds TT_DIFF_FULL bytes. What is in there was counted as shown.
 *
 * Each row is drawn from the left. Between two cells that changed the cursor is moved or what lies
 * there is written again, whatever is shorter; how a cell looks is told by what differs from the
 * cell before. Where looks alternate and it is shorter, some of them are left for another pass over
 * the row. Lines that stand elsewhere are moved there by the terminal.
 *
 * One thread. The strokes own their cells and `out`.
 */
#ifndef TRACETUI_TUI_TERM_DIFF_H
#define TRACETUI_TUI_TERM_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include "tracetui/text.h"
#include "tui/draw/grid.h"
#include "tui/draw/theme.h"

#define TT_DIFF_FULL  512
#define TT_DIFF_SORTS 10 /* of cells: right already, eight looks, all others */

/* What a terminal can do beyond placing its cursor, clearing to the end of a line, and SGR. */
enum tt_diff_can {
    TT_DIFF_CAN_UNDO = 1,   /* takes attributes and colours off one by one (SGR 22 to 49) */
    TT_DIFF_CAN_ERASE = 2,  /* blanks cells from the cursor on (ECH) */
    TT_DIFF_CAN_REPEAT = 4, /* writes a character again (REP) */
    TT_DIFF_CAN_SCROLL = 8, /* moves lines between margins (DECSTBM, IND, RI) */
    TT_DIFF_CAN_FILL = 16,  /* what it blanks gets the background of the moment */
    TT_DIFF_CAN_SHIFT = 32  /* moves the lines between margins by so many (SU, SD) */
};

struct tt_stroke_cell {
    uint32_t ch;   /* code point; 0: the right half of a wide character */
    uint32_t mark; /* a combining mark over it, or 0 */
    struct tt_look look;
};

struct tt_stroke_gain;

struct tt_diff {
    struct tt_stroke_cell *shown;
    struct tt_stroke_cell *wanted;
    uint64_t *hashes;              /* of the rows of both */
    struct tt_stroke_gain *gains;  /* of rows that could be moved */
    uint8_t *sorts;                /* of the cells of a row, */
    uint8_t passes[TT_DIFF_SORTS]; /* when each sort is drawn, */
    uint8_t pass;                  /* and what is drawn now */
    int tries;                     /* cells that may be looked at for another order */
    int width, height;
    unsigned can;        /* enum tt_diff_can */
    int colors;          /* that the terminal has; 0: none */
    uint8_t attrs;       /* that it has */
    uint8_t attrs_color; /* that it has together with a colour */
    int x, y;            /* the cursor; x -1: somewhere in its row, y -1: anywhere */
    bool sure;           /* x counts what surely is one column wide */
    struct tt_look pen;  /* how the next character would look */
    struct tt_text out;
    char *bytes; /* of out */
};

/* Sets the size; the terminal is blank. False when out of memory: nothing can be drawn. */
bool tt_diff_resize(struct tt_diff *s, int width, int height);
void tt_diff_free(struct tt_diff *s);
/* Somebody else blanked the terminal, in the look {default, default, 0}. */
void tt_diff_cleared(struct tt_diff *s);

/* Sets a cell of the next picture, or all that the grid has of them. */
void tt_diff_put(struct tt_diff *s, int x, int y, struct tt_stroke_cell cell);
void tt_diff_target(struct tt_diff *s, const struct tt_grid *grid, const struct tt_theme *theme);

/* Draws the next picture: first what can be moved, then row by row, then the cursor's place. */
void tt_diff_scroll(struct tt_diff *s);
void tt_diff_row(struct tt_diff *s, int y);
void tt_diff_rest(struct tt_diff *s, int x, int y);

#endif
