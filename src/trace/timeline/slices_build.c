/* SPDX-License-Identifier: Apache-2.0 */
/* Building the rows of slices from actions. */
#include "trace/timeline/slices_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "trace/timeline/timeline.h"

void tt_slice_lanes_init(struct tt_slice_lanes *slices)
{
    tt_column_init(&slices->lanes, sizeof(struct tt_slice_lane));
    tt_column_init(&slices->rows, sizeof(struct tt_slice_row));
}

void tt_slice_lanes_free(struct tt_slice_lanes *slices)
{
    tt_column_free(&slices->rows);
    tt_column_free(&slices->lanes);
    tt_column_index_free(&slices->lane_at);
    tt_column_index_free(&slices->row_at);
    tt_open_spans_free(&slices->asyncs);
    free(slices->open);
}

static struct tt_slice_row *row_at(const struct tt_timelines *t, uint32_t number)
{
    return tt_column_index_at(&t->slices.row_at, number);
}

static struct tt_slice_lane *make_lanes(struct tt_slice_lanes *slices, uint32_t thread)
{
    while (slices->lane_at.count <= thread) {
        struct tt_slice_lane *lane = tt_column_next(&slices->lanes);
        if (!lane || !tt_column_index_add(&slices->lane_at, lane, sizeof *lane)) {
            return NULL;
        }
        tt_column_publish(&slices->lanes);
    }
    return tt_column_index_at(&slices->lane_at, thread);
}

/* Returns the thread's lane, created if needed; NULL when out of memory. */
static inline struct tt_slice_lane *lane_of(struct tt_timelines *t, uint32_t thread)
{
    struct tt_slice_lanes *slices = &t->slices;
    struct tt_slice_lane *lane = tt_column_index_at(&slices->lane_at, thread);
    return lane ? lane : thread == TT_NO_THREAD ? &slices->threadless : make_lanes(slices, thread);
}

static void note_health(struct tt_timelines *t, const struct tt_action *a, enum tt_health_kind kind,
                        const char *detail)
{
    tt_timelines_health(t, kind, a->pos, a->value, detail);
}

/* Creates a row above `below`, or the lane's first one; returns NO_ROW when out of memory. */
static uint32_t add_row(struct tt_timelines *t, struct tt_slice_lane *lane, uint32_t thread,
                        uint32_t below, bool async)
{
    uint64_t number = tt_column_count(&t->slices.rows);
    struct tt_slice_row *row = number < NO_ROW ? tt_column_next(&t->slices.rows) : NULL;
    if (!row || !tt_column_index_add(&t->slices.row_at, row, sizeof *row)) {
        return NO_ROW;
    }
    struct tt_slice_row *under = row_at(t, below);
    tt_track_init_wide(&row->slices, SLICE_SUMS);
    tt_track_init(&row->longs, 0);
    row->thread = thread;
    row->depth = under ? (uint16_t)(under->depth + 1u) : 0;
    row->async = async;
    row->below = below;
    atomic_init(&row->above, NO_ROW);
    tt_column_publish(&t->slices.rows);
    _Atomic uint32_t *link = async ? &lane->async : &lane->nested;
    if (under) {
        atomic_store_explicit(&under->above, (uint32_t)number, memory_order_release);
    } else {
        atomic_store_explicit(link, (uint32_t)number + 1, memory_order_release);
    }
    return (uint32_t)number;
}

/* ---- one row ------------------------------------------------------------------------------ */

static bool row_begin(struct tt_timelines *t, struct tt_slice_row *row, const struct tt_action *a)
{
    if (tt_track_needs_sums(&row->slices, a->ticks)) {
        tt_track_maxima_put(&row->longest, &row->sums[SLICE_LONGEST]);
    }
    if (!tt_track_append_wide(&row->slices, &t->arena, a->ticks, a->other, SLICE_OPEN, row->sums)) {
        return false;
    }
    struct tt_track_place last;
    tt_track_tail_place(&row->slices, &last);
    tt_track_maxima_begin(&row->longest, last);
    row->begin = a->ticks;
    row->end = UINT64_MAX;
    row->id = a->value;
    row->stream = a->state;
    return true;
}

