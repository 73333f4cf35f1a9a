/* SPDX-License-Identifier: Apache-2.0 */
/*
 * screen_draw: passes a frame to curses, which sends the difference from the shown one.
 *
 * A line on which a frame takes long gets a frame in parts (pace.h): only some rows of the frame are passed to
 * curses, the others with the next one. How many follows from an estimate of their bytes, since curses
 * does not report what it sends.
 */
#define _XOPEN_SOURCE    700
#define NCURSES_WIDECHAR 1
#include "tui/term/screen_internal.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

/* A line that carries less in TT_PACE_PART_NS is slow: about a full frame. */
#define SLOW_PART 4096u
/* Lines at the bottom, with the prompt, that the frame of a key begins with on a slow line. */
#define KEY_LINES 3
/* Estimated bytes of scrolling a row into place, of moving the cursor, and of changing the style. */
#define SCROLL_BYTES 4u
#define MOVE_BYTES   6u
#define STYLE_BYTES  10u

static bool same_style(struct tt_cell_style left, struct tt_cell_style right)
{
    return left.fg == right.fg && left.bg == right.bg && left.attrs == right.attrs;
}

static bool same_cell(const struct tt_screen_cell *left, const struct tt_screen_cell *right)
{
    return left->ch == right->ch && left->mark == right->mark &&
           same_style(left->style, right->style);
}

static struct tt_screen_cell *screen_row(const struct tt_screen *screen,
                                         struct tt_screen_cell *cells, int y)
{
    return cells + (size_t)y * (size_t)screen->width;
}

/* Sets the size of the frames; false if out of memory. */
static bool fit_cells(struct tt_screen *screen, int width, int height)
{
    size_t count = (size_t)width * (size_t)height;
    struct tt_screen_cell *sent = realloc(screen->sent, count * sizeof *sent);
    screen->sent = sent ? sent : screen->sent;
    struct tt_screen_cell *cells = realloc(screen->cells, count * sizeof *cells);
    screen->cells = cells ? cells : screen->cells;
    cchar_t *row = realloc(screen->row, (size_t)width * sizeof *row);
    screen->row = row ? row : screen->row;
    screen->width = sent && cells && row ? width : 0;
    screen->height = sent && cells && row ? height : 0;
    return screen->width > 0;
}

/* Returns whether the cell shows nothing but its background. */
static bool is_blank(const struct tt_screen_cell *cell)
{
    return cell->ch == ' ' && cell->mark == 0 &&
           !(cell->style.attrs & (TT_ATTR_REVERSE | TT_ATTR_UNDERLINE));
}

/*
 * Resolves the styles of a row. Cells that look alike get the style that takes fewer bytes: a blank that of its
 * left neighbour, if the background is the same, and none at the end of the row, which is erased. Bold has
 * no effect on blocks in bright or 256 colours.
 */
static void resolve_row(struct tt_screen *screen, const struct tt_grid *grid,
                        const struct tt_theme *theme, int y)
{
    const struct tt_cell_style plain = {TT_COLOR_DEFAULT, TT_COLOR_DEFAULT, 0};
    struct tt_cell_style style = plain, left = plain;
    struct tt_screen_cell *cells = screen_row(screen, screen->cells, y);
    unsigned role = TT_ROLE_COUNT, over = 0;
    int text_end = 0;
    for (int x = 0; x < screen->width; x++) {
        const struct tt_cell *from = tt_grid_at(grid, x, y);
        if (from->role != role || from->over != over) {
            role = from->role;
            over = from->over;
            style = tt_theme_fit(theme, tt_theme_style(theme, role, over), screen->colors);
        }
        cells[x] = (struct tt_screen_cell){from->ch, from->mark, style};
        if (is_blank(&cells[x])) {
            bool same = left.bg == style.bg;
            cells[x].style.fg = same ? left.fg : TT_COLOR_DEFAULT;
            cells[x].style.attrs = same ? left.attrs : 0;
        } else if (cells[x].ch >= 0x2580 && cells[x].ch <= 0x259f && style.fg >= 8) {
            cells[x].style.attrs &= (uint8_t)~TT_ATTR_BOLD;
        }
        left = cells[x].style;
        left.attrs &= (uint8_t) ~(TT_ATTR_REVERSE | TT_ATTR_UNDERLINE);
        text_end = is_blank(&cells[x]) ? text_end : x + 1;
    }
    for (int x = text_end; x < screen->width; x++) {
        cells[x].style = (struct tt_cell_style){TT_COLOR_DEFAULT, cells[x].style.bg, 0};
    }
}

