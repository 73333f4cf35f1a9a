/* SPDX-License-Identifier: Apache-2.0 */
/* survey: counts, keys and sums of parts with events in any order, against all pairs of keys. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "fake_format.h"
#include "trace/index/survey.h"

enum { EVENTS = 600, TYPES = 3 };

/* Events with times of which `back` in 16 go back. */
static void make_events(struct tt_event *events, unsigned back, unsigned seed)
{
    uint64_t ticks = 1000000;
    for (uint32_t i = 0; i < EVENTS; i++) {
        seed = seed * 1103515245u + 12345u;
        unsigned random = seed >> 16;
        ticks = random % 16 < back ? ticks - random % 500 : ticks + random % 3;
        events[i] = (struct tt_event){.ticks = ticks,
                                      .pos = 16 * (uint64_t)i,
                                      .type = random / 16 % TYPES,
                                      .flags = random / 64 % 8 ? 0 : TT_EVENT_UNNUMBERED};
    }
}

/* Checks the survey of events [from, end) of a block that begins at `begin`. */
static void check_part(struct tt_survey *s, const struct tt_event *events, uint32_t begin,
                       uint32_t from, uint32_t end)
{
    struct tt_surveyed surveyed, expected = {0, true};
    uint64_t sum = 0;
    cr_assert(tt_survey_read(s, events + from, end - from, from == begin, &surveyed));
    for (uint32_t i = begin; i < end; i++) {
        struct tt_key key = {events[i].ticks, events[i].pos};
        cr_expect(!tt_key_before(key, s->first));
        cr_expect(!tt_key_before(s->last, key));
        expected.derived += i >= from && (events[i].flags & TT_EVENT_UNNUMBERED) != 0;
        for (uint32_t k = begin; k < i && i >= from; k++) {
            expected.ascending &= events[k].ticks <= events[i].ticks;
        }
        sum = s->index->follows ? tt_event_sum(sum, &events[i]) : 0;
    }
    cr_expect_eq(surveyed.derived, expected.derived);
    cr_expect_eq(surveyed.ascending, expected.ascending);
    cr_expect_eq(s->sum, sum);
}

static void check_counts(struct tt_trace *trace, struct tt_survey *s, const struct tt_event *events,
                         uint64_t times)
{
    uint64_t counts[TYPES] = {0};
    for (uint32_t i = 0; i < EVENTS; i++) {
        counts[events[i].type] += times;
    }
    cr_assert(tt_survey_show_counts(s));
    for (uint32_t type = 0; type < TYPES; type++) {
        cr_expect_eq(tt_trace_type_events(trace, type), counts[type]);
    }
}

static void check_all(bool follows, unsigned back)
{
    struct fake_record record = {0};
    struct tt_trace *trace = fake_trace(&record, 1);
    struct tt_event events[EVENTS];
    struct tt_survey s;
    trace->index.follows = follows;
    for (unsigned type = 0; type < TYPES; type++) {
        tt_types_add(trace->capture, "SURVEY", "EVENT", type, TT_KIND_EVENT);
    }
    make_events(events, back, back + 1);
    tt_survey_init(&s, &trace->index);
    for (uint32_t begin = 0, size = 1; begin < EVENTS; begin += size, size = size % 90 + 7) {
        uint32_t end = begin + size < EVENTS ? begin + size : EVENTS;
        uint32_t middle = begin + (end - begin) / 2;
        if (middle > begin) {
            check_part(&s, events, begin, begin, middle);
        }
        check_part(&s, events, begin, middle, end);
    }
    check_counts(trace, &s, events, 1);
    tt_survey_free(&s);
    tt_trace_close(trace);
}

Test(survey, events_in_order)
{
    check_all(false, 0);
}

Test(survey, events_that_go_back)
{
    check_all(false, 2);
    check_all(false, 16);
}

Test(survey, events_of_a_file_that_may_change)
{
    check_all(true, 0);
    check_all(true, 3);
}