static bool row_end(struct tt_timelines *t, struct tt_slice_row *row, uint64_t time, bool cut)
{
    uint64_t length = time - row->begin;
    bool is_long = cut || length >= SLICE_LONG;
    uint32_t number = is_long ? (uint32_t)(tt_track_count(&row->slices) - 1) : 0;
    if (is_long && !tt_track_append(&row->longs, &t->arena, time,
                                    LONG_NUMBER(number) | (cut ? LONG_CUT : 0), NULL)) {
        return false;
    }
    tt_track_set_more(&row->slices, is_long ? SLICE_LONG : (uint32_t)length);
    struct tt_track_place last;
    tt_track_tail_place(&row->slices, &last);
    tt_track_maxima_note(&row->longest, length, last);
    row->sums[SLICE_COVERED] += length;
    row->end = time;
    return true;
}

/* Adds a row to `open`, for the next loss. */
static bool list_open(struct tt_timelines *t, uint32_t number)
{
    struct tt_slice_lanes *slices = &t->slices;
    struct tt_slice_row *row = row_at(t, number);
    if (row->listed) {
        return true;
    }
    uint32_t *open =
        tt_array_grow(slices->open, slices->open_count, &slices->open_capacity, sizeof *open);
    if (!open) {
        return false;
    }
    slices->open = open;
    slices->open[slices->open_count++] = number;
    row->listed = true;
    return true;
}

/* ---- nested slices ------------------------------------------------------------------------ */

/* Returns the row above all slices open at `time`; NO_ROW with *deep set, or when out of memory. */
static uint32_t free_row(struct tt_timelines *t, struct tt_slice_lane *lane, uint32_t thread,
                         uint64_t time, bool *deep)
{
    uint32_t top = lane->top - 1;
    struct tt_slice_row *under = row_at(t, top);
    while (under && under->end <= time) {
        top = under->below;
        under = row_at(t, top);
    }
    lane->top = top + 1;
    *deep = under && under->depth + 1u >= TT_SLICE_DEPTHS;
    if (*deep) {
        return NO_ROW;
    }
    uint32_t next = under ? atomic_load_explicit(&under->above, memory_order_relaxed)
                          : atomic_load_explicit(&lane->nested, memory_order_relaxed) - 1;
    return next != NO_ROW ? next : add_row(t, lane, thread, top, false);
}

/* Begins a slice in its row; returns NO_ROW if it is too deep. */
static bool begin_nested(struct tt_timelines *t, const struct tt_action *a, uint32_t *number)
{
    struct tt_slice_lane *lane = lane_of(t, a->thread);
    bool deep;
    if (!lane) {
        return false;
    }
    *number = free_row(t, lane, a->thread, a->ticks, &deep);
    if (deep) {
        note_health(t, a, TT_HEALTH_NESTING, "slice nested too deep to be shown");
        return true;
    }
    lane->top = *number + 1;
    return *number != NO_ROW && row_begin(t, row_at(t, *number), a);
}

bool tt_slices_begin(struct tt_timelines *t, const struct tt_action *a)
{
    uint32_t number;
    if (a->thread == TT_NO_THREAD) {
        return true;
    }
    if (!begin_nested(t, a, &number)) {
        return false;
    }
    if (number == NO_ROW) {
        lane_of(t, a->thread)->deep++;
        return true;
    }
    return list_open(t, number);
}

bool tt_slices_whole(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_action begin = *a;
    uint32_t number;
    begin.value = 0;
    if (a->thread == TT_NO_THREAD || a->value > UINT64_MAX - 1 - a->ticks) {
        return true;
    }
    return begin_nested(t, &begin, &number) &&
           (number == NO_ROW || row_end(t, row_at(t, number), a->ticks + a->value, false));
}

