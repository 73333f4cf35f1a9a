/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list_motion: converts cursor actions to movements in lines, the same in every list view.
 *
 * Stateless; any thread.
 */
#ifndef TRACETUI_TUI_INPUT_LIST_MOTION_H
#define TRACETUI_TUI_INPUT_LIST_MOTION_H

#include "tui/input/actions.h"

enum tt_move_kind {
    TT_MOVE_NONE, /* another action */
    TT_MOVE_LINE,
    TT_MOVE_PAGE, /* or half a page: the list scrolls with the cursor */
    TT_MOVE_END,  /* to the first or the last line */
};

/* `by`: lines down, negative: up; for TT_MOVE_END larger than any list. */
struct tt_move {
    enum tt_move_kind kind;
    int64_t by;
};

/* Returns the movement of an action in a list with `lines` visible; a page is `lines` - 1. */
struct tt_move tt_list_motion_of(enum tt_do action, int lines);

#endif
