/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline: what every thread and every CPU did over time, and exact sums over any window.
 *
 * A lane is a thread (numbered as in the registry) or a CPU. A lane is a row of intervals without
 * gaps, from its first event to the end of its process or of the capture; what the capture does not
 * say is an interval of state 0, "unknown". Times are ticks; windows are [from, to).
 *
 *      thread   |--RECEIVE--|ready|######RUNNING######|--REPLY--|ready|##RUNNING##
 *      CPU 0    idle............. |### thread ########|k| idle ........|## thread #
 *      irq                               |irq|
 *
 * Rules of states, ends of runs, kernel time and losses: docs/metrics.md. Run time excludes the
 * interrupts that the capture shows on that CPU; the class `running` of a thread is run + irq.
 * For a CPU busy + idle + irq + kernel + unknown is the window, exactly.
 *
 * Threads: any number may read while the indexer appends; each call sees what was published when
 * it began. While `provisional` is set the rows may be rebuilt when indexing ends: hold no places
 * across events of the loop, ask again.
 */
#ifndef TRACETUI_TIMELINE_H
#define TRACETUI_TIMELINE_H

#include "tracetui/capture.h"
#include "tracetui/format.h"

struct tt_timelines;

/*
 * How many-th of their trace these are, from 1 on. Whoever keeps what he worked out of timelines
 * compares this and not the pointer: new ones may stand where others were freed.
 */
uint32_t tt_timelines_number(const struct tt_timelines *t);

/* May they still be built anew? */
bool tt_timelines_provisional(const struct tt_timelines *t);
/* From the first to the last tick that they cover. */
uint64_t tt_timelines_begin(const struct tt_timelines *t);
uint64_t tt_timelines_end(const struct tt_timelines *t);
uint64_t tt_timelines_memory(const struct tt_timelines *t);
/* Intervals of threads and CPUs together. */
uint64_t tt_timelines_intervals(const struct tt_timelines *t);

/* ---- threads ------------------------------------------------------------------------------ */

/* How the run before an interval ended in a context switch; of RUNNING intervals. */
enum tt_out {
    TT_OUT_NONE,      /* it did not: no other thread came in between */
    TT_OUT_VOLUNTARY, /* the thread left for a waiting, stopped or dead state */
    TT_OUT_PREEMPTED, /* it left ready */
    TT_OUT_UNKNOWN,   /* the capture does not say */
};

struct tt_interval {
    uint64_t start;
    uint64_t end; /* of the next interval's start; of the timelines for the last one */
    uint32_t thread;
    uint16_t cpu;       /* of a running interval; else where it ran last, or TT_NO_CPU */
    uint16_t state;     /* the format's own */
    uint8_t class_;     /* enum tt_class */
    bool open;          /* the capture ends in it */
    bool since_before;  /* it was there before: its real start is not known */
    bool cut_before;    /* the end of the interval before it was not seen: a loss, mostly */
    bool switched_in;   /* running: began with a context switch */
    bool migrated;      /* running: on another CPU than the last time */
    uint8_t out_before; /* running: enum tt_out of the run before it */
};

/* A place among the intervals of a thread. */
struct tt_interval_at {
    uint32_t thread;
    uint32_t chunk;
    uint32_t slot;
};

/* The interval that holds `ticks`; false before the thread's first event. O(log n). */
bool tt_interval_find(const struct tt_timelines *t, uint32_t thread, uint64_t ticks,
                      struct tt_interval_at *at);
bool tt_interval_first(const struct tt_timelines *t, uint32_t thread, struct tt_interval_at *at);
bool tt_interval_next(const struct tt_timelines *t, struct tt_interval_at *at);
bool tt_interval_previous(const struct tt_timelines *t, struct tt_interval_at *at);
struct tt_interval tt_interval_get(const struct tt_timelines *t, struct tt_interval_at at);

/*
 * Many intervals for little more than one: those from `at` on, at most TT_INTERVALS and at least 1;
 * returns how many, and *more: whether there are others behind them, where `at` then is.
 */
#define TT_INTERVALS 64u
uint32_t tt_intervals_read(const struct tt_timelines *t, struct tt_interval_at *at,
                           struct tt_interval intervals[TT_INTERVALS], bool *more);
/* How many intervals there are before `at`. */
uint64_t tt_interval_index(const struct tt_timelines *t, struct tt_interval_at at);

