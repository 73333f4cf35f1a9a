/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Switches out and runs of timelines fed by hand: single cases, and random actions (ties, a thread
 * on two CPUs, losses, threads that end) compared with a plain walk.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

#include "fed_timelines.h"
#include "tracetui/stats.h"

enum { UNKNOWN, READY, RUNNING, WAITING, STOPPED, DEAD, STATES };

static const struct tt_state_info states[STATES] = {
    [UNKNOWN] = {.name = "unknown", .class_ = TT_CLASS_UNKNOWN},
    [READY] = {.name = "ready", .class_ = TT_CLASS_READY},
    [RUNNING] = {.name = "running", .class_ = TT_CLASS_RUNNING},
    [WAITING] = {.name = "waiting", .class_ = TT_CLASS_WAIT},
    [STOPPED] = {.name = "stopped", .class_ = TT_CLASS_STOPPED},
    [DEAD] = {.name = "dead", .class_ = TT_CLASS_DEAD},
};

static struct tt_format with_states;

static struct fed begin_at(uint32_t threads, uint64_t begin)
{
    with_states = format_of_states(states, STATES);
    struct fed f = fed_open(&with_states);
    for (uint32_t i = 0; i < threads; i++) {
        fed_thread(&f, 1, i + 1);
    }
    fed_begin(&f, begin);
    return f;
}

static void goes_to(struct fed *f, uint64_t ticks, uint32_t thread, uint16_t state, uint16_t cpu)
{
    feed(f, (struct tt_action){.ticks = ticks,
                               .thread = thread,
                               .other = TT_NO_THREAD,
                               .state = state,
                               .cpu = cpu,
                               .kind = TT_ACTION_STATE});
}

static void runs(struct fed *f, uint64_t ticks, uint32_t thread, uint16_t cpu)
{
    goes_to(f, ticks, thread, RUNNING, cpu);
}

static void switches(struct fed *f, uint64_t ticks, uint32_t from, uint32_t to, uint16_t cpu,
                     uint16_t state)
{
    feed(f, (struct tt_action){.ticks = ticks,
                               .thread = to,
                               .other = from,
                               .state = state,
                               .cpu = cpu,
                               .kind = TT_ACTION_SWITCH});
}

static void loses(struct fed *f, uint64_t ticks, uint64_t since, uint16_t cpu)
{
    feed(f, (struct tt_action){.ticks = ticks,
                               .thread = TT_NO_THREAD,
                               .other = TT_NO_THREAD,
                               .value = since,
                               .cpu = cpu,
                               .kind = TT_ACTION_LOST});
}

static void expect_outs(const struct fed *f, uint32_t thread, uint64_t from, uint64_t to,
                        uint64_t voluntary, uint64_t preempted, uint64_t unknown)
{
    struct tt_thread_sums s;
    tt_thread_sum(f->t, thread, from, to, &s);
    cr_expect(s.out_voluntary == voluntary && s.out_preempted == preempted &&
                  s.out_unknown == unknown,
              "thread %u, %" PRIu64 " to %" PRIu64 ": %" PRIu64 " voluntary, %" PRIu64
              " preempted, %" PRIu64 " unknown",
              thread, from, to, s.out_voluntary, s.out_preempted, s.out_unknown);
}

static struct tt_delays delays_of(const struct fed *f, uint32_t thread)
{
    struct tt_delays d = {0};
    cr_assert(tt_delays_gather(&d, f->t, thread, 0, UINT64_MAX));
    return d;
}

static void expect_slices(const struct fed *f, uint32_t thread, size_t count, uint64_t max)
{
    struct tt_delays d = delays_of(f, thread);
    cr_expect(d.slice.count == count && d.slice.max == max,
              "thread %u: %zu slices, the longest %" PRIu64, thread, d.slice.count, d.slice.max);
    tt_delays_free(&d);
}

/* ---- cases by name ------------------------------------------------------------------------ */

