/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "tui/pictures.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/event_loop.h"
#include "tui/panes/pane.h"
#include "tui/views/threads/view.h"

#define COLUMNS 120
#define LINES   50 /* room for the lanes of 17 threads */

struct tt_tui_pictures {
    struct tt_app app;
    struct tt_tui_options options;
    struct tt_theme dark;
    struct tt_theme light;
    struct tt_picture_styles styles;
    struct tt_cell legend[COLUMNS]; /* of Threads: the states and their glyphs */
    bool has_legend;
};

/* The trace is open: the path is only a name. */
static const char *const no_path = "";

/* Returns whether all characters can be drawn; a page is UTF-8 in any locale. */
static bool use_utf8(void)
{
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 || setlocale(LC_CTYPE, "C.UTF-8");
}

/* Keeps the legend of the Threads view, up to the width of the range on its right. */
static void keep_legend(struct tt_tui_pictures *pictures)
{
    const struct tt_workspace *ws = &pictures->app.ws;
    const struct tt_threads_view *view = pictures->app.view_states[TT_VIEW_THREADS];
    int y = ws->term.body.y + view->lanes.layout.legend;
    bool ended = false;
    if (view->lanes.layout.legend < 0 || y >= ws->term.grid.height) {
        return;
    }
    for (int x = 0; x < COLUMNS; x++) {
        pictures->legend[x] = *tt_grid_at(&ws->term.grid, x, y);
        ended |= x > 1 && pictures->legend[x].ch == ' ' && pictures->legend[x - 1].ch == ' ';
        if (ended) {
            pictures->legend[x] = (struct tt_cell){.ch = ' '};
        }
    }
    pictures->has_legend = true;
}

static struct tt_status open_app(struct tt_tui_pictures *pictures)
{
    struct tt_app *app = &pictures->app;
    struct tt_status status = tt_app_open(app, &pictures->options, !use_utf8(), NULL);
    if (!tt_failed(&status) && !tt_grid_resize(&app->ws.term.grid, COLUMNS, LINES)) {
        status = tt_error_memory();
    }
    if (!tt_failed(&status)) {
        tt_app_update(app);
        app->ws.term.has_colors = app->ws.term.greys = true;
        app->ws.term.colored = tt_theme_colored(&app->ws.term.theme);
        tt_event_loop_settle(app);
        keep_legend(pictures);
    }
    return status;
}

struct tt_status tt_tui_pictures_open(struct tt_trace *trace, struct tt_tui_pictures **made)
{
    struct tt_tui_pictures *pictures = calloc(1, sizeof *pictures);
    if (!pictures) {
        return tt_error_memory();
    }
    pictures->options = (struct tt_tui_options){
        .paths = &no_path, .path_count = 1, .view = "threads", .no_mouse = true, .opened = trace};
    pictures->styles.themes[0] = &pictures->dark;
    pictures->styles.themes[1] = &pictures->light;
    struct tt_status status = tt_theme_load(&pictures->dark, "default");
    if (!tt_failed(&status)) {
        status = tt_theme_load(&pictures->light, "light");
    }
    if (tt_failed(&status)) {
        free(pictures);
        return status;
    }
    status = open_app(pictures);
    if (tt_failed(&status)) {
        tt_tui_pictures_close(pictures);
        return status;
    }
    *made = pictures;
    return status;
}

void tt_tui_pictures_close(struct tt_tui_pictures *pictures)
{
    if (pictures) {
        tt_app_close(&pictures->app);
        free(pictures);
    }
}

struct tt_status tt_tui_pictures_draw(struct tt_tui_pictures *pictures,
                                      const struct tt_tui_interval *interval, struct tt_sink *sink)
{
    struct tt_workspace *ws = &pictures->app.ws;
    struct tt_status status = tt_ok();
    if (!tt_why_open_range(ws, interval->thread, interval->from, interval->to, interval->what)) {
        return status;
    }
    tt_event_loop_settle(&pictures->app);

    /* Selects the whole interval instead of its first piece. */
    struct tt_viewport *viewport = &ws->nav.viewport;
    viewport->spans = true;
    viewport->growing = false;
    viewport->anchor = interval->from;
    viewport->other = interval->to;

    tt_event_loop_settle(&pictures->app);
    int top = ws->term.body.y;
    int lines = tt_why_lanes_lines(pictures->app.overlay_states[TT_OVERLAY_WHY]);
    if (lines > 0 && pictures->has_legend) {
        memcpy(tt_grid_at(&ws->term.grid, 0, top + lines), pictures->legend,
               sizeof pictures->legend);
        lines++;
    }
    if (lines > 0) {
        status = tt_picture_write_part(&ws->term.grid, top, top + lines, &pictures->styles, sink);
    }
    tt_why_close(ws);
    return status;
}

void tt_tui_pictures_rules(const struct tt_tui_pictures *pictures, bool light, struct tt_sink *sink)
{
    tt_picture_write_rules(&pictures->styles, light ? 1 : 0, sink);
}
