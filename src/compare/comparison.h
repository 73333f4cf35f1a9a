/* SPDX-License-Identifier: Apache-2.0 */
/*
 * comparison: what differs between two ranges, of one capture or two, and whether the difference is larger
 * than the variation within each range.
 *
 *      A ---> baseline: values, values of blocks ---+--> pairs of rows --> changes, largest effect first
 *      B ---> baseline: values, values of blocks ---+        |
 *                                                  permutations of all blocks
 *
 * Significance: the blocks of A and B are pooled and divided again at random into two groups of the
 * same sizes, many times and for all values at once. The statistic of a value is the sum of the
 * ranks of A's blocks. The p of a value is the share of divisions in which the largest statistic of
 * all values is at least the value's own, so that p holds for all rows of the table together. The
 * random numbers start from a constant seed, so that results are reproducible. docs/diff.md states
 * the method and how it was measured.
 *
 * A comparison owns its baselines and its changes until tt_comparison_free; it computes in steps, so that a screen
 * stays responsive, and belongs to one thread. The traces and readers outlive the steps.
 */
#ifndef TRACETUI_COMPARE_COMPARISON_H
#define TRACETUI_COMPARE_COMPARISON_H

#include "compare/baseline.h"

#define TT_COMPARISON_ALPHA      0.01
#define TT_COMPARISON_MIN_CHANGE 0.05
#define TT_COMPARISON_FEWEST     4u /* blocks of each side with a value that a test needs */

/* Verdicts, in the order in which changes are listed. X(id, word) */
#define TT_COMPARISON_VERDICT_INFO(X)                                                              \
    X(TT_COMPARISON_WORSE, "worse")                                                                \
    X(TT_COMPARISON_BETTER, "better")                                                              \
    X(TT_COMPARISON_CHANGED, "changed") /* of a value that is neither good nor bad */              \
    X(TT_COMPARISON_NEW, "new")         /* the row exists in B only */                             \
    X(TT_COMPARISON_GONE, "gone")       /* the row exists in A only */                             \
    X(TT_COMPARISON_UNCHANGED, "unchanged")

enum tt_comparison_verdict {
#define X(id, word) id,
    TT_COMPARISON_VERDICT_INFO(X)
#undef X
        TT_COMPARISON_VERDICT_COUNT
};

const char *tt_comparison_verdict_word(unsigned verdict);

/* Returns whether a verdict is a significant change of a row that both sides have. */
static inline bool tt_comparison_is_change(enum tt_comparison_verdict verdict)
{
    return verdict <= TT_COMPARISON_CHANGED;
}

/* A value of a row on both sides. */
struct tt_comparison_change {
    const struct tt_baseline_measure *measure;
    const struct tt_baseline_row *row_a; /* NULL: the row is new */
    const struct tt_baseline_row *row_b; /* NULL: the row is gone */
    uint64_t a;                          /* in the scale of the measure, or TT_BASELINE_NONE */
    uint64_t b;
    double change; /* (b - a) / a; infinite if a is 0, NAN without a or b */
    double p;      /* 1 if it is not tested */
    enum tt_comparison_verdict verdict;
    enum tt_comparison_verdict any_size; /* the verdict with a min_change of 0 */
};

/* One side: a range of an indexed capture, or a baseline that the comparison then owns. */
struct tt_comparison_side {
    struct tt_trace *trace;
    struct tt_events *events;
    struct tt_key_range keys;
    struct tt_job_ends job_ends; /* of jobs, see tt_job_ends_parse */
    struct tt_baseline *saved;   /* NULL: the range is measured */
};

struct tt_comparison_request {
    const struct tt_table *table;
    struct tt_comparison_side a;
    struct tt_comparison_side b;
    double alpha;
    double min_change;
    const struct tt_table_column *extra; /* one more measure, or NULL */
};

/* Numbers about a complete comparison. */
struct tt_comparison_summary {
    size_t rows;    /* rows that both sides have */
    size_t changed; /* of these, rows with a change */
    size_t new_rows;
    size_t gone;
    size_t tests;   /* values that were tested */
    bool identical; /* all values of both sides are equal */
    bool partial;   /* formats differ: only what all formats record is compared */
    uint64_t block; /* length of a block, in ns or ticks */
    uint32_t blocks_a;
    uint32_t blocks_b;
    uint32_t divisions; /* number of permutations */
};

struct tt_comparison;

/*
 * Begins a comparison. Takes ownership of the saved baselines of the sides, also after an error.
 * The caller frees *comparison with tt_comparison_free. TT_ERR_MEMORY; TT_ERR_USAGE if the sides
 * cannot be compared.
 */
struct tt_status tt_comparison_begin(struct tt_comparison **comparison,
                                     const struct tt_comparison_request *request);
/*
 * Continues until `deadline_ns` (tt_now_ns), or for one step; *complete at the end. After an error the
 * comparison can only be freed. A followed trace must not grow in between.
 */
struct tt_status tt_comparison_step(struct tt_comparison *comparison, uint64_t deadline_ns,
                                    bool *complete);
/* Returns the progress in percent. */
unsigned tt_comparison_percent(const struct tt_comparison *comparison);
void tt_comparison_free(struct tt_comparison *comparison);

/*
 * Return the changes and numbers of a complete comparison. Changed rows come first, the largest effect first,
 * then new and gone rows, then the others; the values of a row are next to each other, in the order of the
 * measures. A new or gone row has one entry, of its first measure.
 */
const struct tt_comparison_change *tt_comparison_changes(const struct tt_comparison *comparison,
                                                         size_t *count);
struct tt_comparison_summary tt_comparison_summarize(const struct tt_comparison *comparison);
/* Return the baselines of the sides. */
const struct tt_baseline *tt_comparison_side_a(const struct tt_comparison *comparison);
const struct tt_baseline *tt_comparison_side_b(const struct tt_comparison *comparison);

/* Returns the name of the row that a change belongs to. */
const char *tt_comparison_name(const struct tt_comparison_change *change);

#endif