Test(switches, out_at_the_very_first_tick_counts_there)
{
    struct fed f = begin_at(3, 100);
    switches(&f, 100, 0, 1, 0, WAITING);
    switches(&f, 150, 1, 2, 0, READY);
    goes_to(&f, 180, 0, READY, 0);
    expect_outs(&f, 0, 100, 101, 1, 0, 0);
    expect_outs(&f, 0, 101, 1000, 0, 0, 0);
    switches(&f, 200, 2, 0, 0, READY);
    expect_outs(&f, 0, 100, 101, 1, 0, 0);
    expect_outs(&f, 0, 101, 1000, 0, 0, 0);
    fed_close(&f);
}

Test(switches, a_thread_first_seen_leaving_has_no_run)
{
    struct fed f = begin_at(3, 100);
    switches(&f, 100, 0, 1, 0, READY);
    switches(&f, 150, 1, 0, 0, READY);
    switches(&f, 180, 0, 1, 0, READY);
    expect_slices(&f, 0, 1, 30);
    expect_slices(&f, 1, 1, 50);
    struct tt_delays d = delays_of(&f, 0);
    cr_expect_eq(d.preempted.count, 1, "when it left is known");
    cr_expect_eq(d.preempted.max, 50);
    tt_delays_free(&d);
    /* The same after a loss. */
    loses(&f, 200, 190, TT_NO_CPU);
    switches(&f, 200, 2, 0, 0, READY);
    switches(&f, 220, 0, 1, 0, READY);
    expect_slices(&f, 2, 0, 0);
    expect_slices(&f, 0, 2, 30);
    fed_close(&f);
}

Test(switches, a_thread_running_before_the_capture_has_no_run_and_ends_no_delay)
{
    struct fed f = begin_at(3, 100);
    goes_to(&f, 100, 0, WAITING, 0);
    goes_to(&f, 110, 0, READY, 0);
    feed(&f, (struct tt_action){.ticks = 120,
                                .thread = 0,
                                .other = TT_NO_THREAD,
                                .state = RUNNING,
                                .kind = TT_ACTION_STATE,
                                .flags = TT_ACTION_RAN_BEFORE});
    switches(&f, 130, 0, 1, 0, READY);
    switches(&f, 140, 1, 0, 0, READY);
    switches(&f, 155, 0, 1, 0, READY);
    expect_slices(&f, 0, 1, 15);
    struct tt_delays d = delays_of(&f, 0);
    cr_expect_eq(d.delay.count, 0);
    cr_expect_eq(d.preempted.count, 1);
    tt_delays_free(&d);
    fed_close(&f);
}

Test(switches, only_the_first_of_a_cpu_may_have_run_before)
{
    struct fed f = begin_at(3, 100);
    struct tt_action a = {.other = TT_NO_THREAD, .kind = TT_ACTION_SWITCH, .state = READY};
    a.flags = TT_ACTION_RAN_BEFORE;
    a.ticks = 100;
    a.thread = 0;
    feed(&f, a);
    switches(&f, 120, 0, 1, 0, READY);
    loses(&f, 150, 140, TT_NO_CPU);
    a.ticks = 150;
    a.thread = 2;
    feed(&f, a);
    switches(&f, 160, 2, 1, 0, READY);
    expect_slices(&f, 0, 0, 0);
    expect_slices(&f, 2, 1, 10);
    fed_close(&f);
}

Test(switches, a_run_cut_by_a_loss_does_not_count)
{
    struct fed f = begin_at(3, 0);
    runs(&f, 10, 0, 0);
    runs(&f, 10, 1, 1);
    goes_to(&f, 20, 0, WAITING, 0);
    runs(&f, 30, 0, 0);
    loses(&f, 60, 45, TT_NO_CPU);
    runs(&f, 70, 0, 0);
    goes_to(&f, 75, 0, WAITING, 0);
    runs(&f, 80, 2, 0);
    loses(&f, 80, 80, TT_NO_CPU); /* leaves a run of duration 0 */
    expect_slices(&f, 0, 2, 10);
    expect_slices(&f, 1, 0, 0);
    expect_slices(&f, 2, 0, 0);
    fed_close(&f);
}

