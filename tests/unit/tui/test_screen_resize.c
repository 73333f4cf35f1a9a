/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The screen on a pseudo terminal whose size changes at any time. The terminal is libvterm, which this
 * project did not write: it is resized before the program is informed, its answers come late and in
 * parts, and frames are interrupted or sent in parts, as on a slow line. After the last size the terminal shows
 * the frame: its characters and styles.
 */
#define _XOPEN_SOURCE   700
#define _DEFAULT_SOURCE /* TIOCSWINSZ */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vterm.h>

#include "alone.h"
#include "tui/term/screen_internal.h"

/* The bytes of one frame of the largest size fit into the buffer of a pseudo terminal. */
#define MAX_WIDTH  100
#define MAX_HEIGHT 30

static struct tt_screen *screen;
static struct tt_grid grid;
static struct tt_theme theme;
static VTerm *vterm;
static int master;
static uint64_t seed = 7;
static bool marks; /* draws combining marks, which libvterm does not keep when its size changes */

static int dice(int below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)(seed >> 33) % below;
}

/* Changes the terminal's size, as a window's edge does. */
static void resize_terminal(int width, int height)
{
    const struct winsize size = {.ws_row = (unsigned short)height, .ws_col = (unsigned short)width};
    cr_assert_eq(ioctl(master, TIOCSWINSZ, &size), 0);
    vterm_set_size(vterm, height, width);
}

static void open_on_terminal(void)
{
    vterm = vterm_new(24, 80);
    vterm_set_utf8(vterm, 1);
    vterm_screen_enable_altscreen(vterm_obtain_screen(vterm), 1);
    vterm_screen_reset(vterm_obtain_screen(vterm), 1);
    master = posix_openpt(O_RDWR | O_NOCTTY);
    cr_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    cr_assert(slave >= 0 && dup2(slave, STDIN_FILENO) >= 0 && dup2(slave, STDOUT_FILENO) >= 0);
    resize_terminal(80, 24);
    setenv("TERM", "tmux-256color", 1); /* without REP, which libvterm does not have */
    tt_theme_default(&theme);
    grid.ellipsis = '~';
    const struct tt_screen_options options = {.colors = true};
    struct tt_status status = tt_screen_open(&options, &screen);
    cr_assert_not(tt_failed(&status), "%s", status.text);
}

/* Passes at most `most` bytes of the program to the terminal; false if there are none. */
static bool pass_output(size_t most)
{
    static char bytes[1 << 17];
    size_t used = 0;
    struct pollfd fd = {.fd = master, .events = POLLIN};
    while (used < most && used < sizeof bytes && poll(&fd, 1, 0) > 0) {
        size_t left = most - used, room = sizeof bytes - used;
        ssize_t got = read(master, bytes + used, left < room ? left : room);
        cr_assert(got > 0);
        used += (size_t)got;
    }
    vterm_input_write(vterm, bytes, used); /* as one: libvterm combines marks within a call */
    return used > 0;
}

/* Passes at most `most` bytes of the terminal's answers to the program; false if there are none. */
static bool pass_answers(size_t most)
{
    char bytes[256];
    size_t got = vterm_output_read(vterm, bytes, most < sizeof bytes ? most : sizeof bytes);
    cr_assert_eq(write(master, bytes, got), (ssize_t)got);
    return got > 0;
}

static void pass_all(void)
{
    while (pass_output(SIZE_MAX) || pass_answers(SIZE_MAX)) {
    }
}

/* The user types nothing: whatever comes is an answer. */
static void read_no_key(void)
{
    uint32_t key = tt_screen_key(screen);
    char name[TT_KEY_NAME];
    cr_assert_eq(key, TT_KEY_NONE, "an answer acts as the key %s", tt_key_name(key, name));
}

/*
 * Draws runs of letters, blanks, blocks, dots, wide and combined characters of any role. Curses cannot draw the
 * last cell of the screen beside a wide character.
 */
