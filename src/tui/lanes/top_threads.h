/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top_threads: who had a CPU in a window, the longest first, worked out in slices of time.
 *
 * Times are of class running: interrupts that came meanwhile are in them. Owns its arrays; one
 * thread.
 */
#ifndef TRACETUI_TUI_LANES_TOP_THREADS_H
#define TRACETUI_TUI_LANES_TOP_THREADS_H

#include "tracetui/timeline.h"

struct tt_top_threads_row {
    uint32_t occupant; /* a thread or TT_OCCUPANT_* */
    uint64_t ticks;
    uint64_t times; /* how often it came in the window */
    uint64_t longest;
};

struct tt_top_threads {
    struct tt_top_threads_row *all; /* by thread, then kernel, idle, unknown */
    uint32_t threads, room;
    struct tt_top_threads_row *rows; /* those that had it, sorted; good when complete */
    uint32_t count;
    uint64_t from, to, end;
    const struct tt_timelines *t;
    uint32_t number; /* of the timelines; 0: nothing is known */
    struct tt_occupation_at at;
    bool going; /* there is more from `at` on */
    uint16_t cpu;
};

/* False when out of memory. */
bool tt_top_threads_ask(struct tt_top_threads *top, const struct tt_timelines *t, uint16_t cpu,
                        uint64_t from, uint64_t to, uint32_t threads);
/* Goes on until `deadline`; true when all is known. */
bool tt_top_threads_work(struct tt_top_threads *top, uint64_t deadline);
void tt_top_threads_free(struct tt_top_threads *top);

#endif
