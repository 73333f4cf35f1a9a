/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slices: durations recorded by programs, nested, per thread, for drawing.
 *
 * A thread's slices are arranged in rows. Slices of a row do not overlap and are in time order, so
 * a slice is found by binary search. The first rows hold nested slices, by depth; the following
 * rows hold asynchronous slices (which begin on this thread and may end anywhere), each in the
 * first free row:
 *
 *      row 0   |------ frame ------|   |---- frame ----|
 *      row 1     |- draw -| |swap|        |- draw -|
 *      row 2   |.... request ...........|                    asynchronous
 *      row 3           |.... request ........|
 *
 * A slice's name and class are those of an event type (tt_types_at). A slice without an end extends
 * to the end of the timelines and is `open`. A slice whose end may be among lost records ends at
 * the last event before the loss and is `cut`. Ends without a begin and slices deeper than
 * TT_SLICE_DEPTHS are counted in health.
 *
 * Times are ticks, windows [from, to). Threads: as in tracetui/timeline.h. A row pointer is valid
 * until the trace is closed, but look it up again while the timelines are provisional.
 */
#ifndef TRACETUI_SLICES_H
#define TRACETUI_SLICES_H

#include "tracetui/timeline.h"

#define TT_SLICE_DEPTHS 128u

struct tt_slice_row;

/*
 * Returns the number of rows of a thread; of TT_NO_THREAD: asynchronous slices begun by no thread.
 * O(rows).
 */
uint32_t tt_slice_rows(const struct tt_timelines *timelines, uint32_t thread);
/* Returns the number of rows of nested slices: rows [0, depths). */
uint32_t tt_slice_depths(const struct tt_timelines *timelines, uint32_t thread);
/* Returns row `number`; NULL if it is not below tt_slice_rows. O(number). */
const struct tt_slice_row *tt_slice_row(const struct tt_timelines *timelines, uint32_t thread,
                                        uint32_t number);
/*
 * Returns the row with the runs of the guest that a thread hosts, a slice each (TT_FORMAT_GUESTS); NULL: it hosts
 * none. O(1).
 */
const struct tt_slice_row *tt_guest_row(const struct tt_timelines *timelines, uint32_t thread);
/* Returns whether a thread of the capture may host a guest: its format records them, and it has slices. */
bool tt_guests_any(const struct tt_timelines *timelines);
/* Returns the number of slices of all threads. */
uint64_t tt_slices_total(const struct tt_timelines *timelines);

struct tt_slice {
    uint64_t start;
    uint64_t end;
    uint32_t thread;
    uint32_t type;  /* event type: class and name */
    uint16_t depth; /* of a nested slice */
    bool async;
    bool open;
    bool cut;
};

/* A position in a row. */
struct tt_slice_at {
    const struct tt_slice_row *row;
    uint32_t chunk;
    uint32_t slot;
};

/* Returns the number of slices of a row. */
uint64_t tt_slice_count(const struct tt_slice_row *row);
/* Returns the number of slices of the row before a position. */
uint64_t tt_slice_index(struct tt_slice_at at);
/* Returns the slice at a position. */
struct tt_slice tt_slice_get(const struct tt_timelines *timelines, struct tt_slice_at at);
/*
 * Finds the first slice that overlaps [from, to); a slice without duration counts at its time.
 * O(log n).
 */
bool tt_slice_first(const struct tt_timelines *timelines, const struct tt_slice_row *row,
                    uint64_t from, uint64_t to, struct tt_slice_at *at);
/* Finds the last slice that begins at or before `ticks`, ended or not. O(log n). */
bool tt_slice_find(const struct tt_slice_row *row, uint64_t ticks, struct tt_slice_at *at);
/* Move to the next and the previous slice of the row; false if there is none. */
bool tt_slice_next(struct tt_slice_at *at);
bool tt_slice_previous(struct tt_slice_at *at);

/*
 * Returns the ticks of the window inside slices. A binary search and at most 64 steps at either
 * end.
 */
uint64_t tt_slice_ticks(const struct tt_timelines *timelines, const struct tt_slice_row *row,
                        uint64_t from, uint64_t to);

/*
 * A row of adjacent windows, for drawing: cell i is [edges[i], edges[i + 1]). Exact at any zoom; a
 * cell costs two binary searches and at most about 200 steps.
 */
struct tt_slice_cell {
    uint64_t ticks;        /* inside slices */
    uint64_t most_ticks;   /* of the slice with the largest share */
    struct tt_slice_at at; /* that slice, the first of equals; row NULL: the cell has none */
    uint64_t slices;       /* number of slices that overlap the cell */
};
void tt_slice_cells(const struct tt_timelines *timelines, const struct tt_slice_row *row,
                    const uint64_t *edges, uint32_t count, struct tt_slice_cell *cells);

#endif
