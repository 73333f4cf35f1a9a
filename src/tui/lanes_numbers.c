/* SPDX-License-Identifier: Apache-2.0 */
/* lanes_numbers: sums of all threads, a few at a time. */
#include "tui/lanes_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "tui/search.h"

/* Intervals of one thread that are looked at between two looks at the clock. */
#define DELAYS_AT_ONCE 4096u

bool tt_lane_numbers_ask(struct tt_lane_numbers *n, const struct tt_timelines *t, uint64_t from,
                         uint64_t to, uint32_t count, bool delays)
{
    uint64_t end = tt_timelines_end(t);
    bool same = n->from == from && n->to == to && n->count == count && n->end == end;
    if (same && (n->delays || !delays)) {
        return true;
    }
    if (count > n->room) {
        struct tt_lane_number *more = realloc(n->threads, count * sizeof *more);
        if (!more) {
            return false;
        }
        n->threads = more;
        n->room = count;
    }
    n->from = from;
    n->to = to;
    n->end = end;
    n->count = count;
    n->delays = delays;
    n->failed = false;
    n->done = 0;
    n->delay_from = from;
    if (count > 0) {
        memset(n->threads, 0, count * sizeof *n->threads);
    }
    return true;
}

/* The next piece of a thread's delays; true when that was the last one. */
static bool delays_on(struct tt_lane_numbers *n, const struct tt_timelines *t, uint32_t thread)
{
    uint64_t pieces = tt_interval_count(t, thread) / DELAYS_AT_ONCE + 1;
    uint64_t left = n->to - n->delay_from, piece = (n->to - n->from) / pieces + 1;
    uint64_t to = n->delay_from + (piece < left ? piece : left);
    tt_delays_clear(&n->scratch);
    n->failed |= !tt_delays_gather(&n->scratch, t, thread, n->delay_from, to);
    struct tt_lane_number *number = &n->threads[thread];
    if (n->scratch.delay.count > 0 && n->scratch.delay.max > number->delay_max) {
        number->delay_max = n->scratch.delay.max;
    }
    n->delay_from = to;
    return to >= n->to;
}

bool tt_lane_numbers_work(struct tt_lane_numbers *n, const struct tt_timelines *t,
                          uint64_t deadline)
{
    while (n->done < n->count && tt_monotonic_ns() < deadline) {
        uint32_t thread = n->done;
        if (n->delay_from == n->from) {
            struct tt_thread_sums sums;
            tt_thread_sum(t, thread, n->from, n->to, &sums);
            n->threads[thread].run = sums.ticks[TT_CLASS_RUNNING] - sums.irq;
            n->threads[thread].in = sums.in;
        }
        if (!n->delays || delays_on(n, t, thread)) {
            n->done++;
            n->delay_from = n->from;
        }
    }
    return tt_lane_numbers_complete(n);
}

void tt_lane_numbers_free(struct tt_lane_numbers *n)
{
    free(n->threads);
    tt_delays_free(&n->scratch);
    memset(n, 0, sizeof *n);
}