static void fill_rows(int y, int count)
{
    static const char *const characters[] = {
        " ",        " ", "a", "b", "\342\224\200", "\342\226\201", "\302\267", "\346\227\245",
        "e\314\201"};
    struct tt_area area = tt_grid_area(&grid);
    for (; count > 0; count--, y = (y + 1) % grid.height) {
        int end = dice(grid.width + 1);
        tt_draw_blank(area, 0, y, grid.width, 1);
        for (int x = 0; x < end;) {
            int kinds = y + 1 == grid.height ? 7 : marks ? 9 : 8;
            const char *character = characters[dice(kinds)];
            unsigned role = (unsigned)dice(TT_ROLE_COUNT);
            int last = x + 1 + (dice(4) ? dice(3) : dice(20));
            for (int columns = 1; x < end && x < last && columns > 0; x += columns) {
                columns = tt_draw(area, x, y, end - x, role, character);
            }
            x = x < last ? last : x;
        }
        if (dice(4) == 0) {
            tt_draw_over(area, dice(grid.width), y, 1 + dice(grid.width),
                         (unsigned)dice(TT_ROLE_COUNT));
        }
    }
}

/* Changes some rows, or scrolls most of them. */
static void change_frame(void)
{
    size_t row = (size_t)grid.width * sizeof *grid.cells;
    int by = dice(4), rest = grid.height - by;
    if (dice(3) == 0 && rest > 0) {
        bool up = dice(2);
        memmove(grid.cells + (up ? 0 : by * grid.width), grid.cells + (up ? by * grid.width : 0),
                (size_t)rest * row);
        fill_rows(up ? rest : 0, by);
    } else {
        fill_rows(dice(grid.height), dice(grid.height + 1));
    }
}

static void adopt_size(void)
{
    int width, height;
    tt_screen_resize(screen);
    tt_screen_size(screen, &width, &height);
    if (width != grid.width || height != grid.height) {
        cr_assert(tt_grid_resize(&grid, width, height));
        fill_rows(0, height);
    }
}

static bool same_color(VTermColor is, int16_t want, bool is_default)
{
    return want == TT_COLOR_DEFAULT ? is_default
                                    : VTERM_COLOR_IS_INDEXED(&is) && is.indexed.idx == want;
}

/* The foreground of a blank is not visible, and bold blocks are like others. libvterm has no dim. */
static bool shows_style(const VTermScreenCell *is, const struct tt_cell *cell)
{
    struct tt_cell_style want = tt_theme_fit(&theme, tt_theme_style(&theme, cell->role, cell->over),
                                             tt_screen_colors(screen));
    bool back = same_color(is->bg, want.bg, VTERM_COLOR_IS_DEFAULT_BG(&is->bg)) &&
                (is->attrs.reverse != 0) == ((want.attrs & TT_ATTR_REVERSE) != 0) &&
                (is->attrs.underline != 0) == ((want.attrs & TT_ATTR_UNDERLINE) != 0);
    bool front = same_color(is->fg, want.fg, VTERM_COLOR_IS_DEFAULT_FG(&is->fg)) &&
                 (is->attrs.italic != 0) == ((want.attrs & TT_ATTR_ITALIC) != 0);
    bool bold = (is->attrs.bold != 0) == ((want.attrs & TT_ATTR_BOLD) != 0);
    bool block = cell->ch >= 0x2580 && cell->ch <= 0x259f;
    bool blank = cell->ch == ' ' && !(want.attrs & (TT_ATTR_REVERSE | TT_ATTR_UNDERLINE));
    return back && (blank || (front && (bold || block)));
}

static void check_terminal(int round)
{
    VTermScreen *shown = vterm_obtain_screen(vterm);
    int width, height;
    vterm_get_size(vterm, &height, &width);
    cr_assert(width == grid.width && height == grid.height, "round %d", round);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            VTermScreenCell is;
            cr_assert(vterm_screen_get_cell(shown, (VTermPos){.row = y, .col = x}, &is));
            const struct tt_cell *cell = tt_grid_at(&grid, x, y);
            uint32_t ch = is.chars[0] == 0 ? ' ' : is.chars[0];
            if (cell->ch == 0) { /* the right half of a wide character */
                cr_assert_eq(ch, UINT32_MAX, "round %d, column %d of row %d", round, x, y);
                continue;
            }
            cr_assert_eq(ch, cell->ch, "round %d, %dx%d, column %d of row %d: %x, not %x", round,
                         width, height, x, y, ch, cell->ch);
            uint32_t mark = is.chars[0] ? is.chars[1] : 0;
            cr_assert(mark == cell->mark || x + 1 == width /* where libvterm drops some */,
                      "round %d, column %d of row %d", round, x, y);
            cr_assert(shows_style(&is, cell), "round %d, style in column %d of row %d", round, x,
                      y);
        }
    }
}

