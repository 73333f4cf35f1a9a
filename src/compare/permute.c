/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/permute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tracetui/baseline.h"

#define SEED UINT64_C(0x9e3779b97f4a7c15)

bool tt_permutation_begin(struct tt_permutation *p, uint32_t blocks_a, uint32_t blocks_b,
                          size_t values, uint32_t divisions)
{
    memset(p, 0, sizeof *p);
    p->blocks_a = blocks_a;
    p->blocks = blocks_a + blocks_b;
    p->capacity = values + 1; /* the last one is for tt_permutation_compare */
    p->divisions = divisions;
    p->random = SEED;
    p->ranks = calloc((size_t)p->blocks * p->capacity + 1, sizeof *p->ranks);
    p->sums = calloc(p->capacity, sizeof *p->sums);
    p->order = calloc((size_t)p->blocks + 1, sizeof *p->order);
    p->largest = calloc((size_t)divisions + 1, sizeof *p->largest);
    for (uint32_t i = 0; p->order && i < p->blocks; i++) {
        p->order[i] = i;
    }
    return p->ranks && p->sums && p->order && p->largest;
}

/* ---- ranks -------------------------------------------------------------------------------- */

struct ranked {
    uint64_t value;
    uint32_t block;
};

static int compare_ranked(const void *x, const void *y)
{
    const struct ranked *a = x, *b = y;
    return a->value < b->value ? -1 : a->value > b->value;
}

/* Sets a column to the centred ranks of a value, scaled; returns whether it can be tested. */
static bool set_column(struct tt_permutation *p, size_t column, const uint64_t *a,
                       const uint64_t *b, uint32_t fewest)
{
    struct ranked items[2 * TT_BASELINE_MOST];
    uint32_t count = 0, of_a = 0;
    for (uint32_t i = 0; i < p->blocks; i++) {
        uint64_t value = i < p->blocks_a ? a[i] : b[i - p->blocks_a];
        p->ranks[i * p->capacity + column] = 0;
        if (value != TT_BASELINE_NONE) {
            items[count++] = (struct ranked){value, i};
            of_a += i < p->blocks_a;
        }
    }
    if (of_a < fewest || count - of_a < fewest) {
        return false;
    }
    qsort(items, count, sizeof *items, compare_ranked);
    double squares = 0;
    for (uint32_t i = 0, end; i < count; i = end) { /* equal numbers have the mean of their ranks */
        for (end = i + 1; end < count && items[end].value == items[i].value; end++) {
        }
        double centred = ((double)i + (double)end - (double)count) / 2;
        for (uint32_t k = i; k < end; k++) {
            p->ranks[items[k].block * p->capacity + column] = (float)centred;
            squares += centred * centred;
        }
    }
    /* The variance of the sum over A's blocks, of all divisions; absent numbers count as 0. */
    double n = p->blocks, n_a = p->blocks_a;
    double variance = n_a * (n - n_a) / (n * (n - 1)) * squares;
    double scale = variance > 0 ? 1 / sqrt(variance) : 0;
    for (uint32_t i = 0; i < p->blocks; i++) {
        p->ranks[i * p->capacity + column] *= (float)scale;
    }
    return variance > 0;
}

size_t tt_permutation_add(struct tt_permutation *p, const uint64_t *a, const uint64_t *b,
                          uint32_t fewest)
{
    return p->count + 1 < p->capacity && set_column(p, p->count, a, b, fewest) ? p->count++
                                                                               : SIZE_MAX;
}

double tt_permutation_compare(struct tt_permutation *p, const uint64_t *a, const uint64_t *b,
                              uint32_t fewest)
{
    size_t column = p->capacity - 1;
    return set_column(p, column, a, b, fewest) ? tt_permutation_statistic(p, column) : 0;
}

/* ---- divisions ---------------------------------------------------------------------------- */

/* Returns the next random number (splitmix64). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

bool tt_permutation_step(struct tt_permutation *p)
{
    float largest = 0;
    if (p->done >= p->divisions) {
        return false;
    }
    memset(p->sums, 0, p->capacity * sizeof *p->sums);
    for (uint32_t i = 0; i < p->blocks_a; i++) { /* a block of the first group at random */
        /* The bias is below 2^-56: there are at most 256 blocks. */
        uint32_t other = i + (uint32_t)(next_random(&p->random) % (p->blocks - i));
        uint32_t block = p->order[other];
        const float *ranks = &p->ranks[block * p->capacity];
        p->order[other] = p->order[i];
        p->order[i] = block;
        for (size_t k = 0; k < p->count; k++) {
            p->sums[k] += ranks[k];
        }
    }
    for (size_t k = 0; k < p->count; k++) {
        float sum = fabsf(p->sums[k]);
        largest = sum > largest ? sum : largest;
    }
    p->largest[p->done++] = largest;
    return p->done < p->divisions;
}

double tt_permutation_statistic(const struct tt_permutation *p, size_t value)
{
    float sum = 0;
    for (uint32_t i = 0; i < p->blocks_a; i++) {
        sum += p->ranks[i * p->capacity + value];
    }
    return (double)sum;
}

double tt_permutation_p(const struct tt_permutation *p, double statistic)
{
    /* Sums in another order differ in their last bits. */
    double own = fabs(statistic) - 1e-4;
    uint32_t reached = 1;
    for (uint32_t i = 0; i < p->done; i++) {
        reached += (double)p->largest[i] >= own;
    }
    return (double)reached / ((double)p->done + 1);
}

void tt_permutation_free(struct tt_permutation *p)
{
    free(p->ranks);
    free(p->sums);
    free(p->order);
    free(p->largest);
    memset(p, 0, sizeof *p);
}
