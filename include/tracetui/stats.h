/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats: scheduling metrics of threads, CPUs, processes and pairs over any window.
 *
 * Sums and counts come from the timelines' checkpoints. A distribution covers the complete
 * intervals that end inside the window; percentiles are nearest-rank. docs/metrics.md defines each
 * metric. All times are ticks.
 *
 * Each object belongs to one thread; the timelines it reads may still grow.
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
    uint64_t max_at; /* end of the longest sample */
};

/*
 * Receives samples in place of an array; `take` NULL: drops them. Not owned by the source of the
 * samples.
 */
struct tt_sample_sink {
    /* Returns false if out of memory, as tt_samples_add does then. */
    bool (*take)(void *arg, uint64_t length, uint64_t end, uint32_t thread);
    void *arg;
    uint32_t thread; /* of the next sample, or TT_NO_THREAD */
};

/* Passes a sample on. */
static inline bool tt_sample_sink_pass(const struct tt_sample_sink *sink, uint64_t length,
                                       uint64_t end)
{
    return !sink->take || sink->take(sink->arg, length, end, sink->thread);
}

/*
 * Samples for a distribution; free with tt_samples_free. Starts as {0}. A sample has 4 bytes until one
 * of them exceeds 32 bits. From TT_SAMPLES_MANY on, values below TT_SAMPLES_SHORT are only counted, so
 * their memory does not depend on their number. The order of the samples is not kept.
 */
struct tt_samples {
    void *values; /* uint64_t if `wide`, else uint32_t */
    size_t count; /* of all samples */
    size_t capacity;
    struct tt_sample_counts *counts; /* of short values; NULL: all samples are in `values` */
    bool wide;
    uint64_t sum;
    uint64_t max;
    uint64_t max_at;
    const struct tt_sample_sink *sink; /* NULL: samples are stored; else nothing is */
};

#define TT_SAMPLES_SHORT 65536u
#define TT_SAMPLES_MANY  131072u

/* Appends a sample of `length` ticks that ends at `end`. Returns false if out of memory. */
bool tt_samples_add(struct tt_samples *samples, uint64_t length, uint64_t end);
/*
 * Sets *value to the next sample and *times to how often it is repeated; equal samples can come more
 * than once. Begins at *next = 0 and advances it; returns false at the end.
 */
bool tt_samples_next(const struct tt_samples *samples, size_t *next, uint64_t *value,
                     uint64_t *times);
/* Removes all samples and keeps the array of those that are stored. */
void tt_samples_clear(struct tt_samples *samples);
/*
 * Frees at most *bytes and subtracts what it freed; false when everything is freed. Splits the cost
 * of freeing a large array.
 */
bool tt_samples_shrink(struct tt_samples *samples, size_t *bytes);
void tt_samples_free(struct tt_samples *samples);
/* Returns the distribution. O(count) on average; reorders the samples. */
struct tt_distribution tt_samples_distribution(struct tt_samples *samples);

/* Progress of the percentile selection; starts as {0}. */
struct tt_selection {
    unsigned rank; /* index of the percentile */
    bool begun;    /* it searches [low..high] */
    bool splitting;
    size_t low, high;
    size_t i, j;
    uint64_t pivot;
};

/*
 * Does the same in steps of about *work moves, which are subtracted from *work; returns true when
 * *distribution is complete. Add no samples until then.
 */
bool tt_samples_distribution_step(struct tt_samples *samples, struct tt_selection *selection,
                                  uint64_t *work, struct tt_distribution *distribution);

/* Samples of one thread, or of all threads of a process. */
struct tt_delays {
    struct tt_samples delay;     /* sch delay: wake-up to running */
    struct tt_samples preempted; /* preemption to running again */
    struct tt_samples wait;      /* leaving the CPU to becoming ready */
    struct tt_samples slice;     /* duration of a run without interrupts */
};

/*
 * A window [from, to), optionally limited to some CPUs. A run belongs to its CPU, any other
 * interval to the CPU of the thread's last run; a switch belongs to the CPU where it happened, a
 * delay to the CPU on which it ended, a wait to the CPU that the thread left. The metrics of the
 * single CPUs therefore add up to those of all CPUs, except for what precedes the first run.
 */
struct tt_window {
    uint64_t from;
    uint64_t to;          /* for a whole capture its end + 1, so that instants at its end count */
    const uint64_t *cpus; /* one bit per CPU; NULL: all CPUs, and no CPU */
    uint32_t cpu_limit;   /* number of bits */
};

static inline bool tt_window_has_cpu(const struct tt_window *window, uint32_t cpu)
{
    return !window->cpus ||
           (cpu < window->cpu_limit && (window->cpus[cpu / 64] >> (cpu % 64) & 1u));
}

