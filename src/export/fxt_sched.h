/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fxt_sched: the scheduling of a capture as FXT records, in time order, from its timelines.
 *
 *      CPU 0     A ######|kernel|B #####|idle      records:  A -> none (its state), none -> B, B -> idle
 *      thread A          |wait........|ready       wakeup of A, with its waker if that is a thread
 *
 * docs/format-fxt.md ("No thread") defines the records with koid 0: the time of a CPU in the kernel,
 * lost records, and runs that began before the capture. A record that displaces a thread at once
 * has both threads.
 *
 * Memory: 32 bytes per thread. One thread.
 */
#ifndef TRACETUI_EXPORT_FXT_SCHED_H
#define TRACETUI_EXPORT_FXT_SCHED_H

#include "analysis/causes/wakes.h"
#include "export/export.h"
#include "export/fxt_time.h"
#include "export/fxt_tracks.h"
#include "tracetui/timeline.h"

/* When something changes: what becomes unknown with an event does so after it. */
struct tt_fxt_moment {
    uint64_t ticks;
    bool unknown;
};

/* The next change of the state of a thread that is on no CPU. */
struct tt_fxt_change {
    struct tt_fxt_moment when;
    struct tt_interval_at at; /* the interval that begins, or the last one */
    bool ends;                /* the thread ends with its process */
};

struct tt_fxt_cpu {
    struct tt_occupation next; /* the next change */
    struct tt_occupation_at at;
    struct tt_occupation change; /* the change that is being passed, if `changing` is set */
    bool changing;
    uint32_t occupant; /* as the records so far show it */
    uint64_t since;    /* when it got the CPU */
    bool has_next;
};

struct tt_fxt_sched {
    const struct tt_export_request *request;
    const struct tt_capture *capture;
    const struct tt_timelines *timelines;
    struct tt_fxt_tracks *tracks;
    struct tt_fxt_writer *w;
    struct tt_fxt_clock clock;
    struct tt_wakes *wakes;
    struct tt_fxt_cpu *cpus;
    uint32_t *chain; /* CPUs whose changes are being passed; room for all */
    uint32_t cpu_count;
    uint16_t first_cpu;            /* the first one that is selected */
    struct tt_fxt_change *changes; /* by thread */
    uint32_t *heap;                /* threads with changes, the earliest first */
    uint32_t *heap_places;         /* by thread: index in `heap` */
    uint32_t heap_count;
    uint64_t switches;
    uint64_t wakeup_records;
};

/* Errors: TT_ERR_MEMORY. Call tt_fxt_sched_close in any case. */
struct tt_status tt_fxt_sched_open(struct tt_fxt_sched *sched,
                                   const struct tt_export_request *request,
                                   struct tt_fxt_tracks *tracks, struct tt_fxt_writer *writer,
                                   struct tt_fxt_clock clock);
void tt_fxt_sched_close(struct tt_fxt_sched *sched);

/* Writes the records up to and including `ticks`, except of what becomes unknown at `ticks`. */
void tt_fxt_sched_until(struct tt_fxt_sched *sched, uint64_t ticks);

#endif
