/* SPDX-License-Identifier: Apache-2.0 */
/*
 * filter_prompt: the prompts for filters and searches, and the way from match to match.
 *
 *      f /  --> text, checked while it is typed --> a filter of the stack, or the search
 *      n N  --> the next match among the shown rows, once it is known; wraps at the end
 *
 * A search is a filter that hides nothing. Screen thread only.
 */
#ifndef TRACETUI_TUI_APP_FILTER_PROMPT_H
#define TRACETUI_TUI_APP_FILTER_PROMPT_H

#include "tui/model/match_nav.h"

struct tt_app;
struct tt_completion;
struct tt_text;

/* ---- prompts ------------------------------------------------------------------------------ */

/* Opens the prompt for filter `number` of the stack (count: a new one), with its text or empty. */
void tt_find_prompt_filter(struct tt_app *app, unsigned number, enum tt_use use, bool empty);
/* Opens the prompt for the filter that the filter key edits. */
void tt_find_prompt_quick(struct tt_app *app, bool empty);
void tt_find_prompt_search(struct tt_app *app);
void tt_find_prompt_name(struct tt_app *app, unsigned number);
/* Offers completions at byte `caret` of a filter's text; `app` is a struct tt_app. */
void tt_find_complete(void *app, const char *text, size_t caret, struct tt_completion *out);

/* ---- updates ----------------------------------------------------------------------------- */

/* Continues filters and search. Returns true if the frame may have changed. */
bool tt_find_update(struct tt_app *app);
/* Waits until all results are known, for keys that the user does not type. */
void tt_find_settle(struct tt_app *app);
/* Detaches from the capture before it is closed; attaches to the next one. */
void tt_find_detach(struct tt_app *app);
void tt_find_attach(struct tt_app *app);
/* Applies `filter` as if it had been typed; NULL: does nothing. */
struct tt_status tt_find_begin(struct tt_app *app, const char *filter);

/* ---- searching ---------------------------------------------------------------------------- */

/* Adds a filter of what the cursor is on, which the way back undoes. */
void tt_find_add_brief(struct tt_app *app, enum tt_use use, const char *text);
/* Goes to the next or the previous match. */
void tt_find_next(struct tt_app *app, bool forward);

#endif
