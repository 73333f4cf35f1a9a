/* SPDX-License-Identifier: Apache-2.0 */
/* comparison: pairs the rows of two baselines, tests their values, and sorts the changes. */
#include "compare/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "compare/baseline_internal.h"
#include "compare/permute.h"
#include "compare/pools.h"
#include "tracetui/trace.h"

#define DIVISIONS_LEAST   1999u
#define DIVISIONS_MOST    99999u
#define UNPAIRED          UINT32_MAX
#define PERMUTATION_BYTES (256u << 20) /* of ranks at most */

enum stage { MEASURE_A, MEASURE_B, PAIR, PERMUTE, JUDGE, COMPLETE };

struct tt_comparison {
    struct tt_comparison_request request;
    enum stage stage;
    struct tt_baseline *a;
    struct tt_baseline *b;
    uint32_t *b_of_a; /* by row of A: row of B, or UNPAIRED */
    bool *paired;     /* by row of B */
    size_t *tests;    /* by row of A and measure: its value in the permutation, or SIZE_MAX */
    uint32_t measures[TT_BASELINE_MEASURES]; /* of A that are compared */
    uint32_t in_b[TT_BASELINE_MEASURES];     /* the same in B */
    uint32_t measure_count;
    struct tt_permutation permutation;
    struct tt_pools pools;
    size_t *pool_tests; /* by pool and measure, as tests */
    struct tt_comparison_change *changes;
    size_t count;
    struct tt_comparison_summary summary;
};

static const char *const verdict_words[] = {
#define X(id, word) word,
    TT_COMPARISON_VERDICT_INFO(X)
#undef X
};

const char *tt_comparison_verdict_word(unsigned verdict)
{
    return verdict_words[verdict];
}

const char *tt_comparison_name(const struct tt_comparison_change *change)
{
    return change->row_b ? change->row_b->name : change->row_a->name;
}

/* ---- both sides --------------------------------------------------------------------------- */

struct tt_status tt_comparison_begin(struct tt_comparison **comparison,
                                     const struct tt_comparison_request *request)
{
    const struct tt_comparison_side *sides[] = {&request->a, &request->b};
    struct tt_comparison *d = *comparison = calloc(1, sizeof *d);
    if (!d) {
        tt_baseline_free(request->a.saved);
        tt_baseline_free(request->b.saved);
        return tt_error_memory();
    }
    d->request = *request;
    d->a = request->a.saved;
    d->b = request->b.saved;
    /* The length of the blocks is that of a saved baseline, else a part of the shorter window. */
    const struct tt_baseline *saved = d->a ? d->a : d->b;
    uint64_t block = saved ? saved->block : UINT64_MAX;
    for (int i = 0; i < 2 && !saved; i++) {
        uint64_t own = tt_baseline_window(sides[i]->trace, &sides[i]->keys) / TT_BASELINE_BLOCKS;
        block = own < block ? own : block;
    }
    struct tt_status status = tt_ok();
    for (int i = 0; i < 2 && !tt_failed(&status); i++) {
        struct tt_baseline_request of = {.table = request->table,
                                         .trace = sides[i]->trace,
                                         .events = sides[i]->events,
                                         .keys = sides[i]->keys,
                                         .job_ends = sides[i]->job_ends,
                                         .block = block,
                                         .block_most = TT_BASELINE_MOST,
                                         .extra = request->extra};
        if (!sides[i]->saved) {
            status = tt_baseline_begin(i == 0 ? &d->a : &d->b, &of);
        }
    }
    if (tt_failed(&status)) {
        return status;
    }
    if (d->a->has_clock != d->b->has_clock) {
        return tt_error(TT_ERR_USAGE, "only one of the captures has a clock: its times are "
                                      "nanoseconds, the others ticks; give --clock");
    }
    return request->a.saved && request->b.saved && d->a->block != d->b->block
               ? tt_error(TT_ERR_USAGE, "the blocks of the two baselines differ in length; compare "
                                        "a baseline with a capture")
               : tt_ok();
}

void tt_comparison_free(struct tt_comparison *comparison)
{
    if (comparison) {
        tt_baseline_free(comparison->a);
        tt_baseline_free(comparison->b);
        tt_permutation_free(&comparison->permutation);
        free(comparison->b_of_a);
        free(comparison->paired);
        free(comparison->tests);
        free(comparison->pool_tests);
        tt_pools_free(&comparison->pools);
        free(comparison->changes);
        free(comparison);
    }
}

