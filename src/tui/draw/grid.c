/* SPDX-License-Identifier: Apache-2.0 */
/* grid: cells, and drawing of text by display width. */
#define _XOPEN_SOURCE 700
#include "tui/draw/grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define LINE_BYTES 4096 /* of a text by a format */
#define GRID_LIMIT 4096 /* columns or rows; no terminal has more, and the product fits an int */

bool tt_grid_resize(struct tt_grid *grid, int width, int height)
{
    width = width < 0 ? 0 : width > GRID_LIMIT ? GRID_LIMIT : width;
    height = height < 0 ? 0 : height > GRID_LIMIT ? GRID_LIMIT : height;
    if (width != grid->width || height != grid->height) {
        size_t count = (size_t)width * (size_t)height;
        struct tt_cell *cells = calloc(count ? count : 1, sizeof *cells);
        if (!cells) {
            return false;
        }
        free(grid->cells);
        grid->cells = cells;
        grid->width = width;
        grid->height = height;
    }
    tt_grid_clear(grid);
    return true;
}

void tt_grid_free(struct tt_grid *grid)
{
    free(grid->cells);
    grid->cells = NULL;
    grid->width = 0;
    grid->height = 0;
}

void tt_grid_clear(struct tt_grid *grid)
{
    grid->caret_x = -1;
    grid->caret_y = -1;
    tt_draw_blank(tt_grid_area(grid), 0, 0, grid->width, grid->height);
}

struct tt_cell *tt_grid_at(const struct tt_grid *grid, int x, int y)
{
    return &grid->cells[(size_t)y * (size_t)grid->width + (size_t)x];
}

struct tt_area tt_grid_area(struct tt_grid *grid)
{
    struct tt_area area = {grid, 0, 0, grid->width, grid->height};
    return area;
}

/* Clips [*start, *start + *length) to [0, limit). */
static void cut_range(int *start, int *length, int limit)
{
    if (*start < 0) {
        *length += *start;
        *start = 0;
    }
    if (*length > limit - *start) {
        *length = limit - *start;
    }
    if (*length < 0) {
        *length = 0;
    }
}

struct tt_area tt_area_part(struct tt_area area, int x, int y, int width, int height)
{
    cut_range(&x, &width, area.width);
    cut_range(&y, &height, area.height);
    struct tt_area part = {area.grid, area.x + x, area.y + y, width, height};
    return part;
}

/*
 * One drawable unit of a text: a code point with its width, or the characters of an escape. The
 * longest escape is that of a four-byte sequence: \xNN\xNN\xNN\xNN.
 */
struct glyph {
    uint32_t ch[16];
    int count;     /* cells, or 1 for a wide character, 0 for a combining mark */
    int columns;   /* 0: a combining mark, in ch[0] */
    size_t length; /* bytes consumed from the text */
};

static void escape_byte(struct glyph *glyph, unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t *out = glyph->ch + glyph->count;
    out[0] = '\\';
    out[1] = 'x';
    out[2] = (uint32_t)digits[byte >> 4];
    out[3] = (uint32_t)digits[byte & 15];
    glyph->count += 4;
    glyph->columns += 4;
}

static struct glyph next_glyph(const struct tt_grid *grid, const char *text, size_t length)
{
    struct glyph glyph = {{0}, 0, 0, 1};
    unsigned char first = (unsigned char)text[0];
    if (first >= 0x20 && first < 0x7f) {
        glyph.ch[0] = first;
        glyph.count = glyph.columns = 1;
        return glyph;
    }
    uint32_t ch = 0;
    unsigned used = tt_utf8_decode(text, length, &ch);
    int columns = -1;
    if (used > 0) {
        glyph.length = used;
        if (!grid->ascii && ch >= 0xa0 && tt_code_point_is_plain(ch)) {
            columns = wcwidth((wchar_t)ch);
        }
    }
    if (columns >= 0) {
        glyph.ch[0] = ch;
        glyph.count = columns > 0;
        glyph.columns = columns;
        return glyph;
    }
    for (size_t i = 0; i < glyph.length; i++) {
        escape_byte(&glyph, (unsigned char)text[i]);
    }
    return glyph;
}

