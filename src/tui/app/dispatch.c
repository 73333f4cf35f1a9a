/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch: maps each key to its action and implements the common actions. */
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/commands.h"
#include "tui/app/export.h"
#include "tui/app/filter_prompt.h"
#include "tui/app/live.h"
#include "tui/app/places.h"
#include "tui/term/keys.h"

#define COPY_WIDTH  400 /* columns of a copied row of a table: a narrow screen cuts nothing */
#define FIND_ROW_NS UINT64_C(10000000) /* of a search in a list, at its key */

const struct tt_view *tt_app_front(const struct tt_app *app, void **state)
{
    const struct tt_navigation *nav = &app->ws.nav;
    if (nav->overlay != TT_OVERLAY_NONE) {
        *state = app->overlay_states[nav->overlay];
        return tt_overlays[nav->overlay];
    }
    *state = app->view_states[nav->view];
    return tt_views[nav->view];
}

struct tt_verb tt_view_verb(const struct tt_view *view, enum tt_do action)
{
    const struct tt_verb *verb = view->verbs;
    while (verb && verb->action != TT_DO_NOTHING && verb->action != action) {
        verb++;
    }
    return verb && verb->action == action
               ? *verb
               : (struct tt_verb){action, tt_do_at(action)->footer, tt_do_at(action)->help};
}

/* Writes the key contexts, innermost first; ends with 0. */
static void contexts_of(const struct tt_app *app, unsigned out[4])
{
    const struct tt_navigation *nav = &app->ws.nav;
    void *state;
    const struct tt_view *view = tt_app_front(app, &state);
    const struct tt_view_pane *pane = view->pane ? view->pane(state) : NULL;
    int n = 0;
    if (pane) {
        out[n++] = pane->context;
    }
    if (nav->overlay != TT_OVERLAY_NONE) {
        out[n++] = TT_IN_OVERLAY_OF(nav->overlay);
    } else {
        out[n++] = TT_IN_VIEW_OF(nav->view);
        out[n++] = TT_IN_VIEWS;
    }
    out[n] = 0;
}

const enum tt_do *tt_app_footer(const struct tt_app *app)
{
    static const enum tt_do offers[] = {TT_DO_HELP, TT_DO_VIEW_NEXT, TT_DO_QUIT, TT_DO_NOTHING};
    void *state;
    const struct tt_view *view = tt_app_front(app, &state);
    const struct tt_view_pane *pane = view->pane ? view->pane(state) : NULL;
    return pane ? pane->footer : view->footer ? view->footer : offers;
}

/* Stops background work that would end by itself; returns false if there is none. */
static bool stop_work(struct tt_app *app)
{
    void *state;
    const struct tt_view *view = tt_view_shown(app, &state);
    return tt_find_stop(&app->ws) || (view->stop && view->stop(state));
}

/* Closes an overlay; the one below it is shown again. */
static void close_overlay(struct tt_navigation *nav)
{
    nav->overlay = nav->below;
    nav->below = TT_OVERLAY_NONE;
}

/*
 * Closes the innermost open item; returns false if there is none. Background work is stopped only
 * if `work` is set: its speed must not change the effect of a key.
 */
static bool dismiss_top(struct tt_app *app, bool work)
{
    if (app->ws.filters.scan.active || app->list_search.active) {
        app->ws.filters.scan.active = app->list_search.active = false;
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "search stopped");
        return true;
    }
    if (app->writing.active) {
        tt_export_stop(app);
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "stopped: nothing was written");
        return true;
    }
    if (app->ws.nav.overlay != TT_OVERLAY_NONE) {
        void *state;
        const struct tt_view *overlay = tt_app_front(app, &state);
        if (!overlay->dismiss || !overlay->dismiss(&app->ws, state)) {
            close_overlay(&app->ws.nav);
        }
        return true;
    }
    const struct tt_view *view = tt_views[app->ws.nav.view];
    return tt_find_stop_search(&app->ws) || (work && stop_work(app)) ||
           tt_find_clear_highlight(&app->ws.filters) ||
           (view->dismiss && view->dismiss(&app->ws, app->view_states[app->ws.nav.view]));
}

