/* SPDX-License-Identifier: Apache-2.0 */
/*
 * list_motion: what the keys that move a cursor in a list mean, in lines: the same in every view.
 *
 * Nothing is kept here. Any thread.
 */
#ifndef TRACETUI_TUI_INPUT_LIST_MOTION_H
#define TRACETUI_TUI_INPUT_LIST_MOTION_H

#include "tui/input/actions.h"

enum tt_move_kind {
    TT_MOVE_NONE, /* another action */
    TT_MOVE_LINE,
    TT_MOVE_PAGE, /* or half of one: what is shown moves along */
    TT_MOVE_END,  /* to the first or the last line */
};

/* `by` lines down, or up where it is less than 0; to an end it is more than any list has. */
struct tt_move {
    enum tt_move_kind kind;
    int64_t by;
};

/* What an action means where `lines` of the list are to be seen. A page keeps a line of them. */
struct tt_move tt_list_motion_of(enum tt_do action, int lines);

#endif
