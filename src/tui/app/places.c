/* SPDX-License-Identifier: Apache-2.0 */
/* places: notes, keeps and shows the places of the history. */
#include "tui/app/places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/session_text.h"
#include "tracetui/event_line.h"
#include "tui/app/app.h"
#include "tui/app/commands.h"
#include "tui/app/filter_prompt.h"

/* ---- the list of places ---------------------------------------------------------------------- */

static bool is_same_place(const struct tt_visit *left, const struct tt_visit *right)
{
    const struct tt_event *first = &left->nav.cursor.event, *second = &right->nav.cursor.event;
    const struct tt_viewport *one = &left->nav.viewport, *other = &right->nav.viewport;
    return left->file == right->file && left->nav.view == right->nav.view &&
           left->nav.overlay == right->nav.overlay && first->ticks == second->ticks &&
           first->pos == second->pos && one->from == other->from && one->to == other->to &&
           one->at == other->at && left->nav.lane.thread == right->nav.lane.thread &&
           left->nav.lane.cpu == right->nav.lane.cpu && left->brief == right->brief &&
           left->subject_count == right->subject_count &&
           memcmp(left->view.numbers, right->view.numbers, sizeof left->view.numbers) == 0 &&
           memcmp(left->pane.numbers, right->pane.numbers, sizeof left->pane.numbers) == 0 &&
           strcmp(left->label, right->label) == 0;
}

/* Allocates the places, and makes room for one more at the end. */
static bool trail_reserve(struct tt_trail *trail)
{
    if (!trail->visits) {
        trail->visits = malloc(TT_PLACES * sizeof *trail->visits);
        trail->count = trail->at = 0;
    }
    if (trail->visits && trail->count == TT_PLACES) {
        trail->count--;
        trail->at -= trail->at > 0;
        memmove(trail->visits, trail->visits + 1, trail->count * sizeof *trail->visits);
    }
    return trail->visits != NULL;
}

/* Adds `here` as the newest place; returns false when out of memory. */
static bool trail_push(struct tt_trail *trail)
{
    trail->count = trail->at < trail->count ? trail->at : trail->count;
    size_t count = trail->count;
    bool known = count > 0 && is_same_place(&trail->here, &trail->visits[count - 1]);
    if (!known && !trail_reserve(trail)) {
        return false;
    }
    if (!known) {
        trail->visits[trail->count++] = trail->here;
    }
    trail->at = trail->count;
    return true;
}

/* Goes to a place and saves `here` in its stead, or as the newest one. NULL: there is none. */
static const struct tt_visit *trail_go(struct tt_trail *trail, size_t to)
{
    size_t count = trail->count;
    if (to >= count) {
        return NULL;
    }
    if (trail->at < count) {
        trail->visits[trail->at] = trail->here;
    } else if (!is_same_place(&trail->here, &trail->visits[count - 1])) {
        trail_reserve(trail);
        to -= to > 0 && trail->count < count;
        trail->visits[trail->count++] = trail->here;
    }
    trail->at = to;
    return &trail->visits[to];
}

void tt_places_forget(struct tt_trail *trail, size_t file)
{
    size_t kept = 0, at = trail->at;
    for (size_t i = 0; i < trail->count; i++) {
        if (trail->visits[i].file != file) {
            memmove(&trail->visits[kept++], &trail->visits[i], sizeof *trail->visits);
        } else {
            at -= i < trail->at;
        }
    }
    trail->count = kept;
    trail->at = at;
}

void tt_places_name(const struct tt_trail *trail, size_t number, struct tt_text *text)
{
    size_t same = 0;
    while (same < trail->count && trail->visits[same].file == trail->visits[0].file) {
        same++;
    }
    if (same < trail->count) {
        tt_text_put(text, "%s: ", trail->visits[number].file_name);
    }
    tt_text_str(text, trail->visits[number].label);
}

void tt_places_free(struct tt_trail *trail)
{
    while (trail->result_count > 0) {
        free(trail->results[--trail->result_count].command);
    }
    free(trail->results);
    free(trail->visits);
    trail->results = NULL;
    trail->visits = NULL;
    trail->count = trail->at = 0;
}

/* ---- names -------------------------------------------------------------------------------- */

