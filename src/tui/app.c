/* SPDX-License-Identifier: Apache-2.0 */
/* app: a capture opened for the views, and the way of each key. */
#include "tui/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/keys.h"
#include "tui/signals.h"

extern const struct tt_view tt_view_events;
extern const struct tt_view tt_view_threads;
extern const struct tt_view tt_view_cpus;
extern const struct tt_view tt_view_summary;
extern const struct tt_view tt_view_info;
extern const struct tt_view tt_overlay_help;
extern const struct tt_view tt_overlay_columns;

const struct tt_view *const tt_views[TT_VIEW_COUNT] = {
    [TT_VIEW_EVENTS] = &tt_view_events, [TT_VIEW_THREADS] = &tt_view_threads,
    [TT_VIEW_CPUS] = &tt_view_cpus,     [TT_VIEW_SUMMARY] = &tt_view_summary,
    [TT_VIEW_INFO] = &tt_view_info,
};

const struct tt_view *const tt_overlays[TT_OVERLAY_COUNT] = {
    [TT_OVERLAY_NONE] = NULL,
    [TT_OVERLAY_HELP] = &tt_overlay_help,
    [TT_OVERLAY_COLUMNS] = &tt_overlay_columns,
};

/* ---- life --------------------------------------------------------------------------------- */

