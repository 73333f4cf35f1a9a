/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Metrics of random ranges of samples and real captures: each equals a walk over all intervals (or
 * events), and those of the two halves of a range add up.
 */
#include <criterion/criterion.h>
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tracetui/stats.h"

static uint64_t seed;

static uint64_t dice(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below > 0 ? (seed >> 16) % below : 0;
}

/*
 * from <= middle <= to at random, sometimes with an end outside the capture or exactly at a change.
 */
struct range {
    uint64_t from;
    uint64_t middle;
    uint64_t to;
};

/* Returns a time at which a thread's state changes, if there is one. */
static uint64_t some_change(const struct tt_timelines *t, uint32_t threads)
{
    uint64_t begin = tt_timelines_begin(t), span = tt_timelines_end(t) - begin + 1;
    struct tt_interval_at at;
    uint64_t time = begin + dice(span);
    if (dice(2) && threads > 0 && tt_interval_find(t, (uint32_t)dice(threads), time, &at)) {
        return tt_interval_get(t, at).start;
    }
    return time;
}

static int compare_u64(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static struct range random_range(const struct tt_timelines *t, uint32_t threads)
{
    uint64_t v[3];
    for (unsigned i = 0; i < 3; i++) {
        v[i] = some_change(t, threads);
    }
    v[0] = dice(10) == 0 ? 0 : v[0];
    v[2] = dice(10) == 0 ? UINT64_MAX : v[2];
    v[1] = dice(10) == 0 ? v[0] : v[1];
    qsort(v, 3, sizeof *v, compare_u64);
    return (struct range){v[0], v[1], v[2]};
}

/* ---- threads ------------------------------------------------------------------------------ */

static void walk_thread(const struct tt_timelines *t, uint32_t thread, struct range r,
                        struct tt_thread_sums *sums)
{
    struct tt_interval_at at;
    memset(sums, 0, sizeof *sums);
    for (bool more = tt_interval_first(t, thread, &at); more; more = tt_interval_next(t, &at)) {
        struct tt_interval i = tt_interval_get(t, at);
        uint64_t low = i.start > r.from ? i.start : r.from, high = i.end < r.to ? i.end : r.to;
        bool begins = i.start >= r.from && i.start < r.to;
        if (high > low) {
            sums->ticks[i.class_] += high - low;
            sums->irq += i.class_ == TT_CLASS_RUNNING ? tt_cpu_irq(t, i.cpu, low, high) : 0;
        }
        if (i.class_ == TT_CLASS_RUNNING && begins) {
            sums->in += i.switched_in;
            sums->migrations += i.migrated;
        }
    }
}

/* Counts switches from and to the thread by CPU, when another thread followed it. */
static uint64_t walk_outs(const struct tt_timelines *t, uint32_t thread, struct range r)
{
    uint64_t outs = 0;
    for (uint32_t cpu = 0; cpu < tt_cpu_count(t); cpu++) {
        struct tt_occupation_at at;
        uint32_t last = TT_OCCUPANT_UNKNOWN;
        bool more = tt_occupation_first(t, (uint16_t)cpu, &at);
        for (; more; more = tt_occupation_next(t, &at)) {
            struct tt_occupation o = tt_occupation_get(t, at);
            if (o.occupant == TT_OCCUPANT_UNKNOWN) {
                last = TT_OCCUPANT_UNKNOWN;
            } else if (o.occupant != TT_OCCUPANT_KERNEL) {
                outs +=
                    last == thread && o.occupant != thread && o.start >= r.from && o.start < r.to;
                last = o.occupant;
            }
        }
    }
    return outs;
}

static void check_same_sums(const char *path, uint32_t thread, const struct tt_thread_sums *a,
                            const struct tt_thread_sums *b)
{
    for (unsigned i = 0; i < TT_CLASS_COUNT; i++) {
        cr_assert_eq(a->ticks[i], b->ticks[i], "%s: thread %u, %s: %" PRIu64 ", not %" PRIu64, path,
                     thread, tt_class_name(i), a->ticks[i], b->ticks[i]);
    }
    cr_assert_eq(a->irq, b->irq, "%s: thread %u", path, thread);
    cr_assert_eq(a->in, b->in, "%s: thread %u: in %" PRIu64 ", not %" PRIu64, path, thread, a->in,
                 b->in);
    cr_assert_eq(a->migrations, b->migrations, "%s: thread %u", path, thread);
}

static void check_thread(const char *path, struct tt_trace *trace, uint32_t thread, struct range r)
{
    const struct tt_timelines *t = tt_trace_timelines(trace);
    struct tt_thread_sums all, first, second, walked;
    tt_thread_sum(t, thread, r.from, r.to, &all);
    tt_thread_sum(t, thread, r.from, r.middle, &first);
    tt_thread_sum(t, thread, r.middle, r.to, &second);
    walk_thread(t, thread, r, &walked);
    check_same_sums(path, thread, &all, &walked);
    uint64_t outs = all.out_voluntary + all.out_preempted + all.out_unknown;
    uint64_t left = walk_outs(t, thread, r);
    cr_assert_eq(outs, left, "%s: thread %u: out %" PRIu64 ", not %" PRIu64, path, thread, outs,
                 left);
    cr_assert_eq(all.out_voluntary, first.out_voluntary + second.out_voluntary);
    cr_assert_eq(all.out_preempted, first.out_preempted + second.out_preempted);
    cr_assert_eq(all.out_unknown, first.out_unknown + second.out_unknown);
    cr_assert_eq(all.runs, first.runs + second.runs);
    tt_thread_sums_add(&first, &second);
    check_same_sums(path, thread, &first, &all);
}

static void check_parts(const char *path, const struct tt_samples *all,
                        const struct tt_samples *first, const struct tt_samples *second)
{
    cr_assert_eq(all->count, first->count + second->count, "%s", path);
    cr_assert_eq(all->sum, first->sum + second->sum, "%s", path);
    cr_assert_eq(all->max, first->max > second->max ? first->max : second->max, "%s", path);
}

static void check_delays(const char *path, const struct tt_timelines *t, uint32_t thread,
                         struct range r)
{
    struct tt_delays all = {0}, first = {0}, second = {0};
    cr_assert(tt_delays_gather(&all, t, thread, r.from, r.to));
    cr_assert(tt_delays_gather(&first, t, thread, r.from, r.middle));
    cr_assert(tt_delays_gather(&second, t, thread, r.middle, r.to));
    check_parts(path, &all.delay, &first.delay, &second.delay);
    check_parts(path, &all.preempted, &first.preempted, &second.preempted);
    check_parts(path, &all.wait, &first.wait, &second.wait);
    check_parts(path, &all.slice, &first.slice, &second.slice);
    tt_delays_free(&all);
    tt_delays_free(&first);
    tt_delays_free(&second);
}

/* ---- CPUs --------------------------------------------------------------------------------- */

static void check_cpu(const char *path, const struct tt_trace *trace, const struct tt_timelines *t,
                      uint16_t cpu, struct range r)
{
    const struct tt_capture *c = tt_trace_capture((struct tt_trace *)trace);
    struct tt_cpu_sums all, first, second, walked = {0};
    struct tt_occupation_at at;
    uint64_t inside = 0;
    bool more = tt_occupation_first(t, cpu, &at);
    for (; more; more = tt_occupation_next(t, &at)) {
        struct tt_occupation o = tt_occupation_get(t, at);
        uint64_t low = o.start > r.from ? o.start : r.from, high = o.end < r.to ? o.end : r.to;
        if (high <= low) {
            continue;
        }
        uint64_t irq = tt_cpu_irq(t, cpu, low, high), ticks = high - low - irq;
        bool thread = o.occupant < tt_thread_count(c);
        bool kernel =
            o.occupant == TT_OCCUPANT_KERNEL || (thread && tt_thread_at(c, o.occupant)->pseudo);
        walked.irq += irq;
        walked.unknown += o.occupant == TT_OCCUPANT_UNKNOWN ? ticks : 0;
        walked.kernel += kernel ? ticks : 0;
        walked.idle += !kernel && o.idle ? ticks : 0;
        walked.busy += !kernel && !o.idle && thread ? ticks : 0;
    }
    tt_cpu_sum(t, cpu, r.from, r.to, &all);
    tt_cpu_sum(t, cpu, r.from, r.middle, &first);
    tt_cpu_sum(t, cpu, r.middle, r.to, &second);
    cr_assert_eq(all.irq, walked.irq, "%s: CPU %u", path, cpu);
    cr_assert_eq(all.unknown, walked.unknown, "%s: CPU %u", path, cpu);
    cr_assert_eq(all.kernel, walked.kernel, "%s: CPU %u", path, cpu);
    cr_assert_eq(all.idle, walked.idle, "%s: CPU %u", path, cpu);
    cr_assert_eq(all.busy, walked.busy, "%s: CPU %u", path, cpu);
    uint64_t begin = tt_timelines_begin(t), end = tt_timelines_end(t);
    uint64_t low = r.from > begin ? r.from : begin, high = r.to < end ? r.to : end;
    inside = high > low ? high - low : 0;
    cr_assert_eq(all.busy + all.idle + all.irq + all.kernel + all.unknown, inside, "%s: CPU %u",
                 path, cpu);
    cr_assert_eq(all.busy, first.busy + second.busy, "%s: CPU %u", path, cpu);
    cr_assert_eq(all.idle, first.idle + second.idle, "%s: CPU %u", path, cpu);
    cr_assert_eq(all.irq, first.irq + second.irq, "%s: CPU %u", path, cpu);
    cr_assert_eq(all.kernel, first.kernel + second.kernel, "%s: CPU %u", path, cpu);
    cr_assert_eq(all.interrupts, first.interrupts + second.interrupts, "%s: CPU %u", path, cpu);
    cr_assert_eq(all.nested, first.nested + second.nested, "%s: CPU %u", path, cpu);
    cr_assert_eq(all.switches, first.switches + second.switches, "%s: CPU %u", path, cpu);
}

/* ---- pairs -------------------------------------------------------------------------------- */

static uint64_t count_of(const struct tt_pairs *pairs, const struct tt_pair *pair)
{
    for (size_t i = 0; i < pairs->count; i++) {
        const struct tt_pair *p = &pairs->pairs[i];
        if (p->cpu == pair->cpu && p->from == pair->from && p->to == pair->to) {
            return p->count;
        }
    }
    return 0;
}

static uint64_t total_of(const struct tt_pairs *pairs, uint16_t cpu)
{
    uint64_t total = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        total += pairs->pairs[i].cpu == cpu ? pairs->pairs[i].count : 0;
    }
    return total;
}