/*
 * Neighbouring intervals of a thread, unpacked for who walks along with the events: where they
 * begin, in ticks behind the first one, and what they are: state * TT_CLASS_COUNT + class.
 *
 *      start   | 0 | 210 | 300 | 512 |          an interval ends where the next one begins,
 *      what    | R | r   | R   | w   | end      the last one at `end`
 */
#define TT_STATES       64u
#define TT_STATES_ENDED UINT16_MAX /* the thread is gone */
struct tt_states {
    uint64_t base;
    uint64_t end;
    uint32_t start[TT_STATES];
    uint16_t what[TT_STATES];
    uint32_t count; /* 0: none */
    uint32_t chunk; /* where they are from */
    bool more;      /* others follow them */
};

/*
 * Those around `time`; false, and none, if nothing is known of then. `states` has none yet, or some
 * of the same thread, which those wanted often follow.
 */
bool tt_states_at(const struct tt_timelines *t, uint32_t thread, uint64_t time,
                  struct tt_states *states);

/* `count` intervals further; false when there are not so many: `at` is then no good. */
bool tt_interval_skip(const struct tt_timelines *t, struct tt_interval_at *at, uint32_t count);

uint64_t tt_interval_count(const struct tt_timelines *t, uint32_t thread);

/* Sums of one thread over a window. Ticks and counts. */
struct tt_thread_sums {
    uint64_t ticks[TT_CLASS_COUNT]; /* by class, within the lane */
    uint64_t irq;                   /* of ticks[TT_CLASS_RUNNING]: interrupts on its CPU */
    uint64_t in;
    uint64_t out_voluntary;
    uint64_t out_preempted;
    uint64_t out_unknown;
    uint64_t migrations;
    uint64_t runs; /* run intervals that began in the window */
};

/* Exact; a binary search and at most 64 steps at either end. */
void tt_thread_sum(const struct tt_timelines *t, uint32_t thread, uint64_t from, uint64_t to,
                   struct tt_thread_sums *sums);

/*
 * What the intervals before a time do not count of the thread's switches out, for sums over some
 * CPUs: how the last run that began before `time` ended in a switch before it, while the thread's
 * next run is not before `time` (that one's `out_before` counts it); and where. TT_OUT_NONE: it did
 * not.
 */
enum tt_out tt_thread_pending_out(const struct tt_timelines *t, uint32_t thread, uint64_t time,
                                  uint16_t *cpu);

/*
 * Switches out of a CPU to which another thread came only after this one had run elsewhere, which
 * no `out_before` counts: the first one at or after `ticks`, and the next one. False: there is
 * none.
 */
struct tt_late_out {
    uint64_t ticks; /* when the other one came */
    uint16_t cpu;
    uint8_t out; /* enum tt_out */
    uint32_t chunk, slot;
};
bool tt_late_out_find(const struct tt_timelines *t, uint32_t thread, uint64_t ticks,
                      struct tt_late_out *out);
bool tt_late_out_next(const struct tt_timelines *t, uint32_t thread, struct tt_late_out *out);

/* Says that the sum of this thread will be asked for after those of a few others: what is needed
 * for it is there sooner then. The thread may be none. */
void tt_thread_sum_soon(const struct tt_timelines *t, uint32_t thread, uint64_t from, uint64_t to);
#define TT_SUMS_AHEAD 4u

/*
 * A row of neighbouring windows of one thread, for drawing: cell i is [edges[i], edges[i + 1]).
 * Class times are exact and agree with tt_thread_sum. One binary search a cell and at most 64
 * steps, or less where the row has fewer intervals than cells.
 */
struct tt_thread_cell {
    uint64_t ticks[TT_CLASS_COUNT];
    uint32_t changes; /* intervals that begin inside, not at its very start */
};
void tt_thread_cells(const struct tt_timelines *t, uint32_t thread, const uint64_t *edges,
                     uint32_t count, struct tt_thread_cell *cells);

/* The priority at `ticks`, or TT_NO_PRIORITY. */
int tt_thread_priority(const struct tt_timelines *t, uint32_t thread, uint64_t ticks);
/* Least and greatest priority number in the window; false where none is known. */
bool tt_thread_priority_range(const struct tt_timelines *t, uint32_t thread, uint64_t from,
                              uint64_t to, int *least, int *greatest);

