/* SPDX-License-Identifier: Apache-2.0 */
/* From match to match, as soon as it is known where the next one is; and what is said of it. */
#include <string.h>

#include "tui/app/app.h"
#include "tui/filter/filter_prompt.h"

const struct tt_row_set *tt_find_matches(const struct tt_app *app)
{
    const struct tt_event_scan_state *search = &app->find.search;
    if (!search->finding) {
        return NULL;
    }
    return search->matches ? search->matches : tt_filter_run_rows(search->finding);
}

bool tt_find_going(const struct tt_app *app)
{
    return app->find.search.wanted != 0;
}

bool tt_find_settled(const struct tt_app *app)
{
    /* Of what grows more is found all the time. */
    bool finding =
        app->progress.finished && (app->find.soon || tt_filter_stack_busy(&app->filters));
    return !tt_find_going(app) && !finding;
}

enum where { FOUND, FOUND_ROUND, NOWHERE, NOT_KNOWN };

/* All is known, and there is nothing on this side: the first one from the other end. */
static enum where round_the_end(const struct tt_row_set *set, bool forward, uint64_t *row)
{
    uint64_t count = tt_row_set_count(set);
    if (!tt_row_set_whole(set)) {
        return NOT_KNOWN;
    }
    if (count == 0) {
        return NOWHERE;
    }
    *row = tt_row_set_select(set, forward ? 0 : count - 1);
    return FOUND_ROUND;
}

static enum where find_match(const struct tt_row_set *set, uint64_t here, bool forward,
                             uint64_t *row)
{
    uint64_t from, to;
    tt_row_set_known(set, &from, &to);
    if (forward && here + 1 >= from && here < to) {
        *row = tt_row_set_select(set, tt_row_set_rank(set, here + 1));
        if (*row != UINT64_MAX) {
            return FOUND;
        }
    }
    if (!forward && here >= from && here <= to) {
        uint64_t rank = tt_row_set_rank(set, here);
        if (rank > 0) {
            *row = tt_row_set_select(set, rank - 1);
            return FOUND;
        }
    }
    return round_the_end(set, forward, row);
}

static void go(struct tt_app *app, uint64_t row, bool silent)
{
    struct tt_event event;
    if (silent) {
        tt_app_go_row(app, row);
        return;
    }
    if (!tt_views[app->view]->by_time && app->view != TT_VIEW_EVENTS) {
        tt_app_show(app, TT_VIEW_EVENTS);
    }
    if (tt_events_read(app->opened.events, row, 1, &event) == 1) {
        tt_app_jump(app, event.ticks, event.pos);
    }
}

/* One match further; false while it is not known where that is. */
static bool go_once(struct tt_app *app, const struct tt_row_set *set)
{
    struct tt_event_scan_state *search = &app->find.search;
    bool forward = search->wanted > 0;
    uint64_t row = UINT64_MAX;
    uint64_t here = tt_events_row_at_key(app->opened.events, search->from.ticks, search->from.pos);
    enum where where = find_match(set, here, forward, &row);
    if (where == NOT_KNOWN) {
        return false;
    }
    search->wanted -= forward ? 1 : -1;
    if (where == NOWHERE) {
        search->wanted = 0;
        if (!search->silent) {
            tt_app_message(app, TT_ROLE_WARNING, "no match%s",
                           app->progress.finished ? "" : " in what is indexed so far");
        }
        return true;
    }
    go(app, row, search->silent);
    search->from = app->cursor.event;
    if (where == FOUND_ROUND && !search->silent) {
        tt_app_message(app, TT_ROLE_WARNING,
                       forward ? "went on from the first match" : "went on from the last match");
    }
    return true;
}

bool tt_find_go(struct tt_app *app)
{
    const struct tt_row_set *set = tt_find_matches(app);
    bool went = false;
    while (app->find.search.wanted != 0 && set && go_once(app, set)) {
        went = true;
    }
    return went;
}

void tt_find_next(struct tt_app *app, bool forward)
{
    struct tt_event_scan_state *search = &app->find.search;
    if (!search->finding) {
        tt_app_message(app, TT_ROLE_WARNING, "nothing is searched for yet: / begins");
        return;
    }
    if (!app->cursor.valid) {
        return;
    }
    if (tt_filter_run_stopped(search->finding)) {
        tt_filter_run_resume(search->finding);
    }
    search->lit = true;
    search->silent = false;
    if (search->wanted == 0) {
        search->from = app->cursor.event;
    }
    search->wanted += forward ? 1 : -1; /* those before may not have been found yet */
    tt_find_update(app);
}

/* ---- what the status line says ------------------------------------------------------------ */

static void put_percent(struct tt_text *text, uint64_t done, uint64_t all)
{
    tt_text_char(text, ' ');
    tt_text_u64(text, all > 0 ? (uint64_t)((double)done * 100.0 / (double)all) : 100);
    tt_text_str(text, " %");
}

static void search_status(const struct tt_app *app, struct tt_text *text)
{
    const struct tt_event_scan_state *search = &app->find.search;
    const struct tt_row_set *set = tt_find_matches(app);
    uint64_t from, to, row = app->cursor.row;
    tt_text_char(text, '/');
    tt_text_escaped(text, search->text, strlen(search->text));
    tt_text_str(text, "  ");
    if (tt_find_going(app)) {
        tt_text_str(text, "searching, ");
    } else if (tt_row_set_has(set, row)) {
        tt_text_str(text, "match ");
        tt_row_set_known(set, &from, &to);
        if (from == 0) {
            tt_text_grouped(text, tt_row_set_rank(set, row) + 1);
            tt_text_str(text, " of ");
        }
    }
    tt_text_grouped(text, tt_row_set_count(set));
    if (!tt_row_set_has(set, row)) {
        tt_text_str(text, tt_row_set_count(set) == 1 ? " match" : " matches");
    }
    if (!tt_row_set_whole(set)) {
        tt_row_set_known(set, &from, &to);
        tt_text_str(text, " so far,");
        put_percent(text, to - from, tt_row_set_rows(set));
    }
}

static void filter_status(const struct tt_app *app, struct tt_text *text)
{
    const struct tt_filter_stack *f = &app->filters;
    static const char *const before[TT_USE_COUNT] = {"", "not ", "lit "};
    bool first = true;
    for (unsigned i = 0; i < f->count; i++) {
        const struct tt_stacked *s = &f->stack[i];
        if (!tt_stacked_works(s)) {
            continue;
        }
        const char *shown = s->name[0] ? s->name : s->text;
        tt_text_str(text, first ? "" : " & ");
        tt_text_str(text, before[s->use]);
        tt_text_escaped(text, shown, strlen(shown));
        first = false;
    }
    if (!first && f->peek && f->shown) {
        tt_text_str(text, " (all shown)");
    }
}

void tt_find_status(const struct tt_app *app, struct tt_text *text)
{
    if (app->find.search.finding && (app->find.search.lit || tt_find_going(app))) {
        search_status(app, text);
    } else {
        filter_status(app, text);
    }
}
