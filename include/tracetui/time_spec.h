/* SPDX-License-Identifier: Apache-2.0 */
/*
 * time_spec: a point in a capture as the user writes it, in options and at prompts.
 *
 *      1.2s 3ms 4us 5ns    time since the capture's origin, as in the time column
 *      500t                the same in ticks of the capture's clock
 *      #1234               the event with that number
 *      40%                 fraction of the time from the first event to the last
 *
 * Parsing is independent of a capture, so that errors are reported before a file is opened.
 * Resolving returns the key (ticks, pos) of the first event at or after the point. A range is
 * [from, to): two points resolved in the same way. Plain data; resolve on the thread that owns the
 * `struct tt_events`.
 */
#ifndef TRACETUI_TIME_SPEC_H
#define TRACETUI_TIME_SPEC_H

#include "tracetui/status.h"
#include "tracetui/trace.h"

enum tt_time_spec_kind {
    TT_TIME_SPEC_NONE, /* not specified */
    TT_TIME_SPEC_NS,   /* value: nanoseconds since the origin, negative before it */
    TT_TIME_SPEC_TICKS,
    TT_TIME_SPEC_EVENT, /* value: event number n */
    TT_TIME_SPEC_PART,  /* value: billionths of the total time, 0..10^9 */
};

struct tt_time_spec {
    enum tt_time_spec_kind kind;
    int64_t value;
};

/* Parses `text` as a whole. TT_ERR_USAGE describes the error. */
struct tt_status tt_time_spec_parse(const char *text, struct tt_time_spec *when);

/*
 * Computes the key of the first event at or after the point; (UINT64_MAX, UINT64_MAX) if there is
 * none. Uses the part indexed so far. TT_ERR_USAGE for a time in seconds if the capture has no
 * clock.
 */
struct tt_status tt_time_spec_resolve(const struct tt_time_spec *when, struct tt_trace *trace,
                                      struct tt_events *events, uint64_t *ticks, uint64_t *pos);

#endif
