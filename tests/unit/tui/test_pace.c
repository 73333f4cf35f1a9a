/* SPDX-License-Identifier: Apache-2.0 */
/* Frames on a slow line, with a clock that the test moves. */
#include <criterion/criterion.h>
#include <string.h>

#include "tui/term/pace.h"

#define MS UINT64_C(1000000)

static struct tt_pace answering(uint64_t *now)
{
    struct tt_pace pace = {.rate = 25, .cells = 80 * 24};
    *now = 1000 * MS;
    tt_pace_begin(&pace, true, *now);
    *now += MS;
    tt_pace_answered(&pace, *now);
    return pace;
}

Test(tui_pace, the_rate_limits_frames_on_a_fast_line)
{
    uint64_t now;
    struct tt_pace pace = answering(&now);
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_NEWS, now), 0, "the first frame waits for nothing");
    cr_assert(tt_pace_drawn(&pace, TT_PACE_NEWS, 1000, now));
    tt_pace_answered(&pace, now + MS);
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_NEWS, now + MS), 39 * MS);
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_NEWS, now + 40 * MS), 0);
    cr_assert_eq(tt_pace_part(&pace, TT_PACE_NEWS), SIZE_MAX);
}

Test(tui_pace, news_wait_for_the_answer_and_then_rest)
{
    uint64_t now;
    struct tt_pace pace = answering(&now);
    cr_assert(tt_pace_drawn(&pace, TT_PACE_NEWS, 1000, now));
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_NEWS, now + 100 * MS), 1900 * MS);
    tt_pace_answered(&pace, now + 100 * MS);
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_NEWS, now + 100 * MS), 160 * MS);
}

Test(tui_pace, keys_are_drawn_at_once_but_not_behind_a_key)
{
    uint64_t now;
    struct tt_pace pace = answering(&now);
    cr_assert(tt_pace_drawn(&pace, TT_PACE_NEWS, 1000, now));
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_KEY, now), 0);
    cr_assert(tt_pace_drawn(&pace, TT_PACE_KEY, 200, now));
    cr_assert_neq(tt_pace_wait(&pace, TT_PACE_KEY, now), 0, "one frame for the keys so far");
    tt_pace_answered(&pace, now + 100 * MS);
    cr_assert_eq(pace.took, 100 * MS, "answers come in the order of the questions");
    cr_assert_neq(tt_pace_wait(&pace, TT_PACE_KEY, now + 100 * MS), 0);
    tt_pace_answered(&pace, now + 120 * MS);
    cr_assert_eq(pace.took, 120 * MS);
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_KEY, now + 120 * MS), 0);
}

Test(tui_pace, a_lost_answer_stops_nothing)
{
    uint64_t now;
    struct tt_pace pace = answering(&now);
    cr_assert(tt_pace_drawn(&pace, TT_PACE_KEY, 1000, now));
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_KEY, now + TT_PACE_LATE_NS), 0);
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_NEWS, now + TT_PACE_LATE_NS), 0);
    now += TT_PACE_LATE_NS;
    cr_assert_not(tt_pace_drawn(&pace, TT_PACE_NEWS, 1000, now), "no second question");
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_NEWS, now), TT_PACE_LATE_NS);
    now += TT_PACE_LOST_NS;
    cr_assert_not(tt_pace_drawn(&pace, TT_PACE_NEWS, 1000, now), "it is not asked again");
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_NEWS, now), 250 * MS, "1000 of 4000 bytes a second");
    tt_pace_answered(&pace, now + MS);
    cr_assert(tt_pace_drawn(&pace, TT_PACE_NEWS, 1000, now + 500 * MS), "but after a late answer");
}

Test(tui_pace, a_silent_terminal_gets_few_bytes)
{
    struct tt_pace pace = {.rate = 25};
    tt_pace_begin(&pace, true, 0);
    tt_pace_silent(&pace);
    cr_assert_not(tt_pace_drawn(&pace, TT_PACE_NEWS, 2000, 0));
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_NEWS, 0), 500 * MS);
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_KEY, 0), 0);
    cr_assert_eq(tt_pace_part(&pace, TT_PACE_NEWS), TT_PACE_BYTES / 2);
    cr_assert_not(tt_pace_drawn(&pace, TT_PACE_NEWS, 10, 500 * MS));
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_NEWS, 500 * MS), 40 * MS, "small frames at the rate");
}

