/* SPDX-License-Identifier: Apache-2.0 */
/* view_table: maps view numbers to views. */
#include "tui/app/view.h"

#define X(id, name, key, title, tab, by_time) extern const struct tt_view tt_view_##name;
TT_VIEW_INFO(X)
#undef X

const struct tt_view *const tt_views[TT_VIEW_COUNT] = {
#define X(id, name, key, title, tab, by_time) [TT_VIEW_##id] = &tt_view_##name,
    TT_VIEW_INFO(X)
#undef X
};
