/* SPDX-License-Identifier: Apache-2.0 */
/*
 * view: the interface of views and overlays: one const table each, `tt_view_NAME` in views/ and
 * `tt_overlay_NAME` in panes/, listed in input/view_list.h. `open` allocates the state, `close`
 * frees it. Members may be NULL, except draw. One thread.
 */
#ifndef TRACETUI_TUI_APP_VIEW_H
#define TRACETUI_TUI_APP_VIEW_H

#include <stdio.h>

#include "tui/input/completion.h"
#include "tui/list/list.h"
#include "tui/list/rows.h"
#include "tui/model/members.h"
#include "tui/model/workspace.h"

/* A movement of the mouse with its first button pressed. */
struct tt_drag {
    int from_x, from_y; /* of the press, in the view's area */
    int x, y;           /* of the pointer, maybe outside the area */
    bool sideways;      /* the pointer has left the column of the press since */
};

/* A pane open inside a view; its keys take precedence over the view's. */
struct tt_view_pane {
    unsigned context; /* context of its keys */
    const enum tt_do *footer;
    const char *const *about; /* as of a view */
};

/* A verb as a view carries it out: its word in the footer, and its help. */
struct tt_verb {
    enum tt_do action; /* TT_DO_NOTHING: the end of the list */
    const char *footer;
    const char *help;
};

/* Rows of a table that are written in parts. */
struct tt_write_part {
    uint64_t at, end;
    unsigned version; /* of the rows, for the view */
};