/*
 * Appends the samples of the thread's intervals that end in the window. Returns false if out of
 * memory.
 */
bool tt_delays_gather_in(struct tt_delays *delays, const struct tt_timelines *timelines,
                         uint32_t thread, const struct tt_window *window);
/*
 * Does the same in parts: handles intervals that end in [*reached, window->to) until about *work
 * intervals are done, subtracts them from *work and advances *reached, finally to window->to. Start
 * with window->from. Consecutive parts give the result of one call.
 */
bool tt_delays_gather_part(struct tt_delays *delays, const struct tt_timelines *timelines,
                           uint32_t thread, const struct tt_window *window, uint64_t *reached,
                           uint64_t *work);
/* Does the same for [from, to) on all CPUs. */
bool tt_delays_gather(struct tt_delays *delays, const struct tt_timelines *timelines,
                      uint32_t thread, uint64_t from, uint64_t to);
/* Remove all samples, or free them. */
void tt_delays_clear(struct tt_delays *delays);
void tt_delays_free(struct tt_delays *delays);

/* All metrics of a thread, or of the threads of a process together. */
struct tt_numbers {
    struct tt_thread_sums sums;
    struct tt_distribution delay;
    struct tt_distribution preempted;
    struct tt_distribution wait;
    struct tt_distribution slice;
};

/*
 * Computes sums like tt_thread_sum, with conditions as locks; with CPUs in the window it walks the
 * thread's intervals.
 */
void tt_thread_sum_in(const struct tt_timelines *timelines, uint32_t thread,
                      const struct tt_window *window, struct tt_thread_sums *sums);
/* Adds `more` to `sums`. */
void tt_thread_sums_add(struct tt_thread_sums *sums, const struct tt_thread_sums *more);

/*
 * Computes the metrics of a thread. `scratch` is cleared and used; reuse it. Returns false if out
 * of memory.
 */
bool tt_numbers_of_thread(const struct tt_timelines *timelines, uint32_t thread,
                          const struct tt_window *window, struct tt_delays *scratch,
                          struct tt_numbers *numbers);

/*
 * Adds the ticks in each of the format's states to ticks[0..count), for the part of [*reached, to)
 * that about *work intervals cover; advances like tt_delays_gather_part.
 */
void tt_thread_states_part(const struct tt_timelines *timelines, uint32_t thread, uint64_t to,
                           uint64_t *reached, uint64_t *work, uint64_t *ticks, uint32_t count);

/*
 * Counts changes from running or ready to waiting or stopped, and back. Walks the thread's
 * intervals. The counts of consecutive parts of a window add up to those of the window.
 */
void tt_thread_suspensions(const struct tt_timelines *timelines, uint32_t thread,
                           const struct tt_window *window, uint64_t *suspensions,
                           uint64_t *resumptions);

/*
 * Computes the counts of CPUs by the rules of docs/metrics.md that apply to all formats: context
 * switches and interrupts. The counts of threads are 0; numbers that only a format's own tool
 * defines are TT_NO_TOTAL. O(CPUs).
 */
void tt_totals_of_cpus(const struct tt_timelines *timelines, const struct tt_window *window,
                       struct tt_totals *totals);

/* The number of times that `to` followed `from` on a CPU. */
struct tt_pair {
    uint32_t from; /* thread or TT_OCCUPANT_IDLE */
    uint32_t to;
    uint64_t count;
    uint64_t first_at; /* time of the first one */
    uint16_t cpu;
};

struct tt_pairs {
    struct tt_pair *pairs; /* most frequent first */
    size_t count;
};

/*
 * Counts the switches of all CPUs in the window by pair, in one walk. TT_ERR_MEMORY; free with
 * tt_pairs_free.
 */
struct tt_status tt_pairs_count(const struct tt_timelines *timelines, uint64_t from, uint64_t to,
                                struct tt_pairs *pairs);
void tt_pairs_free(struct tt_pairs *pairs);

/* The same in steps. Belongs to one thread. */
struct tt_pair_count;

/* Returns NULL if out of memory. */
struct tt_pair_count *tt_pair_count_new(const struct tt_timelines *timelines, uint64_t from,
                                        uint64_t to);
/* Frees at most *bytes of an object that is no longer used, see tt_samples_shrink. */
bool tt_pair_count_shrink(struct tt_pair_count *count, size_t *bytes);
void tt_pair_count_free(struct tt_pair_count *count);
/* Counts nothing; passes each switch of the pair `of` to the sink, with length 0. Before a step. */
void tt_pair_count_watch(struct tt_pair_count *count, const struct tt_pair *of,
                         struct tt_sample_sink *sink);
