/* SPDX-License-Identifier: Apache-2.0 */
/*
 * align_sides: the two sides of a comparison on one time line, for the Align pane. A moment of A and a moment
 * of B are at the same time: two events, two marks, two places, or the beginnings of the two ranges.
 *
 *      A        |-----------*-----------------|
 *      B                |---*-------------|
 *      aligned  |-----------0-----------------|      TT_ALIGNED_ZERO, in ticks of B's clock
 *
 * A side is the open capture, or another one that is opened beside it. After another capture has been
 * opened, the sides are opened again when the pane is shown. One thread.
 */
#ifndef TRACETUI_TUI_PANES_ALIGN_SIDES_H
#define TRACETUI_TUI_PANES_ALIGN_SIDES_H

#include "compare/thread_pairs.h"
#include "tui/model/workspace.h"

#define TT_ALIGNED_ZERO  (UINT64_C(1) << 62)
#define TT_ALIGNED_TEXT  200u /* bytes of an event's filter */
#define TT_ALIGNED_MARKS 2u   /* captures whose marks are remembered after they are closed */

struct tt_align_search;

/* Where the sides are aligned. */
struct tt_align_at {
    char event[TT_ALIGNED_TEXT];     /* a filter: its first event in each range */
    char places[2][TT_ALIGNED_TEXT]; /* else a place or a mark of each side; "": the beginnings */
};

struct tt_align_sides {
    struct tt_workspace *ws;          /* set when something is aligned */
    char paths[2][TT_COMPARING_PATH]; /* of A and B; paths[0] "": nothing is aligned */
    struct tt_key_range keys[2];
    struct tt_align_at where;
    bool located;   /* `at` is set */
    bool ready;     /* both sides can be drawn */
    uint64_t at[2]; /* ticks of the moments that are aligned, and positions */
    uint64_t pos[2];
    struct tt_trace *others[2]; /* captures of A and B that are not the open one */
    struct tt_events *other_events[2];
    struct tt_align_search *search; /* NULL: no event is searched */
    struct tt_thread_pairs pairs;
    struct tt_viewport viewport; /* in ticks of the aligned time */
    bool placed;                 /* the viewport is set */
    struct tt_status status;     /* why nothing is aligned */
    /* Marks of captures that were open, because a session keeps those of the open one alone. */
    struct {
        char path[TT_COMPARING_PATH];
        struct tt_bookmark marks[TT_BOOKMARKS];
    } remembered[TT_ALIGNED_MARKS];
    unsigned next_remembered;
};

/*
 * Aligns the sides of the comparison at an event, a place of each, or one of both; "" the default.
 * TT_ERR_USAGE: there is no comparison, or it has no two captures.
 */
struct tt_status tt_align_sides_begin(struct tt_align_sides *sides, struct tt_workspace *ws,
                                      const char *text);
/* Moves to the next or previous event of both sides. TT_ERR_USAGE: they are not aligned at events. */
struct tt_status tt_align_sides_move(struct tt_align_sides *sides, bool forward);
/* Continues until `deadline_ns` (tt_now_ns); returns true when nothing is left to do. */
bool tt_align_sides_work(struct tt_align_sides *sides, uint64_t deadline_ns);

/* Return the trace of a side that is ready, 0 or 1, and whether it is the open one. */
struct tt_trace *tt_align_trace(const struct tt_align_sides *sides, int side);
bool tt_align_is_open(const struct tt_align_sides *sides, int side);
/* Converts aligned time to ticks of a side, clipped to 0..UINT64_MAX, and back. */
uint64_t tt_align_ticks(const struct tt_align_sides *sides, int side, uint64_t aligned);
uint64_t tt_align_time(const struct tt_align_sides *sides, int side, uint64_t ticks);
/* Returns the bounds of both sides in aligned time. */
struct tt_bounds tt_align_bounds(const struct tt_align_sides *sides);

/* Closes the other captures and keeps the marks, before the open capture is closed. */
void tt_align_sides_drop(struct tt_align_sides *sides, struct tt_workspace *ws);
void tt_align_sides_free(struct tt_align_sides *sides);

#endif
