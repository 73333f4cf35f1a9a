/* SPDX-License-Identifier: Apache-2.0 */
/* events/durations: walks from the begins on the screen to their ends, and over all events. */
#include "tui/views/events/durations.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/heap.h"
#include "tui/model/visible_rows.h"

#define REACH (UINT64_C(1) << 20) /* events read after a line to find its end */

/* Returns the reader that searches use, or NULL if out of memory. */
static struct tt_events *reader_of(struct tt_workspace *ws)
{
    if (!ws->opened.search_events) {
        ws->opened.search_events = tt_events_new(ws->opened.trace);
    }
    return ws->opened.search_events;
}

/* ---- lines of the screen ------------------------------------------------------------------ */

/* Returns the index of a row among the lines, or of the first one after it. */
static uint32_t line_of(const struct tt_event_durations *d, uint64_t row)
{
    uint32_t low = 0, high = d->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (d->rows[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_line(void *arg, const struct tt_event *event, uint64_t row)
{
    struct tt_event_durations *d = arg;
    uint32_t line = line_of(d, row);
    (void)event;
    if (line == d->count || d->rows[line] != row) {
        return false;
    }
    d->state[line] = TT_DURATION_OPEN;
    return true;
}

static void take_line(void *arg, uint64_t row, uint64_t ticks)
{
    struct tt_event_durations *d = arg;
    uint32_t line = line_of(d, row);
    if (line < d->count && d->rows[line] == row) {
        d->ticks[line] = ticks;
        d->state[line] = TT_DURATION_KNOWN;
    }
}

void tt_event_durations_ask(const struct tt_workspace *ws, struct tt_event_durations *d,
                            const uint64_t *rows, uint32_t count)
{
    count = count < TT_EVENTS_LINES ? count : TT_EVENTS_LINES;
    if (count == d->count && d->all_rows == ws->index.rows &&
        memcmp(rows, d->rows, count * sizeof *rows) == 0) {
        return;
    }
    memcpy(d->rows, rows, count * sizeof *rows);
    memset(d->state, TT_DURATION_NONE, sizeof d->state);
    d->count = count;
    d->at = count > 0 ? rows[0] : 0;
    d->all_rows = ws->index.rows;
    d->complete = count == 0;
    if (d->walk) {
        tt_duration_walk_clear(d->walk);
    }
}

/* Skips to the next line if no begin is open; false if there is nothing more to read. */
static bool skip(struct tt_event_durations *d)
{
    uint32_t line = line_of(d, d->at);
    if (tt_duration_walk_open(d->walk) > 0) {
        return d->at < d->all_rows && d->at < d->rows[d->count - 1] + REACH;
    }
    if (line < d->count && d->rows[line] > d->at) {
        tt_duration_walk_clear(d->walk);
        d->at = d->rows[line];
    }
    return line < d->count && d->at < d->all_rows;
}

bool tt_event_durations_work(struct tt_workspace *ws, struct tt_event_durations *d,
                             uint64_t deadline)
{
    const struct tt_duration_sink sink = {is_line, take_line, d, TT_EDGES_ALL};
    struct tt_events *events = reader_of(ws);
    d->walk = d->walk ? d->walk : tt_duration_walk_new(ws->opened.trace);
    while (!d->complete) {
        struct tt_status status = tt_ok();
        uint32_t count = 0;
        if (events && d->walk && skip(d)) {
            count =
                tt_duration_walk_step(d->walk, events, d->at, d->all_rows - d->at, &sink, &status);
        }
        d->at += count;
        d->complete = count == 0;
        if (!d->complete && tt_now_ns() >= deadline) {
            return false;
        }
    }
    return true;
}

enum tt_duration_state tt_event_duration_of(const struct tt_event_durations *d, uint64_t row,
                                            uint64_t *ticks)
{
    uint32_t line = line_of(d, row);
    if (line == d->count || d->rows[line] != row) {
        return TT_DURATION_NONE;
    }
    *ticks = d->ticks[line];
    return (enum tt_duration_state)d->state[line];
}

void tt_event_durations_free(struct tt_event_durations *d)
{
    tt_duration_walk_free(d->walk);
    *d = (struct tt_event_durations){.walk = NULL};
}

/* ---- the longest of all ------------------------------------------------------------------- */

/* Returns whether a comes before b: it is longer, or as long and earlier. */
static bool is_before(const struct tt_row_duration *a, const struct tt_row_duration *b)
{
    return a->ticks != b->ticks ? a->ticks > b->ticks : a->row < b->row;
}

static int compare(const void *x, const void *y)
{
    return is_before(x, y) ? -1 : is_before(y, x);
}

static bool is_after(const void *a, const void *b)
{
    return is_before(b, a);
}

static void take_longest(void *arg, uint64_t row, uint64_t ticks)
{
    struct tt_event_longest *l = arg;
    const struct tt_row_duration added = {row, ticks};
    l->count = (uint32_t)tt_heap_keep(l->heap, l->count, TT_EVENTS_LONGEST, sizeof added, &added,
                                      is_after);
}

/* The argument of the sink. */
struct both {
    struct tt_workspace *ws;
    struct tt_event_longest *longest;
};

static bool wants_both(void *arg, const struct tt_event *event, uint64_t row)
{
    const struct both *both = arg;
    (void)event;
    return tt_visible_has(both->ws, row);
}

static void take_both(void *arg, uint64_t row, uint64_t ticks)
{
    const struct both *both = arg;
    take_longest(both->longest, row, ticks);
}

void tt_event_longest_ask(const struct tt_workspace *ws, struct tt_event_longest *l)
{
    unsigned version = ws->filters.stack.shown_version;
    if (l->begun && l->version == version && l->all_rows == ws->index.rows) {
        return;
    }
    l->begun = true;
    l->version = version;
    l->all_rows = ws->index.rows;
    l->at = 0;
    l->count = 0;
    l->complete = l->failed = false;
    if (l->walk) {
        tt_duration_walk_clear(l->walk);
    }
}

bool tt_event_longest_work(struct tt_workspace *ws, struct tt_event_longest *l, uint64_t deadline)
{
    struct both both = {ws, l};
    const struct tt_duration_sink sink = {wants_both, take_both, &both, TT_EDGES_ALL};
    struct tt_events *events = reader_of(ws);
    l->walk = l->walk ? l->walk : tt_duration_walk_new(ws->opened.trace);
    l->heap = l->heap ? l->heap : malloc(TT_EVENTS_LONGEST * sizeof *l->heap);
    l->failed |= !events || !l->walk || !l->heap;
    while (!l->complete && !l->failed) {
        struct tt_status status;
        uint32_t count =
            tt_duration_walk_step(l->walk, events, l->at, l->all_rows - l->at, &sink, &status);
        l->failed = tt_failed(&status);
        l->at += count;
        if (count == 0 && !l->failed) {
            l->complete = true;
            qsort(l->heap, l->count, sizeof *l->heap, compare);
        } else if (tt_now_ns() >= deadline) {
            return false;
        }
    }
    return true;
}

uint32_t tt_event_longest_rank(const struct tt_event_longest *l, uint64_t row)
{
    uint32_t rank = 0;
    while (rank < l->count && l->heap[rank].row != row) {
        rank++;
    }
    return rank;
}

enum tt_duration_state tt_event_longest_of(const struct tt_event_longest *l, uint64_t row,
                                           uint64_t *ticks)
{
    uint32_t rank = l->complete ? tt_event_longest_rank(l, row) : l->count;
    if (rank == l->count) {
        return TT_DURATION_NONE;
    }
    *ticks = l->heap[rank].ticks;
    return TT_DURATION_KNOWN;
}

unsigned tt_event_longest_percent(const struct tt_event_longest *l)
{
    return l->all_rows > 0 ? (unsigned)((double)l->at * 100.0 / (double)l->all_rows) : 100;
}

void tt_event_longest_free(struct tt_event_longest *l)
{
    tt_duration_walk_free(l->walk);
    free(l->heap);
    *l = (struct tt_event_longest){.walk = NULL};
}
