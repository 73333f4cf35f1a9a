/* SPDX-License-Identifier: Apache-2.0 */
/* States of threads, a chunk at once, for filters, which need the state at the time of an event. */
#include "trace/timeline/timeline.h"

_Static_assert(TT_STATES == TT_TRACK_CHUNK, "a chunk fits");

static bool load(const struct tt_timelines *t, const struct tt_track *track, uint32_t chunk,
                 struct tt_states *states)
{
    struct tt_track_page page;
    tt_track_load(track, chunk, TT_STATES, &page);
    /* None, or too many: only in an index cache that was truncated while mapped. */
    uint32_t count = page.count < TT_STATES ? page.count : TT_STATES;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t state = tt_value_state(t, page.value[i]);
        uint32_t what = state * TT_CLASS_COUNT + (uint32_t)tt_state_class(t, state);
        bool ended = VALUE_STATE(page.value[i]) == VALUE_ENDED;
        states->start[i] = page.delta[i];
        states->what[i] = (uint16_t)(ended ? TT_STATES_ENDED : what);
    }
    states->base = page.base;
    states->end = page.has_next ? page.next : tt_timelines_end(t);
    states->count = count;
    states->chunk = chunk;
    states->more = page.has_next;
    return count > 0;
}

bool tt_states_at(const struct tt_timelines *t, uint32_t thread, uint64_t time,
                  struct tt_states *states)
{
    if (thread >= tt_column_count(&t->lanes)) {
        states->count = 0;
        return false;
    }
    const struct tt_lane *lane = tt_column_at(&t->lanes, thread);
    struct tt_track_place place;
    if (states->count > 0 && states->more && time >= states->end &&
        load(t, &lane->states, states->chunk + 1, states) &&
        (time < states->end || !states->more)) {
        return true;
    }
    states->count = 0;
    return tt_track_find(&lane->states, time, &place) &&
           load(t, &lane->states, place.chunk, states);
}
