/* SPDX-License-Identifier: Apache-2.0 */
/* samples: collects samples and computes nearest-rank percentiles. */
#include <stdlib.h>

#include "base/array.h"
#include "tracetui/stats.h"

bool tt_samples_add(struct tt_samples *s, uint64_t length, uint64_t end)
{
    uint64_t *lengths = tt_array_grow(s->lengths, s->count, &s->capacity, sizeof *lengths);
    if (!lengths) {
        return false;
    }
    s->lengths = lengths;
    if (s->count == 0 || length > s->max) {
        s->max = length;
        s->max_at = end;
    }
    s->lengths[s->count++] = length;
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
    void *lengths = s->lengths;
    bool more = tt_array_shrink(&lengths, &s->capacity, sizeof *s->lengths, bytes);
    s->lengths = lengths;
    s->count = s->count < s->capacity ? s->count : s->capacity;
    return more;
}

void tt_samples_free(struct tt_samples *s)
{
    free(s->lengths);
    s->lengths = NULL;
    s->capacity = 0;
    tt_samples_clear(s);
}

static void swap(uint64_t *a, uint64_t *b)
{
    uint64_t t = *a;
    *a = *b;
    *b = t;
}

/* Begins a partition around the median of three. */
static void begin_split(struct tt_selection *s, uint64_t *v)
{
    size_t low = s->low, high = s->high, middle = low + (high - low) / 2;
    if (v[middle] < v[low]) {
        swap(&v[middle], &v[low]);
    }
    if (v[high] < v[low]) {
        swap(&v[high], &v[low]);
    }
    if (v[high] < v[middle]) {
        swap(&v[high], &v[middle]);
    }
    s->pivot = v[middle];
    s->i = low;
    s->j = high;
    s->splitting = true;
}

/*
 * Partitions v[low..high] so that no element of [low..j] is larger than any after it. Can stop
 * between two moves and resume; returns false if it stopped.
 */
static bool split_step(struct tt_selection *s, uint64_t *v, uint64_t *work)
{
    uint64_t left = *work;
    for (;;) {
        while (v[s->i] < s->pivot && left > 0) {
            s->i++;
            left--;
        }
        while (v[s->j] > s->pivot && left > 0) {
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
        swap(&v[s->i++], &v[s->j--]);
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
static bool select_step(struct tt_selection *s, uint64_t *v, size_t k, uint64_t *work)
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
        if (!select_step(selection, s->lengths, k, work)) {
            return false;
        }
        selection->begun = false;
        *values[selection->rank] = s->lengths[k];
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