/* Writes the label of a place: its pane or view, and what its cursor is on. */
static void write_label(const struct tt_workspace *ws, struct tt_visit *visit)
{
    const struct tt_nav_spot *nav = &visit->nav;
    struct tt_text text = tt_text_of(visit->label, sizeof visit->label);
    const bool pane = nav->overlay != TT_OVERLAY_NONE;
    const struct tt_spot *spot = pane ? &visit->pane : &visit->view;
    tt_text_str(&text, pane ? tt_context_name(TT_IN_OVERLAY_OF(nav->overlay))
                            : tt_view_names(nav->view)->title);
    if (pane && visit->subject_count > 0) {
        const struct tt_why_subject *subject = &visit->subjects[visit->subject_count - 1];
        tt_text_put(&text, ": %s of ", subject->what);
        tt_line_thread(&text, ws->opened.capture, subject->thread);
    } else if (spot->name[0]) {
        tt_text_put(&text, ": %s", spot->name);
    } else if (!pane && nav->view != TT_VIEW_INFO) {
        tt_text_char(&text, ' ');

        /*
         * Appends the time and the thread at the cursor of a place, which is in the open capture.
         */
        const bool by_time = tt_view_names(nav->view)->by_time;
        const uint32_t thread = by_time ? nav->lane.thread : nav->cursor.event.thread;
        tt_time_label_place(ws, &text, by_time ? nav->viewport.at : nav->cursor.event.ticks);
        if (nav->view == TT_VIEW_CPUS) {
            tt_text_put(&text, ", CPU %d", nav->lane.cpu);
        } else if (thread < tt_thread_count(ws->opened.capture)) {
            tt_text_str(&text, ", ");
            tt_line_thread(&text, ws->opened.capture, thread);
        }
    }
    tt_text_cstr(&text);
}

/* Writes the name of the open file. */
static void write_file_name(const struct tt_app *app, struct tt_visit *visit)
{
    const char *path = app->files.paths[app->files.path], *slash = strrchr(path, '/');
    const char *name = slash && slash[1] ? slash + 1 : path;
    struct tt_text text = tt_text_of(visit->file_name, sizeof visit->file_name);
    tt_text_escaped(&text, name, strlen(name));
    tt_text_cstr(&text);
}

/* ---- results ------------------------------------------------------------------------------ */

/* Returns the result with a number; NULL: there is none, or it was dropped. */
static struct tt_result *result_of(const struct tt_trail *trail, unsigned number)
{
    size_t i = 0;
    while (i < trail->result_count && trail->results[i].number != number) {
        i++;
    }
    return i < trail->result_count ? &trail->results[i] : NULL;
}

static void remove_result(struct tt_trail *trail, size_t at)
{
    free(trail->results[at].command);
    trail->result_count--;
    memmove(&trail->results[at], &trail->results[at + 1],
            (trail->result_count - at) * sizeof *trail->results);
}

void tt_results_add(struct tt_app *app, enum tt_overlay_id pane, const char *name,
                    const char *argument)
{
    struct tt_trail *trail = &app->ws.trail;
    const size_t length = strlen(name) + 1 + strlen(argument) + 1;
    char *command = malloc(length);
    if (!trail->results) {
        trail->results = malloc(TT_RESULTS * sizeof *trail->results);
    }
    if (!command || !trail->results) {
        free(command);
        return;
    }
    snprintf(command, length, "%s %s", name, argument);
    for (size_t i = trail->result_count; i-- > 0;) {
        const struct tt_result *r = &trail->results[i];
        if (r->pane == pane && strcmp(r->command, command) == 0 && trail->reopens) {
            trail->current[pane] = r->number;
            free(command);
            return;
        }
        if (r->pane == pane && strcmp(r->command, command) == 0 &&
            r->visit.file == app->files.path) {
            remove_result(trail, i);
        }
    }
    if (trail->result_count == TT_RESULTS) {
        remove_result(trail, 0);
    }
    struct tt_result *result = &trail->results[trail->result_count++];
    *result =
        (struct tt_result){.number = ++trail->results_made,
                           .of = pane == TT_OVERLAY_ALIGN ? trail->current[TT_OVERLAY_DIFF] : 0,
                           .pane = pane,
                           .command = command};
    result->visit = trail->here;
    if (!trail->noted) {
        result->visit =
            (struct tt_visit){.nav = tt_nav_spot(&app->ws.nav), .file = app->files.path};
        write_file_name(app, &result->visit);
    }
    result->visit.nav.overlay = pane;
    result->visit.nav.below = TT_OVERLAY_NONE;
    result->visit.subject_count = 0;
    result->visit.result = pane != TT_OVERLAY_NONE ? result->number : 0;
    trail->current[pane] = result->number;
}