/* ---- pairs -------------------------------------------------------------------------------- */

/* Selects the measures that both sides have. Formats differ in what they record. */
static void pair_measures(struct tt_comparison *comparison)
{
    bool same = strcmp(comparison->a->format, comparison->b->format) == 0;
    comparison->summary.partial = !same;
    for (uint32_t i = 0; i < comparison->a->measure_count; i++) {
        for (uint32_t k = 0; k < comparison->b->measure_count; k++) {
            if (strcmp(comparison->a->measures[i].key, comparison->b->measures[k].key) == 0 &&
                (same || comparison->a->measures[i].column->is_common)) {
                comparison->measures[comparison->measure_count] = i;
                comparison->in_b[comparison->measure_count++] = k;
            }
        }
    }
}

static bool pair_rows(struct tt_comparison *comparison)
{
    comparison->b_of_a = calloc(comparison->a->count + 1, sizeof *comparison->b_of_a);
    comparison->paired = calloc(comparison->b->count + 1, sizeof *comparison->paired);
    if (!comparison->b_of_a || !comparison->paired) {
        return false;
    }
    for (size_t i = 0; i < comparison->a->count; i++) {
        const char *key = comparison->a->rows[i].key;
        size_t found = tt_baseline_find(comparison->b, key, strlen(key));
        comparison->b_of_a[i] = found != SIZE_MAX ? (uint32_t)found : UNPAIRED;
        if (found != SIZE_MAX) {
            comparison->paired[found] = true;
            comparison->summary.rows++;
        } else {
            comparison->summary.gone++;
        }
    }
    comparison->summary.new_rows = comparison->b->count - comparison->summary.rows;
    return true;
}

static const uint64_t *blocks_of(const struct tt_baseline *baseline,
                                 const struct tt_baseline_row *row, uint32_t measure)
{
    return row->blocks + (size_t)measure * baseline->block_count;
}

/* Adds the values of the pools with names. */
static bool add_pools(struct tt_comparison *comparison)
{
    uint64_t a[TT_BASELINE_MOST], b[TT_BASELINE_MOST];
    size_t tests = (size_t)comparison->pools.count * comparison->measure_count;
    comparison->pool_tests = malloc((tests + 1) * sizeof *comparison->pool_tests);
    for (size_t i = 0; comparison->pool_tests && i < tests; i++) {
        uint32_t pool = (uint32_t)(i / comparison->measure_count),
                 k = (uint32_t)(i % comparison->measure_count);
        comparison->pool_tests[i] = SIZE_MAX;
        if (!comparison->pools.unnamed[pool]) {
            tt_pools_sum(&comparison->pools.sides[0], comparison->a, pool, comparison->measures[k],
                         a);
            tt_pools_sum(&comparison->pools.sides[1], comparison->b, pool, comparison->in_b[k], b);
            comparison->pool_tests[i] =
                tt_permutation_add(&comparison->permutation, a, b, TT_COMPARISON_FEWEST);
        }
    }
    return comparison->pool_tests != NULL;
}

/* Adds the values of all pairs of rows to the permutation, as far as there is memory for them. */
static bool add_tests(struct tt_comparison *comparison)
{
    uint32_t blocks = comparison->a->block_count + comparison->b->block_count;
    double wanted = 20 / comparison->request.alpha;
    uint32_t divisions = wanted < DIVISIONS_LEAST  ? DIVISIONS_LEAST
                         : wanted > DIVISIONS_MOST ? DIVISIONS_MOST
                                                   : (uint32_t)wanted;
    size_t values =
        comparison->a->count < TT_BASELINE_DETAILED ? comparison->a->count : TT_BASELINE_DETAILED;
    values *= 2; /* rows, and pools */
    size_t most = PERMUTATION_BYTES / (sizeof(float) * ((size_t)blocks + 1));
    values = values * comparison->measure_count < most ? values * comparison->measure_count : most;
    comparison->tests =
        malloc((comparison->a->count * comparison->measure_count + 1) * sizeof *comparison->tests);
    if (!comparison->tests ||
        !tt_permutation_begin(&comparison->permutation, comparison->a->block_count,
                              comparison->b->block_count, values, divisions)) {
        return false;
    }
    for (size_t i = 0; i < comparison->a->count; i++) {
        const struct tt_baseline_row *row = &comparison->a->rows[i];
        const struct tt_baseline_row *baseline_row =
            comparison->b_of_a[i] != UNPAIRED ? &comparison->b->rows[comparison->b_of_a[i]] : NULL;
        for (uint32_t k = 0; k < comparison->measure_count; k++) {
            comparison->tests[i * comparison->measure_count + k] =
                baseline_row && row->blocks && baseline_row->blocks
                    ? tt_permutation_add(
                          &comparison->permutation,
                          blocks_of(comparison->a, row, comparison->measures[k]),
                          blocks_of(comparison->b, baseline_row, comparison->in_b[k]),
                          TT_COMPARISON_FEWEST)
                    : SIZE_MAX;
        }
    }
    comparison->summary.tests = comparison->permutation.count; /* those of pools are not counted */
    comparison->summary.divisions = divisions;
    return true;
}

