/* SPDX-License-Identifier: Apache-2.0 */
/* filter_prompt: the prompts for filters and searches, and their work. */
#include "tui/app/filter_prompt.h"

#include <stdio.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/app/places.h"
#include "tui/filter/event_scan.h"
#include "tui/model/visible_rows.h"

/* ---- the place to return to --------------------------------------------------------------- */

static void back_to_anchor(struct tt_app *app)
{
    const struct tt_anchor *anchor = &app->ws.filters.find.anchor;
    if (anchor->valid) {
        bool moved = app->ws.nav.cursor_moved;
        tt_nav_go_row(&app->ws, tt_events_row_at_key(app->ws.opened.events, anchor->event.ticks,
                                                     anchor->event.pos));
        app->ws.nav.cursor_moved = moved;
    }
}

/* ---- opening ------------------------------------------------------------------------------ */

static void open_prompt(struct tt_app *app, enum tt_find_prompt prompt, enum tt_line_edit_kind kind,
                        const char *text)
{
    app->ws.filters.find.prompt = prompt;
    app->ws.filters.find.pending = false;
    app->ws.filters.find.anchor =
        (struct tt_anchor){app->ws.nav.cursor.event, app->ws.nav.cursor.valid};
    tt_prompt_open(app, kind, text);
}

void tt_find_prompt_filter(struct tt_app *app, unsigned number, enum tt_use use, bool empty)
{
    static const enum tt_line_edit_kind kinds[TT_USE_COUNT] = {TT_PROMPT_FILTER, TT_PROMPT_EXCLUDE,
                                                               TT_PROMPT_HIGHLIGHT};
    struct tt_filter_stack *stack = &app->ws.filters.stack;
    if (number >= stack->count && stack->count == TT_FILTERS) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "filter limit reached (%d)", TT_FILTERS);
        return;
    }
    tt_filter_stack_edit(stack, number, use);
    const struct tt_filter_entry *entry = &stack->stack[stack->edited - 1];
    open_prompt(app, TT_FIND_PROMPT_FILTER, kinds[entry->use], empty ? "" : entry->text);
    app->ws.filters.find.pending = empty;
}

void tt_find_prompt_quick(struct tt_app *app, bool empty)
{
    const struct tt_filter_stack *stack = &app->ws.filters.stack;
    tt_find_prompt_filter(app, stack->quick ? stack->quick - 1 : stack->count, TT_USE_INCLUDE,
                          empty);
}

void tt_find_prompt_search(struct tt_app *app)
{
    struct tt_find *find = &app->ws.filters.find;
    find->search_before = find->search;
    find->search = (struct tt_event_scan_state){.highlighted = true};
    open_prompt(app, TT_FIND_PROMPT_SEARCH, TT_PROMPT_SEARCH, "");
}

void tt_find_prompt_name(struct tt_app *app, unsigned number)
{
    app->ws.filters.find.named = number;
    open_prompt(app, TT_FIND_PROMPT_NAME, TT_PROMPT_NAME, app->ws.filters.stack.stack[number].name);
}

/* ---- typing ------------------------------------------------------------------------------- */

static void filter_prompt_check(struct tt_app *app)
{
    struct tt_find *find = &app->ws.filters.find;
    struct tt_filter *filter;
    struct tt_filter_error error;
    find->pending = true;
    if (app->prompt.line.length == 0) {
        return;
    }
    if (!tt_filter_parse(app->prompt.line.text, &filter, &error)) {
        find->pending = false; /* the last valid filter stays */
        tt_line_edit_fail(&app->prompt.line, error.column, error.status.text);
        return;
    }
    tt_filter_free(filter);
}

static void drop_search(struct tt_app *app, struct tt_event_scan_state *search)
{
    tt_filter_run_discard(&app->ws.filters.stack.bin, search->run);
    tt_row_set_free(search->matches);
    *search = (struct tt_event_scan_state){.highlighted = true};
}

