/* SPDX-License-Identifier: Apache-2.0 */
/*
 * find: what is typed at the prompts of filters and of searches, and going from match to match.
 *
 *      f /  --> text, checked while it is typed --> a filter of the stack, or the search
 *      n N  --> the next match among what is shown, as soon as it is known, once round the end
 *
 * A search is a filter that hides nothing. The thread of the screen alone.
 */
#ifndef TRACETUI_TUI_FILTER_FILTER_PROMPT_H
#define TRACETUI_TUI_FILTER_FILTER_PROMPT_H

#include "tui/filter/filter_stack.h"

struct tt_app;
struct tt_completion;
struct tt_text;

/* What the open prompt is for, as far as it is for anything of this. */
enum tt_asking { TT_ASK_NOTHING, TT_ASK_FILTER, TT_ASK_SEARCH, TT_ASK_NAME };

/* An event that one comes back to. */
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
    int wanted;           /* so many matches further, below 0: back; 0: none is looked for */
    struct tt_event from; /* from this event on */
    bool silent;          /* nothing is said of where it ended: it is being typed */
};

struct tt_find {
    enum tt_asking asking;
    struct tt_anchor anchor;    /* the cursor when the prompt opened */
    bool unread;                /* what was typed last was not run yet */
    bool soon;                  /* there is more to do although nobody notifies */
    char doubt[TT_STATUS_TEXT]; /* why what is typed may not mean what it seems to */
    unsigned named;             /* number of the filter whose name is typed */
    struct tt_event_scan_state search;
    struct tt_event_scan_state search_before; /* while another one is typed */
};

/* ---- prompts ------------------------------------------------------------------------------ */

/* Opens the prompt for a filter of the stack (count: a new one), with its text or empty. */
void tt_find_ask_filter(struct tt_app *app, unsigned number, enum tt_use use, bool empty);
/* The same for the one that the filter's key is about. */
void tt_find_ask_quick(struct tt_app *app, bool empty);
void tt_find_ask_search(struct tt_app *app);
void tt_find_ask_name(struct tt_app *app, unsigned number);
/* Offers what could stand at byte `caret` of a filter's text; `app` is the app. */
void tt_find_complete(void *app, const char *text, size_t caret, struct tt_completion *out);

/* ---- going on ----------------------------------------------------------------------------- */

struct tt_searched tt_find_in(const struct tt_app *app);
/* Goes on with filters and search. True when the picture may have changed. */
bool tt_find_update(struct tt_app *app);
/* Milliseconds after which it has to be called again; -1: when it is notified. */
int tt_find_patience(const struct tt_app *app);
/* Waits until all is known, for keys that are not typed by a person. */
void tt_find_settle(struct tt_app *app);
/* The capture is being closed; another one is open. */
void tt_find_detach(struct tt_app *app);
void tt_find_attach(struct tt_app *app);
/* Shows only what matches `filter`, as if it had been typed; NULL is nothing. */
struct tt_status tt_find_begin(struct tt_app *app, const char *filter);

/* ---- searching ---------------------------------------------------------------------------- */

/* Goes to the next or the previous match. */
void tt_find_next(struct tt_app *app, bool forward);
/* Goes there if it is known by now where it is; true if that came to an end. */
bool tt_find_go(struct tt_app *app);
bool tt_find_going(const struct tt_app *app);
/* Is all found that was asked for, and shown? */
bool tt_find_settled(const struct tt_app *app);
/* Stops a search that goes on; false if none does. */
bool tt_find_stop_search(struct tt_app *app);
/* Stops what is found behind the keys, for filters and for matches; false if nothing is. */
bool tt_find_stop(struct tt_app *app);
/* Matches are lit no longer; false if none were. */
bool tt_find_unlight(struct tt_app *app);
/* The rows that are found and shown; NULL: no search. */
const struct tt_row_set *tt_find_matches(const struct tt_app *app);
/* Shows what is filtered out, or hides it again. */
void tt_find_peek(struct tt_app *app);
/* What the status line says of search and filters; nothing if there are none. */
void tt_find_status(const struct tt_app *app, struct tt_text *text);

#endif
