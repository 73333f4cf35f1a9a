/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons: the test of permutations on known numbers, steps, pools, files and conditions. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare/comparison.h"
#include "compare/comparison_rule.h"
#include "compare/comparison_text.h"
#include "compare/permute.h"
#include "compare/pools.h"
#include "table/registry.h"
#include "tracetui/trace.h"

TestSuite(comparison);

/* ---- permutations ------------------------------------------------------------------------- */

#define EACH 12u

static void permute_all(struct tt_permutation *p)
{
    while (tt_permutation_step(p)) {
    }
}

Test(comparison, p_of_separate_and_of_mixed_values)
{
    struct tt_permutation p;
    uint64_t low[EACH], high[EACH], odd[EACH], even[EACH], none[EACH];
    for (uint64_t i = 0; i < EACH; i++) {
        low[i] = i;
        high[i] = 100 + i;
        odd[i] = 2 * i + 1;
        even[i] = 2 * i;
        none[i] = i < EACH - 3 ? TT_BASELINE_NONE : i;
    }
    cr_assert(tt_permutation_begin(&p, EACH, EACH, 4, 1999));
    size_t separate = tt_permutation_add(&p, low, high, 4);
    size_t mixed = tt_permutation_add(&p, even, odd, 4);
    cr_expect_eq(tt_permutation_add(&p, low, none, 4), SIZE_MAX);
    cr_expect_eq(tt_permutation_add(&p, none, low, 4), SIZE_MAX);
    permute_all(&p);
    cr_expect(tt_permutation_statistic(&p, separate) < 0);
    /* The rank sum of 12 and 12 separate values: 72 / sqrt(12 * 12 * 25 / 12). */
    cr_expect(fabs(tt_permutation_statistic(&p, separate) + 72 / sqrt(300)) < 1e-4);
    cr_expect_leq(tt_permutation_p(&p, tt_permutation_statistic(&p, separate)), 0.001);
    cr_expect_geq(tt_permutation_p(&p, tt_permutation_statistic(&p, mixed)), 0.5);
    cr_expect(fabs(tt_permutation_compare(&p, low, low, 4)) < 1e-4);
    cr_expect(tt_permutation_compare(&p, high, low, 4) > 4);
    tt_permutation_free(&p);
}

/* Returns the next random number below 1000. */
static uint64_t noise(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % 1000;
}

/* 20 values of noise: some value has a p of at most 0.1 in about a tenth of the tables. */
Test(comparison, p_is_of_the_whole_table)
{
    enum { TABLES = 200, VALUES = 20 };
    uint64_t state = 1, a[EACH], b[EACH];
    unsigned called = 0;
    for (unsigned t = 0; t < TABLES; t++) {
        struct tt_permutation p;
        bool any = false;
        cr_assert(tt_permutation_begin(&p, EACH, EACH, VALUES, 199));
        for (unsigned v = 0; v < VALUES; v++) {
            for (unsigned i = 0; i < EACH; i++) {
                a[i] = noise(&state);
                b[i] = noise(&state);
            }
            cr_assert_eq(tt_permutation_add(&p, a, b, 4), v);
        }
        permute_all(&p);
        for (size_t v = 0; v < VALUES; v++) {
            any |= tt_permutation_p(&p, tt_permutation_statistic(&p, v)) <= 0.1;
        }
        called += any;
        tt_permutation_free(&p);
    }
    cr_expect(called >= 5 && called <= 40, "%u of %d tables", called, TABLES);
}

/* ---- captures ----------------------------------------------------------------------------- */

struct capture {
    struct tt_trace *trace;
    struct tt_events *events;
};

static struct capture open_sample(const char *path)
{
    struct tt_trace_options options = {0};
    struct capture c;
    struct tt_status status = tt_trace_open(path, &options, &c.trace);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    status = tt_trace_index(c.trace);
    cr_assert_not(tt_failed(&status));
    c.events = tt_events_new(c.trace);
    return c;
}

static void close_sample(struct capture *c)
{
    tt_events_free(c->events);
    tt_trace_close(c->trace);
}

static struct tt_comparison_side whole(const struct capture *c)
{
    return (struct tt_comparison_side){.trace = c->trace,
                                       .events = c->events,
                                       .keys = {.to_ticks = UINT64_MAX, .to_pos = UINT64_MAX}};
}

