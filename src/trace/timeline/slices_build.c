/* SPDX-License-Identifier: Apache-2.0 */
/* Building the rows of slices from actions. */
#include "trace/timeline/slices_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "trace/timeline/rare.h"
#include "trace/timeline/timeline.h"

void tt_slice_lanes_init(struct tt_slice_lanes *slices)
{
    tt_column_init(&slices->lanes, sizeof(struct tt_slice_lane));
    tt_column_init(&slices->rows, sizeof(struct tt_slice_row));
    slices->threadless.free_from = UINT64_MAX;
}

void tt_slice_lanes_free(struct tt_slice_lanes *slices)
{
    tt_column_free(&slices->rows);
    tt_column_free(&slices->lanes);
    tt_column_index_free(&slices->lane_at);
    tt_column_index_free(&slices->row_at);
    tt_open_spans_free(&slices->asyncs);
    free(slices->open);
    free(slices->problems);
}

static struct tt_slice_row *slices_build_row_at(const struct tt_slice_lanes *slices,
                                                uint32_t number)
{
    return tt_column_index_at(&slices->row_at, number);
}

/* ---- lanes -------------------------------------------------------------------------------- */

static inline void set_top(struct tt_slice_lane *lane, struct tt_slice_row *top,
                           struct tt_slice_row *next)
{
    lane->top = top;
    lane->next = next;
    lane->free_from = top && !top->open ? top->edge : UINT64_MAX;
}

static struct tt_slice_lane *slices_build_make_lanes(struct tt_slice_lanes *slices, uint32_t thread)
{
    while (slices->lane_at.count <= thread) {
        struct tt_slice_lane *lane = tt_column_next(&slices->lanes);
        if (!lane || !tt_column_index_add(&slices->lane_at, lane, sizeof *lane)) {
            return NULL;
        }
        set_top(lane, NULL, NULL);
        tt_column_publish(&slices->lanes);
    }
    return tt_column_index_at(&slices->lane_at, thread);
}

/* Returns the thread's lane, created if needed; NULL when out of memory. */
static inline struct tt_slice_lane *slices_build_lane_of(struct tt_timelines *timelines,
                                                         uint32_t thread)
{
    struct tt_slice_lanes *slices = &timelines->slices;
    struct tt_slice_lane *lane = tt_column_index_at(&slices->lane_at, thread);
    return lane                     ? lane
           : thread == TT_NO_THREAD ? &slices->threadless
                                    : slices_build_make_lanes(slices, thread);
}

/* Notes a problem at an action's place. */
static void note_health(struct tt_timelines *timelines, const struct tt_action *action,
                        enum tt_health_kind kind, uint64_t value, const char *detail)
{
    if (!timelines->slices.holds) {
        tt_timelines_health(timelines, kind, action->pos, value, detail);
    } else if (!tt_slices_hold_problem(&timelines->slices, action, kind, value, detail)) {
        timelines->no_memory = true;
    }
}

/* Creates a row above `lower`, or the lane's first one; returns NULL when out of memory. */
static struct tt_slice_row *slices_build_add_row(struct tt_timelines *timelines,
                                                 struct tt_slice_lane *lane, uint32_t thread,
                                                 struct tt_slice_row *lower, bool async)
{
    uint64_t number = tt_column_count(&timelines->slices.rows);
    struct tt_slice_row *row = number < NO_ROW ? tt_column_next(&timelines->slices.rows) : NULL;
    if (!row || !tt_column_index_add(&timelines->slices.row_at, row, sizeof *row)) {
        return NULL;
    }
    tt_track_init_wide(&row->slices, SLICE_SUMS);
    tt_track_init(&row->longs, 0);
    row->number = (uint32_t)number;
    row->thread = thread;
    row->depth = lower ? (uint16_t)(lower->depth + 1u) : 0;
    row->async = async;
    row->lower = lower;
    atomic_init(&row->above, NO_ROW);
    tt_column_publish(&timelines->slices.rows);
    _Atomic uint32_t *link = async ? &lane->async : &lane->nested;
    if (lower) {
        lower->upper = row;
        atomic_store_explicit(&lower->above, row->number, memory_order_release);
    } else {
        atomic_store_explicit(link, row->number + 1, memory_order_release);
    }
    return row;
}

/* ---- one row ------------------------------------------------------------------------------ */

