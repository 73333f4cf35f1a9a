/* SPDX-License-Identifier: Apache-2.0 */
/* samples: collects samples and computes nearest-rank percentiles. */
#include <stdlib.h>

#include "base/array.h"
#include "tracetui/stats.h"

struct tt_sample_counts {
    size_t total;
    uint64_t of[TT_SAMPLES_SHORT];
};

static size_t size_of(const struct tt_samples *s)
{
    return s->wide ? sizeof(uint64_t) : sizeof(uint32_t);
}

/* Returns the number of samples in counters. */
static size_t counted(const struct tt_samples *s)
{
    return s->counts ? s->counts->total : 0;
}

/* Returns the number of samples in the array. */
static size_t stored(const struct tt_samples *s)
{
    return s->count - counted(s);
}

static uint64_t get(const struct tt_samples *s, size_t i)
{
    return s->wide ? ((const uint64_t *)s->values)[i] : ((const uint32_t *)s->values)[i];
}

static void set(struct tt_samples *s, size_t i, uint64_t length)
{
    if (s->wide) {
        ((uint64_t *)s->values)[i] = length;
    } else {
        ((uint32_t *)s->values)[i] = (uint32_t)length;
    }
}

/* Makes room for one more; returns false if out of memory. */
static bool grow(struct tt_samples *s)
{
    void *values = tt_array_grow_tight(s->values, stored(s), &s->capacity, size_of(s));
    s->values = values ? values : s->values;
    return values != NULL;
}

/* Copies the samples to 64 bits each; returns false if out of memory. */
static bool widen(struct tt_samples *s)
{
    struct tt_samples wide = *s;
    size_t capacity = s->capacity > 0 ? s->capacity : 1;
    wide.wide = true;
    wide.capacity = capacity;
    wide.values = capacity <= SIZE_MAX / 8 ? malloc(capacity * sizeof(uint64_t)) : NULL;
    if (!wide.values) {
        return false;
    }
    for (size_t i = 0; i < stored(s); i++) {
        set(&wide, i, get(s, i));
    }
    free(s->values);
    *s = wide;
    return true;
}

/* Moves the short values of the array to counters; returns false if out of memory. */
static bool count_short(struct tt_samples *s)
{
    size_t kept = 0, all = s->count;
    struct tt_sample_counts *counts = calloc(1, sizeof *counts);
    if (!counts) {
        return false;
    }
    for (size_t i = 0; i < all; i++) {
        uint64_t length = get(s, i);
        if (length < TT_SAMPLES_SHORT) {
            counts->of[length]++;
            counts->total++;
        } else {
            set(s, kept++, length);
        }
    }
    s->counts = counts;
    return true;
}

static bool store(struct tt_samples *s, uint64_t length)
{
    if ((length > UINT32_MAX && !s->wide && !widen(s)) || !grow(s)) {
        return false;
    }
    set(s, stored(s), length);
    return true;
}

bool tt_samples_add(struct tt_samples *s, uint64_t length, uint64_t end)
{
    if (s->sink) {
        return tt_sample_sink_take(s->sink, length, end);
    }
    if (s->count == TT_SAMPLES_MANY && !s->counts && !count_short(s)) {
        return false;
    }
    if (s->counts && length < TT_SAMPLES_SHORT) {
        s->counts->of[length]++;
        s->counts->total++;
    } else if (!store(s, length)) {
        return false;
    }
    if (s->count == 0 || length > s->max) {
        s->max = length;
        s->max_at = end;
    }
    s->count++;
    s->sum += length;
    return true;
}

bool tt_samples_next(const struct tt_samples *s, size_t *next, uint64_t *value, uint64_t *times)
{
    size_t shorts = s->counts ? TT_SAMPLES_SHORT : 0;
    for (; *next < shorts; ++*next) {
        if (s->counts->of[*next] > 0) {
            *value = *next;
            *times = s->counts->of[(*next)++];
            return true;
        }
    }
    if (*next - shorts >= stored(s)) {
        return false;
    }
    *value = get(s, (*next)++ - shorts);
    *times = 1;
    return true;
}

static void free_counts(struct tt_samples *s)
{
    free(s->counts);
    s->counts = NULL;
}

void tt_samples_clear(struct tt_samples *s)
{
    free_counts(s);
    s->count = 0;
    s->sum = s->max = s->max_at = 0;
}

bool tt_samples_shrink(struct tt_samples *s, size_t *bytes)
{
    s->count = stored(s);
    free_counts(s);
    bool more = tt_array_shrink(&s->values, &s->capacity, size_of(s), bytes);
    s->count = s->count < s->capacity ? s->count : s->capacity;
    return more;
}

