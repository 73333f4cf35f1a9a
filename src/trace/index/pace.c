/* SPDX-License-Identifier: Apache-2.0 */
/* The choice between one thread and two. */
#include "trace/index/pace.h"

static void begin(struct tt_pace *pace, enum tt_pace_phase phase, uint64_t now)
{
    pace->phase = phase;
    pace->began = now;
    pace->work = 0;
    pace->stalled = false;
}

bool tt_pace_ends(struct tt_pace *pace, uint64_t now)
{
    bool keeps = pace->phase == TT_PACE_KEEP_ONE || pace->phase == TT_PACE_KEEP_TWO;
    if (now - pace->began < (keeps ? TT_PACE_KEEP_NS : TT_PACE_TRY_NS)) {
        return false;
    }
    if (pace->phase == TT_PACE_WATCH && (pace->always_two || !pace->stalled)) {
        begin(pace, TT_PACE_WATCH, now);
        return false;
    }
    return true;
}

void tt_pace_choose(struct tt_pace *pace, uint64_t now)
{
    uint64_t ns = now > pace->began ? now - pace->began : 1;
    double rate = (double)pace->work / (double)ns;
    if (tt_pace_is_one(pace)) {
        pace->rate_one = rate;
    } else {
        pace->rate_two = rate;
    }
    bool one_is_faster = pace->rate_one > pace->rate_two;
    switch (pace->phase) {
    case TT_PACE_WATCH:
        begin(pace, TT_PACE_TRY_ONE, now);
        break;
    case TT_PACE_TRY_ONE:
        begin(pace, one_is_faster ? TT_PACE_KEEP_ONE : TT_PACE_KEEP_TWO, now);
        break;
    case TT_PACE_KEEP_ONE:
        begin(pace, TT_PACE_TRY_TWO, now);
        break;
    case TT_PACE_TRY_TWO:
        begin(pace, one_is_faster ? TT_PACE_KEEP_ONE : TT_PACE_WATCH, now);
        break;
    case TT_PACE_KEEP_TWO:
        begin(pace, TT_PACE_WATCH, now);
        break;
    }
}
