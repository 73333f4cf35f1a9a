/* SPDX-License-Identifier: Apache-2.0 */
/*
 * align: the state of the Align pane, and its drawing: align.c handles keys and computes the layout and
 * the lanes, align_draw.c draws them. The pane owns its arrays. One thread.
 */
#ifndef TRACETUI_TUI_PANES_ALIGN_H
#define TRACETUI_TUI_PANES_ALIGN_H

#include "tui/lanes/row_cache.h"
#include "tui/panes/align_sides.h"
#include "tui/panes/pane.h"

#define TT_ALIGN_PERCENT_WIDTH 4

struct tt_align_pane {
    struct tt_list list; /* of pairs, which have several lines each */
    struct tt_align_sides sides;
    const char *why; /* nothing can be drawn: the reason */
    int labels, axis, rows, row_lines, status;
    int name_width, gutter, columns;
    bool by_capture; /* all lanes of A, then those of B */
    uint64_t *edges[2];
    unsigned room;
    struct tt_thread_cell *sums;
    struct tt_lane_cache caches[2];
    uint32_t *order; /* indexes of pairs, as they are shown */
    size_t order_room;
    const struct tt_thread_pair *ordered; /* the pairs that `order` is of */
    const struct tt_comparison *judged;   /* the comparison that it uses, and its version */
    unsigned version;
    size_t changed;     /* number of pairs that changed; they come first */
    bool of_b;          /* Enter went to A: the next one goes to B */
    bool laid_out;      /* with all that is known in the end */
    bool awaited, to_b; /* Enter opened a capture, which is being indexed */
};

/* Returns a pair in the order of the pane, or NULL. */
const struct tt_thread_pair *tt_align_pair_at(const struct tt_align_pane *pane, size_t index);
/* Returns the number of pairs on the screen. */
size_t tt_align_pairs_shown(const struct tt_align_pane *pane);
/* Returns the pair on a line of the lanes, and its side; SIZE_MAX: none. */
size_t tt_align_pair_on_line(const struct tt_align_pane *pane, int line, int *side);
/* Appends the state of the chosen thread of a side at the cursor. */
void tt_align_put_state(const struct tt_align_pane *pane, int side, struct tt_text *text);
/* Draws the pane, see tt_view.draw. */
void tt_align_draw(const struct tt_workspace *ws, const void *state, struct tt_area area);

#endif
