/* SPDX-License-Identifier: Apache-2.0 */
/* comparison: pairs the rows of two baselines, tests their values, and sorts the changes. */
#include "tracetui/comparison.h"

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

void tt_comparison_free(struct tt_comparison *d)
{
    if (d) {
        tt_baseline_free(d->a);
        tt_baseline_free(d->b);
        tt_permutation_free(&d->permutation);
        free(d->b_of_a);
        free(d->paired);
        free(d->tests);
        free(d->pool_tests);
        tt_pools_free(&d->pools);
        free(d->changes);
        free(d);
    }
}

/* ---- pairs -------------------------------------------------------------------------------- */

/* Selects the measures that both sides have. Formats differ in what they record. */
static void pair_measures(struct tt_comparison *d)
{
    bool same = strcmp(d->a->format, d->b->format) == 0;
    d->summary.partial = !same;
    for (uint32_t i = 0; i < d->a->measure_count; i++) {
        for (uint32_t k = 0; k < d->b->measure_count; k++) {
            if (strcmp(d->a->measures[i].key, d->b->measures[k].key) == 0 &&
                (same || d->a->measures[i].column->is_common)) {
                d->measures[d->measure_count] = i;
                d->in_b[d->measure_count++] = k;
            }
        }
    }
}

static bool pair_rows(struct tt_comparison *d)
{
    d->b_of_a = calloc(d->a->count + 1, sizeof *d->b_of_a);
    d->paired = calloc(d->b->count + 1, sizeof *d->paired);
    if (!d->b_of_a || !d->paired) {
        return false;
    }
    for (size_t i = 0; i < d->a->count; i++) {
        const char *key = d->a->rows[i].key;
        size_t found = tt_baseline_find(d->b, key, strlen(key));
        d->b_of_a[i] = found != SIZE_MAX ? (uint32_t)found : UNPAIRED;
        if (found != SIZE_MAX) {
            d->paired[found] = true;
            d->summary.rows++;
        } else {
            d->summary.gone++;
        }
    }
    d->summary.new_rows = d->b->count - d->summary.rows;
    return true;
}

static const uint64_t *blocks_of(const struct tt_baseline *b, const struct tt_baseline_row *row,
                                 uint32_t measure)
{
    return row->blocks + (size_t)measure * b->block_count;
}

/* Adds the values of the pools with names. */
static bool add_pools(struct tt_comparison *d)
{
    uint64_t a[TT_BASELINE_MOST], b[TT_BASELINE_MOST];
    size_t tests = (size_t)d->pools.count * d->measure_count;
    d->pool_tests = malloc((tests + 1) * sizeof *d->pool_tests);
    for (size_t i = 0; d->pool_tests && i < tests; i++) {
        uint32_t pool = (uint32_t)(i / d->measure_count), k = (uint32_t)(i % d->measure_count);
        d->pool_tests[i] = SIZE_MAX;
        if (!d->pools.unnamed[pool]) {
            tt_pools_sum(&d->pools.sides[0], d->a, pool, d->measures[k], a);
            tt_pools_sum(&d->pools.sides[1], d->b, pool, d->in_b[k], b);
            d->pool_tests[i] = tt_permutation_add(&d->permutation, a, b, TT_COMPARISON_FEWEST);
        }
    }
    return d->pool_tests != NULL;
}

