/* SPDX-License-Identifier: Apache-2.0 */
/*
 * interrupts: statistics of interrupts by number: how often, how long, and the threads that they wake.
 *
 *      CPU 0   INT_ENTR 37 | HANDLER .... | THREADY t | INT_ENTR 9 .. INT_EXIT | INT_EXIT
 *              ^ begin       handler        wakes t     nested                   ^ end
 *
 * The walk reads the events of the window in time order, in steps; before the window it reads back to
 * the last interrupt of each number, for the first period. docs/metrics.md ("--by interrupt") has the rules.
 * Times are ticks. Memory: 24 bytes per interrupt, and one entry per interrupt number and thread that
 * it wakes. One thread.
 */
#ifndef TRACETUI_ANALYSIS_INTERRUPTS_H
#define TRACETUI_ANALYSIS_INTERRUPTS_H

#include "tracetui/stats.h"

#define TT_INTERRUPT_UNKNOWN UINT64_MAX /* not recorded */

struct tt_interrupt_stats;

/* The key of a row: its interrupts have it in common. */
struct tt_interrupt_key {
    const char *event; /* name of the event that begins it: "INT_ENTR" */
    uint64_t vector;   /* or TT_INTERRUPT_UNKNOWN */
    unsigned system;   /* of a merged capture (struct tt_process, space), else 0 */
};

struct tt_interrupt_numbers {
    struct tt_interrupt_key key;
    uint64_t count;
    struct tt_distribution period;   /* from one to the next of this number, on any CPU */
    struct tt_distribution duration; /* from entry to exit, with nested interrupts */
    struct tt_distribution handler;  /* of each handler */
    uint64_t nested;                 /* those that interrupted another one on their CPU */
    uint64_t depth;                  /* maximum number of interrupts open on a CPU, with this one */
    uint64_t wakes;                  /* or TT_INTERRUPT_UNKNOWN: the capture has no wakes */
    uint64_t threads;                /* number of threads that it woke, or unknown */
    const char *woken; /* "sensor/2 adc 36, netmgr/1 rx 4": most wakes first; "": none. Valid until
                          the next step */
};

/* Returns NULL if out of memory. The trace and the arrays of the window outlive it. */
struct tt_interrupt_stats *tt_interrupt_stats_new(struct tt_trace *trace,
                                                  const struct tt_event_window *window);
void tt_interrupt_stats_free(struct tt_interrupt_stats *stats);
/* Frees at most *bytes and subtracts what it freed; returns true if there is more to free. */
bool tt_interrupt_stats_shrink(struct tt_interrupt_stats *stats, size_t *bytes);
/* Reads about `rows` events; sets *done at the end of the window. TT_ERR_MEMORY. */
struct tt_status tt_interrupt_stats_step(struct tt_interrupt_stats *stats, struct tt_events *events,
                                         uint64_t rows, bool *done);
/* Returns the progress of an incomplete walk, at most 99. */
unsigned tt_interrupt_stats_percent(const struct tt_interrupt_stats *stats);
/* Returns whether bytes of some events were gone. */
bool tt_interrupt_stats_truncated(const struct tt_interrupt_stats *stats);

/* Returns the number of interrupt numbers so far. */
size_t tt_interrupt_stats_count(const struct tt_interrupt_stats *stats);
/* Returns what is counted so far, without percentiles. `index` is below the count. */
struct tt_interrupt_numbers tt_interrupt_stats_counted(const struct tt_interrupt_stats *stats,
                                                       size_t index);
/* Writes the lists of woken threads. O(entries log entries). Returns false if out of memory. */
bool tt_interrupt_stats_name(struct tt_interrupt_stats *stats);
/*
 * Computes the percentiles in steps of about *work moves, which are subtracted from *work; returns
 * true when *numbers is complete. Pass the same index and *numbers until then.
 */
bool tt_interrupt_stats_at_step(struct tt_interrupt_stats *stats, size_t index, uint64_t *work,
                                struct tt_interrupt_numbers *numbers);
/* Distributions of a row. */
enum tt_interrupt_samples {
    TT_INTERRUPT_PERIODS,
    TT_INTERRUPT_DURATIONS,
    TT_INTERRUPT_HANDLERS,
    TT_INTERRUPT_SAMPLES
};
/*
 * Stores no samples; passes those of one interrupt number to the sink; TT_INTERRUPT_SAMPLES: its
 * counted begins, with length 0. Before the first step; the name of the event and the sink outlive it.
 */
void tt_interrupt_stats_watch(struct tt_interrupt_stats *stats, const struct tt_interrupt_key *key,
                              enum tt_interrupt_samples which, struct tt_sample_sink *sink);

#endif