static struct tt_comparison *compare(const struct tt_table *table, struct tt_comparison_side a,
                                     struct tt_comparison_side b, uint64_t deadline)
{
    struct tt_comparison_request request = {.table = table,
                                            .a = a,
                                            .b = b,
                                            .alpha = TT_COMPARISON_ALPHA,
                                            .min_change = TT_COMPARISON_MIN_CHANGE};
    struct tt_comparison *comparison;
    bool complete = false;
    unsigned before = 0;
    struct tt_status status = tt_comparison_begin(&comparison, &request);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    while (!complete) {
        status = tt_comparison_step(comparison, deadline, &complete);
        cr_assert_not(tt_failed(&status), "%s", status.text);
        unsigned percent = tt_comparison_percent(comparison);
        cr_assert_geq(percent, before);
        before = percent;
    }
    cr_expect_eq(before, 100);
    return comparison;
}

static struct tt_baseline *measure(const struct capture *c, const struct tt_table *table)
{
    struct tt_baseline_request request = {.table = table,
                                          .trace = c->trace,
                                          .events = c->events,
                                          .keys = {.to_ticks = UINT64_MAX},
                                          .block_most = TT_BASELINE_MOST};
    struct tt_baseline *b;
    bool complete = false;
    request.block = tt_baseline_window(c->trace, &request.keys) / TT_BASELINE_BLOCKS;
    struct tt_status status = tt_baseline_begin(&b, &request);
    cr_assert_not(tt_failed(&status));
    status = tt_baseline_step(b, UINT64_MAX, &complete);
    cr_assert(complete && !tt_failed(&status));
    return b;
}

/* Steps of one unit of work give the same changes as one call. */
Test(comparison, steps)
{
    struct capture a = open_sample("samples/demo.kev"), b = open_sample("samples/fast1.kev");
    const struct tt_table *const tables[] = {&tt_table_threads, &tt_table_event_names,
                                             &tt_table_total};
    for (unsigned t = 0; t < 3; t++) {
        size_t count, count_again;
        struct tt_comparison *once = compare(tables[t], whole(&a), whole(&b), UINT64_MAX);
        struct tt_comparison *again = compare(tables[t], whole(&a), whole(&b), 0);
        const struct tt_comparison_change *x = tt_comparison_changes(once, &count);
        const struct tt_comparison_change *y = tt_comparison_changes(again, &count_again);
        cr_assert_eq(count, count_again);
        cr_assert_gt(count, 0);
        for (size_t i = 0; i < count; i++) {
            cr_assert(x[i].a == y[i].a && x[i].b == y[i].b && x[i].p == y[i].p &&
                      x[i].verdict == y[i].verdict);
            cr_assert_str_eq(tt_comparison_name(&x[i]), tt_comparison_name(&y[i]));
        }
        tt_comparison_free(once);
        tt_comparison_free(again);
    }
    close_sample(&a);
    close_sample(&b);
}

Test(comparison, a_range_equals_itself_in_every_table)
{
    static const char *const samples[] = {"samples/demo.kev", "samples/demo.fxt",
                                          "samples/demo.trx", "samples/demo.btrace"};
    for (unsigned s = 0; s < 4; s++) {
        struct capture c = open_sample(samples[s]);
        for (size_t n = 0; tt_table_at(n); n++) {
            const struct tt_table *table = tt_table_at(n);
            if (!tt_baseline_has(table)) {
                continue;
            }
            struct tt_comparison *same = compare(table, whole(&c), whole(&c), UINT64_MAX);
            struct tt_comparison_summary sum = tt_comparison_summarize(same);
            cr_expect(sum.identical && sum.changed + sum.new_rows + sum.gone == 0, "%s by %s",
                      samples[s], table->name);
            tt_comparison_free(same);
        }
        close_sample(&c);
    }
}

/* The values of a whole window are those of the sheet. */
Test(comparison, values_of_a_cpu)
{
    struct capture c = open_sample("samples/demo.kev");
    struct tt_baseline *b = measure(&c, &tt_table_cpus);
    struct tt_table_cell cell = {.kind = TT_CELL_NONE};
    cr_assert_eq(b->count, 4);
    cr_assert_eq(b->block_count, TT_BASELINE_BLOCKS);
    cr_expect_str_eq(b->rows[1].name, "CPU 1");
    tt_comparison_set_number(&cell, &b->measures[0], b->rows[1].values[0]);
    cr_assert_eq(cell.kind, TT_CELL_DECIMAL);
    cr_expect_eq(cell.number, 540343); /* busy_pct of `stats`: 54.0343 */
    cr_expect_eq(cell.decimals, 4);
    uint64_t sum = 0;
    for (uint32_t k = 0; k < b->block_count; k++) {
        sum += b->rows[1].blocks[k];
    }
    /* The blocks cover the window but for its last few ticks. */
    double mean = (double)sum / b->block_count, all = (double)b->rows[1].values[0];
    cr_expect(fabs(mean - all) < all * 1e-5, "%f %f", mean, all);
    tt_baseline_free(b);
    close_sample(&c);
}

