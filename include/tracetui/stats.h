/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats: the scheduling numbers of threads, CPUs, processes and pairs, on any window.
 *
 * Sums and counts come from the timelines' checkpoints. A distribution is of the intervals that end
 * inside the window, whole; percentiles are by nearest rank. docs/metrics.md defines each number.
 * All times are ticks.
 *
 * A `struct tt_stats` belongs to one thread; it reads timelines that may still grow.
 */
#ifndef TRACETUI_STATS_H
#define TRACETUI_STATS_H

#include "tracetui/timeline.h"
#include "tracetui/trace.h"

struct tt_distribution {
    uint64_t count;
    uint64_t sum;
    uint64_t p50;
    uint64_t p95;
    uint64_t p99;
    uint64_t max;
    uint64_t max_at; /* when the longest one ended */
};

/* Lengths gathered for a distribution; free with tt_samples_free. */
struct tt_samples {
    uint64_t *lengths;
    size_t count;
    size_t capacity;
    uint64_t sum;
    uint64_t max;
    uint64_t max_at;
};

/* False when out of memory. */
bool tt_samples_add(struct tt_samples *samples, uint64_t length, uint64_t end);
void tt_samples_clear(struct tt_samples *samples);
/* Gives back room for at most *bytes, which becomes what is left of them; false: all is given back.
 */
bool tt_samples_shrink(struct tt_samples *samples, size_t *bytes);
void tt_samples_free(struct tt_samples *samples);
/* O(count) on average; changes the order of the samples. */
struct tt_distribution tt_samples_distribution(struct tt_samples *samples);

/* How far the percentiles of many samples are; begins as {0}. */
struct tt_selection {
    unsigned rank; /* which percentile */
    bool begun;    /* it looks in [low..high] */
    bool splitting;
    size_t low, high;
    size_t i, j;
    uint64_t pivot;
};

/*
 * The same in steps of about *work moves, which are taken off it; true when *distribution is all
 * there. No samples are added meanwhile.
 */
bool tt_samples_distribution_step(struct tt_samples *samples, struct tt_selection *selection,
                                  uint64_t *work, struct tt_distribution *distribution);

/* What is gathered of one thread, or of all threads of a process. */
struct tt_delays {
    struct tt_samples delay;     /* sch delay: a wake to running */
    struct tt_samples preempted; /* preemption to running again */
    struct tt_samples wait;      /* leaving the CPU to becoming ready */
    struct tt_samples slice;     /* a run, interrupts taken out */
};

/*
 * What numbers are asked of: [from, to), and perhaps some CPUs only. A run belongs to its CPU, any
 * other interval to the CPU on which its thread ran last; a switch to the CPU where it happened, a
 * delay to the CPU on which it ended, a wait to the CPU that was left. So the numbers of all CPUs,
 * each taken alone, add up to those of all together (but for what came before the first run).
 */
struct tt_window {
    uint64_t from;
    uint64_t to;          /* for a whole capture its end + 1: instants at its end count */
    const uint64_t *cpus; /* a bit a CPU; NULL: all, and no CPU */
    uint32_t cpu_limit;   /* how many bits there are */
};

static inline bool tt_window_has_cpu(const struct tt_window *w, uint32_t cpu)
{
    return !w->cpus || (cpu < w->cpu_limit && (w->cpus[cpu / 64] >> (cpu % 64) & 1u));
}

/* Adds the thread's intervals that end in the window. False when out of memory. */
bool tt_delays_gather_in(struct tt_delays *delays, const struct tt_timelines *t, uint32_t thread,
                         const struct tt_window *window);
/*
 * The same in parts: those that end in [*reached, window->to), as far as about *work intervals go,
 * which are taken off it. *reached goes on, to window->to in the end; begin with window->from.
 * Parts that follow each other give what one call gives.
 */
bool tt_delays_gather_part(struct tt_delays *delays, const struct tt_timelines *t, uint32_t thread,
                           const struct tt_window *window, uint64_t *reached, uint64_t *work);
/* The same for [from, to) on all CPUs. */
bool tt_delays_gather(struct tt_delays *delays, const struct tt_timelines *t, uint32_t thread,
                      uint64_t from, uint64_t to);
void tt_delays_clear(struct tt_delays *delays);
void tt_delays_free(struct tt_delays *delays);

/* All numbers of a thread, or of the threads of a process together. */
struct tt_numbers {
    struct tt_thread_sums sums;
    struct tt_distribution delay;
    struct tt_distribution preempted;
    struct tt_distribution wait;
    struct tt_distribution slice;
};

/* Sums as tt_thread_sum gives them; with CPUs in the window a walk over the thread's intervals. */
void tt_thread_sum_in(const struct tt_timelines *t, uint32_t thread, const struct tt_window *window,
                      struct tt_thread_sums *sums);
void tt_thread_sums_add(struct tt_thread_sums *sums, const struct tt_thread_sums *more);

/* `scratch` is cleared and used; keep one for all. False when out of memory. */
bool tt_numbers_of_thread(const struct tt_timelines *t, uint32_t thread,
                          const struct tt_window *window, struct tt_delays *scratch,
                          struct tt_numbers *numbers);
/* Of several threads as if they were one: sums added, distributions of all their intervals. */
bool tt_numbers_of_threads(const struct tt_timelines *t, const uint32_t *threads, size_t count,
                           const struct tt_window *window, struct tt_delays *scratch,
                           struct tt_numbers *numbers);

/*
 * Adds the ticks of each of the format's own states to ticks[0..count), of the part of [*reached,
 * to) that about *work intervals reach; as tt_delays_gather_part.
 */
