/* SPDX-License-Identifier: Apache-2.0 */
#include "tui/input/view_list.h"

static const struct tt_view_names table[TT_VIEW_COUNT] = {
#define X(id, name, key, title, tab, by_time) {#name, key, title, tab, by_time},
    TT_VIEW_INFO(X)
#undef X
};

const struct tt_view_names *tt_view_names(enum tt_view_id view)
{
    return &table[view];
}
