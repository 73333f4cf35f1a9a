/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match_nav: the search typed at the prompt: its matches, and moving from match to match among the
 * shown events. A move completes as soon as the next match is known; it wraps around the end.
 *
 * A search is a filter that hides nothing. Only the UI thread uses it.
 */
#ifndef TRACETUI_TUI_MODEL_MATCH_NAV_H
#define TRACETUI_TUI_MODEL_MATCH_NAV_H

#include "tui/filter/filter_stack.h"

struct tt_filters;
struct tt_workspace;
struct tt_text;

/* The purpose of the open prompt, if it is for a filter or a search. */
enum tt_find_prompt {
    TT_FIND_PROMPT_NONE,
    TT_FIND_PROMPT_FILTER,
    TT_FIND_PROMPT_SEARCH,
    TT_FIND_PROMPT_NAME
};

/* The event that the cursor returns to. */
struct tt_anchor {
    struct tt_event event;
    bool valid;
};

struct tt_event_scan_state {
    char text[TT_FILTER_TYPED]; /* "": none */
    struct tt_filter_run *run;  /* NULL: none, or invalid for this capture */
    struct tt_row_set *matches; /* matching rows among those shown; NULL: all matching rows */
    uint64_t matches_sum;
    bool highlighted; /* matches are highlighted */
    int wanted;       /* matches left to move forward, negative: backward; 0: no move is pending */
    struct tt_event from; /* the event that the move starts at */
    bool silent;          /* no message at the end: the search is still being typed */
};

struct tt_find {
    enum tt_find_prompt prompt;
    struct tt_anchor anchor; /* the cursor when the prompt opened */
    bool pending;            /* the last text typed has not been run yet */
    bool more;               /* there is more to do without a notification */
    unsigned named;          /* index of the filter whose name is typed */
    struct tt_event_scan_state search;
    struct tt_event_scan_state search_before; /* the previous search while another one is typed */
};

/* Returns the capture and the position for a filter's run. */
struct tt_filter_target tt_find_target(const struct tt_workspace *ws);
/* Returns the rows found and shown; NULL: no search. */
const struct tt_row_set *tt_find_matches(const struct tt_filters *filters);
/* Moves to the pending match if it is known by now; true if the cursor moved. */
bool tt_find_go(struct tt_workspace *ws);
bool tt_find_pending(const struct tt_filters *filters);
/* Returns whether all filters and the search are complete and shown. */
bool tt_find_settled(const struct tt_workspace *ws);
/* Stops a running search; false if none runs. */
bool tt_find_stop_search(struct tt_workspace *ws);
/* Stops the runs of the filters and of the search; false if none is active. */
bool tt_find_stop(struct tt_workspace *ws);
/* Removes the highlight of the matches; false if there was none. */
bool tt_find_clear_highlight(struct tt_filters *filters);
/* Shows the hidden events, or hides them again. */
void tt_find_peek(struct tt_workspace *ws);
/* Returns the milliseconds until the runs need an update; -1: wait for a notification. */
int tt_find_timeout(const struct tt_filters *filters);
/* Append the status line's text about the search, and the active filters; nothing without any. */
void tt_find_search_status(const struct tt_workspace *ws, struct tt_text *text);
void tt_find_filter_status(const struct tt_workspace *ws, struct tt_text *text);

#endif
