/* SPDX-License-Identifier: Apache-2.0 */
/* app: opens and switches captures, and draws the frame. */
#include "tui/app/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "tui/app/config.h"
#include "tui/app/filter_prompt.h"
#include "tui/app/live.h"
#include "tui/app/places.h"
#include "tui/app/script.h"
#include "tui/model/causes.h"
#include "tui/term/pace.h"

/* ---- open, close ------------------------------------------------------------------------- */

static void app_close_capture(struct tt_app *app)
{
    struct tt_open_capture *opened = &app->ws.opened;
    tt_export_stop(app);
    if (opened->capture && !tt_failed(&app->files.damage)) {
        app->files.damage = tt_health_damage(opened->capture);
    }
    tt_causes_free(opened->causes);
    tt_jobs_drop(&app->ws.jobs);
    tt_own_lanes_drop(&app->ws.own);
    for (int i = TT_OVERLAY_NONE + 1; i < TT_OVERLAY_COUNT; i++) {
        if (tt_overlays[i]->drop && app->overlay_states[i]) {
            tt_overlays[i]->drop(&app->ws, app->overlay_states[i]);
        }
    }
    tt_events_free(opened->events);
    tt_events_free(opened->search_events);
    if (opened->trace && opened->trace != app->options->opened) {
        tt_trace_close(opened->trace);
    }
    *opened = (struct tt_open_capture){0};
}

/* Completes the opening of opened.trace. */
static struct tt_status start_capture(struct tt_app *app)
{
    struct tt_open_capture *opened = &app->ws.opened;
    struct tt_status status;
    if (opened->trace == app->options->opened) {
        status = tt_ok();
    } else if (app->ws.index.notify) {
        status = tt_trace_index_start(opened->trace, app->ws.index.notify, NULL);
    } else {
        status = tt_trace_index(opened->trace);
    }
    opened->capture = tt_trace_capture(opened->trace);
    if (!tt_failed(&status)) {
        opened->events = tt_events_new(opened->trace);
        if (!opened->events) {
            status = tt_error_memory();
        }
    }
    return status;
}

static struct tt_status app_open_capture(struct tt_app *app, size_t path)
{
    struct tt_open_capture *opened = &app->ws.opened;
    struct tt_trace_options options = app->options->trace;
    options.cache.on &= app->files.keeps_index;
    options.merge = path == 0 ? options.merge : NULL; /* the files opened later are single ones */
    /* Before the screen starts, Ctrl-C can still interrupt an open that blocks. */
    options.map.kinds = app->files.opened_once ? TT_MAP_READY : TT_MAP_ANY;
    /* Without a worker, the opening waits for all bytes, and shows its progress. */
    options.map.early = app->ws.index.notify ? TT_TRACE_EARLY : 0;
    options.map.early_few = TT_TRACE_EARLY_FEW;
    options.map.early_ms = TT_TRACE_EARLY_MS;
    if (!app->files.opened_once && app->options->opened) {
        app->files.opened_once = true;
        opened->trace = app->options->opened;
        return start_capture(app);
    }
    app->files.opened_once = true;
    tt_remote_files_use(&app->ws.remote, &options.map);
    struct tt_status status = tt_trace_open(app->files.paths[path], &options, &opened->trace);
    tt_remote_files_use_screen(&app->ws.remote);
    if (tt_failed(&status)) {
        opened->trace = NULL;
        return status;
    }
    return start_capture(app);
}

/* Allocates the states of `count` views, starting at number `first`. */
static bool open_states(const struct tt_view *const *views, void **states, int first, int count)
{
    for (int i = first; i < count; i++) {
        size_t size = views[i]->state_size;
        states[i] = size > 0 ? calloc(1, size) : views[i]->open ? views[i]->open() : NULL;
        if (!states[i] && (size > 0 || views[i]->open)) {
            return false;
        }
    }
    return true;
}

static void close_states(const struct tt_view *const *views, void **states, int first, int count)
{
    for (int i = first; i < count; i++) {
        if (views[i]->close && states[i]) {
            views[i]->close(states[i]);
        }
        if (views[i]->state_size > 0) {
            free(states[i]);
        }
    }
}

