/* SPDX-License-Identifier: Apache-2.0 */
/* Saving and restoring counters. */
#include "trace/cache/save_track.h"

void tt_counters_visit(const struct tt_timelines *t, struct tt_tracks_saved *saved,
                       tt_track_visitor *visit)
{
    for (uint64_t i = 0; i < tt_column_count(&t->counters.lanes); i++) {
        const struct tt_counter_lane *lane = tt_column_at(&t->counters.lanes, i);
        visit(saved, &lane->values);
    }
}

void tt_counters_save(const struct tt_timelines *t, struct tt_section_writer *w)
{
    tt_section_put_u64(w, tt_column_count(&t->counters.lanes));
}

bool tt_counters_restore(struct tt_timelines *t, struct tt_reader *r)
{
    uint64_t count = tt_section_count(r, sizeof(uint32_t));
    if (r->failed || count > tt_series_count(t->capture)) {
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        struct tt_counter_lane *lane = tt_column_next(&t->counters.lanes);
        if (!lane) {
            return false;
        }
        tt_track_init_wide(&lane->values, COUNTER_SUMS);
        lane->series = (uint32_t)i;
        tt_column_publish(&t->counters.lanes);
    }
    return true;
}

bool tt_counters_restore_tracks(struct tt_timelines *t, struct tt_reader *r,
                                struct tt_track_store *tracks)
{
    bool sound = true;
    for (uint64_t i = 0; sound && i < tt_column_count(&t->counters.lanes); i++) {
        struct tt_counter_lane *lane = tt_column_at(&t->counters.lanes, i);
        sound = tt_track_restore_at(r, tracks, &lane->values);
    }
    return sound;
}
