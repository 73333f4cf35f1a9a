/* SPDX-License-Identifier: Apache-2.0 */
/* Building the tracks of objects from actions and states. */
#include "trace/timeline/rare.h"
#include "trace/timeline/timeline.h"

/* Kinds that one thread holds, a bit each. */
#define X(id, name, held) | (uint32_t)(held) << (id)
static const uint32_t held_kinds = 0 TT_OBJECT_KIND_INFO(X);
#undef X

static inline bool is_held(unsigned kind)
{
    return (held_kinds >> kind & 1) != 0;
}

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

static uint64_t objects_build_hash_of(const struct tt_object *object)
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
    if (!lane || !tt_hash_add(&objects->by_id, objects_build_hash_of(object), (uint32_t)number) ||
        !tt_hash_add(&objects->by_address, address, (uint32_t)number) ||
        !tt_column_index_add(&objects->object_at, lane, sizeof *lane)) {
        return NULL;
    }
    tt_track_init(&lane->steps, 0);
    lane->object = *object;
    lane->number = (uint32_t)number;
    lane->owner = TT_NO_THREAD;
    tt_column_publish(&objects->objects);
    return lane;
}

static inline struct tt_object_lane *object_at(const struct tt_timelines *timelines,
                                               uint32_t number)
{
    return tt_column_index_at(&timelines->objects.object_at, number);
}

/* Returns the slot of an address in `awaited`. */
static inline uint32_t objects_build_slot_of(unsigned kind, uint64_t id)
{
    uint64_t mixed = (id ^ (uint64_t)kind << 56) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 32) / (UINT32_MAX / TT_OBJECT_SLOTS + 1);
}

/* Returns the slot of an object in `recent`: other processes may use the same addresses. */
static inline uint32_t recent_slot_of(uint32_t process, unsigned kind, uint64_t id)
{
    return (objects_build_slot_of(kind, id) + process) % TT_OBJECT_SLOTS;
}

/* Returns whether a lane is that of an object of the current system. */
static inline bool is_object(const struct tt_timelines *timelines,
                             const struct tt_object_lane *lane, uint32_t process, unsigned kind,
                             uint64_t id)
{
    const struct tt_object *object = &lane->object;
    return object->id == id && object->process == process && object->kind == kind &&
           object->system == timelines->system.number;
}

/* Returns the process of a thread's objects; TT_NO_THREAD if they are those of the whole system. */
static uint32_t objects_build_process_of(const struct tt_timelines *timelines, uint32_t thread)
{
    bool of_process = timelines->system.ids_of_process;
    return of_process ? tt_thread_at(timelines->capture, thread)->process : TT_NO_THREAD;
}

/* Finds an object; NULL if there is none. */
static struct tt_object_lane *find_object(const struct tt_timelines *timelines,
                                          const struct tt_object *object)
{
    struct tt_probe probe;
    for (uint32_t n =
             tt_hash_first(&timelines->objects.by_id, objects_build_hash_of(object), &probe);
         n != TT_HASH_NONE; n = tt_hash_next(&timelines->objects.by_id, &probe)) {
        struct tt_object_lane *lane = object_at(timelines, n);
        if (is_object(timelines, lane, object->process, object->kind, object->id)) {
            return lane;
        }
    }
    return NULL;
}

/* Returns an object, added if needed; NULL when out of memory. */
static struct tt_object_lane *objects_build_object_of(struct tt_timelines *timelines,
                                                      uint32_t thread, unsigned kind, uint64_t id)
{
    struct tt_object object = {.id = id,
                               .process = objects_build_process_of(timelines, thread),
                               .kind = (uint8_t)kind,
                               .system = timelines->system.number};
    struct tt_object_lane **recent =
        &timelines->objects.recent[recent_slot_of(object.process, kind, id)];
    if (!*recent || !is_object(timelines, *recent, object.process, kind, id)) {
        struct tt_object_lane *found = find_object(timelines, &object);
        *recent = found ? found : tt_object_add(&timelines->objects, &object);
    }
    return *recent;
}

/* Returns the request of a thread, added if needed; NULL when out of memory. */
static struct tt_object_request *objects_build_request_of(struct tt_timelines *timelines,
                                                          uint32_t thread)
{
    struct tt_object_lanes *objects = &timelines->objects;
    while (objects->request_at.count <= thread) {
        struct tt_object_request *request = tt_column_next(&objects->requests);
        if (!request || !tt_column_index_add(&objects->request_at, request, sizeof *request)) {
            return NULL;
        }
        tt_column_publish(&objects->requests);
    }
    return tt_column_index_at(&objects->request_at, thread);
}

/* ---- waits -------------------------------------------------------------------------------- */

/* Begins a chunk of the steps with a step. */
static TT_RARE bool append_chunk(struct tt_timelines *timelines, struct tt_object_lane *lane,
                                 uint64_t time, uint32_t step)
{
    return tt_track_append(&lane->steps, &timelines->arena, time, step, NULL);
}

