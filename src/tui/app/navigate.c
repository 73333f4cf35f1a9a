/* SPDX-License-Identifier: Apache-2.0 */
/* go: moving the cursor: by row, by key, by searches. */
#include "tui/app/app.h"

void tt_app_go_row(struct tt_app *app, uint64_t row)
{
    uint64_t rows = tt_events_rows(app->opened.events);
    if (rows == 0) {
        return;
    }
    row = row < rows ? row : rows - 1;
    struct tt_event event;
    if (tt_events_read(app->opened.events, row, 1, &event) == 1) {
        app->cursor.event = event;
        app->cursor.row = row;
        app->cursor.valid = true;
        app->cursor_moved = true;
    }
}

static void remember_place(struct tt_app *app)
{
    app->before_jump = app->cursor;
}

void tt_app_jump(struct tt_app *app, uint64_t ticks, uint64_t pos)
{
    remember_place(app);
    tt_app_go_row(app, tt_events_row_at_key(app->opened.events, ticks, pos));
}

void tt_go_show_place(struct tt_app *app)
{
    app->overlay = TT_OVERLAY_NONE;
    if (!tt_views[app->view]->by_time) {
        tt_app_show(app, TT_VIEW_EVENTS);
    }
}

/* ---- searches ----------------------------------------------------------------------------- */

/* In Events a search goes among what is shown. */
static bool is_out(const void *arg, uint64_t row)
{
    const struct tt_app *app = arg;
    return app->view == TT_VIEW_EVENTS && !tt_filter_stack_all_shown(&app->filters) &&
           tt_filter_stack_out(&app->filters, row);
}

static bool ready_to_search(struct tt_app *app)
{
    app->search.skips = is_out;
    app->search.skips_arg = app;
    if (!app->opened.search_events) {
        app->opened.search_events = tt_events_new(app->opened.trace);
    }
    if (!app->opened.search_events) {
        tt_app_message(app, TT_ROLE_ERROR, "out of memory");
    }
    return app->opened.search_events && app->cursor.valid;
}

void tt_app_search(struct tt_app *app, enum tt_event_scan_by by, bool forward)
{
    const struct tt_event *event = &app->cursor.event;
    if (!ready_to_search(app)) {
        return;
    }
    if (by == TT_EVENT_SCAN_THREAD && event->thread == TT_NO_THREAD) {
        tt_app_message(app, TT_ROLE_WARNING, "this event belongs to no thread");
    } else if (by == TT_EVENT_SCAN_CPU && event->cpu == TT_NO_CPU) {
        tt_app_message(app, TT_ROLE_WARNING, "this event belongs to no CPU");
    } else {
        tt_event_scan_start(&app->search, by, forward, event, app->cursor.row);
    }
}

void tt_app_search_type(struct tt_app *app, uint32_t type)
{
    if (!ready_to_search(app)) {
        return;
    }
    tt_event_scan_start(&app->search, TT_EVENT_SCAN_TYPE, true, &app->cursor.event,
                        app->cursor.row);
    app->search.value = type;
    app->search.wrap = true;
}

void tt_app_search_value(struct tt_app *app, enum tt_event_scan_by by, uint32_t value, bool forward)
{
    if (!ready_to_search(app)) {
        return;
    }
    tt_event_scan_start(&app->search, by, forward, &app->cursor.event, app->cursor.row);
    app->search.value = value;
}

bool tt_go_search(struct tt_app *app, uint64_t budget_ns)
{
    static const char *const words[] = {"of this thread", "of this CPU", "of this type"};
    struct tt_event found;
    uint64_t row;
    bool forward = app->search.forward;
    switch (tt_event_scan_step(&app->search, app->opened.search_events, budget_ns, &found, &row)) {
    case TT_EVENT_SCAN_FOUND:
        remember_place(app);
        app->cursor.event = found;
        app->cursor.row = row;
        app->cursor_moved = true;
        return true;
    case TT_EVENT_SCAN_NONE:
        tt_app_message(app, TT_ROLE_WARNING, "no %s event %s%s", forward ? "later" : "earlier",
                       words[app->search.by],
                       app->progress.finished ? "" : " in what is indexed so far");
        return true;
    default:
        return false;
    }
}
