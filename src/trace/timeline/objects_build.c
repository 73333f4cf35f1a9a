/* SPDX-License-Identifier: Apache-2.0 */
/* Building the tracks of objects from actions and states. */
#include "trace/timeline/timeline.h"

void tt_object_lanes_init(struct tt_object_lanes *objects)
{
    tt_column_init(&objects->objects, sizeof(struct tt_object_lane));
    tt_column_init(&objects->requests, sizeof(struct tt_object_request));
    objects->shared.object = TT_NO_OBJECT;
}

void tt_object_lanes_free(struct tt_object_lanes *objects)
{
    tt_column_free(&objects->objects);
    tt_column_free(&objects->requests);
    tt_column_index_free(&objects->object_at);
    tt_column_index_free(&objects->request_at);
    tt_hash_free(&objects->by_id);
    tt_hash_free(&objects->by_address);
}

/* ---- objects and requests ------------------------------------------------------------------ */

static uint64_t hash_of(const struct tt_object *object)
{
    return tt_hash_of_pair((uint64_t)object->process << 8 | object->kind, object->id);
}

struct tt_object_lane *tt_object_add(struct tt_object_lanes *objects,
                                     const struct tt_object *object)
{
    uint64_t number = tt_column_count(&objects->objects);
    struct tt_object_lane *lane =
        number < TT_NO_OBJECT - 1 ? tt_column_next(&objects->objects) : NULL;
    uint64_t address = tt_hash_of_pair(object->kind, object->id);
    if (!lane || !tt_hash_add(&objects->by_id, hash_of(object), (uint32_t)number) ||
        !tt_hash_add(&objects->by_address, address, (uint32_t)number) ||
        !tt_column_index_add(&objects->object_at, lane, sizeof *lane)) {
        return NULL;
    }
    tt_track_init(&lane->steps, 0);
    lane->object = *object;
    lane->owner = TT_NO_THREAD;
    tt_column_publish(&objects->objects);
    return lane;
}

struct tt_object_request *tt_object_request_add(struct tt_object_lanes *objects)
{
    struct tt_object_request *request = tt_column_next(&objects->requests);
    if (!request || !tt_column_index_add(&objects->request_at, request, sizeof *request)) {
        return NULL;
    }
    tt_column_publish(&objects->requests);
    return request;
}

static struct tt_object_lane *object_at(const struct tt_timelines *t, uint32_t number)
{
    return tt_column_index_at(&t->objects.object_at, number);
}

/* Finds an object; TT_NO_OBJECT if there is none. */
static uint32_t find_object(const struct tt_timelines *t, const struct tt_object *object)
{
    struct tt_probe probe;
    for (uint32_t n = tt_hash_first(&t->objects.by_id, hash_of(object), &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&t->objects.by_id, &probe)) {
        const struct tt_object *other = &object_at(t, n)->object;
        if (other->id == object->id && other->process == object->process &&
            other->kind == object->kind) {
            return n;
        }
    }
    return TT_NO_OBJECT;
}

/* Returns the number of an object, added if needed; TT_NO_OBJECT when out of memory. */
static uint32_t object_of(struct tt_timelines *t, const struct tt_object *object)
{
    uint32_t found = find_object(t, object);
    if (found != TT_NO_OBJECT || !tt_object_add(&t->objects, object)) {
        return found;
    }
    return (uint32_t)tt_column_count(&t->objects.objects) - 1;
}

static struct tt_object named(const struct tt_timelines *t, uint32_t thread, unsigned kind,
                              uint64_t id)
{
    bool of_process = t->capture->format->message_ids_of_process;
    uint32_t process = of_process ? tt_thread_at(t->capture, thread)->process : TT_NO_THREAD;
    return (struct tt_object){.id = id, .process = process, .kind = (uint8_t)kind};
}

/* Returns the request of a thread, added if needed; NULL when out of memory. */
static struct tt_object_request *request_of(struct tt_timelines *t, uint32_t thread)
{
    while (t->objects.request_at.count <= thread) {
        if (!tt_object_request_add(&t->objects)) {
            return NULL;
        }
    }
    return tt_column_index_at(&t->objects.request_at, thread);
}

