/* SPDX-License-Identifier: Apache-2.0 */
/* app_keys: the way of each key to the action that it stands for. */
#include "tui/app/app.h"
#include "tui/term/keys.h"

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
    app->undrawn = true;
}

/* What goes on behind the keys, and ends by itself. */
static bool stop_work(struct tt_app *app)
{
    const struct tt_view *view = tt_views[app->view];
    return tt_find_stop(app) || (view->stop && view->stop(app->view_states[app->view]));
}

/*
 * Closes the innermost thing that is open; false when there is nothing. Work that nobody has to
 * know of is stopped on demand (`work`) only: how fast it is must not change what else a key does.
 */
static bool shut_something(struct tt_app *app, bool work)
{
    if (app->search.active) {
        app->search.active = false;
        tt_app_message(app, TT_ROLE_STATUS, "search stopped");
        return true;
    }
    if (app->writing.active) {
        tt_export_stop(app);
        tt_app_message(app, TT_ROLE_WARNING, "stopped: nothing is written");
        return true;
    }
    if (app->overlay != TT_OVERLAY_NONE) {
        app->overlay = TT_OVERLAY_NONE;
        return true;
    }
    const struct tt_view *view = tt_views[app->view];
    return tt_find_stop_search(app) || (work && stop_work(app)) || tt_find_unlight(app) ||
           (view->shut && view->shut(app, app->view_states[app->view]));
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
        tt_app_message(app, TT_ROLE_STATUS, "line copied, %zu bytes", text.used);
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
    tt_app_message(app, TT_ROLE_STATUS, "times: %s", names[app->times]);
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
        tt_prompt_open(app, TT_PROMPT_COMMAND, "");
        break;
    case TT_DO_MARKS:
        open_overlay(app, TT_OVERLAY_MARKS);
        break;
    case TT_DO_SELECT_MARKS:
        if (tt_bookmarks_select(app)) {
            tt_app_message(app, TT_ROLE_STATUS,
                           "selected from mark to mark; z in Threads shows it");
        } else {
            tt_app_message(app, TT_ROLE_WARNING, "two marks are needed: m and a letter sets one");
        }
        break;
    case TT_DO_WRITE:
        tt_prompt_open(app, TT_PROMPT_COMMAND, "write ");
        break;
    case TT_DO_FILTER:
    case TT_DO_FILTER_NEW:
        tt_find_ask_quick(app, action == TT_DO_FILTER_NEW);
        break;
    case TT_DO_FILTERS:
        open_overlay(app, TT_OVERLAY_FILTERS);
        break;
    case TT_DO_FILTERED_OUT:
        tt_find_peek(app);
        break;
    case TT_DO_SEARCH:
        tt_find_ask_search(app);
        break;
    case TT_DO_SEARCH_NEXT:
    case TT_DO_SEARCH_PREVIOUS:
        tt_find_next(app, action == TT_DO_SEARCH_NEXT);
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
    case TT_DO_FOLLOW:
        tt_live_toggle(app);
        break;
    case TT_DO_FOLLOW_WINDOW:
        tt_live_next_window(app);
        break;
    case TT_DO_COPY:
        copy_line(app);
        break;
    case TT_DO_MOUSE:
        app->mouse_on = !app->mouse_on;
        app->wishes.mouse = true;
        tt_app_message(app, TT_ROLE_STATUS, "mouse %s", app->mouse_on ? "on" : "off");
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
        shut_something(app, true);
        break;
    case TT_DO_QUIT:
        if (!shut_something(app, false)) {
            app->wishes.quit = true;
        }
        break;
    case TT_DO_QUIT_NOW:
        if (!tt_app_working(app)) {
            app->wishes.quit = true;
        }
        shut_something(app, true);
        break;
    default:
        break;
    }
}

void tt_app_act(struct tt_app *app, enum tt_do action)
{
    void *state;
    tt_app_catch_up(app);
    const struct tt_view *view = front(app, &state);
    if (!view->act(app, state, action)) {
        act_in_common(app, action);
    }
    tt_live_acted(app, action);
    app->undrawn = true;
}

bool tt_app_has(const struct tt_app *app, enum tt_do action)
{
    void *state;
    const struct tt_view *view = front(app, &state);
    unsigned contexts[4] = {0};
    view->contexts(app, state, contexts);
    for (const unsigned *context = contexts; *context; context++) {
        if (tt_do_at(action)->contexts & *context) {
            return true;
        }
    }
    return false;
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
    if (!ends && action != TT_DO_SEARCH_NEXT && action != TT_DO_SEARCH_PREVIOUS) {
        app->find.search.wanted = 0;
    }
    tt_app_act(app, action);
}

static void take_key(struct tt_app *app, uint32_t key)
{
    if (tt_prompt_paste(app, key)) {
        return;
    }
    if (app->prompt.open) {
        tt_prompt_key(app, key);
        return;
    }
    tt_app_catch_up(app);
    app->message[0] = '\0';
    if (app->awaiting != TT_DO_NOTHING) {
        enum tt_do awaiting = app->awaiting;
        app->awaiting = TT_DO_NOTHING;
        if (awaiting == TT_DO_MARK) {
            tt_bookmarks_key(app, key);
        } else {
            tt_bookmarks_goto_key(app, key);
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

void tt_app_key(struct tt_app *app, uint32_t key)
{
    app->message[0] = '\0';
    app->session.touched = app->session.typed = true;
    take_key(app, key);
    app->undrawn = true;
}

static void click(struct tt_app *app, int x, int y)
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

void tt_app_click(struct tt_app *app, int x, int y)
{
    tt_app_catch_up(app);
    app->session.touched = true;
    click(app, x, y);
    app->undrawn = true;
}