Test(switches, a_loss_of_another_cpu_cuts_nothing)
{
    struct fed f = begin_at(2, 0);
    runs(&f, 10, 0, 0);
    runs(&f, 10, 1, 1);
    loses(&f, 60, 45, 1);
    goes_to(&f, 70, 0, WAITING, 0);
    expect_slices(&f, 0, 1, 60);
    expect_slices(&f, 1, 0, 0);
    fed_close(&f);
}

Test(switches, a_state_after_a_known_end_cuts_nothing)
{
    struct fed f = begin_at(2, 0);
    runs(&f, 10, 0, 0);
    switches(&f, 25, 0, 1, 0, UNKNOWN);
    expect_slices(&f, 0, 1, 15);
    expect_outs(&f, 0, 0, 100, 0, 0, 1);
    fed_close(&f);
}

Test(switches, two_pending_outs_count_at_their_own_times)
{
    struct fed f = begin_at(3, 0);
    runs(&f, 10, 0, 0);
    goes_to(&f, 20, 0, WAITING, 0);
    runs(&f, 30, 0, 1);
    goes_to(&f, 40, 0, READY, 1);
    runs(&f, 50, 0, 2);
    runs(&f, 60, 1, 0);
    runs(&f, 70, 2, 1);
    expect_outs(&f, 0, 0, 60, 0, 0, 0);
    expect_outs(&f, 0, 60, 61, 1, 0, 0);
    expect_outs(&f, 0, 61, 70, 0, 0, 0);
    expect_outs(&f, 0, 70, 71, 0, 1, 0);
    goes_to(&f, 80, 0, WAITING, 2);
    expect_outs(&f, 0, 71, 90, 0, 0, 0);
    expect_outs(&f, 0, 0, 90, 1, 1, 0);
    fed_close(&f);
}

Test(switches, other_threads_between_runs_of_one_instant)
{
    struct fed f = begin_at(3, 0);
    runs(&f, 10, 0, 0);
    runs(&f, 10, 1, 0);
    runs(&f, 10, 0, 0);
    goes_to(&f, 10, 0, WAITING, 0);
    expect_outs(&f, 0, 0, 20, 0, 1, 0);
    runs(&f, 30, 2, 0);
    expect_outs(&f, 0, 0, 20, 0, 1, 0);
    expect_outs(&f, 0, 20, 40, 1, 0, 0);
    fed_close(&f);
}

Test(switches, announced_after_an_interrupt)
{
    struct fed f = begin_at(2, 100);
    struct tt_action a = {.thread = TT_NO_THREAD, .other = TT_NO_THREAD, .cpu = 0};
    a.kind = TT_ACTION_INTERRUPT_ENTER;
    a.ticks = 110;
    feed(&f, a);
    a.kind = TT_ACTION_INTERRUPT_LEAVE;
    a.ticks = 120;
    feed(&f, a);
    feed(&f, (struct tt_action){.ticks = 130,
                                .thread = 0,
                                .other = TT_NO_THREAD,
                                .kind = TT_ACTION_THREAD_CREATE,
                                .flags = TT_ACTION_ANNOUNCED});
    runs(&f, 130, 0, 0);
    /* More changes than a chunk has: the builder's sums are used. */
    for (uint32_t i = 1; i < 600; i++) {
        runs(&f, 130 + i, i % 2, 0);
    }
    struct tt_thread_sums s;
    struct tt_cpu_sums c;
    tt_thread_sum(f.t, 0, 0, 1000, &s);
    cr_expect_eq(s.irq, 10, "%" PRIu64, s.irq);
    tt_cpu_sum(f.t, 0, 0, 1000, &c);
    cr_expect_eq(c.irq, 10, "%" PRIu64, c.irq);
    cr_expect_eq(c.unknown, 0, "%" PRIu64, c.unknown);
    cr_expect_eq(c.busy, 619, "%" PRIu64, c.busy);
    fed_close(&f);
}