/* Drops the data computed from the previous capture. */
static void forget_made(struct tt_app *app)
{
    app->ws.index.rows = 0;
    app->ws.index.arrives = false;
    memset(&app->ws.index.progress, 0, sizeof app->ws.index.progress);
    app->ws.filters.scan.active = false;
    for (int i = 0; i < TT_VIEW_COUNT; i++) {
        if (tt_views[i]->renew) {
            tt_views[i]->renew(app->view_states[i]);
        }
    }
}

/* Shows a message if the compressed file is damaged, if there is a screen; returns whether it is damaged. */
static bool tell_damage(struct tt_app *app)
{
    bool damaged = tt_health_count(app->ws.opened.capture, TT_HEALTH_CONTAINER) > 0;
    if (damaged && app->ws.index.notify) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING,
                       "the compressed file is damaged: see Info");
    }
    return damaged;
}

/* Replaces the current capture by `opened`. */
static void show_opened(struct tt_app *app, const struct tt_open_capture *opened, bool same)
{
    tt_find_detach(app);
    tt_why_close(&app->ws);
    app_close_capture(app);
    app->ws.opened = *opened;
    if (same) {
        forget_made(app);
    } else {
        /* Drops the previous capture's data and the places in it. */
        memset(&app->ws.nav.cursor, 0, sizeof app->ws.nav.cursor);
        memset(&app->ws.nav.before_jump, 0, sizeof app->ws.nav.before_jump);
        memset(app->ws.nav.marks, 0, sizeof app->ws.nav.marks);
        app->ws.nav.marks_set = 0;
        tt_nav_forget_window(&app->ws.nav);
        app->ws.nav.cursor_moved = false;
        forget_made(app);
    }
    tt_live_begin(app);
    tell_damage(app);
    tt_app_update(app);
    /* The update may have opened the capture again, which has attached the filters already. */
    if (app->ws.opened.trace == opened->trace) {
        tt_find_attach(app);
    }
}

/* Opens a file of the list, or completes the opening of `reopened`, beside the capture that is shown. */
static struct tt_status open_beside(struct tt_app *app, size_t path, struct tt_trace *reopened,
                                    struct tt_open_capture *opened)
{
    const struct tt_open_capture shown = app->ws.opened;
    app->ws.opened = (struct tt_open_capture){.trace = reopened};
    struct tt_status status = reopened ? start_capture(app) : app_open_capture(app, path);
    *opened = app->ws.opened;
    if (tt_failed(&status)) {
        app_close_capture(app);
    }
    app->ws.opened = shown;
    return status;
}

bool tt_app_show_numbered(struct tt_app *app, size_t path)
{
    struct tt_open_capture opened;
    struct tt_status status = open_beside(app, path, NULL, &opened);
    if (tt_failed(&status)) {
        tt_message_set(&app->ws.message, TT_ROLE_ERROR, "%.100s: %.90s", app->files.paths[path],
                       status.text);
        return false;
    }
    tt_session_save(app);
    app->ws.trail.left = true;
    app->files.path = path;
    show_opened(app, &opened, false);
    tt_session_restore(app);
    tt_session_settle(app);
    return true;
}

static struct tt_status show_again(struct tt_app *app, struct tt_trace *reopened, bool same)
{
    struct tt_open_capture opened;
    struct tt_status status = open_beside(app, 0, reopened, &opened);
    if (!tt_failed(&status) && !same) {
        tt_places_forget(&app->ws.trail, app->files.path);
    }
    if (!tt_failed(&status)) {
        show_opened(app, &opened, same);
    }
    return status;
}

struct tt_status tt_app_reopen(struct tt_app *app, bool same)
{
    struct tt_trace *reopened;
    struct tt_status status = tt_trace_reopen(app->ws.opened.trace, &reopened);
    return tt_failed(&status) ? status : show_again(app, reopened, same);
}

/* Returns why the capture has to be opened again; NULL: it is right. */
static const char *why_repair(const struct tt_trace *trace)
{
    struct tt_status status;
    return tt_trace_is_outdated(trace) ? "the file is not what its first bytes were"
           : tt_trace_cache(trace, &status) == TT_CACHE_TRUNCATED ? "the index cache was truncated"
                                                                  : NULL;
}

bool tt_app_repair(struct tt_app *app)
{
    struct tt_trace *reopened, *trace = app->ws.opened.trace;
    const char *why = why_repair(trace);
    if (!why || app->ws.index.unrepaired == trace) {
        return false;
    }
    struct tt_status status = tt_trace_restart(trace, &reopened);
    if (!tt_failed(&status)) {
        status = show_again(app, reopened, true);
    }
    if (tt_failed(&status)) {
        app->ws.index.unrepaired = trace; /* try only once */
        tt_message_set(&app->ws.message, TT_ROLE_ERROR, "%s: %.150s", why, status.text);
    } else if (!tell_damage(app)) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "%s: indexing again", why);
    }
    return true;
}

