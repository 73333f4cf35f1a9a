/* SPDX-License-Identifier: Apache-2.0 */
/* theme: parses *.theme files on top of the table of roles. */
#define _XOPEN_SOURCE 700
#include "tui/draw/theme.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/digits.h"
#include "base/file_read.h"
#include "base/xdg.h"
#include "tracetui/text.h"
#include "tui/draw/builtin_themes.h"

#define PATH_BYTES  1024
#define THEME_BYTES 65536 /* maximum size of a theme file */

static const struct {
    const char *name;
    const char *style;
} role_table[TT_ROLE_COUNT] = {
#define X(id, name, style, help) {name, style},
    TT_ROLE_INFO(X)
#undef X
};

static const struct {
    const char *name;
    const char *texts[2];
} glyph_table[TT_GLYPH_COUNT] = {
#define X(id, name, utf8, ascii, help) {name, {utf8, ascii}},
    TT_GLYPH_INFO(X)
#undef X
};

static const char *const color_names[16] = {
    "black",        "red",           "green",       "yellow",         "blue",
    "magenta",      "cyan",          "white",       "bright-black",   "bright-red",
    "bright-green", "bright-yellow", "bright-blue", "bright-magenta", "bright-cyan",
    "bright-white",
};

static const struct {
    const char *name;
    uint8_t attr;
} attr_table[] = {
    {"bold", TT_ATTR_BOLD},       {"dim", TT_ATTR_DIM},       {"underline", TT_ATTR_UNDERLINE},
    {"reverse", TT_ATTR_REVERSE}, {"italic", TT_ATTR_ITALIC},
};

const char *tt_role_name(unsigned role)
{
    return role < TT_ROLE_COUNT ? role_table[role].name : "";
}

/* ---- parsing a line ------------------------------------------------------------------------ */

/* Parser state of one line; `error` is the first error, at byte `at`. */
struct line {
    const char *text;
    size_t length;
    size_t at;
    const char *error;
};

struct word {
    const char *text;
    size_t length;
};

static bool theme_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void theme_skip_blanks(struct line *line)
{
    while (line->at < line->length && theme_is_blank(line->text[line->at])) {
        line->at++;
    }
}

/* A `#` at the start of a word opens a comment, unless it starts a colour. */
static bool at_end(struct line *line)
{
    theme_skip_blanks(line);
    if (line->at == line->length) {
        return true;
    }
    return line->text[line->at] == '#' &&
           (line->at + 1 == line->length || theme_is_blank(line->text[line->at + 1]) ||
            line->at == 0);
}

static struct word theme_next_word(struct line *line, const char *stops)
{
    theme_skip_blanks(line);
    struct word word = {line->text + line->at, 0};
    while (line->at < line->length && !theme_is_blank(line->text[line->at]) &&
           !strchr(stops, line->text[line->at])) {
        line->at++;
        word.length++;
    }
    return word;
}

static bool word_is(struct word word, const char *text)
{
    return strlen(text) == word.length && memcmp(text, word.text, word.length) == 0;
}

static void theme_fail(struct line *line, const char *at, const char *error)
{
    if (!line->error) {
        line->error = error;
        line->at = (size_t)(at - line->text);
    }
}

