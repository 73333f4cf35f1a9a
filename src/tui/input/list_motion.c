/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/input/list_motion.h"

#define BEYOND (INT64_MAX / 4) /* adding a line number does not overflow */

struct tt_move tt_list_motion_of(enum tt_do action, int lines)
{
    int64_t page = lines > 1 ? lines - 1 : 1, half = lines > 1 ? lines / 2 : 1;
    switch (action) {
    case TT_DO_DOWN:
        return (struct tt_move){TT_MOVE_LINE, 1};
    case TT_DO_UP:
        return (struct tt_move){TT_MOVE_LINE, -1};
    case TT_DO_PAGE_DOWN:
        return (struct tt_move){TT_MOVE_PAGE, page};
    case TT_DO_PAGE_UP:
        return (struct tt_move){TT_MOVE_PAGE, -page};
    case TT_DO_HALF_DOWN:
        return (struct tt_move){TT_MOVE_PAGE, half};
    case TT_DO_HALF_UP:
        return (struct tt_move){TT_MOVE_PAGE, -half};
    case TT_DO_FIRST:
        return (struct tt_move){TT_MOVE_END, -BEYOND};
    case TT_DO_LAST:
        return (struct tt_move){TT_MOVE_END, BEYOND};
    default:
        return (struct tt_move){TT_MOVE_NONE, 0};
    }
}
