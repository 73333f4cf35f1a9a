/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/app/live.h"

#include <stdio.h>
#include <time.h>

#include "tui/app/app.h"
#include "tui/draw/units.h"
#include "tui/model/visible_rows.h"

/* Window lengths in seconds while following; 0: everything. */
static const unsigned windows[] = {0, 1, 10, 60};
#define WINDOWS (sizeof windows / sizeof windows[0])

/* ---- the end --------------------------------------------------------------------------------- */

/* Returns `seconds` in ticks; 1,000,000 per second if the capture has no clock. */
static uint64_t app_live_ticks_of(const struct tt_app *app, unsigned seconds)
{
    uint64_t hz = app->ws.opened.capture->clock_hz;
    return seconds * (hz ? hz : UINT64_C(1000000));
}

/* Moves the cursor to the last shown event, as the key does, but keeps the message. */
static void move_to_end(struct tt_app *app)
{
    const uint64_t count = tt_visible_count(&app->ws);
    if (count == 0) {
        return;
    }
    const struct tt_nav_spot before_jump = app->ws.nav.before_jump;
    const bool left = app->ws.trail.left;
    tt_nav_go_row(&app->ws, tt_visible_row(&app->ws, count - 1));
    app->ws.nav.before_jump = before_jump;
    app->ws.trail.left = left;
    app->ws.nav.lane.stays = true; /* following moves the time, not the selected lane */
    /* Moves the time window so that its right edge is at the end. */
    struct tt_viewport *viewport = &app->ws.nav.viewport;
    struct tt_bounds bounds = tt_nav_bounds(&app->ws);
    app->ws.index.following.end = bounds.end;
    unsigned seconds = windows[app->ws.index.following.window];
    uint64_t length = seconds ? app_live_ticks_of(app, seconds) : viewport->to - viewport->from;
    if ((viewport->all || viewport->to <= viewport->from) && seconds == 0) {
        return;
    }
    viewport->all = false;
    viewport->to = bounds.end;
    viewport->from = bounds.end - bounds.begin > length ? bounds.end - length : bounds.begin;
    viewport->at = bounds.end - 1;
}

static bool is_at_end(struct tt_app *app)
{
    if (tt_view_names(app->ws.nav.view)->by_time) {
        const struct tt_viewport *viewport = &app->ws.nav.viewport;
        return viewport->all || viewport->to >= app->ws.index.following.end;
    }
    uint64_t count = tt_visible_count(&app->ws);
    return !app->ws.nav.cursor.valid || count == 0 ||
           app->ws.nav.cursor.row >= tt_visible_row(&app->ws, count - 1);
}

static void app_live_hold(struct tt_app *app)
{
    app->ws.index.following.at_end = false;
    app->ws.index.following.held_rows = app->ws.index.rows;
}

static void app_live_follow(struct tt_app *app)
{
    app->ws.index.following.at_end = true;
    move_to_end(app);
}

void tt_live_acted(struct tt_app *app, enum tt_do action)
{
    struct tt_follow_state *state = &app->ws.index.following;
    app->chooses_view &= !state->live.follows; /* the user has */
    bool follows_cursor =
        app->ws.nav.view == TT_VIEW_EVENTS || tt_view_names(app->ws.nav.view)->by_time;
    if (!state->live.follows || app->ws.nav.overlay != TT_OVERLAY_NONE || !follows_cursor ||
        app->ws.term.requests.quit || action == TT_DO_FOLLOW || action == TT_DO_FOLLOW_WINDOW) {
        return;
    }
    bool at_end = is_at_end(app);
    if (state->at_end && !at_end) {
        app_live_hold(app);
    } else if (!state->at_end && app->ws.nav.view == TT_VIEW_EVENTS && at_end) {
        state->at_end = true;
    }
}

void tt_live_toggle(struct tt_app *app)
{
    struct tt_follow_state *state = &app->ws.index.following;
    if (!state->live.follows && app->ws.index.arrives) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "the file is still arriving");
        return;
    }
    if (!state->live.follows) {
        struct tt_status status = tt_app_reopen(app, true);
        if (tt_failed(&status)) {
            tt_message_set(&app->ws.message, TT_ROLE_ERROR, "%s", status.text);
        } else {
            tt_message_set(&app->ws.message, TT_ROLE_STATUS, "following");
        }
        return;
    }
    if (state->at_end) {
        app_live_hold(app);
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "held: F or G follows from the end");
    } else {
        app_live_follow(app);
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "following");
    }
}

void tt_live_next_window(struct tt_app *app)
{
    struct tt_follow_state *state = &app->ws.index.following;
    if (!state->live.follows) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "not following (press F)");
        return;
    }
    state->window = (state->window + 1) % WINDOWS;
    if (windows[state->window] == 0) {
        app->ws.nav.viewport.all = true;
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "following: all of it");
    } else {
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "following: the last %u s",
                       windows[state->window]);
    }
    app_live_follow(app);
}

/* ---- change ---------------------------------------------------------------------------------- */

static void show_change(struct tt_app *app, const char *then)
{
    tt_message_set(&app->ws.message, TT_ROLE_WARNING, "the file %s%s",
                   tt_file_change_text(app->ws.index.following.live.change), then);
}