static void check_pairs(const char *path, const struct tt_timelines *t, struct range r)
{
    struct tt_pairs all, first, second;
    struct tt_status a = tt_pairs_count(t, r.from, r.to, &all);
    struct tt_status b = tt_pairs_count(t, r.from, r.middle, &first);
    struct tt_status d = tt_pairs_count(t, r.middle, r.to, &second);
    cr_assert(!tt_failed(&a) && !tt_failed(&b) && !tt_failed(&d));
    for (size_t i = 0; i < all.count; i++) {
        const struct tt_pair *p = &all.pairs[i];
        cr_assert_eq(p->count, count_of(&first, p) + count_of(&second, p), "%s", path);
    }
    for (uint16_t cpu = 0; cpu < tt_cpu_count(t); cpu++) {
        struct tt_cpu_sums sums;
        tt_cpu_sum(t, cpu, r.from, r.to, &sums);
        cr_assert_eq(total_of(&all, cpu), sums.switches, "%s: CPU %u", path, cpu);
        cr_assert_eq(total_of(&all, cpu), total_of(&first, cpu) + total_of(&second, cpu));
    }
    tt_pairs_free(&all);
    tt_pairs_free(&first);
    tt_pairs_free(&second);
}

/* ---- events ------------------------------------------------------------------------------- */