void tt_app_switch_file(struct tt_app *app, bool next)
{
    size_t path = app->files.path;
    do {
        path = next ? path + 1 : path - 1; /* below 0 it wraps past the last file */
        if (path >= app->files.path_count) {
            if (!app->ws.message.text[0]) {
                tt_message_set(&app->ws.message, TT_ROLE_WARNING, "this is the %s file",
                               next ? "last" : "first");
            }
            return;
        }
    } while (!tt_app_show_numbered(app, path));
}

static bool add_path(struct tt_app *app, const char *path)
{
    char **paths = realloc(app->files.paths, (app->files.path_count + 1) * sizeof *paths);
    char *copy = paths ? strdup(path) : NULL;
    if (paths) {
        app->files.paths = paths;
    }
    if (copy) {
        app->files.paths[app->files.path_count++] = copy;
    }
    return copy != NULL;
}

void tt_app_open_file(struct tt_app *app, const char *path)
{
    if (!add_path(app, path)) {
        tt_message_set(&app->ws.message, TT_ROLE_ERROR, "out of memory");
    } else if (!tt_app_show_numbered(app, app->files.path_count - 1)) {
        free(app->files.paths[--app->files.path_count]);
    }
}

/* Shows a file unless it is shown already; appends it if it is not in the list. Returns whether it is shown. */
static bool app_show_file(struct tt_app *app, const char *path)
{
    if (app->ws.opened.trace && strcmp(tt_trace_path(app->ws.opened.trace), path) == 0) {
        return true;
    }
    for (size_t i = 0; i < app->files.path_count; i++) {
        if (strcmp(app->files.paths[i], path) == 0) {
            return tt_app_show_numbered(app, i);
        }
    }
    tt_app_open_file(app, path);
    return app->ws.opened.trace && strcmp(tt_trace_path(app->ws.opened.trace), path) == 0;
}

/* Events that are read to find scheduling before the first view is Events, and naps while more arrive. */
#define CHOICE_EVENTS 65536u
#define CHOICE_NAPS   200

void tt_app_choose_view(struct tt_app *app)
{
    const struct timespec pause = {.tv_nsec = 500000};
    struct tt_trace *trace = app->ws.opened.trace;
    const bool follows = trace && tt_trace_live(trace).follows;
    bool chooses = app->chooses_view && trace;
    app->chooses_view &= !trace || follows;
    for (int naps = 0; chooses; naps++) {
        struct tt_arrival arrived;
        bool late = naps >= CHOICE_NAPS && tt_trace_is_arriving(trace, &arrived);
        struct tt_progress progress = tt_trace_progress(trace);
        const struct tt_timelines *timelines = tt_trace_timelines(trace);
        bool schedules =
            false; /* CPUs of which only interrupts or losses are known show no thread */
        for (uint32_t cpu = 0; timelines && cpu < tt_cpu_count(timelines) && !schedules; cpu++) {
            struct tt_cpu_sums sums;
            tt_cpu_sum(timelines, (uint16_t)cpu, tt_timelines_begin(timelines),
                       tt_timelines_limit(timelines), &sums);
            schedules = sums.busy + sums.idle > 0;
        }
        if (schedules || progress.finished || progress.events >= CHOICE_EVENTS || late) {
            tt_nav_show(&app->ws.nav, schedules ? TT_VIEW_THREADS : TT_VIEW_EVENTS);
            app->chooses_view = chooses = false;
        } else if (follows) {
            return; /* the next update may find more */
        } else {
            nanosleep(&pause, NULL);
        }
    }
}

