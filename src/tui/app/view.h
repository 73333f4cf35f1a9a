/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view: what a view or an overlay is: one const table each, `tt_view_NAME` in views/ and
 * `tt_overlay_NAME` in overlays/, listed in input/view_list.h. Its state is made by `open` and
 * freed by `close`. Members may be NULL, except draw. One thread.
 */
#ifndef TRACETUI_TUI_APP_VIEW_H
#define TRACETUI_TUI_APP_VIEW_H

#include <stdio.h>

#include "tui/model/workspace.h"

struct tt_app;

/* Something open inside a view, whose keys come before the view's. */
struct tt_view_pane {
    unsigned context; /* of its keys */
    const enum tt_do *footer;
};

struct tt_view {
    /* What the last line offers: most useful first, the way out last; ended by TT_DO_NOTHING. */
    const enum tt_do *footer;
    /* The pane that is open; NULL: none is. */
    const struct tt_view_pane *(*pane)(const void *state);
    /* Makes the state; NULL when out of memory. Without `open` the state is NULL. */
    void *(*open)(void);
    void (*close)(void *state);
    /*
     * Computes what is shown in an area: rows, windows, columns, what is scrolled. Keys act on
     * that. It reads and moves the places in the workspace; costs no more than O(lines + rows
     * that changed).
     */
    void (*layout)(struct tt_workspace *ws, void *state, struct tt_area area);
    /*
     * Works out what a frame of the layout contains; what may come later only as far as the frame
     * has time (tt_term_share). True: rows came, the layout is stale.
     */
    bool (*fill)(struct tt_workspace *ws, void *state);
    /* Draws what `layout` and `fill` have computed for the same area. */
    void (*draw)(const struct tt_workspace *ws, const void *state, struct tt_area area);
    /* Handles an action; false if it is not handled. */
    bool (*act)(struct tt_app *app, void *state, enum tt_do action);
    /* Handles the first button at (x, y) of the area of the last layout. */
    void (*click)(struct tt_workspace *ws, void *state, int x, int y);
    /* Writes the line that `copy` copies. */
    void (*copy)(struct tt_workspace *ws, void *state, struct tt_text *text);
    /* Stops what is counted; false if nothing is. */
    bool (*stop)(void *state);
    /* Closes what is open inside it; false if nothing was. */
    bool (*shut)(struct tt_workspace *ws, void *state);
    /* Another capture was opened: drops what was kept of the last one. */
    void (*renew)(void *state);
    /* Continues for about `budget_ns` with what `fill` left; true when nothing is left. */
    bool (*work)(struct tt_workspace *ws, void *state, uint64_t budget_ns);
    /* Are the rows and their order, as of the last layout, those that were asked for? */
    bool (*settled)(const struct tt_workspace *ws, const void *state);
    /* Writes its table to a file, and what it was ("12 rows") to `what`. */
    struct tt_status (*write)(struct tt_workspace *ws, void *state, FILE *file,
                              struct tt_text *what);
    /* Shows the part of it that has this name; false if there is none. */
    bool (*choose)(void *state, const char *part);
    /* Writes lines "word number number" of what a session keeps of it, and reads one. */
    void (*remember)(const struct tt_workspace *ws, const void *state, struct tt_text *text);
    void (*recall)(struct tt_workspace *ws, void *state, const char *word, uint64_t a, uint64_t b);
};

/* By enum tt_view_id and enum tt_overlay_id; tt_overlays[TT_OVERLAY_NONE] is NULL. */
extern const struct tt_view *const tt_views[TT_VIEW_COUNT];
extern const struct tt_view *const tt_overlays[TT_OVERLAY_COUNT];

#endif
