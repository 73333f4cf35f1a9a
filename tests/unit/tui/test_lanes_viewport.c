/* SPDX-License-Identifier: Apache-2.0 */
/* The window: invariants after any keys, in captures of any duration anywhere in 64 bits. */
#include <criterion/criterion.h>

#include "tui/model/viewport.h"

static uint64_t seed;

static uint64_t dice(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return below > 0 ? (seed >> 13) % below : 0;
}

static void check(const struct tt_viewport *w, struct tt_bounds b, unsigned columns)
{
    uint64_t whole = b.end - b.begin, span = w->to - w->from;
    cr_assert_lt(w->from, w->to);
    cr_assert_geq(span, columns);
    cr_assert(w->at >= w->from && w->at < w->to);
    if (whole >= columns) {
        cr_assert(w->from >= b.begin && w->to <= b.end);
    } else {
        cr_assert_eq(span, columns);
    }
    cr_assert_eq(tt_viewport_edge(w, columns, 0), w->from);
    cr_assert_eq(tt_viewport_edge(w, columns, columns), w->to);
    for (unsigned i = 0; i < columns; i++) {
        uint64_t edge = tt_viewport_edge(w, columns, i), next = tt_viewport_edge(w, columns, i + 1);
        cr_assert_lt(edge, next);
        cr_assert_eq(tt_viewport_column(w, columns, edge), i);
        cr_assert_eq(tt_viewport_column(w, columns, next - 1), i);
    }
}

static void press(struct tt_viewport *w, struct tt_bounds b, unsigned columns)
{
    int by = (int)dice(2 * columns) - (int)columns;
    switch (dice(9)) {
    case 0:
        tt_viewport_all(w, b, columns);
        break;
    case 1:
    case 2:
        tt_viewport_zoom(w, b, columns, true);
        break;
    case 3:
        tt_viewport_zoom(w, b, columns, false);
        break;
    case 4:
        tt_viewport_pan(w, b, columns, by);
        break;
    case 5:
        tt_viewport_step(w, b, columns, by);
        break;
    case 6:
        tt_viewport_go(w, b, columns, dice(4) ? b.begin + dice(b.end - b.begin) : dice(UINT64_MAX));
        break;
    case 7: {
        uint64_t from = b.begin + dice(b.end - b.begin);
        tt_viewport_show(w, b, columns, from, from + dice(UINT64_MAX - from));
        break;
    }
    default:
        tt_viewport_select(w);
        tt_viewport_fit(w, b, columns);
        break;
    }
}

static void play(struct tt_bounds b)
{
    struct tt_viewport w = {.all = true};
    for (int round = 0; round < 400; round++) {
        unsigned columns = 1 + (unsigned)dice(220);
        press(&w, b, columns);
        check(&w, b, columns);
        uint64_t from, to;
        if (tt_viewport_selection(&w, &from, &to)) {
            cr_assert_lt(from, to);
        }
    }
}

/* The cases of a process share the state of the random numbers. */
static void begin_seed(void)
{
    seed = 7;
}

TestSuite(lanes_viewport, .init = begin_seed);

Test(lanes_viewport, any_capture)
{
    for (int round = 0; round < 60; round++) {
        uint64_t length = 1 + dice(UINT64_C(1) << (1 + dice(63)));
        uint64_t begin = dice(UINT64_MAX - length);
        play((struct tt_bounds){begin, begin + length});
    }
}

Test(lanes_viewport, times_at_both_ends_of_64_bits)
{
    play((struct tt_bounds){0, 1});
    play((struct tt_bounds){0, UINT64_MAX});
    play((struct tt_bounds){UINT64_MAX - 1, UINT64_MAX});
    play((struct tt_bounds){UINT64_MAX - 1000, UINT64_MAX});
}