static struct tt_event_window window_of(struct tt_events *events, uint64_t from, uint64_t to)
{
    struct tt_event_window w = {.from = from, .to = to};
    w.first_row = tt_events_row_at_key(events, from, 0);
    w.end_row = to == UINT64_MAX ? tt_events_rows(events) : tt_events_row_at_key(events, to, 0);
    return w;
}

static void walk(struct tt_event_stats *s, struct tt_events *events)
{
    for (bool done = false; !done;) {
        struct tt_status status = tt_event_stats_step(s, events, 1 + dice(100000), &done);
        cr_assert(!tt_failed(&status));
    }
}

static struct tt_event_stats *stats_of(struct tt_trace *trace, struct tt_events *events,
                                       uint64_t from, uint64_t to)
{
    struct tt_event_window w = window_of(events, from, to);
    struct tt_event_stats *s = tt_event_stats_new(trace, &w);
    cr_assert_not_null(s);
    walk(s, events);
    return s;
}

static struct tt_event_numbers numbers_named(struct tt_event_stats *s,
                                             const struct tt_event_numbers *like)
{
    struct tt_event_numbers none = {0};
    for (size_t i = 0; i < tt_event_stats_count(s); i++) {
        struct tt_event_numbers n = tt_event_stats_at(s, i);
        if (n.class_id == like->class_id && strcmp(n.name, like->name) == 0) {
            return n;
        }
    }
    return none;
}

