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

#include "tracetui/status.h"
#include "tui/draw/grid.h"
#include "tui/draw/theme.h"

enum tt_picture { TT_PICTURE_NONE, TT_PICTURE_SVG, TT_PICTURE_HTML };

/* Returns the kind of picture that the end of a file name asks for. */
enum tt_picture tt_picture_of_path(const char *path);

/*
 * Writes the grid; a false result of `write` stops it and is not an error. Errors: TT_ERR_MEMORY.
 */
struct tt_status tt_picture_write(enum tt_picture kind, const struct tt_grid *grid,
                                  const struct tt_theme *theme, int colors,
                                  bool (*write)(void *arg, const char *bytes, size_t length),
                                  void *arg);

#endif