static inline bool objects_build_append(struct tt_timelines *timelines, struct tt_object_lane *lane,
                                        uint64_t time, uint32_t step)
{
    /* A state that was announced is older than what was recorded before the announcement. */
    uint64_t last = tt_track_is_empty(&lane->steps) ? 0 : tt_track_last_time(&lane->steps);
    time = time > last ? time : last;
    if (tt_track_needs_sums(&lane->steps, time)) {
        return append_chunk(timelines, lane, time, step);
    }
    tt_track_put(&lane->steps, time, step, false, 0);
    return true;
}

/* Adds a wait, unless the thread's number is too large for a step. */
static inline bool objects_build_add_wait(struct tt_timelines *timelines,
                                          struct tt_object_lane *lane, uint64_t time,
                                          uint32_t thread)
{
    if (thread >= OBJECT_RELEASE) {
        return true;
    }
    if (lane->waits++ == 0 && is_held(lane->object.kind)) {
        timelines->objects.awaited[objects_build_slot_of(lane->object.kind, lane->object.id)]++;
    }
    return objects_build_append(timelines, lane, time, thread);
}

/* Removes a wait of a lane that has one. */
static void remove_wait(struct tt_timelines *timelines, struct tt_object_lane *lane)
{
    if (--lane->waits == 0 && is_held(lane->object.kind)) {
        timelines->objects.awaited[objects_build_slot_of(lane->object.kind, lane->object.id)]--;
    }
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
static void compare_owner(const struct tt_timelines *timelines, struct tt_object_lane *lane,
                          uint32_t thread, uint32_t cpu)
{
    const struct tt_capture *capture = timelines->capture;
    bool known = lane->owner != TT_NO_THREAD && thread < tt_thread_count(capture);
    bool differs = known && capture->format->refers.is_owner &&
                   !capture->format->refers.is_owner(capture, thread, lane->owner);
    set_owner(lane, TT_NO_THREAD);
    lane->disputed = differs ? cpu + 1 : 0;
}

void tt_objects_left(struct tt_timelines *timelines, const struct tt_lane *waiter,
                     const struct tt_action *action)
{
    struct tt_object_request *request =
        tt_column_index_at(&timelines->objects.request_at, waiter->thread);
    struct tt_object_lane *lane = request ? object_at(timelines, request->awaited - 1) : NULL;
    if (!lane) {
        return;
    }
    request->awaited = 0;
    bool valid = request->loss == timelines->objects.loss;
    unsigned class_ = tt_state_class(timelines, action->state);
    if (valid && lane->disputed == action->cpu + UINT32_C(1) &&
        (class_ == TT_CLASS_READY || class_ == TT_CLASS_RUNNING)) {
        tt_timelines_health(timelines, TT_HEALTH_LOCK_OWNER, action->pos, 0, NULL);
    }
    set_owner(lane, TT_NO_THREAD);
}

/* ---- actions ------------------------------------------------------------------------------- */

static inline bool is_kind(unsigned kind)
{
    return kind != TT_OBJECT_NONE && kind < TT_OBJECT_KINDS;
}

/* Notes that the thread of the action requests an object. */
static inline bool set_request(const struct tt_timelines *timelines, const struct tt_action *action,
                               struct tt_object_request *request, struct tt_object_lane *lane)
{
    bool held = is_held(action->state);
    if (request->loss != timelines->objects.loss || !held) {
        request->held = request->other = 0;
        request->loss = timelines->objects.loss;
    }
    request->awaited = 0;
    if (!held) {
        request->other = lane->number + 1;
        return true;
    }
    request->held = lane->number + 1;
    request->has_owner = action->other != TT_NO_THREAD;
    if (request->has_owner) {
        set_owner(lane, action->other);
    }
    return true;
}

/* Handles the first request of a thread, or one of another object than those of `recent`. */
static TT_RARE bool request_another(struct tt_timelines *timelines, const struct tt_action *action)
{
    if (action->thread >= tt_thread_count(timelines->capture)) {
        return true;
    }
    struct tt_object_lane *lane =
        objects_build_object_of(timelines, action->thread, action->state, action->value);
    struct tt_object_request *request =
        lane ? objects_build_request_of(timelines, action->thread) : NULL;
    return request && set_request(timelines, action, request, lane);
}

bool tt_objects_request(struct tt_timelines *timelines, const struct tt_action *action)
{
    if (!is_kind(action->state)) {
        return true;
    }
    struct tt_object_request *request =
        tt_column_index_at(&timelines->objects.request_at, action->thread);
    const struct tt_thread *record = tt_column_index_at(&timelines->thread_at, action->thread);
    if (!request || !record) {
        return request_another(timelines, action);
    }
    uint32_t process = timelines->system.ids_of_process ? record->process : TT_NO_THREAD;
    struct tt_object_lane *lane =
        timelines->objects.recent[recent_slot_of(process, action->state, action->value)];
    return lane && is_object(timelines, lane, process, action->state, action->value)
               ? set_request(timelines, action, request, lane)
               : request_another(timelines, action);
}

/* Finds the only other object of the same address that has waiters, and sets `shared`. */
static void set_shared(struct tt_timelines *timelines, const struct tt_action *action,
                       const struct tt_object *object)
{
    uint32_t found = TT_NO_OBJECT;
    struct tt_probe probe;
    uint64_t address = tt_hash_of_pair(object->kind, object->id);
    for (uint32_t n = tt_hash_first(&timelines->objects.by_address, address, &probe);
         n != TT_HASH_NONE; n = tt_hash_next(&timelines->objects.by_address, &probe)) {
        const struct tt_object_lane *lane = object_at(timelines, n);
        if (lane->object.id != object->id || lane->object.kind != object->kind ||
            lane->object.system != object->system || lane->waits == 0) {
            continue;
        }
        if (found != TT_NO_OBJECT) {
            return;
        }
        found = n;
    }
    timelines->objects.shared = (struct tt_object_shared){
        .time = action->ticks, .object = found, .thread = action->thread, .cpu = action->cpu};
}

bool tt_objects_confirm(struct tt_timelines *timelines, const struct tt_lane *waiter,
                        const struct tt_action *action)
{
    const struct tt_object_shared *shared = &timelines->objects.shared;
    struct tt_object_lane *lane = object_at(timelines, shared->object);
    bool wakes = tt_state_class(timelines, action->state) == TT_CLASS_READY &&
                 action->cpu == shared->cpu && tt_lane_has_begun(waiter) &&
                 is_held(timelines->object_kind[VALUE_STATE(waiter->states.value)]);
    if (!lane || !wakes || lane->waits == 0 ||
        tt_thread_at(timelines->capture, waiter->thread)->process != lane->object.process) {
        return true;
    }
    remove_wait(timelines, lane);
    const struct tt_object_request *request =
        tt_column_index_at(&timelines->objects.request_at, waiter->thread);
    if (request && request->awaited == shared->object + 1) {
        compare_owner(timelines, lane, shared->thread, shared->cpu);
    }
    timelines->objects.shared.object = TT_NO_OBJECT;
    return objects_build_append(timelines, lane, shared->time, OBJECT_RELEASE | shared->thread);
}

/* Handles the release of an address that threads of some process may wait for. */
static TT_RARE bool release_awaited(struct tt_timelines *timelines, const struct tt_action *action)
{
    if (action->thread >= tt_thread_count(timelines->capture)) {
        return true;
    }
    struct tt_object object = {.id = action->value,
                               .process = objects_build_process_of(timelines, action->thread),
                               .kind = (uint8_t)action->state,
                               .system = timelines->system.number};
    struct tt_object_lane *lane = find_object(timelines, &object);
    timelines->objects.shared.object = TT_NO_OBJECT;
    if (!lane || lane->waits == 0) {
        set_shared(timelines, action, &object);
        return true;
    }
    remove_wait(timelines, lane);
    compare_owner(timelines, lane, action->thread, action->cpu);
    return objects_build_append(timelines, lane, action->ticks, OBJECT_RELEASE | action->thread);
}

bool tt_objects_release(struct tt_timelines *timelines, const struct tt_action *action)
{
    if (!is_kind(action->state) || !is_held(action->state)) {
        return true;
    }
    if (timelines->objects.awaited[objects_build_slot_of(action->state, action->value)] != 0 ||
        action->thread >= timelines->lane_at.count) {
        return release_awaited(timelines, action);
    }
    timelines->objects.shared.object = TT_NO_OBJECT;
    return true;
}

/* Takes the object of a kind that the thread requested; NULL if there is none. */
static inline struct tt_object_lane *pop_request(const struct tt_timelines *timelines,
                                                 uint32_t thread, unsigned kind)
{
    struct tt_object_request *request = tt_column_index_at(&timelines->objects.request_at, thread);
    if (!request || request->loss != timelines->objects.loss) {
        return NULL;
    }
    bool held = is_held(kind);
    uint32_t number = held ? request->held : request->other;
    struct tt_object_lane *lane = object_at(timelines, number - 1);
    request->held = held ? 0 : request->held;
    request->other = held ? request->other : 0;
    if (!lane || lane->object.kind != kind) {
        return NULL;
    }
    if (held) {
        request->awaited = number;
        if (!request->has_owner) {
            set_owner(lane, TT_NO_THREAD);
        }
    }
    return lane;
}

/* Handles a wait for an object that no request names. */
static TT_RARE bool wait_for_unnamed(struct tt_timelines *timelines, uint32_t thread, uint64_t time,
                                     unsigned kind)
{
    struct tt_object_lane *lane = objects_build_object_of(timelines, thread, kind, TT_NO_OBJECT_ID);
    return lane && objects_build_add_wait(timelines, lane, time, thread);
}

bool tt_objects_wait(struct tt_timelines *timelines, uint32_t thread, uint64_t time, unsigned kind)
{
    struct tt_object_lane *lane = pop_request(timelines, thread, kind);
    return lane ? objects_build_add_wait(timelines, lane, time, thread)
                : wait_for_unnamed(timelines, thread, time, kind);
}

void tt_objects_lost(struct tt_timelines *timelines)
{
    timelines->objects.loss++;
    timelines->objects.shared.object = TT_NO_OBJECT;
}
