/* SPDX-License-Identifier: Apache-2.0 */
/*
 * print_model CAPTURE: indexes it and prints a checksum of every lane of the model: intervals and
 * priorities of each thread, occupants and interrupts of each CPU, slices, counters, notes, losses,
 * health. Two ways of indexing that print the same checksums have made identical models.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tracetui/counters.h"
#include "tracetui/slices.h"
#include "tracetui/trace.h"

struct sum {
    uint64_t of;
    uint64_t items;
};

static void add(struct sum *sum, uint64_t value)
{
    sum->of = (sum->of ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    sum->of ^= sum->of >> 29;
}

static void print(const char *what, uint64_t number, struct sum sum)
{
    if (sum.items > 0) {
        printf("%s %" PRIu64 ": %" PRIu64 " %016" PRIx64 "\n", what, number, sum.items, sum.of);
    }
}

static void add_interval(struct sum *sum, const struct tt_interval *i)
{
    add(sum, i->start);
    add(sum, i->end);
    add(sum, (uint64_t)i->cpu << 32 | (uint64_t)i->state << 16 | i->class_);
    add(sum, (uint64_t)i->out_before << 4 | (uint64_t)i->open << 3 |
                 (uint64_t)i->since_before << 2 | (uint64_t)i->switched_in << 1 | i->migrated);
    sum->items++;
}

static void print_thread(const struct tt_timelines *t, uint32_t thread)
{
    struct sum intervals = {0}, notes = {0}, sums = {0};
    struct tt_interval_at at;
    for (bool more = tt_interval_first(t, thread, &at); more; more = tt_interval_next(t, &at)) {
        struct tt_interval i = tt_interval_get(t, at);
        add_interval(&intervals, &i);
        add(&intervals, (uint64_t)tt_thread_priority(t, thread, i.start));
    }
    print("thread", thread, intervals);
    struct tt_thread_sums all;
    memset(&all, 0, sizeof all);
    tt_thread_sum(t, thread, 0, UINT64_MAX, &all);
    for (unsigned class_ = 0; class_ < TT_CLASS_COUNT; class_++) {
        add(&sums, all.ticks[class_]);
    }
    add(&sums, all.irq);
    add(&sums, all.in);
    add(&sums, all.out_voluntary ^ all.out_preempted << 20 ^ all.out_unknown << 40);
    add(&sums, all.migrations);
    sums.items = all.runs;
    print("  sums", thread, sums);
    uint64_t from = 0, ticks;
    uint32_t type;
    while (tt_thread_note(t, thread, from, UINT64_MAX, &ticks, &type)) {
        add(&notes, ticks);
        add(&notes, type);
        notes.items++;
        from = ticks + 1;
    }
    print("  notes", thread, notes);
}

static void print_cpu(const struct tt_timelines *t, uint16_t cpu)
{
    struct sum occupations = {0}, sums = {0};
    struct tt_occupation_at at;
    for (bool more = tt_occupation_first(t, cpu, &at); more; more = tt_occupation_next(t, &at)) {
        struct tt_occupation o = tt_occupation_get(t, at);
        add(&occupations, o.start);
        add(&occupations, o.end);
        add(&occupations, (uint64_t)o.occupant << 1 | o.idle);
        add(&occupations, tt_cpu_irq(t, cpu, o.start, o.end));
        add(&occupations, tt_cpu_irq_depth(t, cpu, o.start));
        occupations.items++;
    }
    print("CPU", cpu, occupations);
    struct tt_cpu_sums all;
    memset(&all, 0, sizeof all);
    tt_cpu_sum(t, cpu, 0, UINT64_MAX, &all);
    add(&sums, all.busy);
    add(&sums, all.idle);
    add(&sums, all.irq);
    add(&sums, all.kernel);
    add(&sums, all.unknown);
    add(&sums, all.interrupts);
    add(&sums, all.nested);
    sums.items = all.switches;
    print("  sums", cpu, sums);
}

static void print_slices(const struct tt_timelines *t, uint32_t thread)
{
    for (uint32_t number = 0; number < tt_slice_rows(t, thread); number++) {
        struct sum sum = {0};
        struct tt_slice_at at;
        const struct tt_slice_row *row = tt_slice_row(t, thread, number);
        bool more = tt_slice_first(t, row, 0, UINT64_MAX, &at);
        for (; more; more = tt_slice_next(&at)) {
            struct tt_slice s = tt_slice_get(t, at);
            add(&sum, s.start);
            add(&sum, s.end);
            add(&sum, (uint64_t)s.type << 32 | s.thread);
            add(&sum,
                (uint64_t)s.depth << 3 | (uint64_t)s.async << 2 | (uint64_t)s.open << 1 | s.cut);
            sum.items++;
        }
        add(&sum, tt_slice_ticks(t, row, 0, UINT64_MAX));
        print("  slices", number, sum);
    }
}

static void print_series(const struct tt_timelines *t, uint32_t series)
{
    struct sum sum = {0};
    struct tt_counter_at at;
    bool more = tt_counter_first(t, series, &at);
    for (; more; more = tt_counter_next(t, &at)) {
        struct tt_counter_value v = tt_counter_get(t, at);
        uint64_t bits;
        memcpy(&bits, &v.value, sizeof bits);
        add(&sum, v.start);
        add(&sum, v.end);
        add(&sum, v.known ? bits : 1);
        sum.items++;
    }
    print("series", series, sum);
}

static void print_losses(const struct tt_timelines *t)
{
    struct sum sum = {0};
    uint64_t from = 0, ticks;
    while (tt_loss_in(t, from, UINT64_MAX, &ticks)) {
        add(&sum, ticks);
        sum.items++;
        from = ticks + 1;
    }
    print("losses", 0, sum);
}

static void print_health(const struct tt_capture *c)
{
    for (unsigned kind = 0; kind < TT_HEALTH_COUNT; kind++) {
        struct sum sum = {.items = tt_health_count(c, (enum tt_health_kind)kind)};
        print("health", kind, sum);
    }
}

int main(int argc, char **argv)
{
    struct tt_trace *trace;
    struct tt_status status = tt_ok();
    if (argc != 2) {
        fprintf(stderr, "usage: print_model CAPTURE\n");
        return 2;
    }
    status = tt_trace_open(argv[1], NULL, &trace);
    if (tt_failed(&status)) {
        fprintf(stderr, "print_model: %s: %s\n", argv[1], status.text);
        return 2;
    }
    status = tt_trace_index(trace);
    const struct tt_timelines *t = tt_trace_timelines(trace);
    const struct tt_capture *c = tt_trace_capture(trace);
    struct tt_progress progress = tt_trace_progress(trace);
    printf("events %" PRIu64 " derived %" PRIu64 " runs %u\n", progress.events, progress.derived,
           progress.runs);
    if (t) {
        printf("from %" PRIu64 " to %" PRIu64 ", intervals %" PRIu64 "\n", tt_timelines_begin(t),
               tt_timelines_end(t), tt_timelines_intervals(t));
        for (uint32_t thread = 0; thread < tt_thread_count(c); thread++) {
            print_thread(t, thread);
            print_slices(t, thread);
        }
        print_slices(t, TT_NO_THREAD);
        for (uint32_t cpu = 0; cpu < tt_cpu_count(t); cpu++) {
            print_cpu(t, (uint16_t)cpu);
        }
        for (uint32_t series = 0; series < tt_counter_series(t); series++) {
            print_series(t, series);
        }
        print_losses(t);
    }
    print_health(c);
    tt_trace_close(trace);
    return tt_failed(&status) ? 2 : 0;
}