/* Returns curses' attributes and the colour pair of a style, as far as the terminal has them. */
static attr_t curses_style(const struct tt_screen *screen, struct tt_cell_style style, short *pair)
{
    static const struct {
        uint8_t attr;
        attr_t curses;
    } attributes[] = {{TT_ATTR_BOLD, A_BOLD},
                      {TT_ATTR_DIM, A_DIM},
                      {TT_ATTR_UNDERLINE, A_UNDERLINE},
                      {TT_ATTR_REVERSE, A_REVERSE},
                      {TT_ATTR_ITALIC, A_ITALIC}};
    attr_t attrs = A_NORMAL;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        attrs |= style.attrs & attributes[i].attr ? attributes[i].curses : 0;
    }
    bool colored =
        screen->colors > 0 && (style.fg != TT_COLOR_DEFAULT || style.bg != TT_COLOR_DEFAULT);
    int number = colored ? alloc_pair(style.fg, style.bg) : 0;
    *pair = number > 0 ? (short)number : 0;
    return attrs;
}

/* Passes a row of the next frame to curses. */
static void pass_row(struct tt_screen *screen, int y)
{
    const struct tt_screen_cell *cells = screen_row(screen, screen->cells, y);
    attr_t attrs = A_NORMAL;
    short pair = 0;
    int used = 0;
    for (int x = 0; x < screen->width; x++) {
        wchar_t text[3] = {(wchar_t)cells[x].ch, (wchar_t)cells[x].mark, 0};
        if (x == 0 || !same_style(cells[x].style, cells[x - 1].style)) {
            attrs = curses_style(screen, cells[x].style, &pair);
        }
        if (cells[x].ch != 0) {
            setcchar(&screen->row[used++], text, attrs, pair, NULL);
        }
    }
    mvadd_wchnstr(y, 0, screen->row, used);
    memcpy(screen_row(screen, screen->sent, y), cells, (size_t)screen->width * sizeof *cells);
}

/* Returns whether two rows, of any frames, show the same. */
static bool same_row(const struct tt_screen *screen, const struct tt_screen_cell *left,
                     const struct tt_screen_cell *right)
{
    int x = 0;
    while (x < screen->width && same_cell(&left[x], &right[x])) {
        x++;
    }
    return x == screen->width;
}

/* Estimates the bytes that draw the changed cells of a row. */
static size_t row_bytes(const struct tt_screen *screen, int y)
{
    const struct tt_screen_cell *cells = screen_row(screen, screen->cells, y);
    const struct tt_screen_cell *sent = screen_row(screen, screen->sent, y), *last = NULL;
    size_t bytes = 0;
    for (int x = 0; x < screen->width; x++) {
        if (!same_cell(&cells[x], &sent[x])) {
            bytes += last == &cells[x] - 1 ? 0 : MOVE_BYTES;
            bytes += last && same_style(last->style, cells[x].style) ? 0 : STYLE_BYTES;
            bytes += cells[x].ch < 0x80 ? 1 : cells[x].ch < 0x800 ? 2 : 3;
            last = &cells[x];
        }
    }
    return bytes;
}

/* Estimates the bytes of the frame as a whole: a row that the terminal shows elsewhere is scrolled. */
static size_t frame_bytes(const struct tt_screen *screen)
{
    size_t bytes = 0;
    for (int y = 0; y < screen->height; y++) {
        const struct tt_screen_cell *cells = screen_row(screen, screen->cells, y);
        int other = 0;
        while (other < screen->height &&
               !same_row(screen, cells, screen_row(screen, screen->sent, other))) {
            other++;
        }
        size_t row = row_bytes(screen, y);
        bytes += other < screen->height && row > SCROLL_BYTES ? SCROLL_BYTES : row;
    }
    return bytes;
}