/* The event that leaves an interrupt is missing: it ends when the CPU sets a thread running, however deep it is. */
Test(switches, a_running_thread_ends_interrupts)
{
    for (unsigned depth = 1; depth <= 3; depth++) {
        struct fed f = begin_at(2, 100);
        struct tt_action a = {.thread = TT_NO_THREAD,
                              .other = TT_NO_THREAD,
                              .cpu = 0,
                              .kind = TT_ACTION_INTERRUPT_ENTER,
                              .ticks = 110};
        runs(&f, 100, 0, 0);
        for (unsigned i = 0; i < depth; i++) {
            feed(&f, a);
        }
        runs(&f, 150, 1, 0);
        a.kind = TT_ACTION_INTERRUPT_LEAVE; /* of one that is over */
        a.ticks = 160;
        feed(&f, a);
        runs(&f, 200, 0, 0);
        struct tt_thread_sums s;
        struct tt_cpu_sums c;
        tt_cpu_sum(f.t, 0, 0, 1000, &c);
        cr_expect_eq(c.irq, 40, "%" PRIu64, c.irq);
        cr_expect_eq(c.interrupts, depth, "%" PRIu64, c.interrupts);
        tt_thread_sum(f.t, 1, 0, 1000, &s);
        cr_expect_eq(s.irq, 0, "%" PRIu64, s.irq);
        fed_close(&f);
    }
}

/* ---- random ones, and a plain walk -------------------------------------------------------- */

enum { THREADS = 6, CPUS = 3, RUNS = 4096 };

static uint64_t seed;