/* Returns the value of a column that is not among the measures of its table. */
static uint64_t extra_value(const struct capture *c, const struct tt_table *table, const char *key,
                            const char *row)
{
    size_t count = table->column_count;
    const struct tt_table_column *columns = table->columns, *extra = NULL;
    for (size_t i = 0; i < count; i++) {
        extra = strcmp(columns[i].key, key) == 0 ? &columns[i] : extra;
    }
    cr_assert_not_null(extra);
    struct tt_baseline_request request = {.table = table,
                                          .trace = c->trace,
                                          .events = c->events,
                                          .keys = {.to_ticks = UINT64_MAX},
                                          .extra = extra};
    struct tt_baseline *b;
    bool complete = false;
    struct tt_status status = tt_baseline_begin(&b, &request);
    cr_assert_not(tt_failed(&status));
    status = tt_baseline_step(b, UINT64_MAX, &complete);
    cr_assert(complete && !tt_failed(&status));
    uint64_t value = TT_BASELINE_NONE;
    for (size_t i = 0; i < b->count; i++) {
        value = strcmp(b->rows[i].name, row) == 0 ? b->rows[i].values[b->measure_count - 1] : value;
    }
    tt_baseline_free(b);
    return value;
}

/* The numbers of `stats` for samples/demo.kev. */
Test(comparison, columns_that_are_no_measures)
{
    struct capture c = open_sample("samples/demo.kev");
    cr_expect_eq(extra_value(&c, &tt_table_processes, "threads", "sensor"), 3000);
    cr_expect_eq(extra_value(&c, &tt_table_threads, "priority", "sensor/1 sample"), 30000);
    /* 23,533,202 ns of idle time in a window of 51,366,203 ns */
    cr_expect_eq(extra_value(&c, &tt_table_cpus, "idle", "CPU 1") / 10000, 45814);
    cr_expect_neq(extra_value(&c, &tt_table_servers, "waiting_mean", "fusion"), TT_BASELINE_NONE);
    cr_expect_neq(extra_value(&c, &tt_table_event_names, "rate_hz", "INT_ENTR (INTERRUPT)"), 0);
    close_sample(&c);
}

/* ---- pools -------------------------------------------------------------------------------- */

static size_t row_of(const struct tt_baseline *b, const char *name)
{
    for (size_t i = 0; i < b->count; i++) {
        if (strstr(b->rows[i].name, name)) {
            return i;
        }
    }
    cr_assert_fail("no row %s", name);
    return 0;
}

Test(comparison, pools)
{
    struct capture c = open_sample("samples/demo.kev");
    struct tt_baseline *b = measure(&c, &tt_table_threads);
    struct tt_pools pools = {0};
    uint64_t sums[TT_BASELINE_MOST];
    size_t one = row_of(b, "crunch1"), two = row_of(b, "crunch2"), three = row_of(b, "crunch3");
    cr_assert(tt_pools_make(&pools, b, b));
    cr_expect_eq(pools.sides[0].pool[one], pools.sides[0].pool[two]);
    cr_expect_eq(pools.sides[0].pool[one], pools.sides[1].pool[three]);
    cr_expect_eq(pools.sides[0].pool[row_of(b, "sample")], TT_NO_POOL);
    uint32_t pool = pools.sides[0].pool[one];
    cr_expect_eq(pools.sides[0].first[pool + 1] - pools.sides[0].first[pool], 3);
    cr_expect_not(pools.unnamed[pool]);
    tt_pools_sum(&pools.sides[0], b, pool, 0, sums);
    cr_expect_eq(sums[5],
                 b->rows[one].blocks[5] + b->rows[two].blocks[5] + b->rows[three].blocks[5]);
    tt_pools_free(&pools);
    tt_baseline_free(b);
    close_sample(&c);
}

/* ---- files -------------------------------------------------------------------------------- */