int tt_grid_columns(const struct tt_grid *grid, const char *text, size_t length)
{
    int columns = 0;
    while (length > 0) {
        struct glyph glyph = next_glyph(grid, text, length);
        columns += glyph.columns;
        text += glyph.length;
        length -= glyph.length;
    }
    return columns;
}

size_t tt_grid_fitting(const struct tt_grid *grid, const char *text, size_t length, int width)
{
    size_t used = 0;
    int columns = 0;
    while (used < length) {
        struct glyph glyph = next_glyph(grid, text + used, length - used);
        columns += glyph.columns;
        if (columns > width && used > 0) {
            break;
        }
        used += glyph.length;
    }
    return used;
}

/* Sets a cell; blanks the remaining half of an overwritten wide character. */
static void grid_put(struct tt_area area, int x, int y, uint32_t ch, unsigned role)
{
    if (x < 0 || y < 0 || x >= area.width || y >= area.height) {
        return;
    }
    int column = area.x + x;
    struct tt_cell *cell = tt_grid_at(area.grid, column, area.y + y);
    if (cell->ch == 0 && column > 0 && ch != 0) {
        cell[-1].ch = ' ';
        cell[-1].mark = 0;
    }
    if (column + 1 < area.grid->width && cell[1].ch == 0) {
        cell[1].ch = ' ';
    }
    cell->ch = ch;
    cell->mark = 0;
    cell->role = (uint8_t)role;
}

static void put_mark(struct tt_area area, int x, int y, uint32_t mark)
{
    if (x < 0 || y < 0 || x >= area.width || y >= area.height) {
        return;
    }
    struct tt_cell *cell = tt_grid_at(area.grid, area.x + x, area.y + y);
    if (cell->ch == 0 && x > 0) {
        cell--;
    }
    if (cell->ch > ' ' && cell->mark == 0) {
        cell->mark = mark;
    }
}

static void put_glyph(struct tt_area area, int x, int y, unsigned role, const struct glyph *glyph)
{
    if (glyph->columns == 0) {
        put_mark(area, x - 1, y, glyph->ch[0]);
    } else if (glyph->count == 1 && glyph->columns == 2) {
        if (x + 1 < area.width) {
            grid_put(area, x, y, glyph->ch[0], role);
            grid_put(area, x + 1, y, 0, role);
        } else {
            grid_put(area, x, y, ' ', role);
        }
    } else {
        for (int i = 0; i < glyph->count; i++) {
            grid_put(area, x + i, y, glyph->ch[i], role);
        }
    }
}

/* Draws the part that fits in `width` columns, no ellipsis; *rest: some text did not fit. */
static int draw_fitting(struct tt_area area, int x, int y, int width, unsigned role,
                        const char *text, size_t length, bool *rest)
{
    int used = 0;
    while (length > 0) {
        struct glyph glyph = next_glyph(area.grid, text, length);
        if (used + glyph.columns > width) {
            *rest = true;
            return used;
        }
        put_glyph(area, x + used, y, role, &glyph);
        used += glyph.columns;
        text += glyph.length;
        length -= glyph.length;
    }
    *rest = false;
    return used;
}

int tt_draw_text(struct tt_area area, int x, int y, int width, unsigned role, const char *text,
                 size_t length)
{
    if (width > area.width - x) {
        width = area.width - x;
    }
    if (width <= 0 || y < 0 || y >= area.height) {
        return 0;
    }
    bool rest;
    int used = draw_fitting(area, x, y, width, role, text, length, &rest);
    if (!rest) {
        return used;
    }
    /* Leaves the last column for the ellipsis. */
    int kept = draw_fitting(area, x, y, width - 1, role, text, length, &rest);
    for (int i = kept; i < width; i++) {
        grid_put(area, x + i, y, i == width - 1 ? area.grid->ellipsis : ' ', role);
    }
    return width;
}

int tt_draw(struct tt_area area, int x, int y, int width, unsigned role, const char *text)
{
    return tt_draw_text(area, x, y, width, role, text, strlen(text));
}

