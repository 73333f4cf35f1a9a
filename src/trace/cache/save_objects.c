/* SPDX-License-Identifier: Apache-2.0 */
/* Saving and restoring objects. */
#include "trace/cache/save_track.h"

void tt_objects_visit(const struct tt_timelines *t, struct tt_tracks_saved *saved,
                      tt_track_visitor *visit)
{
    for (uint64_t i = 0; i < tt_column_count(&t->objects.objects); i++) {
        const struct tt_object_lane *lane = tt_column_at(&t->objects.objects, i);
        visit(saved, &lane->steps);
    }
}

/*      count: 64 | (id: 64 | process: 32 | kind: 32) x count */
void tt_objects_save(const struct tt_timelines *t, struct tt_section_writer *w)
{
    tt_section_put_u64(w, tt_column_count(&t->objects.objects));
    for (uint64_t i = 0; i < tt_column_count(&t->objects.objects); i++) {
        const struct tt_object_lane *lane = tt_column_at(&t->objects.objects, i);
        tt_section_put_u64(w, lane->object.id);
        tt_section_put_u32(w, lane->object.process);
        tt_section_put_u32(w, lane->object.kind);
    }
}

bool tt_objects_restore(struct tt_timelines *t, struct tt_reader *r)
{
    uint64_t count = tt_section_count(r, sizeof(uint64_t) + 2 * sizeof(uint32_t));
    bool sound = count < TT_NO_OBJECT;
    for (uint64_t i = 0; sound && i < count; i++) {
        struct tt_object object = {.id = tt_read_u64(r)};
        object.process = tt_read_u32(r);
        uint32_t kind = tt_read_u32(r);
        object.kind = (uint8_t)kind;
        sound = !r->failed && kind > TT_OBJECT_NONE && kind < TT_OBJECT_KINDS &&
                (object.process == TT_NO_THREAD || object.process < tt_process_count(t->capture)) &&
                tt_object_add(&t->objects, &object);
    }
    return sound && !r->failed;
}

bool tt_objects_restore_tracks(struct tt_timelines *t, struct tt_reader *r,
                               struct tt_track_store *tracks)
{
    bool sound = true;
    for (uint64_t i = 0; sound && i < tt_column_count(&t->objects.objects); i++) {
        struct tt_object_lane *lane = tt_column_at(&t->objects.objects, i);
        sound = tt_track_restore_at(r, tracks, &lane->steps);
    }
    return sound;
}
