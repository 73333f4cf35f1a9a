/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ansi: renders a grid as terminal text, with the theme's colours as SGR sequences (ECMA-48,
 * 8.3.117) or without colours. For printed output; screen.c draws on the interactive terminal.
 *
 * Pure functions.
 */
#ifndef TRACETUI_TUI_TERM_ANSI_H
#define TRACETUI_TUI_TERM_ANSI_H

#include "tracetui/text.h"
#include "tui/draw/grid.h"
#include "tui/draw/theme.h"

/* Appends the sequence that sets a style, at most TT_ANSI_STYLE_BYTES; it needs no other before it. */
#define TT_ANSI_STYLE_BYTES 40
void tt_ansi_style(struct tt_text *text, struct tt_cell_style style);

/* Returns the maximum size in bytes of a line of `width` columns. */
size_t tt_ansi_line_size(int width);

/*
 * Appends line y without a newline. `colors`: 256, 16, or 0 for text without colours. Omits
 * trailing blanks that have no visible style.
 */
void tt_ansi_line(struct tt_text *text, const struct tt_grid *grid, const struct tt_theme *theme,
                  int colors, int y);

#endif
