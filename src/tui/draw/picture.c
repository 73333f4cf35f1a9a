/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/draw/picture.h"

#include <stdlib.h>
#include <string.h>

#include "tracetui/text.h"

/* A cell in tenths of a pixel, so that coordinates need no floating point. */
#define CELL_WIDTH  84u
#define CELL_HEIGHT 180u
#define BASELINE    138u
#define MARGIN      80u
#define RUN_BYTES   400u /* tags and attributes of one run */
#define CELL_BYTES  20u  /* a code point and a mark, escaped */
#define FONT        "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace"

struct paint {
    uint32_t fg; /* 0xrrggbb */
    uint32_t bg;
    bool has_bg;
    bool bold, italic, underline;
};

struct picture {
    enum tt_picture kind;
    const struct tt_grid *grid;
    const struct tt_theme *theme;
    int colors;
};

enum tt_picture tt_picture_of_path(const char *path)
{
    const char *dot = strrchr(path, '.');
    return !dot                        ? TT_PICTURE_NONE
           : strcmp(dot, ".svg") == 0  ? TT_PICTURE_SVG
           : strcmp(dot, ".html") == 0 ? TT_PICTURE_HTML
                                       : TT_PICTURE_NONE;
}

/* ---- colours ------------------------------------------------------------------------------ */

/* The 16 basic colours, on a dark and on a light background. */
static const uint32_t basic[2][16] = {
    {0x1e1e1e, 0xe06c75, 0x6cc070, 0xd7ba5a, 0x6a9fd8, 0xc586c0, 0x4ec9c9, 0xd0d0d0, 0x808080,
     0xff8a80, 0x9be29b, 0xf5e08a, 0x9cc4f5, 0xe5a5e5, 0x86e6e6, 0xffffff},
    {0x1c1c1c, 0xb3261e, 0x1d7a30, 0x8a6100, 0x1f5fbf, 0x8e3a9d, 0x007a80, 0x9a9a9a, 0x6b6b6b,
     0xd13c33, 0x2f9444, 0xa97800, 0x3b7ddd, 0xa957b8, 0x0a949b, 0xffffff},
};

static uint32_t default_fg(const struct tt_theme *theme)
{
    return theme->light ? 0x1c1c1c : 0xd0d0d0;
}

static uint32_t default_bg(const struct tt_theme *theme)
{
    return theme->light ? 0xffffff : 0x1e1e1e;
}

static uint32_t color_of(const struct tt_theme *theme, int16_t color, uint32_t default_color)
{
    static const uint8_t levels[6] = {0, 95, 135, 175, 215, 255};
    if (color < 0) {
        return default_color;
    }
    unsigned n = (unsigned)color & 255u;
    if (n < 16) {
        return basic[theme->light ? 1 : 0][n];
    }
    if (n >= 232) {
        uint32_t grey = 8 + 10 * (n - 232);
        return grey << 16 | grey << 8 | grey;
    }
    n -= 16;
    return (uint32_t)levels[n / 36] << 16 | (uint32_t)levels[n / 6 % 6] << 8 | levels[n % 6];
}

/* Returns the colour between two, `part` eighths of the way from `b` to `a`. */
static uint32_t mix(uint32_t a, uint32_t b, uint32_t part)
{
    uint32_t mixed = 0;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        uint32_t x = a >> shift & 255u, y = b >> shift & 255u;
        mixed |= (x * part + y * (8 - part)) / 8 << shift;
    }
    return mixed;
}

