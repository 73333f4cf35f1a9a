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
static void take_legend(struct tt_tui_pictures *p)
{
    const struct tt_workspace *ws = &p->app.ws;
    const struct tt_threads_view *v = p->app.view_states[TT_VIEW_THREADS];
    int y = ws->term.body.y + v->lanes.layout.legend;
    bool ended = false;
    if (v->lanes.layout.legend < 0 || y >= ws->term.grid.height) {
        return;
    }
    for (int x = 0; x < COLUMNS; x++) {
        p->legend[x] = *tt_grid_at(&ws->term.grid, x, y);
        ended |= x > 1 && p->legend[x].ch == ' ' && p->legend[x - 1].ch == ' ';
        if (ended) {
            p->legend[x] = (struct tt_cell){.ch = ' '};
        }
    }
    p->has_legend = true;
}

static struct tt_status open_app(struct tt_tui_pictures *p)
{
    struct tt_app *app = &p->app;
    struct tt_status status = tt_app_open(app, &p->options, !use_utf8(), NULL);
    if (!tt_failed(&status) && !tt_grid_resize(&app->ws.term.grid, COLUMNS, LINES)) {
        status = tt_error_memory();
    }
    if (!tt_failed(&status)) {
        tt_app_update(app);
        app->ws.term.has_colors = app->ws.term.greys = true;
        app->ws.term.colored = tt_theme_colored(&app->ws.term.theme);
        tt_event_loop_settle(app);
        take_legend(p);
    }
    return status;
}

struct tt_status tt_tui_pictures_open(struct tt_trace *trace, struct tt_tui_pictures **made)
{
    struct tt_tui_pictures *p = calloc(1, sizeof *p);
    if (!p) {
        return tt_error_memory();
    }
    p->options = (struct tt_tui_options){
        .paths = &no_path, .path_count = 1, .view = "threads", .no_mouse = true, .opened = trace};
    p->styles.themes[0] = &p->dark;
    p->styles.themes[1] = &p->light;
    struct tt_status status = tt_theme_load(&p->dark, "default");
    if (!tt_failed(&status)) {
        status = tt_theme_load(&p->light, "light");
    }
    if (tt_failed(&status)) {
        free(p);
        return status;
    }
    status = open_app(p);
    if (tt_failed(&status)) {
        tt_tui_pictures_close(p);
        return status;
    }
    *made = p;
    return status;
}

void tt_tui_pictures_close(struct tt_tui_pictures *p)
{
    if (p) {
        tt_app_close(&p->app);
        free(p);
    }
}

/* Selects the whole interval instead of its first piece. */
static void select_interval(struct tt_viewport *w, const struct tt_tui_interval *interval)
{
    w->spans = true;
    w->growing = false;
    w->anchor = interval->from;
    w->other = interval->to;
}

struct tt_status tt_tui_pictures_draw(struct tt_tui_pictures *p,
                                      const struct tt_tui_interval *interval, tt_tui_write *write,
                                      void *arg)
{
    struct tt_workspace *ws = &p->app.ws;
    struct tt_status status = tt_ok();
    if (!tt_why_open_range(ws, interval->thread, interval->from, interval->to, interval->what)) {
        return status;
    }
    tt_event_loop_settle(&p->app);
    select_interval(&ws->nav.viewport, interval);
    tt_event_loop_settle(&p->app);
    int top = ws->term.body.y;
    int lines = tt_why_lanes_lines(p->app.overlay_states[TT_OVERLAY_WHY]);
    if (lines > 0 && p->has_legend) {
        memcpy(tt_grid_at(&ws->term.grid, 0, top + lines), p->legend, sizeof p->legend);
        lines++;
    }
    if (lines > 0) {
        status = tt_picture_write_part(&ws->term.grid, top, top + lines, &p->styles, write, arg);
    }
    tt_why_close(ws);
    return status;
}

void tt_tui_pictures_rules(const struct tt_tui_pictures *p, bool light, tt_tui_write *write,
                           void *arg)
{
    tt_picture_write_rules(&p->styles, light ? 1 : 0, write, arg);
}
