/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rebuilding the timelines from a k-way merge of all runs.
 *
 * Where each CPU has a stream of its own (QNX 8.0), a loss of one appears with its next event, after events
 * of other CPUs that happened meanwhile. Losses are therefore searched first, and begin in their place:
 *
 *      CPU 0     x  x  x  x  x  x  x  x       states of threads are known at these instants only,
 *      CPU 1     x  x . . . . . . . . x       except on a CPU that is not lost
 *                   ^ begin           ^ TT_ACTION_LOST
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/heap.h"
#include "trace/index/feed.h"
#include "trace/index/index.h"
#include "trace/index/sort_actions.h"
#include "tracetui/merge.h"

/* Input of the merge from one run: the actions of its current block. */
struct input {
    const struct tt_run *run;
    size_t next; /* index of the next block in the run */
    struct tt_action *actions;
    size_t count;
    size_t capacity;
    size_t at;
};

struct merge {
    const struct tt_index *index;
    struct tt_cursor *cursor;
    struct tt_batch batch;
    uint64_t limit;
    struct input *inputs; /* heap by the key of the next action */
    size_t count;
    uint64_t lost[TT_MERGE_MOST]; /* time of the latest loss, by member of a merged capture */
    struct tt_action *losses;     /* of one CPU's stream, by begin */
    size_t loss_count;
    size_t loss_capacity;
    size_t loss_at; /* the next one to begin */
};

static void rebuild_decode_guarded(void *arg)
{
    struct merge *merge = arg;
    const struct tt_format *format = merge->index->capture->format;
    format->decode(merge->cursor, merge->limit, true, &merge->batch);
}

/* Loads blocks of the input's run until one has an action; returns false when out of memory. */
static bool load_input(struct merge *merge, struct input *input)
{
    const struct tt_format *format = merge->index->capture->format;
    input->at = input->count = 0;
    while (input->count == 0 && input->next < input->run->count) {
        const struct tt_block *block =
            tt_column_at(&merge->index->blocks, input->run->ranges[input->next++].block);
        format->cursor_load(merge->cursor, block->blob, block->blob_size);
        merge->batch.count = merge->batch.action_count = 0;
        if (!tt_sigbus_guard(rebuild_decode_guarded, merge)) {
            continue;
        }
        size_t count = merge->batch.action_count;
        if (count == 0) {
            continue;
        }

        if (count > input->capacity) {
            free(input->actions);
            input->capacity = 0;
            input->actions = malloc(2 * count * sizeof *input->actions);
            if (!input->actions) {
                return false;
            }
            input->capacity = 2 * count;
        }

        input->count = count;
        memcpy(input->actions, merge->batch.actions, count * sizeof *input->actions);
        if (!tt_sort_actions(input->actions, input->count)) {
            return false;
        }
    }
    return true;
}

static bool input_before(const void *a, const void *b)
{
    const struct input *left = a, *right = b;
    const struct tt_action *first = &left->actions[left->at], *second = &right->actions[right->at];
    return first->ticks != second->ticks ? first->ticks < second->ticks : first->pos < second->pos;
}

static void drop_input(struct merge *merge, size_t at)
{
    struct input t = merge->inputs[at];
    merge->inputs[at] = merge->inputs[--merge->count];
    merge->inputs[merge->count] = t;
}

/*
 * Returns the lane of an action at `ticks`. A thread that is active after the end of its process
 * belongs to another process, whose creation was lost; so does one that ends there (`lives` false)
 * if records were lost since.
 */
static uint32_t living_lane(struct tt_capture *capture, uint32_t thread, uint64_t ticks, bool lives,
                            uint64_t lost)
{
    const struct tt_thread *t = tt_thread_at(capture, thread);
    const struct tt_process *process = tt_process_at(capture, t->process);
    if (process->end_when >= ticks || (!lives && process->end_when >= lost)) {
        return thread;
    }
    uint64_t pid = process->pid, tid = t->tid;
    tt_registry_process_begin(capture, pid, ticks);
    uint32_t found = tt_registry_thread(capture, pid, tid, ticks);
    return found != UINT32_MAX ? found : thread;
}

