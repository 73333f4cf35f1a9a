/* SPDX-License-Identifier: Apache-2.0 */
/*
 * picture: writes a grid as an SVG image or an HTML page, with the theme's colours and text that can
 * be selected and searched.
 *
 *      cells of one style    SVG: a text at its column, stretched to its columns, on a rectangle if
 *                            it has a background      HTML: a span of a preformatted block
 *
 * A colour is one of the terminal's 256 in the usual palette; `default` is light grey on nearly black,
 * or the reverse for a light theme. Every code point that XML does not allow becomes U+FFFD. Plain
 * functions; any thread.
 */
#ifndef TRACETUI_TUI_DRAW_PICTURE_H
#define TRACETUI_TUI_DRAW_PICTURE_H

#include "base/sink.h"
#include "tracetui/status.h"
#include "tui/draw/grid.h"
#include "tui/draw/theme.h"

enum tt_picture { TT_PICTURE_NONE, TT_PICTURE_SVG, TT_PICTURE_HTML };

/* Returns the kind of picture for the extension of a file name. */
enum tt_picture tt_picture_of_path(const char *path);

/*
 * Writes the grid; a false result of `write` stops it and is not an error. Errors: TT_ERR_MEMORY.
 */
struct tt_status tt_picture_write(enum tt_picture kind, const struct tt_grid *grid,
                                  const struct tt_theme *theme, int colors, struct tt_sink *sink);

/* ---- images inside a page ------------------------------------------------------------------ */

#define TT_PICTURE_STYLES 512u

/*
 * The styles of the images of one page: cells have classes, and the style sheet gives each class
 * the colours of a theme, so that the page can be dark or light.
 */
struct tt_picture_styles {
    const struct tt_theme *themes[2]; /* set by the owner: dark, light; they outlive the struct */
    unsigned count;                   /* the rest begins as 0 */
    struct tt_picture_style {
        uint8_t role;
        uint8_t over;
    } styles[TT_PICTURE_STYLES];
};

/*
 * Writes lines [top, bottom) of the grid as an <svg> element of a page, and adds their styles. A
 * style for which there is no room becomes plain text. Errors: TT_ERR_MEMORY.
 */
struct tt_status tt_picture_write_part(const struct tt_grid *grid, int top, int bottom,
                                       struct tt_picture_styles *styles, struct tt_sink *sink);

/* Writes the style sheet of a theme (0 or 1), one rule per line. */
void tt_picture_write_rules(const struct tt_picture_styles *styles, unsigned theme,
                            struct tt_sink *sink);

#endif
