/* SPDX-License-Identifier: Apache-2.0 */
/* samples: collects samples and computes nearest-rank percentiles. */
#include <stdlib.h>

#include "base/array.h"
#include "tracetui/stats.h"

struct tt_sample_counts {
    size_t total;
    uint64_t of[TT_SAMPLES_SHORT];
};

static size_t samples_size_of(const struct tt_samples *samples)
{
    return samples->wide ? sizeof(uint64_t) : sizeof(uint32_t);
}

/* Returns the number of samples in counters. */
static size_t samples_counted(const struct tt_samples *samples)
{
    return samples->counts ? samples->counts->total : 0;
}

/* Returns the number of samples in the array. */
static size_t stored(const struct tt_samples *samples)
{
    return samples->count - samples_counted(samples);
}

static uint64_t samples_get(const struct tt_samples *samples, size_t i)
{
    return samples->wide ? ((const uint64_t *)samples->values)[i]
                         : ((const uint32_t *)samples->values)[i];
}

static void set(struct tt_samples *samples, size_t i, uint64_t length)
{
    if (samples->wide) {
        ((uint64_t *)samples->values)[i] = length;
    } else {
        ((uint32_t *)samples->values)[i] = (uint32_t)length;
    }
}

/* Makes room for one more; returns false if out of memory. */
static bool samples_grow(struct tt_samples *samples)
{
    void *values = tt_array_grow_tight(samples->values, stored(samples), &samples->capacity,
                                       samples_size_of(samples));
    samples->values = values ? values : samples->values;
    return values != NULL;
}

/* Copies the samples to 64 bits each; returns false if out of memory. */
static bool samples_widen(struct tt_samples *samples)
{
    struct tt_samples wide = *samples;
    size_t capacity = samples->capacity > 0 ? samples->capacity : 1;
    wide.wide = true;
    wide.capacity = capacity;
    wide.values = capacity <= SIZE_MAX / 8 ? malloc(capacity * sizeof(uint64_t)) : NULL;
    if (!wide.values) {
        return false;
    }
    for (size_t i = 0; i < stored(samples); i++) {
        set(&wide, i, samples_get(samples, i));
    }
    free(samples->values);
    *samples = wide;
    return true;
}

/* Moves the short values of the array to counters; returns false if out of memory. */
static bool count_short(struct tt_samples *samples)
{
    size_t kept = 0, all = samples->count;
    struct tt_sample_counts *counts = calloc(1, sizeof *counts);
    if (!counts) {
        return false;
    }
    for (size_t i = 0; i < all; i++) {
        uint64_t length = samples_get(samples, i);
        if (length < TT_SAMPLES_SHORT) {
            counts->of[length]++;
            counts->total++;
        } else {
            set(samples, kept++, length);
        }
    }
    samples->counts = counts;
    return true;
}

static bool samples_store(struct tt_samples *samples, uint64_t length)
{
    if ((length > UINT32_MAX && !samples->wide && !samples_widen(samples)) ||
        !samples_grow(samples)) {
        return false;
    }
    set(samples, stored(samples), length);
    return true;
}

bool tt_samples_add(struct tt_samples *samples, uint64_t length, uint64_t end)
{
    if (samples->sink) {
        return tt_sample_sink_pass(samples->sink, length, end);
    }
    if (samples->count == TT_SAMPLES_MANY && !samples->counts && !count_short(samples)) {
        return false;
    }
    if (samples->counts && length < TT_SAMPLES_SHORT) {
        samples->counts->of[length]++;
        samples->counts->total++;
    } else if (!samples_store(samples, length)) {
        return false;
    }
    if (samples->count == 0 || length > samples->max) {
        samples->max = length;
        samples->max_at = end;
    }
    samples->count++;
    samples->sum += length;
    return true;
}

bool tt_samples_next(const struct tt_samples *samples, size_t *next, uint64_t *value,
                     uint64_t *times)
{
    size_t shorts = samples->counts ? TT_SAMPLES_SHORT : 0;
    for (; *next < shorts; ++*next) {
        if (samples->counts->of[*next] > 0) {
            *value = *next;
            *times = samples->counts->of[(*next)++];
            return true;
        }
    }
    if (*next - shorts >= stored(samples)) {
        return false;
    }
    *value = samples_get(samples, (*next)++ - shorts);
    *times = 1;
    return true;
}

static void free_counts(struct tt_samples *samples)
{
    free(samples->counts);
    samples->counts = NULL;
}

void tt_samples_clear(struct tt_samples *samples)
{
    free_counts(samples);
    samples->count = 0;
    samples->sum = samples->max = samples->max_at = 0;
}

bool tt_samples_shrink(struct tt_samples *samples, size_t *bytes)
{
    samples->count = stored(samples);
    free_counts(samples);
    bool more =
        tt_array_shrink(&samples->values, &samples->capacity, samples_size_of(samples), bytes);
    samples->count = samples->count < samples->capacity ? samples->count : samples->capacity;
    return more;
}