static uint64_t walk_events(struct tt_trace *trace, struct tt_events *events,
                            const struct tt_event_numbers *like, uint64_t from, uint64_t to)
{
    struct tt_capture *c = tt_trace_capture(trace);
    struct tt_event batch[256];
    uint64_t count = 0, rows = tt_events_rows(events);
    for (uint64_t row = 0; row < rows;) {
        uint32_t got = tt_events_read(events, row, 256, batch);
        for (uint32_t i = 0; i < got; i++) {
            const struct tt_event_type *type = tt_types_at(c, batch[i].type);
            count += (batch[i].flags & TT_EVENT_UNNUMBERED) == 0 && batch[i].ticks >= from &&
                     batch[i].ticks < to && type->class_id == like->class_id &&
                     strcmp(type->name, like->name) == 0;
        }
        row += got;
    }
    return count;
}

static void check_sums(const char *path, const char *name, const struct tt_distribution *all,
                       const struct tt_distribution *a, const struct tt_distribution *b)
{
    cr_assert_eq(all->count, a->count + b->count, "%s: %s", path, name);
    cr_assert_eq(all->sum, a->sum + b->sum, "%s: %s", path, name);
    cr_assert_eq(all->max, a->max > b->max ? a->max : b->max, "%s: %s", path, name);
}

static void check_same(const char *path, const char *name, const struct tt_distribution *a,
                       const struct tt_distribution *b)
{
    cr_assert_eq(a->count, b->count, "%s: %s", path, name);
    cr_assert_eq(a->sum, b->sum, "%s: %s", path, name);
    cr_assert_eq(a->p50, b->p50, "%s: %s", path, name);
    cr_assert_eq(a->p99, b->p99, "%s: %s", path, name);
    cr_assert_eq(a->max, b->max, "%s: %s", path, name);
}

/* A walk that continues in the second half has the numbers of one that begins at the first event. */
static void check_continued(const char *path, struct tt_trace *trace, struct tt_events *events,
                            struct range r, struct tt_event_stats *second)
{
    struct tt_event_window w = window_of(events, r.from, r.middle);
    struct tt_event_stats *s = tt_event_stats_new(trace, &w);
    tt_event_stats_keep_ends(s);
    walk(s, events);
    w = window_of(events, r.middle, r.to);
    cr_assert(tt_event_stats_continue(s, &w), "%s", path);
    walk(s, events);
    for (size_t i = 0; i < tt_event_stats_count(second); i++) {
        struct tt_event_numbers n = tt_event_stats_at(second, i), k = numbers_named(s, &n);
        cr_assert_eq(n.count, k.count, "%s: %s", path, n.name);
        check_same(path, n.name, &n.period, &k.period);
        check_same(path, n.name, &n.duration, &k.duration);
    }
    w = window_of(events, r.from, r.middle);
    cr_assert(tt_event_stats_row(s) == 0 || w.first_row >= tt_event_stats_row(s) ||
              !tt_event_stats_continue(s, &w));
    tt_event_stats_free(s);
}

