/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds events by row, by key and by file offset.
 *
 * With one run, a row takes a binary search and the decoding of one block. With several, a merge
 * starts at a key (in each run, at the block that contains it); its row is the sum of the rows
 * before it in each run, and the merge advances from there. The reader stores the merge, so that
 * the next read continues it without a search, and the rows that it merged for reads of a few rows:
 * such reads often go backwards, and each start of a merge decodes a block of every run.
 */
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "trace/events.h"

static void free_held(struct held *held, uint32_t sets)
{
    for (size_t i = 0; held && i < (size_t)sets * HELD_WAYS; i++) {
        free(held[i].events);
    }
    free(held);
}

/*
 * Makes the sets of blocks; each set has memory for a block. Leaves them unchanged if out of
 * memory.
 */
static bool make_held(struct tt_events *events, uint32_t sets)
{
    struct held *held = calloc((size_t)sets * HELD_WAYS, sizeof *held);
    bool ok = held != NULL;
    for (uint32_t i = 0; ok && i < sets; i++) {
        struct held *first = &held[(size_t)i * HELD_WAYS];
        first->events = malloc(TT_BLOCK_EVENTS * sizeof *first->events);
        ok = first->events != NULL;
    }
    if (!ok) {
        free_held(held, sets);
        return false;
    }
    events->held = held;
    events->held_sets = sets;
    return true;
}

struct tt_events *tt_events_new(struct tt_trace *trace)
{
    struct tt_events *events = calloc(1, sizeof *events);
    if (!events) {
        return NULL;
    }
    events->trace = trace;
    events->cursor_free = trace->capture->format->cursor_free;
    events->cursor = trace->capture->format->cursor_new(trace->capture, false);
    if (!events->cursor || !make_held(events, 1)) {
        tt_events_free(events);
        return NULL;
    }
    return events;
}

void tt_events_keep_many(struct tt_events *events)
{
    struct held *few = events->held;
    uint32_t sets = events->held_sets;
    if (make_held(events, HELD_SETS)) {
        free_held(few, sets);
    }
}

void tt_events_free(struct tt_events *events)
{
    if (!events) {
        return;
    }
    free_held(events->held, events->held_sets);
    for (size_t i = 0; i < events->head_capacity; i++) {
        free(events->heads[i].events);
    }
    free(events->heads);
    for (size_t i = 0; i < MERGED_PAGES; i++) {
        free(events->merged[i].events);
    }
    for (unsigned i = 0; i < events->part_count; i++) {
        tt_events_free(events->parts[i]);
    }
    free(events->parts);
    if (events->own) {
        tt_runs_free(&events->own->runs);
        free(events->own);
    }
    if (events->cursor && events->cursor_free) {
        events->cursor_free(events->cursor);
    } else {
        free(events->cursor);
    }
    free(events);
}

/* ---- blocks ------------------------------------------------------------------------------- */

/* Returns the block of a set to replace: an unused one, or the least recently used one. */
static struct held *oldest_held(struct held *set)
{
    struct held *oldest = &set[0];
    for (size_t i = 1; i < HELD_WAYS; i++) {
        struct held *held = &set[i];
        if (!held->events) {
            held->events = malloc(TT_BLOCK_EVENTS * sizeof *held->events);
            return held->events ? held : oldest;
        }
        oldest = held->used < oldest->used ? held : oldest;
    }
    return oldest;
}

/*
 * Returns the first `count` events of a block, sorted; valid until HELD_WAYS others are loaded.
 */
static const struct held *hold_block(struct tt_events *events, uint32_t number, uint32_t count,
                                     uint64_t sum)
{
    struct held *set = &events->held[(size_t)(number % events->held_sets) * HELD_WAYS];
    events->clock++;
    for (size_t i = 0; i < HELD_WAYS; i++) {
        struct held *held = &set[i];
        if (held->count > 0 && held->block == number && held->count == count) {
            held->used = events->clock;
            return held;
        }
    }
    struct held *held = oldest_held(set);
    tt_index_decode(&events->trace->index, events->cursor, number, count, sum, held->events);
    held->block = number;
    held->count = count;
    held->used = events->clock;
    return held;
}

