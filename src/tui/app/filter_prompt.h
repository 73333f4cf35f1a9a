/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_prompt: what is typed at the prompts of filters and of searches, and going from match to
 * match.
 *
 *      f /  --> text, checked while it is typed --> a filter of the stack, or the search
 *      n N  --> the next match among what is shown, as soon as it is known, once round the end
 *
 * A search is a filter that hides nothing. The thread of the screen alone.
 */
#ifndef TRACETUI_TUI_APP_FILTER_PROMPT_H
#define TRACETUI_TUI_APP_FILTER_PROMPT_H

#include "tui/model/match_nav.h"

struct tt_app;
struct tt_completion;
struct tt_text;

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

/* Goes on with filters and search. True when the picture may have changed. */
bool tt_find_update(struct tt_app *app);
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

#endif