/* ---- verdicts ----------------------------------------------------------------------------- */

#define NEIGHBOURS 64u /* members of a pool that a row is compared with */

/* Returns the statistic that is nearer to 0; 0 if their signs differ. */
static double nearer(double x, double y)
{
    return x * y <= 0 ? 0 : fabs(x) < fabs(y) ? x : y;
}

/*
 * Returns the statistic of a row of a pool: that of the row and the member most like it. Another
 * member may have its part in the other run.
 */
static double among_members(struct tt_comparison *comparison, size_t row, uint32_t k,
                            double statistic)
{
    const struct tt_baseline_row *left = &comparison->a->rows[row],
                                 *right = &comparison->b->rows[comparison->b_of_a[row]];
    for (int side = 1; side >= 0; side--) { /* members of B with the row of A, and the reverse */
        const struct tt_pool_side *of = &comparison->pools.sides[side];
        uint32_t pool = comparison->pools.sides[0].pool[row], end = of->first[pool + 1];
        for (uint32_t i = of->first[pool]; i < end && i < of->first[pool] + NEIGHBOURS; i++) {
            const struct tt_baseline_row *of_a =
                side == 0 ? &comparison->a->rows[of->members[i]] : left;
            const struct tt_baseline_row *of_b =
                side == 1 ? &comparison->b->rows[of->members[i]] : right;
            if ((of_a != left || of_b != right) && of_a->blocks && of_b->blocks) {
                statistic = nearer(
                    statistic,
                    tt_permutation_compare(&comparison->permutation,
                                           blocks_of(comparison->a, of_a, comparison->measures[k]),
                                           blocks_of(comparison->b, of_b, comparison->in_b[k]), 1));
            }
        }
    }
    return statistic;
}

/* Returns the statistic of a row; of a pool, that of all its members together if it is smaller. */
static double statistic_of(struct tt_comparison *comparison, size_t row, uint32_t k)
{
    size_t test = comparison->tests[row * comparison->measure_count + k];
    uint32_t pool = comparison->pools.sides[0].pool[row];
    double statistic = tt_permutation_statistic(&comparison->permutation, test);
    if (pool != TT_NO_POOL && !comparison->pools.unnamed[pool]) {
        size_t whole = comparison->pool_tests[(size_t)pool * comparison->measure_count + k];
        statistic =
            whole == SIZE_MAX
                ? 0
                : nearer(statistic, tt_permutation_statistic(&comparison->permutation, whole));
    }
    return statistic;
}

/*
 * Returns the verdict on a change of any size. `statistic` is more than 0 if the blocks of A have the larger
 * values.
 */
static enum tt_comparison_verdict comparison_verdict_of(const struct tt_comparison *comparison,
                                                        const struct tt_comparison_change *change,
                                                        double statistic)
{
    bool less_in_b = statistic > 0;
    if (isnan(change->change) || change->p > comparison->request.alpha) {
        return TT_COMPARISON_UNCHANGED;
    }
    int worse = tt_column_worse(change->measure->column) * (less_in_b ? -1 : 1);
    return worse > 0   ? TT_COMPARISON_WORSE
           : worse < 0 ? TT_COMPARISON_BETTER
                       : TT_COMPARISON_CHANGED;
}

/* Returns p, which is 1 unless the blocks and the whole window agree on the direction. */
static double p_of(const struct tt_comparison *comparison,
                   const struct tt_comparison_change *change, double statistic)
{
    return statistic * change->change < 0 ? tt_permutation_p(&comparison->permutation, statistic)
                                          : 1;
}