void tt_thread_states_part(const struct tt_timelines *t, uint32_t thread, uint64_t to,
                           uint64_t *reached, uint64_t *work, uint64_t *ticks, uint32_t count);

/*
 * How often the thread came to wait or was stopped out of running or ready, and how often it went
 * back. Walks its intervals.
 */
void tt_thread_suspensions(const struct tt_timelines *t, uint32_t thread,
                           const struct tt_window *window, uint64_t *suspensions,
                           uint64_t *resumptions);

/*
 * The counts of the whole system, by the rules of docs/metrics.md that hold for all formats; what
 * only a format's own tool counts is TT_NO_TOTAL. `threads`: a bit a thread, or NULL: all; idle
 * ones never count.
 */
void tt_totals_of(const struct tt_capture *c, const struct tt_timelines *t,
                  const struct tt_window *window, const uint64_t *threads,
                  struct tt_totals *totals);

/* How often `to` followed `from` on a CPU. */
struct tt_pair {
    uint32_t from; /* a thread or TT_OCCUPANT_IDLE */
    uint32_t to;
    uint64_t count;
    uint64_t first_at; /* when it was first counted */
    uint16_t cpu;
};

struct tt_pairs {
    struct tt_pair *pairs; /* most frequent first */
    size_t count;
};

/* The switches of all CPUs in the window, by pair. Walks them once. */
struct tt_status tt_pairs_count(const struct tt_timelines *t, uint64_t from, uint64_t to,
                                struct tt_pairs *pairs);
void tt_pairs_free(struct tt_pairs *pairs);

/* The same in steps. It belongs to one thread. */
struct tt_pair_count;

/* NULL: out of memory. */
struct tt_pair_count *tt_pair_count_new(const struct tt_timelines *t, uint64_t from, uint64_t to);
/* Gives back at most *bytes of what is not asked for any more, see tt_samples_shrink. */
bool tt_pair_count_shrink(struct tt_pair_count *count, size_t *bytes);
void tt_pair_count_free(struct tt_pair_count *count);
/* Goes on with these timelines of the same trace, which were built anew. */
void tt_pair_count_take(struct tt_pair_count *count, const struct tt_timelines *t);
/* Walks at most about `work` occupations on; *done at the end. */
struct tt_status tt_pair_count_step(struct tt_pair_count *count, uint64_t work, bool *done);
/* Puts what is counted in order, when it is done: the most frequent first. O(n log n) */
void tt_pair_count_sort(struct tt_pair_count *count);
/* That order: <0 if `a` comes first. Total. */
int tt_pair_compare(const struct tt_pair *a, const struct tt_pair *b);
/* What is counted so far, until the next step, as found. */
const struct tt_pair *tt_pair_count_pairs(const struct tt_pair_count *count, size_t *pairs);
unsigned tt_pair_count_percent(const struct tt_pair_count *count);

/* ---- events ------------------------------------------------------------------------------- */

/* Which events are counted; their period and their durations. */
struct tt_event_window {
    uint64_t first_row; /* rows [first_row, end_row) of the trace, */
    uint64_t end_row;
    uint64_t from; /* and the same in ticks, for what ends without an event of its own */
    uint64_t to;
    const uint64_t *threads; /* a bit a thread; NULL: all, and events of no thread */
    uint32_t thread_limit;
    const uint64_t *cpus; /* a bit a CPU; NULL: all, and events of no CPU */
    uint32_t cpu_limit;
    /* Which of them count, by row, also of those before the window; NULL: all. */
    bool (*wanted)(const void *arg, uint64_t row);
    const void *wanted_arg;
};

struct tt_event_numbers {
    const char *class_name;
    const char *name;
    uint32_t class_id;
    uint64_t count;
    struct tt_distribution period;   /* from one to the next */
    struct tt_distribution duration; /* of what they begin */
};

/*
 * Gathered by a walk over the events from the first one on (what began before the window may end in
 * it), in steps, so that a screen may show how far it is. 8 bytes an event are kept for the
 * distributions. It belongs to one thread.
 */
struct tt_event_stats;

/* NULL: out of memory. The trace outlives it. */
struct tt_event_stats *tt_event_stats_new(struct tt_trace *trace,
                                          const struct tt_event_window *window);
/* Gives back at most *bytes of what is not asked for any more, see tt_samples_shrink. */
bool tt_event_stats_shrink(struct tt_event_stats *stats, size_t *bytes);
void tt_event_stats_free(struct tt_event_stats *stats);
/* Walks at most `rows` rows on; *done when the window's end is reached. */
struct tt_status tt_event_stats_step(struct tt_event_stats *stats, struct tt_events *events,
                                     uint64_t rows, bool *done);
/* The row that comes next: how far it is. */
uint64_t tt_event_stats_row(const struct tt_event_stats *stats);
/* Were bytes of events gone when they were asked for? */
bool tt_event_stats_shrunk(const struct tt_event_stats *stats);
/* Names met so far, and the numbers of each; types of one class and name are one. O(count). */
size_t tt_event_stats_count(const struct tt_event_stats *stats);
struct tt_event_numbers tt_event_stats_at(struct tt_event_stats *stats, size_t index);
/* The same in steps, as tt_samples_distribution_step: true when *numbers is all there. */
bool tt_event_stats_at_step(struct tt_event_stats *stats, size_t index, uint64_t *work,
                            struct tt_event_numbers *numbers);
/* Only its names and counts, at once: the distributions have a count, a sum and a maximum. */
struct tt_event_numbers tt_event_stats_counted(const struct tt_event_stats *stats, size_t index);
/* The lengths that its periods (or durations) are of. */
const struct tt_samples *tt_event_stats_samples(const struct tt_event_stats *stats, size_t index,
                                                bool durations);

#endif