/* Assigns the action to its lane, now that the start and end of every process is known. */
static void settle_lanes(struct merge *merge, struct tt_action *action)
{
    struct tt_capture *whole = merge->index->capture, *c = whole;
    struct tt_event own = {.ticks = action->ticks};
    uint64_t *lost = merge->lost;
    if (whole->merge) {
        const struct tt_event of_whole = {
            .ticks = action->ticks, .pos = action->pos, .cpu = TT_NO_CPU};
        tt_merge_own(whole, &of_whole, &own);
        lost += tt_merge_at(whole->merge, action->pos);
        c = whole->merge->members[lost - merge->lost].capture;
    }
    const uint64_t ticks = own.ticks;
    if (!c->lanes_by_time) {
        return;
    }
    *lost = action->kind == TT_ACTION_LOST ? ticks : *lost;
    if (action->kind == TT_ACTION_PROCESS_CREATE || action->kind == TT_ACTION_PROCESS_DESTROY) {
        if (action->value < tt_process_count(c)) {
            uint64_t pid = tt_process_at(c, (uint32_t)action->value)->pid;
            action->value = tt_registry_find_process(c, pid, ticks);
        }
        return;
    }
    action->thread = tt_registry_settle_or_add(c, action->thread, ticks);
    if (action->kind == TT_ACTION_MESSAGE_REPLY) {
        action->other = tt_registry_settle_or_add(c, action->other, ticks);
    } else if ((action->kind == TT_ACTION_MESSAGE_SEND || action->kind == TT_ACTION_POST) &&
               action->other < tt_process_count(c)) {
        action->other = tt_registry_find_process(c, tt_process_at(c, action->other)->pid, ticks);
    }
    bool dies = action->kind == TT_ACTION_THREAD_DESTROY ||
                (action->kind == TT_ACTION_STATE &&
                 whole->format->states[action->state].class_ == TT_CLASS_DEAD);
    if ((dies || action->kind == TT_ACTION_STATE) && action->thread < tt_thread_count(c)) {
        action->thread = living_lane(c, action->thread, ticks, !dies, *lost);
    }
}

/* ---- losses of one CPU's stream ------------------------------------------------------------ */

static int compare_losses(const void *a, const void *b)
{
    const struct tt_action *left = a, *right = b;
    return left->value != right->value ? (left->value < right->value ? -1 : 1)
                                       : (left->pos > right->pos) - (left->pos < right->pos);
}

/* Returns whether a loss is of a capture, or of a member, whose CPUs have streams of their own. */
static bool is_of_stream(const struct tt_capture *capture, const struct tt_action *lost)
{
    const struct tt_capture *c =
        capture->merge ? capture->merge->members[tt_merge_at(capture->merge, lost->pos)].capture
                       : capture;
    return c->lanes_by_time && lost->cpu != TT_NO_CPU && tt_lost_since(lost) != lost->ticks;
}

/* Adds those of a decoded block. Returns false when out of memory. */
static bool add_losses(struct merge *merge)
{
    for (uint32_t i = 0; i < merge->batch.action_count; i++) {
        const struct tt_action *action = &merge->batch.actions[i];
        if (action->kind != TT_ACTION_LOST || !is_of_stream(merge->index->capture, action)) {
            continue;
        }
        struct tt_action *losses =
            tt_array_grow(merge->losses, merge->loss_count, &merge->loss_capacity, sizeof *losses);
        if (!losses) {
            return false;
        }
        merge->losses = losses;
        losses[merge->loss_count++] = *action;
    }
    return true;
}

/* Reads all blocks of a capture that lost records. Returns false when out of memory. */
static bool find_losses(struct merge *merge)
{
    const struct tt_format *format = merge->index->capture->format;
    const uint64_t unwanted = merge->batch.unwanted;
    bool ok = true;
    if (!merge->index->capture->lanes_by_time || !tt_health_has_gaps(merge->index->capture)) {
        return true;
    }
    merge->batch.unwanted = ~(UINT64_C(1) << TT_ACTION_LOST);
    for (size_t i = 0; ok && i < tt_column_count(&merge->index->blocks); i++) {
        const struct tt_block *block = tt_column_at(&merge->index->blocks, i);
        format->cursor_load(merge->cursor, block->blob, block->blob_size);
        merge->batch.count = merge->batch.action_count = 0;
        ok = !tt_sigbus_guard(rebuild_decode_guarded, merge) || add_losses(merge);
    }
    merge->batch.unwanted = unwanted;
    if (merge->loss_count > 0) {
        qsort(merge->losses, merge->loss_count, sizeof *merge->losses, compare_losses);
    }
    return ok;
}

