/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slices_lanes (internal): the rows behind tracetui/slices.h, and filling them.
 *
 *      lane of a thread --> row of depth 0 --above--> depth 1 --above--> ...
 *                      \--> asynchronous row 0 --above--> row 1 --> ...
 *
 * A row is a wide track: an item a slice, its time the beginning, its value the event type, its
 * second value the length. A length that does not fit, or is cut by a loss, stands in `longs`: an
 * item at the end's time, whose value is the slice's number and whether it was cut.
 *
 * The builder is the indexer; readers follow the published tracks and links.
 */
#ifndef TRACETUI_TRACE_TIMELINE_SLICES_INTERNAL_H
#define TRACETUI_TRACE_TIMELINE_SLICES_INTERNAL_H

#include "base/column.h"
#include "base/column_index.h"
#include "trace/timeline/open_spans.h"
#include "trace/timeline/track_max.h"
#include "tracetui/slices.h"

enum slice_sum {
    SLICE_COVERED, /* ticks in slices */
    SLICE_LONGEST, /* TT_TRACK_MAX_SUMS words; the key is the length */
    SLICE_SUMS = SLICE_LONGEST + TT_TRACK_MAX_SUMS
};

/* Lengths that are none. */
#define SLICE_OPEN UINT32_MAX
#define SLICE_LONG (UINT32_MAX - 1)

/* The value of an item of `longs`. */
#define LONG_CUT          (UINT32_C(1) << 31)
#define LONG_NUMBER(word) ((uint32_t)(word) & ~LONG_CUT)

#define NO_ROW UINT32_MAX

/* What each slice needs comes first: of many rows it is two lines of memory a row. */
struct tt_slice_row {
    struct tt_track slices;
    uint64_t begin; /* the builder's, as the next three: of the last slice */
    uint64_t end;   /* free from here on; UINT64_MAX: it is open */
    uint64_t id;    /* of the last slice: what its end must say */
    uint32_t below;
    _Atomic uint32_t above; /* number of the next row, or NO_ROW */
    uint32_t thread;
    uint16_t depth;
    uint16_t stream; /* the builder's: of the last slice */
    bool async;
    bool listed; /* the builder's, as all from here on: among the open ones */
    struct tt_track_maxima longest;
    uint64_t sums[SLICE_SUMS];
    struct tt_track longs;
};

struct tt_slice_lane {
    _Atomic uint32_t nested; /* first row + 1; 0: none */
    _Atomic uint32_t async;
    /* The builder's own from here on. */
    uint32_t top;  /* the deepest row that may be in use, + 1 */
    uint32_t deep; /* begun too deep to be kept */
    uint32_t cut;  /* ended by losses: their ends may still come */
};

struct tt_slice_lanes {
    struct tt_column lanes; /* struct tt_slice_lane, by thread */
    struct tt_column rows;  /* struct tt_slice_row */
    struct tt_slice_lane threadless;
    /* The builder's own from here on. */
    struct tt_column_index lane_at; /* the items of `lanes` and `rows` */
    struct tt_column_index row_at;
    struct tt_open_spans asyncs; /* begun, by name and id; `what`: the row */
    uint32_t *open;              /* rows with a slice that may be open: what a loss may touch */
    size_t open_count;
    size_t open_capacity;
};

void tt_slice_lanes_init(struct tt_slice_lanes *slices);
void tt_slice_lanes_free(struct tt_slice_lanes *slices);

struct tt_action;
struct tt_timelines;

/* As tt_timelines_feed, by kind of action. */
bool tt_slices_begin(struct tt_timelines *t, const struct tt_action *a);
bool tt_slices_end(struct tt_timelines *t, const struct tt_action *a);
bool tt_slices_whole(struct tt_timelines *t, const struct tt_action *a);
bool tt_slices_async_begin(struct tt_timelines *t, const struct tt_action *a);
bool tt_slices_async_end(struct tt_timelines *t, const struct tt_action *a);
/* What the stream told of ends at the last event before, as far as is known. */
bool tt_slices_lost(struct tt_timelines *t, const struct tt_action *a);

#endif