int tt_draw_scrolled(struct tt_area area, int x, int y, int width, unsigned role, const char *text,
                     size_t length, int skip)
{
    if (skip <= 0) {
        return tt_draw_text(area, x, y, width, role, text, length);
    }
    /* The first column indicates hidden text to the left. */
    int gone = 0;
    while (length > 0 && gone < skip + 1) {
        struct glyph glyph = next_glyph(area.grid, text, length);
        gone += glyph.columns;
        text += glyph.length;
        length -= glyph.length;
    }
    if (gone == 0 || width <= 0) {
        return 0;
    }
    grid_put(area, x, y, area.grid->ellipsis, role);
    int shift = gone > skip ? gone - skip : 1;
    return shift + tt_draw_text(area, x + shift, y, width - shift, role, text, length);
}

void tt_draw_right(struct tt_area area, int x, int y, int width, unsigned role, const char *text)
{
    int columns = tt_grid_columns(area.grid, text, strlen(text));
    int shift = columns < width ? width - columns : 0;
    tt_draw(area, x + shift, y, width - shift, role, text);
}

int tt_draw_put(struct tt_area area, int x, int y, int width, unsigned role, const char *format,
                ...)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    va_list list;
    va_start(list, format);
    tt_text_put_list(&text, format, list);
    va_end(list);
    return tt_draw_text(area, x, y, width, role, buffer, text.used);
}

void tt_draw_put_right(struct tt_area area, int x, int y, int width, unsigned role,
                       const char *format, ...)
{
    char buffer[LINE_BYTES];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    va_list list;
    va_start(list, format);
    tt_text_put_list(&text, format, list);
    va_end(list);
    tt_draw_right(area, x, y, width, role, tt_text_cstr(&text));
}

void tt_draw_fill(struct tt_area area, int x, int y, int width, unsigned role, uint32_t ch)
{
    cut_range(&x, &width, area.width);
    for (int i = 0; i < width; i++) {
        grid_put(area, x + i, y, ch, role);
    }
}

void tt_draw_over(struct tt_area area, int x, int y, int width, unsigned over)
{
    cut_range(&x, &width, area.width);
    if (y < 0 || y >= area.height) {
        return;
    }
    for (int i = 0; i < width; i++) {
        tt_grid_at(area.grid, area.x + x + i, area.y + y)->over = (uint8_t)over;
    }
}

void tt_draw_blank(struct tt_area area, int x, int y, int width, int height)
{
    struct tt_area part = tt_area_part(area, x, y, width, height);
    for (int row = 0; row < part.height; row++) {
        for (int column = 0; column < part.width; column++) {
            grid_put(part, column, row, ' ', 0);
            tt_grid_at(part.grid, part.x + column, part.y + row)->over = 0;
        }
    }
}

void tt_grid_line(const struct tt_grid *grid, int y, struct tt_text *text)
{
    int end = grid->width;
    while (end > 0 && tt_grid_at(grid, end - 1, y)->ch == ' ') {
        end--;
    }
    for (int x = 0; x < end; x++) {
        const struct tt_cell *cell = tt_grid_at(grid, x, y);
        char bytes[4];
        if (cell->ch != 0) {
            tt_text_bytes(text, bytes, tt_utf8_encode(cell->ch, bytes));
        }
        if (cell->mark != 0) {
            tt_text_bytes(text, bytes, tt_utf8_encode(cell->mark, bytes));
        }
    }
}

size_t tt_utf8_encode(uint32_t ch, char *out)
{
    if (ch < 0x80) {
        out[0] = (char)ch;
        return 1;
    }
    if (ch < 0x800) {
        out[0] = (char)(0xc0 | ch >> 6);
        out[1] = (char)(0x80 | (ch & 0x3f));
        return 2;
    }
    if (ch < 0x10000) {
        out[0] = (char)(0xe0 | ch >> 12);
        out[1] = (char)(0x80 | (ch >> 6 & 0x3f));
        out[2] = (char)(0x80 | (ch & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | (ch >> 18 & 7));
    out[1] = (char)(0x80 | (ch >> 12 & 0x3f));
    out[2] = (char)(0x80 | (ch >> 6 & 0x3f));
    out[3] = (char)(0x80 | (ch & 0x3f));
    return 4;
}
