/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/permute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/baseline.h"

#define SEED UINT64_C(0x9e3779b97f4a7c15)

bool tt_permutation_begin(struct tt_permutation *permutation, uint32_t blocks_a, uint32_t blocks_b,
                          size_t values, uint32_t divisions)
{
    memset(permutation, 0, sizeof *permutation);
    permutation->blocks_a = blocks_a;
    permutation->blocks = blocks_a + blocks_b;
    permutation->capacity = values + 1; /* the last one is for tt_permutation_compare */
    permutation->divisions = divisions;
    permutation->random = SEED;
    permutation->ranks =
        calloc((size_t)permutation->blocks * permutation->capacity + 1, sizeof *permutation->ranks);
    permutation->sums = calloc(permutation->capacity, sizeof *permutation->sums);
    permutation->order = calloc((size_t)permutation->blocks + 1, sizeof *permutation->order);
    permutation->largest = calloc((size_t)divisions + 1, sizeof *permutation->largest);
    for (uint32_t i = 0; permutation->order && i < permutation->blocks; i++) {
        permutation->order[i] = i;
    }
    return permutation->ranks && permutation->sums && permutation->order && permutation->largest;
}

/* ---- ranks -------------------------------------------------------------------------------- */

struct ranked {
    uint64_t value;
    uint32_t block;
};

static int compare_ranked(const void *x, const void *y)
{
    const struct ranked *left = x, *right = y;
    return left->value < right->value ? -1 : left->value > right->value;
}

/* Sets a column to the centred ranks of a value, scaled; returns whether it can be tested. */
static bool set_column(struct tt_permutation *permutation, size_t column, const uint64_t *a,
                       const uint64_t *b, uint32_t fewest)
{
    struct ranked items[2 * TT_BASELINE_MOST];
    uint32_t count = 0, of_a = 0;
    for (uint32_t i = 0; i < permutation->blocks; i++) {
        uint64_t value = i < permutation->blocks_a ? a[i] : b[i - permutation->blocks_a];
        permutation->ranks[i * permutation->capacity + column] = 0;
        if (value != TT_BASELINE_NONE) {
            items[count++] = (struct ranked){value, i};
            of_a += i < permutation->blocks_a;
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
            permutation->ranks[items[k].block * permutation->capacity + column] = (float)centred;
            squares += centred * centred;
        }
    }
    /* The variance of the sum over A's blocks, of all divisions; absent numbers count as 0. */
    double n = permutation->blocks, n_a = permutation->blocks_a;
    double variance = n_a * (n - n_a) / (n * (n - 1)) * squares;
    double scale = variance > 0 ? 1 / sqrt(variance) : 0;
    for (uint32_t i = 0; i < permutation->blocks; i++) {
        permutation->ranks[i * permutation->capacity + column] *= (float)scale;
    }
    return variance > 0;
}

size_t tt_permutation_add(struct tt_permutation *permutation, const uint64_t *a, const uint64_t *b,
                          uint32_t fewest)
{
    return permutation->count + 1 < permutation->capacity &&
                   set_column(permutation, permutation->count, a, b, fewest)
               ? permutation->count++
               : SIZE_MAX;
}

double tt_permutation_compare(struct tt_permutation *permutation, const uint64_t *a,
                              const uint64_t *b, uint32_t fewest)
{
    size_t column = permutation->capacity - 1;
    return set_column(permutation, column, a, b, fewest)
               ? tt_permutation_statistic(permutation, column)
               : 0;
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

bool tt_permutation_step(struct tt_permutation *permutation)
{
    float largest = 0;
    if (permutation->done >= permutation->divisions) {
        return false;
    }
    memset(permutation->sums, 0, permutation->capacity * sizeof *permutation->sums);
    for (uint32_t i = 0; i < permutation->blocks_a;
         i++) { /* a block of the first group at random */
        /* The bias is below 2^-56: there are at most 256 blocks. */
        uint32_t other =
            i + (uint32_t)(next_random(&permutation->random) % (permutation->blocks - i));
        uint32_t block = permutation->order[other];
        const float *ranks = &permutation->ranks[block * permutation->capacity];
        permutation->order[other] = permutation->order[i];
        permutation->order[i] = block;
        for (size_t k = 0; k < permutation->count; k++) {
            permutation->sums[k] += ranks[k];
        }
    }
    for (size_t k = 0; k < permutation->count; k++) {
        float sum = fabsf(permutation->sums[k]);
        largest = sum > largest ? sum : largest;
    }
    permutation->largest[permutation->done++] = largest;
    return permutation->done < permutation->divisions;
}

double tt_permutation_statistic(const struct tt_permutation *permutation, size_t value)
{
    float sum = 0;
    for (uint32_t i = 0; i < permutation->blocks_a; i++) {
        sum += permutation->ranks[i * permutation->capacity + value];
    }
    return (double)sum;
}

double tt_permutation_p(const struct tt_permutation *permutation, double statistic)
{
    /* Sums in another order differ in their last bits. */
    double own = fabs(statistic) - 1e-4;
    uint32_t reached = 1;
    for (uint32_t i = 0; i < permutation->done; i++) {
        reached += (double)permutation->largest[i] >= own;
    }
    return (double)reached / ((double)permutation->done + 1);
}

void tt_permutation_free(struct tt_permutation *permutation)
{
    free(permutation->ranks);
    free(permutation->sums);
    free(permutation->order);
    free(permutation->largest);
    memset(permutation, 0, sizeof *permutation);
}