void tt_results_name(const struct tt_trail *trail, size_t number, struct tt_text *text)
{
    const struct tt_result *result = &trail->results[number];
    const char *argument = strchr(result->command, ' ') + 1;
    size_t same = 0;
    while (same < trail->result_count &&
           trail->results[same].visit.file == trail->results[0].visit.file) {
        same++;
    }
    if (same < trail->result_count) {
        tt_text_put(text, "%s: ", result->visit.file_name);
    }
    tt_text_put(text, "%s: ",
                result->pane == TT_OVERLAY_NONE ? "Search"
                                                : tt_context_name(TT_IN_OVERLAY_OF(result->pane)));
    tt_text_escaped(text, argument, strlen(argument));
}

/* ---- leaving ------------------------------------------------------------------------------ */

void tt_places_note(struct tt_app *app)
{
    struct tt_workspace *ws = &app->ws;
    struct tt_trail *trail = &ws->trail;
    struct tt_visit *here = &trail->here;
    trail->noted = ws->opened.events && ws->index.rows > 0;
    trail->left = false;
    trail->awaited = TT_AWAITED_NONE;
    if (!trail->noted) {
        return;
    }
    memset(here, 0, sizeof *here);
    here->nav = tt_nav_spot(&ws->nav);
    here->file = app->files.path;
    here->brief = ws->filters.stack.brief;
    if (here->nav.overlay == TT_OVERLAY_HISTORY || here->nav.overlay == TT_OVERLAY_RESULTS) {
        here->nav.overlay = here->nav.below; /* the lists of places are none themselves */
        here->nav.below = TT_OVERLAY_NONE;
    }
    const struct tt_view *view = tt_views[here->nav.view], *pane = tt_overlays[here->nav.overlay];
    if (view->leave) {
        view->leave(ws, app->view_states[here->nav.view], &here->view);
    }
    if (pane && pane->list) {
        const struct tt_list *list = pane->list(app->overlay_states[here->nav.overlay]);
        here->pane.numbers[0] = list->at;
        here->pane.numbers[1] = list->top;
    }
    if (pane && pane->saved) {
        tt_members_save(pane->saved, app->overlay_states[here->nav.overlay],
                        here->pane.numbers + 2);
    }
    if (ws->why.open && ws->why.count > 0) {
        here->below = ws->why.saved;
        here->subject_count = ws->why.count;
        memcpy(here->subjects, ws->why.subjects, ws->why.count * sizeof *here->subjects);
        here->subjects[ws->why.count - 1].at = ws->why.at;
    }
    write_file_name(app, here);
    write_label(ws, here);
    struct tt_result *result = result_of(trail, trail->current[here->nav.overlay]);
    if (pane && result) {
        here->result = result->number;
        result->visit = *here;
    }
}

void tt_places_keep(struct tt_app *app)
{
    struct tt_trail *trail = &app->ws.trail;
    if (trail->left && trail->noted && !trail_push(trail)) {
        tt_message_set(&app->ws.message, TT_ROLE_ERROR, "out of memory: no way back");
    }
    trail->noted &= !trail->left;
    trail->left = false;
}

void tt_places_pass(struct tt_app *app)
{
    tt_places_keep(app);
    app->stale = true;
    tt_app_layout(app);
    tt_places_note(app);
}

/* ---- returning ---------------------------------------------------------------------------- */

