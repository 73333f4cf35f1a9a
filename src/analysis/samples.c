/* SPDX-License-Identifier: Apache-2.0 */
/* samples: collects samples and computes nearest-rank percentiles. */
#include <stdlib.h>

#include "base/array.h"
#include "tracetui/stats.h"

static size_t size_of(const struct tt_samples *s)
{
    return s->wide ? sizeof(uint64_t) : sizeof(uint32_t);
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
    void *values = tt_array_grow_tight(s->values, s->count, &s->capacity, size_of(s));
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
    for (size_t i = 0; i < s->count; i++) {
        set(&wide, i, tt_samples_at(s, i));
    }
    free(s->values);
    *s = wide;
    return true;
}

bool tt_samples_add(struct tt_samples *s, uint64_t length, uint64_t end)
{
    if (s->sink) {
        return tt_sample_sink_take(s->sink, length, end);
    }
    if ((length > UINT32_MAX && !s->wide && !widen(s)) || !grow(s)) {
        return false;
    }
    if (s->count == 0 || length > s->max) {
        s->max = length;
        s->max_at = end;
    }
    set(s, s->count++, length);
    s->sum += length;
    return true;
}

void tt_samples_clear(struct tt_samples *s)
{
    s->count = 0;
    s->sum = s->max = s->max_at = 0;
}

bool tt_samples_shrink(struct tt_samples *s, size_t *bytes)
{
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
    uint64_t t = tt_samples_at(v, a);
    set(v, a, tt_samples_at(v, b));
    set(v, b, t);
}

/* Begins a partition around the median of three. */
static void begin_split(struct tt_selection *s, struct tt_samples *v)
{
    size_t low = s->low, high = s->high, middle = low + (high - low) / 2;
    if (tt_samples_at(v, middle) < tt_samples_at(v, low)) {
        swap(v, middle, low);
    }
    if (tt_samples_at(v, high) < tt_samples_at(v, low)) {
        swap(v, high, low);
    }
    if (tt_samples_at(v, high) < tt_samples_at(v, middle)) {
        swap(v, high, middle);
    }
    s->pivot = tt_samples_at(v, middle);
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
        while (tt_samples_at(v, s->i) < s->pivot && left > 0) {
            s->i++;
            left--;
        }
        while (tt_samples_at(v, s->j) > s->pivot && left > 0) {
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
        size_t k = rank_of(s->count, percents[selection->rank]);
        if (!selection->begun) {
            /* The previous rank has already partitioned the samples. */
            selection->low =
                selection->rank > 0 ? rank_of(s->count, percents[selection->rank - 1]) : 0;
            selection->high = s->count - 1;
            selection->begun = true;
        }
        if (!select_step(selection, s, k, work)) {
            return false;
        }
        selection->begun = false;
        *values[selection->rank] = tt_samples_at(s, k);
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
