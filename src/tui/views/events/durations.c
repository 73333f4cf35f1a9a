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
static uint32_t line_of(const struct tt_event_durations *durations, uint64_t row)
{
    uint32_t low = 0, high = durations->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (durations->rows[middle] < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_line(void *arg, const struct tt_event *event, uint64_t row)
{
    struct tt_event_durations *durations = arg;
    uint32_t line = line_of(durations, row);
    (void)event;
    if (line == durations->count || durations->rows[line] != row) {
        return false;
    }
    durations->state[line] = TT_DURATION_OPEN;
    return true;
}

static void set_line(void *arg, uint64_t row, uint64_t ticks)
{
    struct tt_event_durations *durations = arg;
    uint32_t line = line_of(durations, row);
    if (line < durations->count && durations->rows[line] == row) {
        durations->ticks[line] = ticks;
        durations->state[line] = TT_DURATION_KNOWN;
    }
}

void tt_event_durations_ask(const struct tt_workspace *ws, struct tt_event_durations *durations,
                            const uint64_t *rows, uint32_t count)
{
    count = count < TT_EVENTS_LINES ? count : TT_EVENTS_LINES;
    if (count == durations->count && durations->all_rows == ws->index.rows &&
        memcmp(rows, durations->rows, count * sizeof *rows) == 0) {
        return;
    }
    memcpy(durations->rows, rows, count * sizeof *rows);
    memset(durations->state, TT_DURATION_NONE, sizeof durations->state);
    durations->count = count;
    durations->at = count > 0 ? rows[0] : 0;
    durations->all_rows = ws->index.rows;
    durations->complete = count == 0;
    if (durations->walk) {
        tt_duration_walk_clear(durations->walk);
    }
}

/* Skips to the next line if no begin is open; false if there is nothing more to read. */
static bool skip(struct tt_event_durations *durations)
{
    uint32_t line = line_of(durations, durations->at);
    if (tt_duration_walk_open(durations->walk) > 0) {
        return durations->at < durations->all_rows &&
               durations->at < durations->rows[durations->count - 1] + REACH;
    }
    if (line < durations->count && durations->rows[line] > durations->at) {
        tt_duration_walk_clear(durations->walk);
        durations->at = durations->rows[line];
    }
    return line < durations->count && durations->at < durations->all_rows;
}

bool tt_event_durations_work(struct tt_workspace *ws, struct tt_event_durations *durations,
                             uint64_t deadline)
{
    const struct tt_duration_sink sink = {is_line, set_line, durations, TT_EDGES_ALL};
    struct tt_events *events = reader_of(ws);
    durations->walk = durations->walk ? durations->walk : tt_duration_walk_new(ws->opened.trace);
    while (!durations->complete) {
        struct tt_status status = tt_ok();
        uint32_t count = 0;
        if (events && durations->walk && skip(durations)) {
            count = tt_duration_walk_step(durations->walk, events, durations->at,
                                          durations->all_rows - durations->at, &sink, &status);
        }
        durations->at += count;
        durations->complete = count == 0;
        if (!durations->complete && tt_now_ns() >= deadline) {
            return false;
        }
    }
    return true;
}

enum tt_duration_state tt_event_duration_of(const struct tt_event_durations *durations,
                                            uint64_t row, uint64_t *ticks)
{
    uint32_t line = line_of(durations, row);
    if (line == durations->count || durations->rows[line] != row) {
        return TT_DURATION_NONE;
    }
    *ticks = durations->ticks[line];
    return (enum tt_duration_state)durations->state[line];
}

void tt_event_durations_free(struct tt_event_durations *durations)
{
    tt_duration_walk_free(durations->walk);
    *durations = (struct tt_event_durations){.walk = NULL};
}

/* ---- the longest of all ------------------------------------------------------------------- */

/* Returns whether a comes before b: it is longer, or as long and earlier. */
static bool durations_is_before(const struct tt_row_duration *left,
                                const struct tt_row_duration *right)
{
    return left->ticks != right->ticks ? left->ticks > right->ticks : left->row < right->row;
}

static int durations_compare(const void *x, const void *y)
{
    return durations_is_before(x, y) ? -1 : durations_is_before(y, x);
}

static bool durations_is_after(const void *a, const void *b)
{
    return durations_is_before(b, a);
}

static void add_longest(void *arg, uint64_t row, uint64_t ticks)
{
    struct tt_event_longest *longest = arg;
    const struct tt_row_duration added = {row, ticks};
    longest->count = (uint32_t)tt_heap_keep(longest->heap, longest->count, TT_EVENTS_LONGEST,
                                            sizeof added, &added, durations_is_after);
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

static void add_both(void *arg, uint64_t row, uint64_t ticks)
{
    const struct both *both = arg;
    add_longest(both->longest, row, ticks);
}

void tt_event_longest_ask(const struct tt_workspace *ws, struct tt_event_longest *longest)
{
    unsigned version = ws->filters.stack.shown_version;
    if (longest->begun && longest->version == version && longest->all_rows == ws->index.rows) {
        return;
    }
    longest->begun = true;
    longest->version = version;
    longest->all_rows = ws->index.rows;
    longest->at = 0;
    longest->count = 0;
    longest->complete = longest->failed = false;
    if (longest->walk) {
        tt_duration_walk_clear(longest->walk);
    }
}

bool tt_event_longest_work(struct tt_workspace *ws, struct tt_event_longest *longest,
                           uint64_t deadline)
{
    struct both both = {ws, longest};
    const struct tt_duration_sink sink = {wants_both, add_both, &both, TT_EDGES_ALL};
    struct tt_events *events = reader_of(ws);
    longest->walk = longest->walk ? longest->walk : tt_duration_walk_new(ws->opened.trace);
    longest->heap =
        longest->heap ? longest->heap : malloc(TT_EVENTS_LONGEST * sizeof *longest->heap);
    longest->failed |= !events || !longest->walk || !longest->heap;
    while (!longest->complete && !longest->failed) {
        struct tt_status status;
        uint32_t count = tt_duration_walk_step(longest->walk, events, longest->at,
                                               longest->all_rows - longest->at, &sink, &status);
        longest->failed = tt_failed(&status);
        longest->at += count;
        if (count == 0 && !longest->failed) {
            longest->complete = true;
            qsort(longest->heap, longest->count, sizeof *longest->heap, durations_compare);
        } else if (tt_now_ns() >= deadline) {
            return false;
        }
    }
    return true;
}

uint32_t tt_event_longest_rank(const struct tt_event_longest *longest, uint64_t row)
{
    uint32_t rank = 0;
    while (rank < longest->count && longest->heap[rank].row != row) {
        rank++;
    }
    return rank;
}

enum tt_duration_state tt_event_longest_of(const struct tt_event_longest *longest, uint64_t row,
                                           uint64_t *ticks)
{
    uint32_t rank = longest->complete ? tt_event_longest_rank(longest, row) : longest->count;
    if (rank == longest->count) {
        return TT_DURATION_NONE;
    }
    *ticks = longest->heap[rank].ticks;
    return TT_DURATION_KNOWN;
}

unsigned tt_event_longest_percent(const struct tt_event_longest *longest)
{
    return longest->all_rows > 0
               ? (unsigned)((double)longest->at * 100.0 / (double)longest->all_rows)
               : 100;
}

void tt_event_longest_free(struct tt_event_longest *longest)
{
    tt_duration_walk_free(longest->walk);
    free(longest->heap);
    *longest = (struct tt_event_longest){.walk = NULL};
}
