/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comparing: the comparison of the Diff pane, as `tracetui diff` (docs/diff.md): A is another capture, a
 * baseline or a range of the open capture; B is the open capture, its selection, or another range. Its
 * steps begin after indexing. The changes are independent of the captures: they stay when another capture
 * is opened. One thread.
 */
#ifndef TRACETUI_TUI_MODEL_COMPARING_H
#define TRACETUI_TUI_MODEL_COMPARING_H

#include "tracetui/comparison.h"

#define TT_COMPARING_PATH 1024u

struct tt_workspace;

struct tt_comparing {
    char path_a[TT_COMPARING_PATH]; /* "": there is no comparison */
    char path_b[TT_COMPARING_PATH];
    enum tt_stats_by by;
    struct tt_key_range keys_a; /* of the open capture, if both sides are in it */
    struct tt_key_range keys_b;
    struct tt_trace *trace_a; /* another capture while it is read, or NULL */
    struct tt_events *events_a;
    struct tt_comparison *comparison;
    bool complete;
    struct tt_status status; /* why there is no comparison */
};

/*
 * Begins to compare a file, or with path_a NULL the range keys_a of the open capture, with the range
 * keys_b of the open capture. On an error the previous comparison stays.
 */
struct tt_status tt_comparing_begin(struct tt_workspace *ws, enum tt_stats_by by,
                                    const char *path_a, const struct tt_key_range *keys_a,
                                    const struct tt_key_range *keys_b);
/* Continues until `deadline_ns` (tt_now_ns); returns true when nothing is left to do. */
bool tt_comparing_work(struct tt_workspace *ws, uint64_t deadline_ns);
/* Returns the number of lines of the list: all changes but those without one. */
size_t tt_comparing_lines(const struct tt_comparing *c);
/* Frees a comparison that is not complete; call it before the open capture is closed. */
void tt_comparing_drop(struct tt_comparing *c);
void tt_comparing_free(struct tt_comparing *c);

#endif