/* Shows a place of the open capture as it was. */
static void places_show(struct tt_app *app, const struct tt_visit *visit)
{
    struct tt_workspace *ws = &app->ws;
    const bool explains = visit->subject_count > 0;
    tt_why_close(ws);
    tt_filter_stack_show_brief(&ws->filters.stack, visit->brief);
    tt_find_update(app);
    tt_nav_return(&ws->nav, explains ? &visit->below : &visit->nav);
    const struct tt_view *view = tt_views[visit->nav.view];
    const struct tt_view *pane = tt_overlays[visit->nav.overlay];
    if (view->resume) {
        view->resume(ws, app->view_states[visit->nav.view], &visit->view);
    }
    if (explains) {
        tt_why_reopen(ws, visit->subjects, visit->subject_count, &visit->nav);
    }
    if (visit->result > 0) {
        /* Computes a result again unless its pane has it, after the result that it needs. */
        unsigned number = visit->result;
        struct tt_trail *trail = &app->ws.trail;
        const struct tt_result *result = result_of(trail, number);
        for (int i = 0; i < 2 && result; i++) {
            const struct tt_result *first = i == 0 ? result_of(trail, result->of) : result;
            if (first && trail->current[first->pane] != first->number) {
                trail->reopens = true;
                tt_command_run(app, first->command);
                trail->reopens = false;
            }
        }

        tt_nav_return(&ws->nav, &visit->nav);
    }
    if (pane && pane->list) {
        tt_list_return(pane->list(app->overlay_states[visit->nav.overlay]), visit->pane.numbers[0],
                       visit->pane.numbers[1]);
    }
    if (pane && pane->saved) {
        tt_members_restore(pane->saved, app->overlay_states[visit->nav.overlay],
                           visit->pane.numbers + 2);
    }
    if (pane && pane->resume) {
        pane->resume(ws, app->overlay_states[visit->nav.overlay], &visit->pane);
    }
    struct tt_place *cursor = &ws->nav.cursor;
    cursor->row =
        !ws->nav.cursor_moved
            ? 0
            : tt_events_row_at_key(ws->opened.events, cursor->event.ticks, cursor->event.pos);
    ws->trail.left = ws->trail.noted = false;
    ws->trail.awaited = TT_AWAITED_NONE;
    app->stale = true;
}

/* Shows "back: Threads 0.0123 s, logger/1 (3 of 12)". */
static void places_report(struct tt_app *app, const char *word)
{
    const struct tt_trail *trail = &app->ws.trail;
    char buffer[TT_STATUS_TEXT];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_put(&text, "%s: ", word);
    tt_places_name(trail, trail->at, &text);
    tt_text_put(&text, " (%ju of %ju)", trail->at + 1, trail->count);
    tt_message_set(&app->ws.message, TT_ROLE_STATUS, "%s", tt_text_cstr(&text));
}

/* Runs a search again at its place; reports the result. */
static void finish_result(struct tt_app *app)
{
    struct tt_trail *trail = &app->ws.trail;
    const struct tt_result *result = result_of(trail, trail->asked);
    if (!result) {
        return;
    }
    char buffer[TT_STATUS_TEXT];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_text_str(&text, "again: ");
    tt_results_name(trail, (size_t)(result - trail->results), &text);
    if (result->pane == TT_OVERLAY_NONE) {
        trail->reopens = true;
        tt_command_run(app, result->command);
        trail->reopens = trail->left = false;
    }
    const struct tt_notices *message = &app->ws.message; /* why the command failed, if it did */
    if (!message->text[0] || message->role == TT_ROLE_STATUS) {
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "%s", tt_text_cstr(&text));
    }
}

/* Returns whether the index has reached the place, and the session of the file is restored. */
static bool places_is_reached(const struct tt_app *app, const struct tt_visit *visit)
{
    const struct tt_progress *progress = &app->ws.index.progress;
    return !app->session.text &&
           (progress->finished || progress->last_ticks > visit->nav.cursor.event.ticks);
}

bool tt_places_settle(struct tt_app *app)
{
    struct tt_trail *trail = &app->ws.trail;
    const enum tt_awaited awaited = trail->awaited;
    if (awaited == TT_AWAITED_NONE || !places_is_reached(app, &trail->target)) {
        return false;
    }
    places_show(app, &trail->target);
    if (awaited != TT_AWAITED_RESULT) {
        places_report(app, awaited == TT_AWAITED_FORWARD ? "forward" : "back");
    } else {
        finish_result(app);
    }
    return true;
}

