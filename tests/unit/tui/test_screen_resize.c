/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The screen on a pseudo terminal whose size changes at any time. The terminal is libvterm, which this
 * project did not write: it is resized before the program is informed, its answers come late and in
 * parts, and frames are interrupted. After the last size the terminal shows the frame.
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
#include "tui/term/screen.h"

/* The bytes of one frame of the largest size fit into the buffer of a pseudo terminal. */
#define MAX_WIDTH  100
#define MAX_HEIGHT 30

static struct tt_screen *screen;
static struct tt_grid grid;
static struct tt_theme theme;
static VTerm *vterm;
static int master;
static uint64_t seed = 7;

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
    const struct tt_screen_options options = {.colors = true};
    struct tt_status status = tt_screen_open(&options, &screen);
    cr_assert_not(tt_failed(&status), "%s", status.text);
}

/* Passes at most `most` bytes of the program to the terminal; false if there are none. */
static bool pass_output(size_t most)
{
    char bytes[1024];
    struct pollfd fd = {.fd = master, .events = POLLIN};
    if (poll(&fd, 1, 0) <= 0) {
        return false;
    }
    ssize_t got = read(master, bytes, most < sizeof bytes ? most : sizeof bytes);
    cr_assert(got > 0);
    vterm_input_write(vterm, bytes, (size_t)got);
    return true;
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

static void fill_rows(int y, int count)
{
    static const unsigned roles[] = {TT_ROLE_TEXT, TT_ROLE_WARNING, TT_ROLE_TITLE, TT_ROLE_DIM};
    struct tt_area area = tt_grid_area(&grid);
    for (; count > 0; count--, y = (y + 1) % grid.height) {
        char text[MAX_WIDTH + 1];
        int length = dice(grid.width + 1);
        for (int i = 0; i < length; i++) {
            text[i] = dice(3) ? (char)('a' + dice(26)) : ' ';
        }
        text[length] = '\0';
        tt_draw_blank(area, 0, y, grid.width, 1);
        tt_draw(area, 0, y, grid.width, roles[dice(4)], text);
    }
}

static void change_frame(void)
{
    fill_rows(dice(grid.height), dice(grid.height + 1));
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
            uint32_t ch = is.chars[0] == 0 ? ' ' : is.chars[0], want = tt_grid_at(&grid, x, y)->ch;
            cr_assert_eq(ch, want, "round %d, %dx%d, column %d of row %d: '%c', not '%c'", round,
                         width, height, x, y, (int)ch, (int)want);
        }
    }
}

/* Draws until the frame is complete, as the event loop does. */
static void draw_all(bool rest)
{
    bool whole = false;
    for (int i = 0; i < 200 && !whole; i++) {
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
            resize_terminal(1 + dice(MAX_WIDTH), 1 + dice(MAX_HEIGHT));
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
    resize_terminal(1 + dice(MAX_WIDTH), 1 + dice(MAX_HEIGHT));
    adopt_size();
    draw_all(cut);
    check_terminal(round);
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

Test(screen_resize, what_a_terminal_changed_is_painted_over)
{
    open_on_terminal();
    adopt_size();
    for (int round = 0; round < 50; round++) {
        const char *garbage = "\033[3;7r\033[31mxyz\033[2;2Hgarbage\033[5;1H\033[7mreverse";
        change_frame();
        draw_all(false);
        resize_terminal(1 + dice(MAX_WIDTH), 1 + dice(MAX_HEIGHT));
        vterm_input_write(vterm, garbage, strlen(garbage));
        resize_terminal(80, 24);
        change_frame();
        tt_screen_repaint(screen);
        draw_all(false);
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
    draw_all(false);
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