/* ---- common actions ----------------------------------------------------------------------- */

/* Opens an overlay over the view, or over a pane; closes it if it is open. */
static void toggle_overlay(struct tt_app *app, enum tt_overlay_id overlay)
{
    struct tt_navigation *nav = &app->ws.nav;
    if (nav->overlay == overlay) {
        close_overlay(nav);
        return;
    }
    void *below;
    const struct tt_view *opened = tt_overlays[overlay], *front_view = tt_app_front(app, &below);
    if (nav->overlay != TT_OVERLAY_NONE &&
        (tt_overlays[nav->overlay]->covers || overlay == TT_OVERLAY_HELP)) {
        nav->below = nav->overlay;
    }
    nav->overlay = overlay;
    if (opened->enter) {
        opened->enter(&app->ws, app->overlay_states[overlay], front_view, below);
    }
}

/* Returns the list that has the keys; its `list` is NULL if there is none. */
static struct tt_list_pages pages_of(struct tt_app *app)
{
    void *state;
    const struct tt_view *view = tt_app_front(app, &state);
    return (struct tt_list_pages){view->list ? view->list(state) : NULL, &app->ws, state,
                                  view->draw};
}

void tt_app_find_row(struct tt_app *app, bool forward)
{
    const struct tt_list_pages pages = pages_of(app);
    if (pages.list && app->list_search.text[0]) {
        tt_list_search_begin(&app->list_search, pages.list, forward);
        tt_app_find_row_step(app, FIND_ROW_NS);
    }
}

bool tt_app_find_row_step(struct tt_app *app, uint64_t budget_ns)
{
    struct tt_list_search *search = &app->list_search;
    const struct tt_list_pages pages = pages_of(app);
    if (!pages.list) {
        search->active = false;
    } else if (tt_list_search_step(search, &pages, budget_ns)) {
        tt_app_moved(app);
    } else if (!search->active) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "no row of this list has \"%s\"",
                       search->text);
    }
    app->stale |= !search->active;
    return !search->active;
}

static void copy_line(struct tt_app *app, bool all)
{
    struct tt_terminal_requests *requests = &app->ws.term.requests;
    void *state;
    const struct tt_view *view = tt_app_front(app, &state);
    const struct tt_list_pages pages = pages_of(app);
    struct tt_text text = tt_text_of(requests->copy_text, sizeof requests->copy_text);
    if (view->copy) {
        view->copy(&app->ws, state, all, &text);
    } else if (all && tt_view_rows(view, state)) {
        tt_rows_copy_all(&app->ws, state, view->rows, &text);
    } else if (pages.list) {
        tt_list_copy(&pages, tt_view_rows(view, state) ? COPY_WIDTH : 0, &text);
    }
    if (text.used > 0) {
        requests->copy = true;
        requests->copy_length = text.used;
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "%s copied, %zu bytes",
                       memchr(text.buffer, '\n', text.used) ? "lines" : "line", text.used);
    }
}

void tt_app_quit(struct tt_app *app)
{
    if (tt_live_is_only_here(app) && !app->asked_to_quit) {
        app->asks_to_quit = true;
        tt_message_set(&app->ws.message, TT_ROLE_WARNING,
                       "quitting loses these events, which came through a pipe: q again quits");
    } else {
        app->ws.term.requests.quit = true;
    }
}

/* Returns the overlay that an action opens and closes; TT_OVERLAY_NONE: it does something else. */
static enum tt_overlay_id overlay_of(enum tt_do action)
{
    static const enum tt_do shown_by[TT_OVERLAY_COUNT] = {[TT_OVERLAY_NONE] = TT_DO_NOTHING,
#define X(id, name, action, title) [TT_OVERLAY_##id] = action,
                                                          TT_OVERLAY_INFO(X)
#undef X
    };
    unsigned overlay = TT_OVERLAY_COUNT - 1;
    while (overlay > 0 && (shown_by[overlay] != action || action == TT_DO_NOTHING)) {
        overlay--;
    }
    return (enum tt_overlay_id)overlay;
}