static struct tt_key trace_events_key_of(const struct tt_event *event)
{
    struct tt_key key = {event->ticks, event->pos};
    return key;
}

/* Returns the index of the first event at or after `key`. */
static uint32_t lower_bound(const struct tt_event *events, uint32_t count, struct tt_key key)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (tt_key_before(trace_events_key_of(&events[middle]), key)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* ---- one run ------------------------------------------------------------------------------ */

/* Finds the range of run 0 that contains `row`; false if there is none. Caller holds the lock. */
static bool range_of_row(const struct tt_run *run, uint64_t row, struct tt_block_range *range)
{
    size_t low = 0, high = run->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (run->ranges[middle].rows_before <= row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0) {
        return false;
    }
    *range = run->ranges[low - 1];
    return row - range->rows_before < range->rows;
}

bool tt_events_block_of_row(const struct tt_events *events, uint64_t row,
                            struct tt_block_range *range)
{
    struct tt_index *index = &events->trace->index;
    pthread_mutex_lock(&index->lock);
    const struct tt_runs *order = tt_events_order(events);
    bool found =
        !index->sorted && order->run_count == 1 && range_of_row(&order->runs[0], row, range);
    pthread_mutex_unlock(&index->lock);
    return found;
}

static uint32_t read_single(struct tt_events *events, uint64_t row, uint32_t count,
                            struct tt_event *out)
{
    struct tt_index *index = &events->trace->index;
    uint32_t done = 0;
    while (done < count) {
        struct tt_block_range range;
        pthread_mutex_lock(&index->lock);
        const struct tt_runs *order = tt_events_order(events);
        bool found = order->run_count > 0 && range_of_row(&order->runs[0], row + done, &range);
        pthread_mutex_unlock(&index->lock);
        if (!found) {
            break;
        }
        uint32_t from = (uint32_t)(row + done - range.rows_before);
        uint32_t part = range.rows - from;
        if (part > count - done) {
            part = count - done;
        }
        if (part == range.rows) { /* sequential reading needs no cached copy */
            tt_index_decode(index, events->cursor, range.block, range.rows, range.sum, out + done);
        } else {
            const struct held *held = hold_block(events, range.block, range.rows, range.sum);
            memcpy(out + done, held->events + from, part * sizeof *out);
        }
        done += part;
    }
    return done;
}

/* ---- several runs ------------------------------------------------------------------------- */

static struct tt_key head_key(const struct head *head)
{
    return head->loaded ? trace_events_key_of(&head->events[head->index]) : head->range.first;
}

static bool load_head(struct tt_events *events, struct head *head)
{
    if (!head->events) {
        head->events = malloc(TT_BLOCK_EVENTS * sizeof *head->events);
        if (!head->events) {
            return false;
        }
    }
    const struct tt_block_range *range = &head->range;
    if (events->held_sets > 1) {
        const struct held *held = hold_block(events, range->block, range->rows, range->sum);
        memcpy(head->events, held->events, range->rows * sizeof *head->events);
    } else {
        tt_index_decode(&events->trace->index, events->cursor, range->block, range->rows,
                        range->sum, head->events);
    }
    head->loaded = true;
    return true;
}

static bool head_before(const void *a, const void *b)
{
    return tt_key_before(head_key(a), head_key(b));
}

/* Loads the next block of the head's run; removes the head at the end of the run. */
static void advance_range(struct tt_events *events, size_t at)
{
    struct tt_index *index = &events->trace->index;
    struct head *head = &events->heads[at];
    bool more = false;
    pthread_mutex_lock(&index->lock);
    const struct tt_runs *order = tt_events_order(events);
    if (order->changes == events->merge_changes && head->run < order->run_count) {
        const struct tt_run *run = &order->runs[head->run];
        if (head->next_range < run->count) {
            head->range = run->ranges[head->next_range++];
            more = true;
        }
    }
    pthread_mutex_unlock(&index->lock);
    head->index = 0;
    head->loaded = false;
    if (!more) {
        tt_heap_swap(head, &events->heads[--events->head_count], sizeof *head);
    }
}

static bool reserve_heads(struct tt_events *events, size_t count)
{
    if (count <= events->head_capacity) {
        return true;
    }
    struct head *heads = realloc(events->heads, count * sizeof *heads);
    if (!heads) {
        return false;
    }
    memset(heads + events->head_capacity, 0, (count - events->head_capacity) * sizeof *heads);
    events->heads = heads;
    events->head_capacity = count;
    return true;
}

/* Copies from each run the range that contains or follows `key`; returns the rows before those. */
static uint64_t collect_ranges(struct tt_events *events, struct tt_key key)
{
    const struct tt_runs *order = tt_events_order(events);
    uint64_t rows = 0;
    events->head_count = 0;
    for (size_t i = 0; i < order->run_count; i++) {
        const struct tt_run *run = &order->runs[i];
        size_t at = tt_run_find(run, key);
        rows += tt_run_rows(run, at);
        if (at < run->count) {
            struct head *head = &events->heads[events->head_count++];
            head->range = run->ranges[at];
            head->run = i;
            head->next_range = at + 1;
            head->index = 0;
            head->loaded = false;
        }
    }
    events->merge_changes = order->changes;
    return rows;
}

/* Starts a merge at the first event at or after `key`; its row is events->merge_row. */
static bool merge_start(struct tt_events *events, struct tt_key key)
{
    struct tt_index *index = &events->trace->index;
    events->merging = false;
    pthread_mutex_lock(&index->lock);
    bool room = reserve_heads(events, tt_events_order(events)->run_count);
    uint64_t rows = room ? collect_ranges(events, key) : 0;
    pthread_mutex_unlock(&index->lock);
    if (!room) {
        return false;
    }
    for (size_t i = 0; i < events->head_count; i++) {
        struct head *head = &events->heads[i];
        if (tt_key_before(head->range.first, key)) {
            if (!load_head(events, head)) {
                return false;
            }
            head->index = lower_bound(head->events, head->range.rows, key);
            rows += head->index;
        }
    }
    for (size_t i = events->head_count; i-- > 0;) {
        if (events->heads[i].loaded && events->heads[i].index == events->heads[i].range.rows) {
            advance_range(events, i);
        }
    }
    tt_heap_make(events->heads, events->head_count, sizeof *events->heads, head_before);
    events->merge_row = rows;
    events->merging = true;
    return true;
}

/*
 * Moves the merge over the first run's events that come before those of all others, at most `count`; copies them to
 * `out` unless it is NULL. Returns their number; 0 at the end.
 */
static uint32_t merge_next(struct tt_events *events, uint32_t count, struct tt_event *out)
{
    if (events->head_count == 0) {
        return 0;
    }
    struct head *head = &events->heads[0];
    if (!head->loaded && !load_head(events, head)) {
        return 0;
    }
    struct tt_key bound = {UINT64_MAX, UINT64_MAX};
    for (size_t i = 1; i < events->head_count && i < 3; i++) { /* the next ones of the heap */
        const struct tt_key key = head_key(&events->heads[i]);
        bound = tt_key_before(key, bound) ? key : bound;
    }
    const struct tt_event *from = head->events + head->index;
    const uint32_t left = head->range.rows - head->index, most = count < left ? count : left;
    uint32_t some = 1;
    while (some < most && tt_key_before(trace_events_key_of(&from[some]), bound)) {
        some++;
    }
    if (out) {
        memcpy(out, from, some * sizeof *out);
    }
    head->index += some;
    events->merge_row += some;
    if (head->index == head->range.rows) {
        advance_range(events, 0);
    }
    tt_heap_down(events->heads, events->head_count, sizeof *events->heads, 0, head_before);
    return some;
}

/* Positions the merge so that `row` is next. */
static bool merge_seek(struct tt_events *events, uint64_t row)
{
    struct tt_index *index = &events->trace->index;
    struct tt_key from, to;
    pthread_mutex_lock(&index->lock);
    const struct tt_runs *order = tt_events_order(events);
    bool stands = events->merging && events->merge_changes == order->changes;
    bool there = row < order->rows;
    if (there && !(stands && events->merge_row == row)) {
        tt_runs_bounds(order, row, &from, &to);
        stands = false;
    }
    pthread_mutex_unlock(&index->lock);
    if (!there || stands) {
        return there;
    }
    if (!merge_start(events, from)) {
        return false;
    }
    while (events->merge_row < row) {
        const uint64_t left = row - events->merge_row;
        if (merge_next(events, left < TT_BLOCK_EVENTS ? (uint32_t)left : TT_BLOCK_EVENTS, NULL) ==
            0) {
            return false;
        }
    }
    return true;
}

static uint32_t merge_rows(struct tt_events *events, uint64_t row, uint32_t count,
                           struct tt_event *out)
{
    if (!merge_seek(events, row)) {
        return 0;
    }
    uint32_t done = 0;
    for (uint32_t some = 1; done < count && some > 0; done += some) {
        some = merge_next(events, count - done, &out[done]);
    }
    return done;
}

static uint64_t order_changes(const struct tt_events *events)
{
    struct tt_index *index = &events->trace->index;
    pthread_mutex_lock(&index->lock);
    uint64_t changes = tt_events_order(events)->changes;
    pthread_mutex_unlock(&index->lock);
    return changes;
}

/* Returns the cached rows that contain `row`, or NULL. */
static struct merged *find_merged(struct tt_events *events, uint64_t changes, uint64_t row)
{
    for (size_t i = 0; i < MERGED_PAGES; i++) {
        struct merged *merged = &events->merged[i];
        if (merged->changes == changes && row >= merged->row && row - merged->row < merged->count) {
            merged->used = ++events->clock;
            return merged;
        }
    }
    return NULL;
}

/* Merges the rows around `row` into the least recently used entry; NULL if that fails. */
static struct merged *fill_merged(struct tt_events *events, uint64_t row)
{
    struct merged *merged = &events->merged[0];
    for (size_t i = 1; i < MERGED_PAGES; i++) {
        merged = events->merged[i].used < merged->used ? &events->merged[i] : merged;
    }
    merged->events = merged->events ? merged->events : malloc(MERGED_ROWS * sizeof *merged->events);
    merged->count = 0;
    if (!merged->events) {
        return NULL;
    }
    merged->row = row - row % MERGED_ROWS;
    merged->count = merge_rows(events, merged->row, MERGED_ROWS, merged->events);
    merged->changes = events->merge_changes;
    merged->used = ++events->clock;
    return row - merged->row < merged->count ? merged : NULL;
}

static uint32_t read_merged(struct tt_events *events, uint64_t row, uint32_t count,
                            struct tt_event *out)
{
    uint64_t changes = order_changes(events);
    uint32_t done = 0;
    while (done < count) {
        struct merged *merged = find_merged(events, changes, row + done);
        if (!merged && count - done < MERGED_ROWS) {
            merged = fill_merged(events, row + done);
        }
        if (!merged) {
            return done + merge_rows(events, row + done, count - done, out + done);
        }
        uint64_t first = row + done - merged->row;
        uint32_t part = merged->count - (uint32_t)first;
        part = part < count - done ? part : count - done;
        memcpy(out + done, merged->events + first, part * sizeof *out);
        done += part;
    }
    return done;
}

/* Returns the row of the first event at or after `key` if the cache shows it, or UINT64_MAX. */
static uint64_t row_in_merged(struct tt_events *events, struct tt_key key)
{
    uint64_t changes = order_changes(events);
    for (size_t i = 0; i < MERGED_PAGES; i++) {
        struct merged *merged = &events->merged[i];
        if (merged->count > 0 && merged->changes == changes &&
            tt_key_before(trace_events_key_of(&merged->events[0]), key) &&
            !tt_key_before(trace_events_key_of(&merged->events[merged->count - 1]), key)) {
            merged->used = ++events->clock;
            return merged->row + lower_bound(merged->events, merged->count, key);
        }
    }
    return UINT64_MAX;
}

/* ---- by row ------------------------------------------------------------------------------- */

enum shape { SHAPE_SINGLE, SHAPE_MERGED, SHAPE_SORTED };

static enum shape trace_events_shape_of(const struct tt_events *events, uint64_t *rows)
{
    struct tt_index *index = &events->trace->index;
    pthread_mutex_lock(&index->lock);
    enum shape shape = SHAPE_MERGED;
    tt_events_refresh(events);
    const struct tt_runs *order = tt_events_order(events);
    if (index->sorted && !events->own) {
        shape = SHAPE_SORTED;
    } else if (order->run_count <= 1) {
        shape = SHAPE_SINGLE;
    }
    *rows = order->rows;
    pthread_mutex_unlock(&index->lock);
    return shape;
}

uint64_t tt_events_rows(const struct tt_events *events)
{
    uint64_t rows;
    trace_events_shape_of(events, &rows);
    return rows;
}

uint32_t tt_events_read(struct tt_events *events, uint64_t row, uint32_t count,
                        struct tt_event *out)
{
    uint64_t rows;
    enum shape shape = trace_events_shape_of(events, &rows);
    if (row >= rows) {
        return 0;
    }
    if (count > rows - row) {
        count = (uint32_t)(rows - row);
    }
    switch (shape) {
    case SHAPE_SINGLE:
        return read_single(events, row, count, out);
    case SHAPE_MERGED:
        return read_merged(events, row, count, out);
    case SHAPE_SORTED:
        break;
    }
    memcpy(out, events->trace->index.sorted + row, count * sizeof *out);
    return count;
}

uint64_t tt_events_row_at_key(struct tt_events *events, uint64_t ticks, uint64_t pos)
{
    struct tt_key key = {ticks, pos};
    uint64_t rows;
    enum shape shape = trace_events_shape_of(events, &rows);
    if (shape == SHAPE_SORTED) {
        /*
         * ---- by key
         * -------------------------------------------------------------------------------
         */
        const struct tt_event *sorted = events->trace->index.sorted;
        uint64_t low = 0, high = rows;
        while (low < high) {
            uint64_t middle = low + (high - low) / 2;
            if (tt_key_before(trace_events_key_of(&sorted[middle]), key)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
    if (shape == SHAPE_MERGED) {
        uint64_t row = row_in_merged(events, key);
        if (row != UINT64_MAX) {
            return row;
        }
        return merge_start(events, key) ? events->merge_row : rows;
    }
    struct tt_index *index = &events->trace->index;
    struct tt_block_range range;
    bool found = false;
    pthread_mutex_lock(&index->lock);
    if (tt_events_order(events)->run_count == 1) {
        const struct tt_run *run = &tt_events_order(events)->runs[0];
        size_t at = tt_run_find(run, key);
        found = at < run->count;
        if (found) {
            range = run->ranges[at];
        }
    }
    pthread_mutex_unlock(&index->lock);
    if (!found) {
        return rows;
    }
    const struct held *held = hold_block(events, range.block, range.rows, range.sum);
    return range.rows_before + lower_bound(held->events, held->count, key);
}

uint64_t tt_events_row_at_time(struct tt_events *events, uint64_t ticks)
{
    return tt_events_row_at_key(events, ticks, 0);
}

/* ---- by number ---------------------------------------------------------------------------- */

static uint32_t derived_among(const struct tt_event *events, uint32_t count)
{
    uint32_t derived = 0;
    for (uint32_t i = 0; i < count; i++) {
        derived += (events[i].flags & TT_EVENT_UNNUMBERED) != 0;
    }
    return derived;
}

/*
 * Returns the derived events before `row`. Formats with derived events have one run of few blocks.
 */
static uint64_t derived_before(struct tt_events *events, uint64_t row)
{
    uint64_t derived = 0, at = 0;
    uint64_t blocks = tt_column_count(&events->trace->index.blocks);
    for (uint32_t number = 0; number < blocks; number++) {
        const struct tt_block *block = tt_column_at(&events->trace->index.blocks, number);
        if (at + block->count > row) {
            const struct held *held = hold_block(events, number, block->count, 0);
            return derived + derived_among(held->events, (uint32_t)(row - at));
        }
        at += block->count;
        derived += block->derived;
    }
    return derived;
}

uint64_t tt_events_number(struct tt_events *events, uint64_t row)
{
    struct tt_progress progress = tt_trace_progress(events->trace);
    return progress.derived == 0 ? row : row - derived_before(events, row);
}

uint64_t tt_events_row_of_number(struct tt_events *events, uint64_t n)
{
    struct tt_progress progress = tt_trace_progress(events->trace);
    if (progress.derived == 0 || n >= progress.events) {
        return n < progress.events ? n : progress.events + progress.derived;
    }
    /* The largest row with number n: its derived neighbours precede it. */
    uint64_t low = n, high = n + progress.derived;
    while (low < high) {
        uint64_t middle = low + (high - low + 1) / 2;
        if (tt_events_number(events, middle) <= n) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

/* ---- by file offset ----------------------------------------------------------------------- */

/* Returns the block that contains tape position `pos`, or the first. Blocks must exist. */
static uint32_t block_at_pos(const struct tt_index *index, uint64_t blocks, uint64_t pos)
{
    uint64_t low = 0, high = blocks;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        const struct tt_block *block = tt_column_at(&index->blocks, middle);
        if (block->pos <= pos) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (uint32_t)(low > 0 ? low - 1 : 0);
}

/* Finds the last event of a block at or before `offset`; else the first one after it. */
static bool event_in_block(struct tt_events *events, uint32_t number, uint64_t offset,
                           struct tt_event *event)
{
    const struct tt_block *block = tt_column_at(&events->trace->index.blocks, number);
    const struct held *held = hold_block(events, number, block->count, 0);
    const struct tt_capture *capture = events->trace->capture;
    const struct tt_event *before = NULL, *after = NULL;
    uint64_t before_at = 0, after_at = 0;
    for (uint32_t i = 0; i < held->count; i++) {
        uint64_t at = tt_capture_offset(capture, held->events[i].pos);
        if (at <= offset && (!before || at > before_at)) {
            before = &held->events[i];
            before_at = at;
        } else if (at > offset && (!after || at < after_at)) {
            after = &held->events[i];
            after_at = at;
        }
    }
    const struct tt_event *found = before ? before : after;
    if (found) {
        *event = *found;
    }
    return before != NULL;
}

bool tt_events_at_offset(struct tt_events *events, uint64_t offset, struct tt_event *event)
{
    const struct tt_index *index = &events->trace->index;
    uint64_t blocks = tt_column_count(&index->blocks);
    if (blocks == 0) {
        return false;
    }
    if (!events->trace->capture->format->tape.offset) {
        event_in_block(events, block_at_pos(index, blocks, offset), offset, event);
        return true;
    }
    /* The tape begins in the middle of the file: all blocks are searched, they are few. */
    struct tt_event best;
    uint64_t best_at = 0;
    bool found = false;
    for (uint32_t number = 0; number < blocks; number++) {
        if (event_in_block(events, number, offset, &best)) {
            uint64_t at = tt_capture_offset(events->trace->capture, best.pos);
            if (!found || at > best_at) {
                *event = best;
                best_at = at;
                found = true;
            }
        } else if (!found && number == 0) {
            *event = best;
        }
    }
    return true;
}