static struct paint paint_of_style(const struct tt_theme *theme, int colors, unsigned role,
                                   unsigned over)
{
    struct tt_cell_style style = tt_theme_fit(theme, tt_theme_style(theme, role, over), colors);
    uint32_t fg = color_of(theme, style.fg, default_fg(theme));
    uint32_t bg = color_of(theme, style.bg, default_bg(theme));
    bool reverse = style.attrs & TT_ATTR_REVERSE;
    struct paint paint = {.fg = style.attrs & TT_ATTR_DIM ? mix(fg, bg, 5) : fg,
                          .bg = bg,
                          .has_bg = style.bg != TT_COLOR_DEFAULT || reverse,
                          .bold = style.attrs & TT_ATTR_BOLD,
                          .italic = style.attrs & TT_ATTR_ITALIC,
                          .underline = style.attrs & TT_ATTR_UNDERLINE};
    if (reverse) {
        paint.bg = paint.fg;
        paint.fg = bg;
    }
    return paint;
}

static struct paint paint_of(const struct picture *picture, const struct tt_cell *cell)
{
    return paint_of_style(picture->theme, picture->colors, cell->role, cell->over);
}

static bool same_paint(struct paint a, struct paint b)
{
    return a.fg == b.fg && a.has_bg == b.has_bg && (!a.has_bg || a.bg == b.bg) &&
           a.bold == b.bold && a.italic == b.italic && a.underline == b.underline;
}

/* ---- text --------------------------------------------------------------------------------- */

static void put_code_point(struct tt_text *text, uint32_t ch)
{
    char utf8[4];
    bool allowed = ch >= 0x20 && (ch < 0xd800 || ch > 0xdfff) && ch != 0xfffe && ch != 0xffff;
    if (!tt_text_reference(text, ch)) {
        tt_text_bytes(text, utf8, tt_utf8_encode(allowed ? ch : 0xfffd, utf8));
    }
}

static void put_cells(const struct picture *picture, struct tt_text *text, int y, int from, int to)
{
    for (int x = from; x < to; x++) {
        const struct tt_cell *cell = tt_grid_at(picture->grid, x, y);
        if (cell->ch != 0) {
            put_code_point(text, cell->ch);
        }
        if (cell->mark != 0) {
            put_code_point(text, cell->mark);
        }
    }
}

static bool picture_is_blank(const struct picture *picture, int y, int from, int to)
{
    while (from < to && tt_grid_at(picture->grid, from, y)->ch == ' ') {
        from++;
    }
    return from == to;
}

static void put_color(struct tt_text *text, uint32_t color)
{
    tt_text_char(text, '#');
    tt_text_hex(text, color, 6);
}

/* Appends tenths as a decimal. */
static void picture_put_length(struct tt_text *text, const char *name, uint64_t tenths)
{
    tt_text_char(text, ' ');
    tt_text_str(text, name);
    tt_text_str(text, "=\"");
    tt_text_u64(text, tenths / 10);
    if (tenths % 10 != 0) {
        tt_text_char(text, '.');
        tt_text_u64(text, tenths % 10);
    }
    tt_text_char(text, '"');
}

/* ---- runs --------------------------------------------------------------------------------- */

static void put_rectangle(struct tt_text *text, uint64_t left, uint64_t top, uint64_t width)
{
    tt_text_str(text, "<rect");
    picture_put_length(text, "x", left);
    picture_put_length(text, "y", top);
    picture_put_length(text, "width", width);
    picture_put_length(text, "height", CELL_HEIGHT);
}

static void put_svg_run(const struct picture *picture, struct tt_text *text, int y, int from,
                        int to, struct paint paint)
{
    uint64_t left = MARGIN + CELL_WIDTH * (uint64_t)from,
             width = CELL_WIDTH * (uint64_t)(to - from);
    uint64_t top = MARGIN + CELL_HEIGHT * (uint64_t)y;
    if (paint.has_bg) {
        put_rectangle(text, left, top, width);
        tt_text_str(text, " fill=\"");
        put_color(text, paint.bg);
        tt_text_str(text, "\"/>\n");
    }
    if (picture_is_blank(picture, y, from, to) && !paint.underline) {
        return;
    }
    tt_text_str(text, "<text");
    picture_put_length(text, "x", left);
    picture_put_length(text, "y", top + BASELINE);
    picture_put_length(text, "textLength", width);
    if (paint.fg != default_fg(picture->theme)) {
        tt_text_str(text, " fill=\"");
        put_color(text, paint.fg);
        tt_text_char(text, '"');
    }
    tt_text_str(text, paint.bold ? " font-weight=\"bold\"" : "");
    tt_text_str(text, paint.italic ? " font-style=\"italic\"" : "");
    tt_text_str(text, paint.underline ? " text-decoration=\"underline\"" : "");
    tt_text_char(text, '>');
    put_cells(picture, text, y, from, to);
    tt_text_str(text, "</text>\n");
}

