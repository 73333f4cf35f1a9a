/* SPDX-License-Identifier: Apache-2.0 */
/* Actions fed at once, which are handled in groups, have the same result as one after the other. */
#include <criterion/criterion.h>

#include "fed_timelines.h"
#include "tracetui/counters.h"
#include "tracetui/slices.h"

#define THREADS 3u
#define SERIES  3u
#define CPUS    2u
#define ACTIONS 3000u

enum { UNKNOWN, READY, RUNNING, WAITING, STATES };

static const struct tt_state_info states[STATES] = {
    [UNKNOWN] = {.name = "unknown", .class_ = TT_CLASS_UNKNOWN},
    [READY] = {.name = "ready", .class_ = TT_CLASS_READY},
    [RUNNING] = {.name = "running", .class_ = TT_CLASS_RUNNING},
    [WAITING] = {.name = "waiting", .class_ = TT_CLASS_WAIT},
};

static uint64_t seed;

static uint64_t dice(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

/* Problems of several groups: threads on two CPUs, ends without a begin, slices that are too deep. */
static void make_actions(struct tt_action *actions, bool lossy)
{
    static const uint8_t kinds[] = {TT_ACTION_STATE,       TT_ACTION_STATE,     TT_ACTION_NOTE,
                                    TT_ACTION_SLICE_BEGIN, TT_ACTION_SLICE_END, TT_ACTION_SLICE,
                                    TT_ACTION_ASYNC_BEGIN, TT_ACTION_ASYNC_END, TT_ACTION_COUNTER};
    uint64_t ticks = 1;
    for (uint32_t i = 0; i < ACTIONS; i++) {
        ticks += dice(5);
        actions[i] = (struct tt_action){
            .ticks = ticks,
            .pos = i,
            .value = dice(3),
            .thread = (uint32_t)dice(THREADS),
            .other = (uint32_t)dice(SERIES),
            .cpu = (uint16_t)dice(CPUS),
            .priority = TT_NO_PRIORITY,
            .kind = kinds[dice(i % 1000 < 300 ? sizeof kinds : 4)],
        };
        actions[i].state = actions[i].kind == TT_ACTION_STATE ? (uint16_t)dice(STATES) : 0;
        if (lossy && dice(500) == 0) {
            actions[i].kind = TT_ACTION_LOST_SLICES;
        }
    }
}

static struct fed open_fed(const struct tt_format *format)
{
    struct fed f = fed_open(format);
    struct tt_capture *c = f.trace->capture;
    for (uint32_t i = 0; i < THREADS; i++) {
        fed_thread(&f, 1, i + 1);
    }
    for (uint32_t i = 0; i < SERIES; i++) {
        char name[] = {(char)('a' + i), '\0'};
        cr_assert_eq(tt_series_add(c, tt_capture_intern(c, name, 1), UINT32_MAX), i);
    }
    fed_begin(&f, 0);
    return f;
}

static void expect_same_health(const struct tt_capture *a, const struct tt_capture *b)
{
    cr_assert_eq(tt_health_kept(a), tt_health_kept(b));
    for (uint32_t i = 0; i < tt_health_kept(a); i++) {
        struct tt_health_record x = tt_health_at(a, i), y = tt_health_at(b, i);
        cr_expect(x.kind == y.kind && x.pos == y.pos && x.value == y.value, "problem %u", i);
    }
}

static void expect_same_states(const struct tt_timelines *a, const struct tt_timelines *b,
                               uint32_t thread)
{
    struct tt_interval_at x, y;
    bool more = tt_interval_find(a, thread, UINT64_MAX, &x);
    cr_assert_eq(more, tt_interval_find(b, thread, UINT64_MAX, &y));
    while (more) {
        struct tt_interval i = tt_interval_get(a, x), j = tt_interval_get(b, y);
        cr_expect(i.start == j.start && i.end == j.end && i.state == j.state && i.cpu == j.cpu);
        more = tt_interval_previous(a, &x);
        cr_assert_eq(more, tt_interval_previous(b, &y));
    }
}

static void expect_same_slices(const struct tt_timelines *a, const struct tt_timelines *b,
                               uint32_t thread)
{
    uint32_t rows = tt_slice_rows(a, thread);
    cr_assert_eq(rows, tt_slice_rows(b, thread));
    for (uint32_t row = 0; row < rows; row++) {
        const struct tt_slice_row *p = tt_slice_row(a, thread, row);
        const struct tt_slice_row *q = tt_slice_row(b, thread, row);
        struct tt_slice_at x = {p, 0, 0}, y = {q, 0, 0};
        cr_assert_eq(tt_slice_count(p), tt_slice_count(q));
        for (uint64_t i = tt_slice_count(p); i > 0; i--) {
            struct tt_slice s = tt_slice_get(a, x), r = tt_slice_get(b, y);
            cr_expect(s.start == r.start && s.end == r.end && s.open == r.open && s.cut == r.cut);
            tt_slice_next(&x);
            tt_slice_next(&y);
        }
        uint64_t end = tt_timelines_end(a);
        cr_expect_eq(tt_slice_ticks(a, p, end / 3, end), tt_slice_ticks(b, q, end / 3, end));
    }
}

static void expect_same_series(const struct tt_timelines *a, const struct tt_timelines *b,
                               uint32_t series)
{
    struct tt_counter_range x, y;
    cr_expect_eq(tt_counter_values(a, series), tt_counter_values(b, series));
    tt_counter_in(a, series, 10, tt_timelines_end(a), &x);
    tt_counter_in(b, series, 10, tt_timelines_end(b), &y);
    cr_expect(x.changes == y.changes && x.known == y.known && x.last == y.last);
}

static void expect_same(const struct fed *a, const struct fed *b)
{
    expect_same_health(a->trace->capture, b->trace->capture);
    for (uint32_t i = 0; i < THREADS; i++) {
        expect_same_states(a->t, b->t, i);
        expect_same_slices(a->t, b->t, i);
    }
    for (uint32_t i = 0; i < SERIES; i++) {
        expect_same_series(a->t, b->t, i);
    }
}

static void check(bool lossy)
{
    static struct tt_action actions[ACTIONS];
    const struct tt_format format = format_of_states(states, STATES);
    struct fed one = open_fed(&format), all = open_fed(&format);
    make_actions(actions, lossy);
    for (uint32_t i = 0; i < ACTIONS; i++) {
        cr_assert(tt_timelines_feed(one.t, &actions[i], 1));
    }
    cr_assert(tt_timelines_feed(all.t, actions, ACTIONS));
    cr_assert_gt(tt_health_count(one.trace->capture, TT_HEALTH_TWO_CPUS), 0);
    cr_assert_gt(tt_health_count(one.trace->capture, TT_HEALTH_UNMATCHED), 0);
    cr_assert_gt(tt_health_count(one.trace->capture, TT_HEALTH_NESTING), 0);
    expect_same(&one, &all);
    fed_close(&one);
    fed_close(&all);
}

Test(feed_groups, same_as_one_by_one)
{
    for (seed = 1; seed < 20; seed++) {
        check(false);
    }
}

Test(feed_groups, same_with_losses)
{
    for (seed = 100; seed < 120; seed++) {
        check(true);
    }
}