/* Shows a place, in its file. */
static void places_go(struct tt_app *app, const struct tt_visit *visit, enum tt_awaited awaited)
{
    struct tt_trail *trail = &app->ws.trail;
    trail->target = *visit;
    trail->noted = false;
    if (visit->file == app->files.path || tt_app_show_numbered(app, visit->file)) {
        trail->awaited = awaited;
        tt_places_settle(app);
    } /* else there is the message of the file */
}

/* Goes to a place of the history. */
static void go_number(struct tt_app *app, size_t number, enum tt_awaited awaited)
{
    struct tt_trail *trail = &app->ws.trail;
    const struct tt_visit *visit = trail->noted ? trail_go(trail, number) : NULL;
    if (visit) {
        places_go(app, visit, awaited);
    }
}

void tt_places_step(struct tt_app *app, bool forward)
{
    struct tt_trail *trail = &app->ws.trail;
    bool is = forward ? trail->at + 1 < trail->count : trail->at > 0;
    if (is) {
        go_number(app, forward ? trail->at + 1 : trail->at - 1,
                  forward ? TT_AWAITED_FORWARD : TT_AWAITED_BACK);
    } else {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING,
                       forward ? "no later place: ^O goes back to earlier ones"
                               : "no earlier place: a jump, as Enter or n, leaves one");
    }
}

void tt_places_go(struct tt_app *app, size_t number)
{
    if (number < app->ws.trail.count) {
        app->ws.nav.overlay = app->ws.nav.below = TT_OVERLAY_NONE;
        go_number(app, number, number > app->ws.trail.at ? TT_AWAITED_FORWARD : TT_AWAITED_BACK);
    }
}

void tt_results_open(struct tt_app *app, size_t number)
{
    struct tt_trail *trail = &app->ws.trail;
    if (number >= trail->result_count) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING,
                       "no results: :measure, :check, :diff, :align, :sql, a search leave one");
        return;
    }
    trail->left = true;
    tt_places_keep(app);
    app->ws.nav.overlay = app->ws.nav.below = TT_OVERLAY_NONE;
    trail->asked = trail->results[number].number;
    places_go(app, &trail->results[number].visit, TT_AWAITED_RESULT);
}

void tt_results_newest(struct tt_app *app)
{
    const size_t count = app->ws.trail.result_count;
    tt_results_open(app, count > 0 ? count - 1 : 0);
}

/* ---- sessions ----------------------------------------------------------------------------- */

/* The numbers of a place in a session: these members, the flags as bits, and the rest. */
#define PLACE_NUMBERS 21

#define SPOT(member) TT_MEMBER(struct tt_nav_spot, member)

static const struct tt_member first_members[] = {
    SPOT(view),
    SPOT(cursor.event.ticks),
    SPOT(cursor.event.pos),
    {0, 0},
};

static const struct tt_member flags[] = {
    SPOT(cursor_moved),     SPOT(viewport.all), SPOT(viewport.chosen), SPOT(viewport.spans),
    SPOT(viewport.growing), SPOT(lane.chosen),  SPOT(lane.sequence),   SPOT(lane.taken),
};

static const struct tt_member other_members[] = {
    SPOT(viewport.from),   SPOT(viewport.to),     SPOT(viewport.at),
    SPOT(viewport.anchor), SPOT(viewport.other),  SPOT(lane.thread),
    SPOT(lane.process),    SPOT(lane.number),     SPOT(lane.kind),
    SPOT(lane.cpu),        SPOT(lane.first_row),  SPOT(lane.ticks),
    SPOT(lane.pos),        SPOT(pair.threads[0]), SPOT(pair.threads[1]),
    SPOT(pair.from),       SPOT(pair.to),         {0, 0},
};

static void write_nav(const struct tt_nav_spot *nav, uint64_t numbers[PLACE_NUMBERS])
{
    uint64_t *bits = tt_members_save(first_members, nav, numbers);
    *bits = 0;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        *bits |= tt_member_get(flags[i], nav) << i;
    }
    tt_members_save(other_members, nav, bits + 1);
}

