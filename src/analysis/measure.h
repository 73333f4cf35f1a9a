/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure: the time from one event to another, for any two kinds of events.
 *
 * Two sets of events, the begins and the ends, usually two filters (filter.h). Each end pairs with the
 * latest earlier begin that is not paired yet, or with the oldest one. A property that both must
 * share joins them: thread, CPU, process or an argument.
 *
 *      begin      b1    b2          b3                  last:   b2-e1  b1-e2  b3-e3
 *      end                 e1   e2       e3             first:  b1-e1  b2-e2  b3-e3
 *
 * An event that is in both sets is an end first, and then a begin: with equal filters the result is
 * the time between matches.
 *
 * The caller reads events in order and passes them in batches with two bit sets. Memory: 4 bytes
 * per pair (struct tt_samples; none for a duration below 65,536 ticks once there are many) and 24
 * per open begin, allocated in amortized steps, never per event. Times are ticks. One thread.
 */
#ifndef TRACETUI_ANALYSIS_MEASURE_H
#define TRACETUI_ANALYSIS_MEASURE_H

#include "analysis/measure_request.h"
#include "tracetui/stats.h"
#include "tracetui/text.h"
#include "tracetui/trace.h"

struct tt_measure_pair {
    uint64_t from;
    uint64_t to;
    uint64_t from_row;
    uint64_t to_row;
    uint32_t thread; /* of the end, or TT_NO_THREAD */
    uint32_t group;  /* see tt_measure_put_group */
};

#define TT_MEASURE_WORST 5u

struct tt_measure_result {
    struct tt_distribution length;
    uint64_t min;
    uint64_t unpaired_begin; /* begins without an end, or without the property that joins */
    uint64_t unpaired_end;
    uint64_t lossy; /* pairs with a loss of records between their events */
    struct tt_measure_pair worst[TT_MEASURE_WORST]; /* the longest, longest first */
    unsigned worst_count;
};

struct tt_measure;

/* Returns NULL if out of memory. The trace outlives the measurement. */
struct tt_measure *tt_measure_new(struct tt_trace *trace, const struct tt_measure_request *request);
void tt_measure_free(struct tt_measure *measure);

/*
 * Handles `count` consecutive events, the first of them in row `row`; bit i % 64 of word i / 64 of
 * `begins` and `ends` is set if event i is in the set. `events` reads arguments. Calls `take` for
 * each pair in order of its end, if not NULL. Returns false if out of memory.
 */
bool tt_measure_add(struct tt_measure *measure, struct tt_events *events,
                    const struct tt_event *list, uint64_t row, uint32_t count,
                    const uint64_t *begins, const uint64_t *ends,
                    void (*take)(void *arg, const struct tt_measure_pair *pair), void *arg);

/*
 * Sets *group to the number of what joins an event with others, UINT32_MAX if it lacks that. Returns false
 * if out of memory.
 */
bool tt_measure_group_of(struct tt_measure *measure, struct tt_events *events,
                         const struct tt_event *event, uint32_t *group);
/* Appends what joins the events of a group: a thread, CPU, process or value, escaped; nothing for any. */
void tt_measure_put_group(struct tt_text *text, const struct tt_measure *measure, uint32_t group);
/* Passes the begins that are not paired so far, with `to` and `to_row` UINT64_MAX. */
void tt_measure_open(const struct tt_measure *measure,
                     void (*take)(void *arg, const struct tt_measure_pair *pair), void *arg);

/* Computes the result of what was added so far. O(pairs); reorders the samples. */
void tt_measure_result(struct tt_measure *measure, struct tt_measure_result *result);
/* Stores no durations: only `take` receives the pairs. Call it before the first event. */
void tt_measure_store_nothing(struct tt_measure *measure);
/* Returns the durations of the pairs. */
const struct tt_samples *tt_measure_samples(const struct tt_measure *measure);

/* ---- bins --------------------------------------------------------------------------------- */

#define TT_BINS_MOST 48u

/* Adjacent bins: bin i has the values in [edge[i], edge[i + 1]). */
struct tt_bins {
    uint64_t edge[TT_BINS_MOST + 1];
    uint64_t count[TT_BINS_MOST];
    unsigned used;
    bool logarithmic;
};

/*
 * Chooses edges of one significant digit or 15 for values from `min` to `max`, at least 10 bins where
 * the values differ enough; logarithmic if the largest is many times the median.
 */
void tt_bins_choose(struct tt_bins *bins, uint64_t min, uint64_t median, uint64_t max);
/* Returns whether tt_bins_choose takes a logarithmic scale. */
bool tt_bins_are_skewed(uint64_t median, uint64_t max);
/* Chooses the edges on the scale given. */
void tt_bins_choose_scale(struct tt_bins *bins, uint64_t min, uint64_t max, bool logarithmic);
/* Counts a value `times` times; it is within the edges. */
void tt_bins_add(struct tt_bins *bins, uint64_t value, uint64_t times);
/* Counts all samples, whose edges are in nanoseconds, in ticks without a clock. */
void tt_bins_add_samples(struct tt_bins *bins, const struct tt_capture *capture,
                         const struct tt_samples *samples);

#endif
