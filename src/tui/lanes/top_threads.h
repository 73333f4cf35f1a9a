/* SPDX-License-Identifier: Apache-2.0 */
/*
 * top_threads: computes the occupants of a CPU in a window, longest first, in time slices.
 *
 * Times are of class running and include interrupts. While another window or CPU is computed, the
 * previous rows remain. Owns its arrays; one thread.
 */
#ifndef TRACETUI_TUI_LANES_TOP_THREADS_H
#define TRACETUI_TUI_LANES_TOP_THREADS_H

#include "tracetui/timeline.h"

struct tt_top_threads_row {
    uint32_t occupant; /* a thread or TT_OCCUPANT_* */
    uint64_t ticks;
    uint64_t times; /* number of occupations in the window */
    uint64_t longest;
};

struct tt_top_threads {
    struct tt_top_threads_row *all; /* by thread, then kernel, idle, unknown */
    uint32_t threads, room;
    struct tt_top_threads_row *rows; /* occupants by time, of the last complete computation */
    uint32_t count;                  /* of rows; 0: none, or those of other timelines */
    uint16_t rows_cpu;
    uint64_t from, to, end;
    const struct tt_timelines *t;
    uint32_t number; /* of the timelines; 0: nothing computed */
    struct tt_occupation_at at;
    bool going; /* not complete: continue at `at` */
    uint16_t cpu;
    uint64_t asked_ns; /* when it began */
};

/* Requests the occupants of `cpu` in [from, to). False when out of memory: there are no rows. */
bool tt_top_threads_ask(struct tt_top_threads *top, const struct tt_timelines *timelines,
                        uint16_t cpu, uint64_t from, uint64_t to, uint32_t threads);
/* Continues until `deadline` (tt_now_ns); true when complete. */
bool tt_top_threads_work(struct tt_top_threads *top, uint64_t deadline);
void tt_top_threads_free(struct tt_top_threads *top);

#endif