static bool run_search(struct tt_app *app, const char *text, struct tt_filter_error *error)
{
    struct tt_event_scan_state *search = &app->ws.filters.find.search;
    struct tt_filter_target in = tt_find_target(&app->ws);
    struct tt_filter_run *run = NULL;
    if (text[0] && !tt_filter_run_new(text, &in, &run, error)) {
        return false;
    }
    drop_search(app, search);
    back_to_anchor(app);
    if (run) {
        search->run = run;
        snprintf(search->text, sizeof search->text, "%s", text);
        search->wanted = 1;
        search->from = app->ws.filters.find.anchor.event;
        search->silent = true;
    }
    return true;
}

/* Applies the typed text once all pending keys are handled. */
static void run_typed(struct tt_app *app)
{
    struct tt_find *find = &app->ws.filters.find;
    struct tt_filter_error error = {0};
    if (!find->pending) {
        return;
    }
    find->pending = false;
    const char *text = app->prompt.line.text;
    bool good = true;
    if (find->prompt == TT_FIND_PROMPT_FILTER) {
        struct tt_filter_target in = tt_find_target(&app->ws);
        good = tt_filter_stack_typed(&app->ws.filters.stack, &in, text, &error);
        if (text[0] == '\0') {
            back_to_anchor(app);
        }
    } else if (find->prompt == TT_FIND_PROMPT_SEARCH) {
        good = run_search(app, text, &error);
    }
    if (!good) {
        tt_line_edit_fail(&app->prompt.line, error.column, error.status.text);
    }
}

/* ---- closing ------------------------------------------------------------------------------ */

/* Accepts the typed text; if it is not valid, opens the prompt again. */
static bool accept_typed(struct tt_app *app)
{
    bool good = true;
    if (app->prompt.line.length > 0) {
        struct tt_filter *filter = NULL;
        struct tt_filter_error error;
        good = tt_filter_parse(app->prompt.line.text, &filter, &error);
        tt_filter_free(filter);
    }
    tt_line_edit_fail(&app->prompt.line, 0, "");
    if (good) {
        app->ws.filters.find.pending = true;
        run_typed(app);
    }
    if (good && !app->prompt.line.error[0]) {
        return true;
    }
    tt_line_edit_reopen(&app->prompt.line);
    if (!good) {
        filter_prompt_check(app);
    }
    return false;
}

static void accept_search(struct tt_app *app)
{
    struct tt_find *find = &app->ws.filters.find;
    if (!accept_typed(app)) {
        return;
    }
    find->prompt = TT_FIND_PROMPT_NONE;
    if (app->prompt.line.length == 0) {
        drop_search(app, &find->search);
        find->search = find->search_before;
        tt_find_next(app, true);
        return;
    }
    drop_search(app, &find->search_before);
    find->search.silent = false;
    tt_results_add(app, TT_OVERLAY_NONE, "search", find->search.text);
    tt_nav_leave(&app->ws);
    app->ws.nav.before_jump.cursor.event = find->anchor.event;
    if (find->search.wanted == 0 && tt_row_set_count(tt_find_matches(&app->ws.filters)) == 0) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "no match%s",
                       app->ws.index.progress.finished ? "" : " in the events indexed so far");
    }
}

static void accept_filter(struct tt_app *app)
{
    struct tt_filter_stack *stack = &app->ws.filters.stack;
    unsigned number = stack->edited - 1;
    bool empty = app->prompt.line.length == 0;
    bool had = stack->before_edit.text[0] != '\0';
    if (!accept_typed(app)) {
        return;
    }
    tt_visible_place_cursor(&app->ws);
    app->ws.filters.find.prompt = TT_FIND_PROMPT_NONE;
    tt_filter_stack_edited(stack, true);
    if (empty && had) {
        tt_message_set(&app->ws.message, TT_ROLE_STATUS, "filter removed");
    } else if (!empty && stack->quick == 0 && stack->stack[number].use == TT_USE_INCLUDE) {
        stack->quick = number + 1;
    }
}

static void cancel(struct tt_app *app)
{
    struct tt_find *find = &app->ws.filters.find;
    if (find->prompt == TT_FIND_PROMPT_FILTER) {
        tt_filter_stack_edited(&app->ws.filters.stack, false);
        back_to_anchor(app);
    } else if (find->prompt == TT_FIND_PROMPT_SEARCH) {
        drop_search(app, &find->search);
        find->search = find->search_before;
        find->search.wanted = 0;
        find->search_before = (struct tt_event_scan_state){0};
        back_to_anchor(app);
    }
    find->pending = false;
    find->prompt = TT_FIND_PROMPT_NONE;
}