/* Sends frames of `bytes` as early as permitted for `ms`; returns the bytes, and the longest wait. */
static size_t send_frames(enum tt_pace_reason reason, size_t bytes, uint64_t ms, uint64_t *longest)
{
    uint64_t now, end;
    struct tt_pace pace = answering(&now);
    size_t sent = 0;
    *longest = 0;
    for (end = now + ms * MS; now < end;) {
        uint64_t wait = tt_pace_wait(&pace, reason, now);
        *longest = wait > *longest ? wait : *longest;
        now += wait;
        tt_pace_drawn(&pace, TT_PACE_NEWS, bytes, now);
        tt_pace_answered(&pace, now + MS / 10);
        sent += bytes;
    }
    return sent;
}

Test(tui_pace, a_growing_capture_has_a_budget_on_a_fast_line)
{
    uint64_t longest;
    size_t sent = send_frames(TT_PACE_NEWS, 2000, 20000, &longest);
    cr_assert_eq(tt_pace_budget(80 * 24), 3600);
    cr_assert_leq(sent, 22 * 3600, "%zu bytes in 20 s, and a burst of 1 s", sent);
    cr_assert_geq(sent, 20 * 3600, "%zu bytes", sent);
    cr_assert_leq(longest, 556 * MS, "%.0f ms", (double)longest / 1e6);
    send_frames(TT_PACE_NEWS, 100, 20000, &longest);
    cr_assert_leq(longest, 40 * MS, "small frames follow at the rate: %.0f ms",
                  (double)longest / 1e6);
    send_frames(TT_PACE_PROGRESS, 2000, 20000, &longest);
    cr_assert_leq(longest, 40 * MS, "progress is not limited: %.0f ms", (double)longest / 1e6);
}

Test(tui_pace, the_budget_grows_with_the_screen)
{
    cr_assert_eq(tt_pace_budget(200 * 60), 22500);
    cr_assert_eq(tt_pace_budget(1), TT_PACE_BUDGET_MIN);
    cr_assert_gt(tt_pace_budget(UINT32_MAX), TT_PACE_BUDGET_MIN);
}

Test(tui_pace, frames_of_progress_delay_a_growing_capture_by_a_frame)
{
    uint64_t now;
    struct tt_pace pace = answering(&now);
    for (int i = 0; i < 100; i++) {
        tt_pace_drawn(&pace, TT_PACE_NEWS, 2000, now += 40 * MS);
        tt_pace_answered(&pace, now + MS);
    }
    cr_assert_leq(tt_pace_wait(&pace, TT_PACE_NEWS, now + MS), 556 * MS);
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_KEY, now + MS), 0, "a key does not wait");
}

Test(tui_pace, keys_do_not_wait_for_the_first_answer)
{
    struct tt_pace pace = {.rate = 25};
    tt_pace_begin(&pace, true, 0);
    cr_assert_not(tt_pace_drawn(&pace, TT_PACE_KEY, 2000, MS), "it may never answer");
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_KEY, MS), 0);
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_NEWS, MS), 500 * MS);
    tt_pace_answered(&pace, 2 * MS);
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_NEWS, 2 * MS), 39 * MS);
    cr_assert(tt_pace_drawn(&pace, TT_PACE_KEY, 2000, 3 * MS));
}

Test(tui_pace, a_terminal_that_is_not_asked_gives_no_answers)
{
    struct tt_pace pace = {.rate = 1000000};
    tt_pace_begin(&pace, false, 0);
    tt_pace_answered(&pace, MS);
    cr_assert_not(pace.answers);
    cr_assert_not(tt_pace_drawn(&pace, TT_PACE_KEY, 2000, 0));
    cr_assert_eq(tt_pace_wait(&pace, TT_PACE_NEWS, 0), 500 * MS);
}

Test(tui_pace, frames_without_bytes_ask_nothing)
{
    uint64_t now;
    struct tt_pace pace = answering(&now);
    cr_assert_not(tt_pace_drawn(&pace, TT_PACE_NEWS, 0, now));
    cr_assert_eq(pace.pending, 0);
}

/* ---- a line of 10 KB/s with a buffer of any size ------------------------------------------------ */