static void check_events(const char *path, struct tt_trace *trace, struct tt_events *events,
                         struct range r)
{
    struct tt_event_stats *all = stats_of(trace, events, r.from, r.to);
    struct tt_event_stats *first = stats_of(trace, events, r.from, r.middle);
    struct tt_event_stats *second = stats_of(trace, events, r.middle, r.to);
    check_continued(path, trace, events, r, second);
    for (size_t i = 0; i < tt_event_stats_count(all); i++) {
        struct tt_event_numbers n = tt_event_stats_at(all, i);
        struct tt_event_numbers a = numbers_named(first, &n), b = numbers_named(second, &n);
        cr_assert_eq(n.count, a.count + b.count, "%s: %s", path, n.name);
        check_sums(path, n.name, &n.period, &a.period, &b.period);
        check_sums(path, n.name, &n.duration, &a.duration, &b.duration);
        if (dice(20) == 0) {
            cr_assert_eq(n.count, walk_events(trace, events, &n, r.from, r.to), "%s: %s", path,
                         n.name);
        }
    }
    tt_event_stats_free(all);
    tt_event_stats_free(first);
    tt_event_stats_free(second);
}

/* ---- all captures -------------------------------------------------------------------------- */

static void check_range(const char *path, struct tt_trace *trace, struct tt_events *events,
                        bool events_too)
{
    const struct tt_timelines *t = tt_trace_timelines(trace);
    uint32_t threads = tt_thread_count(tt_trace_capture(trace));
    struct range r = random_range(t, threads);
    for (uint32_t i = 0; i < threads && i < 12; i++) {
        uint32_t thread = (uint32_t)dice(threads);
        check_thread(path, trace, thread, r);
        check_delays(path, t, thread, r);
    }
    for (uint16_t cpu = 0; cpu < tt_cpu_count(t); cpu++) {
        check_cpu(path, trace, t, cpu, r);
    }
    check_pairs(path, t, r);
    if (events_too) {
        check_events(path, trace, events, r);
    }
}

static void check_capture(const char *path)
{
    struct tt_trace *trace;
    struct tt_status status = tt_trace_open(path, NULL, &trace);
    if (tt_failed(&status)) {
        return; /* an unusable one: covered by other tests */
    }
    status = tt_trace_index(trace);
    cr_assert(!tt_failed(&status), "%s: %s", path, status.text);
    struct tt_events *events = tt_events_new(trace);
    for (unsigned round = 0; tt_trace_timelines(trace) && round < 60; round++) {
        check_range(path, trace, events, round % 10 == 0);
    }
    tt_events_free(events);
    tt_trace_close(trace);
}

static void check_all(const char *pattern)
{
    glob_t found;
    if (glob(pattern, 0, NULL, &found) != 0) {
        cr_assert(strncmp(pattern, "samples/", 8) != 0, "%s: samples are missing", pattern);
        cr_skip_test("there is nothing like %s", pattern);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        check_capture(found.gl_pathv[i]);
    }
    globfree(&found);
}

/* The cases of a process share the state of the random numbers. */
static void begin_seed(void)
{
    seed = 11;
}

TestSuite(stats_ranges, .init = begin_seed);

Test(stats_ranges, kev_samples)
{
    check_all("samples/*.kev");
}

Test(stats_ranges, fxt_sample)
{
    check_all("samples/*.fxt");
}

Test(stats_ranges, trx_sample)
{
    check_all("samples/*.trx");
}

Test(stats_ranges, btrace_sample)
{
    check_all("samples/*.btrace");
}

Test(stats_ranges, real_kev)
{
    check_all("../shared/captures/kev/*.kev");
}

Test(stats_ranges, real_fxt)
{
    check_all("../shared/captures/fxt/*.fxt");
}

Test(stats_ranges, real_trx)
{
    check_all("../shared/captures/trx/*.trx");
}
