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
    const struct tt_table *table;
    struct tt_key_range keys_a;
    struct tt_key_range keys_b;
    struct tt_trace
        *others[2]; /* captures of A and B that are not the open one, while they are read */
    struct tt_events *other_events[2];
    struct tt_comparison *comparison;
    unsigned version; /* another one for each comparison */
    bool complete;
    struct tt_status status; /* why there is no comparison */
};

/*
 * Begins to compare a file, or with path_a NULL the range keys_a of the open capture, with the range
 * keys_b of the open capture. On an error the previous comparison stays.
 */
struct tt_status tt_comparing_begin(struct tt_workspace *ws, const struct tt_table *table,
                                    const char *path_a, const struct tt_key_range *keys_a,
                                    const struct tt_key_range *keys_b);
/* Begins to compare the same sides by another table, whichever capture is open. Errors as above. */
struct tt_status tt_comparing_table(struct tt_workspace *ws, const struct tt_table *table);
/* Returns the table `step` tables after `by`, of those that can be compared. */
const struct tt_table *tt_comparing_next(const struct tt_table *table, int step);
/* Continues until `deadline_ns` (tt_now_ns); returns true when nothing is left to do. */
bool tt_comparing_work(struct tt_workspace *ws, uint64_t deadline_ns);
/* Returns the number of lines of the list: all changes but those without one. */
size_t tt_comparing_lines(const struct tt_comparing *c);
/* Frees a comparison that is not complete; call it before the open capture is closed. */
void tt_comparing_drop(struct tt_comparing *c);
void tt_comparing_free(struct tt_comparing *c);

#endif
