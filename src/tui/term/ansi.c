/* SPDX-License-Identifier: Apache-2.0 */
/* ansi: writes styles as escape sequences. */
#include "tui/term/ansi.h"

#include <string.h>

size_t tt_ansi_line_size(int width)
{
    return (size_t)width * (TT_ANSI_STYLE_BYTES + 8) + TT_ANSI_STYLE_BYTES;
}

/* Appends a colour's SGR parameters: 30..37 and 90..97, else 38;5;n; background: 40.., 48. */
static void write_color(struct tt_text *text, int16_t color, unsigned base)
{
    uint64_t number = (uint8_t)color;
    tt_text_char(text, ';');
    if (number < 8) {
        tt_text_u64(text, base + number);
    } else if (number < 16) {
        tt_text_u64(text, base + 52 + number);
    } else {
        tt_text_u64(text, base + 8);
        tt_text_str(text, ";5;");
        tt_text_u64(text, number);
    }
}

/* The longest: ESC [ 0 ; 1 ; 2 ; 3 ; 4 ; 7 ; 38 ; 5 ; 255 ; 48 ; 5 ; 255 m */
void tt_ansi_style(struct tt_text *text, struct tt_cell_style style)
{
    static const struct {
        uint8_t attr, code;
    } codes[] = {{TT_ATTR_BOLD, 1},
                 {TT_ATTR_DIM, 2},
                 {TT_ATTR_ITALIC, 3},
                 {TT_ATTR_UNDERLINE, 4},
                 {TT_ATTR_REVERSE, 7}};
    tt_text_str(text, "\x1b[0");
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        if (style.attrs & codes[i].attr) {
            tt_text_char(text, ';');
            tt_text_u64(text, codes[i].code);
        }
    }
    if (style.fg != TT_COLOR_DEFAULT) {
        write_color(text, style.fg, 30);
    }
    if (style.bg != TT_COLOR_DEFAULT) {
        write_color(text, style.bg, 40);
    }
    tt_text_char(text, 'm');
}

static bool same_style(struct tt_cell_style a, struct tt_cell_style b)
{
    return a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs;
}

/* Returns whether the cell is a blank without visible style. */
static bool is_nothing(const struct tt_cell *cell, struct tt_cell_style style)
{
    return cell->ch == ' ' && style.bg == TT_COLOR_DEFAULT &&
           (style.attrs & (TT_ATTR_REVERSE | TT_ATTR_UNDERLINE)) == 0;
}

void tt_ansi_line(struct tt_text *text, const struct tt_grid *grid, const struct tt_theme *theme,
                  int colors, int y)
{
    const struct tt_cell_style plain = {TT_COLOR_DEFAULT, TT_COLOR_DEFAULT, 0};
    struct tt_cell_style now = plain;
    if (colors == 0) {
        tt_grid_line(grid, y, text);
        return;
    }
    int end = grid->width;
    while (end > 0) {
        const struct tt_cell *cell = tt_grid_at(grid, end - 1, y);
        if (!is_nothing(cell, tt_theme_style(theme, cell->role, cell->over))) {
            break;
        }
        end--;
    }
    for (int x = 0; x < end; x++) {
        const struct tt_cell *cell = tt_grid_at(grid, x, y);
        struct tt_cell_style style =
            tt_theme_fit(theme, tt_theme_style(theme, cell->role, cell->over), colors);
        char utf8[4];
        if (cell->ch == 0) {
            continue; /* the right half of a wide character */
        }
        if (!same_style(style, now)) {
            tt_ansi_style(text, style);
            now = style;
        }
        tt_text_bytes(text, utf8, tt_utf8_encode(cell->ch, utf8));
        if (cell->mark) {
            tt_text_bytes(text, utf8, tt_utf8_encode(cell->mark, utf8));
        }
    }
    if (!same_style(now, plain)) {
        tt_text_str(text, "\x1b[0m");
    }
}
