/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ready: the occupants of the CPU for which a ready thread waited, piece by piece. The pieces of an
 * interval cover it exactly. docs/causes.md has the rules.
 */
#ifndef TT_ANALYSIS_CAUSES_READY_H
#define TT_ANALYSIS_CAUSES_READY_H

#include "analysis/causes/explain.h"
#include "tracetui/merge.h"

struct tt_ready_piece {
    uint64_t from;
    uint64_t to;
    uint32_t by;   /* thread that had the CPU, or TT_NO_THREAD */
    uint8_t cause; /* TT_CAUSE_HIGHER to IDLE, or UNKNOWN */
};

/*
 * A ready interval that is walked; `at` is the beginning of the next piece. The caller sets the
 * first six members, and the others to 0: they cache the lookups for the previous piece. A walk is
 * valid while the timelines do not grow.
 */
struct tt_ready_walk {
    const struct tt_timelines *t;
    const struct tt_capture *c;
    uint32_t thread;
    uint16_t cpu; /* or TT_NO_CPU: unknown */
    uint64_t at;
    uint64_t to;
    bool found;     /* `occupation` is that of the previous piece */
    bool has_after; /* `after` at `place` follows it */
    struct tt_occupation occupation;
    struct tt_occupation after;
    struct tt_occupation_at place;
    uint64_t own_until; /* end of `own`; 0: not read yet */
    uint64_t irqs_until;
    int own;       /* priority of the thread */
    uint32_t irqs; /* open interrupts of the CPU */
};

/* Returns the CPU that a ready thread waits for: where it runs next, else where it ran last. */
uint16_t tt_ready_cpu(const struct tt_timelines *timelines, struct tt_interval_at at,
                      const struct tt_interval *ready);
/* Returns the next piece; false at the end. O(log n) for the first, then O(1) amortized. */
bool tt_ready_next(struct tt_ready_walk *walk, struct tt_ready_piece *piece);

static inline uint64_t tt_earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns whether priority `a` is more urgent than `b` among the threads of the system of `thread`. */
static inline bool tt_is_more_urgent(const struct tt_capture *capture, uint32_t thread, int a,
                                     int b)
{
    return tt_format_has(tt_merge_format_of(capture, thread), TT_FORMAT_LOW_IS_URGENT) ? a < b
                                                                                       : a > b;
}

#endif
