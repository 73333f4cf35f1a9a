/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slices_internal: the rows behind tracetui/slices.h, and their builder.
 *
 *      lane of a thread --> row of depth 0 --above--> depth 1 --above--> ...
 *                      \--> asynchronous row 0 --above--> row 1 --> ...
 *
 * A row is a wide track with an item per slice: its time is the begin, its value the event type,
 * its second value the duration. A duration that does not fit, or is cut by a loss, is in `longs`:
 * an item at the end time, whose value is the slice's number and a flag for the cut. The sums are
 * computed from the items when a chunk is full.
 *
 * The indexing thread builds; readers follow the published tracks and links.
 */
#ifndef TRACETUI_TRACE_TIMELINE_SLICES_INTERNAL_H
#define TRACETUI_TRACE_TIMELINE_SLICES_INTERNAL_H

#include "base/column.h"
#include "base/column_index.h"
#include "trace/timeline/open_spans.h"
#include "trace/track/track_max.h"
#include "tracetui/action.h"
#include "tracetui/capture.h"
#include "tracetui/slices.h"

enum slice_sum {
    SLICE_COVERED, /* ticks in slices */
    SLICE_LONGEST, /* TT_TRACK_MAX_SUMS words; the key is the duration */
    SLICE_SUMS = SLICE_LONGEST + TT_TRACK_MAX_SUMS
};

/* Special durations. */
#define SLICE_OPEN UINT32_MAX
#define SLICE_LONG (UINT32_MAX - 1)

/* The value of an item of `longs`. */
#define LONG_CUT          (UINT32_C(1) << 31)
#define LONG_NUMBER(word) ((uint32_t)(word) & ~LONG_CUT)

#define NO_ROW UINT32_MAX

/* The members used for every slice come first: a cache line per row. */
struct tt_slice_row {
    struct tt_track slices;
    uint64_t edge;   /* builder only, as the next two: begin of the last slice if it is open, else
                        its end, from which the row is free */
    uint64_t id;     /* of the last slice, which its end event must have */
    uint16_t stream; /* of the last slice */
    uint16_t depth;
    bool open;   /* builder only: the last slice is open */
    bool listed; /* builder only: the row is in `open` of tt_slice_lanes */
    bool async;
    struct tt_slice_row *lower; /* builder only, as the next two: the row below, or NULL */
    struct tt_slice_row *upper; /* the row above, or NULL */
    uint32_t number;
    _Atomic uint32_t above; /* number of the next row, or NO_ROW */
    uint32_t thread;
    struct tt_track longs;
};

struct tt_slice_lane {
    _Atomic uint32_t nested; /* first row + 1; 0: none */
    _Atomic uint32_t async;
    /* Used by the builder only, from here on. */
    uint64_t free_from;        /* end of the slice in `top`; UINT64_MAX: open, or no `top` */
    struct tt_slice_row *top;  /* deepest row that may be in use, or NULL */
    struct tt_slice_row *next; /* the row above it, or NULL: to be created */
    uint32_t deep;             /* open slices deeper than TT_SLICE_DEPTHS, which are not stored */
    uint32_t cut;              /* slices cut by losses, whose ends may follow */
};

/* A problem found by the builder. */
struct tt_slice_problem {
    const struct tt_action *action;
    uint64_t value;
    const char *detail;
    enum tt_health_kind kind;
};

struct tt_slice_lanes {
    struct tt_column lanes; /* struct tt_slice_lane, by thread */
    struct tt_column rows;  /* struct tt_slice_row */
    struct tt_slice_lane threadless;
    /* Used by the builder only, from here on. */
    struct tt_column_index lane_at; /* indexes of `lanes` and `rows` */
    struct tt_column_index row_at;
    struct tt_open_spans asyncs; /* open ones by name and id; `what`: the row */
    uint32_t *open;              /* rows with a slice that may be open, which a loss may affect */
    size_t open_count;
    size_t open_capacity;
    bool holds; /* problems are held back until those before them are reported */
    struct tt_slice_problem *problems;
    size_t problem_count;
    size_t problem_capacity;
};

void tt_slice_lanes_init(struct tt_slice_lanes *slices);
void tt_slice_lanes_free(struct tt_slice_lanes *slices);

struct tt_timelines;

/* Computes the sums after the last slice of a row, which is not open. For the builder. */
void tt_slice_row_sums(const struct tt_slice_row *row, uint64_t sums[SLICE_SUMS]);

/* Handle one action of their kind. Return false when out of memory. */
bool tt_slices_begin(struct tt_timelines *timelines, const struct tt_action *action);
bool tt_slices_end(struct tt_timelines *timelines, const struct tt_action *action);
bool tt_slices_whole(struct tt_timelines *timelines, const struct tt_action *action);
bool tt_slices_async_begin(struct tt_timelines *timelines, const struct tt_action *action);
bool tt_slices_async_end(struct tt_timelines *timelines, const struct tt_action *action);
/* Handles the actions of these kinds whose numbers are in the list. False when out of memory. */
bool tt_slices_feed(struct tt_timelines *timelines, const struct tt_action *actions,
                    const uint16_t *list, uint32_t count);
/* Holds a problem back. Returns false when out of memory. */
bool tt_slices_hold_problem(struct tt_slice_lanes *slices, const struct tt_action *action,
                            enum tt_health_kind kind, uint64_t value, const char *detail);
/* Cuts the stream's open slices at the last event before the loss. */
bool tt_slices_lost(struct tt_timelines *timelines, const struct tt_action *action);

#endif