static void close_capture(struct tt_app *app)
{
    struct tt_opened *opened = &app->opened;
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

static struct tt_status open_capture(struct tt_app *app, size_t path)
{
    struct tt_opened *opened = &app->opened;
    struct tt_status status =
        tt_trace_open(app->options->paths[path], &app->options->trace, &opened->trace);
    if (tt_failed(&status)) {
        opened->trace = NULL;
        return status;
    }
    opened->capture = tt_trace_capture(opened->trace);
    if (app->notify) {
        tt_signals_block(true);
        status = tt_trace_index_start(opened->trace, app->notify, NULL);
        tt_signals_block(false);
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

/* What belongs to the capture that was shown before. */
static void forget_places(struct tt_app *app)
{
    app->rows = 0;
    memset(&app->progress, 0, sizeof app->progress);
    memset(&app->cursor, 0, sizeof app->cursor);
    memset(&app->before_jump, 0, sizeof app->before_jump);
    memset(app->marks, 0, sizeof app->marks);
    forget_window(app);
    app->cursor_moved = false;
    app->search.active = false;
    for (int i = 0; i < TT_VIEW_COUNT; i++) {
        if (tt_views[i]->renew) {
            tt_views[i]->renew(app->view_states[i]);
        }
    }
}

void tt_app_switch_file(struct tt_app *app, bool next)
{
    const struct tt_opened shown = app->opened;
    size_t path = app->path;
    app->opened = (struct tt_opened){0};
    for (;;) {
        path = next ? path + 1 : path - 1; /* before the first it wraps far beyond the last */
        if (path >= app->options->path_count) {
            app->opened = shown;
            if (!app->message[0]) {
                tt_app_say(app, TT_ROLE_WARNING, "this is the %s file", next ? "last" : "first");
            }
            return;
        }
        struct tt_status status = open_capture(app, path);
        if (!tt_failed(&status)) {
            break;
        }
        close_capture(app);
        tt_app_say(app, TT_ROLE_ERROR, "%.100s: %.90s", app->options->paths[path], status.text);
    }
    const struct tt_opened opened = app->opened;
    app->opened = shown;
    close_capture(app);
    app->opened = opened;
    app->path = path;
    forget_places(app);
    tt_app_update(app);
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

bool tt_tui_has_view(const char *name)
{
    return find_view(name) != TT_VIEW_COUNT;
}

struct tt_status tt_app_open(struct tt_app *app, const struct tt_tui_options *options, bool ascii,
                             void (*notify)(void *arg))
{
    memset(app, 0, sizeof *app);
    app->options = options;
    app->view = find_view(options->view);
    if (app->view == TT_VIEW_COUNT) {
        return tt_error(TT_ERR_USAGE, "no view \"%s\"", options->view);
    }
    forget_window(app);
    tt_keymap_default(&app->keymap);
    struct tt_status status =
        tt_theme_load(&app->theme, options->theme ? options->theme : "default");
    if (tt_failed(&status)) {
        return status;
    }
    app->grid.ascii = ascii;
    app->grid.ellipsis = tt_app_glyph(app, TT_GLYPH_ELLIPSIS);
    app->mouse_on = !options->no_mouse;
    status = open_states(app);
    if (!tt_failed(&status)) {
        app->notify = notify;
        status = open_capture(app, 0);
        app->failed_path = tt_failed(&status) ? options->paths[0] : NULL;
    }
    return status;
}

void tt_app_close(struct tt_app *app)
{
    close_capture(app);
    for (int i = 0; i < TT_VIEW_COUNT; i++) {
        tt_views[i]->close(app->view_states[i]);
    }
    for (int i = TT_OVERLAY_NONE + 1; i < TT_OVERLAY_COUNT; i++) {
        tt_overlays[i]->close(app->overlay_states[i]);
    }
    tt_prompt_free(&app->prompt);
    tt_completion_free(&app->completion);
    tt_grid_free(&app->grid);
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
    if (app->progress.finished && !was_finished && tt_failed(&app->progress.status)) {
        tt_app_say(app, TT_ROLE_ERROR, "%s", app->progress.status.text);
    }
    return news;
}

void tt_app_say(struct tt_app *app, enum tt_role role, const char *fmt, ...)
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

/* ---- keys --------------------------------------------------------------------------------- */

static const struct tt_view *front(const struct tt_app *app, void **state)
{
    if (app->overlay != TT_OVERLAY_NONE) {
        *state = app->overlay_states[app->overlay];
        return tt_overlays[app->overlay];
    }
    *state = app->view_states[app->view];
    return tt_views[app->view];
}

void tt_app_show(struct tt_app *app, enum tt_view_id view)
{
    app->overlay = TT_OVERLAY_NONE;
    app->view = view;
}

/* Closes the innermost thing that is open; false when there is nothing. */
static bool shut_something(struct tt_app *app)
{
    if (app->search.active) {
        app->search.active = false;
        tt_app_say(app, TT_ROLE_STATUS, "search stopped");
        return true;
    }
    if (app->overlay != TT_OVERLAY_NONE) {
        app->overlay = TT_OVERLAY_NONE;
        return true;
    }
    const struct tt_view *view = tt_views[app->view];
    return view->shut && view->shut(app, app->view_states[app->view]);
}

static void copy_line(struct tt_app *app)
{
    const struct tt_view *view = tt_views[app->view];
    struct tt_text text = tt_text_of(app->wishes.copy_text, sizeof app->wishes.copy_text);
    if (view->copy) {
        view->copy(app, app->view_states[app->view], &text);
    }
    if (text.used > 0) {
        app->wishes.copy = true;
        app->wishes.copy_length = text.used;
        tt_app_say(app, TT_ROLE_STATUS, "line copied, %zu bytes", text.used);
    }
}

static void next_times(struct tt_app *app)
{
    static const char *const names[TT_TIMES_COUNT] = {
#define X(id, name) name,
        TT_TIMES_INFO(X)
#undef X
    };
    app->times = (app->times + 1) % TT_TIMES_COUNT;
    tt_app_say(app, TT_ROLE_STATUS, "times: %s", names[app->times]);
}

static void open_overlay(struct tt_app *app, enum tt_overlay_id overlay)
{
    app->overlay = app->overlay == overlay ? TT_OVERLAY_NONE : overlay;
}

/* Actions that are the same in every view. */
static void act_in_common(struct tt_app *app, enum tt_do action)
{
    switch (action) {
    case TT_DO_GOTO:
        tt_prompts_open(app, TT_PROMPT_COMMAND, "");
        break;
    case TT_DO_MARK:
    case TT_DO_MARK_GOTO:
        app->awaiting = action;
        break;
    case TT_DO_TIME:
        next_times(app);
        break;
    case TT_DO_COLUMNS:
        open_overlay(app, TT_OVERLAY_COLUMNS);
        break;
    case TT_DO_VIEW_EVENTS:
        tt_app_show(app, TT_VIEW_EVENTS);
        break;
    case TT_DO_VIEW_THREADS:
        tt_app_show(app, TT_VIEW_THREADS);
        break;
    case TT_DO_VIEW_CPUS:
        tt_app_show(app, TT_VIEW_CPUS);
        break;
    case TT_DO_VIEW_SUMMARY:
        tt_app_show(app, TT_VIEW_SUMMARY);
        break;
    case TT_DO_VIEW_INFO:
        tt_app_show(app, TT_VIEW_INFO);
        break;
    case TT_DO_VIEW_NEXT:
        tt_app_show(app, (app->view + 1) % TT_VIEW_COUNT);
        break;
    case TT_DO_VIEW_PREVIOUS:
        tt_app_show(app, (app->view + TT_VIEW_COUNT - 1) % TT_VIEW_COUNT);
        break;
    case TT_DO_FILE_NEXT:
    case TT_DO_FILE_PREVIOUS:
        tt_app_switch_file(app, action == TT_DO_FILE_NEXT);
        break;
    case TT_DO_COPY:
        copy_line(app);
        break;
    case TT_DO_MOUSE:
        app->mouse_on = !app->mouse_on;
        app->wishes.mouse = true;
        tt_app_say(app, TT_ROLE_STATUS, "mouse %s", app->mouse_on ? "on" : "off");
        break;
    case TT_DO_HELP:
        open_overlay(app, TT_OVERLAY_HELP);
        break;
    case TT_DO_REDRAW:
        app->wishes.redraw = true;
        break;
    case TT_DO_SUSPEND:
        app->wishes.suspend = true;
        break;
    case TT_DO_CANCEL:
        shut_something(app);
        break;
    case TT_DO_QUIT:
        if (!shut_something(app)) {
            app->wishes.quit = true;
        }
        break;
    case TT_DO_QUIT_NOW:
        if (!app->search.active) {
            app->wishes.quit = true;
        }
        shut_something(app);
        break;
    default:
        break;
    }
}

void tt_app_act(struct tt_app *app, enum tt_do action)
{
    void *state;
    const struct tt_view *view = front(app, &state);
    if (!view->act(app, state, action)) {
        act_in_common(app, action);
    }
}

static bool starts_search(enum tt_do action)
{
    return action >= TT_DO_THREAD_NEXT && action <= TT_DO_TYPE_PREVIOUS;
}

/* While a search goes on, the same keys held down do not start it again; others end it. */
static void key_action(struct tt_app *app, enum tt_do action)
{
    bool ends = action == TT_DO_CANCEL || action == TT_DO_QUIT || action == TT_DO_QUIT_NOW;
    if (app->search.active && starts_search(action)) {
        return;
    }
    if (app->search.active && !ends) {
        app->search.active = false;
    }
    tt_app_act(app, action);
}

void tt_app_key(struct tt_app *app, uint32_t key)
{
    app->message[0] = '\0';
    if (tt_prompts_paste(app, key)) {
        return;
    }
    if (app->prompt.open) {
        tt_prompts_key(app, key);
        return;
    }
    if (app->awaiting != TT_DO_NOTHING) {
        enum tt_do awaiting = app->awaiting;
        app->awaiting = TT_DO_NOTHING;
        if (awaiting == TT_DO_MARK) {
            tt_go_mark(app, key);
        } else {
            tt_go_to_mark(app, key);
        }
        return;
    }
    void *state;
    const struct tt_view *view = front(app, &state);
    unsigned contexts[4] = {0};
    view->contexts(app, state, contexts);
    enum tt_do action = tt_keymap_find(&app->keymap, key, contexts);
    if (action != TT_DO_NOTHING) {
        key_action(app, action);
    }
}

void tt_app_click(struct tt_app *app, int x, int y)
{
    if (y == 0 && app->overlay == TT_OVERLAY_NONE) {
        enum tt_view_id view = tt_frame_tab_at(app, x);
        if (view != TT_VIEW_COUNT) {
            tt_app_show(app, view);
        }
        return;
    }
    void *state;
    const struct tt_view *view = front(app, &state);
    x -= app->body.x;
    y -= app->body.y;
    if (view->click && x >= 0 && y >= 0 && x < app->body.width && y < app->body.height) {
        view->click(app, state, x, y);
    }
}

bool tt_app_complete(struct tt_app *app, uint64_t budget_ns)
{
    const struct tt_view *view = tt_views[app->view];
    return !view->work || view->work(app, app->view_states[app->view], budget_ns);
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
