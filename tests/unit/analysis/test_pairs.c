/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of threads that follow each other on a CPU, all known in advance: enough of them that list
 * and tables grow repeatedly and are cleared for the next CPU.
 */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "fake_format.h"
#include "trace/timeline/timeline.h"
#include "tracetui/stats.h"

enum { THREADS = 120, CPUS = 3, TICKS = 10 };

/* Each ordered pair occurs once per CPU; those of thread 0 with its successor `c` more times. */
static size_t walk(uint16_t cpu, uint32_t *to)
{
    size_t count = 0;
    for (uint32_t a = 0; a < THREADS; a++) {
        for (uint32_t b = a + 1; b < THREADS; b++) {
            to[count++] = a;
            to[count++] = b;
        }
    }
    for (uint16_t i = 0; i < cpu; i++) {
        to[count++] = 0;
        to[count++] = 1;
    }
    return count;
}

static bool feed(struct tt_timelines *t)
{
    static uint32_t to[CPUS][THREADS * THREADS + 2 * CPUS];
    size_t counts[CPUS];
    uint64_t pos = 0;
    bool ok = true;
    for (uint16_t cpu = 0; cpu < CPUS; cpu++) {
        counts[cpu] = walk(cpu, to[cpu]);
    }
    for (size_t i = 0; ok && i < counts[CPUS - 1]; i++) {
        for (uint16_t cpu = 0; ok && cpu < CPUS; cpu++) {
            if (i < counts[cpu]) {
                struct tt_action a = {.ticks = (i + 1) * TICKS,
                                      .pos = pos++,
                                      .thread = cpu * THREADS + to[cpu][i],
                                      .other = TT_NO_THREAD,
                                      .cpu = cpu,
                                      .priority = TT_NO_PRIORITY,
                                      .kind = TT_ACTION_SWITCH};
                ok = tt_timelines_feed(t, &a, 1);
            }
        }
    }
    tt_timelines_reach(t, (counts[CPUS - 1] + 1) * TICKS);
    return ok;
}

static struct tt_timelines *timelines_of(struct tt_trace *trace)
{
    for (uint64_t i = 0; i < (uint64_t)CPUS * THREADS; i++) {
        cr_assert_eq(tt_registry_thread(trace->capture, 1, i + 1, 0), i);
    }
    struct tt_timelines *t = tt_timelines_new(trace->capture, 0);
    cr_assert(t && feed(t));
    return t;
}

/* Counts the pairs in the walk: (a, b) for a < b once, (b, next a) as often as that follows. */
static void count_pairs(uint16_t cpu, uint32_t (*counts)[THREADS])
{
    static uint32_t to[THREADS * THREADS + 2 * CPUS];
    size_t count = walk(cpu, to);
    for (size_t i = 1; i < count; i++) {
        counts[to[i - 1]][to[i]] += to[i - 1] != to[i];
    }
}

static void check(const struct tt_pair *pairs, size_t count)
{
    static uint32_t plain[CPUS][THREADS][THREADS];
    size_t different = 0;
    memset(plain, 0, sizeof plain);
    for (uint16_t cpu = 0; cpu < CPUS; cpu++) {
        count_pairs(cpu, plain[cpu]);
    }
    for (size_t i = 0; i < count; i++) {
        const struct tt_pair *p = &pairs[i];
        cr_assert_lt(p->cpu, CPUS);
        cr_assert(p->from / THREADS == p->cpu && p->to / THREADS == p->cpu);
        uint32_t *left = &plain[p->cpu][p->from % THREADS][p->to % THREADS];
        cr_assert_eq(p->count, *left, "%u to %u", p->from, p->to);
        *left = 0; /* each of them once */
    }
    for (size_t i = 0; i < sizeof plain / sizeof(uint32_t); i++) {
        different += (&plain[0][0][0])[i] != 0;
    }
    cr_assert_eq(different, 0, "%zu pairs are missing", different);
}

Test(pairs, tables_grow_and_are_cleared_for_the_next_cpu)
{
    static const uint64_t works[] = {1, 100, 4000, UINT64_MAX};
    static const struct fake_record record = {.ticks = 1};
    struct tt_trace *trace = fake_trace(&record, 1);
    struct tt_timelines *t = timelines_of(trace);
    cr_assert_eq(tt_cpu_count(t), CPUS);
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        struct tt_pair_count *c = tt_pair_count_new(t, 0, UINT64_MAX);
        size_t count, before = 0;
        cr_assert_not_null(c);
        for (bool done = false; !done;) {
            struct tt_status status = tt_pair_count_step(c, works[i], &done);
            cr_assert_not(tt_failed(&status));
            tt_pair_count_pairs(c, &count);
            cr_assert_geq(count, before);
            before = count;
        }
        cr_assert_gt(count, (size_t)CPUS * 64 * 64, "%zu pairs are no growth", count);
        check(tt_pair_count_pairs(c, &count), count);
        tt_pair_count_sort(c);
        const struct tt_pair *pairs = tt_pair_count_pairs(c, &count);
        for (size_t k = 1; k < count; k++) {
            cr_assert_lt(tt_pair_compare(&pairs[k - 1], &pairs[k]), 0);
        }
        check(pairs, count);
        tt_pair_count_free(c);
    }
    tt_timelines_free(t);
    tt_trace_close(trace);
}

/* The progress rises with the steps; an empty range has none until it is done. */
Test(pairs, progress_of_a_range)
{
    static const struct fake_record record = {.ticks = 1};
    static const uint64_t ends[] = {0, 1, 500 * TICKS, UINT64_MAX};
    struct tt_trace *trace = fake_trace(&record, 1);
    struct tt_timelines *t = timelines_of(trace);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct tt_pair_count *c = tt_pair_count_new(t, 0, ends[i]);
        unsigned before = 0, values = 0;
        cr_assert_not_null(c);
        cr_expect_eq(tt_pair_count_percent(c), 0, "to %zu", i);
        for (bool done = false; !done;) {
            struct tt_status status = tt_pair_count_step(c, 20, &done);
            cr_assert_not(tt_failed(&status));
            unsigned now = tt_pair_count_percent(c);
            cr_assert(now >= before && now <= 100, "from %u %% to %u %%", before, now);
            cr_assert(done == (now == 100), "%u %%", now);
            values += now != before;
            before = now;
        }
        if (ends[i] == 500 * TICKS) {
            cr_expect_gt(values, CPUS * 10, "progress inside a CPU");
        }
        tt_pair_count_free(c);
    }
    tt_timelines_free(t);
    tt_trace_close(trace);
}
