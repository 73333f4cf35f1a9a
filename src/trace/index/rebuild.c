/* SPDX-License-Identifier: Apache-2.0 */
/* Building timelines a second time, from the merged order of all blocks. */
#include <stdlib.h>
#include <string.h>

#include "trace/index/feed.h"
#include "trace/index/index.h"
#include "trace/index/sort_actions.h"

/* One run's part in the merge: the actions of its current block. */
struct strand {
    const struct tt_run *run;
    size_t next; /* block of the run that comes after this one */
    struct tt_action *actions;
    size_t count;
    size_t capacity;
    size_t at;
};

struct again {
    const struct tt_index *index;
    struct tt_cursor *cursor;
    struct tt_batch batch;
    uint64_t limit;
    struct strand *strands; /* a heap by the key of the next action */
    size_t count;
    uint64_t lost; /* when the latest loss was */
};

static void decode_guarded(void *arg)
{
    struct again *again = arg;
    const struct tt_format *format = again->index->capture->format;
    format->decode(again->cursor, again->limit, true, &again->batch);
}

static bool grow_strand(struct strand *strand, size_t need)
{
    if (need > strand->capacity) {
        free(strand->actions);
        strand->capacity = 0;
        strand->actions = malloc(2 * need * sizeof *strand->actions);
        if (!strand->actions) {
            return false;
        }
        strand->capacity = 2 * need;
    }
    return true;
}

/* Loads blocks of the strand's run until there is an action; false when out of memory. */
static bool load_strand(struct again *again, struct strand *strand)
{
    const struct tt_format *format = again->index->capture->format;
    strand->at = strand->count = 0;
    while (strand->count == 0 && strand->next < strand->run->count) {
        const struct tt_block *block =
            tt_column_at(&again->index->blocks, strand->run->ranges[strand->next++].block);
        format->cursor_load(again->cursor, block->blob, block->blob_size);
        again->batch.count = again->batch.action_count = 0;
        if (!tt_sigbus_guard(decode_guarded, again)) {
            continue;
        }
        size_t count = again->batch.action_count;
        if (count == 0) {
            continue;
        }
        if (!grow_strand(strand, count)) {
            return false;
        }
        strand->count = count;
        memcpy(strand->actions, again->batch.actions, count * sizeof *strand->actions);
        if (!tt_sort_actions(strand->actions, strand->count)) {
            return false;
        }
    }
    return true;
}

static bool strand_before(const struct strand *a, const struct strand *b)
{
    const struct tt_action *x = &a->actions[a->at], *y = &b->actions[b->at];
    return x->ticks != y->ticks ? x->ticks < y->ticks : x->pos < y->pos;
}

static void sift_down(struct again *again, size_t at)
{
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < again->count; child++) {
            if (strand_before(&again->strands[child], &again->strands[least])) {
                least = child;
            }
        }
        if (least == at) {
            return;
        }
        struct strand t = again->strands[at];
        again->strands[at] = again->strands[least];
        again->strands[least] = t;
        at = least;
    }
}

static void drop_strand(struct again *again, size_t at)
{
    struct strand t = again->strands[at];
    again->strands[at] = again->strands[--again->count];
    again->strands[again->count] = t;
}

/*
 * A thread that lives after its process's end is another process's, whose beginning was lost; one
 * that dies then may be, if there was a loss since.
 */
static uint32_t living_lane(struct tt_capture *c, uint32_t thread, uint64_t ticks, bool lives,
                            uint64_t lost)
{
    const struct tt_thread *t = tt_thread_at(c, thread);
    const struct tt_process *p = tt_process_at(c, t->process);
    if (p->end_when >= ticks || (!lives && p->end_when >= lost)) {
        return thread;
    }
    uint64_t pid = p->pid, tid = t->tid;
    tt_registry_process_begin(c, pid, ticks);
    uint32_t found = tt_registry_thread(c, pid, tid, ticks);
    return found != UINT32_MAX ? found : thread;
}

