/* SPDX-License-Identifier: Apache-2.0 */
/* match_nav: moves from match to match as soon as the next one is known, and reports on it. */
#include "tui/model/match_nav.h"

#include <string.h>

#include "tui/draw/units.h"
#include "tui/model/workspace.h"

/* Milliseconds between two updates without a notification. */
#define SOON_MS 10

struct tt_filter_target tt_find_target(const struct tt_workspace *ws)
{
    return (struct tt_filter_target){ws->opened.trace, ws->opened.events, ws->index.notify,
                                     ws->nav.cursor.row, ws->index.progress.finished};
}

const struct tt_row_set *tt_find_matches(const struct tt_filters *filters)
{
    const struct tt_event_scan_state *search = &filters->find.search;
    if (!search->run) {
        return NULL;
    }
    return search->matches ? search->matches : tt_filter_run_rows(search->run);
}

bool tt_find_pending(const struct tt_filters *filters)
{
    return filters->find.search.wanted != 0;
}

bool tt_find_settled(const struct tt_workspace *ws)
{
    /* While the capture grows, more matches keep coming. */
    bool run = ws->index.progress.finished &&
               (ws->filters.find.more || tt_filter_stack_busy(&ws->filters.stack));
    return !tt_find_pending(&ws->filters) && !run;
}

enum outcome { FOUND, FOUND_WRAPPED, NO_MATCH, UNDECIDED };

static enum outcome match_nav_find_match(const struct tt_row_set *set, uint64_t here, bool forward,
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
    /* Wraps to the first match from the other end; the set is complete and has none on this side. */
    uint64_t count = tt_row_set_count(set);
    if (!tt_row_set_whole(set)) {
        return UNDECIDED;
    }
    if (count == 0) {
        return NO_MATCH;
    }
    *row = tt_row_set_select(set, forward ? 0 : count - 1);
    return FOUND_WRAPPED;
}

static void match_nav_go(struct tt_workspace *ws, uint64_t row, bool silent)
{
    struct tt_event event;
    if (silent) {
        tt_nav_go_row(ws, row);
        return;
    }
    if (!tt_view_names(ws->nav.view)->by_time && ws->nav.view != TT_VIEW_EVENTS) {
        tt_nav_show(&ws->nav, TT_VIEW_EVENTS);
    }
    if (tt_events_read(ws->opened.events, row, 1, &event) == 1) {
        tt_nav_jump(ws, event.ticks, event.pos);
    }
}

/* Moves by one match; false while the next match is not known. */
static bool go_once(struct tt_workspace *ws, const struct tt_row_set *set)
{
    struct tt_event_scan_state *search = &ws->filters.find.search;
    bool forward = search->wanted > 0;
    uint64_t row = UINT64_MAX;
    uint64_t here = tt_events_row_at_key(ws->opened.events, search->from.ticks, search->from.pos);
    enum outcome outcome = match_nav_find_match(set, here, forward, &row);
    if (outcome == UNDECIDED) {
        return false;
    }
    search->wanted -= forward ? 1 : -1;
    if (outcome == NO_MATCH) {
        search->wanted = 0;
        if (!search->silent) {
            tt_message_set(&ws->message, TT_ROLE_WARNING, "no match%s",
                           ws->index.progress.finished ? "" : " in the events indexed so far");
        }
        return true;
    }
    match_nav_go(ws, row, search->silent);
    search->from = ws->nav.cursor.event;
    if (outcome == FOUND_WRAPPED && !search->silent) {
        tt_message_set(&ws->message, TT_ROLE_WARNING,
                       forward ? "search wrapped to the first match"
                               : "search wrapped to the last match");
    }
    return true;
}

bool tt_find_go(struct tt_workspace *ws)
{
    const struct tt_row_set *set = tt_find_matches(&ws->filters);
    bool went = false;
    while (ws->filters.find.search.wanted != 0 && set && go_once(ws, set)) {
        went = true;
        if (ws->filters.find.search.wanted != 0 && ws->host.pass) {
            ws->host.pass(ws->host.app);
        }
    }
    return went;
}