/* Sets the entries of a pair of rows; returns whether one of them is a change. */
static bool judge_pair(struct tt_comparison *comparison, size_t row)
{
    const struct tt_baseline_row *left = &comparison->a->rows[row],
                                 *right = &comparison->b->rows[comparison->b_of_a[row]];
    bool changed = false;
    for (uint32_t k = 0; k < comparison->measure_count; k++) {
        size_t test = comparison->tests[row * comparison->measure_count + k];
        struct tt_comparison_change *change = &comparison->changes[comparison->count++];
        *change = (struct tt_comparison_change){
            .measure = &comparison->a->measures[comparison->measures[k]],
            .row_a = left,
            .row_b = right,
            .a = left->values[comparison->measures[k]],
            .b = right->values[comparison->in_b[k]],
            .p = 1,
        };
        bool known = change->a != TT_BASELINE_NONE && change->b != TT_BASELINE_NONE;
        change->change = !known                   ? (double)NAN
                         : change->a == change->b ? 0
                         : change->a == 0
                             ? (double)INFINITY
                             : ((double)change->b - (double)change->a) / (double)change->a;
        double statistic = test != SIZE_MAX ? statistic_of(comparison, row, k) : 0;
        change->p = p_of(comparison, change, statistic);
        if (comparison_verdict_of(comparison, change, statistic) != TT_COMPARISON_UNCHANGED &&
            comparison->pools.sides[0].pool[row] != TT_NO_POOL) {
            statistic =
                among_members(comparison, row, k, statistic); /* takes long in a large pool */
            change->p = p_of(comparison, change, statistic);
        }
        change->any_size = comparison_verdict_of(comparison, change, statistic);
        change->verdict = fabs(change->change) < comparison->request.min_change
                              ? TT_COMPARISON_UNCHANGED
                              : change->any_size;
        changed |= tt_comparison_is_change(change->verdict);
        comparison->summary.identical &= change->a == change->b;
    }
    return changed;
}

/* Adds the entry of a row that one side has. */
static void add_single(struct tt_comparison *comparison, const struct tt_baseline_row *left,
                       const struct tt_baseline_row *right)
{
    uint32_t k = comparison->measures[0];
    comparison->summary.identical = false;
    comparison->changes[comparison->count++] = (struct tt_comparison_change){
        .measure = &comparison->a->measures[k],
        .row_a = left,
        .row_b = right,
        .a = left ? left->values[k] : TT_BASELINE_NONE,
        .b = right ? right->values[comparison->in_b[0]] : TT_BASELINE_NONE,
        .change = (double)NAN,
        .p = 1,
        .verdict = left ? TT_COMPARISON_GONE : TT_COMPARISON_NEW,
        .any_size = left ? TT_COMPARISON_GONE : TT_COMPARISON_NEW,
    };
}

/* The entries of one row, which are sorted together. */
struct group {
    double effect; /* largest ratio of its changes, as a logarithm; of a single row its value */
    size_t first, count;
    int rank;
};

static int compare_groups(const void *x, const void *y)
{
    const struct group *left = x, *right = y;
    if (left->rank != right->rank) {
        return left->rank < right->rank ? -1 : 1;
    }
    if (left->effect < right->effect || left->effect > right->effect) {
        return left->effect > right->effect ? -1 : 1;
    }
    return left->first < right->first ? -1 : left->first > right->first;
}

/* Returns the group of the entries from `first` on, which are the last ones. */
static struct group group_from(const struct tt_comparison *comparison, size_t first)
{
    struct group group = {0, first, comparison->count - first, TT_COMPARISON_UNCHANGED};
    for (size_t i = first; i < comparison->count; i++) {
        const struct tt_comparison_change *change = &comparison->changes[i];
        bool changed = tt_comparison_is_change(change->verdict);
        uint64_t value = change->a != TT_BASELINE_NONE ? change->a : change->b;
        double effect = 0;
        if (changed) {
            effect = change->a == 0 || change->b == 0
                         ? (double)INFINITY
                         : fabs(log((double)change->b / (double)change->a));
        } else if (change->verdict != TT_COMPARISON_UNCHANGED && value != TT_BASELINE_NONE) {
            effect = (double)value;
        }
        int rank = changed ? 0 : (int)change->verdict;
        group.rank = rank < group.rank ? rank : group.rank;
        group.effect = effect > group.effect ? effect : group.effect;
    }
    return group;
}

