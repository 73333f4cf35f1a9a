/* SPDX-License-Identifier: Apache-2.0 */
/* tui: sets up, runs and releases the program on a terminal. */
#define _XOPEN_SOURCE 700
#include "tui/tui.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tui/app/app.h"
#include "tui/app/config.h"
#include "tui/app/event_loop.h"
#include "tui/app/filter_prompt.h"
#include "tui/app/script.h"
#include "tui/draw/event_role.h"
#include "tui/term/ansi.h"
#include "tui/term/screen.h"
#include "tui/term/signals.h"

void tt_tui_dump_config(struct tt_text *text)
{
    tt_config_dump(text);
}

struct tt_status tt_tui_remote_shell(const char *config, char *shell, size_t capacity)
{
    return tt_config_setting(config, "remote_shell", shell, capacity);
}

struct tt_status tt_tui_definitions(const char *config, const char *section,
                                    struct tt_sql_definition **definitions, size_t *count)
{
    struct tt_query_definitions read = {0};
    struct tt_status status = tt_config_definitions(config, section, &read);
    *definitions = NULL;
    *count = tt_failed(&status) ? 0 : read.count;
    if (*count > 0) {
        /* Copies definitions into one allocation: the array, and its texts after it. */
        size_t size = read.count * sizeof(struct tt_sql_definition);
        for (size_t i = 0; i < read.count; i++) {
            size += strlen(read.v[i].name) + strlen(read.v[i].text) + 2;
        }
        struct tt_sql_definition *packed = malloc(size);
        char *to = packed ? (char *)(packed + read.count) : NULL;
        for (size_t i = 0; packed && i < read.count; i++) {
            size_t name = strlen(read.v[i].name) + 1, text = strlen(read.v[i].text) + 1;
            packed[i] = tt_query_definition_of(&read.v[i]);
            packed[i].name = memcpy(to, read.v[i].name, name);
            packed[i].text = memcpy(to + name, read.v[i].text, text);
            to += name + text;
        }
        *definitions = packed;

        status = *definitions ? status : tt_error_memory();
    }
    tt_query_definitions_free(&read);
    return status;
}

static bool locale_is_ascii(void)
{
    /* LC_CTYPE only: other categories would change the decimal point of numbers. */
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
            result.status = tt_find_begin(app, options->filter);
        }
        if (!tt_failed(&result.status)) {
            struct tt_screen_options screen_options = {wants_colors(options->color),
                                                       app->ws.term.mouse_on, options->most_colors};
            struct tt_screen *screen;
            tt_signals_catch();
            result.status = tt_screen_open(&screen_options, &screen);
            if (!tt_failed(&result.status)) {
                app->ws.term.has_colors = tt_screen_colors(screen) > 0;
                app->ws.term.greys = tt_screen_colors(screen) >= 256;
                tt_term_use_background(&app->ws.term);
                app->ws.term.colored =
                    app->ws.term.has_colors && tt_theme_colored(&app->ws.term.theme);
                if (tt_screen_undescribed(screen)) {
                    tt_message_set(
                        &app->ws.message, TT_ROLE_WARNING,
                        "TERM=%s has no description here: that of xterm-256color is used",
                        tt_screen_undescribed(screen));
                }
                result.status = tt_event_loop_run(app, screen, &result.signal);
                tt_screen_close(screen);
            }
        }
        if (!tt_failed(&result.status)) {
            result.status = app->files.failure;
        }
        result.path = app->files.failed_path;
        tt_app_close(app);
        result.damage = app->files.damage;
        tt_signals_close();
    }
    free(app);
    return result;
}

void tt_tui_die(int signal)
{
    tt_signals_die(signal);
}

/* ---- lines of events ----------------------------------------------------------------------- */

struct line_style {
    const struct tt_theme *theme;
    int colors;
};

static struct tt_line_color line_color(const struct line_style *style, unsigned role)
{
    struct tt_line_color color;
    struct tt_text text = tt_text_of(color.sequence, sizeof color.sequence);
    struct tt_cell_style cell = tt_theme_style(style->theme, role, 0);
    const struct tt_cell_style *plain = &style->theme->styles[TT_ROLE_TEXT];
    /* The blanks between columns have the terminal's colours, so plain text has them as well. */
    cell.fg = cell.fg == plain->fg ? TT_COLOR_DEFAULT : cell.fg;
    cell.bg = cell.bg == plain->bg ? TT_COLOR_DEFAULT : cell.bg;
    cell = tt_theme_fit(style->theme, cell, style->colors);
    if (cell.fg != TT_COLOR_DEFAULT || cell.bg != TT_COLOR_DEFAULT || cell.attrs != 0) {
        tt_ansi_style(&text, cell);
    }
    tt_text_cstr(&text);
    return color;
}