/* ---- owners ------------------------------------------------------------------------------- */

/*
 * The owner in a request is compared with the thread of the next release. A release, the end of any
 * wait, and a wait without an owner in its request make it unknown: the mutex may have been passed on,
 * or unlocked in user mode after a timeout. A loss ends all waits.
 */
static void set_owner(struct tt_object_lane *lane, uint32_t owner)
{
    lane->owner = owner;
    lane->disputed = 0;
}

/* Compares the thread that releases an object on a CPU with its owner; tt_objects_left counts. */
static void compare_owner(const struct tt_timelines *t, struct tt_object_lane *lane,
                          uint32_t thread, uint32_t cpu)
{
    const struct tt_capture *c = t->capture;
    bool known = lane->owner != TT_NO_THREAD && thread < tt_thread_count(c);
    bool differs = known && c->format->is_owner && !c->format->is_owner(c, thread, lane->owner);
    set_owner(lane, TT_NO_THREAD);
    lane->disputed = differs ? cpu + 1 : 0;
}

void tt_objects_left(struct tt_timelines *t, const struct tt_lane *waiter,
                     const struct tt_action *a)
{
    struct tt_object_request *request = tt_column_index_at(&t->objects.request_at, waiter->thread);
    struct tt_object_lane *lane = request ? object_at(t, request->awaited - 1) : NULL;
    if (!lane) {
        return;
    }
    request->awaited = 0;
    bool valid = request->loss == t->objects.loss;
    unsigned class_ = tt_state_class(t, a->state);
    if (valid && lane->disputed == a->cpu + UINT32_C(1) &&
        (class_ == TT_CLASS_READY || class_ == TT_CLASS_RUNNING)) {
        tt_timelines_health(t, TT_HEALTH_LOCK_OWNER, a->pos, 0, NULL);
    }
    set_owner(lane, TT_NO_THREAD);
}

/* ---- actions ------------------------------------------------------------------------------- */

static bool is_of_object(const struct tt_timelines *t, const struct tt_action *a)
{
    return a->thread < tt_thread_count(t->capture) && a->state != TT_OBJECT_NONE &&
           a->state < TT_OBJECT_KINDS;
}

bool tt_objects_request(struct tt_timelines *t, const struct tt_action *a)
{
    if (!is_of_object(t, a)) {
        return true;
    }
    struct tt_object object = named(t, a->thread, a->state, a->value);
    uint32_t number = object_of(t, &object);
    struct tt_object_request *request = number != TT_NO_OBJECT ? request_of(t, a->thread) : NULL;
    if (!request) {
        return false;
    }
    bool held = tt_object_kind_is_held(a->state);
    if (request->loss != t->objects.loss || !held) {
        request->held = request->other = 0;
        request->loss = t->objects.loss;
    }
    *(held ? &request->held : &request->other) = number + 1;
    request->awaited = 0;
    if (held) {
        request->has_owner = a->other != TT_NO_THREAD;
        if (request->has_owner) {
            set_owner(object_at(t, number), a->other);
        }
    }
    return true;
}

static bool append(struct tt_timelines *t, struct tt_object_lane *lane, uint64_t time,
                   uint32_t step)
{
    /* A state that was announced is older than what was recorded before the announcement. */
    uint64_t last = tt_track_is_empty(&lane->steps) ? 0 : tt_track_last_time(&lane->steps);
    return tt_track_append(&lane->steps, &t->arena, time > last ? time : last, step, NULL);
}

