/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/causes/holder.h"

#include "analysis/causes/blocked_on.h"
#include "analysis/causes/ready.h"
#include "tracetui/objects.h"

#define EVENTS_AFTER 64u /* events read after a release, to find the thread that gets the lock */

/*
 * Finds the last release of an object in (from, at]; false if there is none. *until is the time of the
 * next one, or UINT64_MAX.
 */
static bool last_release(const struct tt_timelines *timelines, uint32_t object, uint64_t from,
                         uint64_t at, struct tt_object_step *last, uint64_t *until)
{
    struct tt_object_reader r;
    struct tt_object_step step;
    bool found = false;
    *until = UINT64_MAX;
    tt_object_read_from(&r, timelines, object, from + 1);
    while (*until == UINT64_MAX && tt_object_read(&r, &step)) {
        if (!step.is_release) {
            continue;
        }
        if (step.time > at) {
            *until = step.time;
        } else {
            *last = step;
            found = true;
        }
    }
    return found;
}

/* Returns whether the wait of a thread that ends at `end` ends by a release. */
static bool is_woken_by(struct tt_wakes *wakes, uint32_t thread, uint64_t end,
                        const struct tt_object_step *release, uint64_t id)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    struct tt_interval_at place;
    struct tt_wake wake;
    if (end == 0 || !tt_interval_find(timelines, thread, end - 1, &place)) {
        return false;
    }
    struct tt_interval wait = tt_interval_get(timelines, place);
    if (wait.class_ != TT_CLASS_LOCK || wait.end != end) {
        return false;
    }
    tt_wake_find(wakes, &wait, &wake);
    return wake.by == TT_WAKER_THREAD && wake.kind == TT_WAKE_UNLOCK && wake.object == id &&
           wake.waker == release->thread;
}

/* Finds the thread to which a release passes the lock `id`; TT_NO_THREAD if none is found. */
static uint32_t holder_find_next(struct tt_wakes *wakes, const struct tt_object_step *release,
                                 uint64_t id)
{
    struct tt_events *events = tt_wakes_events(wakes);
    struct tt_event list[EVENTS_AFTER];
    struct tt_clue clue;
    uint64_t row = tt_events_row_at_time(events, release->time);
    uint32_t count = tt_events_read(events, row, EVENTS_AFTER, list);
    for (uint32_t i = 0; i < count; i++) {
        tt_events_clue(events, &list[i], true, &clue);
        bool is_wake = clue.role == TT_CLUE_READY || clue.role == TT_CLUE_RUNS;
        if (is_wake && is_woken_by(wakes, clue.thread, list[i].ticks, release, id)) {
            return clue.thread;
        }
    }
    return TT_NO_THREAD;
}

/* Returns whether a release may be lost in (from, at]: a thread that is blocked releases nothing. */
static bool is_lost(struct tt_wakes *wakes, uint32_t holder, uint64_t from, uint64_t at)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    struct tt_interval_at place;
    uint64_t to = at;
    if (tt_interval_find(timelines, holder, at, &place) &&
        tt_class_is_blocked(tt_interval_get(timelines, place).class_)) {
        uint64_t begin = tt_wait_begin(timelines, place);
        to = begin < at ? begin : at;
    }
    return to > from && tt_wakes_lost(wakes, from, to);
}

/* Returns the end of the state of a thread at `at`. */
static uint64_t end_of_state(const struct tt_timelines *timelines, uint32_t thread, uint64_t at)
{
    struct tt_interval_at place;
    struct tt_interval i = {.open = true};
    if (tt_interval_find(timelines, thread, at, &place)) {
        i = tt_interval_get(timelines, place);
    }
    return i.open || i.end <= at ? UINT64_MAX : i.end;
}

uint32_t tt_holder_at(struct tt_wakes *wakes, const struct tt_interval *blocked, uint32_t thread,
                      uint64_t at, uint64_t *until)
{
    const struct tt_timelines *timelines = tt_wakes_timelines(wakes);
    uint32_t object = tt_object_waited_for(timelines, blocked->thread, blocked->start);
    struct tt_object_step release;
    uint32_t holder = thread;
    uint64_t from = blocked->start, loss;
    *until = UINT64_MAX;
    tt_wakes_search_in(wakes, blocked->thread);
    if (object == TT_NO_OBJECT) {
        return thread;
    }
    struct tt_object lock = tt_object_at(timelines, object);
    if (lock.id == TT_NO_OBJECT_ID || !tt_object_kind_is_held(lock.kind)) {
        return thread;
    }
    if (last_release(timelines, object, from, at, &release, until)) {
        holder = holder_find_next(wakes, &release, lock.id);
        from = release.time;
    }
    if (at < UINT64_MAX && tt_loss_of(timelines, thread, at + 1, *until, &loss) && loss > at) {
        *until = tt_earlier(*until, loss);
    }
    if (holder == TT_NO_THREAD || is_lost(wakes, holder, from, at)) {
        return TT_NO_THREAD;
    }
    if (tt_object_waited_for(timelines, holder, at) == object) {
        *until = tt_earlier(*until, end_of_state(timelines, holder, at));
        return TT_NO_THREAD;
    }
    return holder;
}
