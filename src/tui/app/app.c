/* SPDX-License-Identifier: Apache-2.0 */
/* app: captures opened for the views, and the picture. */
#include "tui/app/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/config.h"
#include "tui/app/script.h"

extern const struct tt_view tt_view_events;
extern const struct tt_view tt_view_threads;
extern const struct tt_view tt_view_cpus;
extern const struct tt_view tt_view_summary;
extern const struct tt_view tt_view_info;
extern const struct tt_view tt_overlay_help;
extern const struct tt_view tt_overlay_columns;
extern const struct tt_view tt_overlay_marks;
extern const struct tt_view tt_overlay_filters;

const struct tt_view *const tt_views[TT_VIEW_COUNT] = {
    [TT_VIEW_EVENTS] = &tt_view_events, [TT_VIEW_THREADS] = &tt_view_threads,
    [TT_VIEW_CPUS] = &tt_view_cpus,     [TT_VIEW_SUMMARY] = &tt_view_summary,
    [TT_VIEW_INFO] = &tt_view_info,
};

const struct tt_view *const tt_overlays[TT_OVERLAY_COUNT] = {
    [TT_OVERLAY_NONE] = NULL,
    [TT_OVERLAY_HELP] = &tt_overlay_help,
    [TT_OVERLAY_COLUMNS] = &tt_overlay_columns,
    [TT_OVERLAY_MARKS] = &tt_overlay_marks,
    [TT_OVERLAY_FILTERS] = &tt_overlay_filters,
};

/* ---- life --------------------------------------------------------------------------------- */

static void close_capture(struct tt_app *app)
{
    struct tt_opened *opened = &app->opened;
    tt_export_stop(app);
    if (opened->capture && tt_health_damaged(opened->capture)) {
        app->damaged = true;
    }
    tt_events_free(opened->events);
    tt_events_free(opened->search_events);
    if (opened->trace) {
        tt_trace_close(opened->trace);
    }
    *opened = (struct tt_opened){0};
}

/* Goes on with opened.trace. */
static struct tt_status start_capture(struct tt_app *app)
{
    struct tt_opened *opened = &app->opened;
    struct tt_status status;
    opened->capture = tt_trace_capture(opened->trace);
    if (app->notify) {
        status = tt_trace_index_start(opened->trace, app->notify, NULL);
    } else {
        status = tt_trace_index(opened->trace);
    }
    if (!tt_failed(&status)) {
        opened->events = tt_events_new(opened->trace);
        if (!opened->events) {
            status = tt_error_memory();
        }
    }
    return status;
}

static struct tt_status open_capture(struct tt_app *app, size_t path)
{
    struct tt_opened *opened = &app->opened;
    struct tt_trace_options options = app->options->trace;
    options.cache.on &= app->keeps_index;
    /* At the start the terminal is still the user's, who can stop what waits. */
    options.map.kinds = app->opened_once ? TT_MAP_READY : TT_MAP_ANY;
    app->opened_once = true;
    struct tt_status status = tt_trace_open(app->paths[path], &options, &opened->trace);
    if (tt_failed(&status)) {
        opened->trace = NULL;
        return status;
    }
    return start_capture(app);
}

static struct tt_status open_states(struct tt_app *app)
{
    for (int i = 0; i < TT_VIEW_COUNT; i++) {
        app->view_states[i] = tt_views[i]->open();
        if (!app->view_states[i]) {
            return tt_error_memory();
        }
    }
    for (int i = TT_OVERLAY_NONE + 1; i < TT_OVERLAY_COUNT; i++) {
        app->overlay_states[i] = tt_overlays[i]->open();
        if (!app->overlay_states[i]) {
            return tt_error_memory();
        }
    }
    return tt_ok();
}

static void forget_window(struct tt_app *app)
{
    app->viewport = (struct tt_viewport){.all = true};
    app->lane = (struct tt_lane_place){.thread = TT_NO_THREAD, .process = UINT32_MAX};
}

/* What was made from the capture that was shown before. */
static void forget_made(struct tt_app *app)
{
    app->rows = 0;
    memset(&app->progress, 0, sizeof app->progress);
    app->search.active = false;
    for (int i = 0; i < TT_VIEW_COUNT; i++) {
        if (tt_views[i]->renew) {
            tt_views[i]->renew(app->view_states[i]);
        }
    }
}