struct tt_status tt_tui_line_colors(const struct tt_tui_options *options,
                                    struct tt_line_colors *colors, bool *use)
{
    static const uint8_t columns[TT_LINE_COLUMN_COUNT] = {
        [TT_LINE_TIME] = TT_ROLE_TIME,     [TT_LINE_CPU] = TT_ROLE_CPU,
        [TT_LINE_THREAD] = TT_ROLE_THREAD, [TT_LINE_CLASS] = TT_ROLE_DIM,
        [TT_LINE_EVENT] = TT_ROLE_EVENT,   [TT_LINE_ARGUMENTS] = TT_ROLE_ARGUMENTS,
    };
    struct tt_theme theme;
    struct tt_status status = tt_theme_load(&theme, options->theme ? options->theme : "default");
    struct line_style style = {&theme, options->most_colors};
    *use = wants_colors(options->color);
    if (options->color == TT_TUI_COLOR_AUTO && *use) {
        int has = tt_screen_colors_of(STDOUT_FILENO);
        *use = has > 0;
        style.colors = has < style.colors ? has : style.colors;
    }
    if (tt_failed(&status) || !*use) {
        return status;
    }
    for (unsigned i = 0; i < TT_LINE_COLUMN_COUNT; i++) {
        colors->columns[i] = line_color(&style, columns[i]);
    }
    for (unsigned i = 0; i < TT_KIND_COUNT; i++) {
        colors->kinds[i] = line_color(&style, tt_role_of_kind(i));
    }
    for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
        colors->classes[i] = line_color(&style, tt_role_of_class(i));
    }
    colors->inferred = line_color(&style, TT_ROLE_INFERRED);
    colors->malformed = line_color(&style, TT_ROLE_WARNING);
    return status;
}

/* ---- one screen without a terminal --------------------------------------------------------- */

static int print_colors(const struct tt_tui_options *options)
{
    if (options->color != TT_TUI_COLOR_ALWAYS) {
        return 0;
    }
    return options->most_colors > 0 ? options->most_colors : 256;
}

/* Shows the requested window, with the same bounds as the `stats` command. */
static struct tt_status show_range(struct tt_app *app)
{
    const struct tt_tui_options *options = app->options;
    uint64_t from = 0, to = UINT64_MAX, pos;
    struct tt_status status = tt_ok();
    if (options->from.kind == TT_TIME_SPEC_NONE && options->to.kind == TT_TIME_SPEC_NONE) {
        return status;
    }
    if (options->from.kind != TT_TIME_SPEC_NONE) {
        status = tt_time_spec_resolve(&options->from, app->ws.opened.trace, app->ws.opened.events,
                                      &from, &pos);
        if (tt_failed(&status)) {
            return tt_status_context(status, "--from");
        }
    }
    if (options->to.kind != TT_TIME_SPEC_NONE) {
        status = tt_time_spec_resolve(&options->to, app->ws.opened.trace, app->ws.opened.events,
                                      &to, &pos);
        if (tt_failed(&status)) {
            return tt_status_context(status, "--to");
        }
    }
    tt_nav_show_range(&app->ws, from, to);
    return status;
}

/*
 * Opens the app at this size and plays a part of the script, which begins at *at. Then prints the frame
 * unless another part follows. Sets *at to its beginning; 0: there is none.
 */
static struct tt_status render_part(struct tt_app *app, bool ascii, int width, int height,
                                    size_t *at, struct tt_sink *sink)
{
    const struct tt_tui_options *options = app->options;
    struct tt_terminal *term = &app->ws.term;
    struct tt_status status = tt_app_open(app, options, ascii, NULL);
    if (!tt_failed(&status) && !tt_grid_resize(&term->grid, width, height)) {
        status = tt_error_memory();
    }
    if (!tt_failed(&status)) {
        tt_app_update(app);
        term->has_colors = print_colors(options) > 0;
        term->greys = print_colors(options) >= 256;
        tt_term_use_background(term);
        term->colored = term->has_colors && tt_theme_colored(&term->theme);
        tt_event_loop_settle(app); /* performs the layout: page keys need the page length */
        status = show_range(app);
    }
    if (!tt_failed(&status)) {
        status = tt_find_begin(app, options->filter);
    }
    if (!tt_failed(&status)) {
        *at = tt_script_begin(app, *at);
        status = app->failure;
    }
    if (!tt_failed(&status) && *at == 0) {
        tt_event_loop_settle(app);
        status = tt_export_frame(app, options->picture, print_colors(options), sink);
    }
    return status;
}

struct tt_tui_result tt_tui_render(const struct tt_tui_options *options, int width, int height,
                                   struct tt_sink *sink)
{
    struct tt_tui_result result = {.status = tt_ok(), .damage = tt_ok()};
    bool ascii = locale_is_ascii() || options->ascii;
    struct tt_app *app = malloc(sizeof *app);
    size_t at = 0;
    if (!app) {
        result.status = tt_error_memory();
        return result;
    }
    do {
        app->options = options;
        result.status = render_part(app, ascii, width, height, &at, sink);
        tt_app_close(app);
        result.path = app->files.failed_path;
        if (!tt_failed(&result.damage)) {
            result.damage = app->files.damage;
        }
    } while (at > 0 && !tt_failed(&result.status));
    free(app);
    return result;
}

const char *tt_tui_library(void)
{
    return tt_screen_library();
}
