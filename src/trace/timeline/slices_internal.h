/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slices_internal: the rows behind tracetui/slices.h, and their builder.
 *
 *      lane of a thread --> row of depth 0 --above--> depth 1 --above--> ...
 *                      \--> asynchronous row 0 --above--> row 1 --> ...
 *
 * A row is a wide track with an item per slice: its time is the begin, its value the event type,
 * its second value the duration. A duration that does not fit, or is cut by a loss, is in `longs`:
 * an item at the end time, whose value is the slice's number and a flag for the cut.
 *
 * The indexing thread builds; readers follow the published tracks and links.
 */
#ifndef TRACETUI_TRACE_TIMELINE_SLICES_INTERNAL_H
#define TRACETUI_TRACE_TIMELINE_SLICES_INTERNAL_H

#include "base/column.h"
#include "base/column_index.h"
#include "trace/timeline/open_spans.h"
#include "trace/track/track_max.h"
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

/* The members used for every slice come first: two cache lines per row. */
struct tt_slice_row {
    struct tt_track slices;
    uint64_t begin; /* builder only, as the next two: begin of the last slice */
    uint64_t end;   /* its end, from which the row is free; UINT64_MAX: open */
    uint64_t id;    /* its id, which its end event must have */
    uint32_t below;
    _Atomic uint32_t above; /* number of the next row, or NO_ROW */
    uint32_t thread;
    uint16_t depth;
    uint16_t stream; /* builder only: of the last slice */
    bool async;
    bool listed; /* builder only, from here on: the row is in `open` */
    struct tt_track_maxima longest;
    uint64_t sums[SLICE_SUMS];
    struct tt_track longs;
};

struct tt_slice_lane {
    _Atomic uint32_t nested; /* first row + 1; 0: none */
    _Atomic uint32_t async;
    /* Used by the builder only, from here on. */
    uint32_t top;  /* number + 1 of the deepest row that may be in use */
    uint32_t deep; /* open slices deeper than TT_SLICE_DEPTHS, which are not stored */
    uint32_t cut;  /* slices cut by losses, whose ends may follow */
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
};

void tt_slice_lanes_init(struct tt_slice_lanes *slices);
void tt_slice_lanes_free(struct tt_slice_lanes *slices);

struct tt_action;
struct tt_timelines;

/* Handle one action of their kind. Return false when out of memory. */
bool tt_slices_begin(struct tt_timelines *t, const struct tt_action *a);
bool tt_slices_end(struct tt_timelines *t, const struct tt_action *a);
bool tt_slices_whole(struct tt_timelines *t, const struct tt_action *a);
bool tt_slices_async_begin(struct tt_timelines *t, const struct tt_action *a);
bool tt_slices_async_end(struct tt_timelines *t, const struct tt_action *a);
/* Cuts the stream's open slices at the last event before the loss. */
bool tt_slices_lost(struct tt_timelines *t, const struct tt_action *a);

#endif