Test(lanes_viewport, zoom_keeps_the_cursor_in_its_column)
{
    struct tt_bounds b = {1000000, 9000000};
    struct tt_viewport w = {.all = true};
    tt_viewport_all(&w, b, 50);
    tt_viewport_go(&w, b, 50, 5000123);
    unsigned column = tt_viewport_column(&w, 50, w.at);
    while (w.to - w.from > 50) {
        uint64_t span = w.to - w.from;
        tt_viewport_zoom(&w, b, 50, true);
        cr_assert_eq(tt_viewport_column(&w, 50, w.at), column);
        cr_assert_eq(w.at, 5000123);
        cr_assert_lt(w.to - w.from, span);
        cr_assert_eq((w.to - w.from) % 50, 0);
    }
    for (int i = 0; i < 30; i++) {
        tt_viewport_zoom(&w, b, 50, false);
        cr_assert_eq(w.at, 5000123);
    }
    cr_assert(w.all);
    cr_assert_eq(w.from, b.begin);
    cr_assert_eq(w.to, b.end);
}

Test(lanes_viewport, all_grows_with_the_capture)
{
    struct tt_viewport w = {.all = true};
    tt_viewport_fit(&w, (struct tt_bounds){10, 1000}, 40);
    cr_assert_eq(w.to, 1000);
    tt_viewport_fit(&w, (struct tt_bounds){10, 5000}, 40);
    cr_assert_eq(w.to, 5000);
    tt_viewport_zoom(&w, (struct tt_bounds){10, 5000}, 40, true);
    uint64_t from = w.from, to = w.to;
    tt_viewport_fit(&w, (struct tt_bounds){10, 90000}, 40);
    cr_assert_eq(w.from, from);
    cr_assert_eq(w.to, to);
}

Test(lanes_viewport, pan_keeps_the_column_and_the_cells)
{
    struct tt_bounds b = {0, 1000000};
    struct tt_viewport w = {.all = true};
    tt_viewport_go(&w, b, 40, 500000);
    tt_viewport_zoom(&w, b, 40, true);
    tt_viewport_zoom(&w, b, 40, true);
    unsigned column = tt_viewport_column(&w, 40, w.at);
    uint64_t third = tt_viewport_edge(&w, 40, 3);
    tt_viewport_pan(&w, b, 40, 3);
    cr_assert_eq(w.from, third);
    cr_assert_eq(tt_viewport_column(&w, 40, w.at), column);
    tt_viewport_pan(&w, b, 40, -3);
    cr_assert_eq(tt_viewport_edge(&w, 40, 3), third);
    /* At the end only the cursor moves. */
    for (int i = 0; i < 100; i++) {
        tt_viewport_pan(&w, b, 40, 20);
    }
    cr_assert_eq(w.to, b.end);
    cr_assert_eq(w.at, b.end - 1);
}

Test(lanes_viewport, a_selection_ends_before_its_end)
{
    struct tt_bounds b = {0, 1000};
    struct tt_viewport w = {.all = true};
    uint64_t from, to;
    tt_viewport_go(&w, b, 10, 300);
    cr_assert_not(tt_viewport_selection(&w, &from, &to));
    tt_viewport_select(&w);
    cr_assert_not(tt_viewport_selection(&w, &from, &to), "an empty one is no range");
    tt_viewport_go(&w, b, 10, 100);
    cr_assert(tt_viewport_selection(&w, &from, &to));
    cr_assert_eq(from, 100);
    cr_assert_eq(to, 300);
    tt_viewport_select(&w);
    tt_viewport_go(&w, b, 10, 900);
    cr_assert(tt_viewport_selection(&w, &from, &to));
    cr_assert_eq(from, 100);
    cr_assert_eq(to, 300);
}

Test(lanes_viewport, select_after_a_finished_selection_begins_another)
{
    struct tt_bounds b = {0, 1000};
    struct tt_viewport w = {.all = true};
    uint64_t from, to;
    tt_viewport_go(&w, b, 10, 300);
    tt_viewport_select(&w);
    tt_viewport_go(&w, b, 10, 400);
    tt_viewport_select(&w);
    tt_viewport_go(&w, b, 10, 600);
    tt_viewport_select(&w);
    cr_assert(w.growing);
    tt_viewport_go(&w, b, 10, 700);
    tt_viewport_select(&w);
    cr_assert(tt_viewport_selection(&w, &from, &to));
    cr_assert_eq(from, 600);
    cr_assert_eq(to, 700);
    tt_viewport_select(&w);
    tt_viewport_select(&w);
    cr_assert_not(w.spans, "both ends at one place leave none");
}