static bool append(void *arg, const char *bytes, size_t length)
{
    return fwrite(bytes, 1, length, arg) == length;
}

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* Writes a baseline and reads it again. */
static struct tt_baseline *round_trip(struct tt_baseline *b, const char *path)
{
    struct tt_baseline *read;
    FILE *f = fopen(path, "w");
    cr_assert_not_null(f);
    tt_baseline_write(b, append, f);
    fclose(f);
    cr_expect(tt_baseline_is_file(path));
    struct tt_status status = tt_baseline_read(path, b->table, &read);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    return read;
}

Test(comparison, a_file_has_every_value_of_every_table)
{
    char path[] = "/tmp/tracetui-baseline-XXXXXX";
    struct capture c = open_sample("samples/demo.kev");
    cr_assert(close(mkstemp(path)) == 0);
    for (size_t n = 0; tt_table_at(n); n++) {
        const struct tt_table *table = tt_table_at(n);
        if (!tt_baseline_has(table)) {
            continue;
        }
        struct tt_baseline *b = measure(&c, table), *read = round_trip(b, path);
        cr_assert(read->count == b->count && read->measure_count == b->measure_count &&
                  read->block == b->block && read->window == b->window && read->has_clock);
        for (size_t i = 0; i < b->count; i++) {
            cr_assert_str_eq(read->rows[i].key, b->rows[i].key);
            cr_assert_str_eq(read->rows[i].name, b->rows[i].name);
            cr_assert_eq(memcmp(read->rows[i].values, b->rows[i].values,
                                b->measure_count * sizeof(uint64_t)),
                         0);
            cr_assert_eq(memcmp(read->rows[i].blocks, b->rows[i].blocks,
                                b->measure_count * b->block_count * sizeof(uint64_t)),
                         0);
        }
        struct tt_comparison *same =
            compare(table, (struct tt_comparison_side){.saved = read}, whole(&c), UINT64_MAX);
        cr_expect(tt_comparison_summarize(same).identical, "by %s", table->name);
        tt_comparison_free(same);
        tt_baseline_free(b);
    }
    unlink(path);
    close_sample(&c);
}

#define HEAD "tracetui-baseline 1\n"
#define CPU  HEAD "table\tcpu\tkev\tclock\t1000\t100\t2\nmeasures\tbusy\tirq\n"

Test(comparison, wrong_files)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "no table 'cpu'"},
        {"tracetui-baseline 2\n", "line 1: not a baseline of this version"},
        {HEAD, "line 1: not a table"},
        {HEAD "table\tnothing\tkev\tclock\t1\t1\t1\n", "line 2: not a table"},
        {HEAD "table\tcpu\tkev\tsundial\t1\t1\t1\n", "line 2: not a table"},
        {HEAD "table\tcpu\tkev\tclock\t1\t1\t129\n", "line 2: not a table"},
        {HEAD "table\tcpu\tkev\tclock\t1\t1\t1\t1\n", "line 2: not a table"},
        {HEAD "table\tcpu\tkev\tclock\t99999999999999999999\t1\t1\n", "line 2: not a table"},
        {HEAD "table\tcpu\tkev\tclock\t1\t1\t1\nmeasures\n", "line 3: not the measures"},
        {HEAD "table\tcpu\tkev\tclock\t1\t1\t1\nmeasures\tspeed\n", "line 3: not the measures"},
        {HEAD "table\tcpu\tkev\tclock\t1\t1\t1\nrows\tbusy\n", "line 3: not the measures"},
        {CPU, "line 3: the file ends inside a table"},
        {CPU "end\t1\n", "line 4: the number of rows is wrong"},
        {CPU "line\n", "line 4: not a row"},
        {CPU "row\t0\tCPU 0\t0\n", "line 4: a field is missing"},
        {CPU "row\t0\tCPU 0\t0\t\t1,1 1\n", "line 4: not the values of a row"},
        {CPU "row\t0\tCPU 0\t0\t\t1,1 1\t1,1\n", "line 4: not the values of a row"},
        {CPU "row\t0\tCPU 0\t0\t\t1,1 1\t1,1 1 1\n", "line 4: not the values of a row"},
        {CPU "row\t0\tCPU 0\t0\t\t1\t1,1 1\n", "line 4: not the values of a row"},
        {CPU "row\t0\tCPU 0\t0\t\t1,1 1\t1,1 1\t1\n", "line 4: more values than measures"},
        {CPU "row\t0\tCPU 0\t0\t\t1\t1\nrow\t0\tCPU 0\t0\t\t1\t1\n", "line 5: a second row"},
        {CPU "row\t0\tCPU 0\t0\t\t1\t1\nend\t1", "line 4: the file ends inside a table"},
        {HEAD "table\ttotal\tkev\tclock\t1\t1\t0\nmeasures\tbusy\nend\t0\n", "no table 'cpu'"},
    };
    char path[] = "/tmp/tracetui-baseline-XXXXXX";
    struct tt_baseline *b;
    cr_assert(close(mkstemp(path)) == 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_file(path, cases[i].text);
        struct tt_status status = tt_baseline_read(path, &tt_table_cpus, &b);
        cr_expect(tt_failed(&status) && strstr(status.text, cases[i].message), "%zu: %s", i,
                  status.text);
        tt_baseline_free(b);
    }
    write_file(path, CPU "row\t\\\\\\|0\tC\033\t-\t\t-,1 -\t1,- 2\nend\t1\n");
    struct tt_status status = tt_baseline_read(path, &tt_table_cpus, &b);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    cr_expect_str_eq(b->rows[0].key, "\\\\\x1f"
                                     "0");
    cr_expect_str_eq(b->rows[0].name, "C\\e");
    cr_expect(b->rows[0].values[0] == TT_BASELINE_NONE && b->rows[0].blocks[3] == 2);
    tt_baseline_free(b);
    unlink(path);
    cr_expect_not(tt_baseline_is_file(path));
    cr_expect_not(tt_baseline_is_file("samples/demo.kev"));
    status = tt_baseline_read(path, &tt_table_cpus, &b);
    cr_expect_eq(status.code, TT_ERR_IO);
}

