/* SPDX-License-Identifier: Apache-2.0 */
/* diff_compare: what :diff compares, in steps that begin after indexing. One thread. */
#ifndef TRACETUI_TUI_PANES_DIFF_COMPARE_H
#define TRACETUI_TUI_PANES_DIFF_COMPARE_H

#include "tui/model/workspace.h"

/*
 * Begins :diff [TABLE] FILE, RANGE [RANGE], before or after: compares a file or a range with the selection
 * or with the whole capture, or the part before or after the selection with it. See tt_view.begin. On an
 * error the previous comparison stays.
 */
struct tt_status tt_compare_begin(struct tt_workspace *ws, struct tt_comparing *comparing,
                                  const char *text, const char **result);
/* Compares the same sides by the table `step` tables further, whichever capture is open. */
struct tt_status tt_compare_table(struct tt_workspace *ws, struct tt_comparing *comparing,
                                  int step);
/* Continues until `deadline_ns` (tt_now_ns); returns true when nothing is left to do. */
bool tt_compare_work(struct tt_workspace *ws, struct tt_comparing *comparing, uint64_t deadline_ns);
void tt_compare_free(struct tt_comparing *comparing);

#endif
