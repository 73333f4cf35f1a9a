/* SPDX-License-Identifier: Apache-2.0 */
/* Distributions: gathering lengths, and percentiles by nearest rank. */
#include <stdlib.h>

#include "tracetui/stats.h"

bool tt_samples_add(struct tt_samples *s, uint64_t length, uint64_t end)
{
    if (s->count == s->capacity) {
        size_t capacity = s->capacity ? s->capacity * 2 : 64;
        uint64_t *lengths = capacity > SIZE_MAX / sizeof *lengths
                                ? NULL
                                : realloc(s->lengths, capacity * sizeof *lengths);
        if (!lengths) {
            return false;
        }
        s->lengths = lengths;
        s->capacity = capacity;
    }
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

/* Splits v[low..high] around the median of three; returns where the pivot stands. */
static size_t partition(uint64_t *v, size_t low, size_t high)
{
    size_t middle = low + (high - low) / 2;
    if (v[middle] < v[low]) {
        swap(&v[middle], &v[low]);
    }
    if (v[high] < v[low]) {
        swap(&v[high], &v[low]);
    }
    if (v[high] < v[middle]) {
        swap(&v[high], &v[middle]);
    }
    uint64_t pivot = v[middle];
    size_t i = low, j = high;
    for (;;) {
        while (v[i] < pivot) {
            i++;
        }
        while (v[j] > pivot) {
            j--;
        }
        if (i >= j) {
            return j;
        }
        swap(&v[i++], &v[j--]);
    }
}

/* Puts the k-th least of v[low..high] in its place: all before it are no greater. */
static void select_rank(uint64_t *v, size_t low, size_t high, size_t k)
{
    while (low < high) {
        size_t split = partition(v, low, high);
        if (k <= split) {
            high = split;
        } else {
            low = split + 1;
        }
    }
}

/* Nearest rank: the least length that at least `percent` in a hundred do not exceed. */
static size_t rank_of(size_t count, unsigned percent)
{
    size_t rank = count / 100 * percent + (count % 100 * percent + 99) / 100;
    return rank > 0 ? rank - 1 : 0;
}

struct tt_distribution tt_samples_distribution(struct tt_samples *s)
{
    struct tt_distribution d = {.count = s->count, .sum = s->sum};
    if (s->count == 0) {
        return d;
    }
    size_t r50 = rank_of(s->count, 50), r95 = rank_of(s->count, 95), r99 = rank_of(s->count, 99);
    select_rank(s->lengths, 0, s->count - 1, r50);
    select_rank(s->lengths, r50, s->count - 1, r95);
    select_rank(s->lengths, r95, s->count - 1, r99);
    d.p50 = s->lengths[r50];
    d.p95 = s->lengths[r95];
    d.p99 = s->lengths[r99];
    d.max = s->max;
    d.max_at = s->max_at;
    return d;
}