/* Finds the only other object of the same address that has waiters, and sets `shared`. */
static void set_shared(struct tt_timelines *t, const struct tt_action *a,
                       const struct tt_object *object)
{
    uint32_t found = TT_NO_OBJECT;
    struct tt_probe probe;
    uint64_t address = tt_hash_of_pair(object->kind, object->id);
    for (uint32_t n = tt_hash_first(&t->objects.by_address, address, &probe); n != TT_HASH_NONE;
         n = tt_hash_next(&t->objects.by_address, &probe)) {
        const struct tt_object_lane *lane = object_at(t, n);
        if (lane->object.id != object->id || lane->object.kind != object->kind ||
            lane->waits == 0) {
            continue;
        }
        if (found != TT_NO_OBJECT) {
            return;
        }
        found = n;
    }
    t->objects.shared = (struct tt_object_shared){
        .time = a->ticks, .object = found, .thread = a->thread, .cpu = a->cpu};
}

bool tt_objects_confirm(struct tt_timelines *t, const struct tt_lane *waiter,
                        const struct tt_action *a)
{
    const struct tt_object_shared *shared = &t->objects.shared;
    struct tt_object_lane *lane = object_at(t, shared->object);
    bool wakes = tt_state_class(t, a->state) == TT_CLASS_READY && a->cpu == shared->cpu &&
                 tt_lane_has_begun(waiter) &&
                 tt_object_kind_is_held(t->object_kind[VALUE_STATE(waiter->states.value)]);
    if (!lane || !wakes || lane->waits == 0 ||
        tt_thread_at(t->capture, waiter->thread)->process != lane->object.process) {
        return true;
    }
    lane->waits--;
    const struct tt_object_request *request =
        tt_column_index_at(&t->objects.request_at, waiter->thread);
    if (request && request->awaited == shared->object + 1) {
        compare_owner(t, lane, shared->thread, shared->cpu);
    }
    t->objects.shared.object = TT_NO_OBJECT;
    return append(t, lane, shared->time, OBJECT_RELEASE | shared->thread);
}

bool tt_objects_release(struct tt_timelines *t, const struct tt_action *a)
{
    if (!is_of_object(t, a) || !tt_object_kind_is_held(a->state)) {
        return true;
    }
    struct tt_object object = named(t, a->thread, a->state, a->value);
    struct tt_object_lane *lane = object_at(t, find_object(t, &object));
    t->objects.shared.object = TT_NO_OBJECT;
    if (!lane || lane->waits == 0) {
        set_shared(t, a, &object);
        return true;
    }
    lane->waits--;
    compare_owner(t, lane, a->thread, a->cpu);
    return append(t, lane, a->ticks, OBJECT_RELEASE | a->thread);
}

/* Takes the object of a kind that the thread requested; TT_NO_OBJECT if there is none. */
static uint32_t take_request(const struct tt_timelines *t, uint32_t thread, unsigned kind)
{
    struct tt_object_request *request = tt_column_index_at(&t->objects.request_at, thread);
    if (!request || request->loss != t->objects.loss) {
        return TT_NO_OBJECT;
    }
    uint32_t *number = tt_object_kind_is_held(kind) ? &request->held : &request->other;
    const struct tt_object_lane *lane = object_at(t, *number - 1);
    uint32_t taken = lane && lane->object.kind == kind ? *number - 1 : TT_NO_OBJECT;
    *number = 0;
    if (taken != TT_NO_OBJECT && tt_object_kind_is_held(kind)) {
        request->awaited = taken + 1;
        if (!request->has_owner) {
            set_owner(object_at(t, taken), TT_NO_THREAD);
        }
    }
    return taken;
}

bool tt_objects_wait(struct tt_timelines *t, uint32_t thread, uint64_t time, unsigned kind)
{
    uint32_t number = take_request(t, thread, kind);
    if (number == TT_NO_OBJECT) {
        struct tt_object object = named(t, thread, kind, TT_NO_OBJECT_ID);
        number = object_of(t, &object);
    }
    struct tt_object_lane *lane = object_at(t, number);
    if (!lane || thread >= OBJECT_RELEASE) {
        return lane != NULL;
    }
    lane->waits++;
    return append(t, lane, time, thread);
}

void tt_objects_lost(struct tt_timelines *t)
{
    t->objects.loss++;
    t->objects.shared.object = TT_NO_OBJECT;
}