static void accept_name(struct tt_app *app)
{
    tt_filter_stack_set_name(&app->ws.filters.stack, app->ws.filters.find.named,
                             app->prompt.line.text);
    app->ws.filters.find.prompt = TT_FIND_PROMPT_NONE;
}

/* Writes the syntax or the number of matches so far. */
static void hint(const struct tt_app *app, struct tt_text *text)
{
    const struct tt_filter_run *run = app->ws.filters.find.search.run;
    const struct tt_row_set *set = app->ws.filters.find.prompt == TT_FIND_PROMPT_SEARCH
                                       ? tt_find_matches(&app->ws.filters)
                                       : app->ws.filters.stack.shown;
    if (app->prompt.line.length == 0) {
        tt_text_str(text, "a regex   cpu = 0   thread ~ ^io-   event = NAME   "
                          "/regex/ and not class = X");
        return;
    }
    if (app->ws.filters.find.prompt == TT_FIND_PROMPT_FILTER && app->ws.filters.stack.edited) {
        const struct tt_filter_entry *entry =
            &app->ws.filters.stack.stack[app->ws.filters.stack.edited - 1];
        run = entry->candidate ? entry->candidate : entry->run;
        if (run && (entry->candidate || entry->use != TT_USE_INCLUDE)) {
            set = tt_filter_run_rows(run);
        }
    }
    if (set) {
        uint64_t from, to;
        tt_row_set_known(set, &from, &to);
        tt_text_put(text, "%'ju%s", tt_row_set_count(set),
                    tt_row_set_count(set) == 1 ? " event" : " events");
        if (!tt_row_set_whole(set)) {
            tt_text_put(text, " so far, %ju %%", (to - from) * 100 / (tt_row_set_rows(set) + 1));
        }
        if (run && tt_filter_run_undecided(run) > 0) {
            tt_text_put(text, ", %'ju undecided", tt_filter_run_undecided(run));
        }
        tt_text_str(text, "   Tab completes   Enter applies   Esc restores the filter");
    }
}

const struct tt_line_edit_use tt_filter_prompt = {
    .edited = filter_prompt_check,
    .accepted = accept_filter,
    .cancelled = cancel,
    .complete = tt_find_complete,
    .hint = hint,
};

const struct tt_line_edit_use tt_event_scan_prompt = {
    .edited = filter_prompt_check,
    .accepted = accept_search,
    .cancelled = cancel,
    .complete = tt_find_complete,
    .hint = hint,
};

const struct tt_line_edit_use tt_filter_name_prompt = {
    .accepted = accept_name,
    .cancelled = cancel,
};

/* ---- updates ------------------------------------------------------------------------------ */

static uint64_t known_matches(const struct tt_app *app)
{
    uint64_t from, to;
    const struct tt_row_set *set = tt_find_matches(&app->ws.filters);
    if (!set) {
        return 0;
    }
    tt_row_set_known(set, &from, &to);
    return to - from + tt_row_set_count(set) + 1;
}

static bool update_search(struct tt_app *app, const struct tt_filter_target *in)
{
    struct tt_event_scan_state *search = &app->ws.filters.find.search;
    if (!search->run) {
        return false;
    }
    bool soon = tt_filter_run_update(search->run, in);
    if (tt_filter_stack_all_shown(&app->ws.filters.stack)) {
        tt_row_set_free(search->matches);
        search->matches = NULL;
        return soon;
    }
    const struct tt_row_source sources[2] = {{tt_filter_run_rows(search->run), false},
                                             {app->ws.filters.stack.shown, false}};
    uint64_t sum = (uint64_t)(uintptr_t)search->run +
                   tt_filter_run_version(search->run) * UINT64_C(0x10001) +
                   ((uint64_t)app->ws.filters.stack.shown_version << 40);
    return !tt_filter_run_combine(&search->matches, &search->matches_sum, sum, sources, 2,
                                  in->row) ||
           soon;
}