/* Continues with rebuilt timelines of the same trace. */
void tt_pair_count_set_timelines(struct tt_pair_count *count, const struct tt_timelines *timelines);
/* Walks about `work` more occupations at most; *done at the end. */
struct tt_status tt_pair_count_step(struct tt_pair_count *count, uint64_t work, bool *done);
/* Sorts the finished pairs, most frequent first. O(n log n). */
void tt_pair_count_sort(struct tt_pair_count *count);
/* Compares two pairs in that total order: <0 if `left` comes first. */
int tt_pair_compare(const struct tt_pair *left, const struct tt_pair *right);
/* Returns the pairs counted so far, unsorted; valid until the next step. */
const struct tt_pair *tt_pair_count_pairs(const struct tt_pair_count *count, size_t *pairs);
/* Returns the progress in percent. */
unsigned tt_pair_count_percent(const struct tt_pair_count *count);

/* ---- events ------------------------------------------------------------------------------- */

/* The range of events to count, and the filters on it. */
struct tt_event_window {
    uint64_t first_row; /* rows [first_row, end_row) of the trace */
    uint64_t end_row;
    uint64_t from; /* the same range in ticks, for operations that end without an event */
    uint64_t to;
    const uint64_t *threads; /* one bit per thread; NULL: all, and events without a thread */
    uint32_t thread_limit;
    const uint64_t *cpus; /* one bit per CPU; NULL: all, and events without a CPU */
    uint32_t cpu_limit;
    /* Selects events by row, also before the window; NULL: all. */
    bool (*wanted)(const void *arg, uint64_t row);
    const void *wanted_arg;
};

struct tt_event_numbers {
    const char *class_name;
    const char *name;
    uint32_t class_id;
    uint64_t count;
    struct tt_distribution period;   /* from one event to the next */
    struct tt_distribution duration; /* of the operations that they begin */
};

/*
 * Statistics by event name, gathered in steps by a walk from the first event of the capture
 * (operations that began before the window may end in it). Stores 8 bytes per event for the
 * distributions. Belongs to one thread.
 */
struct tt_event_stats;

/* Returns NULL if out of memory. The trace outlives it. */
struct tt_event_stats *tt_event_stats_new(struct tt_trace *trace,
                                          const struct tt_event_window *window);
/* Samples of tt_event_stats_watch. */
enum tt_event_sample { TT_EVENT_COUNTED, TT_EVENT_PERIOD, TT_EVENT_DURATION };
/*
 * Stores no samples; passes those of the events with this class and name to the sink. The length of
 * TT_EVENT_COUNTED is 0. Before the first step; `name` and `sink` outlive it.
 */
void tt_event_stats_watch(struct tt_event_stats *stats, uint32_t class_id, const char *name,
                          enum tt_event_sample what, struct tt_sample_sink *sink);
/* Frees at most *bytes of an object that is no longer used, see tt_samples_shrink. */
bool tt_event_stats_shrink(struct tt_event_stats *stats, size_t *bytes);
void tt_event_stats_free(struct tt_event_stats *stats);
/* Stores the durations that end after the window, so that a later window can follow. */
void tt_event_stats_keep_ends(struct tt_event_stats *stats);
/*
 * Begins a later window with the same filters, after tt_event_stats_keep_ends, whose first row has not been
 * read: the walk continues instead of starting at the first event, and the names so far stay, with a
 * count of 0. Returns false if the row has been read, or if out of memory; the walk can then only be
 * freed.
 */
bool tt_event_stats_continue(struct tt_event_stats *stats, const struct tt_event_window *window);
/* Walks at most `rows` more rows; *done when the end of the window is reached. */
struct tt_status tt_event_stats_step(struct tt_event_stats *stats, struct tt_events *events,
                                     uint64_t rows, bool *done);
/* Returns the next row to read, as a measure of progress. */
uint64_t tt_event_stats_row(const struct tt_event_stats *stats);
/* Returns whether bytes of some event were gone. */
bool tt_event_stats_truncated(const struct tt_event_stats *stats);
/*
 * Return the number of names so far and the metrics of each; types with the same class and name are
 * one. O(count).
 */
size_t tt_event_stats_count(const struct tt_event_stats *stats);
struct tt_event_numbers tt_event_stats_at(struct tt_event_stats *stats, size_t index);
/* Does the same in steps, like tt_samples_distribution_step: true when *numbers is complete. */
bool tt_event_stats_at_step(struct tt_event_stats *stats, size_t index, uint64_t *work,
                            struct tt_event_numbers *numbers);
/*
 * Returns only names and counts, without a selection: the distributions have a count, a sum and a
 * maximum.
 */
struct tt_event_numbers tt_event_stats_counted(const struct tt_event_stats *stats, size_t index);

#endif
