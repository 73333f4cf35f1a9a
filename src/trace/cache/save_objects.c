/* SPDX-License-Identifier: Apache-2.0 */
/* Saving and restoring objects. */
#include <string.h>

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

/* ---- the state of the builder --------------------------------------------------------------- */

/*
 *      (waits: 32 | owner: 32 | disputed: 32) x objects | losses: 32 | shared: 192 |
 *      count: 64 | (loss: 32 | held: 32 | other: 32 | awaited: 32 | has owner: 32) x count
 */
void tt_objects_save_builder(const struct tt_timelines *t, struct tt_section_writer *w)
{
    const struct tt_object_lanes *objects = &t->objects;
    for (uint64_t i = 0; i < tt_column_count(&objects->objects); i++) {
        const struct tt_object_lane *lane = tt_column_at(&objects->objects, i);
        tt_section_put_u32(w, lane->waits);
        tt_section_put_u32(w, lane->owner);
        tt_section_put_u32(w, lane->disputed);
    }
    tt_section_put_u32(w, objects->loss);
    tt_section_put(w, &objects->shared, sizeof objects->shared);
    tt_section_put_u64(w, tt_column_count(&objects->requests));
    for (uint64_t i = 0; i < tt_column_count(&objects->requests); i++) {
        const struct tt_object_request *request = tt_column_at(&objects->requests, i);
        tt_section_put_u32(w, request->loss);
        tt_section_put_u32(w, request->held);
        tt_section_put_u32(w, request->other);
        tt_section_put_u32(w, request->awaited);
        tt_section_put_u32(w, request->has_owner);
    }
}

bool tt_objects_restore_builder(struct tt_timelines *t, struct tt_reader *r)
{
    struct tt_object_lanes *objects = &t->objects;
    uint64_t count = tt_column_count(&objects->objects);
    for (uint64_t i = 0; i < count; i++) {
        struct tt_object_lane *lane = tt_column_at(&objects->objects, i);
        lane->waits = tt_read_u32(r);
        lane->owner = tt_read_u32(r);
        lane->disputed = tt_read_u32(r);
    }
    tt_objects_count_awaited(objects);
    objects->loss = tt_read_u32(r);
    const uint8_t *shared = tt_read_span(r, sizeof objects->shared);
    if (!shared) {
        return false;
    }
    memcpy(&objects->shared, shared, sizeof objects->shared);
    uint64_t threads = tt_section_count(r, 5 * sizeof(uint32_t));
    bool sound = !r->failed && threads <= tt_thread_count(t->capture) &&
                 (objects->shared.object == TT_NO_OBJECT || objects->shared.object < count) &&
                 objects->shared.thread < OBJECT_RELEASE;
    for (uint64_t i = 0; sound && i < threads; i++) {
        struct tt_object_request *request = tt_object_request_add(objects);
        if (!request) {
            return false;
        }
        request->loss = tt_read_u32(r);
        request->held = tt_read_u32(r);
        request->other = tt_read_u32(r);
        request->awaited = tt_read_u32(r);
        request->has_owner = tt_read_u32(r);
        sound = !r->failed && request->held <= count && request->other <= count &&
                request->awaited <= count;
    }
    return sound;
}
