/* SPDX-License-Identifier: Apache-2.0 */
/* screen_draw: draws a grid on the terminal, by term/diff.h where suitable, else by curses. */
#define _XOPEN_SOURCE    700
#define NCURSES_WIDECHAR 1
#include "tui/term/screen_internal.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

static short screen_draw_pair_of(struct tt_screen *screen, int16_t fg, int16_t bg)
{
    if (fg == TT_COLOR_DEFAULT && bg == TT_COLOR_DEFAULT) {
        return 0;
    }
    for (int i = 1; i < screen->pair_count; i++) {
        if (screen->pairs[i].fg == fg && screen->pairs[i].bg == bg) {
            return (short)i;
        }
    }
    int limit = COLOR_PAIRS < PAIR_LIMIT ? COLOR_PAIRS : PAIR_LIMIT;
    if (screen->pair_count >= limit) {
        return 0;
    }
    int pair = screen->pair_count++;
    screen->pairs[pair].fg = fg;
    screen->pairs[pair].bg = bg;
    init_pair((short)pair, fg, bg);
    return (short)pair;
}

/* Returns the attributes and the colour pair of a style, as far as the terminal has them. */
static attr_t resolve_style(struct tt_screen *screen, struct tt_cell_style style, short *pair)
{
    attr_t attrs = A_NORMAL;
    attrs |= style.attrs & TT_ATTR_BOLD ? A_BOLD : 0;
    attrs |= style.attrs & TT_ATTR_DIM ? A_DIM : 0;
    attrs |= style.attrs & TT_ATTR_UNDERLINE ? A_UNDERLINE : 0;
    attrs |= style.attrs & TT_ATTR_REVERSE ? A_REVERSE : 0;
#ifdef A_ITALIC
    attrs |= style.attrs & TT_ATTR_ITALIC ? A_ITALIC : 0;
#endif
    *pair = screen->colors > 0 ? screen_draw_pair_of(screen, style.fg, style.bg) : 0;
    return attrs;
}

/* Converts a row to curses cells, for terminals that do not suit term/diff.h. */
static int fill_row(struct tt_screen *screen, const struct tt_grid *grid,
                    const struct tt_theme *theme, int y)
{
    unsigned role = TT_ROLE_COUNT, over = 0;
    attr_t attrs = A_NORMAL;
    short pair = 0;
    int used = 0;
    for (int x = 0; x < grid->width; x++) {
        const struct tt_cell *cell = tt_grid_at(grid, x, y);
        wchar_t text[3] = {(wchar_t)cell->ch, (wchar_t)cell->mark, 0};
        if (cell->ch == 0) {
            continue;
        }
        if (cell->role != role || cell->over != over) {
            role = cell->role;
            over = cell->over;
            struct tt_cell_style style = tt_theme_style(theme, role, over);
            attrs = resolve_style(screen, tt_theme_fit(theme, style, screen->colors), &pair);
        }
        setcchar(&screen->row[used++], text, attrs, pair, NULL);
    }
    return used;
}

/* Keeps the old frame if out of memory; the next draw tries again. */
static bool fill_curses(struct tt_screen *screen, const struct tt_grid *grid,
                        const struct tt_theme *theme)
{
    if (screen->row_capacity < grid->width) {
        cchar_t *row = realloc(screen->row, (size_t)grid->width * sizeof *row);
        if (!row) {
            return false;
        }
        screen->row = row;
        screen->row_capacity = grid->width;
    }
    for (int y = 0; y < grid->height; y++) {
        mvadd_wchnstr(y, 0, screen->row, fill_row(screen, grid, theme, y));
    }
    return true;
}

static bool fill_diff(struct tt_screen *screen, const struct tt_grid *grid,
                      const struct tt_theme *theme)
{
    struct tt_diff *diff = &screen->diff;
    if (diff->width != grid->width || diff->height != grid->height) {
        tt_screen_invalidate(screen); /* a resized tt_diff assumes a blank terminal */
        if (!tt_diff_resize(diff, grid->width, grid->height)) {
            return false;
        }
    }
    tt_diff_target(diff, grid, theme);
    return true;
}

static void send_diff(struct tt_screen *screen)
{
    struct tt_text *out = &screen->diff.out;
    fwrite(out->buffer, 1, out->used, screen->out);
    fflush(screen->out);
    screen->frame_bytes += out->used;
    out->used = 0;
}

static bool keys_are_there(const struct tt_screen *screen)
{
    struct pollfd fd = {.fd = fileno(screen->in), .events = POLLIN};
    return poll(&fd, 1, 0) > 0;
}

/* Sends DRAWING_ASK with the first frame: the screen is empty then. */
static void ask_drawing(struct tt_screen *screen)
{
    if (!screen->drawing_asked && screen->diff.height > (int)DRAWING_Y) {
        tt_text_str(&screen->diff.out, DRAWING_ASK);
        screen->drawing_asked = true;
        screen->drawing_pending = DRAWING_ANSWERS;
        screen->reports_before_drawing = screen->pace.pending;
    }
}