static int theme_hex_digit(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool parse_rgb(struct word word, int16_t *color)
{
    int rgb[3] = {0, 0, 0};
    if (word.length != 7) {
        return false;
    }
    for (size_t i = 1; i < 7; i++) {
        int digit = theme_hex_digit(word.text[i]);
        if (digit < 0) {
            return false;
        }
        rgb[(i - 1) / 2] = rgb[(i - 1) / 2] * 16 + digit;
    }

    /* The nearest colour of the 6x6x6 cube or the grey ramp, by squared distance. */
    int cube[3];
    int cube_distance = 0;
    for (int i = 0; i < 3; i++) {
        cube[i] = rgb[i] < 48 ? 0 : rgb[i] < 115 ? 1 : (rgb[i] - 35) / 40;
        int value = cube[i] ? 55 + 40 * cube[i] : 0;
        cube_distance += (value - rgb[i]) * (value - rgb[i]);
    }
    int grey = (rgb[0] + rgb[1] + rgb[2]) / 3;
    int step = grey < 8 ? 0 : grey > 238 ? 23 : (grey - 3) / 10;
    int grey_distance = 0;
    for (int i = 0; i < 3; i++) {
        int value = 8 + 10 * step;
        grey_distance += (value - rgb[i]) * (value - rgb[i]);
    }
    int index =
        grey_distance < cube_distance ? 232 + step : 16 + 36 * cube[0] + 6 * cube[1] + cube[2];
    *color = (int16_t)index;

    return true;
}

static bool theme_parse_number(struct word word, int16_t *color)
{
    uint64_t value;
    size_t count = tt_digits_read(word.text, word.length, 10, &value);
    *color = (int16_t)value;
    return count > 0 && count == word.length && value <= 255;
}

static int16_t parse_color(struct line *line)
{
    struct word word = theme_next_word(line, "");
    int16_t color = TT_COLOR_DEFAULT;
    if (word.length == 0) {
        theme_fail(line, word.text, "a colour is missing: foreground and background are needed");
    } else if (word.text[0] == '#') {
        if (!parse_rgb(word, &color)) {
            theme_fail(line, word.text, "not a colour: #rrggbb needs six hexadecimal digits");
        }
    } else if (!word_is(word, "default") && !theme_parse_number(word, &color)) {
        int16_t i = 0;
        while (i < 16 && !word_is(word, color_names[i])) {
            i++;
        }
        if (i == 16) {
            theme_fail(line, word.text, "not a colour: default, a name, 0..255 or #rrggbb");
        } else {
            color = i;
        }
    }
    return color;
}

static struct tt_cell_style parse_style(struct line *line)
{
    struct tt_cell_style style = {TT_COLOR_DEFAULT, TT_COLOR_DEFAULT, 0};
    style.fg = parse_color(line);
    if (!line->error) {
        style.bg = parse_color(line);
    }
    if (!line->error) {
        uint8_t attrs = 0;
        while (!at_end(line) && !line->error) {
            if (line->text[line->at] == ',') {
                line->at++;
                continue;
            }
            struct word word = theme_next_word(line, ",");
            size_t i = 0;
            while (i < sizeof attr_table / sizeof *attr_table &&
                   !word_is(word, attr_table[i].name)) {
                i++;
            }
            if (i == sizeof attr_table / sizeof *attr_table) {
                theme_fail(line, word.text, "not an attribute: bold dim underline reverse italic");
            } else {
                attrs |= attr_table[i].attr;
            }
        }
        style.attrs = attrs;
    }
    return style;
}

/* Parses one code point in double quotes, one column wide. */
static uint32_t parse_glyph(struct line *line, bool ascii)
{
    theme_skip_blanks(line);
    const char *start = line->text + line->at;
    size_t left = line->length - line->at;
    uint32_t ch = 0;
    unsigned used = left > 2 && start[0] == '"' ? tt_utf8_decode(start + 1, left - 1, &ch) : 0;
    if (used == 0 || left < used + 2 || start[used + 1] != '"') {
        theme_fail(line, start, "a glyph is one character in double quotes");
        return '?';
    }
    line->at += used + 2;
    if (!tt_code_point_is_plain(ch) || (ascii && ch >= 0x7f)) {
        theme_fail(line, start,
                   ascii ? "the second glyph must be ASCII" : "not a printable character");
        return '?';
    }
    return ch;
}

/* ---- a theme ------------------------------------------------------------------------------- */

static void parse_value(struct tt_theme *theme, struct line *line, struct word key)
{
    struct word value;
    for (unsigned i = 0; i < TT_ROLE_COUNT; i++) {
        if (word_is(key, role_table[i].name)) {
            theme->styles[i] = parse_style(line);
            return;
        }
    }
    if (key.length > 6 && memcmp(key.text, "glyph.", 6) == 0) {
        struct word name = {key.text + 6, key.length - 6};
        for (unsigned i = 0; i < TT_GLYPH_COUNT; i++) {
            if (word_is(name, glyph_table[i].name)) {
                theme->glyphs[i][0] = parse_glyph(line, false);
                if (!line->error) {
                    theme->glyphs[i][1] = parse_glyph(line, true);
                }
                return;
            }
        }
        theme_fail(line, key.text, "no such glyph");
    } else if (word_is(key, "name")) {
        value = theme_next_word(line, "");
        if (value.length == 0 || value.length >= sizeof theme->name) {
            theme_fail(line, value.text, "a name has 1 to 31 characters");
            return;
        }
        memcpy(theme->name, value.text, value.length);
        theme->name[value.length] = '\0';
    } else if (word_is(key, "background")) {
        value = theme_next_word(line, "");
        theme->light = word_is(value, "light");
        if (!theme->light && !word_is(value, "dark")) {
            theme_fail(line, value.text, "background is dark or light");
        }
    } else {
        theme_fail(line, key.text, "no such role");
    }
}

static void parse_line(struct tt_theme *theme, struct line *line)
{
    if (at_end(line)) {
        return;
    }
    struct word key = theme_next_word(line, "=");
    theme_skip_blanks(line);
    if (key.length == 0 || line->at == line->length || line->text[line->at] != '=') {
        theme_fail(line, line->text + line->at,
                   "expected: role = foreground background attributes");
        return;
    }
    line->at++;
    parse_value(theme, line, key);
    if (!line->error && !at_end(line)) {
        theme_fail(line, line->text + line->at, "something is left over at the end of the line");
    }
}

/* Returns the column of a byte as an editor counts it, from 1. */
static size_t theme_column_of(const struct line *line)
{
    size_t column = 1;
    for (size_t i = 0; i < line->at; i++) {
        column += ((unsigned char)line->text[i] & 0xc0) != 0x80;
    }
    return column;
}

struct tt_status tt_theme_parse(struct tt_theme *theme, const char *file, const char *text,
                                size_t length)
{
    struct tt_theme parsed = *theme;
    unsigned number = 0;
    while (length > 0) {
        const char *end = memchr(text, '\n', length);
        struct line line = {text, end ? (size_t)(end - text) : length, 0, NULL};
        number++;
        parse_line(&parsed, &line);
        if (line.error) {
            return tt_error(TT_ERR_USAGE, "%s:%u:%zu: %s", file, number, theme_column_of(&line),
                            line.error);
        }
        size_t used = line.length + (end ? 1 : 0);
        text += used;
        length -= used;
    }
    *theme = parsed;
    return tt_ok();
}

void tt_theme_default(struct tt_theme *theme)
{
    memset(theme, 0, sizeof *theme);
    memcpy(theme->name, "default", sizeof "default");
    theme->cursor_bg = theme->selection_bg = TT_COLOR_DEFAULT;
    for (unsigned i = 0; i < TT_ROLE_COUNT; i++) {
        struct line line = {role_table[i].style, strlen(role_table[i].style), 0, NULL};
        theme->styles[i] = parse_style(&line);
    }
    for (unsigned i = 0; i < TT_GLYPH_COUNT; i++) {
        for (int ascii = 0; ascii < 2; ascii++) {
            const char *glyph = glyph_table[i].texts[ascii];
            tt_utf8_decode(glyph, strlen(glyph), &theme->glyphs[i][ascii]);
        }
    }
}

/* Loads a theme file; `label` is its name in error messages. */
static struct tt_status load_file(struct tt_theme *theme, const char *path, const char *label)
{
    char *text;
    size_t length;
    int error = tt_file_text(path, THEME_BYTES, &text, &length);
    if (error == EFBIG) {
        return tt_error(TT_ERR_USAGE, "%s: too long for a theme", path);
    }
    if (error != 0) {
        return tt_error_errno(error, path);
    }
    struct tt_status status = tt_theme_parse(theme, label, text, length);
    free(text);
    return status;
}

/* Writes the path of theme `name` in the user's theme directory. */
static bool own_theme_path(const char *name, char *path, size_t capacity)
{
    char file[PATH_BYTES];
    int length = snprintf(file, sizeof file, "themes/%s%s", name, *name ? ".theme" : "");
    return length > 0 && (size_t)length < sizeof file &&
           tt_xdg_path(TT_FOLDER_CONFIG, file, path, capacity);
}

void tt_theme_each(void (*take)(void *arg, const char *name, const char *where), void *arg)
{
    char path[PATH_BYTES];
    for (size_t i = 0; tt_builtin_themes[i].name; i++) {
        take(arg, tt_builtin_themes[i].name, "built in");
    }
    DIR *dir = own_theme_path("", path, sizeof path) ? opendir(path) : NULL;
    struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) {
        size_t length = strlen(entry->d_name);
        if (length > 6 && strcmp(entry->d_name + length - 6, ".theme") == 0) {
            entry->d_name[length - 6] = '\0';
            take(arg, entry->d_name, "user theme");
        }
    }
    if (dir) {
        closedir(dir);
    }
}

