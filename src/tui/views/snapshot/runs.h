/* SPDX-License-Identifier: Apache-2.0 */
/*
 * snapshot/runs: run times of threads before the instant of a snapshot, computed once each.
 *
 * A time takes microseconds and is needed again with each frame; a table sorted by one needs it of every
 * thread. Owner: the view. Screen thread only.
 */
#ifndef TRACETUI_TUI_VIEWS_SNAPSHOT_RUNS_H
#define TRACETUI_TUI_VIEWS_SNAPSHOT_RUNS_H

#include "tracetui/snapshot_text.h"

struct tt_run_times {
    uint64_t (*ticks)[TT_SNAPSHOT_RUNS]; /* by thread and window */
    uint8_t *known;                      /* by thread: a bit per window */
    uint32_t threads, room;
    unsigned window;  /* of `reached` */
    uint32_t reached; /* threads whose time in `window` is known */
};

/* Begins another instant of `threads` threads. Returns false if out of memory. */
bool tt_run_times_begin(struct tt_run_times *r, uint32_t threads);
void tt_run_times_free(struct tt_run_times *r);

/* Returns whether a time is known. */
bool tt_run_times_has(const struct tt_run_times *r, uint32_t thread, unsigned window);
/* Computes a time if it is not known. `window` is an index into tt_snapshot_runs. */
void tt_run_times_find(struct tt_run_times *r, const struct tt_snapshot_scene *scene,
                       uint32_t thread, unsigned window);
/* Returns a known time in ticks; UINT64_MAX: the capture has no clock, or the time is not known. */
uint64_t tt_run_times_get(const struct tt_run_times *r, uint32_t thread, unsigned window);
/* Returns whether the times of all threads in a window are known. */
bool tt_run_times_complete(const struct tt_run_times *r, unsigned window);
/* Computes the times of all threads in a window until `deadline` (tt_now_ns); true: all are known. */
bool tt_run_times_work(struct tt_run_times *r, const struct tt_snapshot_scene *scene,
                       unsigned window, uint64_t deadline);

#endif