int tt_find_timeout(const struct tt_filters *filters)
{
    return filters->find.more || filters->find.pending ? SOON_MS : -1;
}

void tt_find_peek(struct tt_workspace *ws)
{
    struct tt_filter_stack *stack = &ws->filters.stack;
    if (!stack->shown) {
        tt_message_set(&ws->message, TT_ROLE_WARNING, "nothing is filtered out");
        return;
    }
    stack->peek = !stack->peek;
    tt_message_set(&ws->message, TT_ROLE_STATUS,
                   stack->peek ? "filtered-out events shown dim" : "filtered-out events hidden");
}

bool tt_find_stop_search(struct tt_workspace *ws)
{
    bool going = tt_find_pending(&ws->filters);
    if (going) {
        ws->filters.find.search.wanted = 0;
        tt_message_set(&ws->message, TT_ROLE_STATUS, "search stopped");
    }
    return going;
}

bool tt_find_stop(struct tt_workspace *ws)
{
    struct tt_event_scan_state *search = &ws->filters.find.search;
    bool counting = search->run && tt_filter_run_busy(search->run);
    if (!tt_filter_stack_stop(&ws->filters.stack) && !counting) {
        return false;
    }
    if (counting) {
        tt_filter_run_stop(search->run);
    }
    tt_message_set(&ws->message, TT_ROLE_STATUS, "stopped; the matches so far remain");
    return true;
}

bool tt_find_clear_highlight(struct tt_filters *filters)
{
    struct tt_event_scan_state *search = &filters->find.search;
    bool were_highlighted = search->run && search->highlighted;
    search->highlighted &= !were_highlighted;
    return were_highlighted;
}

/* ---- status line -------------------------------------------------------------------------- */

static void match_nav_put_percent(struct tt_text *text, uint64_t done, uint64_t all)
{
    tt_text_put(text, " %ju %%", all > 0 ? (uint64_t)((double)done * 100.0 / (double)all) : 100);
}

void tt_find_search_status(const struct tt_workspace *ws, struct tt_text *text)
{
    const struct tt_event_scan_state *search = &ws->filters.find.search;
    if (!search->run || (!search->highlighted && !tt_find_pending(&ws->filters))) {
        return;
    }
    const struct tt_row_set *set = tt_find_matches(&ws->filters);
    uint64_t from, to, row = ws->nav.cursor.row;
    tt_text_char(text, '/');
    tt_text_escaped(text, search->text, strlen(search->text));
    tt_text_str(text, "  ");
    if (tt_find_pending(&ws->filters)) {
        tt_text_str(text, "searching, ");
    } else if (tt_row_set_has(set, row)) {
        tt_row_set_known(set, &from, &to);
        if (from == 0) {
            tt_units_ordinal(text, tt_row_set_rank(set, row) + 1);
            tt_text_str(text, " of ");
        } else {
            tt_text_str(text, "one of ");
        }
    }
    tt_text_put(text, "%'ju%s", tt_row_set_count(set),
                tt_row_set_count(set) == 1 ? " match" : " matches");
    if (!tt_row_set_whole(set)) {
        tt_row_set_known(set, &from, &to);
        tt_text_str(text, " so far,");
        match_nav_put_percent(text, to - from, tt_row_set_rows(set));
    }
}

void tt_find_filter_status(const struct tt_workspace *ws, struct tt_text *text)
{
    const struct tt_filter_stack *stack = &ws->filters.stack;
    static const char *const before[TT_USE_COUNT] = {"", "not ", "lit "};
    bool first = true;
    for (unsigned i = 0; i < stack->count; i++) {
        const struct tt_filter_entry *entry = &stack->stack[i];
        if (!tt_filter_entry_active(entry)) {
            continue;
        }
        const char *shown = entry->name[0] ? entry->name : entry->text;
        tt_text_put(text, "%s%s", first ? "" : " & ", before[entry->use]);
        tt_text_escaped(text, shown, strlen(shown));
        first = false;
    }
    if (!first && stack->peek && stack->shown) {
        tt_text_str(text, " (all shown)");
    }
}