struct tt_view {
    /* Lines of the help on what the view shows, and its legend: "{ready}" is the glyph; ends NULL. */
    const char *const *about;
    /* Appends a sentence on what is selected, with which the help begins; NULL: none. */
    void (*describe)(const struct tt_workspace *ws, const void *state, struct tt_text *text);
    /* Actions in the footer: most useful first, the one to leave last; ends with TT_DO_NOTHING. */
    const enum tt_do *footer;
    /* Words for the verbs, where those of the table of the actions are too general; NULL: none. */
    const struct tt_verb *verbs;
    /* Of an overlay: it covers the view, which is then neither laid out nor drawn. */
    bool covers;
    /* The panes that it can open, for the help; ends with NULL. */
    const struct tt_view_pane *const *panes;
    /* Returns the open pane, or NULL. */
    const struct tt_view_pane *(*pane)(const void *state);
    /*
     * The bytes of the state, which is zeroed at first, and freed after `close`; 0: `open` allocates it,
     * and returns NULL when out of memory. With neither the state is NULL.
     */
    size_t state_size;
    void *(*open)(void);
    void (*close)(void *state);
    /* Prepares an overlay that is opened by its key, over the view or pane that had the keys. */
    void (*enter)(const struct tt_workspace *ws, void *state, const struct tt_view *below,
                  const void *below_state);
    /*
     * Carries out the command that opens the pane, ":measure TEXT". `*result`: the argument that makes
     * what it shows again, or NULL if that has not changed. On an error the pane is not shown.
     */
    struct tt_status (*begin)(struct tt_workspace *ws, void *state, const char *text,
                              const char **result);
    /* Offers completions at the caret of a text, in which the argument of its command is at `from`. */
    void (*complete)(const struct tt_workspace *ws, const char *text, size_t from, size_t caret,
                     struct tt_completion *out);
    /* Drops what belongs to the open capture, before it is closed. */
    void (*drop)(struct tt_workspace *ws, void *state);
    /*
     * Computes the layout of an area: rows, windows, columns, scroll positions. Keys act on it.
     * Reads and moves the places in the workspace; costs at most O(lines + changed rows).
     */
    void (*layout)(struct tt_workspace *ws, void *state, struct tt_area area);
    /*
     * Computes the content of the frame; optional parts only within the frame's time budget
     * (tt_term_share). Returns true if rows were added and the layout is stale.
     */
    bool (*fill)(struct tt_workspace *ws, void *state);
    /* Draws the results of `layout` and `fill` for the same area. */
    void (*draw)(const struct tt_workspace *ws, const void *state, struct tt_area area);
    /* Its list: motion that `act` does not handle, and clicks, move its cursor; then `moved` is called. */
    struct tt_list *(*list)(void *state);
    /* Of a pane whose list has the rows of a table, and whose state begins with a struct tt_rows; or NULL. */
    const struct tt_rows_of *rows;
    void (*moved)(struct tt_workspace *ws, void *state);
    /* Handles an action; returns false if the view does not handle it. */
    bool (*act)(struct tt_workspace *ws, void *state, enum tt_do action);
    /* Handles a click of the first button at (x, y) of the last layout's area. */
    void (*click)(struct tt_workspace *ws, void *state, int x, int y);
    /* Handles a movement with the first button pressed, after `click`. */
    void (*drag)(struct tt_workspace *ws, void *state, const struct tt_drag *drag);
    /* Zooms by one step at column x of the last layout's area. */
    void (*zoom)(struct tt_workspace *ws, void *state, int x, bool in);
    /* Writes the text that the action `copy` copies; `all`: with every value, as name=value. */
    void (*copy)(struct tt_workspace *ws, void *state, bool all, struct tt_text *text);
    /* Stops counting in progress; returns false if there is none. */
    bool (*stop)(void *state);
    /* Closes the innermost open part of the view; returns false if there is none. */
    bool (*dismiss)(struct tt_workspace *ws, void *state);
    /* Drops the data of the previous capture after another was opened. */
    void (*renew)(void *state);
    /* Continues the work of `fill` for `budget_ns`; returns whether it is complete; with 0, in the last layout. */
    bool (*work)(struct tt_workspace *ws, void *state, uint64_t budget_ns);
    /* Returns true if the rows of the last layout and their order are final. */
    bool (*settled)(const struct tt_workspace *ws, const void *state);
    /* The end of the file name that the action `write` offers, "check.xml"; or a function for it. */
    const char *file;
    void (*name_file)(const void *state, struct tt_text *text);
    /*
     * Writes the table to a file named `path`, in the format of its extension, and the size ("12
     * rows") to `what`.
     */
    struct tt_status (*write)(struct tt_workspace *ws, void *state, FILE *file, const char *path,
                              struct tt_text *what);
    /*
     * Does the same for a table that may be large: writes rows until `until_ns` (tt_now_ns). With
     * part->at 0 it begins and sets part->end; the table is complete when both are equal.
     */
    struct tt_status (*write_part)(struct tt_workspace *ws, void *state, FILE *file,
                                   const char *path, struct tt_write_part *part, uint64_t until_ns);
    /* Shows the part with this name; returns false if there is none. */
    bool (*choose)(void *state, const char *part);
    /* Opens a plot: "times delay_max of sensor/1"; returns false if the view does not have it. */
    bool (*plot)(void *state, const char *text);
    /* Appends the rule that judges the selected number (docs/check.md). TT_ERR_USAGE: there is none. */
    struct tt_status (*rule)(struct tt_workspace *ws, void *state, struct tt_text *text);
    /* Narrows an open list to the lines with a text; `accepted`: the user has finished typing. */
    void (*find)(struct tt_workspace *ws, void *state, const char *text, bool accepted);
    /* Write the view's session lines, "word number number", and read one. */
    void (*remember)(const struct tt_workspace *ws, const void *state, struct tt_text *text);
    void (*recall)(struct tt_workspace *ws, void *state, const char *word, uint64_t a, uint64_t b);
    /*
     * Save and restore the list for a place of the history: its table, order, cursor and scroll
     * position; `spot` is zeroed. The navigation is restored before. Of a pane, the first two numbers are
     * the cursor and the scroll position of its `list`, and those after them its `saved` members.
     */
    const struct tt_member *saved;
    void (*leave)(const struct tt_workspace *ws, const void *state, struct tt_spot *spot);
    void (*resume)(struct tt_workspace *ws, void *state, const struct tt_spot *spot);
};

/* Returns the rows of a view with this state if its list shows them now, or NULL. */
static inline const struct tt_rows_of *tt_view_rows(const struct tt_view *view, const void *state)
{
    return view->rows && (!view->rows->shown || view->rows->shown(state)) ? view->rows : NULL;
}

/* Returns what an action does in a view: its verb, or the words of the table of the actions. */
struct tt_verb tt_view_verb(const struct tt_view *view, enum tt_do action);

/* Indexed by enum tt_view_id and enum tt_overlay_id; tt_overlays[TT_OVERLAY_NONE] is NULL. */
extern const struct tt_view *const tt_views[TT_VIEW_COUNT];
extern const struct tt_view *const tt_overlays[TT_OVERLAY_COUNT];

#endif
