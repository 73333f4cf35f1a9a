/* SPDX-License-Identifier: Apache-2.0 */
/* drag: a movement of the mouse with its first button pressed. */
#ifndef TRACETUI_TUI_MODEL_DRAG_H
#define TRACETUI_TUI_MODEL_DRAG_H

#include <stdbool.h>

struct tt_drag {
    int from_x, from_y; /* of the press, in the view's area */
    int x, y;           /* of the pointer, maybe outside the area */
    bool sideways;      /* the pointer has left the column of the press since */
};

#endif
