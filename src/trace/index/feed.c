/* SPDX-License-Identifier: Apache-2.0 */
/* Feeding the timelines through the reorder buffer. */
#include "trace/index/feed.h"

#include <string.h>

#include "trace/index/index.h"
#include "trace/index/sort_actions.h"

/* A part with more ascending stretches is sorted first. */
#define STRETCHES_MAX 16u

void tt_feed_free(struct tt_feed *feed)
{
    tt_reorder_free(&feed->reorder);
    *feed = (struct tt_feed){0};
}

/* ---- feeding ------------------------------------------------------------------------------ */

/* Feeds the earliest `count` actions. */
static bool feed_release(struct tt_feed *feed, size_t count)
{
    while (count > 0) {
        const struct tt_action *actions;
        size_t some = tt_reorder_next(&feed->reorder, count, &actions);
        if (!tt_timelines_feed(feed->timelines, actions, some)) {
            return false;
        }
        feed->fed = (struct tt_key){actions[some - 1].ticks, actions[some - 1].pos};
        tt_reorder_pass(&feed->reorder, some);
        count -= some;
    }
    return true;
}

struct stretches {
    size_t ends[STRETCHES_MAX];
    size_t count;
    struct tt_key min; /* smallest key */
};

/* Returns false if there are more than STRETCHES_MAX. */
static bool feed_find_stretches(const struct tt_action *actions, size_t count,
                                struct stretches *stretches)
{
    stretches->count = 0;
    for (size_t at = 0; at < count; at = stretches->ends[stretches->count++]) {
        struct tt_key key = {actions[at].ticks, actions[at].pos};
        if (stretches->count == STRETCHES_MAX) {
            return false;
        }
        if (stretches->count == 0 || tt_key_before(key, stretches->min)) {
            stretches->min = key;
        }
        stretches->ends[stretches->count] = tt_stretch_end(actions, count, at);
    }
    return true;
}

/* Makes the part's actions the room of the reorder buffer; returns NULL when out of memory. */
static struct tt_action *claim_actions(struct tt_reorder *reorder, const struct tt_feed_part *part)
{
    if (part->array) {
        struct tt_action *array = *part->array;
        size_t from = (size_t)(part->actions - array);
        return tt_reorder_adopt(reorder, part->array, TT_BLOCK_ACTIONS, from) ? array + from : NULL;
    }
    struct tt_action *room = tt_reorder_reserve(reorder, part->count);
    if (room) {
        memcpy(room, part->actions, part->count * sizeof *room);
    }
    return room;
}

bool tt_feed_add(struct tt_feed *feed, const struct tt_feed_part *part)
{
    size_t count = part->count;
    if (feed->late) {
        return true;
    }
    struct tt_action *actions = claim_actions(&feed->reorder, part);
    if (!actions) {
        return false;
    }
    struct stretches s;
    if (part->ascending) {
        s.count = count > 0;
        s.ends[0] = count;
        s.min = count > 0 ? (struct tt_key){actions[0].ticks, actions[0].pos} : s.min;
    } else if (!feed_find_stretches(actions, count, &s) &&
               !(tt_sort_actions(actions, count) && feed_find_stretches(actions, count, &s))) {
        return false;
    }
    if (count > 0 && tt_key_before(s.min, feed->fed)) {
        feed->late = true;
        return true;
    }
    for (size_t i = 0, at = 0; i < s.count; at = s.ends[i++]) {
        if (!tt_reorder_add(&feed->reorder, s.ends[i] - at)) {
            return false;
        }
    }
    return part->incomplete || feed->reorder.count <= TT_FEED_WINDOW ||
           feed_release(feed, feed->reorder.count - TT_FEED_WINDOW);
}

bool tt_feed_release(struct tt_feed *feed, uint64_t until, size_t keep)
{
    size_t most = feed->reorder.count > keep ? feed->reorder.count - keep : 0;
    size_t before = feed->late || most == 0 ? 0 : tt_reorder_before(&feed->reorder, until);
    return feed_release(feed, before < most ? before : most);
}

bool tt_feed_finish(struct tt_feed *feed)
{
    return feed->late || feed_release(feed, feed->reorder.count);
}