/* Draws until the frame is complete, as the event loop does. */
static void draw_all(bool rest, size_t part)
{
    bool whole = false;
    for (int i = 0; i < 200 && !whole; i++) {
        screen->pace.part = part;
        whole = tt_screen_draw(screen, &grid, &theme, rest ? TT_PACE_REST_OF_KEY : TT_PACE_KEY);
        rest = true;
        pass_all();
        read_no_key();
    }
    cr_assert(whole);
    pass_all();
    read_no_key();
}

/* Sizes arrive while frames are written and answers read; the last one is drawn. */
static void storm(int round)
{
    bool cut = false;
    for (int steps = dice(20); steps > 0; steps--) {
        switch (dice(6)) {
        case 0:
            resize_terminal(2 + dice(MAX_WIDTH - 1), 1 + dice(MAX_HEIGHT));
            break;
        case 1:
            adopt_size();
            break;
        case 2:
            pass_answers(1 + (size_t)dice(4));
            break;
        case 3:
            pass_output(1 + (size_t)dice(600));
            break;
        case 4:
            read_no_key();
            break;
        default:
            change_frame();
            while (pass_output(SIZE_MAX)) {
            }
            cut = !tt_screen_draw(screen, &grid, &theme, TT_PACE_KEY);
        }
    }
    resize_terminal(2 + dice(MAX_WIDTH - 1), 1 + dice(MAX_HEIGHT));
    adopt_size();
    draw_all(cut, SIZE_MAX);
    check_terminal(round);
    for (int frames = dice(3); frames > 0; frames--) { /* in parts */
        change_frame();
        draw_all(false, TT_PACE_PART_MIN);
        check_terminal(round);
    }
}

TestSuite(screen_resize, ALONE);

Test(screen_resize, the_last_size_is_drawn_whatever_came_before)
{
    open_on_terminal();
    adopt_size();
    for (int round = 0; round < 1000; round++) {
        storm(round);
    }
    tt_screen_close(screen);
    tt_grid_free(&grid);
    vterm_free(vterm);
}

Test(screen_resize, every_frame_is_drawn)
{
    marks = true;
    open_on_terminal();
    adopt_size();
    for (int round = 0; round < 500; round++) {
        change_frame();
        draw_all(false, round % 2 ? SIZE_MAX : TT_PACE_PART_MIN);
        check_terminal(round);
    }
    tt_screen_close(screen);
    tt_grid_free(&grid);
    vterm_free(vterm);
}

Test(screen_resize, what_a_terminal_changed_is_painted_over)
{
    open_on_terminal();
    adopt_size();
    for (int round = 0; round < 50; round++) {
        const char *garbage = "\033[3;7r\033[31mxyz\033[2;2Hgarbage\033[5;1H\033[7mreverse";
        change_frame();
        draw_all(false, SIZE_MAX);
        resize_terminal(2 + dice(MAX_WIDTH - 1), 1 + dice(MAX_HEIGHT));
        vterm_input_write(vterm, garbage, strlen(garbage));
        resize_terminal(80, 24);
        change_frame();
        tt_screen_repaint(screen);
        draw_all(false, SIZE_MAX);
        check_terminal(round);
    }
    tt_screen_close(screen);
    tt_grid_free(&grid);
    vterm_free(vterm);
}

/* Curses reports a new size as a key, which is not the end of an answer that has begun. */
Test(screen_resize, a_size_in_the_middle_of_an_answer_is_no_key)
{
    open_on_terminal();
    adopt_size();
    draw_all(false, SIZE_MAX);
    for (int i = 0; i < 2; i++) {
        const char *begin = i == 0 ? "\033[" : "\033";
        const char *end = i == 0 ? "0n" : "[0n";
        change_frame();
        tt_screen_draw(screen, &grid, &theme, TT_PACE_KEY); /* asks */
        cr_assert_eq(write(master, begin, strlen(begin)), (ssize_t)strlen(begin));
        read_no_key();
        resize_terminal(90 + i, 24);
        adopt_size();
        read_no_key();
        cr_assert_eq(write(master, end, strlen(end)), (ssize_t)strlen(end));
        read_no_key();
    }
    tt_screen_close(screen);
    tt_grid_free(&grid);
    vterm_free(vterm);
}

Test(screen_resize, a_terminal_that_does_not_answer_is_slow)
{
    open_on_terminal();
    cr_assert(tt_screen_is_slow(screen));
    cr_assert_eq(write(master, "\033[0n", 4), 4); /* the answer to the question at the start */
    read_no_key();
    cr_assert_not(tt_screen_is_slow(screen));
    tt_screen_close(screen);
    vterm_free(vterm);
}
