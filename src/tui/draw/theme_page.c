/* SPDX-License-Identifier: Apache-2.0 */
/* theme_page: generates docs/themes.md from the tables of roles and glyphs. */
#include <string.h>

#include "tracetui/text.h"
#include "tui/draw/builtin_themes.h"
#include "tui/draw/theme.h"

static const char head[] =
    "# Themes\n\n"
    "A theme assigns colours and glyphs to the parts of the screen. `--theme NAME` selects a "
    "built-in theme\nor `$XDG_CONFIG_HOME/tracetui/themes/NAME.theme`; `--theme PATH`, with a "
    "slash, reads that file.\nThis page is generated from the tables in "
    "`src/tui/draw/theme.h`.\n\n"
    "```text\n"
    "# a comment\n"
    "name = mine\n"
    "background = dark\n"
    "cursor = 14 default bold\n"
    "glyph.cursor = \"▌\" \">\"\n"
    "```\n\n"
    "A line sets the foreground, background and attributes of a role. A colour is `default` (the "
    "terminal's\nown), `black red green yellow blue magenta cyan white` or one of these with "
    "`bright-` before it, a\nnumber from 0 to 255, or `#rrggbb`, which becomes the nearest of the "
    "256. Attributes are `bold dim\nunderline reverse italic`. A glyph has two forms: UTF-8 "
    "and ASCII. Missing roles and glyphs are as in\n`default`. An error is reported with file, "
    "line "
    "and column, and the file is not used.\n\n"
    "With `NO_COLOR` set, or `--color never`, only attributes are used. Terminals with 16 or 8\n"
    "colours get the nearest ones.\n\n"
    "A theme that leaves the backgrounds to the terminal, as `default` does, gets greys below the "
    "cursor's line,\nthe current lane and the selection if the terminal has 256 colours and "
    "reports its background (OSC 11):\nlighter than a dark background, darker than a light one. "
    "`:set background dark` or `light` is for terminals\nthat do not report it. A background in "
    "the theme is kept.\n";

struct row {
    const char *name;
    const char *second;
    const char *third;
    const char *help;
};

static const struct row roles[] = {
#define X(id, name, style, help) {name, style, NULL, help},
    TT_ROLE_INFO(X)
#undef X
};

static const struct row glyphs[] = {
#define X(id, name, utf8, ascii, help) {name, utf8, ascii, help},
    TT_GLYPH_INFO(X)
#undef X
};

static void write_code(struct tt_text *text, const char *prefix, const char *code)
{
    tt_text_str(text, " `");
    tt_text_str(text, prefix);
    tt_text_str(text, code);
    tt_text_str(text, "` |");
}

static void write_rows(struct tt_text *text, const struct row *rows, size_t count,
                       const char *prefix)
{
    for (size_t i = 0; i < count; i++) {
        tt_text_char(text, '|');
        write_code(text, prefix, rows[i].name);
        write_code(text, "", rows[i].second);
        if (rows[i].third) {
            write_code(text, "", rows[i].third);
        }
        tt_text_char(text, ' ');
        tt_text_str(text, rows[i].help);
        tt_text_str(text, " |\n");
    }
}

void tt_theme_page(struct tt_text *text)
{
    tt_text_str(text, head);
    tt_text_str(text, "\n## Built in\n\n| theme | |\n|---|---|\n");
    for (size_t i = 0; tt_builtin_themes[i].name; i++) {
        /* Writes a theme's name and the description in the second line of its file. */
        const struct tt_builtin_theme *theme = &tt_builtin_themes[i];
        const char *line = strchr(theme->text, '\n');
        line = line && line[1] == '#' ? line + 3 : "";
        tt_text_str(text, "| `");
        tt_text_str(text, theme->name);
        tt_text_str(text, "` | ");
        tt_text_bytes(text, line, strcspn(line, "\n"));
        tt_text_str(text, " |\n");
    }
    tt_text_str(text,
                "\nIn each of them any two classes of a thread's state differ by their glyph, "
                "and, but for `mono`, by\ntheir colour; a test computes the contrast of those "
                "with a background of their own.\n\n"
                "## Roles\n\n| role | default | what it is for |\n|---|---|---|\n");
    write_rows(text, roles, sizeof roles / sizeof *roles, "");
    tt_text_str(text, "\n## Glyphs\n\n| glyph | UTF-8 | ASCII | what it is for |\n"
                      "|---|---|---|---|\n");
    write_rows(text, glyphs, sizeof glyphs / sizeof *glyphs, "glyph.");
}
