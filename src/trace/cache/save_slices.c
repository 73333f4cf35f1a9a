/* SPDX-License-Identifier: Apache-2.0 */
/* Saving and restoring slices. */
#include "trace/cache/save_track.h"

void tt_slices_visit(const struct tt_timelines *t, struct tt_tracks_saved *saved,
                     tt_track_visitor *visit)
{
    for (uint64_t i = 0; i < tt_column_count(&t->slices.rows); i++) {
        const struct tt_slice_row *row = tt_column_at(&t->slices.rows, i);
        visit(saved, &row->slices);
        visit(saved, &row->longs);
    }
}

/* ---- lanes --------------------------------------------------------------------------------- */

static void put_lane(const struct tt_slice_lane *lane, struct tt_section_writer *w)
{
    tt_section_put_u32(w, atomic_load_explicit(&lane->nested, memory_order_acquire));
    tt_section_put_u32(w, atomic_load_explicit(&lane->async, memory_order_acquire));
}

void tt_slices_save(const struct tt_timelines *t, struct tt_section_writer *w)
{
    const struct tt_slice_lanes *slices = &t->slices;
    tt_section_put_u64(w, tt_column_count(&slices->rows));
    for (uint64_t i = 0; i < tt_column_count(&slices->rows); i++) {
        const struct tt_slice_row *row = tt_column_at(&slices->rows, i);
        tt_section_put_u32(w, row->thread);
        tt_section_put_u32(w, row->depth);
        tt_section_put_u32(w, row->async);
        tt_section_put_u32(w, atomic_load_explicit(&row->above, memory_order_acquire));
    }
    tt_section_put_u64(w, tt_column_count(&slices->lanes));
    for (uint64_t i = 0; i < tt_column_count(&slices->lanes); i++) {
        put_lane(tt_column_at(&slices->lanes, i), w);
    }
    put_lane(&slices->threadless, w);
}

static bool take_row(struct tt_timelines *t, struct tt_reader *r)
{
    struct tt_slice_row *row = tt_column_next(&t->slices.rows);
    if (!row) {
        return false;
    }
    tt_track_init_wide(&row->slices, SLICE_SUMS);
    tt_track_init(&row->longs, 0);
    row->thread = tt_read_u32(r);
    uint32_t depth = tt_read_u32(r), async = tt_read_u32(r);
    row->depth = (uint16_t)depth;
    row->async = async != 0;
    atomic_store_explicit(&row->above, tt_read_u32(r), memory_order_relaxed);
    tt_column_publish(&t->slices.rows);
    return depth < TT_SLICE_DEPTHS && async <= 1 &&
           (row->thread == TT_NO_THREAD || row->thread < tt_thread_count(t->capture));
}

/* Requires that each row above another is later and one deeper: the links then form no cycle. */
static bool slices_are_chains(const struct tt_timelines *t)
{
    uint64_t count = tt_column_count(&t->slices.rows);
    for (uint64_t i = 0; i < count; i++) {
        const struct tt_slice_row *row = tt_column_at(&t->slices.rows, i);
        uint32_t number = atomic_load_explicit(&row->above, memory_order_relaxed);
        if (number == NO_ROW) {
            continue;
        }
        if (number <= i || number >= count) {
            return false;
        }
        const struct tt_slice_row *above = tt_column_at(&t->slices.rows, number);
        if (above->depth != row->depth + 1 || above->async != row->async ||
            above->thread != row->thread) {
            return false;
        }
    }
    return true;
}

/* Returns whether the `link` of a lane is 0 or that of a first row of this kind. */
static bool is_first_row(const struct tt_timelines *t, uint32_t link, uint32_t thread, bool async)
{
    if (link == 0) {
        return true;
    }
    if (link > tt_column_count(&t->slices.rows)) {
        return false;
    }
    const struct tt_slice_row *row = tt_column_at(&t->slices.rows, link - 1);
    return row->depth == 0 && row->async == async && row->thread == thread;
}

static bool take_lane(struct tt_timelines *t, struct tt_slice_lane *lane, uint32_t thread,
                      struct tt_reader *r)
{
    uint32_t nested = tt_read_u32(r), async = tt_read_u32(r);
    atomic_store_explicit(&lane->nested, nested, memory_order_relaxed);
    atomic_store_explicit(&lane->async, async, memory_order_relaxed);
    return is_first_row(t, nested, thread, false) &&
           is_first_row(t, async, thread, true);
}

bool tt_slices_restore(struct tt_timelines *t, struct tt_reader *r)
{
    bool sound = true;
    uint64_t rows = tt_section_count(r, 6 * sizeof(uint32_t)); /* plus its two tracks */
    for (uint64_t i = 0; sound && i < rows; i++) {
        sound = take_row(t, r);
    }
    uint64_t lanes = sound ? tt_section_count(r, 2 * sizeof(uint32_t)) : 0;
    sound = sound && slices_are_chains(t) && lanes <= tt_thread_count(t->capture) &&
            (rows == 0 || tt_types_count(t->capture) > 0);
    for (uint64_t i = 0; sound && i < lanes; i++) {
        struct tt_slice_lane *lane = tt_column_next(&t->slices.lanes);
        sound = lane && take_lane(t, lane, (uint32_t)i, r);
        if (lane) {
            tt_column_publish(&t->slices.lanes);
        }
    }
    return sound && take_lane(t, &t->slices.threadless, TT_NO_THREAD, r) && !r->failed;
}

bool tt_slices_restore_tracks(struct tt_timelines *t, struct tt_reader *r,
                              struct tt_track_store *tracks)
{
    bool sound = true;
    for (uint64_t i = 0; sound && i < tt_column_count(&t->slices.rows); i++) {
        struct tt_slice_row *row = tt_column_at(&t->slices.rows, i);
        sound = tt_track_restore_at(r, tracks, &row->slices) &&
                tt_track_restore_at(r, tracks, &row->longs);
    }
    return sound;
}