struct tt_status tt_theme_load(struct tt_theme *theme, const char *name)
{
    tt_theme_default(theme);
    if (strchr(name, '/')) {
        return load_file(theme, name, name);
    }
    char path[PATH_BYTES];
    if (own_theme_path(name, path, sizeof path)) {
        FILE *file = fopen(path, "rb");
        if (file) {
            fclose(file);
            return load_file(theme, path, strrchr(path, '/') + 1);
        }
    }
    for (size_t i = 0; tt_builtin_themes[i].name; i++) {
        if (strcmp(tt_builtin_themes[i].name, name) == 0) {
            return tt_theme_parse(theme, name, tt_builtin_themes[i].text,
                                  strlen(tt_builtin_themes[i].text));
        }
    }
    char there[160];
    struct tt_text text = tt_text_of(there, sizeof there);
    for (size_t i = 0; tt_builtin_themes[i].name; i++) {
        tt_text_char(&text, ' ');
        tt_text_str(&text, tt_builtin_themes[i].name);
    }
    return tt_error(TT_ERR_USAGE, "no theme \"%.60s\"; there are:%s", name, tt_text_cstr(&text));
}

/* Steps of brightness, of 255, between the terminal's background and those of overlays. */
#define CURSOR_STEP    28
#define SELECTION_STEP 40
#define DARK_MOST      114 /* a background with more brightness is light */