/*
 * Passes rows to curses until all are, or `part` bytes of them if they have more. The next call begins at the
 * row after them. The rest of a key's frame ends when each row was passed once since the key: a growing
 * capture changes the others meanwhile. Returns the estimated bytes; *whole: all rows were passed.
 */
static size_t pass_rows(struct tt_screen *screen, size_t part, enum tt_pace_reason reason,
                        bool *whole)
{
    int height = screen->height;
    size_t bytes = frame_bytes(screen), passed = 0;
    bool fits = bytes <= part;
    for (int i = 0; !fits && reason == TT_PACE_KEY && i < KEY_LINES && i < height; i++) {
        passed += row_bytes(screen, height - 1 - i);
        pass_row(screen, height - 1 - i);
    }
    int first = screen->next_row < height ? screen->next_row : 0;
    bool rest = reason == TT_PACE_REST_OF_KEY && screen->rows_left < height;
    int rows = rest ? screen->rows_left : height;
    *whole = true;
    for (int i = 0; i < rows && *whole; i++) {
        int y = (first + i) % height;
        size_t row = fits ? 0 : row_bytes(screen, y);
        pass_row(screen, y);
        passed += row;
        *whole = fits || passed < part || i + 1 == rows;
        screen->next_row = *whole ? 0 : y + 1;
        screen->rows_left = rows - i - 1;
    }
    return fits ? bytes : passed;
}

static bool keys_are_there(const struct tt_screen *screen)
{
    struct pollfd fd = {.fd = fileno(screen->in), .events = POLLIN};
    return poll(&fd, 1, 0) > 0;
}

bool tt_screen_draw(struct tt_screen *screen, const struct tt_grid *grid,
                    const struct tt_theme *theme, enum tt_pace_reason reason)
{
    const struct tt_screen_cell unknown = {.ch = UINT32_MAX};
    bool fits = screen->width == grid->width && screen->height == grid->height;
    if (!fits && !fit_cells(screen, grid->width, grid->height)) {
        return true; /* the next draw tries again */
    }
    if (screen->redraws || !fits) {
        for (int i = 0; i < grid->width * grid->height; i++) {
            screen->sent[i] = unknown;
        }
        screen->next_row = 0;
        screen->rows_left = grid->height;
    }
    screen->pace.cells = (unsigned)grid->width * (unsigned)grid->height;
    size_t part = screen->redraws ? SIZE_MAX : tt_pace_part(&screen->pace, reason);
    screen->redraws = false;
    for (int y = 0; y < grid->height; y++) {
        resolve_row(screen, grid, theme, y);
    }
    bool whole;
    size_t bytes = pass_rows(screen, part, reason, &whole);
    bool sync = screen->modern &&
                (screen->sync == TT_SYNC_ON || (screen->sync == TT_SYNC_AUTO && screen->can_sync));
    if (sync) {
        tt_screen_send(screen, SYNC_BEGIN); /* flushed here: curses has a buffer of its own */
        bytes += bytes > 0 ? strlen(SYNC_BEGIN SYNC_END) : 0;
    }
    /* Keys interrupt a frame, and the next frame continues; a synchronized frame must be complete. */
    typeahead(sync ? -1 : fileno(screen->in));
    bool caret = grid->caret_x >= 0;
    curs_set(caret);
    leaveok(stdscr, !caret && screen->hides_cursor); /* an invisible cursor is not moved */
    move(caret ? grid->caret_y : grid->height - 1, caret ? grid->caret_x : 0);
    refresh();
    whole &= sync || !keys_are_there(screen); /* curses does not report an interrupted frame */
    if (sync) {
        tt_screen_send(screen, SYNC_END);
    }
    if (tt_pace_drawn(&screen->pace, reason, bytes, tt_now_ns())) {
        fputs(STATUS_ASK, screen->out);
        fflush(screen->out);
    }
    return whole;
}

void tt_screen_use_rate(struct tt_screen *screen, unsigned rate)
{
    screen->pace.rate = rate;
}

bool tt_screen_is_slow(const struct tt_screen *screen)
{
    return !screen->pace.answers || screen->pace.part < SLOW_PART;
}

uint64_t tt_screen_wait(const struct tt_screen *screen, enum tt_pace_reason reason)
{
    return tt_pace_wait(&screen->pace, reason, tt_now_ns());
}