/* Lists the entries of all rows, and sorts them; false if out of memory. */
static bool comparison_judge(struct tt_comparison *comparison)
{
    size_t rows =
               comparison->summary.rows + comparison->summary.gone + comparison->summary.new_rows,
           group = 0, used = 0;
    size_t most = rows * comparison->measure_count;
    struct group *groups = calloc(rows + 1, sizeof *groups);
    struct tt_comparison_change *sorted = calloc(most + 1, sizeof *sorted);
    comparison->changes = calloc(most + 1, sizeof *comparison->changes);
    comparison->summary.identical = true;
    bool ok = groups && sorted && comparison->changes;
    for (size_t i = 0; ok && i < comparison->a->count + comparison->b->count; i++) {
        size_t first = comparison->count, of_b = i - comparison->a->count;
        if (i >= comparison->a->count) {
            if (!comparison->paired[of_b]) {
                add_single(comparison, NULL, &comparison->b->rows[of_b]);
            }
        } else if (comparison->b_of_a[i] == UNPAIRED) {
            add_single(comparison, &comparison->a->rows[i], NULL);
        } else {
            comparison->summary.changed += judge_pair(comparison, i);
        }
        if (comparison->count > first) {
            groups[group++] = group_from(comparison, first);
        }
    }
    if (ok) {
        qsort(groups, group, sizeof *groups, compare_groups);
        for (size_t i = 0; i < group; used += groups[i++].count) {
            memcpy(&sorted[used], &comparison->changes[groups[i].first],
                   groups[i].count * sizeof *sorted);
        }
        free(comparison->changes);
        comparison->changes = sorted;
    } else {
        free(sorted);
    }
    free(groups);
    return ok;
}

/* ---- steps -------------------------------------------------------------------------------- */

static struct tt_status one_stage(struct tt_comparison *comparison, uint64_t deadline_ns)
{
    bool ok = true;
    switch (comparison->stage) {
    case MEASURE_A:
    case MEASURE_B: {
        struct tt_baseline *side = comparison->stage == MEASURE_A ? comparison->a : comparison->b;
        bool complete = side->work == NULL; /* read from a file */
        struct tt_status status =
            complete ? tt_ok() : tt_baseline_step(side, deadline_ns, &complete);
        comparison->stage += complete;
        return status;
    }
    case PAIR:
        pair_measures(comparison);
        if (comparison->measure_count == 0) {
            return tt_error(TT_ERR_USAGE,
                            "the two formats have no measure of this table in common");
        }
        comparison->summary.block = comparison->a->block;
        comparison->summary.blocks_a = comparison->a->block_count;
        comparison->summary.blocks_b = comparison->b->block_count;
        ok = pair_rows(comparison) &&
             tt_pools_make(&comparison->pools, comparison->a, comparison->b) &&
             add_tests(comparison) && add_pools(comparison);
        comparison->stage = PERMUTE;
        break;
    case PERMUTE:
        do {
            comparison->stage = tt_permutation_step(&comparison->permutation) ? PERMUTE : JUDGE;
        } while (comparison->stage == PERMUTE && tt_now_ns() < deadline_ns);
        break;
    case JUDGE:
        ok = comparison_judge(comparison);
        comparison->stage = COMPLETE;
        break;
    default:
        break;
    }
    return ok ? tt_ok() : tt_error_memory();
}

struct tt_status tt_comparison_step(struct tt_comparison *comparison, uint64_t deadline_ns,
                                    bool *complete)
{
    struct tt_status status;
    do {
        status = one_stage(comparison, deadline_ns);
        *complete = comparison->stage == COMPLETE;
    } while (!tt_failed(&status) && !*complete && tt_now_ns() < deadline_ns);
    return status;
}

unsigned tt_comparison_percent(const struct tt_comparison *comparison)
{
    unsigned measured = tt_baseline_percent(comparison->a) + tt_baseline_percent(comparison->b);
    return comparison->stage == COMPLETE   ? 100
           : comparison->stage > MEASURE_B ? 95
                                           : measured * 19 / 40;
}

const struct tt_comparison_change *tt_comparison_changes(const struct tt_comparison *comparison,
                                                         size_t *count)
{
    *count = comparison->count;
    return comparison->changes;
}

struct tt_comparison_summary tt_comparison_summarize(const struct tt_comparison *comparison)
{
    return comparison->summary;
}

const struct tt_baseline *tt_comparison_side_a(const struct tt_comparison *comparison)
{
    return comparison->a;
}

const struct tt_baseline *tt_comparison_side_b(const struct tt_comparison *comparison)
{
    return comparison->b;
}
