/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/blocked_on.h"

bool tt_blocked_on_find(struct tt_wakes *w, const struct tt_interval *blocked,
                        struct tt_blocked_on *on)
{
    (void)w;
    (void)blocked;
    *on = (struct tt_blocked_on){.thread = TT_NO_THREAD, .process = UINT32_MAX};
    return false;
}