/* Returns the nearest of the 24 greys 232 (8) to 255 (238). */
static int16_t grey_of(int brightness)
{
    int step = (brightness - 8 + 5) / 10;
    return (int16_t)(232 + (brightness < 8 ? 0 : step > 23 ? 23 : step));
}

void tt_theme_use_background(struct tt_theme *theme, const struct tt_background *terminal)
{
    theme->cursor_bg = theme->selection_bg = TT_COLOR_DEFAULT;
    theme->has_shades = false;
    if (!terminal || !tt_theme_colored(theme) ||
        theme->styles[TT_ROLE_TEXT].bg != TT_COLOR_DEFAULT) {
        return;
    }
    /* Luma of Rec. 709, near enough to the lightness that is seen. */
    int luma = (int)((2126u * terminal->red + 7152u * terminal->green + 722u * terminal->blue) /
                     10000u / 257u);
    int way = luma > DARK_MOST ? -1 : 1;
    theme->has_shades = true;
    theme->is_dark = way > 0;
    theme->cursor_bg = grey_of(luma + way * CURSOR_STEP);
    theme->selection_bg = grey_of(luma + way * SELECTION_STEP);
}

bool tt_theme_has_lane_background(const struct tt_theme *theme)
{
    return theme->cursor_bg != TT_COLOR_DEFAULT ||
           theme->styles[TT_ROLE_LANE_CURRENT].bg != TT_COLOR_DEFAULT;
}

/* Returns the shade of a state behind a bar, the darkest or lightest one of 256 colours, or TT_COLOR_DEFAULT. */
static int16_t state_shade(const struct tt_theme *theme, unsigned over)
{
    static const uint8_t states[TT_ROLE_COUNT] = {
        [TT_ROLE_IPC_BEHIND] = TT_ROLE_IPC,
        [TT_ROLE_CONDITION_BEHIND] = TT_ROLE_CONDITION,
        [TT_ROLE_SLEEP_BEHIND] = TT_ROLE_SLEEP,
        [TT_ROLE_WAIT_BEHIND] = TT_ROLE_WAIT,
    };
    static const uint8_t shades[2][8] = {{231, 224, 194, 230, 189, 225, 195, 254},
                                         {234, 52, 22, 58, 17, 53, 23, 236}};
    const int16_t color = theme->styles[states[over]].fg;
    return states[over] == 0 || !theme->has_shades || color == TT_COLOR_DEFAULT
               ? TT_COLOR_DEFAULT
               : shades[theme->is_dark][tt_color_sixteen(color) & 7];
}

