/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grid: a screen as cells, what views draw into. No terminal is involved: screen.c paints a grid
 * on one, render.c prints it.
 *
 *      x  0 1 2 3 ...  width-1
 *    y 0  . . . . . . . .            a cell: one code point, at most one combining mark,
 *      1  . . A A . . . .            the role that colours it, and a role laid over that
 *      2  . . A A . . . .            (the cursor's row, a match); 0 is plain text, no overlay
 *         . . . . . . . .
 *
 * A wide character takes two cells, the second with ch 0. Views get a `struct tt_area` (A): all
 * coordinates count inside it and nothing can be drawn outside.
 *
 * Texts are UTF-8. What is invalid, not printable here or, in an ASCII grid, not ASCII, is drawn
 * as \xNN, so a text that skipped tt_text_escaped still drives no terminal. Widths are columns of
 * the terminal, from wcwidth. A grid owns its cells; one thread.
 */
#ifndef TRACETUI_TUI_DRAW_GRID_H
#define TRACETUI_TUI_DRAW_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tt_text;

struct tt_cell {
    uint32_t ch;   /* code point; 0: the right half of a wide character */
    uint32_t mark; /* a combining mark over it, or 0 */
    uint8_t role;  /* enum tt_role */
    uint8_t over;  /* enum tt_role laid over it; 0: none */
};

struct tt_grid {
    struct tt_cell *cells; /* height rows of width */
    int width;
    int height;
    bool ascii;           /* nothing but ASCII may be shown */
    uint32_t ellipsis;    /* stands where a text was cut */
    int caret_x, caret_y; /* where the terminal's cursor blinks; caret_x -1: nowhere */
};

struct tt_area {
    struct tt_grid *grid;
    int x, y, width, height;
};

/* Sets the size and blanks all; false when out of memory (the grid is as before). */
bool tt_grid_resize(struct tt_grid *grid, int width, int height);
void tt_grid_free(struct tt_grid *grid);
void tt_grid_clear(struct tt_grid *grid);
/* The cell at (x, y), which must be inside. */
struct tt_cell *tt_grid_at(const struct tt_grid *grid, int x, int y);

struct tt_area tt_grid_area(struct tt_grid *grid);
/* A part of an area, cut to what lies inside it. */
struct tt_area tt_area_part(struct tt_area area, int x, int y, int width, int height);

/* Columns that a text takes. */
int tt_grid_columns(const struct tt_grid *grid, const char *text, size_t length);

/* Bytes of the longest part of a text, from its beginning on, that fits into `width` columns. */
size_t tt_grid_fitting(const struct tt_grid *grid, const char *text, size_t length, int width);

/*
 * Draws a text at (x, y) in at most `width` columns, its end cut with the ellipsis if it is
 * longer; returns the columns used. The rest of `width` is left as it was.
 */
int tt_draw_text(struct tt_area area, int x, int y, int width, unsigned role, const char *text,
                 size_t length);
/* The same for a C string. */
int tt_draw(struct tt_area area, int x, int y, int width, unsigned role, const char *text);
/* The same from column `skip` of the text on: the text scrolled to the left. */
int tt_draw_scrolled(struct tt_area area, int x, int y, int width, unsigned role, const char *text,
                     size_t length, int skip);
/* Draws a C string so that it ends at column x + width - 1; a longer one is cut at its end. */
void tt_draw_right(struct tt_area area, int x, int y, int width, unsigned role, const char *text);
/* `width` times one code point that is one column wide. */
void tt_draw_fill(struct tt_area area, int x, int y, int width, unsigned role, uint32_t ch);
/* Lays a role over `width` cells. */
void tt_draw_over(struct tt_area area, int x, int y, int width, unsigned over);
/* Blanks a rectangle, overlay included. */
void tt_draw_blank(struct tt_area area, int x, int y, int width, int height);

/* A line of the grid as UTF-8, trailing blanks left out. */
void tt_grid_line(const struct tt_grid *grid, int y, struct tt_text *text);

/* Writes a code point as UTF-8 into out[4]; returns its length. */
size_t tt_utf8_encode(uint32_t ch, char *out);

#endif