/* Finds the innermost open slice with the id of the end. */
bool tt_slices_end(struct tt_timelines *t, const struct tt_action *a)
{
    if (a->thread == TT_NO_THREAD) {
        return true;
    }
    struct tt_slice_lane *lane = lane_of(t, a->thread);
    if (!lane) {
        return false;
    }
    if (lane->deep > 0) {
        lane->deep--;
        return true;
    }
    for (struct tt_slice_row *row = row_at(t, lane->top - 1); row; row = row_at(t, row->below)) {
        if (row->end == UINT64_MAX && row->id == a->value) {
            return row_end(t, row, a->ticks, false);
        }
    }
    if (lane->cut > 0) {
        lane->cut--;
    } else {
        note_health(t, a, TT_HEALTH_UNMATCHED, "end of a slice that did not begin");
    }
    return true;
}

/* ---- asynchronous slices ------------------------------------------------------------------ */

static uint64_t async_key(const struct tt_action *a)
{
    return tt_hash_of_pair(a->other, a->value);
}

/* Returns the lane's first free asynchronous row; NO_ROW with *deep set, or when out of memory. */
static uint32_t free_async_row(struct tt_timelines *t, struct tt_slice_lane *lane, uint32_t thread,
                               uint64_t time, bool *deep)
{
    uint32_t last = NO_ROW;
    uint32_t at = atomic_load_explicit(&lane->async, memory_order_relaxed) - 1;
    while (at != NO_ROW && row_at(t, at)->end > time) {
        last = at;
        at = atomic_load_explicit(&row_at(t, at)->above, memory_order_relaxed);
    }
    *deep = at == NO_ROW && last != NO_ROW && row_at(t, last)->depth + 1u >= TT_SLICE_DEPTHS;
    return at != NO_ROW || *deep ? at : add_row(t, lane, thread, last, true);
}

bool tt_slices_async_begin(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_slice_lane *lane = lane_of(t, a->thread);
    bool deep;
    if (!lane) {
        return false;
    }
    uint32_t number = free_async_row(t, lane, a->thread, a->ticks, &deep);
    if (deep) {
        note_health(t, a, TT_HEALTH_NESTING, "slice nested too deep to be shown");
    } else if (number == NO_ROW || !row_begin(t, row_at(t, number), a) || !list_open(t, number)) {
        return false;
    }
    return tt_open_spans_push(&t->slices.asyncs, async_key(a), a->ticks, number);
}

/* The row of a slice that a loss has cut may have another slice since. */
bool tt_slices_async_end(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_open_edge edge;
    if (!tt_open_spans_pop(&t->slices.asyncs, async_key(a), &edge)) {
        note_health(t, a, TT_HEALTH_UNMATCHED, "end of a slice that did not begin");
        return true;
    }
    struct tt_slice_row *row = row_at(t, edge.what); /* none: it was too deep */
    bool open = row && row->end == UINT64_MAX && row->begin == edge.ticks && row->id == a->value;
    return !open || row_end(t, row, a->ticks, false);
}

/* ---- losses ------------------------------------------------------------------------------- */

bool tt_slices_lost(struct tt_timelines *t, const struct tt_action *a)
{
    struct tt_slice_lanes *slices = &t->slices;
    size_t kept = 0;
    bool ok = true;
    for (size_t i = 0; i < slices->open_count; i++) {
        uint32_t number = slices->open[i];
        struct tt_slice_row *row = row_at(t, number);
        if (row->end == UINT64_MAX && row->stream != a->state) {
            slices->open[kept++] = number;
            continue;
        }
        row->listed = false;
        if (row->end == UINT64_MAX) {
            struct tt_slice_lane *lane = lane_of(t, row->thread);
            uint64_t from = tt_lost_since(a);
            ok = ok && row_end(t, row, from > row->begin ? from : row->begin, true);
            lane->cut += lane->deep + !row->async;
            lane->deep = 0;
        }
    }
    slices->open_count = kept;
    return ok;
}
