/* SPDX-License-Identifier: Apache-2.0 */
/*
 * imposed: CPU time that servers spend for their clients ("System Profiler User's Guide",
 * Client/Server CPU Statistics).
 *
 * A sweep over the instants at which a message is received or ends. Between two of them the clients
 * of a thread do not change: its CPU time in between counts for each of them, and for the clients
 * of these clients. Plain data of one thread.
 */
#ifndef TRACETUI_ANALYSIS_MESSAGES_IMPOSED_H
#define TRACETUI_ANALYSIS_MESSAGES_IMPOSED_H

#include "analysis/messages/message_stats.h"

/* CPU times of a thread in ticks, as in struct tt_message_stat. */
struct tt_imposed {
    uint64_t self;
    uint64_t imposed;
    uint64_t imposed_gross;
    uint64_t charged;
    uint64_t unserved;
};

/*
 * Computes in steps, for a screen: first the messages in order of their begin, then the CPU time of each
 * thread after its last message.
 *
 * tt_imposing_new returns NULL if out of memory; with `by_server` there are also rows by client and server
 * process. `window->threads` is not used: all clients have rows. A step continues for about *work
 * intervals, which are subtracted from *work, and starts again if the timelines have another generation;
 * *done: all is counted. It returns false if out of memory. About 100 bytes per thread, and 32 per
 * message that is open at once.
 */
struct tt_imposing;

struct tt_imposing *tt_imposing_new(const struct tt_capture *capture,
                                    const struct tt_message_window *window, bool by_server);
bool tt_imposing_step(struct tt_imposing *imposing, const struct tt_timelines *timelines,
                      uint64_t *work, bool *done);
/* Returns the progress in percent. */
unsigned tt_imposing_percent(const struct tt_imposing *imposing);
/* Returns the rows by client and server process so far, unsorted; valid until the next step. */
const struct tt_message_stat *tt_imposing_cells(const struct tt_imposing *imposing, size_t *count);
/* Returns the times so far, by thread number; valid until the next step. */
const struct tt_imposed *tt_imposing_times(const struct tt_imposing *imposing, uint32_t *count);
/*
 * Returns the complete times by thread number, and their number in *count. The caller frees them; of the
 * object only tt_imposing_free may be called then.
 */
struct tt_imposed *tt_imposing_release_times(struct tt_imposing *imposing, uint32_t *count);
/* Frees the object; NULL is allowed. */
void tt_imposing_free(struct tt_imposing *imposing);

/*
 * Computes a row for each thread with CPU time, most total time first, or, with `by_server`, for each
 * client thread and server process, most imposed time first. Returns false if out of memory.
 */
bool tt_imposed_compute(const struct tt_timelines *timelines, const struct tt_capture *capture,
                        const struct tt_message_window *window, bool by_server,
                        struct tt_message_stats *stats);

#endif