/* Now that all ends and beginnings of processes are known, whose action is it? */
static void settle_lanes(struct again *again, struct tt_action *a)
{
    struct tt_capture *c = again->index->capture;
    again->lost = a->kind == TT_ACTION_LOST ? a->ticks : again->lost;
    if (a->kind == TT_ACTION_PROCESS_CREATE || a->kind == TT_ACTION_PROCESS_DESTROY) {
        if (a->value < tt_process_count(c)) {
            uint64_t pid = tt_process_at(c, (uint32_t)a->value)->pid;
            a->value = tt_registry_find_process(c, pid, a->ticks);
        }
        return;
    }
    a->thread = tt_registry_settle_or_add(c, a->thread, a->ticks);
    bool dies = a->kind == TT_ACTION_THREAD_DESTROY ||
                (a->kind == TT_ACTION_STATE && c->format->states[a->state].class_ == TT_CLASS_DEAD);
    if ((dies || a->kind == TT_ACTION_STATE) && a->thread < tt_thread_count(c)) {
        a->thread = living_lane(c, a->thread, a->ticks, !dies, again->lost);
    }
}

/* To the timelines, or, from `until` on, to what is held back. */
static bool take_action(struct tt_feed *feed, uint64_t until, const struct tt_action *action)
{
    if (feed->hold.count == 0 && action->ticks < until) {
        feed->fed = (struct tt_key){action->ticks, action->pos};
        return tt_timelines_feed(feed->timelines, action, 1);
    }
    if (until == UINT64_MAX) {
        return tt_timelines_feed(feed->timelines, action, 1);
    }
    struct tt_action *room = tt_reorder_room(&feed->hold, 1);
    if (!room) {
        return false;
    }
    *room = *action;
    return tt_reorder_take(&feed->hold, 1);
}

static bool merge_all(struct again *again, struct tt_feed *feed, uint64_t until)
{
    for (size_t i = again->count; i-- > 0;) {
        if (!load_strand(again, &again->strands[i])) {
            return false;
        }
        if (again->strands[i].count == 0) {
            drop_strand(again, i);
        }
    }
    for (size_t i = again->count / 2; i-- > 0;) {
        sift_down(again, i);
    }
    while (again->count > 0) {
        struct strand *strand = &again->strands[0];
        struct tt_action *action = &strand->actions[strand->at++];
        if (again->index->capture->lanes_by_time) {
            settle_lanes(again, action);
        }
        if (!take_action(feed, until, action)) {
            return false;
        }
        if (strand->at == strand->count) {
            if (!load_strand(again, strand)) {
                return false;
            }
            if (strand->count == 0) {
                drop_strand(again, 0);
            }
        }
        sift_down(again, 0);
    }
    return true;
}

struct tt_status tt_feed_rebuild(struct tt_index *index, struct tt_feed *feed, uint64_t until,
                                 uint64_t limit)
{
    const struct tt_format *format = index->capture->format;
    size_t runs = index->order.run_count;
    struct again again = {.index = index, .count = runs};
    again.limit = limit;
    tt_reorder_clear(&feed->hold);
    feed->late = false;
    again.cursor = format->cursor_new(index->capture, false);
    again.batch.events = malloc(TT_BLOCK_EVENTS * sizeof *again.batch.events);
    again.batch.actions = malloc(TT_BLOCK_ACTIONS * sizeof *again.batch.actions);
    again.batch.capacity = TT_BLOCK_EVENTS;
    again.batch.action_capacity = TT_BLOCK_ACTIONS;
    again.batch.byte_budget = TT_BLOCK_BYTES;
    again.batch.unwanted = ~tt_timelines_kinds();
    again.strands = calloc(runs ? runs : 1, sizeof *again.strands);
    bool ok = again.cursor && again.batch.events && again.batch.actions && again.strands;
    for (size_t i = 0; ok && i < runs; i++) {
        again.strands[i].run = &index->order.runs[i];
    }
    ok = ok && merge_all(&again, feed, until);
    for (size_t i = 0; again.strands && i < runs; i++) {
        free(again.strands[i].actions);
    }
    free(again.strands);
    free(again.batch.events);
    free(again.batch.actions);
    if (again.cursor) {
        format->cursor_free(again.cursor);
    }
    return ok ? tt_ok() : tt_error_memory();
}
