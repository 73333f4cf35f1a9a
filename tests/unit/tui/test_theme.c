/* SPDX-License-Identifier: Apache-2.0 */
/* Themes: syntax, errors, and the shipped files. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alone.h"
#include "tracetui/text.h"
#include "tui/draw/builtin_themes.h"
#include "tui/draw/theme.h"

static struct tt_theme theme;

static struct tt_status parse(const char *text)
{
    tt_theme_default(&theme);
    return tt_theme_parse(&theme, "my.theme", text, strlen(text));
}

Test(tui_theme, a_role_has_two_colours_and_attributes)
{
    struct tt_status status = parse("# a comment\n\n cursor = 14 default bold, underline # why\n"
                                    "error=bright-red #ffffff\nname = mine\nbackground = light\n");
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_assert_eq(theme.styles[TT_ROLE_CURSOR].fg, 14);
    cr_assert_eq(theme.styles[TT_ROLE_CURSOR].bg, TT_COLOR_DEFAULT);
    cr_assert_eq(theme.styles[TT_ROLE_CURSOR].attrs, TT_ATTR_BOLD | TT_ATTR_UNDERLINE);
    cr_assert_eq(theme.styles[TT_ROLE_ERROR].fg, 9);
    cr_assert_eq(theme.styles[TT_ROLE_ERROR].bg, 231);
    cr_assert_eq(theme.styles[TT_ROLE_ERROR].attrs, 0);
    cr_assert_str_eq(theme.name, "mine");
    cr_assert(theme.light);
}

Test(tui_theme, colours_become_the_nearest_of_the_256)
{
    static const struct {
        const char *line;
        int16_t color;
    } cases[] = {
        {"text = #000000 default", 16},  {"text = #ff0000 default", 196},
        {"text = #5f87af default", 67},  {"text = #808080 default", 244},
        {"text = #eeeeee default", 255}, {"text = 208 default", 208},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tt_status status = parse(cases[i].line);
        cr_assert_not(tt_failed(&status));
        cr_assert_eq(theme.styles[TT_ROLE_TEXT].fg, cases[i].color, "%s: %d", cases[i].line,
                     theme.styles[TT_ROLE_TEXT].fg);
    }
}

Test(tui_theme, a_glyph_has_a_form_for_ascii)
{
    struct tt_status status = parse("glyph.cursor = \"█\" \"#\"\n");
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_assert_eq(tt_theme_glyph(&theme, TT_GLYPH_CURSOR, false), 0x2588);
    cr_assert_eq(tt_theme_glyph(&theme, TT_GLYPH_CURSOR, true), '#');
}

Test(tui_theme, errors_have_their_position)
{
    static const struct {
        const char *text;
        const char *place;
    } cases[] = {
        {"text = red default\ncurser = red default\n", "my.theme:2:1: "},
        {"text = redd default\n", "my.theme:1:8: "},
        {"text = red\n", "my.theme:1:11: "},
        {"text = 256 default\n", "my.theme:1:8: "},
        {"text = #12345 default\n", "my.theme:1:8: "},
        {"text = red default bald\n", "my.theme:1:20: "},
        {"text red default\n", "my.theme:1:6: "},
        {"glyph.cursor = \"█\" \"█\"\n", "my.theme:1:20: "},
        {"glyph.cursor = \"ab\" \"a\"\n", "my.theme:1:16: "},
        {"glyph.cursor = \"\x1b\" \"a\"\n", "my.theme:1:16: "},
        {"glyph.nope = \"a\" \"a\"\n", "my.theme:1:1: "},
        {"background = grey\n", "my.theme:1:14: "},
        {"name = a b\n", "my.theme:1:10: "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tt_status status = parse(cases[i].text);
        cr_assert(tt_failed(&status), "%s", cases[i].text);
        cr_assert_eq(strncmp(status.text, cases[i].place, strlen(cases[i].place)), 0, "%s: %s",
                     cases[i].text, status.text);
    }
}

Test(tui_theme, a_theme_with_an_error_changes_nothing)
{
    struct tt_status status = parse("text = red default\nnonsense\n");
    cr_assert(tt_failed(&status));
    cr_assert_eq(theme.styles[TT_ROLE_TEXT].fg, TT_COLOR_DEFAULT);
}

Test(tui_theme, every_shipped_theme_is_valid_and_sets_every_role)
{
    size_t count = 0;
    for (; tt_builtin_themes[count].name; count++) {
        const struct tt_builtin_theme *shipped = &tt_builtin_themes[count];
        struct tt_status status = tt_theme_load(&theme, shipped->name);
        cr_assert_not(tt_failed(&status), "%s", status.text);
        cr_assert_str_eq(theme.name, shipped->name);
        for (unsigned role = 0; role < TT_ROLE_COUNT; role++) {
            char line[64];
            snprintf(line, sizeof line, "\n%s = ", tt_role_name(role));
            cr_assert_not_null(strstr(shipped->text, line), "%s lacks %s", shipped->name,
                               tt_role_name(role));
        }
    }
    cr_assert_geq(count, 2);
}

Test(tui_theme, the_default_file_equals_the_table)
{
    struct tt_theme built_in, loaded;
    tt_theme_default(&built_in);
    struct tt_status status = tt_theme_load(&loaded, "default");
    cr_assert_not(tt_failed(&status));
    for (unsigned role = 0; role < TT_ROLE_COUNT; role++) {
        struct tt_cell_style a = built_in.styles[role], b = loaded.styles[role];
        cr_assert(a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs, "%s", tt_role_name(role));
    }
    for (unsigned glyph = 0; glyph < TT_GLYPH_COUNT; glyph++) {
        cr_assert_eq(built_in.glyphs[glyph][0], loaded.glyphs[glyph][0]);
        cr_assert_eq(built_in.glyphs[glyph][1], loaded.glyphs[glyph][1]);
        cr_assert_lt(loaded.glyphs[glyph][1], 0x7f);
    }
}

Test(tui_theme, the_page_of_themes_is_generated_from_the_tables)
{
    static char made[32768], kept[32768];
    struct tt_text text = tt_text_of(made, sizeof made);
    tt_theme_page(&text);
    cr_assert_not(text.truncated);
    tt_text_cstr(&text);
    FILE *file = fopen("docs/themes.md", "rb");
    cr_assert_not_null(file, "docs/themes.md is missing");
    kept[fread(kept, 1, sizeof kept - 1, file)] = '\0';
    fclose(file);
    if (strcmp(made, kept) != 0) {
        file = fopen("build/themes.md", "wb");
        if (file) {
            fwrite(made, 1, text.used, file);
            fclose(file);
        }
        cr_assert_fail("docs/themes.md is not as the tables have it: see build/themes.md");
    }
}

Test(tui_theme, the_mono_theme_has_no_colours)
{
    cr_assert_not(tt_failed(&(struct tt_status){.code = tt_theme_load(&theme, "mono").code}));
    for (unsigned role = 0; role < TT_ROLE_COUNT; role++) {
        cr_assert_eq(theme.styles[role].fg, TT_COLOR_DEFAULT, "%s", tt_role_name(role));
        cr_assert_eq(theme.styles[role].bg, TT_COLOR_DEFAULT, "%s", tt_role_name(role));
    }
}

Test(tui_theme, a_user_theme_precedes_a_shipped_one, ALONE)
{
    char dir[] = "/tmp/tt-theme-XXXXXX";
    cr_assert_not_null(mkdtemp(dir));
    char command[512];
    snprintf(
        command, sizeof command,
        "mkdir -p %s/tracetui/themes && echo 'text = 7 default' > %s/tracetui/themes/mono.theme",
        dir, dir);
    cr_assert_eq(system(command), 0);
    setenv("XDG_CONFIG_HOME", dir, 1);
    struct tt_status status = tt_theme_load(&theme, "mono");
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_assert_eq(theme.styles[TT_ROLE_TEXT].fg, 7);
    status = tt_theme_load(&theme, "nothing-like-it");
    cr_assert(tt_failed(&status));
    snprintf(command, sizeof command, "rm -r %s", dir);
    cr_assert_eq(system(command), 0);
}

Test(tui_theme, an_overlay_role_wins_unless_default)
{
    struct tt_status status = parse("time = red blue dim\ncursor = default 3 bold\n");
    cr_assert_not(tt_failed(&status));
    struct tt_cell_style style = tt_theme_style(&theme, TT_ROLE_TIME, TT_ROLE_CURSOR);
    cr_assert_eq(style.fg, 1);
    cr_assert_eq(style.bg, 3);
    cr_assert_eq(style.attrs, TT_ATTR_BOLD);
    style = tt_theme_style(&theme, TT_ROLE_TIME, 0);
    cr_assert_eq(style.attrs, TT_ATTR_DIM);
}