/* And what belongs to it. */
static void forget_places(struct tt_app *app)
{
    memset(&app->cursor, 0, sizeof app->cursor);
    memset(&app->before_jump, 0, sizeof app->before_jump);
    memset(app->marks, 0, sizeof app->marks);
    app->marks_set = 0;
    forget_window(app);
    app->cursor_moved = false;
    forget_made(app);
}

/* What was opened takes the place of what is shown. */
static void take_opened(struct tt_app *app, const struct tt_opened *opened, bool same)
{
    tt_find_detach(app);
    close_capture(app);
    app->opened = *opened;
    if (same) {
        forget_made(app);
    } else {
        forget_places(app);
    }
    tt_live_begin(app);
    tt_app_update(app);
    tt_find_attach(app);
}

/* Takes the place of the capture that is shown; false, with the reason, if it is of no use. */
static bool show_file(struct tt_app *app, size_t path)
{
    const struct tt_opened shown = app->opened;
    app->opened = (struct tt_opened){0};
    struct tt_status status = open_capture(app, path);
    const struct tt_opened opened = app->opened;
    if (tt_failed(&status)) {
        close_capture(app);
        app->opened = shown;
        tt_app_message(app, TT_ROLE_ERROR, "%.100s: %.90s", app->paths[path], status.text);
        return false;
    }
    app->opened = shown;
    tt_session_save(app);
    app->path = path;
    take_opened(app, &opened, false);
    tt_session_restore(app);
    tt_session_settle(app);
    return true;
}

static struct tt_status show_again(struct tt_app *app, struct tt_trace *anew, bool same)
{
    const struct tt_opened shown = app->opened;
    app->opened = (struct tt_opened){.trace = anew};
    struct tt_status status = start_capture(app);
    const struct tt_opened opened = app->opened;
    if (tt_failed(&status)) {
        close_capture(app);
        app->opened = shown;
        return status;
    }
    app->opened = shown;
    take_opened(app, &opened, same);
    return status;
}

struct tt_status tt_app_reopen(struct tt_app *app, bool same)
{
    struct tt_trace *anew;
    struct tt_status status = tt_trace_reopen(app->opened.trace, &anew);
    return tt_failed(&status) ? status : show_again(app, anew, same);
}

bool tt_app_mend(struct tt_app *app)
{
    struct tt_status why;
    struct tt_trace *anew;
    if (app->mended == app->opened.trace ||
        tt_trace_cache(app->opened.trace, &why) != TT_CACHE_GONE) {
        return false;
    }
    struct tt_status status = tt_trace_restart(app->opened.trace, &anew);
    if (!tt_failed(&status)) {
        status = show_again(app, anew, true);
    }
    if (tt_failed(&status)) {
        app->mended = app->opened.trace; /* once is enough */
        tt_app_message(app, TT_ROLE_ERROR, "the kept index was cut short: %.150s", status.text);
    } else {
        tt_app_message(app, TT_ROLE_WARNING, "the kept index was cut short: indexed anew");
    }
    return true;
}

void tt_app_switch_file(struct tt_app *app, bool next)
{
    size_t path = app->path;
    do {
        path = next ? path + 1 : path - 1; /* before the first it wraps far beyond the last */
        if (path >= app->path_count) {
            if (!app->message[0]) {
                tt_app_message(app, TT_ROLE_WARNING, "this is the %s file",
                               next ? "last" : "first");
            }
            return;
        }
    } while (!show_file(app, path));
}

static bool add_path(struct tt_app *app, const char *path)
{
    char **paths = realloc(app->paths, (app->path_count + 1) * sizeof *paths);
    char *copy = paths ? strdup(path) : NULL;
    if (paths) {
        app->paths = paths;
    }
    if (copy) {
        app->paths[app->path_count++] = copy;
    }
    return copy != NULL;
}

void tt_app_open_file(struct tt_app *app, const char *path)
{
    if (!add_path(app, path)) {
        tt_app_message(app, TT_ROLE_ERROR, "out of memory");
    } else if (!show_file(app, app->path_count - 1)) {
        free(app->paths[--app->path_count]);
    }
}

static enum tt_view_id find_view(const char *name)
{
    for (int i = 0; name && i < TT_VIEW_COUNT; i++) {
        if (strcmp(tt_views[i]->name, name) == 0) {
            return (enum tt_view_id)i;
        }
    }
    return name ? TT_VIEW_COUNT : TT_VIEW_EVENTS;
}