static inline bool row_begin(struct tt_timelines *timelines, struct tt_slice_row *row,
                             const struct tt_action *action, uint64_t id)
{
    if (tt_track_needs_sums(&row->slices, action->ticks)) {
        uint64_t sums[SLICE_SUMS];
        tt_slice_row_sums(row, sums);
        if (!tt_track_begin_chunk(&row->slices, &timelines->arena, action->ticks, sums)) {
            return false;
        }
    }
    tt_track_put(&row->slices, action->ticks, action->other, true, SLICE_OPEN);
    row->edge = action->ticks;
    row->open = true;
    row->id = id;
    row->stream = action->state;
    return true;
}

static bool add_long(struct tt_timelines *timelines, struct tt_slice_row *row, uint64_t time,
                     bool cut)
{
    uint32_t number = LONG_NUMBER(tt_track_count(&row->slices) - 1);
    return tt_track_append(&row->longs, &timelines->arena, time, number | (cut ? LONG_CUT : 0),
                           NULL);
}

/* Ends the open slice of a row. */
static inline bool row_end(struct tt_timelines *timelines, struct tt_slice_row *row, uint64_t time,
                           bool cut)
{
    uint64_t length = time - row->edge;
    bool is_long = cut || length >= SLICE_LONG;
    if (is_long && !add_long(timelines, row, time, cut)) {
        return false;
    }
    tt_track_set_more(&row->slices, is_long ? SLICE_LONG : (uint32_t)length);
    row->open = time == UINT64_MAX; /* a time that is too large: further ends may have it too */
    row->edge = row->open ? row->edge : time;
    return true;
}

/* Adds a row to `open`, for the next loss. */
static bool add_open(struct tt_slice_lanes *slices, struct tt_slice_row *row)
{
    uint32_t *open =
        tt_array_grow(slices->open, slices->open_count, &slices->open_capacity, sizeof *open);
    if (!open) {
        return false;
    }
    slices->open = open;
    slices->open[slices->open_count++] = row->number;
    row->listed = true;
    return true;
}

/* ---- nested slices ------------------------------------------------------------------------ */

/* Leaves the rows whose slices ended at or before `time`; at UINT64_MAX open ones if `all`. */
static inline void leave_ended(struct tt_slice_lane *lane, uint64_t time, bool all)
{
    while (lane->free_from <= time && lane->top && (all || !lane->top->open)) {
        set_top(lane, lane->top->lower, lane->top);
    }
}

/* Creates the row above `top`; sets *deep if that is too deep. Returns false when out of memory. */
static bool add_nested(struct tt_timelines *timelines, struct tt_slice_lane *lane,
                       const struct tt_action *action, uint64_t id, bool *deep)
{
    *deep = lane->top && lane->top->depth + 1u >= TT_SLICE_DEPTHS;
    if (*deep) {
        note_health(timelines, action, TT_HEALTH_NESTING, id, "slice nested too deep to be shown");
        return true;
    }
    lane->next = slices_build_add_row(timelines, lane, action->thread, lane->top, false);
    return lane->next != NULL;
}

/* Begins a slice in the row above all open ones; *row is NULL if that is too deep. */
static inline bool begin_nested(struct tt_timelines *timelines, struct tt_slice_lane *lane,
                                const struct tt_action *action, uint64_t id,
                                struct tt_slice_row **row)
{
    bool deep = false;
    *row = NULL;
    leave_ended(lane, action->ticks, true);
    if (!lane->next && !add_nested(timelines, lane, action, id, &deep)) {
        return false;
    }
    if (deep) {
        return true;
    }
    *row = lane->next;
    if (!row_begin(timelines, *row, action, id)) {
        return false;
    }
    set_top(lane, *row, (*row)->upper);
    return true;
}

/* Cuts the open slice of a lane at its begin: its end is missing, and so is how long it lasted. */
static TT_RARE bool cut_alone(struct tt_timelines *timelines, struct tt_slice_lane *lane,
                              const struct tt_action *action)
{
    struct tt_slice_row *row = lane->top;
    note_health(timelines, action, TT_HEALTH_UNFINISHED, action->thread,
                "a slice begins, and the one before it has no end; thread");
    bool good = row_end(timelines, row, row->edge, true);
    set_top(lane, row, row->upper);
    return good;
}

