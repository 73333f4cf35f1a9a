/* SPDX-License-Identifier: Apache-2.0 */
/* interrupts_internal: statistics of interrupts, for the walk and for its results. */
#ifndef TRACETUI_ANALYSIS_INTERRUPTS_INTERNAL_H
#define TRACETUI_ANALYSIS_INTERRUPTS_INTERNAL_H

#include "analysis/interrupts.h"
#include "base/arena.h"
#include "base/hash.h"
#include "trace/timeline/open_spans.h"
#include "tracetui/format.h"

#define TT_INTERRUPT_BATCH 512u
#define TT_INTERRUPT_DEPTH 8u /* interrupts open at once on a CPU; deeper ones wake no threads */

struct tt_open_interrupt {
    uint64_t ticks;
    uint32_t what;
};

struct tt_interrupt_cpu {
    struct tt_open_interrupt open[TT_INTERRUPT_DEPTH];
    uint32_t depth;
    bool delivered; /* an interrupt without an end, and no thread has begun to run since */
};

struct tt_interrupt_row {
    struct tt_interrupt_key key;
    uint64_t count;
    uint64_t last; /* begin of the last one */
    uint64_t nested;
    uint64_t depth;
    uint64_t wakes;
    uint64_t threads;
    const char *woken;
    uint64_t first; /* begin of the first one in the window, whose period is searched */
    bool seen;
    bool searched; /* its last begin before the window */
    bool delivery;
    struct tt_samples samples[TT_INTERRUPT_SAMPLES];
    const struct tt_sample_sink *begins; /* of counted interrupts, or NULL */
};

struct tt_interrupt_woken {
    uint32_t row;
    uint32_t thread;
    uint64_t count;
};

struct tt_interrupt_stats {
    struct {
        struct tt_interrupt_key key;
        enum tt_interrupt_samples which;
        const struct tt_sample_sink *sink; /* NULL: nothing is watched */
        struct tt_sample_sink drop;
    } watch;
    struct tt_trace *trace;
    struct tt_capture *capture;
    struct tt_event_window window;
    bool placed;        /* `begin` is set */
    uint64_t begin;     /* first row of the walk */
    uint64_t row;       /* next row of the walk */
    uint64_t back_row;  /* the rows from here to `begin` have been searched for begins */
    uint32_t searching; /* rows whose last begin before the window is searched */
    bool shrunk;
    bool lossy; /* the capture has losses */
    const struct tt_timelines *t;
    struct tt_wakes *wakes; /* for interrupts without an end; NULL: not needed yet */

    struct tt_interrupt_row *rows;
    size_t row_count;
    size_t row_capacity;
    struct tt_hash by_name;
    struct tt_interrupt_woken *woken;
    size_t woken_count;
    size_t woken_capacity;
    struct tt_hash by_thread;
    struct tt_arena texts;

    struct tt_interrupt_cpu *cpus;
    size_t cpu_count;
    size_t cpu_capacity;
    uint8_t *roles; /* enum tt_clue_role by type */
    uint32_t types;
    struct tt_open_spans open;
    unsigned settled; /* distributions of the current row that are computed */
    struct tt_selection selection;
    struct tt_event events[TT_INTERRUPT_BATCH];
    struct tt_edge edges[TT_INTERRUPT_BATCH * TT_EDGES_PER_EVENT];
};

#endif