struct tt_cell_style tt_theme_style(const struct tt_theme *theme, unsigned role, unsigned over)
{
    struct tt_cell_style style = theme->styles[role];
    if (over != 0) {
        struct tt_cell_style upper = theme->styles[over];
        style.fg = upper.fg != TT_COLOR_DEFAULT ? upper.fg : style.fg;
        /* The grey of an overlay, or TT_COLOR_DEFAULT. */
        int16_t grey = over == TT_ROLE_CURSOR || over == TT_ROLE_LANE_CURRENT ? theme->cursor_bg
                       : over == TT_ROLE_SELECTION                            ? theme->selection_bg
                                                                              : TT_COLOR_DEFAULT;
        grey = grey == TT_COLOR_DEFAULT ? state_shade(theme, over) : grey;
        style.bg = upper.bg != TT_COLOR_DEFAULT ? upper.bg
                   : grey != TT_COLOR_DEFAULT   ? grey
                                                : style.bg;
        /* A bold overlay, such as the cursor's line, removes dim. */
        if (upper.attrs & TT_ATTR_BOLD) {
            style.attrs &= (uint8_t)~TT_ATTR_DIM;
        }
        /* A grey replaces the underline, which hides low bars. */
        style.attrs |=
            (uint8_t)(grey != TT_COLOR_DEFAULT ? upper.attrs & ~TT_ATTR_UNDERLINE : upper.attrs);
    }
    return style;
}

enum tt_glyph tt_glyph_find(const char *name, size_t length)
{
    unsigned glyph = 0;
    while (glyph < TT_GLYPH_COUNT && (strlen(glyph_table[glyph].name) != length ||
                                      memcmp(glyph_table[glyph].name, name, length) != 0)) {
        glyph++;
    }
    return (enum tt_glyph)glyph;
}

uint32_t tt_theme_glyph(const struct tt_theme *theme, unsigned glyph, bool ascii)
{
    return theme->glyphs[glyph][ascii ? 1 : 0];
}

int16_t tt_color_sixteen(int16_t color)
{
    if (color < 16) {
        return color;
    }
    int rgb[3];
    for (int i = 0; i < 3; i++) {
        static const int divisors[3] = {36, 6, 1};
        int step = (color - 16) / divisors[i] % 6;
        rgb[i] = color >= 232 ? 8 + 10 * (color - 232) : step ? 55 + 40 * step : 0;
    }
    int top = rgb[0] > rgb[1] ? rgb[0] : rgb[1];
    top = rgb[2] > top ? rgb[2] : top;
    if (top < 64) {
        return 0;
    }
    int bits = 0;
    for (int i = 0; i < 3; i++) {
        bits |= rgb[i] * 2 > top ? 1 << i : 0;
    }
    if (bits == 7) {
        return top < 160 ? 8 : top < 224 ? 7 : 15;
    }
    return (int16_t)(top > 200 ? bits + 8 : bits);
}

struct tt_cell_style tt_theme_fit(const struct tt_theme *theme, struct tt_cell_style style,
                                  int colors)
{
    if (colors >= 256) {
        return style;
    }
    if (colors <= 0) {
        if (style.bg != TT_COLOR_DEFAULT && style.bg != theme->styles[TT_ROLE_TEXT].bg) {
            style.attrs |= TT_ATTR_REVERSE;
        }
        style.fg = style.bg = TT_COLOR_DEFAULT;
        return style;
    }
    style.fg = tt_color_sixteen(style.fg);
    style.bg = tt_color_sixteen(style.bg);
    if (colors < 16 && style.fg >= 8) {
        style.fg = (int16_t)(style.fg - 8);
        style.attrs |= TT_ATTR_BOLD;
    }
    if (colors < 16 && style.bg >= 8) {
        style.bg = (int16_t)(style.bg - 8);
    }
    if (style.fg == style.bg && style.fg != TT_COLOR_DEFAULT) {
        style.fg = style.bg % 8 < 4 ? 7 : 0;
    }
    return style;
}

bool tt_theme_colored(const struct tt_theme *theme)
{
    for (unsigned role = TT_ROLE_RUNNING; role <= TT_ROLE_UNKNOWN; role++) {
        if (theme->styles[role].fg != TT_COLOR_DEFAULT) {
            return true;
        }
    }
    return false;
}