void tt_samples_free(struct tt_samples *s)
{
    free(s->values);
    s->values = NULL;
    s->capacity = 0;
    s->wide = false;
    tt_samples_clear(s);
}

static void swap(struct tt_samples *v, size_t a, size_t b)
{
    uint64_t t = get(v, a);
    set(v, a, get(v, b));
    set(v, b, t);
}

/* Begins a partition around the median of three. */
static void begin_split(struct tt_selection *s, struct tt_samples *v)
{
    size_t low = s->low, high = s->high, middle = low + (high - low) / 2;
    if (get(v, middle) < get(v, low)) {
        swap(v, middle, low);
    }
    if (get(v, high) < get(v, low)) {
        swap(v, high, low);
    }
    if (get(v, high) < get(v, middle)) {
        swap(v, high, middle);
    }
    s->pivot = get(v, middle);
    s->i = low;
    s->j = high;
    s->splitting = true;
}

/*
 * Partitions v[low..high] so that no element of [low..j] is larger than any after it. Can stop
 * between two moves and resume; returns false if it stopped.
 */
static bool split_step(struct tt_selection *s, struct tt_samples *v, uint64_t *work)
{
    uint64_t left = *work;
    for (;;) {
        while (get(v, s->i) < s->pivot && left > 0) {
            s->i++;
            left--;
        }
        while (get(v, s->j) > s->pivot && left > 0) {
            s->j--;
            left--;
        }
        if (left == 0) {
            *work = 0;
            return false;
        }
        if (s->i >= s->j) {
            break;
        }
        swap(v, s->i++, s->j--);
        left--;
    }
    *work = left;
    s->splitting = false;
    return true;
}

/*
 * Moves the k-th smallest element of v[low..high] to index k; the elements before it are not
 * larger.
 */
static bool select_step(struct tt_selection *s, struct tt_samples *v, size_t k, uint64_t *work)
{
    while (s->low < s->high) {
        if (!s->splitting) {
            begin_split(s, v);
        }
        if (!split_step(s, v, work)) {
            return false;
        }
        if (k <= s->j) {
            s->high = s->j;
        } else {
            s->low = s->j + 1;
        }
    }
    return true;
}

/*
 * Returns the nearest rank: the index of the smallest sample that at least `percent` percent of the
 * samples do not exceed.
 */
static size_t rank_of(size_t count, unsigned percent)
{
    size_t rank = count / 100 * percent + (count % 100 * percent + 99) / 100;
    return rank > 0 ? rank - 1 : 0;
}

/* Returns the k-th smallest of the counted samples. */
static uint64_t counted_at(const struct tt_samples *s, size_t k)
{
    uint64_t length = 0;
    for (uint64_t passed = s->counts->of[0]; passed <= k;) {
        passed += s->counts->of[++length];
    }
    return length;
}

bool tt_samples_distribution_step(struct tt_samples *s, struct tt_selection *selection,
                                  uint64_t *work, struct tt_distribution *d)
{
    static const unsigned percents[3] = {50, 95, 99};
    uint64_t *const values[3] = {&d->p50, &d->p95, &d->p99};
    if (selection->rank == 0 && !selection->begun) {
        *d = (struct tt_distribution){.count = s->count, .sum = s->sum};
    }
    if (s->count == 0) {
        return true;
    }
    for (; selection->rank < 3; selection->rank++) {
        size_t k = rank_of(s->count, percents[selection->rank]), first = counted(s);
        if (k < first) { /* counted values are smaller than those of the array */
            *values[selection->rank] = counted_at(s, k);
            continue;
        }
        if (!selection->begun) {
            /* The previous rank has already partitioned the samples. */
            size_t low = selection->rank > 0 ? rank_of(s->count, percents[selection->rank - 1]) : 0;
            selection->low = low > first ? low - first : 0;
            selection->high = stored(s) - 1;
            selection->begun = true;
        }
        if (!select_step(selection, s, k - first, work)) {
            return false;
        }
        selection->begun = false;
        *values[selection->rank] = get(s, k - first);
    }
    d->max = s->max;
    d->max_at = s->max_at;
    *selection = (struct tt_selection){0};
    return true;
}

struct tt_distribution tt_samples_distribution(struct tt_samples *s)
{
    struct tt_selection selection = {0};
    struct tt_distribution d;
    for (uint64_t work = UINT64_MAX; !tt_samples_distribution_step(s, &selection, &work, &d);) {
        work = UINT64_MAX;
    }
    return d;
}
