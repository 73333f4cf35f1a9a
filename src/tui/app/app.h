/* SPDX-License-Identifier: Apache-2.0 */
/*
 * app: the workspace with all around it: the files, the views' states, the prompt, the session; and
 * where each key goes. Nothing here uses a terminal: keys come in by tt_app_key, tt_app_draw draws
 * the grid, and what only a terminal can do is left in ws.term.requests for the event loop.
 *
 *      key --> prompt, if open --> a mark's letter, if awaited --> keymap --> overlay or view
 *          --> common actions
 *
 * Keys act on the layout: rows, windows, columns. It is computed before a key acts if something was
 * done since, so keys that come in faster than frames do what they would have done one by one.
 * Drawing reads it and changes nothing. One thread.
 */
#ifndef TRACETUI_TUI_APP_APP_H
#define TRACETUI_TUI_APP_APP_H

#include "tui/app/export.h"
#include "tui/app/options.h"
#include "tui/app/prompt.h"
#include "tui/app/session.h"
#include "tui/app/view.h"

#define TT_LEAST_WIDTH  40
#define TT_LEAST_HEIGHT 10

/* The captures: those of the options, and those that were opened since. */
struct tt_files {
    char **paths;
    size_t path_count;
    size_t path;             /* which of them is shown */
    const char *failed_path; /* of the capture that could not be opened */
    bool keeps_index;        /* of captures that are opened from now on */
    bool opened_once;        /* the first capture is open, or failed */
    bool damaged;            /* a capture that was shown */
};

struct tt_app {
    const struct tt_tui_options *options;
    struct tt_workspace ws;
    struct tt_files files;
    void *view_states[TT_VIEW_COUNT];
    void *overlay_states[TT_OVERLAY_COUNT];
    bool stale;          /* something was done since the last layout */
    enum tt_do awaiting; /* TT_DO_MARK, TT_DO_MARK_GOTO: the next key is a letter */
    struct tt_prompt prompt;
    struct tt_exporting writing;
    struct tt_session session;
    bool keeps_session;
    char *script; /* played once the index is complete, or NULL */
};

/* ---- life --------------------------------------------------------------------------------- */

/* Opens the first capture; `notify` wakes the loop, NULL: index here and now. */
struct tt_status tt_app_open(struct tt_app *app, const struct tt_tui_options *options, bool ascii,
                             void (*notify)(void *arg));
void tt_app_close(struct tt_app *app);

/* Opens the next or previous usable file; stays, with a message, if none is. */
void tt_app_switch_file(struct tt_app *app, bool next);
/* Opens a file after the others and shows it; stays, with a message, if it is of no use. */
void tt_app_open_file(struct tt_app *app, const char *path);

/*
 * Reopens the capture that is shown, as it is now. `same`: its places are still good. On failure
 * all stays as it is.
 */
struct tt_status tt_app_reopen(struct tt_app *app, bool same);
/* Rebuilds the index if the index cache that is shown was cut short; whether it did. */
bool tt_app_mend(struct tt_app *app);

/* Takes what the index and the filters have published since. True if a frame may change. */
bool tt_app_update(struct tt_app *app);
/* Is there a search or the writing of a file to continue? */
bool tt_app_working(const struct tt_app *app);
/* Continues with it for about `budget_ns`; true when it ended. */
bool tt_app_work(struct tt_app *app, uint64_t budget_ns);
/* Continues with what the view's frame lacks; true when it lacks nothing. */
bool tt_app_complete(struct tt_app *app, uint64_t budget_ns);

/*
 * Is all known that the next key may act on, as of the last layout? A key that does not wait for it
 * acts on what there is so far.
 */
bool tt_app_settled(const struct tt_app *app);

/* ---- keys and screen ---------------------------------------------------------------------- */

void tt_app_key(struct tt_app *app, uint32_t key);
void tt_app_click(struct tt_app *app, int x, int y);
/* Handles an action: by the overlay or view that is shown, else as a common one. */
void tt_app_act(struct tt_app *app, enum tt_do action);
/* Is the action valid in what is shown? */
bool tt_app_has(const struct tt_app *app, enum tt_do action);
/* What the last line offers, see struct tt_view. */
const enum tt_do *tt_app_footer(const struct tt_app *app);

/* Lays out what is shown if something was done since: what acts next finds what a frame shows. */
void tt_app_layout(struct tt_app *app);
/* Lays all out and draws it into ws.term.grid at its size. */
void tt_app_draw(struct tt_app *app);

#endif
