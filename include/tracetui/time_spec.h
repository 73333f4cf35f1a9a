/* SPDX-License-Identifier: Apache-2.0 */
/*
 * when: a point of a capture as a person writes it, on the command line and at a prompt.
 *
 *      1.2s 3ms 4us 5ns    time since the capture's origin, as the time column shows it
 *      500t                the same in ticks of the capture's clock
 *      #1234               the event with that number
 *      40%                 a part of the way from the first event to the last
 *
 * Parsing knows no capture, so that a bad word is refused before a file is opened; resolving
 * gives the key (ticks, pos) of the first event that lies at or after the point. A range is
 * [from, to): two points resolved the same way. Plain data; resolving belongs to the thread that
 * owns the `struct tt_events`.
 */
#ifndef TRACETUI_TIME_SPEC_H
#define TRACETUI_TIME_SPEC_H

#include "tracetui/status.h"
#include "tracetui/trace.h"

enum tt_time_spec_kind {
    TT_TIME_SPEC_NONE, /* not given */
    TT_TIME_SPEC_NS,   /* value: nanoseconds since the origin, negative before it */
    TT_TIME_SPEC_TICKS,
    TT_TIME_SPEC_EVENT, /* value: the event's n */
    TT_TIME_SPEC_PART,  /* value: billionths of the whole span, 0..10^9 */
};

struct tt_time_spec {
    enum tt_time_spec_kind kind;
    int64_t value;
};

/* Reads `text` whole. TT_ERR_USAGE says what is wrong with it. */
struct tt_status tt_time_spec_parse(const char *text, struct tt_time_spec *when);

/*
 * The key of the first event at or after the point; (UINT64_MAX, UINT64_MAX) when it lies behind
 * the last one. Counts on the part indexed so far. TT_ERR_USAGE for a time in seconds where the
 * capture has no clock.
 */
struct tt_status tt_time_spec_resolve(const struct tt_time_spec *when, struct tt_trace *trace,
                                      struct tt_events *events, uint64_t *ticks, uint64_t *pos);

#endif
