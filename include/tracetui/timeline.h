/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline: the states of every thread and every CPU over time, with exact sums over any window.
 *
 * A lane is a thread (numbered as in the registry) or a CPU: a sequence of intervals without gaps,
 * from its first event to the end of its process or of the capture. Where the state is unknown, the
 * interval has state 0, "unknown". Times are ticks; windows are [from, to).
 *
 *      thread   |--RECEIVE--|ready|######RUNNING######|--REPLY--|ready|##RUNNING##
 *      CPU 0    idle............. |### thread ########|k| idle ........|## thread #
 *      irq                               |irq|
 *
 * docs/metrics.md defines states, ends of runs, kernel time and losses. Run time excludes the
 * interrupts that the capture records on that CPU; the class `running` of a thread is run + irq.
 * For a CPU, busy + idle + irq + kernel + unknown is exactly the window.
 *
 * Threads: any number of threads may read while the indexer appends; each call sees what was
 * published when it began. While `provisional` is set, the lanes may be rebuilt when indexing ends:
 * do not keep positions from one iteration of the event loop to the next.
 */
#ifndef TRACETUI_TIMELINE_H
#define TRACETUI_TIMELINE_H

#include "tracetui/capture.h"
#include "tracetui/format.h"

struct tt_timelines;

/*
 * Returns the generation of these timelines within their trace, from 1. Cached results are valid
 * for one generation; compare generations, not pointers, since a new object may reuse the address
 * of a freed one.
 */
uint32_t tt_timelines_number(const struct tt_timelines *timelines);

/* Returns whether the timelines may still be rebuilt. */
bool tt_timelines_provisional(const struct tt_timelines *timelines);
/* Return the first and the last tick covered. */
uint64_t tt_timelines_begin(const struct tt_timelines *timelines);
uint64_t tt_timelines_end(const struct tt_timelines *timelines);
/*
 * Returns the last tick of a system of a merged capture (struct tt_process, space), where its lanes end; of
 * other captures, that of all. Any thread.
 */
uint64_t tt_timelines_end_of(const struct tt_timelines *timelines, unsigned system);
/*
 * Returns the end of the window that has all instants: the last tick + 1. At the largest tick it
 * stays there: instants at that tick are in no window.
 */
static inline uint64_t tt_timelines_limit(const struct tt_timelines *timelines)
{
    uint64_t end = tt_timelines_end(timelines);
    return end < UINT64_MAX ? end + 1 : end;
}
/* Returns the ticks of the window [from, to) that are in the capture, the basis of shares. */
static inline uint64_t tt_timelines_part(const struct tt_timelines *timelines, uint64_t from,
                                         uint64_t to)
{
    uint64_t begin = tt_timelines_begin(timelines), end = tt_timelines_end(timelines);
    from = from > begin ? from : begin;
    to = to < end ? to : end;
    return to > from ? to - from : 0;
}
/* Returns the bytes of memory that the timelines hold. */
uint64_t tt_timelines_memory(const struct tt_timelines *timelines);
/* Returns the number of intervals of all threads and CPUs. */
uint64_t tt_timelines_intervals(const struct tt_timelines *timelines);

/* ---- threads ------------------------------------------------------------------------------ */

/* End of the previous run of a thread, stored in the RUNNING interval that follows. */
enum tt_out {
    TT_OUT_NONE,      /* no switch: no other thread ran in between */
    TT_OUT_VOLUNTARY, /* the thread left for a waiting, stopped or dead state */
    TT_OUT_PREEMPTED, /* the thread left ready */
    TT_OUT_UNKNOWN,   /* not recorded */
};

struct tt_interval {
    uint64_t start;
    uint64_t end; /* start of the next interval; end of the timelines for the last one */
    uint32_t thread;
    uint16_t cpu;       /* of a running interval; otherwise the CPU of the last run, or TT_NO_CPU */
    uint16_t state;     /* the format's own state number */
    uint8_t class_;     /* enum tt_class */
    bool open;          /* still open at the end of the capture */
    bool since_before;  /* already in progress at the lane's first event: the real start is
                           unknown */
    bool cut_before;    /* the end of the previous interval was not recorded, usually because of
                           a loss */
    bool switched_in;   /* running: began with a context switch */
    bool migrated;      /* running: on another CPU than the last run */
    uint8_t out_before; /* running: enum tt_out of the previous run */
};

