/* SPDX-License-Identifier: Apache-2.0 */
/*
 * paint: a grid as text for a terminal, with the theme's colours as SGR sequences
 * (ECMA-48, 8.3.117) or without any. For what is printed; screen.c paints on a terminal that it
 * holds.
 *
 * Pure functions.
 */
#ifndef TRACETUI_TUI_TERM_ANSI_H
#define TRACETUI_TUI_TERM_ANSI_H

#include "tracetui/text.h"
#include "tui/draw/grid.h"
#include "tui/draw/theme.h"

/* Bytes that a line of so many columns needs at most. */
size_t tt_ansi_line_size(int width);

/*
 * A line, without newline. `colors`: 256, 16, or 0 for text alone. Blanks at its end are left out
 * where they have no look of their own.
 */
void tt_ansi_line(struct tt_text *text, const struct tt_grid *grid, const struct tt_theme *theme,
                  int colors, int y);

#endif
