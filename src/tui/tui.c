/* SPDX-License-Identifier: Apache-2.0 */
/* tui: the program on a terminal, put together and taken apart again. */
#define _XOPEN_SOURCE 700
#include "tui/tui.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app.h"
#include "tui/loop.h"
#include "tui/screen.h"
#include "tui/signals.h"

static bool locale_is_ascii(void)
{
    /* Only the characters: with the rest of the locale numbers would lose their dot. */
    setlocale(LC_CTYPE, "");
    return strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

static bool wants_colors(enum tt_tui_color color)
{
    const char *no_color = getenv("NO_COLOR");
    if (color == TT_TUI_COLOR_AUTO) {
        return !(no_color && *no_color);
    }
    return color == TT_TUI_COLOR_ALWAYS;
}

static void run_on_screen(struct tt_app *app, const struct tt_tui_options *options,
                          struct tt_tui_result *result)
{
    struct tt_screen_options screen_options = {wants_colors(options->color), app->mouse_on};
    struct tt_screen *screen;
    result->status = tt_screen_open(&screen_options, &screen);
    if (!tt_failed(&result->status)) {
        result->status = tt_loop_run(app, screen, &result->signal);
        tt_screen_close(screen);
    }
}

struct tt_tui_result tt_tui_run(const struct tt_tui_options *options)
{
    struct tt_tui_result result = {.status = tt_ok()};
    bool ascii = locale_is_ascii() || options->ascii;
    struct tt_app *app = malloc(sizeof *app);
    if (!app) {
        result.status = tt_error_memory();
        return result;
    }
    result.status = tt_signals_open();
    if (!tt_failed(&result.status)) {
        result.status = tt_app_open(app, options, ascii, tt_signals_wake);
        if (!tt_failed(&result.status)) {
            run_on_screen(app, options, &result);
        }
        result.path = app->failed_path;
        tt_app_close(app);
        result.damaged = app->damaged;
        tt_signals_close();
    }
    free(app);
    return result;
}

void tt_tui_die(int signal)
{
    tt_signals_die(signal);
}

/* ---- one screen without a terminal --------------------------------------------------------- */

static void print_grid(const struct tt_grid *grid,
                       bool (*write)(void *arg, const char *bytes, size_t length), void *arg)
{
    /* Two code points of four bytes a cell at most, and the newline. */
    size_t capacity = (size_t)grid->width * 8 + 1;
    char *line = malloc(capacity);
    bool going = line != NULL;
    for (int y = 0; y < grid->height && going; y++) {
        struct tt_text text = tt_text_of(line, capacity);
        tt_grid_line(grid, y, &text);
        tt_text_char(&text, '\n');
        going = write(arg, text.buffer, text.used);
    }
    free(line);
}

struct tt_tui_result tt_tui_render(const struct tt_tui_options *options, int width, int height,
                                   bool (*write)(void *arg, const char *bytes, size_t length),
                                   void *arg)
{
    struct tt_tui_result result = {.status = tt_ok()};
    bool ascii = locale_is_ascii() || options->ascii;
    struct tt_app *app = malloc(sizeof *app);
    if (!app) {
        result.status = tt_error_memory();
        return result;
    }
    result.status = tt_app_open(app, options, ascii, NULL);
    if (!tt_failed(&result.status) && !tt_grid_resize(&app->grid, width, height)) {
        result.status = tt_error_memory();
    }
    if (!tt_failed(&result.status)) {
        tt_app_update(app);
        tt_loop_settle(app); /* lays out: a page down needs to know how long a page is */
        tt_loop_type(app, options->keys);
        tt_loop_settle(app);
        print_grid(&app->grid, write, arg);
    }
    tt_app_close(app);
    result.path = app->failed_path;
    result.damaged = app->damaged;
    free(app);
    return result;
}
