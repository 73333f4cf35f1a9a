/* SPDX-License-Identifier: Apache-2.0 */
/* mouse: turns the terminal's mouse reports into presses, drags, releases and turns of the wheel. */
#include "tui/term/mouse.h"

#define BUTTON  0xc3u /* without modifiers and motion */
#define SHIFT   4u
#define CONTROL 16u
#define MOTION  32u
#define WHEEL   64u

static struct tt_mouse wheel_of(const struct tt_reply *reply, struct tt_mouse mouse)
{
    static const struct {
        int down, right;
    } ways[4] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    unsigned way = reply->button & 3;
    mouse.kind = TT_MOUSE_WHEEL;
    mouse.down = ways[way].down;
    mouse.right = ways[way].right;
    mouse.control = reply->button & CONTROL;
    if ((reply->button & SHIFT) && !mouse.control && mouse.down != 0) {
        mouse.right = mouse.down;
        mouse.down = 0;
    }
    return mouse;
}

struct tt_mouse tt_mouse_of(struct tt_mouse_press *press, const struct tt_reply *reply,
                            uint64_t now)
{
    struct tt_mouse mouse = {.x = (int)reply->x, .y = (int)reply->y};
    unsigned button = reply->button & BUTTON;
    if ((button & ~3u) == WHEEL && !reply->release) {
        return wheel_of(reply, mouse);
    }
    if (reply->release) {
        mouse.kind = press->pressed ? TT_MOUSE_RELEASE : TT_MOUSE_NONE;
        press->pressed = false;
    } else if (button == 0 && (reply->button & MOTION)) {
        mouse.kind = press->pressed ? TT_MOUSE_DRAG : TT_MOUSE_NONE;
        press->counts = false;
    } else if (button == 0) {
        mouse.kind = TT_MOUSE_PRESS;
        mouse.twice = press->counts && press->x == mouse.x && press->y == mouse.y &&
                      now - press->ns <= TT_MOUSE_TWICE_NS;
        *press = (struct tt_mouse_press){now, mouse.x, mouse.y, true, !mouse.twice};
    }
    return mouse;
}