/* Carries out the actions that show a view, an overlay or a file; returns false if it is none of them. */
static bool act_showing(struct tt_app *app, enum tt_do action)
{
    struct tt_navigation *nav = &app->ws.nav;
    if (overlay_of(action) != TT_OVERLAY_NONE) {
        toggle_overlay(app, overlay_of(action));
        return true;
    }
    switch (action) {
#define X(id, name, key, title, tab, by_time)                                                      \
    case TT_DO_VIEW_##id:                                                                          \
        tt_nav_show(nav, TT_VIEW_##id);                                                            \
        return true;
        TT_VIEW_INFO(X)
#undef X
    case TT_DO_VIEW_NEXT:
    case TT_DO_VIEW_PREVIOUS: {
        const int by = action == TT_DO_VIEW_NEXT ? 1 : TT_VIEW_COUNT - 1;
        tt_nav_show(nav, (enum tt_view_id)(((int)nav->view + by) % TT_VIEW_COUNT));
        return true;
    }
    case TT_DO_FILE_NEXT:
    case TT_DO_FILE_PREVIOUS:
        tt_app_switch_file(app, action == TT_DO_FILE_NEXT);
        return true;
    case TT_DO_BACK:
    case TT_DO_FORWARD:
        tt_places_step(app, action == TT_DO_FORWARD);
        return true;
    case TT_DO_RESULT_NEWEST:
        tt_results_newest(app);
        return true;
    default:
        return false;
    }
}

/* Carries out the actions that find events; returns false if it is none of them. */
static bool act_finding(struct tt_app *app, enum tt_do action)
{
    struct tt_workspace *ws = &app->ws;
    switch (action) {
    case TT_DO_SELECT_MARKS: {
        const bool selected = tt_bookmarks_select(&ws->nav);
        tt_message_set(&ws->message, selected ? TT_ROLE_STATUS : TT_ROLE_WARNING, "%s",
                       selected ? "selected from mark to mark; z in Threads zooms to it"
                                : "two marks are needed: press m and a letter");
        return true;
    }
    case TT_DO_FILTER:
    case TT_DO_FILTER_NEW:
        tt_find_prompt_quick(app, action == TT_DO_FILTER_NEW);
        return true;
    case TT_DO_FILTERED_OUT:
        tt_find_peek(ws);
        return true;
    case TT_DO_SEARCH:
        tt_find_prompt_search(app);
        return true;
    case TT_DO_LIST_FIND:
        tt_prompt_open(app, TT_PROMPT_LIST, "");
        return true;
    case TT_DO_LIST_NEXT:
    case TT_DO_LIST_PREVIOUS:
        tt_app_find_row(app, action == TT_DO_LIST_NEXT);
        return true;
    case TT_DO_SEARCH_NEXT:
    case TT_DO_SEARCH_PREVIOUS:
        tt_find_next(app, action == TT_DO_SEARCH_NEXT);
        return true;
    case TT_DO_MISS_NEXT:
    case TT_DO_MISS_PREVIOUS:
        tt_jobs_go_miss(ws, action == TT_DO_MISS_NEXT);
        return true;
    case TT_DO_ASK:
    case TT_DO_MARK:
    case TT_DO_MARK_GOTO:
        app->awaiting = action;
        return true;
    default:
        return false;
    }
}

/* Carries out an action that all views have in common. */
static void act_in_common(struct tt_app *app, enum tt_do action)
{
    static const char *const times[TT_TIMES_COUNT] = {
#define X(id, name) name,
        TT_TIMES_INFO(X)
#undef X
    };
    struct tt_workspace *ws = &app->ws;
    struct tt_terminal *term = &ws->term;
    if (act_showing(app, action) || act_finding(app, action)) {
        return;
    }
    switch (action) {
    case TT_DO_GOTO:
        tt_prompt_open(app, TT_PROMPT_COMMAND, "");
        break;
    case TT_DO_TABLES:
        tt_prompt_open(app, TT_PROMPT_COMMAND, "stats ");
        tt_prompt_key(app, TT_KEY_TAB);
        break;
    case TT_DO_WRITE:
        tt_export_prompt(app);
        break;
    case TT_DO_COPY:
    case TT_DO_COPY_ALL:
        copy_line(app, action == TT_DO_COPY_ALL);
        break;
    case TT_DO_TIME:
        ws->nav.times = (ws->nav.times + 1) % TT_TIMES_COUNT;
        tt_message_set(&ws->message, TT_ROLE_STATUS, "times: %s", times[ws->nav.times]);
        break;
    case TT_DO_FOLLOW:
        tt_live_toggle(app);
        break;
    case TT_DO_FOLLOW_WINDOW:
        tt_live_next_window(app);
        break;
    case TT_DO_MOUSE:
        term->mouse_on = !term->mouse_on;
        term->requests.mouse = true;
        tt_message_set(&ws->message, TT_ROLE_STATUS, "mouse %s", term->mouse_on ? "on" : "off");
        break;
    case TT_DO_REDRAW:
        term->requests.redraw = true;
        break;
    case TT_DO_SUSPEND:
        term->requests.suspend = true;
        break;
    case TT_DO_CANCEL:
        if (!dismiss_top(app, true)) {
            ws->nav.marks_quiet = true;
        }
        break;
    case TT_DO_QUIT:
        if (!dismiss_top(app, false)) {
            tt_app_quit(app);
        }
        break;
    case TT_DO_QUIT_NOW:
        if (!tt_app_working(app)) {
            term->requests.quit = true;
        }
        dismiss_top(app, true);
        break;
    default:
        break;
    }
}

void tt_app_moved(struct tt_app *app)
{
    void *state;
    const struct tt_view *view = tt_app_front(app, &state);
    if (view->moved) {
        view->moved(&app->ws, state);
    }
}

void tt_app_act(struct tt_app *app, enum tt_do action)
{
    void *state;
    tt_app_layout(app);
    const struct tt_view *view = tt_app_front(app, &state);
    bool handled = (view->act && view->act(&app->ws, state, action)) ||
                   (tt_view_rows(view, state) && tt_rows_act(state, view->rows, action));
    if (!handled && view->list && tt_list_move(view->list(state), action)) {
        tt_app_moved(app);
    } else if (!handled) {
        act_in_common(app, action);
    }
    tt_live_acted(app, action);
    app->stale = true;
}

unsigned tt_app_contexts(const struct tt_app *app)
{
    unsigned contexts[4], all = 0;
    contexts_of(app, contexts);
    for (const unsigned *context = contexts; *context; context++) {
        all |= *context;
    }
    return all;
}

static bool starts_search(enum tt_do action)
{
    return action >= TT_DO_THREAD_NEXT && action <= TT_DO_TYPE_PREVIOUS;
}

static void handle_key(struct tt_app *app, uint32_t key)
{
    if (tt_prompt_paste(app, key)) {
        return;
    }
    if (app->prompt.line.open) {
        tt_prompt_key(app, key);
        return;
    }
    tt_app_layout(app);
    app->ws.message.text[0] = '\0';
    if (app->awaiting != TT_DO_NOTHING) {
        enum tt_do awaiting = app->awaiting;
        app->awaiting = TT_DO_NOTHING;
        if (awaiting == TT_DO_MARK) {
            tt_bookmarks_key(&app->ws, key);
        } else if (awaiting == TT_DO_ASK) {
            tt_command_answer(app, key);
        } else {
            tt_bookmarks_goto_key(&app->ws, key);
        }
        return;
    }
    tt_places_keep(app);
    tt_places_note(app);
    unsigned contexts[4];
    contexts_of(app, contexts);
    enum tt_do action = tt_keymap_find(&app->ws.term.keymap, key, contexts);
    if (action != TT_DO_NOTHING) {
        /* Runs an action. Repeats of a search's own keys do not restart it; other keys end it. */
        bool ends = action == TT_DO_CANCEL || action == TT_DO_QUIT || action == TT_DO_QUIT_NOW;
        if (app->ws.filters.scan.active && starts_search(action)) {
            return;
        }
        if (app->ws.filters.scan.active && !ends) {
            app->ws.filters.scan.active = false;
        }
        app->list_search.active &= ends;
        if (!ends && action != TT_DO_SEARCH_NEXT && action != TT_DO_SEARCH_PREVIOUS) {
            app->ws.filters.find.search.wanted = 0;
        }
        tt_app_act(app, action);
    }
}

void tt_app_key(struct tt_app *app, uint32_t key)
{
    app->ws.message.text[0] = '\0';
    app->session.user_acted = app->session.typed = true;
    app->asked_to_quit = app->asks_to_quit;
    app->asks_to_quit = false;
    handle_key(app, key);
    tt_places_keep(app);
    app->stale = true;
}

/* ---- the mouse ----------------------------------------------------------------------------- */

#define WHEEL_LINES 3

static void click(struct tt_app *app, int x, int y)
{
    if (y == 0 && app->ws.nav.overlay == TT_OVERLAY_NONE) {
        enum tt_view_id view = tt_frame_tab_at(app, x);
        if (view != TT_VIEW_COUNT) {
            tt_nav_show(&app->ws.nav, view);
        }
        return;
    }
    void *state;
    const struct tt_view *view = tt_app_front(app, &state);
    x -= app->ws.term.body.x;
    y -= app->ws.term.body.y;
    if (x < 0 || y < 0 || x >= app->ws.term.body.width || y >= app->ws.term.body.height) {
        return;
    }
    if (view->list && tt_list_click(view->list(state), y)) {
        tt_app_moved(app);
    }
    if (tt_view_rows(view, state) && tt_rows_click(state, view->rows, x, y)) {
        return;
    }
    if (view->click) {
        view->click(&app->ws, state, x, y);
    }
}

static void drag(struct tt_app *app, int x, int y)
{
    void *state;
    const struct tt_view *view = tt_app_front(app, &state);
    const struct tt_area *body = &app->ws.term.body;
    app->drag.x = x;
    app->drag.y = y;
    app->drag.sideways |= x != app->drag.from_x;
    if (view->drag) {
        struct tt_drag inside = {app->drag.from_x - body->x, app->drag.from_y - body->y,
                                 x - body->x, y - body->y, app->drag.sideways};
        view->drag(&app->ws, state, &inside);
    }
}

static void turn_wheel(struct tt_app *app, const struct tt_mouse *mouse)
{
    void *state;
    const struct tt_view *view = tt_app_front(app, &state);
    if (mouse->control && mouse->down != 0) {
        if (view->zoom) {
            view->zoom(&app->ws, state, mouse->x - app->ws.term.body.x, mouse->down < 0);
        }
    } else if (mouse->right != 0 && (tt_app_contexts(app) & tt_do_at(TT_DO_PAN_LEFT)->contexts)) {
        tt_app_act(app, mouse->right < 0 ? TT_DO_PAN_LEFT : TT_DO_PAN_RIGHT);
    }
    for (int i = 0; i < WHEEL_LINES && mouse->down != 0 && !mouse->control; i++) {
        tt_app_act(app, mouse->down < 0 ? TT_DO_UP : TT_DO_DOWN);
    }
}

void tt_app_mouse(struct tt_app *app, const struct tt_mouse *mouse)
{
    tt_app_layout(app);
    app->session.user_acted = true;
    switch (mouse->kind) {
    case TT_MOUSE_PRESS:
        app->drag = (struct tt_drag){.from_x = mouse->x, .from_y = mouse->y};
        click(app, mouse->x, mouse->y);
        if (mouse->twice && mouse->y > 0 && !app->prompt.line.open) {
            tt_app_key(app, TT_KEY_ENTER); /* on what the first click selected */
        }
        break;
    case TT_MOUSE_DRAG:
        drag(app, mouse->x, mouse->y);
        break;
    case TT_MOUSE_WHEEL:
        turn_wheel(app, mouse);
        break;
    default:
        break;
    }
    app->stale = true;
}