/* ---- rare things -------------------------------------------------------------------------- */

/*
 * The first of the program's own events (TT_KIND_USER, LOG, INSTANT) of a thread in [from, to), and
 * its type; false if there is none. So no zoom hides it. O(log n).
 */
bool tt_thread_note(const struct tt_timelines *t, uint32_t thread, uint64_t from, uint64_t to,
                    uint64_t *ticks, uint32_t *type);
/* The first event in [from, to) before which records were lost. O(log n). */
bool tt_loss_in(const struct tt_timelines *t, uint64_t from, uint64_t to, uint64_t *ticks);

/* ---- CPUs --------------------------------------------------------------------------------- */

#define TT_OCCUPANT_UNKNOWN UINT32_MAX
#define TT_OCCUPANT_KERNEL  (UINT32_MAX - 1)
#define TT_OCCUPANT_IDLE    (UINT32_MAX - 2) /* idle without a thread (ThreadX) */

struct tt_occupation {
    uint64_t start;
    uint64_t end;
    uint32_t occupant; /* a thread, or TT_OCCUPANT_* */
    uint16_t cpu;
    bool idle; /* an idle thread or no thread */
};

struct tt_occupation_at {
    uint16_t cpu;
    uint32_t chunk;
    uint32_t slot;
};

uint32_t tt_cpu_count(const struct tt_timelines *t);
bool tt_occupation_find(const struct tt_timelines *t, uint16_t cpu, uint64_t ticks,
                        struct tt_occupation_at *at);
bool tt_occupation_first(const struct tt_timelines *t, uint16_t cpu, struct tt_occupation_at *at);
bool tt_occupation_next(const struct tt_timelines *t, struct tt_occupation_at *at);
bool tt_occupation_previous(const struct tt_timelines *t, struct tt_occupation_at *at);
struct tt_occupation tt_occupation_get(const struct tt_timelines *t, struct tt_occupation_at at);

/* As tt_intervals_read. */
uint32_t tt_occupations_read(const struct tt_timelines *t, struct tt_occupation_at *at,
                             struct tt_occupation occupations[TT_INTERVALS], bool *more);
/* As tt_interval_index and tt_interval_skip. */
uint64_t tt_occupation_index(const struct tt_timelines *t, struct tt_occupation_at at);
bool tt_occupation_skip(const struct tt_timelines *t, struct tt_occupation_at *at, uint32_t count);

struct tt_cpu_sums {
    uint64_t busy;
    uint64_t idle;
    uint64_t irq;
    uint64_t kernel;
    uint64_t unknown;
    uint64_t interrupts; /* entered in the window, nested ones included */
    uint64_t nested;     /* of these, those that interrupted another */
    uint64_t switches;
};

/*
 * busy + idle + irq + kernel + unknown is the window's part inside the capture, always. Counts are
 * of instants in [from, to): for a whole capture `to` is its end + 1, so that the last event
 * counts.
 */
void tt_cpu_sum(const struct tt_timelines *t, uint16_t cpu, uint64_t from, uint64_t to,
                struct tt_cpu_sums *sums);

/*
 * A row of neighbouring windows of one CPU, for drawing, as tt_thread_cells. The times agree with
 * tt_cpu_sum.
 */
struct tt_cpu_cell {
    uint64_t busy;
    uint64_t idle;
    uint64_t irq;
    uint64_t kernel;
    uint64_t unknown;  /* what is outside the capture is not counted */
    uint32_t changes;  /* occupations that begin inside, not at its very start */
    uint32_t occupant; /* the busy thread that had most of it; TT_OCCUPANT_UNKNOWN: none, or there
                          are more than TT_CELL_WALK changes */
};
#define TT_CELL_WALK 16u
void tt_cpu_cells(const struct tt_timelines *t, uint16_t cpu, const uint64_t *edges, uint32_t count,
                  struct tt_cpu_cell *cells);

/* Ticks that interrupts took on a CPU in the window. */
uint64_t tt_cpu_irq(const struct tt_timelines *t, uint16_t cpu, uint64_t from, uint64_t to);
/* How deep in interrupts a CPU is at `ticks`. */
uint32_t tt_cpu_irq_depth(const struct tt_timelines *t, uint16_t cpu, uint64_t ticks);

#endif