/* Restores a navigation in the open capture; false if there is no such place in it. */
static bool read_nav(const struct tt_workspace *ws, const uint64_t numbers[PLACE_NUMBERS],
                     struct tt_nav_spot *nav)
{
    const struct tt_timelines *timelines = tt_trace_timelines(ws->opened.trace);
    const uint32_t threads = tt_thread_count(ws->opened.capture);
    struct tt_events *events = ws->opened.events;
    struct tt_viewport *viewport = &nav->viewport;
    struct tt_lane_place *lane = &nav->lane;
    *nav = (struct tt_nav_spot){0};
    const uint64_t *bits = tt_members_restore(first_members, nav, numbers);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        tt_member_set(flags[i], nav, *bits >> i & 1u);
    }
    tt_members_restore(other_members, nav, bits + 1);
    lane->thread = lane->thread < threads ? lane->thread : TT_NO_THREAD;
    lane->process =
        lane->process < tt_process_count(ws->opened.capture) ? lane->process : UINT32_MAX;
    lane->cpu = timelines && lane->cpu < tt_cpu_count(timelines) ? lane->cpu : 0;
    lane->first_row = lane->first_row < ws->index.rows ? lane->first_row : 0;
    if (nav->pair.threads[0] >= threads || nav->pair.threads[1] >= threads) {
        nav->pair = (struct tt_lane_pair){0};
    }
    if (viewport->from >= viewport->to || viewport->at < viewport->from ||
        viewport->at >= viewport->to) {
        *viewport = (struct tt_viewport){.all = true}; /* no view over time was shown, or damage */
    }
    nav->cursor.row = tt_events_row_at_key(events, nav->cursor.event.ticks, nav->cursor.event.pos);
    nav->cursor.valid = tt_events_read(events, nav->cursor.row, 1, &nav->cursor.event) == 1;
    return numbers[0] < TT_VIEW_COUNT && nav->cursor.valid;
}

bool tt_places_known(const struct tt_app *app)
{
    const struct tt_trail *trail = &app->ws.trail;
    size_t i = 0;
    while (i < trail->count && trail->visits[i].file != app->files.path) {
        i++;
    }
    return i < trail->count;
}

void tt_places_write(const struct tt_app *app, struct tt_text *text)
{
    const struct tt_trail *trail = &app->ws.trail;
    for (size_t i = 0; i < trail->count; i++) {
        const struct tt_visit *visit = &trail->visits[i];
        uint64_t numbers[PLACE_NUMBERS + TT_SPOT_NUMBERS];
        if (visit->file != app->files.path) {
            continue;
        }
        write_nav(visit->subject_count > 0 ? &visit->below : &visit->nav, numbers);
        memcpy(numbers + PLACE_NUMBERS, visit->view.numbers, sizeof visit->view.numbers);
        tt_session_numbers(text, "visit", numbers, PLACE_NUMBERS + TT_SPOT_NUMBERS);
        tt_session_word(text, visit->view.name);
        tt_text_char(text, '\n');
    }
}

bool tt_places_read(struct tt_app *app, char *const *words, int count, size_t number)
{
    struct tt_visit visit = {.file = app->files.path};
    uint64_t numbers[PLACE_NUMBERS];
    if (count < PLACE_NUMBERS + TT_SPOT_NUMBERS + 1) {
        return false;
    }
    for (int i = 0; i < PLACE_NUMBERS + TT_SPOT_NUMBERS; i++) {
        uint64_t *to = i < PLACE_NUMBERS ? &numbers[i] : &visit.view.numbers[i - PLACE_NUMBERS];
        if (!tt_session_number(words[i], to)) {
            return false;
        }
    }
    char *name = words[PLACE_NUMBERS + TT_SPOT_NUMBERS];
    tt_session_unescape(name);
    if (strlen(name) >= sizeof visit.view.name || !read_nav(&app->ws, numbers, &visit.nav)) {
        return false;
    }
    memcpy(visit.view.name, name, strlen(name) + 1);
    write_file_name(app, &visit);
    write_label(&app->ws, &visit);

    /* Inserts an older place before place `number`, if there is room. */
    struct tt_trail *trail = &app->ws.trail;
    if (trail->count == TT_PLACES || number > trail->count || !trail_reserve(trail)) {
        return false;
    }
    struct tt_visit *place = trail->visits + number;
    memmove(place + 1, place, (trail->count - number) * sizeof *place);
    *place = visit;
    trail->count++;
    trail->at++;
    return true;
}
