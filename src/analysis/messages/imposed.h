/* SPDX-License-Identifier: Apache-2.0 */
/*
 * imposed: CPU time that servers spend for their clients ("System Profiler User's Guide",
 * Client/Server CPU Statistics).
 *
 * A sweep over the instants at which a message is received or ends. Between two of them the clients
 * of a thread do not change: its CPU time there counts for each of them, and for their clients in
 * turn. Plain data of one thread.
 */
#ifndef TRACETUI_ANALYSIS_MESSAGES_IMPOSED_H
#define TRACETUI_ANALYSIS_MESSAGES_IMPOSED_H

#include "tracetui/message_stats.h"

/* CPU times of a thread in ticks, as in struct tt_message_stat. */
struct tt_imposed {
    uint64_t self;
    uint64_t imposed;
    uint64_t imposed_gross;
    uint64_t charged;
    uint64_t unserved;
};

/*
 * Returns the times of all threads in [from, to), by thread number, and their number in *count;
 * NULL if out of memory. The caller frees them.
 */
struct tt_imposed *tt_imposed_by_thread(const struct tt_timelines *t, const struct tt_capture *c,
                                        uint64_t from, uint64_t to, uint32_t *count);

/*
 * Computes a row for each thread with CPU time, most total time first, or, with `by_server`, for each
 * client thread and server process, most imposed time first. Returns false if out of memory.
 */
bool tt_imposed_compute(const struct tt_timelines *t, const struct tt_capture *c,
                        const struct tt_message_window *window, bool by_server,
                        struct tt_message_stats *stats);

#endif