#define LINE_NS     (UINT64_C(1000000000) / 10000) /* per byte */
#define FRAME       6000                           /* a whole frame for news */
#define LARGE_FRAME 7000u                          /* 200x60 */
#define KEY_FRAME   300
#define KEY_EVERY   (700 * MS)
#define SECONDS     60
#define MOST_ASKED  4

struct line {
    uint64_t free; /* when it has carried everything */
    uint64_t answers[MOST_ASKED];
    unsigned asked;
    size_t news;
};

static void send(struct line *line, struct tt_pace *pace, enum tt_pace_reason reason, size_t bytes,
                 uint64_t now)
{
    line->free = (line->free > now ? line->free : now) + bytes * LINE_NS;
    if (tt_pace_drawn(pace, reason, bytes, now)) {
        cr_assert_lt(line->asked, MOST_ASKED);
        line->answers[line->asked++] = line->free;
    }
}

static void take_answers(struct line *line, struct tt_pace *pace, uint64_t now)
{
    while (line->asked > 0 && line->answers[0] <= now) {
        memmove(line->answers, line->answers + 1, sizeof line->answers - sizeof *line->answers);
        line->asked--;
        tt_pace_answered(pace, now);
    }
}

Test(tui_pace, a_slow_line_carries_news_and_answers_keys)
{
    struct tt_pace pace = {.rate = 25, .cells = 80 * 24};
    struct line line = {0};
    uint64_t slowest = 0, next_key = 5000 * MS;
    size_t left = FRAME;
    tt_pace_begin(&pace, true, 0);
    line.answers[line.asked++] = MS;
    for (uint64_t now = 0; now < SECONDS * 1000 * MS; now += MS) {
        take_answers(&line, &pace, now);
        if (now >= next_key && tt_pace_wait(&pace, TT_PACE_KEY, now) == 0) {
            send(&line, &pace, TT_PACE_KEY, KEY_FRAME, now);
            slowest = line.free - next_key > slowest ? line.free - next_key : slowest;
            next_key += KEY_EVERY;
        } else if (tt_pace_wait(&pace, TT_PACE_NEWS, now) == 0) {
            size_t part = tt_pace_part(&pace, TT_PACE_NEWS);
            part = part < left ? part : left;
            send(&line, &pace, TT_PACE_NEWS, part, now);
            line.news += part;
            left = left > part ? left - part : FRAME;
        }
    }
    cr_assert_leq(line.news, (size_t)SECONDS * 4096);
    cr_assert_geq(line.news, (size_t)SECONDS * 2000, "the line is used: %zu bytes", line.news);
    cr_assert_leq(slowest, 300 * MS, "%.0f ms", (double)slowest / 1e6);
}

/* A key whose frame is as large as 200x60 cells: its first part, of the prompt, arrives soon. */
Test(tui_pace, a_large_frame_of_a_key_is_sent_in_parts)
{
    struct tt_pace pace = {.rate = 25, .cells = 200 * 60};
    struct line line = {0};
    uint64_t slowest = 0, next_key = 5000 * MS;
    size_t left = FRAME, key_left = 0;
    tt_pace_begin(&pace, true, 0);
    line.answers[line.asked++] = MS;
    for (uint64_t now = 0; now < SECONDS * 1000 * MS; now += MS) {
        bool key = now >= next_key;
        enum tt_pace_reason reason = key            ? TT_PACE_KEY
                                     : key_left > 0 ? TT_PACE_REST_OF_KEY
                                                    : TT_PACE_NEWS;
        take_answers(&line, &pace, now);
        if (tt_pace_wait(&pace, reason, now) > 0) {
            continue;
        }
        size_t part = tt_pace_part(&pace, reason);
        key_left = key ? LARGE_FRAME : key_left;
        size_t *of = reason == TT_PACE_NEWS ? &left : &key_left;
        part = part < *of ? part : *of;
        send(&line, &pace, reason, part, now);
        *of -= part;
        left = left > 0 ? left : FRAME;
        if (key) {
            slowest = line.free - next_key > slowest ? line.free - next_key : slowest;
            next_key += KEY_EVERY;
        }
    }
    cr_assert_leq(slowest, 300 * MS, "%.0f ms", (double)slowest / 1e6);
}