/* A position among the intervals of a thread. */
struct tt_interval_at {
    uint32_t thread;
    uint32_t chunk;
    uint32_t slot;
};

/* Finds the interval that contains `ticks`; false before the thread's first event. O(log n). */
bool tt_interval_find(const struct tt_timelines *timelines, uint32_t thread, uint64_t ticks,
                      struct tt_interval_at *at);
/* Move to the first, next and previous interval of the thread; false if there is none. */
bool tt_interval_first(const struct tt_timelines *timelines, uint32_t thread,
                       struct tt_interval_at *at);
bool tt_interval_next(const struct tt_timelines *timelines, struct tt_interval_at *at);
bool tt_interval_previous(const struct tt_timelines *timelines, struct tt_interval_at *at);
/* Returns the interval at a position. */
struct tt_interval tt_interval_get(const struct tt_timelines *timelines, struct tt_interval_at at);

/*
 * Copies consecutive intervals from `at` on, between 1 and TT_INTERVALS, and returns their number;
 * the whole call costs little more than one tt_interval_get. *more: further intervals exist, and
 * `at` is the first of them.
 */
#define TT_INTERVALS 64u
uint32_t tt_intervals_read(const struct tt_timelines *timelines, struct tt_interval_at *at,
                           struct tt_interval intervals[TT_INTERVALS], bool *more);
/*
 * Moves `at`, if a chunk begins there, past the following chunks in which the intervals of a class
 * last less than `least` ticks together, and then back by one interval. The intervals passed over
 * contain none of the class that lasts `least` ticks. O(chunks passed).
 */
void tt_intervals_skip_short(const struct tt_timelines *timelines, struct tt_interval_at *at,
                             enum tt_class class_, uint64_t least);
/* Returns the number of intervals before `at`. */
uint64_t tt_interval_index(const struct tt_timelines *timelines, struct tt_interval_at at);

/*
 * Consecutive intervals of a thread, unpacked for a walk in parallel with events. `start` is
 * relative to `base` in ticks; `what` is state * TT_CLASS_COUNT + class.
 *
 *      start   | 0 | 210 | 300 | 512 |          an interval ends where the next one begins,
 *      what    | R | r   | R   | w   | end      the last one at `end`
 */
#define TT_STATES       64u
#define TT_STATES_ENDED UINT16_MAX /* the thread has ended */
struct tt_states {
    uint64_t base;
    uint64_t end;
    uint32_t start[TT_STATES];
    uint16_t what[TT_STATES];
    uint32_t count; /* 0: empty */
    uint32_t chunk; /* chunk that contains them */
    bool more;      /* more intervals follow */
};

/*
 * Loads the intervals around `time`; returns false and an empty `states` if the state then is
 * unknown. `states` is empty or the result of a previous call for the same thread; loading the
 * intervals that follow it is fast.
 */
bool tt_states_at(const struct tt_timelines *timelines, uint32_t thread, uint64_t time,
                  struct tt_states *states);

/* Advances `at` by `count` intervals. Returns false if there are fewer; `at` is then invalid. */
bool tt_interval_skip(const struct tt_timelines *timelines, struct tt_interval_at *at,
                      uint32_t count);

/* Returns the number of a thread's intervals. */
uint64_t tt_interval_count(const struct tt_timelines *timelines, uint32_t thread);

/* Sums of one thread over a window, in ticks and counts. */
struct tt_thread_sums {
    uint64_t ticks[TT_CLASS_COUNT]; /* by class, within the lane */
    uint64_t irq;                   /* part of ticks[TT_CLASS_RUNNING] spent in interrupts on its
                                       CPU */
    uint64_t in;
    uint64_t out_voluntary;
    uint64_t out_preempted;
    uint64_t out_unknown;
    uint64_t migrations;
    uint64_t runs; /* run intervals that began in the window */
    uint64_t
        guest; /* part of ticks[TT_CLASS_RUNNING] in which its guest ran; tt_thread_sum_in only */
};

/* Computes exact sums: a binary search and at most 64 steps at either end. */
void tt_thread_sum(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                   uint64_t to, struct tt_thread_sums *sums);