bool tt_find_update(struct tt_app *app)
{
    struct tt_find *find = &app->ws.filters.find;
    bool changed = find->pending;
    run_typed(app);
    struct tt_filter_target in = tt_find_target(&app->ws);
    uint64_t matches = known_matches(app);
    find->more = tt_filter_stack_update(&app->ws.filters.stack, &in, &changed);
    find->more |= update_search(app, &in);
    changed |= known_matches(app) != matches;
    find->more |= tt_visible_lanes_update(&app->ws, &changed);
    return tt_find_go(&app->ws) || changed;
}

void tt_find_settle(struct tt_app *app)
{
    struct tt_find *find = &app->ws.filters.find;
    bool changed;
    do {
        struct tt_filter_target in = tt_find_target(&app->ws);
        if (find->search.run) {
            tt_filter_run_wait(find->search.run);
        }
        tt_filter_stack_wait(&app->ws.filters.stack, &in);
        /* A run that ends after its results were read leaves a change for the next round. */
        changed = tt_find_update(app);
    } while (changed || find->more || tt_filter_stack_busy(&app->ws.filters.stack) ||
             (find->search.run && tt_filter_run_busy(find->search.run)));
}

void tt_find_detach(struct tt_app *app)
{
    struct tt_find *find = &app->ws.filters.find;
    if (find->prompt != TT_FIND_PROMPT_NONE) {
        tt_prompt_close(app);
        cancel(app);
    }
    tt_filter_run_discard(&app->ws.filters.stack.bin, find->search.run);
    find->search.run = NULL;
    find->search.wanted = 0;
    tt_row_set_free(find->search.matches);
    find->search.matches = NULL;
    tt_visible_lanes_drop(&app->ws);
    tt_filter_stack_detach(&app->ws.filters.stack);
}

void tt_find_attach(struct tt_app *app)
{
    struct tt_filter_target in = tt_find_target(&app->ws);
    struct tt_event_scan_state *search = &app->ws.filters.find.search;
    struct tt_filter_error error;
    tt_filter_stack_attach(&app->ws.filters.stack, &in);
    if (search->text[0]) {
        tt_filter_run_new(search->text, &in, &search->run, &error);
    }
}

struct tt_status tt_find_begin(struct tt_app *app, const char *filter)
{
    struct tt_filter_target in = tt_find_target(&app->ws);
    struct tt_filter_error error = {0, tt_ok()};
    if (filter && tt_filter_stack_add(&app->ws.filters.stack, &in, TT_USE_INCLUDE, filter,
                                      &error) == TT_FILTERS) {
        return tt_status_context(error.status, "--filter");
    }
    if (!app->ws.index.notify) {
        tt_find_settle(app);
    }
    return tt_ok();
}

void tt_find_add_brief(struct tt_app *app, enum tt_use use, const char *text)
{
    const struct tt_filter_target in = tt_find_target(&app->ws);
    struct tt_filter_error error = {0, tt_ok()};
    if (tt_filter_stack_add_brief(&app->ws.filters.stack, &in, use, text, &error) == TT_FILTERS) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "%s", error.status.text);
        return;
    }
    app->ws.trail.left = true;
    tt_find_update(app);
    tt_message_set(&app->ws.message, TT_ROLE_STATUS, "^O shows the others again");
}

void tt_find_next(struct tt_app *app, bool forward)
{
    struct tt_event_scan_state *search = &app->ws.filters.find.search;
    if (!search->run) {
        tt_message_set(&app->ws.message, TT_ROLE_WARNING, "no search pattern (press /)");
        return;
    }
    if (!app->ws.nav.cursor.valid) {
        return;
    }
    if (tt_filter_run_stopped(search->run)) {
        tt_filter_run_resume(search->run);
    }
    search->highlighted = true;
    search->silent = false;
    if (search->wanted == 0) {
        search->from = app->ws.nav.cursor.event;
    }
    search->wanted += forward ? 1 : -1; /* earlier steps may still be pending */
    tt_find_update(app);
}