/* The configuration, and what the command line says beyond it. */
static struct tt_status set_options(struct tt_app *app)
{
    const struct tt_tui_options *o = app->options;
    struct tt_status status = tt_ok();
    if (o->config || o->own_config) {
        status = tt_config_load(app, o->config);
        if (tt_failed(&status) && !o->config) {
            tt_app_message(app, TT_ROLE_ERROR, "%s", status.text);
            status = tt_ok();
        }
    }
    if (!tt_failed(&status) && o->theme) {
        status = tt_app_theme(app, o->theme);
    }
    if (!tt_failed(&status) && o->script) {
        status = tt_script_load(o->script, &app->script);
    }
    if (o->ascii) {
        app->glyphs = 2;
    }
    tt_app_use_glyphs(app);
    app->mouse_on &= !o->no_mouse;
    app->keeps_session &= o->session;
    if (!tt_failed(&status) && o->view) {
        app->view = find_view(o->view);
        if (app->view == TT_VIEW_COUNT) {
            status = tt_error(TT_ERR_USAGE, "no view \"%s\"", o->view);
        }
    }
    return status;
}

struct tt_status tt_app_open(struct tt_app *app, const struct tt_tui_options *options, bool ascii,
                             void (*notify)(void *arg))
{
    memset(app, 0, sizeof *app);
    app->options = options;
    forget_window(app);
    tt_keymap_default(&app->keymap);
    app->ascii_locale = ascii;
    app->mouse_on = true;
    app->keeps_session = true;
    app->keeps_index = true;
    app->ahead_ms = TT_AHEAD_MS;
    struct tt_status status = tt_app_theme(app, "default");
    if (!tt_failed(&status)) {
        status = set_options(app);
    }
    for (size_t i = 0; i < options->path_count && !tt_failed(&status); i++) {
        status = add_path(app, options->paths[i]) ? tt_ok() : tt_error_memory();
    }
    if (tt_failed(&status)) {
        return status;
    }
    status = open_states(app);
    if (!tt_failed(&status)) {
        app->notify = notify;
        status = open_capture(app, 0);
        app->failed_path = tt_failed(&status) ? options->paths[0] : NULL;
    }
    if (!tt_failed(&status)) {
        tt_session_load_history(app);
        tt_live_begin(app);
        tt_app_update(app);
        tt_session_restore(app);
    }
    return status;
}

void tt_app_close(struct tt_app *app)
{
    tt_filter_stack_edited(&app->filters, false); /* what is half typed is not kept */
    tt_session_save(app);
    tt_session_save_history(app);
    tt_session_drop(app);
    tt_find_detach(app);
    close_capture(app);
    for (int i = 0; i < TT_VIEW_COUNT; i++) {
        tt_views[i]->close(app->view_states[i]);
    }
    for (int i = TT_OVERLAY_NONE + 1; i < TT_OVERLAY_COUNT; i++) {
        tt_overlays[i]->close(app->overlay_states[i]);
    }
    for (size_t i = 0; i < app->path_count; i++) {
        free(app->paths[i]);
    }
    free(app->paths);
    free(app->script);
    tt_line_edit_free(&app->prompt);
    tt_completion_free(&app->completion);
    tt_grid_free(&app->grid);
}

struct tt_status tt_app_theme(struct tt_app *app, const char *name)
{
    struct tt_theme theme;
    struct tt_status status = tt_theme_load(&theme, name);
    if (!tt_failed(&status)) {
        app->theme = theme;
        app->colored = app->has_colors && tt_theme_colored(&app->theme);
        tt_app_use_glyphs(app);
    }
    return status;
}

void tt_app_use_glyphs(struct tt_app *app)
{
    app->grid.ascii = app->glyphs == 0 ? app->ascii_locale : app->glyphs == 2;
    app->grid.ellipsis = tt_app_glyph(app, TT_GLYPH_ELLIPSIS);
}

static void place_cursor(struct tt_app *app)
{
    struct tt_place *cursor = &app->cursor;
    if (!cursor->valid || !app->cursor_moved) {
        cursor->valid = tt_events_read(app->opened.events, 0, 1, &cursor->event) == 1;
        cursor->row = 0;
    } else {
        cursor->row =
            tt_events_row_at_key(app->opened.events, cursor->event.ticks, cursor->event.pos);
    }
}

