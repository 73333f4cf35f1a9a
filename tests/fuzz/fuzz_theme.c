/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a theme. An error has its place and leaves the theme unchanged; an accepted theme
 * has existing colours and glyphs that a terminal can show.
 */
#include "fuzz.h"
#include "tui/draw/theme.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tt_theme theme, before;
    memset(&theme, 0, sizeof theme);
    tt_theme_default(&theme);
    before = theme;
    char *text = fuzz_copy(data, size, 0);
    struct tt_status status = tt_theme_parse(&theme, "a.theme", text, size);
    free(text);
    if (tt_failed(&status)) {
        require(strncmp(status.text, "a.theme:", 8) == 0);
        require(memcmp(&theme, &before, sizeof theme) == 0);
        return 0;
    }
    for (unsigned role = 0; role < TT_ROLE_COUNT; role++) {
        const struct tt_cell_style *style = &theme.styles[role];
        require(style->fg >= TT_COLOR_DEFAULT && style->fg < 256);
        require(style->bg >= TT_COLOR_DEFAULT && style->bg < 256);
    }
    for (unsigned glyph = 0; glyph < TT_GLYPH_COUNT; glyph++) {
        require(theme.glyphs[glyph][0] >= 0x20 && theme.glyphs[glyph][0] != 0x7f);
        require(theme.glyphs[glyph][1] >= 0x20 && theme.glyphs[glyph][1] < 0x7f);
    }
    require(memchr(theme.name, '\0', sizeof theme.name) != NULL);
    return 0;
}
