/* SPDX-License-Identifier: Apache-2.0 */
/* overlay_table: maps overlay numbers to overlays. */
#include "tui/app/view.h"

#define X(id, name) extern const struct tt_view tt_overlay_##name;
TT_OVERLAY_INFO(X)
#undef X

const struct tt_view *const tt_overlays[TT_OVERLAY_COUNT] = {
#define X(id, name) [TT_OVERLAY_##id] = &tt_overlay_##name,
    TT_OVERLAY_INFO(X)
#undef X
};