/*
 * Returns how the last run that began before `time` ended, if it ended in a switch before `time`
 * and the next run, whose `out_before` counts that switch, is not before `time`; *cpu is its CPU.
 * Otherwise TT_OUT_NONE. Completes the sums over a subset of CPUs.
 */
enum tt_out tt_thread_pending_out(const struct tt_timelines *timelines, uint32_t thread,
                                  uint64_t time, uint16_t *cpu);

/*
 * A switch out of a CPU that was recorded only after the thread had already run elsewhere; no
 * `out_before` counts it. tt_late_out_find finds the first one at or after `ticks`,
 * tt_late_out_next the next one; both return false if there is none.
 */
struct tt_late_out {
    uint64_t ticks; /* when the next thread ran on the CPU */
    uint16_t cpu;
    uint8_t out; /* enum tt_out */
    uint32_t chunk, slot;
};
bool tt_late_out_find(const struct tt_timelines *timelines, uint32_t thread, uint64_t ticks,
                      struct tt_late_out *out);
bool tt_late_out_next(const struct tt_timelines *timelines, uint32_t thread,
                      struct tt_late_out *out);

/*
 * Prefetches the data for a later tt_thread_sum of this thread, TT_SUMS_AHEAD threads ahead.
 * `thread` may be out of range.
 */
void tt_thread_sum_prefetch(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                            uint64_t to);
#define TT_SUMS_AHEAD 4u

/*
 * A row of adjacent windows of one thread, for drawing: cell i is [edges[i], edges[i + 1]). Class
 * times are exact and agree with tt_thread_sum. Costs one binary search per cell and at most 64
 * steps; less if the row has fewer intervals than cells.
 */
struct tt_thread_cell {
    uint64_t ticks[TT_CLASS_COUNT];
    uint32_t changes; /* intervals that begin inside the cell, not at its start */
};
void tt_thread_cells(const struct tt_timelines *timelines, uint32_t thread, const uint64_t *edges,
                     uint32_t count, struct tt_thread_cell *cells);

/* Returns the priority at `ticks`, or TT_NO_PRIORITY. */
int tt_thread_priority(const struct tt_timelines *timelines, uint32_t thread, uint64_t ticks);
/*
 * Returns the priority at `ticks`; *until is the time of its next change, UINT64_MAX if there is
 * none. O(log n).
 */
int tt_thread_priority_until(const struct tt_timelines *timelines, uint32_t thread, uint64_t ticks,
                             uint64_t *until);
/* Computes the lowest and the highest priority number in the window; false if none is known. */
bool tt_thread_priority_range(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                              uint64_t to, int *min, int *max);

/* ---- rare events ------------------------------------------------------------------------- */

/*
 * Finds a thread's first own event (TT_KIND_USER, LOG, INSTANT) in [from, to), with its type, so
 * that rows show it at every zoom level; false if there is none. O(log n).
 */
bool tt_thread_note(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                    uint64_t to, uint64_t *ticks, uint32_t *type);
/* Finds the first event in [from, to) that follows lost records. O(log n). */
bool tt_loss_in(const struct tt_timelines *timelines, uint64_t from, uint64_t to, uint64_t *ticks);
/* Does the same for losses of the system of a thread. O(log n), and O(losses of other systems). */
bool tt_loss_of(const struct tt_timelines *timelines, uint32_t thread, uint64_t from, uint64_t to,
                uint64_t *ticks);
/* Does the same for losses on the stream of a CPU. O(log n), and O(losses of other CPUs). */
bool tt_loss_on(const struct tt_timelines *timelines, uint16_t cpu, uint64_t from, uint64_t to);
/*
 * Returns whether records of the system of a thread (TT_NO_THREAD: of any) may be lost after an event at
 * `from` and before one at `to`: also those of a stream whose loss begins before `from` or ends after `to`,
 * which tt_loss_in does not find. O(log n) and a few steps.
 */
bool tt_loss_between(const struct tt_timelines *timelines, uint32_t thread, uint64_t from,
                     uint64_t to);

/* ---- CPUs --------------------------------------------------------------------------------- */