/* ---- conditions --------------------------------------------------------------------------- */

/* Returns what a condition finds; `rows` is -1 if it is wrong or does not fit. */
static struct tt_comparison_finding apply(const char *text, const struct tt_comparison *c)
{
    struct tt_comparison_rule rule;
    struct tt_comparison_finding f = {.rows = SIZE_MAX};
    struct tt_status status = tt_comparison_rule_parse(text, &rule);
    if (!tt_failed(&status) && tt_comparison_rule_fits(&rule, c)) {
        f = tt_comparison_rule_apply(&rule, c);
    }
    tt_comparison_rule_free(&rule);
    return f;
}

/* The share of a condition replaces min_change, which applies to `worse` alone. */
Test(comparison, a_share_replaces_min_change)
{
    struct capture a = open_sample("samples/fast1.kev"), b = open_sample("samples/wide4.kev");
    struct tt_comparison_request request = {.table = &tt_table_cpus,
                                            .a = whole(&a),
                                            .b = whole(&b),
                                            .alpha = TT_COMPARISON_ALPHA,
                                            .min_change = 1000};
    struct tt_comparison *c;
    bool complete;
    struct tt_status status = tt_comparison_begin(&c, &request);
    cr_assert_not(tt_failed(&status), "%s", status.text);
    status = tt_comparison_step(c, UINT64_MAX, &complete);
    cr_assert(!tt_failed(&status) && complete);
    cr_expect_eq(tt_comparison_summarize(c).changed, 0);
    struct tt_comparison_finding f = apply("kernel of cpu 0 worse by 50%", c);
    cr_expect(f.rows == 1 && f.worse == 1 && f.worst->verdict == TT_COMPARISON_UNCHANGED);
    cr_expect_eq(apply("kernel of cpu 0 worse by 0%", c).worse, 1);
    cr_expect_eq(apply("kernel of cpu 0 worse by 99999%", c).worse, 0);
    cr_expect_eq(apply("kernel of cpu 0 worse", c).worse, 0);
    tt_comparison_free(c);
    close_sample(&a);
    close_sample(&b);
}