static uint64_t dice(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

static void feed_random(struct fed *f, uint64_t ticks, uint64_t *last)
{
    uint32_t thread = (uint32_t)dice(THREADS), other = (uint32_t)dice(THREADS + 1);
    uint16_t cpu = (uint16_t)dice(CPUS);
    uint16_t away[] = {READY, WAITING, WAITING, STOPPED, DEAD, UNKNOWN};
    uint16_t state = away[dice(6)];
    other = other == THREADS || other == thread ? TT_NO_THREAD : other;
    switch (dice(24)) {
    case 0:
        loses(f, ticks, *last, dice(2) ? cpu : TT_NO_CPU);
        break;
    case 1:
        feed(f, (struct tt_action){.ticks = ticks,
                                   .thread = thread,
                                   .other = TT_NO_THREAD,
                                   .kind = TT_ACTION_THREAD_CREATE,
                                   .flags = dice(2) ? TT_ACTION_ANNOUNCED : 0});
        break;
    case 2:
    case 3:
    case 4:
        feed(f, (struct tt_action){.ticks = ticks,
                                   .thread = thread,
                                   .other = TT_NO_THREAD,
                                   .kind = TT_ACTION_WAKEUP});
        break;
    case 5:
    case 6:
    case 7:
    case 8:
        goes_to(f, ticks, thread, state, cpu);
        break;
    case 9:
    case 10:
    case 11:
        switches(f, ticks, other, thread, cpu, state);
        break;
    case 12:
        switches(f, ticks, thread, TT_NO_THREAD, cpu, state);
        break;
    default:
        runs(f, ticks, thread, cpu);
        break;
    }
    *last = ticks;
}

struct run {
    uint64_t start;
    uint16_t cpu;
    uint8_t after; /* class of the next state */
};

static uint32_t list_runs(const struct fed *f, uint32_t thread, struct run *list)
{
    struct tt_interval_at at;
    uint32_t count = 0;
    bool pending = false;
    for (bool more = tt_interval_first(f->t, thread, &at); more;
         more = tt_interval_next(f->t, &at)) {
        struct tt_interval i = tt_interval_get(f->t, at);
        bool is_run = i.class_ == TT_CLASS_RUNNING;
        if (pending) {
            list[count - 1].after = is_run ? TT_CLASS_UNKNOWN : i.class_;
        }
        pending = is_run;
        if (is_run) {
            cr_assert_lt(count, RUNS);
            list[count++] = (struct run){i.start, i.cpu, TT_CLASS_COUNT};
        }
    }
    return count;
}

/* Counts the thread's outs by occupants: its n-th run on a CPU is its n-th occupation there. */
static void walk_outs(const struct fed *f, uint32_t thread, uint64_t from, uint64_t to,
                      uint16_t only, struct tt_thread_sums *sums)
{
    static struct run list[RUNS];
    uint32_t count = list_runs(f, thread, list);
    memset(sums, 0, sizeof *sums);
    for (uint16_t cpu = 0; cpu < tt_cpu_count(f->t); cpu++) {
        struct tt_occupation_at at;
        const struct run *on = NULL;
        uint32_t n = 0;
        for (bool more = tt_occupation_first(f->t, cpu, &at); more;
             more = tt_occupation_next(f->t, &at)) {
            struct tt_occupation o = tt_occupation_get(f->t, at);
            bool is_other = o.occupant != thread && o.occupant < TT_OCCUPANT_IDLE + 1;
            if (on && is_other && o.start >= from && o.start < to &&
                (only == TT_NO_CPU || only == cpu)) {
                sums->out_preempted += on->after == TT_CLASS_READY;
                sums->out_unknown += on->after == TT_CLASS_UNKNOWN;
                sums->out_voluntary += on->after != TT_CLASS_READY && on->after != TT_CLASS_UNKNOWN;
            }
            if (is_other || o.occupant == TT_OCCUPANT_UNKNOWN) {
                on = NULL;
            }
            if (o.occupant == thread) {
                while (n < count && list[n].cpu != cpu) {
                    n++;
                }
                cr_assert_lt(n, count, "an occupation without a run");
                cr_assert_eq(list[n].start, o.start);
                on = &list[n++];
            }
        }
    }
}

static void expect_same(const struct tt_thread_sums *a, const struct tt_thread_sums *b,
                        const char *what, unsigned round, uint32_t thread)
{
    cr_assert(a->out_voluntary == b->out_voluntary && a->out_preempted == b->out_preempted &&
                  a->out_unknown == b->out_unknown,
              "round %u, thread %u: %s: %" PRIu64 " %" PRIu64 " %" PRIu64 ", not %" PRIu64
              " %" PRIu64 " %" PRIu64,
              round, thread, what, a->out_voluntary, a->out_preempted, a->out_unknown,
              b->out_voluntary, b->out_preempted, b->out_unknown);
}

static void expect_equal_sums(const struct tt_thread_sums *a, const struct tt_thread_sums *b,
                              const char *what, unsigned round, uint32_t thread)
{
    expect_same(a, b, what, round, thread);
    cr_assert(a->in == b->in && a->migrations == b->migrations && a->runs == b->runs,
              "round %u, thread %u: %s: in, migrations or runs", round, thread, what);
    cr_assert_arr_eq(a->ticks, b->ticks, sizeof a->ticks, "round %u, thread %u: %s", round, thread,
                     what);
}

static void check_thread(const struct fed *f, uint32_t thread, const uint64_t v[3], unsigned round)
{
    struct tt_thread_sums all, part, walked, cpus = {0};
    struct tt_delays d[3];
    memset(d, 0, sizeof d);
    tt_thread_sum(f->t, thread, v[0], v[2], &all);
    walk_outs(f, thread, v[0], v[2], TT_NO_CPU, &walked);
    expect_same(&all, &walked, "outs", round, thread);
    for (uint16_t cpu = 0; cpu <= CPUS; cpu++) {
        uint64_t bits = UINT64_C(1) << cpu;
        struct tt_window w = {.from = v[0], .to = v[2], .cpus = &bits, .cpu_limit = CPUS};
        tt_thread_sum_in(f->t, thread, &w, &part);
        walk_outs(f, thread, v[0], v[2], cpu, &walked);
        expect_same(&part, &walked, "outs on a CPU", round, thread);
        tt_thread_sums_add(&cpus, &part);
    }
    memcpy(cpus.ticks, all.ticks, sizeof all.ticks); /* a lane has no CPU before its first run */
    expect_equal_sums(&cpus, &all, "the CPUs together", round, thread);
    struct tt_thread_sums two;
    tt_thread_sum(f->t, thread, v[0], v[1], &two);
    tt_thread_sum(f->t, thread, v[1], v[2], &part);
    tt_thread_sums_add(&two, &part);
    expect_equal_sums(&two, &all, "parts", round, thread);
    cr_assert(tt_delays_gather(&d[0], f->t, thread, v[0], v[2]));
    cr_assert(tt_delays_gather(&d[1], f->t, thread, v[0], v[1]));
    cr_assert(tt_delays_gather(&d[2], f->t, thread, v[1], v[2]));
    cr_assert_eq(d[0].slice.count, d[1].slice.count + d[2].slice.count);
    cr_assert_eq(d[0].delay.count, d[1].delay.count + d[2].delay.count);
    cr_assert_eq(d[0].preempted.count, d[1].preempted.count + d[2].preempted.count);
    cr_assert_eq(d[0].wait.count, d[1].wait.count + d[2].wait.count);
    for (unsigned i = 0; i < 3; i++) {
        tt_delays_free(&d[i]);
    }
}

static int compare_u64(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void check_window(const struct fed *f, uint64_t span, unsigned round)
{
    uint64_t v[3] = {dice(span), dice(span), dice(span)}, in = 0, out = 0, switched = 0;
    qsort(v, 3, sizeof *v, compare_u64);
    for (uint32_t thread = 0; thread < THREADS; thread++) {
        struct tt_thread_sums s;
        check_thread(f, thread, v, round);
        tt_thread_sum(f->t, thread, v[0], v[2], &s);
        in += s.in;
        out += s.out_voluntary + s.out_preempted + s.out_unknown;
    }
    for (uint16_t cpu = 0; cpu < tt_cpu_count(f->t); cpu++) {
        struct tt_occupation_at at;
        struct tt_cpu_sums s;
        uint32_t last = TT_OCCUPANT_UNKNOWN;
        tt_cpu_sum(f->t, cpu, v[0], v[2], &s);
        switched += s.switches;
        /* Idle without a thread has no lane. */
        for (bool more = tt_occupation_first(f->t, cpu, &at); more;
             more = tt_occupation_next(f->t, &at)) {
            struct tt_occupation o = tt_occupation_get(f->t, at);
            bool inside = o.start >= v[0] && o.start < v[2], is = last != TT_OCCUPANT_UNKNOWN;
            if (o.occupant == TT_OCCUPANT_KERNEL) {
                continue;
            }
            in += inside && is && o.occupant == TT_OCCUPANT_IDLE && last != TT_OCCUPANT_IDLE;
            out += inside && o.occupant < THREADS && last == TT_OCCUPANT_IDLE;
            last = o.occupant;
        }
    }
    cr_assert_eq(in, switched, "round %u: in %" PRIu64 ", switches %" PRIu64, round, in, switched);
    cr_assert_eq(out, switched, "round %u: out %" PRIu64 ", switches %" PRIu64, round, out,
                 switched);
}

/* Few ticks: many actions share one. */
Test(switches, every_window_of_random_timelines)
{
    for (unsigned round = 0; round < 300; round++) {
        uint64_t ticks = 5, last = 5, steps = round < 250 ? 40 : 1200;
        seed = round * 977 + 3;
        uint64_t pace = 1 + dice(4);
        struct fed f = begin_at(THREADS, 5);
        for (uint64_t i = 0; i < steps; i++) {
            ticks += dice(pace + 1);
            feed_random(&f, ticks, &last);
        }
        for (unsigned window = 0; window < 12; window++) {
            check_window(&f, ticks + 8, round);
        }
        fed_close(&f);
    }
}
