/* SPDX-License-Identifier: Apache-2.0 */
/*
 * match_nav: the search that is typed at the prompt: its matches, and going from match to match
 * among what is shown, as soon as it is known where the next one is, once round the end.
 *
 * A search is a filter that hides nothing. The screen's thread only.
 */
#ifndef TRACETUI_TUI_MODEL_MATCH_NAV_H
#define TRACETUI_TUI_MODEL_MATCH_NAV_H

#include "tui/filter/filter_stack.h"

struct tt_filters;
struct tt_workspace;
struct tt_text;

/* What the open prompt is for, as far as it is for a filter or a search. */
enum tt_asking { TT_ASK_NOTHING, TT_ASK_FILTER, TT_ASK_SEARCH, TT_ASK_NAME };

/* The event that the cursor comes back to. */
struct tt_anchor {
    struct tt_event event;
    bool valid;
};

struct tt_event_scan_state {
    char text[TT_FILTER_TYPED];    /* "": none */
    struct tt_filter_run *finding; /* NULL: none, or not for this capture */
    struct tt_row_set *matches;    /* its rows among those shown; NULL: all its rows */
    uint64_t matches_sum;
    bool lit;             /* matches are lit */
    int wanted;           /* matches to go further, below 0: back; 0: none is looked for */
    struct tt_event from; /* from this event on */
    bool silent;          /* no message where it ended: it is being typed */
};

struct tt_find {
    enum tt_asking asking;
    struct tt_anchor anchor;    /* the cursor when the prompt opened */
    bool unread;                /* what was typed last was not run yet */
    bool soon;                  /* there is more to do although nothing notifies */
    char doubt[TT_STATUS_TEXT]; /* why what is typed may not mean what it seems to */
    unsigned named;             /* number of the filter whose name is typed */
    struct tt_event_scan_state search;
    struct tt_event_scan_state search_before; /* while another one is typed */
};

/* What a filter's run needs of the capture. */
struct tt_searched tt_find_in(const struct tt_workspace *ws);
/* The rows that are found and shown; NULL: no search. */
const struct tt_row_set *tt_find_matches(const struct tt_filters *filters);
/* Goes to the match that is wanted if it is known by now; true if the cursor moved. */
bool tt_find_go(struct tt_workspace *ws);
bool tt_find_going(const struct tt_filters *filters);
/* Is all found that was asked for, and shown? */
bool tt_find_settled(const struct tt_workspace *ws);
/* Stops a search that goes on; false if none does. */
bool tt_find_stop_search(struct tt_workspace *ws);
/* Stops the runs of filters and of the search; false if none goes on. */
bool tt_find_stop(struct tt_workspace *ws);
/* Matches are lit no longer; false if none were. */
bool tt_find_unlight(struct tt_filters *filters);
/* Shows what is filtered out, or hides it again. */
void tt_find_peek(struct tt_workspace *ws);
/* Milliseconds after which the runs have to be updated again; -1: when notified. */
int tt_find_patience(const struct tt_filters *filters);
/* Writes what the status line shows of search and filters; nothing if there are none. */
void tt_find_status(const struct tt_workspace *ws, struct tt_text *text);

#endif