/* Applies the configuration, then the options of the command line. */
static struct tt_status set_options(struct tt_app *app)
{
    const struct tt_tui_options *options = app->options;
    struct tt_status status = tt_ok();
    if (options->config || options->own_config) {
        status = tt_config_load(app, options->config);
        if (tt_failed(&status) && !options->config) {
            tt_message_set(&app->ws.message, TT_ROLE_ERROR, "%s", status.text);
            status = tt_ok();
        }
    }
    const struct tt_remote_options *remote = options->trace.map.remote;
    if (!tt_failed(&status) && remote && remote->shell) {
        status = tt_remote_files_set_shell(&app->ws.remote, remote->shell);
    }
    if (!tt_failed(&status) && options->theme) {
        status = tt_term_theme(&app->ws.term, options->theme);
    }
    if (!tt_failed(&status) && options->zone) {
        status = tt_status_context(tt_time_zone_set(&app->ws.nav.zone, options->zone), "--zone");
    }
    if (!tt_failed(&status) && options->script) {
        status = tt_script_load(options->script, &app->script);
    }
    if (options->ascii) {
        app->ws.term.glyphs = TT_GLYPHS_ASCII;
    }
    tt_term_use_glyphs(&app->ws.term);
    app->ws.term.mouse_on &= !options->no_mouse;
    app->keeps_session &= options->session;
    if (!tt_failed(&status) && options->view) {
        app->chooses_view = false;

        const char *name = options->view;
        enum tt_view_id view = TT_VIEW_EVENTS;
        while (view < TT_VIEW_COUNT && strcmp(tt_view_names(view)->name, name) != 0) {
            view++;
        }
        app->ws.nav.view = view;

        if (app->ws.nav.view == TT_VIEW_COUNT) {
            status = tt_error(TT_ERR_USAGE, "no view \"%s\"", options->view);
        }
    }
    return status;
}

struct tt_status tt_app_open(struct tt_app *app, const struct tt_tui_options *options, bool ascii,
                             void (*notify)(void *arg))
{
    memset(app, 0, sizeof *app);
    app->options = options;
    tt_remote_files_init(&app->ws.remote, &options->trace.map, notify);
    tt_nav_forget_window(&app->ws.nav);
    tt_keymap_default(&app->ws.term.keymap);
    app->ws.term.ascii_locale = ascii;
    app->ws.term.mouse_on = true;
    app->ws.term.requests.frame_rate = TT_PACE_RATE;
    app->ws.nav.noted = -1;
    app->ws.host = (struct tt_host){
        .app = app,
        .rule = tt_app_rule,
        .prompt = tt_prompt_open,
        .show_file = app_show_file,
        .show_place = tt_places_go,
        .show_result = tt_results_open,
        .edit_filter = tt_find_prompt_filter,
        .name_filter = tt_find_prompt_name,
        .add_filter = tt_find_add_brief,
        .update_filters = tt_find_update,
        .pass = tt_places_pass,
    };
    app->keeps_session = true;
    app->chooses_view = true;
    app->files.keeps_index = true;
    struct tt_status status = tt_term_theme(&app->ws.term, "default");
    if (!tt_failed(&status)) {
        status = set_options(app);
    }
    for (size_t i = 0; i < options->path_count && !tt_failed(&status); i++) {
        status = add_path(app, options->paths[i]) ? tt_ok() : tt_error_memory();
    }
    if (tt_failed(&status)) {
        return status;
    }
    if (!open_states(tt_views, app->view_states, 0, TT_VIEW_COUNT) ||
        !open_states(tt_overlays, app->overlay_states, 1, TT_OVERLAY_COUNT)) {
        status = tt_error_memory();
    }
    if (!tt_failed(&status)) {
        app->ws.index.notify = notify;
        status = app_open_capture(app, 0);
        app->files.failed_path = tt_failed(&status) ? options->paths[0] : NULL;
    }
    if (!tt_failed(&status)) {
        tt_app_choose_view(app);
        tt_session_load_history(app);
        tt_live_begin(app);
        tell_damage(app);
        tt_app_update(app);
        tt_session_restore(app);
    }
    return status;
}

void tt_app_close(struct tt_app *app)
{
    tt_filter_stack_edited(&app->ws.filters.stack, false); /* drops an unfinished edit */
    tt_why_close(&app->ws);
    tt_session_save(app);
    tt_session_save_history(app);
    tt_session_drop(app);
    tt_find_detach(app);
    app_close_capture(app);
    tt_query_definitions_free(&app->ws.query_definitions);
    tt_places_free(&app->ws.trail);
    close_states(tt_views, app->view_states, 0, TT_VIEW_COUNT);
    close_states(tt_overlays, app->overlay_states, 1, TT_OVERLAY_COUNT);
    for (size_t i = 0; i < app->files.path_count; i++) {
        free(app->files.paths[i]);
    }
    free(app->files.paths);
    tt_remote_files_free(&app->ws.remote);
    free(app->script);
    tt_line_edit_free(&app->prompt.line);
    tt_completion_free(&app->prompt.completion);
    tt_grid_free(&app->ws.term.grid);
}

