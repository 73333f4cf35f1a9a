/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grid: the cells that views draw into. No terminal is involved: screen.c draws a grid on one,
 * render.c prints it.
 *
 *      x  0 1 2 3 ...  width-1
 *    y 0  . . . . . . . .            a cell: one code point, at most one combining mark,
 *      1  . . A A . . . .            its role, and an overlay role
 *      2  . . A A . . . .            (the cursor's row, a match); 0 is plain text, no overlay
 *         . . . . . . . .
 *
 * A wide character takes two cells, the second with ch 0. Views get a `struct tt_area` (A):
 * coordinates are relative to it and drawing is clipped to it.
 *
 * Texts are UTF-8. Invalid or unprintable characters, and non-ASCII ones in an ASCII grid, are
 * drawn as \xNN, so even unescaped text cannot send control sequences. Widths are terminal columns,
 * from wcwidth. A grid owns its cells; one thread.
 */
#ifndef TRACETUI_TUI_DRAW_GRID_H
#define TRACETUI_TUI_DRAW_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracetui/text.h"

struct tt_cell {
    uint32_t ch;   /* code point; 0: the right half of a wide character */
    uint32_t mark; /* combining mark, or 0 */
    uint8_t role;  /* enum tt_role */
    uint8_t over;  /* overlay, enum tt_role; 0: none */
};

struct tt_grid {
    struct tt_cell *cells; /* `height` rows of `width` cells */
    int width;
    int height;
    bool ascii;           /* show only ASCII */
    uint32_t ellipsis;    /* drawn where a text is cut */
    int caret_x, caret_y; /* terminal cursor; caret_x -1: hidden */
};

struct tt_area {
    struct tt_grid *grid;
    int x, y, width, height;
};

/* Sets the size and clears the grid; false if out of memory (the grid is unchanged). */
bool tt_grid_resize(struct tt_grid *grid, int width, int height);
void tt_grid_free(struct tt_grid *grid);
void tt_grid_clear(struct tt_grid *grid);
/* Returns the cell at (x, y), which must be inside the grid. */
struct tt_cell *tt_grid_at(const struct tt_grid *grid, int x, int y);

struct tt_area tt_grid_area(struct tt_grid *grid);
/* Returns a part of an area, clipped to it. */
struct tt_area tt_area_part(struct tt_area area, int x, int y, int width, int height);

/* Returns the display width of a text in columns. */
int tt_grid_columns(const struct tt_grid *grid, const char *text, size_t length);

/* Returns the length in bytes of the longest prefix of a text that fits into `width` columns. */
size_t tt_grid_fitting(const struct tt_grid *grid, const char *text, size_t length, int width);

/*
 * Draws a text at (x, y) in at most `width` columns, truncated with the ellipsis if it is longer;
 * returns the columns used. The rest of `width` is unchanged.
 */
int tt_draw_text(struct tt_area area, int x, int y, int width, unsigned role, const char *text,
                 size_t length);
/* Same as tt_draw_text, for a C string. */
int tt_draw(struct tt_area area, int x, int y, int width, unsigned role, const char *text);
/* Same as tt_draw_text, scrolled left by `skip` columns of the text. */
int tt_draw_scrolled(struct tt_area area, int x, int y, int width, unsigned role, const char *text,
                     size_t length, int skip);
/* Draws a C string right-aligned in `width` columns; truncates a longer one at its end. */
void tt_draw_right(struct tt_area area, int x, int y, int width, unsigned role, const char *text);
/* Do the same for a text by a format, as of tt_text_put, of at most 4 KiB. */
int tt_draw_put(struct tt_area area, int x, int y, int width, unsigned role, const char *format,
                ...) TT_PRINTF(6, 7);
void tt_draw_put_right(struct tt_area area, int x, int y, int width, unsigned role,
                       const char *format, ...) TT_PRINTF(6, 7);
/* Draws a single-column code point `width` times. */
void tt_draw_fill(struct tt_area area, int x, int y, int width, unsigned role, uint32_t ch);
/* Sets the overlay role of `width` cells. */
void tt_draw_over(struct tt_area area, int x, int y, int width, unsigned over);
/* Blanks a rectangle, overlay included. */
void tt_draw_blank(struct tt_area area, int x, int y, int width, int height);

/* Appends a line of the grid as UTF-8 without trailing blanks. */
void tt_grid_line(const struct tt_grid *grid, int y, struct tt_text *text);

/* Writes a code point as UTF-8 into out[4]; returns its length. */
size_t tt_utf8_encode(uint32_t ch, char *out);

#endif