Test(comparison, conditions)
{
    struct capture a = open_sample("samples/fast1.kev"), b = open_sample("samples/wide4.kev");
    struct tt_comparison *c = compare(&tt_table_cpus, whole(&a), whole(&b), UINT64_MAX);
    struct tt_comparison_finding f = apply("kernel of cpu 0 worse by 50.5%", c);
    cr_expect(f.rows == 1 && f.worse == 1 && f.worst->verdict == TT_COMPARISON_WORSE);
    f = apply("kernel of cpu 0 worse by 99999%", c);
    cr_expect(f.rows == 1 && f.worse == 0 && !f.worst);
    f = apply("kernel of cpu * worse", c);
    cr_expect(f.rows == 1 && f.worse == 1 && f.singles == 3);
    f = apply("kernel of cpu 2 worse", c);
    cr_expect(f.rows == 0 && f.singles == 1);
    f = apply("kernel of cpu ~ /^[1-9]/ worse", c);
    cr_expect(f.rows == 0 && f.singles == 3);
    f = apply("busy of cpu 0 worse", c);
    cr_expect(f.rows == 1 && f.worse == 0);
    static const char *const wrong[] = {
        "kernel of cpu 0",
        "kernel of cpu 0 worse by",
        "kernel of cpu 0 worse by 5",
        "kernel of cpu 0 worse%",
        "kernl of cpu 0 worse",
        "lost worse",
        "run of thread x worse",
        "worse",
        "kernel of cpu 0 worse by x%",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_eq(apply(wrong[i], c).rows, SIZE_MAX, "%s", wrong[i]);
    }
    tt_comparison_free(c);
    close_sample(&a);
    close_sample(&b);
}

Test(comparison, conditions_on_threads)
{
    struct capture a = open_sample("samples/demo.kev");
    struct tt_comparison *c = compare(&tt_table_threads, whole(&a), whole(&a), UINT64_MAX);
    cr_expect_eq(apply("run of thread sensor/1 worse", c).rows, 1);
    cr_expect_eq(apply("run of thread sensor worse", c).rows, 3);
    cr_expect_eq(apply("run of thread sample worse", c).rows, 1);
    cr_expect_eq(apply("run of thread sens worse", c).rows, 0);
    cr_expect_eq(apply("run of thread ~ /^sensor/ worse", c).rows, 3);
    tt_comparison_free(c);
    close_sample(&a);
}

/* ---- sides that cannot be compared -------------------------------------------------------- */

Test(comparison, clocks_and_blocks_have_to_agree)
{
    struct capture a = open_sample("samples/demo.kev"), b = open_sample("samples/demo.trx");
    struct tt_comparison_request request = {
        .table = &tt_table_cpus, .a = whole(&a), .b = whole(&b), .alpha = 0.01};
    struct tt_comparison *c;
    struct tt_status status = tt_comparison_begin(&c, &request);
    cr_expect_eq(status.code, TT_ERR_USAGE);
    tt_comparison_free(c);
    request.a = (struct tt_comparison_side){.saved = measure(&a, &tt_table_cpus)};
    request.b = (struct tt_comparison_side){.saved = measure(&a, &tt_table_cpus)};
    request.b.saved->block++;
    status = tt_comparison_begin(&c, &request);
    cr_expect_eq(status.code, TT_ERR_USAGE);
    tt_comparison_free(c);
    close_sample(&a);
    close_sample(&b);
}

Test(comparison, numbers_as_text)
{
    const struct tt_baseline_measure time = {.key = "delay_p99", .scale = TT_SCALE_TIME};
    const struct tt_baseline clock = {.has_clock = true}, ticks = {.has_clock = false};
    struct tt_comparison_change c = {.measure = &time, .a = 1000000, .b = 12345678, .change = 11.3};
    char buffer[200];
    struct tt_text text = tt_text_of(buffer, sizeof buffer);
    tt_comparison_put_value(&text, &clock, &time, 12345678);
    tt_text_str(&text, "|");
    tt_comparison_put_value(&text, &ticks, &time, 12345678);
    tt_text_str(&text, "|");
    tt_comparison_put_difference(&text, &clock, &c);
    tt_text_str(&text, "|");
    tt_comparison_put_change(&text, &c);
    tt_text_str(&text, "|");
    tt_comparison_put_measure(&text, &time);
    tt_text_str(&text, "|");
    tt_text_str(&text, tt_comparison_unit(&ticks, &time));
    c.b = TT_BASELINE_NONE;
    c.change = (double)NAN;
    tt_text_str(&text, "|");
    tt_comparison_put_difference(&text, &clock, &c);
    tt_comparison_put_change(&text, &c);
    tt_comparison_put_value(&text, &clock, &time, c.b);
    tt_comparison_put_fraction(&text, -0.0504, 2);
    cr_expect_str_eq(tt_text_cstr(&text),
                     "12.34 µs|12345.7 ticks|+11.34 µs|x 12.3|delay p99|ticks|----0.05");
}
