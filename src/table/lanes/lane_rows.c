/* SPDX-License-Identifier: Apache-2.0 */
/* lane_rows: the intervals, states and values of the lanes that the user defines. */
#include <stdlib.h>

#include "base/array.h"
#include "table/lanes/lane_rows.h"
#include "table/raw/bounds.h"
#include "table/registry.h"

struct lane_rows {
    struct tt_lane_walk *walk;
    struct tt_lane_span *rows; /* that the last step has found, ... */
    size_t count, capacity, next;
    bool is_over; /* all events are read, and the open rows are the last ones */
};

static bool keep_row(void *arg, const struct tt_lane_span *row)
{
    struct lane_rows *rows = arg;
    struct tt_lane_span *room =
        tt_array_grow(rows->rows, rows->count, &rows->capacity, sizeof *room);
    if (room) {
        rows->rows = room;
        room[rows->count++] = *row;
    }
    return room != NULL;
}

static bool begin_lanes(struct tt_table_run *run)
{
    struct lane_rows *rows = run->state;
    struct tt_events *events = run->request.events;
    const struct tt_table_bounds *bounds = &run->bounds;
    struct tt_lane_walk_request request = {.trace = run->request.trace,
                                           .events = events,
                                           .only = UINT32_MAX,
                                           .first_row = run->request.first_row,
                                           .end_row = run->request.end_row,
                                           .from = bounds->from,
                                           .to = bounds->last < UINT64_MAX ? bounds->last + 1
                                                                           : UINT64_MAX,
                                           .without_queries = run->request.without_queries};
    if (run->request.bounds) {
        request.first_row = bounds->from > 0 ? tt_events_row_at_time(events, bounds->from) : 0;
        request.end_row =
            request.to < UINT64_MAX ? tt_events_row_at_time(events, request.to) : UINT64_MAX;
    }
    rows->walk = tt_lane_walk_new(&request);
    return rows->walk != NULL;
}

static enum tt_made next_lane_row(struct tt_table_run *run, void *room)
{
    struct lane_rows *rows = run->state;
    for (;;) {
        while (rows->next < rows->count) {
            const struct tt_lane_span *from = &rows->rows[rows->next++];
            if (tt_raw_wants_thread(run, from->thread)) {
                *(struct tt_lane_out *)room = (struct tt_lane_out){
                    .span = *from,
                    .name = tt_lane_walk_set(rows->walk)->v[from->lane]->name,
                    .state = tt_lane_state(rows->walk, from),
                    .length = from->end != TT_LANE_OPEN ? from->end - from->begin : TT_TABLE_NONE,
                    .is_open = from->end == TT_LANE_OPEN,
                    .is_lossy = from->is_lossy};
                return TT_MADE_PART;
            }
        }
        if (rows->is_over || tt_raw_is_stopped(run)) {
            return TT_MADE_ALL;
        }
        bool ok;
        rows->next = rows->count = 0;
        if (tt_lane_walk_step(rows->walk, tt_events_rows(run->request.events), keep_row, rows,
                              &ok) == 0 &&
            ok) {
            rows->is_over = true;
            run->shrunk |= tt_lane_walk_is_cut(rows->walk);
            ok = tt_lane_walk_open(rows->walk, keep_row, rows);
        }
        if (!ok) {
            return TT_MADE_NO_MEMORY;
        }
    }
}

static uint64_t lane_row_number(const struct tt_table_run *run)
{
    const struct lane_rows *rows = run->state;
    const struct tt_lane_span *row = &rows->rows[rows->next - 1];
    return tt_raw_number(row->lane, row->row);
}

static void end_lanes(struct tt_table_run *run)
{
    struct lane_rows *rows = run->state;
    tt_lane_walk_free(rows->walk);
    free(rows->rows);
}

static TT_CELL_FUNCTION(cell_of_key)
{
    const struct lane_rows *rows = run->state;
    (void)column;
    tt_lane_put_key(&cell->text, rows->walk, &((const struct tt_lane_out *)row)->span);
    cell->kind = cell->text.used > 0 ? TT_CELL_TEXT : TT_CELL_NONE;
}

#define ROW struct tt_lane_out

/* clang-format off */
static const struct tt_table_column lane_columns[] = {
    RAW("lane", TEXT, name, "Name of the lane.", .is_lasting = true),
    RAW_MADE("key", NAME, cell_of_key, "What its events share: a thread, process, CPU or value; null: nothing."),
    RAW("utid", KEY, span.thread, "Thread that began the state or value, or ended the interval: key of `threads`.", .bound = TT_BOUND_THREAD, .is_sql = true),
    RAW("thread", LANE_NAME, span.thread, "Process, number and name of that thread.", .is_file = true),
    RAW("ts", AT, span.begin, "When it began.", .bound = TT_BOUND_TIME),
    RAW("end", AT, span.end, "When it ended; null: not in the capture."),
    RAW("dur", TIME_US, length, "Time from its begin to its end."),
    RAW("state", TEXT, state, "State, of a lane of states or a query."),
    RAW("value", REAL, span.value, "Value, of a lane of values or a query."),
    RAW("is_lossy", FLAG, is_lossy, "1: records are lost between its begin and its end."),
};
/* clang-format on */

const struct tt_table tt_table_lane_rows = {
    NAMES("lanes", "Lanes", "Intervals, states and values of lanes, in order of their ends.",
          "[lane]"),
    COLUMNS(lane_columns),
    .reads_events = true,
    .begin = begin_lanes,
    .next = next_lane_row,
    .number = lane_row_number,
    .end = end_lanes,
    OF_RAW_ROWS(struct tt_lane_out, struct lane_rows),
};
