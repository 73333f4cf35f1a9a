/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slices: the durations that programs told of themselves, by thread, nested, for drawing.
 *
 * A thread's slices stand in rows. In a row they do not overlap and are in order of time, so that
 * one is found by binary search. The first rows are of nested ones, by depth; then follow those of
 * asynchronous ones (that begin on this thread and may end anywhere), each in the first row that is
 * free:
 *
 *      row 0   |------ frame ------|   |---- frame ----|
 *      row 1     |- draw -| |swap|        |- draw -|
 *      row 2   |.... request ...........|                    asynchronous
 *      row 3           |.... request ........|
 *
 * A slice's name and class are those of an event type (tt_types_at). One that has not ended reaches
 * to the end of the timelines and is `open`; one whose end may be among lost records ends, as far
 * as is known, at the last event before them and is `cut`. An end without a beginning is counted in
 * health. Deeper than TT_SLICE_DEPTHS nothing is kept; that too is in health.
 *
 * Times are ticks, windows [from, to). Threads: as tracetui/timeline.h. A row is good until the
 * trace is closed, but ask for it anew while the timelines are provisional.
 */
#ifndef TRACETUI_SLICES_H
#define TRACETUI_SLICES_H

#include "tracetui/timeline.h"

#define TT_SLICE_DEPTHS 128u

struct tt_slice_row;

/* Rows of a thread; of TT_NO_THREAD: asynchronous slices that no thread began. O(rows). */
uint32_t tt_slice_rows(const struct tt_timelines *t, uint32_t thread);
/* Of these, how many are of nested slices: rows [0, depths). */
uint32_t tt_slice_depths(const struct tt_timelines *t, uint32_t thread);
/* Row `number` below tt_slice_rows; NULL if there is none. O(number). */
const struct tt_slice_row *tt_slice_row(const struct tt_timelines *t, uint32_t thread,
                                        uint32_t number);
/* Slices of all threads. */
uint64_t tt_slices_total(const struct tt_timelines *t);

struct tt_slice {
    uint64_t start;
    uint64_t end;
    uint32_t thread;
    uint32_t type;  /* event type: class and name */
    uint16_t depth; /* of a nested one */
    bool async;
    bool open;
    bool cut;
};

/* A place in a row. */
struct tt_slice_at {
    const struct tt_slice_row *row;
    uint32_t chunk;
    uint32_t slot;
};

uint64_t tt_slice_count(const struct tt_slice_row *row);
struct tt_slice tt_slice_get(const struct tt_timelines *t, struct tt_slice_at at);
/* The first slice with some part in [from, to); one without length where it stands. O(log n). */
bool tt_slice_first(const struct tt_timelines *t, const struct tt_slice_row *row, uint64_t from,
                    uint64_t to, struct tt_slice_at *at);
/* The last slice that begins at or before `ticks`, whether it has ended or not. O(log n). */
bool tt_slice_find(const struct tt_slice_row *row, uint64_t ticks, struct tt_slice_at *at);
bool tt_slice_next(struct tt_slice_at *at);
bool tt_slice_previous(struct tt_slice_at *at);

/* Ticks of the window in slices. A binary search and at most 64 steps at either end. */
uint64_t tt_slice_ticks(const struct tt_timelines *t, const struct tt_slice_row *row, uint64_t from,
                        uint64_t to);

/*
 * A row of neighbouring windows, for drawing: cell i is [edges[i], edges[i + 1]). Exact at any
 * zoom; a cell costs two binary searches and, however many slices it has, at most some 200 steps.
 */
struct tt_slice_cell {
    uint64_t ticks;        /* in slices */
    uint64_t most_ticks;   /* of the slice that has most of it */
    struct tt_slice_at at; /* that slice, of equals the first; row NULL: the cell has none */
    uint64_t slices;       /* with some part in it */
};
void tt_slice_cells(const struct tt_timelines *t, const struct tt_slice_row *row,
                    const uint64_t *edges, uint32_t count, struct tt_slice_cell *cells);

#endif
