/* SPDX-License-Identifier: Apache-2.0 */
/* pace: decides when the next frame may be sent. */
#include "tui/term/pace.h"

#include <limits.h>

#define SECOND UINT64_C(1000000000)

static void pace_ask(struct tt_pace *pace, size_t bytes, bool key, uint64_t now)
{
    pace->asked = true;
    pace->questions[pace->pending++] = (struct tt_pace_question){now, bytes, key};
}

void tt_pace_begin(struct tt_pace *pace, bool asked, uint64_t now)
{
    unsigned rate = pace->rate, cells = pace->cells;
    *pace = (struct tt_pace){.rate = rate, .cells = cells, .least = UINT64_MAX, .part = SIZE_MAX};
    if (asked) {
        pace_ask(pace, 0, false, now);
    }
}

static uint64_t until(uint64_t then, uint64_t now)
{
    return then > now ? then - now : 0;
}

/* Returns when the next frame for news may follow the last frame, all questions being answered. */
static uint64_t end_of_rest(const struct tt_pace *pace)
{
    uint64_t rate = pace->rate > 0 ? pace->rate : TT_PACE_RATE;
    uint64_t next = pace->drawn + SECOND / rate;
    return next > pace->rest ? next : pace->rest;
}

/* Lets news rest until `from` plus `length`, if that is later than so far. */
static void rest(struct tt_pace *pace, uint64_t from, uint64_t length)
{
    pace->rest = from + length > pace->rest ? from + length : pace->rest;
}

unsigned tt_pace_budget(unsigned cells)
{
    unsigned bytes = cells < UINT_MAX / 15 ? cells * 15 / 8 : UINT_MAX / 8;
    return bytes > TT_PACE_BUDGET_MIN ? bytes : TT_PACE_BUDGET_MIN;
}

uint64_t tt_pace_wait(const struct tt_pace *pace, enum tt_pace_reason reason, uint64_t now)
{
    const struct tt_pace_question *last = &pace->questions[pace->pending > 1];
    if (reason != TT_PACE_NEWS && reason != TT_PACE_PROGRESS) {
        return pace->pending > 0 && last->key ? until(last->asked + TT_PACE_LATE_NS, now) : 0;
    }
    if (pace->pending > 0 && pace->answers) {
        uint64_t late = pace->drew && pace->drawn > last->asked ? pace->drawn : last->asked;
        return until(late + TT_PACE_LATE_NS, now);
    }
    uint64_t rests = pace->drew ? until(end_of_rest(pace), now) : 0;
    /* The nanoseconds until the budget of a fast line allows a frame for a growing capture. */
    uint64_t saves =
        reason == TT_PACE_NEWS && pace->answers ? until(pace->covered, now + TT_PACE_BURST_NS) : 0;
    return rests > saves ? rests : saves;
}

size_t tt_pace_part(const struct tt_pace *pace, enum tt_pace_reason reason)
{
    if (reason != TT_PACE_NEWS) {
        size_t part = pace->answers ? pace->part : SIZE_MAX;
        /* A part for news may be on the line before it. */
        return part < SIZE_MAX && pace->pending > 0 ? part / 2 : part;
    }
    return pace->answers ? pace->part : pace->drew ? TT_PACE_BYTES / 2 : SIZE_MAX;
}

bool tt_pace_drawn(struct tt_pace *pace, enum tt_pace_reason reason, size_t bytes, uint64_t now)
{
    bool key = reason != TT_PACE_NEWS;
    pace->drew = true;
    pace->drawn = now;
    if (pace->pending > 0 && now - pace->questions[0].asked > TT_PACE_LOST_NS) {
        tt_pace_silent(pace);
    }
    if (!key) {
        /* Adds the bytes of a frame for news to the ones that the budget has not covered yet. */
        uint64_t most = now + TT_PACE_BURST_NS;
        uint64_t from = pace->covered < now ? now : pace->covered < most ? pace->covered : most;
        pace->covered = from + (uint64_t)bytes * SECOND / tt_pace_budget(pace->cells);
    }
    if (!pace->answers) {
        rest(pace, now, (uint64_t)bytes * SECOND / TT_PACE_BYTES);
    }
    if (!pace->answers || bytes == 0 || pace->pending > 1 ||
        (pace->pending == 1 && (!key || pace->questions[0].key))) {
        return false;
    }
    pace_ask(pace, bytes, key, now);
    return true;
}

void tt_pace_answered(struct tt_pace *pace, uint64_t now)
{
    if (!pace->asked) {
        return; /* to a question of another program */
    }
    pace->rest = pace->answers ? pace->rest : 0;
    pace->answers = true;
    if (pace->pending > 0) {
        pace->took = now - pace->questions[0].asked;
        pace->least = pace->took < pace->least ? pace->took : pace->least;
        rest(pace, pace->questions[0].asked, (uint64_t)((double)pace->took * TT_PACE_REST));

        /* Estimates how much the line carries, from a frame that is large enough. */
        size_t bytes = pace->questions[0].bytes;
        if (bytes >= TT_PACE_PART_MIN) {
            double line = (double)(pace->took - pace->least) + 1;
            double part = (double)bytes * (double)TT_PACE_PART_NS / line;
            pace->part = part > TT_PACE_PART_MAX   ? SIZE_MAX
                         : part < TT_PACE_PART_MIN ? TT_PACE_PART_MIN
                                                   : (size_t)part;
        }

        pace->questions[0] = pace->questions[1];
        pace->pending--;
    }
}

void tt_pace_silent(struct tt_pace *pace)
{
    pace->answers = false;
    pace->pending = 0;
}