static inline bool slices_build_begin(struct tt_timelines *timelines,
                                      const struct tt_action *action)
{
    struct tt_slice_row *row;
    if (action->thread == TT_NO_THREAD) {
        return true;
    }
    struct tt_slice_lane *lane = slices_build_lane_of(timelines, action->thread);
    if (lane && (action->flags & TT_ACTION_ALONE) && lane->top && lane->top->open &&
        !cut_alone(timelines, lane, action)) {
        return false;
    }
    if (!lane || !begin_nested(timelines, lane, action, action->value, &row)) {
        return false;
    }
    if (!row) {
        lane->deep++;
        return true;
    }
    return row->listed || add_open(&timelines->slices, row);
}

static inline bool whole(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_slice_row *row;
    if (action->thread == TT_NO_THREAD || action->value > UINT64_MAX - 1 - action->ticks) {
        return true;
    }
    struct tt_slice_lane *lane = slices_build_lane_of(timelines, action->thread);
    if (!lane || !begin_nested(timelines, lane, action, 0, &row)) {
        return false;
    }
    if (!row) {
        return true;
    }
    lane->free_from = action->ticks + action->value;
    return row_end(timelines, row, action->ticks + action->value, false);
}

/* Ends a slice that may have ended or not begun, as its end or the length in `value` says. */
static TT_RARE bool end_alone(struct tt_timelines *timelines, struct tt_slice_lane *lane,
                              const struct tt_action *action)
{
    struct tt_slice_row *row = lane->top;
    uint64_t time = action->ticks;
    if (!row || !row->open) {
        return true;
    }
    if (action->flags & TT_ACTION_LENGTH) {
        bool fits = action->value <= time - row->edge;
        time = fits ? row->edge + action->value : time;
        if (!fits) {
            note_health(timelines, action, TT_HEALTH_TIME_RANGE, action->value,
                        "cycles of a guest, more than since it was entered");
        }
    }
    if (!row_end(timelines, row, time, false)) {
        return false;
    }
    if (!row->open) {
        set_top(lane, row->lower, row);
    }
    return true;
}

/* Ends the open slices of a lane from its top down to a row. */
static bool unwind(struct tt_timelines *timelines, struct tt_slice_lane *lane,
                   struct tt_slice_row *last, uint64_t time)
{
    for (struct tt_slice_row *row = lane->top; row != last->lower; row = row->lower) {
        if (row->open && !row_end(timelines, row, time, false)) {
            return false;
        }
    }
    if (!last->open) {
        set_top(lane, last->lower, last);
    }
    return true;
}

static inline bool slices_build_end(struct tt_timelines *timelines, const struct tt_action *action)
{
    if (action->thread == TT_NO_THREAD) {
        return true;
    }
    struct tt_slice_lane *lane = slices_build_lane_of(timelines, action->thread);
    if (!lane) {
        return false;
    }
    if (action->flags & TT_ACTION_ALONE) {
        return end_alone(timelines, lane, action);
    }
    if (lane->deep > 0) {
        lane->deep--;
        return true;
    }
    leave_ended(lane, action->ticks, false);
    struct tt_slice_row *top = lane->top;
    if (!top || !top->open || top->id != action->value) {
        /*
         * Ends the innermost open slice with the id of the end, which is not in the lane's `top`.
         */
        for (struct tt_slice_row *row = lane->top; row; row = row->lower) {
            if (row->open && row->id == action->value) {
                return action->flags & TT_ACTION_UNWINDS
                           ? unwind(timelines, lane, row, action->ticks)
                           : row_end(timelines, row, action->ticks, false);
            }
        }
        if (lane->cut > 0) {
            lane->cut--;
        } else {
            note_health(timelines, action, TT_HEALTH_UNMATCHED, 0,
                        "end of a slice that did not begin");
        }
        return true;
    }
    if (!row_end(timelines, top, action->ticks, false)) {
        return false;
    }
    if (!top->open) {
        set_top(lane, top->lower, top);
    }
    return true;
}

/* ---- asynchronous slices ------------------------------------------------------------------ */

/* Ids are unique for a process, a category and a name; the latter two are the event type. */
static uint64_t async_key(const struct tt_timelines *timelines, const struct tt_action *action)
{
    uint64_t process = tt_message_process_of(timelines, action->thread);
    return tt_hash_of_pair(process << 32 | action->other, action->value);
}

/* Returns the lane's first free asynchronous row; NULL with *deep set, or when out of memory. */
static struct tt_slice_row *free_async_row(struct tt_timelines *timelines,
                                           struct tt_slice_lane *lane, uint32_t thread,
                                           uint64_t time, bool *deep)
{
    uint32_t first = atomic_load_explicit(&lane->async, memory_order_relaxed) - 1;
    struct tt_slice_row *last = NULL, *row = slices_build_row_at(&timelines->slices, first);
    while (row && (row->open || row->edge > time)) {
        last = row;
        row = row->upper;
    }
    *deep = !row && last && last->depth + 1u >= TT_SLICE_DEPTHS;
    return row || *deep ? row : slices_build_add_row(timelines, lane, thread, last, true);
}

