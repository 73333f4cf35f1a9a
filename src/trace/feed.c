/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/feed.h"

#include <stddef.h>
#include <string.h>

#include "base/bits.h"
#include "trace/sort_actions.h"

/* A block of more ascending stretches is sorted before it is held. */
#define STRETCHES_MAX 16u

void tt_feed_free(struct tt_feed *feed)
{
    tt_hold_free(&feed->hold);
    *feed = (struct tt_feed){0};
}

/* ---- what is in a batch ------------------------------------------------------------------- */

/* Slices are called what their event is, where the action does not say otherwise. */
#define NAMED_KINDS                                                                                \
    (UINT64_C(1) << TT_ACTION_SLICE_BEGIN | UINT64_C(1) << TT_ACTION_SLICE_END |                   \
     UINT64_C(1) << TT_ACTION_SLICE | UINT64_C(1) << TT_ACTION_ASYNC_BEGIN |                       \
     UINT64_C(1) << TT_ACTION_ASYNC_END)

/* Events that the programs put there: rare, and what a person looks for first. */
#define NOTE_KINDS                                                                                 \
    (UINT64_C(1) << TT_KIND_USER | UINT64_C(1) << TT_KIND_LOG | UINT64_C(1) << TT_KIND_INSTANT)

/*
 * Of which kind the next action is, whether it is wanted: none of that can be foreseen. So in here
 * each is written, and kept by a step, not a branch. Notes are few.
 */
#define NOTES_MOST 64u /* events that are looked at for notes at once: a bit each */

struct collector {
    const struct tt_batch *batch;
    uint64_t kinds;                /* that are wanted */
    struct tt_timed_action *timed; /* where the next one goes */
    uint32_t last_event;           /* of an action */
    bool ascending;
};

/* Writes the action; returns the place behind it if its kind is wanted. */
static inline struct tt_timed_action *put(const struct collector *c, struct tt_timed_action *timed,
                                          const struct tt_action *action)
{
    const struct tt_event *event = &c->batch->events[action->event];
    uint32_t unnamed =
        (uint32_t)(NAMED_KINDS >> action->kind & 1u) & (uint32_t)(action->other == TT_NO_THREAD);
    uint32_t other = action->other;
    timed->ticks = event->ticks;
    timed->pos = event->pos;
    memcpy(&timed->action, action, sizeof timed->action);
    timed->action.other = other ^ ((other ^ event->type) & (0u - unnamed));
    return timed + (c->kinds >> action->kind & 1u);
}

_Static_assert(offsetof(struct tt_action, event) == sizeof(struct tt_deed) &&
                   offsetof(struct tt_action, other) == offsetof(struct tt_deed, other) &&
                   offsetof(struct tt_action, state) == offsetof(struct tt_deed, state) &&
                   offsetof(struct tt_action, flags) == offsetof(struct tt_deed, flags),
               "an action begins with what it says");

/* Which of the events [from, to), at most NOTES_MOST, have a note: bit 0 is the first one's. */
static uint64_t find_notes(const struct tt_batch *batch, uint32_t from, uint32_t to)
{
    const struct tt_event *events = batch->events + from;
    uint64_t notes = 0;
    for (uint32_t i = 0; i < to - from; i++) {
        notes |= (NOTE_KINDS >> events[i].kind & (events[i].thread != TT_NO_THREAD)) << i;
    }
    return notes;
}

static void put_note(struct collector *c, uint32_t number)
{
    const struct tt_event *event = &c->batch->events[number];
    *c->timed++ = (struct tt_timed_action){.ticks = event->ticks,
                                           .pos = event->pos,
                                           .action = {.kind = TT_ACTION_NOTE,
                                                      .thread = event->thread,
                                                      .other = event->type,
                                                      .cpu = event->cpu,
                                                      .priority = TT_NO_PRIORITY}};
}

/* Puts the actions from `action` on up to the first of an event that is not before `to`; returns
 * where it stopped. */
static const struct tt_action *put_before(struct collector *c, const struct tt_action *action,
                                          const struct tt_action *end, uint32_t to)
{
    struct tt_timed_action *timed = c->timed;
    uint32_t last = c->last_event, back = 0;
    for (; action < end && (action->event < to || action->event >= c->batch->count); action++) {
        if (action->event < to) {
            back |= action->event < last;
            last = action->event;
            timed = put(c, timed, action);
        }
    }
    c->timed = timed;
    c->last_event = last;
    c->ascending &= back == 0;
    return action;
}

