/* SPDX-License-Identifier: Apache-2.0 */
/* diff: the cells of the shown and the next frame, and their memory. */
#include "tui/term/diff.h"

#include <stdlib.h>
#include <string.h>

#include "tui/draw/grid.h"
#include "tui/term/diff_internal.h"

#define CELL_BYTES 64 /* cursor movement, style, character with combining mark */

/* ---- cells -------------------------------------------------------------------------------- */

/* Returns whether bold has no effect: block elements in bright or 256-palette colours. */
static bool has_no_weight(const struct tt_diff_cell *cell)
{
    return cell->ch >= 0x2580 && cell->ch <= 0x259f && cell->style.fg >= 8;
}

/* Normalizes a cell, so that cells that are displayed alike compare equal. */
static struct tt_diff_cell normal(struct tt_diff_cell cell)
{
    if (tt_diff_cell_blank(&cell)) {
        cell.style.fg = TT_COLOR_DEFAULT;
        cell.style.attrs = 0;
    } else if (has_no_weight(&cell)) {
        cell.style.attrs &= (uint8_t)~TT_ATTR_BOLD;
    }
    return cell;
}

void tt_diff_put(struct tt_diff *diff, int x, int y, struct tt_diff_cell cell)
{
    *tt_diff_at(diff->wanted, diff, x, y) = normal(cell);
}

/* Returns the cell's style, reduced to what the terminal supports. */
static struct tt_cell_style diff_style_of(const struct tt_diff *diff, const struct tt_theme *theme,
                                          const struct tt_cell *cell)
{
    struct tt_cell_style style = tt_theme_style(theme, cell->role, cell->over);
    style = tt_theme_fit(theme, style, diff->colors);
    bool colored = style.fg != TT_COLOR_DEFAULT || style.bg != TT_COLOR_DEFAULT;
    style.attrs &= colored ? diff->attrs_color : diff->attrs;
    return style;
}

void tt_diff_target(struct tt_diff *diff, const struct tt_grid *grid, const struct tt_theme *theme)
{
    int width = grid->width < diff->width ? grid->width : diff->width;
    int height = grid->height < diff->height ? grid->height : diff->height;
    struct tt_cell_style style = tt_cell_style_plain();
    for (int y = 0; y < height; y++) {
        unsigned role = TT_ROLE_COUNT, over = 0;
        for (int x = 0; x < width; x++) {
            const struct tt_cell *cell = tt_grid_at(grid, x, y);
            if (cell->role != role || cell->over != over) {
                role = cell->role;
                over = cell->over;
                style = diff_style_of(diff, theme, cell);
            }
            tt_diff_put(diff, x, y, (struct tt_diff_cell){cell->ch, cell->mark, style});
        }
    }
}

void tt_diff_blank(struct tt_diff_cell *cells, size_t count)
{
    const struct tt_diff_cell cell = {' ', 0, tt_cell_style_plain()};
    for (size_t i = 0; i < count; i++) {
        cells[i] = cell;
    }
}

/* ---- room --------------------------------------------------------------------------------- */

void tt_diff_free(struct tt_diff *diff)
{
    free(diff->shown);
    free(diff->wanted);
    free(diff->hashes);
    free(diff->gains);
    free(diff->classes);
    free(diff->bytes);
    diff->shown = diff->wanted = NULL;
    diff->hashes = NULL;
    diff->gains = NULL;
    diff->classes = NULL;
    diff->bytes = NULL;
    diff->width = diff->height = 0;
}

bool tt_diff_resize(struct tt_diff *diff, int width, int height)
{
    size_t rows = height > 0 ? (size_t)height : 1, columns = width > 0 ? (size_t)width : 1;
    /* `out` is checked after each row: bytes before it, scrolled lines, and one row. */
    size_t bytes = TT_DIFF_FULL + CELL_BYTES + 2 * rows + columns * CELL_BYTES;
    tt_diff_free(diff);
    diff->shown = malloc(rows * columns * sizeof *diff->shown);
    diff->wanted = malloc(rows * columns * sizeof *diff->wanted);
    diff->hashes = malloc(rows * 2 * sizeof *diff->hashes);
    diff->gains = malloc(rows * sizeof *diff->gains);
    diff->classes = calloc(columns, sizeof *diff->classes);
    diff->bytes = malloc(bytes);
    if (!diff->shown || !diff->wanted || !diff->hashes || !diff->gains || !diff->classes ||
        !diff->bytes) {
        tt_diff_free(diff);
        return false;
    }
    diff->width = width > 0 ? width : 0;
    diff->height = height > 0 ? height : 0;
    diff->out = tt_text_of(diff->bytes, bytes);
    diff->pass = UINT8_MAX;
    tt_diff_cleared(diff);
    tt_diff_blank(diff->wanted, (size_t)diff->width * (size_t)diff->height);
    return true;
}

void tt_diff_cleared(struct tt_diff *diff)
{
    tt_diff_blank(diff->shown, (size_t)diff->width * (size_t)diff->height);
    diff->x = diff->y = -1;
    diff->current = tt_cell_style_plain();
}

void tt_diff_reset(struct tt_diff *diff)
{
    tt_text_str(&diff->out, diff->can & TT_DIFF_CAN_SCROLL ? "\033[m\033[r" : "\033[m");
    diff->x = diff->y = -1;
    diff->current = tt_cell_style_plain();
}

void tt_diff_forget(struct tt_diff *diff)
{
    const struct tt_diff_cell unknown = {UINT32_MAX, 0, tt_cell_style_plain()};
    for (size_t i = 0; i < (size_t)diff->width * (size_t)diff->height; i++) {
        diff->shown[i] = unknown;
    }
    tt_diff_reset(diff);
}