bool tt_slices_async_begin(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_slice_lane *lane = slices_build_lane_of(timelines, action->thread);
    bool deep;
    if (!lane) {
        return false;
    }
    struct tt_slice_row *row =
        free_async_row(timelines, lane, action->thread, action->ticks, &deep);
    if (deep) {
        note_health(timelines, action, TT_HEALTH_NESTING, action->value,
                    "slice nested too deep to be shown");
    } else if (!row || !row_begin(timelines, row, action, action->value) ||
               !(row->listed || add_open(&timelines->slices, row))) {
        return false;
    }
    return tt_open_spans_push(&timelines->slices.asyncs, async_key(timelines, action),
                              action->ticks, row ? row->number : NO_ROW);
}

/* The row of a slice that a loss has cut may have another slice since. */
bool tt_slices_async_end(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_open_edge edge;
    if (!tt_open_spans_pop(&timelines->slices.asyncs, async_key(timelines, action), &edge)) {
        note_health(timelines, action, TT_HEALTH_UNMATCHED, action->value,
                    "end of a slice that did not begin");
        return true;
    }
    struct tt_slice_row *row =
        slices_build_row_at(&timelines->slices, edge.what); /* none: it was too deep */
    bool open = row && row->open && row->edge == edge.ticks && row->id == action->value;
    return !open || row_end(timelines, row, action->ticks, false);
}

/* ---- losses ------------------------------------------------------------------------------- */

/* Cuts the open slice of a row. */
static bool row_cut(struct tt_timelines *timelines, struct tt_slice_row *row, uint64_t from)
{
    struct tt_slice_lane *lane = slices_build_lane_of(timelines, row->thread);
    bool ok = row_end(timelines, row, from > row->edge ? from : row->edge, true);
    lane->cut += lane->deep + !row->async;
    lane->deep = 0;
    if (lane->top == row) {
        set_top(lane, row, row->upper);
    }
    return ok;
}

bool tt_slices_lost(struct tt_timelines *timelines, const struct tt_action *action)
{
    struct tt_slice_lanes *slices = &timelines->slices;
    size_t kept = 0;
    bool ok = true;
    for (size_t i = 0; i < slices->open_count; i++) {
        uint32_t number = slices->open[i];
        struct tt_slice_row *row = slices_build_row_at(slices, number);
        if (row->open && row->stream != action->state) {
            slices->open[kept++] = number;
            continue;
        }
        row->listed = false;
        ok = ok && (!row->open || row_cut(timelines, row, tt_lost_since(action)));
    }
    slices->open_count = kept;
    return ok;
}

/* ---- feeding ------------------------------------------------------------------------------ */

bool tt_slices_begin(struct tt_timelines *timelines, const struct tt_action *action)
{
    return slices_build_begin(timelines, action);
}

bool tt_slices_end(struct tt_timelines *timelines, const struct tt_action *action)
{
    return slices_build_end(timelines, action);
}

bool tt_slices_whole(struct tt_timelines *timelines, const struct tt_action *action)
{
    return whole(timelines, action);
}

static inline bool slices_build_handle(struct tt_timelines *timelines,
                                       const struct tt_action *action)
{
    switch (action->kind) {
    case TT_ACTION_SLICE_BEGIN:
        return slices_build_begin(timelines, action);
    case TT_ACTION_SLICE_END:
        return slices_build_end(timelines, action);
    case TT_ACTION_SLICE:
        return whole(timelines, action);
    case TT_ACTION_ASYNC_BEGIN:
        return tt_slices_async_begin(timelines, action);
    default:
        return tt_slices_async_end(timelines, action);
    }
}

#define AHEAD 8u /* actions whose lanes are prefetched */

bool tt_slices_feed(struct tt_timelines *timelines, const struct tt_action *actions,
                    const uint16_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t upcoming = list[i + AHEAD < count ? i + AHEAD : i];
        tt_column_index_prefetch(&timelines->slices.lane_at, actions[upcoming].thread);
        if (!slices_build_handle(timelines, &actions[list[i]])) {
            return false;
        }
    }
    return !timelines->no_memory;
}
