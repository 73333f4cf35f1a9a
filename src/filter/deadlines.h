/* SPDX-License-Identifier: Apache-2.0 */
/*
 * deadlines: the longest response of the jobs of threads that meets their deadline, as text:
 *
 *      sensor/1=2ms,/^fusion/=500us        NAME=TIME or /REGEX/=TIME
 *
 * A name is one of --thread; the regex matches names as the column of threads has them. Of several
 * entries for a thread the last one counts. Times of a capture without a clock are in ticks: 900t.
 * One thread.
 */
#ifndef TRACETUI_FILTER_DEADLINES_H
#define TRACETUI_FILTER_DEADLINES_H

#include "tracetui/capture.h"
#include "tracetui/status.h"

struct tt_deadlines {
    uint64_t *ticks; /* by thread, 0: none */
    uint32_t count;  /* number of threads when it was made */
};

/*
 * Reads the entries. TT_ERR_USAGE: a syntax error, or a name without a thread in the capture, which
 * is no error if `lenient`. Without a capture only the syntax is checked. On success the caller
 * frees *deadlines with tt_deadlines_free; on failure nothing needs to be freed.
 */
struct tt_status tt_deadlines_parse(const struct tt_capture *capture, const char *text,
                                    bool lenient, struct tt_deadlines *deadlines);
void tt_deadlines_free(struct tt_deadlines *deadlines);

/* Returns the deadline of a thread in ticks; 0: none. */
static inline uint64_t tt_deadline_of(const struct tt_deadlines *deadlines, uint32_t thread)
{
    return thread < deadlines->count ? deadlines->ticks[thread] : 0;
}

#endif
