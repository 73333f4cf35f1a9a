/* SPDX-License-Identifier: Apache-2.0 */
#include "trace/feed.h"

#include <stdlib.h>
#include <string.h>

void tt_feed_free(struct tt_feed *feed)
{
    free(feed->window);
    free(feed->block);
    memset(feed, 0, sizeof *feed);
}

static bool before(const struct tt_timed_action *a, const struct tt_timed_action *b)
{
    return a->ticks != b->ticks ? a->ticks < b->ticks : a->pos < b->pos;
}

bool tt_feed_grow(struct tt_timed_action **actions, size_t *capacity, size_t need)
{
    if (need <= *capacity) {
        return true;
    }
    size_t room = *capacity ? *capacity : 1024;
    while (room < need) {
        room *= 2;
    }
    struct tt_timed_action *grown = realloc(*actions, room * sizeof *grown);
    if (!grown) {
        return false;
    }
    *actions = grown;
    *capacity = room;
    return true;
}

/* Actions of one event share its key: their order in the batch (kept in `event`) decides. */
static int compare(const void *x, const void *y)
{
    const struct tt_timed_action *a = x, *b = y;
    if (before(a, b)) {
        return -1;
    }
    if (before(b, a)) {
        return 1;
    }
    return (a->action.event > b->action.event) - (a->action.event < b->action.event);
}

/* Slices are called what their event is, where the action does not say otherwise. */
static bool is_named(unsigned kind)
{
    return kind >= TT_ACTION_SLICE_BEGIN && kind <= TT_ACTION_ASYNC_END;
}

/* Events that the programs put there: rare, and what a person looks for first. */
static bool is_note(const struct tt_event *event)
{
    const uint64_t kinds =
        UINT64_C(1) << TT_KIND_USER | UINT64_C(1) << TT_KIND_LOG | UINT64_C(1) << TT_KIND_INSTANT;
    return kinds >> event->kind & 1u && event->thread != TT_NO_THREAD;
}

static struct tt_timed_action note_of(const struct tt_event *event)
{
    struct tt_timed_action note = {.ticks = event->ticks, .pos = event->pos};
    note.action = (struct tt_action){.kind = TT_ACTION_NOTE,
                                     .event = UINT32_MAX,
                                     .thread = event->thread,
                                     .other = event->type,
                                     .cpu = event->cpu,
                                     .priority = TT_NO_PRIORITY};
    return note;
}

/* Puts the notes of the events [from, to) at `timed`; returns the place behind them. */
static struct tt_timed_action *put_notes(const struct tt_batch *batch, uint32_t from, uint32_t to,
                                         struct tt_timed_action *timed)
{
    for (uint32_t i = from; i < to; i++) {
        if (is_note(&batch->events[i])) {
            *timed++ = note_of(&batch->events[i]);
        }
    }
    return timed;
}

static bool is_sorted(const struct tt_timed_action *actions, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        if (before(&actions[i], &actions[i - 1])) {
            return false;
        }
    }
    return true;
}

/* Each event's actions come first, then its note: mostly that is their order already. */
bool tt_feed_collect(const struct tt_batch *batch, struct tt_feed_from from,
                     struct tt_timed_action **actions, size_t *count, size_t *capacity)
{
    const uint64_t kinds = tt_timelines_kinds();
    *count = 0;
    size_t most = (size_t)(batch->action_count - from.action) + (batch->count - from.event);
    if (!tt_feed_grow(actions, capacity, most)) {
        return false;
    }
    struct tt_timed_action *timed = *actions;
    uint32_t noted = from.event;
    for (uint32_t i = from.action; i < batch->action_count; i++) {
        const struct tt_action *action = &batch->actions[i];
        if ((kinds >> action->kind & 1) == 0 || action->event >= batch->count) {
            continue;
        }
        if (noted < action->event) {
            timed = put_notes(batch, noted, action->event, timed);
            noted = action->event;
        }
        const struct tt_event *event = &batch->events[action->event];
        timed->action = *action;
        timed->ticks = event->ticks;
        timed->pos = event->pos;
        timed->action.event = i;
        if (is_named(action->kind) && action->other == TT_NO_THREAD) {
            timed->action.other = event->type;
        }
        timed++;
    }
    timed = put_notes(batch, noted, batch->count, timed);
    *count = (size_t)(timed - *actions);
    if (!is_sorted(*actions, *count)) {
        qsort(*actions, *count, sizeof **actions, compare);
    }
    return true;
}

/* Feeds the first `count` of the window. */
static bool release(struct tt_feed *feed, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!tt_timelines_feed(feed->timelines, &feed->window[i])) {
            return false;
        }
    }
    if (count == 0) {
        return true;
    }
    feed->fed.ticks = feed->window[count - 1].ticks;
    feed->fed.pos = feed->window[count - 1].pos;
    feed->count -= count;
    memmove(feed->window, feed->window + count, feed->count * sizeof *feed->window);
    return true;
}

/* Merges the block into the window from behind; usually it only goes to its end. */
static bool merge_block(struct tt_feed *feed)
{
    if (!tt_feed_grow(&feed->window, &feed->capacity, feed->count + feed->block_count)) {
        return false;
    }
    size_t old = feed->count, fresh = feed->block_count, at = old + fresh;
    while (fresh > 0) {
        if (old > 0 && before(&feed->block[fresh - 1], &feed->window[old - 1])) {
            feed->window[--at] = feed->window[--old];
        } else {
            feed->window[--at] = feed->block[--fresh];
        }
    }
    feed->count += feed->block_count;
    return true;
}

bool tt_feed_batch(struct tt_feed *feed, const struct tt_batch *batch, struct tt_feed_from from)
{
    return feed->late ||
           (tt_feed_collect(batch, from, &feed->block, &feed->block_count, &feed->block_capacity) &&
            tt_feed_take(feed));
}

bool tt_feed_take(struct tt_feed *feed)
{
    if (feed->late || feed->block_count == 0) {
        return true;
    }
    struct tt_key first = {feed->block[0].ticks, feed->block[0].pos};
    if (tt_key_before(first, feed->fed)) {
        feed->late = true;
        return true;
    }
    if (!merge_block(feed)) {
        return false;
    }
    return feed->count <= TT_FEED_WINDOW || release(feed, feed->count / 2);
}

bool tt_feed_release(struct tt_feed *feed, uint64_t until, size_t keep)
{
    size_t low = 0, high = feed->count > keep ? feed->count - keep : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (feed->window[middle].ticks < until) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return feed->late || release(feed, low);
}

bool tt_feed_finish(struct tt_feed *feed)
{
    return feed->late || release(feed, feed->count);
}