/* Begins the losses whose last event before them is earlier than `ticks`. */
static bool begin_losses(struct merge *merge, struct tt_timelines *timelines, uint64_t ticks)
{
    bool ok = true;
    while (ok && merge->loss_at < merge->loss_count &&
           merge->losses[merge->loss_at].value < ticks) {
        ok = tt_timelines_begin_loss(timelines, &merge->losses[merge->loss_at++]);
    }
    return ok;
}

/* ---- the merge ----------------------------------------------------------------------------- */

/* Passes the action to the timelines, or, from `until` on, to the reorder buffer. */
static bool pass_action(struct merge *merge, struct tt_feed *feed, uint64_t until,
                        const struct tt_action *action)
{
    bool fed = feed->reorder.count == 0 && action->ticks < until;
    if (fed) {
        feed->fed = (struct tt_key){action->ticks, action->pos};
    }
    if (fed || until == UINT64_MAX) {
        return begin_losses(merge, feed->timelines, action->ticks) &&
               tt_timelines_feed(feed->timelines, action, 1);
    }
    struct tt_action *room = tt_reorder_reserve(&feed->reorder, 1);
    if (!room) {
        return false;
    }
    *room = *action;
    return tt_reorder_add(&feed->reorder, 1);
}

static bool merge_all(struct merge *merge, struct tt_feed *feed, uint64_t until)
{
    for (size_t i = merge->count; i-- > 0;) {
        if (!load_input(merge, &merge->inputs[i])) {
            return false;
        }
        if (merge->inputs[i].count == 0) {
            drop_input(merge, i);
        }
    }
    tt_heap_make(merge->inputs, merge->count, sizeof *merge->inputs, input_before);
    while (merge->count > 0) {
        struct input *input = &merge->inputs[0];
        struct tt_action *action = &input->actions[input->at++];
        if (merge->index->capture->lanes_by_time) {
            settle_lanes(merge, action);
        }
        if (!pass_action(merge, feed, until, action)) {
            return false;
        }
        if (input->at == input->count) {
            if (!load_input(merge, input)) {
                return false;
            }
            if (input->count == 0) {
                drop_input(merge, 0);
            }
        }
        tt_heap_down(merge->inputs, merge->count, sizeof *merge->inputs, 0, input_before);
    }
    return true;
}

struct tt_status tt_feed_rebuild(struct tt_index *index, struct tt_feed *feed, uint64_t until,
                                 uint64_t limit)
{
    const struct tt_format *format = index->capture->format;
    size_t runs = index->order.run_count;
    struct merge m = {.index = index, .count = runs};
    m.limit = limit;
    tt_reorder_clear(&feed->reorder);
    feed->late = false;
    m.cursor = format->cursor_new(index->capture, false);
    m.batch.events = malloc(TT_BLOCK_EVENTS * sizeof *m.batch.events);
    m.batch.actions = malloc(TT_BLOCK_ACTIONS * sizeof *m.batch.actions);
    m.batch.capacity = TT_BLOCK_EVENTS;
    m.batch.action_capacity = TT_BLOCK_ACTIONS;
    m.batch.byte_budget = TT_BLOCK_BYTES;
    m.batch.unwanted = ~tt_timelines_kinds();
    m.inputs = calloc(runs ? runs : 1, sizeof *m.inputs);
    bool ok = m.cursor && m.batch.events && m.batch.actions && m.inputs;
    for (size_t i = 0; ok && i < runs; i++) {
        m.inputs[i].run = &index->order.runs[i];
    }
    ok = ok && find_losses(&m) && merge_all(&m, feed, until);
    for (size_t i = 0; m.inputs && i < runs; i++) {
        free(m.inputs[i].actions);
    }
    free(m.inputs);
    free(m.losses);
    free(m.batch.events);
    free(m.batch.actions);
    tt_cursor_free(format, m.cursor);
    return ok ? tt_ok() : tt_error_memory();
}
