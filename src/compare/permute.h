/* SPDX-License-Identifier: Apache-2.0 */
/*
 * permute: tests whether the blocks of two sides differ, for many values at once. One thread.
 *
 *      blocks    A0 A1 A2 ... B0 B1 B2 ...
 *      value 0   |- centred ranks ------|   statistic: |sum over A's blocks|, of variance 1
 *      value 1   |- centred ranks ------|
 *      division  of all blocks into two groups: the largest statistic of all values
 *
 * The adjusted p of a value is (1 + divisions whose largest statistic is at least its own) divided by
 * (1 + divisions): the single-step procedure of Westfall and Young (Resampling-Based Multiple Testing,
 * 1993), which controls the probability of any false rejection whatever the dependence between the values.
 */
#ifndef TRACETUI_COMPARE_PERMUTE_H
#define TRACETUI_COMPARE_PERMUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tt_permutation {
    uint32_t blocks_a;
    uint32_t blocks; /* of both sides */
    size_t count;    /* values added */
    size_t capacity;
    float *ranks; /* [block * capacity + value] */
    float *sums;
    uint32_t *order;    /* the blocks, divided */
    uint32_t divisions; /* to be done */
    uint32_t done;
    float *largest; /* by division */
    uint64_t random;
};

/* Makes room for `values` values; false if out of memory. Free with tt_permutation_free. */
bool tt_permutation_begin(struct tt_permutation *permutation, uint32_t blocks_a, uint32_t blocks_b,
                          size_t values, uint32_t divisions);
/*
 * Adds a value: its numbers in the blocks of A and of B, TT_BASELINE_NONE where it has none. Returns its
 * index, or SIZE_MAX if it cannot be tested: all are equal, or fewer than `fewest` of a side.
 */
size_t tt_permutation_add(struct tt_permutation *permutation, const uint64_t *a, const uint64_t *b,
                          uint32_t fewest);
/* Does one division; false when all are done. */
bool tt_permutation_step(struct tt_permutation *permutation);
/* Returns the adjusted p of a statistic. */
double tt_permutation_p(const struct tt_permutation *permutation, double statistic);
/* Returns the statistic of a value: more than 0 if the numbers of A are larger. */
double tt_permutation_statistic(const struct tt_permutation *permutation, size_t value);
/*
 * Returns the statistic of a value that is not added; 0 if it cannot be tested.
 */
double tt_permutation_compare(struct tt_permutation *permutation, const uint64_t *a,
                              const uint64_t *b, uint32_t fewest);
void tt_permutation_free(struct tt_permutation *permutation);

#endif