/* Handles a change of the file: reports it, and reopens the file if possible. */
static void handle_change(struct tt_app *app)
{
    struct tt_follow_state *state = &app->ws.index.following;
    struct tt_live live = state->live;
    if (live.change == state->reported && live.changes == state->tried_change) {
        return;
    }
    bool same = live.change == TT_CHANGE_OUTGROWN;
    bool keep = app->options->trace.map.copy && !same;
    state->tried_change = live.changes;
    state->reported = live.change;
    if (live.change == TT_CHANGE_NONE) {
        return;
    }
    if (live.change < TT_CHANGE_TRUNCATED || keep) {
        show_change(app, keep && live.change >= TT_CHANGE_TRUNCATED
                             ? ": keeping the events read so far"
                             : "");
        return;
    }
    struct tt_status status = tt_app_reopen(app, same);
    if (tt_failed(&status)) {
        char then[TT_STATUS_TEXT];
        bool other = status.code == TT_ERR_IO;
        snprintf(then, sizeof then, ": %.80s%swaiting until it is a capture again",
                 other ? status.text : "", other ? "; " : "");
        show_change(app, then);
    } else if (!same) {
        app->ws.index.following.at_end = true;
        app->ws.index.following.live.change = live.change;
        show_change(app, ": reloaded");
        app->ws.index.following.live.change = TT_CHANGE_NONE;
    }
}

/* ---- indexer reports ------------------------------------------------------------------------- */

void tt_live_begin(struct tt_app *app)
{
    struct tt_follow_state *state = &app->ws.index.following;
    bool was_at_end = !state->live.follows || state->at_end;
    *state = (struct tt_follow_state){.live = tt_trace_live(app->ws.opened.trace),
                                      .window = state->window};
    /* A pipe that has ended already was followed until now: the next update shows the message. */
    state->live.follows = state->live.follows || state->live.ended;
    state->at_end = state->live.follows && was_at_end;
}

bool tt_live_update(struct tt_app *app)
{
    struct tt_follow_state *state = &app->ws.index.following;
    struct tt_live now = tt_trace_live(app->ws.opened.trace);
    struct tt_live had = state->live;
    if (!now.follows && !had.follows) {
        return false;
    }
    state->live = now;
    bool changed = now.bytes != had.bytes || now.events_per_s != had.events_per_s ||
                   now.bytes_per_s != had.bytes_per_s || now.change != had.change ||
                   now.changes != had.changes || now.follows != had.follows ||
                   now.final_ticks != had.final_ticks || now.caught_up != had.caught_up;
    if (!now.follows) {
        const struct tt_live *live = &app->ws.index.following.live;
        if (tt_failed(&live->status)) {
            tt_message_set(&app->ws.message, TT_ROLE_ERROR, "%s", live->status.text);
        } else if (live->ended) {
            tt_message_set(&app->ws.message, TT_ROLE_STATUS, "the pipe ended");
        }
    }
    if (now.change != had.change || now.changes != state->tried_change) {
        handle_change(app);
    }
    if (changed && state->at_end) {
        move_to_end(app);
    }
    return changed;
}

bool tt_live_update_arrival(struct tt_app *app)
{
    struct tt_index_state *index = &app->ws.index;
    const bool arrived = index->arrives;
    const uint64_t had = index->arrived.bytes;
    index->arrives =
        tt_trace_is_arriving(app->ws.opened.trace, &index->arrived) && !index->progress.finished;
    if (arrived && !index->arrives) {
        tt_session_arrived(app);
    }
    return arrived != index->arrives || (index->arrives && index->arrived.bytes != had);
}

bool tt_live_is_read(const struct tt_app *app)
{
    return app->ws.index.progress.finished ||
           (app->ws.index.following.live.follows && app->ws.index.following.live.caught_up);
}

bool tt_live_is_only_here(const struct tt_app *app)
{
    return app->ws.index.following.live.pipe && app->ws.index.rows > 0;
}

bool tt_live_text(const struct tt_app *app, struct tt_text *text)
{
    const struct tt_follow_state *state = &app->ws.index.following;
    if (app->ws.index.arrives) {
        /*
         * Writes how much of the input has been unpacked or received; a file that is not compressed
         * is copied.
         */
        const struct tt_arrival *arrival = &app->ws.index.arrived;
        if (arrival->total > 0) {
            const bool is_unpacked = arrival->is_file && arrival->read != arrival->bytes;
            tt_text_put(text, "%s%ju %% ", is_unpacked ? "unpacking " : "receiving ",
                        (uint64_t)((double)arrival->read * 100.0 / (double)arrival->total));
        } else {
            const bool is_small = arrival->bytes < 1000000;
            tt_text_put(text, "receiving %ju%s", arrival->bytes / (is_small ? 1000 : 1000000),
                        is_small ? " KB " : " MB ");
        }
        tt_units_count(text, app->ws.index.progress.events);
        tt_text_str(text, " ev");

        return true;
    }
    if (!state->live.follows || !state->live.caught_up) {
        return false;
    }
    if (state->at_end) {
        tt_text_str(text, "LIVE ");
    } else {
        tt_text_str(text, "PAUSED +");
        tt_units_count(text, app->ws.index.rows > state->held_rows
                                 ? app->ws.index.rows - state->held_rows
                                 : 0);
        tt_text_str(text, " new ");
    }
    tt_units_count(text, state->live.events_per_s);
    tt_text_str(text, " ev/s ");
    uint64_t tenths = state->live.bytes_per_s / 100000;
    tt_text_put(text, "%ju.%ju MB/s", tenths / 10, tenths % 10);
    if (state->live.last_wall != 0) {
        time_t seconds = (time_t)state->live.last_wall;
        struct tm local;
        char clock[16];
        if (localtime_r(&seconds, &local) && strftime(clock, sizeof clock, " %H:%M:%S", &local)) {
            tt_text_str(text, clock);
        }
    }
    return true;
}
