/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/model/terminal.h"

#include <stdio.h>

#include "base/clock.h"

struct tt_status tt_term_theme(struct tt_terminal *term, const char *name)
{
    struct tt_theme theme;
    struct tt_status status = tt_theme_load(&theme, name);
    if (!tt_failed(&status)) {
        term->theme = theme;
        snprintf(term->theme_from, sizeof term->theme_from, "%s", name);
        term->colored = term->has_colors && tt_theme_colored(&term->theme);
        tt_term_use_glyphs(term);
        tt_term_use_background(term);
    }
    return status;
}

void tt_term_use_background(struct tt_terminal *term)
{
    static const struct tt_background chosen[] = {
        [TT_BACKGROUND_DARK] = {0, 0, 0},
        [TT_BACKGROUND_LIGHT] = {0xffff, 0xffff, 0xffff},
    };
    const struct tt_background *background = &chosen[term->background];
    bool known = term->background != TT_BACKGROUND_AUTO || term->has_reported;
    if (term->background == TT_BACKGROUND_AUTO) {
        background = &term->reported;
    }
    tt_theme_use_background(&term->theme, term->greys && known ? background : NULL);
}

void tt_term_use_glyphs(struct tt_terminal *term)
{
    term->grid.ascii =
        term->glyphs == TT_GLYPHS_AUTO ? term->ascii_locale : term->glyphs == TT_GLYPHS_ASCII;
    term->grid.ellipsis = tt_term_glyph(term, TT_GLYPH_ELLIPSIS);
}

uint32_t tt_term_glyph(const struct tt_terminal *term, enum tt_glyph glyph)
{
    return tt_theme_glyph(&term->theme, glyph, term->grid.ascii);
}

void tt_term_draw_cursor(const struct tt_terminal *term, struct tt_area line, int name)
{
    struct tt_cell_style style = tt_theme_style(&term->theme, TT_ROLE_TEXT, TT_ROLE_CURSOR);
    struct tt_cell_style text = tt_theme_style(&term->theme, TT_ROLE_TEXT, 0);
    bool bar = style.bg != text.bg || (style.attrs & (TT_ATTR_REVERSE | TT_ATTR_UNDERLINE)) != 0;
    tt_draw_over(line, 1, 0, (bar ? line.width : name) - 1, TT_ROLE_CURSOR);
    tt_draw_fill(line, 0, 0, 1, TT_ROLE_CURSOR_MARK, tt_term_glyph(term, TT_GLYPH_CURSOR));
}

uint64_t tt_term_share(const struct tt_terminal *term, unsigned n)
{
    uint64_t now = tt_now_ns();
    return term->frame_ends > now ? now + (term->frame_ends - now) / n : now;
}

uint64_t tt_term_report(const struct tt_terminal *term, uint64_t ns)
{
    return term->patient ? UINT64_MAX : tt_now_ns() + ns;
}