/* Adds the values of all pairs of rows to the permutation, as far as there is memory for them. */
static bool add_tests(struct tt_comparison *d)
{
    uint32_t blocks = d->a->block_count + d->b->block_count;
    double wanted = 20 / d->request.alpha;
    uint32_t divisions = wanted < DIVISIONS_LEAST  ? DIVISIONS_LEAST
                         : wanted > DIVISIONS_MOST ? DIVISIONS_MOST
                                                   : (uint32_t)wanted;
    size_t values = d->a->count < TT_BASELINE_DETAILED ? d->a->count : TT_BASELINE_DETAILED;
    values *= 2; /* rows, and pools */
    size_t most = PERMUTATION_BYTES / (sizeof(float) * ((size_t)blocks + 1));
    values = values * d->measure_count < most ? values * d->measure_count : most;
    d->tests = malloc((d->a->count * d->measure_count + 1) * sizeof *d->tests);
    if (!d->tests || !tt_permutation_begin(&d->permutation, d->a->block_count, d->b->block_count,
                                           values, divisions)) {
        return false;
    }
    for (size_t i = 0; i < d->a->count; i++) {
        const struct tt_baseline_row *a = &d->a->rows[i];
        const struct tt_baseline_row *b =
            d->b_of_a[i] != UNPAIRED ? &d->b->rows[d->b_of_a[i]] : NULL;
        for (uint32_t k = 0; k < d->measure_count; k++) {
            d->tests[i * d->measure_count + k] =
                b && a->blocks && b->blocks
                    ? tt_permutation_add(&d->permutation, blocks_of(d->a, a, d->measures[k]),
                                         blocks_of(d->b, b, d->in_b[k]), TT_COMPARISON_FEWEST)
                    : SIZE_MAX;
        }
    }
    d->summary.tests = d->permutation.count; /* those of pools are not counted */
    d->summary.divisions = divisions;
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
static double among_members(struct tt_comparison *d, size_t row, uint32_t k, double statistic)
{
    const struct tt_baseline_row *a = &d->a->rows[row], *b = &d->b->rows[d->b_of_a[row]];
    for (int side = 1; side >= 0; side--) { /* members of B with the row of A, and the reverse */
        const struct tt_pool_side *of = &d->pools.sides[side];
        uint32_t pool = d->pools.sides[0].pool[row], end = of->first[pool + 1];
        for (uint32_t i = of->first[pool]; i < end && i < of->first[pool] + NEIGHBOURS; i++) {
            const struct tt_baseline_row *of_a = side == 0 ? &d->a->rows[of->members[i]] : a;
            const struct tt_baseline_row *of_b = side == 1 ? &d->b->rows[of->members[i]] : b;
            if ((of_a != a || of_b != b) && of_a->blocks && of_b->blocks) {
                statistic =
                    nearer(statistic, tt_permutation_compare(&d->permutation,
                                                             blocks_of(d->a, of_a, d->measures[k]),
                                                             blocks_of(d->b, of_b, d->in_b[k]), 1));
            }
        }
    }
    return statistic;
}

/* Returns the statistic of a row; of a pool, that of all its members together if it is smaller. */
static double statistic_of(struct tt_comparison *d, size_t row, uint32_t k)
{
    size_t test = d->tests[row * d->measure_count + k];
    uint32_t pool = d->pools.sides[0].pool[row];
    double statistic = tt_permutation_statistic(&d->permutation, test);
    if (pool != TT_NO_POOL && !d->pools.unnamed[pool]) {
        size_t whole = d->pool_tests[(size_t)pool * d->measure_count + k];
        statistic = whole == SIZE_MAX
                        ? 0
                        : nearer(statistic, tt_permutation_statistic(&d->permutation, whole));
    }
    return statistic;
}

/*
 * Returns the verdict on a change of any size. `statistic` is more than 0 if the blocks of A have the larger
 * values.
 */
static enum tt_comparison_verdict verdict_of(const struct tt_comparison *d,
                                             const struct tt_comparison_change *c, double statistic)
{
    bool less_in_b = statistic > 0;
    if (isnan(c->change) || c->p > d->request.alpha) {
        return TT_COMPARISON_UNCHANGED;
    }
    int worse = tt_column_worse(c->measure->column) * (less_in_b ? -1 : 1);
    return worse > 0   ? TT_COMPARISON_WORSE
           : worse < 0 ? TT_COMPARISON_BETTER
                       : TT_COMPARISON_CHANGED;
}

/* Returns p, which is 1 unless the blocks and the whole window agree on the direction. */
static double p_of(const struct tt_comparison *d, const struct tt_comparison_change *c,
                   double statistic)
{
    return statistic * c->change < 0 ? tt_permutation_p(&d->permutation, statistic) : 1;
}

/* Sets the entries of a pair of rows; returns whether one of them is a change. */
static bool judge_pair(struct tt_comparison *d, size_t row)
{
    const struct tt_baseline_row *a = &d->a->rows[row], *b = &d->b->rows[d->b_of_a[row]];
    bool changed = false;
    for (uint32_t k = 0; k < d->measure_count; k++) {
        size_t test = d->tests[row * d->measure_count + k];
        struct tt_comparison_change *c = &d->changes[d->count++];
        *c = (struct tt_comparison_change){
            .measure = &d->a->measures[d->measures[k]],
            .row_a = a,
            .row_b = b,
            .a = a->values[d->measures[k]],
            .b = b->values[d->in_b[k]],
            .p = 1,
        };
        bool known = c->a != TT_BASELINE_NONE && c->b != TT_BASELINE_NONE;
        c->change = !known         ? (double)NAN
                    : c->a == c->b ? 0
                    : c->a == 0    ? (double)INFINITY
                                   : ((double)c->b - (double)c->a) / (double)c->a;
        double statistic = test != SIZE_MAX ? statistic_of(d, row, k) : 0;
        c->p = p_of(d, c, statistic);
        if (verdict_of(d, c, statistic) != TT_COMPARISON_UNCHANGED &&
            d->pools.sides[0].pool[row] != TT_NO_POOL) {
            statistic = among_members(d, row, k, statistic); /* takes long in a large pool */
            c->p = p_of(d, c, statistic);
        }
        c->any_size = verdict_of(d, c, statistic);
        c->verdict =
            fabs(c->change) < d->request.min_change ? TT_COMPARISON_UNCHANGED : c->any_size;
        changed |= tt_comparison_is_change(c->verdict);
        d->summary.identical &= c->a == c->b;
    }
    return changed;
}

/* Adds the entry of a row that one side has. */
static void add_single(struct tt_comparison *d, const struct tt_baseline_row *a,
                       const struct tt_baseline_row *b)
{
    uint32_t k = d->measures[0];
    d->summary.identical = false;
    d->changes[d->count++] = (struct tt_comparison_change){
        .measure = &d->a->measures[k],
        .row_a = a,
        .row_b = b,
        .a = a ? a->values[k] : TT_BASELINE_NONE,
        .b = b ? b->values[d->in_b[0]] : TT_BASELINE_NONE,
        .change = (double)NAN,
        .p = 1,
        .verdict = a ? TT_COMPARISON_GONE : TT_COMPARISON_NEW,
        .any_size = a ? TT_COMPARISON_GONE : TT_COMPARISON_NEW,
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
    const struct group *a = x, *b = y;
    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    if (a->effect < b->effect || a->effect > b->effect) {
        return a->effect > b->effect ? -1 : 1;
    }
    return a->first < b->first ? -1 : a->first > b->first;
}

/* Returns the group of the entries from `first` on, which are the last ones. */
static struct group group_from(const struct tt_comparison *d, size_t first)
{
    struct group group = {0, first, d->count - first, TT_COMPARISON_UNCHANGED};
    for (size_t i = first; i < d->count; i++) {
        const struct tt_comparison_change *c = &d->changes[i];
        bool changed = tt_comparison_is_change(c->verdict);
        uint64_t value = c->a != TT_BASELINE_NONE ? c->a : c->b;
        double effect = 0;
        if (changed) {
            effect =
                c->a == 0 || c->b == 0 ? (double)INFINITY : fabs(log((double)c->b / (double)c->a));
        } else if (c->verdict != TT_COMPARISON_UNCHANGED && value != TT_BASELINE_NONE) {
            effect = (double)value;
        }
        int rank = changed ? 0 : (int)c->verdict;
        group.rank = rank < group.rank ? rank : group.rank;
        group.effect = effect > group.effect ? effect : group.effect;
    }
    return group;
}

/* Lists the entries of all rows, and sorts them; false if out of memory. */
static bool judge(struct tt_comparison *d)
{
    size_t rows = d->summary.rows + d->summary.gone + d->summary.new_rows, group = 0, used = 0;
    size_t most = rows * d->measure_count;
    struct group *groups = calloc(rows + 1, sizeof *groups);
    struct tt_comparison_change *sorted = calloc(most + 1, sizeof *sorted);
    d->changes = calloc(most + 1, sizeof *d->changes);
    d->summary.identical = true;
    bool ok = groups && sorted && d->changes;
    for (size_t i = 0; ok && i < d->a->count + d->b->count; i++) {
        size_t first = d->count, of_b = i - d->a->count;
        if (i >= d->a->count) {
            if (!d->paired[of_b]) {
                add_single(d, NULL, &d->b->rows[of_b]);
            }
        } else if (d->b_of_a[i] == UNPAIRED) {
            add_single(d, &d->a->rows[i], NULL);
        } else {
            d->summary.changed += judge_pair(d, i);
        }
        if (d->count > first) {
            groups[group++] = group_from(d, first);
        }
    }
    if (ok) {
        qsort(groups, group, sizeof *groups, compare_groups);
        for (size_t i = 0; i < group; used += groups[i++].count) {
            memcpy(&sorted[used], &d->changes[groups[i].first], groups[i].count * sizeof *sorted);
        }
        free(d->changes);
        d->changes = sorted;
    } else {
        free(sorted);
    }
    free(groups);
    return ok;
}

/* ---- steps -------------------------------------------------------------------------------- */

static struct tt_status one_stage(struct tt_comparison *d, uint64_t deadline_ns)
{
    bool ok = true;
    switch (d->stage) {
    case MEASURE_A:
    case MEASURE_B: {
        struct tt_baseline *side = d->stage == MEASURE_A ? d->a : d->b;
        bool complete = side->work == NULL; /* read from a file */
        struct tt_status status =
            complete ? tt_ok() : tt_baseline_step(side, deadline_ns, &complete);
        d->stage += complete;
        return status;
    }
    case PAIR:
        pair_measures(d);
        if (d->measure_count == 0) {
            return tt_error(TT_ERR_USAGE,
                            "the two formats have no measure of this table in common");
        }
        d->summary.block = d->a->block;
        d->summary.blocks_a = d->a->block_count;
        d->summary.blocks_b = d->b->block_count;
        ok = pair_rows(d) && tt_pools_make(&d->pools, d->a, d->b) && add_tests(d) && add_pools(d);
        d->stage = PERMUTE;
        break;
    case PERMUTE:
        do {
            d->stage = tt_permutation_step(&d->permutation) ? PERMUTE : JUDGE;
        } while (d->stage == PERMUTE && tt_now_ns() < deadline_ns);
        break;
    case JUDGE:
        ok = judge(d);
        d->stage = COMPLETE;
        break;
    default:
        break;
    }
    return ok ? tt_ok() : tt_error_memory();
}

struct tt_status tt_comparison_step(struct tt_comparison *d, uint64_t deadline_ns, bool *complete)
{
    struct tt_status status;
    do {
        status = one_stage(d, deadline_ns);
        *complete = d->stage == COMPLETE;
    } while (!tt_failed(&status) && !*complete && tt_now_ns() < deadline_ns);
    return status;
}

unsigned tt_comparison_percent(const struct tt_comparison *d)
{
    unsigned measured = tt_baseline_percent(d->a) + tt_baseline_percent(d->b);
    return d->stage == COMPLETE ? 100 : d->stage > MEASURE_B ? 95 : measured * 19 / 40;
}

const struct tt_comparison_change *tt_comparison_changes(const struct tt_comparison *d,
                                                         size_t *count)
{
    *count = d->count;
    return d->changes;
}

struct tt_comparison_summary tt_comparison_summarize(const struct tt_comparison *d)
{
    return d->summary;
}

const struct tt_baseline *tt_comparison_side_a(const struct tt_comparison *d)
{
    return d->a;
}

const struct tt_baseline *tt_comparison_side_b(const struct tt_comparison *d)
{
    return d->b;
}
