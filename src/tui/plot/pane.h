/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plot/pane: a pane with a plot of a number: the request, its computation, keys and drawing.
 *
 *      -- sch delay of sensor/1: over time ------------------ x linear
 *      1.524 us |    .                  .                     a dot per sample
 *               |  .   .  ..   .    .   .
 *             0 +-----+-----------+-----------+---
 *                   0.010       0.020       0.030 s
 *      0.0123 s: 2 samples, longest 1.524 us                  the cursor's column
 *
 * The cursor is that of the lanes (ws->nav.viewport.at). The view that has the pane requests a plot
 * in its layout, and continues it in its work. It owns the pane; one thread.
 */
#ifndef TRACETUI_TUI_PLOT_PANE_H
#define TRACETUI_TUI_PLOT_PANE_H

#include <stdio.h>

#include "analysis/plot/plot.h"
#include "tui/input/actions.h"
#include "tui/model/workspace.h"

struct tt_plot_pane {
    bool open;
    bool large; /* takes all lines of the view but a few */
    bool has_kind;
    enum tt_plot_kind kind; /* chosen by the user, if the number has it */
    enum tt_plot_scale scale;
    bool follows; /* the user moved the cursor in this plot */
    /* The current plot. */
    struct tt_plot *plot; /* NULL: no request, or out of memory */
    struct tt_plot_request asked;
    unsigned kinds;   /* those of its number, one bit each */
    uint64_t version; /* of the numbers it was computed from */
    bool failed;
    int width, height; /* of its area */
};

/* Lines of the help on the pane; ends with NULL. */
extern const char *const tt_plot_about[];

void tt_plot_pane_free(struct tt_plot_pane *pane);
/* Drops the plot, whose sheet or list is about to change. */
void tt_plot_pane_drop(struct tt_plot_pane *pane);
/* Returns how many of `lines` the pane takes, of which it leaves at least `kept`; 0: closed. */
int tt_plot_pane_height(const struct tt_plot_pane *pane, int lines, int kept);
/*
 * Requests a plot for an area; a no-op if it is current. `request` has subject, sheet, column, row,
 * list or source; the pane sets the rest. Drop the plot first if the row is another one. `kinds`: one bit per possible kind; `version` changes with the numbers.
 */
void tt_plot_pane_ask(struct tt_plot_pane *pane, const struct tt_workspace *ws,
                      const struct tt_plot_request *request, unsigned kinds, uint64_t version,
                      int width, int height);
/* Continues for about `budget_ns`; true when it is complete or there is none. */
bool tt_plot_pane_work(struct tt_plot_pane *pane, uint64_t budget_ns);
/* Draws title, plot, axes and the cursor's values. `title`: the subject of the plot. */
void tt_plot_pane_draw(const struct tt_plot_pane *pane, const struct tt_workspace *ws,
                       const char *title, struct tt_area area);
/* Handles an action of the pane; false if it has another meaning. */
bool tt_plot_pane_act(struct tt_plot_pane *pane, struct tt_workspace *ws, enum tt_do action);
/* Moves the cursor to a column of the pane's area; false if the plot has no time axis. */
bool tt_plot_pane_click(struct tt_plot_pane *pane, struct tt_workspace *ws, int x);
/*
 * Goes to the place at the cursor, if the user moved it there: the longest sample of its column, or
 * the time. Returns false if there is none.
 */
bool tt_plot_pane_go(struct tt_plot_pane *pane, struct tt_workspace *ws);
/* Writes the plot as CSV and its number of lines to `what`. */
struct tt_status tt_plot_pane_write(const struct tt_plot_pane *pane, FILE *file,
                                    struct tt_text *what);

/* Width of the labels left of a plot, and the lines that are not the plot. */
#define TT_PLOT_GUTTER 11
#define TT_PLOT_FRAME  4

/* The drawing, in draw.c. */
void tt_plot_draw(const struct tt_plot *plot, const struct tt_workspace *ws, bool cursor,
                  struct tt_area area);
/* Appends a value of the plot with its unit: "1.5 us", "12.5 %", "3,400". */
void tt_plot_value(const struct tt_plot *plot, const struct tt_workspace *ws, uint64_t value,
                   struct tt_text *text);

#endif
