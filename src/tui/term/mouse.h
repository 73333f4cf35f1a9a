/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mouse: turns the terminal's mouse reports into presses, drags, releases and turns of the wheel.
 *
 *      report      0 press   32 motion with the first button   m release   64.. wheel
 *      modifiers   +4 Shift   +8 Meta   +16 Control          (XTerm Control Sequences, Mouse Tracking)
 *
 * Most terminals keep Shift with the mouse for their own selection of text. Pure functions on a
 * struct; one thread.
 */
#ifndef TRACETUI_TUI_TERM_MOUSE_H
#define TRACETUI_TUI_TERM_MOUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "tui/term/reply.h"

/* Two presses of a cell within this time are a double click. */
#define TT_MOUSE_TWICE_NS UINT64_C(500000000)

enum tt_mouse_kind {
    TT_MOUSE_NONE,
    TT_MOUSE_PRESS, /* of the first button, as all but the wheel */
    TT_MOUSE_DRAG,  /* moved while pressed */
    TT_MOUSE_RELEASE,
    TT_MOUSE_WHEEL
};

struct tt_mouse {
    enum tt_mouse_kind kind;
    int x, y;     /* from 0 */
    int down;     /* WHEEL: -1 up, 1 down */
    int right;    /* WHEEL: -1 left, 1 right; also with Shift */
    bool control; /* WHEEL: with Control */
    bool twice;   /* PRESS: the second of a double click */
};

/* The last press. */
struct tt_mouse_press {
    uint64_t ns;
    int x, y;
    bool pressed; /* and not released yet */
    bool counts;  /* may be the first of a double click */
};

/* Returns the meaning of a report (TT_REPLY_MOUSE) at `now` (ns); kind NONE: none. */
struct tt_mouse tt_mouse_of(struct tt_mouse_press *press, const struct tt_reply *reply,
                            uint64_t now);

#endif