bool tt_app_update(struct tt_app *app)
{
    bool was_finished = app->progress.finished;
    uint64_t had = app->rows;
    app->progress = tt_trace_progress(app->opened.trace);
    app->rows = tt_events_rows(app->opened.events);
    bool news = app->rows != had || app->progress.finished != was_finished;
    if (news) {
        place_cursor(app);
    }
    struct tt_status why;
    enum tt_cache_state kept = tt_trace_cache(app->opened.trace, &why);
    news |= kept != app->kept; /* Info tells it */
    app->kept = kept;
    tt_session_settle(app);
    if (app->progress.finished && !was_finished && tt_failed(&app->progress.status)) {
        tt_app_message(app, TT_ROLE_ERROR, "%s", app->progress.status.text);
    }
    news |= tt_find_update(app);
    news |= tt_live_update(app);
    return news;
}

void tt_app_message(struct tt_app *app, enum tt_role role, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(app->message, sizeof app->message, fmt, args);
    va_end(args);
    app->message_role = (uint8_t)role;
}

uint32_t tt_app_glyph(const struct tt_app *app, enum tt_glyph glyph)
{
    return tt_theme_glyph(&app->theme, glyph, app->grid.ascii);
}

void tt_app_draw_cursor(const struct tt_app *app, struct tt_area line, int name)
{
    struct tt_look look = tt_theme_look(&app->theme, TT_ROLE_TEXT, TT_ROLE_CURSOR);
    struct tt_look text = tt_theme_look(&app->theme, TT_ROLE_TEXT, 0);
    bool bar = look.bg != text.bg || (look.attrs & (TT_ATTR_REVERSE | TT_ATTR_UNDERLINE)) != 0;
    tt_draw_over(line, 1, 0, (bar ? line.width : name) - 1, TT_ROLE_CURSOR);
    tt_draw_fill(line, 0, 0, 1, TT_ROLE_CURSOR_MARK, tt_app_glyph(app, TT_GLYPH_CURSOR));
}

/* ---- work that goes on -------------------------------------------------------------------- */

bool tt_app_working(const struct tt_app *app)
{
    return app->search.active || app->writing.active;
}

bool tt_app_work(struct tt_app *app, uint64_t budget_ns)
{
    return app->search.active ? tt_go_search(app, budget_ns) : tt_export_step(app, budget_ns);
}

bool tt_app_complete(struct tt_app *app, uint64_t budget_ns)
{
    const struct tt_view *view = tt_views[app->view];
    return !view->work || view->work(app, app->view_states[app->view], budget_ns);
}

uint64_t tt_app_share(const struct tt_app *app, unsigned n)
{
    uint64_t now = tt_monotonic_ns();
    return app->frame_ends > now ? now + (app->frame_ends - now) / n : now;
}

bool tt_app_settled(const struct tt_app *app)
{
    const struct tt_view *view = tt_views[app->view];
    return !app->search.active && tt_find_settled(app) && tt_live_is_read(app) &&
           (!view->settled || view->settled(app, app->view_states[app->view]));
}

/* ---- screen ------------------------------------------------------------------------------- */

static void draw_too_small(struct tt_app *app)
{
    struct tt_area all = tt_grid_area(&app->grid);
    char text[64];
    snprintf(text, sizeof text, "terminal too small: %dx%d needed", TT_LEAST_WIDTH,
             TT_LEAST_HEIGHT);
    tt_draw(all, 0, 0, all.width, TT_ROLE_TEXT, text);
    tt_draw(all, 0, 1, all.width, TT_ROLE_FOOTER, "q quit");
}

void tt_app_draw(struct tt_app *app)
{
    struct tt_area all = tt_grid_area(&app->grid);
    app->frame_ends = tt_monotonic_ns() + TT_FRAME_NS;
    app->undrawn = false;
    tt_grid_clear(&app->grid);
    if (all.width < TT_LEAST_WIDTH || all.height < TT_LEAST_HEIGHT) {
        draw_too_small(app);
        return;
    }
    app->body = tt_area_part(all, 0, 1, all.width, all.height - 3);
    tt_views[app->view]->draw(app, app->view_states[app->view], app->body);
    if (app->overlay != TT_OVERLAY_NONE) {
        tt_overlays[app->overlay]->draw(app, app->overlay_states[app->overlay], app->body);
    }
    tt_frame_draw(app);
    if (app->prompt.open) {
        tt_completion_draw(&app->completion, &app->theme, app->body);
    }
}

void tt_app_catch_up(struct tt_app *app)
{
    if (app->undrawn && app->grid.width > 0) {
        tt_app_draw(app);
    }
}