size_t tt_feed_collect(const struct tt_batch *batch, struct tt_feed_from from,
                       struct tt_timed_action *timed, bool *ascending)
{
    struct collector c = {batch, tt_timelines_kinds(), timed, from.event, from.ascending};
    const struct tt_action *action = batch->actions + from.action;
    const struct tt_action *end = batch->actions + batch->action_count;
    for (uint32_t at = from.event, to; at < batch->count; at = to) {
        to = batch->count - at > NOTES_MOST ? at + NOTES_MOST : batch->count;
        /* Each event's actions come first, then its note. */
        for (uint64_t notes = find_notes(batch, at, to); notes != 0; notes &= notes - 1) {
            uint32_t noted = at + tt_lowest_bit(notes);
            action = put_before(&c, action, end, noted + 1);
            c.last_event = noted;
            put_note(&c, noted);
        }
        action = put_before(&c, action, end, to);
    }
    *ascending = c.ascending;
    return (size_t)(c.timed - timed);
}

/* ---- feeding ------------------------------------------------------------------------------ */

/* Feeds the first `count` of what is held. */
static bool release(struct tt_feed *feed, size_t count)
{
    while (count > 0) {
        const struct tt_timed_action *actions;
        size_t some = tt_hold_next(&feed->hold, count, &actions);
        if (!tt_timelines_feed(feed->timelines, actions, some)) {
            return false;
        }
        feed->fed = (struct tt_key){actions[some - 1].ticks, actions[some - 1].pos};
        tt_hold_pass(&feed->hold, some);
        count -= some;
    }
    return true;
}

struct stretches {
    size_t ends[STRETCHES_MAX];
    size_t count;
    struct tt_key least; /* of all keys */
};

/* False when there are too many. Of no actions at all there are none. */
static bool find_stretches(const struct tt_timed_action *timed, size_t count, struct stretches *s)
{
    s->count = 0;
    for (size_t at = 0; at < count; at = s->ends[s->count++]) {
        struct tt_key key = {timed[at].ticks, timed[at].pos};
        if (s->count == STRETCHES_MAX) {
            return false;
        }
        if (s->count == 0 || tt_key_before(key, s->least)) {
            s->least = key;
        }
        s->ends[s->count] = tt_stretch_end(timed, count, at);
    }
    return true;
}

static void take_as_one(const struct tt_timed_action *timed, size_t count, struct stretches *s)
{
    s->count = count > 0;
    s->ends[0] = count;
    s->least = count > 0 ? (struct tt_key){timed[0].ticks, timed[0].pos} : s->least;
}

bool tt_feed_batch(struct tt_feed *feed, const struct tt_batch *batch, struct tt_feed_from from)
{
    if (feed->late) {
        return true;
    }
    struct tt_timed_action *timed = tt_hold_room(&feed->hold, tt_feed_most(batch, from));
    if (!timed) {
        return false;
    }
    bool ascending;
    size_t count = tt_feed_collect(batch, from, timed, &ascending);
    struct stretches s;
    if (ascending) {
        take_as_one(timed, count, &s);
    } else if (!find_stretches(timed, count, &s) &&
               !(tt_sort_actions(timed, count) && find_stretches(timed, count, &s))) {
        return false;
    }
    if (count > 0 && tt_key_before(s.least, feed->fed)) {
        feed->late = true;
        return true;
    }
    for (size_t i = 0, at = 0; i < s.count; at = s.ends[i++]) {
        if (!tt_hold_take(&feed->hold, s.ends[i] - at)) {
            return false;
        }
    }
    return from.goes_on || feed->hold.count <= TT_FEED_WINDOW ||
           release(feed, feed->hold.count - TT_FEED_WINDOW);
}

bool tt_feed_release(struct tt_feed *feed, uint64_t until, size_t keep)
{
    size_t most = feed->hold.count > keep ? feed->hold.count - keep : 0;
    size_t before = feed->late || most == 0 ? 0 : tt_hold_before(&feed->hold, until);
    return release(feed, before < most ? before : most);
}

bool tt_feed_finish(struct tt_feed *feed)
{
    return feed->late || release(feed, feed->hold.count);
}
