/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comparing: the comparison of the Diff pane, as `tracetui diff` (docs/diff.md): A is another capture, a
 * baseline or a range of the open capture; B is the open capture, its selection, or another range. The
 * changes are independent of the captures: they stay when another capture is opened. The Diff pane makes
 * it, and the Align pane shows its two sides.
 */
#ifndef TRACETUI_TUI_MODEL_COMPARING_H
#define TRACETUI_TUI_MODEL_COMPARING_H

#include "compare/comparison.h"

#define TT_COMPARING_PATH 1024u

struct tt_comparing {
    char path_a[TT_COMPARING_PATH]; /* "": there is no comparison */
    char path_b[TT_COMPARING_PATH];
    const struct tt_table *table;
    struct tt_key_range keys_a;
    struct tt_key_range keys_b;
    /* Captures of A and B that are not the open one, while they are read. */
    struct tt_trace *others[2];
    struct tt_events *other_events[2];
    struct tt_comparison *comparison;
    unsigned version; /* another one for each comparison */
    bool complete;
    struct tt_status status; /* why there is no comparison */
};

#endif