static void put_html_run(const struct picture *picture, struct tt_text *text, int y, int from,
                         int to, struct paint paint)
{
    bool plain = paint.fg == default_fg(picture->theme) && !paint.has_bg && !paint.bold &&
                 !paint.italic && !paint.underline;
    if (plain) {
        put_cells(picture, text, y, from, to);
        return;
    }
    tt_text_str(text, "<span style=\"color:");
    put_color(text, paint.fg);
    if (paint.has_bg) {
        tt_text_str(text, ";background:");
        put_color(text, paint.bg);
    }
    tt_text_str(text, paint.bold ? ";font-weight:bold" : "");
    tt_text_str(text, paint.italic ? ";font-style:italic" : "");
    tt_text_str(text, paint.underline ? ";text-decoration:underline" : "");
    tt_text_str(text, "\">");
    put_cells(picture, text, y, from, to);
    tt_text_str(text, "</span>");
}

static void picture_put_line(const struct picture *picture, struct tt_text *text, int y)
{
    const struct tt_grid *grid = picture->grid;
    for (int from = 0, to; from < grid->width; from = to) {
        struct paint paint = paint_of(picture, tt_grid_at(grid, from, y));
        for (to = from + 1; to < grid->width; to++) {
            const struct tt_cell *cell = tt_grid_at(grid, to, y);
            if (cell->ch != 0 && !same_paint(paint, paint_of(picture, cell))) {
                break;
            }
        }
        if (to == grid->width && !paint.has_bg && !paint.underline &&
            picture_is_blank(picture, y, from, to)) {
            break; /* trailing blanks */
        }
        (picture->kind == TT_PICTURE_SVG ? put_svg_run : put_html_run)(picture, text, y, from, to,
                                                                       paint);
    }
    if (picture->kind == TT_PICTURE_HTML) {
        tt_text_char(text, '\n');
    }
}

/* ---- the file ----------------------------------------------------------------------------- */