/* Shows a message about the largest stretch of damaged bytes and the share of the file that is good, if there is one. */
static void tell_stretches(struct tt_workspace *ws)
{
    const struct tt_stretches damage = tt_health_stretches(ws->opened.capture);
    const uint64_t size = ws->index.progress.bytes_total;
    if (damage.bytes == 0) {
        return;
    }
    char buffer[TT_STATUS_TEXT];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, "damage: ");
    tt_health_stretch_text(&damage.largest, &text);
    if (damage.count > 1) {
        tt_text_str(&text, ", the largest of ");
        tt_text_grouped(&text, damage.count);
    }
    if (damage.bytes <= size) {
        /* Rounded down: with damage, no file is good to 100 %. */
        const uint64_t permille = (uint64_t)((double)(size - damage.bytes) * 1000.0 / (double)size);
        tt_text_str(&text, "; ");
        tt_text_u64(&text, permille / 10);
        tt_text_char(&text, '.');
        tt_text_u64(&text, permille % 10);
        tt_text_str(&text, " % of the file is good");
    }
    tt_message_set(&ws->message, TT_ROLE_WARNING, "%s", tt_text_cstr(&text));
}

/* Says why the index is not complete, unless it is; the program ends with the first reason. */
static void tell_failure(struct tt_app *app)
{
    const struct tt_status *status = &app->ws.index.progress.status;
    if (!tt_failed(status)) {
        return;
    }
    tt_message_set(&app->ws.message, TT_ROLE_ERROR, "%s", status->text);
    if (!tt_failed(&app->files.failure)) {
        size_t path = app->files.path;
        app->files.failure = *status;
        app->files.failed_path = path < app->options->path_count ? app->options->paths[path] : NULL;
    }
}

bool tt_app_update(struct tt_app *app)
{
    bool was_finished = app->ws.index.progress.finished;
    uint64_t had = app->ws.index.rows;
    app->ws.index.progress = tt_trace_progress(app->ws.opened.trace);
    app->ws.index.rows = tt_events_rows(app->ws.opened.events);
    bool changed = app->ws.index.rows != had || app->ws.index.progress.finished != was_finished;
    if (changed) {
        struct tt_place *cursor = &app->ws.nav.cursor;
        if (!cursor->valid || !app->ws.nav.cursor_moved) {
            cursor->valid = tt_events_read(app->ws.opened.events, 0, 1, &cursor->event) == 1;
            cursor->row = 0;
        } else {
            cursor->row =
                tt_events_row_at_key(app->ws.opened.events, cursor->event.ticks, cursor->event.pos);
        }
    }
    struct tt_status why;
    enum tt_cache_state kept = tt_trace_cache(app->ws.opened.trace, &why);
    changed |= kept != app->ws.index.cache; /* shown in Info */
    app->ws.index.cache = kept;
    changed |= tt_live_update_arrival(app);
    if (app->chooses_view && app->ws.index.following.live.follows) {
        tt_app_choose_view(app); /* the first lanes come after the first events */
        changed |= !app->chooses_view;
    }
    tt_session_settle(app);
    if (app->ws.index.progress.finished && !was_finished) {
        tell_stretches(&app->ws);
        tell_failure(app);
    }
    changed |= tt_places_settle(app);
    changed |= tt_find_update(app);
    changed |= tt_live_update(app);
    tt_places_keep(app);
    char note[TT_STATUS_TEXT];
    if (tt_remote_files_pop_note(&app->ws.remote, note)) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "%s", note);
        changed = true;
    }
    return changed;
}

/* ---- work in progress -------------------------------------------------------------------- */

bool tt_app_working(const struct tt_app *app)
{
    return app->ws.filters.scan.active || app->list_search.active || app->writing.active;
}

bool tt_app_work(struct tt_app *app, uint64_t budget_ns)
{
    bool ended = app->ws.filters.scan.active ? tt_nav_search_step(&app->ws, budget_ns)
                 : app->list_search.active   ? tt_app_find_row_step(app, budget_ns)
                                             : tt_export_step(app, budget_ns);
    tt_places_keep(app);
    return ended;
}

