/* SPDX-License-Identifier: Apache-2.0 */
/*
 * app: holds the workspace, the list of files, the view states, the prompt and the session, and
 * dispatches each key. Nothing here uses a terminal: tt_app_key takes the keys, tt_app_draw fills
 * the grid, and requests to the terminal are left in ws.term.requests for the event loop.
 *
 *      key --> prompt, if open --> mark letter, if awaited --> keymap --> overlay or view
 *          --> common actions
 *
 * Keys act on the layout: rows, windows, columns. A stale layout is computed again before a key
 * acts, so keys that arrive faster than frames have the same effect as keys typed one by one.
 * Drawing only reads the layout. One thread.
 */
#ifndef TRACETUI_TUI_APP_APP_H
#define TRACETUI_TUI_APP_APP_H

#include "tui/app/export.h"
#include "tui/app/options.h"
#include "tui/app/prompt.h"
#include "tui/app/session.h"
#include "tui/app/view.h"
#include "tui/list/find.h"
#include "tui/term/mouse.h"

#define TT_LEAST_WIDTH  40
#define TT_LEAST_HEIGHT 10

/* The captures from the options, then those opened later. */
struct tt_files {
    char **paths;
    size_t path_count;
    size_t path;              /* index of the capture shown */
    const char *failed_path;  /* path of the capture that failed to open, or of `failure` */
    struct tt_status failure; /* of the first incomplete index */
    bool keeps_index;         /* write an index cache for captures opened from now on */
    bool opened_once;         /* the first capture was opened, or failed to open */
    struct tt_status damage;  /* of the first capture shown that is damaged */
};

struct tt_app {
    const struct tt_tui_options *options;
    struct tt_workspace ws;
    struct tt_files files;
    void *view_states[TT_VIEW_COUNT];
    void *overlay_states[TT_OVERLAY_COUNT];
    bool asks_to_quit;  /* the last key opened the question about losing events, see tt_app_quit */
    bool asked_to_quit; /* the key before this one did */
    bool chooses_view;  /* the capture chooses the first view */
    bool stale;         /* the layout must be computed again */
    bool is_whole;      /* the last frame has all its parts */
    uint64_t laid_out_from, laid_out_to; /* the visible time range of the last layout */
    bool bang;                           /* the command that runs was typed with ! */
    enum tt_do awaiting; /* TT_DO_MARK, TT_DO_MARK_GOTO, TT_DO_ASK: the next key is a letter */
    struct tt_drag drag; /* the mouse since the last press; x and y of the screen */
    struct tt_prompt prompt;
    struct tt_list_search list_search; /* the last one */
    struct tt_export writing;
    struct tt_session session;
    bool keeps_session;
    uint32_t set_settings;         /* settings changed by commands, a bit per number */
    uint8_t set_keys[TT_DO_COUNT]; /* actions that :map gave a key (2) or took one from (1) */
    bool mapped;                   /* there is one */
    char *script;                  /* played once the index is complete, or NULL */
    struct tt_status failure;      /* of a picture that a script draws */
};

/* ---- opening and closing ------------------------------------------------------------------- */

/* Opens the first capture. `notify` wakes the event loop; if NULL, indexes before returning. */
struct tt_status tt_app_open(struct tt_app *app, const struct tt_tui_options *options, bool ascii,
                             void (*notify)(void *arg));
void tt_app_close(struct tt_app *app);

/* Opens the next or previous usable file. If there is none, only shows a message. */
void tt_app_switch_file(struct tt_app *app, bool next);
/* Appends a file to the list and shows it. If it is unusable, only shows a message. */
void tt_app_open_file(struct tt_app *app, const char *path);
/* Shows a file of the list by its number; returns false, with a message, if it is unusable. */
bool tt_app_show_numbered(struct tt_app *app, size_t file);

/* Reopens the current capture from its file. `same`: positions stay valid. On failure nothing changes. */
struct tt_status tt_app_reopen(struct tt_app *app, bool same);
/* Rebuilds the index if the index cache in use was truncated; returns true if it did. */
bool tt_app_repair(struct tt_app *app);

/* Applies new results of the indexer and the filters. Returns true if the frame may change. */
bool tt_app_update(struct tt_app *app);
/* Returns true while a search or the writing of a file is in progress. */
bool tt_app_working(const struct tt_app *app);
/* Continues that work for about `budget_ns`; returns true when it ended. */
bool tt_app_work(struct tt_app *app, uint64_t budget_ns);
/* Computes missing parts of the view's frame; returns true when it is complete. */
bool tt_app_complete(struct tt_app *app, uint64_t budget_ns);

/*
 * Returns true if everything the next key may act on is known, as of the last layout. A key that
 * does not wait for this acts on the results so far.
 */
bool tt_app_settled(const struct tt_app *app);

/* ---- keys and screen ---------------------------------------------------------------------- */

void tt_app_key(struct tt_app *app, uint32_t key);
/* Handles the mouse: presses, drags, double clicks (as Enter) and the wheel. */
void tt_app_mouse(struct tt_app *app, const struct tt_mouse *mouse);
/* Handles an action: in the current overlay or view, else as a common action. */
void tt_app_act(struct tt_app *app, enum tt_do action);
/* Requests the end of the program; shows a question first if events would be lost. */
void tt_app_quit(struct tt_app *app);
/* Returns the contexts of the keys, as bits. */
unsigned tt_app_contexts(const struct tt_app *app);
/* Appends the rule that judges the number selected in the view or pane shown. TT_ERR_USAGE: there is none. */
struct tt_status tt_app_rule(struct tt_app *app, struct tt_text *text);
/*
 * Returns the view that is laid out and drawn, with its state: an overlay that covers the body, also
 * below another overlay, or else the current view.
 */
const struct tt_view *tt_view_shown(const struct tt_app *app, void **state);
/* Returns the overlay or view that has the keys. */
const struct tt_view *tt_app_front(const struct tt_app *app, void **state);
/* Acts on a movement of the list that has the keys. */
void tt_app_moved(struct tt_app *app);
/* Begin and continue a search in that list for the text searched last; the second returns true at its end. */
void tt_app_find_row(struct tt_app *app, bool forward);
bool tt_app_find_row_step(struct tt_app *app, uint64_t budget_ns);
/* Returns the actions that the footer offers, see struct tt_view. */
const enum tt_do *tt_app_footer(const struct tt_app *app);

/* Scrolls an open prompt and its completion list for the grid's size. */
void tt_frame_layout(struct tt_app *app);
/* Draws header, status line and footer (frame.c), and an open completion list, over the whole grid. */
void tt_frame_draw(const struct tt_app *app, struct tt_area all);
/* Returns the view whose tab is at column x of the header, or TT_VIEW_COUNT. */
enum tt_view_id tt_frame_tab_at(const struct tt_app *app, int x);

/* Computes the layout if it is stale, so that the next action acts on what a frame would show. */
void tt_app_layout(struct tt_app *app);
/* Computes the layout and draws what is known into ws.term.grid at the grid's size; sets is_whole. */
void tt_app_draw(struct tt_app *app);
/*
 * Shows Threads if the view is to be chosen and the capture has scheduling, else Events. Waits for
 * the index of the first events, so that the choice does not depend on time; a capture that grows
 * may have none yet and begins with Events.
 */
void tt_app_choose_view(struct tt_app *app);

#endif