void tt_samples_free(struct tt_samples *samples)
{
    free(samples->values);
    samples->values = NULL;
    samples->capacity = 0;
    samples->wide = false;
    tt_samples_clear(samples);
}

static void samples_swap(struct tt_samples *samples, size_t a, size_t b)
{
    uint64_t t = samples_get(samples, a);
    set(samples, a, samples_get(samples, b));
    set(samples, b, t);
}

/*
 * Partitions v[low..high] so that no element of [low..j] is larger than any after it. Can stop
 * between two moves and resume; returns false if it stopped.
 */
static bool split_step(struct tt_selection *selection, struct tt_samples *samples, uint64_t *work)
{
    uint64_t left = *work;
    for (;;) {
        while (samples_get(samples, selection->i) < selection->pivot && left > 0) {
            selection->i++;
            left--;
        }
        while (samples_get(samples, selection->j) > selection->pivot && left > 0) {
            selection->j--;
            left--;
        }
        if (left == 0) {
            *work = 0;
            return false;
        }
        if (selection->i >= selection->j) {
            break;
        }
        samples_swap(samples, selection->i++, selection->j--);
        left--;
    }
    *work = left;
    selection->splitting = false;
    return true;
}

/*
 * Moves the k-th smallest element of v[low..high] to index k; the elements before it are not
 * larger.
 */
static bool select_step(struct tt_selection *selection, struct tt_samples *samples, size_t k,
                        uint64_t *work)
{
    while (selection->low < selection->high) {
        if (!selection->splitting) {
            /* Begins a partition around the median of three. */
            size_t low = selection->low, high = selection->high, middle = low + (high - low) / 2;
            if (samples_get(samples, middle) < samples_get(samples, low)) {
                samples_swap(samples, middle, low);
            }
            if (samples_get(samples, high) < samples_get(samples, low)) {
                samples_swap(samples, high, low);
            }
            if (samples_get(samples, high) < samples_get(samples, middle)) {
                samples_swap(samples, high, middle);
            }
            selection->pivot = samples_get(samples, middle);
            selection->i = low;
            selection->j = high;
            selection->splitting = true;
        }
        if (!split_step(selection, samples, work)) {
            return false;
        }
        if (k <= selection->j) {
            selection->high = selection->j;
        } else {
            selection->low = selection->j + 1;
        }
    }
    return true;
}

/*
 * Returns the nearest rank: the index of the smallest sample that at least `percent` percent of the
 * samples do not exceed.
 */
static size_t samples_rank_of(size_t count, unsigned percent)
{
    size_t rank = count / 100 * percent + (count % 100 * percent + 99) / 100;
    return rank > 0 ? rank - 1 : 0;
}

bool tt_samples_distribution_step(struct tt_samples *samples, struct tt_selection *selection,
                                  uint64_t *work, struct tt_distribution *distribution)
{
    static const unsigned percents[3] = {50, 95, 99};
    uint64_t *const values[3] = {&distribution->p50, &distribution->p95, &distribution->p99};
    if (selection->rank == 0 && !selection->begun) {
        *distribution = (struct tt_distribution){.count = samples->count, .sum = samples->sum};
    }
    if (samples->count == 0) {
        return true;
    }
    for (; selection->rank < 3; selection->rank++) {
        size_t k = samples_rank_of(samples->count, percents[selection->rank]),
               first = samples_counted(samples);
        if (k < first) { /* counted values are smaller than those of the array */
                         /* The k-th smallest of the counted samples. */
            uint64_t length = 0;
            for (uint64_t passed = samples->counts->of[0]; passed <= k;) {
                passed += samples->counts->of[++length];
            }
            *values[selection->rank] = length;

            continue;
        }
        if (!selection->begun) {
            /* The previous rank has already partitioned the samples. */
            size_t low = selection->rank > 0
                             ? samples_rank_of(samples->count, percents[selection->rank - 1])
                             : 0;
            selection->low = low > first ? low - first : 0;
            selection->high = stored(samples) - 1;
            selection->begun = true;
        }
        if (!select_step(selection, samples, k - first, work)) {
            return false;
        }
        selection->begun = false;
        *values[selection->rank] = samples_get(samples, k - first);
    }
    distribution->max = samples->max;
    distribution->max_at = samples->max_at;
    *selection = (struct tt_selection){0};
    return true;
}

struct tt_distribution tt_samples_distribution(struct tt_samples *samples)
{
    struct tt_selection selection = {0};
    struct tt_distribution d;
    for (uint64_t work = UINT64_MAX;
         !tt_samples_distribution_step(samples, &selection, &work, &d);) {
        work = UINT64_MAX;
    }
    return d;
}