static void put_svg_begin(const struct picture *picture, struct tt_text *text)
{
    uint64_t width = 2 * MARGIN + CELL_WIDTH * (uint64_t)picture->grid->width;
    uint64_t height = 2 * MARGIN + CELL_HEIGHT * (uint64_t)picture->grid->height;
    tt_text_str(text, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    picture_put_length(text, "width", width);
    picture_put_length(text, "height", height);
    tt_text_str(text, " font-family=\"" FONT "\" font-size=\"14\" xml:space=\"preserve\" fill=\"");
    put_color(text, default_fg(picture->theme));
    tt_text_str(text, "\">\n<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"");
    put_color(text, default_bg(picture->theme));
    tt_text_str(text, "\"/>\n");
}

static void put_html_begin(const struct picture *picture, struct tt_text *text)
{
    tt_text_str(text, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      "<title>tracetui</title>\n</head>\n<body style=\"background:");
    put_color(text, default_bg(picture->theme));
    tt_text_str(text, "\">\n<pre style=\"font:14px/1.25 " FONT ";color:");
    put_color(text, default_fg(picture->theme));
    tt_text_str(text, "\">\n");
}

struct tt_status tt_picture_write(enum tt_picture kind, const struct tt_grid *grid,
                                  const struct tt_theme *theme, int colors, struct tt_sink *sink)
{
    const struct picture p = {kind, grid, theme, colors};
    bool svg = kind == TT_PICTURE_SVG;
    size_t capacity = ((size_t)grid->width + 2) * (RUN_BYTES + CELL_BYTES);
    char *line = malloc(capacity);
    if (!line) {
        return tt_error_memory();
    }
    struct tt_text text = tt_text_of(line, capacity);
    (svg ? put_svg_begin : put_html_begin)(&p, &text);
    for (int y = 0; y < grid->height && tt_sink_flush(sink, &text); y++) {
        picture_put_line(&p, &text, y);
    }
    tt_text_str(&text, svg ? "</svg>\n" : "</pre>\n</body>\n</html>\n");
    tt_sink_flush(sink, &text);
    free(line);
    return tt_ok();
}

/* ---- images inside a page ------------------------------------------------------------------- */

#define RULE_BYTES 256u

/* The paints of a style in both themes. */
struct paints {
    struct paint of[2];
};

/* Returns the paint of a style; the image itself has the background of plain text. */
static struct paint part_paint(const struct tt_theme *theme, unsigned role, unsigned over)
{
    struct paint plain = paint_of_style(theme, 256, TT_ROLE_TEXT, 0);
    struct paint paint = paint_of_style(theme, 256, role, over);
    paint.has_bg = paint.bg != plain.bg;
    return paint;
}

static struct paints paints_of(const struct tt_picture_styles *styles, unsigned role, unsigned over)
{
    struct paints paints;
    for (unsigned i = 0; i < 2; i++) {
        paints.of[i] = part_paint(styles->themes[i], role, over);
    }
    return paints;
}

static bool same_paints(struct paints a, struct paints b)
{
    return same_paint(a.of[0], b.of[0]) && same_paint(a.of[1], b.of[1]);
}

/* Returns the number of the cell's style, which is added if it is new; 0: plain text. */
static unsigned picture_style_of(struct tt_picture_styles *styles, const struct tt_cell *cell)
{
    if (styles->count == 0) {
        styles->styles[styles->count++] = (struct tt_picture_style){TT_ROLE_TEXT, 0};
    }
    for (unsigned i = 0; i < styles->count; i++) {
        if (styles->styles[i].role == cell->role && styles->styles[i].over == cell->over) {
            return i;
        }
    }
    if (styles->count == TT_PICTURE_STYLES) {
        return 0;
    }
    styles->styles[styles->count] = (struct tt_picture_style){cell->role, cell->over};
    return styles->count++;
}

static void put_class(struct tt_text *text, char kind, unsigned style)
{
    tt_text_str(text, " class=\"");
    tt_text_char(text, kind);
    tt_text_u64(text, style);
    tt_text_char(text, '"');
}

/* Writes the cells [from, to) of a line of the image; `style` is that of the first one. */
static void put_part_run(const struct picture *picture, struct tt_text *text, int line, int y,
                         int from, int to, unsigned style, struct paints paints)
{
    uint64_t left = CELL_WIDTH * (uint64_t)from, width = CELL_WIDTH * (uint64_t)(to - from);
    uint64_t top = CELL_HEIGHT * (uint64_t)line;
    if (paints.of[0].has_bg || paints.of[1].has_bg) {
        put_rectangle(text, left, top, width);
        put_class(text, 'b', style);
        tt_text_str(text, "/>\n");
    }
    bool underline = paints.of[0].underline || paints.of[1].underline;
    if (picture_is_blank(picture, y, from, to) && !underline) {
        return;
    }
    tt_text_str(text, "<text");
    picture_put_length(text, "x", left);
    picture_put_length(text, "y", top + BASELINE);
    picture_put_length(text, "textLength", width);
    if (style != 0) {
        put_class(text, 'f', style);
    }
    tt_text_char(text, '>');
    put_cells(picture, text, y, from, to);
    tt_text_str(text, "</text>\n");
}

static void put_part_line(const struct picture *picture, struct tt_text *text, int line, int y,
                          struct tt_picture_styles *styles)
{
    const struct tt_grid *grid = picture->grid;
    for (int from = 0, to; from < grid->width; from = to) {
        const struct tt_cell *first = tt_grid_at(grid, from, y);
        unsigned style = picture_style_of(styles, first);
        struct paints paints =
            paints_of(styles, styles->styles[style].role, styles->styles[style].over);
        for (to = from + 1; to < grid->width; to++) {
            const struct tt_cell *cell = tt_grid_at(grid, to, y);
            bool same = cell->role == first->role && cell->over == first->over;
            if (cell->ch != 0 && !same &&
                !same_paints(paints, paints_of(styles, cell->role, cell->over))) {
                break;
            }
        }
        put_part_run(picture, text, line, y, from, to, style, paints);
    }
}

struct tt_status tt_picture_write_part(const struct tt_grid *grid, int top, int bottom,
                                       struct tt_picture_styles *styles, struct tt_sink *sink)
{
    const struct picture p = {.kind = TT_PICTURE_SVG, .grid = grid, .theme = styles->themes[0]};
    size_t capacity = ((size_t)grid->width + 2) * (RUN_BYTES + CELL_BYTES);
    char *line = malloc(capacity);
    if (!line) {
        return tt_error_memory();
    }
    struct tt_text text = tt_text_of(line, capacity);

    int width = grid->width;
    int lines = bottom - top;
    char buffer[80];
    struct tt_text box = tt_text_of(buffer, sizeof buffer);
    picture_put_length(&box, "width", CELL_WIDTH * (uint64_t)width);
    picture_put_length(&box, "height", CELL_HEIGHT * (uint64_t)lines);
    tt_text_str(&text, "<svg class=\"picture\"");
    tt_text_bytes(&text, box.buffer, box.used);
    tt_text_str(&text, " viewBox=\"0 0 ");
    tt_text_u64(&text, CELL_WIDTH * (uint64_t)width / 10 + 1);
    tt_text_char(&text, ' ');
    tt_text_u64(&text, CELL_HEIGHT * (uint64_t)lines / 10);
    tt_text_str(&text, "\">\n");

    for (int y = top; y < bottom && tt_sink_flush(sink, &text); y++) {
        put_part_line(&p, &text, y - top, y, styles);
    }
    tt_text_str(&text, "</svg>\n");
    tt_sink_flush(sink, &text);
    free(line);
    return tt_ok();
}

void tt_picture_write_rules(const struct tt_picture_styles *styles, unsigned theme,
                            struct tt_sink *sink)
{
    char buffer[RULE_BYTES];
    for (unsigned i = 0; i < styles->count && !sink->stopped; i++) {
        struct tt_text text = tt_text_of(buffer, sizeof buffer);

        /* Appends the rules of a style; those of plain text are of the whole image. */
        struct paint paint =
            part_paint(styles->themes[theme], styles->styles[i].role, styles->styles[i].over);
        if (i == 0) {
            tt_text_str(&text, ".picture{background:");
            put_color(&text, paint.bg);
            tt_text_str(&text, ";fill:");
        } else {
            tt_text_str(&text, ".b");
            tt_text_u64(&text, i);
            tt_text_str(&text, "{fill:");
            if (paint.has_bg) {
                put_color(&text, paint.bg);
            } else {
                tt_text_str(&text, "none");
            }
            tt_text_str(&text, "}.f");
            tt_text_u64(&text, i);
            tt_text_str(&text, "{fill:");
        }
        put_color(&text, paint.fg);
        tt_text_str(&text, paint.bold ? ";font-weight:bold" : "");
        tt_text_str(&text, paint.italic ? ";font-style:italic" : "");
        tt_text_str(&text, paint.underline ? ";text-decoration:underline" : "");
        tt_text_str(&text, "}\n");

        tt_sink_flush(sink, &text);
    }
}