bool tt_app_complete(struct tt_app *app, uint64_t budget_ns)
{
    void *state;

    /*
     * Decides whether the visible range is another one than that of the layout; the next frame has
     * a new one.
     */
    const struct tt_viewport *viewport = &app->ws.nav.viewport;
    if (viewport->from != app->laid_out_from || viewport->to != app->laid_out_to) {
        return true;
    }

    const struct tt_view *view = tt_view_shown(app, &state);
    uint64_t deadline = tt_now_ns() + budget_ns;
    bool complete = (!view->work || view->work(&app->ws, state, budget_ns)) &&
                    tt_jobs_work(&app->ws, deadline) && tt_own_lanes_work(&app->ws, deadline);
    tt_places_keep(app);
    return complete;
}

bool tt_app_settled(const struct tt_app *app)
{
    void *state;
    const struct tt_view *view = tt_view_shown(app, &state);
    return !app->ws.filters.scan.active && !app->list_search.active &&
           app->ws.trail.awaited == TT_AWAITED_NONE && tt_find_settled(&app->ws) &&
           tt_live_is_read(app) && (!view->settled || view->settled(&app->ws, state));
}

const struct tt_view *tt_view_shown(const struct tt_app *app, void **state)
{
    const struct tt_navigation *nav = &app->ws.nav;
    const enum tt_overlay_id overlays[] = {nav->overlay, nav->below};
    for (int i = 0; i < 2; i++) {
        if (overlays[i] != TT_OVERLAY_NONE && tt_overlays[overlays[i]]->covers) {
            *state = app->overlay_states[overlays[i]];
            return tt_overlays[overlays[i]];
        }
    }
    *state = app->view_states[nav->view];
    return tt_views[nav->view];
}

/* ---- screen ------------------------------------------------------------------------------- */

/* Lays out the view and the overlay; returns false if the grid is too small. */
static bool lay_out(struct tt_app *app)
{
    struct tt_workspace *ws = &app->ws;
    struct tt_area all = tt_grid_area(&ws->term.grid);
    app->stale = false;
    if (all.width < TT_LEAST_WIDTH || all.height < TT_LEAST_HEIGHT) {
        ws->term.body = tt_area_part(all, 0, 0, 0, 0); /* that of a larger grid may be outside */
        return false;
    }
    void *state;
    const struct tt_view *view = tt_view_shown(app, &state);
    const struct tt_view *overlay = tt_overlays[ws->nav.overlay];
    ws->term.body = tt_area_part(all, 0, 1, all.width, all.height - 2);
    if (view->layout) {
        view->layout(ws, state, ws->term.body);
    }
    if (overlay && overlay != view && overlay->layout) {
        overlay->layout(ws, app->overlay_states[ws->nav.overlay], ws->term.body);
    }
    tt_frame_layout(app);
    app->laid_out_from = ws->nav.viewport.from;
    app->laid_out_to = ws->nav.viewport.to;
    return true;
}

void tt_app_layout(struct tt_app *app)
{
    if (app->stale && app->ws.term.grid.width > 0) {
        lay_out(app);
    }
}

void tt_app_draw(struct tt_app *app)
{
    struct tt_workspace *ws = &app->ws;
    ws->term.frame_ends = tt_now_ns() + TT_FRAME_NS;
    tt_grid_clear(&ws->term.grid);
    if (!lay_out(app)) {
        app->is_whole = true;
        struct tt_area all = tt_grid_area(&app->ws.term.grid);
        char text[64];
        snprintf(text, sizeof text, "terminal too small: %dx%d needed", TT_LEAST_WIDTH,
                 TT_LEAST_HEIGHT);
        tt_draw(all, 0, 0, all.width, TT_ROLE_TEXT, text);
        tt_draw(all, 0, 1, all.width, TT_ROLE_FOOTER, "q quit");
        return;
    }
    void *state;
    const struct tt_view *view = tt_view_shown(app, &state);
    const struct tt_view *overlay = tt_overlays[ws->nav.overlay];
    if (view->fill && view->fill(ws, state)) {
        lay_out(app);
        view->fill(ws, state);
    }
    app->is_whole =
        tt_app_complete(app, 0); /* computes parts too, so it comes before the drawing */
    view->draw(ws, state, ws->term.body);
    if (overlay && overlay != view) {
        overlay->draw(ws, app->overlay_states[ws->nav.overlay], ws->term.body);
    }
    tt_frame_draw(app, tt_grid_area(&ws->term.grid));
}