#define TT_OCCUPANT_UNKNOWN UINT32_MAX
#define TT_OCCUPANT_KERNEL  (UINT32_MAX - 1)
#define TT_OCCUPANT_IDLE    (UINT32_MAX - 2) /* idle without an idle thread (ThreadX) */

struct tt_occupation {
    uint64_t start;
    uint64_t end;
    uint32_t occupant; /* thread number or TT_OCCUPANT_* */
    uint16_t cpu;
    bool idle; /* idle thread or no thread */
};

struct tt_occupation_at {
    uint16_t cpu;
    uint32_t chunk;
    uint32_t slot;
};

/* Returns the number of CPUs; they are numbered from 0. */
uint32_t tt_cpu_count(const struct tt_timelines *timelines);
/*
 * Find the occupation that contains `ticks`, and move to the first, next and previous one of the
 * CPU; false if there is none.
 */
bool tt_occupation_find(const struct tt_timelines *timelines, uint16_t cpu, uint64_t ticks,
                        struct tt_occupation_at *at);
bool tt_occupation_first(const struct tt_timelines *timelines, uint16_t cpu,
                         struct tt_occupation_at *at);
bool tt_occupation_next(const struct tt_timelines *timelines, struct tt_occupation_at *at);
bool tt_occupation_previous(const struct tt_timelines *timelines, struct tt_occupation_at *at);
/* Returns the occupation at a position. */
struct tt_occupation tt_occupation_get(const struct tt_timelines *timelines,
                                       struct tt_occupation_at at);

/* Like tt_intervals_read. */
uint32_t tt_occupations_read(const struct tt_timelines *timelines, struct tt_occupation_at *at,
                             struct tt_occupation occupations[TT_INTERVALS], bool *more);
/* Like tt_interval_index and tt_interval_skip. */
uint64_t tt_occupation_index(const struct tt_timelines *timelines, struct tt_occupation_at at);
bool tt_occupation_skip(const struct tt_timelines *timelines, struct tt_occupation_at *at,
                        uint32_t count);

struct tt_cpu_sums {
    uint64_t busy;
    uint64_t idle;
    uint64_t irq;
    uint64_t kernel;
    uint64_t unknown;
    uint64_t interrupts; /* entered in the window, nested ones included */
    uint64_t nested;     /* those that interrupted another one */
    uint64_t switches;
};

/*
 * Computes the sums of a CPU. busy + idle + irq + kernel + unknown is always the part of the window
 * inside the capture. Counts are of instants in [from, to): for a whole capture pass its end + 1 as
 * `to`, so that the last event counts.
 */
void tt_cpu_sum(const struct tt_timelines *timelines, uint16_t cpu, uint64_t from, uint64_t to,
                struct tt_cpu_sums *sums);

/*
 * A row of adjacent windows of one CPU, for drawing, like tt_thread_cells. Times agree with
 * tt_cpu_sum.
 */
struct tt_cpu_cell {
    uint64_t busy;
    uint64_t idle;
    uint64_t irq;
    uint64_t kernel;
    uint64_t unknown;  /* time outside the capture is not counted */
    uint32_t changes;  /* occupations that begin inside the cell, not at its start */
    uint32_t occupant; /* busy thread with the largest share; TT_OCCUPANT_UNKNOWN if there is
                          none or more than TT_CELL_WALK changes */
};
#define TT_CELL_WALK 16u
void tt_cpu_cells(const struct tt_timelines *timelines, uint16_t cpu, const uint64_t *edges,
                  uint32_t count, struct tt_cpu_cell *cells);

/* Returns the ticks spent in interrupts on a CPU in the window. */
uint64_t tt_cpu_irq(const struct tt_timelines *timelines, uint16_t cpu, uint64_t from, uint64_t to);
/* Returns the interrupt nesting depth of a CPU at `ticks`; 0: none. */
uint32_t tt_cpu_irq_depth(const struct tt_timelines *timelines, uint16_t cpu, uint64_t ticks);
/*
 * Returns the same; *until is the time of the next change of the depth, UINT64_MAX if there is none.
 * O(log n).
 */
uint32_t tt_cpu_irq_until(const struct tt_timelines *timelines, uint16_t cpu, uint64_t ticks,
                          uint64_t *until);

#endif