/* A line that carries less in TT_PACE_PART_NS is slow: about a full frame. */
#define SLOW_PART 4096u

/* Lines at the bottom, with the prompt, that the frame of a key begins with on a slow line. */
#define KEY_LINES 3

/*
 * Draws rows until all are sent, `part` bytes are, or, unless `whole`, there are keys. The next call
 * begins at the row after them. The rest of a key's frame ends when each row was sent once since the
 * key: a growing capture changes the others meanwhile.
 */
static void draw_diff(struct tt_screen *screen, int caret_x, int caret_y, size_t part, bool whole,
                      enum tt_pace_reason reason)
{
    struct tt_diff *diff = &screen->diff;
    bool left = false;
    if (screen->redraw_all) {
        refresh(); /* takes the terminal again if it was restored, and clears it */
        tt_diff_cleared(diff);
        tt_diff_reset(diff);
        ask_drawing(screen);
        screen->redraw_all = false;
        screen->next_row = 0;
        screen->rows_left = diff->height;
    } else if (screen->repaint) {
        tt_diff_forget(diff);
        screen->next_row = 0;
        screen->rows_left = diff->height;
    }
    screen->repaint = false;
    tt_diff_scroll(diff);
    for (int i = 0; reason == TT_PACE_KEY && part < SIZE_MAX && i < KEY_LINES; i++) {
        if (i < diff->height) {
            tt_diff_row(diff, diff->height - 1 - i);
        }
    }
    int first = screen->next_row < diff->height ? screen->next_row : 0;
    bool rest = reason == TT_PACE_REST_OF_KEY && screen->rows_left < diff->height;
    int rows = rest ? screen->rows_left : diff->height;
    for (int i = 0; i < rows && !left; i++) {
        int y = (first + i) % diff->height;
        tt_diff_row(diff, y);
        if (diff->out.used >= TT_DIFF_FULL) {
            send_diff(screen);
            left = !whole && keys_are_there(screen);
        }
        left |= screen->frame_bytes + diff->out.used >= part && i + 1 < rows;
        screen->next_row = left ? y + 1 : 0;
        screen->rows_left = rows - i - 1;
    }
    tt_diff_rest(diff, caret_x, caret_y);
    send_diff(screen);
    screen->cut = left;
}

static void draw_curses(struct tt_screen *screen, const struct tt_grid *grid, int x, int y)
{
    move(y, x);
    refresh();
    screen->frame_bytes = (size_t)grid->width * (size_t)grid->height;
    screen->cut = keys_are_there(screen); /* curses does not report it */
}

static void ask_after_frame(struct tt_screen *screen, enum tt_pace_reason reason)
{
    if (tt_pace_drawn(&screen->pace, reason, screen->frame_bytes, tt_now_ns())) {
        fputs(STATUS_ASK, screen->out);
        fflush(screen->out);
    }
}

bool tt_screen_draw(struct tt_screen *screen, const struct tt_grid *grid,
                    const struct tt_theme *theme, enum tt_pace_reason reason)
{
    screen->pace.cells = (unsigned)grid->width * (unsigned)grid->height;
    size_t part = tt_pace_part(&screen->pace, reason);
    /* An invisible cursor is not moved. */
    bool parks = grid->caret_x < 0 && !(screen->diff_usable && screen->hides_cursor);
    int caret_x = parks ? 0 : grid->caret_x;
    int caret_y = parks ? (grid->height > 0 ? grid->height - 1 : 0) : grid->caret_y;
    bool sync = screen->modern &&
                (screen->sync == TT_SYNC_ON || (screen->sync == TT_SYNC_AUTO && screen->can_sync));
    if (!(screen->diff_usable ? fill_diff(screen, grid, theme)
                              : fill_curses(screen, grid, theme))) {
        return true;
    }
    screen->frame_bytes = 0;
    /* On a slow line keys interrupt a frame, and the next frame continues from there; a
     * synchronized frame must be complete. */
    typeahead(sync || screen->diff_usable ? -1 : fileno(screen->in));
    if (sync) {
        tt_screen_send(screen, SYNC_BEGIN); /* flushed here: curses has a buffer of its own */
    }
    curs_set(grid->caret_x >= 0);
    if (screen->diff_usable) {
        draw_diff(screen, caret_x, caret_y, part, sync, reason);
    } else {
        draw_curses(screen, grid, caret_x, caret_y);
    }
    if (sync) {
        tt_screen_send(screen, SYNC_END);
        screen->frame_bytes += screen->frame_bytes > 0 ? strlen(SYNC_BEGIN SYNC_END) : 0;
    }
    ask_after_frame(screen, reason);
    return !screen->cut;
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
