/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the waits for objects. */
#include "trace/timeline/timeline.h"
#include "tracetui/format.h"
#include "tracetui/merge.h"

#define BACK_MOST 64u /* intervals of one instant before the one that holds then */

static const struct {
    const char *name;
    bool held;
} kinds[] = {
#define X(id, name, held) {name, held},
    TT_OBJECT_KIND_INFO(X)
#undef X
};

const char *tt_object_kind_name(unsigned kind)
{
    return kinds[kind < TT_OBJECT_KINDS ? kind : TT_OBJECT_NONE].name;
}

bool tt_object_kind_is_held(unsigned kind)
{
    return kind < TT_OBJECT_KINDS && kinds[kind].held;
}

uint32_t tt_object_count(const struct tt_timelines *timelines)
{
    return (uint32_t)tt_column_count(&timelines->objects.objects);
}

static const struct tt_object_lane *objects_lane_at(const struct tt_timelines *timelines,
                                                    uint32_t object)
{
    return tt_column_at(&timelines->objects.objects, object);
}

struct tt_object tt_object_at(const struct tt_timelines *timelines, uint32_t object)
{
    return objects_lane_at(timelines, object)->object;
}

const char *tt_object_name(const struct tt_capture *capture, const struct tt_object *object,
                           size_t *length)
{
    const struct tt_capture *own = tt_merge_system(capture, object->system);
    *length = 0;
    return own->format->refers.object_name && object->id != TT_NO_OBJECT_ID
               ? own->format->refers.object_name(own, object->kind, object->id, length)
               : NULL;
}

/* ---- steps --------------------------------------------------------------------------------- */

void tt_object_read_from(struct tt_object_reader *reader, const struct tt_timelines *timelines,
                         uint32_t object, uint64_t from)
{
    const struct tt_track *steps = &objects_lane_at(timelines, object)->steps;
    struct tt_track_place place = {0, 0};
    bool before = from > 0 && tt_track_find(steps, from - 1, &place);
    *reader = (struct tt_object_reader){.t = timelines, .object = object};
    reader->more = before ? tt_track_next(steps, &place) : tt_track_first(steps, &place);
    reader->chunk = place.chunk;
    reader->slot = place.slot;
}

bool tt_object_read(struct tt_object_reader *reader, struct tt_object_step *step)
{
    const struct tt_track *steps = &objects_lane_at(reader->t, reader->object)->steps;
    struct tt_track_place place = {reader->chunk, reader->slot};
    if (!reader->more || tt_timelines_gone(reader->t)) {
        return false;
    }
    struct tt_track_item item = tt_track_item(steps, place);
    step->time = item.time;
    step->thread = OBJECT_THREAD(item.value);
    step->is_release = (item.value & OBJECT_RELEASE) != 0;
    reader->more = tt_track_next(steps, &place);
    reader->chunk = place.chunk;
    reader->slot = place.slot;
    return step->thread < tt_thread_count(reader->t->capture);
}

uint64_t tt_object_read_index(const struct tt_object_reader *reader)
{
    const struct tt_track *steps = &objects_lane_at(reader->t, reader->object)->steps;
    return reader->more
               ? tt_track_index(steps, (struct tt_track_place){reader->chunk, reader->slot})
               : tt_track_count(steps);
}

static unsigned objects_kind_of(const struct tt_timelines *timelines,
                                const struct tt_interval *interval)
{
    return interval->state < sizeof timelines->object_kind ? timelines->object_kind[interval->state]
                                                           : TT_OBJECT_NONE;
}

bool tt_object_wait_of(const struct tt_timelines *timelines, const struct tt_object_step *step,
                       struct tt_interval *wait, bool *ended)
{
    struct tt_interval_at at;
    *ended = false;
    if (step->is_release || !tt_interval_find(timelines, step->thread, step->time, &at)) {
        return false;
    }
    for (unsigned i = 0; i < BACK_MOST; i++) {
        *wait = tt_interval_get(timelines, at);
        if (objects_kind_of(timelines, wait) != TT_OBJECT_NONE) {
            *ended = !wait->open && tt_interval_next(timelines, &at) &&
                     !tt_interval_get(timelines, at).cut_before;
            return true;
        }
        if (wait->start < step->time || !tt_interval_previous(timelines, &at)) {
            return false;
        }
    }
    return false;
}

uint32_t tt_object_waited_for(const struct tt_timelines *timelines, uint32_t thread, uint64_t ticks)
{
    struct tt_interval_at at;
    struct tt_interval wait = {0};
    if (!tt_interval_find(timelines, thread, ticks, &at)) {
        return TT_NO_OBJECT;
    }
    wait = tt_interval_get(timelines, at);
    unsigned kind = objects_kind_of(timelines, &wait);
    for (uint32_t i = 0; kind != TT_OBJECT_NONE && i < tt_object_count(timelines); i++) {
        struct tt_object_reader r;
        struct tt_object_step step;
        if (tt_object_at(timelines, i).kind != kind) {
            continue;
        }
        tt_object_read_from(&r, timelines, i, wait.start);
        while (tt_object_read(&r, &step) && step.time == wait.start) {
            if (!step.is_release && step.thread == thread) {
                return i;
            }
        }
    }
    return TT_NO_OBJECT;
}
